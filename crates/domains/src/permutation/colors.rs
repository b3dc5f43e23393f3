//! `[colors]`: a colour for a label.

use crate::diagnostic::{Diagnostic, unknown_name};
use crate::document::Spanned;
use crate::domain::colors;
use std::collections::{BTreeMap, BTreeSet};

/// Returns the colours of the labels that have one.
///
/// # Errors
/// Reports unknown labels and unknown colours.
pub(super) fn read(
    given: &BTreeMap<String, Spanned<String>>,
    labels: &[String],
) -> Result<Vec<Option<[u8; 3]>>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let all: BTreeSet<&str> = labels.iter().map(String::as_str).collect();
    for (label, color) in given {
        if !all.contains(label.as_str()) {
            let message = format!("unknown label `{label}`");
            let known = labels.iter().map(String::as_str).take(50);
            errors.push(Diagnostic::at(color.span(), message).help(unknown_name(label, known)));
        }
        errors.extend(colors::read(color).err());
    }
    if !errors.is_empty() {
        return Err(errors);
    }
    Ok(labels.iter().map(|label| given.get(label).and_then(|color| colors::read(color).ok())).collect())
}
