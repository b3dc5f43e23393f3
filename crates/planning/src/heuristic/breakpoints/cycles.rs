//! Cycles of the breakpoint graph: what breakpoints alone do not see of a rearrangement.
//!
//! Where each value has two ends that always meet one end of another value, as with signed genes, burnt pancakes or
//! carriages, the ends are the vertices of a graph with two perfect matchings: one joins ends that are neighbours in
//! the state, the other ends that are neighbours in the goal (Bafna and Pevzner, Genome rearrangements and sorting by
//! reversals, 1996). In a goal all cycles have one edge of each kind. The graph is found from the rules alone:
//!
//! - A variable has two *slots*, one for each pair it is in; what has only one pair has a free slot, which is joined to
//!   an end of its own that never moves.
//! - The *labels* of a slot are classes of values: an operator that carries a pair carries the labels of its slots, and
//!   those of the other slots of both variables.
//! - Every operator must permute the slots with their labels. So labels that are distinct in the start stay distinct.
//!
//! An operator that keeps all joints but k replaces k edges of one matching by k others on the same ends. At most k
//! cycles pass through the new edges, and at least one through the old ones. So the number of cycles grows by at most
//! k - 1, and that of cycles of odd length, whose parity is that of all edges, by at most k rounded down to an even
//! number (Bafna and Pevzner, Sorting by transpositions, 1998).
//!
//! If each operator replaces a fixed joint, the *hub*, and one other, as a flip does with the top of a stack, a cycle
//! of l edges away from the hub costs l + 1 operators, and the hub's own cycle l - 1: to join two cycles and to split
//! one edge off are the only changes that lower the sum, and by 1 each (Akers and Krishnamurthy, A group-theoretic
//! model for symmetric interconnection networks, 1989; Labarre and Cibulka, Polynomial-time sortable stacks of burnt
//! pancakes, 2011).
//!
//! A cycle of one edge is split off only by an operator that joins the hub's neighbour to the label that the goal wants
//! beside it: to *close* a joint. If there is no other cycle to join, only closing lowers the measure. So where at most
//! one operator closes the joint, it is known which operators a solution of as many as the measure must have, and where
//! each moves the labels. If one of them is missing, the state needs one operator more.
//!
//! All measures are 0 in every goal and fall by at most a constant along an operator, hence h is consistent. The one
//! operator more keeps this: if the first operator lowers the measure, the same one is missing after it.
//!
//! With a hub, the measure after an operator follows from the cycles before it: see [`Forecast`].

#[cfg(test)]
mod tests;

use super::{changes_alike, copied, sources};
use crate::task::{Operator, Task, Value, Var};

/// The most labels, and the most operators times labelled values.
const MOST_LABELS: usize = 128;
const MOST_WORK: usize = 1 << 23;

/// No label, or no slot.
const NONE: u8 = u8::MAX;

/// The graph of one component of pairs.
#[derive(Clone)]
pub(super) struct Cycles {
    /// For each joint, its two slots.
    joints: Vec<[Slot; 2]>,
    /// For each label, the label that is its neighbour in every goal.
    wanted: Box<[u8]>,
    measure: Measure,
    /// The effect of operators on the joint of the hub.
    hub: Option<Hub>,
    /// h is the measure times `cost`, divided by `most`, rounded up.
    most: u64,
    cost: u64,
}

/// A slot: a variable with the label of each value, or a label that never moves.
#[derive(Clone)]
enum Slot {
    Of(Var, Box<[u8]>),
    Fixed(u8),
}

/// A measure of the lengths of the cycles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Measure {
    /// Edges without cycles.
    All,
    /// Edges without cycles of odd length.
    Odd,
    /// Operators that each replace the joint of the hub and another.
    Hub,
}

/// The joint that every operator replaces. Its first side is the label that never moves. The sides of the joint at
/// index j are 2j and 2j + 1.
#[derive(Clone)]
struct Hub {
    label: u8,
    /// For each operator, the side whose label it joins to the neighbour of the hub; none if it moves no label. The
    /// other side of that joint becomes the neighbour of the hub.
    cut: Box<[u8]>,
    /// For each operator, the side to which it moves the label of each side: a row of `sides` for each.
    moved: Box<[u8]>,
    sides: usize,
    /// For each side, the operator that joins its label to the neighbour of the hub.
    closes: Box<[Closing]>,
}

/// The operators that join the label of a side to the neighbour of the hub.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Closing {
    None,
    One(u8),
    Several,
}

/// The most operators that a forecast covers.
const MOST_FORECAST: usize = 31;

