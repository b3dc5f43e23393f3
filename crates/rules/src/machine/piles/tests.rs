//! Tests of bounds from piles: on whole spaces of small puzzles, no bound is above the distance to the nearest goal.

use super::super::Machine;
use super::super::space::MachineSpace;
use super::{Alike, PileBounds};
use crate::domain::BuildContext;
use crate::search::{Stop, laws};
use crate::tests::model;
use engine_search::space::{Cost, StateSpace, Symmetric};
use std::collections::hash_map::Entry;
use std::collections::{HashMap, HashSet};
use std::sync::Arc;

/// The most states of a space that is searched whole.
const MOST_STATES: usize = 12_000;

/// A generator of numbers that seem random.
struct Random(u64);

impl Random {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }

    fn shuffle<T>(&mut self, list: &mut [T]) {
        (1..list.len()).rev().for_each(|at| list.swap(at, self.below(at + 1)));
    }

    /// Deals items to some piles.
    fn deal(&mut self, mut items: Vec<String>, piles: usize) -> Vec<String> {
        self.shuffle(&mut items);
        let mut dealt = vec![Vec::new(); piles];
        items.into_iter().enumerate().for_each(|(at, item)| dealt[at % piles].push(item));
        dealt.iter().map(|pile| pile.join(" ")).collect()
    }
}

fn machine(source: &str) -> Arc<Machine> {
    let machine = Machine::new(Arc::new(model(source)), &BuildContext::default());
    Arc::new(machine.unwrap_or_else(|errors| panic!("{errors:?}")))
}

fn quoted(piles: &[String]) -> String {
    format!("[{}]", piles.iter().map(|pile| format!("\"{pile}\"")).collect::<Vec<_>>().join(", "))
}

const RANKS: [&str; 5] = ["A", "2", "3", "4", "5"];
const SUITS: [&str; 4] = ["S", "H", "C", "D"];
const MAPS: &str = "
[maps]
rank = { 'A?' = 1, '2?' = 2, '3?' = 3, '4?' = 4, '5?' = 5, '6?' = 6, '7?' = 7, '8?' = 8, '9?' = 9, 'T?' = 10, 'J?' = 11, \
        'Q?' = 12, 'K?' = 13 }
suit = { '?S' = 1, '?H' = 2, '?C' = 3, '?D' = 4 }
colour = { '?S' = 'black', '?C' = 'black', '?H' = 'red', '?D' = 'red' }
";

fn cards(suits: usize, ranks: usize) -> Vec<String> {
    SUITS[..suits].iter().flat_map(|suit| RANKS[..ranks].iter().map(move |rank| format!("{rank}{suit}"))).collect()
}

/// Deals all cards to eight columns, as the Freecell of Microsoft Windows does.
fn dealt(deal: u32) -> Vec<String> {
    let names = "A23456789TJQK".chars().flat_map(|rank| "CDHS".chars().map(move |suit| format!("{rank}{suit}")));
    let (mut deck, mut seed): (Vec<String>, u32) = (names.collect(), deal);
    let mut columns = vec![Vec::new(); 8];
    for place in 0..52 {
        seed = seed.wrapping_mul(214_013).wrapping_add(2_531_011) & 0x7FFF_FFFF;
        let at = (seed >> 16) as usize % deck.len();
        columns[place % 8].push(deck.swap_remove(at));
    }
    columns.iter().map(|column| column.join(" ")).collect()
}

/// Writes a small Freecell. `way` chooses how its rule and its goal for homes are written.
fn freecell(columns: &[String], suits: usize, ranks: usize, way: usize) -> String {
    let goal = match way {
        0 => format!("all(h in 1..{suits}: size(home[h]) == {ranks})"),
        1 => format!("sum(h in 1..{suits}: size(home[h])) == {}", suits * ranks),
        2 => format!("all(c in 1..{}: size(column[c]) == 0) && size(free) == 0", columns.len()),
        _ => format!("all(h in 1..{suits}: size(home[h]) > 0 && rank(top(home[h])) == {ranks})"),
    };
    let home = match way {
        0 | 2 => "suit(top(x)) == h && rank(top(x)) == size(home[h]) + 1",
        _ => {
            "size(home[h]) == 0 ? rank(top(x)) == 1 : suit(top(x)) == suit(top(home[h])) && \
             rank(top(x)) == rank(top(home[h])) + 1"
        }
    };
    format!(
        "start = {{ column = {}, free = '', home = '' }}\ngoal = \"{goal}\"\n[piles]\n\"column[1..{}]\" = {{}}\n\
         free = {{ most = 1 }}\n\"home[1..{suits}]\" = {{}}\n{MAPS}\n\
         [[rules]]\nname = \"{{x}} to {{y}}\"\nfor = {{ x = [\"column\", \"free\"], y = [\"column\"] }}\n\
         when = \"size(y) == 0 || rank(top(x)) + 1 == rank(top(y)) && colour(top(x)) != colour(top(y))\"\n\
         carry = {{ from = \"x\", to = \"y\" }}\n\
         [[rules]]\nname = \"{{x}} free\"\nfor = {{ x = [\"column\"] }}\ncarry = {{ from = \"x\", to = \"free\" }}\n\
         [[rules]]\nname = \"{{x}} home {{h}}\"\nfor = {{ x = [\"column\", \"free\"], h = \"1..{suits}\" }}\n\
         when = \"{home}\"\ncarry = {{ from = \"x\", to = \"home[h]\" }}\n",
        quoted(columns),
        columns.len(),
    )
}

