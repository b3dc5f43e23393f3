//! Tests texts that are no puzzle files, and texts in other encodings.

use crate::support::program::{EIGHT, command, folder, run};
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::Stdio;

/// A Sokoban level that takes two pushes.
const SOKOBAN: &str = "; two pushes\n######\n#@$ .#\n######\n";

/// A ladder with an accent in each word.
const LADDER: &str = "title = \"Ladder\"\ndomain = \"word-ladder\"\nstart = \"b\u{e9}e\"\ngoal = \"n\u{e9}\"\nwords = [\"be\u{301}e\", \"ne\u{301}e\", \"ne\u{301}\"]\n";

/// Runs the program with this standard input: status, output, errors.
fn with_input(folder: &Path, arguments: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = command(folder, arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it runs");
    child.stdin.take().expect("a pipe").write_all(input).expect("the input is read");
    let output = child.wait_with_output().expect("it ends");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (output.status.code().expect("a status"), text(output.stdout), text(output.stderr))
}

fn utf16(text: &str, bytes: fn(u16) -> [u8; 2]) -> Vec<u8> {
    "\u{feff}".encode_utf16().chain(text.encode_utf16()).flat_map(bytes).collect()
}

#[test]
fn what_is_no_puzzle_file_is_named() {
    let kinds: [(&str, &[u8], &[&str]); 27] = [
        ("level", SOKOBAN.as_bytes(), &["levels in the format `sokoban`", ".sok", "engine import"]),
        ("level.toml", SOKOBAN.as_bytes(), &["levels in the format `sokoban`"]),
        ("flush", b"#####\n#@$.#\n#####\n", &["levels in the format `sokoban`"]),
        ("boxless", b"#####\n#@ .#\n#####\n", &["levels in the format `sokoban`, but the level has no box"]),
        ("letters", b"WWWWW\nWP.GW\nW.B.W\nWWWWW\n", &["a level drawn with other symbols"]),
        ("board", b"1 2 3\n4 0 5\n", &["in the format `tiles`", "engine import"]),
        ("cars", b"oBBoo\noooCo\nAAoCo\nooDDo\nooooo\n", &["in the format `rush-hour`"]),
        ("page.html", b"<!DOCTYPE html>\n<html><body>title = 3</body></html>", &["a web page (HTML)"]),
        ("x.xml", b"<?xml version=\"1.0\"?>\n<puzzle title = \"x\"/>", &["XML", "engine new"]),
        ("x.md", b"# A puzzle\n\nCopy this:\n\n```toml\ntitle = \"x\"\n```\n", &["Markdown", "block of code"]),
        ("list.md", b"# A puzzle\n\n- one\n- two\n", &["Markdown"]),
        ("x.json", b"{\n  \"domain\": \"klotski\",\n  \"rows\": [[1, 2], [3, 4]]\n}\n", &["JSON"]),
        ("list.json", b"[\"a\", \"b\"]", &["JSON"]),
        ("code", b"[[1,2,3],[4,5,6]]", &["rows of an array in code", "without brackets and commas"]),
        ("code.c", b"int board[2][2] = {\n  {1, 2},\n  {3, 0}\n};\n", &["rows of an array in code"]),
        ("code.py", b"board = [[1, 2], [3, 0]]\n", &["rows of an array in code"]),
        (
            "x.tws",
            b"Name tiny\nSet CORN 3 2\nSolved\nCORN\n1 2 3\nEnd\nMove R\nCORN\n2 3 1\nEnd\n",
            &["twsearch", "`permutation`"],
        ),
        ("x.pddl", b"(define (problem x)\n  (:init (on a b)))\n", &["PDDL", "`rules`"]),
        ("x.yaml", b"name: x\nkind: klotski\nboard: abc\n", &["YAML"]),
        (
            "other",
            b"origin: elsewhere\n\n+ + + + +\n+ * @ X +\n+ - - - +\n+ + + + +\n",
            &["a level drawn with other symbols", "`@` the man"],
        ),
        (
            "emoji",
            "\u{1f9f1}\u{1f9f1}\u{1f9f1}\n\u{1f9f1}\u{1f642}\u{1f9f1}\n\u{1f9f1}\u{1f9f1}\u{1f9f1}\n".as_bytes(),
            &["a level drawn with other symbols"],
        ),
        ("prose.txt", b"Once upon a time\nthere was a puzzle.\n", &["no line has the form `key = value`"]),
        ("x.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\xff", &["is not text: it looks like a PNG picture"]),
        ("zeros", b"ab\0cdefgh", &["is not text: it has zero bytes"]),
        ("markless", b"t\0i\0t\0l\0e\0", &["UTF-16 without a byte order mark"]),
        ("keys", b"start = \"ab.\"\ngoal = .ba\n", &["keys:2:8"]),
        ("named.toml", b"domain: klotski\ntitle: x\n", &["expected `=` between a key and its value"]),
    ];
    let folder = folder("foreign", &[]);
    for (name, bytes, expected) in kinds {
        fs::write(folder.join(name), bytes).expect("written");
        for command in ["check", "solve"] {
            let (status, _, error) = run(&folder, &[command, name]);
            assert_eq!(status, 2, "{command} {name}: {error}");
            assert!(expected.iter().all(|part| error.contains(part)), "{command} {name}: {error}");
            assert_eq!(error.matches("error:").count(), if name == "named.toml" { 2 } else { 1 }, "{error}");
        }
    }
    // What the import refuses, it names likewise, with the formats that it has tried.
    for name in ["x.xml", "x.md", "x.json", "code", "x.tws", "other", "prose.txt"] {
        let (status, out, error) = run(&folder, &["import", name]);
        assert_eq!((status, &*out), (2, ""), "{name}");
        assert!(error.contains("unknown format") && error.contains("tried moving-ai-map"), "{name}: {error}");
        assert_eq!(error.contains("looks like"), name != "prose.txt", "{name}: {error}");
    }
}

#[test]
fn other_encodings_and_line_ends_are_read() {
    let folder = folder("encodings", &[]);
    let wrong = "title = \"\u{e4}\"\ndomain = \"sliding-tile\"\nstart = \"1 x\"\n";
    type Encode = fn(&str) -> Vec<u8>;
    let encodings: [Encode; 4] = [
        |text| utf16(text, u16::to_le_bytes),
        |text| utf16(text, u16::to_be_bytes),
        |text| text.replace('\n', "\r").into_bytes(),
        |text| utf16(&text.replace('\n', "\r\n"), u16::to_le_bytes),
    ];
    for encode in encodings {
        let files = [
            ("puzzle.toml", EIGHT),
            ("level.xsb", SOKOBAN),
            ("words.txt", "cat\ncot\n"),
            ("board.txt", "2\n1 2\n0 3\n"),
            (
                "ladder.toml",
                "title = \"l\"\ndomain = \"word-ladder\"\nstart = \"cat\"\ngoal = \"cot\"\nwords = \"words.txt\"\n",
            ),
            ("file.toml", "title = \"f\"\ndomain = \"sliding-tile\"\nstart_file = \"board.txt\"\n"),
            ("wrong.toml", wrong),
            ("moves.txt", "3l\n"),
        ];
        for (name, text) in files {
            fs::write(folder.join(name), encode(text)).expect("written");
        }
        let moves = |name: &str| run(&folder, &["solve", name, "--format", "moves"]);
        assert_eq!(moves("puzzle.toml").1.split_whitespace().count(), 5, "{:?}", moves("puzzle.toml"));
        assert_eq!(moves("level.xsb").0, 0, "{:?}", moves("level.xsb"));
        assert_eq!(moves("ladder.toml").1, "cot\n", "{:?}", moves("ladder.toml"));
        assert_eq!(moves("file.toml").1, "3l\n", "{:?}", moves("file.toml"));
        assert_eq!(run(&folder, &["verify", "file.toml", "moves.txt"]).0, 0);
        let (status, _, error) = run(&folder, &["check", "wrong.toml"]);
        assert!(status == 2 && error.contains("wrong.toml:3:12"), "{error}");
        assert_eq!(run(&folder, &["import", "level.xsb"]).0, 0);
    }
}

#[test]
fn letters_are_the_same_however_their_accents_are_written() {
    let symbols = "title = \"u\u{308}\"\ndomain = \"rules\"\nstart = \"o\u{308}.\"\ngoal = \".\u{f6}\"\n\
        [[rules]]\nname = \"go\"\nfrom = \"\u{f6}.\"\nto = \".o\u{308}\"\n";
    let ladder = "title = \"l\"\ndomain = \"word-ladder\"\nstart = \"caf\u{e9}\"\ngoal = \"cafe\"\nwords = \"wo\u{308}rter.txt\"\n";
    let files = [
        ("inline.toml", LADDER),
        ("symbols.toml", symbols),
        ("list.toml", ladder),
        ("w\u{f6}rter.txt", "cafe\u{301}\ncafe\n"),
        ("wrong.toml", &*symbols.replace("start = \"o\u{308}.\"", "start = \"o\u{308}. \"")),
        ("moves.txt", "ne\u{301}e ne\u{301}\n"),
        ("board.txt", "e\u{301}e\u{301}.\n..a\n\n.e\u{301}e\u{301}\n..a\n"),
    ];
    let folder = folder("composed", &files);
    let note = "a letter with a combining mark is read as one letter";
    for (name, cost) in [("inline.toml", 2), ("symbols.toml", 1), ("list.toml", 1)] {
        let (status, out, error) = run(&folder, &["solve", name, "--format", "json"]);
        assert!(status == 0 && out.contains(&format!("\"cost\":{cost},")), "{name}: {out}{error}");
        assert_eq!(error.matches(note).count(), if name == "list.toml" { 2 } else { 1 }, "{name}: {error}");
        assert_eq!(run(&folder, &["solve", name, "--quiet"]).2, "");
    }
    assert!(run(&folder, &["check", "inline.toml"]).2.contains("inline.toml:5:12"));
    // The place is that of the text as it is written, where the letter has two characters.
    let (status, _, error) = run(&folder, &["check", "wrong.toml"]);
    assert!(status == 2 && error.contains("wrong.toml:3:13"), "{error}");
    assert_eq!(run(&folder, &["verify", "inline.toml", "moves.txt"]).0, 0);
    let import = ["import", "board.txt", "--from", "drawing"];
    let (status, out, error) = run(&folder, &import);
    assert!(status == 0 && out.contains("\u{e9}\u{e9}."), "{out}{error}");
    assert!(error.starts_with(&format!("note: board.txt: {note}")) && error.ends_with(", in 4 places\n"), "{error}");
    assert_eq!(run(&folder, &[&import[..], &["--quiet"]].concat()).2, "");
}

#[test]
fn a_puzzle_or_a_collection_comes_from_standard_input() {
    let folder = folder("standard-input", &[]);
    let two = SOKOBAN.to_owned() + "\n" + SOKOBAN;
    for input in [EIGHT.as_bytes(), SOKOBAN.as_bytes(), &utf16(EIGHT, u16::to_le_bytes)] {
        let (status, out, error) = with_input(&folder, &["solve", "-", "--format", "moves"], input);
        assert!(status == 0 && !out.trim().is_empty(), "{out}{error}");
        assert_eq!(with_input(&folder, &["check", "-"], input).0, 0);
    }
    let (status, out, error) = with_input(&folder, &["solve", "-"], two.as_bytes());
    assert!(status == 0 && out.contains("-#1") && out.contains("-#2"), "{out}{error}");
    let (status, out, error) = with_input(&folder, &["solve", "-", "--level", "2", "--json"], two.as_bytes());
    assert!(status == 0 && out.contains("\"file\":\"-#2\""), "{out}{error}");
    assert_eq!(with_input(&folder, &["show", "-", "--level", "2"], two.as_bytes()).0, 0);
    let (status, _, error) = with_input(&folder, &["check", "-"], b"title = 3\n");
    assert!(status == 2 && error.contains("-:1:9"), "{error}");
    let (status, _, error) = with_input(&folder, &["check", "-"], b"<html></html>");
    assert!(status == 2 && error.contains("a web page"), "{error}");
}
