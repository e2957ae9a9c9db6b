//! Messages of a production, in the language of the work; the texts of both languages are kept side by side here.

use qingyu_production::sizes::{AskedSize, LONGEST, MOST_ENTRIES, SizeKind};
use qingyu_production::{Error, Intent};
use qingyu_story::Language;

use super::cost::FieldCost;
use crate::notice::counted;

/// A message of a production.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ProductionNotice<'a> {
    // Messages to the user while the run waits.
    PhaseDone { title: &'a str, made: usize },
    PhaseHasGaps { title: &'a str, failed: &'a [(String, String)] },
    PhaseHasNothing { title: &'a str },
    AllDone,
    Made { titles: &'a [String], stale: &'a [String] },
    NotMade { failed: &'a [(String, String)] },
    NothingToMake,
    NothingStale,
    ReportsStale { titles: &'a [String] },
    FieldsConfirmed { titles: &'a [String], empty: &'a [String] },
    NothingToConfirm,
    WhichField,
    WhichOf { options: &'a [Intent] },
    NotPossible { error: &'a Error },
    NothingToRead,
    Autonomy { waiting: usize, alone: usize },
    Revisited { title: &'a str },
    InterviewFailed { error: &'a str },
    ChatFailed { error: &'a str },
    Overview { rows: &'a [(String, String, String)] },
    NoValue { title: &'a str },
    // Warnings about fallbacks.
    RouteUnread { error: &'a str },
    TheirsKept { title: &'a str },
    MadeFromNothing { title: &'a str },
    Unchanged,
    StillCut { title: &'a str },
    MarksTaken { title: &'a str, count: usize },
    Uncited { title: &'a str },
    TooShort { title: &'a str, length: usize, least: usize },
    NotTheVoice { title: &'a str, words: &'a str, instead: Option<&'a str> },
    // Lines of reasoning.
    Entered { title: &'a str },
    Took { intent: Intent, why: &'a str },
    Understood { intent: Intent, titles: &'a [String], instruction: &'a str },
    AgreeTo { intent: Intent, titles: &'a [String], instruction: &'a str },
    Updating { titles: &'a [String], reports: &'a [String], cost: &'a FieldCost },
    AgreeToUpdate { titles: &'a [String], reports: &'a [String], cost: &'a FieldCost },
    Sized { sizes: &'a [AskedSize] },
    SizeRefused { words: &'a str },
    Confirmed { title: &'a str },
}

impl ProductionNotice<'_> {
    /// Returns the notice as text.
    pub(super) fn text(&self, language: Language) -> String {
        match language {
            Language::Zh => self.chinese(),
            Language::En => self.english(),
        }
    }

    fn chinese(&self) -> String {
        match self {
            Self::PhaseDone { title, made } => {
                format!("「{title}」阶段完成，共 {made} 项。看过之后说“继续”进入下一阶段，或者告诉我哪里要改。")
            }
            Self::PhaseHasGaps { title, failed } => format!(
                "「{title}」阶段还有 {} 项没有做出来：\n{}\n可以说“重新生成”再试，自己填写，或者说“继续”先往下走。",
                failed.len(),
                list(failed, "：")
            ),
            Self::PhaseHasNothing { title } => format!("「{title}」阶段没有要做的内容。说“继续”进入下一阶段。"),
            Self::AllDone => "所有阶段都完成了。可以导出，也可以继续修改任何一项。".into(),
            Self::Made { titles, stale: [] } => format!("已完成：{}。", titles.join("、")),
            Self::Made { titles, stale } => format!(
                "已完成：{}。\n因此过期的有 {} 项：{}。说“更新过期内容”只重做这些。",
                titles.join("、"),
                stale.len(),
                stale.join("、")
            ),
            Self::NotMade { failed } => format!("没有做出来：\n{}", list(failed, "：")),
            Self::NothingToMake => "这个阶段没有空缺的内容。要重做哪一项？用 @ 指出它。".into(),
            Self::NothingStale => "没有过期的内容。".into(),
            Self::ReportsStale { titles } => {
                format!("过期的只有报告：{}。要重做，请说明做哪一项，比如“重新评估”。", titles.join("、"))
            }
            Self::FieldsConfirmed { titles, empty } => {
                format!("已确认：{}。{}", titles.join("、"), of(empty, "还是空的，没有确认的：", "、"))
            }
            Self::NothingToConfirm => "这里没有待确认的内容。用 @ 指出要确认的项，比如“确认 @intent/report”。".into(),
            Self::WhichField => "要改哪一项？用 @ 指出它，比如 @intent/report。".into(),
            Self::WhichOf { options } => {
                let options: Vec<&str> = options.iter().map(|intent| chinese(*intent)).collect();
                format!("没有听准，您是想{}？", options.join("，还是"))
            }
            Self::NotPossible { error } => format!("做不到：{}", chinese_error(error)),
            Self::NothingToRead => "做不到：还没有可以读的内容。".into(),
            Self::Autonomy { waiting, alone } => format!("好的：{waiting} 个阶段等您确认，{alone} 个阶段自动往下走。"),
            Self::Revisited { title } => format!("回到「{title}」。"),
            Self::InterviewFailed { error } => format!(
                "提问时没有得到可用的回答（{error}）。请直接补充：给谁看、解决什么问题、有什么限制；说“生成”就开始。"
            ),
            Self::ChatFailed { error } => format!("没有得到可用的回答：{error}"),
            Self::Overview { rows } => table(rows),
            Self::NoValue { title } => format!("「{title}」还是空的。"),
            Self::RouteUnread { error } => format!("没有得到对这句话的判断，改按词句来判断：{error}"),
            Self::TheirsKept { title } => format!("「{title}」在生成期间被改过，保留了改过的内容，没有覆盖"),
            Self::MadeFromNothing { title } => format!("它要依据的「{title}」没有做出来"),
            Self::Unchanged => "给出的内容和原来一样，没有改动".into(),
            Self::StillCut { title } => format!("「{title}」没有写完就到了长度上限，请过目"),
            Self::MarksTaken { title, count } => format!("「{title}」去掉了 {count} 处指向没有给出的来源的编号"),
            Self::Uncited { title } => format!("「{title}」有相关的调研结论，却没有引用任何来源"),
            Self::TooShort { title, length, least } => format!("「{title}」只有 {length} 字，要求至少 {least} 字"),
            Self::NotTheVoice { title, words, instead: None } => format!("「{title}」里有不许说的“{words}”"),
            Self::NotTheVoice { title, words, instead: Some(term) } => {
                format!("「{title}」里的“{words}”按用词表应写作“{term}”")
            }
            Self::Entered { title } => format!("进入「{title}」"),
            Self::Took { intent, why } => format!("理解为{}：{why}", chinese(*intent)),
            Self::Understood { intent, titles, instruction } => {
                format!("我的理解：{}", understood_zh(*intent, titles, instruction))
            }
            Self::AgreeTo { intent, titles, instruction } => format!(
                "我的理解：{}。
说“好”就开始做，或者换个说法告诉我。",
                understood_zh(*intent, titles, instruction)
            ),
            Self::Updating { titles, reports, cost } => updating_zh(titles, reports, cost),
            Self::AgreeToUpdate { titles, reports, cost } => {
                format!("{}\n说“好”就开始做，或者换个说法告诉我。", updating_zh(titles, reports, cost))
            }
            Self::Sized { sizes } => {
                let size = |size: &AskedSize| match size.kind {
                    SizeKind::Entries(_) => format!("{} {} 项", size.title, range(size, " 到 ")),
                    SizeKind::Length => format!("{} {} 字", size.title, range(size, " 到 ")),
                };
                format!("按您的要求：{}。", sizes.iter().map(size).collect::<Vec<_>>().join("；"))
            }
            Self::SizeRefused { words } => {
                let words = words.trim();
                format!(
                    "“{words}”超出了能做的范围（一组至多 {MOST_ENTRIES} 项，一篇至多 {LONGEST} 字），仍按模板的规模"
                )
            }
            Self::Confirmed { title } => format!("「{title}」已确认"),
        }
    }

    fn english(&self) -> String {
        match self {
            Self::PhaseDone { title, made } => format!(
                "\"{title}\" is done: {}. Say \"go on\" for the next phase, or tell me what to change.",
                count(*made, "field", "fields")
            ),
            Self::PhaseHasGaps { title, failed } => format!(
                "\"{title}\" has {} without a value:\n{}\nSay \"try again\", fill in yourself, or say \"go on\" anyway.",
                count(failed.len(), "field", "fields"),
                list(failed, ": ")
            ),
            Self::PhaseHasNothing { title } => {
                format!("There is nothing to make in \"{title}\". Say \"go on\" for the next phase.")
            }
            Self::AllDone => "All phases are done. Export it, or go on changing anything.".into(),
            Self::Made { titles, stale: [] } => format!("Done: {}.", titles.join(", ")),
            Self::Made { titles, stale } => format!(
                "Done: {}.\nStale because of it: {}. Say \"update what is stale\" to make only these anew.",
                titles.join(", "),
                stale.join(", ")
            ),
            Self::NotMade { failed } => format!("Not made:\n{}", list(failed, ": ")),
            Self::NothingToMake => {
                "Nothing is empty in this phase. Which field shall I make anew? Name it with @.".into()
            }
            Self::NothingStale => "Nothing is stale.".into(),
            Self::ReportsStale { titles } => {
                format!(
                    "Only reports are stale: {}. Name the one to do again, such as \"evaluate again\".",
                    titles.join(", ")
                )
            }
            Self::FieldsConfirmed { titles, empty } => {
                format!("Confirmed: {}.{}", titles.join(", "), of(empty, " Empty, so not confirmed: ", ", "))
            }
            Self::NothingToConfirm => {
                "There is no draft to confirm here. Name the field with @, such as \"confirm @intent/report\".".into()
            }
            Self::WhichField => "Which field shall I change? Name it with @, such as @intent/report.".into(),
            Self::WhichOf { options } => {
                let options: Vec<&str> = options.iter().map(|intent| english(*intent)).collect();
                format!("I am not sure: do you want {}?", options.join(", or "))
            }
            Self::NotPossible { error } => format!("That cannot be done: {error}."),
            Self::NothingToRead => "That cannot be done: there is nothing to read yet.".into(),
            Self::Autonomy { waiting, alone } => {
                format!("Now {waiting} of the phases wait for you, {alone} go on alone.")
            }
            Self::Revisited { title } => format!("Back at \"{title}\"."),
            Self::InterviewFailed { error } => format!(
                "I got no usable question ({error}). Tell me yourself: for whom, which problem, which limits; \
                 say \"go ahead\" to begin."
            ),
            Self::ChatFailed { error } => format!("There was no usable answer: {error}"),
            Self::Overview { rows } => table(rows),
            Self::NoValue { title } => format!("\"{title}\" is empty."),
            Self::RouteUnread { error } => format!("what was said could not be judged, so words alone decide: {error}"),
            Self::TheirsKept { title } => {
                format!(
                    "\"{title}\" was changed while it was being made; what was changed stays, nothing is overwritten"
                )
            }
            Self::MadeFromNothing { title } => format!("\"{title}\", which it is made from, has no value"),
            Self::Unchanged => "what was given is as it was; nothing has changed".into(),
            Self::StillCut { title } => {
                format!("\"{title}\" reached the length limit before its end; please look at it")
            }
            Self::MarksTaken { title, count } => {
                let numbers = counted(*count, "number was", "numbers were");
                format!("{numbers} taken out of \"{title}\", without a source that it was given")
            }
            Self::Uncited { title } => format!("\"{title}\" cites no source, though research findings concern it"),
            Self::TooShort { title, length, least } => {
                format!("\"{title}\" has {length} words; at least {least} are wanted")
            }
            Self::NotTheVoice { title, words, instead: None } => {
                format!("\"{title}\" contains \"{words}\", which must not be said")
            }
            Self::NotTheVoice { title, words, instead: Some(term) } => {
                format!("\"{title}\" says \"{words}\"; the glossary has \"{term}\" for it")
            }
            Self::Entered { title } => format!("\"{title}\" begins"),
            Self::Took { intent, why } => format!("taken as {}: {why}", english(*intent)),
            Self::Understood { intent, titles, instruction } => {
                format!("understood as {}", understood_en(*intent, titles, instruction))
            }
            Self::AgreeTo { intent, titles, instruction } => format!(
                "I understand: you want {}.
Say \"yes\" to have it done, or say it differently.",
                understood_en(*intent, titles, instruction)
            ),
            Self::Updating { titles, reports, cost } => updating_en(titles, reports, cost),
            Self::AgreeToUpdate { titles, reports, cost } => {
                format!("{}\nSay \"yes\" to have it done, or say it differently.", updating_en(titles, reports, cost))
            }
            Self::Sized { sizes } => {
                let size = |size: &AskedSize| match size.kind {
                    SizeKind::Entries(_) => format!("{}: {}", size.title, entries(size)),
                    SizeKind::Length => format!("{}: {} words", size.title, range(size, " to ")),
                };
                format!("As requested: {}.", sizes.iter().map(size).collect::<Vec<_>>().join("; "))
            }
            Self::SizeRefused { words } => format!(
                "\"{}\" is more than can be made (at most {MOST_ENTRIES} entries, and {LONGEST} words a text); \
                 the sizes of the template stay",
                words.trim()
            ),
            Self::Confirmed { title } => format!("\"{title}\" is confirmed"),
        }
    }
}

fn chinese(intent: Intent) -> &'static str {
    match intent {
        Intent::AdvancePhase => "进入下一阶段",
        Intent::Research => "调研",
        Intent::Generate => "生成内容",
        Intent::Modify => "修改已有内容",
        Intent::Confirm => "确认已有内容",
        Intent::Update => "更新过期内容",
        Intent::Query => "查看已有内容",
        Intent::Chat => "随便聊聊",
    }
}

fn english(intent: Intent) -> &'static str {
    match intent {
        Intent::AdvancePhase => "the next phase",
        Intent::Research => "research",
        Intent::Generate => "something made",
        Intent::Modify => "something changed",
        Intent::Confirm => "something confirmed",
        Intent::Update => "stale fields updated",
        Intent::Query => "to see what is there",
        Intent::Chat => "to talk",
    }
}

fn chinese_error(error: &Error) -> String {
    match error {
        Error::UnknownField { path, near } if near.is_empty() => format!("没有「{path}」这一项"),
        Error::UnknownField { path, near } => format!("没有「{path}」这一项，相近的有 {}", near.join("、")),
        Error::UnknownPhase { name, known } => format!("没有「{name}」这个阶段，有 {}", known.join("、")),
        Error::NoProduction => "这个项目没有阶段和字段".into(),
        Error::Misfit { path, problems } => format!("「{path}」的值不合要求：{}", problems.join("；")),
        Error::Pattern { path } => format!("「{path}」代表一组内容，本身没有值"),
        Error::Empty { path } => format!("「{path}」还是空的，无法确认"),
        other => other.to_string(),
    }
}

fn understood_zh(intent: Intent, titles: &[String], instruction: &str) -> String {
    format!("{}{}{}", chinese(intent), of(titles, "：", "、"), of_words(instruction, "；", "“", "”"))
}

fn understood_en(intent: Intent, titles: &[String], instruction: &str) -> String {
    format!("{}{}{}", english(intent), of(titles, ": ", ", "), of_words(instruction, "; ", "\"", "\""))
}

fn updating_zh(titles: &[String], reports: &[String], cost: &FieldCost) -> String {
    let also = of(reports, "另有过期的报告不在其内：", "、");
    let end = if also.is_empty() { "" } else { "。" };
    let cost = cost.text(Language::Zh);
    format!("按依赖的先后重做 {} 项：{}（{cost}）。{also}{end}", titles.len(), titles.join("、"))
}

fn updating_en(titles: &[String], reports: &[String], cost: &FieldCost) -> String {
    let also = of(reports, " Stale reports are not among them: ", ", ");
    let end = if also.is_empty() { "" } else { "." };
    let (number, cost) = (count(titles.len(), "field", "fields"), cost.text(Language::En));
    format!("Updating {number}, in order of dependency: {} ({cost}).{also}{end}", titles.join(", "))
}

/// Returns a number of entries in English.
fn entries(size: &AskedSize) -> String {
    let noun = if (size.least, size.most) == (1, 1) { "entry" } else { "entries" };
    format!("{} {noun}", range(size, " to "))
}

/// Returns a size as one number, or as a range.
fn range(size: &AskedSize, to: &str) -> String {
    match size.least == size.most {
        true => size.most.to_string(),
        false => format!("{}{to}{}", size.least, size.most),
    }
}

fn of(titles: &[String], before: &str, between: &str) -> String {
    if titles.is_empty() { String::new() } else { format!("{before}{}", titles.join(between)) }
}

fn of_words(words: &str, before: &str, open: &str, close: &str) -> String {
    if words.trim().is_empty() { String::new() } else { format!("{before}{open}{}{close}", words.trim()) }
}

fn list(rows: &[(String, String)], colon: &str) -> String {
    rows.iter().map(|(title, why)| format!("- {title}{colon}{why}")).collect::<Vec<_>>().join("\n")
}

fn table(rows: &[(String, String, String)]) -> String {
    rows.iter().map(|(path, title, status)| format!("- @{path}  {title}  [{status}]")).collect::<Vec<_>>().join("\n")
}

fn count(number: usize, one: &str, many: &str) -> String {
    if number == 1 { format!("1 {one}") } else { format!("{number} {many}") }
}
