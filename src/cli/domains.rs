//! `engine domains`: the registered domains.

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::output::print_json;
use super::streams::stdout;
use super::{Status, list::table};
use crate::domain::{self, DomainFacts, Named};
use crate::puzzle::instead_of_domain;
use crate::search::{Algorithm, AlgorithmFacts};
use clap::Args;
use serde::Serialize;
use std::fmt::Write as _;
use std::io::Write;

/// List the domains, or describe one: keys, metrics, heuristics, algorithms
#[derive(Args)]
pub(super) struct Domains {
    /// Domain to describe [default: list all domains]
    #[arg(value_name = "NAME")]
    name: Option<String>,
    /// Print JSON: one object a domain, one line each
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

impl Domains {
    pub fn run(&self) -> Ended {
        let names = domain::registered();
        if self.json {
            let named: Vec<&DomainFacts> = match &self.name {
                Some(name) => vec![known(name)?],
                None => names.iter().filter_map(|name| domain::facts(name)).collect(),
            };
            for facts in named {
                print_json(&Row::of(facts))?;
            }
            return Ok(Status::Good);
        }
        let Some(name) = &self.name else {
            let summary = |name: &str| domain::facts(name).map_or("", |facts| facts.summary);
            let rows: Vec<[String; 2]> =
                names.iter().map(|name| [(*name).to_owned(), summary(name).to_owned()]).collect();
            stdout().write_all(table(&rows).as_bytes())?;
            return Ok(Status::Good);
        };
        stdout().write_all(describe(known(name)?).as_bytes())?;
        Ok(Status::Good)
    }
}

/// Returns the facts of a domain.
///
/// # Errors
/// There is none of this name.
pub(super) fn known(name: &str) -> Result<&'static DomainFacts, Failure> {
    domain::facts(name).ok_or_else(|| Failure::refused(format!("unknown domain `{name}`"), instead_of_domain(name)))
}

/// A domain in JSON.
#[derive(Serialize)]
struct Row {
    name: &'static str,
    summary: &'static str,
    keys: Vec<NamedRow>,
    metrics: Vec<NamedRow>,
    heuristics: Vec<HeuristicRow>,
    algorithms: Vec<AlgorithmRow>,
    reductions: Vec<NamedRow>,
    notations: Vec<&'static str>,
    default_algorithm: &'static str,
    default_heuristic: &'static str,
    decides_solvability: bool,
}

#[derive(Serialize)]
struct NamedRow {
    name: &'static str,
    summary: &'static str,
}

#[derive(Serialize)]
struct HeuristicRow {
    name: &'static str,
    summary: &'static str,
    admissible: bool,
    consistent: bool,
}

#[derive(Serialize)]
struct AlgorithmRow {
    name: &'static str,
    summary: &'static str,
    informed: bool,
}

impl Row {
    fn of(facts: &'static DomainFacts) -> Row {
        let named = |named: &Named| NamedRow { name: named.name, summary: named.summary };
        let heuristic = |facts: &domain::HeuristicFacts| HeuristicRow {
            name: facts.name,
            summary: facts.summary,
            admissible: facts.admissible,
            consistent: facts.consistent,
        };
        let algorithm = |facts: &&AlgorithmFacts| AlgorithmRow {
            name: facts.name,
            summary: facts.summary,
            informed: facts.informed,
        };
        Row {
            name: facts.name,
            summary: facts.summary,
            keys: facts.keys.iter().map(named).collect(),
            metrics: facts.metrics.iter().map(named).collect(),
            heuristics: facts.heuristics.iter().map(heuristic).collect(),
            algorithms: Algorithm::ALL.iter().map(algorithm).collect(),
            reductions: facts.reductions.iter().map(named).collect(),
            notations: facts.notations.iter().map(|notation| notation.name()).collect(),
            default_algorithm: facts.default_algorithm.name(),
            default_heuristic: facts.default_heuristic,
            decides_solvability: facts.decides_solvability,
        }
    }
}

fn describe(facts: &DomainFacts) -> String {
    let mut out = format!("{}: {}\n", facts.name, facts.summary);
    section(&mut out, "Keys, in addition to those of all puzzles", facts.keys.iter().map(row));
    section(&mut out, "Metrics, the default first", facts.metrics.iter().map(row));
    let heuristic = |heuristic: &domain::HeuristicFacts| {
        let admissible = if heuristic.admissible { "admissible" } else { "not admissible" };
        let consistent = if heuristic.consistent { "consistent" } else { "not consistent" };
        [heuristic.name.to_owned(), format!("{} ({admissible}, {consistent})", heuristic.summary)]
    };
    section(&mut out, "Heuristics", facts.heuristics.iter().map(heuristic));
    let algorithm = |facts: &&AlgorithmFacts| [facts.name.to_owned(), facts.summary.to_owned()];
    section(&mut out, "Algorithms", Algorithm::ALL.iter().map(algorithm));
    section(&mut out, "Reductions, which `--without` turns off", facts.reductions.iter().map(row));
    let notations = facts.notations.iter().map(|notation| notation.name());
    let _ = writeln!(out, "\nNotations, the default first: {}", notations.collect::<Vec<_>>().join(", "));
    let _ = writeln!(
        out,
        "Defaults: algorithm {}; heuristic {}, for algorithms that use one",
        facts.default_algorithm.name(),
        facts.default_heuristic
    );
    out
}

fn row(named: &Named) -> [String; 2] {
    [named.name.to_owned(), named.summary.to_owned()]
}

fn section(out: &mut String, title: &str, rows: impl Iterator<Item = [String; 2]>) {
    let rows: Vec<[String; 2]> = rows.map(|[name, text]| [format!("  {name}"), text]).collect();
    if !rows.is_empty() {
        let _ = write!(out, "\n{title}:\n{}", table(&rows));
    }
}
