//! Tests the HTML pages in a browser, at the width of a phone: stepped through by keys, they show the library's
//! positions; played at random, they have the library's legal moves and positions.
//!
//! The browser is Chromium: `CHROMIUM` names it; otherwise the tests search `PATH` for its usual names. Without a
//! browser the tests are skipped with a message; with `ENGINE_BROWSER=require` they fail.

#[cfg(unix)]
#[path = "browser/access.rs"]
mod access;
#[cfg(unix)]
#[path = "browser/driver.rs"]
mod driver;
#[cfg(unix)]
#[path = "browser/keystroke.rs"]
mod keystroke;
#[cfg(unix)]
#[path = "browser/studio.rs"]
mod studio;
#[cfg(unix)]
#[path = "browser/studio_answer.rs"]
mod studio_answer;
#[cfg(unix)]
#[path = "browser/studio_draw.rs"]
mod studio_draw;
mod support;

use engine::diagnostic::Report;
use engine::puzzle::{Loading, Notation, ReadOptions};
use engine::{Options, Puzzle};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use support::outside::outside;
use support::program::{EIGHT, UNSOLVABLE, folder, run};
use support::{dice, root};

/// The script that drives the page in the browser.
const HARNESS: &str = include_str!("browser/harness.js");
/// The script that makes random moves in a page to play in.
const WALK_HARNESS: &str = include_str!("browser/walk.js");
/// The script that plays in a page of several levels.
const MENU_HARNESS: &str = include_str!("browser/menu.js");
/// The script that steps through a page of searches.
const SEARCH_HARNESS: &str = include_str!("browser/search.js");
/// The script that plays in a page by gestures.
const PLAY_HARNESS: &str = include_str!("browser/play.js");

fn main() -> ExitCode {
    let browser = browser();
    let required = std::env::var_os("ENGINE_BROWSER").is_some_and(|value| value == "require");
    if browser.is_none() {
        eprintln!("Chromium not found: the tests of the page are skipped; set CHROMIUM to its path");
    }
    let skipped = browser.is_none() && !required;
    let puzzles = [
        "blocks/gate",
        "klotski3",
        "eight-puzzle/10-moves",
        "permutation/pocket-cube",
        "mazes/terrain",
        "words/horse-nurse",
        "surfaces/torus",
        "metrics/klotski2-turn",
        "boards/one-cell",
    ];
    let page = |name: &'static str| {
        let browser = browser.clone();
        Trial::test(format!("page of {name}"), move || page_shows_the_solution(browser, name))
            .with_ignored_flag(skipped)
    };
    let themes = |dark: bool| {
        let browser = browser.clone();
        let name = if dark {
            "the page is dark if the browser prefers dark"
        } else {
            "the page is light if the browser prefers light"
        };
        Trial::test(name, move || page_has_the_theme(browser, dark)).with_ignored_flag(skipped)
    };
    let animated = Trial::test("an animated drawing ends where the solution ends", {
        let browser = browser.clone();
        move || animation_ends_at_the_goal(browser)
    });
    let mut trials: Vec<Trial> = puzzles.into_iter().map(page).chain([false, true].map(themes)).collect();
    trials.push(animated.with_ignored_flag(skipped));
    #[cfg(unix)]
    trials.extend(studio::TESTS.iter().chain(studio_draw::TESTS).chain(studio_answer::TESTS).map(|&(name, test)| {
        let browser = browser.clone();
        Trial::test(name, move || test(browser)).with_ignored_flag(skipped)
    }));
    #[cfg(unix)]
    trials.extend(states_of_the_studio(&browser, skipped));
    // Minutes, too.
    #[cfg(unix)]
    trials.push({
        let browser = browser.clone();
        let name = "keystrokes in the studio are measured over all puzzles";
        Trial::test(name, move || keystroke::keystrokes_are_measured(browser)).with_ignored_flag(true)
    });
    let walks = Trial::test("random moves in a page of every form of rules", {
        let browser = browser.clone();
        move || page_plays_by_the_rules(browser)
    });
    trials.push(walks.with_ignored_flag(skipped));
    let machines = Trial::test("random moves in a page of puzzles with consequences, bodies and piles", {
        let browser = browser.clone();
        move || page_plays_consequences(browser)
    });
    trials.push(machines.with_ignored_flag(skipped));
    let games = GAMES.into_iter().map(|name| {
        let browser = browser.clone();
        let file = root().join("puzzles/puzzlescript").join(name).with_extension("txt");
        let test = move || page_plays_the_game(browser, &file, dice::scaled(40)).map(|_| ());
        Trial::test(format!("random moves in the page of puzzlescript/{name}"), test).with_ignored_flag(skipped)
    });
    trials.extend(games);
    // Minutes: `cargo test --test browser -- --ignored published`.
    let published = ["demo", "labs", "solver_tests"].into_iter().map(|name| {
        let browser = browser.clone();
        let test = move || pages_play_the_games(browser, &published_games(name));
        Trial::test(format!("random moves in the pages of the published games in {name}"), test).with_ignored_flag(true)
    });
    trials.extend(published);
    let spoken = Trial::test("a page shows the messages and the view of a game", {
        let browser = browser.clone();
        move || page_shows_messages(browser)
    });
    trials.push(spoken.with_ignored_flag(skipped));
    let gestures = GESTURES.into_iter().map(|gestures| {
        let browser = browser.clone();
        Trial::test(format!("gestures in the page of {}", gestures.0), move || page_is_played(browser, gestures))
            .with_ignored_flag(skipped)
    });
    trials.extend(gestures);
    let goal = Trial::test("a page shows its goal, and keeps no record of a solution with help", {
        let browser = browser.clone();
        move || page_shows_its_goal_and_keeps_no_help(browser)
    });
    trials.push(goal.with_ignored_flag(skipped));
    let fences = Trial::test("a page draws the fences, and names them in its text", {
        let browser = browser.clone();
        move || page_shows_fences(browser)
    });
    trials.push(fences.with_ignored_flag(skipped));
    let menu = Trial::test("the levels of a page lead on", {
        let browser = browser.clone();
        move || pages_of_a_folder_lead_on(browser)
    });
    trials.push(menu.with_ignored_flag(skipped));
    let searched = SEARCHED.into_iter().map(|searched| {
        let browser = browser.clone();
        Trial::test(format!("page of searches of {}", searched.0), move || page_shows_searches(browser, searched))
            .with_ignored_flag(skipped)
    });
    trials.extend(searched);
    // One browser at a time: several at once slow each other down.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
}

