//! Rows of chapters that stay alike, and near misses: precision and recall of the rules QY923 to QY926.
//!
//! `zh.txt` and `en.txt` hold a row in a line. The rows of `second.*.txt` were written after the forms of endings, and
//! their misses became forms; the rows of `held_out.*.txt` were written after that, and no form was made of them. The
//! figures in docs/benchmarks.md are printed by `cargo nextest run -p qingyu-story sequences --no-capture`.

use std::collections::BTreeMap;

use qingyu_story::check::check;
use qingyu_story::{Config, Document, Language, OutlineNode, Story, Worldview};

const FILES: [(Language, &str); 2] = [(Language::Zh, include_str!("zh.txt")), (Language::En, include_str!("en.txt"))];
const SECOND: [(Language, &str); 2] =
    [(Language::Zh, include_str!("second.zh.txt")), (Language::En, include_str!("second.en.txt"))];
const HELD_OUT: [(Language, &str); 2] =
    [(Language::Zh, include_str!("held_out.zh.txt")), (Language::En, include_str!("held_out.en.txt"))];
const CODES: [&str; 4] = ["QY923", "QY924", "QY925", "QY926"];

/// A row of chapters.
struct Row<'t> {
    is_planted: bool,
    code: &'t str,
    line: &'t str,
    story: Story,
}

/// How often a rule was right.
#[derive(Debug, Default)]
struct Score {
    planted: usize,
    near: usize,
    found: usize,
    alarms: usize,
}

impl Score {
    fn recall(&self) -> f64 {
        self.found as f64 / self.planted.max(1) as f64
    }

    fn precision(&self) -> f64 {
        self.found as f64 / (self.found + self.alarms).max(1) as f64
    }
}

fn rows(files: [(Language, &'static str); 2]) -> impl Iterator<Item = Row<'static>> {
    files.into_iter().flat_map(|(language, file)| {
        file.lines().filter(|line| line.starts_with(['+', '-'])).map(move |line| row(language, line))
    })
}

fn row(language: Language, line: &'static str) -> Row<'static> {
    let (head, chapters) = line.split_once(" : ").expect("a row has chapters");
    let mut words = head.splitn(3, ' ');
    let mut word = || words.next().expect("a sign, a code and a genre");
    let (sign, code, genre) = (word(), word(), word());
    let mut story = Story { language, ..Story::default() };
    if genre != "-" {
        story.worldview = Some(Worldview { genre: genre.into(), ..Worldview::default() });
    }
    for (order, cell) in (1..).zip(chapters.split('|').map(str::trim)) {
        let id = format!("o-{order}");
        let name = match language {
            Language::Zh => format!("第{order}章"),
            Language::En => format!("Chapter {order}"),
        };
        let mut node = OutlineNode { id: id.clone(), order, name: name.clone(), ..OutlineNode::default() };
        match code {
            "QY923" => node.function = cell.into(),
            "QY926" => node.tension = cell.parse().ok(),
            _ => {
                let (text, hook) = cell.split_once('~').unwrap_or((cell, ""));
                node.hook = hook.trim().into();
                let begin = match language {
                    Language::Zh => format!("这是第{order}天的事，天气和昨天不同，街上卖的东西也换了{order}样。"),
                    Language::En => format!("This was day {order}, and the market had {order} other things to sell."),
                };
                if !text.trim().is_empty() {
                    let text = format!("{begin}\n\n{}", text.trim());
                    let (id, outline_node) = (format!("d-{order}"), Some(id));
                    story.documents.push(Document {
                        id,
                        order,
                        title: name,
                        outline_node,
                        text,
                        ..Document::default()
                    });
                }
            }
        }
        story.outline_nodes.push(node);
    }
    Row { is_planted: sign == "+", code, line, story }
}

/// Returns the score of all rules, and the rows that were judged wrongly; prints both.
fn measured(files: [(Language, &'static str); 2]) -> (Score, String) {
    let (mut scores, mut wrong) = (BTreeMap::<(&str, &str), Score>::new(), Vec::new());
    for row in rows(files) {
        let found = check(&row.story, &Config::default());
        let codes: Vec<&str> = found.iter().filter_map(|issue| issue.code.as_deref()).collect();
        let is_found = codes.contains(&row.code);
        let others = CODES.iter().filter(|code| **code != row.code && codes.contains(code)).count();
        let score = scores.entry((row.code, row.story.language.code())).or_default();
        let count = |is: bool| usize::from(is);
        score.planted += count(row.is_planted);
        score.near += count(!row.is_planted);
        score.found += count(row.is_planted && is_found);
        score.alarms += count(!row.is_planted && is_found) + others;
        if row.is_planted != is_found || others > 0 {
            wrong.push(format!("{}   ({})", row.line, codes.join(" ")));
        }
    }
    println!("rule   language  planted  near misses  precision  recall");
    let mut whole = Score::default();
    for ((code, language), score) in &scores {
        let (precision, recall) = (score.precision() * 100.0, score.recall() * 100.0);
        println!("{code}  {language:8}  {:7}  {:11}  {precision:8.1}%  {recall:5.1}%", score.planted, score.near);
        whole.planted += score.planted;
        whole.near += score.near;
        whole.found += score.found;
        whole.alarms += score.alarms;
    }
    println!("all              {:7}  {:11}", whole.planted, whole.near);
    println!("precision {:.1}%, recall {:.1}%", whole.precision() * 100.0, whole.recall() * 100.0);
    let wrong = wrong.join("\n");
    println!("{wrong}");
    (whole, wrong)
}

#[test]
fn rows_that_stay_alike_are_found_and_near_misses_are_not() {
    let (score, wrong) = measured(FILES);
    assert!(score.planted >= 50 && score.near >= 50, "{score:?}");
    assert!(score.precision() >= 0.97 && score.recall() >= 0.95, "{score:?}\n{wrong}");
}

#[test]
fn rows_of_the_second_round_are_found() {
    let (score, wrong) = measured(SECOND);
    assert!(score.precision() >= 0.97 && score.recall() >= 0.9, "{score:?}\n{wrong}");
}

#[test]
fn rows_that_the_forms_have_not_seen_raise_no_false_alarm() {
    let (score, wrong) = measured(HELD_OUT);
    assert!(score.precision() >= 0.9 && score.recall() >= 0.3, "{score:?}\n{wrong}");
}
