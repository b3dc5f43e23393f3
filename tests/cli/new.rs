//! Tests `engine new`: the first puzzle of every domain is valid, solvable at once, and mentions every key.

use crate::support::program::{folder, run};
use engine::domain;
use std::fs;

#[test]
fn a_new_puzzle_checks_solves_and_mentions_every_key() {
    let here = folder("new", &[]);
    for name in domain::registered() {
        let file = format!("{name}/two-rooks.toml");
        let (status, out, error) = run(&here, &["new", name, &format!("{name}/two-rooks")]);
        assert_eq!((status, error.as_str()), (0, ""), "{name}");
        assert!(out.starts_with(&file), "{out}");
        let text = fs::read_to_string(here.join(&file)).expect("it was written");
        assert!(text.contains("\ntitle = \"Two rooks\"\n"), "{text}");
        let (status, checked, error) = run(&here, &["check", &file]);
        assert_eq!((status, error.as_str()), (0, ""), "{name}");
        assert!(checked.ends_with("1 good, 0 bad\n"), "{checked}");
        let (status, solved, _) = run(&here, &["solve", &file]);
        assert_eq!(status, 0, "{name}: {solved}");
        assert!(solved.contains("proven shortest") && solved.contains("\n1. "), "the solution has no moves: {solved}");
        let mentions = |key: &str| {
            let line = |line: &str| {
                let line = line.trim_start_matches(['#', ' ']);
                line.starts_with(&format!("{key} = "))
                    || [format!("[{key}]"), format!("[[{key}]]")].iter().any(|head| head == line)
                    || line.starts_with(&format!("[{key}."))
            };
            text.lines().any(line)
        };
        let shared = ["author", "source", "description", "tags", "search", "expect"];
        for key in domain::facts(name).expect("facts").keys.iter().map(|key| key.name).chain(shared) {
            assert!(mentions(key), "{name}: {key} is not in {text}");
        }
        assert_eq!(run(&here, &["new", name, "-"]).1, text.replace("Two rooks", "Untitled"));
    }
}

/// Checks that every commented-out line of a template is valid TOML without its `#`.
#[test]
fn commented_out_lines_are_toml() {
    for name in domain::registered() {
        let template = domain::facts(name).expect("facts").template;
        let mut lines = template.lines().filter_map(|line| line.strip_prefix("# "));
        while let Some(line) = lines.next() {
            let key = line.split([' ', '=', ']']).next().unwrap_or_default();
            if line.contains(" = ") && key.chars().all(|c| c.is_ascii_lowercase() || c == '_' || c.is_ascii_digit()) {
                let mut entry = line.to_owned();
                while entry.matches("\"\"\"").count() == 1 {
                    entry += "\n";
                    entry += lines.next().expect("a drawing has an end");
                }
                assert!(entry.parse::<toml::Table>().is_ok(), "{name}: {entry}");
            }
        }
    }
}

#[test]
fn new_overwrites_no_file() {
    let here = folder("new-over", &[("mine.toml", "title = \"mine\"\n")]);
    for name in ["mine", "mine.toml"] {
        let (status, out, error) = run(&here, &["new", "maze", name]);
        assert_eq!((status, out.as_str()), (2, ""));
        assert!(error.contains("mine.toml: already exists and is not overwritten"), "{error}");
    }
    assert_eq!(fs::read_to_string(here.join("mine.toml")).unwrap(), "title = \"mine\"\n");
    assert_eq!(run(&here, &["new", "maze", "mine.toml/deeper"]).0, 2);
    assert_eq!(run(&here, &["new", "maze", ".."]).0, 2);
}

#[test]
fn any_name_makes_a_good_title() {
    let here = folder("new-titles", &[]);
    for name in ["a\"b\\c", "été-à-2", "-x", "tab\there", "a.b"] {
        let (status, _, error) = run(&here, &["new", "maze", "--", name]);
        assert_eq!((status, error.as_str()), (0, ""), "{name}");
        let file = format!("./{name}.toml");
        assert_eq!(run(&here, &["check", &file]).0, 0, "{name}");
    }
}

#[test]
fn common_names_of_puzzles_lead_to_their_domains() {
    let here = folder("new-names", &[]);
    for (name, domain) in [("sokoban", "rules"), ("Rush Hour", "klotski"), ("15-puzzle", "sliding-tile")] {
        let (status, _, error) = run(&here, &["new", name, "first"]);
        assert_eq!(status, 2);
        assert!(error.contains(&format!("such puzzles are in the domain `{domain}`")), "{error}");
    }
}
