//! Certificates: the data with which a third party can check that a solution is one, and that it is shortest.
//!
//! The upper bound is the moves, which anyone can replay. The lower bound rests on a search. So the certificate lists
//! what that search completed, step by step, and why its heuristic, if it had one, never overestimates. The check does
//! not trust the search: a plain search by the rules looks for a cheaper solution, as far as its limits allow.
//!
//! A certificate is one JSON object, with the same bytes on every run and machine.

use super::argument::Finding;
use super::checker::Checker;
use super::plain::{self, EPSILON, End, Searched};
use super::pruned::DeadEnds;
use super::watched::Watched;
use super::{Failure, Replayed, parity, replay};
use crate::argument::{Argument, Pruned, counted};
use crate::domain::Rules;
use crate::puzzle::{Outcome, Puzzle, Solution};
use crate::search::{Counts, Limits, ProofPart, Stats, Stop};
use crate::transcript::Number;
use serde::{Deserialize, Serialize, Serializer};
use std::io;
use std::time::Instant;

/// The version of the format.
const FORM: u32 = 1;

/// A claim about a puzzle, and its evidence.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Certificate {
    certificate: u32,
    engine: String,
    puzzle: Identity,
    outcome: String,
    /// The moves and their cost, which is an upper bound of the least cost.
    upper_bound: Option<Upper>,
    lower_bound: Lower,
    optimal: bool,
}

/// The puzzle that the claim is about.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Identity {
    file: String,
    title: String,
    domain: String,
    metric: Option<String>,
    sha256: String,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Upper {
    #[serde(serialize_with = "number")]
    cost: f64,
    moves: Vec<String>,
}

/// A lower bound of the cost of all solutions, or that there is none, and why.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Lower {
    /// `None` if there is no solution, or nothing is proven.
    #[serde(serialize_with = "number_or_none")]
    cost: Option<f64>,
    /// The reason in words why there is no solution.
    reason: Option<String>,
    /// The reason as data, if there is an argument other than a search.
    #[serde(default)]
    argument: Option<Argument>,
    /// The dead ends that the search left out, if it has arguments for them as data.
    #[serde(default)]
    pruned: Option<Pruned>,
    algorithm: String,
    heuristic: Option<Heuristic>,
    searches: Vec<Search>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Heuristic {
    name: String,
    admissible: bool,
    because: String,
}

/// The completed steps of one search.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    search: String,
    heuristic: Option<String>,
    counts: String,
    /// Depths or bounds, each with its number of states.
    completed: Vec<CompletedSearch>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct CompletedSearch {
    #[serde(serialize_with = "number")]
    within: f64,
    states: u64,
}

fn number_or_none<S: Serializer>(number: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
    number.map(Number).serialize(serializer)
}

/// Serialises a number without a decimal point if it is whole.
fn number<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    Number(*number).serialize(serializer)
}

/// The result of a check.
#[derive(Debug, PartialEq)]
pub struct Checked {
    /// The report, line by line.
    pub lines: Vec<String>,
    /// True if a limit ended the check of some part.
    pub stopped: bool,
}

const LAYERS: &str = "states at each depth, each of them met for the first time";
const BOUNDS: &str = "states expanded within each bound, after those before it";

impl Certificate {
    /// Creates the certificate of a solution; `parts` are the records of its searches.
    ///
    /// # Errors
    /// A file that the puzzle names cannot be read any more.
    pub fn new(file: &str, puzzle: &Puzzle, solution: &Solution, parts: &[ProofPart]) -> io::Result<Certificate> {
        let heuristic = |name: &str| {
            let facts = puzzle.heuristic(name).ok()?;
            Some(Heuristic { name: name.to_owned(), admissible: facts.admissible, because: facts.because.to_owned() })
        };
        let search = |part: &ProofPart| Search {
            search: part.search.clone(),
            heuristic: part.heuristic.map(str::to_owned),
            counts: if part.counts == Counts::Layers { LAYERS } else { BOUNDS }.to_owned(),
            completed: part
                .steps
                .iter()
                .map(|step| CompletedSearch { within: step.within, states: step.states })
                .collect(),
        };
        Ok(Certificate {
            certificate: FORM,
            engine: env!("CARGO_PKG_VERSION").to_owned(),
            puzzle: Identity {
                file: file.to_owned(),
                title: puzzle.title().to_owned(),
                domain: puzzle.domain().name.to_owned(),
                metric: puzzle.metric().map(str::to_owned),
                sha256: puzzle.fingerprint()?,
            },
            outcome: solution.outcome().name().to_owned(),
            upper_bound: solution.cost().map(|cost| Upper { cost, moves: solution.moves() }),
            lower_bound: Lower {
                cost: solution.lower_bound(),
                reason: solution.reason().map(str::to_owned),
                argument: solution.refutation().and_then(|refutation| refutation.argument.clone()),
                pruned: None,
                algorithm: solution.algorithm().name().to_owned(),
                heuristic: solution.heuristic().and_then(heuristic),
                searches: parts.iter().map(search).collect(),
            },
            optimal: solution.is_optimal(),
        })
    }

