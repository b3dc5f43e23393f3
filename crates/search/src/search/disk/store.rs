//! The folder of an exploration: its files and its manifest. Without a folder, both are held in memory.
//!
//! Files are added to and removed from the manifest in memory; [`commit`](CheckpointStore::commit) makes it durable. It
//! first fsyncs the new files, then writes the manifest, then deletes files that the manifest no longer names. So at
//! any moment the last manifest names complete files only, and a later run deletes all others.
//!
//! Only files with our names and our magic number are ever deleted. One program uses the folder at a time: it holds a
//! lock on a file there, which the system releases when the program ends, however it ends.

use super::layer_file::{MAGIC, Reader, Seal, Writer};
use super::manifest::{Identity, Listed, Manifest, Share, Unusable};
use super::record::StoredCode;
use super::storage::Storage;
use super::usage::Usage;
use super::{Abort, DiskError, StepResult};
use crate::search::Limit;
use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::sync::Arc;
use std::thread::sleep;
use std::time::{Duration, Instant};

const MANIFEST: &str = "exploration.json";
const NEW_MANIFEST: &str = "exploration.json.new";
const LOCK: &str = "exploration.lock";
const SUFFIX: &str = ".layer";

/// The files of one exploration.
pub(in crate::search) struct CheckpointStore {
    storage: Storage,
    pub manifest: Manifest,
    usage: Arc<Usage>,
    owner: u32,
    /// Files that only the manifest in memory names.
    pending: Vec<String>,
    /// Files that only the manifest on disk names, with their sizes.
    to_delete: Vec<(String, u64)>,
    committed: Instant,
    _lock: Option<File>,
}

impl CheckpointStore {
    /// Opens a folder, or creates it; its contents must belong to the same exploration.
    pub fn open(folder: &Path, identity: Identity, limit: Option<u64>) -> StepResult<CheckpointStore> {
        if folder.is_file() {
            return Err(Abort::Error(DiskError {
                message: format!("{}: is a file, not a folder", folder.display()),
                help: "choose a folder that is empty or does not exist yet".to_owned(),
            }));
        }
        fs::create_dir_all(folder).map_err(|error| Abort::file(folder, &error))?;
        let names = names_in(folder)?;
        let listed = names.iter().any(|name| name == MANIFEST);
        if let Some(other) = names.iter().find(|name| !listed && ![NEW_MANIFEST, LOCK].contains(&&***name)) {
            return Err(unlisted(folder, other));
        }
        let lock = lock(folder)?;
        let manifest = if listed {
            read_manifest(folder, &identity)?
        } else {
            Manifest { identity, files: BTreeMap::new(), answer: None }
        };
        let kept = manifest.files.values().filter(|listed| listed.kept).map(|listed| listed.seal.bytes).sum();
        let usage = Usage::new(kept, limit, Limit::Disk);
        let mut store = CheckpointStore::new(Storage::Folder(folder.to_owned()), manifest, usage, Some(lock));
        store.check(folder, &names)?;
        if !listed || store.manifest.files.is_empty() {
            store.commit()?;
        }
        Ok(store)
    }

    /// Creates an empty store in memory, with a limit in bytes.
    pub fn in_memory(identity: Identity, limit: Option<u64>) -> CheckpointStore {
        let manifest = Manifest { identity, files: BTreeMap::new(), answer: None };
        CheckpointStore::new(Storage::memory(), manifest, Usage::new(0, limit, Limit::Memory), None)
    }

    fn new(storage: Storage, manifest: Manifest, usage: Usage, lock: Option<File>) -> CheckpointStore {
        let owner = crc32fast::hash(format!("{:?}", manifest.identity).as_bytes());
        CheckpointStore {
            storage,
            manifest,
            usage: Arc::new(usage),
            owner,
            pending: Vec::new(),
            to_delete: Vec::new(),
            committed: Instant::now(),
            _lock: lock,
        }
    }

    /// Checks that the files of the manifest exist with their sizes; deletes those that a killed program left behind.
    fn check(&self, folder: &Path, names: &[String]) -> StepResult<()> {
        for (name, listed) in self.manifest.files.iter().filter(|(_, listed)| listed.kept) {
            let path = folder.join(name);
            match fs::metadata(&path) {
                Err(error) if error.kind() == ErrorKind::NotFound => {
                    return Err(Abort::damaged(&path, "it is missing"));
                }
                Err(error) => return Err(Abort::file(&path, &error)),
                Ok(data) if data.len() != listed.seal.bytes => {
                    let how = format!("it has {} bytes instead of {}", data.len(), listed.seal.bytes);
                    return Err(Abort::damaged(&path, &how));
                }
                Ok(_) => {}
            }
        }
        for name in names.iter().filter(|name| name.ends_with(SUFFIX) && !self.has_kept(name)) {
            let path = folder.join(name);
            let mut start = Vec::new();
            let file = File::open(&path).map_err(|error| Abort::file(&path, &error))?;
            file.take(MAGIC.len() as u64).read_to_end(&mut start).map_err(|error| Abort::file(&path, &error))?;
            if !MAGIC.starts_with(&start) {
                return Err(foreign_file(&path));
            }
            fs::remove_file(&path).map_err(|error| Abort::file(&path, &error))?;
        }
        Ok(())
    }

