//! Expands a rule as written into rules of one direction without aggregates, synonyms and ambiguous words.
//!
//! The order of what comes out matters: it is the order in which rules of a group are tried. Whatever is replaced by
//! several rules goes, first come first served, to the end of the list.

use super::budget::Budget;
use super::names::{Name, Names};
use super::rule::{Axis, Cell, Rule, Term};
use crate::diagnostic::Diagnostics;
use crate::game::{self, Direction, Place, Word};
use std::collections::VecDeque;

/// Expands the rules of a line in all of its directions. Sets `fatal` if an error leaves no game.
pub(super) fn expand(
    written: &game::Rule,
    rule: &Rule,
    names: &Names,
    budget: &mut Budget,
    diagnostics: &mut Diagnostics,
    fatal: &mut bool,
) -> Vec<Rule> {
    let count = if written.is_directional() { written.directions.len() } else { 1 };
    let mut expanded = Vec::new();
    for &direction in written.directions.iter().take(count) {
        let mut rule = Rule { direction, ..rule.clone() };
        make_absolute(&mut rule);
        reverse(&mut rule, names);
        for cell in rule.left.iter_mut().chain(&mut rule.right).flatten() {
            spread_aggregates(cell, rule.at, names, budget, diagnostics);
            for (_, name) in cell {
                *name = names.get(*name).synonym.unwrap_or(*name);
            }
        }
        for rule in expand_movements(rule, budget, diagnostics, fatal) {
            for mut rule in expand_properties(rule, names, budget, diagnostics) {
                hold_spawned(&mut rule, names);
                expanded.push(rule);
            }
        }
    }
    expanded
}

/// Replaces words that are relative to the rule's direction.
fn make_absolute(rule: &mut Rule) {
    use Direction::{Down, Left, Right, Up};
    let (left, right, back, ahead) = match rule.direction {
        Right => (Word::Up, Word::Down, Word::Left, Word::Right),
        Up => (Word::Left, Word::Right, Word::Down, Word::Up),
        Down => (Word::Right, Word::Left, Word::Up, Word::Down),
        Left => (Word::Down, Word::Up, Word::Right, Word::Left),
    };
    let (along, across) = match rule.direction {
        Left | Right => (Axis::Horizontal, Axis::Vertical),
        Up | Down => (Axis::Vertical, Axis::Horizontal),
    };
    for (term, _) in rule.left.iter_mut().chain(&mut rule.right).flatten().flatten() {
        *term = match *term {
            Term::Word(Word::LeftTurn) => Term::Word(left),
            Term::Word(Word::RightTurn) => Term::Word(right),
            Term::Word(Word::Backward) => Term::Word(back),
            Term::Word(Word::Forward) => Term::Word(ahead),
            Term::Word(Word::Parallel) => Term::Parallel(along),
            Term::Word(Word::Perpendicular) => Term::Perpendicular(across),
            other => other,
        };
    }
}

/// Turns rules that look up or left into rules that look down or right, unless they have an ellipsis.
fn reverse(rule: &mut Rule, names: &Names) {
    let turned = match rule.direction {
        Direction::Up => Direction::Down,
        Direction::Left => Direction::Right,
        Direction::Down | Direction::Right => return,
    };
    if !rule.has_ellipsis(names) {
        rule.direction = turned;
        rule.left.iter_mut().chain(&mut rule.right).for_each(|row| row.reverse());
    }
}

/// Replaces an aggregate by its first object in its place and the others at the end of the cell.
fn spread_aggregates(cell: &mut Cell, at: Place, names: &Names, budget: &mut Budget, diagnostics: &mut Diagnostics) {
    let mut index = 0;
    while index < cell.len() {
        let (term, name) = cell[index];
        if let Some((first, others)) = names.get(name).aggregate.as_deref().and_then(<[Name]>::split_first) {
            if term == Term::NO {
                let message = format!("`no` cannot stand before the aggregate `{}` (`and`)", names.text(name));
                diagnostics.error(at, message);
            }
            cell[index].1 = *first;
            if !budget.pay(others.len(), at, diagnostics) {
                return;
            }
            cell.extend(others.iter().map(|&other| (term, other)));
        }
        index += 1;
    }
}

/// An ambiguous movement on the left that was replaced by one direction.
#[derive(Clone)]
struct Moved {
    name: Name,
    term: Term,
    /// The direction of the first occurrence.
    direction: Term,
    count: usize,
    place: (usize, usize),
}

