//! The findings of the analyses of a puzzle, in words for its author.

use super::analysed_task::AnalysedTask;
use super::free_moves::FreeMoves;
use super::heuristic::{Matching, TOGGLES, TokenKind, Trend, shared_matching, symbol_trends, unique_tokens};
use super::looks::is_default_ground;
use super::model::Model;
use super::mover::Mover;
use super::reduce::Reduced;
use super::symmetry::{Class, Symmetries};
use super::task::{Source, Value, Values, Var};
use crate::argument::{counted, listed};
use crate::domain::{BuildContext, Property};
use crate::picture::Cell;
use std::collections::HashMap;

/// The most symbols that one line lists.
const MOST_SYMBOLS: usize = 8;

/// Returns the properties of a puzzle.
pub(super) fn properties(model: &Model, task: &AnalysedTask, context: &BuildContext) -> Vec<Property> {
    let matching = shared_matching(task, context).ok();
    let matching = matching.as_deref();
    let is_sum = TOGGLES.refuses(task, context).is_none();
    let (reduced, symmetries) = (&task.reduced, &task.symmetries(context));
    let board = TaskBoard::new(model, reduced);
    let generators = symmetries.generators(&reduced.task);
    let mover = Mover::find(reduced, &generators);
    let mut found = Vec::new();
    let mut named: Vec<&str> = Vec::new();
    if let Some(mover) = &mover {
        let name = board.name(mover.var);
        found.extend(board.mover(mover, name));
        named.push(name);
    }
    if let Some(free) = FreeMoves::find(reduced, &generators, &[]).filter(|_| mover.is_none()) {
        let (free, all) = (free.count(), reduced.task.operators.len());
        let text = format!(
            "{free} of {all} operators cost nothing; a heuristic search takes all positions that they join as one"
        );
        found.push(Property::new("free-moves", text));
    }
    let kinds = matching.map_or(Vec::new(), |matching| matching.token_kinds(&reduced.task));
    let lone = unique_tokens(&reduced.task, mover.as_ref().map(|mover| mover.var));
    // Of a symbol that is one of its kind, only dead places are news.
    for kind in kinds.iter().chain(&lone).filter(|kind| kind.count > 1 || !kind.dead.is_empty()) {
        found.extend(board.tokens(kind));
        named.push(&kind.symbol);
    }
    if let (Some(matching), Some(mover)) = (matching, &mover) {
        found.extend(corrals(reduced, matching, mover, board.name(mover.var)));
    }
    found.extend(counts(model, reduced, &named, context));
    if is_sum {
        let text = "each move adds constants to cells, in any order: linear equations give the cheapest solution";
        found.push(Property::new("equations", text.to_owned()));
    }
    found.extend(of_symmetries(symmetries));
    found
}

/// Returns what the search learns from regions that the mover cannot reach.
fn corrals(reduced: &Reduced, matching: &Matching, mover: &Mover, name: &str) -> Option<Property> {
    let symbols: Vec<String> = matching.symbols_around_corrals().iter().map(|symbol| format!("`{symbol}`")).collect();
    if symbols.is_empty() {
        return None;
    }
    let symbols = listed(&symbols, MOST_SYMBOLS);
    let dead = format!(
        "with the heuristic `matching`, positions in which {symbols} block off an area from `{name}` for good are skipped"
    );
    let text = match matching.has_stubborn_sets(&reduced.task, mover) {
        true => format!("{dead}; where the moves around an area may as well come first, no others are tried"),
        false => dead,
    };
    Some(Property::new("corrals", text))
}

/// Returns what is symmetric.
fn of_symmetries(symmetries: &Symmetries) -> Option<Property> {
    let class = |class: &Class| match (class.blocks.len(), class.blocks[0].len()) {
        (blocks, 1) => counted(blocks, "variable"),
        (blocks, size) => format!("{} of {size} variables", counted(blocks, "block")),
    };
    let classes: Vec<String> = symmetries.classes.iter().map(class).collect();
    let mut parts = Vec::new();
    if !classes.is_empty() {
        parts.push(format!("{} can be exchanged at will", listed(&classes, MOST_SYMBOLS)));
    }
    if !symmetries.others.is_empty() {
        let images = symmetries.others.len() + 1;
        parts.push(format!("{images} images of each position are equally far from a goal"));
    }
    (!parts.is_empty()).then(|| Property::new("symmetries", format!("{}; the search stores one", parts.join("; "))))
}

/// The board of a puzzle, on which the variables of the reduced task have their places.
struct TaskBoard<'a> {
    reduced: &'a Reduced,
    columns: usize,
    /// The cells by name.
    cells: HashMap<&'a str, usize>,
}

