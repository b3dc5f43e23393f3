//! Checks that an abstraction, in which values are merged or variables dropped, has no solution: by a search of all its
//! states.

use super::checker::{Alternative, Change, Checker, Fact};
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

/// The reason why an abstraction is not searched to its end.
const TOO_LARGE: &str = "its smaller puzzle has too many states, or a limit is reached";

/// The most values of variables in all states that are stored.
const MAX_VALUES: usize = 32_000_000;

/// The precondition and the effect of a change in the abstraction, by variable.
#[derive(Default, PartialEq, Eq, PartialOrd, Ord)]
struct AbstractOperator {
    /// The class that must hold.
    before: Vec<Option<u32>>,
    /// Where no class is known to hold, those that cannot: all of their facts contradict what the change reads.
    ruled_out: Vec<BTreeSet<u32>>,
    /// The class that holds afterwards, if it changes.
    after: Vec<Option<u32>>,
}

impl AbstractOperator {
    fn applies(&self, state: &[u32]) -> bool {
        let asked = self.before.iter().zip(state).all(|(asked, here)| asked.is_none_or(|asked| asked == *here));
        asked && self.ruled_out.iter().zip(state).all(|(ruled_out, here)| !ruled_out.contains(here))
    }
}

/// Returns the classes of a variable that cannot hold where a change applies: it reads another value at each of their
/// facts. A change that reads an empty cell excludes that the box is there.
fn ruled_out(variable: &BTreeMap<Fact, u32>, change: &Change) -> BTreeSet<u32> {
    let contradicts = |(var, value): &Fact| change.reads.iter().any(|(read, here)| read == var && here != value);
    let possible: BTreeSet<u32> =
        variable.iter().filter(|(fact, _)| !contradicts(fact)).map(|(_, &class)| class).collect();
    variable.values().copied().filter(|class| !possible.contains(class)).collect()
}

