//! The terminal: in raw mode during a game, and restored however the game ends.

use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode, is_raw_mode_enabled,
};
use std::{io, panic, thread};

/// The terminal in raw mode on its alternate screen; restored on drop.
pub(super) struct RawTerminal;

impl RawTerminal {
    pub fn new() -> io::Result<RawTerminal> {
        let hook = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            // The game shows a panic of the background search itself.
            if thread::current().name() == Some("main") {
                restore();
                hook(info);
            }
        }));
        enable_raw_mode()?;
        let terminal = RawTerminal;
        execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
        Ok(terminal)
    }
}

impl Drop for RawTerminal {
    fn drop(&mut self) {
        restore();
    }
}

/// Restores the terminal, if it is in raw mode.
pub(super) fn leave() {
    if is_raw_mode_enabled().is_ok_and(|is_raw| is_raw) {
        restore();
    }
}

/// Restores the terminal, if it is still open.
pub(super) fn restore() {
    let _ = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    let _ = disable_raw_mode();
}
