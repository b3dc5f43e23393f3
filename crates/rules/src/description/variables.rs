//! Reads named variables and their start values.

use super::symbols::{invisible, is_invisible, only_character};
use super::{Errors, MOST_LISTED, kind, term};
use crate::diagnostic::{Diagnostic, expected_names, steers, unknown_name};
use crate::document::Spanned;
use crate::domain::FileContext;
use crate::expression::{Array, Term};
use crate::keys::{Keys, Listing, Table, Value as Given};
use crate::model::Model;
use crate::parse::{parse_array, parse_range};
use crate::task::{Value, Var};
use rustc_hash::FxHashSet;
use std::ops::Range;
use std::sync::Arc;

/// The most variables besides the cells.
const MOST_VARIABLES: usize = 2048;

/// Names with another meaning.
const RESERVED: [&str; 12] =
    ["drawing", "count", "every", "when", "cell", "mark", "rows", "columns", "true", "false", "at", "direction"];

/// Returns the distinct values of a list or a range.
pub(super) fn value_list(listing: &Spanned<Listing>) -> Result<Vec<Term>, Diagnostic> {
    let wrong = |message: &str, label: &str| Err(Diagnostic::at(listing.span(), message).label(label));
    match listing.get_ref() {
        Listing::Range(text) => match parse_range(text) {
            Some((least, most)) if most.saturating_sub(least) < MOST_LISTED as i64 => {
                Ok((least..=most).map(Term::Number).collect())
            }
            Some(_) => wrong("the range has too many numbers", &format!("at most {MOST_LISTED}")),
            None => wrong(
                &format!("invalid range `{text}`"),
                "expected a range such as \"1..3\", the smaller number first, or an array of values",
            ),
        },
        Listing::List(list) if list.is_empty() => wrong("the array is empty", "expected at least one value"),
        Listing::List(list) if list.len() > MOST_LISTED => {
            wrong("the array has too many values", &format!("at most {MOST_LISTED}"))
        }
        Listing::List(list) => {
            let mut terms: Vec<Term> = Vec::new();
            for value in list {
                let term = term(value.get_ref());
                if let Term::Name(name) = &term
                    && let Some(unseen) = only_character(name).filter(|character| is_invisible(*character))
                {
                    return Err(invisible(unseen, value.span()));
                }
                let message = match &term {
                    _ if terms.contains(&term) => format!("the value `{term}` appears more than once"),
                    Term::Name(name) if name.split(' ').any(str::is_empty) => {
                        format!("invalid value `{name}`: expected words with single spaces between them")
                    }
                    Term::Name(name) if name.contains(['\'', '"']) || name.contains(steers) => {
                        format!("invalid value `{name}`: it has a quotation mark or an invisible character")
                    }
                    _ => {
                        terms.push(term);
                        continue;
                    }
                };
                return Err(Diagnostic::at(value.span(), message));
            }
            Ok(terms)
        }
    }
}

/// A name with the bounds of its indices.
pub(super) type Declaration = (String, Vec<(i64, i64)>);

/// Reads the name of a variable or of piles, with the bounds of its indices. No two have the same name.
pub(super) fn declared(
    key: &Spanned<String>,
    what: &str,
    example: &str,
    model: &Model,
    errors: &Errors,
) -> Option<Declaration> {
    let name = key.get_ref();
    let wrong = |message: String, label: &str| {
        errors.report(Diagnostic::at(key.span(), message).label(label));
        None
    };
    let Some((plain, bounds)) = parse_array(name) else {
        let message = format!("invalid name `{name}` for {what}");
        return wrong(message, &format!("expected a name such as {example}"));
    };
    if RESERVED.contains(&plain.as_str()) {
        return wrong(format!("the name `{plain}` is reserved"), "choose another name");
    }
    let is_variable = model.world.arrays.iter().any(|array| array.name == plain);
    if is_variable || model.world.piles.iter().any(|piles| piles.array.name == plain) {
        let known = if is_variable { "the variable" } else { "the pile" };
        return wrong(format!("{known} `{plain}` is defined more than once"), "choose another name");
    }
    Some((plain, bounds))
}

/// Reads the declarations of variables. Start values are read later, when all variables are known.
pub(super) fn read(keys: &Keys, model: &mut Model, errors: &Errors) {
    for (key, listing) in keys.variables.entries() {
        let name = key.get_ref();
        let declaration = declared(key, "a variable", "`goat` or `\"disk[1..10]\"`", model, errors);
        let Some(values) = errors.valid(value_list(listing).map_err(Some)) else { continue };
        let Some((plain, bounds)) = declaration else { continue };
        let array = Array { name: plain, first: model.world.values.len(), bounds };
        let world = &mut model.world;
        if array.count().saturating_add(world.values.len() - world.cells()) > MOST_VARIABLES {
            let error = Diagnostic::at(key.span(), format!("too many variables with `{name}`"));
            errors.report(error.label(format!("at most {MOST_VARIABLES} for the whole puzzle")));
            continue;
        }
        let values: Arc<[Term]> = values.into();
        world.values.extend(std::iter::repeat_n(values, array.len()));
        model.names.extend((array.first..array.first + array.len()).map(|var| array.element_name(var)));
        world.arrays.push(array);
    }
}

