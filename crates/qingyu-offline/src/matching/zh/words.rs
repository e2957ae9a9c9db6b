//! The word lists to parse Chinese questions and statements; all in simplified characters.

use crate::matching::answer::AnswerKind;

/// Question words, longer words before their prefixes; all in simplified characters.
#[rustfmt::skip]
pub(super) const ASKS: [(&str, AnswerKind); 66] = [
    ("的年纪有多大", AnswerKind::Age), ("的年龄有多大", AnswerKind::Age), ("的年龄是多少", AnswerKind::Age), ("的年纪是多少", AnswerKind::Age),
    ("年纪有多大", AnswerKind::Age), ("年纪多大", AnswerKind::Age), ("年龄多大", AnswerKind::Age), ("年龄是多少", AnswerKind::Age),
    ("今年多大", AnswerKind::Age), ("今年几岁", AnswerKind::Age), ("多大年纪", AnswerKind::Age), ("多大岁数", AnswerKind::Age),
    ("什么年纪", AnswerKind::Age), ("有多大", AnswerKind::Age), ("多少岁", AnswerKind::Age), ("多大", AnswerKind::Age),
    ("几岁", AnswerKind::Age), ("的名字叫什么", AnswerKind::Name), ("的名字是什么", AnswerKind::Name), ("叫什么名字", AnswerKind::Name),
    ("名叫什么", AnswerKind::Name), ("叫什么", AnswerKind::Name), ("叫啥", AnswerKind::Name), ("什么地方", AnswerKind::Place),
    ("哪个地方", AnswerKind::Place), ("哪里", AnswerKind::Place), ("哪儿", AnswerKind::Place), ("何处", AnswerKind::Place),
    ("什么时候", AnswerKind::Time), ("什么时间", AnswerKind::Time), ("什么日子", AnswerKind::Time), ("哪一年", AnswerKind::Time),
    ("哪一天", AnswerKind::Time), ("哪年", AnswerKind::Time), ("哪天", AnswerKind::Time), ("何时", AnswerKind::Time),
    ("几时", AnswerKind::Time), ("为什么", AnswerKind::Reason), ("为何", AnswerKind::Reason), ("为啥", AnswerKind::Reason),
    ("因何", AnswerKind::Reason), ("什么颜色", AnswerKind::Colour), ("什么东西", AnswerKind::Thing), ("什么人", AnswerKind::Person),
    ("哪个人", AnswerKind::Person), ("哪一位", AnswerKind::Person), ("哪位", AnswerKind::Person), ("何人", AnswerKind::Person),
    ("谁", AnswerKind::Person), ("多少", AnswerKind::Number), ("什么", AnswerKind::Thing), ("何物", AnswerKind::Thing),
    ("啥", AnswerKind::Thing),
    // Questions of manner or measure match no form.
    ("怎么样", AnswerKind::Truth), ("怎么", AnswerKind::Truth), ("怎样", AnswerKind::Truth), ("如何", AnswerKind::Truth),
    ("多高", AnswerKind::Truth), ("多远", AnswerKind::Truth), ("多长", AnswerKind::Truth), ("多重", AnswerKind::Truth),
    ("多深", AnswerKind::Truth), ("多久", AnswerKind::Truth), ("哪", AnswerKind::Truth), ("何以", AnswerKind::Truth),
    ("几", AnswerKind::Number),
];

/// Openings of a question outside its content.
#[rustfmt::skip]
pub(super) const POLITE: [&str; 9] = [
    "请问", "到底", "究竟", "文中", "书中", "书里", "小说里", "故事里", "那么",
];

/// Words without effect on the meaning of a statement; the longer first.
#[rustfmt::skip]
pub(super) const LIGHT: [&str; 38] = [
    "已经", "曾经", "一直", "竟然", "终于", "当年", "如今", "现在", "后来", "亲手", "独自", "早已", "早就", "一块", "一个", "一把", "一位", "一名", "一条",
    "一只", "一张", "一封", "那个", "那把", "那块", "这个", "的", "了", "着", "过", "就", "便", "又", "也", "已", "曾", "并", "竟",
];

/// Words allowed between the owner of a name and the name.
#[rustfmt::skip]
pub(super) const NAMES: [&str; 11] = [
    "名字叫", "名字是", "名叫", "名为", "叫做", "叫作", "唤作", "就是", "便是", "是", "叫",
];

