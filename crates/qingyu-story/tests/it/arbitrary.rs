//! Random stories in which names collide, refer to each other, and are sometimes nonsense.

use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;
use qingyu_story::{
    Character, CharacterRelation, Clause, Document, Fact, Item, Knower, Language, Location, Mode, Organisation,
    OutlineNode, OutlineNodeKind, PlotKind, PlotNode, Promise, Quotation, RelationKind, RoleType, Story, StyleGuide,
    TimelineEvent, Travel, WorldRule, Worldview,
};
use serde_json::{Value, json};

/// A name out of few, so that references hit.
fn name() -> impl Strategy<Value = String> + Clone {
    let known = [
        "林青",
        "李四",
        "老李",
        "Neo",
        "neo ",
        "第一章 雨夜",
        "第一章",
        "第二章",
        "失窃",
        "追捕",
        "旧港",
        "c-1",
        "o-1",
        "e-2",
    ];
    prop_oneof![8 => select(known.to_vec()).prop_map(str::to_owned), 1 => ".{0,8}", 1 => Just(String::new())]
}

fn text() -> impl Strategy<Value = String> + Clone {
    let known =
        ["林青与李四相遇", "名叫沈墨的记者遇见「阿九」", "Neo meets a hacker named Ada.", "老李的尸体", "芯片的来历"];
    prop_oneof![3 => select(known.to_vec()).prop_map(str::to_owned), 1 => ".{0,16}", 1 => Just(String::new())]
}

fn time() -> impl Strategy<Value = String> + Clone {
    let known =
        ["2077", "2077-03-05 22:00", "2077年3月5日夜", "第3天", "Day 4", "2045", "2077-02-30", "三天后", "星历12年"];
    let told = ["次日（2077-03-05）", "the next morning", "两小时后", "失窃三天后", "不久", "day after 追捕", "一年前"];
    let known = [known.as_slice(), told.as_slice()].concat();
    prop_oneof![6 => select(known).prop_map(str::to_owned), 1 => ".{0,10}"]
}

fn id() -> impl Strategy<Value = String> + Clone {
    prop_oneof![2 => "[coer]-[1-4]", 1 => Just(String::new()), 1 => ".{0,4}"]
}

fn character() -> impl Strategy<Value = Character> {
    let roles = [RoleType::Protagonist, RoleType::Antagonist, RoleType::Supporting, RoleType::Minor];
    let when = (option::of(-5_i32..120), option::of(time()), option::of(time()));
    (id(), name(), vec(name(), 0..3), select(roles.to_vec()), when, text()).prop_map(
        |(id, name, alias, role_type, (age, birth, death), background)| Character {
            id,
            name,
            alias,
            role_type,
            age,
            birth,
            death,
            background,
            ..Character::default()
        },
    )
}

fn relation() -> impl Strategy<Value = CharacterRelation> {
    let kinds = [
        RelationKind::Friend,
        RelationKind::Enemy,
        RelationKind::ParentOf,
        RelationKind::ChildOf,
        RelationKind::MentorOf,
        RelationKind::Sibling,
    ];
    (id(), name(), name(), select(kinds.to_vec()), 0.0..1.0_f64, option::of(name()), option::of(name())).prop_map(
        |(id, from, to, kind, strength, since, until)| CharacterRelation {
            id,
            from,
            to,
            kind,
            strength,
            description: String::new(),
            since,
            until,
            own_kind: String::new(),
        },
    )
}

fn node() -> impl Strategy<Value = OutlineNode> {
    let kinds = [OutlineNodeKind::Act, OutlineNodeKind::Chapter, OutlineNodeKind::Scene];
    let who = (vec(name(), 0..4), option::of(name()), vec(text(), 0..2), vec(text(), 0..2));
    (id(), option::of(name()), select(kinds.to_vec()), 0_u32..6, name(), text(), who).prop_map(
        |(id, parent, kind, order, name, description, (participants, location, plants, pays))| OutlineNode {
            id,
            parent,
            kind,
            order,
            name,
            description,
            participants,
            location,
            plants,
            pays,
            ..OutlineNode::default()
        },
    )
}

fn event() -> impl Strategy<Value = TimelineEvent> {
    let modes = [Mode::Narrated, Mode::Narrated, Mode::Flashback, Mode::Said];
    let who = (vec(name(), 0..4), vec(name(), 0..2), option::of(name()), option::of(name()));
    let duration = select(vec!["", "", "2小时", "三天", "half a year", "很久"]).prop_map(str::to_owned);
    (id(), name(), text(), (time(), duration), vec(name(), 0..3), who, select(modes.to_vec())).prop_map(
        |(
            id,
            title,
            description,
            (timestamp, duration),
            after,
            (participants, deaths, location, outline_node),
            mode,
        )| {
            TimelineEvent {
                id,
                title,
                description,
                timestamp,
                duration,
                after,
                participants,
                deaths,
                location,
                outline_node,
                mode,
                ..TimelineEvent::default()
            }
        },
    )
}

