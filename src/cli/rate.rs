//! `engine rate`: how hard puzzles are for people, and how well that agrees with what people did.

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{ReadingLimits, interrupt};
use super::loading::{INPUT, LevelsOptions, Reading, UnseededOptions};
use super::output::{JsonFlag, OutputOption, formats as formats_of};
use super::{Status, files, report, wall};
use crate::diagnostic::{Diagnostic, Report};
use crate::puzzle::{Puzzle, Source, file_of};
use crate::rating::{Agreement, People, RatingOptions};
use crate::search::Limits;
use crate::transcript::rating::{self, Against, FORMATS, RateFormat, Rated, Results, TEXT};
use clap::Args;
use std::fs;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;

/// Rate how hard puzzles are for people
#[derive(Args)]
#[command(
    after_help = "A score orders puzzles of one domain: a greater one is harder. It is no time. The parts are explained \
                  in the book, on the page about ratings.\n\n\
                  Exit status: 0 rated, 2 wrong usage or an invalid file, 3 stopped by a limit, 130 interrupted. With \
                  several puzzles: the highest of theirs."
)]
pub(super) struct Rate {
    /// Rate the puzzles in these files, and all below these folders: puzzle files and collections
    #[arg(required = true, value_name = "FILE|DIR")]
    paths: Vec<PathBuf>,
    #[command(flatten)]
    levels: LevelsOptions<UnseededOptions>,
    /// Explore spaces of at most N states whole; measure greater ones on samples
    #[arg(long, value_name = "N", default_value = "100000", value_parser = super::limits::at_least_one, help_heading = INPUT)]
    states: NonZero<usize>,
    /// Seed the players and samples with S; the same seed gives the same ratings
    #[arg(long, value_name = "S", default_value_t = 0, help_heading = INPUT)]
    seed: u64,
    #[command(flatten)]
    limits: ReadingLimits,
    /// Print the easiest puzzles first
    #[arg(long, help_heading = OUTPUT)]
    sort: bool,
    /// Print how well the ratings agree with what people did, by this table
    ///
    /// Columns are between tabs, and the first line names them. The column `file` or `level`, the number of a level, says
    /// which puzzle a row is about.
    #[arg(long, value_name = "FILE.tsv", help_heading = OUTPUT)]
    against: Option<PathBuf>,
    /// With --against: compare with this column [default: the first that is known to say how hard puzzles were]
    ///
    /// `-NAME` is a column whose greater numbers are of easier puzzles.
    #[arg(long, value_name = "NAME", requires = "against", allow_hyphen_values = true, help_heading = OUTPUT)]
    column: Option<String>,
    /// With --against: compare this part of the ratings instead of the score
    #[arg(long, value_name = "PART", requires = "against", default_value = "score", help_heading = OUTPUT)]
    by: String,
    /// Print the ratings in this format
    #[arg(long, value_parser = formats_of(FORMATS), default_value = TEXT.name, help_heading = OUTPUT)]
    format: &'static RateFormat,
    #[command(flatten)]
    json: JsonFlag,
    #[command(flatten)]
    output: OutputOption,
}

impl Rate {
    pub fn run(&self, _quiet: bool) -> Ended {
        let interrupt = interrupt();
        let inputs: Vec<PathBuf> = self.paths.iter().chain(&self.against).map(|path| file_of(path)).collect();
        let mut output = self.output.open(&inputs)?;
        let people = self.against.as_deref().map(|path| self.people(path)).transpose()?;
        let format = self.json.choose(FORMATS, self.format);
        let limits = Limits { interrupt: Some(interrupt.clone()), ..self.limits.limits() };
        let mut status = Status::Good;
        let mut rated = Vec::new();
        let sources = self.sources()?;
        let is_drawn = format.name == TEXT.name && sources.len() == 1;
        for source in &sources {
            let read = wall::behind("rating", source.name(), &limits, || {
                let (one, puzzle) = self.rated(source, &limits, is_drawn)?;
                output.spare(&puzzle)?;
                Ok::<_, Failure>((one, source))
            });
            match read {
                Ok((one, source)) => {
                    status = status.max(Status::unless(one.rating.limit));
                    rated.push((one, source));
                }
                Err(Failure::File(wrong)) => {
                    report(&wrong);
                    status = status.max(Status::Bad);
                }
                Err(failure) => return Err(failure),
            }
            if interrupt.load(Ordering::Relaxed) {
                break;
            }
        }
        if self.sort {
            // Those without a score come last.
            let key = |one: &Rated| one.rating.score.unwrap_or(f64::INFINITY);
            rated.sort_by(|(one, _), (other, _)| key(one).total_cmp(&key(other)));
        }
        let against =
            people.map(|(people, column, harder)| self.compare(&people, column, harder, &rated)).transpose()?;
        let rated: Vec<Rated> = rated.into_iter().map(|(one, _)| one).collect();
        let results = against.as_ref().map_or(Results::Ratings(&rated), Results::Against);
        (format.writer)(&mut output, &results)?;
        output.finish()?;
        Ok(status)
    }

