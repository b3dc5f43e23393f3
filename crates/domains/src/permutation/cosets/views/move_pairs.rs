//! Looking two moves ahead. Most nodes of IDA* are leaves: after each of their moves, some view has a value above the
//! threshold. Such children need not be generated: the values after each pair of moves, the move to the child and one of
//! its own, show that they are leaves. The pairs are looked up together, first in one view, then those that are left in
//! the next. So the processor waits for the entries of some hundred pairs at the same time, not for those of a dozen moves.

use super::super::Coordinate;
use super::super::choose::MOST_VIEWS;
use super::super::dual::{Dual, Homes};
use super::{Ahead, MOST_AHEAD, Views, moves_of};

/// The greatest number of pairs that are looked up together.
const MOST_PAIRS: usize = 192;

/// Pairs of moves, one made after the other.
pub(super) struct MovePairs {
    count: usize,
    moves: [[u8; 2]; MOST_PAIRS],
    /// The entries to look up.
    entries: [u64; MOST_PAIRS],
    /// The first moves of which the pairs with all moves that a search makes next were looked at, as a set of bits.
    first_moves: u32,
}

impl Default for MovePairs {
    fn default() -> MovePairs {
        MovePairs { count: 0, moves: [[0; 2]; MOST_PAIRS], entries: [0; MOST_PAIRS], first_moves: 0 }
    }
}

impl MovePairs {
    #[inline]
    fn push(&mut self, first: usize, second: usize, entry: u64) {
        self.moves[self.count] = [first as u8, second as u8];
        self.entries[self.count] = entry;
        self.count += 1;
    }

    /// Returns the moves of a pair.
    #[inline]
    fn moves(&self, number: usize) -> (usize, usize) {
        let [first, second] = self.moves[number];
        (first.into(), second.into())
    }

    /// Returns the first moves of the pairs, as a set of bits.
    fn first_moves_left(&self) -> u32 {
        self.moves[..self.count].iter().fold(0, |set, pair| set | 1 << pair[0])
    }

    /// Leaves out pairs, by their number.
    #[inline]
    fn retain(&mut self, stays: impl Fn(&MovePairs, usize) -> bool) {
        let mut count = 0;
        for number in 0..self.count {
            let stays = stays(self, number);
            (self.moves[count], self.entries[count]) = (self.moves[number], self.entries[number]);
            count += usize::from(stays);
        }
        self.count = count;
    }
}

impl Views {
    /// Looks two moves ahead if some view has the greatest value that is not too great after a move: leaves out moves that
    /// are left after which no next move takes all views of the position nearer. The pairs are then those left.
    #[inline(never)]
    pub(super) fn look_further(&self, views: &[Coordinate; MOST_VIEWS], ahead: &mut Ahead, pairs: &mut MovePairs) {
        let count = self.cosets.chosen.choice.views.len();
        let tight = ahead.left & ahead.tight[..count].iter().fold(0, |any, set| any | set);
        // Moves beyond the first `MOST_AHEAD` have no bit in the sets, so their pairs would be missing.
        if tight == 0 || ahead.enough == 0 || self.cosets.moves > MOST_AHEAD {
            return;
        }
        let enough = ahead.enough - 1;
        let mut nodes = [(0, Coordinate::default()); MOST_AHEAD];
        for first in moves_of(ahead.left) {
            let slot = (0..count).find(|&slot| ahead.tight[slot] >> first & 1 == 1).unwrap_or_default();
            nodes[first] = (slot, self.cosets.after(views[slot], first as u16));
        }
        self.cosets.leading.fetch(moves_of(ahead.left).map(|first| nodes[first].1.class));
        for first in moves_of(ahead.left) {
            let (_, node) = &mut nodes[first];
            node.h = self.value(self.held(self.cosets.entry(node)), node.h.saturating_sub(1));
        }
        let least = |pairs: &MovePairs, number: usize| nodes[pairs.moves(number).0].1.h.saturating_sub(1);
        for first in moves_of(ahead.left) {
            if pairs.count + MOST_AHEAD > MOST_PAIRS {
                self.look_up_pairs(pairs, enough, least);
            }
            if pairs.count + MOST_AHEAD > MOST_PAIRS {
                break;
            }
            // Its position may be solved.
            if nodes[first].1.h == 0 {
                continue;
            }
            let entry = self.cosets.entry_after(&nodes[first].1);
            let followers = self.cosets.followers[first] & !self.kept_too_far(ahead, first);
            moves_of(followers).for_each(|second| pairs.push(first, second, entry(second)));
            pairs.first_moves |= 1 << first;
        }
        self.look_up_pairs(pairs, enough, least);
        for other in 1..count {
            let mut after = [Coordinate::default(); MOST_PAIRS];
            for (number, node) in after.iter_mut().enumerate().take(pairs.count) {
                let (first, _) = pairs.moves(number);
                let slot = if nodes[first].0 == other { 0 } else { other };
                *node = self.cosets.after(views[slot], first as u16);
            }
            self.cosets.leading.fetch(after[..pairs.count].iter().map(|node| node.class));
            for (number, node) in after.iter_mut().enumerate().take(pairs.count) {
                node.h = self.value(self.held(self.cosets.entry(node)), node.h.saturating_sub(1));
                pairs.entries[number] = self.cosets.entry_after(node)(pairs.moves(number).1);
            }
            self.look_up_pairs(pairs, enough, |_, number| after[number].h.saturating_sub(1));
        }
        ahead.leave_out(pairs.first_moves & !pairs.first_moves_left());
    }

