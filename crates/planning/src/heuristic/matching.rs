//! The least cost of a matching of like symbols with the places where a goal needs or allows them.
//!
//! Every solution takes each token to a target of its own, and its steps cost at least the token's distance to it (see
//! [`tokens`]). So the least sum of distances over all matchings of tokens with targets is a lower bound (for Sokoban:
//! Junghanns and Schaeffer, Sokoban: enhancing general single-agent search methods using domain knowledge, 2001). It is
//! consistent: a move changes the distance of each token by at most the cost of its own steps, and these add up to at
//! most the cost of the move. Symbols of several kinds are added if no operator moves tokens of two kinds at once.

mod assignment;
mod conflicts;
mod corrals;
mod dead_patterns;
mod frozen;
mod frozen_distances;
mod merged_tokens;
mod moves;
mod packing;
mod pairs;
mod parts;
mod places;
mod projection;
mod proofs;
mod rounds;
mod stays;
mod stubborn;
mod summary;
mod tokens;
mod view;

use super::implied_facts::ImpliedFacts;
use super::{DEAD, DeadEnd, Heuristic, Proof, Registration};
use crate::analysis::analysed_task::AnalysedTask;
use crate::analysis::mover::Mover;
use crate::packed::{StateLayout, Word};
use crate::search::{BuildContext, HeuristicFacts};
use crate::task::sorted::sorted;
use crate::task::{MOST_VALUES, Task, Value, Var};
use assignment::Assignment;
pub use conflicts::CONFLICTS;
pub use corrals::{CorralVerdict, Corrals, Learns};
pub use dead_patterns::DEAD_PATTERNS;
use engine_search::space::Parts;
pub use frozen::FROZEN;
use merged_tokens::MergedTokens;
use moves::{FAR, NOWHERE, Targets};
pub use pairs::DEAD_PAIRS;
use pairs::DeadPairs;
use places::Places;
use projection::Projection;
pub use proofs::Proofs;
use std::sync::Arc;
pub use stubborn::STUBBORN_SETS;
pub use summary::TokenKind;
use tokens::{Tokens, are_few};

/// The registration of matchings.
pub static MATCHING: Registration = Registration {
    facts: HeuristicFacts {
        name: "matching",
        admissible: true,
        consistent: false,
        by_hand: false,
        summary: "like symbols, such as boxes, each matched with a place where the goal needs or allows it, at the \
                  least sum of their own distances (for Sokoban: Junghanns and Schaeffer 2001)",
        because: "every solution takes each of them to a place of its own, and a move counts for those alone that \
                  it takes along; tokens that block each other for ever, and pairs or tokens around a corral that \
                  cannot all get there even if there were no others, are dead ends; searches with macro moves add what \
                  pairs need merged beyond that, by pairs without a common token",
    },
    build: |task, context| Ok(shared_matching(task, context)?),
    refuses: |task, context| shared_matching(task, context).err(),
};

/// Returns the matching, or why there is none.
pub fn shared_matching(task: &AnalysedTask, context: &BuildContext) -> Result<Arc<Matching>, String> {
    found_once(task, context, || Matching::new(&task.reduced.task, context).map(Arc::new))
}

/// Keeps a matching of the reduced task that is known.
pub fn keep_matching(task: &AnalysedTask, known: Arc<Matching>, context: &BuildContext) {
    let _ = found_once(task, context, || Ok(known));
}

fn found_once(
    task: &AnalysedTask,
    context: &BuildContext,
    find: impl FnOnce() -> Result<Arc<Matching>, String>,
) -> Result<Arc<Matching>, String> {
    match [&DEAD_PAIRS, &FROZEN].iter().all(|reduction| context.uses(reduction.name)) {
        true => task.memo.get(MATCHING.facts.name, context, find),
        false => find(),
    }
}

/// The bonus for a target that the goal needs filled: more than any sum of distances.
const BONUS: i32 = 1 << 24;

/// The cost of what cannot be: more than any sum of distances and bonuses.
const IMPOSSIBLE: i32 = 1 << 28;

/// The matchings of some kinds of tokens. The more places there are, the longer are the sets of places.
pub enum Matching {
    Narrow(Kinds<2>),
    Wide(Kinds<8>),
    Widest(Kinds<{ MOST_VALUES / 64 }>),
}

