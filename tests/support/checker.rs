//! Brute force over boards of blocks: everything that can be reached, by rules that share no code with the engine but
//! TOML.

use std::collections::{BTreeMap, HashMap, HashSet};
use toml::{Table, Value};

fn text<'a>(table: &'a Table, key: &str) -> Option<&'a str> {
    table.get(key).and_then(Value::as_str)
}

/// A board of blocks: by row and column, the piece that stands there or `.`.
type Board = Vec<Vec<char>>;

type Cells = Vec<(i32, i32)>;

/// A piece as far as it matters: its name, if a goal names it, and its cells.
type Place = (Option<char>, Cells);

/// The rules of one puzzle of blocks. Pieces are single characters here, whatever they are called in the file.
struct Blocks {
    start: Board,
    /// Each goal as the cells on which a piece, or any piece, must stand.
    goals: Vec<Vec<Place>>,
    walls: HashSet<(i32, i32)>,
    gates: HashSet<(i32, i32)>,
    names: BTreeMap<char, String>,
    metric: String,
    freedom: BTreeMap<char, String>,
}

impl Blocks {
    fn read(puzzle: &Table) -> Result<Blocks, String> {
        let (mut walls, mut gates) = (HashSet::new(), HashSet::new());
        for (key, cells) in [("walls", &mut walls), ("gates", &mut gates)] {
            for listed in puzzle.get(key).and_then(Value::as_array).into_iter().flatten() {
                cells.insert(place(listed));
            }
        }
        let shapes: BTreeMap<&str, Cells> =
            tables(puzzle, "shapes").map(|(name, shape)| (name, shape_of(shape))).collect();
        let mut names = BTreeMap::new();
        let start = match text(puzzle, "start") {
            Some(drawing) => {
                let mut start = rows(drawing);
                for (r, row) in start.iter_mut().enumerate() {
                    for (c, cell) in row.iter_mut().enumerate().filter(|(_, cell)| "#=".contains(**cell)) {
                        let cells = if *cell == '#' { &mut walls } else { &mut gates };
                        cells.insert((r as i32, c as i32));
                        *cell = '.';
                    }
                }
                names.extend(start.iter().flatten().filter(|cell| **cell != '.').map(|cell| (*cell, cell.to_string())));
                start
            }
            None => {
                let size = |key: &str| puzzle.get(key).and_then(Value::as_integer).map(|size| size as usize);
                let (height, width) = size("rows").zip(size("columns")).ok_or("no size")?;
                let mut start = vec![vec!['.'; width]; height];
                for (letter, (name, piece)) in ('A'..).zip(tables(puzzle, "pieces")) {
                    let (row, column) = place(&piece["at"]);
                    for (r, c) in &shapes[piece["shape"].as_str().ok_or("no shape")?] {
                        start[(row + r) as usize][(column + c) as usize] = letter;
                    }
                    names.insert(letter, name.to_owned());
                }
                start
            }
        };
        let letter = |name: &str| names.iter().find(|(_, known)| *known == name).map(|(letter, _)| *letter);
        let goal = |goal: &Value| -> Vec<Place> {
            if let Some(drawing) = goal.as_str() {
                let drawing = rows(drawing);
                let pieces: HashSet<char> = drawing.iter().flatten().copied().filter(is_piece).collect();
                return pieces.into_iter().map(|piece| (Some(piece), cells_of(&drawing, piece))).collect();
            }
            let target = |(name, at): (&String, &Value)| {
                let shape = letter(name).map_or_else(|| shapes[name.as_str()].clone(), |piece| shape_at(&start, piece));
                let (row, column) = place(at);
                (letter(name), shape.iter().map(|(r, c)| (r + row, c + column)).collect())
            };
            goal.as_table().into_iter().flatten().map(target).collect()
        };
        let goals = match puzzle.get("goal").ok_or("no goal")? {
            Value::Array(goals) => goals.iter().map(goal).collect(),
            one => vec![goal(one)],
        };
        let all = text(puzzle, "moves").unwrap_or("any").to_owned();
        let own = |name: &str| Some(puzzle.get("pieces")?.get(name)?.get("moves")?.as_str()?.to_owned());
        let freedom = names.iter().map(|(piece, name)| (*piece, own(name).unwrap_or(all.clone()))).collect();
        let metric = text(puzzle, "metric").unwrap_or("slide").to_owned();
        Ok(Blocks { start, goals, walls, gates, names, metric, freedom })
    }

