//! Compares disjoint pattern databases with true distances over all reachable states of small puzzles.

use crate::analysed_task::AnalysedTask;
use crate::domain::BuildContext;
use crate::heuristic::{DEAD, Disjoint, Heuristic, are_goals_disjoint};
use crate::reduce::reduce;
use crate::task::Value;
use crate::tests::compiled;
use std::collections::HashMap;

fn analysed(source: &str) -> AnalysedTask {
    let compiled = compiled(source);
    let cells = compiled.model.world.cells();
    let reduced = reduce(&compiled.task, cells, &BuildContext::default());
    AnalysedTask::new(&compiled.task, reduced, cells, Box::new(|_| Vec::new()))
}

/// Checks that h is admissible and consistent in all reachable states; returns the h of the start and its distance.
fn checked(source: &str) -> (u32, Option<u32>) {
    let analysed = analysed(source);
    let task = &analysed.reduced.task;
    let disjoint = Disjoint::new(&analysed, &BuildContext::default()).expect("the symbols occur once");
    let mut numbers = HashMap::from([(task.start.clone(), 0)]);
    let mut states: Vec<Vec<Value>> = vec![task.start.clone()];
    let mut edges: Vec<(usize, u32, usize)> = Vec::new();
    let mut at = 0;
    while at < states.len() {
        let next: Vec<(usize, Vec<Value>)> = task.successors(&states[at].clone()).collect();
        for (operator, after) in next {
            let number = *numbers.entry(after.clone()).or_insert_with(|| {
                states.push(after);
                states.len() - 1
            });
            edges.push((at, task.operators[operator].cost, number));
        }
        at += 1;
    }
    let mut distances: Vec<Option<u32>> = states.iter().map(|state| task.is_goal(state).then_some(0)).collect();
    loop {
        let before = distances.clone();
        for &(from, cost, to) in &edges {
            let through = distances[to].map(|distance| distance + cost);
            distances[from] = [distances[from], through].into_iter().flatten().min();
        }
        if distances == before {
            break;
        }
    }
    let h: Vec<u32> = states.iter().map(|state| disjoint.h(state)).collect();
    for (h, distance) in h.iter().zip(&distances) {
        assert!(*h <= distance.unwrap_or(DEAD), "h = {h} overestimates {distance:?}");
    }
    for &(from, cost, to) in &edges {
        assert!(h[from] <= cost + h[to], "h falls from {} to {} by a move that costs {cost}", h[from], h[to]);
    }
    (h[0], distances[0])
}

const TILES: &str = "goal = '''\n123\n45.\n'''\n[sets]\nt = '12345'\n\
    [[rules]]\nname = 'slide'\nfrom = 't.'\nto = '.t'\nturns = true\n";

#[test]
fn tiles_get_more_than_the_manhattan_distance() {
    let start = |drawing: &str| format!("start = '''\n{drawing}\n'''\n{TILES}");
    assert_eq!(checked(&start("123\n4.5")), (1, Some(1)));
    // A group of all five tiles leaves one cell for the blank: the distance is exact, and so is the parity.
    let (h, distance) = checked(&start("354\n21."));
    assert_eq!(Some(h), distance);
    assert_eq!(checked(&start("213\n45.")), (DEAD, None));
    assert!(are_goals_disjoint(&analysed(&start("213\n.54")), &BuildContext::default()));
}

#[test]
fn groups_of_tiles_add_up() {
    let rule = TILES.split_once("[[rules]]").expect("a rule").1;
    let source =
        format!("start = '''\n7654\n321.\n'''\ngoal = '''\n1234\n567.\n'''\n[sets]\nt = '1234567'\n[[rules]]{rule}");
    // The Manhattan distance is 14.
    assert!(checked(&source).0 >= 14);
}

#[test]
fn costs_walls_and_backgrounds_are_respected() {
    // Two letters on a board with walls and many blanks; vertical moves cost 3.
    let rules = "[sets]\nt = 'ab'\n[[rules]]\nname = 'slide'\nfrom = 't.'\nto = '.t'\nmirror = true\n\
        [[rules]]\nname = 'sink'\nfrom = '''\nt\n.\n'''\nto = '''\n.\nt\n'''\ncost = 3\n\
        [[rules]]\nname = 'climb'\nfrom = '''\n.\nt\n'''\nto = '''\nt\n.\n'''\ncost = 3\n";
    let source = format!("start = '''\nab..\n#..#\n'''\ngoal = '''\n??ba\n????\n'''\n{rules}");
    let (h, distance) = checked(&source);
    assert_eq!((h, distance), (10, Some(10)), "one table of both letters is exact");
    assert!(are_goals_disjoint(&analysed(&source), &BuildContext::default()));
    let free = source.replace("cost = 3", "cost = 0");
    assert!(checked(&free).0 > 0);
}

#[test]
fn symbols_that_move_together_are_not_added() {
    let source = "start = 'ab.'\ngoal = 'b.a'\n[[rules]]\nname = 'swap'\nfrom = 'ab'\nto = 'ba'\nmirror = true\n\
        [[rules]]\nname = 'move'\nfrom = 'a.'\nto = '.a'\nmirror = true\n";
    let (h, distance) = checked(source);
    assert!(h > 0 && distance == Some(2));
}

#[test]
fn copied_symbols_are_not_used() {
    let source = "start = 'ab..'\ngoal = 'bbaa'\n[sets]\nt = 'ab'\n\
        [[rules]]\nname = 'copy'\nfrom = 't.'\nto = 'tt'\nmirror = true\n";
    assert!(Disjoint::new(&analysed(source), &BuildContext::default()).is_err());
    assert!(!are_goals_disjoint(&analysed(source), &BuildContext::default()));
}

#[test]
fn sums_of_many_groups_take_several_lanes() {
    // 24 tiles in groups of three: eight codes of 14 bits each.
    let source = "start = '''\nABCDE\nFGHIJ\nKLMNO\nPQRST\nUVW.X\n'''\ngoal = '''\n.ABCD\nEFGHI\nJKLMN\nOPQRS\nTUVWX\n'''\n\
        [sets]\nt = 'ABCDEFGHIJKLMNOPQRSTUVWX'\n\
        [[rules]]\nname = 'slide'\nfrom = 't.'\nto = '.t'\nturns = true\n";
    let analysed = analysed(source);
    let disjoint = Disjoint::new(&analysed, &BuildContext::default()).expect("tiles");
    assert!(disjoint.lanes() > 1);
    // A to W are one cell from their places, or at the other end of the row above: the Manhattan distances.
    let distances = 19 + 4 * 5;
    assert!((distances..=distances + 24).contains(&disjoint.h(&analysed.reduced.task.start)));
}
