//! `engine explore`: visits every reachable state.

use super::cache::CacheOption;
use super::cluster::ClusterOptions;
use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::LimitOptions;
use super::loading::PuzzleFile;
use super::output::{JsonFlag, OutputOption, formats};
use super::plot::Plot;
use super::progress::Display;
use super::{Status, complain, wall};
use crate::output_format::OutputFormat;
use crate::puzzle::{Exploration, Puzzle};
use crate::search::{DiskError, Limits, Stats};
use crate::transcript::explore::{ExplorationWriter, FORMATS, write_svg};
use clap::Args;
use std::path::PathBuf;
use std::time::Instant;

/// Count all reachable states: by depth, dead ends, the hardest positions
///
/// A dead end is a state from which no goal can be reached. The hardest positions are those farthest from the nearest
/// goal.
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 all states were visited, 2 wrong usage or an invalid file, 3 stopped by a limit, \
                  130 interrupted."
)]
pub(super) struct Explore {
    #[command(flatten)]
    puzzle: PuzzleFile,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print the result in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", help_heading = OUTPUT)]
    format: &'static OutputFormat<ExplorationWriter>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
    /// Also draw a chart of the states by depth into this file, an SVG or a PNG by its extension
    #[arg(long, value_name = "FILE.svg|png", help_heading = OUTPUT)]
    plot: Option<PathBuf>,
    // For the studio: progress as lines of JSON before the result.
    #[arg(long, hide = true)]
    events: bool,
    #[command(flatten)]
    cluster: ClusterOptions,
    // Accepted for uniformity: exploring reads no tables.
    #[command(flatten)]
    _cache: CacheOption,
}

impl Explore {
    pub fn run(&self, quiet: bool) -> Ended {
        let started = Instant::now();
        let limits = self.limits.limits(&super::limits::interrupt());
        self.output.refuse_pictures(|path| format!("draw the states by depth: `--plot {path}`"))?;
        let mut output = self.output.open(&self.puzzle.as_input())?;
        let plot = Plot::open(self.plot.as_deref(), &self.puzzle.as_input(), &output)?;
        // Processes that explore together end together.
        let behind = if self.cluster.is_shared() { Limits::default() } else { limits.clone() };
        let (puzzle, exploration) = wall::behind("explore", &self.puzzle.name(), &behind, || {
            let puzzle = self.puzzle.load(&self.cluster.on_reading(&limits))?;
            output.spare(&puzzle)?;
            plot.iter().try_for_each(|plot| plot.spare(&puzzle))?;
            let display = if self.events { Display::of_lines() } else { Display::new(quiet) };
            let limits = Limits { gauge: display.begin(""), ..limits.remaining(&Stats::default(), started.elapsed()) };
            let exploration = self.explore(&puzzle, &limits)?;
            Ok::<_, Failure>((puzzle, exploration))
        })?;
        if let (Some(note), false) = (&exploration.note, quiet) {
            complain(&format!("note: {note}"));
        }
        if let (Some(folder), Some(_), false) = (self.cluster.disk(), exploration.found.limit, quiet) {
            complain(&format!("note: the results so far are in {}; run the same command to resume", folder.display()));
        }
        // Before the answer: its reader may close the pipe.
        if let Some(plot) = plot {
            plot.draw(|out| write_svg(out, &puzzle, &exploration))?;
        }
        let format = self.json.choose(FORMATS, self.format);
        (format.writer)(&mut output, &self.puzzle.name(), &puzzle, &exploration)?;
        output.finish()?;
        Ok(Status::unless(exploration.found.limit))
    }

    /// Visits all states: in memory, on disk, or shared among processes and workers.
    fn explore(&self, puzzle: &Puzzle, limits: &Limits) -> Result<Exploration, Failure> {
        let refused = |error: DiskError| Failure::refused(error.to_string(), "");
        puzzle.explore_at(limits, &self.cluster.place(puzzle, &self.limits)?).map_err(refused)
    }
}
