//! Playing line by line: words in, positions out, for pipes and simple terminals.
//!
//! The output depends only on the puzzle and the words: searches are limited by the number of positions, never by time.

use super::Status;
use crate::diagnostic::printable;
use crate::play::{Game, Guide, Known, number};
use crate::puzzle::Options;
use crate::search::Limits;
use std::io::{self, BufRead, IsTerminal, Read, Write};

/// The default limit on the positions of a search.
const MAX_NODES: u64 = 2_000_000;

/// Longer lines are read in parts.
const MAX_LINE_BYTES: u64 = 1 << 16;

const HELP: &str = "\
A line is a move, or several, as `moves` lists them, or one of these words:
  u d l r     move the only piece that can move up, down, left or right
  undo, redo  undo a move, redo it
  restart     return to the start
  hint        the next move of a shortest solution
  moves       list the legal moves
  help, ?     this text
  quit, q     end the game
If a move has the name of a command, write the command with a colon: :undo.
";

/// Sets the default limits of searches.
pub(super) fn within(limits: &mut Limits) {
    limits.nodes.get_or_insert(MAX_NODES);
}

/// Plays until the input ends.
pub(super) fn play(mut game: Game, options: Options) -> io::Result<Status> {
    let is_asked = io::stdin().is_terminal();
    let mut input = io::stdin().lock();
    let mut lines = Lines { guide: Guide::new(options), out: io::stdout().lock() };
    writeln!(lines.out, "{}\n", printable(game.puzzle().title()))?;
    lines.show(&game)?;
    if game.is_solved() {
        lines.solved(&game)?;
    }
    loop {
        if is_asked {
            write!(lines.out, "> ")?;
        }
        lines.out.flush()?;
        let mut line = Vec::new();
        if (&mut input).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
            return Ok(Status::Good);
        }
        let line = String::from_utf8_lossy(&line);
        let mut words: &[&str] = &line.split_whitespace().collect::<Vec<_>>();
        while !words.is_empty() {
            let (taken, rest) = words.split_at(game.words(words));
            words = rest;
            match lines.execute(&mut game, &taken.join(" "))? {
                Then::GoOn => {}
                Then::LeaveTheRest => break,
                Then::Quit => return Ok(Status::Good),
            }
        }
    }
}

/// The action after a word.
enum Then {
    GoOn,
    LeaveTheRest,
    Quit,
}

struct Lines<W> {
    guide: Guide,
    out: W,
}

impl<W: Write> Lines<W> {
    fn execute(&mut self, game: &mut Game, word: &str) -> io::Result<Then> {
        // A word that is the name of a legal move is that move.
        let order = word.strip_prefix(':').filter(|order| !order.is_empty()).unwrap_or(word);
        let order = if game.legal().iter().any(|legal| legal == word) { "" } else { order };
        match order {
            "q" | "quit" | "exit" => return Ok(Then::Quit),
            "help" | "?" => self.out.write_all(HELP.as_bytes())?,
            "moves" => {
                let apart = if game.legal().iter().any(|legal| legal.contains(' ')) { ", " } else { " " };
                writeln!(self.out, "legal: {}", printable(&game.legal().join(apart)))?;
            }
            "hint" => self.hint(game)?,
            "undo" => match game.undo() {
                Some(written) => self.back(game, &format!("{written} undone"))?,
                None => writeln!(self.out, "no move to undo")?,
            },
            "redo" => match game.redo() {
                Some(written) => self.made(game, &written)?,
                None => writeln!(self.out, "no move to redo")?,
            },
            "restart" => {
                game.restart();
                self.back(game, "at the start")?;
            }
            _ => match game.play(word) {
                Ok(written) => self.made(game, &written)?,
                Err(reason) => {
                    writeln!(self.out, "{}", printable(&format!("not a move here: {word}: {reason}")))?;
                    return Ok(Then::LeaveTheRest);
                }
            },
        }
        Ok(Then::GoOn)
    }

    fn show(&mut self, game: &Game) -> io::Result<()> {
        writeln!(self.out, "{}", printable(&game.draw()))
    }

    fn back(&mut self, game: &Game, what: &str) -> io::Result<()> {
        writeln!(self.out, "{}", printable(what))?;
        self.show(game)
    }

    fn made(&mut self, game: &Game, written: &str) -> io::Result<()> {
        self.back(game, &format!("{}. {written}", game.made().len()))?;
        if game.is_solved() { self.solved(game) } else { Ok(()) }
    }

    /// Compares the cost with the one that the file claims, otherwise with the result of a short search.
    fn solved(&mut self, game: &Game) -> io::Result<()> {
        let claimed = game.puzzle().expect().cost;
        let found = claimed.is_none().then(|| Game::new(game.puzzle().clone(), game.notation()));
        let found = found.and_then(|start| match self.guide.find(&start) {
            Some(Known::Path { cost, shortest: true, .. }) => Some(*cost),
            _ => None,
        });
        writeln!(self.out, "{}", game.verdict(claimed.or(found)))
    }

    fn hint(&mut self, game: &Game) -> io::Result<()> {
        let hint = match self.guide.find(game) {
            Some(Known::Path { next: None, .. }) => "already solved".to_owned(),
            Some(Known::Path { next: Some(next), moves, cost, shortest }) => {
                let kind = if *shortest { "shortest " } else { "" };
                let cost = if (cost - *moves as f64).abs() < 1e-9 {
                    String::new()
                } else {
                    format!(", cost {}", number(*cost))
                };
                format!("hint: {next}, the first of {moves} on a {kind}path to the goal{cost}")
            }
            Some(Known::NoPath(reason)) => {
                let reason = reason.as_ref().map_or(String::new(), |reason| format!(": {reason}"));
                format!("no solution from here{reason}")
            }
            Some(Known::GaveUp(why)) => format!("no hint: {why}"),
            None => "no hint".to_owned(),
        };
        writeln!(self.out, "{}", printable(&hint))
    }
}
