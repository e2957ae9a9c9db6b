//! Literal execution of correction instructions: the result has exactly the created and updated pieces.

use qingyu_agents::context::WorkContext;
use qingyu_agents::output::{CharacterWork, OutlineWork, PlotWork, StyleWork, WorldviewWork};
use qingyu_story::edit::{self, from_instruction, is_blank};
use qingyu_story::{
    Action, Character, CharacterRelation, CorrectionInstruction, Edit, OutlineNode, Piece, RoleType, Story,
    TimelineEvent, Worldview, placeholder,
};
use serde_json::Value;

use crate::cast::CastMember;
use crate::character::{self, Deck};
use crate::frame::{AnswerFrame, People};
use crate::person::{Person, carded, person_of};
use crate::plot;

/// Corrects characters and relations.
pub(crate) fn characters(work: &WorkContext) -> CharacterWork {
    let mut correction = CorrectionPass::new(work, "character");
    let pieces = correction.obey();
    let mut made = CharacterWork::default();
    for piece in pieces {
        match piece {
            Piece::Character(card) => made.characters.push(card),
            Piece::Relation(relation) => made.character_relations.push(relation),
            _ => {}
        }
    }
    correction.reasoning.push(correction.frame.draws());
    CharacterWork { reasoning: correction.reasoning, ..made }
}

/// Corrects the outline.
pub(crate) fn outline(work: &WorkContext) -> OutlineWork {
    let mut correction = CorrectionPass::new(work, "outline");
    let pieces = correction.obey().into_iter();
    let outline_nodes = pieces.filter_map(|piece| if let Piece::OutlineNode(node) = piece { Some(node) } else { None });
    OutlineWork {
        title: String::new(),
        outline_nodes: outline_nodes.collect(),
        outline_summary: String::new(),
        reasoning: correction.reasoning,
    }
}

/// Corrects timeline and plot.
pub(crate) fn plot(work: &WorkContext) -> PlotWork {
    let mut correction = CorrectionPass::new(work, "plot");
    let mut made = PlotWork::default();
    for piece in correction.obey() {
        match piece {
            Piece::Event(event) => made.timeline_events.push(event),
            Piece::PlotNode(node) => made.plot_nodes.push(node),
            _ => {}
        }
    }
    PlotWork { reasoning: correction.reasoning, ..made }
}

/// Corrects the world.
pub(crate) fn worldview(work: &WorkContext) -> WorldviewWork {
    let mut correction = CorrectionPass::new(work, "worldview");
    let before = work.story.worldview.clone().unwrap_or_default();
    let mut world =
        Worldview { rules: vec![], locations: vec![], organisations: vec![], items: vec![], ladders: vec![], ..before };
    for piece in correction.obey() {
        match piece {
            Piece::Worldview(own) => {
                let (truth, truth_until) = (own.truth, own.truth_until);
                world = Worldview { summary: own.summary, genre: own.genre, era: own.era, truth, truth_until, ..world };
            }
            Piece::Location(place) => world.locations.push(place),
            Piece::Organisation(organisation) => world.organisations.push(organisation),
            Piece::Item(item) => world.items.push(item),
            Piece::WorldRule(rule) => world.rules.push(rule),
            Piece::Ladder(ladder) => world.ladders.push(ladder),
            _ => {}
        }
    }
    WorldviewWork { worldview: world, reasoning: correction.reasoning }
}

/// Corrects the style guide.
pub(crate) fn style(work: &WorkContext) -> StyleWork {
    let mut correction = CorrectionPass::new(work, "style");
    let changed = correction.obey().into_iter().find_map(|piece| match piece {
        Piece::Style(style) => Some(style),
        _ => None,
    });
    let style = changed.or_else(|| work.story.style.clone()).unwrap_or_default();
    StyleWork { style, reasoning: correction.reasoning }
}

/// The execution of an agent's instructions on a copy of the story.
struct CorrectionPass<'a> {
    work: &'a WorkContext,
    /// The copy, updated so that several instructions for a piece accumulate.
    story: Story,
    frame: AnswerFrame,
    deck: Deck,
    reasoning: Vec<String>,
}

impl<'a> CorrectionPass<'a> {
    fn new(work: &'a WorkContext, agent: &str) -> Self {
        let cards = work.story.characters.iter().map(|card| carded(card, work.language)).collect();
        let mut frame = AnswerFrame::new(work, agent, People::Needed(cards));
        frame.drawn.clear();
        let deck = Deck::new(&mut frame);
        Self { work, story: work.story.clone(), frame, deck, reasoning: Vec::new() }
    }

