//! Pieces of a story as lines in the language of the book.

use qingyu_story::{
    Character, CharacterRelation, Mode, OutlineNode, OutlineNodeKind, PlotNode, Story, StyleGuide, TimelineEvent,
    Worldview,
};

use crate::labels::{self, Labels};

/// A piece as a line, and its name alone.
pub(super) struct PieceLine {
    pub(super) whole: String,
    pub(super) name: String,
}

/// Writes the pieces of one story.
pub(super) struct PieceTexts {
    words: &'static Labels,
}

impl PieceTexts {
    pub(super) fn of(story: &Story) -> Self {
        Self { words: labels::of(story.language) }
    }

    /// Returns the remark that so many pieces are not shown.
    pub(super) fn left_out(&self, count: usize) -> String {
        self.words.left_out(count)
    }

    /// Returns the world, a line per rule, place, organisation and thing.
    pub(super) fn world(&self, world: &Worldview) -> Vec<PieceLine> {
        let words = self.words;
        let mut lines = vec![
            self.line("", &[], &[(words.genre, world.genre.clone()), (words.era, world.era.clone())]),
            self.line("", &[], &[("", world.summary.clone())]),
            self.line("", &[], &self.hidden(words.truth, &world.truth, world.truth_until.as_deref())),
        ];
        for rule in &world.rules {
            lines.push(self.line(&rule.name, &[], &[("", rule.statement.clone()), ("", rule.limit.clone())]));
        }
        let also = |alias: &[String]| if alias.is_empty() { String::new() } else { self.also(alias) };
        for place in &world.locations {
            lines.push(self.line(&place.name, &[also(&place.alias)], &[("", place.description.clone())]));
        }
        for body in &world.organisations {
            lines.push(self.line(&body.name, &[also(&body.alias)], &[("", body.description.clone())]));
        }
        for item in &world.items {
            let holder = item.holder.as_deref().map(|holder| words.held_by(holder)).unwrap_or_default();
            lines.push(self.line(&item.name, &[also(&item.alias), holder], &[("", item.description.clone())]));
        }
        lines
    }

    pub(super) fn node(&self, node: &OutlineNode) -> PieceLine {
        let words = self.words;
        let parent = node.parent.as_deref().filter(|parent| !parent.trim().is_empty());
        let parent = parent.map(|parent| format!("{}{}{parent}", words.part_of, words.space())).unwrap_or_default();
        let length = node
            .words
            .filter(|_| matches!(node.kind, OutlineNodeKind::Chapter | OutlineNodeKind::Scene))
            .map(|length| self.length(length));
        self.line(
            &node.name,
            &[words.node(node.kind).to_owned(), parent, length.unwrap_or_default()],
            &[
                (words.happens, node.description.clone()),
                (words.goal, node.goal.clone()),
                (words.place, node.location.clone().unwrap_or_default()),
                (words.people, node.participants.join(words.comma)),
                (words.plants, node.plants.join(words.semicolon)),
                (words.pays, node.pays.join(words.semicolon)),
            ],
        )
    }

    pub(super) fn card(&self, card: &Character) -> PieceLine {
        let words = self.words;
        let lived = |label: &str, time: &Option<String>| match time.as_deref().map(str::trim) {
            Some(time) if !time.is_empty() => format!("{label}{}{time}", words.space()),
            _ => String::new(),
        };
        let own = [
            (words.personality, card.personality.clone()),
            (words.traits, card.traits.join(words.comma)),
            (words.appearance, card.appearance.clone()),
            (words.voice, words.listed(&card.voice)),
            (words.goals, card.goals.clone()),
            (words.weakness, card.weakness.clone()),
            (words.conflicts, card.conflicts.clone()),
            (words.background, card.background.clone()),
            (words.arc, card.arc.clone()),
        ];
        let custom: Vec<_> = card.custom_fields().map(|(name, value)| (name, value.to_owned())).collect();
        let secret = self.hidden(words.secret, &card.secret, card.secret_until.as_deref());
        self.line(
            &card.name,
            &[
                words.role(card.role_type).to_owned(),
                if card.alias.is_empty() { String::new() } else { self.also(&card.alias) },
                card.gender.clone(),
                card.occupation.clone(),
                card.age.map(|age| words.years(age)).unwrap_or_default(),
                lived(words.birth, &card.birth),
                lived(words.death, &card.death),
            ],
            &[own.to_vec(), custom, secret].concat(),
        )
    }

