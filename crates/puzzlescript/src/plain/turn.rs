//! One turn: the player's movement, the rules, movement, the late rules.

use super::groups::{Group, Phase};
use super::level::PlainBoard;
use super::names::Objects;
use super::rule::{Change, Movement, Pattern, Row, Rule, Test, bits};
use super::{Player, Rules};
use crate::game::{Command, Direction, Word};
use crate::input::Input;
use crate::random::Random;
use std::collections::BTreeSet;

/// The most times that a group is repeated in a turn before the rules go on.
const MAX_PASSES: usize = 200;

/// The most times that loops jump back in a phase of a turn before the phase ends.
const MAX_JUMPS: usize = 200;

/// The most times that a turn starts again because rigid objects could not move.
const MAX_ATTEMPTS: usize = 50;

/// Cells that the turns of a press compare with rules before they give up. The search gives up long before that.
pub(super) const MAX_WORK: u64 = 1_000_000_000;

/// A board with its movements.
#[derive(Clone, Debug)]
pub(super) struct Field {
    pub board: PlainBoard,
    layers: usize,
    /// The movement in each layer of each cell.
    movements: Vec<Movement>,
    /// The rigid group that has set a movement, in each layer of each cell: 0 for none. Two groups leave the union of
    /// their bits, as in the reference.
    marks: Vec<u32>,
}

impl Field {
    /// Returns a board without movements.
    pub fn new(board: PlainBoard, layers: usize) -> Self {
        let places = board.cells.len() * layers;
        Self { board, layers, movements: vec![0; places], marks: vec![0; places] }
    }

    /// Returns the cell that a movement leads to: none beyond the edge.
    fn neighbour(&self, cell: usize, movement: Movement) -> Option<usize> {
        let (x, y) = (cell / self.board.height, cell % self.board.height);
        let inside = |inside: bool, cell: usize| inside.then_some(cell);
        if movement == bits(Word::Up) {
            inside(y > 0, cell.wrapping_sub(1))
        } else if movement == bits(Word::Down) {
            inside(y + 1 < self.board.height, cell + 1)
        } else if movement == bits(Word::Left) {
            inside(x > 0, cell.wrapping_sub(self.board.height))
        } else if movement == bits(Word::Right) {
            inside(x + 1 < self.board.width, cell + self.board.height)
        } else {
            Some(cell)
        }
    }

    /// Returns the number of cells from a cell to the edge in a direction, the cell itself included.
    fn room(&self, cell: usize, direction: Direction) -> usize {
        let (x, y) = (cell / self.board.height, cell % self.board.height);
        match direction {
            Direction::Up => y + 1,
            Direction::Down => self.board.height - y,
            Direction::Left => x + 1,
            Direction::Right => self.board.width - x,
        }
    }

    /// Returns the cell some steps away, which must be on the board.
    fn away(&self, cell: usize, direction: Direction, steps: usize) -> usize {
        match direction {
            Direction::Up => cell - steps,
            Direction::Down => cell + steps,
            Direction::Left => cell - steps * self.board.height,
            Direction::Right => cell + steps * self.board.height,
        }
    }

    /// Returns all cells in the order in which rules of a direction look at them: line by line, or column by column.
    fn scan(&self, direction: Direction) -> impl Iterator<Item = usize> + use<> {
        let (width, height) = (self.board.width, self.board.height);
        let is_vertical = matches!(direction, Direction::Up | Direction::Down);
        (0..width * height).map(move |n| if is_vertical { n } else { n % width * height + n / width })
    }

    fn holds(&self, cell: usize, pattern: &Pattern) -> bool {
        let objects = &self.board.cells[cell];
        let movement = |layer: usize| self.movements[cell * self.layers + layer];
        pattern.tests.iter().all(|test| match test {
            Test::No(missing) => !objects.has_any(missing),
            Test::Resting(present, layer) => objects.has_any(present) && movement(*layer) == 0,
            Test::Moving(present, layer, wanted) => objects.has_any(present) && movement(*layer) & wanted == *wanted,
        })
    }
}

/// Layers of cells that are asked for their movement in the time of one comparison of a cell.
const PLACES_A_STEP: u64 = 8;

/// Matches of the rows of a rule. The search gives a turn with more of them up.
const MAX_MATCHES: usize = 1 << 23;

/// A place where a row matches: its first cell, and the lengths of its ellipses.
#[derive(Clone, Copy, Debug)]
struct Match {
    start: u32,
    lengths: [u32; 2],
}

impl Match {
    /// Returns how far a cell of the row is from the first.
    fn steps(&self, row: &Row, cell: usize) -> usize {
        let gaps = row.gaps.iter().zip(self.lengths).filter(|&(&gap, _)| gap <= cell);
        cell + gaps.map(|(_, length)| length as usize).sum::<usize>()
    }
}

