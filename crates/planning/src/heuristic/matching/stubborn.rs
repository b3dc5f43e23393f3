//! Strong stubborn sets (Valmari 1989; for optimal planning: Wehrle and Helmert, ICAPS 2014): tokens such that some
//! cheapest solution begins with a move of one of them. A search then expands their moves alone. In Sokoban these are
//! mostly the boxes around a corral that can only be pushed into it.
//!
//! The theorem holds for tasks of tokens and a mover with free walks, and of nothing else ([`moved_tokens`] and
//! [`StubbornSets::new`] check that). Let `set` be tokens of a state that are not all on targets of one goal: each
//! solution moves one of them. Let `wide` be the region that the mover has if these tokens alone are there: until one
//! of them moves, the mover stays in `wide`. Let each move of one of them that is possible with the mover in `wide` and
//! with no other token be possible now, and let it take its token to a place that
//! - bars no value in `wide`, and
//! - no move of another token needs free that is possible with the mover in `wide`.
//!
//! Take a cheapest solution and the first move in it of a token in `set`. It is possible now, by the first condition.
//! Made first, it leaves all moves before it possible: it only frees a place, and takes one that they do not need. The
//! same tokens move to the same places at the same cost, and the mover ends in the same region, since a walk joins its
//! values before and after the move. So there is a cheapest solution that begins with a move of a token in `set`.

use super::moves::{ProjectedStep, Stay};
use super::places::Places;
use super::projection::Projection;
use super::rounds::{RoundCount, StateCount};
use super::tokens::Tokens;
use super::view::View;
use crate::analysis::mover::Mover;
use crate::search::Named;
use crate::task::{Operator, Source, Task, Var};
use std::hash::Hash;

/// The name of this reduction.
pub const STUBBORN_SETS: Named =
    Named { name: "stubborn-sets", summary: "only moves of pieces with which some cheapest solution begins" };

/// After this many states, sets are looked for in one of [`FEW`] states only, while they are found in fewer than that.
const FIRST_TRIES: u64 = 1000;
const FEW: u64 = 32;

/// A finder of stubborn sets.
pub(super) struct StubbornSets<'a, const N: usize> {
    projection: &'a Projection<N>,
    /// The place of the token that each operator moves; none for walks.
    moved: Vec<Option<u16>>,
    tries: StateCount,
    found: RoundCount,
    /// For each place, the steps that need it free: their tokens' places, and their numbers there.
    needing: Vec<Vec<(usize, usize)>>,
}

/// Tokens of a state whose moves suffice.
pub struct StubbornSet<'a> {
    moved: &'a [Option<u16>],
    /// Their places.
    tokens: Vec<u16>,
    /// The number of moves of the tokens.
    moves: usize,
}

impl StubbornSet<'_> {
    /// Returns whether the tokens have no moves: then no goal can be reached.
    pub fn is_empty(&self) -> bool {
        self.moves == 0
    }

    /// Returns whether an operator moves one of the tokens.
    #[inline]
    pub fn moves(&self, operator: u32) -> bool {
        self.moved[operator as usize].is_some_and(|from| self.tokens.contains(&from))
    }
}

/// Returns for each operator the place of the token that it moves, none for a walk; if the task has nothing but tokens
/// of one kind and a mover. Then nothing but tokens bars the mover, and its region is that of the projection.
pub(super) fn moved_tokens<const N: usize>(
    tokens: &Tokens<N>,
    projection: &Projection<N>,
    task: &Task,
    mover: &Mover,
) -> Option<Vec<Option<u16>>> {
    let is_place = |var: Var| var == mover.var || task.size(var) == 2 && tokens.place_of(var).is_some();
    let is_plain = tokens.mover == Some(mover.var) && task.never.is_empty() && (0..task.variables.len()).all(is_place);
    if !is_plain {
        return None;
    }
    let mut walks: Vec<Vec<u16>> = vec![Vec::new(); tokens.mover_values];
    let mut moved = Vec::with_capacity(task.operators.len());
    for (number, operator) in (0..).zip(&task.operators) {
        let (Stay { before, after, without }, with, step) = read(tokens, operator, mover.var)?;
        let is_walk = mover.walks.binary_search(&number).is_ok();
        match step {
            None if is_walk && without == projection.barred_by[usize::from(after)] && with.is_empty() => {
                walks[usize::from(before)].push(after);
                moved.push(None);
            }
            Some((from, to)) if !is_walk && with.only() == Some(from) && without.contains(to) => {
                moved.push(Some(from as u16));
            }
            _ => return None,
        }
    }
    for values in &mut walks {
        values.sort_unstable();
        values.dedup();
    }
    (walks == projection.next).then_some(moved)
}

