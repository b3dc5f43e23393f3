//! The heuristic: a pattern of colours with its table.

use super::choose::MOST_VIEWS;
use super::dual::{Homes, MOST_HOMES};
use super::thirds;
use super::{Coordinate, Cosets, PER_BYTE};
use crate::domain::table::Table;
use crate::permutation::patterns::Guide;
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
    /// For each arrangement of the rest in the finer pattern, the coarse one.
    rest: Arc<Vec<u32>>,
    /// The number of entries for each class of the leading orbit.
    stride: u64,
}

/// The numbers of a state in each view, those with the greatest values first.
#[derive(Clone, Copy)]
pub(in super::super) struct Memo {
    views: [Coordinate; MOST_VIEWS],
    /// For each of the first moves that searches make next, a lower bound after it: the value of the first view, or the
    /// greatest of the first ones if that is not enough; 0 for other moves. Looked up together, they wait for memory at the
    /// same time.
    ahead: [u8; MOST_AHEAD],
    /// Where the labels are that determine the inverse.
    homes: Homes,
    /// The greatest value of the inverse in any view, and the view that has it.
    dual: (u8, u8),
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

    /// Returns the memo of a position, given its number in each view, the last move, and the greatest value that the
    /// position may have.
    #[inline]
    fn remember(
        &self,
        mut views: [Coordinate; MOST_VIEWS],
        homes: Homes,
        dual: (u8, u8),
        (last, enough): (usize, u32),
    ) -> Memo {
        let count = self.cosets.chosen.choice.views.len();
        for place in 0..count.min(2) {
            let greatest = (place + 1..count)
                .fold(place, |greatest, view| if views[view].h > views[greatest].h { view } else { greatest });
            views.swap(place, greatest);
        }
        let bytes = self.table.bytes();
        let mut ahead = [0; MOST_AHEAD];
        let mut left = self.cosets.followers[last];
        for view in &views[..count] {
            let (entry, least) = (self.cosets.entry_after(view), view.h.saturating_sub(1));
            let followers = std::mem::take(&mut left);
            // All are fetched before one is looked at, and in a loop of nothing else: so the processor waits for all
            // at the same time.
            let (mut entries, mut held) = ([0; MOST_AHEAD], [0; MOST_AHEAD]);
            moves_of(followers).for_each(|next| entries[next] = entry(next));
            moves_of(followers).for_each(|next| held[next] = bytes[self.packing.byte(entries[next])]);
            for next in moves_of(followers) {
                let held = self.packing.unpack(held[next], entries[next]);
                ahead[next] = self.value(held, least).max(ahead[next]);
                left |= u32::from(u32::from(ahead[next]) < enough) << next;
            }
        }
        Memo { views, ahead, homes, dual }
    }

    /// Returns the greatest value of the inverse after a move, and the view that has it; the first one that exceeds
    /// `enough`, if there is one. The view that had the greatest value before comes first.
    #[inline]
    fn dual_after(&self, homes: &Homes, before: u8, each_move: usize, enough: u32) -> (u8, u8) {
        let Some(dual) = &self.cosets.dual else { return (0, 0) };
        let others = (0..self.cosets.chosen.choice.views.len() as u8).filter(|&view| view != before);
        let mut views = [before; MOST_VIEWS];
        let mut count = 1;
        for (view, other) in views[1..].iter_mut().zip(others) {
            (*view, count) = (other, count + 1);
        }
        let (first, others) = views[..count].split_at(1);
        let mut greatest = (0, before);
        for views in std::iter::once(first).chain(others.chunks(VIEWS_TOGETHER)) {
            let mut entries = [(0, 0); VIEWS_TOGETHER];
            for (entry, &view) in entries.iter_mut().zip(views) {
                let (class, rest) = self.cosets.dual_number(dual, homes, usize::from(view), each_move);
                let of_coarse =
                    |coarse: &Coarse| u64::from(class) * coarse.stride + u64::from(coarse.rest[rest as usize]);
                let coarse = self.coarse.as_ref().map_or(0, of_coarse);
                *entry = (u64::from(class) * self.cosets.stride + u64::from(rest), coarse);
            }
            let least = |coarse_entry| self.coarse.as_ref().map_or(0, |coarse| coarse.table.entry(coarse_entry));
            let values = entries.map(|(entry, coarse_entry)| self.value(self.held(entry), least(coarse_entry)));
            for (&h, &view) in values.iter().zip(views) {
                if h > greatest.0 {
                    greatest = (h, view);
                    if u32::from(h) > enough {
                        return greatest;
                    }
                }
            }
        }
        greatest
    }
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
        let greatest = self.dual_after(&homes, 0, self.cosets.moves, u32::MAX);
        self.remember(views, homes, greatest, (self.cosets.moves, 0))
    }

    fn h(&self, memo: &Memo, _place: impl Fn(usize) -> usize) -> u32 {
        u32::from(memo.views[0].h.max(memo.dual.0))
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
        let greatest = self.dual_after(&memo.homes, memo.dual.1, usize::from(each_move), enough);
        if u32::from(greatest.0) > enough {
            return Err(u32::from(greatest.0));
        }
        let dual = self.cosets.dual.as_ref();
        let homes = dual.map_or(memo.homes, |dual| dual.moved(&memo.homes, usize::from(each_move)));
        Ok(self.remember(views, homes, greatest, (usize::from(each_move), enough)))
    }
}
