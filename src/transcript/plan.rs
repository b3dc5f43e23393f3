//! Transcripts of plans: as text for people, as JSON for programs.

use super::{Number, Subject, fact, heading, rate};
use crate::diagnostic::json;
use crate::output_format::{Formats, OutputFormat};
use crate::plot::text::counted;
use crate::plot::thousands;
use crate::puzzle::Puzzle;
use crate::search::{Basis, Estimate, Machines, StateCount};
use bytesize::ByteSize;
use serde::Serialize;
use std::io::{self, Write};

/// The options of a plan.
pub struct PlanOptions {
    /// The machines to plan for.
    pub machines: Machines,
    /// The greatest number of moves from the start.
    pub depth_limit: Option<u32>,
}

/// Writes the plan for the puzzle in a file.
pub type PlanWriter = fn(&mut dyn Write, &str, &Puzzle, &PlanOptions, &Estimate) -> io::Result<()>;

/// All formats of plans.
pub const FORMATS: Formats<PlanWriter> = &[
    &OutputFormat { name: "text", summary: "text for people", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object on one line", writer: write_json },
];

/// Writes a plan as text: the aim, the states, the measurements, the estimates.
fn write_text(
    out: &mut dyn Write,
    _: &str,
    puzzle: &Puzzle,
    options: &PlanOptions,
    estimate: &Estimate,
) -> io::Result<()> {
    heading(out, puzzle)?;
    if let Some(limit) = estimate.limit {
        fact(out, "outcome", format!("{}; the results are partial", limit.words()))?;
    }
    let aim = match options.depth_limit {
        Some(depth) => format!("the states within {} of the start", counted(depth.into(), "move")),
        None if estimate.walks > 1 => "all states, from the start and back from the goals".to_owned(),
        None => "all states, from the start".to_owned(),
    };
    fact(out, "aim", aim)?;
    let Machines { hosts, workers, bandwidth } = options.machines;
    let (hosts, workers) = (thousands(hosts), counted(workers.into(), "worker"));
    let (unit, name) = if bandwidth < 1e9 { (1e6, "Mbit/s") } else { (1e9, "Gbit/s") };
    fact(out, "machines", format!("{hosts}, each with {workers} and {} {name}", bandwidth / unit))?;
    fact(out, "states", describe(&estimate.states))?;

    let Some((speed, needs)) = &estimate.measured else {
        return fact(out, "measured", "nothing: there is no state to expand, or a limit came first");
    };
    let sizes = &estimate.sizes;
    writeln!(out, "\nmeasured, on this machine")?;
    writeln!(out, "  speed    {} a worker", rate(*speed))?;
    writeln!(out, "  a state  {:.1} bytes on disk, {:.1} bytes of children sent", sizes.stored, sizes.sent)?;
    let bound = match estimate.states.basis {
        Basis::AtLeast => ", at least",
        Basis::Extrapolated => ", at most",
        _ => "",
    };
    writeln!(out, "\nestimated{bound}")?;
    let [time, compute, network] = [needs.seconds(), needs.compute, needs.network].map(span);
    writeln!(out, "  time     {time}: {compute} expanding, {network} sending")?;
    writeln!(out, "  disk     {} a machine", bytes(needs.disk))?;
    writeln!(out, "  network  {} a machine", bytes(needs.sent))
}

/// Describes a number of states and how it is known.
fn describe(guess: &StateCount) -> String {
    let [states, low, high] = [guess.states, guess.low, guess.high].map(significant);
    match guess.basis {
        Basis::Formula if guess.states >= 1e15 => format!("{states}, by a formula"),
        Basis::Formula => format!("{}, by a formula", thousands(guess.states)),
        Basis::Counted => format!("{}, counted", thousands(guess.states)),
        Basis::Collisions => format!("about {states}, by random walks: {low} to {high} (two standard errors)"),
        Basis::Extrapolated => format!("at most {states}, and at least {low}"),
        Basis::AtLeast => format!("at least {low}"),
    }
}

/// Formats a number of states with four significant digits.
fn significant(number: f64) -> String {
    if number >= 1e15 {
        return format!("{number:.3e}");
    }
    let unit = 10_f64.powi((number.max(1.0).log10().floor() as i32 - 3).max(0));
    thousands((number / unit).round() * unit)
}

fn bytes(bytes: f64) -> String {
    // A `u64` holds no more than this.
    if bytes < 1e18 { ByteSize(bytes.round() as u64).to_string() } else { format!("{bytes:.3e} bytes") }
}

/// Formats a duration in a suitable unit.
fn span(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] =
        [(365.25 * 86400.0, "years"), (86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "s")];
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| seconds >= 1.5 * unit).unwrap_or((1.0, "s"));
    match seconds / unit {
        many if many >= 1e6 => format!("{many:.2e} {name}"),
        few => format!("{few:.*} {name}", if few < 10.0 { 2 } else { 1 }),
    }
}

/// The fields of the JSON format.
#[derive(Serialize)]
struct Row<'a> {
    #[serde(flatten)]
    subject: Subject<'a>,
    depth_limit: Option<u32>,
    hosts: u32,
    workers: u32,
    network_bits_per_second: f64,
    limit: Option<&'a str>,
    states: States<'a>,
    walks: u32,
    measured: Option<Measured>,
    estimated: Option<Estimated>,
}

#[derive(Serialize)]
struct States<'a> {
    value: Number,
    low: Number,
    high: Option<Number>,
    basis: &'a str,
}

#[derive(Serialize)]
struct Measured {
    states_per_second_per_worker: f64,
    bytes_per_state: f64,
    sent_bytes_per_state: f64,
}

#[derive(Serialize)]
struct Estimated {
    seconds: f64,
    compute_seconds: f64,
    network_seconds: f64,
    disk_bytes_per_host: f64,
    network_bytes_per_host: f64,
}

/// Writes a plan as one JSON object on one line.
fn write_json(
    out: &mut dyn Write,
    file: &str,
    puzzle: &Puzzle,
    options: &PlanOptions,
    estimate: &Estimate,
) -> io::Result<()> {
    let Machines { hosts, workers, bandwidth } = options.machines;
    let (StateCount { states, low, high, basis }, sizes) = (estimate.states, estimate.sizes);
    let row = Row {
        subject: Subject::new(file, puzzle),
        depth_limit: options.depth_limit,
        hosts,
        workers,
        network_bits_per_second: bandwidth,
        limit: estimate.limit.map(|limit| limit.name()),
        states: States {
            value: Number(states),
            low: Number(low),
            high: high.is_finite().then_some(Number(high)),
            basis: basis.name(),
        },
        walks: estimate.walks,
        measured: estimate.measured.map(|(speed, _)| Measured {
            states_per_second_per_worker: speed,
            bytes_per_state: sizes.stored,
            sent_bytes_per_state: sizes.sent,
        }),
        estimated: estimate.measured.map(|(_, needs)| Estimated {
            seconds: needs.seconds(),
            compute_seconds: needs.compute,
            network_seconds: needs.network,
            disk_bytes_per_host: needs.disk,
            network_bytes_per_host: needs.sent,
        }),
    };
    writeln!(out, "{}", json(&row)?)
}
