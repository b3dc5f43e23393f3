//! Tests PuzzleScript levels whose answers PuzzleScript itself gives: each breaks a rule of thumb about what moves.

use engine::search::Algorithm;
use engine::{Options, Puzzle};

/// Returns a level of a game with a player, walls and crates. `names` are more entries of the legend, `layers` those
/// above the targets.
fn level(names: &str, layers: &str, rules: &str, win: &str, rows: &str) -> String {
    let objects = ["Background", "Wall", "Player", "Crate", "Target", "Belt", "Grate", "Ghost"];
    let objects: String = objects.iter().map(|object| format!("{object}\ngrey\n\n")).collect();
    format!(
        "title = 'Level'\ndomain = 'puzzlescript'\nsource = '''\ntitle t\n\nOBJECTS\n{objects}\nLEGEND\n\
         . = Background\n# = Wall\np = Player\nt = Target\n{names}\nSOUNDS\n\n\
         COLLISIONLAYERS\nBackground\nTarget\n{layers}\n\nRULES\n{rules}\n\nWINCONDITIONS\n{win}\n\nLEVELS\n{}\n'''\n",
        rows.replace('/', "\n")
    )
}

#[test]
fn levels_in_which_more_than_the_player_moves_have_their_answers() {
    let push = "[ > Player | Crate ] -> [ > Player | > Crate ]";
    let apart = "Player, Wall, Belt, Grate\nCrate, Ghost";
    let levels = [
        (
            "a conveyor brings the crate to the player",
            level(
                "c = Crate and Belt\nb = Belt",
                apart,
                "[ > Player | Crate | no Wall ] -> [ > Player | > Crate | no Wall ]\n\
                 right [ Crate Belt ] -> [ right Crate Belt ]",
                "all Crate on Target",
                "########/####...#/#cbb.p.#/####t..#/########",
            ),
            4.0,
        ),
        (
            "a crate falls after each turn",
            level(
                "c = Crate",
                "Wall, Crate, Belt, Grate, Ghost\nPlayer",
                &format!(
                    "{push}\n[ > Player | Wall ] -> [ Player | Wall ]\n\
                     late down [ Crate | no Wall no Crate no Player ] -> [ | Crate ] again"
                ),
                "all Crate on Target",
                "########/###c####/###.####/###.####/###.####/###.####/#.p..t.#/########",
            ),
            3.0,
        ),
        (
            "a crate falls through grates, a cell in each turn",
            level(
                "c = Crate and Grate\ng = Grate",
                apart,
                &format!("{push}\ndown [ Crate | no Wall ] -> [ down Crate | ]"),
                "all Crate on Target",
                "#######/###c###/###g###/###g###/#p..t.#/#######",
            ),
            4.0,
        ),
        (
            "a row takes out what an earlier row put into the same cell",
            level(
                "c = Crate",
                apart,
                "[ action Player ] [ Crate ] -> [ Crate ] [ Player ]",
                "no Crate",
                "#####/#p.c#/#####",
            ),
            3.0,
        ),
        (
            "two rows match the same cell",
            level(
                "z = Crate and Belt and Ghost",
                "Belt\nGhost\nPlayer, Wall, Grate\nCrate",
                "[ Belt ] [ Crate Ghost ] -> [ Belt Crate ] [ Ghost ]",
                "no Crate",
                "#####/#p.z#/#####",
            ),
            1.0,
        ),
        (
            "a ghost that the player makes moves the crate",
            level(
                "c = Crate\ng = Grate\nStone = Crate or Ghost",
                apart,
                "right [ action Player | no Wall no Stone ] -> [ Player | > Ghost ]\n\
                 [ > Ghost | Crate ] -> [ | > Crate ]",
                "all Stone on Target",
                "######/#pgct#/######",
            ),
            1.0,
        ),
    ];
    for (what, text, presses) in levels {
        let puzzle = Puzzle::parse(&text, "level.toml").unwrap_or_else(|report| panic!("{what}: {report}"));
        let blind =
            Options { algorithm: Some(Algorithm::Bfs), heuristic: Some("zero".to_owned()), ..Options::default() };
        for options in [Options::default(), blind] {
            let solution = puzzle.solve(&options).expect("the search starts");
            assert_eq!((solution.cost(), solution.is_optimal()), (Some(presses), true), "{what}");
        }
    }
}

#[test]
fn a_move_that_is_given_up_ends_the_count_of_solutions_and_is_named_as_the_cause() {
    // The action puts a wall where the player stands, in one layer: what PuzzleScript does then is not worked out.
    let text =
        level("", "Player, Wall\nCrate", "[ action Player ] -> [ Wall Player ]", "some Target on Player", "p..t");
    let puzzle = Puzzle::parse(&text, "level.toml").unwrap_or_else(|report| panic!("{report}"));
    let solve = |all_shortest| puzzle.solve(&Options { all_shortest, ..Options::default() });
    let solution = solve(None).expect("it is searched");
    assert_eq!((solution.cost(), solution.is_optimal()), (Some(3.0), false));
    let Err(error) = solve(Some(0)) else { panic!("solutions with that move are counted") };
    assert!(error.to_string().contains("take too long to work out"), "{error}");
}
