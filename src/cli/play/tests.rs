//! The screen without a terminal: the drawing of every domain, and the effects of keys and the mouse, at any size.

use super::app::{App, Left, LevelPlace, Mode, Over};
use super::menu::{Facts, Menu};
use super::palette::{Hues, Palette};
use super::records::{Best, Record, Records};
use super::session::{Session, Setting};
use super::{Status, view};
use crate::domain::{SplitMix64, registered};
use crate::play::{Game, Known};
use crate::puzzle::{Loading, Notation, Options, Puzzle, Source};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers, MouseButton, MouseEvent, MouseEventKind};
use ratatui::style::{Color, Modifier};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

/// One puzzle of every domain.
const FILES: [&str; 7] = [
    "blocks/gate",
    "eight-puzzle/05-moves",
    "mazes/terrain",
    "permutation/pocket-cube",
    "puzzlescript/crates-1",
    "rules/sokoban-two-rooms",
    "words/cube-tubes",
];

fn app(file: &str, palette: Palette) -> App {
    let file = format!("{}/puzzles/{file}.toml", env!("CARGO_MANIFEST_DIR"));
    let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
    started(puzzle, palette)
}

fn started(puzzle: Puzzle, palette: Palette) -> App {
    let game = Game::new(Arc::new(puzzle), Notation::STANDARD);
    App::new(game, Options::default(), palette, Record::default(), None)
}

fn drawn(app: &mut App, width: u16, height: u16) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test terminal can be made");
    terminal.draw(|frame| view::draw(app, frame)).expect("the screen can be drawn");
    terminal.backend().buffer().clone()
}

fn screen(app: &mut App, width: u16, height: u16) -> String {
    let buffer = drawn(app, width, height);
    let rows = buffer.content().chunks(width.into());
    rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned() + "\n").collect()
}

fn press(app: &mut App, codes: &[KeyCode]) {
    for &code in codes {
        app.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), Instant::now());
    }
}

fn control(app: &mut App, letter: char) {
    app.handle(&Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)), Instant::now());
}

fn letters(app: &mut App, text: &str) {
    text.chars().for_each(|letter| press(app, &[KeyCode::Char(letter)]));
}

fn mouse(app: &mut App, kind: MouseEventKind, (column, row): (u16, u16)) {
    app.handle(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }), Instant::now());
}

fn drag(app: &mut App, from: (u16, u16), to: (u16, u16)) {
    mouse(app, MouseEventKind::Down(MouseButton::Left), from);
    mouse(app, MouseEventKind::Up(MouseButton::Left), to);
}

/// Returns the place of a text on the screen.
fn find(screen: &str, text: &str) -> (u16, u16) {
    let (row, line) =
        screen.lines().enumerate().find(|(_, line)| line.contains(text)).expect("the text is on the screen");
    let at = line.find(text).expect("the line contains the text");
    (line[..at].chars().count() as u16, row as u16)
}

#[test]
fn every_domain_is_drawn_beside_its_panel() {
    let domains: BTreeSet<&str> =
        FILES.iter().map(|file| app(file, Palette::BARE).game.puzzle().domain().name).collect();
    assert_eq!(domains.into_iter().collect::<Vec<_>>(), registered(), "one puzzle of every domain");
    for file in FILES {
        let mut app = app(file, Palette::BARE);
        press(&mut app, &[KeyCode::Tab]);
        insta::assert_snapshot!(format!("wide {}", file.replace('/', " ")), screen(&mut app, 80, 20));
        insta::assert_snapshot!(format!("narrow {}", file.replace('/', " ")), screen(&mut app, 40, 12));
    }
}

#[test]
fn every_screen_size_can_be_drawn() {
    for file in FILES {
        let mut app = app(file, Palette::TRUE);
        for over in [Over::Nothing, Over::Help(3), Over::Goal(1), Over::Again, Over::Won] {
            for (width, height) in
                (1..24).flat_map(|width| (1..9).map(move |height| (width, height))).chain([(300, 90)])
            {
                app.over = over;
                drawn(&mut app, width, height);
                drag(&mut app, (width - 1, height - 1), (0, 0));
            }
        }
    }
}

