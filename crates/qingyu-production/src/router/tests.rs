use std::collections::BTreeMap;

use proptest::prelude::*;
use qingyu_story::Language;

use super::*;
use crate::Templates;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct UtteranceSet {
    utterances: Vec<Utterance>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Utterance {
    at: String,
    text: String,
    language: Language,
    intent: Option<Intent>,
    #[serde(default)]
    accept: Vec<Intent>,
    #[serde(default)]
    held_out: bool,
    /// Paths that a model is to name.
    #[serde(default)]
    fields: Vec<String>,
    /// Whether there are several clauses, or a field named with `@`.
    #[serde(default)]
    compound: bool,
    /// Whether it is no order, though in the words of one, or an order in words that no list has.
    #[serde(default)]
    beside: bool,
}

fn routed(text: &str, at: &str, language: Language) -> Routing {
    let (production, fields) = Templates::builtin().get("course").unwrap().begin(language);
    let situation = RoutingContext {
        fields: &fields,
        phases: &production.phases,
        current_phase: if at == "interview" { "intent" } else { "design_inner" },
        is_interview: at == "interview",
        waits_for_confirmation: at == "confirm",
    };
    route(text, &situation)
}

/// How many of how many.
#[derive(Default)]
struct Share(usize, usize);

impl Share {
    fn add(&mut self, is_right: bool) {
        self.0 += usize::from(is_right);
        self.1 += 1;
    }

    fn part(&self) -> f64 {
        self.0 as f64 / self.1.max(1) as f64
    }
}

#[test]
fn the_labelled_set_is_understood() {
    let set: UtteranceSet = toml::from_str(include_str!("../../data/utterances.toml")).unwrap();
    let (mut shares, mut confusion) = (BTreeMap::<&str, Share>::new(), BTreeMap::new());
    for utterance in set.utterances.iter().filter(|utterance| !utterance.compound && !utterance.beside) {
        let Utterance { at, text, language, intent, accept, held_out, .. } = utterance;
        let routing = routed(text, at, *language);
        let Some(intent) = intent else {
            shares.entry("ambiguous that ask").or_default().add(!routing.is_sure);
            let is_offered =
                accept.contains(&routing.intent) || routing.others.iter().any(|other| accept.contains(other));
            shares.entry("ambiguous with a fitting offer").or_default().add(is_offered);
            if routing.is_sure && !held_out {
                println!("does not ask: {text} → {:?} {} ({})", routing.intent, routing.confidence, routing.why);
            }
            continue;
        };
        let is_right = routing.intent == *intent;
        let tongue = if *language == Language::Zh { "zh" } else { "en" };
        for group in ["all", tongue, at, if *held_out { "held out" } else { "seen" }] {
            shares.entry(group).or_default().add(is_right);
        }
        if routing.is_simple {
            shares.entry("simple that are sure").or_default().add(routing.is_sure);
        }
        shares.entry("sure that are right").or_default();
        if routing.is_sure {
            shares.entry("sure that are right").or_default().add(is_right);
        }
        *confusion.entry((*intent, routing.intent)).or_insert(0) += 1;
        if (!is_right || !routing.is_sure) && !held_out {
            println!("[{at}] {text}: {intent:?} → {:?} {} ({})", routing.intent, routing.confidence, routing.why);
        }
    }
    for (group, share) in &shares {
        println!("{group}: {:.3} ({}/{})", share.part(), share.0, share.1);
    }
    for ((wanted, found), count) in &confusion {
        println!("{wanted:?} taken for {found:?}: {count}");
    }
    assert!(shares["all"].part() >= 0.9 && shares["zh"].part() >= 0.9 && shares["en"].part() >= 0.9);
    assert!(shares["ambiguous that ask"].part() >= 0.9);
    assert!(shares["simple that are sure"].part() >= 0.8, "who asks always is of no use");
}

#[test]
fn several_clauses_and_named_fields_are_handed_over_unless_the_lists_are_right() {
    let set: UtteranceSet = toml::from_str(include_str!("../../data/utterances.toml")).unwrap();
    let compound: Vec<&Utterance> = set.utterances.iter().filter(|utterance| utterance.compound).collect();
    assert_eq!(compound.len(), 60);
    let (mut handed, fields) = (0, Templates::builtin().get("course").unwrap().begin(Language::Zh).1);
    for Utterance { at, text, language, intent, fields: named, .. } in compound {
        let routing = routed(text, at, *language);
        handed += usize::from(!routing.is_sure);
        assert!(!routing.is_sure || Some(routing.intent) == *intent, "{text}: sure of {:?}", routing.intent);
        assert!(!text.contains('@') || !routing.is_sure, "{text}: it names a field");
        let is_known = |path: &String| fields.iter().any(|field| field.path == *path);
        assert!(named.iter().all(is_known), "{text}");
    }
    assert!(handed >= 40, "{handed} of 60 go to a model");
    for (text, at) in [
        ("For hobby developers who don't like selling. That's enough, go ahead.", "interview"),
        ("In @outline, change only the exercise of lesson 2 so that a librarian who is alone can do it", "free"),
        ("In the landing page, say more about the outline and the lessons, but touch nothing else", "free"),
    ] {
        assert!(!routed(text, at, Language::En).is_sure, "{text}");
    }
    for (text, at) in
        [("That's all, go ahead", "interview"), ("Librarians, in small towns. They work alone.", "interview")]
    {
        assert!(routed(text, at, Language::En).is_sure, "{text}");
    }
}

#[test]
fn what_stands_beside_orders_is_decided_right_or_handed_over() {
    let set: UtteranceSet = toml::from_str(include_str!("../../data/utterances.toml")).unwrap();
    let beside: Vec<&Utterance> = set.utterances.iter().filter(|utterance| utterance.beside).collect();
    assert!(beside.len() >= 40, "{}", beside.len());
    let mut decided = 0;
    for Utterance { at, text, language, intent, .. } in beside {
        let routing = routed(text, at, *language);
        decided += usize::from(routing.is_sure);
        assert!(!routing.is_sure || Some(routing.intent) == *intent, "{text}: sure of {:?}", routing.intent);
    }
    assert!(decided >= 8, "{decided}: who asks always is of no use");
}

#[test]
fn fields_and_phases_that_are_named_are_found() {
    let of = |text: &str| {
        let routing = routed(text, "free", Language::of(text));
        (routing.fields.join(","), routing.phase.unwrap_or_default())
    };
    let cases = [
        ("把 @design_inner/outline 改成五节", "design_inner/outline", ""),
        ("落地页和邮件都太长", "produce_outer/landing_page,produce_outer/emails", ""),
        ("大纲再短一点", "design_inner/outline", ""),
        ("Shorten the landing page", "produce_outer/landing_page", ""),
        ("make the intent report shorter", "intent/report", "intent"),
        ("the report is too long", "", ""),
        ("进入外延设计", "", "design_outer"),
        ("go back to research", "", "research"),
        ("你好", "", ""),
    ];
    for (text, fields, phase) in cases {
        assert_eq!(of(text), (fields.to_owned(), phase.to_owned()), "{text}");
    }
}

#[test]
fn a_question_about_a_reader_is_about_what_was_made() {
    let (production, mut fields) = Templates::builtin().get("course").unwrap().begin(Language::En);
    let personas = fields.iter_mut().find(|field| field.path == "intent/personas").unwrap();
    personas.value = serde_json::json!([{"name": "Ruth Hall", "who": "a librarian"}, {"name": "老王", "who": "馆员"}]);
    let intent = |text: &str| {
        let situation = RoutingContext {
            fields: &fields,
            phases: &production.phases,
            current_phase: "evaluate",
            is_interview: false,
            waits_for_confirmation: false,
        };
        let routing = route(text, &situation);
        (routing.intent, routing.is_sure)
    };
    for text in [
        "What did Ruth object to?",
        "why did Ruth stop reading",
        "Would Ruth buy it, and is it what she wanted?",
        "老王反对什么？",
        "为什么老王不信？",
    ] {
        let (found, is_sure) = intent(text);
        assert!(found == Intent::Query, "{text}: {found:?}");
        assert!(is_sure || text.contains(','), "{text}");
    }
    for text in ["Make it so that Ruth is convinced", "Can you rewrite lesson 2 for Ruth?", "把落地页改得让老王也信"]
    {
        assert_ne!(intent(text).0, Intent::Query, "{text}");
    }
}

proptest! {
    #[test]
    fn nothing_breaks_it(text in "\\PC{0,40}", at in prop_oneof!["interview", "confirm", "free"]) {
        let routing = routed(&text, &at, Language::Zh);
        prop_assert!((0.0..=1.0).contains(&routing.confidence));
        prop_assert_eq!(routing.is_sure, routing.is_simple && routing.confidence >= SURE);
    }
}
