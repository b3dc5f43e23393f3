//! Bodies, and how they move: cells that touch and belong together go one cell on, and push others along.

use super::Read;
use super::obstacle::Obstacle;
use super::world::World;
use std::collections::BTreeSet;
use toml::{Table, Value as Toml};

/// The symbols of a rule with `shift`.
#[derive(Debug)]
pub(super) struct Shift {
    /// The body of a cell with one of these moves.
    moved: Vec<u32>,
    /// A body is pushed along if one of these is run into.
    push: Vec<u32>,
    /// The symbols that may be covered. Vacated cells become the first of them.
    into: Vec<u32>,
}

/// The cells that move.
pub(super) type Moving = BTreeSet<usize>;

/// Returns the cell one step further; `None` beyond the edge or behind a fence.
fn next(cell: usize, (down, right): (i64, i64), world: &World) -> Option<usize> {
    let (row, column) = ((cell / world.columns) as i64 + down, (cell % world.columns) as i64 + right);
    let is_on_grid = (0..world.rows as i64).contains(&row) && (0..world.columns as i64).contains(&column);
    (is_on_grid && !world.is_fenced(cell, (down, right))).then(|| row as usize * world.columns + column as usize)
}

/// Returns the cells of the body of a cell, in ascending order.
pub(super) fn body(cell: usize, world: &World, cells: &[u32]) -> Vec<usize> {
    let mut body = BTreeSet::from([cell]);
    let kind = world.bodies.iter().find(|kind| kind.contains(&cells[cell]));
    let mut open = vec![cell];
    while let Some((cell, kind)) = open.pop().zip(kind) {
        let neighbours = [(0, 1), (1, 0), (0, -1), (-1, 0)].into_iter().filter_map(|step| next(cell, step, world));
        open.extend(neighbours.filter(|other| kind.contains(&cells[*other]) && body.insert(*other)));
    }
    body.into_iter().collect()
}

/// Returns all bodies, in the order of their first cells.
pub(super) fn all_bodies(world: &World, cells: &[u32]) -> Vec<Vec<usize>> {
    let bodies = (0..world.cells()).map(|cell| (cell, body(cell, world, cells)));
    bodies.filter(|(cell, body)| body[0] == *cell).map(|(_, body)| body).collect()
}

impl Shift {
    /// Reads the keys of a rule; `None` if it shifts nothing.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn read(keys: &Table, world: &World) -> Read<Option<Shift>> {
        let symbols = |key: &str| match keys.get(key) {
            None => Ok(Vec::new()),
            Some(Toml::String(text)) => world.symbols(text).map_err(|why| format!("`{key}`: {why}")),
            Some(_) => Err(format!("`{key}` is no string")),
        };
        let shift = Shift { moved: symbols("shift")?, push: symbols("push")?, into: symbols("into")? };
        if !keys.contains_key("shift") {
            return Ok(None);
        }
        if shift.into.is_empty() { Err("`into` is missing".to_owned()) } else { Ok(Some(shift)) }
    }

    /// Returns whether a cell names a body: it is the first with a symbol that moves.
    pub fn is_named_by(&self, cell: usize, world: &World, cells: &[u32]) -> bool {
        let body = body(cell, world, cells);
        body.into_iter().find(|cell| self.moved.contains(&cells[*cell])) == Some(cell)
    }

    /// Returns the cells that move if the body of a cell goes one step on.
    ///
    /// # Errors
    /// Something is in the way.
    pub fn moving(&self, cell: usize, step: (i64, i64), world: &World, cells: &[u32]) -> Result<Moving, Obstacle> {
        let mut moving = Moving::new();
        let mut open = body(cell, world, cells);
        while let Some(cell) = open.pop() {
            if !moving.insert(cell) {
                continue;
            }
            let entered = next(cell, step, world).ok_or(Obstacle::Stuck)?;
            if self.push.contains(&cells[entered]) {
                open.extend(body(entered, world, cells));
            }
        }
        // What a body runs into may turn out later to move along, so this is asked last.
        let entered = || moving.iter().filter_map(|cell| next(*cell, step, world));
        let is_free = |cell: usize| moving.contains(&cell) || self.into.contains(&cells[cell]);
        if entered().all(is_free) { Ok(moving) } else { Err(Obstacle::Stuck) }
    }

    /// Returns the cells that change if these move one step on, each with its new symbol.
    pub fn changes(&self, moving: &Moving, step: (i64, i64), world: &World, cells: &[u32]) -> Vec<(usize, u32)> {
        let entered: Vec<(usize, u32)> =
            moving.iter().filter_map(|cell| Some((next(*cell, step, world)?, cells[*cell]))).collect();
        let is_entered = |cell: usize| entered.iter().any(|(other, _)| *other == cell);
        let vacated = moving.iter().filter(|cell| !is_entered(**cell)).map(|cell| (*cell, self.into[0]));
        vacated.collect::<Vec<_>>().into_iter().chain(entered.iter().copied()).collect()
    }
}
