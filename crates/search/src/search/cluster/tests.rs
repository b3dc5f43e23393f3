//! The dataflow without a network, and random graphs explored by any number of workers as by one process.

use super::halt::Halt;
use super::*;
use crate::search::disk::nearest_goal;
use crate::search::disk::peers::Peers;
use crate::search::disk::tests::Scattered;
use crate::search::laws::explorations::{findings, scratch};
use crate::search::layer_store::explore_layers;
use crate::search::{Algorithm, Host, Limit, Place, Verdict, explore, search_graph};
use crate::space::{Ordinal, Whole};
use std::fmt::Debug;
use std::hash::Hash;
use std::net::TcpListener;
use std::time::Instant;

/// Runs `work` in several workers, each with its endpoint; returns their results.
fn with_endpoints<T: Send>(shares: usize, halt: &Arc<Halt>, work: impl Fn(&mut Endpoint) -> T + Sync) -> Vec<T> {
    let hooks = timely::communication::Hooks::default();
    let builders = ProcessBuilder::new_typed_vector(shares, hooks.refill.clone(), None);
    thread::scope(|scope| {
        let mut works = Vec::new();
        for (number, builder) in builders.into_iter().enumerate() {
            let (requests, taken) = sync_channel(1);
            let (sender, events) = channel();
            let backlog = Arc::new(AtomicUsize::new(0));
            let counted = Arc::clone(&backlog);
            let (work, ended) = (&work, Arc::clone(halt));
            let dataflow =
                scope.spawn(move || Dataflow::new(Transport::Local(builder), sender, counted, halt).run(&taken));
            let dataflow = dataflow.thread().clone();
            let ended = Arc::new(move || ended.reason());
            let mut endpoint = Endpoint { number, shares, requests, events, backlog, dataflow, ended };
            works.push(scope.spawn(move || work(&mut endpoint)));
        }
        works.into_iter().map(|work| work.join().expect("the worker does not panic")).collect()
    })
}

/// Returns how many rows a worker sends to another in a step: none in many steps, in some more than the window admits.
fn rows(step: usize, from: usize, to: usize) -> usize {
    match (step * 7 + from * 3 + to) % 11 {
        0..5 => 0,
        10 => 60,
        few => few,
    }
}

/// Runs a step in which each worker sends rows to each, then adds up the numbers of received rows.
fn run_step(endpoint: &mut Endpoint, step: usize) -> StepResult<()> {
    let (me, shares) = (endpoint.number(), endpoint.shares());
    let row = |from: usize, number: usize| [step, from, number].map(|number| number as u8).repeat(1 + number * 10);
    let mut received = vec![0; shares];
    let take = |row: Vec<u8>, received: &mut Vec<usize>| {
        let from = row[1] as usize;
        assert_eq!(
            row,
            [step as u8, from as u8, received[from] as u8].repeat(1 + received[from] * 10),
            "rows arrive in order and complete"
        );
        received[from] += 1;
    };
    for number in 0..(0..shares).map(|to| rows(step, me, to)).max().unwrap_or(0) {
        let rows = (0..shares).map(|to| if number < rows(step, me, to) { row(me, number) } else { Vec::new() });
        endpoint.send(rows.collect())?;
        while let Some(row) = endpoint.try_receive()? {
            take(row, &mut received);
        }
    }
    endpoint.finish()?;
    while let Some(row) = endpoint.receive()? {
        take(row, &mut received);
    }
    let expected: Vec<usize> = (0..shares).map(|from| rows(step, from, me)).collect();
    assert_eq!(received, expected, "step {step} at {me}");
    let sums = endpoint.sum(&[1, me as u64, received.iter().sum::<usize>() as u64])?;
    let all = (0..shares).flat_map(|from| (0..shares).map(move |to| rows(step, from, to) as u64)).sum();
    assert_eq!(sums, [shares as u64, (0..shares as u64).sum(), all]);
    Ok(())
}

#[test]
fn rows_arrive_in_their_step_in_order_and_sums_include_all() {
    for shares in 1..=5 {
        let ended = with_endpoints(shares, &Arc::default(), |endpoint| -> StepResult<()> {
            (0..200).try_for_each(|step| run_step(endpoint, step))
        });
        assert_eq!(ended, vec![Ok(()); shares]);
    }
}

