//! Tests written rules that have consequences, apply everywhere, shift bodies or carry items: their answers, which moves
//! are legal, and which positions there are.

use crate::support::outside::outside;
use crate::support::{files_below, root};
use engine::puzzle::{Notation, Style};
use engine::search::{Algorithm, Limits};
use engine::{Options, Outcome, Puzzle};
use std::collections::HashSet;
use std::fs;

fn puzzle(text: &str) -> Puzzle {
    Puzzle::parse(text, "puzzle").unwrap_or_else(|report| panic!("{report}\n{text}"))
}

/// Returns the names of the legal moves at the start.
fn moves(text: &str) -> Vec<String> {
    puzzle(text).space("zero").expect("every domain has the heuristic `zero`").legal_moves(Notation::STANDARD)
}

/// Returns the drawing after some moves.
fn after(text: &str, moves: &[&str]) -> String {
    let mut at = puzzle(text).space("zero").expect("every domain has the heuristic `zero`");
    for written in moves {
        at = at.after(written, &[Notation::STANDARD]).unwrap_or_else(|| panic!("{written} is not legal\n{text}"));
    }
    at.draw(Style::Drawn)
}

/// Returns a puzzle on a grid with these rules, whose goal does not matter.
fn on_grid(start: &str, rules: &str) -> String {
    format!(
        "title = 't'\ndomain = 'rules'\nstart = '''\n{start}\n'''\ngoal = {{ count = {{ z = 1 }} }}\n[sets]\nN = 'abz'\n{rules}"
    )
}

const STEP: &str = "[[rules]]\nname = '{N} {direction}'\nfrom = 'N.'\nto = '.N'\nmirror = true\n";
const FALL: &str = "[[after]]\nfrom = \"N\\n.\"\nto = \".\\nN\"\n";

/// Published optima, each from an independent search of the game itself.
#[test]
fn puzzles_outside_the_project_have_their_optima() {
    let Some(folder) = outside("rules-next") else { return };
    for file in files_below(&folder, "toml") {
        let text = fs::read_to_string(folder.join(&file)).unwrap();
        let optimum = text.lines().next().and_then(|line| line.split(": ").nth(1)).expect("the first line has it");
        let digits: String = optimum.chars().take_while(char::is_ascii_digit).collect();
        let solution = puzzle(&text).solve(&Options::default()).unwrap();
        let found = (solution.outcome(), solution.cost(), solution.is_optimal());
        assert_eq!(found, (Outcome::Solved, digits.parse().ok(), true), "{}", file.display());
    }
}

#[test]
fn a_block_falls_until_it_rests() {
    let text = on_grid("a..\n##.\n##.", &[STEP, FALL].concat());
    assert_eq!(after(&text, &["a right", "a right"]), "...\n##.\n##a\n");
}

/// Positions between the move and rest are no states.
#[test]
fn only_positions_at_rest_are_counted() {
    let text = on_grid("a...\n###.\n###.\n###.", &[STEP, FALL].concat());
    assert_eq!(puzzle(&text).explore(&Limits::default()).found.states(), 4);
}

#[test]
fn a_start_at_which_a_consequence_applies_is_an_error_with_the_position_at_rest() {
    let error = Puzzle::parse(&on_grid("a.\n..\n..", &[STEP, FALL].concat()), "puzzle").err().expect("an error");
    let text = error.to_string();
    assert!(
        text.contains("a consequence applies at the start") && text.contains("..\n          ..\n          a."),
        "{text}"
    );
}

/// The two symbols exchange their places for ever.
#[test]
fn a_move_whose_consequences_never_end_is_not_legal() {
    let endless =
        "[[after]]\nfrom = '.ab'\nto = '.ba'\nmirror = true\n[[after]]\nfrom = '.ba'\nto = '.ab'\nmirror = true\n";
    let text = on_grid("b.a", &[STEP, endless].concat());
    assert_eq!(moves(&text), Vec::<String>::new(), "b right and a left begin endless chains");
}

