//! What the writing says about its own decisions, in the language of the book; both languages stand side by side here.

use qingyu_story::Language;

use super::fix::Refusal;
use super::review::Dropped;
use super::state::{SettledCounts, TroubleCode};

/// One thing the writing says about itself.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Notice<'a> {
    PlanMissing {
        error: &'a str,
    },
    ToolFailed {
        tool: &'a str,
        error: &'a str,
    },
    StillCut,
    TooShort {
        words: u32,
        wanted: u32,
    },
    TooLong {
        words: u32,
        wanted: u32,
    },
    SeamsUnread {
        error: &'a str,
    },
    ReviewUnread {
        error: &'a str,
    },
    IssueDropped {
        title: &'a str,
        why: Dropped,
    },
    FixesUnread {
        error: &'a str,
    },
    NothingMended,
    Forced {
        score: u8,
        retries: u32,
    },
    ForcedUnread,
    KeptBelowFloor,
    MendsDropped {
        why: &'a str,
    },
    TalkTaken {
        taken: &'a str,
    },
    TalkDoubted {
        words: &'a str,
    },
    ExtractionMissing {
        error: &'a str,
    },
    Rejected {
        count: usize,
    },
    DraftKept {
        title: &'a str,
    },
    Simpler,
    /// Chapters are read before the work on them begins.
    ReadFirst {
        chapters: &'a [u32],
    },
    Trouble {
        code: TroubleCode,
        message: &'a str,
    },
    AnswerLost {
        label: &'a str,
        error: &'a str,
    },
    // Lines of reasoning.
    Understood {
        scenes: usize,
    },
    Gathered {
        tokens: u64,
        passages: usize,
    },
    Written {
        words: u32,
    },
    Reviewed {
        passed: bool,
        score: u8,
        findings: usize,
    },
    Mended {
        fixed: usize,
        refused: usize,
    },
    Settled {
        counts: SettledCounts,
    },
    RunEnded {
        chapters: usize,
        words: u32,
        questions: usize,
    },
}

