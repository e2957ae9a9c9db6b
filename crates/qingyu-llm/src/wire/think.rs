//! Parts thinking that a model wraps in `<think>` tags from its text, piece by piece.

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// A piece of either kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Thinking(String),
}

/// Takes the content piece by piece. A tag opens only at the beginning of a line, so that prose may mention it.
#[derive(Debug)]
pub(super) struct Splitter {
    state: State,
    /// What cannot be decided before more comes.
    held: String,
    /// Whether a tag has been taken out.
    pub(super) found: bool,
}

#[derive(Debug, Clone, Copy, PartialEq)]
enum State {
    /// At the beginning of a line.
    LineStart,
    /// Right after thinking: white space is dropped.
    AfterThinking,
    /// Within a line.
    Line,
    Thinking,
}

impl Splitter {
    pub(super) fn new() -> Self {
        Self { state: State::LineStart, held: String::new(), found: false }
    }

    /// Takes the next piece and returns what is decided by now.
    pub(super) fn push(&mut self, piece: &str) -> Vec<Part> {
        self.held.push_str(piece);
        let mut parts = Vec::new();
        while let Some(part) = self.step() {
            parts.extend(part);
        }
        parts
    }

    /// What was still held when the content ended.
    pub(super) fn finish(&mut self) -> Option<Part> {
        let rest = std::mem::take(&mut self.held);
        let part = if self.state == State::Thinking { Part::Thinking(rest) } else { Part::Text(rest) };
        let is_empty = matches!(&part, Part::Text(text) | Part::Thinking(text) if text.is_empty());
        (!is_empty).then_some(part)
    }

    /// Decides the next part of what is held; `None` if more must come first.
    fn step(&mut self) -> Option<Option<Part>> {
        if self.held.is_empty() {
            return None;
        }
        match self.state {
            State::LineStart | State::AfterThinking => self.step_at_line_start(),
            State::Line => {
                let end = self.held.find('\n').map_or(self.held.len(), |end| end + 1);
                if self.held[..end].ends_with('\n') {
                    self.state = State::LineStart;
                }
                Some(Some(Part::Text(self.take(end))))
            }
            State::Thinking => match self.held.find(CLOSE) {
                Some(end) => {
                    let thinking = self.take(end);
                    self.take(CLOSE.len());
                    self.state = State::AfterThinking;
                    Some((!thinking.is_empty()).then_some(Part::Thinking(thinking)))
                }
                None => match self.held.len() - unfinished(&self.held, CLOSE) {
                    0 => None,
                    sure => Some(Some(Part::Thinking(self.take(sure)))),
                },
            },
        }
    }

    fn step_at_line_start(&mut self) -> Option<Option<Part>> {
        let space = self.held.len() - self.held.trim_start().len();
        if self.state == State::AfterThinking && space > 0 {
            self.take(space);
            return Some(None);
        }
        let word = &self.held[space..];
        if word.starts_with(OPEN) {
            self.take(space + OPEN.len());
            self.state = State::Thinking;
            self.found = true;
            return Some(None);
        }
        if OPEN.starts_with(word) {
            return None;
        }
        self.state = State::Line;
        Some((space > 0).then(|| Part::Text(self.take(space))))
    }

    fn take(&mut self, end: usize) -> String {
        let rest = self.held.split_off(end);
        std::mem::replace(&mut self.held, rest)
    }
}

/// How many bytes at the end of `text` may be the beginning of `tag`.
fn unfinished(text: &str, tag: &str) -> usize {
    (1..tag.len()).rev().find(|&length| text.ends_with(&tag[..length])).unwrap_or(0)
}

/// Parts a whole text whose opening tag was never sent, because the chat template had put it into the prompt.
pub(super) fn split_unopened(text: &str) -> Option<(&str, &str)> {
    let (thinking, text) = text.rsplit_once(CLOSE)?;
    Some((thinking.trim(), text.trim_start()))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The text and the thinking of `content` sent in pieces of `size` characters.
    fn split(content: &str, size: usize) -> (String, String) {
        let mut splitter = Splitter::new();
        let characters: Vec<char> = content.chars().collect();
        let mut parts: Vec<Part> =
            characters.chunks(size).flat_map(|piece| splitter.push(&piece.iter().collect::<String>())).collect();
        parts.extend(splitter.finish());
        let (mut text, mut thinking) = (String::new(), String::new());
        for part in parts {
            match part {
                Part::Text(piece) => text.push_str(&piece),
                Part::Thinking(piece) => thinking.push_str(&piece),
            }
        }
        (text, thinking)
    }

    #[test]
    fn thinking_is_parted_however_it_is_cut() {
        let cases = [
            ("雪夜", "雪夜", ""),
            ("<think>想</think>雪", "雪", "想"),
            ("\n <think>想\n再想</think>\n\n雪\n夜", "雪\n夜", "想\n再想"),
            ("<think></think>雪", "雪", ""),
            ("<think>a</thin</think>b", "b", "a</thin"),
            ("一\n<think>想</think>二", "一\n二", "想"),
            ("他写下 <think> 一词", "他写下 <think> 一词", ""),
            ("<thinker>", "<thinker>", ""),
            ("<thi", "<thi", ""),
            ("<think>没有想完", "", "没有想完"),
            ("雪\n\n  夜\n", "雪\n\n  夜\n", ""),
        ];
        for (content, text, thinking) in cases {
            for size in 1..=content.chars().count() {
                assert_eq!(split(content, size), (text.into(), thinking.into()), "{content:?} by {size}");
            }
        }
    }
}
