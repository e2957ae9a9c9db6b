//! The people who know a fact because it happened in public or before them, beside those listed as knowing it.

mod hearing;

use std::borrow::Cow;
use std::collections::BTreeSet;

use rustc_hash::FxHashMap;
use serde_json::Value;

use self::hearing::is_heard;
use crate::language::has_any;
use crate::names::fold;
use crate::predicate::{self, PredicateRole};
use crate::prose::scene_at;
use crate::settlement::told_events;
use crate::time;
use crate::{Document, Fact, Language, Mode, Names, PieceKind, Story, TimelineEvent};

/// Words for everybody, as a knower of a fact.
const EVERYBODY: [&str; 14] = [
    "众人",
    "大家",
    "所有人",
    "人人",
    "全城",
    "全镇",
    "全村",
    "举国",
    "天下人",
    "everybody",
    "everyone",
    "all",
    "the public",
    "the whole town",
];
/// Words by which something is made known to all.
const PROCLAIMED: [&str; 30] = [
    "讣告",
    "讣闻",
    "告示",
    "布告",
    "公告",
    "昭告",
    "榜文",
    "张榜",
    "登报",
    "见报",
    "昭示",
    "通告",
    "游街",
    "示众",
    "obituary",
    "obituaries",
    "proclaim",
    "proclaims",
    "proclaimed",
    "proclamation",
    "proclamations",
    "public notice",
    "public notices",
    "was posted",
    "in the newspaper",
    "in the papers",
    "town crier",
    "town criers",
    "gazette",
    "announced to all",
];
/// Words by which something happens before all who are there.
const BEFORE_ALL: [&str; 24] = [
    "当众",
    "众目睽睽",
    "大庭广众",
    "当着众人",
    "众人面前",
    "当堂",
    "在场的人都",
    "在场所有人",
    "围观",
    "人群",
    "满座",
    "满堂",
    "全场",
    "in front of everyone",
    "before everyone",
    "in public",
    "publicly",
    "the crowd",
    "a crowd",
    "crowds",
    "onlookers",
    "bystanders",
    "the whole room",
    "the assembled",
];
/// Words for the rites of the dead, which are held in public.
const RITES: [&str; 30] = [
    "葬礼",
    "下葬",
    "出殡",
    "送葬",
    "灵堂",
    "吊唁",
    "追悼",
    "发丧",
    "举丧",
    "丧礼",
    "丧事",
    "安葬",
    "入土",
    "祭奠",
    "funeral",
    "funerals",
    "buried",
    "burial",
    "burials",
    "mourners",
    "laid to rest",
    "memorial service",
    "wake was held",
    "cremated",
    "pallbearers",
    "eulogy",
    "eulogies",
    "cortege",
    "lowered the coffin",
    "lowers the coffin",
];
/// Words by which it is done out of sight.
const SECRETLY: [&str; 20] = [
    "偷偷",
    "悄悄",
    "秘密",
    "暗中",
    "暗地",
    "私下",
    "趁夜",
    "连夜",
    "无人知",
    "没有人知道",
    "没人知道",
    "瞒着",
    "secretly",
    "in secret",
    "by night",
    "at night",
    "nobody saw",
    "no one saw",
    "nobody knew",
    "unseen",
];
/// Words of a statement that somebody is dead.
const DEAD: [&str; 10] = ["死", "亡", "去世", "过世", "dead", "death", "deaths", "dies", "died", "killed"];

/// Returns whether a knower of a fact is everybody.
pub(crate) fn is_everybody(name: &str) -> bool {
    let name = name.trim().to_lowercase();
    EVERYBODY.contains(&name.as_str())
}

/// Returns the word for everybody as a knower, in the language of a story.
pub fn everybody(language: Language) -> &'static str {
    match language {
        Language::Zh => "众人",
        Language::En => "everybody",
    }
}

/// The people who know a fact though nobody lists them.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Audience {
    /// Nobody else than those listed.
    #[default]
    Listed,
    /// Those who were there, by name.
    Present(BTreeSet<String>),
    /// Everybody.
    Everybody,
}

