//! What a card says of facts that only a few people know: states and sums, lies, deaths, kinship.

use super::*;

#[test]
fn states_and_sums_that_a_few_people_know_stay_among_what_is_so() {
    for (language, sum, wound, claims, learns, heading, lines) in [
        (
            Language::Zh,
            "数量",
            "受伤",
            "谎称",
            "得知第12只箱子是空的",
            "【谁知道什么】",
            ["- 柜银：数量360元（沈砚秋知道）", "受伤（沈砚秋、苏曼知道）"],
        ),
        (
            Language::En,
            "amount",
            "weakened",
            "falsely claims",
            "learns 第12只箱子是空的",
            "[Who knows what]",
            ["- 柜银: amount 360元 (known to 沈砚秋)", "weakened (known to 沈砚秋, 苏曼)"],
        ),
    ] {
        let story = Story { language, ..told_story() };
        let around = surroundings(&NumberedBook::of(&story), 3, "");
        let known = |who: &str| json!([{"who": who}]);
        let mut facts = vec![
            json!({"fact": "f-7", "subject": "柜银", "predicate": sum, "value": 360, "unit": "元",
                "known_by": known("沈砚秋")}),
            json!({"fact": "f-8", "subject": "沈砚秋", "predicate": wound, "value": true,
                "known_by": [{"who": "沈砚秋"}, {"who": "苏曼"}]}),
            json!({"fact": "f-9", "subject": "裴慎之", "predicate": "is_at", "value": "大餐间", "mode": "lied",
                "by": "裴慎之", "known_by": known("苏曼")}),
        ];
        facts.extend((10..40).map(|number| {
            json!({"fact": format!("f-{number}"), "subject": "沈砚秋", "predicate": "learns",
                "value": format!("第{number}只箱子是空的"), "known_by": known("沈砚秋")})
        }));
        let related = json!({"facts": facts, "participating_characters": story.characters});
        let people = vec!["c-1".to_owned(), "c-2".to_owned()];
        let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
        let card = chapter(&around, &found, 6_000);
        let (told, kept) = card.split_once(heading).unwrap_or_else(|| panic!("no {heading}: {card}"));
        assert!(lines.iter().all(|line| told.contains(line)), "{card}");
        assert!(!kept.contains("360") && !kept.contains(wound), "{card}");
        let first = kept.trim_start().lines().next().unwrap_or_default();
        assert!(first.contains(claims) && first.contains("大餐间"), "a lie goes first: {card}");
        assert!(kept.contains("第39只箱子") && !kept.contains("第12只箱子"), "{card}");
        assert!(told.contains(learns), "what has no room is not lost: {card}");
    }
}

#[test]
fn lasting_facts_are_states_injuries_and_sums() {
    let is_lasting = |name: &str, value: Value| states::is_lasting(qingyu_story::predicate::find(name), name, &value);
    for (name, value, expected) in [
        ("数量", json!(360), true),
        ("减少", json!(60), true),
        ("destroyed", json!(true), true),
        ("受伤", json!(true), true),
        ("is_hurt", json!("a cut in the right palm"), true),
        ("伤口", json!("左手虎口"), true),
        ("age", json!(23), false),
        ("length", json!(5), false),
        ("trait", json!("刻着一个“峡”字"), false),
        ("destroys", Value::Null, false),
        ("悲伤", json!(true), false),
    ] {
        assert_eq!(is_lasting(name, value), expected, "{name}");
    }
}

#[test]
fn an_injury_that_has_healed_is_over() {
    for (language, over, never) in
        [(Language::Zh, "伤已好", "没有受伤"), (Language::En, "no longer weakened", "weakened: no")]
    {
        let fact = |id: &str, who: &str, is_so: bool| Fact {
            id: id.into(),
            subject: who.into(),
            predicate: "weakened".into(),
            value: is_so.into(),
            ..Fact::default()
        };
        let mut story = Story { language, ..told_story() };
        story.facts = vec![fact("f-1", "沈砚秋", true), fact("f-2", "沈砚秋", false), fact("f-3", "裴慎之", false)];
        let told = |fact: &Fact| json!({"fact": fact.id, "subject": fact.subject, "predicate": fact.predicate, "value": fact.value});
        let facts: Vec<Value> = story.facts[1..].iter().map(told).collect();
        let around = surroundings(&NumberedBook::of(&story), 3, "");
        let related = json!({"facts": facts, "participating_characters": story.characters});
        let people = vec!["c-1".to_owned(), "c-2".to_owned()];
        let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
        let card = chapter(&around, &found, 6_000);
        assert_eq!([over, never].map(|said| card.matches(said).count()), [1, 1], "{card}");
    }
}

#[test]
fn whoever_hears_of_a_certain_death_knows_it() {
    let death = |id: &str, mode: &str, knowers: &[&str]| {
        let known: Vec<Value> = knowers.iter().map(|who| json!({"who": who})).collect();
        json!({"fact": id, "subject": "贺大峡", "predicate": "死亡", "value": true, "mode": mode, "known_by": known})
    };
    let left = |facts: &[Value], is_dead: bool| -> Vec<String> {
        let facts = repeated::without_hearsay_of_deaths(facts.to_vec(), &BTreeMap::new(), &|_: &str| is_dead);
        let knowers = |fact: &Value| {
            let known = fact["known_by"].as_array().cloned().unwrap_or_default();
            known.iter().filter_map(|knower| knower["who"].as_str()).collect::<Vec<_>>().join("、")
        };
        facts.iter().map(knowers).collect()
    };
    let seen = death("f-1", "narrated", &["沈砚秋", "傅锦堂"]);
    let heard = death("f-2", "said", &["程婉贞", "沈砚秋"]);
    let open = death("f-3", "believed", &[]);
    assert_eq!(left(&[seen.clone(), heard.clone()], true), ["沈砚秋、傅锦堂、程婉贞"]);
    assert_eq!(left(&[death("f-1", "narrated", &[]), heard.clone()], true), [""], "everybody knows it");
    assert_eq!(left(&[heard.clone(), open], true), ["程婉贞、沈砚秋"], "nothing tells who else knows");
    assert_eq!(left(&[seen, heard], false).len(), 2, "the death is not certain");
}

