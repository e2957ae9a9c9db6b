//! Parsing of the user's words and answers, by rules.

use std::collections::BTreeMap;

use qingyu_agents::production::context::{ConversationLine, Who};
use qingyu_story::{Language, says_something, without_placeholders};

use super::tables::ProductionTables;

/// The known values, by slot: `audience`, `topic`, `form` and the slots of the questions.
#[derive(Debug, Default)]
pub(super) struct ProductionBrief {
    pub(super) known: BTreeMap<String, String>,
}

impl ProductionBrief {
    /// Parses the premise and the answers.
    pub(super) fn read(
        language: Language,
        tables: &ProductionTables,
        premise: &str,
        conversation: &[ConversationLine],
    ) -> Self {
        let premise = without_placeholders(premise);
        let premise = premise.as_ref();
        let mut known = match language {
            Language::Zh => chinese(premise),
            Language::En => english(premise),
        };
        let mut asked: Option<&str> = None;
        for line in conversation {
            match line.who {
                Who::Agent => {
                    let of_line = tables.questions.iter().find(|question| line.text.contains(&question.text));
                    asked = of_line.map(|question| question.slot.as_str());
                }
                Who::User => {
                    let words = line.text.trim();
                    if let Some(slot) = asked.take().filter(|_| says_something(words) && !is_enough(tables, words)) {
                        known.insert(slot.to_owned(), trim(words).to_owned());
                    }
                }
            }
        }
        if !known.contains_key("topic") && says_something(premise) {
            known.insert("topic".into(), trim(premise).to_owned());
        }
        Self { known }
    }

    /// Fills the slots of a template.
    pub(super) fn fill(&self, tables: &ProductionTables, template: &str) -> String {
        tables.slots.iter().fold(template.to_owned(), |text, (slot, missing)| {
            let value = self.known.get(slot).map_or_else(|| tables.unknown(missing), Clone::clone);
            text.replace(&format!("{{{slot}}}"), &value)
        })
    }
}

fn is_enough(tables: &ProductionTables, words: &str) -> bool {
    let bare = words.trim_matches(|letter: char| !letter.is_alphanumeric()).to_lowercase();
    tables.enough.contains(&bare)
}

fn trim(words: &str) -> &str {
    words.trim().trim_end_matches(['。', '.', '！', '!', '，', ',', ' '])
}

/// Returns the text between the first of `begins` and the next of `ends`.
fn between<'t>(text: &'t str, begins: &[&str], ends: &[&str]) -> Option<&'t str> {
    let from = begins.iter().filter_map(|begin| Some((text.find(begin)?, begin.len()))).min()?;
    let rest = &text[from.0 + from.1..];
    let to = ends.iter().filter_map(|end| rest.find(end)).min().unwrap_or(rest.len());
    Some(trim(&rest[..to])).filter(|found| !found.is_empty())
}

fn chinese(premise: &str) -> BTreeMap<String, String> {
    // A verb alone would cut 独立开发者 and 设计师 in two.
    let ends = [
        "写一",
        "做一",
        "设计一",
        "制作一",
        "准备一",
        "拍一",
        "开发一",
        "策划一",
        "讲一",
        "写个",
        "做个",
        "写几",
        "做几",
        "写课",
        "写教",
        "写文",
        "做课",
        "做视",
        "的",
        "，",
        "。",
        ",",
    ];
    let audience = between(premise, &["面向", "写给", "针对", "为", "给"], &ends);
    let topic = between(premise, &["关于", "讲解", "讲", "介绍", "教"], &["的", "，", "。", ","]);
    let forms = ["短课程", "小课程", "课程", "产品页", "落地页", "短视频", "系列文章", "文章", "教程", "手册", "小说"];
    let form = forms.into_iter().find(|form| premise.contains(form));
    collected(audience, topic, form)
}

fn english(premise: &str) -> BTreeMap<String, String> {
    let lower = premise.to_ascii_lowercase();
    // ASCII lower case keeps byte offsets, so that the user's own capitals can be restored.
    let at = |found: Option<&str>| {
        let found = found?;
        let from = found.as_ptr() as usize - lower.as_ptr() as usize;
        premise.get(from..from + found.len())
    };
    let audience = at(between(&lower, &[" for "], &[" on ", " about ", ",", ".", ";"]));
    let topic = at(between(&lower, &[" on ", " about "], &[" for ", ",", ".", ";"]));
    let forms = [
        "short course",
        "course",
        "product page",
        "landing page",
        "short video",
        "article series",
        "articles",
        "novel",
    ];
    let form = forms.into_iter().find(|form| lower.contains(form));
    collected(audience, topic, form)
}

fn collected(audience: Option<&str>, topic: Option<&str>, form: Option<&str>) -> BTreeMap<String, String> {
    let found = [("audience", audience), ("topic", topic), ("form", form)];
    found.into_iter().filter_map(|(slot, words)| Some((slot.to_owned(), words?.to_owned()))).collect()
}
