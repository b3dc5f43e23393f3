//! Sliding blocks: pieces of any shape on a board with walls and gates; Klotski, Huarong Dao, Rush Hour.
//!
//! - `description`: the keys of a puzzle file, and their validation;
//! - `board`: the validated board;
//! - `compiled_board`: the board compiled for search: classes of interchangeable pieces, placements, steps;
//! - `bits`, `pieces`, `space`: the packed state space;
//! - `symmetry`: symmetry reduction by reflections and rotations;
//! - `goals`: enumeration of all goal positions, for backward searches;
//! - `goal_distance`, `assignment`, `pattern_database`, `obstruction`: the heuristics;
//! - `own`: the heuristics of the file;
//! - `view`: drawings and notation;
//! - `rules`: the reference rules, which check solutions;
//! - `scramble`: random starts;
//! - `import`: boards in other formats.

mod assignment;
mod bits;
mod board;
mod compiled_board;
mod description;
mod goal_distance;
mod goals;
mod import;
mod obstruction;
mod own;
mod pattern_database;
mod pieces;
mod rules;
mod scramble;
mod space;
mod symmetry;
#[cfg(test)]
mod tests;
mod view;

use super::{
    BuildContext, Change, Drawn, Edit, HeuristicFacts, Instance, Named, Notation, OwnHeuristic, PartKind, Rules,
    Scrambled, Searchable, WarningContext, random_walk, searchable,
};
use crate::diagnostic::Diagnostic;
use bits::{Bits, Packed, Wide};
use board::{BlockBoard, Metric, Piece, Place, Target, Who};
use compiled_board::{CompiledBoard, Unreachable};
use goal_distance::GoalDistance;
use own::Own;
use rules::BlockRules;
use space::BlockSpace;
use std::collections::HashMap;
use std::sync::Arc;
use view::BlockView;

/// The greatest number of cells in the smallest rectangle that contains everything but walls.
const MAX_CELLS: usize = 1024;

engine_domain::domain! {
    #[cfg(not(test))]
    name: "klotski",
    summary: "sliding blocks: pieces of any shape, walls and gates",
    read: description::read,
    keys: &[
        Named { name: "start", summary: "the board as a drawing: `.` empty, `#` wall, `=` gate, any other character a piece" },
        Named { name: "goal", summary: "the goal positions of the pieces it names: a drawing, a table of places, or an array of alternatives" },
        Named { name: "metric", summary: "the definition of one move; default `slide`" },
        Named { name: "moves", summary: "the directions in which pieces may move: `any` (default), `horizontal`, `vertical`, `lengthwise`, `none`" },
        Named { name: "walls", summary: "additional walls, as `[row, column]`" },
        Named { name: "gates", summary: "additional gates, as `[row, column]`, for example under a piece" },
        Named { name: "rows", summary: "without a drawing: the number of rows" },
        Named { name: "columns", summary: "without a drawing: the number of columns" },
        Named { name: "shapes", summary: "without a drawing: shapes by name, as rows of `#` and `.`" },
        Named { name: "pieces", summary: "pieces by name: `moves`, and without a drawing `shape` and `at`" },
        super::OWN_HEURISTICS,
    ],
    metrics: &[
        Named { name: "slide", summary: "one piece, one straight line, any distance" },
        Named { name: "step", summary: "one piece, one cell" },
        Named { name: "turn", summary: "one piece, any path" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "goal-distance",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the sum of the moves that the pieces in the goal need, each alone on the board (a relaxation, \
                      after Pearl 1984); where a goal demands shapes, for the cheapest assignment of pieces to places",
            because: "other pieces can only add moves, each move moves one piece, so the distances of different pieces \
                      add up, and a solution assigns a piece of its own to each place",
        },
        HeuristicFacts {
            name: "pattern-database",
            admissible: true,
            consistent: true,
            by_hand: false,
            summary: "exact distances for a piece named in the goal and the empty cells, with all other pieces \
                      unlabelled (Culberson, Schaeffer 1998); for boards with few empty cells, otherwise \
                      `goal-distance`",
            because: "every move is a move, or no move, in the abstract board, whose other pieces have no names or \
                      outlines, so every solution is a path there",
        },
        HeuristicFacts {
            name: "obstruction",
            admissible: false,
            consistent: false,
            by_hand: false,
            summary: "the steps of the pieces in the goal on their cheapest paths, and twice the cells of other pieces \
                      that they would cover there; it overestimates, so a search with it proves nothing",
            because: "",
        },
    ],
    default_heuristic: "goal-distance",
    schema: include_str!("klotski/schema.json"),
    template: include_str!("klotski/template.toml"),
}

/// A validated sliding-block puzzle.
struct Blocks {
    board: Arc<BlockBoard>,
    compiled: Arc<CompiledBoard>,
    /// True if the file draws the start.
    has_drawing: bool,
    /// The walls of the key `walls`.
    listed_walls: Vec<Place>,
    /// The heuristics of the file.
    own: Vec<Arc<OwnHeuristic>>,
}

