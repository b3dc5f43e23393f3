//! The laws of the state space, on boards that between them have all that a board can have.

use super::description::Klotski;
use super::*;
use crate::domain::FileContext;
use crate::search::laws;

fn blocks(source: &str) -> Blocks {
    let description: Klotski = toml::from_str(source).expect("the test's description is TOML");
    let file = FileContext { source, insertion: 0, refused: &[] };
    description.blocks(&file).expect("the test's description is valid")
}

fn space<B: Bits, K: Packed>(blocks: &Blocks, heuristic: bool) -> BlockSpace<B, K> {
    let (fields, _) = space::fields(&blocks.layout);
    let metric = blocks.board.metric;
    let distance = heuristic.then(|| GoalDistance::new(&blocks.layout, &fields, metric));
    BlockSpace::new(&blocks.layout, metric, distance)
}

const BOARDS: [&str; 7] = [
    // Pieces of three shapes.
    "start = '''\naab\naac\n.de\n.fg\n'''\ngoal = '''\n...\n...\naa.\naa.\n'''",
    // Roles that trade places around walls.
    "start = '''\na#b\n...\n#.#\n'''\ngoal = '''\nb.a\n...\n...\n'''",
    // A gate in the drawing.
    "start = '''\n##.##\naab=.\n##.#.\n'''\ngoal = '''\n.....\n...aa\n.....\n'''",
    // Gates under pieces: what leaves one does not come back.
    "start = '''\nabc.\n.d..\n'''\ngates = [[0, 1], [1, 2]]\ngoal = '''\n....\n...d\n'''",
    // An L, and two goals of which either will do.
    "start = '''\naa.b\nac.b\n..dd\n'''\ngoal = ['''\n..aa\n..a.\n....\n''', '''\n....\n...c\n....\n''']",
    // Pieces that keep to their lanes.
    "moves = 'lengthwise'\nstart = '''\nAA.c\nd..c\ndeee\nf...\n'''\ngoal = '''\n..AA\n....\n....\n....\n'''",
    // A piece in several parts.
    "start = '''\n.a.a\n.bb.\n....\n'''\ngoal = '''\n....\n....\na.a.\n'''",
];

fn in_every_metric() -> impl Iterator<Item = Blocks> {
    let metrics = ["slide", "step", "turn"];
    BOARDS.iter().flat_map(move |board| metrics.map(|metric| blocks(&format!("metric = '{metric}'\n{board}"))))
}

#[test]
fn every_board_keeps_the_laws_in_every_metric() {
    for blocks in in_every_metric() {
        laws::hold(&space::<u64, u64>(&blocks, true), true);
        laws::hold(&space::<u64, u64>(&blocks, false), true);
    }
}

#[test]
fn every_packing_has_the_same_states_at_the_same_depths() {
    for blocks in in_every_metric() {
        let levels = laws::levels(&space::<u64, u64>(&blocks, false));
        assert_eq!(levels, laws::levels(&space::<u64, u128>(&blocks, false)), "keys of 128 bits");
        assert_eq!(levels, laws::levels(&space::<u64, Box<[u64]>>(&blocks, false)), "keys of any length");
        assert_eq!(levels, laws::levels(&space::<u64, [u64; 4]>(&blocks, false)), "keys of four words");
        assert_eq!(levels, laws::levels(&space::<u128, u128>(&blocks, false)), "boards of 128 cells");
        assert_eq!(levels, laws::levels(&space::<Wide<4>, [u64; 8]>(&blocks, false)), "boards of 256 cells");
        assert_eq!(levels, laws::levels(&space::<Wide<16>, Box<[u64]>>(&blocks, false)), "boards of any number");
    }
}

#[test]
fn interchangeable_pieces_are_one_state() {
    // On 2x3 cells a domino lying down has 4 placements, and each leaves 4 cells for an unordered pair of 1x1 pieces.
    let blocks = blocks("metric = 'step'\nstart = '''\nabb\n.c.\n'''\ngoal = '''\n...\n.bb\n'''");
    let levels = laws::levels(&space::<u64, u64>(&blocks, false));
    assert_eq!(levels.iter().sum::<usize>(), 4 * 6);
}

#[test]
fn the_reachable_states_are_the_same_in_every_metric() {
    // Every slide or turn is a sequence of steps, so only the depths differ; on the board of the longest solution.
    let board = "start = '''\nabcd\neefd\neefg\nhiig\njj..\n'''\ngoal = '''\n....\n....\n....\n.ee.\n.ee.\n'''";
    let total = |metric: &str| {
        let blocks = blocks(&format!("metric = '{metric}'\n{board}"));
        laws::levels(&space::<u64, u64>(&blocks, false)).iter().sum::<usize>()
    };
    let steps = total("step");
    assert_eq!(steps, total("slide"));
    assert_eq!(steps, total("turn"));
}

#[test]
fn a_board_of_many_cells_and_pieces_is_searched_like_a_small_one() {
    // The same corner of a board, with and without a field of walled-off rooms around it that makes it wide.
    let small = "metric = 'step'\nstart = '''\na.b\n...\n'''\ngoal = '''\n..a\n...\n'''";
    let row = |inside: &str| format!("{inside}#{}\n", ".#".repeat(30));
    let rooms = row("###").repeat(12);
    let start = row("a.b") + &row("...") + &rooms;
    let goal = row("..a") + &row("...") + &rooms;
    let wide = format!("metric = 'step'\nstart = '''\n{start}'''\ngoal = '''\n{goal}'''");
    let (small, wide) = (blocks(small), blocks(&wide));
    assert!(wide.layout.cells() > 64);
    let expected = laws::levels(&space::<u64, u64>(&small, false));
    assert_eq!(expected, laws::levels(&space::<Wide<16>, Box<[u64]>>(&wide, false)));
    assert!(wide.layout.cells() > 256, "wider than all but the widest");
}
