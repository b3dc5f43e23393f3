//! x
use super::RenderError;
use super::svg::Stage;
pub(super) fn animated(_stage: &Stage, _pixels: (f64, f64), _speed: f64) -> Result<Vec<u8>, RenderError> { Ok(Vec::new()) }
