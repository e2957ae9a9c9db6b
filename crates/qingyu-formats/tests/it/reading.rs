//! Bytes become paragraphs.

use qingyu_formats::{Error, Extra, Format, Origin, ParagraphRole, ReadOptions, TakenBy, read};

use crate::support::{ingest, ingest_named, zipped};

const CHINESE: &str = "第一章 夜雨\n　　雨下了一夜，檐下的灯还亮着。\n　　“你来了。”她说。\n";

#[test]
fn encodings_are_told_and_said() {
    let utf16 = |little: bool, mark: bool| -> Vec<u8> {
        let units = mark.then_some(0xfeff).into_iter().chain(CHINESE.encode_utf16());
        units.flat_map(|unit| if little { unit.to_le_bytes() } else { unit.to_be_bytes() }).collect()
    };
    let gbk = encoding_rs::GBK.encode(CHINESE).0.into_owned();
    let big5 = encoding_rs::BIG5.encode("第一章 夜雨\n　　雨下了一夜，簷下的燈還亮著，她說你來了。\n").0.into_owned();
    let marked = [b"\xef\xbb\xbf", CHINESE.as_bytes()].concat();
    let cases = [
        (CHINESE.as_bytes().to_vec(), "UTF-8", TakenBy::Valid),
        (marked, "UTF-8", TakenBy::Mark),
        (utf16(true, true), "UTF-16LE", TakenBy::Mark),
        (utf16(false, true), "UTF-16BE", TakenBy::Mark),
        (utf16(true, false), "UTF-16LE", TakenBy::Look),
        (gbk, "gb18030", TakenBy::Look),
        (big5, "Big5", TakenBy::Look),
    ];
    for (bytes, name, by) in cases {
        let ingested = ingest(&bytes).unwrap();
        let encoding = ingested.encoding.unwrap();
        assert_eq!((encoding.name.as_str(), encoding.by, encoding.bad), (name, by, 0));
        assert!(ingested.text.starts_with("第一章 夜雨\n　　雨下了一夜"), "{name}: {}", ingested.text);
    }
}

#[test]
fn an_encoding_can_be_told() {
    let reading = |name: &str| ReadOptions { encoding: Some(name.into()), ..ReadOptions::default() };
    let bytes = encoding_rs::GBK.encode(CHINESE).0.into_owned();
    let ingested = read(&mut bytes.as_slice(), &reading("gbk")).unwrap();
    assert_eq!((ingested.text.as_str(), ingested.encoding.unwrap().by), (CHINESE, TakenBy::Told));
    assert!(matches!(read(&mut bytes.as_slice(), &reading("utf-8")), Err(Error::NotText { .. })));
    assert!(matches!(read(&mut bytes.as_slice(), &reading("runes")), Err(Error::UnknownEncoding { .. })));
}

#[test]
fn what_is_no_manuscript_is_said_so() {
    assert!(matches!(ingest(b"%PDF-1.7 ..."), Err(Error::UnknownFormat)));
    assert!(matches!(ingest(&zipped(&[("a.txt", "a")])), Err(Error::UnknownFormat)));
    assert!(matches!(ingest(b" \n \n"), Err(Error::Empty)));
    assert!(matches!(ingest(b""), Err(Error::Empty)));
    assert!(matches!(ingest(&[0, 1, 2, 0, 0, 3, 255, 254, 0, 0, 0].repeat(50)), Err(Error::NotText { .. })));
    let docx = ReadOptions { format: Some(Format::Docx), ..ReadOptions::default() };
    assert!(matches!(read(&mut &b"text"[..], &docx), Err(Error::Damaged { .. })));
}

#[test]
fn lines_know_where_they_came_from() {
    let ingested = ingest_named("a.txt", "甲\r\n\r\n乙\r丙".as_bytes());
    assert_eq!(ingested.text, "甲\n\n乙\n丙\n");
    let lines: Vec<_> = ingested.paragraphs.iter().map(|one| one.origin.clone()).collect();
    assert_eq!(lines, (1..=4).map(Origin::Line).collect::<Vec<_>>());
    assert_eq!(ingested.paragraphs.iter().map(|one| one.continues).collect::<Vec<_>>(), [false, false, false, true]);
}

