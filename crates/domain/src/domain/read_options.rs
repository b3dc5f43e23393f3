//! The options of reading a puzzle that its file does not decide.

/// The options of reading puzzle files and collections. By default a file is untrusted: it may come from a stranger.
///
/// They travel whole, from the command line or the library to the domain.
#[derive(Clone, Debug, Default)]
pub struct ReadOptions {
    /// True if a puzzle may name files outside its own folder.
    pub allow_paths: bool,
    /// The metric of the levels of collections, such as `pushes`; `None` for the default of their format.
    pub metric: Option<String>,
    /// The seed of puzzles that draw at random, instead of their key `seed`; `None` for the key.
    pub seed: Option<String>,
}
