//! Agreement of the compiled rules with the plain ones: the same keys on the same levels, all boards compared.
//!
//! The project's own games are always played, those of other authors where `ENGINE_TEST_DATA` names their folder.
//! `ENGINE_RANDOM_TIMES=100` plays a hundred times as much. `--nocapture` prints the counts.

use crate::cells::{compiled_cells, plain_cells};
use crate::outside::outside;
use crate::players::Player;
use crate::session::Session;
use engine_puzzlescript::compile::compile;
use engine_puzzlescript::game::{Game, Meaning};
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::{Play, Rules};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{Level, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::Workspace;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Keys that are pressed on a level.
const KEYS: usize = 30;

/// Turns that `again` may add after a key in a session, for games in which they do not end.
const TURNS: usize = 30;

/// Cells of the largest board that is played. Larger ones take long, and show little more.
const MAX_CELLS: usize = 1000;

/// The counts of comparisons.
#[derive(Debug, Default)]
struct Counts {
    games: usize,
    levels: usize,
    presses: BTreeMap<&'static str, usize>,
    turns: usize,
}

/// A game, for both implementations.
struct Both {
    name: String,
    program: Program,
    rules: Rules,
}

impl Both {
    fn new(name: &str, text: &str) -> Option<(Self, Game)> {
        let reading = read(text);
        let mut diagnostics = reading.diagnostics;
        let game = reading.game?;
        let program = compile(&game, &mut diagnostics)?;
        let rules = Rules::new(&game);
        let names = program.object_names.iter().enumerate();
        names.for_each(|(object, name)| assert_eq!(rules.name(object), name, "objects have equal numbers"));
        Some((Self { name: name.to_owned(), program, rules }, game))
    }

    /// Returns the levels that are played, counted with messages.
    fn levels(&self) -> Vec<usize> {
        let is_played = |level: &Level| matches!(level, Level::Board(board) if board.width * board.height <= MAX_CELLS);
        let levels = self.program.levels.iter().enumerate();
        levels.filter(|(_, level)| is_played(level)).map(|(index, _)| index).collect()
    }

    /// Plays a level press by press, as solutions are.
    fn press(&self, level: usize, dice: &mut Random, counts: &mut Counts) {
        let Level::Board(start) = &self.program.levels[level] else { return };
        let (mut random, mut target) = (Random::new(""), start.cells.clone());
        let mut compiled = Workspace::default();
        compiled.load(&self.program, start);
        let mut outcome = compiled.begin(&self.program, &mut target, &mut random);
        let (mut plain, mut plain_outcome) = Play::one_level(&self.rules, level, "").expect("the level is a board");
        let mut keys = Vec::new();
        loop {
            let place = format!("{}, level {level}, keys {keys:?}", self.name);
            if outcome == Outcome::Limit || plain_outcome == Outcome::Limit {
                return;
            }
            assert_eq!(outcome, plain_outcome, "{place}");
            *counts.presses.entry(named(outcome)).or_default() += 1;
            if matches!(outcome, Outcome::Won | Outcome::Endless) {
                return;
            }
            let boards = [(compiled.objects(), plain.board()), (&target, plain.target())];
            for (compiled, plain) in boards {
                assert_same(&place, &compiled_cells(&self.program, compiled), &plain_cells(&self.rules, plain));
            }
            if keys.len() == KEYS {
                return;
            }
            let key = Input::ALL[dice.below(5)];
            keys.push(key);
            outcome = compiled.press(&self.program, key, &mut target, &mut random, &mut 0);
            plain_outcome = plain.press(key);
        }
    }

    /// Plays turn by turn with undo and restart from a level on, and draws at random where the game does.
    fn play(&self, level: usize, dice: &mut Random, counts: &mut Counts) {
        let seed = dice.below(1 << 30).to_string();
        let mut compiled = Session::new(&self.program, level, &seed).expect("the level is a board");
        let mut plain = Play::new(&self.rules, level, &seed).expect("the level is a board");
        let mut keys = Vec::new();
        for _ in 0..KEYS {
            let mut turns = 0;
            loop {
                let place = format!("{}, level {level}, seed {seed}, keys {keys:?}, {turns} turns", self.name);
                let state = |player: &dyn Player| (player.again(), player.cells().0);
                assert_eq!(state(&compiled), state(&plain), "{place}");
                assert_eq!((compiled.level(), compiled.is_text()), (plain.level(), plain.is_text()), "{place}");
                assert_same(&place, &compiled.cells().1, &plain.cells().1);
                counts.turns += 1;
                if !compiled.again() || turns == TURNS {
                    break;
                }
                turns += 1;
                compiled.tick();
                plain.tick();
            }
            let key = dice.below(20);
            keys.push(key);
            let players: [&mut dyn Player; 2] = [&mut compiled, &mut plain];
            for player in players {
                match key {
                    0 => player.undo(),
                    1 => player.restart(),
                    2 => player.tick(),
                    key => player.press(Input::ALL[key % 5]),
                }
            }
        }
    }
}

fn named(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::Won => "won",
        Outcome::Changed => "changed",
        Outcome::Same => "same",
        Outcome::Endless => "endless",
        Outcome::Limit => "limit",
    }
}

