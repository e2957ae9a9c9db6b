//! The declarations of an element, and the lengths and colours in them.

use std::collections::BTreeMap;

/// How far, in pixels, an element is moved off the screen to the left or upwards, or to the right or downwards.
const AWAY: (f32, f32) = (-500.0, 4_000.0);
/// The same in percent of the element around it, for a position; and of the element itself, for a transformation.
const AWAY_PERCENT: (f32, f32) = (-100.0, -200.0);
/// Maximum number of variables in a value that are replaced.
const MOST_VARIABLES: usize = 8;
/// Maximum bytes of a value with its variables replaced.
const LONGEST_VALUE: usize = 1_000;

/// The declarations of an element by name; of several of a name, the last counts, unless an earlier one is important.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct ElementStyle(BTreeMap<String, Declaration>);

#[derive(Debug, Clone, PartialEq)]
struct Declaration {
    value: String,
    is_important: bool,
}

impl ElementStyle {
    /// Reads the text of a `style` attribute, or of a block of a sheet; variables are replaced.
    pub(super) fn parse(text: &str, variables: &BTreeMap<String, String>) -> Self {
        let mut style = Self::default();
        for declaration in split_outside(&unescape(&without_comments(text)), ';') {
            let Some((name, value)) = declaration.split_once(':') else { continue };
            let name = name.trim().to_ascii_lowercase();
            let name =
                ["-webkit-", "-moz-", "-ms-", "-o-"].iter().find_map(|it| name.strip_prefix(it)).unwrap_or(&name);
            let value = value.split_whitespace().collect::<Vec<_>>().join(" ").to_ascii_lowercase();
            let (value, is_important) = match value.split_once('!') {
                Some((value, mark)) => (value.trim().to_owned(), mark.trim() == "important"),
                None => (value, false),
            };
            style.set(name, &replaced(value, variables), is_important);
        }
        style
    }

    fn set(&mut self, name: &str, value: &str, is_important: bool) {
        match name {
            "font" => {
                // The size is the first of the lengths, and a weight has no unit.
                let is_size = |part: &&str| {
                    pixels(part).is_some() && (*part == "0" || !part.ends_with(|c: char| c.is_ascii_digit()))
                };
                let mut sizes = value.split(' ').map(|part| part.split('/').next().unwrap_or_default());
                if let Some(size) = sizes.find(is_size) {
                    self.set("font-size", size, is_important);
                }
            }
            "background" => {
                let parts = split_outside(value, ' ');
                let found = parts.iter().find(|part| colour(part).is_some()).map_or(value, String::as_str);
                let found = if value.contains("url(") || value.contains("gradient(") { "image" } else { found };
                self.set("background-color", found, is_important);
            }
            "margin" | "inset" => {
                let parts: Vec<&str> = value.split(' ').collect();
                let names = if name == "margin" { ["margin-top", "margin-left"] } else { ["top", "left"] };
                self.set(names[0], parts[0], is_important);
                self.set(names[1], parts.get(3).or(parts.get(1)).unwrap_or(&parts[0]), is_important);
            }
            _ => {
                let is_kept = self.0.get(name).is_some_and(|known| known.is_important && !is_important);
                if !is_kept {
                    self.0.insert(name.to_owned(), Declaration { value: value.to_owned(), is_important });
                }
            }
        }
    }

    /// Adds the declarations of a rule that counts for more.
    pub(super) fn extend(&mut self, other: &Self) {
        for (name, declaration) in &other.0 {
            self.set(name, &declaration.value, declaration.is_important);
        }
    }

