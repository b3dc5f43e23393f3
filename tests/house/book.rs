//! Tests the book: its pages are listed, its links have targets, its puzzles equal the files that it names, and its
//! pictures are current. `commands.rs` compares the output of commands.

use crate::page::Page;
use crate::support::{files_below, root};
use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const ENGINE: &str = env!("CARGO_BIN_EXE_engine");

/// Reads the pages below `docs/`.
fn pages() -> Vec<(PathBuf, String)> {
    let docs = root().join("docs");
    let read = |file: PathBuf| {
        let text = fs::read_to_string(docs.join(&file)).expect("a page can be read");
        (PathBuf::from("docs").join(file), text)
    };
    files_below(&docs, "md").into_iter().map(read).collect()
}

/// Returns the targets of a page's links and pictures.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')').map(|(target, _)| target))
}

#[test]
fn every_page_is_in_the_summary() {
    let summary = fs::read_to_string(root().join("docs/SUMMARY.md")).unwrap();
    let listed: BTreeSet<PathBuf> = links(&summary).map(|page| PathBuf::from("docs").join(page)).collect();
    let mut existing: BTreeSet<PathBuf> = pages().into_iter().map(|(page, _)| page).collect();
    existing.remove(Path::new("docs/SUMMARY.md"));
    assert_eq!(listed, existing);
}

/// Returns the anchor of a heading, as Markdown renderers build it.
fn anchor(heading: &str) -> String {
    let letters = heading.trim_start_matches('#').trim().to_lowercase();
    let kept = letters.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
    kept.map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn every_link_has_a_target_page_and_heading() {
    let docs = root().join("docs").canonicalize().expect("`docs` exists");
    let mut all = pages();
    for page in ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"] {
        all.push((PathBuf::from(page), fs::read_to_string(root().join(page)).unwrap()));
    }
    for (page, text) in &all {
        for link in links(text).filter(|link| !link.contains("://") && !link.contains(' ')) {
            let (file, heading) = link.split_once('#').unwrap_or((link, ""));
            let folder = page.parent().expect("a page has a parent folder");
            let target = if file.is_empty() { root().join(page) } else { root().join(folder).join(file) };
            assert!(target.exists(), "{}: {link} has no target", page.display());
            let leaves = page.starts_with("docs") && !target.canonicalize().is_ok_and(|file| file.starts_with(&docs));
            assert!(!leaves, "{}: {link} leads out of the book, where it has no target", page.display());
            if !heading.is_empty() {
                let text = fs::read_to_string(&target).expect("a page can be read");
                let found = text.lines().any(|line| line.starts_with('#') && anchor(line) == heading);
                assert!(found, "{}: {link} has no such heading", page.display());
            }
        }
    }
}

/// Checks that every link in the pages that mdBook builds leads to an existing file and anchor. Without mdBook the test
/// is skipped with a message; with `ENGINE_MDBOOK=require` it fails.
#[test]
fn mdbook_builds_the_book_without_a_broken_link() {
    let built = tempfile::tempdir().expect("a temporary folder can be created");
    let program = std::env::var_os("MDBOOK").unwrap_or_else(|| "mdbook".into());
    let output = match Command::new(program).arg("build").arg("--dest-dir").arg(built.path()).arg(root()).output() {
        Ok(output) => output,
        Err(error) => {
            let is_required = std::env::var_os("ENGINE_MDBOOK").is_some_and(|value| value == "require");
            assert!(!is_required, "mdbook is required: {error}");
            eprintln!("mdbook does not run here ({error}): the built book is not checked");
            return;
        }
    };
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let pages = files_below(built.path(), "html");
    assert!(pages.len() > 30, "the book has pages");
    let is_page = |page: &PathBuf| !matches!(page.to_str(), Some("404.html" | "toc.html" | "print.html"));
    for page in pages.iter().filter(|page| is_page(page)) {
        let text = fs::read_to_string(built.path().join(page)).expect("a page can be read");
        let targets = ["href=\"", "src=\""].iter().flat_map(|key| text.split(key).skip(1));
        for link in targets.filter_map(|rest| rest.split_once('"').map(|(link, _)| link)) {
            if link.contains(':') {
                continue;
            }
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let folder = page.parent().expect("a page has a parent folder");
            let file = if file.is_empty() { built.path().join(page) } else { built.path().join(folder).join(file) };
            assert!(file.exists(), "{}: {link} has no target", page.display());
            if !anchor.is_empty() {
                let target = fs::read_to_string(&file).expect("a page can be read");
                assert!(target.contains(&format!("id=\"{anchor}\"")), "{}: {link} has no such anchor", page.display());
            }
        }
    }
}

