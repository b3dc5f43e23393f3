//! Tests on texts of all kinds, valid and not.

use super::*;
use crate::puzzle::Loading;

const CARD: &str = "# A card.\ntitle = 'c'\ndomain = 'klotski'\nmetric = 'step'\nstart = '''\naab\n.cb\n...\n''' # kept\n\
    goal = '''\n...\n.aa\n...\n'''\n[expect]\ncost = 2\n";
const MAZE: &str = "title = 'm'\ndomain = 'maze'\nmap = \"\"\"\nS.\n.G\n\"\"\"\nfences = \"\"\"\n+-+-+\n|.|.|\n+ + +\n|. .|\n+-+-+\n\"\"\"\n";
const TILES: &str = "title = 't'\ndomain = 'sliding-tile'\nstart = \"\"\"\n 1  2\n 0  3\n\"\"\"\n";
const LEVELS: &str = "; one\n\n  ####\n###  #\n#@$. #\n######\n\n; two\n\n#####\n#@$.#\n#####\n";
const GAME: &str = "title g\n\n========\nOBJECTS\n========\n\nBackground\nblack\n\nWall\nbrown\n\nPlayer\nblue\n\nCrate\norange\n\n\
    Target\nyellow\n\n=======\nLEGEND\n=======\n\n. = Background\n# = Wall\nP = Player\n* = Crate\nO = Target\n@ = Crate and Target\n\n\
    =======\nSOUNDS\n=======\n\n=======\nCOLLISIONLAYERS\n=======\n\nBackground\nTarget\nPlayer, Wall, Crate\n\n=====\nRULES\n=====\n\n\
    [ > Player | Crate ] -> [ > Player | > Crate ]\n\n=======\nWINCONDITIONS\n=======\n\nAll Target on Crate\n\n=======\nLEVELS\n=======\n\n\
    message One\n\n  #####\n  #p*O#\n  #####\n\n(two)\n\n#####\n#P*O#\n#####\n";

