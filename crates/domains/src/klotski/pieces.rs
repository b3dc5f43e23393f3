//! Moves of pieces: whole classes at once, by a few operations on sets of cells.

use super::bits::{Bits, Field, Packed};
use super::board::Metric;
use super::compiled_board::{CellIndex, CompiledBoard};

/// A move: a piece of a class moves from one anchor to another.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action {
    pub class: u16,
    pub from: CellIndex,
    pub to: CellIndex,
}

/// The pieces of a board, class by class, and the cells of the floor.
pub(super) struct Pieces<B> {
    metric: Metric,
    /// True if some piece may slide onto cells that it covered itself.
    has_hollow_pieces: bool,
    pub floor: B,
    pub classes: Vec<Class<B>>,
}

/// A class of interchangeable pieces.
pub(super) struct Class<B> {
    pub field: Field,
    pub shape: Offsets<4>,
    pub count: usize,
    /// The anchors that a piece alone on the board can reach.
    pub placements: B,
    steps: Vec<BitStep<B>>,
}

struct BitStep<B> {
    delta: i32,
    from: B,
    /// The cells in front that must be empty.
    front: Offsets<2>,
}

/// Cells, as offsets from an anchor. Most pieces have few cells: the first `N` (with repetitions if there are fewer)
/// are processed in an unrolled loop.
pub(super) struct Offsets<const N: usize> {
    few: [i32; N],
    more: Vec<i32>,
}

impl<const N: usize> Offsets<N> {
    fn new(cells: &[i32]) -> Self {
        let few = std::array::from_fn(|number| cells[number.min(cells.len() - 1)]);
        Offsets { few, more: cells.get(N..).unwrap_or_default().to_vec() }
    }

    /// Returns the cells covered by pieces with these anchors.
    #[inline]
    pub fn cover<B: Bits>(&self, anchors: B) -> B {
        let covered = self.few.iter().fold(B::EMPTY, |covered, &cell| covered | anchors.ahead(-cell));
        self.more.iter().fold(covered, |covered, &cell| covered | anchors.ahead(-cell))
    }

    /// Returns the anchors for which all cells are free.
    #[inline]
    pub fn fit<B: Bits>(&self, anchors: B, free: B) -> B {
        let fitting = self.few.iter().fold(anchors, |fitting, &cell| fitting & free.ahead(cell));
        self.more.iter().fold(fitting, |fitting, &cell| fitting & free.ahead(cell))
    }
}

impl<B: Bits> Pieces<B> {
    /// Builds the classes of a layout, with their fields in keys.
    pub fn new(compiled: &CompiledBoard, metric: Metric, fields: &[Field]) -> Self {
        let classes = compiled.classes.iter().zip(fields).map(|(class, &field)| Class {
            field,
            count: class.pieces.len(),
            shape: Offsets::new(&class.cells),
            placements: B::collect(&class.placements),
            steps: class.steps.iter().map(BitStep::new).collect(),
        });
        Pieces {
            metric,
            has_hollow_pieces: compiled.classes.iter().flat_map(|class| &class.steps).any(|step| step.enters_own_cells),
            floor: B::collect(&compiled.floor),
            classes: classes.collect(),
        }
    }

    /// Returns the cells that no piece covers.
    #[inline]
    pub fn empty<K: Packed>(&self, key: &K) -> B {
        let mut filled = B::EMPTY;
        for class in &self.classes {
            filled = filled | class.shape.cover(B::load(key, &class.field));
        }
        self.floor & !filled
    }

    /// Calls `each` with every move of a state, and the field of its class. The metric is dispatched here, once for
    /// each state, and compiled into the loop.
    #[inline]
    pub fn visit_moves<K: Packed>(&self, key: &K, mut each: impl FnMut(Action, &Field)) {
        let empty = self.empty(key);
        for (class, pieces) in (0..).zip(&self.classes) {
            let anchors = B::load(key, &pieces.field);
            self.visit_moves_of(pieces, anchors, empty, |from, to| {
                each(Action { class, from: from as CellIndex, to: to as CellIndex }, &pieces.field);
            });
        }
    }

    /// Calls `each` with every move of pieces of a class with these anchors.
    #[inline]
    pub fn visit_moves_of(&self, class: &Class<B>, anchors: B, empty: B, each: impl FnMut(u32, u32)) {
        match self.metric {
            Metric::Step => class.straight::<false>(anchors, empty, each),
            Metric::Slide if self.has_hollow_pieces => class.slides_piece_by_piece(anchors, empty, each),
            Metric::Slide => class.straight::<true>(anchors, empty, each),
            Metric::Turn => class.turns(anchors, empty, each),
        }
    }
}

impl<B: Bits> BitStep<B> {
    fn new(step: &super::compiled_board::ClassStep) -> BitStep<B> {
        BitStep { delta: step.delta, from: B::collect(&step.from), front: Offsets::new(&step.front) }
    }

    /// Returns the anchors from which the step is possible.
    #[inline]
    fn possible(&self, anchors: B, empty: B) -> B {
        self.front.fit(anchors & self.from, empty)
    }
}

impl<B: Bits> Class<B> {
    /// Generates moves in a straight line, by one cell or any number.
    #[inline]
    fn straight<const ANY_DISTANCE: bool>(&self, anchors: B, empty: B, mut each: impl FnMut(u32, u32)) {
        for step in &self.steps {
            let mut movers = step.possible(anchors, empty);
            let mut offset = 0;
            while movers != B::EMPTY {
                movers.for_each(|at| each(at.wrapping_add_signed(offset), at.wrapping_add_signed(step.delta)));
                if !ANY_DISTANCE {
                    break;
                }
                movers = step.possible(movers.ahead(-step.delta), empty);
                offset -= step.delta;
            }
        }
    }

    /// Generates moves in a straight line of any length, piece by piece: the piece is removed first, so that it does
    /// not block itself.
    fn slides_piece_by_piece(&self, anchors: B, empty: B, mut each: impl FnMut(u32, u32)) {
        for step in &self.steps {
            step.possible(anchors, empty).for_each(|from| {
                let start = B::single(from);
                let without_piece = empty | self.shape.cover(start);
                let mut at = step.possible(start, without_piece).ahead(-step.delta);
                while at != B::EMPTY {
                    each(from, at.first());
                    at = step.possible(at, without_piece).ahead(-step.delta);
                }
            });
        }
    }

    /// Generates moves along any path, by flood fill of the placements that are free once the piece is removed.
    #[inline]
    fn turns(&self, anchors: B, empty: B, mut each: impl FnMut(u32, u32)) {
        let movable = self.steps.iter().fold(B::EMPTY, |all, step| all | step.possible(anchors, empty));
        movable.for_each(|from| {
            let start = B::single(from);
            let free = self.shape.fit(self.placements, empty | self.shape.cover(start));
            let mut reached = start;
            loop {
                let spread = |all: B, step: &BitStep<B>| all | (reached & step.from).ahead(-step.delta) & free;
                let extended = self.steps.iter().fold(reached, spread);
                if extended == reached {
                    break;
                }
                reached = extended;
            }
            (reached & !start).for_each(|to| each(from, to));
        });
    }
}
