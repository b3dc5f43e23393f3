//! Compiles goals and `never` to cases that need not exclude each other.

use super::Budget;
use crate::cases::{Case, CaseSplitter, GroundRule, SignedExpr, SplitBy, TooMany, split_conjunction};
use crate::counting::Counters;
use crate::domain::BuildContext;
use crate::expression::Expr;
use crate::model::{Goal, Model};
use crate::task::{Condition, Count, CountRange, Disjunction, Never, Values, Var};
use std::collections::BTreeMap;

/// The most cases of a condition on states.
pub(super) const MOST_CASES: usize = 1 << 12;

/// The most goals that one goal of the file is split into.
const MOST_GOALS: usize = 64;

/// Drops conditions that allow all values of their variable.
pub(super) fn conditions(model: &Model, all: BTreeMap<Var, Values>) -> Vec<Condition> {
    all.into_iter().filter(|(var, values)| values.len() < model.world.values[*var].len()).collect()
}

/// Returns the ranges of a case's counters.
pub(super) fn counts(all: &BTreeMap<usize, (u32, u32)>) -> Vec<CountRange> {
    all.iter().map(|(&counter, &(least, most))| CountRange { counter, least, most }).collect()
}

/// Compiles conditions on states.
pub(super) struct ConditionCompiler<'a> {
    pub model: &'a Model,
    pub counters: &'a Counters<'a>,
    pub context: &'a BuildContext,
    pub budget: &'a mut Budget,
}

impl ConditionCompiler<'_> {
    /// Returns the cases of a `never` condition; those of a disjunction may overlap.
    pub fn never(&mut self, expr: &Expr) -> Result<Vec<Never>, TooMany> {
        let signed = || SignedExpr { expr, parameters: Vec::new(), truth: true };
        let cases = match self.attempt(|this, work| this.union(signed(), work)) {
            Some(cases) => cases,
            None => self.for_good(|this, work| this.exclusive(signed(), MOST_CASES, work))?,
        };
        let never =
            |case: Case| Never { counts: counts(&case.counts), conditions: conditions(self.model, case.conditions) };
        Ok(cases.into_iter().map(never).collect())
    }

    /// Compiles a goal: one goal for each case if they are few, else alternatives within one goal.
    pub fn goal(&mut self, goal: &Goal) -> Result<Vec<crate::task::Goal>, TooMany> {
        let model = self.model;
        let mut signed = Vec::new();
        for expr in &goal.when {
            let expr = SignedExpr { expr, parameters: Vec::new(), truth: true };
            split_conjunction(model, expr, &mut self.budget.work, &mut signed)?;
        }
        let (mut cases, mut disjunctions) = (vec![Case::default()], Vec::new());
        for part in signed {
            let few = self.attempt(|this, work| this.exclusive(part.clone(), MOST_GOALS, work));
            let found = few.or_else(|| self.attempt(|this, work| this.union(part.clone(), work)));
            let found = match found {
                Some(found) => found,
                None => match self.attempt(|this, work| this.as_disjunctions(part.clone(), work)) {
                    Some(all) => {
                        disjunctions.extend(all);
                        continue;
                    }
                    None => self.for_good(|this, work| this.exclusive(part, MOST_CASES, work))?,
                },
            };
            if cases.len() * found.len() > MOST_GOALS && found.iter().all(|case| case.counts.is_empty()) {
                disjunctions.push(found.into_iter().map(|case| conditions(model, case.conditions)).collect());
                continue;
            }
            // Alternatives within one goal cannot count.
            if cases.len() * found.len() > MOST_CASES {
                return Err(TooMany::Cases(cases.len() * found.len()));
            }
            let both = |one: &Case, other: &Case| {
                let mut both = one.clone();
                let narrow = |(&var, values): (&Var, &Values)| both.narrow(model, var, values);
                let fits = other.conditions.iter().all(narrow);
                let mut counts = other.counts.iter();
                let fits = fits && counts.all(|(&at, &range)| both.restrict_count(model, self.counters, at, range));
                fits.then_some(both)
            };
            cases = cases.iter().flat_map(|one| found.iter().filter_map(move |other| both(one, other))).collect();
        }
        Ok(cases.into_iter().filter_map(|case| self.build_goal(goal, case, &disjunctions)).collect())
    }

    /// Runs an attempt that may fail.
    fn attempt<T>(&mut self, act: impl FnOnce(&Splitting, &mut u64) -> Result<T, TooMany>) -> Option<T> {
        let this = Splitting { model: self.model, counters: self.counters, context: self.context };
        self.budget.attempt(1, |work| act(&this, work))
    }

    /// Runs what has no alternative.
    fn for_good<T>(&mut self, act: impl FnOnce(&Splitting, &mut u64) -> Result<T, TooMany>) -> Result<T, TooMany> {
        let this = Splitting { model: self.model, counters: self.counters, context: self.context };
        act(&this, &mut self.budget.work)
    }

    /// Builds a goal from the cases of its expressions; `None` if it is contradictory.
    fn build_goal(&self, goal: &Goal, mut case: Case, disjunctions: &[Disjunction]) -> Option<crate::task::Goal> {
        let model = self.model;
        for (var, values) in &goal.places {
            case.narrow(model, *var, &values.iter().copied().collect()).then_some(())?;
        }
        for (symbol, marks) in &goal.every {
            let others = Values::below(model.symbols.len()).without(&Values::one(*symbol));
            for cell in (0..model.world.cells()).filter(|&cell| !marks.contains(&model.world.marks[cell])) {
                case.narrow(model, cell, &others).then_some(())?;
            }
        }
        case.settle_counts(model, self.counters).then_some(())?;
        let count = |(symbols, least, most): &(Vec<_>, u32, u32)| Count {
            of: (0..model.world.cells()).map(|cell| (cell, symbols.iter().copied().collect())).collect(),
            least: *least,
            most: *most,
        };
        let of_counter =
            |(&at, &(least, most)): (&usize, &(u32, u32))| Count { of: self.counters.facts(at).to_vec(), least, most };
        let counts = goal.counts.iter().map(count).chain(case.counts.iter().map(of_counter)).collect();
        Some(crate::task::Goal {
            conditions: conditions(model, case.conditions),
            counts,
            disjunctions: disjunctions.to_vec(),
        })
    }
}

