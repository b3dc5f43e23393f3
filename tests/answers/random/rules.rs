//! Random files of `domain = "rules"`, generated as text from the whole grammar of the format. The engine's answers are
//! compared with the interpreter `Puzzle::rules`, a second implementation of the documented rules.
//!
//! The engine should accept every generated file; [`EXPECTED`] lists the few reasons for a refusal.
//! `ENGINE_RANDOM_TIMES=100` generates ten thousand files.

mod boxes;
mod compare;
mod express;
mod goals;
mod invent;
mod reactions;
mod shapes;
mod shrink;
mod sweeps;
mod warehouses;
mod world;
mod write;

use crate::fences::compare_positions;
use crate::support::dice::{Dice, each_seed, each_seed_at_once, is_full_run};
use boxes::Boxes;
use compare::{Found, Played, Selection, Thoroughness, compare_with_rules};
use engine::Puzzle;
use engine::domain::facts;
use goals::{Position, goal};
use reactions::Reactions;
use shapes::{SHAPES, Shape};
use shrink::{Failure, REFUSED, catch_failure, minimized};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;
use sweeps::Sweeps;
use warehouses::Warehouse;
use world::World;

/// The reasons for which a syntactically valid random file may be refused.
const EXPECTED: [&str; 5] = [
    "is assigned twice",
    "the start violates `never`",
    "a consequence applies at the start",
    "invalid value `true` for",
    "invalid value `false` for",
];

/// Parts of the grammar that must occur in files with moves; otherwise the generator has lost a part.
const PARTS: [&str; 38] = [
    "marks",
    "never",
    "turns = true",
    "mirror = true",
    "repeat = true",
    "wrap",
    "clip",
    "at = [",
    "on = ",
    "for",
    "then",
    "cost",
    "for i in",
    "when",
    "count",
    "every",
    "[variables]",
    "sets",
    "maps",
    "true",
    "..",
    "cell[",
    "mark[",
    "count(",
    "sum(",
    "all(",
    "any(",
    " in [",
    "abs(",
    "min(",
    "%",
    "/",
    "{direction}",
    "{at}",
    "run = ",
    "{run}",
    "arrows",
    "{at2}",
];

/// Parts of the grammar of moves that are more than one rule at one place.
const REACTIONS: [&str; 23] = [
    "all = true",
    "[[after]]",
    "turns = 'move'",
    "all = true\nrepeat",
    "ahead(",
    "bodies = ",
    "bodies(",
    "shift = ",
    "push = ",
    "direction = ",
    "[piles]",
    "carry = ",
    "turned = true",
    "size(",
    "top(",
    "same(",
    "for = { k",
    "from = ['",
    "run = ",
    "{y}",
    "anywhere = ",
    "fences = ",
    "arrows = ",
];

/// The limit on positions: larger files are skipped.
const MAX_STATES: usize = 400;

/// The text of a file without its goal: the keys before the first table, and the tables.
struct File {
    world: World,
    top_keys: Vec<String>,
    tables: Vec<String>,
}

impl File {
    fn random(dice: &mut Dice) -> File {
        let world = World::random(dice);
        let (mut top_keys, mut tables) = (Vec::new(), Vec::new());
        world.write(dice, &mut top_keys, &mut tables);
        let may_be_free = dice.one_in(8);
        let mut rules: Vec<String> = Vec::new();
        let number = dice.within(1, 4);
        for _ in 0..12 {
            let rule = invent::rule(dice, &world, rules.len(), may_be_free);
            rules.extend(Some(rule).filter(|rule| !rule.is_empty()));
            if rules.len() == number {
                break;
            }
        }
        if dice.one_in(8) {
            let mut generator = express::ExpressionGenerator::new(dice, &world);
            let texts: Vec<String> = (0..generator.dice.within(1, 2))
                .map(|_| {
                    let text = generator.condition(2);
                    write::string(generator.dice, &text)
                })
                .collect();
            top_keys.push(format!("never = {}\n", write::one_or_many(dice, &texts)));
        }
        top_keys.push("title = \"R\"\n".to_owned());
        top_keys.push(format!("{} = 'rules'\n", write::key(dice, "domain")));
        dice.shuffle(&mut top_keys);
        dice.shuffle(&mut tables);
        let at = dice.below(tables.len() + 1);
        tables.insert(at, rules.concat());
        File { world, top_keys, tables }
    }