    /// Returns the value of a name.
    pub(super) fn get(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|declaration| declaration.value.as_str())
    }

    /// Returns the variables that are set.
    pub(super) fn variables(&self) -> impl Iterator<Item = (&str, &str)> {
        let all = self.0.iter().filter(|(name, _)| name.starts_with("--"));
        all.map(|(name, declaration)| (name.as_str(), declaration.value.as_str()))
    }

    /// Returns whether the style hides its element with all that it holds: removed, cut off, moved away, or turned away.
    pub(super) fn is_hiding(&self) -> bool {
        let is = |name: &str, value: &str| self.get(name) == Some(value);
        is("display", "none")
            || is("content-visibility", "hidden")
            || self.is_cut_off()
            || self.is_clipped()
            || self.is_away()
    }

    /// Returns whether the box has no size and cuts off its content.
    fn is_cut_off(&self) -> bool {
        let is_cut = |name: &str| self.get(name).is_some_and(|value| !value.starts_with("visible"));
        let is_flat = |name: &str| {
            self.get(name).is_some_and(|value| match value {
                _ if value.ends_with('%') => number(value).is_some_and(|it| it <= 0.0),
                _ if name == "line-height" && value.parse::<f32>().is_ok() => number(value).is_some_and(|it| it < 0.1),
                _ => pixels(value).is_some_and(|it| it <= 1.0),
            })
        };
        let sizes = ["height", "width", "max-height", "max-width", "block-size", "inline-size", "line-height"];
        ["overflow", "overflow-x", "overflow-y"].into_iter().any(is_cut)
            && !self.grows()
            && sizes.into_iter().any(is_flat)
    }

    /// Returns whether the box has another size than the one stated: the rest of a row, that of a table, or of its padding.
    fn grows(&self) -> bool {
        let is_set = |name: &str| {
            self.get(name).is_some_and(|value| !value.starts_with('0') && !matches!(value, "none" | "initial"))
        };
        ["flex", "flex-grow"].into_iter().any(is_set)
            || self.get("text-overflow") == Some("ellipsis")
            || ["padding-bottom", "padding-top"].iter().any(|name| self.get(name).is_some_and(|it| it.ends_with('%')))
    }

    /// Returns whether nothing of the box is left by a clip.
    fn is_clipped(&self) -> bool {
        let clip = self.get("clip").and_then(|value| inside(value, "rect("));
        let is_no_area = |inside: &str| {
            let sides: Vec<Option<f32>> = inside.split([',', ' ']).filter(|it| !it.is_empty()).map(pixels).collect();
            matches!(sides[..], [Some(top), Some(right), Some(bottom), Some(left)] if right - left <= 1.0 || bottom - top <= 1.0)
        };
        let path = self.get("clip-path").unwrap_or_default();
        let inset = inside(path, "inset(").is_some_and(|inside| {
            let sides: Vec<f32> = inside.split(' ').filter(|it| it.ends_with('%')).filter_map(number).collect();
            sides.first().is_some_and(|first| *first >= 50.0) || sides.iter().any(|side| *side >= 90.0)
        });
        let mut round = ["circle(", "ellipse("].into_iter().filter_map(|form| inside(path, form));
        let is_point = |inside: &str| inside.split(' ').next().and_then(number).is_some_and(|radius| radius <= 1.0);
        let corners = inside(path, "polygon(").map(|inside| inside.split(',').map(str::trim).collect::<Vec<_>>());
        clip.is_some_and(is_no_area)
            || inside(path, "rect(").is_some_and(is_no_area)
            || inset
            || round.any(is_point)
            || corners.is_some_and(|corners| corners.iter().all(|corner| *corner == corners[0]))
    }

    /// Returns whether the box is moved off the screen, or turned so that nothing of it is seen.
    fn is_away(&self) -> bool {
        let positions = ["left", "top", "right", "bottom", "inset-inline-start", "inset-block-start", "text-indent"];
        let is_far = |name: &str| self.get(name).is_some_and(|value| is_away(value, AWAY_PERCENT.0));
        // A margin of -100 % is a column beside another.
        let is_far_margin = |name: &str| self.get(name).is_some_and(|value| is_away(value, f32::MIN));
        // `left: 50%; margin-left: -500px` is a page in the middle, and a padding may give back what a margin takes.
        let is_centred = ["left", "top", "right"].iter().any(|name| {
            self.get(name).is_some_and(|value| value.ends_with('%') && number(value).is_some_and(|it| it > 0.0))
        });
        let is_half = |name: &str| self.get(name).and_then(pixels).is_none_or(|it| it > 2.0 * AWAY.0);
        let margins = ["margin-left", "margin-top", "margin-right"];
        let is_padded = ["padding", "padding-left"].iter().any(|name| {
            self.get(name).is_some_and(|value| value.split(' ').filter_map(pixels).any(|it| it >= -AWAY.0))
        });
        let stays = is_padded || is_centred && margins.into_iter().all(is_half);
        let moves = |value: &str| value.split([',', ' ']).any(|part| is_away(part.trim(), AWAY_PERCENT.1));
        let transform = self.get("transform").unwrap_or_default();
        let forms = ["translate(", "translatex(", "translatey(", "translate3d("];
        positions.into_iter().any(is_far)
            || !stays && margins.into_iter().any(is_far_margin)
            || forms.iter().filter_map(|form| inside(transform, form)).any(moves)
            || self.get("translate").is_some_and(moves)
            || ["rotatex(90deg", "rotatey(90deg"].iter().any(|turned| transform.contains(turned))
    }

    /// Returns the factor by which the text is made smaller or larger.
    pub(super) fn scale(&self) -> f32 {
        let share = |value: &str| number(value).map(|it| if value.ends_with('%') { it / 100.0 } else { it });
        let smallest = |value: &str| {
            value
                .split([',', ' '])
                .filter_map(|part| share(part.trim()))
                .reduce(|one, other| one.abs().min(other.abs()))
        };
        let transform = self.get("transform").unwrap_or_default();
        let forms = ["scale(", "scalex(", "scaley(", "scale3d("];
        let scaled = forms.iter().filter_map(|form| inside(transform, form)).filter_map(smallest);
        let matrix = inside(transform, "matrix(")
            .map(|inside| inside.split(',').filter_map(|it| number(it.trim())).collect::<Vec<_>>());
        let matrix = matrix.filter(|matrix| matrix.len() == 6).map(|it| it[0].hypot(it[1]).min(it[2].hypot(it[3])));
        let given = ["zoom", "scale"].into_iter().filter_map(|name| self.get(name)).filter_map(smallest);
        scaled.chain(matrix).chain(given).map(f32::abs).product()
    }

    /// Returns the size of the text in pixels, of an element within text of a size.
    pub(super) fn font_size(&self, around: f32) -> f32 {
        let Some(value) = self.get("font-size") else { return around };
        let relative = |unit: &str| value.strip_suffix(unit).and_then(number);
        match value {
            "smaller" => around * 0.83,
            "larger" => around * 1.2,
            "inherit" | "unset" => around,
            // A root of 100 pixels, often set by a script, makes 0.14rem a usual size.
            _ if value.ends_with("rem") => {
                pixels(value).map_or(around, |size| if size < 1.6 { size } else { size.max(super::READABLE) })
            }
            _ => relative("em")
                .map(|it| it * around)
                .or_else(|| relative("%").map(|it| it * around / 100.0))
                .or_else(|| pixels(value))
                .or_else(|| lengths(value).into_iter().reduce(f32::max))
                .unwrap_or(16.0),
        }
    }

    /// Returns the share of the element that is seen through, from 0 to 1.
    pub(super) fn opacity(&self) -> f32 {
        let share = |value: &str| number(value).map(|it| if value.ends_with('%') { it / 100.0 } else { it });
        let filter = self.get("filter").and_then(|value| inside(value, "opacity(")).and_then(share);
        let given = self.get("opacity").and_then(share);
        given.into_iter().chain(filter).map(|it| it.clamp(0.0, 1.0)).product()
    }
}

