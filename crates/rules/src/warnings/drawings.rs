//! Drawings of rules that never fit: too large, with missing marks, or with symbols that never occur there.

use super::rules::{RuleReview, reason};
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::drawing::Drawing;
use crate::ground::pattern::{GroundedPattern, ground_pattern};
use crate::keys::Drawings;
use crate::model::{Edge, From, Image, Model, RewritePattern, To};
use crate::task::{Value, Values, Var};
use std::collections::BTreeMap;
use std::ops::Range;
use std::rc::Rc;

/// A pattern at a place of the grid.
pub(super) struct Placed {
    pattern: Rc<RewritePattern>,
    grounded: GroundedPattern,
}

impl<'a> RuleReview<'a, '_> {
    /// Returns the patterns at all places that size and marks allow; `None` if that takes too much work.
    pub(super) fn grounded(&mut self, drawing: &RewritePattern) -> Option<Vec<Placed>> {
        let model = self.review.model;
        let cells = 0..model.world.cells();
        let patterns = drawing.patterns(&self.rule.parameters);
        self.trial.spend(cells.len().saturating_mul(patterns).saturating_mul(drawing.from.len()))?;
        let mut all = Vec::new();
        drawing.each_pattern(model, &self.rule.parameters, &mut |pattern, image| {
            let pattern = Rc::new(pattern.clone());
            let at = |cell| {
                let grounded = ground_pattern(model, &pattern, image, cell)?;
                Some(Placed { pattern: Rc::clone(&pattern), grounded })
            };
            all.extend(cells.clone().filter_map(at));
            true
        });
        Some(all)
    }

    /// Returns why a drawing never fits, from its size, marks and symbols alone.
    pub(super) fn drawing_reason(
        &self,
        number: usize,
        drawing: &RewritePattern,
        grounded: &[Placed],
    ) -> Option<Diagnostic> {
        let world = &self.review.model.world;
        let text = |drawings: &'a Option<Spanned<Drawings>>| drawings.as_ref()?.get_ref().0.get(number);
        let main = text(&self.keys.from).or_else(|| text(&self.keys.to))?;
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
            return Some(reason(main.span(), "its drawing is larger than the grid", sizes));
        }
        if grounded.is_empty() {
            let on = text(&self.keys.on)?;
            return Some(reason(
                on.span(),
                "no place of the grid has its marks",
                "these letters never appear like this in `marks`",
            ));
        }
        let from = text(&self.keys.from)?;
        let model = self.review.model;
        let is_on_grid =
            |value: Value| drawing.images.iter().any(|image| self.review.on_grid.contains(model.turned(value, image)));
        for ((number, cell), span) in drawing.from.iter().enumerate().zip(self.spans(from)) {
            if let Some(hole) = drawing.holes.iter().find(|hole| !hole.in_to && hole.cell == number) {
                let (name, choices) = &self.rule.parameters[hole.parameter];
                if !choices.iter().filter_map(|choice| model.world.value(0, choice)).any(is_on_grid) {
                    let text = format!("no value of the parameter `{name}` is ever on the grid");
                    return Some(reason(span, text, "none is in the start, and no rule produces one"));
                }
                continue;
            }
            match *cell {
                From::Symbol(value) if !is_on_grid(value) => {
                    let symbol = self.review.model.symbols[usize::from(value)];
                    let label = "it is not in the start, and no rule produces it";
                    return Some(reason(span, format!("`{symbol}` is never on the grid"), label));
                }
                From::Set(set) => {
                    let (letter, symbols) = &drawing.sets[set];
                    if !symbols.iter().any(|&value| is_on_grid(value)) {
                        let text = format!("no symbol of the set `{letter}` is ever on the grid");
                        return Some(reason(span, text, "none is in the start, and no rule produces one"));
                    }
                }
                _ => {}
            }
        }
        None
    }

    /// Returns the places in the file of a drawing's cells. The character that marks a run is no cell.
    fn spans(&self, text: &Spanned<String>) -> Vec<Range<usize>> {
        let drawing = Drawing::of_characters(text, self.review.context.source);
        let is_run = |text: &str| self.keys.run.as_ref().is_some_and(|run| run.get_ref() == text);
        let Ok(drawing) = drawing else { return Vec::new() };
        let cells = drawing.cells().map(|(_, _, cell)| cell).filter(|cell| !is_run(cell.text));
        cells.map(|cell| cell.span()).collect()
    }

    /// Restricts the reachable values of cells to those that a ground pattern rewrites; `None` if it does not fit.
    pub(super) fn rewritable_values(&self, placed: &Placed) -> Option<BTreeMap<Var, Values>> {
        let rewritable_values = self.matched_values(placed)?;
        let mapped = placed.grounded.iter().all(|&(var, _, to)| match to {
            To::Map(map) => {
                let values = rewritable_values.get(&var).unwrap_or(&self.review.reached[var]);
                values.iter().any(|value| makes_a_symbol(self.review.model, map, var, value))
            }
            _ => true,
        });
        mapped.then_some(rewritable_values)
    }

    /// Restricts the reachable values of cells to those that `from` matches; `None` if it does not fit.
    fn matched_values(&self, placed: &Placed) -> Option<BTreeMap<Var, Values>> {
        let mut rewritable_values: BTreeMap<Var, Values> = BTreeMap::new();
        let mut matched: Vec<Values> =
            placed.pattern.sets.iter().map(|(_, all)| all.iter().copied().collect()).collect();
        for &(var, from, _) in &placed.grounded {
            let there = rewritable_values.get(&var).unwrap_or(&self.review.reached[var]);
            let values = match from {
                From::Anything => continue,
                From::Symbol(value) => there.and(&Values::one(value)),
                From::Set(set) => {
                    matched[set] = matched[set].and(there);
                    matched[set].clone()
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
    pub(super) fn arrangement_reason(
        &self,
        number: usize,
        drawing: &RewritePattern,
        grounded: &[Placed],
    ) -> Diagnostic {
        let text = |drawings: &'a Option<Spanned<Drawings>>| drawings.as_ref()?.get_ref().0.get(number);
        let fits = grounded.iter().any(|placed| self.matched_values(placed).is_some());
        if let (true, Some(to)) = (fits, text(&self.keys.to)) {
            let map = drawing.to.iter().zip(self.spans(to)).find_map(|(to, span)| match to {
                To::Map(map) => Some((&self.review.model.world.maps[*map].0, span)),
                _ => None,
            });
            if let Some((name, span)) = map {
                let text = format!("the map `{name}` has no symbol for what can be there");
                return reason(span, text, "add an entry to the map");
            }
        }
        let span = text(&self.keys.from).map_or(self.keys.named().1, Spanned::span);
        reason(span, "its drawing never fits", "these symbols never appear like this")
    }
}

/// Returns whether a map sends the content of a cell to a symbol.
fn makes_a_symbol(model: &Model, map: usize, var: Var, value: Value) -> bool {
    let from = &model.world.values[var][usize::from(value)];
    model.world.maps[map].1.get(from).is_some_and(|to| model.world.value(var, to).is_some())
}