/// Matches that overlap with an earlier one, and would give a cell another symbol, are left out.
#[test]
fn a_pass_leaves_out_what_contradicts_an_earlier_match() {
    let merge = "[[rules]]\nname = '{direction}'\nfrom = 'aa'\nto = '.b'\nturns = true\nall = true\n";
    let text = on_grid("aaa", merge);
    assert_eq!(after(&text, &["right"]), "a.b\n", "the foremost pair merges first");
    assert_eq!(after(&text, &["left"]), "b.a\n");
    assert_eq!(moves(&text), ["right", "left"], "up and down change nothing");
}

#[test]
fn a_shift_pushes_whole_bodies_and_stops_at_walls() {
    let shift = "[[rules]]\nname = '{direction}'\nshift = 'z'\npush = 'a'\ninto = '.'\nturns = true\n";
    let text = format!("bodies = ['a']\n{}", on_grid("za...\n.a.#.\n.....", shift));
    let text = text.replacen("bodies = ['a']\n", "", 1).replacen("goal =", "bodies = ['a']\ngoal =", 1);
    assert_eq!(after(&text, &["right"]), ".za..\n..a#.\n.....\n");
    assert_eq!(
        puzzle(&text).space("zero").map(|space| space.legal_moves(Notation::STANDARD)).ok(),
        Some(vec!["right".to_owned(), "down".to_owned()])
    );
    let at = puzzle(&text).space("zero").expect("the heuristic").after("right", &[Notation::STANDARD]).expect("legal");
    assert!(!at.legal_moves(Notation::STANDARD).contains(&"right".to_owned()), "the body would run into the wall");
}

#[test]
fn items_are_carried_in_their_order_or_turned() {
    let text = "title = 't'\ndomain = 'rules'\nstart = { p = ['a b c', ''] }\ngoal = { 'p[2]' = 'c b a' }\n\
                [piles]\n'p[1..2]' = { most = 3 }\n\
                [[rules]]\nname = 'carry'\ncarry = { from = 'p[1]', to = 'p[2]', count = '2' }\n\
                [[rules]]\nname = 'turn'\ncarry = { from = 'p[1]', to = 'p[2]', count = '3', turned = true }\n";
    assert_eq!(after(text, &["carry"]), "p[1] a\np[2] b c\n");
    assert_eq!(after(text, &["turn"]), "p[1]\np[2] c b a\n");
    let solution = puzzle(text).solve(&Options { algorithm: Some(Algorithm::AStar), ..Options::default() }).unwrap();
    assert_eq!(solution.moves(), ["turn"]);
}