/// The lower bound after each operator.
pub type Forecast = [u8; MOST_FORECAST];

/// Graphs of at most this many labels have smaller arrays, which take less time to fill.
const FEW_LABELS: usize = 32;

/// The joints of a state, of at most `L` labels.
struct Joined<const L: usize> {
    /// For each label, its neighbour; taken out as cycles are followed.
    neighbor: [u8; L],
    /// For each label, its side.
    side: [u8; L],
}

impl Cycles {
    /// Returns the graph's bounds for some pairs of variables, if they have such a graph.
    pub fn all(task: &Task, pairs: &[(Var, Var)]) -> Vec<Cycles> {
        Slots::new(task, pairs).and_then(|slots| slots.cycles(task)).unwrap_or_default()
    }

    /// Returns the lower bound; 0 in a state that is no permutation of the start.
    #[inline]
    pub fn h(&self, state: &[Value]) -> u32 {
        (self.measured(state).unwrap_or(0) * self.cost).div_ceil(self.most) as u32
    }

    /// Returns the joints of a state; none if a label is missing.
    #[inline]
    fn joined<const L: usize>(&self, state: &[Value]) -> Option<Joined<L>> {
        let mut joined = Joined { neighbor: [NONE; L], side: [0; L] };
        for (number, [one, other]) in self.joints.iter().enumerate() {
            let (one, other) = (one.label(state), other.label(state));
            if one == NONE || other == NONE {
                return None;
            }
            let (first, second) = (usize::from(one), usize::from(other));
            if joined.neighbor[first] != NONE || joined.neighbor[second] != NONE {
                return None;
            }
            (joined.neighbor[first], joined.neighbor[second]) = (other, one);
            (joined.side[first], joined.side[second]) = (2 * number as u8, 2 * number as u8 + 1);
        }
        Some(joined)
    }

    /// Returns the measure of a state.
    #[inline]
    fn measured(&self, state: &[Value]) -> Option<u64> {
        let mut joined = self.joined::<MOST_LABELS>(state)?;
        let mut measured = 0;
        let mut first = 0;
        if let Some(hub) = &self.hub {
            let neighbors = joined.neighbor;
            let length = joined.take_cycle(hub.label, &self.wanted, |_, _, _| ());
            measured = length - 1;
            while first < self.wanted.len() && measured == length - 1 {
                if joined.neighbor[first] != NONE {
                    let length = joined.take_cycle(first as u8, &self.wanted, |_, _, _| ());
                    measured += if length > 1 { length + 1 } else { 0 };
                }
                first += 1;
            }
            if measured == length - 1 {
                let neighbor = |label: u8| neighbors[usize::from(label)];
                let closes = hub.closes_all(neighbor(hub.label), measured, None, neighbor, &joined.side, &self.wanted);
                return Some(measured + u64::from(!closes));
            }
        }
        for label in first..self.wanted.len() {
            if joined.neighbor[label] == NONE {
                continue;
            }
            let length = joined.take_cycle(label as u8, &self.wanted, |_, _, _| ());
            measured += match self.measure {
                _ if length <= 1 => 0,
                Measure::All => length - 1,
                Measure::Odd => length - length % 2,
                Measure::Hub => length + 1,
            };
        }
        Some(measured)
    }

    /// Returns whether [`forecast`](Self::forecast) works for these operators.
    pub fn has_forecast(&self) -> bool {
        self.hub.as_ref().is_some_and(|hub| hub.cut.len() <= MOST_FORECAST) && self.cost == 1 && self.most == 1
    }

    /// Returns whether each operator moves a label, and so changes each state in which labels are distinct.
    pub fn changes_always(&self) -> bool {
        self.hub.as_ref().is_some_and(|hub| !hub.cut.contains(&NONE))
    }

    /// Returns the lower bound after each operator.
    pub fn forecast(&self, state: &[Value]) -> Forecast {
        if self.wanted.len() <= FEW_LABELS {
            self.forecast_of::<FEW_LABELS>(state)
        } else {
            self.forecast_of::<MOST_LABELS>(state)
        }
    }

