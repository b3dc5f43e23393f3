//! The state space of sliding blocks: keys contain the anchors of every class, and moves apply to whole classes at
//! once.
//!
//! A state is its own key. Moves are ordered by class (in the order of the first pieces), then by direction (up, down,
//! left, right), by distance and by cell; on boards with hollow pieces, by cell before distance. In the metric `turn`,
//! the moves of a piece are ordered by their ends.

use super::bits::{AnchorTest, Bits, Field, Packed};
use super::board::Metric;
use super::compiled_board::{CompiledBoard, Placement};
use super::goal_distance::GoalDistance;
use super::obstruction::Obstruction;
use super::own::Own;
use super::pattern_database::PatternDatabase;
use super::pieces::{Action, Pieces};
use super::symmetry::Symmetries;
use crate::domain::BuildContext;
use crate::space::{Cost, Facts, Guided, InPlace, Parts, Quotient, StateSpace, Symmetric, Weighted};

/// Sliding blocks on a board whose cells fit into `B`, with keys that fit into `K`.
pub(super) struct BlockSpace<B, K> {
    pub pieces: Pieces<B>,
    /// True if all moves are reversible: no piece can leave a gate for good.
    reversible: bool,
    symmetries: Symmetries<K>,
    /// The number of bits of a key.
    bits: u32,
    initial: K,
    /// Each goal as a conjunction of disjunctions of tests on a key.
    pub goals: Vec<Vec<Vec<AnchorTest>>>,
    distance: Option<GoalDistance>,
    patterns: Option<PatternDatabase<B>>,
    obstruction: Option<Obstruction>,
    own: Option<Own>,
}

/// Returns the fields of a layout's classes, and the total number of bits.
pub(super) fn fields(compiled: &CompiledBoard) -> (Vec<Field>, u32) {
    let mut bits = 0;
    let field = |class: &super::compiled_board::Class| {
        let field = Field::new(&class.placements, class.pieces.len(), bits);
        bits += field.width;
        field
    };
    (compiled.classes.iter().map(field).collect(), bits)
}

impl<B: Bits, K: Packed> BlockSpace<B, K> {
    pub fn new(compiled: &CompiledBoard, metric: Metric, distance: Option<GoalDistance>) -> Self {
        let (fields, bits) = fields(compiled);
        let mut initial = K::zero(bits);
        for (class, field) in compiled.classes.iter().zip(&fields) {
            class.pieces.iter().for_each(|&(_, at)| field.insert(&mut initial, at.into()));
        }
        let tests = |placement: &Placement| {
            placement.classes.iter().map(|&class| AnchorTest::new(class, &fields[class], placement.at)).collect()
        };
        BlockSpace {
            pieces: Pieces::new(compiled, metric, &fields),
            reversible: compiled.is_reversible(),
            symmetries: Symmetries::new(compiled, &fields, bits),
            bits,
            initial,
            goals: compiled.goals.iter().map(|goal| goal.iter().map(tests).collect()).collect(),
            distance,
            patterns: None,
            obstruction: None,
            own: None,
        }
    }

    /// Adds a pattern database to the heuristic. It is built by backward search, so there is none unless all moves are
    /// reversible.
    pub fn with_patterns(mut self, context: &BuildContext) -> Self {
        if self.reversible {
            let empty = self.pieces.empty(&self.initial).count();
            self.patterns = Some(PatternDatabase::new(&self.pieces, &self.goals, empty, context));
        }
        self
    }

    /// Replaces the heuristic by [`Obstruction`].
    pub fn with_obstruction(mut self, compiled: &CompiledBoard) -> Self {
        self.obstruction = Some(Obstruction::new(compiled, &fields(compiled).0));
        self
    }

    /// Replaces the heuristic by one of the file.
    pub fn with_own(mut self, own: Own) -> Self {
        self.own = Some(own);
        self
    }

    /// Returns the key of a board without pieces.
    pub fn empty_key(&self) -> K {
        K::zero(self.bits)
    }
}

impl<B: Bits, K: Packed> StateSpace for BlockSpace<B, K> {
    type Key = K;
    type Action = Action;
    type Cost = u32;

    fn facts(&self) -> Facts {
        Facts {
            unit_cost: true,
            reversible: self.reversible,
            key_heap_bytes: self.initial.heap_bytes(),
            table_bytes: self.patterns.as_ref().map_or(0, PatternDatabase::bytes),
            has_features: true,
            ..Facts::default()
        }
    }

    #[inline]
    fn is_goal(&self, key: &K) -> bool {
        self.goals.iter().any(|goal| goal.iter().all(|any| any.iter().any(|test| test.holds_for(key))))
    }

