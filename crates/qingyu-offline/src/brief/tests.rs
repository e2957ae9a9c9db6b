use super::*;

fn said(text: &str, language: Language) -> RequirementPhrases {
    RequirementBrief::of(text, language).said
}

fn some(text: &str) -> Option<String> {
    Some(text.into())
}

#[test]
fn genres_are_combined_in_the_users_words() {
    let cases = [
        (
            "创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术",
            Language::Zh,
            "cyberpunk",
            "mystery",
            "赛博朋克·侦探",
        ),
        ("写一个民国上海的谍战故事", Language::Zh, "republic", "revenge", "民国·谍战"),
        ("废柴少年的修仙升级文", Language::Zh, "xianxia", "rise", "修仙·升级"),
        ("末世里的爱情", Language::Zh, "wasteland", "romance", "末世·爱情"),
        (
            "A locked-room mystery on a generation ship; the detective is the ship's gardener",
            Language::En,
            "space",
            "mystery",
            "generation ship locked-room mystery",
        ),
        ("A romance in a haunted lighthouse", Language::En, "village", "romance", "lighthouse romance"),
        ("A story about grief and forgiveness", Language::En, "campus", "growth", "school coming-of-age story"),
        ("一群老人偷回民国的戏台", Language::Zh, "republic", "heist", "民国·盗局"),
        ("A heist on a space station", Language::En, "space", "heist", "space station heist"),
    ];
    for (text, language, setting, shape, genre) in cases {
        let brief = RequirementBrief::of(text, language);
        assert_eq!((brief.setting.key.as_str(), brief.shape.key.as_str()), (setting, shape), "{text}");
        if brief.setting_word != brief.shape_word {
            assert_eq!(brief.genre(), genre, "{text}");
        }
    }
}

#[test]
fn a_requirement_about_nothing_known_gets_everyday_life() {
    let brief = RequirementBrief::of("……", Language::Zh);
    assert_eq!((brief.setting.key.as_str(), brief.shape.key.as_str()), ("city", "growth"));
    assert_eq!(brief.said, RequirementPhrases::default());
}

#[test]
fn the_protagonist_is_found_in_chinese() {
    let cases = [
        ("主角是私家侦探，擅长黑客技术", None, some("私家侦探"), some("黑客技术")),
        ("主角林默是一名外卖员，能够看见鬼魂", some("林默"), some("外卖员"), some("看见鬼魂的本事")),
        ("主角名叫沈鱼，是一个失忆的杀手", some("沈鱼"), some("失忆的杀手"), None),
        ("一个被逐出师门的铸剑师在江南寻找师父", None, some("被逐出师门的铸剑师"), None),
        ("一位退休刑警回到故乡调查女儿的失踪", None, some("退休刑警"), None),
        ("女主叫顾晚晴，精通医术", some("顾晚晴"), None, some("医术")),
        ("关于灯塔的童话", None, None, None),
        ("关于灯塔看守和一只猫的童话", None, some("灯塔看守"), None),
        ("废柴少年入仙门", None, some("废柴少年"), None),
        ("被裁员的女程序员创业开面馆", None, some("被裁员的女程序员"), None),
        ("克苏鲁风格，孤岛灯塔，守塔人日记", None, some("守塔人"), None),
    ];
    for (text, name, trade, skill) in cases {
        let found = said(text, Language::Zh);
        assert_eq!((found.hero_name, found.hero_trade, found.skill), (name, trade, skill), "{text}");
    }
}

#[test]
fn the_protagonist_is_found_in_english() {
    let cases = [
        ("the detective is the ship's gardener", None, some("ship's gardener")),
        ("A story about a retired safecracker who must steal one last diamond", None, some("retired safecracker")),
        (
            "A fantasy where a mapmaker's apprentice discovers a city that maps erase",
            None,
            some("mapmaker's apprentice"),
        ),
        ("a disgraced knight named Ysolde Vance hunts a dragon", some("Ysolde Vance"), some("disgraced knight")),
        ("An order of whispers in winter", None, None),
        ("a courier carries seeds across the salt flats", None, some("courier")),
    ];
    for (text, name, trade) in cases {
        let found = said(text, Language::En);
        assert_eq!((found.hero_name, found.hero_trade), (name, trade), "{text}");
    }
}

#[test]
fn the_other_lead_is_found() {
    let zh = said("女主是花艺师，男主是急诊医生", Language::Zh);
    assert_eq!((zh.hero_trade, zh.partner_trade, zh.female), (some("花艺师"), some("急诊医生"), Some(true)));
    let en = said("Romance where a penniless governess pretends to be engaged to a duke", Language::En);
    assert_eq!((en.hero_trade, en.partner_trade), (some("penniless governess"), some("duke")));
}

#[test]
fn a_theme_is_no_protagonist() {
    let cases = [
        ("写一个关于时间的故事", some("时间"), None),
        ("一个关于离别与重逢的短篇", some("离别与重逢"), None),
        ("关于友情的校园小说，十章", some("友情"), None),
        ("关于灯塔看守和一只猫的童话", None, some("灯塔看守")),
        ("一个关于少年寻找父亲的故事", None, some("少年")),
        ("三个好友守着一个秘密", None, None),
        ("A story about time", some("time"), None),
        ("a novella about grief and forgiveness, 6 chapters", some("grief and forgiveness"), None),
        ("A story about honor", some("honor"), None),
        ("A story about a retired safecracker who must steal", None, some("retired safecracker")),
        ("小说", None, None),
        ("a novel", None, None),
    ];
    for (text, theme, trade) in cases {
        let found = said(text, Language::of(text));
        assert_eq!((found.theme, found.hero_trade), (theme, trade), "{text}");
    }
}

