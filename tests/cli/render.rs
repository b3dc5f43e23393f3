//! Tests `engine render`: drawings and pages are well-formed, deterministic, of the right size, and safe for any text
//! in
//! a puzzle file; wrong requests are reported.

use crate::support::program::{EIGHT, UNSOLVABLE, command, engine, folder, run};
use crate::support::root;
use engine::domain;
use resvg::tiny_skia::{Pixmap, PremultipliedColorU8};
use resvg::usvg::roxmltree::{Document, Node};
use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::path::Path;

/// One puzzle of every domain: its file, the length of its solution, its rows and columns.
const ONE_EACH: [(&str, usize, (u32, u32)); 7] = [
    ("blocks/gate", 4, (3, 5)),
    ("eight-puzzle/20-moves", 20, (3, 3)),
    ("permutation/pocket-cube", 8, (6, 8)),
    ("mazes/terrain", 12, (4, 7)),
    ("rules/four-knights", 16, (3, 3)),
    ("words/horse-nurse", 8, (2, 5)),
    ("puzzlescript/crates-1", 8, (7, 8)),
];

fn puzzle(name: &str) -> String {
    root().join("puzzles").join(name).with_extension("toml").to_str().expect("a path in UTF-8").to_owned()
}

/// Renders a puzzle to standard output, which must succeed.
fn draw(folder: &Path, file: &str, format: &str, more: &[&str]) -> Vec<u8> {
    let drawn = engine(folder, &[&["render", file, "-o", "-", "--format", format], more].concat());
    assert_eq!(String::from_utf8_lossy(&drawn.stderr), "", "{file} {format} {more:?}");
    assert_eq!(drawn.status.code(), Some(0), "{file} {format} {more:?}");
    drawn.stdout
}

fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).expect("UTF-8")
}

/// Checks that a drawing or a page loads nothing from elsewhere.
fn assert_self_contained(text: &str) {
    let plain = text.replace("http://www.w3.org/2000/svg", "");
    for load in
        ["src=", "url(http", "url(\"http", "url('http", "@import", "href=\"http", "href=\"//", "fetch(", "XMLHttp"]
    {
        assert!(!plain.contains(load), "{load}");
    }
    assert!(plain.split("href=\"").skip(1).all(|rest| rest.starts_with('#')), "a link leads to another page");
}

#[test]
fn every_domain_renders_to_every_format() {
    let folder = folder("render-all", &[]);
    let mut domains = BTreeSet::new();
    for (name, moves, (rows, columns)) in ONE_EACH {
        let file = puzzle(name);
        let loaded = engine::Puzzle::load(&file).unwrap_or_else(|report| panic!("{report}"));
        domains.insert(loaded.domain().name);
        let still = text(draw(&folder, &file, "svg", &[]));
        let parsed = Document::parse(&still).unwrap_or_else(|error| panic!("{name}: {error}"));
        assert!(parsed.descendants().any(|node| node.text() == Some(loaded.title())), "{name}: the title is text");
        let actors = loaded
            .space("zero")
            .expect("every puzzle has the heuristic `zero`")
            .picture()
            .expect("the puzzle is small enough to draw")
            .figures
            .len();
        let on_board =
            parsed.descendants().filter(|node| is_figure(node) && !node.ancestors().any(|node| is_goal(&node)));
        assert_eq!(on_board.count(), actors, "{name}: one group for each figure");
        assert_shows_goal(&parsed, &loaded.goal(), name);
        let moving = text(draw(&folder, &file, "svg", &["--solution"]));
        let parsed = Document::parse(&moving).unwrap_or_else(|error| panic!("{name}: {error}"));
        let captions = parsed.descendants().find(|node| node.attribute("id") == Some("captions")).expect("captions");
        assert_eq!(
            captions.children().filter(|node| node.is_element()).count(),
            moves + 1,
            "{name}: one caption for each position"
        );
        assert_shows_goal(&parsed, &loaded.goal(), name);
        let moves_figure = |number| moving.contains(&format!("@keyframes a{number}{{"));
        assert!((0..actors).any(moves_figure), "{name}: nothing is animated");
        let png = draw(&folder, &file, "png", &["--cell", "20"]);
        let start = Pixmap::decode_png(&png).expect("a PNG");
        assert!(start.width() >= columns * 20 && start.height() >= rows * 20, "{name}");
        let last = draw(&folder, &file, "png", &["--cell", "20", "--step", "last"]);
        assert_ne!(
            Pixmap::decode_png(&last).expect("a PNG").data(),
            start.data(),
            "{name}: the last frame equals the start"
        );
        let shown = gif_frames(&draw(&folder, &file, "gif", &["--cell", "20"]));
        assert!(shown > 2 * moves, "{name}: {shown} frames of {moves} moves");
        let page = text(draw(&folder, &file, "html", &[]));
        assert_eq!(page.matches("<svg class=\"goal\"").count(), loaded.goal().pictures().count(), "{name}");
        let written = film(&page);
        assert_eq!(written["moves"].as_array().map(Vec::len), Some(moves), "{name}");
        assert_eq!(written["changes"].as_array().map(Vec::len), Some(moves), "{name}");
        assert_eq!(written["solved"], true, "{name}");
        let moves_text: Vec<&str> =
            written["moves"].as_array().expect("moves").iter().filter_map(|m| m.as_str()).collect();
        let solved = run(&folder, &["solve", &file, "--format", "moves"]).1;
        assert_eq!(
            moves_text.join(" "),
            solved.trim_end().replace('\n', " "),
            "{name}: the page has the moves that `solve` prints"
        );
        let escaped = moves_text.join(" ").replace('\'', "&#39;");
        assert!(page.contains(&format!("<noscript><p>{escaped}</p></noscript>")), "{name}");
        for drawn in [&still, &moving, &page] {
            assert_self_contained(drawn);
        }
    }
    assert_eq!(domains.into_iter().collect::<Vec<_>>(), domain::registered(), "a domain has no puzzle here");
}

