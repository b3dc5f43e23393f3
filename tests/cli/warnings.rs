//! Tests the warnings about puzzle files. Each warning is a snapshot, so that someone reviews each change of wording.
//! No puzzle of the project has a warning.

use crate::support::program::{folder, run};
use crate::support::{files_below, root};
use engine::Puzzle;
use std::fs;
use std::path::PathBuf;

/// Returns the warnings about a valid puzzle.
fn warnings(text: &str) -> String {
    let puzzle = Puzzle::parse(text, "puzzle.toml").unwrap_or_else(|report| panic!("{report}"));
    puzzle.warnings().to_string()
}

/// Returns a puzzle file of the domain `rules`.
fn rules(text: &str) -> String {
    format!("title = \"x\"\ndomain = \"rules\"\n{text}")
}

macro_rules! warned {
    ($($name:ident: $text:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(warnings(&rules($text)));
            });
        })*
    };
}

warned! {
    consequences_that_never_apply: "start = { drawing = \"a..b\", phase = \"rest\" }\ngoal = { when = \"bodies('a') == 2\" }\n\
        bodies = [\"ab\", \"c\"]\n[sets]\nN = \"ab\"\n[variables]\nphase = [\"rest\", \"fall\", \"gone\"]\n\
        [[rules]]\nname = \"{direction}\"\nshift = \"N\"\npush = \"c\"\ninto = \".c\"\nmirror = true\nthen = { phase = \"fall\" }\n\
        [[after]]\nfrom = \"ac\"\nto = \"..\"\n[[after]]\nfrom = \"ab\"\nto = \"..\"\nwhen = \"phase == gone\"\n\
        [[after]]\nshift = \"c\"\ninto = \".\"\n[[after]]\nwhen = \"phase == fall\"\nthen = { phase = \"rest\" }\n";
    passes_without_effect: "start = \"a.aa\"\ngoal = { count = { a = 2 } }\n\
        [[rules]]\nname = \"pairs\"\nfrom = \"aa\"\nto = \"..\"\nall = true\nrepeat = true\n\
        [[rules]]\nname = \"whole\"\nfrom = \"a.??\"\nto = \".a??\"\nall = true\n\
        [[rules]]\nname = \"tilt\"\nfrom = \"a.\"\nto = \".a\"\nall = true\nrepeat = true\n";
    piles_and_patterns_that_nothing_uses: "start = { tube = \"a b\", waste = \"\", rest = \"a\" }\n\
        goal = { \"tube[1]\" = \"a a a\" }\n[piles]\n\"tube[1..2]\" = { most = 2 }\nwaste = {}\nrest = {}\n\
        [maps]\nm = { \"?b\" = 1, \"a?\" = 2, \"??\" = 3, \"ab\" = 4, \"c?\" = 5 }\n\
        [[rules]]\nname = \"{x}\"\nfor = { x = [\"tube\"] }\nwhen = \"m(top(x)) != 1\"\ncarry = { from = \"x\", to = \"waste\" }\n";
    a_symbol_that_never_occurs: "start = \"a..\"\ngoal = \"..a\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n\
        [[rules]]\nname = \"eat {N}\"\nfrom = \"Nz\"\nto = \".z\"\n[[rules]]\nname = \"none\"\nfrom = \"Q\"\nto = \".\"\n\
        [sets]\nN = \"aq\"\nQ = \"vw\"\n";
    no_symbol_that_only_turned_drawings_have: "start = \"..<@\"\ngoal = \"?@??\"\narrows = \"^>v<\"\n\
        [[rules]]\nname = \"walk {direction}\"\nfrom = \"@.\"\nto = \".@\"\nturns = true\n\
        [[rules]]\nname = \"through {direction}\"\nfrom = \"@>.\"\nto = \".>@\"\nturns = true\n";
    drawings_that_fit_nowhere: "start = \"a..\"\ngoal = \"..a\"\nmarks = \"x.x\"\n\
        [[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n\
        [[rules]]\nname = \"long\"\nfrom = \"a....\"\nto = \"....a\"\nturns = true\n\
        [[rules]]\nname = \"marked\"\nfrom = \"a.\"\nto = \".a\"\non = \"xx\"\n";
    patterns_that_never_match: "start = \"a.b\"\ngoal = \"..b\"\n[[rules]]\nname = \"vanish\"\nfrom = \"a.\"\nto = \"..\"\n\
        [[rules]]\nname = \"jump\"\nfrom = \"ab\"\nto = \".b\"\n[[rules]]\nname = \"where\"\nfrom = \".b\"\nto = \"..\"\nwhen = \"cell[0, 2] == '.'\"\n";
    turns_that_never_come: "start = { drawing = \"A#B.\", turn = \"A\" }\ngoal = \"A#.B\"\n[variables]\nturn = [\"A\", \"B\"]\n\
        [[rules]]\nname = \"{p} {direction}\"\nfor = { p = [\"A\", \"B\"] }\nfrom = \"p.\"\nto = \".p\"\nturns = true\n\
        when = \"turn == p\"\nthen = { turn = \"turn == 'A' ? B : A\" }\n";
    a_rule_that_changes_nothing: "start = \"a..\"\ngoal = \"..a\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n\
        [[rules]]\nname = \"stay\"\nfrom = \"a.\"\nto = \"a.\"\n";
    conditions_that_never_hold: "start = { jug = 0, who = \"left\" }\ngoal = { jug = 3 }\n\
        [variables]\njug = \"0..5\"\nwho = [\"left\", \"right\"]\n\
        [[rules]]\nname = \"fill\"\nwhen = \"jug < 5\"\nthen = { jug = \"jug + 1\" }\n\
        [[rules]]\nname = \"other bank\"\nwhen = [\"jug > 1\", \"who == right && jug == 2\"]\nthen = { jug = 0 }\n\
        [[rules]]\nname = \"both\"\nwhen = \"jug == 2 && jug == 3\"\nthen = { jug = 1 }\n\
        [[rules]]\nname = \"each\"\nwhen = [\"jug == 2\", \"jug == 3\"]\nthen = { jug = 1 }\n\
        [[rules]]\nname = \"big {n}\"\nfor = { n = \"7..9\" }\nwhen = [\"jug < 3\", \"jug + 1 > n\"]\nthen = { jug = 1 }\n\
        [[rules]]\nname = \"priced\"\nthen = { jug = 1 }\ncost = \"1 / 0\"\n";
    values_that_never_fit: "start = { jug = 0, who = \"left\", disk = 1 }\ngoal = { jug = 3 }\n\
        [variables]\njug = \"0..5\"\nwho = [\"left\", \"right\"]\n\"disk[1..2]\" = \"1..2\"\n\
        [maps]\nother = { left = \"rigth\", right = \"left\" }\nnext = { left = \"right\", right = \"lost\" }\n\
        [[rules]]\nname = \"fill\"\nthen = { jug = \"jug < 5 ? jug + 1 : 9\" }\n\
        [[rules]]\nname = \"over\"\nthen = { jug = 9 }\n\
        [[rules]]\nname = \"named\"\nthen = { jug = \"left\" }\n\
        [[rules]]\nname = \"cross\"\nthen = { who = \"other(who)\" }\n\
        [[rules]]\nname = \"go on\"\nthen = { who = \"next(who)\" }\n\
        [[rules]]\nname = \"outside {d}\"\nfor = { d = \"5..6\" }\nthen = { \"disk[d]\" = 1 }\n";
    numbers_that_a_variable_never_has: "start = { j = 0 }\ngoal = \"j == 3\"\nnever = \"j == 7\"\n[variables]\nj = \"0..3\"\n\
        [[rules]]\nname = \"up\"\nwhen = \"j != 4 && !(j in [3, 8])\"\nthen = { j = \"j + 1\" }\n";
    maps_to_unknown_symbols: "start = \"ab\"\ngoal = \"ba\"\n[[rules]]\nname = \"turn\"\nfrom = \"?\"\nto = \"t\"\n\
        [[rules]]\nname = \"lose\"\nfrom = \"a\"\nto = \"u\"\n[maps]\nt = { a = \"b\", b = \"a\", c = \"a\" }\nu = { a = 12, b = \"a\" }\nv = { a = \"b\" }\n";
    goals_that_constrain_nothing: "start = \"$$@\"\nmarks = \"x..\"\ngoal = [{ every = {} }, { count = {}, every = { \"$\" = \"x\" } }, \
        \"???\", { when = \"rows == 1\" }, { when = [] }, { count = { \"$\" = \"0..9\" } }, { every = { q = \"x\" } }, { drawing = \"@$$\" }]\n\
        [[rules]]\nname = \"swap\"\nfrom = \"$@\"\nto = \"@$\"\n[sets]\nQ = \"$q\"\n[[rules]]\nname = \"other\"\nfrom = \"@Q\"\nto = \"Q@\"\n";
    goals_out_of_reach: "start = { drawing = \"a.#\", n = 0 }\ngoal = [{ drawing = \"..a\" }, { drawing = \"z??\" }, { count = { a = 3 } }, { n = 2 }, \
        { when = \"n > 1\" }]\n[variables]\nn = \"0..2\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\nmirror = true\n\
        [[rules]]\nname = \"other\"\nfrom = \"z\"\nto = \"a\"\n";
    more_boxes_than_marks: "start = \"@$.$.\"\nmarks = \"..x..\"\ngoal = { every = { \"$\" = \"x\" } }\n\
        [[rules]]\nname = \"{direction}\"\nfrom = \"@.\"\nto = \".@\"\nmirror = true\n\
        [[rules]]\nname = \"{direction}\"\nfrom = \"@$.\"\nto = \".@$\"\nmirror = true\n";
    a_start_that_is_a_goal: "start = \"a.\"\ngoal = [\".a\", \"a.\"]\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n";
    symbols_that_no_rule_or_goal_mentions: "start = \"\"\"\n#####\n#a.X#\n#####\n\"\"\"\ngoal = { count = { b = 1 } }\n\
        [[rules]]\nname = \"turn\"\nfrom = \"a\"\nto = \"b\"\n[sets]\nS = \"ab\"\n";
    colours_of_symbols_that_never_occur: "start = \"a.#\"\ngoal = \".a#\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n\
        [[rules]]\nname = \"get\"\nfrom = \"z\"\nto = \"a\"\n[colors]\nz = \"red\"\n\"#\" = \"gray\"\na = \"blue\"\n[shapes]\nz = \"token\"\n\".\" = \"floor\"\n";
    colours_without_a_grid: "start = { n = 0 }\ngoal = { n = 1 }\ncolors = { a = \"red\" }\n[variables]\nn = \"0..1\"\n\
        [[rules]]\nname = \"up\"\nthen = { n = 1 }\n";
}

