//! The projects of writing programs: the chapters are those of the index, and the rest is listed.

use qingyu_formats::{
    Error, Extra, Format, Ingested, ProjectFile, ReadOptions, SplitOptions, Warning, read_project, split,
};

use crate::support::told;

fn project(files: &[(&str, &str)]) -> Result<Option<Ingested>, Error> {
    let files: Vec<ProjectFile<'_>> =
        files.iter().map(|(path, text)| ProjectFile { path, bytes: text.as_bytes() }).collect();
    read_project(&files, &ReadOptions::default())
}

fn chapters(ingested: &Ingested) -> String {
    told(&split(ingested, &SplitOptions::default()).unwrap())
}

fn left_out(ingested: &Ingested) -> Vec<(Extra, usize, String)> {
    ingested.left_out.iter().map(|one| (one.what, one.count, one.names.join(", "))).collect()
}

/// A binder item of Scrivener 3 with its children.
fn item(id: &str, kind: &str, title: &str, children: &str) -> String {
    let children = if children.is_empty() { String::new() } else { format!("<Children>{children}</Children>") };
    format!(
        "<BinderItem UUID='{id}' Type='{kind}'><Title>{title}</Title><MetaData><IncludeInCompile>Yes</IncludeInCompile>\
         </MetaData>{children}</BinderItem>"
    )
}

fn binder(items: &str) -> String {
    format!("<?xml version='1.0'?><ScrivenerProject Version='2.0'><Binder>{items}</Binder></ScrivenerProject>")
}

fn rtf(text: &str) -> String {
    let escaped: String = text
        .chars()
        .map(|c| if c.is_ascii() { c.to_string() } else { format!("\\u{}?", i32::from(u32::from(c) as u16 as i16)) })
        .collect();
    format!("{{\\rtf1\\ansi {}}}", escaped.replace('\n', "\\par "))
}

#[test]
fn a_scrivener_folder_of_titled_documents_is_a_volume() {
    let volume = item("2", "Folder", "风起", &(item("3", "Text", "来客", "") + &item("4", "Text", "灯", "")));
    let parts = item("1", "Text", "楔子", "") + &volume + &item("5", "Text", "尾声", "");
    let draft = item("D", "DraftFolder", "Draft", &parts);
    let research = item("R", "ResearchFolder", "Research", &item("6", "Text", "灯塔史", ""));
    let trash = item("T", "TrashFolder", "Trash", &item("7", "Text", "旧稿", ""));
    let index = binder(&(draft + &research + &trash));
    let marked = rtf("<$Scr_Ps::0>灯灭了。<!$Scr_Ps::0>");
    let text = [rtf("很久以前。"), rtf("第一章 来客\n雨下了一夜。\n他来了。"), marked];
    let found = project(&[
        ("小说.scriv/小说.scrivx", &index),
        ("小说.scriv/Files/Data/1/content.rtf", &text[0]),
        ("小说.scriv/Files/Data/3/content.rtf", &text[1]),
        ("小说.scriv/Files/Data/3/synopsis.txt", "他来了"),
        ("小说.scriv/Files/Data/4/content.rtf", &text[2]),
        ("小说.scriv/Files/Data/6/content.rtf", &rtf("塔有百年。")),
        ("小说.scriv/Files/Data/7/content.rtf", &rtf("旧的。")),
    ]);
    let found = found.unwrap().unwrap();
    assert_eq!((found.format, found.title.as_deref()), (Format::Scrivener, Some("小说")));
    assert_eq!(
        chapters(&found),
        "楔子: 很久以前。\n风起/第一章 来客: 雨下了一夜。|他来了。\n风起/灯: 灯灭了。\n尾声: "
    );
    assert_eq!(
        left_out(&found),
        [
            (Extra::Synopses, 1, String::new()),
            (Extra::Emphasis, 1, String::new()),
            (Extra::Research, 1, "灯塔史".into()),
            (Extra::Trash, 1, "旧稿".into()),
        ]
    );
}

