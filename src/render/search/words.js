// The current step in words.
const many = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;
const REASONS = {
  threshold: "beyond the threshold", "dead-end": "a dead end", symmetry: "symmetric to another", width: "beyond the width",
  depth: "beyond the depth limit",
};

function words(search, run, draw) {
  const { nodes } = search;
  const moveOf = move => move < 0 ? "" : search.moves[move];
  const values = node => {
    const g = short(run.g(node)), h = run.h(node);
    if (nodes.novelty && h !== null) return `novelty ${nodes.novelty[node]}, h ${short(h)}, g ${g}`;
    return h === null ? `g = ${g}` : `g ${g} + h ${short(h)} = f ${short(run.f(node))}`;
  };
  // The parts of h: name, value, labels of figures, cells.
  const parts = node => {
    const flat = nodes.parts?.[node] ?? [], found = [];
    for (let at = 1; at < flat.length; at += 2) {
      const [name, figures, cells] = search.parts[flat[at]];
      found.push({ name, figures, cells, value: flat[at + 1] });
    }
    return found;
  };
  const choice = node => nodes.parts?.[node]?.length ? search.choices[nodes.parts[node][0]] : "";
  const named = node => `${node === 0 ? "the start" : `position ${node} by ${moveOf(nodes.move[node])}`}, ${values(node)}`;
  // What a step did, as sentences.
  function sentences(step) {
    const found = [], node = run.columns.node[step];
    if (run.last === 0 && search.stop) return [search.stop];
    if (step === 0) return [`Before the first expansion. The start is position 0, ${values(0)}.`];
    const parent = run.parent(node);
    const came = parent < 0 ? "the start" : `position ${node}, reached by ${moveOf(nodes.move[node])} from ${parent === 0 ? "the start" : `position ${parent}`}`;
    found.push(`Expansion ${step} of ${run.last}: ${came}, ${values(node)}.`);
    const sum = parts(node);
    if (sum.length) found.push(`h ${short(run.h(node))} is the sum of ${sum.map(({ name, value }) => `${name}: ${short(value)}`).join(", ")}${choice(node) && `; ${choice(node)}`}.`);
    const born = [], cut = new Map(), rest = [];
    let known = 0;
    for (const [kind, a, b, c, d] of run.eventsOf(step)) {
      if (kind === EVENT.generated) born.push(named(a));
      if (kind === EVENT.duplicate) known++;
      if (kind === EVENT.replaced) rest.push(`Position ${a} gets another path: from now on it is ${named(b)}.`);
      if (kind === EVENT.goal) rest.push(`Position ${a} is a goal, at cost ${short(b)}.`);
      if (kind === EVENT.iteration) rest.push(`Iteration ${a} begins, with threshold ${short(b)}.`);
      if (kind === EVENT.layer) rest.push(`The layer of depth ${a} begins.`);
      if (kind === EVENT.pruned) {
        const reason = search.reasons[b];
        const one = `${moveOf(d)}${c === null || c >= 0 ? ` with f ${short(c)}` : ""}`;
        cut.set(reason, [...cut.get(reason) ?? [], one]);
      }
    }
    // A search in place visits a position as soon as it generates it.
    if (born.length && search.order === "path") found.push(`It goes on to ${born.join("; ")}.`);
    else if (born.length) found.push(`It generates ${many(born.length, "position")}: ${born.join("; ")}.`);
    if (known) found.push(`${many(known, "move")} ${known === 1 ? "leads" : "lead"} to known positions.`);
    for (const [reason, all] of cut) found.push(`${many(all.length, "move")} cut as ${REASONS[reason] ?? reason}: ${all.join(", ")}.`);
    found.push(...rest);
    const next = run.next(step).map(node => named(node));
    if (next.length && step < run.last) found.push(`Next is ${next.join("; or, from the goals, ")}.`);
    if (step === run.last) found.push(search.stop ? `In this page ${search.stop}.` : `The search ends: ${search.outcome}.`);
    return found;
  }
  return { values, named, parts, choice, moveOf, sentences, text: node => draw.text(nodes.picture[node]) };
}
