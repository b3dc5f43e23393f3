//! The game on the screen: the selection, the input line, the list, the message, and the effect of each key and click.
//!
//! This module has no terminal and no clock: it receives events and the time.

use super::Status;
use super::board::Placed;
use super::list::List;
use super::palette::Palette;
use crate::picture::{Figure, Form};
use crate::play::{Direction, Game, Guide, Known};
use crate::puzzle::Options;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::time::{Duration, Instant};

/// The greatest number of moves that is discarded without a question.
const MAX_MOVES_WITHOUT_QUESTION: usize = 5;

/// The time between two moves of a solution that plays by itself: at first, at least, at most.
const PACE: Duration = Duration::from_millis(400);
const FASTEST: Duration = Duration::from_millis(25);
const SLOWEST: Duration = Duration::from_secs(3);

/// The box over the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Nothing,
    /// All keys, scrolled to this line.
    Help(u16),
    /// The question whether to start again.
    Again,
    Won,
}

/// A solution that plays by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    pub pace: Duration,
    next: Instant,
}

/// A game on the screen.
pub(super) struct App {
    pub game: Game,
    pub guide: Guide,
    pub palette: Palette,
    /// True if letters are commands; otherwise no move shifts figures, and letters spell moves.
    pub letters_are_commands: bool,
    pub selected: Option<u64>,
    /// The input line, if it is open.
    pub typed: Option<String>,
    pub list: List,
    pub message: String,
    /// The last move that was shown as a hint.
    pub hinted: Option<String>,
    pub watch: Option<Watch>,
    pub over: Over,
    /// The least cost from the start, if it is known.
    pub least: Option<f64>,
    /// Where the board was last drawn.
    pub placed: Option<Placed>,
    /// Where the mouse button was pressed.
    pub dragged: Option<(u16, u16)>,
    /// The exit status, once the game has ended.
    pub ended: Option<Status>,
    /// True if the screen may have to be drawn again.
    pub is_stale: bool,
}

impl App {
    pub fn new(game: Game, options: Options, palette: Palette) -> App {
        let letters_are_commands = game.has_shifts() && game.picture().is_some() || game.legal().is_empty();
        let mut app = App {
            least: game.puzzle().expect().cost,
            guide: Guide::new(options),
            palette,
            letters_are_commands,
            selected: None,
            typed: None,
            list: List::default(),
            message: if letters_are_commands {
                "? shows all keys"
            } else {
                "type a move, or choose one; F1 shows all keys"
            }
            .to_owned(),
            hinted: None,
            watch: None,
            over: Over::Nothing,
            placed: None,
            dragged: None,
            ended: None,
            is_stale: true,
            game,
        };
        app.moved();
        app
    }

    /// Advances the background search and the solution that plays by itself.
    pub fn tick(&mut self, now: Instant) {
        self.is_stale |= self.guide.follow(&self.game);
        if self.game.made().is_empty() && self.least.is_none() {
            self.least = match self.guide.known(&self.game) {
                Some(Known::Path { cost, shortest: true, .. }) => Some(*cost),
                _ => None,
            };
        }
        let Some(watch) = self.watch.filter(|watch| now >= watch.next) else { return };
        match self.guide.known(&self.game) {
            Some(Known::Path { next: Some(next), .. }) => {
                self.watch = Some(Watch { next: now + watch.pace, ..watch });
                self.play(&next.clone());
            }
            Some(_) => {
                (self.watch, self.is_stale) = (None, true);
                self.hint();
            }
            None => {}
        }
    }

    /// Returns when `tick` has to be called next.
    pub fn next_tick(&self) -> Option<Instant> {
        self.watch.map(|watch| watch.next)
    }

    pub fn handle(&mut self, event: &Event, now: Instant) {
        self.is_stale = true;
        match event {
            Event::Key(key) if key.kind != KeyEventKind::Release => self.key(*key, now),
            Event::Mouse(mouse) => self.mouse(*mouse),
            _ => {}
        }
    }