    /// Returns the puzzles in the files and below the folders.
    fn sources(&self) -> Result<Vec<Source>, Report> {
        let limits = self.limits.limits();
        let mut sources = Vec::new();
        for path in &self.paths {
            if !path.is_dir() {
                sources.extend(self.levels.sources(path, &limits)?);
                continue;
            }
            for file in files::puzzles_below(path)? {
                self.levels.reading.check_below(path, &file)?;
                sources.extend(self.levels.sources_found(&file, &limits)?);
            }
        }
        Ok(sources)
    }

    fn rated(&self, source: &Source, limits: &Limits, is_drawn: bool) -> Result<(Rated, Puzzle), Report> {
        let puzzle = self.levels.reading.loading(limits).load_source(source)?;
        let options = RatingOptions { limits: limits.clone(), most_states: self.states.get(), seed: self.seed };
        let rating = puzzle.rate(&options);
        let heat = if is_drawn && rating.score.is_some() { puzzle.heat(&options).ok().flatten() } else { None };
        let (file, title) = (source.name().to_owned(), puzzle.title().to_owned());
        Ok((Rated { file, title, rating, heat }, puzzle))
    }

    /// Reads the table of what people did; returns it with the column to compare with, and whether its greater numbers
    /// are of harder puzzles.
    fn people(&self, path: &Path) -> Result<(People, usize, bool), Failure> {
        let name = path.display().to_string();
        let wrong = |error: Diagnostic| Failure::File(Report::new(&name, "", vec![error]));
        let text = fs::read_to_string(path);
        let text =
            text.map_err(|error| Failure::File(Report::unreadable(&name, format!("cannot be read: {error}"))))?;
        let people = People::read(&text).map_err(|(line, message)| {
            wrong(Diagnostic::whole(format!("line {line} {message}")).help("the columns are between tabs"))
        })?;
        let columns = people.columns.iter().map(|column| format!("`{column}`")).collect::<Vec<_>>().join(", ");
        let found = people.measure(self.column.as_deref());
        let (column, harder) = found.ok_or_else(|| {
            let message = match &self.column {
                Some(column) => format!("has no column `{}`", column.trim_start_matches('-')),
                None => "has no column that is known to say how hard puzzles were".to_owned(),
            };
            wrong(Diagnostic::whole(message).help(format!("choose one by `--column`: {columns}")))
        })?;
        Ok((people, column, harder))
    }

    /// Compares ratings with a column of a table.
    fn compare(
        &self,
        people: &People,
        column: usize,
        harder: bool,
        rated: &[(Rated, &Source)],
    ) -> Result<Against, Failure> {
        let (mut ours, mut costs, mut theirs) = (Vec::new(), Vec::new(), Vec::new());
        for (one, source) in rated {
            let path = source.path().display().to_string();
            let Some(number) = people.number(column, &path, source.number()) else { continue };
            let Some(cost) = one.rating.cost else { continue };
            let part = rating::part(one, &self.by).map_err(|names| {
                let message = format!("no part of a rating is called `{}`", self.by);
                Failure::refused(message, format!("choose one of {}", names.join(", ")))
            })?;
            let Some(part) = part else { continue };
            ours.push(part);
            costs.push(cost);
            theirs.push(if harder { number } else { -number });
        }
        let agreement = |numbers: &[f64]| Agreement::of(numbers, &theirs, self.seed);
        let by = vec![(self.by.clone(), agreement(&ours)), ("cost".to_owned(), agreement(&costs))];
        let file = self.against.as_deref().unwrap_or(Path::new("")).display().to_string();
        let (column, puzzles) = (people.columns[column].clone(), theirs.len());
        Ok(Against { file, column, easier: !harder, puzzles, by })
    }
}
