//! Random files like Sokoban, on which every reduction of the search is at work: macro moves and regions of movers, and
//! matchings with dead places, frozen boxes and dead pairs.
//!
//! Each file is Sokoban with a few changes: boxes that are pulled, two kinds of boxes, doors and levers, walks of
//! several costs or in some directions only, a second man, ice, a torus, and so on.

use crate::support::dice::Dice;
use std::collections::BTreeSet;

/// A drawing as a TOML string.
pub fn drawing(cells: &[char], columns: usize) -> String {
    let rows: Vec<String> = cells.chunks(columns).map(|row| row.iter().collect()).collect();
    format!("'''\n{}\n'''", rows.join("\n"))
}

/// A file without its goal.
pub struct Boxes {
    columns: usize,
    grid: Vec<char>,
    marks: Vec<char>,
    /// True if rules read the marks, so that goals must not change them.
    reads_marks: bool,
    has_lever: bool,
    lever_is_up: bool,
    never: Option<String>,
    rules: String,
}

/// The common style of all rules of one file.
struct Style {
    /// True if all moves cost 1.
    is_unit: bool,
    has_lever: bool,
    edge: &'static str,
    slides: bool,
    /// Conditions on numbers of cells with a symbol; some rules have one.
    counts: Vec<String>,
}

/// Returns a condition on the number of cells with a symbol, which is about as it is in a grid.
fn count_condition(dice: &mut Dice, grid: &[char]) -> String {
    let symbol = dice.pick(&['$', '$', '$', '.', '.', '#', 'b', 'B', 'M']);
    let symbol = if grid.contains(&symbol) || symbol != '#' { symbol } else { '$' };
    let counted = |cell: &&char| match symbol {
        'B' => "$b".contains(**cell),
        'M' => "@A".contains(**cell),
        _ => **cell == symbol,
    };
    let number = grid.iter().filter(counted).count();
    let near = (number + dice.below(3)).saturating_sub(1);
    let sign = dice.pick(&["==", "!=", "<", "<=", ">", ">="]);
    match dice.below(5) {
        0 => format!("count('{symbol}') % 2 {} {}", dice.pick(&["==", "!="]), number % 2),
        1 => format!("count('{symbol}') in {}..{}", number.saturating_sub(1), number + dice.below(2)),
        _ => format!("count('{symbol}') {sign} {near}"),
    }
}

impl Boxes {
    pub fn random(dice: &mut Dice) -> Boxes {
        let (rows, columns) = dice.pick(&[(1, 6), (2, 4), (2, 5), (3, 3), (3, 4), (3, 5), (4, 4), (4, 5)]);
        let cells = rows * columns;
        let walls = dice.pick(&[0, 4, 6, 9]);
        let wall = |dice: &mut Dice| if walls > 0 && dice.below(walls + 8) < 3 { '#' } else { '.' };
        let mut grid: Vec<char> = (0..cells).map(|_| wall(dice)).collect();
        let mut men = vec!['@'];
        if dice.one_in(8) {
            men.push(dice.pick(&['@', 'A']));
        }
        let has_two_kinds = dice.one_in(4);
        let boxes = (0..dice.within(1, 3)).map(|_| if has_two_kinds && dice.one_in(2) { 'b' } else { '$' });
        let all: Vec<char> = men.iter().copied().chain(boxes.collect::<Vec<char>>()).collect();
        for piece in all {
            let free: Vec<usize> = (0..cells).filter(|&cell| ".#".contains(grid[cell])).collect();
            grid[dice.pick(&free)] = piece;
        }
        let mut marks = vec!['.'; cells];
        for _ in 0..dice.within(1, 3) {
            marks[dice.below(cells)] = dice.pick(&['x', 'x', 'y']);
        }
        if !marks.contains(&'x') {
            marks[dice.below(cells)] = 'x';
        }
        let style = Style {
            is_unit: dice.one_in(2),
            has_lever: dice.one_in(4),
            edge: if dice.one_in(8) { "wrap" } else { "fit" },
            slides: dice.one_in(12),
            counts: if dice.one_in(4) { (0..2).map(|_| count_condition(dice, &grid)).collect() } else { Vec::new() },
        };
        let mut boxes = Boxes {
            columns,
            grid,
            marks,
            reads_marks: style.has_lever,
            has_lever: style.has_lever,
            lever_is_up: dice.one_in(2),
            never: None,
            rules: String::new(),
        };
        men.dedup();
        let goes_on = |condition: &String| !condition.contains("!=") && !condition.contains('<');
        let count = style.counts.first().filter(|condition| goes_on(condition) && dice.one_in(3)).cloned();
        for man in men {
            boxes.walks(dice, &style, man);
            boxes.pushes(dice, &style, man, has_two_kinds);
        }
        if dice.one_in(10) {
            let (row, column) = (dice.below(rows), dice.below(columns));
            let other = dice.below(rows);
            let one = format!("cell[{row}, {column}] == '$'");
            boxes.never = Some(dice.pick(&[one.clone(), format!("{one} && cell[{other}, 0] == '$'")]));
        } else if let Some(count) = count {
            boxes.never = Some(format!("!({count})"));
        }
        boxes
    }

