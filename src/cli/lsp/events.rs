//! What the loop of the server and the threads beside it send to each other.

use crate::analysis::Analysis;
use crate::diagnostic::SourceText;
use serde_json::Value;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Something that happened.
pub(super) enum Event {
    /// The editor sent a message.
    Message(Value),
    /// The editor sent something else.
    Bad(String),
    /// The editor is gone.
    Closed,
    /// A text was analysed.
    Analysed(String, Arc<Analysis>),
    /// A search beside ended, with its result in a few words.
    Solved(u64, Option<String>),
    /// The command of this request ended; without a result it was stopped.
    Done(Value, Option<(Output, Option<PathBuf>)>),
}

/// A text to analyse, or with `text: None` one to forget.
pub(super) struct Order {
    pub uri: String,
    pub path: PathBuf,
    pub text: Option<SourceText>,
    /// Set when there is a newer text.
    pub stop: Arc<AtomicBool>,
}

/// A puzzle whose optimum is to be found.
pub(super) struct Question {
    pub key: u64,
    pub analysis: Arc<Analysis>,
    pub level: Option<usize>,
    pub stop: Arc<AtomicBool>,
}

/// The output of a child.
pub(super) struct Output {
    pub status: i32,
    pub text: String,
    pub errors: String,
}
