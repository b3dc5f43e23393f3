//! The trace of a search in a grid.

use super::{FIRST_MOVE, Found, OPEN, Ordinal, Verdict, ordinal};
use crate::search::limits::Limits;
use crate::search::node_table::Node;
use crate::search::trace::{Child, Nodes, TracedState};
use crate::space::{Grid, Length, ONE, ROOT_TWO};

/// The trace of a search in a grid.
pub(super) struct Traced {
    nodes: Nodes<Length>,
    /// The node of each cell plus 1; 0 if it was not reached.
    numbers: Vec<Node>,
    steps: [u32; 8],
}

impl Traced {
    /// Begins a trace, if the limits ask for one; `h` is that of the start.
    pub fn new(grid: &Grid, limits: &Limits, h: Length) -> Option<Traced> {
        let mut nodes = Nodes::new(limits.trace.as_ref(), None)?;
        nodes.begin(Some(h));
        let mut numbers = vec![0; grid.cells.len()];
        numbers[grid.start as usize] = 1;
        Some(Traced { nodes, numbers, steps: grid.steps() })
    }

    /// Reports the expansion of a cell that this byte has closed, with these moves, a bit for each.
    #[cold]
    pub fn expansion(&mut self, grid: &Grid, cell: u32, mark: u8, moves: u8, h: impl Fn(u32) -> Length) {
        let parent = self.parent(cell, mark);
        let node = self.numbers[cell as usize] - 1;
        let number = mark.checked_sub(FIRST_MOVE);
        let state = number.map(|number| TracedState::Ordinal(ordinal(grid, self.parent_cell(cell, mark), number)));
        self.nodes.expanded(node, parent, state, |g, h| Some(g + h));
        let from = self.nodes.g(node);
        for number in (0..8).filter(|number| moves >> number & 1 == 1) {
            let to = cell.wrapping_add(self.steps[usize::from(number)]);
            let g = from + Length(if number < 4 { ONE } else { ROOT_TWO });
            let reached = &mut self.numbers[to as usize];
            if *reached > 0 && (grid.cells[to as usize] != OPEN || g >= self.nodes.g(*reached - 1)) {
                self.nodes.duplicate(*reached - 1, node, g);
                continue;
            }
            let is_new = *reached == 0;
            if is_new {
                *reached = self.nodes.len() as Node + 1;
            }
            let h = h(to);
            let state = TracedState::Ordinal(ordinal(grid, cell, number));
            let child = Child { node: *reached - 1, parent: node, state, g, h: Some(h), f: Some(g + h) };
            self.nodes.reached(is_new, &child);
        }
    }

    /// Reports the goal, if it was found.
    pub fn end(&mut self, grid_goal: u32, found: &Found<Vec<Ordinal>>) {
        if let (Verdict::Solved { .. }, Some(node)) = (&found.verdict, self.numbers[grid_goal as usize].checked_sub(1))
        {
            self.nodes.goal(node);
        }
    }

    /// Returns the cell that a closed cell was reached from.
    fn parent_cell(&self, cell: u32, mark: u8) -> u32 {
        mark.checked_sub(FIRST_MOVE).map_or(cell, |number| cell.wrapping_sub(self.steps[usize::from(number)]))
    }

    fn parent(&self, cell: u32, mark: u8) -> Node {
        self.numbers[self.parent_cell(cell, mark) as usize] - 1
    }
}
