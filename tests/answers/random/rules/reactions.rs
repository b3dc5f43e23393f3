//! Random files in which a move is more than one rule at one place: passes over the whole grid, consequences, rigid
//! bodies and piles, together with fences, marks, arrows and variables.

use crate::support::dice::Dice;

/// A file without its goal.
pub struct Reactions {
    rows: usize,
    columns: usize,
    start: Vec<String>,
    has_arrows: bool,
    fences: Option<String>,
    marks: Option<String>,
    has_variables: bool,
    /// The items at the start of each pile.
    piles: Vec<String>,
    bodies: Option<&'static str>,
    never: Option<&'static str>,
    rules: String,
    /// True if items are only sorted, so that like piles are interchangeable.
    is_sorting: bool,
}

/// What the drawings and expressions of a rule may use.
struct Rule {
    is_named: bool,
    all: bool,
    has_image: bool,
    /// True if `N` stands in `from`.
    has_letter: bool,
}

const ITEMS: [&str; 3] = ["r", "g", "r2"];

impl Reactions {
    pub fn random(dice: &mut Dice) -> Reactions {
        let is_sorting = dice.one_in(8);
        let has_grid = !is_sorting && !dice.one_in(6);
        let (rows, columns) = match has_grid {
            true => dice.pick(&[(1, 4), (1, 5), (2, 2), (2, 3), (2, 3), (3, 2), (3, 3), (2, 4)]),
            false => (0, 0),
        };
        let has_arrows = has_grid && dice.one_in(5);
        let kinds: &[char] = if has_arrows { &['a', '>', '.', '.', 'x'] } else { &['a', 'b', '.', '.', '.', 'x'] };
        let symbol = |dice: &mut Dice| dice.pick(kinds);
        let start = (0..rows).map(|_| (0..columns).map(|_| symbol(dice)).collect()).collect();
        let piles = match is_sorting {
            true => dice.within(3, 4),
            false if !has_grid || dice.one_in(4) => dice.within(2, 3),
            false => 0,
        };
        let items = |dice: &mut Dice| (0..dice.below(4)).map(|_| dice.pick(&ITEMS)).collect::<Vec<_>>().join(" ");
        let mut reactions = Reactions {
            rows,
            columns,
            start,
            has_arrows,
            fences: (has_grid && dice.one_in(3))
                .then(|| fences(dice, rows, columns))
                .filter(|text| text.contains(['-', '|'])),
            marks: (has_grid && dice.one_in(4)).then(|| {
                let row = |dice: &mut Dice| (0..columns).map(|_| dice.pick(&['.', '.', 'm'])).collect::<String>();
                let lines = (0..rows).map(|_| row(dice)).collect::<Vec<_>>().join("\n");
                format!("m{}", &lines[1..])
            }),
            has_variables: !is_sorting && (!has_grid || dice.one_in(2)),
            piles: (0..piles).map(|_| items(dice)).collect(),
            bodies: (has_grid && dice.one_in(2)).then(|| dice.pick(&["['a']", "['N']", "['a', 'x']", "['N', 'x']"])),
            never: None,
            rules: String::new(),
            is_sorting,
        };
        if is_sorting {
            (0..dice.within(1, 2)).for_each(|_| reactions.rules += &sorting_rule(dice));
            return reactions;
        }
        if dice.one_in(8) {
            reactions.never = dice.pick(&reactions.conditions(&Rule {
                is_named: false,
                all: false,
                has_image: false,
                has_letter: false,
            }));
        }
        for number in 1..=dice.within(1, 3) {
            let rule = reactions.rule(dice, true);
            let parts = [("turns = true", "{direction}"), ("y = ['p']", "{y}"), ("'''\nN", "{N}"), ("run =", "{run}")];
            let is_fitting = |(key, part): &(&str, &str)| {
                rule.contains(key) && (*part != "{N}" || rule.contains("from = '''\nN") && !rule.contains("all = true"))
            };
            let mut name = number.to_string();
            for (_, part) in parts.into_iter().filter(is_fitting) {
                name += &if dice.one_in(2) { format!(" {part}") } else { String::new() };
            }
            reactions.rules += &format!("[[rules]]\nname = '{name}'\n{rule}");
        }
        for _ in 0..dice.pick(&[0, 1, 1, 2, 3]) {
            let rule = reactions.rule(dice, false);
            reactions.rules += &format!("[[after]]\n{rule}");
        }
        reactions
    }

