//! Tests of drawings in the reference rules.

use crate::{Player, RuleBook};
use engine_domain::domain::Rules;

/// Returns the legal moves at the start of a file with one rule, each with the resulting grid, its rows joined by
/// slashes.
fn moves(start: &str, rule: &str) -> Vec<String> {
    let file = format!(
        "start = '''\n{start}\n'''\ngoal = {{ count = {{ a = 9 }} }}\n\
         [sets]\nNM = 'ab'\n[maps]\nt = {{ c = 'b', b = 'a', 0 = 1, 1 = '0', x = 'N', y = 'yy' }}\n[[rules]]\n{rule}\n"
    );
    let book = RuleBook::read(&file).unwrap_or_else(|why| panic!("{why}\n{file}"));
    let mut player = Player::new(&book);
    let position = player.position().expect("the player has a position");
    let play = |written: String| {
        player.set_position(&position);
        player.play(&written).unwrap_or_else(|why| panic!("{written}: {why}\n{file}"));
        format!("{written}: {}", player.draw().trim_end().replace('\n', "/"))
    };
    Player::new(&book).candidates().into_iter().map(play).collect()
}

fn one(start: &str, rule: &str) -> String {
    moves(start, &format!("name = 'go {{at}}'\n{rule}")).join(", ")
}

#[test]
fn images_are_rotated_first_and_then_reflected() {
    // An L-shaped pattern of four cells.
    let rule =
        "name = '{direction}'\nfrom = '''\n1.\n1.\n11\n'''\nto = '''\n??\n??\n?2\n'''\nturns = true\nmirror = true\n";
    let images = [
        ("right", "1./1./11"),
        ("down", "111/1.."),
        ("left", "11/.1/.1"),
        ("up", "..1/111"),
        ("right mirrored", ".1/.1/11"),
        ("down mirrored", "111/..1"),
        ("left mirrored", "11/1./1."),
        ("up mirrored", "1../111"),
    ];
    for (direction, start) in images {
        let made = moves(&start.replace('/', "\n"), rule);
        assert_eq!(made.len(), 1, "{made:?}");
        let (name, after) = made[0].split_once(": ").unwrap();
        assert_eq!((name, after.matches('2').count()), (direction, 1));
        // The cell that changes is the end of the short arm.
        let place = after.chars().filter(|c| *c != '/').position(|c| c == '2');
        let expected = [5, 3, 0, 2, 4, 5, 1, 0][images.iter().position(|image| image.0 == direction).unwrap()];
        assert_eq!(place, Some(expected), "{direction}: {after}");
    }
}

#[test]
fn a_slide_follows_the_direction_of_its_image() {
    let slide = "name = '{direction}'\nfrom = 'a.'\nto = '.a'\nrepeat = true\n";
    let start = "...\n.a.\n...";
    let all = ["right: .../..a/...", "down: .../.../.a.", "left: .../a../...", "up: .a./.../..."];
    assert_eq!(moves(start, &format!("{slide}turns = true")), all);
    // A reflected image with the same effect in the same direction is no move of its own.
    assert_eq!(moves(start, &format!("{slide}turns = true\nmirror = true")), all);
    assert_eq!(moves(start, &format!("{slide}mirror = true")), [all[0], all[2]]);
    // With two rows, rotated and reflected images differ.
    let pair = "name = '{direction}'\nfrom = '''\na.\nb.\n'''\nto = '''\n.a\n.b\n'''\nrepeat = true\nturns = true\nmirror = true\n";
    assert_eq!(moves("a..\nb..", pair), ["right: ..a/..b"]);
    assert_eq!(moves("b..\na..", pair), ["left mirrored: ..b/..a"]);
    assert_eq!(moves("ab\n..\n..", pair), ["down mirrored: ../../ab"]);
    assert_eq!(moves("ba\n..\n..", pair), ["down: ../../ba"]);
}

