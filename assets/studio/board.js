// The drawing: the cells of the text, painted from a palette of its symbols, and changed as a whole.
let sheets = [], drawnOf = null, brush = 0, sheet = 0, stroke = null, effects = null, dead = new Set();
// Moving: the cell that is held, and the one over which it is dragged.
let moving = false, held = null, over = null;

const palettes = () => sheets.map(({ key, has_words, symbols, kinds }) => ({ key, has_words, symbols, kinds }));
// Takes the cells of a text.
function canvas(found, of) {
  const chosen = sheets[sheet]?.symbols[brush]?.text;
  keep(found);
  drawnOf = of;
  if (sheet >= sheets.length) sheet = 0;
  // The numbers of the symbols may be others now.
  brush = Math.max(0, sheets[sheet]?.symbols.findIndex(symbol => symbol.text === chosen) ?? 0);
  $("cells").classList.remove("stale");
  drawPalette();
  drawCells();
}
// Keeps the cells as the server has written them, to which a cell returns that it refuses to paint.
let kept = [];
function keep(found) {
  sheets = found;
  kept = found.map(({ cells }) => [...cells]);
}
// The text has no drawing that could be changed: the last one stays, to be seen.
function stale(message) {
  drawnOf = null;
  $("drawSays").textContent = sheets.length ? `${message}. Until then, the drawing is that of before.` : message;
  $("cells").classList.toggle("stale", sheets.length > 0);
}
const label = symbol => symbol.parts.length ? `${symbol.text.trim() || "space"} ${symbol.parts.join(" and ")}` : `${symbol.text.trim() || "space"} empty`;
function drawPalette() {
  const here = sheets[sheet];
  if (!here) { $("palette").replaceChildren(); return; }
  const move = element("button", { type: "button", textContent: "Move", title: "Drag pieces; with the keyboard, Space takes one and arrow keys move it", "aria-pressed": String(moving) });
  move.addEventListener("click", () => { moving = !moving; hold(null); drawPalette(); });
  $("palette").replaceChildren(
    ...sheets.length > 1 ? [choice("drawing", sheets.map(one => one.key), sheet, at => { sheet = at; brush = 0; hold(null); drawPalette(); drawCells(); })] : [],
    move,
    ...here.symbols.map((symbol, at) => {
      const button = element("button", { type: "button", textContent: symbol.text.trim() || "␣", title: label(symbol), "aria-label": label(symbol), "aria-pressed": String(!moving && at === brush) });
      button.addEventListener("click", () => { brush = at; moving = false; hold(null); drawPalette(); colourEffects(); });
      return button;
    }), ...newBlock(here));
}
// A button for a block of a letter that no block has yet.
function newBlock(here) {
  const letter = [..."abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"].find(one => !(one in here.kinds) && !here.symbols.some(symbol => symbol.text === one));
  if (!letter || !Object.values(here.kinds).includes("block")) return [];
  const button = element("button", { type: "button", textContent: `+${letter}`, title: `A new block: paint the cells of ${letter}`, "aria-label": `A new block, ${letter}` });
  button.addEventListener("click", () => {
    here.kinds[letter] = "block";
    brush = here.symbols.push({ text: letter, parts: [letter] }) - 1;
    moving = false;
    // The server hears of the block with the first cell that is painted.
    if (drawnOf) drawnOf = { ...drawnOf, known: palettes() };
    hold(null);
    drawPalette();
  });
  return [button];
}
// The cells of the piece in a cell: those of a block belong together.
function pieceAt(cell) {
  const here = sheets[sheet], symbol = here.symbols[here.cells[cell]];
  const block = symbol.parts.find(part => here.kinds[part] === "block");
  if (block === undefined) return symbol.parts.length ? [cell] : [];
  return here.cells.flatMap((other, at) => here.symbols[other].parts.includes(block) ? [at] : []);
}
function hold(cell) {
  held = cell;
  over = cell;
  showHeld();
}
function showHeld() {
  const here = sheets[sheet], grid = $("cells");
  for (const button of grid.children) button.classList.remove("held", "target");
  if (held === null || !here) return;
  const columns = here.columns, rows = Math.floor(over / columns) - Math.floor(held / columns), across = over % columns - held % columns;
  for (const cell of pieceAt(held)) {
    grid.children[cell]?.classList.add("held");
    const column = cell % columns + across;
    if (over !== held && column >= 0 && column < columns) grid.children[cell + rows * columns + across]?.classList.add("target");
  }
}
// Changes the drawing as a whole; the text follows in one step of its undo. Returns whether that was possible.
async function rearrange(change, focus) {
  if (!drawnOf || painting) return false;
  painting = true;
  const known = palettes(), content = text.value;
  let done = false;
  try {
    const { text: next, sheets: found } = await one("canvas", JSON.stringify({ text: content, level: level() ?? null, changes: [change], known }), place());
    if (text.value === content) {
      canvas(found, { text: next, known, set: [], shown: next });
      $("drawSays").textContent = "";
      replace(next);
      if (focus !== undefined) focusCell(focus);
      done = true;
    }
  } catch (error) { $("drawSays").textContent = plain(error); }
  painting = false;
  flush();
  return done;
}
const plain = error => error.message.replace(/^error: -[^:]*: /, "").trim();
function focusCell(cell) {
  const grid = $("cells"), next = grid.children[cell];
  if (!next) return;
  for (const button of grid.children) button.tabIndex = -1;
  next.tabIndex = 0;
  next.focus({ preventScroll: true });
}
async function drop(to) {
  const from = held;
  if (from === null || to === null || to === from) return;
  if (await rearrange({ move: [sheet, from, to] }, to) && held === from) hold(to);
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
    look(button, here, symbol);
    if (dead.has(`${row},${column}`)) { button.classList.add("dead"); button.title = "A dead cell: a piece here never reaches its place"; }
    return button;
  }));
  if (focused !== undefined) grid.children[focused]?.focus({ preventScroll: true });
  colourEffects();
  showHeld();
}
// Walls are dark, and each block has a colour of its own.
function look(button, here, symbol) {
  const { text, parts } = here.symbols[symbol], names = Object.keys(here.kinds).filter(part => here.kinds[part] === "block");
  const block = names.findIndex(part => parts.includes(part));
  button.textContent = text.trim() || " ";
  button.classList.toggle("wall", text === "#" || parts.includes("wall") || parts.includes("#"));
  button.classList.toggle("block", block >= 0);
  if (block >= 0) button.style.setProperty("--hue", Math.round(block * 137.5) % 360);
}
// Paints a cell: on the screen at once, in the text as soon as the server has written it.
let pending = [], painting = false;
function paintCell(cell) {
  const here = sheets[sheet];
  if (!here || !drawnOf || here.cells[cell] === brush) return;
  here.cells[cell] = brush;
  look($("cells").children[cell], here, brush);
  pending.push([sheet, cell, brush]);
  flush();
}
async function flush() {
  if (painting || !pending.length) return;
  if (!drawnOf) { pending = []; return; }
  painting = true;
  const set = pending, of = drawnOf, content = text.value, where = JSON.stringify([place(), level()]);
  // What was written since the drawing was made is kept: the cells are painted in the text as it is now.
  const base = content === of.shown ? of : { text: content, set: [] };
  pending = [];
  try {
    const { text: next, sheets: found } = await one("canvas", JSON.stringify({ text: base.text, level: level() ?? null, set: [...base.set, ...set], known: of.known }), place());
    if (drawnOf === of && text.value === content) {
      drawnOf = { ...of, text: base.text, set: [...base.set, ...set], shown: next };
      if (!pending.length) { keep(found); drawCells(); }
      replace(next);
    } else if (JSON.stringify([place(), level()]) === where) pending = [...set, ...pending];
  } catch (error) {
    pending = [];
    sheets.forEach((one, at) => { one.cells = [...kept[at]]; });
    drawCells();
    $("drawSays").textContent = plain(error);
  }
  painting = false;
  flush();
}
function cellAt(event) {
  const at = document.elementFromPoint(event.clientX, event.clientY)?.dataset?.cell;
  return at === undefined ? null : Number(at);
}
const ARRANGE = [
  ...[["up", "↑", "Add a row above", "Remove the row above"], ["down", "↓", "Add a row below", "Remove the row below"], ["left", "←", "Add a column on the left", "Remove the column on the left"], ["right", "→", "Add a column on the right", "Remove the column on the right"]]
    .flatMap(([side, sign, more, less]) => [[{ grow: side }, `${sign}+`, more], [{ shrink: side }, `${sign}−`, less]]),
  ["mirror", "⇄", "Mirror left and right"], ["flip", "⇅", "Mirror above and below"], ["turn", "↻", "Turn clockwise"]];
