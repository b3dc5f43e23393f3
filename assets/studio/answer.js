// What is known of the puzzle, at each pause of typing: the mistakes, the drawing, the optimum and its solution.
const PAUSE = 150, SHORT_PAUSE = 20, SOON = 250;
// When the text was changed last, and how long the last answer took, in milliseconds. A change after a pause is answered at
// once; among others that follow each other, a shorter pause is enough after quick answers.
let changedAt = -PAUSE, took = 0, wasValid = false;
let boardOf = null, timer = 0, work = null, solution = null, shownFrame = null, seconds = 0;
// The text whose explored space has dead ends, and how many positions it has.
let lossy = null;
// The time after an answer in which nobody has typed, so that the processors may have more to do, in milliseconds.
const REST = 400;
// The time after which a search is a long one, in milliseconds: then solutions that are not proven are shown, too.
const LONG = 1000;

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
  spare();
  $("done").textContent = "";
  const rested = performance.now() - changedAt;
  changedAt += rested;
  if (isOpened || rested >= PAUSE) analyse(isOpened);
  else timer = setTimeout(analyse, took < SOON ? SHORT_PAUSE : PAUSE);
}
function outcome(says, kind = "") {
  $("outcome").textContent = $("outcome").title = says;
  $("outcome").className = kind;
}
function facts(values) {
  $("more").replaceChildren(...values.map(textContent => element("span", { textContent })));
}
// The work on the text, which ratings of the list wait for.
let analysed = Promise.resolve();
const analyse = (isOpened = false) => analysed = analyseNow(isOpened);
async function analyseNow(isOpened) {
  clearTimeout(timer);
  boardOf = null;
  work?.abort();
  const control = work = new AbortController(), { signal } = control;
  const content = text.value, started = performance.now();
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
    const here = place();
    // The server knows the kind of a text without a name.
    if (isOpened && !file) await redraw(content, here, signal, isOpened);
    if (signal.aborted) return;
    const checking = recalled("check", content, here, signal), ready = checking.then(({ ok }) => ok, () => false);
    let known;
    const first = new Promise(resolve => { known = resolve; });
    const solving = () => solve(content, here, signal, undefined, () => { took = performance.now() - started; known(); }, ready);
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
      const drawing = redraw(content, here, signal, isOpened);
      mend(await one("fixes", where(0), {}, signal));
      await drawing;
      return;
    }
    if (!problems.length) $("problems").replaceChildren(element("p", { className: "good says", textContent: "No mistakes." }));
    $("stop").hidden = false;
    const solved = early ?? solving();
    // The drawings leave the processors to a quick search, and do not wait long for it.
    await Promise.race([first, solved, new Promise(resolve => setTimeout(resolve, PAUSE))]);
    if (signal.aborted) return;
    await Promise.all([redraw(content, here, signal, isOpened), board(content, here, signal), solved]);
  } catch (error) {
    if (error.name !== "AbortError" && !signal.aborted) outcome(error.message, "bad");
  }
}
// The cells of a text, valid or not.
async function redraw(content, here, signal, isOpened) {
  const known = palettes();
  try {
    const { sheets: found, levels, ending: now, none } = await one("canvas", JSON.stringify({ text: content, level: here.level ?? null, known }), here, signal);
    if (signal.aborted) return;
    if (!file && now !== ending) {
      ending = now;
      levelsAre(isCollection() ? wanted : 0, wanted);
      repaint();
      analyse(isOpened);
      return;
    }
    if (none) { stale(none); return; }
    // Cells that are being painted change the text, which is drawn anew then.
    if (painting || pending.length) return;
    if (levels && levels !== $("level").options.length) levelsAre(levels);
    canvas(found, { text: content, known, set: [], shown: content });
    $("drawSays").textContent = "";
  } catch (error) { if (!signal.aborted) stale(plain(error)); }
}
async function solve(content, here, signal, time = 60, done = () => {}, ready = Promise.resolve(true)) {
  const ended = new AbortController(), within = AbortSignal.any([signal, ended.signal]);
  let bound = 0, best = null, isValid = false;
  const tell = () => {
    if (!isValid || signal.aborted) return;
    const least = bound > 0 ? `at least ${Math.ceil(bound - 1e-9)}` : "";
    outcome(best ? `Best so far ${best.cost}, not proven${least && `; ${least}`}` : `Solving…${least && ` ${least}`}`, "busy");
  };
  ready.then(ok => { isValid = ok; tell(); });
  const timer = setTimeout(() => {
    if (!isValid || within.aborted) return;
    run("improve", JSON.stringify({ text: content, level: here.level ?? null, time }), here, within, better => {
      if (within.aborted) return;
      best = better;
      // A solution that is being stepped through stays.
      if (!solution?.moves?.length || solution.of !== content || $("at").value === "0") {
        solution = { ...better, of: content };
        steps(better.moves);
      }
      tell();
    }).catch(() => { /* There is none. */ });
  }, LONG);
  try {
    const found = await recalled("solve", content, { ...here, time }, signal, line => {
      bound = Math.max(bound, line.lower_bound);
      tell();
      if (!isValid || signal.aborted) return;
      facts([...line.expanded ? [`${many(line.expanded, "state")} expanded`] : [], ...line.progress ? [line.progress] : line.expanded ? [] : ["preparing"], ...line.level ? [`${line.level[0]} ${line.level[1]} done`] : []]);
    });
    if (!await ready || signal.aborted) return;
    ended.abort();
    // What follows is quick, and needs no button.
    $("stop").hidden = true;
    answered(found, content, best);
    done();
    const further = await Promise.allSettled([recalled("show", content, here, signal), ...found.outcome === "solved" ? [recalled("all", content, { ...here, time: 10 }, signal)] : []]);
    if (signal.aborted) return;
    told(found, further[0].value, further[1]?.value);
    await new Promise(resolve => setTimeout(resolve, REST));
    if (signal.aborted) return;
    const space = await recalled("explore", content, { ...here, time: 3 }, signal);
    told(found, further[0].value, further[1]?.value, space);
    if (found.outcome !== "solved" || !space.dead_ends) return;
    if (!space.limit && space.states <= MOST_POSITIONS) {
      lossy = { of: content, positions: 2 * space.states };
      tellFrame();
    }
    const rated = await recalled("rate", content, { ...here, time: 10 }, signal);
    if (!signal.aborted) told(found, further[0].value, further[1]?.value, space, rated);
  } catch (error) {
    if (error.name !== "AbortError" && await ready && !signal.aborted) outcome(error.message.split("\n")[0], "bad");
  } finally {
    clearTimeout(timer);
    ended.abort();
    if (!signal.aborted) $("stop").hidden = true;
  }
}
function answered(found, content, best) {
  const bound = found.lower_bound ? `; at least ${found.lower_bound}` : "", reasons = [];
  if (found.error) { outcome("Not solved", "bad"); reasons.push(found.error); }
  else if (found.outcome === "solved") outcome(found.optimal ? `Optimum ${found.cost}, proven` : `A solution of cost ${found.cost}${bound}`, "good");
  else if (found.outcome === "unsolvable") { outcome("Unsolvable, proven", "bad"); if (found.reason) reasons.push(found.reason); }
  else {
    outcome(best ? `Best found ${best.cost}, not proven${bound}` : `Not solved yet${bound}`, "busy");
    reasons.push(`stopped at the ${found.limit} limit`);
  }
  $("longer").hidden = !found.limit;
  facts([...reasons, `${many(found.expanded, "state")} expanded`, `${found.algorithm}${found.heuristic ? `, ${found.heuristic}` : ""}`]);
  if (found.limit && best) return;
  solution = { ...found, of: content };
  steps(found.moves?.length ? found.moves : null);
  tellFrame();
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
  if (typeof rated?.traps === "number") says.push(rated.traps ? `traps: ${(100 * rated.traps).toLocaleString("en", { maximumFractionDigits: 1 })} % of moves on the way lose` : "no traps on the way");
  dead = new Set((about?.properties ?? []).filter(one => one.name === "dead").flatMap(one => one.cells.map(String)));
  if (dead.size) says.push(many(dead.size, "dead cell"));
  says.push(`${many(found.expanded, "state")} expanded`);
  facts(says);
  drawCells();
}
// The page that plays the puzzle shows what is left to the optimum, and marks the moves that lose, once that is known.
const MOST_POSITIONS = 50000;
function tellFrame() {
  const shown = $("playFrame").querySelector("iframe");
  if (!shown || !boardOf) return;
  const { moves, cost, optimal, outcome } = solution?.of === boardOf ? solution : {};
  const answer = outcome && { solution: moves ?? [], least: cost ?? null, optimal: Boolean(optimal), hopeless: outcome === "unsolvable" };
  shown.contentWindow.postMessage({ answer, positions: lossy?.of === boardOf ? lossy.positions : undefined }, "*");
}
// Shows the puzzle to play.
async function board(content, here, signal) {
  const { frame: name } = await frame("draw", content, here, signal);
  if (signal.aborted) return;
  const next = element("iframe", { src: `/frame/${name}`, title: "The puzzle, to play" });
  next.setAttribute("sandbox", "allow-scripts");
  next.addEventListener("load", tellFrame);
  boardOf = content;
  shownFrame = next.src;
  $("playFrame").replaceChildren(next);
}
// The steps of the solution.
function steps(moves) {
  // What comes later does not move the drawing: its place is kept.
  for (const part of $("steps").querySelectorAll("button,input")) part.disabled = !moves;
  $("step").textContent = moves ? `0 of ${moves.length}` : "";
  $("at").value = 0;
  if (!moves) { solution = solution && { ...solution, moves: [] }; return; }
  $("at").max = moves.length;
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
$("stop").addEventListener("click", () => { work?.abort(); work = null; $("stop").hidden = true; if ($("outcome").className === "busy") { outcome(solution?.of === text.value && solution.moves?.length ? `Stopped. ${$("outcome").textContent}` : "Stopped"); $("longer").hidden = false; } });
$("longer").addEventListener("click", () => {
  work?.abort();
  const control = work = new AbortController();
  outcome("Solving…", "busy");
  $("stop").hidden = false;
  $("longer").hidden = true;
  solve(text.value, place(), control.signal, 1800);
});
$("level").addEventListener("change", () => { listed(); analyse(true); });