    fn has_role(&self, piece: char) -> bool {
        self.goals.iter().flatten().any(|(named, _)| *named == Some(piece))
    }

    /// Whether a goal names a piece or its shape.
    fn may_enter_gates(&self, piece: char) -> bool {
        let shape = shape_at(&self.start, piece);
        let names = |(named, cells): &Place| *named == Some(piece) || named.is_none() && to_corner(cells) == shape;
        self.goals.iter().flatten().any(names)
    }

    /// The board after a piece has gone one cell, if it can.
    fn step(&self, board: &Board, piece: char, (down, right): (i32, i32)) -> Option<Board> {
        let cells = cells_of(board, piece);
        if cells.is_empty() || !may_move(&cells, &self.freedom[&piece], right != 0) {
            return None;
        }
        let may_enter = self.may_enter_gates(piece);
        let mut board = board.clone();
        for &(r, c) in &cells {
            board[r as usize][c as usize] = '.';
        }
        for &(r, c) in &cells {
            let to = (r + down, c + right);
            let barred = self.gates.contains(&to) && !may_enter && !cells.contains(&to);
            let row = board.get_mut(usize::try_from(to.0).ok()?)?;
            let cell = row.get_mut(usize::try_from(to.1).ok()?)?;
            if *cell != '.' || barred || self.walls.contains(&to) {
                return None;
            }
            *cell = piece;
        }
        Some(board)
    }

    /// The boards that one move of one piece leads to.
    fn moves(&self, board: &Board, piece: char) -> Vec<Board> {
        let mut led = Vec::new();
        for way in WAYS {
            let mut at = board.clone();
            while let Some(next) = self.step(&at, piece, way) {
                led.push(next.clone());
                at = next;
                if self.metric == "step" {
                    break;
                }
            }
        }
        let mut next = 0;
        while self.metric == "turn" && next < led.len() {
            for way in WAYS {
                led.extend(self.step(&led[next], piece, way).filter(|board| !led.contains(board)));
            }
            next += 1;
        }
        led
    }

    fn is_solved(&self, board: &Board) -> bool {
        let stands = |(named, cells): &Place| match named {
            Some(piece) => cells_of(board, *piece) == *cells,
            None => self.names.keys().any(|piece| cells_of(board, *piece) == *cells),
        };
        self.goals.iter().any(|goal| goal.iter().all(stands))
    }

    /// What tells a board from others: where pieces stand, by name only if a goal names them, and how they move.
    fn canonical(&self, board: &Board) -> Vec<(Place, [bool; 2])> {
        let place = |(&piece, freedom): (&char, &String)| {
            let cells = cells_of(board, piece);
            let moves = [false, true].map(|sideways| may_move(&cells, freedom, sideways));
            ((Some(piece).filter(|piece| self.has_role(*piece)), cells), moves)
        };
        let mut places: Vec<(Place, [bool; 2])> = self.freedom.iter().map(place).collect();
        places.sort();
        places
    }
}

/// What the plainest walk over all boards of blocks finds.
pub struct Walk {
    /// The least number of moves to a goal, if there is a solution.
    pub cost: Option<usize>,
    /// How many sequences of so many moves lead to a goal.
    pub solutions: u128,
    pub by_depth: Vec<u64>,
    pub goals: u64,
    pub dead_ends: u64,
    /// The greatest distance to the nearest goal, and how many states have it.
    pub hardest: Option<(u32, u64)>,
}

