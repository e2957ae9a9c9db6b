use proptest::prelude::*;

use super::{Prose, SentenceVoice, SlipKind};
use crate::Language;

/// The sentences of a text, as words.
fn sentences(text: &str) -> Vec<&str> {
    Prose::of(text).sentences.iter().map(|sentence| &text[sentence.range.clone()]).collect()
}

#[test]
fn sentences_end_where_an_editor_ends_them() {
    let cases: &[(&str, &[&str])] = &[
        ("他走了。雨还在下！", &["他走了。", "雨还在下！"]),
        ("“你来了？”他问。", &["“你来了？”", "他问。"]),
        ("他说：“走吧。”她点头。", &["他说：“走吧。”", "她点头。"]),
        ("“好！”，他说，“走。”", &["“好！”，他说，“走。”"]),
        ("他走了……又回来。", &["他走了……又回来。"]),
        ("他沉默……“走吧。”", &["他沉默……", "“走吧。”"]),
        ("真的？！他不信。", &["真的？！", "他不信。"]),
        ("「走。」他说。『不。』", &["「走。」", "他说。", "『不。』"]),
        ("Mr. Lane came in. He sat down.", &["Mr. Lane came in.", "He sat down."]),
        ("\"What?\" he asked. Nobody spoke.", &["\"What?\" he asked.", "Nobody spoke."]),
        ("It cost 3.14 marks. J. R. Ward paid.", &["It cost 3.14 marks.", "J. R. Ward paid."]),
        ("She waited... and left. “No!” She ran.", &["She waited... and left.", "“No!”", "She ran."]),
        ("第一行\n第二行", &["第一行", "第二行"]),
        ("……", &[]),
        ("", &[]),
    ];
    for (text, expected) in cases {
        assert_eq!(sentences(text), *expected, "{text}");
    }
}

#[test]
fn lengths_are_counted_as_an_editor_counts_them() {
    for (text, length) in
        [("他有3个apple。", 5), ("It's a well-worn coat.", 4), ("……", 0), ("雨，雨。", 2), ("R2D2来了", 3)]
    {
        assert_eq!(Prose::of(text).length, length, "{text}");
    }
    assert_eq!(Prose::of("雨 and rain and more").language, Language::En);
}

#[test]
fn the_shape_of_a_sentence_is_its_words() {
    let shape = |text| Prose::of(text).sentences[0].shape;
    assert_eq!(shape("雨还在下，他走了。"), shape("雨 还在下：他走了！"));
    assert_eq!(shape("The Rain fell."), shape("the rain fell!"));
    assert_ne!(shape("雨还在下。"), shape("雪还在下。"));
}

#[test]
fn speech_is_told_from_narration() {
    use SentenceVoice::{Mixed, Narrated, Spoken};
    let text = "他走了。“你来了？”他问。他说：“走吧。”\"Go on.\" He went.";
    let prose = Prose::of(text);
    let voices: Vec<SentenceVoice> = prose.sentences.iter().map(|sentence| sentence.voice).collect();
    assert_eq!(voices, [Narrated, Spoken, Narrated, Mixed, Spoken, Narrated]);
    let speeches: Vec<&str> = prose.speeches.iter().map(|speech| &text[speech.range.clone()]).collect();
    assert_eq!(speeches, ["“你来了？”", "“走吧。”", "\"Go on.\""]);
}

#[test]
fn a_speech_of_several_paragraphs_is_opened_anew_and_closed_once() {
    let unbalanced = |text| Prose::of(text).slips(SlipKind::Unbalanced).len();
    assert_eq!(unbalanced("“第一段。\n“第二段。”\n他停下。"), 0);
    assert_eq!(unbalanced("“第一段。\n他停下。"), 1);
    assert_eq!(unbalanced("他说（轻声。\n他停下。"), 1);
    assert_eq!(unbalanced("他说走”。"), 1);
    assert_eq!(unbalanced("“Fifteen men on the dead man's chest\nDrink and the devil had done for the rest.”"), 0);
    assert_eq!(unbalanced("“第一段。\n他说：“走吧。”\n他停下。”"), 2);
    assert!(Prose::of("他说：“走").open_at_end.is_some());
    // A letter ends with its signature, a verse with its last line, and a drop capital takes no mark.
    assert_eq!(unbalanced("It ran thus:\n“My dear Nora,—The gate is shut.\nShe put it down."), 0);
    assert_eq!(unbalanced("He read:--\n“My dear Nora,\n“The gate is shut.\nANN SHAW.”\nShe put it down."), 0);
    assert_eq!(unbalanced("IT’S time to go,” said Nora. “The gate is shut.”"), 0);
    assert_eq!(unbalanced("She came in. “The gate is shut.\nHe went out."), 1);
    // A passage in brackets may have speeches, and a verse straight marks.
    assert_eq!(unbalanced("【那天午后，她在街角遇见了他。\n“走开。”他说。\n她没有走。】\n他放下书。"), 0);
    assert_eq!(unbalanced("【那天午后，她在街角遇见了他。\n“走开。”他说。\n他放下书。"), 1);
    assert_eq!(unbalanced("他念道：\n\"夜雨江桥上，\n归人不识灯。\"\n他放下书。"), 0);
    assert_eq!(unbalanced("他念道：\n\"夜雨江桥上。\n他说：\"走吧。\"\n他放下书。"), 1);
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC*", dense in "[他走。，“”「」（）.!?\"' …—\\-\\n#*`like aA像一样]{0,60}") {
        for text in [text, dense] {
            let prose = Prose::of(&text);
            let inside = |range: &std::ops::Range<usize>| text.get(range.clone()).is_some();
            prop_assert!(prose.sentences.iter().all(|sentence| inside(&sentence.range)));
            prop_assert!(prose.paragraphs.iter().all(|paragraph| inside(&paragraph.range)));
            prop_assert!(prose.slips.iter().all(|slip| inside(&slip.range)), "{:?}", prose.slips);
            prop_assert!(prose.sentences.is_sorted_by(|a, b| a.range.end <= b.range.start), "{:?}", prose.sentences);
            let lengths: usize = prose.sentences.iter().map(|sentence| sentence.length).sum();
            prop_assert_eq!(lengths, prose.length);
        }
    }
}

#[test]
fn a_very_long_paste_is_read() {
    let paste = "他说：“走（吧".repeat(120_000);
    assert!(paste.len() > 2_000_000);
    for paste in
        [paste, "((".repeat(1_000_000), "as an ai, ".repeat(200_000), "“".repeat(700_000), " ".repeat(2_000_000)]
    {
        let prose = Prose::of(&paste);
        assert!(prose.paragraphs.len() <= 1);
    }
}
