// Replays the events of a search: what is open, closed and on the path after each of its expansions.
const EVENT = { expanded: 0, generated: 1, duplicate: 2, replaced: 3, pruned: 4, goal: 5, iteration: 6, layer: 7 };
const SIZE = [2, 2, 3, 3, 6, 3, 3, 2];
const OPEN = 1, CLOSED = 2;

function replay(search) {
  const { nodes, events } = search, size = nodes.parent.length;
  // JSON has no infinity.
  for (const name of ["h", "f"]) nodes[name] &&= nodes[name].map(value => value ?? Infinity);
  // For each node: the steps after which it is known, closed, and replaced by another, and its iteration and depth.
  const born = new Int32Array(size).fill(-1), shut = new Int32Array(size).fill(-1), gone = new Int32Array(size).fill(-1);
  const iterationOf = new Int32Array(size), depth = new Int32Array(size), order = new Int32Array(size);
  for (let node = 0; node < size; node++) {
    if (nodes.parent[node] >= 0) depth[node] = depth[nodes.parent[node]] + 1;
  }
  const columns = {};
  for (const name of ["node", "from", "generated", "duplicates", "pruned", "frontier", "closed", "iteration"]) columns[name] = [];
  const iterations = [], goals = [];
  const now = { node: -1, from: 0, generated: 0, duplicates: 0, pruned: 0, frontier: 0, closed: 0, iteration: -1 };
  const keep = () => { for (const name in columns) columns[name].push(now[name]); };
  let step = 0, arrivals = 0;
  const arrive = node => {
    born[node] = step;
    order[node] = arrivals++;
    iterationOf[node] = now.iteration;
    now.frontier++;
  };
  for (let at = 0; at < events.length; at += SIZE[events[at]]) {
    const node = events[at + 1];
    switch (events[at]) {
      case EVENT.expanded:
        keep();
        step++;
        Object.assign(now, { node, from: at });
        if (born[node] < 0) arrive(node);
        if (iterations.length) iterations[now.iteration].expanded++;
        if (shut[node] < 0) { now.frontier--; now.closed++; shut[node] = step; }
        break;
      // A root on the side of the goals is not generated.
      case EVENT.generated: arrive(node); now.generated += nodes.parent[node] >= 0 ? 1 : 0; break;
      case EVENT.duplicate: now.generated++; now.duplicates++; break;
      case EVENT.replaced:
        now.generated++;
        if (shut[node] < 0) now.frontier--; else now.closed--;
        gone[node] = step;
        arrive(events[at + 2]);
        break;
      case EVENT.pruned:
        now.pruned++;
        now.generated += events[at + 5];
        if (iterations.length) iterations[now.iteration].pruned++;
        break;
      case EVENT.goal: goals.push({ step, node }); break;
      case EVENT.iteration:
        now.iteration = iterations.length;
        // A search in place keeps nothing from one iteration to the next.
        if (search.order === "path") now.frontier = now.closed = 0;
        iterations.push({ number: node, threshold: events[at + 2], expanded: 0, pruned: 0, first: step });
        break;
    }
  }
  // What precedes the first expansion belongs to the start.
  if (size > 0 && born[0] > 0) born[0] = 0;
  keep();
  const last = step;
  for (const name in columns) columns[name] = Int32Array.from(columns[name]);

  const sides = nodes.side ? [0, 1] : [0];
  const clamp = step => Math.max(0, Math.min(last, step));
  const state = (node, step) => born[node] < 0 || born[node] > step || (gone[node] >= 0 && gone[node] <= step) ? 0
    : shut[node] >= 0 && shut[node] <= step ? CLOSED : OPEN;
  const g = node => nodes.g[node], parent = node => nodes.parent[node];
  const h = node => nodes.h ? nodes.h[node] : null;
  const f = node => nodes.f ? nodes.f[node] : nodes.h ? nodes.h[node] + g(node) : null;
  // The node that a step is about: the one expanded, and at the end the goal.
  const current = step => step >= last && goals.length ? goals.at(-1).node : Math.max(0, columns.node[clamp(step)]);
  function path(node) {
    const found = [];
    for (; node >= 0; node = parent(node)) found.push(node);
    return found.reverse();
  }
  // The whole solution: of two sides, the path from the start to where they meet, then on to the goal.
  function way(node, step) {
    const ends = goals.slice(-2).map(goal => goal.node);
    if (step < last || sides.length < 2 || ends.length < 2 || node !== ends[1]) return path(node);
    return [...path(ends[0]), ...path(ends[1]).reverse().slice(1)];
  }
  // The iteration to which a step belongs: the current node's.
  const iteration = step => {
    const node = columns.node[clamp(step)];
    return node < 0 ? (iterations.length ? 0 : -1) : Math.max(iterationOf[node], iterations.length ? 0 : -1);
  };
  const isShown = (node, step) => state(node, step) > 0 && (search.order !== "path" || iterationOf[node] === iteration(step));

  // The first of the open nodes, in the order in which the search takes them.
  const before = {
    fifo: (a, b) => order[a] - order[b],
    lifo: (a, b) => order[b] - order[a],
    novelty: (a, b) => nodes.novelty[a] - nodes.novelty[b] || h(a) - h(b) || g(a) - g(b) || a - b,
    h: (a, b) => h(a) - h(b) || (search.fractional ? 0 : g(b) - g(a)) || order[b] - order[a],
    f: (a, b) => (f(a) ?? g(a)) - (f(b) ?? g(b))
      || (search.fractional ? Math.floor(h(a)) - Math.floor(h(b)) : g(b) - g(a))
      || order[b] - order[a],
  }[search.order];
  function open(step, most, side = 0) {
    if (!before) return [];
    const best = [];
    for (let node = 0; node < size; node++) {
      if (state(node, step) !== OPEN || (nodes.side?.[node] ?? 0) !== side) continue;
      if (best.length === most && before(best[most - 1], node) <= 0) continue;
      let at = best.length;
      while (at > 0 && before(node, best[at - 1]) < 0) at--;
      best.splice(at, 0, node);
      if (best.length > most) best.pop();
    }
    return best;
  }
  // The first of each side: one of them is expanded next.
  const next = step => sides.flatMap(side => open(step, 1, side));
  // The events of a step.
  function eventsOf(step) {
    const found = [];
    let at = step > 0 ? columns.from[step] : 0, expansions = step > 0 ? 0 : 1;
    for (; at < events.length; at += SIZE[events[at]]) {
      if (events[at] === EVENT.expanded && expansions++) break;
      found.push(events.slice(at, at + SIZE[events[at]]));
    }
    return found;
  }
  // The moves of a step's iteration that were cut so far, by the node in which they begin: [reason, f].
  const cuts = new Map();
  {
    let at = 0, step = 0;
    for (; at < events.length; at += SIZE[events[at]]) {
      if (events[at] === EVENT.expanded) step++;
      if (events[at] !== EVENT.pruned) continue;
      const parent = events[at + 1];
      if (!cuts.has(parent)) cuts.set(parent, []);
      cuts.get(parent).push({ step, reason: search.reasons[events[at + 2]], f: events[at + 3], move: events[at + 4] });
    }
  }
  return {
    last, size, columns, iterations, goals, depth, born, current, cuts, clamp, state, shut, g, h, f, parent, path, way, next, sides, iteration, iterationOf,
    isShown, open, eventsOf,
  };
}
