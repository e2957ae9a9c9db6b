//! Writer of manuscripts for submissions as DOCX, in the standard format of agents and magazines: 12 points, double
//! spacing, wide margins, a header with the author's surname, the title and the page, and the rounded length.

use std::fmt::Write;

use qingyu_story::Language;
use zip::CompressionMethod;

use super::ManuscriptLength;
use super::book::{BookInfo, ChapterSource, WriteSeek, paragraphs};
use super::docx::{self, HEADER, NAMESPACE, RELATED};
use super::package::{PackageWriter, xml};
use crate::Error;
use crate::spaces::tidy;

/// Up to this length a length is rounded to hundreds, above to thousands.
const SHORT: usize = 20_000;
/// The longest title in the header, in characters.
const LONGEST_TITLE: usize = 40;

pub(super) fn write(
    book: &BookInfo,
    chapters: &mut ChapterSource<'_, '_>,
    length: ManuscriptLength,
    sink: &mut dyn WriteSeek,
) -> Result<(), Error> {
    let mut package = PackageWriter::new(sink);
    docx::around_with_header(&mut package, book, &styles(book.language), &header(book))?;
    package.begin("word/document.xml", CompressionMethod::Deflated)?;
    package.put(&format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document xmlns:w=\"{NAMESPACE}\" \
         xmlns:r=\"{RELATED}\"><w:body>"
    ))?;
    let author = book.author.as_deref().map(tidy).unwrap_or_default();
    package.put(&format!(
        "<w:p><w:pPr><w:pStyle w:val=\"Contact\"/></w:pPr>{}<w:r><w:tab/></w:r>{}</w:p>",
        docx::run(&author),
        docx::run(&rounded_length(length, book.language))
    ))?;
    package.put(&docx::paragraph("Title", &tidy(&book.title)))?;
    match (author.as_str(), book.language) {
        ("", _) => {}
        (author, Language::Zh) => package.put(&docx::paragraph("Author", author))?,
        (author, Language::En) => package.put(&docx::paragraph("Author", &format!("by {author}")))?,
    }
    for chapter in 0..chapters.openings.len() {
        if let Some(volume) = chapters.volume(chapter) {
            package.put(&docx::paragraph("Heading1", &tidy(volume)))?;
        }
        package.put(&docx::paragraph("Heading2", &tidy(&chapters.openings[chapter].title)))?;
        for line in paragraphs(&chapters.text(chapter)?) {
            let is_break = line.is_empty() || line.chars().all(|c| matches!(c, '*' | '#' | ' '));
            package.put(&if is_break { docx::paragraph("Break", "#") } else { docx::prose("BodyText", line) })?;
        }
    }
    let end = match book.language {
        Language::Zh => "（完）",
        Language::En => "END",
    };
    package.put(&docx::paragraph("Break", end))?;
    package.put(&section(book.language))?;
    package.put("</w:body></w:document>")?;
    package.finish()
}

/// Returns the rounded length in words, such as `about 92,000 words`.
fn rounded_length(ManuscriptLength(length): ManuscriptLength, language: Language) -> String {
    let unit = if length < SHORT { 100 } else { 1_000 };
    let rounded = ((length + unit / 2) / unit * unit).max(if length > 0 { unit } else { 0 });
    let digits = rounded.to_string();
    let mut grouped = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            grouped.push(',');
        }
        grouped.push(digit);
    }
    match language {
        Language::Zh => format!("约 {grouped} 字"),
        Language::En => format!("about {grouped} words"),
    }
}

