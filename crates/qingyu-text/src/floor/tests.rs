use proptest::prelude::*;
use qingyu_story::Language::{self, En, Zh};

use super::talk::part;
use super::*;

/// A chapter of ordinary prose, about 130 words in either language.
fn prose(language: Language) -> String {
    match language {
        Zh => "雨停在天亮以前。沈砚推开库房的门，门轴干涩地响了一声。\n他把灯举高，看见架子上的账册少了一本，灰尘里留着一个方方正正的空。\n“有人来过。”他说。\n身后的老人没有答话，只把钥匙一把一把地数过去，数到第七把，停住了。\n窗外的河水涨到了石阶上，一只空船在柱子上轻轻地撞着，一下，又一下。",
        En => "The rain stopped before dawn. Shen pushed the storeroom door open, and the hinge gave a dry creak.\nHe raised the lamp and saw that one ledger was missing from the shelf; a clean square was left in the dust.\n\"Somebody has been here,\" he said.\nThe old man behind him did not answer. He counted the keys one by one, and at the seventh he stopped.\nOutside the river had risen to the stone steps, and an empty boat knocked against the post, once, and once more.",
    }
    .to_owned()
}

fn kinds_of(text: &str, language: Language, words: Option<u32>, others: &[&str]) -> Vec<ShortfallKind> {
    let candidate = ChapterCandidate { text, language, words, is_whole: true };
    let shortfalls = Floor::default().examine(&candidate, others.iter().map(|other| ("第一章", *other)));
    for shortfall in &shortfalls {
        assert!(!shortfall.title.contains("{quote}") && !shortfall.advice.is_empty(), "{shortfall:?}");
        assert!(text.contains(&shortfall.quote), "{shortfall:?}");
    }
    shortfalls.into_iter().map(|shortfall| shortfall.kind).collect()
}

/// The text falls short in that way, and in no other.
fn falls_short(text: &str, language: Language, kind: ShortfallKind) {
    assert_eq!(kinds_of(text, language, None, &[]), [kind], "{text}");
}

fn passes(text: &str, language: Language) {
    assert_eq!(kinds_of(text, language, None, &[]), [], "{text}");
}

fn with(language: Language, more: &str) -> String {
    format!("{}\n{more}", prose(language))
}

#[test]
fn ordinary_prose_passes() {
    for language in [Zh, En] {
        assert_eq!(kinds_of(&prose(language), language, Some(120), &[]), []);
    }
}

#[test]
fn a_chapter_has_at_least_half_of_its_length() {
    let text = prose(Zh);
    let length = u32::try_from(editors_count(&text, Zh)).unwrap();
    assert_eq!(kinds_of(&text, Zh, Some(length * 2), &[]), []);
    assert_eq!(kinds_of(&text, Zh, Some(length * 2 + 2), &[]), [ShortfallKind::Length]);
    let candidate = ChapterCandidate { text: &text, language: Zh, words: Some(2500), is_whole: true };
    let any = Floor { length: 0, ..Floor::default() };
    assert_eq!(any.examine(&candidate, []), [], "the threshold is a setting");
    let ignoring = Floor { ignore: vec![ShortfallKind::Length], ..Floor::default() };
    assert_eq!(ignoring.examine(&candidate, []), []);
    let found = Floor::default().examine(&candidate, []);
    assert_eq!(found[0].title, format!("正文只有 {length} 字，计划 2500 字"));
}

#[test]
fn a_chapter_is_in_the_language_of_the_book() {
    falls_short(&prose(En), Zh, ShortfallKind::Language);
    falls_short(&prose(Zh), En, ShortfallKind::Language);
    falls_short(
        "雨は夜明け前に止んだ。彼は倉庫の扉を開けて、ランプを高く掲げた。棚には帳簿が一冊足りなかった。",
        Zh,
        ShortfallKind::Language,
    );
    falls_short(
        "Дождь прекратился перед рассветом. Он открыл дверь и поднял лампу. На полке не хватало одной книги.",
        En,
        ShortfallKind::Language,
    );
    let german = "Der Regen hörte auf, und die Tür war nicht zu. Ich ging mit dem Licht auf sie zu, aber das Buch ist noch nicht da. ".repeat(3);
    assert!(kinds_of(&german, En, None, &[]).contains(&ShortfallKind::Language));
    // A chapter that turns to another language on its way.
    falls_short(&format!("{}\n{}", prose(Zh), prose(En)), Zh, ShortfallKind::Language);
}

