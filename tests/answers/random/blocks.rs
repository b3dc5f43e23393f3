//! Random boards of blocks: connected and disconnected shapes, walls and gates, all metrics and kinds of movement,
//! several
//! goals, drawn or listed.

use crate::random::compare::{Tally, compare};
use crate::random::walk::{Length, Model, Move};
use crate::support::dice::{Dice, each_seed, is_full_run};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

pub type Cell = (i32, i32);

/// The cells of a shape, relative to the upper left corner of its bounding box.
type Shape = BTreeSet<Cell>;

#[derive(Clone, Debug)]
struct Piece {
    name: String,
    shape: Shape,
    at: Cell,
    moves: &'static str,
    /// The name of its shape, for listed boards.
    shape_name: String,
}

/// A piece by number, or any piece of a named shape, with its goal cell.
#[derive(Clone, Debug)]
enum Target {
    Piece(usize, Cell),
    Shape(String, Cell),
}

#[derive(Clone)]
pub struct Blocks {
    rows: i32,
    columns: i32,
    walls: BTreeSet<Cell>,
    gates: BTreeSet<Cell>,
    pieces: Vec<Piece>,
    goals: Vec<Vec<Target>>,
    metric: &'static str,
    /// The default movement of the pieces.
    moves: &'static str,
    is_listed: bool,
}

const DIRECTIONS: [(char, Cell); 4] = [('u', (-1, 0)), ('d', (1, 0)), ('l', (0, -1)), ('r', (0, 1))];

const MOVES: [&str; 8] = ["any", "any", "any", "any", "horizontal", "vertical", "lengthwise", "none"];

impl Blocks {
    pub fn random(seed: u64) -> Blocks {
        let dice = &mut Dice::new(seed);
        let is_mirrored = dice.one_in(5);
        let (rows, columns) = if is_mirrored { (2, 3) } else { (dice.within(1, 4) as i32, dice.within(2, 4) as i32) };
        let moves = dice.pick(&MOVES[..7]);
        let is_listed = dice.one_in(3);
        let mut blocks = Blocks {
            rows,
            columns,
            walls: BTreeSet::new(),
            gates: BTreeSet::new(),
            pieces: Vec::new(),
            goals: Vec::new(),
            metric: dice.pick(&["slide", "step", "turn"]),
            moves,
            is_listed,
        };
        blocks.fill(dice);
        if is_mirrored {
            blocks.mirror();
        }
        // A puzzle is symmetric if its mirror image has the same pieces, movements and goals.
        let is_symmetric = is_mirrored && dice.one_in(2);
        let originals = blocks.pieces.len() / if is_symmetric { 2 } else { 1 };
        for number in 0..blocks.pieces.len() {
            let own = dice.one_in(4).then(|| dice.pick(&MOVES));
            let image = number.checked_sub(originals).map(|original| blocks.pieces[original].moves);
            blocks.pieces[number].moves = image.or(own).unwrap_or(moves);
        }
        blocks.name(dice);
        while blocks.goals.is_empty() {
            for _ in 0..dice.within(1, 3) {
                let goal = blocks.goal(dice);
                if !goal.is_empty() {
                    if is_symmetric {
                        blocks.goals.extend(blocks.image(&goal));
                    }
                    blocks.goals.push(goal);
                }
            }
        }
        blocks
    }

    /// Adds random walls, gates and pieces: at least one piece.
    fn fill(&mut self, dice: &mut Dice) {
        let cells: Vec<Cell> =
            (0..self.rows).flat_map(|row| (0..self.columns).map(move |column| (row, column))).collect();
        for _ in 0..dice.below(3) {
            let wall = dice.pick(&cells);
            self.walls.insert(wall);
        }
        for _ in 0..dice.below(5) {
            let gate = dice.pick(&cells);
            self.gates.insert(gate);
        }
        self.gates.retain(|gate| !self.walls.contains(gate));
        let mut shapes: Vec<Shape> = Vec::new();
        for _ in 0..dice.within(2, 9) {
            let shape = if shapes.is_empty() || dice.one_in(2) { shape(dice) } else { dice.pick(&shapes) };
            let at = dice.pick(&cells);
            let fits = |cell: &Cell| self.is_free(*cell) && self.piece_on(*cell).is_none();
            if placed(&shape, at).iter().all(fits) {
                shapes.push(shape.clone());
                self.pieces.push(Piece { name: String::new(), shape, at, moves: "any", shape_name: String::new() });
            }
        }
        if self.pieces.is_empty() {
            self.walls.clear();
            let shape = Shape::from([(0, 0)]);
            self.pieces.push(Piece { name: String::new(), shape, at: (0, 0), moves: "any", shape_name: String::new() });
        }
    }

