//! Secrets that readers must not know yet, and events before the book without the clauses that tell them.

use std::collections::BTreeSet;

use qingyu_story::language::is_han;
use qingyu_story::{Character, Levels, Mode, TimelineEvent};

use super::told::{SAME, ToldText, clauses, split_by};
use crate::labels::{self, Labels};
use crate::writing::book::{NumberedBook, title};

/// Minimum number of words that a clause about a secret shares with it; of Chinese, pairs of characters.
const SHARED: usize = 2;
/// Minimum share of a clause's words that are those of the secret, as a divisor.
const SHARE: usize = 3;
/// Minimum number of letters of a Latin word that is compared.
const LETTERS: usize = 4;

/// When readers may learn a secret, seen from a chapter.
enum SecretTerm {
    /// An earlier chapter tells it.
    Out,
    /// Not before the outline node of this name.
    NotBefore(String),
    /// In this chapter, or earlier.
    Open,
    /// Where the outline reveals it; no place is set.
    Outlined,
}

impl SecretTerm {
    /// Returns whether the reader of the chapter must not know the secret.
    fn is_kept(&self) -> bool {
        matches!(self, Self::NotBefore(_) | Self::Outlined)
    }

    /// Returns the term as a remark.
    fn remark(&self, words: &Labels) -> String {
        match self {
            Self::Out => words.remark(words.is_out()),
            Self::NotBefore(name) => words.remark(&words.not_before(name)),
            Self::Open => words.remark(words.may_come_out()),
            Self::Outlined => words.remark(words.where_outlined()),
        }
    }
}

/// The terms of secrets, seen from a chapter.
struct SecretTerms<'b, 's> {
    book: &'b NumberedBook<'s>,
    number: u32,
    levels: Option<Levels>,
    /// The holders of the secrets that earlier chapters tell, by id or name; see [`revealed_before`].
    out: BTreeSet<&'s str>,
}

impl<'b, 's> SecretTerms<'b, 's> {
    fn of(book: &'b NumberedBook<'s>, number: u32) -> Self {
        Self { book, number, levels: Levels::with(book.story, book.names()), out: revealed_before(book, number) }
    }

    /// Returns the term of the truth of the book.
    fn of_truth(&self, until: Option<&str>) -> SecretTerm {
        self.term(until, self.out.contains(""))
    }

    /// Returns the term of a character's secret.
    fn of_card(&self, card: &Character) -> SecretTerm {
        self.term(card.secret_until.as_deref(), is_revealed(card, &self.out))
    }

    /// Returns the term of a secret that may come out in the outline node `until`, unless an earlier chapter tells it.
    fn term(&self, until: Option<&str>, is_out: bool) -> SecretTerm {
        match self.place(until) {
            _ if is_out => SecretTerm::Out,
            Some((first, name)) if self.number < first => SecretTerm::NotBefore(name),
            Some(_) => SecretTerm::Open,
            None => SecretTerm::Outlined,
        }
    }

    /// Returns the number of the first chapter of an outline node, and the node's title.
    fn place(&self, until: Option<&str>) -> Option<(u32, String)> {
        let (book, nodes) = (self.book, &self.book.story.outline_nodes);
        let node = until.and_then(|name| book.position(name))?;
        // A scene is part of its chapter, a chapter of its volume.
        let above = nodes[node].parent.as_deref().and_then(|name| book.position(name));
        let first = (1..=book.len()).find(|chapter| {
            let own = book.node(*chapter).and_then(|one| book.position(&one.id));
            let mut chain = book.above(*chapter).into_iter().filter_map(|one| book.position(&one.id));
            own == Some(node) || own.is_some() && own == above || chain.any(|position| position == node)
        });
        // An arc or volume without chapters yet begins where the plan of the levels puts it.
        let first = first.or_else(|| self.levels.as_ref()?.first(node))?;
        Some((first, title(&nodes[node]).to_owned()))
    }
}

