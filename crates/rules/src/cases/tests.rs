//! Cases of random conditions, compared with the conditions evaluated in every state of a small world.

use super::*;
use crate::domain::BuildContext;
use crate::domain::SplitMix64;
use crate::ground::ranges;
use crate::task::{Task, Value};
use crate::tests::{model, try_model};

/// A grid with a wall that never changes, variables of every type of value, and one, `x`, that no rule changes.
const WORLD: &str = "start = { drawing = '''\na.\n#1\n''', n = 1, lamp = true, d = [0, 1], x = 'left' }\ngoal = { n = 0 }\n\
    marks = '''\n.g\n..\n'''\n[variables]\nn = '0..2'\nlamp = [true, false]\n'd[1..2]' = '0..1'\nx = ['left', 'right']\n\
    [maps]\nmm = { 0 = 'yes', 2 = 'no' }\ntt = { 0 = true, 1 = 5 }\n\
    [[rules]]\nname = 'walk'\nfrom = 'a.'\nto = '.a'\nturns = true\n[[rules]]\nname = 'take'\nfrom = '1'\nto = 'a'\n\
    [[rules]]\nname = 'set {i}'\nfor = { i = '1..2' }\n\
    then = { n = '(n + 1) % 3', lamp = '!lamp', 'd[i]' = '1 - d[i]' }\n";

fn pick<'a>(random: &mut SplitMix64, of: &[&'a str]) -> &'a str {
    of[random.below(of.len() as u64) as usize]
}

/// Returns a random condition that may use the names `i0` up to but not including `i{names}`.
fn condition(random: &mut SplitMix64, depth: u32, names: u32) -> String {
    if depth > 0 && random.below(5) > 0 {
        let inner = |random: &mut SplitMix64| condition(random, depth - 1, names);
        return match random.below(8) {
            0 | 1 => format!("({} && {})", inner(random), inner(random)),
            2 | 3 => format!("({} || {})", inner(random), inner(random)),
            4 => format!("!{}", inner(random)),
            5 => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
            _ => {
                let over = pick(random, &["0..1", "0..2", "-1..1", "[2, 0]", "1..0", "0..n", "[1, 3 / n]"]);
                let body = condition(random, depth - 1, names + 1);
                format!("{}(i{names} in {over}: {body})", pick(random, &["all", "any"]))
            }
        };
    }
    let name = if names == 0 { "1".to_owned() } else { format!("i{}", random.below(names.into())) };
    let index = |random: &mut SplitMix64| {
        pick(random, &["0", "1", "0", "1", "0", "1", "n", "i", "i", "i + 1", "2", "1 - d[1]"]).replace('i', &name)
    };
    let cell = |random: &mut SplitMix64| format!("cell[{}, {}]", index(random), index(random));
    match random.below(8) {
        0..=2 => format!("{} {} '{}'", cell(random), pick(random, &["==", "!="]), pick(random, &[".", "a", "1", "#"])),
        3 => format!("{} == {}", cell(random), cell(random)),
        4 => format!("n {} {name}", pick(random, &["==", "!=", "<", ">="])),
        _ => pick(
            random,
            &[
                "lamp",
                "lamp == true",
                "x == left",
                "mm(n) == yes",
                "tt(n)",
                "tt(d[1])",
                "3 / (1 - n) > 0",
                "d[n] == 0",
                "d[1] != d[2]",
                "count('a') > 1",
                "count('1') == count('a') - @",
                "count(j in 1..2: d[j] == 0) > n",
                "cell[1, 1] + 1 == 2",
                "n in [0, 3 % n]",
                "sum(j in 0..1: n) > d[1]",
                "@ < 1",
                "mark[0, @] == g",
                "abs(n - 2) <= min(n, 1)",
            ],
        )
        .replace('@', &name),
    }
}

/// Returns all states in which each variable has a value of its range.
fn states(model: &Model) -> Vec<Vec<Value>> {
    let mut all = vec![Vec::new()];
    for var in 0..model.world.values.len() {
        let longer =
            |state: &Vec<Value>| model.range(var).iter().map(|value| [&state[..], &[value]].concat()).collect();
        all = all.iter().flat_map(|state| -> Vec<Vec<Value>> { longer(state) }).collect();
    }
    all
}

