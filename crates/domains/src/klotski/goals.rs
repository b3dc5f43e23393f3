//! Enumerates every goal position: the named pieces at their goals, and all placements of the others.

use super::bits::{AnchorTest, Bits, Packed};
use super::space::BlockSpace;

/// The greatest number of steps of the enumeration for each position that may be found.
const STEPS_FOR_EACH: usize = 16;

/// The greatest number of bytes of all positions found: on large boards with hundreds of pieces, each takes hundreds.
const MOST_BYTES: usize = 64 << 20;

/// An enumeration of positions.
struct Enumeration<'a, B, K> {
    space: &'a BlockSpace<B, K>,
    at_most: usize,
    steps: usize,
    found: Vec<K>,
}

/// A partial position, which grows piece by piece.
#[derive(Clone)]
struct Partial<B, K> {
    key: K,
    free: B,
    /// For each class, the anchors of its placed pieces.
    anchors: Vec<B>,
}

/// The error that there are too many positions.
struct TooMany;

impl<B: Bits, K: Packed> BlockSpace<B, K> {
    /// Returns the goals, reachable or not, possibly with repetitions, or `None` if there are more than `at_most`, or
    /// they would take more than [`MOST_BYTES`].
    pub(super) fn enumerate_goals(&self, at_most: usize) -> Option<Vec<K>> {
        let bytes_for_each = size_of::<K>() + self.empty_key().heap_bytes();
        let at_most = at_most.min(MOST_BYTES / bytes_for_each);
        let mut enumeration = Enumeration { space: self, at_most, steps: 0, found: Vec::new() };
        let empty = Partial {
            key: self.empty_key(),
            free: self.pieces.floor,
            anchors: vec![B::EMPTY; self.pieces.classes.len()],
        };
        let listed = self.goals.iter().try_for_each(|goal| enumeration.place_demands(goal, &empty));
        listed.is_ok().then_some(enumeration.found)
    }
}

impl<B: Bits, K: Packed> Enumeration<'_, B, K> {
    /// Places a piece for each demand, in every way.
    fn place_demands(&mut self, demands: &[Vec<AnchorTest>], partial: &Partial<B, K>) -> Result<(), TooMany> {
        let Some((demand, rest)) = demands.split_first() else {
            return self.place_class(0, partial);
        };
        for test in demand {
            if let Some(with) = self.with_piece(partial, test.class, test.anchor.into()) {
                self.place_demands(rest, &with)?;
            }
        }
        Ok(())
    }

    /// Places the remaining pieces of the classes from this one on, in every way.
    fn place_class(&mut self, class: usize, partial: &Partial<B, K>) -> Result<(), TooMany> {
        match self.space.pieces.classes.get(class) {
            None => {
                self.found.push(partial.key.clone());
                if self.found.len() > self.at_most { Err(TooMany) } else { Ok(()) }
            }
            Some(of) => {
                let standing = partial.anchors[class].count();
                let Some(left) = of.count.checked_sub(standing as usize) else { return Ok(()) };
                self.place_pieces(class, left, of.placements, partial)
            }
        }
    }

    /// Places `left` pieces of a class on some of the anchors `on`, in every way.
    fn place_pieces(&mut self, class: usize, left: usize, on: B, partial: &Partial<B, K>) -> Result<(), TooMany> {
        self.steps += 1;
        if self.steps > self.at_most.saturating_mul(STEPS_FOR_EACH) {
            return Err(TooMany);
        }
        if left == 0 {
            return self.place_class(class + 1, partial);
        }
        let mut possible = self.space.pieces.classes[class].shape.fit(on, partial.free);
        // At least as many anchors as pieces must remain.
        for _ in left..=possible.count() as usize {
            let anchor = possible.first();
            possible = possible.without_first();
            if let Some(with) = self.with_piece(partial, class as u16, anchor) {
                self.place_pieces(class, left - 1, possible, &with)?;
            }
        }
        Ok(())
    }

    /// Returns the position with one more piece, if its cells are free.
    fn with_piece(&self, partial: &Partial<B, K>, class: u16, anchor: u32) -> Option<Partial<B, K>> {
        let of = &self.space.pieces.classes[usize::from(class)];
        let single = B::single(anchor);
        if of.shape.fit(single, partial.free) == B::EMPTY {
            return None;
        }
        let mut with = partial.clone();
        with.free = with.free & !of.shape.cover(single);
        with.anchors[usize::from(class)] = with.anchors[usize::from(class)] | single;
        of.field.insert(&mut with.key, anchor);
        Some(with)
    }
}
