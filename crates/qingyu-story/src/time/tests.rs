use proptest::prelude::*;

use super::{ParsedTime, RelativeTime, TimeShift, length, parse, relative};

fn hours(text: &str) -> Option<(i64, i64)> {
    let moment = parse(text).moment()?;
    Some((moment.start, moment.end))
}

#[test]
fn the_same_time_in_many_words() {
    let same: &[&[&str]] = &[
        &["2077", "2077年", "二〇七七年", "公元2077年", "２０７７年"],
        &["2077-03", "2077年3月", "二〇七七年三月", "March 2077", "2077/3", "2077-03,"],
        &["2077-03-05", "2077年3月5日", "2077年三月五号", "March 5, 2077", "5 March 2077", "2077.3.5", "Mar. 5, 2077"],
        &["2077-03", "March of 2077", "in the March of 2077"],
        &["2077-03-05", "the fifth of March, 2077", "Friday, the fifth of March 2077", "on 5 March 2077"],
        &["2077-03-21", "March twenty-first, 2077", "the twenty first of March 2077"],
        &["2077-03-30", "the thirtieth of March 2077", "Tuesday 30 March 2077"],
        &["2077-03-17 afternoon", "the afternoon of the seventeenth of March, 2077"],
        &[
            "2077-03-05 22:00",
            "2077-03-05T22:00:00Z",
            "2077年3月5日 22:00",
            "2077年3月5日晚上10点",
            "2077年3月5日晚十点",
            "2077年3月5日22时",
            "March 5, 2077, 10:00 pm",
            "2077-03-05 10:00 PM",
            "10 pm on March 5, 2077",
            "at 22:00 on the 5th of March 2077",
        ],
        &[
            "2077-03-05 evening",
            "the evening of March 5, 2077",
            "in the evening of March 5th, 2077",
            "Evening, 5th March 2077",
        ],
        &["2077年3月5日夜", "2077年3月5日夜五点"],
        &["2077-03-05 14:30", "2077年3月5日下午14点30分", "2077-03-05下午两点半"],
        &["大唐贞观元年", "大唐贞观1年"],
        &["第3天", "第三天", "第三日", "Day 3", "day 3"],
        &["第3天 14:30", "第三天下午两点半", "Day 3, 14:30", "Day 3 2:30 pm", "Day 3, afternoon 2:30"],
        &["第十二天", "Day 12"],
        &["2070年代", "the 2070s", "2070s"],
        &["星历312年", "星历三百一十二年"],
        &["贞观元年", "贞观1年"],
        &["万历二十三年三月初五", "万历23年三月初五"],
        &["万历元年", "万历1年"],
        &["天宝十四年十一月", "天宝十四年冬月"],
        &["天宝十四年十二月初九", "天宝十四年腊月初九", "天宝十四年腊月9日"],
        &["天宝十四年正月廿二", "天宝十四年一月二十二日", "天宝十四年正月二十二"],
        &["公元前44年", "44 BC", "44 BCE"],
        &["1066", "AD 1066", "1066 AD", "1066 CE"],
        &["1937", "民国二十六年", "西元1937年"],
        &["2077-03-05 12:30", "2077年3月5日下午十二点半", "2077年3月5日12时30分"],
        &["2077-03-06 01:00", "2077年3月5日晚上一点", "2077年3月6日凌晨一点"],
        &["the 1920s", "1920年代"],
        &[
            "2077-03-05 16:00",
            "2077-03-05 four o'clock in the afternoon",
            "2077-03-05, at four in the afternoon",
            "2077-03-05 at 4 in the afternoon",
            "March 5, 2077, 4 o’clock in the afternoon",
        ],
        &["2077-03-05 21:30", "2077-03-05 half past nine in the evening", "2077-03-05 evening, half-past nine"],
        &["2077-03-05 08:45", "2077-03-05 a quarter to nine in the morning", "2077-03-05 08:45 in the morning"],
        &["2077-03-05 four o'clock", "2077-03-05 at four", "4 o'clock on March 5, 2077", "at 4 o'clock, 5 March 2077"],
        &[
            "2077-03-05 10:00",
            "March the fifth, 2077, at ten in the morning",
            "2077-03-05, ten in the morning",
            "ten in the morning on Friday, the fifth of March, 2077",
            "2077年3月5日，星期五，上午十点",
            "2077年3月5号（周五）上午十点",
            "5 March 2077, a Friday, at ten in the morning",
            "5 March 2077 (Friday), 10 a.m.",
        ],
        &["2077-03-05", "2077年3月5日礼拜五", "5 March 2077, Friday"],
        &["2077年3月5日傍晚六点多", "2077年3月5日傍晚6点多钟"],
        &["2077-03-05 23:30", "2077年3月5日夜里十一点半", "2077-03-05 half past eleven at night"],
        &["2077-03-06 00:00", "2077年3月5日半夜十二点"],
        &["2077-03-05 17:15", "2077年3月5日下午五点一刻", "2077年3月5日17时15分"],
        &["2077-03-05 17:20", "2077年3月5日下午五点二十", "2077年3月5日那天下午五点二十分"],
        &["2077-03-05 at five", "2077年3月5日五点", "2077年3月5日5点钟"],
        &["1926-06-18", "民国十五年五月初九", "1926年五月初九", "农历1926年5月9日", "民国十五年农历五月初九"],
        &["1925-05-23", "民国十四年闰四月初二", "1925年閏四月初二"],
        &["1926-05-30夜里", "民国十五年农历四月十九那天夜里"],
        &["1927-01-26", "民国十五年腊月廿三", "民国十五年十二月廿三，星期三"],
        &["2024-02-10", "2024年正月初一", "农历二〇二四年正月初一"],
        &["1926-06-14", "民国十五年端午", "民国十五年五月初五", "1926年端午节", "民国十五年端午那天"],
        &["1926-04-05 夜里", "民国十五年清明夜里", "1926年清明节那天夜里"],
        &["1911-04-06", "1911年清明"],
        &["2024-04-04", "2024年清明"],
        &["2024-02-09", "2023年除夕", "二〇二三年大年三十"],
        &["2024-02-24", "2024年元宵节"],
        &["1926-09-21 20:00", "民国十五年中秋 20:00"],
        &["万历二十三年端午", "万历二十三年五月初五"],
        &["民国十五年五月初二头更", "民国十五年五月初二戌时", "1926-06-11 一更"],
        &["2077-03-05 dusk", "2077-03-05, at dusk", "2077年3月5日傍晚"],
        &["2077-03-05 in the evening", "the evening of March 5, 2077"],
    ];
    for group in same {
        let first = parse(group[0]);
        assert!(matches!(first, ParsedTime::Known(_)), "{}", group[0]);
        for other in *group {
            assert_eq!(parse(other), first, "{} and {other}", group[0]);
        }
    }
}