    /// Implements [`forecast`](Self::forecast) for at most `L` labels.
    fn forecast_of<const L: usize>(&self, state: &[Value]) -> Forecast {
        let mut forecast = [0; MOST_FORECAST];
        let (Some(mut joined), Some(hub)) = (self.joined::<L>(state), &self.hub) else { return forecast };
        let neighbors = joined.neighbor;
        let hub_neighbor = neighbors[usize::from(hub.label)];
        // The cycle of each label, that of the hub first, and the place of each label in that of the hub.
        let (mut cycles, mut places) = ([0_u8; L], [0_u8; L]);
        let mut lengths = [0_u8; L];
        let hub_length = joined.take_cycle(hub.label, &self.wanted, |from, to, number| {
            (places[usize::from(from)], places[usize::from(to)]) = (2 * number, 2 * number + 1);
        });
        let mut measured = hub_length - 1;
        let (mut count, mut others) = (0_u8, 0);
        for label in 0..self.wanted.len() {
            if joined.neighbor[label] == NONE {
                continue;
            }
            count += 1;
            let length = joined.take_cycle(label as u8, &self.wanted, |from, to, _| {
                (cycles[usize::from(from)], cycles[usize::from(to)]) = (count, count);
            });
            lengths[usize::from(count)] = length as u8;
            if length > 1 {
                measured += length + 1;
                others += 1;
            }
        }
        let mut label_at = [0_u8; L];
        (0..self.wanted.len()).for_each(|label| label_at[usize::from(joined.side[label])] = label as u8);
        for (operator, (after, &cut)) in forecast.iter_mut().zip(hub.cut.iter()).enumerate() {
            if cut == NONE {
                let neighbor = |label: u8| neighbors[usize::from(label)];
                let closes =
                    others > 0 || hub.closes_all(hub_neighbor, measured, None, neighbor, &joined.side, &self.wanted);
                *after = measured as u8 + u8::from(!closes);
                continue;
            }
            let joins = label_at[usize::from(cut)];
            let next = neighbors[usize::from(joins)];
            let mut others_after = others;
            let mut value = measured;
            match lengths[usize::from(cycles[usize::from(joins)])] {
                0 if places[usize::from(joins)] < places[usize::from(next)] => {
                    let split = u64::from(places[usize::from(joins)]) / 2;
                    value = value + 1 - if split > 1 { 0 } else { 2 };
                    others_after += u64::from(split > 1);
                }
                // The cycle keeps its edges.
                0 => {}
                1 => value += 1,
                _ => {
                    value -= 1;
                    others_after -= 1;
                }
            }
            if others_after == 0 {
                let neighbor = |label: u8| match label {
                    _ if label == joins => hub_neighbor,
                    _ if label == hub_neighbor => joins,
                    _ => neighbors[usize::from(label)],
                };
                let first = Some(operator as u8);
                value += u64::from(!hub.closes_all(next, value, first, neighbor, &joined.side, &self.wanted));
            }
            *after = value as u8;
        }
        forecast
    }

    pub fn bytes(&self) -> u64 {
        let labels = |slot: &Slot| if let Slot::Of(_, labels) = slot { labels.len() } else { 0 };
        let hub = self.hub.as_ref().map_or(0, |hub| hub.moved.len() + hub.cut.len() + 2 * hub.closes.len());
        (self.joints.iter().flatten().map(labels).sum::<usize>() + self.wanted.len() + hub) as u64
    }

    pub fn describe(&self) -> String {
        let of = match self.measure {
            Measure::All => "cycles of",
            Measure::Odd => "odd cycles of",
            Measure::Hub => "cycles through one of",
        };
        format!("{of} {} joints with those of the goal", self.joints.len())
    }
}

impl Hub {
    /// Returns whether `measured` operators may each close a joint, and so reach a goal, if all joints to be closed are
    /// in the cycle of the hub. The neighbour of the hub is `next`; `neighbor` gives that of other labels, and `side`
    /// their sides before the operator `first`, if there is one.
    ///
    /// Closing a joint leaves the rest of the cycle as it is, so the joints are closed in the order of the cycle.
    #[inline]
    fn closes_all(
        &self,
        mut next: u8,
        measured: u64,
        first: Option<u8>,
        neighbor: impl Fn(u8) -> u8,
        side: &[u8],
        wanted: &[u8],
    ) -> bool {
        let mut operators = [0_u8; MOST_LABELS / 2 + 1];
        let mut count = 0;
        if let Some(first) = first {
            operators[0] = first;
            count = 1;
        }
        for _ in 0..measured {
            let joins = wanted[usize::from(next)];
            let at = operators[..count].iter().fold(side[usize::from(joins)], |side, &operator| {
                self.moved[usize::from(operator) * self.sides + usize::from(side)]
            });
            match self.closes[usize::from(at)] {
                Closing::None => return false,
                Closing::Several => return true,
                Closing::One(operator) => operators[count] = operator,
            }
            count += 1;
            next = neighbor(joins);
        }
        true
    }
}

