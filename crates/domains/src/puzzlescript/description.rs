//! The keys of a PuzzleScript puzzle, and the game that they name.

use super::Level;
use super::compiled::{Compiled, compiled};
use super::view::Glyphs;
use crate::diagnostic::{Diagnostic, SourceText, did_you_mean, steers};
use crate::document::{DeValue, FromToml, Keys, Node, Spanned};
use crate::domain::collection::Prepared;
use crate::domain::{FileContext, Instance};
use engine_puzzlescript::diagnostic::{Diagnostic as Finding, Diagnostics, Severity};
use engine_puzzlescript::game::{Game, Place, Rule, RuleLine, Word};
use engine_puzzlescript::press::Outcome;
use engine_puzzlescript::program::{self, Program};
use engine_puzzlescript::random::Random;
use engine_puzzlescript::turn::{StopSignal, Workspace};
use std::io::Read;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// The size of the largest game that is read, in bytes. The largest published ones have a few hundred kilobytes.
const MOST_BYTES: u64 = 16 << 20;

/// The text of a game, and where it is written.
struct Text {
    text: SourceText,
    /// The value that names or holds it.
    span: Range<usize>,
    origin: Origin,
}

enum Origin {
    /// In a file of this path.
    File(String),
    /// In the puzzle file, from this byte on; `None` if escapes make places inexact.
    Here(Option<usize>),
}

impl Text {
    /// Converts a diagnostic of the game.
    fn located(&self, found: &Finding) -> Diagnostic {
        match (&self.origin, found.at) {
            (Origin::Here(Some(from)), Some(at)) => {
                let span = span_of(&self.text, at);
                Diagnostic::at(from + span.start..from + span.end, found.message.clone())
            }
            (Origin::File(path), Some(at)) => {
                Diagnostic::at(self.span.clone(), format!("{path}:{}:{}: {}", at.line, at.column, found.message))
            }
            (Origin::Here(None), Some(at)) => {
                let message = format!("line {} of the game: {}", at.line, found.message);
                Diagnostic::at(self.span.clone(), message)
            }
            (_, None) => Diagnostic::at(self.span.clone(), found.message.clone()),
        }
    }

    /// Converts a diagnostic of a game that plays to a warning. An error leaves a word or a line out of the game.
    fn warning(&self, found: &Finding, all: &Diagnostics) -> Diagnostic {
        let warning = self.located(found).warning();
        match found.severity {
            Severity::Warning => warning,
            Severity::Note => Diagnostic { is_certain: true, ..warning },
            Severity::Error => {
                let meant = meant(found, all).map_or(String::new(), |meant| meant + " ");
                let reference = match all.does_reference_play() {
                    true => "PuzzleScript leaves out what is wrong, and plays on",
                    false => "PuzzleScript itself does not play this game: the engine reads it as it is meant",
                };
                let warning = warning.help(meant + reference);
                Diagnostic { is_certain: true, ..warning }
            }
        }
    }
}

/// Returns what may be meant by the unknown name in a diagnostic, as a question.
fn meant(found: &Finding, all: &Diagnostics) -> Option<String> {
    Some(format!("did you mean `{}`?", did_you_mean(found.unknown.as_deref()?, all.names())?))
}

/// Returns the bytes of the word at a place of a text.
pub(super) fn span_of(text: &SourceText, at: Place) -> Range<usize> {
    let Some(Range { start: from, end }) = text.line((at.line as usize).max(1)).filter(|line| !line.is_empty()) else {
        return text.len()..text.len();
    };
    let line = &text[from..end];
    let column = line.char_indices().nth((at.column as usize).saturating_sub(1)).map_or(0, |(byte, _)| byte);
    let word = line[column..].find(char::is_whitespace).unwrap_or(line.len() - column);
    from + column..from + column + word
}

/// Returns the errors of a game that does not play, at least one; `located` gives a diagnostic its place.
pub(super) fn errors(found: &Diagnostics, located: impl Fn(&Finding) -> Diagnostic) -> Vec<Diagnostic> {
    let is_error = |found: &&Finding| found.severity == Severity::Error || found.at.is_none();
    let helped = |one: &Finding| match meant(one, found) {
        Some(meant) => located(one).help(meant),
        None => located(one),
    };
    let errors: Vec<Diagnostic> = found.distinct().filter(is_error).map(helped).collect();
    if errors.is_empty() {
        let first = found.all().first().map(|first| located(first).help("there are too many warnings to go on"));
        return vec![first.unwrap_or_else(|| Diagnostic::whole("the game has nothing to play"))];
    }
    errors
}

