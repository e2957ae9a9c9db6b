use super::*;
use crate::read::manuscript::SourceParagraph;

type RtfProperties = (Vec<(String, ParagraphRole)>, Vec<(Extra, usize)>, Option<String>);

fn told(rtf: &str) -> RtfProperties {
    let ingested = read(rtf.as_bytes(), &FileLimits::default()).unwrap();
    let paragraph = |one: &SourceParagraph| (ingested.text[one.range.clone()].to_owned(), one.role);
    let lines = ingested.paragraphs.iter().map(paragraph).filter(|(text, _)| !text.is_empty()).collect();
    let left = ingested.left_out.iter().map(|left| (left.what, left.count)).collect();
    (lines, left, ingested.title)
}

#[test]
fn chinese_in_bytes_and_in_unicode() {
    let rtf = r"{\rtf1\ansi\ansicpg936{\fonttbl{\f0\fcharset134 SimSun;}{\f1\fcharset0 Times;}}{\colortbl;\red0;}
{\stylesheet{\s0 Normal;}{\s1\outlinelevel0 heading 1;}}{\info{\title \'ba\'d3\'b5\'c6}{\author A}}
\pard\s1\f0 \'b5\'da\'d2\'bb\'d5\'c2\par
\pard\plain\f1 {\b He} left.\u8212 ?\u12300 ?\u-2507 ?\line\f0\'cb\'fb\'d7\'df\'c1\'cb\'a1\'a3\par}";
    let (lines, left, title) = told(rtf);
    let texts: Vec<(&str, ParagraphRole)> = lines.iter().map(|(text, role)| (text.as_str(), *role)).collect();
    assert_eq!(
        texts,
        [
            ("第一章", ParagraphRole::Heading(1)),
            ("He left.—「\u{f635}", ParagraphRole::Text),
            ("他走了。", ParagraphRole::Text)
        ]
    );
    assert_eq!((left, title.as_deref()), (Vec::new(), Some("河灯")));
}

#[test]
fn what_is_no_text_is_counted() {
    let rtf = r"{\rtf1\ansi One{\footnote a note}{\*\annotation a word}{\*\unknown x} two{\pict 00ff}{\v hidden} three\u-10179 ?\u-8704 ?\par}";
    let (lines, left, _) = told(rtf);
    assert_eq!(lines, [("One two three😀".to_owned(), ParagraphRole::Text)]);
    let known: Vec<Extra> = left.into_iter().map(|(what, _)| what).collect();
    assert_eq!(known, [Extra::Notes, Extra::Comments, Extra::Pictures, Extra::Hidden]);
}

#[test]
fn broken_files_are_read_as_far_as_they_go() {
    let truncated = |rtf: &str| read(rtf.as_bytes(), &FileLimits::default()).unwrap().truncated;
    assert_eq!(truncated("{\\rtf1 }}}} x"), []);
    assert_eq!(truncated("{\\rtf1 text}\n\0"), []);
    for rtf in [
        "{\\rtf1 text",
        "{\\rtf1 text\\par",
        "{\\rtf1 text\\u-25",
        "{\\rtf1 text\\'",
        "{\\rtf1{\\b text{\\pict 00ff",
        "{\\rtf1\\ansicpg936 text\\'b5",
    ] {
        let expected = Truncation { place: None, characters: 4, last: "text".into() };
        assert_eq!(truncated(rtf), [expected], "{rtf}");
    }
    for rtf in [
        "{\\rtf1",
        "{\\rtf1 \\u",
        "{\\rtf1 \\'",
        "{\\rtf1 \\bin99999999999 x}",
        "{\\rtf1\\u-10179 ",
        "{\\rtf1{\\info{\\title x",
    ] {
        let error = read(rtf.as_bytes(), &FileLimits::default()).unwrap_err();
        let is_told = matches!(&error, Error::Damaged { message, .. } if message.contains("in the middle"));
        assert!(is_told, "{rtf}: {error}");
    }
    assert!(read("{".repeat(5000).as_bytes(), &FileLimits::default()).is_err());
}
