//! Grids of cells: the graphs whose searches need neither keys nor tables.

/// The search for a shortest path in a grid of fewer than 2^27 cells with walls all around. Moves lead up, down, left
/// and right, and cost 1; if there are diagonal ones, these lead up and left, up and right, down and left, down and
/// right, past two open cells each, and cost √2. This is the order of the moves.
pub struct Grid {
    /// The cells, row after row with the wall in between: 0 for a wall, 1 for an open cell.
    pub cells: Vec<u8>,
    /// The difference between a cell and the one below it.
    pub line: u32,
    /// The cell where the path begins.
    pub start: u32,
    /// The cell where it ends.
    pub goal: u32,
    /// True if there are diagonal moves.
    pub has_diagonals: bool,
    /// True if h is the distance to the goal in a grid without walls; otherwise it is 0.
    pub is_guided: bool,
}

impl Grid {
    /// Returns the differences between a cell and its neighbours, in the order of the moves, for `wrapping_add`.
    #[must_use]
    pub fn steps(&self) -> [u32; 8] {
        let (up, down) = (self.line.wrapping_neg(), self.line);
        [up, down, u32::MAX, 1, up.wrapping_sub(1), up.wrapping_add(1), down - 1, down + 1]
    }
}

/// Returns which cells beside an open cell are open, a bit for each in the order of the straight moves. `cells` are
/// those of a [`Grid`], but open ones may have any other number than 0; `line` is the difference between a cell and the
/// one below it.
#[must_use]
#[inline]
pub fn open_beside(cells: &[u8], line: u32, cell: u32) -> u8 {
    let open = |step: u32| u8::from(cells[cell.wrapping_add(step) as usize] > 0);
    open(line.wrapping_neg()) | open(line) << 1 | open(u32::MAX) << 2 | open(1) << 3
}

/// Returns which neighbours of an open cell are open, a bit for each in the order of the moves.
#[must_use]
#[inline(always)]
pub fn open_around(cells: &[u8], line: u32, cell: u32) -> u8 {
    let (cell, line) = (cell as usize, line as usize);
    let three = |middle: usize| -> [u8; 3] {
        let cells = &cells[middle - 1..middle + 2];
        std::array::from_fn(|at| u8::from(cells[at] > 0))
    };
    let [[ul, u, ur], [l, _, r], [dl, d, dr]] = [three(cell - line), three(cell), three(cell + line)];
    u | d << 1 | l << 2 | r << 3 | ul << 4 | ur << 5 | dl << 6 | dr << 7
}

/// Returns the legal moves of a cell with these open neighbours, a bit for each, if there are diagonal moves.
#[must_use]
#[inline]
pub const fn legal(open: u8) -> u8 {
    let [up, down, left, right] = [open & 1, open >> 1 & 1, open >> 2 & 1, open >> 3 & 1];
    open & (15 | (up & left) << 4 | (up & right) << 5 | (down & left) << 6 | (down & right) << 7)
}
