//! Correct solutions with all kinds of damage. Each one that is no longer a solution is refused, and the refusal names
//! the wrong move.

use crate::random::blocks::Blocks;
use crate::random::compare::open;
use crate::random::maze::Maze;
use crate::random::permutations::Permutation;
use crate::random::tiles::Tiles;
use crate::random::walk::Model;
use crate::random::words::Ladder;
use crate::support::dice::{Dice, each_seed};
use engine::puzzle::Notation;
use engine::transcript::{Format, write};
use engine::verify::{Failure, verify};
use engine::{Options, Puzzle};
use serde_json::Value;

/// Moves that belong to no puzzle, or to another one.
const FOREIGN: [&str; 27] = [
    "R+1",
    "u+1",
    "+1u",
    "u",
    "dr",
    "3l",
    "999l",
    "0u",
    "U",
    "UU",
    "Q",
    "R",
    "R2",
    "R'",
    "R0",
    "R99999999999999999999",
    "zz9",
    "al0",
    "al1",
    "ad1u1",
    "word",
    "é",
    "語1",
    "-1",
    "\u{7f}",
    "\\",
    "'",
];

/// The number of attempts, and of those that remained solutions.
#[derive(Debug, Default)]
struct Count {
    refused: u64,
    true_by_chance: u64,
}

/// A solution with its model.
struct Case<'a, M: Model> {
    model: &'a M,
    puzzle: Puzzle,
    moves: Vec<String>,
    /// The positions before the first move and after each move.
    states: Vec<M::State>,
    text: Vec<String>,
    json: Value,
    dice: Dice,
    count: &'a mut Count,
}

/// The expected beginning of a refusal.
enum Fault {
    None,
    Start,
    Move(usize, String),
    End,
    Cost,
}

