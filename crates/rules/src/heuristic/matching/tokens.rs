//! Tokens: like symbols that moves carry from variable to variable, such as the boxes of Sokoban.
//!
//! A symbol is one of tokens if every operator takes it from as many variables as it gives it to. Then each operator is
//! a set of steps, each of one token from one place to another, and every solution is a path for each token. A token's
//! distance to a place is the least cost of its own steps on such a path in the task that forgets all other tokens and
//! all variables but these places and the mover. An operator with several steps divides its cost among them.
//!
//! Forgetting others only helps: an operator stays applicable if conditions on other variables are dropped.

use crate::heuristic::companions::Companions;
use crate::task::{Effect, Goal, Operator, Source, Task, Value, Values, Var};
use std::collections::BTreeMap;

/// The distance of what cannot be reached.
pub(super) const FAR: u16 = u16::MAX;

/// The most variables of one operator whose content it leaves open.
const MOST_OPEN: usize = 4;

/// The greatest distance that is stored.
const MOST_DISTANCE: u64 = 30_000;

/// A variable that can hold the symbol, with the symbol's number among its values.
pub(super) type Place = (Var, Value);

/// One symbol's places, steps and distances.
pub(in crate::heuristic) struct Tokens {
    /// The name of the symbol.
    pub symbol: String,
    pub places: Vec<Place>,
    /// The number of the place of each variable; none if it never holds the symbol.
    pub place_of: Vec<Option<u16>>,
    /// The variable with which distances are told apart, if there is one.
    pub mover: Option<Var>,
    mover_values: usize,
    /// For each place and value of the mover, the node: a place with a part of the mover's values between which it
    /// changes at will. [`NOWHERE`] if a token is never there with the mover at that value.
    node_of: Vec<u32>,
    pub nodes: usize,
    /// Costs are multiplied by this, so that they can be divided.
    pub scale: u32,
    /// For each goal of the task, the targets.
    pub goals: Vec<Targets>,
    /// For each operator that moves one, the places that lose it in each case.
    pub losers: BTreeMap<u32, Vec<Vec<Var>>>,
    /// Operators after which a token is at a node from which it reaches no target of any goal.
    pub is_dead_end: Vec<bool>,
}

/// The node of what never happens.
pub(super) const NOWHERE: u32 = u32::MAX;

/// The places at which tokens may be when a goal holds.
pub(in crate::heuristic) struct Targets {
    pub places: Vec<u16>,
    /// Whether the goal needs a token there.
    pub is_required: Vec<bool>,
    /// For each node the distances to each target.
    distance: Vec<u16>,
}

impl Targets {
    /// Returns the distances from a node to all targets.
    #[inline]
    pub fn distances(&self, node: u32) -> &[u16] {
        let count = self.places.len();
        &self.distance[node as usize * count..][..count]
    }

    pub fn bytes(&self) -> u64 {
        (self.distance.len() * size_of::<u16>()) as u64
    }
}

/// A token's step in an operator, or its staying where it is.
struct Step {
    operator: u32,
    from: usize,
    to: usize,
    /// The mover's values before and after; none if the operator does not depend on it.
    mover: Option<(Values, Source)>,
    cost: u64,
}

/// An operator with the open variables decided: those that hold the symbol before and after.
struct Case {
    lost: Vec<usize>,
    gained: Vec<usize>,
    /// The places that do not hold the symbol before.
    without: Vec<usize>,
}

