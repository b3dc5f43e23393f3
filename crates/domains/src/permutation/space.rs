//! The state space of permutation puzzles, for any representation, with or without pattern databases.
//!
//! Moves are ordered by generator as in the file, then by power. Depth-first searches prune two consecutive moves of
//! the same generator, since another one has the same effect, and try commuting generators in one order only.

use super::images::Place;
use super::model::Model;
use super::neighbors::{Cursor, Neighbors, Tails};
use super::patterns::{Guide, Patterns};
use super::ranking::Ranking;
use super::representation::{Packing, Representation};
use crate::space::{Facts, Guided, InPlace, Parts, PerfectIndex, StateSpace};
use std::collections::HashSet;
use std::ops::Range;
use std::sync::Arc;

/// The greatest number of ranks for each position of a perfect index. At three bits a rank, exploring then takes 24
/// bytes a position, as many as it takes by layers.
const MOST_RANKS: u64 = 64;

/// A move, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Action(pub u16);

/// An iterator over the moves: all of them are always legal.
pub(super) struct Actions(Range<u16>);

impl Iterator for Actions {
    type Item = Action;

    #[inline]
    fn next(&mut self) -> Option<Action> {
        self.0.next().map(Action)
    }
}

/// The last move, and how often it was made in a row.
#[derive(Clone, Copy)]
pub(super) struct Trail {
    last: u16,
    run: u16,
}

/// A permutation puzzle in one representation, with a heuristic.
pub(super) struct PermutationSpace<R: Representation, G = Patterns> {
    model: Arc<Model>,
    packing: Packing,
    images: Vec<R::Image>,
    /// For each move, its generator, the greatest number of times in a row, and its inverse.
    moves: Vec<(u16, u16, u16)>,
    /// The packed goal; `None` if the start is unsolvable.
    goal: Option<R::Key>,
    /// The other packed goals.
    others: HashSet<R::Key>,
    guide: G,
}

impl<R: Representation, G: Guide> PermutationSpace<R, G> {
    pub fn new(model: &Arc<Model>, guide: G) -> Self {
        let packing = Packing::new(model);
        let packed = |places: &Vec<Place>| R::pack(&R::board(places), &packing);
        let goal = model.solved.as_ref().map(packed);
        let others = model.others.iter().map(packed).filter(|other| goal.as_ref() != Some(other)).collect();
        PermutationSpace {
            images: model.moves.iter().map(|each_move| R::image(&each_move.image, &packing)).collect(),
            moves: model
                .moves
                .iter()
                .map(|each_move| (each_move.generator, each_move.run, each_move.inverse))
                .collect(),
            goal,
            others,
            packing,
            guide,
            model: Arc::clone(model),
        }
    }

    /// Returns the state of a board.
    #[inline]
    fn remembering(&self, board: R::Places) -> (R::Places, G::Memo) {
        let memo = self.guide.memo(|member| R::place(&board, member));
        (board, memo)
    }
}

impl<R: Representation, G: Guide> StateSpace for PermutationSpace<R, G> {
    type Key = R::Key;
    type Action = Action;
    type Cost = u32;

    fn facts(&self) -> Facts {
        Facts {
            unit_cost: true,
            reversible: true,
            key_heap_bytes: R::heap_bytes(&self.packing),
            table_bytes: self.guide.table_bytes(),
            has_features: true,
            ..Facts::default()
        }
    }

    #[inline]
    fn is_goal(&self, key: &R::Key) -> bool {
        self.goal.as_ref() == Some(key) || !self.others.is_empty() && self.others.contains(key)
    }

    #[inline]
    fn expand(&self, key: &R::Key, mut child: impl FnMut(Action, u32, R::Key)) {
        let board = R::unpack(key, &self.packing);
        for (number, image) in (0..).zip(&self.images) {
            child(Action(number), 1, R::child(&board, image, &self.packing));
        }
    }

    /// Each label has a feature: itself and its place. Labels that are alike are in the order of their places.
    fn features(&self, key: &R::Key, features: &mut Vec<u64>) {
        let board = R::unpack(key, &self.packing);
        let members = self.model.start.len();
        let of_member = |member: usize| (member * self.model.places + R::place(&board, member)) as u64;
        features.extend((0..members).map(of_member));
    }

    fn goals(&self, at_most: usize) -> Option<Vec<R::Key>> {
        let others = self.model.others.iter().map(|places| R::pack(&R::board(places), &self.packing));
        let mut goals: Vec<R::Key> = self.goal.iter().cloned().collect();
        goals.extend(others.filter(|other| self.goal.as_ref() != Some(other)));
        (goals.len() <= at_most.max(1)).then_some(goals)
    }

    fn index(&self) -> Option<Box<dyn PerfectIndex<R::Key> + '_>> {
        let items: Vec<usize> = (0..self.model.items.len()).collect();
        let most = self.model.states?.saturating_mul(MOST_RANKS);
        let ranking = Ranking::new(&self.model, &items).filter(|ranking| ranking.size <= most)?;
        Some(Box::new(Index { space: self, neighbors: Neighbors::new(ranking, &self.model, &mut Tails::default()) }))
    }
}

