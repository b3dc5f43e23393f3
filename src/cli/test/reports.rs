//! Reports on tested puzzles. Each has text for people, on standard error if the report itself is for programs.

use super::{TestWriter, Tested, Verdict};
use crate::cli::output::{Output, OutputOption};
use crate::cli::streams::Content;
use crate::cli::{Status, colours, print_error, report, wall};
use crate::diagnostic::printable;
use anstyle::{AnsiColor, Style};
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use parking_lot::Mutex;
use std::io::{self, IsTerminal, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Instant;

/// The greatest number of lines of a difference in text; JSON and XML contain all of it.
const MAX_LINES: usize = 200;

/// A report on the results of the puzzles, in their order.
pub(super) struct Reports {
    writer: &'static TestWriter,
    output: Output,
    colour: bool,
    started: Instant,
    /// The results so far, which go on behind the wall.
    tested: Arc<Mutex<Vec<Tested>>>,
}

impl Reports {
    pub fn open(writer: &'static TestWriter, output: &OutputOption, inputs: &[PathBuf]) -> io::Result<Reports> {
        let colour = match (writer.is_text(), output.is_file()) {
            (true, false) => colours(&io::stdout()),
            (true, true) => false,
            (false, _) => colours(&io::stderr()),
        };
        let mut output = output.open(inputs)?;
        output.set_content(Content::styled(colour && writer.is_text()));
        Ok(Reports { writer, output, colour, started: Instant::now(), tested: wall::results() })
    }

    /// Returns the number of puzzles that have been reported.
    pub fn done(&self) -> usize {
        self.tested.lock().len()
    }

    /// Reports one more puzzle.
    pub fn add(&mut self, tested: Tested) -> io::Result<()> {
        if let Some(write) = self.writer.each {
            write(&mut self.output, &tested)?;
        }
        let file = printable(&tested.file.display().to_string());
        match &tested.verdict {
            Verdict::Passed | Verdict::Skipped | Verdict::Stored => {}
            Verdict::Bad(error) => report(error),
            verdict => {
                let message = printable(&verdict.message().unwrap_or_default());
                let head = format!("{}: {file}: {message}\n", verdict.name());
                let difference = difference(&tested).map(|diff| cut(&printable(&diff), self.colour));
                self.write_text(&(head + &difference.unwrap_or_default()))?;
            }
        }
        self.output.flush()?;
        self.tested.lock().push(tested);
        Ok(())
    }

    /// Ends the report; `left` is the number of puzzles that were not reached.
    pub fn finish(mut self, left: usize) -> io::Result<Status> {
        let tested = Arc::clone(&self.tested);
        let tested = tested.lock();
        let count = |name: &str| tested.iter().filter(|tested| tested.verdict.name() == name).count();
        let always = [("passed", "passed"), ("differs", "differ"), ("new", "new"), ("skipped", "skipped")];
        let mut counts: Vec<(usize, &str)> = always.iter().map(|(name, listed)| (count(name), *listed)).collect();
        let rest =
            [(count("stored"), "stored"), (count("stopped"), "stopped"), (count("bad"), "bad"), (left, "not run")];
        counts.extend(rest.into_iter().filter(|(count, _)| *count > 0));
        let listed: Vec<String> = counts.iter().map(|(count, name)| format!("{count} {name}")).collect();
        let status = tested.iter().map(|tested| status(&tested.verdict)).max().unwrap_or(Status::Good);
        if let Some(write) = self.writer.all {
            write(&mut self.output, &tested, self.started.elapsed())?;
        }
        let can_be_stored = |tested: &Tested| matches!(tested.verdict, Verdict::Differs { .. } | Verdict::New);
        let help = "To keep these results as the new snapshots, run it again with `--accept` (results that contradict \
                    `[expect]` are not kept)\n";
        let help = if tested.iter().any(can_be_stored) { help } else { "" };
        self.write_text(&format!("{help}{}\n", listed.join(", ")))?;
        self.output.flush()?;
        if io::stderr().is_terminal() {
            print_error(&format!("in {:.1} s", self.started.elapsed().as_secs_f64()));
        }
        self.output.finish()?;
        Ok(status)
    }

    /// Writes text for people.
    fn write_text(&mut self, text: &str) -> io::Result<()> {
        if self.writer.is_text() {
            return self.output.write_all(text.as_bytes());
        }
        print_error(text.trim_end());
        Ok(())
    }
}

fn status(verdict: &Verdict) -> Status {
    match verdict {
        Verdict::Passed | Verdict::Stored | Verdict::Skipped => Status::Good,
        Verdict::Refuted(_) | Verdict::Differs { .. } | Verdict::New => Status::No,
        Verdict::Bad(_) => Status::Bad,
        Verdict::Stopped(..) => Status::Stopped,
    }
}

/// Returns the unified difference between the stored transcript and the new one.
pub(super) fn difference(tested: &Tested) -> Option<String> {
    let Verdict::Differs { path, stored, now } = &tested.verdict else { return None };
    let lines = InternedInput::new(&**stored, &**now);
    let mut diff = Diff::compute(Algorithm::Histogram, &lines);
    diff.postprocess_lines(&lines);
    let printer = BasicLineDiffPrinter(&lines.interner);
    let changes = diff.unified_diff(&printer, UnifiedDiffConfig::default(), &lines);
    Some(format!("--- {}\n+++ transcript of {}\n{changes}", path.display(), tested.file.display()))
}

/// Returns the first lines of a difference, coloured if `colour` is set.
fn cut(diff: &str, colour: bool) -> String {
    let line = |line: &str| {
        let style = match line.as_bytes() {
            [b'+', b'+', b'+', ..] | [b'-', b'-', b'-', ..] => Style::new().bold(),
            [b'+', ..] => AnsiColor::Green.on_default(),
            [b'-', ..] => AnsiColor::Red.on_default(),
            [b'@', ..] => AnsiColor::Cyan.on_default(),
            _ => Style::new(),
        };
        if colour { format!("{style}{line}{style:#}\n") } else { format!("{line}\n") }
    };
    let mut text: String = diff.lines().take(MAX_LINES).map(line).collect();
    if let Some(more) = diff.lines().count().checked_sub(MAX_LINES).filter(|more| *more > 0) {
        text += &format!("… and {more} more lines\n");
    }
    text
}
