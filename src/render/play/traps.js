// The positions from which no goal can be reached: all positions are visited in slices, so that the page stays alive, then
// the goals are followed back. Calls back with a test of positions, unless there are more than `most`.
function traps(play, most, isWanted, done) {
  const numbers = new Map([[play.key(play.start), 0]]), all = [play.start], before = [[]], open = [];
  let at = 0;
  const slice = () => {
    const until = performance.now() + 25;
    for (; at < all.length; at++) {
      if (!isWanted()) return;
      if (performance.now() > until) { setTimeout(slice, 0); return; }
      if (play.goal(all[at])) open.push(at);
      for (const { to } of play.moves(all[at])) {
        const key = play.key(to);
        if (!numbers.has(key)) {
          if (all.length >= most) return;
          numbers.set(key, all.push(to) - 1);
          before.push([]);
        }
        before[numbers.get(key)].push(at);
      }
      all[at] = null;
    }
    const isSaved = new Uint8Array(all.length);
    for (const goal of open) isSaved[goal] = 1;
    while (open.length) for (const from of before[open.pop()]) if (!isSaved[from]) { isSaved[from] = 1; open.push(from); }
    done(position => isSaved[numbers.get(play.key(position))] === 0);
  };
  slice();
}
