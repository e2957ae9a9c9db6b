//! Exact token counts for OpenAI's current models, whose public vocabulary is compiled in.

use super::token_counter::TokenCounter;

/// Name prefixes of models with the vocabulary.
const MODELS: [&str; 10] =
    ["gpt-6", "gpt-5", "gpt-4o", "gpt-4.1", "gpt-4.5", "gpt-oss", "chatgpt-4o", "o1", "o3", "o4"];

/// The vocabulary of GPT-4o, its successors, and the o series. Parsed at the first use, which takes about 50 ms.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct O200k;

impl O200k {
    /// Returns the vocabulary if `model` uses it; `model` may have a provider prefix.
    ///
    /// `None` for models of other vendors, and for GPT-4 and older: their vocabulary would add 15 MB.
    pub(super) fn of(model: &str) -> Option<Self> {
        let name = model.rsplit('/').next().unwrap_or(model);
        MODELS.iter().any(|beginning| name.starts_with(beginning)).then_some(Self)
    }
}

impl TokenCounter for O200k {
    fn count(&self, text: &str) -> u64 {
        bpe_openai::o200k_base().count(text) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The expected counts are from tiktoken-rs 0.12.
    #[test]
    fn texts_are_counted_as_the_models_read_them() {
        let cases = [("", 0), ("It was a dark and stormy night.", 9), ("雪夜，门开了。", 7), ("  \n\n\t x", 3)];
        for (text, tokens) in cases {
            assert_eq!(O200k.count(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn a_long_run_without_borders_is_counted() {
        for text in [" ".repeat(2_000_000), "哈".repeat(60_000)] {
            let counted = O200k.count(&text);
            assert!(counted > 0 && counted < 60_000, "{counted}");
        }
    }

    #[test]
    fn models_are_known_by_their_names() {
        for (model, is_known) in [
            ("openai/gpt-4o-mini", true),
            ("openrouter/openai/o3-mini", true),
            ("gpt-4-turbo", false),
            ("deepseek/deepseek-flash", false),
            ("anthropic/claude-sonnet-5-5", false),
            ("qwen/qwen3.8-max", false),
        ] {
            assert_eq!(O200k::of(model).is_some(), is_known, "{model}");
        }
    }
}
