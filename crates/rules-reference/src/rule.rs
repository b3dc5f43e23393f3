//! Rules: drawings, parameters, conditions, assignments, costs, and the names of moves.

use super::drawing::{Changes, Choice, Drawing, Place};
use super::expression::{Evaluator, Expression, Many, Matched, Parameters};
use super::obstacle::Obstacle;
use super::parser::{Names, Target};
use super::value::{Value, only, value_list};
use super::world::World;
use super::{Read, as_list, expression};
use engine_domain::domain::Trace;
use toml::{Table, Value as Toml};

/// The largest cost of a move.
const MOST_COST: i64 = 10_000;

/// A rule, with all bindings of its parameters.
#[derive(Debug)]
pub(super) struct Rule {
    name: Vec<NamePart>,
    /// Its drawings, one for each choice of the parameters in them; empty if it has none.
    pub drawings: Vec<Drawing>,
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
    /// The index of its drawing.
    pub drawing: usize,
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
    /// The place of the further drawing with this index.
    PlaceOf(usize),
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
        let mut parameters = Vec::new();
        let mut lists = Vec::new();
        for (name, list) in family {
            parameters.push(name.clone());
            lists.push(value_list(list)?);
        }
        let mark = match keys.get("run") {
            None => None,
            Some(mark) => Some(mark.as_str().and_then(only).ok_or("`run` is no character")?),
        };
        if let Some(mark) = mark {
            // The number of cells of the run is the last parameter.
            let main = keys.get("from").or_else(|| keys.get("to")).and_then(|all| as_list(all).first());
            let main = main.and_then(Toml::as_str).unwrap_or_default();
            let others = main.chars().filter(|c| *c != mark && !c.is_whitespace()).count().saturating_sub(1);
            let longest = world.rows.max(world.columns).saturating_sub(others).max(1);
            parameters.push("run".to_owned());
            lists.push((1..=longest as i64).map(Value::Number).collect());
        }
        let mut bindings: Vec<Vec<Value>> = vec![Vec::new()];
        for values in &lists {
            let longer = |binding: Vec<Value>| {
                values.iter().map(move |value| [&binding[..], std::slice::from_ref(value)].concat())
            };
            bindings = bindings.into_iter().flat_map(longer).collect();
        }
        // The part of each binding that its drawing depends on.
        let choice = |values: &[Value]| {
            let written = ["from", "to"].into_iter().filter_map(|key| keys.get(key)).flat_map(as_list);
            let written: Vec<&str> = written.filter_map(Toml::as_str).collect();
            let is_written = |name: char| written.iter().any(|text| text.contains(name));
            let names = parameters.iter().zip(values).filter_map(|(name, value)| Some((only(name)?, value.clone())));
            let run = match values.last() {
                Some(Value::Number(length)) => mark.map(|mark| (mark, *length as usize)),
                _ => None,
            };
            Choice { parameters: names.filter(|(name, _)| is_written(*name)).collect(), run }
        };
        let mut choices: Vec<Choice> = Vec::new();
        let mut drawings: Vec<Drawing> = Vec::new();
        let mut drawing_of = Vec::new();
        for values in &bindings {
            let choice = choice(values);
            let known = choices.iter().position(|known| *known == choice);
            drawing_of.push(known.unwrap_or(choices.len()));
            if known.is_none() {
                drawings.extend(Drawing::read(keys, &choice, world)?);
                choices.push(choice);
            }
        }
        let drawing = drawings.first();
        let letters = drawing.into_iter().flat_map(Drawing::letters).collect();
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
        let name = name_parts(name, drawing, &parameters)?;
        let mut rule = Rule { name, drawings, bindings: Vec::new(), when, then, cost };
        let start = Trace::untraced(start.to_vec());
        let binding = |(values, drawing): (Vec<Value>, usize)| {
            let (mut never_applies, mut open_conditions) = (false, Vec::new());
            for (number, when) in rule.when.iter().enumerate() {
                let evaluator = Evaluator::new(world, &start);
                let holds = evaluator.truth(when, &mut values.clone()) == Some(true);
                never_applies |= !holds && !evaluator.read_variable.get();
                if !holds || evaluator.read_variable.get() {
                    open_conditions.push(number);
                }
            }
            Binding { values, drawing, never_applies, open_conditions }
        };
        rule.bindings = bindings.into_iter().zip(drawing_of).map(binding).collect();
        Ok(rule)
    }

    /// Returns the drawing with a binding of the parameters.
    pub fn drawing(&self, binding: &Binding) -> Option<&Drawing> {
        self.drawings.get(binding.drawing)
    }

    /// Returns the letters of sets with the symbols that they match at a place.
    pub fn matched(&self, binding: &Binding, place: Option<Place>, world: &World, position: &Trace) -> Vec<Matched> {
        let drawn = self.drawing(binding).zip(place);
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
        let drawn = self.drawing(binding).zip(place);
        let matched = self.matched(binding, place, world, position);
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
                (NamePart::PlaceOf(number), Some((drawing, place))) => {
                    let (row, column) = drawing.place_of_further(*number, place, world);
                    text += &format!("{row},{column}");
                }
                (NamePart::Direction, Some((drawing, place))) => text += drawing.images[place.image].direction,
                (NamePart::Letter(_) | NamePart::Place(..) | NamePart::PlaceOf(_) | NamePart::Direction, None) => {}
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
        let (inner, behind) = behind.split_once('}').ok_or("unclosed brace in its name")?;
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
                    ("at2", _) if drawing.further() > 0 => NamePart::PlaceOf(0),
                    ("at3", _) if drawing.further() > 1 => NamePart::PlaceOf(1),
                    ("at4", _) if drawing.further() > 2 => NamePart::PlaceOf(2),
                    (_, Some((row, column))) => NamePart::Place(row, column),
                    _ => return Err(format!("unknown name `{inner}` in braces in its name")),
                }
            }
            _ => return Err(format!("unknown name `{inner}` in braces in its name")),
        };
        name_parts.push(part);
        rest = behind;
    }
    name_parts.push(NamePart::Text(rest.to_owned()));
    if let Some(drawing) = drawing.filter(|_| !has_place) {
        name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::Place(drawing.at.0, drawing.at.1)]);
        for number in 0..drawing.further() {
            name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::PlaceOf(number)]);
        }
        if drawing.images.len() > 1 {
            name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::Direction]);
        }
    }
    Ok(name_parts)
}
