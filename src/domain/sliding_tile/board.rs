//! A validated board of tiles, and what can be told of it without a search.

/// A cell, by its number, row by row.
pub(super) type Cell = u32;

/// A tile, by the number on it; 0 is the blank.
pub(super) type Tile = u32;

/// A sliding-tile puzzle on the plane.
#[derive(Clone, Debug)]
pub(super) struct Board {
    pub rows: u32,
    pub columns: u32,
    /// By cell, the tile that starts there.
    pub start: Vec<Tile>,
    /// By cell, the tile that belongs there.
    pub goal: Vec<Tile>,
}

impl Board {
    /// By tile, the cell where it belongs.
    pub fn goal_cells(&self) -> Vec<Cell> {
        cells_of(&self.goal)
    }

    pub fn blank(&self) -> Cell {
        cells_of(&self.start)[0]
    }

    /// Why the goal cannot be reached, if it cannot.
    ///
    /// In one row or column the tiles cannot pass each other. Elsewhere every move is a transposition of the blank
    /// and a tile, and takes the blank to a cell of the other colour of a chessboard; so the goal is out of reach if
    /// the parity of the permutation and the colour of the blank disagree (Johnson and Story 1879), and only then:
    /// the board's graph is 2-connected and bipartite, a 2x2 board being the one that is a cycle, on which three
    /// tiles have just the two cyclic orders that parity tells apart (Wilson 1974).
    pub fn unsolvable(&self) -> Option<&'static str> {
        if self.rows == 1 || self.columns == 1 {
            let order = |cells: &[Tile]| cells.iter().copied().filter(|&tile| tile != 0).collect::<Vec<_>>();
            let differs = order(&self.start) != order(&self.goal);
            return differs.then_some("in a single row or column the tiles cannot change their order");
        }
        let goal_cells = self.goal_cells();
        let mut odd = false;
        let mut seen = vec![false; self.start.len()];
        for cell in 0..self.start.len() {
            let mut at = cell;
            while !std::mem::replace(&mut seen[at], true) {
                at = goal_cells[self.start[at] as usize] as usize;
                odd ^= at != cell;
            }
        }
        let colour = |cell: Cell| (cell / self.columns + cell % self.columns) % 2 == 1;
        let blank_changes_colour = colour(self.blank()) != colour(goal_cells[0]);
        (odd != blank_changes_colour).then_some("odd permutation on a bipartite board")
    }

    /// The number of states that can be reached: a number, or a formula where that is too long.
    pub fn states(&self) -> String {
        let cells = self.start.len() as u128;
        if self.rows == 1 || self.columns == 1 {
            return cells.to_string();
        }
        match (3..=cells).try_fold(1_u128, u128::checked_mul) {
            Some(half) => half.to_string(),
            None => format!("{cells}!/2"),
        }
    }

    /// The cells next to one: above, left, right, below, those that there are; the order in which moves are tried.
    pub fn neighbors(&self, cell: Cell) -> Neighbors {
        let (row, column) = (cell / self.columns, cell % self.columns);
        let mut neighbors = Neighbors { cells: [0; 4], next: 0, end: 0 };
        let mut add = |exists: bool, neighbor: Cell| {
            if exists {
                neighbors.cells[usize::from(neighbors.end)] = neighbor;
                neighbors.end += 1;
            }
        };
        add(row > 0, cell.wrapping_sub(self.columns));
        add(column > 0, cell.wrapping_sub(1));
        add(column + 1 < self.columns, cell + 1);
        add(row + 1 < self.rows, cell.wrapping_add(self.columns));
        neighbors
    }
}

/// By tile, the cell on which it stands.
fn cells_of(tiles: &[Tile]) -> Vec<Cell> {
    let mut cells = vec![0; tiles.len()];
    for (cell, &tile) in tiles.iter().enumerate() {
        cells[tile as usize] = cell as Cell;
    }
    cells
}

/// The cells next to one, each told once.
#[derive(Clone, Copy, Debug)]
pub(super) struct Neighbors {
    cells: [Cell; 4],
    next: u8,
    end: u8,
}

impl Iterator for Neighbors {
    type Item = Cell;

    #[inline]
    fn next(&mut self) -> Option<Cell> {
        if self.next == self.end {
            return None;
        }
        self.next += 1;
        Some(self.cells[usize::from(self.next - 1) & 3])
    }
}
