//! The puzzles in a file: the one of a puzzle file, or the levels of a collection in another format.
//!
//! A level is named by its file and its number, `levels.sok#3`, wherever a puzzle file may be named.

use super::fingerprint::{digest, fingerprint};
use super::foreign::collection_of;
use super::text::{bytes_of, decoded, read_decoded, read_text, utf8};
use super::warnings::Origin;
use super::{Loading, Puzzle};
use crate::argument::counted;
use crate::diagnostic::{Diagnostic, Report, SourceText, unknown_name};
use crate::document::{Findings, PuzzleText};
use crate::domain::BuildContext;
use crate::domain::collection::{CollectionFormat, CollectionText, Level, Levels, collection_formats};
use std::fmt;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// One puzzle in a file, not read yet.
#[derive(Clone, Debug)]
pub struct Source {
    name: String,
    path: PathBuf,
    level: Option<LevelSource>,
    /// The text of a puzzle from standard input, which can be read only once.
    text: Option<String>,
}

/// A level of a collection.
#[derive(Clone, Debug)]
struct LevelSource {
    number: usize,
    collection: Arc<Collection>,
}

/// An opened collection, which its levels share.
struct Collection {
    file: String,
    text: SourceText,
    levels: Box<dyn Levels>,
}

impl fmt::Debug for Collection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Collection").field("file", &self.file).finish_non_exhaustive()
    }
}

impl LevelSource {
    fn read(&self) -> Level {
        self.collection.levels.read(self.number - 1)
    }

    /// Returns a report on the collection.
    fn report(&self, diagnostics: Vec<Diagnostic>) -> Report {
        Report::new(&self.collection.file, self.collection.text.clone(), diagnostics)
    }
}

impl Source {
    /// The source of a puzzle file.
    #[must_use]
    pub fn file(path: &Path) -> Source {
        Source { name: path.display().to_string(), path: path.to_owned(), level: None, text: None }
    }

    fn level(path: &Path, number: usize, collection: &Arc<Collection>) -> Source {
        let name = format!("{}#{number}", collection.file);
        let level = LevelSource { number, collection: Arc::clone(collection) };
        Source { name, path: path.to_owned(), level: Some(level), text: None }
    }

    /// Returns the name in results and errors: the path, and for a level `#` and its number.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the path of the file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the number of a level, from 1; `None` for a puzzle file.
    #[must_use]
    pub fn number(&self) -> Option<usize> {
        self.level.as_ref().map(|level| level.number)
    }

    /// Returns the title, if it is known before the puzzle is read.
    #[must_use]
    pub fn title(&self) -> Option<String> {
        self.level.as_ref().map(|level| level.collection.levels.title(level.number - 1))
    }

    /// Returns the bytes of the collection that draw a level, and whether the level depends on these alone. `None` for a
    /// puzzle file, or for a level whose drawing has no place.
    #[must_use]
    pub fn drawn_at(&self) -> Option<(Range<usize>, bool)> {
        let level = self.level.as_ref()?.read();
        let span = match &level.puzzle {
            Ok(tree) => tree.document().keys(&Findings::default()).span("domain")?,
            Err(errors) => errors.iter().find_map(|error| error.span.clone())?,
        };
        Some((span, level.prepared.is_none() && level.puzzle.is_ok()))
    }

    /// Returns the text of a puzzle file.
    ///
    /// # Errors
    /// The file cannot be read, or the level has mistakes.
    pub fn text(&self) -> Result<String, Report> {
        match (&self.level, &self.text) {
            (Some(level), _) => level.read().puzzle.map(|tree| tree.to_toml()).map_err(|errors| level.report(errors)),
            (None, Some(text)) => Ok(text.clone()),
            (None, None) => {
                let unreadable = |message| Report::unreadable(&self.name, message);
                read_text(&self.path, "a puzzle file").map_err(unreadable)
            }
        }
    }

    /// Returns the text of the collection that a level is from.
    #[must_use]
    pub fn collection(&self) -> Option<&str> {
        self.level.as_ref().map(|level| &*level.collection.text)
    }

