//! Removes what people do not see of a page: hidden by attributes, by styles of an element, by the page's style sheets.
//!
//! - `sheet`: the rules of the page's own sheets; those of other addresses are not fetched
//! - `style`: the declarations of an element

mod sheet;
mod style;

use std::collections::BTreeMap;

use dom_query::{Document, NodeRef};

use style::{Colour, ElementStyle, colour};

/// Selectors of content not read as text: code, controls, and hidden elements.
const UNREAD: &str = "script, style, template, noscript, noembed, noframes, iframe, frame, object, embed, svg, canvas, audio, video, \
    math annotation, mphantom, input, select, datalist, textarea, button, dialog:not([open]), [hidden], [popover], head meta, head link";

/// Classes that hide their element in common sheets that are not part of the page.
const HIDING: [&str; 14] = [
    "sr-only",
    "visually-hidden",
    "visuallyhidden",
    "screen-reader-text",
    "screen-reader-only",
    "screenreader",
    "a11y-hidden",
    "hidden",
    "d-none",
    "is-hidden",
    "hide",
    "invisible",
    "opacity-0",
    "text-transparent",
];

/// The smallest size, in pixels, at which text is read.
const READABLE: f32 = 4.0;
/// The lowest opacity at which text is read.
const VISIBLE: f32 = 0.1;
/// How far apart two colours are, in each channel, that can be told from each other.
const APART: i32 = 24;
/// A page is not white if more characters than this, and more than this many times the rest, are white.
const WHITE: (usize, usize) = (1_000, 4);

/// Removes the hidden elements of a document, and hidden text between elements that are seen.
pub(super) fn remove(document: &Document) {
    let (styles, variables) = sheet::styles(document);
    document.select("head title").remove();
    document.select(UNREAD).remove();
    let mut waiting = vec![(document.root(), Appearance::default())];
    let (mut white, mut white_length, mut length) = (Vec::new(), 0, 0);
    while let Some((node, around)) = waiting.pop() {
        for child in node.children_it(false).collect::<Vec<_>>() {
            if child.is_text() {
                let characters = child.text().chars().filter(|it| !it.is_whitespace()).count();
                match (around.hides_text(), around.is_like_background()) {
                    (true, _) => child.remove_from_parent(),
                    (false, true) if !around.is_behind_known => {
                        white.push(child);
                        white_length += characters;
                    }
                    (false, true) => child.remove_from_parent(),
                    (false, false) => length += characters,
                }
            }
            if !child.is_element() {
                continue;
            }
            let style = style_of(&child, styles.get(&child.id), &variables);
            match around.within(&child, &style) {
                Some(own) => waiting.push((child, own)),
                None => child.remove_from_parent(),
            }
        }
    }
    // The background is that of a sheet of another address.
    let is_dark = white_length > WHITE.0 && white_length > length * WHITE.1;
    for node in white.iter().filter(|_| !is_dark) {
        node.remove_from_parent();
    }
}

/// Returns Markdown without its comments, which no reader sees: `<!-- … -->`, and links without a name as `[//]: # (…)`.
/// Code is kept.
pub(super) fn without_comments(markdown: &str) -> String {
    let (mut kept, mut is_code, mut is_comment) = (String::with_capacity(markdown.len()), false, false);
    for line in markdown.split_inclusive('\n') {
        let start = line.trim_start();
        if !is_comment && (start.starts_with("```") || start.starts_with("~~~")) {
            is_code = !is_code;
        }
        let is_link = start.starts_with("[//]:") || start.starts_with("[comment]:") || start.starts_with("[]:");
        if is_code {
            kept.push_str(line);
        } else if is_comment || !is_link {
            let mut rest = line;
            while let Some((before, after)) = rest.split_once(if is_comment { "-->" } else { "<!--" }) {
                kept.push_str(if is_comment { "" } else { before });
                (rest, is_comment) = (after, !is_comment);
            }
            kept.push_str(if is_comment { "\n" } else { rest });
        }
    }
    kept
}

/// Returns the style of an element: of its attributes for colours, of the sheets, and of its `style` attribute.
fn style_of(
    node: &NodeRef<'_>,
    of_sheets: Option<&ElementStyle>,
    variables: &BTreeMap<String, String>,
) -> ElementStyle {
    let mut text = String::new();
    for (attribute, name) in [("color", "color"), ("text", "color"), ("bgcolor", "background-color")] {
        if let Some(value) = node.attr(attribute) {
            text.push_str(&format!("{name}:{value};"));
        }
    }
    let mut style = ElementStyle::parse(&text, variables);
    style.extend(of_sheets.unwrap_or(&ElementStyle::default()));
    style.extend(&ElementStyle::parse(&node.attr("style").unwrap_or_default(), variables));
    style
}

/// The properties that an element passes on to the text in it.
#[derive(Debug, Clone, Copy)]
struct Appearance {
    is_visible: bool,
    /// Size of the text in pixels, before it is made smaller or larger by `scale`.
    size: f32,
    scale: f32,
    opacity: f32,
    /// Colour of the text, if the page states one.
    ink: Option<Colour>,
    /// Colour behind the text, white unless the page states another; unknown on a picture.
    behind: Option<[i32; 3]>,
    /// Whether the page states what is behind the text.
    is_behind_known: bool,
}