macro_rules! of_any {
    ($matching:expr, $kinds:ident => $result:expr) => {
        match $matching {
            Matching::Narrow($kinds) => $result,
            Matching::Wide($kinds) => $result,
            Matching::Widest($kinds) => $result,
        }
    };
}

impl Matching {
    /// Finds the kinds of tokens that a goal asks for.
    ///
    /// # Errors
    /// That there are none.
    pub fn new(task: &Task, context: &BuildContext) -> Result<Matching, String> {
        let mover = needed_variable(task);
        match mover.map_or(0, |mover| task.size(mover)).max(task.variables.len()) {
            ..=128 => Kinds::new(task, mover, context).map(Matching::Narrow),
            129..=512 => Kinds::new(task, mover, context).map(Matching::Wide),
            _ => Kinds::new(task, mover, context).map(Matching::Widest),
        }
    }

    /// Returns whether there are several kinds of tokens, seen as one, too.
    pub fn sees_kinds_together(&self) -> bool {
        of_any!(self, kinds => kinds.merged.is_some())
    }

    /// Returns whether it leaves out most of the tokens, because moves carry them together with others.
    pub fn leaves_out_most(&self) -> bool {
        of_any!(self, kinds => kinds.leaves_out_most)
    }

    /// Returns the kinds of tokens.
    pub fn token_kinds(&self, task: &Task) -> Vec<TokenKind> {
        of_any!(self, kinds => kinds.token_kinds(task))
    }

    /// Returns the symbols of the tokens that can be around a corral.
    pub fn symbols_around_corrals(&self) -> Vec<&str> {
        of_any!(self, kinds => kinds.symbols_around_corrals().collect())
    }

    /// Returns whether searches look for stubborn sets.
    pub fn has_stubborn_sets(&self, task: &Task, mover: &Mover) -> bool {
        of_any!(self, kinds => kinds.has_stubborn_sets(task, mover))
    }

    /// Returns what learns during a search; none if no kind of tokens can have any.
    pub fn corrals<'a, W: Word>(
        &'a self,
        task: &Task,
        layout: &StateLayout,
        mover: &Mover,
        learns: Learns,
        proofs: Option<&Proofs<'a>>,
    ) -> Option<Box<dyn Corrals<W> + 'a>> {
        of_any!(self, kinds => kinds.corrals(task, layout, mover, learns, proofs))
    }
}

impl Heuristic for Matching {
    /// Returns the least cost of the matchings for any goal; [`DEAD`] if there is none.
    fn h(&self, state: &[Value]) -> u32 {
        of_any!(self, kinds => kinds.h(state))
    }

    /// Returns, for each operator, whether a token never reaches a target after it.
    fn dead_ends(&self) -> Option<Vec<bool>> {
        Some(of_any!(self, kinds => kinds.dead_ends()))
    }

    fn parts(&self, task: &Task, state: &[Value]) -> Parts {
        of_any!(self, kinds => kinds.parts(task, state))
    }

    fn refutation(&self, _state: &[Value]) -> Option<Proof> {
        Some(Proof::Words("the like symbols cannot all reach places that the goal allows"))
    }

    fn bytes(&self) -> u64 {
        of_any!(self, kinds => {
            let merged = kinds.merged.as_ref().map(|merged| &merged.tokens);
            kinds.kinds.iter().chain(merged).map(Tokens::bytes).sum()
        })
    }

    fn describe(&self) -> String {
        of_any!(self, kinds => kinds.text.clone())
    }

    fn dead_end(&self, state: &[Value]) -> DeadEnd {
        of_any!(self, kinds => kinds.dead_end(state))
    }

    fn matching(&self) -> Option<&Matching> {
        Some(self)
    }

    fn is_matching(&self) -> bool {
        true
    }
}

/// Kinds of tokens with sets of at most 64 `N` places.
pub struct Kinds<const N: usize> {
    kinds: Vec<Tokens<N>>,
    /// The tokens of all kinds as one, if there are several.
    merged: Option<MergedTokens<N>>,
    goals: usize,
    text: String,
    leaves_out_most: bool,
}

