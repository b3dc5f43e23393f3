//! Transcripts as they are written, and with one change: which are refused, and with which messages.

use super::plain::{End, search};
use super::{Failure, replay, verify};
use crate::domain::Rules;
use crate::puzzle::{Options, Puzzle};
use crate::search::{Gauge, Limit, Limits};
use crate::transcript::{JSON, MOVES, Solved, TEXT, TranscriptFormat};
use std::sync::Arc;

const FIVE: &str = "title = \"Five\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n4 1 3\n0 2 6\n7 5 8\n\"\"\"\n";
const BLOCKS: &str = "title = \"Blocks\"\ndomain = \"klotski\"\nmetric = \"turn\"\nstart = \"\"\"\na.b\n..b\nc.=\n\"\"\"\n\
    goal = \"\"\"\n...\na..\n..c\n\"\"\"\n";

fn puzzle(text: &str) -> Puzzle {
    Puzzle::parse(text, "p.toml").unwrap_or_else(|report| panic!("{report}"))
}

/// Returns the output of `engine solve` for a puzzle.
fn written(puzzle: &Puzzle, format: &TranscriptFormat, all_shortest: Option<usize>) -> String {
    let solution =
        puzzle.solve(&Options { all_shortest, ..Options::default() }).expect("the default algorithm solves it");
    format.text(&Solved::new("dir/p.toml", puzzle, &solution))
}

fn refused(puzzle: &Puzzle, transcript: &str) -> String {
    match verify(puzzle, "p.toml", transcript) {
        Err(Failure::Refused(why)) => why,
        other => panic!("not refused, but {other:?}:\n{transcript}"),
    }
}

fn unreadable(puzzle: &Puzzle, transcript: &str) -> String {
    match verify(puzzle, "p.toml", transcript) {
        Err(Failure::Unreadable(why)) => why,
        other => panic!("not unreadable, but {other:?}:\n{transcript}"),
    }
}

/// Returns the cost of each solution in a transcript.
fn costs(puzzle: &Puzzle, transcript: &str) -> Vec<f64> {
    let verified = verify(puzzle, "p.toml", transcript).unwrap_or_else(|failure| panic!("{failure}:\n{transcript}"));
    assert!(verified.independent, "these domains have rules of their own");
    verified.solutions.iter().map(|one| one.cost).collect()
}

#[test]
fn every_format_is_detected_from_its_content() {
    let five = puzzle(FIVE);
    for format in [&TEXT, &MOVES, &JSON] {
        let transcript = written(&five, format, None);
        assert_eq!(costs(&five, &transcript), [5.0], "{}", format.name);
        assert_eq!(costs(&five, &transcript.replace('\n', "\r\n")), [5.0], "{} from elsewhere", format.name);
    }
    assert_eq!(costs(&five, "[\"4d\", \"1l\", \"2u\", \"5u\", \"8l\"]"), [5.0], "an array of moves");
    assert_eq!(costs(&five, "4d 1l\n2u\n\n5u\t8l"), [5.0], "broken lines");
    let bracket = puzzle(&FIVE.replace("Five", "[5] {moves}"));
    assert_eq!(costs(&bracket, &written(&bracket, &TEXT, None)), [5.0], "a title that looks like JSON");
    assert_eq!(costs(&five, "U R D D R"), [5.0], "the path of the blank");
    assert_eq!(costs(&five, "U 1l D 5u R"), [5.0], "both notations");
}

#[test]
fn all_of_several_solutions_are_replayed() {
    let blocks = puzzle(BLOCKS);
    for format in [&TEXT, &MOVES, &JSON] {
        let transcript = written(&blocks, format, Some(3));
        let costs = costs(&blocks, &transcript);
        assert!(costs.len() > 1 && costs.iter().all(|&cost| cost == costs[0]), "{}: {costs:?}", format.name);
        let last = transcript.rfind("ad1").expect("some move of the last solution");
        let wrong = format!("{}au1{}", &transcript[..last], &transcript[last + 3..]);
        let why = refused(&blocks, &wrong);
        assert!(why.starts_with(&format!("solution {}: move ", costs.len())) && why.contains("`au1`"), "{why}");
    }
}

