//! Tests the extension for VS Code without VS Code: its script is JavaScript, and its manifest names what there is.

use crate::support::root;
use serde_json::Value;
use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

fn extension(name: &str) -> String {
    fs::read_to_string(root().join("editors/vscode").join(name)).expect("a file of the extension can be read")
}

#[test]
fn the_extension_names_what_it_has() {
    let manifest: Value = serde_json::from_str(&extension("package.json")).expect("the manifest is JSON");
    let script = extension("extension.js");
    for key in ["name", "displayName", "description", "version", "publisher", "license"] {
        assert!(manifest[key].as_str().is_some_and(|value| !value.is_empty()), "the manifest needs `{key}`");
    }
    assert!(manifest["engines"]["vscode"].as_str().is_some_and(|version| version.starts_with('^')));
    let main = manifest["main"].as_str().expect("a script");
    assert!(root().join("editors/vscode").join(main).is_file(), "{main} is missing");

    // Languages: those that start the extension, that it contributes, and that it serves are the same.
    let languages = manifest["contributes"]["languages"].as_array().expect("languages");
    let mut known: BTreeSet<&str> = languages.iter().filter_map(|one| one["id"].as_str()).collect();
    known.insert("plaintext");
    let events = manifest["activationEvents"].as_array().expect("events");
    let starting: BTreeSet<&str> =
        events.iter().filter_map(|event| event.as_str()?.strip_prefix("onLanguage:")).collect();
    assert_eq!(starting, known, "these languages start the extension, and these it knows");
    for language in known {
        assert!(script.contains(&format!("\"{language}\"")), "the script does not serve `{language}`");
    }

    // Settings that the script reads have a description.
    let settings = manifest["contributes"]["configuration"]["properties"].as_object().expect("settings");
    assert!(script.contains("getConfiguration(\"puzzles\").get(\"program\")"));
    for (name, setting) in settings {
        assert!(name.starts_with("puzzles.") && setting["description"].is_string(), "{name}");
    }
    for required in script.split("require(\"").skip(1).filter_map(|rest| rest.split('"').next()) {
        let package = required.split('/').next().expect("a package");
        let is_there = package == "vscode" || manifest["dependencies"][package].is_string();
        assert!(is_there, "{required} is no dependency of the manifest");
    }
}

/// Where there is no Node.js, the script is not read.
#[test]
fn the_script_of_the_extension_is_javascript() {
    let checked = Command::new("node").arg("--check").arg(root().join("editors/vscode/extension.js")).output();
    if let Ok(checked) = checked {
        assert!(checked.status.success(), "{}", String::from_utf8_lossy(&checked.stderr));
    }
}