#[test]
fn what_is_not_certain_is_unknown() {
    let unknown = [
        "",
        " ",
        "约2077年",
        "三天后",
        "三天前",
        "多年以前",
        "2077年前后",
        "2077年左右",
        "3月5日",
        "22:00",
        "某年",
        "12",
        "2077-03-05 或次日",
        "2077年3月5日之后",
        "2077-03-05 25:00",
        "2077年夜",
        "Day",
        "第天",
        "一九",
        "winter 2077",
        "circa 2077",
        "2077?",
        "2077-03-05 22:0",
        "2077-2079",
        "贞观年",
        "两年后的第3天",
        "2077-03-05-07",
        "天宝十四年正月九",
        "天宝十四年正月22",
        "天宝十四年正月四十",
        "the night of March 5, 2077, 14:00",
        "Year 312, Day 0",
        "44 BCD",
        "2075s",
        "70s",
        "2077-03-05x",
        "2077-03夜",
        "元年",
        "我大唐贞观3年",
        "2077-03-05 22:00:60",
        "2077-03-05 22:00:5",
        "2077-03-05 13:00 pm",
        "the seventeenth of March",
        "the twenty-tenth of March 2077",
        "the second year of March 2077",
        "Friday",
        "of March 2077 on",
        "2077-03-05 four",
        "2077-03-05 ten in the",
        "2077年3月5日周",
        "2077-03-05 (Friday",
        "2077年3月礼拜五",
        "2077-03-05 at thirteen",
        "2077-03-05 at about four",
        "2077-03-05 at four-ish",
        "three o'clock",
        "1895年四月十九",
        "民国十五年四月十九点",
        "民国十五年清明前",
        "万历二十三年清明",
        "民国十五年闰四月初二",
        "1926年四月卅",
        "2024年正月三十一",
        "五月初九",
    ];
    for text in unknown {
        assert_eq!(parse(text), ParsedTime::Unknown, "{text}");
    }
}

#[test]
fn dates_that_do_not_exist() {
    for text in ["2077-02-29", "2077-13-01", "2077年2月30日", "2077-00-10", "February 30, 2077", "2077年13月"] {
        assert_eq!(parse(text), ParsedTime::Impossible, "{text}");
    }
    assert!(parse("2076-02-29").moment().is_some());
    assert_eq!(parse("星历312年15月"), ParsedTime::Unknown, "another calendar may have more months");
}