impl Instance for Blocks {
    fn metric(&self) -> Option<&'static str> {
        Some(match self.board.metric {
            Metric::Slide => "slide",
            Metric::Step => "step",
            Metric::Turn => "turn",
        })
    }

    fn size(&self) -> String {
        format!("{}x{}", self.board.rows, self.board.columns)
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        let is_met = self.rules().is_some_and(|rules| rules.is_solved());
        let met = is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten();
        let place = context.goal.clone().filter(|_| !context.expects_no_solution);
        let overlap = place.zip(self.board.goals.iter().find_map(|goal| self.board.overlap(goal)));
        let overlap = overlap
            .map(|(place, names)| Diagnostic::at(place, names).label("no position has pieces at both").warning());
        met.into_iter().chain(overlap).collect()
    }

    fn unsolvable(&self) -> Option<String> {
        let overlaps: Option<Vec<String>> = self.board.goals.iter().map(|goal| self.board.overlap(goal)).collect();
        if let Some(overlap) = overlaps.and_then(|overlaps| overlaps.into_iter().next()) {
            return Some(overlap);
        }
        let unreachable = self.compiled.unreachable.as_ref().filter(|_| self.compiled.goals.is_empty())?;
        Some(match unreachable {
            Unreachable::Target(Target { who: Who::Piece(piece), .. }) => {
                let name = &self.board.pieces[*piece].name;
                format!("the piece `{name}` cannot get to its goal, even with all others taken away")
            }
            Unreachable::Target(Target { who: Who::Shape(_), at: (row, column) }) => {
                let (row, column) = (row + 1, column + 1);
                format!(
                    "no piece of the right shape can get to row {row}, column {column}, even with all others taken away"
                )
            }
            Unreachable::Together => {
                "too few pieces of the right shapes can get to the goal's places, even one at a time on an empty board"
                    .to_owned()
            }
        })
    }

    fn drawn(&self) -> Vec<Drawn> {
        if !self.has_drawing {
            return Vec::new();
        }
        let mut drawn = Drawn::new(&["start"]);
        drawn.add(".", &[]);
        drawn.add("#", &[("#", PartKind::Obstacle)]);
        drawn.add("=", &[("=", PartKind::Ground)]);
        for piece in &self.board.pieces {
            drawn.add(&*piece.name, &[(&piece.name, PartKind::Block)]);
        }
        vec![drawn]
    }

    /// Each wall is taken away, and each piece that no goal names.
    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        let named = self.board.named();
        let pieces = self.board.pieces.iter().zip(named).filter(|&(_, named)| !named && self.has_drawing);
        let first = |(piece, _)| (piece_cells(piece).next(), piece);
        let pieces: HashMap<Option<Place>, &Piece> = pieces.map(first).collect();
        let places = (0..self.board.rows).flat_map(|row| (0..self.board.columns).map(move |column| (row, column)));
        Box::new(places.filter_map(move |place @ (row, column)| {
            if let Some(piece) = pieces.get(&Some(place)) {
                let cells: Vec<Place> = piece_cells(piece).collect();
                return Some(Change::emptying(format!("without the piece `{}`", piece.name), &["start"], &cells));
            }
            let words = || format!("without the wall at row {}, column {}", row + 1, column + 1);
            match self.board.walls.has(place) {
                true if self.listed_walls.contains(&place) => {
                    let edit = Edit::Without { key: &["walls"], without: [row, column] };
                    Some(Change { words: words(), edit })
                }
                true if self.has_drawing => Some(Change::emptying(words(), &["start"], &[place])),
                _ => None,
            }
        }))
    }

    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &self.own
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(BlockRules::new(&self.board)))
    }

    fn moved(&self, moves: &[String], context: &BuildContext) -> Option<Scrambled> {
        scramble::after(&self.board, moves, context)
    }

    fn retreated(
        &self,
        to_goal: &[String],
        moves: u32,
        seed: u64,
        context: &BuildContext,
    ) -> Result<Option<Scrambled>, String> {
        // Each move can be undone, so a walk onwards from the goal is one backwards.
        let mut there = self.space(&HeuristicFacts::ZERO, context);
        for name in to_goal {
            there = there.after(name, &[Notation::STANDARD]).ok_or("its solution cannot be replayed")?;
        }
        let walk = random_walk(there, moves, seed, context);
        Ok(walk.and_then(|walk| self.moved(&[to_goal, &walk].concat(), context)))
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let (_, bits) = space::fields(&self.compiled);
        match (self.compiled.cells(), bits) {
            (..=64, ..=64) => self.packed::<u64, u64>(heuristic, context),
            (..=64, ..=128) => self.packed::<u64, u128>(heuristic, context),
            (..=128, ..=128) => self.packed::<u128, u128>(heuristic, context),
            (..=128, ..=256) => self.packed::<u128, [u64; 4]>(heuristic, context),
            (..=256, ..=512) => self.packed::<Wide<4>, [u64; 8]>(heuristic, context),
            _ => self.packed::<Wide<16>, Box<[u64]>>(heuristic, context),
        }
    }
}

/// Returns the cells of a piece at the start, in reading order.
fn piece_cells(piece: &Piece) -> impl Iterator<Item = Place> {
    piece.shape.iter().map(|&(row, column)| (piece.at.0 + row, piece.at.1 + column))
}

impl Blocks {
    fn packed<B: Bits, K: Packed>(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let (fields, _) = space::fields(&self.compiled);
        let metric = self.board.metric;
        let is_distance = matches!(heuristic.name, "goal-distance" | "pattern-database");
        let distance = is_distance.then(|| GoalDistance::new(&self.compiled, &fields, metric));
        let view = BlockView { board: Arc::clone(&self.board), compiled: Arc::clone(&self.compiled) };
        let space = BlockSpace::<B, K>::new(&self.compiled, metric, distance);
        if let Some(own) = self.own.iter().find(|own| own.facts.name == heuristic.name) {
            return searchable(space.with_own(Own::new(&self.board, &self.compiled, &fields, own)), view);
        }
        let space = match heuristic.name {
            "pattern-database" => space.with_patterns(context),
            "obstruction" => space.with_obstruction(&self.compiled),
            _ => space,
        };
        searchable(space, view)
    }
}
