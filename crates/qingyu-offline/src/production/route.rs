//! What the user wants, where the words alone did not settle it.

use qingyu_agents::production::context::RouteAsking;
use serde_json::{Value, json};

/// Rules know no more than rules: to talk does no harm, all else is left to the user by a low confidence.
pub(crate) fn route(asking: &RouteAsking) -> Value {
    let intent = asking.floor.map_or_else(|| json!("chat"), |intent| json!(intent));
    let confidence = if intent == json!("chat") { 0.7 } else { 0.5 };
    json!({ "intent": intent, "fields": [], "phase": null, "instruction": asking.text, "confidence": confidence })
}
