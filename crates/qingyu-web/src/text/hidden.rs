//! Removes what people do not see of a page: hidden by attributes, by styles of an element, by the page's style sheets.
//!
//! Sheets of other addresses are not fetched; of the page's own, only plain selectors are read.

use dom_query::{Document, NodeRef};

/// Selectors of content not read as text: code, controls, and hidden elements.
const UNREAD: &str = "script, style, template, noscript, iframe, frame, object, embed, svg, canvas, audio, video, math annotation, \
    input, select, textarea, button, dialog:not([open]), [hidden], [aria-hidden=true], head meta, head link, \
    .sr-only, .visually-hidden, .screen-reader-text";

/// Maximum bytes of a page's own style sheets.
const LONGEST_SHEET: usize = 200_000;
/// Maximum number of rules that are applied.
const MOST_RULES: usize = 100;

/// The smallest size, in pixels, at which text is read.
const READABLE: f32 = 4.0;
/// The lowest opacity at which text is read.
const VISIBLE: f32 = 0.1;
/// How far, in pixels, an element is moved off the screen.
const AWAY: f32 = -500.0;
/// The same for a transformation, in percent of the element's own size.
const AWAY_PERCENT: f32 = -200.0;
/// How far apart two colours are, in each channel, that can be told from each other.
const APART: i32 = 24;

/// Removes the hidden elements of a document.
pub(super) fn remove(document: &Document) {
    let hiding = hiding_selectors(document);
    document.select("head title").remove();
    document.select(UNREAD).remove();
    for selector in hiding {
        if let Some(hidden) = document.try_select(&selector) {
            hidden.remove();
        }
    }
    for node in document.select("[style], font[color]").nodes() {
        let style = node.attr("style").unwrap_or_default();
        if is_hiding(&style) || is_like_background(node, &style) {
            node.remove_from_parent();
        }
    }
}

/// Returns the selectors of the page's own style sheets whose rules hide their elements.
fn hiding_selectors(document: &Document) -> Vec<String> {
    let sheets = document.select("style").text().to_string();
    let sheets = &sheets[..sheets.floor_char_boundary(LONGEST_SHEET)];
    let mut selectors = Vec::new();
    for rule in sheets.split('}').take(MOST_RULES * 4) {
        // The last opening bracket: a rule within `@media` counts as well.
        let Some((selector, style)) = rule.rsplit_once('{') else { continue };
        let selector = selector.rsplit(['{', ';', '/']).next().unwrap_or_default().trim();
        let is_plain = !selector.is_empty()
            && selector.chars().all(|it| it.is_alphanumeric() || matches!(it, '.' | '#' | '-' | '_' | ',' | ' ' | '>'));
        let is_whole = selector.split(',').any(|part| matches!(part.trim(), "html" | "body" | "main" | "article"));
        if is_plain && !is_whole && is_hiding(style) && selectors.len() < MOST_RULES {
            selectors.push(selector.to_owned());
        }
    }
    selectors
}

/// Returns the declarations of a style, in lower case and without space.
fn declarations(style: &str) -> Vec<(String, String)> {
    let style: String = style.chars().filter(|it| !it.is_whitespace()).collect::<String>().to_ascii_lowercase();
    let rules = style.split(';').filter_map(|rule| rule.split_once(':'));
    rules.map(|(name, value)| (name.to_owned(), value.trim_end_matches("!important").to_owned())).collect()
}

/// Returns whether a style hides its element.
pub(super) fn is_hiding(style: &str) -> bool {
    let rules = declarations(style);
    let of = |name: &str| rules.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let is_cut_off = of("overflow").is_some_and(|value| value.starts_with("hidden") || value == "clip");
    let is_flat = |name: &str| of(name).and_then(pixels).is_some_and(|it| it <= 1.0);
    if is_cut_off && ["height", "width", "max-height", "max-width"].into_iter().any(is_flat) {
        return true;
    }
    rules.iter().any(|(name, value)| match name.as_str() {
        "display" => value == "none",
        "visibility" => matches!(value.as_str(), "hidden" | "collapse"),
        "opacity" => number(value).is_some_and(|it| it < if value.ends_with('%') { VISIBLE * 100.0 } else { VISIBLE }),
        "font-size" => pixels(value).is_some_and(|it| it < READABLE),
        "left" | "top" | "right" | "bottom" | "text-indent" | "margin-left" | "margin-top" => {
            pixels(value).is_some_and(|it| it <= AWAY)
        }
        "transform" => moves_away(value),
        "clip" => value.starts_with("rect(0") || value.starts_with("rect(1px"),
        "clip-path" => ["inset(50%", "inset(100%", "circle(0", "polygon(00"].iter().any(|form| value.starts_with(form)),
        "color" => value == "transparent" || alpha(value).is_some_and(|it| it < VISIBLE),
        "filter" => value.starts_with("opacity(0"),
        _ => false,
    })
}

