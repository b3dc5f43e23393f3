// The figures on the board, and their changes.

const name = cell => [Math.floor(cell / columns), cell % columns];
// Cells off the grid are drawn that far from their own places.
const css = cell => {
  const [r, c] = name(cell), [down, right] = level.discs[cell] ?? [0, 0];
  return `translate(${(c + right) * level.cell}px,${(r + down) * level.cell}px)`;
};
const covered = ({ look, cell }) => level.shapes[look].map(offset => cell + offset);

// The places in the name of a move.
const placesIn = written => Array.from(written.matchAll(/(\d+), ?(\d+)/g), found => Number(found[1]) * columns + Number(found[2]));

// The changes from one position to another: figures that move, those that go and those that come. A figure that an
// operator copies keeps its identity; otherwise one of the same kind does, that is the same but for its colour: first
// that at the place in the move's name, then the nearest.
function changes(from, { to, came, name: written }) {
  const old = [], wanted = [], named = placesIn(written);
  for (let v = 0; v < drawn.count; v++) {
    if (v < drawn.variables && from[v] === to[v]) continue;
    for (const [look, cell] of drawn.at(v, from)) old.push({ v, look, cell });
    for (const [look, cell] of drawn.at(v, to)) wanted.push({ v, look, cell });
  }
  const moved = [], born = [];
  const take = (one, fits) => {
    let best = -1, least = Infinity;
    old.forEach((other, at) => {
      if (level.kinds[other.look] !== level.kinds[one.look] || !fits(other)) return;
      const [r, c] = name(one.cell), [r2, c2] = name(other.cell);
      const far = named.includes(other.cell) ? -1 : Math.abs(r - r2) + Math.abs(c - c2);
      if (far < least) [best, least] = [at, far];
    });
    if (best < 0) return false;
    const [was] = old.splice(best, 1);
    moved.push({ ...was, to: one.cell, of: one.v, became: one.look });
    return true;
  };
  const rest = wanted.filter(one => !take(one, other => other.cell === one.cell));
  const later = rest.filter(one => !came.has(one.v) || !take(one, other => other.v === came.get(one.v)));
  for (const one of later) if (!take(one, () => true)) born.push(one);
  return { moved, gone: old, born };
}

const elements = new Map();
const id = (v, look, cell) => `${v} ${look} ${cell}`;
function add(look, cell, v) {
  const element = $("k" + look).cloneNode(true);
  element.removeAttribute("id");
  element.style.transform = css(cell);
  element.dataset.look = look;
  // Figures with sprites lie above each other.
  const before = [...$("pieces").children].find(other => other.rank > level.ranks[look]);
  element.rank = level.ranks[look];
  $("pieces").insertBefore(element, before ?? null);
  if (v >= 0) elements.set(id(v, look, cell), element);
  return element;
}
function drawAll() {
  $("pieces").textContent = "";
  elements.clear();
  for (const [look, cell] of drawn.fixed) add(look, cell, -1);
  for (let v = 0; v < drawn.count; v++) for (const [look, cell] of drawn.at(v, x)) add(look, cell, v);
}
function drawChange(move) {
  const { moved, gone, born } = changes(x, move);
  const duration = calm.matches ? 0 : 170;
  $("pieces").getAnimations({ subtree: true }).forEach(animation => animation.finish());
  const taken = moved.map(({ v, look, cell }) => {
    const element = elements.get(id(v, look, cell));
    elements.delete(id(v, look, cell));
    return element;
  });
  for (const { v, look, cell } of gone) {
    const element = elements.get(id(v, look, cell));
    elements.delete(id(v, look, cell));
    const fade = duration && element.animate([{ opacity: 1 }, { opacity: 0 }], { duration });
    if (fade) fade.onfinish = () => element.remove(); else element.remove();
  }
  moved.forEach(({ look, to: cell, of, became }, at) => {
    const old = taken[at].style.transform;
    if (look !== became) taken[at].remove();
    const element = look === became ? taken[at] : add(became, cell, of);
    element.style.transform = css(cell);
    elements.set(id(of, became, cell), element);
    if (duration && old !== element.style.transform) {
      element.animate([{ transform: old }, { transform: css(cell) }], { duration, easing: "ease-out" });
    }
  });
  for (const { v, look, cell } of born) {
    const element = add(look, cell, v);
    if (duration) element.animate([{ opacity: 0 }, { opacity: 1 }], { duration });
  }
}
