//! The puzzle files and collections of a command, which levels to read, and which other files a puzzle may name.

use super::{files, wall};
use crate::diagnostic::{Diagnostic, Report};
use crate::plot::text::counted;
use crate::puzzle::{Loading, Puzzle, ReadOptions, Source, file_of, one_puzzle};
use crate::search::Limits;
use crate::transcript::quoted;
use clap::Args;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// The group of options that select what to read.
pub(super) const INPUT: &str = "Input";

/// The options of reading puzzles that the file does not decide.
#[derive(Args)]
pub(super) struct ReadingOptions {
    #[command(flatten)]
    unseeded: UnseededOptions,
    /// Seed the random draws of a game [default: the file's; games that draw at random need one]
    ///
    /// For PuzzleScript: the seed is any text. The same seed and the same presses always give the same positions.
    #[arg(long, value_name = "SEED", allow_negative_numbers = true, help_heading = INPUT)]
    seed: Option<String>,
}

/// The options of reading puzzles, for a command with a seed of its own.
#[derive(Args)]
pub(super) struct UnseededOptions {
    #[command(flatten)]
    paths: PathsOption,
    /// Count moves of the levels of a collection in this metric [default: pushes]
    ///
    /// For Sokoban: `pushes` makes walks free, `moves` counts every step.
    #[arg(long, value_name = "NAME", help_heading = INPUT)]
    metric: Option<String>,
}

/// The option `--allow-paths`, which every command that reads puzzles has.
#[derive(Args, Clone, Copy)]
pub(super) struct PathsOption {
    /// Let puzzle files name files outside their own folders
    ///
    /// By default, a word list, map or board that a puzzle file names must lie below the folder of that file, and links
    /// below a folder must not lead out of it.
    #[arg(long)]
    allow_paths: bool,
}

/// The options of reading that a command has.
pub(super) trait Reading: Args {
    /// Returns the options in the form of the library.
    fn options(&self) -> ReadOptions;

    /// Returns the options with limits.
    fn loading(&self, limits: &Limits) -> Loading {
        Loading { options: self.options(), limits: limits.clone() }
    }

    /// Refuses a file below a folder that is a link to outside, unless `--allow-paths` is given.
    fn check_below(&self, directory: &Path, file: &Path) -> Result<(), Report> {
        if self.options().allow_paths {
            return Ok(());
        }
        files::refuse_link_out(directory, &file_of(file), "`--allow-paths` follows such links")
    }
}

impl Reading for ReadingOptions {
    fn options(&self) -> ReadOptions {
        ReadOptions { seed: self.seed.clone(), ..self.unseeded.options() }
    }
}

impl Reading for UnseededOptions {
    fn options(&self) -> ReadOptions {
        ReadOptions { metric: self.metric.clone(), ..self.paths.options() }
    }
}

impl Reading for PathsOption {
    fn options(&self) -> ReadOptions {
        ReadOptions { allow_paths: self.allow_paths, ..ReadOptions::default() }
    }
}

impl ReadingOptions {
    /// Returns the options that other commands need to read the same puzzle file, each after a space.
    pub fn arguments(&self) -> String {
        let ReadOptions { allow_paths, seed, metric: _ } = self.options();
        let seed = seed.map_or(String::new(), |seed| format!(" --seed {}", quoted(&seed)));
        if allow_paths { format!(" --allow-paths{seed}") } else { seed }
    }

    /// Returns whether a metric is chosen.
    pub fn has_metric(&self) -> bool {
        self.unseeded.metric.is_some()
    }
}

/// The tag of puzzles for tests: lists of levels to play leave them out.
const TEST_TAG: &str = "test";

/// Options of commands that read several levels of a collection.
#[derive(Args)]
pub(super) struct LevelsOptions<R: Reading = ReadingOptions> {
    /// Read only these levels of a collection, such as 3, 2-5 or 1,4-6,9- [default: all]
    ///
    /// Levels count from 1. The name of one level is `levels.sok#3`.
    #[arg(long, value_name = "LEVELS", help_heading = INPUT)]
    level: Option<Levels>,
    #[command(flatten)]
    pub reading: R,
}

