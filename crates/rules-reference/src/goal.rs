//! Reads and tests goals: drawings, expressions, and tables of requirements.

use super::expression::{Evaluator, Expression};
use super::parser::Names;
use super::value::{Value, only, range};
use super::world::{World, rows};
use super::{Read, as_list, expression};
use engine_domain::domain::{CountBound, GroundGoal, Trace};
use toml::{Table, Value as Toml};

/// A goal; all of its parts must hold.
#[derive(Debug, Default)]
pub(super) struct Goal {
    /// Variables, with their allowed values.
    values: Vec<(usize, Vec<u32>)>,
    /// Symbols, with the least and the greatest number of cells that hold one of them.
    counts: Vec<(Vec<u32>, i64, i64)>,
    /// Symbols, with the marks that every cell with one of them must have.
    every: Vec<(Vec<u32>, Vec<char>)>,
    /// Piles, with the items that they hold.
    piles: Vec<(usize, Vec<Option<u32>>)>,
    /// Drawings that lie somewhere on the grid: row by row, the symbols of each cell, or `None` for any.
    anywhere: Vec<Vec<Vec<Option<Vec<u32>>>>>,
    when: Vec<Expression>,
}

impl Goal {
    /// Reads a goal.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn read(written: &Toml, world: &World) -> Read<Goal> {
        let mut goal = Goal::default();
        match written {
            Toml::String(text) if world.cells() > 0 => goal.draw(text, world)?,
            Toml::String(_) => goal.when.push(expression(written, &mut Names::new(world))?),
            Toml::Table(keys) => {
                for (key, value) in keys {
                    goal.ask(key, value, world).map_err(|why| format!("`{key}`: {why}"))?;
                }
            }
            _ => return Err("a goal is neither a string nor a table".to_owned()),
        }
        Ok(goal)
    }

    fn draw(&mut self, text: &str, world: &World) -> Read<()> {
        let rows = rows(text)?;
        if (rows.len(), rows[0].len()) != (world.rows, world.columns) {
            return Err("the drawing is of another size than the start".to_owned());
        }
        for (cell, character) in rows.concat().into_iter().enumerate().filter(|(_, character)| *character != '?') {
            self.values.push((cell, symbols(character, world)?));
        }
        Ok(())
    }

    /// Adds the requirement of one key of a table.
    fn ask(&mut self, key: &str, value: &Toml, world: &World) -> Read<()> {
        match key {
            "drawing" => self.draw(value.as_str().ok_or("it is no drawing")?, world)?,
            "count" => {
                for (symbol, number) in table(value)? {
                    let (least, greatest) = match (Value::of(number)?, number) {
                        (Value::Number(number), _) => (number, number),
                        (_, Toml::String(text)) => range(text)?,
                        _ => return Err(format!("`{number}` is not a number")),
                    };
                    self.counts.push((symbols_of(symbol, world)?, least, greatest));
                }
            }
            "every" => {
                for (symbol, marks) in table(value)? {
                    let marks = Value::of(marks)?.to_string().chars().collect();
                    self.every.push((symbols_of(symbol, world)?, marks));
                }
            }
            "anywhere" => {
                let allowed = |character: char| (character != '?').then(|| symbols(character, world)).transpose();
                let row = |row: Vec<char>| row.into_iter().map(allowed).collect::<Read<Vec<_>>>();
                let drawing = rows(value.as_str().ok_or("it is no drawing")?)?;
                self.anywhere.push(drawing.into_iter().map(row).collect::<Read<_>>()?);
            }
            "when" => {
                for when in as_list(value) {
                    self.when.push(expression(when, &mut Names::new(world))?);
                }
            }
            name => {
                if let Some(array) = world.piles.iter().find(|array| array.name == name) {
                    self.piles.extend((array.first..).zip(world.given_items(array, value)?));
                    return Ok(());
                }
                if let Some(pile) = world.pile_named(name) {
                    self.piles.push((pile, world.numbers_of_items(&Value::of(value)?)));
                    return Ok(());
                }
                let array = world.arrays.iter().find(|array| array.name == name && array.first >= world.cells());
                let array = array.ok_or("there is no such variable")?;
                let values = world.given(array, value)?;
                self.values.extend((array.first..).zip(values.into_iter().map(|value| vec![value])));
            }
        }
        Ok(())
    }

    /// Returns whether a position satisfies the goal.
    pub fn is_reached(&self, world: &World, position: &Trace) -> bool {
        let cells = &position.values()[..world.cells()];
        let count = |symbols: &[u32]| cells.iter().filter(|there| symbols.contains(there)).count() as i64;
        self.values.iter().all(|(variable, values)| values.contains(&position[*variable]))
            && self.counts.iter().all(|(symbols, least, greatest)| (*least..=*greatest).contains(&count(symbols)))
            && self.every.iter().all(|(symbols, marks)| {
                let is_marked = |cell: usize| world.marks.get(cell).is_some_and(|mark| marks.contains(mark));
                cells.iter().enumerate().all(|(cell, there)| !symbols.contains(there) || is_marked(cell))
            })
            && self.holds(world, position)
    }

    /// Returns the requirements on single cells and variables, and the counts.
    pub fn target(&self, world: &World) -> GroundGoal {
        let mut values = self.values.clone();
        for (symbols, marks) in &self.every {
            let unmarked = |cell: &usize| world.marks.get(*cell).is_none_or(|mark| !marks.contains(mark));
            let others: Vec<u32> =
                world.may_have(0).iter().copied().filter(|symbol| !symbols.contains(symbol)).collect();
            values.extend((0..world.cells()).filter(unmarked).map(|cell| (cell, others.clone())));
        }
        let mut counts = Vec::new();
        for (symbols, least, greatest) in &self.counts {
            let bound = |number: i64| u32::try_from(number.max(0)).unwrap_or(u32::MAX);
            if greatest < least || *greatest < 0 {
                // No position satisfies this count.
                values.push((0, Vec::new()));
            }
            let facts = (0..world.cells()).map(|cell| (cell, symbols.clone())).collect();
            counts.push(CountBound { facts, least: bound(*least), most: bound(*greatest) });
        }
        GroundGoal { values, counts }
    }

    /// Returns whether the other requirements hold: its expressions, piles, and drawings that lie anywhere.
    pub fn holds(&self, world: &World, position: &Trace) -> bool {
        let evaluator = Evaluator::new(world, position);
        let has = |pile: usize, items: &[Option<u32>]| {
            world.pile(pile, position.values()).iter().copied().map(Some).eq(items.iter().copied())
        };
        self.when.iter().all(|when| evaluator.holds(when))
            && self.piles.iter().all(|(pile, items)| has(*pile, items))
            && self.anywhere.iter().all(|drawing| {
                (0..world.cells())
                    .any(|cell| lies(drawing, cell / world.columns, cell % world.columns, world, position))
            })
    }
}

