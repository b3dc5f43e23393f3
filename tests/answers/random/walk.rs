//! The plainest search there is, over a model of a puzzle that the test makes for itself.
//!
//! A [`Model`] knows the rules as FORMAT.md says them, and shares nothing with the engine. All its states are met by
//! walking, all distances are found by letting every edge improve what it can, until nothing changes.

use std::collections::{HashMap, VecDeque};
use std::fmt::Debug;
use std::hash::Hash;
use std::path::PathBuf;

/// What a way costs: so many, and so many times the square root of two.
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

/// A move as it is written, what it costs, and where it leads.
pub type Move<S> = (String, Length, S);

/// A puzzle, as the test understands it.
pub trait Model {
    type State: Clone + Debug + PartialEq;
    /// What tells states apart.
    type Key: Clone + Eq + Hash;

    /// The puzzle file.
    fn text(&self) -> String;

    /// How the file is called: where other files are that it names.
    fn file(&self) -> PathBuf {
        PathBuf::from("random.toml")
    }

    fn start(&self) -> Self::State;

    fn is_goal(&self, state: &Self::State) -> bool;

    fn moves(&self, state: &Self::State) -> Vec<Move<Self::State>>;

    fn key(&self, state: &Self::State) -> Self::Key;

    /// A puzzle of more states is left to others.
    fn most_states(&self) -> usize {
        6000
    }

    /// Whether every move costs 1.
    fn is_unit(&self) -> bool {
        true
    }

    /// Whether some move costs nothing, if only where nobody comes.
    fn has_free_moves(&self) -> bool {
        false
    }

    /// However few moves a scramble has, its start may be so far from the goal.
    fn fewest_from_a_scramble(&self) -> u32 {
        0
    }

    /// The cost and the state of a move in any notation, if it is legal.
    fn play(&self, state: &Self::State, written: &str) -> Option<(Length, Self::State)> {
        let found = self.moves(state).into_iter().find(|(known, ..)| known == written);
        found.map(|(_, cost, next)| (cost, next))
    }

    /// What a sequence of moves costs, if it leads to a goal.
    fn replay<S: AsRef<str>>(&self, moves: &[S]) -> Option<Length> {
        let mut at = (Length::default(), self.start());
        for written in moves {
            let (cost, next) = self.play(&at.1, written.as_ref())?;
            at = (at.0.and(cost), next);
        }
        self.is_goal(&at.1).then_some(at.0)
    }

    /// The same puzzle from the start that the engine draws in its plain format; none where nothing is scrambled.
    fn restarted(&self, _drawn: &str) -> Option<Self>
    where
        Self: Sized,
    {
        None
    }
}

/// Everything that can be reached.
pub struct Walk<M: Model> {
    numbers: HashMap<M::Key, usize>,
    edges: Vec<(usize, usize, Length)>,
    pub is_goal: Vec<bool>,
    pub from_start: Vec<Length>,
    /// In moves, whatever they cost.
    pub depths: Vec<u32>,
    pub to_goal: Vec<Option<Length>>,
}

impl<M: Model> Walk<M> {
    /// Walks it all; none if there are more states than that.
    pub fn new(model: &M, most: usize) -> Option<Walk<M>> {
        let start = model.start();
        let mut numbers = HashMap::from([(model.key(&start), 0)]);
        let (mut states, mut edges) = (vec![start], Vec::new());
        let mut next = 0;
        while next < states.len() {
            for (_, cost, led) in model.moves(&states[next]) {
                let fresh = states.len();
                let number = *numbers.entry(model.key(&led)).or_insert(fresh);
                if number == fresh {
                    states.push(led);
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
        Some(Walk {
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

    /// What a state is from a goal.
    pub fn left(&self, model: &M, state: &M::State) -> Option<Length> {
        self.to_goal[self.numbers[&model.key(state)]]
    }

    /// What the cheapest solution costs.
    pub fn least(&self) -> Option<Length> {
        self.to_goal[0]
    }

    /// The fewest moves to a goal, whatever they cost.
    pub fn fewest(&self) -> Option<u32> {
        (0..self.states()).filter(|&number| self.is_goal[number]).map(|number| self.depths[number]).min()
    }

    /// How many states lie at each distance from the start, rounded down.
    pub fn by_depth(&self) -> Vec<u64> {
        let mut counts = Vec::new();
        for distance in &self.from_start {
            let distance = distance.value().floor() as usize;
            counts.resize(counts.len().max(distance + 1), 0);
            counts[distance] += 1;
        }
        counts
    }

    /// The greatest distance to a goal, and how many states have it.
    pub fn hardest(&self) -> Option<(Length, u64)> {
        let known = || self.to_goal.iter().flatten();
        let farthest = *known().max_by(|one, other| one.value().total_cmp(&other.value()))?;
        Some((farthest, known().filter(|&&distance| distance == farthest).count() as u64))
    }

    /// How many sequences of moves have the least cost.
    pub fn solutions(&self) -> u128 {
        let mut nearest_first: Vec<usize> =
            (0..self.states()).filter(|&number| self.to_goal[number].is_some()).collect();
        let value = |number: usize| self.to_goal[number].map_or(0.0, Length::value);
        nearest_first.sort_by(|&one, &other| value(one).total_cmp(&value(other)));
        let mut leading: Vec<Vec<(usize, Length)>> = vec![Vec::new(); self.states()];
        for &(from, to, cost) in &self.edges {
            leading[from].push((to, cost));
        }
        let mut ways: Vec<u128> = self.is_goal.iter().map(|&goal| goal.into()).collect();
        for number in nearest_first.into_iter().filter(|&number| !self.is_goal[number]) {
            let shortest = leading[number].iter().filter(|(to, cost)| {
                self.to_goal[*to].is_some_and(|distance| Some(distance.and(*cost)) == self.to_goal[number])
            });
            ways[number] = shortest.map(|&(to, _)| ways[to]).sum();
        }
        ways[0]
    }
}

/// The distance of each node from the nearest source.
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
