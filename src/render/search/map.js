// The map of a puzzle with one mover: each cell in the colour of the order in which it was expanded.
// Viridis (Smith and van der Walt 2015), without its darkest end, and a scale for the other side of a search.
const SCALES = [
  [[72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121], [110, 206, 88], [181, 222, 43]],
  [[87, 16, 110], [137, 34, 106], [188, 55, 84], [227, 89, 51], [249, 140, 10], [249, 201, 50]],
];
function colour(side, share) {
  const scale = SCALES[side], at = Math.max(0, Math.min(1, share)) * (scale.length - 1), low = Math.min(scale.length - 2, Math.floor(at));
  return scale[low].map((part, n) => Math.round(part + (scale[low + 1][n] - part) * (at - low)));
}

function map(page, search, run, draw, host, choose) {
  const { board } = page, { nodes } = search;
  host.innerHTML = `<div class="map"><svg viewBox="0 0 ${board.width} ${board.height}" aria-hidden="true"><use href="#ground"/><use href="#over"/></svg>`
    + `<canvas role="img" aria-label="The map, coloured by the order of expansion"></canvas></div>`
    + `<p class="key"><span class="scale"></span>first to last expanded ${nodes.side ? '<span class="scale back"></span>from the goals ' : ""}<span class="ring"></span>frontier</p>`;
  const canvas = host.querySelector("canvas"), context = canvas.getContext("2d");
  const cellOf = node => board.places[nodes.picture[node]];
  let here = new Map();
  function show(step, chosen) {
    const wide = canvas.clientWidth, ratio = devicePixelRatio || 1;
    if (!wide) return;
    const unit = wide / board.width, side = board.cell * unit, high = board.height * unit;
    if (canvas.width !== Math.round(wide * ratio)) {
      canvas.width = Math.round(wide * ratio);
      canvas.height = Math.round(high * ratio);
    }
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    context.clearRect(0, 0, wide, high);
    const corner = cell => [
      (cell % board.columns * board.cell + board.x) * unit, (Math.floor(cell / board.columns) * board.cell + board.y) * unit,
    ];
    const current = chosen >= 0 ? chosen : run.current(step);
    const path = run.way(current, step);
    here = new Map();
    for (let node = 0; node < run.size; node++) if (run.isShown(node, step)) here.set(cellOf(node), node);
    const style = getComputedStyle(document.documentElement);
    const [ink, red, blue, paper] = ["--ink", "--h", "--g", "--page"].map(name => style.getPropertyValue(name).trim());
    // Colours are those of the whole search, so that a cell keeps its own.
    const base = run.iterations.length ? run.iterations[Math.max(0, run.iteration(step))] : { first: 0, expanded: run.last };
    const inks = new Map();
    const inset = side > 12 ? 1 : 0;
    context.textAlign = "center";
    context.textBaseline = "middle";
    for (const [cell, node] of here) {
      const [x, y] = corner(cell), state = run.state(node, step);
      const isOpen = state === OPEN && search.order !== "path";
      let light = false;
      if (isOpen) {
        context.fillStyle = paper;
        context.globalAlpha = 0.8;
        context.fillRect(x + inset, y + inset, side - 2 * inset, side - 2 * inset);
        context.globalAlpha = 1;
        context.strokeStyle = blue;
        context.lineWidth = Math.max(1, side * 0.09);
        context.strokeRect(x + side * 0.1, y + side * 0.1, side * 0.8, side * 0.8);
      } else {
        const rgb = colour(nodes.side ? nodes.side[node] : 0, (run.shut[node] - base.first) / Math.max(1, base.expanded));
        light = rgb[0] * 0.3 + rgb[1] * 0.59 + rgb[2] * 0.11 > 120;
        context.fillStyle = `rgb(${rgb.join()})`;
        context.fillRect(x + inset, y + inset, side - 2 * inset, side - 2 * inset);
      }
      inks.set(cell, isOpen ? ink : light ? "#10151c" : "#fff");
    }
    if (path.length > 1) {
      context.beginPath();
      path.forEach((node, at) => {
        const [x, y] = corner(cellOf(node));
        context[at ? "lineTo" : "moveTo"](x + side / 2, y + side / 2);
      });
      context.strokeStyle = red;
      context.lineWidth = Math.max(1.5, side * 0.12);
      context.globalAlpha = side >= 34 ? 0.55 : 0.9;
      context.lineJoin = context.lineCap = "round";
      context.stroke();
      context.globalAlpha = 1;
    }
    if (side >= 20) {
      for (const [cell, node] of here) {
        context.fillStyle = inks.get(cell);
        if (node !== current) numbers(node, ...corner(cell), side);
      }
    }
    const [x, y] = corner(cellOf(current));
    context.fillStyle = red;
    context.beginPath();
    context.arc(x + side / 2, y + side / 2, Math.max(2, side * 0.46), 0, 7);
    context.fill();
    if (side >= 20) {
      context.fillStyle = "#fff";
      numbers(current, x, y, side * 0.96);
    }
  }
  // f in the middle, g and h below it where there is room.
  function numbers(node, x, y, side) {
    const g = short(run.g(node)), h = run.h(node);
    const main = h === null ? g : short(run.f(node)), full = side >= 40 && h !== null;
    const font = size => { context.font = `${size}px system-ui, "DejaVu Sans", sans-serif`; };
    font(Math.min(side * (full ? 0.34 : 0.42), side * 1.35 / Math.max(2, main.length)));
    context.fillText(main, x + side / 2, y + side * (full ? 0.38 : 0.52));
    if (!full) return;
    font(Math.min(side * 0.23, side * 1.4 / (g.length + short(h).length + 3)));
    context.fillText(`${g} + ${short(h)}`, x + side / 2, y + side * 0.72);
  }
  canvas.addEventListener("click", event => {
    const box = canvas.getBoundingClientRect(), unit = box.width / board.width;
    const at = value => Math.floor(value / unit / board.cell);
    const column = at(event.clientX - box.left - board.x * unit), row = at(event.clientY - box.top - board.y * unit);
    const node = here.get(row * board.columns + column);
    if (node !== undefined) choose(node);
  });
  return { show };
}