    /// Returns the rows that draw a level of a collection, as [`Levels::rows`] does.
    #[must_use]
    pub fn rows(&self) -> Vec<(Range<usize>, String)> {
        self.level.as_ref().map_or(Vec::new(), |level| level.collection.levels.rows(level.number - 1))
    }

    /// Returns the identity of the text of the puzzle file: its SHA-256 in hex.
    ///
    /// # Errors
    /// As [`text`](Self::text).
    pub fn identity(&self) -> Result<String, Report> {
        self.text().map(|text| digest(text.as_bytes()))
    }

    /// Returns the fingerprint of the puzzle if its text names these files, by their paths relative to its folder, and
    /// no seed replaces its own.
    pub(crate) fn fingerprint(&self, named: &[PathBuf]) -> io::Result<String> {
        let text = self.identity().map_err(|report| io::Error::other(report.messages()))?;
        let named: Vec<PathBuf> = named.iter().map(|path| self.folder().join(path)).collect();
        fingerprint(&text, None, &named.iter().map(|path| &**path).collect::<Vec<_>>())
    }

    /// Returns the folder of the file.
    pub(crate) fn folder(&self) -> &Path {
        self.path.parent().unwrap_or(Path::new(""))
    }

    /// Returns the warnings about a level, with their places in the collection.
    #[must_use]
    pub fn warnings(&self) -> Option<Report> {
        let level = self.level.as_ref()?;
        Some(level.read().warnings).filter(|warnings| !warnings.is_empty()).map(|warnings| level.report(warnings))
    }
}

/// The name of standard input as a file.
fn standard_input() -> &'static Path {
    Path::new("-")
}

/// Splits the name of a level, `levels.sok#3`, into path and number, unless a file has that name.
fn level_name(path: &Path) -> Option<(PathBuf, usize)> {
    let (file, number) = path.to_str()?.rsplit_once('#')?;
    let number = number.parse().ok().filter(|&number| number > 0)?;
    (!path.exists() && (Path::new(file).is_file() || Path::new(file) == standard_input()))
        .then(|| (file.into(), number))
}

/// Returns the path of the file that a path names: the collection, if it is the name of a level.
pub(crate) fn file_of(path: &Path) -> PathBuf {
    level_name(path).map_or_else(|| path.to_owned(), |(file, _)| file)
}

/// Returns the format of a collection by the name of its file, if its text has that format.
fn format_of(path: &Path) -> Option<(&'static CollectionFormat, Result<String, String>)> {
    if formats_named(path)?.0.is_empty() || !path.is_file() {
        return None;
    }
    let text = read_decoded(path, "a collection of puzzles");
    Some((format_in(path, text.as_deref().ok())?, text))
}

/// Returns the formats of collections that have the extension of a file, and the extension.
fn formats_named(path: &Path) -> Option<(Vec<&'static CollectionFormat>, String)> {
    let extension = path.extension()?.to_str()?.to_lowercase();
    let has_name = |format: &&CollectionFormat| format.extensions.contains(&extension.as_str());
    Some((collection_formats().into_iter().filter(has_name).collect(), extension))
}

/// Returns the format of a collection by the name of its file and its text, if that can be read.
pub(crate) fn format_in(path: &Path, text: Option<&str>) -> Option<&'static CollectionFormat> {
    let (by_name, extension) = formats_named(path)?;
    let recognized = |text: &str| by_name.iter().find(|format| (format.recognizes)(text)).copied();
    // Only extensions of collections make errors of the collection; text files may be anything.
    text.and_then(recognized).or_else(|| by_name.first().copied().filter(|_| extension != "txt"))
}

