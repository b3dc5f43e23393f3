//! A plain search over a model of a puzzle.
//!
//! A [`Model`] implements the rules of the documented format and shares no code with the engine. The search enumerates
//! all reachable states, and computes all distances by relaxing edges until nothing changes (Bellman and Ford).

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::path::PathBuf;

/// The cost of a path: a number of units, and a number of times the square root of two.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Length(pub u32, pub u32);

impl Length {
    pub const ONE: Length = Length(1, 0);

    pub fn value(self) -> f64 {
        f64::from(self.0) + f64::from(self.1) * std::f64::consts::SQRT_2
    }

    pub fn and(self, other: Length) -> Length {
        Length(self.0 + other.0, self.1 + other.1)
    }
}

/// A move: its notation, its cost, and the next state.
pub type Move<S> = (String, Length, S);

/// A second implementation of a puzzle.
pub trait Model {
    type State: Clone + Debug + PartialEq;
    /// The identity of a state.
    type Key: Clone + Eq + Hash;

    /// Returns the text of the puzzle file.
    fn text(&self) -> String;

    /// Returns the path of the puzzle file, to which paths in it are relative.
    fn file(&self) -> PathBuf {
        PathBuf::from("random.toml")
    }

    fn start(&self) -> Self::State;

    fn is_goal(&self, state: &Self::State) -> bool;

    fn moves(&self, state: &Self::State) -> Vec<Move<Self::State>>;

    fn key(&self, state: &Self::State) -> Self::Key;

    /// Returns the limit on states: a larger puzzle is skipped.
    fn max_states(&self) -> usize {
        6000
    }

    /// Returns whether every move costs 1.
    fn is_unit(&self) -> bool {
        true
    }

    /// Returns whether some move may cost 0, even in an unreachable state.
    fn may_have_free_moves(&self) -> bool {
        false
    }

    /// Returns the distance from the goal that even the shortest scramble may have.
    fn fewest_from_a_scramble(&self) -> u32 {
        0
    }

    /// Plays a move in any notation; `None` if it is illegal.
    fn play(&self, state: &Self::State, written: &str) -> Option<(Length, Self::State)> {
        let found = self.moves(state).into_iter().find(|(known, ..)| known == written);
        found.map(|(_, cost, next)| (cost, next))
    }

    /// Returns the cost of a sequence of moves if it leads to a goal.
    fn replay<S: AsRef<str>>(&self, moves: &[S]) -> Option<Length> {
        let mut at = (Length::default(), self.start());
        for written in moves {
            let (cost, next) = self.play(&at.1, written.as_ref())?;
            at = (at.0.and(cost), next);
        }
        self.is_goal(&at.1).then_some(at.0)
    }

    /// Returns the same puzzle with the start that the engine draws in its plain format; `None` if it cannot be
    /// scrambled.
    fn restarted(&self, _drawn: &str) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// All reachable states and their distances.
pub struct ReachableStates<M: Model> {
    numbers: HashMap<M::Key, usize>,
    edges: Vec<(usize, usize, Length)>,
    pub is_goal: Vec<bool>,
    pub from_start: Vec<Length>,
    /// The distance of each state from the start, in moves.
    pub depths: Vec<u32>,
    pub to_goal: Vec<Option<Length>>,
}

impl<M: Model> ReachableStates<M> {
    /// Enumerates the states; `None` if there are more than `most`.
    pub fn new(model: &M, most: usize) -> Option<ReachableStates<M>> {
        let start = model.start();
        let mut numbers = HashMap::from([(model.key(&start), 0)]);
        let (mut states, mut edges) = (vec![start], Vec::new());
        let mut next = 0;
        while next < states.len() {
            for (_, cost, next_state) in model.moves(&states[next]) {
                let fresh = states.len();
                let number = *numbers.entry(model.key(&next_state)).or_insert(fresh);
                if number == fresh {
                    states.push(next_state);
                }
                edges.push((next, number, cost));
            }
            next += 1;
            if states.len() > most {
                return None;
            }
        }
        let is_goal: Vec<bool> = states.iter().map(|state| model.is_goal(state)).collect();
        let back = |&(from, to, cost): &(usize, usize, Length)| (to, from, cost);
        let in_moves = |&(from, to, _): &(usize, usize, Length)| (from, to, Length::ONE);
        let goals: Vec<usize> = (0..states.len()).filter(|&number| is_goal[number]).collect();
        let reached = |distance: Option<Length>| distance.expect("all were reached");
        let depths = distances(states.len(), edges.iter().map(in_moves), &[0]);
        Some(ReachableStates {
            from_start: distances(states.len(), edges.iter().copied(), &[0]).into_iter().map(reached).collect(),
            depths: depths.into_iter().map(|depth| reached(depth).0).collect(),
            to_goal: distances(states.len(), edges.iter().map(back), &goals),
            numbers,
            edges,
            is_goal,
        })
    }

