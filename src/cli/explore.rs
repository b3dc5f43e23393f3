//! `engine explore`: walks the whole space that can be reached.

use super::limits::LimitOptions;
use super::loading::LoadOptions;
use super::output::Output;
use super::progress::Display;
use super::{Status, complain, report};
use crate::puzzle::{Exploration, Puzzle};
use crate::search::{Limit, Limits, OnDisk, Stats};
use crate::transcript::explore::{write_json, write_svg, write_text};
use bytesize::ByteSize;
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// Walk the whole reachable space: states by depth, dead ends, the hardest position
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 when all was walked, 2 wrong usage or a bad file, 3 stopped by a limit, 130 interrupted."
)]
pub(super) struct Explore {
    /// A puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
    #[command(flatten)]
    limits: LimitOptions,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Write to a file instead of standard output: whole, or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Draw the states by depth into this file too, as SVG
    #[arg(long, value_name = "FILE.svg")]
    plot: Option<PathBuf>,
    /// Keep layers in this folder instead of memory; stopped or killed, the same command goes on where it was
    #[arg(long, value_name = "DIR")]
    disk: Option<PathBuf>,
    /// Stop before the files in that folder take more than this: 500MiB, 20GiB
    #[arg(long, value_name = "SIZE", requires = "disk")]
    disk_limit: Option<ByteSize>,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// One object on one line
    Json,
}

impl Explore {
    pub fn run(&self, quiet: bool) -> io::Result<Status> {
        let started = Instant::now();
        let mut limits = self.limits.limits(&super::limits::interrupt());
        let mut output = Output::open(self.output.as_deref(), std::slice::from_ref(&self.file))?;
        let plot = self.plot.as_deref().map(|path| Output::open(Some(path), std::slice::from_ref(&self.file)));
        let plot = plot.transpose()?;
        let puzzle = match self.loading.load_within(&self.file, &limits) {
            Ok(puzzle) => puzzle,
            Err(error) => {
                report(&error);
                return Ok(if error.is_at_limit() { Status::Stopped } else { Status::Bad });
            }
        };
        let display = Display::new(quiet);
        limits.gauge = display.begin("");
        let limits = limits.less(&Stats::default(), started.elapsed());
        let explored = match &self.disk {
            None => Ok(puzzle.explore(&limits)),
            Some(folder) => self.explore_on_disk(folder, &puzzle, limits),
        };
        drop(display);
        let exploration = match explored {
            Ok(exploration) => exploration,
            Err(message) => {
                complain(&format!("error: {message}"));
                return Ok(Status::Bad);
            }
        };
        if let (Some(folder), Some(_), false) = (&self.disk, exploration.found.limit, quiet) {
            complain(&format!("note: {} has what was found; the same command goes on from there", folder.display()));
        }
        // First: who reads the answer may stop reading.
        if let Some(mut plot) = plot {
            write_svg(&mut plot, &puzzle, &exploration)?;
            plot.flush()?;
            plot.finish()?;
        }
        match self.format {
            Format::Text => write_text(&mut output, &puzzle, &exploration)?,
            Format::Json => write_json(&mut output, &self.file.display().to_string(), &puzzle, &exploration)?,
        }
        output.flush()?;
        output.finish()?;
        Ok(match exploration.found.limit {
            None => Status::Good,
            Some(Limit::Interrupt) => Status::Interrupted,
            Some(_) => Status::Stopped,
        })
    }

    fn explore_on_disk(&self, folder: &Path, puzzle: &Puzzle, limits: Limits) -> Result<Exploration, String> {
        let fingerprint = puzzle.fingerprint().map_err(|error| error.to_string())?;
        let limit = self.disk_limit.map(|size| size.as_u64());
        let disk = OnDisk { folder: folder.to_owned(), limit, fingerprint };
        puzzle.explore_on_disk(&limits, &disk).map_err(|error| error.to_string())
    }
}
