//! `engine schema`: prints the JSON Schema of puzzle files, for editors.

use super::failure::Ended;
use super::streams::stdout;
use super::{Status, domains};
use crate::puzzle::schema::{schema, schema_of_all};
use clap::Args;
use std::io::Write;

/// Print the JSON Schema of puzzle files, for completion and checks in editors
#[derive(Args)]
pub(super) struct Schema {
    /// Print the schema of this domain alone [default: one schema for all domains]
    #[arg(value_name = "DOMAIN")]
    domain: Option<String>,
}

impl Schema {
    pub fn run(&self) -> Ended {
        let schema = match &self.domain {
            None => schema_of_all(),
            Some(name) => schema(domains::known(name)?),
        };
        writeln!(stdout(), "{schema:#}")?;
        Ok(Status::Good)
    }
}
