use proptest::prelude::*;

use super::*;

const NAMES: [&str; 5] = ["林深", "林深处", "Anna Lee", "迷雾森林", "剑"];

fn words() -> WordSplitter {
    WordSplitter::of(NAMES)
}

fn cut(words: &WordSplitter, text: &str) -> String {
    let letter = |kind| match kind {
        WordKind::Name => "n",
        WordKind::Bordered => "b",
        WordKind::Run => "r",
    };
    words.cut(text).iter().map(|word| format!("{}/{}", word.text, letter(word.kind))).collect::<Vec<_>>().join(" ")
}

/// `text` with what is marked in brackets.
fn marked(words: &WordSplitter, text: &str, query: &str) -> String {
    let mut marked = String::new();
    let mut at = 0;
    for mark in words.highlight(text, query) {
        marked.push_str(&format!("{}[{}]", &text[at..mark.start], &text[mark.clone()]));
        at = mark.end;
    }
    marked + &text[at..]
}

#[test]
fn names_are_words_wherever_they_stand() {
    let cases = [
        ("", ""),
        ("林深走進迷霧森林。", "林深/n 走進/r 迷霧森林/n"),
        ("云在林深处，剑在鞘中", "云在/r 林深处/n 剑在鞘中/r"),
        ("anna lee met Anna Leeds", "anna lee/n met/b Anna/b Leeds/b"),
        ("ＡＮＮＡ ＬＥＥ和AI-7", "ＡＮＮＡ ＬＥＥ/n 和/r AI/b 7/b"),
        ("Cafe\u{301} ½ ㈱林深", "Cafe\u{301}/b ½/b ㈱/r 林深/n"),
    ];
    for (text, expected) in cases {
        assert_eq!(cut(&words(), text), expected, "{text}");
    }
}

#[test]
fn chinese_is_marked_by_pairs() {
    let cases = [
        ("他在旧港捡到芯片。", "舊港的芯片", "他在[旧港]捡到[芯片]。"),
        ("林深没有回头", "谁见过林深", "[林深]没有回头"),
        ("云在林深处", "林深", "云在林深处"),
        ("The gardeners find a key", "gardener's KEYS", "The [gardeners] find a [key]"),
        ("剑在鞘中，剑客睡了", "剑", "[剑]在鞘中，[剑]客睡了"),
        ("霓虹城的霓虹", "霓虹城", "[霓虹城]的[霓虹]"),
        ("什么也没有", "", "什么也没有"),
        ("", "什么", ""),
    ];
    for (text, query, expected) in cases {
        assert_eq!(marked(&words(), text, query), expected, "{query}");
    }
}

fn text() -> impl Strategy<Value = String> {
    let parts = prop::sample::select(vec!["林深", "林深處", "anna lee", "é", "e\u{301}", "㈱", "½", "森林", "。", "ﬁ"]);
    prop::collection::vec(prop_oneof![parts.prop_map(str::to_owned), "\\PC{0,4}"], 0..12).prop_map(|all| all.concat())
}

proptest! {
    #[test]
    fn words_and_marks_are_apart_and_in_order(text in text(), query in text()) {
        let words = words();
        let mut at = 0;
        for word in words.cut(&text) {
            prop_assert!(word.range.start >= at && word.range.end > word.range.start);
            prop_assert_eq!(&text[word.range.clone()], word.text);
            at = word.range.end;
        }
        let marks = words.highlight(&text, &query);
        prop_assert!(marks.iter().all(|mark| text.get(mark.clone()).is_some_and(|marked| !marked.is_empty())));
        prop_assert!(marks.windows(2).all(|pair| pair[0].end < pair[1].start));
    }

    #[test]
    fn a_text_is_marked_by_its_own_words(text in "[一-龥]{2,12}") {
        let words = words();
        let whole = 0..text.len();
        prop_assert_eq!(words.highlight(&text, &text), [whole]);
    }
}
