//! Tests of symmetries against orbits that are enumerated.

use crate::board::candidates;
use crate::domain::BuildContext;
use crate::packed::{StateLayout, Word};
use crate::reduce::reduce;
use crate::symmetry::{Images, Permutation, Symmetries, swap, symmetries};
use crate::task::{Task, Value};
use crate::tests::compiled;
use std::collections::{BTreeSet, HashSet};

/// Balls are carried from room to room with two hands.
const GRIPPER: &str = "start = { ball = 'a', robot = 'a' }\ngoal = { ball = 'b' }\n\
    [variables]\n'ball[1..4]' = ['a', 'b', 'left', 'right']\nrobot = ['a', 'b']\n\
    [[rules]]\nname = 'move'\nthen = { robot = 'robot == a ? b : a' }\n\
    [[rules]]\nname = 'pick {i} {hand}'\nfor = { i = '1..4', hand = ['left', 'right'] }\n\
    when = ['ball[i] == robot', 'all(j in 1..4: ball[j] != hand)']\nthen = { 'ball[i]' = 'hand' }\n\
    [[rules]]\nname = 'drop {i}'\nfor = { i = '1..4' }\nwhen = 'ball[i] in [left, right]'\nthen = { 'ball[i]' = 'robot' }\n";

/// Two trucks bring three parcels to one of two towns; a parcel has a place and a stamp.
const PARCELS: &str = "start = { place = 'x', stamped = 'no', truck = 'x' }\n\
    goal = 'all(p in 1..3: place[p] == y && stamped[p] == yes)'\n\
    [variables]\n'place[1..3]' = ['x', 'y', 't1', 't2']\n'stamped[1..3]' = ['no', 'yes']\n'truck[1..2]' = ['x', 'y']\n\
    [[rules]]\nname = 'drive {t}'\nfor = { t = '1..2' }\nthen = { 'truck[t]' = 'truck[t] == x ? y : x' }\n\
    [[rules]]\nname = 'stamp {p}'\nfor = { p = '1..3' }\nwhen = 'place[p] == x && stamped[p] == no'\n\
    then = { 'stamped[p]' = 'yes' }\n\
    [[rules]]\nname = 'load {p} 1'\nfor = { p = '1..3' }\nwhen = 'place[p] == truck[1]'\nthen = { 'place[p]' = 't1' }\n\
    [[rules]]\nname = 'load {p} 2'\nfor = { p = '1..3' }\nwhen = 'place[p] == truck[2]'\nthen = { 'place[p]' = 't2' }\n\
    [[rules]]\nname = 'unload {p} 1'\nfor = { p = '1..3' }\nwhen = 'place[p] == t1'\nthen = { 'place[p]' = 'truck[1]' }\n\
    [[rules]]\nname = 'unload {p} 2'\nfor = { p = '1..3' }\nwhen = 'place[p] == t2'\nthen = { 'place[p]' = 'truck[2]' }\n";

/// Rows and columns of an array can be exchanged, but not single elements.
const MATRIX: &str = "start = { on = 0 }\ngoal = 'all(i in 1..3: all(j in 1..3: on[i, j] == 1))'\n\
    [variables]\n'on[1..3, 1..3]' = '0..1'\n\
    [[rules]]\nname = 'row {i}'\nfor = { i = '1..3' }\n\
    then = { 'on[i, 1]' = 1, 'on[i, 2]' = 1, 'on[i, 3]' = 1 }\ncost = 2\n\
    [[rules]]\nname = 'one {i} {j}'\nfor = { i = '1..3', j = '1..3' }\nwhen = 'on[i, j] == 0'\n\
    then = { 'on[i, j]' = 1 }\n";

fn found(source: &str) -> (Task, Symmetries) {
    let compiled = compiled(source);
    let task = reduce(&compiled.task, compiled.model.world.cells(), &BuildContext::default()).task;
    let symmetries = symmetries(&task, &candidates(&compiled.model, &task), &BuildContext::default());
    ((*task).clone(), symmetries)
}

fn reachable(task: &Task) -> Vec<Vec<Value>> {
    let mut known = HashSet::from([task.start.clone()]);
    let mut states = vec![task.start.clone()];
    let mut at = 0;
    while at < states.len() {
        let next: Vec<Vec<Value>> = task.successors(&states[at].clone()).map(|(_, after)| after).collect();
        states.extend(next.into_iter().filter(|after| known.insert(after.clone())));
        at += 1;
    }
    states
}

/// Returns generators of the whole group: the other symmetries, and the swaps of neighbouring blocks.
fn generators(task: &Task, symmetries: &Symmetries) -> Vec<Permutation> {
    let mut all = symmetries.others.clone();
    let pairs = symmetries.classes.iter().flat_map(|class| class.blocks.windows(2));
    all.extend(pairs.map(|pair| swap(task, &pair[0], &pair[1])));
    all
}

