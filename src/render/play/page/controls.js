// All around the board: the commands, the list of moves, the menu, links and keys.

// Shows everything around the board.
const LISTED = 200;
function show() {
  if (!legal) return;
  const solved = play.goal(x), saved = best(number);
  $("count").textContent = many(made.length, "move");
  $("cost").textContent = level.unit ? "" : `cost ${text(cost())}`;
  $("best").textContent = saved === undefined ? "" : `best ${text(saved)}`;
  $("least").textContent = level.least === null ? "" : `${level.optimal ? "optimum" : "solution"} ${text(level.least)}`;
  $("win").hidden = !solved;
  $("won").textContent = !solved ? "" : made.length === 0 ? "Solved" : `Solved in ${many(made.length, "move")}${level.least !== null && cost() < level.least + 1e-6 && level.optimal ? " – the optimum!" : ""}`;
  $("following").hidden = number + 1 >= game.levels.length;
  $("undo").disabled = $("restart").disabled = !made.length;
  $("redo").disabled = !undone.length;
  $("hint").disabled = solved;
  $("watch").disabled = solved && !timer;
  $("watch").textContent = timer ? "Stop" : "Solution";
  for (const [key, element] of elements) element.classList.toggle("on", key === selected);
  const losing = isLost && !isLost(x) ? legal.filter(one => isLost(one.to)) : [];
  $("lost").hidden = !isLost?.(x) || !made.length;
  drawTraps(losing);
  const list = $("legal");
  // Moves that a click offers come first.
  const wanted = [...offered, ...legal.map(one => one.name).filter(one => !offered.includes(one))].slice(0, LISTED);
  list.textContent = "";
  for (const written of wanted) {
    const button = document.createElement("button");
    button.type = "button";
    button.textContent = written;
    button.dataset.move = written;
    if (hinted === written || offered.includes(written)) button.setAttribute("aria-current", "true");
    if (losing.some(one => one.name === written)) {
      button.classList.add("loses");
      button.title = "This move loses the game";
      button.setAttribute("aria-label", `${written}: loses the game`);
    }
    list.append(button);
  }
  $("none").textContent = legal.length > LISTED ? `and ${legal.length - LISTED} more` : legal.length ? "" : "No move is left.";
  // What is being typed stays.
  if (document.activeElement !== $("line")) $("line").value = names().join(spaced());
  if ($("asText").open) $("text").textContent = asText();
}
// Marks the moves that lose the game on the board: a cross before the place to which such a move leads.
function drawTraps(losing) {
  $("traps")?.remove();
  if (!losing.length) return;
  const layer = $("pieces").cloneNode(false), at = new Set(), size = level.cell;
  layer.id = "traps";
  for (const { moving, gone, born, by, place } of losing.map(effect)) {
    // The man is where the box was: what is pushed shows where it leads.
    const left = new Set(moving.flatMap(covered));
    const reached = moving.flatMap(one => covered({ look: one.look, cell: one.to })).filter(cell => !left.has(cell));
    const cells = reached.length ? reached : place >= 0 ? [place] : [...moving.map(one => one.to), ...gone.map(one => one.cell), ...born.map(one => one.cell)].slice(0, 1);
    for (const cell of cells) {
      const [row, column] = name(cell), [down, right] = by ? by.map(Math.sign) : [0, 0];
      at.add([(column + 0.5 - 0.32 * right) * size, (row + 0.5 - 0.32 * down) * size].join(" "));
    }
  }
  const arm = size / 9;
  for (const place of at) {
    for (const kind of ["edge", "line"]) {
      const cross = document.createElementNS("http://www.w3.org/2000/svg", "path");
      cross.setAttribute("class", `trap ${kind}`);
      cross.setAttribute("d", `M${place}m${-arm} ${-arm}l${2 * arm} ${2 * arm}m0 ${-2 * arm}l${-2 * arm} ${2 * arm}`);
      cross.setAttribute("stroke-width", size / (kind === "edge" ? 9 : 18));
      layer.append(cross);
    }
  }
  $("pieces").after(layer);
}
// Marks the levels that are solved, and the present one.
function mark() {
  document.querySelectorAll("#levels button").forEach((button, at) => {
    button.toggleAttribute("data-done", best(at) !== undefined);
    if (at === number) button.setAttribute("aria-current", "page"); else button.removeAttribute("aria-current");
  });
}