#[test]
fn kinship_is_public_unless_it_is_a_secret() {
    for (language, wed, secret, other) in [
        (Language::Zh, "配偶", "罗玉茹的秘密：她瞒着人嫁给了林深。", "罗玉茹的秘密：林深的账是她烧的。"),
        (
            Language::En,
            "married_to",
            "The secret of 罗玉茹: she is the wife of 林深.",
            "The secret of 罗玉茹: she has burnt the book of 林深.",
        ),
    ] {
        let here = ["林深", "苏曼"].map(str::to_owned);
        let kept = |value: Value, quote: &str, hidden: &[String]| -> usize {
            let fact = json!({"fact": "f-1", "subject": "林深", "predicate": wed, "object": "罗玉茹", "value": value,
                "known_by": [{"who": "林深"}], "says": {"quote": quote}});
            let frame = known::FactFrame { here: &here, hidden, ..known::FactFrame::default() };
            known::facts(&[fact], &frame, labels::of(language))[0].kept_from(&here).len()
        };
        assert_eq!(kept(Value::Null, "", &[]), 0);
        assert_eq!(kept(Value::Null, "", &[other.to_owned()]), 0, "the secret is another one");
        assert_eq!(kept(Value::Null, "", &[secret.to_owned()]), 1);
        assert_eq!(kept(Value::Null, "没有人知道 / nobody knew of it", &[]), 1);
        assert_eq!(kept(json!(false), "", &[]), 1, "a denial is no kinship");
    }
}

#[test]
fn a_marriage_of_the_relations_is_no_fact_as_well() {
    let fact = json!({"subject": "沈砚秋", "predicate": "配偶", "object": "程婉如", "mode": "narrated"});
    let is_tie = |kind: &str, description: &str| {
        let relation = json!({"from": "程婉如", "to": "沈砚秋", "type": kind, "description": description});
        repeated::is_tie(&fact, &[serde_json::from_value(relation).unwrap()])
    };
    assert!(is_tie("family", "夫妻") && is_tie("lover", "Husband and wife since 1920."));
    assert!(!is_tie("family", "表亲") && !is_tie("enemy", "夫妻"));
}

#[test]
fn relatives_of_the_participants_are_related_through_absent_people() {
    let story = told_story();
    let around = surroundings(&NumberedBook::of(&story), 3, "");
    let relation = |from: &str, kind: &str, to: &str| json!({"from": from, "to": to, "type": kind});
    let relations = [
        relation("程婉贞", "sibling", "程婉如"),
        relation("程婉如", "sibling", "程婉秋"),
        relation("程婉如", "enemy", "程婉贞"),
        relation("沈砚秋", "family", "程婉如"),
        relation("裴慎之", "family", "程婉贞"),
    ];
    let related = json!({"participating_characters": story.characters, "character_relations": relations});
    let people = vec!["c-1".to_owned(), "c-2".to_owned()];
    let found = CardMaterial { story: Some(&story), related, people, ..CardMaterial::default() };
    let card = chapter(&around, &found, 6_000);
    let sisters = card.lines().filter(|line| line.contains("程婉贞") && line.contains("程婉如")).count();
    assert!(sisters == 1 && !card.contains("程婉秋"), "the kinship explains how both are related: {card}");
}

#[test]
fn what_is_announced_and_who_somebody_is_are_no_secrets_of_others() {
    let here = ["Ines Calloway", "Tobias Calloway", "Hollis Prewitt"].map(str::to_owned);
    let other = ["Joss Arden".to_owned()];
    let learns = |value: &str| {
        json!({"fact": "f-1", "subject": "Ines Calloway", "predicate": "learns", "value": value, "mode": "narrated",
            "known_by": [{"who": "Ines Calloway"}]})
    };
    let plan = |subject: &str, by: Option<&str>| {
        json!({"fact": "f-2", "subject": subject, "predicate": "is_at", "object": "the dock", "mode": "planned",
            "by": by, "known_by": [{"who": "Ines Calloway"}]})
    };
    let kept = |fact: Value| -> Vec<String> {
        let frame = known::FactFrame {
            here: &here,
            aliases: vec![("Tobias Calloway", other.as_slice())],
            ..known::FactFrame::default()
        };
        let facts = known::facts(&[fact], &frame, labels::of(Language::En));
        facts[0].kept_from(&here).into_iter().cloned().collect()
    };
    assert_eq!(kept(learns("the man called Joss Arden is her brother Tobias Calloway")), ["Hollis Prewitt"]);
    assert_eq!(kept(learns("the certificate is dated 1921")), ["Tobias Calloway", "Hollis Prewitt"]);
    assert_eq!(kept(plan("the Halcyon", None)), [""; 0]);
    assert_eq!(kept(plan("the Halcyon", Some("Ines Calloway"))).len(), 2, "it is somebody's plan");
    assert_eq!(kept(plan("Hollis Prewitt", None)), ["Tobias Calloway"], "a person may be about to go there");
}
