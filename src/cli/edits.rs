//! `engine edits`: what every single edit of a puzzle's drawing would do.

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{LimitOptions, interrupt};
use super::loading::PuzzleFile;
use super::output::{JsonFlag, OutputOption, formats, print_json_line};
use super::{Status, wall};
use crate::editing::{Answer, Canvas, Effect, NODES, SingleEdit, edits_each, level_symbol};
use crate::output_format::OutputFormat;
use crate::search::{Limits, Stats};
use crate::transcript::edits::{EditsWriter, FORMATS, edit_json};
use clap::Args;
use std::time::Instant;

/// The help of `--node-limit` in commands that solve many edits.
pub(super) const NODES_HELP: &str = "Give an edit up after expanding N states [default: 200000]";

/// Print what every single edit of the drawing would do: the new optimum, or unsolvable
///
/// Each cell gets each symbol in turn, and each piece is taken away or moved by one cell. Of a piece of which there is one
/// alone, such as the man, putting it elsewhere moves it there.
#[derive(Args)]
#[command(
    mut_arg("node_limit", |argument| argument.help(NODES_HELP)),
    mut_arg("depth_limit", |argument| argument.hide(true)),
    after_help = "Exit status: 0 every edit has an answer or was given up, 2 wrong usage or an invalid file, 3 stopped by \
                  a limit, with the answers so far, 130 interrupted."
)]
pub(super) struct EditsCommand {
    #[command(flatten)]
    puzzle: PuzzleFile,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print the result in this format
    #[arg(long, value_parser = formats(FORMATS), default_value = "text", help_heading = OUTPUT)]
    format: &'static OutputFormat<EditsWriter>,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
    // For the studio, whose map fills in: each edit as a line of JSON as soon as its answer is known.
    #[arg(long, hide = true)]
    events: bool,
}

impl EditsCommand {
    pub fn run(&self) -> Ended {
        let started = Instant::now();
        let limits = self.limits.limits(&interrupt());
        let mut output = self.output.open(&self.puzzle.as_input())?;
        let limit = wall::behind("edits", &self.puzzle.name(), &limits, || {
            let source = self.puzzle.source(&limits)?;
            let puzzle = self.puzzle.load_source(&source, &limits)?;
            output.spare(&puzzle)?;
            let canvas = Canvas::of(&puzzle)?;
            let nodes = limits.nodes.unwrap_or(NODES);
            let left = Limits { nodes: None, ..limits.remaining(&Stats::default(), started.elapsed()) };
            let each = |canvas: &Canvas, edit: &SingleEdit, answer: Answer, effect: Effect| {
                if self.events {
                    let level = source.number().and_then(|_| level_symbol(&edit.symbols(canvas)));
                    // A closed pipe ends the program when it writes the result.
                    let _ = edit_json(canvas, edit, answer, effect, level).and_then(|line| print_json_line(&line));
                }
            };
            let found = edits_each(canvas, nodes, &left, &each);
            wall::lift_time();
            let format = self.json.choose(FORMATS, self.format);
            (format.writer)(&mut output, &self.puzzle.name(), &found)?;
            Ok::<_, Failure>(found.limit)
        })?;
        output.finish()?;
        Ok(Status::unless(limit))
    }
}
