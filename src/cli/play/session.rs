//! A session: a game, or the list of levels between the games of a collection, and the records of both.
//!
//! Like the game, it has no terminal and no clock. A level is read once the screen says so, since that may take long.

use super::Status;
use super::app::{App, Left};
use super::menu::{Choice, Facts, Menu};
use super::palette::Palette;
use super::records::{Identity, Records};
use super::view;
use crate::play::Game;
use crate::puzzle::{Options, Source};
use ratatui::Frame;
use ratatui::crossterm::event::{Event, KeyCode, KeyEventKind, KeyModifiers};
use std::time::{Duration, Instant};

/// Reads a level, or returns why it cannot be read.
pub(super) type Loader<'a> = dyn Fn(&Source) -> Result<Game, String> + 'a;

/// Reads the facts about a level that the list shows.
pub(super) type Informer<'a> = dyn Fn(&Source) -> Facts + 'a;

/// The time for reading facts before the screen is drawn.
const FACTS: Duration = Duration::from_millis(30);

/// The parts that all games of a session share.
pub(super) struct Setting<'a> {
    pub options: Options,
    pub palette: Palette,
    pub records: Records,
    pub load: Box<Loader<'a>>,
    pub facts: Box<Informer<'a>>,
}

/// A session.
pub(super) struct Session<'a> {
    setting: Setting<'a>,
    pub menu: Option<Menu>,
    pub app: Option<App>,
    /// The identity of the game in the records.
    identity: Option<Identity>,
    /// The time at which the chosen level was asked for, if it is still to be read; and whether the screen shows that.
    asked: Option<Instant>,
    is_shown: bool,
    /// The reason why the last record was not stored, if that failed.
    pub note: Option<String>,
    /// The exit status, once the session has ended.
    pub ended: Option<Status>,
    /// True if the screen may have to be drawn again.
    pub is_stale: bool,
}

impl<'a> Session<'a> {
    /// Begins with a game.
    pub fn of_game(game: Game, identity: Option<Identity>, setting: Setting<'a>) -> Session<'a> {
        let mut session = Session::new(None, setting);
        let record = identity.as_ref().map(|identity| session.setting.records.level(&identity.key)).unwrap_or_default();
        let Setting { options, palette, .. } = &session.setting;
        session.app = Some(App::new(game, options.clone(), *palette, record, None));
        session.identity = identity;
        session
    }

    /// Begins with a list of levels.
    pub fn of_menu(menu: Menu, setting: Setting<'a>) -> Session<'a> {
        Session::new(Some(menu), setting)
    }

    fn new(menu: Option<Menu>, setting: Setting<'a>) -> Session<'a> {
        let (app, identity, asked, is_shown, note, ended) = Default::default();
        Session { setting, menu, app, identity, asked, is_shown, note, ended, is_stale: true }
    }

    /// Advances the game, and reads a level that was chosen.
    pub fn tick(&mut self, now: Instant) {
        if std::mem::take(&mut self.is_shown) && self.asked.take().is_some() {
            self.open();
        }
        if let Some(app) = &mut self.app {
            app.tick(now);
            self.is_stale |= std::mem::take(&mut app.is_stale);
        } else if let Some(menu) = &mut self.menu {
            while let Some(index) = menu.unread() {
                menu.entries[index].facts = Some((self.setting.facts)(&menu.entries[index].source));
                self.is_stale = true;
                if now.elapsed() >= FACTS {
                    break;
                }
            }
        }
    }

    /// Returns when `tick` has to be called next.
    pub fn next_tick(&self) -> Option<Instant> {
        let read = || self.menu.as_ref().and_then(Menu::unread).map(|_| Instant::now());
        self.asked.or_else(|| self.app.as_ref().map_or_else(read, App::next_tick))
    }

    pub fn handle(&mut self, event: &Event, now: Instant) {
        self.is_stale = true;
        if let Some(app) = &mut self.app {
            app.handle(event, now);
            if let Some(left) = app.left {
                self.leave(left, now);
            }
            return;
        }
        let Some(menu) = &mut self.menu else { return };
        let choice = match event {
            Event::Key(key) if key.kind == KeyEventKind::Release => Choice::Stay,
            Event::Key(key) if key.modifiers.contains(KeyModifiers::CONTROL) => match key.code {
                KeyCode::Char('c') => return self.ended = Some(Status::Interrupted),
                KeyCode::Char('q') => Choice::Leave,
                _ => Choice::Stay,
            },
            Event::Key(key) => menu.key(key.code),
            Event::Mouse(mouse) => menu.mouse(*mouse),
            _ => Choice::Stay,
        };
        match choice {
            Choice::Stay => {}
            Choice::Open => self.ask(now),
            Choice::Leave => self.ended = Some(Status::Good),
        }
    }

    /// Asks for the chosen level, which is read after the screen was drawn.
    fn ask(&mut self, now: Instant) {
        if let Some(menu) = &mut self.menu {
            menu.message = menu.entry().map_or(String::new(), |entry| format!("reading {}", entry.source.name()));
            self.asked = Some(now);
        }
    }

    /// Reads the chosen level and begins its game.
    fn open(&mut self) {
        let Some(menu) = &mut self.menu else { return };
        let place = menu.place();
        let Some(entry) = menu.entries.get_mut(menu.chosen) else { return };
        let Setting { options, palette, records, load, .. } = &self.setting;
        self.is_stale = true;
        match load(&entry.source) {
            Ok(game) => {
                // Now it is known which files it names.
                self.identity = Identity::of(game.puzzle(), &entry.source);
                let key = self.identity.as_ref().map(|identity| identity.key.clone());
                if entry.key != key {
                    entry.record = key.as_ref().map(|key| records.level(key)).unwrap_or_default();
                    entry.key = key;
                }
                self.app = Some(App::new(game, options.clone(), *palette, entry.record.clone(), Some(place)));
            }
            Err(why) => menu.message = why,
        }
    }

    /// Leaves the game for the list, another level or the shell.
    fn leave(&mut self, left: Left, now: Instant) {
        let stored = self.store();
        self.note = stored.err().map(|error| format!("the record of the game was not stored: {error}"));
        match (left, &mut self.menu) {
            (Left::Interrupted, _) => self.ended = Some(Status::Interrupted),
            (Left::Quit, _) | (_, None) => self.ended = Some(Status::Good),
            (left, Some(menu)) => {
                menu.message = self.note.take().unwrap_or_else(|| "Enter plays the chosen level".to_owned());
                self.app = None;
                if let Left::Level(after) = left {
                    menu.chosen = menu.chosen.saturating_add_signed(after).min(menu.entries.len().saturating_sub(1));
                    self.ask(now);
                }
            }
        }
    }

    /// Stores the record of the game.
    pub fn store(&mut self) -> std::io::Result<()> {
        let (Some(app), Some(identity)) = (&self.app, &self.identity) else { return Ok(()) };
        let mut record = app.record();
        app.game.puzzle().title().clone_into(&mut record.title);
        let collection = self.menu.as_ref().map(|menu| menu.collection.clone());
        if let Some(menu) = &mut self.menu
            && let Some(entry) = menu.entries.get_mut(menu.chosen)
        {
            entry.record = record.clone();
        }
        self.setting.records.store(identity, &record, collection.as_deref())
    }

    pub fn draw(&mut self, frame: &mut Frame) {
        self.is_shown = self.asked.is_some();
        match (&mut self.app, &mut self.menu) {
            (Some(app), _) => view::draw(app, frame),
            (None, Some(menu)) => menu.draw(frame),
            (None, None) => {}
        }
    }
}
