//! From rules to operators: each rule with each choice of its family, at each place of the grid, in each direction.

pub(super) mod laid;
pub(super) mod ranges;

use super::cases::{Asked, By, Case, Cases, Question, TooMany, parts};
use super::expression::{Expr, Fail, Term};
use super::model::{Compiled, Edge, From, Goal, Image, Model, Part, Piece, Rewriting, Rule, Target, To};
use super::task::{Condition, Count, Effect, Either, Operator, Source, Task, Value, Values, Var, Variable, hold};
use crate::diagnostic::Diagnostic;
use crate::domain::BuildContext;
use laid::{around, further, lay, plain, repeated, rewritten};
use std::collections::{BTreeMap, HashSet};
use std::ops::Range;

/// A puzzle may have this many operators.
pub(super) const MOST_OPERATORS: usize = 1 << 16;

/// An expression of states may have this many cases.
const MOST_CASES: usize = 1 << 12;

/// A goal that is an expression becomes no more goals than these.
const MOST_GOALS: usize = 64;

/// A rule that would become more operators at one place is compiled by alternatives, if that is less.
const MANY_CASES: usize = 1 << 8;

/// So many expressions are worked out, over all rules; and as many in attempts that come to nothing.
const MOST_WORK: u64 = 2_000_000;

/// What a choice takes, whatever it comes to: as much as some expressions.
const WORK_OF_A_CHOICE: u64 = 10;

/// With less left, it was all taken.
const LEAST_WORK: u64 = MOST_WORK / 10;