    /// Goes on with the pairs that are left: looks them up in the views of the inverse.
    #[inline(never)]
    pub(super) fn look_further_back(&self, dual: &Dual, homes: &Homes, ahead: &mut Ahead, pairs: &mut MovePairs) {
        let first_moves = pairs.first_moves & ahead.left;
        if first_moves == 0 {
            return;
        }
        let count = self.cosets.chosen.choice.views.len();
        pairs.retain(|pairs, number| {
            let (first, second) = pairs.moves(number);
            ahead.left >> first & 1 == 1 && self.kept_too_far(ahead, first) >> second & 1 == 0
        });
        for view in 0..count {
            let (mut coarse_entries, mut least) = ([0; MOST_PAIRS], [0; MOST_PAIRS]);
            for (number, coarse_entry) in coarse_entries.iter_mut().enumerate().take(pairs.count) {
                let (first, second) = pairs.moves(number);
                let homes = dual.moved(homes, first);
                (pairs.entries[number], *coarse_entry) = self.dual_entries(dual, &homes, view, second);
            }
            if let Some(coarse) = &self.coarse {
                let pairs = coarse_entries[..pairs.count].iter().zip(&mut least);
                pairs.for_each(|(&entry, least)| *least = coarse.table.entry(entry));
            }
            self.look_up_pairs(pairs, ahead.enough - 1, |_, number| least[number]);
        }
        ahead.leave_out(first_moves & !pairs.first_moves_left());
    }

    /// Returns the second moves after which the inverse is known to be too far away: those of a subgroup leave it as far away
    /// as it is.
    #[inline]
    fn kept_too_far(&self, ahead: &Ahead, first: usize) -> u32 {
        let Some(dual) = &self.cosets.dual else { return 0 };
        let tight =
            (0..self.cosets.chosen.choice.views.len()).filter(|&view| ahead.tight_duals[view] >> first & 1 == 1);
        tight.fold(0, |set, view| set | dual.kept(view))
    }

    /// Leaves out pairs after which the value is at least `enough`, given a lower bound for each, by its number.
    #[inline]
    fn look_up_pairs(&self, pairs: &mut MovePairs, enough: u32, least: impl Fn(&MovePairs, usize) -> u8) {
        let bytes = self.table.bytes();
        let mut held = [0; MOST_PAIRS];
        // All are fetched in a loop of nothing else: see `look_up`.
        for (held, &entry) in held.iter_mut().zip(&pairs.entries[..pairs.count]) {
            *held = bytes[self.packing.byte(entry)];
        }
        pairs.retain(|pairs, number| {
            let value = self.value(self.packing.unpack(held[number], pairs.entries[number]), least(pairs, number));
            u32::from(value) < enough
        });
    }
}

impl Ahead {
    /// Leaves out moves after which the goal is too far away, though no value is.
    fn leave_out(&mut self, moves: u32) {
        let too_great = self.enough.min(u8::MAX.into()) as u8;
        moves_of(moves).for_each(|next| self.h[next] = too_great);
        self.left &= !moves;
    }
}
