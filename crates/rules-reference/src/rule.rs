//! Rules: drawings, parameters, conditions, assignments, costs, and the names of moves.

use super::body::{Moving, Shift};
use super::drawing::{Changes, Choice, Drawing, Form, Place, apply_changes, is_set};
use super::expression::{Evaluator, Expression, Here, Many, Matched, Parameters, PileName};
use super::obstacle::Obstacle;
use super::parser::{Names, Target};
use super::value::{Value, only, value_list};
use super::world::World;
use super::{Read, as_list, expression};
use engine_domain::domain::Trace;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashSet};
use toml::{Table, Value as Toml};

/// The largest cost of a move.
const MOST_COST: i64 = 10_000;

/// The most steps of a move: consequences, and passes that repeat.
const MOST_STEPS: u32 = 100_000;

/// The steps of a move so far.
#[derive(Debug, Default)]
pub(super) struct Steps(u32);

impl Steps {
    /// Counts one more.
    ///
    /// # Errors
    /// There are too many.
    pub fn count(&mut self) -> Result<(), Obstacle> {
        self.0 += 1;
        if self.0 > MOST_STEPS { Err(Obstacle::GivenUp) } else { Ok(()) }
    }
}

/// A rule, with all bindings of its parameters.
#[derive(Debug)]
pub(super) struct Rule {
    name: Vec<NamePart>,
    /// Its drawings, one for each choice of the parameters in them; empty if it has none.
    pub drawings: Vec<Drawing>,
    /// The bindings of the parameters; the last parameter changes fastest.
    pub bindings: Vec<Binding>,
    /// All conditions must hold.
    when: Vec<Condition>,
    then: Vec<Assignment>,
    cost: Expression,
    /// True if some expression depends on its place.
    reads_place: bool,
    /// True if it applies everywhere at once, in passes.
    pub all: bool,
    /// True if its passes repeat.
    repeats: bool,
    /// True if it applies only in the image of the move.
    pub in_image_of_move: bool,
    shift: Option<Shift>,
    carry: Option<Carry>,
}

/// A condition of a rule.
#[derive(Debug)]
struct Condition {
    of: Expression,
    /// True if it depends on what a letter matched, or on the place.
    reads_match: bool,
}

/// The move of items from pile to pile.
#[derive(Debug)]
struct Carry {
    from: PileName,
    to: PileName,
    count: Expression,
    turned: bool,
}

