//! Compares the engine with the interpreted rules of one file. The interpreter enumerates all positions; everything
//! that the engine reports about the puzzle must agree with them.

use crate::random::compare::Case;
use crate::random::walk::{Length, Model, Move, ReachableStates};
use crate::support::dice::Dice;
use engine::domain::{Rules, clear_tables, facts};
use engine::puzzle::{Notation, Style};
use engine::search::{Algorithm, ProofLog};
use engine::transcript::{JSON, Solved};
use engine::verify::Certificate;
use engine::{Limits, Options, Puzzle, verify};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

type Position = Vec<u32>;

/// A model that interprets the rules of a file, and caches the moves of each position.
pub struct Played<'a> {
    rules: RefCell<Box<dyn Rules + 'a>>,
    start: Position,
    known: RefCell<HashMap<Position, Rc<Vec<Move<Position>>>>>,
    is_unit: bool,
}

impl<'a> Played<'a> {
    /// Creates the model. With `is_unit`, every move must cost 1.
    pub fn new(puzzle: &'a Puzzle, is_unit: bool) -> Played<'a> {
        let (rules, is_independent) = puzzle.rules();
        assert!(is_independent);
        assert_eq!(rules.unreadable(), None, "the engine accepts the file, but the interpreter does not");
        let start = rules.position().expect("written rules have positions");
        Played { rules: RefCell::new(rules), start, known: RefCell::default(), is_unit }
    }

    fn successors(&self, position: &Position) -> Rc<Vec<Move<Position>>> {
        if let Some(known) = self.known.borrow().get(position) {
            return Rc::clone(known);
        }
        let rules = &mut **self.rules.borrow_mut();
        rules.set_position(position);
        let (names, successors) = (rules.candidates(), rules.successors());
        assert_eq!(names.len(), successors.len(), "each move has a name: {names:?}");
        let moves = names.into_iter().zip(successors).map(|(written, successor)| {
            let cost = Length(successor.cost.round() as u32, 0);
            assert!(cost.0 == 1 || !self.is_unit, "`{written}` costs {cost:?}");
            (written, cost, successor.position)
        });
        let moves: Rc<Vec<Move<Position>>> = Rc::new(moves.collect());
        self.known.borrow_mut().insert(position.clone(), Rc::clone(&moves));
        moves
    }

    /// Plays one move; returns the next position and the cost.
    fn played(&self, position: &Position, written: &str) -> (Position, f64) {
        let rules = &mut **self.rules.borrow_mut();
        rules.set_position(position);
        let before = rules.cost();
        rules.play(written).unwrap_or_else(|why| panic!("`{written}` is a candidate, but: {why}"));
        (rules.position().expect("as before"), rules.cost() - before)
    }

    /// Draws a position.
    pub fn draw(&self, position: &Position) -> String {
        let rules = &mut **self.rules.borrow_mut();
        rules.set_position(position);
        rules.draw()
    }

    /// Returns all reachable positions in breadth-first order; `None` if there are more than `most`.
    pub fn positions(&self, most: usize) -> Option<Vec<Position>> {
        let mut visited: BTreeSet<Position> = BTreeSet::from([self.start.clone()]);
        let mut all = vec![self.start.clone()];
        let mut next = 0;
        while next < all.len() {
            for (_, _, next_position) in self.successors(&all[next]).iter() {
                if visited.insert(next_position.clone()) {
                    all.push(next_position.clone());
                }
            }
            next += 1;
            if all.len() > most {
                return None;
            }
        }
        Some(all)
    }
}

impl Model for Played<'_> {
    type State = Position;
    type Key = Position;

    fn text(&self) -> String {
        unreachable!("the file exists already")
    }

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn is_goal(&self, state: &Position) -> bool {
        let rules = &mut **self.rules.borrow_mut();
        rules.set_position(state);
        rules.is_solved()
    }

    fn moves(&self, state: &Position) -> Vec<Move<Position>> {
        self.successors(state).to_vec()
    }

    fn key(&self, state: &Position) -> Position {
        state.clone()
    }

    fn is_unit(&self) -> bool {
        self.is_unit
    }

    fn may_have_free_moves(&self) -> bool {
        true
    }
}

/// The result of a comparison.
pub enum Found {
    /// The file has more positions than the limit.
    TooLarge,
    Held {
        states: usize,
        least: Option<f64>,
        searches: u64,
        /// The techniques that saved a search something.
        saved: BTreeSet<&'static str>,
        /// True if a certificate lists dead ends of a search, which were checked.
        has_dead_ends: bool,
    },
}

