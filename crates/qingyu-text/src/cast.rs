//! Proposes the cast of a book from speakers and acting people, without a model.
//!
//! Every name beside a speech is a candidate; in English, so is every capitalized name followed by an action. Other
//! names plainly of the same person become aliases. Every proposal counts speeches and actions and cites the first
//! mention, for the author to validate.

use std::collections::{BTreeMap, BTreeSet};

use aho_corasick::{AhoCorasick, MatchKind};
use qingyu_story::language::{is_han, simplified};
use qingyu_story::{Language, Prose};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::builtin;
use crate::figures::Meter;

/// Somebody who seems to belong to the cast.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct ProposedCharacter {
    /// The longest name of the text that is plainly theirs.
    pub name: String,
    /// Other names.
    pub alias: Vec<String>,
    /// How many speeches the text gives to them.
    pub speaks: usize,
    /// How many clauses begin with them outside of speech.
    pub acts: usize,
    /// In how many chapters they are named.
    pub chapters: usize,
    /// The chapter in which they are named first, by its place among those that were given.
    pub first: usize,
    /// The sentence there that names them.
    pub quote: String,
    /// Whether the figures leave hardly a doubt that this is somebody.
    pub is_sure: bool,
}

/// The non-names and action words parsed from `data/cast.toml`.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct CastWords {
    /// Chinese words in the position of a name which are no names.
    nobody: Vec<String>,
    /// Characters which begin no Chinese name.
    not_first: String,
    /// Characters which end no Chinese name.
    not_last: String,
    /// Surnames, in simplified characters.
    surnames: String,
    /// Titles which follow or replace a surname.
    titles: Vec<String>,
    /// Capitalized English words which are no names.
    english_nobody: Vec<String>,
    /// English titles before a name, and the masculine titles among them.
    english_titles: Vec<String>,
    english_lords: Vec<String>,
    /// English verbs of human action, in addition to verbs in `ed`.
    english_verbs: Vec<String>,
    /// English words before place names.
    english_places: Vec<String>,
}

/// The number of speeches, or actions, from which a proposal counts as sure.
const SPEAKS_SURELY: usize = 3;
const ACTS_SURELY: usize = 6;
/// A longer name this many times rarer than the contained name belongs to another person.
const RARE: usize = 20;
/// The most people proposed.
const MOST: usize = 80;

/// Returns the people of the chapters, ordered by speeches and actions.
pub fn propose_cast(chapters: &[&str], meter: &Meter) -> Vec<ProposedCharacter> {
    let words: CastWords = builtin(include_str!("../data/cast.toml"));
    let read: Vec<Prose> = chapters.iter().map(|text| Prose::of(text)).collect();
    let mut speaks: BTreeMap<String, usize> = BTreeMap::new();
    for (text, prose) in chapters.iter().zip(&read) {
        for speaker in meter.dialogue(text, prose, None).speakers {
            let name = match prose.language {
                Language::Zh => words.chinese_name(&speaker.name),
                Language::En => words.english_name(&speaker.name),
            };
            if let Some(name) = name {
                *speaks.entry(name).or_default() += speaker.speeches;
            }
        }
    }
    join_with_verbs(&mut speaks, chapters);
    let mut candidates: BTreeSet<String> = speaks.keys().cloned().collect();
    for (text, prose) in chapters.iter().zip(&read).filter(|(_, prose)| prose.language == Language::En) {
        candidates.extend(words.english_actors(text, prose));
    }
    let seen = NameMentions::of(chapters, &read, candidates.into_iter().collect(), &words);
    let mut people = merged(&seen, &speaks, &words);
    people.sort_by(|a, b| (b.speaks * 3 + b.acts).cmp(&(a.speaks * 3 + a.acts)).then_with(|| a.name.cmp(&b.name)));
    people.truncate(MOST);
    people
}

/// Replaces `张飞大` (from `张飞大怒`) with `张飞`, if the shorter name is known and far more frequent.
fn join_with_verbs(speaks: &mut BTreeMap<String, usize>, chapters: &[&str]) {
    let shorter = |name: &String| {
        let (at, _) = name.char_indices().next_back()?;
        let is_long = name.chars().all(is_han) && name.chars().count() == 3;
        (is_long && speaks.contains_key(&name[..at])).then(|| name[..at].to_owned())
    };
    let pairs: Vec<(String, String)> = speaks.keys().filter_map(|name| Some((name.clone(), shorter(name)?))).collect();
    let counts = counts(pairs.iter().flat_map(|(long, short)| [long.as_str(), short.as_str()]), chapters);
    for (long, short) in &pairs {
        let count = |name: &String| counts.get(name.as_str()).copied().unwrap_or_default();
        if count(short) > count(long) * 3 {
            let spoken = speaks.remove(long).unwrap_or_default();
            *speaks.entry(short.clone()).or_default() += spoken;
        }
    }
}

