use serde_json::json;

use super::{ChapterTime, Extraction, Mode, Names, Story, TimeAnchor, ToldEvent, ToldFact};

/// The time of a chapter with events at some times.
fn of_days(days: &[&str], text: &str) -> ChapterTime {
    let anchor = TimeAnchor::of(days.iter().copied());
    ChapterTime { words: "o-2".into(), anchor, text: text.to_lowercase(), ..ChapterTime::default() }
}

/// The beginning and the end of a fact.
fn span(hour: &ChapterTime, from: &str, until: &str, mode: Mode, quote: &str) -> (String, String) {
    let (from, until, quote) = (from.into(), until.into(), quote.into());
    hour.span(&ToldFact { from, until, mode, quote, ..ToldFact::default() }, None)
}

/// The time of an event.
fn event(hour: &ChapterTime, timestamp: &str, mode: Mode, quote: &str) -> String {
    let (timestamp, quote) = (timestamp.into(), quote.into());
    hour.of_event(&ToldEvent { timestamp, mode, quote, ..ToldEvent::default() })
}

#[test]
fn a_time_is_told_from_the_chapter() {
    let hour = of_days(&["1978-03-18 21:00", "1978-03-19"], "");
    for (told, expected) in [
        ("Sunday", "1978-03-19"),
        ("on Saturday", "1978-03-18"),
        ("Saturday night", "1978-03-18 night"),
        ("星期六夜里", "1978年3月18日夜里"),
        ("Monday", "Monday"),
        ("the Sunday before", "the Sunday before"),
        ("the nineteenth of March", "the nineteenth of March, 1978"),
    ] {
        assert_eq!(event(&hour, told, Mode::Narrated, ""), expected, "{told}");
    }
    assert_eq!(event(&hour, "Sunday", Mode::Flashback, ""), "Sunday", "any Sunday");
    assert_eq!(event(&hour, "'thirteen", Mode::Flashback, ""), "1913");
    assert_eq!(span(&hour, "November", "", Mode::Narrated, "").0, "November, 1977");
    assert_eq!(span(&hour, "November", "", Mode::Planned, "").0, "November", "the next one, perhaps");
    assert!(hour.is_after("1978-03-14") && !hour.is_after("1978-03-19") && !hour.is_after("some day"));
}

#[test]
fn a_weekday_is_past_unless_it_is_planned_or_happens_next() {
    // 14 March 1978 was a Tuesday.
    let text = "It was cold. It had been found on Saturday. 二商局礼拜六翻了老账。";
    let mut hour = of_days(&["1978-03-14 09:00"], text);
    for (told, mode, from, until) in [
        ("on Thursday at four", Mode::Narrated, "1978-03-09 at four", "on Thursday at four"),
        ("on Thursday at four", Mode::Said, "1978-03-09 at four", "on Thursday at four"),
        ("on Thursday at four", Mode::Planned, "1978-03-16 at four", "1978-03-16 at four"),
        ("Tuesday, three o'clock", Mode::Narrated, "1978-03-14 three o'clock", "1978-03-14 three o'clock"),
        ("next Thursday", Mode::Narrated, "1978-03-16", "1978-03-16"),
        ("Thursday", Mode::Flashback, "Thursday", "Thursday"),
        ("礼拜二晚上", Mode::Narrated, "1978年3月14日晚上", "1978年3月14日晚上"),
        ("下周三下午三点", Mode::Said, "1978年3月22日下午3点", "1978年3月22日下午3点"),
    ] {
        let found = span(&hour, told, told, mode, "It was cold.");
        assert_eq!(found, (from.to_owned(), until.to_owned()), "{told} {mode:?}");
    }
    assert_eq!(event(&hour, "on Saturday", Mode::Narrated, ""), "1978-03-11", "the nearest");
    hour.advance("1978-03-15 10:00");
    assert_eq!(event(&hour, "on Saturday", Mode::Narrated, ""), "1978-03-18", "after the event before");
    assert_eq!(event(&hour, "周六晚上", Mode::Narrated, ""), "1978年3月18日晚上");
    assert_eq!(event(&hour, "on Saturday", Mode::Said, "It was cold."), "1978-03-11");
    let back = "It had been found on Saturday.";
    assert_eq!(event(&hour, "on Saturday", Mode::Narrated, back), "1978-03-11", "the narrator looks back");
    let back = "二商局礼拜六翻了老账。";
    assert_eq!(event(&hour, "礼拜六", Mode::Narrated, back), "1978年3月11日");
    hour.advance("some day");
    hour.advance("1978-03-02");
    assert_eq!(event(&hour, "on Saturday", Mode::Narrated, ""), "1978-03-18");
}