#[test]
fn order() {
    let before: &[(&str, &str)] = &[
        ("2076", "2077"),
        ("2077-03-05", "2077年3月6日"),
        ("2077-03-05 21:59", "2077-03-05 22:00"),
        ("民国十五年五月初二傍晚", "民国十五年五月初二 23:00"),
        ("2077-03-05 at dusk", "2077-03-05 23:00"),
        ("2077年3月5日上午", "2077年3月5日夜"),
        ("2077年3月5日夜", "2077年3月6日下午"),
        ("第3天", "Day 4"),
        ("第二天傍晚", "第三天上午"),
        ("公元前5年", "公元3年"),
        ("星历311年", "星历312年"),
        ("2069", "2070年代"),
        ("40000年1月1日", "40000年1月2日"),
        ("民国十五年四月初二", "民国十五年五月初九"),
        ("民国十五年四月十九 20:00", "民国十五年五月初三"),
        ("1926年4月18日", "民国十五年四月十九"),
        ("民国十四年四月廿九", "民国十四年闰四月初一"),
        ("民国十四年闰四月三十", "民国十四年五月初一"),
        ("民国十四年腊月廿九", "1926年2月14日"),
        ("1895年五月初九", "1895年六月初一"),
        ("万历二十三年四月廿八", "万历二十三年闰四月初一"),
        ("万历二十三年闰四月三十", "万历二十三年五月初一"),
        ("万历二十三年二月三十", "万历二十三年三月初一"),
    ];
    for (a, b) in before {
        let (first, second) = (parse(a).moment().unwrap(), parse(b).moment().unwrap());
        assert!(first.is_before(&second), "{a} before {b}");
        assert!(!second.is_before(&first), "{b} not before {a}");
    }
    let open: &[(&str, &str)] = &[
        ("2077", "2077-03-05"),
        ("2077年3月5日夜", "2077年3月6日凌晨"),
        ("2077年3月5日深夜", "2077年3月5日凌晨"),
        ("第3天", "2077"),
        ("星历312年", "2077"),
        ("星历1年", "贞观9年"),
        ("1895年五月初九", "1895年6月18日"),
        // Without the story, a day of either calendar is known to lie between its readings.
        ("民国十五年四月十九", "1926年5月20日"),
        ("民国十五年四月十七", "民国十五年四月十九"),
        ("万历二十三年闰四月初二", "万历二十三年闰四月初九"),
    ];
    for (a, b) in open {
        let (first, second) = (parse(a).moment().unwrap(), parse(b).moment().unwrap());
        assert!(!first.is_before(&second) && !second.is_before(&first), "{a} and {b}");
    }
}

#[test]
fn ages_are_bounds() {
    type Bounds = Option<(i64, i64)>;
    let ages: &[(&str, &str, Bounds)] = &[
        ("2045", "2077", Some((31, 32))),
        ("2045-03-01", "2077", Some((31, 32))),
        ("2040年代", "2077", Some((27, 37))),
        ("2080", "2077", Some((-4, -3))),
        ("第3天", "第9天", None),
        ("星历12年", "2077", None),
    ];
    for (birth, time, expected) in ages {
        assert_eq!(parse(birth).moment().unwrap().age_at(&parse(time).moment().unwrap()), *expected, "{birth} {time}");
    }
}

#[test]
fn a_minute_is_exact() {
    assert_eq!(hours("1970-01-02 00:01"), Some((86_460, 86_520)));
    assert!(
        parse("2077-03-05 22:00").moment().unwrap().is_same_minute(&parse("2077年3月5日晚上十点").moment().unwrap())
    );
    assert!(!parse("2077年3月5日夜").moment().unwrap().is_exact());
    let other_minutes = [
        ("2077-03-05 22:00", "2077-03-05 22:01"),
        ("2077-03-05 00:00", "2077-03-05"),
        ("第3天", "第3天"),
        ("第3天 22:00", "1970-01-04 22:00"),
    ];
    for (a, b) in other_minutes {
        let (a, b) = (parse(a).moment().unwrap(), parse(b).moment().unwrap());
        assert!(!a.is_same_minute(&b) && !b.is_same_minute(&a), "{a:?} {b:?}");
    }
}

