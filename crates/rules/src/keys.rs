//! The keys of a puzzle file of domain `rules`, with their places in the file.

use super::model::{Edge, Layout, Shape};
use crate::diagnostic::Diagnostic;
use crate::document::{self, DeValue, FromToml, Node, Spanned};
use crate::picture::{Form, Ground};
use std::num::NonZero;
use std::ops::Range;

/// The keys of a file.
pub(super) struct Keys {
    pub start: Option<Spanned<Start>>,
    pub goal: Option<Spanned<OneOrMany<Goal>>>,
    pub marks: Option<Spanned<String>>,
    pub fences: Option<Spanned<String>>,
    pub variables: Table<Listing>,
    pub sets: Table<String>,
    pub maps: Table<Table<Scalar>>,
    pub arrows: Option<Spanned<Rings>>,
    pub rules: Option<Spanned<Vec<Spanned<RuleKeys>>>>,
    pub never: Option<Spanned<OneOrMany<String>>>,
    pub colors: Table<Colours>,
    pub shapes: Table<ShapeKey>,
    pub layout: Table<Layout>,
}

impl Keys {
    /// Reads the keys of a file.
    pub fn take(keys: &document::Keys) -> Keys {
        Keys {
            start: keys.take("start"),
            goal: keys.take("goal"),
            marks: keys.take("marks"),
            fences: keys.take("fences"),
            variables: keys.take("variables").unwrap_or_default(),
            sets: keys.take("sets").unwrap_or_default(),
            maps: keys.take("maps").unwrap_or_default(),
            arrows: keys.take("arrows"),
            rules: keys.take("rules"),
            never: keys.take("never"),
            colors: keys.take("colors").unwrap_or_default(),
            shapes: keys.take("shapes").unwrap_or_default(),
            layout: keys.take("layout").unwrap_or_default(),
        }
    }
}

/// The keys of a rule.
pub(super) struct RuleKeys {
    pub name: Option<Spanned<String>>,
    pub from: Option<Spanned<Drawings>>,
    pub to: Option<Spanned<Drawings>>,
    pub on: Option<Spanned<Drawings>>,
    pub turns: Option<Spanned<bool>>,
    pub mirror: Option<Spanned<bool>>,
    pub edge: Option<Spanned<Edge>>,
    pub at: Option<Spanned<Vec<usize>>>,
    pub repeat: Option<Spanned<bool>>,
    pub run: Option<Spanned<String>>,
    pub family: Table<Listing>,
    pub when: Option<Spanned<OneOrMany<String>>>,
    pub then: Table<Scalar>,
    pub cost: Option<Spanned<Scalar>>,
}

impl FromToml for RuleKeys {
    const IS_TABLE: bool = true;

