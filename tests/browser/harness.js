// Drives a page in a frame as wide as a phone, and writes the observations to the document as JSON.
"use strict";
const frame = document.querySelector("iframe"), seen = { steps: [], notes: {} };
function look(page) {
  page.getAnimations().forEach(animation => animation.finish());
  const board = page.getElementById("board"), box = board.getBoundingClientRect();
  const unit = box.width / board.viewBox.baseVal.width, cell = JSON.parse(page.getElementById("film").textContent).cell;
  const actors = [...board.querySelectorAll("g[id^=a]")].filter(actor => actor.getAttribute("opacity") !== "0");
  const text = id => page.getElementById(id).textContent;
  return {
    move: text("current"), g: Number(text("g")), h: Number(text("h")), f: Number(text("f")),
    solved: !page.getElementById("solved").hidden,
    actors: actors.map(actor => {
      const at = actor.getBoundingClientRect();
      const row = Math.round(((at.top - box.top) / unit - 4) / cell), column = Math.round(((at.left - box.left) / unit - 4) / cell);
      return `${actor.textContent} ${row} ${column}`;
    }).sort(),
  };
}
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow;
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const last = Number(page.getElementById("step").max), notes = seen.notes;
  seen.steps.push(look(page));
  for (let move = 0; move < last; move++) {
    press("ArrowRight");
    seen.steps.push(look(page));
  }
  press("ArrowRight");
  notes.beyond = look(page).move;
  press("ArrowLeft");
  notes.back = look(page);
  press("Home");
  notes.home = look(page);
  press("End");
  notes.end = look(page);
  press("Home");
  press("+");
  notes.pace = page.getElementById("pace").textContent;
  press("-");
  press(" ");
  notes.plays = page.getElementById("play").getAttribute("aria-label");
  press(" ");
  notes.stopped = page.getElementById("play").getAttribute("aria-label");
  page.querySelector("#moves button")?.click();
  notes.clicked = look(page).move;
  const step = page.getElementById("step");
  step.value = last;
  step.dispatchEvent(new view.Event("input", { bubbles: true }));
  notes.slid = look(page);
  notes.width = page.documentElement.clientWidth;
  notes.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  notes.dark = view.matchMedia("(prefers-color-scheme: dark)").matches;
  notes.page = view.getComputedStyle(page.body).backgroundColor;
  notes.floor = view.getComputedStyle(page.querySelector(".floor, .ink, .faint") ?? page.body).fill;
  notes.named = [...page.querySelectorAll("button")].every(button => button.textContent || button.getAttribute("aria-label"));
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
