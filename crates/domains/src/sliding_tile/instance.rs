//! A validated sliding-tile puzzle: its answers without a search, and its state spaces.

use super::automaton;
use super::board::{Metric, Tile, TileBoard};
use super::heuristic::distance::{Formula, Kind, Table};
use super::heuristic::linear_conflict::LinearConflict;
use super::heuristic::own::Own;
use super::heuristic::pattern_database::partition::Partition;
use super::heuristic::pattern_database::sparse::SparsePatterns;
use super::heuristic::pattern_database::{FEW, MANY, MOST_CELLS, PatternDatabase, sparse, store};
use super::heuristic::walking_distance::WalkingDistance;
use super::heuristic::{Heuristic, Informed};
use super::multi::MultiSpace;
use super::representation::{Array, Packed16, Packed25, Representation};
use super::rules::TileRules;
use super::scramble::scramble;
use super::solvability::Invariant;
use super::space::TileSpace;
use super::surface::Surface;
use super::view::{self, TileView};
use crate::argument::{Argument, Refutation};
use crate::diagnostic::Diagnostic;
use crate::domain::table::Table as EntryTable;
use crate::domain::{
    BuildContext, Change, Drawn, Edit, HeuristicFacts, Instance, Notation, OwnHeuristic, PartKind, Rules, Scrambled,
    Searchable, Stage, Style, WarningContext, searchable,
};
use crate::search::{Algorithm, LazyPool};
use std::sync::{Arc, OnceLock};

/// The number of states that are expanded with the Manhattan distance before any table is built.
const CHEAP: u64 = 100_000;

/// The pattern databases of a stage.
struct Size {
    /// The greatest number of placements of a table.
    placements: u64,
    /// The greatest number of partitions.
    partitions: usize,
    /// The number of states to expand before the next stage begins: searching them takes about as long as building the
    /// tables of the next stage.
    nodes: u64,
}

/// The sizes of pattern databases. On the 15-puzzle, they partition the tiles into 5-5-5, both 6-6-3 and 5-5-5, and 7-8;
/// on the 24-puzzle into groups of 4, of 5 and of 6, and then in two ways into groups of 6.
const SIZES: &[Size] = &[
    Size { placements: 1 << 20, partitions: 1, nodes: 200_000 },
    Size { placements: 1 << 23, partitions: 2, nodes: 6_000_000 },
    Size { placements: 1 << 29, partitions: 1, nodes: 100_000_000 },
    Size { placements: 1 << 29, partitions: usize::MAX, nodes: u64::MAX },
];

/// The index of the size that is built if the heuristic is requested by name.
const NAMED: u8 = 1;

/// The greatest number of rows, and of columns, of a board that is drawn for users.
const MAX_DRAWN: u32 = 100;

/// The keys that describe a start.
const REPLACED: &[&str] = &["start", "start_file", "rows", "columns", "scramble"];

/// The greatest number of cells of a board that is written as a drawing, so that the file stays within the limit for
/// reading.
const MAX_WRITTEN: u32 = 1 << 20;

/// A partition with the tables of its groups.
type WithTables = (Partition, Vec<Arc<EntryTable>>);

/// A validated board, its metric and its representation.
pub(super) struct Tiles {
    /// The board. Its start is empty if it is scrambled.
    pub frame: Arc<TileBoard>,
    /// The moves and the seed of a scrambled start: a large board takes no memory before it is needed.
    pub scramble: Option<(Option<u32>, u64)>,
    /// True if the puzzle file draws the start.
    pub has_drawing: bool,
    /// The board with its start, made on first use.
    pub board: OnceLock<Arc<TileBoard>>,
    pub metric: Metric,
    pub packed: bool,
    /// The groups of the pattern database, if the file has any.
    pub partition: Option<Partition>,
    /// The walking distance, computed on first use; `None` if it is too large.
    pub walking: OnceLock<Option<Arc<WalkingDistance>>>,
    /// The heuristics of the file.
    pub own: Vec<Arc<OwnHeuristic>>,
}

