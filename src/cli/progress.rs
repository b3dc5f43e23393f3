//! Notes and progress on standard error: notes always, and on a terminal, the progress of every task that takes more
//! than a second.
//!
//! A separate thread reads a [`Gauge`] that the search writes, or the last report of a state space under construction,
//! and draws one line. Dropping the display clears the line, before any result is printed.

use super::complain;
use super::output::print_json;
use crate::diagnostic::printable;
use crate::domain::{Observer, Progress};
use crate::plot::thousands;
use crate::search::{Gauge, Reading};
use crate::transcript::{Number, rate};
use bytesize::ByteSize;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use parking_lot::Mutex;
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::thread::{JoinHandle, spawn};
use std::time::{Duration, Instant};

/// The time before the first line.
const PATIENCE: Duration = Duration::from_secs(1);
/// The time between two redraws.
const EVERY: Duration = Duration::from_millis(125);
/// The time between two looks at the bound, whose rise is printed for programs at once.
const LOOK: Duration = Duration::from_millis(10);

/// A display that shows progress until it is dropped.
pub(super) struct Display {
    shared: Arc<Shared>,
    /// Dropped to end the thread.
    alive: Option<Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

struct Shared {
    quiet: bool,
    /// Hides itself if standard error is not a terminal.
    line: ProgressBar,
    scene: Mutex<Scene>,
}

/// The content of the line.
#[derive(Default)]
struct Scene {
    /// The beginning of the line.
    title: String,
    since: Option<Instant>,
    gauge: Arc<Gauge>,
    /// The last report, and the time of the first one.
    building: Option<(Progress, Instant)>,
}

impl Display {
    /// Creates a display: of nothing if `quiet`, of notes alone if standard error is not a terminal.
    pub fn new(quiet: bool) -> Display {
        let line = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr());
        let style = ProgressStyle::with_template("{wide_msg}").unwrap_or_else(|_| ProgressStyle::default_spinner());
        let shared = Arc::new(Shared { quiet, line: line.with_style(style), scene: Mutex::default() });
        if quiet || !is_drawn_on() {
            return Display { shared, alive: None, thread: None };
        }
        let (alive, ended) = channel();
        let draws = Arc::clone(&shared);
        let thread = spawn(move || draws.draw(&ended));
        Display { shared, alive: Some(alive), thread: Some(thread) }
    }

    /// Creates a display that prints lines of JSON on standard output, for a program that reads them.
    pub fn of_lines() -> Display {
        let shared = Arc::new(Shared { quiet: true, line: ProgressBar::hidden(), scene: Mutex::default() });
        let (alive, ended) = channel();
        let prints = Arc::clone(&shared);
        let thread = spawn(move || prints.print(&ended));
        Display { shared, alive: Some(alive), thread: Some(thread) }
    }

    /// Begins a task with this title. Returns the gauge for its progress; `None` if nothing would be shown.
    pub fn begin(&self, title: &str) -> Option<Arc<Gauge>> {
        self.alive.as_ref()?;
        let title = printable(title).replace(['\n', '\t'], " ");
        let mut scene = self.shared.scene.lock();
        *scene = Scene { title, since: Some(Instant::now()), ..Scene::default() };
        Some(Arc::clone(&scene.gauge))
    }

    /// Returns the observer for the progress of building tables.
    pub fn observer(&self) -> Arc<dyn Observer> {
        Arc::clone(&self.shared) as Arc<dyn Observer>
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.alive = None;
        if let Some(thread) = self.thread.take() {
            // A panic of the thread loses no result.
            let _ = thread.join();
        }
    }
}

impl Shared {
    /// Draws until the display is dropped, then clears the line.
    fn draw(&self, ended: &Receiver<()>) {
        let mut wait = PATIENCE;
        while ended.recv_timeout(wait) == Err(RecvTimeoutError::Timeout) {
            wait = EVERY;
            let line = self.scene.lock().line();
            self.line.set_message(line);
            // The line fills the terminal. An echoed `^C` behind it would begin another line, and the first would
            // remain.
            let _ = write!(io::stderr(), "\r");
        }
        self.line.finish_and_clear();
    }
}