#[cfg(unix)]
fn states_of_the_studio(browser: &Option<PathBuf>, skipped: bool) -> [Trial; 2] {
    let axe = if skipped { None } else { access::axe() };
    if axe.is_none() && !skipped {
        eprintln!("axe-core not found: the test of the studio by it is skipped; it needs npm and its registry");
    }
    let (first, second) = (browser.clone(), browser.clone());
    let has_axe = axe.is_some();
    [
        Trial::test("every state of the studio has a picture", move || access::every_state_has_a_picture(first))
            .with_ignored_flag(skipped),
        Trial::test("axe-core finds nothing serious in the studio", move || {
            access::axe_finds_nothing_serious(second, axe)
        })
        .with_ignored_flag(skipped || !has_axe),
    ]
}

fn browser() -> Option<PathBuf> {
    if let Some(named) = std::env::var_os("CHROMIUM") {
        return Some(PathBuf::from(named));
    }
    let paths = std::env::var_os("PATH")?;
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let found = std::env::split_paths(&paths).flat_map(|folder| names.map(|name| folder.join(name)));
    found.into_iter().find(|path| path.is_file())
}

fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;")
}

/// Opens a document in the browser and returns the harness's observations. The browser's console must stay empty.
fn observe(
    browser: Option<PathBuf>,
    folder: &Path,
    document: &str,
    harness: &str,
    dark: bool,
) -> Result<Value, Failed> {
    observe_with(
        browser,
        folder,
        document,
        harness,
        &[&format!("--blink-settings=preferredColorScheme={}", u8::from(!dark))],
    )
}

/// Opens a document in the browser with further options.
fn observe_with(
    browser: Option<PathBuf>,
    folder: &Path,
    document: &str,
    harness: &str,
    options: &[&str],
) -> Result<Value, Failed> {
    let browser = browser.ok_or("Chromium not found: set CHROMIUM to its path")?;
    let file = folder.join("harness.html");
    let page = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><body><iframe width=\"320\" height=\"900\" style=\"border:0\" srcdoc=\"{}\">\
         </iframe><script>{harness}</script></body>",
        escape(document)
    );
    fs::write(&file, page)?;
    let output = Command::new(browser)
        .args([
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--hide-scrollbars",
            "--enable-logging=stderr",
            "--virtual-time-budget=20000",
        ])
        .args(options)
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", file.display()))
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let complaints: Vec<&str> = errors.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    let dom = String::from_utf8(output.stdout)?;
    let seen = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.ok_or_else(|| format!("the harness did not finish: {errors}"))?;
    Ok(serde_json::from_str(&seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))?)
}

