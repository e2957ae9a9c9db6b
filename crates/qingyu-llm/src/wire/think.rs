//! Separates a model's inline thinking from the text, incrementally.
//!
//! Two formats are parsed: thinking between two markers, such as `<think>` and `</think>`, and messages in channels,
//! such as `<|channel|>analysis<|message|>…<|end|>`, where only the channel `final` is text.

/// Opening markers of thinking, at the start of a line, with their closing markers.
const MARKS: [(&str, &str); 13] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<Thinking>", "</Thinking>"),
    ("<thought>", "</thought>"),
    ("<thoughts>", "</thoughts>"),
    ("<reasoning>", "</reasoning>"),
    ("<antThinking>", "</antThinking>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|think|>", "<|/think|>"),
];
/// Markers at the start of a channel message's head, and at its end.
const HEADS: [&str; 2] = ["<|channel|>", "<|start|>"];
const BODY: &str = "<|message|>";
/// End markers of such a message's body.
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", HEADS[0], HEADS[1]];
/// Template markers at the end of an answer, removed from the text.
const STOPS: [&str; 6] =
    ["<|return|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<｜end▁of▁sentence｜>"];

/// A part of the text or of the thinking.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum ThinkPart {
    Text(String),
    Thinking(String),
}

/// An incremental splitter of content. A marker opens only at the start of a line, so that prose may mention the
/// marker.
#[derive(Debug)]
pub(super) struct ThinkSplitter {
    state: SplitterState,
    /// Undecided, buffered text.
    held: String,
    /// Whether a marker was removed.
    pub(super) found: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum SplitterState {
    /// At the start of a line.
    LineStart,
    /// Right after thinking, or between messages: white space is dropped.
    AfterThinking,
    /// Within a line.
    Line,
    /// In thinking, until the closing marker.
    Thinking(&'static str),
    /// In the head of a message.
    Head,
    /// In the body of a message.
    Body(HarmonyChannel),
}

/// The audience of a message.
#[derive(Debug, Clone, PartialEq)]
enum HarmonyChannel {
    Final,
    Thinking,
    /// The arguments of a call of the named tool.
    Call(String),
}

impl ThinkSplitter {
    pub(super) fn new() -> Self {
        Self { state: SplitterState::LineStart, held: String::new(), found: false }
    }

    /// Pushes the next content and returns the decided parts.
    pub(super) fn push(&mut self, piece: &str) -> Vec<ThinkPart> {
        self.held.push_str(piece);
        let mut parts = Vec::new();
        while let Some(part) = self.step() {
            parts.extend(part);
        }
        parts
    }

    /// Returns the buffered rest at the end of the content.
    pub(super) fn finish(&mut self) -> Option<ThinkPart> {
        let rest = std::mem::take(&mut self.held);
        let part = match &self.state {
            SplitterState::Thinking(_) | SplitterState::Head | SplitterState::Body(HarmonyChannel::Thinking) => {
                ThinkPart::Thinking(rest)
            }
            SplitterState::Body(HarmonyChannel::Call(name)) => ThinkPart::Text(call(name, &rest)),
            _ if STOPS.contains(&rest.as_str()) => return None,
            _ => ThinkPart::Text(rest),
        };
        let is_empty = matches!(&part, ThinkPart::Text(text) | ThinkPart::Thinking(text) if text.is_empty());
        (!is_empty).then_some(part)
    }

    /// Decides the next part of the buffer; `None` if more content is needed.
    fn step(&mut self) -> Option<Option<ThinkPart>> {
        if self.held.is_empty() {
            return None;
        }
        match self.state.clone() {
            SplitterState::LineStart | SplitterState::AfterThinking => self.step_at_line_start(),
            SplitterState::Line => {
                let end = self.held.find('\n').map_or(self.held.len(), |end| end + 1);
                if self.held[..end].ends_with('\n') {
                    self.state = SplitterState::LineStart;
                    return Some(Some(ThinkPart::Text(self.take(end))));
                }
                let held = STOPS.iter().map(|stop| partial_mark(&self.held, stop)).max().unwrap_or_default();
                match self.held.len() - held {
                    0 => None,
                    sure => Some(Some(ThinkPart::Text(self.take(sure)))),
                }
            }
            SplitterState::Thinking(close) => match self.held.find(close) {
                Some(end) => {
                    let thinking = self.take(end);
                    self.take(close.len());
                    self.state = SplitterState::AfterThinking;
                    Some((!thinking.is_empty()).then_some(ThinkPart::Thinking(thinking)))
                }
                None => match self.held.len() - unfinished(&self.held, close) {
                    0 => None,
                    sure => Some(Some(ThinkPart::Thinking(self.take(sure)))),
                },
            },
            SplitterState::Head => {
                let end = self.held.find(BODY)?;
                let head = self.take(end);
                self.take(BODY.len());
                self.state = SplitterState::Body(channel(&head));
                Some(None)
            }
            SplitterState::Body(channel) => self.step_in_body(channel),
        }
    }

    fn step_at_line_start(&mut self) -> Option<Option<ThinkPart>> {
        let space = self.held.len() - self.held.trim_start().len();
        if self.state == SplitterState::AfterThinking && space > 0 {
            self.take(space);
            return Some(None);
        }
        let word = &self.held[space..];
        let opened = MARKS
            .iter()
            .find(|(open, _)| word.starts_with(open))
            .map(|(open, close)| (open.len(), SplitterState::Thinking(close)));
        let opened = opened.or_else(|| {
            HEADS.iter().find(|head| word.starts_with(**head)).map(|head| (head.len(), SplitterState::Head))
        });
        if let Some((length, state)) = opened {
            self.take(space + length);
            self.state = state;
            self.found = true;
            return Some(None);
        }
        if MARKS.iter().map(|(open, _)| open).chain(&HEADS).any(|open| open.starts_with(word)) {
            return None;
        }
        self.state = SplitterState::Line;
        Some((space > 0).then(|| ThinkPart::Text(self.take(space))))
    }

    fn step_in_body(&mut self, channel: HarmonyChannel) -> Option<Option<ThinkPart>> {
        let end = ENDS.iter().filter_map(|end| Some((self.held.find(end)?, *end))).min();
        let (sure, closed) = match end {
            Some((at, end)) => (at, Some(end)),
            // A call is returned as a whole.
            None if matches!(channel, HarmonyChannel::Call(_)) => return None,
            None => {
                let held = ENDS.iter().map(|end| unfinished(&self.held, end)).max().unwrap_or_default();
                (self.held.len() - held, None)
            }
        };
        let inside = self.take(sure);
        if let Some(end) = closed {
            self.take(end.len());
            self.state = if HEADS.contains(&end) { SplitterState::Head } else { SplitterState::AfterThinking };
        } else if inside.is_empty() {
            return None;
        }
        Some(match channel {
            HarmonyChannel::Call(name) => Some(ThinkPart::Text(call(&name, &inside))),
            _ if inside.is_empty() => None,
            HarmonyChannel::Thinking => Some(ThinkPart::Thinking(inside)),
            HarmonyChannel::Final => Some(ThinkPart::Text(inside)),
        })
    }

    fn take(&mut self, end: usize) -> String {
        let rest = self.held.split_off(end);
        std::mem::replace(&mut self.held, rest)
    }
}

/// Returns the audience of a message head, such as `assistant<|channel|>commentary to=functions.search`.
fn channel(head: &str) -> HarmonyChannel {
    let to = head.split_once("to=").map(|(_, to)| to);
    let tool = to.and_then(|to| to.split(|c: char| c.is_whitespace() || c == '<').next());
    match tool.map(|tool| tool.trim_start_matches("functions.")) {
        Some(tool) if !tool.is_empty() => HarmonyChannel::Call(tool.to_owned()),
        _ if head.contains("analysis") || head.contains("commentary") => HarmonyChannel::Thinking,
        _ => HarmonyChannel::Final,
    }
}

/// Returns a call in the format of other templates; parsed later, where the tools are known.
fn call(name: &str, arguments: &str) -> String {
    let name = serde_json::Value::from(name);
    format!("<tool_call>{{\"name\":{name},\"arguments\":{}}}</tool_call>", arguments.trim())
}

/// Returns the number of bytes at the end of `text` that may start `mark`.
fn unfinished(text: &str, mark: &str) -> usize {
    let ends = mark.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
    ends.filter(|end| text.ends_with(&mark[..*end])).max().unwrap_or(0)
}

/// Returns the number of bytes at the end of `text` that equal or may start `mark`.
fn partial_mark(text: &str, mark: &str) -> usize {
    if text.ends_with(mark) { mark.len() } else { unfinished(text, mark) }
}

/// Splits a complete text whose opening marker was never sent, because the chat template put the marker into the
/// prompt, or whose markers were lost.
pub(super) fn split_unopened(text: &str) -> Option<(&str, &str)> {
    /// The remains of channels without their markers.
    const BARE: (&str, &str) = ("analysis", "assistantfinal");
    let closed = last_close(text).map(|(at, end)| (&text[..at], &text[end..]));
    let bare = || text.strip_prefix(BARE.0)?.split_once(BARE.1);
    let (thinking, text) = closed.or_else(bare)?;
    Some((thinking.trim(), text.trim_start()))
}

/// Returns the position of the last closing thinking marker in `text`.
pub(crate) fn last_close(text: &str) -> Option<(usize, usize)> {
    MARKS.iter().filter_map(|(_, close)| text.rfind(close).map(|at| (at, at + close.len()))).max()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the text and the thinking of `content` pushed in chunks of `size` characters.
    fn split(content: &str, size: usize) -> (String, String) {
        let mut splitter = ThinkSplitter::new();
        let characters: Vec<char> = content.chars().collect();
        let mut parts: Vec<ThinkPart> =
            characters.chunks(size).flat_map(|piece| splitter.push(&piece.iter().collect::<String>())).collect();
        parts.extend(splitter.finish());
        let (mut text, mut thinking) = (String::new(), String::new());
        for part in parts {
            match part {
                ThinkPart::Text(piece) => text.push_str(&piece),
                ThinkPart::Thinking(piece) => thinking.push_str(&piece),
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
            ("<thinking>想</thinking>\n雪", "雪", "想"),
            ("<thinking>a</think>b</thinking>雪", "雪", "a</think>b"),
            ("[THINK]想[/THINK]雪", "雪", "想"),
            ("◁think▷想◁/think▷雪", "雪", "想"),
            ("<seed:think>想</seed:think>雪", "雪", "想"),
            ("他写下 [THINK] 一词", "他写下 [THINK] 一词", ""),
            (
                "<|channel|>analysis<|message|>想<|end|><|start|>assistant<|channel|>final<|message|>雪\n夜<|return|>",
                "雪\n夜",
                "想",
            ),
            ("<|start|>assistant<|channel|>analysis<|message|>想<|channel|>final<|message|>雪", "雪", "想"),
            ("<|channel|>final<|message|>雪 < 夜 <|endless|>", "雪 < 夜 <|endless|>", ""),
            ("<|channel|>analysis<|message|>没有想完", "", "没有想完"),
            (
                "<|channel|>commentary to=functions.search <|constrain|>json<|message|>{\"q\": 1}<|call|>",
                "<tool_call>{\"name\":\"search\",\"arguments\":{\"q\": 1}}</tool_call>",
                "",
            ),
            ("雪夜。<|im_end|>", "雪夜。", ""),
            ("屏幕上是 <|im_end|> 一词", "屏幕上是 <|im_end|> 一词", ""),
        ];
        for (content, text, thinking) in cases {
            for size in 1..=content.chars().count() {
                assert_eq!(split(content, size), (text.into(), thinking.into()), "{content:?} by {size}");
            }
        }
    }
    #[test]
    fn thinking_without_its_opening_mark_is_parted_at_the_end() {
        for (text, parted) in [
            ("想</think>\n雪", Some(("想", "雪"))),
            ("想[/THINK]雪", Some(("想", "雪"))),
            ("analysisThe user wants a scene.assistantfinal雪", Some(("The user wants a scene.", "雪"))),
            ("分析 analysis 与 assistantfinal", None),
            ("雪", None),
        ] {
            assert_eq!(split_unopened(text), parted, "{text}");
        }
    }
}
