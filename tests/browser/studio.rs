//! The studio in the browser, as people use it: by real keys and clicks, until the files are on the disk.

use crate::driver::{CONTROL, Desk};
use crate::support::program::EIGHT;
use libtest_mimic::Failed;
use std::fs;
use std::path::PathBuf;

type Program = Option<PathBuf>;
/// A test: its name, and what it does.
type Test = (&'static str, fn(Program) -> Result<(), Failed>);

pub const TESTS: [Test; 13] = [
    ("the studio solves, mends and paints", studio_solves_mends_and_paints),
    ("the studio mends a mistake by the fix that it offers", mistakes_are_mended_by_the_offered_fix),
    ("the studio has one undo for the text and the drawing", undo_is_one_for_text_and_drawing),
    ("a puzzle in the studio is played to its win by keys", a_puzzle_is_won_by_keys),
    ("a search in the studio ends by Stop and by the next change", a_search_ends_by_stop_and_by_changes),
    ("the studio starts from the hardest position", the_hardest_position_becomes_the_start),
    ("the studio opens what it has exported", exports_are_opened_again),
    ("the studio asks before it loses what was changed elsewhere", a_file_changed_elsewhere_is_asked_about),
    ("two pages of the studio on one file lose nothing", two_pages_on_one_file_lose_nothing),
    ("the studio fits phones and desktops, light and dark", the_page_fits_all_sizes_and_themes),
    ("the studio is used by keys alone, with a visible focus", keys_alone_are_enough),
    ("every puzzle of the studio to begin with is right and can be saved", new_puzzles_are_right),
    ("a collection that is opened from a text or a link has its levels", a_link_with_a_collection_has_its_levels),
];

/// A puzzle whose search takes hours.
const LONG: &str = "title = \"Long\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n\
                    24 23 22 21 20\n19 18 17 16 15\n14 13 12 11 10\n9 8 7 6 5\n4 3 2 1 .\n\"\"\"\n";

fn studio_solves_mends_and_paints(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "solves", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    desk.wait("document.querySelector('#playFrame iframe') !== null")?;
    desk.click("#forth")?;
    desk.wait("document.getElementById('step').textContent.startsWith('1 of 5')")?;
    // A mistake, and its mending.
    desk.select(0, 0)?;
    desk.write("domian = 3\n")?;
    desk.says("1 error")?;
    desk.wait("document.querySelector('#paint u.error')?.textContent === 'domian'")?;
    desk.value("document.execCommand('undo')")?;
    desk.says("Optimum 5, proven")?;
    // Painting, and the same undo.
    desk.click("#tab-draw")?;
    desk.wait("document.querySelectorAll('#cells button').length === 9")?;
    desk.press("#palette", "1")?;
    desk.click("#cells button")?;
    desk.wait("document.getElementById('text').value.includes('1 4 3\\n0 2 6')")?;
    desk.wait("!document.getElementById('outcome').textContent.startsWith('Optimum 5')")?;
    desk.press("#panel-draw .bar", "Undo")?;
    desk.says("Optimum 5, proven")?;
    assert_eq!(desk.text()?, EIGHT);
    // Another program changes the file: what one has not changed is read again.
    fs::write(desk.folder.join("puzzle.toml"), format!("# theirs\n{EIGHT}"))?;
    desk.wait("document.getElementById('text').value.startsWith('# theirs')")
}

fn mistakes_are_mended_by_the_offered_fix(program: Program) -> Result<(), Failed> {
    let wrong = EIGHT.replace("sliding-tile", "slidng-tile");
    let mut desk = Desk::with(program, "fix", &wrong)?;
    desk.says("1 error")?;
    desk.wait("document.querySelector('#problems .fix') !== null")?;
    desk.wait("document.querySelector('#paint u.error')?.textContent.includes('slidng-tile')")?;
    desk.click("#problems .fix")?;
    desk.says("Optimum 5, proven")?;
    assert_eq!(desk.text()?, EIGHT, "the fix changes the wrong word alone");
    desk.value("document.execCommand('undo')")?;
    desk.says("1 error")?;
    assert_eq!(desk.text()?, wrong, "the fix is one step of undo");
    Ok(())
}

fn undo_is_one_for_text_and_drawing(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "undo", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    desk.click("#tab-draw")?;
    desk.wait("document.querySelectorAll('#cells button').length === 9")?;
    desk.press("#palette", "1")?;
    desk.click("#cells button")?;
    desk.wait("document.getElementById('text').value.includes('\\n1 4 3\\n')")?;
    let painted = desk.text()?;
    desk.select(0, 0)?;
    desk.write("# mine\n")?;
    let commented = desk.text()?;
    assert_eq!(commented, format!("# mine\n{painted}"));
    desk.wait("document.querySelectorAll('#cells button').length === 9")?;
    for (label, text) in [("Undo", painted.as_str()), ("Undo", EIGHT), ("Redo", &painted), ("Redo", &commented)] {
        desk.press("#panel-draw .bar", label)?;
        assert_eq!(desk.text()?, text, "{label} goes over what was written and what was painted, in their order");
    }
    Ok(())
}

fn a_puzzle_is_won_by_keys(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "won", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    // The page with the solution in it, which comes after the one without.
    desk.wait_in_frame("document.body.innerText.includes('optimum 5')")?;
    desk.value("document.querySelector('#playFrame iframe').focus()")?;
    for key in ["ArrowDown", "ArrowLeft", "ArrowUp", "ArrowUp"] {
        desk.key(key, 0)?;
    }
    desk.wait_in_frame("document.body.innerText.includes('4 moves')")?;
    desk.wait_in_frame("!document.body.innerText.includes('Solved')")?;
    desk.key("ArrowLeft", 0)?;
    desk.wait_in_frame("document.body.innerText.includes('Solved')")
}

fn a_search_ends_by_stop_and_by_changes(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "stop", LONG)?;
    desk.says("Solving")?;
    // The drawing does not wait for the solution.
    desk.wait("document.querySelector('#playFrame iframe') !== null")?;
    desk.click("#stop")?;
    desk.says("Stopped")?;
    desk.wait("document.getElementById('stop').hidden && !document.getElementById('longer').hidden")?;
    desk.click("#longer")?;
    desk.says("Solving")?;
    desk.rewrite(EIGHT)?;
    desk.says("Optimum 5, proven")
}

