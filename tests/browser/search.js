// Steps through a page of searches in a frame as wide as a phone, and writes the observations to the document as JSON.
"use strict";
const frame = document.querySelector("iframe"), seen = { panels: [], notes: {} };
frame.addEventListener("load", () => {
  const page = frame.contentDocument, view = frame.contentWindow, { notes } = seen;
  const data = JSON.parse(page.getElementById("search").textContent);
  const press = key => page.body.dispatchEvent(new view.KeyboardEvent("keydown", { key, bubbles: true, cancelable: true }));
  const panels = [...page.querySelectorAll(".panel")], last = Number(page.getElementById("step").max);
  const count = (panel, name) => Number(panel.querySelector(`[data-count="${name}"]`)?.textContent ?? NaN);
  // The first of the list of the side that a node belongs to; lists of two sides have headings.
  const first = (panel, side) => {
    const lists = [[]];
    for (const item of panel.querySelectorAll("[data-part=open] li")) {
      if (item.textContent === "from the goals:") lists.push([]);
      const button = item.querySelector("button");
      if (button) lists.at(-1).push(button.dataset.node);
    }
    return lists[side]?.[0];
  };
  // The node of each expansion.
  const SIZE = [2, 2, 3, 4, 6, 3, 3, 2];
  const expansions = data.searches.map(({ events }) => {
    const found = [];
    for (let at = 0; at < events.length; at += SIZE[events[at]]) if (events[at] === 0) found.push(events[at + 1]);
    return found;
  });
  seen.panels = panels.map((panel, at) => ({
    name: panel.querySelector("h2").textContent, expansions: expansions[at].length, listed: 0, wrong: 0, backwards: 0, parts: 0, unequal: 0, marks: 0,
  }));
  const before = panels.map(() => []);
  for (let step = 0; step <= last; step++) {
    panels.forEach((panel, at) => {
      before[at].push(panel.querySelector("[data-part=counters]").textContent);
      const { nodes } = data.searches[at], current = step ? expansions[at][step - 1] : 0;
      const parts = [...panel.querySelectorAll("[data-part=parts] b")].map(value => Number(value.textContent));
      if (parts.length && current !== undefined && step < expansions[at].length) {
        seen.panels[at].parts++;
        if (Math.abs(parts.reduce((sum, part) => sum + part, 0) - nodes.h[current]) > 0.1) seen.panels[at].unequal++;
        seen.panels[at].marks += panel.querySelectorAll("[data-part=big] .part").length;
      }
      const next = expansions[at][step], open = next === undefined ? undefined : first(panel, nodes.side?.[next] ?? 0);
      if (open === undefined) return;
      seen.panels[at].listed++;
      if (Number(open) !== next) seen.panels[at].wrong++;
    });
    if (step < last) press("ArrowRight");
  }
  panels.forEach((panel, at) => {
    const one = seen.panels[at];
    for (const name of ["expanded", "generated", "frontier", "closed", "depth", "threshold"]) one[name] = count(panel, name);
    one.outcome = panel.querySelector("[data-part=outcome]").textContent;
    one.stop = panel.querySelector("[data-part=stop]").textContent;
    one.map = panel.querySelectorAll("canvas").length;
    one.bars = panel.querySelectorAll("[data-part=iterations] rect").length;
    one.goals = panel.querySelectorAll(".tree .goal, .tree .current").length;
  });
  // Back through all of them, the counters are the same.
  for (let step = last; step >= 0; step--) {
    panels.forEach((panel, at) => {
      if (panel.querySelector("[data-part=counters]").textContent !== before[at][step]) seen.panels[at].backwards++;
    });
    press("ArrowLeft");
  }
  notes.start = page.getElementById("count").textContent;
  press("End");
  notes.end = page.getElementById("count").textContent;
  press("w");
  notes.words = page.getElementById("spoken").textContent;
  notes.shown = panels[0].querySelector("[data-part=words]").textContent;
  press("Home");
  press(" ");
  notes.plays = page.getElementById("play").getAttribute("aria-label");
  press(" ");
  notes.stopped = page.getElementById("play").getAttribute("aria-label");
  notes.named = [...page.querySelectorAll("button")].every(button => button.textContent || button.getAttribute("aria-label"));
  notes.overflow = page.documentElement.scrollWidth - page.documentElement.clientWidth;
  notes.title = page.querySelector("h1").textContent;
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
