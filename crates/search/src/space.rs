//! The vocabulary of state space search: implicit graphs, and what their edges cost.
//!
//! A state space has two faces. The *key* of a state is packed and canonical: what tables hold, so that two states which
//! differ only in the labels of interchangeable pieces are one entry. The *state* is unpacked, changed in place by
//! [`apply`](InPlace::apply) and restored by [`undo`](InPlace::undo): what depth-first searches work on.
//!
//! | trait | who reads it |
//! |---|---|
//! | [`StateSpace`] | everybody: keys, moves between them, goals, [`Facts`] |
//! | [`Guided`] | searches with a heuristic |
//! | [`InPlace`] | depth-first searches, which are compiled for each space |
//! | [`Symmetric`] | searches in which symmetric states are one |
//! | [`Jumping`] | searches for one cheapest way that leave out most states between |
//! | [`PerfectIndex`] | explorations that need no keys |
//! | [`Graph`], [`Weighted`] | searches that store states, compiled for each kind of key: made of the traits above |
//!
//! Invariants that every implementation keeps, and that the tests hold every domain to:
//! - `apply` then `undo` restores the state;
//! - `pack` gives equal keys exactly to states that are the same position of the puzzle;
//! - `expand` and `apply` have the same moves in the same order;
//! - `h` is what the domain's facts claim of the heuristic: admissible, where it never overestimates; consistent, where
//!   it never falls by more than the cost of a move along that move.

mod cost;
mod graph;

pub use cost::Cost;
pub use graph::{Graph, Leaps, Ordinal, Quotient, Weighted, Whole, moves_along};

use crate::argument::Refutation;
use std::fmt::Debug;
use std::hash::Hash;

/// A state in a table: packed and canonical, a `u64` or `u128` where it fits. Searches that store states are compiled
/// once for each type of keys.
pub trait Key: Clone + Eq + Hash + Send + Sync + 'static {}

impl<K: Clone + Eq + Hash + Send + Sync + 'static> Key for K {}

/// What is true of a whole space. The default is what can be said of any.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// Whether every move costs 1.
    pub unit_cost: bool,
    /// Whether every move can be taken back by one move, wherever it can be made.
    pub reversible: bool,
    /// Whether some move costs nothing, so that ways may go round for ever.
    pub free_moves: bool,
    /// Bytes that a stored key owns on the heap, beside its own size: what makes a limit on memory hold.
    pub key_heap_bytes: usize,
    /// Bytes of the tables that the space itself holds, those of its heuristic, say. They count as memory of a search.
    pub table_bytes: u64,
    /// Where keys are `u32` and all less than a number that is not much larger than that of the states: this number. A
    /// search may then keep an array instead of a hash table. Else 0.
    pub key_limit: usize,
    /// Whether keys mean something else in the next run: then they cannot lie on disk, or be sent.
    pub transient_keys: bool,
}

/// Packed states, the moves between them, and the goals.
pub trait StateSpace: Send + Sync + 'static {
    /// A packed state.
    type Key: Key;
    /// A move; it says cells rather than labels, so that it means the same in every state with the same key.
    type Action: Copy + Eq + Debug + Send + Sync;
    /// What moves cost.
    type Cost: Cost;

    /// What is true of the whole space.
    fn facts(&self) -> Facts;

    /// Whether nothing is left to do.
    fn is_goal(&self, key: &Self::Key) -> bool;

    /// All legal moves of a state, in one fixed order that the domain documents: the move, its cost, the child's key.
    fn expand(&self, key: &Self::Key, child: impl FnMut(Self::Action, Self::Cost, Self::Key));

    /// The keys of all goals, reachable or not, where they can be listed and are no more than this many.
    fn goals(&self, _at_most: usize) -> Option<Vec<Self::Key>> {
        None
    }

    /// A perfect index of the states that can be reached from the initial one, where there is one.
    fn index(&self) -> Option<Box<dyn PerfectIndex<Self::Key> + '_>> {
        None
    }

    /// The graph in which symmetric states are one: a [`Quotient`], where the space is [`Symmetric`].
    fn quotient(&self) -> Option<Box<dyn Weighted<Self::Key, Self::Cost> + '_>> {
        None
    }

    /// The graph of jump points: [`Leaps`], where the space is [`Jumping`].
    fn jumps(&self) -> Option<Box<dyn Weighted<Self::Key, Self::Cost> + '_>> {
        None
    }
}

/// A heuristic; by default the one that is 0 everywhere.
pub trait Guided: StateSpace {
    /// A lower bound on the cost from here to the nearest goal; [`Cost::NEVER`] or more where none can be reached: such a
    /// state is not opened.
    fn h(&self, _key: &Self::Key) -> Self::Cost {
        Self::Cost::ZERO
    }