/// The algorithms and heuristics of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Selection {
    All,
    Random,
    /// The searches that use reductions; these together, each alone, and none of them.
    Reductions,
}

/// The extent of a comparison.
#[derive(Clone, Copy, Debug)]
pub struct Thoroughness {
    pub max_states: usize,
    pub selection: Selection,
    pub certificate: bool,
    pub is_unit: bool,
}

/// Compares everything that the engine reports about a file with the interpreted rules.
pub fn compare_with_rules(puzzle: &Puzzle, seed: u64, thoroughness: Thoroughness) -> Found {
    let played = Played::new(puzzle, thoroughness.is_unit);
    if played.positions(thoroughness.max_states).is_none() {
        return Found::TooLarge;
    }
    compare_on_random_walk(puzzle, &played, &mut Dice::new(seed));
    let walk = ReachableStates::new(&played, thoroughness.max_states).expect("it is not too large");
    let mut case = Case::new(&played, &walk, puzzle, seed);
    case = match thoroughness.selection {
        Selection::All => case,
        Selection::Random => case.reduced(2, 1),
        Selection::Reductions => {
            case.only(&["a-star", "greedy", "weighted-a-star", "ida-star", "bfs"], &["zero", "matching"])
        }
    };
    case.check_all();
    let searches = case.searches;
    let mut saved = BTreeSet::new();
    if thoroughness.selection == Selection::Reductions {
        compare_reductions(puzzle, walk.least().map(Length::value), &mut Dice::new(seed), &mut saved);
    }
    let mut has_dead_ends = false;
    if thoroughness.certificate {
        check_certificate(puzzle, Options::default(), walk.least().is_some());
        // The searches of such small puzzles list dead ends with this heuristic only.
        if puzzle.heuristics().any(|heuristic| heuristic.name == "matching") {
            let heuristic = Some("matching".to_owned());
            let options = Options { algorithm: Some(Algorithm::AStar), heuristic, ..Options::default() };
            has_dead_ends = check_certificate(puzzle, options, walk.least().is_some());
        }
    }
    clear_tables();
    Found::Held { states: walk.states(), least: walk.least().map(Length::value), searches, saved, has_dead_ends }
}

/// Compares the answers of searches with all reductions, with half of them alone, and with none, and replays their
/// solutions. Many work on macro moves only, so half of the time each is there with these. Adds the techniques that
/// saved something.
fn compare_reductions(puzzle: &Puzzle, least: Option<f64>, dice: &mut Dice, saved: &mut BTreeSet<&'static str>) {
    let all: Vec<&str> = facts("rules").expect("a domain").reductions.iter().map(|reduction| reduction.name).collect();
    let mut alone = all.clone();
    dice.shuffle(&mut alone);
    let others = |kept: &&str| {
        let is_with_macro_moves = dice.one_in(2);
        let is_left_out = |name: &&&str| *name != kept && !(is_with_macro_moves && **name == "macro-moves");
        all.iter().filter(is_left_out).copied().collect::<Vec<_>>()
    };
    let alone: Vec<Vec<&str>> = alone.iter().take(all.len().div_ceil(2)).map(others).collect();
    let (chief, rest): (Vec<_>, Vec<_>) =
        puzzle.heuristics().map(|facts| facts.name).partition(|name| ["zero", "matching", "maximum"].contains(name));
    // A linear program for each state takes as long as all other searches of a file together.
    let is_slow = |name: &&str| *name == "operator-counting";
    let rest: Vec<&str> = rest.into_iter().filter(|name| !is_slow(name) || dice.one_in(8)).collect();
    for without in alone.into_iter().chain([Vec::new(), all.clone()]) {
        let names: Vec<String> = without.iter().map(|&name| name.to_owned()).collect();
        // All heuristics that reductions read, and one other.
        let other = Some(dice.pick(&rest)).filter(|_| without.len() != 1);
        for heuristic in chief.iter().copied().chain(other) {
            let options = Options {
                algorithm: Some(Algorithm::AStar),
                heuristic: Some(heuristic.to_owned()),
                without: names.clone(),
                explain: true,
                ..Options::default()
            };
            let solution = puzzle.solve(&options).expect("A* suits every puzzle");
            assert_eq!(solution.cost(), least, "`{heuristic}` without {without:?}");
            assert!(solution.is_optimal() || least.is_none(), "not proven by `{heuristic}` without {without:?}");
            if least.is_some() {
                let replayed = verify::replay(puzzle, &solution.moves());
                let replayed = replayed.unwrap_or_else(|why| panic!("`{heuristic}` without {without:?}: {why}"));
                assert_eq!(Some(replayed.cost), least, "`{heuristic}` without {without:?}");
            }
            let savings = solution.explanation().map_or(&[][..], |explanation| explanation.savings.as_slice());
            let used: BTreeSet<&'static str> =
                savings.iter().filter(|saving| saving.count > 0).map(|saving| saving.name).collect();
            assert!(!without.iter().any(|name| used.contains(name)), "{savings:?} without {without:?}");
            saved.extend(used);
        }
    }
}

