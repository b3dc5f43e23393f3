use engine_puzzlescript::{
    compile::compile,
    press::Outcome,
    program::Level,
    random::Random,
    reader::read,
    turn::{Input, Stop, Workspace},
};
use std::time::{Duration, Instant};
fn main() {
    for file in std::env::args().skip(1) {
        let Ok(text) = String::from_utf8(std::fs::read(&file).unwrap()) else { continue };
        let t = Instant::now();
        let reading = read(&text);
        let mut d = reading.diagnostics;
        let read_time = t.elapsed();
        let program = reading.game.as_ref().and_then(|g| compile(g, &mut d));
        let compile_time = t.elapsed() - read_time;
        let mut worst = Duration::ZERO;
        let mut outcomes = Vec::new();
        if let Some(p) = &program {
            for l in p.levels.iter().filter_map(|l| if let Level::Board(b) = l { Some(b) } else { None }).take(3) {
                let mut w = Workspace::default();
                w.load(p, l);
                for stoppable in [true, false] {
                    let mut target = l.cells.clone();
                    for input in Input::ALL {
                        if outcomes.len() > 12 {
                            break;
                        }
                        let t = Instant::now();
                        let until = t + Duration::from_millis(300);
                        if stoppable {
                            w.set_stop(Stop::when(move || Instant::now() > until));
                        } else {
                            w.set_stop(Stop::default());
                        }
                        let o = w.press(p, input, &mut target, &mut Random::new(""), &mut 0);
                        outcomes.push((o, t.elapsed().as_millis()));
                        worst = worst.max(if stoppable { t.elapsed() } else { Duration::ZERO });
                        if o == Outcome::Limit {
                            w.set_objects(&l.cells);
                        }
                    }
                }
            }
        }
        let rss = std::fs::read_to_string("/proc/self/status")
            .unwrap()
            .lines()
            .find(|l| l.starts_with("VmHWM"))
            .unwrap()
            .to_owned();
        println!(
            "{file}: read {read_time:?} compile {compile_time:?} program {} worst {worst:?} {rss} errors {} first {:?} {:?}",
            program.is_some(),
            d.errors(),
            d.all().first().map(|d| d.to_string().chars().take(100).collect::<String>()),
            outcomes
        );
    }
}
