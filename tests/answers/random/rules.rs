//! Random files of `domain = "rules"`: written as text, from the whole grammar of the format, and held to the rules as the
//! document says them, which are read and played a second time by `Puzzle::rules`.
//!
//! Every file that is written should be taken; the few reasons for which one may be refused are listed in [`EXPECTED`].
//! `ENGINE_RANDOM_TIMES=34` makes it more than ten thousand files.

mod compare;
mod express;
mod goals;
mod invent;
mod shrink;
mod world;
mod write;

use crate::support::dice::{Dice, each_seed, is_full_run};
use compare::{Care, Found, Played, hold};
use engine::Puzzle;
use goals::{Position, goal};
use shrink::{Failure, REFUSED, caught, smaller};
use std::collections::BTreeMap;
use std::fmt;
use std::time::Instant;
use world::World;

/// Why a file may be refused although it is written by the format: by chance it means what cannot be.
const EXPECTED: [&str; 4] =
    ["becomes two things at once", "must never be", "it is never `true`", "it is never `false`"];

/// What must be met in files in which something moves, or the generator has lost a part of the grammar.
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

/// Files are left out that have more positions than this.
const MOST_STATES: usize = 400;

/// The text of a file but for its goal: what stands above all tables, and the tables.
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
            let mut speaker = express::Speaker::new(dice, &world);
            let texts: Vec<String> = (0..speaker.dice.within(1, 2))
                .map(|_| {
                    let text = speaker.condition(2);
                    write::string(speaker.dice, &text)
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

/// What one text came to.
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

/// Fails with the file, made smaller.
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

/// All positions that can be reached, as they are drawn; none where they are too many.
fn drawn(text: &str) -> Result<Option<Vec<String>>, &'static str> {
    open(text).map(|puzzle| {
        let played = Played::new(&puzzle, is_unit(text));
        let positions = played.positions(MOST_STATES)?;
        Some(positions.iter().map(|position| played.draw(position)).collect())
    })
}

/// Whether no rule has a cost, as far as the text shows.
fn is_unit(text: &str) -> bool {
    !text.contains("cost")
}

/// Whether the start is a goal.
fn is_solved_at_once(text: &str) -> bool {
    open(text).is_ok_and(|puzzle| puzzle.rules().0.is_solved())
}

/// A file that is worth looking at, with its goal, if one is found.
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
            // Where hardly anything moves, there is little to say.
            Ok(Some(positions)) if positions.len() < dice.within(2, 9) && left > 0 => {
                tally.still += 1;
                continue;
            }
            Ok(Some(positions)) => positions,
        };
        // A goal that is far away, or one that is likely never met.
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
            most_states: MOST_STATES,
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
    if is_full_run() {
        let refused: u64 = tally.refused.values().sum();
        assert!(refused * 10 < tally.files * 3, "too many files are refused: {tally:?}");
        assert!(tally.solved_by_more * 6 > tally.held && tally.unsolvable * 8 > tally.held, "of one sort: {tally:?}");
        assert!(tally.held * 5 > tally.files, "too few files are of use: {tally:?}");
        assert_eq!(tally.parts.len(), PARTS.len(), "parts of the grammar are missing: {tally:?}");
    }
}