impl Default for Appearance {
    fn default() -> Self {
        let behind = Some([255, 255, 255]);
        Self { is_visible: true, size: 16.0, scale: 1.0, opacity: 1.0, ink: None, behind, is_behind_known: false }
    }
}

impl Appearance {
    /// Returns the appearance of an element in another; `None` if it is hidden with all that it holds.
    fn within(self, node: &NodeRef<'_>, style: &ElementStyle) -> Option<Self> {
        let name = node.node_name().unwrap_or_default();
        // A hidden body is a page that is still loading.
        let is_whole = matches!(&*name, "html" | "body");
        let is_away =
            node.attr("aria-hidden").is_some_and(|it| it.trim().eq_ignore_ascii_case("true")) || has_hiding_class(node);
        if !is_whole && (style.is_hiding() || is_away) {
            return None;
        }
        let mut own = self;
        own.size = style.font_size(self.size);
        match style.get("visibility") {
            Some("hidden" | "collapse") if !is_whole => own.is_visible = false,
            Some("visible" | "initial") => own.is_visible = true,
            _ => {}
        }
        if !is_whole {
            own.opacity *= style.opacity();
            own.scale *= style.scale();
        }
        let picture = style.get("background-image").filter(|image| *image != "none");
        if let Some(value) = picture.or(style.get("background-color")) {
            let stated = match colour(value) {
                // A mostly transparent background hides nothing.
                Some((_, opacity)) if opacity < 0.5 => None,
                None if matches!(value, "none" | "inherit" | "initial" | "unset") => None,
                stated => Some(stated.map(|(mixed, _)| mixed)),
            };
            (own.behind, own.is_behind_known) =
                stated.map_or((self.behind, self.is_behind_known), |stated| (stated, true));
        }
        if let Some(value) = style.get("text-fill-color").or(style.get("color"))
            && !matches!(value, "inherit" | "currentcolor" | "unset")
        {
            own.ink = colour(value);
        }
        // Letters through which the background is seen have its colour, or that of its picture.
        if style.get("background-clip") == Some("text") {
            own.ink = None;
        }
        Some(own).filter(|own| own.opacity >= VISIBLE && own.scale >= 0.02)
    }

    /// Returns whether the text in the element itself is hidden, whatever the elements in it look like.
    fn hides_text(&self) -> bool {
        let is_transparent = self.ink.is_some_and(|(_, opacity)| opacity < VISIBLE);
        !self.is_visible || self.size * self.scale < READABLE || is_transparent
    }

    /// Returns whether the text has the colour of what is behind it.
    fn is_like_background(&self) -> bool {
        let Some(((ink, _), behind)) = self.ink.zip(self.behind) else { return false };
        ink.iter().zip(behind).all(|(one, other)| (one - other).abs() < APART)
    }
}

