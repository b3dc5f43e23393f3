//! Random permutation puzzles: any generators, repeated labels, both metrics, several solved arrangements, rotations;
//! starts that are listed, scrambled by moves, or scrambled by a seed.

use crate::random::compare::{Tally, compare, open};
use crate::random::walk::{Length, Model, Move};
use crate::support::dice::{Dice, each_seed, is_full_run};
use engine::puzzle::Style;

#[derive(Clone)]
pub struct Permutation {
    /// The solved arrangements of the file, and those that rotations make of them.
    listed: Vec<Vec<String>>,
    goals: Vec<Vec<String>>,
    rotations: Vec<String>,
    start: Vec<String>,
    /// By name: the new place of each place's label.
    generators: Vec<(&'static str, Vec<usize>)>,
    by_generator: bool,
    is_textual: bool,
    start_keys: String,
    keys: String,
}

const NAMES: [&str; 6] = ["R", "u", "Up", "é", "T", "ab"];

impl Permutation {
    pub fn random(seed: u64) -> Permutation {
        let dice = &mut Dice::new(seed);
        let places = dice.pick(&[2, 3, 3, 4, 4, 5, 5, 5, 6, 6, 7]);
        let mut names = NAMES;
        dice.shuffle(&mut names);
        let generators: Vec<(&str, Vec<usize>)> =
            (0..dice.within(1, 3)).map(|number| (names[number], image(places, dice))).collect();
        let is_textual = dice.one_in(2);
        let kinds = dice.within(2.min(places), places);
        let label = |kind: usize| match is_textual {
            true => ["W", "y", "3", "é", "#", "語", "."][kind].to_owned(),
            false => ["1", "22", "red", "-4", "5", "B", "x-y"][kind].to_owned(),
        };
        let mut solved: Vec<String> =
            (0..places).map(|place| label(if place < kinds { place } else { dice.below(kinds) })).collect();
        dice.shuffle(&mut solved);
        let by_generator = dice.one_in(2);
        let mut keys = String::new();
        if by_generator || dice.one_in(2) {
            keys += &format!("metric = \"{}\"\n", if by_generator { "generator" } else { "power" });
        }
        if dice.one_in(4) {
            let order = (1..=places).map(|place| place.to_string()).collect::<Vec<_>>();
            keys += &format!("layout = \"\"\"\n{}\n\"\"\"\n", order.join(dice.pick(&[" ", "  "])));
        }
        let mut puzzle = Permutation {
            start: solved.clone(),
            listed: vec![solved],
            goals: Vec::new(),
            rotations: Vec::new(),
            generators,
            by_generator,
            is_textual,
            start_keys: String::new(),
            keys,
        };
        if dice.one_in(2) {
            puzzle.add_arrangements(dice);
        } else {
            puzzle.goals.clone_from(&puzzle.listed);
        }
        puzzle.choose_start(seed, dice);
        puzzle
    }

    /// Adds solved arrangements, some of which can be reached from the first, and rotations.
    fn add_arrangements(&mut self, dice: &mut Dice) {
        for _ in 0..dice.below(3) {
            let mut other = self.listed[0].clone();
            if dice.one_in(2) {
                dice.shuffle(&mut other);
            } else {
                (0..dice.below(9)).for_each(|_| other = dice.pick(&self.moves(&other)).2);
            }
            self.listed.push(other);
        }
        let mut turns: Vec<Vec<usize>> = Vec::new();
        for _ in 0..dice.below(3) {
            if dice.one_in(2) {
                let turn = image(self.start.len(), dice);
                self.rotations.push(cycles(&turn));
                turns.push(turn);
            } else {
                let places: Vec<String> = (0..self.start.len()).map(|place| place.to_string()).collect();
                let (one, _, after) = dice.pick(&self.moves(&places));
                let (other, _, after) = dice.pick(&self.moves(&after));
                self.rotations.push(format!("{one} {other}"));
                let to = |from: &String| after.iter().position(|label| label == from).expect("no label is lost");
                turns.push(places.iter().map(to).collect());
            }
        }
        self.goals.clone_from(&self.listed);
        let mut next = 0;
        while next < self.goals.len() {
            for turn in &turns {
                let mut turned = self.goals[next].clone();
                turn.iter().enumerate().for_each(|(from, &to)| turned[to].clone_from(&self.goals[next][from]));
                if !self.goals.contains(&turned) {
                    self.goals.push(turned);
                }
            }
            next += 1;
        }
    }

    /// Returns the keys of the solved arrangements.
    fn solved_keys(&self) -> String {
        let rotations =
            if self.rotations.is_empty() { String::new() } else { format!("rotations = {:?}\n", self.rotations) };
        let solved = match &self.listed[..] {
            [one] => written(one, self.is_textual),
            // An array of strings has several arrangements only if the start is a string, too.
            all if self.is_textual && self.start_keys.starts_with("start") => {
                format!("{:?}", all.iter().map(|labels| labels.concat()).collect::<Vec<_>>())
            }
            all => format!("{all:?}"),
        };
        format!("solved = {solved}\n{rotations}")
    }

