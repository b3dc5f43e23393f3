// The drawing: the cells of the text, painted from a palette of its symbols.
let sheets = [], drawnOf = null, brush = 0, sheet = 0, stroke = null, effects = null, dead = new Set();

function symbolsChanged(found) { return JSON.stringify(found.map(one => one.symbols)) !== JSON.stringify(sheets.map(one => one.symbols)); }
// Takes the cells of a text.
function canvas(found, of) {
  const isNew = symbolsChanged(found);
  sheets = found;
  drawnOf = of;
  if (sheet >= sheets.length) sheet = 0;
  if (isNew) brush = 0;
  drawPalette();
  drawCells();
}
const label = symbol => symbol.parts.length ? `${symbol.text} ${symbol.parts.join(" and ")}` : `${symbol.text} empty`;
function drawPalette() {
  const here = sheets[sheet];
  if (!here) { $("palette").replaceChildren(); return; }
  $("palette").replaceChildren(
    ...sheets.length > 1 ? [choice("drawing", sheets.map(one => one.key), sheet, at => { sheet = at; brush = 0; drawPalette(); drawCells(); })] : [],
    ...here.symbols.map((symbol, at) => {
      const button = element("button", { type: "button", textContent: symbol.text.trim() || "␣", title: label(symbol), "aria-label": label(symbol), "aria-pressed": String(at === brush) });
      button.addEventListener("click", () => { brush = at; drawPalette(); });
      return button;
    }));
}
function choice(name, values, at, act) {
  const select = element("select", { "aria-label": name }, ...values.map((value, number) => element("option", { value: number, textContent: value })));
  select.value = at;
  select.addEventListener("change", () => act(Number(select.value)));
  return select;
}
function drawCells() {
  const here = sheets[sheet], grid = $("cells");
  if (!here) { grid.replaceChildren(); return; }
  const focused = document.activeElement?.dataset?.cell;
  grid.style.gridTemplateColumns = `repeat(${here.columns},max-content)`;
  grid.replaceChildren(...here.cells.map((symbol, cell) => {
    const { text, parts } = here.symbols[symbol];
    const row = Math.floor(cell / here.columns), column = cell % here.columns;
    const button = element("button", { type: "button", textContent: text.trim() || " ", "aria-label": `row ${row + 1}, column ${column + 1}: ${label(here.symbols[symbol])}` });
    button.dataset.cell = cell;
    button.tabIndex = cell === Number(focused ?? 0) ? 0 : -1;
    if (text === "#" || parts.includes("wall") || parts.includes("#")) button.classList.add("wall");
    if (dead.has(`${row},${column}`)) { button.classList.add("dead"); button.title = "A dead cell: a piece here never reaches its place"; }
    return button;
  }));
  if (focused !== undefined) grid.children[focused]?.focus({ preventScroll: true });
  colourEffects();
}
// Paints a cell: on the screen at once, in the text as soon as the server has written it.
let pending = [], painting = false;
function paintCell(cell) {
  const here = sheets[sheet];
  if (!here || here.cells[cell] === brush) return;
  here.cells[cell] = brush;
  const button = $("cells").children[cell], symbol = here.symbols[brush];
  button.textContent = symbol.text.trim() || " ";
  button.classList.toggle("wall", symbol.text === "#" || symbol.parts.includes("wall") || symbol.parts.includes("#"));
  pending.push([sheet, cell, brush]);
  flush();
}
async function flush() {
  if (painting || !pending.length) return;
  painting = true;
  const set = pending, of = drawnOf;
  pending = [];
  try {
    const { text: next, sheets: found } = await one("canvas", JSON.stringify({ text: of.text, level: level() ?? null, set: [...of.set, ...set] }), place());
    if (drawnOf === of && text.value === of.shown) {
      drawnOf = { ...of, set: [...of.set, ...set], shown: next };
      if (!pending.length) { sheets = found; drawCells(); }
      replace(next);
    }
  } catch (error) { $("drawSays").textContent = error.message; }
  painting = false;
  flush();
}
function cellAt(event) {
  const at = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.cell;
  return at === undefined ? null : Number(at);
}
function drawPanel() {
  const grid = element("div", { id: "cells", className: "grid", role: "group", "aria-label": "Cells; arrow keys move, Space paints, a symbol's key chooses it" });
  const panel = element("div", {},
    element("div", { id: "palette", className: "palette", role: "toolbar", "aria-label": "Symbols" }),
    element("div", { className: "bar" }, ...[["undo", "Undo"], ["redo", "Redo"]].map(([id, textContent]) => {
      const button = element("button", { type: "button", textContent });
      button.addEventListener("click", () => undo(id === "undo"));
      return button;
    })),
    grid, element("p", { id: "drawSays", className: "says", role: "status" }));
  grid.addEventListener("pointerdown", event => {
    const cell = cellAt(event);
    if (cell === null) return;
    event.preventDefault();
    grid.children[cell].focus({ preventScroll: true });
    stroke = event.pointerId;
    if (event.button === 2) { brush = sheets[sheet].cells[cell]; drawPalette(); stroke = null; return; }
    paintCell(cell);
  });
  grid.addEventListener("contextmenu", event => event.preventDefault());
  grid.addEventListener("pointermove", event => {
    const cell = cellAt(event);
    if (stroke === event.pointerId && cell !== null) paintCell(cell);
    if (cell !== null) tellEffects(cell);
  });
  addEventListener("pointerup", () => { stroke = null; });
  grid.addEventListener("focusin", event => { if (event.target.dataset.cell !== undefined) tellEffects(Number(event.target.dataset.cell)); });
  grid.addEventListener("keydown", event => {
    const here = sheets[sheet], cell = Number(event.target.dataset.cell);
    const by = { ArrowUp: -here.columns, ArrowDown: here.columns, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" || event.key === "y") { event.preventDefault(); undo(event.key === "z" && !event.shiftKey); }
      return;
    }
    if (by !== undefined) {
      event.preventDefault();
      const next = grid.children[cell + by];
      if (next) { event.target.tabIndex = -1; next.tabIndex = 0; next.focus(); }
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      paintCell(cell);
    } else {
      const at = here.symbols.findIndex(symbol => symbol.text === event.key);
      if (at >= 0) { event.preventDefault(); brush = at; drawPalette(); paintCell(cell); }
    }
  });
  return panel;
}
// What each symbol in a cell would do to the optimum.
function colourEffects() {
  const here = sheets[sheet];
  for (const button of $("cells").children) button.classList.remove("shorter", "longer", "unsolvable");
  if (!effects || !here) return;
  for (const one of effects) {
    if (one.edit !== "set" || one.drawing !== here.key || one.symbol !== here.symbols[brush].text) continue;
    const button = $("cells").children[one.row * here.columns + one.column];
    if (button && ["shorter", "longer", "unsolvable"].includes(one.effect)) button.classList.add(one.effect);
  }
}
function tellEffects(cell) {
  const here = sheets[sheet];
  if (!effects || !here) return;
  const row = Math.floor(cell / here.columns), column = cell % here.columns;
  const says = effects.filter(one => one.row === row && one.column === column && one.drawing === here.key).map(one => {
    const what = one.edit === "set" ? `${one.symbol} here` : one.edit === "remove" ? `without ${one.symbol}` : `${one.symbol} ${one.direction}`;
    return `${what}: ${one.outcome === "solved" ? one.cost : one.effect}`;
  });
  $("drawSays").textContent = says.join(", ") || `Row ${row + 1}, column ${column + 1}: no edit here.`;
}
