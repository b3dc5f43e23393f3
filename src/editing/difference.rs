//! Two versions of a puzzle side by side: their texts, their answers, their spaces, and their solutions aligned.

use super::answer::{Answer, solve};
use crate::puzzle::{Options, Puzzle, Style};
use crate::rating::{Rating, RatingOptions};
use crate::search::{Limit, Limits, Stats};
use std::time::Instant;

/// The most entries of the table for a longest common subsequence.
const MOST_ENTRIES: usize = 1 << 22;

/// What is known of one of the two versions.
#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    /// Its name: a file, a revision or a snapshot.
    pub name: String,
    /// The text of its file, if it is a puzzle.
    pub text: Option<String>,
    /// The start, drawn, if it is a puzzle.
    pub drawing: Option<String>,
    /// The outcome and the least cost.
    pub answer: Answer,
    /// The moves of a shortest solution.
    pub moves: Vec<String>,
    /// The number of shortest solutions.
    pub solutions: Option<u128>,
    /// The number of reachable states.
    pub states: Option<u64>,
    /// The number of states from which no goal can be reached.
    pub dead_ends: Option<u64>,
    /// The greatest distance of a state to its nearest goal.
    pub hardest: Option<f64>,
    /// How hard it is for people.
    pub rating: Option<Rating>,
    /// The limit that ended the search for the answer, if one did.
    pub limit: Option<Limit>,
}

impl Side {
    /// Solves and explores a version. What takes more than `nodes` expanded states, such as the whole space, is not known.
    #[must_use]
    pub fn of(name: String, puzzle: &Puzzle, nodes: u64, limits: &Limits) -> Side {
        let started = Instant::now();
        let left = || limits.remaining(&Stats::default(), started.elapsed());
        let within = || Limits { nodes: Some(nodes), ..left() };
        let solved = solve(puzzle, &left());
        let count = Options { limits: within(), ignores_file: true, all_shortest: Some(0), ..Options::default() };
        let solutions = solved.answer.cost().and_then(|_| puzzle.solve(&count).ok()?.solutions());
        let found = puzzle.explore(&within()).found;
        let is_whole = found.limit.is_none();
        // Of a larger space, a rating takes a sample.
        let rating = RatingOptions { limits: within(), ..RatingOptions::default() };
        let is_rated = is_whole || nodes >= rating.most_states as u64;
        let limit = match solved.answer {
            Answer::Limit { limit } => Some(limit),
            _ => None,
        };
        Side {
            name,
            text: Some(puzzle.file_text().into_owned()),
            drawing: Some(puzzle.draw(Style::Drawn)),
            answer: solved.answer,
            moves: solved.moves,
            solutions,
            states: is_whole.then(|| found.states()),
            dead_ends: found.dead_ends.filter(|_| is_whole),
            hardest: found.hardest.as_ref().filter(|_| is_whole).map(|hardest| hardest.cost),
            rating: is_rated.then(|| puzzle.rate(&rating)).filter(|rating| rating.score.is_some()),
            limit,
        }
    }

    /// Returns whether this side and another have the same answer, wherever both are known.
    #[must_use]
    pub fn has_answer_of(&self, other: &Side) -> bool {
        fn agree<T: PartialEq>(one: Option<T>, other: Option<T>) -> bool {
            one.zip(other).is_none_or(|(one, other)| one == other)
        }
        self.answer == other.answer
            && agree(self.solutions, other.solutions)
            && agree(self.states, other.states)
            && agree(self.dead_ends, other.dead_ends)
            && agree(self.hardest, other.hardest)
    }
}

/// A part of two aligned lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part<T> {
    /// Both have it.
    Both(Vec<T>),
    /// The first alone has it.
    Before(Vec<T>),
    /// The second alone has it.
    After(Vec<T>),
}

/// Returns how many elements two lists begin with in common.
#[must_use]
pub fn common_prefix<T: PartialEq>(before: &[T], after: &[T]) -> usize {
    before.iter().zip(after).take_while(|(one, other)| one == other).count()
}