/// The result of a turn besides the board.
#[derive(Clone, Debug, Default)]
pub(super) struct Turned {
    pub commands: Vec<Command>,
    /// There was a key and a player, and each cell with a player still has one.
    pub player_stayed: bool,
}

/// A turn under way.
struct Turn<'t> {
    rules: &'t Rules,
    field: &'t mut Field,
    random: &'t mut Random,
    commands: Vec<Command>,
    /// Rigid groups that do not apply in this turn.
    banned: BTreeSet<u32>,
    /// The objects that have been on the board, and the movements that have been in each layer: a rule that asks for
    /// others cannot match.
    seen: Objects,
    seen_movements: Vec<Movement>,
    work: &'t mut u64,
}

impl Rules {
    /// Takes a turn, and adds its work to `work`: the board means nothing if that is then more than [`MAX_WORK`]. What
    /// the commands ask for is left to do.
    pub(super) fn turn(&self, field: &mut Field, input: Option<Input>, random: &mut Random, work: &mut u64) -> Turned {
        let players = input.map_or(Vec::new(), |input| self.start_movement(field, input));
        let turn = Turn {
            rules: self,
            random,
            commands: Vec::new(),
            banned: BTreeSet::new(),
            seen: Objects::new(self.names.objects.len()),
            seen_movements: vec![0; field.layers],
            work,
            field,
        };
        let commands = turn.take();
        let stays = |&cell: &usize| field.board.cells[cell].has_any(&self.player.objects);
        Turned { commands, player_stayed: !players.is_empty() && players.iter().all(stays) }
    }

    /// Gives all players the movement of a key. Returns the cells with a player.
    fn start_movement(&self, field: &mut Field, input: Input) -> Vec<usize> {
        let word = match input {
            Input::Up => Word::Up,
            Input::Left => Word::Left,
            Input::Down => Word::Down,
            Input::Right => Word::Right,
            Input::Action => Word::Action,
        };
        let Player { objects, all } = &self.player;
        let is_player = |cell: &Objects| if *all { cell.has_all(objects) } else { cell.has_any(objects) };
        let cells = field.board.cells.iter().enumerate();
        let players: Vec<usize> = cells.filter(|(_, cell)| is_player(cell)).map(|(cell, _)| cell).collect();
        for &cell in &players {
            for &object in objects.iter().filter(|&&object| field.board.cells[cell].has(object)) {
                field.movements[cell * field.layers + self.names.layer_of[object]] |= bits(word);
            }
        }
        players
    }
}

impl<'t> Turn<'t> {
    /// Returns the commands.
    fn take(mut self) -> Vec<Command> {
        let rules = self.rules;
        let start = self.field.clone();
        for _ in 0..MAX_ATTEMPTS {
            self.see_everything();
            self.apply_phase(&rules.early);
            if self.move_objects() || self.gave_up() {
                self.apply_phase(&rules.late);
                break;
            }
            self.field.clone_from(&start);
            self.commands.clear();
        }
        self.commands
    }

    fn gave_up(&self) -> bool {
        *self.work > MAX_WORK
    }

    fn see_everything(&mut self) {
        for cell in 0..self.field.board.cells.len() {
            self.see(cell);
        }
    }

    fn see(&mut self, cell: usize) {
        let layers = self.field.layers;
        self.seen.extend(&self.field.board.cells[cell]);
        let movements = &self.field.movements[cell * layers..(cell + 1) * layers];
        self.seen_movements.iter_mut().zip(movements).for_each(|(seen, movement)| *seen |= movement);
    }

    fn apply_phase(&mut self, phase: &'t Phase) {
        let (mut jumps, mut changed, mut index) = (0, false, 0);
        while let Some(group) = phase.groups.get(index) {
            if !group.rigid.is_some_and(|number| self.banned.contains(&number)) {
                changed |= self.apply_group(group);
            }
            match group.back.filter(|_| changed) {
                Some(_) if jumps == MAX_JUMPS => return,
                Some(back) => {
                    (index, changed) = (back, false);
                    jumps += 1;
                }
                None => index += 1,
            }
        }
    }

    /// Applies a group. Returns whether anything changed.
    fn apply_group(&mut self, group: &'t Group) -> bool {
        if group.random {
            return self.apply_one_of(group);
        }
        let mut changed = false;
        for _ in 0..MAX_PASSES {
            let mut changed_now = false;
            for rule in &group.rules {
                changed_now |= self.apply_rule(rule, group.rigid);
            }
            if !changed_now {
                break;
            }
            changed = true;
        }
        changed
    }

