//! Groups of rules, loops, rigid groups.

use super::masks::Masked;
use crate::diagnostic::Diagnostics;
use crate::game::{Game, Place, RuleLine};
use crate::program::{Group, Phase};
use std::collections::BTreeMap;

/// Groups that can be rigid: their numbers must fit into five bits.
const MAX_RIGID: usize = 30;

/// The rules of a game in the order of play.
pub(super) struct Arranged {
    pub early: Phase,
    pub late: Phase,
    pub rigid_groups: Vec<usize>,
}

/// Arranges rules by groups, and groups by the line of their first rule. Late rules and others of one group are
/// separated.
pub(super) fn arrange(rules: Vec<Masked>, game: &Game, diagnostics: &mut Diagnostics) -> Arranged {
    let mut early: BTreeMap<u32, Vec<Masked>> = BTreeMap::new();
    let mut late: BTreeMap<u32, Vec<Masked>> = BTreeMap::new();
    for rule in rules {
        let groups = if rule.late { &mut late } else { &mut early };
        groups.entry(rule.group).or_default().push(rule);
    }
    let mut early = drop_overlapping(early, diagnostics);
    let late = drop_overlapping(late, diagnostics);
    let rigid_groups = number_rigid(&mut early, diagnostics);
    let loops = loops(game, diagnostics);
    Arranged { early: phase(early, &loops, diagnostics), late: phase(late, &loops, diagnostics), rigid_groups }
}

/// Drops rules that ask for two objects of one layer in a cell. If nothing of a line is left, that is an error.
fn drop_overlapping(groups: BTreeMap<u32, Vec<Masked>>, diagnostics: &mut Diagnostics) -> Vec<Vec<Masked>> {
    let mut arranged = Vec::new();
    for rules in groups.into_values() {
        let mut kept: Vec<Masked> = Vec::with_capacity(rules.len());
        let mut example = None;
        let mut rules = rules.into_iter().peekable();
        while let Some(mut rule) = rules.next() {
            let Some(pair) = rule.overlap.take() else {
                kept.push(rule);
                continue;
            };
            let same = |other: Option<&Masked>| other.is_some_and(|other| other.at.line == rule.at.line);
            let (this, that) = example.get_or_insert(pair);
            if !same(kept.last()) && !same(rules.peek()) {
                let message = format!("`{this}` and `{that}` are in the same layer: the rule never matches");
                diagnostics.error(rule.at, message);
            }
        }
        if !kept.is_empty() {
            arranged.push(kept);
        }
    }
    arranged
}

/// Gives rules in rigid groups the number of their group.
fn number_rigid(groups: &mut [Vec<Masked>], diagnostics: &mut Diagnostics) -> Vec<usize> {
    let mut rigid_groups = Vec::new();
    for (index, rules) in groups.iter_mut().enumerate() {
        if !rules.iter().any(|rule| rule.rigid) {
            continue;
        }
        rigid_groups.push(index);
        if rigid_groups.len() == MAX_RIGID + 1 {
            diagnostics.error(rules[0].at, format!("there are more than {MAX_RIGID} rigid groups"));
        }
        let number = u8::try_from(rigid_groups.len().min(MAX_RIGID + 1)).unwrap_or_default();
        rules.iter_mut().filter(|rule| rule.rigid).for_each(|rule| rule.rule.rigid = Some(number));
    }
    rigid_groups
}

/// Returns the lines of loops: first and last.
fn loops(game: &Game, diagnostics: &mut Diagnostics) -> Vec<(Place, Place)> {
    let mut points = Vec::new();
    for line in &game.rules {
        let (at, start) = match line {
            RuleLine::StartLoop(at) => (*at, true),
            RuleLine::EndLoop(at) => (*at, false),
            RuleLine::Rule(_) => continue,
        };
        let expected = points.len() % 2 == 0;
        if start != expected {
            let message = if start { "`startloop` inside a loop: loops cannot nest" } else { "`endloop` ends no loop" };
            diagnostics.error(at, message);
        }
        points.push(at);
    }
    if points.len() % 2 == 1
        && let Some(&last) = points.last()
    {
        diagnostics.error(last, "`startloop` needs an `endloop`");
        points.push(last);
    }
    points.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
}

fn phase(groups: Vec<Vec<Masked>>, lines: &[(Place, Place)], diagnostics: &mut Diagnostics) -> Phase {
    let mut loops: Vec<Option<usize>> = vec![None; groups.len()];
    for &(start, end) in lines {
        let mut first = None;
        let before = groups.partition_point(|rules| rules[rules.len() - 1].at.line < start.line);
        for (index, rules) in groups.iter().enumerate().skip(before) {
            let (from, to) = (rules[0].at.line, rules[rules.len() - 1].at.line);
            if (from..=to).contains(&start.line) || (from..=to).contains(&end.line) {
                diagnostics.error(start, "a loop begins or ends inside a group of rules");
            }
            if end.line < from {
                break;
            }
            if start.line <= from {
                let first = *first.get_or_insert(index);
                // Only the last group of a loop goes back.
                if index > 0 && loops[index - 1] == Some(first) {
                    loops[index - 1] = None;
                }
                loops[index] = Some(first);
            }
        }
    }
    let groups = groups
        .into_iter()
        .map(|rules| {
            let (random, line) = (rules[0].random, rules[0].at.line);
            Group::new(rules.into_iter().map(|rule| rule.rule).collect(), random, line)
        })
        .collect();
    Phase { groups, loops }
}
