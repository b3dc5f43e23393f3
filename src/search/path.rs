//! From keys to moves: a way through a space, as the states on it, told as the moves of a real state.

use crate::space::{Cost, StateSpace};

/// The moves from a state along these keys, of which the first is that of a child, and their cost. They are
/// found by replaying the keys on a real state, since a canonical key says nothing of labels, nor which of several
/// symmetric states it stands for. Where several moves lead to a key, the cheapest is taken, then the first.
pub(super) fn actions_along<S: StateSpace>(
    space: &S,
    start: &dyn Fn() -> S::State,
    keys: &[S::Key],
) -> (Vec<S::Action>, S::Cost) {
    let mut state = start();
    let mut total = S::Cost::ZERO;
    let mut actions = Vec::with_capacity(keys.len());
    for key in keys {
        let key = space.canonical(key.clone());
        let mut best: Option<(S::Cost, S::Action)> = None;
        for action in space.actions(&state.clone()) {
            let (cost, undo) = space.apply(&mut state, action);
            if space.canonical(space.pack(&state)) == key && best.is_none_or(|(least, _)| cost < least) {
                best = Some((cost, action));
            }
            space.undo(&mut state, action, undo);
        }
        let (cost, action) = best.expect("a state has a move to the next on its way");
        space.apply(&mut state, action);
        actions.push(action);
        total = total + cost;
    }
    (actions, total)
}
