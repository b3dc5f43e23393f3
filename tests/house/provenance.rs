//! Origins and versions: the README files of the collections, the version that is cited.

use crate::support::{files_below, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The folders that hold puzzles, and those between them and `puzzles/`.
fn folders() -> BTreeSet<PathBuf> {
    let puzzles = files_below(&root().join("puzzles"), "toml");
    puzzles.iter().flat_map(|file| file.ancestors().skip(1).map(Path::to_owned).collect::<Vec<_>>()).collect()
}

#[test]
fn every_folder_of_puzzles_says_where_they_come_from() {
    let folders = folders();
    assert!(folders.len() > 20, "{} folders", folders.len());
    for folder in folders {
        let here = root().join("puzzles").join(&folder);
        let readme = fs::read_to_string(here.join("README.md"));
        let readme = readme.unwrap_or_else(|error| panic!("puzzles/{}/README.md: {error}", folder.display()));
        // In a folder without own work, every file names its source.
        if !readme.to_lowercase().contains("own work") {
            for file in files_below(&here, "toml") {
                let text = fs::read_to_string(here.join(&file)).expect("a puzzle can be read");
                let named = text.lines().any(|line| line.starts_with("source = "));
                assert!(named, "puzzles/{}: no `source`", folder.join(file).display());
            }
        }
    }
}

#[test]
fn the_version_is_the_same_wherever_it_is_written() {
    let version = env!("CARGO_PKG_VERSION");
    let read = |file: &str| fs::read_to_string(root().join(file)).expect("it is there");
    assert!(read("CITATION.cff").lines().any(|line| line == format!("version: {version}")), "CITATION.cff");
    // `release.yml` takes the notes of a release from this section.
    assert!(read("CHANGELOG.md").contains(&format!("\n## [{version}]")), "CHANGELOG.md");
}

#[test]
fn the_lock_of_the_fuzz_targets_has_every_dependency() {
    let read = |file: &Path| -> toml::Table {
        let text = fs::read_to_string(file).expect("it is there");
        text.parse().expect("it is TOML")
    };
    let lock = read(&root().join("fuzz/Cargo.lock"));
    let locked: Vec<&toml::Value> = lock["package"].as_array().expect("packages").iter().collect();
    let crates = fs::read_dir(root().join("crates")).expect("a folder").map(|entry| entry.expect("readable").path());
    for folder in crates.chain([root().to_path_buf()]) {
        let manifest = read(&folder.join("Cargo.toml"));
        let name = &manifest["package"]["name"];
        let package = locked.iter().find(|package| package["name"] == *name).expect("the crate is locked");
        let has = |dependency: &str| {
            let locked = package["dependencies"].as_array().expect("dependencies").iter();
            locked.flat_map(toml::Value::as_str).any(|locked| locked.split(' ').next() == Some(dependency))
        };
        for (dependency, facts) in manifest["dependencies"].as_table().expect("a table") {
            let is_optional = facts.get("optional").is_some_and(|optional| optional.as_bool() == Some(true));
            let lacks = "fuzz/Cargo.lock is old: run `cargo update --workspace --manifest-path fuzz/Cargo.toml`";
            let package = facts.get("package").and_then(toml::Value::as_str).unwrap_or(dependency);
            assert!(is_optional || has(package), "{lacks} ({name} needs {package})");
        }
    }
}
