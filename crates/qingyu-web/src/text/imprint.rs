//! Authors, date and publisher of a page: from its metadata, from marked-up bylines, and from lines with the form of one.

use dom_query::Document;
use qingyu_story::language::is_han;
use serde_json::Value;

use super::clean;
use crate::read::PageImprint;

/// Maximum number of authors.
const MOST_AUTHORS: usize = 6;
/// Maximum characters of a name.
const NAME: usize = 80;
/// Number of lines at the beginning of a text that may be its byline.
const HEAD: usize = 12;
/// Maximum characters of a byline.
const LINE: usize = 160;
/// Maximum bytes of a block of linked data.
const LINKED: usize = 200_000;

/// Names of metadata, in the order in which they are believed.
const AUTHORS: [&str; 8] = [
    "citation_author",
    "author",
    "article:author",
    "dc.creator",
    "dcterms.creator",
    "parsely-author",
    "sailthru.author",
    "byl",
];
const DATES: [&str; 14] = [
    "article:published_time",
    "citation_publication_date",
    "citation_date",
    "datepublished",
    "dc.date.issued",
    "dcterms.issued",
    "dc.date",
    "dcterms.date",
    "parsely-pub-date",
    "sailthru.date",
    "pubdate",
    "publishdate",
    "publish_date",
    "date",
];
const PUBLISHERS: [&str; 6] =
    ["citation_journal_title", "citation_publisher", "dc.publisher", "dcterms.publisher", "og:site_name", "mediaid"];

/// Marked-up authors and dates.
const BYLINES: &str = "[rel=author], [itemprop=author], .byline-name, .author-name, .byline__name, .p-author";
const TIMES: &str = "time[datetime], [itemprop=datePublished]";

/// Words before an author, a publisher; longer words first.
const BY: [&str; 12] = [
    "written by",
    "authors:",
    "author:",
    "by",
    "本报记者",
    "作者：",
    "作者:",
    "作者｜",
    "作者 |",
    "撰文：",
    "文／",
    "文/",
];
const FROM: [&str; 5] = ["来源：", "来源:", "出处：", "source:", "published by"];

/// English months, by their first letters.
const MONTHS: [&str; 12] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"];

/// Returns the imprint in the metadata of a document, before its hidden parts are removed.
pub(super) fn declared(document: &Document) -> PageImprint {
    let mut imprint = linked(document);
    let mut metas: Vec<(String, String)> = Vec::new();
    for node in document.select("meta").nodes() {
        let name = node.attr("name").or_else(|| node.attr("property")).or_else(|| node.attr("itemprop"));
        if let (Some(name), Some(content)) = (name, node.attr("content")) {
            metas.push((name.trim().to_ascii_lowercase(), content.to_string()));
        }
    }
    let authors = |name: &&str| contents(&metas, name).filter_map(name_of).collect::<Vec<_>>();
    let authors = AUTHORS.iter().map(authors).find(|authors| !authors.is_empty()).unwrap_or_default();
    let published = DATES.iter().flat_map(|name| contents(&metas, name)).find_map(date).unwrap_or_default();
    let publisher = PUBLISHERS.iter().flat_map(|name| contents(&metas, name)).find_map(name_of).unwrap_or_default();
    complete(&mut imprint, PageImprint { authors, published, publisher });
    imprint
}

/// Returns the contents of the metadata with the name, in order.
fn contents<'m>(metas: &'m [(String, String)], name: &'m str) -> impl Iterator<Item = &'m str> {
    metas.iter().filter(move |(known, _)| known == name).map(|(_, content)| content.as_str())
}

/// Completes an imprint with marked-up bylines of a document without its hidden parts, and with lines of its text.
pub(super) fn shown(mut imprint: PageImprint, document: &Document, text: &str) -> PageImprint {
    let authors: Vec<String> =
        document.select(BYLINES).nodes().iter().filter_map(|node| name_of(without_by(&node.text()))).collect();
    let times = document.select(TIMES);
    let times = times.nodes().iter().find_map(|node| {
        let given = node.attr("datetime").or_else(|| node.attr("content"));
        given.and_then(|given| date(&given)).or_else(|| date(&node.text()))
    });
    let marked = PageImprint { authors, published: times.unwrap_or_default(), publisher: String::new() };
    complete(&mut imprint, marked);
    complete(&mut imprint, by_form(text));
    imprint
}

