//! LM-cut: the summed costs of landmarks of the relaxed task (Helmert and Domshlak, Landmarks, critical paths and
//! abstractions: what's the difference anyway?, ICAPS 2009).
//!
//! In the relaxed task (see [`relaxation`]) variables accumulate values. h^max counts only the most expensive
//! precondition of each operator, recursively. The justification graph has an edge from a most expensive precondition
//! of each operator (its supporter) to each of its effects. The goal zone holds the facts with a path of cost 0 to the
//! goal. The operators with an edge from outside, reachable from the state, into the goal zone are a cut: a landmark,
//! since every relaxed plan uses one of them. Its least operator cost is added to h and subtracted from all of its
//! operators. This repeats until h^max of the goal is 0.
//!
//! It is admissible: each cut is a disjunctive action landmark under the remaining costs, and the costs subtracted from
//! an operator never exceed its own, so this is a cost partitioning over landmarks. An operator whose effects depend on
//! old values is split into one operator of the same cost for each combination of old values, since a move uses one
//! combination (context splitting: Röger, Pommerening and Helmert, Optimal planning in the presence of conditional
//! effects, ECAI 2014). If there are too many, the operator gets parts that apply independently and share one cost: a
//! cut with any part reduces that cost (Keyder, Hoffmann and Haslum, Semi-relaxed plan heuristics, ICAPS 2012). A state
//! whose relaxed task is unsolvable is a dead end. h is not consistent.

mod relaxation;

use super::DEAD;
use crate::domain::Means;
use crate::task::{Task, Value};
use parking_lot::Mutex;
use relaxation::{GOAL, Prop, Relaxation, TRUE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// The h^max of an unreachable fact.
const FAR: u32 = u32::MAX;

/// No fact.
const NONE: Prop = Prop::MAX;

/// The relaxed task, and a pool of workspaces for concurrent evaluations.
pub(in super::super) struct LmCut {
    relaxation: Relaxation,
    free: Mutex<Vec<Work>>,
}

/// The workspace of one evaluation.
#[derive(Clone)]
struct Work {
    /// The remaining cost of each operator.
    costs: Vec<u32>,
    /// The h^max of each fact.
    reach: Vec<u32>,
    /// For each part: the number of unreached preconditions, the most expensive precondition, and its h^max.
    missing: Vec<u32>,
    supporter: Vec<Prop>,
    support: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, Prop)>>,
    /// For each fact: whether it is in the goal zone, and whether it is reachable outside of it.
    goal_side: Vec<bool>,
    met: Vec<bool>,
    stack: Vec<Prop>,
    /// The parts of the cut.
    cut: Vec<u32>,
}

impl LmCut {
    pub fn new(task: &Task, means: &Means) -> Result<LmCut, String> {
        let relaxation = Relaxation::new(task)?;
        if !means.fits(relaxation.bytes()) {
            return Err(super::ended());
        }
        Ok(LmCut { relaxation, free: Mutex::new(Vec::new()) })
    }

    pub fn h(&self, state: &[Value]) -> u32 {
        let held = self.free.lock().pop();
        let mut work = held.unwrap_or_else(|| Work::new(&self.relaxation));
        let h = work.h(&self.relaxation, state);
        self.free.lock().push(work);
        h
    }

    pub fn bytes(&self) -> u64 {
        self.relaxation.bytes()
    }

    pub fn describe(&self) -> String {
        format!("{} facts and {} relaxed operators", self.relaxation.props, self.relaxation.costs.len())
    }
}

impl Work {
    fn new(relaxation: &Relaxation) -> Work {
        let (props, parts) = (relaxation.props, relaxation.parts());
        Work {
            costs: Vec::new(),
            reach: vec![FAR; props],
            missing: vec![0; parts],
            supporter: vec![NONE; parts],
            support: vec![FAR; parts],
            queue: BinaryHeap::new(),
            goal_side: vec![false; props],
            met: vec![false; props],
            stack: Vec::new(),
            cut: Vec::new(),
        }
    }

    fn h(&mut self, relaxation: &Relaxation, state: &[Value]) -> u32 {
        self.costs.clone_from(&relaxation.costs);
        self.explore(relaxation, state);
        if self.reach[GOAL as usize] == FAR {
            return DEAD;
        }
        let mut h: u32 = 0;
        while self.reach[GOAL as usize] > 0 {
            self.find_goal_side(relaxation);
            self.find_cut(relaxation, state);
            let costs = self.cut.iter().map(|&part| self.costs[relaxation.operator[part as usize] as usize]);
            let least = costs.min().unwrap_or(0);
            // Guards against an endless loop. It never happens.
            if least == 0 {
                break;
            }
            h = h.saturating_add(least);
            self.pay(relaxation, least);
        }
        h.min(DEAD - 1)
    }

