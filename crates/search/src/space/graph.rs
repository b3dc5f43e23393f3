//! The graph of a state space for searches that store states. It is object safe, so a search is compiled once for each
//! kind of key and not for each space.
//!
//! An expansion in such a search costs 70 to 250 ns, mostly waiting for its tables. A virtual call costs 2 to 5 ns, and
//! there is one per expanded state, not one per child.
//!
//! One space has up to three graphs: the unreduced one ([`Whole`]), the quotient by its symmetries ([`Quotient`]), and
//! the graph of its jump points ([`JumpPoints`]).

use super::{Cost, Facts, Grid, Guided, Jumping, Key, PerfectIndex, Symmetric};

/// States and moves.
pub trait Graph<K>: Send + Sync {
    /// Returns the properties of the whole space.
    fn facts(&self) -> Facts;

    /// Returns the canonical representative of a state in this graph; by default the state itself.
    fn canonical(&self, key: K) -> K {
        key
    }

    /// Appends the children of some states, state by state in the order of the moves, each as its representative.
    fn children(&self, of: &[K], children: &mut Vec<K>);

    /// Returns whether symmetric states are one state here.
    fn is_quotient(&self) -> bool {
        false
    }

    /// Returns whether the state is a goal.
    fn is_goal(&self, key: &K) -> bool;

    /// Returns the goals; see [`StateSpace::goals`](super::StateSpace::goals).
    fn goals(&self, at_most: usize) -> Option<Vec<K>>;

    /// Returns the perfect index, if there is one.
    fn index(&self) -> Option<Box<dyn PerfectIndex<K> + '_>> {
        None
    }

    /// Appends the features of a state; see [`StateSpace::features`](super::StateSpace::features).
    fn features(&self, key: &K, features: &mut Vec<u64>);

    /// Returns the cell of a state in a space of few features, such as the number of pieces that are where the goal
    /// needs them; none if the space has no cells. Only searches for novelty use it.
    fn cell(&self, _key: &K) -> Option<u64> {
        None
    }
}

/// A graph whose edges have costs, and whose states have a heuristic value.
pub trait Weighted<K: Clone, C>: Graph<K> {
    /// Appends the child by each legal move, not canonicalized, in the order of the moves.
    fn moves(&self, key: &K, children: &mut Vec<(C, K)>);

    /// Appends the same for a state on the path of a solution: no limit keeps the space from making a move.
    fn moves_from_path(&self, key: &K, children: &mut Vec<(C, K)>) {
        self.moves(key, children);
    }

    /// Appends the successors of a state that a search reached from `_from` (itself at the root). They are
    /// representatives, in the order of the moves; by default the children.
    fn expand(&self, key: &K, _from: &K, successors: &mut Vec<(C, K)>) {
        self.moves(key, successors);
    }

    /// Converts a path of [`expand`](Self::expand) successors to the ordinals of legal moves; returns them with their
    /// total cost. `start` is the state itself and not its representative.
    fn moves_on_path(&self, start: K, path: &[K]) -> (Vec<Ordinal>, C);

    /// Converts a path that need not end at a goal.
    fn moves_on_way(&self, start: K, path: &[K]) -> Vec<Ordinal> {
        self.moves_on_path(start, path).0
    }

    /// Appends the heuristic values of some states.
    fn h(&self, of: &[K], values: &mut Vec<C>);

    /// Returns whether states were expanded without their successors, since they are proven dead ends.
    fn has_pruned(&self) -> bool {
        false
    }

    /// Puts into effect what the graph has learned from the states expanded and evaluated since the last call; by
    /// default, a graph learns nothing. A search calls this between its *rounds*, while no thread uses the graph. In
    /// most searches, a round is one expansion.
    fn settle(&self) {}

    /// Returns whether threads may share a round. Then, between two calls of [`settle`](Self::settle),
    /// [`expand`](Self::expand) and [`h`](Self::h) depend on their arguments alone, in whatever order and by whichever
    /// thread they are called. What a graph counts or learns in a round depends on which calls are made, and how often,
    /// but not on their order.
    fn is_order_independent(&self) -> bool {
        false
    }

    /// Returns the quotient graph by symmetry, if it differs from this one.
    fn quotient(&self) -> Option<Box<dyn Weighted<K, C> + '_>> {
        None
    }

    /// Returns the graph in which a search for one cheapest path sees the fewest states, if it differs from this one.
    fn jump_graph(&self) -> Option<Box<dyn Weighted<K, C> + '_>> {
        None
    }

    /// Returns the same search in a grid, if the graph is one; see [`StateSpace::grid`](super::StateSpace::grid).
    fn grid(&self, _start: &K) -> Option<Grid> {
        None
    }
}

/// The graph of a space without any reduction.
pub struct Whole<'a, S>(pub &'a S);

/// The quotient graph of a space: one representative for each class of symmetric states.
pub struct Quotient<'a, S>(pub &'a S);

/// The graph of a space whose edges lead from jump point to jump point.
pub struct JumpPoints<'a, S>(pub &'a S);

