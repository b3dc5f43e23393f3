//! Exploration and breadth-first search by several processes, possibly on several machines.
//!
//! States are partitioned among all workers of all processes by a hash of their codes. Each worker runs the steps of
//! exploration on disk ([`disk`](super::disk)) on the layers of its own states, in files of the same format. It sends
//! the children it generates to their owners through timely dataflow. After each layer all workers have it complete, in
//! a checkpoint if there is a folder. A failure of one process ends all, and the same command continues from the last
//! layer that all have.
//!
//! Timely transports states and reports when a step is complete. It does not handle failures. So connections are made
//! here, and monitored over separate connections; a process that ends early sends the reason to all others.
//!
//! | file | contents |
//! |---|---|
//! | `hello`, `frame` | the identity of a peer; messages |
//! | `handshake` | the check that both run the same exploration |
//! | `rendezvous` | connecting all processes, and agreement on a run |
//! | `heartbeat` | heartbeats, and the reason for an end |
//! | `halt` | the end of the exploration, for all threads of a process |
//! | `wire` | the connection type that timely uses |
//! | `message` | checks the messages of timely that arrive |
//! | `dataflow` | the dataflow |

mod dataflow;
mod frame;
mod halt;
mod handshake;
mod heartbeat;
mod hello;
mod message;
mod rendezvous;
#[cfg(test)]
mod tests;
mod wire;

use super::disk::exploration::{Aim, Environment, explore, identity};
use super::disk::graph::CodeGraph;
use super::disk::manifest::{Identity, Share};
use super::disk::record::Code;
use super::disk::store::{CheckpointStore, identity_in};
use super::disk::{Abort, Coded, DiskError, StepResult, Visitor};
use super::explore::{Explored, Noted};
use super::limits::Limits;
use super::place::Cluster;
use dataflow::{Dataflow, Endpoint, Transport};
use halt::WorkerGuard;
use handshake::random;
use heartbeat::Heartbeat;
use hello::{Channel, Hello};
use message::Messages;
use rendezvous::{agree_on_run, connect_all};
use std::io;
use std::net::TcpStream;
use std::num::NonZero;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{channel, sync_channel};
use std::thread;
use std::time::Duration;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::initialize::initialize_networking_from_sockets;
use wire::Wire;

/// The maximum timeout: longer ones would overflow a clock.
const MAX_TIMEOUT: Duration = Duration::from_secs(1 << 30);
/// The interval of limit checks on behalf of waiting workers.
const CHECK_EVERY: Duration = Duration::from_millis(50);

/// Explores together with the peers, within the limits.
pub(super) fn run(coded: &Coded, limits: &Limits, cluster: &Cluster, aim: Aim) -> Result<Noted<Vec<u128>>, DiskError> {
    coded.run(MultiProcess { limits, cluster, aim })
}

/// Exploration by several workers.
struct MultiProcess<'a> {
    limits: &'a Limits,
    cluster: &'a Cluster,
    aim: Aim,
}

impl Visitor for MultiProcess<'_> {
    type Output = Noted<Vec<u128>>;

    fn run<C: Code>(self, graph: &dyn CodeGraph<C>, start: C) -> Result<Self::Output, DiskError> {
        let MultiProcess { limits, cluster, aim } = self;
        let kept = match cluster.disk {
            Some(_) => "the last complete layer is on disk on every machine",
            None => "without `--disk` the exploration starts again from the beginning",
        };
        let heartbeat = Heartbeat::new(cluster.hosts.clone(), cluster.peer_timeout.min(MAX_TIMEOUT), kept);
        let identity = identity(graph, start, &cluster.fingerprint, aim);
        let done = cluster
            .work(identity, limits, &heartbeat, &|limits, environment| explore(graph, start, aim, limits, environment));
        let cause = heartbeat.halt.cause();
        match &done {
            Ok(explored) if explored.limit.is_none() => heartbeat.leave(cluster.process),
            Ok(_) => {}
            Err(stop) => heartbeat.halt.set(stop.clone(), None),
        }
        // Includes reasons from other peers: a peer not yet connected to the failed one would wait for it.
        if let Some(cause) = heartbeat.halt.cause() {
            heartbeat.broadcast_cause(cluster.process, &cause);
        }
        heartbeat.close();
        let note = cause.and_then(|cause| heartbeat.note(&cause));
        match done {
            Ok(explored) => Ok((explored, note)),
            Err(Abort::Limit(limit)) => Ok((Explored::unfinished(limit), note)),
            Err(Abort::Error(error)) => Err(error),
        }
    }
}