/// A rule with the replacements that led to it.
#[derive(Clone)]
struct Moving {
    rule: Rule,
    /// By name and word.
    named: Vec<Moved>,
    /// By word alone; the name and place mean nothing.
    words: Vec<Moved>,
}

/// Expands ambiguous movements on the left, and gives those on the right the directions they stand for. Sets `fatal` if
/// one on the right stays ambiguous: that leaves no game.
fn expand_movements(rule: Rule, budget: &mut Budget, diagnostics: &mut Diagnostics, fatal: &mut bool) -> Vec<Rule> {
    let at = rule.at;
    let mut done = Vec::new();
    let mut open = VecDeque::from([Moving { rule, named: Vec::new(), words: Vec::new() }]);
    if !budget.pay_for(&open[0].rule, diagnostics) {
        return Vec::new();
    }
    while let Some(moving) = open.pop_front() {
        let before = open.len();
        // Each cell with an ambiguous word is expanded for itself, from the same rule: the rules of one direction each
        // come out several times, and the last copy stays (`compile::duplicates`).
        for (row, cells) in moving.rule.left.iter().enumerate() {
            for (index, cell) in cells.iter().enumerate() {
                let Some(&(term, name)) = cell.iter().find(|(term, _)| !term.movements().is_empty()) else { continue };
                for &direction in term.movements() {
                    if !budget.pay_for(&moving.rule, diagnostics) {
                        return Vec::new();
                    }
                    open.push_back(moving.with(row, index, term, name, Term::Word(direction)));
                }
            }
        }
        if open.len() == before {
            done.push(moving);
        }
    }
    let mut rules = Vec::with_capacity(done.len());
    for mut moving in done {
        moving.replace_right();
        rules.push(moving.rule);
    }
    let right = rules.iter().flat_map(|rule| &rule.right).flatten().flatten();
    if let Some((term, _)) = right.into_iter().find(|(term, _)| !term.movements().is_empty()) {
        let message = format!(
            "{} on the right side is ambiguous: the left side needs the same word before the same name, or the word once",
            term.text()
        );
        diagnostics.error(at, message);
        *fatal = true;
    }
    rules
}

impl Moving {
    /// Returns a copy with one ambiguous movement replaced in one cell, on both sides.
    fn with(&self, row: usize, index: usize, term: Term, name: Name, direction: Term) -> Self {
        let mut copy = self.clone();
        let replace = |cell: &mut Cell| {
            for item in cell.iter_mut().filter(|item| **item == (term, name)) {
                item.0 = direction;
            }
        };
        replace(&mut copy.rule.left[row][index]);
        if let Some(cell) = copy.rule.right.get_mut(row).and_then(|row| row.get_mut(index)) {
            replace(cell);
        }
        match copy.named.iter_mut().find(|moved| moved.name == name && moved.term == term) {
            Some(moved) => moved.count += usize::from(moved.place != (row, index)),
            None => copy.named.push(Moved { name, term, direction, count: 1, place: (row, index) }),
        }
        match copy.words.iter_mut().find(|moved| moved.term == term) {
            Some(moved) => moved.count += 1,
            None => copy.words.push(Moved { name, term, direction, count: 1, place: (row, index) }),
        }
        copy
    }

    /// Replaces on the right what occurs once on the left: first the word with its name, then the word alone.
    fn replace_right(&mut self) {
        let items = |rule: &mut Rule, change: &dyn Fn(&mut (Term, Name))| {
            rule.right.iter_mut().flatten().flatten().for_each(change);
        };
        for moved in self.named.iter().filter(|moved| moved.count == 1) {
            items(&mut self.rule, &|item| {
                if *item == (moved.term, moved.name) {
                    item.0 = moved.direction;
                }
            });
        }
        for moved in self.words.iter().filter(|moved| moved.count == 1) {
            items(&mut self.rule, &|item| {
                if item.0 == moved.term {
                    item.0 = moved.direction;
                }
            });
        }
    }
}

/// Returns the properties of a cell that are not to be drawn at random.
fn properties<'a>(cell: &'a Cell, names: &'a Names) -> impl Iterator<Item = Name> + 'a {
    let fixed = cell.iter().filter(|(term, _)| *term != Term::RANDOM);
    fixed.map(|&(_, name)| name).filter(|&name| names.get(name).property.is_some())
}

/// Replaces `no` of a property by `no` of each of its objects.
fn spread_no(cell: &mut Cell, names: &Names) {
    let spread = |&(term, name): &(Term, Name)| match &names.get(name).property {
        Some(values) if term == Term::NO => values.iter().map(|&value| (term, value)).collect(),
        _ => vec![(term, name)],
    };
    *cell = cell.iter().flat_map(spread).collect();
}

