//! Transcripts of plans: as text for people, as JSON for programs.

use super::{Number, Subject, fact, heading, rate};
use crate::diagnostic::json;
use crate::output_format::{Formats, OutputFormat};
use crate::plot::text::counted;
use crate::plot::thousands;
use crate::puzzle::{Plan, Puzzle};
use crate::search::{Basis, Machines, Needs, StateCount};
use bytesize::ByteSize;
use serde::Serialize;
use std::io::{self, Write};

/// The options of a plan.
pub struct PlanOptions {
    /// The machines to plan for.
    pub machines: Machines,
    /// The price of one machine for an hour.
    pub price: Option<f64>,
    /// The greatest number of moves from the start.
    pub depth_limit: Option<u32>,
}

/// Writes the plan for the puzzle in a file.
pub type PlanWriter = fn(&mut dyn Write, &str, &Puzzle, &PlanOptions, &Plan) -> io::Result<()>;

/// All formats of plans.
pub const FORMATS: Formats<PlanWriter> = &[
    &OutputFormat { name: "text", summary: "text for people", writer: write_text },
    &OutputFormat { name: "json", summary: "one JSON object on one line", writer: write_json },
];

/// Writes a plan as text: the aim, the measurements, the estimates, the layers.
fn write_text(out: &mut dyn Write, _: &str, puzzle: &Puzzle, options: &PlanOptions, plan: &Plan) -> io::Result<()> {
    let estimate = &plan.estimate;
    let Machines { hosts, workers, bandwidth, .. } = options.machines;
    heading(out, puzzle)?;
    if let Some(limit) = estimate.limit {
        let name = limit.name();
        fact(out, "outcome", format!("stopped at the {name} limit; the results are partial"))?;
    }
    let whole = if estimate.walks > 1 {
        "all states, from the start and back from the goals"
    } else {
        "all states, from the start"
    };
    let upto =
        options.depth_limit.map(|depth| format!("the states within {} of the start", counted(depth.into(), "move")));
    fact(out, "aim", upto.unwrap_or(whole.to_owned()))?;
    let workers = counted(workers.into(), "worker");
    fact(out, "machines", format!("{}, each with {workers} and {}", thousands(hosts), bits(bandwidth)))?;
    fact(out, "states", describe(&estimate.states, plan.formula.as_deref()))?;
    if !estimate.reversible && estimate.states.basis == Basis::AtLeast {
        fact(out, "", "moves are irreversible here, so only the counted states are known")?;
    }
    fact(out, "layers", format!("{} counted", thousands(estimate.layers.len())))?;

    writeln!(out, "\nmeasured, on this machine")?;
    let mut line = |name: &str, value: String| writeln!(out, "  {name:<9} {value}");
    match &estimate.measured {
        Some((measured, needs)) => {
            let threads = counted(measured.threads as u64, "thread");
            let (states, seconds, sizes) = (thousands(measured.states), measured.seconds, &estimate.sizes);
            let speed = rate(measured.per_second() / measured.threads as f64);
            line("speed", format!("{speed} a worker: {states} states in {seconds:.2} s by {threads}"))?;
            line("a state", format!("{:.2} bytes on disk, {:.2} children", sizes.stored_bytes, sizes.children))?;
            line("", format!("{:.2} of them sent, with {:.2} bytes each", sizes.sent, sizes.sent_bytes))?;
            write_needs(out, needs, options, bound(estimate.states.basis))?;
        }
        None => line("nothing", "nothing: there is no state to explore, or a limit came first".to_owned())?,
    }

    writeln!(out, "\n{:>5}  {:>24}", "depth", "states")?;
    for (depth, &states) in estimate.layers.iter().enumerate() {
        writeln!(out, "{depth:>5}  {:>24}", thousands(states))?;
    }
    Ok(())
}

fn write_needs(out: &mut dyn Write, needs: &Needs, options: &PlanOptions, bound: &str) -> io::Result<()> {
    writeln!(out, "\nestimated{bound}")?;
    let mut line = |name: &str, value: String| writeln!(out, "  {name:<9} {value}");
    let (compute, network) = (span(needs.compute), span(needs.network));
    let hosts = f64::from(options.machines.hosts);
    line("time", format!("{}: {compute} exploring, {network} sending", span(needs.seconds())))?;
    line("disk", format!("{} a machine, {} in all", bytes(needs.disk / hosts), bytes(needs.disk)))?;
    line("network", format!("{} a machine, {} in all", bytes(needs.sent / hosts), bytes(needs.sent)))?;
    let hours = machine_hours(needs, options);
    let cost = options.price.map(|price| format!(", which cost {}", money(price * hours)));
    line("machines", format!("{} machine-hours{}", significant(hours), cost.unwrap_or_default()))
}

fn machine_hours(needs: &Needs, options: &PlanOptions) -> f64 {
    needs.seconds() / 3600.0 * f64::from(options.machines.hosts)
}

/// Returns the qualifier for estimates that rest on a bound of the number of states.
fn bound(basis: Basis) -> &'static str {
    match basis {
        Basis::AtLeast => ", at least",
        Basis::Extrapolated => ", at most",
        _ => "",
    }
}

/// Describes a number of states and how it is known.
fn describe(guess: &StateCount, formula: Option<&str>) -> String {
    let (low, high) = (significant(guess.low), significant(guess.high));
    let states = significant(guess.states);
    match (guess.basis, formula) {
        (Basis::Formula, Some(formula)) => format!("{}, by a formula", thousands(formula)),
        (Basis::Counted | Basis::Formula, _) => format!("{}, counted", thousands(guess.states)),
        (Basis::Collisions, _) => format!("about {states}, by random walks: {low} to {high} (two standard errors)"),
        (Basis::Extrapolated, _) => format!("at most {states}, and at least {low}"),
        (Basis::AtLeast, _) => format!("at least {low}"),
    }
}