#[test]
fn pieces_are_coloured_only_with_colours() {
    for file in FILES {
        for palette in [Palette::BARE, Palette::INDEXED, Palette::TRUE] {
            let buffer = drawn(&mut app(file, palette), 80, 24);
            let colours = buffer.content().iter().flat_map(|cell| [cell.fg, cell.bg]);
            let colours: Vec<Color> = colours.filter(|&colour| colour != Color::Reset).collect();
            let fits = |colour: &Color| match palette {
                Palette::TRUE => matches!(colour, Color::Rgb(..)),
                _ => palette == Palette::INDEXED && matches!(colour, Color::Indexed(16..)),
            };
            assert!(colours.iter().all(fits), "{file} {palette:?}");
            assert_eq!(colours.is_empty(), palette == Palette::BARE, "{file} {palette:?}");
        }
    }
}

#[test]
fn a_game_is_won_with_keys_and_restarted() {
    let mut app = app("blocks/gate", Palette::BARE);
    press(&mut app, &[KeyCode::Left]);
    assert_eq!(app.message, "nothing can go left");
    letters(&mut app, "b");
    assert!(app.selected.is_some());
    press(&mut app, &[KeyCode::Up, KeyCode::Right, KeyCode::Right, KeyCode::Right]);
    assert_eq!(app.over, Over::Won);
    insta::assert_snapshot!("won", screen(&mut app, 80, 20));
    insta::assert_snapshot!("won tiny", screen(&mut app, 20, 6));
    letters(&mut app, "z");
    assert_eq!((app.over, app.game.made().len()), (Over::Nothing, 3));
    letters(&mut app, "zzy");
    assert_eq!(app.game.made(), ["bu1", "ar1"]);
    letters(&mut app, "n");
    assert!(app.game.made().is_empty(), "few moves are discarded without a question");
    letters(&mut app, ":bd1");
    press(&mut app, &[KeyCode::Enter]);
    assert_eq!(app.game.made(), ["bd1"]);
    letters(&mut app, "bq");
    assert_eq!(app.left, Some(Left::Quit));
}

#[test]
fn discarding_many_moves_needs_confirmation() {
    let mut app = app("mazes/terrain", Palette::BARE);
    while app.game.made().len() < 6 {
        let written = app.game.legal()[0].clone();
        app.play(&written);
    }
    letters(&mut app, "nx");
    assert_eq!(app.game.made().len(), 6);
    letters(&mut app, "ny");
    assert_eq!(app.game.made().len(), 0);
}

#[test]
fn words_are_typed_and_chosen() {
    let mut app = app("words/cube-tubes", Palette::BARE);
    letters(&mut app, "tu");
    assert!(screen(&mut app, 80, 24).contains("> tu_"));
    press(&mut app, &[KeyCode::Enter]);
    assert_eq!(app.game.made(), ["tube"], "the first move that begins so");
    press(&mut app, &[KeyCode::Backspace]);
    assert!(app.game.made().is_empty());
    letters(&mut app, "qqq");
    press(&mut app, &[KeyCode::Enter]);
    assert!(app.message.starts_with("qqq: "), "{}", app.message);
    let shown = screen(&mut app, 80, 24);
    let place = find(&shown, "rube");
    drag(&mut app, place, place);
    assert_eq!(app.game.made(), ["rube"]);
    control(&mut app, 'z');
    press(&mut app, &[KeyCode::End, KeyCode::Enter]);
    assert_eq!(app.game.made().first(), app.game.made().last());
    control(&mut app, 'c');
    assert_eq!(app.left, Some(Left::Interrupted));
}

#[test]
fn moves_of_one_letter_are_distinguished_from_longer_ones() {
    let mut app = app("permutation/pocket-cube", Palette::BARE);
    for (typed, played) in [("R", "R"), ("u'", "U'"), ("R2", "R2"), ("R3", "R'")] {
        letters(&mut app, typed);
        press(&mut app, &[KeyCode::Enter]);
        assert_eq!(app.game.made().last().map(String::as_str), Some(played));
    }
}

