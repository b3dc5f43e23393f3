//! `engine cache`, and the option `--no-cache`: pattern databases stored from one run to the next.

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::output::{print_json, with_path};
use super::streams::stdout;
use super::{Status, complain, list::table};
use crate::argument::counted;
use crate::diagnostic::printable;
use crate::domain::{remove_leftovers, untrusted_reason};
use bytesize::ByteSize;
use clap::{Args, Subcommand};
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

/// List or delete the pattern databases in the cache folder
///
/// A pattern database is a table of exact costs of a simplified puzzle, from which heuristics read. Large ones are
/// stored, so that the next run reads them instead of building them.
#[derive(Args)]
pub(super) struct Cache {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// Print the cache folder, and each table in it with its size
    List {
        /// Print JSON: one object
        #[arg(long, help_heading = OUTPUT)]
        json: bool,
    },
    /// Delete all tables from the cache folder
    Clear,
}

/// The cache in JSON.
#[derive(Serialize)]
struct Listed {
    folder: String,
    /// False if others can write to the folder: then tables are neither read nor stored there.
    trusted: bool,
    tables: Vec<TableRow>,
    bytes: u64,
}

#[derive(Serialize)]
struct TableRow {
    name: String,
    bytes: u64,
}

impl Cache {
    pub fn run(&self) -> Ended {
        let Some(folder) = cache_folder() else {
            return Err(Failure::refused("no cache folder", "set XDG_CACHE_HOME or HOME"));
        };
        let tables = tables(&folder).map_err(|error| with_path(&folder, &error, ""))?;
        let distrusted = untrusted_reason(&folder);
        if let Some(why) = &distrusted {
            complain(&format!("note: {}: {why}: tables are neither read nor stored there", folder.display()));
        }
        let mut out = stdout();
        let place = folder.display();
        let name =
            |path: &PathBuf| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
        let total: u64 = tables.iter().map(|(_, size)| size).sum();
        match self.action {
            Action::List { json: true } => {
                let row = |(path, size): &(PathBuf, u64)| TableRow { name: name(path), bytes: *size };
                let listed = Listed {
                    folder: folder.display().to_string(),
                    trusted: distrusted.is_none(),
                    tables: tables.iter().map(row).collect(),
                    bytes: total,
                };
                print_json(&listed)?;
            }
            Action::List { json: false } => {
                let rows = tables
                    .iter()
                    .map(|(path, size)| [printable(&name(path)), ByteSize(*size).display().iec().to_string()]);
                writeln!(out, "{place}: {}, {}", counted(tables.len(), "table"), ByteSize(total).display().iec())?;
                write!(out, "{}", table(&rows.collect::<Vec<_>>()))?;
            }
            Action::Clear => {
                remove_leftovers(&folder, Duration::ZERO);
                for (path, _) in &tables {
                    fs::remove_file(path).map_err(|error| with_path(path, &error, ""))?;
                }
                writeln!(out, "{place}: {} deleted", counted(tables.len(), "table"))?;
            }
        }
        Ok(Status::Good)
    }
}

/// The option `--no-cache`.
#[derive(Args)]
pub(super) struct CacheOption {
    /// Build every pattern database anew, and store none in the cache folder
    ///
    /// By default, large pattern databases are stored in the cache folder and read from there; `engine cache list`
    /// prints them. The commands compare, explore and plan neither read nor store any: there, the option changes
    /// nothing.
    #[arg(long)]
    no_cache: bool,
}

impl CacheOption {
    /// Returns the cache folder; none with `--no-cache`, or if the user has no such folder.
    pub fn folder(&self) -> Option<PathBuf> {
        if self.no_cache { None } else { cache_folder() }
    }
}

/// Returns the folder `engine` in the cache folder of the user, if that exists.
fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|folder| folder.join("engine"))
}

/// Returns the tables in a folder with their sizes, ordered by name.
fn tables(folder: &PathBuf) -> io::Result<Vec<(PathBuf, u64)>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut tables = Vec::new();
    for entry in entries {
        let entry = entry?;
        if entry.path().extension().is_some_and(|extension| extension == "pdb") {
            tables.push((entry.path(), entry.metadata()?.len()));
        }
    }
    tables.sort_unstable();
    Ok(tables)
}
