//! Drawing in the studio: pieces are dragged, drawings turned and resized, levels painted in their own text.

use super::studio::{Browser, Studio, says};
use crate::support::program::{EIGHT, command, folder, run};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader};
use std::path::PathBuf;
use std::process::Stdio;

/// A test by its name.
type Test = (&'static str, fn(Option<PathBuf>) -> Result<(), Failed>);

pub const TESTS: &[Test] = &[
    ("the studio moves pieces by mouse, touch and keys", pieces_are_moved),
    ("the studio resizes and turns drawings, and says what cannot be turned", drawings_are_turned),
    ("the studio paints levels of collections, and drawings that are invalid", levels_are_painted),
    ("a link of the studio is played by a page of another puzzle", links_are_played),
];

const CARD: &str = "title = \"Card\"\ndomain = \"klotski\"\nmetric = \"step\"\n# The board.\nstart = \"\"\"\naab.\n.cb.\n....\n\"\"\"\n\
    goal = \"\"\"\n....\n....\n..aa\n\"\"\"\n";
const LEVELS: &str = "; one\n\n#####\n#@$.#\n#####\n\n; two\n\n######\n#@$ .#\n######\n";

/// Opens the studio on a folder with one file.
fn open(program: Option<PathBuf>, name: &str, file: (&str, &str)) -> Result<(Studio, Browser, PathBuf), Failed> {
    let program = program.ok_or("Chromium not found: set CHROMIUM to its path")?;
    let folder = folder(name, &[file]);
    let mut child = command(&folder, &["studio", ".", "--no-open"]).stdout(Stdio::piped()).spawn()?;
    let mut address = String::new();
    BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut address)?;
    let studio = Studio(child);
    let mut browser = Browser::start(&program, &folder)?;
    browser.call("Page.navigate", json!({ "url": address.trim() }))?;
    browser.wait("document.querySelectorAll('#list button').length > 0")?;
    browser.click("#list button")?;
    browser.wait(&says("Optimum"))?;
    browser.click("#tab-draw")?;
    browser.wait("document.querySelectorAll('#cells button').length > 0")?;
    Ok((studio, browser, folder))
}

fn press(browser: &mut Browser, key: &str) -> Result<(), Failed> {
    for kind in ["rawKeyDown", "keyUp"] {
        browser.call("Input.dispatchKeyEvent", json!({ "type": kind, "key": key }))?;
    }
    Ok(())
}

/// Returns the middle of a cell of the drawing.
fn cell(browser: &mut Browser, number: usize) -> Result<(Value, Value), Failed> {
    let middle = browser.value(&format!(
        "(() => {{ const box = document.querySelectorAll('#cells button')[{number}].getBoundingClientRect(); \
         return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
    ))?;
    Ok((middle[0].clone(), middle[1].clone()))
}

fn has(text: &str) -> String {
    format!("document.getElementById('text').value.includes({})", json!(text))
}

fn button(name: &str) -> String {
    format!(
        "[...document.querySelectorAll('#panel-draw button')].find(one => [one.textContent, one.title].includes('{name}')).click()"
    )
}

fn pieces_are_moved(program: Option<PathBuf>) -> Result<(), Failed> {
    let (_studio, mut browser, _) = open(program, "studio-moves", ("card.toml", CARD))?;
    browser.value(&button("Move"))?;
    let (from, to) = (cell(&mut browser, 1)?, cell(&mut browser, 9)?);
    for (kind, (x, y)) in [("mousePressed", &from), ("mouseMoved", &to), ("mouseReleased", &to)] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        browser.call("Input.dispatchMouseEvent", event)?;
    }
    browser.wait(&has("# The board.\nstart = \"\"\"\n..b.\n.cb.\naa..\n\"\"\"\n"))?;
    browser.value(&button("Undo"))?;
    browser.wait(&has(CARD))?;
    browser.wait(&says("Optimum"))?;
    // By touch.
    let (from, to) = (cell(&mut browser, 5)?, cell(&mut browser, 8)?);
    for (kind, points) in [("touchStart", vec![&from]), ("touchMove", vec![&to]), ("touchEnd", vec![])] {
        let points: Vec<Value> = points.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        browser.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }))?;
    }
    browser.wait(&has("\naab.\n..b.\nc...\n"))?;
    // By keys: the block of two cells goes to the right.
    browser.wait("document.getElementById('cells').children[2].textContent === 'b'")?;
    browser.value("document.getElementById('cells').children[2].focus()")?;
    press(&mut browser, " ")?;
    browser.wait("document.querySelectorAll('#cells .held').length === 2")?;
    press(&mut browser, "ArrowRight")?;
    browser.wait(&has("\naa.b\n...b\nc...\n"))?;
    browser.wait("document.activeElement.dataset.cell === '3'")?;
    press(&mut browser, "ArrowRight")?;
    press(&mut browser, "Escape")?;
    browser.wait("document.querySelectorAll('#cells .held').length === 0")?;
    assert_eq!(browser.value(&has("\naa.b\n...b\nc...\n"))?, true, "nothing leaves the board");
    Ok(())
}

