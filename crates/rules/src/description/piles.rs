//! Reads piles: their declarations, their items at the start and in goals, and moves of items between them.

use super::symbols::is_invisible;
use super::variables::{declared, elements};
use super::{Errors, MOST_LISTED, Reader, kind, locate};
use crate::diagnostic::{Diagnostic, steers, unknown_name};
use crate::document::Spanned;
use crate::domain::FileContext;
use crate::expression::{Array, Expr, Item, Kind, PileExpr, Piles, Term};
use crate::keys::{CarryKeys, Keys, Scalar, Table, Value as Given};
use crate::model::{Carry, Model, ModelGoal, Written};
use crate::parse::parse;
use crate::resolve::{Parameter, Type};
use crate::sorted::sorted;
use std::ops::Range;

/// The most piles.
const MOST_PILES: usize = 250;

/// The most items of all piles together.
const MOST_ITEMS: usize = 4096;

/// Reads the declarations of piles. Their items are read later, with the start.
pub(super) fn read(keys: &Keys, model: &mut Model, errors: &Errors) {
    for (key, piles) in keys.piles.entries() {
        let Some((name, bounds)) = declared(key, "a pile", "`waste` or `\"tube[1..6]\"`", model, errors) else {
            continue;
        };
        let mut array = Array { name, first: model.world.pile_count(), bounds };
        if array.count().saturating_add(array.first) > MOST_PILES {
            let error = Diagnostic::at(key.span(), format!("too many piles with `{}`", key.get_ref()));
            errors.report(error.label(format!("at most {MOST_PILES} for the whole puzzle")));
            // The name is known.
            array.bounds = vec![(1, 1); array.bounds.len()];
        }
        let most = match piles.get_ref().most.as_ref() {
            Some(most) => errors.valid(limits(&array, most)).unwrap_or_default(),
            None => vec![None; array.len()],
        };
        model.world.piles.push(Piles { array, most });
    }
}

/// Reads the most items of the piles of an array.
fn limits(array: &Array, most: &Spanned<Given>) -> Result<Vec<Option<usize>>, Vec<Diagnostic>> {
    let (given, each) = elements(array, most)?;
    let (mut limits, mut errors) = (Vec::new(), Vec::new());
    for (value, span) in given {
        match value {
            Given::One(Scalar::Number(number)) if (1..=MOST_ITEMS as i64).contains(number) => {
                limits.extend(std::iter::repeat_n(Some(*number as usize), each));
            }
            _ => {
                let error = Diagnostic::at(span, "invalid value for `most`");
                errors.push(error.label(format!("expected a number of items, from 1 to {MOST_ITEMS}")));
            }
        }
    }
    if errors.is_empty() { Ok(limits) } else { Err(errors) }
}

/// Reads the items of all piles at the start.
pub(super) fn start(table: &Table<Given>, whole: Range<usize>, model: &mut Model, file: &FileContext, errors: &Errors) {
    let mut words: Vec<Vec<Term>> = Vec::new();
    for piles in &model.world.piles {
        let name = &piles.array.name;
        let Some((_, value)) = table.iter().find(|(known, _)| known == name) else {
            if !file.findings.refused_within(&format!("start.{name}")) {
                let error = Diagnostic::at(whole.clone(), format!("missing key `{name}` in `start`"));
                errors
                    .report(error.help(format!("add the items of the pile, bottom first, such as: {name} = \"a b\"")));
            }
            continue;
        };
        for (items, span, numbers) in errors.valid(listed(&piles.array, value)).unwrap_or_default() {
            for number in numbers {
                if let Some(most) = model.world.most_items(number).filter(|most| items.len() > *most) {
                    let message = format!("the pile `{}` has {} items", model.world.pile_name(number), items.len());
                    let error = Diagnostic::at(span.clone(), message);
                    errors.report(error.label(format!("at most {most}, by `most` in `[piles]`")));
                }
                words.push(items.clone());
            }
        }
    }
    let items = sorted(words.iter().flatten().cloned());
    let all = words.iter().map(Vec::len).sum::<usize>();
    for (count, most, what) in [(items.len(), MOST_LISTED, "different items"), (all, MOST_ITEMS, "items")] {
        if count > most {
            let error = Diagnostic::at(whole.clone(), format!("too many {what} in piles: {count}"));
            errors.report(error.label(format!("at most {most}")));
        }
    }
    let number = |item: &Term| items.binary_search(item).unwrap_or_default() as Item;
    model.start_piles = words.iter().map(|words| words.iter().map(number).collect()).collect();
    model.world.items = items.into();
}

/// The items of some piles of an array, with their place in the file and the numbers of the piles.
type Listed = (Vec<Term>, Range<usize>, Range<usize>);

