//! Cars in lanes: pieces one cell wide that slide lengthwise on a board of at most 64 cells, as in Rush Hour.
//!
//! A car never leaves its row or column, so the order of the cars in a lane never changes. A *filling* of a lane is that
//! order, as lengths, with all placements of the cars in it. A board is a filling and a placement for each lane: its key
//! has the numbers of the placements, four bits a lane. What a car may do depends on the occupied cells alone, so each
//! slide is made once, for a lane, and tested by one mask.
//!
//! The rules are those of Fogleman's enumeration (2018): the row of the goal has one car, which walls may only be
//! behind, and no lane is full.

/// The most lanes of a board: four bits for each must fit into a key.
pub(super) const MOST_LANES: usize = 16;

/// The most placements of a filling.
const MOST_PLACEMENTS: usize = 16;

/// A slide of a car within a lane.
struct Slide {
    /// The cells that must be empty.
    clear: u64,
    /// The cells that change.
    cells: u64,
    /// The bits of the key that change.
    key: u64,
    /// The number of the car in its lane.
    car: u8,
    /// The number of slides, from this one on, that go the same way at least as far: if this one is blocked, all are.
    farther: u8,
}

/// The cars of a lane in their order, with all their placements.
pub(super) struct Filling {
    /// The lengths of the cars.
    pub cars: Vec<usize>,
    /// The cells of each placement.
    pub placements: Vec<u64>,
    /// The slides of all placements, and where those of each begin.
    slides: Vec<Slide>,
    begins: Vec<usize>,
    shift: usize,
}

/// A row or a column with its fillings; the first is the empty one.
pub(super) struct Lane {
    pub is_row: bool,
    /// The cells in their order.
    pub cells: Vec<usize>,
    pub fillings: Vec<Filling>,
}

/// The board: its size, its goal, and the lengths of its cars.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Yard {
    pub rows: usize,
    pub columns: usize,
    pub lengths: Vec<usize>,
    /// The row of the goal, the length of the car, and the column in which it begins.
    pub goal: (usize, usize, usize),
}

/// A board: the placements of all lanes, and the occupied cells, walls included.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Board {
    pub key: u64,
    pub cells: u64,
}

impl Yard {
    /// Returns the lanes of the board with these walls, rows first.
    pub fn lanes(&self, walls: u64) -> Vec<Lane> {
        let (rows, columns) = (self.rows, self.columns);
        let row = |row: usize| (true, (0..columns).map(|column| row * columns + column).collect());
        let column = |column: usize| (false, (0..rows).map(|row| row * columns + column).collect());
        let lanes = (0..rows).map(row).chain((0..columns).map(column));
        lanes.enumerate().map(|(number, (is_row, cells))| self.lane(number, is_row, cells, walls)).collect()
    }

    fn lane(&self, number: usize, is_row: bool, cells: Vec<usize>, walls: u64) -> Lane {
        let is_goal = is_row && number == self.goal.0;
        let is_wall = |cell: &usize| walls >> cell & 1 != 0;
        // A row with walls and cars in all cells never moves. In columns, walls stand for nothing.
        let walled = if is_row { cells.iter().filter(|cell| is_wall(cell)).count() } else { 0 };
        let mut orders = vec![Vec::new()];
        if is_goal {
            orders = vec![vec![self.goal.1]];
        } else {
            let mut next = 0;
            while next < orders.len() {
                for &length in &self.lengths {
                    let order: Vec<usize> = orders[next].iter().copied().chain([length]).collect();
                    if walled + order.iter().sum::<usize>() < cells.len() {
                        orders.push(order);
                    }
                }
                next += 1;
            }
        }
        let ahead = |offset: usize| is_goal && cells[offset..].iter().any(is_wall);
        let fillings = orders.into_iter().map(|cars| {
            let mut all = Vec::new();
            place(&cars, 0, cells.len(), &mut Vec::new(), &mut |offsets: &[usize]| {
                let blocked =
                    offsets.iter().zip(&cars).any(|(&at, &length)| cells[at..at + length].iter().any(is_wall));
                if !blocked && !offsets.iter().any(|&at| ahead(at)) {
                    all.push(offsets.to_vec());
                }
            });
            Filling::new(cars, &all, &cells, walls, number)
        });
        let fillings = fillings.filter(|filling| !filling.placements.is_empty()).collect();
        Lane { is_row, cells, fillings }
    }

