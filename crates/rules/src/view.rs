//! Views of positions: text, the names of moves, and pictures in which figures keep their identity.
//!
//! A position holds the values of all variables and a key for the figure on each cell. If a move takes a symbol from
//! one cell and puts it on another, the key moves along. Equal moves give equal keys in every replay.

mod goal;

use super::expression::Term;
use super::layout::{self, Part};
use super::looks::Looks;
use super::lurd;
use super::mechanics::mechanics;
use super::model::{ArrayLayout, Compiled, Model, MovePart};
use super::packed::Word;
use super::reduce::Reduced;
use super::sorted::sorted;
use super::space::RuleSpace;
use super::task::{Operator, Task, Value, Values, Var};
use super::text;
use super::words;
use crate::domain::mechanics::Mechanics;
use crate::domain::{GoalView, Notation, Style, View};
use crate::picture::{Cell, Disc, Figure, Form, Ground, MOST_FIGURES, Paint, Picture, movers};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

/// Variables are drawn in lanes up to this many variables and different values.
const MOST_LANES: usize = 40;
const MOST_HEADINGS: usize = 20;
/// The most cells that a value of a lane is wide.
const WIDEST_LANE: usize = 4;
/// The most cells of a goal drawing that are marked.
const MOST_WANTED: usize = 6;

/// Draws positions.
pub(super) struct Scenery {
    model: Arc<Model>,
    pub(super) looks: Looks,
    /// The variables whose figures move from one to another: the cells, and arrays that are drawn as such.
    groups: Vec<Range<usize>>,
    /// The places of the grid's cells in pictures, and the rows and columns that they need.
    grid: (Vec<Cell>, usize, usize),
    /// The cells that pictures mark because a goal drawing wants a figure there, with its symbol.
    wanted: Vec<(usize, Value)>,
}

/// Draws the positions of a puzzle.
pub(super) struct RuleView {
    puzzle: Arc<Compiled>,
    scenery: Scenery,
    /// The symbol that every move moves by one cell, for the notation `lurd`.
    mover: OnceLock<Option<Value>>,
    /// The task without unreachable operators, and the reachable values of each variable.
    narrowed: Arc<Task>,
    reached: Arc<[Values]>,
}

/// A position.
#[derive(Clone, Debug)]
pub(super) struct Position {
    /// The value of each variable.
    pub values: Vec<Value>,
    /// The key of the figure of each variable.
    keys: Vec<u64>,
    /// The next unused key.
    next: u64,
}

impl RuleView {
    /// Creates a view.
    pub fn new(puzzle: Arc<Compiled>, reduced: &Reduced) -> RuleView {
        let scenery = Scenery::new(Arc::clone(&puzzle.model), &reduced.reached);
        let (narrowed, reached) = (Arc::clone(&reduced.narrowed), Arc::clone(&reduced.lifting.reached));
        RuleView { puzzle, scenery, mover: OnceLock::new(), narrowed, reached }
    }

    fn start(&self) -> Position {
        self.scenery.position(self.puzzle.task.start.clone())
    }

    fn operator(&self, action: u32) -> &Operator {
        &self.puzzle.task.operators[action as usize]
    }

    fn apply_action(&self, position: &mut Position, action: u32) {
        let operator = self.operator(action);
        let after = operator.after(&position.values);
        // A cell whose new value depends on its own old one, such as a lamp, changes in place.
        let in_place = |var: Var| operator.effect(var).is_some_and(|source| source.reads() == Some(var));
        self.scenery.follow(position, after, in_place);
    }

    /// Returns the name of a move.
    fn name(&self, values: &[Value], operator: &Operator) -> String {
        let part = |part: &MovePart| match part {
            MovePart::Text(text) => text.clone(),
            MovePart::Symbol(var) => self.puzzle.model.world.values[*var][usize::from(values[*var])].to_string(),
        };
        self.puzzle.moves[operator.action as usize].iter().map(part).collect()
    }

