//! The text formats of Sokoban levels, `.xsb` and `.sok`.
//!
//! A level is a block of lines with walls. Everything else is text: lines `Title:`, `Author:` and `Comment:`, names of
//! levels alone on a line, comments after `;` or `::`, solutions. Both formats write the names of levels above or below
//! them; a file does one or the other.

use super::super::diagnostic::Diagnostic;
use super::super::domain::{BuildContext, run_length};
use super::board::{Cell, MAX_CELLS, is_symbol};
use super::{Draft, Drafts, Rows};
use std::ops::Range;

/// A line, with its bytes in the text.
#[derive(Clone)]
struct Line<'a> {
    text: &'a str,
    start: usize,
}

impl Line<'_> {
    fn span(&self) -> Range<usize> {
        self.start..self.start + self.text.len()
    }
}

/// Returns the lines, without white space at their ends and without a byte order mark.
fn lines(text: &str) -> Vec<Line<'_>> {
    let (text, all) = (text.trim_start_matches('\u{feff}'), text);
    let mut start = all.len() - text.len();
    let line = |whole: &'_ str| {
        let line = (whole.len(), start);
        start += whole.len();
        line
    };
    let places: Vec<(usize, usize)> = text.split_inclusive('\n').map(line).collect();
    places.into_iter().map(|(length, start)| Line { text: all[start..start + length].trim_end(), start }).collect()
}

/// Returns whether a text is likely to have Sokoban levels: a block of three rows or more, with a man and a box.
pub(super) fn recognizes(text: &str) -> bool {
    let has = |block: &&[Line], symbols: &[char]| block.iter().any(|line| line.text.contains(symbols));
    let lines = lines(text);
    blocks(&lines, &Comments::of(&lines), &BuildContext::default()).into_iter().any(|block| {
        let block = &lines[block];
        let is_long = block.len() > 2 || block.iter().any(|line| line.text.contains('|'));
        is_long && has(&block, &['@', '+']) && has(&block, &['$', '*'])
    })
}

/// Returns the blocks of lines that are boards.
fn blocks(lines: &[Line], comments: &Comments, context: &BuildContext) -> Vec<Range<usize>> {
    let mut blocks: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    // The end of the last faulty rows that were counted: each line is counted once.
    let mut faulty_end = 0;
    while at < lines.len() && !context.should_stop() {
        if let Some(end) = comments.end(at).filter(|&end| end < lines.len()) {
            at = end + 1;
            continue;
        }
        let start = at;
        while at < lines.len() && (is_row(lines[at].text, at > start) || is_faulty_level(lines[at].text)) {
            at += 1;
            // A row with mistakes among rows belongs to the level, and is reported with it.
            if faulty_end <= at {
                faulty_end = at + lines[at..].iter().take_while(|line| is_faulty_row(line.text)).count();
            }
            if lines.get(faulty_end).is_some_and(|line| is_row(line.text, true)) {
                at = faulty_end;
            }
        }
        // Two lines of walls are an ornament, not a level.
        let is_level = at - start > 2 || lines[start..at].iter().any(|line| line.text.contains(['@', '+', '$', '|']));
        if at > start && is_level {
            blocks.push(start..at);
        }
        at = at.max(start + 1);
    }
    blocks
}

/// Returns whether a line is a row of a board. The first row needs a wall, and so do rows of letters, which may be
/// words.
fn is_row(line: &str, continues: bool) -> bool {
    let is_encoded = line.contains(|c: char| c.is_ascii_digit() || "()|".contains(c));
    let fits = |c: char| is_symbol(c) || (is_encoded && !line.contains([' ', '\t']) && "()|0123456789".contains(c));
    let has_walls = line.contains('#') && !(is_encoded && line.ends_with(|c: char| c.is_ascii_digit()));
    let may_be_words = is_encoded || line.contains(char::is_alphabetic);
    !line.is_empty() && line.chars().all(fits) && (has_walls || (continues && !may_be_words))
}

