//! All boards of one set of cars from which the goal can be reached, with their distances, component by component.
//!
//! One breadth-first search begins at all solved boards at once. Two of them are of one component if their searches
//! meet, which a union of sets records (Galler and Fischer 1964). Boards without a solution are never visited.

use super::lanes::{Board, Filling, Lane, Yard};
use std::collections::HashMap;
use std::rc::Rc;

/// Boards by their keys: a table of open addressing, emptied in the time of its entries.
#[derive(Default)]
pub(super) struct Boards {
    pub boards: Vec<Board>,
    slots: Vec<u32>,
    bits: u32,
}

impl Boards {
    /// Forgets all boards.
    pub fn clear(&mut self) {
        for number in 0..self.boards.len() {
            let mut slot = self.slot(self.boards[number].key);
            while self.slots[slot] != 0 {
                self.slots[slot] = 0;
                slot = self.after(slot);
            }
        }
        self.boards.clear();
    }

    /// Returns the slot after this one.
    fn after(&self, slot: usize) -> usize {
        (slot + 1) & (self.slots.len() - 1)
    }

    fn slot(&self, key: u64) -> usize {
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - self.bits)) as usize
    }

    /// Returns the number of a board, and whether it is new.
    #[inline]
    pub fn insert(&mut self, board: Board) -> (u32, bool) {
        if self.boards.len() * 2 >= self.slots.len() {
            self.grow();
        }
        let mut slot = self.slot(board.key);
        loop {
            match self.slots[slot] {
                0 => break,
                number if self.boards[number as usize - 1].key == board.key => return (number - 1, false),
                _ => slot = self.after(slot),
            }
        }
        self.boards.push(board);
        self.slots[slot] = self.boards.len() as u32;
        (self.boards.len() as u32 - 1, true)
    }

    /// Returns the number of a board that was inserted.
    fn number(&self, key: u64) -> usize {
        let mut slot = self.slot(key);
        while self.boards[self.slots[slot] as usize - 1].key != key {
            slot = self.after(slot);
        }
        self.slots[slot] as usize - 1
    }

    fn grow(&mut self) {
        self.bits = self.bits.max(9) + 1;
        self.slots = vec![0; 1 << self.bits];
        for number in 0..self.boards.len() {
            let mut slot = self.slot(self.boards[number].key);
            while self.slots[slot] != 0 {
                slot = self.after(slot);
            }
            self.slots[slot] = number as u32 + 1;
        }
    }
}

/// The hardest board of a component.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hardest {
    pub board: Board,
    /// The least number of moves to the goal.
    pub distance: u8,
    /// The boards of the component.
    pub states: u32,
}

/// A set of cars: a filling for each lane.
pub(super) struct Set<'a> {
    pub yard: &'a Yard,
    pub lanes: &'a [Lane],
    /// The number of the filling of each lane.
    pub fillings: Vec<usize>,
    pub walls: u64,
}

impl Set<'_> {
    /// Returns the lanes that have cars.
    fn used(&self) -> Vec<&Filling> {
        let fillings = self.lanes.iter().zip(&self.fillings).map(|(lane, &number)| &lane.fillings[number]);
        fillings.filter(|filling| !filling.cars.is_empty()).collect()
    }

    /// Returns the cells of the car that the goal is for.
    fn goal_car(&self, board: Board) -> u64 {
        let filling = &self.lanes[self.yard.goal.0].fillings[0];
        filling.placements[filling.placement(board.key)]
    }

    /// Returns the occupied cells of rows, then those of columns: the order of boards.
    fn order(&self, board: Board) -> (u64, u64) {
        let (mut rows, mut columns) = (self.walls, 0);
        for (lane, &number) in self.lanes.iter().zip(&self.fillings) {
            let filling = &lane.fillings[number];
            *(if lane.is_row { &mut rows } else { &mut columns }) |= filling.placements[filling.placement(board.key)];
        }
        (rows, columns)
    }
}

/// The memory of floods, kept from one to the next.
#[derive(Default)]
pub(super) struct Flood {
    pub known: Boards,
    distances: Vec<u8>,
    labels: Vec<u32>,
    parents: Vec<u32>,
    /// The lanes without one of the walls.
    lanes: HashMap<u64, Rc<[Lane]>>,
    /// The memory of a search without one car or wall.
    other: Boards,
    others: Vec<u8>,
}

impl Flood {
    /// Visits all boards that lead to these solved ones. Returns the hardest board of each component: of several, the
    /// first in the order of their cells.
    pub fn hardest(&mut self, set: &Set, solved: &[Board]) -> Vec<Hardest> {
        let used = set.used();
        self.known.clear();
        for &board in solved {
            self.known.insert(board);
        }
        let count = solved.len();
        self.distances.clear();
        self.distances.resize(count, 0);
        self.labels.clear();
        self.labels.extend(0..count as u32);
        self.parents.clear();
        self.parents.extend(0..count as u32);
        let mut next = 0;
        while let Some(&board) = self.known.boards.get(next) {
            let (distance, label) = (self.distances[next].saturating_add(1), self.labels[next]);
            for filling in &used {
                filling.slides(board, |board, _| {
                    let (number, is_new) = self.known.insert(board);
                    if is_new {
                        self.distances.push(distance);
                        self.labels.push(label);
                    } else if self.labels[number as usize] != label {
                        let (one, other) =
                            (root(&mut self.parents, label), root(&mut self.parents, self.labels[number as usize]));
                        self.parents[one.max(other) as usize] = one.min(other);
                    }
                });
            }
            next += 1;
        }
        let mut found: Vec<Option<Hardest>> = vec![None; count];
        for (number, &board) in self.known.boards.iter().enumerate() {
            let label = root(&mut self.parents, self.labels[number]);
            let distance = self.distances[number];
            let hardest = found[label as usize].get_or_insert(Hardest { board, distance, states: 0 });
            hardest.states += 1;
            if distance > hardest.distance
                || distance == hardest.distance && set.order(board) < set.order(hardest.board)
            {
                (hardest.board, hardest.distance) = (board, distance);
            }
        }
        found.into_iter().flatten().collect()
    }

