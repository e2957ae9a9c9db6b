//! The model: dispatch by purpose, and streaming.

use futures::future::{BoxFuture, FutureExt};
use futures::stream::{self, StreamExt};
use qingyu_agents::context::WorkContext;
use qingyu_agents::plan::RequirementKind;
use qingyu_llm::{ChatEvent, ChatModel, ChatRequest, Error, EventStream, Reply, Usage};
use qingyu_story::Language;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::{
    assistant, chapter, character, consumer, correct, directions, judge, levels, outline, planner, plot, production,
    research, review, service, style, worldview,
};

/// The model name in provenance, prices and settings.
pub const NAME: &str = "offline-rules-1";

/// Number of characters per streamed piece.
const PIECE: usize = 8;

/// Returns the offline model: it answers planning, structuring and computable review from [`ChatRequest::context`], and
/// refuses all other requests.
pub fn model() -> impl ChatModel {
    OfflineModel
}

#[derive(Debug)]
struct OfflineModel;

impl ChatModel for OfflineModel {
    fn name(&self) -> &str {
        NAME
    }

    fn stream<'a>(&'a self, request: &'a ChatRequest) -> BoxFuture<'a, Result<EventStream, Error>> {
        let answer = answer(request).map(in_pieces);
        async move { answer }.boxed()
    }
}

fn refuse(request: &ChatRequest) -> Error {
    let hint = hint(request);
    Error::Unsupported { model: NAME.into(), purpose: request.purpose.clone(), hint: hint.into() }
}

/// Returns the refusal, with a hint how to connect a capable model.
fn hint(request: &ChatRequest) -> &'static str {
    match language_of(request).unwrap_or_default() {
        Language::Zh => {
            "离线助手只按规则做规划、设定、大纲、人物、情节骨架和算得出来的审核；写正文、对话和文学评判要用语言模型。\
             连接办法：设置一个服务商的密钥（如 DEEPSEEK_API_KEY），或启动本机的 Ollama、llama.cpp、LM Studio，\
             再用 `qingyu doctor` 检查。"
        }
        Language::En => {
            "the offline model plans, builds worlds, outlines, casts and plots by rules, and reviews what can be \
             computed; prose, dialogue and literary judgement need a language model. To connect one, set a \
             provider's key (such as DEEPSEEK_API_KEY) or start Ollama, llama.cpp or LM Studio on this machine, \
             then check with `qingyu doctor`."
        }
    }
}

fn answer(request: &ChatRequest) -> Result<String, Error> {
    let context = &request.context;
    let Some((agent, act)) = request.purpose.split_once('.') else { return Err(refuse(request)) };
    match (agent, act) {
        ("directions", "propose") => Ok(text(&directions::make(&read(request)?))),
        ("plan", "create") => Ok(text(&planner::make(&read(request)?))),
        ("assistant", "understand") => Ok(text(&assistant::understand())),
        ("assistant", "answer") => Ok(text(&assistant::answer(&read(request)?))),
        ("assistant", "rerank") => Ok(text(&assistant::rerank(&read(request)?))),
        ("outline", "book") => Ok(text(&levels::book(&read(request)?))),
        ("outline", "arcs") => Ok(text(&levels::arcs(&read(request)?))),
        ("outline", "chapters") => Ok(text(&levels::chapters(&read(request)?))),
        ("outline", "later") => Ok(text(&levels::later())),
        ("chapter", "understand") => Ok(text(&chapter::plan(&read(request)?))),
        ("orchestrator", "split") => Ok(text(&service::split(&read(request)?))),
        ("data_analysis", "phrase") => Ok(text(&service::phrase(&read(request)?))),
        ("analysis", "judge") => Ok(text(&service::judge(&read(request)?))),
        ("text_review", "judge") => Ok(text(&service::doubt())),
        ("consumer", "read") => Ok(text(&consumer::read(&read(request)?))),
        ("consumer", "personas") => Ok(text(&consumer::personas(&read(request)?))),
        ("judge", "score") => Ok(text(&judge::score(&read(request)?))),
        ("research", "plan") => Ok(text(&research::plan(&read(request)?))),
        ("research", "note") => Ok(text(&research::note(&read(request)?))),
        ("research", "write") => Ok(text(&research::write(&read(request)?))),
        ("review", "judge") => Ok(text(&review::judge(&read(request)?))),
        ("production", "interview") => Ok(production::interview::ask(&read(request)?)),
        ("production", "route") => Ok(text(&production::route::route(&read(request)?))),
        ("production", "make") => Ok(production::make::make(&read(request)?)),
        ("production", "chat") => Ok(production::chat::answer(&read(request)?, hint(request))),
        (_, "generate" | "regenerate") if context.is_object() => made(agent, request),
        (_, "correct") if context.is_object() => corrected(agent, request),
        _ => Err(refuse(request)),
    }
}

fn made(agent: &str, request: &ChatRequest) -> Result<String, Error> {
    let is_change =
        |work: &WorkContext| work.analysis.kind == RequirementKind::Modification && !work.instructions.is_empty();
    if request.purpose.ends_with(".generate") && read(request).is_ok_and(|work| is_change(&work)) {
        return corrected(agent, request);
    }
    match agent {
        "worldview" => Ok(text(&worldview::make(&read(request)?))),
        "outline" => Ok(text(&outline::make(&read(request)?))),
        "character" => Ok(text(&character::make(&read(request)?))),
        "plot" => Ok(text(&plot::make(&read(request)?))),
        "style" => Ok(text(&style::make(&read(request)?))),
        _ => Err(refuse(request)),
    }
}

fn corrected(agent: &str, request: &ChatRequest) -> Result<String, Error> {
    match agent {
        "worldview" => Ok(text(&correct::worldview(&read(request)?))),
        "outline" => Ok(text(&correct::outline(&read(request)?))),
        "character" => Ok(text(&correct::characters(&read(request)?))),
        "plot" => Ok(text(&correct::plot(&read(request)?))),
        "style" => Ok(text(&correct::style(&read(request)?))),
        _ => Err(refuse(request)),
    }
}

/// Deserializes the typed context of a request.
fn read<T: DeserializeOwned>(request: &ChatRequest) -> Result<T, Error> {
    T::deserialize(&request.context).map_err(|error| Error::Unsupported {
        model: NAME.into(),
        purpose: request.purpose.clone(),
        hint: format!("the rules answer from the typed context of a request, and this one has none: {error}"),
    })
}

fn text(answer: &impl Serialize) -> String {
    serde_json::to_string(answer).expect("answers are plain data")
}

fn language_of(request: &ChatRequest) -> Option<Language> {
    serde_json::from_value(request.context.get("language")?.clone()).ok()
}

fn in_pieces(text: String) -> EventStream {
    let letters: Vec<char> = text.chars().collect();
    let pieces: Vec<_> = letters.chunks(PIECE).map(|piece| Ok(ChatEvent::Text(piece.iter().collect()))).collect();
    let reply = Reply { text, model: NAME.into(), ..Reply::default() };
    let end = [Ok(ChatEvent::Usage(Usage::default())), Ok(ChatEvent::Done(Box::new(reply)))];
    stream::iter(pieces.into_iter().chain(end)).boxed()
}
