//! Grounds rules: one operator for each binding of the parameters, place on the grid, direction and case.

mod conditions;
pub(super) mod names;
pub(super) mod pattern;
pub(super) mod ranges;

use super::cases::{Case, CaseSplitter, GroundRule, Scope, SignedExpr, SplitBy, TooMany, split_conjunction};
use super::counting::Counters;
use super::expression::{EvalError, Term, Unknown};
use super::model::{Compiled, From, Image, Model, MovePart, NamePart, RewritePattern, Rule, To, Written};
use super::task::{Condition, CountRange, Effect, Never, Operator, Source, Task, Values, Var, Variable, all_hold};
use crate::diagnostic::Diagnostic;
use crate::domain::BuildContext;
use conditions::{ConditionCompiler, conditions, counts};
use engine_search::space::CostUnit;
use names::move_name;
use pattern::{GroundedPattern, cell_ahead, cycle_length, ground_pattern, normal_form, pattern_cases, slide_cases};
use rustc_hash::{FxBuildHasher, FxHashSet};
use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// The values of a variable, with their names.
type NamedValues<'a> = (&'a Arc<[Term]>, Arc<[String]>);

/// The most operators of a puzzle.
pub(super) const MOST_OPERATORS: usize = 1 << 16;

/// A rule with more operators at one place is compiled to alternatives, if that gives fewer.
const MANY_CASES: usize = 1 << 8;

/// The most evaluations over all rules, and as many again in failed attempts.
const MOST_WORK: u64 = 4_000_000;

/// The cost of one parameter binding, in evaluations.
const WORK_PER_BINDING: u64 = 10;

/// Below this, the budget counts as exhausted.
const EXHAUSTED: u64 = MOST_WORK / 10;

/// Compiles the rules of a model. If a limit ends the work, the result is invalid.
///
/// # Errors
/// Rules that become too many operators, and errors that show only in ground rules.
pub(super) fn compile(mut model: Model, context: &BuildContext) -> Result<Compiled, Vec<Diagnostic>> {
    model.ranges = ranges::ranges(&model, context);
    compile_within_ranges(model, context)
}

/// Compiles the rules of a model for any start that differs by the symbols of the grid. If a limit ends the work, the
/// result is invalid.
///
/// # Errors
/// As for [`compile`]. Some of these errors show only for other drawings.
pub(super) fn compile_for_any_drawing(mut model: Model, context: &BuildContext) -> Result<Compiled, Vec<Diagnostic>> {
    model.ranges = ranges::ranges_of_any_drawing(&model);
    compile_within_ranges(model, context)
}

