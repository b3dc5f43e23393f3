//! The exchange of records between shares: sorted sequences, delta-encoded as in files. Records that stay in this share
//! are not encoded.

use super::record::StoredCode;
use super::sorter::{Sorter, sort};
use super::{Abort, DiskError, StepResult};

impl Sorter<'_> {
    /// Sends records to the shares that own them, and takes those received.
    pub(super) fn send<T: StoredCode>(
        &mut self,
        target: &str,
        generated: &mut Vec<T>,
        buffer: &mut Vec<T>,
    ) -> StepResult<()> {
        let Some(peers) = &self.peers else { return Ok(()) };
        let (shares, own) = (peers.shares(), peers.number());
        let mut rows: Vec<Vec<T>> = vec![Vec::new(); shares];
        for record in generated.drain(..) {
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
            encode(&row)
        });
        let rows = rows.collect();
        self.peers.as_mut().map_or(Ok(()), |peers| peers.send(rows))?;
        while let Some(row) = self.peers.as_mut().map_or(Ok(None), |peers| peers.try_receive())? {
            self.take(target, &row, buffer)?;
        }
        Ok(())
    }

    /// Decodes received records into the buffer.
    pub(super) fn take<T: StoredCode>(&mut self, target: &str, mut row: &[u8], buffer: &mut Vec<T>) -> StepResult<()> {
        let mut before = T::LEAST;
        while !row.is_empty() {
            if buffer.len() == buffer.capacity() {
                self.spill(target, buffer, 0)?;
            }
            let Some(record) = T::read(before, &mut row) else {
                return Err(Abort::Error(DiskError {
                    message: "another process sent invalid data".to_owned(),
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
fn encode<T: StoredCode>(records: &[T]) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), T::LEAST);
    for &record in records {
        record.write(before, &mut bytes);
        before = record;
    }
    bytes
}
