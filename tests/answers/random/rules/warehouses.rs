//! Random levels like Sokoban, of rooms and corridors: large enough for corrals, dead patterns and stubborn sets.
//!
//! Most levels have the plain rules, under which every reduction is at work. The others have one or two twists, for
//! which a reduction must stand back: boxes that are pulled or that move by themselves, several men, one-way doors,
//! levers, holes, diagonal moves, rows of boxes, forbidden places, costs that depend on the position, and so on.

use super::boxes::drawing;
use crate::support::dice::Dice;
use std::collections::BTreeSet;
use std::fmt::Write;

/// A file without its goal.
pub struct Warehouse {
    columns: usize,
    grid: Vec<char>,
    /// The symbols of boxes: one kind, or two.
    kinds: Vec<char>,
    /// Their names in rules of pushes: each, or all as a set.
    pushed: Vec<char>,
    /// The cost of a push, as the file writes it.
    push_cost: String,
    walk_cost: u32,
    top_keys: String,
    /// Variables: the name, the values and the value at the start.
    variables: Vec<[String; 3]>,
    rules: String,
}

/// Returns a board of walls with as many cells of floor as are wanted, if the board has them.
fn board(dice: &mut Dice, rows: usize, columns: usize, floor: usize) -> Vec<char> {
    let cells = rows * columns;
    let mut grid = vec!['#'; cells];
    match dice.below(4) {
        // Rooms that corridors join.
        0 => {
            let mut last = None;
            for _ in 0..dice.within(1, 3) {
                let (height, width) = (dice.within(1, 3).min(rows), dice.within(1, 4).min(columns));
                let (top, left) = (dice.below(rows - height + 1), dice.below(columns - width + 1));
                for row in top..top + height {
                    grid[row * columns + left..][..width].fill('.');
                }
                if let Some((row, column)) = last.replace((top, left)) {
                    for between in row.min(top)..=row.max(top) {
                        grid[between * columns + column] = '.';
                    }
                    for between in column.min(left)..=column.max(left) {
                        grid[top * columns + between] = '.';
                    }
                }
            }
        }
        // Corridors: the path of a random walk.
        1 => {
            let mut at = dice.below(cells);
            for _ in 0..4 * floor {
                grid[at] = '.';
                let (row, column) = (at / columns, at % columns);
                at = match dice.below(4) {
                    0 if row > 0 => at - columns,
                    1 if row + 1 < rows => at + columns,
                    2 if column > 0 => at - 1,
                    3 if column + 1 < columns => at + 1,
                    _ => at,
                };
                if grid.iter().filter(|&&cell| cell == '.').count() >= floor {
                    break;
                }
            }
        }
        // An open room with a few walls.
        _ => grid.fill('.'),
    }
    // Walls in random places, until there is no more floor than wanted.
    while grid.iter().filter(|&&cell| cell == '.').count() > floor {
        let cell = dice.below(cells);
        grid[cell] = '#';
    }
    grid
}

impl Warehouse {
    pub fn random(dice: &mut Dice) -> Warehouse {
        let sizes = [(4, 4), (3, 6), (4, 5), (5, 5), (4, 6), (3, 7), (5, 6), (6, 6), (5, 7), (7, 5)];
        let (rows, columns) = dice.pick(&sizes);
        let boxes = dice.pick(&[2, 2, 3, 3, 3, 4]);
        let most_floor = [25, 19, 14][boxes - 2];
        let floor = dice.within(most_floor - 5, most_floor);
        let mut grid = board(dice, rows, columns, floor);
        while grid.iter().filter(|&&cell| cell == '.').count() < boxes + 3 {
            grid = board(dice, rows, columns, floor);
        }
        let kinds = if dice.one_in(3) { vec!['$', 'b'] } else { vec!['$'] };
        for number in 0..=boxes {
            let piece = if number == 0 { '@' } else { dice.pick(&kinds) };
            put(dice, &mut grid, piece, '.');
        }
        let mut warehouse = Warehouse {
            columns,
            grid,
            pushed: if kinds.len() > 1 && dice.one_in(2) { vec!['B'] } else { kinds.clone() },
            kinds,
            push_cost: dice.pick(&["1", "1", "1", "1", "1", "2"]).to_owned(),
            walk_cost: dice.pick(&[0, 0, 0, 0, 0, 1, 1, 2]),
            top_keys: String::new(),
            variables: Vec::new(),
            rules: String::new(),
        };
        let twists = dice.pick(&[0, 0, 0, 0, 1, 1, 2]);
        let mut is_plain = true;
        let mut done = BTreeSet::new();
        for _ in 0..twists {
            let twist = dice.below(TWISTS);
            if done.insert(twist) {
                is_plain &= !warehouse.twist(dice, twist);
            }
        }
        if is_plain {
            warehouse.walks('@', "turns = true\n");
            warehouse.pushes("turns = true\n");
        }
        warehouse
    }

