//! The rules of a puzzle split into applications, against which claims are checked one rule at a time.
//!
//! Each application of a rule (at a place, in an image, with a choice of parameters) is tried with every choice of
//! values for the variables that it reads. Only values that can occur at all are tried: those of the start, and those
//! that applications write, until nothing new appears (delete relaxation; Bonet and Geffner 2001). So the changes found
//! include those of every legal move, although no state space is searched.

use crate::argument::{Sum, Weights, fact};
use crate::domain::{GroundGoal, GroundRules, Trace};
use crate::search::{Limits, Stop};
use rustc_hash::FxHashSet;
use std::collections::{BTreeSet, HashMap, HashSet, VecDeque};
use std::slice::from_ref;

/// The greatest number of choices of values to try.
const MAX_CHOICES: usize = 1_000_000;

/// The greatest number of alternatives of a goal's expressions to distinguish.
const MAX_ALTERNATIVES: usize = 4_096;

/// The greatest number of sums, or of states of an abstraction, to examine.
const MAX_SUMS: usize = 1_000_000;

/// A variable with one of its values.
pub(super) type Fact = (usize, u32);

/// The name of a variable, and its values with their texts.
type Named = (String, Vec<(u32, String)>);

/// Weights by variable and value.
pub(super) type ByValue = Vec<HashMap<u32, i64>>;

/// The effect of an application, for some values of the variables that it reads.
pub(super) struct Change {
    /// The variables that it reads, with their values.
    pub reads: Vec<Fact>,
    /// The variables that it writes, with their new values; some may have that value before.
    pub writes: Vec<Fact>,
}

/// A part of a goal: the positions in which each variable has one of certain values.
#[derive(Clone)]
pub(super) struct Alternative {
    /// The index of the goal.
    pub goal: usize,
    /// By variable, the values that it may have.
    pub values: Vec<Vec<u32>>,
}

/// The rules, split into applications.
pub(super) struct Checker<'a> {
    pub parts: &'a dyn GroundRules,
    names: Vec<Named>,
    facts: HashMap<String, Fact>,
    pub start: Vec<u32>,
    /// By variable, the values that can occur at all.
    pub reached: Vec<Vec<u32>>,
    pub changes: Vec<Change>,
    pub targets: Vec<GroundGoal>,
    /// The alternatives of all goals, without those that require values that never occur.
    pub alternatives: Vec<Alternative>,
    /// True if the alternatives allow more than the goals do.
    pub looser: bool,
    stop: Stop,
}

/// There is too much to count, or a limit is reached.
pub(super) struct TooMany;

