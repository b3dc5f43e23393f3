//! The keys of a puzzle file of domain `rules`, with their places in the file.
//!
//! Each key is declared once, with its field, its meaning, and the JSON Schema of its values. The facts of the domain,
//! its schema, and the names that errors suggest come from these tables. A value that TOML may have several types for is
//! an enum.

use super::model::{ArrayLayout, Edge, Image, Shape};
use crate::diagnostic::Diagnostic;
use crate::document::{self, DeValue, FromToml, Node, Spanned};
use crate::domain::Named;
use crate::picture::{Form, Ground};
use std::num::NonZero;
use std::ops::Range;

/// Writes the properties of a JSON Schema.
macro_rules! properties {
    ($name:literal $schema:expr) => {
        concat!("\"", $name, "\": {", $schema, "}")
    };
    ($name:literal $schema:expr, $($rest:tt)+) => {
        concat!(properties!($name $schema), ", ", properties!($($rest)+))
    };
}

/// Declares a table of keys: the name of each, its field, its meaning, and its JSON Schema. `schemas` becomes a macro that
/// writes these; with `described`, they have the meanings, too.
macro_rules! keys {
    ($(#[$doc:meta])* $table:ident, described $schemas:ident;
        $($name:literal => $field:ident: $of:ty, $meaning:literal, $schema:expr;)*) => {
        macro_rules! $schemas {
            () => { properties!($($name concat!($schema, ", \"description\": \"", $meaning, "\"")),*) };
        }
        keys!(@table $(#[$doc])* $table; $($name => $field: $of;)*);

        impl FromToml for $table {
            const IS_TABLE: bool = true;

            fn from_toml(node: Node) -> Option<$table> {
                node.keys(&[$($name),*]).map(|keys| $table::take(&keys))
            }
        }
    };
    ($(#[$doc:meta])* $table:ident, $schemas:ident;
        $($name:literal => $field:ident: $of:ty, $meaning:literal, $schema:expr;)*) => {
        macro_rules! $schemas {
            () => { properties!($($name $schema),*) };
        }
        keys!(@table $(#[$doc])* $table; $($name => $field: $of;)*);

        impl $table {
            /// The keys, with their meanings.
            pub const NAMED: &'static [Named] = &[$(Named { name: $name, summary: $meaning }),*];
        }
    };
    (@table $(#[$doc:meta])* $table:ident; $($name:literal => $field:ident: $of:ty;)*) => {
        $(#[$doc])*
        pub(super) struct $table {
            $(pub $field: $of,)*
        }

        impl $table {
            /// Reads the values of the keys.
            pub fn take(keys: &document::Keys) -> $table {
                $table { $($field: Field::take(keys, $name)),* }
            }
        }
    };
}

/// The value of a key that may be missing.
trait Field {
    fn take(keys: &document::Keys, name: &str) -> Self;
}

impl<T: FromToml> Field for Option<T> {
    fn take(keys: &document::Keys, name: &str) -> Option<T> {
        keys.take(name)
    }
}

/// A key that the engine reads with those of other domains.
pub(super) struct ReadElsewhere;

impl Field for ReadElsewhere {
    fn take(_: &document::Keys, _: &str) -> ReadElsewhere {
        ReadElsewhere
    }
}

impl<T: FromToml> Field for Table<T> {
    fn take(keys: &document::Keys, name: &str) -> Table<T> {
        keys.take(name).unwrap_or_default()
    }
}

keys! {
    /// The keys of an array of piles.
    PileKeys, described pile_properties;

    "most" => most: Option<Spanned<Value>>,
        "the most items of a pile: a number, or an array of numbers, one for each pile",
        r#""type": ["integer", "array"], "minimum": 1"#;
}

keys! {
    /// The keys of a move of items from pile to pile.
    CarryKeys, described carry_properties;

    "from" => from: Option<Spanned<String>>,
        "the pile whose top items move",
        r#""type": "string", "minLength": 1"#;
    "to" => to: Option<Spanned<String>>,
        "the pile that they move to",
        r#""type": "string", "minLength": 1"#;
    "count" => count: Option<Spanned<Scalar>>,
        "the number of items: an integer or an expression",
        r#""type": ["integer", "string"], "default": 1"#;
    "turned" => turned: Option<Spanned<bool>>,
        "if true, the items arrive in reverse: the top one first",
        r#""type": "boolean", "default": false"#;
}

keys! {
    /// The keys of a rule.
    RuleKeys, described rule_properties;

    "name" => name: Option<Spanned<String>>,
        "the notation of its moves; {x} is the value of a parameter, {at} the place, {at2} that of the second drawing, {direction} the direction, {N} the symbol that the letter N of a set matched",
        r#""type": "string", "minLength": 1"#;
    "from" => from: Option<Spanned<Drawings>>,
        "a drawing of the cells before the move, or an array of drawings that must all match, each at a place of its own; `?` matches anything",
        r#""type": ["string", "array"], "minItems": 1, "maxItems": 4, "items": { "type": "string" }"#;
    "to" => to: Option<Spanned<Drawings>>,
        "a drawing of the same size, of the cells after the move, or an array of as many as in `from`; `?` leaves a cell unchanged",
        r#""type": ["string", "array"], "minItems": 1, "maxItems": 4, "items": { "type": "string" }"#;
    "on" => on: Option<Spanned<Drawings>>,
        "a drawing of the same size, of the required marks, or an array of as many as in `from`; `?` matches any mark",
        r#""type": ["string", "array"], "minItems": 1, "maxItems": 4, "items": { "type": "string" }"#;
    "turns" => turns: Option<Spanned<Turns>>,
        "if true, the rule also applies rotated by 90, 180 and 270 degrees; with `move`, a consequence applies in the image of the move only",
        r#""enum": [false, true, "move"], "default": false"#;
    "mirror" => mirror: Option<Spanned<bool>>,
        "if true, the rule also applies mirrored, left to right",
        r#""type": "boolean", "default": false"#;
    "edge" => edge: Option<Spanned<Edge>>,
        "cells of the drawing beyond the edge of the grid: `fit` forbids them, `clip` ignores them, `wrap` takes those of the opposite side",
        r#""enum": ["fit", "clip", "wrap"], "default": "fit""#;
    "at" => at: Option<Spanned<Vec<usize>>>,
        "[row, column] of the cell of the drawing that {at} names; default [0, 0]",
        r#""type": "array", "items": { "type": "integer", "minimum": 0 }, "minItems": 2, "maxItems": 2"#;
    "repeat" => repeat: Option<Spanned<bool>>,
        "if true, one move applies the rule repeatedly, one cell further each time, until it no longer matches",
        r#""type": "boolean", "default": false"#;
    "all" => all: Option<Spanned<bool>>,
        "if true, the rule applies at all places at once, in a pass; with `repeat`, in passes until one changes nothing",
        r#""type": "boolean", "default": false"#;
    "shift" => shift: Option<Spanned<String>>,
        "symbols: the body of a cell with one of them moves by one cell. Such a rule has no drawing",
        r#""type": "string", "minLength": 1"#;
    "push" => push: Option<Spanned<String>>,
        "symbols whose bodies move along if the body runs into them",
        r#""type": "string""#;
    "into" => into: Option<Spanned<String>>,
        "symbols of the cells that a body may enter; cells that it leaves get the first of them",
        r#""type": "string", "minLength": 1"#;
    "direction" => direction: Option<Spanned<Image>>,
        "the only direction of a shift, instead of `turns` and `mirror`",
        r#""enum": ["right", "down", "left", "up"], "default": "right""#;
    "carry" => carry: Option<Spanned<CarryKeys>>,
        "a move of the top items of a pile to another pile: `from`, `to`, `count`, `turned`",
        concat!(r#""type": "object", "required": ["from", "to"], "additionalProperties": false, "properties": {"#, carry_properties!(), "}");
    "run" => run: Option<Spanned<String>>,
        "the character that marks a run: in the drawings, the cell before it stands for one or more cells; {run} is their number",
        r#""type": "string", "minLength": 1, "maxLength": 1"#;
    "for" => family: Table<Listing>,
        "parameters, each with a list or a range of values; the rule applies for each combination. A name of one character stands for its value in `from` and `to`",
        r#""type": "object", "additionalProperties": {
            "type": ["string", "array"], "pattern": "\\.\\.", "minItems": 1, "items": { "type": ["integer", "string", "boolean"] }
        }"#;
    "when" => when: Option<Spanned<Expressions>>,
        "a condition: an expression, or an array of expressions that must all hold",
        r#""type": ["string", "array"], "items": { "type": "string" }"#;
    "then" => then: Table<Scalar>,
        "the new values of variables; expressions use the values before the move, and the letter of a set in `from` is the symbol that it matched",
        r#""type": "object", "additionalProperties": { "type": ["integer", "string", "boolean"] }"#;
    "cost" => cost: Option<Spanned<Scalar>>,
        "the cost of the move: an integer or an expression",
        r#""type": ["integer", "string"], "minimum": 0, "default": 1"#;
}

/// Writes the JSON Schema of the keys of which a rule has at least one.
macro_rules! changes {
    () => {
        r#"[{ "required": ["from"] }, { "required": ["to"] }, { "required": ["then"] }, { "required": ["shift"] },
            { "required": ["carry"] }]"#
    };
}

keys! {
    /// The keys of a file.
    Keys, key_properties;

    "start" => start: Option<Spanned<Start>>,
        "the grid as a drawing, or a table with `drawing` and the value of each variable",
        r#""type": ["string", "object"]"#;
    "goal" => goal: Option<Spanned<Goals>>,
        "the goal: a drawing (`?` matches anything), an expression, a table of conditions, or an array of alternatives",
        r#""type": ["string", "object", "array"], "minItems": 1, "items": { "type": ["string", "object"] }"#;
    "marks" => marks: Option<Spanned<String>>,
        "a drawing of fixed letters on the cells, of the same size as the grid; `.` is no mark",
        r#""type": "string""#;
    "fences" => fences: Option<Spanned<String>>,
        "a drawing of thin walls between the cells: `|` and `-` beside the cells `.`, `+` at their corners",
        r#""type": "string""#;
    "variables" => variables: Table<Listing>,
        "named variables, each with a list of values or a range such as \"0..8\"",
        r#""type": "object", "additionalProperties": {
            "type": ["string", "array"], "pattern": "\\.\\.", "minItems": 1, "items": { "type": ["integer", "string", "boolean"] }
        }"#;
    "piles" => piles: Table<PileKeys>,
        "ordered piles of items, by name or as an array such as `tube[1..6]`; `start` has the items of each, bottom first, as words of a string",
        concat!(r#""type": "object", "additionalProperties": {
            "type": "object", "additionalProperties": false, "properties": {"#, pile_properties!(), "}}");
    "sets" => sets: Table<String>,
        "letters that match any of several symbols",
        r#""type": "object", "additionalProperties": { "type": "string", "minLength": 1 }"#;
    "maps" => maps: Table<Table<Scalar>>,
        "tables from values to values, for example the effect of a toggle, or costs",
        r#""type": "object", "additionalProperties": {
            "type": "object", "additionalProperties": { "type": ["integer", "string", "boolean"] }
        }"#;
    "heuristics" => _heuristics: ReadElsewhere,
        "heuristics of your own: tables `[heuristics.NAME]` with an expression `value`",
        r#""type": "object", "maxProperties": 100, "additionalProperties": false, "patternProperties": {
            "^[A-Za-z][A-Za-z0-9_-]{0,39}$": {
                "type": "object", "required": ["value"], "additionalProperties": false,
                "properties": {
                    "value": { "type": "string", "minLength": 1, "description": "the expression whose value is h" }
                }
            }
        }"#;
    "arrows" => arrows: Option<Spanned<Rings>>,
        "symbols that turn with the drawings of rules: up, right, down and left",
        r#""type": ["string", "array"], "items": { "type": "string" }"#;
    "bodies" => bodies: Option<Spanned<Bodies>>,
        "strings of symbols: cells that touch by a side and whose symbols are in the same string are one body",
        r#""type": ["string", "array"], "minItems": 1, "items": { "type": "string", "minLength": 1 }"#;
    "rules" => rules: Option<Spanned<Vec<Spanned<RuleKeys>>>>,
        "the moves: `name`, `from` and `to` as drawings, `when`, `then`, `for`, `cost`, `turns`, `mirror`, `edge`, `at`, `on`, `repeat`, `all`, `shift`, `carry`, `run`",
        concat!(r#""type": "array", "minItems": 1, "items": {
            "type": "object", "required": ["name"], "additionalProperties": false,
            "anyOf": "#, changes!(), r#",
            "properties": {"#, rule_properties!(), "}}");
    "after" => after: Option<Spanned<Vec<Spanned<RuleKeys>>>>,
        "the consequences of moves: rules without `name` and `cost`. After each move the first one that changes something applies, until none does",
        concat!(r#""type": "array", "items": {
            "type": "object", "additionalProperties": false,
            "not": { "anyOf": [{ "required": ["name"] }, { "required": ["cost"] }] },
            "anyOf": "#, changes!(), r#",
            "properties": {"#, rule_properties!(), "}}");
    "never" => never: Option<Spanned<Expressions>>,
        "forbidden states: an expression or an array of expressions",
        r#""type": ["string", "array"], "items": { "type": "string" }"#;
    "colors" => colors: Table<Colours>,
        "the colour of a symbol or value in pictures, by name or as `#rrggbb`; or an array of the colours of its sprite",
        r#""type": "object", "additionalProperties": {
            "type": ["string", "array"], "minItems": 1, "items": { "type": "string" }
        }"#;
    "shapes" => shapes: Table<ShapeKey>,
        "the shape of a symbol or value in pictures: `block`, `token`, `text`, `floor`, `hole`, `wall`, `gate`, `void`, a sprite, or a path of SVG",
        r#""type": "object", "additionalProperties": { "anyOf": [
            { "enum": ["block", "token", "text", "floor", "hole", "wall", "gate", "void"] },
            { "type": "string", "pattern": "\\n" },
            {
                "type": "object", "required": ["path"], "additionalProperties": false,
                "properties": {
                    "path": { "type": "string", "minLength": 1, "description": "a path as in the attribute `d` of SVG" },
                    "size": {
                        "type": "integer", "minimum": 1, "maximum": 65535, "default": 24,
                        "description": "the length of the cell's edge in the units of the path"
                    }
                }
            }
        ] }"#;
    "layout" => layout: Table<ArrayLayout>,
        "the arrangement of a variable or an array in pictures, or of the grid as `cell`: `row`, `column`, `ring`, `stack`, `level`",
        r#""type": "object", "additionalProperties": { "enum": ["row", "column", "ring", "stack", "level"] }"#;
}

/// The JSON Schema of the keys.
pub(super) const SCHEMA: &str =
    concat!("{ \"properties\": {", key_properties!(), "}, \"required\": [\"start\", \"goal\", \"rules\"] }");

impl Keys {
    /// Returns the rules and the consequences.
    pub fn all_rules(&self) -> impl Iterator<Item = &RuleKeys> {
        [&self.rules, &self.after].into_iter().flatten().flat_map(|rules| rules.get_ref()).map(Spanned::get_ref)
    }
}

impl RuleKeys {
    /// Returns the name and its place; an empty name and place if the key is missing.
    pub fn named(&self) -> (&str, Range<usize>) {
        self.name.as_ref().map_or(("", 0..0), |name| (name.get_ref(), name.span()))
    }

    /// Returns the drawings of `from` and `to`, and their places in the file.
    pub fn drawings(&self) -> impl Iterator<Item = &Spanned<String>> {
        [&self.from, &self.to].into_iter().flatten().flat_map(|drawings| &drawings.get_ref().0)
    }

    /// Returns whether a key with a truth value is true.
    pub fn is(key: &Option<Spanned<bool>>) -> bool {
        key.as_ref().is_some_and(|key| *key.get_ref())
    }

    /// Returns whether the rule has an image: a drawing, or a shift.
    pub fn has_image(&self) -> bool {
        self.from.is_some() || self.to.is_some() || self.shift.is_some()
    }

    /// Returns whether the rule is turned, and how.
    pub fn turned(&self) -> Turns {
        self.turns.as_ref().map_or(Turns::No, |turns| *turns.get_ref())
    }

    /// Returns the images in which the rule applies.
    pub fn images(&self) -> Vec<Image> {
        match (&self.direction, self.turned()) {
            (Some(direction), _) => vec![*direction.get_ref()],
            (None, Turns::Move) => Image::all(true, true),
            (None, turned) => Image::all(turned == Turns::Yes, RuleKeys::is(&self.mirror)),
        }
    }

    /// Returns the keys that need a drawing, with their places in the file. The last three are for shifts, too.
    pub fn of_drawings(&self) -> [(&'static str, Option<Range<usize>>); 8] {
        [
            ("on", self.on.as_ref().map(Spanned::span)),
            ("edge", self.edge.as_ref().map(Spanned::span)),
            ("at", self.at.as_ref().map(Spanned::span)),
            ("repeat", self.repeat.as_ref().map(Spanned::span)),
            ("run", self.run.as_ref().map(Spanned::span)),
            ("turns", self.turns.as_ref().map(Spanned::span)),
            ("mirror", self.mirror.as_ref().map(Spanned::span)),
            ("all", self.all.as_ref().map(Spanned::span)),
        ]
    }

    /// Returns the keys that need a shift, with their places in the file.
    pub fn of_shifts(&self) -> [(&'static str, Option<Range<usize>>); 3] {
        [
            ("push", self.push.as_ref().map(Spanned::span)),
            ("into", self.into.as_ref().map(Spanned::span)),
            ("direction", self.direction.as_ref().map(Spanned::span)),
        ]
    }
}

/// Whether a rule applies turned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Turns {
    No,
    Yes,
    /// In the image of the move only.
    Move,
}

impl FromToml for Turns {
    fn from_toml(node: Node) -> Option<Turns> {
        match node.value() {
            DeValue::Boolean(true) => Some(Turns::Yes),
            DeValue::Boolean(false) => Some(Turns::No),
            DeValue::String(_) => node.choice(&[("move", Turns::Move)]),
            _ => node.wrong_type("`true`, `false` or `\"move\"`"),
        }
    }
}

impl FromToml for Image {
    fn from_toml(node: Node) -> Option<Image> {
        let images = Image::all(true, false).into_iter();
        node.choice(&images.map(|image| (image.direction, image)).collect::<Vec<_>>())
    }
}

/// Declares types with a variant for each type that TOML may have for a value; errors name what is expected.
macro_rules! variants {
    ($($(#[$meta:meta])* $of:ident, $expected:literal { $($($toml:ident)|+ => $variant:ident($held:ty),)+ })*) => {$(
        $(#[$meta])*
        pub(super) enum $of {
            $($variant($held),)+
        }

        impl FromToml for $of {
            fn from_toml(node: Node) -> Option<$of> {
                match node.value() {
                    $($(DeValue::$toml(_))|+ => node.read().map($of::$variant),)+
                    _ => node.wrong_type($expected),
                }
            }
        }
    )*};
}

variants! {
    /// A number, a string or a truth value.
    #[derive(Clone, Debug)]
    Scalar, "an integer, a string, `true` or `false`" {
        Integer => Number(i64),
        String => Text(String),
        Boolean => Truth(bool),
    }

    /// The values of a variable or a parameter.
    Listing, "an array of values or a range such as \"1..3\"" {
        String => Range(String),
        Array => List(Vec<Spanned<Scalar>>),
    }

    /// A goal: a drawing, an expression, or a table of requirements.
    GoalKeys, "a drawing or an expression (a string), or a table" {
        String => Text(String),
        Table => Table(Table<Value>),
    }

    /// A start: a drawing, or a table with the values of variables.
    Start, "a drawing (a string) or a table of values" {
        String => Drawing(String),
        Table => Table(Table<Value>),
    }

    /// A value, an array of values (one for each element of an array of variables), or a table.
    Value, "a value, an array of values or a table" {
        Integer | String | Boolean => One(Scalar),
        Array => Many(Vec<Spanned<Value>>),
        Table => Table(Table<Scalar>),
    }
}

/// Declares lists that a file may write as one entry or as an array; errors name what is expected.
macro_rules! lists {
    ($($(#[$doc:meta])* $of:ident($entry:ty), $expected:literal { $($toml:ident)|+ })*) => {$(
        $(#[$doc])*
        pub(super) struct $of(pub Vec<Spanned<$entry>>);

        impl FromToml for $of {
            fn from_toml(node: Node) -> Option<$of> {
                let span = node.span();
                match node.value() {
                    $(DeValue::$toml(_))|+ => node.read().map(|entry| $of(vec![Spanned::new(span, entry)])),
                    DeValue::Array(_) => node.read().map($of),
                    _ => node.wrong_type($expected),
                }
            }
        }
    )*};
}

lists! {
    /// The drawings of a rule: one, or an array of them.
    Drawings(String), "a drawing (a string) or an array of drawings" { String }

    /// An expression, or an array of them.
    Expressions(String), "an expression (a string) or an array of expressions" { String }

    /// The symbols of bodies, a string for each group of them that stick together.
    Bodies(String), "a string of symbols, or an array of strings" { String }

    /// The symbols that turn with drawings, a string for each ring of them.
    Rings(String), "a string such as \"^>v<\", or an array of strings" { String }

    /// The colours of a symbol in pictures: one, or those of its sprite.
    Colours(String), "a colour (a string) or an array of colours" { String }

    /// The goals, of which one must hold.
    Goals(GoalKeys), "a drawing or an expression (a string), a table, or an array of these" { String | Table }
}

/// A table with arbitrary keys, in the order of the file.
pub(super) struct Table<T>(Vec<(Spanned<String>, Spanned<T>)>);

impl<T> Table<T> {
    /// Returns the keys and their values.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Spanned<T>)> {
        self.entries().map(|(key, value)| (key.get_ref().as_str(), value))
    }

    /// Returns the keys with their places, and their values.
    pub fn entries(&self) -> impl Iterator<Item = (&Spanned<String>, &Spanned<T>)> {
        self.0.iter().map(|(key, value)| (key, value))
    }

    /// Returns whether there is no key.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(Vec::new())
    }
}

impl<T: FromToml> FromToml for Table<T> {
    fn from_toml(node: Node) -> Option<Table<T>> {
        node.entries().map(Table)
    }
}

/// The shape of a symbol in pictures.
pub(super) enum ShapeKey {
    Named(Shape),
    /// The pixels of a sprite.
    Sprite(String),
    /// A path of SVG, and the edge of the cell in its units.
    Path(Spanned<String>, Option<NonZero<u16>>),
}

impl FromToml for ShapeKey {
    fn from_toml(node: Node) -> Option<ShapeKey> {
        match node.value() {
            DeValue::String(text) if text.contains('\n') => node.read().map(ShapeKey::Sprite),
            DeValue::Table(_) => {
                let keys = node.keys(&["path", "size"])?;
                let size = keys.take::<Spanned<u16>>("size");
                if let Some(size) = size.as_ref().filter(|size| *size.get_ref() == 0) {
                    let message = "invalid value `0` for `size`";
                    return node.refuse(Diagnostic::at(size.span(), message).label("expected at least 1"));
                }
                let size = size.and_then(|size| NonZero::new(*size.get_ref()));
                match keys.take("path") {
                    Some(path) => Some(ShapeKey::Path(path, size)),
                    None if keys.span("path").is_some() => None,
                    None => node.refuse(
                        Diagnostic::at(node.span(), "missing key `path`").help("add path = \"M12 2 L22 22 H2 Z\""),
                    ),
                }
            }
            _ => node
                .choice(&[
                    ("block", Shape::Figure(Form::Block)),
                    ("token", Shape::Figure(Form::Token)),
                    ("text", Shape::Figure(Form::Text)),
                    ("floor", Shape::Ground(Ground::Floor)),
                    ("hole", Shape::Ground(Ground::Hole)),
                    ("wall", Shape::Ground(Ground::Wall)),
                    ("gate", Shape::Ground(Ground::Gate)),
                    ("void", Shape::Ground(Ground::Void)),
                ])
                .map(ShapeKey::Named),
        }
    }
}

impl FromToml for ArrayLayout {
    fn from_toml(node: Node) -> Option<ArrayLayout> {
        node.choice(&[
            ("row", ArrayLayout::Row),
            ("column", ArrayLayout::Column),
            ("ring", ArrayLayout::Ring),
            ("stack", ArrayLayout::Stack),
            ("level", ArrayLayout::Level),
        ])
    }
}

impl FromToml for Edge {
    fn from_toml(node: Node) -> Option<Edge> {
        node.choice(&[("fit", Edge::Fit), ("clip", Edge::Clip), ("wrap", Edge::Wrap)])
    }
}
