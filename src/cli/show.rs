//! `engine show`: one puzzle, drawn, with its facts.

use super::failure::Ended;
use super::goal::{beside_goal, conditions};
use super::groups::OUTPUT;
use super::limits::ReadingLimits;
use super::loading::PuzzleFile;
use super::moves::given;
use super::output::print_json;
use super::streams::stdout;
use super::{Status, wall};
use crate::domain::HeuristicFacts;
use crate::puzzle::{GoalView, Notation, Property, Puzzle, Style};
use crate::search::{Algorithm, Limit, Limits};
use crate::transcript::Number;
use clap::Args;
use serde::{Serialize, Serializer};
use std::fmt::Write as _;
use std::io::Write;
use std::time::Instant;

/// Show the start of a puzzle, or a later position, and its facts, without solving it
#[derive(Args)]
pub(super) struct Show {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// Show the position after these moves
    ///
    /// Give the moves themselves, or a file with the output of `engine solve` in the format text, moves or json.
    #[arg(long, value_name = "MOVES|FILE")]
    after: Option<String>,
    #[command(flatten)]
    limits: ReadingLimits,
    /// Print JSON: one object
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

impl Show {
    pub fn run(&self) -> Ended {
        let limits = self.limits.limits();
        let name = self.puzzle.name();
        wall::behind("show", &name, &limits, || self.show(&name, &limits))
    }

    fn show(&self, name: &str, limits: &Limits) -> Ended {
        let started = Instant::now();
        let puzzle = self.puzzle.load(limits)?;
        let moves = self.after.as_deref().map_or(Ok(Vec::new()), |after| given(&puzzle, name, after));
        let moves = moves.map_err(|failure| failure.about(&self.puzzle.path()))?;
        let facts = Facts::of(name, &puzzle, moves, limits, started);
        wall::lift_time();
        if self.json {
            print_json(&facts)?;
        } else {
            stdout().write_all(describe(&facts).as_bytes())?;
        }
        let limit = facts.heuristics.iter().find_map(|(_, value)| value.err()?);
        Ok(Status::unless(limit))
    }
}

/// The facts about a puzzle; in JSON, the fields of the object.
#[derive(Serialize)]
struct Facts<'a> {
    file: &'a str,
    title: &'a str,
    domain: &'a str,
    metric: Option<&'a str>,
    /// The seed of the puzzle's own random draws.
    seed: Option<&'a str>,
    author: Option<&'a str>,
    source: Option<&'a str>,
    description: Option<&'a str>,
    tags: &'a [String],
    size: String,
    /// The size of the compiled puzzle, if its domain compiles files.
    compiled: Option<String>,
    /// The implications of the rules, in the domain's order.
    properties: Vec<Property>,
    /// The start, drawn.
    start: String,
    #[serde(serialize_with = "as_alternatives")]
    goal: GoalView,
    /// The moves after which the position is; the following fields are about the position.
    after: Vec<String>,
    /// The position, drawn.
    position: String,
    is_goal: bool,
    /// `None` if only a search could decide it.
    solvable: Option<bool>,
    /// The reason why it is solvable or not, if more is known.
    reason: Option<String>,
    /// The number of states in decimal digits, if a formula is known.
    states: Option<String>,
    legal_moves: Vec<String>,
    /// The value of each heuristic at the position.
    #[serde(serialize_with = "by_name")]
    heuristics: Vec<(&'static HeuristicFacts, Evaluated)>,
    /// The algorithm and the heuristic of a search that names none.
    default_algorithm: &'static str,
    default_heuristic: &'static str,
    /// The algorithms that can search the puzzle.
    algorithms: Vec<&'static str>,
}

/// The value of a heuristic, or the limit that ended its computation; no limit if the puzzle refuses it.
type Evaluated = Result<f64, Option<Limit>>;

/// Serialises an object with the value of each heuristic in the domain's order. JSON has no infinity, so it becomes
/// `"inf"`.
fn by_name<S: Serializer>(values: &[(&'static HeuristicFacts, Evaluated)], serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    #[serde(untagged)]
    enum Value {
        Finite(Number),
        Infinite(&'static str),
    }
    let value = |h: f64| if h.is_finite() { Value::Finite(Number(h)) } else { Value::Infinite("inf") };
    serializer.collect_map(values.iter().map(|(facts, h)| (facts.name, h.ok().map(value))))
}

/// Serialises the goal: any one of the alternatives, and the number of those that are left out.
fn as_alternatives<S: Serializer>(goal: &GoalView, serializer: S) -> Result<S::Ok, S::Error> {
    #[derive(Serialize)]
    struct GoalRow<'a> {
        any_of: Vec<AnyOf<'a>>,
        more: usize,
    }
    #[derive(Serialize)]
    struct AnyOf<'a> {
        drawing: Option<&'a str>,
        words: &'a [String],
    }
    let alternatives = goal.alternatives.iter();
    let any_of = alternatives.map(|goal| AnyOf { drawing: goal.drawing.as_deref(), words: &goal.words }).collect();
    GoalRow { any_of, more: goal.more }.serialize(serializer)
}

impl<'a> Facts<'a> {
    /// Returns the facts after legal moves; heuristics only within the limits, since `started`.
    fn of(file: &'a str, puzzle: &'a Puzzle, after: Vec<String>, limits: &Limits, started: Instant) -> Facts<'a> {
        let mut here = puzzle.space("zero").expect("every domain has the heuristic zero");
        for written in &after {
            here = here.after(written, puzzle.domain().notations).expect("the moves are legal");
        }
        let about = puzzle.about();
        let (solvable, reason) = match (puzzle.unsolvable(), here.is_goal()) {
            (Some(reason), _) => (Some(false), Some(reason)),
            (None, true) => (Some(true), Some("it is solved".to_owned())),
            // A move may lead away from all goals for good.
            (None, false) if puzzle.is_decided() && (after.is_empty() || here.is_reversible()) => (Some(true), None),
            (None, false) => (None, None),
        };
        let h = |heuristic: &'static HeuristicFacts| {
            let time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let value = puzzle.h_after(&after, heuristic.name, &Limits { time, ..limits.clone() });
            (heuristic, value.map_err(|_| None).and_then(|value| value.map_err(Some)))
        };
        let heuristics = puzzle.all_heuristics().map(h).collect();
        let algorithms = Algorithm::ALL.iter().filter(|facts| here.objection(facts.algorithm).is_none());
        Facts {
            file,
            title: puzzle.title(),
            domain: puzzle.domain().name,
            metric: puzzle.metric(),
            seed: puzzle.seed(),
            author: about.author.as_deref().map(str::trim),
            source: about.source.as_deref().map(str::trim),
            description: about.description.as_deref().map(str::trim),
            tags: &about.tags,
            size: puzzle.size(),
            compiled: puzzle.summary(),
            properties: puzzle.properties(),
            start: puzzle.draw(Style::Drawn),
            goal: puzzle.goal(),
            position: if puzzle.is_drawn() { here.draw(Style::Drawn) } else { puzzle.draw(Style::Drawn) },
            is_goal: here.is_goal(),
            solvable,
            reason,
            states: puzzle.states(),
            legal_moves: here.legal_moves(Notation::STANDARD),
            heuristics,
            after,
            default_algorithm: puzzle.algorithm().name(),
            default_heuristic: puzzle.guide(None).unwrap_or("zero"),
            algorithms: algorithms.map(|facts| facts.name).collect(),
        }
    }
}

