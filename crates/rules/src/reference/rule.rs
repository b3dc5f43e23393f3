//! Rules: drawings, families, conditions, what becomes of variables, costs, and how moves are written.

use super::drawing::{Changes, Drawing, Place};
use super::expression::{Expression, Many, Parameters, Scene};
use super::obstacle::Obstacle;
use super::parser::{Names, Target};
use super::value::{Value, listed};
use super::world::World;
use super::{Read, expression, several};
use crate::domain::Trace;
use toml::{Table, Value as Toml};

/// A move costs no more.
const MOST_COST: i64 = 10_000;

/// A rule, or a family of them.
#[derive(Debug)]
pub(super) struct Rule {
    name: Vec<Piece>,
    pub drawing: Option<Drawing>,
    /// The choices of the parameters, the last changing fastest.
    pub choices: Vec<Choice>,
    /// All of these must hold.
    when: Vec<Expression>,
    then: Vec<Assignment>,
    cost: Expression,
}

/// A choice of the parameters of a rule.
#[derive(Debug)]
pub(super) struct Choice {
    pub values: Vec<Value>,
    /// Whether a condition that looks at no variable does not hold: then the rule never applies with this choice.
    pub is_void: bool,
    /// The numbers of the conditions that look at variables, or do not hold.
    open: Vec<usize>,
}

/// A part of the name of a move.
#[derive(Debug)]
enum Piece {
    Text(String),
    /// The value of the parameter of this number.
    Parameter(usize),
    /// The symbol that the letter of this number matched.
    Letter(usize),
    /// The place of the cell in this row and column of the drawing.
    Place(usize, usize),
    Direction,
}

/// A variable that changes, or many: one for each choice of the names that run.
#[derive(Debug)]
struct Assignment {
    target: Target,
    runs: Vec<Many>,
    value: Expression,
}

impl Rule {
    /// Reads a rule.
    ///
    /// # Errors
    /// The first thing that cannot be read.
    pub fn read(name: &str, keys: &Table, world: &World, start: &[u32]) -> Read<Rule> {
        let family = match keys.get("for") {
            None => Vec::new(),
            Some(Toml::Table(family)) => family.iter().collect(),
            Some(_) => return Err("`for` is no table".to_owned()),
        };
        let (parameters, lists): (Vec<String>, Vec<&Toml>) =
            family.into_iter().map(|(name, list)| (name.clone(), list)).unzip();
        let mut choices: Vec<Vec<Value>> = vec![Vec::new()];
        for list in lists {
            let values = listed(list)?;
            let longer = |choice: Vec<Value>| {
                values.iter().map(move |value| [&choice[..], std::slice::from_ref(value)].concat())
            };
            choices = choices.into_iter().flat_map(longer).collect();
        }
        let drawing = Drawing::read(keys, world)?;
        let mut names = Names::with(world, &parameters);
        let when = keys.get("when").map_or(&[][..], several);
        let when = when.iter().map(|when| expression(when, &mut names)).collect::<Read<Vec<_>>>()?;
        let cost =
            keys.get("cost").map_or(Ok(Expression::Value(Value::Number(1))), |cost| expression(cost, &mut names))?;
        let then = match keys.get("then") {
            None => Vec::new(),
            Some(Toml::Table(then)) => then
                .iter()
                .map(|(target, value)| {
                    let mut names = names.clone();
                    let (target, runs) = names.target(target).map_err(|why| format!("`{target}`: {why}"))?;
                    Ok(Assignment { target, runs, value: expression(value, &mut names)? })
                })
                .collect::<Read<_>>()?,
            Some(_) => return Err("`then` is no table".to_owned()),
        };
        let name = pieces(name, drawing.as_ref(), &parameters)?;
        let mut rule = Rule { name, drawing, choices: Vec::new(), when, then, cost };
        let start = Trace::untraced(start.to_vec());
        let choice = |values: Vec<Value>| {
            let (mut is_void, mut open) = (false, Vec::new());
            for (number, when) in rule.when.iter().enumerate() {
                let scene = Scene::new(world, &start);
                let holds = scene.truth(when, &mut values.clone()) == Some(true);
                is_void |= !holds && !scene.looked.get();
                if !holds || scene.looked.get() {
                    open.push(number);
                }
            }
            Choice { values, is_void, open }
        };
        rule.choices = choices.into_iter().map(choice).collect();
        Ok(rule)
    }

