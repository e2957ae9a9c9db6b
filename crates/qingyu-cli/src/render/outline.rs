//! The outline as a tree.

use qingyu_studio::story::OutlineNode;

use super::numbers::grouped;
use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, STRONG, TextPage, paint};
use super::wrap::{width, wrap};

/// Draws the outline. Nodes with a missing parent or in a cycle are drawn at the top level.
pub(crate) fn outline(page: &mut TextPage<'_>, nodes: &[OutlineNode]) {
    let heading = page.texts().fill("outline-title", &[("count", nodes.len().into())]);
    page.heading(&heading);
    let tree = OutlineTree::new(nodes);
    let tops = tree.children(None);
    for (number, top) in tops.iter().enumerate() {
        branch(page, &tree, *top, "", number + 1 == tops.len());
    }
}

/// The nodes in reading order, with the index of each parent.
struct OutlineTree<'a> {
    nodes: Vec<&'a OutlineNode>,
    parents: Vec<Option<usize>>,
}

impl<'a> OutlineTree<'a> {
    fn new(nodes: &'a [OutlineNode]) -> Self {
        let mut nodes: Vec<&OutlineNode> = nodes.iter().collect();
        nodes.sort_by_key(|node| node.order);
        let find = |name: &str| nodes.iter().position(|node| node.id == name || node.name == name);
        let named = |node: &OutlineNode| node.parent.as_deref().filter(|name| !name.is_empty()).and_then(find);
        let named: Vec<Option<usize>> = nodes.iter().map(|node| named(node)).collect();
        let above = |node: usize| std::iter::successors(named[node], |parent| named[*parent]).take(named.len());
        let parents = (0..named.len()).map(|node| named[node].filter(|_| above(node).all(|parent| parent != node)));
        Self { parents: parents.collect(), nodes }
    }

    fn children(&self, parent: Option<usize>) -> Vec<usize> {
        (0..self.nodes.len()).filter(|node| self.parents[*node] == parent).collect()
    }
}

/// Draws a node and its descendants.
fn branch(page: &mut TextPage<'_>, tree: &OutlineTree<'_>, node: usize, stem: &str, last: bool) {
    let children = tree.children(Some(node));
    let below = format!("{stem}{}", if last { "   " } else { "│  " });
    let text_stem = format!("{below}{}", if children.is_empty() { "  " } else { "│ " });
    title(page, tree.nodes[node], &format!("{stem}{}", if last { "└─ " } else { "├─ " }));
    for (style, text) in details(page, tree.nodes[node]) {
        for line in wrap(&text, page.width().saturating_sub(width(&text_stem) + 1)) {
            page.line(&format!("{} {}", paint(FAINT, &text_stem), paint(style, &line)));
        }
    }
    for (number, child) in children.iter().enumerate() {
        branch(page, tree, *child, &below, number + 1 == children.len());
    }
}

fn title(page: &mut TextPage<'_>, node: &OutlineNode, stem: &str) {
    let style = if node.kind.is_group() { STRONG.underline() } else { STRONG };
    let chapters = node.chapters.filter(|_| node.kind.is_group());
    let chapters = chapters.map(|count| page.texts().fill("outline-chapters", &[("count", count.into())]));
    let words = node.words.map(|words| page.texts().fill("outline-words", &[("count", grouped(words.into()).into())]));
    let tail = words.or(chapters).map(|words| format!("  {words}")).unwrap_or_default();
    let room = page.width().saturating_sub(width(stem) + width(&tail));
    let lines = wrap(&node.name, room);
    for (number, line) in lines.iter().enumerate() {
        let head = if number == 0 { stem.to_owned() } else { " ".repeat(width(stem)) };
        let tail = if number + 1 == lines.len() { tail.as_str() } else { "" };
        page.line(&format!("{}{}{}", paint(FAINT, &head), paint(style, line), paint(FAINT, tail)));
    }
}

fn details(page: &TextPage<'_>, node: &OutlineNode) -> Vec<(anstyle::Style, String)> {
    let comma = page.texts().get("list-comma");
    let labelled = |key: &str, text: String| format!("{}{text}", page.label(key));
    let candidates = [
        (PLAIN, node.description.clone(), None),
        (FAINT, node.goal.clone(), Some("outline-goal")),
        (FAINT, node.function.clone(), Some("outline-function")),
        (FAINT, node.opening.clone(), Some("outline-opening")),
        (FAINT, node.pressure.clone(), Some("outline-pressure")),
        (FAINT, node.hook.clone(), Some("outline-hook")),
        (FAINT, node.pulls.clone(), Some("outline-pulls")),
        (FAINT, node.tension.map(|tension| format!("{tension}/10")).unwrap_or_default(), Some("outline-tension")),
        (FAINT, node.opposition.clone(), Some("outline-opposition")),
        (FAINT, node.price.clone(), Some("outline-price")),
        (FAINT, node.payoff.clone(), Some("outline-payoff")),
        (NAME, node.participants.join(&comma), Some("outline-participants")),
        (FAINT, node.location.clone().unwrap_or_default(), Some("outline-location")),
        (CARE, node.plants.join(&comma), Some("outline-plants")),
        (GOOD, node.pays.join(&comma), Some("outline-pays")),
    ];
    candidates
        .into_iter()
        .filter(|(_, text, _)| !text.trim().is_empty())
        .map(|(style, text, key)| (style, key.map_or_else(|| text.clone(), |key| labelled(key, text.clone()))))
        .collect()
}