/// Returns the messages right before a level, counted with messages, as its description.
pub(super) fn described(game: &Game, level: usize) -> Option<String> {
    let messages = game.messages_before(level);
    (!messages.is_empty()).then(|| messages.join("\n"))
}

/// Returns why a game cannot be searched, with or without a seed.
pub(super) fn refused(game: &Game, program: &Program, has_seed: bool) -> Option<Diagnostic> {
    if program.settings.realtime {
        let reason = "the game runs in real time (`realtime_interval`), so presses alone do not decide it";
        return Some(Diagnostic::whole(reason));
    }
    if let Some(rule) = game.rules.iter().find_map(late_movement) {
        let line = rule.at.line;
        let reason = format!("the late rule in line {line} of the game moves objects in the next turn (`randomdir`)");
        return Some(Diagnostic::whole(reason).help("positions have no movements: write the rule without `late`"));
    }
    let reason = "the game draws at random, so no sequence of presses is sure to win";
    let help = "play it with a seed: `seed = \"1\"` in the puzzle file, or the option `--seed 1`";
    (program.is_random() && !has_seed).then(|| Diagnostic::whole(reason).help(help))
}

/// Returns a rule if it is a late one that gives objects a movement: only `randomdir` may.
fn late_movement(line: &RuleLine) -> Option<&Rule> {
    let RuleLine::Rule(rule) = line else { return None };
    let mut terms = rule.right.iter().flatten().flatten();
    (rule.late && terms.any(|term| term.word == Word::RandomDir)).then_some(rule)
}

/// A seed, written as a string or an integer.
struct Seed(String);

impl FromToml for Seed {
    fn from_toml(node: Node) -> Option<Seed> {
        match node.value() {
            DeValue::String(_) => node.read().map(Seed),
            DeValue::Integer(_) => node.read().map(|seed: i64| Seed(seed.to_string())),
            _ => node.wrong_type("a string or an integer"),
        }
    }
}

/// Reads a level of a game.
///
/// # Errors
/// Reports every mistake in the keys, and in the game.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    Ok(Box::new(level(keys, file)?))
}