#[test]
fn markdown_loses_its_marks_only() {
    let text = "---\ntitle: x\n---\n# 书\n\n## 第一章\n\n他**很**慢，*很*慢。\\*\n同一段\n\n- 甲\n2. 乙\n\n***\n\n![图](a.png)\n\n    四个空格\n";
    let ingested = ingest_named("a.md", text.as_bytes());
    assert_eq!(ingested.text, "书\n第一章\n他很慢，很慢。*\n同一段\n- 甲\n2. 乙\n\n图\n四个空格\n");
    let roles: Vec<ParagraphRole> = ingested.paragraphs.iter().map(|one| one.role).collect();
    assert_eq!(
        (roles[0], roles[1], roles[6]),
        (ParagraphRole::Heading(1), ParagraphRole::Heading(2), ParagraphRole::Rule)
    );
    assert!(ingested.paragraphs[3].continues);
    assert_eq!(ingested.paragraphs[2].origin, Origin::Line(8));
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| (one.what, one.count)).collect();
    assert_eq!(left_out, [(Extra::Pictures, 1)]);
    assert_eq!(ingested.paragraphs[2].marked.as_deref(), Some("他**很**慢，*很*慢。*"));
    assert_eq!(ingested.title.as_deref(), Some("x"));
}

const WORD: &str = "http://schemas.openxmlformats.org/wordprocessingml/2006/main";

fn docx(body: &str) -> Vec<u8> {
    let styles = format!(
        "<w:styles xmlns:w='{WORD}'><w:style w:styleId='a3'><w:name w:val='heading 1'/></w:style>\
         <w:style w:styleId='a4'><w:name w:val='Mine'/><w:basedOn w:val='a3'/></w:style>\
         <w:style w:styleId='t1'><w:name w:val='toc 1'/></w:style></w:styles>"
    );
    let document = format!("<w:document xmlns:w='{WORD}'><w:body>{body}</w:body></w:document>");
    zipped(&[("[Content_Types].xml", "<Types/>"), ("word/styles.xml", &styles), ("word/document.xml", &document)])
}

#[test]
fn docx_gives_what_is_shown() {
    let body = "<w:p><w:pPr><w:pStyle w:val='t1'/></w:pPr><w:r><w:t>第一章 1</w:t></w:r></w:p>\
        <w:p><w:pPr><w:pStyle w:val='a4'/></w:pPr><w:r><w:t>雨</w:t></w:r><w:r><w:t>夜</w:t></w:r></w:p>\
        <w:p><w:r><w:tab/><w:t xml:space='preserve'>他说 </w:t></w:r><w:del><w:r><w:delText>删</w:delText></w:r></w:del>\
        <w:ins><w:r><w:t>&lt;加&gt;&#x4E00;</w:t></w:r></w:ins><w:r><w:br/><w:t>下一行</w:t></w:r>\
        <w:r><w:footnoteReference w:id='1'/></w:r><w:r><w:fldChar/><w:instrText>TOC</w:instrText></w:r></w:p>\
        <w:p/><w:p><w:pPr><w:outlineLvl w:val='1'/></w:pPr><w:r><w:t>小节</w:t></w:r></w:p>";
    let ingested = ingest(&docx(body)).unwrap();
    assert_eq!(ingested.text, "第一章 1\n雨夜\n他说 <加>一\n下一行\n\n小节\n");
    let roles: Vec<ParagraphRole> = ingested.paragraphs.iter().map(|one| one.role).collect();
    assert_eq!(
        (roles[0], roles[1], roles[2], roles[5]),
        (ParagraphRole::Contents, ParagraphRole::Heading(1), ParagraphRole::Text, ParagraphRole::Heading(2))
    );
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| one.what).collect();
    assert_eq!(left_out, [Extra::Deletions, Extra::Notes]);
}

