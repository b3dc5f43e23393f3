// What is known of the puzzle, at each pause of typing: the mistakes, the drawing, the optimum and its solution.
const PAUSE = 150, SHORT_PAUSE = 70, QUICK = 1, SOON = 250;
// How long the last answer took, in milliseconds: after quick ones, a shorter pause of typing is enough.
let took = 0, wasValid = false;
let boardOf = null, timer = 0, work = null, solution = null, shownFrame = null, seconds = 0;

// The text has changed.
function changed(isOpened = false) {
  clearTimeout(timer);
  work?.abort();
  work = null;
  $("stop").hidden = true;
  effects = null;
  marks();
  problems = problems.filter(one => one.to <= text.value.length);
  repaint();
  timer = setTimeout(() => analyse(isOpened), isOpened ? 0 : took < SOON ? SHORT_PAUSE : PAUSE);
}
function outcome(says, kind = "") {
  $("outcome").textContent = says;
  $("outcome").className = kind;
}
function facts(values) {
  $("more").replaceChildren(...values.map(textContent => element("span", { textContent })));
}
async function analyse(isOpened = false) {
  clearTimeout(timer);
  boardOf = null;
  work?.abort();
  const control = work = new AbortController(), { signal } = control;
  // A text without a name may have become a collection, or none.
  if (!file && isCollection() === $("levelBar").hidden) levelsAre(isCollection() ? 1 : 0);
  const content = text.value, here = place(), started = performance.now();
  // Until there is an answer, it is not known to be quick.
  took = Infinity;
  $("longer").hidden = true;
  if (!content.trim()) {
    show([]);
    outcome("Write a puzzle, or begin with New.");
    facts([]);
    return;
  }
  try {
    const drawing = redraw(content, here, signal);
    const checking = one("check", content, here, signal), ready = checking.then(({ ok }) => ok, () => false);
    const solving = () => solve(content, here, signal, undefined, () => { took = performance.now() - started; }, ready);
    // After a valid text, the search does not wait for the mistakes of this one.
    const early = wasValid ? solving() : null;
    const checked = await checking;
    if (signal.aborted) return;
    wasValid = checked.ok;
    show([...checked.errors, ...checked.warnings]);
    if (!checked.ok) {
      outcome(many(checked.errors.length, "error"), "bad");
      facts([]);
      steps(null);
      took = performance.now() - started;
      mend(await one("fixes", where(0), {}, signal));
      await drawing;
      return;
    }
    if (!problems.length) $("problems").replaceChildren(element("p", { className: "good says", textContent: "No mistakes." }));
    outcome("Solving…", "busy");
    $("stop").hidden = false;
    const solved = early ?? solving();
    // A drawing without a solution does not wait for one.
    await Promise.race([solved, new Promise(resolve => setTimeout(resolve, 200))]);
    if (signal.aborted) return;
    if (boardOf !== content) await board("draw", content, here, signal);
    await Promise.all([drawing, solved]);
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) outcome(error.message, "bad");
  }
}
// The cells of a text, valid or not.
async function redraw(content, here, signal) {
  const known = palettes();
  try {
    const { sheets: found, levels } = await one("canvas", JSON.stringify({ text: content, level: here.level ?? null, known }), here, signal);
    if (signal.aborted) return;
    // Cells that are being painted change the text, which is drawn anew then.
    if (painting || pending.length) return;
    if (levels && levels !== $("level").options.length) levelsAre(levels);
    canvas(found, { text: content, known, set: [], shown: content });
    $("drawSays").textContent = "";
  } catch (error) { if (!signal.aborted) stale(plain(error)); }
}
async function solve(content, here, signal, time, done = () => {}, ready = true) {
  try {
    const found = await one("solve", content, { ...here, time }, signal, line => {
      if (!("progress" in line) || signal.aborted) return;
      outcome(line.lower_bound > 0 ? `Solving… at least ${Math.ceil(line.lower_bound - 1e-9)}` : "Solving…", "busy");
      facts([...line.expanded ? [`${many(line.expanded, "state")} expanded`] : [], ...line.progress ? [line.progress] : ["preparing"], ...line.level ? [`${line.level[0]} ${line.level[1]} done`] : []]);
    });
    if (!await ready || signal.aborted) return;
    answered(found, content);
    done();
    // With the solution in it, the page knows how many moves are left to the optimum.
    if (found.seconds < QUICK) await board("play", content, here, signal).catch(() => {});
    const further = await Promise.allSettled([one("show", content, here, signal), ...found.outcome === "solved" ? [one("all", content, { ...here, time: 10 }, signal)] : []]);
    if (signal.aborted) return;
    told(found, further[0].value, further[1]?.value);
    const space = await one("explore", content, { ...here, time: 3 }, signal);
    told(found, further[0].value, further[1]?.value, space);
    if (found.outcome !== "solved" || !space.dead_ends) return;
    const rated = await one("rate", content, { ...here, time: 10 }, signal);
    if (!signal.aborted) told(found, further[0].value, further[1]?.value, space, rated);
  } catch (error) {
    if (error.name !== "AbortError" && await ready && !signal.aborted) outcome(error.message.split("\n")[0], "bad");
  } finally {
    if (!signal.aborted) $("stop").hidden = true;
  }
}
function answered(found, content) {
  solution = { ...found, of: content };
  const bound = found.lower_bound ? `; at least ${found.lower_bound}` : "";
  if (found.error) outcome(found.error, "bad");
  else if (found.outcome === "solved") outcome(found.optimal ? `Optimum ${found.cost}, proven` : `A solution of cost ${found.cost}${bound}`, "good");
  else if (found.outcome === "unsolvable") outcome(`Unsolvable, proven${found.reason ? `: ${found.reason}` : ""}`, "bad");
  else outcome(`Not solved yet: stopped at the ${found.limit} limit${bound}`, "busy");
  $("longer").hidden = !found.limit;
  facts([`${many(found.expanded, "state")} expanded`, `${found.algorithm}${found.heuristic ? `, ${found.heuristic}` : ""}`]);
  steps(found.moves?.length ? found.moves : null);
}
function told(found, about, all, space, rated) {
  const says = [];
  if (all?.solutions !== null && all?.solutions !== undefined) says.push(all.solutions === 1 ? "one optimal solution" : `${all.solutions} optimal solutions`);
  const others = all?.all ?? [];
  if (others.length > 1) {
    const other = others[1].moves ?? others[1], mine = others[0].moves ?? others[0];
    const at = mine.findIndex((move, number) => move !== other[number]);
    if (at >= 0) says.push(`another differs at move ${at + 1}: ${other[at]} for ${mine[at]}`);
  }
  if (space && !space.limit) says.push(many(space.states, "state"), space.dead_ends ? many(space.dead_ends, "dead end") : "no dead ends");
  else if (space) says.push(`more than ${many(space.states, "state")}`);
  if (typeof rated?.traps === "number") says.push(rated.traps ? `traps: ${(100 * rated.traps).toLocaleString("en", { maximumFractionDigits: 1 })} % of the moves on the way lose` : "no traps on the way");
  dead = new Set((about?.properties ?? []).filter(one => one.name === "dead").flatMap(one => one.cells.map(String)));
  if (dead.size) says.push(many(dead.size, "dead cell"));
  says.push(`${many(found.expanded, "state")} expanded`);
  facts(says);
  drawCells();
}
// Shows the puzzle to play; a page that is made while another is played does not replace it.
async function board(task, content, here, signal) {
  const { frame: name } = await frame(task, content, here, signal);
  if (signal?.aborted) return;
  const next = element("iframe", { src: `/frame/${name}`, title: "The puzzle, to play" });
  next.setAttribute("sandbox", "allow-scripts");
  boardOf = content;
  shownFrame = next.src;
  $("playFrame").replaceChildren(next);
}
// The steps of the solution.
function steps(moves) {
  $("steps").hidden = !moves;
  if (!moves) { solution = solution && { ...solution, moves: [] }; return; }
  $("at").max = moves.length;
  $("at").value = 0;
  $("step").textContent = `0 of ${moves.length}`;
}
function step(to) {
  const moves = solution?.moves ?? [], at = Math.max(0, Math.min(moves.length, to));
  $("at").value = at;
  $("step").textContent = `${at} of ${moves.length}${at ? `: ${moves[at - 1]}` : ""}`;
  select("play");
  const shown = $("playFrame").querySelector("iframe"), separator = moves.some(move => move.includes(" ")) ? "\n" : " ";
  // Only the fragment changes: the page stays, and plays these moves.
  if (shown) shown.src = `${shownFrame}#moves=${encodeURIComponent(moves.slice(0, at).join(separator))}`;
}
$("at").addEventListener("input", () => step(Number($("at").value)));
for (const [id, to] of [["first", () => 0], ["back", () => Number($("at").value) - 1], ["forth", () => Number($("at").value) + 1], ["last", () => Infinity]]) $(id).addEventListener("click", () => step(to()));
$("stop").addEventListener("click", () => { work?.abort(); work = null; $("stop").hidden = true; if ($("outcome").className === "busy") { outcome("Stopped"); $("longer").hidden = false; } });
$("longer").addEventListener("click", () => {
  work?.abort();
  const control = work = new AbortController();
  outcome("Solving…", "busy");
  $("stop").hidden = false;
  $("longer").hidden = true;
  solve(text.value, place(), control.signal, 1800);
});
$("level").addEventListener("change", () => { listed(); analyse(true); });