/// The work of a worker in its environment.
type WorkerTask<'a> = &'a (dyn Fn(&Limits, Environment) -> StepResult<Explored<Vec<u128>>> + Sync);

impl Cluster {
    fn processes(&self) -> usize {
        self.hosts.len().max(1)
    }

    fn share(&self, worker: usize, run: &str) -> Share {
        Share {
            run: run.to_owned(),
            number: self.process * self.workers.get() + worker,
            processes: self.processes(),
            workers: self.workers.get(),
        }
    }

    /// Returns the folder of a worker: no two have the same, even if all processes use the same parent folder.
    fn folder(&self, disk: &Path, worker: usize) -> PathBuf {
        disk.join(format!("process-{}-worker-{worker}", self.process))
    }

    /// Returns the run of the local checkpoint, if there is one, and whether it has any files.
    fn run(&self) -> StepResult<Option<(String, bool)>> {
        let Some((disk, _)) = &self.disk else { return Ok(None) };
        // Report an unusable folder before waiting for peers.
        std::fs::create_dir_all(disk).map_err(|error| Abort::file(disk, &error))?;
        if identity_in(disk)?.is_some_and(|(identity, _)| identity.share.is_none()) {
            return Err(Abort::Error(DiskError {
                message: format!("{}: the exploration in this folder is that of one machine alone", disk.display()),
                help: "choose another folder, or continue without `--hosts`".to_owned(),
            }));
        }
        let mut run: Option<(String, bool)> = None;
        for worker in 0..self.workers.get() {
            let found = identity_in(&self.folder(disk, worker))?;
            let found = found.and_then(|(identity, begun)| Some((identity.share?.run, begun)));
            run = match (run, found) {
                (Some(run), Some(found)) => Some(if found.1 { found } else { run }),
                (run, found) => run.or(found),
            };
        }
        Ok(run)
    }

    /// Connects to the peers, and runs all workers of this process.
    fn work(
        &self,
        identity: Identity,
        limits: &Limits,
        heartbeat: &Arc<Heartbeat>,
        work: WorkerTask,
    ) -> StepResult<Explored<Vec<u128>>> {
        let setup_error = |error: io::Error| Abort::Error(self.setup_error(&error));
        let hello = Hello {
            process: self.process,
            processes: self.processes(),
            workers: self.workers.get(),
            depth: limits.depth,
            identity: identity.clone(),
            disk: self.disk.is_some(),
            run: self.run()?,
            patience: heartbeat.patience,
            secret: self.secret.is_some(),
            life: random().map_err(setup_error)?,
            nonce: String::new(),
            channel: Channel::Control,
        };
        let mut streams = vec![None];
        let (mut run, mut is_new) = (hello.life.clone(), true);
        let mut hellos = vec![hello];
        if self.hosts.len() > 1 {
            let secret = self.secret.as_deref().unwrap_or_default();
            let met = connect_all(&hellos[0], secret, heartbeat, self.start_timeout.min(MAX_TIMEOUT), &limits.stop())?;
            (streams, hellos) = (met.streams, met.hellos);
        }
        if self.disk.is_some() {
            (run, is_new) = agree_on_run(&hellos, heartbeat)?;
        }
        let workers = self.workers.get();
        let mut stores = Vec::with_capacity(workers);
        for worker in 0..workers {
            stores.push(self.store(&identity, &run, is_new, worker, limits)?);
        }
        let transports = self.transports(streams, heartbeat).map_err(setup_error)?;
        self.together(stores, transports, limits, heartbeat, work)
    }

    fn setup_error(&self, error: &io::Error) -> DiskError {
        DiskError {
            message: format!("process {} cannot be set up: {error}", self.process),
            help: "it needs a thread for each worker and two for each connection".to_owned(),
        }
    }

    fn store(
        &self,
        identity: &Identity,
        run: &str,
        is_new: bool,
        worker: usize,
        limits: &Limits,
    ) -> StepResult<CheckpointStore> {
        let identity = Identity { share: Some(self.share(worker, run)), ..identity.clone() };
        let Some((disk, limit)) = &self.disk else {
            // Half of the memory is for files, and half for generating them.
            return Ok(CheckpointStore::in_memory(
                identity,
                limits.memory.map(|memory| memory / 2 / self.workers.get() as u64),
            ));
        };
        let folder = self.folder(disk, worker);
        if !is_new && identity_in(&folder)?.is_none() {
            return Err(Abort::Error(DiskError {
                message: format!(
                    "{}: the checkpoint of this worker is missing, but others have theirs",
                    folder.display()
                ),
                help: "put it back, or choose a new folder everywhere to explore from the start".to_owned(),
            }));
        }
        CheckpointStore::open(&folder, identity, limit.map(|limit| limit / self.workers.get() as u64))
    }