impl<const L: usize> Joined<L> {
    /// Takes a cycle out; returns its number of joints. Calls `visit` with the two labels of each joint, and its
    /// number.
    #[inline]
    fn take_cycle(&mut self, first: u8, wanted: &[u8], mut visit: impl FnMut(u8, u8, u8)) -> u64 {
        let (mut length, mut at) = (0, first);
        loop {
            let to = std::mem::replace(&mut self.neighbor[usize::from(at)], NONE);
            self.neighbor[usize::from(to)] = NONE;
            visit(at, to, length as u8);
            length += 1;
            at = wanted[usize::from(to)];
            if at == first {
                return length;
            }
        }
    }
}

impl Slot {
    #[inline]
    fn label(&self, state: &[Value]) -> u8 {
        match self {
            Slot::Of(var, labels) => labels[usize::from(state[*var])],
            Slot::Fixed(label) => *label,
        }
    }
}

/// The slots of the variables of some pairs: two each, consecutive.
struct Slots {
    vars: Vec<Var>,
    /// The two slots of each pair.
    pairs: Vec<[usize; 2]>,
    /// For each slot, the other of its pair; none for a free slot.
    partner: Vec<Option<usize>>,
    /// For each operator, the slot from which each slot gets its label.
    moves: Vec<Vec<Option<usize>>>,
    /// For each slot and value, a labelled value of the same class: a forest.
    parents: Vec<usize>,
    columns: usize,
}

impl Slots {
    /// Creates the slots and joins the labels that operators carry into each other.
    fn new(task: &Task, pairs: &[(Var, Var)]) -> Option<Slots> {
        let mut vars: Vec<Var> = pairs.iter().flat_map(|&(first, second)| [first, second]).collect();
        vars.sort_unstable();
        vars.dedup();
        let columns = vars.iter().map(|&var| task.size(var)).max()?;
        if 2 * vars.len() > MOST_LABELS || vars.len() * columns * task.operators.len() > MOST_WORK {
            return None;
        }
        let mut used = vec![0; vars.len()];
        let mut slot = |var: Var| {
            let at = vars.binary_search(&var).ok()?;
            used[at] += 1;
            (used[at] <= 2).then(|| 2 * at + used[at] - 1)
        };
        let ends =
            pairs.iter().map(|&(first, second)| Some([slot(first)?, slot(second)?])).collect::<Option<Vec<_>>>()?;
        let mut partner = vec![None; 2 * vars.len()];
        ends.iter().for_each(|&[one, other]| (partner[one], partner[other]) = (Some(other), Some(one)));
        let parents = (0..partner.len() * columns).collect();
        let mut slots = Slots { vars, pairs: ends, partner, moves: Vec::new(), parents, columns };
        for operator in &task.operators {
            let mut moves = vec![None; slots.partner.len()];
            for at in 0..slots.pairs.len() {
                slots.carry(operator, at, &mut moves)?;
            }
            for (to, from) in moves.iter().enumerate() {
                if let Some(from) = *from {
                    slots.join(task, operator, from, to)?;
                }
            }
            slots.moves.push(moves);
        }
        Some(slots)
    }

    fn var(&self, slot: usize) -> Var {
        self.vars[slot / 2]
    }

    /// Notes the slots from which a pair of slots gets its labels if the operator carries a pair there; none if that
    /// contradicts what is noted.
    fn carry(&self, operator: &Operator, pair: usize, moves: &mut [Option<usize>]) -> Option<()> {
        let to = self.pairs[pair];
        let (first, second) = (self.var(to[0]), self.var(to[1]));
        let Some(from) = sources(operator, first, second) else { return Some(()) };
        let is_of =
            |slot: usize| self.var(slot) == from.0 && self.partner[slot].is_some_and(|other| self.var(other) == from.1);
        let Some(one) = (0..self.partner.len()).find(|&slot| is_of(slot)) else { return Some(()) };
        let other = self.partner[one].expect("the slot of a pair");
        // Where one of the two is changed, it is another pair that arrives. Two values that change places as they are
        // may be turned or not: other operators show that.
        let keeps = |var: Var| {
            let table = copied(operator, var).and_then(|copied| copied.table);
            table.is_none_or(|table| (0..).zip(table).all(|(at, value)| at == *value))
        };
        if one == to[0] && !changes_alike(operator, first, second) || one == to[1] && keeps(first) && keeps(second) {
            return Some(());
        }
        for (to, from) in [(to[0], one), (to[1], other), (to[0] ^ 1, one ^ 1), (to[1] ^ 1, other ^ 1)] {
            if moves[to].replace(from).is_some_and(|known| known != from) {
                return None;
            }
        }
        Some(())
    }

