//! The levels of a collection as puzzle files: one is printed, several are written to a folder.

use super::Import;
use crate::cli::failure::{Ended, Failure};
use crate::cli::files;
use crate::cli::output::{self, Output};
use crate::cli::streams::stdout;
use crate::cli::{Status, report};
use crate::diagnostic::Report;
use crate::document::visible;
use crate::domain::collection::CollectionFormat;
use crate::plot::text::counted;
use crate::puzzle::Source;
use std::io::Write;
use std::path::{Path, PathBuf};

/// The greatest length of the title in the name of a file, in characters.
const MAX_STEM: usize = 40;

impl Import {
    /// Converts the levels of a collection. `note` is given their number before they are converted.
    pub(super) fn levels(&self, format: &CollectionFormat, text: String, note: impl FnOnce(usize)) -> Ended {
        if self.line.is_some() || !self.goal.is_empty() || self.rows.is_some() {
            let message =
                format!("`--line`, `--rows` and `--goal` are not for collections of the format `{}`", format.name);
            return Err(Failure::refused(message, "choose levels with `--level`").about(&self.file));
        }
        let all = self.loading().levels(format, &self.file, text, self.title.as_deref())?;
        let width = all.len().to_string().len().max(3);
        let count = all.len();
        note(count);
        let chosen = self.levels.chosen(&self.file, all)?;
        match (&self.folder, &chosen[..]) {
            (Some(folder), _) => self.write_all(folder, width, &chosen),
            (None, [one]) => self.print(one),
            (None, _) => {
                let message = format!("the collection has {}", counted(count as u64, "level"));
                let help = "write them all with `--folder DIR`, or choose one with `--level N`";
                Err(Failure::refused(message, help).about(&self.file))
            }
        }
    }

    /// Converts the level of this name, `levels.sok#3`.
    pub(super) fn level(&self, name: &Path) -> Ended {
        self.print(&self.loading().source(name)?)
    }

    /// Prints the puzzle file for a level.
    fn print(&self, source: &Source) -> Ended {
        let text = self.checked(source)?;
        let mut output = self.output.open(&[source.path().to_owned()])?;
        output.write_all(text.as_bytes())?;
        output.finish()?;
        Ok(Status::Good)
    }

    /// Returns the text of the puzzle file for a level, if it is valid. Prints the warnings about the level.
    fn checked(&self, source: &Source) -> Result<String, Report> {
        let text = source.text()?;
        let puzzle = self.loading().load_source(source)?;
        if let Some(warnings) = puzzle.level_warnings() {
            report(warnings);
        }
        Ok(visible(&text).into_owned())
    }

    /// Writes each valid level to a file of its own, if none of the files is there.
    fn write_all(&self, folder: &Path, width: usize, sources: &[Source]) -> Ended {
        let mut files: Vec<(PathBuf, String)> = Vec::new();
        let mut status = Status::Good;
        for source in sources {
            match self.checked(source) {
                Ok(text) => files.push((folder.join(name(source, width)), text)),
                Err(report) => status = status.max(Failure::from(report).print()),
            }
        }
        let existing: Vec<&PathBuf> = files.iter().map(|(path, _)| path).filter(|path| path.exists()).collect();
        if let (Some(first), false) = (existing.first(), self.force) {
            let more = match existing.len() - 1 {
                0 => String::new(),
                more => format!(" (and {})", counted(more as u64, "other file")),
            };
            let message = format!("already exists and is not overwritten{more}");
            return Err(Failure::refused(message, "overwrite with `--force`; nothing was written").about(first));
        }
        for (path, _) in &files {
            files::refuse_link_out(folder, path, "remove the link; nothing was written")?;
        }
        for (path, text) in &files {
            if !path.exists() {
                output::write_new(path, text)?;
                continue;
            }
            let mut output = Output::open(Some(path), std::slice::from_ref(&self.file))?;
            output.write_all(text.as_bytes())?;
            output.finish()?;
        }
        let wrong = sources.len() - files.len();
        let wrong = if wrong == 0 { String::new() } else { format!(", {wrong} not valid") };
        let folder = folder.display();
        writeln!(stdout(), "{} in {folder}{wrong}", counted(files.len() as u64, "puzzle"))?;
        Ok(status)
    }
}

/// Returns the name of the file for a level: its number and its title.
fn name(source: &Source, width: usize) -> String {
    let number = format!("{:0width$}", source.number().unwrap_or(1));
    let title = source.title().unwrap_or_default().to_lowercase();
    let words = title.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    let stem: String = words.collect::<Vec<_>>().join("-").chars().take(MAX_STEM).collect();
    let stem = stem.trim_end_matches('-');
    if stem.is_empty() { format!("{number}.toml") } else { format!("{number}-{stem}.toml") }
}
