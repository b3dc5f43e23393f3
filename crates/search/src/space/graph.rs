//! The graph of a state space as searches see it that store states: object safe, so that a search is compiled once for
//! each kind of key and not for each space.
//!
//! An expansion in such a search costs 70 to 250 ns, most of it spent waiting for its tables; a virtual call costs 2 to
//! 5 ns, and there is one for each state that is expanded, not one for each child.
//!
//! One space has up to three graphs: itself ([`Whole`]), the one in which symmetric states are one ([`Quotient`]), and
//! the one of its jump points ([`Leaps`]).

use super::{Cost, Facts, Guided, Jumping, Key, PerfectIndex, Symmetric};

/// States and moves.
pub trait Graph<K>: Send + Sync {
    /// What is true of the whole space.
    fn facts(&self) -> Facts;

    /// The representative of a state in this graph; by default the state itself.
    fn canonical(&self, key: K) -> K {
        key
    }

    /// Appends the children of some states, state by state in the order of the moves, each as its representative.
    fn children(&self, of: &[K], children: &mut Vec<K>);

    /// Whether the state is a goal.
    fn is_goal(&self, key: &K) -> bool;

    /// The goals; see [`StateSpace::goals`](super::StateSpace::goals).
    fn goals(&self, at_most: usize) -> Option<Vec<K>>;

    /// The perfect index, if there is one.
    fn index(&self) -> Option<Box<dyn PerfectIndex<K> + '_>>;
}

/// A graph whose edges have costs, and whose states have a heuristic value.
pub trait Weighted<K: Clone, C>: Graph<K> {
    /// Appends the child by each legal move, as it is, in the order of the moves.
    fn moves(&self, key: &K, children: &mut Vec<(C, K)>);

    /// Appends the states that a search goes on to from a state, which it reached from another; at the start, from
    /// itself. They are representatives, in the order of the moves; by default the children.
    fn expand(&self, key: &K, _from: &K, successors: &mut Vec<(C, K)>) {
        self.moves(key, successors);
    }

    /// Appends the states on the way from a state to one that [`expand`](Self::expand) led to, the last included.
    fn between(&self, _from: &K, to: &K, way: &mut Vec<K>) {
        way.push(to.clone());
    }

    /// Appends the heuristic values of some states.
    fn h(&self, of: &[K], values: &mut Vec<C>);

    /// The graph in which symmetric states are one, if that is another.
    fn quotient(&self) -> Option<Box<dyn Weighted<K, C> + '_>> {
        None
    }

    /// The graph in which a search for one cheapest way sees fewest states, if that is another.
    fn jumps(&self) -> Option<Box<dyn Weighted<K, C> + '_>> {
        None
    }
}

/// A space as it is.
pub struct Whole<'a, S>(pub &'a S);

/// A space in which states are one that a symmetry takes to each other.
pub struct Quotient<'a, S>(pub &'a S);

/// A space in which a search goes from jump point to jump point.
pub struct Leaps<'a, S>(pub &'a S);

/// What all graphs of a space have in common.
macro_rules! as_in_the_space {
    ($space:ident) => {
        fn facts(&self) -> Facts {
            self.0.facts()
        }

        fn is_goal(&self, key: &$space::Key) -> bool {
            self.0.is_goal(key)
        }

        fn goals(&self, at_most: usize) -> Option<Vec<$space::Key>> {
            self.0.goals(at_most)
        }

        fn index(&self) -> Option<Box<dyn PerfectIndex<$space::Key> + '_>> {
            self.0.index()
        }
    };
}

impl<S: Guided> Graph<S::Key> for Whole<'_, S> {
    as_in_the_space!(S);

    fn children(&self, of: &[S::Key], children: &mut Vec<S::Key>) {
        of.iter().for_each(|key| self.0.expand(key, |_, _, child| children.push(child)));
    }
}

impl<S: Guided> Weighted<S::Key, S::Cost> for Whole<'_, S> {
    fn moves(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        self.0.expand(key, |_, cost, child| children.push((cost, child)));
    }

    fn h(&self, of: &[S::Key], values: &mut Vec<S::Cost>) {
        values.extend(of.iter().map(|key| self.0.h(key)));
    }

    fn quotient(&self) -> Option<Box<dyn Weighted<S::Key, S::Cost> + '_>> {
        self.0.quotient()
    }

    fn jumps(&self) -> Option<Box<dyn Weighted<S::Key, S::Cost> + '_>> {
        self.0.jumps()
    }
}

impl<S: Symmetric> Graph<S::Key> for Quotient<'_, S> {
    as_in_the_space!(S);

    fn canonical(&self, key: S::Key) -> S::Key {
        self.0.canonical(key)
    }

    fn children(&self, of: &[S::Key], children: &mut Vec<S::Key>) {
        of.iter().for_each(|key| self.0.expand_canonical(key, |_, child| children.push(child)));
    }
}

impl<S: Symmetric> Weighted<S::Key, S::Cost> for Quotient<'_, S> {
    fn moves(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        Whole(self.0).moves(key, children);
    }

    fn expand(&self, key: &S::Key, _from: &S::Key, successors: &mut Vec<(S::Cost, S::Key)>) {
        self.0.expand_canonical(key, |cost, child| successors.push((cost, child)));
    }

    fn h(&self, of: &[S::Key], values: &mut Vec<S::Cost>) {
        Whole(self.0).h(of, values);
    }
}

impl<S: Jumping> Graph<S::Key> for Leaps<'_, S> {
    as_in_the_space!(S);

    fn children(&self, of: &[S::Key], children: &mut Vec<S::Key>) {
        Whole(self.0).children(of, children);
    }
}

impl<S: Jumping> Weighted<S::Key, S::Cost> for Leaps<'_, S> {
    fn moves(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        Whole(self.0).moves(key, children);
    }

    fn expand(&self, key: &S::Key, from: &S::Key, successors: &mut Vec<(S::Cost, S::Key)>) {
        self.0.leaps(key, from, |cost, state| successors.push((cost, state)));
    }

    fn between(&self, from: &S::Key, to: &S::Key, way: &mut Vec<S::Key>) {
        self.0.between(from, to, |key| way.push(key));
    }

    fn h(&self, of: &[S::Key], values: &mut Vec<S::Cost>) {
        Whole(self.0).h(of, values);
    }
}

/// A cheapest move for each step along some states, by its number among the legal moves: the cheapest of those that lead
/// to a state of this representative, of several the first. Returns the numbers and the cost of all together.
pub fn moves_along<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: K, way: &[K]) -> (Vec<Ordinal>, C) {
    let (mut at, mut total, mut ordinals) = (start, C::ZERO, Vec::with_capacity(way.len()));
    let mut children = Vec::new();
    for key in way {
        let key = graph.canonical(key.clone());
        children.clear();
        graph.moves(&at, &mut children);
        let led = (0..).zip(&children).filter(|(_, (_, child))| graph.canonical(child.clone()) == key);
        let (ordinal, (cost, child)) =
            led.min_by_key(|(_, (cost, _))| *cost).expect("a state has a move to the next on its way");
        total = total + *cost;
        at = child.clone();
        ordinals.push(ordinal);
    }
    (ordinals, total)
}

/// The number of a move among the legal moves of a state, in their order, from 0.
pub type Ordinal = u32;
