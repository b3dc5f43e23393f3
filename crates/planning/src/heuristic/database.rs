//! Distances of all abstract states to a goal, by Dijkstra's algorithm backwards from all abstract goals.
//!
//! A table has an entry for each code if the codes are few. If they are many, but few abstract states are reachable
//! from the start, only these have entries; all others get the bound 0. Distances too large for an entry are capped,
//! which keeps them admissible and consistent.

use super::DEAD;
use super::abstraction::{Abstraction, Code, Regions, Touched, Transition};
use super::open_states::OpenStates;
use crate::search::BuildContext;
use crate::task::{Task, Value, Values, Var};
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use std::mem::replace;

/// A table of reachable states must have this many times fewer entries than codes, since its look-ups are slower.
const SPARSE: u64 = 8;

/// A table of distances.
pub(super) struct Database {
    coder: Coder,
    /// The entry of each code, unless all codes have entries.
    index: Option<FxHashMap<Code, u32>>,
    entries: Entries,
}

/// The codes of states in an abstraction.
pub(super) struct Coder {
    /// The kept variables, each with the offset in `parts` of the code contributions of its values.
    vars: Box<[(u32, u32)]>,
    parts: Box<[Code]>,
}

/// Distances; the largest number stands for [`DEAD`].
enum Entries {
    Small(Box<[u8]>),
    Large(Box<[u16]>),
}

/// The resources left for building tables.
pub struct Budget {
    /// Up to this many codes, each has an entry.
    pub codes: u64,
    /// The most entries of one table.
    pub entries: u64,
    /// The number of transitions that may still be tested, over all tables.
    pub work: u64,
}

impl Database {
    /// Builds a table; `None` if it exceeds the budget or a limit ended the work.
    pub fn new(
        task: &Task,
        abstraction: &Abstraction,
        budget: &mut Budget,
        context: &BuildContext,
    ) -> Option<Database> {
        let graph = Graph::new(task, abstraction, context)?;
        let codes = abstraction.codes;
        let index = match codes <= budget.codes {
            true => None,
            false => graph.reached(abstraction.code(&task.start), budget.entries.min(codes / SPARSE), budget, context),
        };
        if index.is_none() && codes > budget.entries {
            return None;
        }
        let codes = index.as_ref().map(|index| {
            let mut codes = vec![0; index.len()];
            index.iter().for_each(|(&code, &at)| codes[at as usize] = code);
            codes
        });
        let entries = codes.as_ref().map_or(abstraction.codes, |codes| codes.len() as u64);
        if !context.fits(entries * 8) {
            return None;
        }
        let find = |code: Code| match &index {
            Some(index) => index.get(&code).map(|&at| at as usize),
            None => Some(code as usize),
        };
        let code = |at: usize| codes.as_ref().map_or(at as Code, |codes| codes[at]);
        let distances = graph.distances(entries as usize, find, code, budget, context)?;
        let entries = Entries::new(&distances);
        Some(Database { coder: Coder::new(abstraction), index, entries })
    }

    #[inline]
    pub fn h(&self, state: &[Value]) -> u32 {
        let code = self.coder.code(state);
        let at = match &self.index {
            None => code as usize,
            Some(index) => match index.get(&code) {
                Some(&at) => at as usize,
                None => return 0,
            },
        };
        match &self.entries {
            Entries::Small(entries) => match entries[at] {
                u8::MAX => DEAD,
                distance => u32::from(distance),
            },
            Entries::Large(entries) => match entries[at] {
                u16::MAX => DEAD,
                distance => u32::from(distance),
            },
        }
    }

    /// Returns the kept variables, with the class of each value.
    pub fn classes(&self) -> Vec<(Var, Vec<u32>)> {
        self.coder.classes()
    }

    /// Returns the number of entries.
    pub fn entries(&self) -> u64 {
        match &self.entries {
            Entries::Small(entries) => entries.len() as u64,
            Entries::Large(entries) => entries.len() as u64,
        }
    }

    pub fn bytes(&self) -> u64 {
        let entries = match &self.entries {
            Entries::Small(entries) => entries.len() as u64,
            Entries::Large(entries) => entries.len() as u64 * 2,
        };
        entries + self.index.as_ref().map_or(0, |index| index.capacity() as u64 * 17) + self.coder.bytes()
    }
}

impl Coder {
    pub fn new(abstraction: &Abstraction) -> Coder {
        let mut vars = Vec::new();
        let mut parts: Vec<Code> = Vec::new();
        for (var, values) in abstraction.parts() {
            vars.push((var as u32, parts.len() as u32));
            parts.extend(values);
        }
        Coder { vars: vars.into(), parts: parts.into() }
    }

    #[inline]
    pub fn code(&self, state: &[Value]) -> Code {
        let part = |&(var, first): &(u32, u32)| self.parts[first as usize + usize::from(state[var as usize])];
        self.vars.iter().map(part).sum()
    }

