//! Sliding tiles with `pathfinding`: a state is the array of the tiles, 0 the blank, on a square board.

use pathfinding::prelude::{astar, bfs};

/// `N` cells in rows of `width`.
pub struct Tiles<const N: usize> {
    width: usize,
    start: [u8; N],
    goal: [u8; N],
    /// By tile: its goal cell.
    goal_cells: [usize; N],
}

impl<const N: usize> Tiles<N> {
    pub fn new(start: [u8; N], goal: [u8; N]) -> Tiles<N> {
        let mut goal_cells = [0; N];
        for (cell, &tile) in goal.iter().enumerate() {
            goal_cells[usize::from(tile)] = cell;
        }
        Tiles { width: N.isqrt(), start, goal, goal_cells }
    }

    /// Returns the least number of moves, by breadth-first search.
    pub fn breadth_first(&self, on_expand: impl Fn()) -> Option<usize> {
        let successors = |tiles: &[u8; N]| {
            on_expand();
            self.successors(tiles)
        };
        let path = bfs(&self.start, successors, |tiles| *tiles == self.goal)?;
        Some(path.len() - 1)
    }

    /// Returns the least number of moves, by A* with the Manhattan distance.
    pub fn a_star(&self, on_expand: impl Fn()) -> Option<usize> {
        let successors = |tiles: &[u8; N]| {
            on_expand();
            self.successors(tiles).into_iter().map(|tiles| (tiles, 1)).collect::<Vec<_>>()
        };
        let (_, cost) = astar(&self.start, successors, |tiles| self.manhattan(tiles), |tiles| *tiles == self.goal)?;
        Some(cost)
    }

    fn successors(&self, tiles: &[u8; N]) -> Vec<[u8; N]> {
        let blank = tiles.iter().position(|&tile| tile == 0).expect("one of the tiles is the blank");
        let (row, column) = (blank / self.width, blank % self.width);
        let mut successors = Vec::with_capacity(4);
        let mut swap = |cell: usize| {
            let mut moved = *tiles;
            moved.swap(blank, cell);
            successors.push(moved);
        };
        if row > 0 {
            swap(blank - self.width);
        }
        if column > 0 {
            swap(blank - 1);
        }
        if column + 1 < self.width {
            swap(blank + 1);
        }
        if row + 1 < self.width {
            swap(blank + self.width);
        }
        successors
    }

    fn manhattan(&self, tiles: &[u8; N]) -> usize {
        let distance = |(cell, &tile): (usize, &u8)| {
            let goal = self.goal_cells[usize::from(tile)];
            let rows = (cell / self.width).abs_diff(goal / self.width);
            let columns = (cell % self.width).abs_diff(goal % self.width);
            if tile == 0 { 0 } else { rows + columns }
        };
        tiles.iter().enumerate().map(distance).sum()
    }
}
