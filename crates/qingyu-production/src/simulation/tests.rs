use proptest::prelude::*;
use qingyu_story::Story;
use qingyu_story::production::{Field, Golden};
use serde_json::{Value, json};

use super::reaction::check;
use super::*;
use crate::content::{Content, Reading, reading};

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
fn an_article_names_no_persona() {
    let field = Field {
        golden: Some(Golden::ConsumerPersonas),
        value: json!([{"name": "The busy parent"}, {"name": "Ruth Hall (sceptic)"}]),
        ..Field::default()
    };
    let names = |text: &str| mentioned(text, std::slice::from_ref(&field));
    assert!(names("What does the offer say about our prices?").is_empty());
    assert_eq!(names("What did the busy parent say?"), ["The busy parent"]);
    assert_eq!(names("Why is a parent too BUSY?"), ["The busy parent"]);
    assert_eq!(names("What did Ruth object to?"), ["Ruth Hall (sceptic)"]);
}

#[test]
fn golden_fields_name_personas_and_content_names_points() {
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
    assert!(personas_of(&Story::default()).is_empty() && points_of(&[]).is_empty());
    let content = |title: &str, text: &str| Content { title: title.into(), text: text.into(), ..Content::default() };
    let lessons = [content("课文 1：看价值", "一"), content("课文 2：问客户", "二"), content("落地页", "三")];
    assert_eq!(points_of(&lessons), ["看价值", "问客户", "落地页"], "what the content says, not what the team wants");
    assert_eq!(points_of(&[content("页", "# 一\n正文\n## 二\n〔待写〕")]), ["一", "二"]);
}

