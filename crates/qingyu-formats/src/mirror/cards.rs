//! The fields of cards, as Markdown and read back from it.
//!
//! The file is compared with the file of the card as it is now, both parsed alike: a file without changes changes no field,
//! and an edit of a field changes that field alone.

use std::collections::BTreeSet;

use qingyu_story::{Character, CustomField, Item, Language, Location, Organisation, PieceKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::words::{comma, label, one_line};

/// The own fields of cards that have none.
const NO_OWN_FIELDS: &[CustomField] = &[];
/// The longest part of a text that stands for it in a report, in characters.
const LONGEST_LABEL: usize = 40;

/// A card read back from its file.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct CardReading {
    /// The fields that were changed in the file.
    pub edits: Vec<CardEdit>,
    /// The changes that cannot be read.
    pub unread: Vec<UnreadField>,
}

/// A field changed in the file of a card.
#[derive(Debug, Clone, PartialEq)]
pub struct CardEdit {
    /// The name of the field of the piece, as in JSON.
    pub field: String,
    /// The names in the file: one, or those of the author's own fields, which are changed together.
    pub labels: Vec<String>,
    /// The new value.
    pub value: Value,
}

/// A change in the file of a card that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnreadField {
    /// The name of the field in the file; the name in the heading, or the beginning of a text without a field.
    pub label: String,
    /// The reason.
    pub reason: UnreadReason,
}

/// Reason for which a change in the file of a card cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum UnreadReason {
    /// The heading: the name also stands in chapters and other cards, so it is changed in the studio.
    Name,
    /// The card has no such field.
    UnknownField,
    /// The field is missing in the file while a name is unknown there, so it may only have been renamed.
    Missing,
    /// Not a whole number.
    NotANumber,
    /// The file does not show the field clearly enough to restore it: its entries contain the separator, or its text looks
    /// like another field.
    Ambiguous,
    /// The field is shown in the file, but changed only in the studio.
    OnlyInStudio,
    /// The file is empty.
    Empty,
    /// The story does not accept the value.
    Invalid,
}

/// A field of a card in its file.
#[derive(Debug)]
pub(super) struct CardField {
    /// The name of the field of the piece.
    name: &'static str,
    form: FieldForm,
    /// The name in the file; empty for the text without a name.
    label: String,
    value: String,
    /// Whether the value of the piece can be restored from `value`.
    is_exact: bool,
}

/// The form of a field in the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum FieldForm {
    Text,
    /// A text that may be absent.
    OptionalText,
    /// A whole number that may be absent.
    Number,
    /// Entries with a separator.
    Entries,
    /// Entries with a blank line between.
    Paragraphs,
    /// Shown only.
    Shown,
    /// A field of the author's own.
    Own,
}

impl CardField {
    fn new(name: &'static str, form: FieldForm, value: &str, language: Language) -> Self {
        let label = label(language, name).to_owned();
        Self { name, form, label, value: value.trim().to_owned(), is_exact: true }
    }

    fn text(name: &'static str, value: &str, language: Language) -> Self {
        Self::new(name, FieldForm::Text, value, language)
    }

    fn optional(name: &'static str, value: Option<&str>, language: Language) -> Self {
        Self::new(name, FieldForm::OptionalText, value.unwrap_or_default(), language)
    }

    fn entries(name: &'static str, entries: &[String], language: Language) -> Self {
        let field = Self::new(name, FieldForm::Entries, &entries.join(comma(language)), language);
        let is_exact = is_same(&entries_of(&field.value, language), entries);
        Self { is_exact, ..field }
    }

    fn description(value: &str, language: Language) -> Self {
        Self { label: String::new(), ..Self::text("description", value, language) }
    }
}

