//! Drawings of rules that never fit: too large, with missing marks, or with symbols that never occur there.

use super::rules::{Reason, RuleReview};
use crate::document::Spanned;
use crate::drawing::Drawing;
use crate::ground::pattern::{GroundedPattern, ground_pattern};
use crate::model::{Edge, From, Image, Model, RewritePattern, To};
use crate::task::{Value, Values, Var};
use std::collections::BTreeMap;
use std::ops::Range;

impl RuleReview<'_, '_> {
    /// Returns the ground patterns at all places that size and marks allow; `None` if that takes too much work.
    pub(super) fn grounded(&mut self, drawing: &RewritePattern) -> Option<Vec<GroundedPattern>> {
        let model = self.review.model;
        let cells = 0..model.world.cells();
        self.trial.spend(cells.len() * drawing.images.len() * drawing.from.len())?;
        let images = |cell| drawing.images.iter().filter_map(move |image| ground_pattern(model, drawing, image, cell));
        Some(cells.flat_map(images).collect())
    }

    /// Returns why a drawing never fits, from its size, marks and symbols alone.
    pub(super) fn drawing_reason(&self, drawing: &RewritePattern, grounded: &[GroundedPattern]) -> Option<Reason> {
        let world = &self.review.model.world;
        let main = self.keys.from.as_ref().or(self.keys.to.as_ref())?;
        let is_larger = |image: &Image| {
            let (height, width) = if image.quarters.is_multiple_of(2) {
                (drawing.height, drawing.width)
            } else {
                (drawing.width, drawing.height)
            };
            height > world.rows || width > world.columns
        };
        if drawing.edge != Edge::Clip && drawing.images.iter().all(is_larger) {
            let sizes = format!("{}x{}, on a grid of {}x{}", drawing.height, drawing.width, world.rows, world.columns);
            return Some(Reason::new(main.span(), "its drawing is larger than the grid", sizes));
        }
        if grounded.is_empty() {
            let on = self.keys.on.as_ref()?;
            return Some(Reason::new(
                on.span(),
                "no place of the grid has its marks",
                "these letters never appear like this in `marks`",
            ));
        }
        let from = self.keys.from.as_ref()?;
        for (cell, span) in drawing.from.iter().zip(self.spans(from)) {
            match *cell {
                From::Symbol(value) if !self.review.on_grid.contains(value) => {
                    let symbol = self.review.model.symbols[usize::from(value)];
                    let label = "it is not in the start, and no rule produces it";
                    return Some(Reason::new(span, format!("`{symbol}` is never on the grid"), label));
                }
                From::Set(set) => {
                    let (letter, symbols) = &drawing.sets[set];
                    if !symbols.iter().any(|&value| self.review.on_grid.contains(value)) {
                        let text = format!("no symbol of the set `{letter}` is ever on the grid");
                        return Some(Reason::new(span, text, "none is in the start, and no rule produces one"));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the places in the file of a drawing's cells.
    fn spans(&self, text: &Spanned<String>) -> Vec<Range<usize>> {
        let drawing = Drawing::of_characters(text, self.review.context.source);
        drawing.map(|drawing| drawing.cells().map(|(_, _, cell)| cell.span).collect()).unwrap_or_default()
    }

    /// Restricts the reachable values of cells to those that a ground pattern rewrites; `None` if it does not fit.
    pub(super) fn rewritable_values(
        &self,
        drawing: &RewritePattern,
        grounded: &GroundedPattern,
    ) -> Option<BTreeMap<Var, Values>> {
        let rewritable_values = self.matched_values(drawing, grounded)?;
        let mapped = grounded.iter().all(|&(var, _, to)| match to {
            To::Map(map) => {
                let values = rewritable_values.get(&var).unwrap_or(&self.review.reached[var]);
                values.iter().any(|value| makes_a_symbol(self.review.model, map, var, value))
            }
            _ => true,
        });
        mapped.then_some(rewritable_values)
    }

    /// Restricts the reachable values of cells to those that `from` matches; `None` if it does not fit.
    fn matched_values(&self, drawing: &RewritePattern, grounded: &GroundedPattern) -> Option<BTreeMap<Var, Values>> {
        let mut rewritable_values: BTreeMap<Var, Values> = BTreeMap::new();
        let mut matched: Vec<Values> = drawing.sets.iter().map(|(_, all)| all.iter().copied().collect()).collect();
        for &(var, from, _) in grounded {
            let there = *rewritable_values.get(&var).unwrap_or(&self.review.reached[var]);
            let values = match from {
                From::Anything => continue,
                From::Symbol(value) => there.and(&Values::one(value)),
                From::Set(set) => {
                    matched[set] = matched[set].and(&there);
                    matched[set]
                }
            };
            if values.is_empty() {
                return None;
            }
            rewritable_values.insert(var, values);
        }
        Some(rewritable_values)
    }

    /// Returns why a drawing whose symbols all occur never fits.
    pub(super) fn arrangement_reason(&self, drawing: &RewritePattern, grounded: &[GroundedPattern]) -> Reason {
        let fits = grounded.iter().any(|grounded| self.matched_values(drawing, grounded).is_some());
        if let (true, Some(to)) = (fits, &self.keys.to) {
            let map = drawing.to.iter().zip(self.spans(to)).find_map(|(to, span)| match to {
                To::Map(map) => Some((&self.review.model.world.maps[*map].0, span)),
                _ => None,
            });
            if let Some((name, span)) = map {
                let text = format!("the map `{name}` has no symbol for what can be there");
                return Reason::new(span, text, "add an entry to the map");
            }
        }
        let span = self.keys.from.as_ref().map_or(self.keys.named().1, Spanned::span);
        Reason::new(span, "its drawing never fits", "these symbols never appear like this")
    }
}

/// Returns whether a map sends the content of a cell to a symbol.
fn makes_a_symbol(model: &Model, map: usize, var: Var, value: Value) -> bool {
    let from = &model.world.values[var][usize::from(value)];
    model.world.maps[map].1.get(from).is_some_and(|to| model.world.value(var, to).is_some())
}
