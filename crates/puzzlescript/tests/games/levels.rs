//! The analysis of levels, held against whole state spaces: games of the folder that `ENGINE_TEST_DATA`
//! names, where it is there, and small games of the project.
//!
//! `cargo test --release -p engine-puzzlescript --test games levels -- --include-ignored`

use crate::outside::outside;
use engine_puzzlescript::analysis::{Buffers, Facts};
use engine_puzzlescript::compile::compile;
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{LevelBoard, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::reader::read;
use engine_puzzlescript::turn::Workspace;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};

/// A state: the board, then the target of restarts if the game sets checkpoints.
type Key = Box<[u64]>;

/// States of a level and where presses lead.
struct States {
    keys: Vec<Key>,
    /// For each state and key of the keyboard: how the press ended, and the state after it.
    presses: Vec<Vec<(Outcome, usize)>>,
    is_whole: bool,
}

/// Explores a level breadth-first, up to a number of states.
fn explore(program: &Program, board: &LevelBoard, start: &[u64], target: &[u64], most: usize) -> States {
    let inputs = program.inputs();
    let (mut workspace, mut random, cells) = (Workspace::default(), Random::new(""), board.cells.len());
    workspace.load(program, board);
    let key = |objects: &[u64], target: &[u64]| -> Key {
        if program.has_checkpoints() { [objects, target].concat().into() } else { objects.into() }
    };
    let first = key(start, target);
    let mut states = States { keys: vec![first.clone()], presses: Vec::new(), is_whole: true };
    let mut numbers = FxHashMap::from_iter([(first, 0)]);
    while let Some(state) = states.keys.get(states.presses.len()).cloned() {
        if states.keys.len() > most {
            states.is_whole = false;
            break;
        }
        let mut presses = Vec::new();
        for &input in inputs {
            workspace.set_objects(&state[..cells]);
            let mut target = if state.len() > cells { state[cells..].to_vec() } else { target.to_vec() };
            let outcome = workspace.press(program, input, &mut target, &mut random, &mut 0);
            let next = match outcome {
                Outcome::Changed => {
                    let next = key(workspace.objects(), &target);
                    *numbers.entry(next.clone()).or_insert_with(|| {
                        states.keys.push(next);
                        states.keys.len() - 1
                    })
                }
                // A level that is won is over.
                Outcome::Won | Outcome::Same | Outcome::Endless | Outcome::Limit => states.presses.len(),
            };
            presses.push((outcome, next));
        }
        states.presses.push(presses);
    }
    states
}

impl States {
    /// Returns for each state the presses of the shortest way to a win among the explored states; none if there is
    /// none.
    fn distances(&self) -> Vec<Option<u32>> {
        let mut before: Vec<Vec<usize>> = vec![Vec::new(); self.keys.len()];
        let mut distances = vec![None; self.keys.len()];
        let mut layer = Vec::new();
        for (state, presses) in self.presses.iter().enumerate() {
            for &(outcome, next) in presses {
                match outcome {
                    Outcome::Won if distances[state].is_none() => {
                        distances[state] = Some(1);
                        layer.push(state);
                    }
                    Outcome::Changed => before[next].push(state),
                    _ => {}
                }
            }
        }
        for distance in 2.. {
            let mut next = Vec::new();
            for &state in layer.iter().flat_map(|&state| &before[state]) {
                if distances[state].is_none() {
                    distances[state] = Some(distance);
                    next.push(state);
                }
            }
            layer = next;
            if layer.is_empty() {
                break;
            }
        }
        distances
    }
}

