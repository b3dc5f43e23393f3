//! The analysis of a text for an editor: errors and warnings with their fixes, completions, explanations,
//! names with their places, folds and layout. Text in, ranges of bytes out; no editor, protocol or terminal is known here.
//!
//! An [`Analyzer`] keeps what it found out about the parts of the last text. A text that is the same again costs nothing,
//! and of a collection of levels only those are read that changed. Everything else is one pass over the tokens of the
//! text ([`Items`]), which also works where the text is not valid yet.

mod completion;
mod drawings;
mod fixes;
mod games;
mod hover;
mod items;
mod names;
mod outline;
mod parts;
mod place;
mod schema_path;

pub use completion::completions;
pub use drawings::{folds, formatted};
pub use fixes::fix;
pub use hover::hover;
pub use items::{Expected, Item, ItemKind, Items, Spot, spot};
pub use names::{Renaming, name_at, renamed};
pub use outline::outline;
pub use parts::{Completion, CompletionKind, Hover, Name, NameKind, OutlineEntry};
pub use place::{Utf16, byte_of, offset_of, place_of, units_of};

use crate::diagnostic::{Diagnostic, Report, SourceText, did_you_mean};
use crate::domain::BuildContext;
use crate::domain::collection::CollectionFormat;
use crate::puzzle::{Loading, Source, format_in};
use crate::search::{Limit, Limits};
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::{Hash, Hasher};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;

/// The kind of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextKind {
    /// A puzzle file.
    Puzzle,
    /// A game of PuzzleScript.
    Game,
    /// Another collection of levels.
    Levels,
    /// None of these: it has no errors.
    Other,
}

impl TextKind {
    /// Returns the kind of a text in a file of this name.
    #[must_use]
    pub fn of(path: &Path, text: &str) -> TextKind {
        TextKind::with(format_in(path, Some(text)), path, text)
    }

    fn with(format: Option<&CollectionFormat>, path: &Path, text: &str) -> TextKind {
        match format {
            Some(format) if format.name == "puzzlescript" => TextKind::Game,
            Some(_) => TextKind::Levels,
            None if path.extension().is_some_and(|extension| extension == "toml") && is_puzzle(text) => {
                TextKind::Puzzle
            }
            None => TextKind::Other,
        }
    }
}

/// Returns whether a TOML text is a puzzle file, right or wrong; editors open other TOML files, too.
fn is_puzzle(text: &str) -> bool {
    let mut has_title = false;
    for line in text.lines().map(str::trim_start) {
        let key = line.split_once('=').map_or("", |(key, _)| key.trim());
        if did_you_mean(key, ["domain"]).is_some() {
            return true;
        }
        has_title |= key == "title";
        // Other programs have their titles in a table.
        if line.starts_with('[') && !has_title {
            return false;
        }
    }
    has_title
}

/// A level of a collection, or the one puzzle of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LevelPlace {
    /// The number of the level, from 1; `None` for a puzzle file.
    pub number: Option<usize>,
    /// The title, if the collection has one.
    pub title: Option<String>,
    /// The bytes that draw it; those of the line with `start`, `map` or the title in a puzzle file.
    pub span: Range<usize>,
    /// True if it has no error.
    pub is_valid: bool,
}

/// The analysis of a text.
#[derive(Clone, Debug)]
pub struct Analysis {
    /// The name of its file.
    pub path: PathBuf,
    /// The text.
    pub text: SourceText,
    /// The kind of the text.
    pub kind: TextKind,
    /// Errors and warnings, in the order of their places.
    pub diagnostics: Vec<Diagnostic>,
    /// The puzzles in it, as far as they could be found.
    pub levels: Vec<LevelPlace>,
    /// The limit that ended the analysis early.
    pub limit: Option<Limit>,
}

/// The findings about a level, with places relative to its first byte; and whether it is valid.
type OfLevel = (Vec<Diagnostic>, bool);

