//! Search results and answers.

use std::collections::BTreeSet;

use qingyu_studio::knowledge::graph::vocabulary;
use qingyu_studio::knowledge::keyword::MatchedTerm;
use qingyu_studio::knowledge::passage::Passage;
use qingyu_studio::knowledge::recall::Tied;
use qingyu_studio::knowledge::telling::Telling;
use qingyu_studio::knowledge::{Hit, SeriesBook, words::WordSplitter};
use qingyu_studio::llm::Substitution;
use qingyu_studio::story::{PieceKind, phrase};
use qingyu_studio::{EmbeddingProgress, EngineState, EngineUse, ProjectAnswer, SearchResults};

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage};
use crate::texts::LocalizedTexts;

/// Maximum displayed length of a hit, in characters.
const SHOWN: usize = 160;
/// Maximum number of characters before the first match.
const LEAD: usize = 30;
/// Maximum number of matched terms listed per hit.
const TERMS: usize = 12;

/// Draws the results of a search.
pub(crate) fn searched(page: &mut TextPage<'_>, searched: &SearchResults, explain: bool) {
    let words = WordSplitter::of(searched.names.iter().map(String::as_str));
    if explain {
        understood(page, searched);
    }
    if searched.hits.is_empty() {
        page.say(0, FAINT, "search-none", &[]);
    }
    for (number, hit) in searched.hits.iter().enumerate() {
        page.gap();
        title(page, number + 1, hit);
        let asked = format!("{} {}", searched.text, searched.names.join(" "));
        let text = excerpt(hit, &words, &asked);
        page.marked(4, &text, |line| words.highlight(line, &asked));
        if let Some(order) = &hit.suspicious {
            page.say(4, CARE, "passage-suspicious", &[("text", order.as_str().into())]);
        }
        if explain {
            reasons(page, hit);
        } else if let Some(way) = &hit.way {
            way.ties.iter().for_each(|tied| tie(page, 4, tied));
        }
    }
    if let Some(embedded) = &searched.embedding {
        page.gap();
        behind(page, embedded);
    }
    engines(page, &searched.engines, explain);
}

/// Draws the servers that were not used, with the reason; with `all` also the servers that were used.
fn engines(page: &mut TextPage<'_>, engines: &[EngineUse], all: bool) {
    for engine in engines {
        match replaced(page.texts(), engine) {
            Some(line) => page.paragraph(0, CARE, &line),
            None if all => page.labelled(0, &format!("engine-part-{}", part(engine)), &engine.server),
            None => {}
        }
    }
}

/// Returns the warning about a server that was not used; `None` if it was used.
pub(crate) fn replaced(texts: &LocalizedTexts, engine: &EngineUse) -> Option<String> {
    let key = match engine.state {
        EngineState::Used => return None,
        EngineState::Behind if engine.pieces.is_some() => "engine-behind",
        EngineState::Behind => "engine-filling",
        EngineState::Down => "engine-down",
        EngineState::Unsupported => "engine-unsupported",
    };
    let arguments = [
        ("part", texts.get(&format!("engine-part-{}", part(engine))).into()),
        ("server", engine.server.as_str().into()),
        ("reason", engine.reason.as_deref().unwrap_or_default().into()),
        ("copied", engine.copied.unwrap_or_default().into()),
        ("pieces", engine.pieces.unwrap_or_default().into()),
    ];
    Some(texts.fill(key, &arguments))
}

fn part(engine: &EngineUse) -> String {
    engine.part.name().replace('_', "-")
}

fn understood(page: &mut TextPage<'_>, searched: &SearchResults) {
    let comma = page.texts().get("list-comma");
    page.labelled(0, "search-names", &searched.names.join(&comma));
    page.labelled(0, "search-pattern", searched.pattern.as_deref().unwrap_or_default());
    page.labelled(0, "search-vectors", &searched.vectors);
    page.labelled(0, "search-reranked", searched.reranked.as_deref().unwrap_or_default());
}

/// Draws the piece of a hit, its position, and its book if that is an earlier one.
fn title(page: &mut TextPage<'_>, number: usize, hit: &Hit) {
    let chunk = &hit.chunk;
    let kind = page.texts().word("piece", chunk.source.kind);
    let name = chunk.title();
    let place = chunk.text_of("chapter_name");
    let place = if place.is_empty() || place == name { String::new() } else { format!(" · {place}") };
    let book = of_book(page, hit.book.as_ref());
    let mode = mode(page, hit);
    page.lead(0, &format!("{number:>2}  "), STRONG, NAME, &format!("{kind} {name}{mode}{place}{book}"));
}

