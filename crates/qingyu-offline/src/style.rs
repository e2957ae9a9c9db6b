//! The style guide: conventions of the kind of story, with the user's demands among the rules.

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::StyleWork;
use qingyu_story::{Language, StyleGuide};

use crate::frame::{AnswerFrame, People};

/// Returns the style guide.
pub(crate) fn make(work: &WorkContext) -> StyleWork {
    let frame = AnswerFrame::new(work, "style", People::Needed(Vec::new()));
    let style = &frame.brief.shape.style;
    let demand = |template: &str, word: &str| frame.text_with(template, None, &[("word", word)]);
    let mut guidelines: Vec<String> = style.rules.iter().map(|rule| frame.text(rule)).collect();
    guidelines.push(demand(&frame.phrases.imagery, &frame.brief.setting.imagery));
    guidelines.extend(work.preferences.iter().cloned());
    guidelines.extend(frame.brief.said.theme.iter().map(|theme| demand(&frame.phrases.theme_rule, theme)));
    guidelines.extend(frame.brief.said.musts.iter().map(|must| demand(&frame.phrases.asked, must)));
    let mut taboos: Vec<String> = style.taboos.iter().map(|taboo| frame.text(taboo)).collect();
    taboos.extend(frame.brief.said.avoid.iter().map(|word| demand(&frame.phrases.avoided, word)));
    let guide = StyleGuide {
        point_of_view: style.view.clone(),
        tense: if work.language == Language::En { "past".into() } else { String::new() },
        tone: style.tone.clone(),
        rhythm: frame.text(&style.rhythm),
        dialogue: frame.text(&style.dialogue),
        guidelines,
        taboos,
    };
    StyleWork { style: guide, reasoning: vec![frame.user_words(), frame.text(&frame.phrases.style_reason)] }
}
