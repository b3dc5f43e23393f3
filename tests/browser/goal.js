// Looks at the goal of a page, and solves its level with help and without, to see which solutions are kept as records.
"use strict";
const frame = document.querySelector("iframe"), seen = {};
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow;
  const level = JSON.parse(page.getElementById("game").textContent).levels[0];
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const text = id => page.getElementById(id).textContent;
  const result = () => ({ says: text("says"), best: text("best") });
  const goal = page.querySelector("#goal svg"), box = goal.getBoundingClientRect();
  seen.goal = {
    figures: goal.querySelectorAll("g[fill]").length,
    isShown: box.width > 20 && box.height > 20 && box.right <= page.documentElement.clientWidth,
    words: [...page.querySelectorAll("#goal p")].map(words => words.textContent),
  };
  page.getElementById("asText").open = true;
  press("n");
  const paste = () => {
    press("n");
    page.getElementById("line").value = level.solution.join(level.spaced ? "\n" : " ");
    page.getElementById("go").click();
    seen.pasted = result();
  };
  const play = () => {
    press("n");
    for (const name of level.solution) [...page.querySelectorAll("#legal button")].find(move => move.textContent === name).click();
    seen.played = result();
  };
  const watch = () => {
    if (page.getElementById("win").hidden) { setTimeout(watch, 50); return; }
    seen.watched = result();
    paste();
    play();
    const out = document.createElement("pre");
    out.id = "seen";
    out.textContent = JSON.stringify(seen);
    document.body.append(out);
  };
  setTimeout(() => {
    seen.text = text("text").split("\n");
    page.getElementById("watch").click();
    watch();
  }, 50);
});
