//! Editing the state of a run at a checkpoint, and forking a run.

use std::collections::BTreeMap;

use qingyu_agents::CallRecord;
use qingyu_graph::{CheckpointId, State};
use qingyu_store::{NewRun, Run, RunStatus as Kept};
use serde_json::{Map, Value, json};

use crate::access::scope::Right;
use crate::error::{Error, Noun};
use crate::runs::checkpoint::{EditedRun, ForkedRun};
use crate::runs::checkpoints::is_editable;
use crate::runs::config::{ForkOrigin, RunConfig};
use crate::runs::event::StudioEventKind;
use crate::runs::kind::RunKind;
use crate::runs::run_type::RunType;
use crate::runs::types::of_kind;
use crate::studio::Studio;

type StateUpdate<K> = <<K as RunType>::State as State>::Update;

impl Studio {
    /// Writes a checkpoint with the given values of fields. With `as_node` the edit counts as the node's own work: the
    /// nodes after it are due.
    ///
    /// An edit at the newest checkpoint changes the run. Any other edit makes finished nodes run again, whose work is
    /// already saved under the name of the run; it therefore goes into a fork, and the run stays as it is.
    ///
    /// Returns [`Error::ThreadBusy`] while the run works, [`Error::Unknown`] for a field that cannot be edited, and
    /// [`Error::BadMaterial`] for a value of another type.
    pub async fn edit_checkpoint(
        &self,
        run: &str,
        checkpoint: u64,
        values: BTreeMap<String, Value>,
        as_node: Option<&str>,
    ) -> Result<EditedRun, Error> {
        self.scope().demand(Right::Write)?;
        let run = self.find_run(run).await?;
        // An edit can take the place of an answer.
        self.refuse_unless_approver(&run)?;
        if self.is_running(&run.id).await? {
            return Err(Error::ThreadBusy { run: run.id });
        }
        of_kind!(RunKind::of(&run), K => self.edit_as::<K>(run, checkpoint, values, as_node).await)
    }

    /// Creates a run that continues from a checkpoint of a run, without starting it: resume the new run. The old run
    /// stays as it is.
    ///
    /// The fork reuses the stored answers of the models to equal requests, unless `afresh`. It belongs to the same
    /// project, whose story is not rolled back. A fork by a caller who may not see all earlier books of the run works
    /// without them, and says so. Returns [`Error::ThreadBusy`] while a run writes to the project.
    pub(crate) async fn fork_run(&self, run: &str, checkpoint: u64, afresh: bool) -> Result<ForkedRun, Error> {
        self.scope().demand(Right::Write)?;
        let run = self.find_run(run).await?;
        of_kind!(RunKind::of(&run), K => {
            let fork = self.fork_as::<K>(&run, checkpoint, afresh).await?;
            let next = self.snapshot::<K>(&fork.id).await?.map_or_else(Vec::new, |snapshot| snapshot.next);
            Ok(ForkedRun { run: fork.id, project: fork.project, next })
        })
    }

    async fn edit_as<K: RunType>(
        &self,
        run: Run,
        checkpoint: u64,
        values: BTreeMap<String, Value>,
        as_node: Option<&str>,
    ) -> Result<EditedRun, Error> {
        if values.is_empty() {
            return Err(Error::BadRequest { path: "values".into(), message: "no field is given".into() });
        }
        let update = edit_of::<K>(values)?;
        if let Some(node) = as_node {
            self.refuse_unknown_node(K::KIND, node)?;
        }
        let failed = |error: qingyu_graph::Error| self.place(&run.id).graph(&error);
        let thread = self.thread_of::<K>(&run.id);
        let snapshot = thread.at(CheckpointId::from(checkpoint)).snapshot().await.map_err(failed)?;
        let newest = thread.snapshot().await.map_err(failed)?.map(|newest| newest.checkpoint);
        let is_due = |node: &str| snapshot.next.iter().any(|task| task.split('#').next() == Some(node));
        let is_in_place = newest == Some(snapshot.checkpoint) && as_node.is_none_or(is_due);
        let edited = if is_in_place { run } else { self.fork_as::<K>(&run, checkpoint, false).await? };
        let thread = self.thread_of::<K>(&edited.id);
        let changed = thread.update_state(update, as_node).await;
        let checkpoint = changed.map_err(|error| self.place(&edited.id).graph(&error))?;
        if is_in_place && edited.status == Kept::Waiting {
            // The question is asked again when the run is resumed.
            self.write_down_end(&edited, Kept::Interrupted, StudioEventKind::Interrupted).await?;
        }
        let next = thread.at(checkpoint).snapshot().await.map_err(|error| self.place(&edited.id).graph(&error))?.next;
        Ok(EditedRun {
            run: edited.id.clone(),
            project: edited.project.clone(),
            checkpoint: checkpoint.into(),
            is_fork: !is_in_place,
            next,
        })
    }

