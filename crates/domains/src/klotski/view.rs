//! Drawings and pictures of sliding blocks, and the notation of moves.

use super::bits::{Bits, Packed};
use super::board::{BlockBoard, Direction, Metric, Moves as Freedom, Place, Target, Who};
use super::compiled_board::{CellIndex, CompiledBoard};
use super::pieces::Action;
use super::space::BlockSpace;
use crate::domain::mechanics::{self, Block, BlockStep, BlockUnit, Blocks, Mechanics, Moves, ValueSet};
use crate::domain::{Alternative, GoalView, Notation, Style, View};
use crate::picture::{Exit, Figure, Form, Ground, MOST_CELLS, MOST_FIGURES, Paint, Picture, Side};
use std::collections::{HashSet, VecDeque};
use std::fmt::Write;
use std::sync::Arc;

/// The most pieces of a goal that are drawn in the accent colour.
const MOST_ACCENTED: usize = 3;

/// The view of a board.
pub(super) struct BlockView {
    pub board: Arc<BlockBoard>,
    pub compiled: Arc<CompiledBoard>,
}

impl<B: Bits, K: Packed> View<BlockSpace<B, K>> for BlockView {
    /// The anchor of each piece.
    type Position = Vec<CellIndex>;

    fn initial(&self) -> Vec<CellIndex> {
        self.board.pieces.iter().map(|piece| self.compiled.index(piece.at)).collect()
    }

    fn position(&self, space: &BlockSpace<B, K>, key: &K) -> Option<Vec<CellIndex>> {
        let mut position = vec![0; self.board.pieces.len()];
        for (class, pieces) in self.compiled.classes.iter().zip(&space.pieces.classes) {
            let mut numbers = class.pieces.iter();
            B::load(key, &pieces.field).for_each(|anchor| {
                if let Some(&(piece, _)) = numbers.next() {
                    position[piece] = anchor as CellIndex;
                }
            });
        }
        Some(position)
    }

    fn apply(&self, position: &mut Vec<CellIndex>, action: Action) {
        let piece = self.mover(position, action);
        position[piece] = action.to;
    }

    fn notation(&self, position: &Vec<CellIndex>, action: Action, _notation: Notation) -> String {
        let mut written = self.board.pieces[self.mover(position, action)].name.clone();
        let path = self.path(position, action);
        for run in path.chunk_by(|one, next| one == next) {
            let _ = write!(written, "{}{}", run[0].letter(), run.len());
        }
        written
    }

    fn draw(&self, position: &Vec<CellIndex>, _style: Style) -> String {
        let pieces = self.board.pieces.iter().zip(position);
        self.drawn(pieces.map(|(piece, &anchor)| (&*piece.name, &*piece.shape, self.compiled.place(anchor))))
    }

    fn picture(&self, position: &Vec<CellIndex>) -> Option<Picture> {
        self.picture_of(position)
    }

    fn goal(&self) -> GoalView {
        GoalView::of(&self.board.goals, |goal| self.alternative(goal))
    }

    fn mechanics(&self, _space: &BlockSpace<B, K>) -> Option<Mechanics> {
        Some(self.rules_as_data())
    }

    fn figures(&self, values: &[u32]) -> Vec<Figure> {
        let columns = self.board.columns;
        let anchor = |&cell: &u32| self.compiled.index((cell as usize / columns, cell as usize % columns));
        self.picture_of(&values.iter().map(anchor).collect::<Vec<_>>()).map_or(Vec::new(), |picture| picture.figures)
    }
}