/// Returns the holders of the secrets that the texts before the chapter tell, by id or name; an empty text stands for the
/// truth of the book.
pub(crate) fn revealed_before<'s>(book: &NumberedBook<'s>, number: u32) -> BTreeSet<&'s str> {
    let before = (1..number).filter_map(|before| book.document(before));
    before.flat_map(|document| document.reveals().map(|told| told.of.trim())).collect()
}

/// Returns whether the secret of a character is among those of [`revealed_before`].
pub(crate) fn is_revealed(card: &Character, revealed: &BTreeSet<&str>) -> bool {
    [card.id.trim(), card.name.trim()].iter().any(|name| !name.is_empty() && revealed.contains(name))
}

/// Returns the secrets that the writer of a chapter must know, each with its term: the truth of the book, and secrets of the
/// participants, then of those that the chapter is about.
pub(crate) fn hidden(book: &NumberedBook<'_>, number: u32, participants: &[String], absent: &[String]) -> Vec<String> {
    listed(book, number, (participants, absent), None)
}

/// Same as [`hidden`], with the secrets of everybody else that are not yet out, after all others. The clauses of a secret that
/// the outline of the chapter, `outlined`, discloses may come out, whatever term the secret has.
pub(super) fn hidden_of_all(
    book: &NumberedBook<'_>,
    number: u32,
    participants: &[String],
    absent: &[String],
    outlined: &[ToldText],
) -> Vec<String> {
    listed(book, number, (participants, absent), Some(outlined))
}

fn listed(
    book: &NumberedBook<'_>,
    number: u32,
    (participants, absent): (&[String], &[String]),
    outlined: Option<&[ToldText]>,
) -> Vec<String> {
    let (story, words) = (book.story, labels::of(book.story.language));
    let terms = SecretTerms::of(book, number);
    let line =
        |label: &str, text: &str, term: &SecretTerm| words.labelled(&format!("{label}{}", term.remark(words)), text);
    let lines_of = |label: &str, text: &str, term: &SecretTerm, outlined: Option<&[ToldText]>| {
        let told = outlined.filter(|_| term.is_kept());
        let told = told.map(|told| split_by(text, |clause| told.iter().any(|one| one.says(clause, SAME))));
        match told {
            Some((told, kept)) if kept.is_empty() => vec![line(label, &told, &SecretTerm::Open)],
            Some((told, kept)) if !told.is_empty() => {
                vec![line(label, &told, &SecretTerm::Open), line(label, &kept, term)]
            }
            _ => vec![line(label, text, term)],
        }
    };
    let mut lines = Vec::new();
    if let Some(world) = story.worldview.as_ref().filter(|world| !world.truth.trim().is_empty()) {
        lines.extend(lines_of(words.truth, &world.truth, &terms.of_truth(world.truth_until.as_deref()), outlined));
    }
    let keeps = |card: &Character, people: &[String]| {
        let is_called = |name: &String| *name == card.name || *name == card.id || card.alias.contains(name);
        people.iter().any(is_called)
    };
    let rank = |card: &Character, term: &SecretTerm| match (keeps(card, participants), keeps(card, absent)) {
        (true, _) => Some(0),
        (false, true) => Some(1),
        (false, false) => (outlined.is_some() && !matches!(term, SecretTerm::Out)).then_some(2),
    };
    let cards = story.characters.iter().filter(|card| !card.secret.trim().is_empty());
    let cards = cards.map(|card| (card, terms.of_card(card)));
    let mut cards: Vec<_> = cards.filter_map(|(card, term)| Some((rank(card, &term)?, card, term))).collect();
    cards.sort_by_key(|(rank, ..)| *rank);
    for (_, card, term) in &cards {
        let outlined = outlined.filter(|told| names(card).any(|name| told.iter().any(|one| one.quotes(name))));
        lines.extend(lines_of(&words.secret_of(card.name.trim()), &card.secret, term, outlined));
    }
    lines
}