/// Aligns two lists by a longest common subsequence. Where what differs is very long, it is one part.
#[must_use]
pub fn align<T: PartialEq + Clone>(before: &[T], after: &[T]) -> Vec<Part<T>> {
    let start = common_prefix(before, after);
    let (one, other) = (&before[start..], &after[start..]);
    let end = one.iter().rev().zip(other.iter().rev()).take_while(|(one, other)| one == other).count();
    let (one, other) = (&one[..one.len() - end], &other[..other.len() - end]);
    let mut parts = Parts(Vec::new());
    before[..start].iter().for_each(|both| parts.push(Part::Both(vec![both.clone()])));
    let width = other.len() + 1;
    if (one.len() + 1).saturating_mul(width) <= MOST_ENTRIES {
        // By row and column: the length of a longest common subsequence of what follows.
        let mut lengths = vec![0_u32; (one.len() + 1) * width];
        for row in (0..one.len()).rev() {
            for column in (0..other.len()).rev() {
                lengths[row * width + column] = match one[row] == other[column] {
                    true => lengths[(row + 1) * width + column + 1] + 1,
                    false => lengths[(row + 1) * width + column].max(lengths[row * width + column + 1]),
                };
            }
        }
        let (mut row, mut column) = (0, 0);
        while row < one.len() || column < other.len() {
            let down = (row < one.len()).then(|| lengths[(row + 1) * width + column]);
            let right = (column < other.len()).then(|| lengths[row * width + column + 1]);
            if row < one.len() && column < other.len() && one[row] == other[column] {
                parts.push(Part::Both(vec![one[row].clone()]));
                (row, column) = (row + 1, column + 1);
            } else if down >= right {
                parts.push(Part::Before(vec![one[row].clone()]));
                row += 1;
            } else {
                parts.push(Part::After(vec![other[column].clone()]));
                column += 1;
            }
        }
    } else {
        parts.push(Part::Before(one.to_vec()));
        parts.push(Part::After(other.to_vec()));
    }
    before[before.len() - end..].iter().for_each(|both| parts.push(Part::Both(vec![both.clone()])));
    parts.0
}

/// Parts of which no two of a kind follow each other.
struct Parts<T>(Vec<Part<T>>);

impl<T> Parts<T> {
    fn push(&mut self, part: Part<T>) {
        match (self.0.last_mut(), part) {
            (Some(Part::Both(last)), Part::Both(more))
            | (Some(Part::Before(last)), Part::Before(more))
            | (Some(Part::After(last)), Part::After(more)) => last.extend(more),
            (_, part) => self.0.push(part),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_lists_are_aligned_by_a_longest_common_subsequence() {
        let letters = |text: &str| text.chars().collect::<Vec<char>>();
        let of = |before: &str, after: &str| align(&letters(before), &letters(after));
        let (both, before, after) = (
            |text: &str| Part::Both(letters(text)),
            |text: &str| Part::Before(letters(text)),
            |text: &str| Part::After(letters(text)),
        );
        assert_eq!(of("abcde", "abxde"), [both("ab"), before("c"), after("x"), both("de")]);
        assert_eq!(of("", "a"), [after("a")]);
        assert_eq!(of("ab", "ab"), [both("ab")]);
        let parts = of("nematode knowledge", "empty bottle");
        let common: usize = parts.iter().map(|part| if let Part::Both(both) = part { both.len() } else { 0 }).sum();
        assert_eq!(common, 7, "{parts:?}");
        // Each list is the parts that it has, in their order.
        let mut lists = [String::new(), String::new()];
        for part in &parts {
            match part {
                Part::Both(both) => lists.iter_mut().for_each(|list| list.extend(both)),
                Part::Before(before) => lists[0].extend(before),
                Part::After(after) => lists[1].extend(after),
            }
        }
        assert_eq!(lists, ["nematode knowledge", "empty bottle"]);
    }
}