/// Returns the fields of a character.
pub(super) fn person(person: &Character, language: Language) -> Vec<CardField> {
    let text = |name: &'static str, value: &str| CardField::text(name, value, language);
    let age = person.age.map(|age| age.to_string()).unwrap_or_default();
    let voice = CardField::new("voice", FieldForm::Paragraphs, &person.voice.join("\n\n"), language);
    let is_exact = is_same(&paragraphs_of(&voice.value), &person.voice);
    let mut fields = vec![
        CardField::entries("alias", &person.alias, language),
        text("gender", &person.gender),
        CardField::new("age", FieldForm::Number, &age, language),
        CardField::optional("birth", person.birth.as_deref(), language),
        CardField::optional("death", person.death.as_deref(), language),
        text("occupation", &person.occupation),
        CardField::entries("traits", &person.traits, language),
        text("appearance", &person.appearance),
        text("personality", &person.personality),
        text("background", &person.background),
        text("goals", &person.goals),
        text("conflicts", &person.conflicts),
        text("weakness", &person.weakness),
        text("arc", &person.arc),
        text("secret", &person.secret),
        CardField { is_exact, ..voice },
    ];
    let own = |(name, value): (&str, &str)| CardField {
        name: "custom",
        form: FieldForm::Own,
        label: name.to_owned(),
        value: value.to_owned(),
        is_exact: true,
    };
    fields.extend(person.custom_fields().map(own));
    fields
}

/// Returns the fields of a place.
pub(super) fn place(place: &Location, language: Language) -> Vec<CardField> {
    let travel: Vec<String> = place
        .travel
        .iter()
        .map(|way| [&way.to, &way.duration, &way.by].map(|part| part.trim()).join(" ").trim().to_owned())
        .collect();
    vec![
        CardField::entries("alias", &place.alias, language),
        CardField::description(&place.description, language),
        CardField::new("travel", FieldForm::Shown, &travel.join(comma(language)), language),
    ]
}

/// Returns the fields of an organisation.
pub(super) fn organisation(organisation: &Organisation, language: Language) -> Vec<CardField> {
    vec![
        CardField::entries("alias", &organisation.alias, language),
        CardField::description(&organisation.description, language),
    ]
}

/// Returns the fields of an item.
pub(super) fn item(item: &Item, language: Language) -> Vec<CardField> {
    vec![
        CardField::entries("alias", &item.alias, language),
        CardField::description(&item.description, language),
        CardField::optional("holder", item.holder.as_deref(), language),
    ]
}

/// Returns the file of a card.
pub(super) fn rendered(name: &str, fields: &[CardField], language: Language) -> String {
    let colon = if language == Language::Zh { "：" } else { ": " };
    let mut content = format!("# {}\n", one_line(name));
    for CardField { label, value, .. } in fields.iter().filter(|field| !field.value.is_empty()) {
        content.push('\n');
        if !label.is_empty() {
            content.push_str(&format!("**{label}**{colon}"));
        }
        content.push_str(value);
        content.push('\n');
    }
    content
}

/// Returns the kind, the name and the file of a card as it is now; `None` if the story has no card with this id.
pub fn card_file(story: &Story, id: &str) -> Option<(PieceKind, String, String)> {
    let kinds = [PieceKind::Character, PieceKind::Location, PieceKind::Organisation, PieceKind::Item];
    kinds.into_iter().find_map(|kind| {
        let (name, fields, _) = card(story, kind, id)?;
        Some((kind, name.to_owned(), rendered(name, &fields, story.language)))
    })
}

