//! The server: it checks requests, and answers them.
//!
//! Each connection has a thread of its own, and there is a fixed number of them. If all are taken, the connection that
//! has waited longest to send its request is closed: so clients that are slow, or say nothing, do not stop the others.

use super::folder::{Base, Folder};
use super::http::{self, Refused, Request};
use super::page::{self, Page};
use super::task::{Asked, LINES};
use crate::cli::child::{self, Work};
use parking_lot::{Condvar, Mutex};
use serde_json::{Value, json};
use std::collections::VecDeque;
use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

/// The most connections at once, and the stack of the thread of each.
const MOST_CONNECTIONS: usize = 64;
const STACK: usize = 512 << 10;
/// The most pages that are kept for the frames of the studio, and their bytes together.
const MOST_FRAMES: usize = 24;
const MOST_FRAME_BYTES: usize = 128 << 20;
/// The most bytes of a picture or a page.
const MOST_MADE: usize = 64 << 20;

const JSON: &str = "application/json";

/// The names of this machine in addresses: a page from elsewhere whose name leads here has another.
const HOSTS: [&str; 3] = ["127.0.0.1", "localhost", "[::1]"];

pub(super) struct Server {
    folder: Folder,
    token: String,
    frames: Mutex<VecDeque<(String, &'static str, Vec<u8>)>>,
    waiting: Mutex<Waiting>,
    freed: Condvar,
}

/// The connections.
#[derive(Default)]
struct Waiting {
    open: usize,
    /// The connections that have not sent their requests, the oldest first.
    silent: VecDeque<(u64, TcpStream)>,
    next: u64,
}

impl Server {
    pub fn new(folder: Folder, token: String) -> Server {
        Server { folder, token, frames: Mutex::default(), waiting: Mutex::default(), freed: Condvar::new() }
    }

    /// Answers requests until the program ends.
    pub fn serve(self: &Arc<Server>, listener: &TcpListener) -> ! {
        loop {
            let Ok((stream, _)) = listener.accept() else {
                // No more files can be opened: some connection must end first.
                thread::sleep(Duration::from_millis(20));
                continue;
            };
            let Ok(copy) = stream.try_clone() else { continue };
            let number = self.admit(copy);
            let server = Arc::clone(self);
            let work = move || {
                let left = Left { server: &server, number };
                server.answer(stream, number);
                drop(left);
            };
            if thread::Builder::new().stack_size(STACK).spawn(work).is_err() {
                self.leave(number);
            }
        }
    }

    /// Counts a connection, as soon as there is room for it.
    fn admit(&self, stream: TcpStream) -> u64 {
        let mut waiting = self.waiting.lock();
        while waiting.open >= MOST_CONNECTIONS {
            if let Some((_, oldest)) = waiting.silent.pop_front() {
                let _ = oldest.shutdown(Shutdown::Both);
            }
            self.freed.wait_for(&mut waiting, Duration::from_millis(50));
        }
        waiting.open += 1;
        waiting.next += 1;
        let number = waiting.next;
        waiting.silent.push_back((number, stream));
        number
    }

    fn leave(&self, number: u64) {
        self.has_asked(number);
        self.waiting.lock().open -= 1;
        self.freed.notify_one();
    }

    fn has_asked(&self, number: u64) {
        self.waiting.lock().silent.retain(|(other, _)| *other != number);
    }

    fn answer(&self, mut stream: TcpStream, number: u64) {
        let _ = stream.set_nodelay(true);
        let request = Request::read(&mut stream);
        self.has_asked(number);
        let done = request.and_then(|mut request| self.dispatch(&mut request, &mut stream));
        if let Err(Refused(status, message)) = done {
            let body = json!({ "error": message }).to_string();
            let _ = http::send(&mut stream, status, JSON, body.as_bytes(), "");
        }
    }

