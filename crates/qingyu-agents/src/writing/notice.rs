//! Messages of the writing about its own decisions, in the language of the book; the texts of both languages are kept
//! side by side here.

mod later;

use qingyu_story::settlement::{Reason, Rejected, WithdrawnPiece};
use qingyu_story::{Judge, Language};

use super::review::{ChapterFinding, DropReason};
use crate::labels;
use crate::levels::later::LaterProposal;
use crate::notice::{counted, plan_open};
use crate::writing::accepted::SettledCounts;
use crate::writing::trouble::TroubleCode;

/// A message of the writing.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum WritingNotice<'a> {
    PlanMissing {
        error: &'a str,
    },
    ToolFailed {
        tool: &'a str,
        error: &'a str,
    },
    /// A search server was not used for the passages; without a reason, its copy is not complete.
    SearchedHere {
        server: &'a str,
        reason: Option<&'a str>,
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
        why: DropReason,
    },
    FixesUnread {
        error: &'a str,
    },
    NothingMended {
        /// Whether there was a fix; without one the model gave none.
        given: bool,
    },
    Forced {
        score: u8,
        retries: u32,
    },
    /// The chapter is usable and is taken with open findings.
    TakenWithOpen {
        score: u8,
        findings: usize,
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
    /// A model read a long chapter and gave no statement.
    NothingTold {
        words: u32,
    },
    Rejected {
        rejected: &'a [Rejected],
    },
    /// The text no longer tells pieces of an earlier settlement.
    Withdrawn {
        pieces: &'a [WithdrawnPiece],
    },
    /// Findings outside of the rewritten part are left as they are.
    OutsidePart {
        titles: &'a [&'a str],
    },
    /// The chapter is accepted, and the rules find that it contradicts the story.
    Contradicts {
        findings: &'a [ChapterFinding],
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
    /// No answer says which later plans still hold.
    LaterUnread {
        error: &'a str,
    },
    /// The author has changed a node for which a change was accepted.
    PlanChanged {
        name: &'a str,
    },
    /// How far the book is planned, for chapters that are not.
    PlanOpen {
        summary: &'a str,
    },
    // Lines of reasoning.
    /// A step of the plan is saved.
    Planned {
        step: &'a str,
        items: usize,
    },
    /// The later plans are held against the text; `left` of them are too many for one look.
    LaterRead {
        proposed: &'a [&'a LaterProposal],
        left: usize,
        judge: Judge,
    },
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
        /// Findings that only the author can decide, which the check names.
        undecided: usize,
        /// Contradictions of the accepted chapters with the story.
        contradictions: usize,
    },
}

