//! `engine play`: plays a puzzle in the terminal, or line by line without one.

mod app;
mod board;
mod clock;
mod lines;
mod list;
mod menu;
mod mouse;
mod palette;
mod records;
mod screen;
mod session;
#[cfg(test)]
mod tests;
mod view;

use super::cache::CacheOption;
use super::failure::{Ended, Failure};
use super::limits::{DEPTH_OR_FILE, LimitOptions, interrupt};
use super::list::size_and_optimum;
use super::loading::PuzzleFile;
use super::moves::given;
use super::notation::NotationOption;
use super::snapshots::Snapshots;
use super::{Status, colours, complain, files, wall};
use crate::play::Game;
use crate::puzzle::{Options, Source};
use crate::search::Limits;
use clap::Args;
use menu::{Facts, Menu};
use palette::{Hues, Palette};
use records::{Identity, Records};
use session::{Session, Setting};
use std::io;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

/// The time limit of reading a level for the list: one that takes longer has no size there.
const FACTS_TIME: Duration = Duration::from_millis(500);

/// Play a puzzle in the terminal
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    mut_arg("file", |argument| argument.help("Play the puzzle in this file, or choose a level of a collection or a puzzle below a folder")),
    after_help = "In the terminal, `?` shows all keys. Line by line, type moves as `engine solve` writes them, one or several \
                  on a line; or u, d, l or r, if a single piece can move in that direction; or one of the words undo, \
                  redo, restart, mark, back, hint, moves, look, levels, level, next, previous, help and quit.\n\n\
                  On the screen, the best solutions, and where games were left, are kept in the user's folder for data, \
                  in the file engine/play.json.\n\n\
                  The limits hold for reading the file, and for each search for a hint. By default, such a search uses at \
                  most 1GiB of memory in the terminal, and expands at most 2,000,000 states line by line.\n\n\
                  Exit status: 0 whatever the end of the game, 2 wrong usage or an invalid file, 3 stopped by a limit \
                  while reading the file, 130 interrupted."
)]
pub(super) struct Play {
    #[command(flatten)]
    puzzle: PuzzleFile,
    #[command(flatten)]
    limits: LimitOptions,
    #[command(flatten)]
    notation: NotationOption,
    /// Begin after these moves, which can be undone
    ///
    /// Give the moves themselves, or a file with the output of `engine solve` in the format text, moves or json.
    #[arg(long, value_name = "MOVES|FILE")]
    from: Option<String>,
    /// Play line by line, with positions and moves in words, for screen readers
    ///
    /// Without a terminal, the game is played line by line, too, but positions are drawn.
    #[arg(long)]
    plain: bool,
    /// Choose the colours of pieces whose colour the file does not name
    #[arg(long, value_name = "NAME", value_enum, default_value_t)]
    palette: Hues,
    #[command(flatten)]
    cache: CacheOption,
}

impl Play {
    pub fn run(&self) -> Ended {
        let path = self.puzzle.path();
        let sources = self.puzzle.sources(|report| super::report(&report))?;
        let is_on_screen = !self.plain && screen::is_there();
        let voice = if self.plain { lines::Voice::Words } else { lines::Voice::Drawn };
        let [source] = &sources[..] else {
            if self.from.is_some() {
                let refused = Failure::refused("`--from` takes one puzzle", "choose a level with `--level`");
                return Err(refused.about(&path));
            }
            if !is_on_screen {
                let load = |source: &Source| self.load(source);
                return lines::play_levels(sources, &load, self.options(lines::within), voice);
            }
            let title = if path.is_dir() { path.display().to_string() } else { title_of(&path) };
            let setting = self.setting(&path);
            let collection = path.canonicalize().unwrap_or_else(|_| path.clone()).display().to_string();
            let menu = Menu::new(title, collection, sources, &setting.records);
            return on_screen(Session::of_menu(menu, setting));
        };
        // Until the game begins, Ctrl-C ends the program.
        let mut game = self.load(source)?;
        if let Some(from) = &self.from {
            let moves = given(game.puzzle(), &self.puzzle.name(), from);
            for written in moves.map_err(|failure| failure.about(&path))? {
                game.play(&written).map_err(|why| Failure::refused(format!("{written}: {why}"), ""))?;
            }
        }
        if !is_on_screen {
            return lines::play_game(game, self.options(lines::within), voice);
        }
        let identity = Identity::of(game.puzzle(), source);
        on_screen(Session::of_game(game, identity, self.setting(&path)))
    }

    /// Reads a puzzle and begins its game.
    fn load(&self, source: &Source) -> Result<Game, Failure> {
        let limits = self.limits.reading();
        let puzzle = wall::behind(source.name(), source.name(), &limits, || self.puzzle.load_source(source, &limits))?;
        let notation = self.notation.of(&puzzle).map_err(|failure| failure.about(source.name().as_ref()))?;
        Ok(Game::new(Arc::new(puzzle), notation))
    }

    /// Returns the size and the optimum of a level, within a short time.
    fn facts(&self, source: &Source, path: &Path, snapshots: &Snapshots) -> Facts {
        let limits = Limits { time: Some(FACTS_TIME), ..self.limits.reading() };
        let key = format!("facts about {}", source.name());
        let puzzle = wall::behind(&key, source.name(), &limits, || self.puzzle.load_source(source, &limits));
        let Ok(puzzle) = puzzle else { return Facts::default() };
        let stored = snapshots.read(&files::name_within(path, source)).ok().flatten();
        let [size, optimum] = size_and_optimum(&puzzle, stored.as_deref());
        Facts { size, optimum }
    }

    /// Returns what the games on the screen share. `path` is the folder or the collection, if there is a list.
    fn setting(&self, path: &Path) -> Setting<'_> {
        let (snapshots, path) = (Snapshots::beside(path), path.to_owned());
        Setting {
            options: self.options(screen::within),
            palette: Palette::of_terminal(colours(&io::stdout()), self.palette),
            records: Records::of_user(),
            facts: Box::new(move |source| self.facts(source, &path, &snapshots)),
            load: Box::new(|source| self.load(source).map_err(|failure| failure.messages())),
        }
    }

    /// Returns the options of the searches for hints, within default limits.
    fn options(&self, within: fn(&mut Limits)) -> Options {
        let mut limits = self.limits.limits(&Arc::default());
        within(&mut limits);
        Options { limits, cache: self.cache.folder(), ..Options::default() }
    }
}

/// Plays a session on the screen.
fn on_screen(mut session: Session) -> Ended {
    let status = screen::play(&mut session)?;
    if let Some(note) = session.note {
        complain(&format!("note: {note}"));
    }
    Ok(status)
}

/// Returns the title of a collection: the name of its file.
fn title_of(path: &Path) -> String {
    path.file_stem().map_or_else(|| path.display().to_string(), |stem| stem.to_string_lossy().into_owned())
}
