//! `engine generate`: makes levels from a template.

use super::failure::{Ended, Failure};
use super::files::refuse_link_out;
use super::groups::OUTPUT;
use super::limits::{LimitOptions, interrupt};
use super::loading::{PuzzleFile, UnseededOptions};
use super::output::{self, Output, print_json};
use super::progress::Display;
use super::streams::stdout;
use super::{Status, complain, wall};
use crate::domain::{Progress, Style};
use crate::generating::{Generator, Level, Task};
use crate::plot::text::counted;
use crate::search::{Limit, Limits, Stats};
use crate::transcript::Number;
use clap::Args;
use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The file in which an unfinished run is kept.
const STATE: &str = ".generate.json";

/// The time between two writes of that file, and between two drawings of the best level so far.
const EVERY: Duration = Duration::from_secs(5);

/// Make levels from a template: a puzzle with a table `[generate]`
///
/// The levels are ordered by difficulty, easy ones first. Each is solved, and its solution is replayed by the second
/// implementation of the rules. A run that was interrupted goes on if the same command is run again.
#[derive(Args)]
#[command(
    after_help = "Exit status: 0 made, 1 fewer levels than wanted can be found, 2 wrong usage or an invalid file, 3 stopped \
                  by a limit, with the levels until then, 130 interrupted."
)]
pub(super) struct Generate {
    #[command(flatten)]
    template: PuzzleFile<UnseededOptions>,
    /// Make N levels
    #[arg(long, value_name = "N", default_value = "10")]
    count: NonZero<usize>,
    /// Seed the random numbers with S; the same seed gives the same levels
    #[arg(long, value_name = "S", default_value_t = 0, value_parser = clap::value_parser!(u64).range(..=i64::MAX as u64))]
    seed: u64,
    #[command(flatten)]
    limits: LimitOptions,
    /// Write the levels to files in this folder [default: print what was found]
    ///
    /// Each file is written completely or not at all. If one of them exists, none is written.
    #[arg(long, value_name = "DIR", help_heading = OUTPUT)]
    out: Option<PathBuf>,
    /// Overwrite files in the folder
    #[arg(long, requires = "out", help_heading = OUTPUT)]
    force: bool,
    /// Print JSON
    #[arg(long, help_heading = OUTPUT)]
    json: bool,
}

impl Generate {
    pub fn run(&self, quiet: bool) -> Ended {
        let started = Instant::now();
        let interrupt = interrupt();
        let limits = self.limits.limits(&interrupt);
        let name = self.template.name();
        let template = self.template.load(&self.limits.reading())?;
        let task = Task { count: self.count.get(), seed: self.seed };
        let mut generator = Generator::new(&template, task)?;
        let is_resumed = self.resume(&mut generator, quiet)?;
        if let (Some(folder), false, false) = (&self.out, self.force, is_resumed) {
            let taken = self.paths(folder, self.count.get()).into_iter().find(|path| path.exists());
            if let Some(taken) = taken {
                let help = "name another folder, or overwrite with `--force`; nothing was written";
                return Err(Failure::refused("already exists and is not overwritten", help).about(&taken));
            }
        }
        let ended = wall::behind("generate", &name, &limits, || {
            let limits = limits.remaining(&Stats::default(), started.elapsed());
            Ok::<_, Failure>(self.rounds(&mut generator, &limits, quiet)?)
        });
        let ended = match ended {
            // The levels until the last time that the state was written.
            Err(Failure::Stopped(stopped)) if is_resumed => Some(stopped.limit),
            ended => ended?,
        };
        wall::lift_time();
        // Before the first level, too: whatever ends the run from here on, the same command goes on.
        if let Some(folder) = &self.out {
            self.save(folder, &generator)?;
        }
        if ended == Some(Limit::Interrupt) {
            if let (Some(_), false) = (&self.out, quiet) {
                complain("note: run the same command to go on");
            }
            return Ok(Status::Interrupted);
        }
        // After a limit on time, there is none for ratings.
        let levels = generator.levels(ended.is_none(), &Limits { time: None, nodes: None, ..limits })?;
        let paths = match &self.out {
            Some(folder) => self.write(folder, &levels)?,
            None => Vec::new(),
        };
        self.report(&generator, &levels, &paths, ended)?;
        if let (Some(folder), None) = (&self.out, ended) {
            // Nothing is left to go on with.
            drop(fs::remove_file(folder.join(STATE)));
        }
        if levels.len() < self.count.get() && ended.is_none() {
            return Ok(missing(&name, &generator, levels.len(), self.count.get()));
        }
        Ok(Status::unless(ended))
    }

    /// Goes on from an unfinished run in the folder, if there is one.
    fn resume(&self, generator: &mut Generator, quiet: bool) -> Result<bool, Failure> {
        let Some(path) = self.out.as_ref().map(|folder| folder.join(STATE)) else { return Ok(false) };
        let saved = match fs::read_to_string(&path) {
            Ok(saved) => saved,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
            Err(error) => return Err(error.into()),
        };
        if let Err(why) = generator.resume(&saved) {
            return Err(Failure::refused(why, "remove the file to begin anew, or name another folder").about(&path));
        }
        if !quiet {
            complain(&format!("note: an unfinished run goes on after {}", counted(generator.tried().0, "candidate")));
        }
        Ok(true)
    }