/// Checks that a rule that removes boxes prevents the warning about too few marks.
#[test]
fn boxes_that_can_be_removed_may_outnumber_the_marks() {
    let text = "start = \"@$.$\"\nmarks = \"..x.\"\ngoal = { every = { \"$\" = \"x\" } }\n\
        [[rules]]\nname = \"eat {direction}\"\nfrom = \"@$\"\nto = \".@\"\nmirror = true\n\
        [[rules]]\nname = \"go {direction}\"\nfrom = \"@.\"\nto = \".@\"\nmirror = true\n";
    assert_eq!(warnings(&rules(text)), "");
    // A swap of any two symbols keeps the number of boxes.
    let text = "start = \"$$.\"\nmarks = \"..x\"\ngoal = { every = { \"$\" = \"x\" } }\n\
        [[rules]]\nname = \"swap\"\nthen = { \"cell[0, 0]\" = \"cell[0, 2]\", \"cell[0, 2]\" = \"cell[0, 0]\" }\n";
    assert!(warnings(&rules(text)).contains("more `$` than cells with the mark `x`"));
    let text = text.replace("$$.", "$$$.").replace("..x", "..xy").replace("\"x\" }", "\"xy\" }");
    assert!(warnings(&rules(&text)).contains("more `$` than cells with one of the marks `x`, `y`"));
}

