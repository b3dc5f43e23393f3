//! Reading values from tables: accepted values, refused values, and the places of errors.

use super::*;

/// Returns the errors of a text after `take` has read its keys, each with the text at its place.
fn errors(text: &str, take: impl FnOnce(&mut Keys)) -> Vec<(String, String)> {
    let findings = Findings::default();
    let document = Document::parse(text).expect("the test's text is TOML");
    take(&mut document.keys(&findings));
    let reported = |error: Diagnostic| {
        let span = error.span.clone().expect("an error of a value has a place");
        (error.message, text[span].to_owned())
    };
    findings.take_errors().into_iter().map(reported).collect()
}

/// Returns the only error of a text.
fn error(text: &str, take: impl FnOnce(&mut Keys)) -> (String, String) {
    let mut all = errors(text, take);
    assert_eq!(all.len(), 1, "{all:?}");
    all.remove(0)
}

fn pair(message: &str, at: &str) -> (String, String) {
    (message.to_owned(), at.to_owned())
}

#[test]
fn values_are_taken_with_their_places() {
    let text = "a = 0x1F\nb = [[1, 2], []]\nc = 'ö'\nd = { y = 1, x = 2 }\ne = 2\nf = true\ng = 18446744073709551615\nh = [3, 4]\n";
    let reported = errors(text, |keys| {
        let a: Spanned<u8> = keys.take("a").expect("a number");
        assert_eq!((*a.get_ref(), &text[a.span()]), (31, "0x1F"));
        let b: Vec<Vec<Spanned<usize>>> = keys.take("b").expect("two arrays");
        assert_eq!((b.len(), &text[b[0][1].span()]), (2, "2"));
        assert_eq!(keys.take::<String>("c").as_deref(), Some("ö"));
        let d = keys.node("d").and_then(Node::entries::<i64>).expect("a table");
        assert_eq!(d.iter().map(|(key, value)| (&text[key.span()], *value)).collect::<Vec<_>>(), [("y", 1), ("x", 2)]);
        assert_eq!((keys.take::<f64>("e"), keys.take::<bool>("f")), (Some(2.0), Some(true)));
        assert_eq!((keys.take::<u64>("g"), keys.take::<[u32; 2]>("h")), (Some(u64::MAX), Some([3, 4])));
        assert_eq!(keys.take::<String>("nothing"), None);
    });
    assert_eq!(reported, []);
}

#[test]
fn numbers_out_of_range_are_refused() {
    let refused = |value: &str, take: fn(&mut Keys)| error(&format!("n = {value}"), take).0;
    assert_eq!(
        refused("256", |keys| assert_eq!(keys.take::<u8>("n"), None)),
        "invalid value `256` for `n`: expected an integer from 0 to 255"
    );
    assert_eq!(
        refused("-1", |keys| assert_eq!(keys.take::<usize>("n"), None)),
        "invalid value `-1` for `n`: expected an integer of at least 0"
    );
    assert_eq!(
        refused("0", |keys| assert_eq!(keys.take::<NonZero<usize>>("n"), None)),
        "invalid value `0` for `n`: expected an integer of at least 1"
    );
    let huge = "9".repeat(60);
    assert!(refused(&huge, |keys| assert_eq!(keys.take::<u64>("n"), None)).contains(&huge));
    assert!(refused(&huge, |keys| assert_eq!(keys.take::<f64>("n"), None)).contains(&huge));
    assert_eq!(
        refused("1e999", |keys| assert_eq!(keys.take::<f64>("n"), None)),
        "invalid value `1e999` for `n`: expected a number"
    );
}

#[test]
fn wrong_types_name_the_innermost_key() {
    let wrong = error("a = { b = [1, ['x']] }", |keys| {
        let table = keys.node("a").expect("it is there");
        let inner = table.keys(&["b"]).expect("a table");
        assert_eq!(inner.take::<Vec<u32>>("b"), None);
    });
    assert_eq!(wrong, pair("invalid type for `b`: expected an integer from 0 to 4294967295, found an array", "['x']"));
    let wrong = error("[[a]]\nb = 1\n", |keys| assert!(keys.take::<BTreeMap<String, u8>>("a").is_none()));
    assert_eq!(wrong, pair("invalid type for `a`: expected a table, found an array of tables", "[[a]]"));
    let wrong = error("a = [1]", |keys| assert!(keys.take::<BTreeMap<String, u8>>("a").is_none()));
    assert_eq!(wrong, pair("invalid type for `a`: expected a table, found an array", "[1]"));
    let wrong = error("a = [1]", |keys| assert_eq!(keys.take::<[u8; 2]>("a"), None));
    assert_eq!(wrong, pair("invalid length of `a`: expected 2 values, found 1", "[1]"));
    let wrong = error("a = 'yse'", |keys| {
        assert_eq!(keys.node("a").and_then(|node| node.choice(&[("yes", 1), ("no", 0)])), None);
    });
    assert_eq!(wrong, pair("invalid value `yse` for `a`", "'yse'"));
}

/// A table of two keys.
#[derive(Debug, PartialEq)]
struct Inner(Option<u8>, Option<u8>);

impl FromToml for Inner {
    fn from_toml(node: Node) -> Option<Inner> {
        let keys = node.keys(&["first", "second"])?;
        Some(Inner(keys.take("first"), keys.take("second")))
    }
}

