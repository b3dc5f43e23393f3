//! Reads the model of a puzzle from the keys of its file.

mod drawings;
mod goals;
mod grid;
mod looks;
mod piles;
mod rules;
mod shifts;
mod symbols;
mod variables;

use super::expression::Term;
use super::keys::{Keys, RuleKeys, Scalar, Start, Table, Value as Given};
use super::model::{Model, ModelGoal, OwnExpression, Rule, Written};
use super::own;
use super::parse::{ExprError, parse};
use super::resolve::{Names, Parameter, Scope, Type};
use super::sorted::sorted;
use super::task::MOST_VALUES;
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::domain::{FileContext, OwnHeuristic, without_value};
use crate::drawing::SourceMap;
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// The most cells of a grid.
const MOST_CELLS: usize = MOST_VALUES;

/// The most values of a variable or a cell.
const MOST_LISTED: usize = 250;

/// Reads the model from the keys of a file.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Model, Vec<Diagnostic>> {
    let errors = Errors::default();
    let mut model = Model::default();
    let example = "start = \"\"\"\\noo.\\n\"\"\"";
    let start = errors.valid(file.required("start", example, keys.start.as_ref()));
    let goal = errors.valid(file.required("goal", "goal = { count = { o = 1 } }", keys.goal.as_ref()));
    let rules = errors.valid(file.required("rules", "[[rules]]", keys.rules.as_ref()));
    grid::read(keys, &mut model, file, &errors);
    variables::read(keys, &mut model, &errors);
    piles::read(keys, &mut model, &errors);
    if let Some(Start::Table(values)) = start.map(Spanned::get_ref) {
        let whole = start.map_or(0..0, Spanned::span);
        variables::start(keys, values, whole.clone(), &mut model, file, &errors);
        piles::start(values, whole, &mut model, file, &errors);
    } else if let (Some(start), Some((what, first))) = (start, first_named(keys)) {
        let message = format!("missing {what} `{first}`");
        let help = format!("write the start as a table: start = {{ drawing = \"\"\"…\"\"\", {first} = … }}");
        errors.report(Diagnostic::at(start.span(), message).help(help));
    }
    // Rules and goals cannot be read without a valid grid and valid variables.
    let of_state = ["start", "marks", "variables", "piles", "sets", "maps", "arrows"];
    let is_incomplete = of_state.iter().any(|key| file.findings.refused_within(key));
    let is_invalid = !errors.0.borrow().is_empty() || is_incomplete || start.is_none();
    // Looks name the items of piles, which are those of a valid start.
    if model.world.piles.is_empty() || !is_invalid {
        looks::read(keys, &mut model, file, &errors);
    }
    if is_invalid || !errors.0.borrow().is_empty() {
        return Err(errors.0.into_inner());
    }
    let reader = Reader::new(file, &model, keys, &errors);
    let read = |list: Option<&Spanned<Vec<Spanned<RuleKeys>>>>, of: RuleList| -> Vec<Rule> {
        let written = list.into_iter().flat_map(Spanned::get_ref).enumerate();
        written.filter_map(|(number, rule)| reader.rule(of, number, rule)).collect()
    };
    let read_rules = read(rules, RuleList::Rules);
    let after = read(keys.after.as_ref(), RuleList::After);
    let bodies = keys.bodies.as_ref().map_or_else(Vec::new, |bodies| reader.bodies(bodies));
    if let Some(rules) = rules.filter(|rules| rules.get_ref().is_empty()) {
        errors.report(Diagnostic::at(rules.span(), "`rules` is empty").label("expected at least one rule"));
    }
    if let Some(goal) = goal.filter(|goal| goal.get_ref().0.is_empty()) {
        errors.report(Diagnostic::at(goal.span(), "`goal` is empty").label("expected at least one goal"));
    }
    let written = goal.into_iter().flat_map(|goal| &goal.get_ref().0);
    let goals: Vec<ModelGoal> = written.filter_map(|goal| reader.goal(goal)).collect();
    let written = keys.never.iter().flat_map(|never| &never.get_ref().0);
    let never: Vec<Written> =
        written.filter_map(|never| reader.expression(never.clone(), Type::TRUTH, &mut Vec::new())).collect();
    let mut errors = errors.0.into_inner();
    (model.rules, model.goals, model.never) = (read_rules, goals, never);
    (model.after, model.bodies) = (after, bodies);
    // A rejected value might have introduced a name: its absence is no error of its own.
    let brings_names = |key: &String| {
        let is_rule = key.starts_with("rules[") || key.starts_with("after[");
        is_rule && (key.ends_with("].from") || key.ends_with("].to") || key.contains("].for"))
    };
    if file.findings.any_refused(brings_names) {
        let is_unknown_name = |message: &str| message.contains("unknown ") && !message.starts_with("unknown key ");
        errors.retain(|error| !is_unknown_name(&error.message));
    }
    if errors.is_empty() { Ok(model) } else { Err(errors) }
}