    /// Computes h^max of all facts.
    fn explore(&mut self, relaxation: &Relaxation, state: &[Value]) {
        self.reach.fill(FAR);
        self.supporter.fill(NONE);
        self.support.fill(FAR);
        self.missing.clone_from(&relaxation.preconditions);
        for fact in relaxation.facts(state).chain([TRUE]) {
            self.reach[fact as usize] = 0;
            self.queue.push(Reverse((0, fact)));
        }
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if self.reach[fact as usize] != cost {
                continue;
            }
            for &part in relaxation.needed_by(fact) {
                let at = part as usize;
                self.missing[at] -= 1;
                if self.missing[at] == 0 {
                    // Facts come in ascending order of cost, so the last precondition is a most expensive one.
                    self.supporter[at] = fact;
                    self.support[at] = cost;
                    self.give(relaxation, part);
                }
            }
        }
    }

    /// Subtracts a cost from the operators of the cut, and updates h^max where it falls.
    fn pay(&mut self, relaxation: &Relaxation, paid: u32) {
        let mut operators: Vec<u32> = self.cut.iter().map(|&part| relaxation.operator[part as usize]).collect();
        operators.sort_unstable();
        operators.dedup();
        for operator in operators {
            self.costs[operator as usize] -= paid;
            for part in relaxation.parts_of(operator) {
                self.give(relaxation, part);
            }
        }
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if self.reach[fact as usize] != cost {
                continue;
            }
            for &part in relaxation.needed_by(fact) {
                let at = part as usize;
                if self.supporter[at] != fact || self.support[at] <= cost {
                    continue;
                }
                let needs = relaxation.needs(part).iter().map(|&need| (self.reach[need as usize], need));
                if let Some((support, supporter)) = needs.max() {
                    self.supporter[at] = supporter;
                    if support < self.support[at] {
                        self.support[at] = support;
                        self.give(relaxation, part);
                    }
                }
            }
        }
    }

    /// Updates h^max of the effects of a part.
    fn give(&mut self, relaxation: &Relaxation, part: u32) {
        let at = part as usize;
        if self.support[at] == FAR {
            return;
        }
        let cost = self.support[at].saturating_add(self.costs[relaxation.operator[at] as usize]).min(DEAD - 1);
        for &given in relaxation.gives(part) {
            if cost < self.reach[given as usize] {
                self.reach[given as usize] = cost;
                self.queue.push(Reverse((cost, given)));
            }
        }
    }

    /// Finds the goal zone: the facts with a path of cost 0 to the goal.
    fn find_goal_side(&mut self, relaxation: &Relaxation) {
        self.goal_side.fill(false);
        self.goal_side[GOAL as usize] = true;
        self.stack.push(GOAL);
        while let Some(fact) = self.stack.pop() {
            for &part in relaxation.given_by(fact) {
                let at = part as usize;
                let supporter = self.supporter[at];
                if supporter != NONE
                    && self.costs[relaxation.operator[at] as usize] == 0
                    && !self.goal_side[supporter as usize]
                {
                    self.goal_side[supporter as usize] = true;
                    self.stack.push(supporter);
                }
            }
        }
    }

    /// Finds the cut: the parts with an edge from a fact reachable outside of the goal zone into it.
    fn find_cut(&mut self, relaxation: &Relaxation, state: &[Value]) {
        self.met.fill(false);
        self.cut.clear();
        for fact in relaxation.facts(state).chain([TRUE]) {
            self.met[fact as usize] = true;
            self.stack.push(fact);
        }
        while let Some(fact) = self.stack.pop() {
            for &part in relaxation.needed_by(fact) {
                if self.supporter[part as usize] != fact {
                    continue;
                }
                let mut crosses = false;
                for &given in relaxation.gives(part) {
                    if self.goal_side[given as usize] {
                        crosses = true;
                    } else if !self.met[given as usize] {
                        self.met[given as usize] = true;
                        self.stack.push(given);
                    }
                }
                if crosses {
                    self.cut.push(part);
                }
            }
        }
    }
}
