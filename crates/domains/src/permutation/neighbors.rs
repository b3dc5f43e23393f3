//! The ranks of all neighbours, computed fast for consecutive ranks.
//!
//! A rank consists of a head (the leading digits) and a tail (the last ones). The tail after a move depends on the tail
//! and on the set of blocks that the head occupies, but not on their order: few enough cases for a table. The head
//! after each move is cached from one rank to the next. So a neighbour takes one table look-up and one addition.

use super::images::Place;
use super::model::Model;
use super::patterns::build::Entries;
use super::ranking::{Digit, MOST_MEMBERS, Ranking, binomial, choose, combination};
use std::sync::Arc;

/// The greatest number of entries of the table.
const MOST_ENTRIES: u64 = 1 << 22;

/// The moves of a puzzle, as maps between ranks.
pub(super) struct Neighbors {
    pub ranking: Ranking,
    /// The ranks of the solved arrangements.
    goals: Vec<u64>,
    images: Vec<Vec<Place>>,
    /// The tail after a move, indexed by the set of blocks that the head occupies, the tail and the move. Empty if it
    /// would be too large.
    tails: Arc<[u16]>,
}

/// The tables of tails of several patterns of a puzzle: patterns of as many pieces of a kind share one.
#[derive(Default)]
pub(super) struct Tails(Vec<(Vec<Digit>, Arc<[u16]>)>);

/// The state that is cached between consecutive ranks.
pub(super) struct Cursor {
    head: u64,
    /// The row of the table for the blocks that the head occupies.
    row: usize,
    places: [Place; MOST_MEMBERS],
    /// For each move, the rank of the head after it, with a tail of 0, and the blocks that it then occupies.
    moved: Vec<u64>,
    occupied: Vec<u64>,
}

impl Cursor {
    pub fn new() -> Cursor {
        Cursor { head: u64::MAX, row: 0, places: [0; MOST_MEMBERS], moved: Vec::new(), occupied: Vec::new() }
    }
}

impl Neighbors {
    pub fn new(ranking: Ranking, model: &Model, known: &mut Tails) -> Neighbors {
        let images = model.moves.iter().map(|each_move| each_move.image.clone()).collect();
        let goals = model.goals().map(|goal| ranking.rank(|member| usize::from(goal[member]))).collect();
        let mut neighbors = Neighbors { ranking, goals, images, tails: Arc::default() };
        let ranking = &neighbors.ranking;
        let (blocks, occupied) = ranking.head_blocks();
        let sets = choose(blocks, occupied);
        let entries = sets.saturating_mul(neighbors.images.len() as u64).saturating_mul(ranking.tail_size);
        if entries <= MOST_ENTRIES && entries <= ranking.size.saturating_mul(neighbors.images.len() as u64) {
            let (_, tail) = ranking.head_and_tail();
            let found = known.0.iter().find(|(digits, _)| digits[..] == *tail).map(|(_, tails)| Arc::clone(tails));
            neighbors.tails = found.unwrap_or_else(|| {
                let tails: Arc<[u16]> = (0..sets).flat_map(|set| neighbors.moved_tails(set)).collect();
                known.0.push((tail.to_vec(), Arc::clone(&tails)));
                tails
            });
        }
        neighbors
    }

