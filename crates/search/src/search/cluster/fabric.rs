//! The dataflow between workers, on timely dataflow (Murray, McSherry and others, Naiad: a timely dataflow system, 2013):
//! parcels go in, are exchanged by whom they are for, and come out; a probe tells when none of a time can come any more.
//!
//! Time goes in rounds. In each a worker sends what one slice of its states made, and it begins a round only when all
//! workers have taken in those before the last few: so what is under way is bounded, whatever the speeds. A worker that
//! has nothing more to send in a step says in which round that was, and goes on through empty rounds, as far as it takes
//! in what comes; when all have said so and these rounds are over, the step is over, everywhere.
//!
//! Each worker has a thread that does this alone, so that others can go on while it sorts.

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

/// So many rounds may be under way before one is over.
const WINDOW: u64 = 2;
/// A worker that has finished lets the others go on by so many rounds at a time.
const LEAVE: u64 = 16;
/// More bytes that came and were not taken keep a worker that has finished from going on through empty rounds.
const BACKLOG: usize = 1 << 20;
/// How long a thread waits for news before it looks around.
const PATIENCE: Duration = Duration::from_millis(20);

/// What carries the parcels of a worker.
pub(super) enum Carrier {
    /// Within this process.
    Local(ProcessBuilder),
    /// To other processes, too.
    Tcp(TcpBuilder),
}

/// What travels.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Parcel {
    to: u64,
    /// The step that it belongs to: a worker may be one behind.
    step: u64,
    content: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
enum Content {
    /// Records.
    Row(ByteBuf),
    /// Nothing comes in this step after this round.
    Last(u64),
    /// What is to be added up.
    Sum(Vec<u64>),
}

/// What a worker asks for.
pub(super) enum Order {
    Send(Vec<Vec<u8>>),
    Finish,
    Sum(Vec<u64>),
}

/// What a worker is told.
pub(super) enum News {
    Row(Vec<u8>),
    /// The step is over.
    Over,
    Sums(Vec<u64>),
}

/// What a worker has of the fabric.
pub(super) struct Line {
    pub number: usize,
    pub shares: usize,
    pub orders: SyncSender<Order>,
    pub news: Receiver<News>,
    /// Bytes that came and were not taken yet.
    pub backlog: Arc<AtomicUsize>,
    /// The thread at the other end.
    pub fabric: Thread,
    /// Why all of it ended, once there is nobody at the other end.
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

/// What is being done.
enum Doing {
    /// Orders are taken.
    Sending,
    /// Nothing more is sent in this step.
    Finishing,
    /// Numbers are added up: these, of so many workers.
    Adding(Vec<u64>, usize),
}

/// The end of the fabric at one worker.
pub(super) struct Fabric<'a> {
    worker: Worker,
    input: InputHandle<u64, Parcel>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Vec<Parcel>>>,
    /// What came for the next step.
    early: Vec<Parcel>,
    /// The round that is next.
    round: u64,
    step: u64,
    doing: Doing,
    /// How many workers have said that they send nothing more, and the last of their rounds.
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

    /// Does what it is asked for until nobody asks any more and all others have ended, too; or until all of it ends.
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

    /// Whether a round may begin.
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

    /// Goes on through a round without anything to send, or ends the step.
    fn finish(&mut self) -> bool {
        if self.finished == self.worker.peers() && !self.probe.less_equal(&self.last) {
            // Nobody has gone further.
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
        // Who does not listen any more has ended.
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
            // It came before the question did.
            (content, _) => self.early.push(Parcel { content, ..parcel }),
        }
    }

    /// Nothing more is asked for here: goes on until all others are as far.
    fn end(mut self) {
        self.input.close();
        while self.worker.has_dataflows() && !self.halt.is_set() {
            self.worker.step_or_park(Some(PATIENCE));
        }
    }
}
