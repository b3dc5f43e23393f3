//! The proofs of the analysis about random levels, compared with all presses by the plain rules.
//!
//! `ENGINE_RANDOM_TIMES=100` takes a hundred times as many games. `--nocapture` prints the counts.

use crate::random_games;
use engine_puzzlescript::analysis::{Bounds, Buffers, Facts};
use engine_puzzlescript::compile::compile;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::{self, Play, Rules};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::Program;
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::Workspace;
use std::collections::BTreeMap;

/// The states that are explored of a level.
const MAX_STATES: usize = 200;

/// A state: the board and the target of restarts.
type State = (plain::PlainBoard, plain::PlainBoard);

/// A key, how its press ended, and the board and the target afterwards; with the number of that state if the level goes
/// on.
type Press = (Input, Outcome, State, Option<usize>);

/// The counts of comparisons.
#[derive(Debug, Default)]
struct Counts {
    games: usize,
    states: usize,
    won: usize,
    bounded: usize,
    /// States with a bound of more than 0, and those that are proven dead.
    far: usize,
    dead: usize,
    rules_left_out: usize,
}

/// The states of a level and where presses lead, by the plain rules.
struct Space {
    states: Vec<State>,
    presses: Vec<Vec<Press>>,
}

impl Space {
    /// Explores up to [`MAX_STATES`] states, none if a press is given up.
    fn new(rules: &Rules, mut play: Play) -> Option<Space> {
        let start = (play.board().clone(), play.target().clone());
        let mut numbers = BTreeMap::from([(start.clone(), 0)]);
        let mut space = Space { states: vec![start], presses: Vec::new() };
        while space.presses.len() < space.states.len().min(MAX_STATES) {
            let mut presses = Vec::new();
            for &key in rules.keys() {
                let (board, target) = space.states[space.presses.len()].clone();
                play.set(board, target);
                let outcome = play.press(key);
                let after = (play.board().clone(), play.target().clone());
                let next = match outcome {
                    Outcome::Limit => return None,
                    Outcome::Won | Outcome::Endless => None,
                    Outcome::Changed | Outcome::Same => Some(*numbers.entry(after.clone()).or_insert_with(|| {
                        space.states.push(after.clone());
                        space.states.len() - 1
                    })),
                };
                presses.push((key, outcome, after, next));
            }
            space.presses.push(presses);
        }
        Some(space)
    }

    /// Returns for each state the least number of presses that win, as far as it is explored.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut distances = vec![None; self.states.len()];
        for distance in 1.. {
            let is_near = |presses: &[Press]| {
                presses.iter().any(|(_, outcome, _, next)| match next {
                    None => distance == 1 && *outcome == Outcome::Won,
                    Some(next) => distances[*next].is_some_and(|there: u32| there + 1 == distance),
                })
            };
            let states = 0..self.presses.len();
            let near: Vec<usize> =
                states.filter(|&state| distances[state].is_none() && is_near(&self.presses[state])).collect();
            if near.is_empty() {
                return distances;
            }
            near.iter().for_each(|&state| distances[state] = Some(distance));
        }
        unreachable!("distances end")
    }
}

/// Returns a board in the form of the compiled rules.
fn words(program: &Program, board: &plain::PlainBoard) -> Vec<u64> {
    let mut words = vec![0; board.cells.len() * program.object_words];
    for (cell, words) in board.cells.iter().zip(words.chunks_mut(program.object_words)) {
        cell.iter().for_each(|object| words[object / 64] |= 1 << (object % 64));
    }
    words
}

/// Checks all presses of a space by the rules of a program.
fn check_presses(program: &Program, space: &Space, what: &str) {
    let board = program.boards().next().expect("there is a level");
    let mut workspace = Workspace::default();
    workspace.load(program, board);
    for ((board, target), presses) in space.states.iter().zip(&space.presses) {
        for (key, outcome, after, _) in presses {
            workspace.set_objects(&words(program, board));
            let mut target = words(program, target);
            let found = workspace.press(program, *key, &mut target, &mut Random::new(""), &mut 0);
            let what = format!("{what}: {key:?} on {:?}", words(program, board));
            assert_eq!(found, *outcome, "{what}");
            let is_key = program.inputs().contains(key);
            assert!(is_key || found == Outcome::Same, "{what}: the key is left out");
            // A board that never rests means nothing.
            if found != Outcome::Endless {
                assert_eq!(workspace.objects(), words(program, &after.0), "{what}");
                assert_eq!(target, words(program, &after.1), "{what}");
            }
        }
    }
}

