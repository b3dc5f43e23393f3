//! A space as what exploration on disk sees of it: codes, and the codes of their children, many at a time.
//!
//! Behind [`Graph`] nothing is known of the space, and the calls are few enough that they need not be inlined.

use super::record::Code;
use crate::space::{PerfectIndex, StateSpace};
use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::mem::needs_drop;

/// More goals are not held as a list: each state is asked.
const MOST_GOALS: usize = 1 << 12;

/// A space in which every move costs 1.
pub(in crate::search) trait Graph<C>: Sync {
    /// What codes are: what has other codes is another exploration.
    fn codes(&self) -> String;

    /// Whether every move can be taken back by one move.
    fn is_reversible(&self) -> bool;

    /// Appends the children of some states, in any order.
    fn children(&self, of: &[C], children: &mut Vec<C>);

    /// The children of a state, in the order of the moves.
    fn in_order(&self, of: C) -> Vec<C>;

    /// Appends those of some states in rising order that are goals.
    fn goals(&self, of: &[C], goals: &mut Vec<C>);
}

/// A space whose states have numbers without a gap.
pub(in crate::search) struct Indexed<'a, S, I> {
    space: &'a S,
    index: I,
    /// In rising order, where they can be listed.
    goals: Option<Vec<u64>>,
}

impl<'a, S: StateSpace, I: PerfectIndex<S::Key>> Indexed<'a, S, I> {
    pub fn new(space: &'a S, index: I) -> Self {
        let goals = space.goals(MOST_GOALS).map(|goals| {
            let mut goals: Vec<u64> = goals.iter().filter_map(|goal| index.rank(goal)).collect();
            goals.sort_unstable();
            goals
        });
        Indexed { space, index, goals }
    }

    pub fn code(&self, key: &S::Key) -> u64 {
        self.index.rank(key).expect("what was reached has a number")
    }

    pub fn key(&self, code: u64) -> S::Key {
        self.index.unrank(code)
    }
}

impl<S: StateSpace, I: PerfectIndex<S::Key>> Graph<u64> for Indexed<'_, S, I> {
    fn codes(&self) -> String {
        format!("an index of {}", self.index.size())
    }

    fn is_reversible(&self) -> bool {
        self.space.is_reversible()
    }

    fn children(&self, of: &[u64], children: &mut Vec<u64>) {
        self.index.neighbors(of.iter().copied(), |neighbor| children.push(neighbor));
    }

    fn in_order(&self, of: u64) -> Vec<u64> {
        let mut children = Vec::new();
        self.space.expand(&self.key(of), |_, _, child| children.push(self.code(&child)));
        children
    }

    fn goals(&self, of: &[u64], goals: &mut Vec<u64>) {
        let (Some(&first), Some(last)) = (of.first(), of.last()) else { return };
        match &self.goals {
            Some(known) => {
                let known = &known[known.partition_point(|goal| *goal < first)..];
                let known = known.iter().take_while(|goal| *goal <= last);
                goals.extend(known.filter(|goal| of.binary_search(goal).is_ok()));
            }
            None => goals.extend(of.iter().filter(|&&code| self.space.is_goal_key(&self.key(code)))),
        }
    }
}

/// A space whose keys are whole numbers.
pub(in crate::search) struct Keyed<'a, S, C> {
    space: &'a S,
    /// Whether states that a symmetry takes to each other are one.
    symmetric: bool,
    code: PhantomData<fn() -> C>,
}

impl<'a, S: StateSpace, C: Code> Keyed<'a, S, C> {
    /// Whether keys could be whole numbers for which this is the smallest code; if not, nothing is compiled for it.
    pub const FITS: bool = !needs_drop::<S::Key>()
        && size_of::<S::Key>() <= size_of::<C>()
        && (size_of::<C>() == size_of::<u64>() || size_of::<S::Key>() > size_of::<u64>());

    /// None, where keys are no whole numbers.
    pub fn new(space: &'a S, symmetric: bool) -> Option<Self> {
        is_whole::<S::Key>().then_some(Keyed { space, symmetric, code: PhantomData })
    }

    #[inline]
    pub fn code(&self, key: &S::Key) -> C {
        wide(key).and_then(C::from_wide).expect("a key is no larger than a code")
    }

    fn key(&self, code: C) -> S::Key {
        narrow(code.to_wide()).expect("a code was made from a key")
    }
}

impl<S: StateSpace, C: Code> Graph<C> for Keyed<'_, S, C> {
    fn codes(&self) -> String {
        format!("keys of {} bytes", size_of::<S::Key>())
    }

    fn is_reversible(&self) -> bool {
        self.space.is_reversible()
    }

    fn children(&self, of: &[C], children: &mut Vec<C>) {
        for &code in of {
            let child = |_, _, child| children.push(self.code(&child));
            if self.symmetric {
                self.space.expand_canonical(&self.key(code), child);
            } else {
                self.space.expand(&self.key(code), child);
            }
        }
    }

    fn in_order(&self, of: C) -> Vec<C> {
        let mut children = Vec::new();
        self.children(&[of], &mut children);
        children
    }

    fn goals(&self, of: &[C], goals: &mut Vec<C>) {
        goals.extend(of.iter().filter(|&&code| self.space.is_goal_key(&self.key(code))));
    }
}

/// Keys that are whole numbers, from their codes.
pub(in crate::search) fn keys<K: 'static>(codes: Vec<u128>) -> Vec<K> {
    codes.into_iter().map(|code| narrow(code).expect("a code was made from a key")).collect()
}

/// Whether a type is that of whole numbers that keys may be.
fn is_whole<K: 'static>() -> bool {
    let key = TypeId::of::<K>();
    [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<u128>()].contains(&key)
}

/// A key as a number; the type is known where this is compiled, so nothing is asked when it runs.
#[inline]
fn wide<K: 'static>(key: &K) -> Option<u128> {
    let key: &dyn Any = key;
    let small = key.downcast_ref::<u16>().map(|&key| key.into());
    let small = small.or_else(|| key.downcast_ref::<u32>().map(|&key| key.into()));
    let small = small.or_else(|| key.downcast_ref::<u64>().map(|&key| key.into()));
    small.or_else(|| key.downcast_ref::<u128>().copied())
}

/// A number as a key.
#[inline]
fn narrow<K: 'static>(number: u128) -> Option<K> {
    let mut key: Option<K> = None;
    let held: &mut dyn Any = &mut key;
    if let Some(key) = held.downcast_mut::<Option<u16>>() {
        *key = number.try_into().ok();
    } else if let Some(key) = held.downcast_mut::<Option<u32>>() {
        *key = number.try_into().ok();
    } else if let Some(key) = held.downcast_mut::<Option<u64>>() {
        *key = number.try_into().ok();
    } else if let Some(key) = held.downcast_mut::<Option<u128>>() {
        *key = Some(number);
    }
    key
}
