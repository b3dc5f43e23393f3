// The tree of the positions that a search reached, by depth; its places are in the data.
const PICTURE = 48, GAP = 10, BELOW = 30;

function tree(search, run, draw, host, choose) {
  const { nodes } = search;
  const [width, height] = nodes.picture.some(picture => picture >= 0) ? draw.size(PICTURE) : [PICTURE, PICTURE / 2];
  // A slot is wide enough for the numbers below a drawing.
  const slot = Math.max(width, nodes.h ? 52 : 30) + GAP, row = height + BELOW + GAP;
  const x = node => nodes.x[node] / 2 * slot + slot / 2, y = node => run.depth[node] * row + GAP;
  const label = node => {
    const g = short(run.g(node)), h = run.h(node);
    return h === null ? g : nodes.novelty ? `${g}+${short(h)}` : `${g}+${short(h)}=${short(run.f(node))}`;
  };
  let zoom = 0, follows = true, middle = [0, 0], step = 0, chosen = -1;
  host.innerHTML = `<svg class="tree" role="img" aria-label="The tree of positions"></svg><div class="zoom">`
    + `<button type="button" data-do="out" aria-label="Smaller" title="Smaller">−</button>`
    + `<button type="button" data-do="in" aria-label="Larger" title="Larger">+</button>`
    + `<button type="button" data-do="whole" aria-label="Whole tree" title="Whole tree">whole</button>`
    + `<button type="button" data-do="follow" aria-label="Follow the current position" title="Follow">follow</button></div>`;
  const svg = host.firstChild;
  const box = () => [svg.clientWidth || 320, svg.clientHeight || 320];

  // A tree that fits as a whole stays in its place while it grows.
  const final = new Map();
  function finalExtent() {
    const iteration = search.order === "path" ? run.iteration(step) : -1;
    if (!final.has(iteration)) {
      const all = [];
      for (let node = 0; node < run.size; node++) if (run.born[node] >= 0 && (iteration < 0 || run.iterationOf[node] === iteration)) all.push(node);
      final.set(iteration, extent(all));
    }
    return final.get(iteration);
  }
  const shown = () => {
    const found = [];
    for (let node = 0; node < run.size; node++) if (run.isShown(node, step)) found.push(node);
    return found;
  };
  function extent(all) {
    let [left, right, bottom] = [Infinity, -Infinity, 0];
    for (const node of all) {
      left = Math.min(left, x(node) - slot / 2);
      right = Math.max(right, x(node) + slot / 2);
      bottom = Math.max(bottom, y(node) + row);
    }
    return [left, right, bottom];
  }
  const fitting = ([left, right, bottom]) => {
    const [w, h] = box();
    return Math.min(w / (right - left), h / bottom, 1.4);
  };
  function show(at, selected) {
    step = at;
    chosen = selected;
    const all = shown();
    if (!all.length) { svg.innerHTML = ""; return; }
    const [w, h] = box();
    let whole = finalExtent();
    if (fitting(whole) < 0.55) whole = extent(all);
    const fits = fitting(whole);
    // Otherwise the current position is shown with its parent and its children, if they are not too far apart.
    const centre = chosen >= 0 ? chosen : run.current(step);
    const family = extent(all.filter(node => node === centre || run.parent(node) === centre || node === run.parent(centre)));
    const near = w / (family[1] - family[0]);
    let scale = zoom;
    if (zoom === 0) scale = fits >= 0.55 ? fits : Math.max(0.42, Math.min(0.9, near));
    const isWhole = zoom === -1;
    if (isWhole) scale = fits;
    const current = chosen >= 0 ? chosen : run.current(step);
    const isIn = (zoom === 0 && fits >= 0.55) || isWhole;
    if (isIn) middle = [(whole[0] + whole[1]) / 2, h / scale / 2];
    else if (follows) {
      const limit = (at, low, high, span) => high - low < span ? (low + high) / 2 : Math.max(low + span / 2, Math.min(high - span / 2, at));
      const side = near >= scale ? (family[0] + family[1]) / 2 : x(current);
      middle = [limit(side, whole[0], whole[1], w / scale), limit(y(current) + height / 2, 0, Math.max(whole[2], h / scale), h / scale)];
    }
    const [left, top] = [middle[0] - w / scale / 2, middle[1] - h / scale / 2];
    const isNear = node => x(node) > left - slot && x(node) < left + w / scale + slot && y(node) > top - row && y(node) < top + h / scale + row;
    const path = new Set(run.way(current, step));
    const next = run.next(step);
    const lines = [], boxes = [];
    // Letters have a readable size wherever they fit into a slot.
    const longest = all.reduce((most, node) => Math.max(most, label(node).length), 1);
    const font = Math.max(11, 9 / scale), lettered = font <= 22 && font * 0.56 * longest + 2 <= slot;
    const detailed = PICTURE * scale >= 17;
    for (const node of all) {
      const parent = run.parent(node);
      if (parent >= 0 && (isNear(node) || isNear(parent))) {
        const [x1, y1, x2, y2] = [x(parent), y(parent) + height + (lettered ? 3 + font : 0), x(node), y(node)];
        const own = path.has(node) ? " class=\"path\"" : "";
        lines.push(`<path${own} d="M${x1} ${y1}C${x1} ${(y1 + y2) / 2} ${x2} ${(y1 + y2) / 2} ${x2} ${y2}"/>`);
      }
      if (!isNear(node)) continue;
      const state = run.state(node, step);
      const kind = [node === current ? "current" : path.has(node) ? "onpath" : state === 1 && search.order !== "path" ? "open" : "closed"];
      if (next.includes(node)) kind.push("next");
      if (run.goals.some(goal => goal.node === node && goal.step <= step)) kind.push("goal");
      const [px, py] = [x(node) - width / 2, y(node)];
      let parts = `<rect x="${px - 3}" y="${py - 3}" width="${width + 6}" height="${height + 6}" rx="5"/>`;
      const picture = nodes.picture[node];
      if (detailed && picture >= 0) {
        parts += `<use href="#${draw.group(picture)}" transform="translate(${px} ${py}) scale(${draw.scale(PICTURE)})"/>`;
      }
      if (lettered) {
        const cut = (run.cuts.get(node) ?? []).filter(one => one.step <= step).length;
        parts += `<text x="${x(node)}" y="${py + height + 3 + font}" style="font-size:${font}px">${label(node)}</text>`;
        if (cut) parts += `<text class="cut" x="${x(node)}" y="${py + height + 3 + 2 * font}" style="font-size:${font}px">✕${cut > 1 ? cut : ""}</text>`;
      }
      boxes.push(`<g class="${kind.join(" ")}" data-node="${node}">${parts}</g>`);
    }
    svg.setAttribute("viewBox", `${left} ${top} ${w / scale} ${h / scale}`);
    svg.innerHTML = `<g class="edges">${lines.join("")}</g>${boxes.join("")}`;
    svg.dataset.scale = scale;
    host.querySelector("[data-do=follow]").setAttribute("aria-pressed", String(follows && !isIn));
    host.querySelector("[data-do=whole]").setAttribute("aria-pressed", String(isIn));
  }
  const scaleNow = () => Number(svg.dataset.scale) || 1;
  host.querySelector(".zoom").addEventListener("click", event => {
    const what = event.target.dataset.do;
    if (what === "in") zoom = Math.min(4, scaleNow() * 1.4);
    if (what === "out") zoom = Math.max(0.02, scaleNow() / 1.4);
    if (what === "whole") zoom = -1;
    if (what === "follow") { follows = true; if (zoom === -1) zoom = 0.9; }
    show(step, chosen);
  });
  let from = null, moved = false;
  svg.addEventListener("pointerdown", event => { from = [event.clientX, event.clientY]; moved = false; });
  svg.addEventListener("pointermove", event => {
    if (!from) return;
    const [dx, dy] = [event.clientX - from[0], event.clientY - from[1]];
    if (!moved && Math.abs(dx) + Math.abs(dy) < 5) return;
    if (!moved) svg.setPointerCapture(event.pointerId);
    moved = true;
    if (zoom <= 0) zoom = scaleNow();
    follows = false;
    middle = [middle[0] - dx / scaleNow(), middle[1] - dy / scaleNow()];
    from = [event.clientX, event.clientY];
    show(step, chosen);
  });
  const up = event => {
    const node = event.target.closest?.("[data-node]");
    if (from && !moved && node) choose(Number(node.dataset.node));
    from = null;
  };
  svg.addEventListener("pointerup", up);
  svg.addEventListener("pointercancel", () => { from = null; });
  return { show };
}
