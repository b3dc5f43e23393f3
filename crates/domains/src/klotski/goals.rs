//! Every position that is a goal: the pieces that a goal names where it wants them, and the others in all ways that
//! are left.

use super::bits::{Bits, Holds, Packed};
use super::space::BlockSpace;

/// Looks for positions take at most so many steps for each that may be found.
const STEPS: usize = 16;

/// The search for positions.
struct Listing<'a, B, K> {
    space: &'a BlockSpace<B, K>,
    at_most: usize,
    steps: usize,
    found: Vec<K>,
}

/// A position that grows piece by piece.
#[derive(Clone)]
struct Partial<B, K> {
    key: K,
    free: B,
    /// By class: the anchors that are taken.
    anchors: Vec<B>,
}

/// There are too many.
struct TooMany;

impl<B: Bits, K: Packed> BlockSpace<B, K> {
    /// The goals, reachable or not, some perhaps several times; none where they are more than this many.
    pub(super) fn list_goals(&self, at_most: usize) -> Option<Vec<K>> {
        let mut listing = Listing { space: self, at_most, steps: 0, found: Vec::new() };
        let empty = Partial {
            key: self.nothing(),
            free: self.pieces.floor,
            anchors: vec![B::EMPTY; self.pieces.classes.len()],
        };
        let listed = self.goals.iter().try_for_each(|goal| listing.demanded(goal, &empty));
        listed.is_ok().then_some(listing.found)
    }
}

impl<B: Bits, K: Packed> Listing<'_, B, K> {
    /// Puts a piece where each demand wants one, in every way.
    fn demanded(&mut self, demands: &[Vec<Holds>], partial: &Partial<B, K>) -> Result<(), TooMany> {
        let Some((demand, rest)) = demands.split_first() else {
            return self.class(0, partial);
        };
        for held in demand {
            if let Some(with) = self.with(partial, held.class, held.anchor.into()) {
                self.demanded(rest, &with)?;
            }
        }
        Ok(())
    }

    /// Puts down what is left of the classes from this one on, in every way.
    fn class(&mut self, class: usize, partial: &Partial<B, K>) -> Result<(), TooMany> {
        match self.space.pieces.classes.get(class) {
            None => {
                self.found.push(partial.key.clone());
                if self.found.len() > self.at_most { Err(TooMany) } else { Ok(()) }
            }
            Some(of) => {
                let standing = partial.anchors[class].count();
                let Some(left) = of.count.checked_sub(standing as usize) else { return Ok(()) };
                self.pieces(class, left, of.placements, partial)
            }
        }
    }

    /// Puts down so many pieces of a class, in every way, on these anchors or after them.
    fn pieces(&mut self, class: usize, left: usize, on: B, partial: &Partial<B, K>) -> Result<(), TooMany> {
        self.steps += 1;
        if self.steps > self.at_most.saturating_mul(STEPS) {
            return Err(TooMany);
        }
        if left == 0 {
            return self.class(class + 1, partial);
        }
        let mut possible = self.space.pieces.classes[class].shape.fit(on, partial.free);
        // As many places have to be left as pieces.
        for _ in left..=possible.count() as usize {
            let anchor = possible.first();
            possible = possible.without_first();
            if let Some(with) = self.with(partial, class as u16, anchor) {
                self.pieces(class, left - 1, possible, &with)?;
            }
        }
        Ok(())
    }

    /// The position with one piece more, if there is room.
    fn with(&self, partial: &Partial<B, K>, class: u16, anchor: u32) -> Option<Partial<B, K>> {
        let of = &self.space.pieces.classes[usize::from(class)];
        let single = B::single(anchor);
        if of.shape.fit(single, partial.free) == B::EMPTY {
            return None;
        }
        let mut with = partial.clone();
        with.free = with.free & !of.shape.cover(single);
        with.anchors[usize::from(class)] = with.anchors[usize::from(class)] | single;
        of.field.put(&mut with.key, anchor);
        Some(with)
    }
}
