//! Random sliding-tile boards: all surfaces, both metrics, any goal; drawn, in a board file, or scrambled.

use crate::random::compare::{Tally, compare, open};
use crate::random::walk::{Length, Model, Move, ReachableStates};
use crate::support::dice::{Dice, each_seed, folder, is_full_run, store};
use engine::puzzle::Style;
use std::path::PathBuf;

/// The tiles by row and column; 0 is the blank.
type Board = Vec<Vec<usize>>;

type Cell = (usize, usize);

#[derive(Clone)]
pub struct Tiles {
    start: Board,
    goal: Board,
    surface: &'static str,
    is_multi: bool,
    /// The keys of the start.
    start_keys: String,
    /// All the other keys of the domain.
    keys: String,
}

const SURFACES: [&str; 6] = ["plane", "cylinder", "torus", "mobius", "klein-bottle", "projective-plane"];

/// The letter of each direction, and its change of row and column.
const DIRECTIONS: [(&str, i32, i32); 4] = [("u", -1, 0), ("d", 1, 0), ("l", 0, -1), ("r", 0, 1)];

impl Tiles {
    pub fn random(seed: u64) -> Tiles {
        let dice = &mut Dice::new(seed);
        let (rows, columns) = if dice.one_in(300) {
            (2, 4)
        } else {
            dice.pick(&[
                (1, 1),
                (1, 2),
                (2, 1),
                (1, 3),
                (1, 4),
                (5, 1),
                (1, 6),
                (2, 2),
                (2, 2),
                (2, 3),
                (2, 3),
                (3, 2),
                (3, 2),
            ])
        };
        let mut tiles: Vec<usize> = (1..rows * columns).collect();
        let whole = |tiles: &[usize]| -> Board { tiles.chunks(columns).map(<[usize]>::to_vec).collect() };
        let (last, first) = ([&tiles[..], &[0]].concat(), [&[0], &tiles[..]].concat());
        tiles.push(0);
        dice.shuffle(&mut tiles);
        let (goal, goal_key) = match dice.below(4) {
            0 => (whole(&last), String::new()),
            1 => (whole(&last), "goal = \"blank-last\"\n".to_owned()),
            2 => (whole(&first), "goal = \"blank-first\"\n".to_owned()),
            _ => (whole(&tiles), format!("goal = {}", drawing(&whole(&tiles), dice))),
        };
        let surface = if dice.one_in(3) { "plane" } else { dice.pick(&SURFACES) };
        let is_multi = surface == "plane" && dice.one_in(2);
        let representation = dice.pick(&["", "auto", "packed", "array"]);
        let mut keys = goal_key;
        if surface != "plane" || dice.one_in(2) {
            keys += &format!("surface = \"{surface}\"\n");
        }
        if is_multi || dice.one_in(4) {
            keys += &format!("metric = \"{}\"\n", if is_multi { "multi" } else { "single" });
        }
        if !representation.is_empty() {
            keys += &format!("representation = \"{representation}\"\n");
        }
        if !is_multi && rows * columns > 1 && dice.one_in(3) {
            keys += &format!("pattern_database = {:?}\n", groups(rows * columns, dice));
        }
        let mut puzzle = Tiles { start: goal.clone(), goal, surface, is_multi, start_keys: String::new(), keys };
        puzzle.choose_start(seed, dice);
        puzzle
    }

