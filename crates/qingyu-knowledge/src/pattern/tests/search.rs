//! The search against an evaluator that tries everything, over plain lists made from the story by hand.

use std::collections::{BTreeMap, BTreeSet};

use proptest::prelude::*;
use qingyu_story::{
    Character, CharacterRelation, Location, OutlineNode, RelationKind, Story, TimelineEvent, Worldview,
};

use crate::graph::{EdgeId, NodeId, StoryGraph};
use crate::pattern::{
    CutReason, EdgeDirection, EdgePattern, GraphPattern, Hops, Instant, Name, NodePattern, Operator, Path, Query,
    QueryLimits, Set, When,
};

/// Somebody or some place, by number: characters first.
type Who = usize;

const CAST: usize = 5;
const PLACES: usize = 2;

/// An edge as the story tells it: who, to whom, the word, from and until which chapter.
#[derive(Debug, Clone)]
struct Told {
    from: Who,
    to: Who,
    word: &'static str,
    since: Option<u32>,
    until: Option<u32>,
}

const KINDS: [(RelationKind, &str, bool); 4] = [
    (RelationKind::Friend, "friend_of", true),
    (RelationKind::Enemy, "enemy_of", true),
    (RelationKind::MentorOf, "mentor_of", false),
    (RelationKind::ParentOf, "parent_of", false),
];

fn name(who: Who) -> String {
    if who < CAST { format!("人物{who}") } else { format!("地点{who}") }
}

fn told() -> impl Strategy<Value = Vec<Told>> {
    let chapter = || prop::option::of(1..6_u32);
    let relation =
        (0..CAST, 0..CAST, 0..KINDS.len(), chapter(), chapter()).prop_map(|(from, to, kind, since, until)| Told {
            from,
            to,
            word: KINDS[kind].1,
            since,
            until: until.map(|until| until.max(since.unwrap_or(1))),
        });
    let visit = (0..CAST, CAST..CAST + PLACES, 1..6_u32).prop_map(|(from, to, since)| Told {
        from,
        to,
        word: "visited",
        since: Some(since),
        until: None,
    });
    let all = prop_oneof![3 => relation, 1 => visit];
    prop::collection::vec(all, 0..14).prop_map(|told| told.into_iter().filter(|one| one.from != one.to).collect())
}

fn story(told: &[Told]) -> Story {
    let chapter = |number: u32| format!("第{number}章");
    let mut story = Story {
        characters: (0..CAST).map(|who| Character { name: name(who), ..Character::default() }).collect(),
        outline_nodes: (1..6)
            .map(|order| OutlineNode { name: format!("第{order}章 夜"), order, ..OutlineNode::default() })
            .collect(),
        worldview: Some(Worldview {
            locations: (CAST..CAST + PLACES).map(|who| Location { name: name(who), ..Location::default() }).collect(),
            ..Worldview::default()
        }),
        ..Story::default()
    };
    for (number, one) in told.iter().enumerate() {
        if one.word == "visited" {
            story.timeline_events.push(TimelineEvent {
                title: format!("到访{number}"),
                participants: vec![name(one.from)],
                location: Some(name(one.to)),
                outline_node: one.since.map(chapter),
                ..TimelineEvent::default()
            });
        } else {
            let (kind, ..) = KINDS.into_iter().find(|(_, word, _)| *word == one.word).unwrap();
            story.character_relations.push(CharacterRelation {
                from: name(one.from),
                to: name(one.to),
                kind,
                since: one.since.map(chapter),
                until: one.until.map(chapter),
                ..CharacterRelation::default()
            });
        }
    }
    story
}

fn node_pattern() -> impl Strategy<Value = NodePattern> {
    let variable = prop::option::of(prop::sample::select(vec!["x", "y", "z"]));
    let named = prop::option::weighted(0.2, 0..CAST + PLACES);
    (variable, named).prop_map(|(variable, named)| NodePattern {
        variable: variable.map(|name| Name::new(name).unwrap()),
        name: named.map(name),
        // The evaluator below knows characters and places only.
        kinds: vec![crate::graph::NodeKind::Character, crate::graph::NodeKind::Location],
        ..NodePattern::default()
    })
}

fn when() -> impl Strategy<Value = When> {
    prop_oneof![
        Just(When::Ever),
        (1..6_u32).prop_map(|chapter| When::AsOf(Instant::Chapter(chapter))),
        (1..6_u32, 0..3_u32)
            .prop_map(|(from, more)| When::During(Instant::Chapter(from), Instant::Chapter((from + more).min(5)))),
    ]
}

fn edge_pattern() -> impl Strategy<Value = EdgePattern> {
    let words = prop::sample::subsequence(
        vec!["friend_of", "enemy_of", "mentor_of", "student_of", "parent_of", "child_of", "visited"],
        1..4,
    );
    let direction = prop::sample::select(vec![EdgeDirection::Left, EdgeDirection::Right, EdgeDirection::Either]);
    let hops = prop_oneof![3 => Just((1, 1)), 1 => (1..3_u8, 0..3_u8).prop_map(|(least, more)| (least, least + more))];
    (words, direction, hops, when()).prop_map(|(words, direction, (least, most), when)| EdgePattern {
        words: words.into_iter().map(str::to_owned).collect(),
        direction,
        hops: Hops { least, most },
        when,
        ..EdgePattern::default()
    })
}

