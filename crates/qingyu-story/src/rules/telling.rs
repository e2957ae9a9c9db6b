//! Words changing the meaning of a text: the dead as the dead, revival, messages and instant travel.

use super::RuleMaterial;
use crate::language::has_any;
use crate::predicate::PredicateRole;
use crate::truth::{Entity, GroundTruth, PointId, TruthStatement};

/// Words for taking part as a body, or where the dead are mourned and remembered.
pub(super) const BURIAL: &[&str] = &[
    "尸", "遗体", "遗像", "遗嘱", "遗物", "遗骸", "骨灰", "灵堂", "灵前", "灵位", "牌位", "灵柩", "棺", "葬", "墓",
    "坟", "追悼", "祭奠", "祭拜", "祭祀", "忌日", "corpse", "body", "bodies", "remains", "funeral", "grave", "tomb",
    "coffin", "ashes", "memorial", "burial", "buried",
];

/// Words for taking part as a ghost, in a recording or another's mind, or for a mistaken identity.
pub(super) const APPARITIONS: &[&str] = &[
    "鬼魂",
    "厉鬼",
    "水鬼",
    "女鬼",
    "闹鬼",
    "变成鬼",
    "化作鬼",
    "亡灵",
    "幽灵",
    "亡魂",
    "魂魄",
    "残魂",
    "神魂",
    "英魂",
    "还魂",
    "招魂",
    "魂灵",
    "元神",
    "显灵",
    "投影",
    "录像",
    "录音",
    "全息",
    "幻影",
    "幻象",
    "幻觉",
    "冒充",
    "假扮",
    "扮作",
    "扮成",
    "易容",
    "替身",
    "化身",
    "转世",
    "ghost",
    "spirit",
    "wraith",
    "apparition",
    "hologram",
    "recording",
    "recorded",
    "vision",
    "illusion",
    "hallucination",
    "simulation",
    "portrait",
    "impostor",
    "imposter",
    "impersonates",
    "impersonating",
    "impersonated",
    "disguised",
    "undead",
    "double",
];

/// Words for arriving and staying somewhere as only the living do.
pub(super) const ALIVE: &[&str] = &[
    "走进",
    "走了进",
    "走了过",
    "走到",
    "走回",
    "走上",
    "来到",
    "来到了",
    "回到",
    "赶到",
    "赶回",
    "冲进",
    "跑进",
    "跑到",
    "推开",
    "推门",
    "站在",
    "坐在",
    "蹲在",
    "登上",
    "爬上",
    "踏进",
    "來到",
    "走進",
    "趕到",
    "趕回",
    "衝進",
    "跑進",
    "推開",
    "推門",
    "came",
    "went",
    "walked",
    "stepped",
    "entered",
    "returned",
    "ran",
    "hurried",
    "climbed",
    "stood",
    "sat",
    "waited",
    "knelt",
    "arrived",
];

/// Words for speaking and doing with hands and face what only the living do.
pub(super) const SPEAKING: &[&str] = &[
    "说",
    "开口",
    "问道",
    "问他",
    "问她",
    "答道",
    "回答",
    "喊",
    "骂",
    "笑着",
    "点头",
    "点了点头",
    "摇头",
    "摇了摇头",
    "起身",
    "站起",
    "坐起",
    "转身",
    "睁开眼",
    "交给",
    "递给",
    "拿出",
    "掏出",
    "拔出",
    "致辞",
    "致悼词",
    "发言",
    "說",
    "問道",
    "站起身",
    "轉身",
    "says",
    "said",
    "speaks",
    "spoke",
    "asks",
    "asked",
    "answers",
    "answered",
    "replies",
    "replied",
    "shouts",
    "shouted",
    "whispers",
    "whispered",
    "nods",
    "nodded",
    "smiles",
    "smiled",
    "laughs",
    "laughed",
    "rises",
    "rose",
    "sits",
    "hands",
    "handed",
    "gives",
    "gave",
    "takes",
    "took",
    "opens",
    "opened",
    "tells",
    "told",
];

/// Words for the past, told in a memory or a dream.
pub(super) const MEMORY: &[&str] = &[
    "回忆",
    "追忆",
    "忆起",
    "想起",
    "往事",
    "旧事",
    "倒叙",
    "插叙",
    "前传",
    "梦见",
    "梦里",
    "梦中",
    "当年",
    "那年",
    "生前",
    "日记",
    "遗书",
    "遗信",
    "flashback",
    "flashbacks",
    "memory",
    "memories",
    "remembers",
    "remembered",
    "recalls",
    "recalled",
    "dream",
    "dreams",
    "dreamt",
    "nightmare",
    "prequel",
    "years ago",
    "years earlier",
    "diary",
];

/// Words for revival, or for a feigned death.
pub(super) const RETURN: &[&str] = &[
    "复活",
    "死而复生",
    "起死回生",
    "还魂",
    "还阳",
    "重生",
    "转世",
    "夺舍",
    "借尸",
    "假死",
    "诈死",
    "没有死",
    "并未死",
    "resurrect",
    "resurrected",
    "resurrection",
    "revive",
    "revived",
    "reborn",
    "rebirth",
    "reincarnated",
    "reincarnation",
    "reanimated",
    "rise again",
    "rises again",
    "back from the dead",
    "return from death",
    "return from the dead",
    "returns from the dead",
    "come back to life",
    "comes back to life",
    "faked",
    "feigned",
];

