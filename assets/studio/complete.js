// Completions while one writes, and explanations of what the pointer or the caret is at; the server knows both.
const offers = $("complete");
let offered = [], offer = 0, asking = null;
// Whether the offers were asked for, or one of them chosen. Otherwise Enter ends the line, as it does without offers.
let isChosen = false;

const where = at => JSON.stringify({ text: text.value, file: named(), at });
function close() {
  asking?.abort();
  asking = null;
  offered = [];
  offers.hidden = true;
  text.removeAttribute("aria-activedescendant");
}
async function complete(isAsked) {
  close();
  const control = asking = new AbortController();
  isChosen = isAsked;
  try {
    const found = await one("complete", where(text.selectionStart), { file }, control.signal);
    if (control.signal.aborted || document.activeElement !== text) return;
    // What is written already is no offer, nor what is unlike it, unless all were asked for.
    const bare = word => word.replace(/^["']|["']$/g, "").toLowerCase();
    offered = found.filter(one => {
      const written = text.value.slice(one.from, one.to);
      return written !== one.text && (isAsked || (bare(written) && bare(one.text).startsWith(bare(written))));
    });
    offer = 0;
    showOffers();
  } catch { /* There is nothing to offer. */ }
}
function showOffers() {
  offers.hidden = !offered.length;
  if (!offered.length) return;
  offers.replaceChildren(...offered.map((one, at) => {
    const row = element("div", { id: `offer${at}`, role: "option", "aria-selected": String(at === offer) }, one.label);
    if (at === offer) row.append(element("small", { textContent: one.about }));
    row.addEventListener("pointerdown", event => { event.preventDefault(); offer = at; takeOffer(); });
    return row;
  }));
  text.setAttribute("aria-activedescendant", `offer${offer}`);
  const { x, y } = placeOf(text.selectionStart);
  offers.style.left = `${Math.max(0, Math.min(x, text.clientWidth - 340))}px`;
  offers.style.top = `${y + 24 > text.clientHeight / 2 ? Math.max(0, y - offers.offsetHeight) : y + 22}px`;
  offers.children[offer].scrollIntoView({ block: "nearest" });
}
// The place of a character on the screen, within the editor: lines are not wrapped, and letters have one width.
function placeOf(at) {
  const lines = text.value.slice(0, at).split("\n"), style = getComputedStyle(text);
  const context = document.createElement("canvas").getContext("2d");
  context.font = style.font;
  return { x: 8 + context.measureText(lines.at(-1)).width - text.scrollLeft, y: 8 + (lines.length - 1) * parseFloat(style.lineHeight) - text.scrollTop };
}
function takeOffer() {
  const { from, to, text: put } = offered[offer];
  close();
  text.setSelectionRange(from, to);
  document.execCommand("insertText", false, put);
}
text.addEventListener("keydown", event => {
  if (event.ctrlKey && event.key === " ") { event.preventDefault(); complete(true); return; }
  if (offers.hidden) return;
  const act = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (act) { event.preventDefault(); isChosen = true; offer = (offer + act + offered.length) % offered.length; showOffers(); }
  else if (event.key === "Tab" || (event.key === "Enter" && isChosen)) { event.preventDefault(); takeOffer(); }
  else if (event.key === "Escape") { event.preventDefault(); event.stopPropagation(); close(); }
});
text.addEventListener("input", event => {
  if (event.inputType === "insertText" && /[\w"'=-]/.test(event.data ?? "") && document.activeElement === text && event.isTrusted) complete(false);
  else close();
});
text.addEventListener("blur", close);
text.addEventListener("click", close);
// What the pointer rests on is explained below the text.
let resting = 0;
text.addEventListener("pointermove", event => {
  clearTimeout(resting);
  resting = setTimeout(async () => {
    const style = getComputedStyle(text), box = text.getBoundingClientRect(), lines = text.value.split("\n");
    const line = Math.floor((event.clientY - box.top - 8 + text.scrollTop) / parseFloat(style.lineHeight));
    const context = document.createElement("canvas").getContext("2d");
    context.font = style.font;
    const column = Math.floor((event.clientX - box.left - 8 + text.scrollLeft) / context.measureText("m").width);
    if (line < 0 || line >= lines.length || column < 0 || column >= lines[line].length) { $("hover").textContent = ""; return; }
    const at = lines.slice(0, line).reduce((sum, one) => sum + one.length + 1, 0) + column;
    try { $("hover").textContent = (await one("hover", where(at), { file })) ?? ""; } catch { $("hover").textContent = ""; }
  }, 250);
});
