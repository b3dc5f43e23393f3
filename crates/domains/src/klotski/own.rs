//! Heuristics of the file: expressions over the places of the pieces.
//!
//! The pieces of a class are numbered in reading order of their places, so a value does not depend on labels, which keys
//! do not contain.

use super::bits::Field;
use super::board::{BlockBoard, Place, Target, Who};
use super::compiled_board::CompiledBoard;
use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Keys;
use crate::domain::{FileContext, OWN_HEURISTICS, OwnHeuristic, own_heuristics};
use crate::space::{Part, Parts};
use engine_domain::expression::{Function, Set, Type, Vocabulary};
use std::sync::Arc;

const PIECE: &[Type] = &[Type::Element];

const fn number(name: &'static str) -> Function {
    Function { name, takes: PIECE, gives: Type::Number }
}

const FUNCTIONS: &[Function] = &[
    number("row"),
    number("column"),
    number("height"),
    number("width"),
    number("size"),
    number("goal_row"),
    number("goal_column"),
    Function { name: "empty", takes: &[Type::Number, Type::Number], gives: Type::Truth },
];

/// The pieces of a board as heuristics name them.
struct Pieces {
    rows: usize,
    columns: usize,
    /// The upper left corner, rows and columns of the rectangle whose cells are numbered.
    origin: Place,
    inner: (usize, usize),
    floor: Vec<bool>,
    /// The pieces, class by class.
    pieces: Vec<Piece>,
}

struct Piece {
    /// The cells, as offsets from its anchor.
    cells: Vec<i32>,
    height: usize,
    width: usize,
    /// The place in the first goal.
    goal: Option<Place>,
}

/// Returns the number of the first piece of each class.
fn first_of_classes(compiled: &CompiledBoard) -> Vec<usize> {
    let count = |next: &mut usize, pieces: usize| {
        let first = *next;
        *next += pieces;
        Some(first)
    };
    compiled.classes.iter().map(|class| class.pieces.len()).scan(0, count).collect()
}

impl Pieces {
    fn new(board: &BlockBoard, compiled: &CompiledBoard) -> Pieces {
        let goal = board.goals.first().map_or(&[][..], Vec::as_slice);
        let place = |piece: usize| goal.iter().find(|target| matches!(target.who, Who::Piece(other) if other == piece));
        let pieces = compiled.classes.iter().flat_map(|class| {
            class.pieces.iter().map(move |&(piece, _)| {
                let shape = &board.pieces[piece].shape;
                let length = |of: fn(&Place) -> usize| shape.iter().map(of).max().map_or(0, |last| last + 1);
                let goal = place(piece).map(|Target { at, .. }| *at);
                Piece { cells: class.cells.clone(), height: length(|cell| cell.0), width: length(|cell| cell.1), goal }
            })
        });
        Pieces {
            rows: board.rows,
            columns: board.columns,
            origin: compiled.origin,
            inner: (compiled.rows, compiled.columns),
            floor: compiled.floor.clone(),
            pieces: pieces.collect(),
        }
    }

    /// Returns the value of a function, given the anchors of all pieces.
    fn read(&self, anchors: &[u32], function: usize, arguments: &[i64]) -> Option<i64> {
        if let &[row, column] = arguments {
            return Some(self.is_empty(anchors, row, column).into());
        }
        let number = usize::try_from(*arguments.first()?).ok()?;
        let piece = self.pieces.get(number)?;
        let anchor = *anchors.get(number)? as usize;
        Some(match function {
            0 => self.origin.0 + anchor / self.inner.1,
            1 => self.origin.1 + anchor % self.inner.1,
            2 => piece.height,
            3 => piece.width,
            4 => piece.cells.len(),
            5 => piece.goal?.0,
            _ => piece.goal?.1,
        } as i64)
    }

    /// Returns whether a cell is on the board, no wall, and under no piece.
    fn is_empty(&self, anchors: &[u32], row: i64, column: i64) -> bool {
        let (row, column) = (row.checked_sub(self.origin.0 as i64), column.checked_sub(self.origin.1 as i64));
        let within = |at: Option<i64>, length: usize| at.filter(|at| (0..length as i64).contains(at));
        let (Some(row), Some(column)) = (within(row, self.inner.0), within(column, self.inner.1)) else { return false };
        let cell = row * self.inner.1 as i64 + column;
        let covers = |(piece, &anchor): (&Piece, &u32)| {
            piece.cells.iter().any(|&offset| i64::from(anchor) + i64::from(offset) == cell)
        };
        self.floor[cell as usize] && !self.pieces.iter().zip(anchors).any(covers)
    }
}

