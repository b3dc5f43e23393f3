//! Checks dead patterns, stubborn sets and the bounds behind walls on every state of random small levels.

use crate::domain::{BuildContext, SplitMix64};
use crate::heuristic::{CorralVerdict, Corrals, DEAD, DEAD_PAIRS, FROZEN, Heuristic, Learns, Matching};
use crate::mover::Mover;
use crate::packed::StateLayout;
use crate::reduce::{Reduced, lift, reached};
use crate::task::{Task, Value};
use crate::tests::compiled;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the rules of Sokoban with free walks on a board in XSB text. Boxes and marks take these kinds in turn.
fn level(board: &[String], kinds: &[(char, char)]) -> Reduced {
    let part = |mark: bool| {
        let (mut boxes, mut marks) = (kinds.iter().cycle(), kinds.iter().cycle());
        let mut cell = |cell: char| match (cell, mark) {
            ('x' | 'X', true) => marks.next().expect("there is a kind").1,
            (_, true) | ('x', false) => '.',
            ('X' | '$', false) => boxes.next().expect("there is a kind").0,
            (cell, false) => cell,
        };
        board.iter().map(|row| row.chars().map(&mut cell).collect::<String>() + "\n").collect::<String>()
    };
    let (start, marks) = (part(false), part(true));
    let goals: Vec<String> = kinds.iter().map(|(symbol, mark)| format!("'{symbol}' = '{mark}'")).collect();
    let symbols: String = kinds.iter().map(|(symbol, _)| symbol).collect();
    let compiled = compiled(&format!(
        "start = '''\n{start}'''\nmarks = '''\n{marks}'''\ngoal = {{ every = {{ {} }} }}\n[sets]\nB = '{symbols}'\n\
         [[rules]]\nname = 'walk {{direction}}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 0\n\
         [[rules]]\nname = 'push {{direction}}'\nfrom = '@B.'\nto = '.@B'\nturns = true\n",
        goals.join(", ")
    ));
    let pieces = compiled.model.symbols.iter().zip(0..).filter(|(symbol, _)| symbols.contains(**symbol));
    let pieces: Vec<Value> = pieces.map(|(_, value)| value).collect();
    let (task, context) = (&compiled.task, BuildContext::default());
    let lifted = lift(task, &reached(task, &context), compiled.model.world.cells(), &pieces, &context);
    Reduced::new(lifted, &context)
}

/// Puts one of some pieces on a random free cell.
fn place(board: &mut [char], pieces: &[char], random: &mut SplitMix64) {
    let free: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] == '.').collect();
    board[free[random.below(free.len() as u64) as usize]] = pieces[random.below(pieces.len() as u64) as usize];
}

/// Returns a random board: walls, boxes, as many targets, and a man. If it is `full`, the targets are together in a
/// corner, and most boxes are on them.
fn random_board(random: &mut SplitMix64, full: bool) -> Vec<String> {
    let (rows, columns) = if full { (4, 6) } else { (4 + random.below(2) as usize, 5) };
    let mut board = vec!['.'; rows * columns];
    for _ in 0..3 + random.below(4) {
        place(&mut board, &['#'], random);
    }
    let boxes = 2 + random.below(if full { 3 } else { 2 });
    if full {
        let corner: Vec<usize> = (0..board.len()).filter(|&cell| board[cell] == '.').take(boxes as usize).collect();
        corner.into_iter().for_each(|cell| board[cell] = if random.below(3) == 0 { 'x' } else { 'X' });
        for _ in 0..board.iter().filter(|cell| **cell == 'x').count() {
            place(&mut board, &['$'], random);
        }
    } else {
        (0..boxes).for_each(|_| place(&mut board, &['$', '$', 'X'], random));
        (0..boxes).for_each(|_| place(&mut board, &['x'], random));
    }
    place(&mut board, &['@'], random);
    board.chunks(columns).map(|row| row.iter().collect()).collect()
}

/// Returns the distance of each reachable state to a goal.
fn distances(task: &Task) -> BTreeMap<Vec<Value>, Option<u32>> {
    let mut into: BTreeMap<Vec<Value>, Vec<(Vec<Value>, u32)>> = BTreeMap::new();
    let mut stack = vec![task.start.clone()];
    into.insert(task.start.clone(), Vec::new());
    while let Some(state) = stack.pop() {
        for (number, after) in task.successors(&state) {
            let before = into.entry(after.clone()).or_insert_with(|| {
                stack.push(after);
                Vec::new()
            });
            before.push((state.clone(), task.operators[number].cost));
        }
    }
    let mut distance: BTreeMap<Vec<Value>, Option<u32>> = into.keys().map(|state| (state.clone(), None)).collect();
    let goals = into.keys().filter(|state| task.is_goal(state));
    let mut open: BTreeSet<(u32, Vec<Value>)> = goals.map(|goal| (0, goal.clone())).collect();
    while let Some((so_far, state)) = open.pop_first() {
        if distance[&state].is_some() {
            continue;
        }
        distance.insert(state.clone(), Some(so_far));
        open.extend(into[&state].iter().map(|(before, cost)| (so_far + cost, before.clone())));
    }
    distance
}

