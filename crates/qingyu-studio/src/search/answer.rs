//! Answers to questions about a project. A model words them; the offline model is sufficient.

use std::collections::BTreeSet;

use qingyu_agents::assistant::{StoryAssistant, by_cards};
use qingyu_agents::context::{AnswerContext, QuestionContext, ShownPassage};
use qingyu_agents::output::{QuestionReading, Quoted, SourcedAnswer};
use qingyu_knowledge::card_question::CardQuote;
use qingyu_knowledge::chunk::Source;
use qingyu_knowledge::graph::vocabulary;
use qingyu_knowledge::handbook::{HANDBOOK, HandbookPassage};
use qingyu_knowledge::passage::{Citation, Passage};
use qingyu_knowledge::pattern::Query as Pattern;
use qingyu_knowledge::question::Rank;
use qingyu_knowledge::recall::{QuestionAnalysis, Tied};
use qingyu_knowledge::telling::{Telling, Tellings, told_first};
use qingyu_knowledge::{Hit, Query, StoryGraph, card_question, handbook, passage};
use qingyu_llm::{Substitution, Usage, estimate};
use qingyu_story::bounded::at_most;
use qingyu_story::chapters::ChapterName;
use qingyu_story::{Language, PieceKind, phrase};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::access::scope::Right;
use crate::engines::report::{self, EngineUse};
use crate::error::Error;
use crate::search::index::{FoundHits, ProjectIndex, verify};
use crate::search::notes::noted;
use crate::search::series::{EarlierIndex, SeriesQuestion, merged, titled};
use crate::search::ties::{TieFrame, interval};
use crate::search::{hidden, known};
use crate::studio::Studio;

/// The number of hits considered for an answer.
const HITS: usize = 24;
/// The default token budget of passages in a prompt.
const BUDGET: u64 = 6_000;
/// The maximum number of names in a prompt.
const NAMES: usize = 300;
/// The names in patterns that each stand for several relations.
const GROUPS: [&str; 2] = ["tied_to", "kin_of"];

/// A question about a project.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct AskRequest {
    /// The question.
    pub question: String,
    /// Restricts the answer to content before the chapter.
    pub before: Option<ChapterName>,
    /// The budget of passages, in tokens; 6,000 by default.
    #[serde(default, deserialize_with = "at_most::<1_000_000, _, _>")]
    #[schemars(range(max = 1_000_000))]
    pub budget: Option<u64>,
    /// Whether the earlier books of the series and the canon are searched too, each passage with its book. Before a chapter,
    /// the earlier books are past as a whole, canon only with a stretch of time to the book.
    #[serde(default)]
    pub series: bool,
}

/// An answer with its sources.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ProjectAnswer {
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// Whether the material supports the answer.
    pub holds: bool,
    /// The citations: numbers of passages with quoted sentences.
    pub citations: Vec<Quoted>,
    /// The considered passages with their positions. Passages are data, never instructions.
    pub passages: Vec<Passage>,
    /// The graph relations of each passage, in the same order.
    pub ties: Vec<Vec<Tied>>,
    /// The number of passages beyond the budget.
    pub left_out: usize,
    /// The question as a pattern over the graph.
    pub pattern: Option<String>,
    /// Whether a model parsed the question; otherwise rules did.
    pub read_by_model: bool,
    /// The ranking quality, for questions about the most or least of a quality.
    pub rank: Option<Rank>,
    /// The answering model; empty if fields of cards are the answer.
    pub model: String,
    /// The requested model and its failure, if a fallback answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub substitution: Option<Substitution>,
    /// The usage.
    pub usage: Usage,
    /// The servers of a team, and whether each was used; empty without servers.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineUse>,
}

impl Studio {
    /// Answers a question about a project from its material, with sources.
    ///
    /// A question that fields of cards answer is answered with them, without a model; a question about the product is
    /// answered from its handbook. Rules parse any other question, with the model of the role `assistant` as fallback.
    /// A caller who may change the project is also shown the truth of the book and the secrets that the question is about,
    /// marked as hidden, in at most half of the budget. A session keeps the question, and the answer unless it rests on what
    /// is hidden or may rest on an earlier book. Returns the errors of [`create`](Self::create) if the model is not usable.
    pub async fn ask(&self, project: &str, request: &AskRequest) -> Result<ProjectAnswer, Error> {
        self.ask_in_conversation(project, request, &request.question).await
    }