    /// Refuses requests that do not come from the page of this studio.
    fn check(&self, request: &Request) -> Result<(), Refused> {
        check_origin(request)?;
        let token = request.header("x-token").or_else(|| request.value("token")).unwrap_or_default();
        let differs = token.bytes().zip(self.token.bytes()).fold(0, |differs, (a, b)| differs | (a ^ b));
        if token.len() != self.token.len() || differs != 0 {
            return Err(Refused::new(403, "the token is missing: open the address that `engine studio` printed"));
        }
        Ok(())
    }

    fn dispatch(&self, request: &mut Request, stream: &mut TcpStream) -> Result<(), Refused> {
        // The name of a frame is a secret of its own: its page must not know the token.
        let frame = request.path.strip_prefix("/frame/").map(str::to_owned);
        if let Some(frame) = frame {
            check_origin(request)?;
            return self.frame(&frame, stream);
        }
        self.check(request)?;
        match (request.method.as_str(), request.path.as_str()) {
            ("GET", "/") => {
                let Page { html, policy } = page::page(&self.folder.root);
                sent(http::send(stream, 200, "text/html; charset=utf-8", html.as_bytes(), &policy))
            }
            ("GET", "/api/file") => {
                let file = self.folder.read(name(request)?)?;
                respond(stream, 200, &json!(file))
            }
            ("GET", "/api/version") => {
                let version = self.folder.version(name(request)?)?;
                respond(stream, 200, &json!({ "version": version }))
            }
            ("PUT", "/api/file") => self.save(request, stream),
            ("POST", path) => match path.strip_prefix("/api/run/").map(str::to_owned) {
                Some(task) => self.run(&task, request, stream),
                None => Err(Refused::new(404, "no such address")),
            },
            ("GET", _) => Err(Refused::new(404, "no such address")),
            _ => Err(Refused::new(405, "no such method")),
        }
    }

    fn frame(&self, name: &str, stream: &mut TcpStream) -> Result<(), Refused> {
        let found =
            self.frames.lock().iter().find(|(other, ..)| other == name).map(|(_, kind, body)| (*kind, body.clone()));
        let (kind, body) = found.ok_or_else(|| Refused::new(404, "this page is gone: make it again"))?;
        let policy = "Content-Security-Policy: sandbox allow-scripts allow-downloads; frame-ancestors 'self'\r\n";
        sent(http::send(stream, 200, kind, &body, policy))
    }

    /// Keeps a page for a frame. Returns its name.
    fn keep(&self, kind: &'static str, body: Vec<u8>) -> Result<String, Refused> {
        let name = super::token().map_err(|error| Refused::new(500, error.to_string()))?;
        let mut frames = self.frames.lock();
        frames.push_back((name.clone(), kind, body));
        let bytes =
            |frames: &VecDeque<(String, &str, Vec<u8>)>| frames.iter().map(|frame| frame.2.len()).sum::<usize>();
        while frames.len() > MOST_FRAMES || (frames.len() > 1 && bytes(&frames) > MOST_FRAME_BYTES) {
            frames.pop_front();
        }
        Ok(name)
    }

    fn save(&self, request: &mut Request, stream: &mut TcpStream) -> Result<(), Refused> {
        let body = request.body(stream)?;
        let name = name(request)?;
        let base = request.value("base").map_or(Base::New, Base::Version);
        match self.folder.write(name, &body, &base)? {
            Some(version) => respond(stream, 200, &json!({ "version": version })),
            None => {
                let now = if self.folder.path(name)?.exists() { Some(self.folder.read(name)?) } else { None };
                respond(stream, 409, &json!({ "error": format!("{name}: was changed elsewhere"), "now": now }))
            }
        }
    }

