//! Compares the JSON Schemas of puzzle files with the program: both have the same keys, and a schema accepts every file
//! that the program accepts.

use crate::support::program::{folder, run};
use crate::support::{files_below, root};
use engine::puzzle::schema::{schema, schema_of_all};
use engine::{Puzzle, domain};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("the schema is valid")
}

fn schema_of(name: &str) -> Value {
    schema(domain::facts(name).expect("a registered domain has facts"))
}

/// Parses a puzzle file as a JSON value.
fn parse(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().expect("the text is TOML")).expect("TOML converts to JSON")
}

/// Returns the validation errors of a file, from its domain's schema. The schema of all domains must agree.
fn schema_errors(text: &str) -> Vec<String> {
    let value = parse(text);
    let all = [
        schema_of_all(),
        schema_of(value["domain"].as_str().filter(|name| domain::facts(name).is_some()).unwrap_or("klotski")),
    ];
    let of_one =
        |schema: &Value| validator(schema).iter_errors(&value).map(|error| error.to_string()).collect::<Vec<_>>();
    let [first, second] = all.map(|schema| of_one(&schema));
    assert_eq!(first.is_empty(), second.is_empty(), "both schemas agree: {first:?} {second:?}\n{text}");
    second
}

/// Returns the first puzzle of a domain, as `engine new` prints it.
fn first_puzzle(name: &str) -> String {
    let (status, out, error) = run(&root(), &["new", name, "-"]);
    assert_eq!((status, error.as_str()), (0, ""));
    out
}