impl Instance for Tiles {
    fn metric(&self) -> Option<&'static str> {
        Some(match self.metric {
            Metric::Single => "single",
            Metric::Multi => "multi",
        })
    }

    fn size(&self) -> String {
        format!("{}x{}", self.frame.rows, self.frame.columns)
    }

    fn prepare(&self, context: &BuildContext) {
        self.make_board(context);
    }

    fn warnings(&self, context: &WarningContext) -> Vec<Diagnostic> {
        // Whether a large scrambled board happens to be the goal is not worth making it.
        let is_made = self.scramble.is_none() || self.is_drawn();
        let is_met = is_made && TileRules::new(self.board(), self.metric).is_solved();
        is_met.then(|| context.met_at_the_start(context.goal.clone())).flatten().into_iter().collect()
    }

    fn unsolvable(&self) -> Option<String> {
        if self.scramble.is_some() { None } else { self.board().unsolvable() }
    }

    fn solvable(&self) -> Option<String> {
        self.board().solvable()
    }

    fn refutation(&self) -> Option<Refutation> {
        let reason = self.unsolvable()?;
        let argument = (self.board().invariant() == Invariant::Parity).then_some(Argument::Parity {});
        Some(Refutation { argument, ..reason.into() })
    }

    fn states(&self) -> Option<String> {
        Some(self.frame.states())
    }

    fn default_algorithm(&self) -> Option<Algorithm> {
        // This metric has no heuristic yet, but bidirectional search works if the board is packed.
        let both_ends = self.metric == Metric::Multi && self.packed;
        match self.metric {
            Metric::Multi if both_ends => Some(Algorithm::Bidirectional),
            Metric::Multi => Some(Algorithm::Bfs),
            Metric::Single => None,
        }
    }

    fn schedule(&self) -> Vec<Stage> {
        if self.metric == Metric::Multi {
            return Vec::new();
        }
        let mut stages =
            vec![Stage { heuristic: "manhattan", size: 0, automaton: false, nodes: CHEAP, algorithm: None }];
        let mut last = Vec::new();
        for (number, size) in (0..).zip(SIZES) {
            let partitions = self.partitions(size, u64::MAX);
            if !partitions.is_empty() && last != partitions {
                stages.push(Stage {
                    heuristic: "pattern-database",
                    size: number,
                    automaton: true,
                    nodes: size.nodes,
                    algorithm: None,
                });
            }
            last = partitions;
        }
        if let Some(last) = stages.last_mut() {
            last.nodes = u64::MAX;
        }
        stages
    }

    /// Smaller tables than those of [`NAMED`] are worth their time only while these have to be built. The stage without
    /// tables stays: the transcript names the heuristic that solved the puzzle, whatever was solved before. For the same
    /// reason no stage is left out where the states are limited: the limit must not decide otherwise the second time.
    fn skips(&self, stage: &Stage, context: &BuildContext) -> bool {
        if stage.heuristic != "pattern-database" || stage.size >= NAMED || context.limits.nodes.is_some() {
            return false;
        }
        let later = self.admitted(&BuildContext { size: Some(NAMED), ..context.clone() });
        let groups = || later.iter().take(1).flat_map(|first| &first.groups);
        // Smaller ones have no file: they are built in no time.
        let largest = groups().map(Vec::len).max();
        let is_stored = |group: &Vec<Tile>| store::is_stored(&self.frame, group, context);
        largest.is_some() && groups().filter(|group| Some(group.len()) == largest).all(is_stored)
    }

    fn is_drawn(&self) -> bool {
        self.frame.rows.max(self.frame.columns) <= MAX_DRAWN
    }

    fn refuses(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Option<String> {
        let plane = self.frame.surface == Surface::Plane;
        let cells = self.frame.cells() as usize;
        let reason = match heuristic.name {
            "zero" => return None,
            _ if heuristic.is_of_file() => return None,
            _ if self.metric == Metric::Multi => {
                "in the metric `multi`, one move can bring several tiles closer, so it overestimates"
            }
            "linear-conflict" if !plane => {
                "across joined edges, two tiles of a line can pass each other, so it overestimates"
            }
            "walking-distance" if !plane => "across joined edges, shorter paths exist, so it overestimates",
            "walking-distance" if !WalkingDistance::suits(&self.frame) => {
                "it needs too many tables for a board of this size"
            }
            "pattern-database" | "maximum" if cells > MOST_CELLS => "its tables support at most 64 cells",
            "pattern-database" if self.partitions(&SIZES[usize::from(NAMED)], u64::MAX).is_empty() => {
                "it needs too many tables for a board of this size"
            }
            _ => return None,
        };
        Some(reason.to_owned())
    }

    fn own_heuristics(&self) -> &[Arc<OwnHeuristic>] {
        &self.own
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64, context: &BuildContext) -> Option<Scrambled> {
        let TileBoard { rows, columns, surface, ref goal, .. } = *self.frame;
        let keys = if self.frame.cells() <= MAX_WRITTEN {
            let mut board = TileBoard { rows, columns, surface, start: Vec::new(), goal: goal.clone() };
            scramble(&mut board, moves, seed, context);
            format!("start = \"\"\"\n{}\"\"\"\n", view::draw(&board, &board.start, Style::Drawn))
        } else {
            let moves = moves.map_or(String::new(), |moves| format!("moves = {moves}, "));
            format!("rows = {rows}\ncolumns = {columns}\nscramble = {{ {moves}seed = {seed} }}\n")
        };
        Some(Scrambled { replaced: REPLACED, keys })
    }

    /// Serves draws of boards near this one, although boards are scrambled from the goal.
    fn moved(&self, moves: &[String], context: &BuildContext) -> Option<Scrambled> {
        if self.frame.cells() > MAX_WRITTEN {
            return None;
        }
        let start = self.space(&HeuristicFacts::ZERO, context);
        let end = moves.iter().try_fold(start, |here, name| here.after(name, &[Notation::STANDARD]))?;
        Some(Scrambled { replaced: REPLACED, keys: format!("start = \"\"\"\n{}\"\"\"\n", end.draw(Style::Drawn)) })
    }

    /// Each two tiles are swapped.
    fn drawn(&self) -> Vec<Drawn> {
        if !self.has_drawing {
            return Vec::new();
        }
        let mut drawn = Drawn { has_words: true, ..Drawn::new(&["start"]) };
        for tile in 0..self.frame.cells() {
            drawn.add(tile.to_string(), &[(&tile.to_string(), PartKind::Piece)]);
        }
        vec![drawn]
    }

    fn changes(&self) -> Box<dyn Iterator<Item = Change> + '_> {
        let tiles = if self.has_drawing { &self.frame.start[..] } else { &[] };
        let columns = self.frame.columns as usize;
        let written = move |at: usize, tile: Tile| (at / columns, at % columns, tile.to_string());
        let placed = || tiles.iter().copied().enumerate().filter(|&(_, tile)| tile > 0);
        let pairs = placed().flat_map(move |(at, tile)| {
            placed().skip_while(move |&(other, _)| other <= at).map(move |other| ((at, tile), other))
        });
        Box::new(pairs.map(move |((at, tile), (other_at, other))| {
            let cells = vec![written(at, other), written(other_at, tile)];
            let edit = Edit::Cells { key: &["start"], line: None, cells, has_words: true };
            Change { words: format!("with {tile} and {other} swapped"), edit }
        }))
    }

    fn rules(&self) -> Option<Box<dyn Rules + '_>> {
        Some(Box::new(TileRules::new(self.board(), self.metric)))
    }

    fn space(&self, heuristic: &HeuristicFacts, context: &BuildContext) -> Box<dyn Searchable> {
        let is_named = heuristic.name == "pattern-database" && self.metric == Metric::Single;
        let patterns = is_named.then(|| self.patterns(context)).flatten();
        let table = |kind| Table::new(&self.frame, kind);
        match self.frame.cells() {
            ..=16 if self.packed => {
                let sparse = patterns.as_deref().and_then(|partitions| self.sparse(partitions, context));
                sparse.unwrap_or_else(|| self.space_as::<Packed16>(heuristic, patterns, context, table))
            }
            ..=25 if self.packed => self.space_as::<Packed25>(heuristic, patterns, context, table),
            _ => self.space_as::<Array>(heuristic, patterns, context, |kind| Formula::new(&self.frame, kind)),
        }
    }
}

