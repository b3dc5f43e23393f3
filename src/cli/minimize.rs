//! `engine minimize`: the puzzle without the walls and pieces that its answer does not need.

use super::edits::NODES_HELP;
use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{LimitOptions, interrupt};
use super::loading::PuzzleFile;
use super::output::{OutputOption, print_json_line};
use super::{Status, complain, wall};
use crate::document::visible;
use crate::editing::{Canvas, Minimizing, NODES, NotMinimized, minimize, text_in_file};
use crate::search::{Limits, Stats};
use crate::transcript::edits::{minimized_json, minimized_text};
use clap::Args;
use std::io::Write;
use std::time::Instant;

/// Print the puzzle without the walls and pieces that its optimum does not need
///
/// Pieces are taken away first, then walls, each in reading order, as long as the optimum stays. The walls that enclose a
/// level stay. Standard error lists what was removed. The other levels of a collection stay as they are.
#[derive(Args)]
#[command(
    mut_arg("node_limit", |argument| argument.help(NODES_HELP)),
    mut_arg("depth_limit", |argument| argument.hide(true)),
    after_help = "Exit status: 0 nothing more can be taken away, 2 wrong usage or an invalid file, 3 stopped by a limit, \
                  with what was taken away so far, 130 interrupted."
)]
pub(super) struct Minimize {
    #[command(flatten)]
    puzzle: PuzzleFile,
    /// Keep the number of shortest solutions, too
    #[arg(long)]
    unique: bool,
    /// Take away the frame, too: the walls that enclose the level
    #[arg(long)]
    frame: bool,
    #[command(flatten)]
    limits: LimitOptions,
    /// Print JSON: one object, with the text of the smaller file
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
    #[command(flatten)]
    output: OutputOption,
}

impl Minimize {
    pub fn run(&self, quiet: bool) -> Ended {
        let started = Instant::now();
        let limits = self.limits.limits(&interrupt());
        let mut output = self.output.open(&self.puzzle.as_input())?;
        let limit = wall::behind("minimize", &self.puzzle.name(), &limits, || {
            let source = self.puzzle.source(&limits)?;
            let puzzle = self.puzzle.load_source(&source, &limits)?;
            output.spare(&puzzle)?;
            let canvas = Canvas::of(&puzzle)?;
            let options = Minimizing { unique: self.unique, frame: self.frame };
            let nodes = limits.nodes.unwrap_or(NODES);
            let left = Limits { nodes: None, ..limits.remaining(&Stats::default(), started.elapsed()) };
            let found = minimize(canvas, options, nodes, &left).map_err(|why| self.refused(why))?;
            wall::lift_time();
            let text = text_in_file(&found.after, &source, &self.puzzle.loading(&Limits::default()))?;
            if self.json {
                print_json_line(&minimized_json(&self.puzzle.name(), &found, &text)?)?;
            } else if !quiet {
                minimized_text(&found).iter().for_each(|line| complain(&format!("note: {line}")));
            }
            if !self.json || self.output.is_file() {
                output.write_all(visible(&text).as_bytes())?;
            }
            Ok::<_, Failure>(found.limit)
        })?;
        output.finish()?;
        Ok(Status::unless(limit))
    }

    fn refused(&self, why: NotMinimized) -> Failure {
        match why {
            NotMinimized::Limit(_) => {
                let help = "allow more by `--node-limit` or `--time-limit`";
                Failure::refused(why.to_string(), help).about(&self.puzzle.path())
            }
            NotMinimized::Uncountable(error) => Failure::from(error).about(&self.puzzle.path()),
        }
    }
}
