//! The laws of the state spaces on small random mazes, and the answers of instances.

use super::cell::{Cell, Kind};
use super::distances::distances;
use super::map::{Corners, Direction, Directions, Map, Moves};
use super::scramble::scramble;
use super::space::{Grid, Heuristic, is_plain, is_uniform};
use crate::document::Spanned;
use crate::domain::{BuildContext, SplitMix64};
use crate::drawing;
use crate::search::{Algorithm, Limit, Limits, Verdict, Weight, laws, search};
use crate::space::{Cost, Guided, InPlace, Length};
use std::sync::Arc;

/// Builds a map from rows of digits, with `#` for walls.
fn map(rows: &[&str]) -> Map {
    let mut map = Map::new(rows[0].len() as u32, rows.len() as u32);
    for row in rows {
        map.add(row.bytes().map(|cell| if cell == b'#' { 0 } else { cell - b'0' }));
    }
    map.close()
}

/// Builds a random map with costs up to `dearest`, in which one cell of three is a wall, and two open cells.
fn random(random: &mut SplitMix64, rows: u32, columns: u32, dearest: u64) -> (Arc<Map>, Cell, Cell) {
    let mut map = Map::new(columns, rows);
    for _ in 0..rows {
        let mut cost = || if random.below(3) == 0 { 0 } else { 1 + random.below(dearest) as u8 };
        let row: Vec<u8> = (0..columns).map(|_| cost()).collect();
        map.add(row.into_iter());
    }
    let mut cell = || map.cell(random.below(rows.into()) as u32, random.below(columns.into()) as u32);
    let (start, goal) = (cell(), cell());
    map.cells[start as usize] = 1;
    map.cells[goal as usize] = 1;
    (Arc::new(map.close()), start, goal)
}

#[test]
fn the_spaces_keep_their_laws() {
    let numbers = &mut SplitMix64::new(7);
    for round in 0..40 {
        let (rows, columns) = [(3, 3), (4, 5), (1, 6), (6, 6), (7, 2)][round % 5];
        let (uniform, start, goal) = random(numbers, rows, columns, 1);
        let (costly, from, to) = random(numbers, rows, columns, 9);
        for heuristic in [Heuristic::Zero, Heuristic::Manhattan, Heuristic::Octile] {
            if heuristic != Heuristic::Octile {
                laws::hold(
                    &Grid::<Length, true, false>::new(&uniform, start, &[goal], heuristic, &BuildContext::default()),
                    true,
                );
                laws::hold(
                    &Grid::<u32, true, false>::new(&uniform, start, &[goal], heuristic, &BuildContext::default()),
                    true,
                );
                laws::hold(
                    &Grid::<u32, false, false>::new(&costly, from, &[to], heuristic, &BuildContext::default()),
                    true,
                );
            }
            laws::hold(
                &Grid::<Length, false, false>::new(&costly, from, &[to], heuristic, &BuildContext::default()),
                true,
            );
            if heuristic != Heuristic::Manhattan {
                laws::hold(
                    &Grid::<Length, true, true>::new(&uniform, start, &[goal], heuristic, &BuildContext::default()),
                    true,
                );
                laws::hold(
                    &Grid::<Length, false, true>::new(&costly, from, &[to], heuristic, &BuildContext::default()),
                    true,
                );
            }
        }
    }
}

