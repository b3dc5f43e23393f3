//! `engine plan`: what exploring on several machines will take, before it is done.

use super::limits::interrupt;
use super::loading::LoadOptions;
use super::machine::safe_memory;
use super::output::Output;
use super::progress::Display;
use super::{Status, complain, unread};
use crate::search::{Budget, Limit, Limits, Machines, Question};
use crate::transcript::plan::{Asked, write_json, write_text};
use clap::{Args, ValueEnum};
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
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
                  130 interrupted; then what is known is told."
)]
pub(super) struct Plan {
    /// A puzzle file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    loading: LoadOptions,
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
    /// Write to a file instead of standard output: whole, or not at all
    #[arg(long, short, value_name = "FILE")]
    output: Option<PathBuf>,
}

#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// For people
    #[default]
    Text,
    /// One object on one line
    Json,
}

impl Plan {
    pub fn run(&self, quiet: bool) -> io::Result<Status> {
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
        let mut output = Output::open(self.output.as_deref(), std::slice::from_ref(&self.file))?;
        let puzzle = match self.loading.load_within(&self.file, &limits) {
            Ok(puzzle) => puzzle,
            Err(error) => return Ok(unread(&error)),
        };
        let machines = Machines { hosts: self.hosts, workers, bandwidth: self.network, pause: PAUSE };
        let question = Question { machines, formula: None, time: self.time_limit, budget: Budget::default() };
        let display = Display::new(quiet);
        limits.gauge = display.begin("");
        let planned = puzzle.plan(&limits, &question);
        drop(display);
        let plan = match planned {
            Ok(plan) => plan,
            Err(error) => {
                complain(&format!("error: {error}"));
                return Ok(Status::Bad);
            }
        };
        let asked = Asked { machines, price: self.price, depth_limit: self.depth_limit };
        match self.format {
            Format::Text => write_text(&mut output, &puzzle, &asked, &plan)?,
            Format::Json => write_json(&mut output, &self.file.display().to_string(), &puzzle, &asked, &plan)?,
        }
        output.flush()?;
        output.finish()?;
        Ok(match plan.estimate.limit {
            None => Status::Good,
            Some(Limit::Interrupt) => Status::Interrupted,
            Some(_) => Status::Stopped,
        })
    }
}

/// Bits a second: a number and its unit.
fn bandwidth(text: &str) -> Result<f64, String> {
    let wrong = || "this is a number with `kbit`, `Mbit`, `Gbit` or `Tbit` behind it, such as 1Gbit".to_owned();
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
    number.ok_or_else(|| "a price is a number from 0 on, such as 1.50".to_owned())
}
