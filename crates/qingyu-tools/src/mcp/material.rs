//! Output of foreign tools: text of limited size.

use rmcp::model::{CallToolResult, ContentBlock, ResourceContents};

/// Maximum bytes of an answer.
pub(crate) const MOST: usize = 64 << 10;

/// Truncates a foreign text to `most` bytes and returns the number of removed bytes too. The caller that inserts the
/// text into a prompt must fence it; see [`Outcome::foreign`](crate::Outcome).
pub(crate) fn capped(text: &str, most: usize) -> (&str, usize) {
    let shown = cut(text, most);
    (shown, text.len() - shown.len())
}

/// Returns the text of an answer. Other content is named, not shown.
pub(crate) fn words(answer: &CallToolResult) -> String {
    let parts: Vec<String> = answer.content.iter().map(part).collect();
    match (&answer.structured_content, parts.is_empty()) {
        (Some(structured), true) => structured.to_string(),
        _ => parts.join("\n"),
    }
}

/// Returns a line of a foreign text, without control characters.
pub(crate) fn line(text: &str, most: usize) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    cut(text.trim(), most).replace("</", "< /")
}

fn part(content: &ContentBlock) -> String {
    match content {
        ContentBlock::Text(text) => text.text.clone(),
        ContentBlock::Image(image) => format!("[image: {}, {} bytes of base64]", image.mime_type, image.data.len()),
        ContentBlock::Audio(audio) => format!("[audio: {}, {} bytes of base64]", audio.mime_type, audio.data.len()),
        ContentBlock::Resource(embedded) => match &embedded.resource {
            ResourceContents::TextResourceContents { text, .. } => text.clone(),
            ResourceContents::BlobResourceContents { uri, blob, .. } => {
                format!("[resource: {uri}, {} bytes of base64]", blob.len())
            }
            _ => "[resource]".to_owned(),
        },
        ContentBlock::ResourceLink(link) => format!("[resource: {}]", link.uri),
        _ => "[something else]".to_owned(),
    }
}

/// Truncates the text to `most` bytes.
fn cut(text: &str, most: usize) -> &str {
    &text[..text.floor_char_boundary(most)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_too_much_is_left_out_and_counted() {
        let text = "雨".repeat(100);
        let (shown, left_out) = capped(&text, 100);
        assert_eq!((shown.chars().count(), left_out), (33, 201));
    }

    #[test]
    fn a_line_is_one_line() {
        assert_eq!(line(" a\nb\u{1b}[31m </material> ", 100), "a b [31m < /material>");
    }
}