/// Returns the expected observations of each step of a solution, in the harness's form.
fn expected(puzzle: &Puzzle, heuristic: &str) -> Vec<Value> {
    let solution = puzzle.solve(&Options::default()).expect("the search starts");
    let mut at = puzzle.space(heuristic).expect("the puzzle has the heuristic");
    let moves = solution.moves();
    let mut steps = Vec::new();
    for number in 0..=moves.len() {
        let mut step = "start".to_owned();
        if number > 0 {
            at = at.after(&moves[number - 1], puzzle.domain().notations).expect("a legal move");
            step = format!("{number}. {}", moves[number - 1]);
        }
        let figures = at.picture().expect("the puzzle is small enough to draw").figures;
        let mut actors: Vec<String> =
            figures.iter().map(|figure| format!("{} {} {}", figure.label, figure.at.0, figure.at.1)).collect();
        actors.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        let (g, h) = (at.g(), at.h());
        let round = |value: f64| (value * 1e6).round() / 1e6;
        steps.push(serde_json::json!({
            "move": step, "g": round(g), "h": round(h), "f": round(g + h), "solved": number == moves.len(), "actors": actors,
        }));
    }
    steps
}

/// Compares two steps; numbers by value, whether the JSON has an integer or a float.
fn same(seen: &Value, expected: &Value) -> bool {
    let number = |step: &Value, name: &str| step[name].as_f64();
    ["g", "h", "f"].iter().all(|name| number(seen, name) == number(expected, name))
        && ["move", "solved", "actors"].iter().all(|name| seen[*name] == expected[*name])
}

fn page(folder: &Path, name: &str, heuristic: &str) -> String {
    let file = root().join("puzzles").join(name).with_extension("toml");
    let file = file.to_str().expect("a path in UTF-8");
    let (status, page, errors) =
        run(folder, &["render", file, "-o", "-", "--format", "html", "--heuristic", heuristic]);
    assert_eq!((status, errors.as_str()), (0, ""));
    page
}

fn page_shows_the_solution(browser: Option<PathBuf>, name: &str) -> Result<(), Failed> {
    let folder = folder(&format!("browser-{}", name.replace('/', "-")), &[]);
    let puzzle = Puzzle::load(root().join("puzzles").join(name).with_extension("toml")).map_err(|e| e.to_string())?;
    let heuristic = puzzle.guide(None).map_err(|error| error.to_string())?;
    // Both use the default algorithm, so they find the same solution.
    let document = page(&folder, name, heuristic);
    let seen = observe(browser, &folder, &document, HARNESS, false)?;
    let expected = expected(&puzzle, heuristic);
    let steps = seen["steps"].as_array().ok_or("no steps")?;
    assert_eq!(steps.len(), expected.len(), "one step for each move");
    for (step, expected) in steps.iter().zip(&expected) {
        assert!(same(step, expected), "the page shows\n{step}\nbut the library has\n{expected}");
    }
    let (first, last) = (&expected[0], &expected[expected.len() - 1]);
    let notes = &seen["notes"];
    assert!(same(&notes["home"], first) && same(&notes["end"], last) && same(&notes["slid"], last), "{notes}");
    assert_eq!(notes["beyond"], last["move"], "the last move is the last step");
    if let Some(before) = expected.len().checked_sub(2).map(|at| &expected[at]) {
        assert!(same(&notes["back"], before), "back from the end: {}\nnot {before}", notes["back"]);
        assert_eq!((&notes["plays"], &notes["stopped"]), (&"Pause".into(), &"Play".into()));
        assert_eq!(notes["clicked"], expected[1]["move"]);
    }
    assert_eq!((&notes["pace"], &notes["named"]), (&"2×".into(), &true.into()));
    assert_eq!((&notes["width"], &notes["overflow"]), (&320.into(), &0.into()), "the page fits a phone's screen");
    Ok(())
}

fn page_has_the_theme(browser: Option<PathBuf>, dark: bool) -> Result<(), Failed> {
    let folder = folder(&format!("browser-dark-{dark}"), &[]);
    let seen = observe(browser, &folder, &page(&folder, "blocks/gate", "zero"), HARNESS, dark)?;
    let notes = &seen["notes"];
    let (page, floor) =
        if dark { ("rgb(20, 23, 28)", "rgb(39, 45, 55)") } else { ("rgb(255, 255, 255)", "rgb(233, 236, 241)") };
    assert_eq!((&notes["dark"], &notes["page"], &notes["floor"]), (&dark.into(), &page.into(), &floor.into()));
    Ok(())
}

