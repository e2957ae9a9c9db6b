use serde_json::{Value, json};

use super::*;
use crate::Fact;

fn fact(subject: &str, predicate: &str, object: Option<&str>, value: Value) -> Piece {
    let (subject, predicate, object) = (subject.into(), predicate.into(), object.map(str::to_owned));
    Piece::Fact(Fact { subject, predicate, object, value, ..Fact::default() })
}

/// Checks that each sentence either probably tells the piece of `old` still, or does not.
#[track_caller]
fn check(piece: &Piece, old: &str, cases: &[(&str, bool)]) {
    for (new, expected) in cases {
        let first = if new.is_ascii() { "It rained. " } else { "雨停了。" };
        let text = format!("{first}{new}");
        let found = with_likely_words(&Quotable::of(&text), old, 0, &StatementWords::of(piece, old));
        assert_eq!(found.as_deref(), expected.then_some(*new), "{old} / {new}");
    }
}

#[test]
fn words_that_leave_a_chinese_statement_may_change() {
    let key = fact("林深", "持有", Some("铜钥匙"), Value::Null);
    let cases = [
        ("他攥紧了铜钥匙。", true),
        ("他握住了铜钥匙。", true),
        ("他紧紧攥着铜钥匙。", true),
        ("他连忙握紧了铜钥匙呢。", true),
        ("他低头攥住了铜钥匙。", true),
        ("他松开了铜钥匙。", false),
        ("他攥住了银钥匙。", false),
        ("她攥住了铜钥匙。", false),
        ("他没攥住铜钥匙。", false),
        ("他攥住了两把铜钥匙。", false),
        ("他昨天攥住了铜钥匙。", false),
        ("他爹攥住了铜钥匙。", false),
    ];
    check(&key, "他攥住了铜钥匙。", &cases);
    let given = fact("林深", "交出", Some("当票"), Value::Null);
    let cases = [
        ("林深赶忙把当票交给了秀云，转身走了。", true),
        ("林深终于把当票送给秀云，转身就走了。", true),
        ("林深又将当票塞给了秀云，转身走了。", true),
        ("林深慢慢把当票递给秀云，转身走了。", true),
        ("林深把当票还给了秀云，转身走了。", false),
        ("林深差点把当票递给了秀云，转身走了。", false),
        ("林深把当票卖给了秀云，转身走了。", false),
        ("林深让人把当票递给了秀云，转身走了。", false),
        ("秀云把当票递给了林深，转身走了。", false),
        ("林深把当票递给了她娘，转身走了。", false),
    ];
    check(&given, "林深连忙把当票递给了秀云，转身走了。", &cases);
    let watch = fact("陆景明", "交出", Some("怀表"), Value::Null);
    let cases = [
        ("他摘下怀表，连着链子搁到她掌心。", true),
        ("他取下怀表，连着链子放在她手里。", true),
        ("他戴上怀表，连着链子放到她掌心。", false),
        ("他解下怀表，连着链子拿到她掌心。", false),
        ("他解下怀表，没有放到她掌心。", false),
    ];
    check(&watch, "他解下怀表，连着链子放到她掌心。", &cases);
    let cases = [("陆景明从怀里摸出怀表，打开了盖子。", true), ("陆景明往怀里放进怀表，打开了盖子。", false)];
    check(&watch, "陆景明从怀里掏出怀表，打开了盖子。", &cases);
}

#[test]
fn a_statement_about_somebody_named_by_a_pronoun_may_change_like_others() {
    let dead = fact("Catriona", "dies", None, Value::Null);
    let cases = [
        ("On Tuesday, the twenty-eighth of February, she was dead.", true),
        ("On the Tuesday, twenty-eighth of February, she was dead.", true),
        ("On the Wednesday, the twenty-eighth of February, she was dead.", false),
        ("On the Tuesday, the twenty-eighth of February, he was dead.", false),
        ("On the Tuesday, the twenty-eighth of February, she was not dead.", false),
    ];
    check(&dead, "On the Tuesday, the twenty-eighth of February, she was dead.", &cases);
    let got = fact("Euan", "gets", Some("the watch"), Value::Null);
    let cases = [
        ("Then he slipped it into his waistcoat pocket, and his hand stayed over it.", true),
        ("Then he tucked it in his waistcoat pocket, and his hand stayed over it.", true),
        ("Then he put it in a waistcoat pocket, and his hand stayed over it.", false),
        ("Then she slipped it into his waistcoat pocket, and his hand stayed over it.", false),
        ("Then he dropped it in his waistcoat pocket, and his hand stayed over it.", false),
    ];
    check(&got, "Then he put it in his waistcoat pocket, and his hand stayed over it.", &cases);
    let got = fact("林深", "得到", Some("怀表"), Value::Null);
    let cases = [("他把它塞进了怀里。", true), ("她把它放进了怀里。", false), ("他把它扔进了怀里。", false)];
    check(&got, "他把它放进了怀里。", &cases);
}

