//! Character cards of the participants.

use std::collections::BTreeMap;

use qingyu_llm::estimate;
use qingyu_story::{Character, Prose, RoleType, Story};

use super::cut::clip;
use crate::labels::Labels;

/// Maximum number of dialogue lines per character.
const LINES: usize = 2;
/// Length in characters of a line that shows a character's voice.
const LINE: std::ops::RangeInclusive<usize> = 8..=40;
/// Minimum tokens of a cut card.
const LEAST: u64 = 60;

/// Returns the cards; overlong cards are cut at a sentence end, a protagonist's last. `dead` has a remark by id on each who
/// is dead.
pub(super) fn cards(
    cast: &[Character],
    said: &BTreeMap<String, Vec<String>>,
    dead: &BTreeMap<String, String>,
    words: &Labels,
    tokens: u64,
) -> Vec<String> {
    let whole: Vec<String> =
        cast.iter().map(|card| card_of(card, said.get(&card.id), dead.get(&card.id), words)).collect();
    let cost = |line: &String| estimate::tokens(line) + 2;
    let total: u64 = whole.iter().map(cost).sum();
    if total <= tokens {
        return whole;
    }
    let leads = |card: &Character| card.role_type == RoleType::Protagonist;
    let own: u64 = whole.iter().zip(cast).filter(|(_, card)| leads(card)).map(|(line, _)| cost(line)).sum();
    // Protagonists get at most half of the budget.
    let own = own.min(tokens / 2);
    let others = u64::try_from(cast.iter().filter(|card| !leads(card)).count().max(1)).unwrap_or(1);
    let leading = u64::try_from(cast.iter().filter(|card| leads(card)).count().max(1)).unwrap_or(1);
    let mut left = tokens - own;
    let mut waiting = others;
    // Budget unused by short cards goes to long ones.
    let mut order: Vec<usize> = (0..cast.len()).filter(|index| !leads(&cast[*index])).collect();
    order.sort_by_key(|index| cost(&whole[*index]));
    let mut shares = vec![(own / leading).max(LEAST); cast.len()];
    for index in order {
        let share = (left / waiting.max(1)).max(LEAST).min(cost(&whole[index]));
        shares[index] = share;
        left = left.saturating_sub(share);
        waiting -= 1;
    }
    whole.iter().zip(shares).map(|(line, share)| clip(line, share.saturating_sub(2).max(1))).collect()
}

/// Returns a card as a line: name and role first, the least important fields last.
fn card_of(card: &Character, said: Option<&Vec<String>>, dead: Option<&String>, words: &Labels) -> String {
    let mut known: Vec<String> = dead.into_iter().cloned().collect();
    if !card.alias.is_empty() {
        let alias: Vec<&str> = card.alias.iter().map(String::as_str).collect();
        known.push(words.also_called(&alias));
    }
    let words_of_card = [&card.gender, &card.occupation].map(|word| word.trim());
    known.extend(words_of_card.into_iter().filter(|word| !word.is_empty()).map(str::to_owned));
    known.extend(card.age.map(|age| words.years(age)));
    let mut head = card.name.trim().to_owned();
    if !known.is_empty() {
        head.push_str(&words.remark(&known.join(words.semicolon)));
    }
    let voice = if card.voice.is_empty() { said.cloned().unwrap_or_default() } else { card.voice.clone() };
    let voice: Vec<String> = voice.iter().take(LINES + 1).map(|line| quoted(line, words)).collect();
    let mut fields = vec![
        (words.personality, card.personality.clone()),
        (words.traits, card.traits.join(words.comma)),
        (words.appearance, card.appearance.clone()),
        (words.voice, voice.join("")),
        (words.goals, card.goals.clone()),
        (words.weakness, card.weakness.clone()),
        (words.conflicts, card.conflicts.clone()),
    ];
    fields.extend(card.custom_fields().map(|(name, value)| (name, value.to_owned())));
    fields.extend([(words.background, card.background.clone()), (words.arc, card.arc.clone())]);
    let told = fields.iter().filter(|(_, text)| !text.trim().is_empty());
    let told: Vec<String> = told.map(|(label, text)| ended(&words.labelled(label, text), words)).collect();
    let between = words.space();
    match told.is_empty() {
        true => head,
        false => format!("{}{between}{}", words.ended(&head), told.join(between)),
    }
}

fn quoted(line: &str, words: &Labels) -> String {
    let line = line.trim().trim_matches(|c| matches!(c, '“' | '”' | '"' | '「' | '」'));
    // A comma leads to the narration behind the quotation, which is not shown.
    let line = line.strip_suffix([',', '，']).map_or_else(|| line.to_owned(), |speech| words.ended(speech));
    if words.is_zh() { format!("“{line}”") } else { format!("\u{201c}{line}\u{201d} ") }
}

/// Appends a full stop, unless the text ends with a mark.
fn ended(text: &str, words: &Labels) -> String {
    let text = text.trim_end();
    let last = text.chars().next_back().unwrap_or('。');
    if qingyu_story::marks::may_end_sentence(last) || qingyu_story::marks::may_close_quote(last) {
        return text.to_owned();
    }
    format!("{text}{}", if words.is_zh() { "。" } else { "." })
}

/// Returns the last dialogue lines of each character in the given texts, by id, from paragraphs that name nobody else.
pub(crate) fn said<'t>(
    story: &Story,
    people: &[String],
    texts: impl Iterator<Item = &'t str>,
) -> BTreeMap<String, Vec<String>> {
    let calls = |card: &Character| -> Vec<String> {
        let names = std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim().to_owned());
        names.filter(|name| name.chars().count() > 1).collect()
    };
    let cast: Vec<(&str, Vec<String>)> = story.characters.iter().map(|card| (card.id.as_str(), calls(card))).collect();
    let mut said: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for text in texts {
        let prose = Prose::of(text);
        for paragraph in prose.paragraphs.iter().rev() {
            let inside = |range: &std::ops::Range<usize>| {
                paragraph.range.start <= range.start && range.end <= paragraph.range.end
            };
            let speeches: Vec<_> = prose.speeches.iter().filter(|speech| inside(&speech.range)).collect();
            let Some(first) = speeches.first() else { continue };
            let mut told = String::new();
            let mut at = paragraph.range.start;
            for speech in &speeches {
                told.push_str(&text[at..speech.range.start]);
                at = speech.range.end;
            }
            told.push_str(&text[at..paragraph.range.end]);
            let mut named = cast.iter().filter(|(_, names)| names.iter().any(|name| told.contains(name.as_str())));
            let (Some((id, _)), None) = (named.next(), named.next()) else { continue };
            let words = &text[first.range.clone()];
            let lines = said.entry((*id).to_owned()).or_default();
            if people.iter().any(|one| one == id) && lines.len() < LINES && LINE.contains(&words.chars().count()) {
                lines.push(words.to_owned());
            }
        }
    }
    said.retain(|_, lines| !lines.is_empty());
    said
}

#[cfg(test)]
mod tests {
    use qingyu_story::Language;

    use super::*;
    use crate::labels;

    #[test]
    fn a_line_of_dialogue_ends_with_its_sentence() {
        for (language, said, shown) in [
            (Language::En, "“That’s right,”", "“That’s right.” "),
            (Language::En, "“Who?”", "“Who?” "),
            (Language::Zh, "“水尺，”", "“水尺。”"),
            (Language::Zh, "“空的。”", "“空的。”"),
        ] {
            assert_eq!(quoted(said, labels::of(language)), shown);
        }
    }
}