#[test]
fn mazes_with_portals_goals_and_corners_keep_the_laws() {
    let numbers = &mut SplitMix64::new(19);
    let mut nearer = 0;
    for round in 0..60 {
        let (rows, columns) = [(3, 3), (4, 5), (1, 9), (6, 6), (7, 2)][round % 5];
        let (map, start, goal) = random(numbers, rows, columns, [1, 9][round % 2]);
        let mut map = Arc::into_inner(map).expect("nothing else has the map");
        map.corners = [Corners::None, Corners::One, Corners::Any][round % 3];
        let mut cell = |map: &Map| map.cell(numbers.below(rows.into()) as u32, numbers.below(columns.into()) as u32);
        let mut goals = vec![goal];
        if round % 4 > 0 {
            goals.push(cell(&map));
        }
        for _ in 0..round % 3 {
            let (kind, ends) = (map.kinds.len() as u8, [cell(&map), cell(&map)]);
            if ends[0] != ends[1] && ends.iter().all(|&end| map.portal(end).is_none()) {
                map.kinds.push(Kind { character: b'a' + kind, cost: 1 + u32::from(kind) % 30, portal: None });
                ends.iter().for_each(|&end| map.cells[end as usize] = kind);
                map.join(kind, ends);
            }
        }
        goals.retain(|&goal| map.portal(goal).is_none());
        if goals.is_empty() {
            continue;
        }
        goals.iter().for_each(|&goal| map.cells[goal as usize] = 1);
        goals.dedup();
        let (map, context) = (Arc::new(map), BuildContext::default());
        for heuristic in [Heuristic::Zero, Heuristic::Manhattan, Heuristic::Octile] {
            if heuristic != Heuristic::Octile {
                laws::hold(&Grid::<u32, false, false>::new(&map, start, &goals, heuristic, &context), true);
            }
            // Where every move costs 1, bounds are to be whole numbers.
            if heuristic != Heuristic::Octile || !is_uniform(&map) {
                laws::hold(&Grid::<Length, false, false>::new(&map, start, &goals, heuristic, &context), true);
            }
            if heuristic != Heuristic::Manhattan {
                laws::hold(&Grid::<Length, false, true>::new(&map, start, &goals, heuristic, &context), true);
            }
        }
        // A table has the least distance to a goal, or less where a portal is nearer.
        let table = distances::<u32>(&map, &goals, false, &context);
        for cell in map.reached_from(&goals).iter().zip(0..).filter(|(reached, _)| **reached).map(|(_, cell)| cell) {
            let (row, column) = map.place(cell);
            let to = |&goal: &Cell| row.abs_diff(map.place(goal).0) + column.abs_diff(map.place(goal).1);
            let direct = goals.iter().map(to).min().expect("there is a goal");
            assert!(table[cell as usize] <= direct && (map.has_portals || table[cell as usize] == direct));
            nearer += u32::from(table[cell as usize] < direct);
        }
    }
    assert!(nearer > 20, "only {nearer} cells are nearer through a portal");
}

/// Puts fences at random places of a map.
fn fence(map: &mut Map, numbers: &mut SplitMix64) {
    let drawn = |y: u32, x: u32, random: u64| match (y % 2, x % 2) {
        (1, 1) => '.',
        (0, 0) => '+',
        _ if random > 0 => ' ',
        (0, _) => '-',
        _ => '|',
    };
    let line = |y: u32, numbers: &mut SplitMix64| -> String {
        (0..=2 * map.columns).map(|x| drawn(y, x, numbers.below(3))).collect()
    };
    let lines: Vec<String> = (0..=2 * map.rows).map(|y| line(y, numbers)).collect();
    let text = Spanned::new(0..0, lines.join("\n"));
    let size = (map.rows as usize, map.columns as usize);
    map.fences = Some(Arc::new(drawing::fences::read(&text, "", size).expect("the drawing is correct")));
}

#[test]
fn mazes_with_fences_keep_the_laws() {
    let numbers = &mut SplitMix64::new(23);
    for round in 0..60 {
        let (rows, columns) = [(3, 3), (4, 5), (1, 9), (6, 6), (7, 2)][round % 5];
        let (map, start, goal) = random(numbers, rows, columns, [1, 9][round % 2]);
        let mut map = Arc::into_inner(map).expect("nothing else has the map");
        map.corners = [Corners::None, Corners::One, Corners::Any][round % 3];
        fence(&mut map, numbers);
        let (map, context) = (Arc::new(map), BuildContext::default());
        assert!(!is_plain(&map, &[goal]), "jump points do not see fences");
        for heuristic in [Heuristic::Zero, Heuristic::Manhattan] {
            laws::hold(&Grid::<u32, false, false>::new(&map, start, &[goal], heuristic, &context), true);
        }
        for heuristic in [Heuristic::Zero, Heuristic::Octile] {
            laws::hold(&Grid::<Length, false, true>::new(&map, start, &[goal], heuristic, &context), true);
        }
    }
}

