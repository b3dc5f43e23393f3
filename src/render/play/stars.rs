//! Stars: how hard the levels of a menu are, compared with each other.

use super::Level;
use std::collections::BTreeMap;

/// The most stars.
const MOST: usize = 5;

/// How hard a level is: scores of one domain are compared.
pub struct Difficulty {
    /// The domain.
    pub domain: &'static str,
    /// The score of its rating, if it has one.
    pub score: Option<f64>,
}

/// Orders the levels by difficulty within each folder and domain, those without a score last, and gives them stars: of the
/// levels of a domain with a score, the easiest fifth has one, the hardest five. Equal scores have the same.
pub(super) fn ordered(mut levels: Vec<Level>) -> Vec<Level> {
    let mut scores: BTreeMap<&str, Vec<f64>> = BTreeMap::new();
    let known = levels.iter().filter_map(|level| level.difficulty.as_ref());
    known.for_each(|one| scores.entry(one.domain).or_default().extend(one.score));
    for level in &mut levels {
        let Some((score, all)) = level.difficulty.as_ref().and_then(|one| Some((one.score?, &scores[one.domain])))
        else {
            continue;
        };
        let easier = all.iter().filter(|other| **other < score).count();
        level.stars = if all.len() > 1 { 1 + easier * MOST / all.len() } else { 0 };
    }
    // The first of each folder and domain keeps their place among the others.
    let groups: Vec<(String, Option<&str>)> =
        levels.iter().map(|level| (level.folder.clone(), level.difficulty.as_ref().map(|one| one.domain))).collect();
    let first = |group: &(String, Option<&str>)| groups.iter().position(|other| other == group);
    let score = |level: &Level| level.difficulty.as_ref().and_then(|one| one.score).unwrap_or(f64::INFINITY);
    let mut order: Vec<usize> = (0..levels.len()).collect();
    order.sort_by(|&one, &other| {
        let key = |number: usize| (first(&groups[number]), score(&levels[number]));
        let ((one, low), (other, high)) = (key(one), key(other));
        one.cmp(&other).then(low.total_cmp(&high))
    });
    let mut taken: Vec<Option<Level>> = levels.into_iter().map(Some).collect();
    order.into_iter().filter_map(|number| taken[number].take()).collect()
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
