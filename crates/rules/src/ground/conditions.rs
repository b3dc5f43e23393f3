//! Compiles goals and `never` to cases that need not exclude each other.

use super::Budget;
use crate::cases::{Case, CaseSplitter, GroundRule, Scope, SignedExpr, SplitBy, TooMany, split_conjunction};
use crate::expression::Expr;
use crate::model::{AnywhereDrawing, Model, ModelGoal};
use crate::task::{Condition, Count, CountRange, Disjunction, Never, Values};
use std::collections::BTreeMap;

/// The most cases of a condition on states.
pub(super) const MOST_CASES: usize = 1 << 12;

/// The most goals that one goal of the file is split into.
const MOST_GOALS: usize = 64;

/// Drops conditions that allow all values of their variable.
pub(super) fn conditions(model: &Model, mut all: Vec<Condition>) -> Vec<Condition> {
    all.retain(|(var, values)| values.len() < model.world.values[*var].len());
    all
}

/// Returns the ranges of a case's counters.
pub(super) fn counts(all: &BTreeMap<usize, (u32, u32)>) -> Vec<CountRange> {
    all.iter().map(|(&counter, &(least, most))| CountRange { counter, least, most }).collect()
}

/// Compiles conditions on states.
pub(super) struct ConditionCompiler<'a> {
    pub scope: Scope<'a>,
    pub budget: &'a mut Budget,
}

impl ConditionCompiler<'_> {
    /// Returns the cases of a `never` condition; those of a disjunction may overlap.
    pub fn never(&mut self, expr: &Expr) -> Result<Vec<Never>, TooMany> {
        let (scope, signed) = (self.scope, || SignedExpr { expr, parameters: Vec::new(), truth: true });
        let cases = match self.budget.attempt(1, |work| union(scope, signed(), work)) {
            Some(cases) => cases,
            None => exclusive(scope, signed(), MOST_CASES, &mut self.budget.work)?,
        };
        let never =
            |case: Case| Never { counts: counts(&case.counts), conditions: conditions(scope.model, case.conditions) };
        Ok(cases.into_iter().map(never).collect())
    }

    /// Compiles a goal: one goal for each case if they are few, else alternatives within one goal.
    pub fn goal(&mut self, goal: &ModelGoal) -> Result<Vec<crate::task::Goal>, TooMany> {
        let (scope, model) = (self.scope, self.scope.model);
        let mut signed = Vec::new();
        for condition in &goal.when {
            let expr = SignedExpr { expr: &condition.expr, parameters: Vec::new(), truth: true };
            split_conjunction(model, expr, &mut self.budget.work, &mut signed)?;
        }
        let mut found = Cases { all: vec![Case::default()], disjunctions: Vec::new() };
        if let Some(anywhere) = &goal.anywhere {
            found.restrict(scope, places(model, anywhere))?;
        }
        for part in signed {
            let few = self.budget.attempt(1, |work| exclusive(scope, part.clone(), MOST_GOALS, work));
            let cases = few.or_else(|| self.budget.attempt(1, |work| union(scope, part.clone(), work)));
            let cases = match cases {
                Some(cases) => cases,
                None => match self.budget.attempt(1, |work| as_disjunctions(scope, part.clone(), work)) {
                    Some(all) => {
                        found.disjunctions.extend(all);
                        continue;
                    }
                    None => exclusive(scope, part, MOST_CASES, &mut self.budget.work)?,
                },
            };
            found.restrict(scope, cases)?;
        }
        let Cases { all, disjunctions } = found;
        Ok(all.into_iter().filter_map(|case| self.build_goal(goal, case, &disjunctions)).collect())
    }

    /// Builds a goal from the cases of its expressions; `None` if it is contradictory.
    fn build_goal(&self, goal: &ModelGoal, mut case: Case, disjunctions: &[Disjunction]) -> Option<crate::task::Goal> {
        let Scope { model, counters, .. } = self.scope;
        for (var, values) in &goal.places {
            case.narrow(model, *var, &values.iter().copied().collect()).then_some(())?;
        }
        for (symbol, marks) in &goal.every {
            let others = Values::below(model.symbols.len()).without(&Values::one(*symbol));
            for cell in (0..model.world.cells()).filter(|&cell| !marks.contains(&model.world.marks[cell])) {
                case.narrow(model, cell, &others).then_some(())?;
            }
        }
        case.settle_counts(model, counters).then_some(())?;
        let count = |(symbols, least, most): &(Vec<_>, u32, u32)| Count {
            of: (0..model.world.cells()).map(|cell| (cell, symbols.iter().copied().collect())).collect(),
            least: *least,
            most: *most,
        };
        let of_counter =
            |(&at, &(least, most)): (&usize, &(u32, u32))| Count { of: counters.facts(at).to_vec(), least, most };
        let counts = goal.counts.iter().map(count).chain(case.counts.iter().map(of_counter)).collect();
        Some(crate::task::Goal {
            conditions: conditions(model, case.conditions),
            counts,
            disjunctions: disjunctions.to_vec(),
        })
    }
}

