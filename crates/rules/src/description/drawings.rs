//! Reads the drawings of rules.

use super::Reader;
use super::symbols::{invisible, is_invisible};
use crate::diagnostic::{Diagnostic, printable};
use crate::document::Spanned;
use crate::drawing::{Cell, Drawing};
use crate::expression::Term;
use crate::keys::{Drawings, RuleKeys};
use crate::model::{From, Hole, RewritePattern, Run, To};
use crate::resolve::RUN;
use crate::task::Value;
use std::ops::Range;

/// The most drawings of a rule.
const MOST_DRAWINGS: usize = 4;

/// The cells of a drawing, and its size.
struct Rows {
    height: usize,
    width: usize,
    /// The characters with their places in the file.
    cells: Vec<(char, Range<usize>)>,
    /// The cell that repeats, if the drawing has a run.
    run: usize,
}

impl Reader<'_> {
    /// Reads the drawings of a rule with these parameters. A run is the parameter behind them.
    pub(super) fn drawings(&self, keys: &RuleKeys, parameters: &[(String, Vec<Term>)]) -> Option<Vec<RewritePattern>> {
        let (main_key, main) = match (&keys.from, &keys.to) {
            (Some(from), _) => ("from", from),
            (None, Some(to)) => ("to", to),
            (None, None) if keys.shift.is_some() => return Some(Vec::new()),
            (None, None) => {
                return self.errors.without_errors(|| {
                    for (key, span) in keys.of_drawings() {
                        let needed = |span| Diagnostic::at(span, format!("`{key}` needs a drawing"));
                        let label =
                            if key == "all" { "add `from` and `to`, or `shift`" } else { "add `from` and `to`" };
                        span.into_iter().for_each(|span| self.errors.report(needed(span).label(label)));
                    }
                    Some(Vec::new())
                });
            }
        };
        if self.model.world.rows == 0 {
            let message = format!("`{main_key}` needs a grid");
            self.errors.report(Diagnostic::at(main.span(), message).label("draw the grid in `start`"));
            return None;
        }
        let texts = &main.get_ref().0;
        self.errors.without_errors(|| {
            self.check_numbers(keys, main_key, main);
            Some(())
        })?;
        let mark = match &keys.run {
            Some(run) => Some(self.errors.valid(run_mark(run, parameters).map_err(Some))?),
            None => None,
        };
        let sets = self.sets(keys, mark);
        let reading = Reading { reader: self, keys, parameters, mark, sets };
        let pattern = |(number, text): (usize, &Spanned<String>)| reading.pattern(number, main_key, text);
        self.errors.without_errors(|| Some(texts.iter().enumerate().filter_map(pattern).collect()))
    }

    /// Checks the numbers of drawings in the keys of a rule.
    fn check_numbers(&self, keys: &RuleKeys, main_key: &str, main: &Spanned<Drawings>) {
        let count = main.get_ref().0.len();
        if !(1..=MOST_DRAWINGS).contains(&count) {
            let error = Diagnostic::at(main.span(), format!("`{main_key}` has {}", drawings(count)));
            self.errors.report(error.label(format!("expected 1 to {MOST_DRAWINGS}")));
        }
        for (key, others) in [("to", &keys.to), ("on", &keys.on)] {
            if let Some(others) = others.as_ref().filter(|others| others.get_ref().0.len() != count) {
                let found = drawings(others.get_ref().0.len());
                let error = Diagnostic::at(others.span(), format!("`{key}` has {found}"));
                self.errors.report(error.label(format!("expected {count}, as `{main_key}`")));
            }
        }
        let is_true = |key: &Option<Spanned<bool>>| key.as_ref().filter(|key| *key.get_ref()).map(Spanned::span);
        let (repeats, all) = (is_true(&keys.repeat), is_true(&keys.all));
        for (key, span) in [("repeat", repeats), ("run", keys.run.as_ref().map(Spanned::span)), ("all", all)] {
            if let Some(span) = span.filter(|_| count > 1) {
                let error = Diagnostic::at(span, format!("`{key}` needs a single drawing"));
                self.errors.report(error.label(format!("the rule has {}", drawings(count))));
            }
        }
    }

    /// Returns the letters of sets in all drawings of `from`, with the symbols that they match.
    fn sets(&self, keys: &RuleKeys, mark: Option<char>) -> Vec<(char, Vec<Value>)> {
        let mut sets: Vec<(char, Vec<Value>)> = Vec::new();
        let texts = keys.from.iter().flat_map(|from| &from.get_ref().0);
        for letter in texts.flat_map(|text| text.get_ref().chars()).filter(|letter| Some(*letter) != mark) {
            let set = self.model.world.sets.iter().find(|set| set.letter == letter);
            if let Some(set) = set.filter(|_| !sets.iter().any(|(known, _)| *known == letter)) {
                let values = set.symbols.iter().filter_map(|symbol| self.model.symbol(*symbol));
                sets.push((letter, values.collect()));
            }
        }
        sets
    }
}

