//! Tests on small puzzles of every domain that draws its start, by brute force: each edit is solved anew from the text of
//! its file, by the search that the file itself would have.

use super::*;
use crate::domain::{SplitMix64, WantedStart};
use crate::puzzle::{Loading, Options, Outcome, Puzzle};
use crate::search::{Limit, Limits};
use std::num::NonZero;

const SOKOBAN: &str = "# A comment.\ntitle = 's' # kept\ndomain = 'rules'\nstart = '''\n######\n#@...#\n#.$..#\n#....#\n######\n'''\n\
    marks = '''\n......\n......\n....x.\n......\n......\n'''\ngoal = { every = { '$' = 'x' } }\n\
    [[rules]]\nname = 'walk {direction}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 0\n\
    [[rules]]\nname = 'push {direction}'\nfrom = '@$.'\nto = '.@$'\nturns = true\n[expect]\ncost = 2\n";
const ICE: &str = "title = 'i'\ndomain = 'rules'\nstart = '''\n@..#\n....\n#...\n'''\ngoal = '''\n????\n????\n???@\n'''\n\
    [[rules]]\nname = '{direction}'\nfrom = '@.'\nto = '.@'\nturns = true\nrepeat = true\n";
const PEGS: &str = "title = 'p'\ndomain = 'rules'\nstart = { drawing = '''\noo..\n....\n''' }\ngoal = { count = { o = 1 } }\n\
    [[rules]]\nname = 'jump'\nfrom = 'oo.'\nto = '..o'\nturns = true\n";
const TILES: &str = "title = 't'\ndomain = 'sliding-tile'\nstart = \"\"\"\n01 2 4\n 3 . 5\n\"\"\"\n";
const MAZE: &str = "title = 'm'\ndomain = 'maze'\nmoves = 'diagonal'\nmap = \"\"\"\nS#..\n.#3.\n...G\n\"\"\"\n";
const BLOCKS: &str = "title = 'b'\ndomain = 'klotski'\nmetric = 'step'\nstart = '''\naab\n.cb\n...\n'''\ngoal = '''\n...\n.aa\n...\n'''\n";
const GAME: &str = "title = 'g'\ndomain = 'puzzlescript'\nlevel = 1\nsource = '''\n\
    OBJECTS\n\nBackground\nblack\n\nWall\nbrown\n\nPlayer\nblue\n\nCrate\norange\n\nTarget\nyellow\n\nLEGEND\n\n. = Background\n\
    # = Wall\nP = Player\n* = Crate\nO = Target\n@ = Crate and Target\n\nSOUNDS\n\nCOLLISIONLAYERS\n\nBackground\nTarget\n\
    Player, Wall, Crate\n\nRULES\n\n[ > Player | Crate ] -> [ > Player | > Crate ]\n\nWINCONDITIONS\n\nAll Target on Crate\n\n\
    LEVELS\n\n######\n#p*.O#\n#....#\n######\n\n'''\n";

const ALL: [&str; 7] = [SOKOBAN, ICE, PEGS, TILES, MAZE, BLOCKS, GAME];

fn puzzle(text: &str) -> Puzzle {
    Puzzle::parse(text, "test.toml").unwrap_or_else(|report| panic!("{report}\n{text}"))
}

fn canvas(puzzle: &Puzzle) -> Canvas<'_> {
    Canvas::of(puzzle).unwrap_or_else(|report| panic!("{report}"))
}

/// Returns the answer of a file by its own search, without anything that edits share.
fn by_itself(text: &str) -> Answer {
    let Ok(puzzle) = Puzzle::parse(text, "test.toml") else { return Answer::Invalid };
    let solution = puzzle.solve(&Options::default()).expect("it can be solved");
    match (solution.outcome(), solution.cost()) {
        (Outcome::Solved, Some(cost)) => {
            assert!(solution.is_optimal());
            Answer::Solved { cost }
        }
        (Outcome::Unsolvable, _) => Answer::Unsolvable,
        _ => panic!("there is no limit"),
    }
}

