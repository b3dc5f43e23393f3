// The tabs: each is what a command of the program does.
const tabs = {};
let selected = "play";

function tab(id, title, panel, act) {
  const button = element("button", { type: "button", id: `tab-${id}`, role: "tab", textContent: title, "aria-selected": "false", "aria-controls": `panel-${id}` });
  Object.assign(panel, { id: `panel-${id}`, hidden: true, className: `${panel.className} panel` });
  panel.setAttribute("role", "tabpanel");
  panel.setAttribute("aria-labelledby", button.id);
  button.addEventListener("click", () => select(id));
  button.addEventListener("keydown", event => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key], all = Object.keys(tabs);
    if (!by) return;
    const next = all[(all.indexOf(id) + by + all.length) % all.length];
    select(next);
    tabs[next].button.focus();
  });
  $("tabs").append(button);
  $("panels").append(panel);
  tabs[id] = { button, panel, act };
}
function select(id) {
  selected = id;
  for (const [other, { button, panel }] of Object.entries(tabs)) {
    button.setAttribute("aria-selected", String(other === id));
    button.tabIndex = other === id ? 0 : -1;
    panel.hidden = other !== id;
  }
}
// A tab with a button that runs its work, and one that stops it.
function working(id, title, label, about, act, more = []) {
  const go = element("button", { type: "button", textContent: label });
  const end = element("button", { type: "button", textContent: "Stop", hidden: true });
  const says = element("p", { className: "says", role: "status", textContent: about });
  const out = element("div");
  let control = null;
  go.addEventListener("click", async () => {
    control?.abort();
    const mine = control = new AbortController();
    end.hidden = false;
    says.textContent = "Working…";
    out.replaceChildren();
    try {
      says.textContent = await act(out, mine.signal) ?? "";
    } catch (error) {
      if (mine === control) says.textContent = mine.signal.aborted ? "Stopped." : error.message;
    }
    if (mine === control) end.hidden = true;
  });
  end.addEventListener("click", () => control?.abort());
  tab(id, title, element("div", {}, element("div", { className: "bar" }, ...more, go, end), says, out));
}
const take = (label, next) => {
  const button = element("button", { type: "button", textContent: label });
  button.addEventListener("click", () => replace(next));
  return button;
};
function framed(name, title) {
  const made = element("iframe", { src: `/frame/${name}`, title });
  made.setAttribute("sandbox", "allow-scripts");
  return made;
}
function table(head, lines) {
  return element("table", {}, element("thead", {}, element("tr", {}, ...head.map(textContent => element("th", { scope: "col", textContent })))),
    element("tbody", {}, ...lines.map(line => element("tr", {}, ...line.map(cell => element("td", {}, cell))))));
}

