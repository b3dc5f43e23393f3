//! A browser driven by its own protocol over a pipe, with real keys and clicks, and a studio to open in it.

use crate::support::program::{command, folder};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The longest time that something may take to appear.
const PATIENCE: Duration = Duration::from_secs(60);
/// Keys that are not letters: their codes and numbers.
const KEYS: [(&str, &str, u32); 9] = [
    ("Tab", "Tab", 9),
    ("Enter", "Enter", 13),
    ("Escape", "Escape", 27),
    (" ", "Space", 32),
    ("ArrowLeft", "ArrowLeft", 37),
    ("ArrowUp", "ArrowUp", 38),
    ("ArrowRight", "ArrowRight", 39),
    ("ArrowDown", "ArrowDown", 40),
    ("s", "KeyS", 83),
];
/// Keeps frames without an origin in the process of their page, so that tests can look into them.
const TOGETHER: &str = "--disable-features=IsolateSandboxedIframes";
/// The bit of the protocol for the key Control.
pub const CONTROL: u32 = 2;

/// A studio that runs on a folder of its own, and a browser with its page.
pub struct Desk {
    browser: Browser,
    _studio: Studio,
    pub folder: PathBuf,
    pub address: String,
}

struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    /// The pages, and which of them is driven.
    sessions: Vec<Value>,
    page: usize,
    number: u64,
    events: Vec<Value>,
}

/// Ends the studio with the test.
struct Studio(Child);

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Browser {
    fn start(program: &Path, folder: &Path, option: &str) -> Result<Browser, Failed> {
        let [to, from] = ["to", "from"].map(|name| folder.join(name));
        Command::new("mkfifo").args([&to, &from]).status()?;
        let script = "exec \"$0\" --headless=new --no-sandbox --disable-gpu --window-size=1400,900 --disable-dev-shm-usage \
                      --user-data-dir=\"$3\" --remote-debugging-pipe ${4:+\"$4\"} about:blank 3<\"$1\" 4>\"$2\"";
        let child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .args([&to, &from])
            .arg(folder.join("profile"))
            .arg(option)
            .stderr(Stdio::null())
            .spawn()?;
        let to = File::options().write(true).open(&to)?;
        let from = BufReader::new(File::open(&from)?);
        let mut browser = Browser { child, to, from, sessions: vec![], page: 0, number: 0, events: vec![] };
        let targets = browser.call("Target.getTargets", json!({}))?;
        let is_page = |target: &&Value| target["type"] == "page";
        let page = targets["targetInfos"].as_array().and_then(|all| all.iter().find(is_page)).ok_or("no page")?;
        browser.attach(&page["targetId"].clone())?;
        Ok(browser)
    }

    fn attach(&mut self, target: &Value) -> Result<(), Failed> {
        let attached = self.send("Target.attachToTarget", json!({ "targetId": target, "flatten": true }), None)?;
        self.page = self.sessions.len();
        self.sessions.push(attached["result"]["sessionId"].clone());
        self.call("Page.enable", json!({}))?;
        Ok(())
    }

    fn send(&mut self, method: &str, params: Value, session: Option<Value>) -> Result<Value, Failed> {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if let Some(session) = session {
            message["sessionId"] = session;
        }
        self.to.write_all(format!("{message}\0").as_bytes())?;
        loop {
            let mut bytes = Vec::new();
            if self.from.read_until(0, &mut bytes)? == 0 {
                return Err("the browser has ended".into());
            }
            let answer: Value = serde_json::from_slice(&bytes[..bytes.len() - 1])?;
            if answer["id"] == self.number {
                return Ok(answer);
            }
            if answer["id"].is_null() {
                self.events.push(answer);
            }
        }
    }

    fn call(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        let answer = self.send(method, params, self.sessions.get(self.page).cloned())?;
        if answer["error"].is_object() {
            return Err(format!("{method}: {}", answer["error"]).into());
        }
        Ok(answer["result"].clone())
    }
}

impl Desk {
    /// Starts a studio on a new folder with these files, and opens it.
    pub fn open(program: Option<PathBuf>, test: &str, files: &[(&str, &str)]) -> Result<Desk, Failed> {
        Desk::start(program, test, files, TOGETHER)
    }

    /// Starts a studio on an empty folder, and opens it in a browser as people have it, where the board to play is a process
    /// of its own.
    pub fn apart(program: Option<PathBuf>, test: &str) -> Result<Desk, Failed> {
        Desk::start(program, test, &[], "")
    }