impl<'a, const N: usize> StubbornSets<'a, N> {
    /// Returns what finds stubborn sets, if walks are free. `moved` are the [`moved_tokens`].
    pub fn new(
        tokens: &Tokens<N>,
        projection: &'a Projection<N>,
        moved: Vec<Option<u16>>,
        mover: &Mover,
    ) -> Option<StubbornSets<'a, N>> {
        if !mover.has_regions {
            return None;
        }
        let mut needing = vec![Vec::new(); tokens.places.len()];
        for (from, steps) in projection.steps.iter().enumerate() {
            for (number, step) in steps.iter().enumerate() {
                step.without.iter().for_each(|place| needing[place].push((from, number)));
            }
        }
        let (tries, found) = (StateCount::default(), RoundCount::default());
        Some(StubbornSets { tries, found, projection, moved, needing })
    }

    /// Counts a state; returns whether a set is to be looked for.
    pub fn begin(&self, state: &impl Hash) -> bool {
        self.tries.add();
        let tries = self.tries.before();
        tries < FIRST_TRIES
            || self.found.get() * FEW >= tries
            || (tries + self.tries.number_in_round(state)).is_multiple_of(FEW)
    }

    /// Puts the states of a round into effect.
    pub fn settle(&self) {
        self.tries.settle();
        self.found.settle();
    }

    /// Returns the tokens whose moves suffice in a state; none if no set is found, and all moves are needed.
    pub fn find(&self, view: &View<N>) -> Option<StubbornSet<'_>> {
        let sets = view.corrals.iter().filter_map(|(_, around)| self.close(view, *around));
        let best = sets.min_by_key(|(moves, _)| *moves);
        self.found.add(best.is_some().into());
        best.map(|(moves, tokens)| StubbornSet {
            moved: &self.moved,
            tokens: tokens.iter().map(|place| place as u16).collect(),
            moves,
        })
    }

    /// Adds tokens of which one must move before some move of the set; returns the number of its moves if it is
    /// stubborn then.
    fn close(&self, view: &View<N>, mut set: Places<N>) -> Option<(usize, Places<N>)> {
        'grown: loop {
            if set == view.tokens {
                return None;
            }
            let wide = self.projection.widened(&view.region, &view.tokens, &set);
            let mut moves = 0;
            let mut is_stubborn = true;
            for from in { set }.iter() {
                let mut others = set;
                others.remove(from);
                for step in &self.projection.steps[from] {
                    if !wide.contains(step.before) || step.without.meets(&others) {
                        continue;
                    }
                    let more = view.in_the_way(self.projection, step);
                    if !more.is_within(&set) {
                        set = set.or(&more);
                        continue 'grown;
                    }
                    is_stubborn &= view.region.contains(step.before) && self.commutes(step, &set, &wide);
                    moves += 1;
                }
            }
            return (is_stubborn && !self.projection.is_goal(&set)).then_some((moves, set));
        }
    }

    /// Returns whether a step leaves possible all that other tokens do while these stay.
    fn commutes(&self, step: &ProjectedStep<N>, set: &Places<N>, wide: &Places<N>) -> bool {
        let needs = |&(other, number): &(usize, usize)| {
            let needing = &self.projection.steps[other][number];
            !set.contains(other) && wide.contains(needing.before) && !needing.without.meets(set)
        };
        self.projection.returns(step)
            && !self.projection.bars[step.to].meets(wide)
            && !self.needing[step.to].iter().any(needs)
    }
}

/// What becomes of the mover, the places that must hold a token, and those between which one moves.
type Read<const N: usize> = (Stay<N>, Places<N>, Option<(usize, usize)>);

/// Reads an operator of a task of tokens and a mover; none if it does anything else than to move at most one token and
/// the mover.
fn read<const N: usize>(tokens: &Tokens<N>, operator: &Operator, mover: Var) -> Option<Read<N>> {
    if !operator.is_plain() {
        return None;
    }
    let before = operator.condition(mover)?.only()?;
    let (mut with, mut without) = (Places::<N>::default(), Places::<N>::default());
    for (var, values) in operator.conditions.iter().filter(|(var, _)| *var != mover) {
        let place = tokens.place_of(*var)?;
        let holds = values.only()? == tokens.places[place].1;
        if holds {
            with.insert(place)
        } else {
            without.insert(place)
        };
    }
    let (mut after, mut lost, mut gained) = (before, None, None);
    for effect in &operator.effects {
        let Source::Value(value) = effect.source else { return None };
        if effect.target == mover {
            after = value;
            continue;
        }
        let place = tokens.place_of(effect.target)?;
        let side = if value == tokens.places[place].1 { &mut gained } else { &mut lost };
        if side.replace(place).is_some() {
            return None;
        }
    }
    let step = match (lost, gained) {
        (None, None) => None,
        (Some(from), Some(to)) => Some((from, to)),
        _ => return None,
    };
    Some((Stay { before, after, without }, with, step))
}
