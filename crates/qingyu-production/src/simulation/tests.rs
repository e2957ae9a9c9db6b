use proptest::prelude::*;
use qingyu_story::Story;
use qingyu_story::production::{Field, Golden};
use serde_json::{Value, json};

use super::*;
use crate::content::{Content, reading};

#[test]
fn personas_are_read_however_they_are_written() {
    let full = |name: &str, who: &str| Persona { name: name.into(), who: who.into(), ..Persona::default() };
    let cases: [(Value, Vec<Persona>); 9] = [
        (json!([{"name": "小王", "who": "学生"}]), vec![full("小王", "学生")]),
        (json!({"personas": [{"name": "小王", "who": "学生"}]}), vec![full("小王", "学生")]),
        (json!({"小王": {"who": "学生"}, "老李": {"身份": "店主"}}), vec![full("小王", "学生"), full("老李", "店主")]),
        (json!("- 小王：学生\n\n* Li: a shopkeeper"), vec![full("小王", "学生"), full("Li", "a shopkeeper")]),
        (json!(["学生", "学生"]), vec![full("1", "学生"), full("2", "学生")]),
        (json!([{"name": "A", "who": "x"}, {"name": "A", "who": "y"}]), vec![full("A", "x"), full("A 2", "y")]),
        (json!([{"Name": "A", "age": 30}]), vec![full("A", "age: 30")]),
        (json!({"name": "A", "wants": ["b", "c"]}), vec![Persona { wants: "b; c".into(), ..full("A", "") }]),
        (json!([null, 3, {}, ""]), vec![]),
    ];
    for (value, wanted) in cases {
        assert_eq!(personas(&value), wanted, "{value}");
    }
    assert_eq!(personas(&json!(vec!["x"; 40])).len(), 12);
}

#[test]
fn golden_fields_name_personas_and_points() {
    let field =
        |path: &str, golden, value| Field { path: path.into(), golden: Some(golden), value, ..Field::default() };
    let story = Story {
        fields: vec![
            field(
                "i/report",
                Golden::Intent,
                json!({"goal": "会定价", "promise": "一周", "success": ["涨价", "一周"]}),
            ),
            field("i/personas", Golden::ConsumerPersonas, json!([{"name": "小王"}])),
        ],
        ..Story::default()
    };
    assert_eq!(personas_of(&story)[0].name, "小王");
    assert_eq!(points_of(&story), ["一周", "会定价", "涨价"]);
    assert!(personas_of(&Story::default()).is_empty() && points_of(&Story::default()).is_empty());
}

fn four() -> Reading {
    let text = "定价要看价值。\n不要只看成本。\n先问十个客户。\n然后涨价。".to_owned();
    reading(&[Content { text, ..Content::default() }], 1_000)
}

#[test]
fn what_is_wrong_with_a_reaction() {
    let good = || Reaction { words: "懂了".into(), quotes: vec!["不要只看成本".into()], ..Reaction::default() };
    let objects = |words: &str, quote: &str, paragraph| Reaction {
        objections: vec![Objection { words: words.into(), quote: quote.into(), paragraph }],
        ..good()
    };
    let understood = |points: &[&str]| Reaction {
        understood: points.iter().map(|point| Understood { point: (*point).into(), is_understood: true }).collect(),
        ..good()
    };
    let cases: [(Reaction, &[&str], Vec<Problem>); 12] = [
        (good(), &[], vec![]),
        (Reaction::default(), &[], vec![Problem::NoWords]),
        (Reaction { score: Some(101), ..good() }, &[], vec![Problem::Score(101)]),
        (Reaction { quotes: vec!["免费".into()], ..good() }, &[], vec![Problem::Quote("免费".into())]),
        (Reaction { stops_at: Some(4), ..good() }, &[], vec![]),
        (Reaction { stops_at: Some(5), ..good() }, &[], vec![Problem::Paragraph(5, 4)]),
        (Reaction { stops_at: Some(0), ..good() }, &[], vec![Problem::Paragraph(0, 4)]),
        (objects("缺例子", "", None), &[], vec![]),
        (objects("", "然后涨价", Some(9)), &[], vec![Problem::NoWords, Problem::Paragraph(9, 4)]),
        (objects("不信", "降价", Some(1)), &[], vec![Problem::Quote("降价".into())]),
        (understood(&["a", "b"]), &["a", "b"], vec![]),
        (understood(&["a", "c"]), &["a", "b"], vec![Problem::Point("b".into()), Problem::UnknownPoint("c".into())]),
    ];
    for (reaction, points, wanted) in cases {
        let points: Vec<String> = points.iter().map(|point| (*point).to_owned()).collect();
        assert_eq!(check(&reaction, &four(), &points), wanted, "{reaction:?}");
    }
}

