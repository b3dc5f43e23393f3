//! The drawing of fences, whose spaces are places without one.

use super::SourceMap;
use crate::diagnostic::{Diagnostic, keep};
use crate::fences::Fences;
use toml::Spanned;

/// Reads the drawing of the fences of a grid of this size. Spaces at the ends of lines may be missing.
///
/// # Errors
/// Reports a wrong number of lines, lines that are too long, and characters that do not belong where they are.
pub fn read(text: &Spanned<String>, source: &str, (rows, columns): (usize, usize)) -> Result<Fences, Vec<Diagnostic>> {
    let (value, map) = (text.get_ref().as_str(), SourceMap::of(text, source));
    let lines: Vec<&str> = value.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line)).collect();
    let is_drawn = |line: &&str| !line.trim().is_empty();
    let first = lines.iter().position(is_drawn).unwrap_or(0);
    let last = lines.iter().rposition(is_drawn).map_or(first, |last| last + 1);
    let (height, width) = (2 * rows + 1, 2 * columns + 1);
    let size = || format!("a grid of {rows}x{columns} has fences of {height} lines of {width} characters");
    if last - first != height {
        let message = format!("the drawing of fences has {} lines, not {height}", last - first);
        return Err(vec![Diagnostic::at(text.span(), message).label(size())]);
    }
    let mut fences = Fences::none((rows, columns));
    let mut errors = Vec::new();
    for (y, line) in lines[first..last].iter().enumerate() {
        let start = line.as_ptr() as usize - value.as_ptr() as usize;
        // Only the place to the right of the last cell may be left out.
        let least = if y % 2 == 0 { width } else { width - 1 };
        if line.trim_end().chars().count() < least {
            let drawn = map.span(start..start + line.len());
            keep(&mut errors, || {
                Diagnostic::at(drawn, format!("line {} of the fences is too short", y + 1)).label(size())
            });
        }
        for (x, (at, character)) in line.char_indices().enumerate() {
            let span = || map.span(start + at..start + at + character.len_utf8());
            if x >= width {
                if !line[at..].trim_end().is_empty() {
                    let rest = map.span(start + at..start + line.trim_end().len());
                    keep(&mut errors, || {
                        Diagnostic::at(rest, format!("line {} of the fences is too long", y + 1)).label(size())
                    });
                }
                break;
            }
            let (expected, name) = match (y % 2, x % 2) {
                (1, 1) => (".", "a cell is `.`"),
                (0, 0) => ("+", "a corner is `+`"),
                (0, _) => ("- ", "between two rows is `-` (a fence) or a space"),
                _ => ("| ", "between two columns is `|` (a fence) or a space"),
            };
            if !expected.contains(character) {
                keep(&mut errors, || {
                    Diagnostic::at(span(), format!("invalid character `{character}` in fences")).label(name)
                });
            } else if matches!(character, '-' | '|') {
                fences.put(y, x);
            }
        }
    }
    if errors.is_empty() { Ok(fences) } else { Err(errors) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fences::{DOWN, LEFT, RIGHT, UP};

    fn read(drawing: &str, size: (usize, usize)) -> Result<Fences, Vec<String>> {
        let source = format!("text = \"\"\"\n{drawing}\"\"\"");
        let file: std::collections::BTreeMap<String, Spanned<String>> =
            toml::from_str(&source).expect("the test's file is TOML");
        let place = |error: &Diagnostic| {
            let span = error.span.clone().expect("each error has a place");
            format!("{}: {}", &source[span], error.message)
        };
        super::read(&file["text"], &source, size).map_err(|errors| errors.iter().map(place).collect())
    }

    const TWO_ROOMS: &str = "+-+-+-+\n|. .|.|\n+ +-+ +\n|. . .|\n+-+-+-+\n";

    #[test]
    fn a_drawing_of_fences_is_drawn_again_as_it_was() {
        let fences = read(TWO_ROOMS, (2, 3)).expect("the drawing is correct");
        assert_eq!(fences.drawn_around("...\n...\n"), TWO_ROOMS);
        assert!(fences.bars((0, 1), RIGHT) && fences.bars((0, 2), LEFT), "a fence has two sides");
        assert!(fences.bars((0, 1), DOWN) && !fences.bars((0, 0), DOWN) && fences.bars((0, 0), UP));
    }

    #[test]
    fn the_frame_stands_between_opposite_cells() {
        let open = read("+ + + +\n . . .\n+ + + +\n", (1, 3)).expect("spaces at the ends may be missing");
        assert!(!open.bars((0, 2), RIGHT));
        let closed = read("+ + + +\n . . .|\n+ + + +\n", (1, 3)).expect("the drawing is correct");
        assert!(closed.bars((0, 2), RIGHT) && closed.bars((0, 0), LEFT));
        assert!(!closed.bars((0, 0), RIGHT));
    }

    #[test]
    fn fences_are_lines_as_long_as_they_can_be() {
        let fences = read(TWO_ROOMS, (2, 3)).expect("the drawing is correct");
        let expected = [
            ((0, 0), (0, 3)),
            ((1, 1), (1, 2)),
            ((2, 0), (2, 3)),
            ((0, 0), (2, 0)),
            ((0, 2), (1, 2)),
            ((0, 3), (2, 3)),
        ];
        assert_eq!(fences.lines(), expected);
    }

    #[test]
    fn each_mistake_in_fences_is_reported_where_it_is() {
        let mistakes = read("+|+-+x\n|a .|\n+-+-o\n", (1, 2)).expect_err("there are four mistakes");
        let expected = [
            "|: invalid character `|` in fences",
            "x: line 1 of the fences is too long",
            "a: invalid character `a` in fences",
            "o: invalid character `o` in fences",
        ];
        assert_eq!(mistakes, expected);
        let narrow = read("+-+\n|.\n+-+-+\n", (1, 2)).expect_err("two lines are too short");
        assert_eq!(narrow, ["+-+: line 1 of the fences is too short", "|.: line 2 of the fences is too short"]);
        let short = read("+-+\n|.|\n", (1, 1)).expect_err("a line is missing");
        assert!(short[0].ends_with("the drawing of fences has 2 lines, not 3"), "{short:?}");
    }
}