fn water(tubes: &[String], most: usize, goal: &str, cost: &str) -> String {
    let count = tubes.len();
    format!(
        "start = {{ tube = {} }}\ngoal = \"all(t in 1..{count}: {goal})\"\n[piles]\n\"tube[1..{count}]\" = {{ most = {most} }}\n\
         [[rules]]\nname = \"{{x}} into {{y}}\"\nfor = {{ x = [\"tube\"], y = [\"tube\"] }}\n\
         when = \"size(y) == 0 || top(x) == top(y)\"\ncost = \"{cost}\"\n\
         carry = {{ from = \"x\", to = \"y\", count = \"min(same(x), {most} - size(y))\" }}\n",
        quoted(tubes),
    )
}

/// Checks the bounds, and the classes of piles that are alike, on all states of a puzzle. Returns the bound for the
/// start, and its distance, if the puzzle has not too many states and a solution.
fn check(source: &str) -> Option<(u32, u32)> {
    let machine = machine(source);
    let (bounds, alike) = (PileBounds::new(&machine).map(Arc::new), Arc::new(Alike::new(&machine)));
    let space = MachineSpace::new(Arc::clone(&machine), false, Stop::default()).with_piles(None, Arc::clone(&alike));
    let mut numbers = HashMap::from([(space.start(), 0usize)]);
    let mut keys = vec![space.start()];
    let mut edges = Vec::new();
    let mut at = 0;
    while at < keys.len() {
        let key = keys[at].clone();
        space.expand(&key, |_, cost, child| {
            let number = match numbers.entry(child.clone()) {
                Entry::Occupied(known) => *known.get(),
                Entry::Vacant(new) => {
                    keys.push(child);
                    *new.insert(keys.len() - 1)
                }
            };
            edges.push((at, number, cost));
        });
        if keys.len() > MOST_STATES {
            return None;
        }
        at += 1;
    }
    let mut distances: Vec<u32> = keys.iter().map(|key| if space.is_goal(key) { 0 } else { u32::INFINITY }).collect();
    loop {
        let mut has_changed = false;
        for &(from, to, cost) in edges.iter().rev() {
            let path = distances[to].saturating_add(cost).min(u32::INFINITY);
            has_changed |= path < distances[from];
            distances[from] = distances[from].min(path);
        }
        if !has_changed {
            break;
        }
    }
    let mut state = machine.start.clone();
    for (key, distance) in keys.iter().zip(&distances) {
        machine.packing.unpack(key, &mut state);
        let bound = bounds.as_ref().map_or(0, |bounds| bounds.of(&state.piles));
        assert!(bound <= *distance, "{bound} > {distance} at {:?}\n{source}", state.piles);
        state.piles = alike.sorted(&state.piles).into_iter().cloned().collect();
        // The sorted state may be out of reach; where it is not, it is as far from a goal.
        if let Some(number) = numbers.get(&super::super::space::key_of(&machine, &state)) {
            assert_eq!(distances[*number], *distance, "{:?}\n{source}", state.piles);
        }
    }
    let guided = MachineSpace::new(Arc::clone(&machine), true, Stop::default());
    laws::rounds_agree(&guided.with_piles(bounds.clone(), Arc::clone(&alike)), 24, 4);
    // Hints rule out no legal move.
    for key in keys.iter().take(500) {
        machine.packing.unpack(key, &mut state);
        let mut found = Vec::new();
        space.expand(key, |action, _, _| found.push(action));
        let legal: Vec<u32> = machine.legal_moves(&state).into_iter().map(|(action, _)| action).collect();
        assert_eq!(found, legal, "{source}");
    }
    // Moves that are left out have twins.
    for key in keys.iter().take(500).map(|key| space.canonical(key.clone())) {
        let (mut all, mut some) = (HashSet::new(), HashSet::new());
        space.expand(&key, |_, cost, child| _ = all.insert((cost, space.canonical(child))));
        space.expand_canonical(&key, |cost, child| _ = some.insert((cost, child)));
        assert_eq!(all, some, "{source}");
    }
    let bound = bounds.as_ref().map_or(0, |bounds| bounds.of(&machine.start.piles));
    (distances[0] < u32::INFINITY).then_some((bound, distances[0]))
}