fn compile_within_ranges(model: Model, context: &BuildContext) -> Result<Compiled, Vec<Diagnostic>> {
    let mut budget = Budget { work: MOST_WORK, spare: MOST_WORK };
    let counters = Counters::new(&model);
    let scope = Scope { model: &model, counters: &counters, context };
    let mut grounder = Grounder { scope, budget: &mut budget, operators: Vec::new(), moves: Vec::new() };
    let mut errors = Vec::new();
    let mut rule_ends = Vec::new();
    for rule in &model.rules {
        if let Err(error) = grounder.rule(rule) {
            errors.push(error);
            // After a rule that exhausted the budget, later rules cannot be judged.
            if grounder.budget.work < EXHAUSTED {
                break;
            }
        }
        rule_ends.push(grounder.moves.len());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (mut operators, moves) = (grounder.operators, grounder.moves);
    let mut never = Vec::new();
    let too_many = |span: Range<usize>, why: TooMany| {
        let error = Diagnostic::at(span, "the expression has too many cases");
        match why {
            TooMany::Cases(count) => {
                let most = conditions::MOST_CASES;
                error.label(format!("it combines too many variables: {count} cases so far, at most {most}"))
            }
            TooMany::Operators | TooMany::Work => {
                error.label(format!("it takes too much work: at most {MOST_WORK} steps for all expressions together"))
            }
        }
    };
    let mut compiler = ConditionCompiler { scope, budget: &mut budget };
    for forbidden in &model.never {
        match compiler.never(&forbidden.expr) {
            Ok(found) => {
                let before = never.len();
                never.extend(found);
                let holds = |never: &Never| {
                    let in_range = |range: &CountRange| range.contains(counters.number(range.counter, &model.start));
                    all_hold(&never.conditions, &model.start) && never.counts.iter().all(in_range)
                };
                if never[before..].iter().any(holds) {
                    let error = Diagnostic::at(forbidden.text.span(), "the start violates `never`");
                    errors.push(error.label("this is true at the start"));
                }
            }
            Err(why) => errors.push(too_many(forbidden.text.span(), why)),
        }
    }
    let (mut goals, mut goal_ends) = (Vec::new(), Vec::new());
    for goal in &model.goals {
        match compiler.goal(goal) {
            Ok(found) => goals.extend(found),
            Err(why) => errors.push(too_many(goal.span.clone(), why)),
        }
        goal_ends.push(goals.len());
    }
    // All cells have the same values.
    let mut last: Option<NamedValues> = None;
    let mut names_of = |values| match &last {
        Some((of, names)) if Arc::ptr_eq(of, values) => Arc::clone(names),
        _ => Arc::clone(&last.insert((values, values.iter().map(Term::to_string).collect())).1),
    };
    let variables = model.names.iter().zip(&model.world.values);
    let variables = variables.map(|(name, values)| Variable { name: name.clone(), values: names_of(values) }).collect();
    let (start, counters) = (model.start.clone(), counters.into_counters());
    let cost_unit = CostUnit::of(operators.iter().map(|operator| operator.cost));
    operators.iter_mut().for_each(|operator| operator.cost = cost_unit.within(operator.cost));
    let mut task = Task { variables, counters, operators, start, goals, never, cost_unit };
    task.tidy_counters();
    if errors.is_empty() {
        Ok(Compiled { model: Arc::new(model), task, moves, rule_ends, goal_ends })
    } else {
        Err(errors)
    }
}

/// The evaluations left.
struct Budget {
    /// The number of evaluations left.
    work: u64,
    /// The number of them that failed attempts may use.
    spare: u64,
}

impl Budget {
    /// Runs an attempt that may fail. Evaluations of a failed attempt are deducted from `spare`, of which it gets one
    /// part in `parts`, not from `work`.
    fn attempt<T>(&mut self, parts: u64, act: impl FnOnce(&mut u64) -> Result<T, TooMany>) -> Option<T> {
        let given = self.work.min(self.spare / parts);
        let mut left = given;
        match act(&mut left) {
            Ok(found) => {
                self.work -= given - left;
                Some(found)
            }
            Err(_) => {
                self.spare -= given - left;
                None
            }
        }
    }
}

struct Grounder<'a> {
    scope: Scope<'a>,
    budget: &'a mut Budget,
    operators: Vec<Operator>,
    moves: Vec<Vec<MovePart>>,
}

/// The reason why a rule is not grounded.
enum Refusal {
    TooMany(TooMany),
    /// It has another error.
    Wrong(Box<Diagnostic>),
}

impl std::convert::From<TooMany> for Refusal {
    fn from(why: TooMany) -> Refusal {
        Refusal::TooMany(why)
    }
}

/// The most values that an error about a cost names.
const NAMED_VALUES: usize = 4;

