//! The hello that two processes exchange: their identities, and the exploration that each runs.

use crate::search::disk::manifest::Identity;
use crate::search::hosts::Host;
use serde::{Deserialize, Serialize};
use std::time::Duration;

/// The purpose of a connection.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum Channel {
    /// Heartbeats, and the reason for an end.
    Control,
    /// States.
    States,
}

/// The identity of a process, and the exploration that it runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Hello {
    pub process: usize,
    pub processes: usize,
    pub workers: usize,
    pub depth: Option<u32>,
    /// The identity of the exploration, without the share.
    pub identity: Identity,
    /// True if it keeps its layers in a folder.
    pub disk: bool,
    /// The run of its checkpoint, if it has one, and whether that has any files.
    pub run: Option<(String, bool)>,
    /// The silence after which it gives a peer up.
    pub patience: Duration,
    /// True if it has a secret.
    pub secret: bool,
    /// A random number that identifies this process until it ends.
    pub life: String,
    /// A nonce: a random number for this connection only.
    pub nonce: String,
    pub channel: Channel,
}

impl Hello {
    /// Returns the address of the sender, as the file of hosts has it.
    pub fn at(&self, hosts: &[Host]) -> String {
        hosts
            .get(self.process)
            .map_or_else(|| "an address that is not in the file of hosts".to_owned(), Host::to_string)
    }
}
