//! The files of a mirror.

use super::*;

fn file(path: &str, content: &str, version: u32) -> MirrorFile {
    let source = MirrorSource::Text { document: path.to_owned(), version };
    MirrorFile { path: path.to_owned(), content: content.to_owned(), source: Some(source) }
}

#[test]
fn only_what_differs_is_written_and_nothing_of_the_authors_is_lost() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("书");
    let mut mirror = MirrorFolder::open(&path, "p-1").unwrap().unwrap();
    let first = [file("a/1.md", "一", 1), file("a/2.md", "二", 1), file("a/3.md", "三", 1)];
    assert_eq!(mirror.update(&first, 1).unwrap().written.len(), 3);
    let mut mirror = MirrorFolder::open(&path, "p-1").unwrap().unwrap();
    assert_eq!(mirror.update(&first, 1).unwrap(), TouchedFiles::default());
    std::fs::write(path.join("a/2.md"), "二改").unwrap();
    std::fs::write(path.join("a/4.md"), "别人的").unwrap();
    assert_eq!(mirror.changed().unwrap().changed.len(), 1);
    let second = [file("a/1.md", "一新", 2), file("a/2.md", "二新", 2), file("a/4.md", "四", 1)];
    let touched = mirror.update(&second, 2).unwrap();
    assert_eq!(touched.written, ["a/1.md"]);
    assert_eq!(touched.removed, ["a/3.md"]);
    assert_eq!(touched.kept, ["a/2.md", "a/4.md"], "changed outside, and not ours");
    assert_eq!(std::fs::read_to_string(path.join("a/2.md")).unwrap(), "二改");
    assert_eq!(MirrorFolder::open(&path, "p-2").unwrap(), None, "the mirror of another project");
}

#[test]
fn a_file_in_another_encoding_is_neither_read_nor_overwritten() {
    let home = tempfile::tempdir().unwrap();
    let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
    mirror.update(&[file("1.md", "一", 1), file("2.md", "二", 1), file("3.md", "三", 1)], 1).unwrap();
    let gbk = [0xd3_u8, 0xea];
    std::fs::write(home.path().join("1.md"), gbk).unwrap();
    std::fs::write(home.path().join("2.md"), "二改").unwrap();
    std::fs::write(home.path().join("3.md"), gbk).unwrap();
    let changed = mirror.changed().unwrap();
    assert_eq!(changed.not_utf8, ["1.md", "3.md"]);
    assert_eq!(changed.changed.len(), 1, "the others go on");
    let touched = mirror.update(&[file("1.md", "一新", 2)], 2).unwrap();
    assert_eq!(touched.kept, ["1.md", "2.md", "3.md"]);
    assert_eq!(std::fs::read(home.path().join("1.md")).unwrap(), gbk);
    assert_eq!(std::fs::read(home.path().join("3.md")).unwrap(), gbk, "no longer part of the book");
}

#[test]
fn a_path_outside_the_folder_is_not_followed() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("书");
    let outside = home.path().join("outside.md");
    std::fs::write(&outside, "别动").unwrap();
    let written = || WrittenFile { digest: digest("别动"), ..WrittenFile::default() };
    let paths = ["../outside.md", outside.to_str().unwrap(), "a/../../outside.md", "", "a/1.md"];
    let files = paths.iter().map(|path| ((*path).to_owned(), written())).collect();
    let removed = paths.iter().map(|path| (*path).to_owned()).collect();
    let state = MirrorState { project: "p-1".into(), version: 1, files, removed, ..MirrorState::default() };
    MirrorFolder { path: path.clone(), state }.save().unwrap();
    let mut mirror = MirrorFolder::open(&path, "p-1").unwrap().unwrap();
    assert_eq!(mirror.state.files.keys().collect::<Vec<_>>(), ["a/1.md"]);
    assert_eq!(mirror.state.removed.iter().collect::<Vec<_>>(), ["a/1.md"]);
    mirror.update(&[], 2).unwrap();
    assert!(outside.exists());
}