/// Reads a level of a game, as [`read`] does.
pub(super) fn level(keys: &Keys, file: &FileContext) -> Result<Level, Vec<Diagnostic>> {
    // The levels of a collection share the game.
    let known = file.prepared.and_then(Prepared::get::<Compiled>);
    let text = match &known {
        Some(known) => {
            let (text, span) = (known.text.clone(), keys.span("source").unwrap_or_default());
            Ok(Text { text, span, origin: Origin::Here(Some(0)) })
        }
        None => text(keys.take("game"), keys.take("source"), file),
    };
    let number = keys.take::<Spanned<u32>>("level");
    let seed = keys.take::<Spanned<Seed>>("seed");
    let text = text?;
    let has_source = matches!(text.origin, Origin::Here(_));
    let compiled = match known {
        Some(known) => known,
        None => compiled(text.text.clone(), file.context).map_err(|found| match file.context.ended() {
            Some(limit) => vec![Diagnostic::at_limit(limit)],
            None => errors(&found, |found| text.located(found)),
        })?,
    };
    let program = Arc::clone(&compiled.program);
    let given = file.options.seed.as_deref().or(seed.as_ref().map(|seed| seed.get_ref().0.as_str()));
    if given.is_some_and(|seed| seed.contains(steers)) {
        let error = Diagnostic::whole("the seed has a control character").label("expected one line of text");
        let span = seed.filter(|_| file.options.seed.is_none()).map(|seed| seed.span());
        return Err(vec![Diagnostic { span, ..error }]);
    }
    if let Some(mut error) = refused(&compiled.game, &program, given.is_some() || file.findings.refused("seed")) {
        error.span = Some(text.span);
        return Err(vec![error]);
    }
    let wanted = number.as_ref().map_or(1, |number| *number.get_ref()) as usize;
    let count = program.boards().count();
    let boards = program.levels.iter().enumerate().filter_map(|(index, level)| match level {
        program::Level::Board(board) => Some((index, board)),
        program::Level::Message(_) => None,
    });
    let board = wanted.checked_sub(1).and_then(|number| boards.clone().nth(number));
    let Some((index, written)) = board.map(|(index, board)| (index, board.clone())) else {
        let span = number.map_or(text.span, |number| number.span());
        let has = if count == 1 { "1 level".to_owned() } else { format!("{count} levels") };
        return Err(vec![Diagnostic::at(span, format!("the game has {has}, no level {wanted}"))]);
    };
    file.check_memory(written.cells.len() as u64 * 64, &text.span).map_err(|error| vec![error])?;
    let mut warnings: Vec<Diagnostic> =
        compiled.diagnostics.distinct().map(|found| text.warning(found, &compiled.diagnostics)).collect();
    if let Some(seed) = seed.as_ref().filter(|_| !program.is_random()) {
        let message = "the game does not draw at random: `seed` changes nothing";
        warnings.push(Diagnostic::at(seed.span(), message).warning());
    }
    let mut random = Random::new(given.unwrap_or_default());
    let (mut workspace, mut target) = (Workspace::default(), written.cells.clone());
    workspace.load(&program, &written);
    let stop = file.context.stop.clone();
    workspace.set_stop(StopSignal::when(move || stop.check_cheap().is_some()));
    let beginning = workspace.begin(&program, &mut target, &mut random);
    if beginning == Outcome::Limit {
        if let Some(limit) = file.context.stop.check_cheap() {
            return Err(vec![Diagnostic::at_limit(limit)]);
        }
        return Err(vec![Diagnostic::at(text.span, "the turns that begin the level take too long")]);
    }
    let start = workspace.objects().to_vec();
    let draws = given.filter(|_| program.is_random()).map(|seed| (seed.to_owned(), random));
    let glyphs = Arc::new(Glyphs::new(&compiled.game, &program));
    let description = described(&compiled.game, index);
    let (plain, facts, bounds) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
    Ok(Level {
        compiled,
        description,
        has_source,
        index,
        plain,
        program,
        glyphs,
        written,
        start,
        target,
        beginning,
        draws,
        warnings,
        facts,
        bounds,
    })
}

/// Returns the text of the game, from its file or from the puzzle itself.
fn text(
    game: Option<Spanned<String>>,
    source: Option<Spanned<String>>,
    file: &FileContext,
) -> Result<Text, Vec<Diagnostic>> {
    match (game, source) {
        (Some(_), Some(source)) => {
            let error = Diagnostic::at(source.span(), "`game` and `source` both give a game");
            Err(vec![error.label("expected one of them")])
        }
        (None, Some(source)) => {
            let span = source.span();
            let from = file.source.get(span.clone()).and_then(|written| written.find(source.get_ref().as_str()));
            let origin = Origin::Here(from.map(|offset| span.start + offset));
            Ok(Text { text: source.into_inner().into(), span, origin })
        }
        (Some(path), None) => {
            let span = path.span();
            let opened = file.open(path.get_ref(), span.clone(), "a PuzzleScript game").map_err(|error| vec![error])?;
            let wrong = |message: String| vec![Diagnostic::at(span.clone(), message)];
            if opened.bytes > MOST_BYTES {
                return Err(wrong(format!("{} is larger than {} MiB", opened.name, MOST_BYTES >> 20)));
            }
            let mut bytes = Vec::new();
            let read = opened.file.take(MOST_BYTES).read_to_end(&mut bytes);
            read.map_err(|error| wrong(format!("{} cannot be read: {error}", opened.name)))?;
            let text = String::from_utf8(bytes).map_err(|_| wrong(format!("{} is not UTF-8", opened.name)))?;
            Ok(Text { text: text.into(), span, origin: Origin::File(opened.name) })
        }
        (None, None) => {
            let refused = file.findings.refused("game") || file.findings.refused("source");
            Err(if refused { Vec::new() } else { vec![file.missing("game", "game = \"game.txt\"")] })
        }
    }
}