fn holds(case: &Case, counters: &Counters, state: &[Value]) -> bool {
    let all = |conditions: &Vec<Condition>| conditions.iter().all(|(var, values)| values.contains(state[*var]));
    let mut counts = case.counts.iter();
    counts.all(|(&counter, &(least, most))| (least..=most).contains(&counters.number(counter, state)))
        && case.conditions.iter().all(|(var, values)| values.contains(state[*var]))
        && case.disjunctions.iter().all(|any| any.iter().any(all))
}

#[test]
fn cases_hold_exactly_where_their_conditions_do() {
    let mut random = SplitMix64::new(1);
    let (mut read, mut partly, mut split, mut guarded, mut kept, mut distributions) = (0, 0, 0, 0, 0, 0);
    for seed in 0..800 {
        let text = condition(&mut random, 1 + seed % 4, 0);
        let Ok(mut model) = try_model(&format!("never = \"{text}\"\n{WORLD}")) else { continue };
        read += 1;
        // Every eighth seed does without ranges, since all values of all variables make many states.
        if seed % 8 > 0 {
            model.ranges = ranges::ranges(&model, &BuildContext::default());
        }
        let expr = &model.never[0].expr;
        let counters = Counters::new(&model);
        let truths: Vec<(Vec<Value>, Option<bool>)> = states(&model)
            .into_iter()
            .map(|state| {
                let truth = model.evaluator(&|var| Some(state[var]), u64::MAX).truth(expr, &mut Vec::new()).ok();
                (state, truth)
            })
            .collect();
        let undefined = truths.iter().filter(|(_, truth)| truth.is_none()).count();
        partly += usize::from((1..truths.len()).contains(&undefined));
        let mut work = u64::MAX;
        for truth in [true, false] {
            let signed = SignedExpr { expr, parameters: Vec::new(), truth };
            let mut cases = CaseSplitter {
                scope: Scope { model: &model, counters: &counters, context: &BuildContext::default() },
                work: &mut work,
                most: usize::MAX,
                by: SplitBy::Values,
            };
            if cases.is_defined(&signed, &Case::default()).expect("enough work is left") {
                assert_eq!(undefined, 0, "{text}");
            }
            let union = cases.union(signed.clone(), &Case::default()).expect("few cases");
            let distributed = cases.distributed(&signed, &Case::default(), 1).expect("enough work is left");
            distributions += usize::from(distributed.as_ref().is_some_and(|all| all.len() > 1));
            let distributed = distributed.map(|disjunctions| Case { disjunctions, ..Case::default() });
            let mut when = Vec::new();
            split_conjunction(&model, signed.clone(), &mut work, &mut when).expect("enough work is left");
            let ground_rule = GroundRule { when, ..GroundRule::default() };
            let mut of = |by| {
                let mut cases = CaseSplitter {
                    scope: Scope { model: &model, counters: &counters, context: &BuildContext::default() },
                    work: &mut work,
                    most: usize::MAX,
                    by,
                };
                let of = cases.exclusive(&ground_rule, Case::default()).expect("few cases");
                let possible: Vec<bool> =
                    of.iter().map(|case| cases.is_satisfiable(case).expect("enough work is left")).collect();
                (of, possible)
            };
            let ((exclusive, _), (alternatives, possible)) = (of(SplitBy::Values), of(SplitBy::Alternatives));
            for (state, known) in &truths {
                let wanted = usize::from(*known == Some(truth));
                let number = |cases: &[Case]| cases.iter().filter(|case| holds(case, &counters, state)).count();
                let at = || format!("{truth} at {state:?}: {text}");
                assert_eq!(number(&union).min(1), wanted, "union, {}", at());
                let distributed =
                    distributed.as_ref().map_or(wanted, |case| usize::from(holds(case, &counters, state)));
                assert_eq!(distributed, wanted, "distributed, {}", at());
                assert_eq!(number(&exclusive), wanted, "exclusive, {}", at());
                assert_eq!(number(&alternatives), wanted, "alternatives, {}", at());
            }
            for (case, possible) in alternatives.iter().zip(possible) {
                assert_eq!(truths.iter().any(|(state, _)| holds(case, &counters, state)), possible, "{case:?}: {text}");
            }
            split += usize::from(union.len() < exclusive.len());
            guarded += usize::from(union.len() > 1 && (1..truths.len()).contains(&undefined));
            kept += usize::from(alternatives.iter().any(|case| !case.disjunctions.is_empty()));
        }
    }
    let counts = [read, partly, split, guarded, kept, distributions];
    assert!(read > 500 && counts[1..].iter().all(|&count| count > 25), "{counts:?}: too few for a meaningful test");
}

