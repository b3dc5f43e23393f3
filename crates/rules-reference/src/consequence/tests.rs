//! Tests of passes, consequences, bodies and piles in the reference rules.

use crate::{Player, RuleBook};
use engine_domain::domain::Rules;

fn book(file: &str) -> RuleBook {
    RuleBook::read(file).unwrap_or_else(|why| panic!("{why}\n{file}"))
}

/// Returns the legal moves at the start, each with the resulting position, its rows joined by slashes.
fn moves(file: &str) -> Vec<String> {
    let book = book(file);
    let play = |written: String| {
        let mut player = Player::new(&book);
        player.play(&written).unwrap_or_else(|why| panic!("{written}: {why}\n{file}"));
        format!("{written}: {}", player.draw().trim_end().replace('\n', "/"))
    };
    Player::new(&book).candidates().into_iter().map(play).collect()
}

/// Returns why a move is not legal at the start, and whether it was given up.
fn refused(file: &str, written: &str) -> (String, bool) {
    let book = book(file);
    let mut player = Player::new(&book);
    (player.play(written).expect_err(file), player.gave_up())
}

/// Returns a file with this start and these tables.
fn grid(start: &str, rest: &str) -> String {
    format!("start = '''\n{start}\n'''\ngoal = {{ count = {{ x = 99 }} }}\nsets = {{ N = 'abx' }}\n{rest}\n")
}

#[test]
fn a_pass_applies_all_matches_at_once_the_foremost_first() {
    let merge =
        "[maps]\nd = { a = 'b', b = 'x' }\n[[rules]]\nname = '{direction}'\nfrom = 'NN'\nto = '.d'\nall = true\n";
    assert_eq!(moves(&grid("aaa.", &format!("{merge}mirror = true"))), ["right: a.b.", "left: b.a."]);
    let fall = "[[rules]]\nname = 'go'\nfrom = 'N.'\nto = '.N'\nall = true\n";
    assert_eq!(moves(&grid("ab.a.", fall)), ["go: a.b.a"]);
    assert_eq!(moves(&grid("ab.a.", &format!("{fall}repeat = true"))), ["go: ..aba"]);
    assert_eq!(moves(&grid("..aba", fall)), [""; 0], "it changes nothing");
    let at_a = format!("{fall}when = ['N == a', 'cell[0, 0] == a']");
    assert_eq!(moves(&grid("a.b.a", &at_a)), ["go: .ab.a"]);
    assert_eq!(moves(&grid("b.a.a", &at_a)), [""; 0]);
}

#[test]
fn passes_without_an_end_are_not_legal() {
    let around = "[[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\nall = true\nrepeat = true\nedge = 'wrap'\n";
    assert_eq!(refused(&grid("a..", around), "go").0, "its consequences never come to rest");
    let passed_over = "start = { drawing = 'ab.', v = 0 }\ngoal = { v = 1 }\nvariables = { v = '0..3' }\n\
        maps = { t = { a = 'b', b = 'a' } }\n[[rules]]\nname = 'go'\nthen = { v = 1 }\n\
        [[after]]\nfrom = '?'\nto = 't'\nall = true\nrepeat = true\nwhen = 'v == 1'\nthen = { v = 0, 'cell[0, 0]' = \"'a'\" }\n";
    assert_eq!(moves(passed_over).len(), 1, "the consequence would change a cell twice, so it does not apply");
}

#[test]
fn a_slide_changes_all_cells_that_it_passes_over() {
    let slide = |cell: usize| {
        let then = format!("then = {{ 'cell[0, {cell}]' = \"'b'\" }}");
        grid(
            "a...b",
            &format!("bodies = ['b']\n[[rules]]\nname = 'go'\nfrom = 'a.'\nto = '.a'\nrepeat = true\n{then}\n"),
        )
    };
    assert_eq!(moves(&slide(2)), [""; 0], "the cell gets its old symbol back, and another by `then`");
    assert_eq!(moves(&slide(4)).len(), 1);
}

#[test]
fn consequences_run_to_rest_after_each_move() {
    let rules = "[[rules]]\nname = 'drop {at}'\nfrom = '?'\nto = 'a'\non = 'm'\n\
        [[after]]\nfrom = \"\"\"\nN\n.\n\"\"\"\nto = \"\"\"\n.\nN\n\"\"\"\n\
        [[after]]\nfrom = 'aa'\nto = '..'\nturns = true\n";
    let marks = |rest: &str| format!("marks = '''\nm.\n..\n..\n'''\n{rest}");
    assert_eq!(moves(&grid("..\n..\nb.", &marks(rules))), ["drop 0,0: ../a./b."]);
    assert_eq!(moves(&grid("..\n..\na.", &marks(rules))), ["drop 0,0: ../../.."]);
    let wrong = RuleBook::read(&grid("a.\n..\n..", &marks(rules))).expect_err("it is not at rest");
    assert_eq!(wrong, "consequences apply at the start; at rest it is\n..\n..\na.\n");
}

