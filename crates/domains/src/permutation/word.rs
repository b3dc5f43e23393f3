//! Words in the generators: `R U2 R'`, with or without spaces.

use super::setup::Generator;
use crate::diagnostic::{Diagnostic, MOST_SHOWN, did_you_mean, expected_names, keep};
use crate::document::Spanned;
use crate::drawing::SourceMap;
use std::collections::{BTreeSet, HashMap};
use std::ops::Range;

/// Reads a word as generators, by number, each with its power.
///
/// # Errors
/// Reports every unknown name and every power that is too large, at its place.
pub(super) fn read(
    word: &Spanned<String>,
    generators: &[Generator],
    source: &str,
) -> Result<Vec<(usize, u64)>, Vec<Diagnostic>> {
    let at = SourceMap::of(word, source);
    let text = word.get_ref();
    let numbers: HashMap<&str, usize> = generators.iter().map(|generator| &*generator.name).zip(0..).collect();
    let lengths: BTreeSet<usize> = numbers.keys().map(|name| name.len()).collect();
    let mut moves = Vec::new();
    let mut errors = Vec::new();
    for token in text.split_whitespace() {
        let mut rest = token;
        while !rest.is_empty() {
            let start = rest.as_ptr() as usize - text.as_ptr() as usize;
            // The longest name that is a prefix.
            let mut names = lengths.iter().rev().filter_map(|&length| numbers.get(rest.get(..length)?));
            let Some(&number) = names.next() else {
                // Errors beyond this limit are counted but not shown, so they need no suggestion.
                let known = if errors.len() < MOST_SHOWN { generators } else { &[] };
                keep(&mut errors, || unknown(at.span(start..start + rest.len()), rest, known));
                break;
            };
            let generator = &generators[number];
            rest = &rest[generator.name.len()..];
            let digits = rest.len() - rest.trim_start_matches(|c: char| c.is_ascii_digit()).len();
            let power = if digits == 0 { Some(1) } else { rest[..digits].parse().ok() };
            rest = &rest[digits..];
            let after = rest.strip_prefix(['\'', '’']);
            rest = after.unwrap_or(rest);
            let end = rest.as_ptr() as usize - text.as_ptr() as usize;
            let order = generator.order;
            match power.filter(|power| (1..order).contains(power)) {
                Some(power) => moves.push((number, if after.is_some() { order - power } else { power })),
                None => keep(&mut errors, || {
                    let message = format!("invalid power `{}` of `{}`", &text[start..end], generator.name);
                    let powers = match order {
                        2 => "its square is the identity".to_owned(),
                        _ => format!("expected 1 to {}: its order is {order}", order - 1),
                    };
                    Diagnostic::at(at.span(start..end), message).label(powers)
                }),
            }
        }
    }
    if errors.is_empty() { Ok(moves) } else { Err(errors) }
}

fn unknown(span: Range<usize>, written: &str, generators: &[Generator]) -> Diagnostic {
    let end = written.find(|c: char| !c.is_alphabetic()).filter(|&end| end > 0).unwrap_or(written.len());
    let name = &written[..end];
    let names = || generators.iter().map(|generator| generator.name.as_str());
    let error = Diagnostic::at(span, format!("unknown generator `{name}`"));
    let expected = expected_names(names().take(50));
    match did_you_mean(name, names()) {
        Some(near) if generators.len() == 1 => error.help(format!("did you mean `{near}`?")),
        Some(near) => error.help(format!("did you mean `{near}`? {expected}")),
        None => error.help(expected),
    }
}
