//! Wrong uses of consequences, passes, bodies and piles: each error has its place and says what to do.

use super::located;

/// Returns the errors of a file with a grid, with other keys, rules and consequences.
fn on_grid(keys: &str, rules: &str) -> Vec<(String, String)> {
    let source = format!(
        "start = {{ drawing = 'a.b#', n = 0 }}\ngoal = {{ n = 1 }}\nsets = {{ N = 'ab' }}\nvariables = {{ n = '0..3' }}\n\
         {keys}\n[[rules]]\nname = 'plain'\nfrom = 'a.'\nto = '.a'\n{rules}\n"
    );
    located(&source).into_iter().map(|(message, place)| (message, place.to_owned())).collect()
}

fn rule(keys: &str) -> Vec<(String, String)> {
    on_grid("", &format!("[[rules]]\nname = 'go'\n{keys}"))
}

fn after(keys: &str) -> Vec<(String, String)> {
    on_grid("", &format!("[[after]]\n{keys}"))
}

/// Returns the errors of a file with piles.
fn with_piles(start: &str, piles: &str, rule: &str) -> Vec<(String, String)> {
    let source =
        format!("start = {{ {start} }}\ngoal = 'size(waste) == 0'\n[piles]\n{piles}\n[[rules]]\nname = 'go'\n{rule}\n");
    located(&source).into_iter().map(|(message, place)| (message, place.to_owned())).collect()
}

/// Returns the errors of a rule in a file with two tubes and a waste.
fn pour(rule: &str) -> Vec<(String, String)> {
    with_piles("tube = ['a b', ''], waste = 'b'", "'tube[1..2]' = { most = 2 }\nwaste = {}", rule)
}

fn one(message: &str, place: &str) -> Vec<(String, String)> {
    vec![(message.to_owned(), place.to_owned())]
}

const WALK: &str = "from = 'N.'\nto = '.N'\n";

#[test]
fn passes() {
    let all = |keys: &str| rule(&format!("{WALK}all = true\n{keys}"));
    assert_eq!(all(""), []);
    assert_eq!(all("then = { n = 'count(N)' }"), [], "the count is of the set");
    let many = |name: &str| format!("`{name}` is the symbol of a match, and the pass has many");
    assert_eq!(all("then = { n = 'N == a ? 1 : 2' }"), one(&many("N"), "N"));
    assert_eq!(all("cost = \"N == 'a' ? 1 : 2\""), one(&many("N"), "N"));
    assert_eq!(
        all("then = { n = \"ahead('b')\" }"),
        one("`ahead` counts from a place, and the pass has many", "ahead('b')")
    );
    assert_eq!(
        rule("from = 'a*.'\nto = '.a*'\nrun = '*'\nall = true"),
        one("`run` and `all` exclude each other", "'*'")
    );
    assert_eq!(rule("from = ['a', 'b']\nto = ['.', '.']\nall = true"), one("`all` needs a single drawing", "true"));
    assert_eq!(rule("then = { n = 1 }\nall = true"), one("`all` needs a drawing", "true"));
    for name in ["{N}", "{at}", "{0,0}"] {
        let keys = format!("{WALK}all = true").replace("from", &format!("name = 'x {name}'\nfrom"));
        let errors = on_grid("", &format!("[[rules]]\n{keys}"));
        assert_eq!(errors, one(&format!("unknown name `{}`", &name[1..name.len() - 1]), name));
    }
    assert_eq!(rule(&format!("{WALK}repeat = true")), []);
    assert_eq!(rule("from = 'NN.'\nto = '.NN'\nall = true\nrepeat = true"), [], "each match is of one place");
}

