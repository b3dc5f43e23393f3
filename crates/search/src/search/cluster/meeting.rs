//! The rendezvous of all processes: each listens on its own address, connects twice to every process with a lower
//! number, and performs the handshakes. It listens on no other address, and every wait has a timeout.

use super::greeting::{Channel, Hello, Unmet, answer, greet, random};
use super::pulse::Pulse;
use crate::search::disk::{DiskError, Stop};
use crate::search::limits::{self, Limit};
use parking_lot::Mutex;
use std::collections::BTreeMap;
use std::io::{self, ErrorKind};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The timeout of a handshake.
const GREETING: Duration = Duration::from_secs(5);
const CONNECTING: Duration = Duration::from_secs(2);
const RETRY_EVERY: Duration = Duration::from_millis(100);
const LOOK_EVERY: Duration = Duration::from_millis(10);
/// After the rendezvous has failed, keep accepting late peers for this long, so that they receive the reason instead of
/// timing out.
const FAREWELL: Duration = Duration::from_secs(2);

/// The result of a rendezvous.
pub(super) struct Met {
    /// By process, the connections for states; none to this one.
    pub streams: Vec<Option<TcpStream>>,
    /// The hello of each process, including this one.
    pub hellos: Vec<Hello>,
}

/// An event that a rendezvous thread reports.
enum News {
    Came(Box<Hello>, TcpStream),
    /// This process will not take part.
    Refused(usize, DiskError),
}

/// By process, the reason why it is not connected yet.
type Excuses = Arc<Mutex<BTreeMap<usize, String>>>;

/// Waits until all processes are connected.
///
/// # Errors
/// A process is missing after the timeout, or runs another exploration; or a limit of this process.
pub(super) fn meet(
    mine: &Hello,
    secret: &[u8],
    pulse: &Arc<Pulse>,
    patience: Duration,
    stop: &limits::Stop,
) -> Result<Met, Stop> {
    let (me, all) = (mine.process, mine.processes);
    let end = Instant::now() + patience;
    let (tell, news) = channel();
    let excuses = Excuses::default();
    let here = pulse.hosts[me].address;
    let listener = TcpListener::bind(here).and_then(|listener| listener.set_nonblocking(true).map(|()| listener));
    let listener = listener.map_err(|error| {
        Stop::Trouble(DiskError {
            message: format!("cannot listen on {}, the address of process {me}: {error}", pulse.hosts[me]),
            help: "each process needs an address of the machine that it runs on, and a port that is free".to_owned(),
        })
    })?;
    let over = Arc::new(AtomicBool::new(false));
    for process in 0..me {
        for channel in [Channel::Control, Channel::States] {
            let guest = Guest {
                hello: Hello { channel, ..mine.clone() },
                secret: secret.to_vec(),
                pulse: Arc::clone(pulse),
                tell: tell.clone(),
                excuses: Arc::clone(&excuses),
                over: Arc::clone(&over),
            };
            thread::spawn(move || guest.visit(process));
        }
    }
    let host = Guest {
        hello: mine.clone(),
        secret: secret.to_vec(),
        pulse: Arc::clone(pulse),
        tell,
        excuses: Arc::clone(&excuses),
        over: Arc::clone(&over),
    };
    // The last process listens too, although none connects to it: another one may have the same number by mistake.
    thread::spawn(move || host.receive(&listener));
    let mut hellos = vec![None; all];
    hellos[me] = Some(mine.clone());
    let (streams, controls, refused) = ((0..all).map(|_| None).collect(), vec![false; all], vec![false; all]);
    let gathering = Gathering { mine, pulse, patience, hellos, streams, controls, refused, failing: None };
    let met = gathering.gather(&news, end, stop, &excuses);
    over.store(true, Ordering::Release);
    met
}

/// The processes connected so far.
struct Gathering<'a> {
    mine: &'a Hello,
    pulse: &'a Arc<Pulse>,
    patience: Duration,
    hellos: Vec<Option<Hello>>,
    streams: Vec<Option<TcpStream>>,
    controls: Vec<bool>,
    /// Processes that will not take part.
    refused: Vec<bool>,
    /// The time when the rendezvous failed.
    failing: Option<Instant>,
}