    /// Returns the keys of a rule, apart from its name.
    fn rule(&self, dice: &mut Dice, is_named: bool) -> String {
        let mut rule = Rule { is_named, all: false, has_image: false, has_letter: false };
        let mut keys = String::new();
        let kind = dice.below(8);
        let has_pile = !self.piles.is_empty() && (kind < 3 || self.rows == 0);
        if self.rows > 0 && (kind < 5 || !has_pile && !self.has_variables) {
            keys += &self.drawing(dice, &mut rule);
        } else if self.rows > 0 && kind < 7 {
            keys += &self.shift(dice, &mut rule);
        }
        if has_pile && !keys.contains("for = ") && !(rule.has_image && dice.one_in(2)) {
            keys += &self.carry(dice);
        }
        let conditions: Vec<&str> = self.conditions(&rule).into_iter().flatten().collect();
        if !conditions.is_empty() && dice.one_in(2) {
            keys += &format!("when = [\"{}\"", dice.pick(&conditions));
            if dice.one_in(4) {
                keys += &format!(", \"{}\"", dice.pick(&conditions));
            }
            keys += "]\n";
        }
        let targets = self.assignments(&rule);
        if !targets.is_empty() && (keys.is_empty() || dice.one_in(2)) {
            keys += &format!("then = {{ {} }}\n", dice.pick(&targets));
        }
        if is_named && dice.one_in(6) {
            let mut costs = vec!["2", "0", "3"];
            costs.extend(if self.rows > 0 { &["\"count('a')\"", "\"bodies(N) - 1\""][..] } else { &[] });
            costs.extend(if self.piles.is_empty() { &[][..] } else { &["'size(p[1])'", "'rank(top(p[2]))'"] });
            costs.extend((rule.has_image && !rule.all).then_some("\"ahead('a') + 1\""));
            keys += &format!("cost = {}\n", dice.pick(&costs));
        }
        if keys.starts_with("when") || keys.starts_with("cost") || keys.is_empty() {
            // Something has to change.
            return self.rule(dice, is_named);
        }
        keys
    }

    fn drawing(&self, dice: &mut Dice, rule: &mut Rule) -> String {
        rule.has_image = true;
        match dice.below(16) {
            0 => {
                let images = self.images(dice, rule);
                let (from, to) =
                    dice.pick(&[("'a', '.'", "'.', 'a'"), ("'N', 'N'", "'.', '?'"), ("'aN', 'N'", "'Na', 't'")]);
                rule.has_letter = from.contains('N');
                return format!("from = [{from}]\nto = [{to}]\n{images}");
            }
            1 => {
                let images = self.images(dice, rule);
                let (from, to) = dice.pick(&[("a.*", ".*a"), ("aN*.", ".aN*"), ("a.*", ".a*")]);
                return format!("from = '{from}'\nto = '{to}'\nrun = '*'\n{images}");
            }
            2 => {
                rule.all = dice.one_in(3);
                let images = self.images(dice, rule);
                let (from, to) = dice.pick(&[("k.", ".k"), ("k", "."), (".", "k"), ("Nk", "kN")]);
                rule.has_letter = from.contains('N');
                return format!("for = {{ k = ['a', 'x'] }}\nfrom = '{from}'\nto = '{to}'\n{images}");
            }
            _ => {}
        }
        let (height, width) = dice.pick(&[(1, 1), (1, 2), (1, 2), (1, 2), (2, 1), (1, 3), (2, 2)]);
        let text = |dice: &mut Dice, characters: &[char]| {
            let row = |dice: &mut Dice| (0..width).map(|_| dice.pick(characters)).collect::<String>();
            (0..height).map(|_| row(dice)).collect::<Vec<_>>().join("\n")
        };
        let own = if self.has_arrows { '>' } else { 'b' };
        let from = match dice.below(3) {
            // Likely to match often.
            0 => ["a.", "N.", "NN", "NM"][dice.below(4)].chars().cycle().take(width).collect::<String>(),
            _ => text(dice, &['a', own, '.', '.', '?', 'N', 'N']),
        };
        let (height, from) = if from.contains('\n') { (height, from) } else { (1, from) };
        let mut to_characters = vec!['a', own, '.', '.', '?', 't'];
        to_characters.extend(['N', 'M'].into_iter().filter(|letter| from.contains(*letter)));
        let to = match dice.below(3) {
            0 if height == 1 => from.chars().rev().collect(),
            _ => (0..height)
                .map(|_| (0..width).map(|_| dice.pick(&to_characters)).collect::<String>())
                .collect::<Vec<_>>()
                .join("\n"),
        };
        rule.has_letter = from.contains('N');
        rule.all = dice.one_in(3);
        let mut keys = format!("from = '''\n{from}'''\nto = '''\n{to}'''\n");
        if self.marks.is_some() && dice.one_in(2) {
            let on = from.replace(|c: char| c != '\n', "?").replacen('?', "m", 1);
            keys += &format!("on = '''\n{on}'''\n");
        }
        keys += &self.images(dice, rule);
        let slides = ['N', 'M'].iter().all(|letter| from.matches(*letter).count() < 2);
        if (rule.all || slides) && dice.one_in(3) {
            keys += "repeat = true\n";
        }
        if dice.one_in(4) {
            keys += dice.pick(&["edge = 'wrap'\n", "edge = 'clip'\n"]);
        }
        if width > 1 && dice.one_in(6) {
            keys += "at = [0, 1]\n";
        }
        keys
    }