/// Returns whether a drawing lies on the grid with its first cell at a place.
fn lies(drawing: &[Vec<Option<Vec<u32>>>], row: usize, column: usize, world: &World, position: &Trace) -> bool {
    let asked = |down: usize, right: usize| drawing.get(down)?.get(right)?.as_ref();
    let cells = || (0..drawing.len()).flat_map(|down| (0..drawing[0].len()).map(move |right| (down, right)));
    let is_on_grid = row + drawing.len() <= world.rows && column + drawing[0].len() <= world.columns;
    is_on_grid
        && cells().all(|(down, right)| {
            let Some(allowed) = asked(down, right) else { return true };
            let cell = (row + down) * world.columns + column + right;
            let is_cut = |down, right, step| asked(down, right).is_some() && world.is_fenced(cell, step);
            allowed.contains(&position[cell]) && !is_cut(down + 1, right, (1, 0)) && !is_cut(down, right + 1, (0, 1))
        })
}

/// Returns the symbols that a character denotes.
fn symbols(character: char, world: &World) -> Read<Vec<u32>> {
    let symbols = world.denoted_symbols(character);
    if symbols.is_empty() { Err(format!("there is no symbol `{character}`")) } else { Ok(symbols) }
}

fn symbols_of(text: &str, world: &World) -> Read<Vec<u32>> {
    symbols(only(text).ok_or_else(|| format!("`{text}` is no symbol"))?, world)
}

fn table(written: &Toml) -> Read<&Table> {
    written.as_table().ok_or_else(|| "it is no table".to_owned())
}