/// Two personas who disagree in every interaction, and the figures that the definitions give.
#[test]
fn two_readers_who_disagree_give_the_figures_of_the_definitions() {
    let reader = |score: u8, buys, stops_at, objection: &str, knows: bool| PersonaReading {
        first_impression: Some(ImpressionAnswer { score: Some(score), words: "看了".into(), ..Default::default() }),
        comprehension: Some(ComprehensionAnswer {
            score: Some(score),
            words: "懂".into(),
            understood: vec![Understood { point: "价值".into(), is_understood: knows }],
        }),
        objection: Some(ObjectionAnswer {
            words: "不信".into(),
            objections: vec![Objection {
                words: objection.into(), quote: "先问十个客户".into(), paragraph: None
            }],
        }),
        purchase: Some(PurchaseAnswer {
            score: Some(score),
            would_buy: Some(buys),
            words: "想想".into(),
            quotes: vec![],
        }),
        drop_off: Some(DropOffAnswer { stops_at, words: "停".into() }),
    };
    let points = ["价值".to_owned()];
    let text = "定价要看价值。\n不要只看成本。\n先问十个客户。\n然后涨价。".to_owned();
    let lesson = Content { path: "lessons/2".into(), title: "课文 2：问".into(), text, version: 1 };
    let four = reading(&[lesson], 1_000);
    let readings = [
        ("甲", reader(90, Buys::Yes, None, "哪来的客户", true)),
        ("乙", reader(30, Buys::No, Some(2), "没有时间", false)),
    ];
    let mut all = Vec::new();
    for (name, said) in &readings {
        assert_eq!(said.problems(&Interaction::ALL, &four, &points), []);
        all.extend(Interaction::ALL.map(|interaction| read(name, interaction, said.reaction(interaction).unwrap())));
    }
    let whole = aggregate(&people(&["甲", "乙"]), &four, &all);
    let of = |interaction| whole.outcomes.iter().find(|outcome| outcome.interaction == interaction).unwrap();
    let first = of(Interaction::FirstImpression);
    // (90 + 30) / 2, and √((30² + 30²) / 1).
    assert_eq!((first.mean, first.spread), (Some(60.0), Some(42.4264)));
    assert_eq!(first.disagreement.as_ref().unwrap().distance, 60.0);
    assert_eq!(of(Interaction::Objection).mean, None, "objections have no score");
    assert_eq!(of(Interaction::Purchase).disagreement.as_ref().unwrap().distance, 100.0, "yes against no");
    // One of one point against none: 100 against 0.
    assert_eq!(of(Interaction::Comprehension).disagreement.as_ref().unwrap().distance, 100.0);
    let demand = whole.demand.as_ref().unwrap();
    // Wilson's interval of one of two.
    assert_eq!((demand.yes, demand.no, demand.share, demand.between), (1, 1, 0.5, (0.0945, 0.9055)));
    let drop_off = whole.drop_off.as_ref().unwrap();
    assert_eq!(drop_off.curve.iter().map(|at| at.share).collect::<Vec<_>>(), [1.0, 0.5, 0.5, 0.5]);
    assert_eq!(drop_off.stops[0].place.as_ref().unwrap().paragraph, 2);
    let group = &whole.objections[0];
    assert_eq!((group.personas, group.paragraph, group.sides.len()), (2, Some(3), 2));
    assert_eq!(group.place.as_ref().unwrap().text(qingyu_story::Language::Zh), "「课文 2：问」第 3 段");
    assert_eq!(
        (&whole.points[0].understood_by, &whole.points[0].missed_by),
        (&vec!["甲".to_owned()], &vec!["乙".to_owned()])
    );
    let partial = PersonaReading { purchase: None, ..readings[0].1.clone() };
    assert_eq!(partial.problems(&[Interaction::Purchase], &four, &[]), [AnswerProblem::Missing("purchase")]);
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
    let cases: [(Reaction, &[&str], Vec<AnswerProblem>); 12] = [
        (good(), &[], vec![]),
        (Reaction::default(), &[], vec![AnswerProblem::NoWords]),
        (Reaction { score: Some(101), ..good() }, &[], vec![AnswerProblem::Score(101)]),
        (Reaction { quotes: vec!["免费".into()], ..good() }, &[], vec![AnswerProblem::Quote("免费".into())]),
        (Reaction { stops_at: Some(4), ..good() }, &[], vec![]),
        (Reaction { stops_at: Some(5), ..good() }, &[], vec![AnswerProblem::Paragraph(5, 4)]),
        (Reaction { stops_at: Some(0), ..good() }, &[], vec![AnswerProblem::Paragraph(0, 4)]),
        (objects("缺例子", "", None), &[], vec![]),
        (objects("", "然后涨价", Some(9)), &[], vec![AnswerProblem::NoWords, AnswerProblem::Paragraph(9, 4)]),
        (objects("不信", "降价", Some(1)), &[], vec![AnswerProblem::Quote("降价".into())]),
        (understood(&["a", "b"]), &["a", "b"], vec![]),
        (
            understood(&["a", "c"]),
            &["a", "b"],
            vec![AnswerProblem::Point("b".into()), AnswerProblem::UnknownPoint("c".into())],
        ),
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
    /// Of two, the spread is their distance over √2; of the share of one of two, the interval is Wilson's.
    #[test]
    fn figures_of_two_readers_are_those_of_the_definitions(one in 0_u8..=100, other in 0_u8..=100, buys in 0_usize..3) {
        prop_assume!(one != other);
        let replies = [[Buys::Yes, Buys::Yes], [Buys::Yes, Buys::No], [Buys::No, Buys::Maybe]][buys];
        let readings: Vec<Read> = [("甲", one, replies[0]), ("乙", other, replies[1])].into_iter().flat_map(|(name, score, reply)| {
            let purchase = Reaction { would_buy: Some(reply), ..Reaction::default() };
            [read(name, Interaction::FirstImpression, scored(score)), read(name, Interaction::Purchase, purchase)]
        }).collect();
        let whole = aggregate(&people(&["甲", "乙"]), &four(), &readings);
        let first = whole.outcomes.iter().find(|outcome| outcome.interaction == Interaction::FirstImpression).unwrap();
        let (one, other) = (f64::from(one), f64::from(other));
        let distance = (one - other).abs();
        prop_assert!((first.mean.unwrap() - (one + other) / 2.0).abs() < 1e-3);
        prop_assert!((first.spread.unwrap() - distance / 2.0_f64.sqrt()).abs() < 1e-3);
        prop_assert!((first.disagreement.as_ref().unwrap().distance - distance).abs() < 1e-3);
        let demand = whole.demand.as_ref().unwrap();
        let yes = replies.iter().filter(|reply| **reply == Buys::Yes).count() as f64;
        // The ends of the interval solve (share - p)² = z² p (1 - p) / n for p.
        let (n, z) = (2.0, 1.959_964_f64);
        let share = yes / n;
        prop_assert!((demand.share - share).abs() < 1e-3);
        for end in [demand.between.0, demand.between.1] {
            let rest = (share - end).powi(2) - z * z * end * (1.0 - end) / n;
            prop_assert!(rest.abs() < 1e-3, "{end} for {share}");
        }
    }

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