/// Returns a number of drawings in words.
fn drawings(count: usize) -> String {
    format!("{count} drawing{}", if count == 1 { "" } else { "s" })
}

/// Reads the key `run`: the character that marks a run.
fn run_mark(run: &Spanned<String>, parameters: &[(String, Vec<Term>)]) -> Result<char, Diagnostic> {
    if parameters.iter().any(|(name, _)| name == RUN) {
        let error = Diagnostic::at(run.span(), "`for` has a parameter `run`");
        return Err(error.label("with this key, `run` is the number of cells of the run: rename the parameter"));
    }
    let mut characters = run.get_ref().chars();
    match (characters.next(), characters.next()) {
        (Some(mark), None) if is_invisible(mark) => Err(invisible(mark, run.span())),
        (Some(mark), None) if mark != '?' => Ok(mark),
        _ => {
            let error = Diagnostic::at(run.span(), format!("invalid value `{}` for `run`", printable(run.get_ref())));
            Err(error.label("expected the character that marks a run, such as \"*\""))
        }
    }
}

/// Reads the drawings of one rule.
struct Reading<'a> {
    reader: &'a Reader<'a>,
    keys: &'a RuleKeys,
    parameters: &'a [(String, Vec<Term>)],
    /// The character that marks a run.
    mark: Option<char>,
    /// The letters of sets in all drawings of `from`, with the symbols that they match.
    sets: Vec<(char, Vec<Value>)>,
}