fn the_hardest_position_becomes_the_start(program: Program) -> Result<(), Failed> {
    let six = "# kept\ntitle = \"Six\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2 3\n4 . 5\n\"\"\" # kept, too\n";
    let mut desk = Desk::with(program, "hardest", six)?;
    desk.says("Optimum 1, proven")?;
    desk.click("#tab-explore")?;
    desk.press("#panel-explore", "Visit all positions")?;
    desk.press("#panel-explore", "Start from the hardest")?;
    desk.says("Optimum 21, proven")?;
    let text = desk.text()?;
    assert!(text.starts_with("# kept\n") && text.ends_with("\"\"\" # kept, too\n"), "{text}");
    Ok(())
}

fn exports_are_opened_again(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "exports", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    let downloads = desk.downloads()?;
    let begins: [(&str, &str, &[u8]); 6] = [
        ("text", "puzzle.toml", EIGHT.as_bytes()),
        ("svg", "puzzle.svg", b"<svg"),
        ("png", "puzzle.png", b"\x89PNG\r\n\x1a\n"),
        ("gif", "puzzle.gif", b"GIF89a"),
        ("page", "puzzle.html", b"<!DOCTYPE html>"),
        ("game", "puzzle.html", b"<!DOCTYPE html>"),
    ];
    for (what, name, begin) in begins {
        let file = downloads.join(name);
        if file.exists() {
            fs::remove_file(&file)?;
        }
        desk.export(what)?;
        desk.downloaded()?;
        let bytes = fs::read(&file)?;
        assert!(bytes.starts_with(begin), "{what}: {}", String::from_utf8_lossy(&bytes[..bytes.len().min(40)]));
    }
    desk.link()?;
    // Pictures and the page, as the browser shows them.
    for name in ["puzzle.svg", "puzzle.png", "puzzle.gif"] {
        desk.second(&format!("file://{}", downloads.join(name).display()))?;
        desk.wait("document.querySelector('svg') !== null || document.images[0]?.naturalWidth > 0")?;
    }
    desk.second(&format!("file://{}", downloads.join("puzzle.html").display()))?;
    desk.wait("document.getElementById('board') !== null && document.body.innerText.includes('optimum 5')")
}

