//! Checks that facts exclude each other, against the rules, one rule at a time.
//!
//! Two facts exclude each other if they do not both hold at the start, and each change that makes one of them ends the
//! other, needs it to be absent, or needs a fact that itself excludes the other (Haslum and Geffner 2000).

use super::checker::{Alternative, Change, Checker, Fact};
use std::collections::{HashMap, HashSet};

/// Facts that are claimed to exclude each other.
pub(super) struct Exclusion {
    /// Those that never hold.
    never: HashSet<Fact>,
    /// For each fact, those that exclude it.
    others: HashMap<Fact, HashSet<Fact>>,
}

impl Exclusion {
    /// Reads facts that never hold, and groups of facts, at most one of each of which can hold.
    ///
    /// # Errors
    /// A name that is not a fact.
    pub fn new(checker: &Checker, never: &[String], groups: &[Vec<String>]) -> Result<Exclusion, String> {
        let read =
            |names: &[String]| names.iter().map(|name| checker.fact(name)).collect::<Result<Vec<Fact>, String>>();
        let mut others: HashMap<Fact, HashSet<Fact>> = HashMap::new();
        for group in groups {
            let mut facts = read(group)?;
            facts.sort_unstable();
            facts.dedup();
            for &fact in &facts {
                others.entry(fact).or_default().extend(facts.iter().filter(|other| **other != fact));
            }
        }
        Ok(Exclusion { never: read(never)?.into_iter().collect(), others })
    }

    /// Checks that the claim holds at the start and that every change keeps it.
    ///
    /// # Errors
    /// A message that names the first change that does not.
    pub fn check(&self, checker: &Checker) -> Result<(), String> {
        if !self.is_kept(&checker.start) {
            return Err("facts hold at the start that it says never do, or exclude each other".to_owned());
        }
        match checker.changes.iter().find(|change| !self.keeps(change)) {
            Some(change) => {
                let change = checker.describe(change);
                Err(format!("{change} may make facts hold that it says never do, or exclude each other"))
            }
            None => Ok(()),
        }
    }

    /// Returns whether all facts of a position may hold, and no two of them exclude each other.
    pub fn is_kept(&self, position: &[u32]) -> bool {
        let holds = |&(var, value): &Fact| position[var] == value;
        let mut facts = position.iter().copied().enumerate();
        !facts.any(|fact| {
            self.never.contains(&fact) || self.others.get(&fact).is_some_and(|others| others.iter().any(holds))
        })
    }

    fn exclude(&self, one: Fact, other: Fact) -> bool {
        one.0 == other.0 && one.1 != other.1 || self.others.get(&one).is_some_and(|others| others.contains(&other))
    }

    fn keeps(&self, change: &Change) -> bool {
        let is_ruled_out = |fact: Fact| change.reads.iter().any(|&read| self.exclude(read, fact));
        if change.reads.iter().any(|&read| self.never.contains(&read) || is_ruled_out(read)) {
            return true;
        }
        let is_harmless = |&(var, value): &Fact| match change.writes.iter().find(|(written, _)| *written == var) {
            Some(&(_, written)) => written != value,
            None => is_ruled_out((var, value)),
        };
        let may_hold = |fact: &Fact| !self.never.contains(fact);
        change.writes.iter().all(may_hold)
            && change
                .writes
                .iter()
                .all(|fact| self.others.get(fact).is_none_or(|others| others.iter().all(is_harmless)))
    }

    /// Returns the part of an alternative that can be reached: without values that are excluded by all values that
    /// another variable may have.
    pub fn narrowed(&self, alternative: &Alternative) -> Alternative {
        let mut narrowed = alternative.clone();
        for (var, values) in narrowed.values.iter_mut().enumerate() {
            values.retain(|&value| !self.never.contains(&(var, value)));
        }
        for (var, values) in alternative.values.iter().enumerate() {
            for (other, left) in narrowed.values.iter_mut().enumerate().filter(|(other, _)| *other != var) {
                left.retain(|&value| !values.iter().all(|&own| self.exclude((var, own), (other, value))));
            }
        }
        narrowed
    }
}
