//! Tokens: like symbols that moves carry from variable to variable, such as the boxes of Sokoban.
//!
//! A symbol is one of tokens if every operator takes it from as many variables as it gives it to. Then each operator is
//! a set of steps, each of one token from one place to another, and every solution is a path for each token. A token's
//! distance to a place is the least cost of its own steps on such a path in the task that forgets all other tokens and
//! all variables but these places and the mover. An operator with several steps divides its cost among them.
//!
//! Forgetting others only helps: an operator stays applicable if conditions on other variables are dropped.

use super::frozen::{Blocks, FROZEN};
use super::moves::{FAR, NOWHERE, ProjectedStep, Stay, Targets};
use super::pairs::{DEAD_PAIRS, DeadPairs};
use super::places::Places;
use super::projection::Projection;
use super::stays::{Change, Nodes, Stays};
use crate::heuristic::implied_facts::ImpliedFacts;
use crate::heuristic::open_states::OpenStates;
use crate::search::BuildContext;
use crate::task::sorted::sorted;
use crate::task::{Effect, Goal, Operator, Task, Value, Values, Var};
use rustc_hash::FxHashSet;
use std::sync::Arc;

/// The most variables of one operator whose content it leaves open.
const MOST_OPEN: usize = 4;

/// The most moves of one token and the mover.
const MOST_MOVES: usize = 1 << 18;

/// The greatest distance that is stored.
const MOST_DISTANCE: u64 = 30_000;

/// A variable that can hold the symbol, with the symbol's number among its values.
pub(super) type Place = (Var, Value);

/// One symbol's places, steps and distances.
pub(in crate::heuristic) struct Tokens<const N: usize> {
    /// The name of the symbol.
    pub symbol: String,
    pub places: Vec<Place>,
    /// For each place, the values that are tokens in the states that are read, if these are tokens of several kinds.
    pub alike: Option<Vec<Values>>,
    /// The variable with which distances are told apart, if there is one.
    pub mover: Option<Var>,
    pub mover_values: usize,
    /// For each place and value of the mover, the node: a place with a part of the mover's values between which it
    /// changes at will. [`NOWHERE`] if a token is never there with the mover at that value.
    pub node_of: Arc<Vec<u32>>,
    pub nodes: usize,
    /// Costs are multiplied by this, so that they can be divided.
    pub scale: u32,
    /// For each goal of the task, the targets.
    pub goals: Vec<Targets>,
    /// For each operator, the places that lose one, in each case that moves one.
    pub losers: Vec<Vec<Vec<Var>>>,
    /// Operators after which a token is at a node from which it reaches no target of any goal.
    pub is_dead_end: Vec<bool>,
    /// The obstacles that keep tokens from moving for ever.
    pub blocks: Option<Blocks<N>>,
    /// Pairs that never both reach targets, if they were found.
    pub dead_pairs: Option<DeadPairs<N>>,
    /// The tasks of some of the tokens alone.
    pub projection: Option<Projection<N>>,
}

/// An operator with the open variables decided: those that hold the symbol before and after.
struct Case {
    lost: Vec<usize>,
    gained: Vec<usize>,
    /// The places that do not hold the symbol before.
    without: Vec<usize>,
}

/// The most tokens of one kind times its targets.
const MOST_PAIRS: usize = 1 << 14;

/// Returns the variables that can hold a symbol, by the name of its values.
fn places_of(task: &Task, symbol: &str) -> Vec<Place> {
    let named = |var: Var| task.variables[var].values.iter().position(|name| name == symbol).map(|at| at as Value);
    (0..task.variables.len()).filter_map(|var| Some((var, named(var)?))).collect()
}

/// Returns whether a goal allows a symbol at a place.
fn is_target(goal: &Goal, (var, value): Place) -> bool {
    goal.condition(var).is_none_or(|values| values.contains(value))
}

/// Returns whether the tokens of a symbol and their targets are few enough to be matched.
pub(super) fn are_few(task: &Task, symbol: &str) -> bool {
    let places = places_of(task, symbol);
    let tokens = places.iter().filter(|&&(var, value)| task.start[var] == value).count();
    let targets = |goal: &Goal| places.iter().filter(|&&place| is_target(goal, place)).count();
    task.goals.iter().all(|goal| targets(goal) * tokens <= MOST_PAIRS)
}

