//! What other programs say of our files. Each is asked if it is there; a test says aloud if it is not.

use std::path::Path;
use std::process::{Command, Stdio};

use qingyu_formats::{BookInfo, ChapterOpening, OutputForm, SplitOptions, split};
use qingyu_story::Language;

use crate::support::{ingest_named, opening, written};

type NamedFile = (&'static str, BookInfo, Vec<(ChapterOpening, String)>);

fn books() -> Vec<NamedFile> {
    let text =
        |marks: &str| format!("雨下了一夜，{marks}檐下的灯还亮着。\n“你来了。”她说 <b>&amp; & '\"。\n\n天亮了。\u{1}");
    let zh = BookInfo { title: "雨夜 & <灯>".into(), author: Some("沈舟".into()), ..BookInfo::default() };
    let en = BookInfo {
        title: "The Lamp That Burned Under the Eaves All Night".into(),
        language: Language::En,
        identifier: "urn:uuid:6e1c1f0e-3a55-4d4e-9a6e-0a4c7e1f2b3c".into(),
        modified: "2026-11-22T17:00:00Z".into(),
        ..BookInfo::default()
    };
    let volumes = vec![
        (opening(None, "楔子"), text("")),
        (opening(Some("第一卷 风起"), "第一章 来客"), text("一")),
        (opening(Some("第一卷 风起"), ""), text("二")),
        (opening(Some("第二卷 <海>"), "第三章 \"潮\""), String::new()),
        (opening(None, "尾声"), text("三")),
    ];
    let plain =
        vec![(opening(None, "Rain"), "It rained.\nHe came.".into()), (opening(None, "Home"), "He slept.".into())];
    vec![("volumes", zh.clone(), volumes), ("plain", en, plain), ("empty", zh, vec![])]
}

/// How to start a program; `None`, said aloud, if it is not here.
fn program(name: &str) -> Option<Vec<String>> {
    let places = std::env::var_os("PATH").unwrap_or_default();
    let path = std::env::split_paths(&places).map(|folder| folder.join(name)).find(|path| path.is_file());
    let path = path.map(|path| path.display().to_string());
    // Not all end well after telling their version, but all tell their name.
    let works = |words: &[String]| {
        let output = Command::new(&words[0]).args(&words[1..]).arg("--version").output();
        output.is_ok_and(|output| {
            let said = String::from_utf8_lossy(&output.stdout).to_lowercase();
            output.status.success() || said.starts_with(name)
        })
    };
    // Debian's epubcheck is an archive that only some systems can start by itself.
    let ways = path.map(|path| [vec![path.clone()], vec!["java".into(), "-jar".into(), path]]);
    let found = ways.into_iter().flatten().find(|words| works(words));
    if found.is_none() {
        println!("skipped: {name} is not here, so nothing was asked of it");
    }
    found
}

fn file(folder: &Path, name: &str, bytes: &[u8]) -> std::path::PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

#[test]
fn epubcheck_has_nothing_to_say() {
    let Some(words) = program("epubcheck") else { return };
    let folder = tempfile::tempdir().unwrap();
    for (name, book, chapters) in books() {
        let path = file(folder.path(), &format!("{name}.epub"), &written(&book, &chapters, &OutputForm::Epub));
        let output = Command::new(&words[0]).args(&words[1..]).arg("--failonwarnings").arg(&path).output().unwrap();
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(output.status.success(), "{name}: {said}");
    }
}

#[test]
fn libreoffice_reads_every_chapter() {
    if program("soffice").is_none() {
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (name, book, chapters) in books() {
        let path = file(folder.path(), &format!("{name}.docx"), &written(&book, &chapters, &OutputForm::Docx));
        let profile = format!("-env:UserInstallation=file://{}/profile", folder.path().display());
        let convert = |to: &str| {
            let mut command = Command::new("soffice");
            command.args([&profile, "--headless", "--convert-to", to, "--outdir"]).arg(folder.path()).arg(&path);
            let output = command.output().unwrap();
            assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        };
        convert("txt:Text (encoded):UTF8");
        let text = std::fs::read_to_string(folder.path().join(format!("{name}.txt"))).unwrap();
        for (opening, words) in &chapters {
            assert!(text.contains(&opening.title), "{name}: '{}' is missing in {text}", opening.title);
            let missing = words.lines().find(|line| !text.contains(line.trim_end_matches('\u{1}')));
            assert_eq!(missing, None, "{name}: {text}");
        }
        // What another program makes of our file is read as the same chapters.
        std::fs::rename(&path, folder.path().join(format!("ours-{name}.docx"))).unwrap();
        if chapters.is_empty() {
            continue;
        }
        let path = folder.path().join(format!("ours-{name}.docx"));
        let output = Command::new("soffice")
            .args([&profile, "--headless", "--convert-to", "odt", "--outdir"])
            .arg(folder.path())
            .arg(&path)
            .output()
            .unwrap();
        assert!(output.status.success());
        let odt = folder.path().join(format!("ours-{name}.odt"));
        let again = folder.path().join("again");
        let output = Command::new("soffice")
            .args([&profile, "--headless", "--convert-to", "docx", "--outdir"])
            .arg(&again)
            .arg(&odt)
            .output()
            .unwrap();
        assert!(output.status.success());
        let bytes = std::fs::read(again.join(format!("ours-{name}.docx"))).unwrap();
        let titles = |bytes: &[u8]| -> Vec<(Option<String>, String, String)> {
            let found = split(&ingest_named("a.docx", bytes), &SplitOptions::default()).unwrap();
            found.chapters.into_iter().map(|one| (one.volume, one.title, one.text)).collect()
        };
        assert_eq!(titles(&bytes), titles(&std::fs::read(&path).unwrap()), "{name}");
    }
}

#[test]
fn python_libraries_read_both() {
    let there = Command::new("python3").args(["-c", "import docx, ebooklib"]).stderr(Stdio::null()).status();
    if !there.is_ok_and(|status| status.success()) {
        println!("skipped: python3 with python-docx and ebooklib is not here, so nothing was asked of it");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let script = "
import sys, docx
from ebooklib import epub
styles = [p.style.name for p in docx.Document(sys.argv[1]).paragraphs]
print(sum(s.startswith('Heading') for s in styles), sum(s == 'Body Text' for s in styles))
book = epub.read_epub(sys.argv[2])
print(len(book.spine), len(list(book.get_items())), book.get_metadata('DC', 'title')[0][0])
";
    let (name, book, chapters) = books().remove(0);
    let docx = file(folder.path(), &format!("{name}.docx"), &written(&book, &chapters, &OutputForm::Docx));
    let epub = file(folder.path(), &format!("{name}.epub"), &written(&book, &chapters, &OutputForm::Epub));
    let output = Command::new("python3").args(["-W", "ignore", "-c", script]).arg(docx).arg(epub).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout);
    // Two volumes and five chapters; four texts of three paragraphs and a gap. Cover, contents, volumes, chapters.
    assert_eq!(said.trim(), "7 16\n9 11 雨夜 & <灯>", "{}", String::from_utf8_lossy(&output.stderr));
}