/// Puzzles of each kind, small enough for all of their positions.
fn kinds() -> Vec<String> {
    let slide = "[[rules]]\nname = '{direction}'\nfrom = 'N.'\nto = '.N'\nturns = true\nall = true\nrepeat = true\n";
    let vanish = "[[after]]\nfrom = 'NN'\nto = '..'\nturns = true\nall = true\n";
    let shift = "[[rules]]\nname = '{direction}'\nshift = 'z'\npush = 'ab'\ninto = '.'\nturns = true\n";
    let fall = "[[after]]\nshift = 'ab'\ninto = '.'\ndirection = 'down'\nall = true\n";
    let ice = "[[rules]]\nname = '{N} {direction}'\nfrom = 'N.'\nto = '.N'\nturns = true\nrepeat = true\ncost = 3\n\
               [[after]]\nfrom = 'bb'\nto = '..'\n";
    let flood = "title = 't'\ndomain = 'rules'\nstart = '''\nZZyz\nyZyy\nzyzz\n'''\ngoal = { count = { L = 0 } }\n\
                 [sets]\nU = 'ZY'\nL = 'zy'\n[maps]\nm = { z = 'Z', y = 'Y' }\n\
                 [[rules]]\nname = '{k}'\nfor = { k = ['Z', 'Y'] }\nfrom = 'U'\nto = 'k'\nall = true\n\
                 [[after]]\nfrom = 'UL'\nto = '?m'\nturns = true\nwhen = 'm(L) == U'\n";
    let with_goal = |text: String, goal: &str| text.replace("goal = { count = { z = 1 } }", goal);
    vec![
        with_goal(
            on_grid("#a...#\n##.b.#\n##.#.#\n##a#b#", &[STEP, FALL, vanish].concat()),
            "goal = { count = { N = 0 } }",
        ),
        with_goal(on_grid("a..#\n...b\n.#..", slide), "goal = '''\n????\n????\n?#ab\n'''"),
        with_goal(on_grid("....\n.za.\n..a.\n....", shift), "bodies = ['a']\ngoal = '''\n????\n????\n?a??\n?a??\n'''"),
        with_goal(
            on_grid("za..\n##..\n##..\n##b.", &[shift, fall].concat()),
            "goal = '''\n????\n????\n??a?\n??b?\n'''",
        ),
        with_goal(on_grid("a..\n..#\n...", ice), "goal = '''\n???\n???\n??a\n'''"),
        flood.to_owned(),
    ]
}

/// The bound never exceeds the cost of a move and the bound after it, and is 0 at goals: so it never exceeds the distance.
#[test]
fn the_relaxed_bound_is_consistent_in_all_positions() {
    for text in kinds() {
        let puzzle = puzzle(&text);
        let start = puzzle.space("relaxed").unwrap_or_else(|why| panic!("{why}\n{text}"));
        assert!(start.h() > 0.0, "it finds nothing out of\n{text}");
        let mut known = HashSet::from([start.state_bytes()]);
        let (mut open, mut goals) = (vec![start], 0);
        while let Some(at) = open.pop() {
            let (before, drawn) = (at.h(), at.draw(Style::Drawn));
            goals += usize::from(at.is_goal());
            assert!(!at.is_goal() || before == 0.0, "h is {before} at a goal\n{drawn}{text}");
            for (written, cost, after) in at.successors() {
                assert!(before <= cost + after.h(), "{written}: {before} to {} of\n{drawn}{text}", after.h());
                if known.insert(after.state_bytes()) {
                    open.push(after);
                }
            }
        }
        assert!(goals > 0, "no goal is reached\n{text}");
    }
}

/// Both languages have the same positions that lead nowhere, and the same distance.
#[test]
fn a_game_in_which_crates_fall_is_the_same_in_puzzlescript() {
    let found = ["crates-that-fall.toml", "crates-that-fall-puzzlescript.toml"].map(|name| {
        let puzzle = puzzle(&fs::read_to_string(root().join("benches/puzzles").join(name)).expect("it is there"));
        let dead_ends = puzzle.explore(&Limits::default()).found.dead_ends;
        (puzzle.solve(&Options::default()).unwrap().cost(), dead_ends)
    });
    assert_eq!(found[0], found[1]);
    assert_eq!(found[0].0, Some(39.0));
}