#[test]
fn a_move_that_is_not_legal_is_named_by_its_number() {
    let five = puzzle(FIVE);
    assert_eq!(refused(&five, "4d 5l"), "move 2, `5l`: the blank is not left of tile 5");
    assert_eq!(refused(&five, "L"), "move 1, `L`: there is no cell left of the blank");
    assert_eq!(refused(&five, "UU"), "move 1, `UU`: in the metric `single` a move is one cell");
    assert_eq!(refused(&five, "9l"), "move 1, `9l`: there is no tile 9");
    assert_eq!(refused(&five, "0u"), "move 1, `0u`: there is no tile 0");
    assert_eq!(
        refused(&five, "99999999999999999999u"),
        "move 1, `99999999999999999999u`: there is no tile 99999999999999999999"
    );
    for nonsense in ["x", "4", "4dd", "d", "4é", "é"] {
        assert!(refused(&five, nonsense).contains("a move is a tile and `u`"), "{nonsense}");
    }
    let multi = puzzle(&FIVE.replace("start", "metric = \"multi\"\nstart"));
    assert_eq!(replay(&multi, &["6l"]).unwrap_err(), "the position after move 1, the last, is not a goal");
    assert_eq!(refused(&multi, "RD"), "move 1, `RD`: a move goes in one direction");
    assert_eq!(refused(&multi, "RRR"), "move 1, `RRR`: there is no cell right of the blank");
    assert_eq!(refused(&multi, "1l"), "move 1, `1l`: the blank is not left of tile 1, in one line with it");
    let blocks = puzzle(BLOCKS);
    assert_eq!(refused(&blocks, "ar2"), "move 1, `ar2`: `b` is on [0, 2]");
    assert_eq!(refused(&blocks, "al1"), "move 1, `al1`: the board ends there");
    assert_eq!(refused(&blocks, "bd1"), "move 1, `bd1`: only pieces that a goal names enter the gate on [2, 2]");
    assert_eq!(refused(&blocks, "ad1u1"), "move 1, `ad1u1`: the piece ends where it was");
    for nonsense in ["z", "zl1", "al", "al0", "a", "al99999999999", "1"] {
        assert!(refused(&blocks, nonsense).contains("unknown piece"), "{nonsense}");
    }
    for (metric, written, why) in [("slide", "ad1r1", "a move is one line"), ("step", "ad2", "a move is one cell")] {
        let other = puzzle(&BLOCKS.replace("\"turn\"", &format!("\"{metric}\"")));
        assert!(refused(&other, written).ends_with(why), "{metric}");
    }
}

#[test]
fn a_solution_with_one_move_more_less_or_elsewhere_is_refused() {
    let five = puzzle(FIVE);
    let moves: Vec<&str> = "4d 1l 2u 5u 8l".split(' ').collect();
    for at in 0..moves.len() {
        let mut dropped = moves.clone();
        dropped.remove(at);
        let mut repeated = moves.clone();
        repeated.insert(at, moves[at]);
        let mut swapped = moves.clone();
        swapped.swap(at, (at + 1) % moves.len());
        for changed in [dropped, repeated, swapped] {
            assert!(replay(&five, &changed).is_err(), "{changed:?}");
        }
    }
    assert_eq!(refused(&five, ""), "there are no moves, and the start is not a goal");
}

#[test]
fn every_claim_of_a_text_is_checked() {
    let five = puzzle(FIVE);
    let text = written(&five, &TEXT, None);
    let but = |from: &str, to: &str| {
        assert!(text.contains(from), "{from} is not in\n{text}");
        refused(&five, &text.replacen(from, to, 1))
    };
    assert_eq!(but("cost       5", "cost       4"), "it claims the cost 4, but its moves cost 5");
    assert!(
        but("start\n4 1 3\n. 2 6", "start\n4 1 3\n2 . 6").starts_with("the start differs from that of the puzzle\n")
    );
    let elsewhere = but("2. 1l\n1 . 3", "2. 1l\n. 1 3");
    assert!(
        elsewhere.starts_with("move 2, `1l`, leads to another position\nthe transcript shows\n  . 1 3\n"),
        "{elsewhere}"
    );
    assert!(elsewhere.ends_with("the rules give\n  1 . 3\n  4 2 6\n  7 5 8\n"), "{elsewhere}");
    let (before, after) = text.split_once("2. 1l").expect("the second move");
    let without = format!("{before}{}", &after[after.find("3. ").expect("the third")..]);
    assert_eq!(unreadable(&five, &without), "move 1 is followed by a move with the number 3");
    for wrong in ["V", "NaN", "inf", "-infinity"] {
        let text = text.replace("cost       5", &format!("cost       {wrong}"));
        assert_eq!(unreadable(&five, &text), "its line `cost` has no number", "{wrong}");
    }
    let cut = &text[..text.find("\n5. ").expect("the last move")];
    assert_eq!(refused(&five, cut), "the position after move 4, the last, is not a goal");
    assert_eq!(unreadable(&five, &text[..text.find("start").expect("a start")]), "it has no start");
}

