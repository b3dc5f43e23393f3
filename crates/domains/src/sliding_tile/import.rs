//! The importer of plain boards of numbers.

use crate::argument::counted;
use crate::diagnostic::Diagnostic;
use crate::domain::import::{ImportSource, Importer, Recognition, drawing};

inventory::submit! {
    Importer {
        name: "tiles",
        summary: "a plain board of tiles: rows of numbers with 0 or `.` for the blank, optionally after the size, as N or as \
                  rows and columns; 9, 16 or 25 numbers on one line are a square, `--rows` is for others",
        is_fallback: false,
        options: &["--rows"],
        recognize,
        keys: plain_board,
    }
}

/// The numbers of tiles that are a square board without a size, if they stand on one line.
const SQUARES: [usize; 3] = [9, 16, 25];

/// Returns the words of each line that has some, without comments.
fn words_of(text: &str) -> Vec<Vec<&str>> {
    let separates = |c: char| c.is_whitespace() || c == ',';
    let bare = text.lines().map(|line| line.split_once('#').map_or(line, |(before, _)| before));
    let words = bare.map(|line| line.split(separates).filter(|word| !word.is_empty()).collect::<Vec<_>>());
    words.filter(|line| !line.is_empty()).collect()
}

fn recognize(input: &ImportSource) -> Recognition {
    let words = words_of(input.text).concat();
    let is_tile = |word: &&str| *word == "." || word.bytes().all(|c| c.is_ascii_digit());
    let count = words.iter().filter(|word| is_tile(word)).count();
    match words.iter().find(|word| !is_tile(word)) {
        None if words.is_empty() => Recognition::No,
        None => Recognition::Yes("a board of numbered tiles".to_owned()),
        Some(other) if count > 2 && 2 * count > words.len() => Recognition::Near(format!("`{other}` is no number")),
        Some(_) => Recognition::No,
    }
}

fn plain_board(input: &ImportSource) -> Result<String, Diagnostic> {
    let lines = words_of(input.text);
    let words: Vec<&str> = lines.concat();
    let count = words.len();
    let in_rows_of = |words: &[&str], columns: usize| words.chunks(columns).map(|row| row.join(" ")).collect();
    let square = SQUARES.contains(&count).then(|| count.isqrt());
    let rows: Vec<String> = match (input.rows, size(&lines, &words)) {
        (Some(rows), _) if rows == 0 || !count.is_multiple_of(rows) || (lines.len() > 1 && lines.len() != rows) => {
            let message =
                format!("{count} numbers on {} do not make {}", counted(lines.len(), "line"), counted(rows, "row"));
            return Err(Diagnostic::whole(message).help("give another number to `--rows`, or leave it out"));
        }
        (Some(rows), _) => in_rows_of(&words, (count / rows).max(1)),
        (None, Some((columns, before))) => in_rows_of(&words[before..], columns),
        (None, None) if lines.len() == 1 && count > 1 => match square {
            Some(side) => in_rows_of(&words, side),
            None => {
                let message = format!("{count} numbers on one line: the number of rows is not known");
                let help = "add `--rows N`, such as `--rows 2`, or write each row on a line of its own";
                return Err(Diagnostic::whole(message).help(help));
            }
        },
        (None, None) => {
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

    fn read(text: &str, rows: Option<usize>) -> Result<String, String> {
        let source = ImportSource { text, goals: &[], rows, folder: Folder::of("".as_ref(), false) };
        plain_board(&source).map_err(|error| error.message)
    }

    fn start(text: &str) -> String {
        let keys = read(text, None).expect("these are numbers");
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
        assert_eq!(start("2\n1 2\n3 ."), "1 2/3 .");
    }

    #[test]
    fn a_size_is_recognized_before_a_wrong_board() {
        assert_eq!(start("3\n1 2 3\n4 5 6\n7 8 8"), "1 2 3/4 5 6/7 8 8");
        assert_eq!(start("3\n1 2 3\n4 5 6\n7 8"), "1 2 3/4 5 6/7 8");
    }

    #[test]
    fn numbers_on_one_line_are_a_square_or_need_their_rows() {
        assert_eq!(start("1 2 3 4 5 6 7 8 0"), "1 2 3/4 5 6/7 8 0");
        assert_eq!(start("# eight\n1, 2, 3, 4, 5, 6, 7, 8, 0 # solved"), "1 2 3/4 5 6/7 8 0");
        assert_eq!(start(&(0..25).map(|tile| format!("{tile} ")).collect::<String>()).matches('/').count(), 4);
        for wrong in ["1 2 0", "0 1 2 3", "1 2 3 4 5 0"] {
            let message = read(wrong, None).expect_err("the rows are not known");
            assert!(message.contains("the number of rows is not known"), "{message}");
        }
        assert!(read("1 2 3 4 5 0", Some(2)).is_ok_and(|keys| keys.contains("1 2 3\n4 5 0\n")));
        assert!(read("1 2 0", Some(1)).is_ok_and(|keys| keys.contains("\n1 2 0\n")));
        assert!(read("1 2 3 4 5 6 7 8 0", Some(9)).is_ok_and(|keys| keys.contains("\n1\n2\n")));
        assert_eq!(read("1 2 0", Some(2)), Err("3 numbers on 1 line do not make 2 rows".to_owned()));
        assert_eq!(read("1 2\n3 0", Some(1)), Err("4 numbers on 2 lines do not make 1 row".to_owned()));
        assert!(read("1 2 0", Some(0)).is_err());
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
