//! The validated puzzle, with all names resolved: the input of the compiler.

use super::expression::{
    Array, Collection, EvalError, Evaluator, Expr, GRID, Item, Kind, PileExpr, Term, World, extended, visit,
};
use super::task::{Task, Value, Values, Var};
use crate::document::Spanned;
use crate::domain::OwnHeuristic;
use crate::fences::{Fences, towards};
use crate::picture::{Form, Ground, Paint};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// A validated puzzle. The variables are the cells of the grid, row by row, then the named ones in the order of the
/// file.
#[derive(Clone, Debug, Default)]
pub(super) struct Model {
    pub world: World,
    /// The names of variables: `cell[0, 3]`, `disk[2]`, `farmer`.
    pub names: Vec<String>,
    /// The symbols that a cell may hold, in the order of its values.
    pub symbols: Vec<char>,
    /// The number of symbols that are not only values of parameters in drawings. They come first.
    pub drawn_symbols: usize,
    /// The symbols that turn with drawings, if there are any.
    pub arrows: Option<Arrows>,
    /// The thin walls between cells, if there are any.
    pub fences: Option<Arc<Fences>>,
    pub start: Vec<Value>,
    /// A superset of each variable's reachable values, known before the rules are compiled. If empty, all values.
    pub ranges: Vec<Values>,
    pub rules: Vec<Rule>,
    /// The consequences of moves, in the order of the file: rules without a name and with a cost of 0.
    pub after: Vec<Rule>,
    /// The symbols of bodies: cells that touch form one body if their symbols are in the same list. A symbol is in at
    /// most one.
    pub bodies: Vec<Vec<Value>>,
    /// The items at the start of each pile of the world, bottom first.
    pub start_piles: Vec<Vec<Item>>,
    /// The goals; a state needs to satisfy one.
    pub goals: Vec<ModelGoal>,
    /// Conditions of which none may hold after a move.
    pub never: Vec<Written>,
    /// The heuristics of the file.
    pub own: Vec<Arc<OwnExpression>>,
    /// The appearance of symbols, of values and of variables, by what the file calls them.
    pub looks: BTreeMap<String, SymbolAppearance>,
    pub sprites: Vec<SpriteText>,
    /// The arrays with a layout in pictures, by index, in the order of the file.
    pub layouts: Vec<(usize, ArrayLayout)>,
}

/// An expression, with its text in the file.
#[derive(Clone, Debug)]
pub(super) struct Written {
    pub expr: Expr,
    pub text: Spanned<String>,
}

/// A heuristic of the file with its expression.
#[derive(Debug)]
pub(super) struct OwnExpression {
    pub heuristic: Arc<OwnHeuristic>,
    pub written: Written,
}

/// A rule, with all bindings of its parameters.
#[derive(Clone, Debug)]
pub(super) struct Rule {
    pub name: Vec<NamePart>,
    /// The bytes of its name in the file.
    pub span: Range<usize>,
    pub drawing: Option<RewritePattern>,
    /// Its other drawings, which lie at places of their own, in the same image. All have the same sets.
    pub further: Vec<RewritePattern>,
    /// The parameters with their values, in order; the last changes fastest.
    pub parameters: Vec<(String, Vec<Term>)>,
    /// The letters of sets that expressions may name. In expressions they follow the parameters.
    pub letters: Vec<Letter>,
    /// All conditions must hold.
    pub when: Vec<Written>,
    pub then: Vec<Assignment>,
    /// The cost; if the file has none, 1 at the place of the name.
    pub cost: Written,
    /// True if a pass applies it at all places at once.
    pub all: bool,
    /// True if a consequence applies only in the image of the move.
    pub in_image_of_move: bool,
    /// The shift of a body. A rule with one has no drawing.
    pub shift: Option<Shift>,
    /// The move of items from pile to pile. A rule may have one in addition to a drawing.
    pub carry: Option<Carry>,
}

/// The shift of a body by one cell in the direction of the image.
#[derive(Clone, Debug)]
pub(super) struct Shift {
    /// The symbols of the cells whose bodies move.
    pub moved: Vec<Value>,
    /// The symbols whose bodies are pushed along.
    pub push: Vec<Value>,
    /// The symbols that may be covered. Vacated cells become the first of them.
    pub into: Vec<Value>,
    pub images: Vec<Image>,
}

/// The move of the top items of a pile onto another.
#[derive(Clone, Debug)]
pub(super) struct Carry {
    pub from: PileExpr,
    pub to: PileExpr,
    /// The number of items; if the file has none, 1 at the place of the table.
    pub count: Written,
    /// True if the items arrive in reverse.
    pub turned: bool,
}

