//! Short ways to read, split and write.

use std::io::{Cursor, Write};

use qingyu_formats::{
    BookInfo, ChapterOpening, Error, Ingested, OutputForm, ReadOptions, Split, SplitOptions, read, split, write,
};
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

pub(crate) fn ingest(bytes: &[u8]) -> Result<Ingested, Error> {
    read(&mut &bytes[..], &ReadOptions::default())
}

pub(crate) fn ingest_named(name: &str, bytes: &[u8]) -> Ingested {
    let format = qingyu_formats::Format::of_name(name);
    read(&mut &bytes[..], &ReadOptions { format, ..ReadOptions::default() }).unwrap()
}

pub(crate) fn split_text(text: &str) -> Split {
    split(&ingest_named("a.txt", text.as_bytes()), &SplitOptions::default()).unwrap()
}

/// The chapters in short: `volume/title: text`, with `|` for line feeds.
pub(crate) fn told(split: &Split) -> String {
    let chapter = |one: &qingyu_formats::SplitChapter| {
        let volume = one.volume.as_ref().map(|volume| format!("{volume}/")).unwrap_or_default();
        format!("{volume}{}: {}", one.title, one.text.replace('\n', "|"))
    };
    split.chapters.iter().map(chapter).collect::<Vec<_>>().join("\n")
}

pub(crate) fn written(book: &BookInfo, chapters: &[(ChapterOpening, String)], form: &OutputForm) -> Vec<u8> {
    let openings: Vec<ChapterOpening> = chapters.iter().map(|(opening, _)| opening.clone()).collect();
    let mut sink = Cursor::new(Vec::new());
    let mut texts = |chapter: usize| Ok(chapters[chapter].1.clone());
    write(book, &openings, &mut texts, form, &mut sink).unwrap();
    sink.into_inner()
}

pub(crate) fn zipped(entries: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in entries {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

pub(crate) fn opening(volume: Option<&str>, title: &str) -> ChapterOpening {
    ChapterOpening { volume: volume.map(str::to_owned), title: title.into() }
}

/// The titles of the chapters, with their volumes.
pub(crate) fn titles(text: &str) -> Vec<String> {
    let named = |one: qingyu_formats::SplitChapter| {
        one.volume.map_or_else(|| one.title.clone(), |volume| format!("{volume} / {}", one.title))
    };
    split_text(text).chapters.into_iter().map(named).collect()
}

/// A paragraph of prose, longer than an entry of a list.
pub(crate) fn prose(word: &str) -> String {
    format!("　　{word}，他沿着河岸走了很久，灯一盏一盏地灭了，谁也没有回头。\n").repeat(12)
}