    /// Evaluates the rule but for its drawing: the variables that change, and the cost.
    ///
    /// # Errors
    /// Why it does not apply.
    pub fn effect(&self, choice: &Choice, world: &World, position: &Trace) -> Result<(Changes, u64), Obstacle> {
        let scene = Scene::new(world, position);
        let mut parameters = choice.values.clone();
        for &number in &choice.open {
            if scene.truth(&self.when[number], &mut parameters) != Some(true) {
                return Err(Obstacle::When(number, self.when.len()));
            }
        }
        let mut changes = Vec::new();
        for assignment in &self.then {
            assignment.assign(&assignment.runs, &scene, world, &mut parameters, &mut changes)?;
        }
        let cost = scene.number(&self.cost, &mut parameters).filter(|cost| (0..=MOST_COST).contains(cost));
        Ok((changes, cost.ok_or(Obstacle::Cost)? as u64))
    }

    /// Returns how the move is written, or would be.
    pub fn written(&self, choice: &Choice, place: Option<Place>, world: &World, position: &Trace) -> String {
        let mut text = String::new();
        let drawn = self.drawing.as_ref().zip(place);
        for piece in &self.name {
            match (piece, drawn) {
                (Piece::Text(part), _) => text += part,
                (Piece::Parameter(number), _) => text += &choice.values[*number].to_string(),
                (Piece::Letter(letter), Some((drawing, place))) => {
                    let matched = drawing.matched(*letter, place, position, world);
                    text += &matched.map_or("?".to_owned(), |symbol| world.value(symbol).to_string());
                }
                (Piece::Place(row, column), Some((drawing, place))) => {
                    if let Some((row, column)) = drawing.place_of((*row, *column), place, world) {
                        text += &format!("{row},{column}");
                    }
                }
                (Piece::Direction, Some((drawing, place))) => text += drawing.images[place.image].direction,
                (Piece::Letter(_) | Piece::Place(..) | Piece::Direction, None) => {}
            }
        }
        text
    }
}

impl Assignment {
    /// Adds the changes for each choice of the names that still have to run.
    fn assign(
        &self,
        runs: &[Many],
        scene: &Scene,
        world: &World,
        parameters: &mut Parameters,
        changes: &mut Changes,
    ) -> Result<(), Obstacle> {
        if let [run, inner @ ..] = runs {
            for value in scene.many(run, parameters).ok_or(Obstacle::Undefined)? {
                parameters.push(value);
                let assigned = self.assign(inner, scene, world, parameters, changes);
                parameters.pop();
                assigned?;
            }
            return Ok(());
        }
        let variable = match &self.target {
            Target::Variable(variable) => Some(*variable),
            Target::Element(array, indices) => scene.element(*array, indices, parameters),
            Target::Parameter(number) => scene.named(&parameters[*number]),
        };
        let variable = variable.ok_or(Obstacle::Undefined)?;
        let value = scene.value(&self.value, parameters).ok_or(Obstacle::Undefined)?;
        let Some(number) = world.allowed(variable, &value) else {
            return Err(Obstacle::NoValue { name: world.name(variable), value: value.to_string() });
        };
        if changes.iter().any(|(other, _)| *other == variable) {
            return Err(Obstacle::Twice { name: world.name(variable) });
        }
        changes.push((variable, number));
        Ok(())
    }
}

/// Reads the name of a rule: text, with names in braces.
fn pieces(written: &str, drawing: Option<&Drawing>, parameters: &[String]) -> Read<Vec<Piece>> {
    let mut pieces = Vec::new();
    let mut says_place = false;
    let mut rest = written;
    while let Some((text, behind)) = rest.split_once('{') {
        let (inner, behind) = behind.split_once('}').ok_or("a brace in its name is not closed")?;
        pieces.push(Piece::Text(text.to_owned()));
        let inner = inner.trim();
        let place = inner
            .split_once(',')
            .and_then(|(row, column)| Some((row.trim().parse().ok()?, column.trim().parse().ok()?)));
        let letter = drawing.and_then(|drawing| drawing.letter(inner));
        let piece = match (parameters.iter().position(|name| name == inner), letter, drawing) {
            (Some(parameter), ..) => Piece::Parameter(parameter),
            (None, Some(letter), _) => Piece::Letter(letter),
            (None, None, Some(drawing)) => {
                says_place = true;
                match (inner, place.filter(|place| drawing.has(*place))) {
                    ("at", _) => Piece::Place(drawing.at.0, drawing.at.1),
                    ("direction", _) => Piece::Direction,
                    (_, Some((row, column))) => Piece::Place(row, column),
                    _ => return Err(format!("its name has `{{{inner}}}`, and there is no such thing")),
                }
            }
            _ => return Err(format!("its name has `{{{inner}}}`, and there is no such thing")),
        };
        pieces.push(piece);
        rest = behind;
    }
    pieces.push(Piece::Text(rest.to_owned()));
    if let Some(drawing) = drawing.filter(|_| !says_place) {
        pieces.extend([Piece::Text(" ".to_owned()), Piece::Place(drawing.at.0, drawing.at.1)]);
        if drawing.images.len() > 1 {
            pieces.extend([Piece::Text(" ".to_owned()), Piece::Direction]);
        }
    }
    Ok(pieces)
}