    /// Adds the dead ends that the search left out.
    #[must_use]
    pub fn with_pruned(mut self, pruned: Pruned) -> Certificate {
        self.lower_bound.pruned = (!pruned.is_empty()).then_some(pruned);
        self
    }

    /// Leaves the argument out if the checker refuses it: then the plain search alone has to support the claim. An
    /// argument of which the check ends early stays.
    #[must_use]
    pub fn without_refused_argument(mut self, puzzle: &Puzzle, limits: &Limits) -> Certificate {
        let Some(argument) = &self.lower_bound.argument else { return self };
        let (rules, independent) = puzzle.rules();
        let parts = if independent { rules.ground_rules() } else { None };
        let checker = parts.as_ref().and_then(|parts| Checker::new(&**parts, rules.position()?, limits));
        if independent && find(argument, checker.as_ref(), &*rules).is_some_and(|finding| finding.is_err()) {
            self.lower_bound.argument = None;
        }
        self
    }

    /// Parses a certificate.
    ///
    /// # Errors
    /// The reason why it is not a certificate.
    pub fn parse(text: &str) -> Result<Certificate, String> {
        let read: Certificate = serde_json::from_str(text).map_err(|error| format!("is not a certificate: {error}"))?;
        if read.certificate != FORM {
            return Err(format!("is a certificate of form {}, but this engine reads form {FORM}", read.certificate));
        }
        Ok(read)
    }

    /// Returns the certificate as text.
    #[must_use]
    pub fn text(&self) -> String {
        serde_json::to_string_pretty(self).expect("numbers are finite, and keys are strings") + "\n"
    }

