//! The reference's own tests, read from `puzzlescript` in the folder that `ENGINE_TEST_DATA` names. Where they are
//! missing, they are listed as ignored.
//!
//! `cargo test -p engine-puzzlescript --test simulations`
//!
//! `ENGINE_PUZZLESCRIPT_TESTS=FILE` adds the simulations of another file of the same form, for example of random inputs
//! that the reference has played.

#[path = "games/cells.rs"]
mod cells;
#[path = "../../../tests/support/outside.rs"]
mod outside;
#[path = "games/players.rs"]
mod players;
#[path = "games/session.rs"]
mod session;

use engine_puzzlescript::compile::compile;
use engine_puzzlescript::game::Game;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::{Play, Rules};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{Level, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::Workspace;
use libtest_mimic::{Arguments, Trial};
use outside::outside;
use players::Player;
use serde_json::Value;
use session::Session;
use std::path::Path;

/// Turns that `again` may ask for in a row: the reference's runner has no bound, its tests need far fewer.
const MAX_AGAIN: usize = 100_000;

/// Returns the lines of a file of JSON objects, none if it is missing.
fn lines(path: &Path) -> Option<Vec<Value>> {
    let text = std::fs::read_to_string(path).ok()?;
    Some(text.lines().map(|line| serde_json::from_str(line).expect("a line is a JSON object")).collect())
}

/// Reads and compiles the game of a test.
fn game(test: &Value) -> Result<(Game, Program), String> {
    let reading = read(test["source"].as_str().unwrap_or_default());
    let mut diagnostics = reading.diagnostics;
    let game = reading.game.ok_or_else(|| format!("not read: {:#?}", diagnostics.all()))?;
    let program = compile(&game, &mut diagnostics).ok_or_else(|| format!("not compiled: {:#?}", diagnostics.all()))?;
    Ok((game, program))
}

fn level(test: &Value) -> usize {
    test["level"].as_u64().or_else(|| test["level"].as_str()?.parse().ok()).unwrap_or(0) as usize
}

/// Plays a simulation with the compiled rules.
fn simulate(test: &Value) -> Result<(), String> {
    let (_, program) = game(test)?;
    let seed = test["seed"].as_str().unwrap_or("0");
    play(test, Session::new(&program, level(test), seed).ok_or("the level is a message")?)
}

/// Plays a simulation with the plain rules.
fn simulate_plainly(test: &Value) -> Result<(), String> {
    let (game, _) = game(test)?;
    let rules = Rules::new(&game);
    let seed = test["seed"].as_str().unwrap_or("0");
    play(test, Play::new(&rules, level(test), seed).ok_or("the level is a message")?)
}

/// Plays a simulation. Returns what differs.
fn play(test: &Value, mut player: impl Player) -> Result<(), String> {
    finish(&mut player)?;
    for input in test["inputs"].as_array().into_iter().flatten() {
        match input.as_str() {
            Some("undo") => player.undo(),
            Some("restart") => player.restart(),
            Some("tick") => player.tick(),
            other => {
                let number = input.as_u64().or_else(|| other?.parse().ok()).ok_or("unknown input")?;
                player.press(Input::ALL[number as usize]);
            }
        }
        finish(&mut player)?;
    }
    let (width, cells) = player.cells();
    let found = serialize(width, cells.into_iter());
    let expected = test["expected"].as_str().unwrap_or_default();
    if found == expected { Ok(()) } else { Err(format!("expected\n{expected}\nfound\n{found}")) }
}

/// Writes a board as the reference's tests do, which distinguish cells but not where objects are drawn. The cells come
/// in storage order, each as the names of its objects.
///
/// In lines of the board's width: the names of a cell's objects, sorted and joined by spaces, with a number at their
/// first occurrence, and that number alone afterwards.
fn serialize<'n>(width: usize, cells: impl Iterator<Item = Vec<&'n str>>) -> String {
    let mut known: Vec<String> = Vec::new();
    let mut text = String::new();
    for (index, mut names) in cells.enumerate() {
        names.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        let names = names.join(" ");
        let number = known.iter().position(|other| *other == names).unwrap_or_else(|| {
            text += &names;
            text.push(':');
            known.push(names);
            known.len() - 1
        });
        text += &number.to_string();
        text.push(',');
        if (index + 1) % width == 0 {
            text.push('\n');
        }
    }
    text
}

/// Compares errors, and plays a simulation if the reference could: what it broke off has no expected board.
fn simulate_if_played(test: &Value) -> Result<(), String> {
    if test["threw"].is_string() {
        return Ok(());
    }
    verdict(test)?;
    if test["expected"].is_string() { simulate(test).and_then(|()| simulate_plainly(test)) } else { Ok(()) }
}