#[test]
fn tiles_are_clicked_and_dragged_where_they_are_drawn() {
    let mut app = app("eight-puzzle/05-moves", Palette::BARE);
    let movable = |app: &App| app.game.legal()[0].clone();
    for (width, height) in [(80, 24), (40, 12), (20, 6)] {
        let written = movable(&app);
        let label = &written[..1];
        let placed = drawn(&mut app, width, height);
        let area = app.placed.expect("the board is drawn").area;
        let at = area.positions().find(|&place| placed[place].symbol() == label).expect("the tile is drawn");
        drag(&mut app, (at.x, at.y), (at.x, at.y));
        assert_eq!(app.game.made().last(), Some(&written), "{width}x{height}");
    }
    let mut app = self::app("blocks/gate", Palette::BARE);
    let shown = screen(&mut app, 80, 24);
    let (x, y) = find(&shown, " b ");
    drag(&mut app, (x + 1, y), (x + 1, y - 3));
    assert_eq!(app.game.made(), ["bu1"]);
}

#[test]
fn presses_of_keys_are_made_by_arrows_and_letters_whatever_they_do() {
    let mut app = app("puzzlescript/crates-1", Palette::BARE);
    let shown = screen(&mut app, 80, 24);
    assert!(["#", "p", "*", "o", "g"].iter().all(|object| shown.contains(object)), "{shown}");
    press(&mut app, &[KeyCode::Right, KeyCode::Right, KeyCode::Right]);
    letters(&mut app, "llzld");
    assert_eq!(app.game.made(), ["right", "right", "right", "left", "left", "down"]);
}

#[test]
fn sprites_are_drawn_in_their_colours_over_those_below() {
    let mut app = app("puzzlescript/crates-1", Palette::TRUE);
    let buffer = drawn(&mut app, 80, 26);
    let has = |colour: [u8; 3]| {
        let colour = Color::from(colour);
        buffer.content().iter().filter(|cell| cell.symbol() == "▀" && (cell.fg == colour || cell.bg == colour)).count()
    };
    let (crate_, below) = ([0xeb, 0x89, 0x31], [0x44, 0x89, 0x1a]);
    assert!(has(crate_) > 0 && has(below) > 0);
    let crates = buffer.content().iter();
    let both = [Color::from(crate_), Color::from(below)];
    assert!(crates.clone().any(|cell| both == [cell.fg, cell.bg]), "the floor shows through a crate");
}