    /// Returns the file that it names.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.puzzle.file
    }

    /// Returns the cost and the number of moves of the solution that it claims; `None` if it claims no solution.
    #[must_use]
    pub fn upper_bound(&self) -> Option<Replayed> {
        self.upper_bound.as_ref().map(|upper| Replayed { moves: upper.moves.len(), cost: upper.cost })
    }

    /// Checks it against a puzzle; the lower bound by a plain search within these limits.
    ///
    /// # Errors
    /// The first reason to refuse it.
    pub fn check(&self, puzzle: &Puzzle, limits: &Limits) -> Result<Checked, Failure> {
        let refuse = |why: String| Err(Failure::Refused(why));
        let mut lines = Vec::new();
        let sha256 = puzzle.fingerprint().map_err(|error| Failure::Unreadable(error.to_string()))?;
        if sha256 != self.puzzle.sha256 {
            return refuse(format!(
                "it is for another puzzle: its sha256 is {}, this one's is {sha256}; a level of a collection must be \
                 read in the same metric, and a random puzzle with the same seed",
                self.puzzle.sha256
            ));
        }
        let own = (puzzle.title(), puzzle.domain().name, puzzle.metric());
        if own != (&*self.puzzle.title, &*self.puzzle.domain, self.puzzle.metric.as_deref()) {
            return refuse("its title, domain or metric is not that of the puzzle".to_owned());
        }
        lines.push(format!("puzzle       the same, by its sha256 {}…", &sha256[..16]));
        if self.engine != env!("CARGO_PKG_VERSION") {
            lines.push(format!("engine       written by version {}, checked by another", self.engine));
        }
        let upper = match &self.upper_bound {
            None => f64::INFINITY,
            Some(Upper { cost, moves }) => {
                let replayed = replay(puzzle, moves).map_err(Failure::Refused)?;
                if (replayed.cost - cost).abs() > EPSILON {
                    return refuse(format!(
                        "it claims the cost {}, but its moves cost {}",
                        Number(*cost),
                        Number(replayed.cost)
                    ));
                }
                lines.push(format!(
                    "upper bound  {}: {}, replayed by the rules",
                    Number(*cost),
                    counted(moves.len(), "move")
                ));
                *cost
            }
        };
        self.agrees_with_itself(upper).map_err(Failure::Refused)?;
        let stopped = self.check_lower_bound(puzzle, limits, &mut lines).map_err(Failure::Refused)?;
        Ok(Checked { lines, stopped })
    }

    /// Checks that its claims do not contradict each other.
    fn agrees_with_itself(&self, upper: f64) -> Result<(), String> {
        let lower = self.lower_bound.cost;
        match &*self.outcome {
            "solved" if upper.is_infinite() => Err("it claims `solved`, but has no moves".to_owned()),
            "unsolvable" if upper.is_finite() => Err("it claims `unsolvable`, but has a solution".to_owned()),
            "unsolvable" if lower.is_some() => Err("it claims `unsolvable`, but has a lower bound".to_owned()),
            "solved" | "unsolvable" | "limit" => Ok(()),
            other => Err(format!("unknown outcome `{other}`")),
        }?;
        if lower.is_some_and(|lower| lower > upper + EPSILON) {
            return Err("its lower bound is above its upper bound".to_owned());
        }
        if self.optimal && lower.is_none_or(|lower| lower < upper - EPSILON) {
            return Err("it claims a shortest solution, but its bounds differ".to_owned());
        }
        if !self.optimal && lower.is_some_and(|lower| lower >= upper) {
            return Err("it claims no shortest solution, but its bounds are equal".to_owned());
        }
        Ok(())
    }

    /// Searches for a cheaper solution; returns whether a limit ended the search.
    fn check_lower_bound(&self, puzzle: &Puzzle, limits: &Limits, lines: &mut Vec<String>) -> Result<bool, String> {
        let begun = Instant::now();
        let left = || limits.remaining(&Stats::default(), begun.elapsed());
        let below = if self.is_unsolvable() { f64::INFINITY } else { self.lower_bound.cost.unwrap_or(0.0) };
        if below <= 0.0 {
            lines.push("lower bound  none above 0 is claimed".to_owned());
            return Ok(false);
        }
        let (mut rules, independent) = puzzle.rules();
        if let Some(why) = rules.unreadable() {
            return Err(why.to_owned());
        }
        let argument = self.lower_bound.argument.as_ref().filter(|_| self.is_unsolvable() && independent);
        let pruned = self.lower_bound.pruned.as_ref().filter(|_| independent);
        // One copy of the rules is analysed while another is searched.
        let (analysed_rules, _) = puzzle.rules();
        let is_analysed = argument.is_some() || pruned.is_some();
        let parts = if is_analysed { analysed_rules.ground_rules() } else { None };
        let checker = parts.as_ref().and_then(|parts| Checker::new(&**parts, analysed_rules.position()?, limits));
        let checker = checker.as_ref();
        let proven = self.check_argument(argument, checker, &*analysed_rules, lines)?;
        let watched = match (argument, checker) {
            (Some(argument), Some(checker)) => Watched::new(checker, argument)?,
            _ => Watched::Nothing,
        };
        let mut watch = |before: &[u32], after: &[u32]| watched.check(before, after);
        let dead_ends = checked_dead_ends(pruned, checker, &left().stop(), lines)?;
        let is_dead = |position: &[u32]| dead_ends.as_ref().is_some_and(|dead| dead.has(position));
        let searched =
            if independent { plain::search(&mut *rules, below, &left(), &is_dead, &mut watch) } else { None };
        match searched {
            Some(searched) => self.compare(&searched, below, proven, lines),
            None => {
                let claim = self.claim(below);
                lines.push(format!(
                    "lower bound  {claim}: not checked again, since the domain has no independent rules"
                ));
                lines.push(self.rests_on());
                Ok(false)
            }
        }
    }

    fn is_unsolvable(&self) -> bool {
        self.outcome == Outcome::Unsolvable.name()
    }

    /// Returns the claim in words: no solution costs less than `below`.
    fn claim(&self, below: f64) -> String {
        if self.is_unsolvable() { "there is no solution".to_owned() } else { Number(below).to_string() }
    }

    /// Checks the argument that there is no solution; returns whether it proves that.
    fn check_argument(
        &self,
        argument: Option<&Argument>,
        checker: Option<&Checker>,
        rules: &dyn Rules,
        lines: &mut Vec<String>,
    ) -> Result<bool, String> {
        let (line, proven) = match argument.map(|argument| find(argument, checker, rules)) {
            Some(Some(finding)) => match finding? {
                Finding::Proven(how) => (format!("argument     {how}"), true),
                Finding::Open(why) => (format!("argument     not checked as a whole: {why}"), false),
            },
            Some(None) => ("argument     not checked rule by rule: there are too many cases".to_owned(), false),
            None => match &self.lower_bound.reason {
                Some(reason) if self.is_unsolvable() && self.is_unsearched() => {
                    (format!("reason       in words, not checked: {reason}"), false)
                }
                _ => return Ok(false),
            },
        };
        lines.push(line);
        Ok(proven)
    }

    /// Compares the claims with a plain search for solutions that cost less than `below`; returns whether a limit ended
    /// it. `proven` is true if an argument proves that there is no solution.
    fn compare(&self, searched: &Searched, below: f64, proven: bool, lines: &mut Vec<String>) -> Result<bool, String> {
        let claim = self.claim(below);
        let states = counted(searched.states as usize, "state");
        match &searched.end {
            End::Goal(cost) => Err(format!(
                "a plain search by the rules finds a solution of cost {}, and it claims that {}",
                Number(*cost),
                if self.is_unsolvable() { "there is none".to_owned() } else { format!("none costs less than {claim}") }
            )),
            End::Nothing { .. } => {
                let layers = self.layers_agree(searched.by_depth.as_deref(), below)?;
                let counts = layers
                    .map_or(String::new(), |layers| format!("; so do the counts of {}", counted(layers, "layer")));
                let found = if self.is_unsolvable() { "all" } else { "no goal below the bound among" };
                lines.push(format!(
                    "lower bound  {claim}: a plain search by the rules agrees ({found} {states}){counts}"
                ));
                Ok(false)
            }
            End::Objection(why) => Err(format!("its argument does not hold: {why}")),
            End::Limit(limit, _) if proven => {
                lines.push(format!(
                    "lower bound  {claim}: by the argument; a plain search agrees, up to its {} limit, after {states}",
                    limit.name()
                ));
                Ok(false)
            }
            End::Limit(limit, cost) => {
                lines.push(format!(
                    "lower bound  {claim}: checked again only up to {}: the plain search stopped at the {} limit, after {states}",
                    Number(*cost), limit.name()
                ));
                lines.push(self.rests_on());
                Ok(true)
            }
        }
    }

    /// Returns whether nothing was searched, so that the claim rests on its reason alone.
    fn is_unsearched(&self) -> bool {
        self.lower_bound.searches.iter().all(|search| search.completed.is_empty())
    }

    /// Describes the evidence for the claim that was not checked.
    fn rests_on(&self) -> String {
        let Lower { reason, algorithm, heuristic, searches, .. } = &self.lower_bound;
        if let Some(reason) = reason.as_ref().filter(|_| self.is_unsearched()) {
            return format!("not checked  the reason: {reason}");
        }
        let steps: usize = searches.iter().map(|search| search.completed.len()).sum();
        let completed = searches.iter().flat_map(|search| &search.completed);
        let states = completed.map(|step| step.states).fold(0, u64::saturating_add);
        let guided = heuristic.as_ref().map_or(String::new(), |heuristic| {
            let because = if heuristic.admissible { &*heuristic.because } else { "it may overestimate" };
            format!(", and on {}: {because}", heuristic.name)
        });
        format!(
            "not checked  it rests on {algorithm}, which completed {} of {} in all{guided}",
            counted(steps, "step"),
            counted(states as usize, "state")
        )
    }

    /// Returns how many layers of its only breadth-first search have as many states as those of the plain search;
    /// `None` if it was another search.
    fn layers_agree(&self, by_depth: Option<&[u64]>, below: f64) -> Result<Option<usize>, String> {
        let [search] = &self.lower_bound.searches[..] else { return Ok(None) };
        let Some(by_depth) = by_depth.filter(|_| search.counts == LAYERS && search.search == "bfs") else {
            return Ok(None);
        };
        let closed: Vec<_> = search.completed.iter().filter(|step| step.within < below).collect();
        for CompletedSearch { within, states } in &closed {
            let found = by_depth.get(*within as usize).copied().unwrap_or(0);
            if found != *states {
                return Err(format!(
                    "it counts {states} states at depth {}, and a plain search by the rules {found}",
                    Number(*within)
                ));
            }
        }
        Ok(Some(closed.iter().filter(|step| step.states > 0).count()))
    }
}

/// Checks an argument; `None` if it is about single rules and these have too many cases.
fn find(argument: &Argument, checker: Option<&Checker>, rules: &dyn Rules) -> Option<Result<Finding, String>> {
    if *argument == (Argument::Parity {})
        && let Some((permuting, start)) = rules.permuting().zip(rules.position())
    {
        return Some(parity::check(&permuting, &start).map(Finding::Proven));
    }
    Some(checker?.check(argument))
}

/// Checks the dead ends that the search left out; returns those that are proven.
fn checked_dead_ends<'a>(
    pruned: Option<&Pruned>,
    checker: Option<&'a Checker<'a>>,
    stop: &Stop,
    lines: &mut Vec<String>,
) -> Result<Option<DeadEnds<'a>>, String> {
    let Some(pruned) = pruned else { return Ok(None) };
    let Some(checker) = checker else {
        lines.push("left out     not checked rule by rule: there are too many cases; so it is not used".to_owned());
        return Ok(None);
    };
    let proven = DeadEnds::check(checker, pruned, stop)?;
    lines.extend(proven.describe());
    Ok(Some(proven))
}
