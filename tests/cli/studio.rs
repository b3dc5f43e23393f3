//! `engine studio`: the guard of its server, the files that it reads and writes, and hostile clients.

use crate::support::program::{EIGHT, command, folder, run};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A studio that runs, on a folder of its own.
struct Studio {
    child: Child,
    folder: PathBuf,
    host: String,
    token: String,
}

impl Studio {
    fn start(test: &str, files: &[(&str, &str)]) -> Studio {
        let folder = folder(test, files);
        let mut child =
            command(&folder, &["studio", ".", "--no-open"]).stdout(Stdio::piped()).spawn().expect("it runs");
        let mut line = String::new();
        BufReader::new(child.stdout.take().expect("a pipe")).read_line(&mut line).expect("it prints its address");
        let (host, token) =
            line.trim().strip_prefix("http://").and_then(|rest| rest.split_once("/?token=")).expect(&line);
        assert!(host.starts_with("127.0.0.1:") && token.len() == 32, "{line}");
        Studio { host: host.to_owned(), token: token.to_owned(), child, folder }
    }

    fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(&self.host).expect("it listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        stream
    }

    /// Sends the lines of a head and a body. Returns the status and the body of the answer.
    fn send(&self, head: &str, body: &[u8]) -> (u16, String) {
        let mut stream = self.connect();
        let length = format!("Content-Length: {}\r\n\r\n", body.len());
        stream.write_all(format!("{head}\r\n{length}").as_bytes()).expect("it reads");
        // A server that refuses a body may not read all of it.
        let _ = stream.write_all(body);
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        let answer = String::from_utf8_lossy(&answer).into_owned();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap_or((&answer, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect(head);
        (status, body.to_owned())
    }

    /// Asks as the page does.
    fn ask(&self, method: &str, target: &str, body: &[u8]) -> (u16, String) {
        let Studio { host, token, .. } = self;
        let head = format!("{method} {target} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nX-Token: {token}");
        self.send(&head, body)
    }
}

impl Drop for Studio {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn lines(body: &str) -> Vec<Value> {
    body.lines().map(|line| serde_json::from_str(line).expect(line)).collect()
}

#[test]
fn studio_answers_its_own_page_alone() {
    let studio = Studio::start("studio-guard", &[("five.toml", EIGHT)]);
    let (host, token) = (&studio.host, &studio.token);
    let get = |more: &str| studio.send(&format!("GET /api/file?file=five.toml HTTP/1.1\r\n{more}"), b"").0;
    assert_eq!(get(&format!("Host: {host}\r\nX-Token: {token}")), 200);
    assert_eq!(get(&format!("Host: localhost:9\r\nX-Token: {token}")), 200, "a tunnel may end at another port");
    assert_eq!(get(&format!("Host: {host}")), 403, "no token");
    assert_eq!(get(&format!("Host: {host}\r\nX-Token: {}", "0".repeat(32))), 403, "a wrong token");
    assert_eq!(get(&format!("Host: puzzles.example\r\nX-Token: {token}")), 403, "another host");
    assert_eq!(get(&format!("X-Token: {token}")), 403, "no host");
    assert_eq!(get(&format!("Host: {host}\r\nHost: {host}\r\nX-Token: {token}")), 403, "two hosts");
    for origin in ["http://puzzles.example", "null", "https://127.0.0.1"] {
        assert_eq!(get(&format!("Host: {host}\r\nOrigin: {origin}\r\nX-Token: {token}")), 403, "{origin}");
    }
    let (status, page) = studio.send(&format!("GET /?token={token} HTTP/1.1\r\nHost: {host}"), b"");
    assert_eq!(status, 200);
    assert!(page.contains("<textarea id=\"text\"") && !page.contains(token), "the page does not quote its token");
    assert_eq!(studio.send("nonsense", b"").0, 400);
    assert_eq!(studio.ask("DELETE", "/api/file?file=five.toml", b"").0, 405);
    assert_eq!(studio.ask("POST", "/api/run/format-disk", b"").0, 404);
    assert_eq!(studio.ask("POST", "/api/run/search?search=--output", b"").0, 400, "no options through values");
}

#[test]
fn files_are_read_and_written_below_the_folder_alone() {
    let studio = Studio::start("studio-files/inner", &[("five.toml", EIGHT)]);
    let outside = studio.folder.join("../outside.toml");
    fs::write(&outside, "secret").expect("a file");
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("../outside.toml", studio.folder.join("link.toml")).expect("a link");
        std::os::unix::fs::symlink("..", studio.folder.join("up")).expect("a link");
    }
    let names =
        ["../outside.toml", "%2e%2e/outside.toml", "/etc/passwd", "link.toml", "up/outside.toml", "up/new.toml", ""];
    for name in names {
        let target = format!("/api/file?file={name}");
        let (status, body) = studio.ask("GET", &target, b"");
        assert!(matches!(status, 403 | 404) && !body.contains("secret"), "{name}: {status} {body}");
        let (status, _) = studio.ask("PUT", &target, b"changed");
        assert_eq!(status, 403, "{name}");
        let (status, _) = studio.ask("POST", &format!("/api/run/check?file={name}"), EIGHT.as_bytes());
        assert_eq!(status, 403, "{name}");
    }
    assert_eq!(studio.ask("PUT", "/api/file?file=.hidden/new.toml", b"changed").0, 403);
    assert_eq!(fs::read_to_string(&outside).expect("it is there"), "secret");
    assert!(!studio.folder.join("../new.toml").exists());
}

#[test]
fn a_file_that_was_changed_elsewhere_is_not_overwritten() {
    let studio = Studio::start("studio-changed", &[("five.toml", EIGHT)]);
    let file = studio.folder.join("five.toml");
    let (_, body) = studio.ask("GET", "/api/file?file=five.toml", b"");
    let version = lines(&body)[0]["version"].as_str().expect("a version").to_owned();
    let target = format!("/api/file?file=five.toml&base={version}");
    fs::write(&file, "title = 'theirs'\n").expect("another program writes");
    let (status, body) = studio.ask("PUT", &target, b"mine");
    assert_eq!(status, 409);
    let now = &lines(&body)[0]["now"];
    assert_eq!(now["text"], "title = 'theirs'\n");
    let target = format!("/api/file?file=five.toml&base={}", now["version"].as_str().expect("a version"));
    assert_eq!(studio.ask("PUT", &target, b"mine").0, 200);
    assert_eq!(fs::read_to_string(&file).expect("it is there"), "mine");
    assert_eq!(studio.ask("PUT", "/api/file?file=five.toml", b"new").0, 409, "a new file replaces none");
    assert_eq!(studio.ask("PUT", "/api/file?file=more/six.toml", EIGHT.as_bytes()).0, 200);
    assert_eq!(fs::read_to_string(studio.folder.join("more/six.toml")).expect("it is there"), EIGHT);
}

#[test]
fn tasks_are_commands_on_the_text_of_the_editor() {
    let studio = Studio::start("studio-tasks", &[("five.toml", EIGHT)]);
    let run = |task: &str, text: &str| lines(&studio.ask("POST", &format!("/api/run/{task}"), text.as_bytes()).1);
    let mut solved = run("solve?file=five.toml", EIGHT);
    // A search that takes a while reports its progress before.
    solved.retain(|line| line.get("progress").is_none());
    assert_eq!((&solved[0]["cost"], &solved[0]["optimal"], &solved[1]["exit"]), (&5.into(), &true.into(), &0.into()));
    let checked = run("check", &EIGHT.replace("domain", "domian"));
    assert_eq!((&checked[0]["ok"], &checked[0]["errors"][0]["line"]), (&false.into(), &2.into()));
    let text = format!("# a comment\n{EIGHT}");
    let asked = |set: Value| serde_json::json!({ "text": text, "set": set }).to_string();
    let canvas = &run("canvas", &asked(serde_json::json!([])))[0];
    assert_eq!((&canvas["sheets"][0]["rows"], &canvas["text"]), (&3.into(), &text.as_str().into()));
    let symbols = canvas["sheets"][0]["symbols"].as_array().expect("symbols");
    let five = symbols.iter().position(|symbol| symbol["text"] == "5").expect("a tile");
    let painted = &run("canvas", &asked(serde_json::json!([[0, 0, five]])))[0];
    let new = painted["text"].as_str().expect("a text");
    assert!(new.starts_with("# a comment\n") && new.contains("\n5 1 3\n0 2 6\n7 4 8\n"), "{new}");
    let offers = run("complete", &serde_json::json!({ "text": "title = \"x\"\ndom", "at": 15 }).to_string());
    assert!(offers[0].as_array().expect("offers").iter().any(|offer| offer["label"] == "domain"), "{}", offers[0]);
    let (status, page) = studio.ask("POST", "/api/run/draw?keep=1", EIGHT.as_bytes());
    assert_eq!(status, 200, "{page}");
    let frame = lines(&page)[0]["frame"].as_str().expect("a frame").to_owned();
    let (status, page) = studio.send(&format!("GET /frame/{frame} HTTP/1.1\r\nHost: {}", studio.host), b"");
    assert!(status == 200 && page.contains("id=\"board\""));
}

#[test]
fn drawings_are_changed_as_a_whole_and_edits_come_one_by_one() {
    let game = "OBJECTS\n\nBackground\nblack\n\nPlayer\nblue\n\nLEGEND\n\n. = Background\nP = Player\n\nSOUNDS\n\nCOLLISIONLAYERS\n\n\
                Background\nPlayer\n\nRULES\n\nWINCONDITIONS\n\nLEVELS\n\nP..\n";
    let studio =
        Studio::start("studio-drawings", &[("five.toml", EIGHT), ("game.txt", game), ("notes.txt", "notes\n")]);
    let run = |task: &str, text: &str| lines(&studio.ask("POST", &format!("/api/run/{task}"), text.as_bytes()).1);
    let asked = |text: &str, changes: Value| serde_json::json!({ "text": text, "changes": changes }).to_string();
    let mirrored = &run("canvas", &asked(EIGHT, serde_json::json!(["mirror"])))[0];
    assert!(mirrored["text"].as_str().expect("a text").contains("\n3 1 4\n"), "{mirrored}");
    let moved = &run("canvas", &asked(EIGHT, serde_json::json!([{ "move": [0, 0, 1] }])))[0];
    assert!(moved["text"].as_str().expect("a text").contains("\n1 4 3\n"), "{moved}");
    // A drawing that is invalid is shown with the symbols that were known.
    let lost = EIGHT.replace('1', "2");
    let known = serde_json::json!({ "text": lost, "known": mirrored["sheets"] }).to_string();
    let shown = &run("canvas", &known)[0];
    assert_eq!(shown["sheets"][0]["symbols"].as_array().map(Vec::len), Some(9), "{shown}");
    let refused = run("canvas", &asked(EIGHT, serde_json::json!([{ "move": [0, 0, 99] }])));
    assert!(refused[0]["messages"].as_str().expect("a message").contains("no such cell"), "{refused:?}");
    let listed: Vec<String> = run("list", "").iter().filter_map(|row| Some(row["file"].as_str()?.to_owned())).collect();
    assert_eq!(listed.len(), 2, "a game is listed by its content, notes are not: {listed:?}");
    let edits = run("edits", EIGHT);
    let (events, all) = (edits.iter().filter(|line| line.get("edit").is_some()).count(), &edits[edits.len() - 2]);
    assert_eq!(Some(events), all["edits"].as_array().map(Vec::len), "each edit comes once before all of them");
    // Explorations report how far they are: the states of the 15-puzzle are too many for a second.
    let many = "title = \"x\"\ndomain = \"sliding-tile\"\nstart = \"1 2 3 4\\n5 6 7 8\\n9 10 11 12\\n13 15 14 0\"\n";
    let explored = run("explore?time=1", many);
    let expanded: Vec<u64> =
        explored.iter().filter_map(|line| line.get("progress").and(line["expanded"].as_u64())).collect();
    assert!(expanded.len() > 1 && expanded.is_sorted() && expanded.last() > Some(&0), "{expanded:?}");
    assert_eq!(explored[explored.len() - 2]["limit"], "time");
}

#[test]
fn bodies_have_at_most_16_mebibytes() {
    let studio = Studio::start("studio-bodies", &[]);
    let body = vec![b' '; (16 << 20) + 1];
    let (status, answer) = studio.ask("PUT", "/api/file?file=new.toml", &body);
    assert!(status == 413 && answer.contains("16 MiB"), "{status} {answer}");
    assert!(!studio.folder.join("new.toml").exists());
    assert_eq!(studio.ask("PUT", "/api/file?file=new.toml", &body[1..]).0, 200);
}

#[test]
fn silent_and_slow_clients_do_not_stop_the_studio() {
    let studio = Studio::start("studio-slow", &[("five.toml", EIGHT)]);
    allow_open_files(1200);
    let silent: Vec<TcpStream> = (0..1000).map(|_| studio.connect()).collect();
    if let Some(threads) = threads(studio.child.id()) {
        assert!(threads < 100, "a thousand connections have {threads} threads");
    }
    let mut half = studio.connect();
    half.write_all(b"GET / HTTP/1.1\r\nHost:").expect("it reads");
    // It never reads the page that it asks for.
    let mut deaf = studio.connect();
    let head = format!("GET /?token={} HTTP/1.1\r\nHost: {}\r\n\r\n", studio.token, studio.host);
    deaf.write_all(head.as_bytes()).expect("it reads");
    let started = Instant::now();
    assert_eq!(studio.ask("GET", "/api/file?file=five.toml", b"").0, 200);
    assert!(started.elapsed() < Duration::from_secs(30), "{:?}", started.elapsed());
    drop((silent, half, deaf));
}

/// Raises the number of files that this process may open.
fn allow_open_files(number: u64) {
    #[cfg(unix)]
    {
        use rustix::process::{Resource, getrlimit, setrlimit};
        let mut limit = getrlimit(Resource::Nofile);
        if limit.current.is_some_and(|current| current < number) {
            limit.current = Some(number);
            setrlimit(Resource::Nofile, limit).expect("the limit of this process can be raised");
        }
    }
}

/// Returns the number of threads of a process; `None` where the system does not report it.
fn threads(process: u32) -> Option<usize> {
    Some(fs::read_dir(format!("/proc/{process}/task")).ok()?.count())
}

/// Clients that ask for a long answer and never read it do not stop others, and their work ends.
#[test]
fn clients_that_never_read_their_answers_have_their_work_ended() {
    let studio = Studio::start("studio-deaf", &[]);
    // The answer has the text, which is too long for the buffers of a connection.
    let text = EIGHT.replace("Five", &"x".repeat(12 << 20));
    let body = serde_json::json!({ "text": text }).to_string();
    let head = format!(
        "POST /api/run/canvas HTTP/1.1\r\nHost: {}\r\nX-Token: {}\r\nContent-Length: {}\r\n\r\n",
        studio.host,
        studio.token,
        body.len()
    );
    let deaf = [(); 4].map(|()| {
        let mut stream = studio.connect();
        stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(body.as_bytes())).expect("it reads");
        stream
    });
    wait_for_no_children(&studio);
    drop(deaf);
}

/// Levels of a text of the editor are named as `-#2`, which looks like an option.
#[test]
fn tasks_take_a_level_of_a_collection() {
    let studio = Studio::start("studio-level", &[]);
    let levels = "; One\n#####\n#@$.#\n#####\n\n; Two\n######\n#@$ .#\n######\n";
    let run = |task: &str, level: u32| {
        let (status, body) = studio.ask("POST", &format!("/api/run/{task}?level={level}"), levels.as_bytes());
        assert_eq!(status, 200, "{task}: {body}");
        body
    };
    for level in [1, 2] {
        assert_eq!(lines(&run("solve", level))[0]["cost"], level, "level {level} needs as many pushes");
    }
    for task in ["check", "show", "all", "explore", "edits", "minimize", "rate"] {
        let body = run(task, 2);
        let results = lines(&body).into_iter().filter(|line| line["file"] == "-#2" || line["exit"].is_number()).count();
        assert_eq!(results, 2, "{task} has a result and its end: {body}");
    }
    for task in ["draw", "game", "page", "search", "picture", "svg", "png", "gif"] {
        assert!(!run(task, 2).is_empty(), "{task} makes something");
    }
}

#[test]
fn fixes_are_counted_as_scripts_count() {
    let studio = Studio::start("studio-fixes", &[]);
    let text = "title = \"𝄞\"\ndomain = \"slidng-tile\" # 𝄞\nstart = \"1 .\"\n";
    let (_, body) = studio.ask("POST", "/api/run/fixes", serde_json::json!({ "text": text }).to_string().as_bytes());
    let units: Vec<u16> = text.encode_utf16().collect();
    let fix = &lines(&body)[0][0];
    let [from, to] = ["from", "to"].map(|end| fix[end].as_u64().expect(&body) as usize);
    assert_eq!(String::from_utf16(&units[from..to]).expect("a word"), "slidng-tile");
    assert_eq!(fix["text"], "sliding-tile");
}

/// A search of hours, brackets within brackets, and a wide drawing: all work on them ends within its limits and says so.
#[test]
fn bombs_end_at_their_limits() {
    let studio = Studio::start("studio-bombs", &[]);
    let nested = format!("title = \"x\"\ndomain = {}1{}\n", "[".repeat(200_000), "]".repeat(200_000));
    let wide = format!("title = \"x\"\ndomain = \"maze\"\nmap = \"\"\"\n{}\n\"\"\"\n", "S".repeat(4 << 20));
    let started = Instant::now();
    for (name, text) in [("long", LONG), ("nested", nested.as_str()), ("wide", wide.as_str())] {
        for task in ["check", "canvas", "fixes", "solve?time=2", "explore?time=2", "edits?time=2", "rate?time=2"] {
            let asked = serde_json::json!({ "text": text }).to_string();
            let body = if matches!(task, "canvas" | "fixes") { asked.as_str() } else { text };
            let (status, answer) = studio.ask("POST", &format!("/api/run/{task}"), body.as_bytes());
            assert_eq!(status, 200, "{name}, {task}: {answer}");
            let says = lines(&answer).pop().is_some_and(|last| last.get("exit").is_some());
            assert!(says, "{name}, {task} does not say how it ended: {answer}");
        }
    }
    assert!(started.elapsed() < Duration::from_secs(200), "the limits hold: {:?}", started.elapsed());
    wait_for_no_children(&studio);
}

/// A puzzle whose search takes hours.
const LONG: &str = "title = \"Long\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n\
                    24 23 22 21 20\n19 18 17 16 15\n14 13 12 11 10\n9 8 7 6 5\n4 3 2 1 .\n\"\"\"\n";

#[test]
fn the_studio_survives_a_bomb_and_ends_work_that_nobody_waits_for() {
    let studio = Studio::start("studio-bomb", &[]);
    let (status, body) = studio.ask("POST", "/api/run/solve?time=1", LONG.as_bytes());
    assert_eq!(status, 200);
    let last = lines(&body).pop().expect("a last line");
    assert!(last["exit"] == 3 || last["exit"] == 1, "{body}");
    let started = Instant::now();
    let mut stream = studio.connect();
    let head = format!(
        "POST /api/run/solve?time=600 HTTP/1.1\r\nHost: {}\r\nX-Token: {}\r\nContent-Length: {}\r\n\r\n{LONG}",
        studio.host,
        studio.token,
        LONG.len()
    );
    stream.write_all(head.as_bytes()).expect("it reads");
    // The search runs, where that can be seen.
    while Path::new("/proc/self/task").exists() && children(studio.child.id()) == 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "no search begins");
        std::thread::yield_now();
    }
    drop(stream);
    wait_for_no_children(&studio);
    assert_eq!(studio.ask("GET", "/api/version?file=none.toml", b"").0, 200);
}