/// How openly something happens.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Openness {
    BeforeAll,
    Proclaimed,
}

/// What the written chapters of a story tell in public.
#[derive(Debug)]
pub struct Audiences<'s> {
    story: &'s Story,
    names: &'s Names,
    /// The told events of each document, by position.
    events: FxHashMap<usize, Vec<StagedEvent<'s>>>,
    /// The documents and sentences that tell a fact again, by its id.
    retold: FxHashMap<&'s str, Vec<(usize, &'s str)>>,
}

/// An event, with its place in a text.
#[derive(Debug)]
struct StagedEvent<'s> {
    /// The event as the texts tell it.
    event: Cow<'s, TimelineEvent>,
    /// The byte position of its words; `None` if they do not stand there.
    at: Option<usize>,
}

impl<'s> Audiences<'s> {
    /// Reads the documents for which `is_told` returns true.
    pub fn of(story: &'s Story, names: &'s Names, is_told: impl Fn(&Document) -> bool) -> Self {
        let told = told_events(story);
        let mut events = FxHashMap::default();
        let mut retold: FxHashMap<&str, Vec<(usize, &str)>> = FxHashMap::default();
        for (position, document) in story.documents.iter().enumerate().filter(|(_, document)| is_told(document)) {
            let Some(record) = &document.settled else { continue };
            let made = record.made.iter().filter(|made| made.kind == PieceKind::Event);
            let made = made.map(|made| (made.id.as_str(), made.quote.trim()));
            let here = record.events.iter().flatten().map(|here| (here.event.as_str(), here.quote.trim()));
            let quotes: FxHashMap<&str, &str> = made.chain(here).collect();
            // Records of earlier versions do not say which planned events they tell.
            let node = |name: Option<&str>| Some(names.resolve(PieceKind::OutlineNode, name?)?.position);
            let own = node(document.outline_node.as_deref()).filter(|_| record.events.is_none());
            let is_here = |event: &TimelineEvent| {
                let is_planned_here = own.is_some() && node(event.outline_node.as_deref()) == own;
                event.mode == Mode::Narrated && (quotes.contains_key(event.id.as_str()) || is_planned_here)
            };
            let staged = told.iter().filter(|event| is_here(event)).map(|event| {
                let quote = quotes.get(event.id.as_str()).filter(|quote| !quote.is_empty());
                StagedEvent { event: event.clone(), at: quote.and_then(|quote| document.text.find(*quote)) }
            });
            events.insert(position, staged.collect());
            for again in &record.retold {
                retold.entry(again.id.as_str()).or_default().push((position, again.source.quote.trim()));
            }
        }
        Self { story, names, events, retold }
    }

    /// Returns the audience of a fact: everybody, the people present, or those listed in `known_by`.
    ///
    /// A death is known to everybody if a crowd sees it or it is proclaimed or mourned in public; otherwise to the people
    /// present. Any other fact is known to everybody if it is proclaimed or marked as public, and to the people of its
    /// chapter if it happens in front of them.
    pub fn of_fact(&self, fact: &Fact) -> Audience {
        if fact.known_by.iter().any(|knower| is_everybody(&knower.who)) {
            return Audience::Everybody;
        }
        if fact.mode != Mode::Narrated {
            return Audience::Listed;
        }
        match predicate::find(&fact.predicate).and_then(|word| word.role) {
            Some(PredicateRole::Death) if fact.value != Value::Bool(false) => {
                self.character(&fact.subject).map_or(Audience::Listed, |dead| self.of_death(dead))
            }
            Some(PredicateRole::Knowing | PredicateRole::Learning) => {
                let told = [fact.object.as_deref(), fact.value.as_str()];
                let told = told.into_iter().flatten().collect::<Vec<_>>().join(" ");
                let dead = if has_any(&told, &DEAD) { self.named(&told) } else { Vec::new() };
                match dead.as_slice() {
                    [dead] => self.of_death(*dead),
                    _ => Audience::Listed,
                }
            }
            _ => {
                let document = fact.source.as_ref().and_then(|source| self.document(&source.document));
                match (openness(&words_of(fact)), document) {
                    (Some(Openness::Proclaimed), Some(_)) => Audience::Everybody,
                    (Some(Openness::BeforeAll), Some(document)) => Audience::Present(self.people(document)),
                    _ => Audience::Listed,
                }
            }
        }
    }

