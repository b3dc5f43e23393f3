//! Neighbours, distances and random starts on small lists, compared with brute force.

use super::edit_distance::EditDistance;
use super::scramble::scramble;
use super::space::LadderSpace;
use super::words::{Word, Words};
use super::{Edits, Ladder};
use crate::domain::{BuildContext, HeuristicFacts, Instance, SplitMix64};
use crate::search::laws;
use crate::space::Guided;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns all non-empty sets of edits.
fn all_edits() -> impl Iterator<Item = Edits> {
    (1..8).map(|set| Edits { change: set & 1 > 0, insert: set & 2 > 0, delete: set & 4 > 0 })
}

fn list<'a>(words: impl IntoIterator<Item = &'a str>) -> Words {
    let mut list = Words::new();
    words.into_iter().for_each(|word| list.push(word));
    list
}

/// Returns random words of one to four letters over three letters, one of them not ASCII; some words occur twice.
fn random_list(random: &mut SplitMix64) -> Words {
    let letter = |random: &mut SplitMix64| ['a', 'b', 'é'][random.below(3) as usize];
    let word = |random: &mut SplitMix64| (0..=random.below(4)).map(|_| letter(random)).collect::<String>();
    let words: Vec<String> = (0..40).map(|_| word(random)).collect();
    list(words.iter().map(String::as_str))
}

/// Returns all words of one to three letters over two letters.
fn every_word() -> Words {
    let longer = |words: &[String]| words.iter().flat_map(|word| [format!("{word}a"), format!("{word}b")]).collect();
    let one: Vec<String> = longer(&[String::new()]);
    let two: Vec<String> = longer(&one);
    let three: Vec<String> = longer(&two);
    list([one, two, three].concat().iter().map(String::as_str))
}

fn space(words: &Arc<Words>, start: Word, goal: Word, edits: Edits) -> LadderSpace {
    let distance = Some(EditDistance::new(words, goal, edits));
    LadderSpace { words: Arc::clone(words), edits, start, goal, distance, own: None }
}

/// Returns whether one edit leads from one word to another, by deleting letters from both.
fn is_edit(from: &[char], to: &[char], edits: Edits) -> bool {
    let holes = |word: &[char]| -> Vec<Vec<char>> {
        (0..word.len()).map(|hole| [&word[..hole], &word[hole + 1..]].concat()).collect()
    };
    let changed = || from.len() == to.len() && holes(from).iter().zip(&holes(to)).any(|(one, other)| one == other);
    from != to
        && (edits.change && changed()
            || edits.delete && holes(from).contains(&to.to_vec())
            || edits.insert && holes(to).contains(&from.to_vec()))
}

#[test]
fn the_index_finds_the_same_neighbours_as_a_scan() {
    let random = &mut SplitMix64::new(1);
    let mut found = 0;
    for _ in 0..20 {
        let words = random_list(random);
        for edits in all_edits() {
            for word in 0..words.len() as Word {
                let is_near = |&other: &Word| is_edit(words.letters(word), words.letters(other), edits);
                let near: Vec<Word> = (0..words.len() as Word).filter(is_near).collect();
                assert_eq!(words.neighbors(word, edits), near, "{} by {edits:?}", words.text(word));
                found += near.len();
            }
        }
    }
    assert!(found > 5_000, "{found} neighbours are too few for a meaningful test");
}

#[test]
fn every_law_of_a_state_space_holds_for_all_edits() {
    let random = &mut SplitMix64::new(2);
    for edits in all_edits() {
        for _ in 0..12 {
            let words = Arc::new(random_list(random));
            let [start, goal] = [(); 2].map(|()| random.below(words.len() as u64) as Word);
            laws::hold(&space(&words, start, goal, edits), true);
        }
    }
}

#[test]
fn the_edit_distance_is_exact_where_every_word_is_in_the_list() {
    let words = Arc::new(every_word());
    let all = 0..words.len() as Word;
    for edits in all_edits() {
        for goal in all.clone() {
            // The least number of edits from each word, found by a search backwards from the goal.
            let mut distances = vec![None; words.len()];
            distances[goal as usize] = Some(0);
            for distance in 0..words.len() as u32 {
                for word in all.clone().filter(|&word| distances[word as usize].is_none()).collect::<Vec<_>>() {
                    let near = words.neighbors(word, edits);
                    if near.iter().any(|&near| distances[near as usize] == Some(distance)) {
                        distances[word as usize] = Some(distance + 1);
                    }
                }
            }
            for word in all.clone() {
                let Some(distance) = distances[word as usize] else { continue };
                let h = space(&words, word, goal, edits).h(&word);
                assert_eq!(h, distance, "{} to {} by {edits:?}", words.text(word), words.text(goal));
            }
        }
    }
}