#[test]
fn the_puzzles_own_transcript_is_selected_from_several() {
    let (five, blocks) = (puzzle(FIVE), puzzle(BLOCKS));
    let of = |format: &TranscriptFormat| {
        written(&five, format, None)
            + if format.name == TEXT.name { "\n" } else { "" }
            + &written(&blocks, format, None)
    };
    assert_eq!(costs(&five, &of(&TEXT)), [5.0]);
    assert_eq!(costs(&blocks, &of(&TEXT)), costs(&blocks, &written(&blocks, &TEXT, None)));
    let other = puzzle(&FIVE.replace("Five", "Six"));
    assert_eq!(unreadable(&other, &of(&TEXT)), "none of its 2 transcripts has the title `Six`");
    let lines = of(&JSON).replacen("dir/p.toml", "dir/q.toml", 1);
    assert!(verify(&five, "other/q.toml", &lines).is_ok(), "by the file's name");
    assert!(verify(&five, "dir/q.toml", &lines).is_ok(), "by its path");
    assert!(matches!(verify(&five, "dir/p.toml", &lines), Err(Failure::Refused(_))), "the other one's");
    assert_eq!(
        verify(&five, "r.toml", &lines).unwrap_err().to_string(),
        "none of its 2 lines is for the file `r.toml`"
    );
}

#[test]
fn a_transcript_without_a_solution_is_refused() {
    let none = puzzle(&FIVE.replace("7 5 8", "5 7 8"));
    let text = refused(&none, &written(&none, &TEXT, None));
    let claim = "nothing to verify: the transcript claims `unsolvable: the board is an even permutation of the goal (";
    assert!(text.starts_with(claim), "{text}");
    let json = refused(&none, &written(&none, &JSON, None));
    assert_eq!(json, "nothing to verify: the transcript claims `outcome`: `unsolvable`");
}

#[test]
fn invalid_json_is_unreadable() {
    let five = puzzle(FIVE);
    for (text, why) in [
        ("{\"moves\": [", "its JSON cannot be read"),
        ("{}", "no field `moves`"),
        ("[1, 2]", "not all strings"),
        ("{\"moves\": [null]}", "not all strings"),
        ("{\"file\": 3} {\"file\": 3}", "none of its 2 lines"),
    ] {
        assert!(unreadable(&five, text).contains(why), "{text}");
    }
    assert!(refused(&five, "{\"moves\": [], \"cost\": 0}").starts_with("there are no moves"));
    let good = written(&five, &JSON, None);
    for wrong in ["\"5\"", "[5]", "true"] {
        let why = unreadable(&five, &good.replace("\"cost\":5", &format!("\"cost\":{wrong}")));
        assert_eq!(why, "its `cost` is not a number", "{wrong}");
    }
    assert_eq!(refused(&five, &good.replace("\"cost\":5", "\"cost\":6")), "it claims the cost 6, but its moves cost 5");
}

#[test]
fn a_board_that_is_not_drawn_is_verified_by_its_moves() {
    let wide = puzzle(
        "title = \"w\"\ndomain = \"sliding-tile\"\nrows = 2\ncolumns = 101\nscramble = { moves = 4, seed = 1 }\n",
    );
    let text = written(&wide, &TEXT, None);
    assert!(text.contains("too large to be drawn"), "{text}");
    assert_eq!(costs(&wide, &text), [replay(&wide, &wide.solve(&Options::default()).unwrap().moves()).unwrap().cost]);
    assert_eq!(costs(&wide, &written(&wide, &TEXT, Some(2)))[0], costs(&wide, &text)[0]);
    let line = text.lines().find(|line| line.contains("too large to be drawn")).expect("it stands for the start");
    assert!(refused(&wide, &text.replace(line, "another start")).starts_with("the start differs"));
}

