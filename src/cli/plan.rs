//! `engine plan`: estimates what exploring on several machines takes.

use super::cache::CacheOption;
use super::failure::{Ended, Failure};
use super::groups::{LIMITS, OUTPUT};
use super::limits::{duration, interrupt, size};
use super::loading::PuzzleFile;
use super::machine::safe_memory;
use super::output::{JsonFlag, OutputOption, formats};
use super::progress::Display;
use super::{Status, wall};
use crate::output_format::OutputFormat;
use crate::search::{Limits, Machines, Question, Stats};
use crate::transcript::plan::{FORMATS, PlanOptions, PlanWriter};
use bytesize::ByteSize;
use clap::Args;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::{Duration, Instant};

/// The default time limit. Most estimates end long before.
const PATIENCE: Duration = Duration::from_secs(90);

/// Estimate what `explore` takes on several machines: states, time, disk, network
#[derive(Args)]
#[command(
    after_help = "The number of states is counted, computed by a formula, or estimated from random samples with fixed \
                  seeds: it is the same on every machine. The speed is measured on this machine, in a temporary folder.\n\n\
                  Exit status: 0 estimated, 2 wrong usage or an invalid file, 3 stopped by time or memory, \
                  130 interrupted; at 3 and 130, what is known is printed."
)]
pub(super) struct Plan {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// Plan for N machines
    #[arg(
        long,
        alias = "hosts",
        value_name = "N",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        help_heading = MACHINES
    )]
    machines: u32,
    /// Plan for W workers on each machine
    #[arg(
        long,
        value_name = "W",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000),
        default_value_t = 1,
        help_heading = MACHINES
    )]
    workers: u32,
    /// Assume that each machine sends this much per second, such as 100Mbit or 1Gbit
    #[arg(long, value_name = "SPEED", value_parser = bandwidth, default_value = "1Gbit", help_heading = MACHINES)]
    network: f64,
    // An old option: it is read, with a note.
    #[arg(long = "price", hide = true)]
    _price: Option<String>,
    /// Plan a search of at most N moves from the start [default: no limit]
    #[arg(long, value_name = "N", help_heading = LIMITS)]
    depth_limit: Option<u32>,
    /// Stop after this time [default: 90s, which few puzzles reach]
    #[arg(long, alias = "timeout", value_name = "TIME", value_parser = duration, help_heading = LIMITS)]
    time_limit: Option<Duration>,
    /// Stop before the program uses more memory, such as 512MiB or 2GiB [default: 3/4 of what is free]
    #[arg(long, value_name = "SIZE", value_parser = size, help_heading = LIMITS)]
    memory_limit: Option<ByteSize>,
    /// Print the estimate in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", help_heading = OUTPUT)]
    format: &'static OutputFormat<PlanWriter>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
    // Accepted for uniformity: planning reads no tables.
    #[command(flatten)]
    _cache: CacheOption,
}

/// The group of options that describe the machines.
const MACHINES: &str = "Machines";

impl Plan {
    pub fn run(&self, quiet: bool) -> Ended {
        let started = Instant::now();
        let here = available_parallelism().map_or(1, NonZero::get);
        let mut limits = Limits {
            time: Some(self.time_limit.unwrap_or(PATIENCE)),
            resident: self.memory_limit.map(|size| size.as_u64()).or_else(safe_memory),
            depth: self.depth_limit,
            threads: NonZero::new(here.min(self.workers as usize)),
            interrupt: Some(interrupt()),
            ..Limits::default()
        };
        let mut output = self.output.open(&self.puzzle.as_input())?;
        let machines = Machines { hosts: self.machines, workers: self.workers, bandwidth: self.network };
        let behind = limits.clone();
        let (puzzle, plan) = wall::behind("plan", &self.puzzle.name(), &behind, || {
            let puzzle = self.puzzle.load(&limits)?;
            output.spare(&puzzle)?;
            let display = Display::new(quiet);
            limits.gauge = display.begin("");
            let limits = limits.remaining(&Stats::default(), started.elapsed());
            let plan = puzzle
                .plan(&limits, &Question::of(machines))
                .map_err(|error| Failure::refused(error.to_string(), ""))?;
            Ok::<_, Failure>((puzzle, plan))
        })?;
        let options = PlanOptions { machines, depth_limit: self.depth_limit };
        let format = self.json.choose(FORMATS, self.format);
        (format.writer)(&mut output, &self.puzzle.name(), &puzzle, &options, &plan)?;
        output.finish()?;
        Ok(Status::unless(plan.limit))
    }
}

/// Reads a speed in bits per second: a number and its unit.
fn bandwidth(text: &str) -> Result<f64, String> {
    let wrong = || "expected a number and `kbit`, `Mbit`, `Gbit` or `Tbit`, such as 1Gbit".to_owned();
    let (number, unit) = text.split_at(text.find(|c: char| c.is_ascii_alphabetic()).ok_or_else(wrong)?);
    let unit = match unit.to_ascii_lowercase().as_str() {
        "kbit" => 1e3,
        "mbit" => 1e6,
        "gbit" => 1e9,
        "tbit" => 1e12,
        _ => return Err(wrong()),
    };
    let number = number.trim().parse::<f64>().ok().filter(|number| (1e-3..=1e6).contains(number));
    number.map(|number| number * unit).ok_or_else(wrong)
}
