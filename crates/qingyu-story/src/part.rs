//! The common interface of all pieces: name, id, references and prose.

use serde_json::{Value, json};

use crate::piece::{PieceKind, WorldFrame};
use crate::{
    Character, CharacterRelation, Clause, Document, Fact, Item, Ladder, Location, Organisation, OutlineNode, PlotNode,
    Promise, StyleGuide, TimelineEvent, Travel, WorldRule,
};

/// A reference from one piece to another, by name or id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct PieceReference<'a> {
    /// The field with the reference.
    pub(crate) field: &'static str,
    /// The allowed kinds of the target.
    pub(crate) to: &'static [PieceKind],
    /// The name or id.
    pub(crate) name: &'a str,
}

/// The value inside a piece.
pub(crate) trait PieceData {
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
    fn references(&self) -> Vec<PieceReference<'_>> {
        Vec::new()
    }
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        Vec::new()
    }
    /// Returns all names and ids of other pieces, including nested values, with the allowed kinds.
    fn links(&self) -> Vec<(&'static [PieceKind], &str)> {
        self.references().into_iter().map(|reference| (reference.to, reference.name)).collect()
    }
    /// Returns the fields omitted from JSON while empty, with their default values.
    fn quiet(&self) -> Vec<(&'static str, Value)> {
        Vec::new()
    }
    /// Returns the prose, without names and titles.
    fn texts(&self) -> Vec<(&'static str, &str)>;
    fn texts_mut(&mut self) -> Vec<&mut String>;
}

/// Implements [`PieceData`] from lists of fields: texts, lists of texts, references; `quiet` are nested values and `silent`
/// other fields omitted from JSON while empty. `valued` are lists of values with names, whose values are texts.
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
        $(quiet: [$($quiet:ident: $empty:expr),*] $(,)?)?
        $(silent: [$($silent:ident: $nothing:expr),*] $(,)?)?
        $(valued: [$($valued:ident),*] $(,)?)?
    }) => {
        impl PieceData for $type {
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
            fn references(&self) -> Vec<PieceReference<'_>> {
                #[allow(unused_mut, reason = "some pieces refer to nothing")]
                let mut references = Vec::new();
                $(references.push(PieceReference { field: stringify!($one), to: &[PieceKind::$one_kind], name: &self.$one });)*
                $(references.extend(self.$maybe.iter().map(|name| PieceReference {
                    field: stringify!($maybe), to: &[PieceKind::$maybe_kind], name,
                }));)*
                $(references.extend(self.$many.iter().map(|name| PieceReference {
                    field: stringify!($many), to: &[PieceKind::$many_kind], name,
                }));)*
                references
            }
            fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
                #[allow(unused_mut, reason = "some pieces refer to nothing")]
                let mut references: Vec<(&'static [PieceKind], &mut String)> = Vec::new();
                $(references.push((&[PieceKind::$one_kind], &mut self.$one));)*
                $(references.extend(self.$maybe.iter_mut().map(|name| (&[PieceKind::$maybe_kind] as _, name)));)*
                $(references.extend(self.$many.iter_mut().map(|name| (&[PieceKind::$many_kind] as _, name)));)*
                $($(references.extend(self.$quiet.iter_mut().flat_map(NestedReferences::references_mut));)*)?
                references
            }
            $(
                fn links(&self) -> Vec<(&'static [PieceKind], &str)> {
                    let references = self.references().into_iter();
                    let mut links: Vec<_> = references.map(|reference| (reference.to, reference.name)).collect();
                    $(links.extend(self.$quiet.iter().flat_map(NestedReferences::links));)*
                    links
                }
            )?
            fn quiet(&self) -> Vec<(&'static str, Value)> {
                #[allow(unused_mut, reason = "most pieces show all their fields")]
                let mut quiet: Vec<(&'static str, Value)> = Vec::new();
                $(quiet.extend([$((stringify!($quiet), $empty)),*]);)?
                $(quiet.extend([$((stringify!($silent), $nothing)),*]);)?
                quiet
            }
            fn texts(&self) -> Vec<(&'static str, &str)> {
                #[allow(unused_mut, reason = "some pieces have no lists")]
                let mut texts = vec![$((stringify!($text), self.$text.as_str())),*];
                $(texts.extend(self.$text_list.iter().map(|text| (stringify!($text_list), text.as_str())));)*
                $($(texts.extend(self.$valued.iter().map(|field| (stringify!($valued), field.value.as_str())));)*)?
                texts
            }
            fn texts_mut(&mut self) -> Vec<&mut String> {
                #[allow(unused_mut, reason = "some pieces have no lists")]
                let mut texts = vec![$(&mut self.$text),*];
                $(texts.extend(self.$text_list.iter_mut());)*
                $($(texts.extend(self.$valued.iter_mut().map(|field| &mut field.value));)*)?
                texts
            }
        }
    };
}