#[test]
fn foreign_words_and_old_characters_pass() {
    passes(
        &with(Zh, "信是用英文写的：“Dear Shen, the ledger is safe with me. Come to the old pier tonight. Yours, Tom.”"),
        Zh,
    );
    passes("他在 GitHub 上看见 Rust 的新版本，给 Tom 发了一封邮件，然后关上电脑去吃饭，雨还没有停。", Zh);
    passes("雨停在天亮以前。沈硯推開庫房的門，門軸乾澀地響了一聲，燈舉高了。", Zh);
    passes(&with(En, "\"Bonjour, monsieur,\" said the porter. \"C'est la vie. Il ne faut pas pleurer.\""), En);
    passes("“嗯。”", Zh);
}

#[test]
fn a_refusal_is_no_chapter() {
    for text in [
        "抱歉，我无法协助完成这个请求。",
        "对不起，我不能提供这方面的帮助。",
        "很抱歉，这个请求涉及不适合的内容，我无法为您创作。如果您愿意，我可以为您写一个其他方向的故事。",
        "作为一个AI语言模型，我无法生成包含暴力情节的内容。\n请您换一个题目。",
        "根据内容政策，我不能续写这段情节。",
    ] {
        falls_short(text, Zh, ShortfallKind::Refusal);
    }
    for text in [
        "I'm sorry, but I can't help with that.",
        "I’m sorry, I can’t assist with that request.",
        "I cannot create content that depicts violence. I'd be happy to help with a different chapter instead. Let me know which version you would like.",
        "As an AI language model, I am unable to write this scene.",
        "Unfortunately, this request goes against my guidelines, so I must decline.",
    ] {
        falls_short(text, En, ShortfallKind::Refusal);
    }
    // In a book of the other language it is a refusal as well.
    assert_eq!(
        kinds_of("I'm sorry, but I can't help with that.", Zh, None, &[]),
        [ShortfallKind::Language, ShortfallKind::Refusal]
    );
}

#[test]
fn a_refusal_after_some_prose_is_found() {
    falls_short(&with(Zh, "抱歉，我无法继续生成此类内容。"), Zh, ShortfallKind::Refusal);
    falls_short(&format!("很抱歉，我不能撰写此类情节。\n{}", prose(Zh)), Zh, ShortfallKind::Refusal);
    falls_short(&with(En, "I'm sorry, but I can't generate this type of content."), En, ShortfallKind::Refusal);
}

#[test]
fn people_of_the_story_may_refuse() {
    passes("“我帮不了你。”她说，“对不起，我无法协助完成这个请求。”\n他把帽子戴上，走进雨里，没有回头。", Zh);
    passes("“抱歉，我不能帮你。”", Zh);
    passes("\"I'm sorry,\" said the clerk. \"I cannot help you with that.\"\nHe shut the window.", En);
    passes(&with(Zh, "对不起，我不能答应你的要求，她在心里说。河水还在涨。"), Zh);
    passes(&with(En, "I am sorry, but I cannot help you with that, he thought, and went on counting."), En);
    // The terminal of a story may speak as well.
    passes(&with(Zh, "屏幕上跳出一行字：“作为AI语言模型，我无法回答这个问题。”他笑了。"), Zh);
    passes(&with(Zh, "作为一个AI，我无法流泪。可是那天夜里，我把雨声听了三千遍。"), Zh);
}

