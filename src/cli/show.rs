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
use crate::diagnostic::json;
use crate::domain::HeuristicFacts;
use crate::puzzle::{GoalView, Notation, Property, Puzzle, Style};
use crate::search::{Algorithm, Limit, Limits};
use crate::transcript::Number;
use clap::Args;
use parking_lot::Mutex;
use serde::{Deserialize, Serialize, Serializer};
use std::fmt::Write as _;
use std::io::{self, Write};
use std::time::{Duration, Instant};

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
        let (limits, name) = (self.limits.limits(), self.puzzle.name());
        let rest = wall::results::<Rest>();
        if let Some(stopped) = wall::stopped(WORK).filter(|_| rest.lock().is_known) {
            stdout().write_all(rest.lock().at(stopped.limit).as_bytes())?;
            return Ok(Status::of_limit(stopped.limit));
        }
        wall::behind(WORK, &name, &limits, || self.show(&name, &limits, &rest))
    }

    /// Prints the facts, then the value of each heuristic as soon as it is known: some take long.
    fn show(&self, name: &str, limits: &Limits, rest: &Mutex<Rest>) -> Ended {
        let started = Instant::now();
        let puzzle = self.puzzle.load(limits)?;
        let moves = self.after.as_deref().map_or(Ok(Vec::new()), |after| given(&puzzle, name, after));
        let moves = moves.map_err(|failure| failure.about(&self.puzzle.path()))?;
        let mut facts = Facts::of(name, &puzzle, moves);
        if !self.json {
            let (described, labels) = describe(&facts);
            wall::aside(WORK, || stdout().write_all(described.as_bytes()))?;
            *rest.lock() = Rest { is_known: true, labels, end: facts.marked() };
        }
        for number in 0..facts.heuristics.len() {
            if self.json {
                let end = json(&facts).map_err(io::Error::from)? + "\n";
                *rest.lock() = Rest { is_known: true, labels: Vec::new(), end };
            }
            let heuristic = facts.heuristics[number].0;
            let time = limits.time.map(|time| time.saturating_sub(started.elapsed()));
            let value = match time {
                Some(Duration::ZERO) => Err(Some(Limit::Time)),
                _ => {
                    let value = puzzle.h_after(&facts.after, heuristic.name, &Limits { time, ..limits.clone() });
                    value.map_err(|_| None).and_then(|value| value.map_err(Some))
                }
            };
            facts.heuristics[number].1 = value;
            if !self.json {
                wall::aside(WORK, || {
                    let label = rest.lock().labels.remove(0);
                    stdout().write_all(line(&label, heuristic, value).as_bytes())
                })?;
            }
        }
        wall::lift_time();
        match self.json {
            true => print_json(&facts)?,
            false => stdout().write_all(facts.marked().as_bytes())?,
        }
        let limit = facts.heuristics.iter().find_map(|(_, value)| value.err()?);
        Ok(Status::unless(limit))
    }
}

/// The work of the command, for the wall.
const WORK: &str = "show";

/// The output that is still to be printed if the work hits the wall.
#[derive(Default, Serialize, Deserialize)]
struct Rest {
    /// False until the facts are known.
    is_known: bool,
    /// The labels of the heuristics whose values are not known.
    labels: Vec<String>,
    end: String,
}

impl Rest {
    /// Returns it as it is printed behind the wall of a limit.
    fn at(&self, limit: Limit) -> String {
        let unknown = self.labels.iter().map(|label| line(label, &HeuristicFacts::ZERO, Err(Some(limit))));
        unknown.chain([self.end.clone()]).collect()
    }
}

/// Returns the line with the value of a heuristic.
fn line(label: &str, heuristic: &HeuristicFacts, value: Evaluated) -> String {
    let value = match value {
        Ok(h) if heuristic.admissible => Number(h).to_string(),
        Ok(h) if heuristic.is_of_file() => format!("{} (of the file)", Number(h)),
        Ok(h) => format!("{} (no lower bound: it may overestimate)", Number(h)),
        Err(None) => "none for this puzzle".to_owned(),
        Err(Some(limit)) => format!("not computed within the {} limit", limit.name()),
    };
    format!("{label} {value}\n")
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
    /// Returns the facts after legal moves, without the values of heuristics.
    fn of(file: &'a str, puzzle: &'a Puzzle, after: Vec<String>) -> Facts<'a> {
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
            heuristics: puzzle.all_heuristics().map(|heuristic| (heuristic, Err(None))).collect(),
            after,
            default_algorithm: puzzle.algorithm().name(),
            default_heuristic: puzzle.guide(None).unwrap_or("zero"),
            algorithms: algorithms.map(|facts| facts.name).collect(),
        }
    }

    /// Returns the drawings of the position with marked cells.
    fn marked(&self) -> String {
        let is_drawn = |property: &&Property| property.name == "dead" && !property.cells.is_empty();
        self.properties.iter().filter(is_drawn).map(|property| marked(&self.position, property)).collect()
    }
}

/// Returns the text of the facts, and the labels of the heuristics, as long as those of the facts.
fn describe(facts: &Facts) -> (String, Vec<String>) {
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
    let labels: Vec<String> = facts.heuristics.iter().map(|(facts, _)| format!("h {}", facts.name)).collect();
    let width = lines.iter().map(|(name, _)| name).chain(&labels).map(String::len).max().unwrap_or(0);
    let heading = if facts.after.is_empty() { "start" } else { "position" };
    let drawn = beside_goal(heading, &facts.position, &facts.goal);
    let mut out = format!("{}\n\n{drawn}\n", facts.title);
    for (name, value) in lines {
        let _ = writeln!(out, "{name:<width$} {value}");
    }
    (out, labels.into_iter().map(|label| format!("{label:<width$}")).collect())
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn behind_the_wall_what_is_not_known_is_named_before_the_end() {
        let labels = vec!["h lm-cut ".to_owned(), "h maximum".to_owned()];
        let rest = Rest { is_known: true, labels, end: "\nx: dead\n".to_owned() };
        assert_eq!(
            rest.at(Limit::Memory),
            "h lm-cut  not computed within the memory limit\nh maximum not computed within the memory limit\n\nx: dead\n"
        );
    }
}
