//! Compares everything that the engine reports about a puzzle with the results of a plain search.

use crate::random::walk::{Length, Model, ReachableStates};
use crate::support::dice::Dice;
use engine::domain::{HeuristicFacts, Route, clear_tables};
use engine::puzzle::{Notation, Style};
use engine::search::{Algorithm, AlgorithmFacts, Limit, Limits, Weight};
use engine::{Options, Outcome, Puzzle, Solution, verify};
use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZero;
use toml::Table;

/// The node limit of searches that may never end or visit a state by many paths.
const MAX_NODES: u64 = 3000;

/// Counts of the puzzles tested: a test with too few of a kind proves nothing about it.
#[derive(Debug, Default)]
pub struct Tally {
    pub solved: u64,
    pub unsolvable: u64,
    pub dead_ends: u64,
    pub too_large: u64,
    pub searches: u64,
    pub scrambled: u64,
}

impl Tally {
    /// Fails if most puzzles have the same outcome or are too large.
    pub fn assert_balanced(&self, what: &str) {
        println!("{what}: {self:?}");
        let puzzles = self.solved + self.unsolvable;
        assert!(
            self.solved * 5 > puzzles && self.unsolvable * 20 > puzzles,
            "most {what} have the same outcome: {self:?}"
        );
        assert!(self.too_large * 2 < puzzles, "most {what} are too large: {self:?}");
    }
}

/// Prints a puzzle file if the test panics.
struct PrintOnPanic(String);

impl Drop for PrintOnPanic {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

/// A puzzle with the results of the plain search.
pub struct Case<'a, M: Model> {
    model: &'a M,
    walk: &'a ReachableStates<M>,
    puzzle: &'a Puzzle,
    dice: Dice,
    algorithms: Vec<&'static AlgorithmFacts>,
    heuristics: Vec<&'static HeuristicFacts>,
    pub searches: u64,
}

pub fn open<M: Model>(model: &M) -> Puzzle {
    let name = model.file().display().to_string();
    Puzzle::parse(&model.text(), &name).unwrap_or_else(|report| panic!("{report}"))
}

/// Compares everything that the engine reports about a puzzle with the plain search.
pub fn compare<M: Model>(model: &M, seed: u64, tally: &mut Tally) {
    let guard = PrintOnPanic(model.text());
    let puzzle = open(model);
    let Some(walk) = ReachableStates::new(model, model.max_states()) else {
        tally.too_large += 1;
        return;
    };
    let mut case = Case::new(model, &walk, &puzzle, seed);
    case.check_all();
    tally.scrambled += u64::from(case.scrambled());
    case.walked();
    tally.solved += u64::from(walk.least().is_some());
    tally.unsolvable += u64::from(walk.least().is_none());
    tally.dead_ends += u64::from(walk.to_goal.contains(&None) && walk.least().is_some());
    tally.searches += case.searches;
    clear_tables();
    drop(guard);
}

/// Returns whether two costs are equal up to rounding.
fn same(one: f64, other: f64) -> bool {
    (one - other).abs() < 1e-6
}

impl<'a, M: Model> Case<'a, M> {
    pub fn new(model: &'a M, walk: &'a ReachableStates<M>, puzzle: &'a Puzzle, seed: u64) -> Case<'a, M> {
        let algorithms = Algorithm::ALL.to_vec();
        let heuristics = puzzle.heuristics().filter(|facts| facts.admissible).collect();
        Case { model, walk, puzzle, dice: Dice::new(!seed), algorithms, heuristics, searches: 0 }
    }

    /// Keeps a random selection of this many algorithms and heuristics.
    pub fn reduced(mut self, algorithms: usize, heuristics: usize) -> Case<'a, M> {
        self.dice.shuffle(&mut self.algorithms);
        self.algorithms.truncate(algorithms);
        self.dice.shuffle(&mut self.heuristics);
        self.heuristics.truncate(heuristics);
        self
    }

