//! Failures: the reasons why a command ends without a result, with their exit statuses.

use super::stopped::Stopped;
use super::{Status, complain};
use crate::diagnostic::{Diagnostic, Report};
use crate::puzzle::SolveError;
use crate::search::Limit;
use std::io;
use std::path::Path;

/// The result of a command.
pub(super) type Ended = Result<Status, Failure>;

/// The reason why there is no result.
pub(super) enum Failure {
    /// Results cannot be written, or a folder cannot be read.
    Io(io::Error),
    /// A file is wrong, or a limit ended reading it.
    File(Report),
    /// The work did not end at its limits, and hit the wall behind them.
    Stopped(&'static Stopped),
    /// The command cannot be run like this.
    Refused {
        /// The file it is about, if it is about one.
        file: Option<String>,
        message: String,
        /// A fix, if there is one to name.
        help: String,
    },
}

impl Failure {
    /// Refuses what was asked for, with a fix unless it is empty.
    pub fn refused(message: impl Into<String>, help: impl Into<String>) -> Failure {
        Failure::Refused { file: None, message: message.into(), help: help.into() }
    }

    /// Names the file that a refusal is about.
    pub fn about(self, path: &Path) -> Failure {
        match self {
            Failure::Refused { message, help, .. } => {
                Failure::Refused { file: Some(path.display().to_string()), message, help }
            }
            other => other,
        }
    }

    /// Prints the failure to standard error, and returns its status.
    pub fn print(&self) -> Status {
        match self {
            // The reader of the output has closed it.
            Failure::Io(error) if error.kind() == io::ErrorKind::BrokenPipe => return Status::Good,
            Failure::Io(error) => complain(&format!("error: {error}")),
            Failure::File(report) => super::report(report),
            Failure::Stopped(stopped) => complain(&format!("error: {}: {stopped}", stopped.file)),
            Failure::Refused { file, message, help } => {
                let file = file.as_ref().map_or(String::new(), |file| format!("{file}: "));
                let help = if help.is_empty() { String::new() } else { format!("\n  help: {help}") };
                complain(&format!("error: {file}{message}{help}"));
            }
        }
        self.limit().map_or(Status::Bad, Status::of_limit)
    }

    /// Returns the limit that ended reading a file, if nothing is wrong with the file.
    pub fn limit(&self) -> Option<Limit> {
        match self {
            Failure::File(report) => report.limit(),
            Failure::Stopped(stopped) => Some(stopped.limit),
            Failure::Io(_) | Failure::Refused { .. } => None,
        }
    }

    /// Returns the messages alone, on one line.
    pub fn messages(&self) -> String {
        match self {
            Failure::Io(error) => error.to_string(),
            Failure::File(report) => report.messages(),
            Failure::Stopped(stopped) => stopped.to_string(),
            Failure::Refused { message, .. } => message.clone(),
        }
    }
}

impl Failure {
    /// The failure of work on a file that a limit ended.
    pub fn at_limit(name: &str, limit: Limit) -> Failure {
        Report::new(name, "", vec![Diagnostic::at_limit(limit)]).into()
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        Failure::Io(error)
    }
}

impl From<Report> for Failure {
    fn from(report: Report) -> Failure {
        Failure::File(report)
    }
}

impl From<SolveError> for Failure {
    fn from(error: SolveError) -> Failure {
        Failure::refused(error.to_string(), error.help())
    }
}
