//! What the mover does while a token stays: its changes alone, and the parts of its values between which it changes at
//! will beside a token at a place.

use super::moves::{NOWHERE, Stay};
use crate::task::Value;
use crate::task::sorted::sorted;
use std::sync::Arc;

/// The most values that are looked at around a place before all are.
const MOST_AROUND: usize = 128;

/// A change of the mover: its values before and after.
pub(super) type Change = (Value, Value);

/// The changes of the mover alone. A board has thousands, and a token at a place bars few of them.
#[derive(PartialEq)]
pub(super) struct Stays {
    values: usize,
    changes: Vec<Change>,
    /// For each place, the numbers of those that a token there bars, in order.
    barred: Vec<Vec<u32>>,
}

impl Stays {
    pub fn of<const N: usize>(stays: &[Stay<N>], places: usize, values: usize) -> Stays {
        let mut barred = vec![Vec::new(); places];
        for (number, stay) in (0..).zip(stays) {
            stay.without.iter().for_each(|place| barred[place].push(number));
        }
        Stays { values, changes: stays.iter().map(|stay| (stay.before, stay.after)).collect(), barred }
    }

    /// Returns those that a token at a place does not bar, in order.
    fn beside(&self, place: usize) -> impl Iterator<Item = Change> {
        let mut barred = self.barred[place].iter().peekable();
        let is_free = move |(number, _): &(u32, _)| barred.next_if_eq(&number).is_none();
        (0..).zip(&self.changes).filter(is_free).map(|(_, &change)| change)
    }

    /// Returns those that a token at a place bars.
    fn barred(&self, place: usize) -> impl Iterator<Item = Change> {
        self.barred[place].iter().map(|&number| self.changes[number as usize])
    }
}

/// The nodes of a token: its places, each with the parts of the mover's values between which the mover changes at will
/// while the token stays.
pub(super) struct Nodes {
    stays: Stays,
    /// The places where no token is while the mover has a value.
    excluded: Vec<(usize, Value)>,
    /// For each place and value of the mover, the node; [`NOWHERE`] where no token is.
    pub node_of: Arc<Vec<u32>>,
    pub count: usize,
    /// The changes from one part to another, with the place of the token.
    pub left: Vec<(usize, Change)>,
}

impl Nodes {
    /// Returns the nodes of a kind of tokens, which are found once for all kinds that bar the mover's way alike: on a large
    /// board they are millions.
    pub fn among(known: &mut Vec<Nodes>, stays: Stays, excluded: Vec<(usize, Value)>) -> &Nodes {
        let is_same = |nodes: &Nodes| nodes.stays == stays && nodes.excluded == excluded;
        let at = known.iter().position(is_same).unwrap_or_else(|| {
            known.push(Nodes::new(stays, excluded));
            known.len() - 1
        });
        &known[at]
    }

    fn new(stays: Stays, excluded: Vec<(usize, Value)>) -> Nodes {
        let (mut node_of, mut count, mut left) = (Vec::with_capacity(stays.barred.len() * stays.values), 0, Vec::new());
        let mut around = Around::of(&stays);
        for place in 0..stays.barred.len() {
            let parts = around.parts(place);
            node_of.extend(parts.part_of.iter().map(|part| count as u32 + part));
            count += parts.count;
            left.extend(parts.left.iter().map(|&change| (place, change)));
        }
        for &(place, value) in &excluded {
            node_of[place * stays.values + usize::from(value)] = NOWHERE;
        }
        Nodes { node_of: Arc::new(node_of), count, left, stays, excluded }
    }
}

/// The mover's values divided into parts between which it changes at will: strongly connected components.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Divided {
    /// The part of each value. Parts are numbered as their first values come.
    pub part_of: Vec<u32>,
    pub count: usize,
    /// The changes from one part to another.
    pub left: Vec<Change>,
}

impl Divided {
    fn of(values: usize, changes: &[Change]) -> Divided {
        let part_of = components(values, changes);
        let is_left = |&(before, after): &Change| part_of[usize::from(before)] != part_of[usize::from(after)];
        let left = changes.iter().copied().filter(is_left).collect();
        Divided::numbered(part_of, left)
    }