impl<const N: usize> Kinds<N> {
    fn new(task: &Task, mover: Option<Var>, context: &BuildContext) -> Result<Kinds<N>, String> {
        let implied_facts = ImpliedFacts::of_places(task, mover);
        let (mut found, mut nodes) = (Vec::new(), Vec::new());
        for symbol in symbols_in_goals(task).into_iter().filter(|symbol| are_few(task, symbol)) {
            if context.should_stop() {
                return Err(super::limit_message());
            }
            if let Some(tokens) = Tokens::new(task, symbol, mover, &implied_facts, &mut nodes, context) {
                let mut assignment = Assignment::default();
                let to_goal = |goal: &Targets| tokens.h(goal, &task.start, &mut assignment);
                let h = tokens.goals.iter().map(to_goal).min().unwrap_or(DEAD);
                found.push((h, tokens));
            }
        }
        // A symbol that fills most of its places is the ground between the pieces, and moves whenever one of them does.
        let is_ground = |kind: &Tokens<N>| 2 * kind.count(&task.start) > kind.places.len();
        found.sort_by_cached_key(|(h, kind)| (is_ground(kind), std::cmp::Reverse(*h)));
        let is_any_needed = found.iter().any(|(h, _)| *h > 0);
        let mut kinds: Vec<Tokens<N>> = Vec::new();
        let mut left_out = 0;
        // Pieces that are on targets at the start may have to leave them.
        for (_, kind) in found.into_iter().filter(|(h, kind)| *h > 0 || !is_ground(kind)) {
            if kinds.iter().all(|other| never_move_together(other, &kind)) {
                kinds.push(kind);
            } else if !is_ground(&kind) {
                left_out += kind.count(&task.start);
            }
        }
        if kinds.is_empty() || !is_any_needed {
            return Err("no symbol keeps its number in every move and has its places in the goal".to_owned());
        }
        let describe = |kind: &Tokens<N>| {
            format!("{} of `{}` on {} places", kind.count(&task.start), kind.symbol, kind.places.len())
        };
        let text = kinds.iter().map(describe).collect::<Vec<_>>().join(", ");
        let merged = MergedTokens::new(task, &kinds, mover, &mut nodes, context);
        let leaves_out_most = left_out > kinds.iter().map(|kind| kind.count(&task.start)).sum();
        Ok(Kinds { kinds, merged, goals: task.goals.len(), text, leaves_out_most })
    }

    fn h(&self, state: &[Value]) -> u32 {
        if let Some(merged) = &self.merged {
            let (all, mover) = merged.tokens.read(state);
            if merged.is_dead(&all, mover, self.kinds.iter().map(|kind| kind.read(state).0)) {
                return DEAD;
            }
        }
        let mut assignment = Assignment::default();
        (0..self.goals).map(|goal| self.h_to(goal, state, &mut assignment)).min().unwrap_or(DEAD)
    }

    /// Returns the sum of the matchings for one goal.
    fn h_to(&self, goal: usize, state: &[Value], assignment: &mut Assignment) -> u32 {
        let mut sum = 0;
        for kind in &self.kinds {
            match kind.h(&kind.goals[goal], state, assignment) {
                DEAD => return DEAD,
                h => sum += h,
            }
        }
        sum
    }

    fn dead_ends(&self) -> Vec<bool> {
        let all = self.kinds[0].is_dead_end.len();
        let kinds = || self.kinds.iter().chain(self.merged.as_ref().map(|merged| &merged.tokens));
        (0..all).map(|number| kinds().any(|kind| kind.is_dead_end[number])).collect()
    }
}

impl<const N: usize> Tokens<N> {
    fn bytes(&self) -> u64 {
        let pairs = self.dead_pairs.as_ref().map_or(0, DeadPairs::bytes);
        let projection = self.projection.as_ref().map_or(0, Projection::bytes);
        self.goals.iter().map(Targets::bytes).sum::<u64>() + pairs + projection
    }

    /// Returns the number of tokens in a state.
    fn count(&self, state: &[Value]) -> usize {
        self.places.iter().filter(|&&(var, value)| state[var] == value).count()
    }