#[test]
fn a_weekday_of_a_memory_is_counted_from_the_day_of_the_memory() {
    let gift = "her mother had worked it off herself, on the last Sunday.";
    let death = "On the Tuesday, the twenty-eighth of February, she was dead.";
    let other = "He had gone on the last Sunday.";
    let text =
        format!("It was seven. Gold; {gift} {death}\n\n{other} 母亲最后一个星期天把戒指给了她。二月二十八日她死了。");
    let mut hour = of_days(&["1911-03-11 07:00", "1911-03-11 07:30"], &text);
    let told = |timestamp: &str, quote: &str| ToldEvent {
        timestamp: timestamp.into(),
        mode: Mode::Flashback,
        quote: quote.into(),
        ..ToldEvent::default()
    };
    let chinese = "母亲最后一个星期天把戒指给了她。";
    for (words, quote) in [("the last Sunday", gift), ("last Sunday", gift), ("最后一个星期天", chinese)] {
        let raw = words.replace("last S", "the last S").replace("the the", "the");
        assert_eq!(hour.of_event(&told(words, quote)), raw, "nothing dates the memory");
    }
    hour.remember(&Extraction {
        events: vec![
            told("the last Sunday", gift),
            told("Tuesday, the twenty-eighth of February", death),
            told("二月二十八日", "二月二十八日她死了。"),
        ],
        ..Extraction::default()
    });
    for (words, quote, expected) in [
        ("the last Sunday", gift, "1911-02-26"),
        ("last Sunday", gift, "1911-02-26"),
        ("最后一个星期天", chinese, "1911年2月26日"),
        // Any Sunday.
        ("Sunday", gift, "Sunday"),
    ] {
        assert_eq!(hour.of_event(&told(words, quote)), expected, "{words}");
        assert_eq!(span(&hour, words, "", Mode::Flashback, quote).0, expected, "{words}");
    }
    assert_eq!(event(&hour, "last Monday", Mode::Said, death), "1911-03-06", "somebody speaks of his own week");
}

#[test]
fn a_memory_told_aloud_is_of_the_week_of_the_speaker() {
    let text = "It was two. “Neil Darroch,” he said. “I had this from your brother on Friday night, Miss.”\n\n\
        She had hidden it on Friday night.\n\n“It was in January. On Friday he came to me.”\n\n\
        “戒指是礼拜五晚上他给我的。”他说。\n\n礼拜五晚上他把戒指藏了起来。\n\n“那年礼拜五他来过。”";
    // 13 March 1911 was a Monday.
    let hour = of_days(&["1911-03-13 14:00"], text);
    for (told, quote, expected) in [
        ("Friday night", "I had this from your brother on Friday night, Miss.”", "1911-03-10 night"),
        ("the night of Friday", "“I had this from your brother on Friday night, Miss.”", "1911-03-10 night"),
        ("礼拜五晚上", "戒指是礼拜五晚上他给我的。", "1911年3月10日晚上"),
        ("last Friday", "On Friday he came to me.”", "1911-03-10"),
        // The narrator remembers any Friday, and so does somebody who speaks of another month or year.
        ("Friday night", "She had hidden it on Friday night.", "Friday night"),
        ("Friday", "On Friday he came to me.”", "Friday"),
        ("礼拜五晚上", "礼拜五晚上他把戒指藏了起来。", "礼拜五晚上"),
        ("礼拜五", "那年礼拜五他来过。", "礼拜五"),
    ] {
        assert_eq!(event(&hour, told, Mode::Flashback, quote), expected, "{quote}");
        assert_eq!(span(&hour, told, "", Mode::Flashback, quote).0, expected, "{quote}");
    }
    let death = "She died on the twenty-eighth of February, and gave it me on the last Sunday.";
    let mut hour = of_days(&["1911-03-13 14:00"], &format!("“{death} I saw him last Friday.”"));
    let died = ToldFact {
        from: "the twenty-eighth of February".into(),
        mode: Mode::Flashback,
        quote: death.into(),
        ..ToldFact::default()
    };
    hour.remember(&Extraction { facts: vec![died], ..Extraction::default() });
    assert_eq!(event(&hour, "last Friday", Mode::Flashback, "I saw him last Friday."), "1911-03-10");
    assert_eq!(event(&hour, "the last Sunday", Mode::Flashback, death), "1911-02-26");
}

