//! A simple interface for domains that need no speed: successors are a list.
//!
//! [`Plain`] is one trait with five required methods instead of state spaces and [`View`]; [`plain`] makes it
//! searchable by every algorithm. The only cost is speed: each successor is a cloned state instead of a packed word.

use super::{GoalView, Notation, Searchable, Style, View, searchable};
use crate::picture::Picture;
use crate::space::{Facts, Guided, InPlace, StateSpace};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// A puzzle in its simplest form; every move costs 1.
pub trait Plain: Send + Sync + 'static {
    /// A position; equal positions are one state.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// A move.
    type Action: Copy + Eq + Debug + Send + Sync;

    /// Returns the start position.
    fn initial(&self) -> Self::State;

    /// Returns whether a state is a goal.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Returns every legal move with the position after it, each move once, always in the same order.
    fn successors(&self, state: &Self::State) -> Vec<(Self::Action, Self::State)>;

    /// Returns a lower bound on the number of moves from here to the nearest goal. It must be consistent: no move
    /// lowers it by more than 1.
    fn h(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Returns the bytes that a position owns on the heap, beyond its own size. Memory limits depend on it.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// Returns the name of a move in the position before it.
    fn notation(&self, state: &Self::State, action: Self::Action) -> String;

    /// Returns the position as rows of text, each ended by a line end.
    fn draw(&self, state: &Self::State, style: Style) -> String;

    /// Returns a picture of the position, or `None` if it is too large. By default, a picture of its text.
    fn picture(&self, state: &Self::State) -> Option<Picture> {
        Some(Picture::of_text(&self.draw(state, Style::Drawn)))
    }

    /// Returns the goal for people. By default, nothing is shown.
    fn goal(&self) -> GoalView {
        GoalView::default()
    }
}

/// Makes a plain puzzle searchable.
pub fn plain<P: Plain>(puzzle: P) -> Box<dyn Searchable> {
    let puzzle = Arc::new(puzzle);
    searchable(Space { puzzle: Arc::clone(&puzzle), states: Mutex::default() }, Positions(puzzle))
}

fn successor<P: Plain>(puzzle: &P, state: &P::State, action: P::Action) -> P::State {
    let successors = puzzle.successors(state).into_iter();
    let mut next_states = successors.filter_map(|(legal, next)| (legal == action).then_some(next));
    next_states.next().expect("the move is legal")
}

/// A plain puzzle as a state space. Its keys number the states in the order of their generation. So all plain puzzles
/// share the compiled searches of the key type `u32`.
struct Space<P: Plain> {
    puzzle: Arc<P>,
    states: Mutex<Numbered<P::State>>,
}

/// States and their numbers.
struct Numbered<S> {
    states: Vec<S>,
    numbers: HashMap<S, u32>,
}

impl<S> Default for Numbered<S> {
    fn default() -> Numbered<S> {
        Numbered { states: Vec::new(), numbers: HashMap::new() }
    }
}

impl<S: Clone + Eq + Hash> Numbered<S> {
    fn number(&mut self, state: S) -> u32 {
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.states.push(state.clone());
            self.states.len() as u32 - 1
        })
    }
}

impl<P: Plain> StateSpace for Space<P> {
    type Key = u32;
    type Action = P::Action;
    type Cost = u32;

    fn facts(&self) -> Facts {
        // The map and the list each hold the state; the rest is its number and the overhead of the tables.
        let key_heap_bytes = 2 * (size_of::<P::State>() + self.puzzle.heap_bytes()) + 16;
        Facts { unit_cost: true, key_heap_bytes, transient_keys: true, ..Facts::default() }
    }

    fn is_goal(&self, &key: &u32) -> bool {
        // Not under the lock: a puzzle may take long.
        self.puzzle.is_goal(&self.unpack(&key))
    }

    fn expand(&self, key: &u32, mut child: impl FnMut(P::Action, u32, u32)) {
        let successors = self.puzzle.successors(&self.unpack(key));
        let mut states = self.states.lock();
        successors.into_iter().for_each(|(action, next)| child(action, 1, states.number(next)));
    }
}

impl<P: Plain> Guided for Space<P> {
    fn h(&self, key: &u32) -> u32 {
        self.puzzle.h(&self.unpack(key))
    }
}

impl<P: Plain> InPlace for Space<P> {
    type State = P::State;
    /// The state before the move.
    type Undo = P::State;
    /// The state before the last move.
    type Trail = Option<P::State>;
    type Actions<'a> = std::vec::IntoIter<P::Action>;

    fn initial(&self) -> P::State {
        self.puzzle.initial()
    }

    fn pack(&self, state: &P::State) -> u32 {
        self.states.lock().number(state.clone())
    }