part!(Character {
    id: id,
    name: name,
    aliases: alias,
    texts: [occupation, weakness, personality, background, goals, conflicts, arc, secret, gender, appearance],
    text_lists: [traits, voice],
    one: [],
    maybe: [secret_until => OutlineNode],
    many: [],
    silent: [
        secret: json!(""), secret_until: Value::Null, voice: json!([]), gender: json!(""), appearance: json!(""),
        custom: json!([])
    ],
    valued: [custom],
});
part!(CharacterRelation {
    id: id,
    texts: [description],
    text_lists: [],
    one: [from => Character, to => Character],
    maybe: [since => OutlineNode, until => OutlineNode],
    many: [],
    silent: [own_kind: json!("")],
});
part!(OutlineNode {
    id: id,
    name: name,
    texts: [description, goal, function, hook, payoff, opposition, price, rhythm, opening, pressure, pulls],
    text_lists: [plants, pays, turns, reveals, themes],
    one: [],
    maybe: [parent => OutlineNode, location => Location],
    many: [participants => Character],
    silent: [
        chapters: Value::Null, function: json!(""), hook: json!(""), turns: json!([]), payoff: json!(""),
        opposition: json!(""), price: json!(""), reveals: json!([]), themes: json!([]), rhythm: json!(""),
        locked: json!(false), opening: json!(""), pressure: json!(""), pulls: json!(""), tension: Value::Null
    ],
});
part!(TimelineEvent {
    id: id,
    name: title,
    aliases: alias,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [location => Location, outline_node => OutlineNode, by => Character],
    many: [after => Event, participants => Character, deaths => Character],
    silent: [alias: json!([]), by: Value::Null],
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
    quiet: [travel: json!([])],
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
part!(WorldRule {
    id: id,
    name: name,
    texts: [statement, limit],
    text_lists: [],
    one: [],
    maybe: [],
    many: [],
    quiet: [forbids: Value::Null, demands: Value::Null],
});
part!(Ladder {
    id: id,
    name: name,
    aliases: alias,
    texts: [description],
    text_lists: [],
    one: [],
    maybe: [],
    many: [],
});
part!(WorldFrame {
    texts: [summary, genre, era, truth],
    text_lists: [],
    one: [],
    maybe: [truth_until => OutlineNode],
    many: [],
    silent: [truth: json!(""), truth_until: Value::Null, relation_kinds: json!([])],
});
part!(StyleGuide {
    texts: [point_of_view, tense, tone, rhythm, dialogue],
    text_lists: [guidelines, taboos],
    one: [],
    maybe: [],
    many: [],
});

/// The kinds allowed as subject of a fact.
pub(crate) const ENTITIES: &[PieceKind] =
    &[PieceKind::Character, PieceKind::Location, PieceKind::Item, PieceKind::Organisation, PieceKind::Event];
/// The kinds allowed as object of a fact.
const OBJECTS: &[PieceKind] = &[
    PieceKind::Character,
    PieceKind::Location,
    PieceKind::Item,
    PieceKind::Organisation,
    PieceKind::Event,
    PieceKind::Fact,
];
/// The kinds able to know and say something.
pub(crate) const MINDS: &[PieceKind] = &[PieceKind::Character, PieceKind::Organisation];
/// The kinds allowed as a time.
pub(crate) const MOMENTS: &[PieceKind] = &[PieceKind::Event, PieceKind::OutlineNode];
/// The kinds allowed as a place.
const PLACES: &[PieceKind] = &[PieceKind::Location];
/// The kinds allowed as source of a sentence.
const DOCUMENTS: &[PieceKind] = &[PieceKind::Document];
/// The kinds where a promise can be kept alive.
pub(crate) const TEXTS: &[PieceKind] = &[PieceKind::OutlineNode, PieceKind::Document];

impl PieceData for Document {
    fn id(&self) -> &str {
        &self.id
    }
    fn set_id(&mut self, id: String) {
        self.id = id;
    }
    fn name(&self) -> &str {
        &self.title
    }
    fn references(&self) -> Vec<PieceReference<'_>> {
        let node = self.outline_node.iter();
        node.map(|name| PieceReference { field: "outline_node", to: &[PieceKind::OutlineNode], name }).collect()
    }
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        self.outline_node.iter_mut().map(|name| (&[PieceKind::OutlineNode] as _, name)).collect()
    }
    fn quiet(&self) -> Vec<(&'static str, Value)> {
        vec![
            ("summary", json!("")),
            ("settled", Value::Null),
            ("read", Value::Null),
            ("remarks", json!([])),
            ("disputes", json!([])),
            ("instructions", json!([])),
            ("by_hand", json!([])),
            ("answers", json!([])),
        ]
    }
    fn texts(&self) -> Vec<(&'static str, &str)> {
        vec![("text", &self.text)]
    }
    fn texts_mut(&mut self) -> Vec<&mut String> {
        vec![&mut self.text, &mut self.summary]
    }
}

