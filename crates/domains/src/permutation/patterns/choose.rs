//! The choice of the members of each pattern: windows of as many consecutive items of an orbit as fit into a table, so
//! that each item is in at least one. Then patterns of several orbits are merged while they fit into a table.

use crate::permutation::images::Place;
use crate::permutation::model::Model;
use crate::permutation::ranking::Ranking;

/// The greatest number of patterns, and of the windows that they are made of.
const MOST_PATTERNS: usize = 16;
const MOST_WINDOWS: usize = 64;

/// The greatest total number of placements of all patterns, as a multiple of the limit for one.
pub(in super::super) const MOST_TOTAL_FACTOR: u64 = 3;

/// Chooses patterns with at most `most` placements each.
pub(in super::super) fn choose(model: &Model, most: u64) -> Vec<Ranking> {
    let fits = |items: &[usize]| Ranking::new(model, items).filter(|ranking| ranking.size <= most);
    let all: Vec<usize> = (0..model.items.len()).collect();
    let mut patterns: Vec<(Ranking, Vec<usize>)> = Vec::new();
    for items in all.chunk_by(|&one, &other| model.items[one].orbit == model.items[other].orbit) {
        for window in windows(items, |items| fits(items).is_some()) {
            patterns.extend(fits(window).map(|ranking| (ranking, window.to_vec())));
        }
        if patterns.len() >= MOST_WINDOWS {
            break;
        }
    }
    patterns.sort_by_key(|(ranking, _)| std::cmp::Reverse(ranking.size));
    let orbit = |item: &usize| model.items[*item].orbit;
    let mut first = 0;
    while first < patterns.len() {
        let mut next = first + 1;
        while next < patterns.len() {
            let (one, other) = (&patterns[first].1, &patterns[next].1);
            let are_disjoint = !one.iter().any(|one| other.iter().any(|other| orbit(one) == orbit(other)));
            let mut both = [&one[..], other].concat();
            both.sort_unstable();
            match are_disjoint.then(|| fits(&both)).flatten() {
                Some(ranking) => {
                    patterns[first] = (ranking, both);
                    patterns.remove(next);
                }
                None => next += 1,
            }
        }
        first += 1;
    }
    patterns.truncate(MOST_PATTERNS);
    let mut remaining = most.saturating_mul(MOST_TOTAL_FACTOR);
    patterns.retain(|(ranking, _)| {
        let fits = ranking.size <= remaining;
        remaining -= if fits { ranking.size } else { 0 };
        fits
    });
    patterns.into_iter().map(|(ranking, _)| ranking).collect()
}

/// Returns maximal windows of items that fit. The last one is extended backwards to overlap the one before.
fn windows(items: &[usize], fits: impl Fn(&[usize]) -> bool) -> Vec<&[usize]> {
    let mut windows = Vec::new();
    let mut first = 0;
    while first < items.len() && windows.len() < MOST_WINDOWS {
        let mut end = first;
        while end < items.len() && fits(&items[first..=end]) {
            end += 1;
        }
        if end == first {
            // An item that is too large on its own is in no pattern.
            first += 1;
            continue;
        }
        let next = end;
        while end == items.len() && first > 0 && fits(&items[first - 1..end]) {
            first -= 1;
        }
        windows.push(&items[first..end]);
        first = next;
    }
    windows
}

/// Returns the pattern for each group of places of the file: the members whose goal is in the group. It is `None` if
/// these cannot be ranked.
pub(in super::super) fn of_groups(model: &Model, groups: &[Vec<Place>]) -> Vec<Option<Ranking>> {
    let Some(solved) = &model.solved else { return Vec::new() };
    // A place of a block stands for the member on the whole block.
    let block = |place: Place| {
        let which = model.orbits.partition_point(|orbit| orbit.first <= usize::from(place)) - 1;
        let orbit = &model.orbits[which];
        (which, (usize::from(place) - orbit.first) / orbit.size)
    };
    let of = |group: &Vec<Place>| {
        let places = group.iter().filter_map(|&place| model.numbers[usize::from(place)]);
        let named_blocks: Vec<(usize, usize)> = places.map(block).collect();
        let items = (0..model.items.len()).filter(|&item| {
            let members = model.items[item].first..model.items[item].first + model.items[item].count;
            solved[members].iter().any(|&place| named_blocks.contains(&block(place)))
        });
        Ranking::new(model, &items.collect::<Vec<_>>())
    };
    groups.iter().map(of).collect()
}
