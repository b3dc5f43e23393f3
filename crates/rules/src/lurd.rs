//! The notation `lurd`: a letter for each move, as in solutions of Sokoban.
//!
//! It fits puzzles in which every move moves the same symbol, which occurs once, by one cell up, down, left or right.
//! The letter is the direction, `u`, `d`, `l` or `r`, and a capital if the move changes more than the two cells of the
//! symbol. The symbol is found in the operators of the task; the names of symbols and rules do not matter.

use super::model::MovePart;
use super::task::{Condition, Operator, Source, Task, Value, Var};
use std::collections::HashMap;

/// The letters of the notation.
pub(super) const LETTERS: &str = "udlrUDLR";

/// The two cells of the symbol in a move.
type MoveCells = (Var, Var);

/// Returns the symbol that every move moves. `cells` is the number of cells of the grid, with so many `columns`.
///
/// # Errors
/// The reason why the notation does not fit the task.
pub(super) fn mover(task: &Task, moves: &[Vec<MovePart>], cells: usize, columns: usize) -> Result<Value, String> {
    if cells == 0 {
        return Err("the puzzle has no grid".to_owned());
    }
    if task.operators.iter().any(|operator| is_letter(&moves[operator.action as usize])) {
        return Err("a move already has a name of one letter".to_owned());
    }
    let occurrences = |symbol: Value| task.start[..cells].iter().filter(|value| **value == symbol).count();
    let unique = (0..task.size(0)).map(|symbol| symbol as Value).filter(|&symbol| occurrences(symbol) == 1);
    let found = unique.filter_map(|symbol| {
        let step = |operator| step(task, operator, symbol, cells, columns);
        let steps: Option<Vec<MoveCells>> = task.operators.iter().map(step).collect();
        steps.map(|steps| (symbol, steps))
    });
    let Some((symbol, steps)) = found.into_iter().next() else {
        return Err("no symbol that occurs once moves by one cell in every move".to_owned());
    };
    if is_ambiguous(task, &steps, cells) {
        return Err("two moves of a position may have the same letter".to_owned());
    }
    Ok(symbol)
}

/// Returns whether the name of a move is a letter of the notation, or may be one.
fn is_letter(name: &[MovePart]) -> bool {
    match name {
        [MovePart::Symbol(_)] => true,
        [MovePart::Text(text)] => text.len() == 1 && LETTERS.contains(text.as_str()),
        _ => false,
    }
}

/// Returns the cells that a symbol leaves and enters, if the operator moves it to a neighbouring cell and writes it
/// nowhere else.
fn step(task: &Task, operator: &Operator, symbol: Value, cells: usize, columns: usize) -> Option<MoveCells> {
    let is_here = |(var, values): &&Condition| *var < cells && values.only() == Some(symbol);
    let from = operator.conditions.iter().find(is_here)?.0;
    let mut to = None;
    for effect in operator.effects.iter().filter(|effect| effect.target < cells) {
        let may_write = effect.source.values(|var| task.allowed(operator, var)).contains(symbol);
        let always_writes = matches!(effect.source, Source::Value(_));
        match (may_write, to) {
            (false, _) => {}
            (true, None) if always_writes => to = Some(effect.target),
            _ => return None,
        }
    }
    let to = to?;
    operator.effect(from)?;
    direction(from, to, columns).map(|_| (from, to))
}

/// Returns the letter for a step to a neighbouring cell.
fn direction(from: usize, to: usize, columns: usize) -> Option<char> {
    let (row, column) = ((from / columns, to / columns), (from % columns, to % columns));
    match (row, column) {
        ((from, to), (left, right)) if left == right && to + 1 == from => Some('u'),
        ((from, to), (left, right)) if left == right && from + 1 == to => Some('d'),
        ((above, below), (from, to)) if above == below && to + 1 == from => Some('l'),
        ((above, below), (from, to)) if above == below && from + 1 == to => Some('r'),
        _ => None,
    }
}

/// Returns whether two different operators with the same letter may be applicable in one state.
fn is_ambiguous(task: &Task, steps: &[MoveCells], cells: usize) -> bool {
    let mut by_step: HashMap<MoveCells, Vec<&Operator>> = HashMap::new();
    for (step, operator) in steps.iter().zip(&task.operators) {
        let others = by_step.entry(*step).or_default();
        let clashes = |other: &&Operator| {
            other.effects != operator.effects && !other.excludes(operator) && !differ_in_case(other, operator, cells)
        };
        // Many operators for one step are not worth the time.
        if others.len() > 1000 || others.iter().any(clashes) {
            return true;
        }
        others.push(operator);
    }
    false
}

