//! Playing line by line: words in, positions out, for pipes, simple terminals and screen readers.
//!
//! The output depends only on the puzzle and the words: searches are limited by the number of positions, never by time.

use super::Status;
use crate::cli::failure::{Ended, Failure};
use crate::cli::goal::{beside_goal, conditions};
use crate::cli::streams::{Printed, stdout};
use crate::document::into_composed;
use crate::picture::Picture;
use crate::play::{Game, Guide, Known, goal_in_words, number};
use crate::plot::text::counted;
use crate::puzzle::{Options, Source};
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
  mark, back  set a checkpoint, return to it
  hint        the next move of a shortest solution
  moves       list the legal moves
  look        the position, in words with --plain
  goal        the goal beside the position, in words with --plain
  levels      list the levels of a collection
  level N     play level N; next, previous: the one after or before
  help, ?     this text
  quit, q     end the game
If a move has the name of a command, write the command with a colon: :undo.
";

/// Sets the default limits of searches.
pub(super) fn within(limits: &mut Limits) {
    limits.nodes.get_or_insert(MAX_NODES);
}

/// The levels of a collection, or one game.
pub(super) struct Levels<'a> {
    sources: Vec<Source>,
    index: usize,
    load: &'a dyn Fn(&Source) -> Result<Game, Failure>,
}

/// The form of positions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Voice {
    /// Drawings.
    Drawn,
    /// Sentences.
    Words,
}

/// Plays one game until the input ends.
pub(super) fn play_game(game: Game, options: Options, voice: Voice) -> Ended {
    let load = |_: &Source| -> Result<Game, Failure> { Err(Failure::refused("there is one level", "")) };
    Lines::new(Levels { sources: Vec::new(), index: 0, load: &load }, options, voice).play(game)
}

/// Plays the levels of a collection, from the first one on, until the input ends.
pub(super) fn play_levels(
    sources: Vec<Source>,
    load: &dyn Fn(&Source) -> Result<Game, Failure>,
    options: Options,
    voice: Voice,
) -> Ended {
    let first = load(&sources[0])?;
    Lines::new(Levels { sources, index: 0, load }, options, voice).play(first)
}

/// The action after a word.
enum Then {
    GoOn,
    LeaveTheRest,
    Quit,
}

struct Lines<'a, W> {
    levels: Levels<'a>,
    options: Options,
    voice: Voice,
    guide: Guide,
    checkpoint: Vec<String>,
    out: W,
}

impl<'a> Lines<'a, Printed<io::Stdout>> {
    fn new(levels: Levels<'a>, options: Options, voice: Voice) -> Self {
        let guide = Guide::new(options.clone());
        Lines { levels, options, voice, guide, checkpoint: Vec::new(), out: stdout() }
    }
}

