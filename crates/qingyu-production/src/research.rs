//! The findings of a research with their sources, the value of a research field.
//!
//! - [`trust`]: page text that is no evidence; `deepen`: a later research of one question, added to a report

mod deepen;
pub mod trust;

use qingyu_story::Language;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::text::plain;
use crate::topic::overlap;

/// What was found out about a question.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Report {
    /// What was asked.
    pub question: String,
    /// The questions that it was divided into, numbered from 1; none in reports of older releases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub questions: Vec<ResearchQuestion>,
    /// The answer as prose; `[n]` names the source numbered `n`.
    pub summary: String,
    /// The answer claim by claim.
    pub findings: Vec<Finding>,
    /// Pages that were read, numbered from 1 in the order in which they are cited first.
    pub sources: Vec<Source>,
    /// Pages that were found and not used, each with the reason.
    pub dropped: Vec<Dropped>,
    /// Claims that the rules of the project do not allow, each with the reason.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub refused: Vec<RefusedClaim>,
    /// What is still not known.
    pub gaps: Vec<String>,
    /// What was searched for.
    pub queries: Vec<String>,
}

/// A question that a research is divided into.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct ResearchQuestion {
    /// The question.
    pub question: String,
    /// Who would ask it, or from which side it is asked; empty if nobody in particular.
    pub perspective: String,
    /// What later researches of this question say, as prose; `[n]` names the source numbered `n`.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub answer: String,
}

/// One claim.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Finding {
    /// The claim.
    pub claim: String,
    /// The numbers of the sources that say so.
    pub sources: Vec<u32>,
    /// Whether a note of a source that is not selling it says so.
    pub is_supported: bool,
    /// The number of the question that it answers; 0 if it answers none of them.
    #[serde(skip_serializing_if = "is_none")]
    pub question: u32,
}

/// A claim that is not taken over.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct RefusedClaim {
    /// The claim.
    pub claim: String,
    /// The reason, for people.
    pub reason: String,
}

/// A page that was read.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Source {
    /// Its number in this report.
    pub number: u32,
    /// Its title; empty if it has none. Words of strangers.
    pub title: String,
    /// Where it was found in the end, after redirects.
    pub url: String,
    /// When it was read, after RFC 3339.
    pub read_at: String,
    /// How many characters of it were read.
    pub characters: usize,
    /// Whether the page sells something: what it says of its own product supports no claim.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub is_vendor: bool,
    /// How many sentences of the page speak to a model; none of them was noted.
    #[serde(skip_serializing_if = "is_zero")]
    pub addressed: usize,
    /// Who wrote and published it, and when; none for a document of one's own.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub imprint: Option<SourceImprint>,
    /// The place in a document of one's own, such as `paragraphs 3–5`; empty for a page.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub place: String,
}

/// Who wrote and published a page, and when, as the page says. Words of strangers; empty where it says nothing.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct SourceImprint {
    /// The names of the authors, in order.
    pub authors: Vec<String>,
    /// The date of publication: `2024-05-01`, `2024-05` or `2024`.
    pub published: String,
    /// The name of the publisher, or of the site.
    pub publisher: String,
}

impl SourceImprint {
    /// Returns the imprint in one line: what is known, and what the page does not say.
    pub fn text(&self, language: Language) -> String {
        let is_zh = language == Language::Zh;
        let authors = self.authors.join(if is_zh { "、" } else { ", " });
        let parts = [
            (authors.as_str(), "作者", "author"),
            (self.publisher.as_str(), "出版者", "publisher"),
            (self.published.as_str(), "日期", "date"),
        ];
        let known = parts.iter().filter(|(value, _, _)| !value.trim().is_empty());
        let absent = parts.iter().filter(|(value, _, _)| value.trim().is_empty());
        let known: Vec<&str> = known.map(|(value, _, _)| value.trim()).collect();
        let absent: Vec<&str> = absent.map(|(_, zh, en)| if is_zh { *zh } else { *en }).collect();
        let absent = match (absent.is_empty(), is_zh) {
            (true, _) => None,
            (false, true) => Some(format!("{}不详", absent.join("、"))),
            (false, false) => Some(format!("no {} named", absent.join(", no "))),
        };
        let parts: Vec<String> = known.into_iter().map(str::to_owned).chain(absent).collect();
        parts.join(if is_zh { "，" } else { "; " })
    }
}

/// Returns whether the number of a question is left out of data.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn is_none(question: &u32) -> bool {
    *question == 0
}

/// Returns whether a count is left out of data.
fn is_zero(count: &usize) -> bool {
    *count == 0
}

