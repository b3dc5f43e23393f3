//! `engine studio`: a page in the browser to write, see, play and prove puzzles.

mod folder;
mod http;
mod page;
mod server;
mod task;
mod work;

use super::Status;
use super::child;
use super::failure::{Ended, Failure};
use super::streams::stdout;
use clap::Args;
use folder::Folder;
use server::Server;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::Arc;
use work::WorkKind;

/// Write, see, play and prove puzzles in the browser
///
/// Serves a page on this machine alone, and prints its address, which has a random token. The page reads and writes files
/// below the folder. Ctrl-C ends it.
#[derive(Args)]
#[command(after_help = "Exit status: 0 ended by Ctrl-C, 2 the folder cannot be read or the port is taken.")]
pub(super) struct Studio {
    /// Open the puzzles below this folder
    #[arg(value_name = "DIR", default_value = ".")]
    folder: PathBuf,
    /// Listen on this port of 127.0.0.1 [default: one that is free]
    #[arg(long, value_name = "PORT", default_value_t = 0, hide_default_value = true)]
    port: u16,
    /// Print the address only, without opening a browser
    #[arg(long)]
    no_open: bool,
    /// Answer one request of the studio on standard input, within limits
    #[arg(long, value_name = "KIND", hide = true)]
    work: Option<WorkKind>,
}

impl Studio {
    pub fn run(&self) -> Ended {
        if let Some(work) = self.work {
            return work.run();
        }
        let about = |message: String, help: &str| Failure::refused(message, help).about(&self.folder);
        let folder = Folder::open(&self.folder)
            .map_err(|error| about(format!("cannot be opened: {error}"), "name the folder of your puzzles"))?;
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, self.port)).map_err(|error| {
            let help = "choose another port, or leave `--port` out for one that is free";
            Failure::refused(format!("port {} cannot be used: {error}", self.port), help)
        })?;
        let token = token()?;
        let address = format!("http://{}/?token={token}", listener.local_addr()?);
        let ending = ctrlc::set_handler(|| {
            child::end_all();
            std::process::exit(Status::Good as i32);
        });
        // Without a handler, signals end the program, as they do by default.
        drop(ending);
        writeln!(stdout(), "{address}")?;
        stdout().flush()?;
        if !self.no_open {
            open_browser(&address);
        }
        Arc::new(Server::new(folder, token)).serve(&listener)
    }
}

/// Returns 32 random hex digits.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(io::Error::other)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Opens an address in the user's browser; where there is none, the printed address remains.
fn open_browser(address: &str) {
    let mut command = Command::new(match std::env::consts::OS {
        "macos" => "open",
        "windows" => "explorer",
        _ => "xdg-open",
    });
    let _ = command.arg(address).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
}
