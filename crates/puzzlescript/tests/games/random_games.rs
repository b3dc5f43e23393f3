//! Random small games: half of their rules are near those of published games, half are of any form.

use engine_puzzlescript::random::Random;

const MOVEMENTS: [&str; 12] =
    [">", "<", "^", "v", "up", "right", "moving", "stationary", "action", "horizontal", "parallel", "perpendicular"];

/// Rules with names in place of `a` to `d`, of which `a` is often the player.
const KNOWN_RULES: &[&str] = &[
    "[ > a | b ] -> [ > a | > b ]",
    "[ > a | b ] -> [ > a | > b ]",
    "[ > a | b | no c ] -> [ | a | b ]",
    "[ < a | b ] -> [ < a | < b ]",
    "[ > a | b ] -> [ b | a ]",
    "[ > a | b ] -> [ a | b ]",
    "[ > a | b ] -> cancel",
    "[ > a | b ] -> [ > a | ]",
    "[ > a | b ] -> [ > a | c ]",
    "[ > a | no b ] -> [ b | a ]",
    "[ > a ] [ b ] -> [ > a ] [ > b ]",
    "[ > a ] [ b ] -> [ > a ] [ < b ]",
    "[ > a | b ] [ c ] -> [ > a | b ] [ > c ]",
    "[ > a | ... | b ] -> [ > a | ... | > b ]",
    "[ > a | ... | b ] -> [ | ... | a b ]",
    "[ action a | ... | b ] -> [ a | ... | ]",
    "[ action a | b ] -> [ action a | > b ]",
    "[ action a | b ] -> [ b | a ]",
    "[ action a ] [ b ] -> [ a ] [ c ]",
    "[ moving a ] -> [ moving a ] again",
    "[ moving a ] [ stationary b ] -> [ moving a ] [ moving b ]",
    "[ stationary b ] -> [ right b ]",
    "down [ b | no c ] -> [ | b ]",
    "down [ b | no b no c ] -> [ | b ] again",
    "[ stationary b ] -> [ down b ] again",
    "[ > b | no c ] -> [ > b | no c ] again",
    "[ > a | b ] -> [ > a | ] again",
    "[ a b ] [ b no a ] -> [ b ] [ b a ]",
    "[ > a ] -> [ > a b ]",
    "[ > a | > b ] -> [ | b ]",
    "[ parallel a | perpendicular b ] -> [ parallel a | b ]",
    "[ perpendicular a | b ] -> [ perpendicular a | perpendicular b ]",
    "[ horizontal a ] -> [ vertical b ]",
    "[ > a ] [ > b ] -> [ > a ] [ b ]",
    "rigid [ > a | b ] -> [ > a | > b ]",
    "rigid [ moving b | b ] -> [ moving b | moving b ]",
    "[ a ] -> [ b ]",
    "[ > a ] -> [ > b ]",
    "[ b ] -> [ a b ]",
    "[ b | b | b ] -> [ | | ]",
    "late [ b | b ] -> [ | ]",
    "late [ a b ] -> [ a ]",
    "late [ a b ] -> [ ]",
    "late [ b c ] -> [ ]",
    "late [ a no b ] -> [ a b ]",
    "late [ a | b ] -> [ a | c ]",
    "late [ b | no b ] [ a ] -> [ | b ] [ a ]",
    "late down [ b | no b no c ] -> [ | b ] again",
    "late [ a b ] [ c ] -> [ a b ] [ ]",
    "late [ a b ] [ b no a ] -> [ b ] [ a b ]",
    "late [ a c ] -> checkpoint",
    "late [ b c ] -> restart",
    "late [ a b ] -> win",
    "late [ b c ] -> cancel",
    "late [ no a ] -> [ ]",
    "right [ b c ] -> [ right b c ]",
    "[ action a ] [ b ] -> [ b ] [ a ]",
    "right [ action a | no b ] -> [ a | > e ]",
    "[ > e | b ] -> [ | > b ]",
];

/// A game in the making.
struct Names<'d> {
    dice: &'d mut Random,
    objects: Vec<String>,
    layers: Vec<Vec<String>>,
    /// Objects, properties, aggregates and synonyms.
    all: Vec<String>,
    player: String,
    /// The game is about the player `a`, who moves `b` to `d` past the wall `c`.
    is_usual: bool,
}