impl BlockView {
    /// Returns a board with some pieces as rows of text: for each, its name, its shape and its place.
    fn drawn<'a>(&self, placed: impl Iterator<Item = (&'a str, &'a [Place], Place)>) -> String {
        let BlockBoard { rows, columns, walls, gates, pieces, .. } = &*self.board;
        let mut drawing = vec![vec!["."; *columns]; *rows];
        for (row, line) in drawing.iter_mut().enumerate() {
            for (column, cell) in line.iter_mut().enumerate() {
                if walls.has((row, column)) {
                    *cell = "#";
                } else if gates.has((row, column)) {
                    *cell = "=";
                }
            }
        }
        for (name, shape, (row, column)) in placed {
            for &(r, c) in shape {
                drawing[row + r][column + c] = name;
            }
        }
        // Names of several letters are separated by spaces.
        let width = pieces.iter().map(|piece| piece.name.chars().count()).max().unwrap_or(1);
        if width == 1 {
            return drawing.into_iter().map(|line| line.concat() + "\n").collect();
        }
        let row = |line: Vec<&str>| line.iter().map(|cell| format!("{cell:<width$}")).collect::<Vec<_>>().join(" ");
        drawing.into_iter().map(|line| row(line).trim_end().to_owned() + "\n").collect()
    }

    /// Returns a goal for people: the board with the pieces that it requires, and nothing else.
    fn alternative(&self, goal: &[Target]) -> Alternative {
        let pieces = &self.board.pieces;
        let is_name = |name: &str| pieces.iter().any(|piece| piece.name == name);
        let any = ["*", "+", "!", "&"].into_iter().find(|name| !is_name(name)).unwrap_or("*");
        let name = |target: &Target| match &target.who {
            Who::Piece(piece) => pieces[*piece].name.clone(),
            Who::Shape(_) => any.to_owned(),
        };
        let placed: Vec<(String, &[Place], Place)> =
            goal.iter().map(|target| (name(target), self.board.shape_of(target), target.at)).collect();
        let mut words = Vec::new();
        if goal.iter().any(|target| matches!(target.who, Who::Shape(_))) {
            words.push(format!("`{any}` is any piece of this shape"));
        }
        if goal.len() < pieces.len() {
            words.push("the other pieces may be anywhere".to_owned());
        }
        let drawing = self.drawn(placed.iter().map(|(name, shape, at)| (&**name, *shape, *at)));
        let start: Vec<CellIndex> = pieces.iter().map(|piece| self.compiled.index(piece.at)).collect();
        let picture = self.picture_of(&start).map(|start| {
            let own_paint = self.own_paints();
            let figure = |(number, (name, shape, at)): (usize, (String, &[Place], Place))| {
                let paint = match goal[number].who {
                    Who::Piece(piece) => own_paint(piece),
                    Who::Shape(_) => Paint::Accent,
                };
                Figure { key: number as u64, label: name, paint, form: Form::Block, at, cells: shape.to_vec() }
            };
            let figures = placed.into_iter().enumerate().map(figure).collect();
            Picture { figures, marks: Vec::new(), ..start }
        });
        Alternative { drawing: Some(drawing), picture, words }
    }

    /// Returns the colour of each piece that is not at its goal, by the piece's number.
    fn own_paints(&self) -> impl Fn(usize) -> Paint + use<> {
        // The pieces that may enter gates are those that a goal requires. Many of them keep colours of their own.
        let in_goal = self.board.may_enter_gates();
        let are_few = in_goal.iter().filter(|is| **is).count() <= MOST_ACCENTED;
        move |piece| if in_goal[piece] && are_few { Paint::Accent } else { Paint::Hue(piece) }
    }

    /// Returns a picture of the pieces. If there is only one goal, its required places are marked, and pieces that
    /// stand there look done.
    fn picture_of(&self, position: &[CellIndex]) -> Option<Picture> {
        let BlockBoard { rows, columns, walls, gates, pieces, goals, .. } = &*self.board;
        if rows * columns > MOST_CELLS || pieces.len() > MOST_FIGURES {
            return None;
        }
        let mut picture = Picture::new(*rows, *columns, Ground::Floor);
        for (cell, ground) in picture.ground_mut().iter_mut().enumerate() {
            let place = (cell / columns, cell % columns);
            *ground = match (walls.has(place), gates.has(place)) {
                (true, _) => Ground::Wall,
                (_, true) => Ground::Gate,
                _ => Ground::Floor,
            };
        }
        let own_paint = self.own_paints();
        for (number, (piece, &anchor)) in pieces.iter().zip(position).enumerate() {
            let at = self.compiled.place(anchor);
            let is_home =
                |target: &Target| matches!(target.who, Who::Piece(piece) if piece == number && target.at == at);
            let paint = match &goals[..] {
                [goal] if goal.iter().any(is_home) => Paint::Done,
                _ => own_paint(number),
            };
            let (label, at, cells) = (piece.name.clone(), at, piece.shape.clone());
            picture.figures.push(Figure { key: number as u64, label, paint, form: Form::Block, at, cells });
        }
        if let [goal] = &goals[..] {
            let mark = |(number, target): (usize, &Target)| {
                let (label, paint, cells) = match &target.who {
                    Who::Piece(piece) => (pieces[*piece].name.clone(), own_paint(*piece), pieces[*piece].shape.clone()),
                    Who::Shape(shape) => (String::new(), Paint::Accent, shape.clone()),
                };
                Figure { key: number as u64, label, paint, form: Form::Block, at: target.at, cells }
            };
            picture.marks = goal.iter().enumerate().map(mark).collect();
        }
        // Where no piece ever is, outside of the walls, is no floor: whatever is in use is so at the start.
        let used: HashSet<Place> = pieces
            .iter()
            .flat_map(|piece| piece.shape.iter().map(|&(r, c)| (piece.at.0 + r, piece.at.1 + c)))
            .collect();
        let marked: HashSet<Place> = picture.marks.iter().flat_map(Figure::covered).collect();
        picture.clear_outside(|cell| used.contains(&cell) || marked.contains(&cell));
        picture.exits = self.exits();
        Some(picture)
    }

    /// Returns the gaps in the frame through which the piece of the goal leaves, as in Rush Hour: if the goal is one
    /// place of one piece, at one edge of the board to which the piece can move.
    fn exits(&self) -> Vec<Exit> {
        let BlockBoard { rows, columns, pieces, goals, .. } = &*self.board;
        let [[Target { who: Who::Piece(piece), at }]] = goals.iter().map(|goal| &goal[..]).collect::<Vec<_>>()[..]
        else {
            return Vec::new();
        };
        let piece = &pieces[*piece];
        let cells: Vec<Place> = piece.shape.iter().map(|&(row, column)| (at.0 + row, at.1 + column)).collect();
        let height = piece.shape.iter().map(|cell| cell.0 + 1).max().unwrap_or(0);
        let width = piece.shape.iter().map(|cell| cell.1 + 1).max().unwrap_or(0);
        let (across, upright) = match piece.moves {
            Freedom::Any => (true, true),
            Freedom::Horizontal => (true, false),
            Freedom::Vertical => (false, true),
            Freedom::Lengthwise => (width >= height, height >= width),
            Freedom::None => (false, false),
        };
        let sides = [
            (Side::Top, upright && at.0 == 0),
            (Side::Right, across && at.1 + width == *columns),
            (Side::Bottom, upright && at.0 + height == *rows),
            (Side::Left, across && at.1 == 0),
        ];
        let touched: Vec<Side> = sides.into_iter().filter(|(_, touches)| *touches).map(|(side, _)| side).collect();
        let [side] = touched[..] else { return Vec::new() };
        let gap = |&(row, column): &Place| match side {
            Side::Top if row == 0 => Some(column),
            Side::Right if column + 1 == *columns => Some(row),
            Side::Bottom if row + 1 == *rows => Some(column),
            Side::Left if column == 0 => Some(row),
            _ => None,
        };
        cells.iter().filter_map(gap).map(|at| Exit { side, at }).collect()
    }

    /// Returns the rules as data. The place of a block is the cell of its anchor on the board.
    fn rules_as_data(&self) -> Mechanics {
        let CompiledBoard { classes, goals, .. } = &*self.compiled;
        let flat = |(row, column): Place| (row * self.board.columns + column) as u32;
        let cell = |anchor: usize| flat(self.compiled.place(anchor as CellIndex));
        let cells = |is_one: &[bool]| -> ValueSet {
            is_one.iter().enumerate().filter(|(_, one)| **one).map(|(anchor, _)| cell(anchor)).collect()
        };
        let mut class_of = vec![0; self.board.pieces.len()];
        for (number, class) in classes.iter().enumerate() {
            class.pieces.iter().for_each(|&(piece, _)| class_of[piece] = number);
        }
        let block = |(piece, &class): (&super::board::Piece, &usize)| {
            let step = |step: &super::compiled_board::ClassStep| {
                let (down, right) = step.direction.delta();
                let by = i64::from(down) * self.board.columns as i64 + i64::from(right);
                BlockStep { letter: step.direction.letter(), by, from: cells(&step.from) }
            };
            let steps = classes[class].steps.iter().map(step).collect();
            Block { name: piece.name.clone(), cells: piece.shape.iter().copied().map(flat).collect(), class, steps }
        };
        let target = |goal: &Vec<super::compiled_board::Placement>| {
            let demand = |placement: &super::compiled_board::Placement| {
                let pieces = placement.classes.iter().flat_map(|&class| &classes[class].pieces);
                pieces.map(|&(piece, _)| vec![(piece, vec![cell(placement.at.into())])]).collect()
            };
            mechanics::Target { disjunctions: goal.iter().map(demand).collect(), ..mechanics::Target::default() }
        };
        let unit = match self.board.metric {
            Metric::Step => BlockUnit::Step,
            Metric::Slide => BlockUnit::Line,
            Metric::Turn => BlockUnit::Path,
        };
        Mechanics {
            start: self.board.pieces.iter().map(|piece| flat(piece.at)).collect(),
            domains: class_of.iter().map(|&class| cells(&classes[class].placements)).collect(),
            goals: goals.iter().map(target).collect(),
            moves: Moves::Blocks(Blocks { blocks: self.board.pieces.iter().zip(&class_of).map(block).collect(), unit }),
        }
    }

    /// Returns the piece that an action moves.
    fn mover(&self, position: &[CellIndex], action: Action) -> usize {
        let class = &self.compiled.classes[usize::from(action.class)];
        let mover = class.pieces.iter().find(|&&(piece, _)| position[piece] == action.from);
        mover.expect("a piece of the class is at the origin of the move").0
    }

    /// Returns a shortest path of an action, step by step; of several, the first by direction.
    fn path(&self, position: &[CellIndex], action: Action) -> Vec<Direction> {
        let mover = self.mover(position, action);
        let class = &self.compiled.classes[usize::from(action.class)];
        let others = position.iter().enumerate().filter(|&(piece, _)| piece != mover);
        let mut filled = vec![false; self.compiled.cells()];
        for (piece, &anchor) in others {
            let (row, column) = self.compiled.place(anchor);
            for &(r, c) in &self.board.pieces[piece].shape {
                let place: Place = (row + r, column + c);
                filled[usize::from(self.compiled.index(place))] = true;
            }
        }
        let mut predecessor: Vec<Option<(CellIndex, Direction)>> = vec![None; self.compiled.cells()];
        let mut queue = VecDeque::from([action.from]);
        while let Some(anchor) = queue.pop_front().filter(|&anchor| anchor != action.to) {
            for step in class.steps.iter().filter(|step| step.from[usize::from(anchor)]) {
                let next = (i32::from(anchor) + step.delta) as CellIndex;
                let free = class.cells.iter().all(|&cell| !filled[(i32::from(next) + cell) as usize]);
                if free && next != action.from && predecessor[usize::from(next)].is_none() {
                    predecessor[usize::from(next)] = Some((anchor, step.direction));
                    queue.push_back(next);
                }
            }
        }
        let mut path = Vec::new();
        let mut at = action.to;
        while let Some((before, direction)) = predecessor[usize::from(at)] {
            path.push(direction);
            at = before;
        }
        path.reverse();
        path
    }
}
