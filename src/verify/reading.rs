//! Reads transcripts: their solutions, and the claims about them.
//!
//! A text has the header that every transcript has; JSON begins with a brace or a bracket; everything else is moves
//! separated by white space, on one line or several. Names of moves may look like a header or like JSON, so moves are
//! always a possible reading.

use serde_json::Value;
use std::path::Path;

/// The content of a transcript.
#[derive(Debug, PartialEq)]
pub(super) enum Claim {
    /// A claim that there is no solution, or that none was found, in its own words.
    NoSolution(String),
    /// Solutions, each with this cost.
    Solutions { solutions: Vec<ClaimedSolution>, cost: Option<f64> },
    /// Lines of moves, including blank ones.
    Lines(Vec<String>),
}

/// One solution.
#[derive(Debug, Default, PartialEq)]
pub(super) struct ClaimedSolution {
    /// The start, if it is drawn.
    pub start: Option<String>,
    /// The moves, each with the position after it, if it is drawn.
    pub moves: Vec<(String, Option<String>)>,
    /// True if these are words of moves, so that only the rules know where the next move begins.
    pub in_words: bool,
}

impl ClaimedSolution {
    pub fn of_moves<'a>(moves: impl Iterator<Item = &'a str>) -> ClaimedSolution {
        ClaimedSolution {
            start: None,
            moves: moves.map(|written| (written.to_owned(), None)).collect(),
            in_words: false,
        }
    }

    pub fn of_words<'a>(words: impl Iterator<Item = &'a str>) -> ClaimedSolution {
        ClaimedSolution { in_words: true, ..ClaimedSolution::of_moves(words) }
    }
}

/// Reads a transcript about the puzzle in the file `file`, with this title. Returns the most likely reading first, then
/// the other possible ones.
///
/// # Errors
/// For each reading: why it is not a transcript, or not one of this puzzle.
pub(super) fn readings(transcript: &str, file: &str, title: &str) -> Vec<Result<Claim, String>> {
    let transcript = transcript.trim_start_matches('\u{feff}');
    let raw: Vec<&str> = transcript.lines().collect();
    let lines: Vec<&str> = raw.iter().map(|line| line.trim_end()).collect();
    let heads: Vec<usize> = (0..lines.len()).filter(|&at| is_header(&lines, at)).collect();
    let first = transcript.trim_start();
    let by_look = if !heads.is_empty() {
        Some(of_title(&lines, &heads, title))
    } else if first.starts_with(['{', '[']) {
        Some(json(first, file))
    } else {
        None
    };
    let moves = Claim::Lines(raw.into_iter().map(str::to_owned).collect());
    by_look.into_iter().chain([Ok(moves)]).collect()
}

/// Reads the text with this title among those that begin at these lines; or the only one.
fn of_title(lines: &[&str], heads: &[usize], title: &str) -> Result<Claim, String> {
    let ends = heads[1..].iter().copied().chain([lines.len()]);
    let texts: Vec<&[&str]> = heads.iter().zip(ends).map(|(&head, end)| &lines[head..end]).collect();
    match &texts[..] {
        [one] => text(one),
        several => match several.iter().find(|text| text[0] == title.trim_end()) {
            Some(one) => text(one),
            None => Err(format!("none of its {} transcripts has the title `{title}`", several.len())),
        },
    }
}

/// Returns whether the header of a text begins here: the title, a blank line, the domain.
fn is_header(lines: &[&str], at: usize) -> bool {
    let domain = lines.get(at + 2).and_then(|line| line.strip_prefix("domain "));
    !lines[at].is_empty() && lines[at + 1..].first() == Some(&"") && domain.is_some()
}

fn text(lines: &[&str]) -> Result<Claim, String> {
    let header = lines[2..].iter().take_while(|line| !line.is_empty());
    let value = |name: &str| {
        let line = header.clone().find_map(|line| line.strip_prefix(name))?;
        line.starts_with(' ').then(|| line.trim())
    };
    let cost = match (value("cost"), value("outcome")) {
        (None, Some(outcome)) => return Ok(Claim::NoSolution(format!("the transcript claims `{outcome}`"))),
        (None, None) => return Err("its header has no line `cost` and no line `outcome`".to_owned()),
        (Some(cost), _) => {
            cost.split(',').next().and_then(|cost| cost.parse().ok()).filter(|cost: &f64| cost.is_finite())
        }
    };
    let Some(cost) = cost else { return Err("its line `cost` has no number".to_owned()) };
    let mut solutions: Vec<ClaimedSolution> = Vec::new();
    let mut body = lines[2 + header.count()..].iter().copied().peekable();
    let mut after_blank = false;
    // The drawing that lines are added to; none before the first heading.
    let mut drawing: Option<String> = None;
    while let Some(line) = body.next() {
        let head = if after_blank { head(line) } else { None };
        after_blank = line.is_empty();
        if head.is_some() {
            keep(&mut solutions, drawing.take());
        }
        match head {
            None => {
                if let Some(drawing) = &mut drawing {
                    *drawing += line;
                    drawing.push('\n');
                }
            }
            Some(Head::Solution) => {}
            Some(Head::Start) => {
                solutions.push(ClaimedSolution::default());
                drawing = Some(String::new());
            }
            Some(Head::Moves) => {
                // A board that is not drawn has a line of text in place of the drawing of its start.
                let written: Vec<&str> = body.by_ref().take_while(|line| !line.is_empty()).collect();
                let moves = match &written[..] {
                    [line] => ClaimedSolution::of_words(line.split_whitespace()),
                    lines => ClaimedSolution::of_moves(lines.iter().copied()),
                };
                match solutions.last_mut().filter(|last| last.moves.is_empty()) {
                    Some(last) => *last = ClaimedSolution { start: last.start.take(), ..moves },
                    None => solutions.push(moves),
                }
                after_blank = true;
            }
            Some(Head::Move(number, written)) => {
                let Some(last) = solutions.last_mut() else { return Err("a move stands before the start".to_owned()) };
                let expected = last.moves.len() + 1;
                if number != expected {
                    return Err(format!("move {} is followed by a move with the number {number}", expected - 1));
                }
                last.moves.push((written.to_owned(), None));
                drawing = Some(String::new());
            }
        }
    }
    keep(&mut solutions, drawing);
    if solutions.is_empty() {
        Err("it has no start".to_owned())
    } else {
        Ok(Claim::Solutions { solutions, cost: Some(cost) })
    }
}