/// Words for dying in progress; the state of being dead may be mentioned repeatedly.
const DYING: &[&str] = &[
    "咽了气",
    "咽气",
    "断气",
    "断了气",
    "气绝",
    "最后一口气",
    "杀死",
    "杀了",
    "杀害",
    "杀掉",
    "刺死",
    "毒死",
    "勒死",
    "打死",
    "枪杀",
    "砍死",
    "摔死",
    "淹死",
    "烧死",
    "吊死",
    "撞死",
    "射死",
    "射杀",
    "掐死",
    "战死",
    "阵亡",
    "毙命",
    "遇害",
    "自尽",
    "自缢",
    "自刎",
    "坠崖",
    "坠楼",
    "跳楼",
    "投河",
    "倒下",
    "倒在",
    "停止了呼吸",
    "没了呼吸",
    "殺死",
    "殺了",
    "斷氣",
    "嚥氣",
    "氣絕",
    "戰死",
    "陣亡",
    "killed",
    "murdered",
    "shot",
    "stabbed",
    "drowned",
    "hanged",
    "strangled",
    "poisoned",
    "breathed her last",
    "breathed his last",
    "fell dead",
    "dropped dead",
    "bled to death",
    "burned to death",
    "died in",
    "died at",
    "died of",
    "died on",
    "died that",
    "died this",
    "died with",
    "died by",
    "stopped breathing",
];

/// Words placing a death in the past.
const DEAD_BEFORE: &[&str] = &[
    "已", "早", "以前", "之前", "当年", "那年", "那时", "年前", "曾", "后来", "自从", "以来", "以后", "之后", "死后",
    "had", "has", "have", "since", "ago", "before", "after", "when", "once", "years", "earlier",
];

/// Returns whether the text describes a death in progress, not only a past death.
pub(super) fn tells_dying(text: &str) -> bool {
    let is_chinese = text.chars().any(crate::language::is_han);
    let holds = |words: &[&str]| {
        let lower: String = text.to_lowercase().chars().map(crate::language::simplified).collect();
        if is_chinese { words.iter().any(|word| lower.contains(word)) } else { has_any(text, words) }
    };
    holds(DYING) && !holds(DEAD_BEFORE)
}

/// Words of negation.
const NOT: &[&str] = &[
    "不能",
    "不可",
    "不得",
    "不会",
    "无法",
    "无人",
    "没有人",
    "没有谁",
    "绝无",
    "从无",
    "禁止",
    "难以",
    "never",
    "cannot",
    "can not",
    "no one",
    "nobody",
    "no man",
    "none",
    "not",
    "nothing",
    "impossible",
    "forbidden",
];

/// Words for instant travel, or travel far faster than usual.
pub(super) const LEAPS: &[&str] = &[
    "传送",
    "瞬移",
    "挪移",
    "缩地",
    "御剑",
    "飞剑",
    "飞舟",
    "虫洞",
    "跃迁",
    "穿越",
    "分身",
    "任意门",
    "teleport",
    "teleports",
    "teleported",
    "portal",
    "portals",
    "wormhole",
    "warp",
    "blink",
    "blinks",
    "flew",
    "flies",
    "flight",
];

/// Returns whether the text speaks of a body, a burial, a ghost, a recording or an impostor.
pub(super) fn speaks_of_remains(text: &str) -> bool {
    [BURIAL, APPARITIONS].into_iter().any(|words| has_any(text, words))
}

/// Returns whether revival exists in the story, by a rule of its world.
pub(super) fn the_dead_may_return(material: &RuleMaterial<'_>) -> bool {
    material.story.world_rules().iter().any(|rule| {
        let text = format!("{} {} {}", rule.name, rule.statement, rule.limit);
        has_any(&text, RETURN) && !has_any(&text, NOT)
    })
}

/// Returns whether a character may have been revived between the death at `death` and `late`, or never died.
///
/// A fact stating revival, a feigned death or survival suffices, unless certainly before the death or certainly after
/// `late`.
pub(super) fn may_be_back(truth: &GroundTruth<'_>, who: Entity, death: Option<PointId>, late: PointId) -> bool {
    let denied = truth.of_role_by(who, PredicateRole::Death).filter(|one| one.is_denied());
    let revived = truth.of_role_by(who, PredicateRole::Revival).filter(|one| !one.is_denied());
    let fits = |one: &&TruthStatement<'_>| {
        one.span.from.is_none_or(|from| {
            let is_before = death.is_some_and(|death| truth.timeline.is_before(from, death));
            !is_before && !truth.timeline.is_before(late, from)
        })
    };
    denied.chain(revived).any(|one| fits(&one))
}

/// Returns the narrated deaths, each with its time.
pub(super) fn deaths<'t, 's>(
    truth: &'t GroundTruth<'s>,
    who: Entity,
) -> impl Iterator<Item = (PointId, &'t TruthStatement<'s>)> {
    let died = truth.of_role_by(who, PredicateRole::Death).filter(|one| !one.is_denied());
    let killed = truth.of_role(who, PredicateRole::Killing).filter(|one| one.is_narrated() && !one.is_denied());
    died.chain(killed.filter(move |one| one.object == Some(who))).filter_map(|one| Some((one.span.from?, one)))
}
