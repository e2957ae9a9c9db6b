//! What of a document is typed: its fenced blocks, the commands in them, and the code in its lines.

use std::collections::BTreeMap;

/// A fenced block.
#[derive(Debug)]
pub(super) struct Block {
    /// The line of its fence.
    pub(super) line: usize,
    /// The first word after the fence.
    pub(super) language: String,
    /// The other words: `name=value`, or a name alone.
    pub(super) marks: BTreeMap<String, String>,
    pub(super) text: String,
}

/// Something that is shown as code, and where.
#[derive(Debug)]
pub(super) struct CodeSnippet {
    pub(super) line: usize,
    pub(super) text: String,
}

/// A command of a block, and what it is said to show.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct TypedCommand {
    pub(super) line: usize,
    pub(super) command: String,
    pub(super) output: Vec<String>,
}

/// The fenced blocks of a document, and its lines outside of them.
pub(super) fn parted(text: &str) -> (Vec<Block>, Vec<(usize, &str)>) {
    let (mut blocks, mut prose) = (Vec::<Block>::new(), Vec::new());
    let mut open: Option<(Block, usize)> = None;
    for (line, content) in (1..).zip(text.lines()) {
        let trimmed = content.trim_start();
        match open.take() {
            None if trimmed.starts_with("```") => {
                let mut words = trimmed.trim_start_matches('`').split_whitespace();
                let language = words.next().unwrap_or_default().to_owned();
                let marks = words.map(|word| word.split_once('=').unwrap_or((word, "")));
                let marks = marks.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
                open = Some((Block { line, language, marks, text: String::new() }, content.len() - trimmed.len()));
            }
            None => prose.push((line, content)),
            Some((block, _)) if trimmed.starts_with("```") => blocks.push(block),
            Some((mut block, indent)) => {
                let spaces = content.len() - trimmed.len();
                block.text.push_str(&content[spaces.min(indent)..]);
                block.text.push('\n');
                open = Some((block, indent));
            }
        }
    }
    assert!(open.is_none(), "the fence at {open:?} is not closed");
    (blocks, prose)
}

/// All code of a document: commands of blocks, and spans between backticks.
pub(super) fn shown(text: &str) -> Vec<CodeSnippet> {
    let (blocks, prose) = parted(text);
    let spans = prose.into_iter().flat_map(|(line, content)| {
        content.split('`').skip(1).step_by(2).map(move |span| CodeSnippet { line, text: span.replace("\\|", " ") })
    });
    let typed = blocks.iter().filter(|block| is_typed(block)).flat_map(typed);
    typed.map(|typed| CodeSnippet { line: typed.line, text: typed.command }).chain(spans).collect()
}

/// Whether commands stand in the block.
pub(super) fn is_typed(block: &Block) -> bool {
    matches!(block.language.as_str(), "sh" | "console")
}

/// The commands of a block, in order. A command goes on over lines as long as a shell would wait for more.
pub(super) fn typed(block: &Block) -> Vec<TypedCommand> {
    let has_prompts = block.language == "console";
    let mut all: Vec<TypedCommand> = Vec::new();
    let mut is_open = false;
    for (line, content) in (block.line + 1..).zip(block.text.lines()) {
        let prompt = content.strip_prefix("$ ").filter(|_| has_prompts);
        if is_open {
            let last = all.last_mut().expect("it is open");
            last.command.push('\n');
            last.command.push_str(if has_prompts { content.trim_start_matches("> ") } else { content });
            is_open = is_unfinished(&last.command);
        } else if has_prompts && prompt.is_none() {
            let last = all.last_mut().unwrap_or_else(|| panic!("line {line}: output before a command"));
            last.output.push(content.to_owned());
        } else {
            let command = prompt.unwrap_or(content);
            if command.trim().is_empty() || command.starts_with('#') {
                continue;
            }
            is_open = is_unfinished(command);
            all.push(TypedCommand { line, command: command.to_owned(), output: Vec::new() });
        }
    }
    assert!(!is_open, "line {}: the last command is not finished", block.line);
    all
}

/// Whether a shell would wait for another line.
fn is_unfinished(command: &str) -> bool {
    if let Some((before, after)) = command.split_once("<<") {
        let word = after.trim_start_matches('\'');
        let word = &word[..word.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(word.len())];
        if !word.is_empty() && !before.ends_with('<') {
            return !command.lines().skip(1).any(|line| line == word);
        }
    }
    let (mut quote, mut escaped, mut is_comment, mut before) = (None, false, false, ' ');
    for c in command.chars() {
        is_comment &= c != '\n';
        match (quote, c) {
            _ if is_comment => {}
            _ if escaped => escaped = false,
            (None | Some('"'), '\\') => escaped = true,
            (None, '\'' | '"') => quote = Some(c),
            (None, '#') if before.is_whitespace() => is_comment = true,
            (Some(open), _) if open == c => quote = None,
            _ => {}
        }
        before = c;
    }
    quote.is_some() || escaped
}

#[test]
fn a_command_goes_on_as_long_as_a_shell_waits() {
    let text = "````\n";
    assert!(std::panic::catch_unwind(|| parted(text)).is_err());
    let text = "```sh\n# first\none 'a\nb' \\\n  c\ncat <<END\nx\nEND\ntwo # it's\n```\n";
    let (blocks, _) = parted(text);
    let commands: Vec<_> = typed(&blocks[0]).into_iter().map(|typed| typed.command).collect();
    assert_eq!(commands, ["one 'a\nb' \\\n  c", "cat <<END\nx\nEND", "two # it's"]);
    let (blocks, _) = parted("```console\n$ one\nsaid\n\n$ two\n```\n");
    let typed = typed(&blocks[0]);
    assert_eq!((typed.len(), &typed[0].output[..]), (2, &["said".to_owned(), String::new()][..]));
}
