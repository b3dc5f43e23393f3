//! Damages solutions in many ways. Unless the result happens to be a solution, the engine must refuse it and name the
//! faulty move.

use crate::random::blocks::Blocks;
use crate::random::compare::open;
use crate::random::maze::Maze;
use crate::random::permutations::Permutation;
use crate::random::tiles::Tiles;
use crate::random::walk::Model;
use crate::random::words::Ladder;
use crate::support::dice::{Dice, each_seed};
use engine::transcript::{JSON, Solved, TEXT, TranscriptFormat};
use engine::verify::{Failure, verify};
use engine::{Options, Puzzle};
use serde_json::Value;

/// Invalid moves and moves of other domains.
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

/// Counts of the damaged transcripts.
#[derive(Debug, Default)]
struct Count {
    refused: u64,
    still_valid: u64,
}

/// A puzzle with a solution.
struct Case<'a, M: Model> {
    model: &'a M,
    puzzle: Puzzle,
    moves: Vec<String>,
    /// The states before the first move and after each.
    states: Vec<M::State>,
    text: Vec<String>,
    json: Value,
    dice: Dice,
    count: &'a mut Count,
}

/// The fault that a refusal must name.
enum Fault {
    None,
    Start,
    Move(usize, String),
    End,
    Cost,
}

impl<M: Model> Case<'_, M> {
    /// Returns the fault by the model. `drawn` lists the step whose position the transcript draws after each move.
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

    /// Checks that the engine refuses a transcript exactly if the model finds this fault.
    fn check(&mut self, transcript: &str, fault: &Fault) {
        let verdict = verify(&self.puzzle, "random.toml", transcript);
        let why = match (&verdict, fault) {
            (Ok(_), Fault::None) => {
                self.count.still_valid += 1;
                return;
            }
            (Err(failure), Fault::None) => panic!("refused, but valid: {failure}\n{transcript}\n{}", self.model.text()),
            (Ok(_), _) => panic!("accepted without being a solution:\n{transcript}\n{}", self.model.text()),
            (Err(Failure::Refused(why) | Failure::Unreadable(why)), _) => why.clone(),
        };
        self.count.refused += 1;
        let is_unreadable = matches!(verdict, Err(Failure::Unreadable(_)));
        // A transcript that starts with a bracket is parsed as JSON.
        let looks_otherwise = is_unreadable && transcript.trim_start().starts_with(['{', '[']);
        let expected = match fault {
            Fault::Move(number, written) => format!("move {number}, `{written}`"),
            Fault::Start => "the start differs from that of the puzzle".to_owned(),
            Fault::End => "the".to_owned(),
            Fault::Cost => "it claims the cost".to_owned(),
            Fault::None => String::new(),
        };
        let is_named = why.starts_with(&expected) && !is_unreadable;
        assert!(is_named || looks_otherwise, "not `{expected}…` but `{why}`:\n{transcript}\n{}", self.model.text());
    }

    /// Checks the same moves in all three formats, with these drawn positions in the text.
    fn in_all_forms(&mut self, moves: &[String], drawn: &[usize]) {
        let line = moves.join(" ");
        let apart: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        let fault = self.judge(&apart, None, None);
        self.check(&format!("{line}\n"), &fault);

        let mut json = self.json.clone();
        let cost = json["cost"].as_f64();
        json["moves"] = moves.into();
        let fault = self.judge(moves, None, cost);
        self.check(&json.to_string(), &fault);

        if moves.iter().all(|written| !written.is_empty() && !written.contains(char::is_whitespace)) {
            let text = self.composed(moves, drawn);
            let fault = self.judge(moves, Some(drawn), cost);
            self.check(&text, &fault);
        }
    }

    /// Returns a text transcript of these moves with the drawings of these steps.
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

    /// Returns replacements for a move: other legal moves, moves of other steps, foreign moves, garbage.
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

    /// Checks drawings with one changed character, wrong costs, and truncated transcripts.
    fn damage_claims(&mut self) {
        let (moves, all): (Vec<String>, Vec<usize>) = (self.moves.clone(), (0..self.states.len()).collect());
        let text = self.composed(&moves, &all);
        for step in 0..self.states.len() {
            let (head, drawing) = self.text[2 + step].split_once('\n').expect("a head and a drawing");
            let signs: Vec<usize> =
                drawing.char_indices().filter(|(_, sign)| !sign.is_whitespace()).map(|(at, _)| at).collect();
            let at = self.dice.pick(&signs);
            let sign = drawing[at..].chars().next().expect("a sign");
            let other = self.dice.pick(&['.', '#', '@', 'a', '0', '7', 'é']);
            if sign == other {
                continue;
            }
            let changed = format!("{}{other}{}", &drawing[..at], &drawing[at + sign.len_utf8()..]);
            let mut blocks = self.text.clone();
            blocks[2 + step] = format!("{head}\n{changed}");
            let fault = if step == 0 { Fault::Start } else { Fault::Move(step, moves[step - 1].clone()) };
            self.check(&blocks.join("\n\n"), &fault);
        }
        let line = text.lines().find(|line| line.starts_with("cost ")).expect("a solution has a cost").to_owned();
        let cost = self.json["cost"].as_f64().expect("a solution has a cost");
        for wrong in [cost + 1.0, cost - 1.0, cost + 0.001, 0.0, -cost, 1e300] {
            self.check(&text.replace(&line, &format!("cost       {wrong}, proven shortest")), &Fault::Cost);
            let mut json = self.json.clone();
            json["cost"] = wrong.into();
            self.check(&json.to_string(), &Fault::Cost);
        }
        for wrong in ["", "five", "5 5 5", ",", "NaN", "inf"] {
            let damaged = text.replace(&line, &format!("cost       {wrong}"));
            let verdict = verify(&self.puzzle, "random.toml", &damaged);
            assert!(matches!(verdict, Err(Failure::Unreadable(_))), "{verdict:?}\n{damaged}");
            let mut json = self.json.clone();
            json["cost"] = wrong.into();
            let verdict = verify(&self.puzzle, "random.toml", &json.to_string());
            assert!(matches!(verdict, Err(Failure::Unreadable(_))), "{verdict:?}\n{json}");
            self.count.refused += 2;
        }
        // A truncated transcript must not be accepted.
        let cut = (0..text.len()).filter(|&at| text.is_char_boundary(at)).step_by(7);
        let whole = text.trim_end().len();
        for at in cut.filter(|&at| at < whole) {
            if verify(&self.puzzle, "random.toml", &text[..at]).is_ok() {
                panic!("accepted although truncated:\n{}", &text[..at]);
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
    let written = |format: &TranscriptFormat| format.text(&Solved::new("dir/random.toml", &puzzle, &solution));
    let text: Vec<String> = written(&TEXT).split("\n\n").map(str::to_owned).collect();
    assert_eq!(text.len(), moves.len() + 3, "title, head, start and moves: {text:?}");
    let json = serde_json::from_str(&written(&JSON)).expect("it is JSON");
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
fn damaged_solutions_are_refused_at_the_faulty_move() {
    let mut count = Count::default();
    each_seed(50, |seed| {
        damage(&Maze::random(seed), seed, &mut count);
        damage(&Tiles::random(seed), seed, &mut count);
        damage(&Blocks::random(seed), seed, &mut count);
        damage(&Ladder::random(seed), seed, &mut count);
        damage(&Permutation::random(seed), seed, &mut count);
    });
    println!("damaged solutions: {count:?}");
    assert!(count.refused > 500 && count.still_valid > 50, "too few: {count:?}");
}
