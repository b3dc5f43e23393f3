//! Which patterns: hill climbing from single variables or symbols, by how much is gained on states that may be met.
//!
//! The first tables are of one variable of the goal each (or one symbol). Then, time and again, of all patterns that are
//! one of those at hand and one neighbour in the causal graph, the one is added that makes the sum of h over the samples
//! largest (Haslum, Botea, Helmert, Bonet and Koenig, AAAI 2007). It ends where nothing is gained, or the budget is spent,
//! which is counted in entries and in transitions looked at, not in seconds.

use super::{Events, MOST_TABLES, maximal_sets, sum};
use crate::domain::BuildContext;
use crate::heuristic::abstraction::Abstraction;
use crate::heuristic::database::{Budget, Database};
use crate::heuristic::{DEAD, ended, sample};
use crate::task::{Source, Task, Value, Values, Var};
use std::collections::BTreeSet;

/// The entries of one table at the smallest size, and of all; each size more has eight times as many.
const ENTRIES: u64 = 1 << 14;
const ALL_ENTRIES: u64 = 1 << 17;

/// How many transitions are looked at, at the smallest size.
const WORK: u64 = 1 << 24;

/// The most patterns to begin with.
const MOST_FIRST: usize = 20;

/// How many patterns are told.
const TOLD: usize = 4;

/// What the discovery of a dead end counts as.
const DEAD_WORTH: u32 = 32;

/// What patterns are made of.
#[derive(Clone, Copy, PartialEq)]
pub(in super::super) enum Atoms {
    /// Variables: what is not in the pattern is projected away.
    Variables,
    /// Symbols, the same for all variables with the same values: those that are not in the pattern become one.
    Symbols,
}

/// What one pattern may have.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Atom {
    /// The variables it is about.
    vars: Vec<Var>,
    /// The value that is kept apart, or all of them.
    value: Option<Value>,
    name: String,
    in_goal: bool,
    /// The atoms that may be added to a pattern with this one.
    neighbors: BTreeSet<usize>,
}

/// A pattern with its table.
struct Member {
    atoms: Vec<usize>,
    table: Database,
    events: Events,
    /// h of each sample.
    values: Vec<u32>,
}

/// The patterns chosen so far.
pub(super) struct Choice<'a> {
    task: &'a Task,
    atoms: Vec<Atom>,
    samples: Vec<Vec<Value>>,
    members: Vec<Member>,
    /// Those that may be added to each.
    apart: Vec<u32>,
    pub sets: Vec<u32>,
    budget: Budget,
}

