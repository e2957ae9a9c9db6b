//! The message about the later plans that were held against the written text.

use qingyu_story::{Judge, Language};

use crate::labels;
use crate::levels::later::{LaterProposal, OwnPlan};
use crate::notice::counted;

/// Returns how many plans no longer hold, which of them are the author's own, and how many were not looked at. Rules
/// know of the dead alone.
pub(super) fn read(proposed: &[&LaterProposal], left: usize, judge: Judge, language: Language) -> String {
    let changes = proposed.len();
    let looked = match (language, judge) {
        (Language::Zh, Judge::Model) => "对照正文看了后面的计划",
        (Language::Zh, Judge::Rules) => "没有语言模型，后面的计划只查了死去的人物",
        (Language::En, Judge::Model) => "the later plans were held against the text",
        (Language::En, Judge::Rules) => "without a language model, the later plans were checked for the dead alone",
    };
    let found = match (language, changes) {
        (Language::Zh, 0) if judge == Judge::Model => "都还成立".to_owned(),
        (Language::Zh, 0) => "没有发现".to_owned(),
        (Language::Zh, _) => format!("有 {changes} 处不再成立，待作者决定"),
        (Language::En, 0) if judge == Judge::Model => "all hold".to_owned(),
        (Language::En, 0) => "none was found".to_owned(),
        (Language::En, _) => {
            format!("{}, for the author to decide", counted(changes, "no longer holds", "no longer hold"))
        }
    };
    let mut parts = vec![match language {
        Language::Zh => format!("{looked}，{found}"),
        Language::En => format!("{looked}: {found}"),
    }];
    for own in [OwnPlan::ByHand, OwnPlan::Locked] {
        let mut names: Vec<&str> = Vec::new();
        for proposal in proposed.iter().filter(|proposal| proposal.own == Some(own)) {
            if !names.contains(&proposal.name.trim()) {
                names.push(proposal.name.trim());
            }
        }
        let names = names.join(labels::of(language).comma);
        parts.extend((!names.is_empty()).then(|| match (language, own) {
            (Language::Zh, OwnPlan::ByHand) => format!("其中由作者写定、没有改动的：{names}"),
            (Language::Zh, OwnPlan::Locked) => format!("其中由作者锁住、没有改动的：{names}"),
            (Language::En, OwnPlan::ByHand) => format!("written by the author and left as planned: {names}"),
            (Language::En, OwnPlan::Locked) => format!("locked by the author and left as planned: {names}"),
        }));
    }
    parts.extend((left > 0).then(|| match language {
        Language::Zh => format!("更远的 {left} 条这次没有看"),
        Language::En => format!("not looked at: {}", counted(left, "plan further on", "plans further on")),
    }));
    parts.join(labels::of(language).semicolon)
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// Returns a proposal for the node `name`.
    pub(in crate::writing::notice) fn proposal(name: &str, own: Option<OwnPlan>) -> LaterProposal {
        LaterProposal {
            node: "o-1".into(),
            name: name.into(),
            field: "goal".into(),
            field_name: "目标".into(),
            before: "甲".into(),
            after: "乙".into(),
            reason: "老周死了".into(),
            own,
        }
    }

    #[test]
    fn plans_of_the_author_that_no_longer_hold_are_named_with_the_reason() {
        let all = [
            proposal("第三幕", Some(OwnPlan::ByHand)),
            proposal("第四幕", Some(OwnPlan::Locked)),
            proposal("第五幕", None),
            proposal("第三幕", Some(OwnPlan::ByHand)),
        ];
        let proposed: Vec<&LaterProposal> = all.iter().collect();
        assert_eq!(
            read(&proposed, 0, Judge::Model, Language::Zh),
            "对照正文看了后面的计划，有 4 处不再成立，待作者决定；其中由作者写定、没有改动的：第三幕；\
             其中由作者锁住、没有改动的：第四幕"
        );
        let nothing = |judge| read(&[], 3, judge, Language::Zh);
        assert_eq!(nothing(Judge::Model), "对照正文看了后面的计划，都还成立；更远的 3 条这次没有看");
        assert_eq!(nothing(Judge::Rules), "没有语言模型，后面的计划只查了死去的人物，没有发现；更远的 3 条这次没有看");
        let english = read(&proposed, 1, Judge::Model, Language::En);
        assert!(english.contains("written by the author and left as planned: 第三幕;"), "{english}");
        assert!(english.ends_with("not looked at: 1 plan further on"), "{english}");
    }
}
