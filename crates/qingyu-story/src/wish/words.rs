//! The request vocabulary in both languages.

use crate::piece::PieceKind;

/// The fields of a kind, each with the matching words.
type FieldWords = &'static [(&'static str, &'static [&'static str])];

/// Returns the words for the fields of pieces of `kind`, longer words first within a field.
#[rustfmt::skip]
pub(super) fn fields(kind: PieceKind) -> FieldWords {
    match kind {
        PieceKind::Character => &[
            ("weakness", &["弱点", "软肋", "短处", "缺点", "weakness", "weak point", "flaw"]),
            ("age", &["年龄", "年纪", "岁数", "age"]),
            ("birth", &["出生日期", "出生年份", "出生", "生日", "生年", "birth date", "date of birth", "birthday", "year of birth", "birth year", "birth"]),
            ("death", &["去世日期", "死亡日期", "卒年", "date of death", "death"]),
            ("occupation", &["职业", "身份", "工作", "行当", "occupation", "profession", "job", "trade"]),
            ("personality", &["性格", "个性", "脾气", "personality", "temperament", "temper"]),
            ("background", &["背景故事", "背景", "身世", "出身", "来历", "经历", "background", "backstory", "history"]),
            ("goals", &["目标", "目的", "愿望", "追求", "动机", "goals", "goal", "motivation", "motive", "want"]),
            ("conflicts", &["冲突", "矛盾", "conflicts", "conflict"]),
            ("arc", &["人物弧光", "人物弧线", "成长弧线", "弧光", "弧线", "成长线", "character arc", "arc"]),
            ("traits", &["性格特点", "特点", "特征", "特质", "traits", "trait"]),
            ("alias", &["别名", "外号", "绰号", "昵称", "小名", "aliases", "alias", "nickname"]),
            ("role_type", &["角色类型", "角色定位", "定位", "角色", "role"]),
            ("name", &["名字", "姓名", "名称", "name"]),
        ],
        PieceKind::OutlineNode => &[
            ("description", &["内容", "梗概", "情节", "简介", "描述", "description", "summary", "content"]),
            ("goal", &["目的", "目标", "任务", "goal", "purpose"]),
            ("location", &["地点", "场景", "location", "place", "setting"]),
            ("words", &["字数", "word count", "words", "length"]),
            ("participants", &["出场人物", "登场人物", "人物", "participants", "cast"]),
            ("name", &["标题", "题目", "名字", "名称", "章名", "title", "name"]),
        ],
        PieceKind::Event => &[
            ("description", &["内容", "经过", "描述", "description", "summary"]),
            ("timestamp", &["时间", "日期", "timestamp", "time", "date"]),
            ("duration", &["时长", "duration"]),
            ("location", &["地点", "location", "place"]),
            ("importance", &["重要性", "重要程度", "importance"]),
            ("participants", &["参与者", "人物", "participants"]),
            ("title", &["标题", "名字", "名称", "title", "name"]),
        ],
        PieceKind::PlotNode => &[
            ("description", &["内容", "描述", "description", "summary"]),
            ("title", &["标题", "名字", "名称", "title", "name"]),
        ],
        PieceKind::Location | PieceKind::Organisation => &[
            ("description", &["描述", "介绍", "样子", "外观", "简介", "description"]),
            ("alias", &["别名", "别称", "aliases", "alias"]),
            ("name", &["名字", "名称", "name"]),
        ],
        PieceKind::Item => &[
            ("description", &["描述", "介绍", "样子", "外观", "作用", "description"]),
            ("holder", &["持有者", "持有人", "主人", "holder", "owner", "keeper"]),
            ("alias", &["别名", "别称", "aliases", "alias"]),
            ("name", &["名字", "名称", "name"]),
        ],
        PieceKind::WorldRule => &[
            ("statement", &["内容", "表述", "statement"]),
            ("limit", &["代价", "限制", "limit", "cost", "price"]),
            ("name", &["名字", "名称", "name"]),
        ],
        PieceKind::Ladder => &[
            ("description", &["描述", "介绍", "description"]),
            ("alias", &["别名", "别称", "aliases", "alias"]),
            ("name", &["名字", "名称", "name"]),
        ],
        PieceKind::Worldview => &[
            ("era", &["年代", "时代", "朝代", "era", "period", "time"]),
            ("genre", &["题材", "类型", "体裁", "genre"]),
            ("summary", &["概述", "简介", "摘要", "summary"]),
        ],
        PieceKind::Style => &[
            ("point_of_view", &["叙述视角", "叙事视角", "视角", "人称", "point of view", "pov", "viewpoint"]),
            ("tone", &["语气", "基调", "调子", "tone"]),
            ("rhythm", &["节奏", "rhythm", "pace"]),
            ("tense", &["时态", "tense"]),
            ("dialogue", &["对话", "对白", "dialogue"]),
        ],
        PieceKind::Relation | PieceKind::Document | PieceKind::Fact | PieceKind::Promise => &[],
    }
}

