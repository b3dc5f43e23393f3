//! From the game as written to a program of masks.
//!
//! - `names`: what each name means; `redundant`: contradictory and redundant `no`s;
//! - `rule`, `expand`, `duplicates`: rules of one direction without ambiguous words; `budget`: at most so many;
//! - `masks`: patterns and replacements; `groups`: groups, loops, rigid groups;
//! - `boards`: levels; `conditions`: win conditions; `checks`: what only warnings depend on.
//!
//! Source: the behaviour of increpare/PuzzleScript at commit 4db08ebe, whose order of expansion decides the order in
//! which rules are tried, and so what a game does.

mod boards;
mod budget;
mod checks;
mod conditions;
mod duplicates;
mod expand;
mod groups;
mod masks;
mod names;
mod redundant;
mod rule;

use crate::diagnostic::Diagnostics;
use crate::game::{Game, RuleLine};
use crate::mask::Mask;
use crate::program::{Player, Program, Settings, Traits};
use names::Names;

/// Compiles a game, and adds to the diagnostics what is found. Returns none if there is nothing to play: an error
/// leaves no rules, or there are more errors than [`Diagnostics::MAX_ERRORS`].
#[must_use]
pub fn compile(game: &Game, diagnostics: &mut Diagnostics) -> Option<Program> {
    compile_until(game, diagnostics, &|| false)
}

/// Compiles a game as [`compile`] does. Returns none, without an error, soon after `should_stop` returns true.
#[must_use]
pub fn compile_until(game: &Game, diagnostics: &mut Diagnostics, should_stop: &dyn Fn() -> bool) -> Option<Program> {
    let mut names = Names::new(game, diagnostics)?;
    checks::looks(game, diagnostics);
    let background = boards::background(game, &names, diagnostics);
    let player = player(&names, diagnostics);
    let levels = boards::boards(game, &names, background, diagnostics);
    let mut written = Vec::new();
    let mut budget = budget::Budget::new(&names, should_stop);
    for line in &game.rules {
        if let RuleLine::Rule(line) = line {
            let mut rule = rule::Rule::new(line, &mut names);
            if !budget.pay_for(&rule, diagnostics) {
                return None;
            }
            redundant::remove(&mut rule, &names, diagnostics);
            written.push((line, rule));
        }
    }
    let mut fatal = false;
    let mut rules = Vec::new();
    for (line, rule) in written {
        rules.extend(expand::expand(line, &rule, &names, &mut budget, diagnostics, &mut fatal));
    }
    if fatal || budget.is_spent() || diagnostics.found_too_many() {
        return None;
    }
    let rules = duplicates::remove(rules);
    let mut masked = Vec::new();
    for rule in &rules {
        if !budget.works(rule.left.iter().flatten().count()) {
            return None;
        }
        masked.extend(masks::masked(rule, &names, diagnostics));
    }
    let groups::Arranged { early, late, rigid_groups } = groups::arrange(masked, game, diagnostics);
    let conditions = conditions::conditions(game, &names, diagnostics);
    checks::layers(game, diagnostics);
    checks::settings(game, diagnostics);
    checks::texts(game, diagnostics);
    let traits = Traits::new([&early, &late]);
    let program = Program {
        object_words: names.object_words,
        movement_words: names.movement_words,
        object_names: names.object_of.iter().map(|&name| names.text(name).to_owned()).collect(),
        object_layers: names.object_of.iter().map(|&name| names.layer(name).unwrap_or(0)).collect(),
        layers: names.layers.iter().map(Mask::sparse).collect(),
        early,
        late,
        rigid_groups,
        player,
        conditions,
        levels: levels.into(),
        traits,
        settings: Settings {
            require_player_movement: game.has("require_player_movement"),
            run_rules_on_level_start: game.has("run_rules_on_level_start"),
            no_undo: game.has("noundo"),
            no_restart: game.has("norestart"),
            no_action: game.has("noaction"),
            realtime: game.has("realtime_interval"),
        },
    };
    (!diagnostics.too_many()).then_some(program)
}

/// Returns what the player is.
fn player(names: &Names, diagnostics: &mut Diagnostics) -> Player {
    let mut mask = Mask::new(names.object_words);
    let mut all = false;
    if let Some(name) = names.find("player") {
        let meanings = names.get(name);
        let listed = meanings.aggregate.iter().chain(&meanings.property).flatten();
        for &name in listed.chain(&meanings.synonym).chain(meanings.object.iter().map(|_| &name)) {
            if let Some(object) = names.get(name).object {
                mask.set(object.id.unwrap_or(0));
            }
        }
        all = meanings.aggregate.is_some();
    }
    if mask.is_empty() {
        diagnostics.error(None, "`player` stands for no object");
    }
    Player { objects: mask.sparse(), all }
}