    /// Returns the keys of the images.
    fn images(&self, dice: &mut Dice, rule: &Rule) -> String {
        let mut keys = String::new();
        match dice.below(6) {
            0 | 1 => keys += "turns = true\n",
            2 => keys += "mirror = true\n",
            3 if !rule.is_named => keys += "turns = 'move'\n",
            4 => keys += "turns = true\nmirror = true\n",
            _ => {}
        }
        if rule.all { keys + "all = true\n" } else { keys }
    }

    fn shift(&self, dice: &mut Dice, rule: &mut Rule) -> String {
        rule.has_image = true;
        rule.all = dice.one_in(3);
        let own = if self.has_arrows { "a>" } else { "ab" };
        let moved = dice.pick(&["a", "N", own]);
        let mut keys = format!("shift = '{moved}'\ninto = '{}'\n", dice.pick(&[".", ".", ".M", "a."]));
        if dice.one_in(2) {
            keys += &format!("push = '{}'\n", dice.pick(&["a", "N", own]));
        }
        if dice.one_in(3) || rule.all && !rule.is_named {
            keys += &format!("direction = '{}'\n", dice.pick(&["down", "right", "left", "up"]));
            return if rule.all { keys + "all = true\n" } else { keys };
        }
        keys + &self.images(dice, rule)
    }

    fn carry(&self, dice: &mut Dice) -> String {
        let count = self.piles.len();
        let mut keys = match dice.below(3) {
            0 => "for = { y = ['p'] }\ncarry = { from = 'p[1]', to = 'y'".to_owned(),
            1 => "for = { y = ['p'], z = ['p'] }\ncarry = { from = 'z', to = 'y'".to_owned(),
            _ => {
                let from = dice.within(1, count);
                format!("carry = {{ from = 'p[{from}]', to = 'p[{}]'", from % count + 1)
            }
        };
        if dice.one_in(2) {
            keys += dice.pick(&[", count = 2", ", count = 'same(p[1])'", ", count = 'size(p[2]) - 1'"]);
        }
        if dice.one_in(3) {
            keys += ", turned = true";
        }
        keys + " }\n"
    }

