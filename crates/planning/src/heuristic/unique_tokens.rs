//! Unique tokens: unique symbols other than the mover that a goal asks for, such as the only box of a level.
//!
//! A unique symbol is a variable for its place, so no [matching](super::matching) sees it. Its dead places are found by
//! backward search in the task of its place and the mover's, which drops all other conditions.

use super::TokenKind;
use crate::task::{Task, Value, Values, Var};

/// The most edges of the small task.
const MOST_EDGES: usize = 1 << 22;

/// Returns the unique tokens with dead places, given the mover.
pub fn unique_tokens(task: &Task, mover: Option<Var>) -> Vec<TokenKind> {
    let places = (0..task.variables.len()).filter(|&var| Some(var) != mover);
    places.filter_map(|var| unique_token(task, var, mover)).filter(|token| !token.dead.is_empty()).collect()
}

fn unique_token(task: &Task, var: Var, mover: Option<Var>) -> Option<TokenKind> {
    let symbol = task.variables[var].place_of()?;
    // A goal that allows it everywhere asks nothing of it.
    let targets = task.goals.iter().map(|goal| goal.condition(var)).collect::<Option<Vec<&Values>>>()?;
    let targets = targets.into_iter().fold(Values::NONE, |all, one| all.or(one));
    let values = mover.map_or(1, |mover| task.size(mover));
    let alive = alive(task, var, mover, &targets)?;
    let is_dead = |place: &usize| !alive[place * values..][..values].contains(&true);
    let name = |place: usize| task.variables[var].values[place].clone();
    let all = 0..task.size(var);
    Some(TokenKind {
        symbol: symbol.to_owned(),
        count: 1,
        places: all.clone().map(name).collect(),
        targets: targets.iter().map(|place| name(place.into())).collect(),
        needed: usize::from(targets.len() == 1),
        dead: all.filter(is_dead).map(name).collect(),
        dead_pairs: 0,
    })
}

/// Returns for each place of the token and value of the mover whether a target can be reached; `None` if there are too
/// many moves.
fn alive(task: &Task, var: Var, mover: Option<Var>, targets: &Values) -> Option<Vec<bool>> {
    let values = mover.map_or(1, |mover| task.size(mover));
    // A symbol that moves never stands on the token's cell. The values of a file's variable may have any names.
    let standing = mover.filter(|&mover| task.variables[mover].place_of().is_some());
    let clashes = |place: Value, value: Value| {
        let name = |var: Var, value: Value| &task.variables[var].values[usize::from(value)];
        standing.is_some_and(|mover| name(var, place) == name(mover, value))
    };
    let number = |place: Value, value: Value| usize::from(place) * values + usize::from(value);
    let mut into: Vec<Vec<(Value, Value)>> = vec![Vec::new(); task.size(var) * values];
    let mut edges = 0;
    for operator in &task.operators {
        let movers = mover.map_or(Values::one(0), |mover| task.allowed(operator, mover));
        for place in task.allowed(operator, var).iter() {
            for value in movers.iter().filter(|&value| !clashes(place, value)) {
                let to =
                    (operator.follows(var, place)?, mover.map_or(Some(0), |mover| operator.follows(mover, value))?);
                if to != (place, value) {
                    into[number(to.0, to.1)].push((place, value));
                    edges += 1;
                }
            }
        }
        if edges > MOST_EDGES {
            return None;
        }
    }
    let all = |place: Value| (0..values).map(move |value| (place, value as Value));
    let mut stack: Vec<(Value, Value)> =
        targets.iter().flat_map(all).filter(|&(place, value)| !clashes(place, value)).collect();
    let mut alive = vec![false; into.len()];
    stack.iter().for_each(|&(place, value)| alive[number(place, value)] = true);
    while let Some((place, value)) = stack.pop() {
        for &(place, value) in &into[number(place, value)] {
            if !std::mem::replace(&mut alive[number(place, value)], true) {
                stack.push((place, value));
            }
        }
    }
    Some(alive)
}