fn epub(nav: &str, page: &str) -> Vec<u8> {
    let container = "<container><rootfiles><rootfile full-path='O/a.opf'/></rootfiles></container>";
    let opf = "<package><metadata xmlns:dc='d'><dc:title>雨夜</dc:title><dc:creator>沈舟</dc:creator><dc:language>zh</dc:language>\
        </metadata><manifest><item id='n' href='nav.xhtml' media-type='application/xhtml+xml' properties='nav'/>\
        <item id='p' href='t/a%20b.xhtml' media-type='application/xhtml+xml'/></manifest><spine><itemref idref='p'/></spine></package>";
    let html = |body: &str| {
        format!(
            "<!DOCTYPE html PUBLIC '-//W3C//DTD XHTML 1.1//EN' 'x.dtd'><html><head><title>no</title></head><body>{body}</body></html>"
        )
    };
    zipped(&[
        ("META-INF/container.xml", container),
        ("O/a.opf", opf),
        ("O/nav.xhtml", &html(nav)),
        ("O/t/a b.xhtml", &html(page)),
    ])
}

#[test]
fn epub_gives_its_pages() {
    let page = "<h2>第一章&nbsp;雨</h2><div>  <p>他说\n  &ldquo;好&rdquo;。<br/>走了。</p><hr/><p></p>\
        <p>汉<ruby>字<rt>zi</rt></ruby></p><script>x()</script></div>";
    let ingested = ingest(&epub("", page)).unwrap();
    assert_eq!(ingested.text, "第一章\u{a0}雨\n他说 “好”。\n走了。\n\n\n汉字\n");
    assert_eq!((ingested.title.as_deref(), ingested.author.as_deref()), (Some("雨夜"), Some("沈舟")));
    assert_eq!(
        (ingested.paragraphs[0].role, ingested.paragraphs[3].role),
        (ParagraphRole::Heading(2), ParagraphRole::Rule)
    );
}

#[test]
fn pages_without_headings_are_named_by_the_contents() {
    let nav = "<nav><ol><li><a href='t/a%20b.xhtml'>第一章 雨</a></li></ol></nav>";
    let added = ingest(&epub(nav, "<p>他来了。</p>")).unwrap();
    assert_eq!((added.text.as_str(), added.paragraphs[0].role), ("第一章 雨\n他来了。\n", ParagraphRole::Heading(1)));
    assert_eq!(&added.text[added.paragraphs[1].range.clone()], "他来了。");
    let there = ingest(&epub(nav, "<p>第一章 雨</p><p>他来了。</p>")).unwrap();
    assert_eq!((there.text.as_str(), there.paragraphs[0].role), ("第一章 雨\n他来了。\n", ParagraphRole::Heading(1)));
}

#[test]
fn docx_readings_and_hidden_text_are_counted_and_faces_kept() {
    let run = |face: &str, text: &str| format!("<w:r><w:rPr>{face}</w:rPr><w:t>{text}</w:t></w:r>");
    let ruby = "<w:r><w:ruby><w:rt><w:r><w:t>dù</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>渡</w:t></w:r></w:rubyBase></w:ruby></w:r>";
    let body = format!(
        "<w:p>{}{}{ruby}{}<w:r><w:sym w:font='Wingdings' w:char='F04A'/></w:r>{}{}</w:p>",
        run("<w:vanish/>", "（此处删）"),
        run("<w:i/>", "他"),
        run("<w:i w:val='0'/>", "口"),
        run("<w:b/>", "开"),
        run("<w:u w:val='single'/>", "。")
    );
    let ingested = ingest(&docx(&body)).unwrap();
    assert_eq!(ingested.text, "他渡口开。\n");
    assert_eq!(ingested.paragraphs[0].marked.as_deref(), Some("*他*渡口**开**。"));
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| (one.what, one.count)).collect();
    assert_eq!(left_out, [(Extra::Hidden, 1), (Extra::Readings, 1), (Extra::Symbols, 1), (Extra::Emphasis, 1)]);
}

