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
use crate::search::disk::peers::Peers;
use crate::search::disk::{Abort, StepResult};
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
const ADVANCE: u64 = 16;
/// The number of unconsumed bytes at which a finished worker stops advancing through empty rounds.
const BACKLOG: usize = 1 << 20;
/// The time that a thread waits for an event before it checks the other conditions.
const EVENT_TIMEOUT: Duration = Duration::from_millis(20);

/// The transport for the messages of a worker.
pub(super) enum Transport {
    /// Within this process.
    Local(ProcessBuilder),
    /// To other processes as well.
    Tcp(TcpBuilder),
}

/// A message between workers.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Message {
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
pub(super) enum Request {
    Send(Vec<Vec<u8>>),
    Finish,
    Sum(Vec<u64>),
}

/// An event for a worker.
pub(super) enum Event {
    Row(Vec<u8>),
    /// The step is complete.
    Over,
    Sums(Vec<u64>),
}

/// A worker's endpoint of the dataflow.
pub(super) struct Endpoint {
    pub number: usize,
    pub shares: usize,
    pub requests: SyncSender<Request>,
    pub events: Receiver<Event>,
    /// Bytes received but not yet consumed.
    pub backlog: Arc<AtomicUsize>,
    /// The dataflow thread.
    pub dataflow: Thread,
    /// Returns the reason for the end, once the dataflow thread has ended.
    pub ended: Arc<dyn Fn() -> Abort + Send + Sync>,
}

impl Endpoint {
    fn request(&self, request: Request) -> StepResult<()> {
        self.requests.send(request).map_err(|_| (self.ended)())?;
        self.dataflow.unpark();
        Ok(())
    }

    fn row(&self, event: Event) -> Option<Vec<u8>> {
        let Event::Row(row) = event else { return None };
        self.backlog.fetch_sub(row.len(), Ordering::AcqRel);
        self.dataflow.unpark();
        Some(row)
    }
}

impl Peers for Endpoint {
    fn shares(&self) -> usize {
        self.shares
    }

    fn number(&self) -> usize {
        self.number
    }

    fn send(&mut self, rows: Vec<Vec<u8>>) -> StepResult<()> {
        self.request(Request::Send(rows))
    }

    fn try_receive(&mut self) -> StepResult<Option<Vec<u8>>> {
        match self.events.try_recv() {
            Ok(event) => Ok(self.row(event)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err((self.ended)()),
        }
    }

    fn finish(&mut self) -> StepResult<()> {
        self.request(Request::Finish)
    }

    fn receive(&mut self) -> StepResult<Option<Vec<u8>>> {
        let event = self.events.recv().map_err(|_| (self.ended)())?;
        Ok(self.row(event))
    }

    fn sum(&mut self, numbers: &[u64]) -> StepResult<Vec<u64>> {
        self.request(Request::Sum(numbers.to_vec()))?;
        match self.events.recv() {
            Ok(Event::Sums(sums)) => Ok(sums),
            _ => Err((self.ended)()),
        }
    }
}

/// The state of the current step.
enum StepState {
    /// Requests are accepted.
    Sending,
    /// Nothing more is sent in this step.
    Finishing,
    /// Numbers are added up: the sums, and the number of workers included.
    Adding(Vec<u64>, usize),
}

/// The dataflow thread of one worker.
pub(super) struct Dataflow<'a> {
    worker: Worker,
    input: InputHandle<u64, Message>,
    probe: ProbeHandle<u64>,
    arrived: Rc<RefCell<Vec<Message>>>,
    /// Messages of the next step.
    early: Vec<Message>,
    /// The next round.
    round: u64,
    step: u64,
    state: StepState,
    /// The number of workers that have finished the step, and the last of their rounds.
    finished: usize,
    last: u64,
    events: Sender<Event>,
    backlog: Arc<AtomicUsize>,
    halt: &'a Halt,
}