/// Returns a deal of Freecell with 52 cards, as the Freecell of Microsoft Windows deals it.
fn freecell(deal: u32) -> String {
    let ranks = "A23456789TJQK";
    let names = ranks.chars().flat_map(|rank| "CDHS".chars().map(move |suit| format!("{rank}{suit}")));
    let (mut deck, mut seed): (Vec<String>, u32) = (names.collect(), deal);
    let mut columns = vec![Vec::new(); 8];
    for place in 0..52 {
        seed = seed.wrapping_mul(214_013).wrapping_add(2_531_011) & 0x7FFF_FFFF;
        let at = (seed >> 16) as usize % deck.len();
        columns[place % 8].push(deck.swap_remove(at));
    }
    let columns: Vec<String> = columns.iter().map(|column| format!("'{}'", column.join(" "))).collect();
    let ranks: Vec<String> = (1..).zip(ranks.chars()).map(|(number, rank)| format!("'{rank}?' = {number}")).collect();
    format!(
        "title = 't'\ndomain = 'rules'\nstart = {{ column = [{}], free = '', home = '' }}\n\
         goal = 'all(h in 1..4: size(home[h]) == 13)'\n[piles]\n'column[1..8]' = {{}}\n'free[1..4]' = {{ most = 1 }}\n\
         'home[1..4]' = {{}}\n[maps]\nrank = {{ {} }}\nsuit = {{ '?C' = 1, '?D' = 2, '?H' = 3, '?S' = 4 }}\n\
         colour = {{ '?C' = 1, '?D' = 2, '?H' = 2, '?S' = 1 }}\n\
         [[rules]]\nname = '{{x}} home'\nfor = {{ x = ['column', 'free'], h = '1..4' }}\n\
         when = 'suit(top(x)) == h && rank(top(x)) == size(home[h]) + 1'\ncarry = {{ from = 'x', to = 'home[h]' }}\n\
         [[rules]]\nname = '{{x}} to {{y}}'\nfor = {{ x = ['column', 'free'], y = ['column'] }}\n\
         when = 'size(y) == 0 || rank(top(x)) + 1 == rank(top(y)) && colour(top(x)) != colour(top(y))'\n\
         carry = {{ from = 'x', to = 'y' }}\n\
         [[rules]]\nname = '{{x}} to {{y}}'\nfor = {{ x = ['column'], y = ['free'] }}\n\
         carry = {{ from = 'x', to = 'y' }}\n",
        columns.join(", "),
        ranks.join(", "),
    )
}

/// The optimum is that of a program of its own, which plays Freecell only.
#[test]
fn whole_games_of_freecell_are_solved_and_proven() {
    let solution = puzzle(&freecell(7)).solve(&Options::default()).unwrap();
    assert_eq!((solution.cost(), solution.is_optimal()), (Some(76.0), true));
    for deal in 1..4 {
        let limits = Limits { nodes: Some(100_000), ..Limits::default() };
        let options = Options { algorithm: Some(Algorithm::BestFirstWidth), limits, ..Options::default() };
        assert_eq!(puzzle(&freecell(deal)).solve(&options).unwrap().outcome(), Outcome::Solved, "deal {deal}");
    }
}

#[test]
fn water_is_sorted_in_the_fewest_pours() {
    let tubes =
        ["d h c g", "i g f e", "b a i h", "e j f g", "c e b d", "a j i c", "d b e f", "c j b a", "g i h f", "j h a d"];
    let written: Vec<String> = tubes.iter().map(|tube| format!("'{tube}'")).collect();
    let text = format!(
        "title = 't'\ndomain = 'rules'\nstart = {{ tube = [{}, '', ''] }}\n\
         goal = 'all(t in 1..12: same(tube[t]) == size(tube[t]) && size(tube[t]) in [0, 4])'\n\
         [piles]\n'tube[1..12]' = {{ most = 4 }}\n\
         [[rules]]\nname = '{{x}} into {{y}}'\nfor = {{ x = ['tube'], y = ['tube'] }}\n\
         when = 'size(y) == 0 || top(x) == top(y)'\n\
         carry = {{ from = 'x', to = 'y', count = 'min(same(x), 4 - size(y))' }}\n",
        written.join(", "),
    );
    // Some colour is at no bottom at first, and each pour joins two runs at most.
    let limits = Limits { nodes: Some(200_000), ..Limits::default() };
    let solution = puzzle(&text).solve(&Options { limits, ..Options::default() }).unwrap();
    let (runs, colours) = (40.0, 10.0);
    assert!(
        solution.is_optimal() && solution.cost().is_some_and(|cost| cost >= runs - colours),
        "{:?}",
        solution.cost()
    );
}
