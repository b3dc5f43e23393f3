//! The reference rules: an independent interpreter of the puzzle file.
//!
//! `engine verify`, certificates and tests play by these rules. They start from the text of the file and share no
//! types, code, model or limits with the compiled puzzle. So a bug there does not recur here. They implement
//! `docs/format.md`, and prefer simplicity to speed: drawings are rotated cell by cell, expressions are evaluated in
//! the current position.
//!
//! - `value`: values, lists and ranges;
//! - `world`: the grid, sets, maps, marks and variables;
//! - `expression`, with `parser` and `token`: expressions, and their evaluation;
//! - `drawing`: drawings of rules: images, places, matching, effects and slides;
//! - `rule`, `goal`: the rules and the goals of the file;
//! - `body`: rigid bodies, and how they move;
//! - `consequence`: what happens after each move;
//! - `play`, `obstacle`: legal moves, and why a move is not legal.
//!
//! The reader trusts that the compiler accepted the file, and does not repeat its checks. If it cannot read something,
//! the two disagree, and [`Unreadable`] reports that.

mod body;
mod consequence;
mod drawing;
mod expression;
mod goal;
mod obstacle;
mod parser;
mod play;
mod rule;
mod token;
mod value;
mod world;

pub use play::{Player, Unreadable};

use expression::Expression;
use goal::Goal;
use parser::Names;
use rule::Rule;
use toml::{Table, Value as Toml};
use world::World;

/// A puzzle, read from the text of its file.
#[derive(Debug)]
pub struct RuleBook {
    world: World,
    /// For each variable, the number of its value; see [`World::value`].
    start: Vec<u32>,
    rules: Vec<Rule>,
    /// The consequences of moves, in the order of the file.
    after: Vec<Rule>,
    /// The goals; a position needs to satisfy one.
    goals: Vec<Goal>,
    /// Conditions of which none may hold after a move.
    never: Vec<Expression>,
}

/// The result of reading, with an error message.
type Read<T> = Result<T, String>;

impl RuleBook {
    /// Reads the text of a puzzle file.
    ///
    /// # Errors
    /// The first part that cannot be read.
    pub fn read(source: &str) -> Read<RuleBook> {
        let file: Table = source.parse().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let (world, start) = World::read(&file)?;
        let rules = file.get("rules").and_then(Toml::as_array).ok_or("`rules` is not an array of tables")?;
        let rules = rules.iter().map(|rule| {
            let keys = rule.as_table().ok_or("a rule is no table")?;
            let name = keys.get("name").and_then(Toml::as_str).ok_or("a rule has no name")?;
            Rule::read(name, keys, true, &world, &start).map_err(|why| format!("in the rule `{name}`: {why}"))
        });
        let rules = rules.collect::<Read<Vec<Rule>>>()?;
        let after = file.get("after").map_or(&[][..], as_list).iter().map(|rule| {
            let keys = rule.as_table().ok_or("it is no table")?;
            Rule::read("", keys, false, &world, &start)
        });
        let after = after.collect::<Read<Vec<Rule>>>().map_err(|why| format!("in `after`: {why}"))?;
        let goal = file.get("goal").ok_or("there is no `goal`")?;
        let goals = as_list(goal).iter().map(|goal| Goal::read(goal, &world));
        let goals = goals.collect::<Read<Vec<Goal>>>().map_err(|why| format!("in `goal`: {why}"))?;
        let never = file.get("never").map_or(&[][..], as_list);
        let never = never.iter().map(|never| expression(never, &mut Names::new(&world)));
        let never = never.collect::<Read<Vec<Expression>>>().map_err(|why| format!("in `never`: {why}"))?;
        let book = RuleBook { world, start, rules, after, goals, never };
        book.is_at_rest_at_the_start()?;
        Ok(book)
    }
}

/// Returns the entries of an array, or a single value as a slice.
fn as_list(one_or_many: &Toml) -> &[Toml] {
    match one_or_many {
        Toml::Array(many) => many,
        one => std::slice::from_ref(one),
    }
}

/// Reads an expression: a string, or a number or truth value by itself.
fn expression(written: &Toml, names: &mut Names) -> Read<Expression> {
    match written {
        Toml::String(text) => names.expression(text).map_err(|why| format!("`{text}`: {why}")),
        other => Ok(Expression::Value(value::Value::of(other)?)),
    }
}
