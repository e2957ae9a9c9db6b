//! Reports as Markdown: research, simulated consumers and evaluations.

use qingyu_story::Language;
use qingyu_story::production::PhaseKind;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::content::{ContentPlace, OpenContent};
use crate::evaluation::{Comparison, Evaluation, Rating, Verdict};
use crate::research::Report;
use crate::simulation::{Buys, Demand, DropOff, Interaction, Outcome, Simulation};

/// Maximum number of comments and quotes shown per item.
const SHOWN: usize = 3;
/// Number of cells of a full bar.
const BAR: f64 = 20.0;

/// Returns the value of a report field as Markdown; `None` if the value is no report of such a phase.
pub fn markdown(kind: PhaseKind, value: &Value, language: Language) -> Option<String> {
    let words = ReportWords(language == Language::Zh);
    match kind {
        PhaseKind::Research => Some(read::<Report>(value, "sources")?.markdown(language)),
        PhaseKind::Simulate => Some(words.simulation(&read(value, "outcomes")?)),
        PhaseKind::Evaluate => {
            let compared = value.get("compared").and_then(|compared| serde_json::from_value(compared.clone()).ok());
            Some(words.evaluation(&read(value, "criteria")?, compared.as_ref()))
        }
        PhaseKind::Interview | PhaseKind::Make => None,
    }
}

/// Returns what each simulated reader said in a report, with the reader's name, whole: a report as Markdown shows only
/// some of it. Empty for any other value.
pub fn said_by_readers(value: &Value, language: Language) -> Vec<(String, String)> {
    let Some(simulation) = read::<Simulation>(value, "readings") else { return Vec::new() };
    let words = ReportWords(language == Language::Zh);
    let mut readers: Vec<(String, String)> = Vec::new();
    for reading in &simulation.readings {
        let Some(reaction) = &reading.reaction else { continue };
        let mut lines =
            vec![format!("{}  {}: {}", reading.persona, words.interaction(reading.interaction), reaction.words)];
        lines.extend(reaction.objections.iter().map(|objection| match objection.quote.is_empty() {
            true => format!("- {}", objection.words),
            false => format!("- {} (\"{}\")", objection.words, objection.quote),
        }));
        lines.extend(reaction.would_buy.map(|buys| format!("- {}", words.buys(buys))));
        let text = lines.join("\n");
        match readers.iter_mut().find(|(name, _)| *name == reading.persona) {
            Some((_, said)) => {
                said.push('\n');
                said.push_str(&text);
            }
            None => readers.push((reading.persona.clone(), text)),
        }
    }
    readers
}

/// Deserializes the value as a report with the member; `None` for any other shape.
fn read<T: DeserializeOwned>(value: &Value, member: &str) -> Option<T> {
    value.get(member)?;
    serde_json::from_value(value.clone()).ok()
}

/// The words of a language.
struct ReportWords(bool);