/// Implements the methods that all graphs of a space share.
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

        fn features(&self, key: &$space::Key, features: &mut Vec<u64>) {
            self.0.features(key, features);
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

    fn moves_from_path(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        self.0.expand_on_path(key, |_, cost, child| children.push((cost, child)));
    }

    fn moves_on_path(&self, start: S::Key, path: &[S::Key]) -> (Vec<Ordinal>, S::Cost) {
        moves_on_path(self, start, path)
    }

    fn h(&self, of: &[S::Key], values: &mut Vec<S::Cost>) {
        self.0.h_of(of, values);
    }

    fn is_order_independent(&self) -> bool {
        self.0.is_order_independent()
    }

    fn quotient(&self) -> Option<Box<dyn Weighted<S::Key, S::Cost> + '_>> {
        self.0.quotient()
    }

    fn jump_graph(&self) -> Option<Box<dyn Weighted<S::Key, S::Cost> + '_>> {
        self.0.jump_graph()
    }

    fn grid(&self, start: &S::Key) -> Option<Grid> {
        self.0.grid(start)
    }
}

impl<S: Symmetric> Graph<S::Key> for Quotient<'_, S> {
    as_in_the_space!(S);

    fn canonical(&self, key: S::Key) -> S::Key {
        self.0.canonical(key)
    }

    fn is_quotient(&self) -> bool {
        true
    }

    fn children(&self, of: &[S::Key], children: &mut Vec<S::Key>) {
        of.iter().for_each(|key| self.0.expand_canonical(key, |_, child| children.push(child)));
    }
}

impl<S: Symmetric> Weighted<S::Key, S::Cost> for Quotient<'_, S> {
    fn moves(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        Whole(self.0).moves(key, children);
    }

    fn moves_from_path(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        Whole(self.0).moves_from_path(key, children);
    }

    fn expand(&self, key: &S::Key, _from: &S::Key, successors: &mut Vec<(S::Cost, S::Key)>) {
        self.0.expand_canonical(key, |cost, child| successors.push((cost, child)));
    }

    fn moves_on_path(&self, start: S::Key, path: &[S::Key]) -> (Vec<Ordinal>, S::Cost) {
        moves_on_path(self, start, path)
    }

    fn h(&self, of: &[S::Key], values: &mut Vec<S::Cost>) {
        Whole(self.0).h(of, values);
    }

    fn is_order_independent(&self) -> bool {
        Whole(self.0).is_order_independent()
    }
}

impl<S: Jumping> Graph<S::Key> for JumpPoints<'_, S> {
    as_in_the_space!(S);

    fn children(&self, of: &[S::Key], children: &mut Vec<S::Key>) {
        Whole(self.0).children(of, children);
    }
}

impl<S: Jumping> Weighted<S::Key, S::Cost> for JumpPoints<'_, S> {
    fn moves(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        Whole(self.0).moves(key, children);
    }

    fn moves_from_path(&self, key: &S::Key, children: &mut Vec<(S::Cost, S::Key)>) {
        Whole(self.0).moves_from_path(key, children);
    }

    fn expand(&self, key: &S::Key, from: &S::Key, successors: &mut Vec<(S::Cost, S::Key)>) {
        self.0.jump_points(key, from, |cost, state| successors.push((cost, state)));
    }

    fn moves_on_path(&self, start: S::Key, path: &[S::Key]) -> (Vec<Ordinal>, S::Cost) {
        let (mut ordinals, mut total) = (Vec::new(), S::Cost::ZERO);
        let mut from = &start;
        for to in path {
            self.0.between(from, to, |ordinal, cost| {
                ordinals.push(ordinal);
                total = total + cost;
            });
            from = to;
        }
        (ordinals, total)
    }

    fn h(&self, of: &[S::Key], values: &mut Vec<S::Cost>) {
        Whole(self.0).h(of, values);
    }

    fn is_order_independent(&self) -> bool {
        Whole(self.0).is_order_independent()
    }
}

/// Converts a path of states to moves: for each step the ordinal of a cheapest legal move to a state with that
/// representative, the first if several tie. Returns the ordinals and the total cost.
pub fn moves_on_path<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, start: K, path: &[K]) -> (Vec<Ordinal>, C) {
    let (mut at, mut total, mut ordinals) = (start, C::ZERO, Vec::with_capacity(path.len()));
    let mut children = Vec::new();
    for key in path {
        let key = graph.canonical(key.clone());
        children.clear();
        graph.moves_from_path(&at, &mut children);
        let led = (0..).zip(&children).filter(|(_, (_, child))| graph.canonical(child.clone()) == key);
        let (ordinal, (cost, child)) =
            led.min_by_key(|(_, (cost, _))| *cost).expect("consecutive states on a path are joined by a move");
        // Sums beyond all costs stay there.
        if total < C::INFINITY {
            total = total + *cost;
        }
        at = child.clone();
        ordinals.push(ordinal);
    }
    (ordinals, total)
}

/// The number of a move in the order of the legal moves of a state, from 0.
pub type Ordinal = u32;
