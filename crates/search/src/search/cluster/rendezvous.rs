//! The rendezvous of all processes: each listens on its own address, connects twice to every process with a lower
//! number, and performs the handshakes. It listens on no other address, and every wait has a timeout.

use super::handshake::{HandshakeError, initiate, random, respond};
use super::heartbeat::Heartbeat;
use super::hello::{Channel, Hello};
use crate::search::disk::{Abort, DiskError};
use crate::search::limits::{self, Limit};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The time that a whole handshake may take: a peer that sends a byte now and then is given up, too.
const HANDSHAKE_TIMEOUT: Duration = Duration::from_secs(5);
/// The number of strangers that may be in a handshake besides two connections of each process; others wait until the
/// system has no more room for them.
const MAX_STRANGERS: usize = 64;
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
const RETRY_EVERY: Duration = Duration::from_millis(100);
const CHECK_EVERY: Duration = Duration::from_millis(10);
/// After the rendezvous has failed, keep accepting late peers for this long, so that they receive the reason instead of
/// timing out.
const LINGER: Duration = Duration::from_secs(2);

/// The result of a rendezvous.
pub(super) struct Connected {
    /// By process, the connections for states; none to this one.
    pub streams: Vec<Option<TcpStream>>,
    /// The hello of each process, including this one.
    pub hellos: Vec<Hello>,
}

/// An event that a rendezvous thread reports.
enum Event {
    Came(Box<Hello>, TcpStream),
    /// This process will not take part.
    Refused(usize, DiskError),
}

/// By process, the reason why it is not connected yet.
type Reasons = Arc<Mutex<BTreeMap<usize, String>>>;

/// Waits until all processes are connected.
///
/// # Errors
/// A process is missing after the timeout, or runs another exploration; or a limit of this process.
pub(super) fn connect_all(
    mine: &Hello,
    secret: &[u8],
    heartbeat: &Arc<Heartbeat>,
    patience: Duration,
    stop: &limits::Stop,
) -> Result<Connected, Abort> {
    let (me, all) = (mine.process, mine.processes);
    let end = Instant::now() + patience;
    let (sender, events) = channel();
    let reasons = Reasons::default();
    let here = heartbeat.hosts[me].address;
    let listener = TcpListener::bind(here).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    let listener = listener.map_err(|error| {
        Abort::Error(DiskError {
            message: format!("cannot listen on {}, the address of process {me}: {error}", heartbeat.hosts[me]),
            help: "each process needs an address of the machine that it runs on, and a port that is free".to_owned(),
        })
    })?;
    let over = Arc::new(AtomicBool::new(false));
    for process in 0..me {
        for channel in [Channel::Control, Channel::States] {
            let connector = Connector {
                hello: Hello { channel, ..mine.clone() },
                secret: secret.to_vec(),
                heartbeat: Arc::clone(heartbeat),
                sender: sender.clone(),
                reasons: Arc::clone(&reasons),
                over: Arc::clone(&over),
            };
            thread::spawn(move || connector.connect_with_retries(process));
        }
    }
    let host = Connector {
        hello: mine.clone(),
        secret: secret.to_vec(),
        heartbeat: Arc::clone(heartbeat),
        sender,
        reasons: Arc::clone(&reasons),
        over: Arc::clone(&over),
    };
    // The last process listens too, although none connects to it: another one may have the same number by mistake.
    thread::spawn(move || host.receive(&listener));
    let mut hellos = vec![None; all];
    hellos[me] = Some(mine.clone());
    let (streams, controls, refused) = ((0..all).map(|_| None).collect(), vec![false; all], vec![false; all]);
    let rendezvous = Rendezvous { mine, heartbeat, patience, hellos, streams, controls, refused, failing: None };
    let met = rendezvous.run(&events, end, stop, &reasons);
    over.store(true, Ordering::Release);
    met
}

/// The processes connected so far.
struct Rendezvous<'a> {
    mine: &'a Hello,
    heartbeat: &'a Arc<Heartbeat>,
    patience: Duration,
    hellos: Vec<Option<Hello>>,
    streams: Vec<Option<TcpStream>>,
    controls: Vec<bool>,
    /// Processes that will not take part.
    refused: Vec<bool>,
    /// The time when the rendezvous failed.
    failing: Option<Instant>,
}

