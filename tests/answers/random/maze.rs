//! Random mazes: drawn with costs or as a map file, with orthogonal or diagonal moves.

use crate::random::compare::{Tally, compare};
use crate::random::walk::{Length, Model, Move};
use crate::support::dice::{Dice, each_seed, folder, is_full_run, store};
use std::path::PathBuf;

type Cell = (usize, usize);

#[derive(Clone)]
pub struct Maze {
    /// The cost to enter each cell, by row and column; 0 for a wall.
    costs: Vec<Vec<u32>>,
    start: Cell,
    goal: Cell,
    diagonal: bool,
    /// The name of the map file, if it is one.
    map_file: Option<String>,
    extra: &'static str,
}

const DIRECTIONS: [(&str, i32, i32); 8] =
    [("u", -1, 0), ("d", 1, 0), ("l", 0, -1), ("r", 0, 1), ("ul", -1, -1), ("ur", -1, 1), ("dl", 1, -1), ("dr", 1, 1)];

impl Maze {
    pub fn random(seed: u64) -> Maze {
        let dice = &mut Dice::new(seed);
        let (rows, columns) =
            if dice.one_in(20) { (1, dice.within(2, 9)) } else { (dice.within(2, 7), dice.within(1, 7)) };
        let (walls, costly) = (dice.below(50), dice.pick(&[0, 0, 30, 100]));
        let map_file = dice.one_in(4).then(|| format!("{seed}.map"));
        let mut cost = || match (dice.below(100) < walls, map_file.is_none() && dice.below(100) < costly) {
            (true, _) => 0,
            (false, true) => dice.within(1, 9) as u32,
            (false, false) => 1,
        };
        let mut costs: Vec<Vec<u32>> = (0..rows).map(|_| (0..columns).map(|_| cost()).collect()).collect();
        let mut place = || (dice.below(rows), dice.below(columns));
        let (start, mut goal) = (place(), place());
        while goal == start && map_file.is_none() {
            goal = place();
        }
        for (row, column) in [start, goal] {
            costs[row][column] = 1;
        }
        let extra = dice.pick(&["", "[search]\nalgorithm = \"bfs\"\n", "[search]\nheuristic = \"octile\"\n"]);
        let maze = Maze { costs, start, goal, diagonal: dice.one_in(2), map_file, extra };
        if let Some(name) = &maze.map_file {
            let walls = dice.pick(&['@', 'O', 'T', 'W']);
            let cell = |&cost: &u32| if cost == 0 { walls } else { '.' };
            let rows: String = maze.costs.iter().map(|row| row.iter().map(cell).collect::<String>() + "\n").collect();
            let size = format!("type octile\nheight {}\nwidth {}\nmap\n", maze.costs.len(), columns);
            store("mazes", name, &(size + &rows));
        }
        maze
    }

    fn drawing(&self) -> String {
        let cell = |(place, &cost): (Cell, &u32)| match cost {
            _ if place == self.start => 'S',
            _ if place == self.goal => 'G',
            0 => '#',
            1 => '.',
            cost => char::from_digit(cost, 10).expect("costs are digits"),
        };
        let row = |(row, costs): (usize, &Vec<u32>)| {
            let places = costs.iter().enumerate().map(|(column, cost)| ((row, column), cost));
            places.map(cell).collect::<String>() + "\n"
        };
        self.costs.iter().enumerate().map(row).collect()
    }

    fn cost(&self, (row, column): (i32, i32)) -> Option<u32> {
        let row = self.costs.get(usize::try_from(row).ok()?)?;
        row.get(usize::try_from(column).ok()?).copied().filter(|&cost| cost > 0)
    }
}

impl Model for Maze {
    type State = Cell;
    type Key = Cell;

    fn text(&self) -> String {
        let map = match &self.map_file {
            Some(name) => {
                format!("map_file = \"{name}\"\nstart = {:?}\ngoal = {:?}\n", listed(self.start), listed(self.goal))
            }
            None => format!("map = \"\"\"\n{}\"\"\"\n", self.drawing()),
        };
        let moves = if self.diagonal { "moves = \"diagonal\"\n" } else { "" };
        format!("title = \"Maze\"\ndomain = \"maze\"\n{map}{moves}{}", self.extra)
    }

    fn file(&self) -> PathBuf {
        folder("mazes").join("random.toml")
    }

    fn start(&self) -> Cell {
        self.start
    }

    fn is_goal(&self, place: &Cell) -> bool {
        *place == self.goal
    }

    fn moves(&self, place: &Cell) -> Vec<Move<Cell>> {
        let (row, column) = (place.0 as i32, place.1 as i32);
        let step = |&(written, down, right): &(&str, i32, i32)| {
            let cost = self.cost((row + down, column + right))?;
            let is_diagonal = down != 0 && right != 0;
            if is_diagonal {
                self.cost((row + down, column))?;
                self.cost((row, column + right))?;
            }
            let length = if is_diagonal { Length(0, cost) } else { Length(cost, 0) };
            let to = ((row + down) as usize, (column + right) as usize);
            (self.diagonal || !is_diagonal).then(|| (written.to_owned(), length, to))
        };
        DIRECTIONS.iter().filter_map(step).collect()
    }

    fn key(&self, place: &Cell) -> Cell {
        *place
    }

    fn is_unit(&self) -> bool {
        !self.diagonal && self.costs.iter().flatten().all(|&cost| cost <= 1)
    }

    /// A scramble of a drawn maze never starts at the goal.
    fn fewest_from_a_scramble(&self) -> u32 {
        2
    }

    fn restarted(&self, drawn: &str) -> Option<Maze> {
        let found = drawn.lines().enumerate().find_map(|(row, line)| Some((row, line.find('S')?)));
        Some(Maze { start: found.expect("the walker is drawn"), ..self.clone() })
    }
}

fn listed((row, column): Cell) -> [usize; 2] {
    [row, column]
}

#[test]
fn mazes_have_the_answers_of_a_plain_search() {
    let mut tally = Tally::default();
    each_seed(1200, |seed| compare(&Maze::random(seed), seed, &mut tally));
    if is_full_run() {
        tally.assert_balanced("mazes");
    }
}