    /// Returns conditions that a rule may have.
    fn conditions(&self, rule: &Rule) -> Vec<Option<&'static str>> {
        let mut all: Vec<&str> = Vec::new();
        if self.has_variables {
            all.extend(["n > 0", "n < 2", "on == yes", "on == no || n == 2", "n % 2 == 1"]);
        }
        if self.rows > 0 {
            all.extend(["count('a') > 1", "count(N) % 2 == 1", "cell[0, 0] == '.'", "bodies('a') == 1"]);
            all.extend(["any(c in 0..columns-1: cell[0, c] == 'a')", "bodies(N) > 1", "cell[0, 1] in ['a', '.']"]);
        }
        if !self.piles.is_empty() {
            all.extend(["size(p[1]) > 0", "top(p[1]) == 'r'", "same(p[2]) == 1", "rank(top(p[1])) == 2"]);
            all.extend(["size(p[1]) == 0 || top(p[1], 2) != top(p[2])", "all(i in 1..2: size(p[i]) < 3)"]);
        }
        if rule.has_image {
            all.extend(["ahead('a') > 0", "ahead(N) == 1", "ahead('a') in -1..1"]);
        }
        if rule.has_letter {
            all.extend(["N == a", "t(N) == a", "N != a", "count(N) == 1"]);
        }
        all.into_iter().map(Some).collect()
    }

    /// Returns assignments that a rule may have.
    fn assignments(&self, rule: &Rule) -> Vec<&'static str> {
        let mut all = Vec::new();
        if self.has_variables {
            all.extend([
                "n = 'n + 1'",
                "n = 'n - 1'",
                "n = 0",
                "on = 'yes'",
                "on = 'no'",
                "on = 'on == no ? yes : no'",
            ]);
            all.extend(["n = 'n == 2 ? 0 : n + 1', on = 'yes'"]);
            if rule.has_image && !rule.all {
                all.push("n = \"abs(ahead('a')) % 3\"");
            }
            if rule.has_letter && !rule.all {
                all.push("n = 'N == a ? 1 : 2'");
            }
        }
        if self.rows > 0 && !rule.has_image {
            all.extend(["'cell[0, 0]' = \"'a'\"", "'cell[0, 1]' = 'cell[0, 0]'"]);
        }
        all
    }

    /// Returns a file with the same positions and a goal that none of them is.
    pub fn draft(&self) -> String {
        self.with_goal(match (self.rows, self.is_sorting) {
            (0, true) => "'size(p[1]) > 99'",
            (0, false) => "'n == 9'",
            _ => "{ count = { a = 99 } }",
        })
    }

    /// Returns the file with a goal, as in a position.
    pub fn text(&self, dice: &mut Dice, position: &str) -> String {
        let lines: Vec<&str> = position.lines().collect();
        let rows: Vec<String> = match self.fences {
            Some(_) => {
                let cells = |line: &&str| line.chars().skip(1).step_by(2).collect();
                lines.iter().take(2 * self.rows + 1).skip(1).step_by(2).map(cells).collect()
            }
            None => lines.iter().take(self.rows).map(|line| (*line).to_owned()).collect(),
        };
        let mut goals = Vec::new();
        if self.is_sorting && dice.one_in(2) {
            let all = format!("all(t in 1..{}: ", self.piles.len());
            return self.with_goal(&match dice.below(3) {
                0 => format!("'{all}same(p[t]) == size(p[t]))'"),
                1 => format!("'{all}same(p[t]) == size(p[t]) && size(p[t]) in [0, 2, 3])'"),
                _ => format!("'{all}size(p[t]) == 0 || top(p[t]) == r)'"),
            });
        }
        if self.rows > 0 {
            match dice.below(4) {
                0 => {
                    let number = rows.concat().matches('a').count() + usize::from(dice.one_in(2));
                    goals.push(format!("count = {{ a = {number} }}"));
                }
                1 => {
                    let (top, left) = (dice.below(self.rows), dice.below(self.columns));
                    let (height, width) = (dice.within(1, self.rows - top), dice.within(1, self.columns - left));
                    let cut: Vec<String> = rows[top..top + height]
                        .iter()
                        .map(|row| row.chars().skip(left).take(width).collect::<String>())
                        .collect();
                    goals.push(format!("anywhere = '''\n{}\n'''", cut.join("\n")));
                }
                _ => {
                    let kept =
                        |row: &String| row.chars().map(|c| if dice.one_in(2) { c } else { '?' }).collect::<String>();
                    let drawing: Vec<String> = rows.iter().map(kept).collect();
                    goals.push(format!("drawing = '''\n{}\n'''", drawing.join("\n")));
                }
            }
        }
        // The last line is the bank, which never changes.
        let piles = lines.len().saturating_sub(1 + self.piles.len());
        for line in lines[piles..].iter().take(self.piles.len()) {
            let (name, items) = line.split_once(' ').unwrap_or((line, ""));
            if goals.is_empty() || dice.one_in(3) {
                goals.push(format!("'{name}' = '{items}'"));
            }
        }
        if let Some(value) = lines.iter().find_map(|line| line.strip_prefix("n ")).filter(|_| dice.one_in(2)) {
            goals.push(format!("n = {value}"));
        }
        self.with_goal(&format!("{{ {} }}", goals.join(", ")))
    }

    fn with_goal(&self, goal: &str) -> String {
        let mut start = Vec::new();
        let mut top = format!("title = 'Reactions'\ndomain = 'rules'\ngoal = {goal}\n");
        let mut tables = "[maps]\nt = { a = '.', '?' = 'a' }\nrank = { 'r?' = 1, '?' = 2, g = 3 }\n".to_owned();
        if self.rows > 0 {
            start.push(format!("drawing = '''\n{}'''", self.start.join("\n")));
            let sets = if self.has_arrows { "N = 'a>'\nM = '.a'\nX = 'x.'" } else { "N = 'ab'\nM = '.a'\nX = 'x.'" };
            tables += &format!("[sets]\n{sets}\n");
        }
        if self.has_variables {
            start.push("n = 0, on = 'no'".to_owned());
            tables += "[variables]\nn = '0..2'\non = ['yes', 'no']\n";
        }
        if !self.piles.is_empty() {
            let items: Vec<String> = self.piles.iter().map(|items| format!("'{items}'")).collect();
            start.push(format!("p = [{}], bank = 'r g r2'", items.join(", ")));
            tables += &format!("[piles]\n'p[1..{}]' = {{ most = 4 }}\nbank = {{}}\n", self.piles.len());
        }
        top += &format!("start = {{ {} }}\n", start.join(", "));
        for (key, drawing) in [("fences", &self.fences), ("marks", &self.marks)] {
            top += &drawing.as_ref().map_or(String::new(), |drawing| format!("{key} = '''\n{drawing}'''\n"));
        }
        top += if self.has_arrows { "arrows = '^>v<'\n" } else { "" };
        top += &self.bodies.map_or(String::new(), |bodies| format!("bodies = {bodies}\n"));
        top += &self.never.map_or(String::new(), |never| format!("never = \"{never}\"\n"));
        format!("{top}{tables}{}", self.rules)
    }
}