#[test]
fn a_scrivener_folder_of_scenes_is_a_chapter_and_a_folder_of_folders_a_volume() {
    let scenes = item("3", "Text", "Scene", "") + &item("4", "Text", "The Gate", "");
    let part = item("1", "Folder", "Part One", &item("2", "Folder", "Chapter One", &scenes));
    let index = binder(&item("0", "DraftFolder", "Manuscript", &part));
    let found = project(&[
        ("a.scrivx", &index),
        ("Files/Data/3/content.rtf", &rtf("It rained.")),
        ("Files/Data/4/content.rtf", &rtf("He came.")),
    ]);
    let found = found.unwrap().unwrap();
    assert_eq!(chapters(&found), "Part One/Chapter One: It rained.||He came.");
    assert_eq!(left_out(&found), [(Extra::SceneTitles, 1, String::new())]);
}

#[test]
fn scrivener_2_and_documents_left_out_of_the_book() {
    let document = |id: u8, title: &str, included: &str| {
        format!(
            "<BinderItem ID='{id}' Type='Text'><Title>{title}</Title><MetaData><LabelID>2</LabelID>{included}</MetaData>\
             </BinderItem>"
        )
    };
    let yes = "<IncludeInCompile>Yes</IncludeInCompile>";
    let documents = document(3, "One", yes) + &document(4, "Ideas", "");
    let index = binder(&format!(
        "<BinderItem ID='0' Type='DraftFolder'><Title>Draft</Title><Children>{documents}</Children></BinderItem>"
    ));
    let found = project(&[
        ("a.scrivx", &index),
        ("Files/Docs/3.rtf", &rtf("It rained.")),
        ("Files/Docs/3_notes.rtf", &rtf("Check the date.")),
        ("Files/Docs/4.rtf", &rtf("A dog?")),
    ]);
    let found = found.unwrap().unwrap();
    assert_eq!(chapters(&found), "One: It rained.");
    let expected = [
        (Extra::DocumentNotes, 1, String::new()),
        (Extra::Labels, 1, String::new()),
        (Extra::Excluded, 1, "Ideas".into()),
    ];
    assert_eq!(left_out(&found), expected);
}

#[test]
fn a_truncated_document_of_a_project_is_named() {
    let index = binder(&item("0", "DraftFolder", "Draft", &item("1", "Text", "来客", "")));
    let cut = rtf("雨下了一夜。").replace('}', "");
    let found = project(&[("a.scrivx", &index), ("Files/Data/1/content.rtf", &cut)]).unwrap().unwrap();
    let told = Warning::Truncated { place: Some("来客".into()), characters: 6, last: "雨下了一夜。".into() };
    assert_eq!(split(&found, &SplitOptions::default()).unwrap().warnings, [told]);
    let cut = &index[..index.len() - 60];
    assert!(matches!(project(&[("a.scrivx", cut)]), Err(Error::Damaged { .. })));
    assert!(matches!(project(&[("a.scrivx", &binder(""))]), Err(Error::Damaged { .. })));
}

