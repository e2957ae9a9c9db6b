//! Selection of the user interface language.

use qingyu_studio::story::Language;

/// The possible sources of the language, in order of precedence.
#[derive(Debug, Default)]
pub(crate) struct LanguageSources<'a> {
    /// `--ui-lang`.
    pub(crate) flag: Option<&'a str>,
    /// `QINGYU_UI_LANG`.
    pub(crate) variable: Option<&'a str>,
    /// The settings file.
    pub(crate) settings: Option<&'a str>,
    /// `LC_ALL`, `LC_MESSAGES`, `LANG`, in this order.
    pub(crate) locales: [Option<&'a str>; 3],
}

impl LanguageSources<'_> {
    /// Returns the language of the first source naming a supported language; `C` and `POSIX` are ignored.
    pub(crate) fn language(&self) -> Option<Language> {
        let told = [self.flag, self.variable, self.settings];
        let locale = self.locales.into_iter().flatten().find(|locale| !locale.is_empty());
        told.into_iter().chain([locale]).flatten().find_map(parse)
    }
}

/// Parses the language prefix of a code such as `zh`, `en_GB.UTF-8` or `zh-Hans`.
pub(crate) fn parse(code: &str) -> Option<Language> {
    let primary = code.split(['_', '-', '.', '@']).next().unwrap_or_default();
    match primary.to_ascii_lowercase().as_str() {
        "zh" => Some(Language::Zh),
        "en" => Some(Language::En),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_source_that_says_something_wins() {
        let cases: [(LanguageSources<'_>, Option<Language>); 9] = [
            (LanguageSources::default(), None),
            (
                LanguageSources { flag: Some("en"), variable: Some("zh"), ..LanguageSources::default() },
                Some(Language::En),
            ),
            (
                LanguageSources { variable: Some("zh"), settings: Some("en"), ..LanguageSources::default() },
                Some(Language::Zh),
            ),
            (
                LanguageSources {
                    settings: Some("en"),
                    locales: [Some("zh_CN.UTF-8"), None, None],
                    ..LanguageSources::default()
                },
                Some(Language::En),
            ),
            (
                LanguageSources { locales: [None, None, Some("zh_TW.UTF-8")], ..LanguageSources::default() },
                Some(Language::Zh),
            ),
            (
                LanguageSources { locales: [Some(""), None, Some("en_US.UTF-8")], ..LanguageSources::default() },
                Some(Language::En),
            ),
            (LanguageSources { locales: [Some("C.UTF-8"), None, Some("zh_CN")], ..LanguageSources::default() }, None),
            (LanguageSources { locales: [None, None, Some("POSIX")], ..LanguageSources::default() }, None),
            (LanguageSources { locales: [None, None, Some("fr_FR.UTF-8")], ..LanguageSources::default() }, None),
        ];
        for (sources, expected) in cases {
            assert_eq!(sources.language(), expected, "{sources:?}");
        }
    }
}
