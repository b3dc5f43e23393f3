// The puzzles of the folder, and the one that is open.
let file = null, saved = "", version = null, rows = [];
// What the name of such a text ends in, as the server has recognized it.
let ending = "toml";
// The level that was asked for when the text was opened.
let wanted = 1;
const isCollection = () => ending !== "toml";
// The name of the puzzle: that of its file, or one made of its title.
function named() {
  const title = /^[ \t]*(?:title\b[ \t]*=?|;)[ \t]*["']?(.*?)["']?[ \t]*$/im.exec(text.value)?.[1] ?? "";
  const stem = title.normalize("NFKD").toLowerCase().replace(/[^a-z0-9]+/g, "-").replace(/^-|-$/g, "");
  return file ?? `${stem || "puzzle"}.${ending}`;
}
const level = () => isCollection() && !$("levelBar").hidden ? Number($("level").value) || 1 : undefined;
// What all tasks need to know of the open puzzle.
const place = () => ({ file, level: level() });
// An example that New has put in is nothing of one's own yet.
const isDirty = () => text.value !== saved && (file !== null || !Object.values(EXAMPLES).includes(text.value));

function status(row) {
  if (row.errors?.length) return ["bad", row.errors[0].message ?? row.errors[0]];
  const parts = [];
  if (row.outcome === "unsolvable") parts.push("unsolvable");
  else if (row.optimum !== null && row.optimum !== undefined) parts.push(`optimum ${row.optimum}`);
  if (row.snapshot && row.snapshot !== "current" && row.snapshot !== "none") parts.push(`snapshot ${row.snapshot}`);
  return [row.outcome === "unsolvable" ? "bad" : "", [row.size, ...parts].filter(Boolean).join(", ")];
}
const pictures = new Map(), texts = new Map();
const seen = new IntersectionObserver(entries => {
  for (const entry of entries) if (entry.isIntersecting) { seen.unobserve(entry.target); picture(entry.target); }
}, { root: null });
// Ratings of puzzles as they are saved, found one after the other while nothing else is asked for.
const ratings = new Map();
let rating = Promise.resolve(), sparing = new AbortController();
// Leaves the processors to the text that changes: what is being rated is rated later.
function spare() {
  sparing.abort();
  sparing = new AbortController();
}
function rate(holder, key, content) {
  const { file, level, says } = holder;
  const shown = () => { if (typeof ratings.get(key) === "number") says.textContent += `, rated ${ratings.get(key).toLocaleString("en", { maximumFractionDigits: 1 })}`; };
  if (ratings.has(key)) { shown(); return; }
  rating = rating.then(async () => {
    for (let seen = null; seen !== analysed;) await (seen = analysed);
    if (!says.isConnected || ratings.has(key)) return;
    try {
      const found = await one("rate", content, { file, level, time: 2 }, sparing.signal);
      ratings.set(key, found.score);
    } catch (error) {
      if (error.name === "AbortError") { setTimeout(() => rate(holder, key, content), PAUSE); return; }
      ratings.set(key, null);
    }
    shown();
  });
}
let queue = Promise.resolve();
function picture(holder) {
  const { file, level } = holder;
  const key = `${file}#${level ?? ""}`;
  queue = queue.then(async () => {
    if (!holder.isConnected) return;
    try {
      if (!pictures.has(key)) {
        const { text } = await json("/api/file", { file });
        const answer = await ask("/api/run/picture", { file, level, theme: theme() }, { method: "POST", body: text });
        if (!answer.ok) return;
        pictures.set(key, URL.createObjectURL(await answer.blob()));
        texts.set(key, text);
      }
      rate(holder, key, texts.get(key));
      const image = element("img", { src: pictures.get(key), alt: "" });
      holder.replaceWith(image);
    } catch { /* It has no picture. */ }
  });
}
function listed() {
  const wanted = $("filter").value.toLowerCase();
  const shown = rows.filter(row => `${row.file} ${row.title ?? ""}`.toLowerCase().includes(wanted)).slice(0, 500);
  const parts = [];
  let folder = null;
  for (const row of shown) {
    const [path, number] = row.file.replace(/^\.\//, "").split("#");
    const at = path.lastIndexOf("/"), within = at < 0 ? "" : path.slice(0, at);
    if (within !== folder) {
      folder = within;
      if (within) parts.push(element("h3", { textContent: within }));
    }
    const holder = element("span", { className: "none" });
    holder.file = path;
    holder.level = number;
    const [kind, says] = status(row);
    holder.says = element("small", { className: kind, textContent: says });
    const button = element("button", { type: "button" }, holder, element("span", { textContent: row.title ?? path.slice(at + 1) }), holder.says);
    button.title = row.file;
    if (path === file && (!number || Number(number) === level())) button.setAttribute("aria-current", "true");
    button.addEventListener("click", () => open(path, number));
    parts.push(button);
    seen.observe(holder);
  }
  $("list").replaceChildren(...parts);
}
async function list() {
  $("listSays").textContent = "Reading the folder…";
  rows = [];
  // Files that a text names may be others now.
  remembered.clear();
  try {
    const { messages } = await run("list", "", {}, undefined, row => { rows.push(row); if (rows.length % 40 === 0) listed(); });
    $("listSays").textContent = rows.length ? many(rows.length, "puzzle") : messages.trim().replace(/^error: \.: has no puzzles[^]*/, "") || "No puzzles yet: begin with New.";
  } catch (error) { $("listSays").textContent = error.message; }
  listed();
}
// The levels of a collection: how many there are is known once it is read.
function levelsAre(count, now = $("level").value) {
  $("levelBar").hidden = !count;
  $("level").replaceChildren(...Array.from({ length: count }, (_, at) => element("option", { value: at + 1, textContent: at + 1 })));
  if (count) $("level").value = Math.max(1, Math.min(count, Number(now) || 1));
}
async function leave() {
  return !isDirty() || await question("Leave without saving?", [element("p", { textContent: `The changes of ${file ?? "this puzzle"} are not saved.` })], [["leave", "Leave"]]) === "leave";
}
async function open(path, number) {
  if (path === file && isCollection()) { $("level").value = number ?? 1; listed(); analyse(true); return; }
  if (!await leave()) return;
  try {
    const { text: content, version: now } = await json("/api/file", { file: path });
    begin(path, content, now, number);
  } catch (error) { $("listSays").textContent = error.message; }
}
function begin(path, content, now, number) {
  remembered.clear();
  file = path;
  ending = path?.match(/\.(\w+)$/)?.[1].toLowerCase() ?? "toml";
  saved = content;
  version = now;
  sheets = [];
  effects = null;
  hold(null);
  facts([]);
  steps(null);
  text.value = content;
  text.scrollTop = 0;
  text.setSelectionRange(0, 0);
  $("conflict").hidden = true;
  wanted = Number(number ?? 1);
  levelsAre(isCollection() ? wanted : 0, wanted);
  listed();
  changed(true);
}
async function save() {
  if (!file) {
    const input = element("input", { id: "newName", value: named() });
    if (await question("Save as", [element("label", { htmlFor: "newName", textContent: "Name of the file, below the folder" }), input], [["save", "Save"]]) !== "save") return;
    const name = /\.\w+$/.test(input.value) ? input.value : `${input.value}.${ending}`;
    try {
      ({ version } = await json("/api/file", { file: name }, { method: "PUT", body: text.value }));
      file = name;
    } catch (error) {
      outcome(error.status === 409 ? `${name}: there is such a file already; choose another name` : error.message, "bad");
      return;
    }
  } else {
    const content = text.value;
    try {
      ({ version } = await json("/api/file", { file, base: version ?? undefined }, { method: "PUT", body: content }));
      saved = content;
    } catch (error) {
      if (error.status === 409) { conflict(error.value.now); return; }
      outcome(error.message, "bad");
      return;
    }
  }
  saved = text.value;
  $("conflict").hidden = true;
  pictures.clear();
  ratings.clear();
  marks();
  list();
}
// Another program has changed the file.
function conflict(now) {
  $("conflictSays").textContent = now ? `${file} was changed elsewhere.` : `${file} was deleted elsewhere.`;
  $("other").textContent = now?.text ?? "";
  $("other").hidden = true;
  $("both").setAttribute("aria-expanded", "false");
  $("theirs").hidden = $("both").hidden = !now;
  $("conflict").hidden = false;
  $("theirs").onclick = () => { version = now.version; saved = now.text; replace(now.text); $("conflict").hidden = true; marks(); text.focus(); };
  $("mine").onclick = () => { version = now?.version ?? null; saved = now?.text ?? ""; $("conflict").hidden = true; marks(); text.focus(); };
}
$("both").addEventListener("click", () => {
  $("other").hidden = !$("other").hidden;
  $("both").setAttribute("aria-expanded", String(!$("other").hidden));
});
setInterval(async () => {
  if (!file || document.hidden || !$("conflict").hidden) return;
  try {
    const asked = file, { version: now } = await json("/api/version", { file });
    if (asked !== file || now === version || !$("conflict").hidden) return;
    const there = now ? await json("/api/file", { file }) : null;
    if (there?.version === version) return;
    // Nothing of one's own is lost.
    if (there && !isDirty()) { version = there.version; saved = there.text; replace(there.text); marks(); $("listSays").textContent = `${file} was changed elsewhere, and read again.`; }
    else conflict(there);
  } catch { /* The next look may answer. */ }
}, 2000);
function marks() {
  $("name").textContent = file ?? "New puzzle";
  $("dirty").hidden = !isDirty();
  $("save").disabled = Boolean(file) && !isDirty();
  document.title = `${isDirty() ? "• " : ""}${file ?? "New puzzle"} — Studio`;
}
