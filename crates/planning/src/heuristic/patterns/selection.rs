//! The choice of patterns: hill climbing from single variables, guided by h on sampled states.
//!
//! The first tables have one goal variable each. Each step considers every chosen pattern extended by
//! one neighbour in the causal graph, and adds the pattern that raises the sum of h over the samples most (Haslum,
//! Botea, Helmert, Bonet and Koenig, AAAI 2007). It ends if no pattern raises the sum or the budget is spent. The
//! budget counts entries and tested transitions, not seconds.

use super::{Events, MOST_TABLES, maximal_sets};
use crate::heuristic::abstraction::Abstraction;
use crate::heuristic::database::{Budget, Database};
use crate::heuristic::{DEAD, limit_message, sample};
use crate::search::BuildContext;
use crate::task::sorted::sorted;
use crate::task::{Task, Value, Values, Var};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;

/// The most entries of one table and of all tables at size 0. Each further size multiplies them by 8.
const ENTRIES: u64 = 1 << 14;
const ALL_ENTRIES: u64 = 1 << 17;

/// The most transitions tested at size 0.
const WORK: u64 = 1 << 24;

/// The most initial patterns.
const MOST_INITIAL: usize = 20;

/// The most patterns that a description names.
const NAMED_PATTERNS: usize = 4;

/// The value of a detected dead end in the sum of h.
const DEAD_END_VALUE: u32 = 32;

/// A pattern with its table.
struct Member {
    /// Its variables, in ascending order.
    vars: Vec<Var>,
    table: Database,
    events: Events,
    /// h of each sample.
    values: Vec<u32>,
}

/// The patterns chosen so far.
pub(super) struct Selection<'a> {
    task: &'a Task,
    /// For each variable, those that may extend a pattern with it.
    neighbors: Vec<BTreeSet<Var>>,
    samples: Vec<Vec<Value>>,
    members: Vec<Member>,
    /// For each member, the members that are additive with it.
    additive: Vec<u32>,
    pub sets: Vec<u32>,
    budget: Budget,
}