impl<R: Representation, G: Guide> Guided for PermutationSpace<R, G> {
    fn h(&self, key: &R::Key) -> u32 {
        let board = R::unpack(key, &self.packing);
        let place = |member| R::place(&board, member);
        self.guide.h(&self.guide.memo(place), place)
    }

    fn parts(&self, key: &R::Key) -> Parts {
        let board = R::unpack(key, &self.packing);
        self.guide.parts(|member| R::place(&board, member))
    }
}

impl<R: Representation, G: Guide> InPlace for PermutationSpace<R, G> {
    /// The places of members, and what the heuristic remembers of them.
    type State = (R::Places, G::Memo);
    type Undo = (R::Undo, G::Memo);
    type Trail = Trail;
    type Actions<'a> = Actions;

    fn initial(&self) -> Self::State {
        self.remembering(R::board(&self.model.start))
    }

    #[inline]
    fn pack(&self, (board, _): &Self::State) -> R::Key {
        R::pack(board, &self.packing)
    }

    #[inline]
    fn unpack(&self, key: &R::Key) -> Self::State {
        self.remembering(R::unpack(key, &self.packing))
    }

    #[inline]
    fn is_solved(&self, (board, _): &Self::State) -> bool {
        let Some(solved) = &self.model.solved else { return false };
        let is_home = |member: usize| R::place(board, member) == usize::from(solved[member]);
        if self.model.is_labelled && self.others.is_empty() {
            return (0..solved.len()).all(is_home);
        }
        self.is_goal(&R::pack(board, &self.packing))
    }

    fn h_in_place(&self, (board, memo): &Self::State) -> u32 {
        self.guide.h(memo, |member| R::place(board, member))
    }

    #[inline]
    fn actions(&self, _state: &Self::State) -> Actions {
        Actions(0..self.moves.len() as u16)
    }

    #[inline]
    fn apply(&self, (board, memo): &mut Self::State, Action(number): Action) -> (u32, Self::Undo) {
        let after = self.guide.moved(memo, number);
        (1, (R::apply(board, &self.images[usize::from(number)]), std::mem::replace(memo, after)))
    }

    #[inline]
    fn undo(&self, (board, memo): &mut Self::State, Action(number): Action, (undo, before): Self::Undo) {
        let (_, _, inverse) = self.moves[usize::from(number)];
        R::undo(board, undo, &self.images[usize::from(inverse)]);
        *memo = before;
    }

    #[inline]
    fn apply_within(
        &self,
        (board, memo): &mut Self::State,
        Action(number): Action,
        at_most: u32,
    ) -> Result<(u32, Self::Undo), u32> {
        let image = &self.images[usize::from(number)];
        let Some(below) = at_most.checked_sub(1) else { return Err(1) };
        match self.guide.after(memo, number, below, |member| R::to(image, R::place(board, member))) {
            Ok(after) => Ok((1, (R::apply(board, image), std::mem::replace(memo, after)))),
            Err(h) => Err(h + 1),
        }
    }

    fn trail(&self, _state: &Self::State) -> Trail {
        Trail { last: u16::MAX, run: 0 }
    }

    #[inline]
    fn follow(&self, trail: &Trail, _state: &Self::State, Action(next): Action) -> Option<Trail> {
        if trail.last == u16::MAX {
            return Some(Trail { last: next, run: 1 });
        }
        let (before, ..) = self.moves[usize::from(trail.last)];
        let (generator, longest, _) = self.moves[usize::from(next)];
        if before != generator {
            return self.model.may_follow(before, generator).then_some(Trail { last: next, run: 1 });
        }
        let goes_on = trail.last == next && trail.run < longest;
        goes_on.then(|| Trail { last: next, run: trail.run + 1 })
    }
}

/// The ranks of all members, as a perfect index. It has gaps where members depend on each other: the parity of a
/// permutation or the sum of twists decides the last one.
struct Index<'a, R: Representation, G> {
    space: &'a PermutationSpace<R, G>,
    neighbors: Neighbors,
}

impl<R: Representation, G: Guide> PerfectIndex<R::Key> for Index<'_, R, G> {
    fn size(&self) -> u64 {
        self.neighbors.ranking.size
    }

    fn rank(&self, key: &R::Key) -> Option<u64> {
        let board = R::unpack(key, &self.space.packing);
        Some(self.neighbors.ranking.rank(|member| R::place(&board, member)))
    }

    fn unrank(&self, number: u64) -> R::Key {
        let mut places = vec![0; self.neighbors.ranking.members.len()];
        self.neighbors.ranking.unrank(number, &mut places);
        let mut members = places.clone();
        self.neighbors.ranking.members.iter().zip(places).for_each(|(&member, place)| members[member] = place);
        R::pack(&R::board(&members), &self.space.packing)
    }

    fn neighbors(&self, of: &[u64], neighbors: &mut Vec<u64>) {
        let mut at = Cursor::new();
        let mut end = neighbors.len();
        neighbors.resize(end + of.len() * self.space.moves.len(), 0);
        for &number in of {
            self.neighbors.visit(&mut at, number, |neighbor| {
                neighbors[end] = neighbor;
                end += 1;
                false
            });
        }
    }
}
