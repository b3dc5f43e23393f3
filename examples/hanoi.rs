#![doc = include_str!("../docs/your-own-domain.md")]

use engine::diagnostic::Diagnostic;
use engine::document::{Keys, Spanned};
use engine::domain::{
    BuildContext, FileContext, HeuristicFacts, Instance, Named, Plain, Scrambled, Searchable, SplitMix64, Style, plain,
};
use std::process::ExitCode;

engine::domain! {
    name: "hanoi",
    summary: "the Towers of Hanoi: move disks between pegs, never a larger one onto a smaller one",
    read: read,
    keys: &[
        Named { name: "start", summary: "the peg of each disk, as a letter, smallest disk first" },
        Named { name: "goal", summary: "the pegs of the goal, in the same form" },
        Named { name: "pegs", summary: "the number of pegs, 3 to 26 [default: 3]" },
    ],
    heuristics: &[
        HeuristicFacts::ZERO,
        HeuristicFacts {
            name: "misplaced",
            admissible: true,
            consistent: true,
            by_hand: true,
            summary: "the number of disks that are not on their goal peg",
            because: "each of them has to move, and a move moves one disk",
        },
    ],
    default_heuristic: "misplaced",
}

/// The limit on disks: on three pegs, 16 disks have 43 million positions.
const MOST_DISKS: usize = 16;

/// The peg number of each disk, smallest disk first. Unused entries stay 0.
type Position = [u8; MOST_DISKS];

fn read(keys: &Keys, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
    let mut errors = Vec::new();
    let start = file.required("start", "start = \"aaa\"", keys.take::<Spanned<String>>("start"));
    let start = start.map_err(|wrong| errors.extend(wrong));
    let goal = file.required("goal", "goal = \"ccc\"", keys.take::<Spanned<String>>("goal"));
    let goal = goal.map_err(|wrong| errors.extend(wrong));
    let given = keys.take::<Spanned<u8>>("pegs");
    let pegs = given.as_ref().map_or(3, |pegs| *pegs.get_ref());
    if let Some(wrong) = given.filter(|_| !(3..=26).contains(&pegs)) {
        let message = format!("invalid value `{pegs}` for `pegs`");
        errors.push(Diagnostic::at(wrong.span(), message).label("expected 3 to 26"));
    }
    if let (Ok(start), Ok(goal)) = (&start, &goal)
        && start.get_ref().len() != goal.get_ref().len()
    {
        let message = format!("the goal has {} disks, the start {}", goal.get_ref().len(), start.get_ref().len());
        errors.push(Diagnostic::at(goal.span(), message));
    }
    let mut read = |word: Spanned<String>| position(&word, pegs).map_err(|wrong| errors.extend(wrong)).ok();
    let (start, goal) = (start.ok().and_then(&mut read), goal.ok().and_then(&mut read));
    match (start, goal) {
        (Some((disks, start)), Some((_, goal))) if errors.is_empty() => {
            Ok(Box::new(Hanoi { disks, pegs, start, goal, informed: false }))
        }
        _ => Err(errors),
    }
}

/// Parses a position; returns the number of disks and their pegs.
fn position(word: &Spanned<String>, pegs: u8) -> Result<(usize, Position), Vec<Diagnostic>> {
    let letters = word.get_ref().as_bytes();
    if !(1..=MOST_DISKS).contains(&letters.len()) {
        let message = format!("{} disks", letters.len());
        return Err(vec![Diagnostic::at(word.span(), message).label(format!("expected 1 to {MOST_DISKS}"))]);
    }
    let mut position = [0; MOST_DISKS];
    let mut errors = Vec::new();
    for (disk, &letter) in letters.iter().enumerate() {
        position[disk] = letter.wrapping_sub(b'a');
        if position[disk] >= pegs {
            let last = char::from(b'a' + pegs.clamp(3, 26) - 1);
            let message = format!("disk {} is on no peg", disk + 1);
            errors.push(Diagnostic::at(word.span(), message).label(format!("the pegs are `a` to `{last}`")));
        }
    }
    if errors.is_empty() { Ok((letters.len(), position)) } else { Err(errors) }
}

/// A validated puzzle.
#[derive(Clone)]
struct Hanoi {
    disks: usize,
    pegs: u8,
    start: Position,
    goal: Position,
    /// True if the heuristic is `misplaced`.
    informed: bool,
}

impl Instance for Hanoi {
    fn size(&self) -> String {
        format!("{} disks on {} pegs", self.disks, self.pegs)
    }

    fn states(&self) -> Option<String> {
        Some(u128::from(self.pegs).pow(self.disks as u32).to_string())
    }

    fn scrambled(&self, moves: Option<u32>, seed: u64, _context: &BuildContext) -> Option<Scrambled> {
        let mut random = SplitMix64::new(seed);
        let mut position = self.goal;
        match moves {
            None => position[..self.disks].fill_with(|| random.below(self.pegs.into()) as u8),
            Some(moves) => {
                for _ in 0..moves {
                    let successors = self.successors(&position);
                    position = successors[random.below(successors.len() as u64) as usize].1;
                }
            }
        }
        let word: String = position[..self.disks].iter().map(|&peg| letter(peg)).collect();
        Some(Scrambled { replaced: &["start"], keys: format!("start = \"{word}\"\n") })
    }

    fn space(&self, heuristic: &HeuristicFacts, _context: &BuildContext) -> Box<dyn Searchable> {
        plain(Hanoi { informed: heuristic.name == "misplaced", ..self.clone() })
    }
}

impl Plain for Hanoi {
    type State = Position;
    /// The pegs that a disk moves from and to.
    type Action = (u8, u8);

    fn initial(&self) -> Position {
        self.start
    }

    fn is_goal(&self, position: &Position) -> bool {
        *position == self.goal
    }

    fn successors(&self, position: &Position) -> Vec<((u8, u8), Position)> {
        let top = |peg: u8| position[..self.disks].iter().position(|&on| on == peg);
        let mut successors = Vec::new();
        for from in 0..self.pegs {
            let Some(disk) = top(from) else { continue };
            for to in (0..self.pegs).filter(|&to| top(to).is_none_or(|other| other > disk)) {
                let mut next = *position;
                next[disk] = to;
                successors.push(((from, to), next));
            }
        }
        successors
    }

    fn h(&self, position: &Position) -> u32 {
        let misplaced = position.iter().zip(&self.goal).filter(|(on, goal)| on != goal).count() as u32;
        if self.informed { misplaced } else { 0 }
    }

    fn notation(&self, _position: &Position, (from, to): (u8, u8)) -> String {
        format!("{}{}", letter(from), letter(to))
    }

    fn draw(&self, position: &Position, _style: Style) -> String {
        let mut drawn = String::new();
        for peg in 0..self.pegs {
            drawn.push(letter(peg));
            for disk in (0..self.disks).rev().filter(|&disk| position[disk] == peg) {
                drawn += &format!(" {}", disk + 1);
            }
            drawn.push('\n');
        }
        drawn
    }
}

fn letter(peg: u8) -> char {
    char::from(b'a' + peg)
}

/// Runs the command line with every linked domain.
pub fn main() -> ExitCode {
    engine::cli::main()
}
