//! Which members make a pattern: as many items of an orbit as a table takes, one window of them after the other, so that
//! each item is in one at least; then patterns of several orbits together, where a table takes them.

use crate::permutation::model::Model;
use crate::permutation::ranking::Ranking;
use crate::permutation::setup::Place;

/// The most patterns, and the most windows that they are made of.
const MOST_PATTERNS: usize = 16;
const MOST_WINDOWS: usize = 64;

/// All patterns together have so many times the placements that one may have.
const MOST_TOGETHER: u64 = 3;

/// Patterns of up to so many placements each.
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
            let is_apart = !one.iter().any(|one| other.iter().any(|other| orbit(one) == orbit(other)));
            let mut both = [&one[..], other].concat();
            both.sort_unstable();
            match is_apart.then(|| fits(&both)).flatten() {
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
    let mut left = most.saturating_mul(MOST_TOGETHER);
    patterns.retain(|(ranking, _)| {
        let fits = ranking.size <= left;
        left -= if fits { ranking.size } else { 0 };
        fits
    });
    patterns.into_iter().map(|(ranking, _)| ranking).collect()
}

/// Windows of items that fit, each as large as it can be. The last takes in what was in the one before.
fn windows(items: &[usize], fits: impl Fn(&[usize]) -> bool) -> Vec<&[usize]> {
    let mut windows = Vec::new();
    let mut first = 0;
    while first < items.len() && windows.len() < MOST_WINDOWS {
        let mut end = first;
        while end < items.len() && fits(&items[first..=end]) {
            end += 1;
        }
        if end == first {
            // An item that is too large by itself is in no pattern.
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

/// The patterns of groups of places that a file gives: the members that belong there; none for those that have no
/// numbers.
pub(in super::super) fn of_groups(model: &Model, groups: &[Vec<Place>]) -> Vec<Option<Ranking>> {
    let Some(solved) = &model.solved else { return Vec::new() };
    // Whoever names one place of a block means what stands there.
    let block = |place: Place| {
        let which = model.orbits.partition_point(|orbit| orbit.first <= usize::from(place)) - 1;
        let orbit = &model.orbits[which];
        (which, (usize::from(place) - orbit.first) / orbit.size)
    };
    let of = |group: &Vec<Place>| {
        let places = group.iter().filter_map(|&place| model.numbers[usize::from(place)]);
        let meant: Vec<(usize, usize)> = places.map(block).collect();
        let items = (0..model.items.len()).filter(|&item| {
            let members = model.items[item].first..model.items[item].first + model.items[item].count;
            solved[members].iter().any(|&place| meant.contains(&block(place)))
        });
        Ranking::new(model, &items.collect::<Vec<_>>())
    };
    groups.iter().map(of).collect()
}