/// Returns the imprint in the first lines of a text, by their form: `By Jane Doe, 5 May 2024`, `作者：张三　2024年5月5日`.
pub(super) fn by_form(text: &str) -> PageImprint {
    let mut imprint = PageImprint::default();
    let lines = text.lines().map(str::trim).filter(|line| !line.is_empty()).take(HEAD);
    for line in lines.filter(|line| line.chars().count() <= LINE) {
        let authors = author_in(line);
        let publisher = after(line, &FROM).and_then(|rest| name_of(first_part(rest))).unwrap_or_default();
        let is_byline = !authors.is_empty() || !publisher.is_empty();
        // A line that is a date, or a byline with one: a date within a sentence is not that of the text.
        let is_date = line.chars().count() <= 40 && !line.ends_with(['.', '。']);
        let published = Some(line).filter(|_| is_byline || is_date).and_then(date).unwrap_or_default();
        complete(&mut imprint, PageImprint { authors, published, publisher });
    }
    imprint
}

/// Fills what is empty in `imprint`.
fn complete(imprint: &mut PageImprint, other: PageImprint) {
    if imprint.authors.is_empty() {
        for author in other.authors {
            if !imprint.authors.contains(&author) {
                imprint.authors.push(author);
            }
        }
        imprint.authors.truncate(MOST_AUTHORS);
    }
    if imprint.published.is_empty() {
        imprint.published = other.published;
    }
    if imprint.publisher.is_empty() {
        imprint.publisher = other.publisher;
    }
}

/// Returns the imprint of the first article in the linked data (JSON-LD) of a document.
fn linked(document: &Document) -> PageImprint {
    let mut imprint = PageImprint::default();
    for node in document.select("script[type='application/ld+json']").nodes() {
        let text = node.text();
        if text.len() > LINKED {
            continue;
        }
        if let Ok(value) = serde_json::from_str::<Value>(text.trim()) {
            article(&value, &mut imprint, 0);
        }
    }
    imprint
}

