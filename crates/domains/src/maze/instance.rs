//! A validated maze: its answers without a search, and its state space.

use super::cell::Cell;
use super::map::{Direction, Map, Moves};
use super::own::Own;
use super::rules::MazeRules;
use super::scramble::scramble;
use super::space::{Grid, Heuristic, is_plain};
use super::steps::Steps;
use super::view::{MOST_DRAWN, MazeView, drawing};
use crate::diagnostic::{Diagnostic, MOST_SHOWN};
use crate::domain::{
    BuildContext, Change, Drawn, HeuristicFacts, Instance, OwnHeuristic, PartKind, Rules, Scrambled, Searchable,
    WarningContext, searchable,
};
use crate::search::{Algorithm, Stored};
use crate::space::Length;
use std::sync::{Arc, OnceLock};

/// A validated maze.
pub(super) struct Maze {
    map: Arc<Map>,
    start: Cell,
    /// The goals, at least one, each once.
    goals: Vec<Cell>,
    moves: Moves,
    /// True if the puzzle file has a drawing, rather than the name of a map file.
    has_drawing: bool,
    is_plain: bool,
    /// True if the start and some goal are connected, computed on first use.
    is_connected: OnceLock<bool>,
    /// The heuristics of the file.
    own: Vec<Arc<OwnHeuristic>>,
}

impl Maze {
    pub fn new(map: Arc<Map>, start: Cell, goals: Vec<Cell>, moves: Moves, has_drawing: bool) -> Maze {
        let is_plain = is_plain(&map, &goals);
        Maze { map, start, goals, moves, has_drawing, is_plain, is_connected: OnceLock::new(), own: Vec::new() }
    }

    /// Sets the heuristics of the file.
    pub fn with_own(self, own: Vec<Arc<OwnHeuristic>>) -> Maze {
        Maze { own, ..self }
    }

    fn searchable<C: Steps, const PLAIN: bool, const DIAGONAL: bool>(
        &self,
        heuristic: Heuristic,
        own: Option<Own>,
        context: &BuildContext,
    ) -> Box<dyn Searchable>
    where
        Cell: Stored<C>,
    {
        let space =
            Grid::<C, PLAIN, DIAGONAL>::new(&self.map, self.start, &self.goals, heuristic, context).with_own(own);
        searchable(space, MazeView::new(Arc::clone(&self.map), self.start, &self.goals))
    }

    fn is_connected(&self) -> bool {
        let find = || match self.goals[..] {
            [goal] if self.map.is_connected_by_straight_steps() => self.map.connects(goal, self.start),
            _ => self.map.reached_from(&self.goals)[self.start as usize],
        };
        *self.is_connected.get_or_init(find)
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
        let reason = match self.goals[..] {
            [_] => "walls part the goal from the start",
            _ => "walls part all goals from the start",
        };
        (!self.is_connected()).then(|| reason.to_owned())
    }