impl<'a> Checker<'a> {
    /// Splits the rules into applications; `None` if there are too many choices of values, or a limit is reached.
    pub fn new(parts: &'a dyn GroundRules, start: Vec<u32>, limits: &Limits) -> Option<Checker<'a>> {
        let names = parts.variables();
        let facts = names.iter().enumerate().flat_map(|(var, (name, values))| {
            values.iter().map(move |(value, text)| (fact(name, text), (var, *value)))
        });
        let mut checker = Checker {
            parts,
            facts: facts.collect(),
            names,
            reached: start.iter().map(|&value| vec![value]).collect(),
            start,
            changes: Vec::new(),
            targets: parts.goals(),
            alternatives: Vec::new(),
            looser: false,
            stop: limits.stop(),
        };
        checker.find_changes()?;
        checker.find_alternatives();
        Some(checker)
    }

    /// Finds the effects of applications, and the values that can occur.
    fn find_changes(&mut self) -> Option<()> {
        let count = self.parts.applications();
        let mut by_application: Vec<Vec<Change>> = (0..count).map(|_| Vec::new()).collect();
        let mut read_by: Vec<BTreeSet<usize>> = vec![BTreeSet::new(); self.start.len()];
        let mut open: VecDeque<usize> = (0..count).collect();
        let mut is_open = vec![true; count];
        let mut tried = 0;
        while let Some(application) = open.pop_front() {
            is_open[application] = false;
            let mut changes = Vec::new();
            let parts = self.parts;
            let choices = Choices { reached: &self.reached, start: &self.start };
            let all = choices.each(&self.stop, &mut tried, MAX_CHOICES, &mut |reads, position| {
                let trace = Trace::new(position.to_vec());
                let Some(after) = parts.apply(application, &trace) else { return trace.read() };
                let read = trace.read();
                if read.iter().all(|var| reads.contains(var)) {
                    changes.extend(change(parts, &self.names, application, position, &after, reads));
                }
                read
            });
            let all_read = all?;
            for var in all_read {
                read_by[var].insert(application);
            }
            for &(var, value) in changes.iter().flat_map(|change: &Change| &change.writes) {
                if !self.reached[var].contains(&value) {
                    self.reached[var].push(value);
                    for &reader in &read_by[var] {
                        if !std::mem::replace(&mut is_open[reader], true) {
                            open.push_back(reader);
                        }
                    }
                }
            }
            by_application[application] = changes;
        }
        self.changes = by_application.into_iter().flatten().collect();
        Some(())
    }

    /// Finds the alternatives of each goal: its values, restricted by its expressions if there are few choices.
    fn find_alternatives(&mut self) {
        for (goal, target) in self.targets.iter().enumerate() {
            let mut values = self.reached.clone();
            for (var, allowed) in &target.values {
                values[*var].retain(|value| allowed.contains(value));
            }
            if values.iter().any(Vec::is_empty) {
                continue;
            }
            let first = values.iter().map(|values| values[0]).collect::<Vec<u32>>();
            let choices = Choices { reached: &values, start: &first };
            let mut alternatives = Vec::new();
            let mut tried = 0;
            let parts = self.parts;
            let all = choices.each(&self.stop, &mut tried, MAX_ALTERNATIVES, &mut |reads, position| {
                let trace = Trace::new(position.to_vec());
                let holds = parts.holds(goal, &trace);
                let read = trace.read();
                if holds && read.iter().all(|var| reads.contains(var)) {
                    alternatives.push(reads.iter().map(|&var| (var, position[var])).collect::<Vec<Fact>>());
                }
                read
            });
            if all.is_none() {
                self.looser = true;
                self.alternatives.push(Alternative { goal, values });
                continue;
            }
            for fixed in alternatives {
                let mut values = values.clone();
                fixed.into_iter().for_each(|(var, value)| values[var] = vec![value]);
                self.alternatives.push(Alternative { goal, values });
            }
        }
    }

    /// Returns the weights, indexed by variable and value.
    pub fn weights(&self, named: &Weights) -> Result<ByValue, String> {
        let mut weights = vec![HashMap::new(); self.start.len()];
        for (name, &weight) in named {
            let (var, value) = self.fact(name)?;
            weights[var].insert(value, weight);
        }
        Ok(weights)
    }

    /// Returns the fact of a name.
    ///
    /// # Errors
    /// That there is none.
    pub fn fact(&self, name: &str) -> Result<Fact, String> {
        self.facts.get(name).copied().ok_or_else(|| format!("it names `{name}`, which is not a fact of this puzzle"))
    }

    /// Returns all facts that have the same values, by their names, as some facts.
    pub fn facts_with_values_of<'n>(&self, names: impl Iterator<Item = &'n String>) -> FxHashSet<Fact> {
        let value = |name: &str| name.split_once(" = ").map_or(String::new(), |(_, value)| value.to_owned());
        let values: HashSet<String> = names.map(|name| value(name)).collect();
        self.facts.iter().filter(|(name, _)| values.contains(&value(name))).map(|(_, &fact)| fact).collect()
    }

    /// Checks that no change lowers a weighted sum.
    ///
    /// # Errors
    /// A message that names the first change that does.
    pub fn is_never_lowered(&self, weights: &ByValue) -> Result<(), String> {
        for change in &self.changes {
            let least = self.least_step(weights, change);
            if least < 0 {
                return Err(format!("{} lowers its weighted sum by {}", self.describe(change), -least));
            }
        }
        Ok(())
    }