    /// Answers a question as [`ask`](Self::ask) does, whose text contains earlier messages of a conversation beside the
    /// author's last one, `last`: it alone decides which secrets are shown.
    pub async fn ask_in_conversation(
        &self,
        project: &str,
        request: &AskRequest,
        last: &str,
    ) -> Result<ProjectAnswer, Error> {
        verify(&request.question)?;
        let library = self.library(project).await?;
        self.learn_from_words(&library.project, &request.question).await;
        // Cards tell the whole book, so they answer only questions about the whole book.
        let told = request.before.is_none().then(|| card_question::answer(&request.question, &library.story));
        if let Some(quotes) = told.flatten() {
            return Ok(from_cards(request, &quotes));
        }
        let earlier = match request.series {
            true => self.earlier_indexes(&library.project, request.before.is_some()).await?,
            false => Vec::new(),
        };
        let library = library.known_before(request.before.as_ref())?;
        let (assistant, books) = self.assistant(&library.project).await?;
        let answered = self.answer_question(&library, &earlier, &assistant, request, last).await;
        books.close(assistant).await;
        match &answered {
            Ok(answered) if rests_on_hidden(answered) => {
                self.remember_question(&library.project, &request.question).await;
            }
            Ok(answered) => self.remember_turn(&library.project, &request.question, &answered.answer).await,
            Err(_) => {}
        }
        answered
    }

