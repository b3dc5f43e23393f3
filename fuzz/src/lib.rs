//! What is fuzzed: each function takes any bytes, and fails where the engine breaks a promise.
//!
//! The fuzzer calls them with bytes that it makes up; `tests/hostile/corpus.rs` calls them with those below `corpus/`, so that
//! what once was found stays mended. A search may spend little here: what is looked for are panics and contradictions.

mod puzzles;

use engine::domain::{Folder, Observer, Progress, clear_tables, import};
use engine::puzzle::Style;
use engine::search::Limits;
use engine::{Options, Outcome, Puzzle, Solution, verify};
use puzzles::PUZZLES;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// A target by its name.
pub type Target = (&'static str, fn(&[u8]));

/// All of them.
pub const TARGETS: [Target; 6] = [
    ("loader", loader),
    ("drawings", drawings),
    ("moves", moves),
    ("transcripts", transcripts),
    ("files", files),
    ("tables", tables),
];

/// Boards with more cells take the memory that they need, and that is no mistake.
const MOST_CELLS: i64 = 1 << 12;

fn limits() -> Limits {
    Limits { nodes: Some(500), memory: Some(1 << 22), time: Some(Duration::from_millis(300)), ..Limits::default() }
}

/// Any text as a puzzle file.
pub fn loader(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    // A device that never ends is not read.
    if !text.contains("dev") {
        puzzle(text, "nowhere/fuzz.toml");
    }
}

/// Whether it asks for a board of more than a few thousand cells.
fn is_vast(text: &str) -> bool {
    let Ok(table) = text.parse::<toml::Table>() else { return false };
    let side = |key: &str| table.get(key).and_then(toml::Value::as_integer).unwrap_or(1);
    side("rows").saturating_mul(side("columns")) > MOST_CELLS
}

/// Reads a puzzle; if it is good, looks at it from all sides.
fn puzzle(text: &str, name: &str) {
    if is_vast(text) {
        return;
    }
    match Puzzle::parse(text, name) {
        Err(report) => assert!(report.render(true).contains("error"), "a report says that something is wrong"),
        Ok(puzzle) => look_at(&puzzle),
    }
}

fn look_at(puzzle: &Puzzle) {
    let cells = puzzle.size().split('x').map(|side| side.parse().unwrap_or(1_i64)).product::<i64>();
    if cells > MOST_CELLS {
        return;
    }
    let _ =
        (puzzle.states(), puzzle.is_decided(), puzzle.metric(), puzzle.draw(Style::Drawn), puzzle.draw(Style::Plain));
    if let Ok(space) = puzzle.space("zero") {
        assert_eq!(space.is_goal(), puzzle.rules().0.is_solved(), "the start is a goal for one, and not for the other");
        assert_eq!(
            puzzle.rules().0.draw().trim_end(),
            puzzle.draw(Style::Drawn).trim_end(),
            "two drawings of the start"
        );
        let _ = space.picture();
        for written in space.legal_moves(puzzle.domain().notations[0]).into_iter().take(8) {
            let next = space.after(&written, puzzle.domain().notations).expect("a legal move can be made");
            let mut rules = puzzle.rules().0;
            rules.play(&written).unwrap_or_else(|why| panic!("{written} is legal, but {why}"));
            assert_eq!(rules.is_solved(), next.is_goal(), "{written} leads to a goal, or it does not");
        }
    }
    guided(puzzle, cells);
    for moves in [None, Some(3)] {
        let _ = puzzle.scrambled(moves, 7);
    }
    let solved = puzzle.solve(&Options { limits: limits(), ..Options::default() });
    if let Ok(solution) = &solved {
        replayed(puzzle, solution);
    }
    let explored = puzzle.explore(&limits()).found;
    if let (None, Ok(solution)) = (explored.limit, &solved) {
        let can_be_solved = explored.goals > 0;
        assert!(solution.outcome() != Outcome::Solved || can_be_solved, "solved, but no goal was met");
        assert!(solution.outcome() != Outcome::Unsolvable || !can_be_solved, "a goal was met, but unsolvable");
    }
    clear_tables();
}

/// A few moves on with each heuristic, whatever the start is like.
fn guided(puzzle: &Puzzle, cells: i64) {
    // Tables of larger boards take longer than is had here.
    let is_cheap = |name: &str| cells <= 9 || !["pattern-database", "maximum", "walking-distance"].contains(&name);
    for facts in puzzle.heuristics().filter(|facts| is_cheap(facts.name)) {
        let mut space = puzzle.space(facts.name).expect("it is not refused");
        let mut rules = puzzle.rules().0;
        for _ in 0..4 {
            assert!(space.h() >= 0.0 && (!space.is_goal() || space.h() == 0.0), "{} at a goal", facts.name);
            assert_eq!(space.is_goal(), rules.is_solved(), "a goal with {}, or none", facts.name);
            let moves = space.legal_moves(puzzle.domain().notations[0]);
            let Some(written) = moves.last() else { break };
            space = space.after(written, puzzle.domain().notations).expect("a legal move can be made");
            rules.play(written).unwrap_or_else(|why| panic!("{written} is legal, but {why}"));
        }
    }
}

/// What was found is verified.
fn replayed(puzzle: &Puzzle, solution: &Solution) {
    if solution.outcome() == Outcome::Solved {
        let moves = solution.moves();
        let replayed = verify::replay(puzzle, &moves).unwrap_or_else(|why| panic!("{moves:?}: {why}"));
        assert!(solution.cost().is_some_and(|cost| (cost - replayed.cost).abs() < 1e-6), "another cost: {moves:?}");
    }
}

/// Any text as a drawing: what it is a drawing of is said by the first byte, what comes after a zero is a second one.
pub fn drawings(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (first, second) = text.split_once('\0').unwrap_or((text, text));
    let (first, second) = (toml::Value::from(first), toml::Value::from(second));
    let keys = match kind % 12 {
        0 => format!("domain = \"klotski\"\nstart = {first}\ngoal = {second}"),
        1 => format!(
            "domain = \"klotski\"\nmetric = \"turn\"\nmoves = \"lengthwise\"\nstart = {first}\ngoal = [{second}, {first}]"
        ),
        2 => format!(
            "domain = \"klotski\"\nmetric = \"step\"\nstart = {first}\ngoal = {second}\ngates = [[0, 0], [1, 1]]"
        ),
        3 => format!(
            "domain = \"klotski\"\nrows = 3\ncolumns = 4\ngoal = {{ a = [1, 1], s = [0, 0] }}\n[shapes]\ns = [{first}, {second}]\n\
             t = [{first}]\n[pieces]\na = {{ shape = \"s\", at = [0, 0] }}\nb = {{ shape = \"t\", at = [2, 0] }}"
        ),
        4 => format!("domain = \"sliding-tile\"\nstart = {first}"),
        5 => format!("domain = \"sliding-tile\"\nstart = {first}\ngoal = {second}\nsurface = \"mobius\""),
        6 => format!("domain = \"sliding-tile\"\nstart = {first}\npattern_database = {second}"),
        7 => format!("domain = \"maze\"\nmap = {first}"),
        8 => format!("domain = \"maze\"\nmap = {first}\nmoves = \"diagonal\""),
        9 => format!(
            "domain = \"permutation\"\nsolved = \"aabc\"\nstart = \"baca\"\nlayout = {first}\n[moves]\nR = {second}\nS = \"(1 2)(3 4)\""
        ),
        10 => format!(
            "domain = \"permutation\"\nsolved = {first}\nscramble = {second}\n[moves]\nR = \"(1 2 3)\"\nRe = \"(3 1)\""
        ),
        _ => format!(
            "domain = \"word-ladder\"\nstart = {first}\ngoal = {second}\nwords = [{first}, {second}, \"cat\", \"cart\"]"
        ),
    };
    puzzle(&format!("title = \"t\"\n{keys}\n"), "nowhere/fuzz.toml");
}

/// One of the puzzles, parsed once.
fn fixed(number: u8) -> (&'static str, &'static Puzzle) {
    static PARSED: OnceLock<Vec<Puzzle>> = OnceLock::new();
    let parsed = PARSED.get_or_init(|| {
        let parse = |text: &&str| Puzzle::parse(text, "fuzz.toml").unwrap_or_else(|report| panic!("{report}"));
        PUZZLES.iter().map(parse).collect()
    });
    let number = usize::from(number) % PUZZLES.len();
    (PUZZLES[number], &parsed[number])
}

/// Any text as moves, one after the other: those that the state space takes the rules take, too, and they lead to the
/// same positions.
pub fn moves(data: &[u8]) {
    let Some((number, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (_, puzzle) = fixed(*number);
    let mut space = puzzle.space("zero").expect("every puzzle has it");
    let (mut rules, _) = puzzle.rules();
    for written in text.split(' ').take(40) {
        let before = rules.draw();
        let played = rules.play(written);
        match space.after(written, puzzle.domain().notations) {
            Some(next) => {
                played.unwrap_or_else(|why| panic!("`{written}` is legal, but: {why}"));
                assert_eq!(next.draw(Style::Drawn), rules.draw(), "`{written}` leads to two positions");
                space = next;
            }
            // The rules take a way of several, of which the space writes one.
            None if played.is_ok() => return,
            None => assert_eq!(rules.draw(), before, "`{written}` is refused, and changes the position"),
        }
        assert_eq!((space.is_goal(), space.g()), (rules.is_solved(), rules.cost()), "after `{written}`");
    }
}

/// Any text as a transcript.
pub fn transcripts(data: &[u8]) {
    let Some((number, rest)) = data.split_first() else { return };
    let Ok(text) = std::str::from_utf8(rest) else { return };
    let (_, puzzle) = fixed(*number);
    match verify::verify(puzzle, "dir/fuzz.toml", text) {
        Ok(verified) => assert!(!verified.solutions.is_empty(), "nothing was verified:\n{text}"),
        Err(failure) => assert!(!failure.to_string().is_empty(), "refused without a word"),
    }
}

/// A folder that is there as long as the program runs.
fn folder() -> &'static Path {
    static FOLDER: OnceLock<tempfile::TempDir> = OnceLock::new();
    FOLDER.get_or_init(|| tempfile::tempdir().expect("there is room for a folder")).path()
}

/// One at a time: the files have the same names each time.
fn alone() -> std::sync::MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Any bytes as a file that a puzzle names; any text as a puzzle in another format.
pub fn files(data: &[u8]) {
    let Some((kind, rest)) = data.split_first() else { return };
    // A board of a million numbers is a board of a million numbers.
    let digits = |bytes: &[u8]| bytes.iter().all(u8::is_ascii_digit);
    if rest.windows(3).take(60).any(digits) {
        return;
    }
    let _alone = alone();
    fs::write(folder().join("named"), rest).expect("there is room for a file");
    let name = folder().join("fuzz.toml").display().to_string();
    let keys = match kind % 6 {
        0 => "domain = \"sliding-tile\"\nstart_file = \"named\"",
        1 => "domain = \"sliding-tile\"\nstart_file = \"named\"\nmetric = \"multi\"\ngoal = \"blank-first\"",
        2 => "domain = \"maze\"\nmap_file = \"named\"\nstart = [0, 0]\ngoal = [1, 2]",
        3 => "domain = \"maze\"\nmap_file = \"named\"\nstart = [2, 0]\ngoal = [0, 1]\nmoves = \"diagonal\"",
        4 => "domain = \"word-ladder\"\nwords = \"named\"\nstart = \"cat\"\ngoal = \"dog\"",
        _ => return imported(rest),
    };
    puzzle(&format!("title = \"t\"\n{keys}\n"), &name);
}

/// What an importer makes of a text is a puzzle.
fn imported(bytes: &[u8]) {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let foreign = folder().join("foreign");
    let foreign = import::ImportSource { text, goals: &[], folder: Folder::of(&foreign, false) };
    for importer in import::importers() {
        let recognized = (importer.recognizes)(&foreign);
        if let (Ok(keys), true) = ((importer.keys)(&foreign), recognized) {
            puzzle(&format!("title = \"t\"\n{keys}\n"), "nowhere/fuzz.toml");
        }
    }
}

/// Collects what is said.
#[derive(Default)]
struct Notes(Mutex<Vec<String>>);

impl Observer for Notes {
    fn note(&self, message: &str) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(message.to_owned());
    }

    fn progress(&self, _progress: &Progress) {}
}

/// Twelve tiles, whose one group has four million placements: a table that is kept.
const KEPT: &str = "title = \"t\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2 3 4\n5 6 7 0\n9 10 11 8\n\"\"\"\n\
    pattern_database = [[1, 2, 3, 4, 5, 6, 7]]\n[search]\nheuristic = \"pattern-database\"\n";

fn with_cache(cache: &Path, time: Option<Duration>) -> (Solution, Vec<String>) {
    let notes = Arc::new(Notes::default());
    let options = Options {
        cache: Some(cache.to_owned()),
        limits: Limits { time, ..Limits::default() },
        observer: Some(Arc::<Notes>::clone(&notes)),
        ..Options::default()
    };
    let puzzle = Puzzle::parse(KEPT, "fuzz.toml").unwrap_or_else(|report| panic!("{report}"));
    clear_tables();
    let solution = puzzle.solve(&options).expect("its heuristic is its own");
    clear_tables();
    let notes = std::mem::take(&mut *notes.0.lock().unwrap_or_else(PoisonError::into_inner));
    (solution, notes)
}

/// The file of the table as it is to be, and its bytes.
fn kept() -> &'static (PathBuf, Vec<u8>) {
    static KEPT_TABLE: OnceLock<(PathBuf, Vec<u8>)> = OnceLock::new();
    KEPT_TABLE.get_or_init(|| {
        let cache = folder().join("cache");
        let (solution, notes) = with_cache(&cache, None);
        assert_eq!((solution.cost(), &notes[..]), (Some(1.0), &[][..]));
        let file = fs::read_dir(&cache).expect("it was made").next().expect("a table is kept").expect("it can be read");
        let bytes = fs::read(file.path()).expect("it can be read");
        (file.path(), bytes)
    })
}

