//! Small puzzles as tasks.

use crate::task::{Condition, Count, Effect, Goal, Never, Operator, Source, Task, Value, Values, Var, Variable};

use std::sync::Arc;
pub(super) const ENGLISH: [&str; 7] = ["  ooo  ", "  ooo  ", "ooooooo", "ooo.ooo", "ooooooo", "  ooo  ", "  ooo  "];

pub(super) const EUROPEAN: [&str; 7] = ["  ooo  ", " ooooo ", "ooooooo", "ooo.ooo", "ooooooo", " ooooo ", "  ooo  "];

fn variable(name: String, values: &[&str]) -> Variable {
    Variable { name, values: values.iter().map(|&value| value.to_owned()).collect() }
}

fn is(var: Var, value: Value) -> Condition {
    (var, Values::one(value))
}

fn set(target: Var, value: Value) -> Effect {
    Effect { target, source: Source::Value(value) }
}

fn operator(cost: u32, mut conditions: Vec<Condition>, mut effects: Vec<Effect>, action: usize) -> Operator {
    conditions.sort_unstable_by_key(|&(var, _)| var);
    effects.sort_unstable_by_key(|effect| effect.target);
    Operator { cost, conditions, disjunctions: Vec::new(), counts: Vec::new(), effects, action: action as u32 }
}

fn all_are(state: &[Value]) -> Goal {
    Goal { conditions: state.iter().enumerate().map(|(var, &value)| is(var, value)).collect(), ..Goal::default() }
}

/// Returns the ordered pairs of neighbouring cells of a board.
fn neighbors(width: usize, height: usize) -> Vec<(usize, usize)> {
    let cells = (0..height).flat_map(|row| (0..width).map(move |column| (row, column)));
    let pairs = cells.flat_map(|(row, column)| {
        let at = row * width + column;
        let right = (column + 1 < width).then_some((at, at + 1));
        let down = (row + 1 < height).then_some((at, at + width));
        [right, right.map(|(a, b)| (b, a)), down, down.map(|(a, b)| (b, a))]
    });
    pairs.flatten().collect()
}

/// Parcels that a truck takes round a ring of places. The last variable is the truck; a parcel's last value is within
/// it.
pub(in super::super) fn freight(from: &[Value], to: &[Value], places: Value) -> Task {
    let truck = from.len();
    let variables = (0..=truck).map(|var| {
        let values = (0..places + Value::from(var < truck)).map(|value| value.to_string()).collect();
        Variable { name: format!("var{var}"), values }
    });
    let mut operators = Vec::new();
    for place in 0..places {
        for next in [(place + 1) % places, (place + places - 1) % places] {
            operators.push(operator(1, vec![is(truck, place)], vec![set(truck, next)], operators.len()));
        }
        for parcel in 0..truck {
            let (here, within) = (is(truck, place), set(parcel, places));
            operators.push(operator(1, vec![here.clone(), is(parcel, place)], vec![within], operators.len()));
            operators.push(operator(1, vec![here, is(parcel, places)], vec![set(parcel, place)], operators.len()));
        }
    }
    let conditions = to.iter().enumerate().map(|(parcel, &place)| is(parcel, place)).collect();
    Task {
        variables: variables.collect(),
        operators,
        start: from.iter().copied().chain([0]).collect(),
        goals: vec![Goal { conditions, ..Goal::default() }],
        ..Task::default()
    }
}

/// The sliding-tile puzzle: a variable for each cell, value 0 is the blank.
pub(in super::super) fn tiles(width: usize, height: usize) -> Task {
    let cells = width * height;
    let names: Arc<[String]> = (0..cells).map(|value| value.to_string()).collect();
    let variables = (0..cells).map(|cell| Variable { name: format!("cell{cell}"), values: names.clone() }).collect();
    let tiles = Values::below(cells).without(&Values::one(0));
    let same: Box<[Value]> = (0..cells as Value).collect();
    let operators = neighbors(width, height).into_iter().enumerate().map(|(action, (blank, tile))| {
        let moved = Effect { target: blank, source: Source::Table(tile, same.clone()) };
        operator(1, vec![is(blank, 0), (tile, tiles.clone())], vec![moved, set(tile, 0)], action)
    });
    let goal: Vec<Value> = (0..cells as Value).collect();
    let mut start = goal.clone();
    start.reverse();
    Task { variables, operators: operators.collect(), start, goals: vec![all_are(&goal)], ..Task::default() }
}