#[test]
fn an_animal_is_told_from_its_company_and_its_skill() {
    let cases = [
        ("童话：一只会修钟的獾和它的朋友们", "会修钟的獾", some("修钟的本事")),
        ("一只迷路的狐狸与它的影子", "迷路的狐狸", None),
        ("一个会画画的男孩和他的狗", "会画画的男孩", some("画画的本事")),
    ];
    for (text, who, skill) in cases {
        let found = said(text, Language::Zh);
        assert_eq!((found.hero_trade, found.skill), (some(who), skill), "{text}");
    }
}

#[test]
fn a_name_stands_after_a_trade_and_something_happens() {
    let cases = [
        (
            "校园青春悬疑：高三学生周屿在旧教学楼发现一封十年前的信",
            some("周屿"),
            some("高三学生"),
            some("在旧教学楼发现一封十年前的信"),
        ),
        ("悬疑：女记者林晚收到一盘旧磁带", some("林晚"), some("女记者"), some("收到一盘旧磁带")),
        ("一名消防员陈立冬决定回乡", some("陈立冬"), some("消防员"), some("决定回乡")),
        ("一个学生周末发现校门关着", None, some("学生"), some("周末发现校门关着")),
        (
            "Campus mystery: high-school senior Mara Lin finds a ten-year-old letter",
            some("Mara Lin"),
            some("high-school senior"),
            some("finds a ten-year-old letter"),
        ),
        (
            "a retired pilot Odile Tran inherits a lighthouse, no ghosts",
            some("Odile Tran"),
            some("retired pilot"),
            some("inherits a lighthouse"),
        ),
    ];
    for (text, name, trade, event) in cases {
        let found = said(text, Language::of(text));
        assert_eq!((found.hero_name, found.hero_trade, found.event), (name, trade, event), "{text}");
    }
}

#[test]
fn both_leads_have_a_trade() {
    let cases = [
        ("A quiet romance between two rival beekeepers in a mountain village", "beekeeper", "beekeeper"),
        ("Romance between a doctor and a thief", "doctor", "thief"),
        ("Two exiled poets fall in love in wartime Prague", "exiled poet", "exiled poet"),
        ("Two feuding ghost hunters fall in love", "ghost hunter", "ghost hunter"),
        ("两个相互竞争的养蜂人之间的爱情", "养蜂人", "养蜂人"),
        ("一个医生和一个小偷的爱情故事", "医生", "小偷"),
        ("法医与钢琴师之间的爱情", "法医", "钢琴师"),
    ];
    for (text, hero, partner) in cases {
        let found = said(text, Language::of(text));
        assert_eq!((found.hero_trade, found.partner_trade), (some(hero), some(partner)), "{text}");
    }
}

#[test]
fn wishes_are_counted_and_listed() {
    let zh = said("写十二章的武侠小说，要有雪夜决斗、断桥，不要三角恋。在青石镇", Language::Zh);
    assert_eq!(zh.chapters, Some(12));
    assert_eq!(zh.musts, ["雪夜决斗", "断桥"]);
    assert_eq!(zh.avoid, ["三角恋"]);
    assert_eq!(zh.place, some("青石镇"));
    assert_eq!(said("写36章", Language::Zh).chapters, Some(36));
    assert_eq!(said("改写第三章", Language::Zh).chapters, None);
    let en = said("A twelve-chapter western set in Dry Gulch in 1881, must include a train and a duel", Language::En);
    assert_eq!(en.chapters, Some(12));
    assert_eq!(en.musts, ["a train", "a duel"]);
    assert_eq!(en.place, some("Dry Gulch"));
    assert_eq!(en.era, some("1881"));
}

#[test]
fn more_of_a_story_is_of_its_genre() {
    let story = |premise: &str, genre: &str| {
        let world = qingyu_story::Worldview { genre: genre.into(), ..Default::default() };
        Story { premise: premise.into(), worldview: Some(world), ..Story::default() }
    };
    for (premise, world, setting) in [
        ("写一个赛博朋克侦探故事", "", "cyberpunk"),
        ("写一个赛博朋克侦探故事", "民国·谍战", "cyberpunk"),
        ("一盏灯", "民国·谍战", "republic"),
        ("", "民国·谍战", "republic"),
        ("", "", "city"),
    ] {
        let brief = RequirementBrief::within(&story(premise, world), "再加三章", Language::Zh);
        assert_eq!(brief.setting.key, setting, "{premise} {world}");
    }
    let first = RequirementBrief::within(&story("再加三章", "民国·谍战"), "再加三章", Language::Zh);
    assert_eq!(first.setting.key, "city", "its own words are all that a new story has");
}

#[test]
fn a_length_is_planned_as_it_is_said() {
    for (text, language, chapters, words) in [
        ("三千字，一章，写一个灯塔看守人", Language::Zh, Some(1), Some(3_000)),
        ("写一个三千字的短篇", Language::Zh, Some(1), Some(3_000)),
        ("一部10万字的悬疑，二十章", Language::Zh, Some(20), Some(5_000)),
        ("三十万字的仙侠", Language::Zh, Some(100), Some(3_000)),
        ("十二章，每章2500字左右", Language::Zh, Some(12), Some(2_500)),
        ("两千五百字的童话", Language::Zh, Some(1), Some(2_500)),
        ("她写字很慢", Language::Zh, None, None),
        ("A story of 3,000 words in one chapter", Language::En, Some(1), Some(3_000)),
        ("A mystery of sixty thousand words", Language::En, Some(24), Some(2_500)),
        ("Ten chapters of 2000 words each", Language::En, Some(10), Some(2_000)),
        ("A man of few words", Language::En, None, None),
    ] {
        let found = said(text, language);
        assert_eq!((found.chapters, found.chapter_words), (chapters, words), "{text}");
    }
}
