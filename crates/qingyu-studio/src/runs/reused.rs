//! The answers that a forked run reuses from the runs of its origin, so that nothing is paid for twice.

use qingyu_agents::CallRecord;
use qingyu_graph::ReusableSteps;
use serde_json::{Value, json};

use crate::error::Error;
use crate::runs::config::{ForkOrigin, RunConfig};
use crate::runs::run_type::RunType;
use crate::studio::Studio;

impl Studio {
    /// Returns the answers stored in the runs from which a run was forked; empty for any other run, and for a fork that
    /// asks afresh.
    pub(crate) async fn reusable_steps<K: RunType>(&self, config: &RunConfig) -> Result<ReusableSteps, Error> {
        let mut steps = ReusableSteps::default();
        let mut origin = config.forked_from.clone();
        while let Some(ForkOrigin { run, afresh: false, .. }) = origin {
            let stored = self.thread_of::<K>(&run).stored_steps(|result| reused(result, &run)).await;
            steps.fill_up(stored.map_err(|error| self.place(&run).graph(&error))?);
            origin = match self.runs_table().get(&run).await {
                Ok(run) => RunConfig::kept(&run)?.forked_from,
                Err(qingyu_store::Error::UnknownRun { .. }) => None,
                Err(error) => return Err(self.place(&run).store(error)),
            };
        }
        Ok(steps)
    }
}

/// Returns the result of a step for another run if it is the answer of a model. All other steps are executed again: they
/// save the work of their run.
fn reused(mut result: Value, run: &str) -> Option<Value> {
    let record = result.get("record").filter(|record| record["key"].is_string())?;
    let record = serde_json::from_value::<CallRecord>(record.clone()).ok()?;
    result["record"] = json!(record.reused_from(run));
    Some(result)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_answers_of_models_are_reused_and_cost_nothing_again() {
        let paid = json!({"value": 7, "record": {"key": "outline/1/outline.generate", "cost_micros": 12,
            "usage": {"input": 3, "cached": 0, "output": 4, "estimated": false}}});
        let reused_once = reused(paid, "r-1").unwrap();
        assert_eq!(reused_once["value"], 7);
        let record: CallRecord = serde_json::from_value(reused_once["record"].clone()).unwrap();
        assert_eq!((&*record.key, record.cost_micros, record.tokens()), ("r-1/outline/1/outline.generate", Some(0), 0));
        assert!(record.replayed);
        for other in [json!("saved"), json!({"version": 3}), json!({"record": 3}), json!({"record": {}})] {
            assert_eq!(reused(other.clone(), "r-1"), None, "{other}");
        }
    }
}
