//! Questions that a field of a card, or a fact, answers: "沈砚秋多大？", "What is Nora's job?".
//!
//! The forms of questions are in `card_question.toml`. A question is answered only if all of its words are a form about
//! exactly one named piece, and only with the words of the card; contradicting values answer nothing. Who holds a thing is
//! answered as of a chapter, too. Several questions in a row may refer to the first name by a pronoun, or leave it out;
//! they are answered together or not at all.
//!
//! ```
//! use qingyu_knowledge::card_question;
//! use qingyu_story::Story;
//!
//! let story: Story = serde_json::from_str(r#"{"characters": [{"name": "沈砚秋", "age": 26}]}"#)?;
//! let answer = card_question::answer("沈砚秋多大？", &story).expect("the card says so");
//! assert_eq!(answer[0].quote, "年龄：26");
//! assert_eq!(card_question::answer("沈砚秋的父亲多大？", &story), None);
//! # Ok::<(), serde_json::Error>(())
//! ```

use std::collections::BTreeSet;
use std::sync::LazyLock;

use qingyu_story::chapters::Chapters;
use qingyu_story::fact::with_unit;
use qingyu_story::holdings::{Holdings, Whereabouts};
use qingyu_story::language::is_han;
use qingyu_story::{Fact, Language, Mode, Names, Piece, PieceKind, RelationKind, Story, predicate};
use serde::Deserialize;
use serde_json::Value;

use crate::analysis::fold;
use crate::chunk::Source;
use crate::telling::Tellings;

/// The maximum number of questions in a row.
const QUESTIONS: usize = 6;
/// Words before or after a question, without meaning.
const POLITE: [&str; 17] = [
    "请问",
    "请告诉我",
    "告诉我",
    "我想知道",
    "你知道",
    "查一下",
    "帮我查一下",
    "介绍一下",
    "那么",
    "那",
    "please tell me",
    "tell me",
    "do you know",
    "please",
    "and ",
    "呢",
    "啊",
];
/// Pronouns that refer to the name of the question before, longest first.
const PRONOUNS: [&str; 11] = ["他", "她", "它", "ta", "his ", "her ", "its ", " he ", " she ", " him", " her"];
/// The rest of a Chinese question about a noun: `{}的N是什么`, without `的`.
const ZH_NOUNS: [&str; 14] = [
    "{}N",
    "{}N是什么",
    "{}N是",
    "{}N如何",
    "{}N怎么样",
    "{}N怎样",
    "{}N是怎样",
    "{}N是多少",
    "{}N是什么样",
    "{}有什么N",
    "{}有哪些N",
    "{}N有哪些",
    "{}是什么N",
    "{}什么N",
];
/// English questions about a noun.
const EN_NOUNS: [&str; 8] = [
    "what is {}'s N",
    "what's {}'s N",
    "what are {}'s N",
    "{}'s N",
    "what is the N of {}",
    "what are the N of {}",
    "what N does {} have",
    "the N of {}",
];
/// Questions about kin: `谁是{}N`, without `的`.
const KIN: [&str; 7] =
    ["谁是{}N", "{}N是谁", "{}N叫什么", "{}N叫什么名字", "who is {}'s N", "who's {}'s N", "what is {}'s N's name"];

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct QuestionForms {
    field: Vec<FieldForms>,
    kin: Vec<KinForms>,
    /// Words for the end of a chapter, with `{}` for the chapter.
    as_of: Vec<String>,
}

/// The questions about one field.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct FieldForms {
    /// Fields of a card; all that have a value are quoted.
    fields: Vec<String>,
    /// Predicates of facts that say the same.
    facts: Vec<String>,
    /// The Chinese and the English name.
    label: [String; 2],
    /// Words on a card in whose clause a colour answers.
    #[serde(default)]
    about: Vec<String>,
    nouns: Vec<String>,
    forms: Vec<String>,
}

