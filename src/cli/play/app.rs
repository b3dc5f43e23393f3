//! The game on the screen: the selection, the input line, the list, the message, and the effect of each key and click.
//!
//! This module has no terminal and no clock: it receives events and the time.

use super::board::Placed;
use super::clock::Clock;
use super::list::List;
use super::palette::Palette;
use super::records::{Best, Record};
use crate::picture::{Cell, Figure, Form, Ground};
use crate::play::{ClickAction, Direction, Game, Guide, Known};
use crate::plot::text::counted;
use crate::puzzle::Options;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyEventKind, KeyModifiers};
use std::time::{Duration, Instant};

/// The greatest number of moves that is discarded without a question.
const MAX_MOVES_WITHOUT_QUESTION: usize = 5;

/// The answer to a hint that is not known yet; the hint takes its place.
const SEARCHING: &str = "still searching";

/// The time between two moves of a solution that plays by itself: at first, at least, at most.
const PACE: Duration = Duration::from_millis(400);
const FASTEST: Duration = Duration::from_millis(25);
const SLOWEST: Duration = Duration::from_secs(3);

/// The state that takes the next key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Over {
    Nothing,
    /// All keys, scrolled to this line.
    Help(u16),
    /// The goal: the alternative with this number.
    Goal(usize),
    /// The question whether to start again.
    Again,
    Won,
}

/// The meaning of arrows and letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Mode {
    /// Arrows move figures; letters are commands.
    Arrows,
    /// Arrows move a cursor over the cells, each of which is a move; letters are commands.
    Cursor,
    /// Arrows choose in the list; letters spell moves.
    Spelling,
}

/// The way in which a game was left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Left {
    Quit,
    Interrupted,
    /// For the list of levels.
    Menu,
    /// For the level so many places after this one.
    Level(isize),
}

/// A solution that plays by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Watch {
    pub pace: Duration,
    next: Instant,
}

/// The place of a level among all of its collection, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LevelPlace {
    pub index: usize,
    pub count: usize,
}

/// A game on the screen.
pub(super) struct App {
    pub game: Game,
    pub guide: Guide,
    pub palette: Palette,
    pub mode: Mode,
    /// True once a legal move was not reached by arrows: the list then stays.
    pub lists_moves: bool,
    pub selected: Option<u64>,
    /// The cell under the cursor.
    pub cursor: Option<Cell>,
    /// The input line, if it is open.
    pub typed: Option<String>,
    pub list: List,
    /// The moves among which a click left the choice.
    pub offered: Option<Vec<String>>,
    pub message: String,
    /// The last move that was shown as a hint.
    pub hinted: Option<String>,
    /// The number of the first move that a hint made.
    helped_from: Option<usize>,
    pub watch: Option<Watch>,
    pub over: Over,
    /// The least cost from the start, if it is known.
    pub least: Option<f64>,
    /// True once a cost differed from a number of moves.
    pub has_costs: bool,
    pub record: Record,
    pub level: Option<LevelPlace>,
    pub clock: Clock,
    /// The moves to the checkpoint.
    checkpoint: Option<Vec<String>>,
    /// The place where the board was last drawn.
    pub placed: Option<Placed>,
    /// The place where the mouse button was pressed.
    pub dragged: Option<(u16, u16)>,
    /// Set once the game was left.
    pub left: Option<Left>,
    /// True if the screen may have to be drawn again.
    pub is_stale: bool,
}

impl App {
    /// Begins a game where the record says that it was left.
    pub fn new(game: Game, options: Options, palette: Palette, record: Record, level: Option<LevelPlace>) -> App {
        let mode = match () {
            () if game.legal().is_empty() => Mode::Arrows,
            () if game.is_placed() => Mode::Cursor,
            () if game.has_shifts() && game.picture().is_some() => Mode::Arrows,
            () => Mode::Spelling,
        };
        let claimed = game.puzzle().expect().cost;
        let mut app = App {
            least: claimed.or(record.least),
            guide: Guide::new(options),
            palette,
            mode,
            lists_moves: false,
            selected: None,
            cursor: if mode == Mode::Cursor { game.places().and_then(|places| places.first().copied()) } else { None },
            typed: None,
            list: List::default(),
            offered: None,
            message: match mode {
                Mode::Arrows => "Press ? for all keys",
                Mode::Cursor => "Click a cell, or go there and press Enter. Press ? for all keys",
                Mode::Spelling => "Type a move, or choose one. Press F1 for all keys",
            }
            .to_owned(),
            hinted: None,
            helped_from: None,
            watch: None,
            over: Over::Nothing,
            has_costs: false,
            clock: Clock::starting_at(Duration::from_secs(record.seconds)),
            record,
            level,
            checkpoint: None,
            placed: None,
            dragged: None,
            left: None,
            is_stale: true,
            game,
        };
        if !app.game.messages().is_empty() {
            app.message = app.game.messages().join(" ");
        }
        let is_fresh = app.game.made().is_empty() && !app.record.moves.is_empty();
        if is_fresh && app.game.go_to(&app.record.moves).is_ok() {
            let moves = counted(app.record.moves.len() as u64, "move");
            app.message = format!("resumed after {moves}. Press {} to start again", app.key_name("n", "Ctrl+R"));
            app.helped_from = app.record.helped.then_some(0);
        }
        app.moved();
        app
    }

