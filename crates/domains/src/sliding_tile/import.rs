//! The importer of plain boards of numbers.

use crate::diagnostic::Diagnostic;
use crate::domain::import::{ImportSource, Importer, drawing};

inventory::submit! {
    Importer {
        name: "tiles",
        summary: "a plain board of tiles: optionally the size, as N or as rows and columns, then rows of numbers with 0 for \
                  the blank",
        is_fallback: false,
        recognizes: |input| {
            let mut words = input.text.split_whitespace().peekable();
            words.peek().is_some() && words.all(|word| word == "." || word.bytes().all(|c| c.is_ascii_digit()))
        },
        keys: plain_board,
    }
}

fn plain_board(input: &ImportSource) -> Result<String, Diagnostic> {
    let lines: Vec<Vec<&str>> = input.text.lines().map(|line| line.split_whitespace().collect()).collect();
    let lines: Vec<Vec<&str>> = lines.into_iter().filter(|line: &Vec<&str>| !line.is_empty()).collect();
    let words: Vec<&str> = lines.concat();
    let rows: Vec<String> = match size(&lines, &words) {
        Some((columns, before)) => words[before..].chunks(columns).map(|row| row.join(" ")).collect(),
        None => {
            // If the size does not match the board, it is still not one of the rows: the error is then reported for the
            // rows.
            let is_size = matches!(&lines[..], [first, second, ..] if first.len() <= 2
                && first.len() != second.len()
                && number(first[first.len() - 1]) == Some(second.len())
                && !is_board(&words));
            lines[usize::from(is_size)..].iter().map(|row| row.join(" ")).collect()
        }
    };
    Ok(format!("domain = \"sliding-tile\"\nstart = {}\n", drawing(&rows)))
}

/// Returns the number of columns in a size before the board, and the number of its words, or `None` without a size.
fn size(lines: &[Vec<&str>], words: &[&str]) -> Option<(usize, usize)> {
    let side = |at: usize| words.get(at).and_then(|word| number(word));
    let sizes = [side(0).map(|side| (side, side, 1)), side(0).zip(side(1)).map(|(rows, columns)| (rows, columns, 2))];
    let fits = |&(rows, columns, before): &(usize, usize, usize)| {
        let (size, board) = words.split_at(before);
        let alone = lines.first().is_some_and(|line| line.len() == size.len());
        let counts = columns > 0 && rows.checked_mul(columns) == Some(board.len());
        // If all words together form a board, there is no size, unless the first words stand alone before another
        // board.
        counts && if is_board(words) { alone && is_board(board) } else { alone || is_board(board) }
    };
    sizes.into_iter().flatten().find(fits).map(|(_, columns, before)| (columns, before))
}

/// Returns whether the words are the tiles of a board, each once.
fn is_board(words: &[&str]) -> bool {
    let mut tiles: Vec<usize> = words.iter().map(|word| number(word).unwrap_or(0)).collect();
    tiles.sort_unstable();
    tiles.into_iter().eq(0..words.len())
}

fn number(word: &str) -> Option<usize> {
    word.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::plain_board;
    use crate::domain::Folder;
    use crate::domain::import::ImportSource;

    fn start(text: &str) -> String {
        let keys = plain_board(&ImportSource { text, goals: &[], folder: Folder::of("".as_ref(), false) })
            .expect("these are numbers");
        let start = keys.split("\"\"\"").nth(1).expect("there is a drawing");
        start.trim().replace('\n', "/")
    }

    #[test]
    fn a_size_is_distinguished_from_a_row() {
        assert_eq!(start("3\n 1  2  3\n 4  5  6\n 7  8  0\n"), "1 2 3/4 5 6/7 8 0");
        assert_eq!(start("2 3\n1 2 3\n4 5 0"), "1 2 3/4 5 0");
        assert_eq!(start("1 2 3\n4 5 0"), "1 2 3/4 5 0");
        assert_eq!(start("3\n1 2 3 4 5 6 7 8 0"), "1 2 3/4 5 6/7 8 0");
        assert_eq!(start("2 3 1 2 3 4 5 0"), "1 2 3/4 5 0");
        assert_eq!(start("2 2\n1 2\n3 0"), "1 2/3 0");
        assert_eq!(start("1\n0"), "0", "a size and one cell");
        assert_eq!(start("1\n."), ".", "a size and one cell");
        assert_eq!(start("2\n0\n1\n3\n4"), "2/0/1/3/4", "a column, although its first number could be a size");
        assert_eq!(start("3 1\n1\n2\n0"), "1/2/0");
        assert_eq!(start("1 2 0"), "1 2 0");
        assert_eq!(start("2\n1 2\n3 ."), "1 2/3 .");
    }

    #[test]
    fn a_size_is_recognized_before_a_wrong_board() {
        assert_eq!(start("3\n1 2 3\n4 5 6\n7 8 8"), "1 2 3/4 5 6/7 8 8");
        assert_eq!(start("3\n1 2 3\n4 5 6\n7 8"), "1 2 3/4 5 6/7 8");
    }

    #[test]
    fn squares_of_all_sizes_are_read() {
        for side in 1..=100 {
            let row = |row: usize| (0..side).map(|c| (row * side + c).to_string()).collect::<Vec<_>>().join(" ");
            let rows: Vec<String> = (0..side).map(row).collect();
            assert_eq!(start(&format!("{side}\n{}\n", rows.join("\n"))), rows.join("/"));
        }
    }
}