impl Tokens {
    /// Returns the tokens of a symbol, by the name of its values.
    pub fn new(task: &Task, symbol: &str, mover: Option<Var>, companions: &Companions) -> Option<Tokens> {
        let named = |var: Var| task.variables[var].values.iter().position(|name| name == symbol).map(|at| at as Value);
        let places: Vec<Place> = (0..task.variables.len()).filter_map(|var| Some((var, named(var)?))).collect();
        if places.len() < 2 || places.len() > usize::from(u16::MAX) {
            return None;
        }
        let mut place_of = vec![None; task.variables.len()];
        (0..).zip(&places).for_each(|(place, (var, _))| place_of[*var] = Some(place));
        // The mover's new value must follow from its old one.
        let follows = |operator: &Operator, var: Var| match operator.effect(var) {
            Some(Source::Table(of, _)) => *of == var,
            _ => true,
        };
        let mover = mover.filter(|&var| {
            place_of[var].is_none() && task.operators.iter().all(|operator| follows(operator, var))
        });
        let reader = Reader { task, places: &places, place_of: &place_of.clone(), mover, companions };
        let cases: Vec<Vec<Case>> = task.operators.iter().map(|one| reader.cases(one)).collect::<Option<_>>()?;
        let most = cases.iter().flatten().map(|case| case.lost.len()).max().filter(|&most| (1..=4).contains(&most))?;
        let scale: u32 = [1, 1, 2, 6, 12][most];
        let mut steps = Vec::new();
        let mut losers = BTreeMap::new();
        for (number, (operator, cases)) in (0..).zip(task.operators.iter().zip(&cases)) {
            for case in cases.iter().filter(|case| !case.lost.is_empty()) {
                let cost = u64::from(operator.cost) * u64::from(scale) / case.lost.len() as u64;
                for (&from, &to) in case.lost.iter().zip(&case.gained) {
                    steps.push(Step { operator: number, from, to, mover: reader.mover_step(operator), cost });
                }
                let lost = case.lost.iter().map(|&place| places[place].0).collect();
                losers.entry(number).or_insert_with(Vec::new).push(lost);
            }
        }
        let mover_values = mover.map_or(1, |var| task.size(var));
        let mut tokens = Tokens {
            symbol: symbol.to_owned(),
            place_of,
            mover,
            mover_values,
            node_of: Vec::new(),
            nodes: 0,
            scale,
            goals: Vec::new(),
            losers,
            is_dead_end: vec![false; task.operators.len()],
            places: Vec::new(),
        };
        tokens.number_nodes(&reader, &cases);
        tokens.places = places.clone();
        let backwards = tokens.backwards(&reader, &cases, &steps);
        for goal in &task.goals {
            tokens.goals.push(tokens.targets(goal, &backwards)?);
        }
        tokens.find_dead_ends(&steps);
        Some(tokens)
    }

    /// Returns the node of a token at a place.
    #[inline]
    pub fn node(&self, place: usize, mover: Value) -> u32 {
        self.node_of[place * self.mover_values + usize::from(mover)]
    }

    /// Divides the mover's values at each place into parts between which it changes at will while the token stays:
    /// strongly connected components.
    fn number_nodes(&mut self, reader: &Reader, cases: &[Vec<Case>]) {
        let count = self.mover_values;
        let stays = reader.stays(cases);
        for place in 0..reader.places.len() {
            let mut edges = vec![Vec::new(); count];
            for (from, to, excluded) in &stays {
                if !excluded.contains(&place) {
                    edges[usize::from(*from)].push(usize::from(*to));
                }
            }
            let parts = components(&edges);
            let first = self.nodes as u32;
            let mut last = 0;
            for (value, part) in parts.iter().enumerate() {
                let node = if reader.excludes(place, value as Value) { NOWHERE } else { first + part };
                last = last.max(part + 1);
                self.node_of.push(node);
            }
            self.nodes += last as usize;
        }
    }

    /// Returns the edges into each node: from which node, at what cost.
    fn backwards(&self, reader: &Reader, cases: &[Vec<Case>], steps: &[Step]) -> Vec<Vec<(u32, u64)>> {
        let mut into = vec![Vec::new(); self.nodes];
        let mut add = |from: u32, to: u32, cost: u64| {
            if from != NOWHERE && to != NOWHERE && from != to && !into[to as usize].contains(&(from, cost)) {
                into[to as usize].push((from, cost));
            }
        };
        for (from, to, excluded) in reader.stays(cases) {
            for place in (0..reader.places.len()).filter(|place| !excluded.contains(place)) {
                add(self.node(place, from), self.node(place, to), 0);
            }
        }
        for step in steps {
            self.for_each_move(step, |from, to| add(from, to, step.cost));
        }
        into
    }

    /// Calls `visit` with the nodes before and after a step, for each value of the mover.
    fn for_each_move(&self, step: &Step, mut visit: impl FnMut(u32, u32)) {
        match &step.mover {
            None => (0..self.mover_values)
                .for_each(|value| visit(self.node(step.from, value as Value), self.node(step.to, value as Value))),
            Some((before, source)) => {
                for value in before.iter() {
                    let after = match source {
                        Source::Value(after) => *after,
                        Source::Table(_, table) => table[usize::from(value)],
                    };
                    visit(self.node(step.from, value), self.node(step.to, after));
                }
            }
        }
    }