    fn text(&self, goal: &str) -> String {
        format!("{}{goal}{}", self.top_keys.concat(), self.tables.concat())
    }
}

#[derive(Debug, Default)]
struct Tally {
    files: u64,
    refused: BTreeMap<&'static str, u64>,
    too_large: u64,
    still: u64,
    held: u64,
    solved: u64,
    solved_by_more: u64,
    unsolvable: u64,
    states: usize,
    searches: u64,
    certificates: u64,
    parts: BTreeMap<&'static str, u64>,
}

/// The result of one file.
enum Outcome {
    Refused(&'static str),
    Found(Found),
}

fn open(text: &str) -> Result<Puzzle, &'static str> {
    Puzzle::parse(text, "random.toml").map_err(|report| {
        let report = report.to_string();
        let expected = EXPECTED.into_iter().find(|reason| report.contains(reason));
        expected.unwrap_or_else(|| panic!("{REFUSED}: {report}"))
    })
}

fn check(text: &str, seed: u64, thoroughness: Thoroughness) -> Outcome {
    match open(text) {
        Ok(puzzle) => Outcome::Found(compare_with_rules(&puzzle, seed, thoroughness)),
        Err(reason) => Outcome::Refused(reason),
    }
}

/// A report of a failure with the minimized file.
struct FailureReport<'a>(u64, &'a str, &'a Failure, &'a str);

impl fmt::Display for FailureReport<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let FailureReport(seed, text, failure, minimized) = self;
        write!(f, "seed {seed}: {}\n\n{text}\nMinimized:\n\n{minimized}", failure.message)
    }
}

fn unwrap_or_report<T>(seed: u64, text: &str, result: Result<T, Failure>, again: &dyn Fn(&str)) -> T {
    result.unwrap_or_else(|failure| {
        let small = minimized(text, &failure, &|text| catch_failure(|| again(text)).err());
        panic!("{}", FailureReport(seed, text, &failure, &small))
    })
}

/// Returns the drawings of all reachable positions; `None` if there are more than `most`.
fn drawn(text: &str, most: usize) -> Result<Option<Vec<String>>, &'static str> {
    open(text).map(|puzzle| {
        let played = Played::new(&puzzle, is_unit(text));
        let positions = played.positions(most)?;
        Some(positions.iter().map(|position| played.draw(position)).collect())
    })
}

/// Returns whether no rule has a cost, by the text.
fn is_unit(text: &str) -> bool {
    !text.contains("cost")
}

/// Returns whether the start is a goal.
fn is_solved_at_once(text: &str) -> bool {
    open(text).is_ok_and(|puzzle| puzzle.rules().0.is_solved())
}

/// Generates a file with enough positions and a goal; `None` after six attempts.
fn generate(seed: u64, tally: &mut Tally) -> Option<String> {
    let dice = &mut Dice::new(seed);
    for left in (0..6).rev() {
        tally.files += 1;
        let file = File::random(dice);
        let made_up = Position::random(dice, &file.world);
        let draft = file.text(&goal(dice, &file.world, &made_up));
        let positions = catch_failure(|| drawn(&draft, MAX_STATES));
        let positions = match unwrap_or_report(seed, &draft, positions, &|text| drop(drawn(text, MAX_STATES))) {
            Err(reason) => {
                *tally.refused.entry(reason).or_default() += 1;
                continue;
            }
            Ok(None) => {
                tally.too_large += 1;
                continue;
            }
            // A puzzle with few positions tests little.
            Ok(Some(positions)) if positions.len() < dice.within(2, 9) && left > 0 => {
                tally.still += 1;
                continue;
            }
            Ok(Some(positions)) => positions,
        };
        // A distant goal, or one that is probably unreachable.
        let is_reachable = !dice.one_in(3);
        let mut text = draft;
        for _ in 0..5 {
            let far = positions.len() - 1 - dice.below(positions.len().div_ceil(2));
            let goal_position = Position::read(&file.world, &positions[far]).filter(|_| is_reachable);
            let goal_position = goal_position.unwrap_or_else(|| Position::random(dice, &file.world));
            text = file.text(&goal(dice, &file.world, &goal_position));
            let solved = catch_failure(|| is_solved_at_once(&text));
            if !unwrap_or_report(seed, &text, solved, &|text| _ = is_solved_at_once(text)) || dice.one_in(8) {
                break;
            }
        }
        return Some(text);
    }
    None
}