    fn start(program: Option<PathBuf>, test: &str, files: &[(&str, &str)], option: &str) -> Result<Desk, Failed> {
        let program = program.ok_or("Chromium not found: set CHROMIUM to its path")?;
        let at = folder(&format!("studio-{test}"), &[]);
        let puzzles = folder(&format!("studio-{test}/puzzles"), files);
        let mut child = command(&puzzles, &["studio", ".", "--no-open"]).stdout(Stdio::piped()).spawn()?;
        let mut address = String::new();
        BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut address)?;
        let studio = Studio(child);
        let browser = Browser::start(&program, &at, option)?;
        let mut desk = Desk { browser, _studio: studio, folder: puzzles, address: address.trim().to_owned() };
        desk.visit(&desk.address.clone())?;
        desk.wait(&format!("document.querySelectorAll('#list button').length === {}", files.len()))?;
        Ok(desk)
    }

    /// Opens the studio, and the only puzzle of its folder.
    pub fn with(program: Option<PathBuf>, test: &str, puzzle: &str) -> Result<Desk, Failed> {
        let mut desk = Desk::open(program, test, &[("puzzle.toml", puzzle)])?;
        desk.click("#list button")?;
        Ok(desk)
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        self.browser.call(method, params)
    }

    pub fn visit(&mut self, address: &str) -> Result<(), Failed> {
        self.call("Page.navigate", json!({ "url": address }))?;
        self.wait("document.readyState === 'complete' && location.href !== 'about:blank'")
    }

    /// Opens a second page, and drives it from now on.
    pub fn second(&mut self, address: &str) -> Result<(), Failed> {
        let made = self.call("Target.createTarget", json!({ "url": address, "newWindow": true }))?;
        self.browser.attach(&made["targetId"])
    }

    /// Drives another page.
    pub fn turn_to(&mut self, page: usize) -> Result<(), Failed> {
        self.browser.page = page;
        self.call("Page.bringToFront", json!({})).map(drop)
    }

    /// Evaluates a script in the page.
    pub fn value(&mut self, script: &str) -> Result<Value, Failed> {
        self.evaluate(json!({ "expression": script, "returnByValue": true, "awaitPromise": true }))
    }

    fn evaluate(&mut self, asked: Value) -> Result<Value, Failed> {
        let answer = self.call("Runtime.evaluate", asked)?;
        if answer["exceptionDetails"].is_object() {
            return Err(answer["exceptionDetails"].to_string().into());
        }
        Ok(answer["result"]["value"].clone())
    }

    /// Waits until a condition holds in the page.
    pub fn wait(&mut self, condition: &str) -> Result<(), Failed> {
        self.obtain(&format!("Boolean({condition})")).map(drop)
    }

    /// Waits until an expression has a value that is true in the page, and returns it. The page itself looks again and again
    /// for a second; then it is asked anew, since it may be another page by then.
    fn obtain(&mut self, expression: &str) -> Result<Value, Failed> {
        let script = format!(
            "new Promise(done => {{ let left = 50; const look = () => {{ let found = null; \
             try {{ found = {expression}; }} catch {{ found = null; }} \
             if (found || --left === 0) done(found || null); else setTimeout(look, 20); }}; look(); }})"
        );
        let started = Instant::now();
        loop {
            if let Some(found) = self.value(&script).ok().filter(|found| !found.is_null()) {
                return Ok(found);
            }
            if started.elapsed() > PATIENCE {
                let page = self.value("document.body.innerText")?;
                return Err(format!("it does not come to this: {expression}\n{page}").into());
            }
        }
    }

    /// Waits until a condition holds in the page of the frame that is shown, which has an origin of its own.
    pub fn wait_in_frame(&mut self, condition: &str) -> Result<(), Failed> {
        let started = Instant::now();
        loop {
            let tree = self.call("Page.getFrameTree", json!({}))?;
            let frame = &tree["frameTree"]["childFrames"][0]["frame"]["id"];
            let world = self.call("Page.createIsolatedWorld", json!({ "frameId": frame }));
            let script = json!({ "expression": format!("Boolean({condition})"), "returnByValue": true,
                "contextId": world.ok().map(|world| world["executionContextId"].clone()) });
            if self.evaluate(script).ok() == Some(Value::Bool(true)) {
                return Ok(());
            }
            if started.elapsed() > PATIENCE {
                return Err(format!("the frame does not come to this: {condition}").into());
            }
            // The browser has time to go on.
            self.value("new Promise(done => setTimeout(done, 20))")?;
        }
    }

    /// Clicks the middle of an element.
    pub fn click(&mut self, element: &str) -> Result<(), Failed> {
        self.click_what(&format!("document.querySelector(`{element}`)"))
    }

    /// Clicks a button with this text, of those within an element.
    pub fn press(&mut self, within: &str, label: &str) -> Result<(), Failed> {
        self.click_what(&format!(
            "[...document.querySelectorAll(`{within} button`)].find(one => one.textContent.trim() === `{label}` \
             && one.getClientRects().length)"
        ))
    }

    /// Clicks the middle of the element that an expression finds as soon as it is shown. It is found and measured in one
    /// step: the page may put another in its place at any time.
    fn click_what(&mut self, find: &str) -> Result<(), Failed> {
        let middle = self.obtain(&format!(
            "(it => {{ if (!it?.getClientRects().length) return null; it.scrollIntoView({{ block: 'nearest' }}); \
             const box = it.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; }})({find})"
        ))?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }

    /// Presses a key.
    pub fn key(&mut self, key: &str, modifiers: u32) -> Result<(), Failed> {
        let known = KEYS.iter().find(|(name, ..)| *name == key);
        let (code, number) = known.map_or((key, 0), |&(_, code, number)| (code, number));
        let text = match key {
            "Enter" => "\r",
            key if key.chars().count() == 1 && modifiers == 0 => key,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let mut event = json!({ "type": kind, "key": key, "code": code, "windowsVirtualKeyCode": number,
                "modifiers": modifiers });
            if kind == "keyDown" && !text.is_empty() {
                event["text"] = text.into();
            }
            self.call("Input.dispatchKeyEvent", event)?;
        }
        Ok(())
    }

    /// Writes into what has the focus.
    pub fn write(&mut self, text: &str) -> Result<(), Failed> {
        self.call("Input.insertText", json!({ "text": text })).map(drop)
    }

    /// Selects a part of the text, counted as scripts do.
    pub fn select(&mut self, from: usize, to: usize) -> Result<(), Failed> {
        let script = format!(
            "document.getElementById('text').focus(); document.getElementById('text').setSelectionRange({from}, {to})"
        );
        self.value(&script).map(drop)
    }

    /// Replaces all of the text.
    pub fn rewrite(&mut self, text: &str) -> Result<(), Failed> {
        self.value("document.getElementById('text').focus(); document.getElementById('text').select()")?;
        self.write(text)
    }

    pub fn text(&mut self) -> Result<String, Failed> {
        let text = self.value("document.getElementById('text').value")?;
        Ok(text.as_str().ok_or("a text")?.to_owned())
    }

    /// Waits until the answer begins with a text.
    pub fn says(&mut self, answer: &str) -> Result<(), Failed> {
        self.wait(&format!("document.getElementById('outcome').textContent.startsWith(`{answer}`)"))
    }

    /// Opens a dialog by its button, fills a field of it in, and leaves it by another button.
    pub fn dialog(&mut self, opener: &str, field: &str, value: &str, button: &str) -> Result<(), Failed> {
        self.click(opener)?;
        let find = format!("document.querySelector('#dialog[open] {field}')");
        self.wait(&format!("{find} !== null"))?;
        self.value(&format!("{find}.value = {}", json!(value)))?;
        self.press("#dialog", button)
    }

    /// Begins a puzzle of a kind.
    pub fn begin(&mut self, kind: &str) -> Result<(), Failed> {
        self.dialog("#new", "#kind", kind, "Begin")
    }

    /// Opens a text.
    pub fn paste(&mut self, text: &str) -> Result<(), Failed> {
        self.dialog("#open", "#pasted", text, "Open")
    }

    /// Exports the puzzle, or makes its link.
    pub fn export(&mut self, what: &str) -> Result<(), Failed> {
        self.dialog("#export", "#what", what, "Export")
    }

    /// Returns the link with the puzzle, from the dialog that shows it, and leaves that.
    pub fn link(&mut self) -> Result<String, Failed> {
        self.export("link")?;
        self.wait("document.querySelector('#dialog[open] textarea')?.value.startsWith('#puzzle=') === true")?;
        let link = self.value("document.querySelector('#dialog textarea').value")?;
        self.press("#dialog", "Cancel")?;
        Ok(link.as_str().ok_or("a link")?.to_owned())
    }

    /// Turns to a level of a collection.
    pub fn level(&mut self, number: usize) -> Result<(), Failed> {
        self.wait(&format!("document.getElementById('level').options.length >= {number}"))?;
        self.value(&format!(
            "document.getElementById('level').value = {number}; \
             document.getElementById('level').dispatchEvent(new Event('change'))"
        ))
        .map(drop)
    }

    /// Saves downloads to a folder.
    pub fn downloads(&mut self) -> Result<PathBuf, Failed> {
        let folder = self.folder.with_file_name("downloads");
        fs::create_dir_all(&folder)?;
        let behaviour = json!({ "behavior": "allow", "downloadPath": folder, "eventsEnabled": true });
        self.browser.send("Browser.setDownloadBehavior", behaviour, None)?;
        Ok(folder)
    }

    /// Waits until the next download has ended.
    pub fn downloaded(&mut self) -> Result<(), Failed> {
        let started = Instant::now();
        loop {
            let ended = |event: &Value| {
                event["method"] == "Browser.downloadProgress" && event["params"]["state"] == "completed"
            };
            if let Some(at) = self.browser.events.iter().position(ended) {
                self.browser.events.drain(..=at);
                return Ok(());
            }
            if started.elapsed() > PATIENCE {
                return Err(format!("nothing is downloaded: {:?}", self.browser.events).into());
            }
            self.value("new Promise(done => setTimeout(done, 20))")?;
        }
    }

    /// The size of the screen.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), Failed> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600 });
        self.call("Emulation.setDeviceMetricsOverride", size).map(drop)
    }

    /// Whether the browser prefers dark pages.
    pub fn darken(&mut self, dark: bool) -> Result<(), Failed> {
        let value = if dark { "dark" } else { "light" };
        let media = json!({ "features": [{ "name": "prefers-color-scheme", "value": value }] });
        self.call("Emulation.setEmulatedMedia", media).map(drop)
    }
}
