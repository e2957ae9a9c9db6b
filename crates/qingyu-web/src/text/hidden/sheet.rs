//! The rules of a page's own style sheets, as far as they apply to a wide screen.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use dom_query::{Document, NodeId};

use super::style::{ElementStyle, split_outside, without_comments};

/// Maximum bytes of a page's own style sheets.
const LONGEST_SHEET: usize = 400_000;
/// Maximum number of rules that are applied.
const MOST_RULES: usize = 400;
/// Maximum nesting of blocks, and number of selectors of a nested rule.
const DEEPEST: usize = 8;
const MOST_SELECTORS: usize = 50;
/// Maximum bytes of a selector joined from nested rules, and of the text before a block.
const LONGEST_SELECTOR: usize = 2_000;
const LONGEST_PRELUDE: usize = 20_000;
/// Maximum number of blocks.
const MOST_BLOCKS: usize = 20_000;
/// Number of elements from which selectors are left out that look at all neighbours of an element.
const MANY_ELEMENTS: usize = 5_000;
/// Width, in pixels, of the screen for which rules are read.
const SCREEN: f32 = 1_280.0;

/// Pseudo-classes of the structure; the others depend on what the reader does.
const STRUCTURE: [&str; 18] = [
    "not(",
    "is(",
    "where(",
    "has(",
    "first-child",
    "last-child",
    "only-child",
    "nth-child(",
    "nth-last-child(",
    "first-of-type",
    "last-of-type",
    "only-of-type",
    "nth-of-type(",
    "nth-last-of-type(",
    "empty",
    "root",
    "link",
    "any-link",
];
/// Selectors that match while the reader does nothing.
const AT_REST: [&str; 6] =
    [":not(:hover)", ":not(:focus)", ":not(:active)", ":not(:checked)", ":not(:target)", ":not(:focus-within)"];
/// Names of declarations that change what is seen of an element.
const SEEN: &[&str] = &[
    "display",
    "visibility",
    "opacity",
    "filter",
    "font-size",
    "color",
    "text-fill-color",
    "background-color",
    "background-clip",
    "content-visibility",
    "overflow",
    "overflow-x",
    "overflow-y",
    "height",
    "width",
    "max-height",
    "max-width",
    "block-size",
    "inline-size",
    "line-height",
    "clip",
    "clip-path",
    "left",
    "top",
    "right",
    "bottom",
    "inset-inline-start",
    "inset-block-start",
    "text-indent",
    "margin-left",
    "margin-top",
    "margin-right",
    "transform",
    "translate",
    "zoom",
    "scale",
    "background-image",
    "mask",
    "mask-image",
    "position",
    "font",
    "flex",
    "flex-grow",
    "text-overflow",
    "padding",
    "padding-left",
    "padding-top",
    "padding-bottom",
];

/// Returns the style that the page's own sheets give to each element, without its `style` attribute, and the variables.
pub(super) fn styles(document: &Document) -> (HashMap<NodeId, ElementStyle>, BTreeMap<String, String>) {
    let mut source = String::new();
    for sheet in document.select("style").nodes() {
        if sheet.attr("media").is_none_or(|media| applies(&media)) {
            source.push_str(&sheet.text());
            source.push('\n');
        }
    }
    let source = without_comments(&source[..source.floor_char_boundary(LONGEST_SHEET)]);
    let blocks = blocks(&source);
    let mut variables = BTreeMap::new();
    for (_, declarations) in blocks.iter().filter(|(_, declarations)| declarations.contains("--")) {
        let style = ElementStyle::parse(declarations, &variables);
        variables.extend(style.variables().map(|(name, value)| (name.to_owned(), value.to_owned())));
    }
    let names = names(document);
    let mut rules: Vec<(Specificity, String, ElementStyle)> = Vec::new();
    for (selector, declarations) in blocks {
        let Some(selector) = usable(&selector) else { continue };
        // A hidden text is a page that is still loading.
        if matches!(selector.as_str(), "main" | "article") {
            continue;
        }
        if rules.len() == MOST_RULES || !is_in(&selector, &names) {
            continue;
        }
        let style = ElementStyle::parse(&declarations, &variables);
        if SEEN.iter().any(|name| style.get(name).is_some()) {
            rules.push((specificity(&selector), selector, style));
        }
    }
    rules.sort_by_key(|(specificity, _, _)| *specificity);
    let mut styles: HashMap<NodeId, ElementStyle> = HashMap::new();
    let is_large = document.select("*").length() > MANY_ELEMENTS;
    let looks_around = |selector: &str| ["~", ":has(", ":nth-", "-of-type"].iter().any(|it| selector.contains(it));
    for (_, selector, style) in rules {
        if is_large && looks_around(&selector) {
            continue;
        }
        let Some(found) = document.try_select(&selector) else { continue };
        for node in found.nodes() {
            styles.entry(node.id).or_default().extend(&style);
        }
    }
    (styles, variables)
}