    fn unpack(&self, &key: &u32) -> P::State {
        self.states.lock().states[key as usize].clone()
    }

    fn is_solved(&self, state: &P::State) -> bool {
        self.puzzle.is_goal(state)
    }

    fn h_in_place(&self, state: &P::State) -> u32 {
        self.puzzle.h(state)
    }

    fn actions(&self, state: &P::State) -> Self::Actions<'_> {
        self.puzzle.successors(state).into_iter().map(|(action, _)| action).collect::<Vec<_>>().into_iter()
    }

    fn apply(&self, state: &mut P::State, action: P::Action) -> (u32, P::State) {
        let next = successor(&*self.puzzle, state, action);
        (1, std::mem::replace(state, next))
    }

    fn undo(&self, state: &mut P::State, _action: P::Action, before: P::State) {
        *state = before;
    }

    fn trail(&self, _state: &Self::State) -> Option<P::State> {
        None
    }

    fn follow(&self, before: &Option<P::State>, state: &P::State, action: P::Action) -> Option<Option<P::State>> {
        let takes_back = before.as_ref().is_some_and(|before| successor(&*self.puzzle, state, action) == *before);
        (!takes_back).then(|| Some(state.clone()))
    }
}

/// A plain puzzle as the view of its space.
struct Positions<P>(Arc<P>);

impl<P: Plain> View<Space<P>> for Positions<P> {
    type Position = P::State;

    fn initial(&self) -> P::State {
        self.0.initial()
    }

    fn apply(&self, position: &mut P::State, action: P::Action) {
        *position = successor(&*self.0, position, action);
    }

    fn notation(&self, position: &P::State, action: P::Action, _notation: Notation) -> String {
        self.0.notation(position, action)
    }

    fn draw(&self, position: &P::State, style: Style) -> String {
        self.0.draw(position, style)
    }

    fn picture(&self, position: &P::State) -> Option<Picture> {
        self.0.picture(position)
    }

    fn goal(&self) -> GoalView {
        self.0.goal()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::space::{Weighted, Whole};
    use std::collections::BTreeMap;
    use std::thread;

    /// Numbers that are doubled, halved and counted down.
    struct Numbers;

    impl Plain for Numbers {
        type State = u32;
        type Action = u32;

        fn initial(&self) -> u32 {
            1
        }

        fn is_goal(&self, state: &u32) -> bool {
            *state == 77
        }

        fn successors(&self, &state: &u32) -> Vec<(u32, u32)> {
            (0..).zip([state * 2 % 1009, state / 2, state.wrapping_sub(1) % 1009]).collect()
        }

        fn h(&self, &state: &u32) -> u32 {
            state.abs_diff(77).min(1)
        }

        fn notation(&self, _state: &u32, action: u32) -> String {
            action.to_string()
        }

        fn draw(&self, state: &u32, _style: Style) -> String {
            state.to_string()
        }
    }

    /// Returns for all states reached in some rounds the states after them, with their h: by threads that take the
    /// states of a round in turn.
    fn answers(threads: usize) -> BTreeMap<u32, Vec<(u32, u32)>> {
        let space = Space { puzzle: Arc::new(Numbers), states: Mutex::default() };
        let graph = Whole(&space);
        let mut round = vec![space.pack(&1)];
        let mut known = BTreeMap::new();
        for _ in 0..12 {
            let work = |thread: usize| {
                let mut found = Vec::new();
                for key in round.iter().rev().skip(thread).step_by(threads) {
                    let (mut children, mut values) = (Vec::new(), Vec::new());
                    graph.expand(key, key, &mut children);
                    let children: Vec<u32> = children.into_iter().map(|(_, child)| child).collect();
                    graph.h(&children, &mut values);
                    found.push((*key, children, values));
                }
                found
            };
            let found: Vec<_> = thread::scope(|scope| {
                let parts: Vec<_> = (0..threads).map(|thread| scope.spawn(move || work(thread))).collect();
                parts.into_iter().flat_map(|part| part.join().expect("no thread panics")).collect()
            });
            graph.settle();
            round = found.iter().flat_map(|(_, children, _)| children).copied().collect();
            for (key, children, values) in found {
                let named = children.iter().map(|child| space.unpack(child)).zip(values).collect();
                known.insert(space.unpack(&key), named);
            }
            round.retain(|key| !known.contains_key(&space.unpack(key)));
            round.sort_unstable_by_key(|key| space.unpack(key));
            round.dedup();
        }
        known
    }

    #[test]
    fn numbers_of_states_are_only_names() {
        let alone = answers(1);
        assert!(alone.len() > 200, "{} states", alone.len());
        assert_eq!(answers(3), alone);
    }
}
