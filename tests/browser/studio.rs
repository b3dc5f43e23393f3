//! The studio in the browser, driven by the browser's own protocol over a pipe: real keys and clicks.

use crate::support::program::{EIGHT, command, folder};
use libtest_mimic::Failed;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The longest time that something may take to appear.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser with one page.
pub(super) struct Browser {
    child: Child,
    to: File,
    from: BufReader<File>,
    session: Value,
    number: u64,
}

impl Browser {
    pub fn start(program: &Path, folder: &Path) -> Result<Browser, Failed> {
        let [to, from] = ["to", "from"].map(|name| folder.join(name));
        Command::new("mkfifo").args([&to, &from]).status()?;
        let script = "exec \"$0\" --headless=new --no-sandbox --disable-gpu --window-size=1400,900 \
                      --user-data-dir=\"$3\" --remote-debugging-pipe about:blank 3<\"$1\" 4>\"$2\"";
        let child = Command::new("sh")
            .args(["-c", script])
            .arg(program)
            .args([&to, &from])
            .arg(folder.join("profile"))
            .stderr(Stdio::null())
            .spawn()?;
        let to = File::options().write(true).open(&to)?;
        let from = BufReader::new(File::open(&from)?);
        let mut browser = Browser { child, to, from, session: Value::Null, number: 0 };
        let targets = browser.call("Target.getTargets", json!({}))?;
        let is_page = |target: &&Value| target["type"] == "page";
        let page = targets["targetInfos"].as_array().and_then(|all| all.iter().find(is_page)).ok_or("no page")?;
        let attached =
            browser.call("Target.attachToTarget", json!({ "targetId": page["targetId"], "flatten": true }))?;
        browser.session = attached["sessionId"].clone();
        Ok(browser)
    }

    pub fn call(&mut self, method: &str, params: Value) -> Result<Value, Failed> {
        self.number += 1;
        let mut message = json!({ "id": self.number, "method": method, "params": params });
        if !self.session.is_null() {
            message["sessionId"] = self.session.clone();
        }
        self.to.write_all(format!("{message}\0").as_bytes())?;
        loop {
            let mut bytes = Vec::new();
            if self.from.read_until(0, &mut bytes)? == 0 {
                return Err("the browser has ended".into());
            }
            let answer: Value = serde_json::from_slice(&bytes[..bytes.len() - 1])?;
            if answer["id"] == self.number {
                return Ok(answer["result"].clone());
            }
        }
    }

    /// Evaluates a script in the page.
    pub fn value(&mut self, script: &str) -> Result<Value, Failed> {
        let answer = self.call("Runtime.evaluate", json!({ "expression": script, "returnByValue": true }))?;
        if answer["exceptionDetails"].is_object() {
            return Err(answer["exceptionDetails"].to_string().into());
        }
        Ok(answer["result"]["value"].clone())
    }

    pub fn wait(&mut self, condition: &str) -> Result<(), Failed> {
        let started = Instant::now();
        while self.value(condition)? != true {
            if started.elapsed() > PATIENCE {
                let page = self.value("document.body.innerText")?;
                return Err(format!("it does not come to this: {condition}\n{page}").into());
            }
            sleep(Duration::from_millis(50));
        }
        Ok(())
    }

    /// Clicks the middle of the element.
    pub fn click(&mut self, element: &str) -> Result<(), Failed> {
        let middle = format!(
            "(() => {{ const box = document.querySelector('{element}').getBoundingClientRect(); \
             return [box.x + box.width / 2, box.y + box.height / 2]; }})()"
        );
        let middle = self.value(&middle)?;
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({ "type": kind, "x": middle[0], "y": middle[1], "button": "left", "clickCount": 1 });
            self.call("Input.dispatchMouseEvent", event)?;
        }
        Ok(())
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Ends the studio with the test.
pub(super) struct Studio(pub Child);

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Whether the answer of the page begins with a text.
pub(super) fn says(answer: &str) -> String {
    format!("document.getElementById('outcome').textContent.startsWith('{answer}')")
}

pub fn studio_solves_mends_and_paints(program: Option<PathBuf>) -> Result<(), Failed> {
    let program = program.ok_or("Chromium not found: set CHROMIUM to its path")?;
    let folder = folder("browser-studio", &[("five.toml", EIGHT)]);
    let mut child = command(&folder, &["studio", ".", "--no-open"]).stdout(Stdio::piped()).spawn()?;
    let mut address = String::new();
    BufReader::new(child.stdout.take().ok_or("a pipe")?).read_line(&mut address)?;
    let _studio = Studio(child);
    let mut browser = Browser::start(&program, &folder)?;
    browser.call("Page.navigate", json!({ "url": address.trim() }))?;
    browser.wait("document.querySelectorAll('#list button').length === 1")?;
    browser.click("#list button")?;
    browser.wait(&says("Optimum 5, proven"))?;
    browser.wait("document.querySelector('#playFrame iframe') !== null")?;
    browser.click("#forth")?;
    browser.wait("document.getElementById('step').textContent.startsWith('1 of 5')")?;
    // A mistake, and its mending.
    browser
        .value("document.getElementById('text').focus(); document.getElementById('text').setSelectionRange(0, 0)")?;
    browser.call("Input.insertText", json!({ "text": "domian = 3\n" }))?;
    browser.wait(&says("1 error"))?;
    browser.wait("document.querySelector('#paint u.error')?.textContent === 'domian'")?;
    browser.value("document.execCommand('undo')")?;
    browser.wait(&says("Optimum 5, proven"))?;
    // Painting, and the same undo.
    browser.click("#tab-draw")?;
    browser.wait("document.querySelectorAll('#cells button').length === 9")?;
    browser.value("[...document.querySelectorAll('#palette button')].find(one => one.textContent === '1').click()")?;
    browser.click("#cells button")?;
    browser.wait("document.getElementById('text').value.includes('1 4 3\\n0 2 6')")?;
    browser.wait("!document.getElementById('outcome').textContent.startsWith('Optimum 5')")?;
    browser.click("#panel-draw .bar button")?;
    browser.wait(&says("Optimum 5, proven"))?;
    let text = browser.value("document.getElementById('text').value")?;
    assert_eq!(text, EIGHT);
    // Another program changes the file: what one has not changed is read again.
    fs::write(folder.join("five.toml"), format!("# theirs\n{EIGHT}"))?;
    browser.wait("document.getElementById('text').value.startsWith('# theirs')")?;
    // The page fits a phone.
    let phone = json!({ "width": 360, "height": 740, "deviceScaleFactor": 1, "mobile": true });
    browser.call("Emulation.setDeviceMetricsOverride", phone)?;
    browser.wait("document.documentElement.scrollWidth <= 360")?;
    Ok(())
}
