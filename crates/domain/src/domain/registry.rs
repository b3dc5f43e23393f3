//! The registry of domains. One use of [`domain!`](crate::domain!) makes a domain known: no central list names it.
//!
//! The `typetag` crate maps the name in a file to a [`Domain`], which is a type without fields: it knows how to read the rest
//! of the file. What typetag does not offer is a list of its names. The macro registers both, from one name.

use super::{DomainFacts, FileContext, Instance};
use crate::diagnostic::Diagnostic;
use crate::document::Keys;
use serde::Deserialize;
use serde::de::value::{Error, MapDeserializer};

/// A kind of puzzle, as the name in a file selects it. [`domain!`](crate::domain!) implements it.
#[typetag::deserialize]
pub trait Domain {
    /// Returns what there is to say of the domain.
    fn facts(&self) -> &'static DomainFacts;

    /// Reads the domain's keys of a file, checks what they say, and builds the puzzle.
    ///
    /// # Errors
    /// Every independent mistake, with its place in the file. Values of a wrong type are reported by the keys themselves.
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

/// Returns the domain of a name.
pub fn named(name: &str) -> Option<Box<dyn Domain>> {
    // Typetag reads a table with one key, the name.
    Box::<dyn Domain>::deserialize(MapDeserializer::<_, Error>::new(std::iter::once((name, ())))).ok()
}

/// Returns the facts of a registered domain.
#[must_use]
pub fn facts(name: &str) -> Option<&'static DomainFacts> {
    Some(named(name)?.facts())
}

/// Registers a domain: its name, a line on what it is, the function that reads its files, and any other
/// [facts](crate::domain::DomainFacts).
///
/// ```no_run
/// # use engine_domain::diagnostic::Diagnostic;
/// # use engine_domain::document::Keys;
/// # use engine_domain::domain::{FileContext, Instance, Named};
/// engine_domain::domain! {
///     name: "hanoi",
///     summary: "the Towers of Hanoi",
///     read: read,
///     keys: &[Named { name: "start", summary: "by disk, the letter of its peg" }],
/// }
///
/// fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
///     // …
/// #   unimplemented!()
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! domain {
    (name: $name:literal, summary: $summary:expr, read: $read:path $(, $fact:ident: $value:expr)* $(,)?) => {
        const _: () = {
            use $crate::domain::macros::{inventory, serde, typetag};

            const FACTS: &$crate::domain::DomainFacts = &$crate::domain::DomainFacts {
                $($fact: $value,)*
                ..$crate::domain::DomainFacts::new($name, $summary)
            };

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
    };
}

/// What [`domain!`](crate::domain!) needs where it is used.
#[doc(hidden)]
pub mod macros {
    pub use super::Registered;
    pub use {inventory, serde, typetag};
}