    /// Keeps these algorithms and heuristics, of those that the puzzle has.
    pub fn only(mut self, algorithms: &[&str], heuristics: &[&str]) -> Case<'a, M> {
        self.algorithms.retain(|facts| algorithms.contains(&facts.name));
        self.heuristics.retain(|facts| heuristics.contains(&facts.name));
        self
    }

    /// Compares everything except scrambles.
    pub fn check_all(&mut self) {
        self.facts();
        self.iterations_end();
        self.every_algorithm();
        self.all_shortest();
        self.check_exploration();
        self.heuristics_and_moves();
        self.check_later_start();
    }

    /// An iteration would never end if moves of cost 0 went in a circle.
    fn iterations_end(&self) {
        let is_refused = self.puzzle.suits(Algorithm::Iddfs).is_err();
        assert!(is_refused || !self.walk.has_free_cycle(), "`iddfs` takes a puzzle with a circle of free moves");
    }

    fn facts(&self) {
        let (least, puzzle) = (self.walk.least(), self.puzzle);
        match puzzle.unsolvable() {
            Some(reason) => {
                assert!(least.is_none(), "solvable at cost {least:?}, but reported as unsolvable: {reason}")
            }
            None => assert!(least.is_some() || !puzzle.is_decided(), "unsolvable, but not reported as such"),
        }
        if let Some(states) = puzzle.states() {
            let number = states.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or("");
            assert_eq!(number.parse().ok(), Some(self.walk.states()), "the number of states, reported as {states}");
        }
    }

    fn solve(&mut self, options: &Options) -> Option<Solution> {
        self.searches += 1;
        match self.puzzle.solve(options) {
            Ok(solution) => {
                self.check(&solution, options);
                Some(solution)
            }
            Err(error) => {
                let algorithm = options.algorithm.expect("the default algorithm suits");
                let is_refused = match algorithm {
                    _ if options.all_shortest.is_some() => {
                        self.model.may_have_free_moves() && error.to_string().contains("moves of cost 0")
                    }
                    Algorithm::Iddfs | Algorithm::IdaStar => {
                        self.model.may_have_free_moves() && self.puzzle.suits(algorithm).is_err()
                    }
                    _ => self.puzzle.suits(algorithm).is_err(),
                };
                assert!(is_refused, "{error}");
                None
            }
        }
    }

    /// Checks one result.
    fn check(&self, solution: &Solution, options: &Options) {
        let algorithm = solution.algorithm();
        let limits = &options.limits;
        let how = format!(
            "{} {:?} weight {:?} depth {:?} nodes {:?} automaton {:?} threads {:?}",
            algorithm.name(),
            solution.heuristic(),
            options.weight,
            limits.depth,
            limits.nodes,
            options.automaton,
            limits.threads
        );
        let least = self.walk.least().map(Length::value);
        if let (Some(bound), Some(least)) = (solution.lower_bound(), least) {
            assert!(bound < least + 1e-6, "the lower bound {bound} is above {least}: {how}");
        }
        assert!(limits.nodes.is_none_or(|nodes| solution.stats().expanded <= nodes), "more nodes than allowed: {how}");
        let counts_moves = algorithm.facts().counts_moves;
        let nearest = if counts_moves { self.walk.fewest().map(f64::from) } else { least };
        let within = nearest.is_some_and(|nearest| limits.depth.is_none_or(|depth| nearest < f64::from(depth) + 1e-6));
        match solution.outcome() {
            Outcome::Solved => self.check_solved(solution, options, &how),
            Outcome::Unsolvable => assert_eq!(least, None, "it is solvable: {how}"),
            Outcome::Limit => {
                let limit = solution.limit().expect("a limit has a name");
                assert!(
                    match limit {
                        Limit::Nodes => limits.nodes.is_some(),
                        Limit::Depth => !within,
                        Limit::Width => matches!(algorithm, Algorithm::Beam(_)),
                        _ => false,
                    },
                    "{limit:?}: {how}"
                );
            }
            other => panic!("{other:?}: {how}"),
        }
        // By symmetry reduction, a state beyond the limit may have a representative within it.
        let searches_all = limits.nodes.is_none() && matches!(algorithm, Algorithm::Bfs | Algorithm::Dfs);
        let deepest = self.walk.depths.iter().max().copied().unwrap_or(0);
        if searches_all && least.is_none() && limits.depth.is_none_or(|depth| deepest <= depth) {
            assert_eq!(solution.outcome(), Outcome::Unsolvable, "no state was beyond the limit: {how}");
        }
    }

    fn check_solved(&self, solution: &Solution, options: &Options, how: &str) {
        let (moves, algorithm) = (solution.moves(), solution.algorithm());
        let cost = solution.cost().expect("a solution has a cost");
        let least = self.walk.least().unwrap_or_else(|| panic!("unsolvable, but {moves:?} is reported: {how}")).value();
        let replayed = self.model.replay(&moves).unwrap_or_else(|| panic!("{moves:?} is no solution: {how}"));
        assert!(same(replayed.value(), cost), "{moves:?} costs {replayed:?}, not {cost}: {how}");
        let verified = verify::replay(self.puzzle, &moves).unwrap_or_else(|why| panic!("{moves:?}: {why}: {how}"));
        assert!(same(verified.cost, cost) && verified.moves == moves.len(), "{verified:?}: {how}");
        if solution.is_optimal() {
            assert!(same(cost, least), "{cost} is claimed to be the least, which is {least}: {how}");
            assert!(
                solution.lower_bound().is_some_and(|bound| same(bound, cost)),
                "proven without a lower bound: {how}"
            );
        }
        let depth = options.limits.depth;
        let unit = self.model.is_unit();
        let facts = algorithm.facts();
        let proves = facts.guarantee.is_shortest(depth) && (unit || !facts.counts_moves);
        assert!(solution.is_optimal() || !proves, "not proven: {how}");
        if algorithm == Algorithm::Bfs {
            assert_eq!(Some(moves.len() as u32), self.walk.fewest(), "not the fewest moves: {how}");
        }
        if let (Algorithm::WeightedAStar(weight), None) = (algorithm, depth) {
            assert!(cost < least * weight.as_f64() + 1e-6, "{cost} is more than the weight allows of {least}: {how}");
        }
        let spent = if algorithm.facts().counts_moves { moves.len() as f64 } else { cost };
        assert!(depth.is_none_or(|depth| spent < f64::from(depth) + 1e-6), "{moves:?} is beyond the limit: {how}");
        let facts = self.puzzle.heuristics().find(|facts| Some(facts.name) == solution.heuristic());
        if facts.is_none_or(|facts| facts.admissible) {
            self.check_route(solution.route().expect("a solution has a path"), how);
        }
    }

    /// Checks that the heuristic is a lower bound at every position of a path.
    fn check_route(&self, route: &dyn Route, how: &str) {
        let mut at = self.model.start();
        route.visit_steps(Notation::STANDARD, Style::Plain, &mut |step| {
            if let Some(written) = &step.action {
                at = self.model.play(&at, written).expect("it was replayed").1;
            }
            let left = self.walk.left(self.model, &at).expect("it leads to a goal").value();
            assert!(step.h < left + 1e-6, "h is {} where {left} is left: {how}", step.h);
        });
    }

    fn every_algorithm(&mut self) {
        let solution = self.solve(&Options::default()).expect("the default algorithm suits");
        assert_ne!(solution.outcome(), Outcome::Limit, "no limit is set");
        let heuristics: Vec<&str> = self.heuristics.iter().map(|facts| facts.name).collect();
        // Iterative-deepening searches find the first shortest solution with any heuristic.
        let deepens = |algorithm| matches!(algorithm, Algorithm::Iddfs | Algorithm::IdaStar);
        let mut first =
            (deepens(solution.algorithm()) && solution.outcome() == Outcome::Solved).then(|| solution.moves());
        for facts in self.algorithms.clone() {
            let deepens = deepens(facts.algorithm);
            let limits = Limits { nodes: deepens.then_some(MAX_NODES), ..Limits::default() };
            let plain = Options { algorithm: Some(facts.algorithm), limits, ..Options::default() };
            let named: Vec<Option<&str>> = match facts.informed {
                // Its own heuristic may overestimate, so it is not among these.
                true if facts.may_overestimate => vec![None, Some(self.dice.pick(&heuristics))],
                true => heuristics.iter().copied().map(Some).collect(),
                false => vec![None, Some(self.dice.pick(&heuristics))],
            };
            for heuristic in named {
                let options = Options { heuristic: heuristic.map(str::to_owned), ..plain.clone() };
                let Some(solution) = self.solve(&options) else { continue };
                if deepens && solution.outcome() == Outcome::Solved {
                    let moves = solution.moves();
                    assert_eq!(first.get_or_insert_with(|| moves.clone()), &moves, "{} {heuristic:?}", facts.name);
                }
                if !deepens {
                    let expected = if self.walk.least().is_some() { Outcome::Solved } else { Outcome::Unsolvable };
                    assert_eq!(solution.outcome(), expected, "{} {heuristic:?}", facts.name);
                }
                self.vary_options(&options, &solution);
            }
        }
    }

    /// Runs one more search with another option of this algorithm.
    fn vary_options(&mut self, options: &Options, plain: &Solution) {
        let algorithm = options.algorithm.expect("it is named");
        let mut other = options.clone();
        let likely = self.walk.fewest().unwrap_or(8) as usize + 2;
        match self.dice.below(4) {
            0 => other.limits.depth = Some(self.dice.below(likely + 2) as u32),
            1 => other.limits.nodes = Some(self.dice.below(likely * 4) as u64),
            _ if matches!(algorithm, Algorithm::WeightedAStar(_)) => {
                other.weight = Weight::new(self.dice.pick(&[1.0, 1.001, 1.2, 1.5, 3.0, 1000.0]));
            }
            _ if matches!(algorithm, Algorithm::Iddfs | Algorithm::IdaStar) => {
                other.automaton = Some(self.dice.one_in(2));
                let solution = self.solve(&other).expect("it suited before");
                if [solution.outcome(), plain.outcome()] == [Outcome::Solved; 2] {
                    assert_eq!(solution.moves(), plain.moves(), "the automaton changes the solution");
                }
                return;
            }
            _ => {
                other.limits.threads = NonZero::new(self.dice.within(1, 4));
                let solution = self.solve(&other).expect("it suited before");
                assert_eq!(solution.moves(), plain.moves(), "threads change the solution: {}", algorithm.name());
                assert_eq!(solution.stats().expanded, plain.stats().expanded, "threads: {}", algorithm.name());
                return;
            }
        }
        self.solve(&other);
    }

    fn all_shortest(&mut self) {
        let heuristics: Vec<&str> = self.heuristics.iter().map(|facts| facts.name).collect();
        let options = Options {
            algorithm: Some(Algorithm::AStar),
            heuristic: Some(self.dice.pick(&heuristics).to_owned()),
            all_shortest: Some(7),
            ..Options::default()
        };
        let Some(solution) = self.solve(&options) else { return };
        assert_eq!(solution.solutions().unwrap_or(0), self.walk.solutions(), "the number of shortest solutions");
        let paths = solution.all_shortest().into_iter().flatten();
        let reported: BTreeSet<Vec<String>> = paths.map(|way| way.moves(Notation::STANDARD)).collect();
        assert_eq!(reported.len() as u128, self.walk.solutions().min(7), "{reported:?}");
        for moves in reported {
            assert_eq!(self.model.replay(&moves), self.walk.least(), "{moves:?}");
            let verified = verify::replay(self.puzzle, &moves).unwrap_or_else(|why| panic!("{moves:?}: {why}"));
            assert!(solution.cost().is_some_and(|cost| same(cost, verified.cost)), "{moves:?}: {verified:?}");
        }
    }

    fn check_exploration(&self) {
        let found = self.puzzle.explore(&Limits::default()).found;
        assert_eq!(found.limit, None);
        assert_eq!(found.states(), self.walk.states() as u64, "states");
        assert_eq!(found.by_distance().collect::<BTreeMap<u64, u64>>(), self.walk.by_distance(), "by distance");
        let count = |goal: bool| self.walk.is_goal.iter().filter(|&&is| is == goal).count() as u64;
        assert_eq!(found.goals, count(true), "goals");
        let dead_ends = self.walk.to_goal.iter().filter(|left| left.is_none()).count() as u64;
        assert_eq!(found.dead_ends, Some(dead_ends), "dead ends");
        let hardest = found.hardest.as_ref().map(|hardest| (hardest.cost, hardest.count));
        let expected = self.walk.hardest().map(|(cost, count)| (cost.value(), count));
        assert_eq!(hardest.is_some(), expected.is_some(), "the hardest position: {hardest:?}, not {expected:?}");
        let (Some(hardest), Some((cost, count))) = (found.hardest, expected) else { return };
        assert!(same(hardest.cost, cost) && hardest.count == count, "{} {}", hardest.cost, hardest.count);
        let mut at = self.model.start();
        for written in hardest.example.moves(Notation::STANDARD) {
            at = self.model.play(&at, &written).unwrap_or_else(|| panic!("`{written}` on the way to the hardest")).1;
        }
        assert!(self.walk.left(self.model, &at).is_some_and(|left| same(left.value(), cost)), "it is not the hardest");
    }

    /// Checks the legal moves, their costs, the goal test and the heuristics on a random walk.
    fn heuristics_and_moves(&mut self) {
        for facts in self.heuristics.clone() {
            let mut space = self.puzzle.space(facts.name).expect("it is not refused");
            let (mut at, mut spent, mut least_h) = (self.model.start(), Length::default(), 0.0_f64);
            for _ in 0..self.dice.below(8) {
                let left = self.walk.left(self.model, &at);
                let h = space.h();
                assert!(left.is_none_or(|left| h < left.value() + 1e-6), "{}: h is {h} of {left:?}", facts.name);
                assert!(
                    !facts.consistent || h >= least_h || h > least_h - 1e-6,
                    "{}: h falls to {h} from {least_h}",
                    facts.name
                );
                assert_eq!((space.is_goal(), same(space.g(), spent.value())), (self.model.is_goal(&at), true));
                let moves = self.model.moves(&at);
                let reported: BTreeSet<String> = space.legal_moves(Notation::STANDARD).into_iter().collect();
                let expected: BTreeSet<String> = moves.iter().map(|(written, ..)| written.clone()).collect();
                assert_eq!(reported, expected, "the moves of {at:?}");
                if moves.is_empty() {
                    break;
                }
                let (written, cost, next) = self.dice.pick(&moves);
                space = space.after(&written, self.puzzle.domain().notations).expect("it is legal");
                (at, spent, least_h) = (next, spent.and(cost), h - cost.value());
            }
        }
    }

    /// Checks a search that starts after some moves.
    fn check_later_start(&mut self) {
        let (mut at, mut after) = (self.model.start(), Vec::new());
        for _ in 0..self.dice.below(4) {
            let moves = self.model.moves(&at);
            if moves.is_empty() {
                break;
            }
            let (written, _, next) = self.dice.pick(&moves);
            after.push(written);
            at = next;
        }
        let solution = self.puzzle.solve(&Options { after: after.clone(), ..Options::default() });
        let solution = solution.unwrap_or_else(|error| panic!("after {after:?}: {error}"));
        self.searches += 1;
        let left = self.walk.left(self.model, &at).map(Length::value);
        assert_eq!(solution.outcome() == Outcome::Solved, left.is_some(), "after {after:?}");
        if let (true, Some(cost), Some(left)) = (solution.is_optimal(), solution.cost(), left) {
            assert!(same(cost, left), "after {after:?} it is {left}, not {cost}");
        }
    }

    /// Checks that the end of a random walk can be read, and reaches no state that the start does not reach.
    fn walked(&mut self) {
        let (seed, moves) = (self.dice.below(1 << 20) as u64, self.dice.below(12) as u32);
        let walk = || self.puzzle.walked(moves, seed, &Limits::default()).expect("there are no limits");
        let Some(walked) = walk() else { return };
        assert_eq!(walk(), Some(walked.clone()), "one seed yields two starts");
        let mut table: Table = self.model.text().parse().expect("it was read before");
        walked.replaced.iter().for_each(|key| _ = table.remove(*key));
        let text = walked.keys + &table.to_string();
        let _guard = PrintOnPanic(text.clone());
        let puzzle = match Puzzle::parse(&text, &self.model.file().display().to_string()) {
            Ok(puzzle) => puzzle,
            // A symbol that a set names may have left the grid, and no other place names it. The program refuses this.
            Err(_) if self.puzzle.domain().name == "rules" => return,
            Err(report) => panic!("{report}"),
        };
        if moves == 0 {
            assert_eq!(puzzle.draw(Style::Plain), self.puzzle.draw(Style::Plain), "a walk of no moves");
        }
        // What a file of rules means may depend on the symbols of its start.
        if self.puzzle.domain().name == "rules" {
            return;
        }
        let reached = puzzle.explore(&Limits::default()).found.states();
        assert!(reached <= self.walk.states() as u64, "{reached} states, but {} from the start", self.walk.states());
    }

    /// Checks that scrambles are solvable, within as many moves as the random walk made.
    fn scrambled(&mut self) -> bool {
        let seed = self.dice.below(1 << 20) as u64;
        let moves = self.dice.one_in(2).then(|| self.dice.below(12) as u32);
        let scramble = || self.puzzle.scrambled(moves, seed, &Limits::default()).expect("there are no limits");
        let Some(scrambled) = scramble() else { return false };
        assert_eq!(scramble(), Some(scrambled.clone()), "one seed yields two starts");
        let mut table: Table = self.model.text().parse().expect("it was read before");
        scrambled.replaced.iter().for_each(|key| _ = table.remove(*key));
        let text = scrambled.keys + &table.to_string();
        let _guard = PrintOnPanic(text.clone());
        let puzzle = Puzzle::parse(&text, &self.model.file().display().to_string());
        let puzzle = puzzle.unwrap_or_else(|report| panic!("{report}"));
        let model = self.model.restarted(&puzzle.draw(Style::Plain)).expect("what is scrambled can be read");
        let Some(walk) = ReachableStates::new(&model, model.max_states()) else { return true };
        let solution = puzzle.solve(&Options::default()).unwrap_or_else(|error| panic!("{error}"));
        self.searches += 1;
        let least = walk.least().unwrap_or_else(|| panic!("the scramble {moves:?} is unsolvable")).value();
        assert!(!solution.is_optimal() || solution.cost().is_some_and(|cost| same(cost, least)), "least {least}");
        assert_eq!(solution.outcome(), Outcome::Solved);
        if let (Some(moves), Some(fewest)) = (moves, walk.fewest()) {
            assert!(fewest <= moves.max(self.model.fewest_from_a_scramble()), "{fewest} moves from a walk of {moves}");
        }
        true
    }
}