fn file(text: &str) -> Sketch {
    let puzzle = Puzzle::parse(text, "test.toml").ok();
    Sketch::of(text, puzzle.as_ref(), None, &[]).unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn level(text: &str, number: usize) -> Sketch {
    let loading = Loading::default();
    let format = collection_of(text).expect("a collection");
    let sources = loading.levels(format, "test.txt".as_ref(), text, None).unwrap_or_default();
    let source = sources.get(number - 1);
    let puzzle = source.and_then(|source| loading.load_source(source).ok());
    let found = Sketch::of(text, puzzle.as_ref(), Some((number, source)), &[]);
    found.unwrap_or_else(|why| panic!("{why}\n{text}"))
}

fn made(mut sketch: Sketch, changes: &[Change]) -> String {
    for change in changes {
        sketch.make(*change).unwrap_or_else(|why| panic!("{change:?}: {why}"));
    }
    sketch.text()
}

fn symbol(sketch: &Sketch, sheet: usize, text: &str) -> usize {
    sketch.sheets()[sheet].symbol_of(text).unwrap_or_else(|| panic!("no symbol `{text}`"))
}

#[test]
fn a_text_without_changes_is_the_same() {
    for text in [CARD, MAZE, &CARD.replace('\n', "\r\n"), TILES] {
        assert_eq!(file(text).text(), text);
    }
    for number in [1, 2] {
        assert_eq!(level(LEVELS, number).text(), LEVELS);
        assert_eq!(level(GAME, number).text(), GAME);
    }
}

#[test]
fn blocks_are_carried_with_all_their_cells_and_pieces_change_places() {
    let moved = made(file(CARD), &[Change::Move(0, 0, 7)]);
    assert_eq!(moved, CARD.replace("aab\n.cb\n...", "..b\n.cb\n.aa"), "the cell that is held lies under the pointer");
    let mut card = file(CARD);
    assert_eq!(card.make(Change::Move(0, 0, 1)), Err("`b` is in the way".to_owned()));
    assert_eq!(card.make(Change::Move(0, 0, 8)), Err("`a` would lie beyond the edge".to_owned()));
    assert_eq!(card.make(Change::Move(0, 8, 0)), Err("there is nothing to move here".to_owned()));
    assert_eq!(card.make(Change::Move(0, 0, 99)), Err("the drawing has no such cell".to_owned()));
    assert_eq!(card.text(), CARD, "what cannot be made changes nothing");
    assert_eq!(made(file(MAZE), &[Change::Move(0, 0, 3)]), MAZE.replace("S.\n.G", "G.\n.S"));
    let crates = made(level(LEVELS, 2), &[Change::Move(0, 7, 8)]);
    assert_eq!(crates, LEVELS.replace("#@$.#", "#@ *#"), "a box is carried onto a goal");
}

#[test]
fn all_drawings_of_the_grid_change_together() {
    assert_eq!(
        made(file(CARD), &[Change::Mirror]),
        CARD.replace("aab\n.cb\n...", "baa\nbc.\n...").replace("...\n.aa\n...", "...\naa.\n...")
    );
    assert_eq!(
        made(file(CARD), &[Change::Turn]),
        CARD.replace("aab\n.cb\n...", "..a\n.ca\n.bb").replace("...\n.aa\n...", "...\n.a.\n.a.")
    );
    assert_eq!(
        made(file(CARD), &[Change::Grow(Direction::Up), Change::Shrink(Direction::Right)]),
        CARD.replace("aab\n.cb\n...", "..\naa\n.c\n..").replace("...\n.aa\n...", "..\n..\n.a\n..")
    );
    for text in [CARD, MAZE] {
        assert_eq!(made(file(text), &[Change::Turn; 4]), text);
        for change in [Change::Mirror, Change::Flip] {
            assert_eq!(made(file(text), &[change; 2]), text);
        }
        for side in Direction::ALL {
            assert_eq!(made(file(text), &[Change::Grow(side), Change::Shrink(side)]), text, "{side:?}");
        }
    }
}

#[test]
fn fences_follow() {
    let turned = made(file(MAZE), &[Change::Turn]);
    assert!(turned.contains("+-+-+\n|. .|\n+ +-+\n|. .|\n+-+-+\n"), "{turned}");
    for side in Direction::ALL {
        let grown = made(file(MAZE), &[Change::Grow(side)]);
        let puzzle = Puzzle::parse(&grown, "test.toml");
        assert!(puzzle.is_ok(), "{side:?}: {grown}");
    }
    let right = made(file(MAZE), &[Change::Grow(Direction::Right)]);
    assert!(right.contains("+-+-+-+\n|.|. .|\n+ + + +\n|. . .|\n+-+-+-+\n"), "{right}");
}

#[test]
fn what_cannot_follow_is_refused() {
    let listed = CARD.replace("metric", "walls = [[2, 2]]\nmetric");
    let mut sketch = file(&listed);
    for change in [Change::Turn, Change::Mirror, Change::Grow(Direction::Left)] {
        let why = sketch.make(change).expect_err("walls would not follow");
        assert!(why.starts_with("`walls` names cells"), "{why}");
    }
    assert_eq!(sketch.make(Change::Grow(Direction::Down)), Ok(()), "places count from above");
    let mut other = file(&CARD.replace("...\n.aa\n...\n", "...\n.aa\n"));
    assert_eq!(other.make(Change::Flip), Err("`goal` has another size than the start".to_owned()));
    let mut line = file("title = 'm'\ndomain = 'maze'\nmap = 'S.G'\n");
    assert_eq!(line.make(Change::Shrink(Direction::Up)), Err("it is the last row or column".to_owned()));
    assert_eq!(line.make(Change::Grow(Direction::Up)), Ok(()));
    assert!(line.text().ends_with("map = \"\"\"\n...\nS.G\n\"\"\"\n"), "{}", line.text());
}

#[test]
fn words_stay_in_their_columns() {
    let grown = made(file(TILES), &[Change::Grow(Direction::Right)]);
    assert!(grown.contains("\n 1 2 4\n 0 3 5\n"), "{grown}");
    assert_eq!(made(file(TILES), &[Change::Move(0, 0, 1)]), TILES.replace(" 1  2", " 2  1"));
}

#[test]
fn a_drawing_that_is_invalid_stays_and_is_painted() {
    let lost = MAZE.replace("S.", "..");
    let known: Vec<(String, Drawn)> =
        file(MAZE).sheets().iter().map(|sheet| (sheet.key.clone(), sheet.drawn.clone())).collect();
    assert!(Puzzle::parse(&lost, "test.toml").is_err());
    let mut sketch = Sketch::of(&lost, None, None, &known).expect("it is drawn");
    let start = symbol(&sketch, 0, "S");
    sketch.set(0, 1, start).expect("it is painted");
    assert_eq!(sketch.text(), lost.replace("..\n", ".S\n"));
    // Without what was known, the text has the symbols.
    let ragged = MAZE.replace("S.", "S.?").replace(".G", "G");
    let mut sketch = Sketch::of(&ragged, None, None, &[]).expect("it is drawn");
    assert_eq!((sketch.rows(), sketch.columns(), sketch.text()), (2, 3, ragged.clone()));
    let strange = symbol(&sketch, 0, "?");
    sketch.set(0, 5, strange).expect("it is painted");
    let painted = ragged.replace("S.?", "S..").replace("\nG\n", "\nG.?\n");
    assert_eq!(sketch.text(), painted, "there is one such piece, and missing cells are filled");
    assert!(Sketch::of("start = [", None, None, &[]).is_err());
    assert!(Sketch::of("title = 'x'\n", None, None, &[]).is_err());
}

#[test]
fn blocks_to_come_are_painted() {
    let mut card = file(CARD).sheets()[0].drawn.clone();
    card.add("z", &[("z", PartKind::Block)]);
    let puzzle = Puzzle::parse(CARD, "test.toml").ok();
    let mut sketch = Sketch::of(CARD, puzzle.as_ref(), None, &[("start".to_owned(), card)]).expect("it is drawn");
    let block = symbol(&sketch, 0, "z");
    for cell in [6, 7] {
        sketch.set(0, cell, block).expect("it is painted");
    }
    assert_eq!(sketch.text(), CARD.replace("aab\n.cb\n...", "aab\n.cb\nzz."));
}

#[test]
fn edits_of_levels_have_their_own_symbols() {
    let cells: [(&[&str], Option<&str>); 9] = [
        (&[".", "."], Some(" ")),
        (&[".", "x"], Some(".")),
        (&["$", "x"], Some("*")),
        (&["@", "."], Some("@")),
        (&["@", "x"], Some("+")),
        (&["#", "."], Some("#")),
        (&["#", "x"], Some("#")),
        (&["", "x"], Some(".")),
        (&["P"], Some("P")),
    ];
    for (symbols, own) in cells {
        assert_eq!(level_symbol(symbols).as_deref(), own, "{symbols:?}");
    }
}

#[test]
fn levels_are_changed_in_their_own_text() {
    let mut sketch = level(LEVELS, 1);
    assert_eq!((sketch.rows(), sketch.columns()), (4, 6));
    let man = symbol(&sketch, 0, "@");
    sketch.set(0, 9, man).expect("it is painted");
    assert_eq!(sketch.text(), LEVELS.replace("###  #\n#@$. #", "###@ #\n# $. #"), "there is one man");
    let grown = made(level(LEVELS, 2), &[Change::Grow(Direction::Left), Change::Turn]);
    assert!(
        grown.starts_with(&LEVELS[..LEVELS.len() - 18]) && grown.ends_with("\n###\n#@#\n#$#\n#.#\n###\n"),
        "{grown:?}"
    );
    let wide = made(level(LEVELS, 2), &[Change::Grow(Direction::Right), Change::Grow(Direction::Down)]);
    assert!(wide.ends_with("\n######\n#@$.##\n######\n######\n"), "new cells of a level are written: {wide:?}");
    let indented = LEVELS.replace("\n#", "\n  #");
    let mut sketch = level(&indented, 2);
    assert_eq!((sketch.rows(), sketch.columns()), (3, 5), "the cells begin at the walls");
    sketch.set(0, 8, symbol(&sketch, 0, "*")).expect("it is painted");
    assert!(sketch.text().ends_with("\n  #####\n  #@ *#\n  #####\n"), "{:?}", sketch.text());
    let mut sketch = level("; x\n\n5#|#@$.#|5#\n", 1);
    sketch.set(0, 7, symbol(&sketch, 0, " ")).expect("it is painted");
    assert_eq!(sketch.text(), "; x\n\n5#|#@-.#|5#\n", "no row with lengths has spaces");
    let mut sketch = level(GAME, 1);
    let filled = symbol(&sketch, 0, "@");
    sketch.set(0, 8, filled).expect("it is painted");
    assert_eq!(sketch.text(), GAME.replace("#p*O#", "#p.@#"), "there is one crate");
    // A level without a man, and a game with a mistake.
    let lost = LEVELS.replace("\n#@$.#", "\n# $.#");
    let mut sketch = level(&lost, 2);
    let man = symbol(&sketch, 0, "@");
    sketch.set(0, 6, man).expect("it is painted");
    assert_eq!(sketch.text(), LEVELS);
    let wrong = GAME.replace("All Target on", "All Nothing on");
    let mut sketch = level(&wrong, 2);
    assert_eq!(sketch.make(Change::Move(0, 6, 7)), Ok(()));
    assert_eq!(sketch.text(), wrong.replace("#P*O#", "#*PO#"), "a capital stays one");
}
