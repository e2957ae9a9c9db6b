//! Selects the text of a page, without hidden parts.

use dom_query::{Document, NodeRef};
use dom_smoothie::{Config, Readability};
use html5ever::tendril::TendrilSink;
use html5ever::tree_builder::TreeBuilderOpts;
use html5ever::{ParseOpts, parse_document};

use super::page::{PageText, WantedFn, garbled};
use super::{hidden, imprint};
use crate::Error;

/// Characters at the beginning of a page among which a byline is looked for.
const BYLINE: usize = 4_000;

/// Maximum nesting depth, as in browsers.
const DEEPEST: usize = 512;

/// Bytes parsed between two checks.
const STRETCH: usize = 4_096;

/// Maximum size of a page for main-text selection, in bytes, because the selection cannot be cancelled. Of a longer
/// page, the whole text is used.
const MOST_WEIGHED: usize = 2 << 20;

/// Maximum characters parsed of an engine's excerpt.
const LONGEST_QUOTE: usize = 4_000;

/// Selectors of content around the main text.
const AROUND: &str =
    "nav, header, footer, aside, form, [role=navigation], [role=banner], [role=contentinfo], [role=search]";

/// Block elements.
const BLOCKS: [&str; 42] = [
    "address",
    "article",
    "aside",
    "blockquote",
    "body",
    "br",
    "caption",
    "center",
    "dd",
    "details",
    "dir",
    "div",
    "dl",
    "dt",
    "fieldset",
    "figcaption",
    "figure",
    "footer",
    "form",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "header",
    "hr",
    "li",
    "main",
    "menu",
    "nav",
    "ol",
    "option",
    "p",
    "pre",
    "section",
    "summary",
    "table",
    "tbody",
    "thead",
    "tr",
    "ul",
];

/// Parses a page: its title, its language, and its main text, or as a fallback its whole text.
pub(super) fn read(source: &str, url: &str, wanted: WantedFn<'_>) -> Result<PageText, Error> {
    let document = parse(source, wanted)?;
    let language = document.select("html").attr("lang").map(|it| it.trim().to_owned()).filter(|it| is_language(it));
    let declared = document.select("head title").first().text().to_string();
    // Metadata are hidden, and lost with the rest of what is.
    let imprint = imprint::declared(&document);
    hidden::remove(&document);
    let whole = body(&document);
    let (title, main) =
        if source.len() > MOST_WEIGHED { Default::default() } else { main_text(&document, url, wanted)? };
    // A short main text of a long page is a wrong selection, as with lists and forums.
    let is_main = main.chars().count() * 4 >= whole.chars().count() || main.chars().count() >= 1_000;
    let title = if title.is_empty() { declared } else { title };
    let text = if is_main { main } else { whole.clone() };
    // The selected main text has often lost its byline.
    let imprint = imprint::shown(imprint, &document, &super::clean::lines(&whole, BYLINE).0);
    Ok(PageText { title, text, language, is_cut: false, imprint })
}

/// Parses a page, as long as wanted and not nested too deeply.
///
/// The parser's time is quadratic in the depth, so the depth is checked while parsing, not afterwards.
pub(crate) fn parse(source: &str, wanted: WantedFn<'_>) -> Result<Document, Error> {
    let tree_builder = TreeBuilderOpts { scripting_enabled: false, ..TreeBuilderOpts::default() };
    let options = ParseOpts { tree_builder, ..ParseOpts::default() };
    let mut parser = parse_document(Document::default(), options);
    let mut rest = source;
    while !rest.is_empty() {
        let (stretch, after) = rest.split_at(rest.ceil_char_boundary(STRETCH));
        parser.process(stretch.into());
        rest = after;
        if is_deep(&parser.tokenizer.sink.sink) {
            return Err(garbled("its elements are nested too deeply"));
        }
        if !wanted() {
            return Err(garbled("it took too long"));
        }
    }
    Ok(parser.finish())
}

/// Returns whether the open elements are nested too deeply. Open elements are the last of their parents, or precede a
/// table from which the parser moved them.
fn is_deep(document: &Document) -> bool {
    let mut waiting = vec![(document.root(), 0)];
    while let Some((node, depth)) = waiting.pop() {
        if depth > DEEPEST {
            return true;
        }
        let Some(last) = node.last_child() else { continue };
        let before = last.prev_sibling().filter(|_| last.node_name().as_deref() == Some("table"));
        waiting.extend([Some(last), before].into_iter().flatten().map(|child| (child, depth + 1)));
    }
    false
}

/// Returns the text of an HTML fragment in a single line, as in engines' excerpts.
pub(crate) fn plain(source: &str) -> String {
    let end = source.char_indices().nth(LONGEST_QUOTE).map_or(source.len(), |(at, _)| at);
    super::clean::line(&lines(&Document::fragment(&source[..end]).root()), 2_000)
}

