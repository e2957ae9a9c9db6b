//! Validates the length of a chapter.

use qingyu_story::Severity;
use qingyu_story::prose::editors_count;

use super::chapter::InspectedChapter;
use super::collector::FindingCollector;

pub(super) fn check(chapter: &InspectedChapter<'_>, notes: &mut FindingCollector<'_>) {
    let rules = &notes.platform.length;
    let length = editors_count(chapter.text, chapter.prose.language);
    let told = |name, value: usize| vec![("length", length.to_string()), (name, value.to_string())];
    if chapter.prose.length == 0 {
        notes.add("QC101", Severity::Critical, None, &[]);
        return;
    }
    if let Some(least) = rules.least.filter(|least| length < *least) {
        let mut values = told("least", least);
        values.push(("missing", (least - length).to_string()));
        notes.add("QC102", Severity::High, None, &values);
    } else if let Some(usual) = rules.usual_least.filter(|usual| length < *usual) {
        notes.add("QC103", Severity::Low, None, &told("usual", usual));
    }
    if let Some(most) = rules.most.filter(|most| length > *most) {
        notes.add("QC105", Severity::High, None, &told("most", most));
    } else if let Some(usual) = rules.usual_most.filter(|usual| length > *usual) {
        notes.add("QC104", Severity::Low, None, &told("usual", usual));
    }
}
