//! The patterns that the drawing of a rule stands for: with the values of its parameters, a run of some length, and
//! arrows turned as an image shows them.

use super::expression::Term;
use super::model::{Arrows, From, Image, Model, RewritePattern, Run, To};
use super::task::{Value, Values};
use std::borrow::Cow;

impl Arrows {
    /// Returns a symbol as an image shows it.
    fn turned(&self, symbol: Value, image: &Image) -> Value {
        let symbol = (0..image.quarters).fold(symbol, |symbol, _| self.quarter[usize::from(symbol)]);
        if image.mirrored { self.mirror[usize::from(symbol)] } else { symbol }
    }
}

impl Model {
    /// Returns a symbol as an image of a drawing shows it.
    pub fn turned(&self, symbol: Value, image: &Image) -> Value {
        self.arrows.as_ref().map_or(symbol, |arrows| arrows.turned(symbol, image))
    }
}

impl RewritePattern {
    /// Returns the pattern with the values of the parameters in it.
    pub fn bound(&self, model: &Model, parameters: &[Term]) -> Cow<'_, RewritePattern> {
        if self.holes.is_empty() && self.run.is_none() {
            return Cow::Borrowed(self);
        }
        let mut bound = self.clone();
        for hole in std::mem::take(&mut bound.holes) {
            let Some(symbol) = model.world.value(0, &parameters[hole.parameter]) else { continue };
            if hole.in_to {
                bound.to[hole.cell] = To::Symbol(symbol);
            } else {
                bound.from[hole.cell] = From::Symbol(symbol);
            }
        }
        if let Some(run) = bound.run.take() {
            let cells = parameters[run.parameter].as_number().and_then(|cells| usize::try_from(cells).ok());
            bound.lengthen(&run, cells.unwrap_or(1).max(1));
        }
        Cow::Owned(bound)
    }

    /// Replaces the cell of a run by this many cells. In each of them, the letter of a set matches by itself.
    fn lengthen(&mut self, run: &Run, cells: usize) {
        let first = self.from[run.from];
        let mut from = vec![first];
        for _ in 1..cells {
            from.push(match first {
                From::Set(set) => {
                    self.sets.push(self.sets[set].clone());
                    From::Set(self.sets.len() - 1)
                }
                other => other,
            });
        }
        let to = from.iter().map(|from| match (self.to[run.to], *from) {
            (To::Set(set), From::Set(copy)) if first == From::Set(set) => To::Set(copy),
            (other, _) => other,
        });
        let to: Vec<To> = to.collect();
        let on = vec![self.on[run.on]; cells];
        self.from.splice(run.from..=run.from, from);
        self.to.splice(run.to..=run.to, to);
        self.on.splice(run.on..=run.on, on);
        self.width += cells - 1;
        self.stretch = Some((run.main, cells - 1));
        self.at.1 = self.column(self.at.1);
    }

    /// Returns the column of a cell, given its column in the file: cells behind a run move with it.
    pub fn column(&self, column: usize) -> usize {
        match self.stretch {
            Some((run, more)) if column > run => column + more,
            _ => column,
        }
    }

    /// Returns the pattern with its arrows as an image shows them.
    pub fn turned(&self, model: &Model, image: &Image) -> Cow<'_, RewritePattern> {
        let Some(arrows) = model.arrows.as_ref().filter(|_| image.quarters > 0 || image.mirrored) else {
            return Cow::Borrowed(self);
        };
        let mut turned = self.clone();
        for from in &mut turned.from {
            if let From::Symbol(symbol) = from {
                *symbol = arrows.turned(*symbol, image);
            }
        }
        for to in &mut turned.to {
            if let To::Symbol(symbol) = to {
                *symbol = arrows.turned(*symbol, image);
            }
        }
        for symbol in turned.sets.iter_mut().flat_map(|(_, symbols)| symbols) {
            *symbol = arrows.turned(*symbol, image);
        }
        Cow::Owned(turned)
    }

    /// Returns the symbols that the letter of a set may match in some image.
    pub fn letter_symbols(&self, model: &Model, set: usize) -> Values {
        let symbols = |image: &Image| self.turned(model, image).sets[set].1.iter().copied().collect::<Values>();
        self.images.iter().map(symbols).fold(Values::NONE, |all, symbols| all.or(&symbols))
    }
}

impl RewritePattern {
    /// Returns the number of patterns that the drawing stands for, given the parameters of its rule.
    pub fn patterns(&self, parameters: &[(String, Vec<Term>)]) -> usize {
        self.drawn_choices(parameters).into_iter().fold(self.images.len(), usize::saturating_mul)
    }

    /// Returns the number of choices of each parameter that is drawn, and 1 for all others.
    fn drawn_choices(&self, parameters: &[(String, Vec<Term>)]) -> Vec<usize> {
        let is_drawn = |number: usize| {
            self.holes.iter().any(|hole| hole.parameter == number)
                || self.run.as_ref().is_some_and(|run| run.parameter == number)
        };
        let choices = parameters.iter().enumerate();
        choices.map(|(number, (_, values))| if is_drawn(number) { values.len() } else { 1 }).collect()
    }

    /// Visits the patterns that the drawing stands for: for each choice of the parameters in it, and each image. It ends
    /// when the visitor returns false.
    pub fn each_pattern(
        &self,
        model: &Model,
        parameters: &[(String, Vec<Term>)],
        visitor: &mut dyn FnMut(&RewritePattern, &Image) -> bool,
    ) {
        let choices = self.drawn_choices(parameters);
        let mut at = vec![0; choices.len()];
        loop {
            let binding: Vec<Term> = at.iter().zip(parameters).map(|(&at, (_, values))| values[at].clone()).collect();
            let bound = self.bound(model, &binding);
            if !self.images.iter().all(|image| visitor(&bound.turned(model, image), image)) {
                return;
            }
            let Some(last) = (0..at.len()).rev().find(|&number| at[number] + 1 < choices[number]) else { return };
            at[last] += 1;
            at[last + 1..].fill(0);
        }
    }
}
