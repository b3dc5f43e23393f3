//! Removes equal rules of one group. The last of them stays.

use super::rule::{Row, Rule};
use crate::game::{Command, Direction};
use rustc_hash::FxHashSet;

/// A key that is the same for equal rules of a group. The direction counts only if a row on the left has several cells.
type Key<'a> = (u32, Option<Direction>, [bool; 3], &'a [Row], &'a [Row], &'a [Command]);

fn key(rule: &Rule) -> Key<'_> {
    let directed = rule.left.iter().any(|row| row.len() > 1);
    (
        rule.at.line,
        directed.then_some(rule.direction),
        [rule.late, rule.rigid, rule.random],
        &rule.left,
        &rule.right,
        &rule.commands,
    )
}

/// Returns the rules without those that an equal one of the same group follows.
pub(super) fn remove(rules: Vec<Rule>) -> Vec<Rule> {
    let mut seen = FxHashSet::default();
    let mut group = None;
    let mut keep = vec![false; rules.len()];
    for (index, rule) in rules.iter().enumerate().rev() {
        if group != Some(rule.group) {
            seen.clear();
            group = Some(rule.group);
        }
        keep[index] = seen.insert(key(rule));
    }
    let mut keep = keep.into_iter();
    rules.into_iter().filter(|_| keep.next().unwrap_or_default()).collect()
}