impl Rule {
    /// Returns the images in which it applies; none if it has no place.
    pub fn images(&self) -> &[Image] {
        match (&self.drawing, &self.shift) {
            (Some(drawing), _) => &drawing.images,
            (None, Some(shift)) => &shift.images,
            (None, None) => &[],
        }
    }

    /// Returns its drawings.
    pub fn drawings(&self) -> impl Iterator<Item = &RewritePattern> {
        self.drawing.iter().chain(&self.further)
    }

    /// Returns its expressions, those of targets and of piles included.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let written = self.when.iter().chain(self.then.iter().map(|then| &then.value)).chain([&self.cost]);
        let written = written.chain(self.carry.iter().map(|carry| &carry.count)).map(|written| &written.expr);
        let of_targets = self.then.iter().flat_map(Assignment::of_target);
        let of_piles = self.carry.iter().flat_map(|carry| [&carry.from, &carry.to]).flat_map(PileExpr::indices);
        written.chain(of_targets).chain(of_piles)
    }

    /// Returns whether the name of one of its moves may have spaces.
    pub fn has_spaces(&self, world: &World) -> bool {
        self.name.iter().any(|part| match part {
            NamePart::Text(text) => text.contains(' '),
            NamePart::Parameter(number) => {
                self.parameters[*number].1.iter().any(|term| world.written(term).contains(char::is_whitespace))
            }
            NamePart::Set(_) | NamePart::Place(..) | NamePart::PlaceOf(_) | NamePart::Direction => false,
        })
    }
}

/// The letter of a set in `from`, as expressions use it: the symbol that it matched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Letter {
    /// Its index among the sets of the drawing.
    pub set: usize,
    /// True if some expression reads it.
    pub is_read: bool,
    /// True if a target of `then` depends on it.
    pub is_in_target: bool,
}

/// A part of the name of a rule's moves.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum NamePart {
    Text(String),
    /// The value of the parameter with this index.
    Parameter(usize),
    /// The symbol that the set with this index matched.
    Set(usize),
    /// The place on the grid of the pattern's cell at this row and column of the file.
    Place(usize, usize),
    /// The place of the further drawing with this index.
    PlaceOf(usize),
    Direction,
}

/// A pattern that rewrites a part of the grid.
#[derive(Clone, Debug)]
pub(super) struct RewritePattern {
    pub height: usize,
    pub width: usize,
    /// Row by row.
    pub from: Vec<From>,
    pub to: Vec<To>,
    /// The required mark of each cell, if any.
    pub on: Vec<Option<char>>,
    /// The set letters in `from`, with the values that they match.
    pub sets: Vec<(char, Vec<Value>)>,
    /// The anchor: the cell whose place names a move.
    pub at: (usize, usize),
    pub images: Vec<Image>,
    pub edge: Edge,
    pub repeat: bool,
    /// The cells that hold values of parameters. A pattern on the grid has none, and no run.
    pub holes: Vec<Hole>,
    pub run: Option<Run>,
    /// The column behind which cells were inserted for a run, and their number.
    pub stretch: Option<(usize, usize)>,
}

impl RewritePattern {
    /// Returns a pattern of one cell that may be anything and stays as it is.
    pub fn cell() -> RewritePattern {
        RewritePattern {
            height: 1,
            width: 1,
            from: vec![From::Anything],
            to: vec![To::Same],
            on: vec![None],
            sets: Vec::new(),
            at: (0, 0),
            images: Vec::new(),
            edge: Edge::Fit,
            repeat: false,
            holes: Vec::new(),
            run: None,
            stretch: None,
        }
    }
}

/// A cell of a pattern that holds the value of a parameter.
#[derive(Clone, Debug)]
pub(super) struct Hole {
    /// Its index among the cells.
    pub cell: usize,
    /// True in `to`, false in `from`.
    pub in_to: bool,
    /// The index of the parameter.
    pub parameter: usize,
}

/// A cell of a pattern that stands for one or more cells. The pattern has one row.
#[derive(Clone, Debug)]
pub(super) struct Run {
    /// The index of the parameter that counts its cells.
    pub parameter: usize,
    /// Its column in `from`, `to` and `on`.
    pub from: usize,
    pub to: usize,
    pub on: usize,
    /// Its column in the drawing whose cells `at` and names of moves count: `from`, else `to`.
    pub main: usize,
}

/// The precondition of a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum From {
    Anything,
    Symbol(Value),
    /// Any symbol of the set with this index; equal letters match equal symbols.
    Set(usize),
}