/// Reads the heuristics of a file.
///
/// # Errors
/// Reports every wrong expression.
pub(super) fn read_all(
    keys: &Keys,
    file: &FileContext,
    board: &BlockBoard,
    compiled: &CompiledBoard,
) -> Result<Vec<Arc<OwnHeuristic>>, Vec<Diagnostic>> {
    if keys.span(OWN_HEURISTICS.name).is_none() {
        return Ok(Vec::new());
    }
    let (pieces, first) = (Pieces::new(board, compiled), first_of_classes(compiled));
    let quoted = |name: &str| {
        let Some(piece) = board.pieces.iter().position(|piece| piece.name == name) else {
            let known = board.pieces.iter().map(|piece| piece.name.as_str());
            return Err((format!("unknown piece `{name}`"), unknown_name(name, known)));
        };
        let is_of = |class: &super::compiled_board::Class| class.pieces.iter().any(|&(other, _)| other == piece);
        let class = compiled.classes.iter().position(is_of).unwrap_or(0);
        match &compiled.classes[class].pieces[..] {
            [_] => Ok(first[class] as i64),
            several => {
                let others = several.iter().filter(|&&(other, _)| other != piece);
                let others: Vec<String> = others.map(|&(other, _)| format!("`{}`", board.pieces[other].name)).collect();
                let message = format!("the piece `{name}` is interchangeable with {}", others.join(", "));
                Err((message, "use all of them, as in `count(p in pieces: …)`".to_owned()))
            }
        }
    };
    let set = |name, is_member: &dyn Fn(&Piece) -> bool| {
        let members = (0..).zip(&pieces.pieces).filter(|(_, piece)| is_member(piece)).map(|(number, _)| number);
        Set { name, of: Type::Element, members: members.collect() }
    };
    let vocabulary = Vocabulary {
        sets: vec![set("pieces", &|_| true), set("goal_pieces", &|piece| piece.goal.is_some())],
        constants: vec![("rows", pieces.rows as i64), ("columns", pieces.columns as i64)],
        functions: FUNCTIONS,
        missing: Vec::new(),
        element: "a piece",
        quoted: &quoted,
    };
    let mut anchors = Vec::new();
    for class in &compiled.classes {
        let from = anchors.len();
        anchors.extend(class.pieces.iter().map(|&(_, at)| u32::from(at)));
        anchors[from..].sort_unstable();
    }
    own_heuristics(keys, file, &vocabulary, Some(&|function, arguments| pieces.read(&anchors, function, arguments)))
}

/// A heuristic of the file on a board.
pub(super) struct Own {
    pieces: Pieces,
    fields: Vec<Field>,
    heuristic: Arc<OwnHeuristic>,
}

impl Own {
    pub fn new(board: &BlockBoard, compiled: &CompiledBoard, fields: &[Field], heuristic: &Arc<OwnHeuristic>) -> Own {
        Own { pieces: Pieces::new(board, compiled), fields: fields.to_vec(), heuristic: Arc::clone(heuristic) }
    }

    /// Returns the anchors of all pieces; `anchors` calls back with those in a field of the state, in ascending order.
    fn anchors(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> Vec<u32> {
        let mut all = Vec::with_capacity(self.pieces.pieces.len());
        self.fields.iter().for_each(|field| anchors(field, &mut |anchor| all.push(anchor)));
        all
    }

    /// Returns h, given the anchors in each field.
    pub fn h(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> u32 {
        let all = self.anchors(anchors);
        self.heuristic.h(&|function, arguments| self.pieces.read(&all, function, arguments))
    }

    /// Returns the parts of h, if it is a sum over pieces.
    pub fn parts(&self, anchors: impl Fn(&Field, &mut dyn FnMut(u32))) -> Parts {
        let all = self.anchors(anchors);
        let terms = self.heuristic.terms(&|function, arguments| self.pieces.read(&all, function, arguments));
        let part = |(piece, term): (i64, f64)| {
            let (origin, columns, anchor) = (self.pieces.origin, self.pieces.inner.1, all[piece as usize]);
            let place = |offset: i32| {
                let cell = anchor.wrapping_add_signed(offset) as usize;
                (origin.0 + cell / columns, origin.1 + cell % columns)
            };
            let (row, column) = place(0);
            let cells = self.pieces.pieces[piece as usize].cells.iter().map(|&offset| place(offset)).collect();
            Part { cells, ..Part::of(format!("piece at row {row}, column {column}"), term, [""; 0]) }
        };
        Parts::sum(terms.into_iter().map(part))
    }
}
