//! `engine play`: plays a puzzle in the terminal, or line by line without one.

mod app;
mod board;
mod lines;
mod list;
mod mouse;
mod palette;
mod screen;
#[cfg(test)]
mod tests;
mod view;

use super::cache::CacheOption;
use super::failure::{Ended, Failure};
use super::limits::{DEPTH_OR_FILE, LimitOptions, interrupt};
use super::loading::PuzzleFile;
use super::moves::given;
use super::notation::NotationOption;
use super::{Status, colours};
use crate::play::Game;
use crate::puzzle::Options;
use crate::search::Limits;
use clap::Args;
use palette::Palette;
use std::io;
use std::sync::Arc;

/// Play a puzzle in the terminal
#[derive(Args)]
#[command(
    mut_arg("depth_limit", |argument| argument.help(DEPTH_OR_FILE)),
    after_help = "In the terminal, `?` shows all keys. Line by line, type moves as `engine solve` writes them, one or several \
                  on a line; or u, d, l or r, if a single piece can move in that direction; or one of the words undo, \
                  redo, restart, hint, moves, help and quit.\n\n\
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
    /// Play line by line [default: only if standard input or output is no terminal]
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    cache: CacheOption,
}

impl Play {
    pub fn run(&self) -> Ended {
        // Until the game begins, Ctrl-C ends the program.
        let puzzle = self.puzzle.load(&self.limits.limits(&Arc::default()))?;
        let notation = self.notation.of(&puzzle).map_err(|failure| failure.about(&self.puzzle.path()))?;
        let mut game = Game::new(Arc::new(puzzle), notation);
        if let Some(from) = &self.from {
            let moves = given(game.puzzle(), &self.puzzle.name(), from);
            for written in moves.map_err(|failure| failure.about(&self.puzzle.path()))? {
                game.play(&written).map_err(|why| Failure::refused(format!("{written}: {why}"), ""))?;
            }
        }
        if self.plain || !screen::is_there() {
            return Ok(lines::play(game, self.options(lines::within))?);
        }
        Ok(screen::play(game, self.options(screen::within), Palette::of_terminal(colours(&io::stdout())))?)
    }

    /// Returns the options of the searches for hints, within default limits.
    fn options(&self, within: fn(&mut Limits)) -> Options {
        let mut limits = self.limits.limits(&Arc::default());
        within(&mut limits);
        Options { limits, cache: self.cache.folder(), ..Options::default() }
    }
}
