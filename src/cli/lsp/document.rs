//! An open text, and the puzzles in it.

use crate::analysis::{Analysis, Items, ItemKind, TextKind, Utf16, is_error};
use crate::diagnostic::SourceText;
use rustc_hash::FxHasher;
use serde_json::Value;
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// An open text.
pub(super) struct Document {
    pub path: PathBuf,
    pub text: SourceText,
    pub version: Value,
    /// The newest analysis, perhaps of an older text.
    pub analysis: Option<Arc<Analysis>>,
    /// Ends the analysis and the searches of this text.
    pub stop: Arc<AtomicBool>,
    /// The lines that the editor last asked for hints of.
    pub hinted: Option<Range<usize>>,
    /// The requests that wait for the analysis of this text: number, method, parameters.
    pub waiting: Vec<(Value, String, Value)>,
}

impl Document {
    pub fn kind(&self) -> TextKind {
        TextKind::of(&self.path, &self.text)
    }

    /// Returns the analysis, if it is of this text.
    pub fn current(&self) -> Option<&Arc<Analysis>> {
        self.analysis.as_ref().filter(|analysis| analysis.text == self.text)
    }
}

/// Returns a position of the protocol.
pub(super) fn position(value: &Value) -> Utf16 {
    let number = |key: &str| value[key].as_u64().map_or(0, |number| usize::try_from(number).unwrap_or(usize::MAX));
    Utf16 { line: number("line"), column: number("character") }
}

/// The keys of a puzzle file that change nothing about its answer.
const WORDS: [&str; 6] = ["title", "author", "description", "tags", "expect", "generate"];

/// Returns a number for a puzzle, which comments, layout and descriptions do not change.
pub(super) fn key(analysis: &Analysis, level: Option<usize>, span: &Range<usize>) -> u64 {
    let mut hasher = FxHasher::default();
    let text = &*analysis.text;
    match analysis.kind {
        TextKind::Puzzle => {
            for item in Items::of(text).all().iter().filter(|item| !WORDS.iter().any(|word| item.is_below(&[word]))) {
                (item.kind == ItemKind::Value, &item.path, item.table, &text[item.span.clone()]).hash(&mut hasher);
            }
            analysis.path.parent().hash(&mut hasher);
        }
        TextKind::Levels => text[span.clone()].hash(&mut hasher),
        TextKind::Game | TextKind::Other => (text, level).hash(&mut hasher),
    }
    hasher.finish()
}

/// Returns whether a text can be solved: it is analysed, and has no error.
pub(super) fn is_right(analysis: &Analysis) -> bool {
    !analysis.diagnostics.iter().any(is_error)
}
