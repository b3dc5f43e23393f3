//! Puzzles whose rules are written in the file: drawings that are rewritten, and variables.
#![allow(dead_code)]

mod description;
mod expression;
mod keys;
mod looks;
mod model;
mod obstacle;
mod parse;
mod resolve;
mod rules;
mod sheet;
mod task;
mod text;
mod view;