/// Returns the number of occurrences of each name, including occurrences within other names, in a single pass.
fn counts<'n>(names: impl Iterator<Item = &'n str>, chapters: &[&str]) -> BTreeMap<&'n str, usize> {
    let names: Vec<&str> = names.collect::<BTreeSet<_>>().into_iter().collect();
    let mut counts = vec![0; names.len()];
    if let Ok(sought) = AhoCorasick::new(&names) {
        for hit in chapters.iter().flat_map(|text| sought.find_overlapping_iter(*text)) {
            counts[hit.pattern().as_usize()] += 1;
        }
    }
    names.into_iter().zip(counts).collect()
}

/// Candidates indexed by the ends of their names, to compare only possible matches.
struct NameEndIndex(BTreeMap<String, Vec<usize>>);

impl NameEndIndex {
    fn of(names: &[String], among: &[usize], words: &CastWords) -> Self {
        let mut ends: BTreeMap<String, Vec<usize>> = BTreeMap::new();
        for at in among {
            for end in words.ends(&names[*at]) {
                ends.entry(end).or_default().push(*at);
            }
        }
        Self(ends)
    }

    /// Returns the candidates whose names plainly contain the short name, in order.
    fn longer(&self, short: &str, names: &[String], words: &CastWords) -> Vec<usize> {
        let near: BTreeSet<usize> =
            words.ends(short).iter().filter_map(|end| self.0.get(end)).flatten().copied().collect();
        near.into_iter().filter(|long| is_part(short, &names[*long], words)).collect()
    }
}

/// The mentions of the candidates.
struct NameMentions {
    names: Vec<String>,
    acts: Vec<usize>,
    mentions: Vec<usize>,
    chapters: Vec<usize>,
    first: Vec<Option<(usize, String)>>,
}

impl NameMentions {
    fn of(chapters: &[&str], read: &[Prose], names: Vec<String>, words: &CastWords) -> Self {
        let count = names.len();
        let mut seen = Self {
            acts: vec![0; count],
            mentions: vec![0; count],
            chapters: vec![0; count],
            first: vec![None; count],
            names,
        };
        let built = AhoCorasick::builder().match_kind(MatchKind::LeftmostLongest).build(&seen.names);
        let Ok(sought) = built else { return seen };
        for (number, (text, prose)) in chapters.iter().zip(read).enumerate() {
            let mut here = BTreeSet::new();
            for hit in sought.find_iter(text) {
                let name = hit.pattern().as_usize();
                let is_latin = seen.names[name].is_ascii();
                let joins = |c: Option<char>| is_latin && c.is_some_and(char::is_alphanumeric);
                if joins(text[..hit.start()].chars().next_back()) || joins(text[hit.end()..].chars().next()) {
                    continue;
                }
                seen.mentions[name] += 1;
                here.insert(name);
                if seen.first[name].is_none() {
                    seen.first[name] = Some((number, sentence_at(text, prose, hit.start())));
                }
                let is_act = begins_clause(&text[..hit.start()]) && words.acts(&text[hit.end()..], prose.language);
                seen.acts[name] += usize::from(is_act && !prose.is_spoken(hit.start()));
            }
            here.into_iter().for_each(|name| seen.chapters[name] += 1);
        }
        seen
    }
}