    /// Returns the transport of each worker.
    fn transports(&self, streams: Vec<Option<TcpStream>>, heartbeat: &Arc<Heartbeat>) -> io::Result<Vec<Transport>> {
        let workers = self.workers.get();
        let hooks = timely::communication::Hooks::default();
        let local = ProcessBuilder::new_typed_vector(workers, hooks.refill.clone(), None);
        if streams.len() == 1 {
            return Ok(local.into_iter().map(Transport::Local).collect());
        }
        let wires = streams.into_iter().enumerate().map(|(process, stream)| {
            let messages = Messages::new(process, self.process, workers);
            let heartbeat = Arc::clone(heartbeat);
            stream.map(|stream| Wire::new(stream, process, messages, heartbeat))
        });
        let (builders, guard) =
            initialize_networking_from_sockets(local, wires.collect(), self.process, workers, hooks)?;
        // Dropping the guard would wait for threads that wait for peers; the wires end those threads.
        std::mem::forget(guard);
        Ok(builders.into_iter().map(Transport::Tcp).collect())
    }

    /// Starts all workers, and checks the limits on behalf of waiting ones.
    fn together(
        &self,
        stores: Vec<CheckpointStore>,
        transports: Vec<Transport>,
        limits: &Limits,
        heartbeat: &Arc<Heartbeat>,
        work: WorkerTask,
    ) -> StepResult<Explored<Vec<u128>>> {
        let workers = self.workers.get();
        let limits = &Limits {
            memory: limits.memory.map(|memory| memory / if self.disk.is_some() { 1 } else { 2 } / workers as u64),
            threads: limits
                .threads
                .or_else(|| NonZero::new(thread::available_parallelism().map_or(1, |all| all.get() / workers).max(1))),
            ..limits.clone()
        };
        let working = &AtomicUsize::new(workers);
        thread::scope(|scope| {
            let mut results = Vec::with_capacity(workers);
            for (worker, (store, transport)) in stores.into_iter().zip(transports).enumerate() {
                let (requests, taken) = sync_channel(1);
                let (sender, events) = channel();
                let backlog = Arc::new(AtomicUsize::new(0));
                let counted = Arc::clone(&backlog);
                let dataflow =
                    thread::Builder::new().name(format!("dataflow-{worker}")).spawn_scoped(scope, move || {
                        let run = || Dataflow::new(transport, sender, counted, &heartbeat.halt).run(&taken);
                        if catch_unwind(AssertUnwindSafe(run)).is_err() {
                            heartbeat.report_invalid(self.process);
                        }
                    });
                let dataflow = match dataflow {
                    Ok(dataflow) => dataflow.thread().clone(),
                    Err(error) => {
                        heartbeat.halt.set(Abort::Error(self.setup_error(&error)), None);
                        break;
                    }
                };
                let halted = Arc::clone(heartbeat);
                let endpoint = Endpoint {
                    number: self.process * workers + worker,
                    shares: self.processes() * workers,
                    requests,
                    events,
                    backlog,
                    dataflow: dataflow.clone(),
                    ended: Arc::new(move || halted.halt.reason()),
                };
                let works = thread::Builder::new().name(format!("worker-{worker}")).spawn_scoped(scope, move || {
                    let _leaving = WorkerGuard { halt: &heartbeat.halt, working };
                    let done = work(limits, Environment { store, peers: Some(Box::new(endpoint)) });
                    match &done {
                        Ok(Explored { limit: Some(limit), .. }) => heartbeat.halt.set(Abort::Limit(*limit), None),
                        Ok(_) => {}
                        Err(stop) => heartbeat.halt.set(stop.clone(), None),
                    }
                    dataflow.unpark();
                    done
                });
                match works {
                    Ok(works) => results.push(works),
                    Err(error) => {
                        heartbeat.halt.set(Abort::Error(self.setup_error(&error)), None);
                        break;
                    }
                }
            }
            let stop = limits.stop();
            while !heartbeat.halt.wait_until(CHECK_EVERY, || working.load(Ordering::Acquire) == 0)
                && !heartbeat.halt.is_set()
            {
                if let Some(limit) = stop.check_cheap() {
                    heartbeat.halt.set(Abort::Limit(limit), None);
                }
            }
            let mut answers = results.into_iter().filter_map(|works| works.join().ok()).collect::<Vec<_>>().into_iter();
            answers.next().unwrap_or_else(|| Err(heartbeat.halt.reason()))
        })
    }
}