impl Rendezvous<'_> {
    /// Handles events until all processes are connected.
    fn run(
        mut self,
        events: &Receiver<Event>,
        end: Instant,
        stop: &limits::Stop,
        reasons: &Reasons,
    ) -> Result<Connected, Abort> {
        loop {
            let missing = (0..self.mine.processes).find(|&process| self.is_missing(process));
            let limit = stop.now();
            match (self.failing(), missing) {
                (None, None) => break,
                (None, Some(missing)) => match limit {
                    Some(limit) => self.heartbeat.halt.set(Abort::Limit(limit), None),
                    None if Instant::now() >= end => return Err(self.missing_error(missing, reasons)),
                    None => {}
                },
                (Some(since), Some(_)) if since.elapsed() <= LINGER && limit != Some(Limit::Interrupt) => {}
                (Some(_), _) => return Err(self.heartbeat.halt.reason()),
            }
            match events.recv_timeout(CHECK_EVERY) {
                Ok(Event::Came(hello, stream)) => self.receive(*hello, stream)?,
                Ok(Event::Refused(process, error)) => self.refuse(process, error),
                Err(_) => {}
            }
        }
        Ok(Connected { streams: self.streams, hellos: self.hellos.into_iter().flatten().collect() })
    }

    /// Returns the time when the rendezvous failed, if it did. Connected peers receive the reason at once. Late peers
    /// are accepted for a while, since they would otherwise wait for this process without knowing why it ended.
    fn failing(&mut self) -> Option<Instant> {
        if self.failing.is_none() && self.heartbeat.halt.is_set() {
            self.failing = Some(Instant::now());
            self.broadcast_cause();
        }
        self.failing
    }

    fn broadcast_cause(&self) {
        if let Some(cause) = self.heartbeat.halt.cause() {
            self.heartbeat.broadcast_cause(self.mine.process, &cause);
        }
    }

    fn is_missing(&self, process: usize) -> bool {
        let is_met = self.controls[process] && self.streams[process].is_some();
        process != self.mine.process && !self.refused[process] && !is_met
    }

    fn missing_error(&self, missing: usize, reasons: &Reasons) -> Abort {
        let reasons = reasons.lock();
        let why = reasons.get(&missing).map_or_else(String::new, |why| format!(": {why}"));
        let patience = humantime::format_duration(self.patience);
        Abort::Error(DiskError {
            message: format!("{} is not there after {patience}{why}", self.heartbeat.name(missing)),
            help: format!(
                "start the same command there with `--process {missing}`, then here again; see that the two can \
                 reach each other, and that `--start-timeout` is long enough"
            ),
        })
    }

    /// Records the failure of the rendezvous.
    fn refuse(&mut self, process: usize, error: DiskError) {
        if let Some(refused) = self.refused.get_mut(process) {
            *refused = true;
        }
        self.heartbeat.halt.set(Abort::Error(error), None);
    }

    fn receive(&mut self, hello: Hello, stream: TcpStream) -> Result<(), Abort> {
        let (process, heartbeat) = (hello.process, self.heartbeat);
        let is_twice = match hello.channel {
            Channel::Control => self.controls[process],
            Channel::States => self.streams[process].is_some(),
        };
        if is_twice || self.hellos[process].as_ref().is_some_and(|known| known.life != hello.life) {
            let message = format!("{} connected twice", heartbeat.name(process));
            let help = "give each process its own number and start it once: end all of them and start again";
            self.refuse(process, DiskError { message, help: help.to_owned() });
            return Ok(());
        }
        let broken = |error: io::Error| {
            let message = format!("{}: lost the connection: {error}", heartbeat.name(process));
            Abort::Error(DiskError { message, help: "start all of them again".to_owned() })
        };
        match hello.channel {
            Channel::Control => {
                heartbeat.join(process, stream, hello.patience).map_err(broken)?;
                self.controls[process] = true;
                if self.failing.is_some() {
                    self.broadcast_cause();
                }
            }
            Channel::States => {
                stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None)).map_err(broken)?;
                heartbeat.register_states(process, stream.try_clone().map_err(broken)?);
                self.streams[process] = Some(stream);
            }
        }
        self.hellos[process] = Some(hello);
        Ok(())
    }
}

/// The data of a rendezvous thread.
struct Connector {
    hello: Hello,
    secret: Vec<u8>,
    heartbeat: Arc<Heartbeat>,
    sender: Sender<Event>,
    reasons: Reasons,
    over: Arc<AtomicBool>,
}

impl Connector {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn set_reason(&self, process: usize, why: String) {
        self.reasons.lock().insert(process, why);
    }

    /// Connects to a process, with retries until it is there.
    fn connect_with_retries(&self, process: usize) {
        while !self.is_over() {
            match self.connect(process) {
                Ok((hello, stream)) => {
                    let _ = self.sender.send(Event::Came(Box::new(hello), stream));
                    return;
                }
                Err(HandshakeError::Refused(_, error) | HandshakeError::WrongSecret(error)) => {
                    let _ = self.sender.send(Event::Refused(process, error));
                    return;
                }
                Err(HandshakeError::Broken(error)) => self.set_reason(process, describe_failure(&error)),
            }
            thread::sleep(RETRY_EVERY);
        }
    }