    /// Adds a rule.
    fn rule(&mut self, [from, to]: [&str; 2], cost: &str, keys: &str) {
        let number = self.rules.matches("[[rules]]").count();
        // A cost that is an expression is a string.
        let cost = if cost.parse::<u32>().is_ok() { cost.to_owned() } else { format!("\"{cost}\"") };
        let quoted = |text: &str| if text.starts_with('[') { text.to_owned() } else { format!("'''\n{text}\n'''") };
        write!(
            self.rules,
            "\n[[rules]]\nname = 'r{number} {{at}} {{direction}}'\nfrom = {}\nto = {}\ncost = {cost}\n{keys}",
            quoted(from),
            quoted(to)
        )
        .expect("a string takes all");
    }

    fn walks(&mut self, man: char, keys: &str) {
        let cost = self.walk_cost.to_string();
        self.rule([&format!("{man}."), &format!(".{man}")], &cost, keys);
    }

    fn pushes(&mut self, keys: &str) {
        for kind in self.pushed.clone() {
            let cost = self.push_cost.clone();
            self.rule([&format!("@{kind}."), &format!(".@{kind}")], &cost, keys);
        }
    }

    /// Changes the rules or the board; returns whether it has added walks and pushes, or what stands for them.
    fn twist(&mut self, dice: &mut Dice, twist: usize) -> bool {
        let turns = "turns = true\n";
        let push = self.push_cost.clone();
        let walk = self.walk_cost.to_string();
        match twist {
            // Boxes are pulled, too.
            0 => self.rule([".@$", "@$."], &push, turns),
            // Boxes are pulled only.
            1 => {
                self.walks('@', turns);
                for kind in self.kinds.clone() {
                    self.rule([&format!(".@{kind}"), &format!("@{kind}.")], &push, turns);
                }
                return true;
            }
            // Two men who look the same, or a second one who does less.
            2 => self.put(dice, '@'),
            3 => {
                self.put(dice, 'A');
                self.walks('A', turns);
                if dice.one_in(2) {
                    self.rule(["A$.", ".A$"], &push, turns);
                }
            }
            // One-way doors.
            4 => {
                for _ in 0..dice.within(1, 2) {
                    let door = dice.pick(&['>', '<', '^', 'v']);
                    put(dice, &mut self.grid, door, '#');
                }
                self.top_keys += "arrows = '^>v<'\n";
                self.rule(["@>.", ".>@"], &walk, turns);
                if dice.one_in(2) {
                    self.rule(["@$>.", ".@>$"], &push, turns);
                }
            }
            // Diagonal moves.
            5 => self.rule(["@?\n?.", ".?\n?@"], &walk, dice.pick(&[turns, "", "mirror = true\n"])),
            6 => self.rule(["@??\n?$?\n??.", ".??\n?@?\n??$"], &push, dice.pick(&[turns, ""])),
            // Any number of boxes in a row.
            7 => self.rule(["@$*.", ".@$*"], &push, "turns = true\nrun = '*'\n"),
            8 => self.rule(["@$$.", ".@$$"], &push, turns),
            // A lever far from its door; a box far from the man.
            9 => {
                self.put(dice, 'l');
                self.put(dice, 'D');
                let to = dice.pick(&["['@l', '.']", "['.@', '.']", "['@.', '$']"]);
                self.rule(["['@l', 'D']", to], &push, turns);
            }
            10 => self.rule(["['@.', '$.']", "['.@', '.$']"], &push, dice.pick(&["", turns])),
            // Forbidden places of boxes.
            11 => {
                let cell = |dice: &mut Dice, columns: usize, cells: usize| {
                    let cell = dice.below(cells);
                    format!("cell[{}, {}] == '$'", cell / columns, cell % columns)
                };
                let (columns, cells) = (self.columns, self.grid.len());
                let [one, other] = [0; 2].map(|_| cell(dice, columns, cells));
                let never = dice.pick(&[one.clone(), format!("{one} && {other}")]);
                // The start must be allowed.
                self.top_keys += &format!("never = \"{never} && {}\"\n", self.has_moved());
            }
            // A number of pushes is allowed.
            12 => {
                let most = dice.within(2, 6);
                self.variables.push(["left".to_owned(), format!("'0..{most}'"), most.to_string()]);
                self.walks('@', turns);
                self.pushes("turns = true\nwhen = 'left > 0'\nthen = { left = 'left - 1' }\n");
                return true;
            }
            // Holes that boxes fill.
            13 => {
                for _ in 0..dice.within(1, 2) {
                    put(dice, &mut self.grid, 'O', '#');
                }
                let when = dice.pick(&["", "when = \"count('$') > 1\"\n", "when = \"count('O') % 2 == 1\"\n"]);
                self.rule(["@$O", ".@."], &push, &format!("{turns}{when}"));
            }
            14 => {
                self.walks('@', "turns = true\nedge = 'wrap'\n");
                self.pushes("turns = true\nedge = 'wrap'\n");
                return true;
            }
            // Keys and doors.
            15 => {
                self.put(dice, 'k');
                put(dice, &mut self.grid, 'D', '#');
                self.rule(["@k", ".@"], &walk, turns);
                self.rule(["@D", ".@"], &walk, "turns = true\nwhen = \"count('k') == 0\"\n");
            }
            // Boxes that move by themselves, change places with the man, or fly.
            16 => self.rule(["$.", ".$"], &push, ""),
            17 => self.rule(["@$", "$@"], &push, dice.pick(&["", turns])),
            18 => self.rule(["@$..", ".@.$"], &push, turns),
            19 => self.rule(["@$.", "@.$"], &push, dice.pick(&["", turns])),
            // A cost that depends on the position.
            20 => {
                let cell = dice.below(self.grid.len());
                let (row, column) = (cell / self.columns, cell % self.columns);
                self.push_cost = format!("cell[{row}, {column}] == '{}' ? 2 : 1", dice.pick(&["$", "."]));
            }
            // Floor that breaks.
            21 => {
                self.walks('@', turns);
                self.rule(["@$.", ",@$"], &push, turns);
                if dice.one_in(2) {
                    self.rule(["@,", ".@"], &push, turns);
                }
                return true;
            }
            // Not all directions, or not at the same cost.
            22 => {
                self.walks('@', dice.pick(&["turns = true\n", "mirror = true\n"]));
                self.rule(["@\n.", ".\n@"], &walk, "");
                self.pushes(dice.pick(&["mirror = true\n", ""]));
                self.rule(["@\n$\n.", ".\n@\n$"], &push, "");
                if dice.one_in(2) {
                    self.rule([".\n$\n@", "$\n@\n."], dice.pick(&["2", "0", "1"]), "");
                }
                return true;
            }
            // A lever that boxes need in one place.
            23 => {
                self.variables.push(["up".to_owned(), "[true, false]".to_owned(), "true".to_owned()]);
                let cell = dice.below(self.grid.len());
                let there = format!("cell[{}, {}] == '@'", cell / self.columns, cell % self.columns);
                write!(
                    self.rules,
                    "\n[[rules]]\nname = 'lever'\nwhen = \"{there}\"\nthen = {{ up = '!up' }}\ncost = {}\n",
                    dice.below(2)
                )
                .expect("a string takes all");
                self.walks('@', dice.pick(&[turns, turns, "turns = true\nwhen = 'up'\n"]));
                self.pushes(dice.pick(&["turns = true\nwhen = 'up'\n", "turns = true\nwhen = '!up'\n"]));
                return true;
            }
            // Pushes at no cost, or conditions that count boxes in one row.
            24 => self.push_cost = "0".to_owned(),
            _ => {
                let row = dice.below(self.grid.len() / self.columns);
                let count = format!("count(i in 0..{}: cell[{row}, i] == '$')", self.columns - 1);
                let when = format!("when = \"{count} {} {}\"\n", dice.pick(&["<", ">=", "!="]), dice.within(1, 2));
                self.walks('@', turns);
                self.pushes(&format!("{turns}{when}"));
                return true;
            }
        }
        false
    }

