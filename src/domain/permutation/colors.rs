//! `[colors]`: a colour for a label, by name or as `#rrggbb`.

use crate::diagnostic::{Diagnostic, unknown_name};
use std::collections::BTreeMap;
use toml::Spanned;

/// The names that are understood.
const NAMES: [&str; 20] = [
    "black", "white", "gray", "silver", "red", "green", "blue", "yellow", "orange", "purple", "pink", "brown", "cyan",
    "magenta", "lime", "navy", "teal", "olive", "maroon", "gold",
];

/// What is wrong with the colours of these labels.
pub(super) fn check(colors: &BTreeMap<String, Spanned<String>>, labels: &[String]) -> Vec<Diagnostic> {
    let mut errors = Vec::new();
    for (label, color) in colors {
        if !labels.contains(label) {
            let message = format!("there is no label `{label}`");
            let known = labels.iter().map(String::as_str).take(50);
            errors.push(Diagnostic::at(color.span(), message).help(unknown_name(label, known)));
        }
        let digits = color.get_ref().strip_prefix('#');
        let is_hex = digits.is_some_and(|digits| digits.len() == 6 && digits.chars().all(|c| c.is_ascii_hexdigit()));
        let named = color.get_ref().to_lowercase();
        if !is_hex && !NAMES.contains(&&*named) {
            let message = format!("there is no colour `{}`", color.get_ref());
            errors.push(Diagnostic::at(color.span(), message).help(unknown_name(&named, NAMES) + ", or `#rrggbb`"));
        }
    }
    errors
}