/// The questions about a relation whose description names the kind of relative.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct KinForms {
    label: [String; 2],
    nouns: Vec<String>,
    /// The relation of the relative to the named person.
    kind: RelationKind,
    /// Words of which the description has one.
    says: Vec<String>,
    /// Predicates of facts that say the same in both directions.
    #[serde(default)]
    facts: Vec<String>,
    /// The genders of cards that are no such relative.
    #[serde(default)]
    not: Vec<String>,
}

static FORMS: LazyLock<QuestionForms> =
    LazyLock::new(|| toml::from_str(include_str!("card_question.toml")).expect("the forms are part of the program"));

/// A quotation that answers a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardQuote {
    /// The card, or the document of the fact.
    pub source: Source,
    /// The name of the card, or the title of the document.
    pub name: String,
    /// The name of the piece that the question is about.
    pub about: String,
    /// The words: `年龄：26`, or the sentence that asserts the fact.
    pub quote: String,
    /// The same as an answer: `沈砚秋的年龄：26`.
    pub answer: String,
    /// Whether readers do not know it: the secret of a card.
    pub is_hidden: bool,
}

/// Returns the quotations that answer `question`; `None` unless every part of it is answered.
pub fn answer(question: &str, story: &Story) -> Option<Vec<CardQuote>> {
    let names = Names::of(story);
    let parts: Vec<&str> =
        question.split(['？', '?', '\n', '；']).map(str::trim).filter(|part| !part.is_empty()).collect();
    if parts.is_empty() || parts.len() > QUESTIONS {
        return None;
    }
    let chapters = Chapters::with(story, &names);
    let mut subject: Option<(PieceKind, usize)> = None;
    let mut quotes = Vec::new();
    for part in parts {
        let (as_of, part) = without_chapter(part, &chapters);
        let (named, forms) = read(&part, &names, subject)?;
        subject = Some(named);
        let piece = story.piece(named.0, named.1)?;
        let found = forms.iter().find_map(|form| match as_of {
            None => answered(form, &piece, story).or_else(|| of_holder(form, named, (story, &names), None)),
            Some(_) => of_holder(form, named, (story, &names), as_of),
        })?;
        quotes.extend(found);
    }
    Some(quotes)
}

/// Returns the place of the chapter at whose end a question is asked, and the question without it.
fn without_chapter(part: &str, chapters: &Chapters) -> (Option<u32>, String) {
    let text = part.to_ascii_lowercase();
    let is_mark = |c: char| c.is_whitespace() || matches!(c, ',' | '，' | '、');
    for form in &FORMS.as_of {
        let Some((before, after)) = form.split_once("{}") else { continue };
        let starts: Vec<usize> = match before {
            "" => vec![0],
            before => text.match_indices(before).map(|(at, _)| at).collect(),
        };
        for start in starts {
            let name = start + before.len();
            let rest = &text[name..];
            let end = match after {
                "" => rest.find([',', '，']).unwrap_or(rest.len()),
                after => match rest.find(after) {
                    Some(end) => end,
                    None => continue,
                },
            };
            let words = rest[..end].trim();
            if !words.is_empty()
                && let Ok(chapter) = chapters.resolve(words)
            {
                let behind = part[name + end + after.len()..].trim_start_matches(is_mark);
                return (Some(chapter.place), format!("{}{behind}", part[..start].trim_end_matches(is_mark)));
            }
        }
    }
    (None, part.to_owned())
}