    /// Puts a piece on some cell without another piece.
    fn put(&mut self, dice: &mut Dice, piece: char) {
        let from = if self.grid.contains(&'.') && !dice.one_in(4) { '.' } else { '#' };
        put(dice, &mut self.grid, piece, from);
    }

    /// Returns a condition that does not hold at the start: some box is elsewhere.
    fn has_moved(&self) -> String {
        let boxes = (0..self.grid.len()).filter(|&cell| self.kinds.contains(&self.grid[cell]));
        let moved =
            |cell: usize| format!("cell[{}, {}] != '{}'", cell / self.columns, cell % self.columns, self.grid[cell]);
        format!("({})", boxes.map(moved).collect::<Vec<_>>().join(" || "))
    }

    /// Returns a file with the same positions and a goal that none of them is.
    pub fn draft(&self) -> String {
        self.with_goal("{ count = { '$' = '90..99' } }", &vec!['.'; self.grid.len()])
    }

    /// Returns the file with a goal: usually that boxes stand as in a drawing of a position.
    pub fn text(&self, dice: &mut Dice, position: &str) -> String {
        let rows = self.grid.len() / self.columns;
        let cells: Vec<char> = position.lines().take(rows).flat_map(|row| row.chars().take(self.columns)).collect();
        let mut marks = vec!['.'; cells.len()];
        let floor: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell] != '#').collect();
        let is_random = dice.one_in(6);
        for (&kind, mark) in self.kinds.iter().zip(['x', 'y']) {
            for cell in (0..cells.len()).filter(|&cell| cells[cell] == kind) {
                marks[if is_random { dice.pick(&floor) } else { cell }] = mark;
            }
        }
        // More marks than boxes.
        for _ in 0..dice.pick(&[0, 0, 0, 1, 2]) {
            marks[dice.pick(&floor)] = dice.pick(&['x', 'x', 'y']);
        }
        if !marks.contains(&'x') {
            marks[dice.pick(&floor)] = 'x';
        }
        let mut goals = vec![self.goal(dice, &cells, &marks)];
        if dice.one_in(8) {
            let mut other = cells.clone();
            for _ in 0..2 {
                other.swap(dice.pick(&floor), dice.pick(&floor));
            }
            goals.push(self.goal(dice, &other, &marks));
        }
        self.with_goal(&format!("[{}]", goals.join(", ")), &marks)
    }

    /// Returns one goal.
    fn goal(&self, dice: &mut Dice, cells: &[char], marks: &[char]) -> String {
        let mut parts = Vec::new();
        if dice.one_in(3) {
            // Fewer places than boxes.
            let all = !dice.one_in(4);
            let is_wanted = |dice: &mut Dice, symbol| self.kinds.contains(&symbol) && (all || dice.one_in(2));
            let wanted: Vec<char> =
                cells.iter().map(|&symbol| if is_wanted(dice, symbol) { symbol } else { '?' }).collect();
            parts.push(format!("drawing = {}", drawing(&wanted, self.columns)));
        } else {
            let mut wanted =
                vec![format!("'$' = '{}'", if marks.contains(&'y') && dice.one_in(4) { "xy" } else { "x" })];
            if self.kinds.len() > 1 && marks.contains(&'y') {
                wanted.push("'b' = 'y'".to_owned());
            }
            parts.push(format!("every = {{ {} }}", wanted.join(", ")));
        }
        if dice.one_in(10) {
            let man = cells.iter().position(|&cell| cell == '@').unwrap_or(0);
            parts.push(format!("when = \"cell[{}, {}] == '@'\"", man / self.columns, man % self.columns));
        }
        if let Some([name, values, _]) = self.variables.first().filter(|_| dice.one_in(4)) {
            let value = if values.contains("true") { dice.pick(&["true", "false"]) } else { "1" };
            parts.push(format!("{name} = {value}"));
        }
        format!("{{ {} }}", parts.join(", "))
    }

    fn with_goal(&self, goal: &str, marks: &[char]) -> String {
        let starts: String = self.variables.iter().map(|[name, _, start]| format!(", {name} = {start}")).collect();
        let variables: String = self.variables.iter().map(|[name, values, _]| format!("{name} = {values}\n")).collect();
        // `$` and `b` are symbols even if none is on the grid.
        format!(
            "title = 'Warehouse'\ndomain = 'rules'\nstart = {{ drawing = {}{starts} }}\nmarks = {}\ngoal = {goal}\n{}\
             [sets]\nB = '$b'\n[variables]\n{variables}{}",
            drawing(&self.grid, self.columns),
            drawing(marks, self.columns),
            self.top_keys,
            self.rules
        )
    }
}

/// The number of twists.
const TWISTS: usize = 26;

/// Puts a piece on some cell with a symbol, if there is one.
fn put(dice: &mut Dice, grid: &mut [char], piece: char, on: char) {
    let cells: Vec<usize> = (0..grid.len()).filter(|&cell| grid[cell] == on).collect();
    if !cells.is_empty() {
        grid[dice.pick(&cells)] = piece;
    }
}