/// Reads the heuristics of the file, given their names and expressions. Each must have a value at the start.
pub(super) fn own_expressions(
    keys: &Keys,
    model: &Model,
    file: &FileContext,
    expressions: Vec<(String, Spanned<String>)>,
) -> Result<Vec<Arc<OwnExpression>>, Vec<Diagnostic>> {
    let errors = Errors::default();
    let reader = Reader::new(file, model, keys, &errors);
    let mut all = Vec::new();
    for (name, text) in expressions {
        let span = text.span();
        let Some(written) = reader.expression(text, Type::NUMBER, &mut Vec::new()) else { continue };
        if own::value(model, &written.expr, &model.start).is_none() && !model.needs_machine() {
            errors.report(without_value("", span));
        }
        all.push(Arc::new(OwnExpression { heuristic: Arc::new(OwnHeuristic::new(&name)), written }));
    }
    let errors = errors.0.into_inner();
    if errors.is_empty() { Ok(all) } else { Err(errors) }
}

/// The arrays of tables that hold rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum RuleList {
    Rules,
    /// Consequences.
    After,
}

/// Returns the first name that needs an entry in `start`, after the words for it.
fn first_named(keys: &Keys) -> Option<(&'static str, &str)> {
    let variable = keys.variables.iter().next().map(|(name, _)| ("initial value of the variable", name));
    variable.or_else(|| keys.piles.iter().next().map(|(name, _)| ("items of the pile", name)))
}

/// Returns the names of all values, in ascending order.
fn value_names(model: &Model, keys: &Keys) -> Vec<String> {
    // All elements of an array have the same values.
    let of_variables = model.world.arrays.iter().flat_map(|array| model.world.values[array.first].iter().cloned());
    let entries = model.world.maps.iter().flat_map(|(_, entries)| entries.iter());
    let in_maps = entries.flat_map(|(from, to)| [from.clone(), to.clone()]);
    let on_ground = model.world.marks.iter().map(|mark| Term::read(&mark.to_string()));
    let families = keys.all_rules().flat_map(|rule| rule.family.iter());
    let choices = families.filter_map(|(_, listing)| variables::value_list(listing).ok()).flatten();
    let all = of_variables.chain(in_maps).chain(on_ground).chain(choices).chain(model.world.items.iter().cloned());
    let names = all.filter_map(|term| match term {
        Term::Name(name) => Some(name.to_string()),
        _ => None,
    });
    let letters = model.world.sets.iter().map(|set| set.letter.to_string());
    sorted(names.chain(model.symbols.iter().map(char::to_string)).chain(letters))
}

/// The errors so far. A part of the file that has one is left out.
#[derive(Default)]
struct Errors(RefCell<Vec<Diagnostic>>);

impl Errors {
    fn report(&self, error: Diagnostic) {
        self.0.borrow_mut().push(error);
    }

    fn extend(&self, errors: impl IntoIterator<Item = Diagnostic>) {
        self.0.borrow_mut().extend(errors);
    }

    /// Returns a value without errors.
    fn valid<T>(&self, read: Result<T, impl IntoIterator<Item = Diagnostic>>) -> Option<T> {
        read.map_err(|wrong| self.extend(wrong)).ok()
    }

