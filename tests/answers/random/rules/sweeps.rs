//! Random files that count several steps as one move, as peg solitaire counts sweeps: states vanish in which only moves
//! of cost 0 are legal.
//!
//! A move begins with a cost, goes on for nothing, and ends. Each file differs a little: parts of drawings and
//! conditions are missing, ends have a cost, steps may go round for ever, or two moves may be under way at once.

use crate::support::dice::Dice;

/// A file without its goal.
pub struct Sweeps {
    rows: usize,
    start: String,
    has_flag: bool,
    rules: String,
}

impl Sweeps {
    pub fn random(dice: &mut Dice) -> Sweeps {
        let (rows, columns) = dice.pick(&[(1, 4), (1, 6), (1, 7), (2, 3), (2, 4), (3, 3), (2, 5)]);
        let symbol = |dice: &mut Dice| dice.pick(&['o', 'o', 'o', '.', '.', '#', 'x']);
        let row = |dice: &mut Dice| (0..columns).map(|_| symbol(dice)).collect::<String>();
        let start = (0..rows).map(|_| row(dice)).collect::<Vec<String>>().join("\n");
        let mut sweeps = Sweeps { rows, start, has_flag: dice.one_in(2), rules: String::new() };
        let cost = dice.pick(&[1, 1, 1, 2, 3]);
        // The symbols of pieces at rest and on their way.
        let (rest, moving) = if sweeps.has_flag && dice.one_in(3) { ('o', 'o') } else { ('o', 'O') };
        let begin = dice.pick(&[["oo.", "..O"], ["o.", ".O"], ["o", "O"], ["xo", "oO"], ["o?", ".O"], ["?", "O"]]);
        sweeps.add(dice, begin, cost, ["no", "yes"], [rest, moving]);
        for _ in 0..dice.within(0, 2) {
            let step = [["Oo.", "..O"], ["O.", ".O"], ["O.", "oO"], ["Ox", "xO"], ["O?", ".O"], ["?", "O"]];
            let step = dice.pick(&step);
            sweeps.add(dice, step, 0, ["yes", "yes"], [rest, moving]);
        }
        let end = dice.pick(&[["O", "o"], ["O", "o"], ["O", "o"], ["O", "."], ["O.", ".o"], ["?", "x"]]);
        let cost = if dice.one_in(10) { 1 } else { 0 };
        sweeps.add(dice, end, cost, ["yes", "no"], [rest, moving]);
        if dice.one_in(3) {
            let other = dice.pick(&[["x.", ".x"], ["o.", ".o"], ["x", "."], ["xO", "Ox"]]);
            let cost = dice.pick(&[0, 1, 2]);
            sweeps.add(dice, other, cost, ["no", "no"], [rest, moving]);
        }
        sweeps
    }

    /// Adds a rule that takes the flag from one value to another.
    fn add(&mut self, dice: &mut Dice, drawings: [&str; 2], cost: u32, flag: [&str; 2], [rest, moving]: [char; 2]) {
        let replace = |text: &str| text.replace('o', &rest.to_string()).replace('O', &moving.to_string());
        let [from, to] = drawings.map(replace);
        let number = self.rules.len();
        self.rules += &format!("\n[[rules]]\nname = 'r{number} {{at}} {{direction}}'\nto = '{to}'\ncost = {cost}\n");
        if !dice.one_in(12) {
            self.rules += &format!("from = '{from}'\n");
        }
        self.rules += dice.pick(&["turns = true\n", "turns = true\n", "mirror = true\n", ""]);
        if dice.one_in(10) {
            self.rules += "edge = 'wrap'\n";
        }
        if self.has_flag {
            if !dice.one_in(12) {
                self.rules += &format!("when = \"moving == '{}'\"\n", flag[0]);
            }
            if flag[0] != flag[1] && !dice.one_in(20) {
                self.rules += &format!("then = {{ moving = '{}' }}\n", flag[1]);
            }
        }
    }

    /// Returns a file with the same positions and a goal that none of them is.
    pub fn draft(&self) -> String {
        self.with_goal("{ count = { 'o' = '90..99' } }")
    }

    /// Returns the file with a goal: a drawing, or a number of pieces, as in a position.
    pub fn text(&self, dice: &mut Dice, position: &str) -> String {
        let rows: Vec<&str> = position.lines().take(self.rows).collect();
        let mut goals = Vec::new();
        if dice.one_in(3) {
            let number = |symbol| rows.iter().flat_map(|row| row.chars()).filter(|&one| one == symbol).count();
            goals.push(format!("count = {{ o = {} }}", number('o')));
        } else {
            let all = dice.one_in(2);
            let keep = |dice: &mut Dice, symbol| if all || dice.one_in(2) { symbol } else { '?' };
            let row = |row: &&str| row.chars().map(|symbol| keep(dice, symbol)).collect::<String>();
            let drawing: Vec<String> = rows.iter().map(row).collect();
            goals.push(format!("drawing = '''\n{}\n'''", drawing.join("\n")));
        }
        if self.has_flag && dice.one_in(2) {
            goals.push("moving = 'no'".to_owned());
        }
        self.with_goal(&format!("{{ {} }}", goals.join(", ")))
    }

    fn with_goal(&self, goal: &str) -> String {
        let [value, variables] = match self.has_flag {
            true => [", moving = 'no'", "[variables]\nmoving = ['no', 'yes']\n"],
            false => ["", ""],
        };
        // `x`, `o` and `O` are symbols even if none is on the grid.
        format!(
            "title = 'Sweeps'\ndomain = 'rules'\nstart = {{ drawing = '''\n{}\n'''{value} }}\ngoal = {goal}\n\
             [sets]\nP = 'xoO'\n{variables}{}",
            self.start, self.rules
        )
    }
}