#[test]
fn a_time_of_that_day_has_the_day_of_the_event_before() {
    let text = "On Thursday the ninth of June, at ten, he bought it. At three that afternoon she came. \
        At eight that evening they met. They ate. The next day it rained. At nine that night he left.";
    let mut hour = of_days(&["1898-06-08 10:00", "1898-06-08 20:00"], text);
    for (told, quote, expected) in [
        ("Thursday the ninth of June, at ten in the morning", "at ten, he bought it.", None),
        ("three that afternoon", "she came.", Some("1898-06-09 three in the afternoon")),
        ("", "They ate.", None),
        ("eight that evening", "At eight that evening they met.", Some("1898-06-09 eight in the evening")),
    ] {
        let dated = event(&hour, told, Mode::Narrated, quote);
        if let Some(expected) = expected {
            assert_eq!(dated, expected, "{told}");
        }
        hour.follow(quote, &dated, "");
        hour.advance(&dated);
    }
    for (told, mode, quote, expected) in [
        ("eight that evening", Mode::Narrated, "At eight that evening they met.", "1898-06-09 eight in the evening"),
        ("three that afternoon", Mode::Narrated, "At three that afternoon", "1898-06-09 three in the afternoon"),
        ("nine in the evening", Mode::Narrated, "They ate.", "1898-06-09 nine in the evening"),
        // The text has come to another day; somebody speaks of another evening; it was before.
        ("nine that night", Mode::Narrated, "At nine that night he left.", "nine that night"),
        ("eight that evening", Mode::Said, "They ate.", "eight that evening"),
        ("six that morning", Mode::Narrated, "They ate.", "six that morning"),
    ] {
        assert_eq!(span(&hour, told, "", mode, quote).0, expected, "{told} {mode:?}");
    }
    let mut hour = of_days(&["1911-03-13 14:00"], "He put it down. They ate.");
    hour.follow("He put it down.", "by the other clock", "1911-03-13 14:00");
    let dated = span(&hour, "two that afternoon", "", Mode::Narrated, "They ate.").0;
    assert_eq!(dated, "1911-03-13 two in the afternoon", "it is on the planned day");
    hour.follow("He put it down.", "by the other clock", "");
    assert_eq!(span(&hour, "two that afternoon", "", Mode::Narrated, "They ate.").0, "two that afternoon");
    let mut hour = of_days(&["1898年6月8日 20:00"], "六月九日上午他来了。当天下午三点她走了。那天晚上八点下了雨。");
    for (told, quote, expected) in [
        ("六月九日上午", "六月九日上午他来了。", "1898年6月9日上午"),
        ("当天下午三点", "当天下午三点她走了。", "1898年6月9日下午3点"),
        ("那天晚上八点", "那天晚上八点下了雨。", "1898年6月9日晚上8点"),
    ] {
        let dated = event(&hour, told, Mode::Narrated, quote);
        assert_eq!(dated, expected, "{told}");
        hour.follow(quote, &dated, "");
        hour.advance(&dated);
    }
}

