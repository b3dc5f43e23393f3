//! LM-cut: a sum of costs of landmarks of the relaxed task (Helmert and Domshlak, Landmarks, critical paths and
//! abstractions: what's the difference anyway?, ICAPS 2009).
//!
//! In the relaxed task (see [`relaxation`]) a variable keeps every value that it ever had. h^max is the cost of the
//! costliest precondition, time and again. A graph has an edge from a costliest precondition of each operator to what it
//! gives. The facts from which a goal is reached along edges that cost nothing are the goal's side; the operators with an
//! edge from what is reached before onto that side are a cut: each relaxed plan has one of them. So the least of their
//! costs is paid in any plan. It is counted, and taken off the cost of each of them; then what is left is looked at again,
//! until h^max of a goal is 0.
//!
//! It is admissible: each cut is a disjunctive landmark of the task with the costs that are left, and costs taken off add
//! up to no more than an operator's own, so the sum is a cost partitioning over landmarks. Operators whose effects depend
//! on old values are taken apart by these, each with the cost of the operator, for a move is made with one choice of
//! old values only (context splitting: Röger, Pommerening and Helmert, Optimal planning in the presence of conditional
//! effects, ECAI 2014). Where these are too many, an operator has parts that fire by themselves and share one cost: a
//! cut with any part takes it off all of them (Keyder, Hoffmann and Haslum, Semi-relaxed plan heuristics, ICAPS 2012).
//! A state from which the relaxed task cannot be solved is a dead end. h is not consistent.

mod relaxation;

use super::DEAD;
use crate::domain::BuildContext;
use crate::task::{Task, Value};
use parking_lot::Mutex;
use relaxation::{GOAL, Prop, Relaxation, TRUE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;

/// What h^max says of what is not reached.
const FAR: u32 = u32::MAX;

/// No fact.
const NONE: Prop = Prop::MAX;

/// The relaxed task, and room to work in for each thread that asks.
pub(in super::super) struct LmCut {
    relaxation: Relaxation,
    free: Mutex<Vec<Work>>,
}

/// What is worked on for one state.
#[derive(Clone)]
struct Work {
    /// What is left of the cost of each operator.
    costs: Vec<u32>,
    /// By fact: h^max.
    reach: Vec<u32>,
    /// By part: how many preconditions are not reached yet, the costliest one, and what that costs.
    missing: Vec<u32>,
    supporter: Vec<Prop>,
    support: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, Prop)>>,
    /// By fact: whether it is on the goal's side, or was met from the state.
    goal_side: Vec<bool>,
    met: Vec<bool>,
    stack: Vec<Prop>,
    /// The parts of the cut.
    cut: Vec<u32>,
}

impl LmCut {
    pub fn new(task: &Task, context: &BuildContext) -> Result<LmCut, String> {
        let relaxation = Relaxation::new(task)?;
        if !context.fits(relaxation.bytes()) {
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
            // Without it there would be no end; but it is never so.
            if least == 0 {
                break;
            }
            h = h.saturating_add(least);
            self.pay(relaxation, least);
        }
        h.min(DEAD - 1)
    }

    /// h^max of all facts.
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
                    // Facts come in the order of their cost: the last is a costliest.
                    self.supporter[at] = fact;
                    self.support[at] = cost;
                    self.give(relaxation, part);
                }
            }
        }
    }

    /// Takes a cost off the operators of the cut, and finds h^max anew where it falls.
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

    /// What a part gives is reached at its cost.
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

    /// The facts from which the goal is reached along edges that cost nothing.
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

    /// The parts with an edge onto the goal's side from what is reached on this side.
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