impl Checker<'_> {
    /// Searches the whole abstraction. Returns its number of states, or why it cannot be determined.
    pub fn check_abstraction(
        &self,
        named: &[BTreeMap<String, u32>],
        alternatives: &[Alternative],
        excluded: &mut [bool],
    ) -> Result<Result<usize, String>, String> {
        let mut variables: Vec<BTreeMap<Fact, u32>> = Vec::new();
        for variable in named {
            let facts = variable.iter().map(|(name, &class)| Ok((self.fact(name)?, class)));
            variables.push(facts.collect::<Result<_, String>>()?);
        }
        let class = |variable: &BTreeMap<Fact, u32>, fact: &Fact| variable.get(fact).copied();
        let mut start = Vec::new();
        for variable in &variables {
            let here = (0..).zip(&self.start).filter_map(|(var, &value)| class(variable, &(var, value)));
            let here: Vec<u32> = here.collect();
            let [one] = here[..] else {
                return Err("not exactly one fact of each variable of its smaller puzzle holds at the start".to_owned());
            };
            start.push(one);
        }
        let mut steps: BTreeSet<AbstractOperator> = BTreeSet::new();
        for (number, change) in self.changes.iter().enumerate() {
            if self.may_go_on(number, 0).is_err() {
                return Ok(Err(TOO_LARGE.to_owned()));
            }
            let mut step = AbstractOperator::default();
            // True if the change needs two facts of which only one can hold.
            let mut is_impossible = false;
            for variable in &variables {
                let own = |(var, _): &&Fact| variable.range((*var, 0)..=(*var, u32::MAX)).next().is_some();
                let is_one = variable.keys().all(|(var, _)| *var == variable.keys().next().map_or(0, |first| first.0));
                let read: BTreeSet<u32> = change.reads.iter().filter_map(|fact| class(variable, fact)).collect();
                let before = read.first().copied();
                is_impossible |= read.len() > 1;
                let gained: Vec<u32> = change.writes.iter().filter_map(|fact| class(variable, fact)).collect();
                let written: Vec<&Fact> = change.writes.iter().filter(own).collect();
                let after = if is_one {
                    if written.len() != gained.len() {
                        return Err(format!(
                            "{} leaves a variable of its smaller puzzle without a value",
                            self.describe(change)
                        ));
                    }
                    gained.first().copied()
                } else {
                    let lost = change.reads.iter().filter(|(var, _)| written.iter().any(|(own, _)| own == var));
                    let lost = lost.filter(|fact| variable.contains_key(fact)).count();
                    let known = written.iter().all(|(var, _)| change.reads.iter().any(|(read, _)| read == var));
                    match (known, lost, &gained[..]) {
                        (true, 0, []) => None,
                        (true, 1, [one]) => Some(*one),
                        _ if read.len() > 1 => None,
                        _ => {
                            return Err(format!(
                                "{} does not keep one fact of a variable of its smaller puzzle",
                                self.describe(change)
                            ));
                        }
                    }
                };
                let ruled_out = if before.is_none() { ruled_out(variable, change) } else { BTreeSet::new() };
                step.before.push(before);
                step.ruled_out.push(ruled_out);
                step.after.push(after.filter(|_| before != after));
            }
            if step.after.iter().any(Option::is_some) && !is_impossible {
                steps.insert(step);
            }
        }
        // Steps by the first variable and value of their precondition, so that few are tried in each state.
        let mut asking: HashMap<(usize, u32), Vec<&AbstractOperator>> = HashMap::new();
        let mut always = Vec::new();
        for step in &steps {
            match step.before.iter().position(Option::is_some) {
                Some(at) => asking.entry((at, step.before[at].unwrap_or(0))).or_default().push(step),
                None => always.push(step),
            }
        }
        let mut visited = HashSet::from([start.clone()]);
        let mut open = vec![start];
        for expanded in 0.. {
            let Some(state) = open.pop() else { break };
            if self.may_go_on(expanded, visited.len()).is_err() || visited.len() * state.len() > MAX_VALUES {
                return Ok(Err(TOO_LARGE.to_owned()));
            }
            let own = state.iter().enumerate().filter_map(|(at, &value)| asking.get(&(at, value))).flatten();
            for step in own.chain(&always) {
                if step.applies(&state) {
                    let next: Vec<u32> = step.after.iter().zip(&state).map(|(new, &old)| new.unwrap_or(old)).collect();
                    if visited.insert(next.clone()) {
                        open.push(next);
                    }
                }
            }
        }
        for (excluded, alternative) in excluded.iter_mut().zip(alternatives).filter(|(excluded, _)| !**excluded) {
            *excluded = !visited.iter().any(|state| self.may_be_goal(alternative, &variables, state));
            if !*excluded && self.parts.forbids() {
                return Ok(Err(
                    "its smaller puzzle may pass through states that `never` forbids, which is not checked here"
                        .to_owned(),
                ));
            }
        }
        Ok(Ok(visited.len()))
    }

    /// Returns whether a position of an alternative of a goal may be a state of the abstraction.
    fn may_be_goal(&self, alternative: &Alternative, variables: &[BTreeMap<Fact, u32>], state: &[u32]) -> bool {
        let mut values = alternative.values.clone();
        for (variable, here) in variables.iter().zip(state) {
            let vars: BTreeSet<usize> = variable.keys().map(|&(var, _)| var).collect();
            let fits = |var: usize, value: &u32| variable.get(&(var, *value)) == Some(here);
            if vars.len() == 1 {
                vars.into_iter().for_each(|var| values[var].retain(|value| fits(var, value)));
            } else {
                // Exactly one of the facts holds, and it is one of this class.
                let can = |&var: &usize| values[var].iter().any(|value| fits(var, value));
                let places: Vec<usize> = vars.iter().copied().filter(can).collect();
                if places.is_empty() {
                    return false;
                }
                for var in vars {
                    let only = places == [var];
                    values[var].retain(|value| match variable.get(&(var, *value)) {
                        Some(class) => class == here,
                        None => !only,
                    });
                }
            }
        }
        !values.iter().any(Vec::is_empty)
            && !matches!(self.extreme(&Alternative { goal: alternative.goal, values }, &[]), Ok(None))
    }
}
