//! Promises that are not kept, or kept before they are given.

use qingyu_story::{Promise, Story};

use super::super::book::Book;
use super::super::{Kind, Planted};

/// The ids of an early and a late chapter.
fn chapters(book: &Book<'_>) -> Option<(String, String)> {
    let (early, late) = book.pair()?;
    let (mut first, mut last) = (early.outline_node.clone()?, late.outline_node.clone()?);
    if first == last {
        let place = book.story.outline_nodes.iter().position(|node| node.id == first)?;
        match book.story.outline_nodes.get(place + 1) {
            Some(next) => last.clone_from(&next.id),
            None => first = book.story.outline_nodes[place - 1].id.clone(),
        }
    }
    Some((first, last))
}

fn name(book: &Book<'_>) -> &'static str {
    book.say("第七封信的下落", "the fate of the seventh lantern")
}

fn with(book: &Book<'_>, planted: &[&str], due: Option<&str>, paid: &[&str]) -> Story {
    let texts = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let promise = Promise {
        id: "promise-90".into(),
        name: name(book).into(),
        planted: texts(planted),
        due: due.map(str::to_owned),
        paid: texts(paid),
        importance: 5,
        ..Promise::default()
    };
    book.with(|story| story.promises.push(promise))
}

/// What is planted in one chapter and paid in another, in the outline.
fn outline(book: &Book<'_>, plants: Option<&str>, pays: Option<&str>, words: [&str; 2]) -> Story {
    book.with(|story| {
        for node in &mut story.outline_nodes {
            if Some(node.id.as_str()) == plants {
                node.plants.push(words[0].to_owned());
            }
            if Some(node.id.as_str()) == pays {
                node.pays.push(words[1].to_owned());
            }
        }
    })
}

pub(crate) fn kinds() -> Vec<Kind> {
    vec![
        Kind {
            name: "paid_unplanted",
            codes: &["QY701"],
            plant: |book| {
                let (_, late) = chapters(book)?;
                Planted::of(outline(book, None, Some(&late), ["", name(book)]), &[node(book, &late)?])
            },
            twins: |book| {
                let Some((early, late)) = chapters(book) else { return Vec::new() };
                let words = [name(book), book.say("第七封信到底下落如何", "the fate of that seventh lantern")];
                vec![("in other words", outline(book, Some(&early), Some(&late), words))]
            },
        },
        Kind {
            name: "planted_unpaid",
            codes: &["QY702"],
            plant: |book| {
                let (early, _) = chapters(book)?;
                Planted::of(outline(book, Some(&early), None, [name(book), ""]), &[node(book, &early)?])
            },
            twins: |book| {
                let Some((early, _)) = chapters(book) else { return Vec::new() };
                vec![("in one chapter", outline(book, Some(&early), Some(&early), [name(book), name(book)]))]
            },
        },
        Kind {
            name: "paid_too_early",
            codes: &["QY703"],
            plant: |book| {
                let (early, late) = chapters(book)?;
                Planted::of(outline(book, Some(&late), Some(&early), [name(book), name(book)]), &[node(book, &early)?])
            },
            twins: |book| {
                let Some((early, late)) = chapters(book) else { return Vec::new() };
                vec![("in order", outline(book, Some(&early), Some(&late), [name(book), name(book)]))]
            },
        },
        Kind {
            name: "promise_never_paid",
            codes: &["QY704"],
            plant: |book| {
                let (early, late) = chapters(book)?;
                let due = book.pick(&[Some(late.as_str()), None])?;
                Planted::of(with(book, &[&early], due, &[]), &[name(book)])
            },
            twins: |book| {
                let Some((early, late)) = chapters(book) else { return Vec::new() };
                let title = book.story.documents.last().map(|document| document.title.clone()).unwrap_or_default();
                let unwritten = {
                    let mut story = with(book, &[&early], None, &[]);
                    story.documents.truncate(story.documents.len() - 2);
                    let kept: Vec<String> = story.documents.iter().map(|document| document.id.clone()).collect();
                    for fact in &mut story.facts {
                        fact.source = fact.source.take().filter(|source| kept.contains(&source.document));
                    }
                    story
                };
                vec![
                    ("paid", with(book, &[&early], Some(&late), &[&late])),
                    ("paid in a text", with(book, &[&early], None, &[&title])),
                    ("only planned", with(book, &[], None, &[])),
                    ("not yet written", unwritten),
                ]
            },
        },
        Kind {
            name: "promise_overdue",
            codes: &["QY705"],
            plant: |book| {
                let (early, late) = chapters(book)?;
                Planted::of(with(book, &[&early], Some(&early), &[&late]), &[name(book)])
            },
            twins: |book| {
                let Some((early, late)) = chapters(book) else { return Vec::new() };
                vec![
                    ("in time", with(book, &[&early], Some(&late), &[&early])),
                    ("once in time", with(book, &[&early], Some(&early), &[&early, &late])),
                ]
            },
        },
        Kind {
            name: "promise_paid_first",
            codes: &["QY706"],
            plant: |book| {
                let (early, late) = chapters(book)?;
                let planted: &[&str] = &[&late];
                let planted = book.pick(&[planted, &[]])?;
                Planted::of(with(book, planted, None, &[&early]), &[name(book)])
            },
            twins: |book| {
                let Some((early, late)) = chapters(book) else { return Vec::new() };
                vec![
                    ("in one chapter", with(book, &[&early], None, &[&early])),
                    ("planted again", with(book, &[&early, &late], None, &[&early, &late])),
                ]
            },
        },
    ]
}

/// The name of a chapter by its id.
fn node<'s>(book: &Book<'s>, id: &str) -> Option<&'s str> {
    book.story.outline_nodes.iter().find(|node| node.id == id).map(|node| node.name.as_str())
}
