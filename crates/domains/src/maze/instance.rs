//! A validated maze: its answers without a search, and its state space.

use super::map::{Cell, Map, Moves};
use super::rules::MazeRules;
use super::scramble::scramble;
use super::space::{Grid, Heuristic};
use super::steps::Steps;
use super::view::{MOST_DRAWN, MazeView, drawing};
use crate::domain::{BuildContext, HeuristicFacts, Instance, Rules, Scrambled, Searchable, searchable};
use crate::search::{Algorithm, Stored};
use crate::space::Length;
use std::sync::{Arc, OnceLock};

/// A validated maze.
pub(super) struct Maze {
    map: Arc<Map>,
    start: Cell,
    goal: Cell,
    moves: Moves,
    /// True if the puzzle file has a drawing, rather than the name of a map file.
    has_drawing: bool,
    /// True if every step costs 1, or √2 if diagonal.
    is_uniform: bool,
    /// True if the start and the goal are connected, computed on first use.
    is_connected: OnceLock<bool>,
}

impl Maze {
    pub fn new(map: Arc<Map>, start: Cell, goal: Cell, moves: Moves, has_drawing: bool) -> Maze {
        let is_uniform = map.costs.iter().all(|&cost| cost <= 1);
        Maze { map, start, goal, moves, has_drawing, is_uniform, is_connected: OnceLock::new() }
    }

    fn searchable<C: Steps, const UNIT: bool, const DIAGONAL: bool>(&self, heuristic: Heuristic) -> Box<dyn Searchable>
    where
        Cell: Stored<C>,
    {
        let (start, goal) = (self.start, self.goal);
        let space = Grid::<C, UNIT, DIAGONAL>::new(&self.map, start, goal, heuristic);
        searchable(space, MazeView::new(Arc::clone(&self.map), start, goal))
    }
}

impl Instance for Maze {
    fn metric(&self) -> Option<&'static str> {
        Some(match self.moves {
            Moves::Orthogonal => "orthogonal",
            Moves::Diagonal => "diagonal",
        })
    }

    fn size(&self) -> String {
        format!("{}x{}", self.map.rows, self.map.columns)
    }

    fn unsolvable(&self) -> Option<String> {
        let find = || self.map.connects(self.goal, self.start);
        let reason = "walls part the goal from the start";
        (!*self.is_connected.get_or_init(find)).then(|| reason.to_owned())
    }

    /// These algorithms remember all cells, and search every map.
    fn is_decided_by(&self, algorithm: Algorithm) -> bool {
        use Algorithm::{AStar, Bfs, Greedy, WeightedAStar};
        matches!(algorithm, AStar | Bfs | Greedy | WeightedAStar(_))
    }

    fn states(&self) -> Option<String> {
        let reached = self.map.reached_from(self.start);
        Some(reached.into_iter().filter(|&reached| reached).count().to_string())
    }

    fn is_drawn(&self) -> bool {
        self.map.rows.max(self.map.columns) <= MOST_DRAWN
    }

    fn refuses(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Option<String> {
        (heuristic.name == "manhattan" && self.moves == Moves::Diagonal)
            .then(|| "a diagonal step costs less than the two steps that it replaces, so it overestimates".to_owned())
    }

    fn default_heuristic(&self) -> Option<&'static str> {
        (self.moves == Moves::Orthogonal).then_some("manhattan")
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64) -> Option<Scrambled> {
        let start = scramble(&self.map, self.goal, self.moves, moves, seed, self.has_drawing)?;
        Some(if self.has_drawing {
            let drawn = drawing(&self.map, start, self.goal, None);
            Scrambled { replaced: &["map"], keys: format!("map = \"\"\"\n{drawn}\"\"\"\n") }
        } else {
            let (row, column) = self.map.place(start);
            Scrambled { replaced: &["start"], keys: format!("start = [{row}, {column}]\n") }
        })
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(MazeRules::new(&self.map, self.start, self.goal, self.moves)))
    }

    fn space(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Box<dyn Searchable> {
        let heuristic = match heuristic.name {
            "manhattan" => Heuristic::Manhattan,
            "octile" => Heuristic::Octile,
            _ => Heuristic::Zero,
        };
        // Straight steps have integer costs, but values of the heuristic `octile` are not integers.
        let is_whole = heuristic != Heuristic::Octile;
        match (self.moves, self.is_uniform) {
            (Moves::Orthogonal, true) if is_whole => self.searchable::<u32, true, false>(heuristic),
            (Moves::Orthogonal, false) if is_whole => self.searchable::<u32, false, false>(heuristic),
            (Moves::Orthogonal, true) => self.searchable::<Length, true, false>(heuristic),
            (Moves::Orthogonal, false) => self.searchable::<Length, false, false>(heuristic),
            (Moves::Diagonal, true) => self.searchable::<Length, true, true>(heuristic),
            (Moves::Diagonal, false) => self.searchable::<Length, false, true>(heuristic),
        }
    }
}
