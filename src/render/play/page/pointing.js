// Moves that an arrow, a click, a drag or a walk chooses.

// The moves that an arrow, a click or a drag choose.
function arrow(direction, far) {
  stop();
  const word = WORDS[direction.join(" ")];
  const named = legal.find(one => one.name === word);
  if (named) { makeMove(named); return; }
  if (play.says) { refuse(word); return; }
  const going = all().filter(one => directionOf(one)?.join() === direction.join());
  const own = selected ? going.filter(one => one.keys.includes(selected)) : [];
  const pushes = one => going.some(other => other.keys.length < one.keys.length && other.keys.every(key => one.keys.includes(key)));
  const movers = new Map(going.filter(one => !pushes(one)).map(one => [one.keys.join("|"), one]));
  const measure = one => one.keys.length * 1000 + lengthOf(one);
  const choose = some => some.reduce((a, b) => (measure(b) < measure(a)) === !far ? b : a);
  if (own.length) { const one = choose(own); makeAndFollow(one); return; }
  if (movers.size === 1) { makeAndFollow(choose(going.filter(one => one.keys.join("|") === [...movers.keys()][0]))); return; }
  if (movers.size === 0) { say(`Nothing can go ${word}.`); return; }
  say(`Several can go ${word}: select one with , and . or by a click.`);
}
// Says what a key of a game that changes nothing says.
function refuse(key) {
  const solved = play.goal(x), says = solved ? [] : play.says(x, key);
  if (solved && key === "action" && number + 1 < game.levels.length) open(number + 1);
  else say(says.join("\n") || (solved ? "It is solved." : "Nothing happens."), says.length);
}
// Shows the part of the board that the game shows.
function scroll() {
  const at = level.window && play.playerAt(x);
  if (!at) return;
  const [width, height, follows] = level.window, { e, f } = $("pieces").transform.baseVal.consolidate().matrix;
  const first = (at, size, all) => follows ? Math.max(0, Math.min(at - (size >> 1), all - size)) : at - at % size;
  const [row, column] = [first(at[0], height, rows), first(at[1], width, columns)];
  const part = [column * level.cell + e, row * level.cell + f, Math.min(width, columns - column) * level.cell, Math.min(height, rows - row) * level.cell];
  $("board").setAttribute("viewBox", part.join(" "));
}
// After a move, the selection stays with the figure.
function makeAndFollow(one) {
  const first = one.moving.find(figure => id(figure.v, figure.look, figure.cell) === selected);
  makeMove(one.move);
  if (first) { selected = id(first.of, first.became, first.to); show(); }
}
function figureAt(cell) {
  let found = null;
  for (const key of elements.keys()) {
    const [, look, at] = key.split(" ").map(Number);
    if (covered({ look, cell: at }).includes(cell)) found = key;
  }
  return found;
}
function choose(some) {
  if (some.length === 1) { makeAndFollow(some[0]); return true; }
  return false;
}
// The cells that are one place with a cell, such as a pile.
const areaOf = cell => level.areas.find(area => area.includes(cell)) ?? [cell];
// The figure in an area that most moves move, such as the top of a pile.
function topOf(area, every) {
  let top = null, most = 0;
  for (const key of elements.keys()) {
    const moves = area.includes(Number(key.split(" ")[2])) ? every.filter(one => one.keys.includes(key)).length : 0;
    if (moves > most) [top, most] = [key, moves];
  }
  return top;
}
function click(cell) {
  stop();
  const every = all(), area = areaOf(cell), figure = area.length > 1 ? topOf(area, every) : figureAt(cell);
  const lands = one => one.moving.some(each => covered({ look: each.look, cell: each.to }).some(at => area.includes(at)));
  if (selected && figure !== selected) {
    const to = every.filter(one => one.keys.includes(selected) && lands(one));
    if (to.length && choose([to.reduce((a, b) => b.keys.length < a.keys.length || b.by && a.by && lengthOf(b) < lengthOf(a) ? b : a)])) return;
  }
  const placed = every.filter(one => one.place === cell);
  const moves = placed.length ? placed : figure ? every.filter(one => one.keys.includes(figure)) : [];
  const fewest = Math.min(...moves.map(one => one.keys.length));
  const own = placed.length ? placed : moves.filter(one => one.keys.length === fewest);
  if (choose(own)) return;
  if (own.length) {
    selected = selected === figure ? null : figure;
    offer(own);
    return;
  }
  const there = every.filter(lands);
  if (there.length && there.every(one => one.keys.join() === there[0].keys.join())) {
    choose([there.reduce((a, b) => b.by && a.by && lengthOf(b) < lengthOf(a) ? b : a)]);
    return;
  }
  const changing = every.filter(one => [...one.gone, ...one.born].some(each => each.cell === cell));
  if (choose(changing)) return;
  if (changing.length > 1) { offer(changing); return; }
  selected = null;
  offered = [];
  show();
  walk(cell);
}
// Shows several moves to choose from, first in the list.
function offer(some) {
  offered = some.map(one => one.move.name);
  show();
  $("legal").scrollTop = 0;
  say(`${some.length} moves: ${some.slice(0, 8).map(described).join(", ")}${some.length > 8 ? ", …" : ""}.`);
}
// Walks to a far cell, if one figure moves by itself.
function walk(cell) {
  const alone = all().filter(one => one.by && one.keys.length === 1);
  if (!alone.length || alone.some(one => one.keys[0] !== alone[0].keys[0])) return;
  const kind = level.kinds[alone[0].moving[0].look], queue = [[x, []]], seen = new Set([play.key(x)]);
  for (const [at, path] of queue) {
    if (seen.size > 20000) return;
    for (const move of play.moves(at)) {
      const key = play.key(move.to);
      if (seen.has(key)) continue;
      const { moved, gone, born } = changes(at, move), moving = moved.filter(one => one.to !== one.cell);
      if (gone.length || born.length || moving.length !== 1 || level.kinds[moving[0].look] !== kind) continue;
      seen.add(key);
      const further = [...path, move.name];
      if (moving[0].to === cell) {
        for (const step of further) makeMove(legal.find(one => one.name === step));
        return;
      }
      queue.push([move.to, further]);
    }
  }
  say("No way leads there.");
}

