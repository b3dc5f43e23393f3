(async () => {
"use strict";
const $ = id => document.getElementById(id);
const packed = new URLSearchParams(location.hash.slice(1)).get("puzzle");
const linked = packed === null ? null : await unpacked(packed).catch(() => null);
const game = linked?.game ?? JSON.parse($("game").textContent);

// A puzzle behind the address: a page of one level and its text, in JSON, compressed, in base 64 for addresses.
async function unpacked(text) {
  const bytes = Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
  for (let size = 0;;) {
    const { value, done } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > 16 << 20) throw new Error("too large");
    parts.push(value);
  }
  const found = JSON.parse(await new Blob(parts).text());
  // A link may come from a stranger: its drawing holds shapes alone. Scripts in it do not run in any case.
  const isPlain = html => !/<\s*\/?\s*(?!\/|(svg|g|path|rect|circle|ellipse|line|polyline|polygon|text|tspan|title|defs|use|symbol|clippath|pattern|style|div|figure|figcaption|p|ul|li|span|strong|code|br|h2|h3|table|tr|td|th)\b)[a-z]/i.test(html);
  if (found.game.levels.length !== 1 || !isPlain(found.first) || !isPlain(found.game.levels[0].goal ?? "")) throw new Error("no level");
  return found;
}
const calm = matchMedia("(prefers-reduced-motion: reduce)");

// Numbers in text, a character each: the digits below, then the characters from U+00A1 on.
const DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;?@[]^_{|}~";
const numbers = text => Array.from(text, c => {
  const digit = DIGITS.indexOf(c);
  return digit < 0 ? c.charCodeAt(0) - 0xa1 + DIGITS.length : digit;
});
// A set of values, from its values or, after "=", from its bits.
function values(text) {
  if (text[0] !== "=") return numbers(text);
  const found = [];
  Array.from(atob(text.slice(1)), (c, at) => {
    for (let bit = 0; bit < 8; bit++) if (c.charCodeAt(0) >> bit & 1) found.push(at * 8 + bit);
  });
  return found;
}
// A set of values as bytes.
function members(text) {
  const all = values(text), bytes = new Uint8Array(all.length ? all[all.length - 1] + 1 : 0);
  for (const value of all) bytes[value] = 1;
  return bytes;
}
// Calls back with the two or three numbers of each group.
function groups(text, size) {
  const all = numbers(text), found = [];
  for (let at = 0; at < all.length; at += size) found.push(all.slice(at, at + size));
  return found;
}

// The rules of a level: the start, and for each position its moves, whether it is a goal, and its key.
function rules(level) {
  if (level.form === "machine") return machine(level);
  if (level.form === "rewriting") return rewriting(level, game.programs[level.program], { numbers, values });
  const sets = level.sets.map(members);
  const all = (facts, x) => {
    for (let at = 0; at < facts.length; at += 2) if (!sets[facts[at + 1]][x[facts[at]]]) return false;
    return true;
  };
  const count = (facts, x) => {
    let number = 0;
    for (let at = 0; at < facts.length; at += 2) number += sets[facts[at + 1]][x[facts[at]]] ? 1 : 0;
    return number;
  };
  const some = (any, x) => any.some(facts => all(facts, x));
  const goal = x => level.goals.some(([facts, any, counts]) => all(facts, x) && any.every(one => some(one, x))
    && counts.every(([of, least, most]) => { const n = count(of, x); return least <= n && n <= most; }));
  const size = level.largest;
  const Values = size < 256 ? Uint8Array : size < 65536 ? Uint16Array : Uint32Array;
  const made = { operators, blocks, graph }[level.form](level);
  const start = Values.from(level.start);
  const key = size < 65536 ? x => String.fromCharCode(...x) : x => x.join();
  return { start, goal, key, ...made };

  // Operators read and write variables.
  function operators({ names, templates, ops, counters, never, values, valuesOf }) {
    const within = (bounds, x) => bounds.every(([counter, least, most]) => {
      const n = count(counters[counter], x);
      return least <= n && n <= most;
    });
    const list = groups(ops, 3).map(([template, base, name]) => {
      const [facts, effects, cost = 1, any = [], bounds = []] = templates[template];
      const move = facts => facts.map((v, at) => at % 2 ? v : v + base);
      return { facts: move(facts), any: any.map(one => one.map(move)), bounds, effects, cost, base, name: names[name] };
    });
    const nameOf = ({ name, base }, x) => typeof name === "string" ? name
      : name.map(part => typeof part === "string" ? part : values[valuesOf[part + base]][x[part + base]]).join("");
    function moves(x) {
      const found = [], seen = new Map();
      for (const op of list) {
        if (!all(op.facts, x) || !op.any.every(any => some(any, x)) || !within(op.bounds, x)) continue;
        const to = x.slice(), came = new Map(), base = op.base;
        let changes = false;
        for (const [target, kind, a, table] of op.effects) {
          const at = target + base;
          if (kind === 0) to[at] = a;
          else if (kind === 1) { to[at] = x[a + base]; came.set(at, a + base); }
          else if (kind === 2) { to[at] = x[at] + a; came.set(at, at); }
          else to[at] = table[x[a + base]];
          changes ||= to[at] !== x[at];
        }
        if (!changes || never.some(([facts, bounds]) => all(facts, to) && within(bounds, to))) continue;
        let name = nameOf(op, x);
        const before = (seen.get(name) ?? 0) + 1;
        seen.set(name, before);
        if (before > 1) name += ` #${before}`;
        found.push({ name, cost: op.cost, to, came });
      }
      return found;
    }
    return { moves };
  }

  // Blocks move step by step and never overlap.
  function blocks({ blocks, metric }) {
    const classes = new Map();
    blocks.forEach((block, v) => classes.set(block[2], [...classes.get(block[2]) ?? [], v]));
    const alike = [...classes.values()].filter(one => one.length > 1);
    function moves(x) {
      const owner = new Map(), found = [];
      blocks.forEach(([, cells], v) => cells.forEach(cell => owner.set(x[v] + cell, v)));
      blocks.forEach(([name, cells, , steps], v) => {
        const add = (place, runs) => {
          const to = x.slice();
          to[v] = place;
          const written = runs.replace(/(.)\1*/gu, run => run[0] + run.length);
          found.push({ name: name + written, cost: 1, to, came: new Map([[v, v]]) });
        };
        const next = (place, [, by, from]) => {
          if (!sets[from][place]) return -1;
          const free = cells.every(cell => [undefined, v].includes(owner.get(place + by + cell)));
          return free ? place + by : -1;
        };
        if (metric === "path") {
          const reached = new Map([[x[v], ""]]);
          for (const [place, runs] of reached) {
            if (runs) add(place, runs);
            for (const step of steps) {
              const to = next(place, step);
              if (to >= 0 && !reached.has(to)) reached.set(to, runs + step[0]);
            }
          }
          return;
        }
        for (const step of steps) {
          let place = next(x[v], step), runs = step[0];
          while (place >= 0) {
            add(place, runs);
            if (metric === "step") break;
            place = next(place, step);
            runs += step[0];
          }
        }
      });
      return found;
    }
    // Blocks of a class may change places.
    const key = x => {
      const y = x.slice();
      for (const class_ of alike) {
        const places = class_.map(v => x[v]).sort((a, b) => a - b);
        class_.forEach((v, at) => { y[v] = places[at]; });
      }
      return String.fromCharCode(...y);
    };
    return { moves, key };
  }

  // All positions, by number.
  function graph({ names, costs, edges }) {
    const moves = x => groups(edges[x[0]], 2).map(([name, to]) =>
      ({ name: names[name], cost: costs ? costs[name] : 1, to: x.map(() => to), came: new Map() }));
    return { moves };
  }
}

// The figures of a level, as [look, cell]: those that never change, those of each variable, and those whose cells depend
// on several variables, which count after the variables.
function figures(level) {
  // Each word of a board has the objects of a cell, column by column.
  if (level.objects) {
    const looks = numbers(level.objects), { W } = play, [width, height] = level.size;
    const at = (v, x) => {
      const found = [], cell = Math.floor(v / W), place = cell % height * columns + Math.floor(cell / height);
      for (let bits = x[v], object = v % W * 32; bits; bits >>>= 1, object++) {
        if (bits & 1 && looks[object]) found.push([looks[object] - 1, place]);
      }
      return found;
    };
    return { fixed: [], at, variables: width * height * W, count: width * height * W };
  }
  const fixed = groups(level.fixed, 2);
  const of = level.figures.map(one => {
    if (typeof one === "number") return value => [[one, value]];
    const [cell, style] = one;
    if (typeof cell === "number") {
      const looks = numbers(level.styles[style]);
      return value => looks[value] ? [[looks[value] - 1, cell]] : [];
    }
    return value => groups(one[0][value], 2);
  });
  const moved = (x, [look, cell, terms]) => [look, terms.reduce((at, [when, by]) =>
    when.every((value, n) => n % 2 ? true : x[value] === when[n + 1]) ? at + by : at, cell)];
  const at = (v, x) => v < of.length ? of[v](x[v]) : [moved(x, level.loose[v - of.length])];
  return { fixed, at, variables: of.length, count: of.length + level.loose.length };
}

const first = linked?.first ?? $("stage").innerHTML;
if (linked) $("levels").replaceChildren();
let number = 0, level, play, drawn, columns, rows;
// The test of positions that are lost, once it is known.
let isLost = null, explored = 0;
let x, made, undone, marked, hinted, timer = 0, thinking = 0, selected = null, offered = [], legal = null, effects = null;
let known = new Map();

const name = cell => [Math.floor(cell / columns), cell % columns];
// Cells off the grid are drawn that far from their own places.
const css = cell => {
  const [r, c] = name(cell), [down, right] = level.discs[cell] ?? [0, 0];
  return `translate(${(c + right) * level.cell}px,${(r + down) * level.cell}px)`;
};
const covered = ({ look, cell }) => level.shapes[look].map(offset => cell + offset);

// The places in the name of a move.
const placesIn = written => Array.from(written.matchAll(/(\d+), ?(\d+)/g), found => Number(found[1]) * columns + Number(found[2]));

// The changes from one position to another: figures that move, those that go and those that come. A figure that an
// operator copies keeps its identity; otherwise one of the same kind does, that is the same but for its colour: first
// that at the place in the move's name, then the nearest.
function changes(from, { to, came, name: written }) {
  const old = [], wanted = [], named = placesIn(written);
  for (let v = 0; v < drawn.count; v++) {
    if (v < drawn.variables && from[v] === to[v]) continue;
    for (const [look, cell] of drawn.at(v, from)) old.push({ v, look, cell });
    for (const [look, cell] of drawn.at(v, to)) wanted.push({ v, look, cell });
  }
  const moved = [], born = [];
  const take = (one, fits) => {
    let best = -1, least = Infinity;
    old.forEach((other, at) => {
      if (level.kinds[other.look] !== level.kinds[one.look] || !fits(other)) return;
      const [r, c] = name(one.cell), [r2, c2] = name(other.cell);
      const far = named.includes(other.cell) ? -1 : Math.abs(r - r2) + Math.abs(c - c2);
      if (far < least) [best, least] = [at, far];
    });
    if (best < 0) return false;
    const [was] = old.splice(best, 1);
    moved.push({ ...was, to: one.cell, of: one.v, became: one.look });
    return true;
  };
  const rest = wanted.filter(one => !take(one, other => other.cell === one.cell));
  const later = rest.filter(one => !came.has(one.v) || !take(one, other => other.v === came.get(one.v)));
  for (const one of later) if (!take(one, () => true)) born.push(one);
  return { moved, gone: old, born };
}

const elements = new Map();
const id = (v, look, cell) => `${v} ${look} ${cell}`;
function add(look, cell, v) {
  const element = $("k" + look).cloneNode(true);
  element.removeAttribute("id");
  element.style.transform = css(cell);
  element.dataset.look = look;
  // Figures with sprites lie above each other.
  const before = [...$("pieces").children].find(other => other.rank > level.ranks[look]);
  element.rank = level.ranks[look];
  $("pieces").insertBefore(element, before ?? null);
  if (v >= 0) elements.set(id(v, look, cell), element);
  return element;
}
function drawAll() {
  $("pieces").textContent = "";
  elements.clear();
  for (const [look, cell] of drawn.fixed) add(look, cell, -1);
  for (let v = 0; v < drawn.count; v++) for (const [look, cell] of drawn.at(v, x)) add(look, cell, v);
}
function drawChange(move) {
  const { moved, gone, born } = changes(x, move);
  const duration = calm.matches ? 0 : 170;
  $("pieces").getAnimations({ subtree: true }).forEach(animation => animation.finish());
  const taken = moved.map(({ v, look, cell }) => {
    const element = elements.get(id(v, look, cell));
    elements.delete(id(v, look, cell));
    return element;
  });
  for (const { v, look, cell } of gone) {
    const element = elements.get(id(v, look, cell));
    elements.delete(id(v, look, cell));
    const fade = duration && element.animate([{ opacity: 1 }, { opacity: 0 }], { duration });
    if (fade) fade.onfinish = () => element.remove(); else element.remove();
  }
  moved.forEach(({ look, to: cell, of, became }, at) => {
    const old = taken[at].style.transform;
    if (look !== became) taken[at].remove();
    const element = look === became ? taken[at] : add(became, cell, of);
    element.style.transform = css(cell);
    elements.set(id(of, became, cell), element);
    if (duration && old !== element.style.transform) {
      element.animate([{ transform: old }, { transform: css(cell) }], { duration, easing: "ease-out" });
    }
  });
  for (const { v, look, cell } of born) {
    const element = add(look, cell, v);
    if (duration) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration });
  }
}

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

