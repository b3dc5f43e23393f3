//! The facts that each algorithm states beside its code, and the parameters of algorithms.
//!
//! Everything that depends on the algorithm, from the limits that it takes to the text of help, asks its
//! [`AlgorithmFacts`].

use super::path_in_place::Measure;
use super::{Algorithm, MAX_GOALS};
use crate::space::{Cost, Key, Weighted};
use std::num::NonZero;

/// Properties of an algorithm, for its users, for the parser of its name, and for all code that chooses by them.
pub struct AlgorithmFacts {
    /// The algorithm, with its default parameters.
    pub algorithm: Algorithm,
    /// The name in files, command lines and output.
    pub name: &'static str,
    /// Other accepted spellings.
    pub aliases: &'static [&'static str],
    /// Its method, guarantees and costs, with a citation.
    pub summary: &'static str,
    /// Its full name and its guarantee in a few words, for help texts.
    pub help: &'static str,
    /// True if it uses the heuristic.
    pub informed: bool,
    /// What it proves of its first solution.
    pub guarantee: Guarantee,
    /// The properties that it needs of a graph, each with the reason why it cannot search a graph without.
    pub needs: &'static [(Need, &'static str)],
    /// True if its depth is one of moves, and so is the depth limit: then it proves nothing where costs differ. Otherwise
    /// both are of costs.
    pub counts_moves: bool,
    /// True if its layers can be files, and be shared among processes.
    pub leaves_memory: bool,
    /// True if its default heuristic is one that may overestimate, if the domain has one: the search proves nothing.
    pub may_overestimate: bool,
    /// True if it relies on moves of cost 1 where all moves cost 1: jumps cost more.
    pub(super) needs_unit_moves: bool,
    /// What the threshold bounds if it searches depth-first on one state that is changed in place, with a transposition
    /// table or by iterative deepening; none if it always stores all states.
    pub(super) in_place: Option<Measure>,
}

/// What the first solution of a search is proven to be if all moves cost 1.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guarantee {
    /// Nothing.
    None,
    /// A shortest one if there is a depth limit.
    WithinDepth,
    /// A shortest one: the search completes one level of this quantity after the other.
    Levels(&'static str),
}

/// A property that an algorithm needs of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    /// Moves of cost 0 do not follow each other for ever.
    NoFreeCycles,
    /// States have [features](crate::space::StateSpace::features).
    Features,
    /// One move undoes each move.
    Reversible,
    /// A move that undoes a move costs the same.
    SymmetricCosts,
    /// The goals can be listed.
    ListedGoals,
}

impl Guarantee {
    /// Returns whether a solution is proven shortest within this limit on depth if all moves cost 1.
    #[must_use]
    pub fn is_shortest(self, depth: Option<u32>) -> bool {
        match self {
            Guarantee::None => false,
            Guarantee::WithinDepth => depth.is_some(),
            Guarantee::Levels(_) => true,
        }
    }
}

impl Need {
    fn is_met<K: Key, C: Cost>(self, graph: &dyn Weighted<K, C>) -> bool {
        match self {
            Need::NoFreeCycles => !graph.facts().free_cycles,
            Need::Features => graph.facts().has_features,
            Need::Reversible => graph.facts().reversible,
            Need::SymmetricCosts => graph.facts().has_symmetric_costs(),
            Need::ListedGoals => graph.goals(MAX_GOALS).is_some(),
        }
    }
}

/// Returns the reason why an algorithm cannot search a graph, if there is one.
pub fn objection<K: Key, C: Cost>(graph: &dyn Weighted<K, C>, algorithm: Algorithm) -> Option<&'static str> {
    let unmet = algorithm.facts().needs.iter().find(|(need, _)| !need.is_met(graph));
    unmet.map(|(_, reason)| *reason)
}

impl AlgorithmFacts {
    /// Facts that claim nothing, to be completed.
    pub(super) const NONE: AlgorithmFacts = AlgorithmFacts {
        algorithm: Algorithm::Bfs,
        name: "",
        aliases: &[],
        summary: "",
        help: "",
        informed: false,
        guarantee: Guarantee::None,
        needs: &[],
        counts_moves: false,
        leaves_memory: false,
        may_overestimate: false,
        needs_unit_moves: false,
        in_place: None,
    };

