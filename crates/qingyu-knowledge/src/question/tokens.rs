//! The tokenizer of questions.

use qingyu_story::PieceKind;
use qingyu_story::chapters::mention_at;
use qingyu_story::names::{NameMention, fold};

use super::lexicon::{LEXICON, Relation, WordMeaning, cuts_word};
use super::parsed::{Rank, UnknownWords};
use crate::graph::{NodeId, NodeKind, StoryGraph, vocabulary};
use crate::pattern::{Instant, NodePattern, PropertyTest, When};
use crate::pattern::{PropertyComparison, Value};

/// A token of a question.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum QuestionToken {
    /// A piece of the story, or the holder of a role.
    Node(NodePattern),
    /// The word of a relation.
    Word(WordMeaning),
    /// A trait or occupation of a character in the story.
    Trait { property: &'static str, quality: String },
}

#[derive(Debug, Default)]
pub(super) struct QuestionTokens {
    pub(super) tokens: Vec<QuestionToken>,
    pub(super) times: Vec<When>,
    pub(super) rank: Option<Rank>,
    pub(super) unread: Vec<UnknownWords>,
}

/// Splits a question into tokens, the longest known words first; names before other words of the same length.
pub(super) fn of(question: &str, graph: &StoryGraph) -> QuestionTokens {
    let mut reader = QuestionTokenizer {
        question,
        chars: question.chars().map(|c| fold(&c.to_string()).chars().next().unwrap_or(' ')).collect(),
        starts: question.char_indices().map(|(at, _)| at).chain([question.len()]).collect(),
        mentions: graph.names().mentions(question),
        graph,
        traits: traits(graph),
        own_words: own_words(graph),
        found: QuestionTokens::default(),
    };
    let mut at = 0;
    while at < reader.chars.len() {
        at = reader.step(at);
    }
    reader.found
}

/// Returns the pieces named in `text` by name, alias, title or role.
pub(super) fn named(text: &str, graph: &StoryGraph) -> Vec<NodeId> {
    let chars: Vec<char> = text.chars().map(|c| fold(&c.to_string()).chars().next().unwrap_or(' ')).collect();
    let mut found: Vec<(usize, NodeId)> = Vec::new();
    for mention in graph.names().mentions(text) {
        let bearers = mention.bearers.iter().filter_map(|named| graph.piece(named.kind, named.position));
        found.extend(bearers.map(|node| (mention.start, node)));
    }
    for (start, position) in graph.names().mentions_in_part(text) {
        found.extend(graph.piece(PieceKind::Character, position).map(|node| (start, node)));
    }
    // Patterns do not resolve a family name with a title, such as 沈先生; here it finds the card of its only bearer.
    let addressed = graph.names().addressed_alone(text).into_iter();
    found.extend(addressed.filter_map(|position| Some((text.len(), graph.piece(PieceKind::Character, position)?))));
    for (at, (start, _)) in text.char_indices().enumerate() {
        if let Some((_, WordMeaning::Role(role))) = LEXICON.at(&chars, at) {
            let has_role = |node: &&NodeId| {
                let values = graph[**node].properties.get("role_type").into_iter().flatten();
                values.into_iter().any(|value| value.value == *role)
            };
            found.extend(graph.of_kind(NodeKind::Character).iter().filter(has_role).map(|node| (start, *node)));
        }
    }
    found.sort_by_key(|(start, _)| *start);
    let mut nodes: Vec<NodeId> = Vec::new();
    for (_, node) in found {
        if !nodes.contains(&node) {
            nodes.push(node);
        }
    }
    nodes
}

struct QuestionTokenizer<'q, 'g> {
    question: &'q str,
    /// The folded characters.
    chars: Vec<char>,
    /// The start of each character, in bytes.
    starts: Vec<usize>,
    mentions: Vec<NameMention<'g>>,
    graph: &'g StoryGraph,
    traits: Vec<(Vec<char>, &'static str)>,
    /// The story's own words for relations.
    own_words: Vec<(Vec<char>, String)>,
    found: QuestionTokens,
}

impl QuestionTokenizer<'_, '_> {
    /// Parses the token at `at`; returns the start of the next token.
    fn step(&mut self, at: usize) -> usize {
        if self.chars[at].is_whitespace() {
            return at + 1;
        }
        if let Some((end, when)) = self.time(at) {
            self.found.times.push(when);
            return end;
        }
        let named = self.mention(at);
        let own = self.own_word(at);
        let word = LEXICON.at(&self.chars, at).map(|(length, meaning)| (at + length, meaning.clone()));
        let word = match (own, word) {
            (Some(own), Some(word)) => Some(if own.0 >= word.0 { own } else { word }),
            (own, word) => own.or(word),
        };
        if let Some((end, nodes)) = named.filter(|(end, _)| word.as_ref().is_none_or(|(other, _)| end >= other)) {
            self.name(at, end, &nodes);
            return end;
        }
        if let Some((end, rank)) = self.superlative(at) {
            self.found.rank = Some(rank);
            return end;
        }
        let quality = self.traits.iter().find(|(one, _)| self.chars[at..].starts_with(one));
        let quality = quality.map(|(one, property)| (at + one.len(), *property));
        let quality = quality.filter(|(end, _)| !cuts_word(&self.chars, at) && !cuts_word(&self.chars, *end));
        if let Some((end, property)) = quality.filter(|(end, _)| word.as_ref().is_none_or(|(other, _)| end >= other)) {
            self.found.tokens.push(QuestionToken::Trait { property, quality: self.text(at, end) });
            return end;
        }
        let Some((end, meaning)) = word else { return self.unread(at) };
        match meaning {
            WordMeaning::Filler => {}
            other => self.found.tokens.push(QuestionToken::Word(other)),
        }
        end
    }