#[test]
fn steps_without_rows_and_sums_alone_complete() {
    let ended = with_endpoints(3, &Arc::default(), |endpoint| -> StepResult<u64> {
        let mut all = 0;
        for step in 0..300 {
            if step % 3 > 0 {
                endpoint.finish()?;
                assert_eq!(endpoint.receive()?, None);
            }
            all += endpoint.sum(&[step, 1])?[0];
            assert!(endpoint.sum(&[])?.is_empty());
        }
        Ok(all)
    });
    assert_eq!(ended, vec![Ok(3 * (0..300).sum::<u64>()); 3]);
}

#[test]
fn a_slow_worker_holds_the_others_back_and_loses_nothing() {
    let ended = with_endpoints(2, &Arc::default(), |endpoint| -> StepResult<usize> {
        let mut bytes = 0;
        if endpoint.number() == 0 {
            for _ in 0..50 {
                endpoint.send(vec![Vec::new(), vec![7; 100_000]])?;
            }
        } else {
            thread::sleep(Duration::from_millis(200));
        }
        endpoint.finish()?;
        while let Some(row) = endpoint.receive()? {
            bytes += row.len();
        }
        Ok(bytes)
    });
    assert_eq!(ended, [Ok(0), Ok(5_000_000)]);
}

#[test]
fn a_halt_ends_waiting_workers() {
    let halt = Arc::<Halt>::default();
    let ended = with_endpoints(3, &halt, |endpoint| match endpoint.number() {
        // It waits for a sum that never completes, for rows, and for a receiver.
        0 => endpoint.sum(&[1]).map(drop),
        1 => endpoint.finish().and_then(|()| endpoint.receive().map(drop)),
        _ => {
            thread::sleep(Duration::from_millis(100));
            halt.set(Abort::Limit(Limit::Time), None);
            (0..1000).try_for_each(|_| endpoint.send(vec![vec![1], vec![2], vec![3]]))
        }
    });
    assert_eq!(ended, vec![Err(Abort::Limit(Limit::Time)); 3]);
}

fn cluster(workers: usize) -> Cluster {
    Cluster {
        hosts: Vec::new(),
        process: 0,
        workers: NonZero::new(workers).expect("there is at least one worker"),
        peer_timeout: Duration::from_secs(20),
        start_timeout: Duration::from_secs(20),
        secret: None,
        disk: None,
        fingerprint: "this graph".to_owned(),
    }
}

/// Reduces a verdict to the part that every implementation must agree on.
fn found(verdict: Verdict<Vec<Ordinal>>) -> impl PartialEq + Debug {
    match verdict {
        Verdict::Solved { path, cost, .. } => (Some((path, cost)), None),
        Verdict::Unsolvable => (None, None),
        Verdict::Limit { limit, .. } => (None, Some(limit)),
    }
}

/// Explores together with the other workers and processes.
fn explored<K: Copy + Eq + Hash + Send + Sync + 'static>(
    space: &Scattered<K>,
    aim: Aim,
    limits: &Limits,
    cluster: &Cluster,
) -> Result<Noted<Vec<Ordinal>>, DiskError> {
    explore_layers(&Whole(space), &space.start(), aim, limits, &Place::Cluster(cluster.clone()))
}

/// Checks exploration and search by several workers within these limits.
fn check<K: Copy + Eq + Hash + Send + Sync + 'static>(space: &Scattered<K>, limits: &Limits, cluster: &Cluster) {
    let what = format!("{} workers, {limits:?}", cluster.workers);
    let (graph, start) = (&Whole(space), &space.start());
    let alone = Limits { depth: limits.depth, ..Limits::default() };
    let (together, _) = explored(space, Aim::Whole, limits, cluster).unwrap_or_else(|error| panic!("{what}: {error}"));
    assert_eq!(findings(together), findings(explore(graph, start, &alone)), "{what}");
    let cluster = Cluster { disk: None, ..cluster.clone() };
    let (together, _) = explored(space, Aim::Goal, limits, &cluster).unwrap_or_else(|error| panic!("{what}: {error}"));
    let alone = search_graph(graph, start, Algorithm::Bfs, &alone);
    assert_eq!(found(nearest_goal(together).verdict), found(alone.verdict), "{what}");
}

#[test]
fn small_graphs_are_explored_by_several_workers_as_by_one() {
    for seed in 0..24 {
        let (size, degree) = (1 + seed as usize * 12, 1 + seed as usize % 3);
        for reversible in [true, false] {
            let space = Scattered::new(seed, size, degree, reversible, |number| (number >> 48) as u16);
            let workers = 1 + seed as usize % 5;
            check(&space, &Limits::default(), &cluster(workers));
            let folder = scratch();
            let on_disk = Cluster { disk: Some((folder.path().join("on"), None)), ..cluster(workers) };
            for depth in [Some(2), Some(0), Some(5), None, None] {
                check(&space, &Limits { depth, ..Limits::default() }, &on_disk);
            }
        }
    }
}

