//! Rules: drawings, parameters, conditions, assignments, costs, and the names of moves.

use super::drawing::{Changes, Drawing, Place};
use super::expression::{Evaluator, Expression, Many, Matched, Parameters};
use super::obstacle::Obstacle;
use super::parser::{Names, Target};
use super::value::{Value, only, value_list};
use super::world::World;
use super::{Read, as_list, expression};
use crate::domain::Trace;
use toml::{Table, Value as Toml};

/// The largest cost of a move.
const MOST_COST: i64 = 10_000;

/// A rule, with all bindings of its parameters.
#[derive(Debug)]
pub(super) struct Rule {
    name: Vec<NamePart>,
    pub drawing: Option<Drawing>,
    /// The bindings of the parameters; the last parameter changes fastest.
    pub bindings: Vec<Binding>,
    /// All conditions must hold.
    when: Vec<Expression>,
    then: Vec<Assignment>,
    cost: Expression,
}

/// A binding of the parameters of a rule.
#[derive(Debug)]
pub(super) struct Binding {
    pub values: Vec<Value>,
    /// True if a condition that reads no variable fails: then the rule never applies with this binding.
    pub never_applies: bool,
    /// The indices of the conditions that read variables, or are false.
    open_conditions: Vec<usize>,
}

/// A part of the name of a rule's moves.
#[derive(Debug)]
enum NamePart {
    Text(String),
    /// The value of the parameter with this index.
    Parameter(usize),
    /// The symbol that this letter matched.
    Letter(char),
    /// The place on the grid of the drawing's cell at this row and column.
    Place(usize, usize),
    Direction,
}

/// An assignment to a variable, or to one for each combination of the names bound in the target.
#[derive(Debug)]
struct Assignment {
    target: Target,
    collections: Vec<Many>,
    value: Expression,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn read(name: &str, keys: &Table, world: &World, start: &[u32]) -> Read<Rule> {
        let family = match keys.get("for") {
            None => Vec::new(),
            Some(Toml::Table(family)) => family.iter().collect(),
            Some(_) => return Err("`for` is no table".to_owned()),
        };
        let (parameters, lists): (Vec<String>, Vec<&Toml>) =
            family.into_iter().map(|(name, list)| (name.clone(), list)).unzip();
        let mut bindings: Vec<Vec<Value>> = vec![Vec::new()];
        for list in lists {
            let values = value_list(list)?;
            let longer = |binding: Vec<Value>| {
                values.iter().map(move |value| [&binding[..], std::slice::from_ref(value)].concat())
            };
            bindings = bindings.into_iter().flat_map(longer).collect();
        }
        let drawing = Drawing::read(keys, world)?;
        let letters = drawing.iter().flat_map(Drawing::letters).collect();
        let mut names = Names::with(world, &parameters, letters);
        let when = keys.get("when").map_or(&[][..], as_list);
        let when = when.iter().map(|when| expression(when, &mut names)).collect::<Read<Vec<_>>>()?;
        let cost =
            keys.get("cost").map_or(Ok(Expression::Value(Value::Number(1))), |cost| expression(cost, &mut names))?;
        let then = match keys.get("then") {
            None => Vec::new(),
            Some(Toml::Table(then)) => then
                .iter()
                .map(|(target, value)| {
                    let mut names = names.clone();
                    let (target, collections) = names.target(target).map_err(|why| format!("`{target}`: {why}"))?;
                    Ok(Assignment { target, collections, value: expression(value, &mut names)? })
                })
                .collect::<Read<_>>()?,
            Some(_) => return Err("`then` is no table".to_owned()),
        };
        let name = name_parts(name, drawing.as_ref(), &parameters)?;
        let mut rule = Rule { name, drawing, bindings: Vec::new(), when, then, cost };
        let start = Trace::untraced(start.to_vec());
        let binding = |values: Vec<Value>| {
            let (mut never_applies, mut open_conditions) = (false, Vec::new());
            for (number, when) in rule.when.iter().enumerate() {
                let evaluator = Evaluator::new(world, &start);
                let holds = evaluator.truth(when, &mut values.clone()) == Some(true);
                never_applies |= !holds && !evaluator.read_variable.get();
                if !holds || evaluator.read_variable.get() {
                    open_conditions.push(number);
                }
            }
            Binding { values, never_applies, open_conditions }
        };
        rule.bindings = bindings.into_iter().map(binding).collect();
        Ok(rule)
    }

    /// Returns the letters of sets with the symbols that they match at a place.
    pub fn matched(&self, place: Option<Place>, world: &World, position: &Trace) -> Vec<Matched> {
        let drawn = self.drawing.as_ref().zip(place);
        drawn.map_or(Vec::new(), |(drawing, place)| drawing.all_matched(place, position, world))
    }