impl WritingNotice<'_> {
    /// Returns the notice as text.
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
            Self::SearchedHere { server, reason } => {
                let reason = reason.unwrap_or("上面的副本还没有填好");
                format!("检索服务器 {server} 这次没有用上（{reason}），由内置的检索代替")
            }
            Self::StillCut => "模型几次都没有写完，已截到最后一个完整的句子".into(),
            Self::TooShort { words, wanted } => format!("正文只有 {words} 字，计划 {wanted} 字"),
            Self::TooLong { words, wanted } => format!("正文有 {words} 字，计划 {wanted} 字"),
            Self::SeamsUnread { error } => format!("没有得到场景衔接的判断，衔接处未经模型检查：{error}"),
            Self::ReviewUnread { error } => format!("审核结果无法读取，不算通过：{error}"),
            Self::IssueDropped { title, why: DropReason::QuotesNothing } => {
                format!("已略过审核意见「{title}」：它引用的话不在本章里")
            }
            Self::IssueDropped { title, why: DropReason::PassedBefore } => {
                format!("已略过审核意见「{title}」：上次审核认为成立，此后没有改动")
            }
            Self::FixesUnread { error } => format!("没有得到可用的改法：{error}"),
            Self::NothingMended { given: true } => "给出的改法都用不上，正文没有改动".into(),
            Self::NothingMended { given: false } => "模型没有给出改法，正文没有改动".into(),
            Self::Forced { score, retries: 0 } => {
                format!("未通过审核（{score} 分），没有可以照着改的地方，按现稿收下，请作者过目")
            }
            Self::Forced { score, retries } => {
                format!("试改了 {retries} 轮仍未通过审核（{score} 分），按现稿收下，请作者过目")
            }
            Self::TakenWithOpen { score, findings } => {
                format!("未通过审核（{score} 分），还有 {findings} 处问题没有改掉；都不严重，按现稿收下，请作者过目")
            }
            Self::ForcedUnread => "本章没有得到可读的审核，按现稿收下，请作者过目".into(),
            Self::KeptBelowFloor => "本章没有达到最低要求，按作者的决定收下".into(),
            Self::MendsDropped { why } => format!("改动会使这一章低于最低要求，没有采用，原文保留：{why}"),
            Self::TalkTaken { taken } => format!("已去掉正文之外的文字：{taken}"),
            Self::TalkDoubted { words } => format!("「{words}」可能不是正文，没有去掉，请作者过目"),
            Self::ExtractionMissing { error } => format!("没有得到本章事实的提取结果，只按规则提取：{error}"),
            Self::NothingTold { words } => {
                format!(
                    "模型读了本章 {words} 字，一条人物、事件、事实或伏笔也没有提取出来，只有规则读出的入档；请作者过目"
                )
            }
            Self::Rejected { rejected } => {
                format!("提取结果没有全部采信：{}", reasons(rejected, Language::Zh).join("；"))
            }
            Self::Withdrawn { pieces } => {
                let lines = shown(pieces, |one| format!("{}（原句：{}）", one.label, one.quote.trim()));
                format!("正文不再讲到，从故事里撤下 {} 条：{}", pieces.len(), lines.join("；"))
            }
            Self::OutsidePart { titles } => {
                let lines = shown(titles, |title| (*title).to_owned());
                format!("改写范围之外还有 {} 处问题，没有改动：{}", titles.len(), lines.join("；"))
            }
            Self::Contradicts { findings } => {
                let lines = shown(findings, |finding| with_quote(finding, ["（“", "”）"]));
                format!("已采用，但有 {} 处与故事矛盾：{}", findings.len(), lines.join("；"))
            }
            Self::DraftKept { title } => {
                format!("《{title}》在写作期间被作者改过；没有覆盖作者的文字，新稿留作问题待作者决定")
            }
            Self::Simpler => "遇到问题，改用更简单的办法：不用工具，减少重试".into(),
            Self::LaterUnread { error } => format!("没有得到对后面计划的判断，后面的计划未经模型检查：{error}"),
            Self::PlanChanged { name } => format!("「{name}」已被作者改过或锁住，没有照提议改动"),
            Self::PlanOpen { summary } => plan_open(summary, Language::Zh),
            Self::Planned { step, items } => format!("{step}：新增 {items} 项"),
            Self::LaterRead { proposed, left, judge } => later::read(proposed, *left, *judge, Language::Zh),
            Self::ReadFirst { chapters } => format!("第 {} 章还没有模型读过当前文本，先通读", listed(chapters, "、")),
            Self::Trouble { code, message } => {
                let what = match code {
                    TroubleCode::NoOutline => "大纲里还没有章节，无法动笔。先生成大纲再写",
                    TroubleCode::UnknownChapter => "没有这一章，或者它还没有正文",
                    TroubleCode::NoLength => "没有说全书有多少章，或者大纲已经排完。规划时请说明排到第几章",
                    TroubleCode::UnknownArc => "全书没有这一幕",
                    TroubleCode::PlanStopped => "规划没有完成，已排好的都已保存",
                    TroubleCode::UnknownPart => "要改写的范围不在这一章里",
                    TroubleCode::CannotWrite => "这个模型不写正文。写作要用语言模型",
                    TroubleCode::Refused => "模型没有写出正文（拒绝，或者给出空白）",
                    TroubleCode::TooLong => "提示超出了模型的长度上限",
                    TroubleCode::NoReview => "没有得到可读的审核",
                    TroubleCode::CannotRead => "这个模型不通读正文。通读要用语言模型",
                    TroubleCode::BelowFloor => "本章没有达到最低要求，没有收下",
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
            Self::RunEnded { chapters, words, questions, undecided, contradictions } => {
                let done = format!("完成 {chapters} 章，共 {words} 字，{questions} 个问题待作者回答");
                let undecided = Some(undecided).filter(|count| **count > 0);
                let undecided = undecided.map(|count| format!("；待作者决定的 {count} 处，办法见检查结果"));
                let contradictions = Some(contradictions).filter(|count| **count > 0);
                let contradictions = contradictions.map(|count| format!("；与故事矛盾的 {count} 处"));
                done + &undecided.unwrap_or_default() + &contradictions.unwrap_or_default()
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
            Self::SearchedHere { server, reason } => {
                let reason = reason.unwrap_or("its copy is not complete");
                format!("the search server {server} was not used ({reason}); the embedded search answered")
            }
            Self::StillCut => "the model never came to an end; the text was cut after its last whole sentence".into(),
            Self::TooShort { words, wanted } => {
                format!("the text has only {} of {wanted}", counted(*words, "word", "words"))
            }
            Self::TooLong { words, wanted } => {
                format!("the text has {} instead of {wanted}", counted(*words, "word", "words"))
            }
            Self::SeamsUnread { error } => format!("no model judged where the scenes meet: {error}"),
            Self::ReviewUnread { error } => format!("the review cannot be read and does not pass: {error}"),
            Self::IssueDropped { title, why: DropReason::QuotesNothing } => {
                format!("left out an issue of the reviewer, \"{title}\": the chapter does not say what it quotes")
            }
            Self::IssueDropped { title, why: DropReason::PassedBefore } => {
                format!("left out an issue of the reviewer, \"{title}\": it held before and nothing has changed since")
            }
            Self::FixesUnread { error } => format!("there are no usable fixes: {error}"),
            Self::NothingMended { given: true } => "none of the fixes fitted; the text did not change".into(),
            Self::NothingMended { given: false } => "the model gave no fix; the text did not change".into(),
            Self::Forced { score, retries: 0 } => {
                format!("not passed (score {score}), and no place to mend; taken as it is, for the author to read")
            }
            Self::Forced { score, retries } => {
                let rounds = counted(*retries, "round", "rounds");
                format!(
                    "still not passed after {rounds} of mending (score {score}); taken as it is, for the author to read"
                )
            }
            Self::TakenWithOpen { score, findings } => format!(
                "not passed (score {score}): {}; nothing severe, so it is taken as it is, for the author to read",
                counted(*findings, "open finding", "open findings")
            ),
            Self::ForcedUnread => {
                "there is no readable review of this chapter; taken as it is, for the author to read".into()
            }
            Self::KeptBelowFloor => "the chapter is below the minimum and was kept by decision of the author".into(),
            Self::MendsDropped { why } => {
                format!("the changes would bring the chapter below the minimum and were dropped; its text stays: {why}")
            }
            Self::TalkTaken { taken } => format!("took off what is not prose: {taken}"),
            Self::TalkDoubted { words } => format!("\"{words}\" may not be prose; it stays, for the author to read"),
            Self::ExtractionMissing { error } => {
                format!("no model said what the chapter tells; only the rules did: {error}")
            }
            Self::NothingTold { words } => format!(
                "the model read the {words} words of this chapter and found no person, event, fact or promise; only what the rules found was kept; please check the chapter"
            ),
            Self::Rejected { rejected } => {
                format!("not all of the extraction was accepted: {}", reasons(rejected, Language::En).join("; "))
            }
            Self::Withdrawn { pieces } => {
                let lines = shown(pieces, |one| format!("{} (\"{}\")", one.label, one.quote.trim()));
                format!("no longer told by the text, taken out of the story ({}): {}", pieces.len(), lines.join("; "))
            }
            Self::OutsidePart { titles } => {
                let lines = shown(titles, |title| (*title).to_owned());
                let issues = counted(titles.len(), "issue", "issues");
                format!("{issues} outside the rewritten part left unchanged: {}", lines.join("; "))
            }
            Self::Contradicts { findings } => {
                let lines = shown(findings, |finding| with_quote(finding, [" (\"", "\")"]));
                let count = counted(findings.len(), "contradiction", "contradictions");
                format!("accepted, but {count} with the story: {}", lines.join("; "))
            }
            Self::DraftKept { title } => format!(
                "the author changed \"{title}\" while it was written; their text stays, and the draft is a question to them"
            ),
            Self::Simpler => "there was trouble; going on in a simpler way: no tools, fewer retries".into(),
            Self::LaterUnread { error } => {
                format!("no model said which later plans still hold; they are not checked: {error}")
            }
            Self::PlanChanged { name } => {
                format!("\"{name}\" was changed or locked meanwhile; the proposal was not applied")
            }
            Self::PlanOpen { summary } => plan_open(summary, Language::En),
            Self::Planned { step, items } => format!("{step}: {items} new"),
            Self::LaterRead { proposed, left, judge } => later::read(proposed, *left, *judge, Language::En),
            Self::ReadFirst { chapters } => {
                let (noun, pronoun) = if chapters.len() == 1 { ("chapter", "it") } else { ("chapters", "them") };
                let listed = listed(chapters, ", ");
                format!("no model has read the current text of {noun} {listed}; reading {pronoun} first")
            }
            Self::Trouble { code, message } => {
                let what = match code {
                    TroubleCode::NoOutline => "the outline has no chapters yet; make an outline first",
                    TroubleCode::UnknownChapter => "there is no such chapter, or it has no text yet",
                    TroubleCode::NoLength => {
                        "nothing says how many chapters the book has, or all of them are planned; say up to \
                         which chapter to plan"
                    }
                    TroubleCode::UnknownArc => "the book has no such arc",
                    TroubleCode::PlanStopped => "the plan is not complete; what is planned is saved",
                    TroubleCode::UnknownPart => "the part that is to be rewritten is not in the chapter",
                    TroubleCode::CannotWrite => "this model writes no prose; writing needs a language model",
                    TroubleCode::Refused => "the model wrote nothing: it refused, or its answer was empty",
                    TroubleCode::TooLong => "the prompt is longer than the model takes",
                    TroubleCode::NoReview => "there is no readable review",
                    TroubleCode::CannotRead => "this model does not read chapters; reading needs a language model",
                    TroubleCode::BelowFloor => "the chapter is below the minimum and was not accepted",
                };
                if message.is_empty() { what.to_owned() } else { format!("{what}: {message}") }
            }
            Self::AnswerLost { label, error } => {
                format!("what the author said to \"{label}\" could not be put into the story: {error}")
            }
            Self::Understood { scenes } => {
                format!("understood the chapter, in {}", counted(*scenes, "scene", "scenes"))
            }
            Self::Gathered { tokens, passages } => {
                let passages = counted(*passages, "passage was", "passages were");
                format!("the context card has about {tokens} tokens, {passages} found")
            }
            Self::Written { words } => format!("wrote {}", counted(*words, "word", "words")),
            Self::Reviewed { passed, score, findings } => {
                let passed = if *passed { "passed" } else { "did not pass" };
                format!("the review {passed}: score {score}, {}", counted(*findings, "finding", "findings"))
            }
            Self::Mended { fixed, refused } => format!(
                "mended {}, {} did not fit",
                counted(*fixed, "place", "places"),
                counted(*refused, "fix", "fixes")
            ),
            Self::Settled { counts } => format!(
                "settled: {}, {}, {}, {}, {}",
                counted(counts.cards, "card", "cards"),
                counted(counts.events, "event", "events"),
                counted(counts.facts, "fact", "facts"),
                counted(counts.promises, "promise", "promises"),
                counted(counts.questions, "question", "questions")
            ),
            Self::RunEnded { chapters, words, questions, undecided, contradictions } => {
                let done = format!(
                    "{} done, {}, {} to the author",
                    counted(*chapters, "chapter", "chapters"),
                    counted(*words, "word", "words"),
                    counted(*questions, "question", "questions")
                );
                let undecided = Some(undecided).filter(|count| **count > 0);
                let undecided =
                    undecided.map(|count| format!("; for the author to decide: {count} (see the findings)"));
                let contradictions = Some(*contradictions).filter(|count| *count > 0);
                let contradictions = contradictions
                    .map(|count| format!("; {} with the story", counted(count, "contradiction", "contradictions")));
                done + &undecided.unwrap_or_default() + &contradictions.unwrap_or_default()
            }
        }
    }
}

