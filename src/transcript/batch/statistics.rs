//! Statistics of a batch: means, medians and totals of each search, by the depth of the solution.

use super::SearchRow;
use crate::puzzle::Outcome;
use crate::transcript::Number;
use serde::{Serialize, Serializer};
use std::collections::BTreeMap;
use std::fmt;

/// Returns the effective branching factor b*: the branching factor of a uniform tree of this depth that has one node
/// more than the search generated, N + 1 = 1 + b* + b*² + … + b*^d (Russell and Norvig, *Artificial Intelligence: A
/// Modern Approach*, 4th edition 2021, section 3.6). `None` if the depth is 0 or nothing was generated.
#[must_use]
pub fn effective_branching_factor(depth: u64, generated: u64) -> Option<f64> {
    if depth == 0 || generated == 0 {
        return None;
    }
    let generated = generated as f64;
    // The sum of the layers grows with b*, and the last layer alone has at most N nodes.
    let layers = |factor: f64| {
        let mut sum = 0.0;
        for _ in 0..depth {
            sum = (sum + 1.0) * factor;
            if sum > generated {
                break;
            }
        }
        sum
    };
    let (mut low, mut high) = (0.0, generated.powf(1.0 / depth as f64));
    for _ in 0..BISECTIONS {
        let middle = f64::midpoint(low, high);
        if layers(middle) > generated {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(f64::midpoint(low, high))
}

/// The bisections after which a number below 2^64 is as exact as it can be written.
const BISECTIONS: u32 = 64;

/// The mean, median and total of some numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Statistics {
    /// The mean of the puzzles that were solved.
    pub mean: Option<f64>,
    /// The median of the puzzles that were solved; of an even number of them, the mean of the middle two.
    pub median: Option<f64>,
    /// The total of all puzzles, those at a limit as well.
    pub total: f64,
}

impl Statistics {
    fn of(rows: &[&SearchRow], number: impl Fn(&SearchRow) -> f64) -> Statistics {
        let total = rows.iter().map(|row| number(row)).sum();
        let mut solved: Vec<f64> = rows.iter().filter(|row| row.is_answered()).map(|row| number(row)).collect();
        solved.sort_unstable_by(f64::total_cmp);
        let count = solved.len();
        if count == 0 {
            return Statistics { total, ..Statistics::default() };
        }
        let median = f64::midpoint(solved[(count - 1) / 2], solved[count / 2]);
        Statistics { mean: Some(solved.iter().sum::<f64>() / count as f64), median: Some(median), total }
    }
}

/// The depth of the solutions of some puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Depth {
    /// The least cost of a solution. A fraction is rounded down.
    Cost(u64),
    /// There is no solution.
    Unsolvable,
    /// No search has proven the least cost.
    Unknown,
}

impl Serialize for Depth {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Depth::Cost(cost) => serializer.serialize_u64(*cost),
            Depth::Unsolvable => serializer.serialize_str("unsolvable"),
            Depth::Unknown => serializer.serialize_str("unknown"),
        }
    }
}

impl fmt::Display for Depth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Depth::Cost(cost) => f.pad(&cost.to_string()),
            Depth::Unsolvable => f.pad("none"),
            Depth::Unknown => f.pad("?"),
        }
    }
}

/// The statistics of a search.
#[derive(Clone, Debug, Serialize)]
pub struct Summary<'a> {
    /// The algorithm.
    pub algorithm: &'a str,
    /// The heuristic, if the algorithm uses one.
    pub heuristic: Option<&'a str>,
    /// The depth of the solutions; `None` for all of them.
    pub depth: Option<Depth>,
    /// The number of puzzles.
    pub puzzles: usize,
    /// The number of puzzles that the search solved, or proved unsolvable.
    pub solved: usize,
    /// The states expanded.
    pub expanded: Statistics,
    /// The states generated.
    pub generated: Statistics,
    /// The mean of the effective branching factors.
    pub branching_factor: Option<f64>,
    /// The time to build tables.
    pub build_seconds: Statistics,
    /// The time of the search itself.
    pub search_seconds: Statistics,
}

/// A search: its algorithm and its heuristic.
pub type Search<'a> = (&'a str, Option<&'a str>);

/// Returns the searches in the order in which they occur first.
#[must_use]
pub fn searches(rows: &[SearchRow]) -> Vec<Search<'_>> {
    let mut searches: Vec<Search> = Vec::new();
    let mut last = 0;
    for row in rows {
        let search = row.search();
        // The rows of a puzzle have the searches in the same order, as a rule.
        let next = (last + 1) % searches.len().max(1);
        if searches.get(next) == Some(&search) {
            last = next;
        } else if let Some(at) = searches.iter().position(|known| *known == search) {
            last = at;
        } else {
            last = searches.len();
            searches.push(search);
        }
    }
    searches
}

/// Returns the depth of each puzzle, by its file and board.
#[must_use]
pub fn depths(rows: &[SearchRow]) -> BTreeMap<(&str, Option<usize>), Depth> {
    let mut depths = BTreeMap::new();
    for row in rows {
        let depth = match (row.known_cost, row.cost) {
            (Some(cost), _) => Depth::Cost(u64::from(cost)),
            (None, Some(Number(cost))) if row.optimal => Depth::Cost(cost as u64),
            _ if row.outcome == Outcome::Unsolvable.name() => Depth::Unsolvable,
            _ => Depth::Unknown,
        };
        let known = depths.entry((&*row.file, row.board)).or_insert(depth);
        *known = depth.min(*known);
    }
    depths
}