    fn expand(&self, key: &K, mut child: impl FnMut(Action, u32, K)) {
        self.pieces.visit_moves(key, |action, field| {
            let mut moved = key.clone();
            field.relocate(&mut moved, action.from.into(), action.to.into());
            child(action, 1, moved);
        });
    }

    fn goals(&self, at_most: usize) -> Option<Vec<K>> {
        self.enumerate_goals(at_most)
    }

    /// Each piece has a feature: its class and its place.
    fn features(&self, key: &K, features: &mut Vec<u64>) {
        for (number, class) in (0..).zip(&self.pieces.classes) {
            B::load(key, &class.field).for_each(|anchor| features.push(u64::from(number * B::CELLS as u32 + anchor)));
        }
    }

    fn quotient(&self) -> Option<Box<dyn Weighted<K, u32> + '_>> {
        // A heuristic of the file may differ in mirror images.
        if self.symmetries.len() > 0 && self.own.is_none() { Some(Box::new(Quotient(self))) } else { None }
    }
}

impl<B: Bits, K: Packed> Guided for BlockSpace<B, K> {
    fn h(&self, key: &K) -> u32 {
        if let Some(obstruction) = &self.obstruction {
            return obstruction.h(|field, each| B::load(key, field).for_each(each));
        }
        if let Some(own) = &self.own {
            return own.h(|field, each| B::load(key, field).for_each(each));
        }
        let distance = |of: &GoalDistance| of.h(|field, each| B::load(key, field).for_each(each));
        let distance = self.distance.as_ref().map_or(0, distance);
        let patterns = self.patterns.as_ref().map_or(0, |patterns| patterns.h(key, self.pieces.empty(key)));
        distance.max(patterns)
    }

    /// Returns the parts of the distances of a goal's pieces, or of a heuristic of the file.
    fn parts(&self, key: &K) -> Parts {
        let load = |field: &Field, each: &mut dyn FnMut(u32)| B::load(key, field).for_each(each);
        let parts = match (&self.own, &self.distance) {
            (Some(own), _) => own.parts(load),
            (None, Some(distance)) if self.obstruction.is_none() => distance.parts(load),
            _ => Parts::default(),
        };
        let (h, sum) = (self.h(key), parts.all.iter().map(|part| part.value).sum::<f64>());
        // Where a pattern database is greater, it is the value.
        if h < u32::INFINITY && sum == f64::from(h) { parts } else { Parts::default() }
    }
}

impl<B: Bits, K: Packed> InPlace for BlockSpace<B, K> {
    type State = K;
    type Undo = ();
    /// The last move.
    type Trail = Option<Action>;
    type Actions<'a> = std::vec::IntoIter<Action>;

    fn initial(&self) -> K {
        self.initial.clone()
    }

    fn pack(&self, key: &K) -> K {
        key.clone()
    }

    fn unpack(&self, key: &K) -> K {
        key.clone()
    }

    fn is_solved(&self, key: &K) -> bool {
        self.is_goal(key)
    }

    fn h_in_place(&self, key: &K) -> u32 {
        self.h(key)
    }

    fn actions(&self, key: &K) -> Self::Actions<'_> {
        let mut actions = Vec::new();
        self.pieces.visit_moves(key, |action, _| actions.push(action));
        actions.into_iter()
    }

    fn apply(&self, key: &mut K, action: Action) -> (u32, ()) {
        let field = &self.pieces.classes[usize::from(action.class)].field;
        field.relocate(key, action.from.into(), action.to.into());
        (1, ())
    }

    fn undo(&self, key: &mut K, action: Action, (): ()) {
        let field = &self.pieces.classes[usize::from(action.class)].field;
        field.relocate(key, action.to.into(), action.from.into());
    }

    fn trail(&self, _state: &Self::State) -> Option<Action> {
        None
    }

    fn follow(&self, last: &Option<Action>, _key: &K, action: Action) -> Option<Option<Action>> {
        let back = Action { from: action.to, to: action.from, ..action };
        (*last != Some(back)).then_some(Some(action))
    }
}

impl<B: Bits, K: Packed> Symmetric for BlockSpace<B, K> {
    #[inline]
    fn canonical(&self, key: K) -> K {
        self.symmetries.canonical(key)
    }

    fn expand_canonical(&self, key: &K, mut child: impl FnMut(u32, K)) {
        let canonical = self.symmetries.canonical_of_child(key);
        self.pieces.visit_moves(key, |Action { class, from, to }, field| {
            let mut moved = key.clone();
            field.relocate(&mut moved, from.into(), to.into());
            child(1, canonical(class, from.into(), to.into(), moved));
        });
    }
}
