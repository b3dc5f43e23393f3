//! Sliding tiles: the 8-puzzle, the 15-puzzle and their kin of any size.
//!
//! - `description`: the keys of a puzzle file, and the board that they mean;
//! - `board`: that board, validated, and whether it can be solved at all;
//! - `representation`: how boards are packed;
//! - `distance`: the heuristics, as a distance of each tile from its goal cell;
//! - `space`: the state space;
//! - `surface`: how the edges are joined, and the graph of cells that comes of it;
//! - `view`: drawings and notation.

mod automaton;
mod board;
mod description;
mod heuristic;
mod import;
mod representation;
mod space;
mod surface;
#[cfg(test)]
mod tests;
mod view;

use super::{DomainFacts, HeuristicFacts, Instance, Means, Named, Notation, Rung, Searchable, searchable};
use crate::search::{Algorithm, Crew};
use automaton::Automaton;
use board::Board;
use heuristic::distance::{Formula, Kind, Table};
use heuristic::linear_conflict::LinearConflict;
use heuristic::pattern_database::partition::Partition;
use heuristic::pattern_database::{PatternDatabase, store};
use heuristic::walking_distance::WalkingDistance;
use heuristic::{Heuristic, Informed};
use representation::{Array, Packed16, Packed25, Representation};
use space::TileSpace;
use std::sync::Arc;
use view::TileView;

/// The notation that tells the way of the blank: `U D L R`.
const BLANK: Notation = Notation::new("blank");

/// How many states are expanded with the Manhattan distance before anything is built.
const CHEAP: u64 = 100_000;

/// The sizes of pattern databases: the most placements of a table, and how many states are expanded with it before the
/// next one is built. On the 15-puzzle they part the tiles 5-5-5, 6-6-3 and 7-8.
const SIZES: &[(u64, u64)] = &[(1 << 20, 250_000), (1 << 23, 60_000_000), (1 << 29, u64::MAX)];

/// The size that is built where a pattern database is asked for by name.
const NAMED: u8 = 1;

inventory::submit! {
    DomainFacts {
        name: "sliding-tile",
        summary: "sliding tiles: the 8-puzzle, the 15-puzzle, any rectangle",
        keys: &[
            Named { name: "start", summary: "the board, drawn: tiles as numbers between spaces, the blank as `0` or `.`" },
            Named { name: "goal", summary: "`blank-last` (default), `blank-first`, or a drawing of the same size" },
            Named { name: "surface", summary: "what the edges are joined to: `plane`, nothing" },
            Named { name: "metric", summary: "what counts as one move; default `single`" },
            Named { name: "representation", summary: "how boards are held: `auto` (default), `packed` (up to 25 cells) or `array`" },
        ],
        metrics: &[Named { name: "single", summary: "one tile, one cell" }],
        heuristics: &[
            HeuristicFacts::ZERO,
            HeuristicFacts {
                name: "hamming",
                admissible: true,
                consistent: true,
                summary: "the number of tiles that are not where they belong (Hamming 1950)",
            },
            HeuristicFacts {
                name: "manhattan",
                admissible: true,
                consistent: true,
                summary: "the steps between each tile and its place, added up (Doran and Michie 1966)",
            },
            HeuristicFacts {
                name: "linear-conflict",
                admissible: true,
                consistent: true,
                summary: "manhattan, and two moves more for every tile that has to leave its line to let others pass \
                          (Hansson, Mayer and Yung 1992); on the plane",
            },
            HeuristicFacts {
                name: "walking-distance",
                admissible: true,
                consistent: true,
                summary: "the moves up and down that the rows of the tiles take at least, and the moves sideways that \
                          their columns take (Takahashi 2001); on the plane, up to about 4x4",
            },
            HeuristicFacts {
                name: "pattern-database",
                admissible: true,
                consistent: true,
                summary: "the moves that groups of tiles take at least, added up, or in a mirror if that is more \
                          (Korf and Felner 2002); up to 64 cells",
            },
        ],
        notations: &[Notation::STANDARD, BLANK],
        decides_solvability: true,
        default_algorithm: Algorithm::IdaStar,
        default_heuristic: "manhattan",
    }
}