/// Returns the statistics of each search by the depth of the solutions, in ascending order, and then of all puzzles.
#[must_use]
pub fn summaries(rows: &[SearchRow]) -> Vec<Summary<'_>> {
    let depths = depths(rows);
    let mut groups: BTreeMap<(Search, Depth), Vec<&SearchRow>> = BTreeMap::new();
    for row in rows {
        groups.entry((row.search(), depths[&(&*row.file, row.board)])).or_default().push(row);
    }
    let mut summaries = Vec::new();
    for search in searches(rows) {
        let of_search = groups.range((search, Depth::Cost(0))..=(search, Depth::Unknown));
        let by_depth: Vec<(Depth, &Vec<&SearchRow>)> = of_search.map(|((_, depth), rows)| (*depth, rows)).collect();
        summaries.extend(by_depth.iter().map(|(depth, rows)| summary(search, Some(*depth), rows)));
        let all: Vec<&SearchRow> = by_depth.iter().flat_map(|(_, rows)| rows.iter().copied()).collect();
        summaries.push(summary(search, None, &all));
    }
    summaries
}

fn summary<'a>((algorithm, heuristic): Search<'a>, depth: Option<Depth>, rows: &[&'a SearchRow]) -> Summary<'a> {
    let factors: Vec<f64> = rows.iter().filter_map(|row| row.branching_factor).collect();
    let branching_factor = (!factors.is_empty()).then(|| factors.iter().sum::<f64>() / factors.len() as f64);
    Summary {
        algorithm,
        heuristic,
        depth,
        puzzles: rows.len(),
        solved: rows.iter().filter(|row| row.is_answered()).count(),
        expanded: Statistics::of(rows, |row| row.expanded as f64),
        generated: Statistics::of(rows, |row| row.generated as f64),
        branching_factor,
        build_seconds: Statistics::of(rows, |row| row.build_seconds),
        search_seconds: Statistics::of(rows, |row| row.search_seconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rounded(depth: u64, generated: u64) -> Option<f64> {
        effective_branching_factor(depth, generated).map(|factor| (factor * 100.0).round() / 100.0)
    }

    #[test]
    fn the_effective_branching_factor_is_that_of_the_textbook() {
        // The example in the text: a solution at depth 5 with 52 nodes.
        assert_eq!(rounded(5, 52), Some(1.92));
        // 2 + 4 + 8, and 3 + 9 + 27 + 81.
        assert_eq!((rounded(3, 14), rounded(4, 120)), (Some(2.0), Some(3.0)));
        assert_eq!((rounded(1, 7), rounded(10, 10)), (Some(7.0), Some(1.0)));
        assert!(effective_branching_factor(10, 3).is_some_and(|factor| factor < 1.0));
        assert_eq!((effective_branching_factor(0, 5), effective_branching_factor(5, 0)), (None, None));
        let large = effective_branching_factor(100_000, u64::MAX).expect("a factor");
        assert!((1.0..1.01).contains(&large), "{large}");
    }

    fn row(algorithm: &str, board: usize, cost: u32, generated: u64) -> SearchRow {
        SearchRow {
            file: "eight.toml".to_owned(),
            board: Some(board),
            known_cost: Some(cost),
            algorithm: algorithm.to_owned(),
            outcome: Outcome::Solved.name().to_owned(),
            generated,
            branching_factor: effective_branching_factor(u64::from(cost), generated),
            ..SearchRow::default()
        }
    }

    #[test]
    fn means_and_medians_are_of_the_solved_and_totals_of_all() {
        let limit = SearchRow { outcome: Outcome::Limit.name().to_owned(), ..row("bfs", 4, 2, 1000) };
        let rows = [row("bfs", 1, 2, 6), row("bfs", 2, 2, 20), row("bfs", 3, 2, 10), limit, row("bfs", 5, 3, 14)];
        let all = summaries(&rows);
        assert_eq!(
            all.iter().map(|one| one.depth).collect::<Vec<_>>(),
            [Some(Depth::Cost(2)), Some(Depth::Cost(3)), None]
        );
        assert_eq!((all[0].puzzles, all[0].solved), (4, 3));
        assert_eq!(all[0].generated, Statistics { mean: Some(12.0), median: Some(10.0), total: 1036.0 });
        assert_eq!(all[2].generated, Statistics { mean: Some(12.5), median: Some(12.0), total: 1050.0 });
    }

    #[test]
    fn searches_keep_their_order_and_puzzles_have_one_depth() {
        let unproven = |algorithm: &str| SearchRow { known_cost: None, cost: None, ..row(algorithm, 1, 0, 9) };
        let proven = SearchRow { cost: Some(Number(4.5)), optimal: true, ..unproven("a-star") };
        let rows = [unproven("greedy"), proven, SearchRow { board: Some(2), ..unproven("greedy") }];
        assert_eq!(searches(&rows), [("greedy", None), ("a-star", None)]);
        let depths: Vec<Depth> = depths(&rows).into_values().collect();
        assert_eq!(depths, [Depth::Cost(4), Depth::Unknown], "the cost that one search proved is that of the puzzle");
    }
}
