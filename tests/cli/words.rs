//! Word ladders with the real program: word lists in all kinds of files, and the errors for invalid ones.

use crate::support::program::{folder, run, timeless};
use std::fs;

const PUZZLE: &str =
    "title = \"w\"\ndomain = \"word-ladder\"\nstart = \"cat\"\ngoal = \"dög\"\nwords = \"lists/words.txt\"\n";

/// Creates a folder with the puzzle and this list.
fn with_list(test: &str, list: &[u8]) -> std::path::PathBuf {
    let folder = folder(test, &[("p.toml", PUZZLE)]);
    fs::create_dir(folder.join("lists")).expect("a folder can be made");
    fs::write(folder.join("lists/words.txt"), list).expect("a list");
    folder
}

#[test]
fn lists_may_have_any_line_ends_blank_lines_and_repetitions() {
    let lists: [&[u8]; 4] = [
        "cat\ncot\ncog\ncög\ndög\n".as_bytes(),
        "\u{feff}cat\r\ncot\r\n\r\ncog\r\ncög\r\ndög\r\n".as_bytes(),
        "\n\n  cat\ncot \ncat\ncat\ncog\ncög\ndög".as_bytes(),
        "Cat\ncat\ncot\ncog\nCog\ncög\ndög\nx\n".as_bytes(),
    ];
    for list in lists {
        let folder = with_list("word-lists", list);
        let (status, out, error) = run(&folder, &["solve", "p.toml", "--format", "moves"]);
        assert_eq!((status, out.as_str(), error.as_str()), (0, "cot cog cög dög\n", ""), "{list:?}");
    }
}

#[test]
fn invalid_lists_are_reported_with_their_place() {
    let refused = |list: &[u8], words: &[&str]| {
        let (status, _, error) = run(&with_list("word-errors", list), &["check", "p.toml"]);
        assert!(status == 2 && error.contains("p.toml:5:9"), "{error}");
        assert!(words.iter().all(|word| error.contains(word)), "not {words:?} but: {error}");
    };
    refused(b"", &["words.txt has no words"]);
    refused(b"\n \r\n", &["words.txt has no words"]);
    refused(b"cat\nd\xf6g\n", &["words.txt is not UTF-8 text: line 2"]);
    refused(
        b"cat\n ice cream\nd\x07g\n",
        &["words.txt:2:5: a word has no white space", "words.txt:3:2: a control character"],
    );
    let many = "a b\n".repeat(30);
    refused(many.as_bytes(), &["words.txt:10:2:", "20 more lines that are no words"]);
    let (status, _, error) = run(&with_list("word-goal", b"cat\ndog\n"), &["check", "p.toml"]);
    assert!(status == 2 && error.contains("p.toml:4:8") && error.contains("did you mean `dog`?"), "{error}");
    let folder = with_list("word-folder", b"");
    fs::remove_file(folder.join("lists/words.txt")).expect("the file can be removed");
    assert!(run(&folder, &["check", "p.toml"]).2.contains("words.txt cannot be opened"));
    fs::create_dir(folder.join("lists/words.txt")).expect("a folder can be made");
    assert!(run(&folder, &["check", "p.toml"]).2.contains("is a directory"));
}

#[test]
fn very_long_words_are_accepted() {
    let long = "é".repeat(300_000);
    let list = format!("{long}\n{long}x\n{long}xy\n");
    let folder = with_list("word-huge", list.as_bytes());
    let puzzle = format!(
        "title = \"w\"\ndomain = \"word-ladder\"\nstart = \"{long}\"\ngoal = \"{long}xy\"\nwords = \"lists/words.txt\"\n"
    );
    fs::write(folder.join("p.toml"), puzzle).expect("a puzzle");
    for how in [&["--algorithm", "bfs"][..], &["--algorithm", "a-star"], &[]] {
        let (status, out, _) = run(&folder, &[&["solve", "p.toml", "--format", "json"], how].concat());
        assert_eq!((status, &timeless(&out)["cost"]), (0, &2.into()), "{how:?}");
    }
}

#[test]
fn every_command_works_with_word_ladders() {
    let list = "cat\ncot\ncog\ncög\ndög\nzoo\nca\n";
    let folder = with_list("word-commands", list.as_bytes());
    let out = |arguments: &[&str]| {
        let (status, out, error) = run(&folder, arguments);
        assert_eq!((status, error.as_str()), (0, ""), "{arguments:?}");
        out
    };
    let show = out(&["show", "p.toml"]);
    assert!(show.contains("legal moves     cot ca\n") && show.contains("h edit-distance 3\n"), "{show}");
    let explored = timeless(&out(&["explore", "p.toml", "--format", "json"]));
    assert_eq!((&explored["states"], &explored["goals"], &explored["dead_ends"]), (&6.into(), &1.into(), &0.into()));
    let one_way = format!("{PUZZLE}edits = [\"change\", \"delete\"]\n");
    fs::write(folder.join("one-way.toml"), one_way).expect("the file can be written");
    let explored = timeless(&out(&["explore", "one-way.toml", "--format", "json"]));
    assert_eq!((&explored["states"], &explored["dead_ends"]), (&6.into(), &1.into()), "`ca` leads nowhere");
    let all = timeless(&out(&["solve", "p.toml", "--count", "--format", "json"]));
    assert_eq!((&all["solutions"], &all["algorithm"]), (&1.into(), &"bidirectional".into()));
    assert_eq!(timeless(&out(&["solve", "one-way.toml", "--format", "json"]))["algorithm"], "bfs");
    for arguments in [&["--moves", "2"][..], &["--seed", "5"]] {
        let scrambled = out(&[&["scramble", "p.toml"], arguments].concat());
        assert!(
            scrambled.contains("words = \"lists/words.txt\"") && !scrambled.contains("start = \"dög\""),
            "{scrambled}"
        );
        fs::write(folder.join("scrambled.toml"), scrambled).expect("the file can be written");
        out(&["solve", "scrambled.toml"]);
    }
    fs::write(folder.join("moves.txt"), "cot cog dög").expect("the file can be written");
    let (status, refused, _) = run(&folder, &["verify", "p.toml", "moves.txt"]);
    assert_eq!(
        (status, refused.as_str()),
        (1, "refused: move 3, `dög`: it differs from `cog` by more than one letter\n")
    );
    fs::write(folder.join("moves.txt"), "cot cut").expect("the file can be written");
    assert_eq!(
        run(&folder, &["verify", "p.toml", "moves.txt"]).1,
        "refused: move 2, `cut`: the list has no such word\n"
    );
    fs::write(folder.join("moves.txt"), "ca cat").expect("the file can be written");
    let refused = run(&folder, &["verify", "one-way.toml", "moves.txt"]).1;
    assert_eq!(refused, "refused: move 2, `cat`: no letter may be inserted here\n");
}