/// Compares each TOML block below a line that names a file with the start of that file.
#[test]
fn puzzles_in_the_book_equal_the_files_that_it_names() {
    let mut compared = 0;
    for page in Page::all() {
        for block in page.blocks.iter().filter(|block| block.language == "toml") {
            let file = page.line_above(block).strip_prefix('`').and_then(|name| name.strip_suffix('`'));
            let Some(file) = file.filter(|file| file.ends_with(".toml")) else { continue };
            let stored = fs::read_to_string(root().join(file)).unwrap_or_else(|error| panic!("{file}: {error}"));
            assert!(stored.starts_with(&page.text_of(block)), "{} shows another puzzle than {file}", page.name);
            compared += 1;
        }
    }
    assert!(compared > 5, "the book shows puzzles");
}

/// Draws each picture again. Each line of `docs/pictures/pictures.txt` has a picture's name and its command without
/// `-o`.
#[test]
fn pictures_in_the_book_are_current() {
    let folder = root().join("docs/pictures");
    let list = fs::read_to_string(folder.join("pictures.txt")).unwrap();
    let update = std::env::var_os("UPDATE_PICTURES").is_some();
    let scratch = tempfile::tempdir().expect("a temporary folder can be created");
    let mut listed = BTreeSet::new();
    for line in list.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let (name, command) = line.split_once(": ").expect("a name, a colon, a command");
        listed.insert(name.to_owned());
        let drawn = scratch.path().join(name);
        let output = Command::new(ENGINE)
            .args(command.split_whitespace().skip(1))
            .arg(&drawn)
            .current_dir(root())
            .stdin(Stdio::null())
            .output()
            .expect("the engine runs");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
        if update {
            fs::copy(&drawn, folder.join(name)).expect("the picture can be stored");
        }
        let stored = fs::read(folder.join(name)).unwrap_or_else(|error| panic!("{name}: {error}"));
        let same = stored == fs::read(&drawn).expect("the picture can be read");
        assert!(same, "{name} is not what `{command}` draws; UPDATE_PICTURES=1 cargo test --test house book stores it");
    }
    let pages = pages().into_iter().map(|(_, text)| text).chain(fs::read_to_string(root().join("README.md")));
    let shown: BTreeSet<String> = pages
        .flat_map(|text| links(&text).map(str::to_owned).collect::<Vec<_>>())
        .filter_map(|link| link.split_once("pictures/").map(|(_, name)| name.to_owned()))
        .collect();
    assert_eq!(shown, listed, "the pages show exactly the listed pictures");
}

/// Creates a folder with copies of the puzzles and their snapshots, in which commands may write.
pub fn with_puzzles() -> TempDir {
    let folder = tempfile::tempdir().expect("a temporary folder can be created");
    let copied = [
        ("puzzles", "toml"),
        ("puzzles", "txt"),
        ("puzzles", "map"),
        ("puzzles", "moves"),
        ("snapshots", "snap"),
        ("docs", "toml"),
        ("docs", "txt"),
    ];
    for (name, extension) in copied {
        for file in files_below(&root().join(name), extension) {
            let to = folder.path().join(name).join(&file);
            fs::create_dir_all(to.parent().expect("a file has a parent folder")).expect("the folder can be created");
            fs::copy(root().join(name).join(&file), to).expect("a file can be copied");
        }
    }
    folder
}