/// Returns the candidates with names of the same person merged.
fn merged(seen: &NameMentions, speaks: &BTreeMap<String, usize>, words: &CastWords) -> Vec<ProposedCharacter> {
    let spoken = |name: &str| speaks.get(name).copied().unwrap_or_default();
    let is_there =
        |at: &usize, least: usize| spoken(&seen.names[*at]) + seen.acts[*at] >= least && seen.mentions[*at] >= least;
    let all: Vec<usize> = (0..seen.names.len()).filter(|at| is_there(at, 1)).collect();
    // A single mention suffices for an alias of an accepted person.
    let ends = NameEndIndex::of(&seen.names, &all, words);
    let longer = |at: &usize| ends.longer(&seen.names[*at], &seen.names, words);
    let longer_names: BTreeSet<usize> = all.iter().filter(|at| is_there(at, 2)).flat_map(longer).collect();
    let is_other_name = |at: &usize| longer_names.contains(at) || longer(at).iter().any(|other| is_there(other, 2));
    let somebody: Vec<usize> = all.iter().filter(|at| is_there(at, 2) || is_other_name(at)).copied().collect();
    // Maps a short name to the longer name, if unambiguous.
    let mut heads: BTreeMap<usize, usize> = BTreeMap::new();
    let ends = NameEndIndex::of(&seen.names, &somebody, words);
    for short in &somebody {
        let longer = ends.longer(&seen.names[*short], &seen.names, words);
        let untitled: Vec<usize> =
            longer.iter().filter(|long| !words.has_title(&seen.names[**long])).copied().collect();
        let titled: Vec<usize> = longer.iter().filter(|long| words.is_lord(&seen.names[**long])).copied().collect();
        // Prefers a full name to a name with a title; a bare surname means the man with the title.
        let choices = [longer.as_slice(), untitled.as_slice(), titled.as_slice()];
        if let Some([long]) = choices.into_iter().find(|choice| choice.len() == 1) {
            // Of `宝玉` and `甄宝玉` the rare name belongs to another person.
            let is_rare = seen.names[*short].chars().all(is_han) && seen.mentions[*long] * RARE < seen.mentions[*short];
            if !is_rare {
                heads.insert(*short, *long);
            }
        }
    }
    let head = |mut at: usize| {
        let mut steps = 0;
        while let Some(next) = heads.get(&at).filter(|_| steps < 8) {
            at = *next;
            steps += 1;
        }
        at
    };
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for one in somebody {
        groups.entry(head(one)).or_default().push(one);
    }
    let person = |(head, group): (usize, Vec<usize>)| {
        let sum = |of: &dyn Fn(usize) -> usize| group.iter().map(|one| of(*one)).sum::<usize>();
        let speaks = sum(&|one| spoken(&seen.names[one]));
        let acts = sum(&|one| seen.acts[one]);
        let chapters = group.iter().map(|one| seen.chapters[*one]).max().unwrap_or_default();
        let (first, quote) = group.iter().filter_map(|one| seen.first[*one].clone()).min_by_key(|(first, _)| *first)?;
        let alias = group.iter().filter(|one| **one != head).map(|one| seen.names[*one].clone()).collect();
        let is_sure = speaks >= SPEAKS_SURELY && speaks + acts > SPEAKS_SURELY
            || acts >= ACTS_SURELY && (speaks > 0 || chapters > 1);
        Some(ProposedCharacter { name: seen.names[head].clone(), alias, speaks, acts, chapters, first, quote, is_sure })
    };
    groups.into_iter().filter_map(person).collect()
}

/// Returns whether the short name is plainly part of the long name: a given name, or the name without a title.
fn is_part(short: &str, long: &str, words: &CastWords) -> bool {
    if short == long {
        return false;
    }
    if short.chars().all(is_han) {
        let (count, all) = (short.chars().count(), long.chars().count());
        let surname = long.chars().next().map(simplified);
        return long.ends_with(short)
            && count == 2
            && (count + 1..=count + 2).contains(&all)
            && surname.is_some_and(|c| words.surnames.contains(c));
    }
    let bare = |name: &str| -> Vec<String> {
        let parts = name.split(' ').filter(|part| !words.is_title(part));
        parts.map(str::to_owned).collect()
    };
    let (short_parts, long_parts) = (bare(short), bare(long));
    let titles =
        |name: &str| name.split(' ').filter(|part| words.is_title(part)).map(str::to_owned).collect::<Vec<_>>();
    let (short_titles, long_titles) = (titles(short), titles(long));
    if short_parts.is_empty() || !short_titles.is_empty() && !long_titles.is_empty() && short_titles != long_titles {
        return false;
    }
    let is_given = long_parts.starts_with(&short_parts);
    let is_surname = long_parts.ends_with(&short_parts);
    match (short_parts.len() < long_parts.len(), short_titles.is_empty()) {
        // `Nora` and `Vale` of `Nora Vale`.
        (true, true) => is_given || is_surname,
        // `Miss Nora` is Nora Vale; `Miss Vale` need not be.
        (true, false) => is_given || is_surname && short_titles == long_titles,
        // `Vale` of `Mr. Vale`.
        (false, true) => short_parts == long_parts && words.is_lord(long),
        (false, false) => false,
    }
}

/// Returns the sentence at a byte offset, shortened for display.
fn sentence_at(text: &str, prose: &Prose, at: usize) -> String {
    const LONGEST: usize = 60;
    let next = prose.sentences.partition_point(|sentence| sentence.range.end <= at);
    let words = prose.sentences.get(next).map_or("", |sentence| text[sentence.range.clone()].trim());
    match words.char_indices().nth(LONGEST) {
        Some((end, _)) => words[..end].to_owned(),
        None => words.to_owned(),
    }
}

