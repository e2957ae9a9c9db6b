//! Writer of EPUB 3: a page for each chapter and volume, a text cover, a table of contents.

use std::fmt::Write;

use qingyu_story::Language;
use qingyu_story::prose::emphasis;
use zip::CompressionMethod;

use super::book::{BookInfo, ChapterSource, WriteSeek, paragraphs};
use super::package::{PackageWriter, modified, xml};
use crate::Error;
use crate::spaces::tidy;

const CONTAINER: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<container version="1.0" xmlns="urn:oasis:names:tc:opendocument:xmlns:container">
  <rootfiles>
    <rootfile full-path="OEBPS/book.opf" media-type="application/oebps-package+xml"/>
  </rootfiles>
</container>
"#;

/// The place of the cover of a book.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CoverPlace {
    /// In the file.
    Inside,
    /// Added by the store; the file begins with a title page.
    Apart,
}

pub(super) fn write(
    book: &BookInfo,
    chapters: &mut ChapterSource<'_, '_>,
    cover_place: CoverPlace,
    sink: &mut dyn WriteSeek,
) -> Result<(), Error> {
    let mut package = PackageWriter::new(sink);
    package.begin("mimetype", CompressionMethod::Stored)?;
    package.put("application/epub+zip")?;
    package.entry("META-INF/container.xml", CONTAINER)?;
    package.entry("OEBPS/style.css", style(book.language))?;
    let (cover_file, _) = cover_file(book);
    match &book.picture {
        _ if cover_place == CoverPlace::Apart => {}
        Some(picture) => {
            package.begin(&format!("OEBPS/{cover_file}"), CompressionMethod::Stored)?;
            package.put_bytes(&picture.bytes)?;
        }
        None => package.entry(&format!("OEBPS/{cover_file}"), &cover(book))?,
    }
    let opening = match cover_place {
        CoverPlace::Inside => cover_page(book),
        CoverPlace::Apart => title_page(book),
    };
    package.entry("OEBPS/cover.xhtml", &opening)?;
    let tag = if chapters.has_volumes() { "h2" } else { "h1" };
    let (mut manifest, mut spine, mut contents) = (String::new(), String::new(), String::new());
    let mut volumes = 0;
    for chapter in 0..chapters.openings.len() {
        let opening = &chapters.openings[chapter];
        let volume = chapters.volume(chapter);
        let within = opening.volume.is_some() && volumes + usize::from(volume.is_some()) > 0;
        let was_within = chapter > 0 && chapters.openings[chapter - 1].volume.is_some() && volumes > 0;
        if was_within && (volume.is_some() || !within) {
            contents.push_str("      </ol></li>\n");
        }
        if let Some(volume) = volume {
            volumes += 1;
            let id = format!("v{volumes:03}");
            let page = page(book, volume, &format!("<section epub:type=\"part\"><h1>{}</h1></section>", xml(volume)));
            package.entry(&format!("OEBPS/text/{id}.xhtml"), &page)?;
            list(&id, &mut manifest, &mut spine);
            let _ = writeln!(contents, "      <li><a href=\"text/{id}.xhtml\">{}</a><ol>", xml(volume));
        }
        let id = format!("c{:05}", chapter + 1);
        let title = heading(book, &opening.title, chapter + 1);
        let mut body = format!("<section epub:type=\"chapter\">\n<{tag}>{}</{tag}>\n", xml(&title));
        let text = chapters.text(chapter)?;
        for paragraph in paragraphs(&text) {
            match paragraph {
                "" => body.push_str("<hr/>\n"),
                paragraph => drop(writeln!(body, "<p>{}</p>", faced(paragraph))),
            }
        }
        body.push_str("</section>");
        package.entry(&format!("OEBPS/text/{id}.xhtml"), &page(book, &title, &body))?;
        list(&id, &mut manifest, &mut spine);
        let _ = writeln!(contents, "      <li><a href=\"text/{id}.xhtml\">{}</a></li>", xml(&title));
    }
    if volumes > 0 && chapters.openings.last().is_some_and(|last| last.volume.is_some()) {
        contents.push_str("      </ol></li>\n");
    }
    if contents.is_empty() {
        contents = format!("      <li><a href=\"cover.xhtml\">{}</a></li>\n", xml(&shown(&book.title)));
    }
    package.entry("OEBPS/nav.xhtml", &nav(book, &contents))?;
    package.entry("OEBPS/book.opf", &opf(book, cover_place, &manifest, &spine))?;
    package.finish()
}

