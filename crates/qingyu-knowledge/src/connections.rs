//! Connections between characters.

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use qingyu_story::CharacterRelation;

/// The relations of a cast as a graph. A relation connects both ways, whatever its direction means.
#[derive(Debug, Clone, Default)]
pub struct CharacterConnections<'a> {
    by_name: BTreeMap<&'a str, Vec<&'a CharacterRelation>>,
}

impl<'a> CharacterConnections<'a> {
    /// Returns the graph of `relations`.
    pub fn new(relations: &'a [CharacterRelation]) -> Self {
        let mut by_name = BTreeMap::<&str, Vec<&CharacterRelation>>::new();
        for relation in relations.iter().filter(|relation| relation.from != relation.to) {
            by_name.entry(&relation.from).or_default().push(relation);
            by_name.entry(&relation.to).or_default().push(relation);
        }
        Self { by_name }
    }

    /// Returns the relations of `name`, in the story's order.
    pub fn of(&self, name: &str) -> &[&'a CharacterRelation] {
        self.by_name.get(name).map_or(&[], Vec::as_slice)
    }

    /// Returns the names directly connected with `name`, sorted.
    pub fn neighbours(&self, name: &str) -> BTreeSet<&'a str> {
        self.of(name).iter().map(|relation| other_end(relation, name)).collect()
    }

    /// Returns the relations of a shortest path from `from` to `to`; of equal paths the path over the first names.
    ///
    /// Empty if both are the same, `None` if no path exists.
    pub fn path(&self, from: &str, to: &str) -> Option<Vec<&'a CharacterRelation>> {
        if from == to {
            return Some(Vec::new());
        }
        let mut reached_by = BTreeMap::<&str, &'a CharacterRelation>::new();
        let mut queue = VecDeque::from([from]);
        while let Some(name) = queue.pop_front() {
            if name == to {
                return Some(walk_back(&reached_by, from, to));
            }
            let mut next =
                self.of(name).iter().map(|relation| (other_end(relation, name), *relation)).collect::<Vec<_>>();
            next.sort_by_key(|(neighbour, _)| *neighbour);
            for (neighbour, relation) in next {
                if neighbour != from && !reached_by.contains_key(neighbour) {
                    reached_by.insert(neighbour, relation);
                    queue.push_back(neighbour);
                }
            }
        }
        None
    }
}

fn other_end<'a>(relation: &'a CharacterRelation, name: &str) -> &'a str {
    if relation.from == name { &relation.to } else { &relation.from }
}

fn walk_back<'a>(
    reached_by: &BTreeMap<&str, &'a CharacterRelation>,
    from: &str,
    to: &str,
) -> Vec<&'a CharacterRelation> {
    let mut path = Vec::new();
    let mut name = to;
    while name != from {
        let relation = reached_by[name];
        path.push(relation);
        name = other_end(relation, name);
    }
    path.reverse();
    path
}

#[cfg(test)]
mod tests {
    use super::*;

    fn relations(pairs: &[(&str, &str)]) -> Vec<CharacterRelation> {
        pairs
            .iter()
            .map(|(from, to)| CharacterRelation { from: (*from).into(), to: (*to).into(), ..Default::default() })
            .collect()
    }

    fn way(pairs: &[(&str, &str)], from: &str, to: &str) -> Option<String> {
        let relations = relations(pairs);
        let path = CharacterConnections::new(&relations).path(from, to)?;
        Some(path.iter().map(|relation| format!("{}-{}", relation.from, relation.to)).collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn shortest_ways() {
        let cast = [("a", "b"), ("b", "c"), ("d", "c"), ("a", "e"), ("e", "c"), ("x", "y"), ("z", "z")];
        let cases = [
            ("a", "c", Some("a-b b-c")),
            ("a", "d", Some("a-b b-c d-c")),
            ("c", "a", Some("b-c a-b")),
            ("a", "a", Some("")),
            ("a", "x", None),
            ("a", "nobody", None),
            ("nobody", "a", None),
        ];
        for (from, to, expected) in cases {
            assert_eq!(way(&cast, from, to).as_deref(), expected, "{from} to {to}");
        }
    }

    #[test]
    fn neighbours_count_once() {
        let relations = relations(&[("a", "b"), ("c", "a"), ("a", "b"), ("x", "y")]);
        let connections = CharacterConnections::new(&relations);
        assert_eq!(connections.neighbours("a").into_iter().collect::<Vec<_>>(), ["b", "c"]);
        assert_eq!(connections.of("b").len(), 2);
        assert!(connections.of("nobody").is_empty());
    }
}
