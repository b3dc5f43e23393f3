//! A level with its compiled game as data, for pages to play in.
//!
//! The masks of the program become lists of numbers, so that readers choose the width of their words.

use super::packing::objects_of;
use crate::domain::mechanics::{
    Mechanics, Moves, Rewriting, RewritingCell, RewritingChange, RewritingGroup, RewritingOperand, RewritingQuantifier,
    RewritingRule, RewritingRules, ValueSet, Window,
};
use crate::picture::Figure;
use engine_puzzlescript::game::{Direction, Game, Quantifier};
use engine_puzzlescript::program::{Condition, Operand, Pattern, Phase, Program, Replacement, Row, Rule, Words};
use engine_puzzlescript::turn::Commands;

/// The beginning of a level.
pub(super) struct Beginning<'l> {
    /// The board, and the board after a restart.
    pub board: &'l [u64],
    pub target: &'l [u64],
    pub size: (usize, usize),
    pub is_won: bool,
    pub seed: (String, usize),
}

/// Bits of movement in a word.
const MOVEMENTS: u32 = 60;

/// Returns the numbers of the bits that are set in numbered words of `size` bits.
fn numbers(words: impl IntoIterator<Item = (u32, u64)>, size: u32) -> ValueSet {
    words.into_iter().flat_map(|(word, bits)| objects_of(0, bits).map(move |bit| word * size + bit)).collect()
}

fn objects(words: &Words) -> ValueSet {
    numbers(words.iter().copied(), 64)
}

/// Returns the objects of each cell of a board.
fn cells(board: &[u64], words: usize) -> Vec<ValueSet> {
    board.chunks_exact(words).map(|cell| numbers((0..).zip(cell.iter().copied()), 64)).collect()
}

/// Describes the level of a game at an index, counted with messages.
pub(super) fn mechanics(
    game: &Game,
    program: &Program,
    level: usize,
    beginning: Beginning,
    looks: Vec<Option<Figure>>,
) -> Mechanics {
    let words = program.object_words;
    let rewriting = Rewriting {
        rules: rules(program),
        size: beginning.size,
        board: cells(beginning.board, words),
        target: cells(beginning.target, words),
        is_won: beginning.is_won,
        seed: beginning.seed,
        looks,
        window: window(game),
        ending: game.ending(level).into_iter().map(str::to_owned).collect(),
    };
    Mechanics {
        start: Vec::new(),
        domains: Vec::new(),
        goals: Vec::new(),
        moves: Moves::Rewriting(Box::new(rewriting)),
    }
}

/// Returns the part of the board that the game shows.
fn window(game: &Game) -> Option<Window> {
    ["zoomscreen", "flickscreen"].into_iter().find_map(|key| {
        let (columns, rows) = game.setting(key)?.split_once('x')?;
        let size = (columns.trim().parse().ok()?, rows.trim().parse().ok()?);
        (size.0 > 0 && size.1 > 0).then_some(Window { size, follows: key == "zoomscreen" })
    })
}

fn rules(program: &Program) -> RewritingRules {
    let settings = program.settings;
    RewritingRules {
        layer_of: program.object_layers.clone(),
        layers: program.layers.iter().map(objects).collect(),
        player: objects(&program.player.objects),
        needs_all: program.player.all,
        has_no_action: settings.no_action,
        require_player_movement: settings.require_player_movement,
        run_rules_on_level_start: settings.run_rules_on_level_start,
        is_random: program.is_random(),
        has_checkpoints: program.has_checkpoints(),
        early: groups(&program.early),
        late: groups(&program.late),
        rigid_groups: program.rigid_groups.clone(),
        conditions: program.conditions.iter().map(condition).collect(),
    }
}

fn condition(condition: &Condition) -> (RewritingQuantifier, RewritingOperand, RewritingOperand) {
    let side = |operand: &Operand| match operand {
        Operand::Any(any) => RewritingOperand::Any(objects(any)),
        Operand::All(all) => RewritingOperand::All(objects(all)),
        Operand::Anything => RewritingOperand::Anything,
    };
    let quantifier = match condition.quantifier {
        Quantifier::No => RewritingQuantifier::No,
        Quantifier::Some => RewritingQuantifier::Some,
        Quantifier::All => RewritingQuantifier::All,
    };
    (quantifier, side(&condition.what), side(&condition.on))
}

fn groups(phase: &Phase) -> Vec<RewritingGroup> {
    let all = phase.groups.iter().zip(&phase.loops);
    all.map(|(group, &back)| RewritingGroup {
        rules: group.rules.iter().map(rule).collect(),
        is_random: group.random,
        back,
    })
    .collect()
}

fn rule(rule: &Rule) -> RewritingRule {
    let commands = Commands::of(rule);
    RewritingRule {
        direction: match rule.direction {
            Direction::Up => 0,
            Direction::Down => 1,
            Direction::Left => 2,
            Direction::Right => 3,
        },
        rows: rule.rows.iter().map(row).collect(),
        replaces: rule.replaces,
        rigid: rule.rigid.map_or(0, usize::from),
        commands: commands.kinds(),
        message: commands.message().map(str::to_owned),
    }
}

fn row(row: &Row) -> Vec<Vec<RewritingCell>> {
    let ends = row.gaps.iter().copied().chain([row.cells.len()]);
    let starts = [0].into_iter().chain(row.gaps.iter().copied());
    starts.zip(ends).map(|(from, to)| row.cells[from..to].iter().map(cell).collect()).collect()
}

fn cell(pattern: &Pattern) -> RewritingCell {
    let (here, moves) = (&pattern.objects, &pattern.movements);
    RewritingCell {
        present: numbers(here.iter().map(|test| (test.word, test.wanted)), 64),
        absent: numbers(here.iter().map(|test| (test.word, test.mask & !test.wanted)), 64),
        moving: numbers(moves.iter().map(|test| (test.word, test.wanted)), MOVEMENTS),
        resting: numbers(moves.iter().map(|test| (test.word, test.mask & !test.wanted)), MOVEMENTS),
        any: pattern.any.iter().map(objects).collect(),
        change: pattern.replacement.as_deref().map(change),
    }
}

fn change(new: &Replacement) -> RewritingChange {
    let all = |numbers: &[usize]| numbers.iter().map(|&number| number as u32).collect();
    RewritingChange {
        clear: numbers(new.objects.iter().map(|change| (change.word, change.clear)), 64),
        set: numbers(new.objects.iter().map(|change| (change.word, change.set)), 64),
        stop: numbers(new.movements.iter().map(|change| (change.word, change.clear)), MOVEMENTS),
        go: numbers(new.movements.iter().map(|change| (change.word, change.set)), MOVEMENTS),
        decided: numbers(new.decided.iter().copied(), MOVEMENTS),
        random_objects: all(&new.random_objects),
        random_directions: all(&new.random_directions),
    }
}
