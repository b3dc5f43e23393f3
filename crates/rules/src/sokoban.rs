//! Sokoban collections: levels as the community writes them become puzzle files of domain `rules`.
//!
//! - `text`: the text formats `.xsb` and `.sok`, as Sokoban YASC documents them (Brian Damgaard);
//! - `xml`: the format `.slc` of Sokoban for Windows (Alberto García);
//! - `board`: a board, checked and drawn as in a puzzle file.
//!
//! Nothing else in this crate knows Sokoban: a level is a start, marks, a goal and two rules.

mod board;
mod text;
mod xml;

use super::diagnostic::{Diagnostic, SourceText, steers};
use super::document::{Entry, Tree, Value};
use super::domain::collection::{CollectionFormat, CollectionText, Level, Levels, Opened};
use super::domain::{BuildContext, Named, ReadOptions};
use board::{Cell, SokobanBoard};
use std::ops::Range;
use std::sync::Arc;

inventory::submit! {
    CollectionFormat {
        name: "sokoban",
        summary: "Sokoban levels, as .xsb, .sok or .slc: `#` a wall, `@` the man, `$` a box, `.` a goal, `*` a box and \
                  `+` the man on a goal",
        extensions: &["sok", "xsb", "slc", "txt"],
        metrics: &[
            Named { name: "pushes", summary: "pushes are counted, and walks are free" },
            Named { name: "moves", summary: "every step of the man is counted, pushes too" },
            Named { name: "steps", summary: "another name of `moves`" },
        ],
        recognizes: |text| xml::recognizes(text) || text::recognizes(text),
        near,
        open,
    }
}

/// A level as it is written, without its rows.
#[derive(Debug)]
struct Draft {
    /// The bytes of the board.
    span: Range<usize>,
    title: Option<String>,
    author: Option<String>,
    comment: Option<String>,
}

/// A collection as it is written.
#[derive(Debug, Default)]
struct Drafts {
    title: Option<String>,
    author: Option<String>,
    levels: Vec<Draft>,
}

/// The rows of a level.
type Rows = Result<Vec<Vec<Cell>>, Diagnostic>;

/// An opened collection.
struct Collection {
    text: SourceText,
    title: String,
    author: Option<String>,
    levels: Vec<Draft>,
    /// The reader of the rows of a level, which are at these bytes of the text.
    rows: fn(&str, &Range<usize>) -> Rows,
    /// True if pushes alone cost something.
    counts_pushes: bool,
}

/// Returns the mistake in the first level of a text without a level of this format.
fn near(text: &str) -> Option<String> {
    let source = CollectionText {
        text: text.into(),
        name: String::new(),
        title: None,
        metric: "pushes",
        options: ReadOptions::default(),
    };
    let levels = open(source, &BuildContext::default()).ok()?;
    (0..levels.count()).find_map(|index| Some(levels.read(index).puzzle.err()?.into_iter().next()?.message))
}

fn open(source: CollectionText, context: &BuildContext) -> Opened {
    let is_xml = xml::recognizes(&source.text);
    let drafts = if is_xml {
        xml::read(&source.text, context).map_err(|error| vec![error])?
    } else {
        text::read(&source.text, context)
    };
    if drafts.levels.is_empty() {
        let help = "a level is a block of rows with walls `#`, a man `@`, boxes `$` and goals `.`";
        return Err(vec![Diagnostic::whole("has no Sokoban level").help(help)]);
    }
    Ok(Box::new(Collection {
        text: source.text,
        title: one_line(&source.title.or(drafts.title).unwrap_or(source.name)),
        author: drafts.author,
        levels: drafts.levels,
        rows: if is_xml { xml::rows } else { text::rows },
        counts_pushes: source.metric == "pushes",
    }))
}

impl Levels for Collection {
    fn count(&self) -> usize {
        self.levels.len()
    }

    fn title(&self, index: usize) -> String {
        let title = self.levels[index].title.as_ref().map(|title| one_line(title)).filter(|title| !title.is_empty());
        match title {
            // A number alone names nothing outside its collection.
            Some(title) if !title.chars().all(|c| c.is_ascii_digit() || c.is_ascii_punctuation()) => title,
            Some(title) => format!("{} {title}", self.title),
            None => format!("{} {}", self.title, index + 1),
        }
    }

    fn read(&self, index: usize) -> Level {
        let draft = &self.levels[index];
        let author = draft.author.as_ref().or(self.author.as_ref()).map(|author| one_line(author));
        let rows = (self.rows)(&self.text, &draft.span).map_err(|error| vec![error]);
        let (puzzle, warnings) = match rows.and_then(|rows| SokobanBoard::read(&rows, draft.span.clone())) {
            Err(errors) => (Err(errors), Vec::new()),
            Ok(board) => {
                let comment = draft.comment.as_deref();
                let tree = tree(&board, self.title(index), author, comment, self.counts_pushes, &draft.span);
                (Ok(Arc::new(tree)), board.warnings)
            }
        };
        Level { puzzle, prepared: None, warnings }
    }

    fn rows(&self, index: usize) -> Vec<(Range<usize>, String)> {
        board::drawn_rows(&(self.rows)(&self.text, &self.levels[index].span).unwrap_or_default())
    }
}

/// The greatest length of titles, authors and comments, in characters.
const MAX_TEXT: usize = 200;

/// Returns a text on one line, without control characters, cut where it is very long.
fn one_line(text: &str) -> String {
    let text: String = text.chars().map(|c| if steers(c) { ' ' } else { c }).collect();
    let mut text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some((at, _)) = text.char_indices().nth(MAX_TEXT) {
        text.truncate(at);
        text.push('…');
    }
    text
}

/// Returns the puzzle. Its parts have the places of the squares that they are about.
fn tree(
    board: &SokobanBoard,
    title: String,
    author: Option<String>,
    comment: Option<&str>,
    counts_pushes: bool,
    span: &Range<usize>,
) -> Tree {
    let metric = if counts_pushes { "Pushes are counted, and walks are free." } else { "Every step is counted." };
    let comment = comment.map(one_line).filter(|comment| !comment.is_empty());
    let description = comment.map_or(metric.to_owned(), |comment| format!("{metric} {comment}"));
    let (walk, push) =
        if counts_pushes { ("walk {direction}", "push {direction}") } else { ("{direction}", "{direction}") };
    let rule = |name: &str, from: &str, to: &str, at: &Range<usize>| {
        let turns = Entry::new("turns", Value::Boolean(true), at);
        vec![Entry::text("name", name, at), Entry::text("from", from, at), Entry::text("to", to, at), turns]
    };
    let mut walk = rule(walk, "@.", ".@", &board.man);
    walk.extend(counts_pushes.then(|| Entry::integer("cost", 0, &board.man)));
    let push = rule(push, "@$.", ".@$", &board.filled);
    let goal = &board.goal;
    let every = Value::Table(vec![Entry::text("$", "x", goal)]);
    let mut entries = vec![Entry::text("title", title, span)];
    entries.extend(author.filter(|author| !author.is_empty()).map(|author| Entry::text("author", author, span)));
    entries.extend([
        Entry::text("description", description, span),
        Entry::new("tags", Value::Array(vec![Value::Text("sokoban".to_owned())]), span),
        Entry::text("domain", "rules", span),
        Entry::new("start", Value::Drawing(board.start.clone()), span),
        Entry::new("marks", Value::Drawing(board.marks.clone()), span),
        Entry::new("goal", Value::Table(vec![Entry::new("every", every, goal)]), goal),
        Entry::new("rules", Value::Tables(vec![walk, push]), span),
    ]);
    Tree::new(entries)
}