    /// Chooses a start and its keys in the file.
    fn choose_start(&mut self, seed: u64, dice: &mut Dice) {
        let (rows, columns) = (self.goal.len(), self.goal[0].len());
        if dice.one_in(3) {
            let moves = dice.one_in(2).then(|| dice.below(20));
            let walk = moves.map_or(String::new(), |moves| format!("moves = {moves}, "));
            self.start_keys = format!("rows = {rows}\ncolumns = {columns}\nscramble = {{ {walk}seed = {seed} }}\n");
            self.start = read(&open(self).draw(Style::Plain));
            let Some(walk) = ReachableStates::new(self, 1000) else { return };
            let fewest = walk.fewest().unwrap_or_else(|| panic!("{} cannot be solved", self.text()));
            assert!(moves.is_none_or(|moves| fewest as usize <= moves), "{fewest} moves away: {}", self.text());
            return;
        }
        // A random board, or a solvable one.
        if dice.one_in(3) {
            let mut tiles = self.goal.concat();
            dice.shuffle(&mut tiles);
            self.start = tiles.chunks(columns).map(<[usize]>::to_vec).collect();
        } else {
            for _ in 0..dice.below(40) {
                let moves = self.moves(&self.start);
                if !moves.is_empty() {
                    self.start = dice.pick(&moves).2;
                }
            }
        }
        self.start_keys = if dice.one_in(4) {
            let size = if rows == columns { format!("{rows}\n") } else { format!("{rows} {columns}\n") };
            let numbers = self.start.concat().iter().map(usize::to_string).collect::<Vec<_>>();
            let separator = dice.pick(&[" ", "\n", "  \r\n"]);
            let board = size + &numbers.join(separator) + "\n";
            store("tiles", &format!("{seed}.txt"), &board);
            format!("start_file = \"{seed}.txt\"\n")
        } else {
            format!("start = {}", drawing(&self.start, dice))
        };
    }

    /// Returns the neighbour of a cell, across joined edges as well; it may be the cell itself.
    fn neighbour(&self, (row, column): Cell, down: i32, right: i32) -> Option<Cell> {
        let (height, width) = (self.goal.len() as i32, self.goal[0].len() as i32);
        let (mut row, mut column) = (row as i32 + down, column as i32 + right);
        if column < 0 || column >= width {
            match self.surface {
                "plane" => return None,
                "cylinder" | "torus" => {}
                _ => row = height - 1 - row,
            }
            column = (column + width) % width;
        }
        if row < 0 || row >= height {
            match self.surface {
                "torus" | "klein-bottle" => {}
                "projective-plane" => column = width - 1 - column,
                _ => return None,
            }
            row = (row + height) % height;
        }
        Some((row as usize, column as usize))
    }

    /// Moves the blank; returns the tile that it swapped with, and the new board.
    fn slid(board: &Board, blank: Cell, to: Cell) -> (usize, Board) {
        let mut board = board.clone();
        let tile = board[to.0][to.1];
        board[blank.0][blank.1] = tile;
        board[to.0][to.1] = 0;
        (tile, board)
    }
}

fn blank(board: &Board) -> Cell {
    let found = board.iter().enumerate().find_map(|(row, line)| Some((row, line.iter().position(|&tile| tile == 0)?)));
    found.expect("every board has a blank")
}

fn drawing(board: &Board, dice: &mut Dice) -> String {
    let sign = dice.pick(&[".", "0"]);
    let entry = |&tile: &usize| if tile == 0 { sign.to_owned() } else { tile.to_string() };
    let row = |row: &Vec<usize>| row.iter().map(entry).collect::<Vec<_>>().join(" ") + "\n";
    format!("\"\"\"\n{}\"\"\"\n", board.iter().map(row).collect::<String>())
}

/// Parses a board in the plain format: its size, then the rows.
fn read(drawn: &str) -> Board {
    let row = |line: &str| line.split_whitespace().map(|tile| tile.parse().expect("a tile")).collect();
    drawn.lines().skip(1).map(row).collect()
}

/// Returns random disjoint groups of tiles; some tiles are in none.
fn groups(cells: usize, dice: &mut Dice) -> Vec<Vec<usize>> {
    let mut groups = vec![Vec::new(); 4];
    for tile in 1..cells {
        groups[dice.below(4)].push(tile);
    }
    let mut groups: Vec<Vec<usize>> = groups[..3].iter().filter(|group| !group.is_empty()).cloned().collect();
    if groups.is_empty() {
        groups.push(vec![1]);
    }
    groups
}