    /// Creates the row and the thread of a fork.
    async fn fork_as<K: RunType>(&self, run: &Run, checkpoint: u64, afresh: bool) -> Result<Run, Error> {
        let failed = |error: qingyu_graph::Error| self.place(&run.id).graph(&error);
        let moment = self.thread_of::<K>(&run.id).at(CheckpointId::from(checkpoint));
        let snapshot = moment.snapshot().await.map_err(failed)?;
        let origin = ForkOrigin { run: run.id.clone(), checkpoint, afresh };
        let config = RunConfig::kept(run)?.for_caller(self.scope()).forked(origin);
        let new = NewRun { requirement: run.requirement.clone(), config: json!(config), model: run.model.clone() };
        let fork = self.create_beside(&self.served_runs(), &run.project, new, &config).await?;
        let calls: Vec<CallRecord> =
            K::calls(snapshot.committed()).iter().map(|record| record.reused_from(&run.id)).collect();
        let own = Map::from_iter([("run_id".to_owned(), json!(fork.id)), (K::CALLS.to_owned(), json!(calls))]);
        let forked = match update_of::<K>(own) {
            Ok(update) => moment.fork_to(fork.id.as_str(), update).await.map(drop).map_err(failed),
            Err(error) => Err(error),
        };
        if let Err(error) = forked {
            self.write_down_failure(&fork, &error).await;
            return Err(error);
        }
        self.write_down_end(&fork, Kept::Interrupted, StudioEventKind::Interrupted).await?;
        Ok(fork)
    }
}

/// Returns the update with the edited values, which replace the values of their fields.
fn edit_of<K: RunType>(values: BTreeMap<String, Value>) -> Result<StateUpdate<K>, Error> {
    if let Some(given) = values.keys().find(|name| !is_editable::<K>(name)) {
        let names = K::State::CHANNELS.iter().map(|channel| channel.name);
        let known = names.filter(|name| is_editable::<K>(name)).map(str::to_owned).collect();
        return Err(Error::Unknown { what: Noun::StateField, given: given.clone(), known });
    }
    update_of::<K>(values.into_iter().collect())
}

fn update_of<K: RunType>(values: Map<String, Value>) -> Result<StateUpdate<K>, Error> {
    let writes: Map<String, Value> = values.into_iter().map(|(name, value)| (name, json!({ "set": value }))).collect();
    serde_path_to_error::deserialize(Value::Object(writes)).map_err(|error| Error::BadMaterial {
        path: error.path().to_string().replacen(".set", "", 1),
        message: error.inner().to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::types::create::CreateRun;
    use crate::runs::types::produce::ProduceRun;
    use crate::runs::types::task::TaskRun;
    use crate::runs::types::write::Write;

    fn edit<K: RunType>(name: &str, value: Value) -> Result<(), Error> {
        edit_of::<K>(BTreeMap::from([(name.to_owned(), value)])).map(drop)
    }

    #[test]
    fn fields_are_checked_by_name_and_type() {
        assert!(edit::<CreateRun>("user_requirement", json!("灯塔")).is_ok());
        assert!(edit::<CreateRun>("quality_score", json!(90)).is_ok());
        for (name, value, path) in [
            ("quality_score", json!("high"), "quality_score"),
            ("characters", json!([{"name": "甲", "age": "old"}]), "characters[0].age"),
        ] {
            let Err(Error::BadMaterial { path: found, .. }) = edit::<CreateRun>(name, value) else { panic!("{name}") };
            assert_eq!(found, path);
        }
        let Err(Error::Unknown { what: Noun::StateField, given, known }) = edit::<CreateRun>("dragon", json!(1)) else {
            panic!()
        };
        assert_eq!(given, "dragon");
        assert!(known.iter().any(|name| name == "characters") && !known.iter().any(|name| name == "run_id"));
    }

    #[test]
    fn ids_costs_limits_and_permissions_are_closed() {
        let is_closed =
            |edited: Result<(), Error>| matches!(edited, Err(Error::Unknown { what: Noun::StateField, .. }));
        for name in ["user_id", "project_id", "run_id", "messages", "cost_micros", "pipeline_config"] {
            assert!(is_closed(edit::<CreateRun>(name, Value::Null)), "{name}");
        }
        assert!(is_closed(edit::<Write>("config", Value::Null)));
        assert!(is_closed(edit::<TaskRun>("options", Value::Null)) && is_closed(edit::<TaskRun>("task", Value::Null)));
        assert!(is_closed(edit::<ProduceRun>("calls", Value::Null)));
        assert!(edit::<ProduceRun>("messages", json!([])).is_ok());
    }
}
