//! What goes from one share to the others, and what comes from them: rows of records in rising order, each told by its
//! distance from the one before, as in files. What stays here is not coded at all.

use super::desk::{Desk, sort};
use super::record::Record;
use super::{DiskError, Step, Stop};

impl Desk<'_> {
    /// Sends records to those whose they are, and takes what has come.
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
            // Gaps are small then, and what is there twice travels once.
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

    /// Takes what was sent here.
    pub(super) fn take<T: Record>(&mut self, target: &str, mut row: &[u8], buffer: &mut Vec<T>) -> Step<()> {
        let mut before = T::LEAST;
        while !row.is_empty() {
            if buffer.len() == buffer.capacity() {
                self.spill(target, buffer, 0)?;
            }
            let Some(record) = T::read(before, &mut row) else {
                return Err(Stop::Trouble(DiskError {
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

/// Records in rising order, as they travel.
fn in_bytes<T: Record>(records: &[T]) -> Vec<u8> {
    let (mut bytes, mut before) = (Vec::new(), T::LEAST);
    for &record in records {
        record.write(before, &mut bytes);
        before = record;
    }
    bytes
}
