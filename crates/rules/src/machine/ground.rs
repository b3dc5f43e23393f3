//! Prepares rules: one unit for each choice of parameters, place and image, in the order of moves.

use super::bodies::Bodies;
use super::formula::{Datum, Formula, Parameter, Terms};
use super::goal::StateGoal;
use super::relaxed::Relaxed;
use super::state::{Packing, State};
use super::watch::Watch;
use super::{Act, Binding, CarryFormula, Check, Machine, Pattern, Put, Symbols, Unit};
use crate::diagnostic::Diagnostic;
use crate::domain::BuildContext;
use crate::expression::{EvalError, Term, extended};
use crate::ground::pattern::{GroundedPattern, cell_ahead, cycle_length, ground_pattern, normal_form};
use crate::ground::{is_apart, may_match};
use crate::model::{Edge, From, Image, Model, RewritePattern, Rule, To};
use crate::task::{Value, Var};
use rustc_hash::{FxHashMap, FxHashSet};
use std::borrow::Cow;
use std::sync::Arc;

/// The most units and patterns of a puzzle.
const MOST_UNITS: usize = 1 << 18;
/// The most steps that the targets of a rule may take.
const MOST_STEPS: u64 = 1 << 16;

impl Machine {
    /// Prepares a puzzle.
    ///
    /// # Errors
    /// Rules that become too many units, and targets of `then` that depend on the state. If a limit ends the work, the
    /// result must not be used.
    pub fn new(model: Arc<Model>, context: &BuildContext) -> Result<Machine, Vec<Diagnostic>> {
        let mut terms = Terms::new(&model);
        let own = model.own.iter().map(|own| terms.compile(&own.written.expr, &[])).collect();
        let never = model.never.iter().map(|never| terms.compile(&never.expr, &[])).collect();
        let goals = model.goals.iter().map(|goal| StateGoal::new(&model, goal, &mut terms)).collect();
        let start = State { values: model.start.clone(), piles: model.start_piles.clone() };
        let items = model.start_piles.iter().map(Vec::len).sum();
        let most = (0..model.start_piles.len()).map(|pile| model.world.most_items(pile).unwrap_or(items)).collect();
        let packing = Packing::new(&State::default(), std::iter::empty(), &[], 0);
        let mut machine = Machine {
            bodies: Bodies::new(&model),
            terms,
            bindings: Vec::new(),
            patterns: Vec::new(),
            checks: Vec::new(),
            puts: Vec::new(),
            symbols: Vec::new(),
            tables: Vec::new(),
            letters: Vec::new(),
            moves: Vec::new(),
            after: Vec::new(),
            move_watch: Watch::default(),
            after_watch: Watch::default(),
            goals,
            never,
            own,
            most,
            start,
            packing,
            reached: Vec::new(),
            relaxed: None,
            model,
        };
        let model = Arc::clone(&machine.model);
        let mut errors = Vec::new();
        let mut builder = Builder { machine: &mut machine, context, known: FxHashMap::default(), tables: Vec::new() };
        let rules = model.rules.iter().enumerate().map(|(number, rule)| (number, rule, false));
        let after = model.after.iter().enumerate().map(|(number, rule)| (number, rule, true));
        for (number, rule, is_consequence) in rules.chain(after) {
            if let Err(error) = builder.rule(number, rule, is_consequence) {
                errors.push(*error);
            }
        }
        if !errors.is_empty() {
            return Err(errors);
        }
        machine.terms.finish();
        let (relaxed, reached) = match Relaxed::new(&machine, context) {
            Some((relaxed, reached)) => (Some(Arc::new(relaxed)), reached),
            None => (None, machine.terms.values.iter().map(|values| (0..values.len() as Value).collect()).collect()),
        };
        (machine.relaxed, machine.reached) = (relaxed, reached);
        machine.prune();
        let changes: Vec<bool> = machine.reached.iter().map(|values| values.len() > 1).collect();
        let values = machine.terms.values.iter().map(|values| values.len());
        machine.packing = Packing::new(&machine.start, values, &changes, model.world.items.len());
        machine.move_watch = Watch::of_moves(&machine);
        machine.after_watch = Watch::of_consequences(&machine);
        Ok(machine)
    }