fn line(cells: usize, keys: &str) -> String {
    format!("start = '{}ab{}'\ngoal = '{}ba'\n{keys}\n", ".".repeat(cells - 4), "..", "?".repeat(cells - 2))
}

fn task(source: &str) -> Task {
    crate::ground::compile(model(source), &BuildContext::default()).unwrap_or_else(|errors| panic!("{errors:?}")).task
}

#[test]
fn cases_of_a_disjunction_over_many_pairs_add_up() {
    let walk = "[[rules]]\nname = 'walk'\nfrom = 'S.'\nto = '.S'\nturns = true\n";
    let pairs = |quantifier: &str, not: &str| {
        format!("{quantifier}(c in 0..columns - 2: {not}(cell[0, c] == 'b' && cell[0, c + 1] == 'b'))")
    };
    for cells in [10, 60] {
        for never in [pairs("any", ""), format!("!{}", pairs("all", "!"))] {
            let task = task(&line(cells, &format!("never = \"{never}\"\nsets = {{ S = 'ab' }}\n{walk}")));
            assert_eq!(task.never.len(), cells - 1);
        }
        for when in [pairs("all", "!"), format!("!{}", pairs("any", ""))] {
            let task = task(&line(cells, &format!("sets = {{ S = 'ab' }}\n{walk}when = \"{when}\"\n")));
            assert!(cells == 10 || task.operators.len() == 2 * (cells - 1), "{}", task.operators.len());
        }
        let task = task(&line(cells, &format!("sets = {{ S = 'ab' }}\n{walk}when = \"{}\"\n", pairs("any", ""))));
        assert!(cells == 10 || task.operators.len() == 2 * (cells - 1), "{}", task.operators.len());
    }
}

/// `||` does not evaluate operands after an undefined one, just as it does not evaluate those after a true one.
#[test]
fn operands_after_an_undefined_one_are_not_evaluated() {
    let never = |text: &str| {
        let source = format!("never = \"{text}\"\n{}", line(5, "[[rules]]\nname = 'go'\nfrom = 'b.'\nto = '.b'\n"));
        task(&source).never.len()
    };
    assert_eq!(never("any(c in 0..4: cell[0, c + 1] == 'b' && cell[0, c] == 'b')"), 2, "`a` stays on 0,1");
    assert_eq!(never("cell[0, 5] == 'b' || cell[0, 4] == 'b'"), 0);
    assert_eq!(never("cell[0, 4] == 'b' || cell[0, 5] == 'b' || cell[0, 3] == '.' && cell[0, 2] == '.'"), 1);
}

#[test]
fn ranges_of_unchanging_cells_and_variables_are_single_values() {
    let source = "start = { drawing = '#a.#', n = 1, m = 0, d = [0, 0] }\ngoal = { n = 0 }\n[variables]\nn = '0..2'\n\
        m = '0..2'\n'd[1..2]' = '0..1'\n[[rules]]\nname = 'walk'\nfrom = 'a.'\nto = '.a'\nturns = true\n\
        [[rules]]\nname = 'set'\nthen = { n = 2, 'd[i] for i in 2..2' = 1 }\n";
    let ranges = ranges::ranges(&model(source), &BuildContext::default());
    let counts: Vec<usize> = ranges.iter().map(Values::len).collect();
    assert_eq!(counts, [1, 2, 2, 1, 3, 1, 1, 2], "walls, floor, n, m and d");
    for (rule, changes) in [
        ("from = '?'\nto = 'a'", true),
        ("from = '?'\nto = '#'", false),
        ("from = '#'\nto = '.'\nedge = 'clip'", true),
        ("then = { 'cell[0, 3]' = \"'a'\" }", true),
        ("for = { k = '0..2' }\nthen = { 'cell[0, k]' = \"'a'\" }", false),
        ("from = 'aa'\nto = 'bb'\nrepeat = true", false),
    ] {
        let model = model(&format!("{source}[[rules]]\nname = 'more'\n{rule}\n"));
        assert_eq!(ranges::ranges(&model, &BuildContext::default())[3].len() > 1, changes, "{rule}");
    }
}

