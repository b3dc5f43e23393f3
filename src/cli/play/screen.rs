//! The screen of a game: drawn on the terminal until the player or a signal ends the game.

use super::Status;
use super::interrupt;
use super::session::Session;
use crate::cli::streams::guard;
use crate::cli::terminal::{RawTerminal, restore};
use crate::search::Limits;
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::crossterm::event::{poll, read};
use std::io::{self, IsTerminal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{env, thread};

/// The time between two checks for signals.
const PATIENCE: Duration = Duration::from_millis(100);

/// The greatest number of events handled before the screen is drawn.
const MAX_EVENTS_PER_FRAME: usize = 64;

/// The default limit on the memory of the background search.
const MAX_MEMORY: u64 = 1 << 30;

/// Returns whether there is a terminal to draw on.
pub(super) fn is_there() -> bool {
    let is_dumb = env::var_os("TERM").is_none_or(|term| term.is_empty() || term == "dumb");
    io::stdin().is_terminal() && io::stdout().is_terminal() && (!is_dumb || cfg!(windows))
}

/// Sets the default limits of searches.
pub(super) fn within(limits: &mut Limits) {
    limits.memory.get_or_insert(MAX_MEMORY);
}

/// Plays until the player or a signal ends the session.
pub(super) fn play(session: &mut Session) -> io::Result<Status> {
    let interrupt = interrupt();
    let set = Arc::clone(&interrupt);
    let _raw = RawTerminal::new()?;
    thread::spawn(move || watch_over(&set));
    let mut terminal = Terminal::new(CrosstermBackend::new(io::stdout()))?;
    loop {
        session.tick(Instant::now());
        if std::mem::take(&mut session.is_stale) {
            terminal.draw(|frame| {
                session.draw(frame);
                guard(frame.buffer_mut());
            })?;
        }
        let next = session.next_tick().map_or(PATIENCE, |next| next.saturating_duration_since(Instant::now()));
        let mut waits = next.min(PATIENCE);
        // Events that arrive together are drawn once.
        for _ in 0..MAX_EVENTS_PER_FRAME {
            if !poll(waits)? || session.ended.is_some() {
                break;
            }
            session.handle(&read()?, Instant::now());
            waits = Duration::ZERO;
        }
        if interrupt.load(Ordering::Relaxed) {
            let _ = session.store();
            return Ok(Status::Interrupted);
        }
        if let Some(status) = session.ended {
            return Ok(status);
        }
    }
}

/// Ends the program if the game cannot: reading from a closed terminal never returns (crossterm 0.29), and drawing a
/// huge board may take long.
fn watch_over(interrupt: &AtomicBool) {
    while !interrupt.load(Ordering::Relaxed) && io::stdin().is_terminal() {
        thread::sleep(PATIENCE);
    }
    thread::sleep(10 * PATIENCE);
    restore();
    std::process::exit(Status::Interrupted as i32);
}