/// Checks that symbols whose numbers an expression takes from the board are used.
#[test]
fn a_symbol_that_expressions_read_as_a_number_is_used() {
    let text = |then: &str| {
        rules(&format!(
            "start = {{ drawing = \"31122G\", c = 0 }}\ngoal = {{ when = \"cell[0, c] == 'G'\" }}\n\
             [variables]\nc = \"0..5\"\n[[rules]]\nname = \"right\"\nthen = {{ c = \"{then}\" }}\n"
        ))
    };
    assert_eq!(warnings(&text("c + cell[0, c]")), "");
    let compared = warnings(&text("c + (cell[0, c] == 3 ? 3 : 4)"));
    assert!(compared.contains("uses `1`") && compared.contains("uses `2`") && !compared.contains("`3`"), "{compared}");
}

#[test]
fn a_claimed_cost_of_zero_prevents_the_warning() {
    let start = "title = \"x\"\ndomain = \"rules\"\nstart = \"a.\"\ngoal = \"a.\"\n";
    let rule = "[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n";
    assert!(warnings(&format!("{start}{rule}")).contains("the start already meets the goal"));
    assert_eq!(warnings(&format!("{start}{rule}[expect]\ncost = 0\n")), "");
}

#[test]
fn a_start_that_meets_the_goal_is_a_warning_in_other_domains() {
    let tiles = "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\ngoal = \"1 0\"\n";
    let warned = warnings(tiles);
    assert!(warned.contains("the start already meets the goal") && warned.contains("puzzle.toml:4:8"), "{warned}");
    assert_eq!(warnings(&tiles.replace("start = \"1 0\"", "start = \"0 1\"")), "");
}