#[test]
fn an_hour_is_one_of_the_day_of_its_sentence() {
    let text = "六月十八日上午他来了。下午五点她走了。夜里十一点半下了雨。他昨天下午五点来过。第二天她醒了。上午九点她出了门。";
    let mut hour = of_days(&["1926年6月18日 9:00"], text);
    for (told, quote, expected) in [
        ("六月十八日上午", "六月十八日上午他来了。", "1926年6月18日上午"),
        ("下午五点", "下午五点她走了。", "1926年6月18日下午5点"),
        ("夜里十一点半", "夜里十一点半下了雨。", "1926年6月18日夜里11点半"),
    ] {
        assert_eq!(span(&hour, told, "", Mode::Narrated, quote).0, expected, "{told}");
        let dated = event(&hour, told, Mode::Narrated, quote);
        assert_eq!(dated, expected, "{told}");
        hour.follow(quote, &dated, "");
        hour.advance(&dated);
    }
    for (told, mode, quote) in [
        // It looks back, somebody speaks of it, the text has come to another day, and it was before.
        ("下午五点", Mode::Narrated, "他昨天下午五点来过。"),
        ("下午五点", Mode::Said, "夜里十一点半下了雨。"),
        ("上午九点", Mode::Narrated, "上午九点她出了门。"),
        ("上午九点", Mode::Narrated, "夜里十一点半下了雨。"),
    ] {
        assert_eq!(event(&hour, told, mode, quote), told, "{quote}");
        assert_eq!(span(&hour, told, "", mode, quote).0, told, "{quote}");
    }
    let text =
        "They met at half past six in the evening. Lunar days are days, too. 五月初十酉时三刻他来了。戌时她走了。";
    let hour = of_days(&["1926-06-18 09:00"], text);
    let quote = "They met at half past six in the evening.";
    let dated = event(&hour, "half past six in the evening", Mode::Narrated, quote);
    assert_eq!(dated, "1926-06-18 half past six in the evening");
    let mut hour = of_days(&["民国十五年五月初九", "民国十五年五月初十"], text);
    let quote = "五月初十酉时三刻他来了。";
    let dated = event(&hour, "五月初十酉时三刻", Mode::Narrated, quote);
    assert_eq!(dated, "民国十五年五月初十酉时三刻");
    hour.follow(quote, &dated, "");
    assert_eq!(event(&hour, "戌时", Mode::Narrated, "戌时她走了。"), "1926年6月19日戌时");
}

#[test]
fn the_first_dated_event_dates_a_chapter_without_one() {
    let mut hour = of_days(&[], "");
    assert_eq!(event(&hour, "周三下午三点", Mode::Narrated, ""), "周三下午三点");
    hour.advance("1978年3月14日");
    assert_eq!(event(&hour, "周三下午三点", Mode::Narrated, ""), "1978年3月15日下午3点");
    assert_eq!(span(&hour, "昨夜", "", Mode::Narrated, "").0, "1978年3月13日夜");
    let mut hour = of_days(&[], "");
    hour.advance("景和十七年八月初十");
    assert_eq!(event(&hour, "本月初三", Mode::Said, ""), "景和十七年八月初三");
    assert_eq!(event(&hour, "周三", Mode::Said, ""), "周三", "no weekday of this calendar");
}

