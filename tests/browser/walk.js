// Makes random moves in each level of a page to play in, and writes what the page shows after each to the document as
// JSON, level by level.
"use strict";
const frame = document.querySelector("iframe"), seen = [];
let random = SEED >>> 0;
// Numbers below a bound, by xorshift (Marsaglia 2003).
function below(bound) {
  random ^= random << 13; random >>>= 0;
  random ^= random >>> 17;
  random ^= random << 5; random >>>= 0;
  return random % bound;
}
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow;
  const { levels } = JSON.parse(page.getElementById("game").textContent);
  let level;
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const moves = () => [...page.querySelectorAll("#legal button")];
  const look = did => ({
    did, legal: moves().map(button => button.dataset.move), solved: !page.getElementById("win").hidden,
    figures: [...page.getElementById("pieces").children].map(figure => {
      const [x, y] = figure.style.transform.match(/-?[\d.]+/g).map(Number);
      return `${level.labels[figure.dataset.look]} ${Math.round(y / level.cell)} ${Math.round(x / level.cell)}`;
    }).sort(),
  });
  levels.slice(0, LEVELS).forEach((each, number) => {
    level = each;
    page.querySelectorAll("#levels button")[number]?.click();
    press("n");
    const steps = [look("")];
    for (let step = 0; step < STEPS; step++) {
      const all = moves();
      if (!all.length || below(12) === 0) {
        press("z");
        steps.push(look("undo"));
      } else {
        const button = all[below(all.length)], name = button.dataset.move;
        button.click();
        steps.push(look(name));
      }
    }
    seen.push({ title: page.getElementById("title").textContent, steps });
  });
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
