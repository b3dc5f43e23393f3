//! State space search: implicit graphs, and the costs of their edges.
//!
//! A state has two representations. The *key* is packed and canonical. Tables store keys, so states that differ only in
//! the labels of interchangeable pieces share one entry. The *state* is unpacked, changed in place by
//! [`apply`](InPlace::apply) and restored by [`undo`](InPlace::undo). Depth-first searches work on it.
//!
//! | trait | used by |
//! |---|---|
//! | [`StateSpace`] | every search: keys, moves between them, goals, [`Facts`] |
//! | [`Guided`] | searches with a heuristic |
//! | [`InPlace`] | depth-first searches, which are compiled for each space |
//! | [`Symmetric`] | searches with symmetry reduction |
//! | [`Jumping`] | searches for one cheapest path that expand only jump points |
//! | [`PerfectIndex`] | explorations that store no keys |
//! | [`Graph`], [`Weighted`] | searches that store states, compiled for each kind of key, over the traits above |
//!
//! Invariants that every implementation keeps, and that the tests check for every domain:
//! - `apply` then `undo` restores the state;
//! - `pack` returns equal keys exactly for states that are the same position of the puzzle;
//! - `expand` and `apply` have the same moves in the same order;
//! - `h` has the properties that the domain claims for the heuristic: admissible if it never overestimates; consistent
//!   if it never decreases along a move by more than the cost of that move.

mod cost;
mod graph;
pub mod grid;
mod joined;
mod length;
mod parts;

pub use cost::{Cost, CostUnit};
pub use graph::{Graph, JumpPoints, Ordinal, Quotient, Weighted, Whole, moves_on_path};
pub use grid::Grid;
pub use joined::Joined;
pub use length::{Length, MOST_CELLS};
pub(crate) use length::{ONE, ROOT_TWO};
pub use parts::{Part, Parts};

use crate::argument::Refutation;
use crate::limit::Limit;
use serde::Serialize;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::Range;

/// A state in a table: packed and canonical, a `u64` or `u128` where it fits. Searches that store states are compiled
/// once for each key type.
pub trait Key: Clone + Eq + Hash + Send + Sync + 'static {}

impl<K: Clone + Eq + Hash + Send + Sync + 'static> Key for K {}

/// Properties of a whole space. The default claims nothing that could fail to hold.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Facts {
    /// True if every move costs 1.
    pub unit_cost: bool,
    /// True if all moves cost the same, more than 0: then paths of the fewest moves are the cheapest. `unit_cost`
    /// implies it, whether it is set or not.
    pub equal_cost: bool,
    /// True if one move undoes each move, wherever it is legal.
    pub reversible: bool,
    /// True if some move that undoes a move costs the same as that, for each move. `equal_cost` and `unit_cost` imply
    /// it if moves are reversible.
    pub symmetric_costs: bool,
    /// True if some move costs nothing.
    pub free_moves: bool,
    /// True if such moves may follow each other for ever; false if a proof excludes it.
    pub free_cycles: bool,
    /// Bytes that a stored key owns on the heap, in addition to its own size. The memory limit relies on it.
    pub key_heap_bytes: usize,
    /// Bytes of the tables that the space itself holds, such as those of its heuristic. They count towards the memory
    /// of a search.
    pub table_bytes: u64,
    /// If keys are `u32` and all below a number not much larger than the number of states: this number. A search may
    /// then use an array instead of a hash table. Otherwise 0.
    pub key_limit: usize,
    /// True if keys differ in meaning between runs: then they must not be written to disk or sent.
    pub transient_keys: bool,
    /// True if states have [features](StateSpace::features).
    pub has_features: bool,
    /// True if the heuristic takes so long for a state, some 100 microseconds, that a search does little else.
    pub slow_heuristic: bool,
    /// What people see as a cost of 1 in the space.
    pub cost_unit: CostUnit,
}

impl Facts {
    /// Returns whether each move is undone by one of the same cost, if moves are reversible.
    #[must_use]
    pub fn has_symmetric_costs(&self) -> bool {
        self.has_equal_costs() || self.symmetric_costs
    }

    /// Returns whether all moves cost the same.
    #[must_use]
    pub fn has_equal_costs(&self) -> bool {
        self.unit_cost || self.equal_cost
    }
}

