//! Output of results: standard output, or a file that is written completely or not at all.

use super::failure::Failure;
use super::groups::OUTPUT;
use super::handover::written_before;
use super::streams::{Content, Printed, stdout};
use crate::diagnostic::json;
use crate::domain::WholeFile;
use crate::output_format::{self, Formats, OutputFormat};
use crate::puzzle::Puzzle;
use crate::render::PictureFormat;
use clap::Args;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use parking_lot::Mutex;
use serde::Serialize;
use std::ffi::OsString;
use std::fs;
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// The option `--output`.
#[derive(Args)]
pub(super) struct OutputOption {
    /// Write the result to this file [default: standard output]
    ///
    /// The file is written completely or not at all. `-` is standard output.
    #[arg(long, short, value_name = "FILE", help_heading = OUTPUT)]
    output: Option<PathBuf>,
}

impl OutputOption {
    /// Opens the file, or standard output.
    ///
    /// # Errors
    /// The file cannot be written, or is one of the inputs.
    pub fn open(&self, inputs: &[PathBuf]) -> io::Result<Output> {
        Output::open(self.output.as_deref(), inputs)
    }

    /// Refuses a file for a picture or a page, which the command does not write: `help` returns the command that does.
    ///
    /// # Errors
    /// The extension is one of a picture or a page.
    pub fn refuse_pictures(&self, help: impl Fn(&str) -> String) -> Result<(), Failure> {
        let path = self.output.as_deref().unwrap_or(Path::new("-"));
        if PictureFormat::of_extension(&self.extension()).is_none() {
            return Ok(());
        }
        let message = "this command writes text, not pictures or pages";
        Err(Failure::refused(message, help(&path.display().to_string())).about(path))
    }

    /// Returns the extension of the file's name in lower case; empty if it has none.
    pub fn extension(&self) -> String {
        let extension = self.output.as_deref().and_then(Path::extension);
        extension.unwrap_or_default().to_string_lossy().to_lowercase()
    }

    pub fn is_file(&self) -> bool {
        self.output.as_deref().is_some_and(|path| path != Path::new("-"))
    }
}

/// The flag `--json` of a command with the option `--format`.
#[derive(Args)]
pub(super) struct JsonFlag {
    /// Print JSON; short for `--format json`
    #[arg(long, conflicts_with = "format", help_heading = OUTPUT)]
    json: bool,
}

impl JsonFlag {
    /// Returns the format `json` if the flag is given, otherwise `format`.
    pub fn choose<W>(&self, formats: Formats<W>, format: &'static OutputFormat<W>) -> &'static OutputFormat<W> {
        let json = if self.json { output_format::named(formats, "json") } else { None };
        json.unwrap_or(format)
    }
}

/// Returns the parser of a value of `--format`.
pub(super) fn formats<W: Sync>(formats: Formats<W>) -> impl TypedValueParser<Value = &'static OutputFormat<W>> {
    let value = |format: &&OutputFormat<W>| {
        PossibleValue::new(format.name).help(format.summary).hide(format.summary.is_empty())
    };
    PossibleValuesParser::new(formats.iter().map(value))
        .map(|name| output_format::named(formats, &name).expect("only known names are possible"))
}

/// Prints a value as one line of JSON to standard output.
pub(super) fn print_json(value: &impl Serialize) -> io::Result<()> {
    print_json_line(&json(value)?)
}

/// Prints a line of JSON to standard output, whole: several threads may print lines.
pub(super) fn print_json_line(line: &str) -> io::Result<()> {
    stdout().write_all(format!("{line}\n").as_bytes())
}

/// The permissions of a new file, before the user's umask.
const MODE: u32 = 0o666;

/// A writer of results.
pub(super) enum Output {
    Standard(BufWriter<Printed<io::Stdout>>),
    /// A device or a pipe, which cannot be replaced.
    Stream(PathBuf, BufWriter<Printed<fs::File>>),
    /// A file, which gets its name at the end, and its number among all outputs.
    File(PathBuf, BufWriter<WholeFile>, usize),
}

