//! Writer of Markdown documents as web pages.
//!
//! The page has no scripts and loads nothing. HTML in the text is shown as text, and only links of the web are links.

use std::fmt::Write;

use pulldown_cmark::{Event, Tag, TagEnd};
use qingyu_story::Language;

use super::book::BookInfo;
use super::markup;
use super::package::xml;

/// The style of the page: readable on a screen and on paper.
const STYLE: &str = "body{max-width:42em;margin:2em auto;padding:0 1em;font-family:serif;line-height:1.7}\
                     table{border-collapse:collapse}th,td{border:1px solid #999;padding:.3em .6em}\
                     blockquote{margin-left:0;padding-left:1em;border-left:3px solid #999}pre{overflow-x:auto}";

/// Returns a Markdown document as a complete web page. The title of `book` becomes the title of the page; the content is
/// `markdown` alone.
pub fn write_html(book: &BookInfo, markdown: &str) -> String {
    let language = match book.language {
        Language::Zh => "zh-CN",
        Language::En => "en",
    };
    let mut page = HtmlWriter::default();
    for event in markup::events(markdown) {
        page.take(event);
    }
    format!(
        "<!DOCTYPE html>\n<html lang=\"{language}\">\n<head>\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" \
         content=\"width=device-width\">\n<title>{}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n{}</body>\n</html>\n",
        xml(&book.title),
        page.written
    )
}

/// The output buffer.
#[derive(Default)]
struct HtmlWriter {
    written: String,
    is_head: bool,
    /// The open links, each with its address and whether it is a link of the page.
    links: Vec<(String, bool)>,
}

impl HtmlWriter {
    fn take(&mut self, event: Event<'_>) {
        match event {
            Event::Start(tag) => self.start(&tag),
            Event::End(tag) => self.stop(tag),
            Event::Text(text) | Event::Html(text) | Event::InlineHtml(text) => self.put(&xml(&text)),
            Event::Code(text) => self.put(&format!("<code>{}</code>", xml(&text))),
            Event::SoftBreak => self.put("\n"),
            Event::HardBreak => self.put("<br>\n"),
            Event::Rule => self.put("<hr>\n"),
            Event::TaskListMarker(done) => self.put(if done { "☑ " } else { "☐ " }),
            Event::FootnoteReference(name) => self.put(&format!("[{}]", xml(&name))),
            _ => {}
        }
    }

    fn put(&mut self, text: &str) {
        self.written.push_str(text);
    }

    fn start(&mut self, tag: &Tag<'_>) {
        match tag {
            Tag::Heading { level, .. } => {
                let _ = write!(self.written, "<h{}>", *level as u8);
            }
            Tag::Paragraph | Tag::HtmlBlock => self.put("<p>"),
            Tag::BlockQuote(_) => self.put("<blockquote>\n"),
            Tag::CodeBlock(_) => self.put("<pre><code>"),
            Tag::List(None) => self.put("<ul>\n"),
            Tag::List(Some(1)) => self.put("<ol>\n"),
            Tag::List(Some(first)) => {
                let _ = writeln!(self.written, "<ol start=\"{first}\">");
            }
            Tag::Item => self.put("<li>"),
            Tag::Strong => self.put("<strong>"),
            Tag::Emphasis => self.put("<em>"),
            Tag::Strikethrough => self.put("<del>"),
            Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. } => {
                let is_web = markup::is_web(dest_url);
                if is_web {
                    let _ = write!(self.written, "<a href=\"{}\">", xml(dest_url));
                }
                self.links.push((dest_url.to_string(), is_web));
            }
            Tag::Table(_) => self.put("<table>\n"),
            Tag::TableHead => {
                self.is_head = true;
                self.put("<tr>");
            }
            Tag::TableRow => self.put("<tr>"),
            Tag::TableCell => self.put(if self.is_head { "<th>" } else { "<td>" }),
            _ => {}
        }
    }

    fn stop(&mut self, tag: TagEnd) {
        match tag {
            TagEnd::Heading(level) => {
                let _ = writeln!(self.written, "</h{}>", level as u8);
            }
            TagEnd::Paragraph | TagEnd::HtmlBlock => self.put("</p>\n"),
            TagEnd::BlockQuote(_) => self.put("</blockquote>\n"),
            TagEnd::CodeBlock => self.put("</code></pre>\n"),
            TagEnd::List(true) => self.put("</ol>\n"),
            TagEnd::List(false) => self.put("</ul>\n"),
            TagEnd::Item => self.put("</li>\n"),
            TagEnd::Strong => self.put("</strong>"),
            TagEnd::Emphasis => self.put("</em>"),
            TagEnd::Strikethrough => self.put("</del>"),
            TagEnd::Link | TagEnd::Image => match self.links.pop() {
                Some((_, true)) => self.put("</a>"),
                Some((address, false)) if !address.is_empty() => self.put(&format!(" ({})", xml(&address))),
                _ => {}
            },
            TagEnd::TableHead => {
                self.is_head = false;
                self.put("</tr>\n");
            }
            TagEnd::TableRow => self.put("</tr>\n"),
            TagEnd::TableCell => self.put(if self.is_head { "</th>" } else { "</td>" }),
            TagEnd::Table => self.put("</table>\n"),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn body(markdown: &str) -> String {
        let book = BookInfo { title: "定价 & 价格".into(), ..BookInfo::default() };
        let page = write_html(&book, markdown);
        assert!(page.contains("<title>定价 &amp; 价格</title>"), "{page}");
        let (_, body) = page.split_once("<body>\n").unwrap();
        body.trim_end_matches("</body>\n</html>\n").to_owned()
    }

    #[test]
    fn lists_and_links_are_real() {
        let cases = [
            ("# A\n\n- a\n- b", "<h1>A</h1>\n<ul>\n<li>a</li>\n<li>b</li>\n</ul>\n"),
            ("3. c\n4. d", "<ol start=\"3\">\n<li>c</li>\n<li>d</li>\n</ol>\n"),
            (
                "1. [t](<https://a.example/?x=1&y=2>)",
                "<ol>\n<li><a href=\"https://a.example/?x=1&amp;y=2\">t</a></li>\n</ol>\n",
            ),
            ("a <i>x</i> **b** `c<`", "<p>a &lt;i&gt;x&lt;/i&gt; <strong>b</strong> <code>c&lt;</code></p>\n"),
            ("<script>x</script> **b**", "<p>&lt;script&gt;x&lt;/script&gt; **b**</p>\n"),
            ("[x](javascript:alert)", "<p>x (javascript:alert)</p>\n"),
        ];
        for (markdown, expected) in cases {
            assert_eq!(body(markdown), expected, "{markdown}");
        }
        assert!(body("| a |\n|---|\n| b |").contains("<tr><th>a</th></tr>\n<tr><td>b</td></tr>"));
    }
}
