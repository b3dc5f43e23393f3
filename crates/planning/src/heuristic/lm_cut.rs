//! LM-cut: the summed costs of landmarks of the relaxed task (Helmert and Domshlak, Landmarks, critical paths and
//! abstractions: what's the difference anyway?, ICAPS 2009).
//!
//! In the relaxed task (see [`relaxation`]) variables accumulate values. h^max counts only the most expensive
//! precondition of each operator, recursively. The justification graph has an edge from a most expensive precondition
//! of each operator (its supporter) to each of its effects. The goal zone holds the facts with a path of cost 0 to the
//! goal. The operators with an edge from outside, reachable from the state, into the goal zone are a cut. It is a
//! landmark, since every relaxed plan uses one of them. Its least operator cost is added to h and subtracted from all
//! of its operators. This repeats until h^max of the goal is 0.
//!
//! It is admissible. Each cut is a disjunctive action landmark under the remaining costs. The costs subtracted from an
//! operator never exceed its own, so this is a cost partitioning over landmarks. An operator whose effects depend on
//! old values is split into one operator of the same cost for each combination of old values (context splitting: Röger,
//! Pommerening and Helmert, Optimal planning in the presence of conditional effects, ECAI 2014). If there are too many,
//! the operator gets parts that apply independently. They share one cost: a cut with any part reduces it (Keyder,
//! Hoffmann and Haslum, Semi-relaxed plan heuristics, ICAPS 2012). A state whose relaxed task is unsolvable is a dead
//! end. h is not consistent.

mod relaxation;

use super::{DEAD, Heuristic, Proof, Registration};
use crate::search::{BuildContext, HeuristicFacts, Stop};
use crate::task::{Task, Value};
use parking_lot::Mutex;
use relaxation::{GOAL, Prop, Relaxation, TRUE};
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

/// The registration of LM-cut.
pub static LM_CUT: Registration = Registration {
    facts: HeuristicFacts {
        name: "lm-cut",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "cuts of the delete relaxation, which are landmarks (Helmert, Domshlak 2009)",
        because: "each landmark is a set of moves of which every solution contains one, and the cost of a move is \
                  divided among its landmarks",
    },
    build: |task, context| Ok(Arc::new(LmCut::new(&task.reduced.task, context)?)),
    refuses: |task, context| LM_CUT.cannot_be_built(task, context),
};

/// The h^max of an unreachable fact.
const UNREACHED: u32 = u32::MAX;

/// The number of cuts between two checks of the limits.
const CUTS_BETWEEN_CHECKS: usize = 8;

/// The proof that a state is a dead end, in words.
pub(super) const UNREACHABLE: &str = "no goal can be reached even if variables kept every value that they ever had";

/// No fact.
const NO_FACT: Prop = Prop::MAX;

/// The relaxed task, and a pool of workspaces for concurrent evaluations.
pub struct LmCut {
    relaxation: Relaxation,
    /// An evaluation of many cuts may take a second: it ends with the search that it is for.
    stop: Stop,
    pool: Mutex<Vec<Workspace>>,
}

/// The workspace of one evaluation.
#[derive(Clone)]
struct Workspace {
    /// The remaining cost of each operator.
    costs: Vec<u32>,
    /// The h^max of each fact.
    h_max: Vec<u32>,
    /// For each part: the number of unreached preconditions, the most expensive precondition, and its h^max.
    unsatisfied: Vec<u32>,
    supporter: Vec<Prop>,
    support: Vec<u32>,
    queue: BinaryHeap<Reverse<(u32, Prop)>>,
    /// For each fact: whether it is in the goal zone, and whether it is reachable outside of it.
    goal_zone: Vec<bool>,
    reached: Vec<bool>,
    stack: Vec<Prop>,
    /// The parts of the cut.
    cut: Vec<u32>,
}

impl LmCut {
    pub fn new(task: &Task, context: &BuildContext) -> Result<LmCut, String> {
        let relaxation = Relaxation::new(task)?;
        if !context.fits(relaxation.bytes()) {
            return Err(super::limit_message());
        }
        Ok(LmCut { relaxation, stop: context.stop.clone(), pool: Mutex::new(Vec::new()) })
    }