    /// Removes the patterns that never match, and the units that need them.
    fn prune(&mut self) {
        let may_hold = |check: &Check| {
            let reached = &self.reached[check.cell()];
            self.allowed(*check).is_none_or(|allowed| allowed.iter().any(|value| reached.contains(value)))
        };
        let may_match: Vec<bool> =
            self.patterns.iter().map(|pattern| self.checks(pattern).iter().all(may_hold)).collect();
        for unit in self.moves.iter_mut().chain(&mut self.after) {
            if let Act::Pass(patterns, _) = &mut unit.act {
                *patterns = patterns.iter().copied().filter(|&number| may_match[number as usize]).collect();
            }
        }
        let may_apply = |unit: &Unit| match &unit.act {
            Act::Pattern(number) => may_match[*number as usize],
            Act::Slide(steps, _) => steps[0].is_some_and(|number| may_match[number as usize]),
            Act::Nothing | Act::Pass(..) | Act::Shift | Act::ShiftAll => true,
        };
        self.moves.retain(may_apply);
        self.after.retain(may_apply);
    }
}

struct Builder<'a> {
    machine: &'a mut Machine,
    context: &'a BuildContext,
    /// The numbers of sets of symbols.
    known: FxHashMap<Symbols, u32>,
    /// The numbers of the tables of maps.
    tables: Vec<(usize, u32)>,
}

/// A choice of a rule's parameters, and of the symbols of letters that targets depend on.
struct Choice {
    binding: u32,
    /// The sets with the symbol that each matches.
    symbols: Vec<(usize, Value)>,
    /// The cells that `then` changes.
    targets: Vec<Var>,
}

