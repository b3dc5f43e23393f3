//! Tests the rules of the source tree: layers, file sizes, `unsafe`, dependencies.

use crate::support::{files_below, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layers, bottom first: a module may import modules of lower layers and its own submodules.
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

/// The files that may contain `unsafe`, with the number of its uses, attributes included, and the reason.
const UNSAFE: [(&str, usize, &str); 2] = [
    (
        "src/cli/wall.rs",
        10,
        "an allocator is an unsafe trait: this one passes each call to the system's allocator with the same arguments, after \
     a look at the memory, so that memory limits hold even where code forgets to check them",
    ),
    (
        "crates/domain/src/domain/table.rs",
        2,
        "a table of hundreds of megabytes is memory-mapped, not copied: no safe interface can guarantee that the file \
     does not change, and here every byte is a valid value",
    ),
];

/// A source file.
struct Source {
    /// Its path from the root.
    path: PathBuf,
    /// Its path below the `src` of its crate.
    file: PathBuf,
    text: String,
}

/// The folders of the crates, relative to the root; the engine itself is in the root.
const CRATES: [&str; 7] = [
    "",
    "crates/search",
    "crates/domain",
    "crates/domains",
    "crates/puzzlescript",
    "crates/rules",
    "crates/rules-reference",
];

/// Reads every source file of a crate.
fn sources_of(folder: &str) -> Vec<Source> {
    let src = root().join(folder).join("src");
    let read = |file: PathBuf| {
        let text = fs::read_to_string(src.join(&file)).expect("a source file can be read");
        Source { path: Path::new(folder).join("src").join(&file), file, text }
    };
    files_below(&src, "rs").into_iter().map(read).collect()
}

/// Reads every source file of every crate.
fn sources() -> Vec<Source> {
    CRATES.iter().flat_map(|folder| sources_of(folder)).collect()
}

/// Returns the top-level module of a file: `search` for `search/graph.rs`.
fn top_module(file: &Path) -> String {
    let first = file.components().next().expect("a file has a name").as_os_str().to_string_lossy().into_owned();
    first.trim_end_matches(".rs").to_owned()
}

fn layer(module: &str) -> Option<usize> {
    LAYERS.iter().position(|layer| layer.contains(&module))
}

#[test]
fn no_module_imports_from_its_own_layer_or_above() {
    // The compiler checks imports between crates. The crates of the domains have no layers.
    for Source { file, text, .. } in CRATES[..3].iter().flat_map(|folder| sources_of(folder)) {
        let module = top_module(&file);
        if module == "lib" || module == "main" {
            continue;
        }
        let own = layer(&module).unwrap_or_else(|| panic!("{module} has no layer: add it to `LAYERS`"));
        let code: Vec<&str> = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        for used in code.join("\n").split("crate::").skip(1) {
            assert!(!used.starts_with('{'), "{}: write one `use crate::…` for each module", file.display());
            let used: String = used.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
            let Some(other) = layer(&used) else { continue };
            assert!(other < own || used == module, "{}: {} uses {used}, which is above it", file.display(), module);
        }
        // `super` leaves a module only in its first file, where it names the crate's root.
        // `pub(in super::…)` sets the visibility of an item and imports nothing.
        let imports = text.replace("pub(in super::super::super)", "").replace("pub(in super::super)", "");
        let leaves =
            file.components().count() == 1 && imports.contains("super::") || imports.contains("super::super::");
        let tests = text.contains("mod tests") || file.components().any(|part| part.as_os_str() == "tests");
        assert!(
            !leaves || tests,
            "{}: write `crate::` instead of `super::`, so that this test sees the import",
            file.display()
        );
    }
}

#[test]
fn no_domain_uses_another() {
    let sources = sources_of("crates/domains");
    let domains: BTreeSet<String> = sources.iter().map(|source| top_module(&source.file)).collect();
    assert!(domains.len() >= 5, "too few domains");
    for Source { path, file, text } in &sources {
        let own = top_module(file);
        for other in domains.iter().filter(|other| **other != own && own != "lib") {
            assert!(!text.contains(&format!("{other}::")), "{} uses {other}", path.display());
        }
    }
}

#[test]
fn the_plain_rules_of_puzzlescript_use_nothing_that_compiles_or_plays_for_the_search() {
    let plain = sources_of("crates/puzzlescript").into_iter().filter(|source| top_module(&source.file) == "plain");
    let plain: Vec<Source> = plain.collect();
    assert!(plain.len() > 5, "too few files");
    for Source { path, text, .. } in plain {
        let code: String = text.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
        let foreign = ["compile::", "program::", "session::", "changing::", "Workspace"];
        let found = foreign.iter().find(|name| code.contains(**name));
        assert_eq!(found, None, "{}", path.display());
    }
}

#[test]
fn the_reference_rules_share_nothing_with_the_rules_that_they_check() {
    let manifest = fs::read_to_string(root().join("crates/rules-reference/Cargo.toml")).expect("a manifest");
    let (_, dependencies) = manifest.split_once("[dependencies]").expect("dependencies");
    let of_the_engine: Vec<&str> = dependencies.lines().filter(|line| line.starts_with("engine-")).collect();
    assert_eq!(of_the_engine, ["engine-domain.workspace = true"]);
}

#[test]
fn the_search_module_mentions_no_puzzle() {
    let searches = sources_of("crates/search").into_iter().filter(|source| top_module(&source.file) == "search");
    for Source { path, text, .. } in searches {
        let text = text.to_lowercase();
        let foreign = ["tile", "tiles", "klotski", "piece", "pieces", "println"];
        let found = text.split(|c: char| !c.is_alphanumeric()).find(|word| foreign.contains(word));
        assert_eq!(found, None, "{}", path.display());
    }
}

#[test]
fn everything_that_commands_print_passes_through_one_writer() {
    // They draw on a terminal with escape sequences of their own.
    let own = ["src/cli/streams.rs", "src/cli/progress.rs", "src/cli/play/screen.rs"];
    let asks = ["is_terminal", "terminal_size", "colours("];
    let mut asked = 0;
    for Source { path, text, .. } in sources() {
        if !path.starts_with("src") || own.iter().any(|own| path == std::path::Path::new(own)) {
            continue;
        }
        for line in text.lines().map(str::trim_start).filter(|line| !line.starts_with("//")) {
            let prints = line.contains("println!(") || line.contains("print!(");
            let uses = line.contains("io::stdout()") || line.contains("io::stderr()");
            asked += usize::from(uses);
            let is_asked = asks.iter().any(|ask| line.contains(ask));
            assert!(!prints && (!uses || is_asked), "{} prints past `streams.rs`: {line}", path.display());
        }
    }
    assert!(asked > 5, "the test looks at too few lines: {asked}");
}

#[test]
fn tests_ask_for_data_from_outside_by_one_function() {
    let beside = ["..", "shared"].join("/");
    let mut asking = Vec::new();
    for folder in ["src", "crates", "tests", "benches", "examples", "fuzz/src"] {
        for file in files_below(&root().join(folder), "rs") {
            let path = Path::new(folder).join(file);
            let text = fs::read_to_string(root().join(&path)).expect("a source file can be read");
            assert!(!text.contains(&beside), "{} names a folder beside the repository", path.display());
            if text.contains("var_os(\"ENGINE_TEST_DATA\")") {
                asking.push(path);
            }
        }
    }
    assert_eq!(asking, [Path::new("tests/support/outside.rs")]);
}

/// The limit on the lines of a file. A file holds one idea; longer files turned out to hold several. Do not split a
/// file only to shorten it.
const MAX_LINES: usize = 700;

#[test]
fn every_file_has_documentation_and_a_limited_length() {
    for Source { path: file, text, .. } in sources() {
        assert!(text.starts_with("//! "), "{} does not start with `//!`", file.display());
        let lines = text.lines().count();
        assert!(lines <= MAX_LINES, "{} has {lines} lines: it holds more than one idea", file.display());
        let listed = UNSAFE.iter().find(|(known, ..)| file == Path::new(known)).map_or(0, |(_, uses, _)| *uses);
        let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
        let found: usize = code.map(|line| line.replace("'unsafe-inline'", "").matches("unsafe").count()).sum();
        assert_eq!(found, listed, "{}: `unsafe` needs an entry with a reason in `UNSAFE`", file.display());
    }
}

/// Returns the major and minor number of a version such as `1.95.0`.
fn version(text: &str) -> (u32, u32) {
    let mut numbers = text.split('.').map(|number| number.parse().expect("a version is numbers"));
    (numbers.next().expect("a version has a number"), numbers.next().unwrap_or(0))
}

#[test]
fn no_dependency_needs_a_newer_compiler_than_the_engine_promises() {
    let output_of = |program: &str, arguments: &[&str]| {
        let output = Command::new(program).args(arguments).current_dir(root()).output().expect("the program runs");
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("output is UTF-8")
    };
    let cargo = std::env::var("CARGO").unwrap_or("cargo".to_owned());
    let compiler = output_of("rustc", &["-vV"]);
    let host = compiler.lines().find_map(|line| line.strip_prefix("host: ")).expect("`rustc -vV` prints the host");
    let options = ["metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host];
    let metadata: serde_json::Value = serde_json::from_str(&output_of(&cargo, &options)).expect("JSON");
    let packages = metadata["packages"].as_array().expect("packages");
    let required = |package: &serde_json::Value| package["rust_version"].as_str().map(version);
    let engine = packages
        .iter()
        .find(|package| package["name"] == "engine-puzzle")
        .and_then(required)
        .expect("the engine has a `rust-version`");
    assert!(packages.len() > 100, "{} packages", packages.len());
    for package in packages {
        assert!(
            required(package).is_none_or(|required| required <= engine),
            "{} needs a newer compiler",
            package["id"]
        );
    }
    for document in ["README.md", "CONTRIBUTING.md"] {
        let text = fs::read_to_string(root().join(document)).expect("the document can be read");
        let promise = format!("Rust {}.{}", engine.0, engine.1);
        assert!(text.contains(&promise), "{document} does not contain `{promise}`");
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

#[test]
fn documents_about_the_source_name_files_that_exist() {
    const FOLDERS: [&str; 8] =
        ["src/", "crates/", "tests/", "benches/", "examples/", "puzzles/", "snapshots/", "fuzz/"];
    for document in ["CONTRIBUTING.md", "docs/architecture.md", "docs/performance.md", "docs/your-own-domain.md"] {
        let text = fs::read_to_string(root().join(document)).expect("it is there");
        let quoted = text.split('`').skip(1).step_by(2);
        let is_path = |word: &&str| {
            FOLDERS.iter().any(|folder| word.starts_with(folder))
                && !word.contains(char::is_whitespace)
                && !word.contains("NAME")
        };
        for path in quoted.filter(is_path) {
            assert!(root().join(path).exists(), "{document} names {path}, which does not exist");
        }
    }
}