/// Maximum number of pieces or names listed in a message.
const LISTED: usize = 10;

/// Returns the first entries as text, with a mark for left out ones.
fn shown<T>(entries: &[T], text: impl Fn(&T) -> String) -> Vec<String> {
    let mut lines: Vec<String> = entries.iter().take(LISTED).map(text).collect();
    if entries.len() > LISTED {
        lines.push("…".into());
    }
    lines
}

/// Returns the title of a finding, with the words of the chapter between the marks.
fn with_quote(finding: &ChapterFinding, [open, close]: [&str; 2]) -> String {
    match finding.quote.trim() {
        "" => finding.title.clone(),
        quote => format!("{}{open}{quote}{close}", finding.title),
    }
}

/// Returns the reasons for rejected statements as text, one entry per reason.
fn reasons(rejected: &[Rejected], language: Language) -> Vec<String> {
    let count = |is: fn(&Reason) -> bool| rejected.iter().filter(|one| is(&one.reason)).count();
    let names = |of: fn(&Reason) -> Option<&str>| {
        let mut names: Vec<&str> = rejected.iter().filter_map(|one| of(&one.reason)).collect();
        names.sort_unstable();
        names.dedup();
        shown(&names, |name| (*name).to_owned()).join(labels::of(language).comma)
    };
    let unquoted = count(|reason| matches!(reason, Reason::NotInText));
    let empty = count(|reason| matches!(reason, Reason::Empty));
    let taken_out = count(|reason| matches!(reason, Reason::TakenOut));
    let unknown = count(|reason| matches!(reason, Reason::Unknown { .. }));
    let unknown_names = names(|reason| match reason {
        Reason::Unknown { name } => Some(name.as_str()),
        _ => None,
    });
    let left_out = count(|reason| matches!(reason, Reason::LeftOut { .. }));
    let left_out_names = names(|reason| match reason {
        Reason::LeftOut { name } => Some(name.as_str()),
        _ => None,
    });
    let mentioned = count(|reason| matches!(reason, Reason::OnlyMentioned { .. }));
    let mentioned_names = names(|reason| match reason {
        Reason::OnlyMentioned { name } => Some(name.as_str()),
        _ => None,
    });
    let of = |count: usize, one: &'static str, many: &'static str| if count == 1 { one } else { many };
    let entries = match language {
        Language::Zh => [
            (unquoted, format!("{unquoted} 条引用的话不在正文里")),
            (unknown, format!("{unknown} 条讲的是没有卡片的{unknown_names}")),
            (empty, format!("{empty} 条没有内容")),
            (taken_out, format!("{taken_out} 条作者已经删去")),
            (left_out, format!("{left_out} 处提到没有卡片的{left_out_names}，只略去名字")),
            (mentioned, format!("{mentioned} 处把已死、正文只是提到的{mentioned_names}算作在场，已略去")),
        ],
        Language::En => [
            (unquoted, format!("{unquoted} {} words that the chapter does not have", of(unquoted, "quotes", "quote"))),
            (
                unknown,
                format!(
                    "{unknown} {} about somebody or something without a card: {unknown_names}",
                    of(unknown, "is", "are")
                ),
            ),
            (empty, format!("{empty} {} nothing", of(empty, "says", "say"))),
            (taken_out, format!("{taken_out} {} taken out by the author", of(taken_out, "was", "were"))),
            (
                left_out,
                format!(
                    "{left_out} {} somebody or something without a card, left out: {left_out_names}",
                    of(left_out, "names", "name")
                ),
            ),
            (
                mentioned,
                format!(
                    "{mentioned} {} the dead as present, left out: {mentioned_names}",
                    of(mentioned, "counts", "count")
                ),
            ),
        ],
    };
    entries.into_iter().filter(|(count, _)| *count > 0).map(|(_, text)| text).collect()
}

