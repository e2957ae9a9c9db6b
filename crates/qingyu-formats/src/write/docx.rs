//! Writer of DOCX: styles for headings and text, a page break before each chapter, a linked table of contents.

use std::fmt::Write;

use qingyu_story::Language;
use qingyu_story::prose::emphasis;
use zip::CompressionMethod;

use super::book::{BookInfo, ChapterSource, WriteSeek, paragraphs};
use super::package::{PackageWriter, modified, xml};
use crate::Error;
use crate::spaces::tidy;

pub(super) const NAMESPACE: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";
/// The namespace of relations, and the beginning of their types.
pub(super) const RELATED: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

/// The content types; `{more}` stands for further parts.
const TYPES: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/><Override PartName="/word/styles.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.styles+xml"/>{more}<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>
"#;

const RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/><Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>
"#;

/// The relations of the document; `{more}` stands for further relations.
const DOCUMENT_RELATIONS: &str = r#"<?xml version="1.0" encoding="UTF-8" standalone="yes"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles" Target="styles.xml"/>{more}</Relationships>
"#;

/// The relation of the page header.
pub(super) const HEADER: &str = "rId2";

/// The page size and margins, at the end of a document.
pub(super) const SECTION: &str = "<w:sectPr><w:pgSz w:w=\"11906\" w:h=\"16838\"/><w:pgMar w:top=\"1440\" w:right=\"1440\" \
                                  w:bottom=\"1440\" w:left=\"1440\" w:header=\"851\" w:footer=\"992\" w:gutter=\"0\"/></w:sectPr>";

/// Further parts of a package: their content types, and the relations of the document.
#[derive(Debug, Default)]
pub(super) struct FurtherParts {
    pub(super) types: String,
    pub(super) relations: String,
}

/// Writes the parts of the package around the text.
pub(super) fn around(
    package: &mut PackageWriter<'_>,
    book: &BookInfo,
    styles: &str,
    further: &FurtherParts,
) -> Result<(), Error> {
    package.entry("[Content_Types].xml", &TYPES.replace("{more}", &further.types))?;
    package.entry("_rels/.rels", RELATIONS)?;
    package.entry("docProps/core.xml", &core(book))?;
    package.entry("word/_rels/document.xml.rels", &DOCUMENT_RELATIONS.replace("{more}", &further.relations))?;
    package.entry("word/styles.xml", styles)
}

/// Same as [`around`], with a page header: the relation [`HEADER`] of the document.
pub(super) fn around_with_header(
    package: &mut PackageWriter<'_>,
    book: &BookInfo,
    styles: &str,
    header: &str,
) -> Result<(), Error> {
    let types = "<Override PartName=\"/word/header1.xml\" ContentType=\"application/vnd.openxmlformats-officedocument.wordprocessingml.header+xml\"/>";
    let relations = format!("<Relationship Id=\"{HEADER}\" Type=\"{RELATED}/header\" Target=\"header1.xml\"/>");
    around(package, book, styles, &FurtherParts { types: types.to_owned(), relations })?;
    package.entry("word/header1.xml", header)
}

pub(super) fn write(
    book: &BookInfo,
    chapters: &mut ChapterSource<'_, '_>,
    sink: &mut dyn WriteSeek,
) -> Result<(), Error> {
    let mut package = PackageWriter::new(sink);
    around(&mut package, book, &styles(book.language), &FurtherParts::default())?;
    package.begin("word/document.xml", CompressionMethod::Deflated)?;
    package.put(&format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:document xmlns:w=\"{NAMESPACE}\"><w:body>"
    ))?;
    package.put(&paragraph("Title", &book.title))?;
    if let Some(author) = &book.author {
        package.put(&paragraph("Author", author))?;
    }
    contents(&mut package, book, chapters)?;
    let level = if chapters.has_volumes() { "Heading2" } else { "Heading1" };
    let mut mark = 0;
    for chapter in 0..chapters.openings.len() {
        if let Some(volume) = chapters.volume(chapter) {
            mark += 1;
            package.put(&heading("Heading1", volume, mark))?;
        }
        mark += 1;
        package.put(&heading(level, &chapters.openings[chapter].title, mark))?;
        for line in paragraphs(&chapters.text(chapter)?) {
            package.put(&prose("BodyText", line))?;
        }
    }
    package.put(SECTION)?;
    package.put("</w:body></w:document>")?;
    package.finish()
}

