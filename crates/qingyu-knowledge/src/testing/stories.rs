//! A small book, and an author's edits.

use proptest::prelude::*;
use qingyu_story::{Character, Document, OutlineNode, OutlineNodeKind, Promise, RoleType, Story};

const NAMES: [&str; 5] = ["林深", "苏曼", "老周", "龍門客棧", "O'Brien %_\\"];
const SENTENCES: [&str; 10] = [
    "林深在旧港捡到一块芯片。",
    "苏曼把芯片还给他。",
    "老周说：“雨还会下。”",
    "龍門客棧的燈滅了。\n\n",
    "旧港的雨下了三天，没有人等她。",
    "The gardeners kept a key.",
    "Nobody asked林深 about the keys.\n",
    "“走。”\n",
    "旧港，旧港，还是旧港。",
    "芯片里有一段录像。\n\n***\n\n",
];

/// An edit by an author.
#[derive(Debug, Clone)]
pub enum Edit {
    /// Inserts or replaces a document.
    Document {
        /// The number of the document.
        id: usize,
        /// The outline node of the document.
        node: Option<usize>,
        /// The sentences, by number.
        text: Vec<usize>,
    },
    /// Removes a document.
    NoDocument(usize),
    /// Inserts or replaces a character's card.
    Character {
        /// The number of the character.
        id: usize,
        /// The name, by number.
        name: usize,
        /// Whether the character is brave.
        brave: bool,
        /// The age.
        age: Option<i32>,
    },
    /// Removes a character.
    NoCharacter(usize),
    /// Inserts or replaces an outline node.
    Node {
        /// The number of the node.
        id: usize,
        /// The place in reading order.
        order: u32,
        /// Whether the node is a scene.
        scene: bool,
    },
    /// Removes an outline node.
    NoNode(usize),
    /// Adds a promise planted at a node, and optionally paid there.
    Promise {
        /// The node.
        node: usize,
        /// Whether the promise is paid.
        paid: bool,
    },
}

impl Edit {
    /// Returns a strategy for edits.
    pub fn any() -> impl Strategy<Value = Self> {
        let text = prop::collection::vec(0..SENTENCES.len(), 0..60);
        prop_oneof![
            5 => (1usize..5, prop::option::of(1usize..4), text)
                .prop_map(|(id, node, text)| Self::Document { id, node, text }),
            1 => (1usize..5).prop_map(Self::NoDocument),
            2 => (1usize..4, 0..NAMES.len(), any::<bool>(), prop::option::of(1i32..5))
                .prop_map(|(id, name, brave, age)| Self::Character { id, name, brave, age }),
            1 => (1usize..4).prop_map(Self::NoCharacter),
            2 => (1usize..4, 1u32..6, any::<bool>()).prop_map(|(id, order, scene)| Self::Node { id, order, scene }),
            1 => (1usize..4).prop_map(Self::NoNode),
            1 => (1usize..4, any::<bool>()).prop_map(|(node, paid)| Self::Promise { node, paid }),
        ]
    }

    /// Applies the edit.
    pub fn apply(&self, story: &mut Story) {
        match self {
            Self::Document { id, node, text } => {
                let text: String = text.iter().map(|at| SENTENCES[*at]).collect();
                put(&mut story.documents, document(*id, *node, &text), |one| one.id.clone());
            }
            Self::NoDocument(id) => story.documents.retain(|one| one.id != format!("d-{id}")),
            Self::Character { id, name, brave, age } => {
                let traits = if *brave { vec!["勇敢".into()] } else { Vec::new() };
                let (id, name) = (format!("c-{id}"), NAMES[*name].into());
                let card = Character { id, name, traits, age: *age, ..Character::default() };
                put(&mut story.characters, card, |one| one.id.clone());
            }
            Self::NoCharacter(id) => story.characters.retain(|one| one.id != format!("c-{id}")),
            Self::Node { id, order, scene } => {
                let kind = if *scene { OutlineNodeKind::Scene } else { OutlineNodeKind::Chapter };
                let name = format!("第{id}回 旧港");
                let node = OutlineNode { id: format!("o-{id}"), name, order: *order, kind, ..OutlineNode::default() };
                put(&mut story.outline_nodes, node, |one| one.id.clone());
            }
            Self::NoNode(id) => story.outline_nodes.retain(|one| one.id != format!("o-{id}")),
            Self::Promise { node, paid } => {
                let at = vec![format!("o-{node}")];
                let paid = if *paid { at.clone() } else { Vec::new() };
                let (id, name) = ("promise-1".to_owned(), "芯片里的录像".to_owned());
                let promise = Promise { id, name, planted: at, paid, ..Promise::default() };
                put(&mut story.promises, promise, |one| one.id.clone());
            }
        }
    }
}

fn put<T>(list: &mut Vec<T>, new: T, id: impl Fn(&T) -> String) {
    match list.iter_mut().find(|one| id(one) == id(&new)) {
        Some(old) => *old = new,
        None => list.push(new),
    }
}

pub(super) fn document(id: usize, node: Option<usize>, text: &str) -> Document {
    Document {
        id: format!("d-{id}"),
        title: format!("第{id}章"),
        order: id as u32,
        outline_node: node.map(|node| format!("o-{node}")),
        version: 1,
        text: text.into(),
        ..Document::default()
    }
}

/// Returns a story with a card and three short texts.
pub(super) fn book() -> Story {
    Story {
        characters: vec![Character {
            id: "c-1".into(),
            name: "林深".into(),
            role_type: RoleType::Protagonist,
            traits: vec!["勇敢".into()],
            age: Some(3),
            ..Character::default()
        }],
        promises: vec![Promise { id: "promise-1".into(), name: "芯片".into(), ..Promise::default() }],
        documents: vec![
            document(1, None, "林深在旧港捡到一块芯片。"),
            document(2, None, "苏曼回到星环塔，没有人等她。"),
            document(3, None, "龍門客棧的燈滅了。"),
        ],
        ..Story::default()
    }
}