    /// Returns whether it expands the stored states in an order that depends on the heuristic.
    pub(super) fn is_guided(&self) -> bool {
        self.informed && self.in_place.is_none()
    }

    /// Returns the quantity that its levels count; none if its levels prove nothing.
    pub(super) fn level(&self) -> Option<&'static str> {
        match self.guarantee {
            Guarantee::Levels(level) => Some(level),
            Guarantee::None | Guarantee::WithinDepth => None,
        }
    }
}

impl Algorithm {
    /// Returns the properties of the algorithm.
    #[must_use]
    pub fn facts(self) -> &'static AlgorithmFacts {
        let same = |other: &Algorithm| std::mem::discriminant(other) == std::mem::discriminant(&self);
        Algorithm::ALL.iter().find(|facts| same(&facts.algorithm)).expect("every algorithm is listed")
    }

    /// Returns the name that output uses.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.facts().name
    }

    /// Returns whether the first solution it finds is proven optimal if moves cost 1.
    #[must_use]
    pub fn proves_shortest(self) -> bool {
        self.facts().guarantee.is_shortest(None)
    }

    /// Returns whether it can use a transposition table (a closed list of bounded length).
    #[must_use]
    pub fn takes_closed_limit(self) -> bool {
        self.facts().in_place.is_some()
    }

    /// Returns the algorithm with these parameters, as far as it has them.
    #[must_use]
    pub fn with(self, weight: Option<Weight>, width: Option<BeamWidth>) -> Algorithm {
        match self {
            Algorithm::WeightedAStar(default) => Algorithm::WeightedAStar(weight.unwrap_or(default)),
            Algorithm::Beam(default) => Algorithm::Beam(width.unwrap_or(default)),
            _ => self,
        }
    }

    /// Returns the algorithm with this name or alias.
    #[must_use]
    pub fn named(name: &str) -> Option<Algorithm> {
        let name = name.to_ascii_lowercase();
        let known = Algorithm::ALL.iter().find(|facts| facts.name == name || facts.aliases.contains(&&*name));
        known.map(|facts| facts.algorithm)
    }
}

/// The factor by which weighted A* multiplies h: from 1 to 1,000, stored in thousandths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Weight(u32);

impl Weight {
    /// The default weight.
    pub const DEFAULT: Weight = Weight(2000);

    /// Returns a weight, rounded down to thousandths; none outside 1 to 1,000.
    #[must_use]
    pub fn new(weight: f64) -> Option<Weight> {
        (1.0..=1000.0).contains(&weight).then_some(Weight((weight * 1000.0 + 1e-6) as u32))
    }

    /// Returns g + W h, rounded down.
    pub(super) fn weighted(self, g: usize, h: usize) -> usize {
        g + (h * self.0 as usize) / 1000
    }

    /// Returns a lower bound on g + h, if g + W h, rounded down, is `f`.
    pub(super) fn unweighted(self, f: usize) -> usize {
        (f * 1000).div_ceil(self.0 as usize)
    }

    /// Returns the weight in thousandths.
    pub(super) fn permille(self) -> u32 {
        self.0
    }

    /// Returns the weight as people write it.
    #[must_use]
    pub fn as_f64(self) -> f64 {
        f64::from(self.0) / 1000.0
    }
}

/// The number of states of a layer that beam search keeps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BeamWidth(NonZero<u32>);

impl BeamWidth {
    /// The default width.
    pub const DEFAULT: BeamWidth = BeamWidth(NonZero::new(1000).expect("the width is not 0"));

    /// Returns a width; none if it is 0.
    #[must_use]
    pub fn new(width: u32) -> Option<BeamWidth> {
        NonZero::new(width).map(BeamWidth)
    }

    /// Returns the number of states.
    #[must_use]
    pub fn get(self) -> u32 {
        self.0.get()
    }
}
