//! Compares one file of rules with the reference interpreter: generates all positions by playing, and checks everything
//! that the engine reports about the puzzle.

use crate::random::compare::Case;
use crate::random::walk::{Length, Model, Move, Walk};
use crate::support::dice::Dice;
use engine::domain::{Rules, forget_tables};
use engine::puzzle::{Notation, Style};
use engine::search::{Algorithm, Record};
use engine::transcript::{Format, write};
use engine::verify::Certificate;
use engine::{Limits, Options, Puzzle, verify};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

type Position = Vec<u32>;

/// The rules of a file as a model; results for a position are memoised.
pub struct Played<'a> {
    rules: RefCell<Box<dyn Rules + 'a>>,
    start: Position,
    known: RefCell<HashMap<Position, Rc<Vec<Move<Position>>>>>,
    is_unit: bool,
    has_free_moves: bool,
}

impl<'a> Played<'a> {
    /// Creates the model; in a file without costs all moves cost 1.
    pub fn new(puzzle: &'a Puzzle, is_unit: bool) -> Played<'a> {
        let (rules, is_independent) = puzzle.rules();
        assert!(is_independent);
        assert_eq!(rules.unreadable(), None, "the engine takes the file, and the rules cannot be read");
        let start = rules.position().expect("written rules have positions");
        let has_free_moves = puzzle.suits(Algorithm::Iddfs).is_err();
        Played { rules: RefCell::new(rules), start, known: RefCell::default(), is_unit, has_free_moves }
    }

    fn successors(&self, position: &Position) -> Rc<Vec<Move<Position>>> {
        if let Some(known) = self.known.borrow().get(position) {
            return Rc::clone(known);
        }
        let rules = &mut **self.rules.borrow_mut();
        rules.take_up(position);
        let (names, successors) = (rules.candidates(), rules.successors());
        assert_eq!(names.len(), successors.len(), "each move has a name: {names:?}");
        let moves = names.into_iter().zip(successors).map(|(written, successor)| {
            let cost = Length(successor.cost.round() as u32, 0);
            assert!(cost.0 > 0 || self.has_free_moves, "`{written}` costs nothing, and `iddfs` takes the puzzle");
            assert!(cost.0 == 1 || !self.is_unit, "`{written}` costs {cost:?}");
            (written, cost, successor.position)
        });
        let moves: Rc<Vec<Move<Position>>> = Rc::new(moves.collect());
        self.known.borrow_mut().insert(position.clone(), Rc::clone(&moves));
        moves
    }

    /// Plays one move and returns the position and the cost.
    fn played(&self, position: &Position, written: &str) -> (Position, f64) {
        let rules = &mut **self.rules.borrow_mut();
        rules.take_up(position);
        let before = rules.cost();
        rules.play(written).unwrap_or_else(|why| panic!("`{written}` is a candidate, but: {why}"));
        (rules.position().expect("the rules have positions"), rules.cost() - before)
    }

    /// Returns a position in rows of text.
    pub fn draw(&self, position: &Position) -> String {
        let rules = &mut **self.rules.borrow_mut();
        rules.take_up(position);
        rules.draw()
    }

    /// Returns all reachable positions, nearest first; `None` if there are too many.
    pub fn positions(&self, most: usize) -> Option<Vec<Position>> {
        let mut met: BTreeSet<Position> = BTreeSet::from([self.start.clone()]);
        let mut all = vec![self.start.clone()];
        let mut next = 0;
        while next < all.len() {
            for (_, _, led) in self.successors(&all[next]).iter() {
                if met.insert(led.clone()) {
                    all.push(led.clone());
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
        unreachable!("the file was there before")
    }

    fn start(&self) -> Position {
        self.start.clone()
    }

    fn is_goal(&self, state: &Position) -> bool {
        let rules = &mut **self.rules.borrow_mut();
        rules.take_up(state);
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

    fn has_free_moves(&self) -> bool {
        self.has_free_moves
    }
}

/// The result of testing a file.
pub enum Found {
    /// It has too many positions to test.
    TooLarge,
    Held {
        states: usize,
        least: Option<f64>,
        searches: u64,
    },
}

/// The effort of testing a file.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    pub most_states: usize,
    pub thorough: bool,
    pub certificate: bool,
    pub is_unit: bool,
}

/// Compares everything that the engine reports about a file with the model.
pub fn hold(puzzle: &Puzzle, seed: u64, care: Care) -> Found {
    let played = Played::new(puzzle, care.is_unit);
    if played.positions(care.most_states).is_none() {
        return Found::TooLarge;
    }
    walked(puzzle, &played, &mut Dice::new(seed));
    let walk = Walk::new(&played, care.most_states).expect("it is not too large");
    let mut case = Case::new(&played, &walk, puzzle, seed);
    if !care.thorough {
        case = case.reduced(2, 1);
    }
    case.holds();
    let searches = case.searches;
    if care.certificate {
        certified(puzzle, walk.least().is_some());
    }
    forget_tables();
    Found::Held { states: walk.states(), least: walk.least().map(Length::value), searches }
}

/// Compares on a random walk: the moves with order, names and costs, and the drawings of positions.
fn walked(puzzle: &Puzzle, played: &Played, dice: &mut Dice) {
    let mut at = puzzle.space("zero").expect("every domain has the heuristic zero");
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

/// Checks that a certificate of the default search and the transcript of its solution are confirmed.
fn certified(puzzle: &Puzzle, is_solvable: bool) {
    let record: Arc<Record> = Arc::default();
    let limits = Limits { record: Some(Arc::clone(&record)), ..Limits::default() };
    let solution =
        puzzle.solve(&Options { limits, ..Options::default() }).expect("the default algorithm suits the puzzle");
    let certificate = Certificate::new("random.toml", puzzle, &solution, &record.read()).expect("it names no files");
    let certificate = Certificate::parse(&certificate.text()).expect("it was written just now");
    let checked = certificate.check(puzzle, &Limits::default()).unwrap_or_else(|why| panic!("a certificate: {why}"));
    assert!(!checked.stopped, "no limit stops so small a check: {checked:?}");
    if is_solvable {
        let moves = solution.moves();
        let mut out = Vec::new();
        write(&mut out, Format::Json, "random.toml", puzzle, &solution, Notation::STANDARD)
            .expect("writing to memory cannot fail");
        let transcript = String::from_utf8(out).expect("transcripts are text");
        let verified = verify::verify(puzzle, "random.toml", &transcript);
        let verified = verified.unwrap_or_else(|why| panic!("a transcript of {moves:?}: {why}"));
        assert!(verified.independent && verified.solutions.len() == 1, "{verified:?}");
        assert_eq!(Some(verified.solutions[0].cost), solution.cost());
    }
}
