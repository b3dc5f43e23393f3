//! The examples in the help of each command; the tests run all of them.

use anstyle::Style;
use clap::Command;
use std::fmt::Write;

/// By command, lines for a shell, with what they do.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "solve",
        &[
            ("engine solve puzzles/klotski7.toml", "every position on the way"),
            ("engine solve puzzles/klotski7.toml --format moves", "the moves alone"),
            ("engine solve puzzles/klotski?.toml --format json --time-limit 10s", "a line each"),
            ("engine solve puzzles/klotski1.toml --all 3", "the first three of all shortest solutions"),
            ("engine solve puzzles/klotski1.toml --certificate proof.json", "for others to check"),
        ],
    ),
    (
        "check",
        &[
            ("engine check puzzles", "every mistake in every file"),
            ("engine check --strict puzzles", "warnings are errors"),
            ("engine check --format json puzzles/klotski7.toml", "for editors"),
        ],
    ),
    (
        "test",
        &[
            ("engine test --accept", "what puzzles say now is what they are to say"),
            ("engine test", "what is not as it was"),
            ("engine test puzzles --filter mazes/", "only these"),
            ("engine test --format junit --output report.xml", "for CI systems"),
        ],
    ),
    ("list", &[("engine list", "the puzzles below the folder `puzzles`"), ("engine list puzzles/mazes", "")]),
    ("show", &[("engine show puzzles/eight-puzzle/20-moves.toml", "legal moves, heuristics, and more")]),
    (
        "domains",
        &[("engine domains", "what kinds of puzzles there are"), ("engine domains maze", "its keys, and more")],
    ),
    (
        "new",
        &[
            ("engine new klotski puzzles/mine/first-try", "writes puzzles/mine/first-try.toml"),
            ("engine new maze -", "prints one"),
        ],
    ),
    (
        "schema",
        &[
            ("engine schema > puzzle.schema.json", "for all domains"),
            ("engine schema klotski > klotski.schema.json", "for one"),
        ],
    ),
    (
        "explore",
        &[
            ("engine explore puzzles/klotski1.toml", "how many positions, how deep, the hardest"),
            ("engine explore puzzles/klotski1.toml --format json", ""),
            ("engine explore puzzles/klotski1.toml --plot depths.svg", "a chart of the states by depth"),
            ("engine explore puzzles/klotski7.toml --disk layers", "goes on there when it was stopped"),
            ("engine explore puzzles/klotski7.toml --workers 2", "shared out, as --hosts does among machines"),
        ],
    ),
    (
        "plan",
        &[
            ("engine plan puzzles/klotski7.toml --hosts 4", "what exploring it on four machines takes"),
            ("engine plan puzzles/eight-puzzle/20-moves.toml --hosts 16 --depth-limit 7", "seven moves"),
        ],
    ),
    (
        "compare",
        &[
            ("engine compare puzzles/eight-puzzle/20-moves.toml", "all that can search it"),
            ("engine compare puzzles/eight-puzzle/20-moves.toml --algorithm bfs,a-star --heuristic manhattan", ""),
            ("engine compare puzzles/eight-puzzle/10-moves.toml --format svg --output chart.svg", "a chart"),
            ("engine compare puzzles/klotski7.toml --algorithm iddfs,ida-star --time-limit 1s", "how deep"),
        ],
    ),
    (
        "render",
        &[
            ("engine render puzzles/klotski7.toml -o klotski7.html", "a page to step through"),
            ("engine render puzzles/klotski1.toml -o klotski1.gif", "a film"),
            ("engine render puzzles/klotski1.toml --solution -o klotski1.svg", "a picture that moves"),
            ("engine render puzzles/klotski1.toml --step last -o solved.png", "the end alone"),
        ],
    ),
    (
        "import",
        &[
            ("engine import IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM --title Sixty", "a Rush Hour board"),
            ("echo '1 2 3  4 0 5  7 8 6' | tr -s ' ' '\\n' | paste - - - | engine import -", "tiles"),
        ],
    ),
    (
        "play",
        &[
            ("engine play puzzles/klotski1.toml", "in the terminal; `?` shows the keys"),
            ("echo 2l 3u | engine play puzzles/eight-puzzle/05-moves.toml", "line by line"),
        ],
    ),
    ("cache", &[("engine cache list", "the tables that are kept, and where")]),
    (
        "scramble",
        &[
            ("engine scramble puzzles/eight-puzzle/20-moves.toml --seed 7 > eight.toml", ""),
            ("engine scramble puzzles/words/horse-nurse.toml --moves 3", "after so many random moves"),
        ],
    ),
    (
        "verify",
        &[
            ("engine solve puzzles/klotski7.toml | engine verify puzzles/klotski7.toml -", ""),
            ("engine verify puzzles/words/horse-nurse.toml puzzles/words/horse-nurse.moves", ""),
        ],
    ),
    (
        "completions",
        &[
            ("engine completions bash > engine.bash", "`source engine.bash` in ~/.bashrc"),
            ("engine completions zsh > _engine", "in a folder of $fpath"),
            ("engine completions fish > engine.fish", "in ~/.config/fish/completions"),
        ],
    ),
    ("man", &[("engine man > engine.1", "`man ./engine.1` shows it"), ("engine man man1", "all pages, in a folder")]),
];

/// Adds examples to the end of the help of each command.
pub(super) fn added(commands: Command) -> Command {
    let header = commands.get_styles().get_header().to_owned();
    commands.mut_subcommands(|command| {
        let examples = section(command.get_name(), header);
        let behind =
            |help: Option<&clap::builder::StyledStr>| help.map(|help| format!("{}\n\n{examples}", help.ansi()));
        let (short, long) = (behind(command.get_after_help()), behind(command.get_after_long_help()));
        let command = command.after_help(short.unwrap_or(examples));
        match long {
            Some(long) => command.after_long_help(long),
            None => command,
        }
    })
}

/// The examples of one command.
fn section(command: &str, header: Style) -> String {
    let lines = EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, lines)| lines);
    let mut text = format!("{header}Examples:{header:#}");
    for (line, what) in lines {
        let comment = if what.is_empty() { String::new() } else { format!("  # {what}") };
        let _ = write!(text, "\n  {line}{comment}");
    }
    text
}
