//! Reports on tested puzzles: as text for people, as JSON, as JUnit XML.

use super::{Format, Tested, Verdict};
use crate::cli::output::{Output, OutputOption};
use crate::cli::streams::Content;
use crate::cli::{Status, colours, print_error, report, wall};
use crate::diagnostic::{json, printable};
use crate::puzzle::Outcome;
use crate::transcript::Number;
use anstyle::{AnsiColor, Style};
use imara_diff::{Algorithm, BasicLineDiffPrinter, Diff, InternedInput, UnifiedDiffConfig};
use parking_lot::Mutex;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use serde::Serialize;
use std::io::{self, IsTerminal, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// The greatest number of lines of a difference in text; JSON and XML contain all of it.
const MAX_LINES: usize = 200;

/// A report on the results of the puzzles, in their order.
pub(super) struct Reports {
    format: Format,
    output: Output,
    colour: bool,
    started: Instant,
    /// The results so far, which go on behind the wall.
    tested: Arc<Mutex<Vec<Tested>>>,
}

impl Reports {
    pub fn open(format: Format, output: &OutputOption, inputs: &[PathBuf]) -> io::Result<Reports> {
        let colour = match (format, output.is_file()) {
            (Format::Text, false) => colours(&io::stdout()),
            (Format::Text, true) => false,
            _ => colours(&io::stderr()),
        };
        let mut output = output.open(inputs)?;
        output.set_content(Content::styled(colour && format == Format::Text));
        Ok(Reports { format, output, colour, started: Instant::now(), tested: wall::results() })
    }

    /// Returns the number of puzzles that have been reported.
    pub fn done(&self) -> usize {
        self.tested.lock().len()
    }

    /// Reports one more puzzle.
    pub fn add(&mut self, tested: Tested) -> io::Result<()> {
        if self.format == Format::Json {
            writeln!(self.output, "{}", json(&Row::of(&tested))?)?;
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
        if self.format == Format::Junit {
            let mut xml = Vec::new();
            self.junit(&tested, &mut xml)?;
            self.output.write_all(&xml)?;
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
        if self.format == Format::Text {
            return self.output.write_all(text.as_bytes());
        }
        print_error(text.trim_end());
        Ok(())
    }

    /// Writes one test suite with a case for each puzzle, in the format of JUnit.
    fn junit(&self, tested: &[Tested], out: &mut Vec<u8>) -> io::Result<()> {
        let mut writer = Writer::new_with_indent(out, b' ', 2);
        writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
        let count =
            |names: &[&str]| tested.iter().filter(|tested| names.contains(&tested.verdict.name())).count().to_string();
        let seconds = |time: Duration| format!("{:.3}", time.as_secs_f64());
        let all = [
            ("tests", tested.len().to_string()),
            ("failures", count(&["differs", "new"])),
            ("errors", count(&["bad", "stopped"])),
            ("skipped", count(&["skipped"])),
            ("time", seconds(self.started.elapsed())),
        ];
        let all: Vec<(&str, &str)> = [("name", "engine test")]
            .into_iter()
            .chain(all.iter().map(|(name, value)| (*name, value.as_str())))
            .collect();
        let suite = |writer: &mut Writer<&mut Vec<u8>>| {
            tested.iter().try_for_each(|tested| {
                let class = tested.name.parent().unwrap_or(Path::new("")).to_string_lossy().replace(['/', '\\'], ".");
                let class = if class.is_empty() { "puzzles".to_owned() } else { format!("puzzles.{class}") };
                // The levels of a collection differ only behind its ending.
                let name = match tested.name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
                    true => tested.name.file_stem(),
                    false => tested.name.file_name(),
                };
                let name = name.unwrap_or_default().to_string_lossy();
                let case = writer
                    .create_element("testcase")
                    .with_attribute(("classname", xml(&class).as_str()))
                    .with_attribute(("name", xml(&name).as_str()))
                    .with_attribute(("file", xml(&tested.file.to_string_lossy()).as_str()))
                    .with_attribute(("time", seconds(tested.time).as_str()));
                match element(&tested.verdict) {
                    None => case.write_empty(),
                    Some(name) => case.write_inner_content(|writer| what(writer, name, tested)),
                }
                .map(|_| ())
            })
        };
        writer.create_element("testsuites").with_attributes(all.iter().copied()).write_inner_content(|writer| {
            let outer = writer.create_element("testsuite").with_attributes(all.iter().copied());
            outer.write_inner_content(suite).map(|_| ())
        })?;
        writer.get_mut().push(b'\n');
        Ok(())
    }
}

/// Returns the element for a case that did not pass.
fn element(verdict: &Verdict) -> Option<&'static str> {
    match verdict {
        Verdict::Passed | Verdict::Stored => None,
        Verdict::Refuted(_) | Verdict::Differs { .. } | Verdict::New => Some("failure"),
        Verdict::Bad(_) | Verdict::Stopped(..) => Some("error"),
        Verdict::Skipped => Some("skipped"),
    }
}

fn what(writer: &mut Writer<&mut Vec<u8>>, name: &'static str, tested: &Tested) -> io::Result<()> {
    let message = xml(&tested.verdict.message().unwrap_or_default()).replace('\n', " ");
    let element = writer.create_element(name).with_attribute(("message", message.as_str()));
    let text = match &tested.verdict {
        Verdict::Bad(report) => Some(report.render(false)),
        _ => difference(tested),
    };
    match text {
        Some(text) => element.write_text_content(BytesText::new(&xml(&text))),
        None => element.write_empty(),
    }
    .map(|_| ())
}

/// Removes the characters that XML does not allow.
fn xml(text: &str) -> String {
    printable(text).replace(['\u{fffe}', '\u{ffff}'], "?")
}

fn status(verdict: &Verdict) -> Status {
    match verdict {
        Verdict::Passed | Verdict::Stored | Verdict::Skipped => Status::Good,
        Verdict::Refuted(_) | Verdict::Differs { .. } | Verdict::New => Status::No,
        Verdict::Bad(_) => Status::Bad,
        Verdict::Stopped(..) => Status::Stopped,
    }
}

/// The JSON object of a puzzle; it has every field for every verdict.
#[derive(Serialize)]
struct Row<'a> {
    file: String,
    title: Option<&'a str>,
    domain: Option<&'a str>,
    verdict: &'a str,
    message: Option<String>,
    outcome: Option<&'a str>,
    cost: Option<Number>,
    optimal: bool,
    diff: Option<String>,
    seconds: f64,
}

impl Row<'_> {
    fn of(tested: &Tested) -> Row<'_> {
        Row {
            file: tested.file.display().to_string(),
            title: tested.title.as_deref(),
            domain: tested.domain.as_deref(),
            verdict: tested.verdict.name(),
            message: tested.verdict.message(),
            outcome: tested.outcome.map(Outcome::name),
            cost: tested.cost.map(Number),
            optimal: tested.optimal,
            diff: difference(tested),
            seconds: tested.time.as_secs_f64(),
        }
    }
}

/// Returns the unified difference between the stored transcript and the new one.
fn difference(tested: &Tested) -> Option<String> {
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
