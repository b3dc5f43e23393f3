//! One file of rules, held to the rules as the document says them: all positions are met by playing, and everything that
//! the engine says of the puzzle is compared with what was met.

use crate::random::compare::Case;
use crate::random::walk::{Length, Model, Move, Walk};
use crate::support::dice::Dice;
use engine::domain::{Rules, clear_tables};
use engine::puzzle::{Notation, Style};
use engine::search::{Algorithm, ProofLog};
use engine::transcript::{Format, write};
use engine::verify::Certificate;
use engine::{Limits, Options, Puzzle, verify};
use std::cell::RefCell;
use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;
use std::sync::Arc;

type Position = Vec<u32>;

/// The rules of a file, played; what was found out about a position is remembered.
pub struct Played<'a> {
    rules: RefCell<Box<dyn Rules + 'a>>,
    start: Position,
    known: RefCell<HashMap<Position, Rc<Vec<Move<Position>>>>>,
    is_unit: bool,
    has_free_moves: bool,
}

impl<'a> Played<'a> {
    /// A file that says nothing of costs is known to have moves that all cost 1.
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
        rules.set_position(position);
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

    /// Plays one move: where it leads, and what it costs.
    fn played(&self, position: &Position, written: &str) -> (Position, f64) {
        let rules = &mut **self.rules.borrow_mut();
        rules.set_position(position);
        let before = rules.cost();
        rules.play(written).unwrap_or_else(|why| panic!("`{written}` is a candidate, but: {why}"));
        (rules.position().expect("as before"), rules.cost() - before)
    }

    /// A position in rows of text.
    pub fn draw(&self, position: &Position) -> String {
        let rules = &mut **self.rules.borrow_mut();
        rules.set_position(position);
        rules.draw()
    }

    /// All that can be reached, nearest first; none where that is too much.
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

    fn has_free_moves(&self) -> bool {
        self.has_free_moves
    }
}

/// What was found out about a file.
pub enum Found {
    /// It has more positions than there is time for.
    TooLarge,
    Held {
        states: usize,
        least: Option<f64>,
        searches: u64,
    },
}

/// How closely a file is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Care {
    pub most_states: usize,
    pub thorough: bool,
    pub certificate: bool,
    pub is_unit: bool,
}

/// Holds what the engine says of a file to what is true.
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
    clear_tables();
    Found::Held { states: walk.states(), least: walk.least().map(Length::value), searches }
}

/// On a random walk: the moves in their order, by their names, what they cost, and how positions are drawn.
fn walked(puzzle: &Puzzle, played: &Played, dice: &mut Dice) {
    let mut at = puzzle.space("zero").expect("every domain has it");
    let mut position = played.start();
    let mut spent = 0.0;
    for _ in 0..dice.within(2, 12) {
        let moves = played.successors(&position);
        let expected: Vec<&String> = moves.iter().map(|(written, ..)| written).collect();
        let drawn = played.draw(&position);
        let told = at.legal_moves(Notation::STANDARD);
        assert_eq!(told.iter().collect::<Vec<_>>(), expected, "the moves, in their order, of\n{drawn}");
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

/// A certificate of the default search is confirmed, and so is the transcript of its solution.
fn certified(puzzle: &Puzzle, is_solvable: bool) {
    let record: Arc<ProofLog> = Arc::default();
    let limits = Limits { proof_log: Some(Arc::clone(&record)), ..Limits::default() };
    let solution = puzzle.solve(&Options { limits, ..Options::default() }).expect("the default suits");
    let certificate = Certificate::new("random.toml", puzzle, &solution, &record.read()).expect("it names no files");
    let certificate = Certificate::parse(&certificate.text()).expect("it was written just now");
    let checked = certificate.check(puzzle, &Limits::default()).unwrap_or_else(|why| panic!("a certificate: {why}"));
    assert!(!checked.stopped, "no limit stops so small a check: {checked:?}");
    if is_solvable {
        let moves = solution.moves();
        let mut out = Vec::new();
        write(&mut out, Format::Json, "random.toml", puzzle, &solution, Notation::STANDARD).expect("memory takes it");
        let transcript = String::from_utf8(out).expect("transcripts are text");
        let verified = verify::verify(puzzle, "random.toml", &transcript);
        let verified = verified.unwrap_or_else(|why| panic!("a transcript of {moves:?}: {why}"));
        assert!(verified.independent && verified.solutions.len() == 1, "{verified:?}");
        assert_eq!(Some(verified.solutions[0].cost), solution.cost());
    }
}
