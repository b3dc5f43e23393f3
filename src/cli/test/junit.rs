//! Results of tests as JUnit XML, for CI systems: one test suite with a case for each puzzle.

use super::reports::difference;
use super::{TestFormat, TestWriter, Tested, Verdict};
use crate::diagnostic::printable;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, BytesText, Event};
use std::io::{self, Write};
use std::path::Path;
use std::time::Duration;

/// The format `junit`.
pub(super) const JUNIT: TestFormat = TestFormat {
    name: "junit",
    summary: "JUnit XML for CI systems; the text goes to standard error",
    writer: TestWriter { each: None, all: Some(write) },
};

fn write(out: &mut dyn Write, tested: &[Tested], time: Duration) -> io::Result<()> {
    let mut bytes = Vec::new();
    let mut writer = Writer::new_with_indent(&mut bytes, b' ', 2);
    writer.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    let count =
        |names: &[&str]| tested.iter().filter(|tested| names.contains(&tested.verdict.name())).count().to_string();
    let all = [
        ("tests", tested.len().to_string()),
        ("failures", count(&["differs", "new"])),
        ("errors", count(&["bad", "stopped"])),
        ("skipped", count(&["skipped"])),
        ("time", seconds(time)),
    ];
    let all: Vec<(&str, &str)> =
        [("name", "engine test")].into_iter().chain(all.iter().map(|(name, value)| (*name, value.as_str()))).collect();
    let suite = |writer: &mut Writer<&mut Vec<u8>>| tested.iter().try_for_each(|tested| write_case(writer, tested));
    writer.create_element("testsuites").with_attributes(all.iter().copied()).write_inner_content(|writer| {
        let outer = writer.create_element("testsuite").with_attributes(all.iter().copied());
        outer.write_inner_content(suite).map(|_| ())
    })?;
    bytes.push(b'\n');
    out.write_all(&bytes)
}

fn write_case(writer: &mut Writer<&mut Vec<u8>>, tested: &Tested) -> io::Result<()> {
    let class = tested.name.parent().unwrap_or(Path::new("")).to_string_lossy().replace(['/', '\\'], ".");
    let class = if class.is_empty() { "puzzles".to_owned() } else { format!("puzzles.{class}") };
    // The levels of a collection differ only behind its ending.
    let name = match tested.name.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("toml")) {
        true => tested.name.file_stem(),
        false => tested.name.file_name(),
    };
    let case = writer
        .create_element("testcase")
        .with_attribute(("classname", xml(&class).as_str()))
        .with_attribute(("name", xml(&name.unwrap_or_default().to_string_lossy()).as_str()))
        .with_attribute(("file", xml(&tested.file.to_string_lossy()).as_str()))
        .with_attribute(("time", seconds(tested.time).as_str()));
    match element(&tested.verdict) {
        None => case.write_empty(),
        Some(name) => case.write_inner_content(|writer| what(writer, name, tested)),
    }
    .map(|_| ())
}

fn seconds(time: Duration) -> String {
    format!("{:.3}", time.as_secs_f64())
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