/// The secrets that the reader of a chapter must not know, as they may be told by events before the book.
pub(super) struct KeptSecrets<'s> {
    secrets: Vec<KeptSecret<'s>>,
    /// The names of all people, longest first; their words are not compared.
    people: Vec<&'s str>,
}

/// A secret with the people that it is about.
struct KeptSecret<'s> {
    words: BTreeSet<String>,
    people: Vec<&'s str>,
}

impl<'s> KeptSecrets<'s> {
    /// Returns the secrets that are kept in the chapter `number`.
    pub(super) fn before(book: &NumberedBook<'s>, number: u32) -> Self {
        let story = book.story;
        let terms = SecretTerms::of(book, number);
        let mut people: Vec<&str> = story.characters.iter().flat_map(names).collect();
        people.sort_by_key(|name| std::cmp::Reverse(name.len()));
        let truth = story.worldview.as_ref().filter(|world| terms.of_truth(world.truth_until.as_deref()).is_kept());
        let truth = truth.map(|world| (world.truth.as_str(), None));
        let cards = story.characters.iter().filter(|card| terms.of_card(card).is_kept());
        let told = truth.into_iter().chain(cards.map(|card| (card.secret.as_str(), Some(card))));
        let told = told.filter(|(text, _)| !text.trim().is_empty());
        let secrets = told.map(|(text, holder)| {
            let named = story.characters.iter().filter(|card| names(card).any(|name| text.contains(name)));
            let people_of = named.chain(holder).flat_map(names).collect();
            KeptSecret { words: words_of(text, &people), people: people_of }
        });
        Self { secrets: secrets.collect(), people }
    }

    /// Returns an event before the book without the clauses that tell a secret; `None` if nothing else is told. What a
    /// chapter tells has its own place in the outline.
    pub(super) fn open_part(&self, mut event: TimelineEvent) -> Option<TimelineEvent> {
        if event.has_chapter() || event.mode != Mode::Narrated || self.secrets.is_empty() {
            return Some(event);
        }
        let here = event.participants.iter().chain(&event.deaths).map(|name| name.trim().to_owned());
        let here: Vec<String> = here.collect();
        let tells = |clause: &str| self.tells(clause, &here);
        let clauses = clauses(&event.description);
        let open: String = clauses.iter().filter(|clause| !tells(clause)).copied().collect();
        if tells(&event.title) || !clauses.is_empty() && open.trim().is_empty() {
            return None;
        }
        event.description = open.trim().trim_end_matches([';', '；']).to_owned();
        Some(event)
    }

    /// Returns whether a clause about people of a secret says what the secret says.
    fn tells(&self, clause: &str, here: &[String]) -> bool {
        let said = words_of(clause, &self.people);
        self.secrets.iter().any(|secret| {
            let is_about = |name: &&str| clause.contains(*name) || here.iter().any(|one| one == name);
            let shared = said.intersection(&secret.words).count();
            shared >= SHARED && shared * SHARE >= said.len() && secret.people.iter().any(is_about)
        })
    }
}

/// Returns the names of a character.
fn names(card: &Character) -> impl Iterator<Item = &str> {
    std::iter::once(&card.name).chain(&card.alias).map(|name| name.trim()).filter(|name| name.chars().count() > 1)
}

