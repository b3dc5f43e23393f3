//! The dataflow between workers, on timely dataflow (Murray, McSherry and others, Naiad: a timely dataflow system,
//! 2013). Messages go in, are exchanged by destination, and come out; a probe reports when no more messages of a
//! timestamp can arrive.
//!
//! Timestamps are rounds. In each round a worker sends the children of one slice of its states. It begins a round only
//! when all workers have received those before the last few, so the data in flight is bounded at any speeds. A worker
//! with nothing more to send in a step announces its last round, and continues with empty rounds as fast as it consumes
//! what it receives. When all workers have announced their last rounds, and these are complete, the step is complete
//! everywhere.
//!
//! Each worker has a separate thread for this, so that other workers can continue while it sorts.

use super::halt::Halt;
use crate::search::disk::others::Others;
use crate::search::disk::{Step, Stop};
use serde::{Deserialize, Serialize};
use serde_bytes::ByteBuf;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, SyncSender, TryRecvError};
use std::thread::Thread;
use std::time::{Duration, Instant};
use timely::communication::Allocator;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::dataflow::channels::pact::Exchange;
use timely::dataflow::operators::Probe;
use timely::dataflow::operators::generic::operator::Operator;
use timely::dataflow::operators::probe::Handle as ProbeHandle;
use timely::dataflow::operators::vec::input::{Handle as InputHandle, Input};
use timely::worker::Worker;

/// The number of rounds that may be in flight.
const WINDOW: u64 = 2;
/// The number of rounds by which a finished worker advances at once.
const LEAVE: u64 = 16;
/// The number of unconsumed bytes at which a finished worker stops advancing through empty rounds.
const BACKLOG: usize = 1 << 20;
/// How long a thread waits for an event before it checks the other conditions.
const PATIENCE: Duration = Duration::from_millis(20);

/// The transport for the messages of a worker.
pub(super) enum Carrier {
    /// Within this process.
    Local(ProcessBuilder),
    /// To other processes as well.
    Tcp(TcpBuilder),
}

/// A message between workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u64,
    /// The step that it belongs to: a worker may be one step behind.
    step: u64,
    content: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Content {
    /// Encoded records.
    Row(ByteBuf),
    /// The sender's last round in this step.
    Last(u64),
    /// Numbers to add up.
    Sum(Vec<u64>),
}

/// A request of a worker to its dataflow thread.
pub(super) enum Order {
    Send(Vec<Vec<u8>>),
    Finish,
    Sum(Vec<u64>),
}

/// An event for a worker.
pub(super) enum News {
    Row(Vec<u8>),
    /// The step is complete.
    Over,
    Sums(Vec<u64>),
}

/// A worker's endpoint of the dataflow.
pub(super) struct Line {
    pub number: usize,
    pub shares: usize,
    pub orders: SyncSender<Order>,
    pub news: Receiver<News>,
    /// Bytes received but not yet consumed.
    pub backlog: Arc<AtomicUsize>,
    /// The dataflow thread.
    pub fabric: Thread,
    /// Returns the reason for the end, once the dataflow thread has ended.
    pub ended: Arc<dyn Fn() -> Stop + Send + Sync>,
}

impl Line {
    fn order(&self, order: Order) -> Step<()> {
        self.orders.send(order).map_err(|_| (self.ended)())?;
        self.fabric.unpark();
        Ok(())
    }

    fn row(&self, news: News) -> Option<Vec<u8>> {
        let News::Row(row) = news else { return None };
        self.backlog.fetch_sub(row.len(), Ordering::AcqRel);
        self.fabric.unpark();
        Some(row)
    }
}

impl Others for Line {
    fn shares(&self) -> usize {
        self.shares
    }

    fn number(&self) -> usize {
        self.number
    }

    fn send(&mut self, rows: Vec<Vec<u8>>) -> Step<()> {
        self.order(Order::Send(rows))
    }

    fn come(&mut self) -> Step<Option<Vec<u8>>> {
        match self.news.try_recv() {
            Ok(news) => Ok(self.row(news)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err((self.ended)()),
        }
    }

    fn finish(&mut self) -> Step<()> {
        self.order(Order::Finish)
    }

    fn rest(&mut self) -> Step<Option<Vec<u8>>> {
        let news = self.news.recv().map_err(|_| (self.ended)())?;
        Ok(self.row(news))
    }

    fn sum(&mut self, numbers: &[u64]) -> Step<Vec<u64>> {
        self.order(Order::Sum(numbers.to_vec()))?;
        match self.news.recv() {
            Ok(News::Sums(sums)) => Ok(sums),
            _ => Err((self.ended)()),
        }
    }
}

/// The state of the current step.
enum Doing {
    /// Requests are accepted.
    Sending,
    /// Nothing more is sent in this step.
    Finishing,
    /// Numbers are added up: the sums, and the number of workers included.
    Adding(Vec<u64>, usize),
}

/// The dataflow thread of one worker.
pub(super) struct Fabric<'a> {
    worker: Worker,
    input: InputHandle<u64, Parcel>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Vec<Parcel>>>,
    /// Messages of the next step.
    early: Vec<Parcel>,
    /// The next round.
    round: u64,
    step: u64,
    doing: Doing,
    /// The number of workers that have finished the step, and the last of their rounds.
    finished: usize,
    last: u64,
    news: Sender<News>,
    backlog: Arc<AtomicUsize>,
    halt: &'a Halt,
}

