//! Tokens of several kinds, seen as one kind.
//!
//! Boxes of several colours bar each other's way as those of one colour do. So the task in which all of them look the
//! same shows frozen tokens, dead pairs, dead patterns and stubborn sets that no kind shows alone. It is an abstraction
//! (symbols are merged, ranges of counters and `never` are dropped): each move of the puzzle is one of it, so what is
//! dead in it is dead in the puzzle. The kinds differ in their targets alone: a token is frozen for ever, whatever its
//! kind is, and dead if it is not on a target of its own kind.

use super::places::Places;
use super::stays::Nodes;
use super::tokens::Tokens;
use crate::heuristic::implied_facts::ImpliedFacts;
use crate::search::BuildContext;
use crate::task::{Condition, Effect, Goal, Operator, Source, Task, Value, Values, Var, Variable};

/// The tokens of several kinds as one.
pub(super) struct MergedTokens<const N: usize> {
    pub tokens: Tokens<N>,
    /// The task in which they look the same, with the operators of the puzzle.
    pub task: Task,
    /// True if it forgets nothing but the kinds: no condition distinguishes those of tokens that do not move, and there
    /// are no other conditions. Then moves commute in the puzzle if they do in this task.
    pub is_exact: bool,
    /// For each kind and place of these tokens, the place of the kind.
    place_of: Vec<Vec<Option<u16>>>,
    /// For each kind and goal, the targets.
    targets: Vec<Vec<Places<N>>>,
}

impl<const N: usize> MergedTokens<N> {
    /// Returns the tokens of several kinds as one; none if there is one kind, or if a move takes several tokens.
    pub fn new(
        task: &Task,
        kinds: &[Tokens<N>],
        mover: Option<Var>,
        known: &mut Vec<Nodes>,
        context: &BuildContext,
    ) -> Option<MergedTokens<N>> {
        if kinds.len() < 2 || kinds.iter().any(|kind| kind.scale > 1) {
            return None;
        }
        let symbols: Vec<&str> = kinds.iter().map(|kind| kind.symbol.as_str()).collect();
        let (merged, alike) = merge(task, &symbols)?;
        let implied_facts = ImpliedFacts::of_places(&merged, mover);
        let mut tokens = Tokens::new(&merged, symbols[0], mover, &implied_facts, known, context)?;
        tokens.projection.as_ref()?;
        tokens.alike = Some(tokens.places.iter().map(|(var, _)| alike[*var].clone()).collect());
        let places = |kind: &Tokens<N>| {
            tokens.places.iter().map(|(var, _)| kind.place_of(*var).map(|place| place as u16)).collect()
        };
        let targets = |kind: &Tokens<N>| {
            let of = |goal: &super::Targets| goal.places.iter().map(|&place| place.into()).collect();
            kind.goals.iter().map(of).collect()
        };
        Some(MergedTokens {
            place_of: kinds.iter().map(places).collect(),
            targets: kinds.iter().map(targets).collect(),
            tokens,
            is_exact: is_exact(task, &alike),
            task: merged,
        })
    }

    /// Returns whether no goal can be reached since some of these tokens, all and those of each kind, are in each
    /// other's way.
    pub fn is_dead(&self, all: &Places<N>, mover: usize, kinds: impl Iterator<Item = Places<N>> + Clone) -> bool {
        if self.tokens.dead_pairs.as_ref().is_some_and(|pairs| pairs.are_in(all, mover as Value)) {
            return true;
        }
        let Some(blocks) = &self.tokens.blocks else { return false };
        let frozen = blocks.frozen(all);
        if frozen.is_empty() {
            return false;
        }
        let goals = self.targets[0].len();
        let are_on_targets = |goal: usize| {
            self.place_of.iter().zip(&self.targets).zip(kinds.clone()).all(|((place_of, targets), tokens)| {
                let mut own = frozen.iter().filter_map(|place| place_of[place]).map(usize::from);
                own.all(|place| !tokens.contains(place) || targets[goal].contains(place))
            })
        };
        !(0..goals).any(are_on_targets)
    }
}

