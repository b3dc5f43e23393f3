//! Run-length encoded text: `3#2(-$)` stands for `###-$-$`.
//!
//! Collections of Sokoban levels write boards and solutions so: a number repeats the next character, or the next group
//! in parentheses.

use std::ops::Range;

/// The greatest depth of groups within groups.
const MAX_DEPTH: usize = 16;

/// An error in run-length encoded text: its place in the text, and what is wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLengthError {
    /// The bytes that are wrong.
    pub span: Range<usize>,
    /// A message without the place.
    pub message: &'static str,
}

/// Expands a text into its characters, each with its bytes in the text. Text without digits and parentheses stands for
/// itself.
///
/// # Errors
/// A number repeats nothing, a parenthesis has no partner, or there are more than `most` characters.
pub fn expand(text: &str, most: usize) -> Result<Vec<(char, Range<usize>)>, RunLengthError> {
    // The open groups, each with its repetitions and the start of its characters in `out`.
    let mut groups: Vec<(usize, usize, usize)> = Vec::new();
    let mut out: Vec<(char, Range<usize>)> = Vec::new();
    let mut count: Option<(usize, usize)> = None;
    let error = |span: Range<usize>, message| Err(RunLengthError { span, message });
    for (at, c) in text.char_indices() {
        let end = at + c.len_utf8();
        if let Some(digit) = c.to_digit(10) {
            let (start, before) = count.unwrap_or((at, 0));
            count = Some((start, before.saturating_mul(10).saturating_add(digit as usize)));
            continue;
        }
        let (start, times) = count.take().unwrap_or((at, 1));
        // What is repeated, and how often.
        let (from, times, start) = match c {
            '(' if groups.len() == MAX_DEPTH => return error(at..end, "groups are nested too deeply"),
            '(' => {
                groups.push((start, times, out.len()));
                continue;
            }
            ')' if start < at => return error(start..at, "nothing to repeat after this number"),
            ')' => match groups.pop() {
                Some((start, times, from)) => (from, times, start),
                None => return error(at..end, "unmatched `)`"),
            },
            _ => {
                out.push((c, at..end));
                (out.len() - 1, times, start)
            }
        };
        let length = out.len() - from;
        match times {
            0 => out.truncate(from),
            // Repeating an empty group takes as many steps as the number says.
            _ if length == 0 => {}
            _ if length.saturating_mul(times - 1).saturating_add(out.len()) > most => {
                return error(start..end, "this is too long");
            }
            _ => (1..times).for_each(|_| out.extend_from_within(from..from + length)),
        }
    }
    match (count, groups.pop()) {
        (Some((start, _)), _) => error(start..text.len(), "nothing to repeat after this number"),
        (None, Some((start, ..))) => error(start..text.len(), "unmatched `(`"),
        (None, None) => Ok(out),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_repeat_characters_and_groups() {
        let text = |encoded: &str| expand(encoded, 100).map(|cells| cells.iter().map(|(c, _)| c).collect::<String>());
        let same: [(&str, &str); 6] = [
            ("", ""),
            ("#@-", "#@-"),
            ("3#2-$", "###--$"),
            ("2(a2(bc)d)", "abcbcdabcbcd"),
            ("(ab)c", "abc"),
            ("0a12b", "bbbbbbbbbbbb"),
        ];
        for (encoded, expanded) in same {
            assert_eq!(text(encoded).as_deref(), Ok(expanded), "{encoded}");
        }
        assert_eq!(text("#99999999999999999999()$").as_deref(), Ok("#$"));
        let wrong = |encoded: &str| expand(encoded, 100).map_err(|error| (error.span, error.message)).unwrap_err();
        assert_eq!(wrong("a12"), (1..3, "nothing to repeat after this number"));
        assert_eq!(wrong("(a3)"), (2..3, "nothing to repeat after this number"));
        assert_eq!(wrong("a)"), (1..2, "unmatched `)`"));
        assert_eq!(wrong("a2(b"), (1..4, "unmatched `(`"));
        assert_eq!(wrong("99999999999999999999a"), (0..21, "this is too long"));
        assert_eq!(wrong("50(50a)"), (0..7, "this is too long"));
        assert_eq!(wrong(&"(".repeat(17)), (16..17, "groups are nested too deeply"));
        assert_eq!(expand("2é", 9).map(|cells| cells[1].clone()), Ok(('é', 1..3)));
    }
}
