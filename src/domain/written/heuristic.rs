//! Lower bounds.
use super::task::{Task, Value};
use crate::domain::Means;
use std::sync::Arc;
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Kind {
    Potentials,
    PatternDatabase,
    MergedSymbols,
    LmCut,
    Toggles,
}
pub(super) struct Heuristic;
impl Heuristic {
    pub fn new(_kind: Kind, _task: &Arc<Task>, _means: &Means) -> Result<Heuristic, String> {
        Err(String::new())
    }
    pub fn h(&self, _state: &[Value]) -> u32 {
        0
    }
    pub fn bytes(&self) -> u64 {
        0
    }
    pub fn describe(&self) -> String {
        String::new()
    }
}
pub(super) fn refuted(_task: &Task) -> Option<String> {
    None
}