/// Returns whether one operator always has a small letter, and the other a capital.
fn differ_in_case(one: &Operator, other: &Operator, cells: usize) -> bool {
    let is_small = |operator: &Operator| operator.changed().filter(|var| *var < cells).count() == 2;
    let is_capital = |operator: &Operator| {
        let is_other =
            |(var, value): &(Var, Value)| operator.condition(*var).is_some_and(|values| !values.contains(*value));
        operator.constants().filter(|fact| fact.0 < cells && is_other(fact)).count() > 2
    };
    is_small(one) && is_capital(other) || is_small(other) && is_capital(one)
}

/// Returns the letter of the move between two states, given the values of their cells.
pub(super) fn letter(symbol: Value, before: &[Value], after: &[Value], columns: usize) -> Option<char> {
    let place = |cells: &[Value]| cells.iter().position(|value| *value == symbol);
    let letter = direction(place(before)?, place(after)?, columns)?;
    let changed = before.iter().zip(after).filter(|(before, after)| before != after).count();
    Some(if changed > 2 { letter.to_ascii_uppercase() } else { letter })
}

#[cfg(test)]
mod tests {
    use super::super::reduce::reduce;
    use super::super::tests::compiled;
    use super::*;
    use crate::domain::BuildContext;

    /// Returns the moving symbol of a puzzle.
    fn found(source: &str) -> Result<String, String> {
        let compiled = compiled(source);
        let (cells, columns) = (compiled.model.world.cells(), compiled.model.world.columns);
        let reduced = reduce(&compiled.task, cells, &BuildContext::default());
        let symbol = mover(&reduced.narrowed, &compiled.moves, cells, columns)?;
        Ok(compiled.task.variables[0].values[usize::from(symbol)].clone())
    }

    fn rule(name: &str, from: &str, to: &str) -> String {
        format!("[[rules]]\nname = '{name}'\nfrom = '{from}'\nto = '{to}'\nturns = true\n")
    }

    #[test]
    fn the_moving_symbol_is_found_in_the_operators() {
        let (walk, push) = (rule("walk", "m.", ".m"), rule("push", "mb.", ".mb"));
        let start = "start = '''\n....\n.mb.\n....\n'''\n";
        let room = format!("{start}goal = {{ count = {{ b = 1 }} }}\n");
        let pull = rule("pull", ".mb", "mb.");
        assert_eq!(found(&(room.clone() + &walk + &push)), Ok("m".to_owned()));
        assert_eq!(
            found(&(room.clone() + &walk + &push + &pull)),
            Ok("m".to_owned()),
            "pulls are capitals, walks small"
        );
        assert_eq!(
            found(&(room.clone() + &walk + &rule("roll", "b.", ".b"))).map_err(|why| why.contains("every move")),
            Err(true)
        );
        assert_eq!(
            found(&(room.clone() + &walk + &rule("leap", "m..", "..m"))).map_err(|why| why.contains("every move")),
            Err(true)
        );
        let two = rule("shift", "mb.", ".mb") + &rule("grow", "mb.", ".mc");
        assert_eq!(found(&(room + &two)).map_err(|why| why.contains("same letter")), Err(true));
        let named = "start = { drawing = 'm..', n = 0 }\ngoal = '??m'\n[variables]\nn = '0..1'\n".to_owned()
            + &walk
            + "[[rules]]\nname = 'u'\nwhen = 'n == 0'\nthen = { n = 1 }\n";
        assert_eq!(found(&named).map_err(|why| why.contains("one letter")), Err(true));
        let twins = "start = 'm..m'\ngoal = '???m'\n".to_owned() + &walk;
        assert_eq!(found(&twins).map_err(|why| why.contains("every move")), Err(true));
        let variables = "start = { n = 1 }\ngoal = { n = 2 }\n[variables]\nn = '0..2'\n\
            [[rules]]\nname = 'more'\nwhen = 'n < 2'\nthen = { n = 'n + 1' }\n";
        assert_eq!(found(variables).map_err(|why| why.contains("no grid")), Err(true));
    }

    #[test]
    fn letters_are_directions_and_capitals_change_more_than_two_cells() {
        let values = |text: &str| text.bytes().map(Value::from).collect::<Vec<Value>>();
        let letter = |before: &str, after: &str| letter(b'm'.into(), &values(before), &values(after), 3);
        assert_eq!(letter(".m.......", "m........"), Some('l'));
        assert_eq!(letter(".m.......", "....m...."), Some('d'));
        assert_eq!(letter(".......m.", "....m...."), Some('u'));
        assert_eq!(letter("mb.......", ".mb......"), Some('R'));
        assert_eq!(letter("..m......", "...m....."), None, "the next cell is in another row");
    }
}