impl Tiles {
    /// Returns the board with its start.
    fn board(&self) -> &Arc<TileBoard> {
        self.make_board(&BuildContext::default());
        self.board.get().expect("without limits, the board was made")
    }

    /// Makes the board with its start, unless there is one. A limit may end the work, so that there still is none.
    pub fn make_board(&self, context: &BuildContext) {
        if self.board.get().is_some() {
            return;
        }
        let board = match self.scramble {
            None => Arc::clone(&self.frame),
            Some((moves, seed)) => {
                let mut board = TileBoard::clone(&self.frame);
                scramble(&mut board, moves, seed, context);
                Arc::new(board)
            }
        };
        if context.ended().is_none() {
            let _ = self.board.set(board);
        }
    }

    /// Returns the space of a small board with sparse tables, or `None` if they would be too large, or if the tables are
    /// used for the first time.
    fn sparse(&self, partitions: &[WithTables], context: &BuildContext) -> Option<Box<dyn Searchable>> {
        if !sparse::are_used_again(partitions.iter().flat_map(|(_, tables)| tables)) {
            return None;
        }
        let (board, room) = (self.board(), context.table_memory().unwrap_or(u64::MAX));
        if let [_] = partitions {
            let sparse = SparsePatterns::new(board, PatternDatabase::<FEW>::new(board, partitions), room)?;
            return Some(self.searchable::<Packed16, _>(sparse, context));
        }
        let sparse = SparsePatterns::new(board, PatternDatabase::<MANY>::new(board, partitions), room)?;
        Some(self.searchable::<Packed16, _>(sparse, context))
    }

