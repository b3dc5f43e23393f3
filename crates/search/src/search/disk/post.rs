//! The exchange of records between shares: sorted sequences, delta-encoded as in files. Records that stay in this share
//! are not encoded.

use super::desk::{Desk, sort};
use super::record::Record;
use super::{DiskError, Step, Stop};

impl Desk<'_> {
    /// Sends records to the shares that own them, and takes those received.
    pub(super) fn send<T: Record>(&mut self, target: &str, made: &mut Vec<T>, buffer: &mut Vec<T>) -> Step<()> {
        let Some(others) = &self.others else { return Ok(()) };
        let (shares, own) = (others.shares(), others.number());
        let mut rows: Vec<Vec<T>> = vec![Vec::new(); shares];
        for record in made.drain(..) {
            let share = record.share(shares);
            if share != own {
                rows[share].push(record);
                continue;
            }
            if buffer.len() == buffer.capacity() {
                self.spill(target, buffer, 0)?;
            }
            buffer.push(record);
        }
        let rows = rows.into_iter().map(|mut row| {
            // Sorting makes the differences small, and removes duplicates before sending.
            sort(&mut row);
            in_bytes(&row)
        });
        let rows = rows.collect();
        self.others.as_mut().map_or(Ok(()), |others| others.send(rows))?;
        while let Some(row) = self.others.as_mut().map_or(Ok(None), |others| others.come())? {
            self.take(target, &row, buffer)?;
        }
        Ok(())
    }

    /// Decodes received records into the buffer.
    pub(super) fn take<T: Record>(&mut self, target: &str, mut row: &[u8], buffer: &mut Vec<T>) -> Step<()> {
        let mut before = T::LEAST;
        while !row.is_empty() {
            if buffer.len() == buffer.capacity() {
                self.spill(target, buffer, 0)?;
            }
            let Some(record) = T::read(before, &mut row) else {
                return Err(Stop::Trouble(DiskError {
                    message: "what another process sent is no row of states".to_owned(),
                    help: "start all of them again, with the same program".to_owned(),
                }));
            };
            buffer.push(record);
            before = record;
        }
        Ok(())
    }
}

/// Encodes sorted records for sending.
fn in_bytes<T: Record>(records: &[T]) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), T::LEAST);
    for &record in records {
        record.write(before, &mut bytes);
        before = record;
    }
    bytes
}
