//! The levels of a long book by the tables: volumes after the acts of a kind of story, arcs by their functions, and the
//! chapters of the next arc. Every number that is asked for is answered; nothing is left as a placeholder.

use qingyu_agents::context::{LevelContext, LevelMaterial, WorkContext};
use qingyu_agents::output::{ArcPlan, ArcsPlan, BookPlan, ChapterOutline, ChaptersPlan, LaterPlans, VolumePlan};
use qingyu_story::levels::PartSize;

use crate::beats::{other, table, told, with_foe};
use crate::draw::SeededDraw;
use crate::frame::{AnswerFrame, People};
use crate::outline::{choose_case, push_sentence, titled, usual_words};
use crate::person::carded;
use crate::tables::{BeatPhase, BeatTemplate, LevelTable};

/// The usual length of a volume, in chapters.
const VOLUME: u32 = 80;
/// The least usual length of an arc, in chapters.
const ARC: u32 = 12;

/// Returns the book and its volumes.
pub(crate) fn book(context: &LevelContext) -> BookPlan {
    let shown = &context.shown;
    let mut frame = frame_of(context);
    let (shape, table) = (frame.brief.shape, table(shown.language));
    let title = frame.draw.one(&shape.titles).clone();
    let title = titled(&frame.text(&title), shown.language);
    let parts = parts(shown.first, shown.last, shown.sizes.volume, usual_volumes(shown));
    let acts = shape.acts.len() as u32;
    // The act of a volume follows from its place in the whole book.
    let act = |(first, last): &(u32, u32)| ((first + last) / 2 - 1) * acts / shown.length.max(1);
    let mut volumes: Vec<VolumePlan> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let place = act(part).min(acts - 1);
        let template = &shape.acts[place as usize];
        let is_same = index > 0 && act(&parts[index - 1]).min(acts - 1) == place;
        let other = other(&frame, part.0);
        let said = |frame: &AnswerFrame, list: &[String]| {
            frame.text_with(&list[(part.0 as usize / 7 + index) % list.len()], Some(&other), &[])
        };
        volumes.push(VolumePlan {
            first: part.0,
            last: part.1,
            name: match is_same {
                true => frame.text_with(&table.volume_continues, None, &[("name", &template.name)]),
                false => template.name.clone(),
            },
            description: frame.text(&template.text),
            goal: frame.text(&template.goal),
            opposition: frame.text(&table.volume_opposition),
            price: said(&frame, &table.volume_price),
            reveals: vec![said(&frame, &table.volume_reveals)],
        });
    }
    let last_act = &shape.acts[shape.acts.len() - 1];
    // The expectations of the genre's readers take precedence over the table.
    let rhythm = context.genres.first().map_or(&shape.style.rhythm, |genre| &genre.tension);
    BookPlan {
        title,
        course: frame.text(&shape.summary),
        ending: frame.text(&last_act.text),
        themes: frame.brief.said.theme.clone().into_iter().chain([frame.brief.genre()]).collect(),
        rhythm: frame.text_with(&table.book_rhythm, None, &[("rhythm", rhythm)]),
        volumes,
        reasoning: vec![frame.user_words(), frame.draws()],
    }
}

/// Returns the arcs of a volume.
pub(crate) fn arcs(context: &LevelContext) -> ArcsPlan {
    let shown = &context.shown;
    let frame = frame_of(context);
    let functions = &table(shown.language).functions;
    let usual = usual_arcs(shown.first, shown.last, shown.sizes.arc);
    let parts = parts(shown.first, shown.last, shown.sizes.arc, usual);
    let begin = shown.first as usize / ARC as usize;
    let arc = |(index, part): (usize, &(u32, u32))| {
        // The last arc of a volume decides it; the others go through the other functions in turn.
        let is_last = index + 1 == parts.len() && parts.len() > 1;
        let at = if is_last { functions.len() - 1 } else { (begin + index) % (functions.len() - 1) };
        let (template, other) = (&functions[at], other(&frame, part.0));
        let say = |text: &str| frame.text_with(text, Some(&other), &[]);
        ArcPlan {
            first: part.0,
            last: part.1,
            name: template.name.clone(),
            description: say(&template.text),
            function: template.name.clone(),
            hook: say(&template.hook),
            turns: template.turns.iter().map(|turn| say(turn)).collect(),
            payoff: say(&template.payoff),
        }
    };
    ArcsPlan { arcs: parts.iter().enumerate().map(arc).collect(), reasoning: vec![frame.draws()] }
}

/// Returns chapters of an arc.
pub(crate) fn chapters(context: &LevelContext) -> ChaptersPlan {
    let shown = &context.shown;
    let frame = frame_of(context);
    let part = shown.part_first.to_string();
    let mut draw = SeededDraw::new(&[&frame.brief.quote, "outline", "beats", &part]);
    let beats = ArcBeats::drawn(table(shown.language), &mut draw);
    let chapters = shown.numbers.iter().map(|number| chapter(&frame, &beats, shown, *number)).collect();
    ChaptersPlan { chapters, reasoning: vec![frame.draws()] }
}