    /// Returns the name of a move, with a number if a legal move before it has the same name.
    fn numbered_name(&self, values: &[Value], action: u32) -> String {
        let task = &self.puzzle.task;
        let name = self.name(values, self.operator(action));
        let is_move = |other: &Operator| {
            let after = other.after(values);
            after != values && task.is_allowed(&after)
        };
        let before = task.operators[..action as usize].iter();
        match before
            .filter(|other| task.holds(other, values) && self.name(values, other) == name && is_move(other))
            .count()
        {
            0 => name,
            before => format!("{name} #{}", before + 1),
        }
    }

    /// Returns the name of a move in the notation `lurd`, if that fits the puzzle.
    fn letter(&self, values: &[Value], action: u32) -> Option<String> {
        let world = &self.puzzle.model.world;
        let after = self.operator(action).after(values);
        let cells = world.cells();
        let find = || lurd::mover(&self.narrowed, &self.puzzle.moves, cells, world.columns).ok();
        let mover = *self.mover.get_or_init(find);
        lurd::letter(mover?, &values[..cells], &after[..cells], world.columns).map(String::from)
    }
}

impl Scenery {
    /// Creates the scenery of a model. `reached` holds the number of reachable values of each variable.
    pub fn new(model: Arc<Model>, reached: &[usize]) -> Scenery {
        let looks = Looks::new(&model, reached);
        let grid = layout::grid(model.world.rows, model.world.columns, model.grid_layout());
        let is_of_values = |layout| matches!(layout, ArrayLayout::Row | ArrayLayout::Column | ArrayLayout::Ring);
        let arrays = model.drawn_arrays().filter(|(_, layout)| is_of_values(*layout));
        let arrays = arrays.map(|(array, _)| array.first..array.first + array.len());
        let groups = std::iter::once(0..model.world.cells()).chain(arrays).collect();
        let wanted = wanted(&model, &looks);
        Scenery { model, looks, groups, grid, wanted }
    }

    /// Returns a position with new keys for all figures.
    pub fn position(&self, values: Vec<Value>) -> Position {
        let count = values.len() as u64;
        Position { values, keys: (0..count).collect(), next: count }
    }

    /// Changes the values of a position, and moves figures from cell to cell.
    pub fn shift(position: &mut Position, after: Vec<Value>, moved: &[(Var, Var)]) {
        let keys = position.keys.clone();
        for &(from, to) in moved {
            position.keys[to] = keys[from];
        }
        // What stays behind is new.
        for &(from, _) in moved.iter().filter(|(from, _)| !moved.iter().any(|(_, to)| from == to)) {
            position.keys[from] = position.next;
            position.next += 1;
        }
        position.values = after;
    }

    /// Changes the values of a position. Where a value moves from one variable to another, so does its figure, unless
    /// the variable changes in place.
    pub fn follow(&self, position: &mut Position, after: Vec<Value>, in_place: impl Fn(Var) -> bool) {
        let columns = self.model.world.columns.max(1);
        let mut keys = position.keys.clone();
        for group in &self.groups {
            let first = group.start;
            // Arrays have one row.
            let columns = if first == 0 { columns } else { usize::MAX };
            let place = |cell: &usize| ((cell - first) / columns, (cell - first) % columns);
            let is_changed = |var: &usize| position.values[*var] != after[*var] && !in_place(*var);
            let changed: Vec<usize> = group.clone().filter(is_changed).collect();
            for value in sorted(changed.iter().map(|&cell| after[cell])) {
                let having = |values: &[Value]| -> Vec<usize> {
                    changed.iter().copied().filter(|&cell| values[cell] == value).collect()
                };
                let (from, to) = (having(&position.values), having(&after));
                let places = |cells: &[usize]| cells.iter().map(place).collect::<Vec<Cell>>();
                for (cell, mover) in to.iter().zip(movers(&places(&from), &places(&to))) {
                    keys[*cell] = mover.map_or(position.next, |mover| position.keys[from[mover]]);
                    position.next += u64::from(mover.is_none());
                }
            }
        }
        position.keys = keys;
        position.values = after;
    }