impl ReportWords {
    fn say(&self, chinese: &'static str, english: &'static str) -> &'static str {
        if self.0 { chinese } else { english }
    }

    fn simulation(&self, simulation: &Simulation) -> String {
        let mut parts = Vec::new();
        for outcome in &simulation.outcomes {
            parts.push(self.outcome(outcome));
        }
        if let Some(demand) = &simulation.demand {
            parts.push(self.demand(demand));
        }
        if let Some(drop_off) = &simulation.drop_off {
            parts.push(self.drop_off(drop_off));
        }
        if !simulation.points.is_empty() {
            let lines = simulation.points.iter().map(|point| {
                let all = point.understood_by.len() + point.missed_by.len();
                format!("- {}/{all}  {}", point.understood_by.len(), point.point)
            });
            parts.push(section(self.say("哪些要点说清楚了", "Which points came across"), lines));
        }
        parts.extend(self.open(&simulation.open));
        if !simulation.objections.is_empty() {
            let lines = simulation.objections.iter().map(|group| {
                let place = self.place(group.place.as_ref(), group.paragraph);
                let sides =
                    group.sides.iter().take(SHOWN).map(|side| format!("\n  - {}: {}", side.persona, side.words));
                format!("- {place} ({}){}", group.personas, sides.collect::<String>())
            });
            parts.push(section(self.say("疑虑", "Objections"), lines));
        }
        if simulation.failed > 0 {
            let said = self.say("没有得到可用反应的次数，不计入平均", "readings without a usable answer, in no mean");
            parts.push(format!("{}: {said}", simulation.failed));
        }
        parts.join("\n\n")
    }

    fn buys(&self, buys: Buys) -> &'static str {
        match buys {
            Buys::Yes => self.say("会买", "would buy"),
            Buys::Maybe => self.say("看情况再买", "might buy"),
            Buys::No => self.say("不会买", "would not buy"),
        }
    }

    fn outcome(&self, outcome: &Outcome) -> String {
        let mut lines = vec![format!("## {}", self.interaction(outcome.interaction))];
        if let Some(scale) = outcome.interaction.scale(self.language()) {
            lines.push(format!("{}: {scale}", self.say("分数的意思", "What the scores mean")));
        }
        let figures = match (outcome.mean, outcome.spread) {
            (Some(mean), Some(spread)) => format!("{mean:.0} ± {spread:.0}  (n = {})", outcome.scored),
            (Some(mean), None) => format!("{mean:.0}  (n = {})", outcome.scored),
            (None, _) => self.say("没有打分", "no score").to_owned(),
        };
        lines.push(figures);
        if let Some(apart) = &outcome.disagreement {
            lines.push(format!("- ↑ {}: {}", apart.high.persona, apart.high.words));
            lines.push(format!("- ↓ {}: {}", apart.low.persona, apart.low.words));
        }
        lines.join("\n\n").replace("\n\n- ↓", "\n- ↓")
    }

    fn demand(&self, demand: &Demand) -> String {
        let Demand { yes, maybe, no, unsaid, between, .. } = demand;
        let counts = if self.0 {
            format!("会买 {yes}，看情况 {maybe}，不会 {no}，没有说 {unsaid}")
        } else {
            format!("yes {yes}, maybe {maybe}, no {no}, unsaid {unsaid}")
        };
        let range = format!("{:.0}–{:.0} %", between.0 * 100.0, between.1 * 100.0);
        let note = self.say("95% 区间；只说明这些模拟读者", "95 % interval; it describes these simulated readers only");
        format!("## {}\n\n{counts}\n{range} ({note})", self.say("会不会买", "Would they buy"))
    }

    fn drop_off(&self, drop_off: &DropOff) -> String {
        let step = drop_off.curve.len().div_ceil(12).max(1);
        let rows = drop_off.curve.iter().enumerate().filter(|(place, _)| (place + 1) % step == 0);
        let rows = rows.map(|(_, at)| {
            let filled = (at.share * BAR).round() as usize;
            format!("{:>4} {} {:.0} %", at.paragraph, "█".repeat(filled), at.share * 100.0)
        });
        let title = self.say("读到哪里（读完该段后还在读的比例）", "How far they read (share still reading)");
        let stops = drop_off.stops.iter().map(|stop| {
            let place = self.place(stop.place.as_ref(), Some(stop.paragraph));
            format!("\n- {place}  {}: {}", stop.persona, stop.words)
        });
        format!("## {title}\n\n{}\n{}", rows.collect::<Vec<_>>().join("\n"), stops.collect::<String>())
    }

    fn evaluation(&self, evaluation: &Evaluation, compared: Option<&Comparison>) -> String {
        let total = match (evaluation.total, evaluation.deviation) {
            (Some(total), Some(deviation)) => format!("{total:.0} ± {deviation:.0}"),
            (Some(total), None) => format!("{total:.0}"),
            (None, _) => self.say("没有打分", "no score").to_owned(),
        };
        let covered = evaluation.covered * 100.0;
        let figures = if self.0 {
            format!(
                "总分 {total}，覆盖权重的 {covered:.0} %，{} 次评估，{} 次没有结果",
                evaluation.runs, evaluation.failed
            )
        } else {
            format!(
                "Total {total}, covering {covered:.0} % of the weights; {} runs, {} failed",
                evaluation.runs, evaluation.failed
            )
        };
        let mut parts = vec![figures];
        if evaluation.judges.len() > 1 {
            let judges = evaluation.judges.join(self.say("、", ", "));
            parts.push(if self.0 {
                format!("评委各看各的：{judges}。± 后面是他们看法的差距，不是测量误差。")
            } else {
                format!("The judges look at different things: {judges}. The number behind ± is how far their views differ, not an error of measurement.")
            });
        }
        parts.extend(self.open(&evaluation.open));
        parts.extend(evaluation.criteria.iter().map(|rating| self.rating(rating)));
        if let Some(compared) = compared {
            let rows = compared.criteria.iter().chain([&compared.total]).map(|row| {
                let title = if row.title.is_empty() { self.say("总分", "Total") } else { row.title.as_str() };
                let figure = |number: Option<f64>| number.map_or("–".to_owned(), |number| format!("{number:.0}"));
                format!("- {title}: {} → {}  {}", figure(row.before), figure(row.after), self.verdict(row.verdict))
            });
            parts.push(section(self.say("与上次相比", "Compared with the last time"), rows));
        }
        parts.join("\n\n")
    }

    fn rating(&self, rating: &Rating) -> String {
        let weight = rating.weight * 100.0;
        let score = match (rating.mean, rating.deviation) {
            (Some(mean), Some(deviation)) => format!("{mean:.0} ± {deviation:.0}"),
            (Some(mean), None) => format!("{mean:.0}"),
            (None, _) => "–".to_owned(),
        };
        let unsure = if rating.is_unreliable {
            self.say("（各次相差太大，不可靠）", " (runs differ too much)")
        } else {
            ""
        };
        let mut lines = vec![format!("## {}  {score}  ({weight:.0} %){unsure}\n", rating.title)];
        lines.extend(rating.why.iter().take(SHOWN).map(|why| format!("- {why}")));
        if rating.by_judge.len() > 1 {
            let score = |score: Option<u8>| score.map_or("–".to_owned(), |score| score.to_string());
            let judges = rating.by_judge.iter().map(|judge| format!("{} {}", judge.judge, score(judge.score)));
            lines.insert(1, format!("{}\n", judges.collect::<Vec<_>>().join(" · ")));
        }
        lines.extend(rating.quotes.iter().take(SHOWN).map(|quoted| match &quoted.place {
            Some(place) => format!("> {} ({})", quoted.quote, place.text(self.language())),
            None => format!("> {}", quoted.quote),
        }));
        lines.join("\n")
    }

    fn language(&self) -> Language {
        if self.0 { Language::Zh } else { Language::En }
    }

    /// Returns the place of a paragraph; its number in a report without places.
    fn place(&self, place: Option<&ContentPlace>, paragraph: Option<usize>) -> String {
        match (place, paragraph) {
            (Some(place), _) => place.text(self.language()),
            (None, Some(number)) if self.0 => format!("第 {number} 段"),
            (None, Some(number)) => format!("paragraph {number}"),
            (None, None) => self.say("整体", "all of it").to_owned(),
        }
    }

    /// Returns the section of what is still to be written, if anything is.
    fn open(&self, open: &[OpenContent]) -> Option<String> {
        let line = |open: &OpenContent| format!("- {}: {}", open.title, open.placeholders);
        let title = self.say("还没有写、谁也没有读的地方", "Still to be written, and read by nobody");
        (!open.is_empty()).then(|| section(title, open.iter().map(line)))
    }

    fn verdict(&self, verdict: Verdict) -> &'static str {
        match verdict {
            Verdict::Better => self.say("变好", "better"),
            Verdict::Worse => self.say("变差", "worse"),
            Verdict::NotDistinguishable => self.say("看不出差别", "not distinguishable"),
            Verdict::NotComparable => self.say("无法比较", "not comparable"),
        }
    }

    fn interaction(&self, interaction: Interaction) -> &'static str {
        match interaction {
            Interaction::FirstImpression => self.say("第一印象", "First impression"),
            Interaction::Comprehension => self.say("读懂了多少", "Comprehension"),
            Interaction::Objection => self.say("疑虑", "Objection"),
            Interaction::Purchase => self.say("购买意愿", "Purchase"),
            Interaction::DropOff => self.say("读到哪里", "Drop-off"),
        }
    }
}