#[test]
fn files_of_rules_have_the_answers_of_their_interpreter() {
    let mut tally = Tally::default();
    let started = Instant::now();
    each_seed(100, |seed| {
        let Some(text) = generate(seed, &mut tally) else { return };
        let thoroughness = Thoroughness {
            max_states: MAX_STATES,
            selection: match seed % 16 {
                0 => Selection::All,
                8 => Selection::Reductions,
                _ => Selection::Random,
            },
            certificate: seed % 4 == 1,
            is_unit: is_unit(&text),
        };
        let result = catch_failure(|| check(&text, seed, thoroughness));
        match unwrap_or_report(seed, &text, result, &|text| _ = check(text, seed, thoroughness)) {
            Outcome::Refused(reason) => *tally.refused.entry(reason).or_default() += 1,
            Outcome::Found(Found::TooLarge) => tally.too_large += 1,
            Outcome::Found(Found::Held { states, least, searches, .. }) => {
                tally.held += 1;
                for part in PARTS.into_iter().filter(|part| states > 1 && text.contains(part)) {
                    *tally.parts.entry(part).or_default() += 1;
                }
                tally.states += states;
                tally.searches += searches;
                tally.certificates += u64::from(thoroughness.certificate);
                tally.solved += u64::from(least.is_some());
                tally.solved_by_more += u64::from(least.is_some_and(|least| least > 1.5));
                tally.unsolvable += u64::from(least.is_none());
            }
        }
    });
    println!("rules: {tally:?} in {:?}", started.elapsed());
    if is_full_run() {
        let refused: u64 = tally.refused.values().sum();
        assert!(refused * 10 < tally.files * 3, "too many files are refused: {tally:?}");
        assert!(tally.solved_by_more * 6 > tally.held && tally.unsolvable * 8 > tally.held, "of one sort: {tally:?}");
        assert!(tally.held * 5 > tally.files, "too few files are of use: {tally:?}");
        assert_eq!(tally.parts.len(), PARTS.len(), "parts of the grammar are missing: {tally:?}");
    }
}

/// The limit on positions of files of some kind.
const MAX_STATES_OF_KIN: usize = 1500;

/// The limit on positions of warehouses, which need room for corrals.
const MAX_STATES_OF_WAREHOUSES: usize = 6000;

/// A kind of random files, with the limits on their positions.
struct Kin<T> {
    /// The number of files that are tried for one with enough positions.
    attempts: usize,
    min_states: usize,
    max_states: usize,
    random: fn(&mut Dice) -> T,
    /// Returns a file with the same positions as the one with its goal.
    draft: fn(&T) -> String,
    /// Returns the file with a goal, from the drawing of a position.
    text: fn(&T, &mut Dice, &str) -> String,
}

#[derive(Debug, Default)]
struct KinTally {
    held: u64,
    solved: u64,
    unsolvable: u64,
    matched: u64,
    free: u64,
    states: usize,
    searches: u64,
    certificates: u64,
    /// The number of certificates that list dead ends.
    with_dead_ends: u64,
    /// The number of files in which each reduction saved something.
    reductions: BTreeMap<&'static str, u64>,
}

