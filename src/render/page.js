(() => {
"use strict";
const $ = id => document.getElementById(id);
const film = JSON.parse($("film").textContent);
const last = film.moves.length, cell = film.cell;
const calm = matchMedia("(prefers-reduced-motion: reduce)");
const PACES = [0.25, 0.5, 1, 2, 4, 8], CHUNK = 500;
const place = (row, column) => [column * cell, row * cell];
const css = (row, column) => `translate(${column * cell}px,${row * cell}px)`;

// Where everybody stands: [row, column, fill], or null. What each move took away, to go back.
const spots = film.start.slice();
const trails = film.trails.map(([actor]) => ({ actor, points: spots[actor] ? [[0, spots[actor]]] : [] }));
const back = film.changes.map((changes, at) => changes.map(([actor, to, way]) => {
  const was = spots[actor];
  spots[actor] = to && [to[0], to[1], to[2] ?? was[2]];
  for (const trail of trails) if (trail.actor === actor && to) trail.points.push([at + 1, spots[actor]]);
  return [actor, was, Array.isArray(way) ? way.slice().reverse() : way];
}));
film.start.forEach((spot, actor) => { spots[actor] = spot; });

let now = 0, timer = 0, pace = PACES.indexOf(1);
const actors = film.start.map((_, actor) => $("a" + actor));

function put(actor, spot) {
  const element = actors[actor];
  if (!spot) { element.setAttribute("opacity", 0); return; }
  element.setAttribute("opacity", 1);
  element.setAttribute("transform", `translate(${place(spot[0], spot[1]).join(" ")})`);
  if (spot[2]) element.setAttribute("fill", spot[2]);
}

// From one spot to the other: along its way, or fading where there is none.
function move(element, from, to, way, duration) {
  let frames;
  if (from && to && way) {
    const corners = Array.isArray(way) ? way : [from, to];
    const lengths = corners.slice(1).map((c, i) => Math.hypot(c[0] - corners[i][0], c[1] - corners[i][1]));
    const whole = lengths.reduce((a, b) => a + b, 0) || 1;
    let gone = 0;
    frames = corners.map((corner, i) => {
      gone += i ? lengths[i - 1] : 0;
      return { transform: css(corner[0], corner[1]), offset: Math.min(1, gone / whole) };
    });
    frames[frames.length - 1].offset = 1;
  } else if (from && to) {
    frames = [
      { transform: css(from[0], from[1]), opacity: 1 }, { transform: css(from[0], from[1]), opacity: 0, offset: 0.5 },
      { transform: css(to[0], to[1]), opacity: 0, offset: 0.5 }, { transform: css(to[0], to[1]), opacity: 1 },
    ];
  } else {
    frames = from ? [{ opacity: 1 }, { opacity: 0 }] : [{ opacity: 0 }, { opacity: 1 }];
  }
  element.animate(frames, { duration, easing: "ease-in-out" });
}

function apply(changes, duration) {
  for (const [actor, to, way] of changes) {
    const from = spots[actor];
    const spot = to && [to[0], to[1], to[2] ?? (from && from[2])];
    if (duration) move(actors[actor], from, spot, way, duration);
    spots[actor] = spot;
  }
}

function go(target, byPlay) {
  target = Math.max(0, Math.min(last, target));
  if (!byPlay) stop();
  // Whoever steps faster than figures move sees them where they were to go.
  $("board").getAnimations({ subtree: true }).forEach(animation => animation.finish());
  const touched = new Set();
  const duration = Math.abs(target - now) === 1 && !calm.matches ? Math.min(320, interval() * 0.7) : 0;
  while (now !== target) {
    const changes = now < target ? film.changes[now] : back[now - 1];
    now += now < target ? 1 : -1;
    apply(changes, duration);
    for (const change of changes) touched.add(change[0]);
  }
  for (const actor of touched) put(actor, spots[actor]);
  show();
}

function show() {
  for (const [number, trail] of trails.entries()) {
    let end = trail.points.length;
    while (end > 0 && trail.points[end - 1][0] > now) end--;
    const middles = trail.points.slice(0, end).map(([, s]) => place(s[0] + 0.5, s[1] + 0.5).join(" "));
    $("t" + number).setAttribute("d", middles.length > 1 ? "M" + middles.join("L") : "");
  }
  const text = value => String(Math.round(value * 1e6) / 1e6);
  $("current").textContent = now ? `${now}. ${film.moves[now - 1]}` : "start";
  $("number").textContent = `${now} of ${last}`;
  $("g").textContent = text(film.g[now]);
  $("h").textContent = text(film.h[now]);
  $("f").textContent = text(film.g[now] + film.h[now]);
  $("solved").hidden = !(film.solved && now === last);
  const step = $("step");
  step.value = now;
  step.setAttribute("aria-valuetext", `move ${now} of ${last}`);
  $("first").disabled = $("previous").disabled = now === 0;
  $("next").disabled = $("last").disabled = now === last;
  $("play").setAttribute("aria-label", timer ? "Pause" : "Play");
  $("play").classList.toggle("plays", !!timer);
  $("play").querySelector("path").setAttribute("d", timer ? "M3 2h4v12H3zM9 2h4v12H9z" : "M4 2l10 6-10 6z");
  $("pace").textContent = PACES[pace] + "×";
  $("slower").disabled = pace === 0;
  $("faster").disabled = pace === PACES.length - 1;
  const x = last ? (now / last) * 600 : 0;
  $("cursor").setAttribute("x1", x);
  $("cursor").setAttribute("x2", x);
  list();
}

// Of long solutions, the list shows the moves around the present one.
let chunk = -1;
function list() {
  const moves = $("moves"), wanted = Math.floor(Math.max(0, now - 1) / CHUNK);
  if (wanted !== chunk) {
    chunk = wanted;
    moves.textContent = "";
    const add = (number, text) => {
      const item = document.createElement("li"), button = document.createElement("button");
      button.type = "button";
      button.textContent = text;
      button.dataset.move = number;
      item.append(button);
      moves.append(item);
    };
    if (chunk > 0) add(chunk * CHUNK, "…");
    for (let n = chunk * CHUNK + 1; n <= Math.min(last, (chunk + 1) * CHUNK); n++) add(n, `${n}. ${film.moves[n - 1]}`);
    if ((chunk + 1) * CHUNK < last) add((chunk + 1) * CHUNK + 1, "…");
  }
  moves.querySelector("[aria-current]")?.removeAttribute("aria-current");
  const current = moves.querySelector(`[data-move="${now}"]`);
  if (current && current.textContent !== "…") {
    current.setAttribute("aria-current", "step");
    const top = current.offsetTop;
    if (top < moves.scrollTop || top + current.offsetHeight > moves.scrollTop + moves.clientHeight) {
      moves.scrollTop = top - moves.clientHeight / 2;
    }
  }
}

const interval = () => film.pause / PACES[pace];
function tick() {
  if (now >= last) { stop(); return; }
  go(now + 1, true);
  timer = now < last ? setTimeout(tick, interval()) : 0;
  if (!timer) stop();
}
function stop() {
  clearTimeout(timer);
  timer = 0;
  $("status").setAttribute("aria-live", "polite");
  show();
}
function play() {
  if (timer) { stop(); return; }
  if (last === 0) return;
  $("status").setAttribute("aria-live", "off");
  if (now === last) go(0, true);
  timer = setTimeout(tick, interval() / 2);
  show();
}
function faster(by) {
  pace = Math.max(0, Math.min(PACES.length - 1, pace + by));
  show();
}

playback({
  first: () => go(0), previous: () => go(now - 1), play, next: () => go(now + 1), last: () => go(last), slower: () => faster(-1),
  faster: () => faster(1),
}, {});
$("step").addEventListener("input", event => go(Number(event.target.value)));
$("moves").addEventListener("click", event => {
  const button = event.target.closest("button");
  if (button) go(Number(button.dataset.move));
});
$("chart").addEventListener("click", event => {
  const box = $("chart").getBoundingClientRect();
  go(Math.round(((event.clientX - box.left) / box.width) * last));
});
let touch = null;
$("board").addEventListener("touchstart", event => {
  touch = event.touches.length === 1 ? event.touches[0] : null;
}, { passive: true });
$("board").addEventListener("touchend", event => {
  if (!touch) return;
  const x = event.changedTouches[0].clientX - touch.clientX, y = event.changedTouches[0].clientY - touch.clientY;
  if (Math.abs(x) > 30 && Math.abs(x) > 2 * Math.abs(y)) go(now + (x < 0 ? 1 : -1));
  touch = null;
}, { passive: true });
$("controls").hidden = false;
show();
})();
