//! `engine plan`: what exploring on several machines will take, before it is done.

use super::Status;
use super::failure::{Ended, Failure};
use super::limits::interrupt;
use super::loading::PuzzleFile;
use super::machine::safe_memory;
use super::output::{Format, OutputOption};
use super::progress::Display;
use crate::search::{Budget, Limits, Machines, Question};
use crate::transcript::plan::{Asked, write_json, write_text};
use clap::Args;
use std::num::NonZero;
use std::thread::available_parallelism;
use std::time::Duration;

/// Counting, sampling and walking end by themselves, most of them long before this.
const PATIENCE: Duration = Duration::from_secs(30);
/// Seconds that pass at the end of a layer: files are made durable, and all machines hear from each other.
const PAUSE: f64 = 0.005;

/// Estimate what exploring on several machines will take: states, time, disk, network, cost
#[derive(Args)]
#[command(
    after_help = "The states are counted, known by a formula, or estimated with fixed seeds: the same on every machine. Rates are \
                  measured on this one, in a temporary folder. Each part of the estimating stops after half a minute, which \
                  few puzzles need.\n\n\
                  Exit status: 0 when all was estimated, 2 wrong usage or a bad file, 3 cut short by time or memory, \
                  130 interrupted; then what is known is printed."
)]
pub(super) struct Plan {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// How many machines there are
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    hosts: u32,
    /// The threads that work on each [default: as many as this machine has processors]
    #[arg(long, value_name = "W", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    workers: Option<u32>,
    /// What each of them sends in a second: 1Gbit, 100Mbit
    #[arg(long, value_name = "SPEED", value_parser = bandwidth, default_value = "1Gbit")]
    network: f64,
    /// What a machine costs in an hour, in any currency
    #[arg(long, value_name = "P", value_parser = price)]
    price: Option<f64>,
    /// The most moves to go from the start
    #[arg(long, value_name = "N")]
    depth_limit: Option<u32>,
    /// What measuring may take
    #[arg(long, value_name = "TIME", value_parser = humantime::parse_duration, default_value = "5s")]
    time_limit: Duration,
    /// What to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    #[command(flatten)]
    output: OutputOption,
}

impl Plan {
    pub fn run(&self, quiet: bool) -> Ended {
        let here = available_parallelism().map_or(1, NonZero::get);
        let workers = self.workers.unwrap_or(here as u32);
        let mut limits = Limits {
            time: Some(PATIENCE),
            resident: safe_memory(),
            depth: self.depth_limit,
            threads: NonZero::new(here.min(workers as usize)),
            interrupt: Some(interrupt()),
            ..Limits::default()
        };
        let mut output = self.output.open(self.puzzle.as_input())?;
        let puzzle = self.puzzle.load(&limits)?;
        let machines = Machines { hosts: self.hosts, workers, bandwidth: self.network, pause: PAUSE };
        let question = Question { machines, formula: None, time: self.time_limit, budget: Budget::default() };
        let display = Display::new(quiet);
        limits.gauge = display.begin("");
        let planned = puzzle.plan(&limits, &question);
        drop(display);
        let plan = planned.map_err(|error| Failure::refused(error.to_string(), ""))?;
        let asked = Asked { machines, price: self.price, depth_limit: self.depth_limit };
        match self.format {
            Format::Text => write_text(&mut output, &puzzle, &asked, &plan)?,
            Format::Json => write_json(&mut output, &self.puzzle.name(), &puzzle, &asked, &plan)?,
        }
        output.finish()?;
        Ok(Status::unless(plan.estimate.limit))
    }
}

/// Bits a second: a number and its unit.
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

fn price(text: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| (0.0..=1e9).contains(number));
    number.ok_or_else(|| "expected a number of at least 0, such as 1.50".to_owned())
}