    /// Returns a story's own word for a relation, and the end of the word.
    fn own_word(&self, at: usize) -> Option<(usize, WordMeaning)> {
        let (word, name) = self.own_words.iter().find(|(word, _)| self.chars[at..].starts_with(word))?;
        let end = at + word.len();
        let is_whole = !cuts_word(&self.chars, at) && !cuts_word(&self.chars, end);
        is_whole.then(|| (end, WordMeaning::Verb(Relation::own(name))))
    }

    /// Returns the pieces with the longest name at the position, and the end of the name.
    fn mention(&self, at: usize) -> Option<(usize, Vec<NodeId>)> {
        let mention = self.mentions.iter().find(|mention| mention.start == self.starts[at])?;
        let end = self.starts.binary_search(&mention.end).ok()?;
        let nodes = mention.bearers.iter().filter_map(|named| self.graph.piece(named.kind, named.position));
        let nodes: Vec<NodeId> = nodes.collect();
        (!nodes.is_empty()).then_some((end, nodes))
    }

    fn name(&mut self, at: usize, end: usize, nodes: &[NodeId]) {
        let graph = self.graph;
        match nodes {
            [one] if graph[*one].kind == NodeKind::Chapter => {
                self.found.times.push(When::AsOf(Instant::Words(graph[*one].name.clone())));
            }
            [one] => {
                let node = &graph[*one];
                let alone = graph.called(&node.name).len() == 1;
                let name = if alone || node.id.is_empty() { &node.name } else { &node.id };
                let pattern =
                    NodePattern { kinds: vec![node.kind], name: Some(name.clone()), ..NodePattern::default() };
                self.found.tokens.push(QuestionToken::Node(pattern));
            }
            several => {
                let may_mean =
                    several.iter().map(|node| format!("{} {}", graph[*node].id, graph[*node].name)).collect();
                self.add_unread(at, end, may_mean);
            }
        }
    }

    /// Parses `第三十章`, `chapter 30`, and a range of chapters in either order.
    fn time(&self, at: usize) -> Option<(usize, When)> {
        let (end, first) = self.chapter(at)?;
        let joined = ["到", "至", "-", "–", "—", "~", "to", "and", "through"];
        let blank = |from: usize| from + self.chars[from..].iter().take_while(|c| c.is_whitespace()).count();
        for word in joined {
            let from = blank(end);
            if self.chars[from..].starts_with(&word.chars().collect::<Vec<_>>()) {
                let next = blank(from + word.chars().count());
                let second = self.chapter(next).or_else(|| self.number(next).filter(|_| word.is_ascii()));
                if let Some((end, second)) = second {
                    let mut chapters = [first, second];
                    chapters.sort_by_key(|chapter| self.graph.chapter(*chapter).ok().and_then(|time| time.order()));
                    let [from, to] = chapters.map(Instant::Chapter);
                    return Some((end, When::During(from, to)));
                }
            }
        }
        Some((end, When::AsOf(Instant::Chapter(first))))
    }

    fn chapter(&self, at: usize) -> Option<(usize, u32)> {
        let start = *self.starts.get(at)?;
        let (length, number) = mention_at(self.question.get(start..)?)?;
        let is_part_of_word = self.chars[at].is_ascii() && cuts_word(&self.chars, at);
        let end = self.starts.binary_search(&(start + length)).ok()?;
        (!is_part_of_word).then_some((end, number))
    }

    fn number(&self, at: usize) -> Option<(usize, u32)> {
        let digits: String = self.chars.get(at..)?.iter().take_while(|c| c.is_ascii_digit()).collect();
        Some((at + digits.len(), digits.parse().ok()?))
    }