impl<T> Kin<T> {
    /// Generates a file with enough positions; `None` after the last attempt.
    fn generate(&self, seed: u64) -> Option<String> {
        let dice = &mut Dice::new(seed);
        for _ in 0..self.attempts {
            let file = (self.random)(dice);
            let draft = (self.draft)(&file);
            let positions = catch_failure(|| drawn(&draft, self.max_states));
            let again = |text: &str| drop(drawn(text, self.max_states));
            let positions = unwrap_or_report(seed, &draft, positions, &again).ok().flatten();
            if let Some(positions) = positions.filter(|positions| positions.len() >= self.min_states) {
                let far = positions.len() - 1 - dice.below(positions.len().div_ceil(2));
                return Some((self.text)(&file, dice, &positions[far]));
            }
        }
        None
    }

    /// Compares the engine's answers on random files with those of their interpreter. Calls `each` with the files.
    fn compare(&self, usual: u64, selection: fn(u64) -> Selection, mut each: impl FnMut(&str)) -> KinTally {
        let mut tally = KinTally::default();
        let started = Instant::now();
        let files = each_seed_at_once(usual, |seed| {
            let text = self.generate(seed)?;
            let thoroughness = Thoroughness {
                max_states: self.max_states,
                selection: selection(seed),
                certificate: seed % 4 == 1,
                is_unit: is_unit(&text),
            };
            let result = catch_failure(|| check(&text, seed, thoroughness));
            let outcome = unwrap_or_report(seed, &text, result, &|text| _ = check(text, seed, thoroughness));
            let matches = |puzzle: Puzzle| puzzle.heuristics().any(|heuristic| heuristic.name == "matching");
            let is_matched = open(&text).is_ok_and(matches);
            Some((text, thoroughness, outcome, is_matched))
        });
        for (text, thoroughness, outcome, is_matched) in files.into_iter().flatten() {
            let Outcome::Found(Found::Held { least, saved, states, searches, has_dead_ends }) = outcome else {
                continue;
            };
            each(&text);
            tally.held += 1;
            tally.states += states;
            tally.searches += searches;
            tally.certificates += u64::from(thoroughness.certificate);
            tally.with_dead_ends += u64::from(has_dead_ends);
            tally.solved += u64::from(least.is_some());
            tally.unsolvable += u64::from(least.is_none());
            tally.free += u64::from(text.contains("cost = 0"));
            tally.matched += u64::from(is_matched);
            saved.into_iter().for_each(|name| *tally.reductions.entry(name).or_default() += 1);
        }
        println!("{tally:?} in {:?}", started.elapsed());
        tally
    }
}

#[test]
fn files_like_sokoban_have_the_answers_of_their_interpreter() {
    let kin = Kin {
        attempts: 6,
        min_states: 8,
        max_states: MAX_STATES_OF_KIN,
        random: Boxes::random,
        draft: Boxes::draft,
        text: Boxes::text,
    };
    let selection = |seed: u64| if seed % 64 == 63 { Selection::All } else { Selection::Reductions };
    let tally = kin.compare(150, selection, |_| {});
    if is_full_run() {
        let KinTally { held, solved, unsolvable, matched, free, .. } = tally;
        assert!(solved * 3 > held && unsolvable * 30 > held, "of one sort: {tally:?}");
        for name in ["dead-moves", "dead-pairs", "macro-moves", "symmetries"] {
            assert!(tally.reductions.contains_key(name), "`{name}` is never at work: {tally:?}");
        }
        assert!(free * 5 > held && matched * 5 > held, "too few for every reduction: {tally:?}");
    }
}