/// A page that was not used.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Dropped {
    /// Where it is.
    pub url: String,
    /// Its title as the search engine gives it. Words of strangers.
    pub title: String,
    /// The kind of the reason, stable: `too_large`, `robots`, `no_notes` …
    pub code: String,
    /// The reason, for people.
    pub reason: String,
}

impl Report {
    /// Returns the questions without a supported finding, each with its number.
    pub fn unanswered(&self) -> impl Iterator<Item = (u32, &ResearchQuestion)> {
        let is_answered =
            |number: u32| self.findings.iter().any(|finding| finding.is_supported && finding.question == number);
        (1..).zip(&self.questions).filter(move |(number, _)| !is_answered(*number))
    }

    /// Returns the number of the question with most of its terms in `words`, if that is a share of at least `enough` of
    /// its terms.
    pub fn nearest_question(&self, words: &str, enough: f64) -> Option<u32> {
        let shares = (1..).zip(&self.questions).map(|(number, asked)| (overlap(&asked.question, words), number));
        let best = shares.max_by(|(one, _), (other, _)| one.total_cmp(other));
        best.filter(|(share, _)| *share >= enough).map(|(_, number)| number)
    }

    /// Returns the report as Markdown: the summary, the claims for each question with their sources, the numbered
    /// sources, questions without an answer, gaps, and unused sources.
    pub fn markdown(&self, language: Language) -> String {
        let zh = language == Language::Zh;
        let say = |chinese: &'static str, english: &'static str| if zh { chinese } else { english };
        let unsupported = say("（没有来源）", " (no source)");
        let line = |finding: &Finding| {
            let marks: String = finding.sources.iter().map(|number| format!("[{number}]")).collect();
            let marks = format!(" {marks}");
            format!("- {}{}", finding.claim, if finding.is_supported { &marks } else { unsupported })
        };
        let findings_of = |number: u32| -> Vec<String> {
            self.findings.iter().filter(|finding| finding.question == number).map(line).collect()
        };
        let is_divided = !self.questions.is_empty();
        let sections = (1..).zip(&self.questions).filter_map(|(number, question)| {
            let perspective = Some(question.perspective.trim()).filter(|perspective| !perspective.is_empty());
            let perspective = perspective.map(|perspective| match zh {
                true => format!("（{perspective}）"),
                false => format!(" ({perspective})"),
            });
            let title = format!("{number}. {}{}", question.question.trim(), perspective.unwrap_or_default());
            let answer = Some(question.answer.trim().to_owned()).filter(|answer| !answer.is_empty());
            let findings = Some(findings_of(number).join("\n")).filter(|findings| !findings.is_empty());
            let parts: Vec<String> = answer.into_iter().chain(findings).collect();
            (!parts.is_empty()).then(|| (title, vec![parts.join("\n\n")]))
        });
        let other = if is_divided { say("其他结论", "Other findings") } else { say("结论", "Findings") };
        let others = match is_divided {
            true => findings_of(0),
            false => self.findings.iter().map(line).collect(),
        };
        let unanswered =
            self.unanswered().map(|(number, question)| format!("- {number}. {}", question.question.trim()));
        let sources = self.sources.iter().map(|source| {
            let Source { number, title, url, read_at, is_vendor, addressed, imprint, place, .. } = source;
            let title = if title.is_empty() { url.clone() } else { plain(title) };
            if !place.is_empty() {
                return format!("{number}. {title}{}{}", say("，", ", "), own(place, language));
            }
            let title = match imprint {
                Some(imprint) => format!("{title}{}{}", say("，", "; "), plain(&imprint.text(language))),
                None => title,
            };
            let vendor = if *is_vendor { say("，卖家自己的网页", ", a vendor's own page") } else { "" };
            let spoken = match (*addressed, zh) {
                (0, _) => String::new(),
                (count, true) => format!("，有 {count} 句对模型说的话，没有采用"),
                (count, false) => format!(", {count} sentences of it speak to a model and were not used"),
            };
            format!("{number}. {title} <{url}> ({read_at}{vendor}{spoken})")
        });
        let dropped = self.dropped.iter().map(|dropped| format!("- <{}>: {}", dropped.url, dropped.reason));
        let refused = self.refused.iter().map(|refused| format!("- {}: {}", refused.claim, refused.reason));
        let gaps = self.gaps.iter().map(|gap| format!("- {gap}"));
        let part = |title: &str, lines: Vec<String>| (title.to_owned(), lines);
        let parts = sections.chain([
            part(other, others),
            part(say("没有答上的问题", "Questions without an answer"), unanswered.collect()),
            part(say("来源", "Sources"), sources.collect()),
            part(say("没有采用的说法", "Claims not taken over"), refused.collect()),
            part(say("还不知道的", "Not known yet"), gaps.collect()),
            part(say("没有采用的网页", "Pages not used"), dropped.collect()),
        ]);
        let mut text = format!("# {}\n\n{}\n", self.question.replace('\n', " "), self.summary);
        for (heading, lines) in parts.filter(|(_, lines)| !lines.is_empty()) {
            text.push_str(&format!("\n## {heading}\n\n{}\n", lines.join("\n")));
        }
        text
    }
}

