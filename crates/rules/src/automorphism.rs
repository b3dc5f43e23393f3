//! Candidates for symmetries that no drawing shows: automorphisms of the task, such as the rotations of a triangle that
//! is drawn askew on a square grid.
//!
//! Variables are the vertices of a hypergraph, operators its edges (Pochter, Zohar and Rosenschein 2011 search such
//! graphs for symmetries). Colour refinement gives variables different colours if they play different roles; then a
//! variable is individualized in one copy and another of its colour in a second copy, and both copies are refined, until
//! all colours differ (McKay, Practical graph isomorphism, 1981). The colours are hashes, so a candidate may be wrong:
//! `symmetries` checks each.

use super::symmetry::Permutation;
use super::task::{Condition, Source, Task, Var};
use crate::domain::BuildContext;
use rustc_hash::FxHasher;
use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};

/// The most pairs of an operator and a variable that it concerns.
const MOST_INCIDENCES: usize = 20_000;

/// The most such pairs hashed, over all refinements.
const MOST_WORK: usize = 1_000_000;

/// The most candidates.
const MOST_CANDIDATES: usize = 24;

/// The colour of each variable.
type Colors = Vec<u64>;

/// The roles of variables in operators.
struct Roles {
    /// For each operator, its cost and the variables that it concerns, with their roles.
    operators: Vec<(u32, Vec<(Var, u64)>)>,
    /// For each operator, the variables whose values it copies, with those that receive them.
    copies: Vec<Vec<(Var, Var, u64)>>,
    work: usize,
}

/// Returns permutations of the variables that may be symmetries. Where `context` ends it, not all are found.
pub(super) fn automorphisms(task: &Task, context: &BuildContext) -> Vec<Permutation> {
    let mut roles = Roles::new(task);
    let incidences: usize = roles.operators.iter().map(|(_, vars)| vars.len()).sum();
    // Disjunctions are not hashed.
    if incidences > MOST_INCIDENCES || task.operators.iter().any(|operator| !operator.disjunctions.is_empty()) {
        return Vec::new();
    }
    let mut colors: Colors = (0..task.variables.len()).map(|var| initial(task, var)).collect();
    roles.refine(&mut colors);
    let mut found: Vec<Permutation> = Vec::new();
    for class in classes(&colors).into_values() {
        for &to in &class[1..] {
            if found.len() == MOST_CANDIDATES || roles.work > MOST_WORK || context.should_stop() {
                return found;
            }
            if let Some(to) = roles.individualize(&colors, class[0], &colors, to) {
                let candidate = Permutation { values: vec![Box::default(); to.len()], to };
                if !found.contains(&candidate) {
                    found.push(candidate);
                }
            }
        }
    }
    found
}

fn hash(of: impl Hash) -> u64 {
    let mut hasher = FxHasher::default();
    of.hash(&mut hasher);
    hasher.finish()
}

/// Returns a hash of the roles of a variable in the goals and in `never`, and of its values.
fn initial(task: &Task, var: Var) -> u64 {
    let values = |conditions: &[Condition]| conditions.iter().find(|(of, _)| *of == var).map(|(_, values)| *values);
    let mut roles: Vec<u64> = Vec::new();
    for goal in &task.goals {
        roles.push(hash((values(&goal.conditions), goal.conditions.len())));
        roles.extend(goal.counts.iter().map(|count| hash((values(&count.of), count.least, count.most))));
    }
    roles.extend(task.never.iter().map(|never| hash((values(never), never.len()))));
    roles.sort_unstable();
    hash((&task.variables[var].values, roles))
}

/// Returns the variables of each color.
fn classes(colors: &Colors) -> BTreeMap<u64, Vec<Var>> {
    let mut classes: BTreeMap<u64, Vec<Var>> = BTreeMap::new();
    colors.iter().enumerate().for_each(|(var, &color)| classes.entry(color).or_default().push(var));
    classes
}

impl Roles {
    fn new(task: &Task) -> Roles {
        let mut operators = Vec::new();
        let mut copies = Vec::new();
        for operator in &task.operators {
            let mut roles: BTreeMap<Var, Vec<u64>> = BTreeMap::new();
            for (var, values) in &operator.conditions {
                roles.entry(*var).or_default().push(hash(values));
            }
            let mut copied = Vec::new();
            for effect in &operator.effects {
                let role = match &effect.source {
                    Source::Value(value) => hash((1, value)),
                    Source::Table(var, table) => {
                        roles.entry(*var).or_default().push(2);
                        copied.push((*var, effect.target, hash(table)));
                        3
                    }
                };
                roles.entry(effect.target).or_default().push(role);
            }
            operators.push((operator.cost, roles.into_iter().map(|(var, roles)| (var, hash(roles))).collect()));
            copies.push(copied);
        }
        Roles { operators, copies, work: 0 }
    }

    /// Refines colors until no further ones differ.
    fn refine(&mut self, colors: &mut Colors) {
        let mut different = classes(colors).len();
        loop {
            let mut seen: Vec<Vec<u64>> = vec![Vec::new(); colors.len()];
            for ((cost, vars), copies) in self.operators.iter().zip(&self.copies) {
                let mut edge: Vec<u64> = vars.iter().map(|&(var, role)| hash((colors[var], role))).collect();
                edge.sort_unstable();
                let mut copied: Vec<u64> =
                    copies.iter().map(|&(from, to, table)| hash((colors[from], colors[to], table))).collect();
                copied.sort_unstable();
                let edge = hash((cost, edge, copied));
                vars.iter().for_each(|&(var, role)| seen[var].push(hash((edge, role))));
                self.work += vars.len();
            }
            for (color, mut seen) in colors.iter_mut().zip(seen) {
                seen.sort_unstable();
                *color = hash((*color, seen));
            }
            let now = classes(colors).len();
            if now == different {
                return;
            }
            different = now;
        }
    }

    /// Returns a permutation that maps `from` to `to` and colors to equal colors; none if the first attempts fail.
    fn individualize(&mut self, left: &Colors, from: Var, right: &Colors, to: Var) -> Option<Vec<Var>> {
        let (mut left, mut right) = (left.clone(), right.clone());
        let (mut from, mut to) = (from, to);
        loop {
            left[from] = hash((left[from], "individual"));
            right[to] = hash((right[to], "individual"));
            self.refine(&mut left);
            self.refine(&mut right);
            let (lefts, rights) = (classes(&left), classes(&right));
            let sizes = |classes: &BTreeMap<u64, Vec<Var>>| -> Vec<(u64, usize)> {
                classes.iter().map(|(&color, vars)| (color, vars.len())).collect()
            };
            if sizes(&lefts) != sizes(&rights) || self.work > MOST_WORK {
                return None;
            }
            // The first that still look alike are mapped to each other, without backtracking.
            match lefts.iter().zip(&rights).find(|((_, vars), _)| vars.len() > 1) {
                Some(((_, vars), (_, others))) => (from, to) = (vars[0], others[0]),
                None => return Some(left.iter().map(|color| rights[color][0]).collect()),
            }
        }
    }
}
