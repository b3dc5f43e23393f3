//! Tests boards from other sources: other formats, board files, and scrambles.

use crate::support::program::{EIGHT, folder, run, without_seconds};
use crate::support::root;
use std::fs;

#[test]
fn boards_in_other_formats_become_puzzles() {
    let cars = "60 IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM 2332\n";
    let files = [
        ("cars.txt", cars),
        ("two.txt", &*cars.repeat(2)),
        ("card.txt", "..B.CC\n..B...\nAAB...\nDDD..E\n.....E\n.....E\n"),
        ("huarong.txt", "abbc\nabbc\ndeef\ndghf\ni..j\n"),
        ("both.txt", "a.\n..\n\n..\n.a\n"),
        ("sized.txt", "3\n 0 1 3\n 4 2 5\n 7 8 6\n"),
        ("tiles.txt", "0 1 3\n4 2 5\n7 8 6\n"),
        ("two-by-two.txt", "1 2\n0 3\n"),
        ("column.txt", "0\n1\n"),
        ("cell.txt", "0\n"),
        ("upright.txt", "A.....\nA.....\n......\n......\n......\n......\n"),
        ("short.txt", "1 2 3\n4 5\n"),
        ("prose.txt", "Once upon a time,\nthere was a puzzle!\n"),
        ("puzzle.toml", EIGHT),
    ];
    let folder = folder("import", &files);
    let cost = |arguments: &[&str]| {
        let (status, out, error) = run(&folder, &[&["import", "--quiet"], arguments].concat());
        assert_eq!((status, &*error), (0, ""), "{arguments:?}");
        fs::write(folder.join("imported.toml"), out).expect("written");
        without_seconds(&run(&folder, &["solve", "imported.toml", "--format", "json"]).1)["cost"].as_f64()
    };
    assert_eq!(cost(&["cars.txt"]), Some(60.0));
    assert_eq!(cost(&["two.txt", "--line", "2"]), Some(60.0));
    assert_eq!(cost(&["IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM"]), Some(60.0));
    assert_eq!(cost(&["card.txt"]), Some(9.0));
    assert_eq!(cost(&["huarong.txt", "--goal", "b=3,1"]), Some(90.0));
    assert_eq!(cost(&["both.txt"]), Some(2.0));
    assert_eq!(cost(&["sized.txt"]), Some(4.0));
    assert_eq!(cost(&["tiles.txt"]), Some(4.0));
    assert_eq!(cost(&["two-by-two.txt"]), Some(1.0));
    assert_eq!(cost(&["column.txt"]), Some(1.0));
    assert_eq!(cost(&["cell.txt"]), Some(0.0));

    let refused = |arguments: &[&str], why: &str| {
        let (status, out, error) = run(&folder, &[&["import"], arguments].concat());
        assert_eq!((status, &*out), (2, ""), "{arguments:?}");
        assert!(error.contains(why), "{arguments:?} does not say `{why}` but: {error}");
    };
    refused(&["two.txt"], "two.txt:2:4");
    refused(&["two.txt", "--line", "3"], "no line 3");
    refused(&["upright.txt"], "the car `A` is vertical");
    refused(&["huarong.txt"], "--goal a=3,1");
    refused(&["huarong.txt", "--goal", "b"], "NAME=ROW,COLUMN");
    refused(&["huarong.txt", "--goal", "z=0,0"], "`z`");
    refused(&["short.txt"], "as it was read");
    refused(&["puzzle.toml"], "puzzle.toml: is a puzzle file already");
    refused(&["cars.txt", "--from", "rushhour"], "did you mean `rush-hour`?");
    refused(&["nowhere.txt"], "cannot be opened");
    refused(&["prose.txt", "--goal", "O=0,0"], "prose.txt: unknown format");
    refused(&["tiles.txt", "--goal", "a=0,0"], "`--goal` is not for texts of the format `tiles`");
    refused(&["huarong.txt", "--goal", "b=3,1", "--rows", "2"], "`--rows` is not for texts of the format `drawing`");
}

/// A board of cars of five rows: `C` moves up, then `A` leaves.
const FIVE: &str = "oBBoo\noooCo\nAAoCo\nooDDo\nooooo\n";

