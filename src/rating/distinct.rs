//! The number of cheapest solutions up to order and symmetry.
//!
//! Two solutions are the same up to order if they make the same changes, in whatever order; and up to symmetry if that
//! holds after the board was mirrored or turned, and start and goal look the same then.

use super::explored::Explored;
use super::moved::{Symmetry, change, figures, places};
use super::optimal::Optimal;
use crate::domain::Searchable;
use crate::picture::{Figure, Ground, Picture};
use rustc_hash::{FxHashMap, FxHashSet};

/// The most moves of cheapest solutions that are looked at, and the most solutions that are compared with each other.
const MOST_MOVES: usize = 2_000;
const MOST_DISTINCT: usize = 1_000;

/// Returns the number of cheapest solutions up to order and symmetry; `None` if there are more than a thousand, or no
/// pictures.
pub fn distinct(explored: &mut Explored, optimal: &Optimal, space: &dyn Searchable) -> Option<usize> {
    let moves: usize = optimal.states.iter().map(|one| one.next.len()).sum();
    if moves > MOST_MOVES {
        return None;
    }
    let picture = space.picture()?;
    let symmetries = symmetries(space, &picture);
    let size = (picture.rows, picture.columns);
    let mut shown: FxHashMap<u32, Vec<Figure>> = FxHashMap::from_iter([(0, figures(space))]);
    // For each state, the sums of the changes so far, one for each symmetry.
    let mut sums: Vec<FxHashSet<Vec<u64>>> = vec![FxHashSet::default(); optimal.states.len()];
    sums[0].insert(vec![0; symmetries.len()]);
    let mut all = FxHashSet::default();
    for (number, one) in optimal.states.iter().enumerate() {
        let here = std::mem::take(&mut sums[number]);
        if one.next.is_empty() {
            // All images of a solution have the same sums, in another order.
            all.extend(here.iter().filter_map(|sums| sums.iter().min().copied()));
        }
        for &next in &one.next {
            let to = optimal.states[next].state;
            let mut steps = explored.states.step(one.state, to)?.into_iter().rev();
            let after = figures(&*steps.next()?.1);
            let before = steps.next().map(|(_, before)| figures(&*before));
            let before = before.or_else(|| shown.get(&one.state).cloned())?;
            shown.entry(to).or_insert_with(|| after.clone());
            let changes: Vec<u64> = symmetries.iter().map(|&one| change(&before, &after, one, size)).collect();
            let add =
                |sums: &Vec<u64>| sums.iter().zip(&changes).map(|(sum, change)| sum.wrapping_add(*change)).collect();
            sums[next].extend(here.iter().map(add).collect::<Vec<Vec<u64>>>());
            if sums[next].len() > MOST_DISTINCT {
                return None;
            }
        }
    }
    Some(all.len()).filter(|&count| count <= MOST_DISTINCT)
}

/// Returns the symmetries under which the start and the goal look the same. Conditions in words are taken to have none.
fn symmetries(space: &dyn Searchable, start: &Picture) -> Vec<Symmetry> {
    let goals = space.goal().alternatives;
    let is_drawn = goals.iter().all(|goal| goal.words.is_empty() && goal.picture.is_some());
    let flags = [false, true];
    let all =
        flags.iter().flat_map(|&swap| flags.iter().flat_map(move |&up| flags.map(|left| Symmetry(up, left, swap))));
    let size = (start.rows, start.columns);
    let stays = |symmetry: Symmetry, picture: &Picture| {
        let ground = |row: usize, column: usize| picture.ground.get(row * picture.columns + column);
        let is_same = |figures: &[Figure]| places(figures, symmetry, size) == places(figures, Symmetry::NONE, size);
        (picture.rows, picture.columns) == size
            && picture.fences.is_empty()
            && is_same(&picture.figures)
            && is_same(&picture.marks)
            && (0..picture.rows).all(|row| {
                (0..picture.columns).all(|column| {
                    let (to_row, to_column) = symmetry.image((row, column), size);
                    let here: Option<&Ground> = ground(row, column);
                    here == ground(to_row, to_column)
                })
            })
    };
    let keeps = |symmetry: &Symmetry| {
        *symmetry == Symmetry::NONE
            || is_drawn
                && (!symmetry.2 || start.rows == start.columns)
                && stays(*symmetry, start)
                && goals.iter().filter_map(|goal| goal.picture.as_ref()).all(|goal| stays(*symmetry, goal))
    };
    all.filter(keeps).collect()
}
