//! `engine cache`: the tables that are kept from one run to the next.

use super::failure::{Ended, Failure};
use super::output::with_path;
use super::{Status, complain, list::table};
use crate::diagnostic::printable;
use crate::domain::untrusted_reason;
use bytesize::ByteSize;
use clap::{Args, Subcommand};
use std::fs;
use std::io::{self, Write};
use std::path::PathBuf;

/// List or delete the tables that are kept from one run to the next
#[derive(Args)]
pub(super) struct Cache {
    #[command(subcommand)]
    action: Action,
}

#[derive(Subcommand)]
enum Action {
    /// List the folder, and each table with its size
    List,
    /// Delete all tables
    Clear,
}

impl Cache {
    pub fn run(&self) -> Ended {
        let Some(folder) = cache_folder() else {
            return Err(Failure::refused("there is no cache folder", "set XDG_CACHE_HOME or HOME"));
        };
        let tables = tables(&folder).map_err(|error| with_path(&folder, &error, ""))?;
        if let Some(why) = untrusted_reason(&folder) {
            complain(&format!("note: {}: {why}: no table is read from there, or kept", folder.display()));
        }
        let mut out = io::stdout();
        let place = printable(&folder.display().to_string());
        match self.action {
            Action::List => {
                let total: u64 = tables.iter().map(|(_, size)| size).sum();
                let rows = tables.iter().map(|(path, size)| {
                    let name = path.file_name().map(|name| printable(&name.to_string_lossy())).unwrap_or_default();
                    [name, ByteSize(*size).display().iec().to_string()]
                });
                writeln!(out, "{}: {} tables, {}", place, tables.len(), ByteSize(total).display().iec())?;
                write!(out, "{}", table(&rows.collect::<Vec<_>>()))?;
            }
            Action::Clear => {
                for (path, _) in &tables {
                    fs::remove_file(path).map_err(|error| with_path(path, &error, ""))?;
                }
                writeln!(out, "{}: {} tables deleted", place, tables.len())?;
            }
        }
        Ok(Status::Good)
    }
}

/// The option `--no-cache`.
#[derive(Args)]
pub(super) struct CacheOption {
    /// Neither read nor write the tables that are kept from one run to the next
    #[arg(long)]
    no_cache: bool,
}

impl CacheOption {
    /// Returns the folder of kept tables, if they are to be used and there is one.
    pub fn folder(&self) -> Option<PathBuf> {
        if self.no_cache { None } else { cache_folder() }
    }
}

/// Where tables are kept: in `engine` below the user's cache folder; nowhere if there is none.
fn cache_folder() -> Option<PathBuf> {
    dirs::cache_dir().map(|folder| folder.join("engine"))
}

/// The tables in a folder, with their sizes, in the order of their names.
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
