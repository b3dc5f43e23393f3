//! The page in a browser: stepped through by keys, it shows the positions that the library returns, on a phone, too.
//!
//! The browser is Chromium: `CHROMIUM` names it, otherwise its usual names are tried. Without a browser these tests are
//! skipped with a message; with `ENGINE_BROWSER=require` that is a failure.

mod support;

use engine::{Options, Puzzle};
use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use support::program::{folder, run};
use support::root;

/// The script that runs in the browser beside the page.
const HARNESS: &str = include_str!("browser/harness.js");

fn main() -> ExitCode {
    let browser = browser();
    let required = std::env::var_os("ENGINE_BROWSER").is_some_and(|wish| wish == "require");
    if browser.is_none() {
        eprintln!("no Chromium: the tests of the page are left out; CHROMIUM may name one");
    }
    let left_out = browser.is_none() && !required;
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
        Trial::test(format!("page of {name}"), move || shows(browser, name)).with_ignored_flag(left_out)
    };
    let themes = |dark: bool| {
        let browser = browser.clone();
        let name = if dark { "dark where dark is wished for" } else { "light where light is wished for" };
        Trial::test(name, move || is_in_theme(browser, dark)).with_ignored_flag(left_out)
    };
    let moving = Trial::test("a drawing that moves ends where the solution ends", {
        let browser = browser.clone();
        move || moves(browser)
    });
    let mut trials: Vec<Trial> = puzzles.into_iter().map(page).chain([false, true].map(themes)).collect();
    trials.push(moving.with_ignored_flag(left_out));
    // Browsers run one after the other: in parallel they would block each other.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    libtest_mimic::run(&arguments, trials).exit_code()
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

