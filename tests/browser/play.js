// Plays in a page by clicks, drags, arrows and hints, and writes the observations to the document as JSON.
"use strict";
const frame = document.querySelector("iframe"), seen = {};
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow;
  const level = JSON.parse(page.getElementById("game").textContent).levels[0];
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const text = id => page.getElementById(id).textContent;
  const made = () => page.getElementById("line").value;
  const board = page.getElementById("board");
  // The middle of a cell, in pixels.
  const middle = ([row, column]) => {
    const at = new view.DOMPoint((column + 0.5) * level.cell, (row + 0.5) * level.cell);
    const { x, y } = at.matrixTransform(page.getElementById("pieces").getScreenCTM());
    return { clientX: x, clientY: y };
  };
  const point = (type, cell) =>
    board.dispatchEvent(new view.PointerEvent(type, { ...middle(cell), bubbles: true, pointerId: 1, button: 0 }));
  const drag = (from, to) => { point("pointerdown", from); point("pointermove", to); point("pointerup", to); };
  const click = cell => drag(cell, cell);
  press("n");
  seen.named = [...page.querySelectorAll("button")].every(button => button.textContent || button.getAttribute("aria-label"));
  seen.width = page.documentElement.clientWidth;
  seen.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  for (const [kind, ...cells] of GESTURES) {
    if (kind === "click") click(cells[0]);
    if (kind === "drag") drag(cells[0], cells[1]);
    if (kind === "key") press(cells[0]);
  }
  seen.gestures = made();
  seen.says = text("says");
  press("z");
  press("y");
  seen.redone = made();
  press("n");
  seen.restarted = made();
  // The hint is shown first, then made.
  for (let at = 0; at < 200 && page.getElementById("win").hidden; at++) press("h");
  seen.solved = made();
  seen.won = text("won");
  seen.best = text("best");
  press("n");
  page.getElementById("line").value = level.solution.slice(0, 2).join(level.spaced ? "\n" : " ");
  page.getElementById("go").click();
  seen.pasted = made();
  page.getElementById("link").click();
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
