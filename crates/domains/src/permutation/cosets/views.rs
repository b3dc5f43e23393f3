//! The heuristic: a pattern of colours with its table. `move_pairs` looks two moves ahead.

mod move_pairs;

use super::choose::MOST_VIEWS;
use super::dual::{Dual, Homes, MOST_HOMES};
use super::rest::Rest;
use super::thirds;
use super::{Coordinate, Cosets, PER_BYTE};
use crate::domain::table::Table;
use crate::permutation::patterns::Guide;
use move_pairs::MovePairs;
use std::sync::Arc;

/// A pattern of colours with its table.
pub(in super::super) struct Views {
    pub cosets: Arc<Cosets>,
    pub table: Arc<Table>,
    /// The pattern that this one refines, if it does. Then the table has distances [modulo 3](thirds).
    pub coarse: Option<Coarse>,
    packing: Packing,
}

/// How a table packs its entries: the binary logarithm of how many are in a byte.
#[derive(Clone, Copy)]
struct Packing(u32);

impl Packing {
    #[inline]
    fn byte(self, entry: u64) -> usize {
        (entry >> self.0) as usize
    }

    /// Returns the entry in its byte.
    #[inline]
    fn unpack(self, byte: u8, entry: u64) -> u8 {
        let bits = 8 >> self.0;
        let number = entry as u32 & ((1 << self.0) - 1);
        (u32::from(byte) >> (number * bits) & ((1 << bits) - 1)) as u8
    }
}

/// A coarse pattern with its table. Each of its values is a lower bound for the finer pattern.
pub(in super::super) struct Coarse {
    pub table: Arc<Table>,
    /// For each first number of the rest in the finer pattern, the coarse arrangement.
    rest: Arc<Vec<u32>>,
    /// The number of entries for each class of the leading orbit.
    stride: u64,
}

/// The numbers of a state in each view, those with the greatest values first.
#[derive(Clone, Copy)]
pub(in super::super) struct Memo {
    views: [Coordinate; MOST_VIEWS],
    /// For each of the first moves that searches make next, a lower bound after it, beyond what the state may have only if
    /// some view has such a value, or if each move that searches make then leads to one; 0 for other moves. Looked up
    /// together, they wait for memory at the same time.
    ahead: [u8; MOST_AHEAD],
    /// Where the labels are that determine the inverse.
    homes: Homes,
    /// The value of the inverse in each view.
    duals: [u8; MOST_VIEWS],
}

/// Look-ups for several moves, by the move: the entries of a view, those of the coarse pattern, a lower bound for each, and
/// the bytes of the table.
#[derive(Default)]
struct LookedUp {
    entries: [u64; MOST_AHEAD],
    coarse: [u64; MOST_AHEAD],
    least: [u8; MOST_AHEAD],
    held: [u8; MOST_AHEAD],
}

/// The moves that come next.
struct Ahead {
    /// The least value that is too great after a move.
    enough: u32,
    /// The moves after which no value is known to be too great, as a set of bits.
    left: u32,
    /// As of [`Memo`].
    h: [u8; MOST_AHEAD],
    /// For each view of the position, the moves after which its value is the greatest one that is not too great.
    tight: [u32; MOST_VIEWS],
    /// The same for each view of the inverse.
    tight_duals: [u32; MOST_VIEWS],
}

/// The greatest number of moves that are looked up together.
const MOST_AHEAD: usize = u32::BITS as usize;

/// The number of views after the first that are looked up together.
const VIEWS_TOGETHER: usize = 2;

impl Views {
    pub fn new(cosets: Arc<Cosets>, table: Arc<Table>) -> Views {
        let packing = Packing(u32::from(table.nibbles()));
        Views { cosets, table, coarse: None, packing }
    }

    /// Returns the views of a pattern that refines a coarse one, with what [`Cosets::refined`] returns.
    pub fn finer(cosets: Arc<Cosets>, table: Arc<Table>, rest: Arc<Vec<u32>>, coarse: Arc<Table>) -> Views {
        let stride = rest.iter().max().map_or(1, |&last| u64::from(last) + 1);
        let packing = Packing(PER_BYTE.ilog2());
        Views { cosets, table, coarse: Some(Coarse { table: coarse, rest, stride }), packing }
    }

    /// Returns what the table holds for an entry.
    #[inline]
    fn held(&self, entry: u64) -> u8 {
        self.packing.unpack(self.table.bytes()[self.packing.byte(entry)], entry)
    }

    /// Returns the value of what the table [holds](Self::held), given a lower bound that is at most 2 less.
    #[inline]
    fn value(&self, held: u8, least: u8) -> u8 {
        if self.coarse.is_some() { thirds::at_least(held, least) } else { held }
    }

