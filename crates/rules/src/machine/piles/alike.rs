//! Piles that are alike: if any two of them are exchanged, the rules and the goals stay the same. So a state in which
//! they are exchanged is as far from a goal.
//!
//! Consequences are tried in order, so piles that they carry or read are never alike. Neither are piles that rules
//! with a drawing, with a shift or with assignments carry or read.

use super::super::formula::{Choices, Formula, PileFormula};
use super::super::{Binding, Machine};
use crate::expression::{Item, Operation, Quantifier};

/// The classes of piles that are alike.
#[derive(Debug, Default)]
pub(in super::super) struct Alike {
    /// The piles of each class of two or more, in ascending order.
    pub(super) classes: Vec<Vec<usize>>,
    /// For each pile, the first of its class.
    first: Vec<usize>,
    /// Whether each item occurs once.
    is_single: Vec<bool>,
}

impl Alike {
    pub fn new(machine: &Machine) -> Alike {
        let mut classes: Vec<Vec<usize>> = Vec::new();
        for pile in 0..machine.most.len() {
            let is_like = |class: &&mut Vec<usize>| are_alike(machine, class[0], pile);
            match classes.iter_mut().find(is_like) {
                Some(class) => class.push(pile),
                None => classes.push(vec![pile]),
            }
        }
        let mut first: Vec<usize> = (0..machine.most.len()).collect();
        classes.iter().for_each(|class| class.iter().for_each(|pile| first[*pile] = class[0]));
        classes.retain(|class| class.len() > 1);
        let mut times = vec![0; machine.terms.items.len()];
        machine.start.piles.iter().flatten().for_each(|item| times[usize::from(*item)] += 1);
        let is_single = times.into_iter().map(|times| times == 1).collect();
        Alike { classes, first, is_single }
    }

    /// Returns whether no piles are alike.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    /// Returns the piles with those of each class sorted.
    pub fn sorted<'a>(&self, piles: &'a [Vec<Item>]) -> Vec<&'a Vec<Item>> {
        let mut sorted: Vec<&Vec<Item>> = piles.iter().collect();
        for class in &self.classes {
            // Few piles, of which one move puts two out of order: insertion.
            for end in 1..class.len() {
                for at in (1..=end).rev() {
                    let (left, right) = (class[at - 1], class[at]);
                    if sorted[left] <= sorted[right] {
                        break;
                    }
                    sorted.swap(left, right);
                }
            }
        }
        sorted
    }

    /// Finds for each pile the first one that is alike and equal.
    pub fn find_twins(&self, piles: &[Vec<Item>], twins: &mut Vec<usize>) {
        twins.clear();
        twins.extend(0..piles.len());
        for class in &self.classes {
            for (at, &pile) in class.iter().enumerate() {
                let equal = class[..at].iter().find(|other| piles[**other] == piles[pile]);
                twins[pile] = equal.copied().unwrap_or(pile);
            }
        }
    }

    /// Appends the features of piles, which are the same for like piles: what each item lies on, if the item occurs
    /// once, otherwise its height.
    pub fn features(&self, piles: &[Vec<Item>], features: &mut Vec<u64>) {
        for (pile, first) in piles.iter().zip(&self.first) {
            // No item has the greatest number.
            let bottom = Item::MAX;
            let mut below = bottom;
            for (height, &item) in (0u64..).zip(pile) {
                let place = match self.is_single[usize::from(item)] {
                    true if below != bottom => u64::from(below),
                    _ => 1 << 31 | height << 16 | *first as u64,
                };
                features.push(1 << 63 | u64::from(item) << 40 | place);
                below = item;
            }
        }
    }
}

fn are_alike(machine: &Machine, one: usize, other: usize) -> bool {
    if machine.most[one] != machine.most[other] {
        return false;
    }
    let exchange = Exchange { one, other };
    let is_same = |formulas: &[Formula]| exchange.is_same_set(formulas, formulas);
    let goals = machine.goals.iter().zip(&machine.model.goals).all(|(goal, written)| {
        let of = |pile: usize| written.piles.iter().find(|(number, _)| *number == pile).map(|(_, items)| items);
        is_same(&goal.when) && of(one) == of(other)
    });
    goals
        && is_same(&machine.never)
        && machine.bindings.iter().all(|binding| {
            if !exchange.concerns(binding) {
                return true;
            }
            let rule = machine.rule(binding);
            let is_plain = rule.drawing.is_none() && rule.shift.is_none() && binding.then.is_empty();
            is_plain
                && !binding.is_consequence
                && machine.bindings.iter().any(|image| exchange.is_image(binding, image))
        })
}

/// The exchange of two piles.
#[derive(Clone, Copy)]
struct Exchange {
    one: usize,
    other: usize,
}

impl Exchange {
    fn of(self, pile: usize) -> usize {
        match pile {
            pile if pile == self.one => self.other,
            pile if pile == self.other => self.one,
            pile => pile,
        }
    }

