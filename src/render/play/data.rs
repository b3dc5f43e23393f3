//! The rules and figures of a level as the page's script reads them.
//!
//! Lists of numbers are texts with a character for each number, so that data of thousands of operators stay small.
//! Equal sets of values, names and operators are written once; operators that differ only in their place on the board
//! share a template, whose variables count from the first.

mod rewriting;

pub(super) use rewriting::PROGRAM;

use super::figures::Figures;
use crate::domain::mechanics::{
    BlockUnit, Blocks, Condition, Disjunction, Mechanics, Moves, NamePart, Operator, Operators, Source, Target,
};
use crate::render::html::base64;
use crate::render::looks::Placed;
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::hash::Hash;

/// The characters of small numbers: of ASCII, without those that JSON and HTML escape, and without `=`, which begins
/// the bits of a set. Greater numbers are the characters from U+00A1 on.
const DIGITS: &str = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ!#$%()*+,-./:;?@[]^_{|}~";

/// The first of the surrogates, which are no characters.
const SURROGATES: u32 = 0xd800;

/// A number is too large for a character.
#[derive(Debug)]
pub(super) struct TooLarge;

/// The result of writing.
type Written<T> = Result<T, TooLarge>;

/// Writes numbers as text.
fn numbers(all: impl IntoIterator<Item = usize>) -> Written<String> {
    let character = |number: usize| {
        let digit = DIGITS.as_bytes().get(number).map(|&digit| char::from(digit));
        let above =
            || char::from_u32(u32::try_from(0xa1 + number - DIGITS.len()).ok()?).filter(|c| u32::from(*c) < SURROGATES);
        digit.or_else(above).ok_or(TooLarge)
    };
    all.into_iter().map(character).collect()
}

/// Writes ascending values as text: their numbers or, if that is shorter, their bits.
pub(super) fn set(values: &[u32]) -> Written<String> {
    let last = values.last().map_or(0, |&last| last as usize + 1);
    let listed = numbers(values.iter().map(|&value| value as usize));
    let bits = last.div_ceil(24) * 4 + 1;
    match listed {
        Ok(listed) if listed.len() <= bits => return Ok(listed),
        _ if last > 1 << 24 => return Err(TooLarge),
        _ => {}
    }
    let mut bytes = vec![0_u8; last.div_ceil(8)];
    values.iter().for_each(|&value| bytes[value as usize / 8] |= 1 << (value % 8));
    Ok(format!("={}", base64(&bytes)))
}

/// A list without duplicates.
pub(super) struct Table<T> {
    pub all: Vec<T>,
    numbers: HashMap<T, usize>,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { all: Vec::new(), numbers: HashMap::new() }
    }
}

impl<T: Clone + Eq + Hash> Table<T> {
    /// Returns the number of an element, which is added unless it is known.
    pub fn number(&mut self, of: T) -> usize {
        let next = self.all.len();
        let number = *self.numbers.entry(of.clone()).or_insert(next);
        if number == next {
            self.all.push(of);
        }
        number
    }
}

/// A writer, with the sets so far.
#[derive(Default)]
struct Writer {
    sets: Table<Vec<u32>>,
}

/// Returns the fields of a level that hold its rules.
pub(super) fn rules(mechanics: &Mechanics) -> Written<Map<String, Value>> {
    let mut writer = Writer::default();
    let goals: Vec<Value> = mechanics.goals.iter().map(|goal| writer.goal(goal)).collect();
    let (form, moves) = match &mechanics.moves {
        Moves::Operators(operators) => ("operators", writer.operators(operators)?),
        Moves::Blocks(blocks) => ("blocks", writer.blocks(blocks)),
        Moves::Rewriting(game) => ("rewriting", rewriting::level(game)?),
        Moves::Machine(machine) => ("machine", json!({ "machine": machine })),
        Moves::Graph(nodes) => {
            let mut names = Table::default();
            let mut edges = Vec::new();
            for node in nodes {
                let edge = |(name, to, cost): &(String, u32, f64)| {
                    [names.number((name.clone(), cost.to_bits())), *to as usize]
                };
                edges.push(numbers(node.edges.iter().flat_map(edge).collect::<Vec<_>>())?);
            }
            let costs: Vec<f64> = names.all.iter().map(|(_, cost)| f64::from_bits(*cost)).collect();
            let costs = costs.iter().any(|&cost| cost != 1.0).then_some(costs);
            let names: Vec<&String> = names.all.iter().map(|(name, _)| name).collect();
            ("graph", json!({ "names": names, "costs": costs, "edges": edges }))
        }
    };
    let mut fields = match moves {
        Value::Object(fields) => fields,
        _ => Map::new(),
    };
    let largest = mechanics.domains.iter().filter_map(|domain| domain.last()).max();
    fields.insert("form".to_owned(), form.into());
    fields.insert("start".to_owned(), json!(mechanics.start));
    fields.insert("largest".to_owned(), json!(largest.copied().unwrap_or(0)));
    fields.insert("goals".to_owned(), goals.into());
    fields.insert("sets".to_owned(), json!(writer.sets.all.iter().map(|one| set(one)).collect::<Written<Vec<_>>>()?));
    Ok(fields)
}