/// The ways in which a condition is split.
struct Splitting<'a> {
    model: &'a Model,
    counters: &'a Counters<'a>,
    context: &'a BuildContext,
}

impl Splitting<'_> {
    fn splitter<'s>(&'s self, work: &'s mut u64, most: usize, by: SplitBy) -> CaseSplitter<'s> {
        CaseSplitter { model: self.model, counters: self.counters, context: self.context, work, most, by }
    }

    /// Returns cases that cover the states in which a condition holds. They may overlap.
    fn union(&self, signed: SignedExpr, work: &mut u64) -> Result<Vec<Case>, TooMany> {
        self.splitter(work, MOST_CASES, SplitBy::Values).union(signed, &Case::default())
    }

    /// Returns a condition as disjunctions, all of which must hold.
    fn as_disjunctions(&self, signed: SignedExpr, work: &mut u64) -> Result<Vec<Disjunction>, TooMany> {
        let (mut case, mut when) = (Case::default(), vec![signed]);
        self.splitter(work, MOST_CASES, SplitBy::Alternatives).keep_whole(&mut case, &mut when)?;
        if when.is_empty() { Ok(case.disjunctions) } else { Err(TooMany::Work) }
    }

    /// Returns cases of a condition that exclude each other; fails if there are more than `most`.
    fn exclusive(&self, signed: SignedExpr, most: usize, work: &mut u64) -> Result<Vec<Case>, TooMany> {
        let mut ground_rule = GroundRule::default();
        split_conjunction(self.model, signed, work, &mut ground_rule.when)?;
        self.splitter(work, most, SplitBy::Values).exclusive(&ground_rule, Case::default())
    }
}
