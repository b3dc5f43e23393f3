//! Drawing in the studio: pieces are dragged, drawings turned and resized, levels painted in their own text.

use crate::driver::Desk;
use crate::support::program::{EIGHT, run};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::path::PathBuf;

/// A test by its name.
type Test = (&'static str, fn(Option<PathBuf>) -> Result<(), Failed>);

pub const TESTS: &[Test] = &[
    ("the studio moves pieces by mouse, touch and keys", pieces_are_moved),
    ("the studio resizes and turns drawings, and says what cannot be turned", drawings_are_turned),
    ("the studio paints a block that is not there yet", new_blocks_are_painted),
    ("the studio paints levels of collections, and drawings that are invalid", levels_are_painted),
    ("the studio gives a refused cell back, and colours walls on targets", cells_are_refused_and_coloured),
    ("the studio starts a level of Sokoban from its hardest position", levels_start_from_the_hardest),
    ("a link of the studio is played by a page of another puzzle", links_are_played),
];

const CARD: &str = "title = \"Card\"\ndomain = \"klotski\"\nmetric = \"step\"\n# The board.\nstart = \"\"\"\naab.\n.cb.\n....\n\"\"\"\n\
    goal = \"\"\"\n....\n....\n..aa\n\"\"\"\n";
const LEVELS: &str = "; one\n\n#####\n#@$.#\n#####\n\n; two\n\n######\n#@$ .#\n######\n";

/// Opens the studio on a folder with one file, to draw.
fn open(program: Option<PathBuf>, name: &str, file: (&str, &str)) -> Result<Desk, Failed> {
    let mut desk = Desk::open(program, name, &[])?;
    std::fs::write(desk.folder.join(file.0), file.1)?;
    desk.visit(&desk.address.clone())?;
    desk.click("#list button")?;
    desk.says("Optimum")?;
    desk.click("#tab-draw")?;
    desk.wait("document.querySelectorAll('#cells button').length > 0")?;
    Ok(desk)
}

/// Returns the middle of a cell of the drawing.
fn cell(desk: &mut Desk, number: usize) -> Result<(Value, Value), Failed> {
    let middle = desk.value(&format!(
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
    let mut desk = open(program, "moves", ("card.toml", CARD))?;
    desk.value(&button("Move"))?;
    let (from, to) = (cell(&mut desk, 1)?, cell(&mut desk, 9)?);
    for (kind, (x, y)) in [("mousePressed", &from), ("mouseMoved", &to), ("mouseReleased", &to)] {
        let event = json!({ "type": kind, "x": x, "y": y, "button": "left", "buttons": 1, "clickCount": 1 });
        desk.call("Input.dispatchMouseEvent", event)?;
    }
    desk.wait(&has("# The board.\nstart = \"\"\"\n..b.\n.cb.\naa..\n\"\"\"\n"))?;
    desk.value(&button("Undo"))?;
    desk.wait(&has(CARD))?;
    desk.says("Optimum")?;
    // By touch.
    let (from, to) = (cell(&mut desk, 5)?, cell(&mut desk, 8)?);
    for (kind, points) in [("touchStart", vec![&from]), ("touchMove", vec![&to]), ("touchEnd", vec![])] {
        let points: Vec<Value> = points.iter().map(|(x, y)| json!({ "x": x, "y": y })).collect();
        desk.call("Input.dispatchTouchEvent", json!({ "type": kind, "touchPoints": points }))?;
    }
    desk.wait(&has("\naab.\n..b.\nc...\n"))?;
    // By keys: the block of two cells goes to the right.
    desk.wait("document.getElementById('cells').children[2].textContent === 'b'")?;
    desk.value("document.getElementById('cells').children[2].focus()")?;
    desk.key(" ", 0)?;
    desk.wait("document.querySelectorAll('#cells .held').length === 2")?;
    desk.key("ArrowRight", 0)?;
    desk.wait(&has("\naa.b\n...b\nc...\n"))?;
    desk.wait("document.activeElement.dataset.cell === '3'")?;
    desk.key("ArrowRight", 0)?;
    desk.key("Escape", 0)?;
    desk.wait("document.querySelectorAll('#cells .held').length === 0")?;
    assert_eq!(desk.value(&has("\naa.b\n...b\nc...\n"))?, true, "nothing leaves the board");
    Ok(())
}

fn drawings_are_turned(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = open(program.clone(), "turns", ("card.toml", CARD))?;
    desk.value(&button("Turn clockwise"))?;
    desk.wait(&has("\n..a\n.ca\n.bb\n...\n\"\"\"\ngoal = \"\"\"\n...\n...\na..\na..\n"))?;
    desk.wait("document.querySelectorAll('#cells button').length === 12")?;
    desk.value(&button("Add a row above"))?;
    desk.wait(&has("\n...\n..a\n.ca\n.bb\n...\n\"\"\"\ngoal = \"\"\"\n...\n...\n...\na..\na..\n"))?;
    desk.wait("document.querySelectorAll('#cells button').length === 15")?;
    for _ in 0..2 {
        desk.value(&button("Undo"))?;
    }
    desk.wait(&has(CARD))?;
    // What names cells by numbers would not follow.
    let walled = CARD.replace("metric", "walls = [[0, 3]]\nmetric");
    let mut desk = open(program, "walls", ("card.toml", &walled))?;
    desk.value(&button("Mirror left and right"))?;
    desk.wait("document.getElementById('drawSays').textContent.includes('`walls` names cells')")?;
    assert_eq!(desk.value(&has(&walled))?, true, "the text stays");
    Ok(())
}

fn new_blocks_are_painted(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = open(program, "blocks", ("card.toml", CARD))?;
    desk.press("#palette", "+d")?;
    desk.wait("document.querySelector('#palette [aria-pressed=true]')?.textContent === 'd'")?;
    desk.click("#cells button[data-cell='8']")?;
    desk.wait(&has("\naab.\n.cb.\nd...\n"))?;
    desk.says("Optimum")?;
    desk.wait("document.getElementById('cells').children[8].textContent === 'd'")?;
    desk.wait("document.querySelector('#palette [aria-pressed=true]')?.textContent === 'd'")?;
    desk.click("#cells button[data-cell='9']")?;
    desk.wait(&has("\naab.\n.cb.\ndd..\n"))?;
    desk.says("Optimum")
}

fn levels_are_painted(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = open(program, "painted", ("two.sok", LEVELS))?;
    desk.level(2)?;
    desk.wait("document.querySelectorAll('#cells button').length === 18")?;
    // Without its man, the level is invalid, and stays.
    desk.value("document.getElementById('cells').children[7].focus()")?;
    desk.key("#", 0)?;
    desk.wait(&has("\n######\n##$ .#\n######\n"))?;
    desk.says("1 error")?;
    assert_eq!(desk.value("document.querySelectorAll('#cells button').length")?, 18);
    desk.value("document.getElementById('cells').children[9].focus()")?;
    desk.key("@", 0)?;
    desk.wait(&has("; one\n\n#####\n#@$.#\n#####\n\n; two\n\n######\n##$@.#\n######\n"))?;
    desk.says("Unsolvable")?;
    Ok(())
}

fn cells_are_refused_and_coloured(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = open(program.clone(), "refused", ("card.toml", CARD))?;
    // The text is broken before the cell is painted, and the page does not know it yet.
    desk.value(
        "(() => { const text = document.getElementById('text'), cell = document.getElementById('cells').children[8]; \
         text.focus(); text.setSelectionRange(0, 0); document.execCommand('insertText', false, '= '); cell.focus(); \
         cell.dispatchEvent(new KeyboardEvent('keydown', { key: 'a', bubbles: true })); })()",
    )?;
    desk.wait("document.getElementById('drawSays').textContent.includes('cannot be read')")?;
    desk.wait("document.getElementById('cells').children[8].textContent === '.'")?;
    // The cells of a level begin at its walls, as those of the edits do.
    let mut desk = open(program, "coloured", ("level.sok", "; x\n\n   #####\n   #@$.#\n   #####\n"))?;
    desk.click("#tab-edits")?;
    desk.press("#panel-edits", "Show what each edit does")?;
    desk.wait("document.querySelector('#panel-edits table') !== null")?;
    desk.click("#tab-draw")?;
    desk.press("#palette", "#")?;
    desk.wait("document.querySelector('#palette [aria-pressed=true]')?.textContent === '#'")?;
    let coloured = "[...document.getElementById('cells').children].findIndex(one => one.textContent === '.')";
    desk.wait(&format!("document.getElementById('cells').children[{coloured}].classList.contains('unsolvable')"))
}

fn levels_start_from_the_hardest(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "hardest", &[])?;
    desk.begin("Sokoban level")?;
    desk.says("Optimum 3, proven")?;
    desk.click("#tab-explore")?;
    desk.press("#panel-explore", "Visit all positions")?;
    desk.press("#panel-explore", "Start from the hardest")?;
    desk.says("Optimum 6, proven")?;
    let goals = desk.value("[...document.getElementById('text').value.matchAll(/[.*+]/g)].length")?;
    assert_eq!(goals, 2, "the goals stay: {}", desk.text()?);
    Ok(())
}

fn links_are_played(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = open(program, "links", ("card.toml", CARD))?;
    let link = desk.link()?;
    std::fs::write(desk.folder.join("eight.toml"), EIGHT)?;
    let (status, _, messages) = run(&desk.folder, &["render", "eight.toml", "--play", "--output", "eight.html"]);
    assert_eq!(status, 0, "{messages}");
    let address = format!("file://{}{link}", desk.folder.join("eight.html").display());
    desk.call("Page.navigate", json!({ "url": address }))?;
    desk.wait("document.getElementById('title')?.textContent === 'Card'")?;
    desk.wait("document.querySelectorAll('#legal button').length > 0")?;
    // Another address of the same page has the page's own puzzle.
    desk.value("location.hash = ''")?;
    desk.wait("document.readyState === 'complete' && document.getElementById('title')?.textContent !== 'Card'")?;
    Ok(())
}
