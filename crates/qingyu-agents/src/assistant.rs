//! The assistant: answers questions about a story from passages, with sources that are checked.
//!
//! What it is shown is data, whoever wrote it. What it answers is believed only as far as its citations go: each must name
//! a passage that was shown and quote what stands there, or it is asked again.

use qingyu_knowledge::StoryGraph;
use qingyu_knowledge::analysis::fold;
use qingyu_knowledge::pattern::{Limits, Query};
use qingyu_llm::structured::{Answer, Ask, Check, ask_with};
use qingyu_llm::{Message, Models, Request};
use qingyu_story::Language;
use schemars::JsonSchema;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::context::{Answering, Shown, Understanding};
use crate::output::{PassageOrder, QuestionReading, SourcedAnswer};
use crate::prompts::{AnswerPrompt, Name, UnderstandPrompt};
use crate::{Error, Prompts};

/// Its name in errors and in what is spent.
pub const NAME: &str = "assistant";

/// The agent that answers questions.
#[derive(Debug, Clone)]
pub struct Assistant {
    /// Who serves it: purposes `assistant.understand`, `assistant.rerank`, `assistant.answer`.
    pub models: Models,
    /// Its words.
    pub prompts: Prompts,
    /// The most tokens of one answer.
    pub answer_tokens: Option<u32>,
}

impl Assistant {
    /// Reads a question as a pattern that can be asked of `graph`.
    ///
    /// Fails with [`Error::Model`] if the model cannot be reached, or gives no usable pattern in three attempts.
    pub async fn understand(
        &self,
        understanding: &Understanding,
        graph: &StoryGraph,
    ) -> Result<Answer<QuestionReading>, Error> {
        let check = |reading: &QuestionReading| problems_of_reading(reading, graph);
        let prompt = UnderstandPrompt::new(understanding);
        let asked = Asked {
            name: Name::ASSISTANT_UNDERSTAND,
            purpose: "assistant.understand",
            language: understanding.language,
        };
        self.ask(asked, &prompt, understanding, &check).await
    }

    /// Puts passages in the order of what they say about a question; what is left out has nothing to do with it.
    ///
    /// Fails as [`understand`](Self::understand) does.
    pub async fn rerank(&self, answering: &Answering) -> Result<Answer<PassageOrder>, Error> {
        let check = |order: &PassageOrder| problems_of_order(order, &answering.passages);
        let prompt = AnswerPrompt::new(answering);
        let asked = Asked { name: Name::ASSISTANT_RERANK, purpose: "assistant.rerank", language: answering.language };
        self.ask(asked, &prompt, answering, &check).await
    }

    /// Answers from passages.
    ///
    /// Fails as [`understand`](Self::understand) does: also if it still quotes what no passage says.
    pub async fn answer(&self, answering: &Answering) -> Result<Answer<SourcedAnswer>, Error> {
        let check = |answer: &SourcedAnswer| problems_of_answer(answer, &answering.passages);
        let prompt = AnswerPrompt::new(answering);
        let asked = Asked { name: Name::ASSISTANT_ANSWER, purpose: "assistant.answer", language: answering.language };
        self.ask(asked, &prompt, answering, &check).await
    }

    async fn ask<T: DeserializeOwned + JsonSchema>(
        &self,
        asked: Asked,
        prompt: &impl Serialize,
        context: &impl Serialize,
        check: &Check<'_, T>,
    ) -> Result<Answer<T>, Error> {
        let Asked { name, purpose, language } = asked;
        let system = self.prompts.render(Name::ASSISTANT_SYSTEM, language, &())?;
        let request = Request {
            purpose: purpose.into(),
            messages: vec![Message::system(system), Message::user(self.prompts.render(name, language, prompt)?)],
            temperature: Some(0.0),
            max_tokens: self.answer_tokens,
            context: serde_json::to_value(context).expect("contexts are plain data"),
            ..Request::default()
        };
        let options = Ask { check: Some(check), ..Ask::default() };
        let answered = ask_with(&**self.models.for_purpose(purpose), request, &options, &mut |_| {}).await;
        answered.map_err(|source| Error::Model { agent: NAME.into(), source })
    }
}

/// What is asked, and in which language.
struct Asked {
    name: Name,
    purpose: &'static str,
    language: Language,
}

fn problems_of_reading(reading: &QuestionReading, graph: &StoryGraph) -> Vec<String> {
    let Some(pattern) = &reading.pattern else { return Vec::new() };
    let asked = Query::parse(pattern).and_then(|query| query.run(graph, Limits { rows: 1, ..Limits::default() }));
    asked.err().map(|error| format!("pattern: {error}")).into_iter().collect()
}

fn problems_of_order(order: &PassageOrder, passages: &[Shown]) -> Vec<String> {
    let mut seen = std::collections::BTreeSet::new();
    let is_wrong =
        |number: &&usize| !passages.iter().any(|passage| passage.number == **number) || !seen.insert(**number);
    let wrong = order.order.iter().filter(is_wrong);
    wrong.map(|number| format!("order: {number} is no passage, or named twice")).collect()
}

pub(crate) fn problems_of_answer(answer: &SourcedAnswer, passages: &[Shown]) -> Vec<String> {
    let mut problems = Vec::new();
    if answer.answer.trim().is_empty() {
        problems.push("answer: it is empty".to_owned());
    }
    if answer.holds && answer.citations.is_empty() {
        problems.push("citations: an answer needs at least one, or holds must be false".to_owned());
    }
    for cited in &answer.citations {
        let Some(passage) = passages.iter().find(|passage| passage.number == cited.number) else {
            problems.push(format!("citations: there is no passage {}", cited.number));
            continue;
        };
        if !is_quoted(&cited.quote, passage) {
            problems.push(format!("citations: passage {} does not say \"{}\"", cited.number, cited.quote));
        }
    }
    problems
}

/// Whether a passage says that, but for blanks, width and case.
fn is_quoted(quote: &str, passage: &Shown) -> bool {
    let bare = |text: &str| fold(text).chars().filter(|c| c.is_alphanumeric()).collect::<String>();
    let quote = bare(quote);
    let said = [&passage.text, &passage.heading].into_iter().chain(&passage.ties);
    !quote.is_empty() && said.into_iter().any(|said| bare(said).contains(&quote))
}

#[cfg(test)]
mod tests;