    /// Appends the mirror image of the board on its right.
    fn mirror(&mut self) {
        let width = 2 * self.columns - 1;
        for cells in [&mut self.walls, &mut self.gates] {
            let images: Vec<Cell> = cells.iter().map(|&(row, column)| (row, width - column)).collect();
            cells.extend(images);
        }
        for number in 0..self.pieces.len() {
            let piece = &self.pieces[number];
            let last = piece.shape.iter().map(|cell| cell.1).max().unwrap_or(0);
            let shape: Shape = piece.shape.iter().map(|&(row, column)| (row, last - column)).collect();
            let at = (piece.at.0, width - piece.at.1 - last);
            self.pieces.push(Piece { shape, at, ..piece.clone() });
        }
        self.columns *= 2;
    }

    /// Returns the mirror image of a goal, or `None` if there is none.
    fn image(&self, goal: &[Target]) -> Option<Vec<Target>> {
        let image = goal.iter().map(|target| {
            let (number, (row, column)) = match target {
                Target::Piece(number, at) => (*number, *at),
                Target::Shape(name, at) => (self.pieces.iter().position(|piece| piece.shape_name == *name)?, *at),
            };
            let last = self.pieces[number].shape.iter().map(|cell| cell.1).max()?;
            let at = (row, self.columns - 1 - column - last);
            let image = (number + self.pieces.len() / 2) % self.pieces.len();
            let shape_name = &self.pieces[image].shape_name;
            match target {
                Target::Piece(..) => Some(Target::Piece(image, at)),
                Target::Shape(..) => Some(Target::Shape(shape_name.clone(), at)),
            }
        });
        image.collect()
    }

    /// Names the pieces and shapes: single letters in a drawing, longer names as well in a list.
    fn name(&mut self, dice: &mut Dice) {
        let mut letters: Vec<char> = "abcdeuxlrABCDéXYZ".chars().collect();
        if !self.is_listed {
            letters.extend("1+&語".chars());
        }
        dice.shuffle(&mut letters);
        let mut shapes: BTreeMap<Shape, usize> = BTreeMap::new();
        for (number, piece) in self.pieces.iter_mut().enumerate() {
            let length = if self.is_listed { dice.within(1, 3) } else { 1 };
            piece.name = format!("{}{}", letters[number % letters.len()], ["", "1", "x2"][length - 1]);
            let known = shapes.len();
            // Sometimes two named shapes are equal.
            let shape = if dice.one_in(8) { 40 + number } else { *shapes.entry(piece.shape.clone()).or_insert(known) };
            piece.shape_name = format!("shape{shape}");
        }
    }

    /// Returns a random goal: some pieces in cells where they do not overlap, often their start cells. Pieces are
    /// named, or stand for their shape.
    fn goal(&self, dice: &mut Dice) -> Vec<Target> {
        let mut numbers: Vec<usize> = (0..self.pieces.len()).collect();
        dice.shuffle(&mut numbers);
        let named = if dice.one_in(6) { self.pieces.len() } else { dice.within(1, 3) };
        let mut covered: BTreeSet<Cell> = BTreeSet::new();
        let mut goal: Vec<Target> = Vec::new();
        for number in numbers.into_iter().take(named) {
            let piece = &self.pieces[number];
            let at = match dice.below(4) {
                0 => piece.at,
                _ => (dice.below(self.rows as usize) as i32, dice.below(self.columns as usize) as i32),
            };
            let cells = placed(&piece.shape, at);
            if !cells.iter().all(|&cell| self.is_free(cell) && !covered.contains(&cell)) {
                continue;
            }
            let by_shape = dice.one_in(3);
            covered.extend(cells);
            goal.push(if by_shape { Target::Shape(piece.shape_name.clone(), at) } else { Target::Piece(number, at) });
        }
        goal
    }

    /// Returns whether this cell is on the board and no wall.
    fn is_free(&self, (row, column): Cell) -> bool {
        (0..self.rows).contains(&row) && (0..self.columns).contains(&column) && !self.walls.contains(&(row, column))
    }

    fn piece_on(&self, cell: Cell) -> Option<&Piece> {
        self.pieces.iter().find(|piece| placed(&piece.shape, piece.at).contains(&cell))
    }

    fn shape_of(&self, name: &str) -> &Shape {
        &self.pieces.iter().find(|piece| piece.shape_name == name).expect("a goal names a shape of a piece").shape
    }