fn orbit(state: &[Value], generators: &[Permutation]) -> BTreeSet<Vec<Value>> {
    let mut orbit = BTreeSet::from([state.to_vec()]);
    let mut open = vec![state.to_vec()];
    while let Some(state) = open.pop() {
        for to in generators {
            let mut image = state.clone();
            (0..state.len()).for_each(|var| image[to.to[var]] = to.value(var, state[var]));
            if orbit.insert(image.clone()) {
                open.push(image);
            }
        }
    }
    orbit
}

/// Checks that states have the same representative if and only if they are in the same orbit; returns the number of
/// orbits.
fn orbits<W: Word>(task: &Task, symmetries: &Symmetries) -> usize {
    let layout = StateLayout::new(task);
    let images = Images::<W>::new(task, symmetries);
    let generators = generators(task, symmetries);
    let mut orbits = BTreeSet::new();
    let mut representatives = BTreeSet::new();
    for state in reachable(task) {
        let orbit = orbit(&state, &generators);
        let representative = images.canonical(layout.pack(&state));
        assert!(orbit.iter().any(|image| layout.pack::<W>(image) == representative), "no image of {state:?}");
        representatives.insert(representative);
        orbits.insert(orbit.into_iter().next());
    }
    assert_eq!(orbits.len(), representatives.len(), "an orbit has several representatives");
    orbits.len()
}

#[test]
fn balls_and_hands_are_interchangeable() {
    let (task, symmetries) = found(GRIPPER);
    assert_eq!(symmetries.classes.iter().map(|class| class.blocks.len()).collect::<Vec<_>>(), [4]);
    assert_eq!(symmetries.others.len(), 1, "the hands");
    // For 0, 1 and 2 balls in the hands, 5, 4 and 3 numbers of balls in the first room; two places of the robot.
    assert_eq!(orbits::<u64>(&task, &symmetries), 24);
    // Long words use the exchange of balls, but not that of hands: two balls in the hands count once, one ball twice.
    let long = Symmetries { others: Vec::new(), ..symmetries };
    assert_eq!(orbits::<Box<[u64]>>(&task, &long), 32);
}

#[test]
fn blocks_of_several_variables_are_interchangeable() {
    let (task, symmetries) = found(PARCELS);
    let sizes: Vec<(usize, usize)> =
        symmetries.classes.iter().map(|class| (class.blocks.len(), class.blocks[0].len())).collect();
    assert_eq!(sizes, [(3, 2)], "three parcels, each with a place and a stamp");
    assert_eq!(symmetries.others.len(), 1, "the trucks, whose names are values of the parcels");
    orbits::<u64>(&task, &symmetries);
    orbits::<u128>(&task, &symmetries);
}

#[test]
fn rows_are_sorted_and_columns_enumerated() {
    let (task, symmetries) = found(MATRIX);
    assert_eq!(symmetries.classes.len(), 1);
    assert_eq!(symmetries.others.len(), 5, "all permutations of the columns but the identity");
    // The number of binary 3x3 matrices up to permutations of rows and of columns.
    assert_eq!(orbits::<u64>(&task, &symmetries), 36);
}

#[test]
fn a_goal_that_names_an_element_keeps_it_apart() {
    let source = GRIPPER.replace("goal = { ball = 'b' }", "goal = 'ball[2] == b && ball[3] == b'");
    let (task, symmetries) = found(&source);
    let mut blocks: Vec<Vec<&str>> = Vec::new();
    for class in &symmetries.classes {
        blocks.push(class.blocks.iter().map(|block| task.variables[block[0]].name.as_str()).collect());
    }
    blocks.sort();
    assert_eq!(blocks, [["ball[1]", "ball[4]"], ["ball[2]", "ball[3]"]]);
    orbits::<u64>(&task, &symmetries);
}

#[test]
fn twenty_balls_have_few_states() {
    let (task, symmetries) = found(&GRIPPER.replace("1..4", "1..20"));
    let layout = StateLayout::new(&task);
    let images = Images::<u64>::new(&task, &symmetries);
    let mut known = HashSet::from([images.canonical(layout.pack(&task.start))]);
    let mut layer: Vec<u64> = known.iter().copied().collect();
    let mut state = task.start.clone();
    let mut moves = 0;
    let mut solved = None;
    while !layer.is_empty() {
        let mut next = Vec::new();
        for word in &layer {
            layout.unpack(word, &mut state);
            if task.is_goal(&state) {
                solved = solved.or(Some(moves));
            }
            let children = task.successors(&state).map(|(_, after)| images.canonical(layout.pack(&after)));
            next.extend(children.filter(|child| known.insert(*child)));
        }
        layer = next;
        moves += 1;
    }
    // 21, 20 and 19 numbers of balls in the first room; two places of the robot.
    assert_eq!((known.len(), solved), (120, Some(59)));
}
