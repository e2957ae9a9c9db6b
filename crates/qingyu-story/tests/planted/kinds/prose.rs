//! Slips of the prose itself.

use qingyu_story::Story;

use super::super::book::Book;
use super::super::{Kind, Planted};

/// The story with a text before the rest of a chapter, as a paragraph of its own.
fn begin(book: &Book<'_>, chapter: usize, text: &str) -> Story {
    book.with(|story| {
        let document = &mut story.documents[chapter];
        document.text = format!("{text}\n{}", document.text);
    })
}

/// The story with a text added to a chapter, as a paragraph of its own.
fn add(book: &Book<'_>, chapter: usize, text: &str) -> Story {
    book.with(|story| {
        let document = &mut story.documents[chapter];
        document.text.push('\n');
        document.text.push_str(text);
    })
}

/// The text at both ends of the distance.
fn add_twice(book: &Book<'_>, text: &str) -> Option<(String, Story)> {
    let (early, late) = book.pair()?;
    let place = |event: &qingyu_story::TimelineEvent| {
        book.story.documents.iter().position(|text| text.outline_node == event.outline_node)
    };
    let (first, mut second) = (place(early)?, place(late)?);
    if first == second {
        second = if first > 0 { first - 1 } else { first + 1 };
    }
    let mut story = add(book, first, text);
    let more = book.say("风停了。", "The wind dropped.");
    story.documents[second].text.push_str(&format!("\n{text}\n{more}"));
    story.documents[first].text.push_str(&format!("\n{more}"));
    Some((story.documents[second].title.clone(), story))
}

fn title<'s>(book: &Book<'s>, chapter: usize) -> &'s str {
    &book.story.documents[chapter].title
}

/// A kind that is one piece of text in one chapter, and a twin that is another.
fn check(book: &Book<'_>, text: &str) -> Option<Planted> {
    let chapters: Vec<usize> = (0..book.story.documents.len()).collect();
    let chapter = book.pick(&chapters)?;
    Planted::of(begin(book, chapter, text), &[title(book, chapter)])
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "sentence_twice",
            codes: &["QS011", "QS012", "QS062"],
            plant: |book| {
                let text = book.say(
                    "旧渡口的石阶上长满了青苔，每一级都留着被绳索磨出来的深深凹痕。",
                    "The worn steps of the old landing were green with weed, and every one of them was grooved by forgotten ropes.",
                );
                let (title, story) = add_twice(book, text)?;
                Planted::of(story, &[&title])
            },
            twins: |book| {
                let text = book.say("他点了点头。", "He nodded once.");
                add_twice(book, text).map(|(_, story)| ("short", story)).into_iter().collect()
            },
        },
        Kind {
            name: "doubled_marks",
            codes: &["QS043", "QS047"],
            plant: |book| {
                check(book, book.say("他推开门，，外面没有人。", "He opened the the door and found nobody there."))
            },
            twins: |book| vec![("a tone", add(book, 0, book.say("他喊道：“谁！！”", "\"Who is there?!\" he cried.")))],
        },
        Kind {
            name: "half_width",
            codes: &["QS041", "QS048"],
            plant: |book| {
                check(book, book.say("他推开门,外面没有人。", "He opened the door , and found nobody there."))
            },
            twins: |book| vec![("numbers", add(book, 0, book.say("那一年是1,200年。", "It cost .5 of a mark.")))],
        },
        Kind {
            name: "placeholder",
            codes: &["QS073"],
            plant: |book| check(book, book.say("TODO 这里补一段打斗。", "TODO write the fight here.")),
            twins: |book| vec![("a gap of the draft", add(book, 0, "〔待写〕"))],
        },
        Kind {
            name: "markup",
            codes: &["QS072"],
            plant: |book| check(book, book.say("## 第二节\n他走了。", "## Part two\nHe went away.")),
            twins: |book| vec![("a break", add(book, 0, book.say("***\n他走了。", "***\nHe went away.")))],
        },
        Kind {
            name: "machine_talk",
            codes: &["QS071"],
            plant: |book| {
                let text = book.say(
                    "作为一个人工智能语言模型，我无法继续写下去。",
                    "As an AI language model, I cannot continue this scene.",
                );
                check(book, text)
            },
            twins: |_| Vec::new(),
        },
        Kind {
            name: "broken_seam",
            codes: &["QS061"],
            plant: |book| {
                let chapter = 1;
                let text = book.say("他刚要开口，", "He was about to speak,");
                Planted::of(add(book, chapter, text), &[title(book, chapter)])
            },
            twins: |book| vec![("trails off", add(book, 1, book.say("他刚要开口……", "He was about to speak...")))],
        },
        Kind {
            name: "unbalanced_quotes",
            codes: &["QS042"],
            plant: |book| check(book, book.say("他说：“我明天再来。", "He said, \"I shall come again tomorrow.")),
            twins: |book| {
                vec![(
                    "closed",
                    add(book, 0, book.say("他说：“我明天再来。”", "He said, \"I shall come again tomorrow.\"")),
                )]
            },
        },
    ]
}