    /// Returns whether a rule may carry or read one of the piles.
    fn concerns(self, binding: &Binding) -> bool {
        let is_concerned = |pile: &PileFormula| match pile {
            PileFormula::Known(pile) => self.of(*pile) != *pile,
            PileFormula::Element(..) => true,
            PileFormula::Undefined => false,
        };
        let reads = |formula: &Formula| {
            formula.any(|part| match part {
                Formula::Size(pile) | Formula::Same(pile) | Formula::Top(pile, _) => is_concerned(pile),
                _ => false,
            })
        };
        binding.conditions.iter().chain(&binding.local_conditions).chain([&binding.cost]).any(reads)
            || binding.then.iter().any(|(_, value)| reads(value))
            || binding
                .carry
                .as_ref()
                .is_some_and(|carry| is_concerned(&carry.from) || is_concerned(&carry.to) || reads(&carry.count))
    }

    /// Returns whether the exchange makes one rule another.
    fn is_image(self, binding: &Binding, image: &Binding) -> bool {
        let carry = match (&binding.carry, &image.carry) {
            (Some(one), Some(other)) => {
                one.turned == other.turned
                    && self.is_pile(&one.from, &other.from)
                    && self.is_pile(&one.to, &other.to)
                    && self.is_same(&one.count, &other.count)
            }
            (None, None) => true,
            _ => false,
        };
        carry
            && binding.is_consequence == image.is_consequence
            && image.then.is_empty()
            && self.is_same(&binding.cost, &image.cost)
            && self.is_same_set(&binding.conditions, &image.conditions)
            && self.is_same_set(&binding.local_conditions, &image.local_conditions)
    }

    /// Returns whether the exchange makes some conditions others, which need not be in the same order.
    fn is_same_set(self, formulas: &[Formula], others: &[Formula]) -> bool {
        let flat = |formulas: &[Formula]| formulas.iter().flat_map(conjuncts).cloned().collect::<Vec<_>>();
        self.is_permutation(&flat(formulas), &flat(others))
    }

    fn is_permutation(self, formulas: &[Formula], others: &[Formula]) -> bool {
        let mut left: Vec<&Formula> = others.iter().collect();
        let mut take = |formula: &Formula| {
            let found = left.iter().position(|other| self.is_same(formula, other));
            found.map(|at| left.swap_remove(at)).is_some()
        };
        formulas.len() == others.len() && formulas.iter().all(&mut take)
    }

    fn is_pile(self, pile: &PileFormula, other: &PileFormula) -> bool {
        match (pile, other) {
            (PileFormula::Known(pile), PileFormula::Known(other)) => self.of(*pile) == *other,
            (PileFormula::Undefined, PileFormula::Undefined) => true,
            _ => false,
        }
    }

    fn are_same(self, formulas: &[Formula], others: &[Formula]) -> bool {
        formulas.len() == others.len() && formulas.iter().zip(others).all(|(one, other)| self.is_same(one, other))
    }

    /// Returns whether the exchange makes one formula another.
    fn is_same(self, formula: &Formula, other: &Formula) -> bool {
        match (formula, other) {
            (Formula::Size(pile), Formula::Size(other)) | (Formula::Same(pile), Formula::Same(other)) => {
                self.is_pile(pile, other)
            }
            (Formula::Top(pile, place), Formula::Top(other, other_place)) => {
                self.is_pile(pile, other) && self.is_same(place, other_place)
            }
            (Formula::Map(map, part), Formula::Map(other_map, other)) => map == other_map && self.is_same(part, other),
            (Formula::Not(part), Formula::Not(other))
            | (Formula::Negative(part), Formula::Negative(other))
            | (Formula::Absolute(part), Formula::Absolute(other)) => self.is_same(part, other),
            (Formula::Minimum(parts), Formula::Minimum(others))
            | (Formula::Maximum(parts), Formula::Maximum(others)) => self.is_permutation(parts, others),
            (Formula::Each(quantifier, parts), Formula::Each(other, others)) => {
                // Counts and sums are undefined if any part is, in whichever order.
                let is_free = matches!(quantifier, Quantifier::Count | Quantifier::Sum);
                quantifier == other
                    && if is_free { self.is_permutation(parts, others) } else { self.are_same(parts, others) }
            }
            (Formula::Binary(operation, parts), Formula::Binary(other, others)) => {
                operation == other && self.is_same(&parts.0, &others.0) && self.is_same(&parts.1, &others.1)
            }
            (Formula::Conditional(parts), Formula::Conditional(others)) => {
                self.is_same(&parts.0, &others.0)
                    && self.is_same(&parts.1, &others.1)
                    && self.is_same(&parts.2, &others.2)
            }
            (Formula::Within(part, choices), Formula::Within(other, others)) => {
                let choices = match (&**choices, &**others) {
                    (Choices::Range(least, most), Choices::Range(other_least, other_most)) => {
                        self.is_same(least, other_least) && self.is_same(most, other_most)
                    }
                    (Choices::List(list), Choices::List(others)) => self.are_same(list, others),
                    _ => false,
                };
                choices && self.is_same(part, other)
            }
            (one, other) => {
                let reads_piles =
                    |part: &Formula| matches!(part, Formula::Size(_) | Formula::Same(_) | Formula::Top(..));
                one == other && !one.any(reads_piles)
            }
        }
    }
}

/// Returns the conditions that a condition consists of: all must hold.
fn conjuncts(formula: &Formula) -> Vec<&Formula> {
    match formula {
        Formula::Binary(Operation::And, parts) => conjuncts(&parts.0).into_iter().chain(conjuncts(&parts.1)).collect(),
        Formula::Each(Quantifier::All, parts) => parts.iter().flat_map(conjuncts).collect(),
        formula => vec![formula],
    }
}
