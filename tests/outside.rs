//! A domain from outside: defined here with nothing but the public interface, registered, read from a file, solved.

use engine::diagnostic::Diagnostic;
use engine::domain::{
    self, Domain, DomainFacts, FileContext, HeuristicFacts, Instance, Means, Plain, Searchable, Style, plain,
};
use engine::{Algorithm, Options, Puzzle};
use serde::Deserialize;
use toml::Spanned;

inventory::submit! {
    DomainFacts::new("jugs", "two jugs, a tap and a drain")
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Jugs {
    sizes: Option<Spanned<[u32; 2]>>,
    goal: Option<u32>,
}

#[typetag::deserialize(name = "jugs")]
impl Domain for Jugs {
    fn open(self: Box<Self>, file: &FileContext) -> Result<Box<dyn Instance>, Vec<Diagnostic>> {
        let sizes = file.required("sizes", "sizes = [3, 5]", self.sizes)?;
        let goal = file.required("goal", "goal = 4", self.goal)?;
        let &[small, large] = sizes.get_ref();
        if goal > small.max(large) {
            return Err(vec![Diagnostic::at(sizes.span(), format!("neither jug holds {goal}"))]);
        }
        Ok(Box::new(Pouring { sizes: [small, large], goal }))
    }
}

#[derive(Clone, Copy)]
struct Pouring {
    sizes: [u32; 2],
    goal: u32,
}

impl Instance for Pouring {
    fn size(&self) -> String {
        format!("{}+{}", self.sizes[0], self.sizes[1])
    }

    fn space(&self, _heuristic: &HeuristicFacts, _means: &Means) -> Box<dyn Searchable> {
        plain(*self)
    }
}

impl Plain for Pouring {
    type State = [u32; 2];
    type Action = &'static str;

    fn initial(&self) -> [u32; 2] {
        [0, 0]
    }

    fn is_goal(&self, state: &[u32; 2]) -> bool {
        state.contains(&self.goal)
    }

    fn successors(&self, &[a, b]: &[u32; 2]) -> Vec<(&'static str, [u32; 2])> {
        let [small, large] = self.sizes;
        let (ab, ba) = (a.min(large - b), b.min(small - a));
        let all = [
            ("fill-a", [small, b]),
            ("fill-b", [a, large]),
            ("empty-a", [0, b]),
            ("empty-b", [a, 0]),
            ("a-to-b", [a - ab, b + ab]),
            ("b-to-a", [a + ba, b - ba]),
        ];
        all.into_iter().filter(|&(_, next)| next != [a, b]).collect()
    }

    fn notation(&self, _state: &[u32; 2], action: &'static str) -> String {
        action.to_owned()
    }

    fn draw(&self, [a, b]: &[u32; 2], _style: Style) -> String {
        format!("{a} {b}\n")
    }
}

const FOUR: &str = "title = \"Four\"\ndomain = \"jugs\"\nsizes = [3, 5]\ngoal = 4\n";

#[test]
fn it_is_registered_beside_the_others() {
    assert_eq!(domain::registered(), ["jugs", "klotski", "maze", "sliding-tile"]);
}

#[test]
fn every_algorithm_solves_it() {
    let puzzle = Puzzle::parse(FOUR, "jugs").unwrap_or_else(|report| panic!("{report}"));
    for algorithm in [Algorithm::Bfs, Algorithm::AStar] {
        let solution = puzzle.solve(&Options { algorithm: Some(algorithm), ..Options::default() }).unwrap();
        assert_eq!((solution.cost(), solution.is_optimal()), (Some(6.0), true));
        assert_eq!(solution.moves(), ["fill-b", "b-to-a", "empty-a", "b-to-a", "fill-b", "b-to-a"]);
        assert_eq!(solution.positions().last().map(|step| step.position.clone()), Some("3 4\n".to_owned()));
    }
    let deep = puzzle.solve(&Options { algorithm: Some(Algorithm::Dfs), ..Options::default() }).unwrap();
    assert!(deep.cost().is_some_and(|cost| cost >= 6.0) && !deep.is_optimal());
}

#[test]
fn its_errors_keep_their_place() {
    let report = |text: &str| Puzzle::parse(text, "j.toml").err().expect("a report").to_string();
    assert!(report(&FOUR.replace("goal = 4", "goal = 9")).contains("j.toml:3:9"), "what the domain finds");
    assert!(report(&FOUR.replace("goal = 4", "gaol = 4")).contains("did you mean `goal`?"), "what serde finds");
    assert!(report(&FOUR.replace("sizes = [3, 5]\n", "")).contains("the key `sizes` is missing"));
}