    pub fn states(&self) -> usize {
        self.is_goal.len()
    }

    /// Returns whether some moves that cost 0 follow each other for ever: leaves out what none leads to, again and
    /// again.
    pub fn has_free_cycle(&self) -> bool {
        let mut free: Vec<(usize, usize)> = self
            .edges
            .iter()
            .filter(|(.., cost)| *cost == Length::default())
            .map(|&(from, to, _)| (from, to))
            .collect();
        loop {
            let before = free.len();
            let reached: HashSet<usize> = free.iter().map(|&(_, to)| to).collect();
            free.retain(|(from, _)| reached.contains(from));
            if free.len() == before {
                return before > 0;
            }
        }
    }

    /// Returns the distance of a state to a goal.
    pub fn left(&self, model: &M, state: &M::State) -> Option<Length> {
        self.to_goal[self.numbers[&model.key(state)]]
    }

    /// Returns the cost of a cheapest solution.
    pub fn least(&self) -> Option<Length> {
        self.to_goal[0]
    }

    /// Returns the fewest moves to a goal.
    pub fn fewest(&self) -> Option<u32> {
        (0..self.states()).filter(|&number| self.is_goal[number]).map(|number| self.depths[number]).min()
    }

    /// Counts the states at each distance from the start, rounded down.
    pub fn by_distance(&self) -> BTreeMap<u64, u64> {
        let mut counts = BTreeMap::new();
        for distance in &self.from_start {
            *counts.entry(distance.value().floor() as u64).or_insert(0) += 1;
        }
        counts
    }

    /// Returns the greatest distance to a goal, and the number of states with it.
    pub fn hardest(&self) -> Option<(Length, u64)> {
        let known = || self.to_goal.iter().flatten();
        let farthest = *known().max_by(|one, other| one.value().total_cmp(&other.value()))?;
        Some((farthest, known().filter(|&&distance| distance == farthest).count() as u64))
    }

    /// Counts the cheapest solutions.
    pub fn solutions(&self) -> u128 {
        let mut nearest_first: Vec<usize> =
            (0..self.states()).filter(|&number| self.to_goal[number].is_some()).collect();
        let value = |number: usize| self.to_goal[number].map_or(0.0, Length::value);
        nearest_first.sort_by(|&one, &other| value(one).total_cmp(&value(other)));
        let mut leading: Vec<Vec<(usize, Length)>> = vec![Vec::new(); self.states()];
        for &(from, to, cost) in &self.edges {
            leading[from].push((to, cost));
        }
        let mut counts: Vec<u128> = self.is_goal.iter().map(|&goal| goal.into()).collect();
        for number in nearest_first.into_iter().filter(|&number| !self.is_goal[number]) {
            let shortest = leading[number].iter().filter(|(to, cost)| {
                self.to_goal[*to].is_some_and(|distance| Some(distance.and(*cost)) == self.to_goal[number])
            });
            counts[number] = shortest.map(|&(to, _)| counts[to]).sum();
        }
        counts[0]
    }
}

/// Returns the distance of each node from the nearest source.
fn distances(
    nodes: usize,
    edges: impl Iterator<Item = (usize, usize, Length)>,
    sources: &[usize],
) -> Vec<Option<Length>> {
    let mut leading = vec![Vec::new(); nodes];
    edges.for_each(|(from, to, cost)| leading[from].push((to, cost)));
    let mut known = vec![None; nodes];
    sources.iter().for_each(|&source| known[source] = Some(Length::default()));
    let mut changed: VecDeque<usize> = sources.iter().copied().collect();
    while let Some(from) = changed.pop_front() {
        let here: Length = known[from].expect("it has changed");
        for &(to, cost) in &leading[from] {
            let there = here.and(cost);
            if known[to].is_none_or(|known: Length| there.value() < known.value() - 1e-9) {
                known[to] = Some(there);
                changed.push_back(to);
            }
        }
    }
    known
}
