//! Page text that is no evidence: sentences that speak to a model, pages that sell, claims against the rules.
//!
//! Rules over lists of words in both languages. They mark and refuse; nothing here makes a claim true.
//!
//! - `address`: sentences that speak to a model; `words`: the lists

mod address;
mod words;

use qingyu_story::Story;
use qingyu_story::language::has_words;
use qingyu_story::production::Golden;
use serde_json::Value;

use self::words::{WORDS, has};
use crate::topic::{overlap, terms};
use crate::{FieldBoard, golden};

pub use address::{addressed, addresses_model, kept, marked};

/// Minimum number of different selling phrases on the page of a vendor.
const SELLING: usize = 2;
/// Minimum share of a claim's words that its note has.
const ENOUGH: f64 = 0.2;

/// Maximum words, or Chinese characters, between the parts of a rule.
const NEAR: usize = 4;

/// Returns whether a page sells something: two different phrases of selling, in its title and text.
pub fn is_vendor(title: &str, text: &str) -> bool {
    let page = format!("{title}\n{text}").to_lowercase();
    WORDS.selling.iter().filter(|phrase| has_words(&page, phrase)).count() >= SELLING
}

/// Returns whether a claim names the site of its page, as `Acme` on `acme.example`: a page about its own product.
pub fn is_about_itself(claim: &str, url: &str) -> bool {
    /// Minimum characters of a name that can be recognised.
    const SHORTEST: usize = 4;
    let host = url.split("://").nth(1).unwrap_or_default().split(['/', ':', '?']).next().unwrap_or_default();
    let labels: Vec<&str> = host.trim_start_matches("www.").split('.').collect();
    let names = labels.iter().rev().skip(1).filter(|label| label.chars().count() >= SHORTEST);
    let claim = claim.to_lowercase();
    names.into_iter().any(|name| has_words(&claim, &name.to_lowercase()))
}

/// Returns whether a claim recommends a product.
pub fn recommends(claim: &str) -> bool {
    has(&claim.to_lowercase(), &WORDS.recommending)
}

/// Returns whether the rules of a project forbid to recommend products.
pub fn forbids_products(rules: &[String]) -> bool {
    rules.iter().any(|rule| {
        let mut rule = address::folded(rule);
        for count in &WORDS.counting {
            rule = rule.replace(count.as_str(), " ");
        }
        let behind = |from: usize, list: &[String]| address::ends_behind(&rule, from, list, NEAR);
        let all = |list: &[String]| address::ends_of(&rule, list);
        let is_banned = all(&WORDS.banning).into_iter().any(|end| !behind(end, &WORDS.banned).is_empty());
        let mut acts = all(&WORDS.refusing).into_iter().flat_map(|end| behind(end, &WORDS.doing));
        is_banned || acts.any(|end| !behind(end, &WORDS.done).is_empty())
    })
}

/// Returns whether a note says what the claim says, by their words in common.
pub fn says(note: &str, claim: &str) -> bool {
    // A claim without terms cannot be compared, and passes.
    terms(claim).is_empty() || note.contains(claim) || overlap(claim, note) >= ENOUGH
}

/// Returns the rules of a project: the constraints in its intent.
pub fn rules_of(story: &Story) -> Vec<String> {
    let board = FieldBoard::new(&story.fields);
    let mut rules = Vec::new();
    for value in golden::values(&board, Golden::Intent) {
        for name in ["constraints", "限制", "约束"] {
            match value.get(name) {
                Some(Value::Array(entries)) => rules.extend(entries.iter().map(golden::as_text)),
                Some(other) => rules.push(golden::as_text(other)),
                None => {}
            }
        }
    }
    rules.retain(|rule| !rule.is_empty());
    rules
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_that_sell_and_claims_that_recommend_are_known() {
        assert!(is_vendor("Acme", "Acme saves hours. Start your free trial. Add to cart!"));
        assert!(is_vendor("店", "立即购买，限时优惠。"));
        assert!(!is_vendor("Study", "We asked 300 librarians. Two sign up for courses; one had a free trial."));
        assert!(is_about_itself("Acme is faster than all others", "https://www.acme.example/why"));
        assert!(!is_about_itself("Prices rise", "https://www.acme.example/why"));
        assert!(recommends("Acme 是独立开发者的首选") && recommends("Experts recommend Acme"));
        assert!(!recommends("六成产品分三档"));
        for claim in ["Nothing beats Acme", "Acme is the only platform worth paying for", "Acme 无可替代"] {
            assert!(recommends(claim), "{claim}");
        }
    }

    #[test]
    fn rules_against_products_are_known_in_many_words() {
        for rule in [
            "No product recommendations.",
            "no brands or advertising",
            "Don't recommend any products",
            "we do not name vendors or their tools",
            "Never mention brands",
            "avoid promotional language",
            "全文不推荐任何产品",
            "不要推荐具体的软件",
            "不打广告",
            "禁止植入广告",
            "别提任何品牌",
        ] {
            assert!(forbids_products(&[rule.to_owned()]), "{rule}");
        }
        for rule in [
            "十节以内",
            "no more than three products per page",
            "not only for product people",
            "不超过三个产品",
            "No videos",
            "Readers have no time",
        ] {
            assert!(!forbids_products(&[rule.to_owned()]), "{rule}");
        }
    }

    #[test]
    fn a_note_says_what_a_claim_says_by_their_words() {
        assert!(says("六成产品分三档定价", "多数产品分三档"));
        assert!(!says("年付打八折", "多数产品分三档"));
        assert!(says("Six in ten products have three tiers", "Most products have three price tiers"));
    }
}