/// Returns whether every move costs 1.
pub(super) fn is_unit(mechanics: &Mechanics) -> bool {
    match &mechanics.moves {
        Moves::Operators(operators) => operators.operators.iter().all(|operator| operator.cost == 1.0),
        Moves::Blocks(_) => true,
        Moves::Rewriting(_) => true,
        Moves::Machine(machine) => machine["unit"] == true,
        Moves::Graph(nodes) => nodes.iter().flat_map(|node| &node.edges).all(|(_, _, cost)| *cost == 1.0),
    }
}

impl Writer {
    /// Writes facts as pairs of a variable, counted from `base`, and a set.
    fn facts(&mut self, facts: &[Condition], base: usize) -> Vec<usize> {
        facts.iter().flat_map(|(var, values)| [var - base, self.sets.number(values.clone())]).collect()
    }

    fn disjunctions(&mut self, all: &[Disjunction], base: usize) -> Vec<Vec<Vec<usize>>> {
        all.iter().map(|any| any.iter().map(|one| self.facts(one, base)).collect()).collect()
    }

    fn goal(&mut self, goal: &Target) -> Value {
        let counts: Vec<Value> =
            goal.counts.iter().map(|(of, least, most)| json!([self.facts(of, 0), least, most])).collect();
        json!([self.facts(&goal.conditions, 0), self.disjunctions(&goal.disjunctions, 0), counts])
    }

    fn operators(&mut self, all: &Operators) -> Written<Value> {
        let (mut templates, mut names, mut values) = (Table::default(), Table::default(), Table::default());
        let mut placed = Vec::new();
        for operator in &all.operators {
            let base = first_variable(operator);
            let template = self.template(operator, base).to_string();
            placed.extend([templates.number(template), base, names.number(name(operator, base).to_string())]);
        }
        let is_named = |operator: &Operator| operator.name.iter().any(|part| matches!(part, NamePart::Value(_)));
        let values_of: Vec<usize> = match all.operators.iter().any(is_named) {
            true => all.value_names.iter().map(|names| values.number(names.clone())).collect(),
            false => Vec::new(),
        };
        let counters: Vec<Vec<usize>> = all.counters.iter().map(|facts| self.facts(facts, 0)).collect();
        let never: Vec<Value> = all.never.iter().map(|(facts, bounds)| json!([self.facts(facts, 0), bounds])).collect();
        let parsed = |all: Vec<String>| -> Vec<Value> {
            all.iter().map(|one| serde_json::from_str(one).unwrap_or_default()).collect()
        };
        Ok(json!({
            "templates": parsed(templates.all),
            "names": parsed(names.all),
            "ops": numbers(placed)?,
            "counters": counters,
            "never": never,
            "values": values.all,
            "valuesOf": values_of,
        }))
    }

    /// Writes an operator whose variables count from `base`: conditions, effects, cost, disjunctions and bounds,
    /// without what the script assumes at the end.
    fn template(&mut self, operator: &Operator, base: usize) -> Value {
        let effects = operator.effects.iter().map(|(target, source)| effect(target - base, source, base));
        let effects: Vec<Value> = effects.collect();
        let facts = self.facts(&operator.conditions, base);
        let any = self.disjunctions(&operator.disjunctions, base);
        match (operator.cost == 1.0, any.is_empty() && operator.counts.is_empty()) {
            (true, true) => json!([facts, effects]),
            (false, true) => json!([facts, effects, operator.cost]),
            _ => json!([facts, effects, operator.cost, any, operator.counts]),
        }
    }

    fn blocks(&mut self, Blocks { blocks, unit }: &Blocks) -> Value {
        let mut all = Vec::new();
        for block in blocks {
            let step = |step: &crate::domain::mechanics::BlockStep| {
                json!([step.letter.to_string(), step.by, self.sets.number(step.from.clone())])
            };
            let steps: Vec<Value> = block.steps.iter().map(step).collect();
            all.push(json!([block.name, block.cells, block.class, steps]));
        }
        let unit = match unit {
            BlockUnit::Step => "step",
            BlockUnit::Line => "line",
            BlockUnit::Path => "path",
        };
        json!({ "blocks": all, "metric": unit })
    }
}

/// Returns the first variable of an operator.
fn first_variable(operator: &Operator) -> usize {
    let conditions = operator.conditions.iter().chain(operator.disjunctions.iter().flatten().flatten());
    let sources = operator.effects.iter().filter_map(|(_, source)| match source {
        Source::Copy(var) | Source::Table(var, _) => Some(*var),
        Source::Constant(_) | Source::Shift(_) => None,
    });
    let named = operator.name.iter().filter_map(|part| match part {
        NamePart::Value(var) => Some(*var),
        NamePart::Text(_) => None,
    });
    let targets = operator.effects.iter().map(|(target, _)| *target);
    conditions.map(|(var, _)| *var).chain(targets).chain(sources).chain(named).min().unwrap_or(0)
}