    /// Applies the executable instructions and returns the resulting pieces; deletions return nothing.
    fn obey(&mut self) -> Vec<Piece> {
        let mut pieces: Vec<Piece> = Vec::new();
        for instruction in self.work.instructions.iter().filter(|one| one.action != Action::Delete) {
            let made = from_instruction(instruction).and_then(|edit| match edit {
                Edit::Create { piece } => Ok(self.created(instruction, &piece)),
                other => self.updated(instruction, other).map(|piece| vec![piece]),
            });
            let phrases = self.frame.phrases;
            let template = if made.is_ok() { &phrases.obeyed } else { &phrases.not_obeyed };
            let plain = |text: &str| text.replace(['{', '}'], "");
            let words =
                [("id", plain(&instruction.issue_id)), ("instruction", plain(&instruction.specific_instruction))];
            let is_free = instruction.parameters.is_null();
            let why =
                |error: &edit::Error| if is_free { phrases.needs_model.clone() } else { plain(&error.to_string()) };
            let reason = made.as_ref().err().map(why).unwrap_or_default();
            let words = [(words[0].0, words[0].1.as_str()), (words[1].0, &words[1].1), ("reason", &reason)];
            self.reasoning.push(self.frame.text_with(template, None, &words));
            for piece in made.unwrap_or_default() {
                let same = |other: &Piece| {
                    other.kind() == piece.kind()
                        && (piece.kind().is_single() || (!piece.id().is_empty() && other.id() == piece.id()))
                };
                pieces.retain(|other| !same(other));
                pieces.push(piece);
            }
        }
        pieces
    }

    /// Returns a new piece with all known fields, and its companion pieces.
    fn created(&mut self, instruction: &CorrectionInstruction, piece: &Piece) -> Vec<Piece> {
        let open = placeholder(self.work.language);
        let mut made = match piece {
            Piece::Character(card) => self.cast(card),
            Piece::Relation(relation) => vec![Piece::Relation(self.related(relation))],
            Piece::OutlineNode(_) => vec![Piece::OutlineNode(OutlineNode {
                description: open.into(),
                goal: open.into(),
                order: u32::try_from(self.story.outline_nodes.len() + 1).unwrap_or(u32::MAX),
                parent: self.story.outline_nodes.iter().rev().find_map(|node| node.parent.clone()),
                ..OutlineNode::default()
            })],
            Piece::Event(event) => vec![Piece::Event(self.told(event))],
            Piece::Location(_) | Piece::Organisation(_) | Piece::Item(_) => {
                let known = self.in_outline(piece.name()).unwrap_or_else(|| open.into());
                vec![set(piece, "description", known.into())]
            }
            Piece::PlotNode(_) => vec![set(piece, "description", open.into())],
            Piece::WorldRule(_) => vec![set(piece, "statement", open.into())],
            Piece::Ladder(_)
            | Piece::Document(_)
            | Piece::Fact(_)
            | Piece::Promise(_)
            | Piece::Worldview(_)
            | Piece::Style(_) => {
                vec![piece.clone()]
            }
        };
        let empty = Piece::empty(piece.kind()).fields();
        let given = |field: &String| instruction.parameters.get(field).is_some_and(|value| !value.is_null());
        let named = piece.fields().into_iter().filter(|(field, value)| given(field) || empty.get(field) != Some(value));
        for (field, value) in named {
            made[0] = set(&made[0], &field, value);
        }
        for piece in &made {
            // A duplicate name is rejected and reported again when the caller applies the result.
            let _refused = edit::apply(&mut self.story, Edit::Create { piece: piece.clone() });
        }
        made
    }

    /// Returns the piece after `edit`, with fields left to the agent filled in.
    fn updated(&mut self, instruction: &CorrectionInstruction, edit: Edit) -> Result<Piece, edit::Error> {
        let Edit::Update { kind, target, mut fields } = edit else { unreachable!("creations are done elsewhere") };
        let before = {
            let mut copy = self.story.clone();
            let gone = edit::apply(&mut copy, Edit::Delete { kind, target: target.clone() })?;
            gone.steps.into_iter().find_map(|step| step.before).expect("a deletion begins with what it deletes")
        };
        let own = before.fields();
        let left_open: Vec<String> = match instruction.parameters.as_object() {
            _ if fields.is_empty() && asks_for_nothing(instruction) => {
                own.iter().filter(|(_, value)| is_blank(value)).map(|(field, _)| field.clone()).collect()
            }
            Some(given) => given.iter().filter(|(_, value)| value.is_null()).map(|(field, _)| field.clone()).collect(),
            None => Vec::new(),
        };
        if !left_open.is_empty() {
            let filled = self.filled(&before).fields();
            let open = left_open.into_iter().filter_map(|field| filled.get_key_value(&field));
            for (field, value) in open.filter(|(_, value)| !is_blank(value)) {
                fields.entry(field.clone()).or_insert_with(|| value.clone());
            }
        }
        let change = edit::apply(&mut self.story, Edit::Update { kind, target, fields })?;
        Ok(change.steps.into_iter().find_map(|step| step.after).unwrap_or(before))
    }

    /// Returns the piece with the agent's values in its fields.
    fn filled(&mut self, piece: &Piece) -> Piece {
        let open = placeholder(self.work.language);
        match piece {
            Piece::Character(card) => {
                let known = self.frame.players.iter().find(|player| player.person.name == card.name).cloned();
                let person = carded(card, self.work.language);
                let stranger = CastMember { part: None, key: String::new(), person, drawn: false };
                let era = self.era();
                let player = known.unwrap_or(stranger);
                let made = character::card(&mut self.frame, &player, &mut self.deck, era.as_deref());
                Piece::Character(made)
            }
            other => {
                let texts = ["description", "goal", "statement", "summary"].into_iter();
                texts.fold(other.clone(), |piece, field| set(&piece, field, open.into()))
            }
        }
    }