pub(super) fn paragraph(style: &str, text: &str) -> String {
    let run = if text.is_empty() { String::new() } else { run(text) };
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{run}</w:p>")
}

/// Returns a paragraph of prose, with bold and italic runs.
pub(super) fn prose(style: &str, line: &str) -> String {
    let mut runs = String::new();
    for span in emphasis(line) {
        let faces = [(span.bold, "<w:b/>"), (span.italic, "<w:i/>")];
        let faces: String = faces.into_iter().filter(|(is_so, _)| *is_so).map(|(_, face)| face).collect();
        let faces = if faces.is_empty() { faces } else { format!("<w:rPr>{faces}</w:rPr>") };
        let _ = write!(runs, "<w:r>{faces}<w:t xml:space=\"preserve\">{}</w:t></w:r>", xml(&line[span.range]));
    }
    format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr>{runs}</w:p>")
}

pub(super) fn run(text: &str) -> String {
    format!("<w:r><w:t xml:space=\"preserve\">{}</w:t></w:r>", xml(text))
}

fn heading(style: &str, text: &str, mark: usize) -> String {
    let text = tidy(text);
    format!(
        "<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:bookmarkStart w:id=\"{mark}\" w:name=\"_Toc{mark:08}\"/>\
         {}<w:bookmarkEnd w:id=\"{mark}\"/></w:p>",
        run(&text)
    )
}

/// Writes a field which the word processor can update, with its expected content apart from page numbers.
fn contents(package: &mut PackageWriter<'_>, book: &BookInfo, chapters: &ChapterSource<'_, '_>) -> Result<(), Error> {
    let title = match book.language {
        Language::Zh => "目录",
        Language::En => "Contents",
    };
    package.put(&paragraph("TOCHeading", title))?;
    let character = |kind: &str| format!("<w:r><w:fldChar w:fldCharType=\"{kind}\"/></w:r>");
    package.put(&format!(
        "<w:p><w:pPr><w:pStyle w:val=\"TOC1\"/></w:pPr>{}<w:r><w:instrText xml:space=\"preserve\"> TOC \\o \"1-2\" \\h \\z \\u \
         </w:instrText></w:r>{}</w:p>",
        character("begin"),
        character("separate")
    ))?;
    let level = if chapters.has_volumes() { 2 } else { 1 };
    let mut mark = 0;
    for (chapter, opening) in chapters.openings.iter().enumerate() {
        for (level, text) in
            chapters.volume(chapter).map(|volume| (1, volume)).into_iter().chain([(level, opening.title.as_str())])
        {
            mark += 1;
            let mut entry = format!("<w:p><w:pPr><w:pStyle w:val=\"TOC{level}\"/></w:pPr>");
            let _ = write!(
                entry,
                "<w:hyperlink w:anchor=\"_Toc{mark:08}\" w:history=\"1\">{}</w:hyperlink></w:p>",
                run(&tidy(text))
            );
            package.put(&entry)?;
        }
    }
    package.put(&format!("<w:p><w:pPr><w:pStyle w:val=\"TOC1\"/></w:pPr>{}</w:p>", character("end")))
}

fn core(book: &BookInfo) -> String {
    let modified = modified(&book.modified);
    let author = book.author.as_deref().unwrap_or_default();
    let language = match book.language {
        Language::Zh => "zh-CN",
        Language::En => "en",
    };
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<cp:coreProperties \
         xmlns:cp=\"http://schemas.openxmlformats.org/package/2006/metadata/core-properties\" \
         xmlns:dc=\"http://purl.org/dc/elements/1.1/\" xmlns:dcterms=\"http://purl.org/dc/terms/\" \
         xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"><dc:title>{}</dc:title><dc:creator>{}</dc:creator>\
         <dc:language>{language}</dc:language><dcterms:created xsi:type=\"dcterms:W3CDTF\">{modified}</dcterms:created>\
         <dcterms:modified xsi:type=\"dcterms:W3CDTF\">{modified}</dcterms:modified></cp:coreProperties>\n",
        xml(&book.title),
        xml(author)
    )
}