/// Walks everything that can be reached: labelled boards, told apart by what matters of them.
pub fn walk_all(file: &str) -> Walk {
    let puzzle = Blocks::read(&file.parse().expect("the test's puzzle is TOML")).expect("it is a puzzle of blocks");
    let mut numbers = HashMap::from([(puzzle.canonical(&puzzle.start), 0)]);
    let mut boards = vec![puzzle.start.clone()];
    let mut depths = vec![0];
    let mut edges: Vec<(usize, usize)> = Vec::new();
    let mut next = 0;
    while let Some(board) = boards.get(next).cloned() {
        for moved in puzzle.names.keys().flat_map(|piece| puzzle.moves(&board, *piece)) {
            let number = *numbers.entry(puzzle.canonical(&moved)).or_insert(boards.len());
            if number == boards.len() {
                boards.push(moved);
                depths.push(depths[next] + 1);
            }
            edges.push((next, number));
        }
        next += 1;
    }
    // Bellman and Ford: as often as anything changes.
    let goal: Vec<bool> = boards.iter().map(|board| puzzle.is_solved(board)).collect();
    let mut distances: Vec<Option<u32>> = goal.iter().map(|goal| goal.then_some(0)).collect();
    loop {
        let before = distances.clone();
        for &(from, to) in &edges {
            let by_here = distances[to].map(|distance| distance + 1);
            if by_here.is_some_and(|by_here| distances[from].is_none_or(|known| by_here < known)) {
                distances[from] = by_here;
            }
        }
        if before == distances {
            break;
        }
    }
    // Goals have one way on; the others as many as the states that are one move nearer, the nearest first.
    let mut ways: Vec<u128> = goal.iter().map(|&goal| goal.into()).collect();
    for distance in 1..=distances[0].unwrap_or(0) {
        for &(from, to) in &edges {
            if distances[from] == Some(distance) && distances[to] == Some(distance - 1) {
                ways[from] += ways[to];
            }
        }
    }
    let farthest = distances.iter().flatten().max().copied();
    let count = |wanted: Option<u32>| distances.iter().filter(|distance| **distance == wanted).count() as u64;
    let deepest = depths.iter().max().copied().unwrap_or(0);
    Walk {
        cost: distances[0].map(|distance| distance as usize),
        solutions: ways[0],
        by_depth: (0..=deepest).map(|depth| depths.iter().filter(|at| **at == depth).count() as u64).collect(),
        goals: count(Some(0)),
        dead_ends: count(None),
        hardest: farthest.map(|farthest| (farthest, count(Some(farthest)))),
    }
}

const WAYS: [(i32, i32); 4] = [(-1, 0), (1, 0), (0, -1), (0, 1)];

fn is_piece(cell: &char) -> bool {
    !"#=.".contains(*cell)
}

fn place(listed: &Value) -> (i32, i32) {
    let number = |at: usize| listed[at].as_integer().expect("a place is two numbers") as i32;
    (number(0), number(1))
}

/// The entries of a table by name.
fn tables<'a>(puzzle: &'a Table, key: &str) -> impl Iterator<Item = (&'a str, &'a Value)> {
    let table = puzzle.get(key).and_then(Value::as_table);
    table.into_iter().flatten().map(|(name, value)| (name.as_str(), value))
}

/// The cells of a shape that is given as rows of `#` and `.`.
fn shape_of(shape: &Value) -> Cells {
    let drawing: Vec<&str> = shape.as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    cells_of(&rows(&drawing.join("\n")), '#')
}

/// The cells of a piece, counted from the corner of its bounding box.
fn shape_at(board: &Board, piece: char) -> Cells {
    to_corner(&cells_of(board, piece))
}

fn to_corner(cells: &Cells) -> Cells {
    let top = cells.iter().map(|cell| cell.0).min().unwrap_or(0);
    let left = cells.iter().map(|cell| cell.1).min().unwrap_or(0);
    cells.iter().map(|(r, c)| (r - top, c - left)).collect()
}

fn rows(drawing: &str) -> Board {
    drawing.lines().filter(|line| !line.trim().is_empty()).map(|line| line.chars().collect()).collect()
}

fn cells_of(board: &Board, piece: char) -> Cells {
    let cells =
        board.iter().enumerate().flat_map(|(r, row)| row.iter().enumerate().map(move |(c, cell)| (r, c, *cell)));
    cells.filter(|&(_, _, cell)| cell == piece).map(|(r, c, _)| (r as i32, c as i32)).collect()
}

fn may_move(cells: &[(i32, i32)], freedom: &str, sideways: bool) -> bool {
    let extent = |coordinate: fn(&(i32, i32)) -> i32| {
        cells.iter().map(coordinate).max().unwrap() - cells.iter().map(coordinate).min().unwrap()
    };
    let (height, width) = (extent(|cell| cell.0), extent(|cell| cell.1));
    match freedom {
        "any" => true,
        "horizontal" => sideways,
        "vertical" => !sideways,
        "lengthwise" => height == width || sideways == (width > height),
        _ => false,
    }
}