    /// Draws a lane for each variable, with a column for each value; `None` if there are too many of either.
    fn lanes(&self, values: &[Value]) -> Option<Picture> {
        let world = &self.model.world;
        let mut headings: Vec<&Term> = Vec::new();
        for term in world.values.iter().flat_map(|terms| terms.iter()) {
            if !headings.contains(&term) {
                headings.push(term);
            }
            if headings.len() > MOST_HEADINGS {
                return None;
            }
        }
        if values.len() > MOST_LANES {
            return None;
        }
        // Four letters fit a cell.
        let names = self.model.names.iter().map(|name| name.chars().count());
        let longest = names.chain(headings.iter().map(|term| term.to_string().chars().count())).max().unwrap_or(1);
        let width = longest.div_ceil(4).clamp(1, WIDEST_LANE);
        let lane = |figure: Figure| Figure { cells: (0..width).map(|column| (0, column)).collect(), ..figure };
        let columns = headings.len() * width;
        let mut picture = Picture::new(values.len() + 1, columns, Ground::Floor);
        picture.ground_mut()[..columns].fill(Ground::Void);
        let at = |term: &Term| headings.iter().position(|known| *known == term).unwrap_or(0) * width;
        for (var, name) in self.model.names.iter().enumerate() {
            let terms = &world.values[var];
            for (column, _) in headings.iter().enumerate().filter(|(_, term)| !terms.contains(term)) {
                let first = (var + 1) * columns + column * width;
                picture.ground_mut()[first..first + width].fill(Ground::Void);
            }
            let place = (var + 1, at(&terms[usize::from(values[var])]));
            let figure = Figure::single(var as u64, name.clone(), Paint::Hue(var), Form::Block, place);
            picture.figures.push(lane(figure));
        }
        let head = |(column, term): (usize, &&Term)| {
            let place = (0, column * width);
            lane(Figure::single(1 << 60 | column as u64, term.to_string(), Paint::Plain, Form::Text, place))
        };
        picture.figures.extend(headings.iter().enumerate().map(head));
        picture.marks = self.lane_goals(&at, columns).into_iter().map(lane).collect();
        Some(picture)
    }

    /// Returns the values that the only goal wants of variables, if it does not accept all of them.
    fn restricted(&self) -> impl Iterator<Item = (Var, &[Value])> {
        let goal = if let [goal] = &self.model.goals[..] { Some(goal) } else { None };
        let world = &self.model.world;
        let places = goal.into_iter().flat_map(|goal| &goal.places).map(|(var, values)| (*var, &values[..]));
        places.filter(|(var, values)| values.len() < world.values[*var].len())
    }

    /// Returns marks at the values that the goal wants of variables, in lanes.
    fn lane_goals(&self, at: &dyn Fn(&Term) -> usize, columns: usize) -> Vec<Figure> {
        let model = &self.model;
        let mark = |(var, value): (Var, &Value)| {
            let place = (var + 1, at(&model.world.values[var][usize::from(*value)]));
            let key = (place.0 * columns + place.1) as u64;
            Figure::single(key, model.names[var].clone(), Paint::Hue(var), Form::Block, place)
        };
        self.restricted().flat_map(|(var, values)| values.iter().map(move |value| (var, value))).map(mark).collect()
    }

    /// Adds the values that the goal wants to the line of a variable in the table.
    fn with_goal(&self, mut words: Vec<String>) -> Vec<String> {
        let model = &self.model;
        let is_named = |(var, _): &(Var, &[Value])| words.first() == Some(&model.names[*var]);
        if let Some((var, values)) = self.restricted().find(is_named) {
            let terms = values.iter().map(|value| model.world.values[var][usize::from(*value)].to_string());
            words.push(format!("goal {}", terms.collect::<Vec<_>>().join(" or ")));
        }
        words
    }

    /// Returns whether a symbol stands where the only goal wants it: on a mark, or on a cell that pictures mark.
    fn is_done(&self, cell: usize, value: Value) -> bool {
        let [goal] = &self.model.goals[..] else { return false };
        let mark = self.model.world.marks.get(cell);
        let is_on_mark =
            |(symbol, marks): &(Value, Vec<char>)| *symbol == value && mark.is_some_and(|mark| marks.contains(mark));
        goal.every.iter().any(is_on_mark) || self.wanted.contains(&(cell, value))
    }

