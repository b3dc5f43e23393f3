//! A puzzle engine: a TOML file in, the shortest solution out, proven.
//!
//! ```text
//! puzzles/x.toml ─► puzzle ─► domain (registry) ─► state space ─► search ─► solution ─► transcript ─► snapshots/x.snap
//!                   parse     TOML → instance      static, fast   generic   moves,      text, moves,
//!                   + place   validated, dynamic   packed keys    over it   cost, proof boards, json
//!                   of errors
//! ```
//!
//! Data flows in one direction. Each arrow is one call, and no stage depends on those to its left. These are the layers
//! from the bottom up; a module imports only from modules above it in this table:
//!
//! | layer | modules | content |
//! |---|---|---|
//! | 0 | [`argument`], `bit_field`, `bit_set`, [`fences`], `limit`, [`output_format`] | why there is no solution; fields of bits; sets of small numbers; thin walls between cells; the limits that can end work early; what output formats have in common |
//! | 1 | [`diagnostic`], [`picture`], [`space`] | errors with a place; pictures of positions; the interface of a state space |
//! | 2 | [`document`], [`drawing`], [`expression`], [`plot`], [`search`] | files as trees with places; drawings and expressions in them; charts; algorithms, tables, frontiers, limits |
//! | 3 | [`domain`](mod@domain) | each kind of puzzle: description, state space, heuristics, drawing |
//! | 4 | [`puzzle`] | a puzzle file, read and solved |
//! | 5 | [`analysis`], [`rating`] | what editors show of a text; how hard puzzles are for people |
//! | 6 | [`editing`] | changes of the drawing of a start, and their answers |
//! | 7 | [`transcript`] | the output for a solution, and for a whole space |
//! | 8 | [`verify`], [`play`], [`render`] | transcripts replayed by the rules; games; pictures and films |
//! | 9 | [`generating`], [`worksheet`] | levels made from templates; exercises on paper |
//! | 10 | [`cli`] | the command line |
//!
//! Layers 0 to 3 are crates of their own, re-exported here. Features leave out parts that a library may not need: `cli`
//! (the program; it needs the other two), `pictures` ([`render`]), `cluster` (exploration by several processes).
//!
//! Tests ensure three invariants. No import runs upwards. The same file gives the same bytes on every run and machine.
//! Whatever a file contains, the answer is a [`Report`](diagnostic::Report), never a panic.
//!
//! The library's entry point is [`Puzzle`]:
//!
//! ```
//! use engine::{Options, Puzzle};
//!
//! let puzzle = Puzzle::load("puzzles/klotski1.toml")?;
//! let solution = puzzle.solve(&Options::default())?;
//! println!("{} moves: {}", solution.moves().len(), solution.moves().join(" "));
//! assert_eq!(solution.cost(), Some(9.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Features
//!
//! The package is `engine-puzzle`; its library is `engine`. All features are on by default. A library that needs none
//! of them depends on the package with `default-features = false`.
//!
//! | feature | what it adds |
//! |---|---|
//! | `cli` | [`cli`], which is the whole program; it turns on the other two |
//! | `pictures` | [`render`]: SVG, PNG, GIF and HTML |
//! | `cluster` | exploration and breadth-first search by several processes |

#![warn(missing_docs)]
// Some code is used only by the program.
#![cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]

pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
pub mod editing;
pub mod generating;
pub mod output_format;
pub mod play;
pub mod plot;
pub mod puzzle;
pub mod rating;
#[cfg(feature = "pictures")]
pub mod render;
pub mod transcript;
pub mod verify;
#[cfg(feature = "pictures")]
pub mod worksheet;

pub use engine_domain::{document, domain, drawing, expression, fences, picture};
pub use engine_search::{argument, diagnostic, search, space};
// Linked because they register their domains.
use {engine_domains as _, engine_rules as _};

pub use puzzle::{Options, Outcome, Puzzle, Solution};
pub use search::{Algorithm, Limits};

/// The example in the README, which is compiled and run as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

/// The programs in the book's page on the library are compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Library;
