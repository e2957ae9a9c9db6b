//! File formats for importing and exporting a book: plain text, Markdown, DOCX, EPUB and, for import only, ODT, RTF, HTML and
//! the projects of Scrivener and novelWriter.
//! The only crate to parse zip and XML; opens no file and needs no network.
//!
//! Modules:
//!
//! - `spaces`: spaces of any kind, for all others
//! - [`encoding`]: decodes bytes to text, with proof of the encoding
//! - [`mod@read`]: parses a manuscript to paragraphs with their origins; [`limits`]: bounds for untrusted files
//! - [`mod@folder`]: joins several files to a manuscript, in natural order; [`project`]: reads the folder of a writing
//!   program, in the order of its index
//! - `headings`: parses headings such as `第十二章`, `Chapter IX`
//! - [`mod@split`]: splits paragraphs into chapters, with warnings; [`coverage`]: the check that no character was lost
//! - [`outline`]: reads cast, places and chapters from an outline in Markdown, without a model
//! - [`mod@write`]: writes a book to a file, chapter by chapter; [`layout`]: plain text as platforms expect
//! - [`mod@mirror`]: a book as a folder of readable files, and its chapters and cards read back
//! - [`mod@file_name`]: file names valid on every operating system
//!
//! ```
//! use qingyu_formats::{BookInfo, OutputForm, ChapterOpening, ReadOptions, SplitOptions, read, split, write};
//!
//! let manuscript = "雨夜\n作者：沈舟\n\n第一章 来客\n　　雨下了一夜。\n\n第二章 灯\n　　灯灭了。\n";
//! let ingested = read(&mut manuscript.as_bytes(), &ReadOptions::default())?;
//! let found = split(&ingested, &SplitOptions::default())?;
//! assert_eq!((found.chapters[1].title.as_str(), found.chapters[1].text.as_str()), ("第二章 灯", "灯灭了。"));
//! assert_eq!(found.coverage.characters(), manuscript.chars().count());
//!
//! let openings: Vec<ChapterOpening> =
//!     found.chapters.iter().map(|chapter| ChapterOpening { volume: None, title: chapter.title.clone() }).collect();
//! let book = BookInfo { title: "雨夜".into(), author: found.author.clone(), ..BookInfo::default() };
//! let mut file = std::io::Cursor::new(Vec::new());
//! let mut text = |chapter: usize| Ok(found.chapters[chapter].text.clone());
//! write(&book, &openings, &mut text, &OutputForm::Epub, &mut file)?;
//! assert_eq!(split(&read(&mut file.get_ref().as_slice(), &ReadOptions::default())?, &SplitOptions::default())?.chapters.len(), 2);
//! # Ok::<(), qingyu_formats::Error>(())
//! ```

pub mod coverage;
pub mod encoding;
pub mod error;
pub mod file_name;
pub mod folder;
mod headings;
pub mod layout;
mod letters;
pub mod limits;
pub mod mirror;
pub mod outline;
pub mod project;
pub mod read;
mod spaces;
pub mod split;
pub mod write;

pub use coverage::Coverage;
pub use encoding::{BadPlace, Candidate, DecodedText, Encoding, Proof, TakenBy, decode};
pub use error::Error;
pub use file_name::file_name;
pub use layout::TextLayout;
pub use limits::FileLimits;
pub use mirror::{
    CardEdit, CardReading, MirrorFile, MirrorSource, UnreadField, UnreadReason, card_file, chapter_text, chapter_title,
    mirror, read_card,
};
pub use outline::{Outline, read_outline};
pub use project::{ProjectFile, read_project};
pub use read::{Extra, Format, Ingested, LeftOut, Origin, ParagraphRole, ReadOptions, SourceParagraph, read};
pub use split::{Apart, ApartKind, HeadingForm, HeadingRule, Split, SplitChapter, SplitOptions, Warning, split};
pub use write::{
    BookInfo, ChapterOpening, CoverArtwork, ManuscriptLength, OutputForm, write, write_html, write_markdown,
};
