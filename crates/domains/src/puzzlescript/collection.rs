//! A PuzzleScript game as a collection: each level is a puzzle with the game in it.

use super::description::{compiled, errors, refused, span_of};
use crate::diagnostic::Diagnostic;
use crate::domain::Named;
use crate::domain::collection::{CollectionFormat, CollectionText, Level, LevelText};
use engine_puzzlescript::diagnostic::Diagnostic as Finding;
use engine_puzzlescript::game::{self, Game};
use std::borrow::Cow;
use std::sync::Arc;

inventory::submit! {
    CollectionFormat {
        name: "puzzlescript",
        summary: "PuzzleScript games, with the sections OBJECTS, LEGEND, COLLISIONLAYERS, RULES, WINCONDITIONS and LEVELS",
        extensions: &["txt", "ps", "puzzlescript"],
        metrics: &[Named { name: "presses", summary: "presses of keys, with all turns that follow from one" }],
        recognizes,
        levels,
    }
}

/// Returns whether a text has the headings of a game.
fn recognizes(text: &str) -> bool {
    let has = |heading: &str| text.lines().any(|line| line.trim().eq_ignore_ascii_case(heading));
    has("collisionlayers") && has("objects") && has("levels")
}

fn levels(source: &CollectionText) -> Result<Vec<Level>, Vec<Diagnostic>> {
    let text = source.text;
    let located = |found: &Finding| match found.at {
        Some(at) => Diagnostic::at(span_of(text, at), found.message.clone()),
        None => Diagnostic::whole(found.message.clone()),
    };
    let compiled = compiled(text).map_err(|found| errors(&found, located))?;
    if let Some(reason) = refused(&compiled.program) {
        return Err(vec![Diagnostic::whole(reason)]);
    }
    let title = source.title.or(compiled.game.setting("title")).filter(|title| !title.trim().is_empty());
    let title: String = title.unwrap_or(source.name).split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, written, after) = literal(text);
    let start = before.len();
    let shared: Arc<str> = format!("{before}{written}{after}").into();
    let collection = (written == text).then(|| start..start + text.len());
    let places = places(&compiled.game);
    let level = |number: usize| {
        let title = format!("{title}, level {number}");
        let span = places.get(number - 1).map_or(0..0, |&at| span_of(text, at));
        let name = toml::Value::String(title.clone());
        let own = format!("title = {name}\ndomain = \"puzzlescript\"\nlevel = {number}\nsource = ");
        let puzzle = LevelText { own, shared: Arc::clone(&shared), collection: collection.clone() };
        Level { title, span, puzzle: Ok(puzzle), warnings: Vec::new() }
    };
    let count = compiled.program.boards().count();
    if count == 0 {
        return Err(vec![Diagnostic::whole("has no level to play")]);
    }
    Ok((1..=count).map(level).collect())
}

/// Returns the places of the boards.
fn places(game: &Game) -> Vec<game::Place> {
    let boards = game.levels.iter().filter_map(|level| match level {
        game::Level::Board { at, .. } => Some(*at),
        game::Level::Message { .. } => None,
    });
    boards.collect()
}

/// Returns a text as a TOML string and a line break, in three parts: before the text, the text, and after it. The string
/// is literal, unless the text has what such strings cannot hold.
fn literal(text: &str) -> (&str, Cow<'_, str>, &str) {
    let is_plain = |c: char| c == '\n' || c == '\t' || !c.is_control();
    let lines_end_well = !text.replace("\r\n", "\n").contains('\r');
    if !text.contains("'''")
        && !text.ends_with('\'')
        && lines_end_well
        && text.chars().all(|c| is_plain(c) || c == '\r')
    {
        return ("'''\n", text.into(), "'''\n");
    }
    ("", toml::Value::String(text.to_owned()).to_string().into(), "\n")
}