/// Returns the piece that a question is about, and the question in comparable form with `{}` for the name: with the
/// name itself, a pronoun, or without a subject.
fn read(part: &str, names: &Names, before: Option<(PieceKind, usize)>) -> Option<((PieceKind, usize), Vec<String>)> {
    let mentions = names.mentions(part);
    // The language of the words around the name.
    let around =
        mentions.first().map_or(part.to_owned(), |name| format!("{}{}", &part[..name.start], &part[name.end..]));
    let zh = around.chars().any(is_han);
    if mentions.is_empty()
        && let Some((start, end, position)) = named_in_part(part, names)
    {
        let text = format!("{}{{}}{}", &part[..start], &part[end..]);
        return Some(((PieceKind::Character, position), vec![plain(&text, zh)]));
    }
    match mentions.as_slice() {
        [mention] => {
            let [named] = mention.bearers.as_slice() else { return None };
            let text = format!("{}{{}}{}", &part[..mention.start], &part[mention.end..]);
            Some(((named.kind, named.position), vec![plain(&text, zh)]))
        }
        [] => {
            let subject = before?;
            let padded = format!(" {} ", part.to_lowercase());
            let with_name = |pronoun: &&str| {
                let rest = padded.split_once(*pronoun)?;
                let own = if pronoun.trim_end() != *pronoun && pronoun.starts_with('h') { "'s " } else { "" };
                let own = if *pronoun == "its " { "'s " } else { own };
                let lead = if pronoun.starts_with(' ') { " " } else { "" };
                let trail = if pronoun.ends_with(' ') && own.is_empty() { " " } else { "" };
                Some(format!("{}{lead}{{}}{own}{trail}{}", rest.0, rest.1))
            };
            let named = PRONOUNS.iter().filter_map(with_name);
            let bare = if zh { Some(format!("{{}}{part}")) } else { None };
            Some((subject, named.chain(bare).map(|text| plain(&text, zh)).collect()))
        }
        _ => None,
    }
}

/// Returns the byte range of the only part of a name in a text, such as `Eleanor` of `Eleanor Tregear`, and the position of
/// its character.
fn named_in_part(text: &str, names: &Names) -> Option<(usize, usize, usize)> {
    let found = names.mentions_in_part(text);
    let [(start, position)] = found.as_slice() else { return None };
    let ends = text[*start..].char_indices().map(|(at, c)| start + at + c.len_utf8());
    let is_it = |end: &usize| {
        let part = &text[*start..*end];
        let named = names.resolve(PieceKind::Character, part).filter(|_| part.trim_end() == part);
        named.is_some_and(|named| named.position == *position)
    };
    Some((*start, ends.filter(is_it).last()?, *position))
}

/// Returns a question without politeness, marks, and in Chinese without `的` and blanks.
fn plain(text: &str, zh: bool) -> String {
    let mut text = fold(text).replace('’', "'");
    for polite in POLITE {
        let is_free = !zh || !polite.is_ascii();
        if let Some(rest) = text.trim_start().strip_prefix(polite).filter(|_| is_free) {
            text = rest.to_owned();
        }
        if zh && let Some(rest) = text.trim_end().strip_suffix(polite) {
            text = rest.to_owned();
        }
    }
    let text = text.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '{' | '}'));
    match zh {
        true => text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '的' | ',' | '、')).collect(),
        false => text.split_whitespace().collect::<Vec<_>>().join(" "),
    }
}

/// Returns the quotations for a question in comparable form.
fn answered(form: &str, piece: &Piece, story: &Story) -> Option<Vec<CardQuote>> {
    let is_asked = |field: &&FieldForms| !field.is_holder() && field.is_asked(form);
    let by_field = FORMS.field.iter().filter(is_asked).find_map(|field| of_field(field, piece, story));
    by_field.or_else(|| {
        let kin = FORMS.kin.iter().find(|kin| is_noun(form, &kin.nouns, KIN.iter()))?;
        of_kin(kin, piece, story)
    })
}

/// Returns whether a question in comparable form has one of the nouns in one of the frames.
fn is_noun<'f>(form: &str, nouns: &[String], mut frames: impl Iterator<Item = &'f &'f str>) -> bool {
    frames.any(|frame| nouns.iter().any(|noun| frame.replace('N', &fold(noun)) == form))
}

