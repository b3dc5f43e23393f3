//! Random word ladders: lists of short words, in the puzzle file or in another one, and every choice of edits.

use crate::random::compare::{Tally, compare};
use crate::random::walk::{Length, Model, Move};
use crate::support::dice::{Dice, each_seed, folder, is_full_run, store};
use std::collections::BTreeSet;
use std::path::PathBuf;

#[derive(Clone)]
pub struct Ladder {
    /// The listed words, with repetitions.
    words: Vec<String>,
    start: String,
    goal: String,
    edits: Vec<&'static str>,
    /// The name of the list, if it is a file.
    file: Option<String>,
    says_edits: bool,
}

const EDITS: [&str; 3] = ["change", "insert", "delete"];

impl Ladder {
    pub fn random(seed: u64) -> Ladder {
        let dice = &mut Dice::new(seed);
        let letters = &['a', 'b', 'é', 'B', '語'][..dice.within(2, 5)];
        let longest = dice.within(1, 5);
        let words: Vec<String> = (0..dice.within(1, 45))
            .map(|_| (0..dice.within(1, longest)).map(|_| dice.pick(letters)).collect())
            .collect();
        let chosen = dice.within(1, 7);
        let mut edits: Vec<&str> = (0..3).filter(|edit| chosen >> edit & 1 == 1).map(|edit| EDITS[edit]).collect();
        dice.shuffle(&mut edits);
        let file = dice.one_in(3).then(|| format!("{seed}.txt"));
        if let Some(name) = &file {
            let mut list = String::new();
            for word in &words {
                list += dice.pick(&["", "", " "]);
                list += word;
                list += dice.pick(&["\n", "\r\n", " \n\n"]);
            }
            store("words", name, &list);
        }
        let says_edits = edits.len() < 3 || dice.one_in(2);
        Ladder { start: dice.pick(&words), goal: dice.pick(&words), words, edits, file, says_edits }
    }

    /// Returns all results of one edit of a word, in the list or not.
    fn edited(&self, word: &str) -> BTreeSet<String> {
        let letters: Vec<char> = word.chars().collect();
        let alphabet: BTreeSet<char> = self.words.iter().flat_map(|word| word.chars()).collect();
        let mut made = BTreeSet::new();
        for at in 0..=letters.len() {
            let (before, behind) = letters.split_at(at);
            let (before, rest): (String, String) = (before.iter().collect(), behind.iter().skip(1).collect());
            let behind: String = behind.iter().collect();
            if self.edits.contains(&"delete") && at < letters.len() {
                made.insert(format!("{before}{rest}"));
            }
            for letter in &alphabet {
                if self.edits.contains(&"change") && at < letters.len() {
                    made.insert(format!("{before}{letter}{rest}"));
                }
                if self.edits.contains(&"insert") {
                    made.insert(format!("{before}{letter}{behind}"));
                }
            }
        }
        made.remove(word);
        made
    }
}

impl Model for Ladder {
    type State = String;
    type Key = String;

    fn text(&self) -> String {
        let words = self.file.as_ref().map_or_else(|| format!("{:?}", self.words), |name| format!("{name:?}"));
        let edits = if self.says_edits { format!("edits = {:?}\n", self.edits) } else { String::new() };
        let ends = format!("start = {:?}\ngoal = {:?}\n", self.start, self.goal);
        format!("title = \"Ladder\"\ndomain = \"word-ladder\"\n{ends}{edits}words = {words}\n")
    }

    fn file(&self) -> PathBuf {
        folder("words").join("random.toml")
    }

    fn start(&self) -> String {
        self.start.clone()
    }

    fn is_goal(&self, word: &String) -> bool {
        *word == self.goal
    }

    fn moves(&self, word: &String) -> Vec<Move<String>> {
        let made = self.edited(word).into_iter().filter(|made| self.words.contains(made));
        made.map(|made| (made.clone(), Length::ONE, made)).collect()
    }

    fn key(&self, word: &String) -> String {
        word.clone()
    }

    fn restarted(&self, drawn: &str) -> Option<Ladder> {
        Some(Ladder { start: drawn.trim_end().to_owned(), ..self.clone() })
    }
}

#[test]
fn word_ladders_have_the_answers_of_a_plain_search() {
    let mut tally = Tally::default();
    each_seed(300, |seed| compare(&Ladder::random(seed), seed, &mut tally));
    if is_full_run() {
        tally.assert_balanced("word ladders");
    }
}
