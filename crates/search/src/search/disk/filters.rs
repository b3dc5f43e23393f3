//! Files read in parallel with sorted records, to remove the records they contain, or those they do not contain.

use super::StepResult;
use super::layer_file::Reader;
use super::record::StoredCode;
use super::store::CheckpointStore;

/// The files that determine which records are removed.
#[derive(Clone, Copy, Default)]
pub(super) struct FilterNames<'f> {
    /// Removes the records that are in one of these files.
    pub exclude: &'f [String],
    /// Removes the records that are not in this file.
    pub only: Option<&'f str>,
}

/// Files read in parallel.
pub(super) struct Filters<T> {
    exclude: Vec<Reader<T>>,
    only: Option<Reader<T>>,
}

impl<T: StoredCode> Filters<T> {
    pub fn open(store: &CheckpointStore, filter: FilterNames) -> StepResult<Filters<T>> {
        let exclude = filter.exclude.iter().map(|name| store.read(name)).collect::<StepResult<_>>()?;
        Ok(Filters { exclude, only: filter.only.map(|name| store.read(name)).transpose()? })
    }

    /// Removes the filtered records; records must increase from call to call.
    pub fn apply(&mut self, records: &mut Vec<T>) -> StepResult<()> {
        self.exclude.iter_mut().try_for_each(|reader| sift(records, reader, false))?;
        self.only.iter_mut().try_for_each(|reader| sift(records, reader, true))
    }

    /// Reads the files to their ends, which verifies them.
    pub fn finish(mut self) -> StepResult<()> {
        self.exclude.iter_mut().chain(&mut self.only).try_for_each(read_to_end)
    }

    pub fn apply_to_all(mut self, records: &mut Vec<T>) -> StepResult<()> {
        self.apply(records)?;
        self.finish()
    }
}

/// Reads a file to its end.
pub(super) fn read_to_end<T: StoredCode>(reader: &mut Reader<T>) -> StepResult<()> {
    loop {
        let rest = reader.rest()?.len();
        if rest == 0 {
            return Ok(());
        }
        reader.skip(rest);
    }
}

/// Keeps the records that a file contains if `common` is set, otherwise those that it does not contain; records are
/// sorted.
fn sift<T: StoredCode>(records: &mut Vec<T>, reader: &mut Reader<T>, common: bool) -> StepResult<()> {
    let Some(&last) = records.last() else { return Ok(()) };
    let (mut at, mut kept) = (0, 0);
    loop {
        let known = reader.up_to(last)?;
        if known.is_empty() {
            break;
        }
        for &known in known {
            while at < records.len() && records[at] < known {
                records[kept] = records[at];
                kept += usize::from(!common);
                at += 1;
            }
            if records.get(at) == Some(&known) {
                records[kept] = known;
                kept += usize::from(common);
                at += 1;
            }
        }
    }
    if !common {
        records.copy_within(at.., kept);
        kept += records.len() - at;
    }
    records.truncate(kept);
    Ok(())
}