// The moves that an arrow, a click or a drag choose.
function arrow(direction, far) {
  stop();
  const word = WORDS[direction.join(" ")];
  const named = legal.find(one => one.name === word);
  if (named) { makeMove(named); return; }
  if (play.says) { refuse(word); return; }
  const going = all().filter(one => directionOf(one)?.join() === direction.join());
  const own = selected ? going.filter(one => one.keys.includes(selected)) : [];
  const pushes = one => going.some(other => other.keys.length < one.keys.length && other.keys.every(key => one.keys.includes(key)));
  const movers = new Map(going.filter(one => !pushes(one)).map(one => [one.keys.join("|"), one]));
  const measure = one => one.keys.length * 1000 + lengthOf(one);
  const choose = some => some.reduce((a, b) => (measure(b) < measure(a)) === !far ? b : a);
  if (own.length) { const one = choose(own); makeAndFollow(one); return; }
  if (movers.size === 1) { makeAndFollow(choose(going.filter(one => one.keys.join("|") === [...movers.keys()][0]))); return; }
  if (movers.size === 0) { say(`Nothing can go ${word}.`); return; }
  say(`Several can go ${word}: select one with , and . or by a click.`);
}
// Says what a key of a game that changes nothing says.
function refuse(key) {
  const solved = play.goal(x), says = solved ? [] : play.says(x, key);
  if (solved && key === "action" && number + 1 < game.levels.length) open(number + 1);
  else say(says.join("\n") || (solved ? "It is solved." : "Nothing happens."), says.length);
}
// Shows the part of the board that the game shows.
function scroll() {
  const at = level.window && play.playerAt(x);
  if (!at) return;
  const [width, height, follows] = level.window, { e, f } = $("pieces").transform.baseVal.consolidate().matrix;
  const first = (at, size, all) => follows ? Math.max(0, Math.min(at - (size >> 1), all - size)) : at - at % size;
  const [row, column] = [first(at[0], height, rows), first(at[1], width, columns)];
  const part = [column * level.cell + e, row * level.cell + f, Math.min(width, columns - column) * level.cell, Math.min(height, rows - row) * level.cell];
  $("board").setAttribute("viewBox", part.join(" "));
}
// After a move, the selection stays with the figure.
function makeAndFollow(one) {
  const first = one.moving.find(figure => id(figure.v, figure.look, figure.cell) === selected);
  makeMove(one.move);
  if (first) { selected = id(first.of, first.became, first.to); show(); }
}
function figureAt(cell) {
  let found = null;
  for (const key of elements.keys()) {
    const [, look, at] = key.split(" ").map(Number);
    if (covered({ look, cell: at }).includes(cell)) found = key;
  }
  return found;
}
function choose(some) {
  if (some.length === 1) { makeAndFollow(some[0]); return true; }
  return false;
}
// The cells that are one place with a cell, such as a pile.
const areaOf = cell => level.areas.find(area => area.includes(cell)) ?? [cell];
// The figure in an area that most moves move, such as the top of a pile.
function topOf(area, every) {
  let top = null, most = 0;
  for (const key of elements.keys()) {
    const moves = area.includes(Number(key.split(" ")[2])) ? every.filter(one => one.keys.includes(key)).length : 0;
    if (moves > most) [top, most] = [key, moves];
  }
  return top;
}
function click(cell) {
  stop();
  const every = all(), area = areaOf(cell), figure = area.length > 1 ? topOf(area, every) : figureAt(cell);
  const lands = one => one.moving.some(each => covered({ look: each.look, cell: each.to }).some(at => area.includes(at)));
  if (selected && figure !== selected) {
    const to = every.filter(one => one.keys.includes(selected) && lands(one));
    if (to.length && choose([to.reduce((a, b) => b.keys.length < a.keys.length || b.by && a.by && lengthOf(b) < lengthOf(a) ? b : a)])) return;
  }
  const placed = every.filter(one => one.place === cell);
  const moves = placed.length ? placed : figure ? every.filter(one => one.keys.includes(figure)) : [];
  const fewest = Math.min(...moves.map(one => one.keys.length));
  const own = placed.length ? placed : moves.filter(one => one.keys.length === fewest);
  if (choose(own)) return;
  if (own.length) {
    selected = selected === figure ? null : figure;
    offer(own);
    return;
  }
  const there = every.filter(lands);
  if (there.length && there.every(one => one.keys.join() === there[0].keys.join())) {
    choose([there.reduce((a, b) => b.by && a.by && lengthOf(b) < lengthOf(a) ? b : a)]);
    return;
  }
  const changing = every.filter(one => [...one.gone, ...one.born].some(each => each.cell === cell));
  if (choose(changing)) return;
  if (changing.length > 1) { offer(changing); return; }
  selected = null;
  offered = [];
  show();
  walk(cell);
}
// Shows several moves to choose from, first in the list.
function offer(some) {
  offered = some.map(one => one.move.name);
  show();
  $("legal").scrollTop = 0;
  say(`${some.length} moves: ${some.slice(0, 8).map(described).join(", ")}${some.length > 8 ? ", …" : ""}.`);
}
// Walks to a far cell, if one figure moves by itself.
function walk(cell) {
  const alone = all().filter(one => one.by && one.keys.length === 1);
  if (!alone.length || alone.some(one => one.keys[0] !== alone[0].keys[0])) return;
  const kind = level.kinds[alone[0].moving[0].look], queue = [[x, []]], seen = new Set([play.key(x)]);
  for (const [at, path] of queue) {
    if (seen.size > 20000) return;
    for (const move of play.moves(at)) {
      const key = play.key(move.to);
      if (seen.has(key)) continue;
      const { moved, gone, born } = changes(at, move), moving = moved.filter(one => one.to !== one.cell);
      if (gone.length || born.length || moving.length !== 1 || level.kinds[moving[0].look] !== kind) continue;
      seen.add(key);
      const further = [...path, move.name];
      if (moving[0].to === cell) {
        for (const step of further) makeMove(legal.find(one => one.name === step));
        return;
      }
      queue.push([move.to, further]);
    }
  }
  say("No way leads there.");
}

