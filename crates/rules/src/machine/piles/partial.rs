//! Evaluates formulas in a state of which only a few piles are known, and those in part.
//!
//! An outcome is never wrong: what it excludes does not occur in any state with these piles. So a condition with the
//! outcome [`Outcome::Fails`] holds in no such state.

use super::super::formula::{Choices, Datum, Formula, PileFormula, Terms};
use crate::expression::{Item, Operation, Quantifier};

/// The known part of a pile.
#[derive(Clone, Debug, Default)]
pub(super) struct Glimpse {
    pub pile: usize,
    pub size: Option<usize>,
    /// The number of equal items on top.
    pub same: Option<usize>,
    /// Items, by their places from the top, which is place 1.
    pub items: Vec<(usize, Item)>,
}

/// Everything known of a state.
#[derive(Clone, Copy)]
pub(super) struct Partial<'a> {
    pub terms: &'a Terms,
    /// The most items of each pile.
    pub most: &'a [usize],
    pub known: &'a [Glimpse],
}

/// The value of a formula, as far as it is known.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Outcome {
    Known(Datum),
    /// A number, not below the first and not above the second.
    Between(i64, i64),
    Undefined,
    /// False or undefined.
    Fails,
    /// Anything.
    Unknown,
}

use Outcome::{Between, Fails, Known, Undefined, Unknown};

impl Outcome {
    pub const TRUE: Outcome = Known(Datum::Truth(true));
    const FALSE: Outcome = Known(Datum::Truth(false));

    fn of_truth(truth: Option<bool>) -> Outcome {
        truth.map_or(Unknown, |truth| Known(Datum::Truth(truth)))
    }

    /// Returns the least and the greatest number that it may be, if it is a number.
    pub fn range(self) -> Option<(i64, i64)> {
        match self {
            Known(Datum::Number(number)) => Some((number, number)),
            Between(least, most) => Some((least, most)),
            _ => None,
        }
    }

    fn of_range((least, most): (i64, i64)) -> Outcome {
        if least == most { Known(Datum::Number(least)) } else { Between(least, most) }
    }

    /// Returns whether a condition with this outcome may hold.
    pub fn may_hold(self) -> bool {
        matches!(self, Outcome::TRUE | Unknown)
    }
}

