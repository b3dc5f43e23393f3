//! Broken texts and careless games: none makes the reader, the compiler or a turn panic or run for ever, and both
//! implementations of the rules play what is left in the same way.
//!
//! `ENGINE_RANDOM_TIMES=100` tries that many times as many texts. The games in the folder that `ENGINE_TEST_DATA`
//! names are broken, too.

use crate::cells::{compiled_cells, plain_cells};
use crate::outside::outside;
use engine_puzzlescript::compile::compile;
use engine_puzzlescript::game::Game;
use engine_puzzlescript::input::Input;
use engine_puzzlescript::plain::{Play, Rules};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::Level;
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::{StopSignal, Workspace};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const GAME: &str = "title Cells
run_rules_on_level_start
objects
background
green

player p
blue

wall #
brown

crate *
orange

key
yellow

door
red

legend
. = background
k = key
d = door
solid = wall or crate or door
b = crate and key
thing = player or crate

sounds
sfx0 123
crate move 5

collisionlayers
background
key
player, wall, crate, door

rules
startloop
[ > thing | ... | crate ] -> [ > thing | ... | > crate ]
+ random [ moving player no key ] [ key | ] -> [ moving player ] [ | key ] again
endloop
rigid [ > player | perpendicular crate ] -> [ > player | perpendicular crate ]
late vertical [ player key | no solid ] -> [ player | randomdir crate ] checkpoint sfx0
late [ door ] [ player ] -> cancel
[ action player ] -> [ random solid ] restart

winconditions
no key
all crate on key

levels
message Hello

#######
#p.*.k#
#.b.d.#
#######
";

/// A generator of numbers below a bound.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

/// Changes a text in a few places: characters and lines go, come, and change places.
fn broken(text: &str, numbers: &mut Numbers) -> String {
    let words = [
        "(", ")", "[", "]", "|", "->", "...", "no", "and", "or", "=", "+", "late", "random", "moving", "levels", "ä",
        "0",
    ];
    let mut lines: Vec<String> = text.lines().map(str::to_owned).collect();
    for _ in 0..=numbers.below(6) {
        let index = numbers.below(lines.len());
        match numbers.below(6) {
            0 => drop(lines.remove(index)),
            1 => lines.insert(index, lines[numbers.below(lines.len())].clone()),
            2 => {
                let other = numbers.below(lines.len());
                lines.swap(index, other);
            }
            _ => {
                let line: Vec<char> = lines[index].chars().collect();
                let at = numbers.below(line.len() + 1);
                let end = (at + numbers.below(3)).min(line.len());
                let word = words[numbers.below(words.len())];
                let space = if numbers.below(2) == 0 { " " } else { "" };
                let (before, after): (String, String) = (line[..at].iter().collect(), line[end..].iter().collect());
                lines[index] = format!("{before}{space}{word}{space}{after}");
            }
        }
        if lines.is_empty() {
            lines.push(String::new());
        }
    }
    lines.join("\n")
}

/// Returns whether a name means several things. What such a game does is an accident of the reference.
fn has_names_of_two_meanings(game: &Game) -> bool {
    let names = game.legend.iter().map(|entry| &entry.name).chain(game.objects.iter().map(|object| &object.name));
    let mut names: Vec<&String> = names.collect();
    names.sort();
    names.windows(2).any(|pair| pair[0] == pair[1])
}

/// Reads, compiles and plays a text for a moment.
fn play(text: &str, numbers: &mut Numbers) {
    let reading = read(text);
    let mut diagnostics = reading.diagnostics;
    let Some(game) = reading.game else { return };
    let Some(program) = compile(&game, &mut diagnostics) else { return };
    let rules = Rules::new(&game);
    for (index, level) in program.levels.iter().enumerate() {
        let Level::Board(board) = level else { continue };
        if board.width * board.height > 400 {
            continue;
        }
        let mut workspace = Workspace::default();
        let mut random = Random::new("1");
        let mut target = board.cells.clone();
        workspace.load(&program, board);
        let deadline = Instant::now() + Duration::from_millis(20);
        let mut outcome = workspace.begin(&program, &mut target, &mut random);
        let (mut plain, mut plain_outcome) = Play::one_level(&rules, index, "").expect("the level is a board");
        for _ in 0..10 {
            let outcomes = [outcome, plain_outcome];
            if outcomes.contains(&Outcome::Limit) || Instant::now() > deadline {
                break;
            }
            let is_compared = !program.is_random() && !has_names_of_two_meanings(&game);
            assert!(!is_compared || outcome == plain_outcome, "{outcomes:?}\n{text}");
            if outcomes.iter().any(|outcome| matches!(outcome, Outcome::Endless | Outcome::Won)) {
                break;
            }
            let compiled = compiled_cells(&program, workspace.objects());
            assert!(!is_compared || compiled == plain_cells(&rules, plain.board()), "{text}");
            let input = Input::ALL[numbers.below(5)];
            outcome = workspace.press(&program, input, &mut target, &mut random, &mut 0);
            plain_outcome = plain.press(input);
        }
        return;
    }
}

/// Breaks a text and plays it, `usual` times or `ENGINE_RANDOM_TIMES` as many.
fn break_and_play(text: &str, usual: usize, numbers: &mut Numbers) {
    let times: usize = std::env::var("ENGINE_RANDOM_TIMES").ok().and_then(|times| times.parse().ok()).unwrap_or(1);
    for _ in 0..usual * times {
        play(&broken(text, numbers), numbers);
    }
}

#[test]
fn broken_texts_do_not_panic_and_are_played_alike() {
    // A turn without end takes long to be given up, so two threads share the texts.
    std::thread::scope(|scope| {
        for seed in [7, 9] {
            scope.spawn(move || break_and_play(GAME, 75, &mut Numbers(seed)));
        }
    });
}

