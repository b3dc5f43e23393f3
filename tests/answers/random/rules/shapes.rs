//! Random small puzzles of many shapes: jumping pegs, swaps, tiles, switches, jugs, interchangeable balls, knights,
//! hexagons, rooks, pancakes, trains, towers and blocks.
//!
//! Each is a known puzzle with a few changes: a condition is missing, a cost differs, a rule goes one way only. The
//! goal is drawn from a position that is far from the start.

use crate::support::dice::Dice;
use std::fmt::Write;

/// A file without its goal.
pub struct Shape {
    name: &'static str,
    /// The drawing of the grid, if there is one.
    grid: Option<String>,
    /// Keys before the first table.
    top_keys: String,
    /// Variables: the name or the array, the values, and the value at the start.
    variables: Vec<[String; 3]>,
    /// The tables except that of the variables.
    tables: String,
    /// A symbol whose number may be the goal.
    counted: Option<char>,
}

/// The names of the shapes.
pub const SHAPES: [&str; 15] = [
    "pegs", "swaps", "tiles", "switches", "jugs", "balls", "knights", "hexagons", "rooks", "pancakes", "walker",
    "towers", "blocks", "ferry", "wheels",
];

fn quoted(text: &str) -> String {
    format!("'''\n{text}\n'''")
}

fn strings(values: &[&str]) -> String {
    format!("[{}]", values.iter().map(|value| format!("'{value}'")).collect::<Vec<_>>().join(", "))
}

/// Returns a random drawing of the symbols of one of these strings.
fn random_grid(dice: &mut Dice, rows: usize, columns: usize, strings: &[&str]) -> String {
    let symbols: Vec<char> = dice.pick(strings).chars().collect();
    let row = |dice: &mut Dice| (0..columns).map(|_| dice.pick(&symbols)).collect::<String>();
    (0..rows).map(|_| row(dice)).collect::<Vec<_>>().join("\n")
}

impl Shape {
    pub fn random(dice: &mut Dice) -> Shape {
        let name = dice.pick(&SHAPES);
        let mut shape = Shape {
            name,
            grid: None,
            top_keys: String::new(),
            variables: Vec::new(),
            tables: String::new(),
            counted: None,
        };
        match name {
            "pegs" => shape.pegs(dice),
            "swaps" => shape.swaps(dice),
            "tiles" => shape.tiles(dice),
            "switches" => shape.switches(dice),
            "jugs" => shape.jugs(dice),
            "balls" => shape.balls(dice),
            "knights" => shape.knights(dice),
            "hexagons" => shape.hexagons(dice),
            "rooks" => shape.rooks(dice),
            "pancakes" => shape.pancakes(dice),
            "walker" => shape.walker(dice),
            "towers" => shape.towers(dice),
            "blocks" => shape.blocks(dice),
            "ferry" => shape.ferry(dice),
            _ => shape.wheels(dice),
        }
        shape
    }

    fn variable(&mut self, name: &str, values: &str, start: &str) {
        self.variables.push([name.to_owned(), values.to_owned(), start.to_owned()]);
    }

    /// Adds a rule with these keys, a line each.
    fn rule(&mut self, name: &str, keys: &[&str]) {
        let number = self.tables.matches("[[rules]]").count();
        write!(self.tables, "\n[[rules]]\nname = 'r{number}{name}'\n{}\n", keys.join("\n"))
            .expect("a string takes all");
    }

    /// Adds a rule of a drawing.
    fn drawn(&mut self, from: &str, to: &str, keys: &[&str]) {
        let (from, to) = (format!("from = {}", quoted(from)), format!("to = {}", quoted(to)));
        let keys: Vec<&str> = [from.as_str(), to.as_str()].into_iter().chain(keys.iter().copied()).collect();
        self.rule(" {at} {direction}", &keys);
    }

