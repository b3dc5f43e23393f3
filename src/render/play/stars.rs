//! Stars: how hard the levels of a menu are, compared with each other.

use std::collections::BTreeMap;

/// The most stars.
const MOST: usize = 5;

/// How hard a level is: scores of one domain are compared.
#[derive(Clone, Debug)]
pub struct Difficulty {
    /// The domain.
    pub domain: &'static str,
    /// The score of its rating, if it has one.
    pub score: Option<f64>,
}

/// Returns the levels, which are given by folder and difficulty, in their order with their stars: by difficulty within each
/// folder and domain, those without a score last. Of the levels of a domain with a score, the easiest fifth has one star,
/// the hardest five; equal scores have the same. A score alone has none, as there is nothing to compare it with: the menu shows
/// the score.
pub(super) fn ordered(levels: &[(&str, Option<&Difficulty>)]) -> Vec<(usize, usize)> {
    let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let known = levels.iter().filter_map(|(_, difficulty)| *difficulty);
    known.for_each(|one| scores.entry(one.domain).or_default().extend(one.score));
    let stars = |number: usize| {
        let Some((one, score)) = levels[number].1.and_then(|one| Some((one, one.score?))) else { return 0 };
        let all = &scores[one.domain];
        let easier = all.iter().filter(|other| **other < score).count();
        if all.len() > 1 { 1 + easier * MOST / all.len() } else { 0 }
    };
    // The first of each folder and domain keeps their place among the others.
    let group = |number: usize| (levels[number].0, levels[number].1.map(|one| one.domain));
    let first = |number: usize| (0..levels.len()).position(|other| group(other) == group(number));
    let score = |number: usize| levels[number].1.and_then(|one| one.score).unwrap_or(f64::INFINITY);
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&one, &other| first(one).cmp(&first(other)).then(score(one).total_cmp(&score(other))));
    order.into_iter().map(|number| (number, stars(number))).collect()
}

/// Returns the stars of a level as an element; nothing if it has none.
pub(super) fn element(stars: usize) -> String {
    match stars {
        0 => String::new(),
        _ => format!(
            "<span role=\"img\" aria-label=\"{stars} of {MOST} stars\">{}{}</span> ",
            "★".repeat(stars),
            "☆".repeat(MOST - stars)
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_ordered_within_their_folder_and_domain() {
        let of = |domain, score| Some(Difficulty { domain, score });
        let all = [of("maze", Some(3.0)), of("rules", Some(9.0)), of("maze", None), of("maze", Some(1.0)), None];
        let levels: Vec<(&str, Option<&Difficulty>)> = all.iter().map(|one| ("", one.as_ref())).collect();
        assert_eq!(ordered(&levels), [(3, 1), (0, 3), (2, 0), (1, 0), (4, 0)]);
        let equal = [of("maze", Some(2.0)), of("maze", Some(2.0))];
        let levels: Vec<(&str, Option<&Difficulty>)> = equal.iter().map(|one| ("", one.as_ref())).collect();
        assert_eq!(ordered(&levels), [(0, 1), (1, 1)]);
    }
}