#[test]
fn a_hint_marks_the_piece_and_plays_it_the_second_time() {
    let mut app = app("blocks/gate", Palette::BARE);
    letters(&mut app, "h");
    assert_eq!(app.message, "still searching");
    while app.guide.find(&app.game).is_none() {}
    app.tick(Instant::now());
    let hinted = app.hinted.clone().expect("the hint appears by itself");
    let buffer = drawn(&mut app, 80, 24);
    assert!(buffer.content().iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
    letters(&mut app, "h");
    assert_eq!(app.game.made(), [hinted]);
}

#[test]
fn a_solution_plays_to_its_end_at_the_chosen_pace() {
    let mut app = app("blocks/gate", Palette::BARE);
    app.guide.find(&app.game);
    let start = Instant::now();
    app.handle(&Event::Key(KeyEvent::new(KeyCode::Char('w'), KeyModifiers::NONE)), start);
    app.tick(start);
    app.tick(start + Duration::from_millis(10));
    assert_eq!(app.game.made().len(), 1, "one move at a time");
    assert!(app.next_tick().is_some());
    letters(&mut app, "+-x");
    assert_eq!((app.next_tick(), &*app.message), (None, "stopped"));
    let mut now = start;
    app.handle(&Event::Key(KeyEvent::new(KeyCode::F(3), KeyModifiers::NONE)), now);
    while app.over != Over::Won {
        now += Duration::from_secs(1);
        app.is_stale = false;
        app.tick(now);
        assert!(app.is_stale, "every move is drawn");
    }
    assert_eq!((app.game.cost(), app.next_tick()), (4.0, None));
    assert!(matches!(app.guide.known(&app.game), Some(Known::Path { next: None, .. })));
}

#[test]
fn a_lamp_is_pressed_with_the_mouse_or_the_cursor() {
    let mut app = app("rules/lights-out", Palette::BARE);
    assert_eq!((app.mode, app.cursor), (Mode::Cursor, Some((0, 0))));
    drawn(&mut app, 80, 24);
    let area = app.placed.expect("the board is drawn").area;
    drag(&mut app, (area.right() - 1, area.bottom() - 1), (area.right() - 1, area.bottom() - 1));
    assert_eq!((app.game.made(), app.cursor), (&["press 4,4".to_owned()][..], Some((4, 4))));
    press(&mut app, &[KeyCode::Up, KeyCode::Left, KeyCode::Enter]);
    assert_eq!(app.game.made().last().map(String::as_str), Some("press 3,3"));
    app.handle(&Event::Key(KeyEvent::new(KeyCode::Left, KeyModifiers::SHIFT)), Instant::now());
    letters(&mut app, " ");
    assert_eq!(app.game.made().last().map(String::as_str), Some("press 3,0"));
    letters(&mut app, ":press 0,0");
    press(&mut app, &[KeyCode::Enter]);
    assert_eq!(app.game.made().last().map(String::as_str), Some("press 0,0"));
    mouse(&mut app, MouseEventKind::Down(MouseButton::Right), (0, 0));
    assert_eq!(app.game.made().len(), 3, "the right button undoes a move");
}

#[test]
fn a_click_that_fits_several_moves_offers_them() {
    let mut app = app("rules/english-peg-solitaire", Palette::BARE);
    drawn(&mut app, 80, 40);
    let area = app.placed.expect("the board is drawn").area;
    let hole = (area.x + area.width / 2, area.y + area.height / 2);
    drag(&mut app, hole, hole);
    assert_eq!(app.offered.as_ref().map(Vec::len), Some(4));
    let shown = screen(&mut app, 80, 40);
    assert!(shown.contains("4 moves fit. Choose one"), "{shown}");
    let place = find(&shown, "jump 3,5 left");
    drag(&mut app, place, place);
    assert_eq!((app.game.made(), &app.offered), (&["jump 3,5 left".to_owned()][..], &None));
    letters(&mut app, "z");
    drag(&mut app, hole, hole);
    press(&mut app, &[KeyCode::Tab, KeyCode::Enter]);
    assert_eq!(app.game.made(), ["jump 3,1 right"], "the second one is chosen");
    letters(&mut app, "z");
    drag(&mut app, hole, hole);
    press(&mut app, &[KeyCode::Esc]);
    assert_eq!((app.offered.is_none(), app.left), (true, None));
}

#[test]
fn a_peg_that_jumped_stays_selected() {
    let mut app = app("rules/english-peg-solitaire", Palette::BARE);
    let peg = app.game.picture().and_then(|picture| picture.figure_on((3, 1))).expect("a peg").key;
    app.selected = Some(peg);
    press(&mut app, &[KeyCode::Right]);
    assert_eq!(app.game.made(), ["jump 3,1 right"]);
    assert_eq!(app.selected.and_then(|key| app.game.figure(key)).map(|figure| figure.at), Some((3, 3)));
}

#[test]
fn the_list_stands_beside_the_board_where_arrows_do_not_reach_every_move() {
    let mut knights = app("rules/four-knights", Palette::BARE);
    for (width, height) in [(80, 24), (40, 16)] {
        let shown = screen(&mut knights, width, height);
        assert!(shown.contains("b 0,0 to 1,2") && shown.contains("w 2,2 to 1,0"), "{shown}");
    }
    letters(&mut knights, ":w");
    press(&mut knights, &[KeyCode::Tab, KeyCode::Enter]);
    assert_eq!(knights.game.made().len(), 1);
    assert!(knights.game.made()[0].starts_with('w'));
    let mut pegs = app("rules/english-peg-solitaire", Palette::BARE);
    assert!(!screen(&mut pegs, 80, 40).contains("jump 1,3"), "arrows reach every jump");
}

#[test]
fn a_click_on_a_far_cell_walks_there() {
    let mut app = app("rules/sokoban-two-rooms", Palette::BARE);
    drawn(&mut app, 80, 24);
    let area = app.placed.expect("the board is drawn").area;
    let (width, height) = (area.width / 8, area.height / 6);
    let corner = (area.x + width + width / 2, area.y + height + height / 2);
    drag(&mut app, corner, corner);
    assert_eq!(app.game.made(), ["walk left", "walk up", "walk up"]);
    assert_eq!(app.message, "3. walk up, after a walk of 3 moves");
    letters(&mut app, "z");
    assert_eq!((app.game.made().len(), &*app.message), (0, "a walk of 3 moves undone"));
    letters(&mut app, "y");
    assert_eq!((app.game.made().len(), &*app.message), (3, "3. walk up, after a walk of 3 moves"));
}

#[test]
fn a_checkpoint_is_returned_to_and_everything_can_be_redone() {
    let mut app = app("blocks/gate", Palette::BARE);
    letters(&mut app, ",");
    assert_eq!(app.message, "no checkpoint yet. Press . to set one");
    app.play("bu1");
    letters(&mut app, ".");
    assert_eq!(app.message, "checkpoint after 1 move. Press , to return to it");
    app.play("ar1");
    app.play("ar1");
    letters(&mut app, ",");
    assert_eq!(app.game.made(), ["bu1"]);
    letters(&mut app, "yn");
    assert!(app.game.made().is_empty());
    letters(&mut app, "yyy");
    assert_eq!(app.game.made(), ["bu1", "ar1", "ar1"]);
    press(&mut app, &[KeyCode::F(6)]);
    assert_eq!(app.game.made(), ["bu1"]);
}

#[test]
fn hints_earn_no_stars() {
    let mut app = app("blocks/gate", Palette::BARE);
    app.guide.find(&app.game);
    letters(&mut app, "hh");
    letters(&mut app, "a");
    press(&mut app, &[KeyCode::Right, KeyCode::Right, KeyCode::Right]);
    let shown = screen(&mut app, 80, 24);
    assert!(shown.contains("with hints") && !shown.contains('★'), "{shown}");
    assert!(app.record().solved && app.record().best.is_none());
    letters(&mut app, "n");
    for written in ["bu1", "ar1", "ar1", "ar1"] {
        app.play(written);
    }
    assert!(screen(&mut app, 80, 24).contains("★ ★ ★"));
    assert_eq!(app.record().best.map(|best| best.moves), Some(4));
    let mut again = self::app("blocks/gate", Palette::BARE);
    again.guide.find(&again.game);
    letters(&mut again, "hhnyyy");
    assert!(again.is_helped(), "a hint that is redone is a hint");
}

#[test]
fn moves_and_costs_are_counted_apart() {
    let mut app = app("mazes/terrain", Palette::BARE);
    app.guide.find(&app.game);
    app.tick(Instant::now());
    let words = |shown: &str| shown.split_whitespace().map(str::to_owned).collect::<Vec<_>>().join(" ");
    let shown = words(&screen(&mut app, 80, 24));
    assert!(shown.contains("moves 0") && shown.contains("to go 12") && shown.contains("optimum 12"), "{shown}");
    let file = format!("{}/puzzles/mazes/terrain-diagonal.toml", env!("CARGO_MANIFEST_DIR"));
    let mut app = started(Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}")), Palette::BARE);
    app.guide.find(&app.game);
    app.tick(Instant::now());
    let shown = screen(&mut app, 100, 24);
    let row = |name: &str| words(shown.lines().find(|line| line.contains(name)).expect("the row is on the screen"));
    assert!(row("moves").ends_with("moves cost"), "{shown}");
    assert!(row("made").ends_with("made 0 0") && row("to go").ends_with("to go 11 12.66"), "{shown}");
    assert!(row("optimum").ends_with("optimum 12.66"), "{shown}");
}

#[test]
fn a_small_screen_keeps_the_player_and_the_goal() {
    let text = format!(
        "title = \"m\"\ndomain = \"maze\"\nmap = \"\"\"\n{}\nS...G{}\n{}\n\"\"\"\n",
        "#".repeat(60),
        ".".repeat(55),
        "#".repeat(60)
    );
    let puzzle = || Puzzle::parse(&text, "maze").unwrap_or_else(|report| panic!("{report}"));
    let mut app = started(puzzle(), Palette::BARE);
    assert!(screen(&mut app, 24, 8).contains("● · · · G"));
    for _ in 0..30 {
        app.play("r");
    }
    let shown = screen(&mut app, 24, 8);
    assert!(shown.contains('●') && !shown.contains('G'), "{shown}");
}

fn folder_of_levels() -> (tempfile::TempDir, Vec<Source>) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, start) in [("a", "1 2 3\n4 5 6\n7 . 8"), ("b", "1 2 3\n4 . 6\n7 5 8"), ("c", "1 . 2\n4 5 3\n7 8 6")] {
        let text = format!("title = \"Level {name}\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n{start}\n\"\"\"\n");
        std::fs::write(folder.path().join(format!("{name}.toml")), text).expect("the file is written");
    }
    let sources = ["a", "b", "c"].map(|name| Source::file(&folder.path().join(format!("{name}.toml"))));
    (folder, sources.to_vec())
}