#[test]
fn consequences_that_come_again_or_never_end_are_not_legal() {
    let around = "[[rules]]\nname = 'go'\nfrom = 'a'\nto = 'b'\n[[after]]\nfrom = 'b.'\nto = '.b'\nedge = 'wrap'\n";
    assert_eq!(refused(&grid("a..", around), "go 0,0"), ("its consequences never come to rest".to_owned(), false));
    let count = "start = { n = 0, m = 0, k = 0, on = 'no' }\ngoal = 'k == 999'\n\
        [variables]\nn = '0..99'\nm = '0..99'\nk = '0..99'\non = ['yes', 'no']\n\
        [[rules]]\nname = 'go'\nthen = { on = 'yes' }\n\
        [[after]]\nwhen = 'on == yes'\nthen = { n = 'n == 99 ? 0 : n + 1', m = 'n < 99 ? m : m == 99 ? 0 : m + 1', \
        k = 'n < 99 || m < 99 ? k : k + 1' }\n";
    assert_eq!(refused(count, "go"), ("its consequences were given up after 100,000 steps".to_owned(), true));
}

#[test]
fn a_consequence_may_follow_the_image_of_the_move() {
    let rules = "[[rules]]\nname = '{direction}'\nfrom = 'a'\nto = 'b'\nturns = true\nat = [0, 0]\nall = true\n\
        [[rules]]\nname = 'still'\nthen = { 'cell[0, 0]' = 'b' }\n\
        [[after]]\nfrom = 'b.'\nto = '.b'\nturns = 'move'\n";
    let expected =
        ["right: .../..b/...", "down: .../.../.b.", "left: .../b../...", "up: .b./.../...", "still: b../.a./..."];
    assert_eq!(moves(&grid("...\n.a.\n...", rules)), expected);
    // The mirrored image equals another, which is turned by half.
    let two = "[[rules]]\nname = '{direction}'\nfrom = 'x.'\nto = '.x'\nmirror = true\n\
        [[after]]\nfrom = ['ab', 'x']\nto = ['..', 'x']\nturns = 'move'\n";
    assert_eq!(moves(&grid("ba.x.ab", two)), ["right: ba..x..", "left: ..x..ab"]);
}

#[test]
fn ahead_measures_in_the_direction_of_the_image() {
    let rules = "[[rules]]\nname = '{direction}'\nfrom = 'a.'\nto = '.a'\nturns = true\nwhen = \"ahead('x') > 1\"\n";
    assert_eq!(moves(&grid("...\n.a.\n...\nx..", rules)), ["down: .../.../.a./x.."]);
    assert_eq!(moves(&grid("x..\n.a.\n...\nx..", rules)), [""; 0], "there are two");
}

#[test]
fn bodies_move_as_a_whole_and_push_others() {
    let rules = "bodies = ['a', 'bx']\n[[rules]]\nname = '{at} {direction}'\nshift = 'a'\npush = 'b'\ninto = '.'\nmirror = true\n";
    let file = |start: &str| {
        let (bodies, rule) = rules.split_once('\n').expect("it has lines");
        format!("{bodies}\n{}", grid(start, rule))
    };
    assert_eq!(moves(&file("aa..\na.b.\n..x.")), ["0,0 right: .aa./.ab./..x."]);
    assert_eq!(moves(&file("aa..\na.b.\n.ax.")), ["0,0 right: .aa./.ab./.ax.", "2,1 left: aa../a.b./a.x."]);
    assert_eq!(moves(&file("aab.\n..x.")), ["0,0 right: .aab/...x"]);
    assert_eq!(moves(&file("aax.")), [""; 0], "only `b` is pushed");
    assert_eq!(refused(&file("aax."), "0,0 right").0, "something is in the way");
    let fenced = format!("fences = '''\n+-+-+-+-+\n|. .|. .|\n+-+-+-+-+\n'''\n{}", file("aaa."));
    assert_eq!(moves(&fenced), ["0,2 right: +-+-+-+-+/|a a|. a|/+-+-+-+-+"], "a fence parts two bodies");
    let count = "[[rules]]\nname = 'go'\nfrom = '.'\nto = 'x'\nwhen = \"bodies('a') == 2 && bodies(N) == 3\"\n";
    assert_eq!(moves(&format!("bodies = ['a', 'bx']\n{}", grid("aa.abx", count))), ["go 0,2: aaxabx"]);
    let all = format!(
        "bodies = ['a']\n{}",
        grid("a.a", "[[rules]]\nname = 'down'\nshift = 'a'\ninto = '.'\ndirection = 'down'\nall = true")
    );
    assert_eq!(moves(&all.replace("a.a", "a.a\n...")), ["down: .../a.a"]);
}