fn people(names: &[&str]) -> Vec<Persona> {
    names.iter().map(|name| Persona { name: (*name).into(), ..Persona::default() }).collect()
}

fn read(persona: &str, interaction: Interaction, reaction: Reaction) -> Read {
    let words = if reaction.words.is_empty() { format!("{persona} 说") } else { reaction.words.clone() };
    Read { persona: persona.into(), interaction, reaction: Some(Reaction { words, ..reaction }), error: None }
}

fn failed(persona: &str, interaction: Interaction) -> Read {
    Read { persona: persona.into(), interaction, reaction: None, error: Some("乱码".into()) }
}

fn scored(score: u8) -> Reaction {
    Reaction { score: Some(score), ..Reaction::default() }
}

#[test]
fn failed_readings_are_counted_and_stand_in_no_mean() {
    use Interaction::FirstImpression as First;
    let readings = [read("甲", First, scored(80)), failed("乙", First), read("丙", First, scored(40))];
    let whole = aggregate(&people(&["甲", "乙", "丙"]), &four(), &readings);
    let outcome = &whole.outcomes[0];
    assert_eq!((outcome.read, outcome.failed, outcome.scored, whole.failed), (2, 1, 2, 1));
    // √(((80-60)² + (40-60)²) / 1)
    assert_eq!((outcome.mean, outcome.spread), (Some(60.0), Some(28.2843)));
    let apart = outcome.disagreement.as_ref().unwrap();
    assert_eq!((apart.distance, apart.high.persona.as_str(), apart.low.words.as_str()), (40.0, "甲", "丙 说"));
    let alone = aggregate(&people(&["甲"]), &four(), &readings[..1]);
    assert_eq!((alone.outcomes[0].spread, &alone.outcomes[0].disagreement), (None, &None));
    let none = aggregate(&people(&["乙"]), &four(), &readings[1..2]);
    assert_eq!((none.outcomes[0].mean, none.drop_off, none.demand), (None, None, None));
}

#[test]
fn who_stops_is_gone_from_that_paragraph_on() {
    let stop = |name: &str, stops_at| read(name, Interaction::DropOff, Reaction { stops_at, ..Reaction::default() });
    let readings = [
        stop("甲", Some(3)),
        stop("乙", None),
        stop("丙", Some(1)),
        stop("丁", Some(3)),
        failed("戊", Interaction::DropOff),
    ];
    let off = aggregate(&people(&["甲", "乙", "丙", "丁", "戊"]), &four(), &readings).drop_off.unwrap();
    let curve: Vec<f64> = off.curve.iter().map(|point| point.share).collect();
    assert_eq!((off.readers, curve, off.finished), (4, vec![0.75, 0.75, 0.25, 0.25], 0.25));
    let stops: Vec<(usize, &str)> = off.stops.iter().map(|stop| (stop.paragraph, stop.persona.as_str())).collect();
    assert_eq!(stops, [(1, "丙"), (3, "甲"), (3, "丁")]);
}

