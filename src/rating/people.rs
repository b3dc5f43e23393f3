//! The agreement of ratings with people: rank correlation and pairs in the right order.

use crate::domain::SplitMix64;
use serde::Serialize;

/// The number of samples of the bootstrap.
const SAMPLES: usize = 2_000;

/// A table of what people did: for each puzzle, numbers in named columns.
#[derive(Clone, Debug)]
pub struct People {
    /// The names of the columns.
    pub columns: Vec<String>,
    /// The rows.
    pub rows: Vec<Vec<String>>,
}

/// The names of columns that say how hard puzzles were, and whether greater numbers are of harder ones. The first one
/// that a table has is its default.
const MEASURES: [(&str, bool); 8] = [
    ("difficulty", true),
    ("effect_time", true),
    ("median_s", true),
    ("time", true),
    ("order", true),
    ("solve_rate", false),
    ("solved", false),
    ("success", false),
];

impl People {
    /// Reads a table: columns between tabs, the first line names them. Lines that begin with `#` are comments.
    ///
    /// # Errors
    /// The line, from 1, and what is wrong with it.
    pub fn read(text: &str) -> Result<People, (usize, String)> {
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let (first, header) = lines.next().ok_or((1, "has no line with the names of columns".to_owned()))?;
        let columns: Vec<String> = header.split('\t').map(|name| name.trim().to_owned()).collect();
        if !columns.iter().any(|name| name == "file" || name == "level") {
            return Err((first, "names no column `file` or `level`, which say what puzzle a row is about".to_owned()));
        }
        let mut rows = Vec::new();
        for (number, line) in lines {
            let row: Vec<String> = line.split('\t').map(|value| value.trim().to_owned()).collect();
            if row.len() != columns.len() {
                return Err((number, format!("has {} columns, not {} as the first line", row.len(), columns.len())));
            }
            rows.push(row);
        }
        Ok(People { columns, rows })
    }

    /// Returns the column to compare with and whether its greater numbers are of harder puzzles: the one with this name,
    /// else the first that is known to say so. A name after `-` is of a column whose greater numbers are of easier ones.
    #[must_use]
    pub fn measure(&self, name: Option<&str>) -> Option<(usize, bool)> {
        let place = |name: &str| self.columns.iter().position(|column| column == name);
        let known = |name: &str| MEASURES.iter().find(|(known, _)| *known == name).is_none_or(|(_, harder)| *harder);
        match name {
            Some(name) => match name.strip_prefix('-') {
                Some(name) => Some((place(name)?, false)),
                None => Some((place(name)?, known(name))),
            },
            None => MEASURES.iter().find_map(|&(name, harder)| Some((place(name)?, harder))),
        }
    }

    /// Returns the number of people for a puzzle, by the path of its file and the number of its level; `None` if there
    /// is no such row, or no number in it.
    #[must_use]
    pub fn number(&self, column: usize, path: &str, level: Option<usize>) -> Option<f64> {
        let place = |name: &str| self.columns.iter().position(|column| column == name);
        let is_at = |row: &&Vec<String>| match (place("file"), place("level"), level) {
            (Some(file), _, None) => is_end(path, &row[file]),
            (file, Some(number), Some(level)) => {
                row[number].parse() == Ok(level) && file.is_none_or(|file| is_end(path, &row[file]))
            }
            _ => false,
        };
        self.rows.iter().find(is_at)?[column].parse().ok().filter(|number: &f64| number.is_finite())
    }
}

/// Returns whether a path ends with another one.
fn is_end(path: &str, end: &str) -> bool {
    std::path::Path::new(path).ends_with(end)
}

/// The agreement of two rows of numbers.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Agreement {
    /// Spearman's rank correlation.
    pub spearman: f64,
    /// The ends of its interval of 95 %, by a bootstrap over puzzles.
    pub low: f64,
    /// The upper end.
    pub high: f64,
    /// The share of the pairs of puzzles that differ for people and are in the same order; a tie counts half.
    pub pairs: f64,
}

impl Agreement {
    /// Compares numbers of puzzles with those of people. `None` for fewer than three puzzles.
    #[must_use]
    pub fn of(ours: &[f64], people: &[f64], seed: u64) -> Option<Agreement> {
        let count = ours.len().min(people.len());
        if count < 3 {
            return None;
        }
        let random = &mut SplitMix64::new(seed);
        let mut samples: Vec<f64> = (0..SAMPLES)
            .map(|_| {
                let drawn: Vec<usize> = (0..count).map(|_| random.below(count as u64) as usize).collect();
                let of = |numbers: &[f64]| -> Vec<f64> { drawn.iter().map(|&at| numbers[at]).collect() };
                spearman(&of(ours), &of(people))
            })
            .collect();
        samples.sort_by(f64::total_cmp);
        let quantile = |permille: usize| samples[(SAMPLES - 1) * permille / 1000];
        let (mut right, mut all) = (0.0, 0.0);
        for one in 0..count {
            for other in 0..one {
                let (by_people, by_us) = (people[one] - people[other], ours[one] - ours[other]);
                if by_people != 0.0 {
                    all += 1.0;
                    right += if by_us == 0.0 { 0.5 } else { f64::from(u8::from(by_us * by_people > 0.0)) };
                }
            }
        }
        Some(Agreement {
            spearman: spearman(ours, people),
            low: quantile(25),
            high: quantile(975),
            pairs: if all > 0.0 { right / all } else { 0.5 },
        })
    }
}