fn list(id: &str, manifest: &mut String, spine: &mut String) {
    let _ = writeln!(manifest, "    <item id=\"{id}\" href=\"text/{id}.xhtml\" media-type=\"application/xhtml+xml\"/>");
    let _ = writeln!(spine, "    <itemref idref=\"{id}\"/>");
}

/// Returns the heading; never empty.
fn heading(book: &BookInfo, title: &str, place: usize) -> String {
    let title = tidy(title);
    match (title.as_str(), book.language) {
        ("", Language::Zh) => format!("第{place}章"),
        ("", Language::En) => format!("Chapter {place}"),
        _ => title,
    }
}

fn shown(title: &str) -> String {
    let title = tidy(title);
    if title.is_empty() { "—".into() } else { title }
}

fn page(book: &BookInfo, title: &str, body: &str) -> String {
    let language = tag(book.language);
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE html>
<html xmlns="http://www.w3.org/1999/xhtml" xmlns:epub="http://www.idpf.org/2007/ops" lang="{language}" xml:lang="{language}">
<head><title>{}</title><link rel="stylesheet" type="text/css" href="../style.css"/></head>
<body>
{body}
</body>
</html>
"#,
        xml(title)
    )
}

fn nav(book: &BookInfo, contents: &str) -> String {
    let heading = match book.language {
        Language::Zh => "目录",
        Language::En => "Contents",
    };
    let body = format!(
        "  <nav epub:type=\"toc\" id=\"toc\">\n    <h1>{heading}</h1>\n    <ol>\n{contents}    </ol>\n  </nav>"
    );
    page(book, heading, &body).replace("../style.css", "style.css")
}

fn opf(book: &BookInfo, cover_place: CoverPlace, manifest: &str, spine: &str) -> String {
    let author = book.author.as_deref().map(tidy).filter(|author| !author.is_empty());
    let creator = author.map(|author| format!("    <dc:creator>{}</dc:creator>\n", xml(&author))).unwrap_or_default();
    let identifier = match book.identifier.trim() {
        "" => format!(
            "urn:qingyu:{}",
            percent_encoding::utf8_percent_encode(&book.title, percent_encoding::NON_ALPHANUMERIC)
        ),
        identifier => identifier.to_owned(),
    };
    let (cover_file, cover_type) = cover_file(book);
    let (meta, item) = match cover_place {
        CoverPlace::Inside => (
            "    <meta name=\"cover\" content=\"cover-image\"/>\n".to_owned(),
            format!(
                "    <item id=\"cover-image\" href=\"{cover_file}\" media-type=\"{cover_type}\" properties=\"cover-image\"/>\n"
            ),
        ),
        CoverPlace::Apart => (String::new(), String::new()),
    };
    format!(
        r#"<?xml version="1.0" encoding="UTF-8"?>
<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="id" xml:lang="{language}">
  <metadata xmlns:dc="http://purl.org/dc/elements/1.1/">
    <dc:identifier id="id">{identifier}</dc:identifier>
    <dc:title>{title}</dc:title>
    <dc:language>{language}</dc:language>
{creator}    <meta property="dcterms:modified">{modified}</meta>
{meta}  </metadata>
  <manifest>
    <item id="nav" href="nav.xhtml" media-type="application/xhtml+xml" properties="nav"/>
    <item id="style" href="style.css" media-type="text/css"/>
{item}    <item id="cover" href="cover.xhtml" media-type="application/xhtml+xml"/>
{manifest}  </manifest>
  <spine>
    <itemref idref="cover"/>
    <itemref idref="nav"/>
{spine}  </spine>
</package>
"#,
        language = tag(book.language),
        identifier = xml(&identifier),
        title = xml(&shown(&book.title)),
        modified = modified(&book.modified),
    )
}

/// Returns the file name of the cover picture and its media type.
fn cover_file(book: &BookInfo) -> (&'static str, &str) {
    match book.picture.as_ref().map(|picture| picture.media_type.as_str()) {
        None => ("cover.svg", "image/svg+xml"),
        Some("image/png") => ("cover.png", "image/png"),
        Some("image/webp") => ("cover.webp", "image/webp"),
        Some(other) => ("cover.jpg", other),
    }
}

