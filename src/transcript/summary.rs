//! Summaries of solutions for people at a terminal: the most important facts first.
//!
//! A summary is for reading, a transcript for comparing and replaying. So a summary contains the time, fits the
//! terminal, draws only the start, and cuts long lists of moves.

use super::compare::duration;
use super::{
    BlankLine, Content, Count, FileArgument, Number, Solved, Terminal, TranscriptFormat, TranscriptWriter, each_route,
    explanation,
};
use crate::diagnostic::is_hidden;
use crate::plot::text::{Row, counted, wrap};
use crate::plot::thousands;
use crate::puzzle::{Outcome, Puzzle, Solution, Style};
use crate::search::Limit;
use std::io::{self, Write};
use unicode_width::UnicodeWidthStr;

/// The column at which lists of moves wrap, even in a wider terminal: longer lines are hard to read.
const MAX_COLUMNS: usize = 100;

/// The greatest number of lines of moves, without the line that counts the rest.
const MAX_LINES: usize = 10;

/// The escape sequences of the colours for outcomes, title and hints.
const GREEN: &str = "1;32";
const YELLOW: &str = "1;33";
const RED: &str = "1;31";
const BOLD: &str = "1";
const DIM: &str = "2";

/// The format `summary`.
pub const SUMMARY: TranscriptFormat = TranscriptFormat {
    name: "summary",
    summary: "the outcome, the start and the moves",
    writer: TranscriptWriter {
        hints: Some(hints),
        content: Content::Explanation,
        blank_line: BlankLine::Always,
        ..TranscriptWriter::new(|out, solved| {
            write(out, solved)?;
            let explanation = explanation(solved.solution);
            if explanation.is_empty() { Ok(()) } else { write!(out, "\n{explanation}") }
        })
    },
};

fn write(out: &mut dyn Write, solved: &Solved) -> io::Result<()> {
    let Solved { file, puzzle, solution, notation, terminal, .. } = *solved;
    let metric = puzzle.metric().map_or(String::new(), |metric| format!(", metric {metric}"));
    let seed = puzzle.seed().map_or(String::new(), |seed| format!(", seed {seed}"));
    writeln!(out, "{} · {}{metric}{seed}\n", terminal.paint(BOLD, puzzle.title()), puzzle.domain().name)?;
    let moves = solution.moves_in(notation);
    let (colour, ended, rest) = headline(solution, &moves);
    let head = format!("{ended}{rest} ({})", effort(solution));
    for line in [vec![head], details(solution)].concat() {
        for row in wrap(line.split_whitespace(), " ", terminal.columns) {
            match row.text.strip_prefix(&ended) {
                Some(rest) => writeln!(out, "{}{rest}", terminal.paint(colour, &ended))?,
                None => writeln!(out, "{}", row.text)?,
            }
        }
    }
    if let Some(table) = solution.refutation().and_then(|refutation| refutation.table.as_ref()) {
        write!(out, "\n{table}")?;
    }
    write!(out, "\n{}", start(file, puzzle, terminal))?;
    if moves.is_empty() {
        return Ok(());
    }
    if solution.all_shortest().is_none() {
        writeln!(out)?;
        return write_moves(out, &moves, terminal);
    }
    each_route(solution, |number, route| {
        if let (Some(number), Some(solutions)) = (number, solution.solutions()) {
            let head = format!("solution {number} of {}", exact(solutions));
            writeln!(out, "\n{}", terminal.paint(DIM, &head))?;
        }
        write_moves(out, &route.moves(notation), terminal)
    })
}