/// The progress of a search, on a line of JSON.
#[derive(Serialize)]
struct ProgressRow {
    progress: Option<&'static str>,
    expanded: u64,
    level: Option<(&'static str, f64)>,
    lower_bound: f64,
}

impl Shared {
    /// Prints lines until the display is dropped: at each rise of the bound, and otherwise now and then.
    fn print(&self, ended: &Receiver<()>) {
        let (mut printed, mut bound) = (Instant::now(), 0.0);
        while ended.recv_timeout(LOOK) == Err(RecvTimeoutError::Timeout) {
            let Reading { doing, expanded, level, lower_bound, .. } = self.scene.lock().gauge.read();
            if lower_bound <= bound && printed.elapsed() < EVERY {
                continue;
            }
            (printed, bound) = (Instant::now(), lower_bound);
            // A closed pipe ends the program when it writes the result.
            let _ = print_json(&ProgressRow { progress: doing, expanded, level, lower_bound });
        }
    }
}

impl Scene {
    fn line(&self) -> String {
        let elapsed = self.since.map(|since| since.elapsed()).unwrap_or_default();
        let building = self.building.as_ref().filter(|(building, _)| building.done < building.total);
        let progress = match building {
            Some((building, since)) => {
                let done = building.done as f64 / building.total as f64;
                let left = since.elapsed().as_secs_f64() * (1.0 - done) / done.max(1e-3);
                format!("{}, {:.0}% done, about {left:.0} s left", building.what, done * 100.0)
            }
            None => describe(&self.gauge.read(), elapsed),
        };
        format!("{}{progress}", self.title)
    }
}

impl Observer for Shared {
    fn note(&self, message: &str) {
        if !self.quiet {
            self.line.suspend(|| complain(&format!("note: {message}")));
        }
    }

    fn progress(&self, progress: &Progress) {
        let building = &mut self.scene.lock().building;
        let since = building.as_ref().filter(|(before, _)| before.what == progress.what).map(|(_, since)| *since);
        *building = Some((progress.clone(), since.unwrap_or_else(Instant::now)));
    }
}

/// Describes the progress of a search, the most important facts first: a narrow terminal shows only the beginning.
fn describe(reading: &Reading, elapsed: Duration) -> String {
    let mut parts = vec![reading.doing.unwrap_or("preparing").to_owned()];
    if let Some(heuristic) = reading.heuristic {
        parts[0] += &format!(" {heuristic}");
    }
    if reading.doing.is_some() {
        parts.extend(reading.level.map(|(unit, level)| format!("{unit} {} done", Number(level.floor()))));
        parts.push(format!("{} states", thousands(reading.expanded)));
        parts.extend(reading.per_second.map(rate));
        parts.push(ByteSize(reading.memory).display().iec().to_string());
    }
    if reading.lower_bound > 0.0 {
        parts.push(format!("cost ≥ {}", Number((reading.lower_bound * 1e3).floor() / 1e3)));
    }
    parts.push(format!("{} s", elapsed.as_secs()));
    parts.join(", ")
}

/// Returns whether standard error is a terminal on which lines can be redrawn.
fn is_drawn_on() -> bool {
    io::stderr().is_terminal() && std::env::var_os("TERM").is_none_or(|term| term != "dumb")
}

/// Clears the line that may have been drawn, before the program ends early.
pub(super) fn wipe() {
    if is_drawn_on() {
        // If standard error is closed, nothing can be shown.
        let _ = write!(io::stderr(), "\r\x1b[K");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_begins_with_the_most_important_facts() {
        let reading = Reading {
            doing: Some("a-star"),
            heuristic: Some("manhattan"),
            level: Some(("f", 41.0)),
            expanded: 12_345_678,
            per_second: Some(3.21e6),
            memory: 3 << 20,
            lower_bound: 42.41421,
        };
        let line = describe(&reading, Duration::from_millis(4900));
        let all = "a-star manhattan, f 41 done, 12,345,678 states, 3.2 M/s, 3.0 MiB, cost ≥ 42.414, 4 s";
        assert_eq!(line, all);
        assert_eq!(describe(&Reading::default(), Duration::ZERO), "preparing, 0 s");
    }

    #[test]
    fn a_quiet_display_measures_nothing() {
        assert!(Display::new(true).begin("").is_none());
    }

    #[test]
    fn building_reports_the_remaining_time() {
        let mut scene = Scene { title: "2 of 3: ".to_owned(), ..Scene::default() };
        let progress = |done| Progress { what: "a table".to_owned(), done, total: 4 };
        scene.building = Some((progress(1), Instant::now()));
        assert_eq!(scene.line(), "2 of 3: a table, 25% done, about 0 s left");
        scene.building = Some((progress(4), Instant::now()));
        assert_eq!(scene.line(), "2 of 3: preparing, 0 s", "a finished build is no longer shown");
    }
}
