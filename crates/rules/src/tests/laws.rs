//! Checks the laws of state spaces, for every heuristic and every width of keys.

use crate::analysed_task::AnalysedTask;
use crate::board::candidates;
use crate::domain::BuildContext;
use crate::heuristic;
use crate::packed::WIDE;
use crate::reduce::reduce;
use crate::search::laws;
use crate::space::RuleSpace;
use crate::task::Task;
use crate::tests::compiled;
use std::collections::BTreeMap;
use std::sync::Arc;

/// Small puzzles that together cover the features of rules: symmetries, costs, free moves, irreversible moves, toggles,
/// several goals, variables.
const PUZZLES: [&str; 19] = [
    // Burnt pancakes, whose moves carry neighbours along.
    "start = 'bCa'\ngoal = 'ABC'\n[maps]\nt = { a = 'A', A = 'a', b = 'B', B = 'b', c = 'C', C = 'c' }\n\
     [[rules]]\nname = 'flip {k}'\nfor = { k = '1..3' }\n\
     then = { 'cell[0, i] for i in 0..k-1' = 't(cell[0, k-1-i])' }\n",
    // Sokoban in a room with mirror symmetry.
    "start = '''\n.@.\n.$.\n...\n'''\ngoal = { every = { '$' = 'x' } }\nmarks = '''\n...\n...\nx.x\n'''\n\
     [[rules]]\nname = 'walk'\nfrom = '@.'\nto = '.@'\nturns = true\n\
     [[rules]]\nname = 'push'\nfrom = '@$.'\nto = '.@$'\nturns = true\n",
    // Sokoban with free walks.
    "start = '''\n.@..\n.$..\n....\n'''\ngoal = { every = { '$' = 'x' } }\nmarks = '''\n....\n....\nx..x\n'''\n\
     [[rules]]\nname = 'walk'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 0\n\
     [[rules]]\nname = 'push'\nfrom = '@$.'\nto = '.@$'\nturns = true\n",
    // Two men with free walks, of whom one pushes.
    "start = '''\n@.&\n$..\n...\n'''\ngoal = { every = { '$' = 'x' } }\nmarks = '''\n...\n...\nx..\n'''\n\
     [sets]\nM = '@&'\n\
     [[rules]]\nname = 'walk'\nfrom = 'M.'\nto = '.M'\nturns = true\ncost = 0\n\
     [[rules]]\nname = 'push'\nfrom = '@$.'\nto = '.@$'\nturns = true\n",
    // Peg solitaire on a line: no move is reversible.
    "start = 'oo.o.'\ngoal = { count = { o = 1 } }\n[[rules]]\nname = 'jump'\nfrom = 'oo.'\nto = '..o'\nturns = true\n",
    // Sliding tiles.
    "start = '''\n213\n.54\n'''\ngoal = '''\n123\n45.\n'''\n[sets]\nt = '12345'\n\
     [[rules]]\nname = 'slide'\nfrom = 't.'\nto = '.t'\nturns = true\n",
    // Sliding tiles, each move at a cost of 2.
    "start = '''\n21\n.3\n'''\ngoal = '''\n13\n2.\n'''\n[sets]\nt = '123'\n\
     [[rules]]\nname = 'slide'\nfrom = 't.'\nto = '.t'\nturns = true\ncost = 2\n",
    // Lights Out.
    "start = '''\n*.*\n.*.\n*..\n'''\ngoal = '''\n...\n...\n...\n'''\n[maps]\nt = { '*' = '.', '.' = '*' }\n\
     [[rules]]\nname = 'press'\nfrom = '??'\nto = 'tt'\n",
    // Jugs, with costs.
    "start = { a = 0, b = 0 }\ngoal = 'a == 2'\n[variables]\na = '0..3'\nb = '0..5'\n\
     [[rules]]\nname = 'fill'\nwhen = 'a < 3'\nthen = { a = 3 }\ncost = 2\n\
     [[rules]]\nname = 'empty'\nwhen = 'b > 0'\nthen = { b = 0 }\n\
     [[rules]]\nname = 'pour'\nwhen = 'a > 0 && a <= 5 - b'\nthen = { a = 0, b = 'b + a' }\ncost = 3\n\
     [[rules]]\nname = 'pour on'\nwhen = 'a > 5 - b && b < 5'\nthen = { a = 'a - (5 - b)', b = 5 }\ncost = 3\n",
    // A gripper: interchangeable balls and hands.
    "start = { ball = 'a', robot = 'a' }\ngoal = { ball = 'b' }\n\
     [variables]\n'ball[1..3]' = ['a', 'b', 'left', 'right']\nrobot = ['a', 'b']\n\
     [[rules]]\nname = 'move'\nthen = { robot = 'robot == a ? b : a' }\n\
     [[rules]]\nname = 'pick {i} {hand}'\nfor = { i = '1..3', hand = ['left', 'right'] }\n\
     when = ['ball[i] == robot', 'all(j in 1..3: ball[j] != hand)']\nthen = { 'ball[i]' = 'hand' }\n\
     [[rules]]\nname = 'drop {i}'\nfor = { i = '1..3' }\nwhen = 'ball[i] in [left, right]'\n\
     then = { 'ball[i]' = 'robot' }\n",
    // Rows and columns of an array that can be exchanged, with costs.
    "start = { on = 0 }\ngoal = 'all(i in 1..3: all(j in 1..3: on[i, j] == 1))'\n\
     [variables]\n'on[1..3, 1..3]' = '0..1'\n\
     [[rules]]\nname = 'row {i}'\nfor = { i = '1..3' }\n\
     then = { 'on[i, 1]' = 1, 'on[i, 2]' = 1, 'on[i, 3]' = 1 }\ncost = 2\n\
     [[rules]]\nname = 'one {i} {j}'\nfor = { i = '1..3', j = '1..3' }\nwhen = 'on[i, j] == 0'\n\
     then = { 'on[i, j]' = 1 }\n",
    // Peg solitaire by sweeps: states vanish.
    "start = { drawing = 'ooo.oo', moving = 'no' }\ngoal = { count = { o = 1 }, moving = 'no' }\n\
     [variables]\nmoving = ['no', 'yes']\n\
     [[rules]]\nname = 'jump'\nfrom = 'oo.'\nto = '..O'\nturns = true\nwhen = 'moving == no'\nthen = { moving = 'yes' }\n\
     [[rules]]\nname = 'on'\nfrom = 'Oo.'\nto = '..O'\nturns = true\ncost = 0\n\
     [[rules]]\nname = 'rest'\nfrom = 'O'\nto = 'o'\nthen = { moving = 'no' }\ncost = 0\n",
    // Free walks that not all can be taken back: to the left only while a door is open.
    "start = { drawing = '@....$.', open = true }\ngoal = '?????.$'\nmarks = 'x......'\n[variables]\nopen = [true, false]\n\
     [[rules]]\nname = 'right'\nfrom = '@.'\nto = '.@'\ncost = 0\n\
     [[rules]]\nname = 'left'\nfrom = '.@'\nto = '@.'\nwhen = 'open'\ncost = 0\n\
     [[rules]]\nname = 'lever'\nfrom = '@'\non = 'x'\nthen = { open = '!open' }\n\
     [[rules]]\nname = 'push'\nfrom = '@$.'\nto = '.@$'\n",
    // Every move needs all variables at one value each, and a symmetry exchanges them.
    "start = { a = 0 }\ngoal = { a = 1 }\n[variables]\n'a[1..3]' = '0..2'\n\
     [[rules]]\nname = 'flip {i}'\nfor = { i = '1..3' }\nwhen = 'sum(j in 1..3: a[j]) <= 2'\n\
     then = { 'a[i]' = '2 - a[i]' }\n\
     [[rules]]\nname = 'less {i}'\nfor = { i = '1..3' }\nwhen = 'sum(j in 1..3: a[j]) <= 4'\n\
     then = { 'a[i]' = 'a[i] - 1' }\n",
    // Counts over more cells than a few, in conditions and in `never`.
    "start = '@ooo.oD'\ngoal = { count = { D = 0 } }\nnever = \"count('o') == 1\"\n\
     [[rules]]\nname = 'take'\nfrom = '@o'\nto = '.@'\nturns = true\n\
     [[rules]]\nname = 'walk'\nfrom = '@.'\nto = '.@'\nturns = true\n\
     [[rules]]\nname = 'put'\nfrom = '@.'\nto = '@o'\nturns = true\nwhen = \"count('o') in 1..2\"\ncost = 2\n\
     [[rules]]\nname = 'open'\nfrom = '@D'\nto = '.@'\nturns = true\nwhen = \"count('o') <= 2\"\n",
    // Interchangeable variables, of which no move changes too many.
    "start = { lamp = false }\ngoal = { when = 'count(i in 1..6: lamp[i]) == 4' }\n\
     [variables]\n'lamp[1..6]' = [true, false]\n\
     [[rules]]\nname = 'press {i}'\nfor = { i = '1..6' }\nwhen = 'count(j in 1..6: lamp[j]) <= 3'\n\
     then = { 'lamp[i]' = '!lamp[i]' }\n\
     [[rules]]\nname = 'two {i}'\nfor = { i = '1..5' }\nwhen = 'count(j in 1..6: lamp[j]) != 2'\n\
     then = { 'lamp[i]' = '!lamp[i + 1]', 'lamp[i + 1]' = '!lamp[i]' }\n",
    // Blocks, whose moves are undone by others only since a block under another is not clear.
    "start = { on = [2, 3, 0], clear = [true, false, false], hand = true }\n\
     goal = { on = [0, 1, 2], clear = [false, false, true], hand = true }\n\
     [variables]\n'on[1..3]' = [0, 1, 2, 3, 9]\n'clear[1..3]' = [true, false]\nhand = [true, false]\n\
     [[rules]]\nname = 'pick {x}'\nfor = { x = '1..3' }\nwhen = 'on[x] == 0 && clear[x] && hand'\n\
     then = { 'on[x]' = 9, 'clear[x]' = false, hand = false }\n\
     [[rules]]\nname = 'put {x}'\nfor = { x = '1..3' }\nwhen = 'on[x] == 9'\n\
     then = { 'on[x]' = 0, 'clear[x]' = true, hand = true }\n\
     [[rules]]\nname = 'stack {x} {y}'\nfor = { x = '1..3', y = '1..3' }\nwhen = 'x != y && on[x] == 9 && clear[y]'\n\
     then = { 'on[x]' = 'y', 'clear[x]' = true, 'clear[y]' = false, hand = true }\n\
     [[rules]]\nname = 'unstack {x} {y}'\nfor = { x = '1..3', y = '1..3' }\n\
     when = 'x != y && on[x] == y && clear[x] && hand'\n\
     then = { 'on[x]' = 9, 'clear[x]' = false, 'clear[y]' = true, hand = false }\n",
    // Disks on pegs: the way back depends on where a disk was.
    "start = { disk = 'a' }\ngoal = { disk = 'c' }\n[variables]\n'disk[1..3]' = ['a', 'b', 'c']\n\
     [[rules]]\nname = '{d} to {q}'\nfor = { d = '1..3', q = ['a', 'b', 'c'] }\n\
     when = 'all(s in 1..d-1: disk[s] != disk[d] && disk[s] != q)'\nthen = { 'disk[d]' = 'q' }\n",
    // An unsolvable puzzle.
    "start = 'a.b'\ngoal = 'b.a'\n[[rules]]\nname = 'a'\nfrom = 'a.'\nto = '.a'\nturns = true\n",
];

