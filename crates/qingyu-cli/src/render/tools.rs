//! Tools, as a list and individually.

use qingyu_studio::tools::{Category, Metadata};

use super::page::{FAINT, NAME, PLAIN, STRONG, TextPage};

/// Draws all tools, by category.
pub(crate) fn tools(page: &mut TextPage<'_>, tools: &[Metadata]) {
    let mut group = None;
    for tool in tools {
        let server = tool.foreign.as_ref().filter(|_| tool.category == Category::External);
        if group != Some((tool.category, server)) {
            group = Some((tool.category, server));
            let texts = page.texts();
            page.heading(&match server {
                Some(server) => texts.fill("tools-of-server", &[("server", server.as_str().into())]),
                None => texts.word("category-of-tools", tool.category),
            });
        }
        let language = page.texts().language();
        let first = tool.description.of(language).lines().next().unwrap_or_default().to_owned();
        page.lead(2, &format!("{}  ", tool.name), NAME, PLAIN, &first);
        let actions: Vec<_> = tool.actions.iter().map(|action| action.name.as_str()).collect();
        page.paragraph(4, FAINT, &actions.join(&page.texts().get("list-comma")));
    }
    page.gap();
    page.say(0, FAINT, "tools-how", &[]);
}

/// Draws a tool with its parameters.
pub(crate) fn tool(page: &mut TextPage<'_>, tool: &Metadata) {
    let texts = page.texts();
    page.lead(
        0,
        &format!("{} {}  ", tool.name, tool.version),
        STRONG,
        FAINT,
        &texts.word("permission", tool.permission),
    );
    page.paragraph(2, PLAIN, tool.description.of(texts.language()));
    for action in &tool.actions {
        page.lead(2, &format!("{}  ", action.name), NAME, FAINT, &texts.word("permission", action.permission));
    }
    page.gap();
    let schema = serde_json::to_string_pretty(&tool.parameters).expect("a schema is plain data");
    schema.lines().for_each(|line| page.line(line));
}
