//! The vocabulary of state space search: an implicit graph, and what its edges cost.
//!
//! A [`StateSpace`] is all that a search sees of a puzzle. It has two faces. The *state* is unpacked, held in the
//! hand, changed in place by [`apply`](StateSpace::apply) and taken back by [`undo`](StateSpace::undo): what searches
//! in depth work on. The *key* is packed and canonical: what tables hold, so that two states which differ only in
//! the labels of interchangeable pieces are one entry.
//!
//! Invariants that every implementation keeps, and that the tests hold every domain to:
//! - `apply` then `undo` gives back the same state;
//! - `pack` gives equal keys exactly to states that are the same position of the puzzle;
//! - `expand` and `apply` tell the same moves in the same order;
//! - `h` is what the domain's facts claim of the heuristic: admissible, where it never overestimates; consistent, where
//!   it never falls by more than the cost of a move along that move.

use crate::argument::Refutation;
use std::convert::Infallible;
use std::fmt::Debug;
use std::hash::Hash;
use std::ops::{Add, Sub};

/// What a move costs, and sums of it: exact, ordered, never negative.
pub trait Cost: Copy + Ord + Add<Output = Self> + Sub<Output = Self> + Debug + Send + Sync + 'static {
    /// The cost of no move at all.
    const ZERO: Self;

    /// More than anything costs, and sums with it do not overflow: the h of a state from which no goal can be reached.
    const NEVER: Self;

    /// The cost as people write it.
    fn as_f64(self) -> f64;

    /// Whether costs that differ are never in one bucket.
    const OWN_BUCKETS: bool;

    /// The number of the bucket that holds this cost in a bucket queue: small, dense, and in the order of the costs. It
    /// is the cost, rounded down.
    fn bucket(self) -> usize;

    /// Whether it is more than a whole number.
    fn exceeds(self, whole: u32) -> bool;

    /// So many thousandths of it, rounded down to what can be told.
    #[must_use]
    fn thousandths(self, number: u32) -> Self;
}

impl Cost for u32 {
    const ZERO: u32 = 0;
    const NEVER: u32 = u32::MAX / 4;

    fn as_f64(self) -> f64 {
        f64::from(self)
    }

    const OWN_BUCKETS: bool = true;

    fn bucket(self) -> usize {
        self as usize
    }

    fn exceeds(self, whole: u32) -> bool {
        self > whole
    }

    fn thousandths(self, number: u32) -> u32 {
        u32::try_from(u64::from(self) * u64::from(number) / 1000).unwrap_or(u32::MAX)
    }
}

