use insta::assert_snapshot;

use super::{RejectionReason, read};
use crate::graph::{StoryGraph, tests::story};
use crate::pattern::{MOST_PATTERNS, Query, QueryLimits};

/// Questions that are understood; a line each.
const UNDERSTOOD: &str = include_str!("tests/understood.txt");
/// Questions that are not, or not whole.
const REFUSED: &str = include_str!("tests/refused.txt");

fn lines(text: &str) -> impl Iterator<Item = &str> {
    text.lines().map(str::trim).filter(|line| !line.is_empty())
}

#[test]
fn questions_that_are_understood() {
    let graph = StoryGraph::of(&story());
    let answered = lines(UNDERSTOOD).map(|question| {
        let read = read(question, &graph);
        let query = read.query.unwrap_or_else(|| panic!("{question}: {:?} {:?}", read.unread, read.reason));
        assert_eq!(Query::parse(&query.to_string()).as_ref(), Ok(&query), "{question}");
        let found = query.run(&graph, QueryLimits::default()).unwrap_or_else(|error| panic!("{question}: {error}"));
        let names = found.rows.iter().map(|row| {
            let nodes = row.nodes.iter().map(|node| graph[*node].name.as_str());
            nodes.collect::<Vec<_>>().join("–")
        });
        let names = names.collect::<Vec<_>>().join(", ");
        let rank =
            read.rank.map(|rank| format!("\n  by {} {}", if rank.most { "most" } else { "least" }, rank.quality));
        format!("{question}\n  {query}\n  = {names}{}", rank.unwrap_or_default())
    });
    let answered: Vec<String> = answered.collect();
    assert!(answered.len() >= 40, "{}", answered.len());
    assert_snapshot!(answered.join("\n"));
}

#[test]
fn a_name_is_the_same_in_any_quotation_marks() {
    let graph = StoryGraph::of(&story());
    let ask = |place: &str| format!("找到和主角亦敌亦友，并且去过{place}的角色");
    let plain = read(&ask("迷雾森林"), &graph).query.unwrap();
    for (open, close) in [
        ("'", "'"),
        ("‘", "’"),
        ("“", "”"),
        ("\"", "\""),
        ("「", "」"),
        ("『", "』"),
        ("《", "》"),
        ("〈", "〉"),
        ("`", "`"),
    ] {
        let quoted = read(&ask(&format!("{open}迷雾森林{close}")), &graph);
        assert_eq!(quoted.query.as_ref(), Some(&plain), "{open}: {:?}", quoted.unread);
    }
    let ranked = read("和主角亦敌亦友，去过「迷雾森林」、性格最谨慎的角色", &graph);
    assert_eq!(ranked.rank.map(|rank| rank.quality).as_deref(), Some("谨慎"), "{:?}", ranked.unread);
}

#[test]
fn questions_that_are_refused() {
    let graph = StoryGraph::of(&story());
    let refused = lines(REFUSED).map(|question| {
        let read = read(question, &graph);
        assert!(read.query.is_none(), "{question}: {}", read.query.map(|query| query.to_string()).unwrap_or_default());
        let unread = read.unread.iter().map(|part| {
            assert_eq!(&question[part.start..part.end], part.text);
            let meanings =
                if part.may_mean.is_empty() { String::new() } else { format!(" ({})", part.may_mean.join(" or ")) };
            format!("'{}'{meanings}", part.text)
        });
        let why = read.reason.map(|reason| format!("{reason:?}")).unwrap_or_default();
        format!("{question}\n  {}{why}", unread.collect::<Vec<_>>().join(", "))
    });
    assert_snapshot!(refused.collect::<Vec<_>>().join("\n"));
}

#[test]
fn a_question_asks_no_more_than_a_pattern_holds() {
    let graph = StoryGraph::of(&story());
    let question = |places: usize| format!("认识林青{}的角色", "但没有去过旧港".repeat(places));
    let most = read(&question(MOST_PATTERNS - 1), &graph).query.unwrap();
    assert!(most.run(&graph, QueryLimits::default()).is_ok());
    let far_more = format!("the {}林青", "friends of the ".repeat(20_000));
    for more in [question(MOST_PATTERNS), far_more] {
        let read = read(&more, &graph);
        assert_eq!((read.query, read.reason), (None, Some(RejectionReason::TooMuch)));
    }
}

#[test]
fn a_name_of_two_characters_is_not_guessed_at() {
    let mut story = story();
    story.characters[3].name = "苏婉".into();
    let read = read("谁认识苏婉", &StoryGraph::of(&story));
    assert!(read.query.is_none());
    assert_eq!(read.unread[0].may_mean, ["c-2 苏婉", "c-4 苏婉"]);
}
