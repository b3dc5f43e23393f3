//! Random mazes: drawn with costs or as a map file, with orthogonal or diagonal moves, several goals, portals, costs of
//! a legend, fences, and steps that cut corners.

use crate::random::compare::{Tally, compare};
use crate::random::walk::{Length, Model, Move};
use crate::support::dice::{Dice, each_seed, folder, is_full_run, store};
use std::collections::HashSet;
use std::path::PathBuf;

type Cell = (usize, usize);

#[derive(Clone)]
pub struct Maze {
    /// The cost to enter each cell, by row and column; 0 for a wall.
    costs: Vec<Vec<u32>>,
    start: Cell,
    goals: Vec<Cell>,
    /// The two cells of each portal, and the cost of entering them.
    portals: Vec<([Cell; 2], u32)>,
    /// The cells and their neighbours below or to the right from which fences part them.
    fences: HashSet<(Cell, Cell)>,
    diagonal: bool,
    /// The number of cells beside a diagonal step that may be walls.
    cut: usize,
    /// The name of the map file, if it is one.
    map_file: Option<String>,
    extra: &'static str,
}

/// The characters of the legend, with their costs.
const LEGEND: [(char, u32); 3] = [('a', 1), ('~', 12), ('0', 345)];

/// The characters of the portals.
const PORTALS: [char; 3] = ['P', '*', 'x'];

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
        let diagonal = dice.one_in(2);
        let walls = dice.pick(&['@', 'O', 'T', 'W']);
        let cut = if diagonal { dice.pick(&[0, 0, 1, 2]) } else { 0 };
        let mut maze = Maze {
            costs,
            start,
            goals: vec![goal],
            portals: Vec::new(),
            fences: HashSet::new(),
            diagonal,
            cut,
            map_file,
            extra,
        };
        if dice.one_in(3) {
            maze.add_fences(dice);
        }
        if dice.one_in(2) {
            maze.add_goals_portals_and_costs(dice);
        }
        if let Some(name) = &maze.map_file {
            let rows = maze.rows(|place, cost| match maze.written(place, cost) {
                '#' => walls,
                drawn => drawn,
            });
            let size = format!("type octile\nheight {}\nwidth {}\nmap\n", maze.costs.len(), columns);
            store("mazes", name, &(size + &rows));
        }
        maze
    }

    fn add_fences(&mut self, dice: &mut Dice) {
        let share = dice.pick(&[10, 30, 50]);
        for row in 0..self.costs.len() {
            for column in 0..self.costs[row].len() {
                for next in [(row, column + 1), (row + 1, column)] {
                    if dice.below(100) < share {
                        self.fences.insert(((row, column), next));
                    }
                }
            }
        }
    }

    /// Returns the key `fences`.
    fn drawn_fences(&self) -> String {
        if self.fences.is_empty() {
            return String::new();
        }
        let (rows, columns) = (self.costs.len(), self.costs[0].len());
        let fence = |one: Cell, other: Cell, drawn| if self.fences.contains(&(one, other)) { drawn } else { ' ' };
        let mut lines = vec![format!("+{}", "-+".repeat(columns))];
        for row in 0..rows {
            let beside = |column| format!(".{}", fence((row, column), (row, column + 1), '|'));
            let below = |column| format!("{}+", fence((row, column), (row + 1, column), '-'));
            lines.push(format!("|{}", (0..columns).map(beside).collect::<String>()));
            lines.push(format!("+{}", (0..columns).map(below).collect::<String>()));
        }
        format!("fences = \"\"\"\n{}\n\"\"\"\n", lines.join("\n"))
    }

    /// Returns whether a fence parts two neighbours.
    fn is_fenced(&self, one: (i32, i32), other: (i32, i32)) -> bool {
        let cell = |(row, column): (i32, i32)| (row as usize, column as usize);
        let (one, other) = (cell(one), cell(other));
        self.fences.contains(&(one.min(other), one.max(other)))
    }

    fn add_goals_portals_and_costs(&mut self, dice: &mut Dice) {
        let mut free: Vec<Cell> = Vec::new();
        for row in 0..self.costs.len() {
            free.extend((0..self.costs[row].len()).map(|column| (row, column)));
        }
        free.retain(|cell| *cell != self.start && !self.goals.contains(cell));
        dice.shuffle(&mut free);
        for _ in 0..dice.below(3) {
            self.goals.extend(free.pop());
        }
        for _ in 0..dice.below(PORTALS.len() + 1) {
            let cost = dice.pick(&[1, 1, 1, 2, 50]);
            if let (true, Some(one), Some(other)) = (free.len() > 1, free.pop(), free.pop()) {
                self.portals.push(([one, other], cost));
            }
        }
        if dice.one_in(2) {
            let count = free.len() / 3;
            free.drain(..count).for_each(|(row, column)| self.costs[row][column] = dice.pick(&LEGEND).1);
        }
        self.goals.iter().for_each(|&(row, column)| self.costs[row][column] = 1);
        for ((row, column), cost) in self.portals.iter().flat_map(|&(cells, cost)| cells.map(|cell| (cell, cost))) {
            self.costs[row][column] = cost;
        }
    }

    /// Returns the character of a cell that is neither the start nor a goal.
    fn written(&self, place: Cell, cost: u32) -> char {
        let portal = self.portals.iter().position(|(cells, _)| cells.contains(&place));
        match (portal, cost) {
            (Some(number), _) => PORTALS[number],
            (None, 0) => '#',
            (None, 1) => '.',
            (None, cost @ 2..10) => char::from_digit(cost, 10).expect("it is a digit"),
            (None, cost) => LEGEND.iter().find(|(_, known)| *known == cost).expect("it is of the legend").0,
        }
    }

    /// Returns the keys `costs` and `portals`.
    fn legend(&self) -> String {
        let names: String = PORTALS[..self.portals.len()].iter().collect();
        let portals = if names.is_empty() { String::new() } else { format!("portals = \"{names}\"\n") };
        let dear =
            self.portals.iter().zip(PORTALS).filter(|((_, cost), _)| *cost > 1).map(|((_, cost), name)| (name, *cost));
        let costs: Vec<String> =
            LEGEND.into_iter().chain(dear).map(|(name, cost)| format!("\"{name}\" = {cost}")).collect();
        let is_plain =
            self.costs.iter().flatten().all(|&cost| cost < 10) && self.portals.iter().all(|(_, cost)| *cost == 1);
        let costs = if is_plain { String::new() } else { format!("costs = {{ {} }}\n", costs.join(", ")) };
        portals + &costs
    }

    fn drawing(&self) -> String {
        self.rows(|place, cost| match place {
            _ if place == self.start => 'S',
            _ if self.goals.contains(&place) => 'G',
            _ => self.written(place, cost),
        })
    }

    /// Returns the map as rows of text.
    fn rows(&self, cell: impl Fn(Cell, u32) -> char) -> String {
        let row = |(row, costs): (usize, &Vec<u32>)| {
            let cells = costs.iter().enumerate().map(|(column, &cost)| cell((row, column), cost));
            cells.collect::<String>() + "\n"
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
                let goals: Vec<[usize; 2]> = self.goals.iter().map(|&goal| listed(goal)).collect();
                let goals = if let [goal] = goals[..] { format!("{goal:?}") } else { format!("{goals:?}") };
                format!("map_file = \"{name}\"\nstart = {:?}\ngoal = {goals}\n", listed(self.start))
            }
            None => format!("map = \"\"\"\n{}\"\"\"\n", self.drawing()),
        };
        let moves = if self.diagonal { "moves = \"diagonal\"\n" } else { "" };
        let corners = ["", "corners = \"one\"\n", "corners = \"any\"\n"][self.cut];
        let keys = self.drawn_fences() + &self.legend() + self.extra;
        format!("title = \"Maze\"\ndomain = \"maze\"\n{map}{moves}{corners}{keys}")
    }

    fn file(&self) -> PathBuf {
        folder("mazes").join("random.toml")
    }

    fn start(&self) -> Cell {
        self.start
    }

    fn is_goal(&self, place: &Cell) -> bool {
        self.goals.contains(place)
    }

    fn moves(&self, place: &Cell) -> Vec<Move<Cell>> {
        let (row, column) = (place.0 as i32, place.1 as i32);
        let step = |&(written, down, right): &(&str, i32, i32)| {
            let cost = self.cost((row + down, column + right))?;
            let is_diagonal = down != 0 && right != 0;
            let (from, to) = ((row, column), (row + down, column + right));
            let beside = [(row + down, column), (row, column + right)];
            let is_fenced = |side: (i32, i32)| self.is_fenced(from, side) || self.is_fenced(side, to);
            let is_walled = |side: (i32, i32)| self.cost(side).is_none();
            let barred = |side: &(i32, i32)| is_fenced(*side) || (self.cut < 2 && is_walled(*side));
            let is_barred = match is_diagonal {
                true => beside.iter().filter(|side| barred(side)).count() > self.cut.min(1),
                false => self.is_fenced(from, to),
            };
            if is_barred {
                return None;
            }
            let length = if is_diagonal { Length(0, cost) } else { Length(cost, 0) };
            let to = ((row + down) as usize, (column + right) as usize);
            (self.diagonal || !is_diagonal).then(|| (written.to_owned(), length, to))
        };
        let through = self.portals.iter().find(|(cells, _)| cells.contains(place)).map(|(cells, cost)| {
            let to = if cells[0] == *place { cells[1] } else { cells[0] };
            ("t".to_owned(), Length(*cost, 0), to)
        });
        DIRECTIONS.iter().filter_map(step).chain(through).collect()
    }

    fn key(&self, place: &Cell) -> Cell {
        *place
    }

    fn is_unit(&self) -> bool {
        !self.diagonal && self.costs.iter().flatten().all(|&cost| cost <= 1)
    }

    /// A scramble of a drawn maze never starts at a goal; it goes on from the cells of portals, too.
    fn fewest_from_a_scramble(&self) -> u32 {
        if self.portals.is_empty() { 2 } else { u32::MAX }
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
    each_seed(300, |seed| compare(&Maze::random(seed), seed, &mut tally));
    if is_full_run() {
        tally.assert_balanced("mazes");
    }
}