fn drawings_are_turned(program: Option<PathBuf>) -> Result<(), Failed> {
    let (studio, mut browser, _) = open(program.clone(), "studio-turns", ("card.toml", CARD))?;
    browser.value(&button("Turn clockwise"))?;
    browser.wait(&has("\n..a\n.ca\n.bb\n...\n\"\"\"\ngoal = \"\"\"\n...\n...\na..\na..\n"))?;
    browser.wait("document.querySelectorAll('#cells button').length === 12")?;
    browser.value(&button("Add a row above"))?;
    browser.wait(&has("\n...\n..a\n.ca\n.bb\n...\n\"\"\"\ngoal = \"\"\"\n...\n...\n...\na..\na..\n"))?;
    browser.wait("document.querySelectorAll('#cells button').length === 15")?;
    for _ in 0..2 {
        browser.value(&button("Undo"))?;
    }
    browser.wait(&has(CARD))?;
    drop((studio, browser));
    // What names cells by numbers would not follow.
    let walled = CARD.replace("metric", "walls = [[0, 3]]\nmetric");
    let (_studio, mut browser, _) = open(program, "studio-walls", ("card.toml", &walled))?;
    browser.value(&button("Mirror left and right"))?;
    browser.wait("document.getElementById('drawSays').textContent.includes('`walls` names cells')")?;
    assert_eq!(browser.value(&has(&walled))?, true, "the text stays");
    Ok(())
}

fn levels_are_painted(program: Option<PathBuf>) -> Result<(), Failed> {
    let (_studio, mut browser, _) = open(program, "studio-levels", ("two.sok", LEVELS))?;
    browser.value("document.getElementById('level').value = 2; document.getElementById('level').dispatchEvent(new Event('change'))")?;
    browser.wait("document.querySelectorAll('#cells button').length === 18")?;
    // Without its man, the level is invalid, and stays.
    browser.value("document.getElementById('cells').children[7].focus()")?;
    press(&mut browser, "#")?;
    browser.wait(&has("\n######\n##$ .#\n######\n"))?;
    browser.wait(&says("1 error"))?;
    assert_eq!(browser.value("document.querySelectorAll('#cells button').length")?, 18);
    browser.value("document.getElementById('cells').children[9].focus()")?;
    press(&mut browser, "@")?;
    browser.wait(&has("; one\n\n#####\n#@$.#\n#####\n\n; two\n\n######\n##$@.#\n######\n"))?;
    browser.wait(&says("Unsolvable"))?;
    Ok(())
}

fn links_are_played(program: Option<PathBuf>) -> Result<(), Failed> {
    let (_studio, mut browser, folder) = open(program, "studio-links", ("card.toml", CARD))?;
    browser.click("#export")?;
    browser.value(
        "document.getElementById('what').value = 'link'; document.querySelector('#dialogButtons button').click()",
    )?;
    browser.wait("document.querySelector('#dialogBody textarea')?.value.startsWith('#puzzle=') === true")?;
    let link = browser.value("document.querySelector('#dialogBody textarea').value")?;
    let link = link.as_str().ok_or("a link")?.to_owned();
    std::fs::write(folder.join("eight.toml"), EIGHT)?;
    let (status, _, messages) = run(&folder, &["render", "eight.toml", "--play", "--output", "eight.html"]);
    assert_eq!(status, 0, "{messages}");
    let address = format!("file://{}{link}", folder.join("eight.html").display());
    browser.call("Page.navigate", json!({ "url": address }))?;
    browser.wait("document.getElementById('title')?.textContent === 'Card'")?;
    browser.wait("document.querySelectorAll('#legal button').length > 0")?;
    // Another address of the same page has the page's own puzzle.
    browser.value("location.hash = ''")?;
    browser.wait("document.readyState === 'complete' && document.getElementById('title')?.textContent !== 'Card'")?;
    Ok(())
}
