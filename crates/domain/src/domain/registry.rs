//! The registry of domains. One use of [`domain!`](crate::domain!) registers a domain, so that no central list names
//! it.
//!
//! The `typetag` crate maps the name in a file to a [`Domain`], a type without fields that reads the rest of the file.
//! Because typetag offers no list of its names, the macro registers the facts as well, under the same name.

use super::{DomainFacts, FileContext, Instance};
use crate::diagnostic::Diagnostic;
use crate::document::Keys;
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer};

/// A kind of puzzle, selected by the name in a file. [`domain!`](crate::domain!) implements it.
#[typetag::deserialize]
pub trait Domain {
    /// Returns the facts of the domain.
    fn facts(&self) -> &'static DomainFacts;

    /// Reads and validates the domain's keys of a file, and builds the puzzle.
    ///
    /// # Errors
    /// Reports every independent mistake, with its place in the file. Wrong types are reported when the keys are read.
    fn read(&self, keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>>;
}

/// The facts of a registered domain.
#[doc(hidden)]
pub struct Registered(pub &'static DomainFacts);

inventory::collect!(Registered);

/// Returns the names of all registered domains, sorted.
#[must_use]
pub fn registered() -> Vec<&'static str> {
    let mut names: Vec<_> = inventory::iter::<Registered>.into_iter().map(|Registered(facts)| facts.name).collect();
    names.sort_unstable();
    names
}

/// Returns the domain with a name.
pub fn named(name: &str) -> Option<Box<dyn Domain>> {
    // Typetag reads a table whose only key is the name.
    Box::<dyn Domain>::deserialize(MapDeserializer::<_, Error>::new(std::iter::once((name, ())))).ok()
}

/// Returns the facts of a registered domain.
#[must_use]
pub fn facts(name: &str) -> Option<&'static DomainFacts> {
    Some(named(name)?.facts())
}

/// Registers a domain: its name, its description in one line, the function that reads its files, and any other
/// [facts](crate::domain::DomainFacts).
///
/// Attributes before the name apply to the registration alone. With `#[cfg(not(test))]` a crate's unit tests compile
/// the searches that they use themselves, instead of those of all its domains once more.
#[macro_export]
macro_rules! domain {
    (
        $(#[$attribute:meta])*
        name: $name:literal, summary: $summary:expr, read: $read:path $(, $fact:ident: $value:expr)* $(,)?
    ) => {
        const _: () = {
            const FACTS: &$crate::domain::DomainFacts = &$crate::domain::DomainFacts {
                $($fact: $value,)*
                ..$crate::domain::DomainFacts::new($name, $summary)
            };

            $(#[$attribute])*
            const _: () = {
                use $crate::domain::macros::{inventory, serde, typetag};

                struct Kind;

                impl<'de> serde::Deserialize<'de> for Kind {
                    fn deserialize<D: serde::Deserializer<'de>>(nothing: D) -> Result<Kind, D::Error> {
                        <() as serde::Deserialize>::deserialize(nothing).map(|()| Kind)
                    }
                }

                #[typetag::deserialize(name = $name)]
                impl $crate::domain::Domain for Kind {
                    fn facts(&self) -> &'static $crate::domain::DomainFacts {
                        FACTS
                    }

                    fn read(
                        &self,
                        keys: &$crate::document::Keys,
                        file: &$crate::domain::FileContext,
                    ) -> Result<Box<dyn $crate::domain::Instance>, Vec<$crate::diagnostic::Diagnostic>> {
                        $read(keys, file)
                    }
                }

                inventory::submit! { $crate::domain::macros::Registered(FACTS) }
            };

            // Without its registration, a domain would be reported as dead code.
            let _ = (FACTS, $read);
        };
    };
}

/// The items that the expansion of [`domain!`](crate::domain!) uses.
#[doc(hidden)]
pub mod macros {
    pub use super::Registered;
    pub use {inventory, serde, typetag};
}
