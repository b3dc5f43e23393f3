//! The state of a session: the open texts, what is known about them, and what is being done. Each event leads to messages,
//! and nothing here waits.

use super::answers;
use super::document::{Document, key, position};
use super::events::{Event, Order, Output, Question};
use super::work::{self, COMMANDS};
use crate::analysis::{Analysis, offset_of};
use crate::cli::{Status, child};
use crate::diagnostic::SourceText;
use rustc_hash::{FxHashMap, FxHashSet};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::thread;

// Errors of the protocol.
const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;
const METHOD_NOT_FOUND: i64 = -32601;
const INVALID_PARAMS: i64 = -32602;
const NOT_INITIALIZED: i64 = -32002;
const REQUEST_FAILED: i64 = -32803;
const CANCELLED: i64 = -32800;

/// The most levels whose optima are found at once: those on the screen.
const MOST_HINTS: usize = 50;

/// The most optima that are remembered.
const MOST_KNOWN: usize = 10_000;

/// A session.
pub(super) struct Server {
    out: Vec<Value>,
    documents: BTreeMap<String, Document>,
    orders: Sender<Order>,
    questions: Sender<Question>,
    events: Sender<Event>,
    /// The results of searches, by the puzzles' [`key`]s.
    optima: FxHashMap<u64, Option<String>>,
    asked: FxHashSet<u64>,
    running: Vec<(Value, Arc<AtomicBool>)>,
    is_initialized: bool,
    is_shut_down: bool,
    /// The editor can be asked to show hints anew, and to show a page.
    refreshes: bool,
    shows_pages: bool,
    /// The editor itself shows the results of commands.
    shows_results: bool,
    requests: u64,
}

/// An answer to a request, or the code and the message of an error.
pub(super) type Answer = Result<Value, (i64, String)>;

impl Server {
    pub fn new(orders: Sender<Order>, questions: Sender<Question>, events: Sender<Event>) -> Server {
        Server {
            out: Vec::new(),
            documents: BTreeMap::new(),
            orders,
            questions,
            events,
            optima: FxHashMap::default(),
            asked: FxHashSet::default(),
            running: Vec::new(),
            is_initialized: false,
            is_shut_down: false,
            refreshes: false,
            shows_pages: false,
            shows_results: false,
            requests: 0,
        }
    }

    /// Takes out the messages to send.
    pub fn messages(&mut self) -> Vec<Value> {
        std::mem::take(&mut self.out)
    }

    /// Stops all work.
    pub fn end(&mut self, status: Status) -> Status {
        self.documents.values().for_each(|document| document.stop.store(true, Ordering::Relaxed));
        self.running.iter().for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
        child::end_all();
        work::clean_up();
        status
    }

    /// Takes an event. Returns the exit status if it ends the session.
    pub fn take(&mut self, event: Event) -> Option<Status> {
        match event {
            Event::Message(message) => return self.message(&message),
            Event::Bad(what) => self.respond(&Value::Null, Err((PARSE_ERROR, what))),
            Event::Closed => return Some(if self.is_shut_down { Status::Good } else { Status::No }),
            Event::Analysed(uri, analysis) => self.analysed(&uri, analysis),
            Event::Solved(key, label) => {
                if self.optima.len() >= MOST_KNOWN {
                    self.optima.clear();
                }
                self.asked.remove(&key);
                self.optima.insert(key, label);
                if self.refreshes {
                    self.request("workspace/inlayHint/refresh", Value::Null);
                }
            }
            Event::Done(id, done) => self.done(&id, done),
        }
        None
    }

    fn message(&mut self, message: &Value) -> Option<Status> {
        let id = message.get("id");
        let Some(method) = message["method"].as_str() else {
            // Responses to requests of the server need no answer.
            if id.is_none() || message.get("result").is_none() && message.get("error").is_none() {
                self.respond(
                    id.unwrap_or(&Value::Null),
                    Err((INVALID_REQUEST, "the message has no method".to_owned())),
                );
            }
            return None;
        };
        let params = &message["params"];
        match (method, id) {
            ("exit", _) => return Some(if self.is_shut_down { Status::Good } else { Status::No }),
            (_, Some(id)) if self.is_shut_down => {
                self.respond(id, Err((INVALID_REQUEST, "the server is shut down".to_owned())));
            }
            ("initialize", Some(id)) => {
                let answer = self.initialize(params);
                self.respond(id, Ok(answer));
            }
            (_, Some(id)) if !self.is_initialized => {
                self.respond(id, Err((NOT_INITIALIZED, "the first request is `initialize`".to_owned())));
            }
            ("shutdown", Some(id)) => {
                self.is_shut_down = true;
                self.respond(id, Ok(Value::Null));
            }
            ("workspace/executeCommand", Some(id)) => {
                if let Err(error) = self.execute(id, params) {
                    self.respond(id, Err(error));
                }
            }
            (method, Some(id)) => {
                let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
                match self.documents.get_mut(uri).filter(|one| one.current().is_none() && answers::waits(method)) {
                    Some(document) => document.waiting.push((id.clone(), method.to_owned(), params.clone())),
                    None => {
                        let answer = self.answer(method, params);
                        self.respond(id, answer);
                    }
                }
            }
            (method, None) if self.is_initialized => self.notified(method, params),
            (_, None) => {}
        }
        None
    }