/// Returns the Latin and East Asian fonts.
fn fonts(language: Language, eastern: &str) -> String {
    // Curly quotation marks are common to both scripts; the hint selects the script.
    let hint = if language == Language::Zh { " w:hint=\"eastAsia\"" } else { "" };
    let latin = "Times New Roman";
    format!("<w:rFonts w:ascii=\"{latin}\" w:hAnsi=\"{latin}\" w:cs=\"{latin}\" w:eastAsia=\"{eastern}\"{hint}/>")
}

/// Returns the fonts of headings.
pub(super) fn heading_fonts(language: Language) -> String {
    fonts(language, "黑体")
}

/// Returns the beginning of the style sheet, with the defaults.
pub(super) fn begin_styles(language: Language) -> String {
    format!(
        "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n<w:styles xmlns:w=\"{NAMESPACE}\"><w:docDefaults>\
         <w:rPrDefault><w:rPr>{}<w:sz w:val=\"24\"/><w:szCs w:val=\"24\"/><w:lang w:val=\"en-US\" w:eastAsia=\"zh-CN\"/></w:rPr>\
         </w:rPrDefault><w:pPrDefault/></w:docDefaults><w:style w:type=\"paragraph\" w:default=\"1\" w:styleId=\"Normal\">\
         <w:name w:val=\"Normal\"/><w:qFormat/></w:style>",
        fonts(language, "宋体")
    )
}

/// Returns fonts and spacing as readers of each language expect.
fn styles(language: Language) -> String {
    let chinese = language == Language::Zh;
    let indent =
        if chinese { "<w:ind w:firstLineChars=\"200\" w:firstLine=\"480\"/>" } else { "<w:ind w:firstLine=\"360\"/>" };
    let mut styles = begin_styles(language);
    let mut style = |id: &str, name: &str, next: &str, paragraph: &str, run: &str| {
        let _ = write!(
            styles,
            "<w:style w:type=\"paragraph\" w:styleId=\"{id}\"><w:name w:val=\"{name}\"/><w:basedOn w:val=\"Normal\"/>\
             <w:next w:val=\"{next}\"/><w:qFormat/><w:pPr>{paragraph}</w:pPr><w:rPr>{run}</w:rPr></w:style>"
        );
    };
    let bold =
        |size: u8| format!("{}<w:b/><w:sz w:val=\"{size}\"/><w:szCs w:val=\"{size}\"/>", heading_fonts(language));
    let centred = "<w:jc w:val=\"center\"/>";
    style(
        "BodyText",
        "Body Text",
        "BodyText",
        &format!("<w:spacing w:line=\"360\" w:lineRule=\"auto\"/>{indent}<w:jc w:val=\"both\"/>"),
        "",
    );
    style("Title", "Title", "BodyText", &format!("<w:spacing w:before=\"3600\" w:after=\"480\"/>{centred}"), &bold(52));
    style("Author", "Author", "BodyText", centred, "<w:sz w:val=\"28\"/>");
    let page = "<w:keepNext/><w:keepLines/><w:pageBreakBefore/><w:spacing w:before=\"480\" w:after=\"360\"/>";
    style("Heading1", "heading 1", "BodyText", &format!("{page}{centred}<w:outlineLvl w:val=\"0\"/>"), &bold(36));
    style("Heading2", "heading 2", "BodyText", &format!("{page}{centred}<w:outlineLvl w:val=\"1\"/>"), &bold(32));
    let fresh = "<w:pageBreakBefore/><w:spacing w:after=\"240\"/>";
    style("TOCHeading", "TOC Heading", "BodyText", &format!("{fresh}{centred}"), &bold(32));
    style("TOC1", "toc 1", "Normal", "<w:spacing w:before=\"60\"/>", "");
    style("TOC2", "toc 2", "Normal", "<w:spacing w:before=\"60\"/><w:ind w:left=\"420\"/>", "");
    styles.push_str("</w:styles>");
    styles
}
