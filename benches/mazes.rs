//! A* on maps of 512x512 cells, with orthogonal and with diagonal moves, compared with the crate `pathfinding` on the
//! same maps.
//!
//! The maps come from a seed: random obstacles, rooms with doors, a maze without cycles. The path leads from the first
//! open cell near the upper left corner to the last reachable one near the lower right corner. Every run checks the
//! cost. For the engine, [`Puzzle::solve`] is timed on a puzzle just parsed, including its preprocessing of the map.

mod peers {
    pub mod mazes;
}

use divan::Bencher;
use divan::counter::ItemsCount;
use engine::domain::SplitMix64;
use engine::{Options, Puzzle};
use peers::mazes::Grid;
use std::cell::Cell;

const SIDE: usize = 512;

fn main() {
    divan::main();
}

/// A kind of map.
#[derive(Clone, Copy, Debug)]
enum Map {
    /// This percentage of the cells are walls.
    Obstacles(u64),
    /// Square rooms of this width, with a door in most walls.
    Rooms(usize),
    /// Exactly one path between any two cells.
    Maze,
}

use Map::{Maze, Obstacles, Rooms};

const MAPS: [Map; 6] = [Obstacles(20), Obstacles(30), Obstacles(38), Rooms(8), Rooms(32), Maze];

fn cells(map: Map) -> Vec<Vec<bool>> {
    let random = &mut SplitMix64::new(512);
    let mut open = vec![vec![true; SIDE]; SIDE];
    match map {
        Obstacles(percent) => open.iter_mut().flatten().for_each(|cell| *cell = random.below(100) >= percent),
        Rooms(width) => {
            for corner in (0..SIDE).step_by(width) {
                open[corner].fill(false);
                open.iter_mut().for_each(|row| row[corner] = false);
            }
            for (row, column) in
                (0..SIDE - width).step_by(width).flat_map(|r| (0..SIDE - width).step_by(width).map(move |c| (r, c)))
            {
                let mut door = || (random.below(5) > 0).then(|| 1 + random.below(width as u64 - 1) as usize);
                if let Some(at) = door() {
                    open[row][column + at] = true;
                }
                if let Some(at) = door() {
                    open[row + at][column] = true;
                }
            }
        }
        Maze => {
            // Carved by depth-first search: every other cell is a junction.
            open.iter_mut().flatten().for_each(|cell| *cell = false);
            open[1][1] = true;
            let mut path: Vec<(usize, usize)> = vec![(1, 1)];
            while let Some(&(row, column)) = path.last() {
                let two_cells_away = |down: isize, right: isize| {
                    let to: (usize, usize) = (row.wrapping_add_signed(2 * down), column.wrapping_add_signed(2 * right));
                    let between = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                    (to.0 < SIDE - 1 && to.1 < SIDE - 1 && !open[to.0][to.1]).then_some((between, to))
                };
                let onward: Vec<_> =
                    [(-1, 0), (1, 0), (0, -1), (0, 1)].into_iter().filter_map(|(d, r)| two_cells_away(d, r)).collect();
                if onward.is_empty() {
                    path.pop();
                    continue;
                }
                let (between, to) = onward[random.below(onward.len() as u64) as usize];
                open[between.0][between.1] = true;
                open[to.0][to.1] = true;
                path.push(to);
            }
        }
    }
    open
}

/// Returns the map with start and goal: in the largest component, the cells nearest to two corners.
fn grid(map: Map, diagonal: bool) -> Grid {
    let open = cells(map);
    let mut best: Vec<(usize, usize)> = Vec::new();
    let mut seen = vec![vec![false; SIDE]; SIDE];
    for place in (0..SIDE).flat_map(|row| (0..SIDE).map(move |column| (row, column))) {
        if !open[place.0][place.1] || seen[place.0][place.1] {
            continue;
        }
        seen[place.0][place.1] = true;
        let mut part = vec![place];
        let mut next = 0;
        while let Some(&(row, column)) = part.get(next) {
            next += 1;
            for (down, right) in [(-1, 0), (1, 0), (0, -1), (0, 1)] {
                let (r, c): (usize, usize) = (row.wrapping_add_signed(down), column.wrapping_add_signed(right));
                if r < SIDE && c < SIDE && open[r][c] && !seen[r][c] {
                    seen[r][c] = true;
                    part.push((r, c));
                }
            }
        }
        if part.len() > best.len() {
            best = part;
        }
    }
    let corner = |&(row, column): &(usize, usize)| (row + column, row);
    let start = best.iter().copied().min_by_key(corner).expect("some cell is open");
    let goal = best.iter().copied().max_by_key(corner).expect("some cell is open");
    Grid { open, start, goal, diagonal }
}

/// Returns the map as a puzzle file.
fn puzzle(grid: &Grid) -> String {
    let mut map = String::new();
    for (row, cells) in grid.open.iter().enumerate() {
        for (column, &open) in cells.iter().enumerate() {
            map.push(match (row, column) {
                place if place == grid.start => 'S',
                place if place == grid.goal => 'G',
                _ if open => '.',
                _ => '#',
            });
        }
        map.push('\n');
    }
    let moves = if grid.diagonal { "diagonal" } else { "orthogonal" };
    format!("title = \"m\"\ndomain = \"maze\"\nmoves = \"{moves}\"\nmap = \"\"\"\n{map}\"\"\"\n")
}

fn engine(bencher: Bencher, grid: &Grid) {
    let expected = grid.a_star(|| {}).expect("start and goal are in the same component");
    let text = puzzle(grid);
    let read = || Puzzle::parse(&text, "a benchmark's puzzle").expect("the puzzle is valid");
    let solve = |puzzle: Puzzle| {
        let solution = puzzle.solve(&Options::default()).expect("no heuristic is named");
        assert!(solution.is_optimal() && solution.cost().is_some_and(|cost| (cost - expected).abs() < 1e-5));
        (puzzle, solution)
    };
    let expanded = solve(read()).1.stats().expanded;
    bencher.counter(ItemsCount::new(expanded)).with_inputs(read).bench_local_values(solve);
}

fn peer(bencher: Bencher, grid: &Grid) {
    let expanded = Cell::new(0u64);
    grid.a_star(|| expanded.set(expanded.get() + 1));
    bencher.counter(ItemsCount::new(expanded.get())).bench_local(|| grid.a_star(|| {}));
}

#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod orthogonal {
    use super::*;

    #[divan::bench(args = MAPS)]
    fn by_engine(bencher: Bencher, map: Map) {
        engine(bencher, &grid(map, false));
    }

    #[divan::bench(args = MAPS)]
    fn by_pathfinding(bencher: Bencher, map: Map) {
        peer(bencher, &grid(map, false));
    }
}

#[divan::bench_group(sample_count = 20, sample_size = 1)]
mod diagonal {
    use super::*;

    #[divan::bench(args = MAPS)]
    fn by_engine(bencher: Bencher, map: Map) {
        engine(bencher, &grid(map, true));
    }

    #[divan::bench(args = MAPS)]
    fn by_pathfinding(bencher: Bencher, map: Map) {
        peer(bencher, &grid(map, true));
    }
}