/// Returns the changes that `file`, the file of a card edited outside, makes to the card as it is now; `None` if the story
/// has no such card.
///
/// A field without a line in the file is emptied. An unknown name on the card of a character is a new field of the author's
/// own, unless a field of the card is missing as well.
pub fn read_card(story: &Story, kind: PieceKind, id: &str, file: &str) -> Option<CardReading> {
    let language = story.language;
    let (name, fields, own) = card(story, kind, id)?;
    let known: BTreeSet<&str> = fields.iter().map(|field| field.label.as_str()).collect();
    let has_text = known.contains("");
    let in_values = fields.iter().flat_map(|field| field.value.lines()).filter_map(labelled).map(|(label, _)| label);
    let plain: BTreeSet<&str> = in_values.filter(|label| !known.contains(label)).collect();
    let written = ParsedCard::of(&rendered(name, &fields, language), has_text, &plain);
    let read = ParsedCard::of(file, has_text, &plain);
    let mut reading = CardReading::default();
    if read.is_empty() {
        reading.refuse(name, UnreadReason::Empty);
        return Some(reading);
    }
    if let Some(heading) = read.heading.as_ref().filter(|heading| **heading != one_line(name)) {
        reading.refuse(heading, UnreadReason::Name);
    }
    let is_own = |label: &str| own.iter().any(|field| field.name.trim() == label);
    let unknown: Vec<&(String, String)> = read
        .values
        .iter()
        .filter(|(label, value)| !value.is_empty() && !known.contains(label.as_str()) && !is_own(label))
        .filter(|(label, _)| written.values_of(label) != read.values_of(label))
        .collect();
    let mut has_missing = false;
    for field in fields.iter().filter(|field| field.form != FieldForm::Own) {
        let (old, new) = (written.values_of(&field.label), read.values_of(&field.label));
        if old == new {
            continue;
        }
        if new.is_empty() && !unknown.is_empty() {
            has_missing = true;
            reading.refuse(&field.label, UnreadReason::Missing);
            continue;
        }
        let is_clear = field.is_exact && shows(&old, &field.value) && new.len() <= 1;
        let value = match is_clear {
            true => value(field.form, new.first().copied().unwrap_or_default(), language),
            false => Err(UnreadReason::Ambiguous),
        };
        match value {
            Ok(value) => {
                let (field, labels) = (field.name.to_owned(), vec![field.label.clone()]);
                reading.edits.push(CardEdit { field, labels, value });
            }
            Err(reason) => reading.refuse(&field.label, reason),
        }
    }
    let (mut custom, mut labels) = (Vec::new(), Vec::new());
    for field in own {
        let label = field.name.trim();
        let (old, new) = (written.values_of(label), read.values_of(label));
        if old == new {
            custom.push(field.clone());
            continue;
        }
        let is_shared = fields.iter().any(|other| other.form != FieldForm::Own && other.label == label);
        if is_shared || new.len() > 1 || !shows(&old, field.value.trim()) {
            custom.push(field.clone());
            reading.refuse(label, UnreadReason::Ambiguous);
            continue;
        }
        labels.push(label.to_owned());
        custom.extend(new.first().map(|value| CustomField { name: field.name.clone(), value: (*value).to_owned() }));
    }
    for (label, value) in unknown {
        if label.is_empty() || kind != PieceKind::Character || has_missing {
            let beginning: String = value.chars().take(LONGEST_LABEL).collect();
            let said = if label.is_empty() { one_line(&beginning) } else { label.clone() };
            reading.refuse(&said, UnreadReason::UnknownField);
        } else {
            labels.push(label.clone());
            custom.push(CustomField { name: label.clone(), value: value.clone() });
        }
    }
    if !labels.is_empty() {
        reading.edits.push(CardEdit { field: "custom".into(), labels, value: json!(custom) });
    }
    Some(reading)
}

impl CardReading {
    /// Returns whether the file changes nothing.
    pub fn is_empty(&self) -> bool {
        self.edits.is_empty() && self.unread.is_empty()
    }

    fn refuse(&mut self, label: &str, reason: UnreadReason) {
        self.unread.push(UnreadField { label: label.to_owned(), reason });
    }
}

/// The file of a card, parsed.
struct ParsedCard {
    heading: Option<String>,
    /// The values with their names, in the order of the file; first the text without a name.
    values: Vec<(String, String)>,
}

impl ParsedCard {
    /// Parses a file. On a card with a text without a name, a named field is a single line; otherwise it ends at the next
    /// name. Names in `plain` are words of a text.
    fn of(file: &str, has_text: bool, plain: &BTreeSet<&str>) -> Self {
        let file = file.strip_prefix('\u{feff}').unwrap_or(file);
        let mut lines = file.lines().map(str::trim_end).skip_while(|line| line.is_empty()).peekable();
        let heading = lines.next_if(|line| *line == "#" || line.starts_with("# ")).map(|line| one_line(&line[1..]));
        let mut values: Vec<(String, Vec<&str>)> = vec![(String::new(), Vec::new())];
        let mut current = 0;
        for line in lines {
            match labelled(line).filter(|(label, _)| !plain.contains(label)) {
                Some((label, rest)) => {
                    values.push((label.to_owned(), vec![rest]));
                    current = if has_text { 0 } else { values.len() - 1 };
                }
                None => values[current].1.push(line),
            }
        }
        let values = values.into_iter().map(|(label, lines)| (label, lines.join("\n").trim().to_owned())).collect();
        Self { heading, values }
    }