/// Rules with a counter, a forbidden condition, a disjunction, marks and costs.
const TOLL: &str = "title = 'c'\ndomain = 'rules'\nmarks = '''\n....\n..t.\n...x\n'''\n\
    start = { drawing = \"\"\"\n@.o.\n.#.o\n....\n\"\"\", coins = 0 }\nvariables = { coins = '0..3' }\n\
    goal = { every = { '@' = 'x' }, when = 'coins >= 1 or cell[0, 2] == o' }\n\
    never = \"coins == 3 and cell[1, 1] != '#'\"\n\
    [[rules]]\nname = 'walk {direction}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 2\n\
    [[rules]]\nname = 'take {direction}'\nfrom = '@o'\nto = '.@'\nturns = true\nwhen = 'coins < 3'\n\
    then = { coins = 'coins + 1' }\ncost = 3\n\
    [[rules]]\nname = 'push {direction}'\nfrom = '@o.'\nto = '.@o'\nturns = true\n";

/// Rules that depend on marks: starts with other marks are read.
const PORTAL: &str = "title = 'm'\ndomain = 'rules'\nstart = '''\n@..\n...\n'''\nmarks = '''\n...\nx..\n'''\n\
    goal = '''\n???\n??@\n'''\n[[rules]]\nname = 'step {direction}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 3\n\
    [[rules]]\nname = 'run {direction}'\nfrom = '@..'\nto = '..@'\non = 'x??'\nturns = true\n";

#[test]
fn a_start_that_is_not_read_has_the_answer_of_its_file() {
    let limits = Limits::default();
    for text in [SOKOBAN, ICE, PEGS, TOLL, PORTAL] {
        let before = puzzle(text);
        let original = canvas(&before);
        let mut random = SplitMix64::new(7);
        let symbols: Vec<CellSymbol> = original.symbols().collect();
        let places: Vec<Place> = original.places().collect();
        let (mut unread, mut solved) = (0, 0);
        for _ in 0..150 {
            let mut drawing = original.clone();
            for _ in 0..=random.below(4) {
                let place = places[random.below(places.len() as u64) as usize];
                drawing.set(place, symbols[random.below(symbols.len() as u64) as usize]);
            }
            let Some(found) = drawing.least_cost(drawing.cells(), &limits) else { continue };
            unread += 1;
            let edited = drawing.open(&limits).unwrap_or_else(|report| panic!("{report}\n{}", drawing.text()));
            let options = Options { all_shortest: Some(0), ..Options::default() };
            let solution = edited.solve(&options).expect("it can be solved");
            assert_eq!(solution.cost(), found.cost, "{}", drawing.text());
            if let (Some(count), Some(_)) = (found.solutions, found.cost) {
                assert_eq!(solution.solutions(), Some(count.into()), "{}", drawing.text());
            }
            solved += u32::from(found.cost.is_some());
        }
        assert!(unread >= 10 && solved >= 3, "{unread} starts, {solved} with a solution:\n{text}");
    }
}

/// A room with some walls, where boxes are lost in corners.
const ROOM: &str = "title = 'r'\ndomain = 'rules'\nstart = '''\n@$..\n.#$.\n...#\n....\n'''\nmarks = '''\n....\n....\n.xx.\n....\n'''\n\
    goal = { every = { '$' = 'x' } }\n[[rules]]\nname = 'walk {direction}'\nfrom = '@.'\nto = '.@'\nturns = true\ncost = 0\n\
    [[rules]]\nname = 'push {direction}'\nfrom = '@$.'\nto = '.@$'\nturns = true\ncost = 2\n";