/// Returns whether a line between rows is likely to be meant as a row, too: it begins with a wall, and characters of no
/// board are a third at most.
fn is_faulty_row(line: &str) -> bool {
    let strays = line.chars().filter(|&c| !is_symbol(c)).count();
    line.trim_start().starts_with('#') && strays > 0 && 3 * strays <= line.chars().count()
}

/// Returns whether a line is likely to be meant as a level on one line: rows with walls, of which the first and the last
/// begin with one, and few characters of no board.
fn is_faulty_level(line: &str) -> bool {
    let strays = line.chars().filter(|&c| !is_symbol(c) && !"()|0123456789".contains(c)).count();
    let begins =
        |row: &str| row.trim_start_matches(|c: char| c.is_ascii_digit() || "( -_".contains(c)).starts_with('#');
    let ends = line.split('|').next().is_some_and(begins) && line.split('|').next_back().is_some_and(begins);
    line.matches('|').count() > 1 && ends && strays > 0 && 6 * strays <= line.chars().count()
}

/// The comments of several lines, by their first lines and the line after which each ends, both in order.
struct Comments {
    starts: Vec<usize>,
    ends: Vec<usize>,
}

impl Comments {
    fn of(lines: &[Line]) -> Comments {
        let with = |name: &str| {
            (0..lines.len()).filter(|&at| key(lines[at].text).is_some_and(|(key, _)| key == name)).collect()
        };
        Comments { starts: with("comment"), ends: with("commentend") }
    }

    /// Returns the last line of a comment that begins here.
    fn end(&self, at: usize) -> Option<usize> {
        self.starts.binary_search(&at).ok()?;
        self.ends.get(self.ends.partition_point(|&end| end <= at)).copied()
    }
}

/// Returns the key of a line `Key: value`, in lower case without hyphens, and the value.
fn key(line: &str) -> Option<(String, &str)> {
    let (key, value) = plain(line).split_once(':')?;
    let key: String = key.trim().chars().filter(|c| !"-_ ".contains(*c)).collect::<String>().to_lowercase();
    const KEYS: [&str; 16] = [
        "title",
        "author",
        "comment",
        "commentend",
        "collection",
        "set",
        "date",
        "datecreated",
        "datelastchange",
        "copyright",
        "email",
        "homepage",
        "url",
        "id",
        "difficulty",
        "solver",
    ];
    KEYS.contains(&key.as_str()).then(|| (key, value.trim()))
}

/// Returns a line without the sign of a comment in front of it, and without quotation marks around it.
fn plain(line: &str) -> &str {
    let line = line.trim();
    let quoted = line.strip_prefix('\'').and_then(|line| line.strip_suffix('\''));
    quoted.unwrap_or_else(|| line.trim_start_matches([';', '\''])).trim()
}

/// Returns the rows of the level at these bytes.
pub(super) fn rows(text: &str, span: &Range<usize>) -> Rows {
    let (mut rows, mut cells) = (Vec::new(), 0);
    for line in lines(&text[span.clone()]) {
        let line = Line { start: span.start + line.start, ..line };
        if line.text.len() > MAX_CELLS {
            let message = format!("the row is too long: it has more than {MAX_CELLS} characters");
            return Err(Diagnostic::at(line.span(), message));
        }
        let mut start = line.start;
        for encoded in line.text.split('|') {
            let row = row(encoded, start)?;
            start += encoded.len() + 1;
            cells += 1 + row.len();
            rows.push(row);
            // Empty floor around the board does not count, but has its end, too.
            if cells > MOST_WRITTEN {
                let message = format!("the board is too large: it has more than {MAX_CELLS} cells");
                return Err(Diagnostic::at(span.clone(), message).label("this level"));
            }
        }
    }
    Ok(rows)
}

/// The greatest number of rows and characters of a board with the empty floor around it.
const MOST_WRITTEN: usize = 16 * MAX_CELLS;

