// The levels of the page as data, and their rules.

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