    async fn answer_question(
        &self,
        library: &ProjectIndex,
        earlier: &[EarlierIndex],
        assistant: &StoryAssistant,
        request: &AskRequest,
        last: &str,
    ) -> Result<ProjectAnswer, Error> {
        let language = Language::of(&request.question);
        let about_product = handbook::find(&request.question, &library.story);
        if !about_product.is_empty() {
            return self.answer_by_handbook(assistant, request, about_product).await;
        }
        let said = self.said_in_session(&library.project).await?;
        let mut understood = QuestionAnalysis::of(&request.question, &library.graph);
        let own_words = understood.words.len();
        // "Where was she then?" is about the question before.
        if let Some(before) = said.iter().rfind(|line| line.by_author) {
            understood.words = format!("{} {}", understood.words, before.text);
        }
        let (mut usage, mut read_by_model) = (Usage::default(), false);
        if understood.reading.query.is_none() {
            let asked = understanding(request, language, &understood, &library.graph);
            let read = assistant.understand(&asked, &library.graph).await.map_err(|error| self.failed(&error))?;
            usage += read.usage;
            read_by_model = take(&mut understood, read.value);
        }
        let vectors = self.vectors(&library.project).await?;
        let query = Query {
            text: understood.words.clone(),
            vector: vectors.of(&request.question).await?,
            before: library.before,
            told: library.before.map(|place| known::told_ahead(&library.story, place)).unwrap_or_default(),
            // Some of them are not known before a chapter.
            limit: if library.before.is_some() { 2 * HITS } else { HITS },
            variety: 0.2,
            ..Query::new("")
        };
        let (pattern, rank) = (understood.reading.query.as_ref(), understood.reading.rank.clone());
        let FoundHits { hits, mut engines } = self.find_hits(library, &vectors, &query, pattern, rank.as_ref()).await?;
        // Both additions above stand after the words of the question.
        let more = understood.words.get(own_words..).unwrap_or_default();
        let mut asked = SeriesQuestion::new(&request.question, more, &query);
        let mut theirs = Vec::new();
        for index in earlier {
            let found = self.hits_in(index, &mut asked).await?;
            report::add_all(&mut engines, found.engines);
            theirs.push(found.hits);
        }
        let (hits, passages, left_out) = {
            let tellings = Tellings::of(&library.story);
            let mut hits = match library.before {
                Some(_) => known::among(hits, &library.story),
                None => hits,
            };
            library.cut_with_named(&mut hits, &understood.named, HITS);
            let of_books: Vec<(&EarlierIndex, Tellings<'_>)> =
                earlier.iter().map(|index| (index, Tellings::of(&index.library.story))).collect();
            let of_books_told =
                theirs.into_iter().zip(&of_books).map(|(hits, (_, tellings))| told_first(hits, tellings));
            let lists = std::iter::once(told_first(hits, &tellings)).chain(of_books_told);
            let hits = merged(lists.collect(), HITS);
            // Secrets are the author's, and known at the end of the book.
            let sees_secrets = self.scope().may(Right::Write) && request.before.is_none();
            let budget = request.budget.unwrap_or(BUDGET);
            let (secrets, untold) = match sees_secrets {
                true => hidden::passages(last, &library.story, &tellings, budget / 2),
                false => (Vec::new(), 0),
            };
            let spent: u64 = secrets.iter().map(|passage| passage.tokens).sum();
            let (mut passages, left_out) = passage::within(&hits, budget.saturating_sub(spent), estimate::tokens);
            let left_out = left_out + untold;
            for passage in &mut passages {
                match of_books.iter().find(|(index, _)| passage.book.as_ref() == Some(&index.book)) {
                    Some((index, tellings)) => passage.locate(&index.library.story, tellings),
                    None => passage.locate(&library.story, &tellings),
                }
            }
            passages.extend(secrets);
            for (number, passage) in (1..).zip(&mut passages) {
                passage.number = number;
            }
            (hits, passages, left_out)
        };
        let story_of = |passage: &Passage| {
            let of_book = earlier.iter().find(|index| passage.book.as_ref() == Some(&index.book));
            of_book.map_or(&library.story, |index| &index.library.story)
        };
        let mut shown: Vec<ShownPassage> = {
            let ties = TieFrame::of(&library.story);
            let note = |passage: &Passage| {
                let ties = Some(&ties).filter(|_| passage.book.is_none());
                let source = &passage.citation.source;
                let noted = noted(shown(passage, &passages, &hits, ties, language), source, story_of(passage));
                let ended = ties.filter(|_| source.kind == PieceKind::Fact);
                match ended.and_then(|ties| ties.fact_ended(&source.id, language)) {
                    Some(ended) => with_line(noted, &ended),
                    None => noted,
                }
            };
            passages.iter().map(note).collect()
        };
        quote_once(&mut shown, &passages);
        let answering = AnswerContext {
            question: request.question.clone(),
            language,
            passages: shown,
            is_about_product: false,
            is_of_series: passages.iter().any(|passage| passage.book.is_some()),
            pattern: pattern.map(ToString::to_string),
            rank: rank.clone(),
            said,
        };
        let answered = assistant.answer(&answering).await.map_err(|error| self.failed(&error))?;
        usage += answered.usage;
        Ok(ProjectAnswer {
            question: request.question.clone(),
            answer: answered.value.answer,
            holds: answered.value.holds,
            citations: answered.value.citations,
            ties: passages.iter().map(|passage| ties_of(passage, &hits)).collect(),
            passages,
            left_out,
            pattern: pattern.map(ToString::to_string),
            read_by_model,
            rank,
            substitution: answered.reply.substitution,
            model: answered.reply.model,
            usage,
            engines,
        })
    }
}

impl Studio {
    /// Answers a question about the product from passages of its handbook.
    async fn answer_by_handbook(
        &self,
        assistant: &StoryAssistant,
        request: &AskRequest,
        found: Vec<HandbookPassage>,
    ) -> Result<ProjectAnswer, Error> {
        let passage = |(number, found): (usize, HandbookPassage)| {
            let source = Source { kind: PieceKind::Document, id: HANDBOOK.into() };
            passage_of(number, source, found.heading, found.text)
        };
        let passages: Vec<Passage> = (1..).zip(found).map(passage).collect();
        let shown = passages.iter().map(|passage| shown(passage, &[], &[], None, Language::Zh));
        let answering = AnswerContext {
            question: request.question.clone(),
            language: handbook::language_of(&request.question),
            passages: shown.collect(),
            is_about_product: true,
            ..AnswerContext::default()
        };
        let answered = assistant.answer(&answering).await.map_err(|error| self.failed(&error))?;
        let SourcedAnswer { answer, holds, citations } = answered.value;
        Ok(ProjectAnswer {
            answer,
            holds,
            citations,
            model: answered.reply.model,
            usage: answered.usage,
            ..unasked(request, passages)
        })
    }
}

/// Returns the answer that fields of cards contain.
fn from_cards(request: &AskRequest, quotes: &[CardQuote]) -> ProjectAnswer {
    let passage = |(number, quote): (usize, &CardQuote)| {
        let telling = if quote.is_hidden { Telling::Hidden } else { Telling::default() };
        Passage { telling, ..passage_of(number, quote.source.clone(), quote.name.clone(), quote.quote.clone()) }
    };
    let SourcedAnswer { answer, holds, citations } = by_cards(quotes);
    ProjectAnswer { answer, holds, citations, ..unasked(request, (1..).zip(quotes).map(passage).collect()) }
}

/// Returns whether an answer rests on passages that readers do not know: it cites one, or cites nothing beside one. Callers
/// who share the session may not see the earlier books, so that one passage of them is enough, whatever is cited.
fn rests_on_hidden(answered: &ProjectAnswer) -> bool {
    if answered.passages.iter().any(|passage| passage.book.is_some()) {
        return true;
    }
    let mut hidden = answered.passages.iter().filter(|passage| passage.telling == Telling::Hidden);
    hidden.any(|passage| {
        answered.citations.is_empty() || answered.citations.iter().any(|quoted| quoted.number == passage.number)
    })
}

fn passage_of(number: usize, source: Source, name: String, text: String) -> Passage {
    let tokens = estimate::tokens(&text);
    let citation = Citation { source, name: name.clone(), version: 0, range: None };
    Passage {
        number,
        citation,
        heading: name,
        text,
        tokens,
        telling: Telling::default(),
        paragraph: None,
        suspicious: None,
        book: None,
    }
}

/// Returns an empty answer over `passages`, for which no model was asked.
fn unasked(request: &AskRequest, passages: Vec<Passage>) -> ProjectAnswer {
    ProjectAnswer {
        question: request.question.clone(),
        answer: String::new(),
        holds: false,
        citations: Vec::new(),
        ties: passages.iter().map(|_| Vec::new()).collect(),
        passages,
        left_out: 0,
        pattern: None,
        read_by_model: false,
        rank: None,
        model: String::new(),
        substitution: None,
        usage: Usage::default(),
        engines: Vec::new(),
    }
}

/// Returns the request to a model for parsing a question.
fn understanding(
    request: &AskRequest,
    language: Language,
    understood: &QuestionAnalysis,
    graph: &StoryGraph,
) -> QuestionContext {
    let named = understood.named.iter().map(|node| graph[*node].name.clone());
    let others = graph.nodes().map(|(_, node)| node.name.clone());
    let mut names: Vec<String> = Vec::new();
    let mut seen = BTreeSet::new();
    names.extend(named.chain(others).filter(|name| seen.insert(name.clone())).take(NAMES));
    let own = graph.relation_names().into_iter().map(|word| described(word, language));
    let relations = own.chain(GROUPS.into_iter().map(|word| described(word, language))).collect();
    QuestionContext { question: request.question.clone(), language, relations, names }
}

/// Returns the name of a relation with its meaning in brackets: `parent_of（甲的子女是乙）`.
fn described(word: &str, language: Language) -> String {
    let (one, other) = match language {
        Language::Zh => ("甲", "乙"),
        Language::En => ("A", "B"),
    };
    let says = match (word, language) {
        ("tied_to", Language::Zh) => "甲和乙有任何一种人物关系".to_owned(),
        ("tied_to", Language::En) => "A and B are tied by any relation between people".to_owned(),
        ("kin_of", Language::Zh) => "甲和乙是亲属".to_owned(),
        ("kin_of", Language::En) => "A and B are kin".to_owned(),
        _ => phrase::relation(one, word, other, language)
            .unwrap_or_else(|| format!("{one} {} {other}", vocabulary::shown(word, language))),
    };
    match language {
        Language::Zh => format!("{word}（{says}）"),
        Language::En => format!("{word} ({says})"),
    }
}

/// Merges a model's parse of the question; returns whether there is a pattern now.
fn take(understood: &mut QuestionAnalysis, read: QuestionReading) -> bool {
    for search in read.searches.iter().take(3) {
        understood.words.push(' ');
        understood.words.push_str(search);
    }
    // The pattern was validated already.
    understood.reading.query = read.pattern.and_then(|pattern| Pattern::parse(&pattern).ok());
    understood.reading.rank = read.rank.or(understood.reading.rank.take());
    understood.reading.query.is_some()
}

fn hit_of<'h>(passage: &Passage, hits: &'h [Hit]) -> Option<&'h Hit> {
    let is_it =
        |hit: &&Hit| hit.chunk.source == passage.citation.source && hit.book == passage.book && hit.way.is_some();
    hits.iter().find(is_it).filter(|_| passage.telling != Telling::Hidden)
}