#[test]
fn stretches_of_many_days() {
    let year = |year: &str| hours(year).unwrap();
    assert_eq!(hours("21世纪"), Some((year("2000").0, year("2100").1)), "the year 2100 belongs to it for many");
    let beside = parse("2077").moment().unwrap();
    assert_eq!(beside.hull(&parse("2070年代").moment().unwrap()).map(|both| (both.start, both.end)), hours("2070年代"));
    assert_eq!(beside.hull(&parse("第3天").moment().unwrap()), None);
    assert_eq!(hours("1920年代"), Some((year("1920").0, year("1929").1)));
    let day = |day: i64| hours(&format!("Year 312, Day {day}")).unwrap();
    assert_eq!(
        (day(1).0, day(45).0 - day(1).0, day(45).1 - day(45).0),
        (hours("Year 312").unwrap().0, 44 * 86_400, 86_400)
    );
    let minute = hours("Year 312, Day 45, 14:30").unwrap();
    assert_eq!((minute.0 - day(45).0, minute.1 - minute.0), (52_200, 60));
}

#[test]
fn one_begins_before_another_on_its_own_calendar() {
    let begins_before = |a, b| parse(a).moment().unwrap().begins_before(&parse(b).moment().unwrap());
    assert!(begins_before("2077", "2077-03-05"));
    assert!(!begins_before("2077-03-05", "2077"));
    assert!(!begins_before("2077", "2077-01-01"), "both begin at once");
    assert!(!begins_before("星历1年", "贞观9年") && !begins_before("贞观9年", "星历1年"));
}

#[test]
fn lengths() {
    const DAY: i64 = 86_400;
    /// The least, the most and the slack.
    type Seconds = (i64, i64, i64);
    let known: &[(&[&str], Seconds)] = &[
        (&["2小时", "两小时", "两个小时", "2 hours", "two hours", "2h", "120分钟", "两个钟头"], (7200, 7200, 0)),
        (
            &["一个半小时", "1.5小时", "an hour and a half", "one and a half hours", "1小时30分", "1h 30min"],
            (5400, 5400, 0),
        ),
        (&["半小时", "半个小时", "half an hour", "两刻钟", "30 min"], (1800, 1800, 0)),
        (&["两个时辰"], (14_400, 14_400, 7200)),
        (&["三天", "3天", "三日", "三天三夜", "整整三天", "three days", "3 days"], (3 * DAY, 3 * DAY, DAY)),
        (&["半天", "half a day"], (DAY / 2, DAY / 2, DAY / 4)),
        (&["两天半", "two and a half days"], (5 * DAY / 2, 5 * DAY / 2, DAY / 2)),
        (&["一周", "一个星期", "a week"], (7 * DAY, 7 * DAY, 3 * DAY)),
        (&["a fortnight"], (14 * DAY, 14 * DAY, 3 * DAY)),
        (&["三到五天", "3-5天", "3 to 5 days"], (3 * DAY, 5 * DAY, DAY)),
        (&["两三天"], (2 * DAY, 3 * DAY, DAY)),
        (&["三个月", "three months"], (84 * DAY, 93 * DAY, 31 * DAY)),
        (&["一年零两个月", "a year and two months"], (421 * DAY, 428 * DAY, 31 * DAY)),
        (&["十二天", "a dozen days", "twelve days"], (12 * DAY, 12 * DAY, DAY)),
        (&["五十天", "fifty days"], (50 * DAY, 50 * DAY, 10 * DAY)),
        (&["二十一年", "twenty-one years"], (21 * 365 * DAY, 21 * 366 * DAY, 366 * DAY)),
    ];
    for (texts, expected) in known {
        for text in *texts {
            let found = length(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.least, found.most, found.slack), *expected, "{text}");
        }
    }
    let same: &[&[&str]] = &[
        &["100天", "a hundred days", "one hundred days"],
        &["105天", "a hundred and five days", "one hundred five days", "105 days"],
        &["200天", "two hundred days"],
        &["221天", "two hundred and twenty-one days"],
        &["100.5天", "a hundred and a half days"],
        &["24天", "two dozen days"],
        &["1.25小时", "一小时十五分钟", "1 hour and 15 minutes"],
    ];
    for group in same {
        let first = length(group[0]).unwrap_or_else(|| panic!("{}", group[0]));
        for text in *group {
            let found = length(text).unwrap_or_else(|| panic!("{text}"));
            assert_eq!((found.least, found.most), (first.least, first.most), "{text}");
        }
    }
    let unknown = [
        "",
        "天",
        "三",
        "三月",
        "约三天",
        "三天左右",
        "几天",
        "很久",
        "一夜",
        "二四天",
        "a while",
        "several days",
        "3",
        "days",
        "五到三天",
        "一天二十四小时",
        "三半天",
        "半天半",
        "三年三夜",
        "one hundred and two hundred days",
        "one hundred and one hundred days",
        "5 to 3 days",
        "0 days",
        "3 to 9999999999 days",
        "0天",
        "两小时后",
        "三天四夜",
        "about two hours",
        "99999999999999999999天",
        "1.234小时",
        "half",
    ];
    for text in unknown {
        assert_eq!(length(text), None, "{text}");
    }
}