    fn space_as<R: Representation>(
        &self,
        heuristic: &HeuristicFacts,
        patterns: Option<Vec<WithTables>>,
        context: &BuildContext,
        distance: impl Fn(Kind) -> R::Distance,
    ) -> Box<dyn Searchable> {
        let board = self.board();
        if self.metric == Metric::Multi {
            let own = self.own(heuristic);
            return searchable(MultiSpace::<R>::new(board).guided(own), TileView { board: Arc::clone(board) });
        }
        // Named here, so that each has a search of its own, without a choice at every look-up.
        if heuristic.name == "pattern-database" {
            match patterns.as_deref() {
                Some(one @ [_]) => return self.searchable::<R, _>(PatternDatabase::<FEW>::new(board, one), context),
                Some(several) => {
                    return self.searchable::<R, _>(PatternDatabase::<MANY>::new(board, several), context);
                }
                // Named, it ends with the memory. A stage of the schedule goes on with the Manhattan distance.
                None if context.size.is_none() => _ = context.fits(u64::MAX),
                None => {}
            }
        }
        if let Some(own) = self.own(heuristic) {
            return self.searchable::<R, _>(Informed::Own(own), context);
        }
        let informed = self.informed(heuristic.name, context);
        let kind = match heuristic.name {
            "zero" => Kind::Zero,
            "hamming" => Kind::Hamming,
            _ => Kind::Manhattan,
        };
        match informed {
            Some(informed) => self.searchable::<R, _>(informed, context),
            None => self.searchable::<R, _>(distance(kind), context),
        }
    }

