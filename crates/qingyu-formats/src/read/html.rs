//! Web pages in files of their own: made well-formed enough for the parser of the pages of an EPUB.

use std::borrow::Cow;
use std::sync::LazyLock;

use regex::{Captures, Regex};

use super::collector::Collector;
use super::pages::{self, NavEntry};
use crate::{Error, FileLimits};

/// The name of the page in origins and errors.
const PAGE: &str = "html";

/// Parses a page: title, scripts and styles are no text.
pub(crate) fn read(mut collector: Collector, text: &str, limits: &FileLimits) -> Result<Collector, Error> {
    pages::read(&mut collector, PAGE, tidied(text).as_bytes(), &NavEntry::default(), limits)?;
    Ok(collector)
}

/// Returns the page without declarations, comments, scripts and styles, with the names of its elements in lower case. A page
/// without a body is the body.
fn tidied(text: &str) -> String {
    static UNREAD: LazyLock<Regex> = LazyLock::new(|| {
        let elements = "<script\\b.*?</script\\s*>|<style\\b.*?</style\\s*>";
        Regex::new(&format!("(?is)<!--.*?-->|<\\?[^>]*>|<![^>]*>|{elements}")).expect("constant")
    });
    static TAG: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new("<(?:(?<tag>/?[A-Za-z][A-Za-z0-9]*)|(?<sign>[^A-Za-z/]|/[^A-Za-z]|$))").expect("constant")
    });
    let text = UNREAD.replace_all(text, "");
    let text: Cow<'_, str> =
        TAG.replace_all(&text, |found: &Captures<'_>| match (found.name("tag"), found.name("sign")) {
            (Some(tag), _) => format!("<{}", tag.as_str().to_ascii_lowercase()),
            // No element begins here: 3 < 5.
            (None, sign) => format!("&lt;{}", sign.map_or("", |sign| sign.as_str())),
        });
    if text.contains("<body") {
        return text.into_owned();
    }
    let body = text.split_once("</head>").map_or(&*text, |(_, body)| body);
    format!("<body>{body}</body>")
}

#[cfg(test)]
mod tests {
    use crate::{Format, ReadOptions, SplitOptions, read, split};

    fn told(page: &[u8], encoding: Option<&str>) -> Vec<(String, String)> {
        let encoding = encoding.map(str::to_owned);
        let reading = ReadOptions { format: Some(Format::Html), encoding, ..ReadOptions::default() };
        let found = split(&read(&mut &*page, &reading).unwrap(), &SplitOptions::default()).unwrap();
        found.chapters.into_iter().map(|chapter| (chapter.title, chapter.text)).collect()
    }

    #[test]
    fn a_page_is_read_like_one_of_an_epub() {
        let page = "<!DOCTYPE html>\n<html><head><meta charset=utf-8><title>site</title><style>p > a {}</style></head>\n<BODY>\n\
            <H2>第一章 渡口</H2>\n<P>雨停了。<BR>他<i>来</i>了，1 < 2。\n<p>灯灭了&hellip;\n<script>if (a < b) {}</script><!-- x -->\n\
            <h2>第二章 灯</h2><p>天亮了。</p></BODY></html>";
        let expected = [("第一章 渡口", "雨停了。\n他*来*了，1 < 2。\n灯灭了…"), ("第二章 灯", "天亮了。")];
        assert_eq!(told(page.as_bytes(), None), expected.map(|(title, text)| (title.to_owned(), text.to_owned())));
    }

    #[test]
    fn a_page_may_have_many_open_paragraphs_and_no_body() {
        let lines: String = (1..=2_000).map(|number| format!("<p>他数到 {number}，雨还在下。<br>")).collect();
        let found = told(
            format!("<title>site</title></head><h2>第一章</h2>{lines}<h2>第二章</h2><p>天亮了。").as_bytes(),
            None,
        );
        let titles: Vec<&str> = found.iter().map(|(title, _)| title.as_str()).collect();
        assert_eq!(titles, ["第一章", "第二章"]);
        assert!(found[0].1.ends_with("他数到 2000，雨还在下。"));
    }

    #[test]
    fn a_page_may_be_in_another_encoding() {
        let page = "<?xml version=\"1.0\" encoding=\"gb2312\"?><html><body><h1>第一章 渡口</h1><p>雨停了，灯一盏一盏地灭了。</p></body></html>";
        let (bytes, _, _) = encoding_rs::GBK.encode(page);
        assert_eq!(told(&bytes, Some("gbk")), [("第一章 渡口".to_owned(), "雨停了，灯一盏一盏地灭了。".to_owned())]);
    }
}
