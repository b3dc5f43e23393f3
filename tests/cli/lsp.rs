//! `engine lsp`, spoken to as an editor does.

use crate::support::program::{EIGHT, command, folder};
use crate::support::root;
use serde_json::{Value, json};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

/// The longest time that an answer may take on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

/// An editor with one text.
struct Editor {
    child: Child,
    input: Option<ChildStdin>,
    messages: Receiver<Value>,
    /// Messages that were read while another was waited for.
    kept: Vec<Value>,
    uri: String,
    text: String,
    version: i64,
    requests: i64,
}

impl Editor {
    /// Starts the server, and opens a text.
    fn open(name: &str, file: &str, text: &str) -> Editor {
        let folder = folder(name, &[]);
        let mut child = command(&folder, &["lsp"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .expect("the program runs");
        let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
        let (sender, messages) = channel();
        thread::spawn(move || {
            while let Some(message) = read(&mut output) {
                if sender.send(message).is_err() {
                    break;
                }
            }
        });
        let uri = format!("file://{}/{file}", folder.display());
        let input = child.stdin.take();
        let mut editor = Editor {
            child,
            input,
            messages,
            kept: Vec::new(),
            uri: uri.clone(),
            text: text.to_owned(),
            version: 1,
            requests: 0,
        };
        let capabilities = json!({
            "workspace": { "inlayHint": { "refreshSupport": true } }, "window": { "showDocument": { "support": true } }
        });
        let answer = editor.ask("initialize", json!({ "capabilities": capabilities }));
        assert_eq!(answer["capabilities"]["positionEncoding"], "utf-16");
        editor.notify("initialized", json!({}));
        let document = json!({ "uri": uri, "languageId": "toml", "version": 1, "text": text });
        editor.notify("textDocument/didOpen", json!({ "textDocument": document }));
        editor
    }

    fn send(&mut self, message: &Value) {
        let body = message.to_string();
        self.send_raw(format!("Content-Length: {}\r\n\r\n{body}", body.len()).as_bytes());
    }

    fn send_raw(&mut self, bytes: &[u8]) {
        let input = self.input.as_mut().expect("it is open");
        input.write_all(bytes).and_then(|()| input.flush()).expect("the server reads");
    }

    fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    /// Sends a request, and returns its number.
    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        self.send(&json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        self.requests
    }

    /// Returns the next message that a predicate accepts.
    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        let started = Instant::now();
        loop {
            if let Some(at) = self.kept.iter().position(&is_it) {
                return self.kept.remove(at);
            }
            let message = self.messages.recv_timeout(PATIENCE.saturating_sub(started.elapsed()));
            self.kept.push(message.expect("the server answers"));
        }
    }

    fn response(&mut self, id: i64) -> Value {
        self.wait(|message| message["id"] == id && message.get("method").is_none())
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let answer = self.response(id);
        assert!(answer.get("error").is_none(), "{method}: {answer}");
        answer["result"].clone()
    }

    /// Asks about the place of a part of the text.
    fn ask_at(&mut self, method: &str, part: &str, more: Value) -> Value {
        let mut params = json!({ "textDocument": { "uri": self.uri }, "position": self.place(part) });
        for (key, value) in more.as_object().into_iter().flatten() {
            params[key] = value.clone();
        }
        self.ask(method, params)
    }

    fn ask_of(&mut self, method: &str) -> Value {
        let params = json!({ "textDocument": { "uri": self.uri } });
        self.ask(method, params)
    }

    /// Returns the place right behind a part of the text.
    fn place(&self, part: &str) -> Value {
        let end = self.text.find(part).unwrap_or_else(|| panic!("no {part} in {}", self.text)) + part.len();
        let before = &self.text[..end];
        let line = before.rsplit('\n').next().unwrap_or_default();
        json!({ "line": before.matches('\n').count(), "character": line.encode_utf16().count() })
    }

    /// Returns the diagnostics of the newest version.
    fn diagnostics(&mut self) -> Vec<Value> {
        let version = self.version;
        let is_it = |message: &Value| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
        };
        self.wait(is_it)["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    /// Replaces the first occurrence of a part by a change of its range.
    fn replace(&mut self, part: &str, new: &str) {
        let end = self.place(part);
        let at = self.text.find(part).expect("it is there");
        let start = {
            let line = self.text[..at].rsplit('\n').next().unwrap_or_default();
            json!({ "line": self.text[..at].matches('\n').count(), "character": line.encode_utf16().count() })
        };
        self.text.replace_range(at..at + part.len(), new);
        self.version += 1;
        let change = json!({ "range": { "start": start, "end": end }, "text": new });
        let document = json!({ "uri": self.uri, "version": self.version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": [change] }));
    }

    /// Applies the edits of an answer to the text, without telling the server.
    fn applied(&self, edits: &Value) -> String {
        let offset = |place: &Value| {
            let line = place["line"].as_u64().expect("a line") as usize;
            let start: usize = self.text.split_inclusive('\n').take(line).map(str::len).sum();
            let units = place["character"].as_u64().expect("a column") as usize;
            let mut count = 0;
            let column = self.text[start..].char_indices().find(|(_, letter)| {
                let is_there = count >= units;
                count += letter.len_utf16();
                is_there
            });
            column.map_or(self.text.len(), |(at, _)| start + at)
        };
        let mut edits: Vec<(usize, usize, &str)> = edits
            .as_array()
            .expect("a list of edits")
            .iter()
            .map(|one| {
                let [start, end] = ["start", "end"].map(|end| offset(&one["range"][end]));
                (start, end, one["newText"].as_str().expect("a text"))
            })
            .collect();
        edits.sort_by_key(|(start, ..)| std::cmp::Reverse(*start));
        let mut text = self.text.clone();
        edits.into_iter().for_each(|(start, end, new)| text.replace_range(start..end, new));
        text
    }

    /// Returns the hints of all lines.
    fn hints(&mut self) -> Vec<Value> {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 9999, "character": 0 } });
        let params = json!({ "textDocument": { "uri": self.uri }, "range": range });
        self.ask("textDocument/inlayHint", params).as_array().expect("a list").clone()
    }

    /// Returns the hints once there are some.
    fn known_hints(&mut self) -> Vec<Value> {
        loop {
            let hints = self.hints();
            if !hints.is_empty() {
                return hints;
            }
            self.wait(|message| message["method"] == "workspace/inlayHint/refresh");
        }
    }

    /// Ends the session as editors do; returns the exit status.
    fn close(mut self) -> Option<i32> {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.child.wait().expect("the server ends").code()
    }
}

/// Reads a message of the server.
fn read(output: &mut impl BufRead) -> Option<Value> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        if output.read_line(&mut line).ok()? == 0 {
            return None;
        }
        match line.trim_end().split_once(": ") {
            Some(("Content-Length", value)) => length = value.parse().expect("a number"),
            Some(_) => {}
            None => break,
        }
    }
    let mut body = vec![0; length];
    output.read_exact(&mut body).ok()?;
    Some(serde_json::from_slice(&body).expect("the server sends JSON"))
}