    fn numbered(mut part_of: Vec<u32>, left: Vec<Change>) -> Divided {
        let mut numbers = vec![u32::MAX; part_of.len() + 1];
        let mut count = 0;
        for part in &mut part_of {
            let number = &mut numbers[*part as usize];
            if *number == u32::MAX {
                *number = count;
                count += 1;
            }
            *part = *number;
        }
        Divided { part_of, count: count as usize, left }
    }
}

/// Divides the values beside a token at a place, for one place after another.
///
/// In an open room, a token bars only its own cell to the mover, and all that could go through this cell goes around it.
/// Then the parts are those without a token, except that the cell is a part of its own. Only where that does not show
/// near the place, all changes are looked at.
pub(super) struct Around<'a> {
    stays: &'a Stays,
    forwards: Neighbours,
    backwards: Neighbours,
    /// The parts without a token.
    free: Divided,
    seen: Vec<bool>,
}

impl Around<'_> {
    pub fn of(stays: &Stays) -> Around<'_> {
        let changes = || stays.changes.iter().copied();
        Around {
            stays,
            forwards: Neighbours::new(stays.values, changes()),
            backwards: Neighbours::new(stays.values, changes().map(|(before, after)| (after, before))),
            free: Divided::of(stays.values, &stays.changes),
            seen: vec![false; stays.values],
        }
    }

    /// Returns the parts beside a token at a place.
    pub fn parts(&mut self, place: usize) -> Divided {
        if self.stays.barred[place].is_empty() {
            return self.free.clone();
        }
        match self.only_barred(place) {
            Some(barred) if self.is_passed_by(barred) => {
                let mut part_of = self.free.part_of.clone();
                part_of[usize::from(barred)] = part_of.len() as u32;
                let is_beside = |&(before, after): &Change| before != barred && after != barred;
                Divided::numbered(part_of, self.free.left.iter().copied().filter(is_beside).collect())
            }
            _ => Divided::of(self.stays.values, &self.stays.beside(place).collect::<Vec<_>>()),
        }
    }

    /// Returns the value all changes of which, and no others, a token at a place bars.
    fn only_barred(&self, place: usize) -> Option<Value> {
        let barred = || self.stays.barred(place);
        let (before, after) = barred().next()?;
        let is_only = |&value: &Value| {
            let all = self.forwards.of(value).len() + self.backwards.of(value).len();
            barred().count() == all && barred().all(|(before, after)| before == value || after == value)
        };
        [before, after].into_iter().find(is_only)
    }

    /// Returns whether near a value each change to it, followed by one from it, is replaced by others. So is a change
    /// from one part to another, which needs no other on the way.
    fn is_passed_by(&mut self, value: Value) -> bool {
        let part = |of: Value| self.free.part_of[usize::from(of)];
        let inside = |next_to: &[Value]| sorted(next_to.iter().copied().filter(|&of| part(of) == part(value)));
        let (to, from) = (inside(self.backwards.of(value)), inside(self.forwards.of(value)));
        let Some(&hub) = from.first() else { return true };
        reaches_all(&self.forwards, hub, value, &from, &mut self.seen)
            && reaches_all(&self.backwards, hub, value, &to, &mut self.seen)
    }
}

/// Returns whether all of some values are found from one of them, near it and without another one.
fn reaches_all(next_to: &Neighbours, hub: Value, without: Value, wanted: &[Value], seen: &mut [bool]) -> bool {
    let mut found = vec![hub];
    seen[usize::from(hub)] = true;
    let mut at = 0;
    let mut missing = wanted.iter().filter(|&&value| value != hub).count();
    while let (Some(&now), true) = (found.get(at), missing > 0 && found.len() < MOST_AROUND) {
        at += 1;
        for &next in next_to.of(now) {
            if next != without && !std::mem::replace(&mut seen[usize::from(next)], true) {
                found.push(next);
                missing -= usize::from(wanted.contains(&next));
            }
        }
    }
    found.into_iter().for_each(|value| seen[usize::from(value)] = false);
    missing == 0
}