#[test]
fn boards_of_cars_have_any_size_and_any_target() {
    let line: String = FIVE.lines().collect();
    let renamed = FIVE.replace('A', "X");
    let walled = "..x....\n.......\nAA.B...\n...B...\n.......\n.......\n.......\n";
    let upright = "A....\nA....\n.BB..\n.....\n.....\n";
    let commented = format!("# five by five\n#\n{FIVE}# the end\n");
    let files = [
        ("lines.txt", FIVE),
        ("dots.txt", &*FIVE.replace('o', ".")),
        ("line.txt", &*format!("# cost board\n2 {line} 7\n")),
        ("commented.txt", &*commented),
        ("renamed.txt", &*renamed),
        ("seven.txt", walled),
        ("upright.txt", upright),
        ("mac.txt", &*FIVE.replace('\n', "\r")),
        ("wide.txt", "AA.B.....B.....B....................\n"),
        ("letters.txt", &*FIVE.to_lowercase().replace('o', ".")),
        ("doubtful.txt", "AA.o.\n...o.\n.....\n.....\nBB...\n"),
        ("broken.txt", &*FIVE.replace("ooDDo", "ooDoD")),
    ];
    let folder = folder("import-cars", &files);
    let import = |arguments: &[&str]| {
        let (status, out, note) = run(&folder, &[&["import"], arguments].concat());
        assert_eq!(status, 0, "{arguments:?}: {note}");
        assert!(out.contains("moves = \"lengthwise\""), "{out}");
        fs::write(folder.join("imported.toml"), out).expect("written");
        let cost = without_seconds(&run(&folder, &["solve", "imported.toml", "--format", "json"]).1)["cost"].as_f64();
        (cost, note)
    };
    let read = |file: &str, size: &str| {
        format!("note: {file} is read as `rush-hour`: a {size} board of cars, which move lengthwise")
    };
    let note = |file: &str, size: &str| read(file, size) + " until `A` leaves on the right\n";
    for file in ["lines.txt", "dots.txt", "line.txt", "commented.txt", "mac.txt"] {
        assert_eq!(import(&[file]), (Some(2.0), note(file, "5x5")), "{file}");
    }
    assert_eq!(import(&[&line]).0, Some(2.0), "the board itself");
    assert_eq!(import(&["renamed.txt", "--goal", "X=2,3"]), (Some(2.0), read("renamed.txt", "5x5") + "\n"));
    assert_eq!(import(&["lines.txt", "--goal", "A=2,3"]), (Some(2.0), read("lines.txt", "5x5") + "\n"));
    assert_eq!(import(&["upright.txt", "--goal", "A=3,0"]).0, Some(1.0));
    assert_eq!(import(&["seven.txt"]), (Some(2.0), note("seven.txt", "7x7")));
    assert_eq!(
        import(&["letters.txt", "--from", "rush-hour", "--goal", "a=2,3", "--quiet"]),
        (Some(2.0), String::new())
    );
    assert_eq!(import(&["wide.txt"]), (Some(2.0), note("wide.txt", "6x6")));

    let refused = |arguments: &[&str], why: &[&str]| {
        let (status, out, error) = run(&folder, &[&["import"], arguments].concat());
        assert_eq!((status, &*out), (2, ""), "{arguments:?}");
        assert!(why.iter().all(|why| error.contains(why)), "{arguments:?} does not say {why:?} but: {error}");
    };
    refused(&["renamed.txt"], &["missing car `A`", "if `B` is the car to move to the right, add `--goal B=0,3`"]);
    refused(&["upright.txt"], &["the car `A` is vertical", "--goal B=2,3"]);
    refused(&["letters.txt", "--goal", "a=2,3"], &["unknown format", "`--from rush-hour`", "`--from drawing`"]);
    refused(&["doubtful.txt"], &["unknown format", "`o` may be a car or empty cells"]);
    refused(&["broken.txt"], &["unknown format", "it is not `rush-hour`: the cells of `D` do not form a car"]);
    refused(
        &["broken.txt", "--from", "drawing", "--goal", "A=2,3"],
        &["`o` has 3 separate parts", "write empty cells `.`"],
    );
}

#[test]
fn numbers_on_one_line_are_a_square_board() {
    let files = [
        ("square.txt", "# an 8-puzzle\n1 2 3 4 5 6 7 0 8\n"),
        ("commas.txt", "1, 2, 3, 4, 5, 6, 7, 0, 8"),
        ("row.txt", "1 2 3 4 0 5"),
    ];
    let folder = folder("import-rows", &files);
    for file in ["square.txt", "commas.txt"] {
        let (status, out, note) = run(&folder, &["import", file]);
        assert!(status == 0 && out.contains("\n1 2 3\n4 5 6\n7 0 8\n"), "{out}");
        assert_eq!(note, format!("note: {file} is read as `tiles`: a board of numbered tiles\n"));
    }
    let (status, _, error) = run(&folder, &["import", "row.txt"]);
    assert!(status == 2 && error.contains("6 numbers on one line") && error.contains("--rows 2"), "{error}");
    let (status, out, _) = run(&folder, &["import", "row.txt", "--rows", "2"]);
    assert!(status == 0 && out.contains("\n1 2 3\n4 0 5\n"), "{out}");
    assert_eq!(run(&folder, &["import", "row.txt", "--rows", "4"]).0, 2);
    assert_eq!(run(&folder, &["import", "row.txt", "--rows", "0"]).0, 2);
}

