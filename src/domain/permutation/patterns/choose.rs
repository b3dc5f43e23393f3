//! Which members make a pattern: as many items as a table takes, one window of them after the other, so that each item
//! is in one at least.

use crate::domain::permutation::model::Model;
use crate::domain::permutation::ranking::Ranking;
use crate::domain::permutation::setup::Place;

/// The most patterns.
const MOST_PATTERNS: usize = 16;

/// Patterns of up to so many placements each.
pub(in super::super) fn choose(model: &Model, most: u64) -> Vec<Ranking> {
    let fits = |items: &[usize]| Ranking::new(model, items).filter(|ranking| ranking.size <= most);
    let mut rankings = Vec::new();
    let orbits = 0..model.orbits.len();
    for orbit in orbits {
        let items: Vec<usize> = (0..model.items.len()).filter(|&item| model.items[item].orbit == orbit).collect();
        let mut first = 0;
        while first < items.len() && rankings.len() < MOST_PATTERNS {
            let mut end = first;
            while end < items.len() && fits(&items[first..=end]).is_some() {
                end += 1;
            }
            if end == first {
                // An item that is too large by itself is in no pattern.
                first += 1;
                continue;
            }
            let next = end;
            // The last window takes in what was in the one before.
            while end == items.len() && first > 0 && fits(&items[first - 1..end]).is_some() {
                first -= 1;
            }
            rankings.extend(fits(&items[first..end]));
            first = next;
        }
    }
    rankings
}

/// The patterns of groups of places that a file gives: the members that belong there.
pub(in super::super) fn of_groups(model: &Model, groups: &[Vec<Place>]) -> Vec<Option<Ranking>> {
    let Some(solved) = &model.solved else { return Vec::new() };
    let of = |group: &Vec<Place>| {
        let places: Vec<Place> = group.iter().filter_map(|&place| model.numbers[usize::from(place)]).collect();
        // Whoever names one place of a block means what stands there.
        let block = |place: Place| {
            let orbit = model.orbits.iter().rposition(|orbit| orbit.first <= usize::from(place)).unwrap_or(0);
            (orbit, (usize::from(place) - model.orbits[orbit].first) / model.orbits[orbit].size)
        };
        let meant: Vec<(usize, usize)> = places.into_iter().map(block).collect();
        let items = (0..model.items.len()).filter(|&item| {
            let members = model.items[item].first..model.items[item].first + model.items[item].count;
            solved[members].iter().any(|&place| meant.contains(&block(place)))
        });
        Ranking::new(model, &items.collect::<Vec<_>>())
    };
    groups.iter().map(of).collect()
}