/// Returns the header of all pages but the first: surname, title and page.
fn header(book: &BookInfo) -> String {
    let author = book.author.as_deref().map(tidy).unwrap_or_default();
    let surname = match book.language {
        Language::Zh => author.as_str(),
        Language::En => author.split_whitespace().next_back().unwrap_or_default(),
    };
    let title: String = tidy(&book.title).to_uppercase().chars().take(LONGEST_TITLE).collect();
    let parts = [surname, title.trim()].into_iter().filter(|part| !part.is_empty());
    let begin: String = parts.map(|part| format!("{part} / ")).collect();
    let field = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:hdr xmlns:w=\"{NAMESPACE}\"><w:p><w:pPr>\
         <w:pStyle w:val=\"Header\"/></w:pPr><w:r><w:t xml:space=\"preserve\">{}</w:t></w:r>{}<w:r><w:instrText \
         xml:space=\"preserve\"> PAGE </w:instrText></w:r>{}<w:r><w:t>2</w:t></w:r>{}</w:p></w:hdr>",
        xml(&begin),
        field("begin"),
        field("separate"),
        field("end")
    )
}

/// Returns the page: Letter in English, A4 in Chinese, with margins of an inch and no header on the first page.
fn section(language: Language) -> String {
    let (width, height) = match language {
        Language::Zh => (11_906, 16_838),
        Language::En => (12_240, 15_840),
    };
    format!(
        "<w:sectPr><w:headerReference w:type=\"default\" r:id=\"{HEADER}\"/><w:pgSz w:w=\"{width}\" w:h=\"{height}\"/>\
         <w:pgMar w:top=\"1440\" w:right=\"1440\" w:bottom=\"1440\" w:left=\"1440\" w:header=\"720\" w:footer=\"720\" \
         w:gutter=\"0\"/><w:titlePg/></w:sectPr>"
    )
}

fn styles(language: Language) -> String {
    let mut styles = docx::begin_styles(language);
    let mut style = |id: &str, name: &str, paragraph: &str| {
        let _ = write!(
            styles,
            "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/><w:basedOn w:val=\"Normal\"/>\
             <w:qFormat/><w:pPr>{paragraph}</w:pPr></w:style>"
        );
    };
    let double = "<w:spacing w:line=\"480\" w:lineRule=\"auto\"/>";
    let centred = "<w:jc w:val=\"center\"/>";
    let indent = match language {
        Language::Zh => "<w:ind w:firstLineChars=\"200\" w:firstLine=\"480\"/>",
        Language::En => "<w:ind w:firstLine=\"720\"/>",
    };
    let right = if language == Language::Zh { 9_026 } else { 9_360 };
    style("Contact", "Contact", &format!("<w:tabs><w:tab w:val=\"right\" w:pos=\"{right}\"/></w:tabs>"));
    style("Header", "header", "<w:jc w:val=\"right\"/>");
    style("BodyText", "Body Text", &format!("{double}{indent}"));
    style("Break", "Break", &format!("{double}{centred}"));
    let middle = "<w:spacing w:before=\"4800\" w:line=\"480\" w:lineRule=\"auto\"/>";
    style("Title", "Title", &format!("{middle}{centred}"));
    style("Author", "Author", &format!("{double}{centred}"));
    let third = "<w:keepNext/><w:pageBreakBefore/><w:spacing w:before=\"2880\" w:line=\"480\" w:lineRule=\"auto\"/>";
    style("Heading1", "heading 1", &format!("{third}{centred}<w:outlineLvl w:val=\"0\"/>"));
    style("Heading2", "heading 2", &format!("{third}{centred}<w:outlineLvl w:val=\"1\"/>"));
    styles.push_str("</w:styles>");
    styles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_rounded_as_agents_expect() {
        for (length, language, expected) in [
            (0, Language::En, "about 0 words"),
            (40, Language::En, "about 100 words"),
            (3_449, Language::En, "about 3,400 words"),
            (92_499, Language::En, "about 92,000 words"),
            (1_234_567, Language::Zh, "约 1,235,000 字"),
        ] {
            assert_eq!(rounded_length(ManuscriptLength(length), language), expected);
        }
    }

    #[test]
    fn the_header_names_surname_title_and_page() {
        let book = BookInfo {
            title: "The Long Rain".into(),
            author: Some("Edith B. Pallow".into()),
            language: Language::En,
            ..BookInfo::default()
        };
        let header = header(&book);
        assert!(header.contains("Pallow / THE LONG RAIN / ") && header.contains(" PAGE "), "{header}");
    }
}