/// The effect on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) enum To {
    Same,
    Symbol(Value),
    /// The symbol that the set with this index matched.
    Set(usize),
    /// The image of the old symbol under the map with this index.
    Map(usize),
}

/// The treatment of pattern cells beyond the edge of the grid.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Edge {
    /// The pattern must lie on the grid.
    #[default]
    Fit,
    /// Cells beyond the edge are ignored.
    Clip,
    /// The grid wraps around.
    Wrap,
}

/// One of the eight images of a pattern: rotated clockwise by quarter turns, then possibly reflected left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Image {
    pub quarters: u8,
    pub mirrored: bool,
    /// The direction in the names of moves.
    pub direction: &'static str,
}

impl Image {
    /// Returns the place of a pattern cell relative to the anchor `at`, in rows down and columns to the right.
    pub fn offset(&self, at: (usize, usize), (row, column): (usize, usize)) -> (i64, i64) {
        self.rotate((row as i64 - at.0 as i64, column as i64 - at.1 as i64))
    }

    /// Returns the offset of one step in the direction of the image.
    pub fn forward(&self) -> (i64, i64) {
        self.rotate((0, 1))
    }

    /// Returns the offset of one row down in the drawing.
    pub fn downward(&self) -> (i64, i64) {
        self.rotate((1, 0))
    }

    fn rotate(&self, (down, right): (i64, i64)) -> (i64, i64) {
        let (down, right) = match self.quarters {
            0 => (down, right),
            1 => (right, -down),
            2 => (-down, -right),
            _ => (-right, down),
        };
        (down, if self.mirrored { -right } else { right })
    }

    /// Returns the images of a pattern, in the order of the moves.
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

/// The symbols that turn with a drawing: for each symbol, that after a clockwise quarter turn, and after mirroring left
/// to right.
#[derive(Clone, Debug)]
pub(super) struct Arrows {
    pub quarter: Vec<Value>,
    pub mirror: Vec<Value>,
}

/// An assignment to one or more variables. All assignments of a rule are simultaneous and read the old state.
#[derive(Clone, Debug)]
pub(super) struct Assignment {
    pub target: Target,
    /// The collections of the names bound in the target: one assignment for each combination of their values.
    pub collections: Vec<Collection>,
    pub value: Written,
}

impl Assignment {
    /// Returns the bindings of a rule's parameters, extended by each choice of the names bound in the target. `members`
    /// returns the values of a collection.
    pub fn bindings<E>(
        &self,
        parameters: &[Term],
        mut members: impl FnMut(&Collection, &mut Vec<Term>) -> Result<Vec<Term>, E>,
    ) -> Result<Vec<Vec<Term>>, E> {
        let mut all = vec![parameters.to_vec()];
        for collection in &self.collections {
            let mut longer = Vec::new();
            for mut parameters in all {
                let terms = members(collection, &mut parameters)?;
                longer.extend(extended(&parameters, &terms));
            }
            all = longer;
        }
        Ok(all)
    }

    /// Returns the variable that it assigns with one of these bindings.
    pub fn var(&self, evaluator: &Evaluator, parameters: &[Term]) -> Result<Var, EvalError> {
        match &self.target {
            Target::Variable(var) => Ok(*var),
            Target::Element(array, indices) => evaluator.element(*array, indices, &mut parameters.to_vec()),
            Target::Parameter(number) => match &parameters[*number] {
                Term::Name(name) => evaluator.world.variable(name).ok_or(EvalError::Undefined),
                _ => Err(EvalError::Undefined),
            },
        }
    }

    /// Returns the expressions of its target: its indices, and the collections of its bound names.
    pub fn of_target(&self) -> impl Iterator<Item = &Expr> {
        let indices = match &self.target {
            Target::Element(_, indices) => &indices[..],
            Target::Variable(_) | Target::Parameter(_) => &[],
        };
        indices.iter().chain(self.collections.iter().flat_map(Collection::parts))
    }
}

#[derive(Clone, Debug)]
pub(super) enum Target {
    Variable(Var),
    /// An element of the array with this index.
    Element(usize, Vec<Expr>),
    /// The variable that the parameter with this index names.
    Parameter(usize),
}

/// A goal; all of its parts must hold.
#[derive(Clone, Debug, Default)]
pub(super) struct ModelGoal {
    /// The bytes of the file that hold it.
    pub span: Range<usize>,
    /// Variables, with their allowed values.
    pub places: Vec<(Var, Vec<Value>)>,
    /// The least and the greatest number of cells with one of these values.
    pub counts: Vec<(Vec<Value>, u32, u32)>,
    /// Piles, by their numbers among those of the world, with the items that they must hold, bottom first.
    pub piles: Vec<(usize, Vec<Item>)>,
    /// Every cell with this value must have one of these marks.
    pub every: Vec<(Value, Vec<char>)>,
    /// The drawing that must lie somewhere on the grid.
    pub anywhere: Option<AnywhereDrawing>,
    pub when: Vec<Written>,
}

/// A drawing that may lie anywhere on the grid. No fence parts two neighbouring cells of it, neither of which is `?`.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct AnywhereDrawing {
    pub height: usize,
    pub width: usize,
    /// The values that each cell allows, row by row; none for `?`, which allows all.
    pub cells: Vec<Option<Vec<Value>>>,
}