/// A map with a pillar: diagonal moves may not cut its corners.
const PILLAR: &str = "type octile\nheight 4\nwidth 5\nmap\n.....\n..@..\n.TG..\nS....\n";

/// Returns the cost of a cheapest path in eight directions, by relaxation of all edges until nothing changes (Bellman
/// and Ford). Rows and columns count from 0.
fn cheapest(map: &str, start: (i32, i32), goal: (i32, i32)) -> f64 {
    let rows: Vec<&[u8]> = map.lines().skip(4).map(str::as_bytes).collect();
    let is_open = |(row, column): (i32, i32)| {
        let cell = usize::try_from(row).ok().zip(usize::try_from(column).ok()).and_then(|(r, c)| rows.get(r)?.get(c));
        cell.is_some_and(|cell| b".GS".contains(cell))
    };
    let cells = || (0..rows.len() as i32).flat_map(|r| (0..rows[0].len() as i32).map(move |c| (r, c)));
    let mut lengths = std::collections::BTreeMap::from([(start, 0.0)]);
    loop {
        let before = lengths.clone();
        for ((from, length), to) in before.iter().flat_map(|known| cells().map(move |to| (known, to))) {
            let (down, right) = (to.0 - from.0, to.1 - from.1);
            let is_step = (down.abs().max(right.abs())) == 1 && is_open(to);
            if is_step && is_open((from.0, to.1)) && is_open((to.0, from.1)) {
                let least = lengths.entry(to).or_insert(f64::INFINITY);
                *least = least.min(length + f64::from(down * down + right * right).sqrt());
            }
        }
        if before == lengths {
            return lengths[&goal];
        }
    }
}

#[test]
fn maps_and_scenarios_become_mazes() {
    // A scenario has the column before the row: the path leads from row 0, column 0 to row 3, column 4.
    let length = cheapest(PILLAR, (0, 0), (3, 4));
    let exact = format!("{length:.8}");
    let line = |map: &str, length: &str| format!("3\t{map}\t5\t4\t0\t0\t4\t3\t{length}\n");
    let scenarios =
        format!("version 1\n{}{}", line("maps/pillar.map", "6.00000000"), line("far/away/pillar.map", &exact));
    let files = [
        ("pillar.map", PILLAR),
        ("p.scen", &*scenarios),
        ("rough.scen", &*("version 1\n".to_owned() + &line("pillar.map", &format!("{length:.2}")))),
        ("wide.scen", &*line("pillar.map", "1.0").replace("5\t4", "50\t40")),
        ("wall.scen", "0 pillar.map 5 4 2 1 4 3 1.0\n"),
        ("off.scen", "0 pillar.map 5 4 2 0 4 9 1.0\n"),
        ("lost.scen", "version 1\n0 nowhere.map 5 4 2 0 4 3 1.0\n"),
        ("short.scen", "version 1\n0 pillar.map 5 4 2\n"),
        ("cut.map", "type octile\nheight 4\nwidth 5\nmap\n.....\n"),
        ("elsewhere/q.scen", ""),
    ];
    let folder = folder("import-maps", &files[..9]);
    let import = |arguments: &[&str]| {
        let (status, out, error) = run(&folder, &[&["import", "--quiet"], arguments].concat());
        assert_eq!((status, &*error), (0, ""), "{arguments:?}");
        // An imported puzzle works in any folder.
        fs::create_dir_all(folder.join("elsewhere")).expect("a folder");
        fs::write(folder.join("elsewhere/imported.toml"), &out).expect("written");
        let solved = without_seconds(&run(&folder, &["solve", "elsewhere/imported.toml", "--format", "json"]).1);
        (out, solved["cost"].as_f64().expect("the puzzle has a solution"))
    };
    let (text, cost) = import(&["p.scen", "--line", "3"]);
    assert!(text.contains("moves = \"diagonal\"") && text.contains("\nS....\n..#..\n.#...\n....G\n"), "{text}");
    assert!(text.ends_with(&format!("[expect]\ncost = {exact}\n")) && (cost - length).abs() < 1e-6, "{cost} {text}");
    let (text, cost) = import(&["rough.scen"]);
    assert!(!text.contains("[expect]") && text.contains("6.41,") && (cost - length).abs() < 1e-6, "{cost} {text}");
    let (text, cost) = import(&["pillar.map", "--goal", "start=3,0", "--goal", "goal = 0, 4"]);
    assert!((cost - cheapest(PILLAR, (3, 0), (0, 4))).abs() < 1e-6, "{cost} {text}");

    let refused = |arguments: &[&str], why: &str| {
        let (status, out, error) = run(&folder, &[&["import"], arguments].concat());
        assert_eq!((status, &*out), (2, ""), "{arguments:?}");
        assert!(error.contains(why), "{arguments:?} does not say `{why}` but: {error}");
    };
    refused(&["p.scen"], "the file has 2 scenarios");
    refused(&["p.scen", "--line", "1"], "choose the first scenario with `--line 2`");
    refused(&["p.scen", "--line", "9"], "no line 9");
    refused(&["wide.scen"], "for a map of 40x50, but this one is 4x5");
    refused(&["wall.scen"], "wall.scen:1:1");
    refused(&["wall.scen"], "the start [1, 2] is a wall");
    refused(&["off.scen"], "the goal [9, 4] is outside the map");
    refused(&["lost.scen", "--line", "2"], "lost.scen:2:1");
    refused(&["lost.scen"], "nowhere.map cannot be opened");
    refused(&["short.scen"], "expected 9 fields, found 5");
    refused(&["pillar.map"], "missing start and goal for the map");
    refused(&["pillar.map", "--goal", "start=0,0"], "missing goal for the map");
    refused(&["pillar.map", "--goal", "start=1,2", "--goal", "goal=0,0"], "[1, 2] is a wall");
    refused(&["pillar.map", "--goal", "start=x", "--goal", "goal=0,0"], "invalid place in `start=x`");
    refused(&["pillar.map", "--goal", "a=0,0"], "invalid value `a=0,0` for `--goal`");
    refused(&["cut.map", "--goal", "start=0,0"], "the map:6:1: the file ends after 1 of its 4 rows");
}