    fn has_kept(&self, name: &str) -> bool {
        self.manifest.files.get(name).is_some_and(|listed| listed.kept)
    }

    /// Returns the number of records of a file, also after its removal; none if it was never made.
    pub fn count(&self, name: &str) -> Option<u64> {
        self.manifest.files.get(&file_name(name)).map(|listed| listed.seal.count)
    }

    /// Returns the files with this name prefix, in order, each with the number of source records.
    pub fn parts(&self, prefix: &str) -> Vec<(String, u64)> {
        let kept = self.manifest.files.range(prefix.to_owned()..).take_while(|(name, _)| name.starts_with(prefix));
        let kept = kept.filter(|(_, listed)| listed.kept);
        kept.map(|(name, listed)| (name.trim_end_matches(SUFFIX).to_owned(), listed.made_of)).collect()
    }

    pub fn create<R: StoredCode>(&self, name: &str) -> StepResult<Writer<R>> {
        Writer::create(&self.storage, &file_name(name), self.owner, &self.usage)
    }

    pub fn read<R: StoredCode>(&self, name: &str) -> StepResult<Reader<R>> {
        let name = file_name(name);
        match self.manifest.files.get(&name) {
            Some(listed) if listed.kept => Reader::open(&self.storage, &name, self.owner, listed.seal),
            _ => Err(Abort::damaged(&self.storage.path(&name), "it is not in the list of files")),
        }
    }

    /// Adds a completed file to the manifest.
    pub fn add(&mut self, name: &str, seal: Seal, made_of: u64) {
        let name = file_name(name);
        self.pending.push(name.clone());
        self.manifest.files.insert(name, Listed { seal, kept: true, made_of });
    }

    /// Removes a file after use; its entry stays in the manifest.
    pub fn drop(&mut self, name: &str) -> StepResult<()> {
        let name = file_name(name);
        let Some(listed) = self.manifest.files.get_mut(&name).filter(|listed| listed.kept) else { return Ok(()) };
        listed.kept = false;
        let bytes = listed.seal.bytes;
        match self.pending.iter().position(|pending| *pending == name) {
            Some(position) => {
                self.pending.swap_remove(position);
                self.remove(&name, bytes)
            }
            None => {
                self.to_delete.push((name, bytes));
                Ok(())
            }
        }
    }

    /// Removes a file and its entry.
    pub fn remove_entry(&mut self, name: &str) -> StepResult<()> {
        self.drop(name)?;
        self.manifest.files.remove(&file_name(name));
        Ok(())
    }

    /// Removes all files after use.
    pub fn drop_all(&mut self) -> StepResult<()> {
        let kept = self.manifest.files.iter().filter(|(_, listed)| listed.kept);
        let names: Vec<String> = kept.map(|(name, _)| name.trim_end_matches(SUFFIX).to_owned()).collect();
        names.iter().try_for_each(|name| self.drop(name))
    }

    /// Commits if the last commit was `time` ago, or if space is short and a commit would free some.
    pub fn commit_after(&mut self, time: Duration) -> StepResult<()> {
        let frees = !self.to_delete.is_empty() && self.usage.is_tight();
        if frees || self.committed.elapsed() >= time { self.commit() } else { Ok(()) }
    }

    /// Makes the manifest durable.
    pub fn commit(&mut self) -> StepResult<()> {
        for name in &self.pending {
            self.storage.sync(name).map_err(|error| Abort::file(&self.storage.path(name), &error))?;
        }
        if let Storage::Folder(folder) = &self.storage {
            write_manifest(folder, &self.manifest)?;
        }
        self.pending.clear();
        for (name, bytes) in std::mem::take(&mut self.to_delete) {
            self.remove(&name, bytes)?;
        }
        self.committed = Instant::now();
        Ok(())
    }

    fn remove(&self, name: &str, bytes: u64) -> StepResult<()> {
        self.storage.remove(name).map_err(|error| Abort::file(&self.storage.path(name), &error))?;
        self.usage.release(bytes);
        Ok(())
    }

    /// Returns the error for a manifest that contradicts itself.
    pub fn contradiction(&self, how: &str) -> Abort {
        Abort::damaged(&self.storage.path(MANIFEST), how)
    }
}

fn write_manifest(folder: &Path, manifest: &Manifest) -> StepResult<()> {
    let (temporary, list) = (folder.join(NEW_MANIFEST), folder.join(MANIFEST));
    let mut file = File::create(&temporary).map_err(|error| Abort::file(&temporary, &error))?;
    let written = file.write_all(manifest.text().as_bytes()).and_then(|()| file.sync_all());
    let moved = written.and_then(|()| fs::rename(&temporary, &list));
    moved.map_err(|error| Abort::file(&list, &error))?;
    // Without this the old manifest may reappear after a power failure; some systems do not support it.
    #[cfg(unix)]
    File::open(folder).and_then(|folder| folder.sync_all()).map_err(|error| Abort::file(folder, &error))?;
    Ok(())
}