impl Partial<'_> {
    /// Returns whether a condition may hold.
    pub fn may_hold(&self, condition: &Formula) -> bool {
        self.outcome(condition).may_hold()
    }

    /// Returns the outcome of a formula.
    pub fn outcome(&self, formula: &Formula) -> Outcome {
        match formula {
            Formula::Known(datum) => Known(*datum),
            Formula::Undefined => Undefined,
            Formula::Size(pile) => self.size(pile),
            Formula::Same(pile) => self.same(pile),
            Formula::Top(pile, place) => self.top(pile, self.outcome(place)),
            Formula::Map(map, part) => match self.outcome(part) {
                Known(datum) => self.terms.image(*map, datum).map_or(Undefined, Known),
                Undefined => Undefined,
                _ => Unknown,
            },
            Formula::Minimum(parts) => self.extreme(parts, i64::min),
            Formula::Maximum(parts) => self.extreme(parts, i64::max),
            Formula::Each(quantifier, parts) => self.each(*quantifier, parts),
            Formula::Not(part) => match self.outcome(part) {
                Known(Datum::Truth(truth)) => Known(Datum::Truth(!truth)),
                Undefined => Undefined,
                _ => Unknown,
            },
            Formula::Negative(part) => match self.outcome(part).range() {
                Some((least, most)) => negated((least, most)).map_or(Unknown, Outcome::of_range),
                None => Unknown,
            },
            Formula::Binary(operation, parts) => self.binary(*operation, &parts.0, &parts.1),
            Formula::Within(part, choices) => self.within(self.outcome(part), choices),
            Formula::Conditional(parts) => match self.outcome(&parts.0) {
                Outcome::TRUE => self.outcome(&parts.1),
                Outcome::FALSE => self.outcome(&parts.2),
                Undefined => Undefined,
                Fails if !self.may_hold(&parts.2) => Fails,
                Unknown if !self.may_hold(&parts.1) && !self.may_hold(&parts.2) => Fails,
                _ => Unknown,
            },
            _ => Unknown,
        }
    }

    fn glimpse(&self, pile: usize) -> Option<&Glimpse> {
        self.known.iter().find(|glimpse| glimpse.pile == pile)
    }

    fn size(&self, pile: &PileFormula) -> Outcome {
        let PileFormula::Known(pile) = *pile else { return unknown_pile(pile) };
        let glimpse = self.glimpse(pile);
        match glimpse.and_then(|glimpse| glimpse.size) {
            Some(size) => Known(Datum::Number(size as i64)),
            None => {
                let seen = glimpse.iter().flat_map(|glimpse| &glimpse.items).map(|(place, _)| *place).max();
                Outcome::of_range((seen.unwrap_or(0) as i64, self.most[pile] as i64))
            }
        }
    }

    fn same(&self, pile: &PileFormula) -> Outcome {
        let PileFormula::Known(number) = *pile else { return unknown_pile(pile) };
        match (self.glimpse(number).and_then(|glimpse| glimpse.same), self.size(pile).range()) {
            (Some(same), _) => Known(Datum::Number(same as i64)),
            (None, Some((least, most))) => Outcome::of_range((least.min(1), most)),
            (None, None) => Unknown,
        }
    }

    fn top(&self, pile: &PileFormula, place: Outcome) -> Outcome {
        let PileFormula::Known(number) = *pile else { return unknown_pile(pile) };
        let place = match place {
            Known(Datum::Number(place)) => place,
            Known(_) | Undefined => return Undefined,
            _ => return Unknown,
        };
        if place < 1 || self.size(pile).range().is_some_and(|(_, most)| place > most) {
            return Undefined;
        }
        let seen = self.glimpse(number).and_then(|glimpse| {
            let same = glimpse.same.unwrap_or(1) as i64;
            let is_there = |known: &&(usize, Item)| known.0 as i64 == place || known.0 == 1 && place <= same;
            glimpse.items.iter().find(is_there)
        });
        seen.map_or(Unknown, |&(_, item)| Known(self.terms.items[usize::from(item)]))
    }

    fn extreme(&self, parts: &[Formula], fold: impl Fn(i64, i64) -> i64) -> Outcome {
        let ranges: Option<Vec<(i64, i64)>> = parts.iter().map(|part| self.outcome(part).range()).collect();
        let folded = ranges.and_then(|ranges| ranges.into_iter().reduce(|a, b| (fold(a.0, b.0), fold(a.1, b.1))));
        folded.map_or(Unknown, Outcome::of_range)
    }

    /// Evaluates a quantifier with a part for each value.
    fn each(&self, quantifier: Quantifier, parts: &[Formula]) -> Outcome {
        let outcomes = parts.iter().map(|part| self.outcome(part));
        match quantifier {
            Quantifier::All => outcomes.fold(Outcome::TRUE, |before, part| and(before, || part)),
            Quantifier::Any => outcomes.fold(Outcome::FALSE, |before, part| or(before, || part)),
            Quantifier::Sum => outcomes.fold(Known(Datum::Number(0)), sum_of),
            Quantifier::Count => outcomes.fold(Known(Datum::Number(0)), |sum, part| {
                let counted = match part {
                    Known(Datum::Truth(truth)) => Known(Datum::Number(truth.into())),
                    Known(_) | Between(..) | Undefined => Undefined,
                    Fails | Unknown => Between(0, 1),
                };
                sum_of(sum, counted)
            }),
        }
    }

    fn binary(&self, operation: Operation, left: &Formula, right: &Formula) -> Outcome {
        let left = self.outcome(left);
        match operation {
            Operation::And => return and(left, || self.outcome(right)),
            Operation::Or => return or(left, || self.outcome(right)),
            _ => {}
        }
        let right = self.outcome(right);
        if left == Undefined || right == Undefined {
            return Undefined;
        }
        if let (Known(left), Known(right)) = (left, right)
            && let Operation::Equal | Operation::Unequal = operation
        {
            return Known(Datum::Truth((left == right) == (operation == Operation::Equal)));
        }
        let (Some(left), Some(right)) = (left.range(), right.range()) else { return Unknown };
        // Whether each number of the left is below the right, or none.
        let is_below = |left: (i64, i64), right: (i64, i64)| {
            if left.1 < right.0 {
                Some(true)
            } else if left.0 >= right.1 {
                Some(false)
            } else {
                None
            }
        };
        let is_apart = left.1 < right.0 || right.1 < left.0;
        match operation {
            Operation::Equal => Outcome::of_truth(is_apart.then_some(false)),
            Operation::Unequal => Outcome::of_truth(is_apart.then_some(true)),
            Operation::Less => Outcome::of_truth(is_below(left, right)),
            Operation::Greater => Outcome::of_truth(is_below(right, left)),
            Operation::AtMost => Outcome::of_truth(is_below(right, left).map(|truth| !truth)),
            Operation::AtLeast => Outcome::of_truth(is_below(left, right).map(|truth| !truth)),
            Operation::Plus => sum(left, right),
            Operation::Minus => negated(right).map_or(Unknown, |right| sum(left, right)),
            _ if left.0 == left.1 && right.0 == right.1 => {
                operation.of(left.0, right.0).map_or(Undefined, |number| Known(Datum::Number(number)))
            }
            _ => Unknown,
        }
    }

    fn within(&self, part: Outcome, choices: &Choices) -> Outcome {
        match choices {
            Choices::Range(least, most) => {
                let (least, most) = (self.outcome(least), self.outcome(most));
                let (Some(part), Some(least), Some(most)) = (part.range(), least.range(), most.range()) else {
                    return Unknown;
                };
                if part.1 < least.0 || part.0 > most.1 {
                    return Outcome::FALSE;
                }
                Outcome::of_truth((part.0 >= least.1 && part.1 <= most.0).then_some(true))
            }
            Choices::List(list) => {
                let is_not = |choice: &Formula| match (part, self.outcome(choice)) {
                    (Known(part), Known(choice)) => part != choice,
                    (Between(least, most), Known(Datum::Number(number))) => number < least || number > most,
                    (Between(..), Known(_)) | (Undefined, _) | (_, Undefined) => true,
                    _ => false,
                };
                let is_known = |choice: &Formula| matches!(self.outcome(choice), Known(_));
                match part {
                    Undefined => Undefined,
                    _ if list.iter().all(is_not) => Fails,
                    Known(datum) if list.iter().all(is_known) => {
                        Outcome::of_truth(Some(list.iter().any(|choice| self.outcome(choice) == Known(datum))))
                    }
                    _ => Unknown,
                }
            }
        }
    }
}