    /// Returns a full card for a new person consistent with the outline, and the relation to the protagonist.
    fn cast(&mut self, card: &Character) -> Vec<Piece> {
        let player = self.player(card);
        let era = self.era();
        let made = character::card(&mut self.frame, &player, &mut self.deck, era.as_deref());
        let there = |relation: &CharacterRelation| {
            self.story.character_relations.iter().any(|other| other.from == relation.from && other.to == relation.to)
        };
        let others: Vec<&String> = self.story.characters.iter().map(|card| &card.name).collect();
        let made = character::with_clear_aliases(vec![made], &others).remove(0);
        let relations = character::between(&self.frame, &player).into_iter();
        let relations = relations.filter(|relation| player.key != "hero" && !there(relation)).map(Piece::Relation);
        [Piece::Character(made)].into_iter().chain(relations).collect()
    }

    /// Returns the part of a new person: by the instruction, the items held, or the trade.
    fn player(&self, card: &Character) -> CastMember {
        let known = person_of(&card.name, &self.work.story, self.work.language);
        let trade = if card.occupation.is_empty() { known.trade.clone() } else { card.occupation.clone() };
        let hero = &self.frame.hero().person;
        if hero.name == card.name {
            let person = Person { trade: hero.trade.clone(), ..known };
            return CastMember { part: None, key: "hero".into(), person, drawn: false };
        }
        let setting = self.frame.brief.setting;
        let standing = setting.trades.all().find(|(_, known)| **known == trade).map(|(standing, _)| standing);
        let mut items = self.work.story.worldview.iter().flat_map(|world| &world.items);
        let holds = items.any(|item| item.holder.as_deref() == Some(&card.name));
        let free = |key: &str| !self.frame.players.iter().any(|player| player.key == key && !player.drawn);
        let mut parts = self.frame.brief.shape.roles.iter().filter(|part| free(&part.key));
        let part = parts.find(|part| match card.role_type {
            RoleType::Antagonist => part.role_type == RoleType::Antagonist,
            _ if part.holder => holds,
            _ => part.role_type != RoleType::Antagonist && standing == Some(part.standing),
        });
        let person = Person { trade, ..known };
        CastMember { part, key: part.map(|part| part.key.clone()).unwrap_or_default(), person, drawn: false }
    }

    /// Returns a new relation, mirrored from the opposite relation if any.
    fn related(&self, relation: &CharacterRelation) -> CharacterRelation {
        let back = self.story.character_relations.iter().find(|o| o.from == relation.to && o.to == relation.from);
        let seen = back.map(|back| CharacterRelation {
            id: String::new(),
            from: back.to.clone(),
            to: back.from.clone(),
            kind: back.kind.inverse(),
            own_kind: String::new(),
            ..back.clone()
        });
        seen.unwrap_or_else(|| CharacterRelation {
            strength: 0.5,
            description: placeholder(self.work.language).into(),
            ..CharacterRelation::default()
        })
    }

    /// Returns a new event, filled in from its outline node if any.
    fn told(&self, event: &TimelineEvent) -> TimelineEvent {
        let nodes = &self.story.outline_nodes;
        let find = |named: &String| nodes.iter().find(|node| node.name == *named || node.id == *named);
        let Some(node) = event.outline_node.as_ref().and_then(find) else {
            let description = placeholder(self.work.language).into();
            return TimelineEvent { importance: 5, description, ..TimelineEvent::default() };
        };
        let order = |event: &TimelineEvent| event.outline_node.as_ref().and_then(find).map(|node| node.order);
        let before =
            self.story.timeline_events.iter().filter(|event| order(event) < Some(node.order)).max_by_key(|e| order(e));
        let after = before.map(|event| event.title.clone()).into_iter().collect();
        TimelineEvent { after, ..plot::event(node, self.work.language) }
    }

    /// Returns the description of the first outline node with the place or thing.
    fn in_outline(&self, name: &str) -> Option<String> {
        let has = |node: &&OutlineNode| node.location.as_deref() == Some(name) || node.description.contains(name);
        let node = self.story.outline_nodes.iter().find(has)?;
        Some(self.frame.text_with(
            &self.frame.phrases.from_outline,
            None,
            &[("node", &node.name), ("text", &node.description)],
        ))
    }

    fn era(&self) -> Option<String> {
        self.story.worldview.as_ref().map(|world| world.era.clone())
    }
}

/// Returns whether an instruction names a piece but no field.
fn asks_for_nothing(instruction: &CorrectionInstruction) -> bool {
    let address = ["kind", "id", "name", "title", "from", "to", "type"];
    instruction.parameters.as_object().is_none_or(|given| given.keys().all(|key| address.contains(&key.as_str())))
}

/// Returns `piece` with a field set; unchanged if the field does not exist or the value does not fit.
fn set(piece: &Piece, field: &str, value: Value) -> Piece {
    piece.with_field(field, value).unwrap_or_else(|_| piece.clone())
}
