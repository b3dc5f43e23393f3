//! Lower bounds from piles alone, and piles that are alike.
//!
//! The bounds hold for every puzzle: they come from what rules may carry ([`transfer`]) and from what goals say about
//! piles ([`ends`]), which conditions decide that are evaluated in partially known states ([`partial`]). Where these
//! decide nothing, a bound is 0. A carry of rules without a name costs nothing.
//!
//! **Shares.** A rule that carries at most k items at a cost of c costs each of them at least c / k: its *share*. So
//! the shares of all items in all moves of a solution are at most its cost. An item that cannot be where it is at the
//! goal, or that lies above one, must leave its pile, and then get to a pile where it may be: the least sum of shares
//! on such a path through the piles is a bound for it. In the same way, the items that a pile lacks must come to it.
//!
//! **Circles.** Say that item a lies above b in a pile, and that b must be in a sink before a' comes to one
//! ([`arrivals`]). If the first move of a' leads to a sink, then a moved before it: a left before b, and b came to the
//! sink before a'. In a circle of such items, not all first moves can lead to sinks. So the items of which the first
//! move leads elsewhere meet all circles. They are at least as many as the least cut ([`waits`]), and each of them has
//! a longer path. Freecell and King Albert were solved with this idea (Paul and Helmert, Optimal solitaire game
//! solutions using A* search and deadlock analysis, 2016).
//!
//! **Runs.** Equal items in a row are a run. A carry cuts a pile at one place and joins two at one place. So it lowers
//! the number of unequal neighbours by 1 at most, and the number of runs, too, but not onto an empty pile. If each pile
//! is one run or empty at the goal, each kind of item then is at the bottom of a pile. A carry brings one kind to the
//! bottom at most, and only onto an empty pile. So a carry lowers the runs and the kinds at no bottom, taken together,
//! by 1 at most.

mod alike;
mod arrivals;
mod ends;
mod hints;
mod partial;
#[cfg(test)]
mod tests;
mod transfer;
mod waits;

use super::Machine;
use crate::argument::counted;
use crate::domain::HeuristicFacts;
use crate::expression::Item;
pub(super) use alike::Alike;
use arrivals::Arrivals;
use ends::End;
use engine_search::bit_set::BitSet;
use engine_search::space::Cost;
pub(super) use hints::Hints;
use transfer::Transfer;
use waits::{MOST_ITEMS, Mask, Waits};

/// The facts of the bounds as a heuristic.
pub(in super::super) const PILES: HeuristicFacts = HeuristicFacts {
    name: "piles",
    admissible: true,
    consistent: false,
    by_hand: false,
    summary: "rules with piles: the moves that items still need to get where the goal has them, with detours where items \
              wait for each other in circles (after Paul and Helmert 2016); or the runs of equal items that must still \
              be joined, if these need more",
    because: "a move carries few items and joins one pair of runs at most, and of a circle of items that wait for each \
              other one cannot go straight to its place",
};

/// The parts of a cost of 1, so that shares are whole numbers.
const PARTS: u64 = 5040;
/// A path that does not exist.
const NEVER: u64 = u64::MAX / 4;
/// The most goals, and the most transfers for all items together.
const MOST_GOALS: usize = 16;
const MOST_TRANSFERS: usize = 1 << 20;

/// Lower bounds on the cost from a state to the nearest goal.
#[derive(Debug)]
pub(super) struct PileBounds {
    goals: Vec<GoalBound>,
    /// The cost of the cheapest carry, by which each run more than at a goal is counted; 0 if they are not.
    cheapest: u32,
    /// The piles that are no sinks.
    piles: Vec<usize>,
    /// For each item, the bits of those that wait for it to be in a sink.
    after: Vec<Mask>,
    /// For each item, its number in the graph of waiting items, if it is in it.
    number: Vec<Option<u8>>,
}

