//! Checks that threads which share rounds of a search learn and count what one thread does.

use crate::analysed_task::AnalysedTask;
use crate::domain::BuildContext;
use crate::heuristic::MATCHING;
use crate::reduce::reduce;
use crate::search::laws;
use crate::space::RuleSpace;
use crate::tests::compiled;
use engine_search::space::Guided;

/// Two rooms of Sokoban: with conflicts and frozen boxes, and with corrals.
const ROOMS: [&str; 2] =
    [include_str!("../../../../puzzles/rooms/45.toml"), include_str!("../../../../puzzles/rooms/52.toml")];

#[test]
fn threads_learn_from_a_round_what_one_thread_learns() {
    let mut saved: Vec<&str> = Vec::new();
    for room in ROOMS {
        let keys = room.split("[expect]").next().expect("a text has a first part");
        let compiled = compiled(&keys[keys.find("start").expect("the room has a start")..]);
        for without in [Vec::new(), vec!["stubborn-sets".to_owned(), "dead-pairs".to_owned()]] {
            let context = BuildContext { explain: true, without, ..BuildContext::default() };
            let cells = compiled.model.world.cells();
            let reduced = reduce(&compiled.task, cells, &context);
            let task = AnalysedTask::new(&compiled.task, reduced, cells, Box::new(|_| Vec::new()));
            for (size, rounds) in [(1, 200), (70, 20), (500, 5)] {
                let space = RuleSpace::<Box<[u64]>>::new(&task, Some(&MATCHING), &context);
                laws::rounds_agree(&space, size, rounds);
                saved.extend(space.savings().iter().map(|saving| saving.name));
            }
        }
    }
    saved.sort_unstable();
    saved.dedup();
    println!("{saved:?}");
    for name in ["conflicts", "dead-patterns", "stubborn-sets", "walls"] {
        assert!(saved.contains(&name), "nothing was learned by {name}: {saved:?}");
    }
}
