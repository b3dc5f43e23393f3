//! The screen without a terminal: the drawing of every domain, and the effects of keys and the mouse, at any size.

use super::app::{App, Over};
use super::palette::Palette;
use super::{Status, view};
use crate::domain::registered;
use crate::play::{Game, Known};
use crate::puzzle::{Notation, Options, Puzzle};
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
    App::new(Game::new(Arc::new(puzzle), Notation::STANDARD), Options::default(), palette)
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
        FILES.iter().map(|file| app(file, Palette::Bare).game.puzzle().domain().name).collect();
    assert_eq!(domains.into_iter().collect::<Vec<_>>(), registered(), "one puzzle of every domain");
    for file in FILES {
        let mut app = app(file, Palette::Bare);
        press(&mut app, &[KeyCode::Tab]);
        insta::assert_snapshot!(format!("wide {}", file.replace('/', " ")), screen(&mut app, 80, 20));
        insta::assert_snapshot!(format!("narrow {}", file.replace('/', " ")), screen(&mut app, 40, 12));
    }
}

#[test]
fn every_screen_size_can_be_drawn() {
    for file in FILES {
        let mut app = app(file, Palette::True);
        for over in [Over::Nothing, Over::Help(3), Over::Again, Over::Won] {
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
        for palette in [Palette::Bare, Palette::Indexed, Palette::True] {
            let buffer = drawn(&mut app(file, palette), 80, 24);
            let colours = buffer.content().iter().flat_map(|cell| [cell.fg, cell.bg]);
            let colours: Vec<Color> = colours.filter(|&colour| colour != Color::Reset).collect();
            let fits = |colour: &Color| match palette {
                Palette::Bare => false,
                Palette::Indexed => matches!(colour, Color::Indexed(16..)),
                Palette::True => matches!(colour, Color::Rgb(..)),
            };
            assert!(colours.iter().all(fits), "{file} {palette:?}");
            assert_eq!(colours.is_empty(), palette == Palette::Bare, "{file} {palette:?}");
        }
    }
}

#[test]
fn a_game_is_won_with_keys_and_restarted() {
    let mut app = app("blocks/gate", Palette::Bare);
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
    assert_eq!(app.ended, Some(Status::Good));
}

#[test]
fn discarding_many_moves_needs_confirmation() {
    let mut app = app("mazes/terrain", Palette::Bare);
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
    let mut app = app("words/cube-tubes", Palette::Bare);
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
    assert_eq!(app.ended, Some(Status::Interrupted));
}

#[test]
fn moves_of_one_letter_are_distinguished_from_longer_ones() {
    let mut app = app("permutation/pocket-cube", Palette::Bare);
    for (typed, played) in [("R", "R"), ("u'", "U'"), ("R2", "R2"), ("R3", "R'")] {
        letters(&mut app, typed);
        press(&mut app, &[KeyCode::Enter]);
        assert_eq!(app.game.made().last().map(String::as_str), Some(played));
    }
}

#[test]
fn tiles_are_clicked_and_dragged_where_they_are_drawn() {
    let mut app = app("eight-puzzle/05-moves", Palette::Bare);
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
    let mut app = self::app("blocks/gate", Palette::Bare);
    let shown = screen(&mut app, 80, 24);
    let (x, y) = find(&shown, " b ");
    drag(&mut app, (x + 1, y), (x + 1, y - 3));
    assert_eq!(app.game.made(), ["bu1"]);
}

#[test]
fn presses_of_keys_are_made_by_arrows_and_letters_whatever_they_do() {
    let mut app = app("puzzlescript/crates-1", Palette::Bare);
    let shown = screen(&mut app, 80, 24);
    assert!(["#", "p", "*", "o", "g"].iter().all(|object| shown.contains(object)), "{shown}");
    press(&mut app, &[KeyCode::Right, KeyCode::Right, KeyCode::Right]);
    letters(&mut app, "llzld");
    assert_eq!(app.game.made(), ["right", "right", "right", "left", "left", "down"]);
}

#[test]
fn sprites_are_drawn_in_their_colours_over_those_below() {
    let mut app = app("puzzlescript/crates-1", Palette::True);
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
    let mut app = app("blocks/gate", Palette::Bare);
    letters(&mut app, "h");
    assert_eq!(app.message, "still searching");
    while app.guide.find(&app.game).is_none() {}
    letters(&mut app, "h");
    let hinted = app.hinted.clone().expect("there is a hint");
    let buffer = drawn(&mut app, 80, 24);
    assert!(buffer.content().iter().any(|cell| cell.modifier.contains(Modifier::REVERSED)));
    letters(&mut app, "h");
    assert_eq!(app.game.made(), [hinted]);
}

#[test]
fn a_solution_plays_to_its_end_at_the_chosen_pace() {
    let mut app = app("blocks/gate", Palette::Bare);
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