    /// Returns the kept variables, with the class of each value.
    pub fn classes(&self) -> Vec<(Var, Vec<u32>)> {
        let ends =
            self.vars[1.min(self.vars.len())..].iter().map(|&(_, first)| first as usize).chain([self.parts.len()]);
        let of = |(&(var, first), end): (&(u32, u32), usize)| {
            let parts = &self.parts[first as usize..end];
            let mut distinct = parts.to_vec();
            distinct.sort_unstable();
            distinct.dedup();
            let class = |part| distinct.binary_search(part).map_or(0, |class| class as u32);
            (var as Var, parts.iter().map(class).collect())
        };
        self.vars.iter().zip(ends).map(of).collect()
    }

    pub fn bytes(&self) -> u64 {
        self.parts.len() as u64 * 8
    }
}

impl Entries {
    fn new(distances: &[u32]) -> Entries {
        let most = distances.iter().filter(|&&distance| distance < DEAD).max();
        let small = most.is_none_or(|&most| most < u32::from(u8::MAX));
        let entry = |distance: u32, dead: u32| if distance == DEAD { dead } else { distance.min(dead - 1) };
        if small {
            Entries::Small(distances.iter().map(|&distance| entry(distance, u8::MAX.into()) as u8).collect())
        } else {
            Entries::Large(distances.iter().map(|&distance| entry(distance, u16::MAX.into()) as u16).collect())
        }
    }
}

/// The graph of abstract states, given implicitly by its transitions.
pub struct Graph<'a> {
    abstraction: &'a Abstraction,
    regions: Regions,
    pub transitions: Vec<Transition>,
    before: Side,
    after: Side,
}

/// The transitions by the class of the first variable that they touch, before or after them, so that those of a state
/// are found among few, and tested without leaving these lists.
struct Side {
    class: fn(&Touched) -> Value,
    /// The list of a class of a kept variable is that of the variable's first class and as many lists further.
    first: Vec<u32>,
    /// The lists, as ranges of `candidates`.
    ends: Vec<u32>,
    candidates: Vec<Candidate>,
    /// Kept variables with the classes that they may have, a bit for each.
    tests: Vec<(u16, u64)>,
}

/// A transition that a state may have.
struct Candidate {
    transition: u32,
    cost: u32,
    delta: Code,
    /// The end of its tests, which begin where those of the candidate before it end.
    tests: u32,
    /// True if it also has conditions on variables of more classes than a word has bits.
    has_more: bool,
}

impl Side {
    fn new(abstraction: &Abstraction, transitions: &[Transition], class: fn(&Touched) -> Value) -> Side {
        let (mut first, mut lists) = (Vec::new(), 0);
        for place in 0..abstraction.kept.len() {
            first.push(lists);
            lists += abstraction.size(place) as u32;
        }
        let list = |transition: &Transition| {
            let touched = &transition.touched[0];
            first[touched.0] + u32::from(class(touched))
        };
        let mut sorted: Vec<(u32, u32)> = (0..).zip(transitions).map(|(at, one)| (list(one), at)).collect();
        sorted.sort_unstable();
        let mut side = Side { class, first, ends: vec![0], candidates: Vec::new(), tests: Vec::new() };
        for (list, at) in sorted {
            side.ends.resize(list as usize + 1, side.candidates.len() as u32);
            let transition = &transitions[at as usize];
            let touched = transition.touched[1..].iter().map(|touched| (touched.0, Values::one(class(touched))));
            let mut has_more = false;
            for (place, classes) in touched.chain(transition.others.iter().cloned()) {
                match abstraction.size(place) {
                    ..=64 => side.tests.push((place as u16, classes.iter().fold(0, |bits, class| bits | 1 << class))),
                    _ => has_more = true,
                }
            }
            side.candidates.push(Candidate {
                transition: at,
                cost: transition.cost,
                delta: transition.delta,
                tests: side.tests.len() as u32,
                has_more,
            });
        }
        side.ends.resize(lists as usize + 1, side.candidates.len() as u32);
        side
    }
}