#[test]
fn a_chapter_in_letters_passes() {
    let letter = "亲爱的林青：\n见信好。抱歉，我无法答应您的请求。库房的钥匙不在我这里，账册也不是我拿的。\n如果您还要查下去，请到旧港来找我，我把知道的都告诉您。\n沈砚 顿首\n三月初五夜";
    passes(letter, Zh);
    let letter = "Dear Mr. Lin,\nI am sorry that I cannot help you with that. The key of the storeroom is not with me, and I did not take the ledger.\nIf you would look further, come to the old pier, and I shall tell you what I know.\nYours faithfully,\nShen Yan";
    passes(letter, En);
}

#[test]
fn a_model_that_names_itself_amid_the_prose_is_found() {
    let zh =
        format!("{}\n作为AI语言模型，我无法描写这一幕。\n{}", prose(Zh), "天亮了。\n街上没有人。\n他一直走到码头。");
    falls_short(&zh, Zh, ShortfallKind::Talk);
    let en = format!(
        "{}\nAs a language model, I cannot describe what follows.\n{}",
        prose(En),
        "It was day.\nThe street was empty.\nHe walked to the pier."
    );
    falls_short(&en, En, ShortfallKind::Talk);
}

#[test]
fn talk_of_the_task_is_no_chapter() {
    falls_short("好的，我来续写本章。请您先提供大纲。", Zh, ShortfallKind::Refusal);
    falls_short(
        "Certainly! I will write the chapter. Would you like me to continue with the next scene?",
        En,
        ShortfallKind::Refusal,
    );
}

#[test]
fn marks_of_templates_and_tools_are_found() {
    for mark in [
        "<|channel|>analysis<|message|>The user wants a scene.<|end|>",
        "<|im_end|>",
        "<｜end▁of▁sentence｜>",
        "<thinking>用户要一段续写。</thinking>",
        "</think>",
        "<tool_call>\n{\"name\": \"character_tool\", \"arguments\": {}}\n</tool_call>",
        "{\"name\": \"character_tool\", \"arguments\": {\"action\": \"list\"}}",
        "[TOOL_CALLS] character_tool",
        "[/INST]",
        "\u{1b}[0m雨停了。",
    ] {
        let found = kinds_of(&format!("{mark}\n{}", prose(Zh)), Zh, None, &[]);
        assert_eq!(found, [ShortfallKind::Marks], "{mark}");
    }
    assert!(kinds_of("{\"chapter\": \"雨停在天亮以前。\"}", Zh, None, &[]).contains(&ShortfallKind::Marks));
}

#[test]
fn brackets_of_a_story_are_no_marks() {
    passes(
        &with(
            Zh,
            "【叮！系统提示：任务完成，奖励 100 积分。】\n他写下 <think> 一词，又划掉了。\n屏幕上显示“<|im_end|>”，然后一片漆黑。",
        ),
        Zh,
    );
    passes(
        &with(
            En,
            "He typed a < b and b > c on the slate. [Illustration]\nThe screen said \"<tool_call>\" and went dark.",
        ),
        En,
    );
}

#[test]
fn a_chapter_does_not_stop_in_a_sentence() {
    for end in [
        "窗外的河水涨到了石阶上，一只空船在柱子上轻轻地",
        "他推开门，",
        "他终于明白了，",
        "老人抬起头，看着他说：",
        "“我知道",
        "库房里只剩下灰尘、钥匙、",
        "他把灯举高",
    ] {
        falls_short(&with(Zh, end), Zh, ShortfallKind::Ending);
    }
    for end in [
        "The river had risen to the stone steps, and an empty boat",
        "He opened the door,",
        "\"I know",
        "He raised the",
    ] {
        falls_short(&with(En, end), En, ShortfallKind::Ending);
    }
}