/// Returns the blocks of declarations of a sheet without comments, each with one selector.
fn blocks(source: &str) -> Vec<(String, String)> {
    let mut open: Vec<(String, String)> = Vec::new();
    let (mut blocks, mut said, mut quote, mut is_escaped) = (Vec::new(), String::new(), None, false);
    // A block that is never closed ends with the sheet.
    for letter in source.chars().chain(std::iter::repeat_n('}', DEEPEST)) {
        if is_escaped || quote.is_some() || matches!(letter, '\\' | '"' | '\'') {
            quote = match quote {
                // A text that is never closed ends with its line.
                Some(mark) if letter == '\n' || mark == letter && !is_escaped => None,
                None if !is_escaped && letter != '\\' => Some(letter),
                quote => quote,
            };
            is_escaped = letter == '\\' && !is_escaped;
            said.push(letter);
            continue;
        }
        match letter {
            '{' => {
                let prelude = said.split_off(said.rfind(';').map_or(0, |at| at + 1));
                if let Some((_, declarations)) = open.last_mut() {
                    declarations.push_str(&said);
                }
                said.clear();
                let prelude = if prelude.len() > LONGEST_PRELUDE { "@skipped" } else { prelude.trim() };
                open.push((prelude.to_owned(), String::new()));
            }
            '}' => {
                if let Some((_, declarations)) = open.last_mut() {
                    declarations.push_str(&said);
                    let room = MOST_BLOCKS.saturating_sub(blocks.len());
                    let selectors = match room {
                        0 => Vec::new(),
                        _ => selectors(open.iter().map(|(prelude, _)| prelude.as_str())),
                    };
                    let declarations = open.pop().unwrap_or_default().1;
                    let selectors = selectors.into_iter().take(room);
                    blocks.extend(selectors.map(|selector| (selector, declarations.clone())));
                }
                said.clear();
            }
            _ => said.push(letter),
        }
    }
    blocks
}

/// Returns the selectors of nested blocks; none if a block around them does not apply.
fn selectors<'p>(preludes: impl Iterator<Item = &'p str>) -> Vec<String> {
    let mut around: Vec<String> = Vec::new();
    for (depth, prelude) in preludes.enumerate() {
        if depth == DEEPEST {
            return Vec::new();
        }
        if let Some(rule) = prelude.strip_prefix('@') {
            let (name, condition) =
                rule.split_at(rule.find(|it: char| !it.is_alphanumeric() && it != '-').unwrap_or(rule.len()));
            match name {
                "media" | "container" if applies(condition) => {}
                "supports" if !condition.trim_start().starts_with("not") => {}
                "layer" | "scope" => {}
                _ => return Vec::new(),
            }
            continue;
        }
        let own = split_outside(prelude, ',');
        let own = own.iter().map(|part| part.trim()).filter(|part| !part.is_empty());
        let joined = |part: &str| -> Vec<String> {
            let fits =
                |outer: &&String| (part.matches('&').count() + 1) * (outer.len() + 1) + part.len() <= LONGEST_SELECTOR;
            match (around.is_empty(), part.contains('&')) {
                (true, _) => vec![part.replace('&', "")],
                (false, true) => around.iter().filter(fits).map(|outer| part.replace('&', outer)).collect(),
                (false, false) => around.iter().filter(fits).map(|outer| format!("{outer} {part}")).collect(),
            }
        };
        around = own.flat_map(joined).take(MOST_SELECTORS).collect();
    }
    around
}

/// Returns whether a media query applies to a wide screen in its usual colours.
fn applies(query: &str) -> bool {
    let query = query.to_ascii_lowercase();
    query.split(',').any(|one| {
        let is_other = [
            "print",
            "speech",
            "aural",
            "not ",
            "dark",
            "prefers-reduced",
            "forced-colors",
            "hover: none",
            "hover:none",
            "coarse",
            "portrait",
            "display-mode",
            "max-height",
        ];
        if is_other.iter().any(|word| one.contains(word)) {
            return false;
        }
        let pixels = |rest: &str| {
            let end = rest.find(|it: char| !it.is_ascii_digit() && it != '.').unwrap_or(rest.len());
            let factor = if rest[end..].starts_with("em") || rest[end..].starts_with("rem") { 16.0 } else { 1.0 };
            Some(rest[..end].parse::<f32>().ok()? * factor)
        };
        let width = |name: &str| pixels(one.split(name).nth(1)?.trim_start().strip_prefix(':')?.trim_start());
        let bound = |sign: char| {
            let rest = one.split_once("width")?.1.trim_start().strip_prefix(sign)?;
            pixels(rest.trim_start_matches('=').trim_start())
        };
        let least = [width("min-width"), width("min-device-width"), bound('>')];
        let most = [width("max-width"), width("max-device-width"), bound('<')];
        least.into_iter().flatten().all(|least| least <= SCREEN)
            && most.into_iter().flatten().all(|most| most >= SCREEN)
    })
}