/// A table in the cache, damaged: cut short by the first two bytes, then four bytes for each byte that is changed; or, if
/// the first is 255, any bytes at all in its place. It is noticed, or nothing was changed.
pub fn tables(data: &[u8]) {
    let [first, second, changes @ ..] = data else { return };
    let _alone = alone();
    let (path, good) = kept();
    let mut bytes = good.clone();
    if *first == 255 {
        bytes = changes.to_vec();
    } else {
        bytes.truncate(good.len() - (usize::from(*first) << 14 | usize::from(*second)).min(good.len()));
        for change in changes.chunks_exact(4) {
            // Half of the places are in the header.
            let place = u32::from_le_bytes([change[0], change[1], change[2], 0]) as usize;
            let place = if place.is_multiple_of(2) { place % 4096 } else { place };
            if let Some(byte) = bytes.get_mut(place) {
                *byte = change[3];
            }
        }
    }
    fs::write(path, &bytes).expect("there is room for it");
    // There is no time to build it anew.
    let (solution, notes) = with_cache(path.parent().expect("a file has a folder"), Some(Duration::ZERO));
    assert!(solution.cost().is_none_or(|cost| cost == 1.0), "a damaged table makes it {:?}", solution.cost());
    let noticed = notes.iter().any(|note| note.contains("it is built anew"));
    let header =
        |bytes: &[u8]| bytes.get(..4096).and_then(|page| page.split(|&byte| byte == 0).next()).map(<[u8]>::to_vec);
    let is_good = header(&bytes) == header(good) && bytes.get(4096..) == good.get(4096..);
    assert_eq!(noticed, !is_good, "a damaged table is noticed: {notes:?}");
}