/// Returns whether an element is the group of a figure.
fn is_figure(node: &Node) -> bool {
    let has_sprite = node.first_element_child().is_some_and(|child| child.has_tag_name("use"));
    node.has_tag_name("g") && (node.attribute("fill").is_some() || has_sprite)
}

/// Returns whether an element is the drawing of a goal.
fn is_goal(node: &Node) -> bool {
    node.has_tag_name("svg") && node.attribute("class") == Some("goal")
}

/// Checks that a picture shows the first goal of its puzzle: each figure of its drawing, and its conditions.
fn assert_shows_goal(picture: &Document, goal: &engine::puzzle::GoalView, name: &str) {
    let goal = &goal.alternatives[0];
    let drawn = picture.descendants().find(is_goal).map(|drawing| drawing.descendants().filter(is_figure).count());
    assert_eq!(drawn, goal.picture.as_ref().map(|picture| picture.figures.len()), "{name}");
    let lines = picture.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text());
    let text = lines.collect::<Vec<_>>().join(" ");
    assert!(text.contains("goal ") || text.ends_with("goal"), "{name}: {text}");
    for words in &goal.words {
        assert!(text.contains(words), "{name}: no `{words}` in {text}");
    }
}

#[test]
fn of_many_goals_a_picture_shows_those_that_fit_and_counts_the_others() {
    let maze = "title = \"m\"\ndomain = \"maze\"\nmap = \"\"\"\n.GGG\n....\nS...\n\"\"\"\n";
    let cells = (1..4).flat_map(|row| (0..2).map(move |column| format!("{{ a = [{row}, {column}] }}")));
    let cells: Vec<String> = cells.collect();
    let blocks = format!(
        "title = \"b\"\ndomain = \"klotski\"\nstart = \"\"\"\na.\n..\n..\n..\n\"\"\"\ngoal = [{}]\n",
        cells.join(", ")
    );
    let folder = folder("render-goals", &[("maze.toml", maze), ("blocks.toml", &blocks)]);
    let texts = |file: &str| {
        let drawn = text(draw(&folder, file, "svg", &[]));
        let parsed = Document::parse(&drawn).expect("an SVG");
        let text: Vec<&str> =
            parsed.descendants().filter(|node| node.has_tag_name("text")).filter_map(|node| node.text()).collect();
        (parsed.descendants().filter(is_goal).count(), text.join(" "))
    };
    let (_, all) = texts("maze.toml");
    assert!(all.contains("goal reach `G` at [0, 1] or reach `G` at [0, 2] or reach `G` at [0, 3]"), "{all}");
    let (drawn, all) = texts("blocks.toml");
    assert!(
        drawn < cells.len() && drawn > 0 && all.contains(&format!("or one of {} further goals", cells.len() - drawn)),
        "{drawn}: {all}"
    );
}

