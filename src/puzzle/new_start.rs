//! Puzzle files with another start: the text is edited, not written anew, so comments, layout and all other keys stay.

use super::warnings::Origin;
use super::{Loading, Puzzle};
use crate::diagnostic::steers;
use crate::document::statements::statements;
use crate::domain::import::escaped;
use crate::domain::{BuildContext, Scrambled};
use crate::search::Limits;
use std::ops::Range;
use std::path::Path;
use toml::Value;

impl Puzzle {
    /// Returns the puzzle with its costs in another metric of its domain; `None` if its text cannot be read so.
    #[must_use]
    pub fn in_metric(&self, metric: &str, limits: &Limits) -> Option<Puzzle> {
        let origin = &self.text.origin;
        let key = Scrambled { replaced: &["metric"], keys: format!("metric = \"{metric}\"") };
        let text = edited(&origin.text.text(), &key, self.title());
        let loading = Loading { options: self.options.clone(), limits: limits.clone() };
        let named = Origin::file(&origin.name, text.as_str().into());
        loading.read(&named, Path::new(&origin.file), None, &BuildContext::within(limits)).ok()
    }
}

/// Returns the title of a scrambled puzzle, without the addition of an earlier scramble. `by` begins with the seed.
pub(crate) fn scrambled_title(title: &str, by: &str) -> String {
    let own = title.rfind(", scrambled (seed ").map_or(title, |end| &title[..end]);
    format!("{own}, scrambled ({by})")
}

/// Returns the text of a puzzle file with the keys of the new start, with a new title, and without the claims about the
/// old start.
pub(crate) fn edited(text: &str, scrambled: &Scrambled, title: &str) -> String {
    let statements = statements(text);
    let is_old = |key: &str| scrambled.replaced.contains(&key) || key == "expect";
    let is_start = |key: &str| scrambled.replaced.contains(&key);
    let keys = scrambled.keys.trim_end();
    let mut edits: Vec<(Range<usize>, String)> = Vec::new();
    // The new start takes the place of the old one, unless that is a table: below its header, keys belong to it.
    let place = statements.iter().position(|one| !one.is_in_table && is_start(&one.key));
    if place.is_none() {
        let top = statements.iter().take_while(|one| !one.is_in_table);
        let end = top.last().map_or(0, |last| last.lines.end);
        edits.push((end..end, format!("{keys}\n")));
    }
    for (number, one) in statements.iter().enumerate() {
        if Some(number) == place {
            edits.push((one.span.clone(), keys.to_owned()));
        } else if is_old(&one.key) {
            edits.push((one.lines.clone(), String::new()));
        } else if one.key == "title" && !one.is_in_table {
            edits.push((one.value.clone(), written(title)));
        }
    }
    edits.sort_by_key(|(range, _)| (range.start, range.end));
    let (mut new, mut done) = (String::new(), 0);
    for (range, replacement) in edits {
        new += &text[done..range.start];
        // A removed line leaves no second blank line, and no line goes on where the last one of the file ended.
        let is_line = replacement.is_empty() || replacement.ends_with('\n');
        if is_line && !new.is_empty() && !new.ends_with('\n') {
            new.push('\n');
        }
        new += &replacement;
        done = range.end;
        if replacement.is_empty() && (new.is_empty() || new.ends_with("\n\n")) {
            let rest = text[done..].trim_start_matches(['\r', '\n']);
            done = text.len() - rest.len();
        }
    }
    new += &text[done..];
    new.truncate(new.trim_end().len());
    new + "\n"
}

/// Returns a line of text in TOML.
fn written(text: &str) -> String {
    if !text.contains(steers) {
        return Value::String(text.to_owned()).to_string();
    }
    let number = |c: char| if steers(c) { format!("\\U{:08x}", u32::from(c)) } else { c.to_string() };
    format!("\"{}\"", escaped(text).chars().map(number).collect::<String>())
}
