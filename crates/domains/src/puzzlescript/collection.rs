//! A PuzzleScript game as a collection: each level is a puzzle with the game in it.

use super::compiled::{Compiled, compiled};
use super::description::{described, errors, refused, span_of};
use crate::diagnostic::Diagnostic;
use crate::document::{Entry, Tree, Value};
use crate::domain::collection::{CollectionFormat, CollectionText, Level, Levels, Opened, Prepared};
use crate::domain::{BuildContext, Named};
use engine_puzzlescript::diagnostic::Diagnostic as Finding;
use engine_puzzlescript::reader::headings;
use engine_puzzlescript::{game, program};
use std::sync::Arc;

inventory::submit! {
    CollectionFormat {
        name: "puzzlescript",
        summary: "PuzzleScript games, with the sections OBJECTS, LEGEND, COLLISIONLAYERS, RULES, WINCONDITIONS and LEVELS",
        extensions: &["txt", "ps", "puzzlescript"],
        metrics: &[Named { name: "presses", summary: "presses of keys, with all turns that follow from one" }],
        recognizes,
        near: |text| has_sections(text, 2).then(|| "sections are missing, such as OBJECTS or LEVELS".to_owned()),
        open,
    }
}

/// Returns whether a text is likely to be a game.
fn recognizes(text: &str) -> bool {
    has_sections(text, 3)
}

/// Returns whether a text has the headings of a game: three that every game has, after which more words may follow,
/// which are comments or mistakes; or this many alone on their lines, as others may be missing or misspelt.
fn has_sections(text: &str, least: usize) -> bool {
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
    has("collisionlayers") && has("objects") && has("levels") || headings().filter(is_alone).count() >= least
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

/// An opened game.
struct GameLevels {
    compiled: Arc<Compiled>,
    title: String,
    seed: Option<String>,
    /// The number of each board among all levels, which counts messages, too.
    boards: Vec<usize>,
}

fn open(source: CollectionText, context: &BuildContext) -> Opened {
    let text = source.text;
    let located = |found: &Finding| match found.at {
        Some(at) => Diagnostic::at(span_of(&text, at), found.message.clone()),
        None => Diagnostic::whole(found.message.clone()),
    };
    let compiled = compiled(text.clone(), context).map_err(|found| match context.ended() {
        Some(limit) => vec![Diagnostic::at_limit(limit)],
        None => errors(&found, located),
    })?;
    if let Some(error) = refused(&compiled.game, &compiled.program, source.options.seed.is_some()) {
        return Err(vec![error]);
    }
    let is_board =
        |(index, level): (usize, &program::Level)| matches!(level, program::Level::Board(_)).then_some(index);
    let boards: Vec<usize> = compiled.program.levels.iter().enumerate().filter_map(is_board).collect();
    if boards.is_empty() {
        let has_errors = compiled.diagnostics.errors() > 0;
        let none = || vec![Diagnostic::whole("has no level to play")];
        return Err(if has_errors { errors(&compiled.diagnostics, located) } else { none() });
    }
    let title = source.title.as_deref().or(compiled.game.setting("title")).filter(|title| !title.trim().is_empty());
    Ok(Box::new(GameLevels {
        title: title.unwrap_or(&source.name).split_whitespace().collect::<Vec<_>>().join(" "),
        seed: source.options.seed.filter(|_| compiled.program.is_random()),
        boards,
        compiled,
    }))
}

impl Levels for GameLevels {
    fn count(&self) -> usize {
        self.boards.len()
    }

    fn title(&self, index: usize) -> String {
        format!("{}, level {}", self.title, index + 1)
    }

    fn read(&self, index: usize) -> Level {
        let Compiled { game, text, .. } = &*self.compiled;
        let level = self.boards[index];
        let span = match game.levels.get(level) {
            Some(game::Level::Board { at, .. }) => span_of(text, *at),
            Some(game::Level::Message { .. }) | None => 0..text.len(),
        };
        let mut entries = vec![Entry::text("title", self.title(index), &span)];
        entries.extend(game.setting("author").map(|author| Entry::text("author", author, &span)));
        entries.extend(described(game, level).map(|messages| Entry::text("description", messages, &span)));
        entries.push(Entry::text("domain", "puzzlescript", &span));
        entries.push(Entry::integer("level", index + 1, &span));
        entries.extend(self.seed.as_ref().map(|seed| Entry::text("seed", seed, &span)));
        entries.push(Entry::new("source", Value::Shared(text.clone()), &span));
        let prepared = Some(Prepared::new(Arc::clone(&self.compiled)));
        Level { puzzle: Ok(Arc::new(Tree::new(entries))), prepared, warnings: Vec::new() }
    }
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