#[test]
fn a_chapter_without_a_dated_event_follows_the_one_before() {
    let story: Story = serde_json::from_value(json!({
        "outline_nodes": [{"id": "o-1", "name": "One", "order": 1}, {"id": "o-2", "name": "Two", "order": 2},
            {"id": "o-3", "name": "Three", "order": 3}],
        "timeline_events": [
            {"id": "e-1", "title": "A", "timestamp": "1978-03-14 09:00", "outline_node": "o-1"},
            {"id": "e-2", "title": "B", "timestamp": "1978-04-01", "outline_node": "o-3"}
        ],
        "documents": [{"id": "d-2", "title": "Two", "order": 2, "outline_node": "o-2", "text": "."}]
    }))
    .unwrap();
    let hour = ChapterTime::of(&story, &story.documents[0], &Names::of(&story));
    assert_eq!(event(&hour, "on Thursday at four", Mode::Narrated, ""), "1978-03-16 at four");
    assert_eq!(span(&hour, "Thursday", "", Mode::Narrated, "").0, "Thursday", "its own day is not known");
    assert_eq!(event(&hour, "the second of April, at ten", Mode::Narrated, ""), "the second of April, 1978, at ten");
}

#[test]
fn a_chapter_without_a_dated_event_begins_with_the_first_day_that_it_tells() {
    let mut hour = of_days(&[], "");
    hour.anchor = hour.anchor.following("1988年10月23日傍晚5点");
    let told = |timestamp: &str, mode: Mode| ToldEvent { timestamp: timestamp.into(), mode, ..ToldEvent::default() };
    hour.begin(&[
        told("大前天夜里", Mode::Narrated),
        told("1983年5月9日", Mode::Flashback),
        told("十月三十号，礼拜日，早上八点", Mode::Narrated),
    ]);
    for (words, expected) in [
        ("大前天夜里", "1988年10月27日夜里"),
        ("前天礼拜五", "1988年10月28日礼拜五"),
        ("礼拜日六点多", "1988年10月30日6点多"),
        ("十月三十号早上八点", "1988年10月30号早上8点"),
    ] {
        assert_eq!(event(&hour, words, Mode::Narrated, ""), expected, "{words}");
        assert_eq!(span(&hour, words, "", Mode::Narrated, "").0, expected, "{words}");
    }
}

#[test]
fn a_time_named_from_the_day_of_the_sentence_is_a_date() {
    let text = "民国二十三年十月十日，桥下围了人。“听人讲，昨夜跌下去的。”十月十一日上午，他们寻到了他。“昨夜我在。”";
    let hour = of_days(&["1934年10月10日 6:00", "1934年10月11日 10:00"], text);
    for (told, mode, quote, expected) in [
        ("昨夜", Mode::Said, "听人讲，昨夜跌下去的。", "1934年10月9日夜"),
        ("昨夜", Mode::Said, "昨夜我在。", "1934年10月10日夜"),
        ("昨夜", Mode::Said, "不在正文里的话。", "昨夜"),
        ("三年前的八月十六日", Mode::Said, "昨夜我在。", "1931年8月16日"),
        ("当夜", Mode::Flashback, "昨夜我在。", "当夜"),
        ("当夜", Mode::Narrated, "昨夜我在。", "1934年10月11日夜"),
        ("十月九日夜里", Mode::Narrated, "昨夜我在。", "1934年10月9日夜里"),
        ("十月九日", Mode::Flashback, "昨夜我在。", "1934年10月9日"),
        ("十二月三日", Mode::Flashback, "昨夜我在。", "1933年12月3日"),
        ("十月九日", Mode::Flashback, "那年十月九日下着雨。", "十月九日"),
    ] {
        assert_eq!(event(&hour, told, mode, quote), expected, "{told} {quote}");
    }
    let english = of_days(&["1978-03-18 21:00"], "It was cold.");
    assert_eq!(event(&english, "last night", Mode::Said, "It was cold."), "1978-03-17 night");
    assert_eq!(event(&english, "December 3", Mode::Flashback, "It was cold."), "December 3, 1977");
}

#[test]
fn what_was_over_before_the_chapter_did_not_begin_in_it() {
    let hour = of_days(&["1934年10月10日 6:00"], "雨停了。");
    let until = |until: &str| span(&hour, "", until, Mode::Narrated, "");
    assert_eq!(until("民国二十年十二月"), (String::new(), "民国二十年十二月".to_owned()));
    assert_eq!(until("1934年10月11日"), ("o-2".to_owned(), "1934年10月11日".to_owned()));
}