/// Returns whether a length is off the screen.
fn is_away(value: &str, percent: f32) -> bool {
    if value.ends_with('%') {
        return number(value).is_some_and(|it| it <= percent);
    }
    let is_far = |it: f32| it <= AWAY.0 || it >= AWAY.1;
    pixels(value).map_or_else(|| lengths(value).into_iter().any(|it| it.abs() >= AWAY.1), is_far)
}

/// Returns the arguments of a function in a value.
fn inside<'v>(value: &'v str, form: &str) -> Option<&'v str> {
    let begin = value.find(form).filter(|at| !value[..*at].ends_with(|c: char| c.is_alphanumeric() || c == '-'))?;
    value[begin + form.len()..].split(')').next()
}

/// Returns the lengths in a value that is calculated, in pixels.
fn lengths(value: &str) -> Vec<f32> {
    let is_calculated = ["calc(", "min(", "max(", "clamp("].iter().any(|form| value.contains(form));
    let parts = value.split([' ', ',', '(', ')', '*', '/']);
    parts.filter(|_| is_calculated).filter(|part| part.ends_with(char::is_alphabetic)).filter_map(pixels).collect()
}

/// Returns the number at the beginning of a value.
fn number(value: &str) -> Option<f32> {
    value.trim().trim_end_matches(|it: char| it.is_alphabetic() || it == '%').parse().ok()
}

