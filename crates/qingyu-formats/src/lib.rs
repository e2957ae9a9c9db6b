//! The files in which a book comes in and goes out: plain text, Markdown, DOCX, EPUB and, to come in only, ODT and RTF. Isolates zip and XML; opens no
//! file and needs no network.
//!
//! The map:
//!
//! - [`encoding`]: bytes become text, with the proof of what they were taken as
//! - [`mod@read`]: bytes of a manuscript become paragraphs, each with where it came from; [`limits`]: of strangers' files
//! - [`mod@folder`]: several files become one manuscript, in natural order
//! - [`headings`]: `第十二章`, `Chapter IX`
//! - [`mod@split`]: paragraphs become chapters, with warnings; [`coverage`]: the proof that no character was lost
//! - [`mod@write`]: a book becomes a file, chapter by chapter; [`layout`]: what platforms want of plain text
//! - [`mod@file_name`]: a name for it that no system stumbles over
//!
//! ```
//! use qingyu_formats::{Book, Form, Opening, Reading, Splitting, read, split, write};
//!
//! let manuscript = "雨夜\n作者：沈舟\n\n第一章 来客\n　　雨下了一夜。\n\n第二章 灯\n　　灯灭了。\n";
//! let ingested = read(&mut manuscript.as_bytes(), &Reading::default())?;
//! let found = split(&ingested, &Splitting::default())?;
//! assert_eq!((found.chapters[1].title.as_str(), found.chapters[1].text.as_str()), ("第二章 灯", "灯灭了。"));
//! assert_eq!(found.coverage.characters(), manuscript.chars().count());
//!
//! let openings: Vec<Opening> =
//!     found.chapters.iter().map(|chapter| Opening { volume: None, title: chapter.title.clone() }).collect();
//! let book = Book { title: "雨夜".into(), author: found.author.clone(), ..Book::default() };
//! let mut file = std::io::Cursor::new(Vec::new());
//! let mut text = |chapter: usize| Ok(found.chapters[chapter].text.clone());
//! write(&book, &openings, &mut text, &Form::Epub, &mut file)?;
//! assert_eq!(split(&read(&mut file.get_ref().as_slice(), &Reading::default())?, &Splitting::default())?.chapters.len(), 2);
//! # Ok::<(), qingyu_formats::Error>(())
//! ```

pub mod coverage;
pub mod encoding;
pub mod error;
pub mod file_name;
pub mod folder;
pub mod headings;
pub mod layout;
pub mod limits;
pub mod read;
pub mod split;
pub mod write;

pub use coverage::Coverage;
pub use encoding::{BadPlace, Candidate, Decoded, Encoding, Proof, TakenBy, decode};
pub use error::Error;
pub use file_name::file_name;
pub use layout::{Layout, Numerals};
pub use limits::Limits;
pub use read::{Extra, Format, Ingested, LeftOut, Origin, Paragraph, Reading, Role, read};
pub use split::{
    Apart, ApartKind, Chapter, HeadingForm, HeadingRule, Part, PartKind, Split, Splitting, Warning, split,
};
pub use write::{Book, Form, Opening, Picture, write, write_markdown};
