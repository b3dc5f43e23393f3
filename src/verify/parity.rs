//! Checks an argument of parity: that no moves take the start to the goal, by the signs of permutations.
//!
//! Where a blank changes places with its neighbours, each step is a transposition. If the places can be coloured so that
//! every step changes the colour of the blank's place, the sign of the permutation and this colour change together
//! (Johnson and Story 1879). Where moves permute all places, each of them keeps its orbits. The signs of a permutation
//! on the orbits are bits, and those of a product are the sums of those of its factors: if the signs from the start to
//! the goal are no sum of those of moves, no moves lead there.
//!
//! Everything is computed from the goal and the steps by the independent rules: the argument has no data of its own.

use crate::argument::counted;
use crate::domain::{Permuting, Steps};
use std::collections::{BTreeMap, HashMap};

/// The mistake in a claim that parity does not support.
const ALLOWED: &str = "its argument is parity, which allows the goal";

/// Checks that parity rules out the goal from a position; returns how, for people.
///
/// # Errors
/// The reason why it does not.
pub(super) fn check(permuting: &Permuting, start: &[u32]) -> Result<String, String> {
    match &permuting.steps {
        Steps::OfBlank(steps) => by_blank(start, &permuting.goal, steps),
        Steps::OfAll(moves) => by_orbits(start, &permuting.goal, moves),
    }
}

fn by_blank(start: &[u32], goal: &[u32], steps: &[(usize, usize)]) -> Result<String, String> {
    let Walk { colour, .. } = Walk::new(goal.len(), steps);
    let orbit = vec![0; goal.len()];
    let is_coloured = steps.iter().all(|&(from, to)| colour[from] != colour[to]);
    let Some(to_goal) = paths(start, goal, &orbit, &[true]).filter(|_| is_coloured) else {
        return Err("its argument is parity, but the cells have no two colours that every step changes".to_owned());
    };
    let blank = |position: &[u32]| position.iter().position(|&label| label == 0).map(|place| colour[place]);
    let (is_odd, changes_colour) = (signs(&to_goal, &orbit, 1)[0], blank(start) != blank(goal));
    if is_odd == changes_colour {
        return Err(ALLOWED.to_owned());
    }
    let parity = |is_odd: bool| if is_odd { "odd" } else { "even" };
    Ok(format!(
        "the goal is an {} permutation of the start, its blank an {} number of steps away, and each of the {} exchanges \
         two tiles and changes the colour of the blank's cell",
        parity(is_odd),
        parity(changes_colour),
        counted(steps.len(), "step")
    ))
}

fn by_orbits(start: &[u32], goal: &[u32], moves: &[Vec<usize>]) -> Result<String, String> {
    let steps: Vec<(usize, usize)> = moves.iter().flat_map(|image| image.iter().copied().enumerate()).collect();
    let Walk { component: orbit_of, count, .. } = Walk::new(goal.len(), &steps);
    // Labels that occur twice in an orbit may be exchanged unseen: its sign is unknown.
    let mut labels: Vec<BTreeMap<u32, usize>> = vec![BTreeMap::new(); count];
    goal.iter().zip(&orbit_of).for_each(|(&label, &orbit)| *labels[orbit].entry(label).or_default() += 1);
    let is_known: Vec<bool> = labels.iter().map(|labels| labels.values().all(|&times| times == 1)).collect();
    let Some(to_goal) = paths(start, goal, &orbit_of, &is_known) else {
        return Err("its argument is parity, but an orbit has other labels in the goal".to_owned());
    };
    let mut basis: Vec<Vec<bool>> = Vec::new();
    let reduced = |mut vector: Vec<bool>, basis: &[Vec<bool>]| {
        vector.iter_mut().zip(&is_known).for_each(|(sign, is_known)| *sign &= is_known);
        for row in basis {
            let first = row.iter().position(|&sign| sign).unwrap_or(0);
            if vector[first] {
                vector.iter_mut().zip(row).for_each(|(sign, other)| *sign ^= other);
            }
        }
        Some(vector).filter(|vector| vector.contains(&true))
    };
    for image in moves {
        basis.extend(reduced(signs(image, &orbit_of, count), &basis));
    }
    if reduced(signs(&to_goal, &orbit_of, count), &basis).is_none() {
        return Err(ALLOWED.to_owned());
    }
    Ok(format!(
        "the signs of the {} on the {} of places never add up to those of the way to the goal",
        counted(moves.len(), "generator"),
        counted(count, "orbit")
    ))
}

/// Returns, for each place, that of the same label in the goal and in the same orbit; the place itself in orbits that
/// are not known. `None` if there is no such place, or two labels have the same.
fn paths(start: &[u32], goal: &[u32], orbit_of: &[usize], is_known: &[bool]) -> Option<Vec<usize>> {
    let place_of: HashMap<(usize, u32), usize> =
        goal.iter().enumerate().map(|(place, &label)| ((orbit_of[place], label), place)).collect();
    let mut taken = vec![false; goal.len()];
    let target = |(place, &label): (usize, &u32)| {
        let orbit = orbit_of[place];
        if !is_known[orbit] {
            return Some(place);
        }
        let target = *place_of.get(&(orbit, label))?;
        (!std::mem::replace(&mut taken[target], true)).then_some(target)
    };
    start.iter().enumerate().map(target).collect()
}

/// Returns, for each orbit, whether a permutation is odd on it: a cycle of even length is.
fn signs(image: &[usize], orbit_of: &[usize], orbits: usize) -> Vec<bool> {
    let mut signs = vec![false; orbits];
    let mut seen = vec![false; image.len()];
    for first in 0..image.len() {
        let mut place = first;
        while !std::mem::replace(&mut seen[place], true) {
            place = image[place];
            signs[orbit_of[first]] ^= place != first;
        }
    }
    signs
}

/// The places that steps connect.
struct Walk {
    /// The component of each place, and the number of components.
    component: Vec<usize>,
    count: usize,
    /// The colour of each place: that of another number of steps, even or odd, from the first place of its component.
    colour: Vec<bool>,
}

impl Walk {
    fn new(places: usize, steps: &[(usize, usize)]) -> Walk {
        let mut neighbours = vec![Vec::new(); places];
        for &(from, to) in steps {
            neighbours[from].push(to);
            neighbours[to].push(from);
        }
        let mut walk = Walk { component: vec![usize::MAX; places], count: 0, colour: vec![false; places] };
        for first in 0..places {
            if walk.component[first] != usize::MAX {
                continue;
            }
            walk.component[first] = walk.count;
            let mut open = vec![first];
            while let Some(place) = open.pop() {
                for &next in &neighbours[place] {
                    if walk.component[next] == usize::MAX {
                        walk.component[next] = walk.count;
                        walk.colour[next] = !walk.colour[place];
                        open.push(next);
                    }
                }
            }
            walk.count += 1;
        }
        walk
    }
}