fn a_file_changed_elsewhere_is_asked_about(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "elsewhere", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    let file = desk.folder.join("puzzle.toml");
    for (answer, theirs) in [("#theirs", "# theirs\n"), ("#mine", "# again theirs\n")] {
        desk.select(0, 0)?;
        desk.write("# mine\n")?;
        let mine = desk.text()?;
        fs::write(&file, format!("{theirs}{EIGHT}"))?;
        desk.wait("!document.getElementById('conflict').hidden")?;
        desk.click("#both")?;
        desk.wait(&format!("document.getElementById('other').textContent.startsWith(`{theirs}`)"))?;
        assert_eq!(desk.text()?, mine, "both texts are shown");
        desk.click(answer)?;
        desk.wait("document.getElementById('conflict').hidden")?;
        let kept = if answer == "#mine" { mine } else { format!("{theirs}{EIGHT}") };
        assert_eq!(desk.text()?, kept, "{answer}");
    }
    desk.key("s", CONTROL)?;
    desk.wait("document.getElementById('dirty').hidden")?;
    assert_eq!(fs::read_to_string(&file)?, desk.text()?, "what one keeps is saved over theirs");
    Ok(())
}

fn two_pages_on_one_file_lose_nothing(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "two", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    desk.select(0, 0)?;
    desk.write("# first\n")?;
    desk.second(&desk.address.clone())?;
    desk.wait("document.querySelectorAll('#list button').length === 1")?;
    desk.click("#list button")?;
    desk.says("Optimum 5, proven")?;
    assert_eq!(desk.text()?, EIGHT, "what is not saved is of the first page alone");
    desk.select(0, 0)?;
    desk.write("# second\n")?;
    desk.key("s", CONTROL)?;
    desk.wait("document.getElementById('dirty').hidden")?;
    desk.turn_to(0)?;
    desk.key("s", CONTROL)?;
    desk.wait("!document.getElementById('conflict').hidden")?;
    let saved = fs::read_to_string(desk.folder.join("puzzle.toml"))?;
    assert_eq!(saved, format!("# second\n{EIGHT}"), "the first page asks before it replaces what the second saved");
    desk.click("#mine")?;
    desk.key("s", CONTROL)?;
    desk.wait("document.getElementById('dirty').hidden")?;
    desk.turn_to(1)?;
    desk.wait("document.getElementById('text').value.startsWith('# first')")
}

fn the_page_fits_all_sizes_and_themes(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::with(program, "sizes", EIGHT)?;
    desk.says("Optimum 5, proven")?;
    desk.click("#tab-draw")?;
    for (width, height) in [(320, 640), (360, 740), (768, 1024), (1024, 700), (1400, 900), (2560, 1300)] {
        desk.resize(width, height)?;
        desk.wait(&format!("innerWidth === {width} && document.documentElement.scrollWidth <= {width}"))?;
        // What people need is within the page, and large enough to be met.
        for element in ["#new", "#save", "#export", "#text", "#tab-search", "#cells button"] {
            let fits = format!(
                "(() => {{ const box = document.querySelector('{element}').getBoundingClientRect(); \
                 return box.width >= 24 && box.height >= 24 && box.left >= 0 && box.right <= {width} + 1; }})()"
            );
            desk.wait(&fits).map_err(|_| format!("{element} does not fit {width} pixels"))?;
        }
    }
    for (dark, colour) in [(true, "rgb(20, 23, 28)"), (false, "rgb(255, 255, 255)")] {
        desk.darken(dark)?;
        desk.wait(&format!("getComputedStyle(document.body).backgroundColor === '{colour}'"))?;
    }
    Ok(())
}

/// Whether the element with the focus shows it.
const FOCUS: &str = "(() => { const it = document.activeElement, style = getComputedStyle(it); \
                     return it === document.body || it.tagName === 'IFRAME' || it.matches(':focus-visible') \
                     && style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2; })()";

/// Moves the focus forward by Tab until it is on an element; everything on the way shows it.
fn tab_to(desk: &mut Desk, element: &str) -> Result<(), Failed> {
    for _ in 0..80 {
        if desk.value(&format!("document.activeElement.matches(`{element}`)"))? == true {
            return Ok(());
        }
        desk.key("Tab", 0)?;
        let on = desk.value("document.activeElement.outerHTML.slice(0, 200)")?;
        assert_eq!(desk.value(FOCUS)?, true, "no focus is seen on {on}");
    }
    Err(format!("Tab does not come to {element}").into())
}