/// Reads the items of the piles of an array: one string for all, or one for each.
fn listed(array: &Array, given: &Spanned<Given>) -> Result<Vec<Listed>, Vec<Diagnostic>> {
    let (given, each) = elements(array, given)?;
    let (mut piles, mut errors) = (Vec::new(), Vec::new());
    for (number, (value, span)) in given.into_iter().enumerate() {
        let first = array.first + number * each;
        match value {
            Given::One(Scalar::Text(text)) => match text.split_whitespace().find(|word| is_no_item(word)) {
                None => {
                    let items = text.split_whitespace().map(Term::read).collect();
                    piles.push((items, span, first..first + each));
                }
                Some(word) => {
                    let error = Diagnostic::at(span, format!("invalid item `{word}`"));
                    errors.push(error.label("expected words without quotation marks and invisible characters"));
                }
            },
            other => {
                let message = format!("invalid type for `{}`: expected a string, found {}", array.name, kind(other));
                let error = Diagnostic::at(span, message);
                errors.push(error.label("a pile is its items, bottom first, as words of a string: \"a b\""));
            }
        }
    }
    if errors.is_empty() { Ok(piles) } else { Err(errors) }
}

/// Returns whether a word cannot be an item.
fn is_no_item(word: &str) -> bool {
    word.contains(['\'', '"']) || word.contains(steers) || word.chars().any(is_invisible)
}

impl Reader<'_> {
    /// Returns the values of a parameter, with each pile of an array in place of the array's name.
    pub(super) fn with_piles(&self, choices: Vec<Term>) -> Vec<Term> {
        let piles = &self.model.world.piles;
        let named = |choice: &Term| match choice {
            Term::Name(name) => piles.iter().find(|piles| *piles.array.name == **name),
            _ => None,
        };
        let each = |choice: Term| match named(&choice).map(|piles| &piles.array) {
            Some(array) => (array.first..array.first + array.len()).map(Term::Pile).collect(),
            None => vec![choice],
        };
        choices.into_iter().flat_map(each).collect()
    }

    /// Reads the key `carry`, given the place for errors about what is missing.
    pub(super) fn carry(&self, keys: &Spanned<CarryKeys>, known: &mut Vec<Parameter>) -> Option<Carry> {
        let CarryKeys { from, to, count, turned } = keys.get_ref();
        let end = |key: &str, text: &Option<Spanned<String>>, known: &mut Vec<Parameter>| {
            let Some(text) = text else {
                let error = Diagnostic::at(keys.span(), format!("missing key `{key}` in `carry`"));
                self.errors.report(error.help(format!("add the name of a pile: {key} = \"tube[1]\"")));
                return None;
            };
            self.pile(text, known)
        };
        let (from, to) = (end("from", from, known), end("to", to, known));
        if from.is_some() && from == to {
            let error = Diagnostic::at(keys.span(), "`carry` goes from a pile to the same pile");
            self.errors.report(error.label("expected two piles"));
            return None;
        }
        let one = Written {
            expr: Expr { kind: Kind::Term(Term::Number(1)), span: 0..0 },
            text: Spanned::new(keys.span(), "1".to_owned()),
        };
        let count = match count {
            Some(count) => self.scalar(count, Type::NUMBER, known)?,
            None => one,
        };
        let turned = turned.as_ref().is_some_and(|turned| *turned.get_ref());
        Some(Carry { from: from?, to: to?, count, turned })
    }

    /// Reads a pile in `carry`.
    fn pile(&self, text: &Spanned<String>, known: &mut Vec<Parameter>) -> Option<PileExpr> {
        let read = parse(text.get_ref()).and_then(|expr| self.names.pile(expr, known));
        self.errors.valid(read.map_err(|wrong| Some(locate(wrong, text, self.file.source))))
    }

    /// Reads the items that a goal demands of piles: of an array by its name, or of one by its name with indices.
    /// Returns false if the key names no piles.
    pub(super) fn goal_piles(&self, key: &str, value: &Spanned<Given>, goal: &mut ModelGoal) -> bool {
        let world = &self.model.world;
        let whole = world.piles.iter().find(|piles| piles.array.name == key).map(|piles| piles.array.clone());
        let one = || (0..world.pile_count()).find(|number| world.pile_name(*number) == *key);
        let single = || Some(Array { name: key.to_owned(), first: one()?, bounds: Vec::new() });
        let Some(array) = whole.or_else(single) else { return false };
        for (items, span, numbers) in self.errors.valid(listed(&array, value)).unwrap_or_default() {
            let number = |item: &Term| world.items.binary_search(item).ok();
            if let Some(unknown) = items.iter().find(|item| number(item).is_none()) {
                let known: Vec<String> = world.items.iter().map(Term::to_string).collect();
                let help = unknown_name(&unknown.to_string(), known.iter().map(String::as_str).take(50));
                self.errors.report(Diagnostic::at(span, format!("no pile has the item `{unknown}`")).help(help));
                continue;
            }
            let items: Vec<Item> = items.iter().filter_map(number).map(|number| number as Item).collect();
            goal.piles.extend(numbers.map(|number| (number, items.clone())));
        }
        true
    }
}