#[test]
fn words_too_long_for_a_table_are_compared_by_their_lengths() {
    let [long, longer] = [1500, 1502].map(|length| "x".repeat(length));
    let words = list([long.as_str(), &longer, &"y".repeat(1500)]);
    let edits = Edits { change: true, insert: true, delete: true };
    let distance = EditDistance::new(&words, 0, edits);
    assert_eq!([0, 1, 2].map(|word| distance.of(words.letters(word))), [0, 2, 0]);
    let changes = EditDistance::new(&words, 0, Edits { insert: false, delete: false, ..edits });
    assert_eq!(changes.of(words.letters(2)), 1500, "the Hamming distance needs no table");
}

/// A comparison of all pairs of letters would take hours.
#[test]
fn words_of_a_million_letters_have_their_neighbours() {
    let [short, long] = [999_999, 1_000_000].map(|length| "x".repeat(length));
    let changed = "y".to_owned() + &short;
    let words = list([long.as_str(), &short, &changed]);
    let edits = Edits { change: true, insert: true, delete: true };
    assert_eq!([0, 1, 2].map(|word| words.neighbors(word, edits)), [vec![1, 2], vec![0, 2], vec![0, 1]]);
    let ladder = Ladder { words: Arc::new(words), edits, start: 0, goal: 2, warning: None, own: Vec::new() };
    let mut rules = ladder.rules().expect("the domain has rules");
    assert_eq!(rules.candidates().len(), 2);
    assert_eq!(rules.play(&long).unwrap_err(), "it is the same word as before");
    assert_eq!((rules.play(&short), rules.play(&changed)), (Ok(()), Ok(())));
    assert!(rules.is_solved());
    let apart = Ladder {
        words: Arc::new(list([long.as_str(), "b"])),
        edits,
        start: 0,
        goal: 1,
        warning: None,
        own: Vec::new(),
    };
    assert!(apart.unsolvable().is_some_and(|reason| reason.len() < 200), "a message quotes only its beginning");
}

#[test]
fn a_repeated_word_is_one_word() {
    let words = list(["cat", "dog", "cat", "Cat", "ca\u{301}t", "cát"]);
    assert_eq!(words.len(), 5);
    assert_eq!((words.find("cat"), words.find("Cat"), words.find("cow")), (Some(0), Some(2), None));
    let edits = Edits { change: true, insert: true, delete: true };
    assert_eq!(words.neighbors(0, edits), [2, 3, 4], "a capital letter, an inserted accent, an accented letter");
}

#[test]
fn random_starts_are_words_from_which_the_goal_is_reached() {
    let random = &mut SplitMix64::new(3);
    for edits in all_edits() {
        let words = random_list(random);
        let goal = random.below(words.len() as u64) as Word;
        let mut reached = BTreeSet::from([goal]);
        let mut depth = Vec::new();
        while depth.len() < words.len() {
            depth.push(reached.clone());
            let more = (0..words.len() as Word)
                .filter(|&word| words.neighbors(word, edits).iter().any(|near| reached.contains(near)));
            let more: Vec<Word> = more.collect();
            reached.extend(more);
        }
        let drawn: BTreeSet<Word> =
            (0..400).map(|seed| scramble(&words, goal, edits, None, seed, &BuildContext::default())).collect();
        if reached.len() > 1 {
            reached.remove(&goal);
        }
        assert_eq!(drawn, reached, "all of them except the goal, and no others, by {edits:?}");
        for (moves, within) in (0..4).zip(&depth) {
            let walked: BTreeSet<Word> = (0..50)
                .map(|seed| scramble(&words, goal, edits, Some(moves), seed, &BuildContext::default()))
                .collect();
            assert!(walked.is_subset(within), "{moves} moves backwards, by {edits:?}");
        }
    }
}

#[test]
fn a_missing_ladder_is_explained_without_a_search() {
    let words = Arc::new(list(["cat", "cats", "dogs", "cot", "zebra"]));
    let reason = |start: &str, goal: &str, edits: Edits| {
        let find = |text: &str| words.find(text).expect("it is in the list");
        let schedule = Ladder {
            words: Arc::clone(&words),
            edits,
            start: find(start),
            goal: find(goal),
            warning: None,
            own: Vec::new(),
        };
        let h = schedule.space(&HeuristicFacts::ZERO, &crate::domain::BuildContext::default()).h();
        assert_eq!(h, 0.0);
        schedule.unsolvable()
    };
    let all = Edits { change: true, insert: true, delete: true };
    assert_eq!(reason("cat", "cot", all), None);
    assert_eq!(reason("zebra", "zebra", all), None, "it is solved");
    assert_eq!(reason("cat", "zebra", all).as_deref(), Some("`zebra` is one edit away from no word of the list"));
    assert_eq!(reason("zebra", "cat", all).as_deref(), Some("no word of the list is one edit away from `zebra`"));
    let changes = Edits { insert: false, delete: false, ..all };
    assert_eq!(
        reason("cat", "cats", changes).as_deref(),
        Some("`cats` is longer than `cat`, and no letter may be inserted")
    );
    assert_eq!(
        reason("cats", "cat", changes).as_deref(),
        Some("`cat` is shorter than `cats`, and no letter may be deleted")
    );
}
