//! Cards read back from the mirror of a book.

use std::collections::BTreeMap;
use std::path::Path;

use qingyu_formats::{CardEdit, CardReading, UnreadField, UnreadReason, card_file, read_card};
use qingyu_store::StoredStory;
use qingyu_story::edit::{self, Edit, EditTarget};
use qingyu_story::{PieceKind, Story};

use super::folder::{BesideFile, ChangedFile, MirrorFolder};
use super::outcome::{MirrorCardEdit, MirrorConflict, MirrorReading, MirrorRefusal, MirrorRefusalReason};
use crate::error::Error;
use crate::studio::Studio;

/// The number of tries during concurrent changes of the story.
const TRIES: usize = 8;

/// A card as it is now.
struct CurrentCard {
    kind: PieceKind,
    name: String,
    /// Its file.
    content: String,
}

/// The changes of a card as far as the story accepts them.
struct AcceptedEdits {
    /// The story with the changes.
    story: Story,
    /// The names of the changed fields in the file.
    fields: Vec<String>,
    /// The changes that were not read.
    unread: Vec<UnreadField>,
}

impl Studio {
    /// Reads a card back from its file, in a single change by the author, and adds the outcome to `reading`. `kept` is the
    /// story, kept up to date; it is loaded again after concurrent changes, and the card read once more.
    pub(super) async fn read_card(
        &self,
        project: &str,
        kept: &mut StoredStory,
        folder: &Path,
        file: &ChangedFile,
        card: &str,
        reading: &mut MirrorReading,
    ) -> Result<(), Error> {
        for _ in 1..TRIES {
            match self.read_card_once(project, kept, folder, file, card, reading).await {
                Err(Error::Conflict { .. }) => *kept = self.kept_story(project).await?.1,
                ended => return ended,
            }
        }
        self.read_card_once(project, kept, folder, file, card, reading).await
    }

    async fn read_card_once(
        &self,
        project: &str,
        kept: &mut StoredStory,
        folder: &Path,
        file: &ChangedFile,
        card: &str,
        reading: &mut MirrorReading,
    ) -> Result<(), Error> {
        let found = current_card(&kept.story, card).and_then(|current| {
            let read = read_card(&kept.story, current.kind, card, &file.content)?;
            Some((current, read))
        });
        let Some((current, read)) = found else {
            reading.conflicts.push(MirrorConflict::gone(file.path.clone()));
            return Ok(());
        };
        let mut edit =
            MirrorCardEdit { path: file.path.clone(), name: current.name.clone(), fields: Vec::new(), change: None };
        if read.is_empty() {
            // The studio has this card already, perhaps since a reading that was interrupted.
            self.accept_card_file(project, folder, file, card, file.content.clone()).await?;
            reading.cards.push(edit);
            return Ok(());
        }
        let (of, content) = (file.clone(), current.content.clone());
        let is_current = file.was_written_as(&current.content)
            || self.in_mirror(project, folder, move |mirror| Ok(mirror.is_card_settled(&of, &content))).await?;
        if !is_current {
            reading.conflicts.push(self.card_conflict(project, folder, file, current).await?);
            return Ok(());
        }
        let AcceptedEdits { story, fields, unread } = accepted(&kept.story, current.kind, card, read);
        let version = self.put(project, "mirror", kept, &story).await?;
        if !fields.is_empty() {
            edit.fields = fields;
            edit.change = (version > kept.version).then_some(version);
            reading.cards.push(edit);
        }
        *kept = StoredStory { story, version };
        let content = match unread.is_empty() {
            true => file.content.clone(),
            false => current_card(&kept.story, card).map(|current| current.content).unwrap_or_default(),
        };
        self.accept_card_file(project, folder, file, card, content).await?;
        if !unread.is_empty() {
            let reason = MirrorRefusalReason::UnreadFields { fields: unread };
            reading.refused.push(MirrorRefusal { path: file.path.clone(), reason });
        }
        Ok(())
    }

    /// Notes in the manifest that the card was read back; `content` is what counts as written.
    async fn accept_card_file(
        &self,
        project: &str,
        folder: &Path,
        file: &ChangedFile,
        card: &str,
        content: String,
    ) -> Result<(), Error> {
        let (file, card) = (file.clone(), card.to_owned());
        self.in_mirror(project, folder, move |mirror| mirror.accept_card(&file, &card, &content)).await
    }

    /// Puts the studio's card beside a file that cannot be read back.
    async fn card_conflict(
        &self,
        project: &str,
        folder: &Path,
        file: &ChangedFile,
        current: CurrentCard,
    ) -> Result<MirrorConflict, Error> {
        let CurrentCard { name, content, .. } = current;
        let (path, of) = (file.path.clone(), file.clone());
        let put = move |mirror: &mut MirrorFolder| mirror.put_beside(&of, &content, 0);
        let BesideFile { path: beside, is_kept } = self.in_mirror(project, folder, put).await?;
        Ok(MirrorConflict { path, beside, is_beside_kept: is_kept, title: name })
    }
}

/// Returns a card as it is now; `None` if it is gone.
fn current_card(story: &Story, card: &str) -> Option<CurrentCard> {
    let (kind, name, content) = card_file(story, card)?;
    Some(CurrentCard { kind, name, content })
}

/// Applies the changes one by one; those that the story does not accept are named with the others that were not read.
fn accepted(story: &Story, kind: PieceKind, card: &str, read: CardReading) -> AcceptedEdits {
    let CardReading { edits, unread } = read;
    let mut accepted = AcceptedEdits { story: story.clone(), fields: Vec::new(), unread };
    for CardEdit { field, labels, value } in edits {
        let fields = BTreeMap::from([(field, value)]);
        let update = Edit::Update { kind, target: EditTarget::Named(card.to_owned()), fields };
        match edit::apply(&mut accepted.story, update) {
            Ok(_) => accepted.fields.extend(labels),
            Err(_) => {
                let refused = labels.into_iter().map(|label| UnreadField { label, reason: UnreadReason::Invalid });
                accepted.unread.extend(refused);
            }
        }
    }
    accepted
}

#[cfg(test)]
mod tests {
    use qingyu_story::{Character, CustomField, Language};

    use super::*;

    fn story() -> Story {
        let person = |id: &str, name: &str| Character { id: id.into(), name: name.into(), ..Character::default() };
        Story {
            language: Language::Zh,
            characters: vec![person("c-1", "林青"), person("c-2", "李四")],
            ..Story::default()
        }
    }

    #[test]
    fn a_card_is_found_by_its_id() {
        let card = current_card(&story(), "c-2").unwrap();
        assert_eq!((card.kind, card.name.as_str(), card.content.as_str()), (PieceKind::Character, "李四", "# 李四\n"));
        assert!(current_card(&story(), "c-3").is_none());
    }

    #[test]
    fn a_value_that_the_story_refuses_does_not_hold_up_the_others() {
        let story = story();
        let long = "长".repeat(1001);
        let file = format!("# 林青\n\n**年龄**：52\n\n**灵根**：{long}\n");
        let read = read_card(&story, PieceKind::Character, "c-1", &file).unwrap();
        let AcceptedEdits { story: after, fields, unread } = accepted(&story, PieceKind::Character, "c-1", read);
        assert_eq!((after.characters[0].age, fields), (Some(52), vec!["年龄".to_owned()]));
        assert_eq!(unread, [UnreadField { label: "灵根".into(), reason: UnreadReason::Invalid }]);
        assert_eq!(after.characters[0].custom, Vec::<CustomField>::new());
        assert_eq!(after.characters[1], story.characters[1]);
    }
}
