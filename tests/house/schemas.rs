//! The JSON Schemas of puzzle files agree with the program: the same keys, and no accepted value is refused.

use crate::support::program::{folder, run};
use crate::support::{files_below, root};
use engine::puzzle::schema::{schema, schema_of_all};
use engine::{Puzzle, domain};
use jsonschema::Validator;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::fs;

fn validator(schema: &Value) -> Validator {
    jsonschema::draft202012::new(schema).expect("it is a schema")
}

fn of(name: &str) -> Value {
    schema(domain::facts(name).expect("a registered domain has facts"))
}

/// Returns a puzzle file as JSON, for validation.
fn read(text: &str) -> Value {
    serde_json::to_value(text.parse::<toml::Table>().expect("the text is TOML")).expect("and so JSON")
}

/// Returns the errors of both schemas of a file's domain.
fn schema_errors(text: &str) -> Vec<String> {
    let value = read(text);
    let all = [
        schema_of_all(),
        of(value["domain"].as_str().filter(|name| domain::facts(name).is_some()).unwrap_or("klotski")),
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

/// Returns the valid names in the program's error for an unknown one.
fn listed_names(text: &str) -> BTreeSet<String> {
    let report = Puzzle::parse(text, "probe").err().expect("an unknown key is refused").to_string();
    let line = report.lines().find(|line| line.contains("valid: "));
    let line = line.unwrap_or_else(|| panic!("no valid keys: {report}"));
    let (_, names) = line.split_once("valid: ").expect("the line contains this text");
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
        // After the language a fence may name a file.
        let blocks = document.split("```toml").skip(1).filter_map(|rest| rest.split_once('\n')?.1.split_once("\n```"));
        texts.extend(blocks.map(|(block, _)| block.to_owned()).filter(|block| block.contains("domain = ")));
    }
    assert!(texts.len() > 200);
    for text in texts {
        assert_eq!(schema_errors(&text), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn invalid_files_are_refused() {
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
        ("a cost of what has no solution", format!("{good}[expect]\noutcome = \"unsolvable\"\ncost = 5\n")),
        ("a place of three numbers", good.replace("metric = \"slide\"", "walls = [[1, 2, 3]]")),
        ("a title of two lines", good.replace("\"Untitled\"", "\"Un\\ntitled\"")),
        ("unknown key of a piece", format!("{good}[pieces]\na = {{ move = \"any\" }}\n")),
    ];
    for (what, text) in broken {
        assert!(!schema_errors(&text).is_empty(), "{what} is not seen:\n{text}");
        assert!(Puzzle::parse(&text, "broken").is_err(), "{what}: the program takes it");
    }
}

#[test]
fn the_keys_are_those_that_the_program_accepts() {
    for name in domain::registered() {
        let schema = of(name);
        assert_eq!(schema["additionalProperties"], json!(false), "{name}");
        let start = format!("title = \"x\"\ndomain = \"{name}\"\n");
        assert_eq!(keys(&schema), listed_names(&format!("{start}no-such-key = 1\n")), "{name}");
        for (key, property) in schema["properties"].as_object().expect("properties") {
            assert!(property["description"].as_str().is_some_and(|text| !text.is_empty()), "{name}: {key}");
            if property["properties"].is_object() {
                assert_eq!(property["additionalProperties"], json!(false), "{name}: {key}");
                assert_eq!(
                    keys(property),
                    listed_names(&format!("{start}[{key}]\nno-such-key = 1\n")),
                    "{name}: {key}"
                );
            }
        }
        let heuristics = &schema["properties"]["search"]["properties"]["heuristic"]["enum"];
        let facts = domain::facts(name).expect("the domain is registered");
        let known: Vec<&str> = facts.heuristics.iter().map(|heuristic| heuristic.name).collect();
        assert_eq!(heuristics, &json!(known), "{name}");
    }
    let pieces = &of("klotski")["properties"]["pieces"]["additionalProperties"];
    let probe = "title = \"x\"\ndomain = \"klotski\"\n[pieces.a]\nno-such-key = 1\n";
    assert_eq!(keys(pieces), listed_names(probe));
}

/// Tries each key with values of all types: the schema accepts what the program accepts.
#[test]
fn no_schema_refuses_what_the_program_accepts() {
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
    let mut taken = 0;
    for name in domain::registered() {
        let schema = of(name);
        let base: toml::Table = first_puzzle(name).parse().expect("TOML");
        for key in keys(&schema) {
            for value in values {
                let mut table = base.clone();
                let parsed: toml::Table = format!("value = {value}").parse().expect("TOML");
                table.insert(key.clone(), parsed["value"].clone());
                if Puzzle::parse(&table.to_string(), "probe").is_ok() {
                    taken += 1;
                    let text = table.to_string();
                    assert_eq!(schema_errors(&text), Vec::<String>::new(), "{name}: {key} = {value} is valid");
                }
            }
        }
    }
    assert!(taken > 60, "{taken} probes were good puzzles");
}

/// `engine schema NAME > schemas/NAME.schema.json` updates one, `engine schema > schemas/puzzle.schema.json` all.
#[test]
fn the_stored_schemas_are_what_the_program_prints() {
    let here = folder("schemas", &[]);
    let mut stored = vec![("puzzle", vec!["schema"])];
    stored.extend(domain::registered().into_iter().map(|name| (name, vec!["schema", name])));
    for (name, arguments) in &stored {
        let (status, printed, _) = run(&here, arguments);
        assert_eq!(status, 0);
        let path = format!("schemas/{name}.schema.json");
        let known = fs::read_to_string(root().join(&path)).unwrap_or_default();
        assert!(known == printed, "{path} is not current: `engine {} > {path}` makes it so", arguments.join(" "));
        let schema: Value = serde_json::from_str(&printed).expect("the output is JSON");
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
