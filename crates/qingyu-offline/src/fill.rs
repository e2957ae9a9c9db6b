//! Templates: `{slot}` is a word, `{slot:a}` an English word with its article, `{part}` a person, `{part+}` a person
//! introduced with the trade.

use std::collections::{BTreeMap, BTreeSet};

use qingyu_story::{Language, placeholder};

use crate::person::Person;

/// The values for templates.
#[derive(Debug, Clone, Default)]
pub(crate) struct Slots {
    pub(crate) language: Language,
    pub(crate) words: BTreeMap<String, String>,
    pub(crate) people: BTreeMap<String, Person>,
    /// Names always introduced with their trade; by default `+` decides.
    pub(crate) strangers: Option<BTreeSet<String>>,
}

/// A filled template with the people named, in order of appearance.
#[derive(Debug, Clone, PartialEq, Default)]
pub(crate) struct FilledText {
    pub(crate) text: String,
    pub(crate) people: Vec<String>,
}

impl Slots {
    /// Fills `template`. Values may contain slots; an unknown slot becomes a [`placeholder`].
    pub(crate) fn fill(&self, template: &str) -> FilledText {
        let mut filled = self.fragment(template);
        filled.text = settle_stops(&filled.text);
        if self.language == Language::En {
            filled.text = sentence_case(&filled.text);
        }
        filled
    }

    /// Fills `template` as a part of a sentence.
    pub(crate) fn fragment(&self, template: &str) -> FilledText {
        let mut filled = FilledText::default();
        self.push(template, 0, &mut filled);
        filled
    }

    /// Fills `template` and returns the text only.
    pub(crate) fn text(&self, template: &str) -> String {
        self.fill(template).text
    }

    fn push(&self, template: &str, depth: usize, filled: &mut FilledText) {
        let mut rest = template;
        while let Some((before, after)) = rest.split_once('{') {
            filled.text.push_str(before);
            let Some((slot, after)) = after.split_once('}') else {
                filled.text.push_str(after);
                return;
            };
            rest = after;
            self.push_slot(slot, depth, filled);
        }
        filled.text.push_str(rest);
    }

    fn push_slot(&self, slot: &str, depth: usize, filled: &mut FilledText) {
        let (slot, article) = slot.strip_suffix(":a").map_or((slot, false), |slot| (slot, true));
        let (key, introduce) = slot.strip_suffix('+').map_or((slot, false), |key| (key, true));
        if let Some(person) = self.people.get(key) {
            let named = filled.people.contains(&person.name);
            let introduce = self.strangers.as_ref().map_or(introduce, |strangers| strangers.contains(&person.name));
            filled.text.push_str(&match (introduce && !named, named) {
                (true, _) => person.introduced(self.language),
                (false, true) => person.short.clone(),
                (false, false) => person.name.clone(),
            });
            if !named {
                filled.people.push(person.name.clone());
            }
        } else if let Some(word) = self.words.get(key).filter(|_| depth < 4) {
            // The user's words are never parsed as templates: braces are removed.
            if article {
                filled.text.push_str(if word.starts_with(['a', 'e', 'i', 'o', 'u']) { "an " } else { "a " });
            }
            self.push(word, depth + 1, filled);
        } else {
            filled.text.push_str(placeholder(self.language));
        }
    }
}

/// Removes duplicate punctuation at the end of a sentence, after a slot with its own.
fn settle_stops(text: &str) -> String {
    let doubled = [("？。", "？"), ("！。", "！"), ("。。", "。"), ("?.", "?"), ("!.", "!"), ("..", "."), ("?;", ";")];
    doubled.iter().fold(text.to_owned(), |text, (double, single)| text.replace(double, single))
}

/// Capitalizes the beginnings of sentences.
fn sentence_case(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut begins = true;
    let mut after_stop = false;
    for letter in text.chars() {
        if letter == '[' {
            // A placeholder such as [to be written] is no sentence.
            begins = false;
            result.push(letter);
        } else if begins && letter.is_alphanumeric() {
            result.extend(letter.to_uppercase());
            begins = false;
        } else {
            result.push(letter);
        }
        begins |= after_stop && letter == ' ';
        after_stop = matches!(letter, '.' | '!' | '?');
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(language: Language) -> Slots {
        let person = |name: &str, short: &str, trade: &str| Person {
            name: name.into(),
            short: short.into(),
            trade: trade.into(),
            female: true,
        };
        let people = match language {
            Language::Zh => [("hero".into(), person("陆沉", "陆沉", "私家侦探"))],
            Language::En => [("hero".into(), person("Mara Voss", "Mara", "ship's gardener"))],
        };
        let words = [("item", "ledger of {hero}"), ("loop", "{loop}")].map(|(key, word)| (key.into(), word.into()));
        Slots { language, words: words.into(), people: people.into(), strangers: None }
    }

    #[test]
    fn people_are_introduced_once() {
        let zh = slots(Language::Zh).fill("{hero+}找到了{hero}。");
        assert_eq!(zh.text, "私家侦探陆沉找到了陆沉。");
        assert_eq!(zh.people, ["陆沉"]);
        let en = slots(Language::En).fill("{hero+} waits. {item}? {hero} knows.");
        assert_eq!(en.text, "The ship's gardener Mara Voss waits. Ledger of Mara? Mara knows.");
        assert_eq!(slots(Language::En).fragment("{item}").text, "ledger of Mara Voss");
        assert_eq!(slots(Language::Zh).text("谁？。"), "谁？");
    }

    #[test]
    fn what_nobody_knows_stays_unwritten() {
        assert_eq!(slots(Language::Zh).text("{nobody}来了"), "〔待写〕来了");
        assert_eq!(slots(Language::En).text("{loop} and {open"), "[to be written] and open");
    }
}