/// Returns Spearman's rank correlation; 0 if all numbers of a row are equal.
fn spearman(one: &[f64], other: &[f64]) -> f64 {
    let (one, other) = (ranks(one), ranks(other));
    let mean = (one.len() as f64 - 1.0) / 2.0;
    let product = |a: &[f64], b: &[f64]| -> f64 { a.iter().zip(b).map(|(a, b)| (a - mean) * (b - mean)).sum() };
    let spread = (product(&one, &one) * product(&other, &other)).sqrt();
    if spread > 0.0 { product(&one, &other) / spread } else { 0.0 }
}

/// Returns the ranks of numbers from 0; equal ones share the mean of theirs.
fn ranks(numbers: &[f64]) -> Vec<f64> {
    let mut order: Vec<usize> = (0..numbers.len()).collect();
    order.sort_by(|&one, &other| numbers[one].total_cmp(&numbers[other]));
    let mut ranks = vec![0.0; numbers.len()];
    let mut first = 0;
    for group in order.chunk_by(|&one, &other| numbers[one] == numbers[other]) {
        let rank = first as f64 + (group.len() - 1) as f64 / 2.0;
        group.iter().for_each(|&at| ranks[at] = rank);
        first += group.len();
    }
    ranks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_of_ties_are_shared_and_correlations_are_those_of_the_textbook() {
        assert_eq!(ranks(&[3.0, 1.0, 3.0, 2.0]), [2.5, 0.0, 2.5, 1.0]);
        assert!((spearman(&[1.0, 2.0, 3.0], &[2.0, 4.0, 9.0]) - 1.0).abs() < 1e-12);
        // 1 - 6 * (1 + 1 + 0 + 1 + 1) / (5 * 24)
        assert!((spearman(&[1.0, 2.0, 3.0, 4.0, 5.0], &[2.0, 1.0, 3.0, 5.0, 4.0]) - 0.8).abs() < 1e-12);
        assert_eq!(spearman(&[1.0, 1.0, 1.0], &[1.0, 2.0, 3.0]), 0.0);
    }

    #[test]
    fn an_agreement_counts_pairs_and_its_interval_is_the_same_for_a_seed() {
        let agreement = Agreement::of(&[1.0, 2.0, 2.0, 9.0], &[1.0, 1.0, 2.0, 0.0], 7).expect("four puzzles");
        // Five pairs differ for people: one is right, one is a tie.
        assert!((agreement.pairs - 1.5 / 5.0).abs() < 1e-12);
        assert!(agreement.low <= agreement.spearman && agreement.spearman <= agreement.high);
        assert_eq!(Some(agreement), Agreement::of(&[1.0, 2.0, 2.0, 9.0], &[1.0, 1.0, 2.0, 0.0], 7));
        assert_eq!(Agreement::of(&[1.0, 2.0], &[1.0, 2.0], 0), None);
    }

    #[test]
    fn tables_name_files_or_levels_and_have_a_default_measure() {
        let text = "# from a site\nlevel\tname\tsolve_rate\n1\tone\t0.5\n2\ttwo\t\n";
        let people = People::read(text).expect("the table is right");
        assert_eq!(people.measure(None), Some((2, false)));
        assert_eq!(people.measure(Some("solve_rate")), Some((2, false)));
        assert_eq!(people.measure(Some("-name")), Some((1, false)));
        assert_eq!(people.measure(Some("time")), None);
        assert_eq!(people.number(2, "a/levels.sok", Some(1)), Some(0.5));
        assert_eq!(people.number(2, "a/levels.sok", Some(2)), None, "the number is missing");
        let files = People::read("file\ttime\nb.toml\t3\n").expect("the table is right");
        assert_eq!(files.number(1, "a/b.toml", None), Some(3.0));
        assert_eq!(files.number(1, "a/ab.toml", None), None);
        assert_eq!(People::read("time\n1\n").err().map(|(line, _)| line), Some(1));
        assert_eq!(People::read("file\ttime\nb.toml\n").err().map(|(line, _)| line), Some(2));
    }
}