fn section(title: &str, lines: impl Iterator<Item = String>) -> String {
    format!("## {title}\n\n{}", lines.collect::<Vec<_>>().join("\n"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// Reports of releases without places, roles and marks of vendors.
    #[test]
    fn reports_of_older_releases_are_shown() {
        let simulation = json!({
            "personas": [], "paragraphs": 3, "left_out": [],
            "outcomes": [{"interaction": "drop_off", "read": 1, "failed": 0, "scored": 0, "mean": null, "spread": null, "disagreement": null}],
            "points": [], "failed": 0, "readings": [], "demand": null,
            "objections": [{"paragraph": 2, "quotes": [], "sides": [{"persona": "甲", "words": "不信"}], "personas": 1}],
            "drop_off": {"readers": 1, "curve": [{"paragraph": 1, "share": 1.0}], "finished": 0.0, "stops": [{"paragraph": 2, "persona": "甲", "words": "停"}]},
        });
        let text = markdown(PhaseKind::Simulate, &simulation, Language::Zh).unwrap();
        assert!(text.contains("- 第 2 段 (1)") && text.contains("- 第 2 段  甲: 停"), "{text}");
        let evaluation = json!({
            "contents": [], "left_out": [], "total": 70.0, "covered": 1.0, "runs": 2, "failed": 0, "errors": [], "whole_runs": 2,
            "criteria": [{"criterion": "clarity", "title": "清楚", "weight": 1.0, "scores": [60, 80], "mean": 70.0, "deviation": 14.1,
                          "is_unreliable": true, "why": [], "quotes": [{"paragraph": 1, "quote": "价值"}]}],
        });
        let text = markdown(PhaseKind::Evaluate, &evaluation, Language::Zh).unwrap();
        assert!(text.contains("> 价值") && !text.contains("评委"), "{text}");
        let research = json!({
            "question": "q", "summary": "s", "findings": [], "dropped": [], "gaps": [], "queries": [],
            "sources": [{"number": 1, "title": "题", "url": "https://a/", "read_at": "t", "characters": 3}],
        });
        assert!(markdown(PhaseKind::Research, &research, Language::Zh).unwrap().contains("1. 题 <https://a/> (t)"));
    }

    #[test]
    fn what_a_reader_said_is_found_whole() {
        let read = |persona: &str, interaction: &str, reaction: Value| json!({"persona": persona, "interaction": interaction, "reaction": reaction});
        let objections = json!([{"words": "no time", "quote": "an hour a day"}, {"words": "too dear"}]);
        let readings = json!([
            read("Ruth", "objection", json!({"words": "Not for me.", "objections": objections})),
            read("Amir", "purchase", json!({"words": "Fine.", "would_buy": "yes"})),
            read("Ruth", "purchase", json!({"words": "No.", "would_buy": "no"})),
        ]);
        let said = said_by_readers(&json!({"readings": readings}), Language::En);
        let names: Vec<&str> = said.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, ["Ruth", "Amir"]);
        assert!(said[0].1.contains("no time (\"an hour a day\")") && said[0].1.contains("would not buy"), "{said:?}");
        assert_eq!(said_by_readers(&json!({"outcomes": []}), Language::Zh), []);
    }

    #[test]
    fn reports_say_what_was_found_and_nothing_that_was_not() {
        let evaluation = json!({
            "criteria": [
                {"criterion": "clarity", "title": "清楚", "weight": 0.5, "mean": 80.0, "deviation": 5.0, "why": ["好懂"],
                 "quotes": [{"paragraph": 1, "quote": "定价看价值"}]},
                {"criterion": "voice", "title": "像本人", "weight": 0.5, "why": ["算不出"]},
            ],
            "total": 80.0, "deviation": 5.0, "covered": 0.5, "runs": 3, "failed": 1,
        });
        let text = markdown(PhaseKind::Evaluate, &evaluation, Language::Zh).unwrap();
        assert!(text.starts_with("总分 80 ± 5，覆盖权重的 50 %，3 次评估，1 次没有结果"), "{text}");
        assert!(text.contains("## 清楚  80 ± 5  (50 %)\n\n- 好懂\n> 定价看价值"), "{text}");
        assert!(text.contains("## 像本人  –  (50 %)"), "{text}");
        let simulation = json!({"outcomes": [
            {"interaction": "purchase", "read": 2, "failed": 0, "scored": 0, "mean": null, "spread": null, "disagreement": null},
        ]});
        let text = markdown(PhaseKind::Simulate, &simulation, Language::En).unwrap();
        assert!(
            text.starts_with("## Purchase\n\nWhat the scores mean: 0 would not") && text.ends_with("\n\nno score"),
            "{text}"
        );
        for (kind, value) in [
            (PhaseKind::Make, json!({"criteria": []})),
            (PhaseKind::Evaluate, json!({"notes": "written by hand"})),
            (PhaseKind::Simulate, json!("text")),
            (PhaseKind::Research, json!(null)),
        ] {
            assert_eq!(markdown(kind, &value, Language::En), None, "{value}");
        }
    }
}