// Pointers: a click, a drag of a figure, or a swipe over the board.
let pressed = null;
// The place of a pointer on the board, in cells.
function place(x, y) {
  const at = new DOMPoint(x, y).matrixTransform($("pieces").getScreenCTM().inverse());
  return [at.y / level.cell, at.x / level.cell];
}
function cellOf(event) {
  const at = place(event.clientX, event.clientY);
  for (const [cell, [down, right]] of Object.entries(level.discs)) {
    const [r, c] = name(+cell);
    if (Math.hypot(at[0] - r - down - 0.5, at[1] - c - right - 0.5) < 0.4) return +cell;
  }
  const [row, column] = at.map(Math.floor);
  return row < 0 || column < 0 || row >= rows || column >= columns ? -1 : row * columns + column;
}
function dragged(event) {
  const [row, column] = place(event.clientX, event.clientY), from = place(pressed.x, pressed.y);
  return [row - from[0], column - from[1]];
}
// The move that brings the figure nearest to the pointer, and how far the figure has come.
function toward([down, right]) {
  let chosen = null, least = down * down + right * right;
  for (const one of pressed.moves) {
    const figure = one.moving.find(each => id(each.v, each.look, each.cell) === pressed.figure);
    const [r, c] = name(figure.cell), [r2, c2] = name(figure.to), by = [r2 - r, c2 - c];
    const off = (by[0] - down) ** 2 + (by[1] - right) ** 2;
    if (off < least - 1e-9 || off < least + 1e-9 && chosen && one.keys.length < chosen.one.keys.length) {
      [least, chosen] = [off, { one, by }];
    }
  }
  return chosen;
}
function down(event) {
  if (event.button) return;
  stop();
  const cell = cellOf(event), figure = cell < 0 ? null : figureAt(cell);
  pressed = { x: event.clientX, y: event.clientY, cell, figure, moves: figure ? all().filter(one => one.keys.includes(figure)) : [] };
  try { $("board").setPointerCapture(event.pointerId); } catch { /* The pointer is gone. */ }
}
function follow(event) {
  if (!pressed?.moves.length) return;
  const by = dragged(event), size = by[0] ** 2 + by[1] ** 2;
  const goal = size > 0.02 && (toward(by) ?? toward(by.map(one => one * 2)));
  for (const key of elements.keys()) elements.get(key).style.translate = "";
  if (!goal) return;
  const length = goal.by[0] ** 2 + goal.by[1] ** 2;
  const share = Math.max(0, Math.min(1, (by[0] * goal.by[0] + by[1] * goal.by[1]) / length));
  for (const key of goal.one.keys) {
    const element = elements.get(key);
    element.style.translate = `${goal.by[1] * share * level.cell}px ${goal.by[0] * share * level.cell}px`;
  }
}
function up(event) {
  if (!pressed) return;
  for (const element of elements.values()) element.style.translate = "";
  const by = dragged(event), { cell, moves } = pressed;
  const pixels = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
  const goal = moves.length ? toward(by) : null;
  pressed = null;
  if (pixels < 10) { if (cell >= 0) click(cell); return; }
  if (goal) { makeAndFollow(goal.one); return; }
  if (moves.length && pixels < 24) return;
  const flat = Math.abs(by[1]) > Math.abs(by[0]);
  if (!moves.length) arrow(flat ? [0, Math.sign(by[1])] : [Math.sign(by[0]), 0]);
}

function movable() {
  const keys = new Set(all().flatMap(one => one.by ? one.keys : []));
  return [...elements.keys()].filter(key => keys.has(key));
}
function select(by) {
  const keys = movable();
  if (!keys.length) return;
  const at = keys.indexOf(selected);
  selected = keys[at < 0 ? (by > 0 ? 0 : keys.length - 1) : (at + by + keys.length) % keys.length];
  show();
  const [, look, cell] = selected.split(" ").map(Number);
  say(`Selected ${level.labels[look] || "the figure"} at row ${name(cell)[0] + 1}, column ${name(cell)[1] + 1}.`);
}

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
})();