    fn key(&mut self, key: KeyEvent, now: Instant) {
        let control = key.modifiers.contains(KeyModifiers::CONTROL);
        match key.code {
            KeyCode::Char('c') if control => return self.ended = Some(Status::Interrupted),
            KeyCode::Char('q') if control => return self.ended = Some(Status::Good),
            _ => {}
        }
        if let Some(watch) = &mut self.watch {
            match key.code {
                KeyCode::Char('+' | '=') => watch.pace = (watch.pace / 2).max(FASTEST),
                KeyCode::Char('-') => watch.pace = (watch.pace * 2).min(SLOWEST),
                _ => {
                    self.watch = None;
                    self.message = "stopped".to_owned();
                }
            }
            return;
        }
        match self.over {
            Over::Help(line) => {
                self.over = match key.code {
                    KeyCode::Down => Over::Help(line.saturating_add(1)),
                    KeyCode::Up => Over::Help(line.saturating_sub(1)),
                    _ => Over::Nothing,
                };
                return;
            }
            Over::Again => {
                self.over = Over::Nothing;
                if matches!(key.code, KeyCode::Char('y') | KeyCode::Enter) {
                    self.restart();
                }
                return;
            }
            Over::Won => {
                self.over = Over::Nothing;
                match key.code {
                    KeyCode::Char('q') | KeyCode::Esc => self.ended = Some(Status::Good),
                    KeyCode::Char('n') | KeyCode::Enter => self.restart(),
                    KeyCode::Char('z') | KeyCode::Backspace => self.undo(),
                    _ => {}
                }
                return;
            }
            Over::Nothing => {}
        }
        match key.code {
            KeyCode::F(1) | KeyCode::Char('?') => self.over = Over::Help(0),
            KeyCode::F(2) => self.hint(),
            KeyCode::F(3) => self.start_watching(now),
            KeyCode::Char('z') if control => self.undo(),
            KeyCode::Char('y') if control => self.redo(),
            KeyCode::Char('r' | 'n') if control => self.ask_again(),
            KeyCode::Char('h') if control => self.backspace(),
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {}
            KeyCode::Esc if self.typed.is_some() || self.selected.is_some() => {
                (self.typed, self.selected) = (None, None)
            }
            KeyCode::Esc => self.ended = Some(Status::Good),
            KeyCode::Backspace => self.backspace(),
            KeyCode::Enter => self.enter(),
            _ if self.letters_are_commands && self.typed.is_none() => self.command_key(key, now),
            KeyCode::Char(letter) => self.type_letter(letter),
            _ if !self.letters_are_commands => self.list.key(key.code, self.game.legal(), self.typed.as_deref()),
            _ => {}
        }
    }

    /// Handles a key if letters are commands.
    fn command_key(&mut self, key: KeyEvent, now: Instant) {
        let far = key.modifiers.contains(KeyModifiers::SHIFT);
        match key.code {
            KeyCode::Up => self.arrow(Direction(-1, 0), far),
            KeyCode::Down => self.arrow(Direction(1, 0), far),
            KeyCode::Left => self.arrow(Direction(0, -1), far),
            KeyCode::Right => self.arrow(Direction(0, 1), far),
            KeyCode::Home => self.arrow(Direction(-1, -1), far),
            KeyCode::PageUp => self.arrow(Direction(-1, 1), far),
            KeyCode::End => self.arrow(Direction(1, -1), far),
            KeyCode::PageDown => self.arrow(Direction(1, 1), far),
            KeyCode::Tab => self.select_next(1),
            KeyCode::BackTab => self.select_next(-1),
            KeyCode::Char('z') => self.undo(),
            KeyCode::Char('y') => self.redo(),
            KeyCode::Char('n') => self.ask_again(),
            KeyCode::Char('h') => self.hint(),
            KeyCode::Char('w' | ' ') => self.start_watching(now),
            KeyCode::Char('q') => self.ended = Some(Status::Good),
            KeyCode::Char(':' | '/') => self.typed = Some(String::new()),
            KeyCode::Char(letter) => {
                let letter = letter.to_string();
                if !self.select_labelled(&letter)
                    && let Some(written) = self.game.legal_move(&letter).cloned()
                {
                    self.play(&written);
                }
            }
            _ => {}
        }
    }

    fn arrow(&mut self, direction: Direction, far: bool) {
        match self.game.arrow(direction, self.selected, far) {
            Ok(written) => self.play(&written),
            Err(reason) => self.message = reason,
        }
    }

    fn select_next(&mut self, step: isize) {
        let movable = self.game.movable();
        if movable.is_empty() {
            self.message = "nothing can move".to_owned();
            return;
        }
        let at = self.selected.and_then(|key| movable.iter().position(|&other| other == key));
        let next = match (at, step) {
            (None, 1) => 0,
            (None, _) => movable.len() - 1,
            (Some(at), _) => (at as isize + step).rem_euclid(movable.len() as isize) as usize,
        };
        self.selected = Some(movable[next]);
    }

