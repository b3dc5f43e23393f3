//! Heuristics of the file: expressions over the letters of the word and of the goal, by their places.

use super::words::{Word, Words};
use crate::diagnostic::Diagnostic;
use crate::document::Keys;
use crate::domain::{FileContext, OWN_HEURISTICS, OwnHeuristic, own_heuristics};
use crate::space::{Part, Parts};
use engine_domain::expression::{Function, Set, Type, Vocabulary};
use std::sync::Arc;

const PLACE: &[Type] = &[Type::Number];

const FUNCTIONS: &[Function] = &[
    Function { name: "letter", takes: PLACE, gives: Type::Element },
    Function { name: "goal_letter", takes: PLACE, gives: Type::Element },
    Function { name: "length", takes: &[], gives: Type::Number },
];

/// Returns the value of a function of a word. A letter is its code point; after the end of a word there is none, 0.
fn read(word: &[char], goal: &[char], function: usize, arguments: &[i64]) -> Option<i64> {
    let letter = |word: &[char]| {
        let place = usize::try_from(*arguments.first()?).ok()?;
        Some(word.get(place).map_or(0, |&letter| u32::from(letter).into()))
    };
    match function {
        0 => letter(word),
        1 => letter(goal),
        _ => Some(word.len() as i64),
    }
}

/// Reads the heuristics of a file.
///
/// # Errors
/// Reports every wrong expression.
pub(super) fn read_all(
    keys: &Keys,
    file: &FileContext,
    words: &Words,
    start: Word,
    goal: Word,
) -> Result<Vec<Arc<OwnHeuristic>>, Vec<Diagnostic>> {
    if keys.span(OWN_HEURISTICS.name).is_none() {
        return Ok(Vec::new());
    }
    let goal = words.letters(goal);
    let vocabulary = Vocabulary {
        sets: vec![Set { name: "places", of: Type::Number, members: (0..words.longest() as i64).collect() }],
        constants: vec![("goal_length", goal.len() as i64)],
        functions: FUNCTIONS,
        missing: Vec::new(),
        element: "a letter",
        quoted: &|text| match text.chars().collect::<Vec<char>>()[..] {
            [letter] => Ok(u32::from(letter).into()),
            _ => Err((format!("`{text}` is not one letter"), "write one letter in quotes, such as 'a'".to_owned())),
        },
    };
    let start = words.letters(start);
    own_heuristics(keys, file, &vocabulary, Some(&|function, arguments| read(start, goal, function, arguments)))
}

/// Returns h of a word.
pub(super) fn h(own: &OwnHeuristic, word: &[char], goal: &[char]) -> u32 {
    own.h(&|function, arguments| read(word, goal, function, arguments))
}

/// Returns the parts of h, if it is a sum over places.
pub(super) fn parts(own: &OwnHeuristic, word: &[char], goal: &[char]) -> Parts {
    let terms = own.terms(&|function, arguments| read(word, goal, function, arguments));
    let part = |(place, term): (i64, f64)| Part {
        cells: vec![(0, place as usize)],
        ..Part::of(format!("letter {}", place + 1), term, [""; 0])
    };
    Parts::sum(terms.into_iter().map(part))
}