impl Reading<'_> {
    fn report(&self, error: Diagnostic) {
        self.reader.errors.report(error);
    }

    /// Returns the value of a symbol that is one in every drawing.
    fn value(&self, symbol: char) -> Option<Value> {
        let model = self.reader.model;
        model.symbol(symbol).filter(|value| usize::from(*value) < model.drawn_symbols)
    }

    /// Returns the parameter that a character stands for, and its first value.
    fn parameter(&self, symbol: char, span: &Range<usize>) -> Option<(usize, Value)> {
        let parameter = self.parameters.iter().position(|(name, _)| name.chars().eq([symbol]))?;
        let value = |choice: &Term| self.reader.model.world.value(0, choice);
        let choices = &self.parameters[parameter].1;
        if let Some(other) = choices.iter().find(|choice| value(choice).is_none()) {
            let other = self.reader.model.world.written(other);
            let message = format!("the value `{other}` of the parameter `{symbol}` is not a symbol");
            let label = "here it stands for its value: expected values of one character that can be symbols";
            self.report(Diagnostic::at(span.clone(), message).label(label));
        }
        Some((parameter, choices.first().and_then(value).unwrap_or_default()))
    }

    /// Reads one of the drawings: its size is that of `main`.
    fn pattern(&self, number: usize, main_key: &str, main: &Spanned<String>) -> Option<RewritePattern> {
        let size = self.rows(main, main_key)?;
        let area = size.height * size.width;
        let keys = self.keys;
        let (mut holes, mut runs) = (Vec::new(), Vec::new());
        let mut rows = |key: &str, drawings: &Option<Spanned<Drawings>>| {
            let text = drawings.as_ref().map(|drawings| &drawings.get_ref().0[number]);
            let read = text.and_then(|text| Some((text, self.rows(text, key)?)));
            runs.push(read.as_ref().map_or(size.run, |(_, read)| read.run));
            let (text, read) = read?;
            if (read.height, read.width) != (size.height, size.width) {
                let message = format!("the drawing `{key}` is {}x{}", read.height, read.width);
                let label = format!("expected {}x{}, as `{main_key}`", size.height, size.width);
                self.report(Diagnostic::at(text.span(), message).label(label));
                return None;
            }
            Some(read.cells)
        };
        let (from, to, on) = (rows("from", &keys.from), rows("to", &keys.to), rows("on", &keys.on));
        let mut before = vec![From::Anything; area];
        for (cell, (symbol, span)) in from.into_iter().flatten().enumerate() {
            let is_map = self.reader.model.world.map(&symbol.to_string()).is_some();
            let set = self.sets.iter().position(|(letter, _)| *letter == symbol);
            before[cell] = match (set, self.value(symbol)) {
                _ if symbol == '?' => From::Anything,
                (Some(set), _) => From::Set(set),
                (None, Some(value)) => From::Symbol(value),
                (None, None) => match Some(symbol).filter(|_| !is_map).and_then(|name| self.parameter(name, &span)) {
                    Some((parameter, value)) => {
                        holes.push(Hole { cell, in_to: false, parameter });
                        From::Symbol(value)
                    }
                    None => {
                        self.report(if is_map {
                            let error = Diagnostic::at(span, format!("`{symbol}` is a map"));
                            error.label("maps can be in `to`, not in `from`")
                        } else {
                            Diagnostic::at(span, format!("invalid symbol `{symbol}`"))
                        });
                        From::Anything
                    }
                },
            };
        }
        let mut after = vec![To::Same; area];
        for (cell, (symbol, span)) in to.into_iter().flatten().enumerate() {
            let map = self.reader.model.world.map(&symbol.to_string());
            let matched = self.sets.iter().position(|(letter, _)| *letter == symbol);
            let is_set = self.reader.model.world.sets.iter().any(|set| set.letter == symbol);
            after[cell] = match (matched, map, self.value(symbol)) {
                _ if symbol == '?' => To::Same,
                (Some(set), ..) => To::Set(set),
                (None, ..) if is_set => {
                    let message = format!("the set `{symbol}` is in `to`, but not in `from`");
                    self.report(Diagnostic::at(span, message).label("put the letter in `from`, too"));
                    To::Same
                }
                (None, Some(map), _) => To::Map(map),
                (None, None, Some(value)) => To::Symbol(value),
                (None, None, None) => match self.parameter(symbol, &span) {
                    Some((parameter, value)) => {
                        holes.push(Hole { cell, in_to: true, parameter });
                        To::Symbol(value)
                    }
                    None => {
                        let message = format!("invalid symbol `{}`", printable(&symbol.to_string()));
                        self.report(Diagnostic::at(span, message));
                        To::Same
                    }
                },
            };
        }
        let mut marks = vec![None; area];
        for (cell, (mark, span)) in on.into_iter().flatten().enumerate() {
            // `.` is no mark, so it may be missing from `marks`.
            let known = &self.reader.model.world.marks;
            if mark != '?' && !known.contains(&mark) && (mark != '.' || known.is_empty()) {
                let error = Diagnostic::at(span, format!("no cell has the mark `{mark}`"));
                self.report(error.label("expected a letter of `marks`, or `?`"));
            }
            marks[cell] = Some(mark).filter(|mark| *mark != '?');
        }
        let run = Run { parameter: self.parameters.len(), from: runs[0], to: runs[1], on: runs[2], main: size.run };
        let run = Some(run).filter(|_| self.mark.is_some());
        self.check_letters(&before, run.as_ref());
        let at = self.anchor(number, &size);
        Some(RewritePattern {
            height: size.height,
            width: size.width,
            from: before,
            to: after,
            on: marks,
            sets: self.sets.clone(),
            at,
            images: self.keys.images(),
            edge: self.keys.edge.as_ref().map(|edge| *edge.get_ref()).unwrap_or_default(),
            repeat: RuleKeys::is(&self.keys.repeat),
            holes,
            run,
            stretch: None,
        })
    }

    /// Reports letters of sets that are in several cells, where each cell matches by itself.
    fn check_letters(&self, from: &[From], run: Option<&Run>) {
        let stands = |set: usize| from.iter().filter(|from| **from == From::Set(set)).count();
        // In a pass, each match is of one place.
        let slides = !RuleKeys::is(&self.keys.all);
        if let Some(repeat) = self.keys.repeat.as_ref().filter(|repeat| *repeat.get_ref() && slides) {
            for (_, (letter, _)) in self.sets.iter().enumerate().filter(|&(set, _)| stands(set) > 1) {
                let message = format!("with `repeat`, the set `{letter}` can be in one cell of `from` only");
                self.report(Diagnostic::at(repeat.span(), message).label("remove `repeat`, or the other cells"));
            }
        }
        if let (Some(run), Some(key)) = (run, &self.keys.run)
            && let From::Set(set) = from[run.from]
            && stands(set) > 1
        {
            let message = format!("the set `{}` is in the run, and elsewhere in `from`", self.sets[set].0);
            let label = "in a run each cell matches by itself: choose another letter for the other cells";
            self.report(Diagnostic::at(key.span(), message).label(label));
        }
    }

    /// Returns the cell whose place names a move: `at` for the first drawing, the first cell of the others.
    fn anchor(&self, number: usize, size: &Rows) -> (usize, usize) {
        match self.keys.at.as_ref().filter(|_| number == 0).map(|at| (at.span(), &at.get_ref()[..])) {
            None => (0, 0),
            Some((_, &[row, column])) if row < size.height && column < size.width => (row, column),
            Some((span, _)) => {
                let label = format!("expected [row, column] from [0, 0] to [{}, {}]", size.height - 1, size.width - 1);
                self.report(Diagnostic::at(span, "`at` is outside the drawing").label(label));
                (0, 0)
            }
        }
    }

    /// Reads the rows of a drawing. The character that marks a run is no cell: the cell before it is the run.
    fn rows(&self, text: &Spanned<String>, key: &str) -> Option<Rows> {
        let drawing = self.reader.errors.valid(Drawing::of_characters(text, self.reader.file.source))?;
        let (height, width) = (drawing.height(), drawing.width());
        let character = |cell: Cell| (cell.text.chars().next().unwrap_or('?'), cell.span());
        let mut cells: Vec<(char, Range<usize>)> = drawing.cells().map(|(_, _, cell)| character(cell)).collect();
        let unseen: Vec<_> = cells.iter().filter(|(character, _)| is_invisible(*character)).collect();
        if !unseen.is_empty() {
            unseen.into_iter().for_each(|(character, span)| self.report(invisible(*character, span.clone())));
            return None;
        }
        if let Some(mark) = self.mark {
            let marks: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell].0 == mark).collect();
            let (span, message, label) = match marks[..] {
                _ if height > 1 => {
                    (text.span(), format!("has {height} rows"), "a drawing with a run has one row".to_owned())
                }
                [] => {
                    let label = format!("expected `{mark}` behind the character that repeats");
                    (text.span(), "has no run".to_owned(), label)
                }
                [0] => {
                    let label = "expected a character before it, which repeats".to_owned();
                    (cells[0].1.clone(), format!("begins with `{mark}`"), label)
                }
                [marked] => {
                    cells.remove(marked);
                    return Some(Rows { height, width: width - 1, cells, run: marked - 1 });
                }
                _ => (text.span(), "has several runs".to_owned(), format!("expected one `{mark}`")),
            };
            self.report(Diagnostic::at(span, format!("`{key}` {message}")).label(label));
            return None;
        }
        Some(Rows { height, width, cells, run: 0 })
    }
}
