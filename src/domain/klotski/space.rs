//! The state space of sliding blocks: keys hold the anchors of every class, moves are made on whole classes at once.
//!
//! A state is its own key. Moves are told class by class in the order of the first pieces, then up, down, left,
//! right, then by distance, then by cell (on boards with hollow pieces: by cell, then by distance); a turn's ends are
//! told by cell.

use super::bits::{Bits, Field, Packed};
use super::board::Metric;
use super::goal_distance::GoalDistance;
use super::layout::{CellIndex, Layout, Stand};
use super::pattern_database::PatternDatabase;
use super::symmetry::Symmetries;
use crate::space::StateSpace;

/// A move: a piece of a class goes from one anchor to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub class: u16,
    pub from: CellIndex,
    pub to: CellIndex,
}

/// Sliding blocks on a board of cells that fit `B`, with keys that fit `K`.
pub(super) struct BlockSpace<B, K> {
    metric: Metric,
    /// Whether what leaves a cell may always come back: no piece has left a gate for good.
    reversible: bool,
    /// Whether a piece that slides may come to cells that it stood on itself.
    hollow: bool,
    pub floor: B,
    pub classes: Vec<Class<B>>,
    symmetries: Symmetries<K>,
    /// The bits of a key.
    bits: u32,
    initial: K,
    /// Each goal as what must hold at once, each by any one of some fields.
    pub goals: Vec<Vec<Vec<Holds>>>,
    distance: Option<GoalDistance>,
    patterns: Option<PatternDatabase<B>>,
}

/// What the bits of a key from one on are, under a mask, when a piece of a class has this anchor.
pub(super) struct Holds {
    pub class: u16,
    pub anchor: CellIndex,
    at: u32,
    mask: u64,
    value: u64,
}

impl Holds {
    fn new(class: usize, field: &Field, anchor: CellIndex) -> Holds {
        let place = u32::from(anchor) - field.min;
        let (at, mask, value) =
            if field.is_set { (field.at + place, 1, 1) } else { (field.at, field.mask, u64::from(place)) };
        Holds { class: class as u16, anchor, at, mask, value }
    }
}

/// Interchangeable pieces.
pub(super) struct Class<B> {
    pub field: Field,
    pub shape: Offsets<4>,
    pub count: usize,
    /// Where a piece could be anchored if it were alone.
    pub placements: B,
    steps: Vec<Step<B>>,
}

struct Step<B> {
    delta: i32,
    from: B,
    /// The cells in front that must be empty.
    front: Offsets<2>,
}

/// Cells, as distances from an anchor. Most pieces have few: the first `N` (some twice where there are fewer) are at
/// hand without a loop.
pub(super) struct Offsets<const N: usize> {
    few: [i32; N],
    more: Vec<i32>,
}

impl<const N: usize> Offsets<N> {
    fn new(cells: &[i32]) -> Self {
        let few = std::array::from_fn(|number| cells[number.min(cells.len() - 1)]);
        Offsets { few, more: cells.get(N..).unwrap_or_default().to_vec() }
    }

    /// The cells that pieces with these anchors stand on.
    #[inline]
    pub fn cover<B: Bits>(&self, anchors: B) -> B {
        let covered = self.few.iter().fold(B::EMPTY, |covered, &cell| covered | anchors.ahead(-cell));
        self.more.iter().fold(covered, |covered, &cell| covered | anchors.ahead(-cell))
    }

    /// Those of these anchors for which all the cells are free.
    #[inline]
    pub fn fit<B: Bits>(&self, anchors: B, free: B) -> B {
        let fitting = self.few.iter().fold(anchors, |fitting, &cell| fitting & free.ahead(cell));
        self.more.iter().fold(fitting, |fitting, &cell| fitting & free.ahead(cell))
    }
}

/// The fields of a layout's classes, and the bits that a key needs in all.
pub(super) fn fields(layout: &Layout) -> (Vec<Field>, u32) {
    let mut bits = 0;
    let field = |class: &super::layout::Class| {
        let field = Field::new(&class.placements, class.pieces.len(), bits);
        bits += field.width;
        field
    };
    (layout.classes.iter().map(field).collect(), bits)
}

