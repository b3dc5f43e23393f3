//! Reads rigid bodies: which symbols stick together, and the shifts of bodies.

use super::Reader;
use super::symbols::{invisible, is_invisible};
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Spanned;
use crate::drawing::SourceMap;
use crate::keys::{Bodies, RuleKeys};
use crate::model::Shift;
use crate::task::Value;
use std::ops::Range;

impl Reader<'_> {
    /// Reads the key `bodies`: the symbols of each string.
    pub fn bodies(&self, bodies: &Spanned<Bodies>) -> Vec<Vec<Value>> {
        if self.model.world.rows == 0 {
            let error = Diagnostic::at(bodies.span(), "`bodies` needs a grid");
            self.errors.report(error.label("draw the grid in `start`"));
            return Vec::new();
        }
        if bodies.get_ref().0.is_empty() {
            self.errors
                .report(Diagnostic::at(bodies.span(), "`bodies` is empty").label("expected at least one string"));
        }
        let mut groups: Vec<Vec<Value>> = Vec::new();
        for text in &bodies.get_ref().0 {
            let mut group = Vec::new();
            for (symbol, span, values) in self.symbol_list("bodies", text) {
                if values.iter().any(|value| groups.iter().any(|group| group.contains(value))) {
                    let error = Diagnostic::at(span, format!("`{symbol}` is in several strings of `bodies`"));
                    self.errors.report(error.label("a cell belongs to one body: put the symbol in one string"));
                }
                group.extend(values);
            }
            groups.push(distinct(group));
        }
        groups
    }

    /// Reads the shift of a rule, if it has one. Reports keys that do not go with it, or without it.
    pub(super) fn shift(&self, keys: &RuleKeys) -> Option<Shift> {
        let Some(shift) = &keys.shift else {
            for (key, span) in keys.of_shifts() {
                let label = match key {
                    "direction" => "a drawing points to the right; `turns` and `mirror` turn it",
                    _ => "add `shift`, the symbols of the bodies that move",
                };
                let needed = |span| Diagnostic::at(span, format!("`{key}` needs `shift`")).label(label);
                span.into_iter().for_each(|span| self.errors.report(needed(span)));
            }
            return None;
        };
        self.errors.without_errors(|| {
            let drawings = [("from", &keys.from), ("to", &keys.to)];
            let drawings = drawings.into_iter().map(|(key, drawings)| (key, drawings.as_ref().map(Spanned::span)));
            for (key, span) in drawings.chain(keys.of_drawings().into_iter().take(5)) {
                if let Some(span) = span {
                    let error = Diagnostic::at(span, format!("`{key}` and `shift` exclude each other"));
                    self.errors.report(error.label("a shift has no drawing: it moves whole bodies"));
                }
            }
            let turned = [&keys.turns.as_ref().map(Spanned::span), &keys.mirror.as_ref().map(Spanned::span)];
            if let (Some(direction), true) = (&keys.direction, turned.iter().any(|key| key.is_some())) {
                let error = Diagnostic::at(direction.span(), "`direction` excludes `turns` and `mirror`");
                self.errors.report(error.label("it is the only direction of the shift: remove it, or them"));
            }
            if self.model.world.rows == 0 {
                let error = Diagnostic::at(shift.span(), "`shift` needs a grid");
                self.errors.report(error.label("draw the grid in `start`"));
                return None;
            }
            let values = |key: &str, text: &Spanned<String>| {
                distinct(self.symbol_list(key, text).into_iter().flat_map(|(_, _, values)| values).collect())
            };
            let moved = values("shift", shift);
            let push = keys.push.as_ref().map_or_else(Vec::new, |push| values("push", push));
            let Some(into) = &keys.into else {
                let error = Diagnostic::at(shift.span(), "missing key `into`");
                self.errors
                    .report(error.help("add the symbols of the cells that bodies may enter, such as: into = \".\""));
                return None;
            };
            Some(Shift { moved, push, into: values("into", into), images: keys.images() })
        })
    }

    /// Reads a string of symbols and letters of sets: each with its place in the file and the symbols that it stands
    /// for.
    fn symbol_list(&self, key: &str, text: &Spanned<String>) -> Vec<(char, Range<usize>, Vec<Value>)> {
        let places = SourceMap::of(text, self.file.source);
        let characters = text.get_ref().char_indices().filter(|(_, symbol)| !symbol.is_whitespace());
        let mut symbols = Vec::new();
        for (at, symbol) in characters {
            let span = places.span(at..at + symbol.len_utf8());
            match self.denoted(symbol.encode_utf8(&mut [0; 4])) {
                _ if is_invisible(symbol) => self.errors.report(invisible(symbol, span)),
                Some(values) => symbols.push((symbol, span, values)),
                None if symbol == '?' => {
                    let error = Diagnostic::at(span, format!("`?` cannot be in `{key}`"));
                    self.errors.report(error.label("expected symbols, or letters of sets"));
                }
                None => {
                    let known: Vec<String> = self.model.symbols.iter().map(char::to_string).collect();
                    let help = unknown_name(&symbol.to_string(), known.iter().map(String::as_str).take(50));
                    self.errors
                        .report(Diagnostic::at(span, format!("unknown symbol `{symbol}` in `{key}`")).help(help));
                }
            }
        }
        if text.get_ref().trim().is_empty() && key != "push" {
            let error = Diagnostic::at(text.span(), format!("`{key}` is empty"));
            self.errors.report(error.label("expected at least one symbol"));
        }
        symbols
    }
}

/// Returns values without repetitions, in their order.
fn distinct(values: Vec<Value>) -> Vec<Value> {
    let mut seen = Vec::new();
    for value in values {
        if !seen.contains(&value) {
            seen.push(value);
        }
    }
    seen
}
