//! `engine completions` and `engine man`: completion scripts and manual pages, generated from the command line.

use super::failure::{Ended, Failure};
use super::output::{Output, with_path};
use super::streams::stdout;
use super::{Status, definition, files};
use clap::Args;
use clap_complete::Shell;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// Print a script that completes commands, options and files in a shell
#[derive(Args)]
pub(super) struct Completions {
    /// Print the script of this shell
    #[arg(value_name = "SHELL")]
    shell: Shell,
}

impl Completions {
    pub fn run(&self) -> Ended {
        let mut command = definition::whole();
        let name = command.get_name().to_owned();
        // In memory first: the generator panics if the reader closes the pipe.
        let mut script = Vec::new();
        clap_complete::generate(self.shell, &mut command, name, &mut script);
        stdout().write_all(&script)?;
        Ok(Status::Good)
    }
}

/// Print the manual page, or write the pages of all commands
#[derive(Args)]
pub(super) struct Man {
    /// Write the pages of all commands to this folder [default: print the main page]
    #[arg(value_name = "DIR")]
    directory: Option<PathBuf>,
}

impl Man {
    pub fn run(&self) -> Ended {
        let mut command = headed(definition::whole().disable_help_subcommand(true));
        command.build();
        let Some(directory) = &self.directory else {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            stdout().write_all(&page)?;
            return Ok(Status::Good);
        };
        fs::create_dir_all(directory).map_err(|error| with_path(directory, &error, ""))?;
        let pages = write_pages(command, directory)?;
        writeln!(stdout(), "{pages} pages in {}", directory.display())?;
        Ok(Status::Good)
    }
}

/// Gives arguments a heading of their own: pages list those without one under OPTIONS, which is a group already.
fn headed(command: clap::Command) -> clap::Command {
    let heading = |argument: clap::Arg| {
        if argument.is_positional() { argument.help_heading("Arguments") } else { argument }
    };
    command.mut_args(heading).mut_subcommands(headed)
}

/// Writes the page of a command and the pages of its subcommands. Returns the number of pages.
fn write_pages(command: clap::Command, directory: &Path) -> Result<usize, Failure> {
    let parts: Vec<clap::Command> = command.get_subcommands().cloned().collect();
    let page = clap_mangen::Man::new(command);
    let file = directory.join(page.get_filename());
    files::refuse_link_out(directory, &file, "remove the link")?;
    let mut output = Output::open(Some(&file), &[])?;
    page.render(&mut output)?;
    output.finish()?;
    parts.into_iter().try_fold(1, |pages, part| Ok(pages + write_pages(part, directory)?))
}