/// Compares the moves, their order, names and costs, and the drawings along a random walk.
fn compare_on_random_walk(puzzle: &Puzzle, played: &Played, dice: &mut Dice) {
    let mut at = puzzle.space("zero").expect("every domain has the heuristic `zero`");
    let mut position = played.start();
    let mut spent = 0.0;
    for _ in 0..dice.within(2, 12) {
        let moves = played.successors(&position);
        let expected: Vec<&String> = moves.iter().map(|(written, ..)| written).collect();
        let drawn = played.draw(&position);
        let legal_moves = at.legal_moves(Notation::STANDARD);
        assert_eq!(legal_moves.iter().collect::<Vec<_>>(), expected, "the moves, in their order, of\n{drawn}");
        assert_eq!(at.draw(Style::Drawn), drawn, "how a position is drawn");
        assert_eq!((at.is_goal(), at.g()), (played.is_goal(&position), spent), "goal and cost of\n{drawn}");
        let names: BTreeSet<&String> = expected.iter().copied().collect();
        assert_eq!(names.len(), expected.len(), "two moves of one name: {expected:?}");
        if moves.is_empty() {
            return;
        }
        let (written, cost, next) = dice.pick(&moves);
        assert_eq!(played.played(&position, &written), (next.clone(), cost.value()), "`{written}` in\n{drawn}");
        at = at.after(&written, &[Notation::STANDARD]).unwrap_or_else(|| panic!("`{written}` is legal in\n{drawn}"));
        spent += cost.value();
        position = next;
    }
}

/// Checks that a claim beyond the least cost is refuted: that the positions left out hide no cheapest solution.
fn check_dead_ends(puzzle: &Puzzle, certificate: &Certificate, cost: f64) {
    let mut claim: Value = serde_json::from_str(&certificate.text()).expect("a certificate is JSON");
    (claim["outcome"], claim["upper_bound"], claim["optimal"]) = ("limit".into(), Value::Null, false.into());
    claim["lower_bound"]["cost"] = (cost + 1.0).into();
    let claim = Certificate::parse(&claim.to_string()).expect("the form is kept");
    let refused = claim.check(puzzle, &Limits::default()).expect_err("there is a cheaper solution").to_string();
    assert!(refused.contains("a plain search by the rules finds a solution of cost"), "{refused}");
}

/// Checks that the certificate and the transcript of a search are confirmed; returns whether it lists dead ends.
fn check_certificate(puzzle: &Puzzle, options: Options, is_solvable: bool) -> bool {
    let record: Arc<ProofLog> = Arc::default();
    let limits = Limits { proof_log: Some(Arc::clone(&record)), ..Limits::default() };
    let solution = puzzle.solve(&Options { limits, ..options }).expect("the search suits");
    let certificate = Certificate::new("random.toml", puzzle, &solution, &record.read()).expect("it names no files");
    let certificate = certificate.with_pruned(record.pruned().clone());
    let certificate = Certificate::parse(&certificate.text()).expect("it was written just now");
    let checked = certificate.check(puzzle, &Limits::default()).unwrap_or_else(|why| panic!("a certificate: {why}"));
    assert!(!checked.stopped, "no limit stops so small a check: {checked:?}");
    let has_dead_ends = !record.pruned().is_empty();
    if let Some(cost) = solution.cost().filter(|_| has_dead_ends) {
        check_dead_ends(puzzle, &certificate, cost);
    }
    if is_solvable {
        let moves = solution.moves();
        let transcript = JSON.text(&Solved::new("random.toml", puzzle, &solution));
        let verified = verify::verify(puzzle, "random.toml", &transcript);
        let verified = verified.unwrap_or_else(|why| panic!("a transcript of {moves:?}: {why}"));
        assert!(verified.independent && verified.solutions.len() == 1, "{verified:?}");
        assert_eq!(Some(verified.solutions[0].cost), solution.cost());
    }
    has_dead_ends
}