#[test]
fn broken_games_do_not_panic_and_are_played_alike() {
    let mut games = Vec::new();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/puzzlescript");
    for folder in [Some(own), outside("puzzlescript/games/demo")].into_iter().flatten() {
        let files = fs::read_dir(folder).into_iter().flatten().flatten().map(|file| file.path());
        games.extend(files.filter(|path| path.extension().is_some_and(|end| end == "txt")));
    }
    games.sort();
    assert!(!games.is_empty(), "the project has games of its own");
    let mut numbers = Numbers(8);
    for game in games {
        let Ok(text) = fs::read_to_string(&game) else { continue };
        break_and_play(&text, 2, &mut numbers);
    }
}

/// Reads a text and compiles it. Returns whether it plays.
fn plays(text: &str) -> bool {
    let reading = read(text);
    let mut diagnostics = reading.diagnostics;
    reading.game.and_then(|game| compile(&game, &mut diagnostics)).is_some()
}

#[test]
fn the_game_of_these_tests_plays() {
    assert!(plays(GAME));
}

#[test]
fn levels_and_comments_without_end_are_read() {
    let comments = format!("{}{GAME}", "(".repeat(1 << 20));
    assert!(!plays(&comments));
    let long = GAME.replace("#p.*.k#", &"#".repeat(16 << 20));
    plays(&long);
    let many = GAME.replace("#######\n#p.*.k#", &format!("{}\n{}", "#".repeat(1 << 13), "#\n".repeat(1 << 13)));
    plays(&many);
}

#[test]
fn a_turn_with_too_many_combinations_gives_up() {
    let rule = "[ . ] [ . ] [ . ] [ . ] [ . ] [ . ] -> [ . ] [ . ] [ . ] [ . ] [ . ] [ . ]\n\n";
    let (before, after) = (GAME.find("startloop").expect("rules"), GAME.find("winconditions").expect("conditions"));
    let text = format!("{}{rule}{}", &GAME[..before], &GAME[after..]).replace("run_rules_on_level_start", "");
    let reading = read(&text);
    let mut diagnostics = reading.diagnostics;
    let program = compile(&reading.game.expect("it reads"), &mut diagnostics).expect("it compiles");
    let Level::Board(board) = &program.levels[1] else { panic!("a board") };
    let mut workspace = Workspace::default();
    let mut target = board.cells.clone();
    workspace.load(&program, board);
    let outcome = workspace.press(&program, Input::Left, &mut target, &mut Random::new("1"), &mut 0);
    assert_eq!(outcome, Outcome::Limit);
}

/// Returns the game of these tests with other lines in a section.
fn with(section: &str, next: &str, lines: &str) -> String {
    let (from, to) = (GAME.find(section).expect("the section"), GAME.find(next).expect("the next section"));
    format!("{}{section}{lines}\n{}", &GAME[..from], &GAME[to..])
}

#[test]
fn small_texts_that_stand_for_much_are_refused() {
    let row = |cell: &str, cells: usize| format!("[ {} ]", vec![cell; cells].join(" | "));
    let either = |text: String| text.replace("legend\n", "legend\neither = crate or key\n");
    let rules = |rule: String| either(with("\nrules\n", "\nwinconditions\n", &rule));
    let legend = |word: &str| {
        let doubled: String = (0..60).map(|index| format!("q{} = q{index} {word} q{index}\n", index + 1)).collect();
        GAME.replace("legend\n", &format!("legend\nq0 = crate {word} key\n{doubled}"))
    };
    let texts = [
        (legend("or"), "too many objects"),
        (legend("and"), "too many objects"),
        (rules(format!("{} -> {}\n", row("moving p", 20), row("moving p", 20))), "too many rules"),
        (rules(format!("{} -> {}\n", row("either", 30), row("> either", 30))), "too many rules"),
        (GAME.replace("#######\n#p", &format!("{}{}", ".".repeat(20_000), "\n.".repeat(90))), "cells"),
    ];
    for (text, expected) in texts {
        let started = Instant::now();
        let reading = read(&text);
        let mut diagnostics = reading.diagnostics;
        assert!(reading.game.and_then(|game| compile(&game, &mut diagnostics)).is_none(), "{expected}");
        let found = diagnostics.all();
        assert!(found.iter().any(|one| one.message.contains(expected)), "{:?}", found.last());
        assert!(started.elapsed() < Duration::from_secs(5), "{expected} took {:?}", started.elapsed());
    }
}

#[test]
fn a_stop_ends_a_turn() {
    let rules =
        "startloop\nright [ crate | no crate ] -> [ | crate ]\nright [ no crate | crate ] -> [ crate | ]\nendloop\n";
    let text = with("\nrules\n", "\nwinconditions\n", rules);
    let text = text.replace("run_rules_on_level_start", "").replace("#######\n#p", &format!("p{}", "*.".repeat(2000)));
    let reading = read(&text);
    let mut diagnostics = reading.diagnostics;
    let program = compile(&reading.game.expect("it reads"), &mut diagnostics).expect("it compiles");
    let Level::Board(board) = &program.levels[1] else { panic!("a board") };
    let mut workspace = Workspace::default();
    workspace.load(&program, board);
    let checks = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&checks);
    workspace.set_stop(StopSignal::when(move || counted.fetch_add(1, Ordering::Relaxed) == 2));
    let outcome = workspace.press(&program, Input::Left, &mut board.cells.clone(), &mut Random::new("1"), &mut 0);
    assert_eq!((outcome, checks.load(Ordering::Relaxed)), (Outcome::Limit, 3), "the third check ends the turn");
}