impl FieldForms {
    /// Returns whether a question in comparable form is about the field.
    fn is_asked(&self, form: &str) -> bool {
        self.forms.iter().any(|own| own.replace('的', "") == form)
            || is_noun(form, &self.nouns, ZH_NOUNS.iter().chain(&EN_NOUNS))
    }

    /// Returns whether the field is the holder of a thing, which changes in the course of the book.
    fn is_holder(&self) -> bool {
        self.fields.first().is_some_and(|field| field == "holder")
    }
}

/// Returns the quotation that says who holds a thing at the end of a chapter, of the book by default; `None` if nobody
/// certainly does.
fn of_holder(
    form: &str,
    (kind, position): (PieceKind, usize),
    (story, names): (&Story, &Names),
    as_of: Option<u32>,
) -> Option<Vec<CardQuote>> {
    let forms = FORMS.field.iter().find(|field| field.is_holder() && field.is_asked(form))?;
    let piece = story.piece(kind, position).filter(|_| kind == PieceKind::Item)?;
    let holdings = Holdings::as_of(story, names, as_of);
    let Whereabouts::Held(holder) = holdings.places.get(&position)? else { return None };
    let quote = match holdings.told_by.get(&position) {
        Some(fact) => fact_quote(&forms.label, &story.facts[*fact], holder, &piece, story),
        None => card_quote(forms, "holder", holder, &piece, story),
    };
    Some(vec![quote])
}

/// Returns the quotations of a field: of the card, of a clause of it, or of the facts.
fn of_field(forms: &FieldForms, piece: &Piece, story: &Story) -> Option<Vec<CardQuote>> {
    let card = piece.fields();
    let of_card = |field: &String| Some((field.clone(), shown(card.get(field)?, story.language)?));
    let told: Vec<(String, String)> = forms.fields.iter().filter_map(of_card).collect();
    let facts: Vec<&Fact> = story.facts.iter().filter(|fact| states_field(fact, forms, piece)).collect();
    let values: BTreeSet<String> = facts.iter().map(|fact| fold(&value_of(fact))).collect();
    if !told.is_empty() {
        let value = fold(&told[0].1);
        // Only narrated facts can contradict the card: a flashback tells an earlier state.
        let now = facts.iter().filter(|fact| fact.mode == Mode::Narrated);
        let values: BTreeSet<String> = now.map(|fact| fold(&value_of(fact))).collect();
        // A fact may have a unit that the card has not: `26` and `26岁`.
        if values.iter().any(|other| !other.starts_with(&value) && !value.starts_with(other.as_str())) {
            return None;
        }
        return Some(told.into_iter().map(|(field, value)| card_quote(forms, &field, &value, piece, story)).collect());
    }
    if let Some(fact) = facts.first().filter(|_| values.len() == 1) {
        return Some(vec![fact_quote(&forms.label, fact, &value_of(fact), piece, story)]);
    }
    if !values.is_empty() || forms.about.is_empty() {
        return None;
    }
    let clause =
        coloured_clause(&forms.about, card.iter().filter(|(field, _)| *field != "secret").map(|(_, value)| value))?;
    Some(vec![card_quote(forms, "", &clause, piece, story)])
}

/// Returns whether a narrated fact states one of the predicates about the piece.
fn states_field(fact: &Fact, forms: &FieldForms, piece: &Piece) -> bool {
    let name = predicate::find(&fact.predicate).map_or(fact.predicate.as_str(), |known| known.name.as_str());
    let subject = fold(&fact.subject);
    let is_subject = [piece.id(), piece.name()].iter().any(|own| !own.is_empty() && fold(own) == subject)
        || piece.aliases().iter().any(|alias| fold(alias) == subject);
    let is_told = matches!(fact.mode, Mode::Narrated | Mode::Flashback) && fact.until.is_empty();
    is_told && is_subject && forms.facts.iter().any(|known| known == name)
}