    fn pegs(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(1, 7), (2, 5), (3, 4), (4, 4), (3, 5)]);
        self.grid = Some(random_grid(dice, rows, columns, &["ooo.", "oooo.#", "oo.", "ooox.."]));
        self.counted = Some('o');
        let cost = dice.pick(&["", "", "cost = 2"]);
        let turns = dice.pick(&["turns = true", "turns = true", "turns = true\nedge = 'wrap'", "mirror = true"]);
        self.drawn("oo.", "..o", &[turns, cost]);
        if dice.one_in(3) {
            let one = dice.pick(&[["x.", ".x"], ["ox.", "..x"], ["o..", "..o"], ["xo.", "..x"], ["o.", ".o"]]);
            self.drawn(one[0], one[1], &[turns, dice.pick(&["", "cost = 3", "cost = 0"])]);
        }
        if dice.one_in(4) {
            self.drawn("o??\n?o?\n??.", ".??\n?.?\n??o", &["turns = true"]);
        }
        if dice.one_in(5) {
            let count = dice.within(2, 6);
            let sign = dice.pick(&[">", "<=", "!="]);
            self.drawn("o.", ".o", &["turns = true", &format!("when = \"count('o') {sign} {count}\""), "cost = 2"]);
        }
        self.tables += "[sets]\nP = 'ox'\n";
    }

    fn swaps(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(1, 6), (2, 3), (2, 4), (3, 3)]);
        self.grid = Some(random_grid(dice, rows, columns, &["aab", "ab", "abc", "aabb#", "ab.."]));
        self.tables += "[sets]\nM = 'ab'\nN = 'abc'\n";
        let turns = dice.pick(&["turns = true", "mirror = true", ""]);
        let cost = dice.pick(&["", "", "cost = 2"]);
        match dice.below(4) {
            0 => self.drawn("MN", "NM", &[turns, cost, "when = 'M != N'"]),
            1 => self.drawn("MN?", "NM?", &[turns, cost]),
            2 => self.drawn("M?N", "N?M", &[turns, cost]),
            _ => self.drawn("MN", "NM", &[turns, cost]),
        }
        if dice.one_in(2) {
            let one = dice.pick(&[["ab", "ba"], ["abb", "bab"], ["aa", "bb"], ["bb", "aa"], ["c", "a"]]);
            self.drawn(one[0], one[1], &[dice.pick(&["turns = true", ""]), dice.pick(&["", "cost = 0"])]);
        }
    }

    fn tiles(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(2, 3), (2, 3), (1, 6), (3, 3), (2, 4)]);
        let cells = rows * columns;
        let kinds = if cells > 6 { 2 } else { 5 };
        let mut all: Vec<char> = (0..cells - 1).map(|at| char::from(b'1' + (at % kinds) as u8)).collect();
        all.push('.');
        if dice.one_in(3) {
            all[0] = dice.pick(&['.', '#']);
        }
        dice.shuffle(&mut all);
        let lines: Vec<String> = all.chunks(columns).map(|row| row.iter().collect()).collect();
        self.grid = Some(lines.join("\n"));
        self.tables += "[sets]\nN = '12345'\nX = '12'\n";
        let cost = dice.pick(&["", "", "cost = 2", "cost = 'N'"]);
        let turns = dice.pick(&["turns = true", "turns = true", "turns = true\nedge = 'wrap'"]);
        self.drawn("N.", ".N", &[turns, cost]);
        if dice.one_in(4) {
            self.drawn("NX.", ".NX", &["turns = true", dice.pick(&["", "when = 'X == N'"])]);
        }
        if dice.one_in(4) {
            self.drawn("N*.", ".N*", &["turns = true", "run = '*'", "when = 'run > 1'"]);
        }
        if dice.one_in(6) {
            self.drawn("N?.", ".?N", &["", "cost = 3"]);
        }
    }

    fn switches(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(1, 6), (2, 3), (3, 3), (2, 4), (2, 5)]);
        self.grid = Some(random_grid(dice, rows, columns, &["o.", "oo.", "o.x"]));
        self.tables +=
            dice.pick(&["[maps]\nt = { o = '.', '.' = 'o' }\n", "[maps]\nt = { o = 'x', x = '.', '.' = 'o' }\n"]);
        self.counted = Some('o');
        let pattern = dice.pick(&["?t?\nttt\n?t?", "ttt", "tt", "t", "t?t", "t?\n?t"]);
        let edge = dice.pick(&["edge = 'clip'", "edge = 'wrap'", ""]);
        let when = dice.pick(&["", "", "", "when = \"count('o') > 1\"", "when = \"count('o') % 2 == 0\""]);
        let turns = dice.pick(&["", "turns = true"]);
        self.rule(" {at} {direction}", &[&format!("to = {}", quoted(pattern)), edge, turns, when]);
        if dice.one_in(3) {
            let more = dice.pick(&[["o.", ".o"], ["oo", ".."], ["ox", "xo"]]);
            self.drawn(more[0], more[1], &["turns = true", dice.pick(&["", "cost = 2"])]);
        }
    }

    fn jugs(&mut self, dice: &mut Dice) {
        let number = dice.within(2, 3);
        let sizes: Vec<usize> = (0..number).map(|_| dice.within(1, 7)).collect();
        let names = ["a", "b", "c"];
        for (name, size) in names.iter().zip(&sizes) {
            self.variable(name, &format!("'0..{size}'"), &dice.below(size + 1).to_string());
        }
        let costs = ["", "", "cost = 2", "cost = 'abs(a - b)'", "cost = 0"];
        for (name, size) in names.iter().zip(&sizes) {
            if dice.one_in(2) {
                let cost = dice.pick(&costs);
                self.rule(&format!(" fill {name}"), &[&format!("then = {{ {name} = {size} }}"), cost]);
            }
            if dice.one_in(2) {
                self.rule(&format!(" empty {name}"), &[&format!("then = {{ {name} = 0 }}"), dice.pick(&costs)]);
            }
        }
        for one in 0..number {
            for other in (0..number).filter(|&other| other != one) {
                let (from, to, size) = (names[one], names[other], sizes[other]);
                let amount = format!("min({from}, {size} - {to})");
                let then = format!("then = {{ {from} = '{from} - {amount}', {to} = '{to} + {amount}' }}");
                self.rule(&format!(" {from} into {to}"), &[&then, dice.pick(&costs)]);
            }
        }
        if dice.one_in(5) {
            let start = |at: usize| self.variables[at][2].parse::<usize>().expect("a number");
            self.top_keys += &format!("never = 'a + b == {}'\n", start(0) + start(1) + dice.within(1, 3));
        }
    }

    fn balls(&mut self, dice: &mut Dice) {
        let number = dice.within(2, 4);
        let rooms: &[&str] = dice.pick(&[&["p", "q"][..], &["p", "q", "s"][..]]);
        let hands: &[&str] = dice.pick(&[&["left", "right"][..], &["left"][..]]);
        let places: Vec<&str> = rooms.iter().chain(hands).copied().collect();
        let ball = format!("ball[1..{number}]");
        let start: Vec<&str> = (0..number).map(|_| rooms[usize::from(dice.one_in(4))]).collect();
        self.variable(&ball, &strings(&places), &strings(&start));
        self.variable("robot", &strings(rooms), "'p'");
        let cost = dice.pick(&["", "", "cost = 2", "cost = 0", "cost = \"robot == 'p' ? 1 : 2\""]);
        self.rule(
            " to {x}",
            &[&format!("for = {{ x = {} }}", strings(rooms)), "when = 'x != robot'", "then = { robot = 'x' }", cost],
        );
        let free = if dice.one_in(4) { "" } else { "when = ['ball[i] == robot', 'all(j in 1..N: ball[j] != h)']" };
        let free = if free.is_empty() { "when = 'ball[i] == robot'" } else { free };
        let each = format!("for = {{ i = '1..{number}', h = {} }}", strings(hands));
        let cost = dice.pick(&["", "", "cost = 'i == 1 ? 2 : 1'"]);
        self.rule(
            " pick {i} {h}",
            &[&each, &free.replace('N', &number.to_string()), "then = { 'ball[i]' = 'h' }", cost],
        );
        let held = format!("when = 'ball[i] in [{}]'", hands.join(", "));
        self.rule(" drop {i}", &[&format!("for = {{ i = '1..{number}' }}"), &held, "then = { 'ball[i]' = 'robot' }"]);
        if dice.one_in(3) {
            self.variable(&format!("tag[1..{number}]"), "[true, false]", "false");
            let each = format!("for = {{ i = '1..{number}' }}");
            self.rule(" tag {i}", &[&each, "when = 'ball[i] == robot'", "then = { 'tag[i]' = '!tag[i]' }"]);
        }
    }

    fn knights(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(3, 3), (3, 4), (2, 5)]);
        self.grid = Some(random_grid(dice, rows, columns, &["w....", "wb...", "wb....#"]));
        self.tables += "[sets]\nN = 'wb'\n";
        let cost = dice.pick(&["", "cost = 2", "cost = \"N == 'w' ? 1 : 2\""]);
        self.drawn("N?\n??\n?.", ".?\n??\n?N", &["turns = true\nmirror = true", cost]);
        if dice.one_in(3) {
            self.drawn("w.", ".w", &["turns = true", dice.pick(&["cost = 0", ""])]);
        }
        if dice.one_in(3) {
            self.drawn("w?\n??\n?b", ".?\n??\n?w", &["turns = true\nmirror = true"]);
        }
    }

    fn hexagons(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(3, 3), (3, 4), (2, 5)]);
        self.grid = Some(random_grid(dice, rows, columns, &["a...", "ab....", "aab...#"]));
        self.tables += "[sets]\nN = 'ab'\n";
        let jumps = dice.one_in(3);
        let cost = dice.pick(&["", "", "cost = 2"]);
        // In axial coordinates a hexagon has four straight neighbours and two diagonal ones.
        self.drawn("N.", ".N", &["turns = true", cost]);
        self.drawn("?N\n.?", "?.\nN?", &[cost]);
        self.drawn("?.\nN?", "?N\n.?", &[dice.pick(&["", "", "cost = 2"])]);
        if jumps {
            self.drawn("ab.", "..a", &["turns = true"]);
            self.drawn("??a\n?b?\n.??", "??.\n?.?\na??", &[""]);
        }
    }

    fn rooks(&mut self, dice: &mut Dice) {
        let (rows, columns) = dice.pick(&[(2, 4), (3, 3), (3, 4), (1, 7)]);
        self.grid = Some(random_grid(dice, rows, columns, &["R.....", "Rr....", "Rr...#"]));
        self.tables += "[sets]\nN = 'Rr'\n";
        let cost = dice.pick(&["", "cost = 'run'", "cost = 'run * run'", "cost = 'run > 1 ? 0 : 1'"]);
        self.drawn("N.*", ".*N", &["turns = true", "run = '*'", cost]);
        match dice.below(4) {
            0 => self.drawn("N.*r", ".*.N", &["turns = true", "run = '*'"]),
            1 => self.drawn("R.", ".R", &["turns = true", "repeat = true"]),
            2 => self.drawn("Rr*.", ".Rr*", &["turns = true", "run = '*'"]),
            _ => {}
        }
    }

    fn pancakes(&mut self, dice: &mut Dice) {
        let number = dice.within(3, 5);
        let is_burnt = dice.one_in(2);
        let most = if is_burnt { number.min(4) } else { number };
        let mut cells: Vec<char> = "abcde".chars().take(most).collect();
        if dice.one_in(4) {
            cells[1] = cells[0];
        }
        dice.shuffle(&mut cells);
        self.grid = Some(cells.iter().collect());
        self.tables += "[maps]\nt = { a = 'A', A = 'a', b = 'B', B = 'b', c = 'C', C = 'c', d = 'D', D = 'd' }\n";
        let value = if is_burnt { "t(cell[0, k-1-i])" } else { "cell[0, k-1-i]" };
        let from = if is_burnt { 1 } else { 2 };
        let cost = dice.pick(&["", "", "cost = 'k'"]);
        self.rule(
            " {k}",
            &[
                &format!("for = {{ k = '{from}..{most}' }}"),
                &format!("then = {{ 'cell[0, i] for i in 0..k-1' = '{value}' }}"),
                cost,
            ],
        );
        if dice.one_in(3) {
            self.drawn("a", "b", &[dice.pick(&["", "cost = 3"])]);
        }
    }

    /// A walker that is a variable, beside boxes in a corridor.
    fn walker(&mut self, dice: &mut Dice) {
        let length = dice.within(5, 8);
        let mut cells = random_grid(dice, 1, length, &["$...", "$$....", "$b..."]);
        cells.replace_range(0..1, ".");
        self.grid = Some(cells);
        self.tables += "[sets]\nB = '$b'\n";
        self.variable("at_cell", &format!("'0..{}'", length - 1), "0");
        let cost = dice.pick(&["cost = 0", "cost = 0", "", "cost = 2"]);
        let last = length - 1;
        for (name, delta) in [("right", 1_i32), ("left", -1)] {
            let each = format!("for = {{ i = '0..{last}' }}");
            let next = format!("i + {delta}");
            let free = format!("when = [\"at_cell == i\", \"{next} in 0..{last} && cell[0, {next}] == '.'\"]");
            self.rule(&format!(" {name} {{i}}"), &[&each, &free, &format!("then = {{ at_cell = '{next}' }}"), cost]);
            if delta < 0 && dice.one_in(3) {
                continue;
            }
            let far = format!("i + {}", 2 * delta);
            let push = format!(
                "when = [\"at_cell == i\", \"{far} in 0..{last} && cell[0, {next}] == '$' && cell[0, {far}] == '.'\"]"
            );
            let then =
                format!("then = {{ at_cell = '{next}', 'cell[0, {next}]' = \"'.'\", 'cell[0, {far}]' = \"'$'\" }}");
            self.rule(&format!(" push {name} {{i}}"), &[&each, &push, &then]);
        }
    }

    /// Disks on pegs, by variables: a move can be taken back only since a disk is on one peg.
    fn towers(&mut self, dice: &mut Dice) {
        let number = dice.within(2, 4);
        let pegs = ["a", "b", "c"];
        self.variable(&format!("disk[1..{number}]"), &strings(&pegs), "'a'");
        let when = dice.pick(&[
            "when = ['disk[d] != q', 'all(s in 1..d-1: disk[s] != disk[d] && disk[s] != q)']",
            "when = 'all(s in 1..d-1: disk[s] != disk[d] && disk[s] != q)'",
            "when = 'all(s in 1..d-1: disk[s] != q)'",
            "when = ['disk[d] != q', 'all(s in 1..d-1: disk[s] == disk[1] && disk[s] != disk[d] && disk[s] != q)']",
        ]);
        let cost = dice.pick(&["", "", "cost = 'd'", "cost = \"q == 'b' ? 2 : 1\""]);
        self.rule(
            " {d} {q}",
            &[
                &format!("for = {{ d = '1..{number}', q = {} }}", strings(&pegs)),
                when,
                "then = { 'disk[d]' = 'q' }",
                cost,
            ],
        );
    }

    /// Blocks on blocks and on a table, with what is clear in variables of its own.
    fn blocks(&mut self, dice: &mut Dice) {
        let number = dice.within(2, 3);
        let range = format!("1..{number}");
        let mut below: Vec<String> = (0..=number).map(|value| value.to_string()).collect();
        below.push("9".to_owned());
        // 0 is the table, 9 the hand.
        self.variable(&format!("on[{range}]"), &format!("[{}]", below.join(", ")), "0");
        self.variable(&format!("clear[{range}]"), "[true, false]", "true");
        self.variable("hand", "[true, false]", "true");
        let one = format!("for = {{ x = '{range}' }}");
        let two = format!("for = {{ x = '{range}', y = '{range}' }}");
        let cost = dice.pick(&["", "", "cost = 2"]);
        self.rule(
            " pick {x}",
            &[
                &one,
                "when = 'on[x] == 0 && clear[x] && hand'",
                "then = { 'on[x]' = 9, 'clear[x]' = false, hand = false }",
                cost,
            ],
        );
        if !dice.one_in(5) {
            self.rule(
                " put {x}",
                &[&one, "when = 'on[x] == 9'", "then = { 'on[x]' = 0, 'clear[x]' = true, hand = true }", cost],
            );
        }
        self.rule(
            " stack {x} {y}",
            &[
                &two,
                "when = 'x != y && on[x] == 9 && clear[y]'",
                "then = { 'on[x]' = 'y', 'clear[x]' = true, 'clear[y]' = false, hand = true }",
            ],
        );
        self.rule(
            " unstack {x} {y}",
            &[
                &two,
                "when = 'x != y && on[x] == y && clear[x] && hand'",
                "then = { 'on[x]' = 9, 'clear[x]' = false, 'clear[y]' = true, hand = false }",
            ],
        );
    }

    fn ferry(&mut self, dice: &mut Dice) {
        let banks = ["l", "r"];
        let all: &[&str] = dice.pick(&[&["wolf", "goat", "cabbage"][..], &["w1", "w2", "w3", "w4"][..]]);
        for name in ["boat"].iter().chain(all) {
            self.variable(name, &strings(&banks), "'l'");
        }
        self.tables += "[maps]\nother = { l = 'r', r = 'l' }\n";
        let cost = dice.pick(&["", "", "cost = 0", "cost = 2"]);
        self.rule(" alone", &["then = { boat = 'other(boat)' }", cost]);
        let each = format!("for = {{ x = {} }}", strings(all));
        self.rule(" with {x}", &[&each, "when = 'x == boat'", "then = { boat = 'other(boat)', x = 'other(x)' }"]);
        if dice.one_in(2) {
            let never = format!("{0} == {1} && {0} != boat", all[0], all[1]);
            self.top_keys += &format!("never = '{never}'\n");
        }
        if dice.one_in(3) {
            let two = format!("for = {{ x = {0}, y = {0} }}", strings(all));
            self.rule(
                " two {x} {y}",
                &[
                    &two,
                    "when = 'x == boat && y == boat'",
                    "then = { boat = 'other(boat)', x = 'other(x)' }",
                    "cost = 2",
                ],
            );
        }
    }

    /// Wheels that turn letters around.
    fn wheels(&mut self, dice: &mut Dice) {
        let columns = dice.within(2, 4);
        self.grid = Some(random_grid(dice, 2, columns, &["ab", "aab", "abc", "ab."]));
        self.tables += "[sets]\nK = 'abc'\nL = 'abc'\nM = 'abc'\nN = 'abc'\n";
        let cost = dice.pick(&["", "", "cost = 3"]);
        self.drawn("KL\nMN", "MK\nNL", &[cost]);
        if !dice.one_in(3) {
            self.drawn("KL\nMN", "LN\nKM", &[dice.pick(&["", cost])]);
        }
        if dice.one_in(3) {
            self.drawn("KL", "LK", &[dice.pick(&["turns = true", "edge = 'wrap'"])]);
        }
    }

    /// Returns a file with the same positions and a goal that few of them are.
    pub fn draft(&self) -> String {
        match &self.grid {
            Some(_) => self.with_goal("{ when = 'rows == 0' }"),
            None => self.with_goal("'1 == 2'"),
        }
    }

    /// Returns the file with a goal that a position meets, or that no position may meet.
    pub fn text(&self, dice: &mut Dice, position: &str) -> String {
        let goals: Vec<String> = (0..dice.pick(&[1, 1, 1, 2])).map(|_| self.goal(dice, position)).collect();
        self.with_goal(&format!("[{}]", goals.join(", ")))
    }

    fn goal(&self, dice: &mut Dice, position: &str) -> String {
        let mut parts = Vec::new();
        let height = self.grid.as_ref().map_or(0, |grid| grid.lines().count());
        let rows: Vec<&str> = position.lines().take(height).collect();
        let all = dice.one_in(2);
        if let Some(symbol) = self.counted.filter(|_| dice.one_in(2)) {
            let number = rows.iter().flat_map(|row| row.chars()).filter(|&cell| cell == symbol).count();
            let near = (number + dice.below(4)).saturating_sub(2);
            parts.push(format!("count = {{ {symbol} = {near} }}"));
        } else if height > 0 {
            let mut cells: Vec<Vec<char>> = rows.iter().map(|row| row.chars().collect()).collect();
            while dice.one_in(3) {
                let (row, column) = (dice.below(height), dice.below(cells[0].len()));
                let other = (dice.below(height), dice.below(cells[0].len()));
                let kept = cells[row][column];
                cells[row][column] = cells[other.0][other.1];
                cells[other.0][other.1] = kept;
            }
            let keep = |dice: &mut Dice, symbol| if all || dice.one_in(2) { symbol } else { '?' };
            let lines: Vec<String> =
                cells.iter().map(|row| row.iter().map(|&symbol| keep(dice, symbol)).collect()).collect();
            parts.push(format!("drawing = {}", quoted(&lines.join("\n"))));
        }
        for line in position.lines().skip(height).filter(|line| !line.is_empty()) {
            if !all && dice.one_in(2) {
                continue;
            }
            let (name, values) = line.split_once(' ').unwrap_or((line, ""));
            let mut values: Vec<&str> = values.split(' ').collect();
            match name.split_once('[') {
                None => parts.push(format!("{name} = '{}'", values[0])),
                Some((name, _)) => {
                    if dice.one_in(4) {
                        dice.shuffle(&mut values);
                    }
                    parts.push(format!("{name} = {}", strings(&values)));
                }
            }
        }
        if parts.is_empty() {
            let name = self.variables.first().map_or("", |variable| variable[0].split('[').next().unwrap_or(""));
            return self.goal_of(position, name);
        }
        format!("{{ {} }}", parts.join(", "))
    }

    /// Returns the goal that one variable is as in a position.
    fn goal_of(&self, position: &str, wanted: &str) -> String {
        let line = position.lines().find(|line| line.split(['[', ' ']).next() == Some(wanted)).unwrap_or_default();
        let values: Vec<&str> = line.split_once(' ').map_or("", |(_, values)| values).split(' ').collect();
        let value = if line.contains('[') { strings(&values) } else { format!("'{}'", values.join(" ")) };
        format!("{{ {wanted} = {value} }}")
    }

    fn with_goal(&self, goal: &str) -> String {
        let drawing = self.grid.iter().map(|grid| format!("drawing = {}", quoted(grid)));
        let starts = self
            .variables
            .iter()
            .map(|[name, _, start]| format!("{} = {start}", name.split('[').next().expect("the first part")));
        let starts: Vec<String> = drawing.chain(starts).collect();
        let mut variables: String =
            self.variables.iter().map(|[name, values, _]| format!("'{name}' = {values}\n")).collect();
        if !variables.is_empty() {
            variables = format!("[variables]\n{variables}");
        }
        format!(
            "title = '{}'\ndomain = 'rules'\nstart = {{ {} }}\ngoal = {goal}\n{}{variables}{}",
            self.name,
            starts.join(", "),
            self.top_keys,
            self.tables
        )
    }
}
