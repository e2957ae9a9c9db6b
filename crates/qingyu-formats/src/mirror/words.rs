//! Labels and separators of the files, in the languages of books.

use qingyu_story::Language;

/// Returns the text with each run of white space as one space.
pub(super) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Returns the separator of a list.
pub(super) fn comma(language: Language) -> &'static str {
    match language {
        Language::Zh => "、",
        Language::En => ", ",
    }
}

/// Returns the name of a field of a card, in the language of the book.
pub(super) fn label(language: Language, field: &str) -> &'static str {
    let (zh, en) = match field {
        "alias" => ("别名", "Also called"),
        "gender" => ("性别", "Gender"),
        "appearance" => ("外貌", "Looks"),
        "age" => ("年龄", "Age"),
        "birth" => ("出生", "Born"),
        "death" => ("去世", "Died"),
        "occupation" => ("职业", "Occupation"),
        "traits" => ("特点", "Traits"),
        "personality" => ("性格", "Personality"),
        "background" => ("背景", "Background"),
        "goals" => ("目标", "Goals"),
        "conflicts" => ("矛盾", "Conflicts"),
        "weakness" => ("弱点", "Weakness"),
        "arc" => ("弧线", "Arc"),
        "secret" => ("秘密", "Secret"),
        "voice" => ("口吻", "Voice"),
        "travel" => ("路程", "Travel"),
        _ => ("持有者", "Held by"),
    };
    if language == Language::Zh { zh } else { en }
}