fn keys_alone_are_enough(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "keys", &[("puzzle.toml", EIGHT)])?;
    tab_to(&mut desk, "#list button")?;
    desk.key("Enter", 0)?;
    desk.says("Optimum 5, proven")?;
    tab_to(&mut desk, "#tab-play")?;
    desk.key("ArrowRight", 0)?;
    desk.wait("document.activeElement.id === 'tab-draw' && !document.getElementById('panel-draw').hidden")?;
    desk.says("Optimum 5, proven")?;
    desk.wait("document.querySelectorAll('#cells button').length === 9")?;
    tab_to(&mut desk, "#cells button")?;
    desk.key("1", 0)?;
    desk.wait("document.getElementById('text').value.includes('\\n1 4 3\\n')")?;
    tab_to(&mut desk, "#text")?;
    desk.write("#")?;
    desk.key("s", CONTROL)?;
    desk.wait("document.getElementById('dirty').hidden")?;
    let saved = fs::read_to_string(desk.folder.join("puzzle.toml"))?;
    assert_eq!(saved, desk.text()?);
    assert!(saved.len() > EIGHT.len(), "{saved}");
    // A dialog keeps the focus, and gives it back.
    tab_to(&mut desk, "#export")?;
    desk.key("Enter", 0)?;
    desk.wait("document.getElementById('dialog').open && document.activeElement.closest('dialog') !== null")?;
    assert_eq!(desk.value(FOCUS)?, true, "no focus is seen in the dialog");
    desk.key("Escape", 0)?;
    desk.wait("!document.getElementById('dialog').open && document.activeElement.id === 'export'")
}

fn new_puzzles_are_right(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "new", &[])?;
    desk.wait("document.getElementById('listSays').textContent.startsWith('No puzzles yet')")?;
    let kinds = [
        ("Rush Hour card", "my-card.toml", "Optimum 5, proven"),
        ("Sokoban level", "my-level.sok", "Optimum 3, proven"),
        ("PuzzleScript game", "my-game.ps", "Optimum 3, proven"),
        ("Sliding tiles", "my-tiles.toml", "Optimum 2, proven"),
        ("Maze", "my-maze.toml", "Optimum 6, proven"),
        ("Own rules", "my-rules.toml", "Optimum 8, proven"),
    ];
    for (at, (kind, name, answer)) in kinds.into_iter().enumerate() {
        desk.begin(kind)?;
        desk.says(answer)?;
        desk.wait("document.getElementById('problems').textContent === 'No mistakes.'")
            .map_err(|error| format!("{kind}: {}", error.message().unwrap_or_default()))?;
        if kind == "PuzzleScript game" {
            desk.level(2)?;
            desk.wait("/^Optimum (?!3,)\\d+, proven/.test(document.getElementById('outcome').textContent)")?;
        }
        desk.click("#save")?;
        desk.wait(&format!("document.querySelector('#dialog[open] #newName')?.value === '{name}'"))?;
        desk.press("#dialog", "Save")?;
        desk.wait("document.getElementById('save').disabled")?;
        assert_eq!(fs::read_to_string(desk.folder.join(name))?, desk.text()?, "{kind}");
        // A game of two levels has two lines in the list.
        let rows = at + 1 + usize::from(at >= 2);
        desk.wait(&format!("document.querySelectorAll('#list button').length === {rows}"))?;
    }
    Ok(())
}

fn a_link_with_a_collection_has_its_levels(program: Program) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "levels", &[])?;
    desk.paste("; One\n#####\n#@$.#\n#####\n\n; Two\n######\n#@$ .#\n######\n")?;
    desk.says("Optimum 1, proven")?;
    desk.level(2)?;
    desk.says("Optimum 2, proven")?;
    // The link of a level leads to that level, in games, too.
    link_leads_to_its_level(&mut desk, "Optimum 1, proven", "Optimum 2, proven")?;
    desk.begin("PuzzleScript game")?;
    desk.press("#dialog", "Leave")?;
    desk.says("Optimum 3, proven")?;
    desk.level(2)?;
    desk.wait("/^Optimum (?!3,)\\d+, proven/.test(document.getElementById('outcome').textContent)")?;
    let answer = desk.value("document.getElementById('outcome').textContent")?;
    link_leads_to_its_level(&mut desk, "Optimum 3, proven", answer.as_str().ok_or("an answer")?)
}

/// Makes a link of the second level, and opens it from the first, by their answers.
fn link_leads_to_its_level(desk: &mut Desk, first: &str, second: &str) -> Result<(), Failed> {
    let link = desk.link()?;
    desk.level(1)?;
    desk.says(first)?;
    // What New has put in is nothing of one's own.
    let is_own = desk.value("!document.getElementById('dirty').hidden")? == true;
    desk.paste(&link)?;
    if is_own {
        desk.press("#dialog", "Leave")?;
    }
    desk.says(second)?;
    desk.wait("document.getElementById('level').value === '2' && document.getElementById('level').options.length === 2")
}