    /// Returns the targets of a goal, with the distances to them; `None` if a distance is too great.
    fn targets(&self, goal: &Goal, into: &[Vec<(u32, u64)>]) -> Option<Targets> {
        let allowed = |place: usize| {
            let (var, value) = self.places[place];
            let at = goal.conditions.binary_search_by_key(&var, |&(var, _)| var).ok();
            at.is_none_or(|at| goal.conditions[at].1.contains(value))
        };
        let required = |place: usize| {
            let (var, value) = self.places[place];
            let at = goal.conditions.binary_search_by_key(&var, |&(var, _)| var).ok();
            at.is_some_and(|at| goal.conditions[at].1 == Values::one(value))
        };
        let places: Vec<usize> = (0..self.places.len()).filter(|&place| allowed(place)).collect();
        let mut distance = vec![FAR; self.nodes * places.len()];
        let mut least = vec![u64::MAX; self.nodes];
        for (target, &place) in places.iter().enumerate() {
            least.fill(u64::MAX);
            let mut open: BTreeMap<u64, Vec<u32>> = BTreeMap::new();
            let mut ends: Vec<u32> = (0..self.mover_values).map(|value| self.node(place, value as Value)).collect();
            ends.retain(|&node| node != NOWHERE);
            ends.sort_unstable();
            ends.dedup();
            ends.iter().for_each(|&node| least[node as usize] = 0);
            open.insert(0, ends);
            while let Some((so_far, now)) = open.pop_first() {
                let mut now = now;
                while let Some(node) = now.pop() {
                    if least[node as usize] != so_far {
                        continue;
                    }
                    for &(from, cost) in &into[node as usize] {
                        let through = so_far + cost;
                        if through < least[from as usize] {
                            least[from as usize] = through;
                            if cost == 0 { now.push(from) } else { open.entry(through).or_default().push(from) }
                        }
                    }
                }
            }
            for (node, &so_far) in least.iter().enumerate().filter(|(_, least)| **least < u64::MAX) {
                if so_far > MOST_DISTANCE {
                    return None;
                }
                distance[node * places.len() + target] = so_far as u16;
            }
        }
        Some(Targets {
            is_required: places.iter().map(|&place| required(place)).collect(),
            places: places.iter().map(|&place| place as u16).collect(),
            distance,
        })
    }

    /// Returns whether a token at a node reaches a target of some goal.
    pub fn is_alive(&self, node: u32) -> bool {
        node != NOWHERE && self.goals.iter().any(|goal| goal.distances(node).iter().any(|&distance| distance != FAR))
    }

    fn find_dead_ends(&mut self, steps: &[Step]) {
        let mut dead = Vec::new();
        for step in steps {
            // All outcomes must be dead: with a condition on several of the mover's values, the operator is kept.
            let mut is_dead = true;
            self.for_each_move(step, |from, to| is_dead &= from == NOWHERE || !self.is_alive(to));
            dead.push((step.operator, is_dead));
        }
        // An operator with several cases is dead if each of its steps is.
        for &(operator, _) in &dead {
            self.is_dead_end[operator as usize] = true;
        }
        for (operator, is_dead) in dead {
            self.is_dead_end[operator as usize] &= is_dead;
        }
    }
}

/// Reads operators as steps of tokens.
struct Reader<'a> {
    task: &'a Task,
    places: &'a [Place],
    place_of: &'a [Option<u16>],
    mover: Option<Var>,
    companions: &'a Companions,
}