#[test]
fn a_damaged_mirror_does_not_hide_the_others() {
    let home = tempfile::tempdir().unwrap();
    let mut mirror = MirrorFolder::below(home.path(), "p-1", "雨夜").unwrap();
    mirror.update(&[], 1).unwrap();
    let damaged = home.path().join("坏");
    std::fs::create_dir(&damaged).unwrap();
    std::fs::write(damaged.join(STATE), "{").unwrap();
    assert_eq!(mirrors_below(home.path()).unwrap().len(), 1);
}

#[test]
fn an_edited_copy_beside_a_file_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
    mirror.update(&[file("1.md", "一", 1)], 1).unwrap();
    std::fs::write(home.path().join("1.md"), "一改").unwrap();
    let changed = mirror.changed().unwrap().changed.remove(0);
    let put = mirror.put_beside(&changed, "一新", 2).unwrap();
    assert_eq!(put, BesideFile { path: "1.studio.md".into(), is_kept: false });
    assert!(!mirror.put_beside(&changed, "一更新", 3).unwrap().is_kept, "ours is replaced");
    let copy = home.path().join("1.studio.md");
    std::fs::write(&copy, "作者在这里合并").unwrap();
    let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
    assert!(mirror.put_beside(&changed, "一最新", 4).unwrap().is_kept);
    assert_eq!(std::fs::read_to_string(&copy).unwrap(), "作者在这里合并");
}

#[test]
fn each_book_has_a_folder_of_its_own_and_keeps_it() {
    let home = tempfile::tempdir().unwrap();
    let open = |project: &str, title: &str| {
        let mut mirror = MirrorFolder::below(home.path(), project, title).unwrap();
        mirror.update(&[], 1).unwrap();
        mirror.path.file_name().unwrap().to_string_lossy().into_owned()
    };
    assert_eq!(open("p-1", "雨夜"), "雨夜");
    assert_eq!(open("p-2", "雨夜"), "雨夜 p-2");
    assert_eq!(open("p-1", "雨/夜 二"), "雨 夜 二");
    assert_eq!(mirrors_below(home.path()).unwrap().len(), 2);
}

fn chapter(place: u32) -> MirrorFile {
    file(&format!("章节/{place:03}.md"), &format!("# {place}\n\n雨。\n"), 1)
}

/// Returns the files of a book of `chapters` chapters, with a table of contents.
fn book(chapters: u32) -> Vec<MirrorFile> {
    let contents = (1..=chapters).map(|place| format!("- {place}\n")).collect();
    let contents = MirrorFile { path: "README.md".into(), content: contents, source: None };
    std::iter::once(contents).chain((1..=chapters).map(chapter)).collect()
}

#[test]
fn each_save_of_a_growing_book_writes_and_reads_what_is_new() {
    const CHAPTERS: u32 = 60;
    let home = tempfile::tempdir().unwrap();
    let (mut written, mut read) = (0, 0);
    for chapters in 1..=CHAPTERS {
        let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
        let touched = mirror.update(&book(chapters), chapters.into()).unwrap();
        assert_eq!((touched.removed.len(), touched.kept.len()), (0, 0));
        written += touched.written.len();
        read += touched.read;
    }
    assert_eq!((written, read), (2 * CHAPTERS as usize, 2 * CHAPTERS as usize), "a chapter and the contents for each");
    let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
    assert_eq!(mirror.update(&book(CHAPTERS), CHAPTERS.into()).unwrap(), TouchedFiles::default());
}

#[test]
fn a_file_that_the_book_does_not_change_is_still_named_when_it_was_changed_outside() {
    let home = tempfile::tempdir().unwrap();
    let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
    mirror.update(&book(3), 1).unwrap();
    std::fs::write(home.path().join("章节/002.md"), "# 2\n\n雨停了。\n").unwrap();
    std::fs::remove_file(home.path().join("章节/003.md")).unwrap();
    let changed = mirror.changed().unwrap();
    assert_eq!((changed.changed.len(), changed.deleted), (1, vec!["章节/003.md".to_owned()]));
    let touched = mirror.update(&book(3), 2).unwrap();
    assert_eq!((touched.kept, touched.written), (vec!["章节/002.md".to_owned()], vec!["章节/003.md".to_owned()]));
    assert_eq!(touched.read, 2);
}

