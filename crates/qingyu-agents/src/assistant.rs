//! The assistant: answers questions about a story from passages, with validated sources.
//!
//! Passages are data, regardless of their author. Every citation of an answer must name a shown passage and quote its
//! words; otherwise the request is retried.

use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::analysis::fold;
use qingyu_knowledge::card_question::CardQuote;
use qingyu_knowledge::pattern::{Query, QueryLimits};
use qingyu_llm::structured::{AnswerCheck, StructuredAnswer, StructuredOptions, ask_with};
use qingyu_llm::{ChatMessage, ChatRequest, ModelRoutes};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::{AnswerContext, QuestionContext, ShownPassage};
use crate::labels::worded;
use crate::output::{PassageOrder, QuestionReading, Quoted, SourcedAnswer};
use crate::prompts::{AnswerPrompt, PromptName, UnderstandPrompt};
use crate::{Error, Prompts};

/// The agent's name in errors and cost records.
pub const NAME: &str = "assistant";

/// The agent for questions about a story.
#[derive(Debug, Clone)]
pub struct StoryAssistant {
    /// Models for the purposes `assistant.understand`, `assistant.rerank`, `assistant.answer`.
    pub models: ModelRoutes,
    /// Prompt templates.
    pub prompts: Prompts,
    /// Maximum tokens per answer; `None` uses the provider's default.
    pub answer_tokens: Option<u32>,
}

impl StoryAssistant {
    /// Parses a question into a pattern for `graph`.
    ///
    /// Returns [`Error::Model`] if the model cannot be reached, or gives no usable pattern in three attempts.
    pub async fn understand(
        &self,
        understanding: &QuestionContext,
        graph: &StoryGraph,
    ) -> Result<StructuredAnswer<QuestionReading>, Error> {
        let check = |reading: &QuestionReading| problems_of_reading(reading, graph, understanding.language);
        let prompt = UnderstandPrompt::new(understanding);
        let asked = AssistantRequest {
            name: PromptName::ASSISTANT_UNDERSTAND,
            purpose: "assistant.understand",
            language: understanding.language,
        };
        self.ask(asked, &prompt, understanding, &check).await
    }

    /// Sorts passages by relevance to a question; passages without relevance are left out.
    ///
    /// Returns the same errors as [`understand`](Self::understand).
    pub async fn rerank(&self, answering: &AnswerContext) -> Result<StructuredAnswer<PassageOrder>, Error> {
        let check = |order: &PassageOrder| problems_of_order(order, &answering.passages, answering.language);
        let prompt = AnswerPrompt::new(answering);
        let asked = AssistantRequest {
            name: PromptName::ASSISTANT_RERANK,
            purpose: "assistant.rerank",
            language: answering.language,
        };
        self.ask(asked, &prompt, answering, &check).await
    }

    /// Answers a question from passages.
    ///
    /// Returns the same errors as [`understand`](Self::understand), also if quotes still fail validation after the last
    /// retry.
    pub async fn answer(&self, answering: &AnswerContext) -> Result<StructuredAnswer<SourcedAnswer>, Error> {
        let check = |answer: &SourcedAnswer| problems_of_answer(answer, &answering.passages, answering.language);
        let prompt = AnswerPrompt::new(answering);
        let asked = AssistantRequest {
            name: PromptName::ASSISTANT_ANSWER,
            purpose: "assistant.answer",
            language: answering.language,
        };
        self.ask(asked, &prompt, answering, &check).await
    }