#[test]
fn relative_times() {
    const DAY: i64 = 86_400;
    const HOUR: i64 = 3600;
    let days = |least, most| TimeShift::Days { least, most };
    let between = |least, most| TimeShift::Between { least, most };
    let known: &[(&[&str], TimeShift)] = &[
        (
            &["三天后", "三天之后", "3天以后", "过了三天", "three days later", "3 days after", "after three days"],
            days(3, 3),
        ),
        (&["次日", "翌日", "the next day", "the following day", "on the next day", "一天后"], days(1, 1)),
        (&["当天", "同日", "that day", "the same day", "later that day"], days(0, 0)),
        (&["两天前", "two days earlier", "two days ago"], days(-2, -2)),
        (&["十五天后"], days(14, 16)),
        (&["二十天后"], days(16, 24)),
        (&["三十天后"], days(24, 36)),
        (&["两三天后"], days(2, 3)),
        (&["两小时后", "two hours later"], between(HOUR, 3 * HOUR)),
        (&["两小时前", "two hours earlier"], between(-3 * HOUR, -HOUR)),
        (&["一小时后", "an hour later"], between(0, 2 * HOUR)),
        (&["一个半小时后"], between(HOUR, 2 * HOUR)),
        (&["五小时后"], between(4 * HOUR, 6 * HOUR)),
        (&["十小时后"], between(8 * HOUR, 12 * HOUR)),
        (&["十分钟后", "ten minutes later"], between(300, 900)),
        (&["一个月零三天后"], between(30 * DAY, 35 * DAY)),
        (&["次年", "the next year"], between(0, 732 * DAY)),
        (&["三年后", "three years later"], between((3 * 365 - 366) * DAY, 4 * 366 * DAY)),
        (&["不久", "soon", "几天后", "a few days later"], TimeShift::Later),
    ];
    for (texts, shift) in known {
        for text in *texts {
            assert_eq!(relative(text), Some(RelativeTime { shift: *shift, window: None }), "{text}");
        }
    }
    let parts: &[(&[&str], i64, (i64, i64))] = &[
        (&["次日清晨", "次晨", "翌日早上", "the next morning", "the following morning"], 1, (3, 12)),
        (&["当晚", "是夜", "当天晚上"], 0, (16, 30)),
        (&["that evening", "later that evening", "that same evening"], 0, (16, 24)),
        (&["三天后的清晨", "three days later, in the morning"], 3, (3, 12)),
    ];
    for (texts, number, hours) in parts {
        let expected = RelativeTime { shift: days(*number, *number), window: Some((hours.0 * 3600, hours.1 * 3600)) };
        for text in *texts {
            assert_eq!(relative(text), Some(expected), "{text}");
        }
    }
    assert_eq!(hours("1970-01-01 傍晚六点多"), Some((18 * HOUR, 19 * HOUR)));
    assert_eq!(hours("1970年1月1日六点多"), Some((6 * HOUR, 19 * HOUR)), "before noon or after");
    let half_day = |hour: i64| Some((hour * 3600, (hour + 12) * 3600 + 60));
    assert_eq!(hours("1970-01-01 four o'clock"), half_day(4), "before noon or after");
    assert_eq!(hours("1970-01-01 at twelve"), half_day(0));
    assert_eq!(relative("the next day at four").map(|time| time.window), Some(half_day(4)));
    for text in [
        "",
        "后",
        "三后",
        "约三天后",
        "大约两小时后",
        "第3天",
        "2077",
        "三月后",
        "次",
        "the",
        "next",
        "later on a whim",
        "三天",
    ] {
        assert_eq!(relative(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn no_words_make_the_time_parser_panic(words in ".{0,24}", digits in "[0-9年月日第天一二十百万半个后前小时到:.-]{0,14}|(a|an|half|two|twenty|dozen|days?|hours?|later|the|next|and|-| ){0,8}") {
        for text in [&words, &digits] {
            let _ = (parse(text), length(text), relative(text));
        }
    }
}