impl<M: Model> Case<'_, M> {
    /// Judges moves by the model. `drawn` gives the steps whose positions the transcript draws.
    fn judge(&self, moves: &[String], drawn: Option<&[usize]>, cost: Option<f64>) -> Fault {
        let mut at = self.model.start();
        if drawn.is_some_and(|drawn| self.states[drawn[0]] != at) {
            return Fault::Start;
        }
        let mut spent = 0.0;
        for (number, written) in moves.iter().enumerate() {
            let Some((length, next)) = self.model.play(&at, written) else {
                return Fault::Move(number + 1, written.clone());
            };
            if drawn.is_some_and(|drawn| self.states[drawn[number + 1]] != next) {
                return Fault::Move(number + 1, written.clone());
            }
            spent += length.value();
            at = next;
        }
        match cost {
            _ if !self.model.is_goal(&at) => Fault::End,
            Some(cost) if (cost - spent).abs() > 1e-6 => Fault::Cost,
            _ => Fault::None,
        }
    }

    /// Compares the engine's judgement of a transcript with the model's.
    fn hold(&mut self, transcript: &str, fault: &Fault) {
        let result = verify(&self.puzzle, "random.toml", transcript);
        let why = match (&result, fault) {
            (Ok(_), Fault::None) => {
                self.count.true_by_chance += 1;
                return;
            }
            (Err(failure), Fault::None) => panic!("refused, but true: {failure}\n{transcript}\n{}", self.model.text()),
            (Ok(_), _) => panic!("taken for a solution:\n{transcript}\n{}", self.model.text()),
            (Err(Failure::Refused(why) | Failure::Unreadable(why)), _) => why.clone(),
        };
        self.count.refused += 1;
        let is_unreadable = matches!(result, Err(Failure::Unreadable(_)));
        // Such a beginning looks like JSON, or is the title of a text.
        let looks_otherwise = is_unreadable && transcript.trim_start().starts_with(['{', '[']);
        let expected = match fault {
            Fault::Move(number, written) => format!("move {number}, `{written}`"),
            Fault::Start => "the start is not that of the puzzle".to_owned(),
            Fault::End => "the".to_owned(),
            Fault::Cost => "it claims the cost".to_owned(),
            Fault::None => String::new(),
        };
        let is_named = why.starts_with(&expected) && !is_unreadable;
        assert!(is_named || looks_otherwise, "not `{expected}…` but `{why}`:\n{transcript}\n{}", self.model.text());
    }

    /// Tests the same moves in all three formats, with drawn positions in the text.
    fn in_all_forms(&mut self, moves: &[String], drawn: &[usize]) {
        let line = moves.join(" ");
        let apart: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let fault = self.judge(&apart, None, None);
        self.hold(&format!("{line}\n"), &fault);

        let mut json = self.json.clone();
        let cost = json["cost"].as_f64();
        json["moves"] = moves.into();
        let fault = self.judge(moves, None, cost);
        self.hold(&json.to_string(), &fault);

        if moves.iter().all(|written| !written.is_empty() && !written.contains(char::is_whitespace)) {
            let text = self.composed(moves, drawn);
            let fault = self.judge(moves, Some(drawn), cost);
            self.hold(&text, &fault);
        }
    }

    /// Returns a text transcript of these moves, with the drawings of these steps.
    fn composed(&self, moves: &[String], drawn: &[usize]) -> String {
        let drawing = |step: usize| self.text[2 + step].split_once('\n').map_or("", |(_, drawing)| drawing).trim_end();
        let mut text = format!("{}\n\n{}\n\nstart\n{}\n", self.text[0], self.text[1], drawing(drawn[0]));
        for (number, (written, &step)) in (1..).zip(moves.iter().zip(&drawn[1..])) {
            text += &format!("\n{number}. {written}\n{}\n", drawing(step));
        }
        text
    }

    fn damage_moves(&mut self) {
        let (moves, all): (Vec<String>, Vec<usize>) = (self.moves.clone(), (0..self.states.len()).collect());
        self.in_all_forms(&moves, &all);
        for at in 0..moves.len() {
            let mut one_less = (moves.clone(), all.clone());
            one_less.0.remove(at);
            one_less.1.remove(at + 1);
            self.in_all_forms(&one_less.0, &one_less.1);
            let mut repeated = (moves.clone(), all.clone());
            repeated.0.insert(at, moves[at].clone());
            repeated.1.insert(at + 1, at + 1);
            self.in_all_forms(&repeated.0, &repeated.1);
            let mut swapped = (moves.clone(), all.clone());
            swapped.0.swap(at, (at + 1) % moves.len());
            self.in_all_forms(&swapped.0, &all);
            swapped.1.swap(at, at + 1);
            self.in_all_forms(&swapped.0, &swapped.1);
            self.in_all_forms(&moves, &swapped.1);
            self.in_all_forms(&moves[..at], &all[..=at]);
            self.in_all_forms(&moves[at..], &all[at..]);
            for other in self.others(at) {
                let mut changed = moves.clone();
                changed[at] = other.clone();
                self.in_all_forms(&changed, &all);
                changed[at] = moves[at].clone();
                changed.insert(at, other);
                let mut drawn = all.clone();
                drawn.insert(at + 1, at);
                self.in_all_forms(&changed, &drawn);
            }
        }
        let end = self.states.last().expect("there is a start").clone();
        for (written, ..) in self.model.moves(&end) {
            let drawn: Vec<usize> = all.iter().copied().chain([all.len() - 1]).collect();
            self.in_all_forms(&[&moves[..], &[written]].concat(), &drawn);
        }
    }

    /// Returns replacements for a move: of other pieces, other steps, other puzzles, or garbage.
    fn others(&mut self, at: usize) -> Vec<String> {
        let elsewhere = self.dice.below(self.states.len());
        let legal = |state: &M::State| self.model.moves(state).into_iter().map(|(written, ..)| written);
        let mut others: Vec<String> = legal(&self.states[at]).chain(legal(&self.states[elsewhere])).collect();
        others.push(self.dice.pick(&FOREIGN).to_owned());
        others.push(self.dice.pick(&FOREIGN).to_owned());
        let mut letters: Vec<char> = self.moves[at].chars().collect();
        let garbage = ['!', 'u', 'D', '1', '0', '9', '\'', 'é', '\u{0}', '{', '\u{2028}', '.'];
        let place = self.dice.below(letters.len());
        match self.dice.below(4) {
            0 => letters[place] = self.dice.pick(&garbage),
            1 => letters.insert(place, self.dice.pick(&garbage)),
            2 => letters.push(self.dice.pick(&garbage)),
            _ => _ = letters.remove(place),
        }
        others.push(letters.into_iter().collect());
        others
    }

    /// Changes one character of a drawing, or the cost.
    fn damage_claims(&mut self) {
        let (moves, all): (Vec<String>, Vec<usize>) = (self.moves.clone(), (0..self.states.len()).collect());
        let text = self.composed(&moves, &all);
        for step in 0..self.states.len() {
            let (head, drawing) = self.text[2 + step].split_once('\n').expect("a head and a drawing");
            let signs: Vec<usize> =
                drawing.char_indices().filter(|(_, sign)| !sign.is_whitespace()).map(|(at, _)| at).collect();
            let at = self.dice.pick(&signs);
            let sign = drawing[at..].chars().next().expect("a character");
            let other = self.dice.pick(&['.', '#', '@', 'a', '0', '7', 'é']);
            if sign == other {
                continue;
            }
            let changed = format!("{}{other}{}", &drawing[..at], &drawing[at + sign.len_utf8()..]);
            let mut blocks = self.text.clone();
            blocks[2 + step] = format!("{head}\n{changed}");
            let fault = if step == 0 { Fault::Start } else { Fault::Move(step, moves[step - 1].clone()) };
            self.hold(&blocks.join("\n\n"), &fault);
        }
        let line = text.lines().find(|line| line.starts_with("cost ")).expect("a solution has a cost").to_owned();
        let cost = self.json["cost"].as_f64().expect("a solution has a cost");
        for wrong in [cost + 1.0, cost - 1.0, cost + 0.001, 0.0, -cost, 1e300] {
            self.hold(&text.replace(&line, &format!("cost       {wrong}, proven shortest")), &Fault::Cost);
            let mut json = self.json.clone();
            json["cost"] = wrong.into();
            self.hold(&json.to_string(), &Fault::Cost);
        }
        for wrong in ["", "five", "5 5 5", ",", "NaN", "inf"] {
            let damaged = text.replace(&line, &format!("cost       {wrong}"));
            let result = verify(&self.puzzle, "random.toml", &damaged);
            assert!(matches!(result, Err(Failure::Unreadable(_))), "{result:?}\n{damaged}");
            let mut json = self.json.clone();
            json["cost"] = wrong.into();
            let result = verify(&self.puzzle, "random.toml", &json.to_string());
            assert!(matches!(result, Err(Failure::Unreadable(_))), "{result:?}\n{json}");
            self.count.refused += 2;
        }
        // Cut within a line, it is at least not a solution of this many moves.
        let cut = (0..text.len()).filter(|&at| text.is_char_boundary(at)).step_by(7);
        let whole = text.trim_end().len();
        for at in cut.filter(|&at| at < whole) {
            if verify(&self.puzzle, "random.toml", &text[..at]).is_ok() {
                panic!("taken for a solution, though cut off:\n{}", &text[..at]);
            }
            self.count.refused += 1;
        }
    }
}