/// Returns a length in pixels, as far as it can be told; relative units count as shares of 16 pixels or of a screen.
fn pixels(value: &str) -> Option<f32> {
    let unit = &value[value.trim_end_matches(|it: char| it.is_alphabetic() || it == '%').len()..];
    let factor = match unit {
        "" | "px" => 1.0,
        "pt" => 1.333,
        "em" | "rem" | "ch" | "ex" | "pc" | "lh" | "rlh" | "ic" => 16.0,
        "%" => 0.16,
        "vw" | "vh" | "vmin" | "vmax" | "svh" | "lvh" | "dvh" | "svw" | "lvw" | "dvw" => 10.0,
        "mm" => 3.8,
        "q" => 0.95,
        "cm" => 38.0,
        "in" => 96.0,
        _ => return None,
    };
    Some(number(value)? * factor)
}

/// A colour, with its opacity from 0 to 1.
pub(super) type Colour = ([i32; 3], f32);

/// Parses a colour: `#rgb`, `#rrggbb`, `rgb(…)`, `hsl(…)`, and the names used to hide text.
pub(super) fn colour(value: &str) -> Option<Colour> {
    let value = value.trim();
    if let Some(digits) = value.strip_prefix('#') {
        let digit = |at: usize| i32::from_str_radix(digits.get(at..=at)?, 16).ok();
        let pair = |at: usize| Some(digit(at)? * 16 + digit(at + 1)?);
        let share = |value: i32| value as f32 / 255.0;
        return match digits.len() {
            3 => Some(([digit(0)? * 17, digit(1)? * 17, digit(2)? * 17], 1.0)),
            4 => Some(([digit(0)? * 17, digit(1)? * 17, digit(2)? * 17], share(digit(3)? * 17))),
            6 => Some(([pair(0)?, pair(2)?, pair(4)?], 1.0)),
            8 => Some(([pair(0)?, pair(2)?, pair(4)?], share(pair(6)?))),
            _ => None,
        };
    }
    for (form, is_hue) in [("rgb(", false), ("rgba(", false), ("hsl(", true), ("hsla(", true)] {
        let Some(given) = value.strip_prefix(form) else { continue };
        let parts: Vec<&str> = given.trim_end_matches(')').split([',', ' ', '/']).filter(|it| !it.is_empty()).collect();
        let [one, two, three, rest @ ..] = parts.as_slice() else { return None };
        let channel = |part: &str| number(part).map(|it| if part.ends_with('%') { it * 2.55 } else { it } as i32);
        let opacity = match rest {
            [] => 1.0,
            [given, ..] => number(given)? / if given.ends_with('%') { 100.0 } else { 1.0 },
        };
        let mixed = if is_hue {
            of_hue(number(one)?, number(two)?, number(three)?)
        } else {
            [channel(one)?, channel(two)?, channel(three)?]
        };
        return Some((mixed, opacity));
    }
    let named = match value {
        "transparent" => return Some(([0; 3], 0.0)),
        "white" | "snow" | "ivory" | "ghostwhite" | "whitesmoke" | "floralwhite" | "mintcream" | "azure"
        | "aliceblue" | "seashell" => [255, 255, 255],
        "black" => [0, 0, 0],
        "red" => [255, 0, 0],
        "yellow" => [255, 255, 0],
        "blue" => [0, 0, 255],
        "navy" => [0, 0, 128],
        "green" => [0, 128, 0],
        "gray" | "grey" => [128, 128, 128],
        "silver" => [192, 192, 192],
        "lightgray" | "lightgrey" => [211, 211, 211],
        "darkgray" | "darkgrey" => [169, 169, 169],
        _ => return None,
    };
    Some((named, 1.0))
}