#[test]
fn a_step_past_fences_is_legal_as_far_as_corners_are_cut() {
    let mut map = map(&["11", "11"]);
    let moves =
        |map: &Map| Directions(map.moves(map.cell(0, 0), true)).map(Direction::name).collect::<Vec<_>>().join(" ");
    let mut legal = |drawing: &str| {
        let text = Spanned::new(0..0, drawing.to_owned());
        map.fences = Some(Arc::new(drawing::fences::read(&text, "", (2, 2)).expect("the drawing is correct")));
        [Corners::None, Corners::One, Corners::Any].map(|corners| {
            map.corners = corners;
            moves(&map)
        })
    };
    assert_eq!(legal("+ + +\n . .\n+ + +\n . .\n+ + +"), ["d r dr", "d r dr", "d r dr"]);
    assert_eq!(legal("+ + +\n .|.\n+ + +\n . .\n+ + +"), ["d", "d dr", "d dr"], "one side is barred");
    assert_eq!(legal("+ + +\n . .\n+ +-+\n .|.\n+ + +"), ["d r", "d r", "d r"], "the target is fenced in");
    assert_eq!(legal("+ + +\n .|.\n+ + +\n .|.\n+ + +"), ["d", "d", "d"], "a straight fence has no gap");
}

#[test]
fn no_corner_is_cut() {
    let map = map(&["1#1", "111", "#11"]);
    let moves = |row, column| {
        let bits = map.moves(map.cell(row, column), true);
        let names =
            Direction::ALL.into_iter().filter(|&direction| bits >> direction as u8 & 1 == 1).map(Direction::name);
        names.collect::<Vec<_>>().join(" ")
    };
    assert_eq!(moves(0, 0), "d", "the wall beside the diagonal step blocks it");
    assert_eq!(moves(1, 1), "d l r dr");
    assert_eq!(moves(1, 2), "u d l dl");
    assert_eq!(moves(2, 2), "u l ul");
}

#[test]
fn corners_are_cut_as_far_as_is_allowed() {
    let mut map = map(&["1##", "11#", "#11"]);
    let moves = |map: &Map, row, column| {
        Directions(map.moves(map.cell(row, column), true)).map(Direction::name).collect::<Vec<_>>().join(" ")
    };
    assert_eq!((moves(&map, 0, 0).as_str(), moves(&map, 1, 1).as_str()), ("d", "d l"));
    map.corners = Corners::One;
    assert_eq!((moves(&map, 0, 0).as_str(), moves(&map, 1, 1).as_str()), ("d dr", "d l ul dr"));
    let mut apart = self::map(&["1#", "#1"]);
    apart.corners = Corners::One;
    assert_eq!(moves(&apart, 0, 0), "");
    apart.corners = Corners::Any;
    assert_eq!(moves(&apart, 0, 0), "dr");
    assert!(apart.reached_from(&[apart.cell(0, 0)])[apart.cell(1, 1) as usize]);
}

#[test]
fn the_flood_fill_and_the_search_reach_the_same_cells() {
    let numbers = &mut SplitMix64::new(11);
    for _ in 0..300 {
        let (map, start, goal) = random(numbers, 6, 7, 1);
        let space = Grid::<Length, false, true>::new(&map, start, &[goal], Heuristic::Zero, &BuildContext::default());
        let solved = matches!(
            search(&space, &|| space.initial(), Algorithm::AStar, &Limits::default()).verdict,
            Verdict::Solved { .. }
        );
        assert_eq!([map.connects(goal, start), map.reached_from(&[goal])[start as usize]], [solved; 2]);
        let reached = map.reached_from(&[start]).into_iter().filter(|&reached| reached).count();
        assert_eq!(reached, laws::levels(&space).into_iter().sum::<usize>());
    }
}

