//! `engine import`: converts other formats to puzzle files.

mod levels;

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{ReadingLimits, at_least_one};
use super::loading::{INPUT, LevelsOptions, Reading};
use super::output::OutputOption;
use super::{Status, complain, wall};
use crate::diagnostic::{Diagnostic, Report, steers, unknown_name};
use crate::document::{COMPOSED, Composed, composed, visible};
use crate::domain::Folder;
use crate::domain::collection::{CollectionFormat, collection_formats};
use crate::domain::import::{ImportSource, Importer, Recognition, importers};
use crate::domain::open_user_file;
use crate::plot::text::counted;
use crate::puzzle::{Loading, bytes_of, decoded, file_of, is_meant_as_puzzle, look, utf8};
use clap::Args;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};

/// Convert a board, a map or a collection of levels from another format to puzzle files
#[derive(Args)]
#[command(after_help = formats(), after_long_help = formats())]
pub(super) struct Import {
    /// Read this file, standard input (`-`), or this Rush Hour board of 25, 36, 49, 64 or 81 characters
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    levels: LevelsOptions,
    #[command(flatten)]
    limits: ReadingLimits,
    /// Read this format [default: recognised from the text]
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    from: Option<String>,
    /// Read only line N of the file, counted from 1
    #[arg(long, value_name = "N", help_heading = INPUT)]
    line: Option<usize>,
    /// Read a board on one line as N rows [default: it is a square]
    #[arg(long, value_name = "N", value_parser = at_least_one, help_heading = INPUT)]
    rows: Option<NonZero<usize>>,
    /// Set a goal, NAME=ROW,COLUMN, counted from 0; may be repeated
    ///
    /// For sliding blocks and cars, NAME is a piece, and the cell is that of its upper left corner. For a map, NAME is
    /// `start` or `goal`.
    #[arg(long, value_name = "GOAL", help_heading = OUTPUT)]
    goal: Vec<String>,
    /// Set the title of the puzzle or of the collection [default: the collection's own, or the name of the file]
    ///
    /// Levels without a title of their own have that of the collection and their number.
    #[arg(long, value_name = "TITLE", help_heading = OUTPUT)]
    title: Option<String>,
    #[command(flatten)]
    output: OutputOption,
    /// Write each level of a collection to a file in this folder, named by its number and title
    ///
    /// Each file is written completely or not at all. If one of them exists, none is written.
    #[arg(long, value_name = "DIR", conflicts_with = "output", help_heading = OUTPUT)]
    folder: Option<PathBuf>,
    /// Overwrite files in the folder
    #[arg(long, requires = "folder", help_heading = OUTPUT)]
    force: bool,
}

/// Returns the list of formats for the help.
fn formats() -> String {
    let line = |importer: &&Importer| format!("  {}: {}\n", importer.name, importer.summary);
    let collection = |format: &&CollectionFormat| format!("  {}: {}\n", format.name, format.summary);
    let collections: String = collection_formats().iter().map(collection).collect();
    "Formats:\n".to_owned() + &importers().iter().map(line).collect::<String>() + "Collections:\n" + &collections
}

impl Import {
    pub fn run(&self, quiet: bool) -> Ended {
        let name = self.file.display().to_string();
        wall::behind("import", &name, &self.limits.limits(), || self.convert(quiet))
    }

    fn convert(&self, quiet: bool) -> Ended {
        let file = file_of(&self.file);
        if file != self.file {
            return self.level(&self.file);
        }
        let name = file.display().to_string();
        let unreadable = |error| Report::unreadable(&name, error);
        let bytes = self.bytes().map_err(unreadable)?;
        let text = decoded(bytes.clone());
        if self.from.is_none() && is_meant_as_puzzle(&text) {
            let error = Diagnostic::whole("is a puzzle file already");
            let help = "solve it with `engine solve`: this command reads other formats";
            return Err(Report::new(&name, text, vec![error.help(help)]).into());
        }
        let note = |format: &str, what: &str| {
            if !quiet && self.from.is_none() {
                complain(&format!("note: {name} is read as `{format}`: {what}"));
            }
        };
        if let Some(format) = self.collection(&text) {
            return self.levels(format, text, |count| note(format.name, &counted(count as u64, "level")));
        }
        if self.folder.is_some() {
            let help = "write one puzzle with `-o FILE`";
            return Err(Failure::refused("`--folder` takes a collection of levels", help).about(&self.file));
        }
        let whole = utf8(bytes).map_err(unreadable)?.trim_start_matches('\u{feff}').to_owned();
        let mut output = self.output.open(std::slice::from_ref(&self.file))?;
        // A symbol is one character, however it is written.
        let composed = composed(&whole);
        let places = composed.as_ref().map_or(0, Composed::count);
        let (puzzle, importer, what) =
            self.import(&name, composed.map_or(whole, |composed| composed.text().to_owned()))?;
        wall::lift_time();
        note(importer.name, &what);
        if places > 0 && !quiet {
            complain(&format!("note: {name}: {COMPOSED}, in {}", counted(places as u64, "place")));
        }
        output.write_all(visible(&puzzle).as_bytes())?;
        output.finish()?;
        Ok(Status::Good)
    }

