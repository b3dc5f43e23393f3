// Plays in the page of a game by keys, and writes what the page says and the part of the board that it shows to the
// document as JSON.
"use strict";
const frame = document.querySelector("iframe"), seen = [];
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow;
  const { cell } = JSON.parse(page.getElementById("game").textContent).levels[0];
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const look = key => {
    const shown = page.getElementById("board").getAttribute("viewBox").split(" ").map(Number);
    const { e, f } = page.getElementById("pieces").transform.baseVal.consolidate().matrix;
    seen.push({
      key, note: page.getElementById("note").textContent, says: page.getElementById("says").textContent,
      loud: page.getElementById("says").classList.contains("loud"), won: !page.getElementById("win").hidden,
      made: page.getElementById("line").value,
      window: [(shown[0] - e) / cell, (shown[1] - f) / cell, shown[2] / cell, shown[3] / cell],
    });
  };
  press("n");
  look("");
  for (const key of KEYS) { press(key); look(key); }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