fn listed(chapters: &[u32], comma: &str) -> String {
    chapters.iter().map(u32::to_string).collect::<Vec<_>>().join(comma)
}

#[cfg(test)]
mod tests {
    use qingyu_story::PieceKind;
    use qingyu_story::settlement::Told;

    use super::*;

    #[test]
    fn every_rejected_statement_has_its_own_reason() {
        let told =
            Told { kind: PieceKind::Fact, label: "路引 填写日期".into(), quote: String::new(), confidence: 0.9 };
        let rejected = |reason| Rejected { told: told.clone(), reason };
        let all = [
            rejected(Reason::NotInText),
            rejected(Reason::Unknown { name: "路引".into() }),
            rejected(Reason::LeftOut { name: "老王".into() }),
        ];
        let text = |language| WritingNotice::Rejected { rejected: &all }.text(language);
        assert_eq!(
            text(Language::Zh),
            "提取结果没有全部采信：1 条引用的话不在正文里；1 条讲的是没有卡片的路引；1 处提到没有卡片的老王，只略去名字"
        );
        for told in ["1 quotes words", "1 is about", "1 names somebody", "without a card: 路引"] {
            assert!(text(Language::En).contains(told), "{}", text(Language::En));
        }
    }

    #[test]
    fn what_is_withdrawn_is_shown_with_its_sentence() {
        let piece = WithdrawnPiece {
            kind: PieceKind::Fact,
            id: "f-1".into(),
            label: "钱知县 交出 路引".into(),
            quote: "把路引双手递给她".into(),
        };
        let text = WritingNotice::Withdrawn { pieces: &[piece] }.text(Language::Zh);
        assert_eq!(text, "正文不再讲到，从故事里撤下 1 条：钱知县 交出 路引（原句：把路引双手递给她）");
    }