/// Peg solitaire; the goal is `left` pegs anywhere.
pub(super) fn pegs(board: &[&str], left: u32) -> Task {
    let mut cells = Vec::new();
    for (row, line) in board.iter().enumerate() {
        cells.extend(line.bytes().enumerate().filter(|&(_, byte)| byte != b' ').map(|(at, byte)| (row, at, byte)));
    }
    let find =
        |row: isize, column: isize| cells.iter().position(|&(r, c, _)| (r as isize, c as isize) == (row, column));
    let mut operators = Vec::new();
    for (from, &(row, column, _)) in cells.iter().enumerate() {
        for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let (row, column) = (row as isize, column as isize);
            let over = find(row + down, column + right);
            let Some((over, to)) = over.zip(find(row + 2 * down, column + 2 * right)) else { continue };
            let conditions = vec![is(from, 1), is(over, 1), is(to, 0)];
            operators.push(operator(1, conditions, vec![set(from, 0), set(over, 0), set(to, 1)], operators.len()));
        }
    }
    let variables = cells.iter().map(|(row, column, _)| variable(format!("cell[{row}, {column}]"), &[".", "o"]));
    let count = Count { of: (0..cells.len()).map(|cell| is(cell, 1)).collect(), least: left, most: left };
    Task {
        variables: variables.collect(),
        operators,
        start: cells.iter().map(|&(_, _, byte)| Value::from(byte == b'o')).collect(),
        goals: vec![Goal { counts: vec![count], ..Goal::default() }],
        ..Task::default()
    }
}

/// Peg solitaire in which any number of jumps of one peg cost 1; the goal is `left` pegs at rest anywhere.
pub(super) fn sweeps(board: &[&str], left: u32) -> Task {
    let mut task = pegs(board, left);
    let cells = task.variables.len();
    let moving = cells;
    task.variables.iter_mut().for_each(|cell| cell.values = [&*cell.values, &["O".to_owned()]].concat().into());
    task.variables.push(variable("moving".to_owned(), &["no", "yes"]));
    task.start.push(0);
    task.goals[0].conditions.push(is(moving, 0));
    let jumps = std::mem::take(&mut task.operators);
    for jump in &jumps {
        let [from, over, to] = [&jump.effects[0], &jump.effects[1], &jump.effects[2]].map(|effect| effect.target);
        let (peg, to) = if jump.condition(to) == Some(&Values::one(0)) { (from, to) } else { (to, from) };
        let ends = [(1, 1), (0, 2)];
        for (cost, old) in ends {
            let conditions = vec![is(peg, old), is(over, 1), is(to, 0)];
            let mut effects = vec![set(peg, 0), set(over, 0), set(to, 2)];
            let first = (cost == 1).then_some(is(moving, 0));
            effects.extend(first.as_ref().map(|_| set(moving, 1)));
            let conditions = conditions.into_iter().chain(first).collect();
            task.operators.push(operator(cost, conditions, effects, task.operators.len()));
        }
    }
    for cell in 0..cells {
        let rest = operator(0, vec![is(cell, 2)], vec![set(cell, 1), set(moving, 0)], task.operators.len());
        task.operators.push(rest);
    }
    task
}

/// Pancakes: a move turns over the upper ones. The value of a burnt one is twice its size, and one more if it lies on
/// its burnt side.
pub(in super::super) fn pancakes(start: &[Value], burnt: bool) -> Task {
    let number = start.len();
    let values: Arc<[String]> = (0..if burnt { 2 * number } else { number }).map(|value| value.to_string()).collect();
    let turned: Box<[Value]> = (0..values.len() as Value).map(|value| value ^ Value::from(burnt)).collect();
    let flip = |upper: usize| {
        let moved = |place: usize| Effect { target: place, source: Source::Table(upper - 1 - place, turned.clone()) };
        operator(1, Vec::new(), (0..upper).filter(|&place| burnt || 2 * place + 1 != upper).map(moved).collect(), upper)
    };
    let goal: Vec<Value> = (0..number as Value).map(|place| if burnt { 2 * place } else { place }).collect();
    Task {
        variables: (0..number)
            .map(|place| Variable { name: format!("place{place}"), values: values.clone() })
            .collect(),
        operators: (if burnt { 1 } else { 2 }..=number).map(flip).collect(),
        start: start.to_vec(),
        goals: vec![all_are(&goal)],
        ..Task::default()
    }
}