#[test]
fn the_farthest_start_of_a_room_is_that_of_all_placements() {
    for text in [ROOM, ICE] {
        let before = puzzle(text);
        let canvas = canvas(&before);
        let cells = &canvas.cells()[0];
        let symbol = |text: &str| canvas.symbol_of(0, text).map(|symbol| symbol.symbol as u16);
        let (man, stone, empty) = (symbol("@"), symbol("$"), symbol(".").expect("the drawing has empty cells"));
        let moves = |symbol: u16| symbol == empty || Some(symbol) == man || stone == Some(symbol);
        // All ways to place the pieces, one after the other, each with the answer of its file.
        let bare: Vec<u16> = cells.iter().map(|&symbol| if moves(symbol) { empty } else { symbol }).collect();
        let mut boards = vec![bare];
        for piece in cells.iter().copied().filter(|&symbol| moves(symbol) && symbol != empty) {
            let with = |board: &Vec<u16>, at: usize| {
                let mut board = board.clone();
                board[at] = piece;
                board
            };
            let free = |board: &Vec<u16>| (0..board.len()).filter(|&at| board[at] == empty).collect::<Vec<_>>();
            boards = boards.iter().flat_map(|board| free(board).into_iter().map(move |at| with(board, at))).collect();
        }
        boards.sort();
        boards.dedup();
        let sheets = |board: &Vec<u16>| {
            let mut sheets = canvas.cells().to_vec();
            sheets[0].clone_from(board);
            sheets
        };
        let cost_of = |board: &Vec<u16>| by_itself(&canvas.with(&sheets(board)).text()).cost();
        let costs: Vec<(f64, &Vec<u16>)> = boards
            .iter()
            .step_by(boards.len().div_ceil(300))
            .filter_map(|board| Some((cost_of(board)?, board)))
            .collect();
        let most = costs.iter().map(|(cost, _)| *cost).fold(0.0, f64::max);
        for most_cost in [None, Some(most), Some(4.0), Some(3.0)] {
            let may_hold = |_: usize, _: u16| true;
            let wanted = WantedStart { most_cost, most_states: 1_000_000, pick: 5, may_hold: &may_hold };
            let found = canvas.farthest(canvas.cells(), &wanted, &Limits::default());
            let (board, known) = found.expect("each operator has an inverse").expect("there is a solution");
            let cost = known.cost.expect("it has a cost");
            assert_eq!(
                cost_of(&board),
                Some(cost),
                "the cost is that of the file:\n{}",
                canvas.with(&sheets(&board)).drawn()
            );
            let allowed = costs.iter().map(|(cost, _)| *cost).filter(|cost| most_cost.is_none_or(|most| *cost <= most));
            let farthest = allowed.fold(0.0, f64::max);
            assert!(cost >= farthest, "no start within the cost is farther: {cost}, {farthest}");
            assert!(most_cost.is_none_or(|most| cost <= most), "it is within what is wanted: {cost}");
            let cheaper = |cost: f64| canvas.cheaper(&sheets(&board), cost, &Limits::default());
            assert_eq!(cheaper(cost), Some(None), "none costs less than the least:\n{text}");
            let solution = cheaper(cost + 1.0).flatten().expect("the cheapest costs less than one more");
            assert!(canvas.allows(&sheets(&board), &solution), "it leads from its own start to a goal:\n{text}");
            let part = &solution[1..];
            assert!(!canvas.allows(&sheets(&board), part), "without its first move it is none:\n{text}");
        }
    }
}

#[test]
fn each_edit_has_the_answer_of_its_file() {
    for text in ALL {
        let before = puzzle(text);
        let found = edits(canvas(&before), 100_000, &Limits::default());
        assert_eq!((found.before, found.limit), (by_itself(text), None));
        assert!(found.edits.len() > 10, "{text}");
        for (edit, answer) in &found.edits {
            let mut edited = canvas(&before);
            assert!(edit.make(&mut edited));
            let edited = edited.text();
            assert_eq!(*answer, by_itself(&edited), "{} of\n{text}\n{edited}", edit.words(&found.canvas));
        }
        let effects: Vec<Effect> = found.effects().map(|(.., effect)| effect).collect();
        assert!(effects.iter().any(|effect| *effect != effects[0]), "{text}");
        let alone = Limits { threads: NonZero::new(1), ..Limits::default() };
        assert_eq!(edits(canvas(&before), 100_000, &alone).edits, found.edits, "{text}");
    }
}