    /// Returns the label of a value in a slot after an operator for each value before it; none if it is no copy.
    fn copies(&self, task: &Task, operator: &Operator, from: usize, to: usize) -> Option<Vec<(usize, usize)>> {
        let source = copied(operator, self.var(to)).filter(|source| source.from == self.var(from))?;
        let after = |value: Value| source.table.map_or(value, |table| table[usize::from(value)]);
        let id = |slot: usize, value: Value| slot * self.columns + usize::from(value);
        let values = task.allowed(operator, source.from);
        Some(values.iter().map(|value| (id(from, value), id(to, after(value)))).collect())
    }

    /// Joins the labels that an operator carries from one slot to another.
    fn join(&mut self, task: &Task, operator: &Operator, from: usize, to: usize) -> Option<()> {
        for (before, after) in self.copies(task, operator, from, to)? {
            let (one, other) = (self.label(before), self.label(after));
            self.parents[one.max(other)] = one.min(other);
        }
        Some(())
    }

    /// Returns the representative of a labelled value.
    fn label(&self, mut at: usize) -> usize {
        while self.parents[at] != at {
            at = self.parents[at];
        }
        at
    }

    /// Returns the slot from which each slot gets its label by an operator; none if it does not permute the slots.
    fn permutation(&self, task: &Task, number: usize) -> Option<Vec<usize>> {
        let operator = &task.operators[number];
        let carries = |from: usize, to: usize| {
            self.copies(task, operator, from, to)
                .is_some_and(|copies| copies.iter().all(|&(before, after)| self.label(before) == self.label(after)))
        };
        let mut permutation = Vec::new();
        for at in 0..self.vars.len() {
            let source = copied(operator, self.vars[at])?;
            let from = 2 * self.vars.binary_search(&source.from).ok()?;
            let known = self.moves[number][2 * at].map(|slot| slot ^ from);
            let turned = (0..2).find(|&turned| {
                known.is_none_or(|known| known == turned)
                    && carries(from ^ turned, 2 * at)
                    && carries(from ^ turned ^ 1, 2 * at + 1)
            })?;
            permutation.extend([from ^ turned, from ^ turned ^ 1]);
        }
        let mut is_source = vec![false; permutation.len()];
        permutation.iter().for_each(|&from| is_source[from] = true);
        (!is_source.contains(&false)).then_some(permutation)
    }

    /// Returns the joints in a state, as labels; a free slot is joined to a number above those of labels.
    fn joints(&self, state: impl Fn(Var) -> Option<Value>) -> Option<Vec<[usize; 2]>> {
        let label = |slot: usize| Some(self.label(slot * self.columns + usize::from(state(self.var(slot))?)));
        let mut joints = Vec::new();
        for slot in 0..self.partner.len() {
            match self.partner[slot] {
                Some(other) if other < slot => {}
                Some(other) => joints.push([label(slot)?, label(other)?]),
                None => joints.push([label(slot)?, self.parents.len() + slot]),
            }
        }
        Some(joints)
    }