#[test]
fn consequences() {
    assert_eq!(after(&format!("{WALK}turns = 'move'")), []);
    assert_eq!(after(&format!("name = 'fall'\n{WALK}")), one("a consequence has no name", "'fall'"));
    assert_eq!(after(&format!("{WALK}cost = 2")), one("a consequence has no cost", "2"));
    let both = "`mirror` and `turns = \"move\"` exclude each other";
    assert_eq!(after(&format!("{WALK}turns = 'move'\nmirror = true")), one(both, "true"));
    let turned = "`turns = \"move\"` is for consequences, in `[[after]]`";
    assert_eq!(rule(&format!("{WALK}turns = 'move'")), one(turned, "'move'"));
    assert_eq!(rule(&format!("{WALK}turns = 'moves'")), one("invalid value `moves` for `turns`", "'moves'"));
    assert_eq!(after("when = 'n == 0'"), one("the consequence changes nothing", "[[after]]"));
    assert_eq!(
        after("then = { n = \"ahead('a')\" }"),
        one("`ahead` counts from a place, and there is none", "ahead('a')")
    );
    assert_eq!(after(&format!("{WALK}when = \"ahead('x') > 0\"")), one("unknown symbol `x`", "'x'"));
    let errors = on_grid("", "[[after]]\nfrom = 'a.'\nto = '.x.'");
    assert_eq!(errors, one("the drawing `to` is 1x3", "'.x.'"));
}

#[test]
fn shifts_and_bodies() {
    let shift = |keys: &str| rule(&format!("shift = 'N'\n{keys}"));
    assert_eq!(shift("into = '.'\npush = 'b'\ndirection = 'down'"), []);
    assert_eq!(shift(""), one("missing key `into`", "'N'"));
    assert_eq!(shift("into = ''"), one("`into` is empty", "''"));
    assert_eq!(shift("into = '.x'"), one("unknown symbol `x` in `into`", "x"));
    assert_eq!(shift("into = '?'"), one("`?` cannot be in `into`", "?"));
    assert_eq!(shift("into = '.'\nfrom = 'a'"), one("`from` and `shift` exclude each other", "'a'"));
    assert_eq!(shift("into = '.'\nrepeat = true"), one("`repeat` and `shift` exclude each other", "true"));
    let directed = "`direction` excludes `turns` and `mirror`";
    assert_eq!(shift("into = '.'\nturns = true\ndirection = 'up'"), one(directed, "'up'"));
    assert_eq!(shift("into = '.'\ndirection = 'upp'"), one("invalid value `upp` for `direction`", "'upp'"));
    assert_eq!(rule(&format!("{WALK}push = 'b'")), one("`push` needs `shift`", "'b'"));
    assert_eq!(rule(&format!("{WALK}direction = 'up'")), one("`direction` needs `shift`", "'up'"));
    assert_eq!(
        after("shift = 'a'\ninto = '.'\nall = true\nturns = true"),
        one("a shift of all bodies has several directions", "'a'")
    );
    let bodies = |bodies: &str| on_grid(&format!("bodies = {bodies}"), "");
    assert_eq!(bodies("['N', '#']"), []);
    assert_eq!(bodies("['ab', 'N']"), one("`N` is in several strings of `bodies`", "N"));
    assert_eq!(bodies("['ab', '']"), one("`bodies` is empty", "''"));
    assert_eq!(bodies("[]"), one("`bodies` is empty", "[]"));
    assert_eq!(bodies("'ax'"), one("unknown symbol `x` in `bodies`", "x"));
    assert_eq!(
        rule(&format!("{WALK}when = 'bodies(n) == 1'")),
        one("`bodies` takes a symbol", "n"),
        "a variable is no symbol"
    );
}