impl<R: Reading> LevelsOptions<R> {
    /// Returns the puzzles in a file: the one of a puzzle file, or the chosen levels.
    pub fn sources(&self, path: &Path, limits: &Limits) -> Result<Vec<Source>, Report> {
        let name = path.display().to_string();
        let all = || self.reading.loading(limits).sources(path);
        self.chosen(path, wall::reading(&format!("opening {name}"), &name, limits, all)?)
    }

    /// Returns the puzzles in a file that was found below a folder: there, level and metric are those of collections.
    pub fn sources_found(&self, path: &Path, limits: &Limits) -> Result<Vec<Source>, Report> {
        if files::is_collection(path) { self.sources(path, limits) } else { Ok(vec![Source::file(path)]) }
    }

    /// Returns the chosen ones of all levels in a file.
    pub fn chosen(&self, path: &Path, mut sources: Vec<Source>) -> Result<Vec<Source>, Report> {
        let Some(levels) = &self.level else { return Ok(sources) };
        let wrong = |error: Diagnostic| Report::new(&path.display().to_string(), "", vec![error]);
        if file_of(path) != path {
            let error = Diagnostic::whole("this name has the number of a level");
            return Err(wrong(error.help("leave `--level` out")));
        }
        if sources.iter().any(|source| source.number().is_none()) {
            return Err(wrong(one_puzzle("leave `--level` out")));
        }
        let most = sources.iter().filter_map(Source::number).max().unwrap_or(0);
        if let Some(number) = levels.missing(most) {
            return Err(wrong(Diagnostic::whole(format!("has {}, no level {number}", counted(most as u64, "level")))));
        }
        sources.retain(|source| source.number().is_some_and(|number| levels.contains(number)));
        Ok(sources)
    }
}

/// Numbers of levels, as ranges.
#[derive(Clone, Debug, PartialEq)]
struct Levels(Vec<(usize, usize)>);

impl Levels {
    fn contains(&self, number: usize) -> bool {
        self.0.iter().any(|&(first, last)| (first..=last).contains(&number))
    }

    /// Returns the first number that is named and beyond the last level.
    fn missing(&self, most: usize) -> Option<usize> {
        let beyond = |&(first, last): &(usize, usize)| match last {
            usize::MAX => Some(first).filter(|&first| first > most),
            last => Some(last.min(first.max(most + 1))).filter(|&last| last > most),
        };
        self.0.iter().find_map(beyond)
    }
}

impl FromStr for Levels {
    type Err = String;

    fn from_str(text: &str) -> Result<Levels, String> {
        let range = |part: &str| {
            let (first, last) = part.split_once('-').unwrap_or((part, part));
            let number = |text: &str| text.trim().parse().ok().filter(|&number: &usize| number > 0);
            let last = if last.is_empty() { Some(usize::MAX) } else { number(last) };
            number(first).zip(last).filter(|(first, last)| first <= last)
        };
        let ranges: Option<Vec<(usize, usize)>> = text.split(',').map(range).collect();
        ranges.map(Levels).ok_or_else(|| "expected numbers of levels and ranges, such as 3, 2-5 or 1,4-6,9-".to_owned())
    }
}

/// One puzzle file, or one level of a collection.
#[derive(Args)]
pub(super) struct PuzzleFile<R: Reading = ReadingOptions> {
    /// Read the puzzle from this file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    #[command(flatten)]
    level: LevelOptions<R>,
}

/// Options of commands that read one level of a collection.
#[derive(Args)]
pub(super) struct LevelOptions<R: Reading> {
    /// Read this one level of a collection, such as 3
    ///
    /// Levels count from 1. The name of one level is `levels.sok#3`.
    #[arg(long, value_name = "LEVEL", value_parser = one_level, help_heading = INPUT)]
    level: Option<NonZero<usize>>,
    #[command(flatten)]
    pub reading: R,
}

/// Reads the number of one level.
fn one_level(text: &str) -> Result<NonZero<usize>, String> {
    text.parse().map_err(|_| "this command reads one level: expected a whole number of at least 1".to_owned())
}

