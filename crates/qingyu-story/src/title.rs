//! Book titles: parsing a title from an author's words, and the default title.

use crate::Language;

/// The maximum length of a parsed title, in characters.
const LONGEST: usize = 60;

/// Chinese words before a title in title marks; also used for people, but without title marks.
const CHINESE: [&str; 7] = ["叫", "叫做", "叫作", "名叫", "取名", "定名", "起名"];

/// Chinese words before a title in any marks.
const CHINESE_OF_WORKS: [&str; 8] = ["书名", "书名叫", "题为", "题名", "题目", "标题", "名为", "命名为"];

/// English words before a title; also used for people and places.
const ENGLISH: [&str; 2] = ["called", "named"];

/// English words used only before a title.
const ENGLISH_OF_WORKS: [&str; 3] = ["titled", "entitled", "title"];

/// English nouns for works, required shortly before an ambiguous naming word.
const WORKS: [&str; 11] =
    ["novel", "story", "book", "mystery", "thriller", "romance", "saga", "series", "novella", "trilogy", "tale"];

/// Returns the title given to the requested work: words in title or quotation marks after a word such as 叫 or `called`,
/// in title marks at the very beginning, or on a line after `书名：` or `Title:`.
///
/// Ignores other mentioned books; opening words are no title.
///
/// ```
/// use qingyu_story::title::named_in;
///
/// assert_eq!(named_in("写一部叫《雨城》的侦探小说").as_deref(), Some("雨城"));
/// assert_eq!(named_in("A mystery called “The Lamp”.").as_deref(), Some("The Lamp"));
/// assert_eq!(named_in("学《红楼梦》的笔法写一个家族"), None);
/// ```
pub fn named_in(words: &str) -> Option<String> {
    let line = words.lines().find_map(after_label);
    let quoted = || {
        words.char_indices().find_map(|(at, open)| {
            let close = closing(open)?;
            let before = words[..at].trim_end();
            let is_named = ends_with_name(before, open) || (open == '《' && before.is_empty());
            let rest = &words[at + open.len_utf8()..];
            let inside = &rest[..rest.find(close)?];
            is_named.then_some(inside)
        })
    };
    line.or_else(quoted).and_then(fitting)
}

/// Returns the default title of a book.
pub fn untitled(language: Language) -> &'static str {
    match language {
        Language::Zh => "未命名作品",
        Language::En => "Untitled",
    }
}

/// Returns the requested subject as a title: the words after 写, 做 or `write` with a number, such as 关于定价的短课程 in
/// 为独立开发者写一门关于定价的短课程. For content named after its subject; a book has its own title.
pub fn subject_in(words: &str) -> Option<String> {
    const ORDERS: [&str; 8] = ["制作", "做", "写", "策划", "设计", "准备", "出", "来"];
    const NUMBERS: [&str; 12] =
        ["一门", "一篇", "一套", "一个", "一条", "一份", "一组", "一期", "一系列", "一部", "一本", "几篇"];
    let clause = words.trim().split(['，', '。', '；', '\n', ';', '.']).next()?.trim();
    let in_chinese = ORDERS.iter().flat_map(|order| NUMBERS.iter().map(move |number| format!("{order}{number}")));
    let chinese = in_chinese.filter_map(|order| Some(&clause[clause.find(&order)? + order.len()..])).next();
    let english = || {
        let (verb, rest) = clause.split_once(' ')?;
        let is_order =
            ["write", "make", "create", "prepare", "produce", "design"].contains(&verb.to_lowercase().as_str());
        let rest = rest.trim_start_matches("me ");
        let rest = ["a ", "an ", "the "].iter().find_map(|article| rest.strip_prefix(article)).unwrap_or(rest);
        is_order.then_some(rest)
    };
    let subject = fitting(chinese.or_else(english)?)?;
    let mut letters = subject.chars();
    let first = letters.next()?;
    Some(first.to_uppercase().chain(letters).collect())
}

