//! From a rule as written to rules of one direction, whose words each mean one thing.
//!
//! The order of the rules that come out decides what a game does: they are tried one after the other.

use super::names::{Kind, Names, Object};
use crate::game::{self, Direction, Word};
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// A name in a cell, with the word before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Term<'a> {
    pub word: Word,
    pub name: &'a str,
}

pub(super) type Cell<'a> = Vec<Term<'a>>;

/// A rule of one direction. The words are absolute: no `>`, and in the end none that means several movements.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Expanded<'a> {
    pub direction: Direction,
    pub left: Vec<Vec<Cell<'a>>>,
    /// As many rows as on the left, or none.
    pub right: Vec<Vec<Cell<'a>>>,
}

/// The place of a cell in a rule: its row, and the cell in that row.
type Place = (usize, usize);

/// The replacement of an ambiguous word, and the number of places where it stands.
#[derive(Clone)]
struct Choice<T> {
    value: T,
    first: Place,
    places: usize,
}

impl<'a> Expanded<'a> {
    fn cells(&self) -> impl Iterator<Item = Place> + use<'a> {
        let lengths: Vec<usize> = self.left.iter().map(Vec::len).collect();
        lengths.into_iter().enumerate().flat_map(|(row, length)| (0..length).map(move |cell| (row, cell)))
    }

    /// Returns the cell on the right of a place, if the rule has a right side.
    fn right_of(&mut self, (row, cell): Place) -> Option<&mut Cell<'a>> {
        self.right.get_mut(row)?.get_mut(cell)
    }

    /// Calls `change` with the cell on the left and the cell on the right of a place.
    fn change_at(&mut self, place: Place, change: impl Fn(&mut Cell<'a>)) {
        change(&mut self.left[place.0][place.1]);
        self.right_of(place).into_iter().for_each(change);
    }

    fn all_cells(&mut self) -> impl Iterator<Item = &mut Cell<'a>> {
        self.left.iter_mut().chain(&mut self.right).flatten()
    }

    fn right_terms(&self) -> impl Iterator<Item = &Term<'a>> {
        self.right.iter().flatten().flatten()
    }

    fn right_terms_mut(&mut self) -> impl Iterator<Item = &mut Term<'a>> {
        self.right.iter_mut().flatten().flatten()
    }
}

/// Expands a rule. Nothing is left of a rule whose right side stays ambiguous.
pub(super) fn expand<'a>(rule: &'a game::Rule, names: &'a Names) -> Vec<Expanded<'a>> {
    let terms = |rows: &'a [Vec<game::Cell>]| -> Vec<Vec<Cell<'a>>> {
        let term = |item: &'a game::Item| Term { word: item.word, name: &item.name };
        let cell = |cell: &'a game::Cell| cell.iter().map(term).collect();
        rows.iter().map(|row| row.iter().map(cell).collect()).collect()
    };
    let mut written = Expanded { direction: Direction::Up, left: terms(&rule.left), right: terms(&rule.right) };
    remove_repeated_no(&mut written);
    written.left.iter_mut().flatten().for_each(|cell| remove_needless_no(cell, names));
    let count = if rule.is_directional() { rule.directions.len() } else { 1 };
    let mut expanded = Vec::new();
    for &direction in rule.directions.iter().take(count) {
        let rule_line = rule;
        let mut rule = Expanded { direction, ..written.clone() };
        turn(&mut rule);
        rule.all_cells().for_each(|cell| name_objects(cell, names));
        for rule in concrete_movements(rule) {
            expanded.extend(concrete_properties(rule, names));
        }
        if !rule_line.late {
            expanded.iter_mut().for_each(|rule| stop_created(rule, names));
        }
    }
    without_repetitions(expanded)
}

/// Removes rules that come again: the last one stays. Rules of single cells are the same in all directions.
fn without_repetitions(rules: Vec<Expanded<'_>>) -> Vec<Expanded<'_>> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    for rule in rules.into_iter().rev() {
        let is_directed = rule.left.iter().any(|row| row.len() > 1);
        let direction = if is_directed { rule.direction } else { Direction::Up };
        if seen.insert(Expanded { direction, ..rule.clone() }) {
            kept.push(rule);
        }
    }
    kept.reverse();
    kept
}

/// Removes `no` and a name from the right where the left has it too. As in the reference, what follows a removed name
/// is passed over.
fn remove_repeated_no(rule: &mut Expanded<'_>) {
    for place in rule.cells() {
        let left = rule.left[place.0][place.1].clone();
        let Some(right) = rule.right_of(place) else { continue };
        let mut index = 0;
        while index < right.len() {
            if right[index].word == Word::No && left.contains(&right[index]) {
                right.remove(index);
            }
            index += 1;
        }
    }
}

