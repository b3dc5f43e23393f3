//! Tests that a strategy gives the reason for what it does.

use crate::analysed_task::AnalysedTask;
use crate::domain::BuildContext;
use crate::reduce::reduce;
use crate::strategy::{Reason, Strategy};
use crate::tests::compiled;
use std::sync::Arc;

/// Returns the strategy for Lights Out with a further rule.
fn lights(rule: &str) -> Arc<Strategy> {
    let compiled = compiled(&format!(
        "start = '''\n*.*\n.*.\n*..\n'''\ngoal = '''\n...\n...\n...\n'''\n[maps]\nt = {{ '*' = '.', '.' = '*' }}\n\
         [[rules]]\nname = 'press'\nfrom = '??'\nto = 'tt'\n{rule}"
    ));
    let cells = compiled.model.world.cells();
    let reduced = reduce(&compiled.task, cells, &BuildContext::default());
    Strategy::of(&AnalysedTask::new(&compiled.task, reduced, cells, Box::new(|_| Vec::new())))
}

#[test]
fn the_reason_is_that_of_the_stages() {
    let strategy = lights("");
    assert_eq!((strategy.reason, strategy.stages[0].stage.heuristic), (Reason::Equations, "toggles"));
    // The equations apply here, too, but are not used.
    let strategy = lights("[[rules]]\nname = 'touch'\nfrom = '?'\nto = 't'\ncost = 0\n");
    assert_eq!(strategy.stages[0].stage.heuristic, "zero");
    assert_eq!(strategy.reason.to_string(), "there are at most 2^9.0 states, so no heuristic pays for its tables");
}