#[test]
fn warehouses_have_the_answers_of_their_interpreter() {
    let kin = Kin {
        attempts: 6,
        min_states: 60,
        max_states: MAX_STATES_OF_WAREHOUSES,
        random: Warehouse::random,
        draft: Warehouse::draft,
        text: Warehouse::text,
    };
    let selection = |seed: u64| if seed % 64 == 63 { Selection::All } else { Selection::Reductions };
    let tally = kin.compare(30, selection, |_| {});
    if is_full_run() {
        let KinTally { held, solved, unsolvable, matched, .. } = tally;
        assert!(solved * 2 > held && unsolvable * 30 > held, "of one sort: {tally:?}");
        assert!(matched * 2 > held, "few have a matching: {tally:?}");
        assert!(tally.with_dead_ends > 0, "no certificate lists dead ends: {tally:?}");
        let all = facts("rules").expect("a domain").reductions.iter().map(|reduction| reduction.name);
        for name in all.chain(["regions"]) {
            // About one file in thirty has a dead pattern, and few have conflicts. The crate tests both on each state of
            // random levels, too.
            if ["dead-patterns", "conflicts"].contains(&name) && held < 500 {
                continue;
            }
            assert!(tally.reductions.contains_key(name), "`{name}` is never at work: {tally:?}");
        }
    }
}

#[test]
fn files_of_many_shapes_have_the_answers_of_their_interpreter() {
    let kin = Kin {
        attempts: 6,
        min_states: 8,
        max_states: MAX_STATES_OF_KIN,
        random: Shape::random,
        draft: Shape::draft,
        text: Shape::text,
    };
    let selection = |seed| match seed % 32 {
        31 => Selection::All,
        even if even % 2 == 0 => Selection::Reductions,
        _ => Selection::Random,
    };
    let mut kinds: BTreeMap<String, u64> = BTreeMap::new();
    let tally = kin.compare(200, selection, |text| {
        let title = text.lines().next().unwrap_or_default().to_owned();
        *kinds.entry(title).or_default() += 1;
    });
    println!("{kinds:?}");
    if is_full_run() {
        assert!(tally.solved * 3 > tally.held && tally.unsolvable * 30 > tally.held, "of one sort: {tally:?}");
        assert_eq!(kinds.len(), SHAPES.len(), "a shape is missing: {kinds:?}");
        for name in ["macro-moves", "regions", "symmetries"] {
            assert!(tally.reductions.contains_key(name), "`{name}` is never at work: {tally:?}");
        }
    }
}

#[test]
fn files_with_sweeps_have_the_answers_of_their_interpreter() {
    let kin = Kin {
        attempts: 6,
        min_states: 8,
        max_states: MAX_STATES_OF_KIN,
        random: Sweeps::random,
        draft: Sweeps::draft,
        text: Sweeps::text,
    };
    let selection = |seed: u64| match seed % 16 {
        0 => Selection::All,
        4 | 8 | 12 => Selection::Reductions,
        _ => Selection::Random,
    };
    let tally = kin.compare(50, selection, |_| {});
    if is_full_run() {
        assert!(tally.solved * 3 > tally.held && tally.unsolvable > 0, "of one sort: {tally:?}");
    }
}

#[test]
fn files_with_reactions_have_the_answers_of_their_interpreter() {
    let kin = Kin {
        attempts: 40,
        min_states: 4,
        max_states: MAX_STATES,
        random: Reactions::random,
        draft: Reactions::draft,
        text: Reactions::text,
    };
    let mut parts: BTreeMap<&str, u64> = BTreeMap::new();
    let mut compared = 0;
    let selection = |seed: u64| if seed.is_multiple_of(16) { Selection::All } else { Selection::Random };
    let tally = kin.compare(120, selection, |text| {
        for part in REACTIONS.into_iter().filter(|part| text.contains(part)) {
            *parts.entry(part).or_default() += 1;
        }
        let puzzle = open(text).expect("it was accepted before");
        compared += compare_positions(&puzzle, text, MAX_STATES);
    });
    println!("{compared} positions, {parts:?}");
    if is_full_run() {
        assert!(tally.solved * 3 > tally.held && tally.unsolvable > 0, "of one sort: {tally:?}");
        assert_eq!(parts.len(), REACTIONS.len(), "parts of the grammar are missing: {parts:?}");
    }
}