fn damage<M: Model>(model: &M, seed: u64, count: &mut Count) {
    let puzzle = open(model);
    let Ok(solution) = puzzle.solve(&Options::default()) else { return };
    let moves = solution.moves();
    if moves.is_empty() || moves.len() > 10 {
        return;
    }
    let written = |format| {
        let mut out = Vec::new();
        write(&mut out, format, "dir/random.toml", &puzzle, &solution, Notation::STANDARD)
            .expect("writing to memory cannot fail");
        String::from_utf8(out).expect("transcripts are text")
    };
    let text: Vec<String> = written(Format::Text).split("\n\n").map(str::to_owned).collect();
    assert_eq!(text.len(), moves.len() + 3, "title, head, start and moves: {text:?}");
    let json = serde_json::from_str(&written(Format::Json)).expect("the text is JSON");
    let mut states = vec![model.start()];
    for written in &moves {
        let next = model.play(&states[states.len() - 1], written).expect("a solution is made of moves");
        states.push(next.1);
    }
    let mut case = Case { model, puzzle, moves, states, text, json, dice: Dice::new(!seed), count };
    case.damage_moves();
    case.damage_claims();
}

#[test]
fn a_damaged_solution_is_refused_with_its_move() {
    let mut count = Count::default();
    each_seed(200, |seed| {
        damage(&Maze::random(seed), seed, &mut count);
        damage(&Tiles::random(seed), seed, &mut count);
        damage(&Blocks::random(seed), seed, &mut count);
        damage(&Ladder::random(seed), seed, &mut count);
        damage(&Permutation::random(seed), seed, &mut count);
    });
    println!("damaged solutions: {count:?}");
    assert!(count.refused > 1000 && count.true_by_chance > 100, "too few: {count:?}");
}