impl Grounder<'_> {
    fn rule(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        let name = rule.name.iter().map(|part| match part {
            NamePart::Text(text) => text.clone(),
            NamePart::Parameter(number) => format!("{{{}}}", rule.parameters[*number].0),
            _ => "…".to_owned(),
        });
        let name: String = name.collect();
        // Cases that exclude each other give heuristics the most information. If a condition makes too many, it is kept
        // whole at all places, so that symmetries of the grid remain symmetries of the operators.
        let scope = self.scope;
        let before = (self.operators.len(), self.moves.len());
        // The first attempt leaves work for the second.
        for (by, most, parts) in [(SplitBy::Values, MANY_CASES, 2), (SplitBy::Alternatives, MOST_OPERATORS, 1)] {
            if rule.when.is_empty() {
                break;
            }
            let (operators, moves) = (&mut self.operators, &mut self.moves);
            let done = self.budget.attempt(parts, |work| {
                match (RuleGrounder { scope, work, by, most, operators, moves }).ground_all(rule) {
                    Ok(()) => Ok(Ok(())),
                    Err(Refusal::Wrong(error)) => Ok(Err(*error)),
                    Err(Refusal::TooMany(why)) => Err(why),
                }
            });
            if let Some(done) = done {
                return done;
            }
            self.operators.truncate(before.0);
            self.moves.truncate(before.1);
        }
        let (by, most, work) = (SplitBy::Values, MOST_OPERATORS, &mut self.budget.work);
        let (operators, moves) = (&mut self.operators, &mut self.moves);
        let done = RuleGrounder { scope, work, by, most, operators, moves }.ground_all(rule);
        let too_many = |why: TooMany| {
            let message = format!("the rule `{}` expands to too many operators", name.trim());
            let costly = if why == TooMany::Work { self.costly_condition(rule) } else { None };
            if let Some(at) = costly {
                return Diagnostic::at(rule.when[at].text.span(), message)
                    .label(format!("this condition uses up the {MOST_WORK} steps for all rules together"))
                    .help("use conditions on fewer variables, and compare each count with a number of its own");
            }
            let reached = self.operators.len();
            let label = match why {
                TooMany::Cases(cases) => {
                    format!("{cases} operators at one place, at most {MOST_OPERATORS} for all rules together")
                }
                TooMany::Operators => format!(
                    "{} operators so far, {} of other rules; at most {MOST_OPERATORS} for all rules together",
                    reached - before.0,
                    before.0
                ),
                TooMany::Work => format!(
                    "{} operators so far; at most {MOST_WORK} steps and {MOST_OPERATORS} operators for all rules together",
                    reached - before.0
                ),
            };
            Diagnostic::at(rule.span.clone(), message).label(label).help(if rule.further.is_empty() {
                "use fewer choices in `for`, shorter ranges, or conditions on fewer variables"
            } else {
                "the places of several drawings multiply: draw symbols or marks that are in few places"
            })
        };
        done.map_err(|refusal| match refusal {
            Refusal::TooMany(why) => too_many(why),
            Refusal::Wrong(error) => *error,
        })
    }

    /// Returns the condition of a rule that by itself takes too many steps, if there is one: the first that takes more
    /// than its share.
    fn costly_condition(&self, rule: &Rule) -> Option<usize> {
        let share = MOST_WORK / (rule.when.len() as u64 + 1);
        let too_much = |when: Vec<Written>| {
            let rule = Rule { when, ..rule.clone() };
            let (work, operators, moves) = (&mut share.clone(), &mut Vec::new(), &mut Vec::new());
            let (by, most) = (SplitBy::Values, MOST_OPERATORS);
            let mut grounder = RuleGrounder { scope: self.scope, work, by, most, operators, moves };
            match grounder.ground_all(&rule) {
                Err(Refusal::TooMany(why)) => Some(why),
                _ => None,
            }
        };
        // What the rest of the rule takes is not to be blamed on a condition.
        let is_to_blame = |at: &usize| too_much(vec![rule.when[*at].clone()]) == Some(TooMany::Work);
        if too_much(Vec::new()).is_some() { None } else { (0..rule.when.len()).find(is_to_blame) }
    }
}

/// The values of parameters and letters, and the cases in which a drawing matches with them.
type Binding = (Vec<Term>, Vec<Case>);

/// Grounds one rule.
struct RuleGrounder<'a> {
    scope: Scope<'a>,
    work: &'a mut u64,
    by: SplitBy,
    /// The most operators at one place.
    most: usize,
    operators: &'a mut Vec<Operator>,
    moves: &'a mut Vec<Vec<MovePart>>,
}

