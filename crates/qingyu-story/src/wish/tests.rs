use serde_json::json;

use super::*;
use crate::piece::{Piece, PieceKind};
use crate::{
    Action, Character, CharacterRelation, Language, Location, OutlineNode, RelationKind, RoleType, Story, Worldview,
};

fn story() -> Story {
    let card = |id: &str, name: &str, role_type| Character {
        id: id.into(),
        name: name.into(),
        role_type,
        age: Some(34),
        birth: Some("1903".into()),
        weakness: "怕水".into(),
        personality: "冷静".into(),
        background: "孤儿".into(),
        ..Character::default()
    };
    Story {
        premise: "灯塔".into(),
        characters: vec![
            card("c-1", "林深", RoleType::Protagonist),
            card("c-2", "苏曼", RoleType::Supporting),
            card("c-3", "Ada Voss", RoleType::Protagonist),
        ],
        character_relations: vec![CharacterRelation {
            id: "r-1".into(),
            from: "林深".into(),
            to: "苏曼".into(),
            kind: RelationKind::Friend,
            ..CharacterRelation::default()
        }],
        outline_nodes: vec![OutlineNode {
            id: "o-3".into(), name: "第三章 雨夜".into(), ..OutlineNode::default()
        }],
        worldview: Some(Worldview {
            era: "1937".into(),
            locations: vec![Location { id: "l-1".into(), name: "黑水镇".into(), ..Location::default() }],
            ..Worldview::default()
        }),
        ..Story::default()
    }
}

/// The wishes in short: what is wanted of what.
fn wants(said: &str) -> String {
    let short = |request: &ReadWish| match &request.want {
        WishDemand::Set { piece, field, value } => format!("{}.{field}={value}", of(piece)),
        WishDemand::Rework { piece, field, .. } => format!("{}.{field}?", of(piece)),
        WishDemand::Add { piece, fields } => format!(
            "+{} {}{}",
            piece.kind,
            piece.name,
            if fields.is_empty() { String::new() } else { json!(fields).to_string() }
        ),
        WishDemand::Remove { piece } => format!("-{}", of(piece)),
        WishDemand::Mention { words } => format!("\"{words}\""),
        WishDemand::Length { length } => format!("length {}", json!(length)),
        WishDemand::Impossible { obstacle: WishObstacle::UnknownPiece { name }, .. } => format!("no {name}"),
        WishDemand::Impossible { obstacle: WishObstacle::AmbiguousPiece { name }, .. } => format!("which {name}"),
        WishDemand::Impossible { obstacle: WishObstacle::UnfitValue { field, value }, .. } => {
            format!("{field} no {value}")
        }
        WishDemand::Other => "other".to_owned(),
    };
    read(said, &story()).iter().map(short).collect::<Vec<_>>().join("; ")
}

fn of(piece: &RequestedPiece) -> &str {
    match (piece.id.as_str(), piece.name.as_str()) {
        ("", "") => piece.kind.name(),
        ("", name) => name,
        (id, _) => id,
    }
}

