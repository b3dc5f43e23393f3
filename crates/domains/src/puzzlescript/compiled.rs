//! A game that plays: read and compiled once, and shared by its levels.

use engine_puzzlescript::compile::compile;
use engine_puzzlescript::diagnostic::Diagnostics;
use engine_puzzlescript::game::Game;
use engine_puzzlescript::program::Program;
use engine_puzzlescript::reader;
use std::sync::Arc;

/// A game that plays, with the diagnostics of its compiler.
#[derive(Debug)]
pub(super) struct Compiled {
    text: String,
    pub game: Game,
    pub program: Arc<Program>,
    pub diagnostics: Diagnostics,
}

/// Compiles the text of a game.
///
/// # Errors
/// Returns what keeps it from being played.
pub(super) fn compiled(text: &str) -> Result<Arc<Compiled>, Diagnostics> {
    let reading = reader::read(text);
    let mut diagnostics = reading.diagnostics;
    let Some(game) = reading.game else { return Err(diagnostics) };
    let Some(program) = compile(&game, &mut diagnostics) else { return Err(diagnostics) };
    Ok(Arc::new(Compiled { text: text.to_owned(), game, program: Arc::new(program), diagnostics }))
}

impl Compiled {
    /// Returns whether this is the game of a text. Line ends do not matter.
    pub fn is_of(&self, text: &str) -> bool {
        let characters = |text: &'_ str| text.bytes().filter(|&byte| byte != b'\r').collect::<Vec<u8>>();
        self.text == text || characters(&self.text) == characters(text)
    }
}