#[test]
fn bounds_of_small_games_of_freecell_are_admissible() {
    let mut random = Random(1);
    let mut solved = 0;
    for round in 0..12 {
        let (suits, ranks, columns) = [(2, 4, 3), (4, 2, 4), (3, 3, 3), (2, 5, 4)][round % 4];
        let columns = random.deal(cards(suits, ranks), columns);
        for way in 0..4 {
            let Some((bound, distance)) = check(&freecell(&columns, suits, ranks, way)) else { continue };
            // Each way of writing the game has the same bound, and each card needs a move.
            let first = check(&freecell(&columns, suits, ranks, 0));
            assert_eq!((Some((bound, distance)), bound as usize >= suits * ranks), (first, true));
            solved += 1;
        }
    }
    assert!(solved > 8, "{solved}");
}

/// The bounds are those of a program of its own, which knows no rules but these.
#[test]
fn bounds_of_whole_games_of_freecell_are_strong() {
    for (deal, bound) in [(1, 74), (2, 68), (3, 70), (4, 73), (5, 78)] {
        let game = freecell(&dealt(deal), 4, 13, 0);
        let bounds = PileBounds::new(&machine(&game));
        let start = model(&game).start_piles;
        assert_eq!(bounds.map(|bounds| bounds.of(&start)), Some(bound), "deal {deal}");
    }
}

#[test]
fn bounds_of_small_games_of_water_sort_are_admissible() {
    let mut random = Random(2);
    let (mut bounds, mut distances) = (0, 0);
    for round in 0..16 {
        let (colours, most, empty) = [(3, 3, 1), (3, 4, 2), (4, 3, 2), (2, 4, 1)][round % 4];
        let items = (0..colours * most).map(|item| ["r", "g", "b", "y"][item % colours].to_owned()).collect();
        let mut tubes = random.deal(items, colours);
        tubes.resize(colours + empty, String::new());
        let goals = [
            "same(tube[t]) == size(tube[t])",
            &format!("same(tube[t]) == size(tube[t]) && size(tube[t]) in [0, {most}]"),
        ];
        for (goal, cost) in [(goals[0], "1"), (goals[1], "1"), (goals[1], "2 + size(x)")] {
            let Some((bound, distance)) = check(&water(&tubes, most, goal, cost)) else { continue };
            (bounds, distances) = (bounds + bound, distances + distance);
        }
    }
    assert!(bounds * 2 > distances, "{bounds} of {distances}");
}

#[test]
fn bounds_of_small_shunting_puzzles_are_admissible() {
    let mut random = Random(3);
    let mut total = 0;
    for round in 0..12 {
        let wagons = (1..=5).map(|wagon| wagon.to_string()).collect();
        let sidings = random.deal(wagons, 3);
        let turned = round % 2 == 0;
        let source = format!(
            "start = {{ siding = {}, shunt = '' }}\ngoal = {{ 'siding[1]' = '1 2 3' }}\n[piles]\n\
             \"siding[1..3]\" = {{ most = [3, 3, 2] }}\nshunt = {{ most = 2 }}\n\
             [[rules]]\nname = \"pull {{k}} from {{s}}\"\nfor = {{ s = \"1..3\", k = \"1..2\" }}\n\
             carry = {{ from = \"siding[s]\", to = \"shunt\", count = \"k\", turned = {turned} }}\n\
             [[rules]]\nname = \"push {{k}} into {{s}}\"\nfor = {{ s = \"1..3\", k = \"1..2\" }}\n\
             carry = {{ from = \"shunt\", to = \"siding[s]\", count = \"k\", turned = {turned} }}\n",
            quoted(&sidings)
        );
        total += check(&source).map_or(0, |(bound, _)| bound);
    }
    assert!(total > 12, "{total}");
}