    /// Parses `最谨慎的那个`, `the most cautious`, `the least honest`.
    fn superlative(&self, at: usize) -> Option<(usize, Rank)> {
        // `性格最谨慎`: the word before says what kind of quality follows.
        let kind = ["性格", "为人", "脾气"].map(|kind| kind.chars().collect::<Vec<_>>());
        let is_kind = |kind: &&Vec<char>| {
            self.chars[at..].starts_with(kind) && self.chars.get(at + kind.len()).is_some_and(|next| *next == '最')
        };
        if let Some(kind) = kind.iter().find(is_kind) {
            return self.superlative(at + kind.len());
        }
        let rest = &self.chars[at..];
        if rest[0] == '最' {
            let most = !rest[1..].starts_with(&['不']);
            let begin = at + if most { 1 } else { 2 };
            let ends = |c: &char| !qingyu_story::language::is_han(*c) || matches!(c, '的' | '是');
            let length = self.chars[begin..].iter().position(ends).unwrap_or(self.chars.len() - begin);
            // `最近` is a time, and a word that contains a name is no quality.
            let is_other = self.chars.get(begin).is_some_and(|c| "近初后终先多少新".contains(*c));
            let named =
                |mention: &NameMention<'_>| (self.starts[begin]..self.starts[begin + length]).contains(&mention.start);
            let is_quality = (1..=6).contains(&length) && !is_other && !self.mentions.iter().any(named);
            return is_quality.then(|| (begin + length, Rank { quality: self.text(begin, begin + length), most }));
        }
        for (word, most) in [("most ", true), ("least ", false)] {
            if !cuts_word(&self.chars, at) && rest.starts_with(&word.chars().collect::<Vec<_>>()) {
                let begin = at + word.len();
                let length = self.chars[begin..].iter().take_while(|c| c.is_alphabetic() || **c == '-').count();
                let quality = self.text(begin, begin + length);
                return (length > 0).then_some((begin + length, Rank { quality, most }));
            }
        }
        None
    }

    /// Appends unknown text: a Latin word, or a Chinese character, merged with the unknown text just before.
    fn unread(&mut self, at: usize) -> usize {
        let mut end = at + 1;
        while cuts_word(&self.chars, end) {
            end += 1;
        }
        let start = self.starts[at];
        let before = &self.question[..start];
        if let Some(last) = self.found.unread.last_mut()
            && last.may_mean.is_empty()
            && before.trim_end().len() <= last.end
        {
            last.end = self.starts[end];
            last.text = self.question[last.start..last.end].to_owned();
            return end;
        }
        self.add_unread(at, end, Vec::new());
        end
    }

    fn add_unread(&mut self, at: usize, end: usize, may_mean: Vec<String>) {
        let (start, stop) = (self.starts[at], self.starts[end]);
        self.found.unread.push(UnknownWords { start, end: stop, text: self.text(at, end), may_mean });
    }

    fn text(&self, from: usize, to: usize) -> String {
        self.question[self.starts[from]..self.starts[to]].to_owned()
    }
}

/// Returns the traits and occupations of the story's characters with at least two characters, longest first, with the
/// name of the property.
fn traits(graph: &StoryGraph) -> Vec<(Vec<char>, &'static str)> {
    let of = |node: &NodeId| {
        let properties = &graph[*node].properties;
        let lists = ["occupation", "trait"].into_iter().filter_map(|name| Some((name, properties.get(name)?)));
        let texts = lists.flat_map(|(name, list)| list.iter().filter_map(move |one| Some((one.value.as_str()?, name))));
        texts.map(|(text, name)| (fold(text).chars().collect::<Vec<char>>(), name)).collect::<Vec<_>>()
    };
    let all = graph.of_kind(NodeKind::Character).iter().flat_map(of);
    let mut traits: Vec<_> = all.filter(|(text, _)| text.len() > 1).collect();
    traits.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then(a.cmp(b)));
    traits.dedup();
    traits
}

/// Returns the words of relations that are in no vocabulary, of at least two characters, longest first.
fn own_words(graph: &StoryGraph) -> Vec<(Vec<char>, String)> {
    let words = graph.words().into_iter().filter(|word| !vocabulary::is_known(&word.name));
    let words =
        words.map(|word| (fold(&word.name.replace('_', " ")).chars().collect::<Vec<char>>(), word.name.clone()));
    let mut words: Vec<_> = words.filter(|(word, _)| word.len() > 1).collect();
    words.sort_by(|a, b| b.0.len().cmp(&a.0.len()).then_with(|| a.cmp(b)));
    words
}

/// Returns a pattern for a character with the role.
pub(super) fn of_role(role: &str) -> NodePattern {
    let is = PropertyComparison::Equal(Value::Text(role.to_owned()));
    let test = PropertyTest { property: "role_type".to_owned(), is };
    NodePattern { kinds: vec![NodeKind::Character], tests: vec![test], ..NodePattern::default() }
}

/// Returns a test for the trait or occupation.
pub(super) fn of_trait(property: &str, quality: &str) -> PropertyTest {
    PropertyTest { property: property.to_owned(), is: PropertyComparison::Contains(quality.to_owned()) }
}
