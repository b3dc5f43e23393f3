//! Heuristics of the file: expressions over the cell of the position and those of the goals.

use super::cell::Cell;
use super::map::Map;
use crate::domain::{FileContext, OWN_HEURISTICS, OwnHeuristic, own_heuristics};
use crate::{diagnostic::Diagnostic, document::Keys};
use engine_domain::expression::{Function, Set, Type, Vocabulary};
use std::sync::Arc;

const fn number(name: &'static str, takes: &'static [Type]) -> Function {
    Function { name, takes, gives: Type::Number }
}

const FUNCTIONS: &[Function] = &[
    number("row", &[]),
    number("column", &[]),
    number("goal_row", &[]),
    number("goal_column", &[]),
    number("goal_row", &[Type::Element]),
    number("goal_column", &[Type::Element]),
    Function { name: "wall", takes: &[Type::Number, Type::Number], gives: Type::Truth },
];

/// Returns the value of a function of a cell; the goals are given by row and column.
fn read(map: &Map, cell: Cell, goals: &[(u32, u32)], function: usize, arguments: &[i64]) -> Option<i64> {
    let goal = |number: i64| goals.get(usize::try_from(number).ok()?);
    Some(match (function, arguments) {
        (0, _) => map.place(cell).0.into(),
        (1, _) => map.place(cell).1.into(),
        (2, _) => goal(0)?.0.into(),
        (3, _) => goal(0)?.1.into(),
        (4, [number]) => goal(*number)?.0.into(),
        (5, [number]) => goal(*number)?.1.into(),
        (_, &[row, column]) => {
            let inside = (0..i64::from(map.rows)).contains(&row) && (0..i64::from(map.columns)).contains(&column);
            i64::from(!(inside && map.is_open(map.cell(row as u32, column as u32))))
        }
        _ => return None,
    })
}

/// Returns the goals by row and column, in reading order.
fn places(map: &Map, goals: &[Cell]) -> Vec<(u32, u32)> {
    let mut places: Vec<(u32, u32)> = goals.iter().map(|&goal| map.place(goal)).collect();
    places.sort_unstable();
    places
}

/// Reads the heuristics of a file.
///
/// # Errors
/// Reports every wrong expression.
pub(super) fn read_all(
    keys: &Keys,
    file: &FileContext,
    map: &Map,
    start: Cell,
    goals: &[Cell],
) -> Result<Vec<Arc<OwnHeuristic>>, Vec<Diagnostic>> {
    if keys.span(OWN_HEURISTICS.name).is_none() {
        return Ok(Vec::new());
    }
    let goals = places(map, goals);
    let several = || {
        let help = "use all of them: `min(g in goals: abs(row - goal_row(g)) + abs(column - goal_column(g)))`";
        (format!("the maze has {} goals", goals.len()), help.to_owned())
    };
    let vocabulary = Vocabulary {
        sets: vec![Set { name: "goals", of: Type::Element, members: (0..goals.len() as i64).collect() }],
        constants: vec![("rows", map.rows.into()), ("columns", map.columns.into())],
        functions: FUNCTIONS,
        missing: [2, 3].into_iter().filter(|_| goals.len() > 1).map(|number| (number, several())).collect(),
        element: "a goal",
        quoted: &|_| Err(("goals have no names".to_owned(), "use the set `goals`".to_owned())),
    };
    let start = |function: usize, arguments: &[i64]| read(map, start, &goals, function, arguments);
    own_heuristics(keys, file, &vocabulary, Some(&start))
}

/// A heuristic of the file in a maze.
pub(super) struct Own {
    map: Arc<Map>,
    goals: Vec<(u32, u32)>,
    heuristic: Arc<OwnHeuristic>,
}

impl Own {
    pub fn new(map: &Arc<Map>, goals: &[Cell], heuristic: &Arc<OwnHeuristic>) -> Own {
        Own { map: Arc::clone(map), goals: places(map, goals), heuristic: Arc::clone(heuristic) }
    }

    pub fn h(&self, cell: Cell) -> u32 {
        self.heuristic.h(&|function, arguments| read(&self.map, cell, &self.goals, function, arguments))
    }
}
