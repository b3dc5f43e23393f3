// A game: the moves made, known shortest paths to the goal, and hints.

// Progress is kept where the browser allows it.
const store = {
  get(key) { try { return JSON.parse(localStorage.getItem("engine " + key)) ?? {}; } catch { return {}; } },
  set(key, value) { try { localStorage.setItem("engine " + key, JSON.stringify(value)); } catch { /* It is not allowed. */ } },
};
const best = at => store.get(game.levels[at].id).best;

const text = value => String(Math.round(value * 100) / 100);
const many = (n, word) => `${text(n)} ${word}${n === 1 ? "" : "s"}`;
const cost = () => made.reduce((sum, move) => sum + move.cost, 0);
const names = () => made.map(move => move.name);
const isHelped = () => made.some(move => move.helped);
const spaced = () => level.spaced ? "\n" : " ";

// Says something in the line below the board; loudly what the game itself says.
function say(message, loud) {
  $("says").textContent = message;
  $("says").classList.toggle("loud", Boolean(loud));
}

// Moves that change a place are chosen there.
function effect(move) {
  const { moved, gone, born } = changes(x, move);
  const moving = moved.filter(one => one.to !== one.cell);
  const by = moving.map(one => [name(one.to)[0] - name(one.cell)[0], name(one.to)[1] - name(one.cell)[1]]);
  const same = by.length > 0 && by.every(one => one[0] === by[0][0] && one[1] === by[0][1]);
  const shifts = same && !gone.length && !born.length;
  // A place in the name counts if something changes there.
  const touched = [...moved, ...gone, ...born].map(one => one.cell);
  return {
    move, moving, gone, born, keys: moving.map(one => id(one.v, one.look, one.cell)), by: shifts ? by[0] : null,
    place: placesIn(move.name).find(cell => touched.includes(cell)) ?? -1,
  };
}
function all() {
  if (effects) return effects;
  effects = legal.map(effect);
  // A figure that crosses an edge moves in the direction of the edge.
  for (const one of effects) {
    if (!one.by) continue;
    const steps = other => other.by && Math.abs(other.by[0]) + Math.abs(other.by[1]) === 1 && other.keys.join() === one.keys.join();
    const crosses = (by, size) => size > 2 && Math.abs(by) === size - 1;
    const [down, right] = one.by;
    const { rows: height, columns: width } = level;
    if ((crosses(down, height) && !right || crosses(right, width) && !down)
      && !effects.some(other => steps(other) && Math.sign(other.by[0]) === Math.sign(down) && Math.sign(other.by[1]) === Math.sign(right))) {
      one.direction = [-Math.sign(down), -Math.sign(right)];
    }
  }
  // What moves and then falls has the direction of its move's name.
  for (const one of effects) {
    const named = Object.keys(WORDS).reverse().find(by => one.move.name.endsWith(" " + WORDS[by]));
    const straight = directionOf(one)?.includes(0);
    if (named && !straight) one.direction = named.split(" ").map(Number);
  }
  return effects;
}
function directionOf(one) {
  if (one.direction) return one.direction;
  if (!one.by) return null;
  const [down, right] = one.by;
  return down === 0 || right === 0 || Math.abs(down) === Math.abs(right) ? [Math.sign(down), Math.sign(right)] : null;
}
const lengthOf = one => one.by ? Math.max(Math.abs(one.by[0]), Math.abs(one.by[1])) : 1;
const WORDS = { "-1 0": "up", "1 0": "down", "0 -1": "left", "0 1": "right", "-1 -1": "up left", "-1 1": "up right", "1 -1": "down left", "1 1": "down right" };
function described(one) {
  const direction = directionOf(one), label = one.moving.length === 1 ? level.labels[one.moving[0].look] : "";
  if (!direction || one.move.name.length > 4 && !label) return one.move.name;
  const length = one.direction ? 1 : lengthOf(one);
  return `${label} ${WORDS[direction.join(" ")]}${length > 1 ? " " + length : ""}`.trim();
}

function makeMove(move, { quiet = false, helped = false } = {}) {
  const spoken = described(effect(move));
  drawChange(move);
  made.push({ name: move.name, cost: move.cost, from: x, came: move.came, helped });
  x = move.to;
  settle();
  if (!quiet) undone = [];
  const solved = play.goal(x), loses = isLost?.(x) && !isLost(made[made.length - 1].from);
  if (solved && !quiet) win();
  else if (!quiet && !move.says?.length) say(`${spoken}. ${loses ? "This move loses the game." : `${many(made.length, "move")}.`}`);
  if (move.says?.length) say([...move.says, ...solved && !quiet ? [$("says").textContent] : []].join("\n"), true);
  if (!quiet) keep();
}
function settle() {
  thinking++;
  legal = play.moves(x);
  effects = null;
  hinted = null;
  offered = [];
  if (selected && !elements.has(selected)) selected = null;
  scroll();
  show();
}
function keep() {
  const saved = store.get(level.id);
  saved.moves = made.length <= 3000 ? names().join("\n") : undefined;
  // Moves that a hint or the solution made stay marked.
  saved.helped = saved.moves && isHelped() ? made.findIndex(move => move.helped) : undefined;
  store.set(level.id, saved);
}
function win() {
  const saved = store.get(level.id), now = cost();
  const better = !isHelped() && (saved.best === undefined || now < saved.best - 1e-9);
  if (better) saved.best = now;
  store.set(level.id, saved);
  mark();
  const optimum = level.least !== null && now < level.least + 1e-6;
  const counted = many(made.length, "move") + (level.unit ? "" : `, cost ${text(now)}`);
  const least = level.least === null || optimum ? "" : ` ${text(level.least)} would do.`;
  const help = isHelped() ? " With help, so it is no record." : "";
  say(`Solved in ${counted}${optimum ? ", the optimum!" : "."}${least}${help}`);
  if (level.ending?.length) say([$("says").textContent, ...level.ending].join("\n"), true);
  show();
}
function undo() {
  const last = made.pop();
  if (!last) { say("Nothing to undo."); return; }
  const back = new Map();
  last.came.forEach((from, to) => back.set(from, to));
  undone.push(last);
  drawChange({ name: "", to: last.from, came: back });
  x = last.from;
  settle();
  say(`Undone: ${last.name}. ${many(made.length, "move")}.`);
  keep();
}
// Goes back to the last position from which the goal can be reached.
function rescue() {
  while (made.length && isLost(x)) undo();
}
function redo() {
  const again = undone.pop();
  if (again === undefined) { say("Nothing to redo."); return; }
  const move = legal.find(one => one.name === again.name), rest = undone;
  makeMove(move, { helped: again.helped });
  undone = rest;
  show();
}
function restart() {
  // The moves can be redone.
  [x, undone, made] = [play.start, made.reverse(), []];
  drawAll();
  settle();
  say("Back at the start.");
  keep();
}