/// What breaks: a condition of many terms takes as many steps as a short one, so that its cases use up the budget only
/// after a minute. Or short conditions take more steps than before, and puzzles of 60,000 operators are refused.
#[test]
fn a_long_expression_takes_more_of_the_budget_than_a_short_one() {
    let spent = |terms: usize| {
        let text = vec!["n * 1"; terms].join(" + ");
        let model = model(&format!("never = \"{text} == 99999\"\n{WORLD}"));
        let counters = Counters::new(&model);
        let (most, by, context, mut work) = (usize::MAX, SplitBy::Values, BuildContext::default(), u64::MAX);
        let mut splitter = CaseSplitter {
            scope: Scope { model: &model, counters: &counters, context: &context },
            work: &mut work,
            most,
            by,
        };
        let signed = SignedExpr { expr: &model.never[0].expr, parameters: Vec::new(), truth: true };
        let case = Case { conditions: vec![(4, Values::one(1))], ..Case::default() };
        splitter.evaluate(&signed, &case, None).expect("enough work is left").expect("all variables are known");
        u64::MAX - work
    };
    assert_eq!([spent(1), spent(12)], [1, 1]);
    assert!((10..=60).contains(&spent(80)), "{}", spent(80));
}

/// A grid with two kinds of things that moves turn into each other, and variables to compare their numbers with.
const FIELD: &str = "start = { drawing = '''\na.b\n.#.\n''', n = 1, lamp = true }\ngoal = { n = 0 }\n\
    [variables]\nn = '0..3'\nlamp = [true, false]\n[sets]\nN = 'ab'\n\
    [[rules]]\nname = 'turn'\nfrom = 'N'\nto = 'b'\n[[rules]]\nname = 'take'\nfrom = 'N'\nto = '.'\n\
    [[rules]]\nname = 'put'\nfrom = '.'\nto = 'a'\n\
    [[rules]]\nname = 'set'\nthen = { n = '(n + 1) % 4', lamp = '!lamp' }\n";

/// Returns a random condition on numbers of cells.
fn count_condition(random: &mut SplitMix64, depth: u32) -> String {
    let number = |random: &mut SplitMix64| {
        pick(
            random,
            &[
                "count('a')",
                "count('b')",
                "count('N')",
                "count('.')",
                "count('#')",
                "count(i in 0..2: cell[0, i] == 'a')",
                "count(i in 0..2: cell[i / 2, i] != '.')",
                "count(i in 0..5: cell[i / 3, i % 3] == 'b')",
                "sum(i in 0..5: cell[i / 3, i % 3] == 'b' ? 2 : 0)",
                "(2 * count('N') + 1)",
                "count('a') % 2",
                "3 / (count('.') - 2)",
                "n",
                "0",
                "1",
                "2",
            ],
        )
    };
    if depth > 0 {
        let inner = |random: &mut SplitMix64| count_condition(random, depth - 1);
        return match random.below(6) {
            0 | 1 => format!("({} && {})", inner(random), inner(random)),
            2 | 3 => format!("({} || {})", inner(random), inner(random)),
            4 => format!("!{}", inner(random)),
            _ => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
        };
    }
    match random.below(8) {
        0 => pick(random, &["lamp", "cell[0, 0] == 'a'", "n in [1, 3]"]).to_owned(),
        1 => format!("{} in 1..{}", number(random), number(random)),
        _ => {
            let sign = pick(random, &["==", "!=", "<", "<=", ">", ">="]);
            format!("{} {sign} {}", number(random), number(random))
        }
    }
}