function drawPanel() {
  const grid = element("div", { id: "cells", className: "grid", role: "group", "aria-label": "Cells; arrow keys go, Space paints or takes a piece, a symbol's key paints it" });
  const panel = element("div", {},
    element("div", { id: "palette", className: "palette", role: "toolbar", "aria-label": "Symbols" }),
    element("div", { className: "bar" }, ...[["undo", "Undo"], ["redo", "Redo"]].map(([id, textContent]) => {
      const button = element("button", { type: "button", textContent });
      button.addEventListener("click", () => undo(id === "undo"));
      return button;
    }), ...ARRANGE.map(([change, sign, title]) => {
      const button = element("button", { type: "button", textContent: sign, title, "aria-label": title });
      button.addEventListener("click", () => { hold(null); rearrange(change); });
      return button;
    })),
    grid, element("p", { id: "drawSays", className: "says", role: "status" }));
  grid.addEventListener("pointerdown", event => {
    const cell = cellAt(event);
    if (cell === null) return;
    event.preventDefault();
    grid.children[cell].focus({ preventScroll: true });
    stroke = event.pointerId;
    if (moving) { hold(pieceAt(cell).length ? cell : null); return; }
    if (event.button === 2) { brush = sheets[sheet].cells[cell]; drawPalette(); stroke = null; return; }
    paintCell(cell);
  });
  grid.addEventListener("contextmenu", event => event.preventDefault());
  grid.addEventListener("pointermove", event => {
    const cell = cellAt(event);
    if (stroke === event.pointerId && cell !== null) {
      if (!moving) paintCell(cell);
      else if (held !== null && cell !== over) { over = cell; showHeld(); }
    }
    if (cell !== null) tellEffects(cell);
  });
  addEventListener("pointerup", async event => {
    if (stroke !== event.pointerId) return;
    stroke = null;
    if (!moving || held === null) return;
    await drop(cellAt(event));
    hold(null);
  });
  addEventListener("pointercancel", () => { stroke = null; hold(null); });
  grid.addEventListener("focusin", event => { if (event.target.dataset.cell !== undefined) tellEffects(Number(event.target.dataset.cell)); });
  grid.addEventListener("keydown", event => {
    const here = sheets[sheet], cell = Number(event.target.dataset.cell);
    const by = { ArrowUp: -here.columns, ArrowDown: here.columns, ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (event.ctrlKey || event.metaKey) {
      if (event.key === "z" || event.key === "y") { event.preventDefault(); undo(event.key === "z" && !event.shiftKey); }
      return;
    }
    if (by !== undefined && held !== null) {
      event.preventDefault();
      const isOver = Math.abs(by) === 1 && Math.floor(cell / here.columns) !== Math.floor((cell + by) / here.columns);
      if (!isOver && grid.children[cell + by]) drop(cell + by);
    } else if (event.key === "Escape" && held !== null) {
      event.preventDefault();
      hold(null);
    } else if (by !== undefined) {
      event.preventDefault();
      const next = grid.children[cell + by];
      if (next) { event.target.tabIndex = -1; next.tabIndex = 0; next.focus(); }
    } else if (event.key === " " || event.key === "Enter") {
      event.preventDefault();
      if (moving) hold(held === null && pieceAt(cell).length ? cell : null);
      else paintCell(cell);
    } else {
      const at = here.symbols.findIndex(symbol => symbol.text === event.key);
      if (at >= 0) { event.preventDefault(); brush = at; moving = false; hold(null); drawPalette(); paintCell(cell); }
    }
  });
  return panel;
}
// The edits that put a symbol into a cell of the drawing that is shown, by their symbols, rows and columns. Those of a level
// have its own symbols.
const keyOf = (symbol, row, column) => `${symbol} ${row} ${column}`;
const isShown = (one, here) => here.key === "level" || one.drawing === here.key;
const symbolOf = one => one.level ?? one.symbol;
// What each symbol in a cell would do to the optimum.
function colourEffects() {
  const here = sheets[sheet], cells = [...$("cells").children];
  for (const button of cells) button.classList.remove("shorter", "longer", "unsolvable");
  if (!effects?.length || !here) return;
  const sets = effects.filter(one => one.edit === "set" && isShown(one, here));
  const known = new Map(sets.map(one => [keyOf(symbolOf(one), one.row, one.column), one.effect]));
  const symbol = here.symbols[brush]?.text;
  cells.forEach((button, cell) => {
    const effect = known.get(keyOf(symbol, Math.floor(cell / here.columns), cell % here.columns));
    if (["shorter", "longer", "unsolvable"].includes(effect)) button.classList.add(effect);
  });
}
function tellEffects(cell) {
  const here = sheets[sheet];
  if (!effects || !here) return;
  const row = Math.floor(cell / here.columns), column = cell % here.columns;
  const isEdit = one => one.edit !== "set" || symbolOf(one) !== here.symbols[here.cells[cell]].text;
  const says = effects.filter(one => one.row === row && one.column === column && isShown(one, here) && isEdit(one)).map(one => {
    const symbol = symbolOf(one).trim() || "space";
    const what = one.edit === "set" ? `${symbol} here` : one.edit === "remove" ? `without ${symbol}` : `${symbol} ${one.direction}`;
    return `${what}: ${one.outcome === "solved" ? one.cost : one.effect}`;
  });
  $("drawSays").textContent = says.join(", ") || `Row ${row + 1}, column ${column + 1}: no edit here.`;
}