    /// Returns the heuristic of the file with this name.
    fn own(&self, heuristic: &HeuristicFacts) -> Option<Own> {
        let own = self.own.iter().find(|own| own.facts.name == heuristic.name)?;
        Some(Own::new(self.board(), own))
    }

    /// Returns the heuristic with this name, if it considers several tiles together and is available.
    fn informed(&self, name: &str, context: &BuildContext) -> Option<Informed> {
        match name {
            "linear-conflict" => Some(Informed::LinearConflict(LinearConflict::new(&self.frame))),
            "walking-distance" => self.walking(context).map(Informed::WalkingDistance),
            "maximum" => {
                let plane = self.frame.surface == Surface::Plane;
                let on_the_plane = ["linear-conflict", "walking-distance"].into_iter().filter(|_| plane);
                let several = on_the_plane.filter_map(|one| self.informed(one, context));
                let patterns = self.patterns(context);
                let patterns = patterns.map(|partitions| PatternDatabase::new(&self.frame, &partitions[..1]));
                let patterns = patterns.map(|patterns| Informed::PatternDatabase(Box::new(patterns)));
                let several: Vec<Informed> = several.chain(patterns).collect();
                // Of none, the maximum is the Manhattan distance, which each of them includes.
                (!several.is_empty()).then_some(Informed::Maximum(several))
            }
            _ => None,
        }
    }

    fn searchable<R: Representation, H: Heuristic>(&self, heuristic: H, context: &BuildContext) -> Box<dyn Searchable> {
        let automaton = context.automaton.then(|| automaton::of(&self.frame)).flatten();
        let space = TileSpace::<R, H>::new(self.board(), heuristic).pruned(automaton);
        searchable(space, TileView { board: Arc::clone(self.board()) })
    }

    /// Returns `None` if the board has no walking distance, or if building it was stopped; a later call may then
    /// succeed.
    fn walking(&self, context: &BuildContext) -> Option<Arc<WalkingDistance>> {
        if let Some(known) = self.walking.get() {
            return known.clone();
        }
        let made = WalkingDistance::new(&self.frame, context).map(Arc::new);
        if context.ended().is_none() {
            let _ = self.walking.set(made.clone());
        }
        made
    }

    /// Returns the partitions for tables of a size with at most `most` placements each.
    fn partitions(&self, size: &Size, most: u64) -> Vec<Partition> {
        let choose = || Partition::choose(&self.frame, size.placements.min(most));
        let mut partitions = self.partition.clone().map_or_else(choose, |partition| vec![partition]);
        partitions.truncate(size.partitions);
        partitions
    }

    /// Returns the partitions of the context's size whose tables the memory limit admits.
    fn admitted(&self, context: &BuildContext) -> Vec<Partition> {
        let size = usize::from(context.size.unwrap_or(NAMED));
        let room = context.table_memory().unwrap_or(u64::MAX);
        // While a table is built, each placement takes less than three bytes.
        let mut partitions = self.partitions(&SIZES[size.min(SIZES.len() - 1)], room / 3);
        // By name, it is the heuristic of the textbooks: one partition.
        partitions.truncate(if context.size.is_some() { usize::MAX } else { 1 });
        // In a finished table it takes at most one. A first partition that exceeds the memory ends building.
        let mut placements = 0_u64;
        let fit = partitions.iter().take_while(|partition| {
            placements = placements.saturating_add(partition.placements(&self.frame));
            placements <= room
        });
        let fit = fit.count().max(1);
        partitions.truncate(fit);
        partitions
    }