fn session(sources: &[Source], records: &Records) -> Session<'static> {
    let menu = Menu::new("Three levels".to_owned(), "three".to_owned(), sources.to_vec(), records);
    let load = |source: &Source| {
        let puzzle = Loading::default().load_source(source).map_err(|report| report.messages())?;
        Ok(Game::new(Arc::new(puzzle), Notation::STANDARD))
    };
    let facts = |source: &Source| {
        let size = Loading::default().load_source(source).map_or_else(|_| String::new(), |puzzle| puzzle.size());
        Facts { size, optimum: String::new() }
    };
    let (options, palette, records) = (Options::default(), Palette::BARE, records.clone());
    let setting = Setting { options, palette, records, load: Box::new(load), facts: Box::new(facts) };
    Session::of_menu(menu, setting)
}

fn shown(session: &mut Session, width: u16, height: u16) -> String {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).expect("a test terminal can be made");
    terminal.draw(|frame| session.draw(frame)).expect("the screen can be drawn");
    let buffer = terminal.backend().buffer().clone();
    let rows = buffer.content().chunks(width.into());
    rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned() + "\n").collect()
}

fn keys(session: &mut Session, codes: &[KeyCode]) {
    for &code in codes {
        session.handle(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)), Instant::now());
        shown(session, 80, 24);
        session.tick(Instant::now());
    }
}