    /// Applies one match of all rules of a group, drawn at random.
    fn apply_one_of(&mut self, group: &'t Group) -> bool {
        let mut found: Vec<(&Rule, Vec<Vec<Match>>)> = Vec::new();
        let mut held = 0;
        for rule in &group.rules {
            if let Some(rows) = self.find(rule, held) {
                held += rows.iter().map(Vec::len).sum::<usize>();
                found.push((rule, rows));
            }
        }
        let count = |rows: &[Vec<Match>]| rows.iter().map(Vec::len).fold(1, usize::saturating_mul);
        let total = found.iter().map(|(_, rows)| count(rows)).fold(0, usize::saturating_add);
        if total == 0 {
            return false;
        }
        let mut drawn = self.random.below(total);
        for (rule, rows) in found {
            let count = count(&rows);
            if drawn < count {
                let mut changed = false;
                for (row, matches) in rule.rows.iter().zip(&rows) {
                    changed |= self.replace_row(rule, row, matches[drawn % matches.len()], group.rigid);
                    drawn /= matches.len();
                }
                self.queue(rule);
                return changed;
            }
            drawn -= count;
        }
        false
    }

    /// Applies a rule to all combinations of matches of its rows. Returns whether anything changed.
    fn apply_rule(&mut self, rule: &'t Rule, rigid: Option<u32>) -> bool {
        let Some(found) = self.find(rule, 0) else { return false };
        let mut changed = false;
        if rule.replaces {
            // The index of the match of each row: the first row's changes fastest.
            let mut combination = vec![0; found.len()];
            let mut is_first = true;
            loop {
                let places = || rule.rows.iter().zip(found.iter().zip(&combination).map(|(row, &index)| row[index]));
                // An earlier combination may have changed the cells.
                if is_first || places().all(|(row, at)| self.is_match(rule, row, at)) {
                    for (row, at) in places() {
                        changed |= self.replace_row(rule, row, at, rigid);
                    }
                }
                is_first = false;
                let next = combination.iter().zip(&found).position(|(&index, row)| index + 1 < row.len());
                let Some(next) = next.filter(|_| !self.gave_up()) else { break };
                combination[next] += 1;
                combination[..next].fill(0);
            }
        }
        self.queue(rule);
        changed
    }

    /// Returns all matches of each row, or none if some row has none. Gives up above [`MAX_MATCHES`] less the `held`
    /// ones of other rules.
    fn find(&mut self, rule: &Rule, mut held: usize) -> Option<Vec<Vec<Match>>> {
        let tests = || rule.rows.iter().flat_map(|row| &row.cells).flat_map(|cell| &cell.tests);
        let is_seen = |test: &Test| match test {
            Test::No(_) => true,
            Test::Resting(present, _) => self.seen.has_any(present),
            Test::Moving(present, layer, movement) => {
                self.seen.has_any(present) && self.seen_movements[*layer] & movement == *movement
            }
        };
        if !tests().all(is_seen) {
            return None;
        }
        let mut found = Vec::new();
        for row in &rule.rows {
            let matches = self.matches(rule, row, held);
            if matches.is_empty() || self.gave_up() {
                return None;
            }
            held += matches.len();
            found.push(matches);
        }
        Some(found)
    }

    fn matches(&mut self, rule: &Rule, row: &Row, held: usize) -> Vec<Match> {
        let mut found = Vec::new();
        for start in self.field.scan(rule.direction) {
            *self.work += 1;
            let Some(spare) = self.field.room(start, rule.direction).checked_sub(row.cells.len()) else { continue };
            if self.gave_up() || !row.cells.first().is_some_and(|first| self.field.holds(start, first)) {
                continue;
            }
            let most = |gap: usize, spare: usize| if row.gaps.len() > gap { spare } else { 0 };
            for first in 0..=most(0, spare) {
                if held + found.len() > MAX_MATCHES {
                    *self.work = MAX_WORK + 1;
                }
                if self.gave_up() {
                    break;
                }
                for second in 0..=most(1, spare - first) {
                    let at = Match { start: start as u32, lengths: [first as u32, second as u32] };
                    if self.is_match(rule, row, at) {
                        found.push(at);
                    }
                }
            }
        }
        found
    }

    fn is_match(&mut self, rule: &Rule, row: &Row, at: Match) -> bool {
        *self.work += row.cells.len() as u64;
        let cell = |index: usize| self.field.away(at.start as usize, rule.direction, at.steps(row, index));
        row.cells.iter().enumerate().all(|(index, pattern)| self.field.holds(cell(index), pattern))
    }

    /// Changes the cells of a row. Returns whether anything changed.
    fn replace_row(&mut self, rule: &Rule, row: &Row, at: Match, rigid: Option<u32>) -> bool {
        let mut changed = false;
        for (index, pattern) in row.cells.iter().enumerate().filter(|_| rule.replaces) {
            let cell = self.field.away(at.start as usize, rule.direction, at.steps(row, index));
            changed |= self.replace(cell, &pattern.change, rigid.filter(|_| rule.rigid));
        }
        changed
    }