impl Loading {
    /// Returns the puzzles in a file: the one of a puzzle file, all levels of a collection, or the level that the path
    /// names as `levels.sok#3`. A file is a collection if its name has the extension of one. Puzzle files are not
    /// opened. `-` is standard input, which is a collection if its text looks like one.
    ///
    /// # Errors
    /// The collection cannot be read, or does not have this level or metric.
    pub fn sources(&self, path: impl AsRef<Path>) -> Result<Vec<Source>, Report> {
        let path = path.as_ref();
        let (file, number) = match level_name(path) {
            Some((file, number)) => (file, Some(number)),
            None => (path.to_owned(), None),
        };
        let name = file.display().to_string();
        let found = if file == standard_input() {
            let bytes = bytes_of(io::stdin().lock()).map_err(|message| Report::unreadable(&name, message))?;
            let text = decoded(bytes.clone());
            match collection_of(&text) {
                Some(format) => Some((format, Ok(text))),
                None if self.options.metric.is_none() && number.is_none() => {
                    let text = utf8(bytes).map_err(|message| Report::unreadable(&name, message))?;
                    return Ok(vec![Source { text: Some(text), ..Source::file(path) }]);
                }
                None => None,
            }
        } else {
            format_of(&file)
        };
        let Some((format, text)) = found else {
            return match (&self.options.metric, number) {
                (Some(metric), _) => {
                    let more = format!("or write `metric = \"{metric}\"` into the file, if its domain has this metric");
                    let error = one_puzzle(&format!("leave `--metric` out, {more}"));
                    Err(Report::new(&name, "", vec![error]))
                }
                (_, Some(_)) => Err(Report::new(&name, "", vec![one_puzzle("leave `--level` out")])),
                (None, None) => Ok(vec![Source::file(path)]),
            };
        };
        let text = text.map_err(|message| Report::unreadable(&name, message))?;
        let mut levels = self.levels(format, &file, text, None)?;
        if let Some(number) = number {
            let count = levels.len();
            let missing = || Report::new(&name, "", vec![no_level(number, count)]);
            levels = vec![levels.into_iter().nth(number - 1).ok_or_else(missing)?];
        }
        Ok(levels)
    }

    /// Returns the puzzles in a text as [`sources`](Self::sources) returns those of a file of this name, which need not
    /// exist.
    ///
    /// # Errors
    /// The collection cannot be read.
    pub fn sources_in(&self, path: &Path, text: &SourceText) -> Result<Vec<Source>, Report> {
        match format_in(path, Some(text)) {
            Some(format) => self.levels(format, path, text.clone(), None),
            None => Ok(vec![Source { text: Some(text.clone().into()), ..Source::file(path) }]),
        }
    }

    /// Returns the levels in the text of a collection. `path` is its file, `title` replaces its own title.
    ///
    /// # Errors
    /// The text cannot be read, or the format does not have the metric.
    pub fn levels(
        &self,
        format: &CollectionFormat,
        path: &Path,
        text: impl Into<SourceText>,
        title: Option<&str>,
    ) -> Result<Vec<Source>, Report> {
        let (file, text) = (path.display().to_string(), text.into());
        let wrong = |diagnostics| Report::new(&file, text.clone(), diagnostics);
        let metric = format.metric(self.options.metric.as_deref()).map_err(|known| {
            let unknown = self.options.metric.as_deref().unwrap_or_default();
            let message = format!("unknown metric `{unknown}` for a collection of the format `{}`", format.name);
            wrong(vec![Diagnostic::whole(message).help(unknown_name(unknown, known))])
        })?;
        let name = path.file_stem().map_or_else(|| format.name.into(), |stem| stem.to_string_lossy());
        let collection = CollectionText {
            text: text.clone(),
            name: name.into_owned(),
            title: title.map(str::to_owned),
            metric,
            options: self.options.clone(),
        };
        let context = BuildContext::within(&self.limits);
        let levels = (format.open)(collection, &context);
        if let Some(limit) = context.ended() {
            return Err(wrong(vec![Diagnostic::at_limit(limit)]));
        }
        let levels = levels.map_err(wrong)?;
        let collection = Arc::new(Collection { file, text, levels });
        Ok((1..=collection.levels.count()).map(|number| Source::level(path, number, &collection)).collect())
    }