#[test]
fn levels_are_played_one_after_the_other_and_resumed() {
    let (folder, sources) = folder_of_levels();
    let records = Records::at(folder.path().join("play.json"));
    let mut first = session(&sources, &records);
    insta::assert_snapshot!("menu", shown(&mut first, 80, 12));
    keys(&mut first, &[KeyCode::Enter]);
    let level = first.app.as_ref().expect("the level is read").level;
    assert_eq!(level, Some(LevelPlace { index: 0, count: 3 }));
    if let Some(app) = &mut first.app {
        app.guide.find(&app.game);
    }
    first.tick(Instant::now());
    keys(&mut first, &[KeyCode::Left]);
    assert!(shown(&mut first, 80, 24).contains("Enter next level"));
    keys(&mut first, &[KeyCode::Enter]);
    let title = |session: &Session| session.app.as_ref().map(|app| app.game.puzzle().title().to_owned());
    assert_eq!(title(&first).as_deref(), Some("Level b"));
    keys(&mut first, &[KeyCode::Right, KeyCode::Char('q')]);
    assert!(first.app.is_none());
    let list = shown(&mut first, 80, 12);
    assert!(list.contains("★★★ 1. Level a") && list.contains("1 move, 0:00"), "{list}");
    assert!(list.contains(" …  2. Level b") && list.contains("left after 1 move"), "{list}");
    assert!(list.contains("1 of 3 solved, 3 of 9 stars"), "{list}");
    keys(&mut first, &[KeyCode::Char('q')]);
    assert_eq!(first.ended, Some(Status::Good));

    let mut second = session(&sources, &records);
    assert!(shown(&mut second, 80, 12).contains("Enter goes on where you stopped"));
    keys(&mut second, &[KeyCode::Enter]);
    assert_eq!(title(&second).as_deref(), Some("Level b"));
    assert_eq!(second.app.as_ref().map(|app| app.game.made().len()), Some(1));
    keys(&mut second, &[KeyCode::F(8)]);
    assert_eq!(title(&second).as_deref(), Some("Level c"));
    keys(&mut second, &[KeyCode::F(8)]);
    assert_eq!(second.app.as_ref().map(|app| &*app.message), Some("this is the last level"));
    keys(&mut second, &[KeyCode::F(7), KeyCode::F(7)]);
    assert_eq!(title(&second).as_deref(), Some("Level a"));
    assert_eq!(second.app.as_ref().and_then(|app| app.record.best).map(|best| best.moves), Some(1));
    second.handle(&Event::Key(KeyEvent::new(KeyCode::Char('q'), KeyModifiers::CONTROL)), Instant::now());
    assert_eq!(second.ended, Some(Status::Good));
}

