//! Parts thinking that a model writes among its text from that text, piece by piece.
//!
//! Two ways of writing it are read: thinking between two marks, such as `<think>` and `</think>`, and messages in channels,
//! such as `<|channel|>analysis<|message|>…<|end|>`, of which only the channel `final` is text.

/// What opens thinking at the beginning of a line, and what closes it.
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
/// What begins the head of a message in a channel, and what ends the head.
const HEADS: [&str; 2] = ["<|channel|>", "<|start|>"];
const BODY: &str = "<|message|>";
/// What ends the body of such a message.
const ENDS: [&str; 5] = ["<|end|>", "<|return|>", "<|call|>", HEADS[0], HEADS[1]];
/// Marks with which a template ends an answer; at the end of a text they are none of it.
const STOPS: [&str; 6] =
    ["<|return|>", "<|im_end|>", "<|eot_id|>", "<|endoftext|>", "<|end_of_text|>", "<｜end▁of▁sentence｜>"];

/// A piece of either kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Part {
    Text(String),
    Thinking(String),
}

/// Takes the content piece by piece. A mark opens only at the beginning of a line, so that prose may mention it.
#[derive(Debug)]
pub(super) struct Splitter {
    state: State,
    /// What cannot be decided before more comes.
    held: String,
    /// Whether a mark has been taken out.
    pub(super) found: bool,
}

#[derive(Debug, Clone, PartialEq)]
enum State {
    /// At the beginning of a line.
    LineStart,
    /// Right after thinking, or between messages: white space is dropped.
    AfterThinking,
    /// Within a line.
    Line,
    /// In thinking, until that mark.
    Thinking(&'static str),
    /// In the head of a message.
    Head,
    /// In the body of a message.
    Body(Channel),
}

/// Whose eyes a message is for.
#[derive(Debug, Clone, PartialEq)]
enum Channel {
    Final,
    Thinking,
    /// The arguments of a call of that tool.
    Call(String),
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
        let part = match &self.state {
            State::Thinking(_) | State::Head | State::Body(Channel::Thinking) => Part::Thinking(rest),
            State::Body(Channel::Call(name)) => Part::Text(call(name, &rest)),
            _ if STOPS.contains(&rest.as_str()) => return None,
            _ => Part::Text(rest),
        };
        let is_empty = matches!(&part, Part::Text(text) | Part::Thinking(text) if text.is_empty());
        (!is_empty).then_some(part)
    }

    /// Decides the next part of what is held; `None` if more must come first.
    fn step(&mut self) -> Option<Option<Part>> {
        if self.held.is_empty() {
            return None;
        }
        match self.state.clone() {
            State::LineStart | State::AfterThinking => self.step_at_line_start(),
            State::Line => {
                let end = self.held.find('\n').map_or(self.held.len(), |end| end + 1);
                if self.held[..end].ends_with('\n') {
                    self.state = State::LineStart;
                    return Some(Some(Part::Text(self.take(end))));
                }
                let held = STOPS.iter().map(|stop| begun(&self.held, stop)).max().unwrap_or_default();
                match self.held.len() - held {
                    0 => None,
                    sure => Some(Some(Part::Text(self.take(sure)))),
                }
            }
            State::Thinking(close) => match self.held.find(close) {
                Some(end) => {
                    let thinking = self.take(end);
                    self.take(close.len());
                    self.state = State::AfterThinking;
                    Some((!thinking.is_empty()).then_some(Part::Thinking(thinking)))
                }
                None => match self.held.len() - unfinished(&self.held, close) {
                    0 => None,
                    sure => Some(Some(Part::Thinking(self.take(sure)))),
                },
            },
            State::Head => {
                let end = self.held.find(BODY)?;
                let head = self.take(end);
                self.take(BODY.len());
                self.state = State::Body(channel(&head));
                Some(None)
            }
            State::Body(channel) => self.step_in_body(channel),
        }
    }