    /// Returns the value of a position that does not follow another one.
    fn distance(&self, mut at: Coordinate) -> u8 {
        let entry = |at: &Coordinate| self.cosets.entry(at);
        let third = |at: &Coordinate| self.held(entry(at));
        if self.coarse.is_none() {
            return third(&at);
        }
        let mut distance = 0;
        // The solved arrangement has the first entry.
        while entry(&at) != 0 {
            let wanted = (third(&at) + 2) % 3;
            let mut next = (0..self.cosets.moves as u16).map(|each_move| self.cosets.after(at, each_move));
            let Some(nearer) = next.find(|next| third(next) == wanted) else { break };
            at = nearer;
            distance += 1;
        }
        distance
    }

    /// Returns the memo of a position, given its number in each view, the values of its inverse, the last move, and the
    /// greatest value that the position may have.
    #[inline]
    fn remember(
        &self,
        mut views: [Coordinate; MOST_VIEWS],
        (homes, duals): (Homes, [u8; MOST_VIEWS]),
        (last, enough): (usize, u32),
    ) -> Memo {
        let count = self.cosets.chosen.choice.views.len();
        for place in 0..count.min(2) {
            let greatest = (place + 1..count)
                .fold(place, |greatest, view| if views[view].h > views[greatest].h { view } else { greatest });
            views.swap(place, greatest);
        }
        let mut ahead = Ahead {
            enough,
            left: self.cosets.followers[last],
            h: [0; MOST_AHEAD],
            tight: [0; MOST_VIEWS],
            tight_duals: [0; MOST_VIEWS],
        };
        if let Some(dual) = &self.cosets.dual {
            // A move of the subgroup leaves the inverse as far away as it is.
            for (view, &h) in duals[..count].iter().enumerate() {
                let kept = ahead.left & dual.kept(view);
                if u32::from(h) >= enough {
                    moves_of(kept).for_each(|next| ahead.h[next] = h);
                    ahead.left &= !kept;
                } else if u32::from(h) + 1 == enough {
                    ahead.tight_duals[view] = kept;
                }
            }
        }
        let mut looked_up = LookedUp::default();
        for (slot, view) in views[..count].iter().enumerate() {
            // A move changes a value by one at most.
            if u32::from(view.h) + 1 < enough {
                continue;
            }
            let entry = self.cosets.entry_after(view);
            for next in moves_of(ahead.left) {
                (looked_up.entries[next], looked_up.least[next]) = (entry(next), view.h.saturating_sub(1));
            }
            ahead.tight[slot] = self.look_up(&mut ahead, &mut looked_up);
        }
        let mut pairs = MovePairs::default();
        self.look_further(&views, &mut ahead, &mut pairs);
        let Some(dual) = self.cosets.dual.as_ref() else { return Memo { views, ahead: ahead.h, homes, duals } };
        for view in in_order(&duals[..count]) {
            let kept = ahead.left & dual.kept(view);
            ahead.left &= !kept;
            for next in moves_of(ahead.left) {
                (looked_up.entries[next], looked_up.coarse[next]) = self.dual_entries(dual, &homes, view, next);
            }
            for next in moves_of(ahead.left) {
                looked_up.least[next] =
                    self.coarse.as_ref().map_or(0, |coarse| coarse.table.entry(looked_up.coarse[next]));
            }
            let tight = self.look_up(&mut ahead, &mut looked_up);
            ahead.tight_duals[view] = tight | if u32::from(duals[view]) + 1 == enough { kept } else { 0 };
            ahead.left |= kept;
        }
        self.look_further_back(dual, &homes, &mut ahead, &mut pairs);
        Memo { views, ahead: ahead.h, homes, duals }
    }

    /// Looks up the entries after the moves that are left, and leaves out those after which the value is too great. Returns
    /// the moves after which it is the greatest one that is not.
    #[inline]
    fn look_up(&self, ahead: &mut Ahead, of: &mut LookedUp) -> u32 {
        let followers = std::mem::take(&mut ahead.left);
        let bytes = self.table.bytes();
        // All are fetched before one is looked at, and in a loop of nothing else: so the processor waits for all
        // at the same time.
        moves_of(followers).for_each(|next| of.held[next] = bytes[self.packing.byte(of.entries[next])]);
        let mut tight = 0;
        for next in moves_of(followers) {
            let value = self.value(self.packing.unpack(of.held[next], of.entries[next]), of.least[next]);
            let h = value.max(ahead.h[next]);
            ahead.h[next] = h;
            ahead.left |= u32::from(u32::from(h) < ahead.enough) << next;
            tight |= u32::from(u32::from(value) + 1 == ahead.enough) << next;
        }
        tight
    }

    /// Returns the entry of the inverse after a move, in a view, and that in the table of the coarse pattern.
    #[inline]
    fn dual_entries(&self, dual: &Dual, homes: &Homes, view: usize, each_move: usize) -> (u64, u64) {
        let (class, rest) = self.cosets.dual_number(dual, homes, view, each_move);
        let of_coarse = |coarse: &Coarse| u64::from(class) * coarse.stride + u64::from(coarse.rest[Rest::outer(rest)]);
        (self.cosets.number(class, rest), self.coarse.as_ref().map_or(0, of_coarse))
    }