#[test]
fn the_start_above_moves_on_a_line_and_moves_beside_all_solutions_are_checked() {
    let five = puzzle(FIVE);
    let five_in_text = written(&five, &TEXT, None);
    let (header, _) = five_in_text.split_once("\nstart\n").expect("the start has a heading");
    let text = |start: &str| format!("{header}\nstart\n{start}\n\nmoves\n4d 1l 2u 5u 8l\n");
    assert_eq!(costs(&five, &text("4 1 3\n. 2 6\n7 5 8")), [5.0]);
    assert!(refused(&five, &text("4 1 3\n2 . 6\n7 5 8")).starts_with("the start differs"));
    let blocks = puzzle(BLOCKS);
    let json = written(&blocks, &JSON, Some(3));
    let mut row: serde_json::Value = serde_json::from_str(&json).expect("a line of JSON");
    let listed = costs(&blocks, &json).len();
    let found = row["moves"].take();
    row["moves"] = serde_json::json!(["bogus"]);
    assert!(refused(&blocks, &row.to_string()).contains("`bogus`"));
    row["moves"] = found.clone();
    row["all"].as_array_mut().expect("solutions").retain(|one| *one != found);
    assert_eq!(costs(&blocks, &row.to_string()).len(), listed, "the solution that was found need not be listed");
}

#[test]
fn a_plain_search_counts_every_state_and_reports_its_progress() {
    let dials = puzzle(
        "title = \"Dials\"\ndomain = \"rules\"\nstart = { dial = 0 }\ngoal = { dial = 9 }\n[variables]\n\"dial[1..3]\" = \"0..9\"\n\
         [[rules]]\nname = \"turn {d}\"\nfor = { d = \"1..3\" }\nthen = { \"dial[d]\" = \"dial[d] + 1\" }\n",
    );
    let gauge = Arc::new(Gauge::default());
    let limits = Limits { gauge: Some(Arc::clone(&gauge)), ..Limits::default() };
    let (mut rules, independent) = dials.rules();
    let searched =
        search(&mut *rules, f64::INFINITY, &limits, &|_| false, &mut |_, _| Ok(())).expect("the rules have positions");
    assert!(independent);
    assert_eq!((searched.states, searched.end), (1000, End::Goal(27.0)));
    let by_depth = searched.by_depth.expect("every move costs 1");
    assert_eq!((by_depth.len(), by_depth.iter().sum(), &by_depth[..4]), (28, 1000, &[1, 3, 6, 10][..]));
    let reading = gauge.read();
    assert_eq!((reading.doing, reading.expanded), (Some("plain search"), 933), "{reading:?}");
    assert!(reading.lower_bound > 10.0 && reading.memory > 0, "{reading:?}");
}

/// Moves whose names continue each other: `a b` is one move or two.
const SPACED: &str = "title = \"Spaced\"\ndomain = \"rules\"\nstart = { n = 0 }\ngoal = { n = 2 }\n[variables]\nn = '0..9'\n\
    [[rules]]\nname = 'a'\nwhen = 'n == 0'\nthen = { n = 1 }\n\
    [[rules]]\nname = 'b'\nwhen = 'n == 1'\nthen = { n = 2 }\n\
    [[rules]]\nname = 'a b'\nwhen = 'n == 0'\nthen = { n = 5 }\n\
    [[rules]]\nname = 'b b'\nwhen = 'n == 1'\nthen = { n = 2 }\n";

/// Rules whose one move is given up.
struct GivenUp(bool);

impl Rules for GivenUp {
    fn play(&mut self, _written: &str) -> Result<(), String> {
        self.0 = true;
        Err("it takes too long".to_owned())
    }

    fn is_solved(&self) -> bool {
        false
    }

    fn cost(&self) -> f64 {
        0.0
    }

    fn draw(&self) -> String {
        String::new()
    }

    fn position(&self) -> Option<Vec<u32>> {
        Some(Vec::new())
    }

    fn candidates(&self) -> Vec<String> {
        vec!["on".to_owned()]
    }