/// Returns the mode of a hit, if it is not narrated; the text of a fact already has its mode.
fn mode(page: &TextPage<'_>, hit: &Hit) -> String {
    let mode = hit.chunk.text_of("mode");
    if hit.chunk.source.kind == PieceKind::Fact || mode.is_empty() || mode == "narrated" {
        return String::new();
    }
    format!(" · {}", page.texts().word("mode", mode))
}

/// Returns the title of an earlier book in brackets; nothing for none.
fn of_book(page: &TextPage<'_>, book: Option<&SeriesBook>) -> String {
    book.map(|book| page.texts().fill("of-earlier-book", &[("title", book.title.as_str().into())])).unwrap_or_default()
}

/// Returns the part of a hit's text around the first match.
fn excerpt(hit: &Hit, words: &WordSplitter, asked: &str) -> String {
    let text = hit.chunk.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let first = words.highlight(&text, asked).first().map_or(0, |mark| text[..mark.start].chars().count());
    let count = text.chars().count();
    let start = if count <= SHOWN { 0 } else { first.saturating_sub(LEAD).min(count - SHOWN) };
    let shown: String = text.chars().skip(start).take(SHOWN).collect();
    let (before, after) = (if start > 0 { "…" } else { "" }, if start + SHOWN < count { "…" } else { "" });
    format!("{before}{shown}{after}")
}

/// Draws the search methods that found a hit, with their ranks.
fn reasons(page: &mut TextPage<'_>, hit: &Hit) {
    let figure = |number: f64| format!("{number:.3}");
    page.say(4, FAINT, "search-fused", &[("score", format!("{:.4}", hit.score).into())]);
    if let Some(side) = &hit.keyword {
        let terms = side.terms.iter().take(TERMS);
        let terms = terms.map(|MatchedTerm { term, score }| format!("{term} {score:.2}"));
        let terms = terms.collect::<Vec<_>>().join(&page.texts().get("list-comma"));
        let arguments = [("rank", side.rank.into()), ("score", figure(side.score).into()), ("terms", terms.into())];
        page.say(4, FAINT, "search-keyword", &arguments);
    }
    if let Some(side) = &hit.vector {
        let arguments = [("rank", side.rank.into()), ("score", figure(side.score).into())];
        page.say(4, FAINT, "search-vector", &arguments);
    }
    if hit.emphasis > 1.0 {
        page.say(4, FAINT, "search-emphasis", &[("factor", format!("{:.2}", hit.emphasis).into())]);
    }
    if let Some(way) = &hit.way {
        page.say(4, FAINT, "search-graph", &[("rank", way.rank.into())]);
        way.ties.iter().for_each(|tied| tie(page, 6, tied));
        if let Some(judged) = way.quality.as_ref().filter(|judged| !judged.because.is_empty()) {
            let because = judged.because.join(&page.texts().get("list-comma"));
            page.say(
                6,
                FAINT,
                "search-quality",
                &[("score", format!("{:+}", judged.score).into()), ("because", because.into())],
            );
        }
    }
}

/// Draws a relation between two pieces, with the supporting sentence.
fn tie(page: &mut TextPage<'_>, indent: usize, tied: &Tied) {
    let texts = page.texts();
    let said = phrase::relation(&tied.from, &tied.relation, &tied.to, texts.language());
    let mut line = said.unwrap_or_else(|| {
        format!("{} —{}→ {}", tied.from, vocabulary::shown(&tied.relation, texts.language()), tied.to)
    });
    for (key, time) in [("relation-since", &tied.since), ("relation-until", &tied.until)] {
        if !time.is_empty() {
            line.push_str(&format!("  {} {time}", texts.get(key)));
        }
    }
    page.lead(indent, "", PLAIN, FAINT, &line);
    if let Some(sentence) = tied.sentence() {
        page.paragraph(indent + 2, FAINT, &texts.fill("quote", &[("text", sentence.into())]));
    }
}