/// A validated board and how it is to be held.
struct Tiles {
    board: Arc<Board>,
    packed: bool,
}

impl Instance for Tiles {
    fn metric(&self) -> Option<&'static str> {
        Some("single")
    }

    fn size(&self) -> String {
        format!("{}x{}", self.board.rows, self.board.columns)
    }

    fn unsolvable(&self) -> Option<String> {
        self.board.unsolvable().map(str::to_owned)
    }

    fn states(&self) -> Option<String> {
        Some(self.board.states())
    }

    fn ladder(&self) -> Vec<Rung> {
        let mut rungs = vec![Rung { heuristic: "manhattan", size: 0, nodes: CHEAP }];
        let mut last = None;
        for (size, &(most, nodes)) in (0..).zip(SIZES) {
            let Some(partition) = Partition::choose(&self.board, most) else { continue };
            if last.as_ref() != Some(&partition) {
                rungs.push(Rung { heuristic: "pattern-database", size, nodes });
            }
            last = Some(partition);
        }
        if let Some(last) = rungs.last_mut() {
            last.nodes = u64::MAX;
        }
        rungs
    }

    fn space(&self, heuristic: &HeuristicFacts, means: &Means) -> Box<dyn Searchable> {
        match self.board.cells() {
            ..=16 if self.packed => self.held_as::<Packed16>(heuristic, means, |kind| Table::new(&self.board, kind)),
            ..=25 if self.packed => self.held_as::<Packed25>(heuristic, means, |kind| Table::new(&self.board, kind)),
            _ => self.held_as::<Array>(heuristic, means, |kind| Formula::new(&self.board, kind)),
        }
    }
}

impl Tiles {
    fn held_as<R: Representation>(
        &self,
        heuristic: &HeuristicFacts,
        means: &Means,
        distance: impl Fn(Kind) -> R::Distance,
    ) -> Box<dyn Searchable> {
        let informed = match heuristic.name {
            "linear-conflict" => Some(Informed::LinearConflict(LinearConflict::new(&self.board))),
            "walking-distance" => WalkingDistance::new(&self.board).map(Informed::WalkingDistance),
            "pattern-database" => self.patterns(means).map(|patterns| Informed::PatternDatabase(Box::new(patterns))),
            _ => None,
        };
        let kind = match heuristic.name {
            "zero" => Kind::Zero,
            "hamming" => Kind::Hamming,
            _ => Kind::Manhattan,
        };
        match informed {
            Some(informed) => self.searchable::<R, _>(informed, means),
            None => self.searchable::<R, _>(distance(kind), means),
        }
    }

    fn searchable<R: Representation, H: Heuristic>(&self, heuristic: H, means: &Means) -> Box<dyn Searchable> {
        let automaton = means.automaton.then(|| automaton::of(&self.board)).flatten();
        let space = TileSpace::<R, H>::new(&self.board, heuristic).pruned(automaton);
        searchable(space, TileView { board: Arc::clone(&self.board) })
    }

    fn patterns(&self, means: &Means) -> Option<PatternDatabase> {
        let forced = std::env::var("SZ").ok().and_then(|d| d.parse().ok());
        let (most, _) = SIZES[usize::from(forced.or(means.size).unwrap_or(NAMED)).min(SIZES.len() - 1)];
        // While a table is built, a placement takes four bytes.
        let most = means.limits.memory.map_or(most, |memory| most.min(memory / 4));
        let partition = Partition::choose(&self.board, most)?;
        let crew = Crew::new(means.limits.threads);
        let tables = partition.groups.iter().map(|group| store::table(&self.board, group, &crew, means));
        let tables = tables.collect::<Option<_>>()?;
        Some(PatternDatabase::new(&self.board, &partition, tables))
    }
}
