//! Counts on the cards of places, things and organisations, as the facts before the chapter give them.

use qingyu_story::Mode;
use qingyu_story::card_count::with_count;
use serde_json::Value;

use super::dates::number_of;
use super::known::mode_of;
use crate::labels::Labels;

/// Puts the numbers told last into the descriptions of cards that have earlier ones.
pub(super) fn bring_up_to_date(cards: &mut [Value], facts: &[Value], words: &Labels) {
    let text = |fact: &Value, key: &str| fact[key].as_str().unwrap_or_default().trim().to_owned();
    let is_so = |fact: &&Value| mode_of(fact) == Mode::Narrated && fact["object"].is_null();
    let mut told: Vec<&Value> = facts.iter().filter(is_so).collect();
    told.sort_by_key(|fact| number_of(&text(fact, "fact")));
    for card in cards {
        let name = text(card, "name");
        for fact in told.iter().filter(|fact| text(fact, "subject") == name) {
            let number = fact["value"].as_u64().and_then(|number| u32::try_from(number).ok());
            let predicate = words.predicate(&text(fact, "predicate"));
            let changed = number
                .and_then(|number| with_count(&text(card, "description"), &predicate, &text(fact, "unit"), number));
            if let Some(description) = changed {
                card["description"] = Value::String(description);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use qingyu_story::Language;
    use serde_json::json;

    use super::bring_up_to_date;
    use crate::labels;

    #[test]
    fn a_card_has_the_number_told_last() {
        let fact = |id: &str, number: u32, mode: &str| json!({"fact": id, "subject": "汪家", "predicate": "人口", "value": number, "unit": "口", "mode": mode});
        let facts = [fact("f-12", 12, "narrated"), fact("f-3", 11, "narrated"), fact("f-13", 20, "lied")];
        let mut cards = [
            json!({"kind": "organisation", "name": "汪家", "description": "一家九口。"}),
            json!({"kind": "organisation", "name": "沈家", "description": "一家九口。"}),
        ];
        bring_up_to_date(&mut cards, &facts, labels::of(Language::Zh));
        assert_eq!(cards.map(|card| card["description"].clone()), ["一家十二口。", "一家九口。"]);
    }
}
