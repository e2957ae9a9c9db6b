use std::sync::LazyLock;

use proptest::prelude::*;
use qingyu_story::{Character, Language, Names, Prose, Story};

use super::*;

static METER: LazyLock<Meter> = LazyLock::new(Meter::default);

/// The leading feeling and the sign of the polarity.
fn felt(text: &str) -> String {
    let emotion = METER.figures(text).emotion;
    let leading = emotion.curve.first().and_then(|point| point.leading);
    let sign = if emotion.polarity > 0.0 {
        "+"
    } else if emotion.polarity < 0.0 {
        "-"
    } else {
        "0"
    };
    format!("{} {sign}", leading.map_or("none".to_owned(), |feeling| format!("{feeling:?}").to_lowercase()))
}

#[test]
fn feelings_with_negation_and_degree() {
    let cases = [
        ("他很高兴。", "joy +"),
        ("他不高兴。", "none -"),
        ("他不太高兴。", "none -"),
        ("他并不害怕。", "none +"),
        ("他不是不高兴。", "joy +"),
        ("他没说话，高兴地走了。", "joy +"),
        ("他不禁大笑起来。", "joy +"),
        ("她绝望地痛哭。", "sadness -"),
        ("她目瞪口呆。", "surprise 0"),
        ("船沉没了。", "none 0"),
        ("He was happy.", "joy +"),
        ("He was not happy.", "none -"),
        ("He didn’t feel very happy.", "none -"),
        ("Not a soul came. She laughed.", "joy +"),
        ("She was never afraid of him.", "none +"),
        ("No doubt she was terrified.", "fear -"),
        ("He stared at the blurred glass.", "none 0"),
    ];
    for (text, expected) in cases {
        assert_eq!(felt(text), expected, "{text}");
    }
    let weight = |text: &str| METER.figures(text).emotion.feelings[&Feeling::Joy];
    assert!(weight("他非常高兴呀") > weight("他今天高兴呀"));
    assert!(weight("他略微高兴呀") < weight("他今天高兴呀"));
}

#[test]
fn the_lexicons_are_large_and_in_order() {
    for language in [Language::Zh, Language::En] {
        let lexicon = EmotionLexicon::builtin(language);
        assert!(lexicon.len() >= 400, "{language:?}: {}", lexicon.len());
        let mut seen = std::collections::BTreeSet::new();
        for words in lexicon.feelings.values() {
            for word in [&words.mild, &words.plain, &words.strong].into_iter().flatten() {
                assert!(seen.insert(word), "{word} stands twice");
                assert_eq!(word.trim(), word);
            }
        }
        assert_eq!(lexicon.feelings.len(), Feeling::ALL.len());
    }
}

#[test]
fn a_user_extends_and_replaces_lists() {
    let own = "language = 'zh'\nreach = 4\n[feelings.anger]\npolarity = -1.0\nstrong = ['高兴']\n";
    let lexicon = EmotionLexicon::builtin(Language::Zh).extended(EmotionLexicon::parse(own).unwrap());
    let lists = Lists { feelings_zh: lexicon, ..Lists::builtin() };
    let emotion = Meter::new(&lists).figures("他高兴了，又笑了。").emotion;
    assert_eq!(emotion.curve[0].leading, Some(Feeling::Anger));
    let only = Lists { feelings_zh: EmotionLexicon::parse(own).unwrap(), ..Lists::builtin() };
    assert_eq!(Meter::new(&only).figures("他很开心。").emotion.intensity, 0.0);
    assert!(EmotionLexicon::parse("reach = 1\nwords = 3").unwrap_err().to_string().contains("emotion"));
}

fn speakers(text: &str, names: Option<&Names>) -> String {
    let prose = Prose::of(text);
    let dialogue = METER.dialogue(text, &prose, names);
    let mut said: Vec<_> = dialogue.speakers.iter().map(|one| format!("{} {}", one.name, one.speeches)).collect();
    said.sort();
    said.push(format!("? {}", dialogue.unnamed));
    said.join(", ")
}

#[test]
fn who_speaks_is_read_from_the_tag() {
    let cases = [
        ("“走吧。”林深低声说。", "林深 1, ? 0"),
        ("林深笑道：“走吧。”", "林深 1, ? 0"),
        ("“走吧，”林深说，“天黑了。”", "林深 2, ? 0"),
        ("“走吧。”他说。", "? 1"),
        ("“走吧。”\n“不走。”", "? 2"),
        ("“走吧。”门外的雨越下越大了，谁也没有说话。", "? 1"),
        ("\"Let us go,\" said Mara.", "Mara 1, ? 0"),
        ("\"Let us go,\" Mara Voss said quietly. \"Now.\"", "Mara Voss 2, ? 0"),
        ("Mara said, \"Let us go.\"", "Mara 1, ? 0"),
        ("\"Go,\" he said.", "? 1"),
    ];
    for (text, expected) in cases {
        assert_eq!(speakers(text, None), expected, "{text}");
    }
}