impl Output {
    /// Opens a file, or standard output, which is also called `-`.
    ///
    /// # Errors
    /// The file cannot be written, or is one of the inputs.
    pub fn open(path: Option<&Path>, inputs: &[PathBuf]) -> io::Result<Output> {
        let Some(path) = path.filter(|path| *path != Path::new("-")) else {
            return Ok(Output::Standard(BufWriter::new(stdout())));
        };
        let explain = |error: io::Error| named(path, &error);
        // A link is not replaced: the file that it leads to is.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        match fs::metadata(&target) {
            Ok(data) if data.is_dir() => Err(named(path, &io::Error::from(io::ErrorKind::IsADirectory))),
            Ok(data) if !data.is_file() => {
                let stream = fs::OpenOptions::new().write(true).open(&target).map_err(explain)?;
                Ok(Output::Stream(target, BufWriter::new(Printed::new(stream))))
            }
            Ok(_) if is_among(&target, inputs) => Err(is_input(path)),
            _ => {
                let mut file = WholeFile::create_in(target.parent().unwrap_or(Path::new("")), MODE).map_err(explain)?;
                let number = remember(file.as_file().try_clone().map_err(explain)?);
                if let Some(before) = written_before(number) {
                    file.write_all(before).map_err(explain)?;
                }
                Ok(Output::File(target, BufWriter::new(file), number))
            }
        }
    }

    /// Sets the content: text without colours, if it is not set. A file has whatever is written to it.
    pub fn set_content(&mut self, content: Content) {
        match self {
            Output::Standard(out) => out.get_mut().content = content,
            Output::Stream(_, out) => out.get_mut().content = content,
            Output::File(..) => {}
        }
    }

    /// Refuses to replace a file that the puzzle names.
    ///
    /// # Errors
    /// The target is such a file.
    pub fn spare(&self, puzzle: &Puzzle) -> io::Result<()> {
        match self {
            Output::File(path, ..) if is_among(path, &puzzle.named_files(Path::new(""))) => Err(is_input(path)),
            _ => Ok(()),
        }
    }

    /// Returns whether it writes to this file, which need not exist yet.
    pub fn is_at(&self, path: &Path) -> bool {
        matches!(self, Output::File(target, ..) if place(target) == place(path))
    }

    /// Refuses to write two results to one place.
    ///
    /// # Errors
    /// Both are the same file, or standard output.
    pub fn differs_from(&self, other: &Output) -> io::Result<()> {
        let (path, other) = match (self, other) {
            (Output::File(path, ..), Output::File(other, ..)) => (path, other),
            (Output::Standard(_), Output::Standard(_)) => {
                let why = "two results cannot both go to standard output: write one to a file";
                return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
            }
            _ => return Ok(()),
        };
        if place(path) == place(other) {
            let why = io::Error::new(io::ErrorKind::InvalidInput, "two results cannot have the same output file");
            return Err(named(path, &why));
        }
        Ok(())
    }

    /// Flushes the output, and gives the file its name.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        let Output::File(path, out, _) = self else { return Ok(()) };
        let file = out.into_inner().map_err(|error| named(&path, error.error()))?;
        if let Ok(old) = fs::metadata(&path) {
            file.as_file().set_permissions(old.permissions())?;
        }
        file.replace(&path).map_err(|error| named(&path, &error))
    }
}

/// Returns the folder and the name of a file, which need not exist yet.
fn place(path: &Path) -> (PathBuf, Option<OsString>) {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    (fs::canonicalize(folder).unwrap_or_else(|_| folder.to_owned()), path.file_name().map(ToOwned::to_owned))
}

/// Returns whether a file is one of the inputs, under the same name or as another link to it.
fn is_among(file: &Path, inputs: &[PathBuf]) -> bool {
    identity(file).is_some_and(|file| inputs.iter().any(|input| identity(input).as_ref() == Some(&file)))
}