/// Returns the cells of a row that may be run-length encoded and starts at a byte.
fn row(encoded: &str, start: usize) -> Result<Vec<Cell>, Diagnostic> {
    let shifted = |span: Range<usize>| start + span.start..start + span.end;
    let cells = run_length::expand(encoded, MAX_CELLS);
    let cells = cells.map_err(|error| Diagnostic::at(shifted(error.span), error.message))?;
    let mut cells: Vec<Cell> = cells.into_iter().map(|(symbol, span)| (symbol, shifted(span))).collect();
    // All bytes of a row belong to its cells: also the number of a first run, and the end of a last group.
    cells.first_mut().into_iter().for_each(|(_, span)| span.start = start);
    cells.last_mut().into_iter().for_each(|(_, span)| span.end = start + encoded.len());
    Ok(cells)
}

/// The text between two boards.
#[derive(Default)]
struct Between {
    titles: Vec<String>,
    authors: Vec<String>,
    collection: Option<String>,
    comment: Option<String>,
    /// A line alone between blank lines, if it is the first and if it is the last of all paragraphs.
    first: Option<String>,
    last: Option<String>,
}

impl Between {
    /// Reads some of the lines.
    fn read(all: &[Line], Range { start, end }: Range<usize>, comments: &Comments) -> Between {
        let lines = &all[..end];
        let mut between = Between::default();
        let mut paragraphs: Vec<Vec<&str>> = vec![Vec::new()];
        let mut in_solution = false;
        let mut at = start;
        while at < lines.len() {
            let line = lines[at].text;
            if let Some(end) = comments.end(at).filter(|&end| end < lines.len()) {
                let value = key(line).map_or("", |(_, value)| value);
                let inner = lines[at + 1..end].iter().map(|line| line.text);
                between.comment = Some(std::iter::once(value).chain(inner).collect::<Vec<_>>().join(" "));
                at = end + 1;
                continue;
            }
            at += 1;
            let text = plain(line);
            if line.trim_start().starts_with("::") {
                continue;
            }
            // A line of strokes is an ornament.
            if !text.contains(char::is_alphanumeric) {
                in_solution = false;
                paragraphs.push(Vec::new());
                continue;
            }
            match key(line) {
                Some((key, value)) => match key.as_str() {
                    "title" => between.titles.push(value.to_owned()),
                    "author" => between.authors.push(value.to_owned()),
                    "collection" | "set" => between.collection = Some(value.to_owned()),
                    "comment" => between.comment = Some(value.to_owned()),
                    _ => {}
                },
                None if begins_solution(text) => in_solution = true,
                None if in_solution || is_solution(text) => {}
                None => paragraphs.last_mut().expect("there is a paragraph").push(text),
            }
        }
        let paragraphs: Vec<Vec<&str>> = paragraphs.into_iter().filter(|lines| !lines.is_empty()).collect();
        let alone = |paragraph: Option<&Vec<&str>>| match paragraph.map(Vec::as_slice) {
            Some([line]) => Some((*line).to_owned()),
            _ => None,
        };
        (between.first, between.last) = (alone(paragraphs.first()), alone(paragraphs.last()));
        between
    }
}

/// Returns whether a line is the heading of a solution or of a saved game.
fn begins_solution(line: &str) -> bool {
    let line = line.to_lowercase();
    ["solution", "snapshot", "saved game", "best solution"].iter().any(|heading| line.starts_with(heading))
}

/// Returns whether a line is the moves of a solution.
fn is_solution(line: &str) -> bool {
    line.len() >= 8 && line.chars().all(|c| "udlrUDLR0123456789()|*".contains(c))
}