    /// Returns whether each wall and each car but the goal's is needed: without it, the goal is nearer. The board must be
    /// of the last flood.
    ///
    /// A car that moves in some shortest solution is needed: the same solution without its moves is shorter.
    pub fn is_minimal(&mut self, set: &Set, hardest: Hardest) -> bool {
        let moved = self.moved(set, hardest);
        for (number, lane) in set.lanes.iter().enumerate() {
            for car in 0..lane.fillings[set.fillings[number]].cars.len() {
                let is_goal = number == set.yard.goal.0;
                if !is_goal && moved >> (number * 4 + car) & 1 == 0 && !self.is_needed(set, hardest, number, car) {
                    return false;
                }
            }
        }
        let walls = (0..64).map(|cell| 1 << cell).filter(|wall| set.walls & wall != 0);
        walls.collect::<Vec<u64>>().into_iter().all(|wall| self.is_wall_needed(set, hardest, wall))
    }

    /// Returns the cars that move in one of the shortest solutions, as bits.
    fn moved(&self, set: &Set, hardest: Hardest) -> u64 {
        let (mut board, mut moved) = (hardest.board, 0_u64);
        for distance in (0..hardest.distance).rev() {
            let mut nearer = None;
            for (number, &filling) in set.fillings.iter().enumerate() {
                set.lanes[number].fillings[filling].slides(board, |after, car| {
                    let car = 1_u64 << (number * 4 + car);
                    let is_better = nearer.is_none_or(|(_, other)| moved & other != 0 && moved & car == 0);
                    if is_better && self.distances[self.known.number(after.key)] == distance {
                        nearer = Some((after, car));
                    }
                });
            }
            let Some((after, car)) = nearer else { break };
            (board, moved) = (after, moved | car);
        }
        moved
    }

    /// Returns whether the goal is nearer without a car.
    fn is_needed(&mut self, set: &Set, hardest: Hardest, lane: usize, car: usize) -> bool {
        let filling = &set.lanes[lane].fillings[set.fillings[lane]];
        let placement = filling.placements[filling.placement(hardest.board.key)];
        let mut cars = filling.cars.clone();
        cars.remove(car);
        let other =
            set.lanes[lane].fillings.iter().position(|other| other.cars == cars).expect("a lane has all orders");
        // The cells of the car: of the lane's occupied cells in order, those after the cars before it.
        let taken = set.lanes[lane].cells.iter().filter(|cell| placement >> **cell & 1 != 0);
        let before = filling.cars[..car].iter().sum();
        let gone = taken.skip(before).take(filling.cars[car]).fold(0, |gone, cell| gone | 1_u64 << cell);
        let less = &set.lanes[lane].fillings[other];
        let at =
            less.placements.iter().position(|cells| *cells == placement & !gone).expect("all placements are known");
        let key = hardest.board.key & !filling.key(15) | less.key(at);
        let start = Board { key, cells: hardest.board.cells & !gone };
        let mut fillings = set.fillings.clone();
        fillings[lane] = other;
        self.is_nearer(&Set { fillings, ..*set }, start, hardest.distance)
    }

    /// Returns whether the goal is nearer without a wall.
    fn is_wall_needed(&mut self, set: &Set, hardest: Hardest, wall: u64) -> bool {
        let walls = set.walls & !wall;
        let lanes = Rc::clone(self.lanes.entry(walls).or_insert_with(|| set.yard.lanes(walls).into()));
        let (mut fillings, mut key) = (Vec::new(), 0);
        for (lane, (own, &number)) in lanes.iter().zip(set.lanes.iter().zip(&set.fillings)) {
            let filling = &own.fillings[number];
            let cells = filling.placements[filling.placement(hardest.board.key)];
            let other = lane.fillings.iter().position(|other| other.cars == filling.cars);
            let other = other.expect("without a wall, a lane has no fewer orders");
            let at = lane.fillings[other].placements.iter().position(|other| *other == cells);
            key |= lane.fillings[other].key(at.expect("without a wall, cars stand where they stood"));
            fillings.push(other);
        }
        let start = Board { key, cells: hardest.board.cells & !wall };
        self.is_nearer(&Set { yard: set.yard, lanes: &lanes, fillings, walls }, start, hardest.distance)
    }

    /// Returns whether the goal is nearer to a board than this: by a breadth-first search that leaves out boards whose
    /// bound is too great.
    fn is_nearer(&mut self, set: &Set, start: Board, than: u8) -> bool {
        let used = set.used();
        self.other.clear();
        self.other.insert(start);
        self.others.clear();
        self.others.push(0);
        let (mut next, mut is_nearer) = (0, false);
        while let Some(&board) = self.other.boards.get(next) {
            let distance = self.others[next] + 1;
            for filling in &used {
                filling.slides(board, |board, _| {
                    let bound = set.yard.bound(board, set.goal_car(board));
                    if distance + bound < than {
                        is_nearer |= bound == 0;
                        if self.other.insert(board).1 {
                            self.others.push(distance);
                        }
                    }
                });
            }
            if is_nearer {
                return true;
            }
            next += 1;
        }
        false
    }
}

/// Returns the representative of a set.
fn root(parents: &mut [u32], mut label: u32) -> u32 {
    while parents[label as usize] != label {
        let above = parents[parents[label as usize] as usize];
        parents[label as usize] = above;
        label = above;
    }
    label
}