/// Words for the pieces with a single instance.
pub(super) const SINGLES: [(PieceKind, &[&str]); 2] = [
    (
        PieceKind::Worldview,
        &["世界观", "世界", "故事", "小说", "全书", "worldview", "world", "story", "setting", "novel", "book"],
    ),
    (PieceKind::Style, &["文风", "风格", "叙事", "叙述", "writing style", "style", "narration"]),
];

/// Words for kinds of pieces which can be added or named with a name. A longer word precedes its suffixes.
#[rustfmt::skip]
pub(super) const CLASSES: [(PieceKind, &[&str]); 7] = [
    (PieceKind::Location, &["地点", "地方", "场所", "城市", "小镇", "村子", "村庄", "location", "place", "town", "city", "village", "island", "tavern", "inn"]),
    (PieceKind::Organisation, &["组织", "势力", "帮派", "门派", "宗门", "机构", "公司", "organisation", "organization", "faction", "guild", "gang", "company"]),
    (PieceKind::Item, &["物件", "物品", "道具", "宝物", "法器", "item", "object", "artifact", "artefact", "thing"]),
    (PieceKind::WorldRule, &["世界规则", "规则", "world rule", "rule"]),
    (PieceKind::Event, &["事件", "event"]),
    (PieceKind::OutlineNode, &["章节", "一章", "chapter"]),
    (PieceKind::Character, &["角色", "人物", "主角", "主人公", "配角", "反派", "反面", "对手", "character", "person", "protagonist", "hero", "heroine", "villain", "antagonist", "sidekick", "supporting character", "man", "woman", "girl", "boy"]),
];

/// Character roles with their words. A longer word precedes its suffixes.
#[rustfmt::skip]
pub(super) const ROLES: [(&str, &[&str]); 4] = [
    ("protagonist", &["主角", "主人公", "protagonist", "heroine", "hero", "main character", "lead"]),
    ("antagonist", &["反派", "反面", "大反派", "boss", "对手", "antagonist", "villain", "nemesis"]),
    ("minor", &["龙套", "路人", "次要角色", "小角色", "minor character", "minor"]),
    ("supporting", &["配角", "supporting character", "supporting", "sidekick"]),
];

/// Phrases which are merely polite or ask to leave everything else unchanged; no wish.
#[rustfmt::skip]
pub(super) const COURTESIES: [&str; 26] = [
    "其他不变", "其余不变", "其它不变", "别的不变", "其他都不变", "其余都不变", "其他不要动", "其他不要改", "其余不要动", "别的不要动", "别的都别动", "其他别动",
    "其他保持不变", "其余保持不变", "其他的不变", "其他的都不要动", "谢谢", "多谢", "拜托了", "thanks", "thank you", "please", "keep everything else",
    "keep the rest", "leave everything else", "leave the rest",
];

/// Words requesting additions.
#[rustfmt::skip]
pub(super) const ADDITIONS: [&str; 25] = [
    "增加", "添加", "新增", "加入", "加上", "加一", "加两", "加三", "再加", "加几", "续写", "接着写", "补充", "再写", "多写", "引入", "add ", "continue",
    "extend", "introduce", "more ", "another", "new ", "insert", "sequel",
];

/// Words for everything in the story.
#[rustfmt::skip]
pub(super) const WHOLES: [&str; 14] = [
    "整体", "整个", "全书", "全文", "通篇", "所有", "全部", "每个", "overall", "whole", "entire", "throughout", "everything", "everyone",
];

/// Words which negate a request.
#[rustfmt::skip]
pub(super) const NEGATIONS: [&str; 17] = [
    "不要", "不能", "不必", "不用", "无需", "不准", "不许", "不得", "别把", "别给", "别让", "禁止", "don't", "do not", "never ", "must not", "without ",
];