#[test]
fn opposites_never_tell_a_chinese_statement() {
    for (piece, old, cases) in [
        (
            fact("她", "爱", Some("他"), Value::Null),
            "她一直深爱着他。",
            &[
                ("她一直爱着他。", true),
                ("她一直恨着他。", false),
                ("她从不爱着他。", false),
                ("她一直爱过他。", false),
            ][..],
        ),
        (
            fact("周建国", "dies", None, json!(true)),
            "周建国当天夜里就死了。",
            &[
                ("周建国当天夜里就去世了。", true),
                ("周建国当天夜里便死了。", true),
                ("周建国当天夜里就活了。", false),
                ("周建国当天夜里就快死了。", false),
                ("周建国次日夜里就死了。", false),
            ],
        ),
        (
            fact("林深", "age", None, json!(26)),
            "林深今年才二十六岁。",
            &[("林深今年已经二十六岁。", true), ("林深今年二十七岁。", false), ("林深去年才二十六岁。", false)],
        ),
        (
            fact("林深", "步态", None, json!("慢性子")),
            "林深走路总是很慢。",
            &[("林深走路总是很轻。", false), ("林深走路总是很慢啊。", true)],
        ),
        (
            fact("林深", "is_at", Some("旧港"), Value::Null),
            "林深连忙走进旧港。",
            &[("林深赶忙踏进旧港。", true), ("林深连忙走出旧港。", false), ("林深连忙走进新港。", false)],
        ),
    ] {
        check(&piece, old, cases);
    }
}

#[test]
fn words_that_leave_an_english_statement_may_change() {
    let ring = fact("Edwin", "gives", Some("the ring"), Value::Null);
    let old = "Then Edwin quickly handed the ring over to Hannah.";
    let cases = [
        ("Then Edwin quickly passed the ring across to Hannah.", true),
        ("Then Edwin slowly gave the ring over to Hannah.", true),
        ("At last Edwin handed the ring over to Hannah.", true),
        ("Edwin handed the ring across to Hannah at once.", true),
        ("Then Edwin quietly handed the ring across to Hannah.", true),
        ("Then Edwin quickly took the ring over to Hannah.", false),
        ("Then Edwin nearly handed the ring over to Hannah.", false),
        ("Then Edwin quickly handed the rings over to Hannah.", false),
        ("Then Edwin quickly handed the brooch over to Hannah.", false),
        ("Then Edwin quickly handed the ring over to Ruth.", false),
        ("Then Ruth quickly handed the ring over to Hannah.", false),
        ("Then Edwin quickly handed the ring over to his mother.", false),
        ("Then Edwin did not quickly hand the ring over to Hannah.", false),
        ("Yesterday Edwin quickly handed the ring over to Hannah.", false),
    ];
    check(&ring, old, &cases);
    check(&ring, "He handed it over.", &[("He passed it across.", true), ("He took it over.", false)]);
    let cases = [
        ("Edwin slipped off the ring and pushed it into her palm.", true),
        ("Edwin put on the ring and pressed it into her palm.", false),
        ("Edwin took off the ring and snatched it from her palm.", false),
    ];
    check(&ring, "Edwin took off the ring and pressed it into her palm.", &cases);
    let key = fact("Mara", "holds", Some("the key"), Value::Null);
    let cases = [
        ("Mara still gripped the key.", true),
        ("Mara tightly clutched the key.", true),
        ("Mara clasped the small brass key.", false),
        ("Mara dropped the key.", false),
        ("Mara no longer held the key.", false),
        ("Mara held two of the key.", false),
    ];
    check(&key, "Mara held the key.", &cases);
}