/// Returns a text cover, broken into lines.
fn cover(book: &BookInfo) -> String {
    let title = shown(&book.title);
    let lines = lines(&title, book.language);
    let size = if lines.iter().any(|line| line.chars().count() > 8) { 64 } else { 96 };
    let mut text = String::new();
    for (index, line) in lines.iter().enumerate() {
        let y = 460 + index * (size + 24);
        let _ = writeln!(text, "  <text x=\"400\" y=\"{y}\" font-size=\"{size}\">{}</text>", xml(line));
    }
    if let Some(author) = &book.author {
        let _ = writeln!(text, "  <text x=\"400\" y=\"1080\" font-size=\"40\">{}</text>", xml(&tidy(author)));
    }
    format!(
        r##"<?xml version="1.0" encoding="UTF-8"?>
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 1200" width="800" height="1200" font-family="serif" text-anchor="middle" fill="#1d2b36">
  <rect width="800" height="1200" fill="#f4f1ea"/>
  <rect x="48" y="48" width="704" height="1104" fill="none" stroke="#1d2b36" stroke-width="3"/>
{text}</svg>
"##
    )
}

fn lines(title: &str, language: Language) -> Vec<String> {
    const MOST: usize = 4;
    let mut lines = vec![String::new()];
    let wide = if language == Language::Zh { 8 } else { 18 };
    let words: Vec<String> = match language {
        Language::Zh => title.chars().map(String::from).collect(),
        Language::En => title.split(' ').map(|word| format!("{word} ")).collect(),
    };
    for word in words {
        let last = lines.len() - 1;
        if !lines[last].is_empty() && lines[last].chars().count() + word.trim().chars().count() > wide {
            if lines.len() == MOST {
                lines[last].push('…');
                break;
            }
            lines.push(String::new());
        }
        let last = lines.len() - 1;
        lines[last].push_str(&word);
    }
    lines.into_iter().map(|line| line.trim().to_owned()).filter(|line| !line.is_empty()).collect()
}

fn cover_page(book: &BookInfo) -> String {
    let title = shown(&book.title);
    let body = format!(
        "<section epub:type=\"cover\" class=\"cover\"><img src=\"{}\" alt=\"{}\"/></section>",
        cover_file(book).0,
        xml(&title)
    );
    page(book, &title, &body).replace("../style.css", "style.css")
}

/// Returns a page with title and author.
fn title_page(book: &BookInfo) -> String {
    let title = shown(&book.title);
    let author = book.author.as_deref().map(tidy).filter(|author| !author.is_empty());
    let author = author.map(|author| format!("<p class=\"author\">{}</p>", xml(&author))).unwrap_or_default();
    let body = format!("<section epub:type=\"titlepage\" class=\"cover\"><h1>{}</h1>{author}</section>", xml(&title));
    page(book, &title, &body).replace("../style.css", "style.css")
}

/// Returns a paragraph with its emphasis.
fn faced(paragraph: &str) -> String {
    let mut faced = String::with_capacity(paragraph.len());
    for span in emphasis(paragraph) {
        let faces = [(span.bold, "strong"), (span.italic, "em")];
        let faces: Vec<&str> = faces.into_iter().filter(|(is_so, _)| *is_so).map(|(_, face)| face).collect();
        for face in &faces {
            let _ = write!(faced, "<{face}>");
        }
        faced.push_str(&xml(&paragraph[span.range]));
        for face in faces.iter().rev() {
            let _ = write!(faced, "</{face}>");
        }
    }
    faced
}

fn tag(language: Language) -> &'static str {
    match language {
        Language::Zh => "zh-CN",
        Language::En => "en",
    }
}

fn style(language: Language) -> &'static str {
    match language {
        Language::Zh => {
            "body { line-height: 1.75; margin: 0 5%; }\n\
             h1, h2 { text-align: center; font-weight: bold; margin: 2em 0 1.5em; line-height: 1.4; }\n\
             p { margin: 0; text-indent: 2em; text-align: justify; }\n\
             hr { border: 0; margin: 1.75em 0 0; }\n\
             .cover { text-align: center; }\n\
             .author { text-indent: 0; text-align: center; }\n\
             .cover img { max-width: 100%; max-height: 100%; }\n"
        }
        Language::En => {
            "body { line-height: 1.5; margin: 0 5%; }\n\
             h1, h2 { text-align: center; font-weight: bold; margin: 2em 0 1.5em; }\n\
             p { margin: 0; text-indent: 1.5em; text-align: justify; }\n\
             h1 + p, h2 + p, hr + p { text-indent: 0; }\n\
             hr { border: 0; margin: 1.5em 0 0; }\n\
             .cover { text-align: center; }\n\
             .author { text-indent: 0; text-align: center; }\n\
             .cover img { max-width: 100%; max-height: 100%; }\n"
        }
    }
}
