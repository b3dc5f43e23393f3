// The commands of the studio, its keys, and its start.
$("new").addEventListener("click", async () => {
  const select = element("select", { id: "kind" }, ...Object.keys(EXAMPLES).map(textContent => element("option", { textContent })));
  if (await question("New puzzle", [element("label", { htmlFor: "kind", textContent: "Begin with" }), select], [["new", "Begin"]]) !== "new" || !await leave()) return;
  begin(null, EXAMPLES[select.value], null);
  saved = "";
  marks();
  text.focus();
});
// A puzzle behind the address of a page: its text and the page that plays it, in JSON, compressed, in base 64 for addresses.
async function pack(content) {
  const stream = new Blob([content]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let all = "";
  for (const byte of bytes) all += String.fromCharCode(byte);
  return btoa(all).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}
async function unpack(packed) {
  const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), c => c.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader(), parts = [];
  for (let size = 0;;) {
    const { value, done } = await reader.read();
    if (done) return new Blob(parts).text();
    size += value.length;
    if (size > 16 << 20) throw new Error("The puzzle in the link is larger than 16 MiB.");
    parts.push(value);
  }
}
// Opens the text in a link, at its level; older links have the text alone.
async function openPacked(packed) {
  const content = await unpack(packed);
  const { text: found, level: number } = content.startsWith("{") ? JSON.parse(content) : { text: content };
  if (typeof found !== "string") throw new Error("the link has no text");
  begin(null, found, null, number);
}
// A link plays the puzzle in any page to play that knows its kind of rules.
async function linkOf(content) {
  const answer = await ask("/api/run/game", place(), { method: "POST", body: content });
  if (!answer.ok) throw new Error((await answer.json()).error);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const game = JSON.parse(page.getElementById("game").textContent);
  return `#puzzle=${await pack(JSON.stringify({ text: content, level: level(), game, first: page.getElementById("stage").innerHTML }))}`;
}
$("open").addEventListener("click", async () => {
  const area = element("textarea", { id: "pasted", spellcheck: false });
  const chosen = element("input", { type: "file", id: "chosen", "aria-label": "A file of this machine" });
  if (await question("Open", [element("label", { htmlFor: "pasted", textContent: "Paste a puzzle, or a link with #puzzle=" }), area, chosen], [["open", "Open"]]) !== "open" || !await leave()) return;
  try {
    const content = chosen.files.length ? await chosen.files[0].text() : area.value;
    const link = /#(?:.*&)?puzzle=([\w-]+)/.exec(content.trim());
    if (link) await openPacked(link[1]);
    else begin(null, content, null);
    saved = "";
    marks();
  } catch (error) { outcome(`This cannot be opened: ${error.message}`, "bad"); }
});
const EXPORTS = [["text", "Text of the puzzle"], ["game", "Page to play (HTML)"], ["page", "Page of the solution (HTML)"], ["svg", "Picture (SVG)"], ["png", "Picture (PNG)"], ["gif", "Solution (GIF)"], ["collection", "Page to play of all levels (HTML)"], ["folder", "Page to play of the folder (HTML)"], ["link", "Link with the puzzle"]];
$("export").addEventListener("click", async () => {
  const select = element("select", { id: "what" }, ...EXPORTS.filter(([value]) => value !== "collection" || isCollection()).map(([value, textContent]) => element("option", { value, textContent })));
  if (await question("Export", [element("label", { htmlFor: "what", textContent: "Format" }), select], [["export", "Export"]]) !== "export") return;
  const what = select.value, stem = named().replace(/^.*\//, "").replace(/\.[^.]*$/, "");
  try {
    if (what === "link") {
      const link = await linkOf(text.value);
      await question("Link", [element("p", { textContent: "Put it behind the address of any page to play, which plays it, or paste it into Open of any studio." }), element("textarea", { value: link, readOnly: true, "aria-label": "Link" })], []);
      return;
    }
    $("done").textContent = "Exporting…";
    let blob;
    if (what === "text") blob = new Blob([text.value], { type: "text/plain" });
    else {
      const answer = await ask(`/api/run/${what}`, { file, level: what === "collection" ? undefined : level() }, { method: "POST", body: text.value });
      if (!answer.ok) throw new Error((await answer.json()).error);
      blob = await answer.blob();
    }
    const ending = { text: named().split(".").pop(), game: "html", page: "html", collection: "html", folder: "html" }[what] ?? what;
    const link = element("a", { href: URL.createObjectURL(blob), download: `${stem}.${ending}` });
    link.click();
    $("done").textContent = `Exported ${link.download}`;
  } catch (error) { $("done").textContent = `Not exported: ${error.message}`; }
});
$("save").addEventListener("click", save);
$("menu").addEventListener("click", () => {
  $("files").hidden = !$("files").hidden;
  document.querySelector("main").classList.toggle("wide", $("files").hidden);
  $("menu").setAttribute("aria-expanded", String(!$("files").hidden));
});
$("filter").addEventListener("input", listed);
// A file whose name does not say that it is a puzzle, such as a game in `.txt`, is opened by its name.
$("filter").addEventListener("keydown", event => { if (event.key === "Enter" && /\.\w+$/.test(event.target.value)) open(event.target.value.trim()); });
addEventListener("keydown", event => {
  if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
  if (event.key === "s") { event.preventDefault(); if (!$("save").disabled) save(); }
  if (event.key === "Enter") { event.preventDefault(); remembered.clear(); analyse(); }
});
addEventListener("beforeunload", event => { if (isDirty()) event.preventDefault(); });
dark.addEventListener("change", () => { pictures.clear(); listed(); analyse(); });
marks();
repaint();
list().then(async () => {
  const packed = new URLSearchParams(location.hash.slice(1)).get("puzzle");
  if (packed) { try { await openPacked(packed); } catch { outcome("The link has no puzzle.", "bad"); } }
});