/// Analyses texts one after the other, and keeps what holds for parts that do not change.
#[derive(Default)]
pub struct Analyzer {
    last: Option<Arc<Analysis>>,
    levels: FxHashMap<u64, OfLevel>,
    /// The keys in `levels` of all levels of the last text.
    keys: Vec<u64>,
}

impl Analyzer {
    /// Analyses a text in a file of this name, which need not exist; files that it names are below the same folder. If a
    /// limit ends it, the result has what was found until then.
    pub fn analyse(&mut self, path: &Path, text: &SourceText, limits: &Limits) -> Arc<Analysis> {
        if let Some(last) = &self.last
            && (&last.text, &*last.path, last.limit) == (text, path, None)
        {
            return Arc::clone(last);
        }
        let format = format_in(path, Some(text));
        let kind = TextKind::with(format, path, text);
        let mut analysis = Analysis {
            path: path.to_owned(),
            text: text.clone(),
            kind,
            diagnostics: Vec::new(),
            levels: Vec::new(),
            limit: None,
        };
        if kind != TextKind::Other {
            self.read(&mut analysis, format, limits);
        }
        let analysis = Arc::new(analysis);
        self.last = Some(Arc::clone(&analysis));
        analysis
    }

    fn read(&mut self, analysis: &mut Analysis, format: Option<&CollectionFormat>, limits: &Limits) {
        let started = Instant::now();
        let left = || Limits { time: limits.time.map(|time| time.saturating_sub(started.elapsed())), ..limits.clone() };
        let loading = |limits| Loading { limits, ..Loading::default() };
        let (path, text) = (&analysis.path, &analysis.text);
        let sources = match format {
            Some(format) => loading(left()).levels(format, path, text.clone(), None),
            None => loading(left()).sources_in(path, text),
        };
        let sources = match sources {
            Ok(sources) => sources,
            Err(report) => {
                analysis.limit = report.limit();
                analysis.diagnostics = report.diagnostics().to_vec();
                return;
            }
        };
        let whole = hash(&*analysis.text);
        let unchanged = self.unchanged(analysis, sources.len());
        let (mut kept, mut keys) = (FxHashMap::default(), Vec::with_capacity(sources.len()));
        for (index, source) in sources.iter().enumerate() {
            let (span, key) = unchanged(index).unwrap_or_else(|| {
                let place = source.drawn_at();
                let span = place.as_ref().map_or_else(|| puzzle_line(&analysis.text), |(span, _)| span.clone());
                let is_alone = place.is_some_and(|(_, is_alone)| is_alone);
                let key = match is_alone {
                    true => hash(&analysis.text[span.clone()]),
                    false => hash(&(whole, source.number())),
                };
                (span, key)
            });
            let known = kept.get(&key).or_else(|| self.levels.get(&key)).cloned();
            let (found, is_valid) = known.unwrap_or_else(|| {
                let (reports, limit) = check(&loading(left()), source);
                analysis.limit = analysis.limit.or(limit);
                let mut found: Vec<Diagnostic> = reports.iter().flat_map(|one| one.diagnostics()).cloned().collect();
                let is_valid = limit.is_none() && !found.iter().any(is_error);
                let places = found.iter_mut().filter_map(|one| one.span.as_mut());
                places.for_each(|at| shift(at, |byte| byte.wrapping_sub(span.start)));
                (found, is_valid)
            });
            let absolute = found.iter().cloned().map(|mut one| {
                one.span.iter_mut().for_each(|at| shift(at, |byte| byte.wrapping_add(span.start)));
                one
            });
            analysis.diagnostics.extend(absolute);
            let level = LevelPlace { number: source.number(), title: source.title(), span, is_valid };
            analysis.levels.push(level);
            if analysis.limit.is_some() {
                break;
            }
            kept.insert(key, (found, is_valid));
            keys.push(key);
            // Levels that are read quickly never look at their limits.
            let is_late = limits.time.is_some_and(|time| started.elapsed() > time);
            let is_old = limits.interrupt.as_ref().is_some_and(|stop| stop.load(Ordering::Relaxed));
            if (is_late || is_old) && index + 1 < sources.len() {
                analysis.limit = Some(if is_old { Limit::Interrupt } else { Limit::Time });
                break;
            }
        }
        drop(unchanged);
        self.keys = keys;
        // After a limit, the next analysis of the same text goes on where this one ended.
        match analysis.limit {
            None => self.levels = kept,
            Some(_) => self.levels.extend(kept),
        }
        // The levels of a game share its warnings.
        let order = |one: &Diagnostic| (one.span.as_ref().map_or(0, |span| span.start), one.severity as u8);
        analysis.diagnostics.sort_by_key(order);
        analysis.diagnostics.dedup();
    }
}