/// Returns whether a clause begins after the words.
fn begins_clause(before: &str) -> bool {
    let bare = before.trim_end_matches([' ', '　']);
    bare.is_empty()
        || bare.ends_with(['\n', '，', '。', '；', '！', '？', '：', '、', ',', '.', ';', '!', '?', ':', '—'])
        || bare.ends_with(qingyu_story::marks::is_double_quote)
        || [
            " and", " but", " then", " when", " while", " as", "只见", "却说", "话说", "只見", "卻說", "話說", "忽见",
            "那",
        ]
        .iter()
        .any(|word| bare.ends_with(word))
}

impl CastWords {
    /// Returns the trimmed name of a Chinese speaker, or `None` if not a name.
    fn chinese_name(&self, name: &str) -> Option<String> {
        const DOUBLE: [&str; 12] =
            ["欧阳", "上官", "司马", "司徒", "诸葛", "夏侯", "皇甫", "慕容", "令狐", "宇文", "东方", "公孙"];
        let plain: String = name.chars().map(simplified).collect();
        let is_nobody = self.nobody.iter().any(|word| plain == *word || plain.ends_with(word.as_str()));
        let (first, last) = (plain.chars().next()?, plain.chars().next_back()?);
        let count = plain.chars().count();
        let is_titled = self.titles.iter().any(|title| plain.ends_with(title.as_str()));
        let is_double = DOUBLE.iter().any(|double| plain.starts_with(double));
        let fits = match count {
            2 => true,
            3 => self.surnames.contains(first) || is_titled || is_double,
            4 => is_double || is_titled && self.surnames.contains(first),
            _ => false,
        };
        let is_name = fits && !is_nobody && !self.not_first.contains(first) && !self.not_last.contains(last);
        is_name.then(|| name.to_owned())
    }

    fn english_name(&self, name: &str) -> Option<String> {
        let is_nobody = |part: &str| self.english_nobody.iter().any(|word| word.eq_ignore_ascii_case(part));
        // `Though Elizabeth` at the beginning of a sentence.
        let parts = name.split(' ').filter(|part| !part.is_empty());
        let is_adverb = |part: &str| part.len() > 4 && part.ends_with("ly") && name.contains(' ');
        let parts: Vec<&str> =
            parts.skip_while(|part| !self.is_title(part) && (is_nobody(part) || is_adverb(part))).collect();
        let bare = parts.iter().filter(|part| !self.is_title(part)).count();
        let is_nobody = parts.iter().any(|part| !self.is_title(part) && is_nobody(part));
        let is_word = |part: &&str| part.chars().count() > 1 || part.ends_with('.');
        (bare > 0 && !is_nobody && parts.iter().all(is_word)).then(|| parts.join(" "))
    }

    /// Returns the parts a short name shares with the long name: the last two characters of a Chinese name, otherwise
    /// the first and the last part without titles.
    fn ends(&self, name: &str) -> Vec<String> {
        if name.chars().all(is_han) {
            let count = name.chars().count();
            return vec![name.chars().skip(count.saturating_sub(2)).collect()];
        }
        let mut parts = name.split(' ').filter(|part| !self.is_title(part));
        let Some(first) = parts.next() else { return Vec::new() };
        let last = parts.next_back().unwrap_or(first);
        vec![format!("{first} "), format!(" {last}")]
    }

    fn has_title(&self, name: &str) -> bool {
        name.split(' ').any(|part| self.is_title(part))
    }

    /// Returns whether the name has a masculine title.
    fn is_lord(&self, name: &str) -> bool {
        let first = name.split(' ').next().unwrap_or_default().trim_end_matches('.');
        self.english_lords.iter().any(|title| title == first)
    }

    fn is_title(&self, part: &str) -> bool {
        let bare = part.trim_end_matches('.');
        self.english_titles.iter().any(|title| title.eq_ignore_ascii_case(bare))
    }

