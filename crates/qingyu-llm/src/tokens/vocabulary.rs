//! Exact counts for OpenAI's models, whose vocabularies are public and compiled in.

use std::fmt;

use bpe_openai::Tokenizer;

use super::TokenCounter;

/// The beginnings of models' names, and what they read. The first that fits counts.
const MODELS: [(&str, Vocabulary); 12] = [
    ("gpt-5", Vocabulary::O200k),
    ("gpt-4o", Vocabulary::O200k),
    ("gpt-4.1", Vocabulary::O200k),
    ("gpt-4.5", Vocabulary::O200k),
    ("gpt-oss", Vocabulary::O200k),
    ("chatgpt-4o", Vocabulary::O200k),
    ("o1", Vocabulary::O200k),
    ("o3", Vocabulary::O200k),
    ("o4", Vocabulary::O200k),
    ("gpt-4", Vocabulary::Cl100k),
    ("gpt-3.5", Vocabulary::Cl100k),
    ("text-embedding-", Vocabulary::Cl100k),
];

/// A vocabulary that is compiled in. Read at the first use, which takes about 50 ms.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Vocabulary {
    /// Of GPT-4o and later, and of the o series.
    O200k,
    /// Of GPT-4, GPT-3.5 and the embedding models.
    Cl100k,
}

impl Vocabulary {
    /// What the model called `model` reads, with or without its provider before a slash; `None` for models of others,
    /// whose vocabularies are different.
    pub fn of(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model);
        MODELS.iter().find(|(beginning, _)| name.starts_with(beginning)).map(|(_, vocabulary)| *vocabulary)
    }

    fn tokenizer(self) -> &'static Tokenizer {
        match self {
            Self::O200k => bpe_openai::o200k_base(),
            Self::Cl100k => bpe_openai::cl100k_base(),
        }
    }
}

impl fmt::Debug for Vocabulary {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::O200k => "o200k",
            Self::Cl100k => "cl100k",
        })
    }
}

impl TokenCounter for Vocabulary {
    fn count(&self, text: &str) -> u64 {
        self.tokenizer().count(text) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected counts are those of tiktoken-rs 0.12.
    #[test]
    fn texts_are_counted_as_the_models_read_them() {
        for (text, o200k, cl100k) in
            [("", 0, 0), ("It was a dark and stormy night.", 9, 9), ("雪夜，门开了。", 7, 9), ("  \n\n\t x", 3, 3)]
        {
            let counted = (Vocabulary::O200k.count(text), Vocabulary::Cl100k.count(text));
            assert_eq!(counted, (o200k, cl100k), "{text:?}");
        }
    }

    #[test]
    fn a_long_run_without_borders_is_counted() {
        for text in [" ".repeat(2_000_000), "哈".repeat(60_000)] {
            let counted = Vocabulary::O200k.count(&text);
            assert!(counted > 0 && counted < 60_000, "{counted}");
        }
    }

    #[test]
    fn models_are_known_by_their_names() {
        for (model, expected) in [
            ("openai/gpt-4o-mini", Some(Vocabulary::O200k)),
            ("gpt-4-turbo", Some(Vocabulary::Cl100k)),
            ("openrouter/openai/o3-mini", Some(Vocabulary::O200k)),
            ("deepseek/deepseek-chat", None),
            ("anthropic/claude-sonnet-4-5", None),
            ("qwen/qwen3-max", None),
        ] {
            assert_eq!(Vocabulary::of(model), expected, "{model}");
        }
    }
}