    /// Makes rounds until the run is finished or a limit ends it.
    fn rounds(&self, generator: &mut Generator, limits: &Limits, quiet: bool) -> io::Result<Option<Limit>> {
        let display = Display::new(quiet);
        let is_shown = display.begin("").is_some();
        let observer = display.observer();
        let (mut saved, mut best) = (Instant::now(), 0.0);
        generator.run(limits, |generator| {
            if is_shown {
                let (what, share) = match generator.share() {
                    Some(share) => ("boards", share),
                    None => (
                        "levels",
                        generator.found().map(|(_, count)| count).sum::<u64>() as f64 / self.count.get() as f64,
                    ),
                };
                observer.progress(&Progress { what: what.to_owned(), done: (share * 1000.0) as u64, total: 1000 });
            }
            if saved.elapsed() >= EVERY {
                saved = Instant::now();
                if let Some(folder) = &self.out {
                    self.save(folder, generator)?;
                }
                if let Some((puzzle, cost)) = generator.best(limits).filter(|(_, cost)| is_shown && *cost > best) {
                    best = cost;
                    observer.note(&format!("the hardest level so far, of cost {cost}:\n{}", puzzle.draw(Style::Drawn)));
                }
            }
            Ok(())
        })
    }

    /// Writes the state of an unfinished run.
    fn save(&self, folder: &Path, generator: &Generator) -> io::Result<()> {
        fs::create_dir_all(folder)?;
        let mut output = Output::open(Some(&folder.join(STATE)), &self.template.as_input())?;
        output.write_all(generator.save().as_bytes())?;
        output.finish()
    }

    /// Returns the paths of the levels.
    fn paths(&self, folder: &Path, count: usize) -> Vec<PathBuf> {
        let path = self.template.path();
        let stem = path.file_stem().unwrap_or_default().to_string_lossy().replace('#', "-");
        // Standard input has no name of its own.
        let stem = if stem.starts_with('-') { "level" } else { &*stem };
        let width = self.count.get().to_string().len().max(2);
        (1..=count).map(|number| folder.join(format!("{stem}-{number:0width$}.toml"))).collect()
    }

    /// Writes the levels, each to a file of its own.
    fn write(&self, folder: &Path, levels: &[Level]) -> Result<Vec<PathBuf>, Failure> {
        let paths = self.paths(folder, levels.len());
        for path in &paths {
            refuse_link_out(folder, path, "remove the link; nothing was written")?;
        }
        for (path, level) in paths.iter().zip(levels) {
            if !path.exists() {
                output::write_new(path, &level.text)?;
                continue;
            }
            let mut output = Output::open(Some(path), &self.template.as_input())?;
            output.write_all(level.text.as_bytes())?;
            output.finish()?;
        }
        Ok(paths)
    }

    /// Prints what was found.
    fn report(
        &self,
        generator: &Generator,
        levels: &[Level],
        paths: &[PathBuf],
        ended: Option<Limit>,
    ) -> io::Result<()> {
        let files: Vec<String> = paths.iter().map(|path| path.display().to_string()).collect();
        if self.json {
            return print_json(&generator.report(levels, &files, ended));
        }
        let (candidates, hopeless) = generator.tried();
        let mut out = stdout();
        let found: u64 = generator.found().map(|(_, count)| count).sum();
        writeln!(out, "{}, {hopeless} without hope, {found} as wanted", counted(candidates, "candidate"))?;
        for (cost, count) in generator.found() {
            writeln!(out, "cost {cost}: {count}")?;
        }
        if files.is_empty() && !levels.is_empty() {
            writeln!(out, "write {} by `--out DIR`", counted(levels.len() as u64, "level"))?;
        }
        for (file, level) in files.iter().zip(levels) {
            let cost = level.cost.map_or("no solution".to_owned(), |cost| format!("cost {}", Number(cost)));
            let rating = level.rating.map_or(String::new(), |rating| format!(", rating {rating:.2}"));
            writeln!(out, "{file}: {cost}{rating}")?;
        }
        Ok(())
    }
}

/// Says why there are fewer levels than wanted.
fn missing(name: &str, generator: &Generator, found: usize, count: usize) -> Status {
    let tried = counted(generator.tried().0, "candidate");
    let mut message = format!("error: {name}: {found} of {count} levels were found among {tried}");
    match generator.nearest() {
        Some((puzzle, lacks)) => {
            message += &format!("; the nearest other candidate: {lacks}\n{}", puzzle.draw(Style::Drawn))
        }
        None if found == 0 => message += "; none had the wanted outcome within the states of its search",
        None => message += "; the others are alike, or not as wanted",
    }
    complain(message.trim_end());
    complain("  help: want less, mark more cells, or allow more states by `states`");
    Status::No
}