/// Checks the analysis of a level on its states.
fn check(name: &str, program: &Program, board: &LevelBoard, most: usize) {
    let (mut workspace, mut target) = (Workspace::default(), board.cells.clone());
    workspace.load(program, board);
    let beginning = workspace.begin(program, &mut target, &mut Random::new(""));
    if matches!(beginning, Outcome::Limit | Outcome::Endless) {
        return;
    }
    let start = workspace.objects().to_vec();
    let begun = std::time::Instant::now();
    let facts = Facts::new(program, board, &start, &|| false).expect("it never stops");
    let found = begun.elapsed();
    let changing = facts.changing();
    let states = explore(program, board, &start, &target, most);
    for key in &states.keys {
        let differs = start.iter().zip(&changing).zip(key).any(|((start, mask), now)| (start ^ now) & !mask != 0);
        assert!(!differs, "{name}: an object comes or leaves where the facts rule that out");
    }
    let begun = std::time::Instant::now();
    let bounds = facts.bounds(program, board, &start, &|| false);
    let made = begun.elapsed();
    if let Some(bounds) = bounds {
        let (mut buffers, mut dead, mut lost) = (Buffers::default(), 0, 0);
        let mut bound = |key: &Key| bounds.of(&key[..start.len()], &mut buffers);
        let distances = states.distances();
        for (key, distance) in states.keys.iter().zip(&distances) {
            let bound = bound(key);
            let exceeds = bound.map_or(distance.is_some(), |bound| distance.is_some_and(|distance| bound > distance));
            assert!(!exceeds, "{name}: bound {bound:?}, but {distance:?} presses suffice");
            dead += u32::from(bound.is_none());
            lost += u32::from(distance.is_none());
        }
        println!(
            "{name}: bound {:?} of {:?}, {dead} of {lost} dead in {} states (whole: {}), {found:?}, {made:?}; {}",
            bound(&states.keys[0]),
            distances[0],
            states.keys.len(),
            states.is_whole,
            bounds.describe()
        );
    } else {
        println!("{name}: no bound, {found:?}");
    }
    let reduced = facts.reduced(program);
    let again = explore(&reduced, board, &start, &target, most);
    for (state, (presses, again)) in states.presses.iter().zip(&again.presses).enumerate() {
        let left_out = &presses[again.len()..];
        assert_eq!(presses[..again.len()], again[..], "{name}: a rule that matches was left out");
        assert!(left_out.iter().all(|press| *press == (Outcome::Same, state)), "{name}: a key was left out");
    }
    assert_eq!(states.keys.len(), again.keys.len());
}

/// Checks all levels of a game that presses alone decide.
fn check_game(name: &str, text: &str, most: usize) {
    let reading = read(text);
    let mut diagnostics = reading.diagnostics;
    let Some(program) = reading.game.and_then(|game| compile(&game, &mut diagnostics)) else {
        println!("{name}: {:?}", diagnostics.all());
        return;
    };
    if program.is_random() || program.settings.realtime {
        return;
    }
    for (number, board) in (1..).zip(program.boards()) {
        check(&format!("{name}, level {number}"), &program, board, most);
    }
}

const OBJECTS: &str = "OBJECTS

Background
black

Wall
gray

Player
white

Twin
white

Crate
brown

Ball
red

Target
yellow

Coin
orange

LEGEND

. = Background
# = Wall
P = Player
T = Twin and Target
C = Crate
B = Ball
O = Target
* = Crate and Target
$ = Coin
Movable = Crate or Ball
Mover = Player or Twin

SOUNDS

COLLISIONLAYERS

Background
Target
Coin
Player, Twin, Wall, Crate, Ball

RULES

";

/// Rules with what tokens may do: pushed one by one or in rows, pulled, put elsewhere by rules, taken, made, merged,
/// changed, moved in turns without a key, by several players, with rigid groups, ellipses, loops and restarts.
const RULES: [&str; 24] = [
    "[ > Player | Crate ] -> [ > Player | > Crate ]",
    "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ < Player | Ball ] -> [ < Player | < Ball ]",
    "[ > Player | Movable ] -> [ > Player | > Movable ]\n[ > Movable | Movable ] -> [ > Movable | > Movable ]",
    "[ > Player | Crate | no Wall no Crate ] -> [ | Player | Crate ]",
    "[ > Player | Crate | | ] -> [ > Player | | | Crate ]",
    "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ > Crate | Wall ] -> cancel\nlate [ Player Coin ] -> [ Player ]",
    "[ > Player | Coin ] -> [ > Player | ]\n[ > Player | Crate ] -> [ > Player | Coin ]",
    "[ > Player | Crate ] -> [ > Player | > Crate ] again\ndown [ Crate | no Wall no Crate no Player ] -> [ | Crate ] again",
    "[ > Player | Crate ] -> [ > Player | > Crate ]\n[ stationary Player ] [ Ball ] -> [ Player ] [ down Ball ]\n[ moving Player ] -> again",
    "[ > Player ] [ Crate ] -> [ > Player ] [ > Crate ]",
    "[ > Player | Crate ] -> [ > Player | > Crate ]\nlate [ Crate | Ball | Crate ] -> [ | Coin | ]",
    "[ action Player ] [ Ball ] -> [ Ball ] [ Player ]\n[ > Player | Crate ] -> [ > Player | > Crate ]",
    "[ action Player | Crate ] -> [ Player | Ball ]\n[ action Player | ] -> [ Player | Crate ]",
    "[ > Player | ... | Crate ] -> [ > Player | ... | > Crate ]",
    "[ > Player | ... | Crate ] -> [ Crate | ... | Player ]",
    "rigid [ > Player | Crate ] -> [ > Player | > Crate ]\n+ rigid [ > Crate | Ball ] -> [ > Crate | > Ball ]",
    "startloop\n[ > Player | Crate ] -> [ | > Player Coin ]\nright [ Ball | ] -> [ | Ball ]\nendloop",
    "[ > Player | Wall ] -> restart\n[ > Player | Crate ] -> [ > Player | > Crate ] checkpoint",
    "[ > Player | Ball ] -> win\n[ > Player | Crate ] -> [ > Player | > Crate ]",
    "[ > Crate | Ball ] -> [ | > Crate ]\n[ > Player | Crate ] -> [ > Player | > Crate ]",
    "[ > Player | Crate ] [ Ball | ] -> [ > Player | > Crate ] [ | Ball ]",
    "[ Crate | ] [ Crate | ] -> [ | Crate ] [ | Crate ]",
    "[ > Player | Crate ] -> [ > Crate | > Player ]",
    "late [ Player | Crate ] -> [ Player | Ball ]\n[ > Player | Ball ] -> [ > Player | > Crate ]",
];