impl Notice<'_> {
    /// The notice in words.
    pub(crate) fn text(&self, language: Language) -> String {
        match language {
            Language::Zh => self.chinese(),
            Language::En => self.english(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Self::PlanMissing { error } => format!("没有得到可用的章节计划，改按大纲来写：{error}"),
            Self::ToolFailed { tool, error } => format!("工具 {tool} 没有给出结果，本章在没有它的情况下继续：{error}"),
            Self::StillCut => "模型几次都没有写完，已截到最后一个完整的句子".into(),
            Self::TooShort { words, wanted } => format!("正文只有 {words} 字，计划 {wanted} 字"),
            Self::TooLong { words, wanted } => format!("正文有 {words} 字，计划 {wanted} 字"),
            Self::SeamsUnread { error } => format!("没有得到场景衔接的判断，衔接处未经模型检查：{error}"),
            Self::ReviewUnread { error } => format!("审核结果无法读取，不算通过：{error}"),
            Self::IssueDropped { title, why: Dropped::QuotesNothing } => {
                format!("已略过审核意见「{title}」：它引用的话不在本章里")
            }
            Self::IssueDropped { title, why: Dropped::PassedBefore } => {
                format!("已略过审核意见「{title}」：上次审核认为成立，此后没有改动")
            }
            Self::FixesUnread { error } => format!("没有得到可用的改法：{error}"),
            Self::NothingMended => "给出的改法都用不上，正文没有改动".into(),
            Self::Forced { score, retries: 0 } => {
                format!("未通过审核（{score} 分），没有可以照着改的地方，按现稿收下，请作者过目")
            }
            Self::Forced { score, retries } => {
                format!("试改了 {retries} 轮仍未通过审核（{score} 分），按现稿收下，请作者过目")
            }
            Self::ForcedUnread => "本章没有得到可读的审核，按现稿收下，请作者过目".into(),
            Self::KeptBelowFloor => "本章没有达到底线，按作者的决定收下".into(),
            Self::MendsDropped { why } => format!("改动会使这一章低于底线，没有采用，原文保留：{why}"),
            Self::TalkTaken { taken } => format!("已去掉正文之外的文字：{taken}"),
            Self::TalkDoubted { words } => format!("「{words}」可能不是正文，没有去掉，请作者过目"),
            Self::ExtractionMissing { error } => format!("没有得到本章事实的提取结果，只按规则提取：{error}"),
            Self::Rejected { count } => format!("提取结果中有 {count} 条在正文里找不到依据，没有采信"),
            Self::DraftKept { title } => {
                format!("《{title}》在写作期间被作者改过；没有覆盖作者的文字，新稿留作问题待作者决定")
            }
            Self::Simpler => "遇到问题，改用更简单的办法：不用工具，减少重试".into(),
            Self::ReadFirst { chapters } => format!("第 {} 章还没有模型读过当前文本，先通读", listed(chapters, "、")),
            Self::Trouble { code, message } => {
                let what = match code {
                    TroubleCode::NoOutline => "大纲里还没有章节，无法动笔。先生成大纲再写",
                    TroubleCode::UnknownChapter => "没有这一章，或者它还没有正文",
                    TroubleCode::UnknownPart => "要改写的范围不在这一章里",
                    TroubleCode::CannotWrite => "这个模型不写正文。写作要用语言模型",
                    TroubleCode::Refused => "模型没有写出正文（拒绝，或者给出空白）",
                    TroubleCode::TooLong => "提示超出了模型的长度上限",
                    TroubleCode::NoReview => "没有得到可读的审核",
                    TroubleCode::CannotRead => "这个模型不通读正文。通读要用语言模型",
                    TroubleCode::BelowFloor => "本章没有达到底线，没有收下",
                };
                if message.is_empty() { what.to_owned() } else { format!("{what}：{message}") }
            }
            Self::AnswerLost { label, error } => format!("作者对「{label}」的答复未能写入：{error}"),
            Self::Understood { scenes } => format!("读懂了本章，分 {scenes} 个场景"),
            Self::Gathered { tokens, passages } => format!("资料卡约 {tokens} tokens，找到 {passages} 段前文"),
            Self::Written { words } => format!("写出正文 {words} 字"),
            Self::Reviewed { passed, score, findings } => {
                let passed = if *passed { "通过" } else { "不通过" };
                format!("审核{passed}：{score} 分，{findings} 处问题")
            }
            Self::Mended { fixed, refused } => format!("改了 {fixed} 处，{refused} 处改法不合用"),
            Self::Settled { counts } => format!(
                "入档：人物与设定 {}，事件 {}，事实 {}，伏笔 {}，待作者确认 {}",
                counts.cards, counts.events, counts.facts, counts.promises, counts.questions
            ),
            Self::RunEnded { chapters, words, questions } => {
                format!("完成 {chapters} 章，共 {words} 字，{questions} 个问题待作者回答")
            }
        }
    }

    fn english(&self) -> String {
        match self {
            Self::PlanMissing { error } => {
                format!("there is no usable plan for the chapter, it is written from the outline: {error}")
            }
            Self::ToolFailed { tool, error } => {
                format!("the tool {tool} gave no answer; the chapter goes on without it: {error}")
            }
            Self::StillCut => "the model never came to an end; the text was cut after its last whole sentence".into(),
            Self::TooShort { words, wanted } => format!("the text has only {words} words of {wanted}"),
            Self::TooLong { words, wanted } => format!("the text has {words} words instead of {wanted}"),
            Self::SeamsUnread { error } => format!("no model judged where the scenes meet: {error}"),
            Self::ReviewUnread { error } => format!("the review cannot be read and does not pass: {error}"),
            Self::IssueDropped { title, why: Dropped::QuotesNothing } => {
                format!("left out an issue of the reviewer, \"{title}\": the chapter does not say what it quotes")
            }
            Self::IssueDropped { title, why: Dropped::PassedBefore } => {
                format!("left out an issue of the reviewer, \"{title}\": it held before and nothing has changed since")
            }
            Self::FixesUnread { error } => format!("there are no usable fixes: {error}"),
            Self::NothingMended => "none of the fixes fitted; the text did not change".into(),
            Self::Forced { score, retries: 0 } => {
                format!("not passed (score {score}), and no place to mend; taken as it is, for the author to read")
            }
            Self::Forced { score, retries } => {
                let rounds = if *retries == 1 { "round" } else { "rounds" };
                format!(
                    "still not passed after {retries} {rounds} of mending (score {score}); taken as it is, for the author to read"
                )
            }
            Self::ForcedUnread => {
                "there is no readable review of this chapter; taken as it is, for the author to read".into()
            }
            Self::KeptBelowFloor => "the chapter is below the floor and was kept by decision of the author".into(),
            Self::MendsDropped { why } => {
                format!("the changes would bring the chapter below the floor and were dropped; its text stays: {why}")
            }
            Self::TalkTaken { taken } => format!("took off what is not prose: {taken}"),
            Self::TalkDoubted { words } => format!("\"{words}\" may not be prose; it stays, for the author to read"),
            Self::ExtractionMissing { error } => {
                format!("no model said what the chapter tells; only the rules did: {error}")
            }
            Self::Rejected { count } => format!("{count} statements of the extraction have no ground in the chapter"),
            Self::DraftKept { title } => format!(
                "the author changed \"{title}\" while it was written; their text stays, and the draft is a question to them"
            ),
            Self::Simpler => "there was trouble; going on in a simpler way: no tools, fewer retries".into(),
            Self::ReadFirst { chapters } => {
                format!("no model has read the current text of {}; reading it first", listed(chapters, ", "))
            }
            Self::Trouble { code, message } => {
                let what = match code {
                    TroubleCode::NoOutline => "the outline has no chapters yet; make an outline first",
                    TroubleCode::UnknownChapter => "there is no such chapter, or it has no text yet",
                    TroubleCode::UnknownPart => "the part that is to be rewritten is not in the chapter",
                    TroubleCode::CannotWrite => "this model writes no prose; writing needs a language model",
                    TroubleCode::Refused => "the model wrote nothing: it refused, or its answer was empty",
                    TroubleCode::TooLong => "the prompt is longer than the model takes",
                    TroubleCode::NoReview => "there is no readable review",
                    TroubleCode::CannotRead => "this model does not read chapters; reading needs a language model",
                    TroubleCode::BelowFloor => "the chapter is below the floor and was not accepted",
                };
                if message.is_empty() { what.to_owned() } else { format!("{what}: {message}") }
            }
            Self::AnswerLost { label, error } => {
                format!("what the author said to \"{label}\" could not be put into the story: {error}")
            }
            Self::Understood { scenes } => format!("understood the chapter, in {scenes} scenes"),
            Self::Gathered { tokens, passages } => {
                format!("the context card has about {tokens} tokens, {passages} passages were found")
            }
            Self::Written { words } => format!("wrote {words} words"),
            Self::Reviewed { passed, score, findings } => {
                let passed = if *passed { "passed" } else { "did not pass" };
                format!("the review {passed}: score {score}, {findings} findings")
            }
            Self::Mended { fixed, refused } => format!("mended {fixed} places, {refused} fixes did not fit"),
            Self::Settled { counts } => format!(
                "settled: {} cards, {} events, {} facts, {} promises, {} questions",
                counts.cards, counts.events, counts.facts, counts.promises, counts.questions
            ),
            Self::RunEnded { chapters, words, questions } => {
                format!("{chapters} chapters done, {words} words, {questions} questions to the author")
            }
        }
    }
}

