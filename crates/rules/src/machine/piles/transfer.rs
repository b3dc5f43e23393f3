//! What rules may carry: one transfer for each rule and choice of its parameters.

use super::super::formula::{Formula, PileFormula, Terms};
use super::super::{Binding, Machine};
use super::partial::{Glimpse, Outcome, Partial};
use crate::expression::Item;

/// A rule that carries items, with its parameters bound.
#[derive(Clone, Debug)]
pub(super) struct Transfer {
    pub from: usize,
    pub to: usize,
    /// The conditions, of which each must hold.
    when: Vec<Formula>,
    pub count: Formula,
    /// A bound on the number of items.
    pub most: usize,
    /// A lower bound on the cost: 0 for a consequence.
    pub cost: u32,
}

/// Returns all transfers that may ever take place; `None` if the state decides which piles a rule means.
pub(super) fn transfers(machine: &Machine, most: &[usize]) -> Option<Vec<Transfer>> {
    let known = Partial { terms: &machine.terms, most, known: &[] };
    let mut found = Vec::new();
    for binding in &machine.bindings {
        let Some(carry) = &binding.carry else { continue };
        let (from, to) = match (&carry.from, &carry.to) {
            (PileFormula::Undefined, _) | (_, PileFormula::Undefined) => continue,
            (PileFormula::Known(from), PileFormula::Known(to)) => (*from, *to),
            _ => return None,
        };
        if from == to || binding.conditions.iter().any(|condition| !known.may_hold(condition)) {
            continue;
        }
        let room = most[from].min(most[to]);
        let least_cost = known.outcome(&binding.cost).range().map_or(0, |(least, _)| least.max(0));
        let count = known.outcome(&carry.count).range().map_or(room as i64, |(_, most)| most);
        let most = usize::try_from(count).unwrap_or(0).min(room);
        if most == 0 {
            continue;
        }
        found.push(Transfer {
            from,
            to,
            when: conditions(binding),
            count: carry.count.clone(),
            most,
            cost: least_cost.try_into().unwrap_or(u32::MAX),
        });
    }
    Some(found)
}

fn conditions(binding: &Binding) -> Vec<Formula> {
    binding.conditions.iter().chain(&binding.local_conditions).cloned().collect()
}

impl Transfer {
    /// Returns whether it may take place in a state of which something is known, and carry an item or more.
    fn may_apply(&self, partial: &Partial) -> bool {
        self.when.iter().all(|condition| partial.may_hold(condition))
            && partial.outcome(&self.count).range().is_none_or(|(_, most)| most > 0)
    }

    /// Returns whether it may carry an item.
    pub fn may_carry(&self, item: Item, terms: &Terms, most: &[usize]) -> bool {
        let top = Glimpse { pile: self.from, items: vec![(1, item)], ..Glimpse::default() };
        // An item that lies deeper may be carried along.
        self.most > 1 || self.may_apply(&Partial { terms, most, known: &[top] })
    }

    /// Calls `context` with each size of the target, and each item on top of it if that matters, at which the transfer
    /// may carry an item there by itself.
    pub fn for_each_context(
        &self,
        item: Item,
        terms: &Terms,
        most: &[usize],
        mut context: impl FnMut(usize, Option<Item>),
    ) {
        let carried = Glimpse { pile: self.from, items: vec![(1, item)], ..Glimpse::default() };
        let onto = |size: Option<usize>, top: Option<Item>| {
            let items = top.into_iter().map(|top| (1, top)).collect();
            let onto = Glimpse { pile: self.to, size, same: None, items };
            self.outcome(&Partial { terms, most, known: &[carried.clone(), onto] })
        };
        let mut open = Vec::new();
        for size in 0..most[self.to] {
            let outcome = onto(Some(size), None);
            if outcome == Outcome::TRUE || size == 0 && outcome.may_hold() {
                context(size, None);
            } else if outcome.may_hold() {
                open.push(size);
            }
        }
        if open.is_empty() {
            return;
        }
        for top in (0..terms.items.len()).map(|top| top as Item) {
            let outcome = onto(None, Some(top));
            let is_possible = |size: &&usize| outcome == Outcome::TRUE || onto(Some(**size), Some(top)).may_hold();
            if outcome.may_hold() {
                open.iter().filter(is_possible).for_each(|&size| context(size, Some(top)));
            }
        }
    }

    /// Returns the outcome of all conditions together.
    fn outcome(&self, partial: &Partial) -> Outcome {
        let mut all = Outcome::TRUE;
        for condition in &self.when {
            match partial.outcome(condition) {
                Outcome::TRUE => {}
                outcome if outcome.may_hold() => all = Outcome::Unknown,
                _ => return Outcome::Fails,
            }
        }
        all
    }
}