/// Returns the number of the strongly connected component of each node (Kosaraju; Sharir 1981).
fn components(nodes: usize, edges: &[Change]) -> Vec<u32> {
    let forwards = Neighbours::new(nodes, edges.iter().copied());
    let backwards = Neighbours::new(nodes, edges.iter().map(|&(from, to)| (to, from)));
    let mut finished = Vec::with_capacity(nodes);
    let mut seen = vec![false; nodes];
    let mut stack: Vec<(Value, u32)> = Vec::new();
    for root in 0..nodes {
        if !std::mem::replace(&mut seen[root], true) {
            stack.push((root as Value, 0));
        }
        while let Some((node, next)) = stack.pop() {
            match forwards.of(node).get(next as usize) {
                Some(&to) => {
                    stack.push((node, next + 1));
                    if !std::mem::replace(&mut seen[usize::from(to)], true) {
                        stack.push((to, 0));
                    }
                }
                None => finished.push(node),
            }
        }
    }
    let mut component = vec![u32::MAX; nodes];
    let mut count = 0;
    let mut stack: Vec<Value> = Vec::new();
    for root in finished.into_iter().rev() {
        if component[usize::from(root)] != u32::MAX {
            continue;
        }
        component[usize::from(root)] = count;
        stack.push(root);
        while let Some(node) = stack.pop() {
            for &from in backwards.of(node) {
                if component[usize::from(from)] == u32::MAX {
                    component[usize::from(from)] = count;
                    stack.push(from);
                }
            }
        }
        count += 1;
    }
    component
}

/// The nodes next to each node, in one list.
struct Neighbours {
    /// The end of each node's part of the list.
    ends: Vec<u32>,
    list: Vec<Value>,
}

impl Neighbours {
    fn new(nodes: usize, edges: impl Iterator<Item = Change> + Clone) -> Neighbours {
        let mut ends = vec![0; nodes + 1];
        edges.clone().for_each(|(from, _)| ends[usize::from(from) + 1] += 1);
        for node in 0..nodes {
            ends[node + 1] += ends[node];
        }
        let mut list = vec![0; ends[nodes] as usize];
        // The start of each part moves to its end, while the part is filled.
        for (from, to) in edges {
            let at = &mut ends[usize::from(from)];
            list[*at as usize] = to;
            *at += 1;
        }
        Neighbours { ends, list }
    }

    fn of(&self, node: Value) -> &[Value] {
        let node = usize::from(node);
        let first = node.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.list[first as usize..self.ends[node] as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::SplitMix64;

    /// A room with walls, a wrap around its edge, and some ways in one direction only.
    fn room(side: usize, random: &mut SplitMix64) -> Stays {
        let is_wall: Vec<bool> = (0..side * side).map(|_| random.below(5) == 0).collect();
        let mut changes = Vec::new();
        for cell in (0..side * side).filter(|&cell| !is_wall[cell]) {
            for next in [(cell + 1) % (side * side), (cell + side) % (side * side)] {
                if !is_wall[next] && next != cell {
                    let ways = random.below(12);
                    let (cell, next) = (cell as Value, next as Value);
                    changes.extend((ways != 0).then_some((cell, next)));
                    changes.extend((ways != 1).then_some((next, cell)));
                    changes.extend((ways == 2).then_some((next, cell)));
                }
            }
        }
        let mut barred = vec![Vec::new(); side * side];
        for (number, &(before, after)) in (0..).zip(&changes) {
            barred[usize::from(before)].push(number);
            // A few tokens bar other ways than those of their own cells, or less.
            let at = if random.below(40) == 0 { random.below((side * side) as u64) as usize } else { after.into() };
            barred[at].push(number);
        }
        barred.iter_mut().for_each(|numbers| numbers.dedup());
        Stays { values: side * side, changes, barred }
    }

    #[test]
    fn parts_around_a_token_are_those_of_a_search_of_everything() {
        let mut random = SplitMix64::new(1);
        let mut near = 0;
        for side in [3, 4, 6, 9, 14] {
            for _ in 0..40 {
                let stays = room(side, &mut random);
                let mut around = Around::of(&stays);
                for place in 0..side * side {
                    let all = Divided::of(stays.values, &stays.beside(place).collect::<Vec<_>>());
                    assert_eq!(around.parts(place), all, "{:?} beside {place}", stays.changes);
                    let only = around.only_barred(place);
                    near += usize::from(only.is_some_and(|value| around.is_passed_by(value)));
                }
            }
        }
        assert!(near > 1000, "{near} places were decided by what is near them");
    }
}
