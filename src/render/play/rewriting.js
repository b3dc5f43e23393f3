// Plays games that rewrite a board, turn by turn as the engine does (PuzzleScript, Lavelle 2013).
//
// A position is a list of words of 32 bits: the objects of each cell, column by column; where rules set checkpoints, the
// same for the board that a restart puts back; how many random numbers are drawn; whether the level is won. A word of
// movements has six layers, five bits each: up, down, left, right, action.
"use strict";
function rewriting(level, program, { numbers, values }) {
  const [AGAIN, CANCEL, CHECKPOINT, RESTART, WIN, MESSAGE] = [1, 2, 4, 8, 16, 32];
  const KEYS = [["up", 1], ["left", 4], ["down", 2], ["right", 8], ["action", 16]];
  // Limits of a turn and of a press, after which the press is no move.
  const MOST_PASSES = 200, MOST_ROUNDS = 200, MOST_RIGID = 50, MOST_AGAIN = 100000, MOST_WORK = 5e7;
  const [width, height] = level.size, size = width * height;
  const layerOf = numbers(program.layerOf), sets = program.sets.map(values);
  const W = Math.max(1, Math.ceil(layerOf.length / 32)), M = Math.ceil(program.layers.length / 6);

  // Sets as words.
  function words(set, bits, count) {
    const found = new Int32Array(count);
    for (const one of set) found[one / bits | 0] |= 1 << one % bits;
    return found;
  }
  const objects = set => words(sets[set], 32, W), movements = set => words(sets[set], 30, M);
  // Tests of words, three numbers each: the word, its bits that count, and these as they must be.
  function tests(wanted, absent) {
    const found = [];
    wanted.forEach((bits, word) => { if (bits | absent[word]) found.push(word, bits | absent[word], bits); });
    return Int32Array.from(found);
  }
  const meets = (mask, list, at) => mask.some((bits, word) => list[at + word] & bits);
  const has = (mask, list, at) => mask.every((bits, word) => (list[at + word] & bits) === bits);

  const layers = program.layers.map(objects), player = objects(program.player);
  const cells = program.cells.map(([present, absent, moving, resting, any = [], change]) => {
    const [clear, set, stop, go, decided, things, turns] = change ?? [];
    return {
      present: objects(present), moving: movements(moving),
      objects: tests(objects(present), objects(absent)), movements: tests(movements(moving), movements(resting)),
      any: any.map(objects),
      change: change && {
        clear: objects(clear), set: objects(set), stop: movements(stop), go: movements(go),
        decided: decided === undefined ? new Int32Array(M) : movements(decided),
        things: sets[things] ?? [], turns: sets[turns] ?? [],
      },
    };
  });
  const union = (lists, count) => words([], 1, count).map((_, word) => lists.reduce((all, list) => all | list[word], 0));
  const phase = groups => groups.map(([rules, back = null, random = false]) => ({
    back, random,
    rules: rules.map(([direction, rows, commands = 0, message = null, rigid = 0, bare = false]) => {
      const parts = rows.map(row => row.map(part => numbers(part).map(cell => cells[cell])));
      const flat = parts.map(row => row.flat()), all = flat.flat();
      // The objects and movements without which the rule matches nowhere.
      const present = union(all.map(cell => cell.present), W), moving = union(all.map(cell => cell.moving), M);
      return { direction, parts, flat, commands, message, rigid, bare, present, moving };
    }),
  }));
  const early = phase(program.early), late = phase(program.late), rigid = program.rigid;
  const conditions = program.conditions.map(([quantifier, ...sides]) =>
    [quantifier, ...sides.map(([kind, set]) => [kind, set === undefined ? null : objects(set)])]);
  const draw = generator(level.seed);

  // The board in play.
  const board = new Int32Array(size * W), moves = new Int32Array(size * M);
  const rigidGroup = new Int32Array(size * M), rigidLayer = new Int32Array(size * M);
  const seen = new Int32Array(W), seenMoves = new Int32Array(M);
  let target = new Int32Array(size * W), before = board.slice(), drawn = 0, work = 0;
  let commands = 0, message = null, messages = [], banned = [];

  const below = count => Math.min(Math.floor(draw(drawn++) * count), count - 1);
  const changed = () => board.some((word, at) => word !== before[at]);

  function fits(cell, at) {
    const { objects, movements, any } = cell;
    for (let n = 0; n < objects.length; n += 3) if ((board[at * W + objects[n]] & objects[n + 1]) !== objects[n + 2]) return false;
    for (let n = 0; n < movements.length; n += 3) if ((moves[at * M + movements[n]] & movements[n + 1]) !== movements[n + 2]) return false;
    for (let n = 0; n < any.length; n++) if (!meets(any[n], board, at * W)) return false;
    return true;
  }
  const STEPS = [-1, 1, -height, height];
  // The number of cells from one on to the edge.
  function room(at, direction) {
    const x = at / height | 0, y = at % height;
    return [y + 1, height - y, x + 1, width - x][direction];
  }
  // The matches of a row, each as the cells where its cells are: line by line, the shortest gaps first.
  function find(parts, length, direction) {
    const found = [], step = STEPS[direction], across = direction > 1;
    if (!length) return found;
    const extend = (part, at, spare, path) => {
      const here = parts[part];
      for (let n = 0; n < here.length; n++) if (!fits(here[n], at + n * step)) return;
      path = path.concat(here.map((_, n) => at + n * step));
      if (part + 1 === parts.length) { found.push(path); return; }
      work += spare;
      for (let skip = 0; skip <= spare; skip++) extend(part + 1, at + (here.length + skip) * step, spare - skip, path);
    };
    work += size;
    for (let n = 0; n < size; n++) {
      const at = across ? n % width * height + (n / width | 0) : n, spare = room(at, direction) - length;
      if (spare >= 0) extend(0, at, spare, []);
    }
    return found;
  }
  // The matches of all rows, or null.
  function findAll(rule) {
    if (!has(rule.present, seen, 0) || !has(rule.moving, seenMoves, 0)) return null;
    const found = [];
    for (let row = 0; row < rule.parts.length; row++) {
      const all = find(rule.parts[row], rule.flat[row].length, rule.direction);
      if (!all.length) return null;
      found.push(all);
    }
    return found.length ? found : null;
  }
  const combinations = found => found.reduce((product, all) => product * all.length, 1);
  // The combination of a number: the match of the first row changes fastest.
  function combination(found, number) {
    return found.map(all => {
      const at = all[number % all.length];
      number = Math.floor(number / all.length);
      return at;
    });
  }

  // Changes words of a list; returns whether any changes.
  function write(list, at, clear, set, known) {
    let differs = false;
    for (let word = 0; word < clear.length; word++) {
      const old = list[at + word], now = old & ~clear[word] | set[word];
      if (now === old) continue;
      list[at + word] = now;
      known[word] |= now;
      differs = true;
    }
    return differs;
  }
  function replace({ clear, set, stop, go, decided, things, turns }, number, at) {
    if (things.length || turns.length) {
      [clear, set, stop, go] = [clear, set, stop, go].map(words => words.slice());
      if (things.length) {
        const thing = things[below(things.length)], layer = layerOf[thing];
        set[thing >> 5] |= 1 << (thing & 31);
        layers[layer].forEach((bits, word) => { clear[word] |= bits; });
        stop[layer / 6 | 0] |= 31 << layer % 6 * 5;
      }
      for (const layer of turns) go[layer / 6 | 0] |= 1 << layer % 6 * 5 + below(4);
    }
    const marked = number > 0 && mark(decided, number, at * M);
    const moved = write(moves, at * M, stop, go, seenMoves);
    return write(board, at * W, clear, set, seen) || moved || marked;
  }
  // Marks layers with the number of a rigid group, unless they are marked already.
  function mark(decided, number, at) {
    const everywhere = [0, 1, 2, 3, 4, 5].reduce((bits, layer) => bits | number << 5 * layer, 0);
    if (decided.every((bits, word) => !(everywhere & bits & ~rigidGroup[at + word]))) return false;
    if (decided.every((bits, word) => !(bits & ~rigidLayer[at + word]))) return false;
    decided.forEach((bits, word) => {
      rigidGroup[at + word] |= everywhere & bits;
      rigidLayer[at + word] |= bits;
    });
    return true;
  }
  function replaceAll(rule, paths) {
    let differs = false;
    rule.flat.forEach((row, n) => row.forEach((cell, index) => {
      if (cell.change) differs = replace(cell.change, rule.rigid, paths[n][index]) || differs;
    }));
    return differs;
  }
  // Adds the commands of a rule: a cancel comes before a restart, that before all others.
  function queue(rule) {
    if (!rule.commands || commands & CANCEL || commands & RESTART && !(rule.commands & CANCEL)) return;
    if (rule.commands & (CANCEL | RESTART)) [commands, message] = [0, null];
    if (!(commands & MESSAGE)) message = rule.message;
    commands |= rule.commands;
  }

  function apply(rule) {
    const found = work > MOST_WORK ? null : findAll(rule);
    if (!found) return false;
    let differs = false;
    const count = rule.bare ? 0 : combinations(found);
    work += count;
    for (let number = 0; number < count && work <= MOST_WORK; number++) {
      const paths = combination(found, number);
      // Earlier replacements may have taken a later match away.
      const fit = (row, n) => row.every((cell, index) => fits(cell, paths[n][index]));
      if (number === 0 || rule.flat.every(fit)) differs = replaceAll(rule, paths) || differs;
    }
    queue(rule);
    return differs;
  }
  // Draws one match of all rules.
  function applyOne(rules) {
    const all = rules.map(findAll), counts = all.map((found, n) => found ? combinations(found) : 0);
    const total = counts.reduce((sum, count) => sum + count, 0);
    if (!total) return false;
    let number = below(total), at = 0;
    while (number >= counts[at]) number -= counts[at++];
    const differs = replaceAll(rules[at], combination(all[at], number));
    queue(rules[at]);
    return differs;
  }
  function applyGroup({ rules, random }) {
    if (random) return applyOne(rules);
    for (let pass = 0; pass < MOST_PASSES; pass++) {
      let differs = false;
      for (const rule of rules) differs = apply(rule) || differs;
      if (!differs) return pass > 0;
    }
    return true;
  }
  function applyPhase(groups, bans) {
    let differs = false, rounds = 0;
    for (let at = 0; at < groups.length;) {
      if (!bans[at]) differs = applyGroup(groups[at]) || differs;
      if (groups[at].back === null || !differs) { at++; continue; }
      at = groups[at].back;
      differs = false;
      if (++rounds > MOST_ROUNDS) return;
    }
  }

  // Moves what can move until nothing does. Returns whether a rigid movement failed whose group was not banned yet.
  function resolve() {
    let moved;
    do {
      moved = false;
      work += size;
      for (let at = 0; at < size * M; at++) {
        for (let layer = 0; moves[at] && layer < 6; layer++) {
          const bits = moves[at] >> 5 * layer & 31;
          if (!bits || !shift(at / M | 0, at % M * 6 + layer, bits)) continue;
          moves[at] &= ~(31 << 5 * layer);
          moved = true;
        }
      }
    } while (moved && work <= MOST_WORK);
    let failed = false;
    for (let cell = 0; rigid.length && cell < size; cell++) {
      for (let at = cell * M; at < cell * M + M; at++) {
        const left = moves[at] & rigidLayer[at];
        if (!left) continue;
        const layer = Math.floor((31 - Math.clz32(left & -left)) / 5);
        // Marks of two groups that met may name none.
        const group = rigid[(rigidGroup[at] >> 5 * layer & 31) - 1] ?? -1;
        failed ||= !banned[group];
        banned[group] = true;
        break;
      }
    }
    [moves, rigidGroup, rigidLayer, seenMoves].forEach(list => list.fill(0));
    return failed;
  }
  function shift(cell, layer, bits) {
    if (bits === 16) return true;
    const direction = [1, 2, 4, 8].indexOf(bits);
    if (direction < 0 || room(cell, direction) < 2) return false;
    const to = (cell + STEPS[direction]) * W, objects = layers[layer];
    if (meets(objects, board, to)) return false;
    objects.forEach((mask, word) => {
      board[to + word] |= board[cell * W + word] & mask;
      board[cell * W + word] &= ~mask;
    });
    return true;
  }

  function look() {
    for (let at = 0; at < board.length; at++) seen[at % W] |= board[at];
    for (let at = 0; at < moves.length; at++) seenMoves[at % M] |= moves[at];
  }
  function put(words) {
    board.set(words);
    moves.fill(0);
  }
  function takeBack() {
    put(before);
    [commands, message] = [0, null];
  }
  // Takes a turn, of a key or, with 0, without one. Returns false if it is taken back because no player moves.
  function turn(key) {
    before.set(board);
    [commands, message, banned, work] = [0, null, [], 0];
    const players = [];
    for (let cell = 0; key && cell < size; cell++) {
      if (!player.some(bits => bits) || !(program.whole ? has : meets)(player, board, cell * W)) continue;
      players.push(cell);
      for (let object = 0; object < layerOf.length; object++) {
        const layer = layerOf[object], bit = 1 << (object & 31);
        if (board[cell * W + (object >> 5)] & player[object >> 5] & bit) moves[cell * M + (layer / 6 | 0)] |= key << layer % 6 * 5;
      }
    }
    const start = moves.slice();
    seen.fill(0);
    for (let round = 0; round < MOST_RIGID; round++) {
      look();
      applyPhase(early, banned);
      if (!resolve()) { applyPhase(late, []); break; }
      put(before);
      moves.set(start);
      [commands, message] = [0, null];
    }
    if (!program.mustMove || !players.length || players.some(cell => !meets(player, board, cell * W))) return true;
    takeBack();
    return false;
  }

  function won() {
    const side = ([kind, mask], cell) => kind === "anything" || (kind === "all" ? has : meets)(mask, board, cell * W);
    return conditions.length > 0 && conditions.every(([quantifier, what, on]) => {
      for (let cell = 0; cell < size; cell++) {
        if (!side(what, cell)) continue;
        const both = side(on, cell);
        if (quantifier === "all" ? !both : both) return quantifier === "some";
      }
      return quantifier !== "some";
    });
  }
  // Takes a turn and does what its commands say. One of a chain that changes nothing does not take place.
  function oneTurn(key, chained) {
    const after = { won: false, again: false };
    if (!turn(key)) return after;
    if (message !== null) messages.push(message);
    if (commands & CANCEL) { takeBack(); return after; }
    const forced = commands & (WIN | RESTART);
    if (commands & RESTART) after.again = restart();
    const differs = changed();
    after.won = (!chained || differs || forced > 0) && ((commands & WIN) > 0 || won());
    if (after.won) return { won: true, again: false };
    if (commands & CHECKPOINT) target = board.slice();
    after.again ||= (commands & AGAIN) > 0 && differs;
    return after;
  }
  // Puts the target of restarts back. Returns whether another turn may follow.
  function restart() {
    const old = before.slice();
    let again = false;
    put(target);
    if (program.onStart && turn(0)) {
      if (commands & CANCEL) takeBack();
      else {
        again = (commands & AGAIN) > 0 && changed();
        if (commands & CHECKPOINT) target = board.slice();
      }
    }
    [commands, message] = [0, null];
    before = old;
    return again;
  }
  // Tries a turn without a key, as the original does before each real one of a chain. Random numbers stay drawn.
  function wouldChange() {
    turn(0);
    const cancels = (commands & CANCEL) > 0;
    const others = (commands & commands - 1) > 0;
    const counts = cancels ? others : changed() || (commands & (WIN | RESTART)) > 0;
    if (!counts && !cancels && commands & CHECKPOINT) target = board.slice();
    takeBack();
    return counts;
  }
  // Presses a key. Returns whether the level is won; null if the press comes to no end.
  function press(key) {
    let after = oneTurn(key, false), total = work, next = 1;
    let known = after.again ? [board.slice(), target, drawn] : null;
    for (let count = 1; after.again; count++) {
      if (program.random) {
        if (!wouldChange()) return false;
        total += work;
      }
      after = oneTurn(0, !program.random);
      total += work;
      if (total > 2 * MOST_WORK || count > MOST_AGAIN) return null;
      const same = known[2] === drawn && [board, target].every((list, n) => list.every((word, at) => word === known[n][at]));
      if (after.again && same) return null;
      // Brent's way to find a cycle: compare with a board that is replaced after 1, 2, 4, 8 … turns.
      if (count === next) [known, next] = [[board.slice(), target, drawn], 2 * next];
    }
    return work > MOST_WORK ? null : after.won;
  }

  const length = size * W, whole = program.checkpoints ? 2 * length : length;
  const objectsOf = text => numbers(text).flatMap(cell => Array.from(words(values(level.cells[cell]), 32, W)));
  const first = objectsOf(level.first), again = objectsOf(level.target ?? level.first);
  const start = Uint32Array.from([...first, ...program.checkpoints ? again : [], level.drawn, level.won]);
  // The position after a key, and the messages on the way.
  function pressed(x, key) {
    put(x.subarray(0, length));
    target = program.checkpoints ? Int32Array.from(x.subarray(length, whole), word => word | 0) : Int32Array.from(again, word => word | 0);
    drawn = x[whole];
    messages = [];
    const ended = press(key), to = x.slice();
    if (ended !== null) {
      to.set(board);
      if (program.checkpoints) to.set(target, length);
      [to[whole], to[whole + 1]] = [drawn, Number(ended)];
    }
    return { to, says: messages };
  }
  const goal = x => x[whole + 1] === 1;
  const keys = program.noAction ? KEYS.slice(0, 4) : KEYS;
  function all(x) {
    if (goal(x)) return [];
    return keys.map(([name, key]) => ({ name, cost: 1, came: new Map(), ...pressed(x, key) }));
  }
  const differs = (x, y) => x.some((word, at) => word !== y[at]);
  const step = x => all(x).filter(one => differs(one.to, x));
  // What a key says that changes nothing.
  const says = (x, name) => all(x).find(one => one.name === name)?.says ?? [];
  // The first cell with a player.
  function playerAt(x) {
    for (let cell = 0; cell < size; cell++) if (meets(player, x, cell * W)) return [cell % height, cell / height | 0];
    return null;
  }
  return { start, goal, key: x => x.join(), moves: step, says, playerAt, W };

  // The random numbers of a seed, by their index: RC4 over its bytes, seven bytes a number.
  function generator(seed) {
    const bytes = Uint8Array.from({ length: 256 }, (_, n) => n), drawn = [];
    const key = Array.from({ length: seed.length }, (_, n) => seed.charCodeAt(n)).flatMap(unit => unit > 255 ? [unit >> 8, unit & 255] : [unit]);
    const swap = (a, b) => { [bytes[a], bytes[b]] = [bytes[b], bytes[a]]; };
    for (let i = 0, j = 0; key.length && i < 256; i++) {
      j = j + bytes[i] + key[i % key.length] & 255;
      swap(i, j);
    }
    let i = 0, j = 0;
    const byte = () => {
      i = i + 1 & 255;
      j = j + bytes[i] & 255;
      swap(i, j);
      return bytes[bytes[i] + bytes[j] & 255];
    };
    return at => {
      while (drawn.length <= at) {
        let number = 0;
        for (let n = 0; n < 7; n++) number = number * 256 + byte();
        drawn.push(number / (2 ** 56 - 1));
      }
      return drawn[at];
    };
  }
}