/// Returns the colour of a hue in degrees, with saturation and lightness in percent.
fn of_hue(hue: f32, saturation: f32, lightness: f32) -> [i32; 3] {
    let (saturation, lightness) = (saturation / 100.0, lightness / 100.0);
    let reach = saturation * lightness.min(1.0 - lightness);
    [0.0, 8.0, 4.0].map(|turn| {
        let place = (turn + hue / 30.0).rem_euclid(12.0);
        ((lightness - reach * (place - 3.0).min(9.0 - place).clamp(-1.0, 1.0)) * 255.0) as i32
    })
}

/// Returns a value with its variables replaced; an unknown one by its fallback.
fn replaced(mut value: String, variables: &BTreeMap<String, String>) -> String {
    for _ in 0..MOST_VARIABLES {
        let Some(begin) = value.find("var(") else { break };
        let mut depth = 0;
        let Some(end) = value[begin..].char_indices().find_map(|(at, letter)| {
            depth += i32::from(letter == '(') - i32::from(letter == ')');
            (letter == ')' && depth == 0).then_some(begin + at)
        }) else {
            break;
        };
        let (name, other) = match value[begin + 4..end].split_once(',') {
            Some((name, other)) => (name.trim(), other.trim()),
            None => (value[begin + 4..end].trim(), ""),
        };
        let found = variables.get(name).map_or(other, String::as_str).to_owned();
        if value.len() + found.len() > LONGEST_VALUE {
            break;
        }
        value.replace_range(begin..=end, &found);
    }
    value
}

/// Returns a text without comments.
pub(super) fn without_comments(text: &str) -> String {
    let mut rest = text;
    let mut kept = String::with_capacity(text.len());
    while let Some(at) = rest.find("/*") {
        kept.push_str(&rest[..at]);
        rest = rest[at + 2..].find("*/").map_or("", |end| &rest[at + 4 + end..]);
    }
    kept + rest
}

/// Returns a text with its escapes resolved, as `\6e` for `n`.
fn unescape(text: &str) -> String {
    let mut letters = text.chars().peekable();
    let mut kept = String::with_capacity(text.len());
    while let Some(letter) = letters.next() {
        if letter != '\\' {
            kept.push(letter);
            continue;
        }
        let mut digits = String::new();
        while let Some(digit) = letters.next_if(|it| it.is_ascii_hexdigit() && digits.len() < 6) {
            digits.push(digit);
        }
        match u32::from_str_radix(&digits, 16) {
            Ok(code) => {
                kept.extend(char::from_u32(code));
                letters.next_if(|it| it.is_whitespace());
            }
            Err(_) => kept.extend(letters.next()),
        }
    }
    kept
}

