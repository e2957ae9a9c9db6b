//! Messages of the research, in the language of the work; the texts of both languages are kept side by side here.

use qingyu_story::Language;

use crate::notice::counted;

/// A message of the research.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ResearchNotice<'a> {
    NoEngine,
    OnlyOwn,
    PlanUnread { error: &'a str },
    SearchFailed { query: &'a str, code: &'a str },
    NothingRead,
    WriteUnread { error: &'a str },
    MarksTaken { count: usize },
    Spoken { sentence: &'a str },
    SpokenTo { title: &'a str, count: usize },
    Recommended,
    Ordered,
    Refused { count: usize },
    ByRules,
}

impl ResearchNotice<'_> {
    /// Returns the notice as text.
    pub(super) fn text(self, language: Language) -> String {
        match language {
            Language::Zh => self.chinese(),
            Language::En => self.english(),
        }
    }

    fn chinese(self) -> String {
        match self {
            Self::NoEngine => "没有设置搜索引擎，没有查任何网页；这里没有结论，也没有来源。".into(),
            Self::OnlyOwn => "没有设置搜索引擎，只查了项目自己的资料。".into(),
            Self::PlanUnread { error } => format!("没有得到可用的搜索词（{error}），直接用问题里的话搜索。"),
            Self::SearchFailed { query, code } => {
                format!("搜索“{query}”没有成功：{}（{code}）。", reason(code, Language::Zh))
            }
            Self::NothingRead => "没有一个网页能读出与问题有关的内容；这里没有结论，也没有来源。".into(),
            Self::WriteUnread { error } => format!("没有得到可用的综述（{error}），报告由摘记按规则列出。"),
            Self::MarksTaken { count } => format!("去掉了 {count} 处指向没有读过的来源的编号。"),
            Self::Spoken { sentence } => format!("〔对模型说的话，不是资料：{sentence}〕"),
            Self::SpokenTo { title, count } => format!("网页“{title}”有 {count} 句对模型说的话，没有采用。"),
            Self::Recommended => "项目不推荐产品".into(),
            Self::Ordered => "这是对模型说的话".into(),
            Self::Refused { count } => format!("有 {count} 条说法不合项目的限制，没有采用。"),
            Self::ByRules => "以下由规则从网页摘记中列出：".into(),
        }
    }

    fn english(self) -> String {
        match self {
            Self::NoEngine => {
                "no search engine is set, so no page was looked at; there are no findings and no sources".into()
            }
            Self::OnlyOwn => "no search engine is set, so only the project's own documents were read".into(),
            Self::PlanUnread { error } => {
                format!("no usable queries were given ({error}); the words of the question are searched for")
            }
            Self::SearchFailed { query, code } => {
                format!("the search for \"{query}\" failed: {} ({code})", reason(code, Language::En))
            }
            Self::NothingRead => {
                "no page could be read that says anything about it; there are no findings and no sources".into()
            }
            Self::WriteUnread { error } => {
                format!("no usable synthesis was given ({error}); the report lists the notes by rules")
            }
            Self::MarksTaken { count } => {
                let numbers = counted(count, "number was", "numbers were");
                format!("{numbers} taken out, without a source that was read")
            }
            Self::Spoken { sentence } => format!("〔words to a model, no material: {sentence}〕"),
            Self::SpokenTo { title, count } => {
                let sentences = counted(count, "sentence", "sentences");
                format!("not used, because it speaks to a model: {sentences} of the page \"{title}\"")
            }
            Self::Recommended => "the project recommends no products".into(),
            Self::Ordered => "it speaks to a model".into(),
            Self::Refused { count } => {
                let claims = counted(count, "claim", "claims");
                format!("not used, against the constraints of the project: {claims}")
            }
            Self::ByRules => "Listed by rules from notes of the pages:".into(),
        }
    }
}

/// Reasons by error code: Chinese, English.
const REASONS: [(&str, &str, &str); 20] = [
    ("bad_url", "地址不能读取", "the address cannot be read"),
    ("private_address", "地址通向内部网络，不读取", "the address leads into a private network and is not read"),
    ("robots", "网站不允许程序读取", "the site does not want it read by programs"),
    ("too_large", "网页太大", "the page is too large"),
    ("unsupported_type", "不是能读的文件类型", "it is of a type that is not read"),
    ("garbled", "内容是乱码", "what it holds is garbled"),
    ("empty", "没有文字", "it has no text"),
    ("http_status", "服务器拒绝，或没有这个网页", "the server refused, or has no such page"),
    ("too_many_redirects", "跳转次数太多", "it redirects too often"),
    ("dns", "找不到这个网站", "the site's name has no address"),
    ("timeout", "太久没有回应", "there was no answer in time"),
    ("unreachable", "连不上", "it cannot be reached"),
    ("rate_limited", "对方要求少问一些", "fewer requests are wanted"),
    ("bad_answer", "对方的回答看不懂", "the answer cannot be understood"),
    ("key", "密钥被拒绝", "the key was refused"),
    ("settings", "设置不能用", "a setting cannot be used"),
    ("duplicate", "与另一个来源是同一页", "it is the same page as another source"),
    ("over_limit", "超出来源数量上限，没有读", "it is beyond the limit of sources and was not read"),
    ("no_notes", "读了，但没有与问题有关的内容", "it was read and says nothing about the question"),
    ("other", "没有读成", "it could not be read"),
];

/// Returns the reason for the error code as text.
pub(super) fn reason(code: &str, language: Language) -> String {
    let row = REASONS.iter().find(|(known, _, _)| *known == code).unwrap_or(&REASONS[REASONS.len() - 1]);
    match language {
        Language::Zh => row.1.into(),
        Language::En => row.2.into(),
    }
}
