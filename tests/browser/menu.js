// Plays in a page of several levels, and writes the observations to the document as JSON.
"use strict";
const frame = document.querySelector("iframe"), seen = {};
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow;
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const title = () => page.getElementById("title").textContent;
  const done = () => [...page.querySelectorAll("#levels button")].map(button => button.hasAttribute("data-done"));
  press("n");
  seen.first = title();
  seen.labels = page.querySelectorAll("#pieces text").length;
  for (let at = 0; at < 100 && page.getElementById("win").hidden; at++) press("h");
  seen.done = done();
  seen.offered = !page.getElementById("following").hidden;
  page.getElementById("following").click();
  seen.second = title();
  seen.won = !page.getElementById("win").hidden;
  seen.hint = page.getElementById("hint").hidden;
  press("[");
  seen.back = title();
  seen.kept = page.getElementById("line").value;
  // A link leads to a level and a position.
  view.addEventListener("hashchange", () => {
    seen.linked = title();
    seen.made = page.getElementById("line").value;
    const out = document.createElement("pre");
    out.id = "seen";
    out.textContent = JSON.stringify(seen);
    document.body.append(out);
  });
  view.location.hash = "#level=2&moves=3l+2d";
});