/// Compiles the rules of a model. Where `context` end it, the result means nothing.
///
/// # Errors
/// The rules that become too many operators, and what else shows only when they are laid out.
pub(super) fn compile(mut model: Model, context: &BuildContext) -> Result<Compiled, Vec<Diagnostic>> {
    model.ranges = ranges::ranges(&model);
    let mut budget = Budget { work: MOST_WORK, spare: MOST_WORK };
    let mut ground = Ground { model: &model, context, budget: &mut budget, operators: Vec::new(), moves: Vec::new() };
    let mut errors = Vec::new();
    let mut rule_ends = Vec::new();
    for rule in &model.rules {
        if let Err(error) = ground.rule(rule) {
            errors.push(error);
            // What comes after a rule that took all the work cannot be blamed.
            if ground.budget.work < LEAST_WORK {
                break;
            }
        }
        rule_ends.push(ground.moves.len());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    let (operators, moves) = (ground.operators, ground.moves);
    let mut never = Vec::new();
    let too_many = |span: Range<usize>, why: TooMany| {
        let error = Diagnostic::at(span, "this has too many cases");
        match why {
            TooMany::Cases(count) => error.label(format!(
                "it ties together too many variables: {count} ways to hold so far, and {MOST_CASES} are allowed"
            )),
            TooMany::Operators | TooMany::Work => {
                error.label(format!("it is too much work: all expressions together may take {MOST_WORK} steps"))
            }
        }
    };
    for forbidden in &model.never {
        match never_cases(&model, context, forbidden.get_ref(), &mut budget) {
            Ok(found) => {
                let before = never.len();
                never.extend(found);
                if never[before..].iter().any(|never| hold(never, &model.start)) {
                    let error = Diagnostic::at(forbidden.span(), "the start is a state that must never be");
                    errors.push(error.label("this holds at the start"));
                }
            }
            Err(why) => errors.push(too_many(forbidden.span(), why)),
        }
    }
    let (mut goals, mut goal_ends) = (Vec::new(), Vec::new());
    for goal in &model.goals {
        match goal_cases(&model, context, goal, &mut budget) {
            Ok(found) => goals.extend(found),
            Err(why) => errors.push(too_many(goal.span.clone(), why)),
        }
        goal_ends.push(goals.len());
    }
    let variable = |(name, values): (&String, &std::sync::Arc<[Term]>)| Variable {
        name: name.clone(),
        values: values.iter().map(Term::to_string).collect(),
    };
    let variables = model.names.iter().zip(&model.world.values).map(variable).collect();
    let task = Task { variables, operators, start: model.start.clone(), goals, never };
    if errors.is_empty() { Ok(Compiled { model, task, moves, rule_ends, goal_ends }) } else { Err(errors) }
}

/// Conditions as tasks have them: none that says nothing.
fn conditions(model: &Model, all: BTreeMap<Var, Values>) -> Vec<Condition> {
    all.into_iter().filter(|(var, values)| values.len() < model.world.values[*var].len()).collect()
}

/// What may still be done.
struct Budget {
    /// How many expressions may still be worked out.
    work: u64,
    /// How many of them in attempts that come to nothing.
    spare: u64,
}

impl Budget {
    /// Tries something that need not succeed; what it takes then is not missed by what is done in its place.
    fn attempt<T>(&mut self, act: impl FnOnce(&mut u64) -> Result<T, TooMany>) -> Option<T> {
        let given = self.work.min(self.spare);
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

/// The cases of what must never be: of a disjunction those of each part.
fn never_cases(
    model: &Model,
    context: &BuildContext,
    expr: &Expr,
    budget: &mut Budget,
) -> Result<Vec<Vec<Condition>>, TooMany> {
    let asked = || Asked { expr, parameters: Vec::new(), truth: true };
    let cases = match budget.attempt(|work| union(model, context, asked(), work)) {
        Some(cases) => cases,
        None => exclusive(model, context, asked(), MOST_CASES, &mut budget.work)?,
    };
    Ok(cases.into_iter().map(|case| conditions(model, case.conditions)).collect())
}

/// Cases in which a condition holds, several of which may hold at once.
fn union(model: &Model, context: &BuildContext, asked: Asked, work: &mut u64) -> Result<Vec<Case>, TooMany> {
    Cases { model, context, work, most: MOST_CASES, by: By::Values }.union(asked, &Case::default())
}

/// A condition as alternatives, of each of which one holds.
fn kept(model: &Model, context: &BuildContext, asked: Asked, work: &mut u64) -> Result<Vec<Either>, TooMany> {
    let (mut case, mut when) = (Case::default(), vec![asked]);
    Cases { model, context, work, most: MOST_CASES, by: By::Alternatives }.keep(&mut case, &mut when)?;
    if when.is_empty() { Ok(case.either) } else { Err(TooMany::Work) }
}

/// Cases in which a condition holds that exclude each other, if there are no more than so many.
fn exclusive(
    model: &Model,
    context: &BuildContext,
    asked: Asked,
    most: usize,
    work: &mut u64,
) -> Result<Vec<Case>, TooMany> {
    let mut question = Question::default();
    parts(model, asked, work, &mut question.when)?;
    Cases { model, context, work, most, by: By::Values }.of(&question, Case::default())
}

/// A goal by its cases: goals of their own where they are few, else alternatives in one goal.
fn goal_cases(
    model: &Model,
    context: &BuildContext,
    goal: &Goal,
    budget: &mut Budget,
) -> Result<Vec<super::task::Goal>, TooMany> {
    let mut asked = Vec::new();
    for expr in &goal.when {
        parts(model, Asked { expr, parameters: Vec::new(), truth: true }, &mut budget.work, &mut asked)?;
    }
    let (mut cases, mut either) = (vec![Case::default()], Vec::new());
    for part in asked {
        let few = budget.attempt(|work| exclusive(model, context, part.clone(), MOST_GOALS, work));
        let found = few.or_else(|| budget.attempt(|work| union(model, context, part.clone(), work)));
        let found = match found {
            Some(found) => found,
            None => match budget.attempt(|work| kept(model, context, part.clone(), work)) {
                Some(all) => {
                    either.extend(all);
                    continue;
                }
                None => exclusive(model, context, part, MOST_CASES, &mut budget.work)?,
            },
        };
        if cases.len() * found.len() > MOST_GOALS {
            either.push(found.into_iter().map(|case| conditions(model, case.conditions)).collect());
            continue;
        }
        let both = |one: &Case, other: &Case| {
            let mut both = one.clone();
            other.conditions.iter().all(|(&var, values)| both.narrow(model, var, values)).then_some(both)
        };
        cases = cases.iter().flat_map(|one| found.iter().filter_map(move |other| both(one, other))).collect();
    }
    Ok(cases.into_iter().filter_map(|case| goal_of(model, goal, case, &either)).collect())
}

/// A goal where an expression holds by these conditions; none if nothing can be so.
fn goal_of(model: &Model, goal: &Goal, mut case: Case, either: &[Either]) -> Option<super::task::Goal> {
    for (var, values) in &goal.places {
        case.narrow(model, *var, &values.iter().copied().collect()).then_some(())?;
    }
    for (symbol, marks) in &goal.every {
        let others = Values::below(model.symbols.len()).without(&Values::one(*symbol));
        for cell in (0..model.world.cells()).filter(|&cell| !marks.contains(&model.world.marks[cell])) {
            case.narrow(model, cell, &others).then_some(())?;
        }
    }
    let count = |(symbols, least, most): &(Vec<Value>, u32, u32)| Count {
        of: (0..model.world.cells()).map(|cell| (cell, symbols.iter().copied().collect())).collect(),
        least: *least,
        most: *most,
    };
    let counts = goal.counts.iter().map(count).collect();
    Some(super::task::Goal { conditions: conditions(model, case.conditions), counts, either: either.to_vec() })
}

struct Ground<'a> {
    model: &'a Model,
    context: &'a BuildContext,
    budget: &'a mut Budget,
    operators: Vec<Operator>,
    moves: Vec<Vec<Part>>,
}

/// What is wrong with a rule, beside being too much.
type Wrong = Result<(), String>;

impl Ground<'_> {
    fn rule(&mut self, rule: &Rule) -> Result<(), Diagnostic> {
        let told = rule.name.iter().map(|piece| match piece {
            Piece::Text(text) => text.clone(),
            Piece::Parameter(number) => format!("{{{}}}", rule.parameters[*number].0),
            _ => "…".to_owned(),
        });
        let told: String = told.collect();
        // Cases that exclude each other tell heuristics the most. Where a condition makes too many of them, it is kept
        // whole; at all places alike, so that the symmetries of the grid are those of the operators, too.
        let (model, context, before) = (self.model, self.context, (self.operators.len(), self.moves.len()));
        for (by, most) in [(By::Values, MANY_CASES), (By::Alternatives, MOST_OPERATORS)] {
            if rule.when.is_empty() {
                break;
            }
            let (operators, moves) = (&mut self.operators, &mut self.moves);
            let done =
                self.budget.attempt(|work| Family { model, context, work, by, most, operators, moves }.all(rule));
            if let Some(done) = done {
                return done.map_err(|message| Diagnostic::at(rule.span.clone(), message));
            }
            self.operators.truncate(before.0);
            self.moves.truncate(before.1);
        }
        let (by, most, work) = (By::Values, MOST_OPERATORS, &mut self.budget.work);
        let (operators, moves) = (&mut self.operators, &mut self.moves);
        let done = Family { model, context, work, by, most, operators, moves }.all(rule);
        let too_many = |why: TooMany| {
            let reached = self.operators.len();
            let label = match why {
                TooMany::Cases(cases) => {
                    format!("{cases} operators at one place; all rules together may become {MOST_OPERATORS}")
                }
                TooMany::Operators => format!(
                    "{} operators so far, {} of other rules; all rules together may become {MOST_OPERATORS}",
                    reached - before.0,
                    before.0
                ),
                TooMany::Work => format!(
                    "{} operators so far; all rules together may take {MOST_WORK} steps, and become {MOST_OPERATORS}",
                    reached - before.0
                ),
            };
            Diagnostic::at(rule.span.clone(), format!("the rule `{}` becomes too many operators", told.trim()))
                .label(label)
                .help("fewer choices in `for`, shorter ranges, or conditions that tie together fewer variables")
        };
        done.map_err(too_many)?.map_err(|message| Diagnostic::at(rule.span.clone(), message))
    }
}

/// Makes operators of a rule.
struct Family<'a> {
    model: &'a Model,
    context: &'a BuildContext,
    work: &'a mut u64,
    by: By,
    /// How many operators there may be at one place.
    most: usize,
    operators: &'a mut Vec<Operator>,
    moves: &'a mut Vec<Vec<Part>>,
}