    /// Draws a position, with further parts below it.
    pub fn drawn(&self, position: &Position, further: Vec<Part>) -> Picture {
        let model = &self.model;
        let has_layout = |array: usize| model.layouts.iter().any(|(known, _)| *known == array);
        let lines = text::named(model, &position.values, |array| !has_layout(array));
        let goals: Vec<(Var, &[Value])> = self.restricted().collect();
        let words = (!model.layouts.is_empty() || !further.is_empty())
            .then(|| words::of_layouts(model, &self.looks, &position.values, &lines, &goals));
        let lines: Vec<Vec<String>> = lines.into_iter().map(|words| self.with_goal(words)).collect();
        if model.world.rows == 0 && model.layouts.is_empty() && further.is_empty() {
            return self.lanes(&position.values).unwrap_or_else(|| stacked(vec![layout::table(&lines)]));
        }
        let mut parts = layout::parts(model, &self.looks, &position.values, &position.keys);
        if model.world.rows > 0 {
            parts.insert(0, self.grid_part(position));
        }
        if !lines.is_empty() {
            parts.push(layout::table(&lines));
        }
        parts.extend(further);
        Picture { words, ..self.assembled(parts, &position.values) }
    }

    /// Returns a picture of parts below each other. The first one is the grid, if there is one, with these values.
    fn assembled(&self, parts: Vec<Part>, values: &[Value]) -> Picture {
        let model = &self.model;
        let mut picture = stacked(parts);
        picture.sprites = Arc::clone(&self.looks.sprites);
        let (places, rows, columns) = &self.grid;
        // With a layout of its own, cells that are neighbours may be far apart.
        if (*rows, *columns) == (model.world.rows, model.world.columns) {
            picture.fences = model.fences.clone().unwrap_or_default();
        }
        let cell_at: HashMap<Cell, usize> = places.iter().enumerate().map(|(cell, place)| (*place, cell)).collect();
        let is_used = |(row, column): Cell| {
            let is_marked = |cell: usize| model.world.marks.get(cell).is_some_and(|mark| is_drawn_mark(*mark));
            let is_bare = |cell: usize| self.looks.is_bare(cell, values[cell]) && !is_marked(cell);
            !(row < *rows && column < *columns && cell_at.get(&(row, column)).is_some_and(|&cell| is_bare(cell)))
        };
        picture.clear_outside(is_used);
        let (ground, width) = (Arc::clone(&picture.ground), picture.columns);
        let is_void = |(row, column): Cell| ground[row * width + column] == Ground::Void;
        picture.marks.retain(|mark| mark.form != Form::Fill || !is_void(mark.at));
        picture
    }

    /// Returns the discs of the grid's cells, if it is a ring.
    fn discs(&self) -> Vec<(Cell, Disc)> {
        if self.model.grid_layout() == Some(ArrayLayout::Ring) { layout::discs(&self.grid) } else { Vec::new() }
    }

    /// Returns the grid as a part of a picture.
    fn grid_part(&self, position: &Position) -> Part {
        let model = &self.model;
        let (places, rows, columns) = &self.grid;
        let mut part = Part { rows: *rows, columns: *columns, discs: self.discs(), ..Part::default() };
        for (cell, &place) in places.iter().enumerate() {
            let value = position.values[cell];
            part.ground.push((place, self.looks.ground(cell, value)));
            if let Some((label, paint, form)) = self.looks.figure(cell, value) {
                let is_done = form != Form::Fill && self.is_done(cell, value);
                let paint = if is_done { Paint::Done } else { paint };
                part.figures.push(Figure::single(position.keys[cell], label, paint, form, place));
            }
            if let Some((label, paint, form)) = self.looks.fill_of_ground(cell, self.model.start[cell]) {
                part.marks.push(Figure::single(cell as u64, label, paint, form, place));
            }
        }
        let marks = model.world.marks.iter().enumerate().filter(|(_, mark)| is_drawn_mark(**mark));
        let mark =
            |(cell, mark): (usize, &char)| Figure::single(cell as u64, *mark, Paint::Accent, Form::Block, places[cell]);
        part.marks.extend(marks.map(mark));
        let wanted = |&(cell, value): &(usize, Value)| {
            let (label, _, form) = self.looks.figure(cell, value)?;
            let label = if label.chars().all(char::is_alphanumeric) { label } else { String::new() };
            let form = if form == Form::Token { form } else { Form::Block };
            Some(Figure::single(cell as u64, label, Paint::Accent, form, places[cell]))
        };
        part.marks.extend(self.wanted.iter().filter_map(wanted));
        part.figures.sort_by_key(|figure| figure.key);
        part
    }
}

