//! Character cards and relations.

use anstyle::Style;
use qingyu_studio::story::telling::Tellings;
use qingyu_studio::story::{Character, CharacterRelation, OwnRelationKind, RelationKind, Story};

use super::page::{CARE, FAINT, GOOD, NAME, PLAIN, TextPage, WRONG};
use super::wrap::{shorten, width};

/// Maximum number of characters in a relation matrix.
const MATRIX_LIMIT: usize = 10;

/// Draws a card for each character.
pub(crate) fn characters(page: &mut TextPage<'_>, story: &Story) {
    let texts = page.texts();
    let tellings = Tellings::of(story);
    page.heading(&texts.fill("characters-title", &[("count", story.characters.len().into())]));
    for character in &story.characters {
        card(page, character, tellings.keeps_secret(Some(character)));
    }
}

/// Draws a card. The chapter that reveals its secret is shown only while the card `keeps` it from the readers.
fn card(page: &mut TextPage<'_>, character: &Character, keeps: bool) {
    let texts = page.texts();
    let comma = texts.get("list-comma");
    let age = character.age.map(|age| texts.fill("character-age", &[("age", age.into())]));
    let head = [
        Some(character.name.clone()),
        Some(texts.word("role", character.role_type)),
        Some(character.gender.trim().to_owned()),
        age,
        Some(character.occupation.clone()),
    ];
    let title = head.into_iter().flatten().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" · ");
    let life = [("character-birth", &character.birth), ("character-death", &character.death)];
    let life = life
        .iter()
        .filter_map(|(key, date)| date.as_ref().map(|date| format!("{}{date}", page.label(key))))
        .collect::<Vec<_>>()
        .join("  ");
    let fields = [
        ("character-alias", character.alias.join(&comma)),
        ("character-traits", character.traits.join(&comma)),
        ("character-appearance", character.appearance.clone()),
        ("character-personality", character.personality.clone()),
        ("character-background", character.background.clone()),
        ("character-goals", character.goals.clone()),
        ("character-conflicts", character.conflicts.clone()),
        ("character-weakness", character.weakness.clone()),
        ("character-arc", character.arc.clone()),
        ("character-voice", character.voice.join("  ")),
        ("character-secret", character.secret.clone()),
        ("character-secret-until", character.secret_until.clone().filter(|_| keeps).unwrap_or_default()),
    ];
    let mut lines: Vec<(Style, String)> = fields
        .into_iter()
        .filter(|(_, text)| !text.trim().is_empty())
        .map(|(key, text)| (PLAIN, format!("{}{text}", page.label(key))))
        .collect();
    let named = |name: &str| texts.fill("label", &[("name", name.into())]);
    lines.extend(character.custom_fields().map(|(name, value)| (PLAIN, format!("{}{value}", named(name)))));
    if !life.is_empty() {
        lines.insert(0, (FAINT, life));
    }
    page.boxed(&title, &lines);
}

/// Draws the relations of characters: a matrix for a small cast, then every relation with its arrow.
pub(crate) fn relations(page: &mut TextPage<'_>, story: &Story) {
    let (texts, relations) = (page.texts(), &story.character_relations);
    page.heading(&texts.fill("relations-title", &[("count", relations.len().into())]));
    matrix(page, story);
    for (number, relation) in relations.iter().enumerate() {
        if !relations[..number].iter().any(|earlier| is_other_side(story, earlier, relation)) {
            arrow(page, story, relation);
        }
    }
    own_kinds(page, story.relation_kinds());
}

/// Lists the author's own kinds of relation.
fn own_kinds(page: &mut TextPage<'_>, kinds: &[OwnRelationKind]) {
    let texts = page.texts();
    let named = |kind: &OwnRelationKind| match (kind.symmetric, kind.inverse.trim()) {
        (true, _) => texts.fill("relation-kind-symmetric", &[("name", kind.name.clone().into())]),
        (false, "") => kind.name.clone(),
        (false, inverse) => {
            let inverse = ("inverse", inverse.to_owned().into());
            texts.fill("relation-kind-inverse", &[("name", kind.name.clone().into()), inverse])
        }
    };
    let named: Vec<String> = kinds.iter().map(named).collect();
    page.labelled(2, "relation-kinds", &named.join(&texts.get("list-comma")));
}