/// Reads all levels, without their rows. A limit may end it.
pub(super) fn read(text: &str, context: &BuildContext) -> Drafts {
    let lines = lines(text);
    let comments = Comments::of(&lines);
    let blocks = blocks(&lines, &comments, context);
    let ends = std::iter::once(0).chain(blocks.iter().map(|block| block.end));
    let starts = blocks.iter().map(|block| block.start).chain([lines.len()]);
    let between = |(from, to)| Between::read(&lines, from..to, &comments);
    let texts: Vec<Between> = ends.zip(starts).take_while(|_| !context.should_stop()).map(between).collect();
    if texts.len() <= blocks.len() {
        return Drafts::default();
    }
    let (Some(head), Some(tail)) = (texts.first(), texts.last()) else { return Drafts::default() };
    // The text after the last level shows whether names stand below their levels.
    let keys_below = !tail.titles.is_empty() || !tail.authors.is_empty();
    let names_below = head.last.is_none() && tail.first.is_some();
    let several = |below: bool| usize::from(!below);
    let collection = head.collection.clone().or_else(|| {
        // Above the levels, the first of two titles is that of the collection.
        let own = head.titles.first().filter(|_| head.titles.len() > several(keys_below));
        own.cloned()
    });
    let author = head.authors.first().filter(|_| head.authors.len() > several(keys_below) || blocks.len() == 1);
    let same_for_all = texts[1..].iter().all(|between| between.authors.is_empty());
    let author = author.or_else(|| head.authors.first().filter(|_| same_for_all)).cloned();
    let levels = blocks.iter().enumerate().map(|(number, block)| {
        let (above, below) = (&texts[number], &texts[number + 1]);
        let keys = if keys_below { below } else { above };
        let pick = |values: &Vec<String>| if keys_below { values.first().cloned() } else { values.last().cloned() };
        let name = if names_below { below.first.clone() } else { above.last.clone() };
        Draft {
            span: lines[block.start].start..lines[block.end - 1].span().end,
            title: pick(&keys.titles).or(name),
            author: pick(&keys.authors),
            comment: keys.comment.clone(),
        }
    });
    Drafts { title: collection, author, levels: levels.collect() }
}

#[cfg(test)]
mod tests {
    use super::super::board::SokobanBoard;
    use super::*;

    fn read(text: &str) -> Drafts {
        super::read(text, &BuildContext::default())
    }

    const BOARD: &str = "#####\n#@$.#\n#####\n";

    fn titles(text: &str) -> (Option<String>, Vec<Option<String>>) {
        let drafts = read(text);
        (drafts.title, drafts.levels.into_iter().map(|level| level.title).collect())
    }

    fn some(texts: &[&str]) -> Vec<Option<String>> {
        texts.iter().map(|text| Some((*text).to_owned())).collect()
    }

    #[test]
    fn names_stand_above_or_below_their_levels() {
        let above = format!("; A collection\n; in two lines\n\n; 1\n\n{BOARD}\n; Two\n{BOARD}");
        assert_eq!(titles(&above), (None, some(&["1", "Two"])));
        let below = format!("{BOARD}; 1\n\n{BOARD}; Two\n");
        assert_eq!(titles(&below), (None, some(&["1", "Two"])));
        let keys_below = format!(
            "Collection: Small ones\nAuthor: Ann\n\n{BOARD}Title: First\n\n{BOARD}Title: Second\nAuthor: Bob\n"
        );
        assert_eq!(titles(&keys_below), (Some("Small ones".to_owned()), some(&["First", "Second"])));
        let drafts = read(&keys_below);
        let authors: Vec<Option<&str>> = drafts.levels.iter().map(|level| level.author.as_deref()).collect();
        assert_eq!((drafts.author.as_deref(), authors), (Some("Ann"), vec![None, Some("Bob")]));
        let keys_above = format!("Title: All\nTitle: First\n{BOARD}\nTitle: Second\nComment: easy\n{BOARD}");
        assert_eq!(titles(&keys_above), (Some("All".to_owned()), some(&["First", "Second"])));
        assert_eq!(read(&keys_above).levels[1].comment.as_deref(), Some("easy"));
    }