    fn connect(&self, process: usize) -> Result<(Hello, TcpStream), HandshakeError> {
        let stream = TcpStream::connect_timeout(&self.heartbeat.hosts[process].address, CONNECT_TIMEOUT)?;
        // If nobody listens on a local port, a connection to it may get that port as its own end and connect to itself.
        if stream.local_addr()? == stream.peer_addr()? {
            return Err(HandshakeError::Broken(ErrorKind::ConnectionRefused.into()));
        }
        let mine = Hello { nonce: random()?, ..self.hello.clone() };
        let mut timed = Timed::new(&stream)?;
        let hello = initiate(&mut timed, &mine, &self.secret, &self.heartbeat.hosts, process)?;
        Ok((hello, stream))
    }

    /// Accepts connections, each in its own thread: a silent peer delays no other. Their number is bounded.
    fn receive(self, listener: &TcpListener) {
        let most = 2 * self.hello.processes + MAX_STRANGERS;
        let (host, pending) = (Arc::new(self), Arc::new(AtomicUsize::new(0)));
        while !host.is_over() {
            let stream = match pending.load(Ordering::Acquire) < most {
                true => listener.accept().ok(),
                false => None,
            };
            let Some((stream, _)) = stream else {
                thread::sleep(CHECK_EVERY);
                continue;
            };
            let (host, accepting) = (Arc::clone(&host), Arc::clone(&pending));
            pending.fetch_add(1, Ordering::AcqRel);
            let accept = move || {
                host.accept(stream);
                accepting.fetch_sub(1, Ordering::AcqRel);
            };
            // A system without room for a thread closes the connection; the peer tries again.
            if thread::Builder::new().name("handshake".to_owned()).spawn(accept).is_err() {
                pending.fetch_sub(1, Ordering::AcqRel);
            }
        }
    }

    fn accept(&self, stream: TcpStream) {
        let answer = || {
            stream.set_nonblocking(false)?;
            let mine = Hello { nonce: random()?, ..self.hello.clone() };
            respond(&mut Timed::new(&stream)?, &mine, &self.secret, &self.heartbeat.hosts)
        };
        match answer() {
            Ok(hello) if hello.process > self.hello.process => {
                let _ = self.sender.send(Event::Came(Box::new(hello), stream));
            }
            Err(HandshakeError::Refused(process, error)) => {
                let _ = self.sender.send(Event::Refused(process, error));
            }
            // It may have been anyone.
            Err(HandshakeError::WrongSecret(error)) => {
                (self.hello.process + 1..self.hello.processes)
                    .for_each(|one| self.set_reason(one, error.message.clone()));
            }
            Ok(_) | Err(HandshakeError::Broken(_)) => {}
        }
    }
}

/// Describes why the connection to the process failed.
fn describe_failure(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset => {
            "another program listens there".to_owned()
        }
        ErrorKind::WouldBlock | ErrorKind::TimedOut => "no answer".to_owned(),
        _ => error.to_string(),
    }
}

/// A connection on which a handshake must be over in time.
struct Timed<'a> {
    stream: &'a TcpStream,
    end: Instant,
}

impl Timed<'_> {
    fn new(stream: &TcpStream) -> io::Result<Timed<'_>> {
        stream.set_nodelay(true)?;
        Ok(Timed { stream, end: Instant::now() + HANDSHAKE_TIMEOUT })
    }

    fn left(&self) -> io::Result<Option<Duration>> {
        match self.end.saturating_duration_since(Instant::now()) {
            Duration::ZERO => Err(ErrorKind::TimedOut.into()),
            left => Ok(Some(left)),
        }
    }
}

impl Read for Timed<'_> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.stream.set_read_timeout(self.left()?)?;
        self.stream.read(bytes)
    }
}

impl Write for Timed<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.stream.set_write_timeout(self.left()?)?;
        self.stream.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

/// Returns the run that all processes continue, and whether it is new.
///
/// # Errors
/// The checkpoints do not belong together.
pub(super) fn agree_on_run(hellos: &[Hello], heartbeat: &Heartbeat) -> Result<(String, bool), Abort> {
    let begun = |hello: &Hello| hello.run.as_ref().filter(|run| run.1).map(|run| run.0.clone());
    let Some((first, run)) = hellos.iter().find_map(|hello| Some((hello.process, begun(hello)?))) else {
        return Ok((hellos[0].life.clone(), true));
    };
    for hello in hellos {
        let how = match &hello.run {
            Some((other, _)) if *other == run => continue,
            Some(_) => "has the checkpoint of another run than",
            None => "has no checkpoint in its folder, unlike",
        };
        let message = format!("{} {how} {}", heartbeat.name(hello.process), heartbeat.name(first));
        let help = "give the folder of the same run everywhere, or a new one everywhere to explore from the start";
        return Err(Abort::Error(DiskError { message, help: help.to_owned() }));
    }
    Ok((run, false))
}
