//! Fixes of errors: what *did you mean* suggests, put in the place of what is written.

use crate::diagnostic::Diagnostic;
use std::ops::Range;

/// Returns the bytes that a fix of an error replaces, and by which text; none if the error suggests nothing.
#[must_use]
pub fn fix(text: &str, error: &Diagnostic) -> Option<(Range<usize>, String)> {
    let said = error.help.as_deref().filter(|help| help.contains("did you mean"));
    let (_, meant) = said.unwrap_or(&error.message).split_once("did you mean `")?;
    let meant = meant.split_once('`')?.0.trim_matches('\'');
    let span = error.span.clone()?;
    let written = text.get(span.clone())?;
    let quoted = |text: &str| text.trim_matches(['"', '\'']).to_owned();
    let wrong = error.message.split('`').nth(1).map(quoted);
    let inner = {
        let trimmed = quoted(written);
        let start = span.start + written.find(&trimmed)?;
        start..start + trimmed.len()
    };
    let place = match wrong {
        // Games do not distinguish capitals.
        Some(wrong) if !text[inner.clone()].eq_ignore_ascii_case(&wrong) => {
            let mut places = word_places(text, &inner, &wrong);
            places.next().filter(|_| places.next().is_none())?
        }
        _ => inner,
    };
    (text[place.clone()] != *meant).then(|| (place, meant.to_owned()))
}

/// Returns the places of a word within a range, those where letters or digits touch it left out.
pub(super) fn word_places<'t>(
    text: &'t str,
    within: &Range<usize>,
    word: &'t str,
) -> impl Iterator<Item = Range<usize>> + use<'t> {
    let start = within.start;
    let part = &text[within.clone()];
    let is_part = |letter: Option<char>| letter.is_some_and(|letter| letter.is_alphanumeric() || letter == '_');
    let found = part.match_indices(word).filter(move |(at, found)| {
        !is_part(part[..*at].chars().next_back()) && !is_part(part[at + found.len()..].chars().next())
    });
    found.filter(|(_, found)| !found.is_empty()).map(move |(at, found)| start + at..start + at + found.len())
}