    fn from_toml(node: Node) -> Option<RuleKeys> {
        let keys = node.keys(&[
            "name", "from", "to", "on", "turns", "mirror", "edge", "at", "repeat", "run", "for", "when", "then", "cost",
        ])?;
        Some(RuleKeys {
            name: keys.take("name"),
            from: keys.take("from"),
            to: keys.take("to"),
            on: keys.take("on"),
            turns: keys.take("turns"),
            mirror: keys.take("mirror"),
            edge: keys.take("edge"),
            at: keys.take("at"),
            repeat: keys.take("repeat"),
            run: keys.take("run"),
            family: keys.take("for").unwrap_or_default(),
            when: keys.take("when"),
            then: keys.take("then").unwrap_or_default(),
            cost: keys.take("cost"),
        })
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

    /// Returns the keys that need a drawing, with their places in the file.
    pub fn of_drawings(&self) -> [(&'static str, Option<Range<usize>>); 7] {
        [
            ("on", self.on.as_ref().map(Spanned::span)),
            ("turns", self.turns.as_ref().map(Spanned::span)),
            ("mirror", self.mirror.as_ref().map(Spanned::span)),
            ("edge", self.edge.as_ref().map(Spanned::span)),
            ("at", self.at.as_ref().map(Spanned::span)),
            ("repeat", self.repeat.as_ref().map(Spanned::span)),
            ("run", self.run.as_ref().map(Spanned::span)),
        ]
    }
}

/// The drawings of a rule: one, or an array of them.
pub(super) struct Drawings(pub Vec<Spanned<String>>);

impl FromToml for Drawings {
    fn from_toml(node: Node) -> Option<Drawings> {
        let span = node.span();
        match node.value() {
            DeValue::String(_) => node.read().map(|text| Drawings(vec![Spanned::new(span, text)])),
            DeValue::Array(_) => node.read().map(Drawings),
            _ => node.wrong_type("a drawing (a string) or an array of drawings"),
        }
    }
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

/// A number, a string or a truth value.
#[derive(Clone, Debug)]
pub(super) enum Scalar {
    Number(i64),
    Text(String),
    Truth(bool),
}

impl FromToml for Scalar {
    fn from_toml(node: Node) -> Option<Scalar> {
        match node.value() {
            DeValue::Integer(_) => node.read().map(Scalar::Number),
            DeValue::String(_) => node.read().map(Scalar::Text),
            DeValue::Boolean(_) => node.read().map(Scalar::Truth),
            _ => node.wrong_type("an integer, a string, `true` or `false`"),
        }
    }
}

/// The values of a variable or a parameter.
pub(super) enum Listing {
    Range(String),
    List(Vec<Spanned<Scalar>>),
}

impl FromToml for Listing {
    fn from_toml(node: Node) -> Option<Listing> {
        match node.value() {
            DeValue::String(_) => node.read().map(Listing::Range),
            DeValue::Array(_) => node.read().map(Listing::List),
            _ => node.wrong_type("an array of values or a range such as \"1..3\""),
        }
    }
}

/// One value, or an array of them.
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<Spanned<T>>),
}

/// Returns the strings of an array, or a single string as a list.
pub(super) fn to_list(all: &Spanned<OneOrMany<String>>) -> Vec<Spanned<String>> {
    match all.get_ref() {
        OneOrMany::One(text) => vec![Spanned::new(all.span(), text.clone())],
        OneOrMany::Many(texts) => texts.clone(),
    }
}

impl FromToml for OneOrMany<String> {
    fn from_toml(node: Node) -> Option<OneOrMany<String>> {
        match node.value() {
            DeValue::String(_) => node.read().map(OneOrMany::One),
            DeValue::Array(_) => node.read().map(OneOrMany::Many),
            _ => node.wrong_type("an expression (a string) or an array of expressions"),
        }
    }
}

/// The symbols that turn with drawings, a string for each ring of them.
pub(super) struct Rings(pub Vec<Spanned<String>>);

impl FromToml for Rings {
    fn from_toml(node: Node) -> Option<Rings> {
        let span = node.span();
        match node.value() {
            DeValue::String(_) => node.read().map(|ring| Rings(vec![Spanned::new(span, ring)])),
            DeValue::Array(_) => node.read().map(Rings),
            _ => node.wrong_type("a string such as \"^>v<\", or an array of strings"),
        }
    }
}

/// A goal: a drawing, an expression, or a table of requirements.
pub(super) enum Goal {
    Text(String),
    Table(Table<Value>),
}

impl FromToml for Goal {
    fn from_toml(node: Node) -> Option<Goal> {
        match node.value() {
            DeValue::String(_) => node.read().map(Goal::Text),
            DeValue::Table(_) => node.read().map(Goal::Table),
            _ => node.wrong_type("a drawing or an expression (a string), or a table"),
        }
    }
}

impl FromToml for OneOrMany<Goal> {
    fn from_toml(node: Node) -> Option<OneOrMany<Goal>> {
        match node.value() {
            DeValue::String(_) | DeValue::Table(_) => node.read().map(OneOrMany::One),
            DeValue::Array(_) => node.read().map(OneOrMany::Many),
            _ => node.wrong_type("a drawing or an expression (a string), a table, or an array of these"),
        }
    }
}

/// A start: a drawing, or a table with the values of variables.
pub(super) enum Start {
    Drawing(String),
    Table(Table<Value>),
}

impl FromToml for Start {
    fn from_toml(node: Node) -> Option<Start> {
        match node.value() {
            DeValue::String(_) => node.read().map(Start::Drawing),
            DeValue::Table(_) => node.read().map(Start::Table),
            _ => node.wrong_type("a drawing (a string) or a table of values"),
        }
    }
}

/// A value, an array of values (one for each element of an array of variables), or a table.
pub(super) enum Value {
    One(Scalar),
    Many(Vec<Spanned<Value>>),
    Table(Table<Scalar>),
}

impl FromToml for Value {
    fn from_toml(node: Node) -> Option<Value> {
        match node.value() {
            DeValue::Integer(_) | DeValue::String(_) | DeValue::Boolean(_) => node.read().map(Value::One),
            DeValue::Array(_) => node.read().map(Value::Many),
            DeValue::Table(_) => node.read().map(Value::Table),
            _ => node.wrong_type("a value, an array of values or a table"),
        }
    }
}

/// The colours of a symbol in pictures: one, or those of its sprite.
pub(super) struct Colours(pub Vec<Spanned<String>>);

impl FromToml for Colours {
    fn from_toml(node: Node) -> Option<Colours> {
        let span = node.span();
        match node.value() {
            DeValue::String(_) => node.read().map(|colour| Colours(vec![Spanned::new(span, colour)])),
            DeValue::Array(_) => node.read().map(Colours),
            _ => node.wrong_type("a colour (a string) or an array of colours"),
        }
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

impl FromToml for Layout {
    fn from_toml(node: Node) -> Option<Layout> {
        node.choice(&[
            ("row", Layout::Row),
            ("column", Layout::Column),
            ("ring", Layout::Ring),
            ("stack", Layout::Stack),
            ("level", Layout::Level),
        ])
    }
}

impl FromToml for Edge {
    fn from_toml(node: Node) -> Option<Edge> {
        node.choice(&[("fit", Edge::Fit), ("clip", Edge::Clip), ("wrap", Edge::Wrap)])
    }
}