fn plot_node() -> impl Strategy<Value = PlotNode> {
    let kinds = [PlotKind::Setup, PlotKind::Conflict, PlotKind::Climax];
    (id(), name(), text(), select(kinds.to_vec()), option::of(name()), vec(name(), 0..3), vec(name(), 0..3)).prop_map(
        |(id, title, description, kind, outline_node, events, causes)| PlotNode {
            id,
            title,
            description,
            kind,
            outline_node,
            events,
            causes,
        },
    )
}

fn predicate() -> impl Strategy<Value = String> + Clone {
    let known = [
        "holds",
        "位于",
        "loses",
        "destroyed",
        "uses",
        "eye_colour",
        "birthplace",
        "height",
        "amount",
        "spends",
        "gains",
        "knows",
        "mentions",
        "learns",
        "forgets",
        "denies",
        "dies",
        "within",
        "held_by",
        "gets",
        "member_of",
        "occupation",
        "rank",
        "喜欢",
        "Likes",
        "likes",
        "married_to",
        "parent_of",
        "child_of",
        "sibling_of",
        "friend_of",
        "revives",
        "takes_part",
    ];
    prop_oneof![8 => select(known.to_vec()).prop_map(str::to_owned), 1 => Just(String::new())]
}

fn clause() -> impl Strategy<Value = Clause> {
    (name(), predicate(), option::of(name()), option::of(name()), vec(name(), 0..2))
        .prop_map(|(who, predicate, object, place, unless)| Clause { who, predicate, object, place, unless })
}

/// A point in the story, or nothing.
fn point() -> impl Strategy<Value = String> + Clone {
    prop_oneof![2 => time(), 2 => name(), 1 => Just(String::new())]
}

pub(crate) fn fact() -> impl Strategy<Value = Fact> {
    let values = [Value::Null, json!(3), json!(4.5), json!(-2), json!("黑"), json!("蓝色"), json!(true), json!(false)];
    let units = ["", "尺", "米", "岁", "文"];
    let modes = [Mode::Narrated, Mode::Narrated, Mode::Narrated, Mode::Lied, Mode::Believed, Mode::Disguised];
    let object = option::of(prop_oneof![2 => name(), 1 => "f-[1-4]"]);
    let knower = (name(), point(), text(), option::of(name())).prop_map(|(who, since, how, told_by)| Knower {
        who,
        since,
        how,
        told_by,
    });
    let says = (name(), predicate(), object, select(values.to_vec()), select(units.to_vec()));
    let source = (name(), text()).prop_map(|(document, quote)| Quotation { document, quote, ..Quotation::default() });
    (says, point(), point(), select(modes.to_vec()), option::of(name()), vec(knower, 0..3), option::of(source))
        .prop_map(|((subject, predicate, object, value, unit), from, until, mode, by, known_by, source)| Fact {
            id: String::new(),
            subject,
            predicate,
            object,
            value,
            unit: unit.to_owned(),
            from,
            until,
            mode,
            by,
            source,
            known_by,
        })
}

pub(crate) fn document() -> impl Strategy<Value = Document> {
    (name(), 0_u32..6, option::of(name()), text()).prop_map(|(title, order, outline_node, text)| Document {
        title,
        order,
        outline_node,
        text,
        ..Document::default()
    })
}

fn promise() -> impl Strategy<Value = Promise> {
    (name(), vec(name(), 0..2), vec(name(), 0..2), option::of(name())).prop_map(|(name, planted, paid, due)| Promise {
        name,
        planted,
        paid,
        due,
        ..Promise::default()
    })
}

fn world() -> impl Strategy<Value = Worldview> {
    let travel = (name(), time()).prop_map(|(to, duration)| Travel { to, duration, by: String::new() });
    let location = (id(), name(), text(), vec(travel, 0..2)).prop_map(|(id, name, description, travel)| Location {
        id,
        name,
        description,
        travel,
        ..Location::default()
    });
    let organisation = (id(), name()).prop_map(|(id, name)| Organisation { id, name, ..Organisation::default() });
    let item =
        (id(), name(), option::of(name())).prop_map(|(id, name, holder)| Item { id, name, holder, ..Item::default() });
    let clauses = (option::of(clause()), option::of(clause()));
    let rule = (id(), name(), text(), clauses).prop_map(|(id, name, statement, (forbids, demands))| WorldRule {
        id,
        name,
        statement,
        forbids,
        demands,
        ..WorldRule::default()
    });
    (text(), time(), vec(rule, 0..3), vec(location, 0..3), vec(organisation, 0..2), vec(item, 0..3)).prop_map(
        |(summary, era, rules, locations, organisations, items)| Worldview {
            summary,
            genre: String::new(),
            era,
            rules,
            locations,
            organisations,
            items,
            ..Worldview::default()
        },
    )
}