#[test]
fn jumps_and_steps_find_the_same_costs() {
    let numbers = &mut SplitMix64::new(5);
    let cost = |verdict| match verdict {
        Verdict::Solved { path, cost, lower_bound } => Some((Vec::len(&path) > 0, cost, lower_bound)),
        _ => None,
    };
    let (mut solved, mut expanded, mut straight) = (0, (0, 0), (0, 0));
    for round in 0..400 {
        // Wider than a word, so that line scans cross the boundaries of words.
        let (rows, columns) = [(9, 140), (140, 9), (66, 66), (20, 20)][round % 4];
        let one_in = 3 + numbers.below(30);
        let mut map = Map::new(columns, rows);
        for _ in 0..rows {
            let row: Vec<u8> = (0..columns).map(|_| u8::from(numbers.below(one_in) > 0)).collect();
            map.add(row.into_iter());
        }
        let mut cell = || map.cell(numbers.below(rows.into()) as u32, numbers.below(columns.into()) as u32);
        let (start, goal) = (cell(), cell());
        (map.cells[start as usize], map.cells[goal as usize]) = (1, 1);
        let map = Arc::new(map.close());
        // A* has loops of its own for grids; weighted A* has not.
        let general = Algorithm::WeightedAStar(Weight::new(1.0).expect("the least weight"));
        let octile = [Heuristic::Octile, Heuristic::Zero][round % 2];
        let uniform = Grid::<Length, true, true>::new(&map, start, &[goal], octile, &BuildContext::default());
        let by_steps = Grid::<Length, false, true>::new(&map, start, &[goal], octile, &BuildContext::default());
        let jumped = search(&uniform, &|| uniform.initial(), general, &Limits::default());
        let in_bytes = search(&uniform, &|| uniform.initial(), Algorithm::AStar, &Limits::default());
        let stepped = search(&by_steps, &|| by_steps.initial(), Algorithm::AStar, &Limits::default());
        expanded = (expanded.0 + jumped.stats.expanded, expanded.1 + stepped.stats.expanded);
        let context = format!("{rows}x{columns}, round {round}");
        if let Verdict::Solved { path, cost, .. } = &in_bytes.verdict {
            let mut at = start;
            let moves = path.iter().map(|&direction| {
                assert!(map.moves(at, true) >> direction as u8 & 1 == 1, "{context}");
                at = map.neighbor(at, direction);
                if direction.is_diagonal() { Length::of(0, 1) } else { Length::of(1, 0) }
            });
            assert_eq!(moves.fold(Length::ZERO, |sum, cost| sum + cost).as_f64(), *cost, "{context}");
            assert_eq!(at, goal, "{context}");
            assert!(
                in_bytes.stats.expanded <= stepped.stats.expanded + 100,
                "{context}: both expand what lies below f"
            );
            let limits = Limits { nodes: Some(5), ..Limits::default() };
            let limited = search(&uniform, &|| uniform.initial(), Algorithm::AStar, &limits);
            if let Verdict::Limit { limit, lower_bound, .. } = limited.verdict {
                assert_eq!((limit, limited.stats.expanded), (Limit::Nodes, 5));
                assert!(lower_bound <= *cost && lower_bound >= uniform.h(&start).as_f64(), "{context}");
            }
        }
        let expected = cost(stepped.verdict);
        assert_eq!([cost(jumped.verdict), cost(in_bytes.verdict)], [expected; 2], "{context}");
        solved += u32::from(expected.is_some());
        let heuristic = [Heuristic::Manhattan, Heuristic::Zero][round % 2];
        let uniform = Grid::<u32, true, false>::new(&map, start, &[goal], heuristic, &BuildContext::default());
        let by_steps = Grid::<u32, false, false>::new(&map, start, &[goal], heuristic, &BuildContext::default());
        let jumped = search(&uniform, &|| uniform.initial(), general, &Limits::default());
        let in_bytes = search(&uniform, &|| uniform.initial(), Algorithm::AStar, &Limits::default());
        let stepped = search(&by_steps, &|| by_steps.initial(), Algorithm::AStar, &Limits::default());
        straight = (straight.0 + jumped.stats.expanded, straight.1 + stepped.stats.expanded);
        let context = format!("{rows}x{columns}, round {round}, straight");
        if let Verdict::Solved { path, cost, .. } = &in_bytes.verdict {
            let mut at = start;
            assert_eq!(path.len() as f64, *cost, "{context}");
            for &direction in path {
                at = map.neighbor(at, direction);
                assert!(map.is_open(at), "{context}");
            }
            assert_eq!(at, goal, "{context}");
            let (few, many) = (in_bytes.stats.expanded as f64, stepped.stats.expanded as f64);
            assert!(few <= 1.5 * many + 100.0, "{context}: both expand what lies below f");
        }
        let expected = cost(stepped.verdict);
        assert_eq!(cost(jumped.verdict), expected, "{context}");
        assert_eq!(cost(in_bytes.verdict), expected, "{context}");
    }
    assert!(solved > 200, "only {solved} are solvable");
    assert!(expanded.0 * 2 < expanded.1, "jumping must expand fewer cells: {expanded:?}");
    assert!(straight.0 * 2 < straight.1, "jumping must expand fewer cells: {straight:?}");
}