    /// Returns the lower bound, and the landmarks that it counts: sets of operators of the task, of each of which every
    /// solution makes one.
    pub(super) fn landmarks(&self, state: &[Value]) -> (u32, Vec<Vec<u32>>) {
        let mut landmarks = Vec::new();
        let h = self.evaluate(state, &mut |relaxation, cut| {
            let of = |&part: &u32| relaxation.origin[relaxation.operator[part as usize] as usize];
            let mut operators: Vec<u32> = cut.iter().filter_map(of).collect();
            operators.sort_unstable();
            operators.dedup();
            landmarks.push(operators);
        });
        (h, landmarks)
    }

    /// Returns the lower bound. `each` gets the parts of each cut.
    fn evaluate(&self, state: &[Value], each: &mut dyn FnMut(&Relaxation, &[u32])) -> u32 {
        let pooled = self.pool.lock().pop();
        let mut workspace = pooled.unwrap_or_else(|| Workspace::new(&self.relaxation));
        let h = workspace.h(&self.relaxation, state, &self.stop, each);
        self.pool.lock().push(workspace);
        h
    }
}

impl Heuristic for LmCut {
    /// Returns the lower bound; a smaller one if a limit ends the search in the meantime. A bound that the search has
    /// proven by then stands.
    fn h(&self, state: &[Value]) -> u32 {
        self.evaluate(state, &mut |_, _| {})
    }

    fn refutation(&self, _state: &[Value]) -> Option<Proof> {
        Some(Proof::Words(UNREACHABLE))
    }

    fn is_slow(&self) -> bool {
        true
    }

    fn bytes(&self) -> u64 {
        self.relaxation.bytes()
    }

    fn describe(&self) -> String {
        format!("{} facts and {} relaxed operators", self.relaxation.props, self.relaxation.costs.len())
    }
}

impl Workspace {
    fn new(relaxation: &Relaxation) -> Workspace {
        let (props, parts) = (relaxation.props, relaxation.parts());
        Workspace {
            costs: Vec::new(),
            h_max: vec![UNREACHED; props],
            unsatisfied: vec![0; parts],
            supporter: vec![NO_FACT; parts],
            support: vec![UNREACHED; parts],
            queue: BinaryHeap::new(),
            goal_zone: vec![false; props],
            reached: vec![false; props],
            stack: Vec::new(),
            cut: Vec::new(),
        }
    }

    fn h(
        &mut self,
        relaxation: &Relaxation,
        state: &[Value],
        stop: &Stop,
        each: &mut dyn FnMut(&Relaxation, &[u32]),
    ) -> u32 {
        self.costs.clone_from(&relaxation.costs);
        self.explore(relaxation, state);
        if self.h_max[GOAL as usize] == UNREACHED {
            return DEAD;
        }
        let mut h: u32 = 0;
        let mut cuts = 0_usize;
        while self.h_max[GOAL as usize] > 0 {
            cuts += 1;
            if cuts.is_multiple_of(CUTS_BETWEEN_CHECKS) && stop.check_cheap().is_some() {
                break;
            }
            self.find_goal_zone(relaxation);
            self.find_cut(relaxation, state);
            let costs = self.cut.iter().map(|&part| self.costs[relaxation.operator[part as usize] as usize]);
            let least = costs.min().unwrap_or(0);
            // Guards against an endless loop. It never happens.
            if least == 0 {
                break;
            }
            h = h.saturating_add(least);
            each(relaxation, &self.cut);
            self.reduce_costs(relaxation, least);
        }
        h.min(DEAD - 1)
    }

