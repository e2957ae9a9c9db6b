//! Dates with weekdays in many forms.

use super::{Cow, EventDay, Language, dated, is_right_by_julian, last_julian_year, parse};

/// A text, the times of its events, and the weekdays expected: the one told and that of the date.
type Case = (&'static str, &'static [&'static str], &'static [(usize, usize)]);

#[test]
fn a_weekday_is_beside_its_date_in_many_forms() {
    // 14 March 1978 was a Tuesday.
    let cases: [Case; 30] = [
        ("1978年3月14日，礼拜二晚上，雨停了。", &[], &[(1, 1)]),
        ("1978年3月14日下午三点，周三。", &[], &[(2, 1)]),
        ("周三下午三点（1978年3月14日），雨停了。", &[], &[(2, 1)]),
        ("星期三（3月14日）", &["1978-03-14"], &[(2, 1)]),
        ("本月十四日，星期三，他来了。", &["1978年3月14日"], &[(2, 1)]),
        ("上月十四日，星期二，他来过。", &["1978年3月14日 9:00"], &[(1, 1)]),
        ("周三他去了镇上（1978年3月14日）。", &[], &[]),
        ("本月初三，星期三。", &["景和十七年八月初十"], &[]),
        ("Tuesday at three o'clock on the fourteenth of March, 1978, it rained.", &[], &[(1, 1)]),
        ("It was Wednesday, at three, the fourteenth of March.", &["1978-03-14"], &[(2, 1)]),
        ("Monday, the third of this month, he came.", &["1978-03-14"], &[(0, 4)]),
        ("It was 14 March 1978, a Wednesday.", &[], &[(2, 1)]),
        ("He left on 14 March 1978 (Tuesday).", &[], &[(1, 1)]),
        ("He left on 14 March 1978. Wednesday came.", &[], &[]),
        ("On Monday, last month, he came.", &["1978-03-14"], &[]),
        // 16 June 1926 was a Wednesday.
        ("十五年六月十六号，礼拜三。", &["1926年6月16日 19:00"], &[(2, 2)]),
        ("雨停了。\n十五年六月十六号，礼拜五。", &["民国十五年六月十四日"], &[(4, 2)]),
        ("十五年六月十六号，礼拜五。", &[], &[]),
        ("九年六月十六号，礼拜五。", &["1926年6月16日"], &[]),
        ("光绪十五年六月十六号，礼拜五。", &["1926年6月16日"], &[]),
        ("民国十五年六月十六号，礼拜五。", &[], &[(4, 2)]),
        // The ninth day of the fifth lunar month was 18 June 1926, a Friday.
        ("民国十五年五月初九，礼拜五。", &[], &[(4, 4)]),
        ("民国十五年五月初九，礼拜三。", &[], &[(2, 4)]),
        ("五月初九，礼拜五。", &["1926年6月18日"], &[(4, 4)]),
        ("五月初九，礼拜三。", &["1926-05-09", "1926-06-09"], &[]),
        ("闰四月初九，礼拜三。", &["1926-05-20"], &[]),
        ("民国十五年四月十九，礼拜三。", &[], &[]),
        // The nineteenth day of the fourth lunar month was 30 May 1926, a Sunday.
        ("民国十五年四月十九，礼拜三。", &["民国十五年五月初九"], &[(2, 6)]),
        ("四月十九，礼拜日。", &["民国十五年农历四月十九"], &[(6, 6)]),
        ("七月十八日，礼拜三。", &["1926年6月18日"], &[]),
    ];
    for (text, events, expected) in cases {
        let days: Vec<_> = events.iter().map(|time| day(time, false)).collect();
        let found: Vec<_> = dated(text, &days).into_iter().map(|found| (found.told, found.day)).collect();
        assert_eq!(found, expected, "{text}");
    }
}

fn day(written: &str, is_remembered: bool) -> EventDay<'_> {
    EventDay { written: Cow::Borrowed(written), time: parse(written).moment().expect("it is a date"), is_remembered }
}

#[test]
fn a_day_of_a_memory_is_the_last_such_day_before_the_chapter() {
    // 28 February 1911 was a Tuesday, and 3 December 1910 a Saturday.
    for (text, memory, expected) in [
        ("On Wednesday, the twenty-eighth of February, she was dead.", "1911-02-28", Some((2, 1))),
        ("On Wednesday the twenty-eighth of February she was dead.", "1911-02-28", Some((2, 1))),
        ("On the Tuesday, the twenty-eighth of February, she was dead.", "1911-02-28", Some((1, 1))),
        ("Sunday the third of December.", "1910-12-03", Some((6, 5))),
        ("二月二十八日，星期三，她死了。", "1911-02-28", Some((2, 1))),
        // The text may mean the day of another year.
        ("On Wednesday, the twenty-eighth of February, she was dead.", "1905-02-28", None),
        ("On Wednesday, the first of March, she was dead.", "1911-02-28", None),
    ] {
        let found = dated(text, &[day(memory, true), day("1911-03-11 07:00", false)]);
        let found: Vec<_> = found.into_iter().map(|found| (found.told, found.day)).collect();
        assert_eq!(found, expected.into_iter().collect::<Vec<_>>(), "{text} {memory}");
    }
}

#[test]
fn a_weekday_of_the_old_style_is_right_in_a_book_that_uses_it() {
    use Language::{En, Zh};
    // 19 October 1911 was a Thursday, and a Wednesday by the Julian calendar; 3 September 1650 was a Tuesday by it.
    for (language, text, wrong) in [
        (
            En,
            "Wednesday the nineteenth of October, 1911, at ten. On Friday the twentieth of October, 1911, it rained.",
            1,
        ),
        (En, "Wednesday the nineteenth of October, 1911.", 1),
        (En, "Wednesday the nineteenth of October, 1911. Thursday the twentieth of October, 1911.", 0),
        (En, "In Petersburg, by the Old Style, it was Wednesday the nineteenth of October, 1911.", 0),
        (En, "On Tuesday the third of September, 1650, it rained.", 0),
        (Zh, "1911年10月19日，星期三。", 1),
        (Zh, "俄历1911年10月19日，星期三。", 0),
        (Zh, "1465年9月29日星期天，雨停了。", 0),
        (Zh, "1650年9月3日，星期二。", 1),
    ] {
        let told = dated(text, &[]);
        let last = last_julian_year(language, [text].into_iter(), told.iter());
        let found = told.iter().filter(|dated| dated.told != dated.day && !is_right_by_julian(dated, last));
        assert_eq!(found.count(), wrong, "{text}");
    }
}