/// Returns the rest of a line after `书名：` or `Title:`, with or without title marks.
fn after_label(line: &str) -> Option<&str> {
    let (label, rest) = line.trim().split_once(['：', ':'])?;
    let is_label =
        matches!(label.trim(), "书名" | "标题" | "题目" | "作品名") || label.trim().eq_ignore_ascii_case("title");
    let rest = rest.trim();
    let bare = rest.strip_prefix('《').and_then(|rest| Some(rest.split_once('》')?.0)).unwrap_or(rest);
    let is_short = bare.chars().all(|c| !matches!(c, '。' | '；' | ';' | '，'));
    (is_label && is_short).then_some(bare)
}

fn closing(open: char) -> Option<char> {
    Some(match open {
        '《' => '》',
        '“' => '”',
        '‘' => '’',
        '「' => '」',
        '『' => '』',
        '"' => '"',
        '*' => '*',
        _ => return None,
    })
}

/// Returns whether the words before an opening mark introduce the title of a work.
fn ends_with_name(before: &str, open: char) -> bool {
    let before = before.trim_end_matches(['：', ':', '是', ',', '，', ' ']);
    let mut words = before.rsplit(|c: char| !c.is_ascii_alphabetic() && c != '-').filter(|word| !word.is_empty());
    let word = words.next().unwrap_or_default();
    let is_one_of = |names: &[&str], word: &str| names.iter().any(|name| word.eq_ignore_ascii_case(name));
    let in_chinese = CHINESE_OF_WORKS.iter().any(|name| before.ends_with(name))
        || (open == '《' && CHINESE.iter().any(|name| before.ends_with(name)));
    in_chinese
        || is_one_of(&ENGLISH_OF_WORKS, word)
        || (word == "is" && words.clone().next().is_some_and(|word| is_one_of(&ENGLISH_OF_WORKS, word)))
        || (is_one_of(&ENGLISH, word) && words.take(2).any(|word| is_one_of(&WORKS, word)))
}

fn fitting(title: &str) -> Option<String> {
    let title = title.trim().trim_end_matches(['.', ',', '，', '。']).trim();
    let fits = !title.is_empty() && title.chars().count() <= LONGEST && !title.chars().any(char::is_control);
    fits.then(|| title.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn content_is_called_after_what_is_asked_for() {
        for (words, subject) in [
            ("为独立开发者写一门关于定价的短课程", Some("关于定价的短课程")),
            ("做一条介绍青羽的短视频，三十秒", Some("介绍青羽的短视频")),
            (
                "Write a short course about pricing for indie developers",
                Some("Short course about pricing for indie developers"),
            ),
            ("定价", None),
            ("Pricing for hobbyists", None),
        ] {
            assert_eq!(subject_in(words).as_deref(), subject, "{words}");
        }
    }

    #[test]
    fn the_title_that_words_give_is_found_and_no_other() {
        for (words, title) in [
            ("写一部叫《雨城》的赛博朋克侦探小说，主角是私家侦探", Some("雨城")),
            ("写一部长篇，书名是《长安十二时》。", Some("长安十二时")),
            ("《灯塔》：一个看守人收到三十年前的信", Some("灯塔")),
            ("想写一本名为“夜航”的小说", Some("夜航")),
            ("书名：青羽\n写一个少年学琴的故事", Some("青羽")),
            ("题为「归途」，三十章", Some("归途")),
            ("A locked-room mystery called \"The Gardener\" on a generation ship", Some("The Gardener")),
            ("Title: The Long Night\nA keeper gets a letter.", Some("The Long Night")),
            ("a novel entitled ‘Salt’, two hundred pages", Some("Salt")),
            ("模仿《红楼梦》写一个家族的兴衰", None),
            ("主角常说“走吧”", None),
            ("他叫“老六”的朋友被杀了，写一部悬疑", None),
            ("a boy named \"Pip\" grows up", None),
            ("a book named *Pip*", Some("Pip")),
            ("一个灯塔看守人收到自己三十年前寄出的信", None),
            ("创作一部赛博朋克背景的侦探小说，主角是私家侦探，擅长黑客技术", None),
            ("A keeper says \"no\" and leaves", None),
            ("雨夜", None),
            ("", None),
        ] {
            assert_eq!(named_in(words).as_deref(), title, "{words}");
        }
    }
}