/// Lights Out: a press advances a lamp and its neighbours by one colour; the goal is all off.
pub(in super::super) fn lights(width: usize, height: usize, colors: Value, start: &str) -> Task {
    let next: Box<[Value]> = (0..colors).map(|color| (color + 1) % colors).collect();
    let turn = |target| Effect { target, source: Source::Table(target, next.clone()) };
    let pairs = neighbors(width, height);
    let press = |lamp: usize| {
        let mut effects = vec![turn(lamp)];
        effects.extend(pairs.iter().filter(|&&(from, _)| from == lamp).map(|&(_, to)| turn(to)));
        operator(1, Vec::new(), effects, lamp)
    };
    let lamps = width * height;
    Task {
        variables: (0..lamps)
            .map(|lamp| variable(format!("lamp{lamp}"), &["off", "on", "red"][..colors.into()]))
            .collect(),
        operators: (0..lamps).map(press).collect(),
        start: start.bytes().map(|byte| Value::from(byte - b'0')).collect(),
        goals: vec![all_are(&vec![0; lamps])],
        ..Task::default()
    }
}

/// Two dials with five values each, in a permuted order, turned together or one at a time, in both directions.
pub(super) fn dials() -> Task {
    let next: [Value; 5] = [2, 4, 1, 0, 3];
    let turn = |times: usize| -> Box<[Value]> {
        (0..5).map(|value| (0..times).fold(value, |value: Value, _| next[usize::from(value)])).collect()
    };
    let effect = |target, times| Effect { target, source: Source::Table(target, turn(times)) };
    let moves = [(3, vec![effect(0, 1)]), (1, vec![effect(0, 3), effect(1, 1)]), (2, vec![effect(0, 2), effect(1, 4)])];
    let operators = moves.into_iter().enumerate().map(|(at, (cost, effects))| operator(cost, Vec::new(), effects, at));
    let dial = |name: &str| variable(name.to_owned(), &["0", "1", "2", "3", "4"]);
    Task {
        variables: vec![dial("left"), dial("right")],
        operators: operators.collect(),
        start: vec![1, 3],
        goals: vec![all_are(&[0, 2])],
        ..Task::default()
    }
}

/// The towers of Hanoi: a variable for each disc, the smallest first.
pub(super) fn hanoi(discs: usize) -> Task {
    let mut operators = Vec::new();
    for disc in 0..discs {
        for (from, to) in [(0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1)] {
            let mut conditions: Vec<Condition> = (0..disc).map(|smaller| is(smaller, 3 - from - to)).collect();
            conditions.push(is(disc, from));
            operators.push(operator(1, conditions, vec![set(disc, to)], operators.len()));
        }
    }
    let variables = (0..discs).map(|disc| variable(format!("disc{disc}"), &["left", "middle", "right"])).collect();
    Task { variables, operators, start: vec![0; discs], goals: vec![all_are(&vec![2; discs])], ..Task::default() }
}