/// Replaces a property in a cell by one of its objects.
fn replace_property(cell: &mut Cell, property: Name, object: Name) {
    for item in cell.iter_mut().filter(|(term, name)| *name == property && *term != Term::RANDOM) {
        item.1 = object;
    }
}

/// A rule with the properties that were replaced: each with its first object and how often.
#[derive(Clone)]
struct Replaced {
    rule: Rule,
    properties: Vec<(Name, Name, usize)>,
}

/// Expands properties on the left, and gives those on the right the objects they stand for. A property whose objects
/// share a layer stays one pattern, unless the right side needs to know which object it is.
fn expand_properties(mut rule: Rule, names: &Names, budget: &mut Budget, diagnostics: &mut Diagnostics) -> Vec<Rule> {
    for cell in rule.left.iter_mut().chain(&mut rule.right).flatten() {
        let words = cell.len();
        spread_no(cell, names);
        if !budget.pay(cell.len().saturating_sub(words), rule.at, diagnostics) {
            return Vec::new();
        }
    }
    let mut needed = Vec::new();
    for (left, right) in rule.left.iter().flatten().zip(rule.right.iter().flatten()) {
        let here: Vec<Name> = properties(left, names).collect();
        needed.extend(properties(right, names).filter(|property| !here.contains(property)));
    }
    let at = rule.at;
    let mut done = Vec::new();
    let mut open = VecDeque::from([Replaced { rule, properties: Vec::new() }]);
    while let Some(replaced) = open.pop_front() {
        let splits = |&property: &Name| names.get(property).single_layer.is_none() || needed.contains(&property);
        let cells = replaced.rule.left.iter().enumerate();
        let mut cells =
            cells.flat_map(|(row, cells)| cells.iter().enumerate().map(move |(index, cell)| (row, index, cell)));
        let found =
            cells.find_map(|(row, index, cell)| properties(cell, names).find(splits).map(|name| (row, index, name)));
        let Some((row, index, property)) = found else {
            done.push(replaced);
            continue;
        };
        for &object in names.get(property).property.iter().flatten() {
            if !budget.pay_for(&replaced.rule, diagnostics) {
                return Vec::new();
            }
            let mut copy = replaced.clone();
            replace_property(&mut copy.rule.left[row][index], property, object);
            if let Some(cell) = copy.rule.right.get_mut(row).and_then(|row| row.get_mut(index)) {
                replace_property(cell, property, object);
            }
            match copy.properties.iter_mut().find(|known| known.0 == property) {
                Some(known) => known.2 += 1,
                None => copy.properties.push((property, object, 1)),
            }
            open.push_back(copy);
        }
    }
    for replaced in &mut done {
        for &(property, object, count) in &replaced.properties {
            if count == 1 {
                let cells = replaced.rule.right.iter_mut().flatten();
                cells.for_each(|cell| replace_property(cell, property, object));
            }
        }
    }
    let right = done.iter().flat_map(|replaced| &replaced.rule.right).flatten();
    if let Some(property) = right.flat_map(|cell| properties(cell, names)).find(|property| needed.contains(property)) {
        let message = format!(
            "the property `{}` on the right side is ambiguous: the left side needs it in the same cell, or once",
            names.text(property)
        );
        diagnostics.error(at, message);
        return Vec::new();
    }
    done.into_iter().map(|replaced| replaced.rule).collect()
}

/// Makes objects stationary that appear on the right in a layer that nothing on the left of that cell could be in: a
/// movement that another object left in that layer must not move them.
fn hold_spawned(rule: &mut Rule, names: &Names) {
    if rule.late {
        return;
    }
    for (left, right) in rule.left.iter().flatten().zip(rule.right.iter_mut().flatten()) {
        let mut there = Vec::new();
        for &(_, name) in left {
            let meanings = names.get(name);
            if meanings.object.is_some() {
                there.push(name);
            } else {
                there.extend(meanings.property.iter().flatten().copied());
            }
        }
        let objects = there.iter().filter_map(|&name| names.get(name).object);
        let layers: Vec<Option<usize>> = objects.map(|object| object.layer).collect();
        for (term, name) in right.iter_mut().filter(|(term, _)| *term == Term::PLAIN) {
            let meanings = names.get(*name);
            let Some(object) = meanings.object else { continue };
            if meanings.property.is_none() && !there.contains(name) && !layers.contains(&object.layer) {
                *term = Term::STATIONARY;
            }
        }
    }
}
