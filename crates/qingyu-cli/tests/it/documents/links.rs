//! Links and pictures of every page: the file is there, and so is the heading.

use std::path::{Path, PathBuf};

use super::blocks::parted;

/// Folders whose pages are not the project's.
const NOT_OURS: [&str; 7] = ["target", "node_modules", "dist", "test-results", "playwright-report", "corpus", "seeds"];

/// Links that lead nowhere, each with its page and line.
pub(super) fn wrong(root: &Path) -> Vec<String> {
    let mut pages = Vec::new();
    gather(root, &mut pages);
    assert!(pages.len() > 10, "the pages are not found in {}", root.display());
    let mut wrong = Vec::new();
    for page in pages {
        let text = std::fs::read_to_string(&page).unwrap();
        for (line, target) in targets(&text) {
            if !leads_somewhere(&page, &target) {
                let name = page.strip_prefix(root).unwrap_or(&page).display();
                wrong.push(format!("{name}:{line}: {target}"));
            }
        }
    }
    wrong
}

fn gather(folder: &Path, pages: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() && !path.is_symlink() && !name.starts_with('.') && !NOT_OURS.contains(&name.as_str()) {
            gather(&path, pages);
        } else if name.ends_with(".md") {
            pages.push(path);
        }
    }
}

/// Where the links and pictures of a page lead, without those into the web.
fn targets(text: &str) -> Vec<(usize, String)> {
    let (_, prose) = parted(text);
    let mut found = Vec::new();
    for (line, content) in prose {
        // What stands between backticks is no link.
        let plain: String = content.split('`').step_by(2).collect::<Vec<_>>().join("x");
        for rest in plain.split("](").skip(1) {
            let target = rest.split([')', ' ']).next().unwrap_or_default();
            if !target.contains("://") && !target.starts_with("mailto:") {
                found.push((line, target.to_owned()));
            }
        }
    }
    found
}

fn leads_somewhere(page: &Path, target: &str) -> bool {
    let (path, heading) = target.split_once('#').unwrap_or((target, ""));
    let file = if path.is_empty() { page.to_owned() } else { page.parent().unwrap().join(path) };
    let has_heading = || {
        let text = std::fs::read_to_string(&file).unwrap_or_default();
        parted(&text).1.iter().any(|(_, line)| line.starts_with('#') && anchor(line) == heading)
    };
    file.exists() && (heading.is_empty() || has_heading())
}

/// What a heading is called in links.
fn anchor(heading: &str) -> String {
    let kept = |c: &char| c.is_alphanumeric() || matches!(c, '-' | '_' | ' ');
    let text = heading.trim_start_matches('#').trim().to_lowercase();
    text.chars().filter(kept).map(|c| if c == ' ' { '-' } else { c }).collect()
}

#[test]
fn links_are_found_and_followed() {
    let folder = tempfile::tempdir().unwrap();
    let page = folder.path().join("a.md");
    let text = "# One, two\n[x](#one-two) ![y](no.png) [z](https://a.b) `[c](d)` [a](a.md#three)\n";
    std::fs::write(&page, text).unwrap();
    let wrong: Vec<_> = targets(text).into_iter().filter(|(_, target)| !leads_somewhere(&page, target)).collect();
    assert_eq!(wrong, [(2, "no.png".to_owned()), (2, "a.md#three".to_owned())]);
}
