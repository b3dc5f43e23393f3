//! Applies groups of rules and loops of groups.

use super::Workspace;
use super::matching::Match;
use crate::program::{Group, Program, Rule};
use crate::random::Random;

/// Passes over a group, after which it ends even if something still changes.
const MAX_PASSES: usize = 200;

/// Rounds of loops in a phase, after which the phase ends.
const MAX_ROUNDS: usize = 200;

/// Cells of a rule whose replacement counts as one step more.
const CELLS_A_STEP: usize = 8;

/// Matches of a row for which memory is kept from rule to rule.
const KEPT_MATCHES: usize = 1 << 16;

impl Workspace {
    /// Applies all groups of a phase in order.
    pub(super) fn apply_phase(&mut self, program: &Program, late: bool, random: &mut Random) {
        let phase = if late { &program.late } else { &program.early };
        let rigid = !program.rigid_groups.is_empty();
        // Whether anything has changed since the last jump back. Entering a loop does not reset it.
        let mut changed = false;
        let mut rounds = 0;
        let mut index = 0;
        while index < phase.groups.len() {
            if late || !rigid || !self.banned[index] {
                changed |= self.apply_group(program, &phase.groups[index], random);
            }
            match phase.loops[index] {
                Some(start) if changed => {
                    index = start;
                    changed = false;
                    rounds += 1;
                    if rounds > MAX_ROUNDS {
                        return;
                    }
                }
                _ => index += 1,
            }
        }
    }

    /// Applies the rules of a group in order, pass after pass, until none of them changes anything. Returns whether
    /// anything changed.
    fn apply_group(&mut self, program: &Program, group: &Group, random: &mut Random) -> bool {
        if group.random {
            return self.apply_random(program, group, random);
        }
        let mut ever = false;
        // Rules tried since the last change: once these are all, another pass would find what this one did. It would
        // draw other numbers, though.
        let mut quiet = 0;
        let enough = if program.is_random() { usize::MAX } else { group.rules.len() };
        for _ in 0..MAX_PASSES {
            let mut changed = false;
            self.spend(group.rules.len());
            for (gate, rule) in group.gates.iter().zip(&group.rules) {
                if self.places.open(gate) && self.apply_rule(program, rule, random) {
                    (changed, quiet) = (true, 0);
                    continue;
                }
                quiet += 1;
                if quiet == enough {
                    return ever | changed;
                }
            }
            if !changed {
                break;
            }
            ever = true;
        }
        ever
    }

    /// Finds the matches of all rows of a rule. Returns false if some row has none, or if the turn gives up.
    fn find_all(&mut self, rule: &Rule, found: &mut Vec<Vec<Match>>) -> bool {
        if found.len() < rule.rows.len() {
            found.resize_with(rule.rows.len(), Vec::new);
        }
        let mut held = 0;
        for (row, found) in rule.rows.iter().zip(found) {
            self.find_row(row, rule.direction, held, found);
            held += found.len();
            self.has_many_matches |= found.len() > KEPT_MATCHES;
            if found.is_empty() || self.gave_up() {
                return false;
            }
        }
        !rule.rows.is_empty()
    }

    /// Keeps the buffers of matches for the next rule, except large ones: many rules could each leave others.
    fn keep_buffers(&mut self, mut found: Vec<Vec<Match>>) {
        if self.has_many_matches {
            self.has_many_matches = false;
            found.iter_mut().filter(|found| found.capacity() > KEPT_MATCHES).for_each(|found| *found = Vec::new());
        }
        self.matches = found;
    }

    /// Returns how many combinations of matches there are. None if that is too much work: the turn gives up.
    fn combinations(&mut self, found: &[Vec<Match>]) -> Option<usize> {
        let count = found.iter().fold(1_usize, |count, found| count.saturating_mul(found.len()));
        if count > self.work_left() {
            self.give_up();
        }
        (!self.gave_up()).then_some(count)
    }

    /// Applies a rule at all combinations of matches of its rows. Returns whether anything changes.
    fn apply_rule(&mut self, program: &Program, rule: &Rule, random: &mut Random) -> bool {
        let mut found = std::mem::take(&mut self.matches);
        let mut changed = false;
        if !self.gave_up() && self.find_all(rule, &mut found) {
            if rule.replaces
                && let found = &found[..rule.rows.len()]
                && let Some(combinations) = self.combinations(found)
            {
                let work = 1 + rule.rows.iter().map(|row| row.cells.len()).sum::<usize>() / CELLS_A_STEP;
                for number in 0..combinations {
                    self.spend(work);
                    if self.gave_up() {
                        break;
                    }
                    // From the second one on, earlier replacements may have taken the match away.
                    if number == 0 || self.still_matches(rule, found, number) {
                        changed |= self.replace_all(program, rule, combination(found, number), random);
                    }
                }
            }
            self.commands.add(rule);
        }
        self.keep_buffers(found);
        changed
    }

    fn still_matches(&self, rule: &Rule, found: &[Vec<Match>], number: usize) -> bool {
        rule.rows.iter().zip(combination(found, number)).all(|(row, at)| self.matches_row(row, rule.direction, at))
    }

    /// Draws one of all matches of all rules of a group, and applies it once. Returns whether it changes anything.
    fn apply_random(&mut self, program: &Program, group: &Group, random: &mut Random) -> bool {
        let mut found = std::mem::take(&mut self.matches);
        let mut counts = Vec::with_capacity(group.rules.len());
        for rule in &group.rules {
            let any = !self.gave_up() && self.find_all(rule, &mut found);
            let count = if any { self.combinations(&found[..rule.rows.len()]) } else { None };
            counts.push(count.unwrap_or(0));
        }
        let total = counts.iter().fold(0_usize, |total, &count| total.saturating_add(count));
        let mut changed = false;
        if total > 0 && !self.gave_up() {
            let mut number = random.below(total);
            for (rule, &count) in group.rules.iter().zip(&counts) {
                if number < count {
                    if !self.find_all(rule, &mut found) {
                        break;
                    }
                    let found = &found[..rule.rows.len()];
                    changed = self.replace_all(program, rule, combination(found, number), random);
                    self.commands.add(rule);
                    break;
                }
                number -= count;
            }
        }
        self.keep_buffers(found);
        changed
    }
}

/// Returns the combination of matches with a number: that of the first row changes fastest.
fn combination(found: &[Vec<Match>], number: usize) -> impl Iterator<Item = Match> + '_ {
    let mut rest = number;
    found.iter().map(move |found| {
        let at = found[rest % found.len()];
        rest /= found.len();
        at
    })
}