impl<W: Write> Lines<'_, W> {
    /// Plays until the input ends.
    fn play(mut self, mut game: Game) -> Ended {
        let is_asked = io::stdin().is_terminal();
        let mut input = io::stdin().lock();
        self.begin(&game)?;
        loop {
            if is_asked {
                write!(self.out, "> ")?;
            }
            self.out.flush()?;
            let mut line = Vec::new();
            if (&mut input).take(MAX_LINE_BYTES).read_until(b'\n', &mut line)? == 0 {
                return Ok(Status::Good);
            }
            let line = into_composed(String::from_utf8_lossy(&line).into_owned());
            let mut words: &[&str] = &line.split_whitespace().collect::<Vec<_>>();
            while !words.is_empty() {
                let (taken, rest) = words.split_at(self.words(&game, words));
                words = rest;
                match self.execute(&mut game, &taken.join(" "))? {
                    Then::GoOn => {}
                    Then::LeaveTheRest => break,
                    Then::Quit => return Ok(Status::Good),
                }
            }
        }
    }

    /// Returns how many of the words ahead are the next move or command.
    fn words(&self, game: &Game, ahead: &[&str]) -> usize {
        let is_level = matches!(ahead, ["level" | ":level", number, ..] if number.parse::<usize>().is_ok());
        if is_level && !self.levels.sources.is_empty() { 2 } else { game.words(ahead) }
    }

    /// Shows the beginning of a game.
    fn begin(&mut self, game: &Game) -> io::Result<()> {
        let level = match self.levels.sources.len() {
            0 => String::new(),
            count => format!("level {} of {count}: ", self.levels.index + 1),
        };
        writeln!(self.out, "{level}{}\n", game.puzzle().title())?;
        if let Some(description) = &game.puzzle().about().description {
            writeln!(self.out, "{}\n", description.trim_end())?;
        }
        self.messages(game)?;
        self.goal(game)?;
        match self.voice {
            Voice::Drawn => writeln!(self.out)?,
            Voice::Words => self.show(game)?,
        }
        if game.is_solved() { self.solved(game) } else { Ok(()) }
    }

    fn execute(&mut self, game: &mut Game, word: &str) -> io::Result<Then> {
        // A word that is the name of a legal move is that move.
        let order = word.strip_prefix(':').filter(|order| !order.is_empty()).unwrap_or(word);
        let order = if game.legal().iter().any(|legal| legal == word) { "" } else { order };
        let level = order.strip_prefix("level ").and_then(|number| number.parse::<usize>().ok());
        match order {
            "q" | "quit" | "exit" => return Ok(Then::Quit),
            "help" | "?" => self.out.write_all(HELP.as_bytes())?,
            "moves" => {
                let apart = if game.legal().iter().any(|legal| legal.contains(' ')) { ", " } else { " " };
                writeln!(self.out, "legal: {}", game.legal().join(apart))?;
            }
            "look" => self.show(game)?,
            "goal" => self.goal(game)?,
            "hint" => self.hint(game)?,
            "undo" => match game.undo().last() {
                Some(written) => self.back(game, &format!("{written} undone"))?,
                None => writeln!(self.out, "no move to undo")?,
            },
            "redo" => {
                let before = game.picture().cloned();
                match game.redo().last() {
                    Some(written) => self.made(game, written, before.as_ref())?,
                    None => writeln!(self.out, "no move to redo")?,
                }
            }
            "restart" => {
                game.restart();
                self.back(game, "at the start")?;
            }
            "mark" => {
                self.checkpoint = game.made().to_vec();
                writeln!(self.out, "checkpoint after {}", counted(self.checkpoint.len() as u64, "move"))?;
            }
            "back" => match game.go_to(&self.checkpoint) {
                Ok(()) => self.back(game, &format!("after {}", counted(self.checkpoint.len() as u64, "move")))?,
                Err(reason) => writeln!(self.out, "{reason}")?,
            },
            "levels" if !self.levels.sources.is_empty() => self.list_levels()?,
            "next" if !self.levels.sources.is_empty() => return self.go_to_level(game, self.levels.index + 1),
            "previous" if !self.levels.sources.is_empty() => {
                return self.go_to_level(game, self.levels.index.wrapping_sub(1));
            }
            _ if level.is_some() && !self.levels.sources.is_empty() => {
                return self.go_to_level(game, level.unwrap_or(0).wrapping_sub(1));
            }
            _ => {
                let before = game.picture().cloned();
                match game.play(word) {
                    Ok(written) => self.made(game, &written, before.as_ref())?,
                    Err(reason) => {
                        writeln!(self.out, "not a move here: {word}: {reason}")?;
                        return Ok(Then::LeaveTheRest);
                    }
                }
            }
        }
        Ok(Then::GoOn)
    }

    fn list_levels(&mut self) -> io::Result<()> {
        for (index, source) in self.levels.sources.iter().enumerate() {
            let here = if index == self.levels.index { ", this one" } else { "" };
            let name = source.title().unwrap_or_else(|| source.name().to_owned());
            writeln!(self.out, "{}. {name}{here}", index + 1)?;
        }
        Ok(())
    }

    /// Begins another level.
    fn go_to_level(&mut self, game: &mut Game, index: usize) -> io::Result<Then> {
        let Some(source) = self.levels.sources.get(index) else {
            let count = self.levels.sources.len();
            writeln!(self.out, "no such level: there are {count}")?;
            return Ok(Then::LeaveTheRest);
        };
        match (self.levels.load)(source) {
            Ok(next) => {
                (*game, self.levels.index) = (next, index);
                self.guide = Guide::new(self.options.clone());
                self.checkpoint.clear();
                self.begin(game)?;
                Ok(Then::GoOn)
            }
            Err(failure) => {
                writeln!(self.out, "{}: {}", source.name(), failure.messages())?;
                Ok(Then::LeaveTheRest)
            }
        }
    }

    fn show(&mut self, game: &Game) -> io::Result<()> {
        match self.voice {
            Voice::Drawn => writeln!(self.out, "{}", game.draw()),
            Voice::Words => {
                write!(self.out, "{}", game.description())?;
                self.choices(game)
            }
        }
    }

    /// Shows the goal: beside the position, or in words.
    fn goal(&mut self, game: &Game) -> io::Result<()> {
        let goal = game.goal();
        let conditions = match self.voice {
            Voice::Drawn => {
                let heading = if game.made().is_empty() { "start" } else { "position" };
                write!(self.out, "{}", beside_goal(heading, &game.draw(), goal))?;
                conditions(goal)
            }
            Voice::Words => goal_in_words(goal),
        };
        conditions.iter().try_for_each(|condition| writeln!(self.out, "goal: {condition}"))
    }

    /// Writes what can go, unless the puzzle is solved.
    fn choices(&mut self, game: &Game) -> io::Result<()> {
        if game.is_solved() {
            return Ok(());
        }
        writeln!(self.out, "{}", game.choices_in_words())
    }

    /// Writes what the puzzle says to the player.
    fn messages(&mut self, game: &Game) -> io::Result<()> {
        game.messages().iter().try_for_each(|message| writeln!(self.out, "“{message}”"))
    }

    fn back(&mut self, game: &Game, what: &str) -> io::Result<()> {
        writeln!(self.out, "{what}")?;
        self.show(game)
    }

    /// Shows a move that was made, in words as the difference from the picture before.
    fn made(&mut self, game: &Game, written: &str, before: Option<&Picture>) -> io::Result<()> {
        let numbered = format!("{}. {written}", game.made().len());
        match (self.voice, before) {
            (Voice::Words, Some(before)) => {
                let change = game.change_since(before);
                writeln!(self.out, "{numbered}: {change}")?;
                self.choices(game)?;
            }
            _ => self.back(game, &numbered)?,
        }
        self.messages(game)?;
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
        writeln!(self.out, "{hint}")
    }
}
