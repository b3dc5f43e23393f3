//! A game that plays: read and compiled once, and shared by its levels.

use crate::diagnostic::SourceText;
use crate::domain::BuildContext;
use engine_puzzlescript::compile::compile_until;
use engine_puzzlescript::diagnostic::Diagnostics;
use engine_puzzlescript::game::Game;
use engine_puzzlescript::program::Program;
use engine_puzzlescript::reader;
use std::sync::Arc;

/// A game that plays, with the diagnostics of its compiler.
#[derive(Debug)]
pub(super) struct Compiled {
    pub text: SourceText,
    pub game: Game,
    pub program: Arc<Program>,
    pub diagnostics: Diagnostics,
}

/// Compiles the text of a game.
///
/// # Errors
/// Returns what keeps it from being played. A limit of `context` may end the work instead.
pub(super) fn compiled(text: SourceText, context: &BuildContext) -> Result<Arc<Compiled>, Diagnostics> {
    let reading = reader::read(&text);
    let mut diagnostics = reading.diagnostics;
    let Some(game) = reading.game else { return Err(diagnostics) };
    let program = compile_until(&game, &mut diagnostics, &|| context.should_stop());
    let Some(program) = program else { return Err(diagnostics) };
    Ok(Arc::new(Compiled { text, game, program: Arc::new(program), diagnostics }))
}