    pub fn letters_are_commands(&self) -> bool {
        self.mode != Mode::Spelling
    }

    /// Returns the name of the key of a command: the letter where letters are commands, otherwise the other one.
    fn key_name(&self, letter: &'static str, other: &'static str) -> &'static str {
        if self.letters_are_commands() { letter } else { other }
    }

    /// Returns whether the list of moves is part of the panel.
    pub fn shows_list(&self, is_below: bool) -> bool {
        let is_cursor_enough = self.mode == Mode::Cursor && self.game.has_places();
        if is_below { self.lists_moves && !is_cursor_enough } else { self.lists_moves || self.offered.is_some() }
    }

    /// Returns whether keys choose in the list.
    pub fn chooses(&self) -> bool {
        self.offered.is_some() || !self.letters_are_commands() || (self.lists_moves && self.typed.is_some())
    }

    /// Returns the moves in the list: those that begin as typed, ignoring case.
    pub fn listed(&self) -> Vec<String> {
        let typed = self.typed.as_deref().unwrap_or_default().trim().to_lowercase();
        let all = self.offered.as_deref().unwrap_or_else(|| self.game.legal());
        all.iter().filter(|written| written.to_lowercase().starts_with(&typed)).cloned().collect()
    }

    /// Handles a key that chooses in the list.
    pub fn choose(&mut self, code: KeyCode) {
        let count = self.listed().len();
        self.list.key(code, count);
    }

    /// Advances the clock, the background search and the solution that plays by itself.
    pub fn tick(&mut self, now: Instant) {
        self.is_stale |= self.clock.tick(now, !self.game.is_solved());
        self.is_stale |= self.guide.follow(&self.game);
        if let Some(Known::Path { cost, moves, shortest, .. }) = self.guide.known(&self.game) {
            self.has_costs |= (cost - *moves as f64).abs() > 1e-9;
            if self.game.made().is_empty() && self.least.is_none() && *shortest {
                self.least = Some(*cost);
            }
        }
        if self.message == SEARCHING && self.guide.known(&self.game).is_some() {
            self.hint();
            self.is_stale = true;
        }
        let Some(watch) = self.watch.filter(|watch| now >= watch.next) else { return };
        match self.guide.known(&self.game) {
            Some(Known::Path { next: Some(next), .. }) => {
                self.watch = Some(Watch { next: now + watch.pace, ..watch });
                self.make(&next.clone(), true);
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
            KeyCode::Char('c') if control => return self.left = Some(Left::Interrupted),
            KeyCode::Char('q') if control => return self.left = Some(Left::Quit),
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
        if self.over != Over::Nothing {
            return self.key_over(key.code);
        }
        match key.code {
            KeyCode::F(1) | KeyCode::Char('?') => self.over = Over::Help(0),
            KeyCode::F(2) => self.hint(),
            KeyCode::F(3) => self.start_watching(now),
            KeyCode::F(4) => self.show_goal(),
            KeyCode::F(5) => self.set_checkpoint(),
            KeyCode::F(6) => self.return_to_checkpoint(),
            KeyCode::F(7) => self.leave_for(-1),
            KeyCode::F(8) => self.leave_for(1),
            KeyCode::Char('z') if control => self.undo(),
            KeyCode::Char('y') if control => self.redo(),
            KeyCode::Char('r' | 'n') if control => self.ask_again(),
            KeyCode::Char('h') if control => self.backspace(),
            KeyCode::Char(_) if control || key.modifiers.contains(KeyModifiers::ALT) => {}
            KeyCode::Esc if self.typed.is_some() || self.offered.is_some() || self.selected.is_some() => {
                (self.typed, self.offered, self.selected) = (None, None, None);
                self.list.rewind();
            }
            KeyCode::Esc => self.leave(),
            KeyCode::Backspace => self.backspace(),
            KeyCode::Enter if self.mode == Mode::Cursor && !self.chooses() && self.typed.is_none() => {
                self.click_cursor()
            }
            KeyCode::Enter => self.enter(),
            _ if self.letters_are_commands() && self.typed.is_none() && self.offered.is_none() => {
                self.command_key(key, now)
            }
            KeyCode::Char(letter) => self.type_letter(letter),
            _ if self.chooses() => self.choose(key.code),
            _ => {}
        }
    }

    /// Handles a key while help, a question or the end is shown.
    fn key_over(&mut self, code: KeyCode) {
        let over = std::mem::replace(&mut self.over, Over::Nothing);
        match (over, code) {
            (Over::Help(line), KeyCode::Down) => self.over = Over::Help(line.saturating_add(1)),
            (Over::Help(line), KeyCode::Up) => self.over = Over::Help(line.saturating_sub(1)),
            (Over::Help(line), KeyCode::PageDown | KeyCode::Char(' ')) => {
                self.over = Over::Help(line.saturating_add(8))
            }
            (Over::Help(line), KeyCode::PageUp) => self.over = Over::Help(line.saturating_sub(8)),
            (Over::Goal(at), KeyCode::Right | KeyCode::Down | KeyCode::Tab) => self.over = Over::Goal(at + 1),
            (Over::Goal(at), KeyCode::Left | KeyCode::Up) => self.over = Over::Goal(at.saturating_sub(1)),
            (Over::Again, KeyCode::Char('y') | KeyCode::Enter) => self.restart(),
            (Over::Won, KeyCode::Char('q') | KeyCode::Esc) => self.leave(),
            (Over::Won, KeyCode::Enter | KeyCode::Char(' ')) if self.has_level(1) => self.leave_for(1),
            (Over::Won, KeyCode::Enter) if self.level.is_some() => self.left = Some(Left::Menu),
            (Over::Won, KeyCode::Char('n') | KeyCode::Enter) => self.restart(),
            (Over::Won, KeyCode::Char('z') | KeyCode::Backspace) => self.undo(),
            (Over::Won, KeyCode::F(7)) => self.leave_for(-1),
            (Over::Won, KeyCode::F(8)) => self.leave_for(1),
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
            KeyCode::Char(' ') if self.mode == Mode::Cursor => self.click_cursor(),
            KeyCode::Char('w' | ' ') => self.start_watching(now),
            KeyCode::Char('.') => self.set_checkpoint(),
            KeyCode::Char(',') => self.return_to_checkpoint(),
            KeyCode::Char('q') => self.leave(),
            KeyCode::Char(':' | '/') => self.typed = Some(String::new()),
            KeyCode::Char(letter) => {
                let letter = letter.to_string();
                if self.select_labelled(&letter) {
                    return;
                }
                match self.game.legal_move(&letter).cloned() {
                    Some(written) => self.play(&written),
                    None if letter == "g" => self.show_goal(),
                    None => {}
                }
            }
            _ => {}
        }
    }

    fn arrow(&mut self, direction: Direction, far: bool) {
        if self.mode == Mode::Cursor {
            return self.move_cursor(direction, far);
        }
        match self.game.arrow(direction, self.selected, far) {
            Ok(written) => self.play(&written),
            Err(reason) => self.message = reason,
        }
    }

    /// Moves the cursor to the next cell of the board in a direction, or to the last one.
    fn move_cursor(&mut self, direction: Direction, far: bool) {
        let (Some(from), Some(picture)) = (self.cursor, self.game.picture()) else { return };
        let next = |at: Cell| Some((at.0.checked_add_signed(direction.0)?, at.1.checked_add_signed(direction.1)?));
        let is_inside = |at: &Cell| at.0 < picture.rows && at.1 < picture.columns;
        let way = std::iter::successors(next(from), |&at| next(at)).take_while(is_inside);
        let mut cells = way.filter(|&at| picture.ground(at) != Ground::Void || picture.figure_on(at).is_some());
        self.cursor = if far { cells.last() } else { cells.next() }.or(self.cursor);
    }

    fn click_cursor(&mut self) {
        if let Some(cell) = self.cursor {
            self.act(self.game.click(cell, self.selected));
        }
    }

    /// Carries out the effect of a click or a drag.
    pub fn act(&mut self, action: ClickAction) {
        match action {
            ClickAction::Play(written) => self.play(&written),
            ClickAction::Walk(moves) => self.walk(&moves),
            ClickAction::Offer(moves) => {
                self.message = format!("{} moves fit. Choose one", moves.len());
                (self.offered, self.typed) = (Some(moves), None);
                self.list.rewind();
            }
            ClickAction::Select(key) => {
                let label = self.game.figure(key).map_or("", |figure| &figure.label);
                self.message =
                    format!("{} selected. Dots mark where it can go", if label.is_empty() { "piece" } else { label });
                self.selected = Some(key);
            }
            ClickAction::Nothing => self.selected = None,
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
            (Some(figure), None) if self.mode == Mode::Arrows => {
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
            None if self.offered.is_some() => self.offered = None,
            None => self.undo(),
        }
        if !self.letters_are_commands() && self.typed.as_ref().is_some_and(String::is_empty) {
            self.typed = None;
        }
    }

    /// Plays the move that was typed or chosen.
    fn enter(&mut self) {
        let chosen = if self.chooses() { self.listed().into_iter().nth(self.list.chosen) } else { None };
        let typed = self.typed.take().unwrap_or_default();
        let typed = typed.trim();
        let is_exact = self.list.chosen == 0 && self.game.legal().iter().any(|legal| legal == typed);
        let is_label = |app: &mut App| !typed.is_empty() && app.letters_are_commands() && app.select_labelled(typed);
        if is_exact {
            self.play(typed);
        } else if self.offered.is_none() && is_label(&mut *self) {
            self.message = format!("{typed} selected");
        } else if let Some(chosen) = chosen {
            self.play(&chosen);
        } else if !typed.is_empty() {
            self.play(typed);
        }
    }

    pub fn play(&mut self, written: &str) {
        self.make(written, false);
    }

    /// Makes a move, of the player or of a solution.
    fn make(&mut self, written: &str, is_help: bool) {
        let made = self.game.made().len();
        let selected_to = self.selected.and_then(|key| self.game.destination(written, key));
        match self.game.play(written) {
            Ok(written) => {
                let messages = self.game.messages().iter().map(|message| format!(": {message}"));
                self.message = format!("{}. {written}{}", self.game.made().len(), messages.collect::<String>());
                if let Some(cell) = selected_to {
                    let picture = self.game.picture();
                    self.selected = picture.and_then(|picture| picture.figure_on(cell)).map(|figure| figure.key);
                }
                let before = self.helped_from.filter(|&from| from < made);
                self.helped_from = if is_help { before.or(Some(made)) } else { before };
                self.moved();
            }
            Err(reason) => self.message = format!("{written}: {reason}"),
        }
    }

    /// Makes the moves of a walk.
    fn walk(&mut self, moves: &[String]) {
        let from = self.game.made().len();
        moves.iter().for_each(|written| self.play(written));
        self.game.join(from);
        if let ([.., last], true) = (moves, self.over != Over::Won) {
            self.message = self.made_message(last, moves.len());
        }
    }

    /// Returns whether a hint made one of the moves.
    pub fn is_helped(&self) -> bool {
        self.helped_from.is_some_and(|from| from < self.game.made().len())
    }

    /// Updates everything after the position has changed.
    fn moved(&mut self) {
        self.is_stale = true;
        self.hinted = None;
        self.typed = None;
        self.offered = None;
        self.list.rewind();
        let made = self.game.made().len();
        self.has_costs |= (self.game.cost() - made as f64).abs() > 1e-9;
        self.lists_moves |= self.mode == Mode::Spelling || !self.game.arrows_reach_all();
        self.selected = self.selected.filter(|&key| self.game.figure(key).is_some());
        if self.game.is_solved() {
            (self.over, self.watch) = (Over::Won, None);
            self.note_win();
        }
    }

    /// Notes a solution in the record.
    fn note_win(&mut self) {
        self.record.solved = true;
        if !self.is_helped() {
            let (moves, cost, seconds) = (self.game.made().len(), self.game.cost(), self.clock.seconds());
            self.record.improve(Best { moves, cost, seconds });
        }
    }

    /// Returns the record of the level as the game is left now.
    pub fn record(&self) -> Record {
        let is_over = self.game.is_solved();
        let moves = if is_over { Vec::new() } else { self.game.made().to_vec() };
        Record {
            least: self.least.filter(|_| self.game.puzzle().expect().cost.is_none()),
            helped: !is_over && self.is_helped(),
            seconds: if moves.is_empty() { 0 } else { self.clock.seconds() },
            moves,
            ..self.record.clone()
        }
    }

    pub fn undo(&mut self) {
        let undone = self.game.undo();
        self.back(match &undone[..] {
            [] => "no move to undo".to_owned(),
            [written] => format!("{written} undone"),
            walk => format!("a walk of {} moves undone", walk.len()),
        });
    }

    fn redo(&mut self) {
        let redone = self.game.redo();
        let Some(last) = redone.last() else { return self.message = "no move to redo".to_owned() };
        self.message = self.made_message(last, redone.len());
        self.moved();
    }

    /// Returns the message about the last of some moves that were made in one gesture.
    fn made_message(&self, last: &str, count: usize) -> String {
        let walk = if count > 1 { format!(", after a walk of {count} moves") } else { String::new() };
        format!("{}. {last}{walk}", self.game.made().len())
    }

    fn ask_again(&mut self) {
        if self.game.made().len() > MAX_MOVES_WITHOUT_QUESTION { self.over = Over::Again } else { self.restart() }
    }

    fn restart(&mut self) {
        self.game.restart();
        self.selected = None;
        self.clock.restart();
        self.back("at the start".to_owned());
    }

    fn set_checkpoint(&mut self) {
        let moves = self.game.made().to_vec();
        let after = counted(moves.len() as u64, "move");
        self.message = format!("checkpoint after {after}. Press {} to return to it", self.key_name(",", "F6"));
        self.checkpoint = Some(moves);
    }

    fn return_to_checkpoint(&mut self) {
        match self.checkpoint.clone().map(|moves| (self.game.go_to(&moves), moves.len())) {
            Some((Ok(()), moves)) => self.back(format!("at the checkpoint, after {}", counted(moves as u64, "move"))),
            Some((Err(reason), _)) => self.message = reason,
            None => self.message = format!("no checkpoint yet. Press {} to set one", self.key_name(".", "F5")),
        }
    }

    /// Updates everything after a return to an earlier position.
    fn back(&mut self, message: String) {
        self.moved();
        self.over = Over::Nothing;
        self.message = message;
    }

    /// Leaves the game: for the list of levels, if there is one.
    fn leave(&mut self) {
        self.left = Some(if self.level.is_some() { Left::Menu } else { Left::Quit });
    }

    /// Returns whether there is a level so many places after this one.
    pub fn has_level(&self, after: isize) -> bool {
        self.level.is_some_and(|level| level.index.checked_add_signed(after).is_some_and(|next| next < level.count))
    }

    fn leave_for(&mut self, after: isize) {
        if self.has_level(after) {
            self.left = Some(Left::Level(after));
        } else {
            self.message = if after > 0 { "this is the last level" } else { "this is the first level" }.to_owned();
        }
    }

    /// Shows the next move; plays it if it is already shown.
    fn hint(&mut self) {
        if let Some(hinted) = self.hinted.take() {
            return self.make(&hinted, true);
        }
        self.message = match self.guide.known(&self.game) {
            None => SEARCHING.to_owned(),
            Some(Known::Path { next: None, .. }) => "already solved".to_owned(),
            Some(Known::Path { next: Some(next), .. }) => {
                self.hinted = Some(next.clone());
                format!("hint: {next}. Press {} again to make this move", self.key_name("h", "F2"))
            }
            Some(Known::NoPath(Some(reason))) => format!("no solution: {reason}"),
            Some(Known::NoPath(None)) => "no path leads from here to a goal. Undo some moves".to_owned(),
            Some(Known::GaveUp(why)) => format!("no hint: {why}"),
        };
    }

    /// Returns the figure that the hint moves, the foremost of several.
    pub fn hinted_figure(&self) -> Option<u64> {
        let at = self.hinted_at()?;
        self.game.effects().get(at)?.motions.last().map(|motion| motion.key)
    }

    /// Returns the cell of the hint, if the move has a place.
    pub fn hinted_cell(&self) -> Option<Cell> {
        let at = self.hinted_at()?;
        self.game.places()?.get(at).copied()
    }

    fn hinted_at(&self) -> Option<usize> {
        let hinted = self.hinted.as_ref()?;
        self.game.legal().iter().position(|legal| legal == hinted)
    }

    fn show_goal(&mut self) {
        match self.game.goal().alternatives.is_empty() {
            true => self.message = "this goal has no drawing and no description".to_owned(),
            false => self.over = Over::Goal(0),
        }
    }

    fn start_watching(&mut self, now: Instant) {
        self.watch = Some(Watch { pace: PACE, next: now });
        self.message = "showing a solution. Press + or - to change the speed, any other key to stop".to_owned();
    }
}
