//! Sokoban collections: levels as the community writes them become puzzle files of domain `rules`.
//!
//! - `text`: the text formats `.xsb` and `.sok`, as Sokoban YASC documents them (Brian Damgaard);
//! - `xml`: the format `.slc` of Sokoban for Windows (Alberto García);
//! - `board`: a board, checked and written as a puzzle file.
//!
//! Nothing else in this crate knows Sokoban: a level is a start, marks, a goal and two rules.

mod board;
mod text;
mod xml;

use super::diagnostic::{Diagnostic, steers};
use super::domain::Named;
use super::domain::collection::{CollectionFormat, CollectionText, Level};
use board::{Board, Cell};
use std::ops::Range;

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
        levels,
    }
}

/// A level as it is written.
#[derive(Debug)]
struct Draft {
    /// The bytes of the board.
    span: Range<usize>,
    rows: Result<Vec<Vec<Cell>>, Diagnostic>,
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

fn levels(source: &CollectionText) -> Result<Vec<Level>, Vec<Diagnostic>> {
    let is_xml = xml::recognizes(source.text);
    let drafts = if is_xml { xml::read(source.text).map_err(|error| vec![error])? } else { text::read(source.text) };
    if drafts.levels.is_empty() {
        let help = "a level is a block of rows with walls `#`, a man `@`, boxes `$` and goals `.`";
        return Err(vec![Diagnostic::whole("has no Sokoban level").help(help)]);
    }
    let collection = source.title.or(drafts.title.as_deref()).unwrap_or(source.name);
    let level = |(number, draft): (usize, Draft)| {
        let mut warnings = Vec::new();
        let title = match draft.title.map(|title| one_line(&title)).filter(|title| !title.is_empty()) {
            // A number alone names nothing outside its collection.
            Some(title) if !title.chars().all(|c| c.is_ascii_digit() || c.is_ascii_punctuation()) => title,
            Some(title) => format!("{} {title}", one_line(collection)),
            None => format!("{} {}", one_line(collection), number + 1),
        };
        let author = draft.author.as_ref().or(drafts.author.as_ref()).map(|author| one_line(author));
        let board = draft.rows.map_err(|error| vec![error]).and_then(|rows| Board::read(&rows, draft.span.clone()));
        let puzzle = board.map(|board| {
            warnings.clone_from(&board.warnings);
            puzzle(&board, &title, author.as_deref(), draft.comment.as_deref(), source.metric == "pushes")
        });
        Level { title, span: draft.span, puzzle: puzzle.map(String::into), warnings }
    };
    Ok(drafts.levels.into_iter().enumerate().map(level).collect())
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

/// Returns the text of the puzzle file.
fn puzzle(board: &Board, title: &str, author: Option<&str>, comment: Option<&str>, pushes: bool) -> String {
    let string = |text: &str| toml::Value::String(text.to_owned()).to_string();
    let author = author.filter(|author| !author.is_empty());
    let author = author.map_or(String::new(), |author| format!("author = {}\n", string(author)));
    let metric = if pushes { "Pushes are counted, and walks are free." } else { "Every step is counted." };
    let comment = comment.map(one_line).filter(|comment| !comment.is_empty());
    let description = comment.map_or(metric.to_owned(), |comment| format!("{metric} {comment}"));
    let (walk, push, cost) = if pushes {
        ("walk {direction}", "push {direction}", "cost = 0\n")
    } else {
        ("{direction}", "{direction}", "")
    };
    format!(
        "title = {title}\n{author}description = {description}\ntags = [\"sokoban\"]\ndomain = \"rules\"\n\
         start = {start}\nmarks = {marks}\ngoal = {{ every = {{ \"$\" = \"x\" }} }}\n\n\
         [[rules]]\nname = \"{walk}\"\nfrom = \"@.\"\nto = \".@\"\nturns = true\n{cost}\n\
         [[rules]]\nname = \"{push}\"\nfrom = \"@$.\"\nto = \".@$\"\nturns = true\n",
        title = string(title),
        description = string(&description),
        start = super::domain::import::drawing(&board.start),
        marks = super::domain::import::drawing(&board.marks),
    )
}