    fn replace(&mut self, cell: usize, change: &Change, rigid: Option<u32>) -> bool {
        let layers = self.field.layers;
        let place = |layer: usize| cell * layers + layer;
        let count = change.random_objects.len();
        let drawn = (count > 0).then(|| change.random_objects.iter().nth(self.random.below(count)).copied());
        let drawn = drawn.flatten();
        let drawn_layer = drawn.map(|object| self.rules.names.layer_of[object]);

        let old_objects = self.field.board.cells[cell].clone();
        let old_movements = self.field.movements[place(0)..place(layers)].to_vec();
        let objects = &mut self.field.board.cells[cell];
        let emptied = drawn_layer.into_iter().flat_map(|layer| &self.rules.names.layers[layer]);
        change.removed.iter().chain(emptied).for_each(|&object| objects.remove(object));
        change.created.iter().chain(&drawn).for_each(|&object| objects.insert(object));

        let movements = &mut self.field.movements[place(0)..place(layers)];
        change.stopped.iter().for_each(|(&layer, &movement)| movements[layer] &= !movement);
        change.wiped.iter().chain(&drawn_layer).for_each(|&layer| movements[layer] = 0);
        change.moved.iter().for_each(|(&layer, &movement)| movements[layer] |= movement);
        for &layer in &change.random_movements {
            movements[layer] |= [Word::Up, Word::Down, Word::Left, Word::Right].map(bits)[self.random.below(4)];
        }

        let is_changed = *movements != old_movements || *objects != old_objects;
        let is_marked = rigid.is_some_and(|number| self.mark(cell, change, number));
        if is_changed {
            self.see(cell);
        }
        is_changed || is_marked
    }

    /// Marks the layers whose movements a rule of a rigid group has set, unless all of them are marked. Returns whether
    /// it did.
    fn mark(&mut self, cell: usize, change: &Change, number: u32) -> bool {
        let marks = &mut self.field.marks[cell * self.field.layers..];
        let is_new = change.wiped.iter().any(|&layer| marks[layer] == 0)
            && change.wiped.iter().any(|&layer| marks[layer] & number != number);
        if is_new {
            change.wiped.iter().for_each(|&layer| marks[layer] |= number);
        }
        is_new
    }

    /// Queues the commands of a rule. `cancel` comes before `restart`, and `restart` before all others.
    fn queue(&mut self, rule: &Rule) {
        let queued = |command: &Command| self.commands.contains(command);
        let (cancels, restarts) = (rule.commands.contains(&Command::Cancel), rule.commands.contains(&Command::Restart));
        if queued(&Command::Cancel) || queued(&Command::Restart) && !cancels {
            return;
        }
        if cancels || restarts {
            self.commands.clear();
        }
        for command in &rule.commands {
            let is_same = |other: &Command| match (other, command) {
                (Command::Message(_), Command::Message(_)) => true,
                (other, command) => other == command,
            };
            if !self.commands.iter().any(is_same) {
                self.commands.push(command.clone());
            }
        }
    }

    /// Moves everything that can move, and ends all movement. Returns false if something that a rigid group has moved
    /// could not move: its group is then banned, and the turn must start again.
    fn move_objects(&mut self) -> bool {
        let (cells, layers) = (self.field.board.cells.len(), self.field.layers);
        loop {
            let mut has_moved = false;
            *self.work += (cells * layers) as u64 / PLACES_A_STEP;
            for place in 0..cells * layers {
                if self.field.movements[place] != 0 && self.move_layer(place / layers, place % layers) {
                    self.field.movements[place] = 0;
                    has_moved = true;
                }
            }
            if !has_moved || self.gave_up() {
                break;
            }
        }
        let mut succeeded = true;
        for cell in 0..cells {
            let mut places = cell * layers..(cell + 1) * layers;
            let stuck = places.find(|&place| self.field.movements[place] != 0 && self.field.marks[place] != 0);
            if stuck.is_some_and(|place| self.banned.insert(self.field.marks[place])) {
                succeeded = false;
            }
        }
        self.field.movements.fill(0);
        self.field.marks.fill(0);
        succeeded
    }

    /// Moves what is in a layer of a cell. Returns whether nothing kept it from moving.
    fn move_layer(&mut self, cell: usize, layer: usize) -> bool {
        let movement = self.field.movements[cell * self.field.layers + layer];
        if movement == bits(Word::Action) {
            return true;
        }
        let Some(target) = self.field.neighbour(cell, movement) else { return false };
        let layer = &self.rules.names.layers[layer];
        if self.field.board.cells[target].has_any(layer) {
            return false;
        }
        for &object in layer {
            if self.field.board.cells[cell].has(object) {
                self.field.board.cells[cell].remove(object);
                self.field.board.cells[target].insert(object);
            }
        }
        true
    }
}