/// Characters which negate a clause.
pub(super) const DENIALS: &str = "不没未无非别勿莫否";

/// Words which make a sentence uncertain.
#[rustfmt::skip]
pub(super) const DOUBTS: [&str; 39] = [
    "如果", "假如", "倘若", "要是", "若", "仿佛", "好像", "似乎", "也许", "或许", "可能", "大概", "恐怕", "据说", "听说", "传说", "传闻", "谣", "以为", "梦",
    "希望", "觉得", "猜", "怀疑", "说", "道", "问", "答", "装作", "假装", "冒充", "自称", "差点", "几乎", "险些", "本来", "打算", "谁", "什么",
];

/// Words allowed before the subject of a clause.
#[rustfmt::skip]
pub(super) const OPENERS: [&str; 24] = [
    "那时", "当时", "此时", "这时", "从此", "此后", "随后", "接着", "最后", "原来", "其实", "于是", "但", "但是", "可", "可是", "而", "而且", "因为", "由于",
    "所以", "从前", "早年", "小时候",
];

/// Final characters of a time.
pub(super) const TIMES: &str = "年月日天夜晚晨春夏秋冬时后前";

/// Words allowed after a statement in its clause.
#[rustfmt::skip]
pub(super) const CLOSERS: [&str; 14] = [
    "之后", "以后", "之前", "以前", "后", "时", "前", "来", "去", "给", "而", "离开", "回来", "回去",
];

/// Words for people named elsewhere.
#[rustfmt::skip]
pub(super) const PRONOUNS: [&str; 13] = [
    "他", "她", "它", "我", "你", "您", "咱", "自己", "有人", "大家", "人们", "别人", "那人",
];

pub(super) const DIGITS: &str = "0123456789〇零一二三四五六七八九十百千万两半";

/// Words with the beginning of a name but no name's end.
#[rustfmt::skip]
pub(super) const NO_NAMES: [&str; 11] = [
    "高声", "向来", "平时", "时间", "连忙", "温和", "黄昏", "石头", "马上", "江水", "雷声",
];

/// Words for people without a name.
#[rustfmt::skip]
pub(super) const PEOPLE: [&str; 52] = [
    "人", "者", "爷", "娘", "爹", "妈", "父", "母", "亲", "兄", "弟", "哥", "姐", "妹", "叔", "伯", "婶", "公", "婆", "夫", "妻", "儿", "孩",
    "童", "师", "徒", "匠", "兵", "官", "将军", "皇帝", "贼", "工", "生", "员", "长", "主", "客", "友", "邻居", "郎中", "掌柜", "老板", "小姐",
    "太太", "护士", "警察", "女子", "男子", "孩子", "妻子", "儿子",
];

/// Final characters of a place.
#[rustfmt::skip]
pub(super) const PLACES: [&str; 101] = [
    "街", "巷", "路", "城", "镇", "村", "乡", "县", "市", "省", "州", "府", "京", "山", "岭", "峰", "河", "江", "湖", "海", "港", "湾", "岛",
    "滩", "岸", "边", "内", "外", "下", "旁", "间", "处", "屋", "房", "院", "楼", "阁", "塔", "寺", "庙", "观", "堂", "店", "铺", "馆", "厂",
    "站", "桥", "渡口", "码头", "口", "门", "园", "林", "谷", "洞", "坡", "井", "国", "洲", "关", "营", "寨", "庄", "堡", "坊", "场", "仓库",
    "库", "舱", "船", "车", "家", "校", "北", "南", "东", "西", "头", "上", "里", "水中", "山中", "城中", "村中", "屋中", "林中", "院中", "家中",
    "船中", "海中", "江中", "河中", "湖中", "地窖", "阁楼", "柜", "箱", "抽屉", "床底", "墓",
];

/// Words with the end of a place which are no places.
#[rustfmt::skip]
pub(super) const NO_PLACES: [&str; 21] = [
    "心里", "梦里", "记忆里", "话里", "信里", "夜里", "手里", "眼里", "嘴里", "怀里", "晚上", "早上", "身上", "世上", "实际上", "年间", "期间", "时间", "之间",
    "之下", "以外",
];

/// Words directly before a place.
#[rustfmt::skip]
pub(super) const AT: [&str; 14] = [
    "在", "于", "到", "往", "向", "去", "至", "进", "回", "上", "从", "来", "抵达", "位于",
];