impl<B: Bits, K: Packed> BlockSpace<B, K> {
    pub fn new(layout: &Layout, metric: Metric, distance: Option<GoalDistance>) -> Self {
        let (fields, bits) = fields(layout);
        let mut initial = K::zero(bits);
        for (class, field) in layout.classes.iter().zip(&fields) {
            class.pieces.iter().for_each(|&(_, at)| field.put(&mut initial, at.into()));
        }
        let classes = layout.classes.iter().zip(&fields).map(|(class, &field)| Class {
            field,
            count: class.pieces.len(),
            shape: Offsets::new(&class.cells),
            placements: B::collect(&class.placements),
            steps: class.steps.iter().map(Step::new).collect(),
        });
        let holds =
            |stand: &Stand| stand.classes.iter().map(|&class| Holds::new(class, &fields[class], stand.at)).collect();
        BlockSpace {
            metric,
            reversible: layout.is_reversible(),
            hollow: layout.classes.iter().flat_map(|class| &class.steps).any(|step| step.meets_itself),
            floor: B::collect(&layout.floor),
            classes: classes.collect(),
            symmetries: Symmetries::new(layout, &fields, bits),
            bits,
            initial,
            goals: layout.goals.iter().map(|goal| goal.iter().map(holds).collect()).collect(),
            distance,
            patterns: None,
        }
    }

    /// Adds a pattern database to the heuristic. It is made by going back along moves: where those cannot be taken
    /// back, there is none.
    pub fn with_patterns(mut self) -> Self {
        if self.reversible {
            let mut empty = 0;
            self.empty(&self.initial).for_each(|_| empty += 1);
            self.patterns = Some(PatternDatabase::new(&self, empty));
        }
        self
    }

    /// The key of a board without pieces.
    pub fn nothing(&self) -> K {
        K::zero(self.bits)
    }

    /// The cells on which no piece stands.
    #[inline]
    fn empty(&self, key: &K) -> B {
        let mut filled = B::EMPTY;
        for class in &self.classes {
            filled = filled | class.shape.cover(B::load(key, &class.field));
        }
        self.floor & !filled
    }

    /// Tells every move of a state. The metric is chosen here, once a state, and compiled into the loop.
    #[inline]
    fn each_move(&self, key: &K, mut each: impl FnMut(u16, &Field, u32, u32)) {
        let empty = self.empty(key);
        for (number, class) in self.classes.iter().enumerate() {
            let anchors = B::load(key, &class.field);
            self.moves_of(class, anchors, empty, |from, to| each(number as u16, &class.field, from, to));
        }
    }

    /// Tells every move of pieces of a class with these anchors.
    #[inline]
    pub fn moves_of(&self, class: &Class<B>, anchors: B, empty: B, each: impl FnMut(u32, u32)) {
        match self.metric {
            Metric::Step => class.straight::<false>(anchors, empty, each),
            Metric::Slide if self.hollow => class.slides_lifted(anchors, empty, each),
            Metric::Slide => class.straight::<true>(anchors, empty, each),
            Metric::Turn => class.turns(anchors, empty, each),
        }
    }
}

impl<B: Bits> Step<B> {
    fn new(step: &super::layout::Step) -> Step<B> {
        Step { delta: step.delta, from: B::collect(&step.from), front: Offsets::new(&step.front) }
    }

    /// Those of these anchors from which the step is possible.
    #[inline]
    fn possible(&self, anchors: B, empty: B) -> B {
        self.front.fit(anchors & self.from, empty)
    }
}

impl<B: Bits> Class<B> {
    /// Moves in a straight line: of one cell, or of any number.
    #[inline]
    fn straight<const ANY_DISTANCE: bool>(&self, anchors: B, empty: B, mut each: impl FnMut(u32, u32)) {
        for step in &self.steps {
            let mut movers = step.possible(anchors, empty);
            let mut behind = 0;
            while movers != B::EMPTY {
                movers.for_each(|at| each(at.wrapping_add_signed(behind), at.wrapping_add_signed(step.delta)));
                if !ANY_DISTANCE {
                    break;
                }
                movers = step.possible(movers.ahead(-step.delta), empty);
                behind -= step.delta;
            }
        }
    }

    /// Moves in a straight line of any length, piece by piece: each is lifted off first, so that it does not stand in
    /// its own way.
    fn slides_lifted(&self, anchors: B, empty: B, mut each: impl FnMut(u32, u32)) {
        for step in &self.steps {
            step.possible(anchors, empty).for_each(|from| {
                let start = B::single(from);
                let lifted = empty | self.shape.cover(start);
                let mut at = step.possible(start, lifted).ahead(-step.delta);
                while at != B::EMPTY {
                    each(from, at.first());
                    at = step.possible(at, lifted).ahead(-step.delta);
                }
            });
        }
    }