impl Family<'_> {
    /// The rule with all choices; the inner error is what is wrong with it.
    fn all(&mut self, rule: &Rule) -> Result<Wrong, TooMany> {
        let mut number = vec![0; rule.parameters.len()];
        loop {
            let choice = number.iter().zip(&rule.parameters).map(|(&at, (_, choices))| choices[at].clone());
            if let Err(message) = self.choice(rule, choice.collect())? {
                return Ok(Err(message));
            }
            // The next choice: the last parameter changes fastest.
            let Some(last) = (0..number.len()).rev().find(|&at| number[at] + 1 < rule.parameters[at].1.len()) else {
                return Ok(Ok(()));
            };
            number[last] += 1;
            number[last + 1..].fill(0);
        }
    }

    /// The rule with one choice; the inner error is what is wrong with it.
    fn choice(&mut self, rule: &Rule, parameters: Vec<Term>) -> Result<Wrong, TooMany> {
        *self.work =
            self.work.checked_sub(WORK_OF_A_CHOICE).filter(|_| !self.context.should_stop()).ok_or(TooMany::Work)?;
        let Some(drawing) = &rule.drawing else {
            let name = write(rule, &parameters, &[], None);
            return self.operators(rule, &parameters, vec![Case::default()], name);
        };
        let mut met = HashSet::new();
        for cell in 0..self.model.world.cells() {
            for image in &drawing.images {
                *self.work = self.work.checked_sub(drawing.from.len() as u64).ok_or(TooMany::Work)?;
                let Some(laid) = lay(self.model, drawing, image, cell) else { continue };
                // Images that ask and do the same are one; if they repeat, at every step.
                let mut same = vec![plain(&laid)];
                if drawing.repeat {
                    let rest = (1..around(self.model, image)).map_while(|times| {
                        lay(self.model, drawing, image, further(self.model, drawing, image, cell, times)?)
                    });
                    same.extend(rest.map(|laid| plain(&laid)));
                    *self.work =
                        self.work.checked_sub(same.iter().map(Vec::len).sum::<usize>() as u64).ok_or(TooMany::Work)?;
                }
                if !met.insert((same, drawing.repeat.then(|| image.forward()))) {
                    continue;
                }
                let cases = if drawing.repeat {
                    repeated(self.model, drawing, image, cell, self.work)?
                } else {
                    rewritten(self.model, drawing, &laid)
                };
                let name = write(rule, &parameters, &laid, Some((self.model, drawing, image, cell)));
                if let Err(message) = self.operators(rule, &parameters, cases, name)? {
                    return Ok(Err(message));
                }
            }
        }
        Ok(Ok(()))
    }

    /// The operators of a rule at a place with a choice.
    fn operators(
        &mut self,
        rule: &Rule,
        parameters: &[Term],
        drawn: Vec<Case>,
        name: Vec<Part>,
    ) -> Result<Wrong, TooMany> {
        let asked = |expr| Asked { expr, parameters: parameters.to_vec(), truth: true };
        let mut question = Question { cost: Some(asked(&rule.cost)), ..Question::default() };
        rule.when.iter().try_for_each(|expr| parts(self.model, asked(expr), self.work, &mut question.when))?;
        // What is wrong, if the rule can be made at all.
        let mut conflict = None;
        for assignment in &rule.then {
            let runs = match self.runs(&assignment.runs, parameters) {
                Ok(runs) => runs,
                Err(Fail::TooLong) => return Err(TooMany::Work),
                Err(Fail::Undefined) => return Ok(Ok(())),
                Err(Fail::Unknown(var)) => {
                    conflict = Some(self.depends(var));
                    continue;
                }
            };
            for parameters in runs {
                let scene = self.model.scene_within(&|_| None, *self.work);
                let target = match &assignment.target {
                    Target::Variable(var) => Ok(*var),
                    Target::Element(array, indices) => scene.element(*array, indices, &mut parameters.clone()),
                    Target::Parameter(number) => match &parameters[*number] {
                        Term::Name(name) => self.model.world.variable(name).ok_or(Fail::Undefined),
                        _ => Err(Fail::Undefined),
                    },
                };
                *self.work = scene.left.get();
                match target {
                    Err(Fail::TooLong) => return Err(TooMany::Work),
                    Ok(target) if question.then.iter().any(|(other, _)| *other == target) => {
                        conflict = Some(format!("`{}` becomes two things at once", self.model.names[target]));
                    }
                    Ok(target) => {
                        question.then.push((target, Asked { expr: &assignment.value, parameters, truth: true }))
                    }
                    Err(Fail::Undefined) => return Ok(Ok(())),
                    Err(Fail::Unknown(var)) => {
                        conflict = Some(self.depends(var));
                    }
                }
            }
        }
        let before = self.operators.len();
        if let Some(message) = conflict {
            question.then.clear();
            for case in drawn {
                let mut cases =
                    Cases { model: self.model, context: self.context, work: self.work, most: self.most, by: self.by };
                if cases.can_be(&question, case)? {
                    return Ok(Err(message));
                }
            }
            return Ok(Ok(()));
        }
        for case in drawn {
            let drawn: Vec<Var> = case.effects.keys().copied().collect();
            let mut cases =
                Cases { model: self.model, context: self.context, work: self.work, most: self.most, by: self.by };
            if let Some((target, _)) = question.then.iter().find(|(target, _)| drawn.contains(target)) {
                let asked = Question { then: Vec::new(), ..question.clone() };
                if !cases.can_be(&asked, case)? {
                    continue;
                }
                return Ok(Err(format!(
                    "`{}` becomes two things at once, by `to` and by `then`",
                    self.model.names[*target]
                )));
            }
            for case in cases.of(&question, case)? {
                let wrong = match u32::try_from(case.cost) {
                    Err(_) => Err(format!("a cost of {} is none: 0 or more would be right", case.cost)),
                    Ok(cost) if cost > MOST_COST => Err(format!("a cost of {cost} is too much: at most {MOST_COST}")),
                    Ok(cost) => Ok(cost),
                };
                let cost = match wrong {
                    Ok(cost) => cost,
                    Err(message) if cases.is_possible(&case)? => return Ok(Err(message)),
                    Err(_) => continue,
                };
                let effects = effects(self.model, &case);
                if effects.is_empty() {
                    continue;
                }
                let conditions = conditions(self.model, case.conditions);
                let (either, action) = (case.either, self.moves.len() as u32);
                self.operators.push(Operator { cost, conditions, either, effects, action });
                if self.operators.len() > MOST_OPERATORS {
                    return Err(TooMany::Operators);
                }
            }
        }
        if self.operators.len() > before {
            self.moves.push(name);
        }
        Ok(Ok(()))
    }

    /// What to say where it is not known before which variable changes.
    fn depends(&self, var: Var) -> String {
        let var = &self.model.names[var];
        format!(
            "which variable changes may not depend on a variable, here on `{var}`: a `for` over its values would be right"
        )
    }

    /// The parameters with each choice of the names that run.
    fn runs(&mut self, runs: &[super::expression::Over], parameters: &[Term]) -> Result<Vec<Vec<Term>>, Fail> {
        let mut all = vec![parameters.to_vec()];
        for run in runs {
            let mut longer = Vec::new();
            for mut parameters in all {
                let scene = self.model.scene_within(&|_| None, *self.work);
                let terms = scene.over(run, &mut parameters)?;
                *self.work = scene.left.get().checked_sub(terms.len() as u64).ok_or(Fail::TooLong)?;
                for term in terms {
                    longer.push([&parameters[..], &[term]].concat());
                }
            }
            all = longer;
        }
        Ok(all)
    }
}