impl<'a> Dataflow<'a> {
    pub fn new(transport: Transport, events: Sender<Event>, backlog: Arc<AtomicUsize>, halt: &'a Halt) -> Dataflow<'a> {
        let allocator = match transport {
            Transport::Local(builder) => Allocator::Process(builder.build()),
            Transport::Tcp(builder) => Allocator::Tcp(builder.build()),
        };
        // A worker without a clock never waits.
        let mut worker = Worker::new(timely::WorkerConfig::default(), allocator, Some(Instant::now()));
        let arrived = Rc::new(RefCell::new(Vec::new()));
        let taken = Rc::clone(&arrived);
        let (input, probe) = worker.dataflow(|scope| {
            let (input, messages) = scope.new_input::<Message>();
            let exchange = Exchange::new(|message: &Message| message.to);
            let (probe, _) = messages
                .unary::<timely::container::CapacityContainerBuilder<Vec<Message>>, _, _, _>(
                    exchange,
                    "take",
                    |_, _| {
                        move |input, _output| {
                            input.for_each(|_, messages| taken.borrow_mut().append(messages));
                        }
                    },
                )
                .probe();
            (input, probe)
        });
        let (early, state) = (Vec::new(), StepState::Sending);
        Dataflow {
            worker,
            input,
            probe,
            arrived,
            early,
            round: 0,
            step: 0,
            state,
            finished: 0,
            last: 0,
            events,
            backlog,
            halt,
        }
    }

    /// Serves requests until the worker has ended and all other workers are done too, or until the exploration ends.
    pub fn run(mut self, requests: &Receiver<Request>) {
        while !self.halt.is_set() {
            self.receive_all();
            let has_moved = match &self.state {
                StepState::Sending if self.may_begin() => match requests.try_recv() {
                    Ok(request) => self.serve(request),
                    Err(TryRecvError::Empty) => false,
                    Err(TryRecvError::Disconnected) => return self.end(),
                },
                StepState::Sending => false,
                StepState::Finishing => self.finish(),
                StepState::Adding(..) => self.add(),
            };
            self.worker.step_or_park(Some(if has_moved { Duration::ZERO } else { EVENT_TIMEOUT }));
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
        self.input.send(Message { to: to as u64, step: self.step, content });
    }

    fn serve(&mut self, request: Request) -> bool {
        let shares = self.worker.peers();
        match request {
            Request::Send(rows) => {
                let rows = rows.into_iter().enumerate().filter(|(_, row)| !row.is_empty());
                rows.for_each(|(to, row)| self.send(to, Content::Row(ByteBuf::from(row))));
            }
            Request::Finish => {
                (0..shares).for_each(|to| self.send(to, Content::Last(self.round)));
                self.state = StepState::Finishing;
            }
            Request::Sum(numbers) => {
                (0..shares).for_each(|to| self.send(to, Content::Sum(numbers.clone())));
                self.state = StepState::Adding(vec![0; numbers.len()], 0);
            }
        }
        self.begin_round(self.round + 1);
        self.dispatch_early();
        true
    }

    /// Advances through empty rounds, or ends the step.
    fn finish(&mut self) -> bool {
        if self.finished == self.worker.peers() && !self.probe.less_equal(&self.last) {
            // No worker has advanced further.
            let next = self.last + 2 * ADVANCE;
            self.end_step(Event::Over);
            self.begin_round(next);
            return true;
        }
        let is_near = !self.probe.less_than(&self.round.saturating_sub(ADVANCE / 2));
        let goes_on = is_near && self.backlog.load(Ordering::Acquire) < BACKLOG;
        if goes_on {
            self.begin_round(self.round + ADVANCE);
        }
        goes_on
    }

    fn add(&mut self) -> bool {
        match &mut self.state {
            StepState::Adding(sums, of) if *of == self.worker.peers() => {
                let sums = std::mem::take(sums);
                self.end_step(Event::Sums(sums));
                true
            }
            _ => false,
        }
    }

    fn end_step(&mut self, event: Event) {
        // If the worker has ended, nobody receives the event.
        let _ = self.events.send(event);
        self.step += 1;
        (self.finished, self.last, self.state) = (0, 0, StepState::Sending);
        self.dispatch_early();
    }

    fn receive_all(&mut self) {
        let arrived = std::mem::take(&mut *self.arrived.borrow_mut());
        arrived.into_iter().for_each(|message| self.dispatch(message));
    }

    fn dispatch_early(&mut self) {
        let early = std::mem::take(&mut self.early);
        early.into_iter().for_each(|message| self.dispatch(message));
    }

    fn dispatch(&mut self, message: Message) {
        if message.step != self.step {
            self.early.push(message);
            return;
        }
        match (message.content, &mut self.state) {
            (Content::Row(row), _) => {
                self.backlog.fetch_add(row.len(), Ordering::AcqRel);
                let _ = self.events.send(Event::Row(row.into_vec()));
            }
            (Content::Last(round), _) => {
                self.finished += 1;
                self.last = self.last.max(round);
            }
            (Content::Sum(numbers), StepState::Adding(sums, of)) => {
                sums.iter_mut().zip(numbers).for_each(|(sum, number)| *sum += number);
                *of += 1;
            }
            // The message arrived before this worker's own request.
            (content, _) => self.early.push(Message { content, ..message }),
        }
    }

    /// Sends nothing more, and continues until all other workers are done.
    fn end(mut self) {
        self.input.close();
        while self.worker.has_dataflows() && !self.halt.is_set() {
            self.worker.step_or_park(Some(EVENT_TIMEOUT));
        }
    }
}