    /// Runs a task, until it ends or the client goes away. Lines of JSON are passed on as they come, and the last line has
    /// the exit status and the messages. Other output is sent whole, or with `keep` kept for a frame.
    fn run(&self, task: &str, request: &mut Request, stream: &mut TcpStream) -> Result<(), Refused> {
        let input = request.body(stream)?;
        let path = request.value("file").map(|name| self.folder.path(name)).transpose()?;
        let folder = path.as_deref().and_then(std::path::Path::parent).filter(|folder| folder.is_dir());
        let saved = path.as_deref().filter(|path| path.exists()).and_then(|path| path.file_name());
        let saved = saved.map(|name| name.to_string_lossy().into_owned());
        let out = request.value("out").map(|name| self.folder.path(name)).transpose()?;
        if out.as_deref().is_some_and(std::path::Path::exists) {
            return Err(Refused::new(409, "there is such a folder already: choose another name"));
        }
        let asked = Asked::of(task, request, saved.as_deref(), out.as_deref())?;
        let work =
            Work { arguments: &asked.arguments, folder: folder.unwrap_or(&self.folder.root), time: asked.time, input };
        let client = stream.try_clone().map_err(|error| Refused::new(500, error.to_string()))?;
        let is_wanted = |wait| http::is_open(&client, wait);
        let failed = |error: io::Error| Refused::new(500, format!("the work ended: {error}"));
        if asked.kind == LINES {
            sent(http::begin(stream, 200, LINES, None, ""))?;
            let ended = child::run(work, |part| io::Write::write_all(stream, part), is_wanted);
            // After the head there is no other answer: a missing last line means that the work was ended.
            let Ok(ended) = ended else { return Ok(()) };
            let last = format!("{}\n", json!({ "exit": ended.status, "messages": ended.messages }));
            return sent(io::Write::write_all(stream, last.as_bytes()).and_then(|()| http::end(stream)));
        }
        let mut made = Vec::new();
        let take = |part: &[u8]| match made.len() + part.len() <= MOST_MADE {
            true => {
                made.extend_from_slice(part);
                Ok(())
            }
            false => Err(io::Error::other(format!("it makes more than {} MiB", MOST_MADE >> 20))),
        };
        let ended = child::run(work, take, is_wanted).map_err(failed)?;
        if made.is_empty() && (ended.status != Some(0)) {
            let message = if ended.messages.is_empty() { "the work was ended" } else { &ended.messages };
            return Err(Refused::new(422, message));
        }
        if request.value("keep").is_some() {
            let frame = self.keep(asked.kind, made)?;
            return respond(stream, 200, &json!({ "frame": frame, "exit": ended.status, "messages": ended.messages }));
        }
        sent(http::send(stream, 200, asked.kind, &made, ""))
    }
}

/// Counts a connection off, also if its thread panics.
struct Left<'a> {
    server: &'a Server,
    number: u64,
}

impl Drop for Left<'_> {
    fn drop(&mut self) {
        self.server.leave(self.number);
    }
}

/// Refuses requests for other hosts, and those of pages from elsewhere.
fn check_origin(request: &Request) -> Result<(), Refused> {
    let host = request.header("host").unwrap_or_default();
    let name = host.rsplit_once(':').filter(|(_, port)| port.parse::<u16>().is_ok()).map_or(host, |(name, _)| name);
    if !HOSTS.contains(&name) {
        return Err(Refused::new(403, "the studio answers only to 127.0.0.1 and localhost"));
    }
    if request.has("origin") && request.header("origin") != Some(&format!("http://{host}")) {
        return Err(Refused::new(403, "a page from elsewhere must not use the studio"));
    }
    Ok(())
}

/// Returns the name of the file that a request is about.
fn name(request: &Request) -> Result<&str, Refused> {
    request.value("file").ok_or_else(|| Refused::new(400, "missing value `file`"))
}

fn respond(stream: &mut TcpStream, status: u16, value: &Value) -> Result<(), Refused> {
    sent(http::send(stream, status, JSON, value.to_string().as_bytes(), ""))
}

/// Forgets that an answer could not be sent: its reader is gone.
fn sent(result: io::Result<()>) -> Result<(), Refused> {
    drop(result);
    Ok(())
}
