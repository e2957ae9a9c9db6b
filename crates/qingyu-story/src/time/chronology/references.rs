//! Times that are told from an event, and which event that is.

use crate::names::Names;
use crate::piece::PieceKind;
use crate::time::{Moment, Relative, Shift, parse, relative};
use crate::{Mode, TimelineEvent};

/// What the words of an event say of its time.
#[derive(Debug, Default)]
pub(super) struct Told<'s> {
    /// The date and its words.
    pub(super) date: Option<(Moment, &'s str)>,
    /// A time told from another event, the field and the words that tell it, and the event, if they name it.
    pub(super) relative: Option<(Relative, &'static str, &'s str, Option<usize>)>,
}

/// Reads the timestamp of `event`, and how its description begins.
pub(super) fn told<'s>(event: &'s TimelineEvent, names: &Names) -> Told<'s> {
    let text = event.timestamp.trim();
    let mut told = one(text, names);
    if told.date.is_none() && told.relative.is_none() {
        // `三天后（2077-03-08）`: two ways to tell one time.
        for (at, separator) in text.match_indices(['，', ',', '（', '(']) {
            let trim = |part: &'s str| part.trim_matches(['，', ',', '（', '(', '）', ')', ' ']);
            let (first, second) = (one(trim(&text[..at]), names), one(trim(&text[at + separator.len()..]), names));
            let both = Told { date: first.date.or(second.date), relative: first.relative.or(second.relative) };
            if both.date.is_some() && both.relative.is_some() {
                told = both;
                break;
            }
        }
    }
    if told.relative.is_none() && event.mode == Mode::Narrated {
        told.relative = opening(event);
    }
    told
}

fn one<'s>(text: &'s str, names: &Names) -> Told<'s> {
    if let Some(moment) = parse(text).moment() {
        return Told { date: Some((moment, text)), relative: None };
    }
    let told = relative(text).map(|time| (time, None)).or_else(|| named(text, names));
    Told { date: None, relative: told.map(|(time, event)| (time, "timestamp", text, event)) }
}

/// `三天后，…` or `The next morning, …` at the beginning of the description.
fn opening(event: &TimelineEvent) -> Option<(Relative, &'static str, &str, Option<usize>)> {
    const LONGEST: usize = 40;
    let text = event.description.trim_start();
    let end = text.char_indices().take(LONGEST).find(|(_, c)| matches!(c, '，' | ','))?.0;
    let time = relative(&text[..end])?;
    let is_later = match time.shift {
        Shift::Days { least, .. } | Shift::Between { least, .. } => least >= 0,
        Shift::Later => false,
    };
    is_later.then_some((time, "description", &text[..end], None))
}

/// `审讯三天后`, `the day after the Trial`: a time told from an event that is named.
fn named(text: &str, names: &Names) -> Option<(Relative, Option<usize>)> {
    const LONGEST: usize = 120;
    if text.len() > LONGEST {
        return None;
    }
    let event = |name: &str| {
        let name = name.trim_matches(['的', ' ', '“', '”', '"', '\'', '「', '」', '《', '》']);
        let bare = name.strip_prefix("the ").unwrap_or(name);
        let named = names.resolve(PieceKind::Event, name).or_else(|| names.resolve(PieceKind::Event, bare))?;
        Some(named.position)
    };
    let before = |(at, _): (usize, char)| Some((relative(&text[at..])?, event(&text[..at])?));
    let after = |(word, way): (&str, &str)| {
        let (head, name) = text.split_once(word)?;
        let time = relative(&format!("{head} {way}")).or_else(|| {
            relative(&format!("the next {}", head.trim().trim_start_matches("the "))).filter(|_| way == "later")
        })?;
        Some((time, event(name)?))
    };
    let found = text.char_indices().skip(1).find_map(before);
    let found = found.or_else(|| [(" after ", "later"), (" before ", "earlier")].into_iter().find_map(after));
    found.map(|(time, event)| (time, Some(event)))
}