/// Returns the valid names that the error about an unknown key lists.
fn valid_names(text: &str) -> BTreeSet<String> {
    let report = Puzzle::parse(text, "probe").err().expect("an unknown key is an error").to_string();
    let line = report.lines().find(|line| line.contains("expected one of "));
    let line = line.unwrap_or_else(|| panic!("the report lists no valid keys: {report}"));
    let (_, names) = line.split_once("expected one of ").expect("it was just found");
    names.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

fn keys(schema: &Value) -> BTreeSet<String> {
    schema["properties"].as_object().expect("a schema has properties").keys().cloned().collect()
}

#[test]
fn every_puzzle_and_every_example_of_the_format_is_valid() {
    let puzzles = files_below(&root().join("puzzles"), "toml");
    let mut texts: Vec<String> =
        puzzles.iter().map(|file| fs::read_to_string(root().join("puzzles").join(file)).unwrap()).collect();
    let domains = domain::registered().into_iter().map(|name| format!("docs/format/{name}.md"));
    for document in ["README.md", "docs/format.md", "docs/editors.md"].map(str::to_owned).into_iter().chain(domains) {
        let document = fs::read_to_string(root().join(document)).unwrap();
        // A file name may follow the language of a fenced block.
        let blocks = document.split("```toml").skip(1).filter_map(|rest| rest.split_once('\n')?.1.split_once("\n```"));
        texts.extend(blocks.map(|(block, _)| block.to_owned()).filter(|block| block.contains("domain = ")));
    }
    assert!(texts.len() > 200);
    for text in texts {
        assert_eq!(schema_errors(&text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn schemas_refuse_wrong_files() {
    let good = first_puzzle("klotski");
    assert_eq!(schema_errors(&good), Vec::<String>::new());
    let broken = [
        ("unknown key", good.replace("metric = ", "metrik = ")),
        ("wrong type", good.replace("metric = \"slide\"", "metric = 3")),
        ("unknown metric", good.replace("\"slide\"\n", "\"slyde\"\n")),
        ("missing title", good.replace("title = ", "author = ")),
        ("missing goal", good.replace("goal = \"", "description = \"")),
        ("unknown domain", good.replace("domain = \"klotski\"", "domain = \"klotsky\"")),
        ("unknown heuristic", format!("{good}[search]\nheuristic = \"manhattan\"\n")),
        ("unknown algorithm", format!("{good}[search]\nalgorithm = \"a-start\"\n")),
        ("unknown key in a table", format!("{good}[expect]\ncosts = 5\n")),
        ("a cost without a solution", format!("{good}[expect]\noutcome = \"unsolvable\"\ncost = 5\n")),
        ("a cell of three numbers", good.replace("metric = \"slide\"", "walls = [[1, 2, 3]]")),
        ("a title of two lines", good.replace("\"Untitled\"", "\"Un\\ntitled\"")),
        ("unknown key of a piece", format!("{good}[pieces]\na = {{ move = \"any\" }}\n")),
    ];
    for (what, text) in broken {
        assert!(!schema_errors(&text).is_empty(), "the schema accepts: {what}\n{text}");
        assert!(Puzzle::parse(&text, "broken").is_err(), "the program accepts: {what}");
    }
}

#[test]
fn schemas_have_the_keys_of_the_program() {
    for name in domain::registered() {
        let schema = schema_of(name);
        assert_eq!(schema["additionalProperties"], json!(false), "{name}");
        let start = format!("title = \"x\"\ndomain = \"{name}\"\n");
        assert_eq!(keys(&schema), valid_names(&format!("{start}no-such-key = 1\n")), "{name}");
        for (key, property) in schema["properties"].as_object().expect("properties") {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {key}");
            if property["properties"].is_object() {
                assert_eq!(property["additionalProperties"], json!(false), "{name}: {key}");
                assert_eq!(keys(property), valid_names(&format!("{start}[{key}]\nno-such-key = 1\n")), "{name}: {key}");
            }
        }
        let heuristic = &schema["properties"]["search"]["properties"]["heuristic"];
        // A file that defines heuristics may name those, too.
        let has_own = schema["properties"]["heuristics"].is_object();
        let heuristics = if has_own { &heuristic["anyOf"][0]["enum"] } else { &heuristic["enum"] };
        let facts = domain::facts(name).expect("facts");
        let known: Vec<&str> = facts.heuristics.iter().map(|heuristic| heuristic.name).collect();
        assert_eq!(heuristics, &json!(known), "{name}");
    }
    let pieces = &schema_of("klotski")["properties"]["pieces"]["additionalProperties"];
    let probe = "title = \"x\"\ndomain = \"klotski\"\n[pieces.a]\nno-such-key = 1\n";
    assert_eq!(keys(pieces), valid_names(probe));
}

/// Tries each key with values of many types: if the program accepts a file, the schema does.
#[test]
fn no_schema_refuses_a_file_that_the_program_accepts() {
    let values = [
        "\"x\"",
        "\"\"",
        "0",
        "3",
        "-1",
        "2.5",
        "true",
        "[]",
        "[1]",
        "[[0, 0]]",
        "[[1, 2], [3]]",
        "[\"a\", 1]",
        "{}",
        "[0, 0]",
        "[[]]",
        "[0, 0, 0]",
        "{ a = [0, 0] }",
        "{ a = \"b\" }",
        "{ seed = 7 }",
        "{ moves = 3, seed = 7 }",
        "[[0]]",
        "[{ a = [1, 1] }]",
        "{ a = [\"##\"] }",
        "{ a = { moves = \"any\" } }",
        "\"blank-first\"",
        "\"torus\"",
        "\"array\"",
        "\"multi\"",
        "\"turn\"",
        "\"vertical\"",
        "\"generator\"",
        "\"diagonal\"",
        "[\"insert\"]",
        "\"a*\"",
        "{ outcome = \"solved\" }",
        "{ cost = 4.5 }",
        "{ weight = 3 }",
        "{ depth_limit = 9, automaton = true }",
        "[1, 2, 3, 4, 5, 6]",
        "\"T S\"",
        "\"(1 2)(3 4)\"",
        "{ T = \"(1 2)\" }",
        "\"121323\"",
        "[[1, 2, 3]]",
    ];
    let mut accepted = 0;
    for name in domain::registered() {
        let schema = schema_of(name);
        let base: toml::Table = first_puzzle(name).parse().expect("TOML");
        for key in keys(&schema) {
            for value in values {
                let mut table = base.clone();
                let parsed: toml::Table = format!("value = {value}").parse().expect("TOML");
                table.insert(key.clone(), parsed["value"].clone());
                if Puzzle::parse(&table.to_string(), "probe").is_ok() {
                    accepted += 1;
                    let text = table.to_string();
                    assert_eq!(schema_errors(&text), Vec::<String>::new(), "{name}: {key} = {value} is valid");
                }
            }
        }
    }
    assert!(accepted > 60, "{accepted} probes were valid puzzles");
}

/// Compares the stored schemas with the printed ones; with `UPDATE_DOCS=1`, stores the printed ones.
#[test]
fn the_stored_schemas_are_current() {
    let here = folder("schemas", &[]);
    let mut stored = vec![("puzzle", vec!["schema"])];
    stored.extend(domain::registered().into_iter().map(|name| (name, vec!["schema", name])));
    for (name, arguments) in &stored {
        let (status, printed, _) = run(&here, arguments);
        assert_eq!(status, 0);
        let path = format!("schemas/{name}.schema.json");
        if std::env::var_os("UPDATE_DOCS").is_some() {
            fs::write(root().join(&path), &printed).expect("the schema can be stored");
        }
        let known = fs::read_to_string(root().join(&path)).unwrap_or_default();
        assert!(known == printed, "{path} is not current: update it with `UPDATE_DOCS=1`");
        let schema: Value = serde_json::from_str(&printed).expect("JSON");
        assert!(schema["properties"]["title"].is_object(), "{name} has its properties at the top");
        assert!(jsonschema::meta::is_valid(&schema), "{name}");
    }
    let files = files_below(&root().join("schemas"), "json");
    assert_eq!(files.len(), stored.len(), "a schema without a domain: {files:?}");
}

#[test]
fn an_unknown_domain_gets_a_suggestion() {
    for command in [&["schema", "klotsky"][..], &["domains", "klotsky"], &["new", "klotsky", "-"]] {
        let (status, out, error) = run(&root(), command);
        assert_eq!((status, out.as_str()), (2, ""), "{command:?}");
        assert!(error.contains("did you mean `klotski`?"), "{error}");
    }
}