fn ties_of(passage: &Passage, hits: &[Hit]) -> Vec<Tied> {
    hit_of(passage, hits).and_then(|hit| hit.way.as_ref()).map(|way| way.ties.clone()).unwrap_or_default()
}

/// Returns a passage as a model sees it, with remarks on its ties if they are of the story of `frame`. The sentence of a tie
/// that is one of `all` passages itself is not told twice.
fn shown(
    passage: &Passage,
    all: &[Passage],
    hits: &[Hit],
    frame: Option<&TieFrame<'_>>,
    language: Language,
) -> ShownPassage {
    let way = hit_of(passage, hits).and_then(|hit| hit.way.as_ref());
    let is_passage = |tied: &Tied| {
        let is_it = |source: &Source| (source.kind, &source.id) == (tied.source.0, &tied.source.1);
        all.iter().any(|other| other.book == passage.book && is_it(&other.citation.source))
    };
    let tie = |tied: &Tied| {
        let Tied { from, relation, to, since, until, .. } = tied;
        let sentence = tied.sentence().filter(|_| !is_passage(tied));
        let quote = sentence.map(|sentence| format!(": {sentence}")).unwrap_or_default();
        // The sentence of an outline node ends with its name.
        let since = if quote.ends_with(&format!(" ({since})")) { "" } else { since };
        let remarks = match frame {
            Some(frame) => frame.remarks(tied, since, language),
            None => interval(since, until, language),
        };
        let says = phrase::relation(from, relation, to, language)
            .unwrap_or_else(|| format!("{from} —{}→ {to}", vocabulary::shown(relation, language)));
        format!("{says}{remarks}{quote}")
    };
    ShownPassage {
        number: passage.number,
        heading: titled(&passage.heading, passage.book.as_ref(), language),
        telling: passage.telling,
        text: without_title(&passage.text, &passage.heading).to_owned(),
        ties: way.map(|way| way.ties.iter().map(tie).collect()).unwrap_or_default(),
        because: way.and_then(|way| way.quality.as_ref()).map(|judged| judged.because.clone()).unwrap_or_default(),
    }
}