fn assert_same(place: &str, compiled: &[Vec<&str>], plain: &[Vec<&str>]) {
    assert_eq!(compiled.len(), plain.len(), "{place}");
    for (index, (compiled, plain)) in compiled.iter().zip(plain).enumerate() {
        assert_eq!(compiled, plain, "{place}, cell {index}");
    }
}

/// Returns a game with random small boards in place of its levels.
fn with_random_boards(text: &str, game: &Game, count: usize, dice: &mut Random) -> Option<String> {
    let is_symbol = |name: &str| name.chars().count() == 1;
    let entries = game.legend.iter().filter(|entry| !matches!(entry.meaning, Meaning::Any(_)));
    let names = entries.map(|entry| &entry.name).chain(game.objects.iter().map(|object| &object.name));
    let symbols: Vec<&String> = names.filter(|name| is_symbol(name)).collect();
    let head = text.lines().take_while(|line| line.trim().to_lowercase() != "levels");
    let mut text = head.collect::<Vec<_>>().join("\n") + "\nLEVELS\n";
    if symbols.is_empty() {
        return None;
    }
    for _ in 0..count {
        let (width, height) = (1 + dice.below(7), 1 + dice.below(7));
        // A few symbols on a board are more likely to meet than all.
        let some: Vec<&String> = (0..2 + dice.below(5)).map(|_| symbols[dice.below(symbols.len())]).collect();
        for _ in 0..height {
            text += "\n";
            (0..width).for_each(|_| text += some[dice.below(some.len())]);
        }
        text += "\n";
    }
    Some(text)
}

fn times() -> usize {
    std::env::var("ENGINE_RANDOM_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1)
}

/// Plays levels of a game, and random boards, with both implementations.
fn agree(name: &str, text: &str, rounds: usize, counts: &mut Counts) {
    let Some((both, game)) = Both::new(name, text) else { return };
    counts.games += 1;
    let mut dice = Random::new(name);
    let play = |both: &Both, level: usize, dice: &mut Random, counts: &mut Counts| {
        counts.levels += 1;
        both.play(level, dice, counts);
        if !both.program.is_random() {
            both.press(level, dice, counts);
        }
    };
    let levels = both.levels();
    for _ in 0..rounds {
        if !levels.is_empty() {
            play(&both, levels[dice.below(levels.len())], &mut dice, counts);
        }
        let boards = with_random_boards(text, &game, 3, &mut dice);
        if let Some((both, _)) = boards.and_then(|text| Both::new(&format!("{name} with {text}"), &text)) {
            both.levels().into_iter().for_each(|level| play(&both, level, &mut dice, counts));
        }
    }
}

/// Returns the files in a folder and the folders in it, sorted by path.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut entries: Vec<PathBuf> = entries.collect();
    entries.sort();
    entries.into_iter().flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect()
}

fn agree_on(folder: &Path, rounds: usize) -> Counts {
    let mut counts = Counts::default();
    for path in files(folder).iter().filter(|path| path.extension().is_some_and(|kind| kind == "txt")) {
        let text = std::fs::read_to_string(path).expect("a game is a text");
        agree(&path.display().to_string(), &text, rounds, &mut counts);
    }
    eprintln!("{counts:?}");
    counts
}

#[test]
fn plain_rules_play_our_games_as_compiled_rules_do() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/puzzlescript");
    let counts = agree_on(&folder, 10 * times());
    assert!(counts.games >= 2 && counts.presses["changed"] > 100, "{counts:?}");
}

#[test]
fn plain_rules_play_games_of_others_as_compiled_rules_do() {
    if let Some(folder) = outside("puzzlescript/games") {
        agree_on(&folder, times());
    }
}

#[test]
#[ignore = "most of its games are in the test before, and it takes a minute"]
fn plain_rules_play_the_reference_tests_as_compiled_rules_do() {
    let Some(path) = outside("puzzlescript/simulation.jsonl") else { return };
    let text = std::fs::read_to_string(path).expect("the tests are a text");
    let mut counts = Counts::default();
    for line in text.lines() {
        let test: serde_json::Value = serde_json::from_str(line).expect("a line is a JSON object");
        let name = format!("{} {}", test["index"], test["name"].as_str().unwrap_or_default());
        agree(&name, test["source"].as_str().unwrap_or_default(), times(), &mut counts);
    }
    eprintln!("{counts:?}");
}
