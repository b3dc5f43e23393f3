//! Tests the project's own rules: the layers of the source, the book, the examples in the documents, the schemas.

mod architecture;
mod book;
mod commands;
mod documents;
mod editors;
mod page;
mod provenance;
mod schemas;
#[path = "../support/mod.rs"]
mod support;