#[test]
fn a_wrapping_slide_ends_unless_grid_and_place_recur() {
    let slide = |start: &str, drawings: &str| one(start, &format!("{drawings}\nedge = 'wrap'\nrepeat = true"));
    let map = "from = '?'\nto = 't'";
    assert_eq!(slide("ccc", map), "go 0,0: aaa, go 0,1: aaa, go 0,2: aaa");
    assert_eq!(slide("c", map), "go 0,0: a");
    assert_eq!(slide("cb\nbc", map), "go 0,0: aa/bc, go 0,1: ba/bc, go 1,0: cb/ab, go 1,1: cb/aa");
    assert_eq!(slide("0", map), "", "the cell toggles for ever");
    assert_eq!(slide("01", map), "");
    assert_eq!(slide("a...", "from = 'a.'\nto = '.a'"), "", "the slide never stops");
    assert_eq!(slide("a..b", "from = 'a.'\nto = '.a'"), "go 0,0: ..ab");
    assert_eq!(slide(".ab.", "from = 'b.'\nto = '.b'"), "go 0,2: ba..");
    assert_eq!(slide("0c", map), "go 0,0: 1a, go 0,1: 0a", "three times around");
    assert_eq!(slide("aaa", "from = 'a'"), "", "nothing changes, for ever");
    assert_eq!(slide("aab", "from = 'a'"), "", "nothing changes");
}

#[test]
fn letters_match_one_symbol_and_maps_change_it() {
    assert_eq!(one("aba", "from = 'NN'\nto = 'cc'"), "");
    assert_eq!(one("aab", "from = 'NN'\nto = 'N.'"), "go 0,0: a.b");
    assert_eq!(one("abc", "from = 'NM'\nto = 'MN'"), "go 0,0: bac");
    assert_eq!(moves("ab", "name = 'go {N}{M}'\nfrom = 'NM'\nto = 'M?'"), ["go ab 0,0: bb"]);
    assert_eq!(
        one("cba01xy", "from = '?'\nto = 't'"),
        "go 0,0: bba01xy, go 0,1: caa01xy, go 0,3: cba11xy, go 0,4: cba00xy"
    );
    assert_eq!(one("bc", "from = 'Nc'\nto = 'tN'"), "go 0,0: ab");
}

#[test]
fn cells_beyond_an_edge_are_clipped_or_wrapped() {
    let end = "from = 'Nc'\nto = '.N'\nat = [0, 1]\nedge = ";
    assert_eq!(one("cac", &format!("{end}'fit'")), "go 0,2: c.a");
    assert_eq!(one("cac", &format!("{end}'clip'")), "go 0,2: c.a", "at 0,0 nothing was matched");
    assert_eq!(one("cab", &format!("{end}'wrap'")), "go 0,0: ba.");
    assert_eq!(
        moves("ca", "name = '{N} {0,0} {0,1}'\nfrom = 'Nc'\nto = '?.'\nat = [0, 1]\nedge = 'clip'"),
        ["? 0,-1 0,0: .a"]
    );
    assert_eq!(
        moves("ca", "name = '{N} {0,0} {0,1}'\nfrom = 'Nc'\nto = '?.'\nat = [0, 1]\nedge = 'wrap'"),
        ["a 0,1 0,0: .a"]
    );
    assert_eq!(one("aa", "from = 'aaa'\nto = 'bbb'\nedge = 'wrap'"), "", "the pattern would overlap itself");
    assert_eq!(one("aa", "from = 'a??'\nto = 'b??'\nedge = 'wrap'"), "", "so would this pattern");
    assert_eq!(one("aa", "from = 'aaa'\nto = 'bbb'\nedge = 'clip'"), "go 0,0: bb, go 0,1: ab");
}

#[test]
fn a_run_has_each_length_that_fits() {
    let far = "from = 'a.*'\nto = '.*a'\nrun = '*'";
    assert_eq!(one("a..b", far), "go 0,0: .a.b, go 0,0 #2: ..ab");
    assert_eq!(
        moves("a..b", &format!("name = 'go {{run}} {{0,1}}'\n{far}")),
        ["go 1 0,1: .a.b", "go 2 0,1: ..ab"],
        "a place in the run is that of its first cell"
    );
    assert_eq!(
        moves("cca.", "name = 'go {0,1}'\nfrom = 'c+a'\nto = '.+a'\nrun = '+'\nat = [0, 1]"),
        ["go 0,2: c.a.", "go 0,2 #2: ..a."],
        "the cell behind the run moves with it"
    );
    let push = "name = 'go {N} {run}'\nfrom = 'cN*.'\nto = '.cN*'\nrun = '*'\n";
    assert_eq!(moves("cab.", push), ["go a 2 0,0: .cab"], "each cell matches by itself, and keeps its place");
    assert_eq!(moves("cab.", &format!("{push}turns = true\nwhen = 'run == 1'")), [""; 0]);
}

