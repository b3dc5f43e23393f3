//! Breadth-first search in a graph of discovered states. Their numbers are in the order of discovery, which is that of a
//! queue. So the numbers are the queue and the table of states, and nothing is looked up but in the graph itself.

use engine::domain::Discovered;
use engine::search::{Found, Limit, Limits, Stats, Verdict};

/// States between two checks of the memory of the process.
const CHECK_EVERY: usize = 1024;

/// States between two calls of `give_way`.
const GIVE_WAY_EVERY: usize = 64;

/// New states that one call asks about at least.
const GOALS: usize = 64;

/// How a state was first reached: from which state, and by which move.
#[derive(Clone, Copy)]
struct Reached {
    from: u32,
    action: u32,
}

/// Searches a graph whose moves cost 1; returns a path as states and the numbers of their moves. `give_way` is called now
/// and then.
pub fn breadth_first(graph: &dyn Discovered<u32>, limits: &Limits, give_way: impl Fn()) -> Found<Vec<(u32, u32)>> {
    let stop = limits.stop();
    let mut reached = vec![Reached { from: 0, action: 0 }];
    let bytes = (size_of::<Reached>() + graph.facts().key_heap_bytes) as u64;
    // The next state to expand, the end of its layer, and the edges followed so far without those back.
    let (mut next, mut end, mut depth, mut generated) = (0, 1, 0, 0);
    let found = |verdict, expanded: usize, generated: u64, states: usize, depth: u32| {
        let (stored, memory) = (states as u64, states as u64 * bytes);
        let stats =
            Stats { expanded: expanded as u64, generated, stored, memory, depth: depth.into(), ..Stats::default() };
        Found { verdict, stats }
    };
    if graph.goals(&[0]) == [true] {
        return found(Verdict::Solved { path: Vec::new(), cost: 0.0, lower_bound: 0.0 }, 0, 0, 1, 0);
    }
    let (mut states, mut edges_before, mut way_given, mut checked) = (Vec::new(), Vec::new(), 0, 0);
    loop {
        if next >= way_given + GIVE_WAY_EVERY {
            way_given = next;
            give_way();
        }
        if next == end && reached.len() > end {
            (end, depth) = (reached.len(), depth + 1);
        }
        let is_memory_due = next >= checked + CHECK_EVERY;
        let mut limit = if is_memory_due { stop.now() } else { stop.check_cheap() };
        if is_memory_due {
            checked = next;
        }
        if limits.memory.is_some_and(|most| reached.len() as u64 * bytes > most) {
            limit = limit.or(Some(Limit::Memory));
        }
        if next < end && limits.nodes.is_some_and(|most| next as u64 >= most) {
            limit = limit.or(Some(Limit::Nodes));
        }
        if let Some(limit) = limit {
            let verdict = Verdict::Limit { limit, lower_bound: f64::from(depth) + 1.0, best: None };
            return found(verdict, next, generated, reached.len(), depth);
        }
        if next == end {
            return found(Verdict::Unsolvable, next, generated, reached.len(), depth);
        }
        // The search may end soon: so no more states are expanded in one call than before it.
        let most = graph.batch().min(next.max(1)).min(end - next);
        let most = limits.nodes.map_or(most, |nodes| most.min((nodes - next as u64) as usize));
        states.clear();
        states.extend(next as u32..(next + most) as u32);
        let first_new = reached.len();
        edges_before.clear();
        let before = generated;
        graph.expand(&states, &mut |place, (action, _, state)| {
            let from = states[place];
            if state != reached[from as usize].from {
                generated += 1;
                if state as usize == reached.len() {
                    reached.push(Reached { from, action });
                    edges_before.push(generated);
                }
            }
        });
        if limits.depth.is_some_and(|most| depth >= most) && reached.len() > first_new {
            let verdict = Verdict::Limit { limit: Limit::Depth, lower_bound: f64::from(depth) + 1.0, best: None };
            return found(verdict, next, before, first_new, depth);
        }
        states.clear();
        states.extend(first_new as u32..reached.len() as u32);
        let is_goal = |states: &[u32]| graph.goals(states).iter().position(|&is_goal| is_goal);
        let goal = states.chunks(graph.batch().max(GOALS)).find_map(|some| Some(some[0] + is_goal(some)? as u32));
        if let Some(goal) = goal {
            let path = path_to(goal, &reached);
            let (cost, parent) = (path.len() as f64, reached[goal as usize].from as usize);
            let generated = edges_before[goal as usize - first_new];
            let verdict = Verdict::Solved { path, cost, lower_bound: cost };
            return found(verdict, parent + 1, generated, reached.len(), depth + 1);
        }
        next += most;
    }
}

/// Returns the states and moves on the path to a state.
fn path_to(goal: u32, reached: &[Reached]) -> Vec<(u32, u32)> {
    let (mut at, mut path) = (goal, Vec::new());
    while at != 0 {
        let Reached { from, action } = reached[at as usize];
        path.push((from, action));
        at = from;
    }
    path.reverse();
    path
}