tab("play", "Play", element("div", {}, element("div", { id: "playFrame" })));
tab("draw", "Draw", drawPanel());
working("edits", "Edits", "Show what each edit does", "Solves the puzzle with each symbol in each cell, and colours the cells of Draw by what the chosen symbol would do there.", async (out, signal) => {
  const content = text.value, says = element("p", { className: "says" }), show = element("button", { type: "button", textContent: "Show on the drawing" });
  show.addEventListener("click", () => {
    select("draw");
    $("drawSays").textContent = "With the chosen symbol in a cell, the puzzle is: shorter (blue), longer (orange), unsolvable (red).";
  });
  out.append(show, says);
  // The map fills in as the answers come.
  const known = effects = [];
  let frames = 0;
  const found = await one("edits", content, { ...place(), time: 60 }, signal, line => {
    if (effects !== known) return;
    known.push(line);
    frames ||= requestAnimationFrame(() => { frames = 0; says.textContent = `${many(known.length, "edit")} known`; colourEffects(); });
  });
  if (content !== text.value) return "The text has changed meanwhile.";
  says.remove();
  effects = known;
  colourEffects();
  const { shorter, longer, same, unsolvable, unknown } = found.summary;
  const notable = known.filter(one => one.effect === "longer").sort((a, b) => b.cost - a.cost).slice(0, 30);
  out.append(table(["edit", "row", "column", "optimum"], notable.map(one => [`${one.edit} ${symbolOf(one).trim() || "space"} ${one.direction ?? ""}`, String(one.row + 1), String(one.column + 1), String(one.cost)])));
  return `${many(found.edits.length, "edit")}: ${longer} longer, ${shorter} shorter, ${same} the same, ${unsolvable} unsolvable, ${unknown} unknown.`;
});
working("minimize", "Minimize", "Take away what is not needed", "Takes pieces and walls away as long as the optimum stays.", async (out, signal) => {
  const found = await one("minimize", text.value, place(), signal);
  out.append(element("pre", { textContent: found.after, tabIndex: 0 }));
  if (found.removed.length) out.append(take("Take this", found.text));
  return found.removed.length ? `${many(found.removed.length, "piece")} can go; optimum ${found.cost}.` : "Nothing can be taken away.";
});
working("explore", "Explore", "Visit all positions", "Counts the positions by their distance from the start, and finds the hardest.", async (out, signal) => {
  const says = element("p", { className: "says", role: "status" });
  out.append(says);
  const found = await one("explore", text.value, place(), signal, ({ expanded, level }) => {
    says.textContent = [`${many(expanded, "state")} so far`, ...level ? [`${level[0]} ${level[1]} done`] : []].join(", ");
  });
  says.remove();
  // Costs that are not all whole numbers from 0 are given with their counts.
  const depths = found.by_depth.map((one, at) => Array.isArray(one) ? one : [at, one]), most = Math.max(...depths.map(([, count]) => count));
  out.append(element("div", { className: "bars", role: "img", "aria-label": `States by depth: ${depths.map(([depth, count]) => `${depth}: ${count}`).join(", ")}` }, ...depths.map(([depth, count]) => {
    const bar = element("i", { title: `depth ${depth}: ${count}` });
    bar.style.height = `${100 * count / most}%`;
    return bar;
  })));
  const hardest = found.hardest;
  if (hardest?.example) {
    out.append(element("p", { textContent: `The hardest start that can reach a goal needs ${hardest.cost}:` }), element("pre", { textContent: hardest.example, tabIndex: 0 }));
    const start = element("button", { type: "button", textContent: "Start from the hardest" });
    start.addEventListener("click", () => fromDrawing(hardest.example));
    out.append(start);
  }
  return `${found.limit ? "At least " : ""}${many(found.states, "state")}, ${many(found.goals, "goal")}, ${many(found.dead_ends, "dead end")}.`;
});
// The symbol of a drawing of an explored position, for a cell; -1 if the cell stays. Levels of Sokoban draw goals in the same
// cells, which stay, and their walls, which never move, may be floor out of reach.
function symbolFor(here, symbol, cell) {
  if (here.key !== "level" || !("man" in here.kinds)) return here.symbols.findIndex(one => one.text === symbol);
  if (symbol === "#") return -1;
  const piece = { "$": "box", "@": "man" }[symbol], has = one => one.parts.includes("goal");
  return here.symbols.findIndex(one => !one.parts.includes("wall") && has(one) === has(here.symbols[here.cells[cell]])
    && ["box", "man"].every(part => one.parts.includes(part) === (part === piece)));
}
// Paints the cells of a drawing over those of the start.
async function fromDrawing(drawing) {
  const here = sheets[0], lines = drawing.replace(/\n$/, "").split("\n");
  if (!here || lines.length !== here.rows) { $("outcome").textContent = "This position cannot be written as a drawing."; return; }
  const set = [];
  lines.forEach((line, row) => (here.has_words ? line.trim().split(/\s+/) : [...line]).forEach((symbol, column) => {
    const cell = row * here.columns + column, at = column < here.columns ? symbolFor(here, symbol, cell) : -1;
    if (at >= 0) set.push([0, cell, at]);
  }));
  try {
    const { text: next } = await one("canvas", JSON.stringify({ text: text.value, level: level() ?? null, set }), place());
    replace(next);
  } catch (error) { outcome(error.message, "bad"); }
}
working("rate", "Rate", "Rate", "Measures how hard the puzzle is for people.", async (out, signal) => {
  const found = await one("rate", text.value, place(), signal);
  const named = { score: "score", cost: "optimum", states: "states", solutions: "optimal solutions", distinct_solutions: "distinct solutions", traps: "traps", detour: "detour", branching: "branching", bottlenecks: "bottlenecks", pieces: "pieces" };
  const digits = value => typeof value === "number" ? value.toLocaleString("en", { maximumFractionDigits: 2 }) : "unknown";
  out.append(table(["measure", "value"], Object.entries(named).map(([key, label]) => [label, digits(found[key])])));
  return found.score === null ? "It has no rating." : `Rated ${digits(found.score)}.`;
});
const target = element("input", { value: "generated", "aria-label": "New folder for the levels" });
working("generate", "Generate", "Generate", "Makes levels like this one by the table [generate] of the text, and writes them to a new folder.", async (out, signal) => {
  const content = /^\s*\[generate\]/m.test(text.value) ? text.value : `${text.value.trimEnd()}\n\n[generate]\n`;
  const found = await one("generate", content, { ...place(), out: target.value, time: 30 }, signal);
  const lines = found.levels.map(one => {
    const button = element("button", { type: "button", textContent: one.file.replace(/^.*[/\\]/, "") });
    button.addEventListener("click", () => open(`${target.value}/${button.textContent}`));
    return [button, String(one.cost)];
  });
  out.append(table(["level", "optimum"], lines));
  list();
  return `${many(found.levels.length, "level")} of ${many(found.candidates, "candidate")}.`;
}, [target]);
working("diff", "Diff", "Compare with the saved file", "Compares text, optimum and solutions with the file as it is saved.", async (out, signal) => {
  const answer = await ask("/api/run/diff", place(), { method: "POST", body: text.value, signal }), says = await answer.text();
  if (!answer.ok) throw new Error(JSON.parse(says).error);
  out.append(element("pre", { textContent: says || "No difference.", tabIndex: 0 }));
  return says ? "" : "The same as the saved file.";
});
const algorithms = element("select", { "aria-label": "Search" }, ...["bfs", "dfs", "a-star", "greedy", "ida-star", "bidirectional"].map(value => element("option", { value, textContent: value })));
working("search", "Search", "Show the search", "Plays the search step by step.", async (out, signal) => {
  const { frame: name } = await frame("search", text.value, { ...place(), search: algorithms.value }, signal);
  out.append(framed(name, "The search, step by step"));
}, [algorithms]);
select("play");
