//! Whether a text is written as its creator wants: no forbidden words, and the words of the glossary.

use qingyu_story::language::has_words;
use qingyu_story::production::Voice;

/// Words of a text that the voice does not allow.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VoiceProblem {
    /// The words, as the voice has them.
    pub found: String,
    /// The word of the glossary to use instead; `None` if the words are forbidden.
    pub instead: Option<String>,
}

/// Returns the forbidden words and the replaced words of the glossary that occur in `text`, each once.
///
/// Case does not matter; Latin words match only as whole words. A replaced word inside its own replacement is allowed.
pub fn problems(voice: &Voice, text: &str) -> Vec<VoiceProblem> {
    let text = text.to_lowercase();
    let occurs = |text: &str, words: &str| !words.trim().is_empty() && has_words(text, &words.trim().to_lowercase());
    let forbidden = voice.forbidden.iter().filter(|words| occurs(&text, words));
    let mut found: Vec<VoiceProblem> =
        forbidden.map(|words| VoiceProblem { found: words.clone(), instead: None }).collect();
    for entry in &voice.glossary {
        let rest = match entry.term.trim() {
            "" => text.clone(),
            term => text.replace(&term.to_lowercase(), " "),
        };
        let replaced = entry.instead_of.iter().filter(|words| occurs(&rest, words));
        found.extend(replaced.map(|words| VoiceProblem { found: words.clone(), instead: Some(entry.term.clone()) }));
    }
    found
}

#[cfg(test)]
mod tests {
    use qingyu_story::production::GlossaryTerm;

    use super::*;

    #[test]
    fn forbidden_and_replaced_words_are_found() {
        let voice = Voice {
            forbidden: vec!["稳赚".into(), "guaranteed".into()],
            glossary: vec![GlossaryTerm {
                term: "学员手册".into(), instead_of: vec!["手册".into(), "讲义".into()]
            }],
            ..Voice::default()
        };
        let found = |text: &str| problems(&voice, text).into_iter().map(|it| it.found).collect::<Vec<_>>();
        assert_eq!(found("学员手册里没有稳赚"), ["稳赚"]);
        assert_eq!(found("看手册"), ["手册"]);
        assert_eq!(found("Results are GUARANTEED."), ["guaranteed"]);
        assert!(found("unguaranteed").is_empty());
        assert_eq!(problems(&voice, "讲义")[0].instead.as_deref(), Some("学员手册"));
    }
}