impl<'a> Fabric<'a> {
    pub fn new(carrier: Carrier, news: Sender<News>, backlog: Arc<AtomicUsize>, halt: &'a Halt) -> Fabric<'a> {
        let allocator = match carrier {
            Carrier::Local(builder) => Allocator::Process(builder.build()),
            Carrier::Tcp(builder) => Allocator::Tcp(builder.build()),
        };
        // A worker without a clock never waits.
        let mut worker = Worker::new(timely::WorkerConfig::default(), allocator, Some(Instant::now()));
        let arrived = Rc::new(RefCell::new(Vec::new()));
        let taken = Rc::clone(&arrived);
        let (input, probe) = worker.dataflow(|scope| {
            let (input, parcels) = scope.new_input::<Parcel>();
            let exchange = Exchange::new(|parcel: &Parcel| parcel.to);
            let (probe, _) = parcels
                .unary::<timely::container::CapacityContainerBuilder<Vec<Parcel>>, _, _, _>(exchange, "take", |_, _| {
                    move |input, _output| {
                        input.for_each(|_, parcels| taken.borrow_mut().append(parcels));
                    }
                })
                .probe();
            (input, probe)
        });
        let (early, doing) = (Vec::new(), Doing::Sending);
        Fabric {
            worker,
            input,
            probe,
            arrived,
            early,
            round: 0,
            step: 0,
            doing,
            finished: 0,
            last: 0,
            news,
            backlog,
            halt,
        }
    }

    /// Serves requests until the worker has ended and all other workers are done too, or until the exploration ends.
    pub fn run(mut self, orders: &Receiver<Order>) {
        while !self.halt.is_set() {
            self.take_in();
            let has_moved = match &self.doing {
                Doing::Sending if self.may_begin() => match orders.try_recv() {
                    Ok(order) => self.follow(order),
                    Err(TryRecvError::Empty) => false,
                    Err(TryRecvError::Disconnected) => return self.end(),
                },
                Doing::Sending => false,
                Doing::Finishing => self.finish(),
                Doing::Adding(..) => self.add(),
            };
            self.worker.step_or_park(Some(if has_moved { Duration::ZERO } else { PATIENCE }));
        }
    }

    /// Returns whether a round may begin.
    fn may_begin(&self) -> bool {
        !self.probe.less_than(&self.round.saturating_sub(WINDOW))
    }

    fn begin_round(&mut self, round: u64) {
        self.round = round;
        self.input.advance_to(round);
    }

    fn send(&mut self, to: usize, content: Content) {
        self.input.send(Parcel { to: to as u64, step: self.step, content });
    }

    fn follow(&mut self, order: Order) -> bool {
        let shares = self.worker.peers();
        match order {
            Order::Send(rows) => {
                let rows = rows.into_iter().enumerate().filter(|(_, row)| !row.is_empty());
                rows.for_each(|(to, row)| self.send(to, Content::Row(ByteBuf::from(row))));
            }
            Order::Finish => {
                (0..shares).for_each(|to| self.send(to, Content::Last(self.round)));
                self.doing = Doing::Finishing;
            }
            Order::Sum(numbers) => {
                (0..shares).for_each(|to| self.send(to, Content::Sum(numbers.clone())));
                self.doing = Doing::Adding(vec![0; numbers.len()], 0);
            }
        }
        self.begin_round(self.round + 1);
        self.sort_out_early();
        true
    }

    /// Advances through empty rounds, or ends the step.
    fn finish(&mut self) -> bool {
        if self.finished == self.worker.peers() && !self.probe.less_equal(&self.last) {
            // No worker has advanced further.
            let next = self.last + 2 * LEAVE;
            self.end_step(News::Over);
            self.begin_round(next);
            return true;
        }
        let is_near = !self.probe.less_than(&self.round.saturating_sub(LEAVE / 2));
        let goes_on = is_near && self.backlog.load(Ordering::Acquire) < BACKLOG;
        if goes_on {
            self.begin_round(self.round + LEAVE);
        }
        goes_on
    }

    fn add(&mut self) -> bool {
        match &mut self.doing {
            Doing::Adding(sums, of) if *of == self.worker.peers() => {
                let sums = std::mem::take(sums);
                self.end_step(News::Sums(sums));
                true
            }
            _ => false,
        }
    }

    fn end_step(&mut self, news: News) {
        // If the worker has ended, nobody receives the event.
        let _ = self.news.send(news);
        self.step += 1;
        (self.finished, self.last, self.doing) = (0, 0, Doing::Sending);
        self.sort_out_early();
    }

    fn take_in(&mut self) {
        let arrived = std::mem::take(&mut *self.arrived.borrow_mut());
        arrived.into_iter().for_each(|parcel| self.sort_out(parcel));
    }

    fn sort_out_early(&mut self) {
        let early = std::mem::take(&mut self.early);
        early.into_iter().for_each(|parcel| self.sort_out(parcel));
    }

    fn sort_out(&mut self, parcel: Parcel) {
        if parcel.step != self.step {
            self.early.push(parcel);
            return;
        }
        match (parcel.content, &mut self.doing) {
            (Content::Row(row), _) => {
                self.backlog.fetch_add(row.len(), Ordering::AcqRel);
                let _ = self.news.send(News::Row(row.into_vec()));
            }
            (Content::Last(round), _) => {
                self.finished += 1;
                self.last = self.last.max(round);
            }
            (Content::Sum(numbers), Doing::Adding(sums, of)) => {
                sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
                *of += 1;
            }
            // The message arrived before this worker's own request.
            (content, _) => self.early.push(Parcel { content, ..parcel }),
        }
    }

    /// Sends nothing more, and continues until all other workers are done.
    fn end(mut self) {
        self.input.close();
        while self.worker.has_dataflows() && !self.halt.is_set() {
            self.worker.step_or_park(Some(PATIENCE));
        }
    }
}