/// A story without ids given, with whatever ids came along.
pub(crate) fn story() -> impl Strategy<Value = Story> {
    let cast = (vec(character(), 0..5), vec(relation(), 0..5));
    let style = option::of(text().prop_map(|tone| StyleGuide { tone, ..StyleGuide::default() }));
    let language = prop_oneof![Just(Language::Zh), Just(Language::En)];
    let told = (vec(document(), 0..3), vec(fact(), 0..8), vec(promise(), 0..3));
    (language, option::of(world()), vec(node(), 0..5), cast, vec(event(), 0..5), vec(plot_node(), 0..5), style, told)
        .prop_map(
            |(
                language,
                worldview,
                outline_nodes,
                (characters, character_relations),
                timeline_events,
                plot_nodes,
                style,
                (documents, facts, promises),
            )| Story {
                premise: String::new(),
                language,
                worldview,
                outline_nodes,
                characters,
                character_relations,
                timeline_events,
                plot_nodes,
                style,
                documents,
                facts,
                promises,
                ..Story::default()
            },
        )
}

/// A story whose pieces all have ids.
pub(crate) fn story_with_ids() -> impl Strategy<Value = Story> {
    story().prop_map(|mut story| {
        qingyu_story::ids::assign(&mut story);
        story
    })
}

/// A fact between few people, places and things: such facts often meet.
pub(crate) fn crowded_fact() -> impl Strategy<Value = Fact> {
    let words = [
        "is_at",
        "is_at",
        "uses",
        "holds",
        "gets",
        "loses",
        "married_to",
        "parent_of",
        "child_of",
        "sibling_of",
        "friend_of",
        "enemy_of",
        "dies",
        "revives",
        "kills",
        "takes_part",
        "knows",
        "mentions",
        "learns",
        "forgets",
        "denies",
        "member_of",
        "Admires",
        "admires",
    ];
    let numbers = ["length", "price", "amount", "spends", "gains", "destroyed", "repaired"];
    let who = || select(vec!["林青", "老周", "老周", "沈墨", "f-2"]).prop_map(str::to_owned);
    let thing = || select(vec!["任意门", "任意门", "林青"]).prop_map(str::to_owned);
    let what = select(vec!["雁回山", "铁壁关", "关楼", "桥上", "老周", "林青", "沈墨", "任意门", "f-1"]);
    let point =
        || select(vec!["", "桥上", "又在桥上", "桥上", "末一回", "第3天", "第4天", "第20天"]).prop_map(str::to_owned);
    let modes = select(vec![Mode::Narrated, Mode::Narrated, Mode::Narrated, Mode::Lied]);
    let of_people = (who(), select(words.to_vec()), option::of(what), Just(Value::Null));
    let of_things = (thing(), select(numbers.to_vec()), Just(None), select(vec![json!(3), json!(4), json!(true)]));
    let said = prop_oneof![3 => of_people, 1 => of_things];
    let knower = (who(), point()).prop_map(|(who, since)| Knower { who, since, ..Knower::default() });
    let by = option::weighted(0.3, who());
    (said, point(), point(), modes, by, vec(knower, 0..2)).prop_map(
        |((subject, predicate, object, value), from, until, mode, by, known_by)| Fact {
            subject,
            predicate: predicate.to_owned(),
            object: object.map(str::to_owned),
            value,
            from,
            until,
            mode,
            by,
            known_by,
            ..Fact::default()
        },
    )
}

/// A story of few people who meet again and again at few places, with many such facts.
pub(crate) fn crowded() -> impl Strategy<Value = Story> {
    let base = json!({
        "characters": [{"name": "林青"}, {"name": "老周"}],
        "worldview": {
            "locations": [
                {"name": "雁回山", "travel": [{"to": "铁壁关", "duration": "5天"}]}, {"name": "铁壁关"}, {"name": "关楼"},
            ],
            "items": [{"name": "任意门"}],
        },
        "outline_nodes": [
            {"order": 1, "name": "第一章"}, {"order": 2, "name": "第二章"}, {"order": 3, "name": "第三章"},
        ],
        "timeline_events": [
            {"title": "桥上", "timestamp": "第3天", "location": "雁回山", "participants": ["林青", "老周"], "outline_node": "第一章"},
            {"title": "又在桥上", "timestamp": "第4天", "location": "雁回山", "participants": ["老周", "林青"], "outline_node": "第二章"},
            {"title": "末一回", "timestamp": "第30天", "location": "雁回山", "participants": ["林青", "老周"], "outline_node": "第三章"},
            {"title": "赶路", "timestamp": "第5天", "location": "铁壁关", "participants": ["林青"], "outline_node": "第三章"},
        ],
        "facts": [{"subject": "关楼", "predicate": "within", "object": "铁壁关"}],
    });
    let base: Story = serde_json::from_value(base).expect("the story is well-formed");
    vec(crowded_fact(), 6..24).prop_map(move |facts| {
        let mut story = base.clone();
        story.facts.extend(facts);
        qingyu_story::ids::assign(&mut story);
        story
    })
}
