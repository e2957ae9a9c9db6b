//! Cards, events, facts: one text each, with fields for filters.

use qingyu_story::{Character, Fact, Ladder, LadderStep, Piece, Promise, phrase};
use serde::Serialize;

use super::{Chunk, Chunker, Source, base_fields, prose, put_texts};
use crate::filter::{Fields, Value};

/// The maximum length of a card in characters; longer cards are split, with the name in every part.
const LONGEST_CARD: usize = 800;

/// Returns the chunks of a card; a long card is split into numbered parts.
pub(super) fn chunks(chunker: &Chunker, source: &Source, piece: &Piece) -> Vec<Chunk> {
    let place = chunker.place_of(piece);
    let mut fields = base_fields(source, piece.name(), &place);
    put_texts(&mut fields, "alias", piece.aliases());
    let body = read(chunker, piece, &mut fields);
    let name = with_aliases(piece);
    let texts = texts(&name, &body.join("\n"));
    let chunk = |(part, text): (u32, String)| Chunk {
        source: source.clone(),
        part,
        version: 0,
        range: None,
        text,
        heading: place.name.trim().to_owned(),
        fields: fields.clone(),
    };
    (0..).zip(texts).map(chunk).collect()
}

fn with_aliases(piece: &Piece) -> String {
    let alias: Vec<&str> = piece.aliases().iter().map(|alias| alias.trim()).filter(|alias| !alias.is_empty()).collect();
    let name = piece.name().trim();
    if alias.is_empty() { name.to_owned() } else { format!("{name} ({})", alias.join(", ")) }
}

/// Returns the text under the name; in parts if long.
fn texts(name: &str, body: &str) -> Vec<String> {
    let titled = |body: &str| match (name, body.trim()) {
        ("", body) => body.to_owned(),
        (name, "") => name.to_owned(),
        (name, body) => format!("{name}\n{body}"),
    };
    if body.chars().count() <= LONGEST_CARD {
        return Some(titled(body)).filter(|text| !text.is_empty()).into_iter().collect();
    }
    prose::cut(body).into_iter().map(|cut| titled(&body[cut.range])).collect()
}

/// Returns the lines of a piece's text, and inserts the filter values into `fields`.
fn read(chunker: &Chunker, piece: &Piece, fields: &mut Fields) -> Vec<String> {
    match piece {
        Piece::Character(card) => character(card, fields),
        Piece::Relation(relation) => {
            put_texts(fields, "participants", &[&relation.from, &relation.to]);
            let own = relation.own_kind.trim();
            put_texts(fields, "relation", &[word(&relation.kind).as_str(), own]);
            lines(&[&relation.sentence(&[], chunker.language), &relation.description])
        }
        Piece::OutlineNode(node) => {
            put_texts(fields, "kind", &[word(&node.kind)]);
            put_texts(fields, "participants", &node.participants);
            put_texts(fields, "places", node.location.as_slice());
            lines(&[
                &node.description,
                &node.goal,
                &node.participants.join(" "),
                node.location.as_deref().unwrap_or_default(),
                &node.plants.join("\n"),
                &node.pays.join("\n"),
            ])
        }
        Piece::Event(event) => {
            put_texts(fields, "mode", &[word(&event.mode)]);
            put_texts(fields, "participants", &event.participants);
            put_texts(fields, "places", event.location.as_slice());
            fields.insert("importance".into(), vec![Value::from(u32::from(event.importance))]);
            lines(&[
                &event.timestamp,
                &event.description,
                &event.participants.join(" "),
                event.location.as_deref().unwrap_or_default(),
            ])
        }
        Piece::PlotNode(plot) => {
            put_texts(fields, "kind", &[word(&plot.kind)]);
            lines(&[&plot.description])
        }
        Piece::Location(location) => lines(&[&location.description]),
        Piece::Organisation(organisation) => lines(&[&organisation.description]),
        Piece::Item(item) => {
            put_texts(fields, "holder", item.holder.as_slice());
            lines(&[&item.description, item.holder.as_deref().unwrap_or_default()])
        }
        Piece::WorldRule(rule) => lines(&[&rule.statement, &rule.limit]),
        Piece::Ladder(ladder) => self::ladder(ladder),
        Piece::Fact(fact) => self::fact(chunker, fact, fields),
        Piece::Promise(promise) => self::promise(chunker, promise, fields),
        Piece::Worldview(world) => lines(&[&world.genre, &world.era, &world.summary]),
        Piece::Style(_) | Piece::Document(_) => Vec::new(),
    }
}