#[test]
fn a_docx_field_of_contents_is_no_chapter() {
    let field = |kind: &str| format!("<w:r><w:fldChar w:fldCharType='{kind}'/></w:r>");
    let line = |text: &str| format!("<w:p><w:r><w:t>{text}</w:t></w:r></w:p>");
    let body = format!(
        "{}<w:p>{}<w:r><w:instrText> TOC \\o </w:instrText></w:r>{}<w:r><w:t>第一章 渡口 1</w:t></w:r></w:p>{}<w:p>{}</w:p>{}{}{}{}",
        line("目录"),
        field("begin"),
        field("separate"),
        line("第二章 账本 9"),
        field("end"),
        line("第一章 渡口"),
        line("船不开。"),
        line("第二章 账本"),
        line("少了一页。")
    );
    let found =
        qingyu_formats::split(&ingest(&docx(&body)).unwrap(), &qingyu_formats::SplitOptions::default()).unwrap();
    let titles: Vec<&str> = found.chapters.iter().map(|chapter| chapter.title.as_str()).collect();
    assert_eq!((titles, found.title), (vec!["第一章 渡口", "第二章 账本"], None));
}

#[test]
fn epub_notes_are_counted_and_places_of_the_contents_are_headings() {
    let nav = "<nav><a href='t/a%20b.xhtml#c1'>Chapter 1 The Rain</a><a href='t/a%20b.xhtml#c2'>Chapter 2</a></nav>";
    let page = "<p id='c1'>CHAPTER 1</p><p>It <em>rained</em><a epub:type='noteref' href='#n'>1</a>.</p>\
        <div id='c2'><p>She left.</p></div><aside epub:type='footnote' id='n'><p>1. Often.</p></aside>";
    let ingested = ingest(&epub(nav, page)).unwrap();
    assert_eq!(ingested.text, "CHAPTER 1\nIt rained.\nChapter 2\nShe left.\n");
    let headings: Vec<bool> =
        ingested.paragraphs.iter().map(|one| matches!(one.role, ParagraphRole::Heading(_))).collect();
    assert_eq!(headings, [true, false, true, false]);
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| (one.what, one.count)).collect();
    assert_eq!(left_out, [(Extra::Notes, 1)]);
    assert_eq!(ingested.paragraphs[1].marked.as_deref(), Some("It *rained*."));
}

#[test]
fn the_chapters_below_an_imprint_on_one_page_are_chapters() {
    let anchor = |id: &str, label: &str| format!("<a href='t/a%20b.xhtml#{id}'>{label}</a>");
    for (front, one, two) in [("目录", "第一章 雨", "第二章 雪"), ("Copyright", "Chapter 1: Rain", "Chapter 2: Snow")]
    {
        let nav = format!("<nav>{}{}{}</nav>", anchor("f", front), anchor("a", one), anchor("b", two));
        let page =
            format!("<h1 id='f'>{front}</h1><p>2024</p><h1 id='a'>{one}</h1><p>雨。</p><p id='b'>{two}</p><p>雪。</p>");
        let ingested = ingest(&epub(&nav, &page)).unwrap();
        let headings: Vec<&str> = ingested
            .paragraphs
            .iter()
            .filter(|one| matches!(one.role, ParagraphRole::Heading(_)))
            .map(|one| &ingested.text[one.range.clone()])
            .collect();
        assert_eq!(headings, [one, two]);
        let is_front = |role: ParagraphRole| matches!(role, ParagraphRole::Contents | ParagraphRole::Front);
        assert_eq!(ingested.paragraphs.iter().filter(|one| is_front(one.role)).count(), 2);
    }
}

#[test]
fn headings_of_several_lines_are_one() {
    let ingested = ingest(&epub("", "<h2>CHAPTER I.<br/>The Rain</h2><p>It rained.<br/>Then not.</p>")).unwrap();
    assert_eq!(ingested.text, "CHAPTER I. The Rain\nIt rained.\nThen not.\n");
}

#[test]
fn marks_of_authors_in_markdown() {
    let text = "# 第一章\n\n他走了。<!-- 这里要改 -->\n\n<!-- TODO\n加一段 -->\n\n灯灭了。[^1]\n\n[^1]: 旧俗。\n\n~~旧~~门开了。\n";
    let ingested = ingest_named("a.md", text.as_bytes());
    assert_eq!(ingested.text, "第一章\n他走了。\n灯灭了。\n旧门开了。\n");
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| (one.what, one.count)).collect();
    assert_eq!(left_out, [(Extra::Comments, 2), (Extra::Notes, 1), (Extra::Emphasis, 1)]);
}