/// Waits until the studio has no work.
fn wait_for_no_children(studio: &Studio) {
    let started = Instant::now();
    while children(studio.child.id()) > 0 {
        assert!(started.elapsed() < Duration::from_secs(60), "the work goes on");
        // Each request takes a moment, and shows that the studio answers others meanwhile.
        assert_eq!(studio.ask("GET", "/api/version?file=none.toml", b"").0, 200);
    }
}

/// Returns the number of children of a process; 0 where the system does not report them.
fn children(process: u32) -> usize {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let of_task = |task: fs::DirEntry| fs::read_to_string(task.path().join("children")).unwrap_or_default();
    tasks.map(|task| of_task(task).split_whitespace().count()).sum()
}

#[test]
fn a_folder_that_is_none_and_a_port_that_is_taken_are_errors() {
    let studio = Studio::start("studio-errors", &[]);
    let at: &Path = &studio.folder;
    let (status, _, errors) = run(at, &["studio", "nowhere", "--no-open"]);
    assert!(status == 2 && errors.contains("nowhere: cannot be opened"), "{errors}");
    let port = studio.host.rsplit(':').next().expect("a port");
    let (status, _, errors) = run(at, &["studio", ".", "--no-open", "--port", port]);
    assert!(status == 2 && errors.contains(&format!("port {port} cannot be used")), "{errors}");
}