/// Checks all puzzles as `engine check --strict puzzles` does, without another build.
#[test]
fn no_puzzle_of_the_project_has_a_warning() {
    let puzzles = files_below(&root().join("puzzles"), "toml");
    assert!(puzzles.len() > 100);
    for file in puzzles {
        let puzzle = Puzzle::load(root().join("puzzles").join(&file)).unwrap_or_else(|report| panic!("{report}"));
        assert_eq!(puzzle.warnings().to_string(), "", "{}", file.display());
    }
}

#[test]
fn no_puzzle_in_the_documents_has_a_warning() {
    let pages = files_below(&root().join("docs"), "md").into_iter().map(|page| PathBuf::from("docs").join(page));
    for page in pages {
        let text = fs::read_to_string(root().join(&page)).expect("a page can be read");
        let blocks = text.split("```toml\n").skip(1).filter_map(|rest| rest.split_once("\n```"));
        for (block, _) in blocks.filter(|(block, _)| block.contains("domain = \"rules\"")) {
            assert_eq!(warnings(&format!("{block}\n")), "", "{}", page.display());
        }
    }
}

/// A puzzle without a solution and with one warning.
const WARNED: &str = "title = \"dull\"\ndomain = \"rules\"\nstart = \"aé.\"\ngoal = { count = { a = 1, \"é\" = 0 } }\n[[rules]]\nname = \"go\"\nfrom = \"a?\"\nto = \"?a\"\n\
                    [[rules]]\nname = \"é\"\nfrom = \"éz\"\nto = \"zé\"\n";
const CLEAN: &str = "title = \"fine\"\ndomain = \"rules\"\nstart = \"a.\"\ngoal = \".a\"\n[[rules]]\nname = \"go\"\nfrom = \"a.\"\nto = \".a\"\n";

#[test]
fn check_prints_warnings_and_fails_on_them_with_strict() {
    let folder = folder("warned", &[("dull.toml", WARNED), ("fine.toml", CLEAN)]);
    let (status, out, errors) = run(&folder, &["check", "dull.toml", "fine.toml"]);
    assert_eq!(status, 0, "{errors}");
    assert!(errors.starts_with("warning: the rule `é` never applies: `z` is never on the grid\n"), "{errors}");
    assert!(errors.contains("dull.toml:11:10") && out.ends_with("2 good, 0 bad, 1 warning\n"), "{out}{errors}");
    let (status, out, errors) = run(&folder, &["check", "--strict", "dull.toml", "fine.toml"]);
    assert_eq!(status, 2, "{errors}");
    assert!(
        errors.starts_with("error: the rule `é` never applies") && out.ends_with("1 good, 1 bad\n"),
        "{out}{errors}"
    );
    let (status, _, errors) = run(&folder, &["check", "--strict", "fine.toml"]);
    assert_eq!((status, errors.as_str()), (0, ""));
}

