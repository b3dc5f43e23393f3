//! The states of the studio: what axe-core says of each, and the pictures of them in the documentation.
//!
//! axe-core comes from the npm registry when the tests run, into the folder of what is built. Where it cannot be had, its
//! test is listed as ignored.

use crate::driver::Desk;
use crate::support::program::EIGHT;
use crate::support::root;
use libtest_mimic::Failed;
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The version of axe-core.
const AXE: &str = "axe-core@4.10.3";

/// Returns the script of axe-core, which is asked for once.
pub fn axe() -> Option<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("axe");
    let script = folder.join("package/axe.min.js");
    if !script.exists() {
        fs::create_dir_all(&folder).ok()?;
        let quick = ["pack", AXE, "--silent", "--fetch-retries=0", "--fetch-timeout=20000"];
        let packed = Command::new("npm").args(quick).current_dir(&folder).stderr(Stdio::null()).output().ok()?;
        let name = String::from_utf8(packed.stdout).ok()?;
        Command::new("tar").arg("-xzf").arg(name.trim()).current_dir(&folder).stderr(Stdio::null()).status().ok()?;
    }
    script.exists().then_some(script)
}

/// A state of the studio: its name, and how one comes to it from the one before.
type State = (&'static str, fn(&mut Desk) -> Result<(), Failed>);

/// The states, of which each has a picture.
const STATES: [State; 5] = [
    ("play", |desk| {
        desk.begin("Rush Hour card")?;
        desk.says("Optimum 5, proven")?;
        desk.wait("document.getElementById('more').textContent.includes('optimal solutions')")?;
        desk.wait_in_frame("document.body.innerText.includes('optimum 5')")
    }),
    ("mistake", |desk| {
        let at = desk.text()?.find("klotski").ok_or("the domain")?;
        desk.select(at, at + "klotski".len())?;
        desk.write("klotsky")?;
        desk.says("1 error")?;
        desk.wait("document.querySelector('#problems .fix')?.textContent === 'Replace “klotsky” by “klotski”'")
    }),
    ("draw", |desk| {
        desk.click("#problems .fix")?;
        desk.begin("Sokoban level")?;
        desk.says("Optimum 3, proven")?;
        desk.click("#tab-draw")?;
        desk.wait("document.querySelectorAll('#cells button').length === 35")?;
        desk.wait("document.querySelectorAll('#cells .dead').length > 0")
    }),
    ("edits", |desk| {
        desk.click("#tab-edits")?;
        desk.press("#panel-edits", "Show what each edit does")?;
        desk.press("#panel-edits", "Show on the drawing")?;
        desk.wait("document.querySelectorAll('#cells .unsolvable, #cells .shorter, #cells .longer').length > 0")
    }),
    ("explore", |desk| {
        desk.click("#tab-explore")?;
        desk.press("#panel-explore", "Visit all positions")?;
        desk.wait(
            "Math.max(...[...document.querySelectorAll('#panel-explore .bars i')].map(bar => bar.offsetHeight)) > 50",
        )?;
        desk.wait("document.getElementById('panel-explore').textContent.includes('Start from the hardest')")
    }),
];

/// Goes through the states. `UPDATE_PICTURES=1` stores what they look like; otherwise each has a picture, which the page of
/// the studio shows. Their bytes are not compared: each machine draws letters in its own way.
pub fn every_state_has_a_picture(program: Option<PathBuf>) -> Result<(), Failed> {
    let mut desk = Desk::open(program, "pictures", &[("tiles.toml", EIGHT)])?;
    desk.darken(false)?;
    desk.resize(1180, 700)?;
    let update = std::env::var_os("UPDATE_PICTURES").is_some();
    let page = fs::read_to_string(root().join("docs/studio.md"))?;
    for (name, come) in STATES {
        come(&mut desk).map_err(|error| format!("{name}: {}", error.message().unwrap_or_default()))?;
        let file = root().join("docs/studio").join(name).with_extension("png");
        if update {
            desk.wait("document.querySelector('#list img') !== null")?;
            let shot = desk.call("Page.captureScreenshot", json!({ "format": "png", "optimizeForSpeed": false }))?;
            let bytes = decoded(shot["data"].as_str().ok_or("a picture")?);
            fs::create_dir_all(root().join("docs/studio"))?;
            fs::write(&file, bytes)?;
        }
        assert!(file.exists(), "{name} has no picture: UPDATE_PICTURES=1 cargo test --test browser picture stores it");
        assert!(page.contains(&format!("(studio/{name}.png)")), "docs/studio.md does not show {name}");
    }
    let stored = fs::read_dir(root().join("docs/studio"))?.count();
    assert_eq!(stored, STATES.len(), "docs/studio has pictures of these states alone");
    Ok(())
}

/// Decodes base 64.
fn decoded(text: &str) -> Vec<u8> {
    let value = |letter: &u8| match letter {
        b'A'..=b'Z' => Some(letter - b'A'),
        b'a'..=b'z' => Some(letter - b'a' + 26),
        b'0'..=b'9' => Some(letter - b'0' + 52),
        b'+' => Some(62),
        b'/' => Some(63),
        _ => None,
    };
    let values: Vec<u8> = text.as_bytes().iter().filter_map(value).collect();
    let group = |four: &[u8]| {
        let bits = four.iter().enumerate().fold(0, |bits: u32, (at, &six)| bits | u32::from(six) << (18 - 6 * at));
        bits.to_be_bytes()[1..four.len()].to_vec()
    };
    values.chunks(4).flat_map(group).collect()
}

/// What axe-core has against the page, by the rules whose breach is serious or critical.
const SERIOUS: &str = "axe.run(document, { iframes: false }).then(found => found.violations\
    .filter(one => one.impact === 'serious' || one.impact === 'critical')\
    .map(one => `${one.id}: ${one.help}: ${one.nodes.map(node => node.target + ' ' + (node.any[0]?.message ?? '')).join('; ')}`))";

pub fn axe_finds_nothing_serious(program: Option<PathBuf>, axe: Option<PathBuf>) -> Result<(), Failed> {
    let axe = axe.ok_or("axe-core cannot be had: npm or the network is missing")?;
    let script = fs::read_to_string(axe)?;
    let mut desk =
        Desk::open(program, "axe", &[("tiles.toml", EIGHT), ("wrong.toml", "title = \"Wrong\"\ndomain = \"\"\n")])?;
    desk.value(&script)?;
    let mut found = Vec::new();
    let mut look = |desk: &mut Desk, name: &str| -> Result<(), Failed> {
        for dark in [false, true] {
            desk.darken(dark)?;
            let asked = desk.value(SERIOUS)?;
            let all = asked.as_array().ok_or("axe-core has answered")?;
            found.extend(all.iter().map(|one| format!("{name}, {}: {one}", if dark { "dark" } else { "light" })));
        }
        desk.darken(false)
    };
    look(&mut desk, "empty")?;
    for (name, come) in STATES {
        come(&mut desk).map_err(|error| format!("{name}: {}", error.message().unwrap_or_default()))?;
        look(&mut desk, name)?;
    }
    for (tab, label) in [("rate", "Rate"), ("minimize", "Take away what is not needed"), ("search", "Show the search")]
    {
        desk.click(&format!("#tab-{tab}"))?;
        desk.press(&format!("#panel-{tab}"), label)?;
        desk.wait(&format!("document.querySelector('#panel-{tab} :is(table, pre, iframe)') !== null"))?;
        look(&mut desk, tab)?;
    }
    for dialog in ["#new", "#open", "#export"] {
        desk.click(dialog)?;
        desk.wait("document.getElementById('dialog').open")?;
        look(&mut desk, dialog)?;
        desk.press("#dialog", "Cancel")?;
    }
    desk.value("document.getElementById('text').focus()")?;
    desk.resize(360, 740)?;
    look(&mut desk, "phone")?;
    assert!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}