impl Names<'_> {
    /// True once in so many times.
    fn once_in(&mut self, times: usize) -> bool {
        self.dice.below(times) == 0
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.dice.below(items.len())]
    }

    fn object(&mut self) -> String {
        self.objects[self.dice.below(self.objects.len())].clone()
    }

    fn name(&mut self) -> String {
        match self.dice.below(8) {
            0..4 => self.object(),
            4..6 => self.all[self.dice.below(self.all.len())].clone(),
            _ => "player".to_owned(),
        }
    }

    /// Returns some different objects.
    fn several(&mut self) -> Vec<String> {
        let mut objects = self.objects.clone();
        for index in (1..objects.len()).rev() {
            objects.swap(index, self.dice.below(index + 1));
        }
        let most = objects.len().min(3);
        objects.truncate(2 + self.dice.below(most - 1));
        objects
    }

    /// Returns objects of different layers.
    fn stack(&mut self) -> Vec<String> {
        let mut stack = Vec::new();
        for layer in self.layers.clone() {
            if self.dice.below(3) > 0 {
                stack.push(self.pick(&layer).clone());
            }
        }
        stack
    }

    fn movement(&mut self) -> &'static str {
        self.pick::<&str>(&MOVEMENTS)
    }

    /// A rule of a published game, with names of this one.
    fn known_rule(&mut self) -> String {
        let form = *self.pick(KNOWN_RULES);
        let mut names = [(); 4].map(|()| self.name());
        if !self.once_in(4) {
            names[0] = "player".to_owned();
        }
        let word = |word: &str| match word {
            "a" | "b" | "c" | "d" => names[usize::from(word.as_bytes()[0] - b'a')].clone(),
            _ => word.to_owned(),
        };
        form.split(' ').map(word).collect::<Vec<_>>().join(" ")
    }

    /// A rule of any form.
    fn any_rule(&mut self) -> String {
        let late = self.once_in(4);
        let (mut left, mut right) = (Vec::new(), Vec::new());
        for _ in 0..1 + usize::from(self.once_in(3)) + usize::from(self.once_in(10)) {
            let (mut before, mut after) = (Vec::new(), Vec::new());
            let cells = 1 + self.dice.below(3);
            for index in 0..cells {
                if index > 0 && self.once_in(6) {
                    before.push("...".to_owned());
                    after.push("...".to_owned());
                }
                let (old, new) = self.cell(late);
                before.push(old);
                after.push(new);
            }
            left.push(format!("[ {} ]", before.join(" | ")));
            right.push(format!("[ {} ]", after.join(" | ")));
        }
        let mut rule = String::new();
        if late {
            rule += "late ";
        } else if self.once_in(12) {
            rule += "rigid ";
        }
        if self.once_in(4) {
            rule += *self.pick::<&str>(&["up ", "down ", "left ", "right ", "horizontal ", "vertical "]);
        }
        rule += &left.join(" ");
        rule += " -> ";
        let has_right = !self.once_in(12);
        if has_right {
            rule += &right.join(" ");
        }
        if !has_right || self.once_in(8) {
            let commands =
                ["again", "again", "again", "cancel", "cancel", "checkpoint", "restart", "win", "message Hi"];
            rule += " ";
            rule += *self.pick::<&str>(&commands);
        }
        rule
    }

    /// A cell of a rule, before and after.
    fn cell(&mut self, late: bool) -> (String, String) {
        let (mut before, mut after) = (String::new(), String::new());
        for _ in 0..self.dice.below(3) {
            let name = self.name();
            let moving = |names: &mut Self| if late { "" } else { names.movement() };
            let word = match self.dice.below(6) {
                0 => "no",
                1..4 => moving(self),
                _ => "",
            };
            before += &format!("{word} {name} ");
            match self.dice.below(8) {
                _ if word == "no" => {}
                0..4 => after += &format!("{word} {name} "),
                4 => after += &format!("{} {name} ", moving(self)),
                5 => after += &format!("{} {} ", moving(self), self.object()),
                6 => after += &format!("{word} {} ", self.object()),
                _ => {}
            }
        }
        if self.once_in(6) {
            after += &self.object();
        }
        (before, after)
    }

    fn rules(&mut self) -> String {
        let mut rules = String::new();
        if self.is_usual {
            rules += self.pick::<&str>(&["[ > a | b ] -> [ > a | > b ]\n", "[ < a | b ] -> [ < a | < b ]\n"]);
        }
        let counts = if self.is_usual { [0, 0, 0, 0, 1, 1, 2, 2] } else { [1, 1, 2, 2, 3, 3, 4, 6] };
        let count = *self.pick(&counts);
        let from = if count > 0 && self.once_in(10) { self.dice.below(count) } else { count };
        for index in 0..count {
            if index == from {
                rules += "startloop\n";
            }
            if index > 0 && index != from && self.once_in(8) {
                rules += "+ ";
            }
            rules += &if self.once_in(2) { self.known_rule() } else { self.any_rule() };
            rules += "\n";
        }
        if from < count {
            rules += "endloop\n";
        }
        rules
    }

    /// A name, usually of something on the board.
    fn goal(&mut self, board: &str) -> String {
        let there: Vec<String> = self.objects.iter().filter(|object| board.contains(*object)).cloned().collect();
        if there.is_empty() || self.once_in(8) { self.name() } else { self.pick(&there).clone() }
    }

    fn conditions(&mut self, board: &str) -> String {
        let mut conditions = String::new();
        if self.is_usual && !self.once_in(4) {
            let usual = ["all d on b", "all b on d", "some d on b", "some b on d", "some d on a", "no d on b", "no b"];
            conditions += self.pick::<&str>(&usual);
            conditions += "\n";
            if !self.once_in(4) {
                return conditions;
            }
        }
        for _ in 0..1 + usize::from(self.once_in(3)) {
            let quantifier = *self.pick(&["all", "all", "all", "some", "some", "any", "no"]);
            let what = self.goal(board);
            conditions += &format!("{quantifier} {what}");
            if self.once_in(2) || quantifier != "no" {
                let on = [(); 3].map(|()| self.goal(board)).into_iter().find(|on| *on != what);
                on.into_iter().for_each(|on| conditions += &format!(" on {on}"));
            }
            conditions += "\n";
        }
        conditions
    }

    fn board(&mut self, symbols: &[String]) -> String {
        let sizes = [4, 4, 5, 1, 2, 3, 3, 4];
        let (width, height) = match self.is_usual {
            true => (*self.pick(&[3, 4, 4, 5, 6]), *self.pick(&[2, 3, 3, 4])),
            false => (*self.pick(&sizes), *self.pick(&sizes[3..])),
        };
        let mut some: Vec<String> = (0..2 + self.dice.below(3)).map(|_| self.pick(symbols).clone()).collect();
        if self.is_usual {
            some.truncate(1);
            some.extend(["b", "b", "d", "c"].map(str::to_owned));
            some.retain(|symbol| symbol != "a");
        }
        let empty = 2 + self.dice.below(3);
        let cells: Vec<String> = (0..width * height)
            .map(|_| if self.dice.below(5) < empty { ".".to_owned() } else { self.pick(&some).clone() })
            .collect();
        let mut cells: Vec<String> = cells;
        for _ in 0..[usize::from(self.is_usual), 1, 1, 1, 1, 1, 1, 2][self.dice.below(8)] {
            let cell = self.dice.below(cells.len());
            cells[cell].clone_from(&self.player);
        }
        cells.chunks(width).map(|row| row.concat() + "\n").collect()
    }
}