/// Returns the title and text selected by Readability; both empty if nothing was found.
fn main_text(document: &Document, url: &str, wanted: WantedFn<'_>) -> Result<(String, String), Error> {
    let config =
        Config { char_threshold: 200, disable_json_ld: true, max_elements_to_parse: 100_000, ..Config::default() };
    let article = Readability::with_document(document.clone(), Some(url), Some(config)).and_then(|mut it| it.parse());
    match article {
        Ok(article) => Ok((article.title, lines(&parse(&article.content, wanted)?.root()))),
        Err(_) => Ok(Default::default()),
    }
}

/// Returns all text of the body except the surrounding content, unless there is nothing else.
fn body(document: &Document) -> String {
    let document = document.clone();
    let all = lines(&document.root());
    document.select(AROUND).remove();
    let inner = lines(&document.root());
    if inner.trim().is_empty() { all } else { inner }
}

/// Returns the text under `node`, a line per block.
fn lines(node: &NodeRef<'_>) -> String {
    enum HtmlPart<'a> {
        Node(NodeRef<'a>),
        Text(&'static str),
    }
    let mut text = String::new();
    let mut waiting = vec![HtmlPart::Node(*node)];
    while let Some(part) = waiting.pop() {
        let node = match part {
            HtmlPart::Text(mark) => {
                text.push_str(mark);
                continue;
            }
            HtmlPart::Node(node) => node,
        };
        if node.is_text() {
            // A line break in the source is only a space, except in preformatted text.
            let is_preset = node.parent().is_some_and(|it| it.node_name().as_deref() == Some("pre"));
            let words = node.text();
            match is_preset {
                true => text.push_str(&words),
                false => text.extend(words.chars().map(|it| if matches!(it, '\n' | '\r') { ' ' } else { it })),
            }
            continue;
        }
        let name = node.node_name();
        let mark = match name.as_deref() {
            Some("td" | "th") => " ",
            Some(name) if BLOCKS.contains(&name) => "\n",
            _ => "",
        };
        text.push_str(mark);
        waiting.push(HtmlPart::Text(mark));
        waiting.extend(node.children_it(true).map(HtmlPart::Node));
    }
    text
}

/// Returns whether `tag` has the form of a language tag.
fn is_language(tag: &str) -> bool {
    (2..=35).contains(&tag.len()) && tag.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        super::super::clean::lines(&read(source, "https://a.example/", &|| true).unwrap().text, 10_000).0
    }

    #[test]
    fn authors_date_and_publisher_are_read_where_they_stand() {
        let linked = r#"<script type="application/ld+json">{"@graph": [{"@type": "NewsArticle",
            "author": [{"name": "Jane Doe"}, {"name": "John Roe"}], "datePublished": "2024-05-01T08:00:00Z",
            "publisher": {"name": "The Library"}}]}</script>"#;
        let metas = r#"<meta name="Author" content="张三"><meta property="article:published_time" content="2024-05-01">
            <meta property="og:site_name" content="图书馆报">"#;
        let marked = "<p>By <a rel='author'>Jane Doe</a>, <time datetime='2024-05-01'>May 1</time></p>";
        let form = "<p>作者：张三　来源：图书馆报　2024年5月1日</p>";
        let hidden = "<p hidden>By Nobody Real, May 1, 2020</p>";
        for (head, body, authors, published, publisher) in [
            (linked, "", "Jane Doe; John Roe", "2024-05-01", "The Library"),
            (metas, "", "张三", "2024-05-01", "图书馆报"),
            ("", marked, "Jane Doe", "2024-05-01", ""),
            ("", form, "张三", "2024-05-01", "图书馆报"),
            ("", hidden, "", "", ""),
            (r#"<meta name="author" content="https://a.example/x">"#, "", "", "", ""),
        ] {
            let source = format!("<html><head>{head}</head><body><h1>T</h1>{body}<p>夜市三更方散。</p></body></html>");
            let imprint = read(&source, "https://a.example/", &|| true).unwrap().imprint;
            let found = (imprint.authors.join("; "), imprint.published, imprint.publisher);
            assert_eq!(found, (authors.to_owned(), published.to_owned(), publisher.to_owned()), "{head}{body}");
        }
    }

    #[test]
    fn what_people_do_not_see_is_not_read() {
        let seen = "<p>夜市三更方散，五更又开。</p>";
        let hidden = [
            "<!-- SECRET -->",
            "<script>SECRET</script>",
            "<style>.SECRET{}</style>",
            "<template><p>SECRET</p></template>",
            "<noscript><p>SECRET</p></noscript>",
            "<p hidden>SECRET</p>",
            "<p aria-hidden=\"true\">SECRET</p>",
            "<p style=\"display: none\">SECRET</p>",
            "<div style='DISPLAY:NONE !important'><p>SECRET</p></div>",
            "<p style=\"color:red;visibility:hidden\">SECRET</p>",
            "<p style=\"opacity:0\">SECRET</p>",
            "<p style=\"font-size:0px\">SECRET</p>",
            "<p style=\"position:absolute;left:-9999px\">SECRET</p>",
            "<p style=\"text-indent: -10000em\">SECRET</p>",
            "<textarea>SECRET</textarea>",
            "<input value=\"SECRET\">",
            "<select><option>SECRET</option></select>",
            "<img alt=\"\" src=\"SECRET\">",
            "<svg><text>SECRET</text></svg>",
            "<iframe>SECRET</iframe>",
            "<dialog>SECRET</dialog>",
            "<meta name=description content=SECRET>",
            "<p title=\"SECRET\"></p>",
        ];
        for case in hidden {
            let text = text(&format!("<html><head><title>t</title></head><body>{seen}{case}{seen}</body></html>"));
            assert!(text.contains("五更又开"), "{case}: {text}");
            assert!(!text.contains("SECRET"), "{case}: {text}");
        }
    }

    #[test]
    fn blocks_are_lines() {
        let source = "<body><h1>汴京</h1><p>夜市<b>三更</b>方散，\n五更又开。</p><ul><li>一<li>二</ul>\
            <table><tr><td>a<td>b<tr><td>c</table><pre>x\ny</pre>z<br>w</body>";
        assert_eq!(text(source), "汴京\n夜市三更方散， 五更又开。\n一\n二\na b\nc\nx\ny\nz\nw");
    }

    #[test]
    fn the_text_is_told_from_what_surrounds_it() {
        let story =
            "<p>夜市直至三更尽，才五更又复开张，耍闹去处，通晓不绝。寻常四梢远静去处，夜市亦有燋酸豏、猪胰胡饼。</p>"
                .repeat(8);
        let link = "<li><a href=\"/x\">相关阅读</a></li>".repeat(20);
        let source = format!(
            "<html lang=\"zh-CN\"><head><title>汴京夜市 - 某站</title></head><body><nav><ul>{link}</ul></nav>\
             <div class=\"sidebar\"><ul>{link}</ul></div><div class=\"content\"><h1>汴京夜市</h1>{story}</div>\
             <footer>版权所有</footer></body></html>"
        );
        let read = read(&source, "https://a.example/", &|| true).unwrap();
        assert_eq!(read.language.as_deref(), Some("zh-CN"));
        assert!(read.title.contains("汴京夜市"), "{}", read.title);
        assert_eq!(read.text.matches("耍闹去处").count(), 8);
        assert!(!read.text.contains("相关阅读") && !read.text.contains("版权所有"), "{}", read.text);
    }

    #[test]
    fn a_page_without_main_text_is_read_as_a_whole() {
        assert_eq!(text("<p>短。</p>"), "短。");
        assert_eq!(text("<nav>只有这个</nav>"), "只有这个");
        assert_eq!(text(""), "");
    }

    #[test]
    fn deep_nesting_is_refused() {
        let rows = [
            ("", "<div>"),
            ("", "<b>"),
            ("<svg>", "<g>"),
            ("", "<ul><li>"),
            ("<table>", "<div>"),
            ("<table><tr>", "<i>"),
        ];
        for (start, tag) in rows {
            let source = format!("{start}{}x", tag.repeat(100_000));
            let code = read(&source, "https://a.example/", &|| true).map_err(|error| error.code()).map(|_| ());
            assert_eq!(code, Err("garbled"), "{start}{tag}");
        }
        let flat = "<p><b>夜市</b></p>".repeat(10_000);
        assert!(read(&flat, "https://a.example/", &|| true).is_ok());
    }

    #[test]
    fn what_is_no_longer_wanted_is_left() {
        let looks = std::cell::Cell::new(0);
        let wanted = || {
            looks.set(looks.get() + 1);
            looks.get() < 3
        };
        assert_eq!(read(&"<p>夜市</p>".repeat(10_000), "https://a.example/", &wanted).unwrap_err().code(), "garbled");
        assert_eq!(looks.get(), 3);
    }

    #[test]
    fn quotes_of_engines_become_plain() {
        assert_eq!(plain("<b>汴京</b> &amp; 夜市&nbsp;<script>x</script>\n a"), "汴京 & 夜市 x a");
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        #[test]
        fn any_page_is_read_or_refused(parts in proptest::collection::vec("(<[a-z/!]{1,8}>|[a-z夜 ]{0,5}|&[a-z]{1,4};|<p style=)", 0..40)) {
            let _read = read(&parts.concat(), "https://a.example/", &|| true);
        }
    }
}