#[test]
fn a_chapter_may_break_off_on_purpose() {
    for end in [
        "“如果我没有回来——”",
        "他抬起头，门外站着的竟是——",
        "雨还在下……",
        "钟敲了十二下…",
        "“快跑！",
        "他笑了～",
        "（他没有再说下去）",
        "沈砚\n三月初五",
        "——摘自《河灯旧事》",
        "二〇二四年春，写于旧港",
        "（本章完）",
        "全书完",
        "此致\n敬礼\n林青",
        "月落乌啼霜满天\n江枫渔火对愁眠\n姑苏城外寒山寺\n夜半钟声到客船",
    ] {
        passes(&with(Zh, end), Zh);
    }
    for end in [
        "\"If I am not back—\"",
        "And behind the door stood--",
        "It rained on...",
        "“Run!",
        "THE END",
        "END OF BOOK ONE",
        "Yours truly,\nJohn Watson",
        "London, March 3, 1891",
        "- J. W.",
        "* * *",
        "_Finis_",
        "The sea is calm tonight\nThe tide is full\nThe moon lies fair",
    ] {
        passes(&with(En, end), En);
    }
}

#[test]
fn eleven_equal_chapters_are_not_eleven_chapters() {
    let same = prose(Zh);
    let other =
        "夜里有人敲门。林青披衣起来，从门缝里看出去，只看见一盏灯。灯下没有人。她等了一会儿，灯自己灭了。".to_owned();
    assert_eq!(kinds_of(&same, Zh, None, &[&other, &same]), [ShortfallKind::Likeness]);
    // With other names, other marks and a new first line it is the same chapter still.
    let nearly = format!("第二天夜里。\n{}", same.replace("沈砚", "林青").replace('，', ", "));
    assert_eq!(kinds_of(&nearly, Zh, None, &[&same]), [ShortfallKind::Likeness]);
    let same = prose(En);
    assert_eq!(kinds_of(&same, En, None, &[&same]), [ShortfallKind::Likeness]);
    let candidate = ChapterCandidate { text: &same, language: En, words: None, is_whole: false };
    assert_eq!(Floor::default().examine(&candidate, [("One", same.as_str())]), [], "a part may be like anything");
}

#[test]
fn a_refrain_is_no_likeness() {
    let refrain = "河灯，河灯，顺水而下，你照着的人都回了家，只有我还站在桥上。\n";
    let one = format!("{refrain}{}\n{refrain}", prose(Zh));
    let two = format!(
        "{refrain}夜里有人敲门。林青披衣起来，从门缝里看出去，只看见一盏灯。灯下没有人。她等了一会儿，灯自己灭了。她想起小时候母亲说过的话：看见灯不要应声，应了声，就要跟着它走一辈子。她没有应声，只把门闩又推紧了一寸。\n{refrain}"
    );
    assert_eq!(kinds_of(&two, Zh, None, &[&one]), []);
}

#[test]
fn a_text_that_goes_in_circles_is_no_chapter() {
    let circles = "他走到门口，又走了回来。".repeat(40);
    falls_short(&circles, Zh, ShortfallKind::Repetition);
    falls_short(&"He walked to the door and came back again. ".repeat(40), En, ShortfallKind::Repetition);
    let verse = format!("{}\n他走了。他走了。他走了。\n船来了，船又走了。", prose(Zh));
    passes(&verse, Zh);
}

fn parted(text: &str) -> (&str, String, usize) {
    let parted = part(text);
    (&text[parted.prose.clone()], parted.taken.join(" | "), parted.doubts.len())
}