fn character(card: &Character, fields: &mut Fields) -> Vec<String> {
    put_texts(fields, "role_type", &[word(&card.role_type)]);
    put_texts(fields, "traits", &card.traits);
    put_texts(fields, "occupation", &[&card.occupation]);
    put_texts(fields, "gender", &[&card.gender]);
    let custom: Vec<String> = card.custom_fields().map(|(name, value)| format!("{name}: {value}")).collect();
    put_texts(fields, "custom", &custom);
    if let Some(age) = card.age {
        fields.insert("age".into(), vec![Value::Number(age.into())]);
    }
    lines(&[
        &card.occupation,
        &card.traits.join(" "),
        &card.weakness,
        &card.personality,
        &card.gender,
        &card.appearance,
        &card.background,
        &card.goals,
        &card.conflicts,
        &card.arc,
        &custom.join("\n"),
    ])
}

/// Returns the description and a line for each step.
fn ladder(ladder: &Ladder) -> Vec<String> {
    let step = |step: &LadderStep| {
        let costs = step.costs.iter().map(|cost| match cost.amount {
            0 => cost.what.clone(),
            amount => format!("{} {amount}", cost.what),
        });
        let said =
            [step.name.clone(), step.condition.clone(), costs.collect::<Vec<_>>().join(", "), step.lifetime.clone()];
        said.into_iter().filter(|part| !part.trim().is_empty()).collect::<Vec<_>>().join(" · ")
    };
    let steps: Vec<String> = ladder.steps.iter().map(step).collect();
    lines(&[&ladder.description, &steps.join("\n")])
}

fn fact(chunker: &Chunker, fact: &Fact, fields: &mut Fields) -> Vec<String> {
    put_texts(fields, "subject", &[&fact.subject]);
    put_texts(fields, "predicate", &[&fact.predicate]);
    put_texts(fields, "object", fact.object.as_slice());
    put_texts(fields, "mode", &[word(&fact.mode)]);
    let quote = fact.source.as_ref().map_or("", |source| source.quote.as_str());
    let (by, language) = (fact.by.as_deref().unwrap_or_default(), chunker.language);
    let sentence = phrase::told(fact.mode, by, &fact.subject, &fact.sentence(language), language);
    lines(&[&sentence, &fact.from, &fact.until, quote])
}

fn promise(chunker: &Chunker, promise: &Promise, fields: &mut Fields) -> Vec<String> {
    let chapters = |places: &[String]| -> Vec<Value> {
        places.iter().filter_map(|place| chunker.chapter_of(place)).map(Value::from).collect()
    };
    let planted = chapters(&promise.planted);
    let first = promise.planted.first().and_then(|place| chunker.chapter_of(place));
    fields.extend(first.map(|chapter| ("chapter".to_owned(), vec![Value::from(chapter)])));
    fields.insert("importance".into(), vec![Value::from(u32::from(promise.importance))]);
    fields.insert("open".into(), vec![Value::from(promise.is_open())]);
    fields.extend(Some(("planted".to_owned(), planted)).filter(|(_, chapters)| !chapters.is_empty()));
    fields.extend(Some(("paid".to_owned(), chapters(&promise.paid))).filter(|(_, chapters)| !chapters.is_empty()));
    lines(&[&promise.description])
}

fn lines(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).map(str::to_owned).collect()
}

/// Returns a kind as serialized in JSON.
fn word(kind: &impl Serialize) -> String {
    let value = serde_json::to_value(kind).unwrap_or_default();
    value.as_str().unwrap_or_default().to_owned()
}