#[test]
fn odt_gives_its_headings_and_counts_the_rest() {
    let content = "<office:document-content xmlns:office='o' xmlns:text='t' xmlns:style='s' xmlns:fo='f'><office:automatic-styles>\
        <style:style style:name='T1'><style:text-properties fo:font-style='italic'/></style:style></office:automatic-styles>\
        <office:body><office:text><text:tracked-changes><text:changed-region><text:deletion><text:p>删</text:p></text:deletion>\
        </text:changed-region></text:tracked-changes><text:table-of-content><text:p>第一章 渡口 1</text:p></text:table-of-content>\
        <text:h text:outline-level='1'>第一章 渡口</text:h><text:p>他<text:span text:style-name='T1'>走</text:span>了。\
        <text:note><text:note-citation>1</text:note-citation><text:note-body><text:p>注</text:p></text:note-body></text:note>\
        <text:line-break/>门<text:s text:c='2'/>开着。</text:p></office:text></office:body></office:document-content>";
    let file = zipped(&[("mimetype", "application/vnd.oasis.opendocument.text"), ("content.xml", content)]);
    let ingested = ingest(&file).unwrap();
    assert_eq!(
        (ingested.format, ingested.text.as_str()),
        (Format::Odt, "第一章 渡口 1\n第一章 渡口\n他走了。\n门  开着。\n")
    );
    assert_eq!(
        (ingested.paragraphs[0].role, ingested.paragraphs[1].role),
        (ParagraphRole::Contents, ParagraphRole::Heading(1))
    );
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| (one.what, one.count)).collect();
    assert_eq!(left_out, [(Extra::Deletions, 1), (Extra::Notes, 1)]);
    assert_eq!(ingested.paragraphs[2].marked.as_deref(), Some("他*走*了。"));
}

#[test]
fn emphasis_stands_in_the_chapters() {
    let of = |ingested: &qingyu_formats::Ingested| {
        let found = qingyu_formats::split(ingested, &qingyu_formats::SplitOptions::default()).unwrap();
        found.chapters.into_iter().map(|chapter| format!("{}: {}", chapter.title, chapter.text)).collect::<Vec<_>>()
    };
    let markdown =
        "## One\n\nShe *thought\nof it* and **left**; <i>then</i> not.\n\n## *Two*\n\nNobody <b>came.\n\nStill.\n";
    assert_eq!(
        of(&ingest_named("a.md", markdown.as_bytes())),
        ["One: She *thought*\n*of it* and **left**; *then* not.", "Two: Nobody **came.**\nStill."]
    );
    let page = "<h2>第一章</h2><p>她想：<em>又来了。</em></p><p><b><i>门</i></b>开了<br/>。</p>";
    assert_eq!(of(&ingest(&epub("", page)).unwrap()), ["第一章: 她想：*又来了。*\n***门***开了\n。"]);
    let styled = "<w:p><w:pPr><w:pStyle w:val='Heading1'/></w:pPr><w:r><w:rPr><w:b/></w:rPr><w:t>第一章</w:t></w:r></w:p>\
        <w:p><w:r><w:t>他</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>没</w:t></w:r><w:r><w:rPr><w:b/><w:i/></w:rPr><w:t>来</w:t></w:r>\
        <w:r><w:rPr><w:b w:val='false'/></w:rPr><w:t>。</w:t></w:r></w:p>";
    assert_eq!(of(&ingest(&docx(styled)).unwrap()), ["第一章: 他**没*来***。"]);
    let rtf = r"{\rtf1{\stylesheet{\s1\outlinelevel0 heading 1;}}\pard\s1\b One\par\pard\plain He \i never\i0  came, {\b not {\i once}}.\par un\i do\i0 ne\par}";
    let ingested = ingest(rtf.as_bytes()).unwrap();
    assert_eq!(of(&ingested), ["One: He *never* came, **not** ***once***.\nundone"]);
    let left_out: Vec<_> = ingested.left_out.iter().map(|one| (one.what, one.count)).collect();
    assert_eq!(left_out, [(Extra::Emphasis, 1)]);
}