/// Returns a passage with another line.
fn with_line(shown: ShownPassage, line: &str) -> ShownPassage {
    let lines = [shown.text.trim_end(), line].into_iter().filter(|line| !line.is_empty());
    let text = lines.collect::<Vec<_>>().join("\n");
    ShownPassage { text, ..shown }
}

/// Removes from facts the sentences that a passage of the prose shows, or a fact before. A line that is only in the shown
/// text has a label, and is a time.
fn quote_once(shown: &mut [ShownPassage], passages: &[Passage]) {
    let is = |passage: &Passage, kind: PieceKind| passage.citation.source.kind == kind;
    let mut seen: BTreeSet<(Option<String>, String)> = BTreeSet::new();
    for (one, passage) in shown.iter_mut().zip(passages).filter(|(_, passage)| is(passage, PieceKind::Fact)) {
        let prose = passages.iter().filter(|other| is(other, PieceKind::Document) && other.book == passage.book);
        let prose: Vec<&str> = prose.map(|other| other.text.as_str()).collect();
        let book = passage.book.as_ref().map(|book| book.project.clone());
        let is_new = |line: &&str| {
            let line = line.trim();
            let is_time = !passage.text.lines().any(|own| own.trim() == line);
            let is_shown = || prose.iter().any(|text| text.contains(line));
            line.is_empty() || is_time || (!is_shown() && seen.insert((book.clone(), line.to_owned())))
        };
        one.text = one.text.lines().filter(is_new).collect::<Vec<_>>().join("\n");
    }
}

