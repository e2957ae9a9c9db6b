use std::collections::BTreeMap;

use proptest::prelude::*;
use qingyu_story::Language;

use super::*;
use crate::Templates;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Set {
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
}

fn routed(text: &str, at: &str, language: Language) -> Routing {
    let (production, fields) = Templates::builtin().get("course").unwrap().begin(language);
    let situation = Situation {
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
    let set: Set = toml::from_str(include_str!("../../data/utterances.toml")).unwrap();
    let (mut shares, mut confusion) = (BTreeMap::<&str, Share>::new(), BTreeMap::new());
    for utterance in &set.utterances {
        let Utterance { at, text, language, intent, accept, held_out } = utterance;
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
        shares.entry("clear that are sure").or_default().add(routing.is_sure);
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
    assert!(shares["clear that are sure"].part() >= 0.8, "who asks always is of no use");
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

proptest! {
    #[test]
    fn nothing_breaks_it(text in "\\PC{0,40}", at in prop_oneof!["interview", "confirm", "free"]) {
        let routing = routed(&text, &at, Language::Zh);
        prop_assert!((0.0..=1.0).contains(&routing.confidence));
        prop_assert_eq!(routing.is_sure, routing.confidence >= SURE);
    }
}