/// Returns a game with one level.
pub fn game(dice: &mut Random) -> String {
    let is_usual = dice.below(2) == 0;
    let count = if is_usual { 5 } else { 2 + dice.below(4) };
    let objects: Vec<String> = ["a", "b", "c", "d", "e"][..count].iter().map(|&name| name.into()).collect();
    let count = if is_usual { 3 } else { 1 + dice.below(3) };
    let mut layers = vec![Vec::new(); count];
    // Sometimes what is pushed passes what bars the player.
    let pushed = if dice.below(3) == 0 { 2 } else { 1 };
    let usual = |object: &str| match object {
        "d" => 0,
        "b" | "e" => pushed,
        _ => 1,
    };
    objects.iter().for_each(|name| layers[if is_usual { usual(name) } else { dice.below(count) }].push(name.clone()));
    layers.retain(|layer| !layer.is_empty());
    let (all, player) = (objects.clone(), objects[0].clone());
    let mut names = Names { dice, objects, layers, all, player, is_usual };

    let mut legend = ". = background\nq = a\n".to_owned();
    names.all.push("q".to_owned());
    let mut symbols = names.objects.clone();
    let several = names.several().join(" or ");
    let stack = names.stack();
    legend += &match names.dice.below(8) {
        0..5 => "player = a\n".to_owned(),
        _ if is_usual => "player = a\n".to_owned(),
        5..7 => format!("player = {several}\n"),
        _ if stack.len() > 1 => {
            symbols.push("p".to_owned());
            names.player = "p".to_owned();
            format!("p = {stack}\nplayer = {stack}\n", stack = stack.join(" and "))
        }
        _ => "player = b\n".to_owned(),
    };
    for name in ["s", "t"] {
        if names.once_in(2) {
            legend += &format!("{name} = {}\n", names.several().join(" or "));
            names.all.push(name.to_owned());
        }
    }
    for name in ["x", "y", "z"] {
        let stack = names.stack();
        if stack.len() > 1 {
            legend += &format!("{name} = {}\n", stack.join(" and "));
            symbols.push(name.to_owned());
            if names.once_in(2) {
                names.all.push(name.to_owned());
            }
        }
    }
    let mut text = "title Random\n".to_owned();
    for (word, times) in [("run_rules_on_level_start", 8), ("require_player_movement", 8), ("noaction", 4)] {
        if names.once_in(times) {
            text += word;
            text += "\n";
        }
    }
    text += "objects\nbackground\nblack\n\n";
    names.objects.iter().for_each(|object| text += &format!("{object}\nred\n\n"));
    // Objects that are nowhere take the others to another word of a cell, and their layers to another of movements.
    let unused = if names.once_in(6) { 60 + names.dice.below(6) } else { 0 };
    (0..unused).for_each(|number| text += &format!("unused{number}\nred\n\n"));
    text += &format!("legend\n{legend}\nsounds\n\ncollisionlayers\nbackground\n");
    (0..unused).for_each(|number| text += &format!("unused{number}{}", if number < 12 { "\n" } else { " " }));
    names.layers.iter().for_each(|layer| text += &format!("\n{}", layer.join(", ")));
    text += "\n";
    let board = names.board(&symbols);
    text + &format!("\nrules\n{}\nwinconditions\n{}\nlevels\n\n{board}", names.rules(), names.conditions(&board))
}