/// The bound for one goal.
#[derive(Debug)]
struct GoalBound {
    end: End,
    /// For each pile and item, the least sum of shares until the item is where it may be at the goal, if it must leave.
    leave: Vec<Vec<u64>>,
    /// For each pile and item, what it costs more if the first move does not lead to a sink. It is 0 if the item may
    /// end elsewhere.
    detour: Vec<Vec<u64>>,
    /// The values of detours that are not 0, in descending order.
    detours: Vec<u64>,
    /// For each pile, the least share of an item that comes to it.
    arrive: Vec<u64>,
}

/// The runs of a state.
#[derive(Default)]
struct Runs {
    runs: usize,
    /// The pairs of neighbours that are unequal.
    cuts: usize,
    /// The kinds of items that are at the bottom of no pile.
    homeless: usize,
}

impl PileBounds {
    /// Analyses a puzzle; `None` if the bounds are 0.
    pub fn new(machine: &Machine) -> Option<PileBounds> {
        let mut most = machine.most.clone();
        let transfers = transfer::transfers(machine, &most)?;
        let items = machine.terms.items.len();
        let goals = machine.goals.len();
        if most.is_empty()
            || !(1..=MOST_GOALS).contains(&goals)
            || transfers.len() * items * (goals + 1) > MOST_TRANSFERS
        {
            return None;
        }
        let start = &machine.start.piles;
        let arrivals = Arrivals::new(machine, &transfers, &most);
        for (pile, most) in most.iter_mut().enumerate().filter(|(pile, _)| arrivals.sinks[*pile]) {
            *most = arrivals.most(pile);
        }
        // For each item, the transfers that may carry it.
        let may_carry = |item: usize, transfer: &Transfer| transfer.may_carry(item as Item, &machine.terms, &most);
        let carried: Vec<Vec<&Transfer>> =
            (0..items).map(|item| transfers.iter().filter(|transfer| may_carry(item, transfer)).collect()).collect();
        let ends = (0..goals).filter_map(|number| End::new(machine, number, &most, &arrivals));
        let goals: Vec<GoalBound> = ends.map(|end| GoalBound::new(end, &transfers, &carried, &arrivals)).collect();
        let count: usize = start.iter().map(Vec::len).sum();
        let cheapest = if goals.iter().any(|goal| goal.end.is_sorted || goal.end.cuts + 1 < count) {
            transfers.iter().map(|transfer| transfer.cost).min().unwrap_or(0)
        } else {
            0
        };
        let waiting = (0..items).filter(|item| arrivals.before[*item].iter().next().is_some());
        let mut number = vec![None; items];
        waiting.take(MOST_ITEMS).zip(0u8..).for_each(|(item, at)| number[item] = Some(at));
        let mut after = vec![0; items];
        for (item, number) in number.iter().enumerate() {
            if let Some(number) = number {
                arrivals.before[item].iter().for_each(|before| after[before] |= 1 << number);
            }
        }
        let piles = (0..start.len()).filter(|pile| !arrivals.sinks[*pile]).collect();
        Some(PileBounds { goals, cheapest, piles, after, number })
    }

    /// Returns the bound for a state; [`Cost::INFINITY`] or more if no goal can be reached.
    pub fn of(&self, piles: &[Vec<Item>]) -> u32 {
        let runs = self.runs(piles);
        self.goals.iter().map(|goal| self.of_goal(goal, piles, &runs)).min().unwrap_or(u32::INFINITY)
    }

    /// Counts the runs.
    fn runs(&self, piles: &[Vec<Item>]) -> Runs {
        let mut found = Runs::default();
        if self.cheapest == 0 {
            return found;
        }
        let mut below = BitSet::<usize>::default();
        for pile in piles.iter().filter(|pile| !pile.is_empty()) {
            let cuts = pile.windows(2).filter(|pair| pair[0] != pair[1]).count();
            found.runs += cuts + 1;
            found.cuts += cuts;
            below.insert(usize::from(pile[0]));
        }
        // Moves carry items from pile to pile, so that each kind is in some pile.
        found.homeless = self.number.len() - below.len();
        found
    }

