//! A space as exploration on disk sees it: codes, and the codes of their children, many at a time.
//!
//! Code that uses [`CodeGraph`] does not depend on the key type.

use super::record::Code;
use crate::space::{Graph, Key, PerfectIndex};
use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::mem::needs_drop;

/// The maximum number of goals held as a list; beyond it, each state is tested.
const MAX_GOALS: usize = 1 << 12;

/// A space in which every move costs 1.
pub(in crate::search) trait CodeGraph<C>: Sync {
    /// Describes the codes: explorations with other codes are not the same.
    fn codes(&self) -> String;

    /// Returns whether every move is reversible.
    fn is_reversible(&self) -> bool;

    /// Appends the children of some states, in any order.
    fn children(&self, of: &[C], children: &mut Vec<C>);

    /// Returns the children of a state, in the order of the moves.
    fn in_order(&self, of: C) -> Vec<C>;

    /// Appends the goals among some sorted states.
    fn goals(&self, of: &[C], goals: &mut Vec<C>);
}

/// Returns the part of the name of codes that says whether they stand for classes of symmetric states: such layers are
/// not those of the states themselves.
fn up_to_symmetry<K>(graph: &dyn Graph<K>) -> &'static str {
    if graph.is_quotient() { ", up to symmetry" } else { "" }
}

/// A graph with a perfect index, whose numbers are the codes.
pub(in crate::search) struct Indexed<'a, K> {
    graph: &'a dyn Graph<K>,
    index: Box<dyn PerfectIndex<K> + 'a>,
    /// Sorted, if they can be listed.
    goals: Option<Vec<u64>>,
}

impl<'a, K: Key> Indexed<'a, K> {
    pub fn new(graph: &'a dyn Graph<K>, index: Box<dyn PerfectIndex<K> + 'a>) -> Self {
        let goals = graph.goals(MAX_GOALS).map(|goals| {
            let mut goals: Vec<u64> = goals.iter().filter_map(|goal| index.rank(goal)).collect();
            goals.sort_unstable();
            goals
        });
        Indexed { graph, index, goals }
    }

    pub fn code(&self, key: &K) -> u64 {
        self.index.rank(key).expect("every reached state has a number")
    }

    pub fn key(&self, code: u64) -> K {
        self.index.unrank(code)
    }
}

impl<K: Key> CodeGraph<u64> for Indexed<'_, K> {
    fn codes(&self) -> String {
        format!("an index of {}{}", self.index.size(), up_to_symmetry(self.graph))
    }

    fn is_reversible(&self) -> bool {
        self.graph.facts().reversible
    }

    fn children(&self, of: &[u64], children: &mut Vec<u64>) {
        self.index.neighbors(of, children);
    }

    fn in_order(&self, of: u64) -> Vec<u64> {
        let mut children = Vec::new();
        self.graph.children(&[self.key(of)], &mut children);
        children.iter().map(|child| self.code(child)).collect()
    }

    fn goals(&self, of: &[u64], goals: &mut Vec<u64>) {
        let (Some(&first), Some(last)) = (of.first(), of.last()) else { return };
        match &self.goals {
            Some(known) => {
                let known = &known[known.partition_point(|goal| *goal < first)..];
                let known = known.iter().take_while(|goal| *goal <= last);
                goals.extend(known.filter(|goal| of.binary_search(goal).is_ok()));
            }
            None => goals.extend(of.iter().filter(|&&code| self.graph.is_goal(&self.key(code)))),
        }
    }
}

/// A graph whose keys are integers, which are the codes.
pub(in crate::search) struct Keyed<'a, K, C> {
    graph: &'a dyn Graph<K>,
    code: PhantomData<fn() -> C>,
}

/// States expanded by one call.
const BATCH: usize = 32;

impl<'a, K: Key, C: Code> Keyed<'a, K, C> {
    /// True if keys may be integers for which this is the smallest code type; otherwise nothing is compiled for it.
    pub const FITS: bool = !needs_drop::<K>()
        && size_of::<K>() <= size_of::<C>()
        && (size_of::<C>() == size_of::<u64>() || size_of::<K>() > size_of::<u64>());

    /// Returns none if keys are not integers.
    pub fn new(graph: &'a dyn Graph<K>) -> Option<Self> {
        is_whole::<K>().then_some(Keyed { graph, code: PhantomData })
    }

    #[inline]
    pub fn code(&self, key: &K) -> C {
        wide(key).and_then(C::from_wide).expect("a key fits into a code")
    }

    fn key(&self, code: C) -> K {
        narrow(code.to_wide()).expect("every code comes from a key")
    }
}

impl<K: Key, C: Code> CodeGraph<C> for Keyed<'_, K, C> {
    fn codes(&self) -> String {
        format!("keys of {} bytes{}", size_of::<K>(), up_to_symmetry(self.graph))
    }

    fn is_reversible(&self) -> bool {
        self.graph.facts().reversible
    }

    fn children(&self, of: &[C], children: &mut Vec<C>) {
        let (mut keys, mut generated) = (Vec::with_capacity(BATCH), Vec::new());
        for some in of.chunks(BATCH) {
            keys.clear();
            keys.extend(some.iter().map(|&code| self.key(code)));
            self.graph.children(&keys, &mut generated);
            children.extend(generated.drain(..).map(|child| self.code(&child)));
        }
    }

    fn in_order(&self, of: C) -> Vec<C> {
        let mut children = Vec::new();
        self.children(&[of], &mut children);
        children
    }

    fn goals(&self, of: &[C], goals: &mut Vec<C>) {
        goals.extend(of.iter().filter(|&&code| self.graph.is_goal(&self.key(code))));
    }
}

/// Converts codes to keys that are integers.
pub(in crate::search) fn keys<K: 'static>(codes: Vec<u128>) -> Vec<K> {
    codes.into_iter().map(|code| narrow(code).expect("every code comes from a key")).collect()
}

/// Returns whether a type is an integer type that keys may have.
fn is_whole<K: 'static>() -> bool {
    let key = TypeId::of::<K>();
    [TypeId::of::<u16>(), TypeId::of::<u32>(), TypeId::of::<u64>(), TypeId::of::<u128>()].contains(&key)
}

/// Returns a key as a number; the type is known at compile time, so the checks cost nothing at run time.
#[inline]
fn wide<K: 'static>(key: &K) -> Option<u128> {
    let key: &dyn Any = key;
    let small = key.downcast_ref::<u16>().map(|&key| key.into());
    let small = small.or_else(|| key.downcast_ref::<u32>().map(|&key| key.into()));
    let small = small.or_else(|| key.downcast_ref::<u64>().map(|&key| key.into()));
    small.or_else(|| key.downcast_ref::<u128>().copied())
}

/// Returns a number as a key.
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
