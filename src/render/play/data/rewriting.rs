//! The rules of a game that rewrites a board, as the page's script reads them.
//!
//! Sets of objects and movements are written once, and so are equal cells of rules: rules of one line differ in few of
//! them. The rules are the same for all levels of a game, so that a page has them once.

use super::{Table, Written, numbers, set};
use crate::domain::mechanics::{
    Rewriting, RewritingCell, RewritingGroup, RewritingOperand, RewritingQuantifier, RewritingRule, RewritingRules,
    ValueSet, Window,
};
use serde_json::{Value, json};

/// The field of a level with the rules of its game.
pub(in super::super) const PROGRAM: &str = "program";

/// Returns the fields of a level.
pub(super) fn level(game: &Rewriting) -> Written<Value> {
    let mut cells = Table::default();
    let mut board = |board: &[ValueSet]| numbers(board.iter().map(|objects| cells.number(objects.clone())));
    let (start, target) = (board(&game.board)?, board(&game.target)?);
    let window = game.window.map(|Window { size: (columns, rows), follows }| json!([columns, rows, follows]));
    let mut level = json!({
        "size": [game.size.0, game.size.1],
        "cells": cells.all.iter().map(|objects| set(objects)).collect::<Written<Vec<_>>>()?,
        "first": start,
        "window": window,
        "ending": game.ending,
        "seed": game.seed.0,
        "drawn": game.seed.1,
        "won": game.is_won,
        PROGRAM: Writer::default().program(&game.rules)?,
    });
    if game.target != game.board {
        level["target"] = target.into();
    }
    Ok(level)
}

/// A writer, with what is written once.
#[derive(Default)]
struct Writer {
    sets: Table<ValueSet>,
    cells: Table<RewritingCell>,
}

impl Writer {
    fn program(&mut self, rules: &RewritingRules) -> Written<Value> {
        let groups = |writer: &mut Writer, all: &[RewritingGroup]| -> Written<Vec<Value>> {
            all.iter().map(|group| writer.group(group)).collect()
        };
        let (early, late) = (groups(self, &rules.early)?, groups(self, &rules.late)?);
        let all = self.cells.all.clone();
        let cells: Vec<Value> = all.iter().map(|cell| self.cell(cell)).collect();
        let conditions: Vec<Value> = rules
            .conditions
            .iter()
            .map(|(quantifier, what, on)| {
                let quantifier = match quantifier {
                    RewritingQuantifier::No => "no",
                    RewritingQuantifier::Some => "some",
                    RewritingQuantifier::All => "all",
                };
                json!([quantifier, self.operand(what), self.operand(on)])
            })
            .collect();
        let layers: Vec<usize> = rules.layers.iter().map(|layer| self.sets.number(layer.clone())).collect();
        Ok(json!({
            "layerOf": numbers(rules.layer_of.iter().copied())?,
            "layers": layers,
            "player": self.sets.number(rules.player.clone()),
            "whole": rules.needs_all,
            "noAction": rules.has_no_action,
            "mustMove": rules.require_player_movement,
            "onStart": rules.run_rules_on_level_start,
            "random": rules.is_random,
            "checkpoints": rules.has_checkpoints,
            "early": early,
            "late": late,
            "rigid": rules.rigid_groups,
            "conditions": conditions,
            "cells": cells,
            "sets": self.sets.all.iter().map(|one| set(one)).collect::<Written<Vec<_>>>()?,
        }))
    }

    /// Writes the kind of an operand and its set.
    fn operand(&mut self, operand: &RewritingOperand) -> Value {
        match operand {
            RewritingOperand::Any(objects) => json!(["any", self.sets.number(objects.clone())]),
            RewritingOperand::All(objects) => json!(["all", self.sets.number(objects.clone())]),
            RewritingOperand::Anything => json!(["anything"]),
        }
    }

    fn group(&mut self, group: &RewritingGroup) -> Written<Value> {
        let rules = group.rules.iter().map(|rule| self.rule(rule)).collect::<Written<Vec<Value>>>()?;
        Ok(match (group.back, group.is_random) {
            (None, false) => json!([rules]),
            (back, is_random) => json!([rules, back, is_random]),
        })
    }

    /// Writes a rule: direction, rows, commands, message, the number of its rigid group, whether it has no right side;
    /// without what the script assumes at the end.
    fn rule(&mut self, rule: &RewritingRule) -> Written<Value> {
        let mut rows = Vec::new();
        for row in &rule.rows {
            let part = |part: &Vec<RewritingCell>| numbers(part.iter().map(|cell| self.cells.number(cell.clone())));
            rows.push(row.iter().map(part).collect::<Written<Vec<String>>>()?);
        }
        Ok(match (rule.commands, rule.rigid, rule.replaces) {
            (0, 0, true) => json!([rule.direction, rows]),
            (commands, 0, true) if rule.message.is_none() => json!([rule.direction, rows, commands]),
            (commands, rigid, replaces) => json!([rule.direction, rows, commands, rule.message, rigid, !replaces]),
        })
    }

    /// Writes a cell: what is there and what is not, which movements are and which are not, of which sets one object is
    /// there, and the change.
    fn cell(&mut self, cell: &RewritingCell) -> Value {
        let mut number = |set: &ValueSet| self.sets.number(set.clone());
        let mut all = json!([number(&cell.present), number(&cell.absent), number(&cell.moving), number(&cell.resting)]);
        let any: Vec<usize> = cell.any.iter().map(&mut number).collect();
        let change = cell.change.as_ref().map(|change| {
            let first = [&change.clear, &change.set, &change.stop, &change.go].map(&mut number);
            let rest = [&change.decided, &change.random_objects, &change.random_directions];
            match rest.iter().all(|set| set.is_empty()) {
                true => first.to_vec(),
                false => first.into_iter().chain(rest.map(&mut number)).collect(),
            }
        });
        if let (Some(list), false) = (all.as_array_mut(), any.is_empty() && change.is_none()) {
            list.push(json!(any));
            list.extend(change.map(|change| json!(change)));
        }
        all
    }
}
