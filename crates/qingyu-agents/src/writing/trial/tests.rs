use qingyu_story::settlement::extraction::ToldFact;
use serde_json::json;

use super::*;
use crate::writing::settling::{FindingFilter, check};

/// A sentence that rules do not read.
const BACK: &str = "那点凉意又落回他掌心里。";

/// Returns how severe it is that the key is in hand after it was given away, in a draft after an extraction with one fact.
fn severity(predicate: &str, quote: &str) -> Option<Severity> {
    let story: Story = serde_json::from_value(json!({
        "characters": [{ "id": "c-1", "name": "林深" }],
        "worldview": { "items": [{ "id": "i-1", "name": "铜钥匙" }] },
        "outline_nodes": [{ "id": "o-1", "name": "第1章", "order": 1 }],
    }))
    .expect("it is a story");
    let draft = format!("临行前，林深把铜钥匙送给了卖花的孩子。{BACK}他从袖子里摸出铜钥匙，开了锁。");
    let chapter = ChapterInHand { number: 1, node: "o-1".into(), title: "第1章".into(), ..ChapterInHand::default() };
    let fact = ToldFact {
        subject: "林深".into(),
        predicate: predicate.into(),
        object: Some("铜钥匙".into()),
        quote: quote.into(),
        confidence: 0.9,
        ..ToldFact::default()
    };
    let extraction = Extraction { facts: vec![fact], ..Extraction::default() };
    let config = Config::default();
    let found = check(&story, &chapter, &draft, &config, FindingFilter::New).expect("it is one chapter");
    let found =
        unexplained(&story, (&chapter, draft.as_str()), &extraction, &config, found).expect("it is one chapter");
    found.into_iter().find(|finding| finding.code.as_deref() == Some("QY402")).map(|finding| finding.severity)
}

#[test]
fn a_fact_whose_sentence_stands_explains_what_the_rules_find_in_a_mended_draft() {
    assert_eq!(severity("得到", BACK), None);
    assert_eq!(severity("喜欢", BACK), Some(Severity::High), "it says nothing of how the key came back");
}

#[test]
fn a_contradiction_about_a_fact_whose_sentence_has_changed_is_not_severe() {
    assert_eq!(severity("得到", "第二天一早，孩子在桥头把它还了回来。"), Some(Severity::Medium));
}