    /// Adds a rule in some of the four directions, each perhaps with its own cost and condition.
    fn rule(&mut self, dice: &mut Dice, style: &Style, [from, to]: [&str; 2], is_free: bool, more: &str) {
        let number = self.rules.len();
        let cost = |dice: &mut Dice| match style.is_unit {
            true => 1,
            false if is_free => dice.pick(&[0, 0, 0, 0, 0, 1]),
            false => dice.pick(&[0, 1, 1, 1, 2, 3]),
        };
        let mut add = |dice: &mut Dice, from: &str, to: &str, keys: &str| {
            let when = match style.has_lever && dice.one_in(4) {
                true => dice.pick(&["when = 'up'\n", "when = '!up'\n"]).to_owned(),
                false if !style.counts.is_empty() && dice.one_in(2) => {
                    format!("when = \"{}\"\n", dice.pick(&style.counts))
                }
                false => String::new(),
            };
            self.rules += &format!(
                "\n[[rules]]\nname = 'r{number} {{at}} {{direction}}'\nfrom = {from}\nto = {to}\nedge = '{}'\n\
                 cost = {}\n{keys}{when}{more}",
                style.edge,
                cost(dice)
            );
        };
        let line = |text: &str| format!("'''\n{text}\n'''");
        let column = |text: &str| line(&text.split("").filter(|one| !one.is_empty()).collect::<Vec<_>>().join("\n"));
        if !dice.one_in(4) {
            add(dice, &line(from), &line(to), "turns = true\n");
            return;
        }
        let back = |text: &str| text.chars().rev().collect::<String>();
        let mut is_empty = true;
        for image in 0..4 {
            if dice.one_in(6) && !(image == 3 && is_empty) {
                continue;
            }
            is_empty = false;
            match image {
                0 => add(dice, &line(from), &line(to), ""),
                1 => add(dice, &line(&back(from)), &line(&back(to)), ""),
                2 => add(dice, &column(from), &column(to), ""),
                _ => add(dice, &column(&back(from)), &column(&back(to)), ""),
            }
        }
    }

    fn walks(&mut self, dice: &mut Dice, style: &Style, man: char) {
        let is_free = dice.one_in(2);
        let slides = if style.slides { "repeat = true\n" } else { "" };
        let trail = if dice.one_in(14) { dice.pick(&['#', '$', ',']) } else { '.' };
        self.rule(dice, style, [&format!("{man}."), &format!("{trail}{man}")], is_free, slides);
        if trail == ',' {
            self.rule(dice, style, [&format!("{man},"), &format!(".{man}")], is_free, "");
        }
        for (chance, from, to) in [(20, "@#.", ".#@"), (20, "@$", "$@"), (20, "@.A", ".@A"), (20, "@..", "..@")] {
            if dice.one_in(chance) {
                let [from, to] = [from, to].map(|text| text.replace('@', &man.to_string()));
                self.rule(dice, style, [&from, &to], is_free, "");
            }
        }
        if style.has_lever {
            let effect = dice.pick(&["!up", "!up", "true", "false"]);
            self.rules += &format!(
                "\n[[rules]]\nname = 'lever {{at}}'\nfrom = '{man}'\non = 'x'\nthen = {{ up = '{effect}' }}\n\
                 cost = {}\n",
                if style.is_unit { 1 } else { dice.below(3) }
            );
        }
    }