    #[test]
    fn solutions_and_comments_are_no_names_and_no_levels() {
        let text = format!(
            ":: a program wrote this\nOne\n\n{BOARD}\nSolution/Pushes\nuldrULDR\nR\n\nSnapshot (3)\nrr\n\nTwo\n\n{BOARD}\
             Comment:\n{BOARD}Comment-End:\nlurdlurdR\n"
        );
        assert_eq!(titles(&text), (None, some(&["One", "Two"])));
        assert_eq!(titles("####### ornament #######\n#######\n\nno level here #\n"), (None, vec![]));
        assert_eq!(titles(&format!("====\nOne\n====\n\n{BOARD}\n'Two'\n\n{BOARD}")), (None, some(&["One", "Two"])));
        assert_eq!(titles(&format!("____\n{BOARD}----\n")), (None, vec![None]));
        assert!(!recognizes("Once upon a time\n"));
        assert!(recognizes(&text));
    }

    #[test]
    fn a_row_with_mistakes_is_reported_with_its_level() {
        let faulty = |row: &str| format!("One\n\n{BOARD}\nTwo\n\n#######\n{row}\n#######\n\nThree\n\n{BOARD}");
        for row in ["#@$ .x#", "#@$ . #x", "# \u{2022}$. #", "#@$..?#\n#x    #", "#@$. #\n#..  x\n#$   #"] {
            let text = faulty(row);
            assert_eq!(titles(&text), (None, some(&["One", "Two", "Three"])), "{row}");
            let span = read(&text).levels.remove(1).span;
            let rows = rows(&text, &span).expect("no row is encoded");
            let error = SokobanBoard::read(&rows, span).expect_err(row).remove(0);
            assert!(error.message.ends_with("is not a symbol of a board"), "{row}: {}", error.message);
            let at = error.span.expect("it has a place").start;
            assert!(!is_symbol(text[at..].chars().next().expect("a character")), "{row}");
        }
        let text = "5#|#@$.#|5#\n\n5#|#@$x.#|5#\n\n5#|#@-$.#|5#\n";
        let span = read(text).levels.remove(1).span;
        let error =
            SokobanBoard::read(&rows(text, &span).expect("its numbers are right"), span).expect_err("x").remove(0);
        assert_eq!(error.span, Some(19..20), "{}", error.message);
        for name in ["Bob", "pop"] {
            assert_eq!(titles(&format!("{BOARD}{name}\n\n{BOARD}{name} 2\n")).1, some(&[name, &format!("{name} 2")]));
        }
        // A name between two boards without blank lines is none.
        assert_eq!(read(&format!("{BOARD}Level #2\n{BOARD}# 3 of many #\n{BOARD}")).levels.len(), 3);
    }

    #[test]
    fn a_byte_order_mark_is_no_text() {
        let drafts = read(&format!("\u{feff}{BOARD}"));
        assert_eq!((drafts.levels.len(), drafts.levels[0].span.clone()), (1, 3..20));
        assert_eq!(titles(&format!("\u{feff}; One\n\n{BOARD}")), (None, some(&["One"])));
    }

    #[test]
    fn rows_may_be_run_length_encoded() {
        let row = |cells: &[Cell]| cells.iter().map(|(symbol, _)| symbol).collect::<String>();
        let board = |text: &str| {
            rows(text, &read(text).levels[0].span).map(|rows| rows.iter().map(|cells| row(cells)).collect())
        };
        let plain: Vec<String> = vec!["#####".to_owned(), "#@$.#".to_owned(), "#####".to_owned()];
        for text in [BOARD, "5#\n#@$.#\n5#\n", "5#|#@$.#|5#\n", "\u{feff}Title: x\r\n5#|#@$.#|2(2#)#\r\n"] {
            assert_eq!(board(text).as_ref(), Ok(&plain), "{text}");
        }
        let wrong = board("5#|#@$.#|2(2#\n").expect_err("a group is open");
        assert_eq!((wrong.message.as_str(), wrong.span), ("unmatched `(`", Some(9..13)));
        assert!(board(&format!("{}@\n#\n#\n", "#".repeat(20_000))).is_err());
    }
}