// Pointers: a click, a drag of a figure, or a swipe over the board.
let pressed = null;
// The place of a pointer on the board, in cells.
function place(x, y) {
  const at = new DOMPoint(x, y).matrixTransform($("pieces").getScreenCTM().inverse());
  return [at.y / level.cell, at.x / level.cell];
}
function cellOf(event) {
  const at = place(event.clientX, event.clientY);
  for (const [cell, [down, right]] of Object.entries(level.discs)) {
    const [r, c] = name(+cell);
    if (Math.hypot(at[0] - r - down - 0.5, at[1] - c - right - 0.5) < 0.4) return +cell;
  }
  const [row, column] = at.map(Math.floor);
  return row < 0 || column < 0 || row >= rows || column >= columns ? -1 : row * columns + column;
}
function dragged(event) {
  const [row, column] = place(event.clientX, event.clientY), from = place(pressed.x, pressed.y);
  return [row - from[0], column - from[1]];
}
// The move that brings the figure nearest to the pointer, and how far the figure has come.
function toward([down, right]) {
  let chosen = null, least = down * down + right * right;
  for (const one of pressed.moves) {
    const figure = one.moving.find(each => id(each.v, each.look, each.cell) === pressed.figure);
    const [r, c] = name(figure.cell), [r2, c2] = name(figure.to), by = [r2 - r, c2 - c];
    const off = (by[0] - down) ** 2 + (by[1] - right) ** 2;
    if (off < least - 1e-9 || off < least + 1e-9 && chosen && one.keys.length < chosen.one.keys.length) {
      [least, chosen] = [off, { one, by }];
    }
  }
  return chosen;
}
function down(event) {
  if (event.button) return;
  stop();
  const cell = cellOf(event), figure = cell < 0 ? null : figureAt(cell);
  pressed = { x: event.clientX, y: event.clientY, cell, figure, moves: figure ? all().filter(one => one.keys.includes(figure)) : [] };
  try { $("board").setPointerCapture(event.pointerId); } catch { /* The pointer is gone. */ }
}
function follow(event) {
  if (!pressed?.moves.length) return;
  const by = dragged(event), size = by[0] ** 2 + by[1] ** 2;
  const goal = size > 0.02 && (toward(by) ?? toward(by.map(one => one * 2)));
  for (const key of elements.keys()) elements.get(key).style.translate = "";
  if (!goal) return;
  const length = goal.by[0] ** 2 + goal.by[1] ** 2;
  const share = Math.max(0, Math.min(1, (by[0] * goal.by[0] + by[1] * goal.by[1]) / length));
  for (const key of goal.one.keys) {
    const element = elements.get(key);
    element.style.translate = `${goal.by[1] * share * level.cell}px ${goal.by[0] * share * level.cell}px`;
  }
}
function up(event) {
  if (!pressed) return;
  for (const element of elements.values()) element.style.translate = "";
  const by = dragged(event), { cell, moves } = pressed;
  const pixels = Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y);
  const goal = moves.length ? toward(by) : null;
  pressed = null;
  if (pixels < 10) { if (cell >= 0) click(cell); return; }
  if (goal) { makeAndFollow(goal.one); return; }
  if (moves.length && pixels < 24) return;
  const flat = Math.abs(by[1]) > Math.abs(by[0]);
  if (!moves.length) arrow(flat ? [0, Math.sign(by[1])] : [Math.sign(by[0]), 0]);
}

function movable() {
  const keys = new Set(all().flatMap(one => one.by ? one.keys : []));
  return [...elements.keys()].filter(key => keys.has(key));
}
function select(by) {
  const keys = movable();
  if (!keys.length) return;
  const at = keys.indexOf(selected);
  selected = keys[at < 0 ? (by > 0 ? 0 : keys.length - 1) : (at + by + keys.length) % keys.length];
  show();
  const [, look, cell] = selected.split(" ").map(Number);
  say(`Selected ${level.labels[look] || "the figure"} at row ${name(cell)[0] + 1}, column ${name(cell)[1] + 1}.`);
}
