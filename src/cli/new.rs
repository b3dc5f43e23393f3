//! `engine new`: writes a first puzzle of a domain with every key in it, for the user to change.

use super::failure::{Ended, Failure};
use super::output::write_new;
use super::streams::stdout;
use super::{Status, domains};
use crate::diagnostic::steers;
use crate::domain::DomainFacts;
use crate::transcript::shell_word;
use clap::Args;
use std::fmt::Write as _;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Write a first puzzle of a domain, with a comment on every key
#[derive(Args)]
pub(super) struct New {
    /// Write a puzzle of this domain; `engine domains` lists all
    #[arg(value_name = "DOMAIN")]
    domain: String,
    /// Write to NAME.toml, and create its folders; `-` prints the puzzle instead
    #[arg(value_name = "NAME")]
    name: PathBuf,
}

impl New {
    pub fn run(&self) -> Ended {
        let facts = domains::known(&self.domain)?;
        if self.name == Path::new("-") {
            stdout().write_all(first_puzzle(facts, "Untitled").as_bytes())?;
            return Ok(Status::Good);
        }
        let Some(stem) = self.name.file_name().map(|name| name.to_string_lossy()) else {
            return Err(Failure::refused(format!("invalid file name `{}`", self.name.display()), ""));
        };
        let stem = stem.strip_suffix(".toml").unwrap_or(&stem);
        let path = self.name.with_file_name(format!("{stem}.toml"));
        write_new(&path, first_puzzle(facts, &title(stem)))?;
        let path = path.display().to_string();
        writeln!(stdout(), "{path}: a first puzzle; `engine solve {}` solves it", shell_word(&path))?;
        Ok(Status::Good)
    }
}

/// Returns a title for a file name: `Two rooks` for `two-rooks`.
fn title(stem: &str) -> String {
    let words = stem.replace(['-', '_'], " ").replace(steers, " ");
    let mut letters = words.trim().chars();
    match letters.next() {
        Some(first) => first.to_uppercase().chain(letters).collect(),
        None => "Untitled".to_owned(),
    }
}

/// Returns the text of the file: shared keys, keys of the domain, then the tables of all puzzles.
pub(super) fn first_puzzle(facts: &DomainFacts, title: &str) -> String {
    let mut text = format!(
        "# {}\n# `engine domains {}` lists all keys. Remove the `#` before a key to use it.\n",
        facts.summary, facts.name
    );
    let _ = writeln!(text, "title = {}\ndomain = \"{}\"", toml::Value::String(title.to_owned()), facts.name);
    text += "# author = \"name of the author\"\n";
    // A domain may give the key another meaning.
    if facts.keys.iter().all(|key| key.name != "source") {
        text += "# source = \"book or web page\"\n";
    }
    text += "# description = \"about the puzzle\"\n# tags = [\"easy\", \"classic\"]\n\n";
    if facts.template.is_empty() {
        for key in facts.keys {
            let _ = writeln!(text, "# {}\n# {} = …\n", key.summary, key.name);
        }
    } else {
        text += facts.template.trim_end();
        text += "\n\n";
    }
    let heuristics: Vec<&str> = facts.heuristics.iter().map(|heuristic| heuristic.name).collect();
    let _ = write!(
        text,
        "# Choose how to search. By default, the engine chooses.\n# [search]\n# algorithm = \"{}\"\n# heuristic = \"{}\"  # {}\n\n\
         # Claim a result, for `engine test` to check.\n# [expect]\n# outcome = \"solved\"  # or \"unsolvable\"\n\
         # cost = 1\n",
        facts.default_algorithm.name(),
        facts.default_heuristic,
        heuristics.join(", "),
    );
    text
}
