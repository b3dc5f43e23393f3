//! Maps from value to value, with patterns among their keys.

use super::term::Term;
use std::collections::BTreeMap;

/// The entries of a map.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Mapping {
    entries: BTreeMap<Term, Term>,
    /// The keys in which `?` stands for any one character, in the order of the file. They are among the entries, too.
    patterns: Vec<(String, Term)>,
}

impl Mapping {
    /// Returns the image of a value: that of the key itself, else of the first pattern that fits its text.
    pub fn get(&self, value: &Term) -> Option<&Term> {
        let by_pattern = || {
            if self.patterns.is_empty() || matches!(value, Term::Matched(_) | Term::Pile(_)) {
                return None;
            }
            let text = value.to_string();
            self.patterns.iter().find(|(pattern, _)| fits(pattern, &text)).map(|(_, image)| image)
        };
        self.entries.get(value).or_else(by_pattern)
    }

    /// Returns whether a value has an image.
    pub fn contains_key(&self, value: &Term) -> bool {
        self.get(value).is_some()
    }

    /// Returns the keys with their images.
    pub fn iter(&self) -> impl Iterator<Item = (&Term, &Term)> {
        self.entries.iter()
    }

    /// Returns the keys with `?` with their images, in the order of the file.
    pub fn patterns(&self) -> impl Iterator<Item = &(String, Term)> {
        self.patterns.iter()
    }

    /// Returns the images.
    pub fn values(&self) -> impl Iterator<Item = &Term> {
        self.entries.values()
    }
}

impl<'a> FromIterator<(&'a str, Term)> for Mapping {
    fn from_iter<I: IntoIterator<Item = (&'a str, Term)>>(entries: I) -> Mapping {
        let mut mapping = Mapping::default();
        for (key, image) in entries {
            if key.contains('?') {
                mapping.patterns.push((key.to_owned(), image.clone()));
            }
            mapping.entries.insert(Term::read(key), image);
        }
        mapping
    }
}

/// Returns whether a text fits a pattern, in which `?` stands for any one character.
pub(super) fn fits(pattern: &str, text: &str) -> bool {
    pattern.chars().count() == text.chars().count()
        && pattern.chars().zip(text.chars()).all(|(wanted, found)| wanted == '?' || wanted == found)
}
