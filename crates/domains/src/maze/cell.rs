//! The cells of a map, and their kinds.

/// A cell, by number: the cells of a row are consecutive, with a wall before and after each row.
pub(super) type Cell = u32;

/// The greatest cost of entering a cell: searches keep a bucket for each cost up to that of one step.
pub(super) const MOST_COST: u32 = 10_000;

/// A kind of cell.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kind {
    /// The ASCII character that draws it.
    pub character: u8,
    /// The cost of entering; 0 for a wall.
    pub cost: u32,
    /// The two cells of this kind, if they are a portal.
    pub portal: Option<[Cell; 2]>,
}