    fn step_at_line_start(&mut self) -> Option<Option<Part>> {
        let space = self.held.len() - self.held.trim_start().len();
        if self.state == State::AfterThinking && space > 0 {
            self.take(space);
            return Some(None);
        }
        let word = &self.held[space..];
        let opened = MARKS
            .iter()
            .find(|(open, _)| word.starts_with(open))
            .map(|(open, close)| (open.len(), State::Thinking(close)));
        let opened =
            opened.or_else(|| HEADS.iter().find(|head| word.starts_with(**head)).map(|head| (head.len(), State::Head)));
        if let Some((length, state)) = opened {
            self.take(space + length);
            self.state = state;
            self.found = true;
            return Some(None);
        }
        if MARKS.iter().map(|(open, _)| open).chain(&HEADS).any(|open| open.starts_with(word)) {
            return None;
        }
        self.state = State::Line;
        Some((space > 0).then(|| Part::Text(self.take(space))))
    }

    fn step_in_body(&mut self, channel: Channel) -> Option<Option<Part>> {
        let end = ENDS.iter().filter_map(|end| Some((self.held.find(end)?, *end))).min();
        let (sure, closed) = match end {
            Some((at, end)) => (at, Some(end)),
            // A call is handed on as a whole.
            None if matches!(channel, Channel::Call(_)) => return None,
            None => {
                let held = ENDS.iter().map(|end| unfinished(&self.held, end)).max().unwrap_or_default();
                (self.held.len() - held, None)
            }
        };
        let inside = self.take(sure);
        if let Some(end) = closed {
            self.take(end.len());
            self.state = if HEADS.contains(&end) { State::Head } else { State::AfterThinking };
        } else if inside.is_empty() {
            return None;
        }
        Some(match channel {
            Channel::Call(name) => Some(Part::Text(call(&name, &inside))),
            _ if inside.is_empty() => None,
            Channel::Thinking => Some(Part::Thinking(inside)),
            Channel::Final => Some(Part::Text(inside)),
        })
    }

    fn take(&mut self, end: usize) -> String {
        let rest = self.held.split_off(end);
        std::mem::replace(&mut self.held, rest)
    }
}

/// For whom the message with that head is, such as `assistant<|channel|>commentary to=functions.search`.
fn channel(head: &str) -> Channel {
    let to = head.split_once("to=").map(|(_, to)| to);
    let tool = to.and_then(|to| to.split(|c: char| c.is_whitespace() || c == '<').next());
    match tool.map(|tool| tool.trim_start_matches("functions.")) {
        Some(tool) if !tool.is_empty() => Channel::Call(tool.to_owned()),
        _ if head.contains("analysis") || head.contains("commentary") => Channel::Thinking,
        _ => Channel::Final,
    }
}

/// A call as other templates write it; it is read where the tools are known.
fn call(name: &str, arguments: &str) -> String {
    let name = serde_json::Value::from(name);
    format!("<tool_call>{{\"name\":{name},\"arguments\":{}}}</tool_call>", arguments.trim())
}

/// How many bytes at the end of `text` may be the beginning of `mark`.
fn unfinished(text: &str, mark: &str) -> usize {
    let ends = mark.char_indices().map(|(at, _)| at).filter(|at| *at > 0);
    ends.filter(|end| text.ends_with(&mark[..*end])).max().unwrap_or(0)
}

/// How many bytes at the end of `text` are `mark` or may be its beginning.
fn begun(text: &str, mark: &str) -> usize {
    if text.ends_with(mark) { mark.len() } else { unfinished(text, mark) }
}

/// Parts a whole text whose opening mark was never sent, because the chat template had put it into the prompt, or whose
/// marks were dropped on the way.
pub(super) fn split_unopened(text: &str) -> Option<(&str, &str)> {
    /// What is left of channels without their marks.
    const BARE: (&str, &str) = ("analysis", "assistantfinal");
    let closed = last_close(text).map(|(at, end)| (&text[..at], &text[end..]));
    let bare = || text.strip_prefix(BARE.0)?.split_once(BARE.1);
    let (thinking, text) = closed.or_else(bare)?;
    Some((thinking.trim(), text.trim_start()))
}

/// Where the last mark that closes thinking stands in `text`.
pub(crate) fn last_close(text: &str) -> Option<(usize, usize)> {
    MARKS.iter().filter_map(|(_, close)| text.rfind(close).map(|at| (at, at + close.len()))).max()
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
