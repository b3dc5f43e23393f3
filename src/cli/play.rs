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

use super::cache::cache_folder;
use super::limits::{LimitOptions, interrupt};
use super::loading::LoadOptions;
use super::{Status, colours, complain, unread};
use crate::diagnostic::unknown_name;
use crate::play::Game;
use crate::puzzle::{Notation, Options};
use crate::search::Limits;
use clap::Args;
use palette::Palette;
use std::io;
use std::path::PathBuf;
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
    /// A puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
    /// Play line by line, as it is done where standard input or output is no terminal
    #[arg(long)]
    plain: bool,
    /// How moves are written: the domain's own way, or another that `engine domains NAME` lists
    #[arg(long, value_name = "NAME", default_value = Notation::STANDARD.name())]
    notation: String,
    /// Neither read nor write the tables that are kept from one run to the next
    #[arg(long)]
    no_cache: bool,
    /// What reading the file, and each search for a hint, may spend
    #[command(flatten)]
    limits: LimitOptions,
}

impl Play {
    pub fn run(&self) -> io::Result<Status> {
        // Until the game begins, Ctrl-C ends the program.
        let puzzle = match self.loading.load_within(&self.file, &self.limits.limits(&Arc::default())) {
            Ok(puzzle) => puzzle,
            Err(error) => return Ok(unread(&error)),
        };
        let domain = puzzle.domain();
        let Some(notation) = domain.notation(&self.notation) else {
            let valid = unknown_name(&self.notation, domain.notations.iter().map(|notation| notation.name()));
            let message = format!("the domain `{}` has no notation `{}`", domain.name, self.notation);
            complain(&format!("error: {}: {message}\n  help: {valid}", self.file.display()));
            return Ok(Status::Bad);
        };
        let game = Game::new(Arc::new(puzzle), notation);
        if self.plain || !screen::is_there() {
            return lines::play(game, self.options(lines::within));
        }
        screen::play(game, self.options(screen::within), Palette::of_terminal(colours(&io::stdout())))
    }

    /// How solutions are looked for.
    fn options(&self, within: fn(&mut Limits)) -> Options {
        let mut limits = self.limits.limits(&Arc::default());
        within(&mut limits);
        Options { limits, cache: (!self.no_cache).then(cache_folder).flatten(), ..Options::default() }
    }
}