fn value_of(fact: &Fact) -> String {
    match (&fact.object, &fact.value) {
        (Some(object), _) => object.clone(),
        (None, Value::String(text)) => with_unit(text, &fact.unit),
        (None, value) => with_unit(&value.to_string(), &fact.unit),
    }
}

/// Returns a field's value as text; `None` if empty.
fn shown(value: &Value, language: Language) -> Option<String> {
    let text = match value {
        Value::String(text) => text.trim().to_owned(),
        Value::Number(number) => number.to_string(),
        Value::Array(list) => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            texts.join(if language == Language::Zh { "、" } else { ", " })
        }
        _ => String::new(),
    };
    (!text.is_empty()).then_some(text)
}

/// Returns the clause of a card that names one of the words and a colour.
fn coloured_clause<'c>(about: &[String], texts: impl Iterator<Item = &'c Value>) -> Option<String> {
    const COLOURS: [&str; 32] = [
        "黑", "白", "灰", "蓝", "绿", "红", "棕", "褐", "金", "银", "紫", "黄", "藍", "綠", "紅", "琥珀", "black",
        "white", "grey", "gray", "blue", "green", "red", "brown", "hazel", "golden", "silver", "violet", "yellow",
        "amber", "blond", "auburn",
    ];
    let mut clauses =
        texts.filter_map(Value::as_str).flat_map(|text| text.split(['。', '；', '，', '.', ';', ',', '\n']));
    let found = clauses.find(|clause| {
        let clause = fold(clause);
        about.iter().any(|word| clause.contains(word.as_str())) && COLOURS.iter().any(|word| clause.contains(word))
    });
    found.map(|clause| clause.trim().to_owned())
}

/// Returns the relative whose relation says which relative it is.
fn of_kin(kin: &KinForms, piece: &Piece, story: &Story) -> Option<Vec<CardQuote>> {
    let own = fold(piece.name());
    let inverse = if kin.kind == RelationKind::ParentOf { RelationKind::ChildOf } else { kin.kind };
    let told = |text: &str| kin.says.iter().any(|word| fold(text).contains(word.as_str()));
    let is_other_gender = |name: &str| {
        let mut cards = story.characters.iter();
        let card = cards.find(|card| fold(&card.name) == fold(name));
        card.is_some_and(|card| kin.not.iter().any(|gender| fold(&card.gender) == *gender))
    };
    let relatives = story.character_relations.iter().filter_map(|relation| {
        let is_to = relation.kind == kin.kind && fold(&relation.to) == own;
        let is_from = relation.kind == inverse && fold(&relation.from) == own;
        let other = if is_to { &relation.from } else { &relation.to };
        ((is_to || is_from) && told(&relation.description) && !is_other_gender(other)).then_some((relation, other))
    });
    let relatives: Vec<_> = relatives.collect();
    if relatives.is_empty() {
        return of_kin_facts(kin, piece, story, is_other_gender);
    }
    let [(relation, other)] = relatives.as_slice() else { return None };
    let (zh, colon) = (story.language == Language::Zh, colon(story.language));
    let label = &kin.label[usize::from(!zh)];
    let description = relation.description.trim();
    let quote = match zh {
        true => format!("{label}{colon}{other}（{description}）"),
        false => format!("{label}{colon}{other} ({description})"),
    };
    Some(vec![CardQuote {
        source: Source { kind: PieceKind::Relation, id: relation.id.clone() },
        name: format!("{} – {}", relation.from, relation.to),
        about: piece.name().to_owned(),
        answer: of(piece.name(), &quote, story.language),
        quote,
        is_hidden: false,
    }])
}