    /// Returns the graph with each measure that applies.
    fn cycles(&self, task: &Task) -> Option<Vec<Cycles>> {
        // The labels must be distinct in the start, and all goals must join the same of them.
        let mut labels: Vec<usize> = self.joints(|var| Some(task.start[var]))?.concat();
        labels.sort_unstable();
        if labels.len() > MOST_LABELS {
            return None;
        }
        if labels.windows(2).any(|pair| pair[0] == pair[1]) {
            return None;
        }
        let number = |label: usize| labels.binary_search(&label).ok();
        let mut wanted = vec![NONE; labels.len()];
        for goal in &task.goals {
            let value = |var: Var| goal.condition(var)?.only();
            let mut of_goal = vec![NONE; labels.len()];
            for [one, other] in self.joints(value)? {
                let (one, other) = (number(one)?, number(other)?);
                (of_goal[one], of_goal[other]) = (other as u8, one as u8);
            }
            if of_goal.contains(&NONE) || wanted[0] != NONE && wanted != of_goal {
                return None;
            }
            wanted = of_goal;
        }
        if wanted.contains(&NONE) {
            return None;
        }
        let free: Vec<usize> = (0..self.partner.len()).filter(|&slot| self.partner[slot].is_none()).collect();
        let permutations: Vec<Vec<usize>> =
            (0..task.operators.len()).map(|at| self.permutation(task, at)).collect::<Option<_>>()?;
        let mut hubs = free.clone();
        let (mut all, mut odd): (Ratio, Ratio) = (None, None);
        let mut least_cost = u64::MAX;
        for (operator, from) in task.operators.iter().zip(&permutations) {
            let is_kept = |&&[one, other]: &&[usize; 2]| self.partner[from[one]] == Some(from[other]);
            let moved = free.iter().filter(|&&slot| from[slot] != slot).count();
            let lost = self.pairs.len() - self.pairs.iter().filter(is_kept).count() + moved;
            if from.iter().enumerate().any(|(to, &from)| to != from) {
                hubs.retain(|&slot| from[slot] != slot && lost == 2);
            }
            if lost > 0 {
                let cost = u64::from(operator.cost);
                least_cost = least_cost.min(cost);
                all = greater(all, (lost as u64 - 1, cost));
                odd = greater(odd, (lost as u64 / 2 * 2, cost));
            }
        }
        let slot = |slot: usize| {
            let var = self.var(slot);
            let label = |value| number(self.label(slot * self.columns + value)).map_or(NONE, |label| label as u8);
            Slot::Of(var, (0..task.size(var)).map(label).collect())
        };
        let mut joints: Vec<[Slot; 2]> = self.pairs.iter().map(|pair| pair.map(slot)).collect();
        for &at in &free {
            joints.push([Slot::Fixed(number(self.parents.len() + at)? as u8), slot(at)]);
        }
        let bound = |measure: Measure, ratio: Ratio, hub: Option<Hub>| {
            let (most, cost) = ratio.filter(|&(most, cost)| most > 0 && cost > 0)?;
            Some(Cycles { joints: joints.clone(), wanted: wanted.clone().into(), measure, hub, most, cost })
        };
        let mut bounds = vec![bound(Measure::All, all, None), bound(Measure::Odd, odd, None)];
        if let Some(&at) = hubs.first().filter(|_| least_cost < u64::MAX) {
            let label = number(self.parents.len() + at)? as u8;
            bounds.push(bound(Measure::Hub, Some((1, least_cost)), Some(self.hub(at, label, &free, &permutations))));
        }
        Some(bounds.into_iter().flatten().collect())
    }

    /// Returns what operators do to the joint of a free slot.
    fn hub(&self, slot: usize, label: u8, free: &[usize], permutations: &[Vec<usize>]) -> Hub {
        let mut side = vec![0; self.partner.len()];
        for (at, &[one, other]) in self.pairs.iter().enumerate() {
            (side[one], side[other]) = (2 * at as u8, 2 * at as u8 + 1);
        }
        let fixed = |free_slot: usize| 2 * (self.pairs.len() + free.partition_point(|&other| other < free_slot)) as u8;
        free.iter().for_each(|&slot| side[slot] = fixed(slot) + 1);
        let sides = 2 * (self.pairs.len() + free.len());
        let mut closes = vec![Closing::None; sides];
        let mut cut = Vec::new();
        let mut moved: Vec<u8> = Vec::new();
        for (operator, from) in permutations.iter().enumerate() {
            let to = (0..from.len()).find(|&to| from[to] == slot).expect("a permutation");
            let joins = match self.partner[to] {
                _ if to == slot => NONE,
                Some(other) => side[from[other]],
                None => fixed(to),
            };
            if joins != NONE {
                let closing = &mut closes[usize::from(joins)];
                // More operators than a byte counts close too much to be followed.
                *closing = match u8::try_from(operator) {
                    Ok(operator) if *closing == Closing::None => Closing::One(operator),
                    _ => Closing::Several,
                };
            }
            cut.push(joins);
            let mut moves: Vec<u8> = (0..sides as u8).collect();
            from.iter().enumerate().for_each(|(to, &from)| moves[usize::from(side[from])] = side[to]);
            moved.extend(moves);
        }
        Hub { label, cut: cut.into(), moved: moved.into(), sides, closes: closes.into() }
    }
}

/// The greatest loss of a measure by an operator, and the operator's cost.
type Ratio = Option<(u64, u64)>;

/// Returns the greater ratio of a loss to a cost; a loss for nothing is the greatest.
fn greater(ratio: Ratio, other: (u64, u64)) -> Ratio {
    match ratio {
        Some((most, cost)) if most * other.1 >= other.0 * cost => ratio,
        _ => Some(other),
    }
}
