// Bars: the nodes of each depth and of each f, where a tree would have too many, and the iterations of a search.
function bars(title, rows, names, width = 360, height = 130) {
  // `rows` have a label and the parts of a bar, from below.
  const most = Math.max(1, ...rows.map(row => row.parts.reduce((sum, part) => sum + part, 0)));
  const left = 44, bottom = 20, top = 18, step = (width - left - 4) / Math.max(1, rows.length), wide = Math.max(0.6, Math.min(step * 0.86, 40));
  const out = [], every = Math.ceil(rows.length * 26 / (width - left));
  rows.forEach((row, at) => {
    const x = left + at * step + (step - wide) / 2;
    let y = height - bottom;
    row.parts.forEach((part, n) => {
      const high = part / most * (height - bottom - top);
      y -= high;
      if (part) out.push(`<rect class="${names[n]}" x="${x}" y="${y}" width="${wide}" height="${high}"/>`);
    });
    if (row.mark) out.push(`<text x="${x + wide / 2}" y="${Math.max(10, y - 3)}">${row.mark}</text>`);
    if (at % every === 0) out.push(`<text x="${x + wide / 2}" y="${height - 6}">${escaped(row.label)}</text>`);
  });
  out.push(`<path class="axis" d="M${left} ${top}V${height - bottom}H${width - 4}"/>`);
  out.push(`<text class="end" x="${left - 4}" y="${top + 8}">${most}</text><text class="end" x="${left - 4}" y="${height - bottom}">0</text>`);
  return `<figure><figcaption>${title}</figcaption><svg class="bars" viewBox="0 0 ${width} ${height}" role="img" aria-label="${title}">${out.join("")}</svg></figure>`;
}

// The nodes by depth and by f.
function layers(search, run, host) {
  function show(step) {
    const byDepth = [], byF = new Map();
    for (let node = 0; node < run.size; node++) {
      if (!run.isShown(node, step)) continue;
      const part = run.state(node, step) === OPEN && search.order !== "path" ? 1 : 0;
      const depth = run.depth[node];
      while (byDepth.length <= depth) byDepth.push([0, 0]);
      byDepth[depth][part]++;
      const f = run.f(node, step);
      if (f === null) continue;
      if (!byF.has(f)) byF.set(f, [0, 0]);
      byF.get(f)[part]++;
    }
    const rows = byDepth.map((parts, depth) => ({ label: depth, parts }));
    let out = bars("positions by depth", rows, ["closed", "open"]);
    if (byF.size) {
      const all = [...byF].sort((a, b) => a[0] - b[0]);
      out += bars("positions by f", all.map(([f, parts]) => ({ label: short(f), parts })), ["closed", "open"]);
    }
    host.innerHTML = out + `<p class="key"><span class="box closed"></span>${search.order === "path" ? "visited" : "closed"}`
      + (search.order === "path" ? "</p>" : ` <span class="box open"></span>frontier</p>`);
  }
  return { show };
}

// The iterations: the expansions of each, the threshold below, and above how many moves were cut.
function iterations(run, host) {
  function show(step) {
    const rows = run.iterations.filter(one => one.first <= step).map((one, at, all) => {
      const end = at + 1 < all.length ? all[at + 1].first : step;
      const to = Math.min(step, end);
      const cut = run.columns.pruned[to] - run.columns.pruned[one.first];
      return { label: short(one.threshold), parts: [to - one.first], mark: cut ? `✕${cut}` : "" };
    });
    host.innerHTML = bars("expansions of each iteration, by threshold; ✕ counts what was cut", rows, ["closed"]);
  }
  return { show };
}