    /// Returns the people who are there when a chapter tells a fact, unless they do not hear it: those of the nearest event
    /// of the scene, and of its other events at the same place and not at another hour. They may know it, listed or not.
    pub fn hearers(&self, fact: &Fact) -> BTreeSet<String> {
        let mut hearers = BTreeSet::new();
        if let Some(source) = &fact.source
            && let Some(document) = self.document(&source.document)
        {
            let how: Vec<&str> = fact.known_by.iter().map(|knower| knower.how.as_str()).collect();
            if is_heard(&source.quote, &how.join(" "), fact.mode) {
                hearers.extend(self.people_at(document, source.quote.trim()));
            }
        }
        for (document, quote) in self.retold.get(fact.id.as_str()).into_iter().flatten() {
            if is_heard(quote, "", fact.mode) {
                hearers.extend(self.people_at(*document, quote));
            }
        }
        hearers
    }

    /// Returns who knows that a character is dead.
    fn of_death(&self, dead: usize) -> Audience {
        let is_public = |words: &str| openness(words).is_some();
        let facts = self.story.facts.iter().filter(|fact| fact.mode == Mode::Narrated);
        let facts = facts.filter(|fact| self.character(&fact.subject) == Some(dead));
        for fact in facts {
            let is_told = fact.source.as_ref().is_some_and(|source| self.document(&source.document).is_some());
            let role = predicate::find(&fact.predicate).and_then(|word| word.role);
            let is_death = role == Some(PredicateRole::Death) && fact.value != Value::Bool(false);
            let is_marked = fact.known_by.iter().any(|knower| is_everybody(&knower.who));
            let words = words_of(fact);
            let is_rite = is_death || is_mourned(&fact.predicate);
            if is_told && (is_rite && is_mourned(&words) || is_death && (is_marked || is_public(&words))) {
                return Audience::Everybody;
            }
        }
        let mut present = BTreeSet::new();
        for StagedEvent { event, .. } in self.events.values().flatten() {
            let words = format!("{} {}", event.title, event.description);
            let is_death = event.deaths.iter().any(|name| self.character(name) == Some(dead));
            // Who takes part is not yet mourned.
            let takes_part = || event.participants.iter().any(|name| self.character(name) == Some(dead));
            let is_named = || self.names.mentioned(&words, PieceKind::Character, dead) && !takes_part();
            if is_mourned(&words) && (is_death || is_named()) || is_death && is_public(&words) {
                return Audience::Everybody;
            }
            if is_death {
                present.extend(self.participants(event));
            }
        }
        match present.is_empty() {
            true => Audience::Listed,
            false => Audience::Present(present),
        }
    }

    /// Returns the names of the people who take part in the events of a document.
    fn people(&self, document: usize) -> BTreeSet<String> {
        let events = self.events.get(&document).into_iter().flatten();
        events.flat_map(|staged| self.participants(&staged.event)).collect()
    }