#[test]
fn a_file_keeps_all_but_the_cells_that_change() {
    for text in ALL {
        let puzzle = puzzle(text);
        let before = canvas(&puzzle);
        assert_eq!(before.text(), text);
        for place in before.places() {
            for symbol in before.symbols().filter(|symbol| symbol.sheet == place.sheet) {
                let mut edited = before.clone();
                if !edited.set(place, symbol) {
                    continue;
                }
                assert_eq!(edited.at(place), symbol);
                let new = edited.text();
                let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
                let (old, new_lines) = (lines(text), lines(&new));
                assert_eq!(old.len(), new_lines.len(), "{new}");
                let changed = old.iter().zip(&new_lines).filter(|(old, new)| old != new).count();
                assert!((1..=2).contains(&changed), "{changed} lines\n{new}");
                // What is read from the new text is the same drawing.
                if let Ok(read) = Puzzle::parse(&new, "test.toml")
                    && let Ok(read) = Canvas::of(&read)
                {
                    assert_eq!(read.drawn(), edited.drawn(), "{new}");
                }
            }
        }
    }
}

#[test]
fn tiles_keep_their_columns_and_a_single_piece_moves() {
    let tiles = puzzle(TILES);
    let mut board = canvas(&tiles);
    let place = Place { sheet: 0, cell: 0 };
    let five = board.symbol_of(0, "5").expect("there is a tile 5");
    assert!(board.set(place, five));
    assert!(board.text().contains("\n 5 2 4\n 3 . 1\n"), "{}", board.text());
    let sokoban = puzzle(SOKOBAN);
    let mut level = canvas(&sokoban);
    let man = level.symbol_of(0, "@").expect("there is a man");
    assert!(level.set(Place { sheet: 0, cell: 9 }, man));
    assert!(level.drawn().starts_with("######\n#..@.#\n"), "{}", level.drawn());
}

#[test]
fn pieces_move_as_a_whole_and_not_into_each_other() {
    let blocks = puzzle(BLOCKS);
    let mut board = canvas(&blocks);
    let pieces: Vec<Piece> = board.pieces().collect();
    assert_eq!(pieces.iter().map(|piece| board.name(piece)).collect::<Vec<_>>(), ["a", "b", "c"]);
    for direction in Direction::ALL {
        assert!(!board.shift(&pieces[0], direction), "{direction:?}");
    }
    assert!(board.shift(&pieces[1], Direction::Down));
    assert_eq!(board.drawn(), "aa.\n.cb\n..b\n");
    let piece = board.pieces().next().expect("a is still there");
    assert!(board.shift(&piece, Direction::Right) && board.drawn().starts_with(".aa\n"));
    // A crate on its target is one symbol.
    let game = puzzle(GAME);
    let mut level = canvas(&game);
    let named = |level: &Canvas, name: &str| {
        let mut pieces = level.pieces();
        pieces.find(|piece| level.name(piece) == name).expect("it is there")
    };
    for row in ["#p.*o#", "#p..@#"] {
        let piece = named(&level, "crate");
        assert!(level.shift(&piece, Direction::Right));
        assert_eq!(level.drawn().lines().nth(1), Some(row));
    }
    let piece = named(&level, "crate");
    assert!(!level.shift(&piece, Direction::Up), "there is a wall");
    assert!(level.remove(&piece));
    assert_eq!(level.drawn().lines().nth(1), Some("#p..o#"));
}