#[test]
fn items_are_carried_from_pile_to_pile() {
    let file = |start: &str, rule: &str| {
        format!(
            "start = {{ {start} }}\ngoal = {{ 'p[1]' = '1 2' }}\n[piles]\n'p[1..2]' = {{ most = [3, 2] }}\nq = {{}}\n\
             [maps]\nrank = {{ 'A?' = 1, '?S' = 2, '1' = 3 }}\n[[rules]]\n{rule}\n"
        )
    };
    let any = "name = '{x} {y}'\nfor = { x = ['p'], y = ['p', 'q'] }\ncarry = { from = 'x', to = 'y' }";
    let start = "p = ['1 2', 'AS'], q = ''";
    let expected = [
        "p[1] p[2]: p[1] 1/p[2] AS 2/q",
        "p[1] q: p[1] 1/p[2] AS/q 2",
        "p[2] p[1]: p[1] 1 2 AS/p[2]/q",
        "p[2] q: p[1] 1 2/p[2]/q AS",
    ];
    assert_eq!(moves(&file(start, any)), expected);
    let two = "name = '{k}'\nfor = { k = '0..3' }\ncarry = { from = 'p[1]', to = 'p[2]', count = 'k', turned = true }";
    assert_eq!(moves(&file("p = ['1 2 3', ''], q = '1'", two)), ["1: p[1] 1 2/p[2] 3/q 1", "2: p[1] 1/p[2] 3 2/q 1"]);
    let asked = |condition: &str| {
        let rule = format!("name = 'go'\nwhen = \"{condition}\"\ncarry = {{ from = 'p[1]', to = 'q' }}");
        !moves(&file("p = ['1 AS 2 2', ''], q = 'AS AD 2S 1'", &rule)).is_empty()
    };
    for yes in [
        "size(p[1]) == 4 && size(p[2]) == 0 && size(q) == 4",
        "top(p[1]) == 2 && top(p[1], 1) == 2 && top(p[1], 3) == 'AS' && top(p[1], 4) == 1",
        "same(p[1]) == 2 && same(p[2]) == 0 && same(q) == 1",
        "rank(top(q, 4)) == 1 && rank(top(q, 2)) == 2 && rank(top(q)) == 3",
    ] {
        assert!(asked(yes), "{yes}");
    }
    for undefined in ["top(p[2]) != 7", "top(p[1], 0) != 7", "top(p[1], 5) != 7", "size(p[3]) != 7", "rank(2) != 7"] {
        assert!(!asked(undefined), "{undefined}");
    }
    let solved = book(&file(start, any));
    assert!(Player::new(&solved).is_solved());
}

#[test]
fn a_goal_may_lie_anywhere() {
    let is_solved = |start: &str, goal: &str, fences: &str| {
        let rule = "[[rules]]\nname = 'go'\nfrom = 'a'\nto = 'b'";
        Player::new(&book(&format!(
            "start = '''\n{start}\n'''\ngoal = {goal}\n{fences}\nsets = {{ N = 'ab' }}\n{rule}\n"
        )))
        .is_solved()
    };
    let anywhere = "{ anywhere = \"N?\\na.\", count = { a = 1 } }";
    assert!(is_solved("...\n.b.\n.a.", anywhere, ""));
    assert!(!is_solved("...\n.b.\n..a", anywhere, "") && !is_solved("...\n.a.\n.a.", anywhere, ""));
    assert!(!is_solved("..b\n..a", anywhere, ""), "it would reach beyond the edge");
    let fences = |line: &str| format!("fences = '''\n+-+-+-+\n|. . .|\n{line}\n|. . .|\n+-+-+-+\n'''");
    assert!(is_solved(".b.\n.a.", anywhere, &fences("+-+ +-+")));
    assert!(!is_solved(".b.\n.a.", anywhere, &fences("+ +-+ +")));
}