impl Analyzer {
    /// Returns a function from the index of a level to its bytes and its key, if they are known from the last text: a
    /// level is the same if the text before it and up to the next level is, or the text behind it and from the level
    /// before.
    fn unchanged<'s>(
        &'s self,
        analysis: &Analysis,
        count: usize,
    ) -> impl Fn(usize) -> Option<(Range<usize>, u64)> + use<'s> {
        let whole = |last: &&Arc<Analysis>| {
            (&last.path, last.kind, last.limit) == (&analysis.path, TextKind::Levels, None)
                && analysis.kind == last.kind
        };
        let last = self.last.as_ref().filter(whole);
        let old: &[LevelPlace] = last.map_or(&[], |last| &last.levels);
        let (text, before) = (analysis.text.as_bytes(), last.map_or(&[][..], |last| last.text.as_bytes()));
        let prefix = text.iter().zip(before).take_while(|(new, old)| new == old).count();
        let suffix = text.iter().rev().zip(before.iter().rev()).take_while(|(new, old)| new == old).count();
        let (old_end, new_end) = (before.len(), text.len());
        move |index| {
            if let Some(next) = old.get(index + 1)
                && next.span.start <= prefix
                && index + 1 < count
            {
                return Some((old[index].span.clone(), self.keys[index]));
            }
            let behind = count - index;
            let at = old.len().checked_sub(behind).filter(|at| *at > 0)?;
            let span = &old[at].span;
            let is_same = old[at - 1].span.end + suffix >= old_end && index > 0;
            let moved = |byte: usize| byte + new_end - old_end;
            is_same.then(|| (moved(span.start)..moved(span.end), self.keys[at]))
        }
    }
}

/// Returns whether a diagnostic is an error.
#[must_use]
pub fn is_error(one: &Diagnostic) -> bool {
    one.severity == crate::diagnostic::Severity::Error
}

fn shift(span: &mut Range<usize>, by: impl Fn(usize) -> usize) {
    *span = by(span.start)..by(span.end);
}

fn hash(value: &(impl Hash + ?Sized)) -> u64 {
    let mut hasher = FxHasher::default();
    value.hash(&mut hasher);
    hasher.finish()
}

/// Returns the reports on a puzzle, and the limit that ended reading it.
fn check(loading: &Loading, source: &Source) -> (Vec<Report>, Option<Limit>) {
    let context = BuildContext::within(&loading.limits);
    let read = loading.load_source(source).and_then(|puzzle| {
        let of_level = puzzle.level_warnings().cloned();
        Ok((of_level, puzzle.warnings_within(&context)?.clone()))
    });
    let (of_level, report) = read.unwrap_or_else(|report| (source.warnings(), report));
    match report.limit() {
        Some(limit) => (Vec::new(), Some(limit)),
        None => (of_level.into_iter().chain([report]).collect(), None),
    }
}

/// Returns the place in a puzzle file that its answer is written beside: the key of the start, otherwise the first line.
fn puzzle_line(text: &str) -> Range<usize> {
    let items = Items::of(text);
    let key = |name: &str| items.all().iter().find(|item| item.kind == ItemKind::Key && item.path == [name]);
    let table = items.all().iter().find(|item| item.kind == ItemKind::Header && item.path == ["start"]);
    let found = ["start", "map", "words", "moves"].into_iter().find_map(key).or(table).or_else(|| key("title"));
    found.map_or(0..0, |item| item.span.clone())
}

#[cfg(test)]
mod tests;