#[test]
fn bounds_of_small_games_of_klondike_are_admissible() {
    let mut random = Random(4);
    let mut solved = 0;
    for round in 0..12 {
        let (suits, ranks) = [(2, 4), (3, 3)][round % 2];
        let mut deck = cards(suits, ranks);
        random.shuffle(&mut deck);
        let stock = deck.split_off(4);
        let source = format!(
            "start = {{ down = ['', '{}'], up = ['{}', '{}'], stock = '{} {}', waste = '', home = '' }}\n\
             goal = \"all(h in 1..{suits}: size(home[h]) == {ranks})\"\n[piles]\n\"down[1..2]\" = {{}}\n\
             \"up[1..2]\" = {{}}\nstock = {{}}\nwaste = {{}}\n\"home[1..{suits}]\" = {{}}\n{MAPS}\n\
             [[rules]]\nname = \"draw\"\ncarry = {{ from = \"stock\", to = \"waste\" }}\n\
             [[rules]]\nname = \"redeal\"\nwhen = \"size(stock) == 0\"\n\
             carry = {{ from = \"waste\", to = \"stock\", count = \"size(waste)\", turned = true }}\n\
             [[rules]]\nname = \"waste to {{y}}\"\nfor = {{ y = \"1..2\" }}\n\
             when = \"size(up[y]) == 0 ? rank(top(waste)) == {ranks} : rank(top(waste)) + 1 == rank(top(up[y])) && \
             colour(top(waste)) != colour(top(up[y]))\"\ncarry = {{ from = \"waste\", to = \"up[y]\" }}\n\
             [[rules]]\nname = \"{{k}} from {{x}} to {{y}}\"\nfor = {{ x = \"1..2\", y = \"1..2\", k = \"1..4\" }}\n\
             when = \"x != y && (size(up[y]) == 0 ? rank(top(up[x], k)) == {ranks} : rank(top(up[x], k)) + 1 == \
             rank(top(up[y])) && colour(top(up[x], k)) != colour(top(up[y])))\"\n\
             carry = {{ from = \"up[x]\", to = \"up[y]\", count = \"k\" }}\n\
             [[rules]]\nname = \"{{x}} home\"\nfor = {{ x = [\"up\", \"waste\"], h = \"1..{suits}\" }}\n\
             when = \"suit(top(x)) == h && rank(top(x)) == size(home[h]) + 1\"\n\
             carry = {{ from = \"x\", to = \"home[h]\" }}\n\
             [[after]]\nfor = {{ x = \"1..2\" }}\nwhen = \"size(up[x]) == 0\"\n\
             carry = {{ from = \"down[x]\", to = \"up[x]\" }}\n",
            deck[0],
            deck[1],
            deck[2],
            deck[3],
            stock.join(" "),
        );
        if let Some((bound, _)) = check(&source) {
            // Each card needs a move, and those of the stock need two.
            assert!(bound as usize >= suits * ranks + stock.len(), "{bound}\n{source}");
            solved += 1;
        }
    }
    assert!(solved > 3, "{solved}");
}

#[test]
fn piles_that_a_name_of_their_own_distinguishes_are_not_alike() {
    let columns = ["AS 2H".to_owned(), "2S AH".to_owned(), String::new()];
    let classes = |source: &str| Alike::new(&machine(source)).classes;
    let game = freecell(&columns, 2, 2, 0);
    assert_eq!(classes(&game), [[0, 1, 2]]);
    // Homes without suits are alike, too.
    assert_eq!(classes(&freecell(&columns, 2, 2, 1)), [vec![0, 1, 2], vec![4, 5]]);
    // A rule about one column, and a column with room for few.
    let rule =
        "[[rules]]\nname = \"back\"\nwhen = \"size(column[2]) == 0\"\ncarry = { from = \"free\", to = \"home[1]\" }\n";
    assert_eq!(classes(&(game.clone() + rule)), [[0, 2]]);
    let most = game.replace("\"column[1..3]\" = {}", "\"column[1..3]\" = { most = [5, 5, 2] }");
    assert_eq!(classes(&most), [[0, 1]]);
    let tubes = ["r g".to_owned(), "g r".to_owned(), String::new()];
    let goal = "same(tube[t]) == size(tube[t])";
    assert_eq!(classes(&water(&tubes, 2, goal, "1")), [[0, 1, 2]]);
    assert_eq!(classes(&water(&tubes, 2, &format!("{goal} && size(tube[2]) == 0"), "1")), [[0, 2]]);
}