impl<'a> Selection<'a> {
    pub fn new(task: &'a Task, context: &BuildContext) -> Result<Selection<'a>, String> {
        let size = 3 * u32::from(context.size.unwrap_or(0)).min(8);
        let mut samples = sample::states(task, context);
        samples.push(task.start.clone());
        let entries = (ENTRIES << size).min(context.table_memory().map_or(u64::MAX, |room| room / 32));
        let budget = Budget { codes: ENTRIES, entries, work: WORK << size };
        let (members, additive, sets) = (Vec::new(), Vec::new(), Vec::new());
        let neighbors = neighbors(task);
        let mut selection = Selection { task, neighbors, samples, members, additive, sets, budget };
        selection.add_initial(context);
        selection.climb(ALL_ENTRIES << size, context);
        if context.should_stop() {
            return Err(limit_message());
        }
        if selection.members.iter().all(|member| member.values.iter().all(|&value| value == 0)) {
            return Err("no small pattern gives a lower bound above 0".to_owned());
        }
        Ok(selection)
    }

    pub fn tables(&self) -> impl Iterator<Item = &Database> {
        self.members.iter().map(|member| &member.table)
    }

    pub fn into_tables(self) -> Vec<Database> {
        self.members.into_iter().map(|member| member.table).collect()
    }

    /// Describes the largest patterns.
    pub fn describe(&self) -> String {
        let mut members: Vec<&Member> = self.members.iter().collect();
        members.sort_by_cached_key(|member| std::cmp::Reverse(member.table.entries()));
        let names = |member: &&Member| {
            let names: Vec<&str> = member.vars.iter().map(|&var| self.task.variables[var].name.as_str()).collect();
            format!("{{{}}}", names.join(" "))
        };
        let mut names: Vec<String> = members.iter().take(NAMED_PATTERNS).map(names).collect();
        if members.len() > NAMED_PATTERNS {
            names.push(format!("and {} more", members.len() - NAMED_PATTERNS));
        }
        names.join(" ")
    }

    /// Adds the best patterns of one goal variable each.
    fn add_initial(&mut self, context: &BuildContext) {
        let singles = sorted(in_goals(self.task).into_iter().map(|(var, _)| var));
        let mut singles: Vec<Member> = singles.into_iter().filter_map(|var| self.member(vec![var], context)).collect();
        let sum = |member: &Member| member.values.iter().map(|&value| u64::from(value)).sum::<u64>();
        singles.sort_by_cached_key(|member| std::cmp::Reverse(sum(member)));
        singles.truncate(MOST_INITIAL);
        singles.into_iter().for_each(|member| self.add(member));
    }

    /// Adds patterns while the sum of h rises.
    fn climb(&mut self, entries: u64, context: &BuildContext) {
        let mut seen: FxHashSet<Vec<Var>> = self.members.iter().map(|member| member.vars.clone()).collect();
        // Patterns considered so far, without their tables.
        let mut considered: Vec<(Vec<Var>, Events, Vec<u32>)> = Vec::new();
        let mut grown = 0;
        while self.members.len() < MOST_TABLES {
            for at in grown..self.members.len() {
                for vars in self.extensions(at) {
                    if !seen.insert(vars.clone()) {
                        continue;
                    }
                    let Some(member) = self.member(vars, context) else { continue };
                    considered.push((member.vars, member.events, member.values));
                }
            }
            grown = self.members.len();
            let now: Vec<u32> = (0..self.samples.len()).map(|sample| self.sample_h(sample, &self.sets)).collect();
            let gains = considered.iter().map(|(_, events, values)| self.gain(events, values, &now));
            let best = gains.enumerate().max_by_key(|&(at, gain)| (gain, usize::MAX - at));
            let Some((at, _)) = best.filter(|&(_, gain)| gain > 0) else { break };
            let (vars, ..) = considered.swap_remove(at);
            // The pattern was within the budget before. Its table is rebuilt without counting the work again.
            let left = std::mem::replace(&mut self.budget.work, u64::MAX);
            let Some(member) = self.member(vars, context) else { break };
            self.budget.work = left;
            self.add(member);
            if self.tables().map(Database::entries).sum::<u64>() > entries || left == 0 {
                break;
            }
        }
    }

    /// Returns the extensions of a pattern by one neighbour.
    fn extensions(&self, at: usize) -> Vec<Vec<Var>> {
        let vars = &self.members[at].vars;
        let neighbors: BTreeSet<Var> = vars.iter().flat_map(|&var| &self.neighbors[var]).copied().collect();
        let with = |&neighbor: &Var| sorted(vars.iter().copied().chain([neighbor]));
        neighbors.iter().filter(|neighbor| !vars.contains(neighbor)).map(with).collect()
    }

    fn member(&mut self, vars: Vec<Var>, context: &BuildContext) -> Option<Member> {
        // A large board has thousands of candidates.
        if context.should_stop() {
            return None;
        }
        let abstraction = Abstraction::projection(self.task, &vars)?;
        let table = Database::new(self.task, &abstraction, &mut self.budget, context)?;
        let values = self.samples.iter().map(|state| sample_value(table.h(state))).collect();
        let events = Events::new(self.task, &abstraction);
        Some(Member { vars, table, events, values })
    }

    fn add(&mut self, member: Member) {
        let at = self.members.len();
        let additive = self.additive_with(&member.events);
        for (other, others) in self.additive.iter_mut().enumerate() {
            *others |= (additive >> other & 1) << at;
        }
        self.additive.push(additive);
        self.members.push(member);
        self.sets = maximal_sets(&self.additive);
    }

    /// Returns the members that are additive with a pattern.
    fn additive_with(&self, events: &Events) -> u32 {
        let members = self.members.iter().enumerate();
        members.filter(|(_, member)| member.events.are_additive(events)).fold(0, |set, (at, _)| set | 1 << at)
    }

    /// Returns h of a sample, given additive sets of tables.
    fn sample_h(&self, sample: usize, sets: &[u32]) -> u32 {
        let mut each = [0; MOST_TABLES];
        for (h, member) in each.iter_mut().zip(&self.members) {
            *h = member.values[sample];
        }
        sets.iter().map(|&set| sum(set, &each)).max().unwrap_or(0)
    }

    /// Returns the increase of the sum of h over the samples, which are `now`, if a pattern is added.
    fn gain(&self, events: &Events, values: &[u32], now: &[u32]) -> u64 {
        let additive = self.additive_with(events);
        let mut additive_sets: Vec<u32> = self.sets.iter().map(|set| set & additive).collect();
        additive_sets.sort_unstable();
        additive_sets.dedup();
        let samples = values.iter().zip(now).enumerate();
        samples
            .map(|(at, (value, now))| u64::from((value + self.sample_h(at, &additive_sets)).saturating_sub(*now)))
            .sum()
    }
}

/// Returns the sum of the values in a set.
fn sum(mut set: u32, each: &[u32]) -> u32 {
    let mut sum = 0;
    while set != 0 {
        sum += each[set.trailing_zeros() as usize];
        set &= set - 1;
    }
    sum
}

fn sample_value(h: u32) -> u32 {
    if h == DEAD { DEAD_END_VALUE } else { h }
}

/// Returns the neighbours of each variable in the causal graph: those that occur in an operator that writes it.
fn neighbors(task: &Task) -> Vec<BTreeSet<Var>> {
    let mut neighbors = vec![BTreeSet::new(); task.variables.len()];
    for operator in &task.operators {
        let read: Vec<Var> = operator.read().chain(operator.changed()).collect();
        operator.changed().for_each(|target| neighbors[target].extend(&read));
    }
    neighbors
}

/// Returns the conditions and counted facts of the goals.
pub(in super::super) fn in_goals(task: &Task) -> Vec<(Var, Values)> {
    let goals = task.goals.iter();
    goals
        .flat_map(|goal| goal.conditions.iter().chain(goal.counts.iter().flat_map(|count| &count.of)))
        .cloned()
        .collect()
}