    /// Warns of goals that cannot be reached, if another can.
    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        if self.goals.contains(&self.start) {
            return context.met_at_the_start(context.goal.clone()).into_iter().collect();
        }
        if self.goals.len() == 1 || !self.is_connected() {
            return Vec::new();
        }
        let reached = self.map.reached_from(&[self.start]);
        let parted: Vec<Cell> = self.goals.iter().copied().filter(|&goal| !reached[goal as usize]).collect();
        let place = |&goal: &Cell| {
            let (row, column) = self.map.place(goal);
            format!("[{row}, {column}]")
        };
        let more = if parted.len() > MOST_SHOWN { ", …" } else { "" };
        let places = parted.iter().take(MOST_SHOWN).map(place).collect::<Vec<_>>().join(", ") + more;
        let message = match parted.len() {
            0 => return Vec::new(),
            1 => format!("walls part the goal at {places} from the start"),
            number => format!("walls part {number} of {} goals from the start: {places}", self.goals.len()),
        };
        let at =
            context.goal.clone().map_or_else(|| Diagnostic::whole(&message), |goal| Diagnostic::at(goal, &message));
        vec![at.warning().help("open a way to it, or remove it")]
    }

    /// These algorithms remember all cells, and search every map.
    fn is_decided_by(&self, algorithm: Algorithm) -> bool {
        use Algorithm::{AStar, Bfs, Greedy, WeightedAStar};
        matches!(algorithm, AStar | Bfs | Greedy | WeightedAStar(_))
    }

    fn states(&self) -> Option<String> {
        let reached = self.map.reached_from(&[self.start]);
        Some(reached.into_iter().filter(|&reached| reached).count().to_string())
    }

    fn is_drawn(&self) -> bool {
        self.map.rows.max(self.map.columns) <= MOST_DRAWN
    }

    fn refuses(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Option<String> {
        (heuristic.name == "manhattan" && self.moves == Moves::Diagonal)
            .then(|| "a diagonal step costs less than the two steps that it replaces, so it overestimates".to_owned())
    }

    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &self.own
    }

    fn default_heuristic(&self) -> Option<&'static str> {
        (self.moves == Moves::Orthogonal).then_some("manhattan")
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        let start = scramble(&self.map, &self.goals, self.moves, moves, seed, self.has_drawing, context)?;
        Some(if self.has_drawing {
            let drawn = drawing(&self.map, start, &self.goals, None);
            Scrambled { replaced: &["map"], keys: format!("map = \"\"\"\n{drawn}\"\"\"\n") }
        } else {
            let (row, column) = self.map.place(start);
            Scrambled { replaced: &["start"], keys: format!("start = [{row}, {column}]\n") }
        })
    }

    fn drawn(&self) -> Vec<Drawn> {
        if !self.has_drawing {
            return Vec::new();
        }
        let mut drawn = Drawn::new(&["map"]);
        drawn.add(".", &[]);
        drawn.add("#", &[("#", PartKind::Obstacle)]);
        for kind in &self.map.kinds {
            // Digits are kinds whether a cell has them or not.
            let number = self.map.kinds.iter().position(|other| other.character == kind.character).unwrap_or(0) as u8;
            if self.map.cells_of(number).next().is_some() {
                let text = char::from(kind.character).to_string();
                drawn.add(text.clone(), &[(&text, PartKind::Ground)]);
            }
        }
        for end in ["S", "G"] {
            drawn.add(end, &[(end, PartKind::Piece)]);
        }
        vec![drawn]
    }

    /// Each wall beside a cell that can be reached is taken away.
    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        if !self.has_drawing {
            return Box::new(std::iter::empty());
        }
        let map = &self.map;
        let reached = map.reached_from(&[self.start]);
        let places = (0..map.rows).flat_map(|row| (0..map.columns).map(move |column| (row, column)));
        Box::new(places.filter_map(move |(row, column)| {
            let cell = map.cell(row, column);
            let mut beside = Direction::ALL.into_iter().map(|direction| map.neighbor(cell, direction));
            let may_help = !map.is_open(cell) && beside.any(|beside| reached[beside as usize]);
            let words = || format!("without the wall at row {}, column {}", row + 1, column + 1);
            may_help.then(|| Change::emptying(words(), &["map"], &[(row as usize, column as usize)]))
        }))
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(MazeRules::new(&self.map, self.start, &self.goals, self.moves)))
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let own = self.own.iter().find(|own| own.facts.name == heuristic.name);
        let own = own.map(|own| Own::new(&self.map, &self.goals, own));
        let heuristic = match heuristic.name {
            "manhattan" => Heuristic::Manhattan,
            "octile" => Heuristic::Octile,
            _ => Heuristic::Zero,
        };
        // Straight steps have integer costs, but values of the heuristic `octile` are not integers.
        let is_whole = heuristic != Heuristic::Octile;
        // A plain maze has searches that know its heuristic.
        match (self.moves, self.is_plain && own.is_none()) {
            (Moves::Orthogonal, true) if is_whole => self.searchable::<u32, true, false>(heuristic, own, context),
            (Moves::Orthogonal, false) if is_whole => self.searchable::<u32, false, false>(heuristic, own, context),
            (Moves::Orthogonal, true) => self.searchable::<Length, true, false>(heuristic, own, context),
            (Moves::Orthogonal, false) => self.searchable::<Length, false, false>(heuristic, own, context),
            (Moves::Diagonal, true) => self.searchable::<Length, true, true>(heuristic, own, context),
            (Moves::Diagonal, false) => self.searchable::<Length, false, true>(heuristic, own, context),
        }
    }
}
