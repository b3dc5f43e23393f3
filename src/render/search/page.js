(() => {
"use strict";
const $ = id => document.getElementById(id);
const page = JSON.parse($("search").textContent);
const draw = drawings(page), { board } = page;
// Expansions a second.
const PACES = [0.5, 1, 2, 5, 10, 30, 100, 500, 2000];
// The greatest number of positions in a list.
const MOST_LISTED = 12, MOST_IN_PATH = 60;

function panel(search) {
  const run = replay(search), say = words(search, run, draw), { nodes } = search;
  const element = $("panel").content.firstElementChild.cloneNode(true);
  const part = name => element.querySelector(`[data-part=${name}]`);
  element.querySelector("h2").textContent = search.name;
  element.setAttribute("aria-label", search.name);
  part("outcome").textContent = search.outcome;
  part("stop").textContent = search.stop ?? "";
  $("panels").append(element);
  let chosen = -1, now = 0;
  const cellName = picture => `${Math.floor(board.places[picture] / board.columns)}, ${board.places[picture] % board.columns}`;
  const choose = node => { chosen = node === chosen ? -1 : node; show(now, true); };
  const views = board.places ? { map: map(page, search, run, draw, part("view"), choose) }
    : { tree: tree(search, run, draw, part("tree"), choose), layers: layers(search, run, part("view")) };
  // A tree that is too large has no places.
  const drawView = step => {
    if (views.map) { views.map.show(step, chosen); return; }
    const isDrawn = nodes.x[run.current(step)] !== null;
    part("tree").hidden = !isDrawn;
    part("view").hidden = isDrawn;
    views[isDrawn ? "tree" : "layers"].show(step, chosen);
  };
  const iterated = run.iterations.length ? iterations(run, part("iterations")) : null;
  const isPath = search.order === "path";
  const counters = [
    ["expanded", step => step], ["generated", step => run.columns.generated[step]],
    isPath ? ["on the path", step => run.path(Math.max(0, run.columns.node[step])).length] : ["frontier", step => run.columns.frontier[step]],
    isPath ? ["cut", step => run.columns.pruned[step]] : ["closed", step => run.columns.closed[step]],
    ["depth", step => run.depth[Math.max(0, run.columns.node[step])]],
  ];
  if (run.columns.duplicates[run.last]) counters.splice(2, 0, ["of them known", step => run.columns.duplicates[step]]);
  if (!isPath && run.columns.pruned[run.last]) counters.push(["cut", step => run.columns.pruned[step]]);
  if (run.iterations.length) counters.push(["threshold", step => short(run.iterations[Math.max(0, run.iteration(step))].threshold)]);
  part("counters").innerHTML = counters.map(([name]) => `<div><dt>${name}</dt><dd data-count="${name}"></dd></div>`).join("");
  const cells = [...part("counters").querySelectorAll("dd")];
  const item = (node, kind) => `<li><button type="button" data-node="${node}" class="${kind}" title="${escaped(say.named(node))}">`
    + `${draw.svg(nodes.picture[node], 44)}<small>${escaped(run.h(node) === null ? short(run.g(node)) : `${short(run.g(node))}+${short(run.h(node))}${nodes.novelty ? `, novelty ${nodes.novelty[node]}` : `=${short(run.f(node))}`}`)}</small></button></li>`;
  function show(target, again) {
    const step = run.clamp(target);
    if (step !== now || !again) chosen = again ? chosen : -1;
    now = step;
    cells.forEach((cell, at) => { cell.textContent = counters[at][1](step); });
    element.classList.toggle("done", target > run.last || (step === run.last && run.last > 0));
    const current = chosen >= 0 ? chosen : run.current(step);
    drawView(step);
    iterated?.show(step);
    const parts = say.parts(current);
    part("big").innerHTML = board.places ? "" : draw.svg(nodes.picture[current], 132, parts);
    const move = say.moveOf(nodes.move[current]);
    part("move").textContent = chosen >= 0 ? `position ${current}` : step ? `expansion ${step}` : "before the first expansion";
    part("by").textContent = move ? `by ${move}` : current === 0 ? "the start" : "";
    part("values").textContent = say.values(current);
    part("parts").innerHTML = parts.map(({ name, value }, at) => `<li style="border-color:${partColour(at)}">${escaped(name)}: <b>${short(value)}</b></li>`).join("");
    part("choice").textContent = say.choice(current);
    part("words").textContent = say.sentences(step).join(" ");
    part("text").textContent = board.places ? "" : say.text(current);
    const path = run.way(current, step), left = Math.max(0, path.length - MOST_IN_PATH);
    part("path").innerHTML = board.places ? "" : (left ? `<li class="more">${left} more</li>` : "") + path.slice(left).map(node => item(node, "onpath")).join("");
    part("pathtitle").textContent = board.places ? "" : `Path, ${many(path.length - 1, "move")}`;
    part("path").scrollLeft = 1e6;
    const lists = run.sides.map(side => run.open(step, MOST_LISTED, side)), open = lists.flat();
    const button = node => board.places ? `<li><button type="button" data-node="${node}"><small>${cellName(nodes.picture[node])}: ${escaped(say.values(node))}</small></button></li>`
      : item(node, "open");
    const headings = ["from the start:", "from the goals:"];
    part("open").innerHTML = lists.map((list, side) => (lists.length > 1 ? `<li class="more">${headings[side]}</li>` : "") + list.map(button).join("")).join("");
    const more = run.columns.frontier[step] - open.length;
    if (open.length && more > 0) part("open").insertAdjacentHTML("beforeend", `<li class="more">${more} more</li>`);
    part("opentitle").textContent = !open.length ? (isPath ? "" : "Frontier: empty") : search.orderName;
  }
  element.addEventListener("click", event => {
    const button = event.target.closest("button[data-node]");
    if (button) choose(Number(button.dataset.node));
  });
  return { last: run.last, show, redraw: () => show(now, true), sentences: step => say.sentences(run.clamp(step)) };
}

$("controls").hidden = false;
const panels = page.searches.map(panel);
const last = Math.max(...panels.map(panel => panel.last));
let now = 0, timer = 0, pace = PACES.indexOf(2), speaks = false;
$("step").max = last;

function show() {
  for (const panel of panels) panel.show(now);
  $("count").textContent = `expansion ${now} of ${last}`;
  $("step").value = now;
  $("step").setAttribute("aria-valuetext", `expansion ${now} of ${last}`);
  $("first").disabled = $("previous").disabled = now === 0;
  $("next").disabled = $("last").disabled = now === last;
  $("play").setAttribute("aria-label", timer ? "Pause" : "Play");
  $("play").querySelector("path").setAttribute("d", timer ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2l10 6-10 6z");
  $("pace").textContent = `${PACES[pace]}/s`;
  $("slower").disabled = pace === 0;
  $("faster").disabled = pace === PACES.length - 1;
  if (speaks && !timer) {
    $("spoken").textContent = panels.map((panel, at) => `${page.searches[at].name}: ${panel.sentences(now).join(" ")}`).join("\n");
  }
}
function go(target, byPlay) {
  if (!byPlay) stop();
  now = Math.max(0, Math.min(last, target));
  show();
}
// Fast play shows only every n-th expansion.
function tick() {
  const pause = Math.max(40, 1000 / PACES[pace]), by = Math.max(1, Math.round(PACES[pace] * pause / 1000));
  timer = now + by < last ? setTimeout(tick, pause) : 0;
  go(now + by, true);
}
function stop() {
  clearTimeout(timer);
  if (timer) { timer = 0; show(); }
}
function play() {
  if (timer) { stop(); return; }
  if (last === 0) return;
  if (now === last) now = 0;
  timer = setTimeout(tick, 1000 / PACES[pace] / 2);
  show();
}
function faster(by) {
  pace = Math.max(0, Math.min(PACES.length - 1, pace + by));
  show();
}
function speak(on) {
  speaks = on;
  document.documentElement.classList.toggle("speaks", on);
  $("words").setAttribute("aria-pressed", String(on));
  show();
}
const leap = Math.max(10, Math.round(last / 20));
playback({
  first: () => go(0), previous: () => go(now - 1), play, next: () => go(now + 1), last: () => go(last), slower: () => faster(-1),
  faster: () => faster(1),
}, { PageDown: () => go(now + leap), PageUp: () => go(now - leap), w: () => speak(!speaks) });
$("words").addEventListener("click", () => speak(!speaks));
$("step").addEventListener("input", event => go(Number(event.target.value)));
addEventListener("resize", () => panels.forEach(panel => panel.redraw()));
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => panels.forEach(panel => panel.redraw()));
// A link may name the expansion: search.html#40.
go(Number(location.hash.slice(1)) || 0);
})();