/// What a rule does apart from its drawing.
#[derive(Debug)]
pub(super) struct Effect {
    assigned: Changes,
    pub cost: u64,
    /// The piles that change, with their new items.
    piles: Vec<(usize, Vec<u32>)>,
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
    pub fn read(name: &str, keys: &Table, is_named: bool, world: &World, start: &[u32]) -> Read<Rule> {
        let (all, in_image_of_move) = (is_set(keys, "all")?, keys.get("turns").is_some_and(Toml::is_str));
        let family = match keys.get("for") {
            None => Vec::new(),
            Some(Toml::Table(family)) => family.iter().collect(),
            Some(_) => return Err("`for` is no table".to_owned()),
        };
        let mut parameters = Vec::new();
        let mut lists = Vec::new();
        for (name, list) in family {
            parameters.push(name.clone());
            lists.push(choices(value_list(list)?, world));
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
                drawings.extend(Drawing::read(keys, &choice, all || !is_named, world)?);
                choices.push(choice);
            }
        }
        let drawing = drawings.first();
        let letters = drawing.into_iter().flat_map(Drawing::letters).collect();
        let mut names = Names::with(world, &parameters, letters);
        let when = keys.get("when").map_or(&[][..], as_list);
        let mut reads_place = false;
        let mut condition = |when: &Toml| {
            (names.reads_letter, names.reads_place) = (false, false);
            let of = expression(when, &mut names)?;
            reads_place |= names.reads_place;
            Ok(Condition { of, reads_match: names.reads_letter || names.reads_place })
        };
        let when = when.iter().map(&mut condition).collect::<Read<Vec<_>>>()?;
        names.reads_place = reads_place;
        let cost =
            keys.get("cost").map_or(Ok(Expression::Value(Value::Number(1))), |cost| expression(cost, &mut names))?;
        let carry = keys.get("carry").map(|carry| Carry::read(carry, &mut names)).transpose();
        let carry = carry.map_err(|why| format!("`carry`: {why}"))?;
        let mut reads_place = names.reads_place;
        let then = match keys.get("then") {
            None => Vec::new(),
            Some(Toml::Table(then)) => then
                .iter()
                .map(|(target, value)| {
                    let mut names = names.clone();
                    let (target, collections) = names.target(target).map_err(|why| format!("`{target}`: {why}"))?;
                    let value = expression(value, &mut names)?;
                    reads_place |= names.reads_place;
                    Ok(Assignment { target, collections, value })
                })
                .collect::<Read<_>>()?,
            Some(_) => return Err("`then` is no table".to_owned()),
        };
        let name = name_parts(name, drawing, &parameters, all)?;
        let (shift, repeats) = (Shift::read(keys, world)?, is_set(keys, "repeat")?);
        let mut rule = Rule {
            name,
            drawings,
            bindings: Vec::new(),
            when,
            then,
            cost,
            reads_place,
            all,
            repeats,
            in_image_of_move,
            shift,
            carry,
        };
        let start = Trace::untraced(start.to_vec());
        let binding = |(values, drawing): (Vec<Value>, usize)| {
            let (mut never_applies, mut open_conditions) = (false, Vec::new());
            for (number, when) in rule.when.iter().enumerate() {
                let evaluator = Evaluator::new(world, &start);
                let holds = evaluator.truth(&when.of, &mut values.clone()) == Some(true);
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

    /// Returns whether it moves bodies, or items of piles.
    pub fn moves_bodies_or_items(&self) -> bool {
        self.shift.is_some() || self.carry.is_some()
    }

    /// Returns the place of the rule, if some expression depends on it.
    pub fn here(&self, binding: &Binding, place: Option<Place>) -> Option<Here> {
        let (drawing, place) = self.drawing(binding).zip(place).filter(|_| self.reads_place)?;
        Some(Here { cell: place.cell, forward: drawing.images[place.image].forward })
    }

    /// Returns the form of the image at a place.
    pub fn form(&self, binding: &Binding, place: Option<Place>) -> Option<Form> {
        self.drawing(binding).zip(place).map(|(drawing, place)| drawing.images[place.image].form)
    }

    /// Tests the conditions for which `is_meant`.
    ///
    /// # Errors
    /// One does not hold.
    fn test(
        &self,
        binding: &Binding,
        evaluator: &Evaluator,
        is_meant: impl Fn(&Condition) -> bool,
    ) -> Result<(), Obstacle> {
        for &number in binding.open_conditions.iter().filter(|number| is_meant(&self.when[**number])) {
            if evaluator.truth(&self.when[number].of, &mut binding.values.clone()) != Some(true) {
                return Err(Obstacle::When(number, self.when.len()));
            }
        }
        Ok(())
    }

    /// Returns whether the conditions hold that depend on no match.
    pub fn is_open(&self, binding: &Binding, world: &World, position: &Trace) -> bool {
        let evaluator = Evaluator::new(world, position);
        !binding.never_applies && self.test(binding, &evaluator, |condition| !condition.reads_match).is_ok()
    }

    /// Evaluates the rule apart from its drawing, whose letters matched these symbols.
    ///
    /// # Errors
    /// Why it does not apply.
    pub fn effect(
        &self,
        binding: &Binding,
        matched: &[Matched],
        here: Option<Here>,
        world: &World,
        position: &Trace,
    ) -> Result<Effect, Obstacle> {
        let evaluator = Evaluator::with(world, position, matched, here);
        // In passes, the other conditions are tested at each match.
        self.test(binding, &evaluator, |condition| !self.all || !condition.reads_match)?;
        let mut parameters = binding.values.clone();
        let mut changes = Vec::new();
        for assignment in &self.then {
            assignment.assign(&assignment.collections, &evaluator, world, &mut parameters, &mut changes)?;
        }
        let cost = evaluator.number(&self.cost, &mut parameters).filter(|cost| (0..=MOST_COST).contains(cost));
        let cost = cost.ok_or(Obstacle::Cost)? as u64;
        let piles = match &self.carry {
            None => Vec::new(),
            Some(carry) => carry.carried(&evaluator, &mut parameters, world, position)?,
        };
        Ok(Effect { assigned: changes, cost, piles })
    }

    /// Returns the position after the rule, whose drawing makes these changes.
    ///
    /// # Errors
    /// Why it does not apply.
    pub fn outcome(
        &self,
        binding: &Binding,
        place: Option<Place>,
        drawn: &Changes,
        effect: &Effect,
        world: &World,
        position: &Trace,
    ) -> Result<Vec<u32>, Obstacle> {
        let mut changes = drawn.clone();
        if let Some(((shift, drawing), place)) = self.shift.as_ref().zip(self.drawing(binding)).zip(place) {
            let (cells, step) = (position.values(), drawing.images[place.image].forward);
            if !shift.is_named_by(place.cell, world, cells) {
                return Err(Obstacle::NamedElsewhere);
            }
            changes = shift.changes(&shift.moving(place.cell, step, world, cells)?, step, world, cells);
        }
        changed(changes, effect, world, position)
    }

    /// Returns the position after passes over the whole grid, in one image or in all, and the cost.
    ///
    /// # Errors
    /// Why the rule does not apply.
    pub fn pass(
        &self,
        binding: &Binding,
        form: Option<Form>,
        world: &World,
        position: &Trace,
        steps: &mut Steps,
    ) -> Result<(Vec<u32>, u64), Obstacle> {
        let effect = self.effect(binding, &[], None, world, position)?;
        let mut grid = position.clone();
        let mut given = BTreeMap::new();
        let mut seen = HashSet::from([grid.values().to_vec()]);
        loop {
            let changes = self.one_pass(binding, form, world, &grid)?;
            let before = grid.values().to_vec();
            given.extend(changes.iter().copied());
            apply_changes(changes, &mut grid);
            if grid.values() == before || !self.repeats {
                break;
            }
            steps.count()?;
            if !seen.insert(grid.values().to_vec()) {
                // Whether a rule applies at all comes first.
                changed(given.into_iter().collect(), &effect, world, position)?;
                return Err(Obstacle::Restless);
            }
        }
        let changes = given.into_iter().collect();
        Ok((changed(changes, &effect, world, position)?, effect.cost))
    }

    /// Returns the changes of one pass: all that match in this grid apply at once.
    fn one_pass(
        &self,
        binding: &Binding,
        form: Option<Form>,
        world: &World,
        grid: &Trace,
    ) -> Result<Changes, Obstacle> {
        let mut given = BTreeMap::new();
        let Some(drawing) = self.drawing(binding) else { return Ok(Changes::new()) };
        for (number, image) in drawing.images.iter().enumerate() {
            if form.is_some_and(|form| form != image.form) {
                continue;
            }
            let mut places: Vec<Place> = drawing.places.iter().copied().filter(|place| place.image == number).collect();
            let further = |place: &Place| {
                let (row, column) = ((place.cell / world.columns) as i64, (place.cell % world.columns) as i64);
                row * image.forward.0 + column * image.forward.1
            };
            // The foremost come first; places are sorted row by row already.
            places.sort_by_key(|place| Reverse(further(place)));
            let mut moving = Moving::new();
            for place in places {
                let Some(changes) = drawing.apply_once(place, grid) else { continue };
                let matched = self.matched(binding, Some(place), world, grid);
                let evaluator = Evaluator::with(world, grid, &matched, self.here(binding, Some(place)));
                if self.test(binding, &evaluator, |condition| condition.reads_match).is_err() {
                    continue;
                }
                if let Some(shift) = &self.shift {
                    if shift.is_named_by(place.cell, world, grid.values()) {
                        moving
                            .extend(shift.moving(place.cell, image.forward, world, grid.values()).unwrap_or_default());
                    }
                } else if changes.iter().all(|(cell, symbol)| given.get(cell).is_none_or(|other| other == symbol)) {
                    given.extend(changes);
                }
            }
            let shifted = self.shift.as_ref().map(|shift| shift.changes(&moving, image.forward, world, grid.values()));
            given.extend(shifted.into_iter().flatten());
        }
        Ok(given.into_iter().collect())
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

impl Carry {
    fn read(carry: &Toml, names: &mut Names) -> Read<Carry> {
        let keys = carry.as_table().ok_or("it is no table")?;
        let mut pile = |key: &str| {
            let name = keys.get(key).and_then(Toml::as_str).ok_or_else(|| format!("`{key}` is missing"))?;
            names.pile(name).map_err(|why| format!("`{key}`: {why}"))
        };
        let (from, to) = (pile("from")?, pile("to")?);
        let one = Toml::Integer(1);
        let count = expression(keys.get("count").unwrap_or(&one), names)?;
        Ok(Carry { from, to, count, turned: is_set(keys, "turned")? })
    }

    /// Returns the items of both piles afterwards.
    fn carried(
        &self,
        evaluator: &Evaluator,
        parameters: &mut Parameters,
        world: &World,
        position: &Trace,
    ) -> Result<Vec<(usize, Vec<u32>)>, Obstacle> {
        let from = evaluator.pile(&self.from, parameters).ok_or(Obstacle::Undefined)?;
        let to = evaluator.pile(&self.to, parameters).ok_or(Obstacle::Undefined)?;
        let count = evaluator.number(&self.count, parameters).ok_or(Obstacle::Undefined)?;
        let [mut below, mut onto] = [from, to].map(|pile| world.pile(pile, position.values()).to_vec());
        let left = usize::try_from(count).ok().and_then(|count| below.len().checked_sub(count));
        let mut taken = below.split_off(left.filter(|_| from != to).ok_or(Obstacle::Items)?);
        if self.turned {
            taken.reverse();
        }
        onto.extend(taken);
        if onto.len() > world.most[to] { Err(Obstacle::Items) } else { Ok(vec![(from, below), (to, onto)]) }
    }
}

/// Returns a position after changes of its cells and an effect.
fn changed(changes: Changes, effect: &Effect, world: &World, position: &Trace) -> Result<Vec<u32>, Obstacle> {
    let is_assigned = |cell: usize| effect.assigned.iter().any(|(other, _)| *other == cell);
    if let Some((twice, _)) = changes.iter().find(|(cell, _)| is_assigned(*cell)) {
        return Err(Obstacle::AssignedTwice { name: world.name(*twice) });
    }
    let mut after = position.values().to_vec();
    for (variable, number) in changes.iter().chain(&effect.assigned) {
        after[*variable] = *number;
    }
    for (pile, items) in &effect.piles {
        world.set_pile(*pile, items.clone(), &mut after);
    }
    Ok(after)
}

/// Returns the choices of a parameter: the name of piles stands for each of them.
fn choices(values: Vec<Value>, world: &World) -> Vec<Value> {
    let each = |value: Value| match world.piles.iter().find(|array| array.name == value.to_string()) {
        Some(array) => array.names().map(|name| Value::Name(name.into())).collect(),
        None => vec![value],
    };
    values.into_iter().flat_map(each).collect()
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
fn name_parts(written: &str, drawing: Option<&Drawing>, parameters: &[String], all: bool) -> Read<Vec<NamePart>> {
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
        if !all {
            name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::Place(drawing.at.0, drawing.at.1)]);
        }
        for number in 0..drawing.further() {
            name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::PlaceOf(number)]);
        }
        if drawing.images.len() > 1 {
            name_parts.extend([NamePart::Text(" ".to_owned()), NamePart::Direction]);
        }
    }
    Ok(name_parts)
}