/// Returns the cells on which the only goal, a drawing, wants figures that are not there at the start, with their
/// symbols. If there are many, or the file has marks of its own, pictures mark none of them.
fn wanted(model: &Model, looks: &Looks) -> Vec<(usize, Value)> {
    let cells = model.world.cells();
    let [goal] = &model.goals[..] else { return Vec::new() };
    if model.world.marks.iter().any(|mark| is_drawn_mark(*mark)) {
        return Vec::new();
    }
    let wanted = goal.places.iter().filter_map(|(cell, values)| match values[..] {
        [value] if *cell < cells && value != model.start[*cell] => Some((*cell, value)),
        _ => None,
    });
    let is_figure =
        |&(cell, value): &(usize, Value)| looks.figure(cell, value).is_some_and(|(.., form)| form != Form::Fill);
    let wanted: Vec<(usize, Value)> = wanted.filter(is_figure).collect();
    if wanted.len() <= MOST_WANTED.min(cells / 4) { wanted } else { Vec::new() }
}

/// Returns whether pictures show a mark. A `.` is none, and a `#` is drawn on walls.
fn is_drawn_mark(mark: char) -> bool {
    mark != '.' && mark != '#'
}

/// Returns a picture of parts below each other, with an empty row between them.
fn stacked(parts: Vec<Part>) -> Picture {
    let columns = parts.iter().map(|part| part.columns).max().unwrap_or(0);
    let rows = parts.iter().map(|part| part.rows + 1).sum::<usize>().max(1) - 1;
    let mut picture = Picture::new(rows, columns, Ground::Void);
    let (mut top, mut discs, mut areas) = (0, BTreeMap::new(), Vec::new());
    for part in parts {
        let lower = |mut figure: Figure| {
            figure.at.0 += top;
            figure
        };
        picture.marks.extend(part.marks.into_iter().map(lower));
        picture.figures.extend(part.figures.into_iter().map(lower));
        discs.extend(part.discs.into_iter().map(|((row, column), disc)| ((row + top, column), disc)));
        let lowered = |area: Vec<Cell>| area.into_iter().map(|(row, column)| (row + top, column)).collect();
        areas.extend(part.areas.into_iter().map(lowered));
        let ground = picture.ground_mut();
        part.ground.into_iter().for_each(|((row, column), kind)| ground[(row + top) * columns + column] = kind);
        top += part.rows + 1;
    }
    picture.discs = Arc::new(discs);
    picture.areas = Arc::new(areas);
    picture
}

impl<W: Word> View<RuleSpace<W>> for RuleView {
    type Position = Position;

    fn initial(&self) -> Position {
        self.start()
    }

    fn position(&self, space: &RuleSpace<W>, state: &W) -> Option<Position> {
        Some(self.scenery.position(space.lifted(state)))
    }

    fn apply(&self, position: &mut Position, action: u32) {
        self.apply_action(position, action);
    }

    fn notation(&self, position: &Position, action: u32, notation: Notation) -> String {
        let letter = if notation == Notation::LURD { self.letter(&position.values, action) } else { None };
        letter.unwrap_or_else(|| self.numbered_name(&position.values, action))
    }

    fn draw(&self, position: &Position, _style: Style) -> String {
        text::drawn(&self.puzzle.model, &position.values)
    }

    fn picture(&self, position: &Position) -> Option<Picture> {
        Some(self.scenery.drawn(position, Vec::new())).filter(|picture| picture.figures.len() <= MOST_FIGURES)
    }

    fn goal(&self) -> GoalView {
        self.scenery.goal_view()
    }

    fn mechanics(&self, _space: &RuleSpace<W>) -> Option<Mechanics> {
        Some(mechanics(&self.puzzle, &self.narrowed, &self.reached))
    }

    fn figures(&self, values: &[u32]) -> Vec<Figure> {
        let values = values.iter().map(|&value| value as Value).collect();
        self.scenery.drawn(&self.scenery.position(values), Vec::new()).figures
    }
}