/// Formats a number with four significant digits.
fn significant(number: f64) -> String {
    if !number.is_finite() {
        return "any number".to_owned();
    }
    if number >= 1e15 {
        return format!("{number:.3e}");
    }
    if number < 100.0 && number.fract() != 0.0 {
        return format!("{number:.2}");
    }
    let unit = 10_f64.powi((number.max(1.0).log10().floor() as i32 - 3).max(0));
    thousands(format!("{:.0}", (number / unit).round() * unit))
}

fn bits(bandwidth: f64) -> String {
    match bandwidth {
        fast if fast >= 1e9 => format!("{} Gbit/s", fast / 1e9),
        slow if slow >= 1e6 => format!("{} Mbit/s", slow / 1e6),
        very_slow => format!("{} kbit/s", very_slow / 1e3),
    }
}

fn bytes(bytes: f64) -> String {
    // A `u64` holds no more than this.
    if bytes < 1e18 { ByteSize(bytes.round() as u64).to_string() } else { format!("{bytes:.3e} bytes") }
}

fn money(amount: f64) -> String {
    if amount < 1e15 { format!("{amount:.2}") } else { format!("{amount:.3e}") }
}

/// Formats a duration in a suitable unit.
fn span(seconds: f64) -> String {
    const UNITS: [(f64, &str); 5] =
        [(365.25 * 86400.0, "years"), (86400.0, "days"), (3600.0, "hours"), (60.0, "minutes"), (1.0, "s")];
    let (unit, name) = UNITS.into_iter().find(|(unit, _)| seconds >= 1.5 * unit).unwrap_or((1.0, "s"));
    let number = seconds / unit;
    if number >= 1e6 {
        format!("{number:.2e} {name}")
    } else {
        format!("{number:.*} {name}", if number < 10.0 { 2 } else { 1 })
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
    price: Option<f64>,
    limit: Option<&'a str>,
    states: States<'a>,
    layers: Vec<LayerRow>,
    walks: u32,
    measured: Option<MeasuredRow>,
    estimated: Option<EstimatedRow>,
}

#[derive(Serialize)]
struct States<'a> {
    value: Number,
    low: Number,
    high: Option<Number>,
    basis: &'a str,
    exact: Option<String>,
}

#[derive(Serialize)]
struct LayerRow {
    depth: usize,
    states: u64,
}

#[derive(Serialize)]
struct MeasuredRow {
    states: u64,
    seconds: f64,
    threads: usize,
    states_per_second_per_worker: f64,
    children_per_state: f64,
    sent_per_state: f64,
    bytes_per_child: f64,
    bytes_per_state: f64,
}

#[derive(Serialize)]
struct EstimatedRow {
    seconds: f64,
    compute_seconds: f64,
    network_seconds: f64,
    disk_bytes_per_host: f64,
    disk_bytes: f64,
    network_bytes_per_host: f64,
    network_bytes: f64,
    machine_hours: f64,
    cost: Option<f64>,
}

/// Writes a plan as one JSON object on one line.
fn write_json(out: &mut dyn Write, file: &str, puzzle: &Puzzle, options: &PlanOptions, plan: &Plan) -> io::Result<()> {
    let estimate = &plan.estimate;
    let guess = &estimate.states;
    let exact = match guess.basis {
        Basis::Formula => plan.formula.clone(),
        Basis::Counted => Some(guess.states.to_string()),
        _ => None,
    };
    let layers = estimate.layers.iter().enumerate().map(|(depth, &states)| LayerRow { depth, states });
    let (sizes, hosts) = (&estimate.sizes, f64::from(options.machines.hosts));
    let row = Row {
        subject: Subject::new(file, puzzle),
        depth_limit: options.depth_limit,
        hosts: options.machines.hosts,
        workers: options.machines.workers,
        network_bits_per_second: options.machines.bandwidth,
        price: options.price,
        limit: estimate.limit.map(|limit| limit.name()),
        states: States {
            value: Number(guess.states),
            low: Number(guess.low),
            high: Some(guess.high).filter(|high| high.is_finite()).map(Number),
            basis: guess.basis.name(),
            exact,
        },
        layers: layers.collect(),
        walks: estimate.walks,
        measured: estimate.measured.map(|(measured, _)| MeasuredRow {
            states: measured.states,
            seconds: measured.seconds,
            threads: measured.threads,
            states_per_second_per_worker: measured.per_second() / measured.threads as f64,
            children_per_state: sizes.children,
            sent_per_state: sizes.sent,
            bytes_per_child: sizes.sent_bytes,
            bytes_per_state: sizes.stored_bytes,
        }),
        estimated: estimate.measured.map(|(_, needs)| EstimatedRow {
            seconds: needs.seconds(),
            compute_seconds: needs.compute,
            network_seconds: needs.network,
            disk_bytes_per_host: needs.disk / hosts,
            disk_bytes: needs.disk,
            network_bytes_per_host: needs.sent / hosts,
            network_bytes: needs.sent,
            machine_hours: machine_hours(&needs, options),
            cost: options.price.map(|price| price * machine_hours(&needs, options)),
        }),
    };
    writeln!(out, "{}", json(&row)?)
}
