//! Files of records come back as they were written, and no damage to them goes unseen.

use super::*;
use crate::search::Limit;
use crate::search::laws::explorations::scratch;
use std::path::Path;

const OWNER: u32 = 77;

fn on_shelf(path: &Path) -> (Shelf, String) {
    let folder = path.parent().expect("it is in a folder").to_owned();
    (Shelf::Folder(folder), path.file_name().expect("it has a name").to_string_lossy().into_owned())
}

fn open<R: Record>(path: &Path, owner: u32, seal: Sealed) -> Step<Reader<R>> {
    let (shelf, name) = on_shelf(path);
    Reader::open(&shelf, &name, owner, seal)
}

/// A file of so many records, some far from each other.
fn written<R: Record>(path: &Path, records: &[R]) -> Sealed {
    let usage = Arc::new(Usage::new(0, None, Limit::Disk));
    let (shelf, name) = on_shelf(path);
    let mut writer = Writer::create(&shelf, &name, OWNER, &usage).expect("there is room");
    records.chunks(700).for_each(|records| writer.extend(records).expect("there is room"));
    writer.finish().expect("there is room")
}

fn read<R: Record>(path: &Path, seal: Sealed) -> Step<Vec<R>> {
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
fn records_come_back_in_order_however_many() {
    let folder = scratch();
    for count in [0, 1, 2, 1023, 1024, 1025, 100_000_u64] {
        let path = folder.path().join(format!("{count}"));
        let records: Vec<u64> = (0..count).map(|number| number * number * 3).collect();
        let seal = written(&path, &records);
        assert_eq!((seal.count, seal.bytes), (count, std::fs::metadata(&path).expect("it is there").len()));
        assert!(read::<u64>(&path, seal).is_ok_and(|found| found == records));
        let path = path.with_extension("pairs");
        let pairs: Vec<(u128, u128)> = (0..count.into()).map(|number| (number / 3, number << 70)).collect();
        let seal = written(&path, &pairs);
        assert!(read::<(u128, u128)>(&path, seal).is_ok_and(|found| found == pairs));
        assert!(read::<u64>(&path, seal).is_err(), "it holds something else");
    }
}

#[test]
fn records_are_told_up_to_a_bound_and_no_further() {
    let folder = scratch();
    let path = folder.path().join("layer");
    let records: Vec<u64> = (0..5000).map(|number| number * 2).collect();
    let seal = written(&path, &records);
    let mut reader: Reader<u64> = open(&path, OWNER, seal).expect("it is right");
    let mut found: Vec<u64> = Vec::new();
    for bound in [1, 2, 3, 4094, 4095, 4096, 9000, 20_000] {
        loop {
            let upto = reader.upto(bound).expect("it is right");
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
fn every_flipped_bit_and_every_missing_byte_is_noticed_before_the_end() {
    let folder = scratch();
    let path = folder.path().join("layer");
    let records: Vec<u64> = (0..1500).map(|number| number * number).collect();
    let seal = written(&path, &records);
    let whole = std::fs::read(&path).expect("it is there");
    for bit in 0..whole.len() * 8 {
        let mut bytes = whole.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, bytes).expect("there is room");
        assert!(matches!(read::<u64>(&path, seal), Err(Stop::Trouble(_))), "bit {bit}");
    }
    for end in 0..whole.len() {
        std::fs::write(&path, &whole[..end]).expect("there is room");
        assert!(matches!(read::<u64>(&path, seal), Err(Stop::Trouble(_))), "{end} bytes");
    }
    std::fs::write(&path, [&whole[..], b"x"].concat()).expect("there is room");
    assert!(read::<u64>(&path, seal).is_err(), "there is more");
    std::fs::write(&path, &whole).expect("there is room");
    let other = open::<u64>(&path, OWNER + 1, seal);
    assert!(other.is_err(), "it belongs to somebody else");
}

#[test]
fn a_file_that_is_not_finished_goes_and_takes_no_room() {
    let folder = scratch();
    let path = folder.path().join("layer");
    let usage = Arc::new(Usage::new(0, Some(50_000), Limit::Disk));
    let (shelf, name) = on_shelf(&path);
    let mut writer: Writer<u64> = Writer::create(&shelf, &name, OWNER, &usage).expect("there is room");
    let limit = (0..1_000_000).map(|number| number << 30).try_for_each(|number| writer.extend(&[number]));
    assert!(matches!(limit, Err(Stop::Limit(Limit::Disk))));
    drop(writer);
    assert!(!path.exists());
    assert!(usage.take(50_000).is_ok(), "nothing is used");
}