/// Writes the name of an operator's move: a text, or a list of texts and variables.
fn name(operator: &Operator, base: usize) -> Value {
    let is_text = |part: &NamePart| matches!(part, NamePart::Text(_));
    let part = |part: &NamePart| match part {
        NamePart::Text(text) => json!(text),
        NamePart::Value(var) => json!(var - base),
    };
    let text = |part: &NamePart| match part {
        NamePart::Text(text) => text.clone(),
        NamePart::Value(_) => String::new(),
    };
    match operator.name.iter().all(is_text) {
        true => operator.name.iter().map(text).collect::<String>().into(),
        false => operator.name.iter().map(part).collect::<Vec<_>>().into(),
    }
}

/// Returns the fields of a level that hold its figures, on a board of so many columns.
pub(super) fn figures(figures: &Figures, mechanics: &Mechanics, columns: usize) -> Written<Map<String, Value>> {
    let cell = |(row, column): (usize, usize)| row * columns + column;
    let written = |all: &[Placed]| numbers(all.iter().flat_map(|&(look, at)| [look, cell(at)]));
    let mut styles = Table::default();
    let mut of = Vec::new();
    for (own, domain) in figures.of.iter().zip(&mechanics.domains) {
        let ones = || own.iter().flatten();
        let first = ones().next().copied();
        let is_place = own.iter().zip(domain).all(|(all, &value)| {
            matches!((&all[..], first), (&[(look, at)], Some((other, _))) if look == other && cell(at) == value as usize)
        });
        if let (true, Some((look, _))) = (is_place, first) {
            of.push(json!(look));
            continue;
        }
        let largest = domain.last().map_or(0, |&last| last as usize + 1);
        if own.iter().all(|all| all.len() <= 1) && ones().all(|&(_, at)| Some(at) == first.map(|(_, at)| at)) {
            let mut style = vec![0; if first.is_some() { largest } else { 0 }];
            for (all, &value) in own.iter().zip(domain) {
                all.iter().for_each(|(look, _)| style[value as usize] = look + 1);
            }
            of.push(json!([first.map_or(0, |(_, at)| cell(at)), styles.number(numbers(style)?)]));
            continue;
        }
        let mut by_value = vec![String::new(); largest];
        for (all, &value) in own.iter().zip(domain) {
            by_value[value as usize] = written(all)?;
        }
        of.push(json!([by_value]));
    }
    let term = |(when, by): &(Vec<(usize, u32)>, (i64, i64))| {
        let facts: Vec<usize> = when.iter().flat_map(|&(var, value)| [var, value as usize]).collect();
        json!([facts, by.0 * columns as i64 + by.1])
    };
    let loose: Vec<Value> = figures
        .loose
        .iter()
        .map(|loose| json!([loose.look, cell(loose.at), loose.terms.iter().map(term).collect::<Vec<_>>()]))
        .collect();
    let mut value = json!({ "fixed": written(&figures.fixed)?, "figures": of, "styles": styles.all, "loose": loose });
    if let Moves::Rewriting(_) = mechanics.moves {
        let look = |look: &Option<usize>| look.map_or(0, |look| look + 1);
        value["objects"] = numbers(figures.objects.iter().map(look))?.into();
    }
    match value {
        Value::Object(fields) => Ok(fields),
        _ => Ok(Map::new()),
    }
}

/// Writes the effect on a variable, whose number and those that it copies count from `base`.
fn effect(target: usize, source: &Source, base: usize) -> Value {
    match source {
        Source::Constant(value) => json!([target, 0, value]),
        Source::Copy(var) => json!([target, 1, var - base]),
        Source::Shift(by) => json!([target, 2, by]),
        Source::Table(var, pairs) => {
            let mut table = vec![0; pairs.iter().map(|(old, _)| *old as usize + 1).max().unwrap_or(0)];
            pairs.iter().for_each(|&(old, new)| table[old as usize] = new);
            json!([target, 3, var - base, table])
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_reads_the_same_digits() {
        assert!(super::super::SCRIPT.contains(&format!("\"{DIGITS}\"")));
        assert!(!DIGITS.contains(['"', '\\', '<', '>', '&', '=', '\'']));
    }

    #[test]
    fn a_number_is_a_character_unless_it_is_too_large() {
        let base = DIGITS.len();
        assert_eq!(numbers([0, 10, base - 1, base, base + 0xff]).ok().as_deref(), Some("0a~\u{a1}\u{1a0}"));
        assert!(numbers([60_000]).is_err());
    }

    #[test]
    fn a_set_is_its_values_or_its_bits() {
        assert_eq!(set(&[1, 3]).ok().as_deref(), Some("13"));
        let all: Vec<u32> = (0..48).collect();
        assert_eq!(set(&all).ok().as_deref(), Some("=////////"));
    }
}