#[test]
fn columns_are_the_transposed_rows() {
    // Wider and higher than two words.
    let numbers = &mut SplitMix64::new(8);
    let (rows, columns) = (150, 131);
    let mut map = Map::new(columns, rows);
    for _ in 0..rows {
        let row: Vec<u8> = (0..columns).map(|_| u8::from(numbers.below(3) > 0)).collect();
        map.add(row.into_iter());
    }
    let map = map.close();
    let jumps = super::jumps::Jumps::new(&map, map.cell(0, 0));
    for row in 0..rows {
        for column in 0..columns {
            let is_open = map.is_open(map.cell(row, column));
            assert_eq!(jumps.is_open(row, column), [is_open; 2], "{row} {column}");
        }
    }
}

#[test]
fn scrambled_starts_are_solvable_and_stable_for_each_seed() {
    let map = map(&["11#1", "11#1", "1111", "####", "1111"]);
    let goal = map.cell(0, 0);
    let reached = map.reached_from(&[goal]);
    let start = |walk, seed, elsewhere| {
        scramble(&map, &[goal], Moves::Orthogonal, walk, seed, elsewhere, &BuildContext::default())
    };
    let mut uniform = std::collections::BTreeSet::new();
    for seed in 0..200 {
        for walk in [None, Some(0), Some(1), Some(2), Some(9)] {
            let cell = start(walk, seed, true).expect("there are other cells");
            assert!(reached[cell as usize] && cell != goal, "{walk:?} {seed}");
            if walk.is_none() {
                uniform.insert(cell);
            }
        }
    }
    assert_eq!(uniform.len(), reached.iter().filter(|&&reached| reached).count() - 1, "every cell is drawn");
    assert_eq!(start(Some(0), 1, false), Some(goal));
    let places: Vec<(u32, u32)> = (0..4).filter_map(|seed| Some(map.place(start(None, seed, true)?))).collect();
    let walks: Vec<(u32, u32)> = (0..4).filter_map(|seed| Some(map.place(start(Some(5), seed, true)?))).collect();
    let expected = ([(2, 2), (2, 0), (1, 3), (0, 1)], [(0, 1), (2, 3), (1, 0), (2, 1)]);
    assert_eq!((&places[..], &walks[..]), (&expected.0[..], &expected.1[..]), "a seed always gives the same start");
    let alone = self::map(&["1#", "#1"]);
    let context = BuildContext::default();
    assert_eq!(scramble(&alone, &[alone.cell(0, 0)], Moves::Diagonal, None, 1, true, &context), None);
    assert_eq!(scramble(&alone, &[alone.cell(0, 0)], Moves::Diagonal, Some(3), 1, true, &context), None);
    assert_eq!(
        scramble(&alone, &[alone.cell(0, 0)], Moves::Diagonal, Some(3), 1, false, &context),
        Some(alone.cell(0, 0))
    );
}