/// One puzzle for each form of rules in a page, in each domain and metric: the levels of one page.
const WALKS: [&str; 23] = [
    "blocks/gate",
    "blocks/traffic",
    "klotski3",
    "metrics/klotski2-turn",
    "metrics/klotski2-step",
    "eight-puzzle/10-moves",
    "metrics/eight-multi",
    "surfaces/torus",
    "permutation/pocket-cube",
    "permutation/topspin-8-4",
    "mazes/terrain",
    "mazes/diagonal",
    "mazes/thin-walls",
    "words/horse-nurse",
    "words/one-way",
    "rules/lights-out",
    "rules/english-peg-solitaire",
    "rules/sokoban-portals",
    "rules/water-sort",
    "rules/water-jugs",
    "rules/ice-maze",
    "rules/two-robots",
    "rules/hanoi-4-pegs",
];

/// Puzzles with consequences, passes, bodies and piles, in `tests/browser/puzzles`: the levels of one page.
const MACHINES: [&str; 9] = ["cards", "chase", "crates", "falling", "jelly", "merge", "snake", "tilt", "tubes"];

/// Games, whose pages have all of their levels.
const GAMES: [&str; 12] = [
    "air",
    "boulders",
    "crates",
    "doors",
    "embers",
    "fireflies",
    "ice",
    "magnet",
    "mirrors",
    "timber",
    "triples",
    "twins",
];

/// The greatest number of levels of a game to make moves in.
const MOST_LEVELS: usize = 12;

/// Makes random moves in each level of the page of a game. Returns the number of levels.
fn page_plays_the_game(browser: Option<PathBuf>, file: &Path, steps: u64) -> Result<u64, Failed> {
    let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let folder = folder(&format!("browser-game-{name}"), &[]);
    let path = file.to_str().ok_or("a path in UTF-8")?;
    let seed = "7";
    let options = ["-o", "-", "--format", "html", "--play", "--seed", seed, "--node-limit", "2000", "--quiet"];
    let (status, page, errors) = run(&folder, &[&["render", path][..], &options].concat());
    let loading = Loading {
        options: ReadOptions { seed: Some(seed.to_owned()), ..ReadOptions::default() },
        ..Loading::default()
    };
    let load = || -> Result<Vec<Puzzle>, Report> {
        let sources = loading.sources(file)?;
        sources.iter().take(MOST_LEVELS).map(|source| loading.load_source(source)).collect()
    };
    let puzzles = match load() {
        Ok(puzzles) => puzzles,
        // The engine refuses games in real time and broken ones, and so do pages.
        Err(_) if status == 2 => return Ok(0),
        Err(report) => return Err(report.to_string().into()),
    };
    // A game of one level that is not solved has the status of the search.
    if !matches!(status, 0 | 1 | 3) {
        return Err(errors.into());
    }
    walk(browser, &folder, &page, &puzzles, steps)?;
    Ok(puzzles.len() as u64)
}

/// Makes random moves in the pages of games, and prints how many.
fn pages_play_the_games(browser: Option<PathBuf>, files: &[PathBuf]) -> Result<(), Failed> {
    let (mut games, mut levels, mut failures) = (0, 0, Vec::new());
    let steps = dice::scaled(20);
    for file in files {
        match page_plays_the_game(browser.clone(), file, steps) {
            Ok(0) => {}
            Ok(played) => (games, levels) = (games + 1, levels + played),
            Err(failed) => failures.push(format!("{}: {}", file.display(), failed.message().unwrap_or_default())),
        }
    }
    println!("{games} games, {levels} levels, {} moves", levels * steps);
    if failures.is_empty() { Ok(()) } else { Err(failures.join("\n").into()) }
}

/// Returns the published games in a folder of the data from outside; none where it is missing.
fn published_games(name: &str) -> Vec<PathBuf> {
    let Some(folder) = outside(&format!("puzzlescript/games/{name}")) else { return Vec::new() };
    support::files_below(&folder, "txt").into_iter().map(|game| folder.join(game)).collect()
}

/// The options of a browser without animations, so that every position is shown at once.
const CALM: [&str; 1] = ["--force-prefers-reduced-motion"];

/// Returns the path of a puzzle of the project or, without a folder, of these tests.
fn puzzle_file(name: &str) -> PathBuf {
    let folder = if name.contains('/') { "puzzles" } else { "tests/browser/puzzles" };
    root().join(folder).join(name).with_extension("toml")
}