/// Returns whether operators ask for nothing but sets of values that have all tokens, none, or nothing but tokens.
fn is_exact(task: &Task, alike: &[Values]) -> bool {
    let is_plain = |(var, values): &Condition| {
        let tokens = &alike[*var];
        !values.meets(tokens) || tokens.is_within(values) || values.is_within(tokens)
    };
    let is_exact = |operator: &Operator| operator.is_plain() && operator.conditions.iter().all(is_plain);
    task.never.is_empty() && task.operators.iter().all(is_exact)
}

/// Returns the task in which some symbols are one, and for each variable the values that are one of them; none if a
/// move reads what it forgets.
fn merge(task: &Task, symbols: &[&str]) -> Option<(Task, Vec<Values>)> {
    // A token keeps the name of the first symbol, which every variable that can hold one has then.
    let is_one = |name: &String| symbols.contains(&name.as_str());
    let mut alike = vec![Values::NONE; task.variables.len()];
    let mut new: Vec<Vec<Value>> = Vec::new();
    let mut variables = Vec::new();
    for (var, variable) in task.variables.iter().enumerate() {
        // The values of a place variable are cells.
        let merges = variable.place_of().is_none();
        let mut values: Vec<String> = Vec::new();
        let mut renamed = Vec::new();
        for (value, name) in (0..).zip(&*variable.values) {
            let is_token = merges && is_one(name);
            if is_token {
                alike[var].insert(value);
            }
            let name = if is_token { symbols[0].to_owned() } else { name.clone() };
            let at = values.iter().position(|known| *known == name).unwrap_or(values.len());
            if at == values.len() {
                values.push(name);
            }
            renamed.push(at as Value);
        }
        variables.push(Variable { name: variable.name.clone(), values: values.into() });
        new.push(renamed);
    }
    let renamed = |var: Var, value: Value| new[var][usize::from(value)];
    // A set of all values is no condition.
    let condition = |(var, values): &Condition| {
        let values: Values = values.iter().map(|value| renamed(*var, value)).collect();
        (values.len() < variables[*var].values.len()).then_some((*var, values))
    };
    let effect = |operator: &Operator, effect: &Effect| {
        let source = match &effect.source {
            Source::Value(value) => Source::Value(renamed(effect.target, *value)),
            Source::Table(from, table) => {
                let mut merged: Vec<Option<Value>> = vec![None; variables[*from].values.len()];
                for value in task.allowed(operator, *from).iter() {
                    let to = renamed(effect.target, table[usize::from(value)]);
                    let known = merged[usize::from(renamed(*from, value))].get_or_insert(to);
                    if *known != to {
                        return None;
                    }
                }
                let mut known = merged.iter().flatten();
                match known.next() {
                    // A move that carries a token from cell to cell, whatever its kind.
                    Some(&only) if known.all(|to| *to == only) => Source::Value(only),
                    _ => Source::Table(*from, merged.into_iter().map(|to| to.unwrap_or(0)).collect()),
                }
            }
        };
        Some(Effect { target: effect.target, source })
    };
    let operator = |operator: &Operator| {
        Some(Operator {
            cost: operator.cost,
            conditions: operator.conditions.iter().filter_map(condition).collect(),
            effects: operator.effects.iter().map(|one| effect(operator, one)).collect::<Option<_>>()?,
            action: operator.action,
            ..Operator::default()
        })
    };
    let goal =
        |goal: &Goal| Goal { conditions: goal.conditions.iter().filter_map(condition).collect(), ..Goal::default() };
    let merged = Task {
        counters: Vec::new(),
        operators: task.operators.iter().map(operator).collect::<Option<_>>()?,
        start: (0..).zip(&task.start).map(|(var, &value)| renamed(var, value)).collect(),
        goals: task.goals.iter().map(goal).collect(),
        never: Vec::new(),
        variables,
        cost_unit: task.cost_unit,
    };
    Some((merged, alike))
}
