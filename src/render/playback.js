// The keys and buttons of pages that play: `acts` has a function for each button, and `keys` has further keys.
function playback(acts, keys) {
  const $ = id => document.getElementById(id);
  const all = {
    ArrowRight: acts.next, ArrowLeft: acts.previous, Home: acts.first, End: acts.last, " ": acts.play, "+": acts.faster, "=": acts.faster,
    "-": acts.slower, ...keys,
  };
  document.addEventListener("keydown", event => {
    const act = all[event.key];
    if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
    // A button that has the focus is pressed by the space bar.
    if (event.key === " " && event.target.closest?.("button,summary")) return;
    event.preventDefault();
    act();
  });
  for (const name in acts) $(name).addEventListener("click", acts[name]);
}