/// Returns whether a transformation moves its element off the screen, or makes it vanish.
fn moves_away(value: &str) -> bool {
    let arguments = |form: &str| value.split(form).nth(1).and_then(|rest| rest.split(')').next());
    let is_far = |argument: &str| {
        if argument.ends_with('%') {
            number(argument).is_some_and(|it| it <= AWAY_PERCENT)
        } else {
            pixels(argument).is_some_and(|it| it <= AWAY)
        }
    };
    let forms = ["translate(", "translatex(", "translatey("];
    let is_moved = forms.iter().filter_map(|form| arguments(form)).any(|given| given.split(',').any(is_far));
    is_moved || arguments("scale(").and_then(number).is_some_and(|it| it < 0.05)
}

/// Returns the number at the beginning of a value.
fn number(value: &str) -> Option<f32> {
    value.trim_end_matches(|it: char| it.is_alphabetic() || it == '%').parse().ok()
}

/// Returns a length in pixels, as far as it can be told; relative units count as shares of 16 pixels or of a screen.
fn pixels(value: &str) -> Option<f32> {
    let unit: String = value.chars().skip_while(|it| it.is_ascii_digit() || matches!(it, '.' | '-' | '+')).collect();
    let factor = match unit.as_str() {
        "" | "px" => 1.0,
        "pt" => 1.333,
        "em" | "rem" | "ch" | "ex" => 16.0,
        "%" => 0.16,
        "vw" | "vh" => 10.0,
        "cm" => 38.0,
        "in" => 96.0,
        _ => return None,
    };
    Some(number(value)? * factor)
}

/// Returns whether the text of an element has the colour of its background: its own, that of the nearest element around
/// it that has one, or white.
fn is_like_background(node: &NodeRef<'_>, style: &str) -> bool {
    let rules = declarations(style);
    let given = rules.iter().find(|(name, _)| name == "color").map(|(_, value)| value.clone());
    let attribute = || node.attr("color").map(|value| value.trim().to_ascii_lowercase());
    let Some(text) = given.or_else(attribute).and_then(|value| colour(&value)) else { return false };
    let own = background(style, node.attr("bgcolor").as_deref());
    let around = || {
        let mut at = node.parent();
        while let Some(parent) = at {
            let style = parent.attr("style").unwrap_or_default();
            match background(&style, parent.attr("bgcolor").as_deref()) {
                Background::Colour(found) => return Some(found),
                // The colour behind text on a picture is unknown.
                Background::Other => return None,
                Background::None => at = parent.parent(),
            }
        }
        Some([255, 255, 255])
    };
    let behind = match own {
        Background::Colour(found) => Some(found),
        Background::Other => None,
        Background::None => around(),
    };
    behind.is_some_and(|behind| text.iter().zip(behind).all(|(one, other)| (one - other).abs() < APART))
}

/// The background that an element itself states.
enum Background {
    None,
    Colour([i32; 3]),
    Other,
}

fn background(style: &str, attribute: Option<&str>) -> Background {
    let rules = declarations(style);
    let given = rules.iter().rev().find(|(name, _)| matches!(name.as_str(), "background" | "background-color"));
    let value = given.map(|(_, value)| value.clone()).or(attribute.map(str::to_ascii_lowercase));
    match value.as_deref() {
        None | Some("none" | "transparent" | "inherit" | "initial") => Background::None,
        Some(value) => colour(value).map_or(Background::Other, Background::Colour),
    }
}