/// Returns the parts of a text between marks outside brackets and quotation marks.
pub(super) fn split_outside(text: &str, mark: char) -> Vec<String> {
    let (mut parts, mut depth, mut quote) = (vec![String::new()], 0_i32, None);
    for letter in text.chars() {
        match (quote, letter) {
            (Some(open), _) if open == letter => quote = None,
            (Some(_), _) => {}
            (None, '"' | '\'') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth -= 1,
            _ => {}
        }
        if letter == mark && depth <= 0 && quote.is_none() {
            parts.push(String::new());
        } else if let Some(last) = parts.last_mut() {
            last.push(letter);
        }
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;

    fn style(text: &str) -> ElementStyle {
        ElementStyle::parse(text, &BTreeMap::new())
    }

    #[test]
    fn styles_hide_in_many_ways() {
        for text in [
            "display:none",
            "DISPLAY: NONE !important",
            "display:/**/none",
            "d\\69splay:n\\6f ne",
            "display:none !important;display:block",
            "position:fixed; left:-100vw",
            "top: -9999px",
            "position:absolute;right:100%;left:9999px",
            "left:calc(0px - 9999px)",
            "inset: auto auto auto -9999px",
            "margin:0 0 0 -9999px",
            "left:50%;margin-left:-9999px",
            "text-indent:-999em",
            "transform: translateX(-9999px)",
            "-webkit-transform:translate3d(-9999px, 0, 0)",
            "translate:-9999px",
            "transform:rotateY(90deg)",
            "clip: rect(0 0 0 0)",
            "clip: rect(1px, 1px, 1px, 1px)",
            "clip-path: inset(50%)",
            "-webkit-clip-path:inset(0 100% 0 0)",
            "clip-path:circle(0)",
            "clip-path:polygon(0 0, 0 0, 0 0)",
            "height:0;overflow:hidden",
            "max-height:0; overflow-y:auto",
            "line-height:0;overflow:clip",
            "width:1px; height:1px; overflow: hidden",
            "content-visibility:hidden",
        ] {
            assert!(style(text).is_hiding(), "{text}");
        }
        for text in [
            "left:-20px",
            "height:0",
            "height:0;overflow:visible",
            "overflow:hidden;height:200px",
            "transform: translateX(-50%)",
            "margin-left:-1em",
            "float:left;margin-left:-100%",
            "display:none;display:block",
            "clip:rect(0, 200px, 100px, 0)",
            "clip-path:inset(10%)",
            "clip-path:polygon(0 0, 100% 0, 50% 100%)",
            "background:url('data:image/png;display:none')",
            "line-height:1;overflow:hidden",
            "height:1%;overflow:hidden",
            "flex:1;width:0;overflow:hidden",
            "max-width:0;overflow:hidden;text-overflow:ellipsis",
            "height:0;padding-bottom:56.25%;overflow:hidden",
            "position:absolute;left:50%;width:1000px;margin-left:-500px",
            "margin:0 -9999px;padding:0 9999px",
            "font-size:12px",
        ] {
            assert!(!style(text).is_hiding(), "{text}");
        }
    }

    #[test]
    fn sizes_are_those_of_the_text_around() {
        for (text, expected) in [
            ("font-size:12px", 12.0),
            ("font-size:80%", 16.0),
            ("font-size:0.1em", 2.0),
            ("font-size:1rem", 16.0),
            ("font:0/0 a", 0.0),
            ("font:700 italic 1px serif", 1.0),
            ("font: bold 2rem/1 serif", 32.0),
            ("font-size:calc(1px + 0px)", 1.0),
            ("font-size:medium", 16.0),
            ("color:red", 20.0),
        ] {
            assert!((style(text).font_size(20.0) - expected).abs() < 0.01, "{text}");
        }
        assert!(style("transform:scale(0)").scale() < 0.01 && style("zoom:5%").scale() < 0.1);
        assert!(style("transform:matrix(0.01, 0, 0, 0.01, 0, 0)").scale() < 0.1);
        assert!((style("transform:scaleX(-1) rotate(3deg)").scale() - 1.0).abs() < 0.01);
        assert!(style("filter:opacity(0)").opacity() < 0.01 && style("opacity:3%").opacity() < 0.1);
    }

    #[test]
    fn colours_have_many_forms() {
        for (text, expected) in [
            ("#fff", ([255, 255, 255], 1.0)),
            ("#ffffff00", ([255, 255, 255], 0.0)),
            ("rgb(255 255 255 / 0)", ([255, 255, 255], 0.0)),
            ("rgba(0,0,0,.5)", ([0, 0, 0], 0.5)),
            ("rgb(100%, 0%, 0%)", ([255, 0, 0], 1.0)),
            ("hsl(0, 0%, 100%)", ([255, 255, 255], 1.0)),
            ("hsl(120deg 100% 50% / 50%)", ([0, 255, 0], 0.5)),
            ("transparent", ([0, 0, 0], 0.0)),
        ] {
            let (mixed, opacity) = colour(text).unwrap();
            assert!(mixed.iter().zip(expected.0).all(|(one, other)| (one - other).abs() <= 1), "{text}: {mixed:?}");
            assert!((opacity - expected.1).abs() < 0.01, "{text}");
        }
        assert_eq!((colour("rebeccapurple"), colour("#12")), (None, None));
        let variables = BTreeMap::from([("--page".to_owned(), "#fff".to_owned())]);
        assert_eq!(ElementStyle::parse("color: var(--page)", &variables).get("color"), Some("#fff"));
        assert_eq!(ElementStyle::parse("color: var(--no, var(--page))", &variables).get("color"), Some("#fff"));
    }
}
