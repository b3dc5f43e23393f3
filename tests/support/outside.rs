//! The one door to data from outside the project: published games, levels and answers that are not part of it.

use std::path::PathBuf;

/// Returns the path of a file or folder below the folder that the environment variable `ENGINE_TEST_DATA` names. `None`
/// if the variable is not set or there is no such file; then a test leaves out what it would check with it.
pub fn outside(path: &str) -> Option<PathBuf> {
    let folder = PathBuf::from(std::env::var_os("ENGINE_TEST_DATA")?);
    assert!(folder.is_absolute() && folder.is_dir(), "ENGINE_TEST_DATA is not the absolute path of a folder");
    Some(folder.join(path)).filter(|path| path.exists())
}