/// Returns the harness's observations of a document in a frame of this width. The browser must report no errors.
fn see(browser: Option<PathBuf>, folder: &Path, document: &str, harness: &str, dark: bool) -> Result<Value, Failed> {
    let browser = browser.ok_or("there is no Chromium: CHROMIUM may name one")?;
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
        .arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!dark)))
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg("--dump-dom")
        .arg(format!("file://{}", file.display()))
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    let complaints: Vec<&str> = errors.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(complaints.is_empty(), "{complaints:?}");
    let dom = String::from_utf8(output.stdout)?;
    let seen = dom.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.ok_or_else(|| format!("the harness did not end: {errors}"))?;
    Ok(serde_json::from_str(&seen.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&"))?)
}

/// Returns the expected observations of a solution, step by step.
fn expected(puzzle: &Puzzle, heuristic: &str) -> Vec<Value> {
    let solution = puzzle.solve(&Options::default()).expect("the algorithm suits the puzzle");
    let mut at = puzzle.space(heuristic).expect("it has the heuristic");
    let moves = solution.moves();
    let mut steps = Vec::new();
    for number in 0..=moves.len() {
        let mut told = "start".to_owned();
        if number > 0 {
            at = at.after(&moves[number - 1], puzzle.domain().notations).expect("a legal move");
            told = format!("{number}. {}", moves[number - 1]);
        }
        let figures = at.picture().expect("the board is small enough to be drawn").figures;
        let mut actors: Vec<String> =
            figures.iter().map(|figure| format!("{} {} {}", figure.label, figure.at.0, figure.at.1)).collect();
        actors.sort_by(|a, b| a.encode_utf16().cmp(b.encode_utf16()));
        let (g, h) = (at.g(), at.h());
        let round = |value: f64| (value * 1e6).round() / 1e6;
        steps.push(serde_json::json!({
            "told": told, "g": round(g), "h": round(h), "f": round(g + h), "solved": number == moves.len(), "actors": actors,
        }));
    }
    steps
}

/// Compares steps; numbers by value, whether or not they are whole.
fn same(seen: &Value, expected: &Value) -> bool {
    let number = |step: &Value, name: &str| step[name].as_f64();
    ["g", "h", "f"].iter().all(|name| number(seen, name) == number(expected, name))
        && ["told", "solved", "actors"].iter().all(|name| seen[*name] == expected[*name])
}

fn page(folder: &Path, name: &str, heuristic: &str) -> String {
    let file = root().join("puzzles").join(name).with_extension("toml");
    let file = file.to_str().expect("a path in UTF-8");
    let (status, page, errors) =
        run(folder, &["render", file, "-o", "-", "--format", "html", "--heuristic", heuristic]);
    assert_eq!((status, errors.as_str()), (0, ""));
    page
}

fn shows(browser: Option<PathBuf>, name: &str) -> Result<(), Failed> {
    let folder = folder(&format!("browser-{}", name.replace('/', "-")), &[]);
    let puzzle = Puzzle::load(root().join("puzzles").join(name).with_extension("toml")).map_err(|e| e.to_string())?;
    let heuristic = puzzle.guide(None).map_err(|error| error.to_string())?;
    // The algorithm is the default, so that both find the same solution.
    let document = page(&folder, name, heuristic);
    let seen = see(browser, &folder, &document, HARNESS, false)?;
    let expected = expected(&puzzle, heuristic);
    let steps = seen["steps"].as_array().ok_or("no steps")?;
    assert_eq!(steps.len(), expected.len(), "a step a move");
    for (step, expected) in steps.iter().zip(&expected) {
        assert!(same(step, expected), "the page shows\n{step}\nand the library tells\n{expected}");
    }
    let (first, last) = (&expected[0], &expected[expected.len() - 1]);
    let notes = &seen["notes"];
    assert!(same(&notes["home"], first) && same(&notes["end"], last) && same(&notes["slid"], last), "{notes}");
    assert_eq!(notes["beyond"], last["told"], "nothing comes after the last move");
    if let Some(before) = expected.len().checked_sub(2).map(|at| &expected[at]) {
        assert!(same(&notes["back"], before), "back from the end: {}\nnot {before}", notes["back"]);
        assert_eq!((&notes["plays"], &notes["stopped"]), (&"Pause".into(), &"Play".into()));
        assert_eq!(notes["clicked"], expected[1]["told"]);
    }
    assert_eq!((&notes["pace"], &notes["named"]), (&"2×".into(), &true.into()));
    assert_eq!((&notes["width"], &notes["overflow"]), (&320.into(), &0.into()), "it fits on a phone");
    Ok(())
}

fn is_in_theme(browser: Option<PathBuf>, dark: bool) -> Result<(), Failed> {
    let folder = folder(&format!("browser-dark-{dark}"), &[]);
    let seen = see(browser, &folder, &page(&folder, "blocks/gate", "zero"), HARNESS, dark)?;
    let notes = &seen["notes"];
    let (page, floor) =
        if dark { ("rgb(20, 23, 28)", "rgb(39, 45, 55)") } else { ("rgb(255, 255, 255)", "rgb(233, 236, 241)") };
    assert_eq!((&notes["dark"], &notes["page"], &notes["floor"]), (&dark.into(), &page.into(), &floor.into()));
    Ok(())
}

/// The script that observes a drawing at several times.
const MOMENTS: &str = r##"
"use strict";
const frame = document.querySelector("iframe");
frame.addEventListener("load", () => {
  const page = frame.contentDocument, all = page.getAnimations(), seen = [];
  const whole = all[0].effect.getTiming().duration;
  for (const share of [0, 0.999]) {
    for (const animation of all) { animation.pause(); animation.currentTime = whole * share; }
    const actors = [...page.querySelectorAll("#actors > g")];
    const origin = page.querySelector(".floor").getBoundingClientRect();
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

fn moves(browser: Option<PathBuf>) -> Result<(), Failed> {
    let folder = folder("browser-moving", &[]);
    let puzzle = Puzzle::load(root().join("puzzles/klotski3.toml")).map_err(|report| report.to_string())?;
    let file = root().join("puzzles/klotski3.toml");
    let file = file.to_str().ok_or("a path in UTF-8")?;
    let (_, drawing, _) = run(&folder, &["render", file, "-o", "-", "--format", "svg", "--solution"]);
    let seen = see(browser, &folder, &drawing, MOMENTS, false)?;
    let expected = expected(&puzzle, "zero");
    assert_eq!(seen[0], expected[0]["actors"], "it begins at the start");
    assert_eq!(seen[1], expected[expected.len() - 1]["actors"], "it ends at the end");
    Ok(())
}