/// Returns a selector in the form in which it is looked for; `None` if it is one of another state, or of a pseudo-element.
fn usable(selector: &str) -> Option<String> {
    let mut selector = selector.to_owned();
    for state in AT_REST {
        selector = selector.replace(state, "");
    }
    // A name such as `md\:block` has a colon of its own.
    let bare = selector.replace("\\:", "");
    let mut parts = bare.split(':').skip(1);
    let is_of_structure = parts.all(|part| STRUCTURE.iter().any(|name| part.starts_with(name)));
    (is_of_structure && !selector.trim().is_empty()).then_some(selector)
}

/// How much a selector counts: its ids, then its classes, then its names of elements.
type Specificity = (usize, usize, usize);

fn specificity(selector: &str) -> Specificity {
    let count = |marks: &[char]| selector.matches(marks).count();
    let starts =
        selector.split([' ', '>', '+', '~', '(']).filter(|part| part.starts_with(|it: char| it.is_ascii_alphabetic()));
    (count(&['#']), count(&['.', '[', ':']), starts.count())
}

/// Returns the classes and ids of a document, with their marks.
fn names(document: &Document) -> BTreeSet<String> {
    let mut names = BTreeSet::new();
    for node in document.select("[class]").nodes() {
        let classes = node.attr("class").unwrap_or_default();
        names.extend(classes.split_whitespace().map(|class| format!(".{class}")));
    }
    for node in document.select("[id]").nodes() {
        names.extend(node.attr("id").map(|id| format!("#{id}")));
    }
    names
}

/// Returns whether a document has the classes and ids of a selector, as far as these are plain.
fn is_in(selector: &str, names: &BTreeSet<String>) -> bool {
    if selector.contains([':', '[', '\\', '"', '\'']) {
        return true;
    }
    let mut rest = selector;
    while let Some(at) = rest.find(['.', '#']) {
        let end = rest[at + 1..].find(|it: char| !it.is_alphanumeric() && !matches!(it, '-' | '_'));
        let end = end.map_or(rest.len(), |end| at + 1 + end);
        if !names.contains(&rest[at..end]) {
            return false;
        }
        rest = &rest[end..];
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_are_read_with_the_rules_around_them() {
        let of = |source: &str| {
            blocks(&without_comments(source)).into_iter().map(|(selector, _)| selector).collect::<Vec<_>>()
        };
        for (source, expected) in [
            ("/* x{} */ .a , #b{color:red}", &[".a", "#b"][..]),
            ("@import url(x); .a{x:y}", &[".a"]),
            ("@media screen{.a{x:y}} @media print{.b{x:y}}", &[".a"]),
            ("@media (min-width: 600px){.a{x:y}} @media (max-width: 600px){.b{x:y}}", &[".a"]),
            ("@media (prefers-color-scheme:dark){.a{x:y}}", &[]),
            ("@media (width < 600px){.a{x:y}} @media (width >= 600px){.b{x:y}}", &[".b"]),
            ("@supports not (display:grid){.a{x:y}} @container (max-width:400px){.b{x:y}}", &[]),
            ("@keyframes k{from{opacity:0}} @font-face{x:y}", &[]),
            (".a{x:y;.b{x:y} &.c, & > p{x:y}}", &[".a .b", ".a.c", ".a > p", ".a"]),
            (".a::before{content:'}'} .b{x:y}", &[".a::before", ".b"]),
            (".a{x:y", &[".a"]),
            (":is(.a, .b){x:y}", &[":is(.a, .b)"]),
        ] {
            assert_eq!(of(source), expected, "{source}");
        }
    }

    #[test]
    fn sheets_that_grow_without_end_are_cut() {
        let nested = format!("a{{{}", format!("{}{{", "&".repeat(1_000)).repeat(6));
        assert!(blocks(&nested).iter().map(|(selector, _)| selector.len()).sum::<usize>() < 100_000);
        let variables = (1..30).map(|at| format!("a{{--v{at}:{}}}", format!("var(--v{})", at - 1).repeat(8)));
        let sheet = format!("a{{--v0:x}}{}", variables.collect::<String>());
        let document = Document::from(format!("<style>{sheet}</style><a>text</a>"));
        assert!(styles(&document).1.values().all(|value| value.len() < 10_000));
    }

    #[test]
    fn only_what_a_reader_sees_without_doing_anything_counts() {
        for (selector, expected) in [
            ("p.a", Some("p.a")),
            ("p:nth-child(2)", Some("p:nth-child(2)")),
            (".a:not(:hover)", Some(".a")),
            (".a:hover", None),
            (r".md\:block", Some(r".md\:block")),
            (".a::after", None),
        ] {
            assert_eq!(usable(selector).as_deref(), expected, "{selector}");
        }
        assert!(specificity("#a") > specificity(".a.b") && specificity(".a") > specificity("ul li p"));
    }
}