#[test]
fn a_novelwriter_project_in_the_order_of_its_index() {
    let document = |handle: &str, order: u8, layout: &str, active: &str, name: &str| {
        format!(
            "<item handle='{handle}' parent='000a' root='000a' order='{order}' type='FILE' class='NOVEL' layout='{layout}'>\
             <meta heading='H2'/><name active='{active}'>{name}</name></item>"
        )
    };
    let index = format!(
        "<?xml version='1.0'?><novelWriterXML fileVersion='1.5'><project><name>The Lamp</name><author>Ann Shaw</author>\
         </project><content><item handle='000a' parent='None' order='0' type='ROOT' class='NOVEL'><name>Novel</name></item>\
         {}{}{}{}<item handle='000b' parent='None' order='1' type='ROOT' class='CHARACTER'><name>Cast</name></item>\
         <item handle='0006' parent='000b' order='0' type='FILE' class='CHARACTER' layout='NOTE'><name>Jane</name></item>\
         </content></novelWriterXML>",
        document("0003", 2, "DOCUMENT", "yes", "Two"),
        document("0001", 0, "DOCUMENT", "yes", "Title Page"),
        document("0002", 1, "DOCUMENT", "yes", "One"),
        document("0004", 3, "NOTE", "yes", "Ideas") + &document("0005", 4, "DOCUMENT", "no", "Cut Scene"),
    );
    let one = "%%~name: One\n# Part One\n\n## 第一章 来客\n\n@pov: Jane\n%Synopsis: He comes.\n\n### A Night\n\n雨下了**一夜**。\n他来了。\n\n### Morning\n\n天亮了。\n";
    let found = project(&[
        ("nwProject.nwx", &index),
        ("content/0001.nwd", "#! The Lamp\n\n>> By Ann Shaw <<\n"),
        ("content/0002.nwd", one),
        ("content/0003.nwd", "## The Lamp Again\n\nNobody spoke. % not a comment\n"),
        ("content/0004.nwd", "# Ideas\n"),
        ("content/0005.nwd", "### Cut\n\nGone.\n"),
        ("content/0006.nwd", "# Jane\n\nShe is tall.\n"),
    ]);
    let found = found.unwrap().unwrap();
    assert_eq!((found.format, found.title.as_deref()), (Format::NovelWriter, Some("The Lamp")));
    assert_eq!(found.author.as_deref(), Some("Ann Shaw"));
    assert_eq!(
        chapters(&found),
        "Part One/第一章 来客: 雨下了一夜。|他来了。||天亮了。\nPart One/The Lamp Again: Nobody spoke. % not a comment"
    );
    assert_eq!(
        left_out(&found),
        [
            (Extra::Tags, 1, String::new()),
            (Extra::Synopses, 1, String::new()),
            (Extra::SceneTitles, 2, String::new()),
            (Extra::Emphasis, 1, String::new()),
            (Extra::NoteDocuments, 2, "Ideas, Jane".into()),
            (Extra::Excluded, 1, "Cut Scene".into()),
        ]
    );
}

#[test]
fn novelwriter_before_attributes() {
    let index = "<novelWriterXML fileVersion='1.2'><project><name>旧稿</name></project><content>\
        <item handle='a1' order='0' parent='None'><name>Novel</name><type>ROOT</type><class>NOVEL</class></item>\
        <item handle='b1' order='0' parent='a1'><name>Title</name><type>FILE</type><class>NOVEL</class><layout>TITLE</layout>\
        <exported>True</exported></item>\
        <item handle='b2' order='1' parent='a1'><name>One</name><type>FILE</type><class>NOVEL</class><layout>CHAPTER</layout>\
        <exported>True</exported></item></content></novelWriterXML>";
    let found = project(&[
        ("nwProject.nwx", index),
        ("content/b1.nwd", "# 灯塔\n\n献给所有守塔的人\n"),
        ("content/b2.nwd", "## 第一章\n\n雨下了一夜。\n"),
    ]);
    let found = found.unwrap().unwrap();
    assert_eq!((chapters(&found).as_str(), found.title.as_deref()), ("第一章: 雨下了一夜。", Some("灯塔")));
    assert_eq!(split(&found, &SplitOptions::default()).unwrap().front, "献给所有守塔的人");
}

#[test]
fn what_is_no_project_is_read_as_files() {
    assert_eq!(project(&[("a.txt", "雨"), ("b/c.rtf", "{\\rtf1 x}")]).unwrap(), None);
    // An index below other files is the index of another folder.
    assert_eq!(project(&[("a.txt", "雨"), ("b.scriv/b.scrivx", "<a/>")]).unwrap(), None);
    let reading = ReadOptions { format: Format::of_name("a.scrivx"), ..ReadOptions::default() };
    let alone = qingyu_formats::read(&mut binder("").as_bytes(), &reading);
    assert!(matches!(alone, Err(Error::ProjectIndex)), "{alone:?}");
}