/// Returns the least cost of a solution that begins with walks and a move that `is_allowed` accepts.
fn least(
    task: &Task,
    mover: &Mover,
    distances: &BTreeMap<Vec<Value>, Option<u32>>,
    state: &[Value],
    is_allowed: impl Fn(u32) -> bool,
) -> Option<u32> {
    let (mut region, mut next, mut least) = (vec![state.to_vec()], 0, None::<u32>);
    while let Some(at) = region.get(next).cloned() {
        next += 1;
        for (number, after) in task.successors(&at) {
            if mover.walks.contains(&(number as u32)) {
                if !region.contains(&after) {
                    region.push(after);
                }
            } else if is_allowed(number as u32) {
                let through = distances[&after].map(|rest| rest + task.operators[number].cost);
                least = least.into_iter().chain(through).min();
            }
        }
    }
    least
}

/// Returns the bound of a state, with all that was learned before.
fn bound(learner: &dyn Corrals<u128>, word: &u128) -> u32 {
    learner.settle();
    let mut values = Vec::new();
    learner.h_of(&[word], &mut values);
    values[0].0
}

#[test]
fn what_a_search_learns_loses_no_solution_on_random_levels() {
    let (mut dead, mut not_seen_before, mut sets, mut left_out, mut empty) = (0, 0, 0, 0, 0);
    let (mut raised, mut dead_behind, mut pairs, mut exact) = (0, 0, 0, 0);
    for seed in 0..1200 {
        let kinds: &[(char, char)] = if seed >= 800 { &[('a', 'x'), ('b', 'y')] } else { &[('$', 'x')] };
        let reduced = level(&random_board(&mut SplitMix64::new(seed), (400..1000).contains(&seed)), kinds);
        let task = &reduced.task;
        // Without what the matching finds by itself, the patterns must find it, too.
        let all = [DEAD_PAIRS, FROZEN].map(|reduction| reduction.name.to_owned()).to_vec();
        let without = if seed % 2 == 0 { Vec::new() } else { all };
        let context = BuildContext { without, ..BuildContext::default() };
        let Ok(matching) = Matching::new(task, &context) else { continue };
        let Some(mover) = Mover::find(&reduced, &[]) else { continue };
        let distances = distances(task);
        if distances.len() > 20_000 {
            continue;
        }
        let layout = StateLayout::new(task);
        let corrals = |patterns, stubborn| {
            let learns = Learns { patterns, stubborn, conflicts: patterns };
            matching.corrals::<u128>(task, &layout, &mover, learns, None)
        };
        let patterns = corrals(true, false).expect("boxes have patterns");
        let stubborn = corrals(false, true).expect("boxes and a man alone");
        let boxes: usize = matching.token_kinds(task).iter().map(|kind| kind.count).sum();
        for (state, distance) in &distances {
            let is_dead = matching.h(state) == DEAD;
            let word = layout.pack(state);
            let h = bound(&*patterns, &word);
            match distance {
                Some(distance) => assert!(h <= *distance, "level {seed}: h = {h} > {distance} in {state:?}"),
                None => dead_behind += u32::from(h == DEAD && !is_dead),
            }
            assert!(h >= matching.h(state), "level {seed}: less than the matching in {state:?}");
            raised += u32::from(h > matching.h(state) && h < DEAD);
            if boxes == 2 {
                pairs += 1;
                exact += u32::from(h == distance.unwrap_or(DEAD));
            }
            if matches!(patterns.look(&word, None), CorralVerdict::Dead) {
                assert_eq!(*distance, None, "level {seed}: a pattern in the solvable {state:?}");
                dead += 1;
                not_seen_before += u32::from(!is_dead);
            }
            if task.is_goal(state) || is_dead {
                continue;
            }
            stubborn.settle();
            let look = stubborn.look(&word, None);
            assert!(!matches!(look, CorralVerdict::Dead), "level {seed}: only stubborn sets are looked for");
            if let CorralVerdict::Stubborn(set) = look {
                empty += u32::from(set.is_empty());
                let of_set = least(task, &mover, &distances, state, |number| set.moves(number));
                assert_eq!(of_set, *distance, "level {seed}: the moves of a stubborn set do not suffice in {state:?}");
                sets += 1;
                left_out += u32::from(least(task, &mover, &distances, state, |number| !set.moves(number)).is_some());
            }
        }
    }
    println!(
        "{dead} dead patterns, {not_seen_before} of them new; {sets} stubborn sets, {left_out} that leave out some"
    );
    println!("{raised} bounds above the matching, {dead_behind} dead ends that it does not see");
    assert!(raised > 100 && dead_behind > 20, "{raised} bounds above the matching, {dead_behind} dead ends");
    println!("{exact} of {pairs} bounds of two boxes are exact");
    assert!(100 * exact > 95 * pairs, "only {exact} of {pairs} bounds of two boxes are exact");
    assert!(not_seen_before > 20 && left_out > 20, "{not_seen_before} dead patterns, {left_out} stubborn sets");
    assert!(empty > 0, "no stubborn set is without moves");
}