#[test]
fn wide_graphs_with_many_parts_per_share_are_explored_as_by_one() {
    // Without a folder, half of the memory is for files.
    let limits = |memory| Limits { memory: Some(memory), threads: NonZero::new(1), ..Limits::default() };
    for reversible in [true, false] {
        let wide = |number: u64| u128::from(number) << 60 | u128::from(number >> 40);
        let space = Scattered::new(7, 40_000, 2, reversible, wide);
        check(&space, &limits(1 << 25), &cluster(3));
        let space = Scattered::new(8, 60_000, 3, reversible, |number| number);
        let folder = scratch();
        let on_disk = Cluster { disk: Some((folder.path().join("on"), None)), ..cluster(2) };
        let (graph, start, little) = (&Whole(&space), &space.start(), limits(1 << 20));
        let (together, _) = explored(&space, Aim::Whole, &little, &on_disk).unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(findings(together), findings(explore(graph, start, &Limits::default())), "reversible {reversible}");
    }
}

/// Returns the number of parts of layers in a folder of shares.
fn parts(disk: &Path) -> usize {
    let folders = std::fs::read_dir(disk).expect("the folder exists").filter_map(Result::ok);
    let files = folders.filter_map(|folder| std::fs::read_dir(folder.path()).ok()).flatten().filter_map(Result::ok);
    files.filter(|file| file.file_name().to_string_lossy().contains("part")).count()
}

#[test]
fn parts_left_in_the_middle_of_a_layer_are_generated_again_by_the_next_run() {
    for reversible in [true, false] {
        let space = Scattered::new(8, 60_000, 3, reversible, |number| number);
        let (graph, start, folder) = (&Whole(&space), &space.start(), scratch());
        let disk = folder.path().join("on");
        let limits = Limits { memory: Some(1 << 20), threads: NonZero::new(1), ..Limits::default() };
        let (mut space_limit, mut runs_with_parts) = (1 << 16, 0);
        let together = loop {
            let cluster = Cluster { disk: Some((disk.clone(), Some(space_limit))), ..cluster(2) };
            let (answer, _) = explored(&space, Aim::Whole, &limits, &cluster).unwrap_or_else(|error| panic!("{error}"));
            if answer.limit.is_none() {
                break answer;
            }
            assert_eq!(answer.limit, Some(Limit::Disk));
            runs_with_parts += usize::from(parts(&disk) > 0);
            space_limit += space_limit / 4;
        };
        assert!(runs_with_parts > 1, "{runs_with_parts} runs left parts");
        assert_eq!(findings(together), findings(explore(graph, start, &Limits::default())), "reversible {reversible}");
    }
}

#[test]
fn processes_in_threads_find_the_same() {
    let ports = [0; 3].map(|_| TcpListener::bind("127.0.0.1:0").expect("a port is free"));
    let hosts: Vec<Host> = ports
        .iter()
        .map(|port| port.local_addr().expect("the listener has an address"))
        .map(|address| Host { name: address.to_string(), address })
        .collect();
    drop(ports);
    for reversible in [true, false] {
        let space = Scattered::new(3, 3000, 2, reversible, |number| number);
        let expected = || findings(explore(&Whole(&space), &space.start(), &Limits::default()));
        thread::scope(|scope| {
            for process in 0..3 {
                let cluster = Cluster { hosts: hosts.clone(), process, ..cluster(2) };
                let (space, expected) = (&space, &expected);
                scope.spawn(move || {
                    let together = explored(space, Aim::Whole, &Limits::default(), &cluster);
                    let (together, note) = together.unwrap_or_else(|error| panic!("process {process}: {error}"));
                    assert_eq!((findings(together), note), (expected(), None));
                });
            }
        });
    }
}

#[test]
fn a_worker_that_panics_ends_the_others() {
    let mut space = Scattered::new(5, 2000, 2, true, |number| number);
    space.goals.truncate(1000);
    let begun = Instant::now();
    let ended = explored(&space, Aim::Whole, &Limits::default(), &cluster(3));
    let error = ended.map(|_| ()).expect_err("the goal test panics for some states");
    assert!(error.message.contains("ended before this part of it was done"), "{error}");
    assert!(begun.elapsed() < Duration::from_secs(20));
}