#[test]
fn check_prints_json_for_editors() {
    let bad = "title = \"b\"\ndomain = \"rules\"\nstart = \"a\"\ngoal = \"a\"\nrule = 3\n";
    let folder = folder("warned-json", &[("dull.toml", WARNED), ("fine.toml", CLEAN), ("bad.toml", bad)]);
    let files = ["dull.toml", "fine.toml", "bad.toml", "none.toml"];
    let check = |more: &[&str]| {
        let (status, out, errors) = run(&folder, &[&["check", "--format", "json"][..], more, &files].concat());
        assert_eq!((status, errors.as_str()), (2, ""), "{out}");
        out.lines().map(|line| serde_json::from_str(line).expect("JSON Lines")).collect::<Vec<serde_json::Value>>()
    };
    let rows = check(&[]);
    let found: Vec<_> = rows.iter().map(|row| (row["file"].as_str(), row["ok"].as_bool())).collect();
    let expected = files.into_iter().map(Some).zip([Some(true), Some(true), Some(false), Some(false)]);
    assert_eq!(found, expected.collect::<Vec<_>>());
    let entry = serde_json::json!({
        "severity": "warning", "line": 11, "column": 10, "end": { "line": 11, "column": 11 },
        "message": "the rule `é` never applies: `z` is never on the grid",
        "label": "it is not in the start, and no rule produces it", "help": null
    });
    assert_eq!((&rows[0]["warnings"], &rows[0]["errors"]), (&serde_json::json!([entry]), &serde_json::json!([])));
    assert_eq!((&rows[1]["warnings"], &rows[1]["errors"]), (&serde_json::json!([]), &serde_json::json!([])));
    assert_eq!(
        (rows[2]["errors"][0]["line"].as_u64(), rows[2]["errors"][0]["severity"].as_str()),
        (Some(5), Some("error"))
    );
    assert!(rows[3]["errors"][0]["line"].is_null() && rows[3]["errors"][0]["end"].is_null(), "{}", rows[3]);
    let strict = check(&["--strict"]);
    assert_eq!((strict[0]["ok"].as_bool(), strict[0]["errors"][0]["line"].as_u64()), (Some(false), Some(11)));
}

#[test]
fn solve_prints_warnings() {
    let met = CLEAN.replace("start = \"a.\"", "start = \".a\"");
    let folder = folder("warned-solve", &[("dull.toml", WARNED), ("fine.toml", CLEAN), ("met.toml", &met)]);
    let (status, out, errors) = run(&folder, &["solve", "dull.toml", "--format", "json"]);
    assert_eq!(status, 1, "{out}");
    assert!(errors.contains("warning: the rule `é` never applies"), "{errors}");
    let row: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let messages = row["warnings"].as_array().expect("an array");
    assert!(messages.contains(&"the rule `é` never applies: `z` is never on the grid".into()), "{row}");
    let (_, plain, _) = run(&folder, &["solve", "dull.toml"]);
    assert!(plain.contains("unsolvable") && !plain.contains("warning"), "a transcript holds no warnings: {plain}");
    let (_, _, errors) = run(&folder, &["solve", "dull.toml", "--quiet"]);
    assert_eq!(errors, "");
    let (status, _, errors) = run(&folder, &["solve", "met.toml"]);
    assert_eq!(status, 0);
    assert!(errors.contains("warning: the start already meets the goal"), "{errors}");
    let (status, out, errors) = run(&folder, &["solve", "fine.toml", "--format", "json"]);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(serde_json::from_str::<serde_json::Value>(&out).expect("JSON")["warnings"], serde_json::json!([]));
}