/// The cases in which the parts of a goal so far hold, and disjunctions that must hold, too.
struct Cases {
    all: Vec<Case>,
    disjunctions: Vec<Disjunction>,
}

impl Cases {
    /// Adds a part of the goal that holds in any of these cases.
    fn restrict(&mut self, scope: Scope, found: Vec<Case>) -> Result<(), TooMany> {
        let (model, count) = (scope.model, self.all.len() * found.len());
        // Alternatives within one goal cannot count.
        if count > MOST_GOALS && found.iter().all(|case| case.counts.is_empty()) {
            self.disjunctions.push(found.into_iter().map(|case| conditions(model, case.conditions)).collect());
            return Ok(());
        }
        if count > MOST_CASES {
            return Err(TooMany::Cases(count));
        }
        let both = |one: &Case, other: &Case| {
            let mut both = one.clone();
            let narrow = |(var, values): &Condition| both.narrow(model, *var, values);
            let fits = other.conditions.iter().all(narrow);
            let mut counts = other.counts.iter();
            let fits = fits && counts.all(|(&at, &range)| both.restrict_count(model, scope.counters, at, range));
            fits.then_some(both)
        };
        let all = self.all.iter().flat_map(|one| found.iter().filter_map(move |other| both(one, other)));
        self.all = all.collect();
        Ok(())
    }
}

/// Returns the cases in which a drawing lies somewhere on the grid: one for each place at which it can.
fn places(model: &Model, drawing: &AnywhereDrawing) -> Vec<Case> {
    let at = |place: usize| {
        let mut case = Case::default();
        let mut wanted = drawing.wanted_at(model, place);
        wanted.all(|(cell, values)| case.narrow(model, cell, &values.iter().copied().collect())).then_some(case)
    };
    drawing.places(model).filter_map(at).collect()
}

/// Returns cases that cover the states in which a condition holds. They may overlap.
fn union(scope: Scope, signed: SignedExpr, work: &mut u64) -> Result<Vec<Case>, TooMany> {
    CaseSplitter { scope, work, most: MOST_CASES, by: SplitBy::Values }.union(signed, &Case::default())
}

/// Returns a condition as disjunctions, all of which must hold.
fn as_disjunctions(scope: Scope, signed: SignedExpr, work: &mut u64) -> Result<Vec<Disjunction>, TooMany> {
    let (mut case, mut when) = (Case::default(), vec![signed]);
    let mut splitter = CaseSplitter { scope, work, most: MOST_CASES, by: SplitBy::Alternatives };
    splitter.keep_whole(&mut case, &mut when)?;
    if when.is_empty() { Ok(case.disjunctions) } else { Err(TooMany::Work) }
}

/// Returns cases of a condition that exclude each other; fails if there are more than `most`.
fn exclusive(scope: Scope, signed: SignedExpr, most: usize, work: &mut u64) -> Result<Vec<Case>, TooMany> {
    let mut ground_rule = GroundRule::default();
    split_conjunction(scope.model, signed, work, &mut ground_rule.when)?;
    CaseSplitter { scope, work, most, by: SplitBy::Values }.exclusive(&ground_rule, Case::default())
}