    /// Selects the only figure with a label; returns whether there is one. The labels of sprites are no names.
    fn select_labelled(&mut self, label: &str) -> bool {
        let figures = self.game.picture().map_or(&[][..], |picture| &picture.figures);
        let is_named = |figure: &&Figure| figure.label == label && !matches!(figure.form, Form::Sprite(_));
        let mut with = figures.iter().filter(is_named);
        match (with.next(), with.next()) {
            (Some(figure), None) => {
                self.selected = Some(figure.key);
                true
            }
            _ => false,
        }
    }

    fn type_letter(&mut self, letter: char) {
        self.typed.get_or_insert_default().push(letter);
        self.list.rewind();
    }

    fn backspace(&mut self) {
        match &mut self.typed {
            Some(typed) if !typed.is_empty() => {
                typed.pop();
                self.list.rewind();
            }
            Some(_) => self.typed = None,
            None => self.undo(),
        }
        if !self.letters_are_commands && self.typed.as_ref().is_some_and(String::is_empty) {
            self.typed = None;
        }
    }

    /// Plays the move that was typed or chosen.
    fn enter(&mut self) {
        let typed = self.typed.take().unwrap_or_default();
        let typed = typed.trim();
        let listed = if self.letters_are_commands { None } else { self.list.chosen(self.game.legal(), Some(typed)) };
        let is_exact = self.list.is_rewound() && self.game.legal().iter().any(|legal| legal == typed);
        match listed {
            Some(listed) if !is_exact => self.play(&listed),
            _ if typed.is_empty() => {}
            _ if !is_exact && self.letters_are_commands && self.select_labelled(typed) => {}
            _ => self.play(typed),
        }
    }

    pub fn play(&mut self, written: &str) {
        match self.game.play(written) {
            Ok(written) => {
                self.message = format!("{}. {written}", self.game.made().len());
                self.moved();
            }
            Err(reason) => self.message = format!("{written}: {reason}"),
        }
    }

    /// Updates everything after the position has changed.
    fn moved(&mut self) {
        self.is_stale = true;
        self.hinted = None;
        self.typed = None;
        self.list.rewind();
        if self.game.is_solved() {
            (self.over, self.watch) = (Over::Won, None);
        }
    }

    fn undo(&mut self) {
        self.message = match self.game.undo() {
            Some(written) => format!("{written} undone"),
            None => "no move to undo".to_owned(),
        };
        self.hinted = None;
        self.list.rewind();
    }

    fn redo(&mut self) {
        match self.game.redo() {
            Some(written) => {
                self.message = format!("{}. {written}", self.game.made().len());
                self.moved();
            }
            None => self.message = "no move to redo".to_owned(),
        }
    }

    fn ask_again(&mut self) {
        if self.game.made().len() > MAX_MOVES_WITHOUT_QUESTION { self.over = Over::Again } else { self.restart() }
    }

    fn restart(&mut self) {
        self.game.restart();
        self.selected = None;
        self.message = "at the start".to_owned();
        self.hinted = None;
        self.list.rewind();
    }

    /// Shows the next move; plays it if it is already shown.
    fn hint(&mut self) {
        if let Some(hinted) = self.hinted.take() {
            return self.play(&hinted);
        }
        self.message = match self.guide.known(&self.game) {
            None => "still searching".to_owned(),
            Some(Known::Path { next: None, .. }) => "already solved".to_owned(),
            Some(Known::Path { next: Some(next), .. }) => {
                self.hinted = Some(next.clone());
                format!("hint: {next}; repeat it to play the move")
            }
            Some(Known::NoPath(Some(reason))) => format!("no solution: {reason}"),
            Some(Known::NoPath(None)) => "no solution from here".to_owned(),
            Some(Known::GaveUp(why)) => format!("no hint: {why}"),
        };
    }

    /// Returns the figure that the hint moves, the foremost of several.
    pub fn hinted_figure(&self) -> Option<u64> {
        let hinted = self.hinted.as_ref()?;
        let place = self.game.legal().iter().position(|legal| legal == hinted)?;
        self.game.shifts().get(place)?.as_ref()?.keys.last().copied()
    }

    fn start_watching(&mut self, now: Instant) {
        self.watch = Some(Watch { pace: PACE, next: now });
        self.message = "solution: + and - change the speed, any other key stops".to_owned();
    }
}
