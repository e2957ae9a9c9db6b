//! The planned levels of a book, in a line.

use qingyu_story::{Language, Levels, Story};

use crate::notice::counted;

/// Returns the numbers of planned volumes, arcs and chapters, and the chapters without an arc or an outline; `None` for
/// a book without levels.
pub(crate) fn summary(story: &Story) -> Option<String> {
    let levels = Levels::of(story)?;
    let (volumes, arcs) = (levels.volumes.len(), levels.arcs().count());
    let (length, planned) = (levels.length, levels.planned);
    let in_arcs = levels.arcs().last().map_or(levels.before, |(_, arc)| arc.last).max(planned);
    let mut text = match story.language {
        Language::Zh => format!("全书约 {length} 章：{volumes} 卷，{arcs} 幕，已分章 {planned} 章"),
        Language::En => {
            let (volumes, arcs) = (counted(volumes, "volume", "volumes"), counted(arcs, "arc", "arcs"));
            let planned = counted(planned, "chapter", "chapters");
            format!("The book has about {length} chapters: {volumes}, {arcs}, {planned} planned")
        }
    };
    if in_arcs > planned {
        text.push_str(&match story.language {
            Language::Zh => format!("；第 {}～{in_arcs} 章只定到幕，还没有分章", planned + 1),
            Language::En => format!("; chapters {} to {in_arcs} are planned by arcs only", planned + 1),
        });
    }
    if length > in_arcs {
        text.push_str(&match story.language {
            Language::Zh => format!("；第 {}～{length} 章还没有分幕", in_arcs + 1),
            Language::En => format!("; chapters {} to {length} have no arcs yet", in_arcs + 1),
        });
    }
    text.push_str(if story.language == Language::Zh { "。" } else { "." });
    Some(text)
}

/// Returns the message that planning stopped before chapter `next`, since no usable answer came.
pub(crate) fn stopped(next: u32, error: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("规划停在第 {next} 章之前：几次都没有得到可用的回答。{error}"),
        Language::En => {
            format!("planning stopped before chapter {next}: no usable answer after several requests. {error}")
        }
    }
}