/// Compares presses with a session: each press of a simulation on the board that the session has there, with a
/// generator of which only the seed and the count of numbers drawn are known.
fn presses(test: &Value) -> Result<(), String> {
    let reading = read(test["source"].as_str().unwrap_or_default());
    let mut diagnostics = reading.diagnostics;
    let Some(program) = reading.game.and_then(|game| compile(&game, &mut diagnostics)) else { return Ok(()) };
    let level = level(test);
    let seed = test["seed"].as_str().unwrap_or("0");
    let mut session = Session::new(&program, level, seed).ok_or("the level is a message")?;
    let Level::Board(start) = &program.levels[level] else { return Ok(()) };
    let mut random = Random::new(seed);
    let mut target = start.cells.clone();
    let mut desk = Workspace::default();
    desk.load(&program, start);
    let began = desk.begin(&program, &mut target, &mut random);
    finish(&mut session)?;
    if session.level() != level || session.is_text() || began == Outcome::Won {
        return Ok(());
    }
    for input in test["inputs"].as_array().into_iter().flatten() {
        let Some(input) = input.as_u64() else { return Ok(()) };
        if desk.objects() != session.board().cells {
            return Err("boards differ".into());
        }
        let input = Input::ALL[input as usize];
        let drawn = random.drawn();
        random = Random::new(seed);
        random.set_drawn(drawn);
        let outcome = desk.press(&program, input, &mut target, &mut random, &mut 0);
        session.press(input);
        finish(&mut session)?;
        let won = session.level() != level || session.is_text();
        if won != (outcome == Outcome::Won) {
            return Err(format!("the press ends in {outcome:?}"));
        }
        // A level that comes again after it is won (a game of one level) is not told apart here.
        if won {
            break;
        }
    }
    Ok(())
}

/// Takes the turns that `again` asks for.
fn finish(session: &mut impl Player) -> Result<(), String> {
    for _ in 0..MAX_AGAIN {
        if !session.again() {
            return Ok(());
        }
        session.tick();
    }
    Err("`again` does not end".to_owned())
}

/// Compares the number of errors of a game with mistakes, and looks for each line that the reference reports.
fn verdict(test: &Value) -> Result<(), String> {
    let reading = read(test["source"].as_str().unwrap_or_default());
    let mut diagnostics = reading.diagnostics;
    let read = reading.game.is_some();
    if let Some(game) = reading.game {
        let _ = compile(&game, &mut diagnostics);
    }
    let theirs: Vec<&str> = test["messages"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let line = |message: &&str| message.trim().strip_prefix("line")?.split_once(':')?.0.trim().parse::<u32>().ok();
    let reported = |line: &u32| diagnostics.all().iter().any(|ours| ours.at.is_some_and(|at| at.line == *line));
    let missing: Vec<u32> = theirs.iter().filter_map(line).filter(|line| *line > 0 && !reported(line)).collect();
    let found = diagnostics.errors();
    let expected = test["count"].as_u64().unwrap_or_default() as usize;
    // Where no game is left, the reference has looked a little further for what only warnings are about.
    if found == expected && (missing.is_empty() || (!read && expected > 0)) {
        return Ok(());
    }
    let ours: Vec<String> = diagnostics.all().iter().map(ToString::to_string).collect();
    let theirs: Vec<&str> = test["messages"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    Err(format!(
        "expected {expected} errors, found {found}\nours:\n{}\ntheirs:\n{}",
        ours.join("\n"),
        theirs.join("\n")
    ))
}

fn trials(file: Option<&Path>, kind: &str, check: fn(&Value) -> Result<(), String>) -> Vec<Trial> {
    let Some(tests) = file.and_then(lines) else {
        return vec![Trial::test(format!("{kind}::all"), || Ok(())).with_ignored_flag(true)];
    };
    let name = |test: &Value| format!("{kind}::{:03}_{}", test["index"], test["name"].as_str().unwrap_or_default());
    tests.into_iter().map(|test| Trial::test(name(&test), move || Ok(check(&test)?))).collect()
}

fn main() {
    let arguments = Arguments::from_args();
    let [simulations, errors] = ["simulation", "errors"].map(|name| outside(&format!("puzzlescript/{name}.jsonl")));
    let mut all = trials(simulations.as_deref(), "simulation", simulate);
    all.extend(trials(simulations.as_deref(), "plain", simulate_plainly));
    all.extend(trials(simulations.as_deref(), "presses", presses));
    all.extend(trials(errors.as_deref(), "verdict", verdict));
    if let Some(path) = std::env::var_os("ENGINE_PUZZLESCRIPT_TESTS") {
        all.extend(trials(Some(Path::new(&path)), "more", simulate_if_played));
    }
    libtest_mimic::run(&arguments, all).exit();
}
