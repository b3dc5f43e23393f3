//! Random boards of given costs: other starts of a puzzle whose least cost to a goal is known exactly.
//!
//! Starts are drawn, and the default search of the domain proves the least cost of each. Three kinds of draws are
//! mixed: random walks from the goal, whose length follows the costs that they lead to; uniformly random starts; and
//! short walks from boards drawn before whose costs are nearest, which climb to rare costs. If they find no more boards
//! of a cost and the space is small, it is explored, and the boards are drawn from all positions of that cost. All bounds
//! are counts, so that a seed gives the same boards on every machine; a limit ends the work without boards.

use super::new_start::{edited, scrambled_title};
use super::warnings::Origin;
use super::{Loading, Options, Puzzle, SolveError};
use crate::argument::counted;
use crate::domain::{BuildContext, DomainFacts, HeuristicFacts, Notation, Scrambled, SplitMix64};
use crate::search::{Limit, Limits, Request, States, Work};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::mem;
use std::num::NonZero;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

/// The most draws in a row without a board of a cost, and without a board whose cost is nearer than before.
const MOST_MISSES: u32 = 5_000;

/// The draws in a row without a board of a cost, and without a board whose cost is nearer than before, after which a
/// small space is explored, and the most positions of one.
const SOON: u32 = 100;
const MOST_EXPLORED: u64 = 500_000;

/// The most draws in a row without a new board of a cost that was found already: then there are probably no more.
const MOST_REPEATS: u32 = 200;

/// The most states that are expanded for a draw: a start that needs more is left out.
const MOST_STATES: u64 = 2_000_000;

/// The most states that are expanded in a row without a board of a cost.
const MOST_STATES_IN_ALL: u64 = 20_000_000;

/// The boards of a cost that are kept for walks from them, if fewer are wanted.
const KEPT: usize = 64;

/// The longest walk from a board drawn before.
const SHORT_WALK: u64 = 3;

/// The longest walk from the goal.
const LONGEST_WALK: u32 = 100_000;

/// A random board of a known cost.
#[derive(Clone)]
pub struct RandomBoard {
    /// The least cost of its solutions. A fraction is rounded down.
    pub cost: u32,
    /// Its puzzle file.
    pub text: String,
    /// The puzzle.
    pub puzzle: Arc<Puzzle>,
}

/// The reason why there are no boards.
#[derive(Debug)]
pub enum NoBoards {
    /// A limit ended the work.
    Limit(Limit),
    /// The domain cannot make other starts, or there is no board of a cost.
    Refused(SolveError),
}

impl fmt::Display for NoBoards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoBoards::Limit(limit) => f.write_str(&limit.words()),
            NoBoards::Refused(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for NoBoards {}

/// Returns this many costs of a range, evenly spread and ascending: both ends if there are two or more.
#[must_use]
pub fn spread_costs(costs: RangeInclusive<u32>, count: usize) -> Vec<u32> {
    let (least, most) = (u64::from(*costs.start()), u64::from(*costs.end()).max(u64::from(*costs.start())));
    let gaps = (count as u64).saturating_sub(1).max(1);
    // Rounded to the nearest cost.
    (0..count as u64).map(|number| (least + ((most - least) * number * 2 + gaps) / (gaps * 2)) as u32).collect()
}

impl Puzzle {
    /// Returns a random board for each of these costs, in their order: the puzzle with another start, whose least cost
    /// to a goal is proven to be this cost. The same seed gives the same boards.
    ///
    /// Boards of a cost differ from each other, unless the puzzle has fewer than are wanted: then they repeat in turn,
    /// sharing the [`puzzle`](RandomBoard::puzzle).
    ///
    /// # Errors
    /// The domain cannot make other starts, no board of one of the costs was found, or a limit ended the work.
    pub fn random_boards(&self, costs: &[u32], seed: u64, limits: &Limits) -> Result<Vec<RandomBoard>, NoBoards> {
        let mut wanted: BTreeMap<u32, usize> = BTreeMap::new();
        for &cost in costs {
            *wanted.entry(cost).or_default() += 1;
        }
        let mut draws = Draws::new(self, seed, limits)?;
        for (&cost, &count) in &wanted {
            draws.draw_boards(cost, count)?;
        }
        let mut next: BTreeMap<u32, usize> = BTreeMap::new();
        let board = |cost: &u32| {
            let (boards, next) = (&draws.found[cost], next.entry(*cost).or_insert(0));
            let board = boards[*next % boards.len()].clone();
            *next += 1;
            board
        };
        Ok(costs.iter().map(board).collect())
    }
}

/// The draws for some costs.
struct Draws<'a> {
    puzzle: &'a Puzzle,
    seed: u64,
    random: SplitMix64,
    context: BuildContext,
    /// True if starts are drawn by walks from the start, not from the goal.
    is_walked: bool,
    /// The puzzle itself with its cost, if that is known and needed.
    own: Option<RandomBoard>,
    /// The costs of the starts drawn, by the keys of their files; `None` if there is no solution or its cost is unknown.
    drawn: HashMap<String, Option<u32>>,
    /// The number of draws.
    count: u64,
    /// The states expanded for all of them.
    expanded: u64,
    /// The boards by cost.
    found: BTreeMap<u32, Vec<RandomBoard>>,
    /// All positions with their costs, once they are needed. `None` if they are too many, or if the domain cannot write
    /// them.
    explored: Option<Option<Arc<States>>>,
}