    /// Returns a value if reading it reports no error.
    fn without_errors<T>(&self, read: impl FnOnce() -> Option<T>) -> Option<T> {
        let before = self.0.borrow().len();
        read().filter(|_| self.0.borrow().len() == before)
    }
}

/// Reads rules and goals, given the names that they may use.
struct Reader<'a> {
    file: &'a FileContext<'a>,
    model: &'a Model,
    names: Names<'a>,
    errors: &'a Errors,
}

impl<'a> Reader<'a> {
    fn new(file: &'a FileContext, model: &'a Model, keys: &Keys, errors: &'a Errors) -> Reader<'a> {
        let names = Names { world: &model.world, values: value_names(model, keys), scope: Cell::default() };
        Reader { file, model, names, errors }
    }

    /// Reads a part of the file whose expressions may read what the scope says.
    fn within<T>(&self, scope: Scope, read: impl FnOnce() -> T) -> T {
        let before = self.names.scope.replace(scope);
        let found = read();
        self.names.scope.set(before);
        found
    }

    /// Reads an expression of a given type.
    fn expression(&self, text: Spanned<String>, wanted: Type, parameters: &mut Vec<Parameter>) -> Option<Written> {
        let read = parse(text.get_ref()).and_then(|mut expr| {
            self.names.resolve_as(&mut expr, wanted, parameters)?;
            Ok(expr)
        });
        let expr = self.errors.valid(read.map_err(|wrong| Some(locate(wrong, &text, self.file.source))))?;
        Some(Written { expr, text })
    }

    /// Reads a number, a truth value or an expression.
    fn scalar(&self, value: &Spanned<Scalar>, wanted: Type, parameters: &mut Vec<Parameter>) -> Option<Written> {
        let text = match value.get_ref() {
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(truth) => truth.to_string(),
            Scalar::Text(text) => text.clone(),
        };
        self.expression(Spanned::new(value.span(), text), wanted, parameters)
    }
}

/// Locates an error of an expression in the file.
fn locate(wrong: ExprError, text: &Spanned<String>, source: &str) -> Diagnostic {
    let span = SourceMap::of(text, source).span(wrong.at);
    let error = Diagnostic::at(span, wrong.message);
    match wrong.help {
        Some(help) => error.help(help),
        None => error,
    }
}

/// Returns the value that a scalar of the file denotes.
fn term(scalar: &Scalar) -> Term {
    match scalar {
        Scalar::Number(number) => Term::Number(*number),
        Scalar::Text(text) => Term::read(text),
        Scalar::Truth(truth) => Term::Truth(*truth),
    }
}

/// Returns the type of a value in words.
fn kind(value: &Given) -> &'static str {
    match value {
        Given::One(Scalar::Number(_)) => "an integer",
        Given::One(Scalar::Text(_)) => "a string",
        Given::One(Scalar::Truth(_)) => "a boolean",
        Given::Many(_) => "an array",
        Given::Table(_) => "a table",
    }
}

/// The drawing of a table, and its other entries.
type Parts<'a> = (Option<Spanned<String>>, Vec<(&'a Spanned<String>, &'a Spanned<Given>)>);

/// Returns the drawing of a table, if it has one.
pub(super) fn drawing_of(table: &Table<Given>) -> Option<Spanned<String>> {
    with_drawing(table, &Errors::default()).0
}

/// Splits a table into its drawing and the other entries.
fn with_drawing<'a>(table: &'a Table<Given>, errors: &Errors) -> Parts<'a> {
    let mut drawing = None;
    let mut others = Vec::new();
    for (key, value) in table.entries() {
        let is_drawing = key.get_ref() == "drawing";
        match value.get_ref() {
            Given::One(Scalar::Text(text)) if is_drawing => {
                drawing = Some(Spanned::new(value.span(), text.clone()));
            }
            _ if is_drawing => {
                let message = format!("invalid type for `drawing`: expected a string, found {}", kind(value.get_ref()));
                errors.report(Diagnostic::at(value.span(), message));
            }
            _ => others.push((key, value)),
        }
    }
    (drawing, others)
}