    /// Builds the pattern databases: the tables of at least one partition. Returns `None` if there is none for this
    /// board, or a limit or an interruption stopped it.
    fn patterns(&self, context: &BuildContext) -> Option<Vec<WithTables>> {
        let pool = LazyPool::new(context.limits.threads);
        let with_tables = |partition: Partition| {
            let tables = partition.groups.iter().map(|group| store::table(&self.frame, group, &pool, context));
            let tables = tables.collect::<Option<_>>()?;
            Some((partition, tables))
        };
        let partitions: Vec<_> = self.admitted(context).into_iter().map(with_tables).collect::<Option<_>>()?;
        (!partitions.is_empty()).then_some(partitions)
    }
}

#[cfg(test)]
mod tests {
    use super::super::board::TileGoal;
    use super::*;
    use crate::search::{Limit, Limits};

    fn tiles(side: u32, surface: Surface) -> Tiles {
        let start = (0..side * side).collect();
        let board = TileBoard { rows: side, columns: side, surface, start, goal: TileGoal::BlankFirst };
        Tiles {
            frame: Arc::new(board),
            scramble: None,
            has_drawing: true,
            board: OnceLock::new(),
            metric: Metric::Single,
            packed: true,
            partition: None,
            walking: OnceLock::new(),
            own: Vec::new(),
        }
    }

    #[test]
    fn only_the_last_stage_has_several_partitions_and_a_memory_limit_leaves_out_the_further_ones() {
        let tiles = tiles(5, Surface::Plane);
        let sizes: Vec<u8> = tiles.schedule().iter().skip(1).map(|stage| stage.size).collect();
        assert_eq!(sizes, [0, 1, 2, 3]);
        let partitions = |memory| {
            let limits = Limits { memory, ..Limits::default() };
            let context = |&size| BuildContext { size: Some(size), ..BuildContext::within(&limits) };
            sizes.iter().map(|size| tiles.admitted(&context(size)).len()).collect::<Vec<_>>()
        };
        assert_eq!(partitions(None), [1, 1, 1, 2]);
        assert_eq!(partitions(Some(2 << 30)), [1, 1, 1, 2]);
        assert_eq!(partitions(Some(700 << 20)), [1; 4]);
    }

    #[test]
    fn smaller_tables_are_left_out_once_the_larger_ones_are_stored() {
        let folder = tempfile::tempdir().expect("a folder can be made");
        let tiles = tiles(5, Surface::Plane);
        let context = BuildContext { cache: Some(folder.path().to_owned()), ..BuildContext::default() };
        let skipped = || tiles.schedule().iter().map(|stage| tiles.skips(stage, &context)).collect::<Vec<_>>();
        assert_eq!(skipped(), [false; 5]);
        let partition = tiles.partitions(&SIZES[usize::from(NAMED)], u64::MAX).remove(0);
        for group in partition.groups.iter().filter(|group| group.len() == 5) {
            let cells: Vec<String> = group.iter().map(u32::to_string).collect();
            let file = folder.path().join(format!("tiles-5x5-plane-0.{}.pdb", cells.join(".")));
            std::fs::write(file, "").expect("the file can be written");
        }
        assert_eq!(skipped(), [false, true, false, false, false]);
    }

    #[test]
    fn a_board_without_tables_has_the_manhattan_distance_as_its_maximum_and_no_pattern_database() {
        let heuristic = |name| HeuristicFacts { name, ..HeuristicFacts::ZERO };
        let unlimited = BuildContext::default();
        let limited = BuildContext::within(&Limits { memory: Some(16 << 20), ..Limits::default() });
        for (side, context) in [(8, &unlimited), (4, &limited)] {
            let mut tiles = tiles(side, Surface::Torus);
            Arc::get_mut(&mut tiles.frame).expect("nothing else has the board").start.swap(0, 1);
            assert!(tiles.refuses(&heuristic("maximum"), context).is_none());
            assert_eq!(tiles.space(&heuristic("maximum"), context).h(), 1.0);
            let is_refused = tiles.refuses(&heuristic("pattern-database"), context).is_some();
            tiles.space(&heuristic("pattern-database"), context);
            assert!(is_refused || context.ended() == Some(Limit::Memory), "{side}");
        }
    }
}