/// Parses the data of a page.
fn film(page: &str) -> serde_json::Value {
    let data = page.split("id=\"film\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
    serde_json::from_str(data).expect("JSON")
}

/// Counts the frames of a GIF. It must loop, and each frame must lie within the canvas and change it.
fn gif_frames(bytes: &[u8]) -> usize {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(bytes).expect("a GIF");
    let (width, height) = (decoder.width(), decoder.height());
    assert_eq!(decoder.repeat(), gif::Repeat::Infinite);
    let mut canvas = vec![255; usize::from(width) * usize::from(height)];
    let mut frames = 0;
    while let Some(frame) = decoder.read_next_frame().expect("a frame") {
        assert!(frame.left + frame.width <= width && frame.top + frame.height <= height && frame.delay >= 2);
        let before = canvas.clone();
        for (at, &colour) in frame.buffer.iter().enumerate() {
            let (x, y) = (at % usize::from(frame.width), at / usize::from(frame.width));
            if Some(colour) != frame.transparent {
                canvas[(y + usize::from(frame.top)) * usize::from(width) + x + usize::from(frame.left)] = colour;
            }
        }
        assert_ne!(canvas, before, "a frame changes something");
        frames += 1;
    }
    assert!(!canvas.contains(&255), "a pixel is never drawn");
    frames
}

#[test]
fn the_same_puzzle_gives_the_same_bytes() {
    let folder = folder("render-again", &[]);
    for name in ["blocks/gate", "words/horse-nurse"] {
        for (format, more) in [("svg", &["--solution"][..]), ("png", &[]), ("gif", &[]), ("html", &[])] {
            let once = draw(&folder, &puzzle(name), format, more);
            assert_eq!(once, draw(&folder, &puzzle(name), format, more), "{name} {format}");
        }
    }
}

#[test]
fn small_drawings_equal_their_snapshots() {
    let folder = folder("render-snapshots", &[("five.toml", EIGHT)]);
    let gate = puzzle("blocks/gate");
    insta::assert_snapshot!("gate_start", text(draw(&folder, &gate, "svg", &[])));
    insta::assert_snapshot!("gate_moving", text(draw(&folder, &gate, "svg", &["--solution"])));
    insta::assert_snapshot!(
        "five_after_two_in_the_dark",
        text(draw(&folder, "five.toml", "svg", &["--step", "2", "--theme", "dark"]))
    );
    insta::assert_snapshot!(
        "maze_at_its_end",
        text(draw(&folder, &puzzle("mazes/terrain"), "svg", &["--step", "last"]))
    );
}

/// Returns a file with a door `D` before the goal, floor outside of its walls, and further keys.
fn door(keys: &str) -> String {
    let grid = ".######\n.#@.D.#\n.######";
    format!(
        "title = \"Door\"\ndomain = \"rules\"\nstart = \"\"\"\n{grid}\n\"\"\"\n\
         goal = \"\"\"\n???????\n?????@?\n???????\n\"\"\"\n{keys}\n\
         [[rules]]\nname = \"walk\"\nfrom = \"@.\"\nto = \".@\"\n\
         [[rules]]\nname = \"open\"\nfrom = \"@D\"\nto = \".@\"\n"
    )
}

#[test]
fn doors_keep_their_colours_and_letters_and_open() {
    let keys = "colors = { D = \"gold\" }\nshapes = { D = \"wall\" }";
    let folder = folder("render-door", &[("door.toml", &door(keys)), ("plain.toml", &door(""))]);
    let start = text(draw(&folder, "door.toml", "svg", &[]));
    let parsed = Document::parse(&start).expect("an SVG");
    let gold = |node: &Node| node.has_tag_name("g") && node.attribute("fill") == Some("#d8a820");
    let is_door = |node: Node| gold(&node) && node.descendants().any(|child| child.text() == Some("D"));
    assert!(parsed.descendants().any(is_door), "{start}");
    let end = text(draw(&folder, "door.toml", "svg", &["--step", "last"]));
    assert!(!end.contains("#d8a820"), "the player walks through an open door: {end}");
    let moving = text(draw(&folder, "door.toml", "svg", &["--solution"]));
    assert!(moving.contains("opacity:0"), "the door vanishes when it opens");
    let png = Pixmap::decode_png(&draw(&folder, "plain.toml", "png", &["--cell", "20"])).expect("a PNG");
    let rgb = |x: u32, y: u32| {
        let pixel = png.pixel(x, y).expect("a pixel");
        assert_eq!(pixel.alpha(), 255, "no pixel is transparent");
        [pixel.red(), pixel.green(), pixel.blue()]
    };
    assert_eq!(rgb(0, 0), [255; 3], "the corners are square");
    // The board begins behind the margin; the cell left of its second row is outside.
    let left = 6;
    let is_wall = |x: u32| (0..png.height()).any(|y| rgb(x, y) == [0x4a, 0x54, 0x64]);
    assert!(is_wall(left + 30) && !is_wall(left + 10));
    assert!((0..png.height()).all(|y| rgb(left + 10, y) != [0xe9, 0xec, 0xf1]), "outside of the walls is no floor");
}

#[test]
fn an_exit_is_a_gap_in_the_frame() {
    let folder = folder("render-exit", &[]);
    let drawn = text(draw(&folder, &puzzle("rush-hour/hardest"), "svg", &[]));
    let parsed = Document::parse(&drawn).expect("an SVG");
    let frame = parsed.descendants().find(|node| node.attribute("class") == Some("frame")).expect("a frame");
    let sides = frame.attribute("d").expect("a path").matches('M').count();
    assert_eq!(sides, 5, "three whole sides, and one on both sides of the gap");
    let plain = text(draw(&folder, &puzzle("eight-puzzle/20-moves"), "svg", &[]));
    assert!(!plain.contains("class=\"frame\""), "a board without an exit has no frame");
}

#[test]
fn the_theme_contrast_has_its_own_hues_and_keeps_those_of_the_file() {
    let keys = "colors = { D = \"gold\" }";
    let folder = folder("render-contrast", &[("door.toml", &door(keys))]);
    let drawn = text(draw(&folder, "door.toml", "svg", &["--theme", "contrast"]));
    assert!(drawn.contains("#d55e00") && drawn.contains("#d8a820") && !drawn.contains("#d6453d"), "{drawn}");
    assert!(drawn.contains(".wall{fill:#000000}") && !drawn.contains("prefers-color-scheme"), "{drawn}");
    for format in ["png", "gif", "html"] {
        draw(&folder, "door.toml", format, &["--theme", "contrast"]);
    }
}

#[test]
fn a_ring_is_a_circle_of_discs_and_pegs_stand_in_holes() {
    let ring = "title = \"Ring\"\ndomain = \"rules\"\nstart = \"ba.cdef\"\ngoal = \"ab.cdef\"\n\
                layout = { cell = \"ring\" }\n[[rules]]\nname = \"swap\"\nfrom = \"ba\"\nto = \"ab\"\n";
    let folder = folder("render-ring", &[("ring.toml", ring)]);
    let drawn = text(draw(&folder, "ring.toml", "svg", &[]));
    let parsed = Document::parse(&drawn).expect("an SVG");
    let is_place =
        |node: &Node| node.attribute("class") == Some("floor edge") && !node.ancestors().any(|node| is_goal(&node));
    let places = parsed.descendants().filter(is_place);
    // The floor of the grid is an empty path.
    let places: Vec<(f64, f64)> = places
        .filter(|node| node.attribute("d").is_some_and(|path| !path.is_empty()))
        .map(|node| {
            let place = node.parent_element().and_then(|group| group.attribute("transform")).expect("a place");
            let inner = place.trim_start_matches("translate(").trim_end_matches(')');
            let (x, y) = inner.split_once(' ').expect("two numbers");
            (x.parse().expect("a number"), y.parse().expect("a number"))
        })
        .collect();
    assert_eq!(places.len(), 7, "{drawn}");
    let sum = places.iter().fold((0.0, 0.0), |sum, place| (sum.0 + place.0, sum.1 + place.1));
    let radius = |place: &(f64, f64)| (place.0 - sum.0 / 7.0).hypot(place.1 - sum.1 / 7.0);
    assert!(places.iter().all(|place| (radius(place) - radius(&places[0])).abs() < 0.5), "{places:?}");
    assert!(!drawn.contains("href=\"#s"), "pieces on a ring are discs: {drawn}");
    for (format, more) in [("svg", &["--solution"][..]), ("gif", &[]), ("html", &[]), ("html", &["--play"])] {
        draw(&folder, "ring.toml", format, more);
    }
    let pegs = text(draw(&folder, &puzzle("rules/english-peg-solitaire"), "svg", &[]));
    let parsed = Document::parse(&pegs).expect("an SVG");
    let holes = parsed.descendants().find(|node| node.attribute("class") == Some("hole")).expect("holes");
    assert_eq!(holes.attribute("d").expect("a path").matches('M').count(), 33);
    assert!(!pegs.contains(">o<") && !pegs.contains("class=\"wall\""), "a mark has no letter: {pegs}");
}

#[test]
fn sprites_and_paths_of_a_file_are_drawn() {
    let keys = "[colors]\n\"@\" = [\"orange\", \"navy\"]\n[shapes]\n\"@\" = \"\"\"\n.0.\n010\n0.0\n\"\"\"\n\
                D = { path = \"M2 2 H22 V22 H2 Z\" }";
    let folder = folder("render-own-sprites", &[("door.toml", &door(keys))]);
    let drawn = text(draw(&folder, "door.toml", "svg", &[]));
    assert!(drawn.contains("#f08c1e") && drawn.contains("#1a2a6c"), "the colours of the sprite: {drawn}");
    assert!(drawn.contains("d=\"M2 2H22V22H2Z\""), "the path in a uniform notation: {drawn}");
    let moving = text(draw(&folder, "door.toml", "svg", &["--solution"]));
    assert_self_contained(&moving);
    for format in ["png", "gif", "html"] {
        draw(&folder, "door.toml", format, &[]);
    }
}

/// A puzzle whose texts contain markup.
const MARKUP: &str = r#"
title = "</script><img src=x onerror=alert(1)> \"'&amp;"
author = "<b>&</b>"
source = "]]>--><script>alert(2)</script>"
domain = "word-ladder"
start = "cat"
goal = "dog"
words = ["cat", "cot", "cog", "dog"]
"#;

/// A walker that leaves a trace behind it, in the layer below.
const TRACE: &str = r#"
title = "Trace"
domain = "puzzlescript"
source = """
OBJECTS

Background
blue

Trace
red

Player
white
..0..
.000.
..0..
.0.0.
.0.0.

Exit
#0f0

LEGEND

. = Background
P = Player
X = Exit

SOUNDS

COLLISIONLAYERS

Background
Exit
Trace
Player

RULES

[ > Player | ] -> [ Trace | Player ]

WINCONDITIONS

all Exit on Player

LEVELS

P..X
"""
"#;

#[test]
fn sprites_that_appear_later_stay_behind_those_in_front() {
    let folder = folder("render-sprites", &[("trace.toml", TRACE)]);
    let moving = text(draw(&folder, "trace.toml", "svg", &["--solution"]));
    let parsed = Document::parse(&moving).unwrap_or_else(|error| panic!("{error}"));
    let actors = parsed.descendants().find(|node| node.attribute("id") == Some("actors")).expect("actors");
    let uses: Vec<&str> = actors.descendants().filter_map(|node| node.attribute("href")).collect();
    assert_eq!(uses, ["#p2", "#p2", "#p2", "#p3"], "traces, then the player");
    let defined = |sprite: &str| parsed.descendants().find(|node| node.attribute("id") == Some(sprite));
    assert!(
        defined("p3").is_some_and(|player| player.children().all(|path| path.attribute("fill") == Some("#ffffff")))
    );
    assert!(moving.contains("#00ff00"), "the exit has its colour");
    let png =
        Pixmap::decode_png(&draw(&folder, "trace.toml", "png", &["--step", "last", "--cell", "64"])).expect("a PNG");
    let count = |rgb: [u8; 3]| {
        let is = |pixel: &&PremultipliedColorU8| [pixel.red(), pixel.green(), pixel.blue()] == rgb;
        png.pixels().iter().filter(is).count()
    };
    assert_eq!(count([0xbe, 0x26, 0x33]), 3 * 64 * 64, "each trace fills its cell");
}

#[test]
fn nothing_in_a_puzzle_file_becomes_a_tag() {
    let folder = folder("render-wicked", &[("wicked.toml", MARKUP)]);
    let page = text(draw(&folder, "wicked.toml", "html", &[]));
    assert_eq!(page.matches("<script").count(), 2, "the data and the program");
    assert_eq!(page.matches("</script>").count(), 2);
    for tag in ["<img", "<b>&", "]]>", "-->", "\u{202e}"] {
        assert!(!page.contains(tag), "{tag:?}");
    }
    assert!(page.contains("&lt;img src=x onerror=alert(1)&gt;"), "the title is not escaped");
    for more in [&[][..], &["--solution"]] {
        let drawn = text(draw(&folder, "wicked.toml", "svg", more));
        let parsed = Document::parse(&drawn).unwrap_or_else(|error| panic!("{error}"));
        assert!(parsed.descendants().all(|node| !node.has_tag_name("img") && !node.has_tag_name("script")));
    }
    draw(&folder, "wicked.toml", "png", &[]);
}

#[test]
fn given_moves_are_drawn_without_a_search() {
    let folder = folder("render-current", &[("five.toml", EIGHT)]);
    let page = |more: &[&str]| film(&text(draw(&folder, "five.toml", "html", more)));
    let drawn = page(&["--replay", "4d 1l"]);
    assert_eq!((&drawn["moves"], &drawn["solved"]), (&serde_json::json!(["4d", "1l"]), &false.into()));
    let solved = run(&folder, &["solve", "five.toml"]).1;
    fs::write(folder.join("solved.txt"), solved).expect("written");
    assert_eq!(page(&["--replay", "solved.txt"])["moves"], page(&[])["moves"]);
    assert_eq!(page(&["--replay", "U R"])["g"], serde_json::json!([0, 1, 2]), "in any notation");
    assert_eq!(page(&["--heuristic", "hamming"])["h"][0], 5);
    let (status, out, errors) = run(&folder, &["render", "five.toml", "-o", "x.svg", "--replay", "4d 7d"]);
    assert_eq!((status, out.as_str()), (2, ""));
    assert!(errors.contains("move 2, `7d`, is not legal there"), "{errors}");
    assert!(!folder.join("x.svg").exists());
}

#[test]
fn without_a_solution_the_start_is_drawn_and_the_exit_status_reports_it() {
    let folder = folder("render-stuck", &[("none.toml", UNSOLVABLE), ("five.toml", EIGHT)]);
    for out in ["a.svg", "a.gif", "a.html"] {
        let more: &[&str] = if out == "a.svg" { &["--solution"] } else { &[] };
        let (status, _, errors) = run(&folder, &[&["render", "none.toml", "-o", out], more].concat());
        assert!(status == 1 && errors.contains("unsolvable") && errors.contains("the start is drawn"), "{errors}");
        assert!(fs::metadata(folder.join(out)).expect("it is drawn").len() > 500);
    }
    let limited = ["render", "five.toml", "-o", "b.html", "--algorithm", "bfs", "--depth-limit", "2"];
    let (status, _, errors) = run(&folder, &limited);
    assert!(status == 3 && errors.contains("depth limit"), "{errors}");
    assert_eq!(film(&fs::read_to_string(folder.join("b.html")).expect("it is drawn"))["moves"], serde_json::json!([]));
    assert_eq!(run(&folder, &["render", "none.toml", "-o", "c.svg"]).0, 0, "no solution was requested");
}

#[test]
fn wrong_requests_are_refused() {
    let folder = folder("render-refused", &[("five.toml", EIGHT)]);
    let refused = |arguments: &[&str], words: &[&str]| {
        let (status, out, errors) = run(&folder, &[&["render"], arguments].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?} {errors}");
        for word in words {
            assert!(errors.contains(word), "{word} is not in: {errors}");
        }
    };
    refused(&["five.toml"], &["--output <OUT>"]);
    refused(&["five.toml", "-o", "-"], &["--format"]);
    refused(&["five.toml", "-o", "a.bmp"], &["a.bmp", "svg", "png", "gif", "html"]);
    refused(&["five.toml", "-o", "a.pgn"], &["did you mean `png`"]);
    refused(&["five.toml", "-o", "five.toml", "--format", "svg"], &["five.toml"]);
    refused(&["five.toml", "-o", "no/such/a.svg"], &["no/such/a.svg"]);
    refused(&["five.toml", "-o", "a.svg", "--step", "6"], &["invalid value `6` for `--step`", "0 to 5"]);
    refused(&["five.toml", "-o", "a.png", "--solution"], &["cannot be animated"]);
    refused(&["five.toml", "-o", "a.gif", "--step", "1"], &["--step"]);
    refused(&["five.toml", "-o", "a.png", "--cell", "4096"], &["too large"]);
    refused(&["five.toml", "-o", "a.png", "--cell", "0"], &["0.01 to 4096"]);
    refused(&["five.toml", "-o", "a.gif", "--speed", "nan"], &["0.1 to 20"]);
    refused(&["five.toml", "-o", "a.html", "--heuristic", "hammin"], &["did you mean `hamming`"]);
    refused(&["missing.toml", "-o", "a.svg"], &["missing.toml"]);
    let left: HashSet<String> =
        fs::read_dir(&folder).unwrap().map(|file| file.unwrap().file_name().into_string().unwrap()).collect();
    assert_eq!(left.len(), 1, "nothing is left behind: {left:?}");
}

#[test]
fn a_board_that_is_too_large_is_refused_before_any_search() {
    let many: Vec<String> =
        (0..200).map(|row| (0..200).map(|at| (row * 200 + at).to_string()).collect::<Vec<_>>().join(" ")).collect();
    let huge = format!("title = \"Huge\"\ndomain = \"sliding-tile\"\nstart = \"\"\"\n{}\n\"\"\"\n", many.join("\n"));
    let folder = folder("render-huge", &[("huge.toml", &huge)]);
    let (status, _, errors) = run(&folder, &["render", "huge.toml", "-o", "huge.html"]);
    assert!(status == 2 && errors.contains("too large to draw") && errors.contains("16384"), "{errors}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_reported() {
    let folder = folder("render-full", &[("five.toml", EIGHT)]);
    let (status, _, errors) = run(&folder, &["render", "five.toml", "-o", "/dev/full", "--format", "gif"]);
    assert!(status == 2 && errors.contains("/dev/full"), "{errors}");
    let full = fs::OpenOptions::new().write(true).open("/dev/full").expect("a full disk");
    let ended = command(&folder, &["render", "five.toml", "-o", "-", "--format", "html"]).stdout(full).output();
    assert_eq!(ended.expect("it runs").status.code(), Some(2));
}

#[test]
fn large_maps_and_long_solutions_yield_small_files() {
    // A serpentine of corridors: every other row is a wall with a gap at one end.
    let side = 129;
    let row = |at: usize| match (at % 2, at % 4) {
        (0, _) => ".".repeat(side),
        (_, 1) => "#".repeat(side - 1) + ".",
        _ => ".".to_owned() + &"#".repeat(side - 1),
    };
    let map: Vec<String> = (0..side).map(row).collect();
    let mut map = map.join("\n");
    map.replace_range(..1, "S");
    let end = map.len() - 1;
    map.replace_range(end.., "G");
    let maze = format!("title = \"Long\"\ndomain = \"maze\"\nmap = \"\"\"\n{map}\n\"\"\"\n");
    let folder = folder("render-long", &[("long.toml", &maze)]);
    for (format, more, most) in [
        ("svg", &["--solution"][..], 200_000),
        ("png", &[], 300_000),
        ("gif", &[], 3_000_000),
        ("html", &[], 1_500_000),
    ] {
        let drawn = draw(&folder, "long.toml", format, more);
        assert!(drawn.len() < most, "{format}: {} bytes", drawn.len());
    }
}

#[test]
fn a_page_to_play_in_has_the_rules_of_every_domain_and_loads_nothing() {
    let folder = folder("render-play", &[]);
    for (name, moves, _) in ONE_EACH {
        let file = puzzle(name);
        let page = text(draw(&folder, &file, "html", &["--play"]));
        assert_self_contained(&page);
        // Games have a second script, which interprets their rules.
        let most = if name.starts_with("puzzlescript/") { 88_000 } else { 75_000 };
        assert!(page.len() < most, "{name}: {} bytes", page.len());
        assert_eq!(page, text(draw(&folder, &file, "html", &["--play"])), "{name}: the same bytes again");
        let levels = levels_of(&page);
        assert_eq!(levels.len(), 1);
        assert_eq!(levels[0]["solution"].as_array().map(Vec::len), Some(moves), "{name}");
        assert_eq!((&levels[0]["optimal"], &levels[0]["hopeless"]), (&true.into(), &false.into()), "{name}");
    }
}

/// Parses the levels of a page to play in.
fn levels_of(page: &str) -> Vec<serde_json::Value> {
    let data = page.split("id=\"game\">").nth(1).and_then(|rest| rest.split("</script>").next()).expect("data");
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    data["levels"].as_array().expect("levels").clone()
}

#[test]
fn a_folder_becomes_one_page_with_a_menu() {
    let folder = folder("render-menu", &[]);
    fs::create_dir_all(folder.join("levels")).expect("a folder");
    let titled = |text: &str, title: &str| text.replacen("title = \"", &format!("title = \"{title} "), 1);
    fs::write(folder.join("levels/2.toml"), titled(EIGHT, "</script>")).expect("a file");
    fs::write(folder.join("levels/1.toml"), titled(EIGHT, "First")).expect("a file");
    fs::write(folder.join("levels/3.toml"), UNSOLVABLE).expect("a file");
    let (status, out, errors) = run(&folder, &["render", "levels", "-o", "-", "--format", "html", "--play"]);
    assert_eq!(status, 0, "{errors}");
    assert!(errors.starts_with("levels/3.toml: unsolvable") && errors.contains("the page has no solution"), "{errors}");
    assert_self_contained(&out);
    let levels = levels_of(&out);
    let titles: Vec<&str> = levels.iter().filter_map(|level| level["title"].as_str()).collect();
    assert_eq!(titles, ["First Five", "</script> Five", "None"]);
    assert_eq!(levels[2]["hopeless"], true);
    let second = "<button type=\"button\">2. &lt;/script&gt; Five <small>3x3, optimum 5</small></button>";
    assert!(out.contains(second), "the menu escapes titles, and shows size and optimum: {out}");
    let goal = levels[0]["goal"].as_str().expect("the goal");
    assert!(goal.starts_with("<svg class=\"goal\"") && goal.contains("id=\"goal0-s0\""), "{goal}");
    assert_eq!(levels[0]["inWords"], serde_json::json!(["goal: row 1: 1, 2, 3; row 2: 4, 5, 6; row 3: 7, 8, free"]));
    // Every level but the first brings its own board, as numbers of lines.
    assert!(levels[0]["board"].is_null() && levels[1]["board"].as_array().is_some_and(|lines| lines.len() > 1));
    let crates = root().join("puzzles/puzzlescript/crates.txt");
    let crates = crates.to_str().expect("UTF-8");
    let (status, out, _) = run(&folder, &["render", crates, "-o", "-", "--format", "html", "--play"]);
    assert_eq!((status, levels_of(&out).len() > 1), (0, true), "a collection is one page");
    let one = format!("{crates}#1");
    let (status, out, _) = run(&folder, &["render", &one, "-o", "-", "--format", "html", "--play"]);
    assert_eq!((status, levels_of(&out).len()), (0, 1), "one level of it is a page of its own");
}

#[test]
fn a_menu_has_stars_in_the_order_of_difficulty() {
    let folder = folder("render-stars", &[]);
    fs::create_dir(folder.join("levels")).expect("the folder is new");
    fs::write(folder.join("levels/4.toml"), UNSOLVABLE).expect("a file");
    for (name, moves) in [("1", "04"), ("2", "02"), ("3", "03")] {
        let from = root().join(format!("puzzles/eight-puzzle/{moves}-moves.toml"));
        fs::copy(from, folder.join(format!("levels/{name}.toml"))).expect("a puzzle can be copied");
    }
    let (status, out, errors) =
        run(&folder, &["render", "levels", "-o", "-", "--format", "html", "--play", "--stars", "--quiet"]);
    assert_eq!(status, 0, "{errors}");
    let titles: Vec<String> = levels_of(&out).iter().map(|level| level["title"].to_string()).collect();
    let (_, rated, _) = run(&folder, &["rate", "levels", "--sort", "--json"]);
    let rated: Vec<String> = rated
        .lines()
        .map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object")["title"].to_string())
        .collect();
    assert_eq!(titles, rated, "the menu has the order of the ratings, those without a score last");
    let stars: Vec<usize> = out
        .lines()
        .filter(|line| line.starts_with("<button") && line.contains(" of 5 stars"))
        .map(|line| line.matches('★').count())
        .collect();
    assert!(stars.first() == Some(&1) && stars.is_sorted() && stars.len() <= 3, "{stars:?}");
    let (status, _, error) = run(&folder, &["render", "levels", "-o", "x.html", "--stars"]);
    assert!(status == 2 && error.contains("--play"), "{error}");
}

#[test]
fn the_only_level_of_its_domain_has_a_score_in_the_menu_and_no_stars() {
    let folder = folder("render-score", &[]);
    fs::create_dir(folder.join("levels")).expect("the folder is new");
    for name in ["eight-puzzle/04-moves", "mazes/terrain"] {
        let to = folder.join("levels").join(format!("{}.toml", name.replace('/', "-")));
        fs::copy(root().join(format!("puzzles/{name}.toml")), to).expect("a puzzle can be copied");
    }
    let (_, rated, _) = run(&folder, &["rate", "levels", "--json"]);
    let (status, out, errors) = run(&folder, &["render", "levels", "-o", "-", "--format", "html", "--play", "--stars"]);
    assert_eq!(status, 0, "{errors}");
    let buttons: Vec<&str> =
        out.lines().filter(|line| line.starts_with("<button") && line.contains("<small>")).collect();
    let scores = rated.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("an object"));
    let scores: Vec<f64> = scores.map(|rating| rating["score"].as_f64().expect("it is solved")).collect();
    assert_eq!((buttons.len(), scores.len()), (2, 2), "{buttons:?}");
    for (button, score) in buttons.iter().zip(scores) {
        assert!(button.contains(&format!("score {score:.1}</small>")), "{score}: {button}");
        assert!(!button.contains('★'), "there is nothing to compare it with: {button}");
    }
}

#[test]
fn a_page_of_a_folder_leaves_out_what_is_invalid_and_only_shows_what_is_too_large() {
    let tagged = format!("tags = [\"test\"]\n{EIGHT}");
    let files = [("bad.toml", "x = 1\n"), ("tagged.toml", &*tagged)];
    let folder = folder("render-some", &files);
    fs::create_dir_all(folder.join("more")).expect("a folder");
    fs::write(folder.join("more/five.toml"), EIGHT).expect("a file");
    fs::write(folder.join("words.toml"), many_words()).expect("a file");
    let (status, out, errors) = run(&folder, &["render", ".", "-o", "-", "--format", "html", "--play"]);
    assert_eq!(status, 0, "{errors}");
    assert!(errors.contains("bad.toml") && errors.contains("note: this file is left out"), "{errors}");
    assert!(errors.contains("words.toml: ") && errors.contains("; the page only shows it"), "{errors}");
    let levels = levels_of(&out);
    assert_eq!(levels.len(), 2, "a puzzle for tests is not for players: {errors}");
    assert!(levels[0]["still"].is_null() || levels[1]["still"].is_null(), "{errors}");
    assert!(levels.iter().any(|level| level["still"].is_string()), "{errors}");
    assert!(out.contains("<h3>more</h3>"), "the menu has a heading for each folder");
}

#[test]
fn drawing_ends_at_the_time_limit() {
    let folder = folder("render-limit", &[("five.toml", EIGHT)]);
    let moves = "4d 4u ".repeat(200);
    let (status, _, errors) =
        run(&folder, &["render", "five.toml", "-o", "x.gif", "--replay", moves.trim(), "--time-limit", "200ms"]);
    assert_eq!(status, 3, "{errors}");
    assert!(errors.contains("time") && !folder.join("x.gif").exists(), "{errors}");
}

/// Returns a word ladder with all words of 16 letters, each of which is one of two.
fn many_words() -> String {
    let word = |number: u32| (0..16).map(|bit| if number >> bit & 1 == 0 { 'a' } else { 'b' }).collect::<String>();
    let words: Vec<String> = (0..1 << 16).map(word).collect();
    format!("title = 'W'\ndomain = 'word-ladder'\nstart = '{}'\ngoal = '{}'\nwords = {words:?}\n", words[0], words[1])
}

#[test]
fn a_page_to_play_in_is_refused_with_the_reason() {
    let folder = folder("render-play-refused", &[("none.toml", UNSOLVABLE)]);
    fs::create_dir_all(folder.join("empty")).expect("a folder");
    let refused = |arguments: &[&str], expected: &str| {
        let (status, out, errors) = run(&folder, &[&["render"], arguments, &["--play"]].concat());
        assert_eq!((status, out.as_str()), (2, ""), "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
    };
    refused(&["none.toml", "-o", "x.svg"], "`--play` makes a page in HTML");
    refused(&["none.toml", "-o", "x.html", "--solution"], "cannot be used with");
    refused(&["empty", "-o", "x.html"], "has no puzzles");
    fs::write(folder.join("words.toml"), many_words()).expect("a file");
    refused(&["words.toml", "-o", "x.html"], "more than 50,000 positions");
    assert!(!folder.join("x.html").exists());
    let (status, out, errors) = run(&folder, &["render", "none.toml", "-o", "-", "--format", "html", "--play"]);
    assert_eq!(status, 1, "{errors}");
    assert_eq!(levels_of(&out)[0]["hopeless"], true);
    let moves = ["render", "none.toml", "-o", "-", "--format", "html", "--play", "--replay", "3l"];
    let (status, out, errors) = run(&folder, &moves);
    assert_eq!((status, errors.as_str()), (0, ""));
    assert_eq!(levels_of(&out)[0]["solution"], serde_json::json!(["3l"]));
}

#[test]
fn searches_are_drawn_in_every_format() {
    let folder = folder("render-search", &[("five.toml", EIGHT)]);
    let searches = ["--search", "a-star,bfs", "--heuristic", "manhattan,hamming"];
    let page = text(draw(&folder, "five.toml", "html", &searches));
    assert_self_contained(&page);
    for name in ["a-star · manhattan", "a-star · hamming", "\"bfs\""] {
        assert!(page.contains(name), "{name}");
    }
    assert_eq!(page, text(draw(&folder, "five.toml", "html", &searches)), "the same bytes each time");
    let still = text(draw(&folder, "five.toml", "svg", &[&searches[..], &["--at", "0,2"]].concat()));
    assert_self_contained(&still);
    let drawing = Document::parse(&still).expect("well-formed");
    let texts: Vec<&str> = drawing.descendants().filter(Node::is_text).filter_map(|node| node.text()).collect();
    assert_eq!(texts.iter().filter(|text| text.starts_with("expanded 2,")).count(), 3, "{texts:?}");
    assert!(draw(&folder, "five.toml", "png", &searches).starts_with(b"\x89PNG"));
    assert!(draw(&folder, "five.toml", "gif", &searches).starts_with(b"GIF89a"));
}

#[test]
fn a_record_that_is_cut_reports_where() {
    let folder = folder("render-search-cut", &[("five.toml", EIGHT)]);
    let page = text(draw(&folder, "five.toml", "html", &["--search", "bfs", "--trace-limit", "3"]));
    assert!(page.contains("the record ends after 3 expansions"));
    assert!(page.contains("solved at cost 5, proven shortest"), "the search goes on");
}

#[test]
fn frames_are_pictures_in_a_new_folder() {
    let folder = folder("render-frames", &[("five.toml", EIGHT)]);
    let arguments = ["render", "five.toml", "--search", "a-star", "--heuristic", "manhattan", "--frames", "slides"];
    let (status, _, errors) = run(&folder, &arguments);
    assert_eq!((status, errors.as_str()), (0, ""));
    let mut names: Vec<String> = fs::read_dir(folder.join("slides"))
        .expect("the folder exists")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    assert!(names.len() >= 6 && names[0] == "0.png" && names[1] == "1.png", "{names:?}");
    let (status, _, errors) = run(&folder, &arguments);
    assert!(status == 2 && errors.contains("the folder is not empty"), "{errors}");
}

#[test]
fn wrong_requests_for_searches_are_reported() {
    let folder = folder("render-search-wrong", &[("five.toml", EIGHT)]);
    for (arguments, expected) in [
        (&["--search", "bfs", "--at", "100000", "-o", "a.svg"][..], "expected numbers from 0 to"),
        (&["--search", "bfs", "--at", "1", "-o", "a.html"], "leave out `--at`"),
        (&["--search", "bfs", "--play", "-o", "a.html"], "cannot be used with"),
        (&["--search", "quick", "-o", "a.html"], "invalid value 'quick'"),
        (&["--search", "a-star", "--heuristic", "manhatan", "-o", "a.html"], "manhattan"),
        (&["--at", "1", "-o", "a.svg"], "--search"),
    ] {
        let (status, _, errors) = run(&folder, &[&["render", "five.toml"][..], arguments].concat());
        assert_eq!(status, 2, "{arguments:?}: {errors}");
        assert!(errors.contains(expected), "{arguments:?}: {errors}");
        assert!(!folder.join("a.svg").exists() && !folder.join("a.html").exists());
    }
}

#[test]
fn names_with_markup_are_harmless_in_pages_of_searches() {
    let bad = EIGHT.replacen("title = \"", "title = \"<script>alert(1)</script>", 1);
    let folder = folder("render-search-markup", &[("bad.toml", &bad)]);
    let page = text(draw(&folder, "bad.toml", "html", &["--search", "bfs"]));
    assert_eq!(page.matches("<script").count(), 2, "the data and the script");
    assert!(page.contains("&lt;script&gt;alert(1)"));
}
