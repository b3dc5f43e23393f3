//! TOML in all its styles: strings, keys, drawings and values in random notations.

use super::world::Value;
use crate::support::dice::Dice;

/// Returns whether a text can be written in single quotes unchanged.
fn is_literal(text: &str) -> bool {
    !text.contains('\'') && !text.chars().any(char::is_control)
}

/// Returns a text in double quotes, with some characters as escapes.
fn basic(dice: &mut Dice, text: &str) -> String {
    let by_number = dice.one_in(8);
    let inner: String = text
        .chars()
        .map(|c| match c {
            '"' => "\\\"".to_owned(),
            '\\' => "\\\\".to_owned(),
            '\n' => "\\n".to_owned(),
            '\r' => "\\r".to_owned(),
            c if by_number && dice.one_in(3) => match u32::from(c) {
                low @ ..=0xffff => format!("\\u{low:04X}"),
                high => format!("\\U{high:08x}"),
            },
            c => c.to_string(),
        })
        .collect();
    format!("\"{inner}\"")
}

/// Returns a string on one line.
pub fn string(dice: &mut Dice, text: &str) -> String {
    match dice.below(4) {
        0 if is_literal(text) => format!("'{text}'"),
        1 if is_literal(text) && !text.is_empty() => format!("'''{text}'''"),
        2 => format!("\"\"{}\"\"", basic(dice, text)),
        _ => basic(dice, text),
    }
}

/// Returns a key, without quotes if it needs none.
pub fn key(dice: &mut Dice, name: &str) -> String {
    let is_bare = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    match dice.below(5) {
        0 if is_literal(name) => format!("'{name}'"),
        1 => basic(dice, name),
        _ if is_bare => name.to_owned(),
        _ => basic(dice, name),
    }
}

/// Returns a drawing: rows as one string, on one line or several.
pub fn drawing(dice: &mut Dice, rows: &[String]) -> String {
    let is_plain = rows.iter().all(|row| !row.contains('\''));
    let ended = |end: &str| rows.iter().map(|row| row.clone() + end).collect::<String>();
    match dice.below(6) {
        0 | 1 if is_plain => format!("'''\n{}'''", ended("\n")),
        2 if is_plain => format!("'''{}'''", rows.join("\r\n")),
        0..=3 => format!("\"\"\"\n{}\"\"\"", ended("\n").replace('\\', "\\\\")),
        4 => basic(dice, &format!("\n{}\n  ", ended("\n"))),
        _ if rows.len() == 1 => string(dice, &rows[0]),
        _ => basic(dice, &rows.join("\n")),
    }
}

/// Returns a value; numbers and truth values may be quoted, too.
pub fn value(dice: &mut Dice, value: &Value) -> String {
    match value {
        Value::Name(name) => string(dice, name),
        other if dice.one_in(3) => string(dice, &other.to_string()),
        other => other.to_string(),
    }
}

/// Returns an array, on one line or with one line for each item.
pub fn array(dice: &mut Dice, items: &[String]) -> String {
    if items.len() > 1 && dice.one_in(6) {
        return format!("[\n    {},\n]", items.join(",\n    "));
    }
    format!("[{}]", items.join(", "))
}

/// Returns a single text, or an array of all of them.
pub fn one_or_many(dice: &mut Dice, items: &[String]) -> String {
    match items {
        [one] if !dice.one_in(5) => one.clone(),
        many => array(dice, many),
    }
}

/// Returns an inline table.
pub fn inline(entries: &[(String, String)]) -> String {
    let entries: Vec<String> = entries.iter().map(|(key, value)| format!("{key} = {value}")).collect();
    format!("{{ {} }}", entries.join(", "))
}

/// Writes a table of the file: inline, with dotted keys, or under a heading. Keys without a heading go to `above`, the
/// rest to `below`.
pub fn table(
    dice: &mut Dice,
    name: &str,
    entries: &[(String, String)],
    above: &mut Vec<String>,
    below: &mut Vec<String>,
) {
    let lines =
        |before: &str| entries.iter().map(|(key, value)| format!("{before}{key} = {value}\n")).collect::<String>();
    match dice.below(4) {
        0 => above.push(format!("{name} = {}\n", inline(entries))),
        1 if !entries.is_empty() => above.push(lines(&format!("{name}."))),
        _ => below.push(format!("[{name}]\n{}", lines(""))),
    }
}