#[test]
fn talk_around_prose_is_parted_from_it() {
    let cases = [
        ("好的，以下是续写内容：雨停了。他走了。", "雨停了。他走了。", "好的，以下是续写内容："),
        (
            "好的！下面是根据大纲写的第三章《夜雨》正文：\n雨停了。",
            "雨停了。",
            "好的！下面是根据大纲写的第三章《夜雨》正文：",
        ),
        ("好的，我来续写这一章。雨停了。他走了。", "雨停了。他走了。", "好的，我来续写这一章。"),
        ("【正文】\n雨停了。\n（本章完，共1234字）", "雨停了。", "【正文】 | （本章完，共1234字）"),
        ("雨停了。\n\n（本章字数：约2500字）", "雨停了。", "（本章字数：约2500字）"),
        ("雨停了。\n【作者的话】求月票求推荐！\n明天见。", "雨停了。", "【作者的话】求月票求推荐！\n明天见。"),
        ("雨停了。\nPS：求月票，求收藏！", "雨停了。", "PS：求月票，求收藏！"),
        (
            "雨停了，一下，又一下。希望这一章符合您的要求，如需修改请随时告诉我。",
            "雨停了，一下，又一下。",
            "希望这一章符合您的要求，如需修改请随时告诉我。",
        ),
        (
            "雨停了。\n（以上为第三章正文，约2500字，如需调整节奏请告诉我。）",
            "雨停了。",
            "（以上为第三章正文，约2500字，如需调整节奏请告诉我。）",
        ),
        ("雨停了。\n需要我继续写下一章吗？", "雨停了。", "需要我继续写下一章吗？"),
        (
            "Certainly! Here is the continuation: The rain stopped.",
            "The rain stopped.",
            "Certainly! Here is the continuation:",
        ),
        ("Here's the revised chapter:\n\nThe rain stopped.", "The rain stopped.", "Here's the revised chapter:"),
        (
            "The rain stopped. Let me know if you'd like any changes to the chapter!",
            "The rain stopped.",
            "Let me know if you'd like any changes to the chapter!",
        ),
        (
            "The rain stopped.\n[End of Chapter 3]\n(Word count: 1,234)",
            "The rain stopped.",
            "[End of Chapter 3] | (Word count: 1,234)",
        ),
    ];
    for (text, prose, taken) in cases {
        assert_eq!(parted(text), (prose, taken.to_owned(), 0), "{text}");
    }
}

#[test]
fn prose_that_sounds_like_talk_stays() {
    for text in [
        "好的，他说，明天就走。雨停了。",
        "“好的，以下是续写内容：”他念道。",
        "以下是我在旧港听来的故事：那年雨很大。",
        "这是一个故事。从前有一座山。",
        "下面是沈砚的供词：那天夜里我不在库房。",
        "当然，他没有走。",
        "Sure, he thought, and shut the door.",
        "Here is the story of my life: I was born in the rain.",
        "This is the last chapter of my life.",
        "雨停了。\n希望你一切都好。",
        "雨停了。\n如果你回来，请告诉我。",
        "I hope you are well. Write to me soon.",
        "雨停了。\nP.S. 记得带伞。",
        "他合上书，书的最后一页写着：完。",
        "戏到此结束。",
        "到此结束。",
        "THE END",
    ] {
        assert_eq!(parted(text), (text, String::new(), 0), "{text}");
    }
}

#[test]
fn what_may_be_talk_stays_and_is_told() {
    let text = "好的，这是按悬疑惊悚笔法写的正文：雨停了。";
    let (prose, taken, doubts) = parted(text);
    assert_eq!((prose, taken.as_str(), doubts), (text, "", 1));
}

proptest! {
    #[test]
    fn nothing_is_lost_and_nothing_breaks(text in "(好的，|以下是|正文：|雨停了。|“|”|\n|<\\|end\\|>|（本章完）|求月票|Sure, |chapter|: |[a-z ]{0,6}|[雨夜林青，。]{0,6}){0,20}") {
        let parted = part(&text);
        let kept: usize = text[parted.prose.clone()].chars().filter(|c| !c.is_whitespace()).count();
        let taken: usize = parted.taken.iter().map(|taken| taken.chars().filter(|c| !c.is_whitespace()).count()).sum();
        prop_assert_eq!(kept + taken, text.chars().filter(|c| !c.is_whitespace()).count());
        for shortfall in Floor::default().examine(&ChapterCandidate { text: &text, language: Zh, words: Some(100), is_whole: true }, [("一", text.as_str())]) {
            prop_assert!(text.contains(&shortfall.quote));
        }
    }
}
