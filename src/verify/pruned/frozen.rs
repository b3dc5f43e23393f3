//! Frozen pieces: facts that can never end again.
//!
//! Some facts are frozen together if each change that ends one of them asks for what another one excludes. The first
//! change to end one of them would have to happen while all others still hold. So they hold for ever, whatever becomes
//! of the rest, and if no goal allows all of them, no goal can be reached.

use crate::verify::checker::{Checker, Fact};
use rustc_hash::FxHashMap;

/// The facts that are tested, and what ends each.
#[derive(Default)]
pub(super) struct Frozen {
    /// For each fact of a piece, what each change that ends it asks of other variables.
    asked_to_end: FxHashMap<Fact, Vec<Vec<Fact>>>,
}

impl Frozen {
    pub fn new(checker: &Checker, pieces: &[Fact]) -> Frozen {
        let mut asked_to_end: FxHashMap<Fact, Vec<Vec<Fact>>> = pieces.iter().map(|&fact| (fact, Vec::new())).collect();
        for change in &checker.changes {
            for &(var, new) in &change.writes {
                let old = change.reads.iter().find(|(read, _)| *read == var).map(|&(_, old)| old);
                let others: Vec<Fact> = change.reads.iter().filter(|(read, _)| *read != var).copied().collect();
                for (_, asked) in asked_to_end
                    .iter_mut()
                    .filter(|((own, value), _)| *own == var && *value != new && old.is_none_or(|old| old == *value))
                {
                    asked.push(others.clone());
                }
            }
        }
        Frozen { asked_to_end }
    }

    /// Returns whether no fact is tested.
    pub fn is_empty(&self) -> bool {
        self.asked_to_end.is_empty()
    }

    /// Returns whether no goal can be reached, since some of these facts are frozen, and no goal allows all of these.
    pub fn is_dead(&self, checker: &Checker, facts: impl Iterator<Item = Fact>) -> bool {
        let mut frozen: Vec<(Fact, &Vec<Vec<Fact>>)> =
            facts.filter_map(|fact| Some((fact, self.asked_to_end.get(&fact)?))).collect();
        loop {
            let excludes = |(asked, value): &Fact| frozen.iter().any(|((var, own), _)| var == asked && own != value);
            let is_kept = |asked_to_end: &[Vec<Fact>]| asked_to_end.iter().all(|asked| asked.iter().any(excludes));
            let kept: Vec<_> = frozen.iter().filter(|(_, asked_to_end)| is_kept(asked_to_end)).copied().collect();
            if kept.len() == frozen.len() {
                break;
            }
            frozen = kept;
        }
        let allows_all = || {
            let mut alternatives = checker.alternatives.iter();
            alternatives
                .any(|alternative| frozen.iter().all(|((var, value), _)| alternative.values[*var].contains(value)))
        };
        !frozen.is_empty() && !allows_all()
    }
}