#[test]
fn piles() {
    let carry = |carry: &str| pour(&format!("carry = {carry}"));
    assert_eq!(carry("{ from = 'tube[1]', to = 'waste' }"), []);
    assert_eq!(carry("{ from = 'tube[1]' }"), one("missing key `to` in `carry`", "{ from = 'tube[1]' }"));
    assert_eq!(carry("{ from = 'tub[1]', to = 'waste' }"), one("unknown pile `tub`", "tub[1]"));
    assert_eq!(carry("{ from = 'tube', to = 'waste' }"), one("`tube` takes one index, found 0", "tube"));
    let same = "`carry` goes from a pile to the same pile";
    assert_eq!(carry("{ from = 'waste', to = 'waste' }"), one(same, "{ from = 'waste', to = 'waste' }"));
    assert_eq!(carry("{ from = 'waste', two = 'tube[1]', to = 'tube[1]' }"), one("unknown key `two`", "two"));
    let fill = "for = { x = ['tube'], k = '1..2' }\ncarry = { from = 'x', to = 'waste' }\n";
    assert_eq!(pour(fill), []);
    assert_eq!(pour(&format!("{fill}when = 'size(k) == 1'")), one("expected a pile, found a number", "k"));
    assert_eq!(pour(&format!("{fill}when = \"size('waste') == 1\"")), one("expected a pile, found a value", "'waste'"));
    assert_eq!(pour(&format!("{fill}when = 'waste == a'")), one("`waste` names piles, which are no values", "waste"));
    assert_eq!(
        pour(&format!("{fill}when = 'tube[1] == a'")),
        one("`tube` names piles, which are no values", "tube[1]")
    );
    assert_eq!(pour(&format!("{fill}when = 'size(x, 1) == 1'")), one("invalid arguments of `size`", "size(x, 1)"));
    assert_eq!(pour(&format!("{fill}when = 'top(x) == 3'")), [], "a number that it never is, is no error");
    assert_eq!(pour(&format!("{fill}when = 'top(x) == c'")), one("unknown name `c`", "c"));
    let carries = "carry = { from = 'tube[1]', to = 'waste' }";
    let start = |start: &str| with_piles(start, "'tube[1..2]' = { most = 2 }\nwaste = {}", carries);
    let whole = "{ tube = ['a', ''] }";
    assert_eq!(start("tube = ['a', '']"), one("missing key `waste` in `start`", whole));
    assert_eq!(start("tube = 'a b c', waste = ''").len(), 2, "each of both is too high");
    assert_eq!(start("tube = ['a'], waste = ''"), one("wrong number of values for `tube`: 1", "['a']"));
    assert_eq!(
        start("tube = '', waste = 1"),
        one("invalid type for `waste`: expected a string, found an integer", "1")
    );
    assert_eq!(start("tube = '', waste = \"a 'b'\""), one("invalid item `'b'`", "\"a 'b'\""));
    assert_eq!(start("tube = '', waste = '', wast = ''"), one("unknown variable or pile `wast`", "wast"));
    let declared = |piles: &str| with_piles("tube = '', waste = ''", piles, carries);
    assert_eq!(declared("'tube[1..2]' = { most = 0 }\nwaste = {}"), one("invalid value for `most`", "0"));
    assert_eq!(declared("'tube[1..2]' = { least = 1 }\nwaste = {}")[0], one("unknown key `least`", "least")[0]);
    assert_eq!(declared("'tube[1..]' = {}\nwaste = {}")[0].0, "invalid name `tube[1..]` for a pile");
    assert_eq!(declared("'tube[1..2]' = {}\nwaste = {}\nwhen = {}")[0], one("the name `when` is reserved", "when")[0]);
    let goal = |goal: &str| {
        let source = format!(
            "start = {{ tube = 'a b' }}\ngoal = {goal}\n[piles]\n'tube[1..2]' = {{}}\n[[rules]]\nname = 'go'\n\
            carry = {{ from = 'tube[1]', to = 'tube[2]' }}\n"
        );
        located(&source).into_iter().map(|(message, place)| (message, place.to_owned())).collect::<Vec<_>>()
    };
    assert_eq!(goal("{ 'tube[2]' = 'a b b', tube = '' }"), []);
    assert_eq!(goal("{ 'tube[3]' = 'a' }"), one("unknown key `tube[3]`", "'tube[3]'"));
    assert_eq!(goal("{ tube = 'a c' }"), one("no pile has the item `c`", "'a c'"));
}