impl Builder<'_> {
    fn rule(&mut self, number: usize, rule: &Rule, is_consequence: bool) -> Result<(), Box<Diagnostic>> {
        let mut at = vec![0; rule.parameters.len()];
        loop {
            let parameters = at.iter().zip(&rule.parameters).map(|(&at, (_, values))| values[at].clone()).collect();
            self.units(number, rule, is_consequence, parameters)?;
            if self.machine.patterns.len().max(self.machine.moves.len()).max(self.machine.after.len()) > MOST_UNITS {
                let message = "the rule expands to too many moves";
                let error = Diagnostic::at(rule.span.clone(), message);
                let help = "use fewer choices in `for`, or shorter ranges";
                return Err(Box::new(error.label(format!("at most {MOST_UNITS} for all rules together")).help(help)));
            }
            // Advances to the next choice; the last parameter changes fastest.
            let Some(last) = (0..at.len()).rev().find(|&number| at[number] + 1 < rule.parameters[number].1.len())
            else {
                return Ok(());
            };
            if self.context.should_stop() {
                return Ok(());
            }
            at[last] += 1;
            at[last + 1..].fill(0);
        }
    }

    /// Adds the units of a rule for one choice of its parameters.
    fn units(
        &mut self,
        number: usize,
        rule: &Rule,
        is_consequence: bool,
        parameters: Vec<Term>,
    ) -> Result<(), Box<Diagnostic>> {
        let model = Arc::clone(&self.machine.model);
        let bound = rule.drawing.as_ref().map(|drawing| drawing.bound(&model, &parameters));
        let choices = self.choices(number, rule, is_consequence, &parameters, bound.as_deref())?;
        let turned: Vec<(Image, Cow<RewritePattern>)> = bound.as_ref().map_or_else(Vec::new, |bound| {
            bound.images.iter().map(|image| (*image, bound.turned(&model, image))).collect()
        });
        let Some(first) = choices.first() else { return Ok(()) };
        if rule.all {
            self.passes(rule, is_consequence, first, &turned);
        } else if let Some(shift) = &rule.shift {
            for cell in 0..model.world.cells() {
                for image in &shift.images {
                    self.add(is_consequence, first, Some(*image), Box::new([cell]), Act::Shift);
                }
            }
        } else if turned.is_empty() {
            self.add(is_consequence, first, None, Box::default(), Act::Nothing);
        } else if rule.further.is_empty() {
            self.drawn(rule, is_consequence, &choices, &turned);
        } else {
            self.drawn_together(rule, is_consequence, &choices, &parameters);
        }
        Ok(())
    }

    fn add(&mut self, is_consequence: bool, choice: &Choice, image: Option<Image>, places: Box<[usize]>, act: Act) {
        let units = if is_consequence { &mut self.machine.after } else { &mut self.machine.moves };
        units.push(Unit { binding: choice.binding, image, places, act });
    }

    /// Compiles the expressions of a rule, for each choice of the letters that targets depend on. A choice under which
    /// the rule never applies is left out.
    fn choices(
        &mut self,
        number: usize,
        rule: &Rule,
        is_consequence: bool,
        parameters: &[Term],
        drawing: Option<&RewritePattern>,
    ) -> Result<Vec<Choice>, Box<Diagnostic>> {
        let model = Arc::clone(&self.machine.model);
        let mut symbols: Vec<Vec<(usize, Value)>> = vec![Vec::new()];
        for letter in rule.letters.iter().filter(|letter| letter.is_in_target) {
            let of_letter = drawing.map(|drawing| drawing.letter_symbols(&model, letter.set));
            let of_letter: Vec<(usize, Value)> =
                of_letter.iter().flat_map(|values| values.iter()).map(|value| (letter.set, value)).collect();
            symbols = symbols.iter().flat_map(|before| extended(before, &of_letter)).collect();
        }
        let terms = &mut self.machine.terms;
        let mut choices = Vec::new();
        for symbols in symbols {
            let symbol_of = |set: usize| symbols.iter().find(|(known, _)| *known == set).map(|(_, value)| *value);
            let letters = rule.letters.iter().map(|letter| match symbol_of(letter.set) {
                Some(value) => model.world.values[0][usize::from(value)].clone(),
                None => Term::Matched(None),
            });
            let all: Vec<Term> = parameters.iter().cloned().chain(letters).collect();
            let compiled: Vec<Parameter> = all
                .iter()
                .enumerate()
                .map(|(at, term)| match term {
                    Term::Matched(_) => Parameter::Letter(at - parameters.len()),
                    term => Parameter::Known(terms.datum(term)),
                })
                .collect();
            let Some(then) =
                targets(&model, rule, &all).map_err(|message| Box::new(Diagnostic::at(rule.span.clone(), message)))?
            else {
                continue;
            };
            let targets: Vec<Var> = then.iter().map(|(var, ..)| *var).collect();
            let is_twice = targets.iter().enumerate().any(|(at, var)| targets[..at].contains(var));
            let then = then
                .into_iter()
                .map(|(var, parameters, value)| {
                    let compiled: Vec<Parameter> = parameters
                        .iter()
                        .enumerate()
                        .map(|(at, term)| {
                            compiled.get(at).cloned().unwrap_or_else(|| Parameter::Known(terms.datum(term)))
                        })
                        .collect();
                    (var, terms.compile(value, &compiled))
                })
                .collect();
            let when: Vec<Formula> = rule.when.iter().map(|when| terms.compile(&when.expr, &compiled)).collect();
            let is_false = |formula: &Formula| {
                matches!(formula, Formula::Undefined)
                    || matches!(formula, Formula::Known(datum) if *datum != Datum::Truth(true))
            };
            if is_twice || when.iter().any(is_false) {
                continue;
            }
            let (local_conditions, conditions) = when.into_iter().partition(Formula::is_local);
            let carry = rule.carry.as_ref().map(|carry| CarryFormula {
                from: terms.compile_pile(&carry.from, &compiled),
                to: terms.compile_pile(&carry.to, &compiled),
                count: terms.compile(&carry.count.expr, &compiled),
                turned: carry.turned,
            });
            let cost = if is_consequence {
                Formula::Known(Datum::Number(0))
            } else {
                terms.compile(&rule.cost.expr, &compiled)
            };
            self.machine.bindings.push(Binding {
                rule: number,
                is_consequence,
                parameters: parameters.to_vec(),
                conditions,
                local_conditions,
                then,
                cost,
                carry,
            });
            choices.push(Choice { binding: self.machine.bindings.len() as u32 - 1, symbols, targets });
        }
        Ok(choices)
    }

    /// Adds the units of a rule that applies everywhere.
    fn passes(&mut self, rule: &Rule, is_consequence: bool, choice: &Choice, turned: &[(Image, Cow<RewritePattern>)]) {
        let images = rule.images().to_vec();
        let mut all = Vec::new();
        for (at, image) in images.iter().enumerate() {
            let act = match turned.get(at) {
                None => Act::ShiftAll,
                Some((_, drawing)) => {
                    let cells = self.machine.cells();
                    let found = (0..cells).filter_map(|cell| {
                        let grounded = ground_pattern(&self.machine.model, drawing, image, cell)?;
                        self.pattern(rule, drawing, &grounded, choice, (cell, *image))
                    });
                    let mut found: Vec<u32> = found.collect();
                    // Foremost places first. The sort is stable, so equally far places stay row by row.
                    let (down, right) = image.forward();
                    found.sort_by_key(|&pattern| {
                        let (row, column) = self.machine.model.place(self.machine.patterns[pattern as usize].place);
                        -(row * down + column * right)
                    });
                    if is_consequence && !rule.in_image_of_move {
                        all.extend(found);
                        continue;
                    }
                    Act::Pass(found.into(), drawing.repeat)
                }
            };
            self.add(is_consequence, choice, Some(*image), Box::default(), act);
        }
        if let Some((image, drawing)) = turned.first().filter(|_| is_consequence && !rule.in_image_of_move) {
            self.add(is_consequence, choice, Some(*image), Box::default(), Act::Pass(all.into(), drawing.repeat));
        }
    }

    /// Adds the units of a rule with one drawing, at each place in each image.
    fn drawn(
        &mut self,
        rule: &Rule,
        is_consequence: bool,
        choices: &[Choice],
        turned: &[(Image, Cow<RewritePattern>)],
    ) {
        let model = Arc::clone(&self.machine.model);
        let cells = model.world.cells();
        // For each image the ground patterns, and for each choice the patterns that they become.
        let grounded: Vec<Vec<Option<GroundedPattern>>> = turned
            .iter()
            .map(|(image, drawing)| (0..cells).map(|cell| ground_pattern(&model, drawing, image, cell)).collect())
            .collect();
        let mut patterns: Vec<Vec<Vec<Option<u32>>>> = Vec::new();
        for ((image, drawing), grounded) in turned.iter().zip(&grounded) {
            let mut of_image = Vec::new();
            // In all steps but the first, letters match anew: the last choice is that of none.
            let anew = Choice { binding: 0, symbols: Vec::new(), targets: Vec::new() };
            let rest =
                Some(&anew).filter(|_| drawing.repeat && choices.iter().any(|choice| !choice.symbols.is_empty()));
            for choice in choices.iter().chain(rest) {
                let of_cell = |(cell, grounded): (usize, &Option<GroundedPattern>)| {
                    self.pattern(rule, drawing, grounded.as_ref()?, choice, (cell, *image))
                };
                of_image.push(grounded.iter().enumerate().map(of_cell).collect());
            }
            patterns.push(of_image);
        }
        let mut seen = FxHashSet::default();
        for cell in 0..cells {
            for (((image, drawing), grounded), patterns) in turned.iter().zip(&grounded).zip(&patterns) {
                let Some(first) = &grounded[cell] else { continue };
                let steps = || {
                    let steps = if drawing.repeat { cycle_length(&model, image) } else { 1 };
                    (1..steps).map_while(|times| cell_ahead(&model, drawing, image, cell, times))
                };
                if !is_consequence {
                    // Images with equal ground patterns are one move; if they repeat, at every step.
                    let mut same = vec![normal_form(drawing, first)];
                    let rest = steps().map_while(|cell| grounded[cell].as_ref());
                    same.extend(rest.map(|grounded| normal_form(drawing, grounded)));
                    if !seen.insert((same, drawing.repeat.then(|| image.forward()))) {
                        continue;
                    }
                }
                for (choice, of_choice) in choices.iter().zip(patterns) {
                    let Some(pattern) = of_choice[cell] else { continue };
                    let act = if drawing.repeat {
                        let rest = &patterns[patterns.len() - 1];
                        let steps: Box<[Option<u32>]> =
                            std::iter::once(Some(pattern)).chain(steps().map(|cell| rest[cell])).collect();
                        Act::Slide(steps, drawing.edge == Edge::Wrap)
                    } else {
                        Act::Pattern(pattern)
                    };
                    self.add(is_consequence, choice, Some(*image), Box::new([cell]), act);
                }
            }
        }
    }

    /// Adds the units of a rule with several drawings: the first at each place, and each of the others at each place
    /// apart from those before it.
    fn drawn_together(&mut self, rule: &Rule, is_consequence: bool, choices: &[Choice], parameters: &[Term]) {
        let model = Arc::clone(&self.machine.model);
        let Some(first) = &rule.drawing else { return };
        let cells = model.world.cells();
        let bound: Vec<Cow<RewritePattern>> =
            rule.drawings().map(|drawing| drawing.bound(&model, parameters)).collect();
        // For each image and drawing, the places where it may match by itself.
        let places: Vec<Vec<Vec<(usize, GroundedPattern)>>> = first
            .images
            .iter()
            .map(|image| {
                bound
                    .iter()
                    .map(|drawing| {
                        let pattern = drawing.turned(&model, image);
                        let at = |cell| Some((cell, ground_pattern(&model, &pattern, image, cell)?));
                        let fits = |(_, grounded): &(usize, GroundedPattern)| may_match(&model, &pattern, grounded);
                        (0..cells).filter_map(at).filter(fits).collect()
                    })
                    .collect()
            })
            .collect();
        let mut seen = FxHashSet::default();
        for cell in 0..cells {
            for (image, of_image) in first.images.iter().zip(&places) {
                let Ok(at) = of_image[0].binary_search_by_key(&cell, |(cell, _)| *cell) else { continue };
                let pattern = bound[0].turned(&model, image);
                let mut open = vec![(vec![cell], of_image[0][at].1.clone())];
                // The stack is last in, first out: later places are pushed first.
                while let Some((at, grounded)) = open.pop() {
                    if let Some(next) = of_image.get(at.len()) {
                        for (cell, other) in next.iter().rev().filter(|(_, other)| is_apart(&grounded, other)) {
                            open.push(([&at[..], &[*cell]].concat(), [&grounded[..], &other[..]].concat()));
                        }
                        continue;
                    }
                    if self.context.should_stop() || self.machine.patterns.len() > MOST_UNITS {
                        return;
                    }
                    if !is_consequence && !seen.insert(normal_form(&pattern, &grounded)) {
                        continue;
                    }
                    for choice in choices {
                        if let Some(number) = self.pattern(rule, &pattern, &grounded, choice, (cell, *image)) {
                            let act = Act::Pattern(number);
                            self.add(is_consequence, choice, Some(*image), at.clone().into(), act);
                        }
                    }
                }
            }
        }
    }

    /// Adds a ground pattern; `None` if it never applies.
    fn pattern(
        &mut self,
        rule: &Rule,
        drawing: &RewritePattern,
        grounded: &GroundedPattern,
        choice: &Choice,
        (place, image): (usize, Image),
    ) -> Option<u32> {
        let of_set = |set: usize| {
            let cell = grounded.iter().find(|(_, from, _)| *from == From::Set(set));
            cell.map(|&(var, ..)| var as u32)
        };
        let (mut checks, mut puts) = (Vec::new(), Vec::new());
        for &(var, from, to) in grounded {
            let cell = var as u32;
            match from {
                From::Anything => {}
                From::Symbol(value) => checks.push(Check::Is(cell, value)),
                From::Set(set) => {
                    let symbols = &drawing.sets[set].1;
                    match (choice.symbols.iter().find(|(known, _)| *known == set), of_set(set)) {
                        (Some((_, value)), _) if symbols.contains(value) => checks.push(Check::Is(cell, *value)),
                        (Some(_), _) => return None,
                        (None, Some(first)) if first != cell => checks.push(Check::Same(cell, first)),
                        _ => checks.push(self.check_in(cell, symbols.iter().copied())?),
                    }
                }
            }
            match to {
                To::Same => continue,
                To::Symbol(value) => puts.push(Put::Symbol(cell, value)),
                To::Set(set) => puts.push(Put::Copy(cell, of_set(set)?)),
                To::Map(map) => {
                    let table = self.table(map);
                    let mapped = &self.machine.tables[table as usize];
                    let known = (0..).zip(mapped.iter()).filter(|(_, image)| **image != Value::MAX);
                    let known: Vec<Value> = known.map(|(value, _)| value).collect();
                    checks.push(self.check_in(cell, known.into_iter())?);
                    puts.push(Put::Map(cell, table));
                }
            }
            // A cell that `then` changes, too, is an error wherever the rule applies: it never applies.
            if choice.targets.contains(&var) && !rule.all && !drawing.repeat {
                return None;
            }
        }
        let machine = &mut *self.machine;
        let range = |before: usize, after: usize| before as u32..after as u32;
        let before = (machine.checks.len(), machine.puts.len(), machine.letters.len());
        machine.checks.extend(checks);
        machine.puts.extend(puts);
        machine.letters.extend(rule.letters.iter().map(|letter| of_set(letter.set)));
        machine.patterns.push(Pattern {
            checks: range(before.0, machine.checks.len()),
            puts: range(before.1, machine.puts.len()),
            letters: range(before.2, machine.letters.len()),
            place,
            image,
        });
        Some(machine.patterns.len() as u32 - 1)
    }

    /// Returns the check that a cell has one of some symbols; `None` if there are none.
    fn check_in(&mut self, cell: u32, symbols: impl Iterator<Item = Value>) -> Option<Check> {
        let mut set = Symbols::default();
        symbols.for_each(|symbol| set[usize::from(symbol) / 64] |= 1 << (symbol % 64));
        if set == Symbols::default() {
            return None;
        }
        let number = *self.known.entry(set).or_insert_with(|| {
            self.machine.symbols.push(set);
            self.machine.symbols.len() as u32 - 1
        });
        Some(Check::In(cell, number))
    }

    /// Returns the number of the table of a map: the image of each symbol, or the greatest number.
    fn table(&mut self, map: usize) -> u32 {
        if let Some((_, number)) = self.tables.iter().find(|(known, _)| *known == map) {
            return *number;
        }
        let world = &self.machine.model.world;
        let entries = &world.maps[map].1;
        let image = |symbol: &Term| entries.get(symbol).and_then(|image| world.value(0, image)).unwrap_or(Value::MAX);
        let table: Box<[Value]> = world.values[0].iter().map(image).collect();
        self.machine.tables.push(table);
        let number = self.machine.tables.len() as u32 - 1;
        self.tables.push((map, number));
        number
    }
}

/// A target of `then`, with the values of all names, and its new value.
type Assigned<'a> = (Var, Vec<Term>, &'a crate::expression::Expr);

/// Returns the targets of a rule; `None` if one is undefined.
///
/// # Errors
/// A target depends on the state.
fn targets<'a>(model: &Model, rule: &'a Rule, parameters: &[Term]) -> Result<Option<Vec<Assigned<'a>>>, String> {
    let evaluator = model.evaluator(&|_| None, MOST_STEPS);
    let mut found = Vec::new();
    let mut find = || -> Result<(), EvalError> {
        for assignment in &rule.then {
            let bindings =
                assignment.bindings(parameters, |collection, parameters| evaluator.members(collection, parameters))?;
            for parameters in bindings {
                found.push((assignment.var(&evaluator, &parameters)?, parameters, &assignment.value.expr));
            }
        }
        Ok(())
    };
    match find() {
        Ok(()) => Ok(Some(found)),
        Err(EvalError::Undefined) => Ok(None),
        Err(EvalError::TooLong) => Err("the targets of `then` take too many steps".to_owned()),
        Err(EvalError::Unknown(_)) => {
            Err("the target of `then` depends on the state: use a `for` over its values".to_owned())
        }
    }
}