/// Returns a rule that sorts items, whatever piles they lie on.
fn sorting_rule(dice: &mut Dice) -> String {
    let when = dice.pick(&[
        "size(y) == 0 || top(z) == top(y)",
        "size(y) == 0 || rank(top(z)) == rank(top(y))",
        "rank(top(z)) + 1 == rank(top(y)) || size(y) < 2",
        "size(y) < 3",
        "same(z) < size(z)",
    ]);
    let count = dice.pick(&["", ", count = 'min(same(z), 4 - size(y))'", ", count = 2", ", count = 'same(z)'"]);
    let turned = if dice.one_in(4) { ", turned = true" } else { "" };
    let rest = dice.pick(&["", "", "", "cost = 2\n", "cost = 'size(z)'\n"]);
    format!(
        "[[rules]]\nname = '{{z}} to {{y}}'\nfor = {{ z = ['p'], y = ['p'] }}\nwhen = '{when}'\n{rest}\
         carry = {{ from = 'z', to = 'y'{count}{turned} }}\n"
    )
}

/// Returns a drawing of random fences, also in the frame.
fn fences(dice: &mut Dice, rows: usize, columns: usize) -> String {
    let mut place = |y: usize, x: usize| match (y % 2, x % 2) {
        (1, 1) => '.',
        (0, 0) => '+',
        _ if !dice.one_in(5) => ' ',
        (0, _) => '-',
        _ => '|',
    };
    let lines = (0..=2 * rows).map(|y| (0..=2 * columns).map(|x| place(y, x)).collect::<String>());
    lines.collect::<Vec<_>>().join("\n")
}