impl RuleGrounder<'_> {
    fn splitter(&mut self) -> CaseSplitter<'_> {
        CaseSplitter { scope: self.scope, work: self.work, most: self.most, by: self.by }
    }

    /// Grounds the rule for all bindings of its parameters.
    fn ground_all(&mut self, rule: &Rule) -> Result<(), Refusal> {
        let mut number = vec![0; rule.parameters.len()];
        loop {
            let binding = number.iter().zip(&rule.parameters).map(|(&at, (_, values))| values[at].clone());
            self.ground_binding(rule, binding.collect())?;
            // Advances to the next binding; the last parameter changes fastest.
            let Some(last) = (0..number.len()).rev().find(|&at| number[at] + 1 < rule.parameters[at].1.len()) else {
                return Ok(());
            };
            number[last] += 1;
            number[last + 1..].fill(0);
        }
    }

    /// Grounds the rule for one binding.
    fn ground_binding(&mut self, rule: &Rule, parameters: Vec<Term>) -> Result<(), Refusal> {
        *self.work = self
            .work
            .checked_sub(WORK_PER_BINDING)
            .filter(|_| !self.scope.context.should_stop())
            .ok_or(TooMany::Work)?;
        let Some(drawing) = &rule.drawing else {
            let name = move_name(&self.scope.model.world, rule, &parameters, &[], None, &[]);
            return self.add_operators(rule, &parameters, vec![Case::default()], name);
        };
        if !rule.further.is_empty() {
            return self.ground_together(rule, &parameters);
        }
        let bound = drawing.bound(self.scope.model, &parameters);
        let turned: Vec<(&Image, Cow<RewritePattern>)> =
            bound.images.iter().map(|image| (image, bound.turned(self.scope.model, image))).collect();
        let most = (self.scope.model.world.cells() * turned.len()).min(MOST_OPERATORS);
        let mut seen = FxHashSet::with_capacity_and_hasher(most, FxBuildHasher);
        // Drawings alone need no further work where they cannot match, such as on walls.
        let is_drawn = rule.letters.is_empty() && rule.when.is_empty() && rule.then.is_empty() && !drawing.repeat;
        for cell in 0..self.scope.model.world.cells() {
            if self.scope.context.should_stop() {
                return Err(TooMany::Work.into());
            }
            for (image, drawing) in &turned {
                let (image, drawing): (&Image, &RewritePattern) = (image, drawing);
                *self.work = self.work.checked_sub(drawing.from.len() as u64).ok_or(TooMany::Work)?;
                let Some(grounded) = ground_pattern(self.scope.model, drawing, image, cell) else { continue };
                if is_drawn && !may_match(self.scope.model, drawing, &grounded) {
                    continue;
                }
                // Images with equal ground patterns are one move; if they repeat, at every step.
                let mut same = vec![normal_form(drawing, &grounded)];
                if drawing.repeat {
                    let rest = (1..cycle_length(self.scope.model, image)).map_while(|times| {
                        ground_pattern(
                            self.scope.model,
                            drawing,
                            image,
                            cell_ahead(self.scope.model, drawing, image, cell, times)?,
                        )
                    });
                    same.extend(rest.map(|grounded| normal_form(drawing, &grounded)));
                    *self.work = self
                        .work
                        .checked_sub(same.iter().map(|(cells, _)| cells.len()).sum::<usize>() as u64)
                        .ok_or(TooMany::Work)?;
                }
                if !seen.insert((same, drawing.repeat.then(|| image.forward()))) {
                    continue;
                }
                let cases = if drawing.repeat {
                    slide_cases(self.scope.model, drawing, image, cell, self.work)?
                } else {
                    pattern_cases(self.scope.model, drawing, &grounded)
                };
                let model = self.scope.model;
                let place = Some((model, drawing, image, cell));
                let name = move_name(&model.world, rule, &parameters, &grounded, place, &[]);
                for (parameters, cases) in self.bind_letters(rule, drawing, &grounded, &parameters, cases)? {
                    self.add_operators(rule, &parameters, cases, name.clone())?;
                }
            }
        }
        Ok(())
    }

    /// Grounds a rule with several drawings for one binding: the first at each place, and each of the others at each
    /// place apart from those before it.
    fn ground_together(&mut self, rule: &Rule, parameters: &[Term]) -> Result<(), Refusal> {
        let Some(first) = &rule.drawing else { return Ok(()) };
        let cells = self.scope.model.world.cells();
        // For each image and drawing, the places where it may match by itself.
        let mut places: Vec<Vec<Vec<(usize, GroundedPattern)>>> = Vec::new();
        for image in &first.images {
            let mut of_image = Vec::new();
            for drawing in rule.drawings() {
                let bound = drawing.bound(self.scope.model, parameters);
                let pattern = bound.turned(self.scope.model, image);
                *self.work = self.work.checked_sub((cells * pattern.from.len()) as u64).ok_or(TooMany::Work)?;
                let at = |cell| Some((cell, ground_pattern(self.scope.model, &pattern, image, cell)?));
                let fits = |(_, grounded): &(usize, GroundedPattern)| may_match(self.scope.model, &pattern, grounded);
                of_image.push((0..cells).filter_map(at).filter(fits).collect());
            }
            places.push(of_image);
        }
        let mut seen = FxHashSet::default();
        for cell in 0..cells {
            for (image, of_image) in first.images.iter().zip(&places) {
                let Ok(at) = of_image[0].binary_search_by_key(&cell, |(cell, _)| *cell) else { continue };
                let bound = first.bound(self.scope.model, parameters);
                let pattern = bound.turned(self.scope.model, image);
                let mut open = vec![(Vec::new(), of_image[0][at].1.clone())];
                // The stack is last in, first out: later places are pushed first.
                while let Some((further, grounded)) = open.pop() {
                    let next: Option<&Vec<(usize, GroundedPattern)>> = of_image.get(further.len() + 1);
                    if let Some(next) = next {
                        *self.work = self.work.checked_sub(1 + next.len() as u64).ok_or(TooMany::Work)?;
                        for (cell, other) in next.iter().rev().filter(|(_, other)| is_apart(&grounded, other)) {
                            let further: Vec<usize> = [&further[..], &[*cell]].concat();
                            open.push((further, [&grounded[..], &other[..]].concat()));
                        }
                        continue;
                    }
                    *self.work = self.work.checked_sub(grounded.len() as u64).ok_or(TooMany::Work)?;
                    if self.scope.context.should_stop() {
                        return Err(TooMany::Work.into());
                    }
                    if !seen.insert(normal_form(&pattern, &grounded)) {
                        continue;
                    }
                    let cases = pattern_cases(self.scope.model, &pattern, &grounded);
                    let place = Some((self.scope.model, &*pattern, image, cell));
                    let name = move_name(&self.scope.model.world, rule, parameters, &grounded, place, &further);
                    for (parameters, cases) in self.bind_letters(rule, &pattern, &grounded, parameters, cases)? {
                        self.add_operators(rule, &parameters, cases, name.clone())?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Returns the error that a rule's cost is out of range in this case.
    fn wrong_cost(&self, rule: &Rule, case: &Case) -> Diagnostic {
        let (bound, call) = if case.cost < 0 {
            ("at least 0".to_owned(), "max(0, …)".to_owned())
        } else {
            (format!("at most {MOST_COST}"), format!("min({MOST_COST}, …)"))
        };
        let message = format!("invalid cost {}: expected {bound}", case.cost);
        let error = Diagnostic::at(rule.cost.text.span(), message);
        let world = &self.scope.model.world;
        let only = |(var, values): &Condition| {
            let value = values.iter().next().filter(|_| values.len() == 1)?;
            Some(format!("`{}` is {}", self.scope.model.names[*var], world.values[*var][usize::from(value)]))
        };
        let known: Vec<String> = case.conditions.iter().filter_map(only).take(NAMED_VALUES).collect();
        if known.is_empty() {
            return error;
        }
        let help = format!("write `{call}`, or a condition in `when`: states that no moves lead to count, too");
        error.label(format!("where {}", known.join(", "))).help(help)
    }

    /// Binds the letters of sets that expressions read: each to the cell that it matches. A letter that a target
    /// depends on is bound to each symbol of that cell in turn, with the cases of this symbol.
    fn bind_letters(
        &mut self,
        rule: &Rule,
        drawing: &RewritePattern,
        grounded: &GroundedPattern,
        parameters: &[Term],
        cases: Vec<Case>,
    ) -> Result<Vec<Binding>, TooMany> {
        let mut bindings = vec![(parameters.to_vec(), cases)];
        for letter in &rule.letters {
            let cell = grounded.iter().find(|(_, from, _)| *from == From::Set(letter.set)).map(|&(var, ..)| var);
            let Some(var) = cell.filter(|_| letter.is_in_target) else {
                bindings.iter_mut().for_each(|(parameters, _)| parameters.push(Term::Matched(cell)));
                continue;
            };
            let mut each = Vec::new();
            for (parameters, cases) in &bindings {
                for value in drawing.sets[letter.set].1.iter().copied().collect::<Values>().iter() {
                    *self.work = self.work.checked_sub(1 + cases.len() as u64).ok_or(TooMany::Work)?;
                    let with = |case: &Case| {
                        let mut case = case.clone();
                        case.narrow(self.scope.model, var, &Values::one(value)).then_some(case)
                    };
                    let cases: Vec<Case> = cases.iter().filter_map(with).collect();
                    if !cases.is_empty() {
                        let symbol = self.scope.model.world.values[var][usize::from(value)].clone();
                        each.push(([&parameters[..], &[symbol]].concat(), cases));
                    }
                }
            }
            bindings = each;
        }
        Ok(bindings)
    }

    /// Adds the operators of a rule with one binding at one place.
    fn add_operators(
        &mut self,
        rule: &Rule,
        parameters: &[Term],
        drawn: Vec<Case>,
        name: Vec<MovePart>,
    ) -> Result<(), Refusal> {
        let signed = |expr| SignedExpr { expr, parameters: parameters.to_vec(), truth: true };
        let mut ground_rule = GroundRule { cost: Some(signed(&rule.cost.expr)), ..GroundRule::default() };
        for condition in &rule.when {
            split_conjunction(self.scope.model, signed(&condition.expr), self.work, &mut ground_rule.when)?;
        }
        // An error that counts only if the rule applies in some state.
        let mut conflict = None;
        for assignment in &rule.then {
            let (model, work) = (self.scope.model, &mut *self.work);
            let bindings = assignment.bindings(parameters, |collection, parameters| {
                let evaluator = model.evaluator(&|_| None, *work);
                let terms = evaluator.members(collection, parameters)?;
                *work = evaluator.steps_left.get().checked_sub(terms.len() as u64).ok_or(EvalError::TooLong)?;
                Ok(terms)
            });
            let bindings = match bindings {
                Ok(bindings) => bindings,
                Err(EvalError::TooLong | EvalError::Unknown(Unknown::Counter(_))) => return Err(TooMany::Work.into()),
                Err(EvalError::Undefined) => return Ok(()),
                Err(EvalError::Unknown(Unknown::Variable(var))) => {
                    conflict = Some(self.depends_message(var));
                    continue;
                }
            };
            for parameters in bindings {
                let evaluator = self.scope.model.evaluator(&|_| None, *self.work);
                let target = assignment.var(&evaluator, &parameters);
                *self.work = evaluator.steps_left.get();
                match target {
                    Err(EvalError::TooLong | EvalError::Unknown(Unknown::Counter(_))) => {
                        return Err(TooMany::Work.into());
                    }
                    Ok(target) if ground_rule.then.iter().any(|(other, _)| *other == target) => {
                        conflict = Some(format!("`{}` is assigned twice", self.scope.model.names[target]));
                    }
                    Ok(target) => ground_rule
                        .then
                        .push((target, SignedExpr { expr: &assignment.value.expr, parameters, truth: true })),
                    Err(EvalError::Undefined) => return Ok(()),
                    Err(EvalError::Unknown(Unknown::Variable(var))) => {
                        conflict = Some(self.depends_message(var));
                    }
                }
            }
        }
        let before = self.operators.len();
        if let Some(message) = conflict {
            ground_rule.then.clear();
            for case in drawn {
                if self.splitter().can_apply(&ground_rule, case)? {
                    return Err(Refusal::Wrong(Box::new(Diagnostic::at(rule.span.clone(), message))));
                }
            }
            return Ok(());
        }
        for case in drawn {
            if let Some((target, _)) = ground_rule.then.iter().find(|(target, _)| case.effects.contains_key(target)) {
                let signed = GroundRule { then: Vec::new(), ..ground_rule.clone() };
                if !self.splitter().can_apply(&signed, case)? {
                    continue;
                }
                let message = format!("`{}` is assigned twice, by `to` and by `then`", self.scope.model.names[*target]);
                return Err(Refusal::Wrong(Box::new(Diagnostic::at(rule.span.clone(), message))));
            }
            for case in self.splitter().exclusive(&ground_rule, case)? {
                let cost = match u32::try_from(case.cost).ok().filter(|cost| *cost <= MOST_COST) {
                    Some(cost) => cost,
                    None if self.splitter().is_satisfiable(&case)? => {
                        return Err(Refusal::Wrong(Box::new(self.wrong_cost(rule, &case))));
                    }
                    None => continue,
                };
                let effects = effects(self.scope.model, &case);
                if effects.is_empty() {
                    continue;
                }
                let conditions = conditions(self.scope.model, case.conditions);
                let (disjunctions, counts) = (case.disjunctions, counts(&case.counts));
                let action = self.moves.len() as u32;
                self.operators.push(Operator { cost, conditions, disjunctions, counts, effects, action });
                if self.operators.len() > MOST_OPERATORS {
                    return Err(TooMany::Operators.into());
                }
            }
        }
        if self.operators.len() > before {
            self.moves.push(name);
        }
        Ok(())
    }

    /// Returns the message for a target that depends on the state.
    fn depends_message(&self, var: Var) -> String {
        let var = &self.scope.model.names[var];
        format!("the target of `then` depends on the variable `{var}`: use a `for` over its values")
    }
}

/// Returns whether each cell under a pattern may have a symbol that the pattern demands.
pub(super) fn may_match(model: &Model, drawing: &RewritePattern, grounded: &GroundedPattern) -> bool {
    let may_be = |&(var, from, _): &(Var, From, To)| match from {
        From::Anything => true,
        From::Symbol(value) => model.may_be(var, value),
        From::Set(set) => drawing.sets[set].1.iter().any(|&value| model.may_be(var, value)),
    };
    grounded.iter().all(may_be)
}

/// Returns whether no cell is under two patterns. Cells that a pattern neither reads nor changes do not count.
pub(super) fn is_apart(grounded: &GroundedPattern, other: &GroundedPattern) -> bool {
    let is_covered = |cell: &&(Var, From, To)| (cell.1, cell.2) != (From::Anything, To::Same);
    let mut covered = other.iter().filter(is_covered);
    !covered.any(|(var, ..)| grounded.iter().filter(is_covered).any(|(known, ..)| known == var))
}

/// The largest cost of a move.
pub(super) const MOST_COST: u32 = 10_000;

/// Returns the effects of a case, without those that change nothing.
fn effects(model: &Model, case: &Case) -> Vec<Effect> {
    let changed = case.effects.iter().filter_map(|(&target, source)| {
        let old = |var: Var| case.values(model, var);
        let source = source.simplified(old);
        let same = match source {
            Source::Value(value) => old(target) == Values::one(value),
            Source::Table(var, _) => var == target && source.copied(old).is_some(),
        };
        (!same).then_some(Effect { target, source })
    });
    changed.collect()
}
