//! The handover from a process that hit the wall to the one that replaces it, through a file that the environment names.

use super::stopped::Stopped;
use crate::domain::WholeFile;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;

/// Names the file with which a process hands over to the next one.
const VARIABLE: &str = "ENGINE_BEHIND_THE_WALL";

/// What a process hands over to the next one.
#[derive(Default, Serialize, Deserialize)]
pub(super) struct Handover {
    /// The work that hit the wall, by its key.
    pub stopped: BTreeMap<String, Stopped>,
    /// True if several pieces of work ran at once when the memory ended. From then on they run one by one, so that the
    /// limit is the result of the right one.
    pub one_by_one: bool,
    /// The results of the command so far.
    pub results: Option<serde_json::Value>,
    /// The bytes of the output files so far, in the order in which they were opened.
    pub written: Vec<Vec<u8>>,
}

/// What the process before handed over.
pub(super) fn handover() -> &'static Handover {
    static HANDOVER: OnceLock<Handover> = OnceLock::new();
    HANDOVER.get_or_init(|| {
        let Some(path) = std::env::var_os(VARIABLE) else { return Handover::default() };
        let text = std::fs::read(&path).unwrap_or_default();
        let handover = serde_json::from_slice(&text).ok();
        if handover.is_some() {
            // A process that this one starts finds nothing there.
            let _ = std::fs::remove_file(path);
        }
        handover.unwrap_or_default()
    })
}

/// Writes down what the next process needs. It deletes the file.
pub(super) fn hand_over(handover: &Handover) -> io::Result<PathBuf> {
    let folder = std::env::temp_dir();
    let path = folder.join(format!("engine-{}.json", std::process::id()));
    let mut file = WholeFile::create_in(&folder, 0o600)?;
    file.write_all(&serde_json::to_vec(handover)?)?;
    file.replace(&path)?;
    Ok(path)
}

/// Runs the program again, with the same arguments. Returns only if that fails.
pub(super) fn go_on(path: &Path) -> io::Error {
    let mut again = match std::env::current_exe() {
        Ok(program) => Command::new(program),
        Err(error) => return error,
    };
    again.args(std::env::args_os().skip(1)).env(VARIABLE, path);
    #[cfg(unix)]
    let failed = std::os::unix::process::CommandExt::exec(&mut again);
    #[cfg(not(unix))]
    let failed = match again.status() {
        Ok(status) => std::process::exit(status.code().unwrap_or(super::Status::Stopped as i32)),
        Err(error) => error,
    };
    let _ = std::fs::remove_file(path);
    failed
}

/// Returns the bytes that the process before wrote to the output file that is opened as number `number`.
pub(super) fn written_before(number: usize) -> Option<&'static [u8]> {
    handover().written.get(number).map(Vec::as_slice)
}
