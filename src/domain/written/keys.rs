//! The keys of a file of rules as they stand there, each with its place.

use super::model::Edge;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_untagged::UntaggedEnumVisitor;
use std::fmt;
use std::marker::PhantomData;
use std::ops::Range;
use toml::Spanned;

/// The keys of a file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Keys {
    pub start: Option<Spanned<Start>>,
    pub goal: Option<Spanned<OneOrMany<Goal>>>,
    pub marks: Option<Spanned<String>>,
    #[serde(default)]
    pub variables: Table<Listing>,
    #[serde(default)]
    pub sets: Table<String>,
    #[serde(default)]
    pub maps: Table<Table<Scalar>>,
    pub rules: Option<Spanned<Vec<Spanned<RuleKeys>>>>,
    pub never: Option<Spanned<OneOrMany<String>>>,
    #[serde(default)]
    pub colors: Table<String>,
    #[serde(default)]
    pub shapes: Table<ShapeName>,
}

/// The keys of a rule.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct RuleKeys {
    pub name: Option<Spanned<String>>,
    pub from: Option<Spanned<String>>,
    pub to: Option<Spanned<String>>,
    pub on: Option<Spanned<String>>,
    pub turns: Option<Spanned<bool>>,
    pub mirror: Option<Spanned<bool>>,
    pub edge: Option<Spanned<Edge>>,
    pub at: Option<Spanned<Vec<usize>>>,
    pub repeat: Option<Spanned<bool>>,
    #[serde(default, rename = "for")]
    pub family: Table<Listing>,
    pub when: Option<Spanned<OneOrMany<String>>>,
    #[serde(default)]
    pub then: Table<Scalar>,
    pub cost: Option<Spanned<Scalar>>,
}

impl RuleKeys {
    /// Returns the name and its place; nothing in the place of one that is missing.
    pub fn named(&self) -> (&str, Range<usize>) {
        self.name.as_ref().map_or(("", 0..0), |name| (name.get_ref(), name.span()))
    }
}

/// A table whose keys are not known before, in the order of the file.
pub(super) struct Table<T>(pub Vec<(String, Spanned<T>)>);

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table(Vec::new())
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Table<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Entries<T>(PhantomData<T>);

        impl<'de, T: Deserialize<'de>> Visitor<'de> for Entries<T> {
            type Value = Table<T>;

            fn expecting(&self, f: &mut fmt::Formatter) -> fmt::Result {
                f.write_str("a table")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Table<T>, A::Error> {
                let mut entries = Vec::new();
                while let Some(entry) = map.next_entry()? {
                    entries.push(entry);
                }
                Ok(Table(entries))
            }
        }

        deserializer.deserialize_map(Entries(PhantomData))
    }
}

/// A number, a text, or a truth.
#[derive(Clone, Debug)]
pub(super) enum Scalar {
    Number(i64),
    Text(String),
    Truth(bool),
}

impl<'de> Deserialize<'de> for Scalar {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("a whole number or a text")
            .i64(|number| Ok(Scalar::Number(number)))
            .string(|text| Ok(Scalar::Text(text.to_owned())))
            .bool(|truth| Ok(Scalar::Truth(truth)))
            .deserialize(deserializer)
    }
}

/// What a variable or a parameter may be.
pub(super) enum Listing {
    Range(String),
    List(Vec<Spanned<Scalar>>),
}

impl<'de> Deserialize<'de> for Listing {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("a list of values or a range as \"1..3\"")
            .string(|text| Ok(Listing::Range(text.to_owned())))
            .seq(|list| list.deserialize().map(Listing::List))
            .deserialize(deserializer)
    }
}

/// One, or an array of them.
pub(super) enum OneOrMany<T> {
    One(T),
    Many(Vec<Spanned<T>>),
}

/// The strings of one, or of an array.
pub(super) fn several(all: &Spanned<OneOrMany<String>>) -> Vec<Spanned<String>> {
    match all.get_ref() {
        OneOrMany::One(text) => vec![Spanned::new(all.span(), text.clone())],
        OneOrMany::Many(texts) => texts.clone(),
    }
}

impl<'de> Deserialize<'de> for OneOrMany<String> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("an expression or an array of expressions")
            .string(|text| Ok(OneOrMany::One(text.to_owned())))
            .seq(|list| list.deserialize().map(OneOrMany::Many))
            .deserialize(deserializer)
    }
}

/// A goal: a drawing, an expression, or a table of what must hold.
pub(super) enum Goal {
    Text(String),
    Table(Table<Value>),
}

impl<'de> Deserialize<'de> for Goal {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("a drawing, an expression or a table")
            .string(|text| Ok(Goal::Text(text.to_owned())))
            .map(|table| table.deserialize().map(Goal::Table))
            .deserialize(deserializer)
    }
}

impl<'de> Deserialize<'de> for OneOrMany<Goal> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("a drawing, an expression, a table, or an array of these")
            .string(|text| Ok(OneOrMany::One(Goal::Text(text.to_owned()))))
            .map(|table| table.deserialize().map(|table| OneOrMany::One(Goal::Table(table))))
            .seq(|list| list.deserialize().map(OneOrMany::Many))
            .deserialize(deserializer)
    }
}

/// A start: a drawing, or a table with the values of variables.
pub(super) enum Start {
    Drawing(String),
    Table(Table<Value>),
}

impl<'de> Deserialize<'de> for Start {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("a drawing or a table of values")
            .string(|text| Ok(Start::Drawing(text.to_owned())))
            .map(|table| table.deserialize().map(Start::Table))
            .deserialize(deserializer)
    }
}

/// A value, an array of values, one for each of an array of variables, or a table.
pub(super) enum Value {
    One(Scalar),
    Many(Vec<Spanned<Value>>),
    Table(Table<Scalar>),
}

impl<'de> Deserialize<'de> for Value {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        UntaggedEnumVisitor::new()
            .expecting("a value, an array of values or a table")
            .i64(|number| Ok(Value::One(Scalar::Number(number))))
            .string(|text| Ok(Value::One(Scalar::Text(text.to_owned()))))
            .bool(|truth| Ok(Value::One(Scalar::Truth(truth))))
            .seq(|list| list.deserialize().map(Value::Many))
            .map(|table| table.deserialize().map(Value::Table))
            .deserialize(deserializer)
    }
}

/// How a symbol may look.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum ShapeName {
    Block,
    Token,
    Text,
    Floor,
    Wall,
    Gate,
    Void,
}