#[test]
fn mirrors_are_read_once_while_books_are_added() {
    let home = tempfile::tempdir().unwrap();
    let mut index = MirrorIndex::default();
    let mut read = 0;
    for number in 1..=20 {
        read += index.refresh(home.path()).unwrap();
        let (project, title) = (format!("p-{number}"), format!("书{number}"));
        let known = index.folder(&project).map(Path::to_owned);
        let mut mirror = MirrorFolder::known_below(home.path(), known.as_deref(), &project, &title).unwrap();
        mirror.update(&[], 1).unwrap();
    }
    read += index.refresh(home.path()).unwrap();
    assert_eq!(read, 20);
    assert_eq!(index.versions().len(), 20);
    assert_eq!(index.refresh(home.path()).unwrap(), 0);
}

#[test]
fn a_known_mirror_is_found_after_it_was_renamed_moved_or_made_by_another_process() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path();
    let open = |known: Option<&Path>, title: &str| {
        let mut mirror = MirrorFolder::known_below(root, known, "p-1", title).unwrap();
        mirror.update(&[], 1).unwrap();
        mirror.path
    };
    let first = open(None, "雨夜");
    assert_eq!(first, root.join("雨夜"));
    assert_eq!(open(None, "雨夜"), first, "made by another process");
    let second = open(Some(first.as_path()), "雨停");
    assert_eq!(second, root.join("雨停"));
    std::fs::rename(&second, root.join("moved")).unwrap();
    assert_eq!(open(Some(second.as_path()), "雨停"), second, "found, and named by its title again");
    assert_eq!(mirrors_below(root).unwrap().len(), 1);
}

#[test]
fn a_title_never_leads_out_of_the_folder_of_the_mirrors() {
    let home = tempfile::tempdir().unwrap();
    let root = home.path().join("mirrors");
    for (number, title) in ["../outside", "..", "/etc/passwd", "a/../../b", ".", ""].into_iter().enumerate() {
        let mirror = MirrorFolder::below(&root, &format!("p-{number}"), title).unwrap();
        assert_eq!(mirror.path.parent(), Some(root.as_path()), "{title}");
        assert!(matches!(mirror.path.components().next_back(), Some(Component::Normal(_))), "{title}");
    }
}

#[test]
fn a_card_keeps_its_piece_when_it_is_accepted() {
    let home = tempfile::tempdir().unwrap();
    let mut mirror = MirrorFolder::open(home.path(), "p-1").unwrap().unwrap();
    let source = MirrorSource::Card { kind: qingyu_story::PieceKind::Character, id: "c-1".into() };
    let card = |content: &str| {
        let (path, content) = ("人物/林青.md".to_owned(), content.to_owned());
        [MirrorFile { path, content, source: Some(source.clone()) }]
    };
    mirror.update(&card("旧"), 1).unwrap();
    std::fs::write(home.path().join("人物/林青.md"), "新，还有别的").unwrap();
    let changed = mirror.changed().unwrap().changed.remove(0);
    assert_eq!(changed.written.card, "c-1");
    assert!(!mirror.is_card_settled(&changed, "旧"), "no conflict so far");
    mirror.accept_card(&changed, "c-1", "新").unwrap();
    assert_eq!(mirror.update(&card("新"), 2).unwrap().kept, ["人物/林青.md"], "what was not read is not lost");
    std::fs::write(home.path().join("人物/林青.md"), "新").unwrap();
    assert_eq!(mirror.update(&card("新"), 3).unwrap(), TouchedFiles { read: 1, ..TouchedFiles::default() });
    assert_eq!(mirror.state.files["人物/林青.md"].card, "c-1");
}
