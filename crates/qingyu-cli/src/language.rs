//! Which language the command speaks.

use qingyu_studio::story::Language;

/// Where the language may be told, strongest first.
#[derive(Debug, Default)]
pub(crate) struct Sources<'a> {
    /// `--ui-lang`.
    pub(crate) flag: Option<&'a str>,
    /// `QINGYU_UI_LANG`.
    pub(crate) variable: Option<&'a str>,
    /// The settings file.
    pub(crate) settings: Option<&'a str>,
    /// `LC_ALL`, `LC_MESSAGES`, `LANG`, in this order.
    pub(crate) locales: [Option<&'a str>; 3],
}

impl Sources<'_> {
    /// The language that was told, if one was; `C` and `POSIX` tell nothing.
    pub(crate) fn language(&self) -> Option<Language> {
        let told = [self.flag, self.variable, self.settings];
        let locale = self.locales.into_iter().flatten().find(|locale| !locale.is_empty());
        told.into_iter().chain([locale]).flatten().find_map(parse)
    }
}

/// The language a code such as `zh`, `en_GB.UTF-8` or `zh-Hans` begins with.
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
        let cases: [(Sources<'_>, Option<Language>); 9] = [
            (Sources::default(), None),
            (Sources { flag: Some("en"), variable: Some("zh"), ..Sources::default() }, Some(Language::En)),
            (Sources { variable: Some("zh"), settings: Some("en"), ..Sources::default() }, Some(Language::Zh)),
            (
                Sources { settings: Some("en"), locales: [Some("zh_CN.UTF-8"), None, None], ..Sources::default() },
                Some(Language::En),
            ),
            (Sources { locales: [None, None, Some("zh_TW.UTF-8")], ..Sources::default() }, Some(Language::Zh)),
            (Sources { locales: [Some(""), None, Some("en_US.UTF-8")], ..Sources::default() }, Some(Language::En)),
            (Sources { locales: [Some("C.UTF-8"), None, Some("zh_CN")], ..Sources::default() }, None),
            (Sources { locales: [None, None, Some("POSIX")], ..Sources::default() }, None),
            (Sources { locales: [None, None, Some("fr_FR.UTF-8")], ..Sources::default() }, None),
        ];
        for (sources, expected) in cases {
            assert_eq!(sources.language(), expected, "{sources:?}");
        }
    }
}