/// Returns the words of a text to compare, without the names of people, which are given longest first: Latin words of at
/// least [`LETTERS`] letters, and pairs of Chinese characters.
fn words_of(text: &str, people: &[&str]) -> BTreeSet<String> {
    let mut text = text.to_owned();
    for name in people {
        text = text.replace(*name, " ");
    }
    let mut found = BTreeSet::new();
    for word in text.split(|c: char| !c.is_alphanumeric()) {
        let letters: Vec<char> = word.chars().collect();
        if letters.iter().any(|c| is_han(*c)) {
            found.extend(letters.windows(2).map(|pair| pair.iter().collect::<String>()));
        } else if letters.len() >= LETTERS {
            found.insert(word.to_lowercase());
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use qingyu_story::{OutlineNode, Story, Worldview};

    use super::*;

    /// A book of two chapters, whose secrets may come out in the second.
    fn story(cards: &[(&str, &str)], truth: &str) -> Story {
        let node = |order: u32| OutlineNode {
            id: format!("o-{order}"),
            order,
            name: format!("C{order}"),
            ..OutlineNode::default()
        };
        let until = Some("o-2".to_owned());
        let card = |(name, secret): &(&str, &str)| Character {
            id: (*name).into(),
            name: (*name).into(),
            secret: (*secret).into(),
            secret_until: until.clone(),
            ..Character::default()
        };
        Story {
            characters: cards.iter().map(card).collect(),
            outline_nodes: vec![node(1), node(2)],
            worldview: Some(Worldview { truth: truth.into(), truth_until: until.clone(), ..Worldview::default() }),
            ..Story::default()
        }
    }

    fn event(title: &str, description: &str, people: &[&str]) -> TimelineEvent {
        TimelineEvent {
            title: title.into(),
            description: description.into(),
            participants: people.iter().map(|name| (*name).to_owned()).collect(),
            ..TimelineEvent::default()
        }
    }

    /// What is left of the event's description in the chapter.
    fn open(story: &Story, chapter: u32, event: &TimelineEvent) -> Option<String> {
        let secrets = KeptSecrets::before(&NumberedBook::of(story), chapter);
        secrets.open_part(event.clone()).map(|event| event.description)
    }

    #[test]
    fn what_tells_a_secret_of_the_past_is_no_open_fact_before_its_chapter() {
        let cards = [
            ("Gideon Nance", "On the night of the wreck he left the lamp to sit by his dying wife."),
            (
                "Silas Penhale",
                "He took the captain's sextant from the cabin, pawned it in Truro, and takes five pounds a year.",
            ),
            ("Davy Nance", ""),
        ];
        let truth =
            "The light was dark, because Gideon Nance left it. Silas Penhale takes five pounds a year for silence.";
        let story = story(&cards, truth);
        let paid = event(
            "Silas begins to take money",
            "Silas Penhale takes five pounds a year from Gideon Nance for silence.",
            &[],
        );
        let pawned = event("The sextant is pawned", "Silas Penhale pawned the sextant in Truro.", &["Silas Penhale"]);
        let left =
            event("The light goes dark", "Gideon Nance left the lamp to sit by his dying wife.", &["Gideon Nance"]);
        for hidden in [&paid, &pawned, &left] {
            assert_eq!(open(&story, 1, hidden), None, "{hidden:?}");
            assert!(open(&story, 2, hidden).is_some(), "it may come out: {hidden:?}");
        }
        let wreck = event(
            "The wreck",
            "The schooner strikes the reef with seven hands; Silas Penhale comes ashore with the captain's sextant.",
            &["Silas Penhale"],
        );
        assert_eq!(open(&story, 1, &wreck).as_deref(), Some("The schooner strikes the reef with seven hands"));
        let bought =
            event("Davy buys the sextant", "Davy Nance buys the sextant in Truro for three pounds.", &["Davy Nance"]);
        assert_eq!(open(&story, 1, &bought).as_deref(), Some(bought.description.as_str()), "he is not of the secret");
    }

    #[test]
    fn a_secret_of_the_past_is_kept_in_chinese_too() {
        let cards = [("裴慎之", "十年前他放火烧了义庄，换走棺中的尸首。"), ("沈砚秋", "")];
        let story = story(&cards, "");
        let fire = event("义庄失火", "裴慎之放火烧了义庄。", &["裴慎之"]);
        assert_eq!(open(&story, 1, &fire), None);
        assert!(open(&story, 2, &fire).is_some());
        let came = event("沈砚秋进京", "沈砚秋随师父进京，住在城南。", &["沈砚秋"]);
        assert!(open(&story, 1, &came).is_some());
        let of_chapter = TimelineEvent { outline_node: Some("o-1".into()), ..fire };
        assert!(open(&story, 1, &of_chapter).is_some(), "the outline decides what a chapter tells");
    }
}