/// Assigns a finished drawing to the last move, or to the start if there are no moves yet.
fn keep(solutions: &mut [ClaimedSolution], drawing: Option<String>) {
    let Some((last, drawing)) = solutions.last_mut().zip(drawing) else { return };
    match last.moves.last_mut() {
        Some((_, drawn)) => *drawn = Some(drawing),
        None => last.start = Some(drawing),
    }
}

/// A heading between the positions of a text.
enum Head<'a> {
    Start,
    /// A move with its number.
    Move(usize, &'a str),
    /// The beginning of one of several solutions.
    Solution,
    /// The heading of moves on a line, because the board is not drawn.
    Moves,
}

fn head(line: &str) -> Option<Head<'_>> {
    // The value of a heuristic is not a claim about the solution.
    let line = line.rsplit_once("  h = ").map_or(line, |(before, _)| before);
    match line {
        "start" => return Some(Head::Start),
        "moves" => return Some(Head::Moves),
        _ => {}
    }
    if line.strip_prefix("solution ").is_some_and(|which| which.contains(" of ")) {
        return Some(Head::Solution);
    }
    let (number, written) = line.split_once(". ")?;
    Some(Head::Move(number.parse().ok()?, written))
}

/// Reads the lines of `--format json`, or an array of moves.
fn json(text: &str, file: &str) -> Result<Claim, String> {
    let rows: Result<Vec<Value>, _> = serde_json::Deserializer::from_str(text).into_iter().collect();
    let rows = rows.map_err(|error| format!("its JSON cannot be read: {error}"))?;
    let row = match &rows[..] {
        [one] => one,
        several => named(several, file)?,
    };
    if let Some(moves) = row.as_array() {
        return Ok(Claim::Solutions { solutions: vec![strings(moves)?], cost: None });
    }
    let all = row["all"].as_array().filter(|all| !all.is_empty());
    let solutions = match (all, row["moves"].as_array()) {
        (Some(all), found) => {
            // The solution that was found need not be among the first ones that are listed.
            let found = found.filter(|found| all.iter().all(|listed| listed.as_array() != Some(*found)));
            let listed = all.iter().map(|moves| moves.as_array().map_or(&[][..], Vec::as_slice));
            let each = found.into_iter().map(Vec::as_slice).chain(listed);
            each.map(strings).collect::<Result<Vec<ClaimedSolution>, String>>()?
        }
        (None, Some(moves)) => vec![strings(moves)?],
        (None, None) => {
            let field_text = |field: &str| row[field].as_str().map(|value| format!("`{field}`: `{value}`"));
            let field_text: Vec<String> = ["outcome", "limit", "error"].into_iter().filter_map(field_text).collect();
            if field_text.is_empty() {
                return Err("its JSON has no field `moves`".to_owned());
            }
            return Ok(Claim::NoSolution(format!("the transcript claims {}", field_text.join(", "))));
        }
    };
    let cost = match &row["cost"] {
        Value::Null => None,
        cost => Some(cost.as_f64().ok_or("its `cost` is not a number")?),
    };
    Ok(Claim::Solutions { solutions, cost })
}

/// Returns the row of this file: by its path as written, otherwise by its file name.
fn named<'a>(rows: &'a [Value], file: &str) -> Result<&'a Value, String> {
    let name = |path: &'a Value| path["file"].as_str().and_then(|path| Path::new(path).file_name());
    let same_path = rows.iter().find(|row| row["file"].as_str() == Some(file));
    let mut same_name = rows.iter().filter(|row| name(row).is_some() && name(row) == Path::new(file).file_name());
    match (same_path, same_name.next(), same_name.next()) {
        (Some(row), ..) | (None, Some(row), None) => Ok(row),
        (None, Some(_), Some(_)) => {
            Err(format!("several of its {} lines are for a file with the name of `{file}`", rows.len()))
        }
        (None, None, _) => Err(format!("none of its {} lines is for the file `{file}`", rows.len())),
    }
}

fn strings(moves: &[Value]) -> Result<ClaimedSolution, String> {
    let written: Option<Vec<&str>> = moves.iter().map(Value::as_str).collect();
    Ok(ClaimedSolution::of_moves(written.ok_or("its moves are not all strings")?.into_iter()))
}