    /// Chooses a start and its keys in the file.
    fn choose_start(&mut self, seed: u64, dice: &mut Dice) {
        let mut word = Vec::new();
        let mut walked = self.listed[0].clone();
        for _ in 0..dice.below(14) {
            let (written, _, next) = dice.pick(&self.moves(&walked));
            word.push(written);
            walked = next;
        }
        match dice.below(5) {
            0 => {
                self.start = walked;
                self.start_keys = format!("scramble = {:?}\n", word.join(dice.pick(&[" ", "  "])));
            }
            1 => {
                let walk = if dice.one_in(2) { format!("moves = {}, ", word.len()) } else { String::new() };
                self.start_keys = format!("scramble = {{ {walk}seed = {seed} }}\n");
                let drawn = open(self).draw(Style::Plain);
                self.start = self.read(&drawn);
            }
            2 => {
                dice.shuffle(&mut self.start);
                self.start_keys = format!("start = {}\n", written(&self.start, self.is_textual));
            }
            _ => {
                self.start = walked;
                self.start_keys = format!("start = {}\n", written(&self.start, self.is_textual));
            }
        }
    }

    /// Parses a position in the plain format: all labels on one line, separated by spaces, or as single letters.
    fn read(&self, drawn: &str) -> Vec<String> {
        if self.is_textual && (self.listed.len() == 1 || self.start_keys.starts_with("start")) {
            return drawn.trim_end().chars().map(String::from).collect();
        }
        drawn.split_whitespace().map(str::to_owned).collect()
    }

    fn order(&self, generator: usize) -> usize {
        let image = &self.generators[generator].1;
        let identity: Vec<usize> = (0..image.len()).collect();
        let mut power = image.clone();
        let mut order = 1;
        while power != identity {
            power = power.iter().map(|&to| image[to]).collect();
            order += 1;
        }
        order
    }

    fn apply(&self, labels: &[String], generator: usize, times: usize) -> Vec<String> {
        let mut labels = labels.to_vec();
        for _ in 0..times {
            let before = labels.clone();
            for (from, &to) in self.generators[generator].1.iter().enumerate() {
                labels[to] = before[from].clone();
            }
        }
        labels
    }
}

/// Returns a random permutation other than the identity.
fn image(places: usize, dice: &mut Dice) -> Vec<usize> {
    let mut image: Vec<usize> = (0..places).collect();
    let moved = dice.within(2, places);
    let mut some = image.clone();
    dice.shuffle(&mut some);
    some.truncate(moved);
    let mut shuffled = some.clone();
    while shuffled == some {
        dice.shuffle(&mut shuffled);
    }
    some.iter().zip(&shuffled).for_each(|(&from, &to)| image[from] = to);
    image
}

fn cycles(image: &[usize]) -> String {
    let mut seen = vec![false; image.len()];
    let mut cycles = String::new();
    for first in 0..image.len() {
        let (mut at, mut cycle) = (first, Vec::new());
        while !std::mem::replace(&mut seen[at], true) {
            cycle.push((at + 1).to_string());
            at = image[at];
        }
        if cycle.len() > 1 {
            cycles += &format!("({})", cycle.join(" "));
        }
    }
    cycles
}

fn written(labels: &[String], is_textual: bool) -> String {
    if is_textual { format!("{:?}", labels.concat()) } else { format!("{labels:?}") }
}

impl Model for Permutation {
    type State = Vec<String>;
    type Key = Vec<String>;

    fn text(&self) -> String {
        let generators: String =
            self.generators.iter().map(|(name, image)| format!("{name:?} = \"{}\"\n", cycles(image))).collect();
        format!(
            "title = \"P\"\ndomain = \"permutation\"\n{}{}{}[moves]\n{generators}",
            self.solved_keys(),
            self.keys,
            self.start_keys
        )
    }

    fn start(&self) -> Vec<String> {
        self.start.clone()
    }

    fn is_goal(&self, labels: &Vec<String>) -> bool {
        self.goals.contains(labels)
    }

    fn moves(&self, labels: &Vec<String>) -> Vec<Move<Vec<String>>> {
        let mut moves = Vec::new();
        for (number, (name, _)) in self.generators.iter().enumerate() {
            let order = self.order(number);
            for times in (1..order).filter(|&times| !self.by_generator || times == 1 || times == order - 1) {
                let power = match times {
                    1 => String::new(),
                    _ if times == order - 1 => "'".to_owned(),
                    _ => times.to_string(),
                };
                moves.push((format!("{name}{power}"), Length::ONE, self.apply(labels, number, times)));
            }
        }
        moves
    }

    fn key(&self, labels: &Vec<String>) -> Vec<String> {
        labels.clone()
    }

    /// Accepts other spellings of powers: `T1` for `T`, `T2'` for the inverse of `T2`.
    fn play(&self, labels: &Vec<String>, written: &str) -> Option<(Length, Vec<String>)> {
        let letters = written.chars().take_while(|letter| letter.is_alphabetic()).collect::<String>();
        let number = self.generators.iter().position(|(name, _)| *name == letters)?;
        let order = self.order(number);
        let power = &written[letters.len()..];
        let (times, is_inverse) = power.strip_suffix('\'').map_or((power, false), |times| (times, true));
        if times.contains('+') {
            return None;
        }
        let times: usize = if times.is_empty() { 1 } else { times.parse().ok()? };
        let is_one = times > 0 && times < order && (!self.by_generator || times == 1);
        is_one.then(|| (Length::ONE, self.apply(labels, number, if is_inverse { order - times } else { times })))
    }

    fn restarted(&self, drawn: &str) -> Option<Permutation> {
        Some(Permutation { start: self.read(drawn), ..self.clone() })
    }
}

#[test]
fn permutations_have_the_answers_of_a_plain_search() {
    let mut tally = Tally::default();
    each_seed(125, |seed| compare(&Permutation::random(seed), seed, &mut tally));
    if is_full_run() {
        tally.assert_balanced("permutations");
    }
}