#[test]
fn what_is_left_of_a_puzzle_is_needed() {
    for (text, unique) in [(SOKOBAN, false), (MAZE, true), (BLOCKS, true), (BLOCKS, false), (GAME, false), (PEGS, true)]
    {
        let before = puzzle(text);
        let options = Minimizing { unique, frame: true };
        let Ok(found) = minimize(canvas(&before), options, 100_000, &Limits::default()) else {
            panic!("its answer is known: {text}");
        };
        let count = |text: &str| {
            let puzzle = Puzzle::parse(text, "test.toml").ok()?;
            let options = Options { all_shortest: Some(0), ..Options::default() };
            puzzle.solve(&options).ok()?.solutions()
        };
        let small = found.after.text();
        assert_eq!((found.answer, by_itself(&small)), (by_itself(text), by_itself(text)), "{small}");
        assert!(!unique || count(text) == count(&small) && found.solutions == count(text), "{small}");
        assert_eq!((found.undecided, found.limit), (0, None));
        // Nothing more can go, by itself.
        let mut needed = 0;
        for edit in single_edits(&found.after) {
            let takes = match &edit {
                SingleEdit::Remove(_) => true,
                SingleEdit::Set(place, symbol) => found.after.empty(place.sheet) == Some(*symbol),
                SingleEdit::Shift(..) => false,
            };
            let mut less = found.after.clone();
            if takes && edit.make(&mut less) {
                let less = less.text();
                let is_same = by_itself(&less) == found.answer && (!unique || count(&less) == found.solutions);
                assert!(!is_same, "{} can go:\n{small}", edit.words(&found.after));
                needed += 1;
            }
        }
        assert!(needed >= found.needed && found.needed > 0, "{small}");
    }
    let before = puzzle(SOKOBAN);
    let kept = minimize(canvas(&before), Minimizing::default(), 100_000, &Limits::default());
    assert!(kept.is_ok_and(|found| found.removed.is_empty()), "its frame alone is decoration, and stays");
    let frame = Minimizing { unique: false, frame: true };
    let found = minimize(canvas(&before), frame, 100_000, &Limits::default());
    let found = found.unwrap_or_else(|_| panic!("its answer is known"));
    assert!(!found.removed.is_empty() && found.after.text().starts_with("# A comment.\ntitle = 's' # kept\n"));
    // Walks are free: solutions are counted apart from them.
    let unique = minimize(canvas(&before), Minimizing { unique: true, frame: false }, 100_000, &Limits::default());
    assert!(unique.is_ok_and(|found| found.solutions.is_some()));
}

#[test]
fn limits_leave_out_answers_and_say_so() {
    let before = puzzle(TILES);
    let found = edits(canvas(&before), 1, &Limits::default());
    let unknown = found.effects().filter(|(.., effect)| *effect == Effect::Unknown).count();
    assert!(unknown > 0 && found.limit.is_none(), "a limit on the nodes of an edit does not end the others");
    let none = Limits { time: Some(std::time::Duration::ZERO), ..Limits::default() };
    let found = edits(canvas(&before), 1_000, &none);
    assert_eq!(found.limit, Some(Limit::Time));
    assert!(!found.edits.is_empty());
}

#[test]
fn a_puzzle_without_a_drawing_has_no_canvas() {
    for text in [
        "title = 'w'\ndomain = 'word-ladder'\nstart = 'a'\ngoal = 'b'\nwords = ['a', 'b']\n",
        "title = 't'\ndomain = 'sliding-tile'\nrows = 2\ncolumns = 3\nscramble = { moves = 3, seed = 1 }\n",
        "title = 'j'\ndomain = 'rules'\nstart = { x = 1 }\ngoal = 'x == 0'\n[variables]\nx = '0..1'\n[[rules]]\nname = 'r'\nthen = { x = 0 }\n",
    ] {
        let puzzle = Loading::default().parse(text, "test.toml").unwrap_or_else(|report| panic!("{report}"));
        let report = Canvas::of(&puzzle).err().expect("it draws no start");
        assert!(report.render(false).contains("has no drawing of its start that can be edited"), "{report}");
    }
}
