//! Seams between separately written scenes.

use qingyu_story::excerpt::{beginning, ending};
use qingyu_story::{Config, Document, Severity, Story, check};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fix::Fix;
use super::review::ChapterFinding;

/// Number of characters examined on either side of a seam.
pub(crate) const SIDE: usize = 300;

/// A seam, as shown to the model.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub(crate) struct Seam {
    /// Number of the seam, from 1.
    pub(crate) number: u32,
    /// End of the scene before.
    pub(crate) before: String,
    /// Beginning of the scene after.
    pub(crate) after: String,
    /// Finding of a rule; empty by default.
    pub(crate) rule: String,
}

/// The answer of `chapter.seams`.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct SeamVerdicts {
    /// A verdict for every seam.
    pub(crate) seams: Vec<SeamVerdict>,
}

/// Whether a seam holds.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct SeamVerdict {
    /// The number of the seam.
    pub(crate) number: u32,
    /// Whether one scene goes on from the other.
    pub(crate) holds: bool,
    /// Why not.
    pub(crate) why: String,
    /// What mends it: words that stand at the seam, and what is to stand there instead.
    pub(crate) fixes: Vec<SeamFix>,
}

/// A change at a seam.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub(crate) struct SeamFix {
    /// The words that stand there, exactly.
    pub(crate) find: String,
    /// The words that are to stand there instead.
    pub(crate) with: String,
}

/// Returns the seams between the scenes starting at these byte offsets, the first at 0.
pub(crate) fn seams(text: &str, starts: &[usize], story: &Story) -> Vec<Seam> {
    let ends = starts.iter().copied().skip(1).chain([text.len()]);
    let scenes: Vec<&str> = starts.iter().zip(ends).map(|(start, end)| text.get(*start..end).unwrap_or("")).collect();
    let pairs = (1..).zip(scenes.windows(2));
    pairs
        .map(|(number, pair)| Seam {
            number,
            before: ending(pair[0], SIDE).to_owned(),
            after: beginning(pair[1], SIDE).trim_end().to_owned(),
            rule: broken(pair[0], pair[1], story),
        })
        .collect()
}

/// Returns the finding of the seam rule for two scenes.
fn broken(before: &str, after: &str, story: &Story) -> String {
    let document = |order: u32, text: &str| Document {
        id: format!("d-{order}"),
        title: format!("d-{order}"),
        order,
        text: text.to_owned(),
        ..Document::default()
    };
    let both = Story {
        language: story.language,
        documents: vec![document(1, before), document(2, after)],
        ..Story::default()
    };
    let found = check(&both, &Config::only("QS061", Severity::Medium));
    found.into_iter().next().map(|issue| issue.root_cause).unwrap_or_default()
}

/// Returns the fixes of broken seams, with findings to validate their places.
pub(crate) fn fixes(seams: &[Seam], verdicts: SeamVerdicts) -> (Vec<Fix>, Vec<ChapterFinding>) {
    let finding = |quote: &String| ChapterFinding { quote: quote.clone(), ..ChapterFinding::default() };
    let findings: Vec<ChapterFinding> =
        seams.iter().flat_map(|seam| [finding(&seam.before), finding(&seam.after)]).collect();
    let mut fixes = Vec::new();
    for verdict in verdicts.seams.into_iter().filter(|verdict| !verdict.holds) {
        let Some(place) = seams.iter().position(|seam| seam.number == verdict.number) else { continue };
        for SeamFix { find, with } in verdict.fixes.into_iter().take(2) {
            let side = usize::from(!seams[place].before.contains(&find));
            let issue = u32::try_from(place * 2 + side + 1).unwrap_or(u32::MAX);
            fixes.push(Fix { find, with, issue });
        }
    }
    (fixes, findings)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::writing::fix::mend;

    #[test]
    fn a_scene_that_breaks_off_is_found_and_mended_at_the_seam_only() {
        let (first, second) = ("雨停了。他推开门，看见了", "第二天早上，港口很安静。");
        let text = format!("{first}\n{second}");
        let starts = [0, first.len() + 1];
        let seams = seams(&text, &starts, &Story::default());
        assert_eq!((seams.len(), seams[0].before.as_str(), seams[0].after.as_str()), (1, first, second));
        let verdict = SeamVerdict {
            number: 1,
            fixes: vec![
                SeamFix {
                    find: "他推开门，看见了".into(), with: "他推开门，看见了空荡荡的码头。".into()
                },
                SeamFix { find: "没有的话".into(), with: String::new() },
            ],
            ..SeamVerdict::default()
        };
        let (fixes, findings) = fixes(&seams, SeamVerdicts { seams: vec![verdict] });
        let mended = mend(&text, &fixes, &findings, None);
        assert_eq!(mended.text, "雨停了。他推开门，看见了空荡荡的码头。\n第二天早上，港口很安静。");
        assert_eq!(mended.refused.len(), 1);
    }

    #[test]
    fn the_rule_about_seams_speaks() {
        let seams = seams("他说，\n天亮了。", &[0, "他说，\n".len()], &Story::default());
        assert!(!seams[0].rule.is_empty());
    }
}