/// Returns the text of a passage without its first line, if the heading has said it.
fn without_title<'t>(text: &'t str, heading: &str) -> &'t str {
    let Some((title, rest)) = text.split_once('\n') else { return text };
    let is_said = heading.strip_prefix(title.trim()).is_some_and(|more| more.is_empty() || more.starts_with(" · "));
    if is_said && !title.trim().is_empty() && !rest.trim().is_empty() { rest } else { text }
}

#[cfg(test)]
mod tests {
    use qingyu_story::Language;

    use super::{
        GROUPS, PieceKind, ShownPassage, Source, described, passage_of, quote_once, shown, vocabulary, without_title,
    };

    #[test]
    fn a_relation_of_the_graph_says_its_direction() {
        assert_eq!(described("parent_of", Language::Zh), "parent_of（甲的子女是乙）");
        assert_eq!(described("employer_of", Language::En), "employer_of (A is B's employer)");
        assert_eq!(described("told_in", Language::Zh), "told_in（甲 写于 乙）");
        assert_eq!(described("comes_after", Language::En), "comes_after (A comes after B)");
        assert_eq!(described("tied_to", Language::Zh), "tied_to（甲和乙有任何一种人物关系）");
        assert!(GROUPS.into_iter().all(vocabulary::is_known));
    }

    #[test]
    fn a_sentence_is_quoted_once() {
        let passage = |kind: PieceKind, text: &str| {
            passage_of(1, Source { kind, id: text.into() }, String::new(), text.to_owned())
        };
        let price = "价格 8块\n十二日\n她付了八块钱。";
        let passages = [
            passage(PieceKind::Fact, price),
            passage(PieceKind::Document, "门开了。她付了八块钱。"),
            passage(PieceKind::Fact, "持有 怀表\n他摸出怀表。"),
            passage(PieceKind::Fact, "交出 怀表\n十二日\n他摸出怀表。"),
            passage(PieceKind::Fact, "holds the watch\nsince noon she has kept it."),
            passage(PieceKind::Fact, "hides the watch\nsince noon she has kept it."),
        ];
        let mut shown: Vec<ShownPassage> =
            passages.iter().map(|one| shown(one, &[], &[], None, Language::Zh)).collect();
        for one in &mut shown {
            one.text = one.text.replace("\n十二日", "\n始于十二日");
        }
        quote_once(&mut shown, &passages);
        let texts: Vec<&str> = shown.iter().map(|one| one.text.as_str()).collect();
        assert_eq!(
            texts,
            [
                "价格 8块\n始于十二日",
                "门开了。她付了八块钱。",
                "持有 怀表\n他摸出怀表。",
                "交出 怀表\n始于十二日",
                "holds the watch\nsince noon she has kept it.",
                "hides the watch",
            ]
        );
    }

    #[test]
    fn a_title_is_shown_once() {
        let shown = |text, heading| without_title(text, heading).to_owned();
        assert_eq!(shown("夜渡\n三月初七\n船过了江。", "夜渡 · 第二章 渡口"), "三月初七\n船过了江。");
        assert_eq!(shown("Owen is Mara’s father\nestranged", "Owen is Mara’s father"), "estranged");
        assert_eq!(shown("铜钥匙", "铜钥匙"), "铜钥匙");
        assert_eq!(shown("夜\n雨停了。", "夜渡 · 第二章"), "夜\n雨停了。");
        assert_eq!(shown("雨停了。\n船过了江。", "第二章 渡口"), "雨停了。\n船过了江。");
    }
}
