//! Paths of SVG in puzzle files: checked and written anew, so that a picture contains only what is a path.

use std::fmt::Write as _;

/// The greatest length of a path, in bytes.
const LONGEST: usize = 1 << 14;

/// Returns a path in a uniform notation: each command with its numbers, as the SVG specification (W3C, Scalable Vector
/// Graphics 2, 2018, section 9.3) defines them.
///
/// # Errors
/// Returns the byte at which something is wrong, and what would be right.
pub fn checked(text: &str) -> Result<String, (usize, String)> {
    if text.len() > LONGEST {
        return Err((0, format!("expected at most {LONGEST} bytes")));
    }
    let mut reader = Reader { text, at: 0 };
    let mut out = String::new();
    reader.skip(false);
    while let Some(command) = reader.rest().chars().next() {
        let place = reader.at;
        let Some(count) = numbers(command) else {
            let expected = if out.is_empty() { "`M`, where a path begins" } else { "a command such as `L` or `Z`" };
            return Err((place, format!("expected {expected}")));
        };
        if out.is_empty() && !matches!(command, 'M' | 'm') {
            return Err((place, "expected `M`, where a path begins".to_owned()));
        }
        reader.at += 1;
        out.push(command);
        let is_arc = matches!(command, 'A' | 'a');
        let mut read = 0;
        while count > 0 && (read == 0 || read % count != 0 || reader.is_at_number()) {
            let is_flag = is_arc && matches!(read % count, 3 | 4);
            let number = if is_flag { reader.flag() } else { reader.number() };
            let number = number.ok_or_else(|| {
                let what = if is_flag { "0 or 1" } else { "a number" };
                (reader.at, format!("expected {what}: `{command}` has {count} numbers"))
            })?;
            let _ = write!(out, "{}{number}", if read > 0 { " " } else { "" });
            read += 1;
        }
        reader.skip(false);
    }
    if out.is_empty() { Err((0, "the path is empty".to_owned())) } else { Ok(out) }
}

/// Returns the number of numbers of a command.
fn numbers(command: char) -> Option<usize> {
    Some(match command.to_ascii_uppercase() {
        'Z' => 0,
        'H' | 'V' => 1,
        'M' | 'L' | 'T' => 2,
        'S' | 'Q' => 4,
        'C' => 6,
        'A' => 7,
        _ => return None,
    })
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl<'a> Reader<'a> {
    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Skips white space and, if `with_comma`, one comma.
    fn skip(&mut self, with_comma: bool) {
        let space = |text: &str| text.len() - text.trim_start_matches([' ', '\t', '\n', '\r', '\u{c}']).len();
        self.at += space(self.rest());
        if with_comma && self.rest().starts_with(',') {
            self.at += 1;
            self.at += space(self.rest());
        }
    }

    fn is_at_number(&mut self) -> bool {
        self.skip(true);
        self.rest().starts_with(|first: char| first.is_ascii_digit() || matches!(first, '+' | '-' | '.'))
    }

    fn flag(&mut self) -> Option<f64> {
        self.skip(true);
        let flag = self.rest().chars().next().filter(|flag| matches!(flag, '0' | '1'))?;
        self.at += 1;
        Some(if flag == '1' { 1.0 } else { 0.0 })
    }

    fn number(&mut self) -> Option<f64> {
        self.skip(true);
        let bytes = self.rest().as_bytes();
        let digits = |from: usize| bytes[from..].iter().take_while(|byte| byte.is_ascii_digit()).count();
        let mut end = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
        let whole = digits(end);
        end += whole;
        let mut fraction = 0;
        if bytes.get(end) == Some(&b'.') {
            fraction = digits(end + 1);
            end += 1 + fraction;
        }
        if whole + fraction == 0 {
            return None;
        }
        if matches!(bytes.get(end), Some(b'e' | b'E')) {
            let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
            let exponent = digits(end + 1 + sign);
            end += if exponent > 0 { 1 + sign + exponent } else { 0 };
        }
        let number: f64 =
            self.rest()[..end].trim_end_matches('.').parse().ok().filter(|number: &f64| number.abs() < 1e6)?;
        self.at += end;
        Some(number)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_written_in_one_notation() {
        let same = |text: &str, expected: &str| assert_eq!(checked(text).as_deref(), Ok(expected), "{text}");
        same("M12 2 L22 22 H2 Z", "M12 2L22 22H2Z");
        same(" m.5-.5,1e1 2z ", "m0.5 -0.5 10 2z");
        same("M0,0C1 2 3 4 5 6 7 8 9 10 11 12", "M0 0C1 2 3 4 5 6 7 8 9 10 11 12");
        same("M1 1a3 3 0 016 0", "M1 1a3 3 0 0 1 6 0");
    }

    #[test]
    fn what_is_no_path_is_refused_at_its_place() {
        for (text, at) in
            [("", 0), ("L1 2", 0), ("M1", 2), ("M1 2 L3", 7), ("M1 2\"><script>", 4), ("M1 2 a3 3 0 2 0 1 1", 12)]
        {
            let (place, message) = checked(text).expect_err(text);
            assert_eq!(place, at, "{text}: {message}");
        }
        assert!(checked(&"M1 1".repeat(LONGEST)).is_err() && checked("M1e9 0").is_err());
    }
}
