//! x
use super::svg::Stage;
pub(super) fn animated(_stage: &Stage, _pixels: (f64, f64), _speed: f64) -> String { String::new() }