impl AnywhereDrawing {
    /// Returns the cells of the grid on which its first cell can lie: it is on the grid, and no fence parts it.
    pub fn places<'a>(&'a self, model: &'a Model) -> impl Iterator<Item = usize> + 'a {
        let (rows, columns) = (model.world.rows, model.world.columns);
        let on_grid =
            move |place: &usize| place / columns + self.height <= rows && place % columns + self.width <= columns;
        (0..model.world.cells()).filter(on_grid).filter(|place| !self.is_fenced(model, *place))
    }

    /// Returns the cells of the grid under it that it restricts, with the values that they may have.
    pub fn wanted_at<'a>(&'a self, model: &'a Model, place: usize) -> impl Iterator<Item = (Var, &'a [Value])> + 'a {
        let on_grid = move |cell: usize| place + cell / self.width * model.world.columns + cell % self.width;
        (0..self.cells.len()).filter_map(move |cell| Some((on_grid(cell), &self.cells[cell].as_ref()?[..])))
    }

    fn is_fenced(&self, model: &Model, place: usize) -> bool {
        let (row, column) = (place / model.world.columns, place % model.world.columns);
        model.fences.as_ref().is_some_and(|fences| {
            (0..self.cells.len()).filter(|cell| self.cells[*cell].is_some()).any(|cell| {
                let (down, right) = (cell / self.width, cell % self.width);
                let bars = |next: Option<usize>, side: (i64, i64)| {
                    let is_used = next.is_some_and(|next| self.cells.get(next).is_some_and(Option::is_some));
                    is_used && fences.bars((row + down, column + right), towards(side.0, side.1))
                };
                let next = Some(cell + 1).filter(|_| right + 1 < self.width);
                bars(next, (0, 1)) || bars(Some(cell + self.width), (1, 0))
            })
        })
    }
}

/// The appearance of a symbol in pictures, as far as the file specifies it.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct SymbolAppearance {
    /// Its colour, followed by the further ones of its sprite.
    pub colours: Vec<[u8; 3]>,
    pub shape: Option<Shape>,
}

impl SymbolAppearance {
    pub fn paint(&self) -> Option<Paint> {
        self.colours.first().copied().map(Paint::Rgb)
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Shape {
    /// A figure on the ground.
    Figure(Form),
    /// The ground itself.
    Ground(Ground),
    /// A figure with the sprite of this number.
    Sprite(usize),
}

/// A sprite as the file has it.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum SpriteText {
    /// The number of the colour of each pixel, row by row.
    Pixels(Vec<Vec<Option<usize>>>),
    /// The length of the cell's edge, and the path.
    Path(usize, String),
}

impl Model {
    /// Returns what makes moves more than one operator with effects of its own at one place, in words: then a machine
    /// executes them.
    pub fn beyond_operators(&self) -> Vec<&'static str> {
        let (mut bodies, mut piles, mut ahead) = (!self.bodies.is_empty(), !self.world.piles.is_empty(), false);
        for rule in &self.rules {
            bodies |= rule.shift.is_some();
            piles |= rule.carry.is_some();
        }
        for expr in self.expressions() {
            visit(expr, &mut |part| match part.kind {
                Kind::Bodies(_) => bodies = true,
                Kind::Size(_) | Kind::Top(..) | Kind::Same(_) => piles = true,
                Kind::Ahead(_) => ahead = true,
                _ => {}
            });
        }
        let all = self.rules.iter().any(|rule| rule.all);
        let reasons = [
            (!self.after.is_empty(), "consequences"),
            (all, "rules that apply everywhere"),
            (bodies, "bodies"),
            (piles, "piles"),
            (ahead, "`ahead`"),
        ];
        reasons.into_iter().filter_map(|(is_one, name)| is_one.then_some(name)).collect()
    }