/// Removes `no` and a name from a cell on the left where other names fill its layers. This makes a difference in cells
/// with two objects of one layer, which come from rules with a mistake. As in the reference, other names of objects
/// fill none.
fn remove_needless_no(cell: &mut Cell<'_>, names: &Names) {
    let mut present = Vec::new();
    for term in cell.iter().filter(|term| term.word != Word::No) {
        match names.find(term.name) {
            Some((Kind::One, objects)) if names.number(term.name).is_some() => present.extend(objects),
            Some((Kind::Any, objects)) if names.shared_layer(&objects).is_some() => present.extend(objects),
            Some((Kind::All, objects)) => present.extend(objects),
            _ => {}
        }
    }
    let is_filled = |object: &Object| present.iter().any(|other| names.layer_of[*other] == names.layer_of[*object]);
    cell.retain(|term| match names.find(term.name).filter(|_| term.word == Word::No) {
        None | Some((Kind::All, _)) => true,
        Some((_, objects)) => !objects.iter().all(|object| is_filled(object) && !present.contains(object)),
    });
}

/// Replaces words relative to the direction. Rules for up and left become rules for down and right with their rows
/// reversed, unless they have an ellipsis.
fn turn(rule: &mut Expanded<'_>) {
    let forward = rule.direction;
    rule.all_cells().flatten().for_each(|term| term.word = absolute(term.word, forward));
    if rule.left.iter().flatten().flatten().any(|term| term.word == Word::Ellipsis) {
        return;
    }
    rule.direction = match forward {
        Direction::Up => Direction::Down,
        Direction::Left => Direction::Right,
        Direction::Down | Direction::Right => return,
    };
    rule.left.iter_mut().chain(&mut rule.right).for_each(|row| row.reverse());
}

/// Returns a word without reference to the rule's direction.
fn absolute(word: Word, forward: Direction) -> Word {
    // Clockwise.
    const TURNS: [Word; 4] = [Word::Up, Word::Right, Word::Down, Word::Left];
    let turned = |by: usize| {
        let forward = match forward {
            Direction::Up => 0,
            Direction::Right => 1,
            Direction::Down => 2,
            Direction::Left => 3,
        };
        TURNS[(forward + by) % 4]
    };
    match word {
        Word::Forward => turned(0),
        Word::RightTurn => turned(1),
        Word::Backward => turned(2),
        Word::LeftTurn => turned(3),
        other => other,
    }
}

/// Returns the movements that an ambiguous word stands for, none for other words.
fn movements(word: Word, forward: Direction) -> &'static [Word] {
    const HORIZONTAL: &[Word] = &[Word::Left, Word::Right];
    const VERTICAL: &[Word] = &[Word::Up, Word::Down];
    let is_vertical = matches!(forward, Direction::Up | Direction::Down);
    match word {
        Word::Moving => &[Word::Up, Word::Down, Word::Left, Word::Right, Word::Action],
        Word::Orthogonal => &[Word::Up, Word::Down, Word::Left, Word::Right],
        Word::Horizontal => HORIZONTAL,
        Word::Vertical => VERTICAL,
        Word::Parallel => {
            if is_vertical {
                VERTICAL
            } else {
                HORIZONTAL
            }
        }
        Word::Perpendicular => {
            if is_vertical {
                HORIZONTAL
            } else {
                VERTICAL
            }
        }
        _ => &[],
    }
}

/// Replaces aggregates by their objects, the first one in place, the others at the end of the cell; and other names of
/// objects by the objects.
fn name_objects<'a>(cell: &mut Cell<'a>, names: &'a Names) {
    for index in 0..cell.len() {
        let Term { word, name } = cell[index];
        match names.listed(name) {
            Some((Kind::One, objects)) => cell[index].name = objects[0],
            Some((Kind::All, objects)) if !objects.is_empty() => {
                cell[index].name = objects[0];
                cell.extend(objects[1..].iter().map(|&name| Term { word, name }));
            }
            _ => {}
        }
    }
}