    /// What guides searches, for people: what was chosen and how large it is.
    fn guidance(&self) -> Option<String> {
        None
    }

    /// Why [`h`](Self::h) proves that no goal can be reached from a state, if it does and more can be said than that.
    fn refutation(&self, _key: &Self::Key) -> Option<Refutation> {
        None
    }
}

/// States that are changed in place.
pub trait InPlace: Guided {
    /// An unpacked state; it may carry its own h.
    type State: Clone + Send + Sync + 'static;
    /// What `undo` needs besides the action.
    type Undo;
    /// What depth-first searches remember of the moves that led to a state, to leave out moves that other orders of
    /// moves make superfluous: the last move, or the state of an automaton.
    type Trail: Clone;
    /// The legal moves of a state; may borrow the tables of the space, not the state.
    type Actions<'a>: Iterator<Item = Self::Action>
    where
        Self: 'a;

    /// The state that the search starts from.
    fn initial(&self) -> Self::State;

    /// The key of a state.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// A state with this key.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    /// Whether nothing is left to do: [`is_goal`](StateSpace::is_goal) of an unpacked state.
    fn is_solved(&self, state: &Self::State) -> bool {
        self.is_goal(&self.pack(state))
    }

    /// [`h`](Guided::h) of an unpacked state.
    fn h_in_place(&self, state: &Self::State) -> Self::Cost {
        self.h(&self.pack(state))
    }

    /// The legal moves, in the order of [`expand`](StateSpace::expand).
    fn actions<'a>(&'a self, state: &Self::State) -> Self::Actions<'a>;

    /// Makes a legal move in place; returns its cost, and what takes it back.
    fn apply(&self, state: &mut Self::State, action: Self::Action) -> (Self::Cost, Self::Undo);

    /// Takes back the move that was made last.
    fn undo(&self, state: &mut Self::State, action: Self::Action, undo: Self::Undo);

    /// Makes a legal move in place if its cost and the h after it are no more than `at_most` together.
    ///
    /// # Errors
    /// A lower bound on that sum which is greater than `at_most`; the state is what it was.
    #[inline]
    fn apply_within(
        &self,
        state: &mut Self::State,
        action: Self::Action,
        at_most: Self::Cost,
    ) -> Result<(Self::Cost, Self::Undo), Self::Cost> {
        let (cost, undo) = self.apply(state, action);
        let least = cost + self.h_in_place(state);
        if least > at_most {
            self.undo(state, action, undo);
            return Err(least);
        }
        Ok((cost, undo))
    }

    /// The trail of no moves.
    fn trail(&self) -> Self::Trail;

    /// The trail after one more move, which is not yet made; none where all that begins with these moves can be had
    /// in no more moves by others, which come earlier or are fewer: a move that takes the last one back, say.
    fn follow(&self, trail: &Self::Trail, state: &Self::State, action: Self::Action) -> Option<Self::Trail>;
}

/// Symmetries: mirror images and turns, say.
pub trait Symmetric: Guided {
    /// The representative of all states that a symmetry of the puzzle takes to this one. It is as far from a goal as the
    /// state itself, and its children have the representatives of the state's children.
    fn canonical(&self, key: Self::Key) -> Self::Key;

    /// The representatives of the children of a state, in the order of the moves. Overridden where they can be had more
    /// cheaply than child by child.
    fn expand_canonical(&self, key: &Self::Key, mut child: impl FnMut(Self::Cost, Self::Key)) {
        self.expand(key, |_, cost, key| child(cost, self.canonical(key)));
    }
}

/// Jump points: states some moves away of which so many are enough that a cheapest way to a goal leads over them alone.
pub trait Jumping: Guided {
    /// The jump points of a state, each with the cost of getting there. What is got more cheaply, or as cheaply, from the
    /// state that this one was reached `from`, itself at the start, may be left out.
    fn leaps(&self, key: &Self::Key, from: &Self::Key, point: impl FnMut(Self::Cost, Self::Key));

    /// The states on the way to a jump point: after the first, the last included.
    fn between(&self, from: &Self::Key, to: &Self::Key, key: impl FnMut(Self::Key));
}

/// Numbers for the states of a space, without a gap: each state that can be reached has one below [`size`](Self::size),
/// and each such number is that of one of these states. What is known of all states is then an array of so many fields,
/// and no key is in it.
pub trait PerfectIndex<K>: Send + Sync {
    /// How many states can be reached.
    fn size(&self) -> u64;

    /// The number of a state; none, if it cannot be reached.
    fn rank(&self, key: &K) -> Option<u64>;

    /// The state of a number below the size.
    fn unrank(&self, index: u64) -> K;

    /// Appends the numbers of all neighbors of some states, which are given by number, state by state. States that follow
    /// each other closely are the fastest.
    fn neighbors(&self, of: &[u64], neighbors: &mut Vec<u64>);
}