fn pattern() -> impl Strategy<Value = GraphPattern> {
    let start = node_pattern().prop_map(|node| NodePattern { variable: Some(Name::new("x").unwrap()), ..node });
    let path = (start, prop::collection::vec((edge_pattern(), node_pattern()), 0..3));
    let path = path.prop_map(|(start, steps)| Path { start, steps });
    prop::collection::vec(path, 1..3).prop_map(|paths| GraphPattern { paths })
}

fn set() -> impl Strategy<Value = Set> {
    let operator = prop::sample::select(vec![Operator::And, Operator::Or, Operator::Except]);
    prop_oneof![
        2 => pattern().prop_map(Set::Pattern),
        1 => (operator, pattern(), pattern()).prop_map(|(how, left, right)| Set::Join {
            how,
            left: Box::new(Set::Pattern(left)),
            right: Box::new(Set::Pattern(right)),
        }),
    ]
}

/// Rows as sets of who each variable is.
type Rows = BTreeSet<BTreeMap<String, Who>>;

fn all_rows(set: &Set, told: &[Told]) -> Rows {
    let (how, left, right) = match set {
        Set::Pattern(pattern) => return pattern_rows(pattern, told),
        Set::Join { how, left, right } => (how, left, right),
    };
    let common: BTreeSet<String> = {
        let names = |set: &Set| set.variables().unwrap().into_iter().map(Name::to_string).collect::<BTreeSet<_>>();
        names(left).intersection(&names(right)).cloned().collect()
    };
    let (left, right) = (all_rows(left, told), all_rows(right, told));
    let project = |row: &BTreeMap<String, Who>| -> BTreeMap<String, Who> {
        row.iter().filter(|(name, _)| common.contains(*name)).map(|(name, who)| (name.clone(), *who)).collect()
    };
    match how {
        Operator::And => {
            let pairs = left.iter().flat_map(|one| right.iter().map(move |other| (one, other)));
            let fitting = pairs.filter(|(one, other)| project(one) == project(other));
            fitting.map(|(one, other)| one.clone().into_iter().chain(other.clone()).collect()).collect()
        }
        Operator::Or => left.iter().chain(&right).map(project).collect(),
        Operator::Except => {
            let taken: Rows = right.iter().map(project).collect();
            left.into_iter().filter(|row| !taken.contains(&project(row))).collect()
        }
    }
}

fn pattern_rows(pattern: &GraphPattern, told: &[Told]) -> Rows {
    let mut nodes: Vec<&NodePattern> = Vec::new();
    let mut places: Vec<usize> = Vec::new();
    let mut by_name: BTreeMap<String, usize> = BTreeMap::new();
    let mut edges: Vec<(usize, &EdgePattern, usize)> = Vec::new();
    let mut count = 0;
    for path in &pattern.paths {
        let mut place = |node| {
            let node: &NodePattern = node;
            let place = match &node.variable {
                Some(name) => *by_name.entry(name.to_string()).or_insert(count),
                None => count,
            };
            count = count.max(place + 1);
            nodes.push(node);
            places.push(place);
            place
        };
        let mut before = place(&path.start);
        for (edge, node) in &path.steps {
            let next = place(node);
            edges.push((before, edge, next));
            before = next;
        }
    }
    let reach: Vec<BTreeMap<(Who, Who), u8>> = edges.iter().map(|(_, edge, _)| distances(edge, told)).collect();
    let mut rows = Rows::new();
    let mut try_all = |who: &[Who]| {
        let distinct = who.iter().collect::<BTreeSet<_>>().len() == who.len();
        let named = || {
            nodes
                .iter()
                .zip(&places)
                .all(|(node, place)| node.name.as_ref().is_none_or(|wanted| *wanted == name(who[*place])))
        };
        let tied = || {
            edges.iter().zip(&reach).all(|((from, edge, to), reach)| {
                let hops = reach.get(&(who[*from], who[*to])).copied().unwrap_or(u8::MAX);
                (edge.hops.least..=edge.hops.most).contains(&hops)
            })
        };
        if distinct && named() && tied() {
            rows.insert(by_name.iter().map(|(name, place)| (name.clone(), who[*place])).collect());
        }
    };
    let all = CAST + PLACES;
    for number in 0..all.pow(u32::try_from(count).unwrap()) {
        let who: Vec<Who> = (0..count).map(|place| number / all.pow(u32::try_from(place).unwrap()) % all).collect();
        try_all(&who);
    }
    rows
}