// Known shortest paths: for a position, the next move and the cost from there.
function learn(path, from) {
  let at = from, left = 0;
  const steps = [];
  for (const written of path) {
    const move = play.moves(at).find(one => one.name === written);
    if (!move) return;
    steps.push([play.key(at), move]);
    left += move.cost;
    at = move.to;
  }
  for (const [key, move] of steps) {
    if (!known.has(key)) known.set(key, { name: move.name, left });
    left -= move.cost;
  }
}

// A cheapest path from a position, by uniform-cost search in slices, so that the page stays alive (Dijkstra 1959).
function search(from, done) {
  const run = ++thinking, seen = new Map([[play.key(from), 0]]);
  const heap = [{ x: from, g: 0, parent: null, name: "", order: 0 }];
  const before = (a, b) => a.g < b.g || a.g === b.g && a.order < b.order;
  const most = Math.min(400000, 3e7 / from.length), limit = performance.now() + 15000;
  let order = 0;
  const push = node => {
    let at = heap.push(node) - 1;
    while (at > 0 && before(node, heap[(at - 1) >> 1])) { heap[at] = heap[(at - 1) >> 1]; at = (at - 1) >> 1; }
    heap[at] = node;
  };
  const pop = () => {
    const top = heap[0], last = heap.pop();
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && before(heap[child + 1], heap[child])) child++;
      if (!before(heap[child], last)) break;
      heap[at] = heap[child];
      at = child;
    }
    if (heap.length) heap[at] = last;
    return top;
  };
  const slice = () => {
    if (run !== thinking) return;
    const until = performance.now() + 40;
    while (performance.now() < until) {
      if (!heap.length) return done(null, true);
      if (seen.size > most || performance.now() > limit) return done(null, false);
      const node = pop();
      if (seen.get(play.key(node.x)) < node.g) continue;
      if (play.goal(node.x)) {
        const path = [];
        for (let at = node; at.parent; at = at.parent) path.unshift(at.name);
        return done(path, true);
      }
      for (const move of play.moves(node.x)) {
        const key = play.key(move.to), g = node.g + move.cost;
        if (seen.has(key) && seen.get(key) <= g) continue;
        seen.set(key, g);
        push({ x: move.to, g, parent: node, name: move.name, order: ++order });
      }
    }
    setTimeout(slice, 0);
  };
  slice();
}
// Calls back once the next move from here is known, or says why it is not.
function plan(then) {
  if (play.goal(x)) { say("It is solved."); return; }
  const here = play.key(x);
  if (known.has(here)) { then(known.get(here)); return; }
  if (level.hopeless) { say("There is no solution."); return; }
  say("Searching for a way …");
  search(x, (path, whole) => {
    if (play.key(x) !== here) return;
    if (path) { learn(path, x); then(known.get(here)); }
    else if (whole) say("No way leads to the goal from here: undo.");
    else say(level.solution.length ? "No hint this far from the solution: undo, or restart." : "No hint: the search would take too long.");
  });
}
function hint() {
  stop();
  plan(({ name: next, left }) => {
    const move = legal.find(one => one.name === next);
    if (hinted === next) { makeMove(move, { helped: true }); return; }
    const one = effect(move);
    hinted = next;
    selected = one.keys.length ? one.keys[0] : null;
    show();
    say(`Hint: ${next}. ${level.unit ? `${many(left, "move")} to go` : `Cost ${text(left)} to go`}. Press again to make it.`);
  });
}
function watch() {
  if (timer) { stop(); return; }
  // Long solutions take about a minute.
  const moves = Math.max(level.solution.length, 1), wait = Math.max(30, Math.min(450, 60000 / moves));
  const step = () => {
    timer = setTimeout(step, wait);
    for (let at = 0; at < Math.ceil(moves * wait / 60000) && timer; at++) {
      const next = known.get(play.key(x));
      if (next) makeMove(legal.find(one => one.name === next.name), { helped: true });
      if (!next || play.goal(x)) stop();
    }
  };
  plan(() => { timer = setTimeout(step, 60); show(); });
}
function stop() {
  if (!timer) return;
  clearTimeout(timer);
  timer = 0;
  show();
}