const CONDITIONS: [&str; 10] = [
    "all Target on Crate",
    "all Crate on Target",
    "all Movable on Target",
    "some Player on Target",
    "no Coin",
    "no Crate on Target",
    "some Ball on Target",
    "no Ball",
    "all Coin on Mover\nsome Crate",
    "all Mover on Target",
];

#[test]
fn bounds_hold_on_random_boards_of_small_games() {
    let boards = std::env::var("BOARDS").ok().and_then(|boards| boards.parse().ok()).unwrap_or(2);
    // The generator of Numerical Recipes (Press et al. 2007).
    let mut seed = 1_u64;
    let mut below = |count: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % count
    };
    // With two kinds of players, the player is a property.
    let two = OBJECTS.replace("Player\nwhite", "Hero\nwhite").replace("Player, Twin, Wall", "Hero, Twin, Wall");
    let two = two.replace("P = Player", "P = Hero\nPlayer = Hero or Twin").replace("Player or Twin", "Hero or Twin");
    for (rules, condition) in RULES.iter().flat_map(|rules| CONDITIONS.map(|condition| (rules, condition))) {
        for number in 0..boards {
            let (objects, kinds) = if number % 4 == 3 { (&two[..], 16) } else { (OBJECTS, 15) };
            let (width, height) = (3 + below(3), 2 + below(3));
            let mut cells: Vec<u8> = (0..width * height).map(|_| b"........##CB*O$T"[below(kinds)]).collect();
            cells[below(width * height)] = b'P';
            let rows: Vec<String> = cells.chunks(width).map(|row| String::from_utf8_lossy(row).into_owned()).collect();
            let level = rows.join("\n");
            let game = format!("{objects}{rules}\n\nWINCONDITIONS\n\n{condition}\n\nLEVELS\n\n{level}\n");
            check_game(&format!("{rules}\n{condition}\n{level}\n"), &game, 3000);
        }
    }
}

/// Returns all files below a folder, none if it is missing.
fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path());
    let mut files: Vec<PathBuf> =
        entries.flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] }).collect();
    files.sort();
    files
}

#[test]
#[ignore = "takes minutes; needs ENGINE_TEST_DATA"]
fn facts_hold_in_the_games_of_the_reference() {
    let most = std::env::var("STATES").ok().and_then(|most| most.parse().ok()).unwrap_or(1000);
    let folder = outside("puzzlescript/games").expect("`ENGINE_TEST_DATA` names the folder of the games");
    for file in files(&folder) {
        let text = std::fs::read_to_string(&file).expect("a game is UTF-8");
        check_game(&file.file_name().unwrap_or_default().to_string_lossy(), &text, most);
    }
}

#[test]
fn facts_hold_in_the_games_of_the_project() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../puzzles/puzzlescript");
    for file in files(&folder).iter().filter(|file| file.extension().is_some_and(|ending| ending == "txt")) {
        check_game(&file.to_string_lossy(), &std::fs::read_to_string(file).expect("a game is UTF-8"), 20_000);
    }
}
