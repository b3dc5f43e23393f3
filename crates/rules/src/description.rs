//! Reads the model of a puzzle from the keys of its file.

mod drawings;
mod goals;
mod grid;
mod looks;
mod rules;
mod symbols;
mod variables;

use super::expression::Term;
use super::keys::{Keys, OneOrMany, Scalar, Start, Table, Value as Given, to_list};
use super::model::{Goal, Model};
use super::parse::{ExprError, parse};
use super::resolve::{Names, Parameter, Type};
use super::sorted::sorted;
use super::task::MOST_VALUES;
use crate::diagnostic::Diagnostic;
use crate::document::Spanned;
use crate::domain::FileContext;
use crate::drawing::SourceMap;

/// The most cells of a grid.
const MOST_CELLS: usize = MOST_VALUES;

/// The most values of a variable or a cell.
const MOST_LISTED: usize = 250;

/// Reads the model from the keys of a file.
pub(super) fn read(keys: &Keys, file: &FileContext) -> Result<Model, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let mut model = Model::default();
    let example = "start = \"\"\"\\noo.\\n\"\"\"";
    let start = file.required("start", example, keys.start.as_ref()).map_err(|wrong| errors.extend(wrong)).ok();
    let goal = file.required("goal", "goal = { count = { o = 1 } }", keys.goal.as_ref());
    let goal = goal.map_err(|wrong| errors.extend(wrong)).ok();
    let rules = file.required("rules", "[[rules]]", keys.rules.as_ref()).map_err(|wrong| errors.extend(wrong)).ok();
    grid::read(keys, &mut model, file, &mut errors);
    variables::read(keys, &mut model, &mut errors);
    looks::read(keys, &mut model, file, &mut errors);
    if let Some(Start::Table(values)) = start.map(Spanned::get_ref) {
        variables::start(keys, values, start.map_or(0..0, Spanned::span), &mut model, file, &mut errors);
    } else if let (Some(start), Some(first)) = (start, keys.variables.iter().next()) {
        let message = format!("missing initial value of the variable `{}`", first.0);
        let help = format!("write the start as a table: start = {{ drawing = \"\"\"…\"\"\", {} = … }}", first.0);
        errors.push(Diagnostic::at(start.span(), message).help(help));
    }
    // Rules and goals cannot be read without a valid grid and valid variables.
    let is_incomplete =
        ["start", "marks", "variables", "sets", "maps", "arrows"].iter().any(|key| file.findings.refused_within(key));
    if !errors.is_empty() || is_incomplete || start.is_none() {
        return Err(errors);
    }
    let model_before = model.clone();
    let names = Names { world: &model_before.world, values: value_names(&model_before, keys) };
    let reader = Reader { file, names };
    for (number, rule) in rules.into_iter().flat_map(|rules| rules.get_ref()).enumerate() {
        match reader.rule(number, rule, &model) {
            Ok(rule) => model.rules.push(rule),
            Err(wrong) => errors.extend(wrong),
        }
    }
    if let Some(rules) = rules.filter(|rules| rules.get_ref().is_empty()) {
        errors.push(Diagnostic::at(rules.span(), "`rules` is empty").label("expected at least one rule"));
    }
    let read = goal.map_or(Ok(Vec::new()), |goal| reader.goals(goal, &model));
    model.goals = read.map_err(|wrong| errors.extend(wrong)).unwrap_or_default();
    for text in keys.never.iter().flat_map(to_list) {
        let read = reader.expression(&text, Type::TRUTH, &mut Vec::new());
        model.never.extend(read.map_err(|wrong| errors.push(wrong)).ok().map(|expr| Spanned::new(text.span(), expr)));
    }
    // A rejected value might have introduced a name: its absence is no error of its own.
    let brings_names = |key: &String| {
        key.starts_with("rules[") && (key.ends_with("].from") || key.ends_with("].to") || key.contains("].for"))
    };
    if file.findings.any_refused(brings_names) {
        let is_unknown_name = |message: &str| message.contains("unknown ") && !message.starts_with("unknown key ");
        errors.retain(|error| !is_unknown_name(&error.message));
    }
    if errors.is_empty() { Ok(model) } else { Err(errors) }
}

