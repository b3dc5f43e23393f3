//! Groups of rules, and loops of groups.

use super::expand::expand;
use super::names::Names;
use super::rule::{Rule, rows};
use crate::game::{Game, RuleLine};
use std::collections::BTreeMap;

/// The rules before movement, or the late ones.
#[derive(Clone, Debug, Default)]
pub(super) struct Phase {
    pub groups: Vec<Group>,
}

/// Rules that are repeated together.
#[derive(Clone, Debug)]
pub(super) struct Group {
    pub rules: Vec<Rule>,
    /// One match of all is drawn and applied.
    pub random: bool,
    /// The number of the group among the rigid groups, from 1.
    pub rigid: Option<u32>,
    /// The group to go back to after this one, if a loop ends here.
    pub back: Option<usize>,
}

/// Returns the phases of a turn: before movement, and late.
pub(super) fn phases(game: &Game, names: &Names) -> (Phase, Phase) {
    let (mut early, mut late) = (BTreeMap::new(), BTreeMap::new());
    for line in &game.rules {
        let RuleLine::Rule(written) = line else { continue };
        for rule in expand(written, names) {
            let Some(rows) = rows(&rule, names) else { continue };
            let rule = Rule {
                line: written.at.line,
                direction: rule.direction,
                rows,
                replaces: !written.right.is_empty(),
                rigid: written.rigid && !written.late,
                commands: written.commands.clone(),
            };
            let phase = if written.late { &mut late } else { &mut early };
            let group: &mut Vec<(Rule, bool)> = phase.entry(written.group).or_default();
            group.push((rule, written.random));
        }
    }
    let loops = loops(game);
    (phase(early, &loops), phase(late, &loops))
}

fn phase(written: BTreeMap<u32, Vec<(Rule, bool)>>, loops: &[(u32, u32)]) -> Phase {
    let mut phase = Phase::default();
    let mut rigid_groups = 0;
    for rules in written.into_values() {
        let random = rules[0].1;
        let rules: Vec<Rule> = rules.into_iter().map(|(rule, _)| rule).collect();
        let is_rigid = rules.iter().any(|rule| rule.rigid);
        rigid_groups += u32::from(is_rigid);
        phase.groups.push(Group { rules, random, rigid: is_rigid.then_some(rigid_groups), back: None });
    }
    for &(start, end) in loops {
        let is_inside = |group: &Group| (start..=end).contains(&group.rules[0].line);
        let first = phase.groups.iter().position(is_inside);
        if let Some(last) = phase.groups.iter_mut().rfind(|group| is_inside(group)) {
            last.back = first;
        }
    }
    phase
}

/// Returns the first and the last line of each loop. A loop without end has no lines but its first.
fn loops(game: &Game) -> Vec<(u32, u32)> {
    let lines = game.rules.iter().filter_map(|line| match line {
        RuleLine::StartLoop(at) | RuleLine::EndLoop(at) => Some(at.line),
        RuleLine::Rule(_) => None,
    });
    let lines: Vec<u32> = lines.collect();
    lines.chunks(2).map(|pair| (pair[0], pair[pair.len() - 1])).collect()
}
