//! `engine explore`: walks the whole space that can be reached.

use super::cluster::{ClusterOptions, Refused};
use super::limits::LimitOptions;
use super::loading::LoadOptions;
use super::output::Output;
use super::progress::Display;
use super::{Status, complain, unread};
use crate::puzzle::{Exploration, Puzzle};
use crate::search::{DiskError, Limit, Limits, OnDisk, Stats};
use crate::transcript::explore::{write_json, write_svg, write_text};
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::path::PathBuf;
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
    #[command(flatten)]
    cluster: ClusterOptions,
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
        let puzzle = match self.loading.load_within(&self.file, &self.cluster.on_reading(&limits)) {
            Ok(puzzle) => puzzle,
            Err(error) => return Ok(unread(&error)),
        };
        let display = Display::new(quiet);
        limits.gauge = display.begin("");
        let limits = limits.less(&Stats::default(), started.elapsed());
        let explored = self.explore(&puzzle, &limits);
        drop(display);
        let exploration = match explored {
            Ok(exploration) => exploration,
            Err(refused) => {
                refused.tell();
                return Ok(Status::Bad);
            }
        };
        if let (Some(note), false) = (&exploration.note, quiet) {
            complain(&format!("note: {note}"));
        }
        if let (Some(folder), Some(_), false) = (self.cluster.disk(), exploration.found.limit, quiet) {
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

    fn explore(&self, puzzle: &Puzzle, limits: &Limits) -> Result<Exploration, Refused> {
        let told = |error: DiskError| Refused::Usage(format!("error: {error}"));
        if let Some(cluster) = self.cluster.cluster(puzzle, &self.limits)? {
            return puzzle.explore_together(limits, &cluster).map_err(told);
        }
        let Some(folder) = self.cluster.disk() else { return Ok(puzzle.explore(limits)) };
        let fingerprint = puzzle.fingerprint().map_err(|error| Refused::Usage(format!("error: {error}")))?;
        let disk = OnDisk { folder: folder.to_owned(), limit: self.cluster.disk_limit(), fingerprint };
        puzzle.explore_on_disk(limits, &disk).map_err(told)
    }
}