/// Water jugs of the given sizes; the goal is `wanted` units in one of them.
pub(super) fn jugs(sizes: &[Value], wanted: Value) -> Task {
    let levels: Vec<String> =
        (0..=*sizes.iter().max().expect("at least one jug")).map(|level| level.to_string()).collect();
    let variables = sizes
        .iter()
        .enumerate()
        .map(|(jug, &size)| Variable { name: format!("jug{jug}"), values: levels[..=usize::from(size)].into() });
    let mut operators = Vec::new();
    for (jug, &size) in sizes.iter().enumerate() {
        let below = Values::below(usize::from(size));
        operators.push(operator(1, vec![(jug, below)], vec![set(jug, size)], operators.len()));
        let some = Values::below(usize::from(size) + 1).without(&Values::one(0));
        operators.push(operator(1, vec![(jug, some)], vec![set(jug, 0)], operators.len()));
        for (other, &room) in sizes.iter().enumerate().filter(|&(other, _)| other != jug) {
            for (level, held) in (1..=size).flat_map(|level| (0..room).map(move |held| (level, held))) {
                let poured = level.min(room - held);
                let effects = vec![set(jug, level - poured), set(other, held + poured)];
                operators.push(operator(2, vec![is(jug, level), is(other, held)], effects, operators.len()));
            }
        }
    }
    let goals = sizes.iter().enumerate().filter(|&(_, &size)| size >= wanted);
    let goals = goals.map(|(jug, _)| Goal { conditions: vec![is(jug, wanted)], ..Goal::default() }).collect();
    Task { variables: variables.collect(), operators, start: vec![0; sizes.len()], goals, ..Task::default() }
}

/// Sokoban: one variable for the walker, and one for each cell, with a box or without. Walks cost `walk`, pushes 1.
/// Each goal cell (`.`) needs a box.
pub(in super::super) fn sokoban(board: &[&str], walk: u32) -> Task {
    let cells: Vec<(isize, isize, u8)> = board
        .iter()
        .enumerate()
        .flat_map(|(row, line)| {
            line.bytes().enumerate().map(move |(column, byte)| (row as isize, column as isize, byte))
        })
        .filter(|&(_, _, byte)| byte != b'#')
        .collect();
    let find = |row, column| cells.iter().position(|&(r, c, _)| (r, c) == (row, column));
    let mut operators = Vec::new();
    for (from, &(row, column, _)) in cells.iter().enumerate() {
        for (down, right) in [(0, 1), (1, 0), (0, -1), (-1, 0)] {
            let Some(to) = find(row + down, column + right) else { continue };
            let conditions = vec![is(0, from as Value), is(1 + to, 0)];
            operators.push(operator(walk, conditions, vec![set(0, to as Value)], operators.len()));
            let Some(beyond) = find(row + 2 * down, column + 2 * right) else { continue };
            let conditions = vec![is(0, from as Value), is(1 + to, 1), is(1 + beyond, 0)];
            let effects = vec![set(0, to as Value), set(1 + to, 0), set(1 + beyond, 1)];
            operators.push(operator(1, conditions, effects, operators.len()));
        }
    }
    let mut variables =
        vec![Variable { name: "walker".to_owned(), values: (0..cells.len()).map(|cell| cell.to_string()).collect() }];
    variables.extend((0..cells.len()).map(|cell| variable(format!("cell{cell}"), &["floor", "box"])));
    let mut start = vec![cells.iter().position(|&(_, _, byte)| byte == b'@').expect("a walker") as Value];
    start.extend(cells.iter().map(|&(_, _, byte)| Value::from(byte == b'$')));
    let targets = cells.iter().enumerate().filter(|(_, (_, _, byte))| *byte == b'.');
    let goal = Goal { conditions: targets.map(|(cell, _)| is(1 + cell, 1)).collect(), ..Goal::default() };
    Task { variables, operators, start, goals: vec![goal], ..Task::default() }
}

/// The farmer, the wolf, the goat and the cabbage.
pub(in super::super) fn river() -> Task {
    let variables = ["farmer", "wolf", "goat", "cabbage"];
    let mut operators = Vec::new();
    for side in 0..2 {
        for with in 0..4 {
            let mut all = vec![0, with];
            all.dedup();
            let conditions = all.iter().map(|&var| is(var, side)).collect();
            let effects = all.iter().map(|&var| set(var, 1 - side)).collect();
            operators.push(operator(1, conditions, effects, operators.len()));
        }
    }
    let alone = |side: Value, a: Var, b: Var| Never {
        conditions: vec![is(0, 1 - side), is(a, side), is(b, side)],
        ..Never::default()
    };
    Task {
        variables: variables.map(|name| variable(name.to_owned(), &["here", "there"])).to_vec(),
        operators,
        start: vec![0; 4],
        goals: vec![all_are(&[1; 4])],
        never: [0, 1].into_iter().flat_map(|side| [alone(side, 1, 2), alone(side, 2, 3)]).collect(),
        ..Task::default()
    }
}
