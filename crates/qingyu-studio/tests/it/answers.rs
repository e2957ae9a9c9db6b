//! Answers that a good model would give, for every purpose.

use qingyu_llm::Usage;
use serde_json::{Value, json};

pub(crate) const REQUIREMENT: &str = "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术";
/// The calls of a run that passes its first review.
pub(crate) const CALLS: [&str; 5] =
    ["plan.create", "outline.generate", "character.generate", "plot.generate", "review.judge"];
pub(crate) const USAGE: Usage = Usage { input: 100, cached: 20, written: 0, output: 50, estimated: false };

pub(crate) fn judgement(quality_score: u8) -> Value {
    json!({"quality_score": quality_score, "issues": [], "reasoning_chain": ["读过了"]})
}

/// The answer for a purpose.
pub(crate) fn answer(purpose: &str) -> Value {
    let made = purpose.split('.').next().unwrap_or_default();
    match made {
        "plan" => plan(),
        "outline" => outline(),
        "character" => cast(),
        "plot" => plot(),
        "worldview" => {
            json!({"worldview": {"summary": "大公司统治的雨城", "locations": [{"name": "霓虹区"}]}, "reasoning": ["一个城区"]})
        }
        "style" => json!({"style": {"tone": "冷"}, "reasoning": ["黑色电影"]}),
        "review" => judgement(90),
        other => panic!("no answer for {other}"),
    }
}

fn plan() -> Value {
    let step = |id: u32, agent: &str, dependencies: &[u32]| {
        json!({"step_id": id, "agent": format!("{agent}_agent"), "task_description": format!("任务{id}"),
               "dependencies": dependencies, "estimated_tokens": 2000})
    };
    json!({
        "requirement_analysis": {"type": "new_creation", "complexity": "medium", "required_capabilities": ["outline"]},
        "execution_plan": {"steps": [
            step(1, "outline", &[]), step(2, "character", &[1]), step(3, "plot", &[1, 2]), step(4, "review", &[1, 2, 3]),
        ]},
        "reasoning": ["先有大纲"],
    })
}

fn outline() -> Value {
    let node = |order: u32, name: &str, description: &str| {
        json!({"order": order, "name": name, "kind": "chapter", "description": description, "goal": "推进调查",
               "participants": ["林深", "苏曼"]})
    };
    json!({
        "outline_nodes": [
            node(1, "第一章 雨夜来客", "苏曼带着一块芯片找到林深，请他寻找失踪的哥哥。"),
            node(2, "第二章 旧港", "林深黑进港务系统，发现苏曼隐瞒了芯片的来历。"),
        ],
        "outline_summary": "一块芯片引出一桩失踪案",
        "reasoning": ["两章足够"],
    })
}

fn cast() -> Value {
    let card = |name: &str, role: &str| {
        json!({"name": name, "role_type": role, "occupation": "侦探", "traits": ["冷静", "固执"],
               "weakness": "不肯求人", "personality": "先看手再看脸", "background": "当过港务警察",
               "goals": "找到真相", "conflicts": "真相会毁掉委托人", "arc": "学会信任"})
    };
    json!({
        "characters": [card("林深", "protagonist"), card("苏曼", "supporting")],
        "character_relations": [{"from": "林深", "to": "苏曼", "type": "ally", "strength": 0.6,
                                 "description": "互相提防的搭档"}],
        "character_summary": "两个不说真话的人",
    })
}

fn plot() -> Value {
    let event = |title: &str, timestamp: &str, chapter: &str| {
        json!({"title": title, "description": "林深与苏曼见面", "timestamp": timestamp,
               "participants": ["林深", "苏曼"], "importance": 6, "outline_node": chapter})
    };
    let node = |title: &str, kind: &str, chapter: &str, event: &str| json!({"title": title, "description": "信任出现裂痕", "kind": kind, "outline_node": chapter, "events": [event]});
    json!({
        "timeline_events": [event("委托", "第1天", "第一章 雨夜来客"), event("识破", "第3天", "第二章 旧港")],
        "plot_nodes": [
            node("一块芯片", "conflict", "第一章 雨夜来客", "委托"),
            node("谎言败露", "climax", "第二章 旧港", "识破"),
            node("和解", "resolution", "第二章 旧港", "识破"),
        ],
        "plot_summary": "从委托到识破",
    })
}