    /// Returns the cells of the car at the goal.
    pub fn goal_cells(&self) -> u64 {
        let (row, length, column) = self.goal;
        ((1 << length) - 1) << (row * self.columns + column)
    }

    /// Returns a bound of the moves to the goal: one for the car, one for each car in its way.
    pub fn bound(&self, board: Board, car: u64) -> u8 {
        let goal = self.goal_cells();
        if car == goal {
            return 0;
        }
        let span = match car < goal {
            true => u64::MAX >> goal.leading_zeros() & u64::MAX << car.trailing_zeros(),
            false => u64::MAX >> car.leading_zeros() & u64::MAX << goal.trailing_zeros(),
        };
        1 + (board.cells & span & !car).count_ones() as u8
    }
}

/// Calls `visit` with all offsets of cars of these lengths in a lane, in order.
fn place(cars: &[usize], from: usize, size: usize, offsets: &mut Vec<usize>, visit: &mut dyn FnMut(&[usize])) {
    let Some(&length) = cars.get(offsets.len()) else { return visit(offsets) };
    for at in from..=size.saturating_sub(length) {
        if at + length <= size {
            offsets.push(at);
            place(cars, at + length, size, offsets, visit);
            offsets.pop();
        }
    }
}

impl Filling {
    fn new(cars: Vec<usize>, all: &[Vec<usize>], cells: &[usize], walls: u64, lane: usize) -> Filling {
        let shift = 4 * lane;
        let mask = |from: usize, to: usize| cells[from..to].iter().fold(0, |mask, cell| mask | 1_u64 << cell);
        let whole = |offsets: &[usize]| {
            offsets.iter().zip(&cars).fold(0, |whole, (&at, &length)| whole | mask(at, at + length))
        };
        let placements: Vec<u64> = all.iter().map(|offsets| whole(offsets)).collect();
        let (mut slides, mut begins) = (Vec::new(), vec![0]);
        for (from, offsets) in all.iter().enumerate() {
            for (car, &at) in offsets.iter().enumerate() {
                let length = cars[car];
                for is_forward in [false, true] {
                    let begin = slides.len();
                    for distance in 1..cells.len() {
                        let to = if is_forward { Some(at + distance) } else { at.checked_sub(distance) };
                        let Some(to) = to.filter(|to| to + length <= cells.len()) else { break };
                        let mut moved = offsets.clone();
                        moved[car] = to;
                        let Some(number) = all.iter().position(|other| *other == moved) else { break };
                        let clear = if is_forward { mask(at + length, to + length) } else { mask(to, at) };
                        if clear & walls != 0 {
                            break;
                        }
                        slides.push(Slide {
                            clear,
                            cells: placements[from] ^ placements[number],
                            key: ((from ^ number) as u64) << shift,
                            car: car as u8,
                            farther: 0,
                        });
                    }
                    let end = slides.len();
                    for (slide, left) in slides[begin..].iter_mut().zip((1..=end - begin).rev()) {
                        slide.farther = left as u8;
                    }
                }
            }
            begins.push(slides.len());
        }
        Filling { cars, placements, slides, begins, shift }
    }

    /// Returns whether all placements have numbers of four bits.
    pub fn fits(&self) -> bool {
        self.placements.len() <= MOST_PLACEMENTS
    }

    /// Returns the number of the placement in a key.
    pub fn placement(&self, key: u64) -> usize {
        (key >> self.shift & 15) as usize
    }

    /// Returns the key of a placement.
    pub fn key(&self, placement: usize) -> u64 {
        (placement as u64) << self.shift
    }

    /// Calls `visit` with each board after a slide in this lane, and the number of the car.
    #[inline]
    pub fn slides(&self, board: Board, mut visit: impl FnMut(Board, usize)) {
        let placement = self.placement(board.key);
        let slides = &self.slides[self.begins[placement]..self.begins[placement + 1]];
        let mut next = 0;
        while let Some(slide) = slides.get(next) {
            if board.cells & slide.clear == 0 {
                visit(Board { key: board.key ^ slide.key, cells: board.cells ^ slide.cells }, slide.car.into());
                next += 1;
            } else {
                next += usize::from(slide.farther);
            }
        }
    }
}