    /// Checks that a sum is as claimed at the start, and that all changes preserve it.
    ///
    /// # Errors
    /// A message that names the first change or value that differs.
    pub fn is_kept(&self, claimed: &Sum) -> Result<(), String> {
        let weights = self.weights(&claimed.weights)?;
        let here = modulo(sum(&weights, &self.start), claimed.modulus);
        if here != modulo(claimed.start.into(), claimed.modulus) {
            return Err(format!("it claims a sum of {} at the start, where it is {here}", claimed.start));
        }
        for change in &self.changes {
            let steps = self.steps(&weights, change);
            let first: i128 = steps.iter().map(|steps| steps[0]).sum();
            // One more variable with another step: if none of these changes the sum, then no choice of steps does.
            let others = steps.iter().flat_map(|steps| steps.iter().map(|step| first - steps[0] + step));
            let changed = |difference: &i128| modulo(*difference, claimed.modulus) != 0;
            if let Some(difference) = std::iter::once(first).chain(others).find(changed) {
                return Err(format!("{} changes its sum by {difference}", self.describe(change)));
            }
        }
        Ok(())
    }

    /// Returns, for each variable that a change writes, what that may add to a sum: several numbers if the change does
    /// not read the variable.
    fn steps(&self, weights: &ByValue, change: &Change) -> Vec<Vec<i128>> {
        let steps = |&(var, value): &Fact| {
            let read = change.reads.iter().find(|(read, _)| *read == var);
            let old = read.map_or(&self.reached[var][..], |(_, old)| from_ref(old));
            old.iter().map(|&old| weight(weights, var, value) - weight(weights, var, old)).collect()
        };
        change.writes.iter().map(steps).collect()
    }

    /// Returns the least that a change may add to a sum.
    fn least_step(&self, weights: &ByValue, change: &Change) -> i128 {
        self.steps(weights, change).iter().filter_map(|steps| steps.iter().min()).sum()
    }

    /// Describes a change for people.
    pub fn describe(&self, change: &Change) -> String {
        let names = |facts: &[Fact]| {
            let names: Vec<String> = facts.iter().map(|&fact| self.describe_fact(fact)).collect();
            crate::argument::listed(&names, 6)
        };
        let before = if change.reads.is_empty() { String::new() } else { format!(" where {}", names(&change.reads)) };
        format!("a rule that writes {}{before}", names(&change.writes))
    }

    fn describe_fact(&self, (var, value): Fact) -> String {
        let (variable, values) = &self.names[var];
        let text = values.iter().find(|(number, _)| *number == value).map(|(_, text)| fact(variable, text));
        text.unwrap_or_else(|| variable.clone())
    }

    /// Returns the greatest sum in an alternative of a goal; `None` if its counts cannot hold.
    pub fn extreme(&self, alternative: &Alternative, weights: &[HashMap<u32, i64>]) -> Result<Option<i128>, TooMany> {
        let target = &self.targets[alternative.goal];
        let mut best: HashMap<Vec<u32>, i128> = HashMap::from([(vec![0; target.counts.len()], 0)]);
        for (var, values) in alternative.values.iter().enumerate() {
            let mut next: HashMap<Vec<u32>, i128> = HashMap::new();
            for (number, (counts, sum)) in best.iter().enumerate() {
                self.may_go_on(number, next.len())?;
                for &value in values {
                    let Some(counts) = counted(target, counts, var, value) else { continue };
                    let sum = sum + weights.get(var).and_then(|own| own.get(&value)).map_or(0, |&weight| weight.into());
                    let most = next.entry(counts).or_insert(sum);
                    *most = sum.max(*most);
                }
            }
            best = next;
        }
        Ok(best.into_iter().filter(|(counts, _)| suffices(target, counts)).map(|(_, sum)| sum).max())
    }

    /// Checks the number of sums, and now and then the limits; called with the number of the step.
    ///
    /// # Errors
    /// There are too many sums to examine, or a limit is reached.
    pub(super) fn may_go_on(&self, step: usize, sums: usize) -> Result<(), TooMany> {
        let is_stopped = step.is_multiple_of(256) && self.stop.now().is_some();
        if sums > MAX_SUMS || is_stopped { Err(TooMany) } else { Ok(()) }
    }
}

/// Choices of values for the variables that are read.
struct Choices<'a> {
    reached: &'a [Vec<u32>],
    start: &'a [u32],
}

/// A trial of a choice: receives the chosen variables and a position with the chosen values. Returns the variables that
/// it reads.
type Attempt<'a> = dyn FnMut(&[usize], &[u32]) -> Vec<usize> + 'a;