#[test]
fn board_files_are_found_beside_the_puzzle_and_read_to_the_end() {
    let puzzle = "title = \"f\"\ndomain = \"sliding-tile\"\nstart_file = \"boards/b.txt\"\n";
    let folder = folder("board-files", &[("deep.toml", puzzle)]);
    fs::create_dir(folder.join("boards")).unwrap();
    let solve = |board: &[u8]| {
        fs::write(folder.join("boards/b.txt"), board).unwrap();
        // The program runs in another folder: the path is relative to the puzzle file.
        let puzzle = folder.join("deep.toml");
        run(&root(), &["solve", puzzle.to_str().unwrap(), "--format", "moves"])
    };
    assert_eq!(solve(b"2 3\r\n1 2 3\r\n4 . 5\r\n"), (0, "5l\n".to_owned(), String::new()));
    assert_eq!(solve(b"2\n1\n2 0\n\n3"), (0, "3l\n".to_owned(), String::new()));
    // Some editors begin a text with a byte order mark.
    assert_eq!(solve(b"\xef\xbb\xbf2\n1 2\n0 3"), (0, "3l\n".to_owned(), String::new()));
    let (status, out, stderr) = solve(b"1\n0");
    assert_eq!((status, out.as_str()), (0, "\n"));
    assert!(stderr.starts_with("warning: ") && stderr.contains("the start already meets the goal"), "{stderr}");
    let refused = |board: &[u8], why: &[&str]| {
        let (status, out, error) = solve(board);
        assert_eq!((status, &*out), (2, ""), "{error}");
        assert!(error.contains("deep.toml:3:14"), "{error}");
        assert!(why.iter().all(|why| error.contains(why)), "not {why:?} but: {error}");
    };
    refused(b"2\n1 2\n2 0", &["b.txt:3:1: tile 2 appears more than once; missing: 3"]);
    refused(
        b"2\n1 2\n9 x",
        &["b.txt:3:1: tile 9 is out of range; the tiles of a 2x2 board are 1 to 3", "b.txt:3:3: invalid tile `x`"],
    );
    refused(b"2\n1 2\n3", &["b.txt:3:2: the file ends after 3 numbers: expected 4 for 2x2 cells; missing: 0"]);
    refused(b"2\n1 2\n3 0 4", &["b.txt:3:5: too many numbers: expected 4 for 2x2 cells"]);
    refused(b"1 2 3 0", &["b.txt:1:5: unexpected third number"]);
    refused(b"0 9\n", &["b.txt:1:1: invalid size 0x9"]);
    refused(b"2 x\n", &["b.txt:1:3: invalid size `x`"]);
    refused(b" \n", &["is empty"]);
    refused(b"32768\n1 2", &["the file ends after 2 numbers: expected 1073741824"]);
    refused(&[0xff; 100_000], &["b.txt:1:1: invalid size `?"]);
    fs::remove_file(folder.join("boards/b.txt")).unwrap();
    let (status, _, error) = run(&folder, &["check", "deep.toml"]);
    assert!(status == 2 && error.contains("boards/b.txt cannot be opened"), "{error}");
}