/// Returns the relative whom facts alone give.
fn of_kin_facts(
    kin: &KinForms,
    piece: &Piece,
    story: &Story,
    is_other_gender: impl Fn(&str) -> bool,
) -> Option<Vec<CardQuote>> {
    let is_own = |name: &str| {
        let name = fold(name);
        let mut own = [piece.id(), piece.name()].into_iter().chain(piece.aliases().iter().map(String::as_str));
        own.any(|own| !own.is_empty() && fold(own) == name)
    };
    let is_told = |fact: &&Fact| {
        let name = predicate::find(&fact.predicate).map_or(fact.predicate.as_str(), |known| known.name.as_str());
        let is_so = matches!(fact.mode, Mode::Narrated | Mode::Flashback) && fact.value != Value::Bool(false);
        is_so && fact.until.trim().is_empty() && kin.facts.iter().any(|known| known == name)
    };
    let told = story.facts.iter().filter(is_told).filter_map(|fact| {
        let object = fact.object.as_deref()?;
        match (is_own(&fact.subject), is_own(object)) {
            (true, false) => Some((fact, object)),
            (false, true) => Some((fact, fact.subject.as_str())),
            _ => None,
        }
    });
    let told: Vec<(&Fact, &str)> = told.filter(|(_, other)| !is_other_gender(other)).collect();
    let (fact, relative) = *told.first()?;
    let is_one = told.iter().all(|(_, other)| fold(other) == fold(relative));
    is_one.then(|| vec![fact_quote(&kin.label, fact, relative, piece, story)])
}

fn card_quote(forms: &FieldForms, field: &str, value: &str, piece: &Piece, story: &Story) -> CardQuote {
    // The second of several fields has its own name: traits beside the personality.
    let own = FORMS.field.iter().find(|other| other.fields.first().is_some_and(|first| first == field));
    let label = &own.unwrap_or(forms).label[usize::from(story.language != Language::Zh)];
    let quote = format!("{label}{}{value}", colon(story.language));
    CardQuote {
        source: Source { kind: piece.kind(), id: piece.id().to_owned() },
        name: piece.name().to_owned(),
        about: piece.name().to_owned(),
        answer: of(piece.name(), &quote, story.language),
        quote,
        is_hidden: field == "secret" && keeps_secret(piece, story),
    }
}

fn keeps_secret(piece: &Piece, story: &Story) -> bool {
    let card = story.characters.iter().find(|card| piece.kind() == PieceKind::Character && card.id == piece.id());
    card.is_none_or(|card| Tellings::of(story).keeps_secret(Some(card)))
}

/// Returns the sentence of a fact that says `value`, or, without a sentence, the value.
fn fact_quote(label: &[String; 2], fact: &Fact, value: &str, piece: &Piece, story: &Story) -> CardQuote {
    let label = &label[usize::from(story.language != Language::Zh)];
    let told = format!("{label}{}{value}", colon(story.language));
    let source = fact.source.as_ref().filter(|source| !source.quote.trim().is_empty());
    let document = source.and_then(|source| {
        let is_it =
            |document: &&qingyu_story::Document| document.id == source.document || document.title == source.document;
        story.documents.iter().find(is_it)
    });
    let quoted = source.map(|source| source.quote.trim().to_owned());
    CardQuote {
        source: match document {
            Some(document) => Source { kind: PieceKind::Document, id: document.id.clone() },
            None => Source { kind: PieceKind::Fact, id: fact.id.clone() },
        },
        name: document.map_or_else(|| piece.name().to_owned(), |document| document.title.clone()),
        about: piece.name().to_owned(),
        answer: of(piece.name(), &told, story.language),
        quote: quoted.unwrap_or(told),
        is_hidden: false,
    }
}

fn of(name: &str, told: &str, language: Language) -> String {
    if language == Language::Zh { format!("{name}的{told}") } else { format!("{name}'s {told}") }
}