    async fn ask<T: DeserializeOwned + JsonSchema>(
        &self,
        asked: AssistantRequest,
        prompt: &impl Serialize,
        context: &impl Serialize,
        check: &AnswerCheck<'_, T>,
    ) -> Result<StructuredAnswer<T>, Error> {
        let AssistantRequest { name, purpose, language } = asked;
        let system = self.prompts.render(PromptName::ASSISTANT_SYSTEM, language, &())?;
        let request = ChatRequest {
            purpose: purpose.into(),
            messages: vec![
                ChatMessage::system(system),
                ChatMessage::user(self.prompts.render(name, language, prompt)?),
            ],
            temperature: Some(0.0),
            max_tokens: self.answer_tokens,
            context: serde_json::to_value(context).expect("contexts are plain data"),
            ..ChatRequest::default()
        };
        let options = StructuredOptions { check: Some(check), ..StructuredOptions::default() };
        let answered = ask_with(&**self.models.for_purpose(purpose), request, &options, &mut |_| {}).await;
        answered.map_err(|source| Error::Model { agent: NAME.into(), source })
    }
}

/// The prompt, purpose and language of one assistant request.
struct AssistantRequest {
    name: PromptName,
    purpose: &'static str,
    language: Language,
}

/// Returns the answer that consists of these quotations; each is the passage of its number, from 1.
pub fn by_cards(quotes: &[CardQuote]) -> SourcedAnswer {
    let numbered = || (1..).zip(quotes);
    let lines = numbered().map(|(number, quote): (usize, _)| format!("{}[{number}]", quote.answer));
    let citations = numbered().map(|(number, quote)| Quoted { number, quote: quote.quote.clone() });
    SourcedAnswer { answer: lines.collect::<Vec<_>>().join("\n"), holds: true, citations: citations.collect() }
}

fn problems_of_reading(reading: &QuestionReading, graph: &StoryGraph, language: Language) -> Vec<String> {
    let Some(pattern) = &reading.pattern else { return Vec::new() };
    let asked =
        Query::parse(pattern).and_then(|query| query.run(graph, QueryLimits { rows: 1, ..QueryLimits::default() }));
    let error = asked.err();
    let problem =
        error.map(|error| worded(language, format!("pattern 不能查询：{error}"), format!("pattern: {error}")));
    problem.into_iter().collect()
}

fn problems_of_order(order: &PassageOrder, passages: &[ShownPassage], language: Language) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let is_wrong =
        |number: &&usize| !passages.iter().any(|passage| passage.number == **number) || !seen.insert(**number);
    let wrong = order.order.iter().filter(is_wrong);
    let problem = |number: &usize| {
        let chinese = format!("order：没有编号为 {number} 的片段，或者它写了两次");
        worded(language, chinese, format!("order: {number} is no passage, or named twice"))
    };
    wrong.map(problem).collect()
}

pub(crate) fn problems_of_answer(answer: &SourcedAnswer, passages: &[ShownPassage], language: Language) -> Vec<String> {
    let mut problems = Vec::new();
    let mut add = |chinese: String, english: String| problems.push(worded(language, chinese, english));
    if answer.answer.trim().is_empty() {
        add("answer 是空的".into(), "answer: it is empty".into());
    }
    if answer.holds && answer.citations.is_empty() {
        add(
            "citations：有答案就至少要有一处依据，否则 holds 写 false".into(),
            "citations: an answer needs at least one, or holds must be false".into(),
        );
    }
    for cited in &answer.citations {
        let Some(passage) = passages.iter().find(|passage| passage.number == cited.number) else {
            let number = cited.number;
            add(format!("citations：没有编号为 {number} 的片段"), format!("citations: there is no passage {number}"));
            continue;
        };
        if !is_quoted(&cited.quote, passage) {
            let Quoted { number, quote } = cited;
            add(
                format!("citations：片段 {number} 里没有“{quote}”这句话"),
                format!("citations: passage {number} does not say \"{quote}\""),
            );
        }
    }
    problems
}

/// Returns whether `passage` contains `quote`, ignoring blanks, width and case.
fn is_quoted(quote: &str, passage: &ShownPassage) -> bool {
    let bare = |text: &str| fold(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let quote = bare(quote);
    let said = [&passage.text, &passage.heading].into_iter().chain(&passage.ties);
    !quote.is_empty() && said.into_iter().any(|said| bare(said).contains(&quote))
}

#[cfg(test)]
mod tests;