/// Checks bounds in all states of a space.
fn check_bounds(program: &Program, bounds: &Bounds, space: &Space, counts: &mut Counts) {
    let mut buffers = Buffers::default();
    for ((board, _), distance) in space.states.iter().zip(space.distances()) {
        let bound = bounds.of(&words(program, board), &mut buffers);
        let holds = distance.is_none_or(|distance| bound.is_some_and(|bound| bound <= distance));
        assert!(holds, "{}: bound {bound:?}, but {distance:?} presses win from {board:?}", bounds.describe());
        counts.far += usize::from(bound.is_some_and(|bound| bound > 0));
        counts.dead += usize::from(bound.is_none());
    }
}

/// Checks the first level of a game. Games that do not play, and presses that take long, are left out.
fn check(text: &str, counts: &mut Counts) {
    let reading = read(text);
    let mut diagnostics = reading.diagnostics;
    let Some(game) = reading.game else { return };
    let Some(program) = compile(&game, &mut diagnostics) else { return };
    let Some(board) = program.boards().next() else { return };
    let rules = Rules::new(&game);
    let (play, beginning) = Play::one_level(&rules, 0, "").expect("the level is a board");
    let mut target = board.cells.clone();
    let mut workspace = Workspace::default();
    workspace.load(&program, board);
    let begun = workspace.begin(&program, &mut target, &mut Random::new(""));
    if beginning == Outcome::Limit {
        return;
    }
    assert_eq!(begun, beginning, "the beginning");
    if !matches!(begun, Outcome::Same | Outcome::Changed) {
        return;
    }
    let start = words(&program, play.board());
    assert_eq!(workspace.objects(), start, "the beginning");
    assert_eq!(target, words(&program, play.target()), "the beginning");
    let Some(space) = Space::new(&rules, play) else { return };
    check_presses(&program, &space, "all rules");
    let facts = Facts::new(&program, board, &start, &|| false).expect("nothing stops it");
    let reduced = facts.reduced(&program);
    check_presses(&reduced, &space, "rules that match");
    let changing = facts.changing();
    let has_targets = program.has_checkpoints();
    let boards = space.states.iter().flat_map(|(board, target)| [Some(board), Some(target).filter(|_| has_targets)]);
    let won = space.presses.iter().flatten().filter(|press| press.1 == Outcome::Won).map(|press| &press.2.0);
    for board in boards.flatten().chain(won) {
        let differs = start
            .iter()
            .zip(&changing)
            .zip(words(&program, board))
            .any(|((start, mask), now)| (start ^ now) & !mask != 0);
        assert!(!differs, "an object comes or leaves where the facts rule that out: {board:?}");
    }
    let distance = space.distances()[0];
    assert!(program.can_be_won() || distance.is_none(), "the level is won in {distance:?}");
    if let Some(bounds) = facts.bounds(&program, board, &start, &|| false) {
        counts.bounded += 1;
        check_bounds(&program, &bounds, &space, counts);
    }
    counts.games += 1;
    counts.states += space.presses.len();
    counts.won += usize::from(distance.is_some());
    counts.rules_left_out += program.rules().count() - reduced.rules().count();
}

/// Prints a game if its check panics.
struct PrintOnPanic<'a>(&'a str);

impl Drop for PrintOnPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            eprintln!("{}", self.0);
        }
    }
}

#[test]
fn the_analysis_rules_out_nothing_that_happens_on_random_levels() {
    let times: usize = std::env::var("ENGINE_RANDOM_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    let mut counts = Counts::default();
    for seed in 0..200 * times {
        let text = random_games::game(&mut Random::new(&format!("{seed} random levels")));
        let guard = PrintOnPanic(&text);
        check(&text, &mut counts);
        drop(guard);
    }
    println!("{counts:?}");
    let Counts { games, won, bounded, far, dead, rules_left_out, .. } = counts;
    assert!(games > 150 && won > 50 && bounded > 80, "{counts:?}");
    assert!(far > 1000 && dead > 1000 && rules_left_out > 200, "{counts:?}");
}