/// The cases of conditions on counts, compared with the conditions evaluated in every state.
#[test]
fn cases_of_counts_hold_exactly_where_their_conditions_do() {
    let mut random = SplitMix64::new(2);
    let (mut read, mut counted, mut ruled_out) = (0, 0, 0);
    for seed in 0..200 {
        let text = count_condition(&mut random, seed % 3);
        let Ok(mut model) = try_model(&format!("never = \"{text}\"\n{FIELD}")) else { continue };
        read += 1;
        model.ranges = ranges::ranges(&model, &BuildContext::default());
        let counters = Counters::new(&model);
        let expr = &model.never[0].expr;
        let truth_in =
            |state: &Vec<Value>| model.evaluator(&|var| Some(state[var]), u64::MAX).truth(expr, &mut Vec::new()).ok();
        let truths: Vec<(Vec<Value>, Option<bool>)> =
            states(&model).into_iter().map(|state| (state.clone(), truth_in(&state))).collect();
        for truth in [true, false] {
            let signed = SignedExpr { expr, parameters: Vec::new(), truth };
            let mut work = u64::MAX;
            let mut when = Vec::new();
            split_conjunction(&model, signed.clone(), &mut work, &mut when).expect("enough work is left");
            let ground_rule = GroundRule { when, ..GroundRule::default() };
            let (most, by, context) = (usize::MAX, SplitBy::Values, BuildContext::default());
            let mut splitter = CaseSplitter {
                scope: Scope { model: &model, counters: &counters, context: &context },
                work: &mut work,
                most,
                by,
            };
            let union = splitter.union(signed, &Case::default()).expect("few cases");
            let [exclusive, alternatives] = [SplitBy::Values, SplitBy::Alternatives].map(|by| {
                splitter.by = by;
                splitter.exclusive(&ground_rule, Case::default()).expect("few cases")
            });
            for (state, known) in &truths {
                let wanted = usize::from(*known == Some(truth));
                let number = |cases: &[Case]| cases.iter().filter(|case| holds(case, &counters, state)).count();
                assert_eq!(number(&union).min(1), wanted, "union, {truth} at {state:?}: {text}");
                assert_eq!(number(&exclusive), wanted, "exclusive, {truth} at {state:?}: {text}");
                assert_eq!(number(&alternatives), wanted, "alternatives, {truth} at {state:?}: {text}");
            }
            for case in &exclusive {
                let possible = splitter.is_satisfiable(case).expect("enough work is left");
                assert_eq!(truths.iter().any(|(state, _)| holds(case, &counters, state)), possible, "{case:?}: {text}");
                ruled_out += usize::from(!possible);
            }
            counted += usize::from(exclusive.iter().any(|case| !case.counts.is_empty()));
        }
    }
    assert!(read > 150 && counted > 75, "{read} conditions, {counted} by counters, {ruled_out} ruled out");
}

/// Conditions on the number of cells with a symbol take an operator for each place, or a few, whatever the grid.
#[test]
fn counts_are_compiled_on_any_grid() {
    let field = |side: usize, keys: &str| {
        let row = format!("@{}", "o".repeat(side - 1));
        let rows = vec![row.replace('@', "o"); side - 1].join("\n");
        task(&format!(
            "start = '''\n{row}\n{rows}\n'''\ngoal = {{ count = {{ o = 0 }} }}\n{keys}\n\
             [[rules]]\nname = 'take'\nfrom = '@o'\nto = '.@'\nturns = true\n\
             [[rules]]\nname = 'walk'\nfrom = '@.'\nto = '.@'\nturns = true\n"
        ))
    };
    for side in [6, 20, 64] {
        let pairs = 4 * side * (side - 1);
        // On the corner is no `o`.
        let before = field(side, "").operators.len();
        assert_eq!(before, 2 * pairs - 2, "{side}");
        for (when, times) in [
            ("count('o') == 0", 1),
            ("count('o') >= 1", 1),
            ("count('o') != 3", 2),
            ("count('o') <= 3 && count('.') > 2", 1),
            ("count('.') == 5 || count('.') == 7", 2),
            ("any(r in 0..rows - 1: any(c in 0..columns - 1: cell[r, c] == 'o'))", 1),
            ("!all(r in 0..rows - 1: all(c in 0..columns - 1: cell[r, c] == '.' || cell[r, c] == '@'))", 1),
        ] {
            let keys = format!("[[rules]]\nname = 'back'\nfrom = '.@'\nto = '@.'\nturns = true\nwhen = \"{when}\"\n");
            let task = field(side, &keys);
            assert_eq!(task.operators.len(), before + times * pairs, "{side}: {when}");
            assert!(task.counters.len() <= 2, "{side}: {when}");
        }
        let never = field(side, "never = \"count('.') > 3\"").never;
        assert_eq!((never.len(), never[0].conditions.len(), never[0].counts.len()), (1, 0, 1), "{side}");
    }
}

/// Cells that never have the counted symbol make no cases.
#[test]
fn counts_of_few_cells_do_not_read_the_others() {
    let operators = |when: &str| {
        let rules = [("walk", "@.", "true"), ("take", "@k", "true"), ("open", "@D", when)];
        let rules = rules.map(|(name, from, when)| {
            format!("[[rules]]\nname = '{name}'\nfrom = '{from}'\nto = '.@'\nturns = true\nwhen = \"{when}\"\n")
        });
        let rules = rules.concat();
        task(&format!("start = '''\n@........D\n...k......\n'''\ngoal = {{ count = {{ D = 0 }} }}\n{rules}"))
            .operators
            .len()
    };
    assert_eq!(operators("count('k') == 0"), operators("cell[1, 3] != k"));
}