#[test]
fn a_cast_is_known_by_its_aliases() {
    let lin = Character { name: "林深".into(), alias: vec!["阿深".into()], ..Character::default() };
    let su = Character { name: "苏晚".into(), ..Character::default() };
    let story = Story { characters: vec![lin, su], ..Story::default() };
    let names = Names::of(&story);
    let cases = [
        ("“走吧。”阿深慢悠悠地说。", "林深 1, ? 0"),
        ("林深抬起头：“走吧。”", "林深 1, ? 0"),
        ("“走吧。”门外有人说。", "? 1"),
        ("林深把伞收了。“走吧。”\n“不走。”", "林深 1, ? 1"),
        ("林深拉住苏晚。“走吧。”", "? 1"),
        ("“走吧。”苏晚说。林深没有动。", "苏晚 1, ? 0"),
    ];
    for (text, expected) in cases {
        assert_eq!(speakers(text, Some(&names)), expected, "{text}");
    }
}

#[test]
fn pace_tells_a_fight_from_a_landscape() {
    let slow =
        "远处的山峦在薄雾里层层叠叠地铺开去，像一幅褪了色的旧画，安静得仿佛连时间也在其中慢慢地停了下来。".repeat(4);
    let quick = "他冲上去。一刀劈下！“闪开！”她翻身滚落，拔枪就射。墙碎了。他扑向她。".repeat(4);
    let figures = METER.figures(&format!("{slow}\n{quick}"));
    let (first, last) = (&figures.pace.curve[0], &figures.pace.curve[figures.pace.curve.len() - 1]);
    assert!(first.pace < 0.25 && last.pace > 0.55, "{first:?} {last:?}");
    assert!(figures.quotes_of(Shown::Slowest).next().unwrap().text.starts_with("远处"));
    assert!(last.actions > 50.0 && first.actions == 0.0);
}

#[test]
fn the_quotes_show_the_figures() {
    let text =
        "雨停了。她绝望地痛哭，撕心裂肺。后来她很高兴。一个很长很长很长很长很长很长很长很长很长很长很长的句子在这里。";
    let figures = METER.figures(text);
    let quoted = |shown| figures.quotes_of(shown).next().map(|quote| quote.text.as_str());
    assert_eq!(quoted(Shown::MostNegative), Some("她绝望地痛哭，撕心裂肺。"));
    assert_eq!(quoted(Shown::MostPositive), Some("后来她很高兴。"));
    assert!(quoted(Shown::LongestSentence).unwrap().starts_with("一个很长"));
}

#[test]
fn figures_survive_the_wire() {
    let figures = METER.figures("“走吧。”林深说。他很高兴，冲出门去。");
    let json = serde_json::to_string(&figures).unwrap();
    assert_eq!(serde_json::from_str::<Figures>(&json).unwrap(), figures);
}

#[test]
fn nothing_has_no_figures() {
    for text in ["", "\n\n", "……", "“”"] {
        let figures = METER.figures(text);
        assert_eq!((figures.dialogue.share, figures.pace.mean), (0.0, 0.0), "{text:?}");
        assert_eq!(figures.length, text.trim().chars().count(), "marks alone: {text:?}");
        assert!(figures.quotes.is_empty());
    }
}

proptest! {
    #[test]
    fn spans_lie_on_borders_and_shares_between_nothing_and_all(text in "[他她高兴不很哭跑说，。！？“”「」\"a-c .!?'’\n😀é]{0,200}") {
        let figures = METER.figures(&text);
        let spans = figures.quotes.iter().map(|quote| &quote.span);
        let spans = spans.chain(figures.pace.curve.iter().map(|point| &point.span));
        for span in spans.chain(figures.emotion.curve.iter().map(|point| &point.span)) {
            prop_assert!(text.get(span.clone()).is_some(), "{span:?}");
        }
        for quote in &figures.quotes {
            prop_assert_eq!(&text[quote.span.clone()], &quote.text);
        }
        let counted: usize = figures.sentences.histogram.iter().map(|bin| bin.count).sum();
        prop_assert_eq!(counted, figures.sentences.count);
        let shares = [figures.dialogue.share, figures.pace.mean, figures.variety.ratio, figures.variety.moving];
        for share in shares.into_iter().chain(figures.pace.curve.iter().map(|point| point.pace)) {
            prop_assert!((0.0..=1.0).contains(&share), "{share}");
        }
        prop_assert!((-1.0..=1.0).contains(&figures.emotion.polarity));
    }
}

#[test]
fn the_share_of_dialogue_does_not_depend_on_the_style_of_the_marks() {
    let text = |open: &str, close: &str| {
        format!("{open}Come in,{close} said Nora. {open}The gate isn’t shut.{close}\n\n{open}Who shut it?{close}")
    };
    let share = |text: &str| Meter::default().figures(text).dialogue.share;
    let expected = share(&text("“", "”"));
    assert!((0.8..0.9).contains(&expected), "{expected}");
    for (open, close) in [("‘", "’"), ("'", "'"), ("«", "»"), ("\"", "\""), ("＂", "＂")] {
        assert_eq!(share(&text(open, close)), expected, "{open}");
    }
    let chinese =
        |open: &str, close: &str| format!("{open}進來，{close}諾拉說，{open}門關著。{close}\n\n{open}誰關的？{close}");
    let expected = share(&chinese("「", "」"));
    assert!((0.7..0.8).contains(&expected), "{expected}");
    for (open, close) in [("﹁", "﹂"), ("｢", "｣"), ("〝", "〞"), ("“", "”")] {
        assert_eq!(share(&chinese(open, close)), expected, "{open}");
    }
}