    /// Returns the names of the people who are where a document has the words.
    fn people_at(&self, document: usize, words: &str) -> BTreeSet<String> {
        let text = self.story.documents[document].text.as_str();
        let Some(at) = text.find(words).filter(|_| !words.is_empty()) else { return BTreeSet::new() };
        let scene = scene_at(text, at);
        let events = self.events.get(&document).into_iter().flatten();
        let here = events.filter_map(|staged| Some((staged.at.filter(|place| scene.contains(place))?, staged)));
        let here: Vec<(usize, &StagedEvent<'_>)> = here.collect();
        let Some((nearest, own)) = here.iter().min_by_key(|(place, _)| place.abs_diff(at)) else {
            return BTreeSet::new();
        };
        let place = |staged: &StagedEvent<'_>| fold(staged.event.location.as_deref().unwrap_or_default());
        let (own, time) = (place(own), own.event.timestamp.as_str());
        let is_one = |staged: &StagedEvent<'_>| place(staged) == own && !are_apart(&staged.event.timestamp, time);
        let there = here.iter().filter(|(at, staged)| at == nearest || !own.is_empty() && is_one(staged));
        there.flat_map(|(_, staged)| self.participants(&staged.event)).collect()
    }

    fn participants(&self, event: &TimelineEvent) -> Vec<String> {
        let people = event.participants.iter().filter_map(|name| self.character(name));
        people.map(|who| self.story.characters[who].name.clone()).collect()
    }

    fn character(&self, name: &str) -> Option<usize> {
        self.names.resolve(PieceKind::Character, name).map(|named| named.position)
    }

    /// Returns the position of a told document.
    fn document(&self, name: &str) -> Option<usize> {
        let document = self.names.resolve(PieceKind::Document, name)?.position;
        self.events.contains_key(&document).then_some(document)
    }

    /// Returns the positions of the characters named in a text.
    fn named(&self, text: &str) -> Vec<usize> {
        let people = self.names.mentions(text).into_iter().flat_map(|mention| mention.bearers);
        let people = people.filter(|one| one.kind == PieceKind::Character).map(|one| one.position);
        people.collect::<BTreeSet<usize>>().into_iter().collect()
    }
}

/// Returns the words that tell a fact: its sentence, and how people came to know it.
fn words_of(fact: &Fact) -> String {
    let quote = fact.source.as_ref().map(|source| source.quote.as_str());
    let how = fact.known_by.iter().map(|knower| knower.how.as_str());
    quote.into_iter().chain(how).chain([fact.predicate.as_str()]).collect::<Vec<_>>().join(" ")
}

/// Returns whether two times of events are certainly apart, by half an hour or as hours of the day.
fn are_apart(one: &str, other: &str) -> bool {
    const GAP: i64 = 30 * 60;
    let is_gap = || {
        let moments = time::moment(one.trim()).zip(time::moment(other.trim()));
        moments.is_some_and(|(one, other)| one.is_apart_from(&other, GAP))
    };
    let is_dated = !one.trim().is_empty() && !other.trim().is_empty();
    is_dated && (is_gap() || time::are_other_hours(one, other))
}

fn openness(words: &str) -> Option<Openness> {
    match (has_any(words, &SECRETLY), has_any(words, &PROCLAIMED), has_any(words, &BEFORE_ALL)) {
        (false, true, _) => Some(Openness::Proclaimed),
        (false, false, true) => Some(Openness::BeforeAll),
        _ => None,
    }
}

/// Returns whether the words tell rites of the dead that are no secret.
fn is_mourned(words: &str) -> bool {
    has_any(words, &RITES) && !has_any(words, &SECRETLY)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// A death in the first chapter, with `event`, told by `quote`.
    fn story(quote: &str, event: &str, predicate: &str) -> Story {
        serde_json::from_value(json!({
            "language": "zh",
            "characters": [{"id": "c-1", "name": "陆伯衡"}, {"id": "c-2", "name": "陆尺素"}, {"id": "c-3", "name": "丘四"}],
            "timeline_events": [{"id": "e-1", "title": "陆伯衡之死", "description": event, "participants": ["陆伯衡", "丘四"],
                "deaths": ["陆伯衡"]}],
            "documents": [{"id": "d-1", "title": "第一章", "order": 1, "text": quote, "settled": {"version": 1, "digest": "",
                "made": [{"kind": "event", "id": "e-1", "digest": "", "quote": quote}]}}],
            "facts": [{"id": "f-1", "subject": "陆伯衡", "predicate": predicate, "value": true,
                "source": {"document": "d-1", "quote": quote}, "known_by": [{"who": "丘四"}]}]
        }))
        .unwrap()
    }

    fn audience(story: &Story) -> Audience {
        let names = Names::of(story);
        Audiences::of(story, &names, |_| true).of_fact(&story.facts[0])
    }

    #[test]
    fn a_public_death_is_known_and_a_hidden_one_to_those_who_saw_it() {
        let witnesses = Audience::Present(["丘四", "陆伯衡"].map(str::to_owned).into());
        let cases = [
            ("陆伯衡倒在水里，丘四看着。", "丘四看见他落水。", witnesses.clone()),
            ("陆伯衡在人群里倒下。", "他死了。", Audience::Everybody),
            ("陆伯衡死了。", "他当众倒下。", Audience::Everybody),
            ("镇上给陆伯衡出殡。", "他死了。", Audience::Everybody),
            ("县里贴了布告：陆伯衡溺亡。", "他死了。", Audience::Everybody),
            ("丘四连夜把陆伯衡安葬在堤下。", "他死了。", witnesses),
        ];
        for (quote, event, expected) in cases {
            assert_eq!(audience(&story(quote, event, "死亡")), expected, "{quote} {event}");
        }
    }

    #[test]
    fn other_facts_are_public_by_their_own_words_or_mark() {
        let present = Audience::Present(["丘四", "陆伯衡"].map(str::to_owned).into());
        assert_eq!(audience(&story("他当众认下了账。", "对账。", "认账")), present);
        assert_eq!(audience(&story("葬礼上，他把钥匙塞给丘四。", "对账。", "给钥匙")), Audience::Listed);
        let mut marked = story("他认下了账。", "对账。", "认账");
        assert_eq!(audience(&marked), Audience::Listed);
        marked.facts[0].known_by[0].who = "众人".into();
        assert_eq!(audience(&marked), Audience::Everybody);
        assert!(is_everybody(" Everybody ") && !is_everybody("林深"));
    }

    #[test]
    fn those_who_are_there_hear_what_is_told() {
        let heard = "“账册是我烧的。”陶四说。";
        let story = |told: &str| -> Story {
            let text = format!("县令升堂。{told}\n\n***\n\n丘四在河边等船。\n");
            serde_json::from_value(json!({
                "language": "zh",
                "characters": [{"name": "沈砚秋"}, {"name": "陶四"}, {"name": "周捕头"}, {"name": "丘四"}, {"name": "田七"}],
                "timeline_events": [
                    {"id": "e-1", "title": "过堂", "participants": ["沈砚秋", "陶四", "周捕头", "田七"], "location": "县衙"},
                    {"id": "e-2", "title": "等船", "participants": ["丘四"], "location": "河边"}],
                "documents": [{"id": "d-1", "title": "第一章", "order": 1, "text": text, "settled": {"version": 1, "digest": "",
                    "made": [{"kind": "event", "id": "e-2", "digest": "", "quote": "丘四在河边等船。"}],
                    "differs": [{"event": "e-1", "field": "participants", "told": "田七", "quote": "县令升堂。"}],
                    "events": [{"event": "e-1", "quote": "县令升堂。"}]}}],
                "facts": [{"id": "f-1", "subject": "陶四", "predicate": "烧账册", "value": true,
                    "source": {"document": "d-1", "quote": told}, "known_by": [{"who": "沈砚秋"}]}]
            }))
            .unwrap()
        };
        let hearers = |story: &Story| {
            let names = Names::of(story);
            Audiences::of(story, &names, |_| true).hearers(&story.facts[0])
        };
        let there: BTreeSet<String> = ["沈砚秋", "陶四", "周捕头"].map(str::to_owned).into();
        assert_eq!(hearers(&story(heard)), there, "neither who was only planned nor who is elsewhere");
        assert_eq!(hearers(&story("“账册是我烧的。”陶四附耳说。")), BTreeSet::new());
        let mut again = story(heard);
        let river = json!([{"id": "f-1", "source": {"document": "d-1", "quote": "丘四在河边等船。"}}]);
        again.documents[0].settled.as_mut().unwrap().retold = serde_json::from_value(river).unwrap();
        assert_eq!(hearers(&again).len(), 4, "who is told it later, too");
    }

    #[test]
    fn who_was_at_the_place_at_another_hour_does_not_hear_it() {
        let hearers = |language: &str, early: &str, late: &str| -> BTreeSet<String> {
            let (before, told) = ("沈仲和催要钥匙。", "沈蕙如把钥匙交给陆景明。");
            let story: Story = serde_json::from_value(json!({
                "language": language,
                "characters": [{"name": "沈蕙如"}, {"name": "沈仲和"}, {"name": "陆景明"}],
                "timeline_events": [
                    {"id": "e-1", "title": "催要", "participants": ["沈仲和", "沈蕙如"], "location": "裕泰当铺", "timestamp": early},
                    {"id": "e-2", "title": "易手", "participants": ["沈蕙如", "陆景明"], "location": "裕泰当铺", "timestamp": late}],
                "documents": [{"id": "d-1", "title": "第一章", "order": 1, "text": format!("{before}\n{told}\n"),
                    "settled": {"version": 1, "digest": "",
                        "made": [{"kind": "event", "id": "e-1", "digest": "", "quote": before},
                            {"kind": "event", "id": "e-2", "digest": "", "quote": told}]}}],
                "facts": [{"id": "f-1", "subject": "沈蕙如", "predicate": "交出", "object": "钥匙",
                    "source": {"document": "d-1", "quote": told}, "known_by": [{"who": "陆景明"}]}]
            }))
            .unwrap();
            let names = Names::of(&story);
            Audiences::of(&story, &names, |_| true).hearers(&story.facts[0])
        };
        let two: BTreeSet<String> = ["沈蕙如", "陆景明"].map(str::to_owned).into();
        for (language, early, late) in [
            ("zh", "民国十五年五月初三傍晚", "民国十五年五月初三 23:00"),
            ("zh", "民国十五年五月初二", "民国十五年五月初三 23:00"),
            ("en", "1926-06-12 18:00", "1926-06-12 23:00"),
        ] {
            assert_eq!(hearers(language, early, late), two, "{early} {late}");
        }
        for (early, late) in [("1926-06-12 23:00", "1926-06-12 23:10"), ("", "1926-06-12 23:00"), ("1926-06-12", "")] {
            assert_eq!(hearers("en", early, late).len(), 3, "{early} {late}");
        }
    }

    #[test]
    fn english_words_are_whole_words_in_any_case() {
        for (words, expected) in [
            ("THE OBITUARY was in the paper.", Some(Openness::Proclaimed)),
            ("The crowds watched.", Some(Openness::BeforeAll)),
            ("A crowded room.", None),
            ("Overnight the crowd grew.", Some(Openness::BeforeAll)),
            ("At night, before the crowd.", None),
        ] {
            assert_eq!(openness(words), expected, "{words}");
        }
        assert!(is_mourned("Two FUNERALS in one week.") && !is_mourned("It lay unburied."));
    }

    #[test]
    fn a_death_is_spoken_of_in_whole_words() {
        let mut story = story("陆伯衡在人群里倒下。", "他死了。", "死亡");
        story.facts.push(story.facts[0].clone());
        for (told, expected) in [
            ("陆伯衡 DIED", Audience::Everybody),
            ("陆伯衡死了", Audience::Everybody),
            ("陆伯衡 studied law", Audience::Listed),
        ] {
            let learns = Fact { subject: "丘四".into(), predicate: "learns".into(), ..story.facts[1].clone() };
            story.facts[0] = Fact { value: told.into(), ..learns };
            assert_eq!(audience(&story), expected, "{told}");
        }
    }

    #[test]
    fn what_is_not_told_yet_is_not_known() {
        let story = story("陆伯衡在人群里倒下。", "他死了。", "死亡");
        let names = Names::of(&story);
        assert_eq!(Audiences::of(&story, &names, |_| false).of_fact(&story.facts[0]), Audience::Listed);
    }
}