    /// Returns a relation between people of `cast`.
    pub(super) fn relation(&self, relation: &CharacterRelation, cast: &[Character]) -> PieceLine {
        let words = self.words;
        let says = words.tie(relation, cast);
        let time = |label: &str, node: &Option<String>| match node.as_deref().map(str::trim) {
            Some(node) if !node.is_empty() => format!("{label}{}{node}", words.space()),
            _ => String::new(),
        };
        let times = [time(words.since, &relation.since), time(words.until, &relation.until)];
        self.line(&says, &times, &[("", relation.description.clone())])
    }

    pub(super) fn event(&self, event: &TimelineEvent) -> PieceLine {
        let words = self.words;
        let mode = match event.mode {
            Mode::Narrated => String::new(),
            mode => words.mode(mode, "").trim_end_matches([':', '：', ' ']).to_owned(),
        };
        self.line(
            &event.title,
            &[event.timestamp.clone(), event.location.clone().unwrap_or_default(), mode],
            &[
                ("", event.description.clone()),
                (words.duration, event.duration.clone()),
                (words.after, event.after.join(words.comma)),
                (words.people, event.participants.join(words.comma)),
                (words.deaths, event.deaths.join(words.comma)),
                (words.told_in, event.outline_node.clone().unwrap_or_default()),
            ],
        )
    }

    pub(super) fn turn(&self, node: &PlotNode) -> PieceLine {
        let words = self.words;
        self.line(
            &node.title,
            &[words.turn(node.kind).to_owned()],
            &[
                ("", node.description.clone()),
                (words.made_of, node.events.join(words.comma)),
                (words.causes, node.causes.join(words.comma)),
                (words.told_in, node.outline_node.clone().unwrap_or_default()),
            ],
        )
    }

    pub(super) fn style(&self, style: &StyleGuide) -> Vec<PieceLine> {
        let words = self.words;
        let mut fields = vec![
            (words.point_of_view, words.teller(&style.point_of_view)),
            (words.tense, style.tense.clone()),
            (words.tone, style.tone.clone()),
            (words.rhythm, style.rhythm.clone()),
            (words.dialogue, style.dialogue.clone()),
        ];
        fields.extend(style.guidelines.iter().map(|line| (words.guidelines, line.clone())));
        fields.extend(style.taboos.iter().map(|line| (words.taboo(line), line.clone())));
        fields.iter().map(|field| self.line("", &[], std::slice::from_ref(field))).collect()
    }

    /// Returns a hidden text, and before when the reader must not learn it.
    fn hidden(&self, label: &'static str, text: &str, until: Option<&str>) -> Vec<(&'static str, String)> {
        if text.trim().is_empty() {
            return Vec::new();
        }
        let until = until.map(|until| ("", self.words.not_before(until)));
        [(label, text.to_owned())].into_iter().chain(until).collect()
    }

    fn also(&self, alias: &[String]) -> String {
        let alias: Vec<&str> = alias.iter().map(String::as_str).collect();
        self.words.also_called(&alias)
    }

    fn length(&self, words: u32) -> String {
        if self.words.is_zh() { format!("{words}字") } else { format!("{words} words") }
    }

    /// Returns `name（remarks）。label：text。…`; empty remarks and texts are left out.
    fn line(&self, name: &str, remarks: &[String], fields: &[(&str, String)]) -> PieceLine {
        let words = self.words;
        let remarks: Vec<&str> = remarks.iter().map(|text| text.trim()).filter(|text| !text.is_empty()).collect();
        let name = name.trim();
        let mut head = name.to_owned();
        if !remarks.is_empty() {
            head.push_str(&words.remark(&remarks.join(words.semicolon)));
        }
        let told = fields.iter().filter(|(_, text)| !text.trim().is_empty());
        let told = told.map(|(label, text)| match *label {
            "" => words.ended(text),
            label => words.ended(&words.labelled(label, text)),
        });
        let told: Vec<String> = told.collect();
        let between = words.space();
        let whole = match (head.is_empty(), told.is_empty()) {
            (true, _) => told.join(between),
            (_, true) => head,
            _ => format!("{}{between}{}", words.ended(&head), told.join(between)),
        };
        PieceLine { whole, name: name.to_owned() }
    }
}