    /// Moves along any path: floods the placements that are free once the piece is lifted off.
    #[inline]
    fn turns(&self, anchors: B, empty: B, mut each: impl FnMut(u32, u32)) {
        let movable = self.steps.iter().fold(B::EMPTY, |all, step| all | step.possible(anchors, empty));
        movable.for_each(|from| {
            let start = B::single(from);
            let free = self.shape.fit(self.placements, empty | self.shape.cover(start));
            let mut reached = start;
            loop {
                let spread = |all: B, step: &Step<B>| all | (reached & step.from).ahead(-step.delta) & free;
                let wider = self.steps.iter().fold(reached, spread);
                if wider == reached {
                    break;
                }
                reached = wider;
            }
            (reached & !start).for_each(|to| each(from, to));
        });
    }
}

impl<B: Bits, K: Packed> StateSpace for BlockSpace<B, K> {
    type State = K;
    type Key = K;
    type Action = Action;
    type Undo = ();
    type Cost = u32;
    type Actions<'a> = std::vec::IntoIter<Action>;

    const UNIT_COST: bool = true;

    fn initial(&self) -> K {
        self.initial.clone()
    }

    #[inline]
    fn is_goal(&self, key: &K) -> bool {
        let holds = |held: &Holds| key.word(held.at) & held.mask == held.value;
        self.goals.iter().any(|goal| goal.iter().all(|any| any.iter().any(holds)))
    }

    fn actions(&self, key: &K) -> Self::Actions<'_> {
        let mut actions = Vec::new();
        self.each_move(key, |class, _, from, to| {
            actions.push(Action { class, from: from as CellIndex, to: to as CellIndex });
        });
        actions.into_iter()
    }

    fn apply(&self, key: &mut K, action: Action) -> (u32, ()) {
        let field = &self.classes[usize::from(action.class)].field;
        field.relocate(key, action.from.into(), action.to.into());
        (1, ())
    }

    fn undo(&self, key: &mut K, action: Action, (): ()) {
        let field = &self.classes[usize::from(action.class)].field;
        field.relocate(key, action.to.into(), action.from.into());
    }

    fn pack(&self, key: &K) -> K {
        key.clone()
    }

    fn unpack(&self, key: &K) -> K {
        key.clone()
    }

    fn h(&self, key: &K) -> u32 {
        let distance = |of: &GoalDistance| of.h(|field, each| B::load(key, field).for_each(each));
        let distance = self.distance.as_ref().map_or(0, distance);
        let patterns = self.patterns.as_ref().map_or(0, |patterns| patterns.h(key, self.empty(key)));
        distance.max(patterns)
    }

    fn is_reversible(&self) -> bool {
        self.reversible
    }

    fn key_heap_bytes(&self) -> usize {
        self.initial.heap_bytes()
    }

    fn goals(&self, at_most: usize) -> Option<Vec<K>> {
        self.list_goals(at_most)
    }

    #[inline]
    fn canonical(&self, key: K) -> K {
        self.symmetries.canonical(key)
    }

    #[inline]
    fn is_goal_key(&self, key: &K) -> bool {
        self.is_goal(key)
    }

    fn h_key(&self, key: &K) -> u32 {
        self.h(key)
    }

    #[inline]
    fn expand(&self, key: &K, mut child: impl FnMut(Action, u32, K)) {
        self.each_move(key, |class, field, from, to| {
            let mut moved = key.clone();
            field.relocate(&mut moved, from, to);
            child(Action { class, from: from as CellIndex, to: to as CellIndex }, 1, moved);
        });
    }

    #[inline]
    fn expand_canonical(&self, key: &K, mut child: impl FnMut(Action, u32, K)) {
        if self.symmetries.len() == 0 {
            return self.expand(key, child);
        }
        let canonical = self.symmetries.of_children(key);
        self.each_move(key, |class, field, from, to| {
            let mut moved = key.clone();
            field.relocate(&mut moved, from, to);
            let action = Action { class, from: from as CellIndex, to: to as CellIndex };
            child(action, 1, canonical(class, from, to, moved));
        });
    }
}