/// Packed states, the moves between them, and the goals.
pub trait StateSpace: Send + Sync + 'static {
    /// A packed state.
    type Key: Key;
    /// A move. It names cells rather than labels, so it means the same in every state with the same key.
    type Action: Copy + Eq + Debug + Send + Sync;
    /// The cost of a move.
    type Cost: Cost;

    /// Returns the properties of the whole space.
    fn facts(&self) -> Facts;

    /// Returns whether the state is a goal.
    fn is_goal(&self, key: &Self::Key) -> bool;

    /// Calls `child` with each legal move of a state, in one fixed order that the domain documents: the move, its cost,
    /// the child's key.
    fn expand(&self, key: &Self::Key, child: impl FnMut(Self::Action, Self::Cost, Self::Key));

    /// Does the same for a state on the path of a solution: no limit keeps the space from making a move.
    fn expand_on_path(&self, key: &Self::Key, child: impl FnMut(Self::Action, Self::Cost, Self::Key)) {
        self.expand(key, child);
    }

    /// Returns the limit that kept the space from making some move, if there was one: then earlier searches prove
    /// nothing. The keys of such a space must be [transient](Facts::transient_keys), since a later run or another
    /// process does not learn of it.
    fn unknown_moves(&self) -> Option<Limit> {
        None
    }

    /// Returns the keys of all goals, reachable or not; none if they cannot be listed or are more than `at_most`.
    fn goals(&self, _at_most: usize) -> Option<Vec<Self::Key>> {
        None
    }

    /// Returns a perfect index of the states reachable from the initial one, if there is one whose array takes no more
    /// memory than a table of keys.
    fn index(&self) -> Option<Box<dyn PerfectIndex<Self::Key> + '_>> {
        None
    }

    /// Appends the features of a state as numbers, in ascending order, each once: what it has in common with other
    /// states, such as a piece in a place. Only searches for novelty use them.
    fn features(&self, _key: &Self::Key, _features: &mut Vec<u64>) {}

    /// Returns the quotient graph, in which symmetric states are merged: a [`Quotient`], if the space is [`Symmetric`].
    fn quotient(&self) -> Option<Box<dyn Weighted<Self::Key, Self::Cost> + '_>> {
        None
    }

    /// Returns the graph in which a search for one cheapest path sees the fewest states, if it differs from this one:
    /// [`JumpPoints`], if the space is [`Jumping`].
    fn jump_graph(&self) -> Option<Box<dyn Weighted<Self::Key, Self::Cost> + '_>> {
        None
    }

    /// Returns the search for a shortest path from a state as one in a grid, if that is what this space and its
    /// heuristic are, and if it is faster.
    fn grid(&self, _start: &Self::Key) -> Option<Grid> {
        None
    }
}

/// The work that a technique saved a search, for people.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Saving {
    /// The technique, in one word.
    pub name: &'static str,
    /// A number of states, or of other things that `text` names.
    pub count: u64,
    /// The name of the things counted, to be printed after the count.
    pub text: String,
}

/// A heuristic; by default the one that is 0 everywhere.
pub trait Guided: StateSpace {
    /// Returns a lower bound on the cost from here to the nearest goal; [`Cost::INFINITY`] or more if no goal is
    /// reachable. Searches prune such a state.
    fn h(&self, _key: &Self::Key) -> Self::Cost {
        Self::Cost::ZERO
    }

    /// Appends [`h`](Self::h) of some states, which often have much in common: children of one state.
    fn h_of(&self, keys: &[Self::Key], values: &mut Vec<Self::Cost>) {
        values.extend(keys.iter().map(|key| self.h(key)));
    }

    /// Returns the parts of [`h`](Self::h), if it is a sum that people can follow and is finite.
    fn parts(&self, _key: &Self::Key) -> Parts {
        Parts::default()
    }

    /// Describes the heuristic for people: which one was chosen and how large it is.
    fn guidance(&self) -> Option<String> {
        None
    }

    /// Returns why there is no heuristic and [`h`](Self::h) is 0, although another one was chosen.
    fn no_heuristic(&self) -> Option<String> {
        None
    }

    /// Returns what techniques saved the searches so far, if that is counted.
    fn savings(&self) -> Vec<Saving> {
        Vec::new()
    }

    /// Returns whether it counts [`savings`](Self::savings): they depend on the states that a search visits, so it must
    /// visit the same ones for any number of threads.
    fn counts_savings(&self) -> bool {
        false
    }

    /// Returns whether the space answers the same in whatever order it is asked, by one thread or several; keys may be
    /// names that it gives to states as they are reached. See [`Weighted::is_order_independent`].
    fn is_order_independent(&self) -> bool {
        true
    }

    /// Explains why [`h`](Self::h) proves that no goal is reachable from a state, if it does and there is an
    /// explanation.
    fn refutation(&self, _key: &Self::Key) -> Option<Refutation> {
        None
    }
}

/// States that are changed in place.
pub trait InPlace: Guided {
    /// An unpacked state; it may store its own h.
    type State: Clone + Send + Sync + 'static;
    /// The data that `undo` needs besides the action.
    type Undo;
    /// The history that depth-first searches keep to prune redundant move sequences: the last move, or the state of an
    /// automaton (Taylor and Korf 1993).
    type Trail: Clone;
    /// An iterator over the legal moves of a state; it may borrow the tables of the space, but not the state.
    type Actions<'a>: Iterator<Item = Self::Action>
    where
        Self: 'a;

    /// Returns the initial state of the search.
    fn initial(&self) -> Self::State;

    /// Returns the key of a state.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// Returns a state with this key.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    /// Returns whether the state is a goal: [`is_goal`](StateSpace::is_goal) of an unpacked state.
    fn is_solved(&self, state: &Self::State) -> bool {
        self.is_goal(&self.pack(state))
    }