    /// Returns the values of the inverse after a move, given those before it.
    ///
    /// # Errors
    /// A value that exceeds `enough`.
    #[inline]
    fn duals_after(
        &self,
        homes: &Homes,
        before: &[u8; MOST_VIEWS],
        each_move: usize,
        enough: u32,
    ) -> Result<[u8; MOST_VIEWS], u8> {
        let mut values = *before;
        let Some(dual) = &self.cosets.dual else { return Ok(values) };
        let count = self.cosets.chosen.choice.views.len();
        let is_kept = |view: usize| dual.kept(view).checked_shr(each_move as u32).is_some_and(|kept| kept & 1 == 1);
        let entries: [(u64, u64); MOST_VIEWS] = std::array::from_fn(|view| match view < count && !is_kept(view) {
            true => self.dual_entries(dual, homes, view, each_move),
            false => (0, 0),
        });
        for (view, value) in values[..count].iter_mut().enumerate() {
            if !is_kept(view) {
                let (entry, coarse_entry) = entries[view];
                let least = self.coarse.as_ref().map_or(0, |coarse| coarse.table.entry(coarse_entry));
                *value = self.value(self.held(entry), least);
            }
            if u32::from(*value) > enough {
                return Err(*value);
            }
        }
        Ok(values)
    }
}

/// Returns the views, the first one of those with the greatest value first.
#[inline]
fn in_order(values: &[u8]) -> impl Iterator<Item = usize> {
    let first = (1..values.len()).fold(0, |first, view| if values[view] > values[first] { view } else { first });
    std::iter::once(first).chain((0..values.len()).filter(move |&view| view != first))
}

/// Returns the moves of a set.
#[inline]
fn moves_of(mut set: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let next = set.trailing_zeros();
        set &= set.wrapping_sub(1);
        (next < u32::BITS).then_some(next as usize)
    })
}

impl Guide for Views {
    type Memo = Memo;

    fn table_bytes(&self) -> u64 {
        let coarse = |coarse: &Coarse| (coarse.table.bytes().len() + coarse.rest.len() * size_of::<u32>()) as u64;
        self.table.bytes().len() as u64 + self.cosets.bytes() + self.coarse.as_ref().map_or(0, coarse)
    }

    fn memo(&self, place: impl Fn(usize) -> usize) -> Memo {
        let position = self.cosets.position(place);
        let mut views = [Coordinate::default(); MOST_VIEWS];
        for (coordinate, &symmetry) in views.iter_mut().zip(&self.cosets.chosen.choice.views) {
            *coordinate = self.cosets.coordinate(&position, symmetry);
            coordinate.h = self.distance(*coordinate);
        }
        let dual = self.cosets.dual.as_ref();
        let homes = dual.map_or([0; MOST_HOMES], |dual| dual.homes(&position));
        // No move is the last one of the tables.
        let duals = self.duals_after(&homes, &[0; MOST_VIEWS], self.cosets.moves, u32::MAX);
        let duals = duals.expect("none exceeds the greatest number");
        self.remember(views, (homes, duals), (self.cosets.moves, 0))
    }

    fn h(&self, memo: &Memo, _place: impl Fn(usize) -> usize) -> u32 {
        u32::from(memo.duals.iter().fold(memo.views[0].h, |greatest, &h| greatest.max(h)))
    }

    fn moved(&self, memo: &Memo, each_move: u16) -> Memo {
        self.after(memo, each_move, u32::MAX, |_| 0).unwrap_or(*memo)
    }

    #[inline]
    fn after(&self, memo: &Memo, each_move: u16, enough: u32, _place: impl Fn(usize) -> usize) -> Result<Memo, u32> {
        let ahead = memo.ahead.get(usize::from(each_move)).copied();
        if let Some(h) = ahead.map(u32::from).filter(|&h| h > enough) {
            return Err(h);
        }
        let mut views = memo.views;
        let (first, others) = views[..self.cosets.chosen.choice.views.len()].split_at_mut(1);
        for views in std::iter::once(first).chain(others.chunks_mut(VIEWS_TOGETHER)) {
            for coordinate in &mut *views {
                *coordinate = self.cosets.after(*coordinate, each_move);
            }
            for coordinate in &mut *views {
                coordinate.h = self.value(self.held(self.cosets.entry(coordinate)), coordinate.h.saturating_sub(1));
            }
            if let Some(view) = views.iter().find(|view| u32::from(view.h) > enough) {
                return Err(u32::from(view.h));
            }
        }
        // The moves that come next read these rows, one view after the other.
        self.cosets.leading.fetch(views[..self.cosets.chosen.choice.views.len()].iter().map(|view| view.class));
        let duals = self.duals_after(&memo.homes, &memo.duals, usize::from(each_move), enough)?;
        let dual = self.cosets.dual.as_ref();
        let homes = dual.map_or(memo.homes, |dual| dual.moved(&memo.homes, usize::from(each_move)));
        Ok(self.remember(views, (homes, duals), (usize::from(each_move), enough)))
    }
}
