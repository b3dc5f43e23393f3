//! Tests `engine rate`: the parts of small puzzles that can be counted by hand, agreement with people, and refusals.

use crate::support::outside::outside;
use crate::support::program::{EIGHT, UNSOLVABLE, folder, run};
use serde_json::Value;

/// A box, one push from its goal, and a second way that loses the game.
const LEVELS: &str = "\
; one push

#####
#@$.#
#####

; a box at a wall

######
#    #
# @$.#
#    #
######

; two boxes

#######
#.$@$.#
#     #
#######
";

/// A level with few places to walk to.
const CORRIDOR: &str = "#######\n# @$ .#\n#######\n";

/// A maze without walls.
const FIELD: &str = r#"title = "An open field"
domain = "maze"
map = """
S.......
........
........
.......G
"""
"#;

/// Rates puzzles, and returns the objects.
fn rated(folder: &std::path::Path, arguments: &[&str]) -> Vec<Value> {
    let (status, out, error) = run(folder, &[&["rate", "--json"], arguments].concat());
    assert_eq!((status, error.as_str()), (0, ""), "{arguments:?}");
    out.lines().map(|line| serde_json::from_str(line).expect("a rating is an object")).collect()
}

#[test]
fn parts_of_small_levels_are_those_counted_by_hand() {
    let here = folder("rate-levels", &[("levels.sok", LEVELS)]);
    let all = rated(&here, &["levels.sok"]);
    let part = |number: usize, name: &str| all[number][name].clone();
    assert_eq!(part(0, "file"), "levels.sok#1");
    assert_eq!((part(0, "outcome"), part(0, "cost"), part(0, "solutions")), ("solved".into(), 1.0.into(), 1.0.into()));
    assert_eq!((part(0, "luck"), part(0, "detour"), part(0, "dead_share")), (0.0.into(), 0.0.into(), 0.0.into()));
    assert_eq!((part(0, "walk"), part(0, "pieces"), part(0, "switches")), (0.0.into(), 1.into(), 0.into()));
    assert_eq!(part(1, "cost"), 1.0);
    assert!(part(1, "dead_share").as_f64().is_some_and(|share| share > 0.0), "a push up is lost: {}", all[1]);
    // Two pushes, in two orders, which are one up to order.
    assert_eq!((part(2, "cost"), part(2, "solutions")), (2.0.into(), 2.0.into()));
    assert_eq!((part(2, "distinct_solutions"), part(2, "pieces")), (1.into(), 2.into()));
    assert_eq!(part(2, "bottlenecks"), 0);
    // One bit of choice, in two stretches.
    assert_eq!((part(0, "freedom"), part(2, "switches"), part(2, "freedom")), (0.0.into(), 1.into(), 0.5.into()));
    assert_eq!(all, rated(&here, &["levels.sok"]), "the same seed gives the same ratings");
}

#[test]
fn ratings_of_several_puzzles_are_a_table_and_one_has_a_map() {
    let here = folder("rate-text", &[("levels.sok", LEVELS), ("none.toml", UNSOLVABLE), ("five.toml", EIGHT)]);
    let (status, out, error) = run(&here, &["rate", "levels.sok#3"]);
    assert_eq!((status, error.as_str()), (0, ""));
    assert!(out.contains("where pieces go\n#######\n#9...9#\n"), "{out}");
    let (status, out, _) = run(&here, &["rate", "none.toml", "five.toml", "levels.sok", "--sort"]);
    assert_eq!(status, 0);
    let files: Vec<&str> = out.lines().skip(1).filter_map(|line| line.split_whitespace().nth(2)).collect();
    assert_eq!(files.first(), Some(&"levels.sok#1"), "{out}");
    assert_eq!(files.last(), Some(&"none.toml"), "{out}");
    assert!(out.contains("none.toml  (unsolvable)"), "{out}");
    let (_, csv, _) = run(&here, &["rate", "five.toml", "levels.sok", "--format", "csv"]);
    assert!(csv.starts_with("file,title,outcome,score,cost,"), "{csv}");
    assert_eq!(csv.lines().count(), 5);
}

#[test]
fn large_spaces_are_sampled_and_limits_leave_no_score() {
    let here = folder("rate-limits", &[("five.toml", EIGHT)]);
    let sampled = rated(&here, &["five.toml", "--states", "100"]).remove(0);
    assert_eq!((&sampled["sampled"], &sampled["states"]), (&true.into(), &Value::Null));
    assert_eq!((&sampled["cost"], &sampled["dead_share"]), (&5.0.into(), &0.0.into()));
    assert!(sampled["score"].is_number() && sampled["walk"].is_number(), "{sampled}");
    let (status, out, _) = run(&here, &["rate", "five.toml", "--json", "--time-limit", "1us"]);
    assert_eq!(status, 3, "{out}");
}