    fn is_named(&self, number: usize) -> bool {
        self.goals.iter().flatten().any(|target| matches!(target, Target::Piece(named, _) if *named == number))
    }

    fn may_enter_gates(&self, number: usize) -> bool {
        let shape = &self.pieces[number].shape;
        let by_shape = |target: &Target| matches!(target, Target::Shape(name, _) if self.shape_of(name) == shape);
        self.is_named(number) || self.goals.iter().flatten().any(by_shape)
    }

    /// Returns whether a piece moves vertically, and whether horizontally.
    fn freedom(&self, number: usize) -> (bool, bool) {
        let piece = &self.pieces[number];
        let height = piece.shape.iter().map(|cell| cell.0).max();
        let width = piece.shape.iter().map(|cell| cell.1).max();
        match piece.moves {
            "any" => (true, true),
            "horizontal" => (false, true),
            "vertical" => (true, false),
            "lengthwise" => (height >= width, width >= height),
            _ => (false, false),
        }
    }

    /// Moves a piece by one cell; `None` if it is blocked.
    fn step(&self, corners: &[Cell], number: usize, (down, right): Cell) -> Option<Cell> {
        let (vertical, sideways) = self.freedom(number);
        if if down == 0 { !sideways } else { !vertical } {
            return None;
        }
        let piece = &self.pieces[number];
        let from = placed(&piece.shape, corners[number]);
        let corner = (corners[number].0 + down, corners[number].1 + right);
        let enters = self.may_enter_gates(number);
        let free = |cell: &Cell| {
            let others = corners.iter().enumerate().filter(|&(other, _)| other != number);
            let mut taken = others.flat_map(|(other, &at)| placed(&self.pieces[other].shape, at));
            let barred = self.gates.contains(cell) && !enters && !from.contains(cell);
            self.is_free(*cell) && !barred && !taken.any(|other| other == *cell)
        };
        placed(&piece.shape, corner).iter().all(free).then_some(corner)
    }

    fn with(corners: &[Cell], number: usize, corner: Cell) -> Vec<Cell> {
        let mut corners = corners.to_vec();
        corners[number] = corner;
        corners
    }

    /// Returns every cell that a piece reaches by one move, with its path as direction letters.
    fn paths(&self, corners: &[Cell], number: usize) -> Vec<(String, Cell)> {
        let from = corners[number];
        let mut paths: Vec<(String, Cell)> = Vec::new();
        if self.metric == "turn" {
            let mut visited = BTreeSet::from([from]);
            let mut queue = VecDeque::from([(String::new(), from)]);
            while let Some((path, at)) = queue.pop_front() {
                for (letter, direction) in DIRECTIONS {
                    let next = self.step(&Blocks::with(corners, number, at), number, direction);
                    if let Some(next) = next.filter(|&next| visited.insert(next)) {
                        queue.push_back((format!("{path}{letter}"), next));
                        paths.push((format!("{path}{letter}"), next));
                    }
                }
            }
            return paths;
        }
        for (letter, direction) in DIRECTIONS {
            let (mut path, mut at) = (String::new(), from);
            while let Some(next) = self.step(&Blocks::with(corners, number, at), number, direction) {
                path.push(letter);
                at = next;
                paths.push((path.clone(), at));
                if self.metric == "step" {
                    break;
                }
            }
        }
        paths
    }
}

fn placed(shape: &Shape, at: Cell) -> BTreeSet<Cell> {
    shape.iter().map(|&(row, column)| (row + at.0, column + at.1)).collect()
}

/// Returns a random shape: some cells of a small rectangle, connected or not.
fn shape(dice: &mut Dice) -> Shape {
    let (rows, columns) = dice.pick(&[(1, 1), (1, 1), (1, 2), (2, 1), (2, 2), (2, 2), (1, 3), (3, 1), (2, 3), (3, 2)]);
    let full = dice.one_in(2);
    let mut cells: Vec<Cell> = Vec::new();
    while cells.is_empty() {
        let all = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells = all.filter(|_| full || dice.below(3) > 0).collect();
    }
    let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    cells.into_iter().map(|(row, column)| (row - top, column - left)).collect()
}

/// Writes `uurrr` as `u2r3`.
fn run_lengths(path: &str) -> String {
    let mut written = String::new();
    let mut rest = path;
    while let Some(letter) = rest.chars().next() {
        let run = rest.len() - rest.trim_start_matches(letter).len();
        written += &format!("{letter}{run}");
        rest = &rest[run..];
    }
    written
}

