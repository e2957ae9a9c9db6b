//! Messages to the model about its fixes, in the language of the book.

use qingyu_story::Language;

use super::fix::FixRefusal;

/// Returns the reason a fix was refused, as text for the model.
pub(crate) fn refusal(find: &str, why: FixRefusal, language: Language) -> String {
    let find: String = find.chars().take(80).collect();
    match language {
        Language::Zh => {
            let why = match why {
                FixRefusal::NoIssue => "没有这个编号的问题",
                FixRefusal::NotThere => "正文里没有这些字",
                FixRefusal::SeveralPlaces => "这些字在正文里不止一处，要多抄几个字",
                FixRefusal::Elsewhere => "不在这个问题引用的句子，也不在它的前后一句",
                FixRefusal::OutOfPart => "不在可以改动的范围里",
                FixRefusal::Overlaps => "和另一处改动重叠",
                FixRefusal::NoChange => "什么也没有改",
                FixRefusal::TooLong => "换上去的文字太长",
                FixRefusal::ByHand => "这一句是作者亲手写的，不能改动",
            };
            format!("「{find}」：{why}")
        }
        Language::En => {
            let why = match why {
                FixRefusal::NoIssue => "there is no point of that number",
                FixRefusal::NotThere => "the chapter does not have these words",
                FixRefusal::SeveralPlaces => "these words stand in several places; copy a few more",
                FixRefusal::Elsewhere => "neither the sentence that the point quotes nor one beside it",
                FixRefusal::OutOfPart => "outside of what may be changed",
                FixRefusal::Overlaps => "overlaps another change",
                FixRefusal::NoChange => "changes nothing",
                FixRefusal::TooLong => "puts far too much there",
                FixRefusal::ByHand => "the author wrote this sentence by hand, and it stays as it stands",
            };
            format!("\"{find}\": {why}")
        }
    }
}

/// Returns the message about a finding without an applied fix.
pub(crate) fn untouched(title: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("「{title}」还没有改动"),
        Language::En => format!("nothing was changed for \"{title}\""),
    }
}

/// Returns the message about an applied fix that left its issue in place.
pub(crate) fn still_there(title: &str, language: Language) -> String {
    match language {
        Language::Zh => format!("「{title}」改过以后仍然存在"),
        Language::En => format!("\"{title}\" is still there after the change"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_not_changed_is_not_said_to_be_changed() {
        assert_eq!(untouched("灯", Language::Zh), "「灯」还没有改动");
        assert_eq!(untouched("The lamp", Language::En), "nothing was changed for \"The lamp\"");
        assert_eq!(still_there("灯", Language::Zh), "「灯」改过以后仍然存在");
        assert_eq!(still_there("The lamp", Language::En), "\"The lamp\" is still there after the change");
    }
}