    fn initialize(&mut self, params: &Value) -> Value {
        self.is_initialized = true;
        self.refreshes = params["capabilities"]["workspace"]["inlayHint"]["refreshSupport"] == true;
        self.shows_pages = params["capabilities"]["window"]["showDocument"]["support"] == true;
        self.shows_results = params["initializationOptions"]["showsResults"] == true;
        let commands: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
        json!({
            "serverInfo": { "name": "engine", "version": env!("CARGO_PKG_VERSION") },
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": { "openClose": true, "change": 2 },
                "completionProvider": { "triggerCharacters": ["[", "\"", "'", "="] },
                "hoverProvider": true,
                "codeActionProvider": { "codeActionKinds": ["quickfix"] },
                "codeLensProvider": {},
                "inlayHintProvider": true,
                "renameProvider": { "prepareProvider": true },
                "foldingRangeProvider": true,
                "documentFormattingProvider": true,
                "documentSymbolProvider": true,
                "executeCommandProvider": { "commands": commands },
            },
        })
    }

    fn answer(&mut self, method: &str, params: &Value) -> Answer {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default();
        if !answers::METHODS.contains(&method) {
            return Err((METHOD_NOT_FOUND, format!("unknown method `{method}`")));
        }
        if method == "textDocument/inlayHint" {
            let Some(document) = self.documents.get_mut(uri) else { return Ok(json!([])) };
            let line = |end: &str| params["range"][end]["line"].as_u64().map_or(usize::MAX, |line| line as usize);
            document.hinted = Some(line("start")..line("end").saturating_add(1));
            self.ask(uri);
        }
        let document = self.documents.get(uri);
        let document = document.ok_or_else(|| (INVALID_PARAMS, format!("the text `{uri}` is not open")))?;
        answers::answer(&self.optima, document, uri, method, params).map_err(|message| (REQUEST_FAILED, message))
    }

    fn notified(&mut self, method: &str, params: &Value) {
        let uri = params["textDocument"]["uri"].as_str().unwrap_or_default().to_owned();
        let version = params["textDocument"]["version"].clone();
        match method {
            "textDocument/didOpen" => {
                let document = &params["textDocument"];
                let path = work::path_of(&uri, document["languageId"].as_str().unwrap_or_default());
                let text = document["text"].as_str().unwrap_or_default().into();
                let new = Document {
                    path,
                    text,
                    version,
                    analysis: None,
                    stop: Arc::default(),
                    hinted: None,
                    waiting: Vec::new(),
                };
                self.documents.insert(uri.clone(), new);
                self.order(&uri);
            }
            "textDocument/didChange" => {
                let Some(document) = self.documents.get_mut(&uri) else { return };
                let changes = params["contentChanges"].as_array().into_iter().flatten();
                document.text = changes.fold(document.text.clone(), |text, change| changed(&text, change));
                document.version = version;
                self.order(&uri);
            }
            "textDocument/didClose" => {
                let Some(document) = self.documents.remove(&uri) else { return };
                document.stop.store(true, Ordering::Relaxed);
                let waiting = document.waiting.iter();
                waiting.for_each(|(id, ..)| self.respond(id, Err((CANCELLED, "the text was closed".to_owned()))));
                let _ =
                    self.orders.send(Order { uri: uri.clone(), path: document.path, text: None, stop: Arc::default() });
                self.notify("textDocument/publishDiagnostics", json!({ "uri": uri, "diagnostics": [] }));
            }
            "$/cancelRequest" => {
                let running = self.running.iter().filter(|(id, _)| *id == params["id"]);
                running.for_each(|(_, stop)| stop.store(true, Ordering::Relaxed));
                let waiting =
                    self.documents.values_mut().flat_map(|one| one.waiting.extract_if(.., |one| one.0 == params["id"]));
                let waiting: Vec<Value> = waiting.map(|(id, ..)| id).collect();
                waiting.iter().for_each(|id| self.respond(id, Err((CANCELLED, "stopped".to_owned()))));
            }
            _ => {}
        }
    }

    /// Has a text analysed.
    fn order(&mut self, uri: &str) {
        let Some(document) = self.documents.get_mut(uri) else { return };
        document.stop.store(true, Ordering::Relaxed);
        document.stop = Arc::default();
        // Searches for texts that are gone have stopped without a word.
        self.asked.clear();
        let (path, text, stop) = (document.path.clone(), Some(document.text.clone()), Arc::clone(&document.stop));
        let _ = self.orders.send(Order { uri: uri.to_owned(), path, text, stop });
    }

    fn analysed(&mut self, uri: &str, analysis: Arc<Analysis>) {
        let Some(document) = self.documents.get_mut(uri).filter(|document| document.text == analysis.text) else {
            return;
        };
        let diagnostics = answers::diagnostics(&analysis);
        let mut params = json!({ "uri": uri, "diagnostics": diagnostics });
        if document.version.is_number() {
            params["version"] = document.version.clone();
        }
        document.analysis = Some(analysis);
        let waiting = std::mem::take(&mut document.waiting);
        self.notify("textDocument/publishDiagnostics", params);
        self.ask(uri);
        for (id, method, params) in waiting {
            let answer = self.answer(&method, &params);
            self.respond(&id, answer);
        }
    }

    /// Has the optima found that the editor wants to show.
    fn ask(&mut self, uri: &str) {
        let Some(document) = self.documents.get(uri) else { return };
        let (Some(analysis), Some(lines)) = (document.current(), &document.hinted) else { return };
        let shown = answers::shown(analysis, lines).filter(|level| level.is_valid).take(MOST_HINTS);
        for level in shown {
            let key = key(analysis, level.number, &level.span);
            if !self.optima.contains_key(&key) && self.asked.insert(key) {
                let (analysis, stop) = (Arc::clone(analysis), Arc::clone(&document.stop));
                let _ = self.questions.send(Question { key, analysis, level: level.number, stop });
            }
        }
    }

    /// Starts a command.
    fn execute(&mut self, id: &Value, params: &Value) -> Result<(), (i64, String)> {
        let name = params["command"].as_str().unwrap_or_default();
        let (name, _) = COMMANDS
            .into_iter()
            .find(|(known, _)| *known == name)
            .ok_or_else(|| (INVALID_PARAMS, format!("unknown command `{name}`")))?;
        let uri = params["arguments"][0].as_str().unwrap_or_default();
        let document =
            self.documents.get(uri).ok_or_else(|| (INVALID_PARAMS, format!("the text `{uri}` is not open")))?;
        let level = params["arguments"][1].as_u64().map(|level| level as usize);
        let (path, text, kind) = (document.path.clone(), document.text.clone(), document.kind());
        let analysis = Analysis { path, text, kind, diagnostics: Vec::new(), levels: Vec::new(), limit: None };
        let stop: Arc<AtomicBool> = Arc::default();
        let (events, id) = (self.events.clone(), id.clone());
        self.running.push((id.clone(), Arc::clone(&stop)));
        thread::spawn(move || _ = events.send(Event::Done(id, work::command(name, &analysis, level, &stop))));
        Ok(())
    }

    /// Answers the request whose command ended.
    fn done(&mut self, id: &Value, done: Option<(Output, Option<PathBuf>)>) {
        let stopped = self.running.iter().any(|(known, stop)| known == id && stop.load(Ordering::Relaxed));
        self.running.retain(|(known, _)| known != id);
        let Some((output, page)) = done else {
            let error =
                if stopped { (CANCELLED, "stopped") } else { (REQUEST_FAILED, "the program cannot be started") };
            return self.respond(id, Err((error.0, error.1.to_owned())));
        };
        let text = [output.text, output.errors].concat();
        let page = page.map(|page| work::uri_of(&page));
        if !self.shows_results {
            match &page {
                Some(page) if self.shows_pages => {
                    self.request("window/showDocument", json!({ "uri": page, "external": true }));
                }
                Some(page) => {
                    self.notify("window/showMessage", json!({ "type": 3, "message": format!("open {page}") }))
                }
                None => self.notify("window/showMessage", json!({ "type": 3, "message": text })),
            }
        }
        self.respond(id, Ok(json!({ "status": output.status, "text": text, "page": page })));
    }

    fn respond(&mut self, id: &Value, answer: Answer) {
        self.out.push(match answer {
            Ok(result) => json!({ "jsonrpc": "2.0", "id": id, "result": result }),
            Err((code, message)) => {
                json!({ "jsonrpc": "2.0", "id": id, "error": { "code": code, "message": message } })
            }
        });
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.out.push(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn request(&mut self, method: &str, params: Value) {
        self.requests += 1;
        let mut message = json!({ "jsonrpc": "2.0", "id": format!("engine-{}", self.requests), "method": method });
        if !params.is_null() {
            message["params"] = params;
        }
        self.out.push(message);
    }
}

/// Returns a text after a change: of a range, or of all.
fn changed(text: &SourceText, change: &Value) -> SourceText {
    let new = change["text"].as_str().unwrap_or_default();
    let Some(range) = change.get("range").filter(|range| range.is_object()) else { return new.into() };
    let at = |end: &str| offset_of(text, position(&range[end]));
    let (start, end) = (at("start"), at("end"));
    let mut whole = String::from(text.clone());
    whole.replace_range(start..end.max(start), new);
    whole.into()
}