/// Returns no changes: rules cannot judge what a text has made impossible.
pub(crate) fn later() -> LaterPlans {
    LaterPlans::default()
}

/// The chapters of one arc, drawn once.
struct ArcBeats {
    open: &'static BeatTemplate,
    middle: Vec<&'static BeatTemplate>,
    close: &'static BeatTemplate,
}

impl ArcBeats {
    fn drawn(table: &'static LevelTable, draw: &mut SeededDraw) -> Self {
        let middle = table.of_phase(BeatPhase::Middle);
        Self {
            open: *draw.one(&table.of_phase(BeatPhase::Open)),
            middle: draw.shuffled(&middle).into_iter().copied().collect(),
            close: *draw.one(&table.of_phase(BeatPhase::Close)),
        }
    }

    fn of(&self, shown: &LevelMaterial, number: u32) -> &'static BeatTemplate {
        match number {
            number if number == shown.part_first => self.open,
            number if number == shown.part_last => self.close,
            number => self.middle[(number - shown.part_first - 1) as usize % self.middle.len()],
        }
    }
}

fn chapter(frame: &AnswerFrame, beats: &ArcBeats, shown: &LevelMaterial, number: u32) -> ChapterOutline {
    let node = told(frame, beats.of(shown, number), number as usize);
    let promise = frame.text_with(&beats.open.hook, Some(&other(frame, shown.part_first)), &[]);
    let (is_first, is_last) = (number == shown.part_first, number == shown.part_last);
    let mut description = node.description;
    let said = &frame.brief.said;
    let mut add = |sentence: String| push_sentence(&mut description, &sentence, shown.language);
    // The author's requests belong in the first chapters of the book.
    if number == 1 {
        let words = [(&frame.phrases.begins, "event", &said.event), (&frame.phrases.set_in, "place", &said.place)];
        for (phrase, key, word) in words {
            if let Some(word) = word {
                add(frame.text_with(phrase, None, &[(key, word)]));
            }
        }
    }
    if let Some(must) = (number as usize).checked_sub(2).and_then(|index| said.musts.get(index)) {
        add(frame.text_with(&frame.phrases.must, None, &[("must", must)]));
    }
    ChapterOutline {
        number,
        name: node.name,
        description,
        goal: node.goal,
        function: match (is_first, is_last) {
            (true, _) => frame.text(&shown.function),
            _ => String::new(),
        },
        hook: node.hook,
        participants: node.participants,
        location: node.location,
        plants: if is_first && !is_last { vec![promise.clone()] } else { Vec::new() },
        pays: if is_last && !is_first { vec![promise] } else { Vec::new() },
        words: Some(usual_words(&frame.brief)),
        tension: Some(tension(number - shown.part_first, is_first, is_last)),
        ..ChapterOutline::default()
    }
}

/// Returns the tension of the chapter at `place` of its arc: it rises in steps, with a breath between them, to the end.
fn tension(place: u32, is_first: bool, is_last: bool) -> u8 {
    const STEPS: [u8; 4] = [5, 6, 7, 4];
    match (is_first, is_last) {
        (_, true) => 8,
        (true, _) => 4,
        _ => STEPS[place as usize % STEPS.len()],
    }
}

/// Returns the frame of an answer: equal for all calls about one book.
fn frame_of(context: &LevelContext) -> AnswerFrame {
    let shown = &context.shown;
    let work = WorkContext {
        requirement: shown.requirement.clone(),
        language: shown.language,
        story: context.story.clone(),
        ..WorkContext::default()
    };
    let cards = work.story.characters.iter().map(|card| carded(card, work.language)).collect();
    let mut frame = AnswerFrame::new(&work, "outline", People::Needed(cards));
    frame.draw = SeededDraw::new(&[&frame.brief.quote, "outline", "structure"]);
    choose_case(&mut frame);
    with_foe(&mut frame);
    frame
}

/// Returns the number of volumes: what the author says, otherwise as many as have nearly the usual length, within the size
/// that is suggested.
fn usual_volumes(shown: &LevelMaterial) -> u32 {
    let count = (shown.last + 1).saturating_sub(shown.first).max(1);
    let each = VOLUME.max(shown.sizes.volume.least).min(shown.sizes.volume.most).max(1);
    shown.sizes.volumes.unwrap_or((count + each / 2) / each).clamp(1, count)
}

/// Returns the number of arcs of a volume.
fn usual_arcs(first: u32, last: u32, size: PartSize) -> u32 {
    let count = last + 1 - first;
    (count / ARC).max(count.div_ceil(size.most.max(1)))
}