    fn of_goal(&self, goal: &GoalBound, piles: &[Vec<Item>], runs: &Runs) -> u32 {
        let (mut leaving, mut coming) = (0u64, 0u64);
        for (number, pile) in piles.iter().enumerate() {
            let kept = goal.end.kept(number, pile);
            for item in &pile[kept..] {
                leaving += goal.leave[number][usize::from(*item)];
                if leaving >= NEVER {
                    return u32::INFINITY;
                }
            }
            let lacks = goal.end.sizes[number].0.saturating_sub(kept);
            coming = coming.saturating_add(goal.arrive[number].saturating_mul(lacks as u64));
        }
        if coming >= NEVER {
            return u32::INFINITY;
        }
        // Circles of items with at least this detour.
        let circles = goal.detours.iter().map(|&detour| detour * u64::from(self.circles(goal, piles, detour))).max();
        let shares = (leaving + circles.unwrap_or(0)).max(coming).div_ceil(PARTS);
        let loose = runs.runs + if goal.end.is_sorted { runs.homeless } else { 0 };
        let merges = loose.saturating_sub(goal.end.runs).max(runs.cuts.saturating_sub(goal.end.cuts));
        let merges = merges as u64 * u64::from(self.cheapest);
        shares.max(merges).min(u64::from(u32::INFINITY) - 1) as u32
    }

    /// Returns how many items with at least this detour must make it.
    fn circles(&self, goal: &GoalBound, piles: &[Vec<Item>], detour: u64) -> u32 {
        let mut waits = Waits::new();
        for &number in &self.piles {
            let mut waiting = 0;
            for &item in &piles[number] {
                let item = usize::from(item);
                if let Some(node) = self.number[item]
                    && waiting != 0
                    && goal.detour[number][item] >= detour
                {
                    waits.add(node.into(), waiting);
                }
                waiting |= self.after[item];
            }
        }
        waits.least_cut()
    }

    /// Describes the bounds for people.
    pub fn describe(&self) -> String {
        let circles = match self.number.iter().flatten().count() {
            0 => String::new(),
            waiting => format!(", with circles of {}", counted(waiting, "item")),
        };
        format!("moves that items in piles still need{circles}")
    }
}

impl GoalBound {
    fn new(end: End, transfers: &[Transfer], carried: &[Vec<&Transfer>], arrivals: &Arrivals) -> GoalBound {
        let piles = end.sizes.len();
        let share = |transfer: &Transfer| u64::from(transfer.cost) * PARTS / transfer.most as u64;
        let arrive = (0..piles)
            .map(|pile| transfers.iter().filter(|transfer| transfer.to == pile).map(share).min().unwrap_or(NEVER));
        let arrive = arrive.collect();
        let mut leave = vec![vec![NEVER; carried.len()]; piles];
        let mut detour = vec![vec![0; carried.len()]; piles];
        for (item, carried) in carried.iter().enumerate() {
            let may_end = |pile: usize| end.may_hold(pile, item as Item);
            loop {
                let mut has_changed = false;
                for transfer in carried {
                    let rest = if may_end(transfer.to) { 0 } else { leave[transfer.to][item] };
                    let path = (share(transfer) + rest).min(NEVER);
                    has_changed |= path < leave[transfer.from][item];
                    leave[transfer.from][item] = leave[transfer.from][item].min(path);
                }
                if !has_changed {
                    break;
                }
            }
            if (0..piles).any(|pile| !arrivals.sinks[pile] && may_end(pile)) {
                continue;
            }
            for pile in (0..piles).filter(|pile| !arrivals.sinks[*pile]) {
                let elsewhere = carried.iter().filter(|transfer| transfer.from == pile && !arrivals.sinks[transfer.to]);
                let path = elsewhere.map(|transfer| (share(transfer) + leave[transfer.to][item]).min(NEVER)).min();
                // An item that cannot go elsewhere may wait for ever; that is no reason to count more.
                detour[pile][item] = match path {
                    Some(path) if path < NEVER => path - leave[pile][item],
                    _ => PARTS,
                };
            }
        }
        let mut detours: Vec<u64> = detour.iter().flatten().copied().filter(|detour| *detour > 0).collect();
        detours.sort_unstable_by(|a, b| b.cmp(a));
        detours.dedup();
        GoalBound { end, leave, detour, detours, arrive }
    }
}