/// Returns the names of all values, in ascending order.
fn value_names(model: &Model, keys: &Keys) -> Vec<String> {
    let of_variables = model.world.values.iter().flat_map(|values| values.iter().cloned());
    let entries = model.world.maps.iter().flat_map(|(_, entries)| entries.iter());
    let in_maps = entries.flat_map(|(from, to)| [from.clone(), to.clone()]);
    let on_ground = model.world.marks.iter().map(|mark| Term::read(&mark.to_string()));
    let families = keys.rules.iter().flat_map(|rules| rules.get_ref()).flat_map(|rule| rule.get_ref().family.iter());
    let choices = families.filter_map(|(_, listing)| variables::value_list(listing).ok()).flatten();
    let all = of_variables.chain(in_maps).chain(on_ground).chain(choices);
    let names = all.filter_map(|term| match term {
        Term::Name(name) => Some(name.to_string()),
        _ => None,
    });
    let letters = model.world.sets.iter().map(|set| set.letter.to_string());
    sorted(names.chain(model.symbols.iter().map(char::to_string)).chain(letters))
}

/// Reads rules and goals, given the names that they may use.
struct Reader<'a> {
    file: &'a FileContext<'a>,
    names: Names<'a>,
}

impl Reader<'_> {
    /// Reads an expression of a given type.
    fn expression(
        &self,
        text: &Spanned<String>,
        wanted: Type,
        parameters: &mut Vec<Parameter>,
    ) -> Result<super::expression::Expr, Diagnostic> {
        let read = parse(text.get_ref()).and_then(|mut expr| {
            self.names.resolve_as(&mut expr, wanted, parameters)?;
            Ok(expr)
        });
        read.map_err(|wrong| locate(wrong, text, self.file.source))
    }

    /// Reads a number, a truth value or an expression.
    fn scalar(
        &self,
        value: &Spanned<Scalar>,
        wanted: Type,
        parameters: &mut Vec<Parameter>,
    ) -> Result<super::expression::Expr, Diagnostic> {
        let text = match value.get_ref() {
            Scalar::Number(number) => number.to_string(),
            Scalar::Truth(truth) => truth.to_string(),
            Scalar::Text(text) => text.clone(),
        };
        self.expression(&Spanned::new(value.span(), text), wanted, parameters)
    }

    fn goals(
        &self,
        goals: &Spanned<OneOrMany<super::keys::Goal>>,
        model: &Model,
    ) -> Result<Vec<Goal>, Vec<Diagnostic>> {
        let mut errors = Vec::new();
        let read = match goals.get_ref() {
            OneOrMany::One(goal) => vec![self.goal(goal, goals.span(), model)],
            OneOrMany::Many(goals) => goals.iter().map(|goal| self.goal(goal.get_ref(), goal.span(), model)).collect(),
        };
        let read: Vec<Goal> =
            read.into_iter().filter_map(|goal| goal.map_err(|wrong| errors.extend(wrong)).ok()).collect();
        if read.is_empty() && errors.is_empty() {
            errors.push(Diagnostic::at(goals.span(), "`goal` is empty").label("expected at least one goal"));
        }
        if errors.is_empty() { Ok(read) } else { Err(errors) }
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
    with_drawing(table, &mut Vec::new()).0
}

/// Splits a table into its drawing and the other entries.
fn with_drawing<'a>(table: &'a Table<Given>, errors: &mut Vec<Diagnostic>) -> Parts<'a> {
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
                errors.push(Diagnostic::at(value.span(), message));
            }
            _ => others.push((key, value)),
        }
    }
    (drawing, others)
}