    /// Returns the text, or the chosen line of it, with the options of the import.
    fn source<'a>(&'a self, text: &'a str) -> ImportSource<'a> {
        let folder = Folder::of(&self.file, self.loading().options.allow_paths);
        ImportSource { text, goals: &self.goal, rows: self.rows.map(NonZero::get), folder }
    }

    /// Returns the format of a collection: the one named, or the one whose looks the text has, if no other than the
    /// importers of last resort know it.
    fn collection(&self, text: &str) -> Option<&'static CollectionFormat> {
        let formats = collection_formats();
        if let Some(name) = &self.from {
            return formats.into_iter().find(|format| format.name == name);
        }
        let source = self.source(text);
        let is_other = importers().iter().any(|importer| !importer.is_fallback && importer.recognizes(&source));
        formats.into_iter().find(|format| !is_other && (format.recognizes)(text))
    }

    /// Returns the puzzle file, the format of the text, and what the text is.
    fn import(&self, name: &str, whole: String) -> Result<(String, &'static Importer, String), Report> {
        let text = match self.line {
            None => whole,
            // The lines before it become blank, so that errors name the right line.
            Some(number) => match number.checked_sub(1).and_then(|before| whole.lines().nth(before)) {
                Some(line) => "\n".repeat(number - 1) + line,
                None => {
                    let message = format!("has only {} lines, no line {number}", whole.lines().count());
                    return Err(Report::unreadable(name, message));
                }
            },
        };
        let foreign = self.source(&text);
        let wrong = |error: Diagnostic| Report::new(name, text.as_str(), vec![error]);
        let (importer, what) = self.importer(&foreign).map_err(wrong)?;
        let given = [("--goal", !self.goal.is_empty()), ("--rows", self.rows.is_some())];
        if let Some((option, _)) =
            given.iter().find(|(option, is_given)| *is_given && !importer.options.contains(option))
        {
            let message = format!("`{option}` is not for texts of the format `{}`", importer.name);
            return Err(wrong(Diagnostic::whole(message).help("leave it out, or choose another format with `--from`")));
        }
        let keys = (importer.keys)(&foreign).map_err(wrong)?;
        let stem = if self.file.exists() { self.file.file_stem() } else { None };
        let default = || stem.map_or_else(|| importer.name.to_owned(), |stem| stem.to_string_lossy().into_owned());
        let title = self.title.clone().unwrap_or_else(default);
        let title = toml::Value::String(title.replace(steers, " "));
        let puzzle = format!("title = {title}\n{keys}");
        // Only a valid puzzle is printed. Otherwise the errors point at the mistakes in the text.
        self.loading().parse(&puzzle, &format!("{name}, as it was read"))?;
        Ok((puzzle, importer, what))
    }

    fn loading(&self) -> Loading {
        self.levels.reading.loading(&self.limits.limits())
    }

    /// Returns the bytes of the file, or the argument itself if it is a board and no such file exists.
    fn bytes(&self) -> Result<Vec<u8>, String> {
        if self.file == Path::new("-") {
            return bytes_of(io::stdin().lock());
        }
        let is_board = |word: &&str| {
            [25, 36, 49, 64, 81].contains(&word.len()) && word.bytes().all(|c| c.is_ascii_alphabetic() || c == b'.')
        };
        let itself = self.file.to_str().filter(is_board).filter(|_| !self.file.exists());
        match itself {
            Some(word) => Ok(word.as_bytes().to_vec()),
            None => bytes_of(open_user_file(&self.file, "a file of puzzles")?),
        }
    }

    /// Returns the importer that is named, or the one that recognises the text, and what the text is.
    fn importer(&self, foreign: &ImportSource) -> Result<(&'static Importer, String), Diagnostic> {
        let all = importers();
        let collections = collection_formats().into_iter().map(|format| format.name);
        let names: Vec<&str> = all.iter().map(|importer| importer.name).chain(collections).collect();
        if let Some(name) = &self.from {
            let named = all.into_iter().find(|importer| importer.name == name);
            let unknown = || Diagnostic::whole(format!("unknown format `{name}`")).help(unknown_name(name, names));
            return named.map(|importer| (importer, String::new())).ok_or_else(unknown);
        }
        let mut near = Vec::new();
        for importer in all {
            match (importer.recognize)(foreign) {
                Recognition::Yes(what) => return Ok((importer, what)),
                Recognition::Near(why) => near.push((importer.name, why)),
                Recognition::No => {}
            }
        }
        let (looks, help) = match look(foreign.text) {
            Some((what, help)) => (format!(": it looks like {what}"), vec![help]),
            None => (String::new(), Vec::new()),
        };
        let refused = near.into_iter().map(|(name, why)| format!("it is not `{name}`: {why}"));
        let tried = format!("tried {}; `engine import --help` describes these formats", names.join(", "));
        let help: Vec<String> = help.into_iter().chain(refused).chain([tried]).collect();
        Err(Diagnostic::whole(format!("unknown format{looks}")).help(help.join("\n")))
    }
}
