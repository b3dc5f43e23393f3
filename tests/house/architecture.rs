//! The rules of the source tree as tests: guarantees for readers of the sources.

use crate::support::{files_below, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layers from the bottom up: a module may use those of layers below its own, and its own parts.
const LAYERS: [&[&str]; 8] = [
    &["argument", "limit"],
    &["diagnostic", "picture", "space"],
    &["document", "drawing", "plot", "search"],
    &["domain"],
    &["puzzle"],
    &["transcript"],
    &["verify", "play", "render"],
    &["cli"],
];

/// The files that may contain `unsafe`, and why.
const UNSAFE: [(&str, &str); 1] = [(
    "crates/domain/src/domain/table.rs",
    "a table of hundreds of megabytes is mapped from its file, not copied: no safe interface can know that the file \
     stays as it is, and here every byte is a value that is in order",
)];

/// A source file.
struct Source {
    /// Its path from the root.
    path: PathBuf,
    /// Its path below the `src` of its crate.
    file: PathBuf,
    text: String,
}

/// The folders of the crates, relative to the root; the engine itself is one.
const CRATES: [&str; 5] = ["", "crates/search", "crates/domain", "crates/domains", "crates/rules"];

/// Every source file of a crate.
fn sources_of(folder: &str) -> Vec<Source> {
    let src = root().join(folder).join("src");
    let read = |file: PathBuf| {
        let text = fs::read_to_string(src.join(&file)).expect("a source file can be read");
        Source { path: Path::new(folder).join("src").join(&file), file, text }
    };
    files_below(&src, "rs").into_iter().map(read).collect()
}

/// Every source file.
fn sources() -> Vec<Source> {
    CRATES.iter().flat_map(|folder| sources_of(folder)).collect()
}

/// Returns the top module that a file belongs to: `search` for `search/graph.rs`.
fn top(file: &Path) -> String {
    let first = file.components().next().expect("a file has a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

#[test]
fn no_import_runs_upwards() {
    // Between crates the compiler checks this; the kinds of puzzle belong to no layer.
    for Source { file, text, .. } in CRATES[..3].iter().flat_map(|folder| sources_of(folder)) {
        let module = top(&file);
        if module == "lib" || module == "main" {
            continue;
        }
        let own = layer(&module).unwrap_or_else(|| panic!("{module} has no layer: add it to one"));
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for used in code.join("\n").split("crate::").skip(1) {
            assert!(!used.starts_with('{'), "{}: write one `use crate::…` a module", file.display());
            let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let Some(other) = layer(&used) else { continue };
            assert!(other < own || used == module, "{}: {} uses {used}, which is above it", file.display(), module);
        }
        // `super` leads out of a module only from its first file, and then to the crate's root.
        // The path in `pub(in super::…)` defines visibility; it imports nothing.
        let imports = text.replace("pub(in super::super::super)", "").replace("pub(in super::super)", "");
        let leaves =
            file.components().count() == 1 && imports.contains("super::") || imports.contains("super::super::");
        let tests = text.contains("mod tests") || file.components().any(|part| part.as_os_str() == "tests");
        assert!(!leaves || tests, "{}: `super` hides what is imported", file.display());
    }
}

#[test]
fn no_domain_depends_on_another() {
    let sources = sources_of("crates/domains");
    let domains: BTreeSet<String> = sources.iter().map(|source| top(&source.file)).collect();
    assert!(domains.len() >= 5, "the domains are found");
    for Source { path, file, text } in &sources {
        let own = top(file);
        for other in domains.iter().filter(|other| **other != own && own != "lib") {
            assert!(!text.contains(&format!("{other}::")), "{} knows {other}", path.display());
        }
    }
}

#[test]
fn searches_depend_on_no_puzzle() {
    let searches = sources_of("crates/search").into_iter().filter(|source| top(&source.file) == "search");
    for Source { path, text, .. } in searches {
        for word in ["tile", "klotski", "piece", "println"] {
            assert!(!text.to_lowercase().contains(word), "{} speaks of {word}", path.display());
        }
    }
}

/// The greatest number of lines of a file. A file has one purpose; longer files have turned out to have several, but
/// splitting only for length is worse.
const MAX_LINES: usize = 700;

#[test]
fn every_file_has_a_description_and_a_limited_length() {
    for Source { path: file, text, .. } in sources() {
        assert!(text.starts_with("//! "), "{} does not say what it is", file.display());
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines: it holds more than one idea", file.display());
        let listed = UNSAFE.iter().filter(|(known, _)| file == std::path::Path::new(known)).count();
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let found: usize = code.map(|line| line.replace("'unsafe-inline'", "").matches("unsafe").count()).sum();
        // Each stands below the line that expects the lint.
        assert_eq!(found, 2 * listed, "{}: `unsafe` needs its reason and a place on the list", file.display());
    }
}

/// Two numbers of a version, as in `1.95.0`.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.split('.').map(|number| number.parse().expect("a version is numbers"));
    (numbers.next().expect("a version has a number"), numbers.next().unwrap_or(0))
}

#[test]
fn no_dependency_needs_a_newer_compiler_than_the_documented_one() {
    let answer = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root()).output().expect("the program starts");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("the file is text")
    };
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let compiler = answer("rustc", &["-vV"]);
    let host = compiler.lines().find_map(|line| line.strip_prefix("host: ")).expect("it has a host");
    let options = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host];
    let metadata: serde_json::Value = serde_json::from_str(&answer(&cargo, &options)).expect("the output is JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let needs = |package: &serde_json::Value| package["rust_version"].as_str().map(version);
    let engine = packages.iter().find(|package| package["name"] == "engine").and_then(needs).expect("a promise");
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in packages {
        assert!(needs(package).is_none_or(|needs| needs <= engine), "{} asks for a newer compiler", package["id"]);
    }
    for document in ["README.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(document)).expect("the path exists");
        let promise = format!("Rust {}.{}", engine.0, engine.1);
        assert!(text.contains(&promise), "{document} does not say {promise}");
    }
}

#[test]
fn the_front_page_shows_every_layer() {
    let library = fs::read_to_string(root().join("src/lib.rs")).expect("the library has a front page");
    for (number, layer) in LAYERS.iter().enumerate() {
        let row = library.lines().find(|line| line.starts_with(&format!("//! | {number} |")));
        let row = row.unwrap_or_else(|| panic!("layer {number} is not in the table"));
        for module in *layer {
            assert!(row.contains(&format!("`{module}`")), "{module} is not in layer {number}");
        }
    }
}