#[test]
fn solve_prints_the_errors_that_a_game_plays_on_with_once_whatever_the_solutions_are() {
    let game = fs::read_to_string(root().join("puzzles/puzzlescript/crates.txt")).unwrap();
    let rule = "[ > Player | Crate ] -> [ > Player | > Crate ]\n";
    let wrong = game.replace(rule, &format!("{rule}late [ Playr ] -> [ ]\n"));
    assert_ne!(wrong, game);
    let puzzle = "title = \"One\"\ndomain = \"puzzlescript\"\ngame = \"game.txt\"\n";
    let here = folder("warnings-errors", &[("game.txt", &wrong), ("one.toml", puzzle)]);
    for file in [vec!["game.txt"], vec!["one.toml"]] {
        let (_, out, errors) = run(&here, &[vec!["solve"], file.clone()].concat());
        assert!(out.contains("proven shortest"), "{out}");
        assert_eq!(errors.matches("`playr`").count(), 1, "{errors}");
        assert!(
            errors.contains("did you mean `player`? PuzzleScript leaves out what is wrong, and plays on"),
            "{errors}"
        );
        let (_, _, quiet) = run(&here, &[vec!["solve", "--quiet"], file].concat());
        assert_eq!(quiet, "");
    }
}

#[test]
fn the_warnings_of_a_game_are_printed_once_with_their_places_in_the_game() {
    let game = fs::read_to_string(root().join("puzzles/puzzlescript/doors.txt")).unwrap();
    let rule = "[ Turning Shut ] -> [ Open ]";
    let line = 1 + game.lines().position(|line| line == "[ Turning ] -> [ Open ]").expect("the rule");
    let wrong = game.replace("[ Turning ] -> [ Open ]", &format!("{rule}\n[ Turning ] -> [ Open ]"));
    // The last levels have no solution: then `solve` prints warnings.
    let twice = wrong.clone() + "\n#######\n#P.#sb#\n#######\n";
    for (name, text) in [("unix.txt", twice.clone()), ("dos.txt", twice.replace('\n', "\r\n"))] {
        let here = folder("warnings-game", &[(name, &text)]);
        for command in ["solve", "check"] {
            let (_, out, err) = run(&here, &[command, name]);
            assert_eq!(err.matches("the rule never matches").count(), 1, "{command}: {err}");
            assert!(err.contains(&format!("--> {name}:{line}:1\n")) && err.contains(rule), "{command}: {err}");
            assert!(command == "solve" || out.ends_with("5 good, 0 bad, 1 warning\n"), "{out}");
        }
    }
}

/// What breaks: a goal that no position can meet is searched for without a word.
#[test]
fn places_of_a_goal_that_overlap_are_a_warning_and_a_reason() {
    let text =
        "title = 'o'\ndomain = 'klotski'\nstart = '''\naab.\ncc..\n....\n'''\ngoal = { a = [2, 0], c = [2, 1] }\n";
    let reason = "the goal places `a` and `c` both on row 3, column 2";
    assert!(warnings(text).contains(reason), "{}", warnings(text));
    let folder = folder("overlap", &[("o.toml", text)]);
    let (status, _, errors) = run(&folder, &["solve", "o.toml", "--format", "moves"]);
    assert!(status == 1 && errors.contains(&format!("o.toml: unsolvable: {reason}\n")), "{errors}");
}

/// What breaks: a mark that no cell of this level has is an error, and a variable in the place of a mark is none.
#[test]
fn a_mark_that_no_cell_has_and_a_variable_in_its_place_are_warnings() {
    let text = rules(
        "start = { drawing = 'a..', o = 'u' }\nmarks = 'o.f'\ngoal = '..a'\n[variables]\no = ['u', 'h']\n\
         [[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\nwhen = \"mark[0, 0] in ['o', 'f', 'b']\"\n\
         [[rules]]\nname = 'turn'\nwhen = ['mark[0, 0] in [o, f] || mark[0, 1] != z']\nthen = { o = 'h' }\n",
    );
    let found = warnings(&text);
    for words in [
        "no cell has the mark `b`",
        "no cell has the mark `z`",
        "`o` is a variable here, and none of its values is a mark",
        "did you mean `'o'`?",
    ] {
        assert!(found.contains(words), "{words} is not in: {found}");
    }
    assert!(!found.contains("the mark `f`"), "{found}");
}

