//! What all pieces have in common: a name, an id, references to others, and prose.

use crate::piece::{PieceKind, WorldFrame};
use crate::{
    Character, CharacterRelation, Item, Location, Organisation, OutlineNode, PlotNode, StyleGuide, TimelineEvent,
    WorldRule,
};

/// A reference from one piece to another, by name or id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Reference<'a> {
    /// The field that holds it.
    pub(crate) field: &'static str,
    /// The kind of the piece it points to.
    pub(crate) to: PieceKind,
    /// The name or id.
    pub(crate) name: &'a str,
}

/// The value inside a [`Piece`](crate::Piece).
pub(crate) trait Part {
    fn id(&self) -> &str {
        ""
    }
    fn set_id(&mut self, _id: String) {}
    fn name(&self) -> &str {
        ""
    }
    fn aliases(&self) -> &[String] {
        &[]
    }
    fn references(&self) -> Vec<Reference<'_>> {
        Vec::new()
    }
    fn references_mut(&mut self) -> Vec<(PieceKind, &mut String)> {
        Vec::new()
    }
    /// The prose, without names and titles.
    fn texts(&self) -> Vec<(&'static str, &str)>;
    fn texts_mut(&mut self) -> Vec<&mut String>;
}

/// Implements [`Part`] from the lists of fields: texts, lists of texts, references.
macro_rules! part {
    ($type:ty {
        $(id: $id:ident,)?
        $(name: $name:ident,)?
        $(aliases: $aliases:ident,)?
        texts: [$($text:ident),*],
        text_lists: [$($text_list:ident),*],
        one: [$($one:ident => $one_kind:ident),*],
        maybe: [$($maybe:ident => $maybe_kind:ident),*],
        many: [$($many:ident => $many_kind:ident),*] $(,)?
    }) => {
        impl Part for $type {
            $(
                fn id(&self) -> &str {
                    &self.$id
                }
                fn set_id(&mut self, id: String) {
                    self.$id = id;
                }
            )?
            $(
                fn name(&self) -> &str {
                    &self.$name
                }
            )?
            $(
                fn aliases(&self) -> &[String] {
                    &self.$aliases
                }
            )?
            fn references(&self) -> Vec<Reference<'_>> {
                #[allow(unused_mut, reason = "some pieces refer to nothing")]
                let mut references = Vec::new();
                $(references.push(Reference { field: stringify!($one), to: PieceKind::$one_kind, name: &self.$one });)*
                $(references.extend(self.$maybe.iter().map(|name| Reference {
                    field: stringify!($maybe), to: PieceKind::$maybe_kind, name,
                }));)*
                $(references.extend(self.$many.iter().map(|name| Reference {
                    field: stringify!($many), to: PieceKind::$many_kind, name,
                }));)*
                references
            }
            fn references_mut(&mut self) -> Vec<(PieceKind, &mut String)> {
                #[allow(unused_mut, reason = "some pieces refer to nothing")]
                let mut references: Vec<(PieceKind, &mut String)> = Vec::new();
                $(references.push((PieceKind::$one_kind, &mut self.$one));)*
                $(references.extend(self.$maybe.iter_mut().map(|name| (PieceKind::$maybe_kind, name)));)*
                $(references.extend(self.$many.iter_mut().map(|name| (PieceKind::$many_kind, name)));)*
                references
            }
            fn texts(&self) -> Vec<(&'static str, &str)> {
                #[allow(unused_mut, reason = "some pieces have no lists")]
                let mut texts = vec![$((stringify!($text), self.$text.as_str())),*];
                $(texts.extend(self.$text_list.iter().map(|text| (stringify!($text_list), text.as_str())));)*
                texts
            }
            fn texts_mut(&mut self) -> Vec<&mut String> {
                #[allow(unused_mut, reason = "some pieces have no lists")]
                let mut texts = vec![$(&mut self.$text),*];
                $(texts.extend(self.$text_list.iter_mut());)*
                texts
            }
        }
    };
}

part!(Character {
    id: id,
    name: name,
    aliases: alias,
    texts: [occupation, weakness, personality, background, goals, conflicts, arc],
    text_lists: [traits],
    one: [],
    maybe: [],
    many: [],
});
part!(CharacterRelation {
    id: id,
    texts: [description],
    text_lists: [],
    one: [from => Character, to => Character],
    maybe: [since => OutlineNode, until => OutlineNode],
    many: [],
});
part!(OutlineNode {
    id: id,
    name: name,
    texts: [description, goal],
    text_lists: [plants, pays],
    one: [],
    maybe: [parent => OutlineNode, location => Location],
    many: [participants => Character],
});
part!(TimelineEvent {
    id: id,
    name: title,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [location => Location, outline_node => OutlineNode],
    many: [after => Event, participants => Character, deaths => Character],
});
part!(PlotNode {
    id: id,
    name: title,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [outline_node => OutlineNode],
    many: [events => Event, causes => PlotNode],
});
part!(Location {
    id: id,
    name: name,
    aliases: alias,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [],
    many: [],
});
part!(Organisation {
    id: id,
    name: name,
    aliases: alias,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [],
    many: [],
});
part!(Item {
    id: id,
    name: name,
    aliases: alias,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [holder => Character],
    many: [],
});
part!(WorldRule { id: id, name: name, texts: [statement, limit], text_lists: [], one: [], maybe: [], many: [] });
part!(WorldFrame { texts: [summary, genre, era], text_lists: [], one: [], maybe: [], many: [] });
part!(StyleGuide {
    texts: [point_of_view, tense, tone, rhythm, dialogue],
    text_lists: [guidelines, taboos],
    one: [],
    maybe: [],
    many: [],
});