/// A move may cost no more.
const MOST_COST: u32 = 10_000;

/// What a case does, without what it leaves as it is.
fn effects(model: &Model, case: &Case) -> Vec<Effect> {
    let changed = case.effects.iter().filter_map(|(&target, source)| {
        let before = case.values(model, target);
        let source = match source {
            Source::Of(var, table) => match case.values(model, *var).only() {
                Some(value) => Source::Value(table[usize::from(value)]),
                None => source.clone(),
            },
            Source::Value(_) => source.clone(),
        };
        let same = match &source {
            Source::Value(value) => before == Values::one(*value),
            Source::Of(var, table) => *var == target && before.iter().all(|value| table[usize::from(value)] == value),
        };
        (!same).then_some(Effect { target, source })
    });
    changed.collect()
}

/// How a move is written.
fn write(
    rule: &Rule,
    parameters: &[Term],
    laid: &[(Var, From, To)],
    place: Option<(&Model, &Rewriting, &Image, usize)>,
) -> Vec<Part> {
    let mut parts: Vec<Part> = Vec::new();
    let mut text = String::new();
    for piece in &rule.name {
        match (piece, place) {
            (Piece::Text(piece), _) => text += piece,
            (Piece::Parameter(number), _) => text += &parameters[*number].to_string(),
            (Piece::Set(set), _) => {
                let cell = laid.iter().find(|(_, from, _)| *from == From::Set(*set));
                parts.push(Part::Text(std::mem::take(&mut text)));
                parts.push(cell.map_or(Part::Text("?".to_owned()), |&(var, ..)| Part::Symbol(var)));
            }
            (Piece::Place(row, column), Some((model, drawing, image, cell))) => {
                let (down, right) = image.offset(drawing.at, (*row, *column));
                let columns = model.world.columns as i64;
                let (mut row, mut column) = (cell as i64 / columns + down, cell as i64 % columns + right);
                if drawing.edge == Edge::Wrap {
                    (row, column) = (row.rem_euclid(model.world.rows as i64), column.rem_euclid(columns));
                }
                text += &format!("{row},{column}");
            }
            (Piece::Direction, Some((_, _, image, _))) => text += image.direction,
            (Piece::Place(..) | Piece::Direction, None) => {}
        }
    }
    parts.push(Part::Text(text));
    parts.retain(|part| *part != Part::Text(String::new()));
    parts
}