impl<R: Reading> LevelOptions<R> {
    /// Returns the name of a file, or of the chosen level in it.
    pub fn of(&self, file: &Path) -> PathBuf {
        match self.level {
            None => file.to_owned(),
            Some(level) => {
                let mut name = file.as_os_str().to_owned();
                name.push(format!("#{level}"));
                name.into()
            }
        }
    }
}

impl<R: Reading> PuzzleFile<R> {
    /// Returns the path of the file, or the name of the level.
    pub fn path(&self) -> PathBuf {
        self.level.of(&self.file)
    }

    /// Returns the name of the file, as it was given.
    pub fn name(&self) -> String {
        self.path().display().to_string()
    }

    /// The file as one of those that no output may replace.
    pub fn as_input(&self) -> Vec<PathBuf> {
        vec![file_of(&self.path())]
    }

    /// Reads the puzzle within these limits.
    pub fn load(&self, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading(limits).load(self.path())
    }

    /// Returns the puzzles in the file, or in the files below the folder: puzzle files, and collections whose names say
    /// so. A file of a folder that cannot be read is left out, and `left_out` receives the reason. So are puzzles for
    /// tests, without a reason.
    pub fn sources(&self, mut left_out: impl FnMut(Report)) -> Result<Vec<Source>, Report> {
        let (path, loading) = (self.path(), self.loading(&Limits::default()));
        if !path.is_dir() {
            if self.file.is_dir() {
                let error = Diagnostic::whole("this folder has no levels of its own");
                let error = error.help("leave `--level` out, or name a collection in the folder");
                return Err(Report::new(&self.file.display().to_string(), "", vec![error]));
            }
            return loading.sources(path);
        }
        let sources = |file: PathBuf| {
            self.level.reading.check_below(&path, &file)?;
            match files::is_collection(&file) {
                true => loading.sources(file),
                false => Ok(vec![Source::file(&file)]),
            }
        };
        let sources = files::puzzles_below(&path)?.into_iter().map(sources);
        let mut sources =
            sources.filter_map(|sources| sources.map_err(&mut left_out).ok()).collect::<Vec<_>>().concat();
        sources.retain(|source| source.number().is_some() || !is_for_tests(source));
        Ok(sources)
    }

    /// Returns the one puzzle in the file, not read yet.
    pub fn source(&self, limits: &Limits) -> Result<Source, Report> {
        self.loading(limits).source(self.path())
    }

    /// Reads one of the puzzles in the file within these limits.
    pub fn load_source(&self, source: &Source, limits: &Limits) -> Result<Puzzle, Report> {
        self.loading(limits).load_source(source)
    }

    /// Returns the options of reading.
    pub fn loading(&self, limits: &Limits) -> Loading {
        self.level.reading.loading(limits)
    }
}

/// Returns whether a puzzle file has the tag of puzzles that are for tests.
fn is_for_tests(source: &Source) -> bool {
    let text = source.text().unwrap_or_default();
    let keys =
        if text.contains(TEST_TAG) { text.parse::<toml::Table>().unwrap_or_default() } else { toml::Table::new() };
    let tags = keys.get("tags").and_then(toml::Value::as_array);
    tags.is_some_and(|tags| tags.iter().any(|tag| tag.as_str() == Some(TEST_TAG)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_numbers_and_ranges() {
        let levels = |text: &str| text.parse::<Levels>().map(|levels| levels.0);
        assert_eq!(levels("3"), Ok(vec![(3, 3)]));
        assert_eq!(levels("1,4-6,9-"), Ok(vec![(1, 1), (4, 6), (9, usize::MAX)]));
        for wrong in ["", "0", "a", "3-2", "-", "-3", "1,,2", "1-2-3"] {
            assert!(levels(wrong).is_err(), "{wrong}");
        }
        let missing = |text: &str| text.parse::<Levels>().expect(text).missing(5);
        assert_eq!(["5", "6", "4-9", "7-", "5-", "8-9"].map(missing), [None, Some(6), Some(6), Some(7), None, Some(8)]);
    }
}