fn describe(facts: &Facts) -> String {
    let mut lines = Vec::new();
    let mut line = |name: &str, value: &str| lines.push((name.to_owned(), value.to_owned()));
    line("domain", facts.domain);
    line("size", &facts.size);
    if let Some(compiled) = &facts.compiled {
        line("compiled", compiled);
    }
    for property in &facts.properties {
        line(property.name, &property.text);
    }
    let optional = [
        ("metric", facts.metric),
        ("seed", facts.seed),
        ("author", facts.author),
        ("source", facts.source),
        ("description", facts.description),
    ];
    for (name, value) in optional {
        if let Some(value) = value {
            line(name, value);
        }
    }
    if !facts.tags.is_empty() {
        line("tags", &facts.tags.join(", "));
    }
    for condition in conditions(&facts.goal) {
        line("goal", &condition);
    }
    line("is a goal", if facts.is_goal { "yes" } else { "no" });
    match (facts.solvable, &facts.reason) {
        (Some(solvable), reason) => {
            let reason = reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
            line("solvable", &format!("{}{reason}", if solvable { "yes" } else { "no" }));
        }
        (None, _) => line("solvable", "not known without a search"),
    }
    if let Some(states) = &facts.states {
        line("states", states);
    }
    line("legal moves", &if facts.legal_moves.is_empty() { "none".to_owned() } else { facts.legal_moves.join(" ") });
    for (heuristic, h) in &facts.heuristics {
        let value = match h {
            Ok(h) if heuristic.admissible => Number(*h).to_string(),
            Ok(h) if heuristic.is_of_file() => format!("{} (of the file)", Number(*h)),
            Ok(h) => format!("{} (no lower bound: it may overestimate)", Number(*h)),
            Err(None) => "none for this puzzle".to_owned(),
            Err(Some(_)) => "not computed within the time limit".to_owned(),
        };
        line(&format!("h {}", heuristic.name), &value);
    }
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let heading = if facts.after.is_empty() { "start" } else { "position" };
    let drawn = beside_goal(heading, &facts.position, &facts.goal);
    let mut out = format!("{}\n\n{drawn}\n", facts.title);
    for (name, value) in lines {
        let _ = writeln!(out, "{name:<width$} {value}");
    }
    for property in facts.properties.iter().filter(|property| property.name == "dead" && !property.cells.is_empty()) {
        out += &marked(&facts.position, property);
    }
    out
}

/// Returns a position with the cells of a property marked, below a line that explains the mark.
fn marked(position: &str, property: &Property) -> String {
    let mark = ['x', 'X', '+', '!'].into_iter().find(|mark| !position.contains(*mark)).unwrap_or('×');
    let legend = property.legend.as_deref().unwrap_or_default();
    let mut out = format!("\n{mark}: {legend}\n");
    for (row, line) in position.lines().enumerate() {
        let symbol = |(column, symbol)| if property.cells.contains(&(row, column)) { mark } else { symbol };
        out.extend(line.chars().enumerate().map(symbol));
        out.push('\n');
    }
    out
}