/// Returns how the search ended, its colour, and the rest of the first line.
fn headline(solution: &Solution, moves: &[String]) -> (&'static str, String, String) {
    let stopped = solution.limit().map_or_else(String::new, Limit::words);
    let proof = if solution.is_optimal() { ", proven shortest" } else { ", not proven shortest" };
    match (solution.outcome(), solution.cost()) {
        (Outcome::Solved, _) if moves.is_empty() => {
            (GREEN, "already solved".to_owned(), ": the start is a goal".into())
        }
        // Counting all shortest solutions may have stopped after the first was found.
        (outcome, Some(cost)) if outcome == Outcome::Solved || solution.is_optimal() => {
            (GREEN, "solved".to_owned(), format!(" in {}{proof}", length(cost, moves)))
        }
        (Outcome::Limit, Some(cost)) => (YELLOW, stopped, format!(" with a solution of {}", length(cost, moves))),
        (Outcome::Unsolvable, _) if solution.stats().expanded == 0 => {
            (RED, "unsolvable".to_owned(), ", proven without a search".to_owned())
        }
        (Outcome::Unsolvable, _) => (RED, "unsolvable".to_owned(), ", proven".to_owned()),
        _ => (YELLOW, stopped, " without a solution".to_owned()),
    }
}

/// Returns the number of moves, and the cost if it is a different number.
fn length(cost: f64, moves: &[String]) -> String {
    let number = counted(moves.len() as u64, "move");
    if cost == moves.len() as f64 { number } else { format!("{number} at cost {}", Number(cost).rounded()) }
}

/// Returns the algorithm, its heuristic, and the time.
fn effort(solution: &Solution) -> String {
    let time = duration(solution.time().as_secs_f64());
    if solution.outcome() == Outcome::Unsolvable && solution.stats().expanded == 0 {
        return time;
    }
    let algorithm = solution.algorithm();
    match solution.heuristic().filter(|_| algorithm.facts().informed) {
        Some(heuristic) => format!("{} with {heuristic}, {time}", algorithm.name()),
        None => format!("{}, {time}", algorithm.name()),
    }
}

/// Returns the lines below the first: the reason, the lower bound, the number of shortest solutions.
fn details(solution: &Solution) -> Vec<String> {
    let mut lines = Vec::new();
    if solution.outcome() == Outcome::Unsolvable {
        lines.push(format!("Reason: {}", solution.reason().unwrap_or("it has no solution")));
    }
    if solution.outcome() == Outcome::Limit && solution.route().is_some() && !solution.is_optimal() {
        lines.push("A shorter solution may exist.".to_owned());
    }
    if let Some(reason) = solution.lack_of_proof().filter(|_| solution.cost().is_some()) {
        lines.push(format!("Not proven: {reason}."));
    }
    // A bound rounded down still holds.
    let bound = solution.lower_bound().filter(|&bound| bound > 0.0 && !solution.is_optimal());
    lines.extend(bound.map(|bound| format!("No solution costs less than {}.", Number((bound * 1e3).floor() / 1e3))));
    let ended = solution.limit().filter(|_| solution.outcome() == Outcome::Limit && solution.is_optimal());
    lines.extend(match (solution.solutions(), ended) {
        (Some(1), _) => Some("It is the only shortest solution.".to_owned()),
        (Some(solutions), _) => Some(format!("There are {} shortest solutions.", exact(solutions))),
        (None, Some(limit)) => Some(format!("Counting the shortest solutions was {}.", limit.words())),
        (None, None) => None,
    });
    lines
}

/// Formats a number of solutions for people.
fn exact(solutions: u128) -> String {
    if solutions == u128::MAX { Count(solutions).to_string() } else { thousands(solutions) }
}

/// Returns the drawing of the start, or the command to draw it if the terminal is too small.
fn start(file: FileArgument, puzzle: &Puzzle, terminal: Terminal) -> String {
    let drawn = puzzle.draw(Style::Drawn);
    let is_wide = drawn.lines().any(|line| line.width() > terminal.columns);
    if !is_wide && terminal.lines.is_none_or(|lines| drawn.lines().count() <= lines) {
        return drawn;
    }
    format!(
        "The start ({}) is too large for the terminal. Draw it:\nengine render {} -o {}\n",
        puzzle.size(),
        file.arguments(),
        file.picture("svg")
    )
}

