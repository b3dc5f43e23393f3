//! Tests Korf's random 15-puzzles and 24-puzzles against the published lengths and node counts.

use crate::support::root;
use engine::{Algorithm, Limits, Options, Puzzle, Solution};
use rayon::prelude::*;
use std::fs;
use std::time::Instant;

/// Reads the instances of a file: number, puzzle, and published length.
fn instances(file: &str, columns: usize) -> Vec<(usize, Puzzle, f64)> {
    let path = root().join("benches/data").join(file);
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let instance = |line: &str| {
        let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        let [number, tiles @ .., cost] = &numbers[..] else { panic!("{line} is no instance") };
        let row = |row: &[usize]| row.iter().map(usize::to_string).collect::<Vec<_>>().join(" ");
        let rows = tiles.chunks(columns).map(row).collect::<Vec<_>>().join("\n");
        let text = format!(
            "title = \"Korf {number}\"\ndomain = \"sliding-tile\"\ngoal = \"blank-first\"\nstart = \"\"\"\n{rows}\n\"\"\"\n"
        );
        (*number, Puzzle::parse(&text, file).unwrap_or_else(|report| panic!("{report}")), *cost as f64)
    };
    text.lines().filter(|line| !line.starts_with('#')).map(instance).collect()
}

fn solve(puzzle: &Puzzle, options: &Options) -> Solution {
    puzzle.solve(options).unwrap_or_else(|error| panic!("{}: {error}", puzzle.title()))
}

/// Compares the generated nodes with the first paper on IDA* (Korf 1985), which counts the root as well.
#[test]
fn ida_star_generates_what_korf_published_in_1985() {
    let instances = instances("korf-15.txt", 4);
    assert_eq!(instances.len(), 100);
    for (number, nodes) in [(79, 540_860), (12, 546_344), (42, 877_823), (55, 927_212), (97, 1_002_927)] {
        let (_, puzzle, cost) = &instances[number - 1];
        let heuristic = Some("manhattan".to_owned());
        let options = Options { algorithm: Some(Algorithm::IdaStar), heuristic, ..Options::default() };
        let solution = solve(puzzle, &options);
        assert_eq!((solution.cost(), solution.stats().generated), (Some(*cost), nodes - 1), "instance {number}");
        // The automaton prunes duplicates: fewer nodes, the same moves.
        let pruned = solve(puzzle, &Options { automaton: Some(true), ..options });
        assert_eq!(pruned.moves(), solution.moves(), "instance {number}");
        assert!(pruned.stats().generated < nodes * 3 / 4, "{} of {nodes}", pruned.stats().generated);
    }
}

/// Solves all instances in sequence, and prints the times.
fn solve_all<'a>(instances: impl Iterator<Item = &'a (usize, Puzzle, f64)>) {
    let started = Instant::now();
    let mut slowest = 0.0_f64;
    for (number, puzzle, cost) in instances {
        let solution = solve(puzzle, &Options { limits: Limits::default(), ..Options::default() });
        assert_eq!((solution.cost(), solution.is_optimal()), (Some(*cost), true), "instance {number}");
        slowest = slowest.max(solution.time().as_secs_f64());
        println!("{number}: {} expanded, {:.3} s", solution.stats().expanded, solution.time().as_secs_f64());
    }
    println!("in all {:.2} s, the slowest {slowest:.2} s", started.elapsed().as_secs_f64());
}

/// `cargo test --release --test answers fifteen -- --ignored --nocapture`
#[test]
#[ignore = "takes long without optimisation"]
fn all_the_fifteen_puzzles_take_as_many_moves_as_published() {
    solve_all(instances("korf-15.txt", 4).iter());
}

/// `cargo test --release --test answers twenty_four -- --ignored --nocapture`
#[test]
#[ignore = "takes minutes"]
fn the_easiest_twenty_four_puzzles_take_as_many_moves_as_published() {
    let easiest = [25, 29, 32, 38, 40, 44];
    solve_all(instances("korf-24.txt", 5).iter().filter(|(number, ..)| easiest.contains(number)));
}

/// What breaks: a task of Rayon's pool that builds a table runs another task meanwhile, which needs the lock that the
/// first one holds, and both wait for ever.
#[test]
fn tasks_of_rayons_pool_may_build_tables() {
    let costs = |seed: u32| {
        let (rows, columns) = [(3, 3), (3, 4), (4, 3), (2, 6)][seed as usize % 4];
        let text = format!(
            "title = 'Tiles'\ndomain = 'sliding-tile'\nrows = {rows}\ncolumns = {columns}\nscramble = {{ moves = 30, seed = {seed} }}\n"
        );
        let puzzle = Puzzle::parse(&text, "tiles").expect("it is valid");
        let cost = |heuristic: &str| {
            let options = Options { heuristic: Some(heuristic.to_owned()), ..Options::default() };
            puzzle.solve(&options).expect("the search starts").cost()
        };
        (cost("pattern-database"), cost("manhattan"))
    };
    let all: Vec<_> = (0..32).into_par_iter().with_max_len(1).map(costs).collect();
    assert!(all.iter().all(|(by_tables, by_distances)| by_tables.is_some() && by_tables == by_distances), "{all:?}");
}

/// What breaks: tiles pass for pieces that bar each other's way, as boxes do, and the search takes a hundred times as long.
#[test]
fn a_15_puzzle_written_as_rules_takes_few_states() {
    let path = root().join("benches/data/korf-15.txt");
    let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    for (number, most) in [(79, 60_000), (42, 40_000), (12, 30_000), (97, 100_000)] {
        let line = text.lines().find(|line| line.starts_with(&format!("{number} "))).expect("the instance is there");
        let numbers: Vec<usize> = line.split(' ').map(|word| word.parse().expect("a number")).collect();
        let [_, tiles @ .., cost] = &numbers[..] else { panic!("{line} is no instance") };
        let drawn = |tiles: &[usize]| {
            let tile =
                |tile: &usize| if *tile == 0 { '.' } else { char::from_digit(*tile as u32, 16).expect("below 16") };
            tiles.chunks(4).map(|row| row.iter().map(tile).collect::<String>() + "\n").collect::<String>()
        };
        let (start, goal) = (drawn(tiles), drawn(&(0..16).collect::<Vec<_>>()));
        let rules = format!(
            "title = 'Korf {number}'\ndomain = 'rules'\nstart = '''\n{start}'''\ngoal = '''\n{goal}'''\n[[rules]]\n\
             name = '{{T}} {{direction}}'\nfrom = 'T.'\nto = '.T'\nturns = true\n[sets]\nT = '123456789abcdef'\n"
        );
        let puzzle = Puzzle::parse(&rules, "korf").unwrap_or_else(|report| panic!("{report}"));
        let solution = solve(&puzzle, &Options::default());
        assert_eq!((solution.cost(), solution.is_optimal()), (Some(*cost as f64), true), "instance {number}");
        assert!(solution.stats().expanded < most, "{number}: {} states expanded", solution.stats().expanded);
    }
}