    /// Returns the tail after a move, indexed by the tail and the move, for a head that occupies a set of blocks.
    fn moved_tails(&self, set: u64) -> Vec<u16> {
        let Neighbors { ranking, images, .. } = self;
        let (blocks, count) = ranking.head_blocks();
        let (_, tail) = ranking.head_and_tail();
        let set = combination(set, blocks, count);
        let occupied = set.iter().fold(0, |occupied, &block| occupied | 1_u64 << block);
        let size = ranking.tail_size;
        let mut tails = vec![0; images.len() * size as usize];
        let mut placements = vec![[0; MOST_MEMBERS]; size as usize];
        (0..).zip(&mut placements).for_each(|(number, places)| ranking.unrank_from(occupied, tail, number, places));
        let mut landing = vec![(0, 0); images.first().map_or(0, Vec::len)];
        for (at, image) in images.iter().enumerate() {
            let moved = tail.first().map_or(0, |digit| digit.moved(occupied, image));
            let is_single = ranking.has_single_tail();
            if is_single {
                ranking.land(moved, image, &mut landing);
            }
            for (places, row) in placements.iter().zip(tails.chunks_mut(images.len().max(1))) {
                let place = |member: usize| usize::from(image[usize::from(places[member])]);
                row[at] = match is_single {
                    true => ranking.rank_tail(&landing, places),
                    false => ranking.rank_from((0, moved), tail, place).0,
                } as u16;
            }
        }
        tails
    }

    /// Calls `neighbor` with the rank after each move, until it returns true.
    #[inline]
    pub fn visit(&self, at: &mut Cursor, number: u64, mut neighbor: impl FnMut(u64) -> bool) {
        let size = self.ranking.tail_size;
        let (head, tail) = (number / size, number % size);
        if at.head != head {
            self.move_to(at, head);
        }
        if self.tails.is_empty() {
            return self.visit_without_table(at, tail, neighbor);
        }
        let row = &self.tails[at.row + tail as usize * self.images.len()..];
        for (&moved, &tail) in at.moved.iter().zip(row) {
            if neighbor(moved + u64::from(tail)) {
                break;
            }
        }
    }

    fn move_to(&self, at: &mut Cursor, head: u64) {
        let Neighbors { ranking, images, .. } = self;
        let (digits, _) = ranking.head_and_tail();
        at.head = head;
        ranking.unrank_from(0, digits, head, &mut at.places);
        let places = &at.places;
        let occupied = ranking.rank_from((0, 0), digits, |member| usize::from(places[member])).1;
        at.moved.clear();
        at.occupied.clear();
        for image in images {
            let place = |member: usize| usize::from(image[usize::from(places[member])]);
            let (number, occupied) = ranking.rank_from((0, 0), digits, place);
            at.moved.push(number * ranking.tail_size);
            at.occupied.push(occupied);
        }
        let (_, count) = ranking.head_blocks();
        let blocks = (0..64_usize).filter(|block| count > 0 && occupied >> block & 1 == 1);
        let set: u64 = blocks.zip(1..).map(|(block, number)| binomial(block, number)).sum();
        at.row = set as usize * images.len() * ranking.tail_size as usize;
    }

    #[cold]
    fn visit_without_table(&self, at: &mut Cursor, tail: u64, mut neighbor: impl FnMut(u64) -> bool) {
        let Neighbors { ranking, images, .. } = self;
        let (head, digits) = ranking.head_and_tail();
        let occupied = ranking.rank_from((0, 0), head, |member| usize::from(at.places[member])).1;
        ranking.unrank_from(occupied, digits, tail, &mut at.places);
        for (image, (&moved, &occupied)) in images.iter().zip(at.moved.iter().zip(&at.occupied)) {
            let place = |member: usize| usize::from(image[usize::from(at.places[member])]);
            if neighbor(moved + ranking.rank_from((0, occupied), digits, place).0) {
                break;
            }
        }
    }
}

impl Entries for Neighbors {
    type Cursor = Cursor;

    fn size(&self) -> u64 {
        self.ranking.size
    }

    fn goals(&self) -> Vec<u64> {
        self.goals.clone()
    }

    fn what(&self) -> String {
        format!("pattern database of {} members", self.ranking.members.len())
    }

    fn cursor(&self) -> Cursor {
        Cursor::new()
    }

    #[inline]
    fn visit(&self, at: &mut Cursor, number: u64, neighbor: impl FnMut(u64) -> bool) {
        Neighbors::visit(self, at, number, neighbor);
    }
}