/// An implicit graph: what a search sees of a puzzle, and all that it sees.
pub trait StateSpace: Send + Sync + 'static {
    /// A state in the hand: unpacked, moved and taken back in place; it may carry its own h.
    type State: Clone + Send + Sync + 'static;
    /// A state in a table: packed and canonical, a `u64` or `u128` where it fits.
    type Key: Clone + Eq + Hash + Send + Sync;
    /// A move; it says cells rather than labels, so that it means the same in every state with the same key.
    type Action: Copy + Eq + Debug + Send + Sync;
    /// What `undo` needs besides the action.
    type Undo;
    /// What moves cost.
    type Cost: Cost;
    /// What depth-first searches remember of the moves that led to a state, to leave out moves that other orders of
    /// moves make superfluous: the last move, or the state of an automaton.
    type Trail: Clone;
    /// The legal moves of a state; may borrow the tables of the space, not the state.
    type Actions<'a>: Iterator<Item = Self::Action>
    where
        Self: 'a;

    /// Whether each key has a [`number`](Self::number).
    const NUMBERED: bool = false;

    /// Whether every move of every such space costs 1: then what is for other costs is not compiled for it.
    const UNIT_COST: bool = false;

    /// Whether in every such space every move can be taken back by one move, wherever it can be made: then what is for
    /// other moves is not compiled for it.
    const REVERSIBLE: bool = false;

    /// Whether every move costs 1.
    fn has_unit_cost(&self) -> bool {
        Self::UNIT_COST
    }

    /// The state that the search starts from.
    fn initial(&self) -> Self::State;

    /// Whether nothing is left to do.
    fn is_goal(&self, state: &Self::State) -> bool;

    /// The legal moves, in one fixed order that the domain documents.
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
        let least = cost + self.h(state);
        if least > at_most {
            self.undo(state, action, undo);
            return Err(least);
        }
        Ok((cost, undo))
    }

    /// The trail of no moves.
    fn trail(&self) -> Self::Trail;

    /// The trail after one more move, told before it is made; none where all that begins with these moves can be had
    /// in no more moves by others, which are told earlier or are fewer: a move that takes the last one back, say.
    fn follow(&self, trail: &Self::Trail, state: &Self::State, action: Self::Action) -> Option<Self::Trail>;

    /// The canonical key of a state.
    fn pack(&self, state: &Self::State) -> Self::Key;

    /// A state with this key.
    fn unpack(&self, key: &Self::Key) -> Self::State;

    /// A lower bound on the cost from here to the nearest goal; [`Cost::NEVER`] or more where none can be reached: such a
    /// state is not opened.
    fn h(&self, state: &Self::State) -> Self::Cost;

    /// Whether some move costs nothing, so that ways may go round for ever.
    fn has_free_moves(&self) -> bool {
        false
    }

    /// What guides searches, for people: what was chosen and how large it is.
    fn guidance(&self) -> Option<String> {
        None
    }

    /// Why [`h`](Self::h) proves that no goal can be reached from a state, if it does and more can be told than that.
    fn refutation(&self, _state: &Self::State) -> Option<Refutation> {
        None
    }

    /// Whether every move can be taken back by one move, wherever it can be made.
    fn is_reversible(&self) -> bool {
        Self::REVERSIBLE
    }

    /// Bytes that a stored key owns on the heap, beside its own size: what makes a limit on memory hold.
    fn key_heap_bytes(&self) -> usize {
        0
    }

    /// Bytes of the tables that the space itself holds: what a heuristic looks up, say. They count as memory of a search.
    fn table_bytes(&self) -> u64 {
        0
    }

    /// The one that stands for all states that a symmetry of the puzzle takes to this one: a mirror image, say. What
    /// stands for a state is as far from a goal as the state itself, and its children stand for the state's children.
    fn canonical(&self, key: Self::Key) -> Self::Key {
        key
    }

    /// The keys of all goals, reachable or not, where they can be listed and are no more than this many.
    fn goals(&self, _at_most: usize) -> Option<Vec<Self::Key>> {
        None
    }

    /// A perfect index of the states that can be reached from the initial one, where there is one.
    fn index(&self) -> Option<impl PerfectIndex<Self::Key>> {
        None::<Infallible>
    }

    /// Below what the numbers of keys are, where they have any: a search may keep an array of so many fields.
    fn numbers(&self) -> usize {
        0
    }

    /// A number that no other key has; some numbers may belong to none.
    fn number(_key: &Self::Key) -> usize {
        0
    }

    /// [`is_goal`](Self::is_goal) of a packed state; overridden where bits make it faster.
    fn is_goal_key(&self, key: &Self::Key) -> bool {
        self.is_goal(&self.unpack(key))
    }

    /// [`h`](Self::h) of a packed state; overridden where bits make it faster.
    fn h_key(&self, key: &Self::Key) -> Self::Cost {
        self.h(&self.unpack(key))
    }

    /// All children of a packed state, in the order of [`actions`](Self::actions): the move, its cost, the child's
    /// key. Overridden where bits make it faster than unpack, apply, pack.
    fn expand(&self, key: &Self::Key, mut child: impl FnMut(Self::Action, Self::Cost, Self::Key)) {
        let mut state = self.unpack(key);
        for action in self.actions(&state.clone()) {
            let (cost, undo) = self.apply(&mut state, action);
            child(action, cost, self.pack(&state));
            self.undo(&mut state, action, undo);
        }
    }

    /// [`expand`](Self::expand), but every child is told by what stands for it. Overridden where that can be had
    /// more cheaply than child by child.
    fn expand_canonical(&self, key: &Self::Key, mut child: impl FnMut(Self::Action, Self::Cost, Self::Key)) {
        self.expand(key, |action, cost, key| child(action, cost, self.canonical(key)));
    }

    /// What stands for states some moves away, each with the cost of getting there: enough of them that a cheapest way
    /// to a goal leads over such states alone. What is got more cheaply, or as cheaply, from the state that this one was
    /// reached `from`, itself at the start, may be left out. Overridden where most states need not be looked at; else
    /// the children.
    #[inline]
    fn expand_far(&self, key: &Self::Key, _from: &Self::Key, mut child: impl FnMut(Self::Cost, Self::Key)) {
        self.expand_canonical(key, |_, cost, key| child(cost, key));
    }

    /// Tells the keys on the way to one of those: after the first, the last included.
    fn between(&self, _from: &Self::Key, to: &Self::Key, mut key: impl FnMut(Self::Key)) {
        key(to.clone());
    }
}

/// Numbers for the states of a space, without a gap: each state that can be reached has one below [`size`](Self::size),
/// and each such number is that of one of these states. What is known of all states is then an array of so many fields,
/// and no key is in it.
pub trait PerfectIndex<K>: Send + Sync {
    /// Whether there is one; if not, nothing is compiled for it.
    const EXISTS: bool = true;

    /// How many states can be reached.
    fn size(&self) -> u64;

    /// The number of a state; none, if it cannot be reached.
    fn rank(&self, key: &K) -> Option<u64>;

    /// The state of a number below the size.
    fn unrank(&self, index: u64) -> K;

    /// The numbers of all neighbours of some states, which are given by number. Any order will do; states that follow
    /// each other closely are the fastest.
    fn neighbors(&self, of: impl Iterator<Item = u64>, neighbor: impl FnMut(u64));
}

/// The index of a space that has none.
impl<K> PerfectIndex<K> for Infallible {
    const EXISTS: bool = false;

    fn size(&self) -> u64 {
        match *self {}
    }

    fn rank(&self, _key: &K) -> Option<u64> {
        match *self {}
    }

    fn unrank(&self, _index: u64) -> K {
        match *self {}
    }

    fn neighbors(&self, _of: impl Iterator<Item = u64>, _neighbor: impl FnMut(u64)) {
        match *self {}
    }
}
