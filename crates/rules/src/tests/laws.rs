//! Checks the laws of state spaces, for every heuristic and every width of keys.

use crate::board::candidates;
use crate::domain::BuildContext;
use crate::heuristic::{Heuristic, Kind, matching};
use crate::packed::{WIDE, Word};
use crate::reduce::{Reduced, reduce};
use crate::search::laws;
use crate::space::RuleSpace;
use crate::symmetry::{Images, symmetries};
use crate::tests::compiled;
use crate::vanishing::Stable;
use std::sync::Arc;

/// Small puzzles that together cover the features of rules: symmetries, costs, free moves, irreversible moves, toggles,
/// several goals, variables.
const PUZZLES: [&str; 19] = [
    // Burnt pancakes: the heuristic forecasts its values after each move.
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

fn space<W: Word>(reduced: &Reduced, images: Images<W>, kind: Option<Kind>) -> Option<RuleSpace<W>> {
    let context = BuildContext::default();
    let heuristic = match kind {
        Some(kind) => Some(Heuristic::new(kind, &reduced.task, &context).ok()?),
        None => None,
    };
    Some(RuleSpace::new(reduced, images, "a heuristic", heuristic, &context))
}

#[test]
fn every_state_space_keeps_the_laws_with_every_heuristic_and_key_width() {
    let (mut checked, mut perimeters, mut with_mutexes) = (0, 0, 0);
    for source in PUZZLES {
        let compiled = compiled(source);
        let reduced = reduce(&compiled.task, compiled.model.world.cells(), &BuildContext::default());
        let task = &reduced.task;
        with_mutexes += u32::from(reduced.mutexes.is_some());
        let found = symmetries(task, &candidates(&compiled.model, task), &BuildContext::default());
        let all = || Stable::of_all_states(task, found.group(), &BuildContext::default());
        let stable = Stable::new(task, found.group(), &BuildContext::default()).or_else(all).map(Arc::new);
        let perimeter =
            stable.as_ref().and_then(|stable| Heuristic::perimeter(stable, task, &BuildContext::default()).ok());
        if let Some(perimeter) = perimeter {
            let images = Images::new(task, &found);
            let space = RuleSpace::<u64>::new(&reduced, images, "perimeter", Some(perimeter), &BuildContext::default());
            laws::hold(&space.with_stable(stable.as_ref()), false);
            perimeters += 1;
        }
        let kinds = [
            Kind::Potentials,
            Kind::PatternDatabase,
            Kind::MergedSymbols,
            Kind::LmCut,
            Kind::Toggles,
            Kind::Breakpoints,
        ];
        for kind in kinds.into_iter().map(Some).chain([None]) {
            // LM-cut and rounded potentials need not be consistent. All heuristics are admissible.
            let Some(narrow) = space::<u64>(&reduced, Images::new(task, &found), kind) else { continue };
            laws::hold(&narrow.with_stable(stable.as_ref()), kind.is_none());
            checked += 1;
        }
        if let Ok(matching) = matching(task, &BuildContext::default()) {
            let both = [
                Heuristic::Matching(Arc::clone(&matching)),
                Heuristic::maximum(matching, task, &BuildContext::default()),
            ];
            for heuristic in both {
                let context = BuildContext::default();
                let images = Images::new(task, &found);
                laws::hold(&RuleSpace::<u64>::new(&reduced, images, "matching", Some(heuristic), &context), true);
                checked += 1;
            }
        }
        let wide = space::<u128>(&reduced, Images::new(task, &found), None).expect("a space without a heuristic");
        laws::hold(&wide.with_stable(stable.as_ref()), true);
        let four_words = space::<[u64; WIDE]>(&reduced, Images::new(task, &found), None);
        laws::hold(&four_words.expect("a space without a heuristic"), true);
        let long = space::<Box<[u64]>>(&reduced, Images::new(task, &found), None).expect("a space without a heuristic");
        laws::hold(&long, true);
    }
    assert!(with_mutexes >= 2, "{with_mutexes} puzzles are reversible by mutual exclusions");
    assert!(perimeters >= 4, "only {perimeters} puzzles have a perimeter");
    assert!(checked >= 20, "only {checked} pairs of a puzzle and a heuristic were checked");
}
