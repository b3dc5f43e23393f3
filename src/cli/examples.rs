//! Examples in the help of each command. The tests run them.

use anstyle::Style;
use clap::Command;
use std::fmt::Write;

/// Lines for a shell with comments, by command.
const EXAMPLES: &[(&str, &[(&str, &str)])] = &[
    (
        "solve",
        &[
            ("engine solve puzzles/klotski7.toml", "a summary at a terminal, every position elsewhere"),
            ("engine solve puzzles/klotski7.toml --format text", "print every position"),
            ("engine solve puzzles/klotski7.toml --format moves", "print only the moves"),
            ("engine solve puzzles/klotski?.toml --json --time-limit 10s", "one line per puzzle"),
            ("engine solve puzzles/klotski1.toml --all 3", "three shortest solutions"),
            ("engine solve puzzles/klotski1.toml --certificate proof.json", "for others to check"),
        ],
    ),
    (
        "check",
        &[
            ("engine check puzzles", "print every error in every file"),
            ("engine check --strict puzzles", "treat warnings as errors"),
            ("engine check --json puzzles/klotski7.toml", "for editors"),
        ],
    ),
    (
        "test",
        &[
            ("engine test --accept", "store all transcripts"),
            ("engine test", "print what has changed since"),
            ("engine test puzzles --filter mazes/", "test only these puzzles"),
            ("engine test --format junit --output report.xml", "for CI systems"),
        ],
    ),
    (
        "list",
        &[
            ("engine list", "list all puzzles below the folder `puzzles`"),
            ("engine list puzzles/mazes", "list those below another folder"),
        ],
    ),
    ("show", &[("engine show puzzles/eight-puzzle/20-moves.toml", "print its legal moves, h-values and more")]),
    ("domains", &[("engine domains", "list all domains"), ("engine domains maze", "describe one domain")]),
    (
        "new",
        &[
            ("engine new klotski puzzles/mine/first-try", "write puzzles/mine/first-try.toml"),
            ("engine new maze -", "print a puzzle"),
        ],
    ),
    (
        "schema",
        &[
            ("engine schema > puzzle.schema.json", "for all domains"),
            ("engine schema klotski > klotski.schema.json", "for one domain"),
        ],
    ),
    ("lsp", &[("engine lsp < /dev/null || true", "editors start it; status 1: none speaks to it here")]),
    (
        "explore",
        &[
            ("engine explore puzzles/klotski1.toml", "print states by depth, and more"),
            ("engine explore puzzles/klotski1.toml --json", "print one JSON object"),
            ("engine explore puzzles/klotski1.toml --plot depths.svg", "draw a chart, too"),
            ("engine explore puzzles/klotski7.toml --disk layers", "continue there after a stop"),
            ("engine explore puzzles/klotski7.toml --workers 2", "share the states among 2 workers"),
        ],
    ),
    (
        "plan",
        &[
            ("engine plan puzzles/klotski7.toml --machines 4", "estimate exploring on four machines"),
            ("engine plan puzzles/eight-puzzle/20-moves.toml --machines 16 --depth-limit 7", "7 moves deep"),
        ],
    ),
    (
        "compare",
        &[
            ("engine compare puzzles/eight-puzzle/20-moves.toml", "run all algorithms"),
            ("engine compare puzzles/eight-puzzle/20-moves.toml --algorithm bfs,a-star --no-times", ""),
            ("engine compare puzzles/eight-puzzle/10-moves.toml --plot chart.svg", "draw a chart, too"),
            ("engine compare puzzles/klotski7.toml --algorithm iddfs,ida-star --time-limit 1s", "two algorithms"),
            ("engine compare puzzles/eight-puzzle/10-moves.toml --random 2 --cost 4..8/2", "random boards"),
        ],
    ),
    (
        "rate",
        &[
            ("engine rate puzzles/blocks/gate.toml", "its score, the parts, a map of games"),
            ("engine rate puzzles/eight-puzzle --sort", "the easiest first"),
            ("engine rate puzzles/klotski1.toml --json", "for programs"),
        ],
    ),
    (
        "render",
        &[
            ("engine render puzzles/klotski7.toml -o klotski7.html", "draw a page to step through"),
            ("engine render puzzles/klotski1.toml -o klotski1.gif", "draw an animation"),
            ("engine render puzzles/klotski1.toml --solution -o klotski1.svg", "animate an SVG"),
            ("engine render puzzles/klotski1.toml --step last -o solved.png", "draw the last position"),
            ("engine render puzzles/tutorial -o tutorial.html --play --stars", "make a menu, easy first"),
            ("engine render puzzles/eight-puzzle/05-moves.toml --search bfs,dfs -o search.html", "watch searches"),
        ],
    ),
    (
        "import",
        &[
            ("engine import IBBxooIooLDDJAALooJoKEEMFFKooMGGHHHM --title Sixty", "a Rush Hour board"),
            ("echo '1 2 3  4 0 5  7 8 6' | tr -s ' ' '\\n' | paste - - - | engine import -", "sliding tiles"),
        ],
    ),
    (
        "play",
        &[
            ("engine play puzzles/klotski1.toml", "play in the terminal; `?` shows the keys"),
            ("echo 2l 3u | engine play puzzles/eight-puzzle/05-moves.toml", "play line by line"),
        ],
    ),
    ("cache", &[("engine cache list", "print the folder and its tables")]),
    (
        "scramble",
        &[
            ("engine scramble puzzles/eight-puzzle/20-moves.toml --seed 7 > eight.toml", "write a new puzzle"),
            ("engine scramble puzzles/words/horse-nurse.toml --moves 3", "make 3 random moves"),
        ],
    ),
    (
        "generate",
        &[
            ("engine generate puzzles/templates/rush-hour-5x5.toml", "count all boards by their cost"),
            ("engine generate puzzles/templates/ice.toml --count 5 --seed 1 --out levels", "write five levels"),
        ],
    ),
    (
        "edits",
        &[
            ("engine edits puzzles/blocks/gate.toml", "print a map for each symbol, and a table of the pieces"),
            ("engine edits puzzles/rules/sokoban-two-rooms.toml --format csv > edits.csv", "one line an edit"),
        ],
    ),
    (
        "minimize",
        &[
            ("engine minimize puzzles/blocks/gate.toml", "print the smaller file, and name what was taken away"),
            ("engine minimize puzzles/blocks/gate.toml --unique -o gate.toml", "keep the number of solutions"),
        ],
    ),
    ("diff", &[("engine diff puzzles/klotski1.toml puzzles/klotski2.toml || true", "status 1: they differ")]),
    ("studio", &[("engine studio puzzles --port 0 --no-open & sleep 1; kill $!", "prints the address of the page")]),
    (
        "worksheet",
        &[
            ("engine worksheet puzzles/eight-puzzle/10-moves.toml -o sheet.html", "one exercise of each kind"),
            ("engine worksheet sliding-tile --count 12 --cost 8..20 --seed 1 -o sheet.html", "random boards"),
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
            ("engine completions bash > engine.bash", "add `source engine.bash` to ~/.bashrc"),
            ("engine completions zsh > _engine", "put it into a folder of $fpath"),
            ("engine completions fish > engine.fish", "put it into ~/.config/fish/completions"),
        ],
    ),
    (
        "man",
        &[
            ("engine man > engine.1", "show it with `man ./engine.1`"),
            ("engine man man1", "write all pages to a folder"),
        ],
    ),
];

/// Adds the examples to the end of the help of each command.
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

/// Returns the examples of one command, with a header.
fn section(command: &str, header: Style) -> String {
    let lines = EXAMPLES.iter().find(|(name, _)| *name == command).map_or(&[][..], |(_, lines)| lines);
    let mut text = format!("{header}Examples:{header:#}");
    for (line, what) in lines {
        let comment = if what.is_empty() { String::new() } else { format!("  # {what}") };
        let _ = write!(text, "\n  {line}{comment}");
    }
    text
}
