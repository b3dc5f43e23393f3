//! `engine rate`: how hard puzzles are for people, and how well that agrees with what people did.

mod formats;

use super::failure::{Ended, Failure};
use super::groups::OUTPUT;
use super::limits::{ReadingLimits, interrupt};
use super::loading::{INPUT, LevelsOptions, Reading, UnseededOptions};
use super::output::{JsonFlag, OutputOption, formats as formats_of};
use super::{Status, files, report, wall};
use crate::diagnostic::Report;
use crate::puzzle::Source;
use crate::rating::{Rating, RatingOptions};
use crate::search::Limits;
use clap::Args;
use formats::{FORMATS, RateFormat, Rated, TEXT};
use std::num::NonZero;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

/// Rate how hard puzzles are for people
#[derive(Args)]
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
        let mut output = self.output.open(&self.paths)?;
        let format = self.json.choose(FORMATS, self.format);
        let limits = Limits { interrupt: Some(interrupt.clone()), ..self.limits.limits() };
        let mut status = Status::Good;
        let mut rated = Vec::new();
        for source in self.sources()? {
            let read = wall::behind("rating", source.name(), &limits, || Ok::<_, Failure>(self.rated(&source, &limits)?));
            match read {
                Ok(one) => {
                    status = status.max(Status::unless(one.rating.limit));
                    rated.push(one);
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
        (format.writer)(&mut output, &rated)?;
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

    fn rated(&self, source: &Source, limits: &Limits) -> Result<Rated, Report> {
        let puzzle = self.levels.reading.loading(limits).load_source(source)?;
        let options = RatingOptions { limits: limits.clone(), most_states: self.states.get(), seed: self.seed };
        let rating: Rating = puzzle.rate(&options);
        Ok(Rated { file: source.name().to_owned(), title: puzzle.title().to_owned(), rating })
    }
}
