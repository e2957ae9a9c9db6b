//! Plans of chapters from the outline, in order, with placeholders for gaps. Never prose.

use qingyu_agents::context::ChapterPlanContext;
use qingyu_agents::writing::book::ChapterSurroundings;
use qingyu_agents::writing::plan::MAX_SCENES;
use qingyu_agents::writing::{ChapterPlan, ScenePlan};
use qingyu_story::{Language, OutlineNode, placeholder};

/// Returns the plan according to the outline.
pub(crate) fn plan(asked: &ChapterPlanContext) -> ChapterPlan {
    let ChapterSurroundings { node, scenes: below, next, .. } = &asked.surroundings;
    let scenes: Vec<&OutlineNode> = if below.is_empty() { vec![node] } else { below.iter().collect() };
    let gap = placeholder(asked.language);
    let share = asked.words / u32::try_from(scenes.len().max(1)).unwrap_or(1);
    let scene = |scene: &&OutlineNode| ScenePlan {
        title: if scene.name.is_empty() { asked.title.clone() } else { scene.name.clone() },
        location: scene.location.clone().or_else(|| node.location.clone()).unwrap_or_else(|| gap.to_owned()),
        participants: if scene.participants.is_empty() { &node.participants } else { &scene.participants }.clone(),
        beats: beats(scene, gap),
        words: scene.words.unwrap_or(share),
    };
    let (goal, avoid, reason) = match asked.language {
        Language::Zh => {
            ("这一章要做到什么，", "下一章才写：", "离线助手只按大纲排列，没有添加情节；〔待写〕处留给作者。")
        }
        Language::En => (
            "what the chapter must achieve: ",
            "left to the next chapter: ",
            "The offline model only puts the outline in order and adds no plot; what is marked is left to the author.",
        ),
    };
    let next = Some(next.trim()).filter(|next| !next.is_empty());
    ChapterPlan {
        task_type: asked.kind.clone(),
        goal: if node.goal.trim().is_empty() { format!("{goal}{gap}") } else { node.goal.clone() },
        point_of_view: node.participants.first().cloned().unwrap_or_else(|| gap.to_owned()),
        scenes: scenes.iter().take(MAX_SCENES).map(scene).collect(),
        must_keep: node.plants.iter().chain(&node.pays).cloned().collect(),
        must_avoid: next.map(|next| format!("{avoid}{next}")).into_iter().collect(),
        searches: node.participants.iter().take(2).cloned().collect(),
        reasoning: vec![reason.into()],
    }
}

/// Returns the clauses of the events, a beat for each; by default a gap.
fn beats(node: &OutlineNode, gap: &str) -> Vec<String> {
    let is_end = |c: char| matches!(c, '。' | '；' | '！' | '？' | ';' | '\n') || c == '.';
    let clauses = node.description.split(is_end).map(str::trim).filter(|clause| !clause.is_empty());
    let beats: Vec<String> = clauses.map(str::to_owned).collect();
    if beats.is_empty() { vec![gap.to_owned()] } else { beats }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn asked(node: &str, scenes: &str) -> ChapterPlanContext {
        ChapterPlanContext {
            chapter: 3,
            kind: "draft".into(),
            title: "第三章 夜雨".into(),
            words: 2_000,
            surroundings: ChapterSurroundings {
                node: serde_json::from_str(node).unwrap(),
                scenes: serde_json::from_str(scenes).unwrap(),
                next: "第四章 追船".into(),
                ..ChapterSurroundings::default()
            },
            ..ChapterPlanContext::default()
        }
    }

    #[test]
    fn the_outline_is_put_in_order_and_nothing_is_added() {
        let plan = plan(&asked(
            r#"{"name":"第三章 夜雨","description":"林青等船。船没有来。","goal":"拿到钥匙","participants":["林青"],"plants":["铜钥匙"]}"#,
            "[]",
        ));
        assert_eq!(plan.scenes.len(), 1);
        assert_eq!(plan.scenes[0].beats, ["林青等船", "船没有来"]);
        assert_eq!((plan.scenes[0].location.as_str(), plan.scenes[0].words), ("〔待写〕", 2_000));
        assert_eq!((plan.goal.as_str(), plan.point_of_view.as_str()), ("拿到钥匙", "林青"));
        assert_eq!((plan.must_keep.len(), plan.must_avoid.len()), (1, 1));
    }

    #[test]
    fn what_the_outline_does_not_say_is_a_gap() {
        let empty = plan(&asked("{}", "[]"));
        assert_eq!(empty.scenes[0].beats, ["〔待写〕"]);
        assert!(empty.goal.contains("〔待写〕") && empty.point_of_view == "〔待写〕");
        let scenes = plan(&asked(
            r#"{"name":"第三章","location":"旧港"}"#,
            r#"[{"name":"码头","description":"等船"},{"name":"酒馆","words":500}]"#,
        ));
        assert_eq!(scenes.scenes.iter().map(|scene| scene.words).collect::<Vec<_>>(), [1_000, 500]);
        assert_eq!(scenes.scenes[1].location, "旧港");
    }
}
