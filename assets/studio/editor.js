// The editor: a plain text area, transparent over the same text with colours.
const text = $("text"), paint = $("paint");
let problems = [];

const escaped = text => text.replace(/[&<>]/g, c => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[c]);
// The places of colours in a text: comments, strings, tables, keys.
function colours(all) {
  const found = [], isToml = !isCollection();
  if (!isToml) {
    for (const one of all.matchAll(/^[=]+$|^[A-Z]+$|\([^)]*\)|^;.*$/gm)) found.push([one.index, one.index + one[0].length, one[0][0] === "(" || one[0][0] === ";" ? "c" : "t"]);
    return found;
  }
  const parts = /"""[^]*?(?:"""|(?![^]))|'''[^]*?(?:'''|(?![^]))|"(?:\\.|[^"\\\n])*"?|'[^'\n]*'?|#[^\n]*|^[ \t]*\[[^\]\n]*\]+|[\w.-]+(?=[ \t]*=)/gm;
  for (const one of all.matchAll(parts)) {
    const c = one[0].trim()[0];
    found.push([one.index, one.index + one[0].length, c === "#" ? "c" : c === "\"" || c === "'" ? "s" : c === "[" ? "t" : "k"]);
  }
  return found;
}
function repaint() {
  const all = text.value;
  // Longer texts have no colours: they would take longer than a keystroke.
  const marks = all.length < 200000 ? colours(all) : [];
  const cuts = new Set([0, all.length]);
  for (const [from, to] of [...marks, ...problems.map(one => [one.from, one.to])]) cuts.add(from).add(to);
  const ends = [...cuts].filter(at => at <= all.length).sort((a, b) => a - b);
  let html = "", mark = 0;
  for (let at = 0; at + 1 < ends.length; at++) {
    const [from, to] = [ends[at], ends[at + 1]];
    while (mark < marks.length && marks[mark][1] <= from) mark++;
    const colour = mark < marks.length && marks[mark][0] <= from ? marks[mark][2] : "";
    const problem = problems.find(one => one.from <= from && to <= one.to);
    let part = escaped(all.slice(from, to));
    if (colour) part = `<span class="${colour}">${part}</span>`;
    if (problem) part = `<u class="${problem.severity}">${part}</u>`;
    html += part;
  }
  paint.innerHTML = `${html}\n`;
  follow();
}
function follow() {
  paint.scrollTop = text.scrollTop;
  paint.scrollLeft = text.scrollLeft;
}
// The place of a line and a column, which count characters from 1.
function offset(lines, line, column) {
  let at = 0;
  for (let number = 0; number + 1 < line && number < lines.length; number++) at += lines[number].length + 1;
  const characters = [...(lines[line - 1] ?? "")];
  return at + characters.slice(0, column - 1).join("").length;
}
function show(found) {
  const lines = text.value.split("\n");
  problems = found.map(one => {
    if (one.line === null) return { ...one, from: 0, to: 0 };
    const from = offset(lines, one.line, one.column);
    const to = one.end ? offset(lines, one.end.line, one.end.column) : from;
    // An empty place is shown by the character at it, or before it.
    return { ...one, from: to > from ? from : Math.max(0, Math.min(from, text.value.length - 1)), to: Math.max(to, from + 1) };
  });
  $("problems").replaceChildren(...problems.map(one => {
    const place = one.line === null ? "" : `${one.line}:${one.column} `;
    const button = element("button", { type: "button", className: one.severity }, element("b", { textContent: `${place}${one.severity}: ` }), one.message);
    if (one.help || one.label) button.append(element("small", { textContent: [one.label, one.help].filter(Boolean).join(" — ") }));
    button.addEventListener("click", () => { text.focus(); text.setSelectionRange(one.from, one.to); reveal(one.from); });
    return button;
  }));
  repaint();
}
// Offers what would mend a mistake, below it.
function mend(fixes) {
  problems.forEach((one, at) => {
    const fix = fixes.find(fix => one.from <= fix.from && fix.to <= one.to);
    if (!fix) return;
    const button = element("button", { type: "button", className: "fix", textContent: `Replace “${text.value.slice(fix.from, fix.to)}” by “${fix.text}”` });
    button.addEventListener("click", () => { replace(text.value.slice(0, fix.from) + fix.text + text.value.slice(fix.to)); text.focus(); });
    $("problems").children[at].after(button);
  });
}
function reveal(at) {
  const line = text.value.slice(0, at).split("\n").length - 1;
  text.scrollTop = Math.max(0, line * parseFloat(getComputedStyle(text).lineHeight) - text.clientHeight / 2);
}
// Replaces the text by another, as one step of the text area's own undo: only what differs.
function replace(next) {
  const now = text.value;
  if (now === next) return;
  let from = 0, end = 0;
  while (from < now.length && now[from] === next[from]) from++;
  while (end < Math.min(now.length, next.length) - from && now[now.length - 1 - end] === next[next.length - 1 - end]) end++;
  const focused = document.activeElement;
  text.focus({ preventScroll: true });
  text.setSelectionRange(from, now.length - end);
  const put = next.slice(from, next.length - end);
  const done = put ? document.execCommand("insertText", false, put) : document.execCommand("delete");
  if (!done || text.value !== next) { text.value = next; changed(); }
  if (focused && focused !== text && focused.isConnected) focused.focus({ preventScroll: true });
}
function undo(back) {
  const focused = document.activeElement;
  text.focus({ preventScroll: true });
  document.execCommand(back ? "undo" : "redo");
  if (focused && focused !== text && focused.isConnected) focused.focus({ preventScroll: true });
}
text.addEventListener("scroll", follow);
text.addEventListener("input", () => changed());