/// Writes the moves on a few lines, and the number of those left out.
fn write_moves(out: &mut dyn Write, moves: &[String], terminal: Terminal) -> io::Result<()> {
    // If names of moves contain spaces, a space would not show where a move ends.
    let separator = if moves.iter().any(|written| written.contains(char::is_whitespace)) { " · " } else { " " };
    let mut rows = wrap(moves.iter().map(String::as_str), separator, terminal.columns.min(MAX_COLUMNS));
    let shown: Vec<Row> = rows.by_ref().take(MAX_LINES + 1).collect();
    let left: usize = rows.map(|row| row.words).sum();
    // A line that counts a single remaining line would take as much room as that line.
    let whole = if left == 0 { shown.len() } else { MAX_LINES };
    for row in &shown[..whole] {
        writeln!(out, "{}", row.text)?;
    }
    match left + shown[whole..].iter().map(|row| row.words).sum::<usize>() {
        0 => Ok(()),
        more => writeln!(out, "{}", terminal.paint(DIM, &format!("… and {} more", thousands(more)))),
    }
}

/// Returns the commands that show more of a solution, one a line; none if the file name cannot be printed safely.
fn hints(&Solved { file, puzzle, solution, terminal, .. }: &Solved) -> String {
    if file.file.contains(is_hidden) {
        return String::new();
    }
    let arguments = file.arguments();
    let mut lines = Vec::new();
    if solution.route().is_some() {
        // If positions are too large to be drawn, a transcript contains only the moves.
        let format = if puzzle.is_drawn() { "text" } else { "boards" };
        lines.push(("Every position", format!("engine solve {arguments} --format {format}")));
        if puzzle.is_drawn() {
            lines.push(("Watch it", format!("engine render {arguments} -o {}", file.picture("html"))));
        }
    }
    lines.push(("Play it", format!("engine play {arguments}")));
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let line = |(name, command)| format!("{}  {command}\n", terminal.paint(DIM, &format!("{name:<width$}")));
    lines.into_iter().map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::puzzle::Options;
    use crate::search::{Algorithm, Limits};

    const FIVE: &str = "title = \"Five\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n4 1 3\n0 2 6\n7 5 8\n\"\"\"\n";

    fn summary(text: &str, options: &Options, terminal: Terminal) -> String {
        let puzzle = Puzzle::parse(text, "p.toml").unwrap_or_else(|report| panic!("{report}"));
        let solution = puzzle.solve(options).unwrap_or_else(|error| panic!("{error}"));
        let mut out = Vec::new();
        let solved = Solved { terminal, ..Solved::new("dir/a b.toml", &puzzle, &solution) };
        write(&mut out, &solved).expect("writing to memory cannot fail");
        let out = String::from_utf8(out).expect("the output is UTF-8") + "\n" + &hints(&solved);
        // Only the time varies.
        out.replacen(&duration(solution.time().as_secs_f64()), "T s", 1)
    }

    fn with(algorithm: &str) -> Options {
        Options { algorithm: Algorithm::named(algorithm), ..Options::default() }
    }

    #[test]
    fn a_summary_has_the_outcome_the_start_the_moves_and_hints() {
        let expected = "\
Five · sliding-tile, metric single

solved in 5 moves, proven shortest (bfs, T s)

4 1 3
. 2 6
7 5 8

4d 1l 2u 5u 8l

Every position  engine solve 'dir/a b.toml' --format text
Watch it        engine render 'dir/a b.toml' -o 'a b.html'
Play it         engine play 'dir/a b.toml'
";
        assert_eq!(summary(FIVE, &with("bfs"), Terminal::default()), expected);
        let coloured = summary(FIVE, &with("bfs"), Terminal { colour: true, ..Terminal::default() });
        assert!(coloured.starts_with("\x1b[1mFive\x1b[0m · sliding-tile"), "{coloured:?}");
        assert!(coloured.contains("\n\x1b[1;32msolved\x1b[0m in 5 moves"), "{coloured:?}");
    }

    #[test]
    fn all_shortest_solutions_are_numbered() {
        let square = "title = \"Square\"\ndomain = \"maze\"\nmap = \"\"\"\nS.\n.G\n\"\"\"\n";
        let all = |listed| summary(square, &Options { all_shortest: Some(listed), ..with("bfs") }, Terminal::default());
        assert!(all(0).contains("(bfs, T s)\nThere are 2 shortest solutions.\n\nS.\n.G\n\n"), "{}", all(0));
        assert!(all(9).contains("\n\nsolution 1 of 2\n") && all(9).contains("\n\nsolution 2 of 2\n"), "{}", all(9));
        assert_eq!(all(1).matches("solution 1 of 2").count(), 1);
        assert!(
            summary(FIVE, &Options { all_shortest: Some(0), ..with("bfs") }, Terminal::default())
                .contains("\nIt is the only shortest solution.\n")
        );
    }

    #[test]
    fn outcomes_without_a_proof_or_a_solution_name_the_reason() {
        let stuck = "title = \"None\"\ndomain = \"sliding-tile\"\nstart = \"1 2\\n. 3\"\ngoal = \"blank-first\"\n";
        let none = summary(stuck, &Options::default(), Terminal::default());
        let ended =
            "unsolvable, proven without a search (T s)\nReason: the board is an even permutation of the goal (2 ";
        assert!(none.contains(ended) && !none.contains("Watch it") && none.contains("Play it"), "{none}");
        let limits = Limits { nodes: Some(1), ..Limits::default() };
        let stopped = summary(FIVE, &Options { limits, ..with("bfs") }, Terminal::default());
        let ended = "stopped at the nodes limit without a solution (bfs, T s)\nNo solution costs less than ";
        assert!(stopped.contains(ended), "{stopped}");
        let deep = summary(FIVE, &with("dfs"), Terminal::default());
        assert!(deep.contains(" moves, not proven shortest (dfs, T s)\n"), "{deep}");
        let solved = FIVE.replace("4 1 3\n0 2 6\n7 5 8", "1 2 3\n4 5 6\n7 8 0");
        let solved = summary(&solved, &with("bfs"), Terminal::default());
        assert!(
            solved.contains("already solved: the start is a goal (bfs, T s)\n\n1 2 3\n4 5 6\n7 8 .\n\n"),
            "{solved}"
        );
    }

    #[test]
    fn the_cost_is_printed_if_it_is_not_the_number_of_moves() {
        let maze = "title = \"Mud\"\ndomain = \"maze\"\nmoves = \"diagonal\"\nmap = \"\"\"\nS..\n...\n..G\n\"\"\"\n";
        let dear = summary(maze, &Options::default(), Terminal::default());
        assert!(dear.contains("solved in 2 moves at cost 2.828, proven shortest (a-star with octile, T s)"), "{dear}");
    }

    #[test]
    fn a_start_larger_than_the_terminal_is_replaced_by_its_size() {
        let small = |columns, lines| summary(FIVE, &with("bfs"), Terminal { columns, lines, colour: false });
        let named = "\n\nThe start (3x3) is too large for the terminal. Draw it:\n\
                     engine render 'dir/a b.toml' -o 'a b.svg'\n\n";
        assert!(small(80, Some(2)).contains(named) && !small(80, Some(3)).contains(named));
        assert!(small(4, None).contains(named) && !small(5, None).contains(named));
    }

    /// Returns the lines of a list of moves.
    fn lines(moves: &[String], columns: usize) -> Vec<String> {
        let mut out = Vec::new();
        write_moves(&mut out, moves, Terminal { columns, ..Terminal::default() })
            .expect("writing to memory cannot fail");
        String::from_utf8(out).expect("the output is UTF-8").lines().map(str::to_owned).collect()
    }

    #[test]
    fn moves_are_wrapped_and_long_lists_are_cut() {
        let moves = |number| vec!["5l".to_owned(); number];
        let ten = ["5l 5l 5l 5l"; 10].map(str::to_owned);
        assert_eq!(lines(&moves(40), 11), ten);
        assert_eq!(lines(&moves(41), 11).last().map(String::as_str), Some("5l"), "a single further line is printed");
        let cut = lines(&moves(4000), 12);
        assert!(cut[..10] == ten && cut[10..] == ["… and 3,960 more"], "{cut:?}");
        assert!(lines(&moves(1000), 500).iter().all(|line| line.len() <= MAX_COLUMNS));
        let spaced = ["go 0,0".to_owned(), "go 0,1".to_owned(), "a very long name".to_owned()];
        assert_eq!(lines(&spaced, 15), ["go 0,0 · go 0,1", "a very long na…"]);
        assert_eq!(lines(&["棋".to_owned(), "棋".to_owned()], 4), ["棋", "棋"], "wide letters take two columns");
    }
}