#[test]
fn the_list_of_levels_takes_keys_and_clicks_and_reports_a_bad_level() {
    let (folder, mut sources) = folder_of_levels();
    let bad = folder.path().join("d.toml");
    std::fs::write(&bad, "title = \"Level d\"\n").expect("the file is written");
    sources.push(Source::file(&bad));
    let mut session = session(&sources, &Records::default());
    for (width, height) in (1..24).flat_map(|width| (1..10).map(move |height| (width, height))) {
        shown(&mut session, width, height);
    }
    keys(&mut session, &[KeyCode::End, KeyCode::Enter]);
    assert!(session.app.is_none());
    assert!(shown(&mut session, 80, 12).contains("missing key `domain`"), "{}", shown(&mut session, 80, 12));
    keys(&mut session, &[KeyCode::Home, KeyCode::Tab]);
    assert_eq!(session.menu.as_ref().map(|menu| menu.chosen), Some(1));
    let list = shown(&mut session, 80, 12);
    let (column, row) = find(&list, "Level c");
    let click = MouseEvent { kind: MouseEventKind::Up(MouseButton::Left), column, row, modifiers: KeyModifiers::NONE };
    session.handle(&Event::Mouse(click), Instant::now());
    shown(&mut session, 80, 12);
    session.tick(Instant::now());
    assert_eq!(session.app.as_ref().map(|app| app.game.puzzle().title()), Some("Level c"));
    keys(&mut session, &[KeyCode::Esc, KeyCode::Esc]);
    assert_eq!(session.ended, Some(Status::Good));
}

#[test]
fn levels_are_listed_below_the_names_of_their_folders_with_the_optimum() {
    let folder = tempfile::tempdir().expect("a folder");
    let mut sources = Vec::new();
    for (name, cost) in [("a/one", 1), ("a/two", 2), ("b/three", 3)] {
        let file = folder.path().join(name).with_extension("toml");
        std::fs::create_dir_all(file.parent().expect("a folder")).expect("the folder is made");
        std::fs::write(&file, format!("title = \"{name}\"\n[expect]\ncost = {cost}\n")).expect("the file is written");
        sources.push(Source::file(&file));
    }
    let records = Records::default();
    let mut menu = Menu::new(folder.path().display().to_string(), String::new(), sources, &records);
    let mut drawn = |height: u16| {
        let mut terminal = Terminal::new(TestBackend::new(60, height)).expect("a test terminal can be made");
        terminal.draw(|frame| menu.draw(frame)).expect("the list can be drawn");
        let buffer = terminal.backend().buffer().clone();
        let rows = buffer.content().chunks(60);
        let rows = rows.map(|row| row.iter().map(|cell| cell.symbol()).collect::<String>().trim_end().to_owned());
        rows.collect::<Vec<_>>()
    };
    let list = drawn(12);
    assert_eq!((&*list[3], &*list[6]), ("a", "b"), "{list:?}");
    assert!(list[7].contains("3. b/three") && list[7].ends_with("optimum 3"), "{list:?}");
    assert_eq!(drawn(8)[3], "a", "the name of the folder stays above its first level");
    menu.key(KeyCode::End);
    let last =
        MouseEvent { kind: MouseEventKind::Up(MouseButton::Left), column: 9, row: 4, modifiers: KeyModifiers::NONE };
    assert_eq!((menu.chosen, menu.mouse(last)), (2, super::menu::Choice::Open));
    assert_eq!(menu.chosen, 0, "the line below the name of the first folder is the first level");
}

#[test]
fn only_levels_on_the_screen_are_read_for_their_sizes() {
    let board = "#####\n#@$.#\n#####\n\n";
    let folder = tempfile::tempdir().expect("a folder");
    let file = folder.path().join("many.sok");
    std::fs::write(&file, board.repeat(1000)).expect("the file is written");
    let sources = Loading::default().sources(&file).unwrap_or_else(|report| panic!("{report}"));
    let mut session = session(&sources, &Records::default());
    assert!(!shown(&mut session, 80, 12).contains("3x5"));
    for _ in 0..6 {
        session.tick(Instant::now());
    }
    assert_eq!(session.next_tick(), None, "all that is shown is read");
    assert_eq!(shown(&mut session, 80, 12).matches("3x5").count(), 6);
    let read = |session: &Session| {
        session.menu.as_ref().map(|menu| menu.entries.iter().filter(|entry| entry.facts.is_some()).count())
    };
    assert_eq!(read(&session), Some(6));
    keys(&mut session, &[KeyCode::End]);
    for _ in 0..18 {
        session.tick(Instant::now());
    }
    assert_eq!(read(&session), Some(6 + 18), "the last levels are read when they are shown");
    assert!(!shown(&mut session, 40, 12).contains("3x5"), "a narrow screen has titles alone");
}