/// Returns the kind of a relation in words, and whether it holds in both directions.
fn kind_of(page: &TextPage<'_>, story: &Story, relation: &CharacterRelation) -> (String, bool) {
    match relation.own_kind.trim() {
        "" => {
            let texts = page.texts();
            let is_sibling = relation.kind == RelationKind::Sibling;
            let siblings =
                is_sibling.then(|| relation.pair(&story.characters).sibling_word(texts.language())).flatten();
            let kind = siblings.map_or_else(|| texts.word("relation", relation.kind), str::to_owned);
            (kind, is_mutual(relation.kind))
        }
        own => (own.to_owned(), story.own_relation_kind(own).is_some_and(|(kind, _)| kind.symmetric)),
    }
}

/// Returns whether two rows are the same relation seen from both sides, with no further details.
fn is_other_side(story: &Story, a: &CharacterRelation, b: &CharacterRelation) -> bool {
    let ends = a.from == b.to && a.to == b.from;
    let is_inverse = match (a.own_kind.trim(), b.own_kind.trim()) {
        ("", "") => a.kind == b.kind.inverse(),
        (a, b) => match (story.own_relation_kind(a), story.own_relation_kind(b)) {
            (Some((one, is_turned)), Some((other, is_other_turned))) => {
                one == other && (one.symmetric || is_turned != is_other_turned)
            }
            _ => false,
        },
    };
    ends && is_inverse && (&a.description, &a.since, &a.until) == (&b.description, &b.since, &b.until)
}

fn arrow(page: &mut TextPage<'_>, story: &Story, relation: &CharacterRelation) {
    let (kind, is_mutual) = kind_of(page, story, relation);
    let arrow = if is_mutual { format!("◀─ {kind} ─▶") } else { format!("── {kind} ─▶") };
    let style = relation_style(relation.kind);
    let strength = "●".repeat((relation.strength.clamp(0.0, 1.0) * 5.0).round() as usize);
    let line = format!("{} {arrow} {}  {strength}", relation.from, relation.to);
    page.paragraph(2, style, line.trim_end());
    page.paragraph(4, PLAIN, &relation.description);
    let span = [("relation-since", &relation.since), ("relation-until", &relation.until)];
    for (key, node) in span {
        page.labelled(4, key, node.as_deref().unwrap_or_default());
    }
}

/// Draws a matrix of relations with a row per character; draws nothing if the matrix does not fit.
fn matrix(page: &mut TextPage<'_>, story: &Story) {
    let (texts, relations) = (page.texts(), &story.character_relations);
    let mut names: Vec<&str> = Vec::new();
    for name in relations.iter().flat_map(|relation| [relation.from.as_str(), relation.to.as_str()]) {
        if !names.contains(&name) {
            names.push(name);
        }
    }
    let cell = |from: &str, to: &str| {
        let kinds = relations.iter().filter_map(|relation| match (relation.from.as_str(), relation.to.as_str()) {
            (f, t) if f == from && t == to => Some(kind_of(page, story, relation).0),
            (f, t) if f == to && t == from => Some(kind_of(page, story, relation)).filter(|of| of.1).map(|of| of.0),
            _ => None,
        });
        let mut kinds: Vec<String> = kinds.collect();
        kinds.dedup();
        kinds.join("/")
    };
    let rows: Vec<Vec<String>> = names
        .iter()
        .map(|from| std::iter::once((*from).to_owned()).chain(names.iter().map(|to| cell(from, to))).collect())
        .collect();
    let header: Vec<String> =
        std::iter::once(String::new()).chain(names.iter().map(|name| shorten(name, 10))).collect();
    let needed: usize = (0..header.len())
        .map(|column| rows.iter().chain([&header]).map(|row| width(&row[column])).max().unwrap_or(0) + 3)
        .sum();
    if (3..=MATRIX_LIMIT).contains(&names.len()) && needed < page.width() {
        page.table(&header, &rows, &[], &[]);
        page.paragraph(2, FAINT, &texts.get("relations-reading"));
        page.gap();
    }
}

fn is_mutual(kind: RelationKind) -> bool {
    kind.inverse() == kind
}

fn relation_style(kind: RelationKind) -> Style {
    match kind {
        RelationKind::Enemy => WRONG,
        RelationKind::Rival => CARE,
        RelationKind::Friend | RelationKind::Lover | RelationKind::Ally => GOOD,
        _ => NAME,
    }
}