fn puzzle(path: &str) -> String {
    fs::read_to_string(root().join("puzzles").join(path)).expect("a puzzle")
}

#[test]
fn errors_come_while_one_types_and_have_fixes() {
    // Columns count units of UTF-16: the emoji are two each.
    let text = EIGHT.replace("domain = \"sliding-tile\"", "author = '😀ä' # 😀\ndomain = 'sliding-tiel' # 😀");
    let mut editor = Editor::open("lsp-errors", "five.toml", &text);
    let found = editor.diagnostics();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["severity"], &found[0]["source"]), (&json!(1), &json!("engine")));
    assert_eq!(found[0]["range"]["start"], json!({ "line": 2, "character": 9 }));
    assert!(found[0]["message"].as_str().expect("words").contains("did you mean `sliding-tile`?"), "{found:?}");
    let params =
        json!({ "textDocument": { "uri": editor.uri }, "range": found[0]["range"], "context": { "diagnostics": [] } });
    let actions = editor.ask("textDocument/codeAction", params);
    assert_eq!(actions[0]["title"], "Replace `sliding-tiel` by `sliding-tile`");
    let fixed = editor.applied(&actions[0]["edit"]["changes"][&editor.uri]);
    assert_eq!(fixed, text.replace("tiel", "tile"));
    editor.replace("tiel", "tile");
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    editor.replace("😀ä' # 😀\n", "😀' # ä\ndeskription = ''\nautor = ''\n");
    let found = editor.diagnostics();
    assert_eq!(found.len(), 2, "two errors at once: {found:?}");
    editor.replace("deskription", "description");
    editor.replace("autor = ''\n", "");
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    editor.replace("4 1 3", "4 1 3 3");
    assert!(!editor.diagnostics().is_empty());
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn warnings_are_shown_and_line_ends_of_windows_are_read() {
    let text = puzzle("rules/sokoban-two-rooms.toml").replace('\n', "\r\n").replace("..x..", "..y..");
    let mut editor = Editor::open("lsp-warnings", "level.toml", &text);
    let found = editor.diagnostics();
    assert!(found.iter().any(|one| one["severity"] == 2) || found.iter().any(|one| one["severity"] == 1), "{found:?}");
    editor.replace(".....y..", ".....x..");
    editor.replace(".....y..", ".....x..");
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let hover = editor.ask_at("textDocument/hover", "\nmark", json!({}));
    assert!(hover["contents"]["value"].as_str().expect("words").contains("drawing"), "{hover}");
    assert_eq!(hover["range"]["end"]["character"], 5);
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn keys_and_values_are_completed() {
    let text = "title = \"T\"\ndomain = \"klotski\"\nmet\n[search]\nalgorithm = \"a\"\n";
    let mut editor = Editor::open("lsp-completion", "x.toml", text);
    let all = editor.ask_at("textDocument/completion", "\nmet", json!({}));
    let item = |all: &Value, label: &str| {
        all["items"].as_array().expect("a list").iter().find(|one| one["label"] == label).cloned()
    };
    let metric = item(&all, "metric").expect("a key");
    assert_eq!((&metric["textEdit"]["newText"], &metric["kind"]), (&json!("metric = "), &json!(10)));
    assert_eq!(editor.applied(&json!([metric["textEdit"]])), text.replace("\nmet\n", "\nmetric = \n"));
    let all = editor.ask_at("textDocument/completion", "= \"a", json!({}));
    let star = item(&all, "a-star").expect("an algorithm");
    assert_eq!(editor.applied(&json!([star["textEdit"]])), text.replace("\"a\"", "\"a-star\""));
    assert!(star["documentation"]["value"].as_str().expect("words").contains("admissible"), "{star}");
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn symbols_are_renamed_and_drawings_formatted_and_folded() {
    let text = puzzle("rules/sokoban-two-rooms.toml");
    let mut editor = Editor::open("lsp-rename", "level.toml", &text);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let place = editor.ask_at("textDocument/prepareRename", "#...#\n#.", json!({}));
    assert_eq!(place["placeholder"], "$");
    let edit = editor.ask_at("textDocument/rename", "#...#\n#.", json!({ "newName": "B" }));
    let renamed = editor.applied(&edit["changes"][&editor.uri]);
    assert!(!renamed.contains('$') && renamed.contains("from = \"@B.\""), "{renamed}");
    let params =
        json!({ "textDocument": { "uri": editor.uri }, "position": editor.place("#...#\n#."), "newName": "@" });
    let id = editor.request("textDocument/rename", params);
    assert_eq!(editor.response(id)["error"]["code"], -32803, "a man is no box");
    let folds = editor.ask_of("textDocument/foldingRange");
    let start = text.lines().position(|line| line.starts_with("start")).expect("a drawing");
    assert!(folds.as_array().expect("a list").iter().any(|fold| fold["startLine"] == start), "{folds}");
    let symbols = editor.ask_of("textDocument/documentSymbol");
    let names: Vec<&str> = symbols.as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"start") && names.contains(&"rules: walk {direction}"), "{names:?}");
    assert_eq!(editor.ask_of("textDocument/formatting"), json!([]), "it is well laid out");
    editor.replace("#..#...#\n", "#..#...#  \n");
    let edits = editor.ask_of("textDocument/formatting");
    assert_eq!(editor.applied(&edits), text);
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn the_optimum_stands_beside_the_start_and_lenses_run_commands() {
    let mut editor = Editor::open("lsp-optimum", "five.toml", EIGHT);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let hints = editor.known_hints();
    assert_eq!(hints[0]["label"], "optimum 5");
    assert_eq!(hints[0]["position"], json!({ "line": 2, "character": 11 }), "behind `start = \"\"\"`");
    // Other words change nothing about the answer, which is known at once. Requests wait for the analysis of their text.
    editor.replace("Five", "5");
    assert_eq!(editor.hints()[0]["label"], "optimum 5");
    let lenses = editor.ask_of("textDocument/codeLens");
    let titles: Vec<&Value> = lenses.as_array().expect("a list").iter().map(|one| &one["command"]["title"]).collect();
    assert_eq!(titles, ["Solve", "Play", "Explore"]);
    let run = |editor: &mut Editor, number: usize| {
        let command = &lenses[number]["command"];
        let params = json!({ "command": command["command"], "arguments": command["arguments"] });
        editor.ask("workspace/executeCommand", params)
    };
    let solved = run(&mut editor, 0);
    assert_eq!(solved["status"], 0, "{solved}");
    assert!(solved["text"].as_str().expect("words").contains("5 moves"), "{solved}");
    let shown = editor.wait(|message| message["method"] == "window/showMessage");
    assert_eq!(shown["params"]["message"], solved["text"]);
    let page = run(&mut editor, 1);
    let path = page["page"].as_str().expect("a page").trim_start_matches("file://").to_owned();
    assert!(fs::read_to_string(&path).expect("it is written").contains("<html"), "{page}");
    let shown = editor.wait(|message| message["method"] == "window/showDocument");
    assert_eq!((&shown["params"]["uri"], &shown["params"]["external"]), (&page["page"], &json!(true)));
    let id = shown["id"].clone();
    editor.send(&json!({ "jsonrpc": "2.0", "id": id, "result": { "success": true } }));
    editor.replace("0 2 6", "2 0 6");
    editor.replace("\n7 5 8", "\n5 7 8");
    editor.diagnostics();
    let changed = editor.known_hints();
    assert_ne!(changed[0]["label"], "optimum 5");
    assert_eq!(editor.close(), Some(0));
    assert!(!Path::new(&path).exists(), "pages go with the server");
}

#[test]
fn commands_can_be_cancelled() {
    let text = puzzle("gnome-klotski/sunshine.toml");
    let mut editor = Editor::open("lsp-cancel", "long.toml", &text);
    editor.diagnostics();
    let id =
        editor.request("workspace/executeCommand", json!({ "command": "engine.explore", "arguments": [editor.uri] }));
    thread::sleep(Duration::from_millis(300));
    editor.notify("$/cancelRequest", json!({ "id": id }));
    let answer = editor.response(id);
    assert_eq!(answer["error"]["code"], -32800, "{answer}");
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn games_and_collections_are_served_too() {
    let game = puzzle("puzzlescript/crates.txt");
    let mut editor = Editor::open("lsp-game", "crates.txt", &game);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let hover = editor.ask_at("textDocument/hover", "\nCrate", json!({}));
    assert!(hover["contents"]["value"].as_str().expect("words").starts_with("object `Crate`"), "{hover}");
    editor.replace("# = Wall", "# = Wal");
    let found = editor.diagnostics();
    let wrong =
        found.iter().find(|one| one["message"].as_str().is_some_and(|words| words.contains("did you mean `wall`?")));
    let params = json!({ "textDocument": { "uri": editor.uri }, "range": wrong.expect("an error")["range"] });
    let actions = editor.ask("textDocument/codeAction", params);
    assert_eq!(editor.applied(&actions[0]["edit"]["changes"][&editor.uri]), game.replace("# = Wall", "# = wall"));
    assert_eq!(editor.close(), Some(0));

    let levels = "; 1\n\n#####\n#@$.#\n#####\n\n; 2\n\n######\n#@ $.#\n######\n";
    let mut editor = Editor::open("lsp-levels", "levels.sok", levels);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    let lenses = editor.ask_of("textDocument/codeLens");
    assert_eq!(lenses.as_array().map(Vec::len), Some(6));
    assert_eq!(lenses[3]["command"]["arguments"], json!([editor.uri, 2]));
    while editor.hints().len() < 2 {
        editor.wait(|message| message["method"] == "workspace/inlayHint/refresh");
    }
    assert!(editor.hints().iter().all(|hint| hint["label"] == "optimum 1"));
    editor.replace("#@ $.#", "#@ $ #");
    assert!(!editor.diagnostics().is_empty());
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn mistakes_of_a_client_are_answered_and_end_nothing() {
    let mut editor = Editor::open("lsp-mistakes", "five.toml", EIGHT);
    editor.send_raw(b"Content-Length: 5\r\n\r\n{\"a\":");
    assert_eq!(
        editor.wait(|message| message["id"].is_null() && message.get("error").is_some())["error"]["code"],
        -32700
    );
    editor.send_raw(b"Content-Length: many\r\n\r\n");
    assert_eq!(
        editor.wait(|message| message["id"].is_null() && message.get("error").is_some())["error"]["code"],
        -32700
    );
    editor.send(&json!([1, 2]));
    assert_eq!(
        editor.wait(|message| message["id"].is_null() && message.get("error").is_some())["error"]["code"],
        -32600
    );
    for (method, params, code) in [
        ("workspace/nothing", json!({}), -32601),
        ("textDocument/hover", json!({ "textDocument": { "uri": "file:///nowhere" } }), -32602),
        ("textDocument/hover", json!(7), -32602),
        ("workspace/executeCommand", json!({ "command": "rm" }), -32602),
        ("workspace/executeCommand", json!({ "command": "engine.solve", "arguments": [] }), -32602),
    ] {
        let id = editor.request(method, params);
        assert_eq!(editor.response(id)["error"]["code"], code, "{method}");
    }
    editor.notify(
        "textDocument/didChange",
        json!({ "textDocument": { "uri": "file:///nowhere" }, "contentChanges": [{ "text": "" }] }),
    );
    editor.notify("textDocument/didChange", json!({ "contentChanges": 7 }));
    editor.notify("$/unknown", Value::Null);
    let far = json!({ "line": 4_000_000_000_u64, "character": -1 });
    let params = json!({ "textDocument": { "uri": editor.uri }, "position": far });
    editor.ask("textDocument/hover", params);
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn requests_before_initialize_and_after_shutdown_are_refused() {
    let folder = folder("lsp-order", &[]);
    let input = |messages: &[Value]| -> Vec<u8> {
        let framed = messages.iter().map(|message| {
            let body = message.to_string();
            format!("Content-Length: {}\r\n\r\n{body}", body.len())
        });
        framed.collect::<String>().into_bytes()
    };
    let run = |messages: &[Value]| {
        let mut child = command(&folder, &["lsp", "--stdio"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("a pipe").write_all(&input(messages)).expect("the server reads");
        let output = child.wait_with_output().expect("the server ends");
        let mut all = BufReader::new(&output.stdout[..]);
        (output.status.code(), std::iter::from_fn(|| read(&mut all)).collect::<Vec<Value>>())
    };
    let request = |id: i64, method: &str| json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": {} });
    let exit = json!({ "jsonrpc": "2.0", "method": "exit" });
    let (status, answers) = run(&[request(1, "textDocument/hover"), exit.clone()]);
    assert_eq!((status, &answers[0]["error"]["code"]), (Some(1), &json!(-32002)));
    let (status, answers) =
        run(&[request(1, "initialize"), request(2, "shutdown"), request(3, "textDocument/hover"), exit]);
    assert_eq!((status, &answers[2]["error"]["code"]), (Some(0), &json!(-32600)));
    assert_eq!(run(&[]).0, Some(1), "the editor is gone");
    assert_eq!(run(&[request(1, "initialize")]).0, Some(1));
}

/// A puzzle whose search takes all memory and time that it may: the server lives on, and answers in between.
#[test]
fn a_bomb_that_is_typed_in_ends_by_its_limits() {
    let rule = |name: usize| format!("[[rules]]\nname = \"r{name}\"\nfrom = \"a.\"\nto = \".a\"\nturns = true\n");
    let board = format!("{}\n", "a.".repeat(40)).repeat(60);
    let bomb = format!(
        "title = \"Bomb\"\ndomain = \"rules\"\nstart = '''\n{board}'''\ngoal = '''\n{}'''\n{}",
        format!("{}\n", ".a".repeat(40)).repeat(60),
        (0..20).map(rule).collect::<String>()
    );
    let mut editor = Editor::open("lsp-bomb", "five.toml", EIGHT);
    editor.diagnostics();
    let whole = editor.text.clone();
    editor.replace(&whole, &bomb);
    let _ = editor.hints();
    let started = Instant::now();
    editor.ask_of("textDocument/codeLens");
    assert!(started.elapsed() < Duration::from_secs(10), "the loop does not wait");
    let whole = editor.text.clone();
    editor.replace(&whole, EIGHT);
    assert_eq!(editor.diagnostics(), [] as [Value; 0]);
    assert_eq!(editor.known_hints()[0]["label"], "optimum 5");
    assert_eq!(editor.close(), Some(0));
}

#[test]
fn a_long_text_is_edited_at_its_end() {
    let level =
        |number: usize| format!("; {number}\n\n#######\n#@ $ .#\n#  {}  #\n#######\n\n", ["#", " ", "$"][number % 3]);
    let text: String = (0..2000).map(level).collect();
    let mut editor = Editor::open("lsp-long", "long.sok", &(text + "#####\n#@$.#\n#####\n"));
    let before = editor.diagnostics().len();
    assert!(before > 0, "boxes without goals");
    editor.replace("#@$.#\n", "#@$ #\n");
    assert_eq!(editor.diagnostics().len().min(1000), (before + 1).min(1000));
    assert_eq!(editor.close(), Some(0));
}