impl<'a> Choice<'a> {
    pub fn new(atoms: Atoms, task: &'a Task, context: &BuildContext) -> Result<Choice<'a>, String> {
        let size = 3 * u32::from(context.size.unwrap_or(0)).min(8);
        let mut samples = sample::states(task, context);
        samples.push(task.start.clone());
        let atoms = match atoms {
            Atoms::Variables => variables(task),
            Atoms::Symbols => symbols(task),
        };
        let entries = (ENTRIES << size).min(context.table_memory().map_or(u64::MAX, |room| room / 32));
        let budget = Budget { codes: ENTRIES, entries, work: WORK << size };
        let (members, apart, sets) = (Vec::new(), Vec::new(), Vec::new());
        let mut choice = Choice { task, atoms, samples, members, apart, sets, budget };
        choice.begin(context);
        choice.climb(ALL_ENTRIES << size, context);
        if context.should_stop() {
            return Err(ended());
        }
        if choice.members.iter().all(|member| member.values.iter().all(|&value| value == 0)) {
            return Err("no small part of the puzzle tells anything of the distance".to_owned());
        }
        Ok(choice)
    }

    pub fn tables(&self) -> impl Iterator<Item = &Database> {
        self.members.iter().map(|member| &member.table)
    }

    pub fn into_tables(self) -> Vec<Database> {
        self.members.into_iter().map(|member| member.table).collect()
    }

    /// The largest patterns.
    pub fn describe(&self) -> String {
        let mut members: Vec<&Member> = self.members.iter().collect();
        members.sort_by_key(|member| std::cmp::Reverse(member.table.entries()));
        let names = |member: &&Member| {
            let names: Vec<&str> = member.atoms.iter().map(|&atom| self.atoms[atom].name.as_str()).collect();
            format!("{{{}}}", names.join(" "))
        };
        let mut names: Vec<String> = members.iter().take(TOLD).map(names).collect();
        if members.len() > TOLD {
            names.push(format!("and {} more", members.len() - TOLD));
        }
        names.join(" ")
    }

    /// Takes the patterns of one atom of the goal each, those that tell most.
    fn begin(&mut self, context: &BuildContext) {
        let singles: Vec<usize> = (0..self.atoms.len()).filter(|&atom| self.atoms[atom].in_goal).collect();
        let mut singles: Vec<Member> =
            singles.into_iter().filter_map(|atom| self.member(vec![atom], context)).collect();
        singles.sort_by_key(|member| std::cmp::Reverse(member.values.iter().sum::<u32>()));
        singles.truncate(MOST_FIRST);
        singles.into_iter().for_each(|member| self.add(member));
    }

    /// Adds patterns while that gains something.
    fn climb(&mut self, entries: u64, context: &BuildContext) {
        let mut seen: BTreeSet<Vec<usize>> = self.members.iter().map(|member| member.atoms.clone()).collect();
        // Patterns that were looked at, without their tables.
        let mut known: Vec<(Vec<usize>, Events, Vec<u32>)> = Vec::new();
        let mut grown = 0;
        while self.members.len() < MOST_TABLES {
            for at in grown..self.members.len() {
                for atoms in self.larger(at) {
                    if !seen.insert(atoms.clone()) {
                        continue;
                    }
                    let Some(member) = self.member(atoms, context) else { continue };
                    known.push((member.atoms, member.events, member.values));
                }
            }
            grown = self.members.len();
            let now: Vec<u32> = (0..self.samples.len()).map(|sample| self.told(sample, &self.sets)).collect();
            let gains = known.iter().map(|(_, events, values)| self.gain(events, values, &now));
            let best = gains.enumerate().max_by_key(|&(at, gain)| (gain, usize::MAX - at));
            let Some((at, _)) = best.filter(|&(_, gain)| gain > 0) else { break };
            let (atoms, ..) = known.swap_remove(at);
            // It was within the budget when it was looked at: it is made again, and not counted.
            let left = std::mem::replace(&mut self.budget.work, u64::MAX);
            let Some(member) = self.member(atoms, context) else { break };
            self.budget.work = left;
            self.add(member);
            if self.tables().map(Database::entries).sum::<u64>() > entries || left == 0 {
                break;
            }
        }
    }

    /// The patterns that are one of those at hand and a neighbour.
    fn larger(&self, at: usize) -> Vec<Vec<usize>> {
        let atoms = &self.members[at].atoms;
        let neighbors: BTreeSet<usize> = atoms
            .iter()
            .flat_map(|&atom| &self.atoms[atom].neighbors)
            .copied()
            .filter(|n| !atoms.contains(n))
            .collect();
        let with = |neighbor| {
            let mut larger = atoms.clone();
            larger.push(neighbor);
            larger.sort_unstable();
            larger
        };
        neighbors.into_iter().map(with).collect()
    }

    fn member(&mut self, atoms: Vec<usize>, context: &BuildContext) -> Option<Member> {
        let abstraction = self.abstraction(&atoms)?;
        let table = Database::new(self.task, &abstraction, &mut self.budget, context)?;
        let values = self.samples.iter().map(|state| worth(table.h(state))).collect();
        let events = Events::new(self.task, &abstraction);
        Some(Member { atoms, table, events, values })
    }

    fn abstraction(&self, atoms: &[usize]) -> Option<Abstraction> {
        let classes = (0..self.task.variables.len()).map(|var| {
            let own = atoms.iter().map(|&atom| &self.atoms[atom]).filter(|atom| atom.vars.contains(&var));
            let mut kept = Values::NONE;
            for atom in own {
                kept = match atom.value {
                    Some(value) => kept.or(&Values::one(value)),
                    None => Values::below(self.task.size(var)),
                };
            }
            let all = kept.len() == self.task.size(var);
            let mut next = u8::from(!all && !kept.is_empty());
            let values = (0..self.task.size(var)).map(|value| match kept.contains(value as Value) {
                true => {
                    next = next.wrapping_add(1);
                    next.wrapping_sub(1)
                }
                false => 0,
            });
            values.collect()
        });
        Abstraction::new(classes.collect())
    }

    fn add(&mut self, member: Member) {
        let at = self.members.len();
        let apart = self.apart_from(&member.events);
        for (other, others) in self.apart.iter_mut().enumerate() {
            *others |= (apart >> other & 1) << at;
        }
        self.apart.push(apart);
        self.members.push(member);
        self.sets = maximal_sets(&self.apart);
    }

    /// The members to which something may be added.
    fn apart_from(&self, events: &Events) -> u32 {
        let members = self.members.iter().enumerate();
        members.filter(|(_, member)| member.events.are_apart(events)).fold(0, |set, (at, _)| set | 1 << at)
    }

    /// h of a sample as far as some sets of tables tell it.
    fn told(&self, sample: usize, sets: &[u32]) -> u32 {
        let mut each = [0; MOST_TABLES];
        for (h, member) in each.iter_mut().zip(&self.members) {
            *h = member.values[sample];
        }
        sets.iter().map(|&set| sum(set, &each)).max().unwrap_or(0)
    }

    /// By how much the sum of h over the samples, which is `now` for each, grows with one pattern more.
    fn gain(&self, events: &Events, values: &[u32], now: &[u32]) -> u64 {
        let apart = self.apart_from(events);
        let mut beside: Vec<u32> = self.sets.iter().map(|set| set & apart).collect();
        beside.sort_unstable();
        beside.dedup();
        let samples = values.iter().zip(now).enumerate();
        samples.map(|(at, (value, now))| u64::from((value + self.told(at, &beside)).saturating_sub(*now))).sum()
    }
}

fn worth(h: u32) -> u32 {
    if h == DEAD { DEAD_WORTH } else { h }
}

/// The variables, each with those that stand in an operator which writes it.
fn variables(task: &Task) -> Vec<Atom> {
    let mut neighbors = vec![BTreeSet::new(); task.variables.len()];
    for operator in &task.operators {
        let asked = operator.conditions.iter().chain(operator.either.iter().flatten().flatten());
        let mut read: BTreeSet<Var> = asked.map(|&(var, _)| var).collect();
        for effect in &operator.effects {
            read.insert(effect.target);
            if let Source::Of(var, _) = &effect.source {
                read.insert(*var);
            }
        }
        operator.effects.iter().for_each(|effect| neighbors[effect.target].extend(&read));
    }
    let goal = in_goals(task);
    let atoms = neighbors.into_iter().enumerate().map(|(var, neighbors)| Atom {
        vars: vec![var],
        value: None,
        name: task.variables[var].name.clone(),
        in_goal: goal.iter().any(|(of, _)| *of == var),
        neighbors,
    });
    atoms.collect()
}

/// The symbols; a variable of two values has one.
fn symbols(task: &Task) -> Vec<Atom> {
    let goal = in_goals(task);
    let kinds: BTreeSet<&Vec<String>> = task.variables.iter().map(|variable| &variable.values).collect();
    let mut atoms = Vec::new();
    for names in kinds {
        let vars: Vec<Var> = (0..task.variables.len()).filter(|&var| task.variables[var].values == *names).collect();
        let first = usize::from(names.len() == 2);
        for (value, name) in names.iter().enumerate().skip(first) {
            let value = value as Value;
            let wanted = |&(var, values): &(Var, Values)| {
                vars.contains(&var) && (values.contains(value) || first == 1) && values.len() < names.len()
            };
            let in_goal = goal.iter().any(wanted);
            let (vars, name) = (vars.clone(), name.clone());
            atoms.push(Atom { vars, value: Some(value), name, in_goal, neighbors: BTreeSet::new() });
        }
    }
    for at in 0..atoms.len() {
        atoms[at].neighbors = (0..atoms.len()).filter(|&other| other != at).collect();
    }
    atoms
}

/// What the goals speak of.
fn in_goals(task: &Task) -> Vec<(Var, Values)> {
    let goals = task.goals.iter();
    goals
        .flat_map(|goal| goal.conditions.iter().chain(goal.counts.iter().flat_map(|count| &count.of)))
        .copied()
        .collect()
}