    /// Evaluates the rule apart from its drawing, whose letters matched these symbols: the assignments and the cost.
    ///
    /// # Errors
    /// Why it does not apply.
    pub fn effect(
        &self,
        binding: &Binding,
        matched: &[Matched],
        world: &World,
        position: &Trace,
    ) -> Result<(Changes, u64), Obstacle> {
        let evaluator = Evaluator::with(world, position, matched);
        let mut parameters = binding.values.clone();
        for &number in &binding.open_conditions {
            if evaluator.truth(&self.when[number], &mut parameters) != Some(true) {
                return Err(Obstacle::When(number, self.when.len()));
            }
        }
        let mut changes = Vec::new();
        for assignment in &self.then {
            assignment.assign(&assignment.collections, &evaluator, world, &mut parameters, &mut changes)?;
        }
        let cost = evaluator.number(&self.cost, &mut parameters).filter(|cost| (0..=MOST_COST).contains(cost));
        Ok((changes, cost.ok_or(Obstacle::Cost)? as u64))
    }

    /// Returns the name of the move, legal or not.
    pub fn written(&self, binding: &Binding, place: Option<Place>, world: &World, position: &Trace) -> String {
        let mut text = String::new();
        let drawn = self.drawing.as_ref().zip(place);
        let matched = self.matched(place, world, position);
        for part in &self.name {
            match (part, drawn) {
                (NamePart::Text(part), _) => text += part,
                (NamePart::Parameter(number), _) => text += &binding.values[*number].to_string(),
                (NamePart::Letter(letter), Some(_)) => {
                    let symbol = matched.iter().find(|(known, _)| known == letter).and_then(|(_, symbol)| *symbol);
                    text += &symbol.map_or("?".to_owned(), |symbol| world.value(symbol).to_string());
                }
                (NamePart::Place(row, column), Some((drawing, place))) => {
                    if let Some((row, column)) = drawing.place_of((*row, *column), place, world) {
                        text += &format!("{row},{column}");
                    }
                }
                (NamePart::Direction, Some((drawing, place))) => text += drawing.images[place.image].direction,
                (NamePart::Letter(_) | NamePart::Place(..) | NamePart::Direction, None) => {}
            }
        }
        text
    }
}

impl Assignment {
    /// Adds the changes for each combination of the names that are not bound yet.
    fn assign(
        &self,
        collections: &[Many],
        evaluator: &Evaluator,
        world: &World,
        parameters: &mut Parameters,
        changes: &mut Changes,
    ) -> Result<(), Obstacle> {
        if let [collection, inner @ ..] = collections {
            for value in evaluator.many(collection, parameters).ok_or(Obstacle::Undefined)? {
                parameters.push(value);
                let assigned = self.assign(inner, evaluator, world, parameters, changes);
                parameters.pop();
                assigned?;
            }
            return Ok(());
        }
        let variable = match &self.target {
            Target::Variable(variable) => Some(*variable),
            Target::Element(array, indices) => evaluator.element(*array, indices, parameters),
            Target::Parameter(number) => evaluator.named(&parameters[*number]),
        };
        let variable = variable.ok_or(Obstacle::Undefined)?;
        let value = evaluator.value(&self.value, parameters).ok_or(Obstacle::Undefined)?;
        let Some(number) = world.allowed(variable, &value) else {
            return Err(Obstacle::NoValue { name: world.name(variable), value: value.to_string() });
        };
        if changes.iter().any(|(other, _)| *other == variable) {
            return Err(Obstacle::AssignedTwice { name: world.name(variable) });
        }
        changes.push((variable, number));
        Ok(())
    }
}

/// Reads the name of a rule's moves: text with names in braces.
fn name_parts(written: &str, drawing: Option<&Drawing>, parameters: &[String]) -> Read<Vec<NamePart>> {
    let mut name_parts = Vec::new();
    let mut has_place = false;
    let mut rest = written;
    while let Some((text, behind)) = rest.split_once('{') {
        let (inner, behind) = behind.split_once('}').ok_or("a brace in its name is not closed")?;
        name_parts.push(NamePart::Text(text.to_owned()));
        let inner = inner.trim();
        let place = inner
            .split_once(',')
            .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)));
        let letter = drawing.and_then(|drawing| drawing.letters().find(|letter| only(inner) == Some(*letter)));
        let part = match (parameters.iter().position(|name| name == inner), letter, drawing) {
            (Some(parameter), ..) => NamePart::Parameter(parameter),
            (None, Some(letter), _) => NamePart::Letter(letter),
            (None, None, Some(drawing)) => {
                has_place = true;
                match (inner, place.filter(|place| drawing.has(*place))) {
                    ("at", _) => NamePart::Place(drawing.at.0, drawing.at.1),
                    ("direction", _) => NamePart::Direction,
                    (_, Some((row, column))) => NamePart::Place(row, column),
                    _ => return Err(format!("its name has `{{{inner}}}`, and there is no such thing")),
                }
            }
            _ => return Err(format!("its name has `{{{inner}}}`, and there is no such thing")),
        };
        name_parts.push(part);
        rest = behind;
    }
    name_parts.push(NamePart::Text(rest.to_owned()));
    if let Some(drawing) = drawing.filter(|_| !has_place) {
        name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::Place(drawing.at.0, drawing.at.1)]);
        if drawing.images.len() > 1 {
            name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::Direction]);
        }
    }
    Ok(name_parts)
}
