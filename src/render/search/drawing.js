// Small drawings: each position is a group of figures over the board, made when it is first shown.
const SVG = "http://www.w3.org/2000/svg";
const escaped = text => String(text).replace(/[&<>"]/g, c => `&#${c.charCodeAt(0)};`);
const short = value => value === null || value === Infinity ? "∞" : String(Math.round(value * 100) / 100);

// Hues far apart, by the golden angle.
const partColour = number => `hsl(${Math.round(number * 137.5) % 360} 70% 50%)`;

function drawings(page) {
  const { board } = page, known = new Set();
  const list = picture => {
    const all = board.positions[picture], found = [];
    for (let at = 0; at < all.length; at += 2) found.push([all[at], all[at + 1]]);
    return found;
  };
  const place = cell => {
    const [row, column] = [Math.floor(cell / board.columns), cell % board.columns];
    const [down, right] = board.discs[cell] ?? [0, 0];
    return [(column + right) * board.cell, (row + down) * board.cell];
  };
  // Returns the name of the group of a position.
  function group(picture) {
    if (!known.has(picture)) {
      known.add(picture);
      const parts = list(picture).map(([look, cell]) => {
        const [x, y] = place(cell);
        return `<use href="#k${look}" x="${x}" y="${y}"/>`;
      });
      const element = document.createElementNS(SVG, "g");
      element.id = "position" + picture;
      element.innerHTML = `<use href="#ground"/><g transform="translate(${board.x} ${board.y})">${parts.join("")}</g><use href="#over"/>`;
      document.getElementById("positions").append(element);
    }
    return "position" + picture;
  }
  const scale = longest => longest / Math.max(board.width, board.height);
  const size = longest => [board.width * scale(longest), board.height * scale(longest)];
  // Marks the cells of a part of h in its colour.
  function marks(picture, { figures, cells }, number) {
    const all = new Set(cells);
    for (const [look, cell] of list(picture)) if (figures.includes(board.labels[look])) board.shapes[look].forEach(offset => all.add(cell + offset));
    return [...all].map(cell => {
      const [x, y] = place(cell), colour = partColour(number);
      return `<rect class="part" x="${x}" y="${y}" width="${board.cell}" height="${board.cell}" fill="${colour}" stroke="${colour}"/>`;
    }).join("");
  }
  // A drawing whose longer side has so many pixels, as markup.
  // `parts` are marked: each with its labels, cells and value.
  function svg(picture, longest, parts = []) {
    const [width, height] = size(longest);
    if (picture < 0) return "";
    return `<svg style="width:${short(width)}px;height:${short(height)}px" viewBox="0 0 ${board.width} ${board.height}" aria-hidden="true">`
      + `<use href="#${group(picture)}"/><g transform="translate(${board.x} ${board.y})">${parts.map((part, at) => marks(picture, part, at)).join("")}</g></svg>`;
  }
  // The position in characters, row by row.
  function text(picture) {
    if (picture < 0) return "";
    const rows = Array.from({ length: board.rows }, () => Array(board.columns).fill("."));
    for (const cell of board.walls) rows[Math.floor(cell / board.columns)][cell % board.columns] = "#";
    for (const [look, cell] of list(picture)) {
      for (const offset of board.shapes[look]) {
        const at = cell + offset, row = rows[Math.floor(at / board.columns)];
        if (row && at % board.columns in row) row[at % board.columns] = board.labels[look] || "o";
      }
    }
    const wide = Math.max(...rows.flat().map(one => one.length));
    return rows.map(row => row.map(one => one.padStart(wide)).join(wide > 1 ? " " : "")).join("\n");
  }
  return { svg, size, scale, group, text };
}
