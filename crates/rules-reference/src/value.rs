//! Values: whole numbers, truth values and names.

use super::Read;
use std::fmt;
use std::sync::Arc;
use toml::Value as Toml;

/// A value of a variable, a cell, a parameter or an expression.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Value {
    Number(i64),
    Truth(bool),
    Name(Arc<str>),
}

impl Value {
    /// Parses a text: `true` and `false`, numbers in canonical form, and names.
    pub fn read(text: &str) -> Value {
        match (text, text.parse::<i64>()) {
            ("true", _) => Value::Truth(true),
            ("false", _) => Value::Truth(false),
            (_, Ok(number)) if number.to_string() == text => Value::Number(number),
            _ => Value::Name(text.into()),
        }
    }

    /// Returns the value of a cell with this symbol.
    pub fn symbol(symbol: char) -> Value {
        Value::read(symbol.encode_utf8(&mut [0; 4]))
    }

    /// Reads a value of the file: `1` and `"1"` are the same.
    ///
    /// # Errors
    /// It is not a string, a whole number or a truth value.
    pub fn of(written: &Toml) -> Read<Value> {
        match written {
            Toml::String(text) => Ok(Value::read(text)),
            Toml::Integer(number) => Ok(Value::Number(*number)),
            Toml::Boolean(truth) => Ok(Value::Truth(*truth)),
            other => Err(format!("`{other}` is no value")),
        }
    }

    /// Returns the character of the value's text, if it has exactly one.
    pub fn character(&self) -> Option<char> {
        only(&self.to_string())
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Number(number) => number.fmt(f),
            Value::Truth(truth) => truth.fmt(f),
            Value::Name(name) => name.fmt(f),
        }
    }
}

/// Returns the character of a text that has exactly one.
pub(super) fn only(text: &str) -> Option<char> {
    let mut characters = text.chars();
    characters.next().filter(|_| characters.next().is_none())
}

/// Parses a range of whole numbers, `1..3`.
///
/// # Errors
/// It is not a range.
pub(super) fn range(text: &str) -> Read<(i64, i64)> {
    let ends = text.split_once("..").and_then(|(least, greatest)| {
        let (least, greatest) = (least.trim().parse().ok()?, greatest.trim().parse().ok()?);
        Some((least, greatest))
    });
    ends.ok_or_else(|| format!("`{text}` is no range"))
}

/// Reads the values of a variable or a parameter: an array, or a range as a string.
///
/// # Errors
/// It is neither.
pub(super) fn value_list(written: &Toml) -> Read<Vec<Value>> {
    match written {
        Toml::Array(values) => values.iter().map(Value::of).collect(),
        Toml::String(text) => range(text).map(|(least, greatest)| (least..=greatest).map(Value::Number).collect()),
        other => Err(format!("`{other}` is not a list of values")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_in_canonical_form_are_numbers_and_truth_values() {
        let number = |text, number| assert_eq!(Value::read(text), Value::Number(number));
        number("0", 0);
        number("-12", -12);
        number("9223372036854775807", i64::MAX);
        number("-9223372036854775808", i64::MIN);
        for name in ["01", "+1", "-0", "-01", "1.0", "9223372036854775808", "left", "$", "", "True", "１", " 1"] {
            assert_eq!(Value::read(name), Value::Name(name.into()));
        }
        assert_eq!([Value::read("true"), Value::read("false")], [Value::Truth(true), Value::Truth(false)]);
        assert_eq!((Value::symbol('7'), Value::symbol('x')), (Value::Number(7), Value::Name("x".into())));
    }

    #[test]
    fn quotes_in_the_file_change_no_value() {
        let file: toml::Table =
            "a = [1, '1', true, 'true', '01', 'x']\nb = '-1..1'\nc = 1.5\nd = 'x..3'".parse().unwrap();
        let printed = |values: Read<Vec<Value>>| values.map(|values| format!("{values:?}"));
        let value_list = |key: &str| printed(value_list(&file[key]));
        let (one, yes) = ("Number(1)", "Truth(true)");
        assert_eq!(value_list("a"), Ok(format!("[{one}, {one}, {yes}, {yes}, Name(\"01\"), Name(\"x\")]")));
        assert_eq!(value_list("b"), Ok("[Number(-1), Number(0), Number(1)]".to_owned()));
        assert!(value_list("c").is_err() && value_list("d").is_err());
    }

    #[test]
    fn only_values_of_one_character_are_symbols() {
        let characters = ["1", "x", "ß", "10", "true", ""].map(|text| Value::read(text).character());
        assert_eq!(characters, [Some('1'), Some('x'), Some('ß'), None, None, None]);
    }
}
