//! Random goals: of a reachable position, or arbitrary.

use super::express::ExpressionGenerator;
use super::world::{Value, World};
use super::write::{drawing, inline, key, one_or_many, string};
use crate::support::dice::Dice;

/// A position as it is drawn: the cells, and by variable the values of its elements.
#[derive(Clone)]
pub struct Position {
    pub cells: Vec<char>,
    pub values: Vec<Vec<Value>>,
}

impl Position {
    /// Reads a drawing: rows, and below them a line for each variable, or for each row of an array. `None` if its words
    /// cannot be separated.
    pub fn read(world: &World, drawn: &str) -> Option<Position> {
        let rows = world.grid.as_ref().map_or(0, |grid| grid.rows);
        let mut lines = drawn.lines();
        let cells: Vec<char> = lines.by_ref().take(rows).flat_map(str::chars).collect();
        let mut values = Vec::new();
        for variable in &world.variables {
            let in_line = variable.bounds.last().map_or(1, |(first, last)| (last - first + 1) as usize);
            let mut of_all = Vec::new();
            while of_all.len() < variable.len() {
                let words: Vec<Value> = lines.next()?.split(' ').map(Value::of).collect();
                of_all.extend_from_slice(words.get(words.len().checked_sub(in_line)?..)?);
            }
            of_all.iter().all(|value| variable.values.contains(value)).then_some(())?;
            values.push(of_all);
        }
        (cells.len() == world.grid.as_ref().map_or(0, |grid| grid.start.len())).then_some(Position { cells, values })
    }

    /// Returns an arbitrary position.
    pub fn random(dice: &mut Dice, world: &World) -> Position {
        let cells = world.grid.as_ref().map_or_else(Vec::new, |grid| {
            grid.start.iter().map(|&symbol| if dice.one_in(3) { dice.pick(&grid.symbols) } else { symbol }).collect()
        });
        let of = |variable: &super::world::Variable| {
            let start = variable.start.iter();
            start.map(|value| if dice.one_in(2) { dice.pick(&variable.values) } else { value.clone() }).collect()
        };
        let values = world.variables.iter().map(of).collect();
        Position { cells, values }
    }
}

/// Returns the goal of a file, as lines of TOML.
pub fn goal(dice: &mut Dice, world: &World, met: &Position) -> String {
    let mut goals = vec![one(dice, world, met)];
    if dice.one_in(5) {
        let other = Position::random(dice, world);
        goals.push(one(dice, world, &other));
        if dice.one_in(2) {
            goals.reverse();
        }
    }
    format!("goal = {}\n", one_or_many(dice, &goals))
}

/// Returns a goal that the position satisfies, unless it has a condition.
fn one(dice: &mut Dice, world: &World, met: &Position) -> String {
    let drawn = world.grid.is_some() && dice.one_in(if world.variables.is_empty() { 2 } else { 4 });
    if drawn {
        return drawing_of(dice, world, met, 4);
    }
    let is_expression = world.grid.is_none() && dice.one_in(2);
    if is_expression {
        let depth = dice.within(1, 3);
        let text = condition(dice, world, met, depth);
        return string(dice, &text);
    }
    let mut entries: Vec<(String, String)> = Vec::new();
    for _ in 0..8 {
        let entry = match dice.below(6) {
            0 => world.grid.as_ref().map(|_| ("drawing".to_owned(), drawing_of(dice, world, met, 2))),
            1 => count(dice, world, met),
            2 => every(dice, world, met),
            3 => {
                let number = dice.within(1, 2);
                let texts: Vec<String> = (0..number)
                    .map(|_| {
                        let depth = dice.below(3);
                        let text = condition(dice, world, met, depth);
                        string(dice, &text)
                    })
                    .collect();
                Some(("when".to_owned(), one_or_many(dice, &texts)))
            }
            _ => variable(dice, world, met),
        };
        if let Some((name, text)) = entry
            && !entries.iter().any(|(known, _)| *known == name)
        {
            entries.push((name, text));
        }
        if !entries.is_empty() && !dice.one_in(3) {
            break;
        }
    }
    if entries.is_empty() {
        return drawing_of(dice, world, met, 4);
    }
    let entries: Vec<(String, String)> = entries.into_iter().map(|(name, text)| (key(dice, &name), text)).collect();
    inline(&entries)
}

