//! Files of records are read back as written, and any damage is detected.

use super::*;
use crate::search::Limit;
use crate::search::laws::explorations::scratch;
use std::path::Path;

const OWNER: u32 = 77;

fn in_storage(path: &Path) -> (Storage, String) {
    let folder = path.parent().expect("the path has a parent").to_owned();
    (Storage::Folder(folder), path.file_name().expect("the path has a file name").to_string_lossy().into_owned())
}

fn open<R: StoredCode>(path: &Path, owner: u32, seal: Seal) -> StepResult<Reader<R>> {
    let (storage, name) = in_storage(path);
    Reader::open(&storage, &name, owner, seal)
}

/// Writes a file of these records.
fn write<R: StoredCode>(path: &Path, records: &[R]) -> Seal {
    let usage = Arc::new(Usage::new(0, None, Limit::Disk));
    let (storage, name) = in_storage(path);
    let mut writer = Writer::create(&storage, &name, OWNER, &usage).expect("the file can be created");
    records.chunks(700).for_each(|records| writer.extend(records).expect("the records can be written"));
    writer.finish().expect("the file can be completed")
}

fn read<R: StoredCode>(path: &Path, seal: Seal) -> StepResult<Vec<R>> {
    let mut reader = open(path, OWNER, seal)?;
    let mut records = Vec::new();
    loop {
        let rest = reader.rest()?;
        records.extend(rest);
        let done = rest.len();
        if done == 0 {
            return Ok(records);
        }
        reader.skip(done);
    }
}

#[test]
fn any_number_of_records_is_read_back_in_order() {
    let folder = scratch();
    for count in [0, 1, 2, 1023, 1024, 1025, 100_000_u64] {
        let path = folder.path().join(format!("{count}"));
        let records: Vec<u64> = (0..count).map(|number| number * number * 3).collect();
        let seal = write(&path, &records);
        assert_eq!((seal.count, seal.bytes), (count, std::fs::metadata(&path).expect("the file exists").len()));
        assert!(read::<u64>(&path, seal).is_ok_and(|found| found == records));
        let path = path.with_extension("pairs");
        let pairs: Vec<(u128, u128)> = (0..count.into()).map(|number| (number / 3, number << 70)).collect();
        let seal = write(&path, &pairs);
        assert!(read::<(u128, u128)>(&path, seal).is_ok_and(|found| found == pairs));
        assert!(read::<u64>(&path, seal).is_err(), "the file holds records of another kind");
    }
}

#[test]
fn records_are_returned_up_to_a_bound_and_no_further() {
    let folder = scratch();
    let path = folder.path().join("layer");
    let records: Vec<u64> = (0..5000).map(|number| number * 2).collect();
    let seal = write(&path, &records);
    let mut reader: Reader<u64> = open(&path, OWNER, seal).expect("the file is valid");
    let mut found: Vec<u64> = Vec::new();
    for bound in [1, 2, 3, 4094, 4095, 4096, 9000, 20_000] {
        loop {
            let upto = reader.up_to(bound).expect("the file is valid");
            if upto.is_empty() {
                break;
            }
            found.extend(upto);
        }
        assert_eq!(found.len() as u64, (bound / 2 + 1).min(5000), "up to {bound}");
    }
    assert_eq!(found, records);
}

#[test]
fn every_flipped_bit_and_every_missing_byte_is_detected_before_the_end() {
    let folder = scratch();
    let path = folder.path().join("layer");
    let records: Vec<u64> = (0..1500).map(|number| number * number).collect();
    let seal = write(&path, &records);
    let whole = std::fs::read(&path).expect("the file exists");
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, bytes).expect("the file can be written");
        assert!(matches!(read::<u64>(&path, seal), Err(Abort::Error(_))), "bit {bit}");
    }
    for end in 0..whole.len() {
        std::fs::write(&path, &whole[..end]).expect("the file can be written");
        assert!(matches!(read::<u64>(&path, seal), Err(Abort::Error(_))), "{end} bytes");
    }
    std::fs::write(&path, [&whole[..], b"x"].concat()).expect("the file can be written");
    assert!(read::<u64>(&path, seal).is_err(), "an extra byte is detected");
    std::fs::write(&path, &whole).expect("the file can be written");
    let other = open::<u64>(&path, OWNER + 1, seal);
    assert!(other.is_err(), "another owner is detected");
}

#[test]
fn an_incomplete_file_is_deleted_and_uses_no_space() {
    let folder = scratch();
    let path = folder.path().join("layer");
    let usage = Arc::new(Usage::new(0, Some(50_000), Limit::Disk));
    let (storage, name) = in_storage(&path);
    let mut writer: Writer<u64> = Writer::create(&storage, &name, OWNER, &usage).expect("the file can be created");
    let limit = (0..1_000_000).map(|number| number << 30).try_for_each(|number| writer.extend(&[number]));
    assert!(matches!(limit, Err(Abort::Limit(Limit::Disk))));
    drop(writer);
    assert!(!path.exists());
    assert!(usage.reserve(50_000).is_ok(), "no bytes are in use");
}