/// A game of one level that two presses solve, with lines at the start, and with a box of this name.
fn game_of_boxes(prelude: &str, name: &str) -> String {
    format!(
        "title Boxes\n{prelude}\nOBJECTS\n\nBackground\ngreen\n\nWall\nbrown\n\nPlayer\nblue\n\n{name}\norange\n\n\
         Target\nred\n\nLEGEND\n\n. = Background\n# = Wall\nP = Player\n* = {name}\nO = Target\n\nSOUNDS\n\n\
         COLLISIONLAYERS\n\nBackground\nTarget\nPlayer, Wall, {name}\n\nRULES\n\n\
         [ > Player | {name} ] -> [ > Player | > {name} ]\n\nWINCONDITIONS\n\nall Target on {name}\n\nLEVELS\n\n\
         #######\n#P.*O.#\n#######\n"
    )
}

#[test]
fn settings_of_forks_that_change_only_what_is_shown_are_left_out_with_one_note() {
    let plus = game_of_boxes("tween_length 0.05\nlevel_select\nsprite_size 7", "Box");
    let next = game_of_boxes("tween_length 0.05\nauthor_color #feffff\ngame_uri https://example.org/x", "Box");
    let here = folder("warnings-forks", &[("plus.txt", &plus), ("next.txt", &next)]);
    for (file, fork) in [("plus.txt", "PuzzleScript Plus"), ("next.txt", "PuzzleScript Next")] {
        for command in ["solve", "check"] {
            let (status, out, errors) = run(&here, &[command, file]);
            assert_eq!(status, 0, "{command} {file}: {out}{errors}");
            assert!(errors.contains(fork) && errors.contains("`tween_length`"), "{errors}");
            assert_eq!(errors.matches("warning:").count(), 1, "{errors}");
        }
    }
}

#[test]
fn a_game_with_inputs_or_rules_of_a_fork_is_refused_in_one_message() {
    let usual = game_of_boxes("", "Box");
    let tagged = usual.replace("\nBox\norange\n", "\nBox:right\norange\n\nBox\norange\ncopy: Box:right\n");
    let saved = usual.replace("> Box ]\n", "> Box ] nosave\n");
    let cases = [
        ("mouse.txt", game_of_boxes("mouse_left Box\nmouse_drag Box\ntween_length 0.05", "Box"), "`mouse_left`"),
        ("radius.txt", game_of_boxes("local_radius 3", "Box"), "`local_radius`"),
        ("tags.txt", tagged, "`box:right`"),
        ("sections.txt", usual.replace("OBJECTS\n", "TAGS\n\nKind = A B\n\nOBJECTS\n"), "`tags`"),
        ("comments.txt", game_of_boxes("// welcome", "Box"), "`//`"),
        ("words.txt", saved, "`nosave`"),
    ];
    for (file, text, named) in cases {
        let here = folder("warnings-fork", &[(file, &text)]);
        for command in ["solve", "check"] {
            let (status, out, errors) = run(&here, &[command, file]);
            assert_ne!(status, 0, "{file}: {out}");
            assert_eq!(errors.matches("the game is written for").count(), 1, "{file}: {errors}");
            assert!(errors.contains(named) && errors.matches("error:").count() == 1, "{file}: {errors}");
            assert!(!out.contains("unsolvable"), "{out}");
        }
    }
}

#[test]
fn a_game_that_puzzlescript_does_not_play_is_not_said_to_be_played_on() {
    let text = game_of_boxes("", "Box").replace("SOUNDS\n", "");
    let here = folder("warnings-reference", &[("game.txt", &text)]);
    let (status, out, errors) = run(&here, &["solve", "game.txt"]);
    assert_eq!(status, 0, "{out}{errors}");
    assert!(errors.contains("PuzzleScript itself does not play this game") && !errors.contains("plays on"), "{errors}");
}

#[test]
fn names_are_the_same_in_composed_and_decomposed_letters() {
    let text = game_of_boxes("", "Kästchen");
    let mixed = text.replacen("\nKästchen\norange", "\nKa\u{308}stchen\norange", 1);
    assert_ne!(mixed, text);
    let here = folder("warnings-nfc", &[("game.txt", &mixed)]);
    let (status, out, errors) = run(&here, &["check", "game.txt"]);
    assert!(status == 0 && errors.contains("NFC"), "{out}{errors}");
    let (status, out, errors) = run(&here, &["solve", "game.txt"]);
    assert_eq!(status, 0, "{out}{errors}");
}
