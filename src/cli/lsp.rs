//! `engine lsp`: a language server on standard input and output, for every editor that speaks the protocol.

mod answers;
mod document;
mod events;
mod frames;
mod server;
mod work;

use super::Status;
use super::failure::Ended;
use super::streams::{Content, stdout};
use clap::Args;
use events::Event;
use server::Server;
use std::io::{self, BufReader};
use std::sync::mpsc::channel;
use std::thread;

/// Serve editors: errors, completions, explanations and optima while you write (Language Server Protocol)
///
/// Editors start this command and speak to it on standard input and output. It knows puzzle files, games of PuzzleScript
/// and collections of Sokoban levels.
#[derive(Args)]
#[command(after_help = "Exit status: 0 after `shutdown` and `exit`, 1 if the editor ends it otherwise.")]
pub(super) struct Lsp {
    /// Speak on standard input and output, which is the default; some editors pass this option
    #[arg(long)]
    stdio: bool,
}

impl Lsp {
    pub fn run(&self) -> Ended {
        let _ = self.stdio;
        let (sender, events) = channel();
        let (orders, ordered) = channel();
        let (questions, asked) = channel();
        let [of_reader, of_analyst, of_solver] = [sender.clone(), sender.clone(), sender.clone()];
        // The threads end with the process: they may wait for input, or for a child.
        thread::spawn(move || {
            let mut input = BufReader::new(io::stdin());
            while let Ok(Some(message)) = frames::read(&mut input) {
                if of_reader.send(message.map_or_else(Event::Bad, Event::Message)).is_err() {
                    return;
                }
            }
            let _ = of_reader.send(Event::Closed);
        });
        thread::spawn(move || work::analyse(&ordered, &of_analyst));
        thread::spawn(move || work::solve(&asked, &of_solver));
        let mut server = Server::new(orders, questions, sender);
        let mut out = stdout().of(Content::Bytes);
        for event in events {
            let ended = server.take(event);
            for message in server.messages() {
                // An editor that is gone reads nothing any more.
                if frames::write(&mut out, &message).is_err() {
                    return Ok(server.end(Status::No));
                }
            }
            if let Some(status) = ended {
                return Ok(server.end(status));
            }
        }
        Ok(server.end(Status::No))
    }
}