impl<'a> TaskBoard<'a> {
    fn new(model: &'a Model, reduced: &'a Reduced) -> TaskBoard<'a> {
        let cells = model.names[..model.world.cells()].iter().enumerate();
        TaskBoard {
            reduced,
            columns: model.world.columns,
            cells: cells.map(|(cell, name)| (name.as_str(), cell)).collect(),
        }
    }

    /// Returns the cells with these names; none if one of them names no cell.
    fn cells<'n>(&self, names: impl Iterator<Item = &'n str>) -> Vec<Cell> {
        let place = |name: &str| self.cells.get(name).map(|cell| (cell / self.columns, cell % self.columns));
        let mut cells = names.map(place).collect::<Option<Vec<Cell>>>().unwrap_or_default();
        cells.sort_unstable();
        cells
    }

    fn cells_of(&self, names: &[String]) -> Vec<Cell> {
        self.cells(names.iter().map(String::as_str))
    }

    /// Returns the name of a variable: of a place variable, the symbol.
    fn name(&self, var: Var) -> &'a str {
        let variable = &self.reduced.task.variables[var];
        variable.place_of().unwrap_or(&variable.name)
    }

    fn mover(&self, mover: &Mover, name: &str) -> Vec<Property> {
        let task = &self.reduced.task;
        let costs = mover.walks.iter().map(|&number| task.operators[number as usize].cost);
        let (least, most) = (costs.clone().min().unwrap_or(0), costs.max().unwrap_or(0));
        let shown = |cost: u32| task.cost_unit.cost(cost.into());
        let cost = match (least, most) {
            (0, 0) => "at no cost".to_owned(),
            _ if least == most => format!("at cost {}", shown(least)),
            _ => format!("at costs from {} to {}", shown(least), shown(most)),
        };
        let merged = if mover.has_regions {
            "the search takes all positions that walks join as one"
        } else {
            "the search takes a walk and the next other move as one step"
        };
        let (walks, operators) = (mover.walks.len(), task.operators.len());
        let text = format!("`{name}` walks: {walks} of {operators} operators move it alone, {cost}; {merged}");
        let reached = self.region(mover);
        let names = reached.iter().map(|value| task.variables[mover.var].values[usize::from(value)].as_str());
        let region = format!(
            "from the start `{name}` walks to {} of its {}",
            reached.len(),
            counted(task.size(mover.var), "place")
        );
        let region = Property::new("region", region);
        vec![Property::new("mover", text), region.on(self.cells(names), format!("{name} walks here from the start"))]
    }

    /// Returns the values that the mover reaches by walks from the start.
    fn region(&self, mover: &Mover) -> Values {
        let task = &self.reduced.task;
        let mut state = task.start.clone();
        let mut reached = Values::one(state[mover.var]);
        let mut stack = vec![state[mover.var]];
        while let Some(at) = stack.pop() {
            state[mover.var] = at;
            for operator in mover.walks.iter().map(|&number| &task.operators[number as usize]) {
                if let Some(&Source::Value(to)) = operator.effect(mover.var)
                    && !reached.contains(to)
                    && task.holds(operator, &state)
                {
                    reached.insert(to);
                    stack.push(to);
                }
            }
        }
        reached
    }

    fn tokens(&self, kind: &TokenKind) -> Vec<Property> {
        let TokenKind { symbol, count, places, targets, needed, dead, dead_pairs } = kind;
        let all = counted(places.len(), "place");
        let text = match count {
            1 => format!("`{symbol}` is one of its kind, on {all}"),
            _ => format!("{count} of `{symbol}` on {all}; no move changes their number"),
        };
        let mut found = vec![Property::new("tokens", text)];
        let allowed = counted(targets.len(), "place");
        let goal = match needed {
            _ if targets.is_empty() => format!("no goal allows a `{symbol}`"),
            1 if targets.len() == 1 => format!("a goal needs the `{symbol}` on 1 place"),
            needed if *needed == targets.len() => format!("a goal needs a `{symbol}` on each of {allowed}"),
            0 => format!("a goal allows `{symbol}` on {allowed}"),
            needed => format!("a goal allows `{symbol}` on {allowed} and needs {needed} of them filled"),
        };
        if *needed > 0 || targets.len() < places.len() {
            let legend = format!("a goal allows {symbol} here");
            found.push(Property::new("targets", goal).on(self.cells_of(targets), legend));
        }
        if !dead.is_empty() {
            let text =
                format!("from {} of its {all} a `{symbol}` never reaches a target, whatever else moves", dead.len());
            let legend = format!("{symbol} never reaches a target from here");
            found.push(Property::new("dead", text).on(self.cells_of(dead), legend));
        }
        if *dead_pairs > 0 {
            let pairs = counted(*dead_pairs, "pair");
            let text = format!("from {pairs} of the other places two `{symbol}` never both reach targets");
            found.push(Property::new("dead-pairs", text));
        }
        found
    }
}

/// Returns the symbols whose number every move keeps, lowers or raises, but for those named before.
fn counts(model: &Model, reduced: &Reduced, named: &[&str], context: &BuildContext) -> Option<Property> {
    let trends = symbol_trends(&reduced.narrowed, model.world.cells(), context);
    let cells = &model.start[..model.world.cells()];
    let with = |wanted: Trend| {
        let symbols = model.symbols.iter().zip(0..).zip(&trends).filter(|(_, trend)| **trend == Some(wanted));
        let symbols = symbols
            .filter(|((symbol, _), _)| !is_default_ground(**symbol) && !named.contains(&symbol.to_string().as_str()));
        let text = |((symbol, value), _): ((&char, Value), _)| {
            format!("`{symbol}` ({})", cells.iter().filter(|held| **held == value).count())
        };
        symbols.map(text).collect::<Vec<_>>()
    };
    let parts = [
        ("no move changes the number of", Trend::Constant),
        ("moves only lower the number of", Trend::Falls),
        ("moves only raise the number of", Trend::Rises),
    ];
    let text = parts.map(|(words, trend)| match with(trend) {
        symbols if symbols.is_empty() => None,
        symbols => Some(format!("{words} {}", listed(&symbols, MOST_SYMBOLS))),
    });
    let text = text.into_iter().flatten().collect::<Vec<_>>().join("; ");
    (!text.is_empty()).then(|| Property::new("counts", text))
}