#[test]
fn a_key_shows_the_goal_over_the_board() {
    let mut app = app("permutation/pocket-cube", Palette::BARE);
    press(&mut app, &[KeyCode::F(4)]);
    assert_eq!(app.over, Over::Goal(0));
    assert!(screen(&mut app, 80, 24).contains("╭ goal ─"), "{}", screen(&mut app, 80, 24));
    press(&mut app, &[KeyCode::Esc]);
    assert_eq!((app.over, app.left.is_none()), (Over::Nothing, true));
    let mut gate = self::app("blocks/gate", Palette::BARE);
    letters(&mut gate, "g");
    let shown = screen(&mut gate, 80, 24);
    assert!(gate.over == Over::Goal(0) && shown.contains("the other pieces may be anywhere"), "{shown}");
}

#[test]
fn a_record_that_does_not_fit_is_no_error() {
    let file = format!("{}/puzzles/blocks/gate.toml", env!("CARGO_MANIFEST_DIR"));
    let game = || {
        let puzzle = Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
        Game::new(Arc::new(puzzle), Notation::STANDARD)
    };
    let record = |moves: &[&str]| Record {
        moves: moves.iter().map(|&written| written.to_owned()).collect(),
        best: Some(Best { moves: 9, cost: 9.0, seconds: 70 }),
        ..Record::default()
    };
    let mut app = App::new(game(), Options::default(), Palette::BARE, record(&["bu1", "zz9"]), None);
    assert!(app.game.made().is_empty());
    assert!(screen(&mut app, 80, 24).contains("your best     9"));
    let app = App::new(game(), Options::default(), Palette::BARE, record(&["bu1"]), None);
    assert_eq!(app.message, "resumed after 1 move. Press n to start again");
}

#[test]
fn colours_for_colour_blind_players_are_chosen() {
    let colours = |palette: Palette| {
        let buffer = drawn(&mut app("blocks/gate", palette), 80, 24);
        buffer.content().iter().map(|cell| cell.bg).collect::<Vec<_>>()
    };
    assert_ne!(colours(Palette::TRUE), colours(Palette::TRUE.with(Hues::ColourBlind)));
}

#[test]
fn any_keys_and_clicks_lead_to_positions_that_moves_reach() {
    let more = ["rules/lights-out", "rules/four-knights", "rules/water-jugs", "rules/toll-gates", "tutorial/wheels"];
    for file in FILES.into_iter().chain(more) {
        let mut app = app(file, Palette::TRUE);
        let mut random = SplitMix64::new(7);
        let mut below = |count: u64| random.below(count) as u16;
        let codes = [
            KeyCode::Up,
            KeyCode::Down,
            KeyCode::Left,
            KeyCode::Right,
            KeyCode::Tab,
            KeyCode::Enter,
            KeyCode::Backspace,
            KeyCode::Esc,
            KeyCode::F(5),
            KeyCode::F(6),
            KeyCode::Char('y'),
            KeyCode::Char(':'),
            KeyCode::Char('n'),
            KeyCode::Char('1'),
        ];
        for _ in 0..200 {
            let (width, height) = [(80, 24), (24, 12), (200, 60)][usize::from(below(3))];
            drawn(&mut app, width, height);
            let from = (below(width.into()), below(height.into()));
            match below(3) {
                0 => drag(&mut app, from, from),
                1 => drag(&mut app, from, (below(width.into()), below(height.into()))),
                _ => press(&mut app, &[codes[usize::from(below(codes.len() as u64))]]),
            }
        }
        let (made, end) = (app.game.made().to_vec(), app.game.draw());
        app.game.restart();
        app.game.go_to(&made).unwrap_or_else(|reason| panic!("{file}: {reason}"));
        assert_eq!(app.game.draw(), end, "{file}");
    }
}