fn places(cells: &BTreeSet<Cell>) -> String {
    let listed: Vec<String> = cells.iter().map(|(row, column)| format!("[{row}, {column}]")).collect();
    format!("[{}]", listed.join(", "))
}

impl Blocks {
    fn drawing(&self, sign: impl Fn(Cell) -> String) -> String {
        let row = |row| (0..self.columns).map(|column| sign((row, column))).collect::<String>() + "\n";
        format!("\"\"\"\n{}\"\"\"", (0..self.rows).map(row).collect::<String>())
    }

    fn written_goal(&self, goal: &[Target]) -> String {
        if self.is_listed {
            let mut places: BTreeMap<String, Vec<String>> = BTreeMap::new();
            for target in goal {
                let (name, (row, column)) = match target {
                    Target::Piece(number, at) => (key(&self.pieces[*number].name), at),
                    Target::Shape(name, at) => (name.clone(), at),
                };
                places.entry(name).or_default().push(format!("[{row}, {column}]"));
            }
            let written = |(name, places): (&String, &Vec<String>)| match &places[..] {
                [place] => format!("{name} = {place}"),
                several => format!("{name} = [{}]", several.join(", ")),
            };
            return format!("{{ {} }}", places.iter().map(written).collect::<Vec<_>>().join(", "));
        }
        // Characters that are no piece's stand for shapes.
        let mut unnamed = "αβγδζηθλμπ".chars();
        let named: Vec<(BTreeSet<Cell>, String)> = goal
            .iter()
            .map(|target| match target {
                Target::Piece(number, at) => {
                    (placed(&self.pieces[*number].shape, *at), self.pieces[*number].name.clone())
                }
                Target::Shape(name, at) => {
                    let sign = unnamed.next().expect("there are fewer pieces than signs");
                    (placed(self.shape_of(name), *at), sign.to_string())
                }
            })
            .collect();
        let stands = |cell: Cell| named.iter().find(|(cells, _)| cells.contains(&cell));
        self.drawing(|cell| stands(cell).map_or(".".to_owned(), |(_, name)| name.clone()))
    }
}

/// Writes a TOML key, quoted if necessary.
fn key(name: &str) -> String {
    if name.bytes().all(|byte| byte.is_ascii_alphanumeric()) { name.to_owned() } else { format!("{name:?}") }
}

impl Model for Blocks {
    /// The upper left corner of each piece.
    type State = Vec<Cell>;
    /// The number of a piece that a goal names, the cells and the freedom of each piece; sorted, since other equal
    /// pieces are interchangeable.
    type Key = Vec<(Option<usize>, BTreeSet<Cell>, (bool, bool))>;

    fn text(&self) -> String {
        let mut text = format!("title = \"Blocks\"\ndomain = \"klotski\"\nmetric = \"{}\"\n", self.metric);
        text += &format!("moves = \"{}\"\n", self.moves);
        let goals: Vec<String> = self.goals.iter().map(|goal| self.written_goal(goal)).collect();
        text += &if goals.len() == 1 {
            format!("goal = {}\n", goals[0])
        } else {
            format!("goal = [{}]\n", goals.join(", "))
        };
        let own_moves = |piece: &Piece| (piece.moves != self.moves).then(|| format!("moves = \"{}\"", piece.moves));
        if self.is_listed {
            text += &format!("rows = {}\ncolumns = {}\n", self.rows, self.columns);
            text += &format!("walls = {}\ngates = {}\n[shapes]\n", places(&self.walls), places(&self.gates));
            let shapes: BTreeMap<&String, &Shape> =
                self.pieces.iter().map(|piece| (&piece.shape_name, &piece.shape)).collect();
            for (name, shape) in shapes {
                let height = shape.iter().map(|cell| cell.0).max().unwrap_or(0);
                let width = shape.iter().map(|cell| cell.1).max().unwrap_or(0);
                let sign = |cell| if shape.contains(&cell) { '#' } else { '.' };
                let row = |row| format!("{:?}", (0..=width).map(|column| sign((row, column))).collect::<String>());
                text += &format!("{name} = [{}]\n", (0..=height).map(row).collect::<Vec<_>>().join(", "));
            }
            text += "[pieces]\n";
            for piece in &self.pieces {
                let moves = own_moves(piece).map_or(String::new(), |moves| format!(", {moves}"));
                let (row, column) = piece.at;
                let shape = &piece.shape_name;
                text += &format!("{} = {{ shape = {shape:?}, at = [{row}, {column}]{moves} }}\n", key(&piece.name));
            }
            return text;
        }
        // Walls and gates under pieces, and half of the rest, are listed; the drawing shows the others.
        let is_beside = |cell: &Cell| self.piece_on(*cell).is_some() || (cell.0 + cell.1) % 2 == 0;
        let beside = |cells: &BTreeSet<Cell>| places(&cells.iter().copied().filter(is_beside).collect());
        text += &format!("walls = {}\ngates = {}\n", beside(&self.walls), beside(&self.gates));
        let start = self.drawing(|cell| match self.piece_on(cell) {
            Some(piece) => piece.name.clone(),
            None if is_beside(&cell) => ".".to_owned(),
            None if self.walls.contains(&cell) => "#".to_owned(),
            None if self.gates.contains(&cell) => "=".to_owned(),
            None => ".".to_owned(),
        });
        text += &format!("start = {start}\n");
        for piece in &self.pieces {
            let moves = own_moves(piece).map(|moves| format!("[pieces.{}]\n{moves}\n", key(&piece.name)));
            text += &moves.unwrap_or_default();
        }
        text
    }

