// Plays written rules whose moves have consequences, apply everywhere at once, shift bodies, or carry items from pile to
// pile, as the engine does: of rules at places, checks and new symbols; of expressions, formulas.
//
// A position is a list of numbers: the values of the variables, the cells first, then the slots of each pile, bottom first.
// In a slot, 0 is none, and other numbers are those of items, from 1.
"use strict";
function machine(level) {
  const MOST_STEPS = 100000;
  const { machine: data, start: first } = level, { cells, beside, scalars, arrays, items, most } = data;
  const start = Uint16Array.from(first);
  const sets = data.sets.map(set => new Set(set)), maps = data.maps.map(([entries, patterns]) => [new Map(entries), patterns]);
  const slots = [];
  most.reduce((base, size) => { slots.push(base); return base + size; }, data.values.length);
  // Piles as values, which are equal only to themselves.
  const piles = most.map((_, pile) => ({ pile }));
  const patterns = data.patterns.map(([place, image, checks, puts, letters]) => ({ place, image, checks, puts, letters }));

  // The position in play, what it is evaluated for, and which variable the symbol or item of each came from.
  let x = start, letters = [], here = null, came = [], steps = 0;
  // The position before the last unit that applied.
  let before = start;

  const valueOf = v => data.lists[data.values[v]][x[v]];
  const size = pile => { let n = 0; while (n < most[pile] && x[slots[pile] + n]) n++; return n; };
  const numberOf = f => { const value = compile(f); return b => { const n = value(b); return typeof n === "number" ? n : undefined; }; };
  const truthOf = f => { const value = compile(f); return b => { const t = value(b); return typeof t === "boolean" ? t : undefined; }; };
  // The values of some formulas, if all are defined.
  const every = (parts, b) => {
    const found = [];
    for (const part of parts) { const value = part(b); if (value === undefined) return undefined; found.push(value); }
    return found;
  };
  function element([first, bounds], indices) {
    const parts = indices.map(numberOf);
    return b => {
      const at = every(parts, b);
      if (!at || at.length !== bounds.length) return undefined;
      let place = 0;
      for (let n = 0; n < at.length; n++) {
        const [least, greatest] = bounds[n];
        if (at[n] < least || at[n] > greatest) return undefined;
        place = place * (greatest - least + 1) + at[n] - least;
      }
      return first + place;
    };
  }
  const pileOf = f => f === null ? () => undefined : typeof f === "number" ? () => f : element(data.piles[f[0]], f.slice(1));
  // The image of a value: of the value itself, else of the first pattern that fits.
  function image(map, value) {
    const [entries, patterns] = maps[map], text = String(value);
    if (entries.has(value)) return entries.get(value);
    const fits = ([pattern]) => { const p = Array.from(pattern), t = Array.from(text); return p.length === t.length && p.every((c, n) => c === "?" || c === t[n]); };
    return typeof value === "object" ? undefined : patterns.find(fits)?.[1];
  }
  function choices([kind, ...parts]) {
    if (kind === "list") { const all = parts.map(compile); return b => every(all, b); }
    const [least, greatest] = parts.map(numberOf);
    return b => {
      const from = least(b), to = greatest(b);
      if (from === undefined || to === undefined || to - from >= 65536) return undefined;
      return Array.from({ length: Math.max(0, to - from + 1) }, (_, n) => from + n);
    };
  }
  // Adds up a quantifier: the values of its parts are asked for until the whole is decided.
  function gathered(quantifier, values) {
    let sum = 0;
    for (const value of values) {
      if (typeof value !== (quantifier === "sum" ? "number" : "boolean")) return undefined;
      if (quantifier === "all" && !value) return false;
      if (quantifier === "any" && value) return true;
      sum += Number(value);
    }
    return { all: true, any: false }[quantifier] ?? sum;
  }
  const counted = symbols => { let n = 0; for (let cell = 0; cell < cells; cell++) if (symbols.has(x[cell])) n++; return n; };
  const BINARY = {
    "<": (a, b) => a < b, "<=": (a, b) => a <= b, ">": (a, b) => a > b, ">=": (a, b) => a >= b,
    "+": (a, b) => a + b, "-": (a, b) => a - b, "*": (a, b) => a * b,
    "/": (a, b) => b === 0 ? undefined : Math.floor(a / b), "%": (a, b) => b === 0 ? undefined : a - b * Math.floor(a / b),
  };
  const FORMULAS = {
    pile: pile => () => piles[pile],
    bound: depth => b => typeof b[depth] === "string" && Object.hasOwn(scalars, b[depth]) ? valueOf(scalars[b[depth]]) : b[depth],
    letter: letter => () => letters[letter] === null ? undefined : valueOf(letters[letter]),
    var: v => () => valueOf(v),
    has: (v, value) => () => x[v] === value,
    at: (array, ...indices) => { const at = element(arrays[array], indices); return b => { const v = at(b); return v === undefined ? v : valueOf(v); }; },
    mark: (...indices) => { const at = element(arrays[0], indices); return b => data.marks[at(b)]; },
    min: (...parts) => { const all = parts.map(numberOf); return b => { const found = every(all, b); return found && Math.min(...found); }; },
    max: (...parts) => { const all = parts.map(numberOf); return b => { const found = every(all, b); return found && Math.max(...found); }; },
    abs: part => { const n = numberOf(part); return b => { const value = n(b); return value === undefined ? value : Math.abs(value); }; },
    count: symbols => { const set = new Set(symbols); return () => counted(set); },
    countOf: part => {
      const value = compile(part);
      return b => {
        const wanted = value(b);
        if (wanted === undefined) return undefined;
        let n = 0;
        for (let cell = 0; cell < cells; cell++) if (valueOf(cell) === wanted) n++;
        return n;
      };
    },
    ahead: symbols => {
      const set = new Set(symbols);
      return () => {
        const found = [];
        for (let cell = 0; cell < cells; cell++) if (set.has(x[cell])) found.push(cell);
        if (!here || found.length !== 1) return undefined;
        const [place, [down, right]] = here, row = cell => Math.floor(cell / data.columns);
        return (row(found[0]) - row(place)) * down + (found[0] % data.columns - place % data.columns) * right;
      };
    },
    bodies: symbols => {
      const set = new Set(symbols);
      return () => {
        const seen = new Set();
        let n = 0;
        for (let cell = 0; cell < cells; cell++) if (set.has(x[cell]) && !seen.has(cell)) { n++; addBody(cell, seen); }
        return n;
      };
    },
    size: pile => { const of = pileOf(pile); return b => { const p = of(b); return p === undefined ? p : size(p); }; },
    top: (pile, part) => {
      const of = pileOf(pile), place = numberOf(part);
      return b => {
        const at = place(b), p = of(b);
        if (at === undefined || p === undefined || at < 1 || at > size(p)) return undefined;
        return items[x[slots[p] + size(p) - at] - 1];
      };
    },
    same: pile => {
      const of = pileOf(pile);
      return b => {
        const p = of(b);
        if (p === undefined) return undefined;
        const top = slots[p] + size(p) - 1;
        let n = 0;
        while (top - n >= slots[p] && x[top - n] === x[top]) n++;
        return n;
      };
    },
    map: (map, part) => {
      const value = compile(part), bound = Array.isArray(part) && part[0] === "bound" ? part[1] : -1;
      return b => {
        // A bound name that is a key denotes that key, even if a variable has the same name.
        const own = bound < 0 ? undefined : image(map, b[bound]);
        if (own !== undefined) return own;
        const of = value(b);
        return of === undefined ? of : image(map, of);
      };
    },
    each: (quantifier, ...parts) => {
      const all = parts.map(compile);
      return b => gathered(quantifier, (function* () { for (const part of all) yield part(b); })());
    },
    for: (quantifier, collection, part) => {
      const members = choices(collection), body = compile(part);
      return b => { const all = members(b); return all && gathered(quantifier, (function* () { for (const one of all) yield body([...b, one]); })()); };
    },
    not: part => { const t = truthOf(part); return b => { const value = t(b); return value === undefined ? value : !value; }; },
    negative: part => { const n = numberOf(part); return b => { const value = n(b); return value === undefined ? value : -value; }; },
    "||": (left, right) => { const [one, other] = [left, right].map(truthOf); return b => { const value = one(b); return value === false ? other(b) : value; }; },
    "&&": (left, right) => { const [one, other] = [left, right].map(truthOf); return b => { const value = one(b); return value === true ? other(b) : value; }; },
    "==": (left, right) => { const all = [left, right].map(compile); return b => { const found = every(all, b); return found && found[0] === found[1]; }; },
    "!=": (left, right) => { const all = [left, right].map(compile); return b => { const found = every(all, b); return found && found[0] !== found[1]; }; },
    in: (part, collection) => {
      const value = compile(part);
      if (collection[0] === "list") {
        const members = choices(collection);
        return b => { const of = value(b); if (of === undefined) return undefined; return members(b)?.includes(of); };
      }
      const range = collection.slice(1).map(numberOf);
      return b => {
        const of = value(b), found = of === undefined ? undefined : every(range, b);
        return found && typeof of === "number" && found[0] <= of && of <= found[1];
      };
    },
    "?": (condition, yes, no) => {
      const which = truthOf(condition), [one, other] = [yes, no].map(compile);
      return b => { const value = which(b); return value === undefined ? value : value ? one(b) : other(b); };
    },
  };
  // A formula as a function of the values of bound names; undefined where it is undefined.
  function compile(f) {
    if (f === null) return () => undefined;
    if (!Array.isArray(f)) return () => f;
    const [kind, ...parts] = f;
    if (!BINARY[kind]) return FORMULAS[kind](...parts);
    const all = parts.map(numberOf), by = BINARY[kind];
    return b => { const found = every(all, b); return found && by(...found); };
  }
  const hold = conditions => conditions.every(condition => condition([]) === true);

  const bindings = data.bindings.map(([when, local, then, cost, carry, shift, inImage]) => ({
    inImage,
    when: when.map(compile), local: local.map(compile), then: then.map(([v, f]) => [v, compile(f)]), cost: numberOf(cost),
    carry: carry && { from: pileOf(carry[0]), to: pileOf(carry[1]), count: numberOf(carry[2]), turned: carry[3] },
    shift: shift && { moved: new Set(shift[0]), push: new Set(shift[1]), into: new Set(shift[2]), empty: shift[2][0] },
  }));
  const never = data.never.map(compile);
  const goals = data.goals.map(({ places, counts, piles, anywhere, when }) => ({
    places: places.map(([v, values]) => [v, new Set(values)]), counts: counts.map(([symbols, least, greatest]) => [new Set(symbols), least, greatest]), piles,
    anywhere: anywhere && anywhere.map(place => place.map(([cell, values]) => [cell, new Set(values)])), when: when.map(compile),
  }));
  const units = list => list.map(([binding, image, place, kind, act, flag, name]) =>
    ({ binding: bindings[binding], image: image < 0 ? null : data.images[image], turn: image, place, kind, act, flag, name }));
  const moves = units(data.moves), after = units(data.after);

  // Adds the body of a cell to cells.
  function addBody(cell, to) {
    const list = data.bodies[x[cell]], open = [cell];
    to.add(cell);
    while (list && open.length) {
      for (const next of beside[open.pop()]) {
        if (next >= 0 && !to.has(next) && data.bodies[x[next]] === list) { to.add(next); open.push(next); }
      }
    }
  }
  // Gives variables new values at once. A symbol that leaves one cell for another keeps its identity.
  function write(list, from) {
    const changed = list.filter(([v, value]) => x[v] !== value), old = changed.map(([v]) => [v, x[v], came[v]]);
    for (const [v, value] of changed) {
      x[v] = value;
      if (from) continue;
      const far = ([other]) => Math.abs(Math.floor(v / data.columns) - Math.floor(other / data.columns)) + Math.abs(v % data.columns - other % data.columns);
      let best = -1;
      if (v < cells) old.forEach((one, at) => { if (one && one[0] < cells && one[1] === value && (best < 0 || far(one) < far(old[best]))) best = at; });
      came[v] = best < 0 ? v : old[best][2];
      if (best >= 0) old[best] = null;
    }
    if (from) { const before = came.slice(); from.forEach(([to, v]) => { came[to] = before[v]; }); }
    return changed.length > 0;
  }
  const matches = ({ checks }) => checks.every(([kind, cell, of]) =>
    kind === 0 ? x[cell] === of : kind === 1 ? sets[of].has(x[cell]) : x[cell] === x[of]);
  const put = ([kind, cell, of]) => [cell, kind === 0 ? of : kind === 1 ? x[of] : data.tables[of][x[cell]]];
  const same = (one, other) => one.every((value, at) => value === other[at]);
  // Compares a position with one that is replaced after 1, 2, 4, 8 … steps (Brent 1980): true if it comes again.
  function comparer() {
    let known = null, next = 1, count = 0;
    return () => {
      if (known && same(known, x)) return true;
      if (++count === next) [known, next] = [x.slice(), 2 * next];
      return false;
    };
  }

  // Applies a unit: its cost, or null if it does not apply. What never ends throws.
  const ENDLESS = new Error("the move comes to no end");
  function apply({ binding, image, place, kind, act, flag }) {
    const pattern = kind === "pattern" ? patterns[act] : kind === "slide" ? patterns[act[0]] : null;
    if (kind === "slide" && act[0] === null || pattern && !matches(pattern)) return null;
    const scene = () => { letters = pattern?.letters ?? []; here = place >= 0 && image ? [place, image] : null; };
    scene();
    const everywhere = kind === "pass" || kind === "shiftAll";
    if (!hold(binding.when) || !everywhere && !hold(binding.local)) return null;
    const cost = binding.cost([]), then = [];
    if (cost === undefined || cost < 0 || cost > data.mostCost) return null;
    for (const [v, value] of binding.then) {
      const number = data.lists[data.values[v]].indexOf(value([]));
      if (number < 0) return null;
      then.push([v, number]);
    }
    let carried = null;
    if (binding.carry) {
      const { from, to, count, turned } = binding.carry, ends = [from([]), to([])], n = count([]);
      if (ends.includes(undefined) || n === undefined || ends[0] === ends[1] || n < 0 || n > size(ends[0]) || size(ends[1]) + n > most[ends[1]]) return null;
      carried = [...ends, n, turned];
    }
    const taken = new Set(then.map(([v]) => v)), known = came.slice();
    before = x.slice();
    const refuse = () => { x.set(before); came = known; return null; };
    const isTaken = puts => puts.some(([cell]) => taken.has(cell));
    if (kind === "pattern") write(pattern.puts.map(put));
    if (kind === "slide") {
      const again = comparer();
      for (let count = 0; flag || count < act.length; count++) {
        const number = act[count % act.length];
        if (number === null || !matches(patterns[number])) break;
        if (isTaken(patterns[number].puts.map(put))) return refuse();
        write(patterns[number].puts.map(put));
        if (count > 0 && count % act.length === 0 && again()) return refuse();
      }
    }
    if (kind === "pass") {
      const again = comparer();
      for (;;) {
        const given = new Map();
        let meets = false;
        for (const number of act) {
          const one = patterns[number];
          if (!matches(one)) continue;
          [letters, here] = [one.letters, [one.place, data.images[one.image]]];
          if (!hold(binding.local)) continue;
          const puts = one.puts.map(put);
          if (puts.some(([cell, value]) => given.has(cell) && given.get(cell) !== value)) continue;
          meets ||= isTaken(puts);
          puts.forEach(([cell, value]) => given.set(cell, value));
        }
        if (meets) return refuse();
        if (!write([...given]) || !flag) break;
        if (++steps > MOST_STEPS || again()) throw ENDLESS;
      }
    }
    if (kind === "shift" || kind === "shiftAll") {
      const all = new Set();
      for (const cell of kind === "shift" ? [place] : Array.from({ length: cells }, (_, cell) => cell)) {
        if (kind === "shiftAll") [letters, here] = [[], [cell, image]];
        if (!isFirst(binding.shift, cell) || everywhere && !hold(binding.local)) continue;
        pushed(binding.shift, cell, flag)?.forEach(one => all.add(one));
      }
      if (!all.size && kind === "shift") return null;
      const to = [...all].map(cell => [beside[cell][flag], x[cell], cell]);
      const puts = new Map([...[...all].map(cell => [cell, binding.shift.empty]), ...to]);
      if (isTaken([...puts])) return refuse();
      write([...puts], to.map(([cell, , from]) => [cell, from]));
    }
    write(then);
    if (carried) {
      const [from, to, n, turned] = carried, source = slots[from] + size(from) - n, target = slots[to] + size(to);
      const moved = Array.from({ length: n }, (_, at) => [target + (turned ? n - 1 - at : at), source + at]);
      const puts = [...moved.map(([, from]) => [from, 0]), ...moved.map(([to, from]) => [to, x[from]])];
      write(puts, moved);
    }
    return cost;
  }
  // Whether a cell is the first of its body with a symbol that is shifted.
  function isFirst({ moved }, cell) {
    if (!moved.has(x[cell])) return false;
    const body = new Set();
    addBody(cell, body);
    return [...body].every(other => other >= cell || !moved.has(x[other]));
  }
  // The cells that move if the body of a cell does, or undefined.
  function pushed({ push, into }, cell, direction) {
    const moving = new Set();
    addBody(cell, moving);
    for (const one of moving) {
      const next = beside[one][direction];
      if (next < 0) return undefined;
      if (!moving.has(next) && push.has(x[next])) addBody(next, moving);
    }
    const enters = one => { const next = beside[one][direction]; return moving.has(next) || into.has(x[next]); };
    return [...moving].every(enters) ? moving : undefined;
  }

  // Makes a move with its consequences: its cost, or null if it is not legal.
  function make(unit) {
    steps = 0;
    const cost = apply(unit), again = comparer();
    if (cost === null) return null;
    for (let number = 0; number < after.length;) {
      const one = after[number];
      if (one.binding.inImage && one.turn !== unit.turn || apply(one) === null || same(before, x)) { number++; continue; }
      if (++steps > MOST_STEPS || again()) throw ENDLESS;
      number = 0;
    }
    [letters, here] = [[], null];
    return never.some(one => one([]) === true) ? null : cost;
  }
  const nameOf = (unit, from) => unit.name.map(part => typeof part === "string" ? part : data.lists[data.values[part]][from[part]]).join("");
  function legal(from) {
    const found = [], seen = new Map();
    for (const unit of moves) {
      [x, letters, here] = [from, [], null];
      if (unit.kind === "pattern" && !matches(patterns[unit.act])) continue;
      [x, came] = [from.slice(), Array.from(from, (_, v) => v)];
      let cost = null;
      try { cost = make(unit); } catch (error) { if (error !== ENDLESS) throw error; }
      if (cost === null || same(from, x)) continue;
      let name = nameOf(unit, from);
      const number = (seen.get(name) ?? 0) + 1;
      seen.set(name, number);
      if (number > 1) name += ` #${number}`;
      found.push({ name, cost, to: x, came: new Map(came.map((of, v) => [v, of]).filter(([v, of]) => x[v] !== from[v] && v !== of)) });
    }
    return found;
  }
  function goal(at) {
    [x, letters, here] = [at, [], null];
    const fits = ([v, values]) => values.has(x[v]);
    return goals.some(({ places, counts, piles, anywhere, when }) => places.every(fits)
      && counts.every(([symbols, least, greatest]) => { const n = counted(symbols); return least <= n && n <= greatest; })
      && piles.every(([pile, wanted]) => size(pile) === wanted.length && wanted.every((item, n) => x[slots[pile] + n] === item + 1))
      && (!anywhere || anywhere.some(place => place.every(fits))) && hold(when));
  }
  return { start, goal, key: x => String.fromCharCode(...x), moves: legal };
}
