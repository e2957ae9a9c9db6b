//! Network analysis of the cast: central characters and communities.

use std::collections::BTreeMap;

use qingyu_story::{CharacterRelation, RelationKind, Story};
use serde_json::{Value, json};

use crate::network::{self, NetworkLinks};
use crate::reading::ReadingOrder;

/// Default strength of a relation.
const UNSAID: f64 = 0.5;

/// Returns degree, betweenness, PageRank and communities of the cast by `relations`.
///
/// Degrees and betweenness count every relation once, in both directions. PageRank follows a relation from its owner to
/// the other end, by strength, and mutual relations both ways. Communities use bonds only: enemies and rivals are not
/// bound together.
pub(super) fn analyze(story: &Story, relations: &[&CharacterRelation], limit: usize) -> Value {
    let reading = ReadingOrder::of(story);
    let end = |name: &String| reading.characters([name]).first().copied();
    let known = relations.iter().filter_map(|relation| Some((end(&relation.from)?, end(&relation.to)?, *relation)));
    let known: Vec<(usize, usize, &CharacterRelation)> = known.filter(|(from, to, _)| from != to).collect();
    let count = story.characters.len();
    let all = mutual(count, known.iter().copied());
    let bonds = mutual(count, known.iter().copied().filter(|(.., relation)| !is_hostile(relation.kind)));
    let between = network::betweenness(&all);
    let ranks = network::pagerank(&directed(count, &known));
    let member = network::communities(&bonds);
    let describe = |node: usize| {
        let card = &story.characters[node];
        let outgoing = known.iter().filter(|(from, ..)| *from == node).count();
        let incoming = known.iter().filter(|(_, to, _)| *to == node).count();
        let strength: f64 = all[node].iter().map(|(_, weight)| weight).sum();
        json!({
            "id": card.id,
            "name": card.name,
            "degree": all[node].len(),
            "out_degree": outgoing,
            "in_degree": incoming,
            "strength": rounded(strength),
            "betweenness": rounded(between[node]),
            "pagerank": rounded(ranks[node]),
            "community": member[node],
        })
    };
    let mut order: Vec<usize> = (0..count).collect();
    order.sort_by(|a, b| ranks[*b].total_cmp(&ranks[*a]).then(a.cmp(b)));
    let names = |nodes: &[usize]| nodes.iter().map(|node| story.characters[*node].name.as_str()).collect::<Vec<_>>();
    let components: Vec<_> =
        network::components(&all).iter().filter(|nodes| nodes.len() > 1).map(|nodes| names(nodes)).collect();
    let isolated: Vec<usize> = (0..count).filter(|node| all[*node].is_empty()).collect();
    let hostile = known.iter().filter(|(.., relation)| is_hostile(relation.kind));
    let hostile = hostile.map(|(from, to, relation)| {
        let (from, to) = (&story.characters[*from].name, &story.characters[*to].name);
        json!({"from": from, "to": to, "type": relation.kind, "strength": relation.strength})
    });
    json!({
        "characters": order.into_iter().take(limit).map(describe).collect::<Vec<_>>(),
        "communities": groups(&member, &bonds, story),
        "modularity": rounded(network::modularity(&bonds, &member)),
        "components": components,
        "isolated": names(&isolated),
        "hostile": hostile.take(limit).collect::<Vec<_>>(),
        "relations": known.len(),
        "left_out": relations.len() - known.len(),
    })
}

/// Returns communities of at least two members, with the share of their members' internal ties.
fn groups(member: &[usize], bonds: &NetworkLinks, story: &Story) -> Vec<Value> {
    let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for (node, group) in member.iter().enumerate() {
        groups.entry(*group).or_default().push(node);
    }
    let group = |(number, nodes): (usize, Vec<usize>)| {
        let ties = nodes.iter().flat_map(|node| &bonds[*node]);
        let (inside, total) = ties.fold((0.0, 0.0), |(inside, total), (to, weight)| {
            (inside + if member[*to] == number { *weight } else { 0.0 }, total + weight)
        });
        let names: Vec<&str> = nodes.iter().map(|node| story.characters[*node].name.as_str()).collect();
        json!({
            "community": number, "members": names,
            "cohesion": rounded(if total > 0.0 { inside / total } else { 0.0 }),
        })
    };
    groups.into_iter().filter(|(_, nodes)| nodes.len() > 1).map(group).collect()
}

type KnownRelation<'s> = (usize, usize, &'s CharacterRelation);

/// Returns every relation in both directions; the strengths of duplicates between a pair are added.
fn mutual<'s>(count: usize, relations: impl Iterator<Item = KnownRelation<'s>>) -> Vec<Vec<(usize, f64)>> {
    let mut rows = vec![BTreeMap::new(); count];
    for (from, to, relation) in relations {
        *rows[from].entry(to).or_insert(0.0) += weight(relation);
        *rows[to].entry(from).or_insert(0.0) += weight(relation);
    }
    rows.into_iter().map(|row| row.into_iter().collect()).collect()
}

fn directed(count: usize, relations: &[KnownRelation<'_>]) -> Vec<Vec<(usize, f64)>> {
    let mut rows = vec![BTreeMap::new(); count];
    for (from, to, relation) in relations {
        *rows[*from].entry(*to).or_insert(0.0) += weight(relation);
        if relation.kind.inverse() == relation.kind {
            *rows[*to].entry(*from).or_insert(0.0) += weight(relation);
        }
    }
    rows.into_iter().map(|row| row.into_iter().collect()).collect()
}

fn weight(relation: &CharacterRelation) -> f64 {
    let strength = relation.strength;
    if strength.is_finite() && strength > 0.0 { strength.min(1.0) } else { UNSAID }
}

fn is_hostile(kind: RelationKind) -> bool {
    matches!(kind, RelationKind::Enemy | RelationKind::Rival)
}

/// Rounds to six digits.
fn rounded(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}