impl Gathering<'_> {
    /// Handles events until all processes are connected.
    fn gather(
        mut self,
        news: &Receiver<News>,
        end: Instant,
        stop: &limits::Stop,
        excuses: &Excuses,
    ) -> Result<Met, Stop> {
        loop {
            let missing = (0..self.mine.processes).find(|&process| self.misses(process));
            let limit = stop.now();
            match (self.failing(), missing) {
                (None, None) => break,
                (None, Some(missing)) => match limit {
                    Some(limit) => self.pulse.halt.set(Stop::Limit(limit), None),
                    None if Instant::now() >= end => return Err(self.gone_without(missing, excuses)),
                    None => {}
                },
                (Some(since), Some(_)) if since.elapsed() <= FAREWELL && limit != Some(Limit::Interrupt) => {}
                (Some(_), _) => return Err(self.pulse.halt.stop()),
            }
            match news.recv_timeout(LOOK_EVERY) {
                Ok(News::Came(hello, stream)) => self.receive(*hello, stream)?,
                Ok(News::Refused(process, error)) => self.refuse(process, error),
                Err(_) => {}
            }
        }
        Ok(Met { streams: self.streams, hellos: self.hellos.into_iter().flatten().collect() })
    }

    /// Returns the time when the rendezvous failed, if it did. Connected peers receive the reason at once. Late peers
    /// are accepted for a while, since they would otherwise wait for this process without knowing why it ended.
    fn failing(&mut self) -> Option<Instant> {
        if self.failing.is_none() && self.pulse.halt.is_set() {
            self.failing = Some(Instant::now());
            self.say_why();
        }
        self.failing
    }

    fn say_why(&self) {
        if let Some(cause) = self.pulse.halt.cause() {
            self.pulse.say_why(self.mine.process, &cause);
        }
    }

    fn misses(&self, process: usize) -> bool {
        let is_met = self.controls[process] && self.streams[process].is_some();
        process != self.mine.process && !self.refused[process] && !is_met
    }

    fn gone_without(&self, missing: usize, excuses: &Excuses) -> Stop {
        let excuses = excuses.lock();
        let why = excuses.get(&missing).map_or_else(String::new, |why| format!(": {why}"));
        let patience = humantime::format_duration(self.patience);
        Stop::Trouble(DiskError {
            message: format!("{} is not there after {patience}{why}", self.pulse.name(missing)),
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
        self.pulse.halt.set(Stop::Trouble(error), None);
    }

    fn receive(&mut self, hello: Hello, stream: TcpStream) -> Result<(), Stop> {
        let (process, pulse) = (hello.process, self.pulse);
        let is_twice = match hello.channel {
            Channel::Control => self.controls[process],
            Channel::States => self.streams[process].is_some(),
        };
        if is_twice || self.hellos[process].as_ref().is_some_and(|known| known.life != hello.life) {
            let message = format!("{} has come twice", pulse.name(process));
            let help = "each process needs its own number, and is started once: end all of them, and start again";
            self.refuse(process, DiskError { message, help: help.to_owned() });
            return Ok(());
        }
        let broken = |error: io::Error| {
            let message = format!("{}: its connection broke: {error}", pulse.name(process));
            Stop::Trouble(DiskError { message, help: "start all of them again".to_owned() })
        };
        match hello.channel {
            Channel::Control => {
                pulse.join(process, stream, hello.patience).map_err(broken)?;
                self.controls[process] = true;
                if self.failing.is_some() {
                    self.say_why();
                }
            }
            Channel::States => {
                stream.set_read_timeout(None).and_then(|()| stream.set_write_timeout(None)).map_err(broken)?;
                pulse.carry(process, stream.try_clone().map_err(broken)?);
                self.streams[process] = Some(stream);
            }
        }
        self.hellos[process] = Some(hello);
        Ok(())
    }
}

/// The data of a rendezvous thread.
struct Guest {
    hello: Hello,
    secret: Vec<u8>,
    pulse: Arc<Pulse>,
    tell: Sender<News>,
    excuses: Excuses,
    over: Arc<AtomicBool>,
}

impl Guest {
    fn is_over(&self) -> bool {
        self.over.load(Ordering::Acquire)
    }

    fn excuse(&self, process: usize, why: String) {
        self.excuses.lock().insert(process, why);
    }

    /// Connects to a process, with retries until it is there.
    fn visit(&self, process: usize) {
        while !self.is_over() {
            match self.connect(process) {
                Ok((hello, stream)) => {
                    let _ = self.tell.send(News::Came(Box::new(hello), stream));
                    return;
                }
                Err(Unmet::Refused(_, error) | Unmet::Stranger(error)) => {
                    let _ = self.tell.send(News::Refused(process, error));
                    return;
                }
                Err(Unmet::Broken(error)) => self.excuse(process, excuse_for(&error)),
            }
            thread::sleep(RETRY_EVERY);
        }
    }

    fn connect(&self, process: usize) -> Result<(Hello, TcpStream), Unmet> {
        let mut stream = TcpStream::connect_timeout(&self.pulse.hosts[process].address, CONNECTING)?;
        // If nobody listens on a local port, a connection to it may get that port as its own end and connect to itself.
        if stream.local_addr()? == stream.peer_addr()? {
            return Err(Unmet::Broken(ErrorKind::ConnectionRefused.into()));
        }
        polite(&stream)?;
        let mine = Hello { nonce: random()?, ..self.hello.clone() };
        let hello = greet(&mut stream, &mine, &self.secret, &self.pulse.hosts, process)?;
        Ok((hello, stream))
    }

    /// Accepts connections, each in its own thread: a silent peer delays no other.
    fn receive(self, listener: &TcpListener) {
        let host = Arc::new(self);
        while !host.is_over() {
            match listener.accept() {
                Ok((stream, _)) => {
                    let host = Arc::clone(&host);
                    thread::spawn(move || host.welcome(stream));
                }
                Err(_) => thread::sleep(LOOK_EVERY),
            }
        }
    }

    fn welcome(&self, mut stream: TcpStream) {
        let answered =
            stream.set_nonblocking(false).and_then(|()| polite(&stream)).map_err(Unmet::from).and_then(|()| {
                let mine = Hello { nonce: random()?, ..self.hello.clone() };
                answer(&mut stream, &mine, &self.secret, &self.pulse.hosts)
            });
        match answered {
            Ok(hello) if hello.process > self.hello.process => {
                let _ = self.tell.send(News::Came(Box::new(hello), stream));
            }
            Err(Unmet::Refused(process, error)) => {
                let _ = self.tell.send(News::Refused(process, error));
            }
            // It may have been anyone.
            Err(Unmet::Stranger(error)) => {
                (self.hello.process + 1..self.hello.processes).for_each(|one| self.excuse(one, error.message.clone()));
            }
            Ok(_) | Err(Unmet::Broken(_)) => {}
        }
    }
}

/// Describes why the connection to the process failed.
fn excuse_for(error: &io::Error) -> String {
    match error.kind() {
        ErrorKind::InvalidData | ErrorKind::UnexpectedEof | ErrorKind::ConnectionReset => {
            "what listens there is none of ours".to_owned()
        }
        ErrorKind::WouldBlock | ErrorKind::TimedOut => "nothing there answers".to_owned(),
        _ => error.to_string(),
    }
}

fn polite(stream: &TcpStream) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_read_timeout(Some(GREETING))?;
    stream.set_write_timeout(Some(GREETING))
}

/// Returns the run that all processes continue, and whether it is new.
///
/// # Errors
/// The checkpoints do not belong together.
pub(super) fn agree(hellos: &[Hello], pulse: &Pulse) -> Result<(String, bool), Stop> {
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
        let message = format!("{} {how} {}", pulse.name(hello.process), pulse.name(first));
        let help = "name the folder of the same run everywhere, or a new one everywhere to explore from the start";
        return Err(Stop::Trouble(DiskError { message, help: help.to_owned() }));
    }
    Ok((run, false))
}