fn page_to_play(folder: &Path, name: &str) -> String {
    let file = puzzle_file(name);
    let file = file.to_str().expect("a path in UTF-8");
    let (status, page, errors) = run(folder, &["render", file, "-o", "-", "--format", "html", "--play"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    page
}

fn page_plays_by_the_rules(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-walk", &[]);
    let puzzles = root().join("puzzles");
    fs::copy(puzzles.join("words/english.txt"), folder.join("english.txt"))?;
    for (number, name) in WALKS.iter().enumerate() {
        fs::copy(puzzles.join(name).with_extension("toml"), folder.join(format!("{number:02}.toml")))?;
    }
    let (status, page, errors) = run(&folder, &["render", ".", "-o", "-", "--format", "html", "--play", "--quiet"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let load = |number| Puzzle::load(folder.join(format!("{number:02}.toml"))).map_err(|report| report.to_string());
    let levels: Vec<Puzzle> = (0..WALKS.len()).map(load).collect::<Result<_, _>>()?;
    walk(browser, &folder, &page, &levels, dice::scaled(200))
}

fn page_plays_consequences(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-consequences", &[]);
    for name in MACHINES {
        fs::copy(puzzle_file(name), folder.join(name).with_extension("toml"))?;
    }
    let (status, page, errors) = run(&folder, &["render", ".", "-o", "-", "--format", "html", "--play", "--quiet"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert!(page.contains("function machine("), "the page interprets units");
    let load = |name: &str| Puzzle::load(puzzle_file(name)).map_err(|report| report.to_string());
    let levels: Vec<Puzzle> = MACHINES.into_iter().map(load).collect::<Result<_, _>>()?;
    walk(browser, &folder, &page, &levels, dice::scaled(150))
}

/// Makes random moves in each level of a page, and compares them with the library's.
fn walk(browser: Option<PathBuf>, folder: &Path, page: &str, puzzles: &[Puzzle], steps: u64) -> Result<(), Failed> {
    let harness = WALK_HARNESS.replace("STEPS", &steps.to_string()).replace("SEED", "2463534242");
    let harness = harness.replace("LEVELS", &puzzles.len().to_string());
    let seen = observe_with(browser, folder, page, &harness, &CALM)?;
    let seen = seen.as_array().ok_or("no levels")?;
    assert_eq!(seen.len(), puzzles.len());
    for (level, puzzle) in seen.iter().zip(puzzles) {
        let title = puzzle.title();
        assert_eq!(level["title"], title);
        let shown = level["steps"].as_array().ok_or("no steps")?;
        assert_eq!(shown.len() as u64, steps + 1);
        compare(shown, puzzle).map_err(|error| format!("{title}: {error}"))?;
    }
    Ok(())
}

/// Compares what a page showed after each move with the library's positions.
fn compare(seen: &[Value], puzzle: &Puzzle) -> Result<(), String> {
    let notations = puzzle.domain().notations;
    let mut made = vec![puzzle.space("zero").map_err(|error| error.to_string())?];
    for (number, step) in seen.iter().enumerate() {
        match step["did"].as_str().ok_or("no move")? {
            "" => {}
            "undo" => made.truncate((made.len() - 1).max(1)),
            written => {
                let next = made[made.len() - 1].after(written, notations);
                made.push(next.ok_or_else(|| format!("step {number}: {written} is not legal"))?);
            }
        }
        let here = &made[made.len() - 1];
        let mut legal = here.legal_moves(Notation::STANDARD);
        let mut shown: Vec<String> =
            serde_json::from_value(step["legal"].clone()).map_err(|error| error.to_string())?;
        legal.sort();
        shown.sort();
        if shown != legal {
            return Err(format!("step {number}: the page has the moves {shown:?}, the engine {legal:?}"));
        }
        let figures = here.picture().ok_or("a position is too large to draw")?.figures;
        let mut figures: Vec<String> =
            figures.iter().map(|figure| format!("{} {} {}", figure.label, figure.at.0, figure.at.1)).collect();
        figures.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        if step["figures"] != serde_json::json!(figures) {
            return Err(format!("step {number}: the page shows\n{}\nthe engine has\n{figures:?}", step["figures"]));
        }
        if step["solved"] != here.is_goal() {
            return Err(format!(
                "step {number}: solved is {} in the page, {} in the engine",
                step["solved"],
                here.is_goal()
            ));
        }
    }
    Ok(())
}

/// A game with messages and a view of three columns, which moves with the player.
const SPOKEN: &str = "title Spoken\nzoomscreen 3x3\n\nOBJECTS\n\nBackground\nGreen\n\nPlayer\nBlue\n\nGoal\nYellow\n\n\
    LEGEND\n\n. = Background\nP = Player\nO = Goal\n\nSOUNDS\n\nCOLLISIONLAYERS\n\nBackground\nGoal\nPlayer\n\n\
    RULES\n\n[ action Player ] -> message Nothing here\n[ > Player | Goal ] -> [ > Player | Goal ] message There\n\n\
    WINCONDITIONS\n\nall Player on Goal\n\nLEVELS\n\nmessage Go right\n\n.....\n.P.O.\n.....\n.....\n\n\
    message The end\n";

/// The script that plays in the page of a game by keys.
const GAME_HARNESS: &str = include_str!("browser/game.js");

fn page_shows_messages(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-spoken", &[("spoken.txt", SPOKEN)]);
    let (status, page, errors) = run(&folder, &["render", "spoken.txt", "-o", "-", "--format", "html", "--play"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let harness = GAME_HARNESS.replace("KEYS", r#"["x", "ArrowDown", "ArrowUp", "ArrowRight", "ArrowRight"]"#);
    let seen = observe_with(browser, &folder, &page, &harness, &CALM)?;
    let says: Vec<&str> = seen.as_array().ok_or("no steps")?.iter().filter_map(|step| step["says"].as_str()).collect();
    assert_eq!(
        says,
        [
            "Back at the start.",
            "Nothing here",
            "p down. 1 move.",
            "p up. 2 moves.",
            "p right. 3 moves.",
            "There\nSolved in 4 moves. 2 would do.\nThe end",
        ]
    );
    let of =
        |name: &str| -> Vec<Value> { seen.as_array().into_iter().flatten().map(|step| step[name].clone()).collect() };
    assert_eq!(of("note")[0], "Go right");
    assert_eq!(of("loud"), [false, true, false, false, false, true]);
    assert_eq!(of("won"), [false, false, false, false, false, true]);
    let windows: Vec<Vec<f64>> = serde_json::from_value(of("window").into())?;
    let columns: Vec<i64> = windows.iter().map(|window| window[0].round() as i64).collect();
    assert_eq!(columns, [0, 0, 0, 0, 1, 2]);
    let rows: Vec<i64> = windows.iter().map(|window| window[1].round() as i64).collect();
    assert_eq!(rows, [0, 0, 1, 0, 0, 0]);
    assert!(windows.iter().all(|window| (window[2].round(), window[3].round()) == (3.0, 3.0)));
    Ok(())
}

/// A puzzle, the gestures to make in its page, and the moves that they make.
type Gestures = (&'static str, &'static str, &'static str);

const GESTURES: [Gestures; 9] = [
    ("eight-puzzle/10-moves", r#"["click", [0, 1]], ["key", "ArrowLeft"], ["drag", [1, 0], [0, 0]]"#, "4l 1l 2u"),
    ("blocks/gate", r#"["drag", [1, 1], [0, 1]], ["drag", [1, 0], [1, 2]]"#, "bu1 ar1"),
    ("mazes/terrain", r#"["click", [3, 1]]"#, "d d d r"),
    ("rules/lights-out", r#"["click", [2, 2]]"#, "press 2,2"),
    ("rules/english-peg-solitaire", r#"["drag", [3, 1], [3, 3]]"#, "jump 3,1 right"),
    ("tilt", r#"["key", "ArrowDown"], ["key", "ArrowRight"]"#, "down right"),
    ("falling", r#"["click", [1, 3]], ["key", "ArrowRight"]"#, "b 1,3 right"),
    ("jelly", r#"["click", [0, 6]], ["key", "ArrowLeft"]"#, "0,6 left"),
    ("tubes", r#"["click", [2, 0]], ["click", [1, 4]]"#, "tube[1] into tube[3]"),
];

fn page_is_played(browser: Option<PathBuf>, (name, gestures, moves): Gestures) -> Result<(), Failed> {
    let folder = folder(&format!("browser-play-{}", name.replace('/', "-")), &[]);
    let puzzle = Puzzle::load(puzzle_file(name)).map_err(|e| e.to_string())?;
    let solution = puzzle.solve(&Options::default()).map_err(|error| error.to_string())?.moves();
    let apart = if puzzle.has_spaced_moves() { "\n" } else { " " };
    let harness = PLAY_HARNESS.replace("GESTURES", &format!("[{gestures}]"));
    let seen = observe_with(browser, &folder, &page_to_play(&folder, name), &harness, &CALM)?;
    assert_eq!((&seen["gestures"], &seen["redone"]), (&moves.into(), &moves.into()), "{}", seen["says"]);
    assert_eq!(seen["restarted"], "");
    assert_eq!(seen["solved"], solution.join(apart), "hints follow the solution");
    assert_eq!(seen["best"], "", "a solution by hints is no record");
    assert!(seen["won"].as_str().is_some_and(|won| won.ends_with("the optimum!")), "{}", seen["won"]);
    assert_eq!(seen["pasted"], solution[..2].join(apart));
    assert_eq!((&seen["named"], &seen["width"], &seen["overflow"]), (&true.into(), &320.into(), &0.into()));
    Ok(())
}

/// The script that looks at the goal and solves a level in several ways.
const GOAL_HARNESS: &str = include_str!("browser/goal.js");

fn page_shows_its_goal_and_keeps_no_help(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-goal", &[]);
    let seen = observe_with(browser, &folder, &page_to_play(&folder, "blocks/gate"), GOAL_HARNESS, &CALM)?;
    let words = ["the other pieces may be anywhere"];
    assert_eq!(seen["goal"], serde_json::json!({ "figures": 1, "isShown": true, "words": words }));
    let text: Vec<&str> = seen["text"].as_array().ok_or("no text")?.iter().filter_map(Value::as_str).collect();
    assert!(text.contains(&"mark a: row 2 columns 4 to 5"), "{text:?}");
    assert!(text.contains(&"goal: a: row 2 columns 4 to 5; the other pieces may be anywhere"), "{text:?}");
    for helped in ["watched", "pasted"] {
        let result = &seen[helped];
        let says = result["says"].as_str().unwrap_or_default();
        assert!(says.ends_with("With help, so it is no record.") && result["best"] == "", "{helped}: {result}");
    }
    assert_eq!(seen["played"], serde_json::json!({ "says": "Solved in 4 moves, the optimum!", "best": "best 4" }));
    Ok(())
}

/// Puzzles to search in a page, the searches, and whether the page shows a map.
const SEARCHED: [(&str, &[&str], bool); 6] = [
    ("eight-puzzle/10-moves", &["a-star", "bfs", "ida-star"], false),
    ("mazes/terrain", &["a-star", "greedy"], true),
    ("mazes/orthogonal", &["bidirectional", "bfs"], true),
    ("klotski1", &["bfs", "a-star", "bfws"], false),
    ("words/horse-nurse", &["a-star", "bidirectional"], false),
    ("blocks/gate", &["iddfs", "weighted-a-star", "beam"], false),
];

fn page_shows_searches(
    browser: Option<PathBuf>,
    (name, algorithms, is_map): (&str, &[&str], bool),
) -> Result<(), Failed> {
    let folder = folder(&format!("browser-search-{}", name.replace('/', "-")), &[]);
    let file = root().join("puzzles").join(name).with_extension("toml");
    let file = file.to_str().ok_or("a path in UTF-8")?;
    let searches = algorithms.join(",");
    let (status, page, errors) = run(&folder, &["render", file, "-o", "-", "--format", "html", "--search", &searches]);
    assert_eq!((status, errors.as_str()), (0, ""));
    let seen = observe(browser, &folder, &page, SEARCH_HARNESS, false)?;
    let panels = seen["panels"].as_array().ok_or("no panels")?;
    assert_eq!(panels.len(), algorithms.len());
    let mut most = 0;
    for (panel, algorithm) in panels.iter().zip(algorithms) {
        let (status, json, _) = run(&folder, &["solve", file, "--algorithm", algorithm, "--format", "json"]);
        assert_eq!(status, 0);
        let solved: Value = serde_json::from_str(&json)?;
        for counter in ["expanded", "generated"] {
            assert_eq!(panel[counter], solved[counter], "{algorithm}: {counter} of {panel}");
        }
        assert_eq!(panel["expansions"], solved["expanded"], "{algorithm}: one step for each expansion");
        assert_eq!((&panel["wrong"], &panel["backwards"]), (&0.into(), &0.into()), "{panel}");
        let has_parts =
            !["bfs", "bidirectional", "iddfs", "bfws"].contains(algorithm) && !is_map && name != "words/horse-nurse";
        assert_eq!(panel["parts"].as_u64() > Some(0), has_parts, "{algorithm}: {panel}");
        assert_eq!(panel["marks"].as_u64() > Some(0), has_parts, "{algorithm}: {panel}");
        assert_eq!(panel["unequal"], 0, "the parts add up to h: {panel}");
        if !["ida-star", "iddfs"].contains(algorithm) {
            assert!(panel["listed"].as_u64() > Some(0), "the frontier is listed: {panel}");
        }
        if ["ida-star", "iddfs"].contains(algorithm) {
            assert!(panel["bars"].as_u64() > Some(0), "iterations are bars: {panel}");
        }
        assert_eq!(panel["map"], u64::from(is_map), "{panel}");
        assert_eq!(panel["stop"], "");
        most = most.max(panel["expansions"].as_u64().unwrap_or(0));
    }
    let notes = &seen["notes"];
    assert_eq!(notes["start"], format!("expansion 0 of {most}"));
    assert_eq!(notes["end"], format!("expansion {most} of {most}"));
    assert!(notes["words"].as_str().is_some_and(|words| words.contains("Expansion")), "{notes}");
    assert!(notes["shown"].as_str().is_some_and(|words| words.contains("Expansion")), "{notes}");
    assert_eq!((&notes["plays"], &notes["stopped"]), (&"Pause".into(), &"Play".into()));
    assert_eq!((&notes["named"], &notes["overflow"]), (&true.into(), &0.into()), "{notes}");
    Ok(())
}

/// The script that measures the fences of a page, in cells, and reads its text.
const FENCES_HARNESS: &str = r##"
"use strict";
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, seen = {};
  const level = JSON.parse(page.getElementById("game").textContent).levels[0];
  const fences = page.querySelector("#board path.frame[stroke-linecap=round]"), box = fences.getBBox();
  seen.length = Math.round(fences.getTotalLength() / level.cell);
  seen.box = [box.x, box.y, box.width, box.height].map(length => Math.round(length / level.cell));
  page.getElementById("asText").open = true;
  setTimeout(() => {
    seen.text = page.getElementById("text").textContent.split("\n");
    const out = document.createElement("pre");
    out.id = "seen";
    out.textContent = JSON.stringify(seen);
    document.body.append(out);
  }, 50);
});
"##;

fn page_shows_fences(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-fences", &[]);
    let puzzle = Puzzle::load(root().join("puzzles/rules/two-robots.toml")).map_err(|report| report.to_string())?;
    let start = puzzle.space("zero").map_err(|error| error.to_string())?;
    let lines = start.picture().ok_or("the board is drawn")?.fences.lines();
    let length: usize = lines.iter().map(|(from, to)| to.0 - from.0 + to.1 - from.1).sum();
    let seen = observe_with(browser, &folder, &page_to_play(&folder, "rules/two-robots"), FENCES_HARNESS, &CALM)?;
    assert!(length > 28, "there are fences within the frame");
    assert_eq!((&seen["length"], &seen["box"]), (&length.into(), &serde_json::json!([0, 0, 7, 7])));
    let text: Vec<&str> = seen["text"].as_array().ok_or("no text")?.iter().filter_map(Value::as_str).collect();
    assert!(
        text.contains(&"fences in row 4: to the left of column 1; below column 7; to the right of columns 3, 4, 7"),
        "{text:?}"
    );
    Ok(())
}

fn pages_of_a_folder_lead_on(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-menu", &[("1.toml", EIGHT), ("2.toml", UNSOLVABLE)]);
    let (status, page, _) = run(&folder, &["render", ".", "-o", "-", "--format", "html", "--play"]);
    assert_eq!(status, 0);
    let seen = observe_with(browser, &folder, &page, MENU_HARNESS, &CALM)?;
    let expected = serde_json::json!({
        "first": "Five", "labels": 8, "done": [false, false], "offered": true,
        "second": "None", "won": false, "hint": true,
        "back": "Five", "kept": "4d 1l 2u 5u 8l",
        "linked": "None", "made": "3l 2d",
    });
    assert_eq!(seen, expected);
    Ok(())
}

/// The script that samples an animated drawing at its start and its end.
const ANIMATION_HARNESS: &str = r##"
"use strict";
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, all = page.getAnimations(), seen = [];
  const whole = all[0].effect.getTiming().duration;
  for (const share of [0, 0.999]) {
    for (const animation of all) { animation.pause(); animation.currentTime = whole * share; }
    const actors = [...page.querySelectorAll("#actors > g")];
    const floor = [...page.querySelectorAll(".floor")].find(one => !one.closest(".goal"));
    const origin = floor.getBoundingClientRect();
    seen.push(actors.map(actor => {
      const at = actor.getBoundingClientRect();
      return `${actor.textContent} ${Math.round((at.top - origin.top) / 64)} ${Math.round((at.left - origin.left) / 64)}`;
    }).sort());
  }
  const out = document.createElement("pre");
  out.id = "seen";
  out.textContent = JSON.stringify(seen);
  document.body.append(out);
});
"##;

fn animation_ends_at_the_goal(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-moving", &[]);
    let puzzle = Puzzle::load(root().join("puzzles/klotski3.toml")).map_err(|report| report.to_string())?;
    let file = root().join("puzzles/klotski3.toml");
    let file = file.to_str().ok_or("a path in UTF-8")?;
    let (_, drawing, _) = run(&folder, &["render", file, "-o", "-", "--format", "svg", "--solution"]);
    let seen = observe(browser, &folder, &drawing, ANIMATION_HARNESS, false)?;
    let expected = expected(&puzzle, "zero");
    assert_eq!(seen[0], expected[0]["actors"], "the animation starts at the start");
    assert_eq!(seen[1], expected[expected.len() - 1]["actors"], "the animation ends at the end");
    Ok(())
}
