//! A PuzzleScript game as a collection: each level is a puzzle with the game in it.

use super::compiled::compiled;
use super::description::{described, errors, refused, span_of};
use crate::diagnostic::Diagnostic;
use crate::domain::Named;
use crate::domain::collection::{CollectionFormat, CollectionText, Level, LevelText, Prepared};
use engine_puzzlescript::diagnostic::Diagnostic as Finding;
use engine_puzzlescript::game::{self, Game};
use engine_puzzlescript::reader::headings;
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

/// Returns whether a text has the headings of a game: three that every game has, after which more words may follow,
/// which are comments or mistakes; or any three alone on their lines, as others may be missing or misspelt.
fn recognizes(text: &str) -> bool {
    // In a message, a parenthesis begins no comment, so the text is searched as it is, too.
    let bare = without_comments(text);
    let is_heading = |line: &str, heading: &str| {
        let (word, rest) = line.trim().split_at_checked(heading.len()).unwrap_or_default();
        let ends = !rest.starts_with(|next: char| next.is_alphanumeric() || "_.\"'".contains(next));
        let rest = rest.trim_start();
        // A key of TOML is followed by one `=`.
        word.eq_ignore_ascii_case(heading) && ends && (!rest.starts_with('=') || rest.starts_with("=="))
    };
    let lines = || text.lines().chain(bare.lines());
    let has = |heading: &str| lines().any(|line| is_heading(line, heading));
    let is_alone = |heading: &&str| lines().any(|line| line.trim().eq_ignore_ascii_case(heading));
    has("collisionlayers") && has("objects") && has("levels") || headings().filter(is_alone).count() > 2
}

/// Returns a text without what stands in parentheses, which may contain others, and lines.
fn without_comments(text: &str) -> String {
    let mut open = 0_usize;
    let is_kept = |&next: &char| {
        open += usize::from(next == '(');
        let is_kept = open == 0;
        open -= usize::from(next == ')' && open > 0);
        is_kept
    };
    text.chars().filter(is_kept).collect()
}

fn levels(source: &CollectionText) -> Result<Vec<Level>, Vec<Diagnostic>> {
    let text = source.text;
    let located = |found: &Finding| match found.at {
        Some(at) => Diagnostic::at(span_of(text, at), found.message.clone()),
        None => Diagnostic::whole(found.message.clone()),
    };
    let compiled = compiled(text).map_err(|found| errors(&found, located))?;
    if let Some(error) = refused(&compiled.game, &compiled.program, source.seed.is_some()) {
        return Err(vec![error]);
    }
    let seed = source.seed.filter(|_| compiled.program.is_random());
    let seed = key("seed", seed);
    let title = source.title.or(compiled.game.setting("title")).filter(|title| !title.trim().is_empty());
    let title: String = title.unwrap_or(source.name).split_whitespace().collect::<Vec<_>>().join(" ");
    let (before, written, after) = literal(text);
    let start = before.len();
    let shared: Arc<str> = format!("{before}{written}{after}").into();
    let prepared = Prepared::new(Arc::clone(&compiled));
    let collection = (written == text).then(|| start..start + text.len());
    let author = key("author", compiled.game.setting("author"));
    let boards = boards(&compiled.game);
    let level = |number: usize| {
        let title = format!("{title}, level {number}");
        let (index, at) = boards.get(number - 1).copied().unwrap_or_default();
        let span = span_of(text, at);
        let name = key("title", Some(&title));
        let description = key("description", described(&compiled.game, index).as_deref());
        let own = format!("{name}{author}{description}domain = \"puzzlescript\"\nlevel = {number}\n{seed}source = ");
        let prepared = Some(prepared.clone());
        let puzzle = LevelText { own, shared: Arc::clone(&shared), collection: collection.clone(), prepared };
        Level { title, span, puzzle: Ok(puzzle), warnings: Vec::new() }
    };
    let count = compiled.program.boards().count();
    if count == 0 {
        let has_errors = compiled.diagnostics.errors() > 0;
        let none = || vec![Diagnostic::whole("has no level to play")];
        return Err(if has_errors { errors(&compiled.diagnostics, located) } else { none() });
    }
    Ok((1..=count).map(level).collect())
}

/// Returns a key with a text as a line of a puzzle file; nothing without a text.
fn key(name: &str, text: Option<&str>) -> String {
    text.map_or(String::new(), |text| format!("{name} = {}\n", toml::Value::String(text.to_owned())))
}

/// Returns the boards by their indices, counted with messages, and their places.
fn boards(game: &Game) -> Vec<(usize, game::Place)> {
    let board = |(index, level): (usize, &game::Level)| match level {
        game::Level::Message { .. } => None,
        game::Level::Board { at, .. } => Some((index, *at)),
    };
    game.levels.iter().enumerate().filter_map(board).collect()
}

/// Returns a text as a TOML string and a line break, in three parts: before the text, the text, and after it. The
/// string is literal, unless the text has what such strings cannot hold.
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

#[cfg(test)]
mod tests {
    use super::recognizes;

    fn game(rule: &str, levels: &str) -> String {
        format!("title x\n(a)OBJECTS(cat)\nCOLLISIONLAYERS (\n)===\nRULES\n{rule}\n{levels}\n")
    }

    #[test]
    fn headings_may_have_comments() {
        for levels in ["LEVELS", "levels (mine)", "(a) Levels", "LEVELS(\n)===", "LEVELS ==", "LEVELS x"] {
            assert!(recognizes(&game("[a] -> [b]", levels)), "{levels}");
        }
        for levels in ["", "level", "LEVELSTONE", "levels = 1", "levels.a = 1", "[levels]", "(LEVELS)"] {
            assert!(!recognizes(&game("[a] -> [b]", levels)), "{levels}");
        }
        assert!(recognizes(&game("[a] -> message (", "LEVELS")), "a parenthesis in a message");
        assert!(recognizes("OBJECTS\nLEGEND\n====\nRULES\nLEVEL\n"), "a heading is missing, another misspelt");
        assert!(!recognizes("Rules of these levels\nLevels\nLegend: none\n"));
    }
}