/// Why a fix was not made, for the model that gave it.
pub(crate) fn refusal(find: &str, why: Refusal, language: Language) -> String {
    let find: String = find.chars().take(80).collect();
    match language {
        Language::Zh => {
            let why = match why {
                Refusal::NoIssue => "没有这个编号的问题",
                Refusal::NotThere => "正文里没有这些字",
                Refusal::SeveralPlaces => "这些字在正文里不止一处，要多抄几个字",
                Refusal::Elsewhere => "不在这个问题引用的句子，也不在它的前后一句",
                Refusal::OutOfPart => "不在可以改动的范围里",
                Refusal::Overlaps => "和另一处改动重叠",
                Refusal::NoChange => "什么也没有改",
                Refusal::TooLong => "换上去的文字太长",
            };
            format!("「{find}」：{why}")
        }
        Language::En => {
            let why = match why {
                Refusal::NoIssue => "there is no point of that number",
                Refusal::NotThere => "the chapter does not have these words",
                Refusal::SeveralPlaces => "these words stand in several places; copy a few more",
                Refusal::Elsewhere => "neither the sentence that the point quotes nor one beside it",
                Refusal::OutOfPart => "outside of what may be changed",
                Refusal::Overlaps => "overlaps another change",
                Refusal::NoChange => "changes nothing",
                Refusal::TooLong => "puts far too much there",
            };
            format!("\"{find}\": {why}")
        }
    }
}

/// What is said of a fix that was made without mending its issue.
pub(crate) fn still_there(title: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("「{title}」改过以后仍然存在"),
        Language::En => format!("\"{title}\" is still there after the change"),
    }
}

fn listed(chapters: &[u32], comma: &str) -> String {
    chapters.iter().map(u32::to_string).collect::<Vec<_>>().join(comma)
}