/// Completes an imprint from the objects of linked data that describe a text.
fn article(value: &Value, imprint: &mut PageImprint, depth: usize) {
    /// Maximum nesting of linked data.
    const DEEPEST: usize = 6;
    if depth > DEEPEST {
        return;
    }
    match value {
        Value::Array(entries) => entries.iter().for_each(|entry| article(entry, imprint, depth + 1)),
        Value::Object(members) => {
            if is_text(value) {
                let authors = names(value.get("author").or_else(|| value.get("creator")));
                let mut dates =
                    ["datePublished", "dateCreated"].into_iter().filter_map(|name| value.get(name)?.as_str());
                let published = dates.find_map(date).unwrap_or_default();
                let publisher = names(value.get("publisher")).into_iter().next().unwrap_or_default();
                complete(imprint, PageImprint { authors, published, publisher });
            }
            for name in ["@graph", "mainEntity", "mainEntityOfPage"] {
                members.get(name).into_iter().for_each(|inner| article(inner, imprint, depth + 1));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Returns whether an object of linked data describes a text.
fn is_text(value: &Value) -> bool {
    let is_kind = |kind: &str| {
        let kind = kind.rsplit(['/', ':']).next().unwrap_or_default();
        kind.ends_with("Article")
            || kind.ends_with("Posting")
            || matches!(kind, "Report" | "Book" | "WebPage" | "CreativeWork" | "Dataset" | "Thesis" | "Chapter")
    };
    match &value["@type"] {
        Value::String(kind) => is_kind(kind),
        Value::Array(kinds) => kinds.iter().filter_map(Value::as_str).any(is_kind),
        _ => false,
    }
}

/// Returns the names in a member of linked data: a text, an object with a name, or a list of these.
fn names(value: Option<&Value>) -> Vec<String> {
    match value {
        Some(Value::String(name)) => name_of(name).into_iter().collect(),
        Some(Value::Array(entries)) => entries.iter().flat_map(|entry| names(Some(entry))).collect(),
        Some(Value::Object(members)) => names(members.get("name")),
        _ => Vec::new(),
    }
}

/// Returns a name in one line; `None` for an address, a text without letters, or a sentence.
fn name_of(given: &str) -> Option<String> {
    let name = clean::line(given, NAME + 1);
    let name = name.trim_matches(|c: char| c.is_whitespace() || ",;|·，；、".contains(c));
    let is_address = name.contains("://") || name.starts_with("www.") || name.contains('@');
    let is_sentence =
        name.chars().count() > NAME || name.ends_with(['.', '。', '!', '！', '?', '？']) && name.len() > 40;
    let is_name = name.chars().any(char::is_alphabetic) && !is_address && !is_sentence;
    is_name.then(|| name.to_owned())
}

/// Returns the text behind one of the words at the beginning of a line, or of one of its parts.
fn after<'t>(line: &'t str, words: &[&str]) -> Option<&'t str> {
    let parts = line.split(['|', '·', '\u{3000}', '\t']).chain([line]);
    for part in parts {
        let part = part.trim();
        for word in words {
            let Some(head) = part.get(..word.len()) else { continue };
            let rest = &part[word.len()..];
            let is_whole =
                !word.ends_with(|c: char| c.is_ascii_alphanumeric()) || rest.starts_with(char::is_whitespace);
            if head.eq_ignore_ascii_case(word) && is_whole {
                return Some(rest.trim());
            }
        }
    }
    // 来源 often follows the author in the same line.
    let mut labels = words.iter().filter(|word| word.ends_with('：'));
    labels.find_map(|label| Some(line.split_once(*label)?.1.trim()))
}

/// Returns the authors of a byline; empty for any other line.
fn author_in(line: &str) -> Vec<String> {
    let Some(rest) = after(line, &BY) else { return Vec::new() };
    if rest.starts_with(is_han) {
        let all = rest.split(['、', '，', ',']).map(first_name);
        return all.take_while(|name| !name.is_empty()).filter_map(name_of).collect();
    }
    // `By the way` is no byline: every word of a name begins with a capital.
    let rest = rest.split(['|', '·', '•', '(']).next().unwrap_or_default();
    let rest = rest.replace(" and ", ", ").replace(" & ", ", ");
    let is_name = |name: &&str| {
        let words: Vec<&str> = name.split_whitespace().collect();
        let is_part = |word: &&str| {
            word.starts_with(char::is_uppercase) || matches!(*word, "de" | "van" | "von" | "der" | "da" | "di" | "la")
        };
        (1..=5).contains(&words.len())
            && words.iter().all(|word| is_part(word) && !word.contains(|c: char| c.is_ascii_digit()))
            && words[0].starts_with(char::is_uppercase)
            && !MONTHS.iter().any(|month| words[0].to_lowercase().starts_with(month) && words.len() == 1)
    };
    rest.split(',').map(str::trim).take_while(is_name).filter_map(name_of).collect()
}

/// Returns the first part of a line behind a label: of Chinese up to a blank, of other text up to a mark.
fn first_part(text: &str) -> &str {
    match text.starts_with(is_han) {
        true => first_name(text),
        false => text.split(['|', '·', '•', '(', ',']).next().unwrap_or_default(),
    }
}

/// Returns the first name of a Chinese byline: up to a blank, a mark, or the next label.
fn first_name(text: &str) -> &str {
    let text = text.trim_start();
    let end = text.find(|c: char| c.is_whitespace() || "，。；|｜：:/（(".contains(c)).unwrap_or(text.len());
    &text[..end]
}

fn without_by(text: &str) -> &str {
    let text = text.trim();
    let head = text.get(..3).filter(|head| head.eq_ignore_ascii_case("by "));
    head.map_or(text, |head| &text[head.len()..])
}

/// Returns the first date in a text, as `2024-05-01`, `2024-05` or `2024`; `None` without one.
pub(crate) fn date(text: &str) -> Option<String> {
    let text = text.trim();
    let numbers = numbers(text);
    let is_year =
        |digits: &str| digits.len() == 4 && digits.parse::<u32>().is_ok_and(|year| (1_500..=2_200).contains(&year));
    let small =
        |digits: &str, most: u32| digits.parse::<u32>().ok().filter(|it| digits.len() <= 2 && (1..=most).contains(it));
    // 2024-05-01, 2024/5/1, 2024.5.1, 2024年5月1日
    for (at, window) in numbers.windows(2).enumerate() {
        let [(year_at, year), (month_at, month)] = [window[0], window[1]];
        let between = &text[year_at + year.len()..month_at];
        if !is_year(year) || !matches!(between.trim(), "-" | "/" | "." | "年") {
            continue;
        }
        let Some(month_number) = small(month, 12) else { continue };
        let behind = numbers
            .get(at + 2)
            .filter(|(day_at, _)| matches!(text[month_at + month.len()..*day_at].trim(), "-" | "/" | "." | "月"));
        return Some(match behind.and_then(|(_, day)| small(day, 31)) {
            Some(day) => format!("{year}-{month_number:02}-{day:02}"),
            None => format!("{year}-{month_number:02}"),
        });
    }
    // May 1, 2024; 1 May 2024
    let lower = text.to_ascii_lowercase();
    for (at, month) in words(&lower) {
        let Some(place) = MONTHS.iter().position(|known| month.starts_with(known)).filter(|_| is_month(month)) else {
            continue;
        };
        let near = |number: &&(usize, &str)| number.0 < at && at - number.0 <= 6;
        let before = numbers.iter().rev().find(near).and_then(|(_, digits)| small(digits, 31));
        let behind: Vec<&(usize, &str)> =
            numbers.iter().filter(|(number_at, _)| *number_at > at && number_at - at <= month.len() + 9).collect();
        let (day, year) = match behind.as_slice() {
            [(_, day), (_, year), ..] if is_year(year) && before.is_none() => (small(day, 31), *year),
            [(_, year), ..] if is_year(year) => (before, *year),
            _ => continue,
        };
        return Some(match day {
            Some(day) => format!("{year}-{:02}-{day:02}", place + 1),
            None => format!("{year}-{:02}", place + 1),
        });
    }
    // A year alone is a date only if it is the whole text.
    Some(text).filter(|text| is_year(text)).map(str::to_owned)
}

/// Returns whether a word is a month or its abbreviation.
fn is_month(word: &str) -> bool {
    const LONG: [&str; 12] = [
        "january",
        "february",
        "march",
        "april",
        "may",
        "june",
        "july",
        "august",
        "september",
        "october",
        "november",
        "december",
    ];
    MONTHS.contains(&word) || word == "sept" || LONG.contains(&word)
}

/// Returns the runs of digits in a text, each with its place.
fn numbers(text: &str) -> Vec<(usize, &str)> {
    runs(text, |c| c.is_ascii_digit())
}

/// Returns the runs of Latin letters in a text, each with its place.
fn words(text: &str) -> Vec<(usize, &str)> {
    runs(text, |c| c.is_ascii_alphabetic())
}

fn runs(text: &str, is_in: impl Fn(char) -> bool) -> Vec<(usize, &str)> {
    let mut runs = Vec::new();
    let mut rest = text;
    let mut from = 0;
    while let Some(start) = rest.find(&is_in) {
        let run = &rest[start..];
        let end = run.find(|c| !is_in(c)).unwrap_or(run.len());
        runs.push((from + start, &run[..end]));
        from += start + end;
        rest = &rest[start + end..];
    }
    runs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_have_one_form() {
        for (text, expected) in [
            ("2024-05-01T08:00:00+08:00", Some("2024-05-01")),
            ("发布时间：2024年5月1日 08:30", Some("2024-05-01")),
            ("2024/5", Some("2024-05")),
            ("May 1, 2024", Some("2024-05-01")),
            ("Published on 1 September 2023 at noon", Some("2023-09-01")),
            ("Sept 2023", Some("2023-09")),
            ("2021", Some("2021")),
            ("room 2024", None),
            ("mark 2024", None),
            ("may be 3 of them", None),
            ("2024-13-01", None),
            ("", None),
        ] {
            assert_eq!(date(text).as_deref(), expected, "{text}");
        }
    }

    #[test]
    fn a_byline_is_known_by_its_form() {
        let of = |text: &str| {
            let imprint = by_form(text);
            (imprint.authors.join("; "), imprint.published, imprint.publisher)
        };
        for (text, authors, published, publisher) in [
            (
                "How to price\nBy Jane Doe and John van Dyk\nMay 5, 2024\nText.",
                "Jane Doe; John van Dyk",
                "2024-05-05",
                "",
            ),
            ("怎样定价\n作者：张三　来源：图书馆报　2024年5月5日\n正文。", "张三", "2024-05-05", "图书馆报"),
            ("怎样定价\n文/李四\n正文。", "李四", "", ""),
            (
                "By the way, this is no byline.\nIn 2024-05-05 nothing happened, and that was all there was to say.",
                "",
                "",
                "",
            ),
            ("Text without anything of the kind.", "", "", ""),
        ] {
            assert_eq!(of(text), (authors.to_owned(), published.to_owned(), publisher.to_owned()), "{text}");
        }
    }
}