    /// Returns [`h`](Guided::h) of an unpacked state.
    fn h_in_place(&self, state: &Self::State) -> Self::Cost {
        self.h(&self.pack(state))
    }

    /// Returns the legal moves, in the order of [`expand`](StateSpace::expand).
    fn actions<'a>(&'a self, state: &Self::State) -> Self::Actions<'a>;

    /// Returns the legal move with this number in the same order, for a state on the path of a solution: no limit keeps the
    /// space from making a move.
    fn nth_action(&self, state: &Self::State, number: usize) -> Option<Self::Action> {
        self.actions(state).nth(number)
    }

    /// Returns the legal moves in the same order. Those that [`follow`](Self::follow) prunes may be omitted.
    #[inline]
    fn actions_after<'a>(&'a self, state: &Self::State, _trail: &Self::Trail) -> Self::Actions<'a> {
        self.actions(state)
    }

    /// Makes a legal move in place; returns its cost, and the data that undoes it.
    fn apply(&self, state: &mut Self::State, action: Self::Action) -> (Self::Cost, Self::Undo);

    /// Undoes the move that was made last.
    fn undo(&self, state: &mut Self::State, action: Self::Action, undo: Self::Undo);

    /// Makes a legal move in place if its cost plus the h after it is at most `at_most`.
    ///
    /// # Errors
    /// A lower bound on that sum, greater than `at_most`; the state is unchanged.
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

    /// Returns the trail of the empty move sequence from a state.
    fn trail(&self, state: &Self::State) -> Self::Trail;

    /// Returns the trail extended by `action`, which is not yet made. None prunes the move: every path that begins with
    /// these moves has an alternative that comes earlier or is shorter, and is no longer than it. An example is a move
    /// that undoes the last one.
    fn follow(&self, trail: &Self::Trail, state: &Self::State, action: Self::Action) -> Option<Self::Trail>;
}

/// Symmetries of a space, such as reflections and rotations.
pub trait Symmetric: Guided {
    /// Returns the canonical representative of the symmetry class of a state. It is as far from a goal as the state
    /// itself, and its children have the same representatives as the state's children.
    fn canonical(&self, key: Self::Key) -> Self::Key;

    /// Calls `child` with the representatives of the children of a state, in the order of the moves. Override it where
    /// this is cheaper than child by child, or where moves of the same cost are known to lead to the same
    /// representative: all but one may be left out.
    fn expand_canonical(&self, key: &Self::Key, mut child: impl FnMut(Self::Cost, Self::Key)) {
        self.expand(key, |_, cost, key| child(cost, self.canonical(key)));
    }
}

/// Jump points (Harabor and Grastien 2011): successors several moves away, such that some optimal path to a goal uses
/// them alone.
pub trait Jumping: Guided {
    /// Calls `point` with jump-point successors: some optimal path to a goal uses only these edges. `from` is the state
    /// this one was reached from (itself at the root); successors reachable from `from` at no greater cost may be
    /// omitted.
    fn jump_points(&self, key: &Self::Key, from: &Self::Key, point: impl FnMut(Self::Cost, Self::Key));

    /// Calls `step` with the moves on the path to a jump point: the number of each in the order of the legal moves, and
    /// its cost.
    fn between(&self, from: &Self::Key, to: &Self::Key, step: impl FnMut(Ordinal, Self::Cost));
}

/// A number below [`size`](Self::size) for each reachable state, such that no two have the same. A search can then
/// store its data on all states in an array without keys. Some numbers may belong to no reachable state; if none does,
/// the index is minimal.
pub trait PerfectIndex<K>: Send + Sync {
    /// Returns the number of numbers: at least that of the reachable states.
    fn size(&self) -> u64;

    /// Returns the number of a state; none for unreachable states that have none.
    fn rank(&self, key: &K) -> Option<u64>;

    /// Returns the state with a number that belongs to one.
    fn unrank(&self, index: u64) -> K;

    /// Appends the numbers of all neighbours of the given states, which are numbers themselves, state by state. It is
    /// fastest for states with consecutive numbers.
    fn neighbors(&self, of: &[u64], neighbors: &mut Vec<u64>);

    /// Returns the shifts: moves that a search can make for 64 states at once.
    fn shifts(&self) -> Vec<Shift> {
        Vec::new()
    }

    /// Appends the same as [`neighbors`](Self::neighbors), except the neighbours by shifts.
    fn neighbors_except_shifts(&self, of: &[u64], neighbors: &mut Vec<u64>) {
        self.neighbors(of, neighbors);
    }
}

/// A move that each of some consecutive states has, and that adds the same to the number of each.
#[derive(Clone, Debug)]
pub struct Shift {
    /// The numbers of the states. Both ends are multiples of 64.
    pub states: Range<u64>,
    /// The difference of the numbers, a multiple of 64.
    pub by: i64,
}
