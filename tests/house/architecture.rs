//! Tests the rules of the source tree: layers, file sizes, `unsafe`, dependencies.

use crate::support::{files_below, root};
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The layers of a crate, bottom first: a module may import modules of lower layers and its own submodules.
type Layers = &'static [&'static [&'static str]];

/// The layers of the engine and of the crates that it re-exports.
const LAYERS: Layers = &[
    &["argument", "bit_field", "bit_set", "fences", "limit", "output_format"],
    &["diagnostic", "picture", "space"],
    &["document", "drawing", "expression", "plot", "search"],
    &["domain"],
    &["puzzle"],
    &["analysis", "rating"],
    &["editing"],
    &["transcript"],
    &["verify", "play", "render"],
    &["generating", "worksheet"],
    &["cli"],
];

/// The layers of the crate `planning`.
const PLANNING: Layers = &[
    &["memo", "task"],
    &["packed", "starts"],
    &["analysis"],
    &["heuristic"],
    &["refutation"],
    &["space"],
    &["reductions", "strategy"],
];

/// The layers of the crate `rules`.
const RULES: Layers = &[
    &["term"],
    &["mapping"],
    &["expression", "sokoban"],
    &["model", "parse"],
    &["board", "counting", "definedness", "keys", "looks", "lurd", "mechanics", "resolve", "scramble", "variant"],
    &["cases", "layout", "own", "properties"],
    &["description", "ground", "text", "words"],
    &["starts", "view", "warnings"],
    &["instance"],
    &["machine"],
];

/// The layers of the crate `rules-reference`.
const REFERENCE: Layers = &[
    &["obstacle", "token", "value"],
    &["world"],
    &["body"],
    &["expression"],
    &["drawing", "parser"],
    &["goal", "rule"],
    &["consequence"],
    &["play"],
];

/// The layers of the crate `puzzlescript`.
const PUZZLESCRIPT: Layers = &[
    &["colours", "game", "mask", "random"],
    &["diagnostic", "input"],
    &["program", "reader"],
    &["compile", "turn"],
    &["analysis", "press"],
    &["plain"],
];

/// The domains, none of which uses another.
const DOMAINS: Layers = &[&["klotski", "maze", "permutation", "puzzlescript", "sliding_tile", "word_ladder"]];

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

/// The folders of the crates, relative to the root, with their layers; the engine itself is in the root.
const CRATES: [(&str, Layers); 8] = [
    ("", LAYERS),
    ("crates/search", LAYERS),
    ("crates/domain", LAYERS),
    ("crates/domains", DOMAINS),
    ("crates/planning", PLANNING),
    ("crates/puzzlescript", PUZZLESCRIPT),
    ("crates/rules", RULES),
    ("crates/rules-reference", REFERENCE),
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
    CRATES.iter().flat_map(|(folder, _)| sources_of(folder)).collect()
}

/// The path of a module within its crate; that of the crate's root is empty.
type Module = Vec<String>;

/// Returns the module that a file below `src` holds.
fn module_of(file: &Path) -> Module {
    let parts = file.with_extension("");
    let module: Module = parts.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    if module == ["lib"] || module == ["main"] { Module::new() } else { module }
}

/// Returns the code of a file, without comments and without the unit tests that follow it.
fn code(text: &str) -> String {
    let before = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
    before.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// Returns all paths in some code, such as `super::task::Value`, with the groups of `use` expanded.
fn paths(code: &str) -> Vec<Vec<&str>> {
    let is_name = |c: char| c.is_alphanumeric() || c == '_';
    let (mut found, mut path) = (Vec::new(), Vec::new());
    // For each open brace the path that it follows, and whether the next name continues a path.
    let (mut groups, mut continues) = (vec![Vec::new()], false);
    let mut rest = code;
    while let Some(first) = rest.chars().next() {
        let length = match first {
            first if is_name(first) => rest.find(|c| !is_name(c)).unwrap_or(rest.len()),
            _ if rest.starts_with("::") => 2,
            _ => first.len_utf8(),
        };
        let (token, after) = rest.split_at(length);
        rest = after;
        if token == "{" && continues {
            groups.push(std::mem::take(&mut path));
        } else if is_name(first) {
            if !continues {
                found.push(std::mem::replace(&mut path, groups.last().cloned().unwrap_or_default()));
            }
            path.push(token);
        } else if token != "::" && !first.is_whitespace() {
            found.push(std::mem::take(&mut path));
            match token {
                "{" => groups.push(Vec::new()),
                "}" if groups.len() > 1 => drop(groups.pop()),
                _ => {}
            }
        }
        continues = token == "::" || continues && first.is_whitespace();
    }
    found.push(path);
    found
}

/// The modules of a crate, each with those that it imports, without tests. What a module holds is there for its own
/// submodules, so these do not import it; the root of a crate imports, and is not imported.
fn imports_of(folder: &str) -> BTreeMap<Module, BTreeSet<Module>> {
    let is_test = |module: &Module| module.iter().any(|part| part == "tests" || part == "laws");
    let texts: BTreeMap<Module, String> =
        sources_of(folder).into_iter().map(|source| (module_of(&source.file), code(&source.text))).collect();
    let resolved = |module: &Module, path: &[&str]| {
        let ups = path.iter().take_while(|part| **part == "super").count();
        let (mut at, names) = match path.first() {
            Some(&"crate") => (Module::new(), &path[1..]),
            Some(&"self") => (module.clone(), &path[1..]),
            _ => (module[..module.len().saturating_sub(ups)].to_vec(), &path[ups..]),
        };
        for name in names {
            at.push((*name).to_owned());
            if !texts.contains_key(&at) {
                at.pop();
                break;
            }
        }
        at
    };
    let imported = |(module, code): (&Module, &String)| {
        let found = paths(code).into_iter().map(|path| resolved(module, &path));
        (module.clone(), found.filter(|other| !module.starts_with(other)).collect())
    };
    texts.iter().filter(|(module, _)| !is_test(module)).map(imported).collect()
}

#[test]
fn paths_are_found_in_groups_and_in_code() {
    let code = "use super::{a::{B, c}, d};\nfn f(x: &crate::g::H) -> Vec<u8> { self::i::<J>(x); super :: k }";
    let found: Vec<String> =
        paths(code).iter().map(|path| path.join("::")).filter(|path| path.contains("::")).collect();
    assert_eq!(found, ["super::a::B", "super::a::c", "super::d", "crate::g::H", "self::i", "super::k"]);
}

#[test]
fn no_module_imports_from_its_own_layer_or_above() {
    let mut seen = 0;
    for (folder, layers) in CRATES {
        let layer = |module: &str| layers.iter().position(|layer| layer.contains(&module));
        for (module, imports) in imports_of(folder) {
            let Some(top) = module.first() else { continue };
            let own = layer(top).unwrap_or_else(|| panic!("{folder}: {top} has no layer: add it to the table"));
            for other in imports.iter().filter(|other| other[0] != *top) {
                let below = layer(&other[0]).is_some_and(|other| other < own);
                assert!(below, "{folder}: {} imports {}, which is not below it", module.join("::"), other.join("::"));
                seen += 1;
            }
        }
    }
    assert!(seen > 400, "the test sees too few imports: {seen}");
}

/// Returns the modules that a module imports, and those that these import, and so on.
fn reached<'a>(module: &'a Module, imports: &'a BTreeMap<Module, BTreeSet<Module>>) -> BTreeSet<&'a Module> {
    let (mut reached, mut open) = (BTreeSet::new(), vec![module]);
    while let Some(module) = open.pop() {
        open.extend(imports.get(module).into_iter().flatten().filter(|other| reached.insert(*other)));
    }
    reached
}

#[test]
fn no_files_import_each_other_in_a_circle() {
    let mut circles = BTreeSet::new();
    for (folder, _) in CRATES {
        let imports = imports_of(folder);
        let all: BTreeMap<&Module, BTreeSet<&Module>> =
            imports.keys().map(|module| (module, reached(module, &imports))).collect();
        for (module, reached) in all.iter().filter(|(module, reached)| reached.contains(*module)) {
            let circle = reached.iter().filter(|other| all.get(**other).is_some_and(|back| back.contains(*module)));
            circles.insert((folder, circle.map(|module| module.join("::")).collect::<Vec<_>>()));
        }
    }
    assert!(circles.is_empty(), "these files import each other: {circles:?}");
}

/// Returns the top-level module of a file: `search` for `search/graph.rs`.
fn top_module(file: &Path) -> String {
    module_of(file).into_iter().next().unwrap_or("lib".to_owned())
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
        let foreign = ["compile::", "program::", "changing::", "Workspace"];
        let found = foreign.iter().find(|name| code.contains(**name));
        assert_eq!(found, None, "{}", path.display());
    }
}

#[test]
fn crates_depend_on_the_crates_below_them() {
    // Planning knows no file and no picture, so that any language can stand on it. The reference rules share nothing
    // with the rules that they check.
    let expected: [(&str, &[&str]); 7] = [
        ("search", &[]),
        ("puzzlescript", &[]),
        ("domain", &["search"]),
        ("planning", &["search"]),
        ("rules-reference", &["domain"]),
        ("rules", &["domain", "planning", "rules-reference", "search"]),
        ("domains", &["domain", "puzzlescript", "search"]),
    ];
    for (name, expected) in expected {
        let manifest = fs::read_to_string(root().join(format!("crates/{name}/Cargo.toml"))).expect("a manifest");
        let (_, dependencies) = manifest.split_once("[dependencies]").expect("dependencies");
        let used = dependencies.split("[dev-dependencies]").next().unwrap_or_default();
        let used: Vec<&str> = used.lines().filter_map(|line| line.strip_prefix("engine-")?.split('.').next()).collect();
        assert_eq!(used, expected, "the crates that {name} depends on");
    }
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
    let own = ["src/cli/streams.rs", "src/cli/progress.rs", "src/cli/play/screen.rs", "src/cli/terminal.rs"];
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
    let options = ["metadata", "--format-version", "1", "--locked", "--filter-platform", host];
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
fn the_front_pages_show_every_layer() {
    for (file, layers) in [("src/lib.rs", LAYERS), ("crates/planning/src/lib.rs", PLANNING)] {
        let library = fs::read_to_string(root().join(file)).expect("the library has a front page");
        for (number, layer) in layers.iter().enumerate() {
            let row = library.lines().find(|line| line.starts_with(&format!("//! | {number} |")));
            let row = row.unwrap_or_else(|| panic!("{file}: layer {number} is not in the table"));
            for module in *layer {
                assert!(row.contains(&format!("`{module}`")), "{file}: {module} is not in layer {number}");
            }
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
