//! The short way to a domain, for those that need no speed: successors come as a list.
//!
//! [`Plain`] is one trait of five methods instead of state spaces and [`View`]; [`plain`] makes it searchable by
//! every algorithm. What is lost is speed alone: a state is cloned for every child, where a packed one is a word.

use super::{Notation, Searchable, Style, View, searchable};
use crate::picture::Picture;
use crate::space::{Facts, Guided, InPlace, StateSpace};
use parking_lot::Mutex;
use std::collections::HashMap;
use std::fmt::Debug;
use std::hash::Hash;
use std::sync::Arc;

/// A puzzle in the plainest terms; every move costs 1.
///
/// ```
/// use engine_domain::domain::{Notation, Plain, Style, plain};
/// use engine_search::search::{Algorithm, Limits, Verdict};
///
/// /// Count from 1 to a number by doubling and adding one.
/// struct Counting(u32);
///
/// impl Plain for Counting {
///     type State = u32;
///     type Action = char;
///
///     fn initial(&self) -> u32 {
///         1
///     }
///
///     fn is_goal(&self, state: &u32) -> bool {
///         *state == self.0
///     }
///
///     fn successors(&self, &state: &u32) -> Vec<(char, u32)> {
///         [('d', state * 2), ('a', state + 1)].into_iter().filter(|&(_, next)| next <= self.0).collect()
///     }
///
///     fn notation(&self, _state: &u32, action: char) -> String {
///         action.to_string()
///     }
///
///     fn draw(&self, state: &u32, _style: Style) -> String {
///         format!("{state}\n")
///     }
/// }
///
/// let found = plain(Counting(10)).search(Algorithm::Bfs, &Limits::default());
/// let Verdict::Solved { path, cost, lower_bound } = found.verdict else { panic!("10 can be reached") };
/// assert_eq!((cost, lower_bound), (4.0, 4.0));
/// assert_eq!(path.moves(Notation::STANDARD).join(""), "ddad"); // 1, 2, 4, 5, 10
/// ```
pub trait Plain: Send + Sync + 'static {
    /// A position; equal positions are one state.
    type State: Clone + Eq + Hash + Send + Sync + 'static;
    /// A move.
    type Action: Copy + Eq + Debug + Send + Sync;

    /// The position that the puzzle starts from.
    fn initial(&self) -> Self::State;

    /// Whether nothing is left to do.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// Every legal move with the position that it leads to, each move once, always in the same order.
    fn successors(&self, state: &Self::State) -> Vec<(Self::Action, Self::State)>;

    /// A lower bound on the number of moves from here to the nearest goal, consistent: no move lowers it by more than 1.
    fn h(&self, _state: &Self::State) -> u32 {
        0
    }

    /// Bytes that a position owns on the heap, beside its own size: what makes a limit on memory hold.
    fn heap_bytes(&self) -> usize {
        0
    }

    /// A move as it is written, before it is made.
    fn notation(&self, state: &Self::State, action: Self::Action) -> String;

    /// The position in rows of text, each ended.
    fn draw(&self, state: &Self::State, style: Style) -> String;

    /// What there is to see of the position; none where it is too large to be seen. Text, where nothing else is said.
    fn picture(&self, state: &Self::State) -> Option<Picture> {
        Some(Picture::of_text(&self.draw(state, Style::Drawn)))
    }
}

/// Makes a plain puzzle searchable.
pub fn plain<P: Plain>(puzzle: P) -> Box<dyn Searchable> {
    let puzzle = Arc::new(puzzle);
    searchable(Space { puzzle: Arc::clone(&puzzle), states: Mutex::default() }, Positions(puzzle))
}

fn successor<P: Plain>(puzzle: &P, state: &P::State, action: P::Action) -> P::State {
    let successors = puzzle.successors(state).into_iter();
    let mut led = successors.filter_map(|(legal, next)| (legal == action).then_some(next));
    led.next().expect("only legal moves are made")
}

/// A plain puzzle as a state space. Its keys are the numbers of states, in the order in which they were met: so the searches
/// that store states are those of other spaces, and are not compiled once more.
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
        // Twice the state, with its number and what the tables of both add.
        let key_heap_bytes = 2 * (size_of::<P::State>() + self.puzzle.heap_bytes()) + 16;
        Facts { unit_cost: true, key_heap_bytes, transient_keys: true, ..Facts::default() }
    }

    fn is_goal(&self, &key: &u32) -> bool {
        self.puzzle.is_goal(&self.states.lock().states[key as usize])
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
    /// The state from before.
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

    fn trail(&self) -> Option<P::State> {
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
}