/// Returns the identity of an existing file, whatever its name: device and inode.
#[cfg(unix)]
fn identity(file: &Path) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt;
    fs::metadata(file).ok().map(|data| (data.dev(), data.ino()))
}

/// Returns the identity of an existing file: its canonical path.
#[cfg(not(unix))]
fn identity(file: &Path) -> Option<PathBuf> {
    fs::canonicalize(file).ok()
}

fn is_input(path: &Path) -> io::Error {
    named(path, &io::Error::new(io::ErrorKind::InvalidInput, "it is one of the input files"))
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Output::Standard(out) => out.write(bytes),
            Output::Stream(path, out) => out.write(bytes).map_err(|error| named(path, &error)),
            Output::File(path, out, _) => out.write(bytes).map_err(|error| named(path, &error)),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Output::Standard(out) => out.flush(),
            Output::Stream(path, out) => out.flush().map_err(|error| named(path, &error)),
            Output::File(path, out, number) => {
                out.flush().map_err(|error| named(path, &error))?;
                let length = out.get_ref().as_file().stream_position()?;
                if let Some((_, complete)) = UNFINISHED.lock().get_mut(*number) {
                    *complete = length;
                }
                Ok(())
            }
        }
    }
}

/// Writes a new file completely or not at all, and creates its folders.
///
/// # Errors
/// The file exists, or cannot be written.
pub(super) fn write_new(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let explain = |error: io::Error| match error.kind() {
        io::ErrorKind::AlreadyExists => {
            io::Error::new(error.kind(), format!("{}: already exists and is not overwritten", path.display()))
        }
        _ => named(path, &error),
    };
    if path.symlink_metadata().is_ok() {
        return Err(explain(io::ErrorKind::AlreadyExists.into()));
    }
    fs::create_dir_all(folder).map_err(|error| named(folder, &error))?;
    let mut file = WholeFile::create_in(folder, MODE).map_err(explain)?;
    file.write_all(content.as_ref()).map_err(explain)?;
    file.place_new(path).map_err(explain)
}

/// Writes a file completely or not at all, instead of the one of that name if there is one.
///
/// # Errors
/// It cannot be written.
pub(super) fn replace_whole(path: &Path, content: &[u8]) -> io::Result<()> {
    // A link is not replaced: the file that it leads to is.
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut file = WholeFile::create_in(target.parent().unwrap_or(Path::new("")), MODE)?;
    file.write_all(content)?;
    if let Ok(old) = fs::metadata(&target) {
        file.as_file().set_permissions(old.permissions())?;
    }
    file.replace(&target)
}

/// The files of unfinished outputs, in the order in which they were opened, and the lengths of their complete results.
static UNFINISHED: Mutex<Vec<(fs::File, u64)>> = Mutex::new(Vec::new());

/// Remembers the file of an output. Returns its number.
fn remember(file: fs::File) -> usize {
    let mut files = UNFINISHED.lock();
    files.push((file, 0));
    files.len() - 1
}

/// Returns the complete results in the files of unfinished outputs, before the process is replaced.
pub(super) fn written() -> Vec<Vec<u8>> {
    let read = |(file, length): &mut (fs::File, u64)| -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        file.rewind()?;
        file.take(*length).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    UNFINISHED.lock().iter_mut().map(|one| read(one).unwrap_or_default()).collect()
}

fn named(path: &Path, error: &io::Error) -> io::Error {
    // Errors of temporary files end with their names, which mean nothing to the user.
    let text = error.to_string();
    let reason = text.split(" at path \"").next().unwrap_or(&text);
    with_path(path, &io::Error::new(error.kind(), reason), "cannot be written: ")
}

/// Returns the error with its path in front of the message.
pub(super) fn with_path(path: &Path, error: &io::Error, what: &str) -> io::Error {
    io::Error::new(error.kind(), format!("{}: {what}{error}", path.display()))
}