/// Returns the identity of the exploration in a folder, if there is one, and whether it has any files.
pub(in crate::search) fn identity_in(folder: &Path) -> StepResult<Option<(Identity, bool)>> {
    if !folder.join(MANIFEST).is_file() {
        return Ok(None);
    }
    let manifest = manifest_in(folder)?;
    Ok(Some((manifest.identity, !manifest.files.is_empty())))
}

fn file_name(name: &str) -> String {
    format!("{name}{SUFFIX}")
}

fn names_in(folder: &Path) -> StepResult<Vec<String>> {
    let entries = fs::read_dir(folder).and_then(Iterator::collect::<Result<Vec<_>, _>>);
    let entries = entries.map_err(|error| Abort::file(folder, &error))?;
    let mut names: Vec<String> = entries.iter().map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort_unstable();
    Ok(names)
}

/// The number of retries for a folder that is in use, and the pause between them.
const LOCK_RETRIES: u32 = 20;
const RETRY_INTERVAL: Duration = Duration::from_millis(20);

fn lock(folder: &Path) -> StepResult<File> {
    let path = folder.join(LOCK);
    let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
    let file = file.map_err(|error| Abort::file(&path, &error))?;
    let mut locked = file.try_lock();
    // A child process that another thread has just forked inherits our open files until it calls exec.
    for _ in 0..LOCK_RETRIES {
        if !matches!(locked, Err(TryLockError::WouldBlock)) {
            break;
        }
        sleep(RETRY_INTERVAL);
        locked = file.try_lock();
    }
    match locked {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(Abort::Error(DiskError {
            message: format!("{}: another engine explores in this folder", folder.display()),
            help: "wait until it ends, or choose another folder".to_owned(),
        })),
        Err(TryLockError::Error(error)) => Err(Abort::file(&path, &error)),
    }
}

/// Reads the manifest in a folder.
fn manifest_in(folder: &Path) -> StepResult<Manifest> {
    let path = folder.join(MANIFEST);
    let bytes = fs::read(&path).map_err(|error| Abort::file(&path, &error))?;
    Manifest::read(&bytes).map_err(|unusable| match unusable {
        Unusable::Damaged => Abort::damaged(&path, "wrong checksum"),
        Unusable::Version => other_exploration(folder, "was begun by another version of the engine"),
    })
}

/// Reads the manifest in a folder, if it belongs to this exploration.
fn read_manifest(folder: &Path, identity: &Identity) -> StepResult<Manifest> {
    let mut manifest = manifest_in(folder)?;
    // A run without files has nothing that another run could not start from.
    if manifest.files.is_empty() && manifest.identity.share.is_some() {
        manifest.identity.share.clone_from(&identity.share);
    }
    let found = &manifest.identity;
    if found.engine != identity.engine {
        let message = format!("was begun by version {} of the engine, but this is {}", found.engine, identity.engine);
        return Err(other_exploration(folder, &message));
    }
    match (&found.share, &identity.share) {
        (Some(found), Some(share)) if found != share => {
            return Err(other_exploration(folder, &another_share(found, share)));
        }
        (None, Some(_)) => return Err(other_exploration(folder, "is that of one machine alone")),
        (Some(found), None) => {
            let share =
                format!("is the share of worker {} of {}, not one of one machine alone", found.number, found.of());
            return Err(other_exploration(folder, &share));
        }
        _ => {}
    }
    if found != identity {
        return Err(other_exploration(
            folder,
            "is for another puzzle, for this one before it was changed, or by another command",
        ));
    }
    Ok(manifest)
}

fn other_exploration(folder: &Path, message: &str) -> Abort {
    Abort::Error(DiskError {
        message: format!("{}: the exploration in this folder {message}", folder.display()),
        help: "choose another folder, or remove this one to explore from the start".to_owned(),
    })
}

/// Describes how a share differs from the expected one.
fn another_share(found: &Share, share: &Share) -> String {
    if (found.processes, found.workers) != (share.processes, share.workers) {
        let Share { processes, workers, .. } = found;
        format!(
            "was begun by {processes} processes of {workers} workers, but this is one of {} of {}",
            share.processes, share.workers
        )
    } else if found.number != share.number {
        format!("is that of worker {} of {}, but this is worker {}", found.number, found.of(), share.number)
    } else {
        "is of another run than that of the others".to_owned()
    }
}

/// Returns the error for a foreign file with one of our names.
fn foreign_file(path: &Path) -> Abort {
    Abort::Error(DiskError {
        message: format!("{} is not a file of an exploration", path.display()),
        help: "rename it, or choose another folder".to_owned(),
    })
}

/// Returns the error for files without a manifest.
fn unlisted(folder: &Path, name: &str) -> Abort {
    let (message, help) = if name.ends_with(SUFFIX) {
        let message = format!("{}: it has layers, but {MANIFEST}, which lists them, is missing", folder.display());
        (message, "choose another folder, or remove this one to explore from the start")
    } else {
        let message = format!("{}: the folder has other files, such as {name}", folder.display());
        (message, "choose a folder that is empty or does not exist yet")
    };
    Abort::Error(DiskError { message, help: help.to_owned() })
}