/// Draws an answer with its sources.
pub(crate) fn answered(page: &mut TextPage<'_>, answered: &ProjectAnswer, explain: bool) {
    let style = if answered.holds { PLAIN } else { CARE };
    answered.answer.lines().for_each(|line| page.paragraph(0, style, line));
    if !answered.holds {
        page.say(0, FAINT, "ask-not-held", &[]);
    }
    let cited: BTreeSet<usize> = answered.citations.iter().map(|cited| cited.number).collect();
    let is_shown = |passage: &&Passage| explain || cited.contains(&passage.number);
    let shown: Vec<&Passage> = answered.passages.iter().filter(is_shown).collect();
    if !shown.is_empty() {
        page.heading(&page.texts().get("ask-sources"));
    }
    for passage in shown {
        source(page, passage);
        let quotes = answered.citations.iter().filter(|cited| cited.number == passage.number);
        for cited in quotes.filter(|cited| passage.text.contains(&cited.quote)) {
            let quote = match is_prose(passage, &cited.quote) {
                true => page.texts().fill("quote", &[("text", cited.quote.as_str().into())]),
                false => cited.quote.clone(),
            };
            page.paragraph(5, FAINT, &quote);
        }
        if let Some(ties) = answered.ties.get(passage.number - 1) {
            ties.iter().for_each(|tied| tie(page, 5, tied));
        }
    }
    page.gap();
    if explain {
        page.labelled(0, "search-pattern", answered.pattern.as_deref().unwrap_or_default());
        if answered.left_out > 0 {
            page.say(0, FAINT, "ask-left-out", &[("count", answered.left_out.into())]);
        }
    }
    let tokens = answered.usage.input + answered.usage.output;
    if answered.model.is_empty() {
        page.say(0, FAINT, "ask-by-cards", &[]);
        return;
    }
    page.say(0, FAINT, "ask-by", &[("model", answered.model.as_str().into()), ("tokens", tokens.into())]);
    if let Some(Substitution { wanted, error }) = &answered.substitution {
        let model = answered.model.as_str().into();
        let arguments = [("model", model), ("wanted", wanted.as_str().into()), ("error", error.as_str().into())];
        page.say(0, CARE, "call-substituted", &arguments);
    }
    engines(page, &answered.engines, explain);
}

/// Returns whether the cited words are prose: from a document, or from the sentence of a fact.
fn is_prose(passage: &Passage, cited: &str) -> bool {
    match passage.citation.source.kind {
        PieceKind::Document => true,
        PieceKind::Fact => !passage.citation.name.contains(cited.trim()),
        _ => false,
    }
}

/// Draws the location of a passage, for finding the passage again.
fn source(page: &mut TextPage<'_>, passage: &Passage) {
    let kind = page.texts().word("piece", passage.citation.source.kind);
    let id = &passage.citation.source.id;
    let place = match passage.paragraph {
        Some(paragraph) => {
            let arguments = [("version", passage.citation.version.into()), ("paragraph", paragraph.into())];
            page.texts().fill("passage-place", &arguments)
        }
        None => String::new(),
    };
    let lead = format!("[{}] ", passage.number);
    let telling = match passage.telling {
        Telling::Told { chapter } => {
            let key = match passage.citation.source.kind {
                PieceKind::Document | PieceKind::Fact => "passage-told",
                _ => "passage-told-of",
            };
            page.texts().fill(key, &[("chapter", u64::from(chapter).into())])
        }
        Telling::Planned => page.texts().get("passage-planned"),
        Telling::Hidden => page.texts().get("passage-hidden"),
        Telling::Noted => String::new(),
    };
    let book = of_book(page, passage.book.as_ref());
    page.lead(0, &lead, STRONG, NAME, &format!("{kind} {}{book} ({id}{place}){telling}", passage.citation.name));
    if let Some(order) = &passage.suspicious {
        page.say(5, CARE, "passage-suspicious", &[("text", order.as_str().into())]);
    }
}

/// Draws the progress of computing vectors.
pub(crate) fn embedded(page: &mut TextPage<'_>, embedded: &EmbeddingProgress) {
    let arguments = [("count", embedded.passages.into()), ("embedder", embedded.embedder.as_str().into())];
    page.say(0, GOOD, "index-whole", &arguments);
    engines(page, &embedded.engines, true);
}

fn behind(page: &mut TextPage<'_>, embedded: &EmbeddingProgress) {
    let arguments = [
        ("having", embedded.having.into()),
        ("count", embedded.passages.into()),
        ("embedder", embedded.embedder.as_str().into()),
    ];
    page.say(0, FAINT, "index-behind", &arguments);
}