    /// Returns the capitalized names with actions in a text, if also capitalized in the middle of a sentence.
    fn english_actors(&self, text: &str, prose: &Prose) -> Vec<String> {
        let mut acting: BTreeMap<String, usize> = BTreeMap::new();
        let (mut inside, mut placed): (BTreeMap<String, usize>, BTreeMap<String, usize>) =
            (BTreeMap::new(), BTreeMap::new());
        for sentence in &prose.sentences {
            let words = &text[sentence.range.clone()];
            for (start, end) in capitals(words) {
                let Some(name) = self.english_name(&words[start..end]) else { continue };
                let before = words[..start].trim_end();
                if before.chars().any(char::is_alphabetic) {
                    *inside.entry(name.clone()).or_default() += 1;
                }
                let last = before.rsplit(' ').next().unwrap_or_default().to_lowercase();
                if self.english_places.contains(&last) {
                    *placed.entry(name.clone()).or_default() += 1;
                }
                if begins_clause(&words[..start]) && self.acts(&words[end..], Language::En) {
                    *acting.entry(name).or_default() += 1;
                }
            }
        }
        let is_person = |(name, acts): &(String, usize)| {
            let (inside, placed) =
                (inside.get(name).copied().unwrap_or_default(), placed.get(name).copied().unwrap_or_default());
            let least = if name.contains(' ') { 1 } else { 2 };
            *acts >= least && inside + acts >= least && placed * 2 <= inside + acts
        };
        acting.into_iter().filter(is_person).map(|(name, _)| name).collect()
    }

    /// Returns whether the words after a name describe an action.
    fn acts(&self, behind: &str, language: Language) -> bool {
        match language {
            Language::Zh => behind.chars().next().is_some_and(|c| is_han(c) && !"的之与和跟同及".contains(c)),
            Language::En => {
                let Some(rest) = behind.strip_prefix(' ') else { return false };
                let word = &rest[..rest.find(|c: char| !c.is_alphabetic()).unwrap_or(rest.len())];
                (word.len() > 3 && word.ends_with("ed")) || self.english_verbs.iter().any(|verb| verb == word)
            }
        }
    }
}

/// Returns the byte ranges of runs of capitalized words, including the full stops of titles.
fn capitals(words: &str) -> Vec<(usize, usize)> {
    let mut runs: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    for part in words.split(' ') {
        let start = at + part.find(char::is_alphanumeric).unwrap_or(0);
        let word = part.trim_matches(|c: char| !c.is_alphanumeric());
        let word = word.split(['’', '\'', '—', '-']).next().unwrap_or_default();
        let is_capital =
            word.chars().next().is_some_and(char::is_uppercase) && word.chars().skip(1).all(char::is_lowercase);
        let mut end = start + word.len();
        let is_short = matches!(word, "Mr" | "Mrs" | "Dr" | "Ms" | "St") && words[end..].starts_with('.');
        end += usize::from(is_short);
        if is_capital && word.len() > 1 {
            match runs.last_mut().filter(|(_, last)| {
                *last + 1 == start && words[..*last].ends_with(|c: char| c.is_alphanumeric() || c == '.')
            }) {
                Some((_, last)) => *last = end,
                None => runs.push((start, end)),
            }
        }
        at += part.len() + 1;
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::propose_cast;
    use crate::figures::Meter;

    fn named(chapters: &[&str]) -> Vec<String> {
        let people = propose_cast(chapters, &Meter::default());
        let line = |one: super::ProposedCharacter| {
            format!(
                "{} [{}] {} {}{}",
                one.name,
                one.alias.join(" "),
                one.speaks,
                one.acts,
                if one.is_sure { " sure" } else { "" }
            )
        };
        people.into_iter().map(line).collect()
    }

    #[test]
    fn who_speaks_and_acts_is_proposed_with_counts() {
        let chapter = "沈砚秋推开门。沈砚秋道：“有人吗？”周德海笑道：“进来吧。”砚秋说道：“好。”众人都笑道：“坐。”周德海道：“请坐。”沈砚秋坐下了。\n\
                       周德海问道：“从哪里来？”沈砚秋道：“从河埠来。”那老者道：“远得很。”";
        let found = named(&[chapter]);
        assert!(found.iter().any(|one| one.starts_with("沈砚秋 [砚秋] 3")), "{found:?}");
        assert!(found.iter().any(|one| one.starts_with("周德海 [] 3")), "{found:?}");
        assert!(!found.iter().any(|one| one.contains("众人") || one.contains("老者")), "{found:?}");
    }

    #[test]
    fn english_names_are_told_from_places() {
        let chapter = "Nora Vale opened the door. “Come in,” said Nora. Mr. Finch waited outside, and Nora looked at Mr. Finch. \
                       “Who is there?” asked Nora. Mr. Finch turned away. He had come from London, and London was far. \
                       “Nobody,” said Mr. Finch. Nora laughed. “Then stay,” Nora said.";
        let found = named(&[chapter]);
        assert!(found.iter().any(|one| one.starts_with("Nora Vale [Nora] 3") && one.ends_with("sure")), "{found:?}");
        assert!(found.iter().any(|one| one.starts_with("Mr. Finch")), "{found:?}");
        assert!(!found.iter().any(|one| one.contains("London")), "{found:?}");
    }
}