    /// Returns the least cost of a matching of the tokens with a goal's targets, rounded up. Frozen tokens are matched
    /// with their own places.
    fn h(&self, goal: &Targets, state: &[Value], assignment: &mut Assignment) -> u32 {
        let (tokens, mover) = self.read(state);
        let mover = mover as Value;
        if self.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(&tokens, mover)) {
            return DEAD;
        }
        let frozen = self.blocks.as_ref().map_or(Places::default(), |blocks| blocks.frozen(&tokens));
        self.least(goal, |place| self.node(place, mover), &tokens, &frozen, assignment)
    }

    /// Returns the least cost of a matching by the distances from the nodes of places.
    fn least(
        &self,
        goal: &Targets,
        node: impl Fn(usize) -> u32,
        tokens: &Places<N>,
        frozen: &Places<N>,
        assignment: &mut Assignment,
    ) -> u32 {
        let required = goal.required.len();
        // Tokens of which none is needed elsewhere stay where they are.
        let stays = |place: usize| {
            let node = node(place);
            let target = goal.places.binary_search(&(place as u16));
            node != NOWHERE && target.is_ok_and(|target| goal.distances(node)[target] == 0)
        };
        if required == 0 && tokens.iter().all(stays) {
            return 0;
        }
        // If every token is needed, no other target counts.
        let are_all_needed = required == tokens.len();
        assignment.begin(if are_all_needed { required } else { goal.places.len() });
        for place in tokens.iter() {
            let node = node(place);
            // A state that no move leads to: nothing is known of it.
            if node == NOWHERE {
                return 0;
            }
            let distances = goal.distances(node);
            let is_frozen = frozen.contains(place);
            let cost = |((&distance, &required), &target): ((&u16, &bool), &u16)| match distance {
                FAR => IMPOSSIBLE,
                _ if is_frozen && usize::from(target) != place => IMPOSSIBLE,
                distance if required => i32::from(distance) - BONUS,
                distance => distance.into(),
            };
            let is_assigned = if are_all_needed {
                let needed = goal.required.iter().map(|&at| ((&distances[at], &true), &goal.places[at]));
                assignment.add_row(needed.map(cost))
            } else {
                assignment.add_row(distances.iter().zip(&goal.is_required).zip(&goal.places).map(cost))
            };
            if !is_assigned {
                return DEAD;
            }
        }
        let total = assignment.total() + required as i64 * i64::from(BONUS);
        // A token without a target, or a target that is not filled.
        if total >= i64::from(BONUS) { DEAD } else { (total as u32).div_ceil(self.scale) }
    }
}

/// Returns the variable that most operators need at one value, if most do: that of a mover.
fn needed_variable(task: &Task) -> Option<Var> {
    let mut needed_by = vec![0; task.variables.len()];
    for (var, values) in task.operators.iter().flat_map(|operator| &operator.conditions) {
        needed_by[*var] += usize::from(values.only().is_some());
    }
    let most = (0..needed_by.len()).max_by_key(|&var| (needed_by[var], std::cmp::Reverse(var)))?;
    (2 * needed_by[most] > task.operators.len()).then_some(most)
}

/// Returns the symbols that some goal allows at some of their places only.
fn symbols_in_goals(task: &Task) -> Vec<&str> {
    let mut symbols: Vec<&str> = Vec::new();
    // The values of a place variable are cells.
    let is_place = |var: Var| task.variables[var].place_of().is_some();
    let conditions = task.goals.iter().flat_map(|goal| &goal.conditions);
    for (var, values) in conditions.filter(|(var, _)| !is_place(*var)) {
        let names = (0..).zip(&*task.variables[*var].values);
        symbols.extend(names.filter(|(value, _)| !values.contains(*value)).map(|(_, name)| name.as_str()));
        symbols.extend(values.only().map(|value| task.variables[*var].values[usize::from(value)].as_str()));
    }
    sorted(symbols)
}

/// Returns whether no operator moves tokens of both kinds at once: whenever it moves both, a variable would hold both.
fn never_move_together<const N: usize>(one: &Tokens<N>, other: &Tokens<N>) -> bool {
    one.losers.iter().zip(&other.losers).all(|(cases, others)| {
        cases.iter().all(|case| others.iter().all(|other| case.iter().any(|var| other.contains(var))))
    })
}