    /// Returns whether a machine executes the moves.
    pub fn needs_machine(&self) -> bool {
        !self.beyond_operators().is_empty()
    }

    /// Returns all expressions.
    pub fn expressions(&self) -> impl Iterator<Item = &Expr> {
        let of_rules = self.rules.iter().chain(&self.after).flat_map(Rule::expressions);
        let of_goals = self.goals.iter().flat_map(|goal| &goal.when).chain(&self.never);
        of_rules.chain(of_goals.map(|written| &written.expr))
    }

    /// Returns a superset of the values that a variable can have in reachable states.
    pub fn range(&self, var: Var) -> Values {
        self.ranges.get(var).cloned().unwrap_or_else(|| Values::below(self.world.values[var].len()))
    }

    /// Returns the layout of the grid in pictures, if the file has one.
    pub fn grid_layout(&self) -> Option<ArrayLayout> {
        let is_grid = |&&(array, _): &&(usize, ArrayLayout)| self.world.arrays[array].name == GRID;
        self.layouts.iter().find(is_grid).map(|&(_, layout)| layout)
    }

    /// Returns the arrays that have a layout, apart from the grid.
    pub fn drawn_arrays(&self) -> impl Iterator<Item = (&Array, ArrayLayout)> {
        let arrays = self.layouts.iter().map(|&(array, layout)| (&self.world.arrays[array], layout));
        arrays.filter(|(array, _)| array.name != GRID)
    }

    /// Returns the number of a symbol.
    pub fn symbol(&self, symbol: char) -> Option<Value> {
        self.symbols.iter().position(|known| *known == symbol).map(|at| at as Value)
    }

    /// Returns whether a variable can have a value in reachable states.
    pub fn may_be(&self, var: Var, value: Value) -> bool {
        self.ranges.get(var).is_none_or(|range| range.contains(value))
    }

    /// Returns an evaluator for a partially known state, with a limit on its steps.
    pub fn evaluator<'a>(&'a self, lookup: &'a dyn Fn(Var) -> Option<Value>, steps: u64) -> Evaluator<'a> {
        Evaluator::new(&self.world, lookup, steps)
    }

    /// Returns the symbols that all goals demand on the same marks, with these marks.
    pub fn marked(&self) -> Vec<(String, Vec<char>)> {
        let [first, rest @ ..] = &self.goals[..] else { return Vec::new() };
        let demands = first.every.iter().filter(|demand| rest.iter().all(|goal| goal.every.contains(demand)));
        demands.map(|(symbol, marks)| (self.symbols[usize::from(*symbol)].to_string(), marks.clone())).collect()
    }

    /// Returns the row and the column of a cell.
    pub fn place(&self, cell: usize) -> (i64, i64) {
        ((cell / self.world.columns) as i64, (cell % self.world.columns) as i64)
    }

    /// Returns the cell at a row and a column; `None` beyond an edge.
    pub fn cell_at(&self, (row, column): (i64, i64), edge: Edge) -> Option<usize> {
        let (rows, columns) = (self.world.rows as i64, self.world.columns as i64);
        let (row, column) = match edge {
            Edge::Wrap => (row.rem_euclid(rows), column.rem_euclid(columns)),
            _ => (row, column),
        };
        let on_grid = (0..rows).contains(&row) && (0..columns).contains(&column);
        on_grid.then(|| (row * columns + column) as usize)
    }
}

/// The arrangement of an array of variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ArrayLayout {
    /// The values side by side; of two dimensions, a row for each first index.
    Row,
    /// The values below each other; of two dimensions, a column for each first index.
    Column,
    /// The values in a circle, clockwise from the top.
    Ring,
    /// A place for each value, and on it the elements that have this value, the last index lowest.
    Stack,
    /// A vessel for each element, filled as high as its number.
    Level,
}

/// A puzzle with compiled rules.
#[derive(Debug)]
pub(super) struct Compiled {
    pub model: Arc<Model>,
    /// The task, over all variables of the model.
    pub task: Task,
    /// The names of moves, indexed by [`Operator::action`](super::task::Operator::action).
    pub moves: Vec<Vec<MovePart>>,
    /// For each rule, the number of moves up to and including its own.
    pub rule_ends: Vec<usize>,
    /// For each goal of the model, the number of goals of the task up to and including its own.
    pub goal_ends: Vec<usize>,
}

/// A part of the name of a grounded move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum MovePart {
    Text(String),
    /// The symbol that the variable holds before the move.
    Symbol(Var),
}
