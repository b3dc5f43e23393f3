//! Random files of `domain = "rules"`, generated from the whole grammar of the format, and compared with the reference
//! interpreter of `Puzzle::rules`, an independent implementation.
//!
//! Every generated file should be accepted; [`EXPECTED`] lists the few reasons to refuse one. `ENGINE_RANDOM_TIMES=34`
//! tries more than ten thousand files.

mod compare;
mod express;
mod goals;
mod invent;
mod shrink;
mod world;
mod write;

use crate::support::dice::{Dice, counts_are_meaningful, each_seed};
use compare::{Care, Found, Played, hold};
use engine::Puzzle;
use goals::{Position, goal};
use shrink::{Failure, REFUSED, caught, smaller};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;
use world::World;

/// Reasons to refuse a generated file: it may be impossible by chance.
const EXPECTED: [&str; 4] =
    ["becomes two things at once", "must never be", "it is never `true`", "it is never `false`"];

/// Parts of the grammar that must occur in files with moves; otherwise the generator has lost one.
const PARTS: [&str; 34] = [
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
];

/// The greatest number of positions of a file to test.
const MAX_STATES: usize = 400;

/// A file without its goal: the keys above all tables, and the tables.
struct File {
    world: World,
    above: Vec<String>,
    below: Vec<String>,
}

impl File {
    fn random(dice: &mut Dice) -> File {
        let world = World::random(dice);
        let (mut above, mut below) = (Vec::new(), Vec::new());
        world.write(dice, &mut above, &mut below);
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
            above.push(format!("never = {}\n", write::one_or_many(dice, &texts)));
        }
        above.push("title = \"R\"\n".to_owned());
        above.push(format!("{} = 'rules'\n", write::key(dice, "domain")));
        dice.shuffle(&mut above);
        dice.shuffle(&mut below);
        let at = dice.below(below.len() + 1);
        below.insert(at, rules.concat());
        File { world, above, below }
    }

    fn text(&self, goal: &str) -> String {
        format!("{}{goal}{}", self.above.concat(), self.below.concat())
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

/// The outcome of testing one text.
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

fn check(text: &str, seed: u64, care: Care) -> Outcome {
    match open(text) {
        Ok(puzzle) => Outcome::Found(hold(&puzzle, seed, care)),
        Err(reason) => Outcome::Refused(reason),
    }
}

/// Fails with the file, reduced.
struct Complaint<'a>(u64, &'a str, &'a Failure, &'a str);

impl fmt::Display for Complaint<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Complaint(seed, text, failure, smaller) = self;
        write!(f, "seed {seed}: {}\n\n{text}\nAs small as it gets:\n\n{smaller}", failure.message)
    }
}

fn complain<T>(seed: u64, text: &str, result: Result<T, Failure>, again: &dyn Fn(&str)) -> T {
    result.unwrap_or_else(|failure| {
        let small = smaller(text, &failure, &|text| caught(|| again(text)).err());
        panic!("{}", Complaint(seed, text, &failure, &small))
    })
}

/// Returns the drawings of all reachable positions; `None` if there are too many.
fn drawn(text: &str) -> Result<Option<Vec<String>>, &'static str> {
    open(text).map(|puzzle| {
        let played = Played::new(&puzzle, is_unit(text));
        let positions = played.positions(MAX_STATES)?;
        Some(positions.iter().map(|position| played.draw(position)).collect())
    })
}

/// Returns whether no rule has a cost, judging by the text.
fn is_unit(text: &str) -> bool {
    !text.contains("cost")
}

/// Returns whether the start is a goal.
fn is_solved_at_once(text: &str) -> bool {
    open(text).is_ok_and(|puzzle| puzzle.rules().0.is_solved())
}

/// Returns a file with a goal, if it has enough positions to be worth testing.
fn written(seed: u64, tally: &mut Tally) -> Option<String> {
    let dice = &mut Dice::new(seed);
    for left in (0..6).rev() {
        tally.files += 1;
        let file = File::random(dice);
        let made_up = Position::random(dice, &file.world);
        let draft = file.text(&goal(dice, &file.world, &made_up));
        let positions = match complain(seed, &draft, caught(|| drawn(&draft)), &|text| drop(drawn(text))) {
            Err(reason) => {
                *tally.refused.entry(reason).or_default() += 1;
                continue;
            }
            Ok(None) => {
                tally.too_large += 1;
                continue;
            }
            // Files with hardly any moves test little.
            Ok(Some(positions)) if positions.len() < dice.within(2, 9) && left > 0 => {
                tally.still += 1;
                continue;
            }
            Ok(Some(positions)) => positions,
        };
        // A goal that is far away, or probably unreachable.
        let is_met = !dice.one_in(3);
        let mut text = draft;
        for _ in 0..5 {
            let far = positions.len() - 1 - dice.below(positions.len().div_ceil(2));
            let met = Position::read(&file.world, &positions[far]).filter(|_| is_met);
            let met = met.unwrap_or_else(|| Position::random(dice, &file.world));
            text = file.text(&goal(dice, &file.world, &met));
            let solved = caught(|| is_solved_at_once(&text));
            if !complain(seed, &text, solved, &|text| _ = is_solved_at_once(text)) || dice.one_in(8) {
                break;
            }
        }
        return Some(text);
    }
    None
}

#[test]
fn rules() {
    let mut tally = Tally::default();
    let started = Instant::now();
    each_seed(300, |seed| {
        let Some(text) = written(seed, &mut tally) else { return };
        let care = Care {
            most_states: MAX_STATES,
            thorough: seed % 16 == 0,
            certificate: seed % 4 == 1,
            is_unit: is_unit(&text),
        };
        let result = caught(|| check(&text, seed, care));
        match complain(seed, &text, result, &|text| _ = check(text, seed, care)) {
            Outcome::Refused(reason) => *tally.refused.entry(reason).or_default() += 1,
            Outcome::Found(Found::TooLarge) => tally.too_large += 1,
            Outcome::Found(Found::Held { states, least, searches }) => {
                tally.held += 1;
                for part in PARTS.into_iter().filter(|part| states > 1 && text.contains(part)) {
                    *tally.parts.entry(part).or_default() += 1;
                }
                tally.states += states;
                tally.searches += searches;
                tally.certificates += u64::from(care.certificate);
                tally.solved += u64::from(least.is_some());
                tally.solved_by_more += u64::from(least.is_some_and(|least| least > 1.5));
                tally.unsolvable += u64::from(least.is_none());
            }
        }
    });
    println!("rules: {tally:?} in {:?}", started.elapsed());
    if counts_are_meaningful() {
        let refused: u64 = tally.refused.values().sum();
        assert!(refused * 10 < tally.files * 3, "too many files are refused: {tally:?}");
        assert!(tally.solved_by_more * 6 > tally.held && tally.unsolvable * 8 > tally.held, "of one sort: {tally:?}");
        assert!(tally.held * 5 > tally.files, "too few files are of use: {tally:?}");
        assert_eq!(tally.parts.len(), PARTS.len(), "parts of the grammar are missing: {tally:?}");
    }
}