/// Parses a colour: `#rgb`, `#rrggbb`, `rgb(…)`, and the names used to hide text.
fn colour(value: &str) -> Option<[i32; 3]> {
    let value = value.trim();
    if let Some(digits) = value.strip_prefix('#') {
        let digit = |at: usize| i32::from_str_radix(digits.get(at..=at)?, 16).ok();
        return match digits.len() {
            3 | 4 => Some([digit(0)? * 17, digit(1)? * 17, digit(2)? * 17]),
            6 | 8 => {
                let pair = |at: usize| Some(digit(at)? * 16 + digit(at + 1)?);
                Some([pair(0)?, pair(2)?, pair(4)?])
            }
            _ => None,
        };
    }
    if let Some(inside) = value.strip_prefix("rgb(").or_else(|| value.strip_prefix("rgba(")) {
        let inside = inside.trim_end_matches(')');
        let mut parts = inside.split(',').map(|part| number(part).map(|it| it as i32));
        return Some([parts.next()??, parts.next()??, parts.next()??]);
    }
    Some(match value {
        "white" | "snow" | "ivory" | "ghostwhite" | "whitesmoke" => [255, 255, 255],
        "black" => [0, 0, 0],
        "red" => [255, 0, 0],
        "yellow" => [255, 255, 0],
        "blue" => [0, 0, 255],
        "green" => [0, 128, 0],
        "gray" | "grey" => [128, 128, 128],
        _ => return None,
    })
}

/// Returns the opacity of a colour written as `rgba(…)`.
fn alpha(value: &str) -> Option<f32> {
    let inside = value.strip_prefix("rgba(")?.trim_end_matches(')');
    number(inside.split([',', '/']).nth(3)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn styles_hide_in_many_ways() {
        for style in [
            "display:none",
            "visibility: hidden",
            "opacity: 0.02",
            "opacity:3%",
            "font-size: 1px",
            "font-size:0.1em",
            "font-size:2pt !important",
            "position:fixed; left:-100vw",
            "top: -9999px",
            "text-indent:-999em",
            "transform: translateX(-9999px)",
            "transform:scale(0)",
            "clip: rect(0 0 0 0)",
            "clip-path: inset(50%)",
            "height:0;overflow:hidden",
            "width:1px; height:1px; overflow: hidden",
            "color: rgba(0,0,0,0)",
        ] {
            assert!(is_hiding(style), "{style}");
        }
        for style in [
            "font-size:12px",
            "font-size:80%",
            "opacity:.9",
            "left:-20px",
            "height:0",
            "overflow:hidden;height:200px",
            "transform: translateX(-50%)",
            "color:#333",
            "margin-left:-1em",
        ] {
            assert!(!is_hiding(style), "{style}");
        }
    }

    fn left(body: &str) -> bool {
        let document = Document::from(format!("<html><head><title>t</title></head><body>{body}</body></html>"));
        remove(&document);
        document.select("body").text().contains("SECRET")
    }

    #[test]
    fn text_in_the_colour_of_its_background_is_hidden() {
        for body in [
            "<p style='color:#fff'>SECRET</p>",
            "<p style='color:white;background:#fefefe'>SECRET</p>",
            "<div style='background:#000'><p style='color: rgb(3,3,3)'>SECRET</p></div>",
            "<table bgcolor=black><tr><td><font color=black>SECRET</font></td></tr></table>",
        ] {
            assert!(!left(body), "{body}");
        }
        for body in [
            "<p style='color:#fff;background:#036'>SECRET</p>",
            "<div style='background-color:navy'><p style='color:#fff'>SECRET</p></div>",
            "<div style='background:url(x.png)'><p style='color:#fff'>SECRET</p></div>",
            "<p style='color:#222'>SECRET</p>",
        ] {
            assert!(left(body), "{body}");
        }
    }

    #[test]
    fn rules_of_the_page_s_own_sheets_hide_too() {
        let sheet = "<style>/* x */ p{color:#222} .note , #aside{display:none} @media screen{.tiny{font-size:1px}} body{opacity:0}</style>";
        for body in ["<p class=note>SECRET</p>", "<p id=aside>SECRET</p>", "<p class=tiny>SECRET</p>"] {
            assert!(!left(&format!("{sheet}{body}")), "{body}");
        }
        assert!(left(&format!("{sheet}<p class=other>SECRET</p>")), "a hidden body is a page that is still loading");
    }
}