#[test]
fn parameters_and_arrows_stand_for_symbols() {
    let play = |head: &str, start: &str, rule: &str| {
        let start = format!("start = '''\n{start}\n'''\ngoal = {{ when = 'rows == 0' }}\n");
        let file = format!("{start}{head}\n[[rules]]\n{rule}\n");
        let book = RuleBook::read(&file).unwrap_or_else(|why| panic!("{why}\n{file}"));
        let mut player = Player::new(&book);
        let position = player.position().expect("the player has a position");
        let play = |written: String| {
            player.set_position(&position);
            player.play(&written).unwrap_or_else(|why| panic!("{written}: {why}\n{file}"));
            format!("{written}: {}", player.draw().trim_end().replace('\n', "/"))
        };
        Player::new(&book).candidates().into_iter().map(play).collect::<Vec<_>>().join(", ")
    };
    let swap = "name = '{k} {at}'\nfor = { k = ['a', 'b'] }\nfrom = 'k.'\nto = '.k'";
    assert_eq!(play("", "b.a.", swap), "a 0,2: b..a, b 0,0: .ba.");
    assert_eq!(play("", "k.a.", swap), "a 0,0: .ka., b 0,0: .ka.", "a symbol of the start is no parameter");
    let drive = "name = '{at} {direction}'\nfrom = '>.'\nto = '.>'\nturns = true";
    assert_eq!(play("arrows = '^>v<'", "v.\n.<", drive), "0,0 down: ../v<, 1,1 left: v./<.");
    assert_eq!(play("arrows = ['^>v<']", "<.\n.<", &drive.replace("turns", "mirror")), "1,1 left: <./<.");
    let either = "name = '{at} {direction}'\nfrom = 'N.'\nto = '.N'\nturns = true";
    let head = "arrows = '^>v<'\nsets = { N = '>a' }";
    assert_eq!(play(head, "^.\n.a", either), "1,1 left: ^./a., 1,1 up: ^a/..", "in the image `up`, N matches `^`");
    assert_eq!(play(head, "..\n^.", either), "1,0 up: ^./..");
    let mirrors = "name = '{direction}'\nfrom = '/'\nto = '.'\nturns = true\nmirror = true";
    assert_eq!(play("arrows = '?/?\\?/?\\'", "/", mirrors), "right: .", "the image `left` is equal");
    assert_eq!(play("arrows = '?/?\\?/?\\'", "\\", mirrors), "down: .");
}

#[test]
fn equal_images_and_places_are_one_move() {
    let swap = "name = 'go'\nfrom = 'aa'\nto = 'bb'\nturns = true\nmirror = true\n";
    assert_eq!(moves("aa\na.", swap), ["go 0,0 right: bb/a.", "go 0,0 down: ba/b."]);
    assert_eq!(
        moves("aa", "name = 'go'\nfrom = 'aa'\nto = 'b?'\nmirror = true\n"),
        ["go 0,0 right: ba", "go 0,1 left: ab"]
    );
    let at = "name = 'go'\nfrom = '?a?'\nto = '?b?'\nat = [0, 1]\nturns = true\nedge = 'clip'\n";
    assert_eq!(moves("aa", at), ["go 0,0 right: ba", "go 0,1 right: ab"]);
    let far = "name = 'go'\nfrom = 'a????a'\nto = 'b????b'\nat = [0, 2]\nedge = 'clip'\n";
    assert_eq!(moves("...a..", far), ["go 0,0: ...b.."], "at 0,5 the other end has the same effect");
    let slide = "name = 'go'\nfrom = 'a????a'\nto = 'b????b'\nat = [0, 2]\nedge = 'clip'\nrepeat = true";
    assert_eq!(
        moves("...aa.", slide),
        ["go 0,0: ...bb.", "go 0,1: ...ab.", "go 0,5: ...ba."],
        "one slide goes on, the other does not"
    );
}