impl Reader<'_> {
    /// Returns whether no token is at a place while the mover has a value.
    fn excludes(&self, place: usize, mover: Value) -> bool {
        let (var, symbol) = self.places[place];
        self.mover.is_some_and(|of| {
            self.companions.of(of, mover).iter().any(|&(companion, value)| companion == var && value != symbol)
        })
    }

    /// Returns the values of a variable before an operator.
    fn before(&self, operator: &Operator, var: Var) -> Values {
        let mut values = self.task.allowed(operator, var);
        for (of, allowed) in &operator.conditions {
            if let Some(value) = allowed.only() {
                for &(companion, held) in self.companions.of(*of, value) {
                    if companion == var {
                        values = values.and(&Values::one(held));
                    }
                }
            }
        }
        values
    }

    /// Returns the cases of an operator; `None` if in one of them the number of tokens changes or is unknown.
    fn cases(&self, operator: &Operator) -> Option<Vec<Case>> {
        // Variables whose content decides what becomes of tokens, and may or may not be one.
        let is_open = |var: Var| {
            let Some(place) = self.place_of[var] else { return false };
            let values = self.before(operator, var);
            values.contains(self.places[usize::from(place)].1) && values.len() > 1
        };
        let mut open: Vec<Var> = Vec::new();
        for Effect { target, source } in &operator.effects {
            let reads = match source {
                Source::Table(var, _) => Some(*var),
                Source::Value(_) => None,
            };
            let touches = self.place_of[*target].is_some();
            open.extend([Some(*target), reads].into_iter().flatten().filter(|&var| touches && is_open(var)));
        }
        open.sort_unstable();
        open.dedup();
        if open.len() > MOST_OPEN {
            return None;
        }
        (0..1_u32 << open.len()).map(|choice| self.case(operator, &open, choice)).collect()
    }

    fn case(&self, operator: &Operator, open: &[Var], choice: u32) -> Option<Case> {
        let symbol = |var: Var| self.place_of[var].map(|place| self.places[usize::from(place)].1);
        let before = |var: Var| {
            let values = self.before(operator, var);
            let Some(at) = open.iter().position(|&known| known == var) else { return values };
            let one = Values::one(symbol(var).expect("an open variable is a place"));
            if choice >> at & 1 == 1 { one } else { values.without(&one) }
        };
        let mut case = Case { lost: Vec::new(), gained: Vec::new(), without: Vec::new() };
        for (place, &(var, symbol)) in self.places.iter().enumerate() {
            let one = Values::one(symbol);
            let held = before(var);
            let Some(source) = operator.effect(var) else {
                if !held.contains(symbol) {
                    case.without.push(place);
                }
                continue;
            };
            let after: Values = match source {
                Source::Value(value) => Values::one(*value),
                Source::Table(of, table) => before(*of).iter().map(|value| table[usize::from(value)]).collect(),
            };
            match (held == one, held.contains(symbol), after == one, after.contains(symbol)) {
                (true, _, true, _) => {}
                (true, _, _, false) => case.lost.push(place),
                (_, false, true, _) => {
                    case.gained.push(place);
                    case.without.push(place);
                }
                (_, false, _, false) => case.without.push(place),
                _ => return None,
            }
        }
        (case.lost.len() == case.gained.len()).then_some(case)
    }

    /// Returns what an operator needs and does of the mover.
    fn mover_step(&self, operator: &Operator) -> Option<(Values, Source)> {
        let var = self.mover?;
        let before = self.task.allowed(operator, var);
        match operator.effect(var) {
            None if before.len() == self.task.size(var) => None,
            None => Some((before, Source::Table(var, (0..=u8::MAX).collect()))),
            Some(source) => Some((before, source.clone())),
        }
    }

    /// Returns the changes of the mover's value that operators make, each with the places at which there is no token,
    /// or from which one is taken, in all of these operators.
    fn stays(&self, cases: &[Vec<Case>]) -> Vec<(Value, Value, Vec<usize>)> {
        let mut stays: BTreeMap<(Value, Value), Vec<usize>> = BTreeMap::new();
        let Some(var) = self.mover else { return Vec::new() };
        for (operator, cases) in self.task.operators.iter().zip(cases) {
            let Some(source) = operator.effect(var) else { continue };
            // A token stays at a place in an operator if it does in some case.
            let mut excluded: Option<Vec<usize>> = None;
            for case in cases {
                let here: Vec<usize> = case.without.iter().chain(&case.lost).copied().collect();
                excluded = Some(match excluded {
                    None => here,
                    Some(known) => known.into_iter().filter(|place| here.contains(place)).collect(),
                });
            }
            let excluded = excluded.unwrap_or_default();
            for value in self.task.allowed(operator, var).iter() {
                let after = match source {
                    Source::Value(after) => *after,
                    Source::Table(_, table) => table[usize::from(value)],
                };
                if after != value {
                    stays
                        .entry((value, after))
                        .and_modify(|known| known.retain(|place| excluded.contains(place)))
                        .or_insert_with(|| excluded.clone());
                }
            }
        }
        stays.into_iter().map(|((from, to), excluded)| (from, to, excluded)).collect()
    }
}

/// Returns the number of the strongly connected component of each node (Kosaraju; Sharir 1981).
fn components(edges: &[Vec<usize>]) -> Vec<u32> {
    let mut backwards = vec![Vec::new(); edges.len()];
    for (from, to) in edges.iter().enumerate() {
        to.iter().for_each(|&to| backwards[to].push(from));
    }
    let mut finished = Vec::with_capacity(edges.len());
    let mut seen = vec![false; edges.len()];
    for root in 0..edges.len() {
        let mut stack = vec![(root, 0)];
        while let Some((node, next)) = stack.pop() {
            if next == 0 {
                if seen[node] {
                    continue;
                }
                seen[node] = true;
            }
            match edges[node].get(next) {
                Some(&to) => {
                    stack.push((node, next + 1));
                    if !seen[to] {
                        stack.push((to, 0));
                    }
                }
                None => finished.push(node),
            }
        }
    }
    let mut component = vec![u32::MAX; edges.len()];
    let mut count = 0;
    for root in finished.into_iter().rev() {
        let mut stack = vec![root];
        let mut is_new = false;
        while let Some(node) = stack.pop() {
            if component[node] == u32::MAX {
                component[node] = count;
                is_new = true;
                stack.extend(&backwards[node]);
            }
        }
        count += u32::from(is_new);
    }
    component
}