#[test]
fn opposites_never_tell_an_english_statement() {
    for (piece, old, cases) in [
        (
            fact("Ann", "loves", Some("Tom"), Value::Null),
            "In truth Ann still loved Tom dearly.",
            &[
                ("In truth Ann adored Tom dearly.", true),
                ("In truth Ann still hated Tom dearly.", false),
                ("In truth Ann once loved Tom dearly.", false),
                ("In truth Ann no longer loved Tom dearly.", false),
            ][..],
        ),
        (
            fact("Tom", "dies", None, json!(true)),
            "Tom died quietly in the house.",
            &[
                ("Tom died suddenly in the house.", true),
                ("Tom passed away quietly in the house.", true),
                ("Tom lived quietly in the house.", false),
                ("Tom nearly died quietly in the house.", false),
            ],
        ),
        (
            fact("Tom", "occupation", None, json!("doctor")),
            "Tom was just a country doctor then.",
            &[
                ("Tom was still a country doctor then.", true),
                ("Tom was just a country dentist then.", false),
                ("Tom was once a country doctor then.", false),
                ("Tom was just a former country doctor then.", false),
            ],
        ),
    ] {
        check(&piece, old, cases);
    }
}

#[test]
fn a_sentence_with_other_words_is_likely_the_same() {
    for (old, new, is_likely) in [
        ("秀敏把当票递过去。", "秀敏低着头把当票递过去。", true),
        ("秀敏把当票递过去。", "秀敏想把当票递过去。", false),
        ("秀敏把当票递过去。", "秀敏的姐姐把当票递过去。", false),
        ("秀敏把当票递过去。", "秀敏没把当票递过去。", false),
        ("秀敏把当票递过去。", "秀敏把当票递过来。", false),
        ("Edwin gave the ring to Hannah.", "Edwin handed the ring to Hannah.", true),
        ("Edwin gave the ring to Hannah.", "Edwin gave the jet ring to Hannah.", true),
        ("Edwin gave the ring to Hannah.", "Edwin never gave the ring to Hannah.", false),
        ("Edwin gave the ring to Hannah.", "Edwin sold the ring to Hannah.", false),
    ] {
        let text = format!("{}{new}", if new.is_ascii() { "It rained. " } else { "雨停了。" });
        let found = with_likely_words(&Quotable::of(&text), old, 0, &StatementWords::default());
        assert_eq!(found.as_deref(), is_likely.then_some(new), "{old} / {new}");
    }
}

#[test]
fn a_part_of_a_sentence_and_several_sentences_may_change_too() {
    let key = fact("林深", "持有", Some("铜钥匙"), Value::Null);
    let found =
        |text: &str, quote: &str| with_likely_words(&Quotable::of(text), quote, 0, &StatementWords::of(&key, quote));
    for (text, quote, expected) in [
        ("雨停了，林深握紧了铜钥匙，没有作声。", "林深攥住了铜钥匙", Some("林深握紧了铜钥匙")),
        ("雨停了，林深松开了铜钥匙，没有作声。", "林深攥住了铜钥匙", None),
        ("雨停了，林深握紧了铜钥匙，没有作声？", "林深攥住了铜钥匙", None),
        ("雨停了。林深握紧了铜钥匙。他走了。", "林深攥住了铜钥匙。他走了。", Some("林深握紧了铜钥匙。他走了。")),
        ("雨停了。林深松开了铜钥匙。他走了。", "林深攥住了铜钥匙。他走了。", None),
        ("雨停了。林深握紧了铜钥匙。他没走。", "林深攥住了铜钥匙。他走了。", None),
    ] {
        assert_eq!(found(text, quote).as_deref(), expected, "{text} / {quote}");
    }
}

#[test]
fn places_of_difference_are_those_outside_of_what_both_have() {
    let words = |text: &str| -> Vec<String> { text.split(' ').map(str::to_owned).collect() };
    for (old, new, expected) in [
        ("a b c", "a b c", vec![]),
        ("a b c d", "a x c y", vec![(1..2, 1..2), (3..4, 3..4)]),
        ("a c", "a b c d", vec![(1..1, 1..2), (2..2, 3..4)]),
        ("a b", "c", vec![(0..2, 0..1)]),
    ] {
        assert_eq!(differences(&words(old), &words(new)), expected, "{old} / {new}");
    }
}