    fn gave_up(&self) -> bool {
        self.0
    }
}

#[test]
fn a_plain_search_proves_nothing_once_a_move_is_given_up() {
    let limits = Limits::default();
    let found =
        search(&mut GivenUp(false), f64::INFINITY, &limits, &|_| false, &mut |_, _| Ok(())).expect("it has positions");
    assert_eq!(found.end, End::Limit(Limit::Work, 0.0));
}

#[test]
fn moves_with_spaces_are_written_one_a_line() {
    let spaced = puzzle(SPACED);
    let one = written(&spaced, &MOVES, None);
    assert_eq!(one, "a\nb\n");
    assert_eq!(costs(&spaced, &one), [2.0], "each line is one move, though `a b` is legal, too");
    assert_eq!(super::moves_of(&spaced, "p.toml", &one), Ok(vec!["a".to_owned(), "b".to_owned()]));
    let all = written(&spaced, &MOVES, Some(9));
    assert_eq!(all, "a\nb\n\na\nb b\n");
    assert_eq!(costs(&spaced, &all), [2.0, 2.0]);
    assert_eq!(costs(&spaced, &all.replace('\n', "\r\n")), [2.0, 2.0]);
    assert!(refused(&spaced, &all.replace("b b", "b c")).starts_with("solution 2: move 2, `b c`: "));
    assert!(refused(&spaced, "a\nb c\n").starts_with("move 2, `b c`: "));
    let plain = puzzle(&SPACED.replace("'a b'", "'c d'"));
    assert_eq!(costs(&plain, "a b b\n"), [2.0], "the form on one line is still read");
    assert_eq!(costs(&plain, "a b b\na b b\n"), [2.0, 2.0], "a solution on each line");
    assert_eq!(costs(&spaced, "a\nb\n\n"), [2.0], "a blank line at the end");
    let numbered = puzzle(&SPACED.replace("'a b'", "'c'").replace("'b b'", "'b'"));
    assert!(!numbered.has_spaced_moves());
    assert_eq!(written(&numbered, &MOVES, None), "a b\n");
    let all = written(&numbered, &MOVES, Some(9));
    assert_eq!(all, "a\nb\n\na\nb #2\n", "moves with the same name are numbered");
    assert_eq!(costs(&numbered, &all), [2.0, 2.0]);
}

#[test]
fn moves_that_look_like_json_or_a_header_are_moves() {
    for (a, b) in
        [("[\"go\"]", "b"), ("[1]", "[2]"), ("[go", "b"), ("[\"b\"]", "b"), ("{go}", "b"), ("x y", "domain 2")]
    {
        // A brace in a name begins a parameter, so it can occur only in a value.
        let family = |name: &str| match name.strip_prefix('{') {
            Some(_) => format!("'{{k}}'\nfor = {{ k = ['{name}'] }}"),
            None => format!("'{name}'"),
        };
        let text = SPACED.replace("'a'", &family(a)).replace("'b'", &family(b)).replace("'b b'", "'c'");
        let named = puzzle(&text);
        for format in [&TEXT, &MOVES, &JSON] {
            assert_eq!(costs(&named, &written(&named, format, None)), [2.0], "{a}, {b}, {}", format.name);
        }
        let transcript = written(&named, &MOVES, None);
        assert_eq!(super::moves_of(&named, "p.toml", &transcript), Ok(vec![a.to_owned(), b.to_owned()]));
    }
    let headed = "title = \"Headed\"\ndomain = \"rules\"\nstart = { n = 0 }\ngoal = { n = 1 }\n[variables]\nn = '0..1'\n\
        [[rules]]\nname = 'a'\nthen = { n = 1 }\n[[rules]]\nname = 'domain b'\nthen = { n = 1 }\n";
    let headed = puzzle(headed);
    let all = written(&headed, &MOVES, Some(9));
    assert_eq!(all, "a\n\ndomain b\n", "a line, a blank one, and the beginning of a header");
    assert_eq!(costs(&headed, &all), [1.0, 1.0]);
    let spaced = puzzle(SPACED);
    assert_eq!(refused(&spaced, "[\"b\"]"), "move 1, `b`: its condition, `when`, does not hold here");
    assert!(unreadable(&spaced, "[\"b\"").starts_with("its JSON cannot be read"));
}