impl PieceData for Fact {
    fn id(&self) -> &str {
        &self.id
    }
    fn set_id(&mut self, id: String) {
        self.id = id;
    }
    fn references(&self) -> Vec<PieceReference<'_>> {
        let subject = PieceReference { field: "subject", to: ENTITIES, name: &self.subject };
        let object = self.object.iter().map(|name| PieceReference { field: "object", to: OBJECTS, name });
        [subject].into_iter().chain(object).collect()
    }
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        let mut references = vec![(ENTITIES, &mut self.subject), (MOMENTS, &mut self.from), (MOMENTS, &mut self.until)];
        references.extend(self.object.iter_mut().map(|name| (OBJECTS, name)));
        references.extend(self.by.iter_mut().map(|name| (MINDS, name)));
        references.extend(self.source.iter_mut().map(|source| (DOCUMENTS, &mut source.document)));
        for knower in &mut self.known_by {
            references.extend([(MINDS, &mut knower.who), (MOMENTS, &mut knower.since)]);
            references.extend(knower.told_by.iter_mut().map(|name| (MINDS, name)));
        }
        references
    }
    fn links(&self) -> Vec<(&'static [PieceKind], &str)> {
        let mut links = vec![(ENTITIES, self.subject.as_str()), (MOMENTS, &self.from), (MOMENTS, &self.until)];
        links.extend(self.object.iter().map(|name| (OBJECTS, name.as_str())));
        links.extend(self.by.iter().map(|name| (MINDS, name.as_str())));
        links.extend(self.source.iter().map(|source| (DOCUMENTS, source.document.as_str())));
        for knower in &self.known_by {
            links.extend([(MINDS, knower.who.as_str()), (MOMENTS, knower.since.as_str())]);
            links.extend(knower.told_by.iter().map(|name| (MINDS, name.as_str())));
        }
        links
    }
    fn texts(&self) -> Vec<(&'static str, &str)> {
        let quote = self.source.iter().map(|source| ("source", source.quote.as_str()));
        let value = self.value.as_str().map(|text| ("value", text));
        quote.chain(value).chain(self.known_by.iter().map(|knower| ("known_by", knower.how.as_str()))).collect()
    }
    fn texts_mut(&mut self) -> Vec<&mut String> {
        let quote = self.source.iter_mut().map(|source| &mut source.quote);
        let value = if let Value::String(text) = &mut self.value { Some(text) } else { None };
        quote.chain(value).chain(self.known_by.iter_mut().map(|knower| &mut knower.how)).collect()
    }
}

impl PieceData for Promise {
    fn id(&self) -> &str {
        &self.id
    }
    fn set_id(&mut self, id: String) {
        self.id = id;
    }
    fn name(&self) -> &str {
        &self.name
    }
    fn aliases(&self) -> &[String] {
        &self.alias
    }
    fn quiet(&self) -> Vec<(&'static str, Value)> {
        vec![("alias", json!([]))]
    }
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        let places = self.planted.iter_mut().chain(&mut self.advanced).chain(&mut self.due).chain(&mut self.paid);
        places.map(|name| (TEXTS, name)).collect()
    }
    fn links(&self) -> Vec<(&'static [PieceKind], &str)> {
        let places = self.planted.iter().chain(&self.advanced).chain(&self.due).chain(&self.paid);
        places.map(|name| (TEXTS, name.as_str())).collect()
    }
    fn texts(&self) -> Vec<(&'static str, &str)> {
        vec![("description", &self.description)]
    }
    fn texts_mut(&mut self) -> Vec<&mut String> {
        vec![&mut self.description]
    }
}

/// A nested value with references to other pieces.
trait NestedReferences {
    fn links(&self) -> Vec<(&'static [PieceKind], &str)>;
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)>;
}

impl NestedReferences for Travel {
    fn links(&self) -> Vec<(&'static [PieceKind], &str)> {
        vec![(PLACES, &self.to)]
    }
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        vec![(PLACES, &mut self.to)]
    }
}

impl NestedReferences for Clause {
    fn links(&self) -> Vec<(&'static [PieceKind], &str)> {
        let mut links = vec![(MINDS, self.who.as_str())];
        links.extend(self.object.iter().map(|name| (ENTITIES, name.as_str())));
        links.extend(self.place.iter().map(|name| (PLACES, name.as_str())));
        links.extend(self.unless.iter().map(|name| (ENTITIES, name.as_str())));
        links
    }
    fn references_mut(&mut self) -> Vec<(&'static [PieceKind], &mut String)> {
        let mut references: Vec<(&'static [PieceKind], &mut String)> = vec![(MINDS, &mut self.who)];
        references.extend(self.object.iter_mut().map(|name| (ENTITIES, name)));
        references.extend(self.place.iter_mut().map(|name| (PLACES, name)));
        references.extend(self.unless.iter_mut().map(|name| (ENTITIES, name)));
        references
    }
}

/// Returns the anchor of a piece's field: `outline_nodes/o-3/description`.
pub(crate) fn anchor<P: PieceData>(kind: PieceKind, part: &P, field: &str) -> String {
    format!("{}/{}/{field}", kind.list(), handle(part))
}

/// Returns the id of a piece, or another identification as a fallback.
pub(crate) fn handle<P: PieceData>(part: &P) -> String {
    let ends = || part.references().iter().take(2).map(|reference| reference.name.trim()).collect::<Vec<_>>().join(">");
    match (part.id().trim(), part.name().trim()) {
        ("", "") => ends(),
        ("", name) => name.to_owned(),
        (id, _) => id.to_owned(),
    }
}
