//! Tests the reports on bad puzzle files. Each report is a snapshot, so that someone reviews each change of wording.
//! Any bad file yields a report with a location, never a panic.

use crate::support::dice::{Dice, scaled};
use crate::support::program::{folder, run};
use crate::support::{files_below, root};
use engine::Puzzle;
use std::fs;

/// Returns the report on a text that is no valid puzzle.
fn report(text: &str) -> String {
    match Puzzle::parse(text, "puzzle.toml") {
        Ok(_) => panic!("this was accepted:\n{text}"),
        Err(report) => report.to_string(),
    }
}

macro_rules! reports {
    ($($name:ident: $text:expr;)*) => {
        $(#[test]
        fn $name() {
            insta::with_settings!({ omit_expression => true }, {
                insta::assert_snapshot!(report($text));
            });
        })*
    };
}

reports! {
    a_ladder_without_keys: "title = \"x\"\ndomain = \"word-ladder\"\nedits = []\n";
    a_ladder_of_wrong_values: "title = \"x\"\ndomain = \"word-ladder\"\nstart = 3\ngoal = \"dog\"\nwords = { a = 1 }\nedits = [\"chang\", \"swap\"]\n";
    a_ladder_of_invalid_words: "title = \"x\"\ndomain = \"word-ladder\"\nstart = \"cat\"\ngoal = \"dog\"\n\
        words = [\"cat\", \"ice cream\", \"\", \"do\\u0007g\"]\nedits = [\"swap\"]\n";
    a_ladder_between_unlisted_words: "title = \"x\"\ndomain = \"word-ladder\"\nstart = \"Cat\"\ngoal = \"dgo\"\nwords = [\"cat\", \"dog\"]\n";
    a_ladder_with_accents: "title = \"x\"\ndomain = \"word-ladder\"\nstart = \"cafe\u{301}\"\ngoal = \"xyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzyxyzzy\"\nwords = [\"ca\u{301}fe\"]\n";
    a_ladder_of_no_words: "title = \"x\"\ndomain = \"word-ladder\"\nstart = \"a\"\ngoal = \"b\"\nwords = []\n";
    a_list_of_words_that_is_not_there: "title = \"x\"\ndomain = \"word-ladder\"\nstart = \"a\"\ngoal = \"b\"\nwords = \"no/words.txt\"\n";
    an_empty_file: "";
    not_toml: "title = \"x\ndomain = klotski\n";
    a_key_twice: "title = \"a\"\ntitle = \"b\"\ndomain = \"klotski\"\n";
    unknown_domain: "title = \"x\"\ndomain = \"sliding-tiles\"\n";
    domain_of_another_type: "title = \"x\"\ndomain = 3\n";
    unknown_keys_at_every_level: "titel = \"x\"\ndomain = \"sliding-tile\"\nstrat = \"1 0\"\n[search]\nalgorith = \"bfs\"\n\
        [expect]\ncosts = 1\n";
    an_array_of_tables: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\n[[search]]\nalgorithm = \"bfs\"\n";
    errors_in_the_start_and_in_the_goal: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\nab.\na.\n\"\"\"\ngoal = [\"\"\"\n. a\n...\n\"\"\", 3]\n";
    a_board_that_is_too_large: &format!("title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\n{}\"\"\"\ngoal = \"a\"\n", format!("a{}\n", ".".repeat(40)).repeat(40));
    a_tile_on_one_cell: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"5\"\n";
    invisible_pieces: "title = \"a\\tb\"\ndomain = \"klotski\"\nstart = \"a\u{200b}\\u001b.\"\ngoal = \"...a\"\n";
    a_cell_of_three_numbers_in_gates: "title = \"x\"\ndomain = \"klotski\"\nstart = \"a.\"\ngoal = \".a\"\ngates = [[0, 0, 0]]\n";
    a_list_without_a_size: "title = \"x\"\ndomain = \"klotski\"\nrows = 2\ngoal = { a = [0, 0] }\n";
    wrong_lists_of_pieces: "title = \"x\"\ndomain = \"klotski\"\nrows = 3\ncolumns = 3\nwalls = [[2, 2]]\n\
        goal = { aa = [2, 0], square = [1, 1], thing = [0] }\n[shapes]\nsquare = [\"##\", \"##\"]\nedge = [\"#.\", \"#.\"]\n\
        odd = [\"#x\", \"#\"]\n[pieces]\na = { shape = \"square\", at = [0, 0] }\nb = { shape = \"squares\", at = [1, 1] }\n\
        c = { shape = \"square\", at = [1, 1] }\nd = { shape = \"square\", at = [0, 1] }\ne = { at = [9, 9] }\nsquare = { shape = \"square\" }\n\
        \"f-g\" = { shape = \"square\", at = [0, 0], mvoes = \"any\" }\n";
    lists_and_a_drawing: "title = \"x\"\ndomain = \"klotski\"\nrows = 1\nstart = \"ab.\"\ngoal = { a = [0, 2] }\n\
        [pieces.a]\nmoves = \"any\"\nat = [0, 0]\n[pieces.c]\nmoves = \"none\"\n";
    a_list_that_is_too_large: "title = \"x\"\ndomain = \"klotski\"\nrows = 4000000000\ncolumns = 4000000000\ngoal = { a = [0, 0] }\n";
    unknown_names: "title = \"x\"\ndomain = \"klotski\"\nmetric = \"slied\"\nmoves = \"up\"\nstart = \"a.\"\ngoal = \".a\"\n\
        [search]\nalgorithm = \"a-sta\"\nheuristic = \"manhattan\"\n[expect]\noutcome = \"solvd\"\n";
    values_of_another_type: "title = 1\ndomain = \"klotski\"\nstart = [1]\ngoal = 5\nwalls = [[0, -1]]\ngates = [[0]]\n\
        metric = 3\n[search]\ndepth_limit = -4\n[expect]\ncost = \"many\"\n";
    missing_keys: "title = \"x\"\ndomain = \"klotski\"\n\n[expect]\ncost = 3\n";
    a_contradiction: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\n[expect]\noutcome = \"unsolvable\"\ncost = 3\n";
    ragged_tiles: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2 3\n4 5\n6 7 8 0\n\"\"\"\n";
    tiles_twice_and_missing: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2 2\n4 5 6\n7 7 0\n\"\"\"\n";
    tiles_out_of_range: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n1 2 99999999999999999999\n4 x 6\n7 8 -1\n\"\"\"\n";
    an_empty_board: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n \n\n\"\"\"\n";
    a_goal_of_another_size: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 2 0\"\ngoal = \"\"\"\n1 2\n3 0\n\"\"\"\n";
    an_array_in_the_place_of_a_table: "title = \"x\"\ndomain = \"sliding-tile\"\nrows = 3\ncolumns = 3\nscramble = [3, 7]\n";
    a_cell_of_three_numbers_in_a_maze: "title = \"x\"\ndomain = \"maze\"\nmap_file = \"puzzles/mazes/maps/grove.map\"\nstart = [0, 0, 0]\n\
        goal = [[0], 0]\n";
    numbers_out_of_range: "title = \"x\"\ndomain = \"klotski\"\nstart = \"a.\"\ngoal = \".a\"\n[search]\nclosed_limit = 0\n\
        depth_limit = 0xfff_fff_fff\nweight = 1e999\n[expect]\ncost = 99999999999999999999999999999999999999999999\n";
    an_unknown_goal_name: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 2 0\"\ngoal = \"blank-frist\"\n";
    no_start_at_all: "title = \"x\"\ndomain = \"sliding-tile\"\n";
    two_starts: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\nstart_file = \"b.txt\"\nrows = 1\n";
    a_scramble_without_a_size: "title = \"x\"\ndomain = \"sliding-tile\"\nscramble = { moves = 3 }\n";
    a_wrong_scramble: "title = \"x\"\ndomain = \"sliding-tile\"\nrows = 3\ncolumns = 40000\n\
        scramble = { seed = -1, movs = 3 }\nsurface = \"tours\"\nmetric = \"mutli\"\n";
    rows_pushed_across_an_edge: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\nsurface = \"torus\"\n\
        metric = \"multi\"\ngoal = \"blank-frist\"\n";
    a_heuristic_that_overestimates: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\nmetric = \"multi\"\n\
        [search]\nheuristic = \"hamming\"\n";
    a_weight_that_is_too_small: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\n[search]\nweight = 0.5\nautomaton = 1\n";
    groups_of_another_size: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 2 0\"\npattern_database = \"ab\"\n";
    groups_of_unknown_tiles: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 2 0\"\n\
        pattern_database = [[1, 2], [3, 1], []]\n";
    a_group_that_is_too_large: "title = \"x\"\ndomain = \"sliding-tile\"\nrows = 4\ncolumns = 4\nscramble.seed = 1\n\
        pattern_database = \"\"\"\naaaa\naaaa\nabbb\nbbb.\n\"\"\"\n";
    a_heuristic_for_the_plane: "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 0\"\nsurface = \"torus\"\n\
        [search]\nheuristic = \"walking-distance\"\n";
    a_board_file_that_is_not_there: "title = \"x\"\ndomain = \"sliding-tile\"\nstart_file = \"no-such-board.txt\"\n";
    too_large_to_pack: "title = \"x\"\ndomain = \"sliding-tile\"\nrepresentation = \"packed\"\nstart = \
        \"0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25\"\n";
    ragged_blocks: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\nab.\nab\n\"\"\"\ngoal = \"\"\"\n..a\n..a\n\"\"\"\n";
    white_space_in_blocks: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\na b\n\"\"\"\ngoal = \"\"\"\n..a\n\"\"\"\n";
    a_name_that_goes_on_with_a_path: "title = \"x\"\ndomain = \"klotski\"\nmetric = \"turn\"\nrows = 3\ncolumns = 3\ngoal = { a = [0, 0] }\n[shapes]\ndot = [\"#\"]\n[pieces]\na = { shape = \"dot\", at = [1, 1] }\nau1 = { shape = \"dot\", at = [2, 2] }\n";
    a_goal_piece_that_is_not_there: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\nab.\n\"\"\"\ngoal = \"\"\"\n.cc\n\"\"\"\n";
    a_goal_with_too_many_pieces_of_a_shape: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\nab..\n\"\"\"\ngoal = \"\"\"\na1.2\n\"\"\"\n";
    a_goal_outline_on_a_wall: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\nab.\n\"\"\"\nwalls = [[0, 2]]\ngoal = \"\"\"\n..1\n\"\"\"\n";
    wrong_lists_of_places: "title = \"x\"\ndomain = \"klotski\"\nrows = 2\ncolumns = 2\ngoal = [{ a = [[0, 1], [1, 1]] }, { one = [[0, 0], [0, 1], [1, 1]] }, { one = [[0, 0], [0, 0]] }, { one = [[0, 0], [0, 2]] }, { one = [[0, 0], 1] }]\n[shapes]\none = [\"#\"]\n[pieces]\na = { shape = \"one\", at = [0, 0] }\nb = { shape = \"one\", at = [1, 0] }\n";
    a_goal_piece_of_another_shape: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\naa.\n...\n\"\"\"\ngoal = \"\"\"\n..a\n..a\n\"\"\"\n";
    a_goal_piece_turned_over: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\naab\na..\n\"\"\"\ngoal = \"\"\"\n.aa\n..a\n\"\"\"\n";
    a_goal_on_a_wall: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\na.#\n\"\"\"\ngoal = \"\"\"\n..a\n\"\"\"\n";
    a_goal_that_names_nothing: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\"\"\na..\n\"\"\"\ngoal = \"\"\"\n...\n\"\"\"\n";
    no_goal_at_all: "title = \"x\"\ndomain = \"klotski\"\nstart = \"a.\"\ngoal = []\n";
    blocks_of_another_size: "title = \"x\"\ndomain = \"klotski\"\nstart = \"a.\"\ngoal = [\".a\", \"..a\"]\n";
    walls_and_gates_off_the_board: "title = \"x\"\ndomain = \"klotski\"\nwalls = [[0, 0], [5, 0]]\ngates = [[0, 9]]\n\
        start = \"a.\"\ngoal = \".a\"\n";
    an_error_after_escapes: "title = \"x\"\ndomain = \"klotski\"\nstart = \"\\u0061b.\\n\\ta..\"\ngoal = \".a.\"\n";
    an_error_after_accents_and_crlf: "title = \"Ärger\"\r\ndomain = \"klotski\"\r\nstart = \"\"\"\r\näö.\r\nä .\r\n\"\"\"\r\n\
        goal = \"\"\"\r\n..ä\r\n..ä\r\n\"\"\"\r\n";
    wrong_cycles: "title = \"x\"\ndomain = \"permutation\"\nsolved = \"abcd\"\nscramble = \"A\"\n[moves]\nA = \"(1 2 (3) 5 2)(4\"\n\
        B = \"(1 2)(2 3) 4\"\nC = \"(1)(2)\"\nD = \"(x 0)\"\nR2 = \"(1 2)\"\nE = 5\n";
    a_scramble_with_wrong_moves: "title = \"x\"\ndomain = \"permutation\"\nsolved = \"abcd\"\nscramble = \"Turn trun Turn4 Turn0 RTurn r2\"\n\
        [moves]\nTurn = \"(1 2 3 4)\"\nR = \"(1 2)\"\n";
    a_start_of_other_labels: "title = \"x\"\ndomain = \"permutation\"\nsolved = [\"red\", \"red\", 1, 2]\nstart = [\"reed\", 1, 1, 2]\n\
        layout = \"\"\"\n1 2 x\n2 5\n\"\"\"\n[moves]\nT = \"(1 2)\"\n[colors]\nred = \"rde\"\ngreen = \"#12\"\n";
    a_start_of_another_length: "title = \"x\"\ndomain = \"permutation\"\nsolved = \"aabb\"\nstart = \"aab\"\n[moves]\nT = \"(1 2)\"\n";
    an_empty_permutation: "title = \"x\"\ndomain = \"permutation\"\nsolved = \"\"\nmetric = \"quarter\"\n";
    a_permutation_without_a_start: "title = \"x\"\ndomain = \"permutation\"\nsolved = [1, 2]\n[moves]\n";
    two_starts_of_a_permutation: "title = \"x\"\ndomain = \"permutation\"\nsolved = [1, 2]\nstart = [2, 1]\nscramble = {}\n[moves]\nT = \"(1 2)\"\n";
    a_permutation_scrambled_without_a_seed: "title = \"x\"\ndomain = \"permutation\"\nsolved = [1, 2.5]\nscramble = { moves = -1 }\n\
        pattern_database = [[1, 3], [2, 2]]\n[moves]\nT = \"(1 2)\"\n";
    wrong_groups_of_a_permutation: "title = \"x\"\ndomain = \"permutation\"\nsolved = \"ab\"\nscramble.seed = 1\n\
        pattern_database = [[1, 3], [2, 2]]\n[moves]\nT = \"(1 2)\"\n";
    a_wrong_maze: "title = \"x\"\ndomain = \"maze\"\nmap = \"\"\"\nSs.\n0G.\nSxG\n\"\"\"\nmoves = \"diagnoal\"\n";
    a_wrong_legend_of_a_maze: "title = \"x\"\ndomain = \"maze\"\nportals = \"AA@\"\nmap = \"SAG\"\n[costs]\n5 = 6\nab = 2\nc = 0\nd = 20000\n";
    portals_of_a_maze_without_a_twin: "title = \"x\"\ndomain = \"maze\"\nportals = \"ABC\"\nmap = \"SABBBG\"\n";
    corners_without_diagonal_moves: "title = \"x\"\ndomain = \"maze\"\ncorners = \"one\"\nmap = \"S.G\"\n";
    goals_of_a_maze_off_the_map: "title = \"x\"\ndomain = \"maze\"\nmap_file = \"puzzles/mazes/maps/grove.map\"\nstart = [0, 0]\n\
        goal = [[0, 4], [0, 4], [99, 0]]\n";
    a_maze_without_ends: "title = \"x\"\ndomain = \"maze\"\nmap = \"...\"\n";
    a_ragged_maze: "title = \"x\"\ndomain = \"maze\"\nmap = \"\"\"\nS..\n..G.\n\"\"\"\n";
    a_maze_without_a_map: "title = \"x\"\ndomain = \"maze\"\nstart = [0, 0]\n";
    a_maze_with_two_maps: "title = \"x\"\ndomain = \"maze\"\nmap = \"SG\"\nmap_file = \"x.map\"\nstart = [0, 0]\ngoal = [0, 1]\n";
    a_map_that_is_not_there: "title = \"x\"\ndomain = \"maze\"\nmap_file = \"no-such.map\"\nstart = [0]\n";
    a_start_off_the_map: "title = \"x\"\ndomain = \"maze\"\nmap_file = \"puzzles/mazes/maps/grove.map\"\nstart = [24, 0]\ngoal = [0, 1]\n";
    manhattan_with_diagonal_moves: "title = \"x\"\ndomain = \"maze\"\nmap = \"S.G\"\nmoves = \"diagonal\"\n[search]\nheuristic = \"manhattan\"\n";
    control_characters_are_not_echoed: "title = \"x\"\ndomain = \"\\u001b[31mred\"\n";
}

