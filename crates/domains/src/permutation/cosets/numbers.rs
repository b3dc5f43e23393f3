//! The numbers of the arrangements of a part, found or read: to number many takes longer than to read their numbers. A
//! file has no number of a part that is found in a moment, as there is none of a small table.

use super::arrangement::{Color, Keeping, Numbering, Part};
use super::reader::Reader;
use super::words::{Reading, Words};
use crate::domain::BuildContext;
use crate::domain::table::{Bytes, Table};
use crate::domain::table_store;
use crate::permutation::identity::identity;
use crate::permutation::model::Model;

/// A part of the places, with what determines the numbers of its arrangements.
pub(super) struct Numbered<'a> {
    pub model: &'a Model,
    pub places: Vec<usize>,
    pub colors: &'a [Color],
    /// The symmetries up to which they are numbered.
    pub symmetries: &'a [Keeping<'a>],
    /// Whether arrangements are to be read as well.
    pub is_read: bool,
    /// What the numbers depend on beside the moves, in lines of text.
    pub description: String,
}

impl Numbered<'_> {
    /// Numbers the arrangements, and returns a reader of them, if they can be read and are to be. Returns `None` if there are
    /// too many, or if it is stopped.
    pub fn numbers(&self, context: &BuildContext) -> Option<(Numbering, Option<Reader>)> {
        if context.cache.is_none() {
            return self.found(context);
        }
        let mut found = None;
        let write = || {
            let numbers = self.found(context)?;
            let mut words = Words::default();
            numbers.0.write(&mut words);
            numbers.1.iter().for_each(|reader| reader.write(&mut words));
            found = Some(numbers);
            Some(Table::new(Bytes::Owned(words.0), false))
        };
        let identity = identity(self.model, &format!("{}numbers of arrangements\n", self.description), None);
        let stored = table_store::stored(&identity, context, write)?;
        found.or_else(|| self.read(stored.bytes())).or_else(|| self.found(context))
    }

    fn part(&self) -> Option<Part> {
        Part::new(self.places.clone(), self.colors)
    }

    fn reader(&self) -> Option<Reader> {
        self.is_read.then(|| Reader::new(self.model, &self.places, self.colors))?
    }

    fn found(&self, context: &BuildContext) -> Option<(Numbering, Option<Reader>)> {
        let goes_on = |_| context.fits(0);
        let numbering = Numbering::new(self.model, self.part()?, self.colors, self.symmetries, goes_on)?;
        let reader = self.reader().map(|reader| reader.filled(&numbering));
        Some((numbering, reader))
    }

    fn read(&self, bytes: &[u8]) -> Option<(Numbering, Option<Reader>)> {
        let mut words = Reading(bytes);
        let numbering = Numbering::read(&mut words, self.model, self.part()?, self.symmetries)?;
        let reader = match self.reader() {
            Some(reader) => Some(reader.read_tables(&mut words)?),
            None => None,
        };
        Some((numbering, reader))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::permutation::setup::Metric;
    use crate::permutation::symmetries::symmetries;
    use crate::permutation::tests::{TOP_SPIN, model, setup};

    #[test]
    fn numbers_are_read_as_they_were_written() {
        let model = model(&setup("abcdef", Metric::Power, TOP_SPIN));
        let colors: Vec<Color> = (0..model.places).map(|place| (place % 3) as Color).collect();
        let same: Vec<Color> = (0..=Color::MAX).collect();
        let found = symmetries(&model);
        let symmetries = [(&found[0], same)];
        let places: Vec<usize> = (0..model.places).collect();
        let (model, colors, symmetries) = (&model, &colors[..], &symmetries[..]);
        let part = Numbered { model, places, colors, symmetries, is_read: true, description: String::new() };
        let (numbering, reader) = part.found(&BuildContext::default()).expect("no limit applies");
        let reader = reader.expect("the arrangements are small");
        let bytes = |numbering: &Numbering, reader: &Reader| {
            let mut words = Words::default();
            numbering.write(&mut words);
            reader.write(&mut words);
            words.0
        };
        let written = bytes(&numbering, &reader);
        let (read, read_reader) = part.read(&written).expect("the numbers are intact");
        assert_eq!(bytes(&read, &read_reader.expect("it was written")), written);
        assert_eq!(read.classes(), 90, "the arrangements of three pairs");
        numbering.each(|colors, entry| assert_eq!(read.class(colors), Numbering::split(entry)));
        for length in 0..written.len() {
            assert!(part.read(&written[..length]).is_none(), "{length} bytes are enough");
        }
    }
}