impl<'a> Graph<'a> {
    pub fn new(task: &Task, abstraction: &'a Abstraction, context: &BuildContext) -> Option<Graph<'a>> {
        let transitions = abstraction.transitions(task, context)?;
        let before = Side::new(abstraction, &transitions, |&(_, before, _)| before);
        let after = Side::new(abstraction, &transitions, |&(.., after)| after);
        Some(Graph { abstraction, regions: abstraction.regions(task), transitions, before, after })
    }

    /// Calls `act` with each transition from an abstract state, by its index, and the state after it.
    pub fn each_successor(&self, code: Code, budget: &mut Budget, mut act: impl FnMut(usize, Code)) {
        let mut digits = vec![0; self.abstraction.kept.len()];
        let mut next = vec![0; digits.len()];
        self.abstraction.digits(code, &mut digits);
        self.each_matching(&digits, &self.before, budget, |candidate| {
            let after = code.wrapping_add(candidate.delta);
            if !self.is_never(after, &mut next) {
                act(candidate.transition as usize, after);
            }
        });
    }

    /// Returns whether an abstract state may contain a goal.
    pub fn is_goal(&self, code: Code) -> bool {
        let mut digits = vec![0; self.abstraction.kept.len()];
        self.abstraction.digits(code, &mut digits);
        self.regions.is_goal(&digits)
    }

    /// Returns the abstract states reachable from `start`, numbered; `None` if there are more than `most`.
    fn reached(
        &self,
        start: Code,
        most: u64,
        budget: &mut Budget,
        context: &BuildContext,
    ) -> Option<FxHashMap<Code, u32>> {
        let mut index = FxHashMap::default();
        let mut codes = vec![start];
        index.insert(start, 0);
        let mut at = 0;
        while at < codes.len() {
            self.each_successor(codes[at], budget, |_, code| {
                if let Entry::Vacant(entry) = index.entry(code) {
                    entry.insert(codes.len() as u32);
                    codes.push(code);
                }
            });
            at += 1;
            if codes.len() as u64 > most || self.is_over(at, budget, context) {
                return None;
            }
        }
        Some(index)
    }

    /// Returns the distance of each entry to a goal; `find` and `code` translate codes and entries.
    fn distances(
        &self,
        entries: usize,
        find: impl Fn(Code) -> Option<usize>,
        code: impl Fn(usize) -> Code,
        budget: &mut Budget,
        context: &BuildContext,
    ) -> Option<Vec<u32>> {
        let mut digits = vec![0; self.abstraction.kept.len()];
        let mut other = vec![0; digits.len()];
        let mut distances = vec![DEAD; entries];
        let mut goals: Vec<u32> = Vec::new();
        let mut last = None;
        for (at, distance) in distances.iter_mut().enumerate() {
            let here = code(at);
            // Counting takes less time than dividing.
            if last.is_some_and(|last: Code| last + 1 == here) {
                self.abstraction.next_digits(&mut digits);
            } else {
                self.abstraction.digits(here, &mut digits);
            }
            last = Some(here);
            if self.regions.is_goal(&digits) {
                *distance = 0;
                goals.push(at as u32);
            }
        }
        budget.work = budget.work.saturating_sub(entries as u64);
        let mut open = OpenStates::new(goals);
        let mut closed = 0;
        while let Some((distance, mut now)) = open.pop_first() {
            let distance = distance as u32;
            // A transition of cost 0 may extend this list during the loop.
            while let Some(at) = now.pop() {
                if distances[at as usize] != distance {
                    continue;
                }
                closed += 1;
                if self.is_over(closed, budget, context) {
                    return None;
                }
                let here = code(at as usize);
                self.abstraction.digits(here, &mut digits);
                self.each_matching(&digits, &self.after, budget, |candidate| {
                    let reached = distance.saturating_add(candidate.cost).min(DEAD - 1);
                    let Some(from) = find(here.wrapping_sub(candidate.delta)) else { return };
                    if reached < distances[from] && !self.is_never(code(from), &mut other) {
                        distances[from] = reached;
                        let from = from as u32;
                        if candidate.cost == 0 { now.push(from) } else { open.push(reached.into(), from) }
                    }
                });
            }
        }
        Some(distances)
    }

    fn is_never(&self, code: Code, digits: &mut [Value]) -> bool {
        self.regions.has_never() && {
            self.abstraction.digits(code, digits);
            self.regions.is_never(digits)
        }
    }

    /// Calls `act` with each transition whose classes on one side match an abstract state.
    #[inline]
    fn each_matching(&self, digits: &[Value], side: &Side, budget: &mut Budget, mut act: impl FnMut(&Candidate)) {
        for (&first, &digit) in side.first.iter().zip(digits) {
            let list = first as usize + usize::from(digit);
            let [at, end] = [side.ends[list], side.ends[list + 1]];
            budget.work = budget.work.saturating_sub(u64::from(end - at));
            let mut tests = at.checked_sub(1).map_or(0, |last| side.candidates[last as usize].tests);
            for candidate in &side.candidates[at as usize..end as usize] {
                let first = replace(&mut tests, candidate.tests);
                let may =
                    |&(place, classes): &(u16, u64)| classes.unbounded_shr(digits[usize::from(place)].into()) & 1 > 0;
                if side.tests[first as usize..tests as usize].iter().all(may)
                    && (!candidate.has_more || self.meets(candidate, digits, side.class))
                {
                    act(candidate);
                }
            }
        }
    }

    /// Returns whether an abstract state is one that a transition leaves, or leads to if `class` says so.
    fn meets(&self, candidate: &Candidate, digits: &[Value], class: fn(&Touched) -> Value) -> bool {
        let transition = &self.transitions[candidate.transition as usize];
        transition.touched.iter().all(|touched| digits[touched.0] == class(touched))
            && transition.others.iter().all(|(place, classes)| classes.contains(digits[*place]))
    }

    fn is_over(&self, done: usize, budget: &Budget, context: &BuildContext) -> bool {
        budget.work == 0 || done.is_multiple_of(1024) && context.should_stop()
    }
}
