//! The order in which items come to *sinks*: piles that nothing ever leaves, and that items reach one by one.
//!
//! The rules decide at which size of a sink, and on which item, a further item may come to it. From that follows which
//! items must have come to sinks before it. Let `before[v]` be these items for v, and suppose that v may come to a sink
//! on u. Then u, and all of `before[u]`, came earlier. If v may come at size s, something came at each size below s:
//! what is common to all items that may. So `before[v]` is what is common to all ways in which v may come. The
//! greatest sets with this property are right: by induction over time, they are for whatever came first, and for
//! whatever comes next.

use super::super::Machine;
use super::transfer::Transfer;
use crate::expression::Item;
use engine_search::bit_set::BitSet;
use rustc_hash::FxHashSet;

/// The most evaluations of conditions. With more, no pile counts as a sink.
const MOST_TESTS: usize = 1 << 21;

/// A set of items.
pub(super) type Items = BitSet<usize>;

/// The order of arrivals in sinks.
#[derive(Debug)]
pub(super) struct Arrivals {
    /// Whether each pile is a sink.
    pub sinks: Vec<bool>,
    /// For each item, those that must be in sinks before it comes to one. Only items that occur once are in these
    /// sets, and have any.
    pub before: Vec<Items>,
    /// For each sink and size, the items that may be on top of it.
    tops: Vec<Vec<Items>>,
}

/// A way in which an item may come to a sink: the sink, its size, and the item on top if it matters.
type Way = (usize, usize, Option<Item>);

impl Arrivals {
    pub fn new(machine: &Machine, transfers: &[Transfer], most: &[usize]) -> Arrivals {
        let start = &machine.start.piles;
        let is_sink = |pile: usize| {
            let mut into = transfers.iter().filter(|transfer| transfer.to == pile);
            transfers.iter().all(|transfer| transfer.from != pile) && into.all(|transfer| transfer.most == 1)
        };
        let mut sinks: Vec<bool> = (0..start.len()).map(is_sink).collect();
        let items = machine.terms.items.len();
        let tests = |transfer: &Transfer| items * (most[transfer.to] + items);
        let tests: usize = transfers.iter().filter(|transfer| sinks[transfer.to]).map(tests).sum();
        if tests > MOST_TESTS {
            sinks.fill(false);
        }
        let mut ways: Vec<FxHashSet<Way>> = vec![FxHashSet::default(); items];
        for transfer in transfers.iter().filter(|transfer| sinks[transfer.to]) {
            for (item, ways) in ways.iter_mut().enumerate() {
                transfer.for_each_context(item as Item, &machine.terms, most, |size, under| {
                    ways.insert((transfer.to, size, under));
                });
            }
        }
        let mut tops: Vec<Vec<Items>> = vec![Vec::new(); start.len()];
        for (pile, tops) in tops.iter_mut().enumerate().filter(|(pile, _)| sinks[*pile]) {
            *tops = start[pile].iter().map(|item| Items::one(usize::from(*item))).collect();
            for size in start[pile].len()..most[pile] {
                let is_met = |under: &Option<Item>| match (under, size.checked_sub(1)) {
                    (Some(under), Some(last)) => tops[last].contains(usize::from(*under)),
                    _ => true,
                };
                let may_come = |way: &Way| way.0 == pile && way.1 == size && is_met(&way.2);
                let next: Items = (0..ways.len()).filter(|item| ways[*item].iter().any(may_come)).collect();
                if next.is_empty() {
                    break;
                }
                tops.push(next);
            }
        }
        // Keeps the ways that the start leaves open.
        let is_open = |&(pile, size, under): &Way| {
            let is_top = |under: Item| size > 0 && tops[pile][size - 1].contains(usize::from(under));
            size >= start[pile].len() && size <= tops[pile].len() && under.is_none_or(is_top)
        };
        ways.iter_mut().for_each(|ways| ways.retain(is_open));
        let mut arrivals = Arrivals { sinks, before: Vec::new(), tops };
        arrivals.order(start, &ways);
        arrivals
    }

    fn order(&mut self, start: &[Vec<Item>], ways: &[FxHashSet<Way>]) {
        let count = ways.len();
        let mut times = vec![0; count];
        start.iter().flatten().for_each(|item| times[usize::from(*item)] += 1);
        let mut once: Items = (0..count).filter(|item| times[*item] == 1).collect();
        let singles = once.clone();
        for (pile, _) in start.iter().zip(&self.sinks).filter(|(_, is_sink)| **is_sink) {
            pile.iter().for_each(|item| once = once.without(&Items::one(usize::from(*item))));
        }
        self.before =
            (0..count).map(|item| if once.contains(item) { once.clone() } else { Items::default() }).collect();
        let with = |before: &[Items], item: usize| {
            let mut all = before[item].clone();
            if singles.contains(item) {
                all.insert(item);
            }
            all
        };
        loop {
            // For each sink and size, what has come before it has this size.
            let filled: Vec<Vec<Items>> = (0..start.len())
                .map(|pile| {
                    let mut so_far = vec![Items::default()];
                    for tops in &self.tops[pile] {
                        let common = tops.iter().map(|item| with(&self.before, item)).reduce(|a, b| a.and(&b));
                        so_far.push(so_far[so_far.len() - 1].or(&common.unwrap_or_default()));
                    }
                    so_far
                })
                .collect();
            let mut has_changed = false;
            for (item, ways) in ways.iter().enumerate() {
                let implied = ways.iter().map(|&(pile, size, under)| match under {
                    Some(under) => filled[pile][size].or(&with(&self.before, usize::from(under))),
                    None => filled[pile][size].clone(),
                });
                let common = implied.reduce(|a, b| a.and(&b)).unwrap_or_default();
                let next = self.before[item].and(&common);
                has_changed |= next != self.before[item];
                self.before[item] = next;
            }
            if !has_changed {
                return;
            }
        }
    }

    /// Returns whether an item may be on top of a sink of this size.
    pub fn may_be_top(&self, pile: usize, size: usize, item: usize) -> bool {
        self.tops[pile].get(size - 1).is_some_and(|tops| tops.contains(item))
    }

    /// Returns the most items that a sink can ever have.
    pub fn most(&self, pile: usize) -> usize {
        self.tops[pile].len()
    }
}