#[test]
fn an_error_in_one_place_hides_none_elsewhere() {
    let text = "a = [{ first = 'x', second = 2 }, { first = 3, scond = 'y' }, 4]\nb = { c = 'z', d = 5 }\n";
    let findings = Findings::default();
    let document = Document::parse(text).expect("the text is TOML");
    let keys = document.keys(&findings);
    assert_eq!(keys.take::<Vec<Inner>>("a"), None, "an array with an element that is not a table");
    assert_eq!(keys.take::<BTreeMap<String, u8>>("b"), Some(BTreeMap::from([("d".to_owned(), 5)])));
    for key in ["a", "a[0].first", "a[1].second", "b.c"] {
        assert!(findings.refused(key), "{key}: {findings:?}");
    }
    assert!(!findings.refused("a[0].second") && !findings.refused("b"));
    assert!(findings.refused_within("b") && findings.refused_within("a[0]") && !findings.refused_within("a[2]"));
    let places: Vec<_> = findings.take_errors().into_iter().filter_map(|error| Some(&text[error.span?])).collect();
    assert_eq!(places, ["'x'", "scond", "4", "'z'"], "errors in the value of a guessed key are not reported");
}

#[test]
fn a_misspelt_key_is_read_as_the_most_similar_one() {
    let text = "strat = 1\ntitel = 'x'\nzzz = 2\ngaol = 'y'\ngoall = 3\nend = 4\nedn = 5\n";
    let findings = Findings::default();
    let document = Document::parse(text).expect("the text is TOML");
    let mut keys = document.keys(&findings);
    keys.expect(&["start", "goal", "end"], &["title"]);
    assert_eq!(keys.take::<u8>("start"), Some(1));
    assert_eq!(keys.take::<u8>("goal"), None, "the value of the most similar key has another type");
    assert_eq!(keys.take::<u8>("end"), Some(4), "a present key is not replaced by a misspelt one");
    assert!(findings.refused("title") && findings.refused("goal") && !findings.refused("start"));
    let reported: Vec<_> = findings.take_errors().into_iter().map(|error| (error.message, error.help)).collect();
    let expected = "expected one of `start`, `goal`, `end`, `title`";
    let unknown = |key: &str, meant: &str| (format!("unknown key `{key}`"), Some(format!("{meant}{expected}")));
    assert_eq!(
        reported,
        [
            unknown("strat", "did you mean `start`? "),
            unknown("titel", "did you mean `title`? "),
            unknown("zzz", ""),
            unknown("gaol", "did you mean `goal`? "),
            unknown("goall", "did you mean `goal`? "),
            unknown("edn", "did you mean `end`? "),
        ]
    );
}

#[test]
fn a_key_of_the_top_level_in_a_table_is_sent_up() {
    let findings = Findings::default();
    let text = "goal = 1\n[[rules]]\nfirst = 'x'\nsecond = 2\nmarks = 3\nfrst = 4\n";
    let document = Document::parse(text).expect("the text is TOML");
    let mut keys = document.keys(&findings);
    keys.expect(&["goal", "marks", "rules"], &["title"]);
    assert!(keys.take::<Vec<Inner>>("rules").is_some());
    let help: Vec<_> = findings.take_errors().into_iter().filter_map(|error| error.help).collect();
    let expected = "expected one of `first`, `second`";
    let up = format!("`marks` is a key of the whole file: write it above the first `[table]`; {expected} here");
    assert_eq!(help, [up, format!("did you mean `first`? {expected}")]);
}

#[test]
fn the_number_of_reported_errors_is_limited() {
    let items = "'x', ".repeat(10_000);
    let reported = errors(&format!("a = [{items}]"), |keys| assert!(keys.take::<Vec<u8>>("a").is_none()));
    assert_eq!(reported.len(), MOST_IN_ARRAY);
    let keys: String = (0..1000).map(|number| format!("k{number} = 1\n")).collect();
    let findings = Findings::default();
    let document = Document::parse(&keys).expect("the text is TOML");
    document.keys(&findings).expect(&["key"], &[]);
    let reported = findings.take_errors();
    assert_eq!((reported.len(), reported.iter().filter(|error| error.help.is_some()).count()), (1000, MOST_SHOWN));
    let tokens = "[],".repeat(MOST_TOKENS / 3 + 1);
    assert!(Document::parse(&format!("a = [{tokens}]")).is_err_and(|errors| errors.len() == 1));
}

#[test]
fn the_usual_mistakes_of_syntax_have_remedies() {
    let cases = [
        ("title = “Box”\n", "typographic quotation marks", "“Box”", "write straight ones: \""),
        ("title: \"x\"\na = 1\n", "expected `=` between a key and its value, found `:`", ":", ""),
        ("title = T\n", "`T` is no value", "T", "put text in quotation marks: \"T\""),
        ("[vars]\na = 0..3\nb = 1\n", "`0..3` is no value", "0..3", "put text in quotation marks: \"0..3\""),
        ("date = to day # soon\n", "`to day` is no value", "to day", "put text in quotation marks: \"to day\""),
        (
            "map = \"\"\"\n#..\n#.#\n",
            "the string that begins here has no end: expected `\"\"\"`",
            "\"\"\"",
            "close the string with three quotation marks",
        ),
        (
            "title = 'It's'\n",
            "unexpected key or value, expected newline, `#`",
            "",
            "put text that contains an apostrophe in quotation marks: \"",
        ),
        ("title = T # it’s\n", "`T` is no value", "T", "put text in quotation marks: \"T\""),
        ("map = \"\"\"\n#\u{1}\n\"\"\"\n", "invalid multi-line basic string, expected `\\`, characters", "\u{1}", ""),
        ("a = 1\na = 2\n", "duplicate key `a`", "a", "remove or rename one of the two"),
    ];
    for (text, message, at, help) in cases {
        let errors = Document::parse(text).err().expect("it is not TOML");
        let [error] = &errors[..] else { panic!("{text}: {errors:?}") };
        let span = error.span.clone().expect("it has a place");
        assert_eq!((&*error.message, &text[span]), (message, at), "{text}");
        assert_eq!(error.help.as_deref().unwrap_or_default(), help, "{text}");
    }
}