impl<const N: usize> Tokens<N> {
    /// Returns the tokens of a symbol, by the name of its values.
    pub fn new(
        task: &Task,
        symbol: &str,
        mover: Option<Var>,
        implied_facts: &ImpliedFacts,
        known: &mut Vec<Nodes>,
        context: &BuildContext,
    ) -> Option<Tokens<N>> {
        let places = places_of(task, symbol);
        if places.len() < 2 || places.len() > 64 * N {
            return None;
        }
        let mut place_of = vec![None; task.variables.len()];
        (0..).zip(&places).for_each(|(place, (var, _))| place_of[*var] = Some(place));
        // The mover's new value must follow from its old one.
        let follows = |operator: &Operator, var: Var| operator.follows(var, 0).is_some();
        let mover = mover
            .filter(|&var| place_of[var].is_none() && task.operators.iter().all(|operator| follows(operator, var)));
        let reader = Reader { task, places: &places, place_of: &place_of, mover, implied_facts };
        let cases: Vec<Vec<Case>> = task.operators.iter().map(|one| reader.cases(one)).collect::<Option<_>>()?;
        let most = cases.iter().flatten().map(|case| case.lost.len()).max().filter(|&most| (1..=4).contains(&most))?;
        let scale: u32 = [1, 1, 2, 6, 12][most];
        let (steps, changes) = reader.moves(&cases, scale)?;
        let vars = |case: &Case| case.lost.iter().map(|&place| places[place].0).collect();
        let moving = |cases: &Vec<Case>| cases.iter().filter(|case| !case.lost.is_empty()).map(vars).collect();
        let losers = cases.iter().map(moving).collect();
        let mover_values = mover.map_or(1, |var| task.size(var));
        let nodes =
            Nodes::among(known, Stays::of(&changes, places.len(), mover_values), reader.all_excluded(mover_values));
        let mut tokens = Tokens {
            symbol: symbol.to_owned(),
            mover,
            mover_values,
            node_of: Arc::clone(&nodes.node_of),
            nodes: nodes.count,
            scale,
            goals: Vec::new(),
            losers,
            is_dead_end: Vec::new(),
            blocks: None,
            dead_pairs: None,
            projection: None,
            places: places.clone(),
            alike: None,
        };
        let into = tokens.backwards(&steps, &nodes.left);
        for goal in &task.goals {
            tokens.goals.push(tokens.targets(goal, &into)?);
        }
        tokens.is_dead_end = tokens.dead_ends(&cases, &steps);
        // Where an operator moves several tokens at once, too little is known of the others.
        if scale == 1 {
            let is_useful = |step: &ProjectedStep<N>| !tokens.is_dead_end[step.operator as usize];
            let useful: Vec<ProjectedStep<N>> = steps.into_iter().filter(is_useful).collect();
            let needs_free = useful.iter().map(|step| (step.from, step.without));
            tokens.blocks = context.uses(FROZEN.name).then(|| Blocks::new(places.len(), needs_free));
            let uses_pairs = context.uses(DEAD_PAIRS.name) && tokens.count(&task.start) > 1;
            tokens.dead_pairs = if uses_pairs {
                DeadPairs::new(places.len(), mover_values, &tokens.goals, &useful, &changes, context)
            } else {
                None
            };
            let happens = |place: usize, value: Value| tokens.node(place, value) != NOWHERE;
            tokens.projection =
                mover.map(|_| Projection::new(places.len(), mover_values, &tokens.goals, &useful, &changes, happens));
        }
        Some(tokens)
    }

    /// Returns the places of the tokens in a state, and the value of the mover.
    #[inline]
    pub fn read(&self, state: &[Value]) -> (Places<N>, usize) {
        let held = |&(place, &(var, value)): &(usize, &Place)| match &self.alike {
            None => state[var] == value,
            Some(alike) => alike[place].contains(state[var]),
        };
        let tokens = self.places.iter().enumerate().filter(held).map(|(place, _)| place).collect();
        (tokens, self.mover.map_or(0, |var| state[var].into()))
    }

    /// Returns the place of a variable, if it is one.
    pub fn place_of(&self, var: Var) -> Option<usize> {
        self.places.binary_search_by_key(&var, |&(var, _)| var).ok()
    }

