//! A puzzle as its file says it, with every name settled: what the rules are compiled from, and what they are played by.

use super::expression::{Expr, Over, Scene, Term, World};
use super::task::{Task, Value, Values, Var};
use crate::document::Spanned;
use crate::picture::{Form, Ground, Paint};
use std::collections::BTreeMap;
use std::ops::Range;

/// A validated puzzle. The variables are the cells of the grid, row by row, then the named ones in the order of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub world: World,
    /// What variables are called: `cell[0, 3]`, `disk[2]`, `farmer`.
    pub names: Vec<String>,
    /// The symbols that a cell may hold: the values of each of the cells.
    pub symbols: Vec<char>,
    pub start: Vec<Value>,
    /// The values that each variable may come to have, as far as is known before the rules are compiled; all values where
    /// this is empty.
    pub ranges: Vec<Values>,
    pub rules: Vec<Rule>,
    /// Any one of these.
    pub goals: Vec<Goal>,
    /// States in which one of these holds must never be.
    pub never: Vec<Spanned<Expr>>,
    pub looks: BTreeMap<char, Look>,
}

/// A rule, or a family of them.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub name: Vec<Piece>,
    /// The bytes of the file that hold it.
    pub span: Range<usize>,
    pub drawing: Option<Rewriting>,
    /// The parameters of a family with their choices, in order; the last changes fastest.
    pub parameters: Vec<(String, Vec<Term>)>,
    /// All of these must hold.
    pub when: Vec<Expr>,
    pub then: Vec<Assignment>,
    pub cost: Expr,
}

impl Rule {
    /// Whether the name of one of its moves may have spaces.
    pub fn has_spaces(&self) -> bool {
        self.name.iter().any(|piece| match piece {
            Piece::Text(text) => text.contains(' '),
            Piece::Parameter(number) => {
                self.parameters[*number].1.iter().any(|term| term.to_string().contains(char::is_whitespace))
            }
            Piece::Set(_) | Piece::Place(..) | Piece::Direction => false,
        })
    }
}

/// A part of the name of a move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Piece {
    Text(String),
    /// The value of the parameter of this number.
    Parameter(usize),
    /// What the set of this number matched.
    Set(usize),
    /// Where the drawing's cell at this row and column lies on the grid.
    Place(usize, usize),
    Direction,
}

/// What becomes of a part of the grid.
#[derive(Clone, Debug)]
pub(super) struct Rewriting {
    pub height: usize,
    pub width: usize,
    /// Row by row.
    pub from: Vec<From>,
    pub to: Vec<To>,
    /// The mark that must be there, where one must.
    pub on: Vec<Option<char>>,
    /// The letters of sets that stand in it: for each the values of cells that it stands for.
    pub sets: Vec<(char, Vec<Value>)>,
    /// The cell that names the place.
    pub at: (usize, usize),
    pub images: Vec<Image>,
    pub edge: Edge,
    pub repeat: bool,
}

/// What must be in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum From {
    Anything,
    Symbol(Value),
    /// One of the set of this number, the same wherever it stands.
    Set(usize),
}

/// What is in a cell afterwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum To {
    Same,
    Symbol(Value),
    /// What the set of this number matched.
    Set(usize),
    /// What the map of this number makes of what is there.
    Map(usize),
}

/// What happens at the edge of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Edge {
    /// All of the drawing must be on the grid.
    #[default]
    Fit,
    /// What is beyond is left out.
    Clip,
    /// What is beyond is on the other side.
    Wrap,
}

/// One of the eight images of a drawing: turned clockwise by quarters, then mirrored from left to right or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    pub quarters: u8,
    pub mirrored: bool,
    /// What moves call it.
    pub direction: &'static str,
}

impl Image {
    /// Where a cell of the drawing lies, seen from the cell `at`: rows and columns down and to the right.
    pub fn offset(&self, at: (usize, usize), (row, column): (usize, usize)) -> (i64, i64) {
        self.lay((row as i64 - at.0 as i64, column as i64 - at.1 as i64))
    }

    /// One cell further in the direction that the drawing goes to.
    pub fn forward(&self) -> (i64, i64) {
        self.lay((0, 1))
    }