    /// Reads the puzzle of a source.
    ///
    /// # Errors
    /// The file cannot be read, or has mistakes: each of them, with its place.
    pub fn load_source(&self, source: &Source) -> Result<Puzzle, Report> {
        let context = BuildContext::within(&self.limits);
        let Some(level) = &source.level else {
            let origin = Origin::file(&source.name, source.text()?.into());
            return self.read(&origin, &source.path, None, &context);
        };
        let Level { puzzle, prepared, warnings, .. } = level.read();
        let origin = Origin {
            name: source.name.clone(),
            file: level.collection.file.clone(),
            source: level.collection.text.clone(),
            text: PuzzleText::Tree(puzzle.map_err(|errors| level.report(errors))?),
            of_level: Some(warnings).filter(|warnings| !warnings.is_empty()).map(|warnings| level.report(warnings)),
            composed: None,
        };
        self.read(&origin, &source.path, prepared.as_ref(), &context)
    }

    /// Returns the one puzzle in a file.
    ///
    /// # Errors
    /// As [`sources`](Self::sources), or the file is a collection of several levels.
    pub fn source(&self, path: impl AsRef<Path>) -> Result<Source, Report> {
        let mut sources = self.sources(path)?;
        match (sources.pop(), sources.len()) {
            (Some(source), 0) => Ok(source),
            (last, _) => {
                let name = last.as_ref().map_or_else(String::new, |last| last.path.display().to_string());
                let message = format!("has {} levels, and this command takes one", sources.len() + 1);
                let help = format!("choose one with `--level`, or name it, such as `{name}#1`");
                let error = Diagnostic::whole(message).help(help);
                Err(Report::new(&name, "", vec![error]))
            }
        }
    }
}

/// Returns the error for an option of collections with the file of one puzzle.
pub(crate) fn one_puzzle(help: &str) -> Diagnostic {
    Diagnostic::whole("this file holds one puzzle").help(help)
}

/// Returns the error for a level that a collection does not have.
fn no_level(number: usize, count: usize) -> Diagnostic {
    Diagnostic::whole(format!("has {}, no level {number}", counted(count, "level")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::document::{Entry, Tree};
    use std::sync::atomic::{AtomicUsize, Ordering};

    static READ: AtomicUsize = AtomicUsize::new(0);

    /// A collection that counts how many levels are read.
    struct Counting;

    impl Levels for Counting {
        fn count(&self) -> usize {
            20_000
        }

        fn title(&self, index: usize) -> String {
            format!("Level {}", index + 1)
        }

        fn read(&self, index: usize) -> Level {
            READ.fetch_add(1, Ordering::Relaxed);
            let at = index..index + 1;
            let entries =
                [("title", self.title(index)), ("domain", "sliding-tile".to_owned()), ("start", "1 2".to_owned())];
            let tree = Tree::new(entries.map(|(key, text)| Entry::text(key, text, &at)).into());
            Level { puzzle: Ok(Arc::new(tree)), prepared: None, warnings: Vec::new() }
        }
    }

    #[test]
    fn one_level_of_many_is_read_alone_and_its_errors_are_in_the_collection() {
        let format = CollectionFormat {
            name: "counting",
            summary: "",
            extensions: &[],
            metrics: &[crate::domain::Named { name: "moves", summary: "" }],
            recognizes: |_| true,
            near: |_| None,
            open: |_, _| Ok(Box::new(Counting)),
        };
        let loading = Loading::default();
        let sources = loading.levels(&format, "many.sok".as_ref(), "\n".repeat(20_000), None);
        let sources = sources.unwrap_or_else(|report| panic!("{report}"));
        let source = &sources[16];
        assert_eq!(
            (sources.len(), source.name(), source.title().as_deref()),
            (20_000, "many.sok#17", Some("Level 17"))
        );
        assert_eq!(READ.load(Ordering::Relaxed), 0);
        let report = loading.load_source(source).err().expect("the board has no blank");
        assert_eq!(READ.load(Ordering::Relaxed), 1);
        assert!(report.render(false).contains("many.sok:17:1"), "{}", report.render(false));
    }
}