    #[test]
    fn chapters_that_are_read_first_are_named() {
        let text = |chapters: &[u32]| WritingNotice::ReadFirst { chapters }.text(Language::En);
        assert_eq!(text(&[3]), "no model has read the current text of chapter 3; reading it first");
        assert_eq!(text(&[1, 3]), "no model has read the current text of chapters 1, 3; reading them first");
    }

    #[test]
    fn english_messages_agree_with_a_count_of_one() {
        let counts = SettledCounts { cards: 1, events: 1, facts: 1, promises: 1, questions: 1, rejected: 1 };
        let proposal = later::tests::proposal("第三幕", None);
        let notices = [
            WritingNotice::TooShort { words: 1, wanted: 9 },
            WritingNotice::Forced { score: 1, retries: 1 },
            WritingNotice::TakenWithOpen { score: 9, findings: 1 },
            WritingNotice::OutsidePart { titles: &["x"] },
            WritingNotice::Contradicts { findings: &[ChapterFinding::default()] },
            WritingNotice::LaterRead { proposed: &[&proposal], left: 1, judge: Judge::Model },
            WritingNotice::Understood { scenes: 1 },
            WritingNotice::Gathered { tokens: 9, passages: 1 },
            WritingNotice::Written { words: 1 },
            WritingNotice::Reviewed { passed: true, score: 9, findings: 1 },
            WritingNotice::Mended { fixed: 1, refused: 1 },
            WritingNotice::Settled { counts },
            WritingNotice::RunEnded { chapters: 1, words: 1, questions: 1, undecided: 1, contradictions: 1 },
        ];
        for notice in notices {
            let text = notice.text(Language::En);
            let mut plural = text.split("1 ").skip(1).filter_map(|rest| rest.split([' ', ',']).next());
            assert_eq!(plural.find(|word| word.ends_with('s') && *word != "was"), None, "{text}");
        }
    }
}