/// Returns a puzzle file of the domain `rules`.
fn rules(text: &str) -> String {
    format!("title = \"x\"\ndomain = \"rules\"\n{text}")
}

reports! {
    rules_without_keys: &rules(r#""#);
    a_wrong_grid_and_wrong_rules: &rules(r#"start = """
ab.
a?
"""
goal = """
..
"""
[sets]
b = "12"
[[rules]]
name = "go"
form = "a."
to = ".a"
"#);
    drawings_of_a_rule_that_do_not_fit: &rules(r#"start = "a.b"
goal = "b.a"
[sets]
N = "ab"
[maps]
m = { a = "b" }
[[rules]]
name = "go {M} {9,9}"
from = "m."
to = "N.."
at = [0, 7]
on = "x?"
[[rules]]
name = "nothing"
turns = true
[[rules]]
name = "go"
from = "N."
to = ".M"
"#);
    expressions_that_cannot_be_read: &rules(r#"start = { farmer = "left", jug = 3, disk = "a" }
goal = "farmer = right"
never = ["famer == left", "jug == left", "jug + 1", "disk == a", "disk[1, 2] == a", "farmer == lft", "(jug"]
[variables]
farmer = ["left", "right"]
jug = "0..5"
"disk[1..2]" = ["a", "b"]
[[rules]]
name = "cross"
when = ["jug in 1", "othr(farmer) == left", "all(i in 1..2: disk[i])"]
then = { farmer = "right +", jg = 3, "disk[x]" = "a" }
cost = "farmer"
"#);
    wrong_variables: &rules(r#"start = { farmer = "lift", jug = 9, disk = ["a"], boat = 1 }
goal = { farmer = "right", jgu = 3 }
[variables]
farmer = ["left", "right", "left"]
jug = "0..5"
"disk[1..2]" = ["a", "b"]
"9x" = [1]
count = [1, 2]
torch = []
huge = "0..99999"
"many[1..999, 1..999]" = [1, 2]
[[rules]]
name = "cross"
then = { farmer = "right" }
"#);
    a_variable_without_a_start: &rules(r#"start = { farmer = "left" }
goal = { farmer = "right" }
[variables]
farmer = ["left", "right"]
boat = ["left", "right"]
[[rules]]
name = "cross"
then = { farmer = "right" }
"#);
    goals_with_unknown_symbols: &rules(r#"start = "o.o"
goal = [{ count = { x = 1, o = "many" }, every = { o = "x" }, when = 3 }, "oxo", {}, "o"]
[[rules]]
name = "jump"
from = "oo."
to = "..o"
"#);
    a_rule_that_explodes: &rules(r#"start = { a = 0 }
goal = "a[1] == 9"
[variables]
"a[1..9]" = "0..9"
[[rules]]
name = "sort"
when = "sum(i in 1..9: a[i]) % 7 == 3"
then = { "a[1]" = "a[2]" }
[[rules]]
name = "fine"
then = { "a[i] for i in 1..9" = "9" }
"#);
    wrong_keys_of_rules: &rules(r#"start = "ab."
goal = "jgu == 3"
never = ["(a"]
[[rules]]
name = "go"
form = "a."
to = ".a"
mirrored = true
[[rules]]
name = 3
from = ["a."]
to = ".a"
turn = true
edge = "wrapp"
then = 3
at = ["x", "y"]
[[rules]]
nmae = "go {M}"
from = "a."
to = ".a"
for = { p = 3, q = [1.5, true, 2.5] }
[[rules]]
from = "a.."
to = ".a"
when = "othr == 1"
"#);
    values_of_rules_of_another_type: &rules(r#"start = { farmer = [1, { a = 2 }], x = 1.5, jgu = 1 }
goal = [{ cuont = { x = 1.5, o = "many" }, every = 3, when = 3 }, 3]
[variables]
farmer = 3
jug = { a = 1 }
[sets]
a = 3
[maps]
m = 3
n = { a = [1] }
[[rules]]
name = "go"
then = { a = [1], b = { c = 1 } }
when = [3]
cost = [1]
repeat = "yes"
[shapes]
a = 1
"#);
    unknown_keys_of_a_goal: &rules(r#"start = "ab."
goal = { cuont = { a = 1 }, every = 3, "x y" = 1 }
[[rules]]
name = "go"
from = "a."
to = ".a"
"#);
    rules_that_are_one_table: &rules(r#"start = "ab."
goal = ".ab"
rules = { name = "go", from = "a.", to = ".a" }
"#);
    rules_that_are_no_tables: &rules(r#"start = "ab."
goal = ".ab"
rules = [3, { name = "go", form = "a.", to = ".a", mirrored = true }]
"#);
    a_rule_family_that_explodes: &rules(r#"start = { a = 0 }
goal = "a == 9"
[variables]
a = "0..9"
[[rules]]
name = "{p} {q} {r} {s} {t} {u} {v}"
for = { p = "0..99", q = "0..99", r = "0..99", s = "0..99", t = "0..99", u = "0..99", v = "0..99" }
then = { a = "9" }
"#);
    rules_with_conflicting_effects: &rules(r#"start = { a = 0, b = 0 }
goal = "a == 9"
[variables]
a = "0..9"
b = "0..9"
"c[0..9]" = [0, 1]
[[rules]]
name = "both {x}"
for = { x = ["a", "b"] }
then = { x = "1", a = "2" }
[[rules]]
name = "which"
then = { "c[a]" = "1" }
[[rules]]
name = "cheap"
then = { a = "a + 1" }
cost = "a - 5"
"#);
    a_start_that_violates_never: &rules(r#"start = { a = 0 }
goal = { a = 1 }
never = "a == 0"
[variables]
a = [0, 1]
[[rules]]
name = "go"
then = { a = 1 }
"#);
    colours_and_shapes_of_unknown_symbols: &rules(r#"start = "o."
goal = ".o"
colors = { o = "rad", x = "red" }
shapes = { o = "round" }
marks = "xx."
[[rules]]
name = "go"
from = "o."
to = ".o"
"#);
}

/// The reader treats a misspelt key as the key of its suggestion.
#[test]
fn a_misspelt_key_hides_no_other_error() {
    let text = rules(
        r#"start = "ab."
goal = ".ac"
[[rules]]
name = "go"
form = "a."
to = ".a"
mirrored = true
when = "othr == 1"
[[rules]]
nmae = "go {M}"
from = "a."
to = ".a"
"#,
    );
    let report_text = report(&text);
    for (message, place) in [
        ("unknown symbol `c`", "puzzle.toml:4:"),
        ("unknown key `form`", "puzzle.toml:7:1\n"),
        ("unknown key `mirrored`", "puzzle.toml:9:1\n"),
        ("unknown name `othr`", "puzzle.toml:10:"),
        ("unknown key `nmae`", "puzzle.toml:12:1\n"),
        ("unknown name `M`", "puzzle.toml:12:"),
    ] {
        assert!(report_text.contains(message) && report_text.contains(place), "{message}, {place}:\n{report_text}");
    }
    for meant in ["`from`", "`mirror`", "`name`"] {
        assert!(report_text.contains(&format!("did you mean {meant}?")), "{meant}:\n{report_text}");
    }
}

#[test]
fn files_that_are_no_text_are_refused_by_name() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unreadable");
    fs::create_dir_all(&folder).unwrap();
    let refused = |path: &std::path::Path, word: &str| match Puzzle::load(path) {
        Ok(_) => panic!("{} was accepted", path.display()),
        Err(report) => assert!(report.to_string().contains(word), "{report}"),
    };
    refused(&folder, "is a directory");
    refused(&folder.join("nothing.toml"), "cannot be opened");
    let junk = folder.join("junk.toml");
    fs::write(&junk, (0..=255).collect::<Vec<u8>>()).unwrap();
    refused(&junk, "is not UTF-8 text: line 2");
    let large = folder.join("large.toml");
    fs::write(&large, vec![b'#'; (16 << 20) + 1]).unwrap();
    refused(&large, "is larger than 16 MiB");
    fs::write(&large, vec![b'#'; 16 << 20]).unwrap();
    refused(&large, "missing key `title`");
    if cfg!(target_os = "linux") {
        refused("/dev/zero".as_ref(), "is larger than 16 MiB");
    }
}

/// A file with 100,000 errors is refused as fast as any other.
#[test]
fn many_errors_are_counted_and_the_first_are_printed() {
    let keys: String = (0..100_000).map(|number| format!("k{number} = 1\n")).collect();
    let rows = "x ".repeat(300) + "\n";
    let cases = [
        format!("title = \"x\"\ndomain = \"klotski\"\nstart = \"a.\"\ngoal = \".a\"\n{keys}"),
        format!("title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n{}\"\"\"\n", rows.repeat(300)),
        "a =\n".repeat(100_000),
        rules(&format!("start = \"ab\"\ngoal = \"ba\"\n{}", "[[rules]]\nname = 3\nform = 1\n".repeat(50_000))),
    ];
    for text in cases {
        let report_text = report(&text);
        assert!(
            report_text.matches("error: ").count() <= 101 && report_text.contains(" more in puzzle.toml"),
            "{}",
            report_text.len()
        );
    }
}

/// Cuts, doubles or overwrites parts of the project's puzzles: the result is a report or a puzzle.
#[test]
fn damaged_puzzles_never_panic() {
    let folder = root().join("puzzles");
    let texts: Vec<String> =
        files_below(&folder, "toml").iter().map(|file| fs::read_to_string(folder.join(file)).unwrap()).collect();
    let mut dice = Dice::new(0xbad);
    let mut refused = 0;
    for round in 0..scaled(1000) as usize {
        let text = &texts[round % texts.len()];
        let mut bytes = text.clone().into_bytes();
        let (from, to) = (dice.below(bytes.len()), dice.below(bytes.len()));
        let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 1 + dice.below(30)));
        match dice.below(4) {
            0 => drop(bytes.drain(from..to)),
            1 => {
                let doubled = bytes[from..to].to_vec();
                bytes.splice(to..to, doubled);
            }
            2 => bytes[from] = b"\"'[]=.#0a9 \n\\-"[dice.below(14)],
            _ => bytes.swap(from, to),
        }
        let Ok(damaged) = String::from_utf8(bytes) else { continue };
        if let Err(report) = Puzzle::parse(&damaged, "damaged.toml") {
            refused += 1;
            assert!(report.to_string().contains("damaged.toml"), "a report names its file: {report}");
        }
    }
    assert!(refused > 500, "only {refused} were refused: the damage is too small");
}

#[test]
fn first_mistakes_get_help_that_names_the_remedy() {
    let files = [
        ("sokoban.toml", "title = \"t\"\ndomain = \"sokoban\"\n", "such puzzles are in the domain `rules`"),
        (
            "words.toml",
            "title = \"t\"\ndomain = \"word-ladder\"\nstart = \"cold\"\ngoal = \"cord\"\nwords = \"cold, cord\"\n",
            "write the words as an array",
        ),
        (
            "tiles.toml",
            "title = \"t\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n123\n456\n780\n\"\"\"\n",
            "separate the tiles of a row by spaces",
        ),
        (
            "moves.toml",
            "title = \"t\"\ndomain = \"sliding-tile\"\nstart = \"0 1\"\n[expect]\nstart = 2\n",
            "expected one of `outcome`, `cost`",
        ),
    ];
    let texts = files.map(|(name, text, _)| (name, text));
    let folder = folder("first-mistakes", &texts);
    for (name, _, help) in files {
        let (status, _, error) = run(&folder, &["check", name]);
        assert!(status == 2 && error.contains(help), "{name}: {error}");
        assert_eq!(error.matches("error: ").count(), 1, "{name}: {error}");
    }
    let puzzle = root().join("puzzles/klotski1.toml").display().to_string();
    let (status, _, error) = run(&folder, &["show", &puzzle, "--after", "nofile.txt"]);
    assert!(status == 2 && error.contains("nofile.txt: there is no such file"), "{error}");
    let (status, _, error) = run(&folder, &["solve", &puzzle, "--metric", "turn"]);
    assert!(status == 2 && error.contains("write `metric = \"turn\"` into the file"), "{error}");
}