fn colon(language: Language) -> &'static str {
    if language == Language::Zh { "：" } else { ": " }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn story() -> Story {
        serde_json::from_str(include_str!("card_question/story.json")).unwrap()
    }

    /// Questions, each with the answer; `-` for none.
    const QUESTIONS: &str = include_str!("card_question/questions.tsv");

    #[test]
    fn questions_are_answered_by_their_field_or_not_at_all() {
        let story = story();
        let rows: Vec<_> = QUESTIONS.lines().filter_map(|line| line.split_once('\t')).collect();
        assert!(rows.len() >= 50, "{} questions", rows.len());
        let got = |question: &str| match answer(question, &story) {
            None => "-".to_owned(),
            Some(quotes) => quotes.iter().map(|quote| quote.answer.as_str()).collect::<Vec<_>>().join(" | "),
        };
        let wrong = rows.iter().filter(|(question, expected)| got(question) != *expected);
        let wrong: Vec<String> =
            wrong.map(|(question, expected)| format!("{question} {expected} != {}", got(question))).collect();
        assert_eq!(wrong, [""; 0]);
    }

    #[test]
    fn a_part_of_a_name_is_enough_and_the_past_contradicts_no_card() {
        let story: Story = serde_json::from_str(
            r#"{"language": "en", "characters": [{"id": "c-1", "name": "Eleanor Tregear"}, {"id": "c-2", "name": "John Tregear"},
                {"id": "c-3", "name": "Silas Penhale", "occupation": "landlord of the Lugger", "death": "1911-10-14"}],
                "character_relations": [{"id": "r-1", "from": "John Tregear", "to": "Eleanor Tregear", "type": "parent_of",
                "description": "Her father, drowned when she was fifteen."}],
                "facts": [{"id": "f-1", "subject": "Silas Penhale", "predicate": "occupation", "value": "mate", "mode": "flashback"}]}"#,
        )
        .unwrap();
        let quote = |question: &str| answer(question, &story).map(|quotes| quotes[0].quote.clone());
        assert!(quote("Who is Eleanor's father?").is_some_and(|quote| quote.starts_with("father: John Tregear")));
        let trade = quote("What is Silas Penhale's occupation?");
        assert_eq!(trade.as_deref(), Some("occupation: landlord of the Lugger"));
        assert_eq!(quote("When did Silas die?").as_deref(), Some("death: 1911-10-14"));
        assert_eq!(quote("Who is Tregear's father?"), None, "two have the name");
    }

    #[test]
    fn an_english_book_is_answered_in_english() {
        let story: Story = serde_json::from_str(
            r#"{"language": "en", "characters": [{"id": "c-1", "name": "Nora Finch", "alias": ["Nora"], "age": 19,
                "occupation": "miller", "traits": ["stubborn", "quick"], "background": "Grey eyes, a scar.", "gender": "woman",
                "appearance": "Small, with flour in her hair.", "custom": [{"name": "Mill", "value": "the upper one"}]}]}"#,
        )
        .unwrap();
        for (question, expected) in [
            ("How old is Nora?", Some("Nora Finch's age: 19")),
            ("What is Nora Finch's job?", Some("Nora Finch's occupation: miller")),
            ("What's Nora’s job?", Some("Nora Finch's occupation: miller")),
            ("Is Nora a man or a woman?", Some("Nora Finch's gender: woman")),
            ("What does Nora look like?", Some("Nora Finch's looks: Small, with flour in her hair.")),
            ("what are Nora's traits?", Some("Nora Finch's traits: stubborn, quick")),
            ("What colour are Nora's eyes?", Some("Nora Finch's eye colour: Grey eyes")),
            ("How old is Nora? What is her job?", Some("Nora Finch's age: 19 | Nora Finch's occupation: miller")),
            ("How old is Nora's brother?", None),
            ("What is Nora's secret?", None),
            ("Why is Nora's job dangerous?", None),
        ] {
            let got = answer(question, &story)
                .map(|quotes| quotes.iter().map(|quote| quote.answer.as_str()).collect::<Vec<_>>().join(" | "));
            assert_eq!(got.as_deref(), expected, "{question}");
        }
    }
}