/// Replaces words that mean several movements: one rule for each.
///
/// On the right, such a word means the movement of the same word and name on the left of the same cell; or else of the
/// only cell with this word and name; or else of the only cell with this word.
fn concrete_movements(rule: Expanded<'_>) -> Vec<Expanded<'_>> {
    let forward = rule.direction;
    let is_ambiguous = |term: &&Term<'_>| !movements(term.word, forward).is_empty();
    let mut queue = VecDeque::from([(rule, BTreeMap::new(), BTreeMap::new())]);
    let mut done = Vec::new();
    while let Some((rule, by_name, by_word)) = queue.pop_front() {
        let mut is_done = true;
        // Not only the first of these cells begins new rules: of the repetitions that come out, the last counts.
        for place in rule.cells() {
            let Some(&wanted) = rule.left[place.0][place.1].iter().find(is_ambiguous) else { continue };
            is_done = false;
            for &movement in movements(wanted.word, forward) {
                let (mut rule, mut by_name, mut by_word) = (rule.clone(), by_name.clone(), by_word.clone());
                rule.change_at(place, |cell| {
                    cell.iter_mut().filter(|term| **term == wanted).for_each(|term| term.word = movement);
                });
                let new = Choice { value: movement, first: place, places: 0 };
                let choice: &mut Choice<Word> = by_name.entry(wanted).or_insert_with(|| new.clone());
                choice.places += usize::from(choice.places == 0 || choice.first != place);
                by_word.entry(wanted.word).or_insert(new).places += 1;
                queue.push_back((rule, by_name, by_word));
            }
        }
        if is_done {
            done.push((rule, by_name, by_word));
        }
    }
    for (rule, by_name, by_word) in &mut done {
        for term in rule.right_terms_mut() {
            let choice = by_name.get(term).filter(|choice| choice.places == 1);
            let choice = choice.or_else(|| by_word.get(&term.word).filter(|choice| choice.places == 1));
            term.word = choice.map_or(term.word, |choice| choice.value);
        }
        if rule.right_terms().any(|term| is_ambiguous(&term)) {
            return Vec::new();
        }
    }
    done.into_iter().map(|(rule, ..)| rule).collect()
}

/// Replaces properties by their objects, one rule for each, unless all objects of a property share a layer and the
/// right needs none of them by name.
///
/// On the right, a property means the object that it was replaced by on the left of the same cell, or else at its only
/// place.
fn concrete_properties<'a>(mut rule: Expanded<'a>, names: &'a Names) -> Vec<Expanded<'a>> {
    let members = |term: &Term<'a>| match names.listed(term.name) {
        Some((Kind::Any, objects)) if term.word != Word::Random => Some(objects),
        _ => None,
    };
    for cell in rule.all_cells() {
        let spread = |&term: &Term<'a>| match members(&term).filter(|_| term.word == Word::No) {
            Some(objects) => objects.into_iter().map(|name| Term { name, ..term }).collect(),
            None => vec![term],
        };
        *cell = cell.iter().flat_map(spread).collect();
    }
    let mut named = BTreeSet::new();
    for (left, right) in rule.left.iter().flatten().zip(rule.right.iter().flatten()) {
        let on_left: Vec<&str> = left.iter().filter(|term| members(term).is_some()).map(|term| term.name).collect();
        let on_right = right.iter().filter(|term| members(term).is_some()).map(|term| term.name);
        named.extend(on_right.filter(|name| !on_left.contains(name)));
    }
    let must_be_replaced = |term: &&Term<'a>| {
        members(term).is_some()
            && (named.contains(term.name)
                || names.find(term.name).and_then(|(_, objects)| names.shared_layer(&objects)).is_none())
    };
    let replace = |cell: &mut Cell<'a>, property: &str, object: &'a str| {
        let same = cell.iter_mut().filter(|term| term.name == property && term.word != Word::Random);
        same.for_each(|term| term.name = object);
    };
    let mut queue = VecDeque::from([(rule, BTreeMap::new())]);
    let mut done = Vec::new();
    while let Some((rule, choices)) = queue.pop_front() {
        let found = rule.cells().find_map(|place| {
            let cell = &rule.left[place.0][place.1];
            cell.iter().find(must_be_replaced).map(|term| (place, *term))
        });
        let Some((place, property)) = found else {
            done.push((rule, choices));
            continue;
        };
        for object in members(&property).unwrap_or_default() {
            let (mut rule, mut choices) = (rule.clone(), choices.clone());
            rule.change_at(place, |cell| replace(cell, property.name, object));
            let new = Choice { value: object, first: place, places: 0 };
            choices.entry(property.name).or_insert(new).places += 1;
            queue.push_back((rule, choices));
        }
    }
    for (rule, choices) in &mut done {
        for (property, choice) in choices.iter().filter(|(_, choice)| choice.places == 1) {
            rule.right.iter_mut().flatten().for_each(|cell| replace(cell, property, choice.value));
        }
        if rule.right_terms().any(|term| members(term).is_some() && named.contains(term.name)) {
            return Vec::new();
        }
    }
    done.into_iter().map(|(rule, _)| rule).collect()
}

/// Lets an object on the right rest if nothing that the left names could be in its layer before.
fn stop_created(rule: &mut Expanded<'_>, names: &Names) {
    let objects = |name: &str| names.find(name).map_or(Vec::new(), |(_, objects)| objects);
    for (left, right) in rule.left.iter().flatten().zip(rule.right.iter_mut().flatten()) {
        let before: Vec<usize> = left.iter().flat_map(|term| objects(term.name)).collect();
        for term in right.iter_mut().filter(|term| term.word == Word::Plain) {
            let Some(created) = names.number(term.name) else { continue };
            let layer = names.layer_of[created];
            if !before.iter().any(|&object| names.layer_of[object] == layer) {
                term.word = Word::Stationary;
            }
        }
    }
}