// Returns the position as rows of labels.
function asText() {
  const walls = members(level.walls);
  const grid = Array.from({ length: rows * columns }, (_, cell) => walls[cell] ? "#" : ".");
  const put = (look, cell) => covered({ look, cell }).forEach(at => { grid[at] = level.labels[look] || "@"; });
  drawn.fixed.forEach(([look, cell]) => put(look, cell));
  for (let v = 0; v < drawn.count; v++) for (const [look, cell] of drawn.at(v, x)) put(look, cell);
  const width = grid.reduce((most, one) => Math.max(most, one.length), 1);
  const row = at => grid.slice(at * columns, (at + 1) * columns).map(one => one.padStart(width)).join(width > 1 ? " " : "");
  return [...Array.from({ length: rows }, (_, at) => row(at)), "", ...level.inWords].join("\n").trimEnd();
}

// The link of a position has its moves; a list of moves is read as it is written.
function link() {
  const parts = linked ? [`puzzle=${packed}`] : [];
  if (game.levels.length > 1) parts.push(`level=${number + 1}`);
  if (made.length) parts.push("moves=" + encodeURIComponent(names().join(spaced())).replace(/%20/g, "+"));
  return location.href.split("#")[0] + (parts.length ? "#" + parts.join("&") : "");
}
function replay(line, helped) {
  const words = line.includes("\n") || level.spaced ? line.split("\n") : line.split(/\s+/);
  const moves = words.map(word => word.trim()).filter(word => word);
  let at = play.start;
  const steps = [];
  for (const written of moves) {
    const move = play.moves(at).find(one => one.name === written);
    if (!move) { say(`Move ${steps.length + 1}, ${written}, is not legal there.`); return false; }
    steps.push({ name: move.name, cost: move.cost, from: at, came: move.came, helped: steps.length === helped });
    at = move.to;
  }
  [x, made, undone] = [at, steps, []];
  drawAll();
  settle();
  return true;
}
async function copy(what, message) {
  try {
    await navigator.clipboard.writeText(what);
    say(message);
  } catch {
    $("line").value = what;
    $("line").focus();
    $("line").select();
    say("Copy the selected text.");
  }
}

function open(at, hash) {
  stop();
  say("");
  if (level !== game.levels[at]) [isLost, explored] = [null, explored + 1];
  number = at;
  level = game.levels[at];
  if (level.form === "machine" && typeof machine === "undefined" || level.form === "rewriting" && typeof rewriting === "undefined") {
    say("This page has no such rules: open the link with a page to play of the same kind of puzzle, or in the studio.");
    return;
  }
  $("stage").innerHTML = level.board?.map(line => game.lines[line]).join("\n") ?? first;
  ({ rows, columns } = level);
  play = rules(level);
  drawn = figures(level);
  [x, made, undone, selected, hinted] = [play.start, [], [], null, null];
  known = new Map();
  learn(level.solution, play.start);
  drawAll();
  legal = play.moves(x);
  effects = null;
  mark();
  $("title").textContent = level.title;
  $("note").textContent = level.note;
  document.title = level.title;
  $("facts").textContent = "";
  for (const [term, value] of level.facts) {
    const dt = document.createElement("dt"), dd = document.createElement("dd");
    dt.textContent = term;
    dd.textContent = value;
    $("facts").append(dt, dd);
  }
  $("goal").innerHTML = level.goal;
  $("aim").hidden = !level.goal;
  $("watch").hidden = $("hint").hidden = Boolean(level.hopeless || level.still);
  const { moves: saved, helped } = store.get(level.id);
  if (!(hash !== undefined ? replay(hash) : saved && replay(saved, helped))) settle();
  if (level.still) say(level.still);
  if (!$("says").textContent && !play.goal(x)) {
    const some = all();
    say(some.some(one => one.by) ? "Click, drag or swipe, or use the arrow keys."
      : some.some(one => one.place >= 0) ? "Click a place, or choose a move from the list." : "Choose a move from the list.");
  }
}
function openLink() {
  const values = new URLSearchParams(location.hash.slice(1));
  // Another puzzle is another page.
  if (values.get("puzzle") !== packed) { location.reload(); return; }
  const at = Math.max(1, Math.min(game.levels.length, Number(values.get("level")) || 1)) - 1;
  open(at, values.get("moves") ?? undefined);
}