    fn pushes(&mut self, dice: &mut Dice, style: &Style, man: char, has_two_kinds: bool) {
        let kinds = match (has_two_kinds, dice.one_in(2)) {
            (false, _) => "$",
            (true, true) => "B",
            (true, false) => "$b",
        };
        for kind in kinds.chars() {
            let (push, pull) = (!dice.one_in(6), dice.one_in(5));
            if push || !pull {
                self.rule(dice, style, [&format!("{man}{kind}."), &format!(".{man}{kind}")], false, "");
            }
            if pull {
                self.rule(dice, style, [&format!(".{man}{kind}"), &format!("{man}{kind}.")], false, "");
            }
        }
        for (chance, from, to) in [
            (8, "@$$.", ".@$$"),
            (20, "@$#", ".@#"),
            (20, "@$$", ".@$"),
            (20, "@$.", ".@#"),
            (20, "@$..", ".@.$"),
            (20, "@$.", "@.$"),
            (20, "$.", ".$"),
            (20, "@B.$", ".@B$"),
        ] {
            if dice.one_in(chance) && (has_two_kinds || !from.contains('B')) {
                let [from, to] = [from, to].map(|text| text.replace('@', &man.to_string()));
                self.rule(dice, style, [&from, &to], false, "");
            }
        }
    }

    /// Returns a file with the same positions and a goal that none of them is.
    pub fn draft(&self) -> String {
        self.with_goal("{ count = { '$' = '90..99' } }", &self.marks)
    }

    /// Returns the file with a goal: usually that boxes stand as in a drawing of a position.
    pub fn text(&self, dice: &mut Dice, position: &str) -> String {
        let rows = self.grid.len() / self.columns;
        let cells: Vec<char> = position.lines().take(rows).flat_map(|row| row.chars().take(self.columns)).collect();
        let mut marks = self.marks.clone();
        let kind = dice.pick(&['$', '$', '$', 'b']);
        let places: Vec<usize> = (0..cells.len()).filter(|&cell| cells[cell] == kind).collect();
        let man = cells.iter().position(|&cell| cell == '@');
        let mut goals: Vec<String> = Vec::new();
        if !places.is_empty() && !self.reads_marks && dice.one_in(2) {
            marks.fill('.');
            places.iter().for_each(|&place| marks[place] = 'x');
            if dice.one_in(3) {
                marks[dice.below(cells.len())] = dice.pick(&['x', 'y']);
            }
        }
        let letters: BTreeSet<char> = marks.iter().copied().filter(|&mark| mark != '.').collect();
        let letters: Vec<char> = letters.into_iter().collect();
        if !places.is_empty() && dice.one_in(2) {
            let allowed: String = if dice.one_in(3) { letters.iter().collect() } else { letters[0].to_string() };
            goals.push(format!("every = {{ '{kind}' = '{allowed}' }}"));
        } else {
            let mut wanted = vec!['?'; cells.len()];
            let all = !dice.one_in(4);
            for (cell, &symbol) in cells.iter().enumerate() {
                if "$b".contains(symbol) && (all || dice.one_in(2)) {
                    wanted[cell] = symbol;
                }
            }
            goals.push(format!("drawing = {}", drawing(&wanted, self.columns)));
        }
        if dice.one_in(12) {
            let condition = count_condition(dice, &cells);
            goals.push(format!("when = \"{condition}\""));
        } else if let Some(at) = man.filter(|_| dice.one_in(5)) {
            goals.push(format!("when = \"cell[{}, {}] == '@'\"", at / self.columns, at % self.columns));
        }
        if self.has_lever && dice.one_in(4) {
            goals.push(format!("up = {}", dice.one_in(2)));
        }
        self.with_goal(&format!("{{ {} }}", goals.join(", ")), &marks)
    }

    fn with_goal(&self, goal: &str, marks: &[char]) -> String {
        let variables = if self.has_lever { format!(", up = {}", self.lever_is_up) } else { String::new() };
        let mut text = format!(
            "title = 'Boxes'\ndomain = 'rules'\nstart = {{ drawing = {}{variables} }}\nmarks = {}\ngoal = {goal}\n",
            drawing(&self.grid, self.columns),
            drawing(marks, self.columns),
        );
        if let Some(never) = &self.never {
            text += &format!("never = \"{never}\"\n");
        }
        // `A`, `b` and `$` are symbols even if none is on the grid.
        text += "[sets]\nB = '$b'\nM = '@A'\n";
        if self.has_lever {
            text += "[variables]\nup = [true, false]\n";
        }
        text + &self.rules
    }
}