#[test]
fn a_scrambled_puzzle_is_a_puzzle_with_the_same_rules() {
    let ring = "title = \"A \\\"ring\\\"\"\nauthor = \"somebody\"\ndomain = \"sliding-tile\"\nrows = 3\ncolumns = 3\n\
        scramble.seed = 1\nsurface = \"mobius\"\nrepresentation = \"array\"\ngoal = \"\"\"\n1 2 3\n8 . 4\n7 6 5\n\"\"\"\n\
        [search]\nalgorithm = \"bfs\"\n[expect]\ncost = 99\n";
    let klotski = root().join("puzzles/klotski1.toml");
    let maze = "title = \"m\"\ndomain = \"maze\"\nmap = \"\"\"\nS3#\n..G\n\"\"\"\n[expect]\ncost = 3\n";
    let grove = root().join("puzzles/mazes/map-file.toml");
    let wide = "title = \"w\"\ndomain = \"sliding-tile\"\nrows = 1025\ncolumns = 1024\nscramble = { seed = 1 }\n";
    let folder = folder("scramble", &[("ring.toml", ring), ("wide.toml", wide), ("maze.toml", maze)]);
    let scramble = |arguments: &[&str]| run(&folder, &[&["scramble"], arguments].concat());
    let (status, drawn, _) = scramble(&["ring.toml", "--moves", "9", "--seed", "4"]);
    let kept = [
        "title = 'A \"ring\", scrambled (seed 4)'",
        "author = \"somebody\"",
        "surface = \"mobius\"",
        "representation = \"array\"",
        "1 2 3\n8 . 4\n7 6 5",
        "algorithm = \"bfs\"",
    ];
    assert!(status == 0 && kept.iter().all(|kept| drawn.contains(kept)), "{drawn}");
    assert!(!drawn.contains("scramble.seed") && !drawn.contains("99"), "{drawn}");
    fs::write(folder.join("drawn.toml"), &drawn).unwrap();
    let (status, solved, error) = run(&folder, &["solve", "drawn.toml", "--format", "json"]);
    assert_eq!((status, &*error), (0, ""));
    assert!(without_seconds(&solved)["cost"].as_f64().is_some_and(|cost| (1.0..=9.0).contains(&cost)), "{solved}");

    assert_eq!(scramble(&["ring.toml", "--moves", "9", "--seed", "4"]).1, drawn, "the same bytes again");
    assert_ne!(scramble(&["ring.toml", "--moves", "9", "--seed", "5"]).1, drawn);
    assert_ne!(scramble(&["ring.toml", "--seed", "4"]).1, drawn);
    let (_, keys, _) = scramble(&["wide.toml", "--moves", "3", "--seed", "2"]);
    assert!(keys.ends_with("rows = 1025\ncolumns = 1024\nscramble = { moves = 3, seed = 2 }\n"), "{keys}");
    for arguments in [&["maze.toml", "--seed", "3"][..], &["maze.toml", "--moves", "2"]] {
        let (status, text, _) = scramble(arguments);
        assert!(status == 0 && text.matches('S').count() == 1 && text.matches('G').count() == 1, "{text}");
        assert!(!text.contains("S3#") && !text.contains("expect"), "{text}");
        fs::write(folder.join("again.toml"), &text).unwrap();
        assert_eq!(run(&folder, &["solve", "again.toml"]).0, 0, "{text}");
    }
    let (status, text, _) = scramble(&[grove.to_str().unwrap(), "--seed", "8"]);
    assert!(status == 0 && text.contains("start = [") && text.contains("goal = [23, 23]"), "{text}");
    assert!(text.contains("map_file = \"maps/grove.map\"") && !text.contains("start = [0, 0]"), "{text}");
    let (status, out, error) = scramble(&[klotski.to_str().unwrap()]);
    assert!(
        status == 0 && out.contains("domain = \"klotski\"") && out.contains("start = ") && error.is_empty(),
        "{error}"
    );
}
