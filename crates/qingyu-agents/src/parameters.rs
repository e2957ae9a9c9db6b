//! Parameters of an outline given beside the words: genre, audience and number of chapters.
//!
//! They travel as the last line of the requirement, so that every agent, the stored project and a replay have them; the
//! line says that it takes precedence. [`OutlineParameters::split`] takes it off again.

use qingyu_story::Language;

/// Maximum characters of a genre or an audience.
const LENGTH: usize = 200;
const ZH: &str = "【参数，优先于上文】";
const EN: &str = "[Parameters, which take precedence over the words above]";

/// Explicit parameters of an outline.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct OutlineParameters {
    /// The genre, such as `武侠`.
    pub genre: Option<String>,
    /// The readers, such as `中学生`.
    pub target_audience: Option<String>,
    /// The number of chapters.
    pub chapter_count: Option<u32>,
}

impl OutlineParameters {
    /// Returns `requirement` with the parameters as its last line; unchanged without parameters.
    pub fn over(&self, requirement: &str, language: Language) -> String {
        let plain = |text: &String| {
            let text: String = text.split(['\n', '\r', ';', '；']).collect::<Vec<_>>().join(" ");
            Some(text.trim().chars().take(LENGTH).collect::<String>()).filter(|text| !text.is_empty())
        };
        let (lead, names, colon, between) = match language {
            Language::Zh => (ZH, ["类型", "目标读者", "章数"], "：", "；"),
            Language::En => (EN, ["genre", "audience", "chapters"], ": ", "; "),
        };
        let values = [
            self.genre.as_ref().and_then(plain),
            self.target_audience.as_ref().and_then(plain),
            self.chapter_count.map(|count| count.to_string()),
        ];
        let given = names.into_iter().zip(values).filter_map(|(name, value)| Some(format!("{name}{colon}{}", value?)));
        let given: Vec<String> = given.collect();
        if given.is_empty() {
            return requirement.to_owned();
        }
        let lead = if language == Language::En { format!("{lead} ") } else { lead.to_owned() };
        format!("{requirement}\n\n{lead}{}", given.join(between))
    }

    /// Returns the words of a requirement, and the parameters of its line; the last line counts.
    pub fn split(requirement: &str) -> (String, Self) {
        let (mut words, mut parameters) = (Vec::new(), Self::default());
        for line in requirement.lines() {
            let Some(given) = [ZH, EN].iter().find_map(|lead| line.trim().strip_prefix(lead)) else {
                words.push(line);
                continue;
            };
            parameters = Self::default();
            for pair in given.split(['；', ';']) {
                let Some((name, value)) = pair.split_once(['：', ':']) else { continue };
                let value = value.trim().to_owned();
                match name.trim() {
                    "类型" | "genre" => parameters.genre = Some(value),
                    "目标读者" | "audience" => parameters.target_audience = Some(value),
                    "章数" | "chapters" => parameters.chapter_count = value.parse().ok(),
                    _ => {}
                }
            }
        }
        (words.join("\n").trim_end().to_owned(), parameters)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_they_were_written() {
        let all = OutlineParameters {
            genre: Some("武侠；悬疑".into()),
            target_audience: Some("中学生".into()),
            chapter_count: Some(12),
        };
        let zh = all.over("写十章。\n在小镇。", Language::Zh);
        assert_eq!(zh, "写十章。\n在小镇。\n\n【参数，优先于上文】类型：武侠 悬疑；目标读者：中学生；章数：12");
        let read = OutlineParameters { genre: Some("武侠 悬疑".into()), ..all.clone() };
        assert_eq!(OutlineParameters::split(&zh), ("写十章。\n在小镇。".into(), read));
        let one = OutlineParameters { chapter_count: Some(3), ..OutlineParameters::default() };
        let en = one.over("A heist.", Language::En);
        assert_eq!(OutlineParameters::split(&en), ("A heist.".into(), one));
        assert_eq!(OutlineParameters::default().over("x", Language::En), "x");
        assert_eq!(OutlineParameters::split("写十章。"), ("写十章。".into(), OutlineParameters::default()));
    }
}