impl Model for Tiles {
    type State = Board;
    type Key = Board;

    fn text(&self) -> String {
        format!("title = \"Tiles\"\ndomain = \"sliding-tile\"\n{}{}", self.start_keys, self.keys)
    }

    fn file(&self) -> PathBuf {
        folder("tiles").join("random.toml")
    }

    fn start(&self) -> Board {
        self.start.clone()
    }

    /// The number of states of the largest board, 2×4.
    fn max_states(&self) -> usize {
        40_320
    }

    fn is_goal(&self, board: &Board) -> bool {
        *board == self.goal
    }

    fn moves(&self, board: &Board) -> Vec<Move<Board>> {
        let from = blank(board);
        let mut moves: Vec<Move<Board>> = Vec::new();
        // A move names the direction of the tile; the blank moves in the opposite one.
        for (written, down, right) in DIRECTIONS {
            if self.is_multi {
                let (mut at, mut pushed) = (from, board.clone());
                while let Some(next) = self.neighbour(at, -down, -right) {
                    let (tile, after) = Tiles::slid(&pushed, at, next);
                    moves.push((format!("{tile}{written}"), Length::ONE, after.clone()));
                    (at, pushed) = (next, after);
                }
                continue;
            }
            let cells = (0..board.len()).flat_map(|row| (0..board[0].len()).map(move |column| (row, column)));
            for cell in cells.filter(|&cell| cell != from && self.neighbour(cell, down, right) == Some(from)) {
                let (tile, after) = Tiles::slid(board, from, cell);
                if moves.iter().all(|(_, _, known)| *known != after) {
                    moves.push((format!("{tile}{written}"), Length::ONE, after));
                }
            }
        }
        moves
    }

    fn key(&self, board: &Board) -> Board {
        board.clone()
    }

    /// Accepts the notation of the blank as well, and any of several directions between two cells.
    fn play(&self, board: &Board, written: &str) -> Option<(Length, Board)> {
        let mut at = (blank(board), board.clone());
        let letter = written.chars().next()?;
        if "UDLR".contains(letter) {
            if written.chars().any(|other| other != letter) || !self.is_multi && written.len() > 1 {
                return None;
            }
            let (_, down, right) =
                DIRECTIONS.into_iter().find(|(known, ..)| *known == letter.to_ascii_lowercase().to_string())?;
            for _ in written.chars() {
                let next = self.neighbour(at.0, down, right).filter(|&next| next != at.0)?;
                at = (next, Tiles::slid(&at.1, at.0, next).1);
            }
            return Some((Length::ONE, at.1));
        }
        let (_, down, right) = DIRECTIONS.into_iter().find(|(known, ..)| written.ends_with(known))?;
        let tile = &written[..written.len() - 1];
        if !tile.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let tile: usize = tile.parse().ok().filter(|&tile| tile > 0)?;
        if self.is_multi {
            let canonical = format!("{tile}{}", &written[written.len() - 1..]);
            return self
                .moves(board)
                .into_iter()
                .find(|(known, ..)| *known == canonical)
                .map(|(_, cost, next)| (cost, next));
        }
        let cell = self.neighbour(at.0, 0, 0).and_then(|_| {
            let rows = board.iter().enumerate();
            rows.flat_map(|(r, row)| (0..row.len()).map(move |c| (r, c))).find(|&(r, c)| board[r][c] == tile)
        })?;
        (self.neighbour(cell, down, right) == Some(at.0)).then(|| (Length::ONE, Tiles::slid(board, at.0, cell).1))
    }

    fn restarted(&self, drawn: &str) -> Option<Tiles> {
        Some(Tiles { start: read(drawn), ..self.clone() })
    }
}

#[test]
fn boards_of_tiles_have_the_answers_of_a_plain_search() {
    let mut tally = Tally::default();
    each_seed(200, |seed| compare(&Tiles::random(seed), seed, &mut tally));
    if is_full_run() {
        tally.assert_balanced("boards of tiles");
    }
}