    fn start(&self) -> Vec<Cell> {
        self.pieces.iter().map(|piece| piece.at).collect()
    }

    fn is_goal(&self, corners: &Vec<Cell>) -> bool {
        let stands = |target: &Target| match target {
            Target::Piece(number, at) => corners[*number] == *at,
            Target::Shape(name, at) => {
                let pieces = self.pieces.iter().zip(corners);
                pieces.into_iter().any(|(piece, corner)| piece.shape == *self.shape_of(name) && corner == at)
            }
        };
        self.goals.iter().any(|goal| goal.iter().all(stands))
    }

    fn moves(&self, corners: &Vec<Cell>) -> Vec<Move<Vec<Cell>>> {
        let pieces = self.pieces.iter().enumerate();
        let moves = pieces.flat_map(|(number, piece)| {
            self.paths(corners, number).into_iter().map(move |(path, corner)| {
                let written = format!("{}{}", piece.name, run_lengths(&path));
                (written, Length::ONE, Blocks::with(corners, number, corner))
            })
        });
        moves.collect()
    }

    fn key(&self, corners: &Vec<Cell>) -> Self::Key {
        let pieces = self.pieces.iter().enumerate().zip(corners);
        let sort = |((number, piece), &corner): ((usize, &Piece), &Cell)| {
            (self.is_named(number).then_some(number), placed(&piece.shape, corner), self.freedom(number))
        };
        let mut key: Self::Key = pieces.map(sort).collect();
        key.sort();
        key
    }

    /// Accepts any path of a piece to another cell in the metric `turn`.
    fn play(&self, corners: &Vec<Cell>, written: &str) -> Option<(Length, Vec<Cell>)> {
        let mut pieces: Vec<(usize, Vec<(char, usize)>)> = Vec::new();
        for (number, piece) in self.pieces.iter().enumerate() {
            pieces.extend(written.strip_prefix(&*piece.name).and_then(path).map(|path| (number, path)));
        }
        let (number, path) = pieces.into_iter().max_by_key(|(number, _)| self.pieces[*number].name.len())?;
        if self.metric != "turn" && path.len() > 1 || self.metric == "step" && path[0].1 > 1 {
            return None;
        }
        let mut at = corners.clone();
        for (letter, distance) in path {
            let (_, direction) = DIRECTIONS.into_iter().find(|(known, _)| *known == letter)?;
            for _ in 0..distance {
                at[number] = self.step(&at, number, direction)?;
            }
        }
        (at != *corners).then_some((Length::ONE, at))
    }
}

/// Parses `u2r3` as directions with distances.
fn path(written: &str) -> Option<Vec<(char, usize)>> {
    let mut path = Vec::new();
    let mut rest = written;
    while !rest.is_empty() {
        let letter = rest.chars().next().filter(|letter| "udlr".contains(*letter))?;
        let end = 1 + rest[1..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - 1);
        path.push((letter, rest[1..end].parse().ok().filter(|&distance| distance > 0)?));
        rest = &rest[end..];
    }
    (!path.is_empty()).then_some(path)
}

#[test]
fn boards_of_blocks_have_the_answers_of_a_plain_search() {
    let mut tally = Tally::default();
    each_seed(150, |seed| compare(&Blocks::random(seed), seed, &mut tally));
    if is_full_run() {
        tally.assert_balanced("boards of blocks");
        assert!(tally.dead_ends > 0, "too few have dead ends: {tally:?}");
    }
}