    /// Returns the node of a token at a place.
    #[inline]
    pub fn node(&self, place: usize, mover: Value) -> u32 {
        self.node_of[place * self.mover_values + usize::from(mover)]
    }

    /// Returns the node of a token before a step.
    fn before(&self, step: &ProjectedStep<N>) -> u32 {
        self.node(step.from, step.before as Value)
    }

    /// Returns the node of a token after a step.
    fn after(&self, step: &ProjectedStep<N>) -> u32 {
        self.node(step.to, step.after as Value)
    }

    /// Returns the edges into each node: from which node, at what cost.
    fn backwards(&self, steps: &[ProjectedStep<N>], left: &[(usize, Change)]) -> Vec<Vec<(u32, u64)>> {
        let mut into = vec![Vec::new(); self.nodes];
        let mut add = |from: u32, to: u32, cost: u64| {
            if from != NOWHERE && to != NOWHERE && from != to && !into[to as usize].contains(&(from, cost)) {
                into[to as usize].push((from, cost));
            }
        };
        for step in steps {
            add(self.before(step), self.after(step), step.cost.into());
        }
        for &(place, (before, after)) in left {
            add(self.node(place, before), self.node(place, after), 0);
        }
        into
    }

    /// Returns the targets of a goal, with the distances to them; `None` if a distance is too great.
    fn targets(&self, goal: &Goal, into: &[Vec<(u32, u64)>]) -> Option<Targets> {
        let allowed = |place: usize| is_target(goal, self.places[place]);
        let required = |place: usize| {
            let (var, value) = self.places[place];
            goal.condition(var).is_some_and(|values| *values == Values::one(value))
        };
        let places: Vec<usize> = (0..self.places.len()).filter(|&place| allowed(place)).collect();
        let mut distance = vec![FAR; self.nodes * places.len()];
        let mut least = vec![u64::MAX; self.nodes];
        for (target, &place) in places.iter().enumerate() {
            least.fill(u64::MAX);
            let mut ends: Vec<u32> = (0..self.mover_values).map(|value| self.node(place, value as Value)).collect();
            ends.retain(|&node| node != NOWHERE);
            ends.sort_unstable();
            ends.dedup();
            ends.iter().for_each(|&node| least[node as usize] = 0);
            let mut open = OpenStates::new(ends);
            while let Some((so_far, mut now)) = open.pop_first() {
                while let Some(node) = now.pop() {
                    if least[node as usize] != so_far {
                        continue;
                    }
                    for &(from, cost) in &into[node as usize] {
                        let through = so_far + cost;
                        if through < least[from as usize] {
                            least[from as usize] = through;
                            if cost == 0 { now.push(from) } else { open.push(through, from) }
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
            required: (0..places.len()).filter(|&target| required(places[target])).collect(),
            places: places.iter().map(|&place| place as u16).collect(),
            distance,
        })
    }

    /// Returns whether a token at a node reaches a target of some goal.
    pub fn is_alive(&self, node: u32) -> bool {
        node != NOWHERE && self.goals.iter().any(|goal| goal.distances(node).iter().any(|&distance| distance != FAR))
    }

    /// Returns for each operator whether a token reaches no target of any goal after it, wherever it is applied.
    fn dead_ends(&self, cases: &[Vec<Case>], steps: &[ProjectedStep<N>]) -> Vec<bool> {
        let moves_one = |cases: &Vec<Case>| cases.iter().all(|case| !case.lost.is_empty());
        let mut dead: Vec<bool> = cases.iter().map(moves_one).collect();
        for step in steps {
            let happens = self.before(step) != NOWHERE;
            dead[step.operator as usize] &= !happens || !self.is_alive(self.after(step));
        }
        dead
    }
}

/// Reads operators as steps of tokens.
struct Reader<'a> {
    task: &'a Task,
    places: &'a [Place],
    place_of: &'a [Option<u16>],
    mover: Option<Var>,
    implied_facts: &'a ImpliedFacts,
}

impl Reader<'_> {
    /// Returns the places that hold no token while the mover has a value, with that value.
    fn all_excluded(&self, mover_values: usize) -> Vec<(usize, Value)> {
        let values = (0..mover_values).map(|value| value as Value);
        values.flat_map(|value| self.excluded(value).map(move |place| (place, value))).collect()
    }

    /// Returns the places that hold no token while the mover has a value.
    fn excluded(&self, mover: Value) -> impl Iterator<Item = usize> {
        let implied_facts = self.mover.map_or(&[][..], |of| self.implied_facts.of(of, mover));
        implied_facts.iter().filter_map(|&(var, held)| {
            let place = usize::from(self.place_of[var]?);
            (self.places[place].1 != held).then_some(place)
        })
    }

    /// Returns the values of a variable before an operator.
    fn before(&self, operator: &Operator, var: Var) -> Values {
        let mut values = self.task.allowed(operator, var);
        for (of, allowed) in &operator.conditions {
            if let Some(value) = allowed.only() {
                for &(implied, held) in self.implied_facts.of(*of, value) {
                    if implied == var {
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
            let touches = self.place_of[*target].is_some();
            open.extend([Some(*target), source.reads()].into_iter().flatten().filter(|&var| touches && is_open(var)));
        }
        let open = sorted(open);
        if open.len() > MOST_OPEN {
            return None;
        }
        let touched = self.touched(operator);
        (0..1_u32 << open.len()).map(|choice| self.case(operator, &touched, &open, choice)).collect()
    }

    /// Returns the places that an operator reads or changes: of all others, nothing is known.
    fn touched(&self, operator: &Operator) -> Vec<u16> {
        let implied_facts = operator.conditions.iter().filter_map(|(of, allowed)| Some((*of, allowed.only()?)));
        let implied_facts = implied_facts.flat_map(|(of, value)| self.implied_facts.of(of, value)).map(|(var, _)| *var);
        let read = operator.conditions.iter().map(|(var, _)| *var);
        sorted(read.chain(implied_facts).chain(operator.touched()).filter_map(|var| self.place_of[var]))
    }

    fn case(&self, operator: &Operator, touched: &[u16], open: &[Var], choice: u32) -> Option<Case> {
        let symbol = |var: Var| self.place_of[var].map(|place| self.places[usize::from(place)].1);
        let before = |var: Var| {
            let values = self.before(operator, var);
            let Some(at) = open.iter().position(|&known| known == var) else { return values };
            let one = Values::one(symbol(var).expect("an open variable is a place"));
            if choice >> at & 1 == 1 { one } else { values.without(&one) }
        };
        let mut case = Case { lost: Vec::new(), gained: Vec::new(), without: Vec::new() };
        for &place in touched {
            let place = usize::from(place);
            let (var, symbol) = self.places[place];
            let one = Values::one(symbol);
            let held = before(var);
            let Some(source) = operator.effect(var) else {
                if !held.contains(symbol) {
                    case.without.push(place);
                }
                continue;
            };
            let after = source.values(before);
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

    /// Returns what operators do to one token and the mover; none if that is too much.
    fn moves<const N: usize>(&self, cases: &[Vec<Case>], scale: u32) -> Option<(Vec<ProjectedStep<N>>, Vec<Stay<N>>)> {
        let mut stays = FxHashSet::default();
        let mut steps = Vec::new();
        for (number, (operator, cases)) in (0..).zip(self.task.operators.iter().zip(cases)) {
            let before = self.mover.map_or(Values::one(0), |var| self.task.allowed(operator, var));
            let after = |value: Value| self.mover.and_then(|var| operator.follows(var, value)).unwrap_or(value);
            for case in cases {
                let without = sorted(case.without.iter().chain(&case.lost).copied());
                for (before, after) in before.iter().map(|value| (value, after(value))) {
                    if before != after {
                        stays.insert((before, after, without.clone()));
                    }
                    let shares = case.lost.len().max(1) as u64;
                    let cost = u64::from(operator.cost) * u64::from(scale) / shares;
                    let cost = u32::try_from(cost).unwrap_or(u32::MAX);
                    let (before, after) = (before.into(), after.into());
                    for (&from, &to) in case.lost.iter().zip(&case.gained) {
                        let mut without: Places<N> = case.without.iter().copied().collect();
                        without.extend(case.lost.iter().copied().filter(|&other| other != from));
                        steps.push(ProjectedStep { from, to, before, after, cost, operator: number, without });
                    }
                }
            }
            if steps.len() + stays.len() > MOST_MOVES {
                return None;
            }
        }
        Some((steps, Stay::least(stays)))
    }
}
