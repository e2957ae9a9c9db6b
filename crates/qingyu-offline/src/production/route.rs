//! Routing of the user's intent, if the words alone were ambiguous.

use qingyu_agents::production::context::RouteContext;
use serde_json::{Value, json};

/// Returns the intent of the user's words. A confident decision of the word lists is taken over; otherwise chatting is
/// harmless, and any other intent gets a low confidence and is left to the user.
pub(crate) fn route(asking: &RouteContext) -> Value {
    /// Minimum confidence of the word lists for a decision.
    const SURE: f64 = 0.7;
    if let Some(intent) = asking.floor.filter(|_| asking.floor_confidence >= SURE) {
        return json!({
            "intent": intent, "fields": asking.floor_fields, "phase": asking.floor_phase,
            "instruction": asking.text, "confidence": asking.floor_confidence,
        });
    }
    let intent = asking.floor.map_or_else(|| json!("chat"), |intent| json!(intent));
    let confidence = if intent == json!("chat") { 0.7 } else { 0.5 };
    json!({ "intent": intent, "fields": [], "phase": null, "instruction": asking.text, "confidence": confidence })
}