    fn lay(&self, (down, right): (i64, i64)) -> (i64, i64) {
        let (down, right) = match self.quarters {
            0 => (down, right),
            1 => (right, -down),
            2 => (-down, -right),
            _ => (-right, down),
        };
        (down, if self.mirrored { -right } else { right })
    }

    /// The images of a drawing, in the order of the moves.
    pub fn all(turns: bool, mirror: bool) -> Vec<Image> {
        let image = |quarters, mirrored, direction| Image { quarters, mirrored, direction };
        match (turns, mirror) {
            (false, false) => vec![image(0, false, "right")],
            (false, true) => vec![image(0, false, "right"), image(0, true, "left")],
            (true, _) => {
                let plain = ["right", "down", "left", "up"];
                let mirrored = ["right mirrored", "down mirrored", "left mirrored", "up mirrored"];
                let plain = (0..).zip(plain).map(|(quarters, direction)| image(quarters, false, direction));
                let mirrored = (0..).zip(mirrored).map(|(quarters, direction)| image(quarters, true, direction));
                plain.chain(mirrored.filter(|_| mirror)).collect()
            }
        }
    }
}

/// Variables and what they become; all at once, by what was before.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub target: Target,
    /// Names that run, and what over: an assignment for each choice.
    pub runs: Vec<Over>,
    pub value: Expr,
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    Variable(Var),
    /// The array and the indices.
    Element(usize, Vec<Expr>),
    /// The variable that a parameter names.
    Parameter(usize),
}

/// What has to be reached: all of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Goal {
    /// The bytes of the file that hold it.
    pub span: Range<usize>,
    /// Variables with the values that they may have.
    pub places: Vec<(Var, Vec<Value>)>,
    /// The least and the greatest number of cells that hold one of these values.
    pub counts: Vec<(Vec<Value>, u32, u32)>,
    /// Cells with this value have one of these marks.
    pub every: Vec<(Value, Vec<char>)>,
    pub when: Vec<Expr>,
}

/// How a symbol looks in pictures, where the file says so.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Look {
    pub paint: Option<Paint>,
    pub shape: Option<Shape>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// Something that stands on the ground.
    Figure(Form),
    /// The ground itself.
    Ground(Ground),
}

impl Model {
    /// The values that a variable may come to have.
    pub fn range(&self, var: Var) -> Values {
        self.ranges.get(var).copied().unwrap_or_else(|| Values::below(self.world.values[var].len()))
    }

    /// Expressions of the puzzle in a state that is known, with no more work than is left.
    pub fn scene_within<'a>(&'a self, look: &'a dyn Fn(Var) -> Option<Value>, left: u64) -> Scene<'a> {
        Scene { world: &self.world, look, left: left.into() }
    }

    /// The cell of the grid beside another, some rows down and columns to the right; none beyond the edge.
    pub fn beside(&self, cell: usize, (down, right): (i64, i64), edge: Edge) -> Option<usize> {
        let (rows, columns) = (self.world.rows as i64, self.world.columns as i64);
        let (row, column) = (cell as i64 / columns + down, cell as i64 % columns + right);
        let (row, column) = match edge {
            Edge::Wrap => (row.rem_euclid(rows), column.rem_euclid(columns)),
            _ => (row, column),
        };
        let on_grid = (0..rows).contains(&row) && (0..columns).contains(&column);
        on_grid.then(|| (row * columns + column) as usize)
    }
}

/// A puzzle with its rules compiled.
#[derive(Debug)]
pub(super) struct Compiled {
    pub model: Model,
    /// Over the variables of the model, all of them.
    pub task: Task,
    /// How moves are written, by [`Operator::action`](super::task::Operator::action).
    pub moves: Vec<Vec<Part>>,
    /// By rule, the number of moves up to and with its own.
    pub rule_ends: Vec<usize>,
    /// By goal of the model, the number of goals of the task up to and with its own.
    pub goal_ends: Vec<usize>,
}

/// A part of a move as it is written in a state.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Part {
    Text(String),
    /// The symbol that the variable holds before the move.
    Symbol(Var),
}
