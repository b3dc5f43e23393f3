//! Results that are worked out on demand, each once.
//!
//! A strategy holds the decisions about a puzzle. A memo holds the analyses behind them, and the results that several
//! heuristics and commands share: no command needs all of them, and some take seconds. Name and type identify a result,
//! so that a file which adds one touches no other.

use crate::search::BuildContext;
use parking_lot::Mutex;
use rustc_hash::FxHashMap;
use std::any::{Any, TypeId};

/// Results by name and type.
type Results = FxHashMap<(&'static str, TypeId), Box<dyn Any + Send + Sync>>;

/// The results that were asked for so far.
#[derive(Default)]
pub struct Memo(Mutex<Results>);

impl Memo {
    /// Returns the result with this name, found on first use. It is kept unless a limit of `context` ended the work.
    pub fn get<T: Clone + Send + Sync + 'static>(
        &self,
        name: &'static str,
        context: &BuildContext,
        find: impl FnOnce() -> T,
    ) -> T {
        let key = (name, TypeId::of::<T>());
        let known = self.0.lock().get(&key).and_then(|known| known.downcast_ref::<T>()).cloned();
        known.unwrap_or_else(|| {
            let found = find();
            if context.ended().is_none() {
                self.0.lock().insert(key, Box::new(found.clone()));
            }
            found
        })
    }
}