    /// Computes h^max of all facts.
    fn explore(&mut self, relaxation: &Relaxation, state: &[Value]) {
        self.h_max.fill(UNREACHED);
        self.supporter.fill(NO_FACT);
        self.support.fill(UNREACHED);
        self.unsatisfied.clone_from(&relaxation.preconditions);
        for fact in relaxation.facts(state).chain([TRUE]) {
            self.h_max[fact as usize] = 0;
            self.queue.push(Reverse((0, fact)));
        }
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if self.h_max[fact as usize] != cost {
                continue;
            }
            for &part in relaxation.needed_by(fact) {
                let at = part as usize;
                self.unsatisfied[at] -= 1;
                if self.unsatisfied[at] == 0 {
                    // Facts come in ascending order of cost, so the last precondition is a most expensive one.
                    self.supporter[at] = fact;
                    self.support[at] = cost;
                    self.update_effects(relaxation, part);
                }
            }
        }
    }

    /// Subtracts a cost from the operators of the cut, and updates h^max where it falls.
    fn reduce_costs(&mut self, relaxation: &Relaxation, paid: u32) {
        let mut operators: Vec<u32> = self.cut.iter().map(|&part| relaxation.operator[part as usize]).collect();
        operators.sort_unstable();
        operators.dedup();
        for operator in operators {
            self.costs[operator as usize] -= paid;
            for part in relaxation.parts_of(operator) {
                self.update_effects(relaxation, part);
            }
        }
        while let Some(Reverse((cost, fact))) = self.queue.pop() {
            if self.h_max[fact as usize] != cost {
                continue;
            }
            for &part in relaxation.needed_by(fact) {
                let at = part as usize;
                if self.supporter[at] != fact || self.support[at] <= cost {
                    continue;
                }
                let needs = relaxation.needs(part).iter().map(|&need| (self.h_max[need as usize], need));
                if let Some((support, supporter)) = needs.max() {
                    self.supporter[at] = supporter;
                    if support < self.support[at] {
                        self.support[at] = support;
                        self.update_effects(relaxation, part);
                    }
                }
            }
        }
    }

    /// Updates h^max of the effects of a part.
    fn update_effects(&mut self, relaxation: &Relaxation, part: u32) {
        let at = part as usize;
        if self.support[at] == UNREACHED {
            return;
        }
        let cost = self.support[at].saturating_add(self.costs[relaxation.operator[at] as usize]).min(DEAD - 1);
        for &added in relaxation.adds(part) {
            if cost < self.h_max[added as usize] {
                self.h_max[added as usize] = cost;
                self.queue.push(Reverse((cost, added)));
            }
        }
    }

    /// Finds the goal zone: the facts with a path of cost 0 to the goal.
    fn find_goal_zone(&mut self, relaxation: &Relaxation) {
        self.goal_zone.fill(false);
        self.goal_zone[GOAL as usize] = true;
        self.stack.push(GOAL);
        while let Some(fact) = self.stack.pop() {
            for &part in relaxation.achievers(fact) {
                let at = part as usize;
                let supporter = self.supporter[at];
                if supporter != NO_FACT
                    && self.costs[relaxation.operator[at] as usize] == 0
                    && !self.goal_zone[supporter as usize]
                {
                    self.goal_zone[supporter as usize] = true;
                    self.stack.push(supporter);
                }
            }
        }
    }

    /// Finds the cut: the parts with an edge from a fact reachable outside of the goal zone into it.
    fn find_cut(&mut self, relaxation: &Relaxation, state: &[Value]) {
        self.reached.fill(false);
        self.cut.clear();
        for fact in relaxation.facts(state).chain([TRUE]) {
            self.reached[fact as usize] = true;
            self.stack.push(fact);
        }
        while let Some(fact) = self.stack.pop() {
            for &part in relaxation.needed_by(fact) {
                if self.supporter[part as usize] != fact {
                    continue;
                }
                let mut crosses = false;
                for &added in relaxation.adds(part) {
                    if self.goal_zone[added as usize] {
                        crosses = true;
                    } else if !self.reached[added as usize] {
                        self.reached[added as usize] = true;
                        self.stack.push(added);
                    }
                }
                if crosses {
                    self.cut.push(part);
                }
            }
        }
    }
}