/// The way in which a start is drawn.
#[derive(Clone, Copy)]
enum Draw {
    /// A walk of this many moves from the goal.
    FromGoal(u32),
    /// A walk of at most this many moves from the puzzle's own start.
    FromStart(u32),
    /// A uniformly random start.
    Uniform,
    /// A short walk from a board of almost this cost.
    Near(u32),
}

impl<'a> Draws<'a> {
    fn new(puzzle: &'a Puzzle, seed: u64, limits: &Limits) -> Result<Draws<'a>, NoBoards> {
        let mut draws = Draws {
            puzzle,
            seed,
            random: SplitMix64::new(seed),
            context: BuildContext::within(limits),
            is_walked: false,
            own: None,
            drawn: HashMap::new(),
            count: 0,
            expanded: 0,
            found: BTreeMap::new(),
            explored: None,
        };
        if draws.start(Draw::FromGoal(1))?.is_none() {
            draws.is_walked = true;
            if draws.start(Draw::FromStart(1))?.is_none() {
                return Err(NoBoards::Refused(no_other_start(puzzle.facts)));
            }
            let text = puzzle.text.origin.text.text().into_owned();
            draws.own = draws.board(text)?;
        }
        Ok(draws)
    }

    /// Draws starts until there are this many boards of a cost, or probably no more.
    fn draw_boards(&mut self, cost: u32, count: usize) -> Result<(), NoBoards> {
        let (mut length, mut misses, mut expanded) = (cost, 0, self.expanded);
        let mut nearest = self.distance(cost);
        for number in 0_u64.. {
            let found = self.found.get(&cost).map_or(0, Vec::len);
            if found >= count {
                break;
            }
            let most = if found > 0 { MOST_REPEATS } else { MOST_MISSES };
            if misses >= most || self.expanded - expanded >= MOST_STATES_IN_ALL {
                break;
            }
            if misses >= SOON && self.draw_explored(cost, count)? {
                break;
            }
            let draw = self.choose(number, cost, length);
            let drawn = self.draw(draw, count)?;
            if let (Draw::FromGoal(_), Some(drawn)) = (draw, drawn) {
                length = match drawn {
                    lower if lower < cost => length.saturating_add(cost - lower).min(LONGEST_WALK),
                    // Where moves cost more than 1, or on the way to a rare board, the walk was too long.
                    greater if greater > cost => (u64::from(length) * u64::from(cost) / u64::from(greater)) as u32,
                    _ => length,
                }
                .max(cost.min(1));
            }
            let is_new = self.found.get(&cost).map_or(0, Vec::len) > found;
            let distance = self.distance(cost);
            if is_new || distance < nearest {
                (misses, expanded, nearest) = (0, self.expanded, distance);
            } else {
                misses += 1;
            }
        }
        if self.found.contains_key(&cost) { Ok(()) } else { Err(NoBoards::Refused(self.missing(cost))) }
    }

    /// Chooses the way of the draw with this number among those for a cost.
    fn choose(&mut self, number: u64, cost: u32, length: u32) -> Draw {
        let is_far = length > cost.saturating_mul(4).saturating_add(64);
        match number % 4 {
            0 if self.is_walked => Draw::FromStart(cost.saturating_mul(2).max(64)),
            _ if self.is_walked => Draw::Near(cost),
            1 if is_far => Draw::Uniform,
            3 if !self.found.is_empty() => Draw::Near(cost),
            _ => Draw::FromGoal(length),
        }
    }

    /// Draws a start, and keeps it as a board if it is new and `count` boards of its cost are too few. Returns its cost,
    /// if that is known.
    fn draw(&mut self, draw: Draw, count: usize) -> Result<Option<u32>, NoBoards> {
        match self.start(draw)? {
            Some(start) => self.keep(start, count),
            None => Ok(None),
        }
    }

    /// Keeps a start as a board, as [`draw`](Self::draw) does.
    fn keep(&mut self, start: Scrambled, count: usize) -> Result<Option<u32>, NoBoards> {
        if let Some(&known) = self.drawn.get(&start.keys) {
            return Ok(known);
        }
        self.count += 1;
        let title = scrambled_title(self.puzzle.title(), &format!("seed {}, draw {}", self.seed, self.count));
        let text = edited(&self.puzzle.text.origin.text.text(), &start, &title);
        let board = self.board(text)?;
        let cost = board.as_ref().map(|board| board.cost);
        self.drawn.insert(start.keys, cost);
        if let Some(board) = board {
            let boards = self.found.entry(board.cost).or_default();
            if boards.len() < count.max(KEPT) {
                boards.push(board);
            }
        }
        Ok(cost)
    }

    /// Draws boards of a cost from all positions that have it. Returns false if these are not known.
    fn draw_explored(&mut self, cost: u32, count: usize) -> Result<bool, NoBoards> {
        if self.explored.is_none() {
            self.explored = Some(self.explore()?);
        }
        let Some(Some(explored)) = self.explored.clone() else { return Ok(false) };
        let has_cost =
            |&position: &usize| explored.costs[position].is_finite() && explored.costs[position] as u32 == cost;
        let mut positions: Vec<usize> = (0..explored.costs.len()).filter(has_cost).collect();
        while self.found.get(&cost).map_or(0, Vec::len) < count && !positions.is_empty() {
            let drawn = self.random.below(positions.len() as u64) as usize;
            let limits = self.limits()?;
            let mut here = self.puzzle.space(HeuristicFacts::ZERO.name).map_err(NoBoards::Refused)?;
            let mut moves = Vec::new();
            for number in explored.path_to(positions.swap_remove(drawn)) {
                let Some((name, after)) = here.after_move(number as usize, Notation::STANDARD) else { break };
                moves.push(name);
                here = after;
            }
            if let Some(start) = self.puzzle.instance.moved(&moves, &BuildContext::within(&limits)) {
                self.keep(start, count)?;
            }
        }
        Ok(true)
    }

    /// Returns all positions with their costs, unless they are too many or cannot be written.
    fn explore(&self) -> Result<Option<Arc<States>>, NoBoards> {
        let limits = Limits { nodes: Some(MOST_EXPLORED), ..self.limits()? };
        if self.puzzle.instance.moved(&[], &BuildContext::within(&limits)).is_none() {
            return Ok(None);
        }
        let space = self.puzzle.space(HeuristicFacts::ZERO.name).map_err(NoBoards::Refused)?;
        let response = space.run(&Request::in_memory(Work::Survey(None), &limits));
        let survey = response.expect("only files and processes fail").answer.surveyed();
        match survey.limit {
            Some(limit @ (Limit::Time | Limit::Interrupt)) => Err(NoBoards::Limit(limit)),
            Some(_) => Ok(None),
            None => Ok(Some(survey.states)),
        }
    }

    /// Returns a random start; `None` if the domain cannot make it.
    fn start(&mut self, draw: Draw) -> Result<Option<Scrambled>, NoBoards> {
        let seed = self.random.below(1 << 63);
        let limits = self.limits()?;
        let start = match draw {
            Draw::FromGoal(moves) => self.puzzle.scrambled(Some(moves), seed, &limits),
            Draw::Uniform => self.puzzle.scrambled(None, seed, &limits),
            Draw::FromStart(most) => {
                let moves = 1 + self.random.below(u64::from(most)) as u32;
                self.puzzle.walked(moves, seed, &limits)
            }
            Draw::Near(cost) => {
                let moves = 1 + self.random.below(SHORT_WALK) as u32;
                match self.near(cost) {
                    Some(board) => board.puzzle.walked(moves, seed, &limits),
                    None => self.puzzle.walked(moves, seed, &limits),
                }
            }
        };
        start.map_err(NoBoards::Limit)
    }

    /// Returns the puzzle of a text as a board, if its cost is known.
    fn board(&mut self, text: String) -> Result<Option<RandomBoard>, NoBoards> {
        let origin = &self.puzzle.text.origin;
        let limits = self.limits()?;
        let loading = Loading { options: self.puzzle.options.clone(), limits: limits.clone() };
        let read = loading.read(
            &Origin::file(&origin.name, text.as_str().into()),
            Path::new(&origin.file),
            None,
            &BuildContext::within(&limits),
        );
        let mut puzzle = match read {
            Ok(puzzle) => puzzle,
            Err(report) => return report.limit().map_or(Ok(None), |limit| Err(NoBoards::Limit(limit))),
        };
        // The file may name an algorithm that proves nothing.
        let search = mem::take(&mut puzzle.search);
        let solved = puzzle.solve(&Options { limits: self.limits()?, ..Options::default() });
        puzzle.search = search;
        let Ok(solution) = solved else { return Ok(None) };
        self.expanded += solution.stats().expanded;
        if let Some(limit @ (Limit::Time | Limit::Interrupt)) = solution.limit() {
            return Err(NoBoards::Limit(limit));
        }
        let cost = solution.cost().filter(|cost| solution.is_optimal() && *cost < f64::from(u32::MAX));
        Ok(cost.map(|cost| RandomBoard { cost: cost as u32, text, puzzle: Arc::new(puzzle) }))
    }

    /// Returns the limits of a draw.
    fn limits(&self) -> Result<Limits, NoBoards> {
        if self.context.should_stop() {
            return Err(NoBoards::Limit(self.context.ended().unwrap_or(Limit::Interrupt)));
        }
        let all = &self.context.limits;
        let nodes = Some(all.nodes.map_or(MOST_STATES, |nodes| nodes.min(MOST_STATES)));
        // The states that several threads expand before they stop depend on the machine.
        let threads = Some(NonZero::<usize>::MIN);
        Ok(Limits { time: self.context.stop.left(), nodes, threads, ..all.clone() })
    }

    /// Returns the boards drawn, and the puzzle itself.
    fn known(&self) -> impl Iterator<Item = (u32, &[RandomBoard])> {
        let own = self.own.iter().map(|own| (own.cost, std::slice::from_ref(own)));
        self.found.iter().map(|(&cost, boards)| (cost, &boards[..])).chain(own)
    }

    /// Returns the difference of a cost to the nearest one among the boards.
    fn distance(&self, cost: u32) -> u32 {
        self.known().map(|(known, _)| known.abs_diff(cost)).min().unwrap_or(u32::MAX)
    }

    /// Returns a board of one of the two costs that are nearest to this one.
    fn near(&mut self, cost: u32) -> Option<RandomBoard> {
        let (one, other) = (self.random.below(2) as usize, self.random.below(1 << 32) as usize);
        let mut known: Vec<(u32, &[RandomBoard])> = self.known().collect();
        known.sort_by_key(|(known, _)| known.abs_diff(cost));
        let (_, boards) = known.get(one).or(known.first())?;
        Some(boards[other % boards.len()].clone())
    }

    /// Returns the error that no board of a cost was found.
    fn missing(&self, cost: u32) -> SolveError {
        if let Some(Some(explored)) = &self.explored {
            let finite = explored.costs.iter().filter(|cost| cost.is_finite());
            let costs: Vec<u32> = finite.map(|cost| *cost as u32).collect::<BTreeSet<_>>().into_iter().collect();
            return SolveError {
                message: format!("no board of cost {cost} was found: no position that can be reached has it"),
                help: format!("choose among the costs that there are: {}", ranges(&costs)),
            };
        }
        let draws = counted(self.drawn.len(), "start");
        let costs: Vec<u32> = self.found.keys().copied().collect();
        SolveError {
            message: format!("no board of cost {cost} was found among {draws} drawn at random"),
            help: match &costs[..] {
                [] => "`engine explore` shows which costs there are, if the space is small".to_owned(),
                costs => format!("choose among the costs that were found: {}", ranges(costs)),
            },
        }
    }
}

/// Returns the error that the domain makes no other starts.
fn no_other_start(domain: &DomainFacts) -> SolveError {
    SolveError {
        message: format!("no other start of this puzzle can be made in the domain `{}`", domain.name),
        help: "name the files of several puzzles".to_owned(),
    }
}

/// Writes ascending numbers, those in a row as `3-5`.
fn ranges(numbers: &[u32]) -> String {
    let rows = numbers.chunk_by(|one, next| one + 1 == *next);
    let written = rows.map(|row| match row {
        [one] => one.to_string(),
        row => format!("{}-{}", row[0], row[row.len() - 1]),
    });
    written.collect::<Vec<_>>().join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Style;
    use crate::search::Algorithm;

    const EIGHT: &str = "title = \"Eight\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2 3\n4 5 6\n7 8 0\n\"\"\"\n";

    fn boards(text: &str, costs: &[u32], seed: u64) -> Result<Vec<RandomBoard>, NoBoards> {
        let puzzle = Puzzle::parse(text, "board.toml").unwrap_or_else(|report| panic!("{report}"));
        puzzle.random_boards(costs, seed, &Limits::default())
    }

    fn refusal(text: &str, costs: &[u32]) -> (String, String) {
        match boards(text, costs, 0) {
            Err(NoBoards::Refused(error)) => (error.message, error.help),
            Err(NoBoards::Limit(limit)) => panic!("stopped at the {} limit", limit.name()),
            Ok(_) => panic!("there is no such board"),
        }
    }

    #[test]
    fn boards_have_their_costs_and_follow_from_the_seed() {
        let costs = [24, 2, 9, 24, 5, 0];
        let drawn = boards(EIGHT, &costs, 7).expect("boards of the 8-puzzle");
        let again = boards(EIGHT, &costs, 7).expect("the same boards");
        let other = boards(EIGHT, &costs, 8).expect("other boards");
        let texts = |boards: &[RandomBoard]| boards.iter().map(|board| board.text.clone()).collect::<Vec<_>>();
        assert_eq!(texts(&drawn), texts(&again));
        assert_ne!(texts(&drawn), texts(&other));
        assert_ne!(drawn[0].text, drawn[3].text, "there are enough boards of cost 24");
        for (board, cost) in drawn.iter().zip(costs) {
            let read = Puzzle::parse(&board.text, "board.toml").unwrap_or_else(|report| panic!("{report}"));
            let bfs = Options { algorithm: Some(Algorithm::Bfs), ..Options::default() };
            let solved = read.solve(&bfs).expect("a search");
            assert_eq!((board.cost, solved.cost()), (cost, Some(f64::from(cost))), "{}", board.text);
            assert_eq!(read.draw(Style::Plain), board.puzzle.draw(Style::Plain));
            assert!(board.text.contains("title = \"Eight, scrambled (seed 7, draw "), "{}", board.text);
        }
    }

    #[test]
    fn boards_of_a_cost_repeat_in_turn_where_there_are_too_few() {
        // Two moves from the goal, there are four boards.
        let drawn = boards(EIGHT, &[2; 10], 1).expect("boards");
        let drawn: Vec<String> = drawn.into_iter().map(|board| board.text).collect();
        assert_eq!(drawn[..4].iter().collect::<std::collections::HashSet<_>>().len(), 4);
        assert_eq!((&drawn[4..8], &drawn[8..]), (&drawn[..4], &drawn[..2]));
    }

    #[test]
    fn a_cost_that_no_board_has_is_refused_with_those_found() {
        let small = "title = \"Small\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2\n3 0\n\"\"\"\n";
        let (message, help) = refusal(small, &[6, 7]);
        // The greatest distance of the 3-puzzle is 6.
        assert!(message.starts_with("no board of cost 7 was found: no position"), "{message}");
        assert_eq!(help, "choose among the costs that there are: 0-6");
        // On a row, the blank moves along: one board for each cost.
        let row = "title = \"Row\"\ndomain = \"sliding-tile\"\nstart = \"0 1 2 3\"\n";
        assert_eq!(refusal(row, &[4]).1, "choose among the costs that there are: 0-3");
    }

    #[test]
    fn the_rarest_costs_of_a_small_space_are_found_whatever_the_seed() {
        // Two boards of the 8-puzzle need 31 moves.
        for seed in 0..3 {
            let drawn = boards(EIGHT, &[31, 31, 31], seed).expect("there are two");
            assert!(drawn.iter().all(|board| board.cost == 31));
            assert!(drawn[0].text != drawn[1].text && drawn[0].text == drawn[2].text);
        }
    }

    #[test]
    fn where_boards_are_walked_to_costs_below_and_above_that_of_the_start_are_found() {
        let puzzle = Puzzle::load("puzzles/klotski1.toml").unwrap_or_else(|report| panic!("{report}"));
        let drawn = puzzle.random_boards(&[2, 9, 11], 3, &Limits::default()).expect("boards");
        for (board, cost) in drawn.iter().zip([2.0, 9.0, 11.0]) {
            let solved = board.puzzle.solve(&Options::default()).expect("a search");
            assert_eq!((solved.cost(), solved.is_optimal()), (Some(cost), true));
        }
    }

    #[test]
    fn costs_that_are_fractions_are_rounded_down() {
        let maze = "title = \"Maze\"\ndomain = \"maze\"\nmoves = \"diagonal\"\n\
                    map = \"\"\"\nS....\n.....\n.....\n....G\n\"\"\"\n";
        let drawn = boards(maze, &[1, 2, 4], 0).expect("boards");
        for (board, cost) in drawn.iter().zip([1.0, 2.0, 4.0]) {
            let solved = board.puzzle.solve(&Options::default()).expect("a search");
            assert_eq!(solved.cost().map(f64::floor), Some(cost), "{}", board.text);
        }
    }

    #[test]
    fn a_limit_ends_the_draws() {
        let puzzle = Puzzle::parse(EIGHT, "board.toml").unwrap_or_else(|report| panic!("{report}"));
        let limits = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
        assert!(matches!(puzzle.random_boards(&[5], 0, &limits), Err(NoBoards::Limit(Limit::Time))));
    }

    #[test]
    fn costs_are_spread_over_a_range() {
        assert_eq!(spread_costs(8..=20, 4), [8, 12, 16, 20]);
        assert_eq!(spread_costs(1..=2, 5), [1, 1, 2, 2, 2]);
        assert_eq!((spread_costs(3..=9, 1), spread_costs(3..=9, 0)), (vec![3], vec![]));
        assert_eq!(spread_costs(0..=u32::MAX, 3), [0, u32::MAX / 2 + 1, u32::MAX]);
    }

    #[test]
    fn numbers_in_a_row_are_written_as_a_range() {
        assert_eq!(ranges(&[0, 2, 3, 4, 7, 8]), "0, 2-4, 7-8");
        assert_eq!(ranges(&[]), "");
    }
}
