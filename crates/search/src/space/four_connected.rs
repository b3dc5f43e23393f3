//! Grids with four neighbours a cell: the graph whose searches need neither keys nor tables.

/// The search for a shortest path in a grid of fewer than 2^29 cells with walls all around, in which every move leads up,
/// down, left or right, in this order, and costs 1.
pub struct FourConnected {
    /// The cells, row after row with the wall in between: 0 for a wall, 1 for an open cell.
    pub cells: Vec<u8>,
    /// The difference between a cell and the one below it.
    pub line: u32,
    /// The cell where the path begins.
    pub start: u32,
    /// The cell where it ends.
    pub goal: u32,
    /// True if h is the Manhattan distance to the goal; otherwise it is 0.
    pub is_guided: bool,
}

impl FourConnected {
    /// Returns the differences between a cell and its neighbours, for `wrapping_add`.
    #[must_use]
    pub fn steps(&self) -> [u32; 4] {
        [self.line.wrapping_neg(), self.line, u32::MAX, 1]
    }
}