const KEYS = {
  z: undo, Backspace: undo, y: redo, n: restart, h: hint, w: watch, ",": () => select(-1), ".": () => select(1),
  "[": () => number > 0 && open(number - 1), "]": () => number + 1 < game.levels.length && open(number + 1),
  Escape: () => { stop(); selected = null; hinted = null; offered = []; show(); },
};
const ARROWS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  Home: [-1, -1], PageUp: [-1, 1], End: [1, -1], PageDown: [1, 1],
};
document.addEventListener("keydown", event => {
  if (event.target.closest?.("textarea,input") || event.altKey) return;
  if (event.ctrlKey || event.metaKey) {
    const act = { z: undo, y: redo }[event.key];
    if (act) { event.preventDefault(); act(); }
    return;
  }
  if (ARROWS[event.key]) { event.preventDefault(); arrow(ARROWS[event.key], event.shiftKey); return; }
  if (KEYS[event.key]) { event.preventDefault(); KEYS[event.key](); return; }
  // A game has a key for actions.
  const acts = play.says && (event.key === "x" || [" ", "Enter"].includes(event.key) && !event.target.closest?.("button,summary,a"));
  const move = legal.find(one => one.name === (acts ? "action" : event.key));
  if (acts && !move) { event.preventDefault(); refuse("action"); return; }
  if (move) { event.preventDefault(); stop(); makeMove(move); return; }
  // A letter or digit selects the figure with this label.
  const key = movable().find(one => level.labels[Number(one.split(" ")[1])] === event.key);
  if (key) { selected = key; show(); }
});
const buttons = { undo, redo, rescue, restart, hint, watch, following: () => open(number + 1), again: restart,
  link: () => { const to = link(); try { history.replaceState(null, "", to); } catch { /* It is not allowed. */ } copy(to, "The link to this position is copied."); },
  text2: () => copy(names().join(spaced()), "The moves are copied."),
  // Moves that were not made one by one are no record.
  go: () => { if (replay($("line").value, 0)) { say(`${many(made.length, "move")} played.`); keep(); if (play.goal(x)) win(); } } };
for (const [key, act] of Object.entries(buttons)) $(key).addEventListener("click", () => { if (key !== "watch") stop(); act(); });
$("legal").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (!button) return;
  stop();
  makeMove(legal.find(one => one.name === button.dataset.move));
  // The focus stays in the list, whose buttons are new.
  const same = [...$("legal").children].find(one => one.dataset.move === button.dataset.move) ?? $("legal").firstChild;
  same?.focus({ preventScroll: true });
});
$("levels").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) open([...document.querySelectorAll("#levels button")].indexOf(button));
});
$("asText").addEventListener("toggle", show);
const stage = $("stage");
stage.addEventListener("pointerdown", down);
stage.addEventListener("pointermove", follow);
stage.addEventListener("pointerup", up);
stage.addEventListener("pointercancel", () => { pressed = null; for (const element of elements.values()) element.style.translate = ""; });
// The studio around the page knows the answer when it is found, and if there are dead ends, among how many positions.
addEventListener("message", ({ source, data }) => {
  if (source !== parent) return;
  if (data?.answer) {
    Object.assign(level, data.answer);
    learn(level.solution, play.start);
    $("watch").hidden = $("hint").hidden = Boolean(level.hopeless || level.still);
    show();
  }
  if (typeof data?.positions === "number" && !isLost) {
    const run = ++explored;
    traps(play, data.positions, () => run === explored, found => { isLost = found; show(); });
  }
});
addEventListener("hashchange", openLink);
document.documentElement.classList.add("live");
openLink();
if (packed !== null && !linked) say("The link has no puzzle that can be played: this is the puzzle of the page.");