#[test]
fn every_state_space_keeps_the_laws_with_every_heuristic_and_key_width() {
    let context = BuildContext::default();
    let (mut checked, mut with_mutexes) = (BTreeMap::new(), 0);
    for source in PUZZLES {
        let compiled = compiled(source);
        let cells = compiled.model.world.cells();
        let reduced = reduce(&compiled.task, cells, &context);
        with_mutexes += u32::from(reduced.mutexes.is_some());
        let known = Arc::clone(&compiled);
        let candidates = Box::new(move |task: &Task| candidates(&known.model, task));
        let task = AnalysedTask::new(&compiled.task, reduced, cells, candidates);
        // A linear program for each state takes long.
        let all = heuristic::ALL.into_iter().filter(|heuristic| heuristic.facts.name != "operator-counting");
        for heuristic in all.filter(|heuristic| heuristic.build(&task, &context).is_ok()) {
            let name = heuristic.facts.name;
            // A matching is consistent, and the same for images of a state, unless macro moves raise it.
            let is_matching = ["matching", "maximum"].contains(&name);
            laws::hold(&RuleSpace::<u64>::new(&task, Some(heuristic), &context), is_matching);
            *checked.entry(name).or_insert(0) += 1;
        }
        laws::hold(&RuleSpace::<u64>::new(&task, None, &context), true);
        laws::hold(&RuleSpace::<u128>::new(&task, None, &context), true);
        laws::hold(&RuleSpace::<[u64; WIDE]>::new(&task, None, &context), true);
        laws::hold(&RuleSpace::<Box<[u64]>>::new(&task, None, &context), true);
    }
    assert!(with_mutexes >= 2, "{with_mutexes} puzzles are reversible by mutual exclusions");
    assert_eq!(checked.len(), heuristic::ALL.len() - 1, "every other heuristic applies to a puzzle: {checked:?}");
    assert!(checked["perimeter"] >= 4, "{checked:?}: too few puzzles have a perimeter");
}