/// Returns parts of the size that the author says, the last smaller; otherwise `usual` parts of nearly equal length.
fn parts(first: u32, last: u32, size: PartSize, usual: u32) -> Vec<(u32, u32)> {
    let each = usize::try_from((size.least + size.most).div_ceil(2).max(1)).unwrap_or(usize::MAX);
    if size.is_said {
        return (first..=last).step_by(each).map(|from| (from, last.min(from + each as u32 - 1))).collect();
    }
    divided(first, last, usual.max(1))
}

/// Divides the chapters `first` to `last` into `parts` of nearly equal length.
fn divided(first: u32, last: u32, parts: u32) -> Vec<(u32, u32)> {
    let count = last + 1 - first;
    let end = |part: u32| first + count * part / parts;
    (0..parts).map(|part| (end(part), end(part + 1) - 1)).collect()
}

#[cfg(test)]
mod tests {
    use qingyu_story::Language;

    use super::*;

    #[test]
    fn parts_hold_every_chapter_once() {
        for count in 1..400 {
            let parts = divided(5, 4 + count, (count / ARC).max(1));
            assert_eq!((parts[0].0, parts[parts.len() - 1].1), (5, 4 + count));
            assert!(parts.windows(2).all(|pair| pair[0].1 + 1 == pair[1].0));
            let sizes = parts.iter().map(|(first, last)| last + 1 - first);
            assert!(sizes.clone().all(|size| size < 2 * ARC && (size >= 10 || count < 10)), "{count}: {parts:?}");
        }
    }

    #[test]
    fn a_suggested_size_of_volumes_is_followed() {
        let volumes = |least, most| {
            let mut shown = LevelMaterial { first: 1, last: 120, ..LevelMaterial::default() };
            shown.sizes.volume = PartSize { least, most, is_said: false };
            usual_volumes(&shown)
        };
        assert_eq!((volumes(50, 150), volumes(30, 30), volumes(20, 40)), (2, 4, 3));
    }

    #[test]
    fn parts_of_every_length_are_accepted() {
        for length in 1..=2_000 {
            let story = qingyu_story::Story::default();
            let sizes = qingyu_story::levels::LevelSizes::of(&story, length);
            let shown = LevelMaterial {
                requirement: "写一部悬疑".into(),
                length,
                sizes,
                first: 1,
                last: length,
                ..LevelMaterial::default()
            };
            let volumes = parts(1, length, sizes.volume, usual_volumes(&shown));
            let (least, _) = sizes.volume_limits();
            assert!(volumes.iter().all(|(first, last)| last + 1 - first >= least), "{length}: {volumes:?}");
            for (first, last) in volumes {
                let arcs = parts(first, last, sizes.arc, usual_arcs(first, last, sizes.arc));
                let (least, most) = sizes.arc_limits();
                let is_fit = |(first, last): &(u32, u32)| (least..=most).contains(&(last + 1 - first));
                assert!(arcs.len() == 1 || arcs.iter().all(is_fit), "{length}: {arcs:?}");
                assert!(arcs[0].1 + 1 - arcs[0].0 <= most, "{length}: {arcs:?}");
            }
        }
    }

    #[test]
    fn the_author_says_how_long_the_parts_are() {
        let said = |least, most| PartSize { least, most, is_said: true };
        assert_eq!(parts(1, 12, said(5, 5), 1), [(1, 5), (6, 10), (11, 12)]);
        assert_eq!(parts(3, 20, said(4, 8), 1), [(3, 8), (9, 14), (15, 20)]);
        assert_eq!(parts(1, 60, PartSize { least: 13, most: 27, is_said: false }, 3), [(1, 20), (21, 40), (41, 60)]);
    }

    #[test]
    fn every_template_is_filled() {
        let shown = LevelMaterial {
            requirement: "a romance of 300 chapters".into(),
            language: Language::En,
            length: 300,
            first: 1,
            last: 300,
            ..LevelMaterial::default()
        };
        for (language, requirement) in [(Language::Zh, "写一部三百章的爱情小说"), (Language::En, "a romance")]
        {
            let shown = LevelMaterial { language, requirement: requirement.into(), ..shown.clone() };
            let context = LevelContext { shown, ..LevelContext::default() };
            let frame = frame_of(&context);
            for beat in &table(language).beats {
                let node = told(&frame, beat, 1);
                let texts = [&node.name, &node.description, &node.goal, &node.hook];
                assert!(texts.iter().all(|text| qingyu_story::placeholders(text).is_empty()), "{node:?}");
                assert!(node.location.is_some() && !node.participants.is_empty(), "{node:?}");
            }
            let made = [serde_json::to_string(&book(&context)), serde_json::to_string(&arcs(&context))];
            for made in made {
                assert!(qingyu_story::placeholders(&made.unwrap()).is_empty());
            }
        }
    }
}
