//! `engine play`: a puzzle played in the terminal, or line by line where there is none.

mod app;
mod board;
mod hand;
mod lines;
mod list;
mod palette;
mod screen;
#[cfg(test)]
mod tests;
mod view;

use super::cache::CacheOption;
use super::failure::Ended;
use super::limits::{LimitOptions, interrupt};
use super::loading::PuzzleFile;
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
    after_help = "In the terminal `?` shows all keys. Line by line, moves are read from standard input as `engine solve` \
                  writes them, several on a line if you like, and a bare u, d, l or r moves what alone can go there; \
                  undo, redo, restart, hint, moves, help and quit are understood, too.\n\n\
                  Exit status: 0 however the game ends, 2 wrong usage or a bad file, 3 stopped by a limit \
                  while the file was read, 130 interrupted."
)]
pub(super) struct Play {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// Play line by line, as it is done where standard input or output is no terminal
    #[arg(long)]
    plain: bool,
    #[command(flatten)]
    notation: NotationOption,
    #[command(flatten)]
    cache: CacheOption,
    /// What reading the file, and each search for a hint, may spend
    #[command(flatten)]
    limits: LimitOptions,
}

impl Play {
    pub fn run(&self) -> Ended {
        // Until the game begins, Ctrl-C ends the program.
        let puzzle = self.puzzle.load(&self.limits.limits(&Arc::default()))?;
        let notation = self.notation.of(&puzzle).map_err(|failure| failure.about(self.puzzle.path()))?;
        let game = Game::new(Arc::new(puzzle), notation);
        if self.plain || !screen::is_there() {
            return Ok(lines::play(game, self.options(lines::within))?);
        }
        Ok(screen::play(game, self.options(screen::within), Palette::of_terminal(colours(&io::stdout())))?)
    }

    /// How solutions are looked for.
    fn options(&self, within: fn(&mut Limits)) -> Options {
        let mut limits = self.limits.limits(&Arc::default());
        within(&mut limits);
        Options { limits, cache: self.cache.folder(), ..Options::default() }
    }
}