#[test]
fn an_open_field_has_a_score_that_is_not_below_0() {
    let here = folder("rate-field", &[("field.toml", FIELD)]);
    let rating = rated(&here, &["field.toml"]).remove(0);
    let part = |name: &str| rating[name].as_f64().expect("it is measured");
    assert!(part("freedom") > part("walk"), "many ways lead to the goal: {rating}");
    assert_eq!((part("detour"), part("score")), (0.0, 0.0), "one only walks there: {rating}");
}

#[test]
fn agreement_is_with_a_column_of_a_table() {
    let table = "# plays of a site\nlevel\tname\tsolve_rate\n1\ta\t0.9\n2\tb\t0.7\n3\tc\t0.5\n";
    let files = [("levels.sok", LEVELS), ("people.tsv", table), ("bad.tsv", "level\ttime\n1\n")];
    let here = folder("rate-against", &files);
    let rows = rated(&here, &["levels.sok", "--against", "people.tsv"]);
    assert_eq!((&rows[0]["by"], &rows[1]["by"], &rows[0]["puzzles"]), (&"score".into(), &"cost".into(), &3.into()));
    assert_eq!((&rows[0]["easier"], &rows[0]["column"]), (&true.into(), &"solve_rate".into()));
    // Costs 1, 1, 2: two of three pairs are right, and a tie counts half.
    assert!((rows[1]["pairs"].as_f64().unwrap_or(0.0) - 2.5 / 3.0).abs() < 1e-9, "{}", rows[1]);
    let reversed = rated(&here, &["levels.sok", "--against", "people.tsv", "--column", "level"]);
    assert_eq!(reversed[0]["spearman"], rows[0]["spearman"], "the levels are in the order of the rates");
    for (arguments, expected) in [
        (["people.tsv", "--column", "time"], "error: people.tsv: has no column `time`"),
        (["bad.tsv", "--column", "time"], "error: bad.tsv: line 2 has 1 columns, not 2 as the first line"),
        (["people.tsv", "--by", "beauty"], "no part of a rating is called `beauty`"),
        (["missing.tsv", "--by", "score"], "missing.tsv"),
    ] {
        let (status, _, error) = run(&here, &[&["rate", "levels.sok", "--against"], &arguments[..]].concat());
        assert_eq!(status, 2, "{arguments:?}: {error}");
        assert!(error.contains(expected), "{arguments:?}: {error}");
    }
}

#[test]
fn solutions_are_counted_apart_from_walks_and_unique_ones_claimed() {
    let here = folder(
        "rate-count",
        &[
            ("levels.sok", LEVELS),
            ("corridor.sok", CORRIDOR),
            ("five.toml", &format!("{EIGHT}[expect]\nunique = false\n")),
        ],
    );
    let all = [("levels.sok", "1", 1), ("levels.sok", "2", 1), ("levels.sok", "3", 2), ("corridor.sok", "1", 1)];
    for (file, level, count) in all {
        let (status, out, error) = run(&here, &["solve", file, "--level", level, "--count", "--json"]);
        assert_eq!((status, error.as_str()), (0, ""), "{level}");
        let solved: Value = serde_json::from_str(&out).expect("an object");
        assert_eq!(solved["solutions"].to_string().trim_matches('"'), count.to_string(), "{out}");
    }
    let (status, _, error) = run(&here, &["solve", "levels.sok#3", "--all", "2"]);
    assert_eq!(status, 2);
    assert!(error.contains("`--count` counts the solutions apart from free moves"), "{error}");
    let (status, out, _) = run(&here, &["solve", "five.toml", "--format", "text"]);
    assert!(status == 0 && out.contains("\nsolutions  1\n"), "a claim about their number is shown: {out}");
    let (status, out, error) = run(&here, &["test", "."]);
    let wrong = "`[expect]` claims several shortest solutions, found 1";
    assert_eq!((status, format!("{out}{error}").contains(wrong)), (1, true), "{out}{error}");
}

/// Rates a set of people's data, and checks that the order agrees as well as the page on ratings says, with some slack.
fn agrees(set: &str, files: &str, least: f64) {
    let Some(human) = outside("human") else { return };
    let rows = rated(&human.join(set), &[files, "--against", "human.tsv", "--time-limit", "none"]);
    let spearman = rows[0]["spearman"].as_f64().expect("a correlation");
    println!("{set}: {} {}", rows[0], rows[1]);
    assert!(spearman >= least, "{set}: {}", rows[0]);
}

#[test]
fn scores_agree_with_people_on_rush_hour() {
    agrees("rush-malab35a", ".", 0.8);
    agrees("rush-thinkfun40", ".", 0.78);
}

#[test]
#[ignore = "a minute and more"]
fn scores_agree_with_people_on_sokoban() {
    agrees("sokoban-microban99", "levels.sok", 0.25);
}
