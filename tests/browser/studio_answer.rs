//! What the studio says of a puzzle: the moves that lose, and solutions before the best is proven.

use crate::driver::{CONTROL, Desk};
use crate::support::program::EIGHT;
use libtest_mimic::Failed;
use serde_json::json;
use std::path::PathBuf;

/// A test by its name.
type Test = (&'static str, fn(Option<PathBuf>) -> Result<(), Failed>);

pub const TESTS: &[Test] = &[
    ("the studio marks the moves that lose, and goes back before them", moves_that_lose_are_marked),
    ("the studio shows the best solution so far until one is proven", best_solutions_are_shown_until_one_is_proven),
    ("an answer in the studio does not move what is below it", answers_do_not_move_the_drawing),
    ("the studio explains what the pointer rests on", keys_are_explained),
    ("the studio knows the answer of a text that comes back", answers_are_remembered),
    ("the studio ends a line at Enter, and takes an offer that was chosen", offers_are_chosen),
];

/// A level that a push to the left loses.
const LOSSY: &str = "; Lossy\n######\n#    #\n# $@ #\n#  . #\n######\n";

/// The moves that are marked in the list of the page to play.
fn marked(moves: &str) -> String {
    format!(
        "[...document.querySelectorAll('#legal .loses')].map(one => one.dataset.move).join() === '{moves}' \
         && (document.querySelectorAll('.trap.line').length > 0) === {}",
        !moves.is_empty()
    )
}

fn moves_that_lose_are_marked(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "traps", &[])?;
    desk.paste(LOSSY)?;
    desk.says("Optimum 2, proven")?;
    desk.wait_in_frame(&marked("push left"))?;
    // Each position has its own, along the solution too.
    desk.click("#forth")?;
    desk.wait("document.getElementById('step').textContent.startsWith('1 of')")?;
    desk.wait_in_frame("document.getElementById('count').textContent === '1 move'")?;
    desk.click("#first")?;
    desk.wait_in_frame(&marked("push left"))?;
    // The game is lost, and undo is offered.
    desk.value("document.querySelector('#playFrame iframe').focus()")?;
    desk.key("ArrowLeft", 0)?;
    desk.wait_in_frame("!document.getElementById('lost').hidden")?;
    desk.wait_in_frame("document.getElementById('says').textContent.includes('loses the game')")?;
    desk.key("ArrowDown", 0)?;
    desk.wait_in_frame("document.getElementById('count').textContent === '2 moves'")?;
    desk.wait_in_frame("(document.getElementById('rescue').click(), document.getElementById('lost').hidden)")?;
    desk.wait_in_frame("document.getElementById('count').textContent === '0 moves'")?;
    desk.wait_in_frame(&marked("push left"))
}

fn best_solutions_are_shown_until_one_is_proven(program: Option<PathBuf>) -> Result<(), Failed> {
    // Hours from its proof.
    let long = "title = \"Long\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n\
                24 23 22 21 20\n19 18 17 16 15\n14 13 12 11 10\n9 8 7 6 5\n4 3 2 1 .\n\"\"\"\n";
    // Some seconds from it: the search of the file generates 1,369,596,777 nodes (Korf 1985, instance 14).
    let less = "title = \"Less\"\ndomain = \"sliding-tile\"\ngoal = \"blank-first\"\nstart = \"\"\"\n\
                7 6 8 1\n11 5 14 10\n3 4 9 13\n15 2 0 12\n\"\"\"\n\
                [search]\nalgorithm = \"ida-star\"\nheuristic = \"manhattan\"\n";
    let mut desk = Desk::with(program, "best", long)?;
    desk.says("Best so far")?;
    desk.wait("/^Best so far \\d+, not proven; at least \\d+$/.test(document.getElementById('outcome').textContent)")?;
    // It is stepped through, and not replaced by the next one meanwhile.
    desk.click("#forth")?;
    desk.wait("document.getElementById('step').textContent.startsWith('1 of')")?;
    desk.wait_in_frame("document.getElementById('count').textContent === '1 move'")?;
    desk.click("#stop")?;
    desk.says("Stopped. Best so far")?;
    desk.rewrite(less)?;
    desk.says("Best so far")?;
    desk.says("Optimum")?;
    desk.wait("document.getElementById('step').textContent.startsWith('0 of')")
}

fn answers_do_not_move_the_drawing(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "still", &[])?;
    desk.begin("Rush Hour card")?;
    desk.click("#tab-draw")?;
    desk.wait("document.querySelectorAll('#cells button').length === 36")?;
    // From now on, each frame looks at where the drawing is.
    desk.value(
        "window.tops = new Set(); (function look() { \
         window.tops.add(document.getElementById('cells').getBoundingClientRect().top); requestAnimationFrame(look); })()",
    )?;
    desk.rewrite("title = \"x\"\ndomain = \"klotsky\"\n")?;
    desk.says("1 error")?;
    desk.value("document.execCommand('undo')")?;
    desk.says("Optimum 5, proven")?;
    desk.wait("document.getElementById('more').textContent.includes('optimal solutions')")?;
    desk.wait("document.getElementById('stop').hidden")?;
    let tops = desk.value("[...window.tops]")?;
    assert_eq!(tops.as_array().map(Vec::len), Some(1), "the drawing was at these heights: {tops}");
    Ok(())
}

fn keys_are_explained(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "hover", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    let place = desk.value(
        "(() => { const box = document.getElementById('text').getBoundingClientRect(); return [box.x + 16, box.y + 16]; })()",
    )?;
    desk.call("Input.dispatchMouseEvent", json!({ "type": "mouseMoved", "x": place[0], "y": place[1] }))?;
    desk.wait("document.getElementById('hover').textContent.includes('name of the puzzle')")
}

fn answers_are_remembered(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "remembered", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    let asked = "performance.getEntriesByType('resource').filter(one => one.name.includes('/run/solve')).length";
    desk.select(0, 0)?;
    desk.write("# A note\n")?;
    desk.wait(&format!("{asked} === 2"))?;
    desk.says("Optimum 5, proven")?;
    desk.value("document.execCommand('undo'); document.getElementById('outcome').textContent = ''")?;
    desk.says("Optimum 5, proven")?;
    assert_eq!(desk.value(asked)?, 2, "the text is that of before, and nothing is solved");
    // Files that the text names may be others: it is solved anew when that is asked for.
    desk.value("document.getElementById('text').focus()")?;
    desk.key("Enter", CONTROL)?;
    desk.wait(&format!("{asked} === 3"))?;
    desk.says("Optimum 5, proven")
}

fn offers_are_chosen(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "offers", &[])?;
    desk.begin("Own rules")?;
    desk.says("Optimum 8, proven")?;
    let end = desk.text()?.len();
    desk.select(end, end)?;
    let offered = "!document.getElementById('complete').hidden";
    for (key, line) in [("Enter", "tu\\n"), ("Tab", "turns[^]*")] {
        desk.key("Enter", 0)?;
        desk.key("t", 0)?;
        desk.key("u", 0)?;
        desk.wait(offered)?;
        desk.key(key, 0)?;
        desk.wait(&format!("/\\n{line}$/.test(document.getElementById('text').value) && !({offered})"))?;
    }
    Ok(())
}