#[test]
fn demand_has_an_interval_and_counts_who_did_not_say() {
    let buys = |name: &str, would_buy| read(name, Interaction::Purchase, Reaction { would_buy, ..Reaction::default() });
    let readings =
        [buys("甲", Some(Buys::Yes)), buys("乙", Some(Buys::No)), buys("丙", Some(Buys::Maybe)), buys("丁", None)];
    let whole = aggregate(&people(&["甲", "乙", "丙", "丁"]), &four(), &readings);
    let demand = whole.demand.unwrap();
    assert_eq!((demand.yes, demand.maybe, demand.no, demand.unsaid, demand.share), (1, 1, 1, 1, 0.3333));
    // Wilson for 1 of 3, as published tables have it: 0.0615 to 0.7923.
    assert_eq!(demand.between, (0.0615, 0.7923));
    let apart = whole.outcomes[0].disagreement.as_ref().unwrap();
    assert_eq!((apart.high.persona.as_str(), apart.low.persona.as_str()), ("甲", "乙"));
    let unsaid = aggregate(&people(&["丁"]), &four(), &[buys("丁", None)]);
    assert_eq!((unsaid.demand, unsaid.outcomes[0].mean), (None, None));
}

#[test]
fn objections_to_the_same_place_stand_together() {
    let says = |name: &str, words: &str, quote: &str, paragraph| {
        let objections = vec![Objection { words: words.into(), quote: quote.into(), paragraph }];
        read(name, Interaction::Objection, Reaction { objections, ..Reaction::default() })
    };
    let readings = [
        says("甲", "缺例子", "", None),
        says("乙", "太少", "先问十个", Some(1)),
        says("丙", "问谁", "", Some(3)),
        says("丙", "怎么问", "十个客户", None),
    ];
    let groups = aggregate(&people(&["甲", "乙", "丙"]), &four(), &readings).objections;
    let shown: Vec<(Option<usize>, usize, usize)> =
        groups.iter().map(|group| (group.paragraph, group.personas, group.sides.len())).collect();
    assert_eq!(shown, [(Some(3), 2, 3), (None, 1, 1)], "a quote says where better than a number");
}

#[test]
fn points_name_who_missed_them() {
    let says = |name: &str, is_understood| {
        let understood = vec![Understood { point: "会涨价".into(), is_understood }];
        read(name, Interaction::Comprehension, Reaction { understood, ..Reaction::default() })
    };
    let whole = aggregate(&people(&["甲", "乙"]), &four(), &[says("甲", true), says("乙", false)]);
    assert_eq!(
        (&whole.points[0].understood_by[..], &whole.points[0].missed_by[..]),
        (&["甲".to_owned()][..], &["乙".to_owned()][..])
    );
}

fn any_read() -> impl Strategy<Value = Read> {
    let reaction = (prop::option::of(0_u8..=100), prop::option::of(1_usize..=4), 0_usize..3).prop_map(
        |(score, stops_at, objections)| Reaction {
            score,
            stops_at,
            words: "话".into(),
            would_buy: score.map(|score| if score > 50 { Buys::Yes } else { Buys::No }),
            objections: vec![Objection { words: "不".into(), ..Objection::default() }; objections],
            ..Reaction::default()
        },
    );
    (0_usize..4, 0_usize..5, prop::option::of(reaction)).prop_map(|(who, what, reaction)| Read {
        persona: ["甲", "乙", "丙", "丁"][who].into(),
        interaction: Interaction::ALL[what],
        error: reaction.is_none().then(|| "x".into()),
        reaction,
    })
}

proptest! {
    #[test]
    fn the_order_of_readings_changes_nothing(
        readings in prop::collection::vec(any_read(), 0..20).prop_flat_map(|all| (Just(all.clone()), Just(all).prop_shuffle()))
    ) {
        let personas = people(&["甲", "乙", "丙", "丁"]);
        let one = aggregate(&personas, &four(), &readings.0);
        prop_assert_eq!(&one, &aggregate(&personas, &four(), &readings.1));
        let counted: usize = one.outcomes.iter().map(|outcome| outcome.read + outcome.failed).sum();
        prop_assert_eq!(counted, readings.0.len());
        if let Some(off) = &one.drop_off {
            let is_falling = off.curve.windows(2).all(|pair| pair[0].share >= pair[1].share);
            prop_assert!(is_falling);
            prop_assert_eq!(off.curve.last().map(|point| point.share), Some(off.finished));
        }
        let back: Simulation = serde_json::from_value(serde_json::to_value(&one).unwrap()).unwrap();
        prop_assert_eq!(back, one);
    }
}