    fn is_empty(&self) -> bool {
        self.heading.is_none() && self.values.iter().all(|(_, value)| value.is_empty())
    }

    /// Returns the values with a name that are not empty.
    fn values_of(&self, label: &str) -> Vec<&str> {
        let values = self.values.iter().filter(|(of, value)| of == label && !value.is_empty());
        values.map(|(_, value)| value.as_str()).collect()
    }
}

/// Returns the name, the fields and the author's own fields of a card.
fn card<'s>(story: &'s Story, kind: PieceKind, id: &str) -> Option<(&'s str, Vec<CardField>, &'s [CustomField])> {
    let (world, language) = (story.worldview.as_ref(), story.language);
    match kind {
        PieceKind::Character => {
            let found = story.characters.iter().find(|person| person.id == id)?;
            Some((found.name.as_str(), person(found, language), found.custom.as_slice()))
        }
        PieceKind::Location => {
            let found = world?.locations.iter().find(|place| place.id == id)?;
            Some((found.name.as_str(), place(found, language), NO_OWN_FIELDS))
        }
        PieceKind::Organisation => {
            let found = world?.organisations.iter().find(|organisation| organisation.id == id)?;
            Some((found.name.as_str(), organisation(found, language), NO_OWN_FIELDS))
        }
        PieceKind::Item => {
            let found = world?.items.iter().find(|item| item.id == id)?;
            Some((found.name.as_str(), item(found, language), NO_OWN_FIELDS))
        }
        _ => None,
    }
}

/// Splits a line such as `**年龄**：52` into the name and the rest.
fn labelled(line: &str) -> Option<(&str, &str)> {
    let (label, rest) = line.strip_prefix("**")?.split_once("**")?;
    let (label, rest) = match label.strip_suffix(['：', ':']) {
        Some(label) => (label, rest),
        None => (label, rest.strip_prefix(['：', ':'])?),
    };
    let label = label.trim();
    (!label.is_empty()).then_some((label, rest.trim_start()))
}

/// Parses the value of a field.
fn value(form: FieldForm, text: &str, language: Language) -> Result<Value, UnreadReason> {
    match form {
        FieldForm::Text | FieldForm::Own => Ok(text.into()),
        FieldForm::OptionalText | FieldForm::Number if text.is_empty() => Ok(Value::Null),
        FieldForm::OptionalText => Ok(text.into()),
        FieldForm::Number => text.parse::<i32>().map(Value::from).map_err(|_| UnreadReason::NotANumber),
        FieldForm::Entries => Ok(json!(entries_of(text, language))),
        FieldForm::Paragraphs => Ok(json!(paragraphs_of(text))),
        FieldForm::Shown => Err(UnreadReason::OnlyInStudio),
    }
}

/// Returns whether the values in the file are the single value of a field, if it has one.
fn shows(values: &[&str], value: &str) -> bool {
    let value = value.lines().map(str::trim_end).collect::<Vec<_>>().join("\n");
    match values {
        [] => value.is_empty(),
        [shown] => *shown == value,
        _ => false,
    }
}

fn entries_of(text: &str, language: Language) -> Vec<String> {
    let entries = text.split(comma(language).trim_end()).map(str::trim).filter(|entry| !entry.is_empty());
    entries.map(str::to_owned).collect()
}

fn paragraphs_of(text: &str) -> Vec<String> {
    let mut paragraphs: Vec<String> = vec![String::new()];
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() {
            paragraphs.push(String::new());
        } else if let Some(last) = paragraphs.last_mut() {
            if !last.is_empty() {
                last.push('\n');
            }
            last.push_str(line);
        }
    }
    paragraphs.retain(|paragraph| !paragraph.trim().is_empty());
    paragraphs
}

/// Returns whether the entries are those of a piece, apart from space around them.
fn is_same(entries: &[String], of_piece: &[String]) -> bool {
    entries.iter().map(|entry| entry.trim()).eq(of_piece.iter().map(|entry| entry.trim()))
}