/// Reads the start values of the variables.
pub(super) fn start(
    keys: &Keys,
    table: &Table<Given>,
    whole: Range<usize>,
    model: &mut Model,
    file: &FileContext,
    errors: &Errors,
) {
    let cells = model.world.cells();
    model.start.resize(model.world.values.len(), 0);
    let arrays: Vec<Array> =
        model.world.arrays.iter().filter(|array| array.first >= cells && array.name != "cell").cloned().collect();
    for array in &arrays {
        match table.iter().find(|(name, _)| *name == array.name) {
            None if file.findings.refused_within(&format!("start.{}", array.name)) => {}
            None => errors.report(
                Diagnostic::at(whole.clone(), format!("missing key `{}` in `start`", array.name)).help(format!(
                    "add the initial value of the variable, such as: {} = {}",
                    array.name,
                    example(&model.world.values[array.first][0])
                )),
            ),
            Some((_, value)) => {
                for (var, value) in errors.valid(given_values(array, value, model)).unwrap_or_default() {
                    model.start[var] = value;
                }
            }
        }
    }
    // A variable whose values were rejected has no array.
    let declared: FxHashSet<String> = keys
        .variables
        .iter()
        .map(|(name, _)| name)
        .chain(keys.piles.iter().map(|(name, _)| name))
        .filter_map(|name| Some(parse_array(name)?.0))
        .chain(["drawing".to_owned()])
        .collect();
    for (key, _) in table.entries() {
        let name = key.get_ref();
        let is_refused = |table: &str| file.findings.refused_within(&format!("{table}.{name}"));
        let is_known = declared.contains(name) || is_refused("variables") || is_refused("piles");
        if !is_known && !file.findings.refused("variables") && !file.findings.refused("piles") {
            let piles = model.world.piles.iter().map(|piles| piles.array.name.as_str());
            let known = arrays.iter().map(|array| array.name.as_str()).chain(piles).chain(["drawing"]);
            let what = if model.world.piles.is_empty() { "variable" } else { "variable or pile" };
            let error = Diagnostic::at(key.span(), format!("unknown {what} `{name}`"));
            errors.report(error.help(unknown_name(name, known)));
        }
    }
}

fn example(term: &Term) -> String {
    match term {
        Term::Name(name) => format!("\"{name}\""),
        other => other.to_string(),
    }
}

/// The values that a file gives for the elements of an array, each for as many elements as the number says.
type Elements<'a> = (Vec<(&'a Given, Range<usize>)>, usize);

/// Returns the values that are given for the elements of an array: one for all, or nested as its dimensions are.
pub(super) fn elements<'a>(array: &Array, given: &'a Spanned<Given>) -> Result<Elements<'a>, Vec<Diagnostic>> {
    let mut flat: Vec<(&Given, Range<usize>)> = vec![(given.get_ref(), given.span())];
    for &(least, most) in &array.bounds {
        if flat.iter().all(|(value, _)| !matches!(value, Given::Many(_))) {
            break;
        }
        let mut inner = Vec::new();
        for (value, span) in flat {
            match value {
                Given::Many(list) if list.len() as i64 == most - least + 1 => {
                    inner.extend(list.iter().map(|value| (value.get_ref(), value.span())));
                }
                _ => {
                    let message = match value {
                        Given::Many(list) => format!("wrong number of values for `{}`: {}", array.name, list.len()),
                        other => format!("invalid type for `{}`: expected an array, found {}", array.name, kind(other)),
                    };
                    let label = format!("expected {} values", most - least + 1);
                    return Err(vec![Diagnostic::at(span, message).label(label)]);
                }
            }
        }
        flat = inner;
    }
    let each = array.len() / flat.len();
    Ok((flat, each))
}

/// Returns the variables of an array with their given values: one value for all elements, or one for each.
pub(super) fn given_values(
    array: &Array,
    given: &Spanned<Given>,
    model: &Model,
) -> Result<Vec<(Var, Value)>, Vec<Diagnostic>> {
    let (flat, each) = elements(array, given)?;
    let mut values = Vec::new();
    let mut errors = Vec::new();
    for (number, (value, span)) in flat.into_iter().enumerate() {
        let known = &model.world.values[array.first];
        let names: Vec<String> = known.iter().map(Term::to_string).collect();
        let Given::One(scalar) = value else {
            let message = format!("invalid type for `{}`: expected a value, found {}", array.name, kind(value));
            errors.push(Diagnostic::at(span, message).help(expected_names(names.iter().map(String::as_str).take(50))));
            continue;
        };
        let term = term(scalar);
        match known.iter().position(|known| *known == term) {
            None => {
                let help = unknown_name(&term.to_string(), names.iter().map(String::as_str).take(50));
                errors.push(Diagnostic::at(span, format!("invalid value `{term}` for `{}`", array.name)).help(help));
            }
            Some(value) => {
                let first = array.first + number * each;
                values.extend((first..first + each).map(|var| (var, value as Value)));
            }
        }
    }
    if errors.is_empty() { Ok(values) } else { Err(errors) }
}
