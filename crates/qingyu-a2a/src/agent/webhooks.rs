//! Webhooks of tasks, and their notification.

use std::time::Duration;

use a2a::{
    A2AError, DeleteTaskPushNotificationConfigRequest, GetTaskPushNotificationConfigRequest,
    ListTaskPushNotificationConfigsRequest, ListTaskPushNotificationConfigsResponse, StreamResponse,
    TaskPushNotificationConfig, TaskState,
};
use backon::{ExponentialBuilder, Retryable};
use futures::StreamExt;
use futures::future::join_all;
use qingyu_studio::Right;
use serde_json::Value;

use super::A2aAgent;
use crate::error::invalid;
use crate::notes::TaskNote;

/// Maximum number of webhooks per task.
const MOST: usize = 16;
/// Maximum number of retries per notification.
const TRIES: usize = 4;
/// Delay before the first retry; doubled for each further retry.
const PAUSE: Duration = Duration::from_millis(500);

impl A2aAgent {
    pub(crate) async fn create_push_config(
        &self,
        webhook: TaskPushNotificationConfig,
    ) -> Result<TaskPushNotificationConfig, A2AError> {
        self.demand(Right::Write)?;
        let task = webhook.task_id.clone();
        let stand = self.stand(&task, webhook.tenant.as_deref()).await?;
        self.check_webhook(&webhook).await?;
        let kept = self.keep_webhook(&task, webhook, stand.last()).await?;
        self.notify(&task).await?;
        Ok(kept)
    }

    pub(crate) async fn get_push_config(
        &self,
        request: GetTaskPushNotificationConfigRequest,
    ) -> Result<TaskPushNotificationConfig, A2AError> {
        let stand = self.stand(&request.task_id, request.tenant.as_deref()).await?;
        let unknown = || A2AError::task_not_found(&format!("{}/{}", request.task_id, request.id));
        stand.note.webhooks.get(&request.id).cloned().ok_or_else(unknown)
    }

    pub(crate) async fn list_push_configs(
        &self,
        request: ListTaskPushNotificationConfigsRequest,
    ) -> Result<ListTaskPushNotificationConfigsResponse, A2AError> {
        let stand = self.stand(&request.task_id, request.tenant.as_deref()).await?;
        let configs = stand.note.webhooks.into_values().collect();
        Ok(ListTaskPushNotificationConfigsResponse { configs, next_page_token: None })
    }

    pub(crate) async fn delete_push_config(
        &self,
        request: DeleteTaskPushNotificationConfigRequest,
    ) -> Result<(), A2AError> {
        self.demand(Right::Write)?;
        self.stand(&request.task_id, request.tenant.as_deref()).await?;
        let change = |note: &mut TaskNote| drop(note.webhooks.remove(&request.id));
        self.change(&request.task_id, Box::new(change)).await.map(drop)
    }

    /// Rejects webhooks that must not be called, or with unsupported credentials.
    pub(super) async fn check_webhook(&self, webhook: &TaskPushNotificationConfig) -> Result<(), A2AError> {
        self.door.courier().check(&webhook.url).await.map_err(|error| invalid(error.to_string()))?;
        for (name, value) in headers(webhook) {
            http::HeaderValue::try_from(value).map_err(|_| invalid(format!("{name} cannot be sent")))?;
        }
        Ok(())
    }

    /// Saves a webhook; the first webhook of a task is notified of events after `after`.
    pub(super) async fn keep_webhook(
        &self,
        task: &str,
        webhook: TaskPushNotificationConfig,
        after: u64,
    ) -> Result<TaskPushNotificationConfig, A2AError> {
        let id = webhook.id.clone().filter(|id| !id.is_empty()).unwrap_or_else(a2a::new_message_id);
        let webhook = TaskPushNotificationConfig { id: Some(id.clone()), task_id: task.to_owned(), ..webhook };
        let kept = webhook.clone();
        let change = |note: &mut TaskNote| {
            if note.webhooks.is_empty() {
                note.notified = after;
            }
            if note.webhooks.len() < MOST || note.webhooks.contains_key(&id) {
                note.webhooks.insert(id.clone(), webhook);
            }
        };
        let note = self.change(task, Box::new(change)).await?;
        if !note.webhooks.contains_key(&id) {
            return Err(invalid(format!("a task may have at most {MOST} webhooks")));
        }
        Ok(kept)
    }

    /// Notifies the webhooks of pending events, until the run ends or waits. Does nothing without webhooks or pending
    /// events, or if already in progress.
    ///
    /// A crash of the server interrupts the notification, which continues on the next request for the task.
    pub(super) async fn notify(&self, task: &str) -> Result<(), A2AError> {
        let stand = self.stand(task, None).await?;
        let (after, works) = (stand.note.notified, stand.state() == TaskState::Working);
        if stand.note.webhooks.is_empty() || (!works && after >= stand.last()) {
            return Ok(());
        }
        let Some(turn) = self.door.begin_notifying(task) else { return Ok(()) };
        let agent = self.clone();
        tokio::spawn(async move {
            let _turn = turn;
            let mut updates = std::pin::pin!(agent.follow(&stand, after));
            while let Some(Ok(update)) = updates.next().await {
                // Streamed text is only sent to subscribers.
                if !is_draft(&update) {
                    agent.tell(&stand.outcome.run, &update).await;
                }
            }
        });
        Ok(())
    }

    async fn tell(&self, task: &str, update: &StreamResponse) {
        let Ok(Some(note)) = self.door.notes().get(self.studio.scope().user(), task).await else { return };
        let Ok(message) = serde_json::to_value(update) else { return };
        join_all(note.webhooks.values().map(|webhook| self.post(webhook, &message))).await;
        if let Some(seq) = event_number(update) {
            let told = |note: &mut TaskNote| note.notified = note.notified.max(seq);
            if let Err(error) = self.change(task, Box::new(told)).await {
                tracing::warn!(task, %error, "failed to store the number of the last notified event");
            }
        }
    }

    async fn post(&self, webhook: &TaskPushNotificationConfig, message: &Value) {
        let headers = headers(webhook);
        let pauses = ExponentialBuilder::default().with_min_delay(PAUSE).with_max_times(TRIES).with_jitter();
        let posting = || self.door.courier().post(&webhook.url, &headers, message);
        let posted = posting.retry(pauses).when(qingyu_studio::web::Error::is_passing).await;
        if let Err(error) = posted {
            tracing::warn!(task = %webhook.task_id, %error, "failed to notify a webhook");
        }
    }
}

/// Returns the number of the event of an update; `None` for updates that are not stored events.
fn event_number(update: &StreamResponse) -> Option<u64> {
    match update {
        StreamResponse::StatusUpdate(update) => update.metadata.as_ref()?.get("event")?.get("seq")?.as_u64(),
        _ => None,
    }
}

fn is_draft(update: &StreamResponse) -> bool {
    match update {
        StreamResponse::ArtifactUpdate(update) => update.artifact.artifact_id.starts_with("draft-"),
        _ => false,
    }
}

/// Returns the headers of a notification.
fn headers(webhook: &TaskPushNotificationConfig) -> Vec<(&'static str, String)> {
    let mut headers =
        vec![("content-type", "application/a2a+json".to_owned()), ("a2a-version", a2a::VERSION.to_owned())];
    headers.extend(webhook.token.iter().map(|token| ("x-a2a-notification-token", token.clone())));
    if let Some(authentication) = &webhook.authentication {
        let credentials = authentication.credentials.as_deref().unwrap_or_default();
        headers.push(("authorization", format!("{} {credentials}", authentication.scheme)));
    }
    headers
}