impl Choices<'_> {
    /// Calls `attempt` with each choice that makes a difference: with the chosen variables, and a position with the
    /// chosen values. `attempt` returns the variables that it read, in order. If some of them have not been chosen, it
    /// is called again. Returns all variables that were read; `None` if there are too many choices.
    fn each(&self, stop: &Stop, tried: &mut usize, most: usize, attempt: &mut Attempt) -> Option<BTreeSet<usize>> {
        let mut all_read = BTreeSet::new();
        let mut position = self.start.to_vec();
        // The chosen variables, each with the index of its value among its possible values.
        let mut chosen: Vec<usize> = Vec::new();
        let mut places: Vec<usize> = Vec::new();
        loop {
            *tried += 1;
            if *tried > most || tried.is_multiple_of(1024) && stop.now().is_some() {
                return None;
            }
            let read = attempt(&chosen, &position);
            let new: Vec<usize> = read.into_iter().filter(|var| !chosen.contains(var)).collect();
            if !new.is_empty() {
                for var in new {
                    all_read.insert(var);
                    position[var] = self.reached[var][0];
                    chosen.push(var);
                    places.push(0);
                }
                continue;
            }
            // Advance to the next choice: that of the last variable with a value left.
            loop {
                let (Some(&var), Some(place)) = (chosen.last(), places.last_mut()) else { return Some(all_read) };
                *place += 1;
                if let Some(&value) = self.reached[var].get(*place) {
                    position[var] = value;
                    break;
                }
                position[var] = self.start[var];
                chosen.pop();
                places.pop();
            }
        }
    }
}

/// Returns the change that an application makes in a position, if any. `reads` are all variables that it reads, and
/// `names` are all variables with their values.
fn change(
    parts: &dyn GroundRules,
    names: &[Named],
    application: usize,
    position: &[u32],
    after: &[u32],
    reads: &[usize],
) -> Option<Change> {
    // A variable that is written without being read shows in a second position, in which all unread variables differ.
    // Any value serves, also one that no change is known to write yet: a change that restores the value of the start is
    // one only where another change has written something else.
    let mut other = position.to_vec();
    for (var, value) in other.iter_mut().enumerate().filter(|(var, _)| !reads.contains(var)) {
        *value = names[var].1.iter().map(|&(other, _)| other).find(|other| other != value).unwrap_or(*value);
    }
    let after_other = parts.apply(application, &Trace::untraced(other.clone()))?;
    let is_written = |var: usize| after[var] != position[var] || after_other[var] != other[var];
    let writes: Vec<Fact> = (0..after.len()).filter(|&var| is_written(var)).map(|var| (var, after[var])).collect();
    let reads = reads.iter().map(|&var| (var, position[var])).collect();
    (!writes.is_empty()).then_some(Change { reads, writes })
}

pub(super) fn modulo(number: i128, modulus: Option<u32>) -> i128 {
    modulus.filter(|&modulus| modulus > 0).map_or(number, |modulus| number.rem_euclid(modulus.into()))
}

pub(super) fn weight(weights: &ByValue, var: usize, value: u32) -> i128 {
    weights[var].get(&value).map_or(0, |&weight| weight.into())
}

pub(super) fn sum(weights: &ByValue, position: &[u32]) -> i128 {
    position.iter().enumerate().map(|(var, &value)| weight(weights, var, value)).sum()
}

/// Returns the counts of a goal after one more variable; `None` if one exceeds its upper limit.
pub(super) fn counted(target: &GroundGoal, counts: &[u32], var: usize, value: u32) -> Option<Vec<u32>> {
    let mut counts = counts.to_vec();
    for (number, count) in counts.iter_mut().zip(&target.counts) {
        let own = count.facts.binary_search_by_key(&var, |(of, _)| *of);
        if own.is_ok_and(|at| count.facts[at].1.contains(&value)) {
            *number += 1;
            if *number > count.most {
                return None;
            }
            // Without an upper limit, counts above the lower limit need not be distinguished.
            if count.most as usize >= count.facts.len() {
                *number = (*number).min(count.least);
            }
        }
    }
    Some(counts)
}

pub(super) fn suffices(target: &GroundGoal, counts: &[u32]) -> bool {
    counts.iter().zip(&target.counts).all(|(number, count)| *number >= count.least)
}