fn drawing_of(dice: &mut Dice, world: &World, met: &Position, open: usize) -> String {
    let Some(grid) = &world.grid else { return "\"1 == 1\"".to_owned() };
    let sets = world.letters();
    let cells: Vec<char> = met
        .cells
        .iter()
        .map(|&symbol| {
            let holding: Vec<char> =
                sets.iter().filter(|(_, of)| of.contains(&symbol)).map(|(letter, _)| *letter).collect();
            match dice.below(8) {
                at if at < open => '?',
                5 | 6 if !holding.is_empty() => dice.pick(&holding),
                _ => symbol,
            }
        })
        .collect();
    drawing(dice, &grid.lines(&cells))
}

fn count(dice: &mut Dice, world: &World, met: &Position) -> Option<(String, String)> {
    let grid = world.grid.as_ref()?;
    let mut entries = Vec::new();
    for _ in 0..dice.within(1, 2) {
        let sets = world.letters();
        let (name, of) = if sets.is_empty() || dice.one_in(2) {
            let symbol = dice.pick(&grid.symbols);
            (symbol, vec![symbol])
        } else {
            dice.pick(&sets)
        };
        let number = met.cells.iter().filter(|symbol| of.contains(symbol)).count();
        let text = match dice.below(4) {
            0 => format!("\"{}..{}\"", number.saturating_sub(dice.below(2)), number + dice.below(3)),
            1 => format!("\"{number}..{number}\""),
            _ => number.to_string(),
        };
        let name = key(dice, &name.to_string());
        // Two spellings may be the same key.
        if entries.is_empty() {
            entries.push((name, text));
        }
    }
    Some(("count".to_owned(), inline(&entries)))
}

fn every(dice: &mut Dice, world: &World, met: &Position) -> Option<(String, String)> {
    let grid = world.grid.as_ref()?;
    let marks = grid.marks.as_ref()?;
    let symbol = dice.pick(&grid.symbols);
    let mut on: Vec<char> = Vec::new();
    for (cell, mark) in marks.iter().enumerate() {
        if met.cells[cell] == symbol && !on.contains(mark) {
            on.push(*mark);
        }
    }
    if on.is_empty() || dice.one_in(8) {
        on.push(dice.pick(marks));
    }
    let dots = on.contains(&'.');
    if dots && !dice.one_in(4) {
        return None;
    }
    let letters: String = on.iter().collect();
    let entry = (key(dice, &symbol.to_string()), string(dice, &letters));
    Some(("every".to_owned(), inline(&[entry])))
}

fn variable(dice: &mut Dice, world: &World, met: &Position) -> Option<(String, String)> {
    let number = (!world.variables.is_empty()).then(|| dice.below(world.variables.len()))?;
    let known = &world.variables[number];
    Some((known.name.clone(), known.spread(dice, &met.values[number])))
}

/// Returns an expression that holds in the position, if it is short.
fn condition(dice: &mut Dice, world: &World, met: &Position, depth: usize) -> String {
    let mut generator = ExpressionGenerator::new(dice, world);
    if depth == 0 || generator.dice.one_in(2) {
        let number = generator.dice.below(world.variables.len() + 1);
        if let Some(known) = world.variables.get(number).filter(|known| known.bounds.is_empty()) {
            let text = generator.literal(&met.values[number][0]);
            return format!("{} == {text}", known.name);
        }
        if let Some(grid) = &world.grid {
            let cell = generator.dice.below(met.cells.len());
            let text = generator.literal(&Value::symbol(met.cells[cell]));
            return format!("cell[{}, {}] == {text}", cell / grid.columns, cell % grid.columns);
        }
    }
    generator.condition(depth)
}