/// Returns the outcome of reading a pile of which the number is not known.
fn unknown_pile(pile: &PileFormula) -> Outcome {
    if *pile == PileFormula::Undefined { Undefined } else { Unknown }
}

fn negated((least, most): (i64, i64)) -> Option<(i64, i64)> {
    Some((most.checked_neg()?, least.checked_neg()?))
}

fn sum(left: (i64, i64), right: (i64, i64)) -> Outcome {
    match (left.0.checked_add(right.0), left.1.checked_add(right.1)) {
        (Some(least), Some(most)) => Outcome::of_range((least, most)),
        _ => Unknown,
    }
}

fn sum_of(left: Outcome, right: Outcome) -> Outcome {
    match (left.range(), right.range()) {
        (Some(left), Some(right)) => sum(left, right),
        _ if left == Undefined || right == Undefined => Undefined,
        _ => Unknown,
    }
}

/// Returns the outcome of `left && right`. The right side is not evaluated if the left one is false.
fn and(left: Outcome, right: impl FnOnce() -> Outcome) -> Outcome {
    match left {
        Outcome::TRUE => right(),
        Outcome::FALSE | Undefined | Fails => left,
        Unknown if !right().may_hold() => Fails,
        Unknown => Unknown,
        // A number is no truth value.
        Known(_) | Between(..) => Undefined,
    }
}

/// Returns the outcome of `left || right`. The right side is not evaluated if the left one is true.
fn or(left: Outcome, right: impl FnOnce() -> Outcome) -> Outcome {
    match left {
        Outcome::FALSE => right(),
        Outcome::TRUE | Undefined => left,
        Fails if !right().may_hold() => Fails,
        Fails | Unknown => Unknown,
        Known(_) | Between(..) => Undefined,
    }
}