/// Returns whether an element has a class that hides it, and none that shows it again on a wide screen.
fn has_hiding_class(node: &NodeRef<'_>) -> bool {
    let classes = node.attr("class").unwrap_or_default();
    let shows = |class: &str| {
        let is_wide = class.contains(':') || class.starts_with("d-") && class.matches('-').count() > 1;
        is_wide
            && ["block", "flex", "grid", "inline", "table", "visible", "not-sr-only"]
                .iter()
                .any(|it| class.contains(it))
    };
    let has = |begin: &str| classes.split_whitespace().any(|class| class.starts_with(begin));
    let hides = |class: &str| match class {
        // A headline filled with a gradient, and text that fades in.
        "text-transparent" => !has("bg-clip-text"),
        "opacity-0" => !has("animate-"),
        _ => HIDING.contains(&class),
    };
    classes.split_whitespace().any(hides) && !classes.split_whitespace().any(shows)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(head: &str, body: &str) -> bool {
        let document = Document::from(format!("<html><head><title>t</title>{head}</head><body>{body}</body></html>"));
        remove(&document);
        document.select("body").text().contains("SECRET")
    }

    #[test]
    fn text_that_cannot_be_seen_is_hidden() {
        for style in [
            "visibility: hidden",
            "opacity: 0.02",
            "opacity:3%",
            "filter:opacity(0%)",
            "font-size: 1px",
            "font-size:0.1em",
            "font-size:2pt !important",
            "font:1px/1 serif",
            "transform:scale(0)",
            "transform:scale(.1)",
            "zoom:0.1",
            "color: rgba(0,0,0,0)",
            "color:#0000",
            "-webkit-text-fill-color:transparent",
            "color:rgb(255 255 255)",
            "color:hsl(0 0% 99%)",
            "color: white;background:#fefefe",
            "left:-9999px",
            "height:0;overflow:hidden",
        ] {
            for name in ["p", "article"] {
                assert!(!left("", &format!("<{name} style=\"{style}\">SECRET</{name}>")), "{name}: {style}");
            }
        }
        for style in
            ["font-size:12px", "font-size:80%", "opacity:.9", "color:#333", "visibility:visible", "transform:scale(.9)"]
        {
            assert!(left("", &format!("<p style=\"{style}\">SECRET</p>")), "{style}");
        }
    }

    #[test]
    fn text_in_the_colour_of_its_background_is_hidden() {
        for body in [
            "<p style='color:#fff'>SECRET</p>",
            "<p style='color:white;background:#fefefe'>SECRET</p>",
            "<div style='background:#000'><p style='color: rgb(3,3,3)'>SECRET</p></div>",
            "<div style='background:#036;color:#fff'><p style='background:#fff'>SECRET</p></div>",
            "<table bgcolor=black><tr><td><font color=black>SECRET</font></td></tr></table>",
        ] {
            assert!(!left("", body), "{body}");
        }
        for body in [
            "<p style='color:#fff;background:#036'>SECRET</p>",
            "<div style='background-color:navy'><p style='color:#fff'>SECRET</p></div>",
            "<div style='background:url(x.png)'><p style='color:#fff'>SECRET</p></div>",
            "<div style='color:#fff'>x<p style='background:#000'>SECRET</p></div>",
            "<h1 style='background:linear-gradient(red,blue);-webkit-background-clip:text;color:transparent'>SECRET</h1>",
            "<p style='color:#222'>SECRET</p>",
        ] {
            assert!(left("", body), "{body}");
        }
    }

    #[test]
    fn elements_in_hidden_text_may_be_seen() {
        for body in [
            "<ul style='font-size:0'><li style='font-size:16px'>SECRET</li></ul>",
            "<div style='visibility:hidden'><p style='visibility:visible'>SECRET</p></div>",
        ] {
            assert!(left("", body), "{body}");
        }
        for body in [
            "<div style='font-size:.3em'><p style='font-size:.3em'>SECRET</p></div>",
            "<div style='opacity:.3'><p style='opacity:.3'>SECRET</p></div>",
            "<div style='opacity:0'><p style='opacity:1'>SECRET</p></div>",
        ] {
            assert!(!left("", body), "{body}");
        }
    }

    #[test]
    fn attributes_and_classes_hide() {
        for body in [
            "<p hidden=until-found>SECRET</p>",
            "<p aria-hidden=TRUE>SECRET</p>",
            "<div popover>SECRET</div>",
            "<p class='note d-none'>SECRET</p>",
            "<p class=visually-hidden>SECRET</p>",
            "<noembed>SECRET</noembed>",
        ] {
            assert!(!left("", body), "{body}");
        }
        for body in [
            "<p class='hidden md:block'>SECRET</p>",
            "<p class='d-none d-md-block'>SECRET</p>",
            "<p aria-hidden=false>SECRET</p>",
        ] {
            assert!(left("", body), "{body}");
        }
    }

    #[test]
    fn rules_of_the_page_s_own_sheets_hide_too() {
        let sheet = "<style>/* x */ :root{--page:#fff} p{color:#222} .note , #aside{display:none} @media screen{.tiny{font-size:1px}}
            body{opacity:0} .box{background:#123} .pale{color:var(--page)} .back.pale{background:#000} p[data-x]{opacity:0}
            section{.inner{left:-9999px}} p:nth-of-type(3).third{visibility:hidden} @media print{.online{display:none}}
            .menu:hover{display:none} .weak{color:#fff}</style>";
        for body in [
            "<p class=note>SECRET</p>",
            "<p id=aside>SECRET</p>",
            "<p class=tiny>SECRET</p>",
            "<p class=pale>SECRET</p>",
            "<p data-x=1>SECRET</p>",
            "<section><p class=inner>SECRET</p></section>",
            "<p>a</p><p>b</p><p class=third>SECRET</p>",
            "<p class=weak>SECRET</p>",
        ] {
            assert!(!left(sheet, body), "{body}");
        }
        for body in [
            "<p class=other>SECRET</p>",
            "<p class='pale back'>SECRET</p>",
            "<div class=box><p class=pale>SECRET</p></div>",
            "<p class=online>SECRET</p>",
            "<p class=menu>SECRET</p>",
            "<p class=note style='display:block'>SECRET</p>",
        ] {
            assert!(left(sheet, body), "{body}: a hidden body is a page that is still loading");
        }
    }

    #[test]
    fn a_page_almost_all_in_white_has_a_background_of_another_address() {
        let text = "<p>Six in ten librarians work alone in the evening.</p>".repeat(40);
        assert!(left("<style>body{color:#fff}</style>", &format!("{text}<p>SECRET</p>")));
        assert!(!left("", &format!("{text}<p style='color:#fff'>SECRET</p>")));
    }

    #[test]
    fn comments_of_markdown_are_removed_and_code_is_kept() {
        let text = "# A\n<!-- SECRET --> seen\n<!-- SECRET\nSECRET --> seen too\n[//]: # (SECRET)\n```html\n<!-- code -->\n```\n[1]: https://a.example/\n";
        let kept = without_comments(text);
        assert!(!kept.contains("SECRET"), "{kept}");
        for seen in ["# A\n seen\n", "seen too", "<!-- code -->", "[1]: https://a.example/"] {
            assert!(kept.contains(seen), "{kept}");
        }
    }
}