#[track_caller]
fn check(cases: &[(&str, &str)]) {
    let wrong = cases.iter().filter(|(said, expected)| wants(said) != *expected);
    let wrong = wrong.map(|(said, expected)| format!("{said}\n  expected {expected}\n  read     {}", wants(said)));
    let wrong = wrong.collect::<Vec<_>>();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn values_of_fields_are_read_in_chinese() {
    check(&[
        ("把林深的弱点改成怕黑", r#"c-1.weakness="怕黑""#),
        ("请帮我将林深的弱点从怕水改为“怕黑，怕高”吧。", r#"c-1.weakness="怕黑，怕高""#),
        ("林深的弱点应该是怕黑", r#"c-1.weakness="怕黑""#),
        ("让主角林深的年龄变成三十岁", "c-1.age=30"),
        ("把林深改成反派", r#"c-1.role_type="antagonist""#),
        ("林深改成四十岁", "c-1.age=40"),
        ("把林深的弱点改成不能见光", r#"c-1.weakness="不能见光""#),
        ("把林深的弱点改成怕黑，年龄改成30，其他不变", r#"c-1.weakness="怕黑"; c-1.age=30"#),
        ("把林深的弱点改成怕黑，他的职业改成医生", r#"c-1.weakness="怕黑"; c-1.occupation="医生""#),
        ("把世界观的年代改成1950", r#"worldview.era="1950""#),
        ("把视角改成第一人称", r#"style.point_of_view="第一人称""#),
        ("把林深改名为林远", r#"c-1.name="林远""#),
        ("把黑水镇改成白水镇", r#"l-1.name="白水镇""#),
        ("把第三章的标题改成雪夜", r#"o-3.name="雪夜""#),
        ("把周沉的弱点改成怕黑", "no 周沉"),
        ("把林深的年龄改成很老", "age no 很老"),
        ("林深的性格再冷一点", "c-1.personality?"),
        ("让林深更勇敢一点", "other"),
        ("不要把林深的弱点改成怕黑", "other"),
        ("如果把林深的弱点改成怕黑", "other"),
    ]);
}

#[test]
fn values_of_fields_are_read_in_english() {
    check(&[
        ("change Ada Voss's weakness to fear of the dark", r#"c-3.weakness="fear of the dark""#),
        (
            "Please change Ada Voss's weakness from pride to fear of the dark, and her age to thirty.",
            r#"c-3.weakness="fear of the dark"; c-3.age=30"#,
        ),
        ("set the occupation of Ada Voss to ship's doctor", r#"c-3.occupation="ship's doctor""#),
        ("Ada Voss's goal should be to find the killer and hang him", r#"c-3.goals="to find the killer and hang him""#),
        ("make Ada Voss a villain", r#"c-3.role_type="antagonist""#),
        ("make Ada Voss 45 years old", "c-3.age=45"),
        ("rename Ada Voss to Eve Voss", r#"c-3.name="Eve Voss""#),
        ("change the tone to dry", r#"style.tone="dry""#),
        ("change Bob's weakness to drink", "no Bob"),
        ("don't change Ada Voss's weakness", "other"),
        ("Make Ada Voss braver.", "other"),
    ]);
}

#[test]
fn new_pieces_are_read_with_their_names() {
    check(&[
        ("增加一个反派角色，叫沈夜", r#"+character 沈夜{"role_type":"antagonist"}"#),
        ("增加一个叫沈夜的反派", r#"+character 沈夜{"role_type":"antagonist"}"#),
        ("添加角色沈夜", "+character 沈夜"),
        ("增加反派沈夜。", r#"+character 沈夜{"role_type":"antagonist"}"#),
        ("再加一个名为“阿宁”的师妹，职业是裁缝", r#"+character 阿宁{"occupation":"裁缝"}; 阿宁.occupation="裁缝""#),
        ("新增地点：青石巷", "+location 青石巷"),
        ("加一座叫青石的城", "+location 青石"),
        ("增加一个组织，名叫听雨楼", "+organisation 听雨楼"),
        (
            "增加一个反派角色，叫沈夜，再把林深的弱点改成怕黑",
            r#"+character 沈夜{"role_type":"antagonist"}; c-1.weakness="怕黑""#,
        ),
        ("再加三章", "other"),
        ("add a villain named Shen Ye", r#"+character Shen Ye{"role_type":"antagonist"}"#),
        (
            "Introduce a new place called Blackwater Quay, and change Ada Voss's age to 31",
            "+location Blackwater Quay; c-3.age=31",
        ),
        ("add the character Eve", "+character Eve"),
        ("Add Eve as a villain.", r#"+character Eve{"role_type":"antagonist"}"#),
        ("add a villain: Eve Marsh", r#"+character Eve Marsh{"role_type":"antagonist"}"#),
        ("add two chapters", "other"),
    ]);
}

#[test]
fn only_words_of_removal_take_something_out() {
    check(&[
        ("删掉苏曼", "-c-2"),
        ("把角色苏曼删了吧", "-c-2"),
        ("删除林深和苏曼", "-c-1; -c-2"),
        ("删掉林深和苏曼的关系", "-r-1"),
        ("删掉林深的背景", r#"c-1.background="""#),
        ("删掉周沉", "no 周沉"),
        ("删掉所有反派", "other"),
        ("不要删掉苏曼", "other"),
        ("remove Ada Voss from the story", "-c-3"),
        ("delete Ada Voss's background", r#"c-3.background="""#),
        ("remove Bob Marsh", "no Bob Marsh"),
        ("remove the boring parts", "other"),
        ("Don't remove Ada Voss", "other"),
    ]);
}

#[test]
fn of_a_story_that_is_to_be_begun_only_names_and_words_are_read() {
    let read = |said: &str| read(said, &Story::default()).into_iter().map(|request| request.want).collect::<Vec<_>>();
    assert_eq!(read("一个灯塔看守人的故事，把恐惧写成朋友。"), []);
    let named = |kind, name: &str, role: &str| WishDemand::Add {
        piece: RequestedPiece { kind, id: String::new(), name: name.into() },
        fields: [("role_type".to_owned(), json!(role))].into(),
    };
    assert_eq!(
        read("女主角叫苏曼，要有一只猫"),
        [named(PieceKind::Character, "苏曼", "protagonist"), WishDemand::Mention { words: "猫".into() }]
    );
    assert_eq!(
        read("A ghost story whose heroine named Ada Voss keeps a light."),
        [named(PieceKind::Character, "Ada Voss", "protagonist")]
    );
}

/// The first wish, checked, with its evidence.
fn checked(said: &str, after: &Story) -> (WishState, String) {
    let wish = read(said, &story())[0].check(after, after == &story(), Language::Zh);
    let evidence = wish.evidence.iter().map(|evidence| format!("{} {}", evidence.anchor, evidence.quote));
    (wish.state, evidence.chain([wish.reason]).filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; "))
}

#[test]
fn a_wish_is_met_only_if_the_story_shows_it() {
    let before = story();
    let mut after = story();
    after.characters[0].weakness = "怕黑：一停电就发抖".into();
    after.characters.push(Character {
        id: "c-4".into(),
        name: "沈夜".into(),
        role_type: RoleType::Antagonist,
        ..Character::default()
    });
    after.characters.remove(1);
    let wish = "把林深的弱点改成怕黑";
    assert_eq!(checked(wish, &before), (WishState::Unmet, "characters/c-1/weakness 怕水".into()));
    assert_eq!(checked(wish, &after), (WishState::Met, "characters/c-1/weakness 怕黑：一停电就发抖".into()));
    let wish = "增加一个反派角色，叫沈夜";
    assert_eq!(checked(wish, &before), (WishState::Unmet, "故事里没有“沈夜”".into()));
    assert_eq!(checked(wish, &after), (WishState::Met, "characters/c-4/name 沈夜".into()));
    assert_eq!(
        checked("增加一个主角，叫沈夜", &after),
        (WishState::Unmet, "characters/c-4/role_type antagonist".into())
    );
    let wish = "删掉苏曼";
    assert_eq!(checked(wish, &before), (WishState::Unmet, "characters/c-2/name 苏曼".into()));
    assert_eq!(checked(wish, &after), (WishState::Met, "characters 林深, Ada Voss, 沈夜".into()));
    assert_eq!(checked("让林深更勇敢一点", &before).0, WishState::Unmet, "nothing has changed");
    assert_eq!(checked("让林深更勇敢一点", &after).0, WishState::NotCheckable);
    assert_eq!(checked("林深的性格再冷一点", &after).0, WishState::Unmet, "the field has not changed");
    assert_eq!(
        checked("把周沉的弱点改成怕黑", &after),
        (WishState::Unmet, "无法执行：故事里没有叫“周沉”的条目".into())
    );
}

#[test]
fn an_instruction_for_a_wish_changes_what_is_named_and_nothing_else() {
    let carried_out = |said: &str| {
        let mut after = story();
        for request in read(said, &story()) {
            let instruction = request.instruction(&after, "human-1").expect("the wish can be said as data");
            let edit = crate::edit::from_instruction(&instruction).expect("the instruction is complete");
            crate::edit::apply(&mut after, edit).expect("the edit fits");
        }
        after.last_ids.clear();
        after
    };
    let mut expected = story();
    expected.characters[0].weakness = "怕黑".into();
    expected.characters[0].age = Some(30);
    assert_eq!(carried_out("把林深的弱点改成怕黑，年龄改成30"), expected);
    let mut expected = story();
    expected.characters[0].background.clear();
    assert_eq!(carried_out("删掉林深的背景"), expected);
    assert_eq!(carried_out("把林深改名为林远").characters[0].name, "林远");
    assert_eq!(carried_out("把世界观的年代改成1950").worldview.map(|world| world.era), Some("1950".into()));
    let after = carried_out("增加一个反派角色，叫沈夜，删掉苏曼");
    assert_eq!(
        after.characters.iter().map(|card| card.name.as_str()).collect::<Vec<_>>(),
        ["林深", "Ada Voss", "沈夜"]
    );
    let new = read("增加一个反派角色，叫沈夜", &story())[0].instruction(&after, "human-1").expect("it is there");
    assert_eq!(new.action, Action::Update, "what is there already is not made again");
    assert!(
        matches!(after.piece(PieceKind::Character, 2), Some(Piece::Character(card)) if card.role_type == RoleType::Antagonist)
    );
}

/// Pieces of requests, some of which take other lengths when they are folded.
const PIECES: [&str; 40] = [
    "把",
    "林深",
    "的",
    "弱点",
    "改成",
    "怕黑",
    "，",
    "。",
    "叫",
    "删掉",
    "增加",
    "一个",
    "反派",
    "Ａｄａ",
    "Ada Voss",
    "'s ",
    "’s",
    " named ",
    "add ",
    "change ",
    "remove ",
    "weakness",
    " to ",
    " of ",
    " and ",
    "her ",
    "“",
    "”",
    "\"",
    "：",
    ", ",
    "角色",
    "Ｘ角色",
    "岁",
    "三十",
    "是",
    "不要",
    " as ",
    "İ",
    "的名字",
];

proptest::proptest! {
    #[test]
    fn whatever_is_said_is_read(said in proptest::collection::vec(proptest::sample::select(&PIECES[..]), 0..14)) {
        let said = said.concat();
        for story in [story(), Story::default()] {
            for request in read(&said, &story) {
                let wish = request.check(&story, true, Language::En);
                proptest::prop_assert!(!wish.text.is_empty());
                request.instruction(&story, "human-1");
            }
        }
    }
}