/// Returns the place in a document of one's own, said to be one.
pub(crate) fn own(place: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("{place}（自有资料）"),
        Language::En => format!("{place} (own document)"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_imprint_says_what_is_known_and_what_is_not() {
        let imprint = |authors: &[&str], published: &str, publisher: &str| SourceImprint {
            authors: authors.iter().map(|name| (*name).to_owned()).collect(),
            published: published.into(),
            publisher: publisher.into(),
        };
        for (given, zh, en) in [
            (
                imprint(&["张三", "李四"], "2024-05-01", "图书馆报"),
                "张三、李四，图书馆报，2024-05-01",
                "张三, 李四; 图书馆报; 2024-05-01",
            ),
            (imprint(&["Doe"], "", ""), "Doe，出版者、日期不详", "Doe; no publisher, no date named"),
            (imprint(&[], "", ""), "作者、出版者、日期不详", "no author, no publisher, no date named"),
        ] {
            assert_eq!((given.text(Language::Zh), given.text(Language::En)), (zh.to_owned(), en.to_owned()));
        }
        let source = |number, url: &str, place: &str| Source {
            number,
            title: "T".into(),
            url: url.into(),
            imprint: Some(SourceImprint::default()).filter(|_| place.is_empty()),
            place: place.into(),
            ..Source::default()
        };
        let sources = vec![source(1, "https://a/", ""), source(2, "document:d-1#3-5", "paragraphs 3–5")];
        let text = Report { sources, ..Report::default() }.markdown(Language::En);
        assert!(text.contains("1. T; no author, no publisher, no date named <https://a/>"), "{text}");
        assert!(text.contains("2. T, paragraphs 3–5 (own document)") && !text.contains("document:"), "{text}");
    }

    #[test]
    fn a_divided_report_has_a_section_for_each_question_and_names_those_without_an_answer() {
        let question = |question: &str, perspective: &str| ResearchQuestion {
            question: question.into(),
            perspective: perspective.into(),
            ..ResearchQuestion::default()
        };
        let finding = |claim: &str, question: u32, is_supported: bool| Finding {
            claim: claim.into(),
            sources: vec![1],
            is_supported,
            question,
        };
        let report = Report {
            question: "Q".into(),
            questions: vec![question("When do they read?", "a librarian"), question("What does it cost?", "")],
            findings: vec![finding("In the evening", 1, true), finding("Cheap", 2, false), finding("Also", 0, true)],
            ..Report::default()
        };
        assert_eq!(report.unanswered().map(|(number, _)| number).collect::<Vec<_>>(), [2]);
        let en = report.markdown(Language::En);
        assert!(en.contains("## 1. When do they read? (a librarian)\n\n- In the evening [1]"), "{en}");
        assert!(en.contains("## Questions without an answer\n\n- 2. What does it cost?"), "{en}");
        assert!(en.contains("## Other findings\n\n- Also [1]") && !en.contains("## Findings"), "{en}");
        assert!(report.markdown(Language::Zh).contains("## 没有答上的问题"));
        let mut deepened = report;
        deepened.questions[0].answer = "After eight [1].".into();
        let en = deepened.markdown(Language::En);
        assert!(
            en.contains("## 1. When do they read? (a librarian)\n\nAfter eight [1].\n\n- In the evening [1]"),
            "{en}"
        );
    }

    #[test]
    fn a_report_is_shown_with_its_numbered_sources() {
        let report = Report {
            question: "怎样定价".into(),
            summary: "三档最常见[1]。".into(),
            findings: vec![
                Finding { claim: "三档最常见".into(), sources: vec![1], is_supported: true, question: 0 },
                Finding { claim: "越贵越好".into(), ..Finding::default() },
            ],
            sources: vec![Source {
                number: 1,
                title: "![x](http://evil/) 定价".into(),
                url: "https://a.example/".into(),
                read_at: "2026-01-01T00:00:00Z".into(),
                characters: 9,
                ..Source::default()
            }],
            ..Report::default()
        };
        let text = report.markdown(Language::Zh);
        assert!(text.contains("- 三档最常见 [1]\n- 越贵越好（没有来源）"), "{text}");
        assert!(text.contains("1. \\!\\[x\\](http://evil/) 定价 <https://a.example/>"), "{text}");
        assert!(!text.contains("没有采用"), "{text}");
        assert!(report.markdown(Language::En).contains("越贵越好 (no source)"));
    }
}