/// The shortest ways between all, by relaxing every pair (Floyd and Warshall).
fn distances(edge: &EdgePattern, told: &[Told]) -> BTreeMap<(Who, Who), u8> {
    let mut hops: BTreeMap<(Who, Who), u8> = BTreeMap::new();
    for one in told.iter().filter(|one| holds(one, &edge.when)) {
        for word in &edge.words {
            let (word, turned) = match word.as_str() {
                "student_of" => ("mentor_of", true),
                "child_of" => ("parent_of", true),
                same => (same, false),
            };
            if word != one.word {
                continue;
            }
            let symmetric = KINDS.iter().any(|(_, name, symmetric)| *name == word && *symmetric);
            let forward = (edge.direction == EdgeDirection::Right) != turned;
            let both = symmetric || edge.direction == EdgeDirection::Either;
            if both || forward {
                hops.insert((one.from, one.to), 1);
            }
            if both || !forward {
                hops.insert((one.to, one.from), 1);
            }
        }
    }
    let all = CAST + PLACES;
    for over in 0..all {
        for from in 0..all {
            for to in 0..all {
                if let (Some(first), Some(second)) = (hops.get(&(from, over)), hops.get(&(over, to))) {
                    let way = first + second;
                    if hops.get(&(from, to)).is_none_or(|known| way < *known) {
                        hops.insert((from, to), way);
                    }
                }
            }
        }
    }
    hops
}

fn holds(one: &Told, when: &When) -> bool {
    let (first, last) = match when {
        When::Ever => return true,
        When::AsOf(Instant::Chapter(now)) => (*now, *now),
        When::During(Instant::Chapter(first), Instant::Chapter(last)) => (*first, *last),
        _ => unreachable!("times are chapters here"),
    };
    one.since.is_none_or(|since| since <= last) && one.until.is_none_or(|until| until >= first)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, max_global_rejects: 100_000, ..ProptestConfig::default() })]

    #[test]
    fn the_search_finds_what_trying_everything_finds(told in told(), set in set()) {
        let story = story(&told);
        let graph = StoryGraph::of(&story);
        let query = Query { set, ..Query::of(GraphPattern { paths: Vec::new() }) };
        prop_assume!(query.check().is_ok());
        let found = query.run(&graph, QueryLimits::default()).unwrap();
        prop_assert_eq!(found.cut, None);
        let who = |node: NodeId| (0..CAST + PLACES).find(|who| name(*who) == graph[node].name).unwrap();
        let rows: Vec<BTreeMap<String, Who>> = found
            .rows
            .iter()
            .map(|row| found.columns.iter().map(Name::to_string).zip(row.nodes.iter().map(|node| who(*node))).collect())
            .collect();
        let distinct: Rows = rows.iter().cloned().collect();
        prop_assert_eq!(distinct.len(), rows.len(), "a row comes twice: {}", query);
        prop_assert_eq!(&distinct, &all_rows(&query.set, &told), "{}", query);
        for row in &found.rows {
            for tie in &row.ties {
                prop_assert_eq!(tie.nodes.len(), tie.hops.len() + 1);
                for (ends, hop) in tie.nodes.windows(2).zip(&tie.hops) {
                    prop_assert!(!hop.is_empty());
                    let joins = |edge: &EdgeId| {
                        let (from, to) = (graph[*edge].from, graph[*edge].to);
                        [from, to] == *ends || [to, from] == *ends
                    };
                    prop_assert!(hop.iter().all(joins));
                }
            }
        }
    }

    #[test]
    fn a_limit_cuts_and_says_so(told in told(), pattern in pattern(), limit in 1..4_usize) {
        let graph = StoryGraph::of(&story(&told));
        let query = Query::of(pattern);
        prop_assume!(query.check().is_ok());
        let all = query.run(&graph, QueryLimits::default()).unwrap();
        let some = Query { limit: Some(limit), ..query }.run(&graph, QueryLimits::default()).unwrap();
        prop_assert_eq!(some.rows.len(), all.rows.len().min(limit));
        prop_assert_eq!(some.cut, (all.rows.len() > limit).then_some(CutReason::Rows));
        prop_assert!(some.rows.iter().all(|row| all.rows.iter().any(|other| other.nodes == row.nodes)));
    }

    #[test]
    fn a_restriction_leaves_the_rows_of_its_nodes(told in told(), pattern in pattern(), at in 0..8_usize) {
        let graph = StoryGraph::of(&story(&told));
        let query = Query::of(pattern);
        prop_assume!(query.check().is_ok());
        let all = query.run(&graph, QueryLimits::default()).unwrap();
        prop_assume!(!all.rows.is_empty());
        let nodes = &all.rows[at % all.rows.len()].nodes;
        let among = all.columns.iter().cloned().zip(nodes.iter().map(|node| BTreeSet::from([*node]))).collect();
        let some = query.run_among(&graph, QueryLimits::default(), &among).unwrap();
        prop_assert_eq!(some.rows.iter().map(|row| &row.nodes).collect::<Vec<_>>(), [nodes], "{}", query);
    }
}
