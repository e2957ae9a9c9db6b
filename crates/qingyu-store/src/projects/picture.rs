//! Pictures of a project: its cover, and the pictures of cards.

use qingyu_db::sql::{Connection, OptionalExtension};
use qingyu_story::digest::sha256;

use super::repository::Projects;
use super::row::to_write;
use crate::Error;

/// A picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Picture {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The encoded bytes.
    pub bytes: Vec<u8>,
    /// The description for readers who do not see the picture; may be empty.
    pub alt: String,
}

/// The picture of a card without its bytes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CardPictureRow {
    /// The id of the card.
    pub card: String,
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The description for readers who do not see the picture; may be empty.
    pub alt: String,
    /// The SHA-256 of the bytes; another picture has another digest.
    pub digest: String,
}

/// The place of a picture in a project.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PicturePlace<'p> {
    /// The cover.
    Cover,
    /// The card with the id.
    Card(&'p str),
}

impl PicturePlace<'_> {
    /// Returns the value of the column `card`: the id of the card, empty for the cover.
    fn card(self) -> String {
        match self {
            Self::Cover => String::new(),
            Self::Card(id) => id.to_owned(),
        }
    }
}

impl Projects {
    /// Returns the picture at a place of a project; `None` without a picture.
    pub async fn picture(&self, id: &str, place: PicturePlace<'_>) -> Result<Option<Picture>, Error> {
        let (user, id, card) = (self.user.clone(), id.to_owned(), place.card());
        self.database.read(move |connection: &Connection| find(connection, &user, &id, &card)).await
    }

    /// Returns the pictures of a project's cards, ordered by the ids of the cards.
    pub async fn card_pictures(&self, id: &str) -> Result<Vec<CardPictureRow>, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let sql = "SELECT card, media_type, alt, digest FROM project_picture
                       WHERE user_id = ?1 AND project_id = ?2 AND card <> '' ORDER BY card";
            let mut select = connection.prepare_cached(sql)?;
            let rows = select.query_map((&user, &id), |row| {
                Ok(CardPictureRow { card: row.get(0)?, media_type: row.get(1)?, alt: row.get(2)?, digest: row.get(3)? })
            })?;
            Ok(rows.collect::<Result<Vec<_>, _>>()?)
        };
        self.database.read(job).await
    }

    /// Sets or removes the picture at a place of a project.
    pub async fn set_picture(&self, id: &str, place: PicturePlace<'_>, picture: Option<Picture>) -> Result<(), Error> {
        let (user, id, card) = (self.user.clone(), id.to_owned(), place.card());
        let job = move |connection: &Connection| {
            to_write(connection, &user, &id)?;
            put(connection, &user, &id, &card, picture.as_ref())
        };
        self.database.write(job).await
    }

    /// Changes the picture of a card: its media type and bytes, its description, or both; what is `None` stays as it is.
    /// Returns the picture; `None` if there is still none.
    pub async fn edit_card_picture(
        &self,
        id: &str,
        card: &str,
        content: Option<(String, Vec<u8>)>,
        alt: Option<String>,
    ) -> Result<Option<Picture>, Error> {
        let (user, id, card) = (self.user.clone(), id.to_owned(), card.to_owned());
        let job = move |connection: &Connection| {
            to_write(connection, &user, &id)?;
            let present = find(connection, &user, &id, &card)?;
            let alt = alt.or_else(|| present.as_ref().map(|present| present.alt.clone())).unwrap_or_default();
            let content = content.or_else(|| present.map(|Picture { media_type, bytes, .. }| (media_type, bytes)));
            let picture = content.map(|(media_type, bytes)| Picture { media_type, bytes, alt });
            if picture.is_some() {
                put(connection, &user, &id, &card, picture.as_ref())?;
            }
            Ok(picture)
        };
        self.database.write(job).await
    }
}

fn find(connection: &Connection, user: &str, id: &str, card: &str) -> Result<Option<Picture>, Error> {
    let sql = "SELECT media_type, picture, alt FROM project_picture
               WHERE user_id = ?1 AND project_id = ?2 AND card = ?3";
    let picture = connection.prepare_cached(sql)?.query_row((user, id, card), |row| {
        Ok(Picture { media_type: row.get(0)?, bytes: row.get(1)?, alt: row.get(2)? })
    });
    Ok(picture.optional()?)
}

fn put(connection: &Connection, user: &str, id: &str, card: &str, picture: Option<&Picture>) -> Result<(), Error> {
    let sql = "DELETE FROM project_picture WHERE user_id = ?1 AND project_id = ?2 AND card = ?3";
    connection.prepare_cached(sql)?.execute((user, id, card))?;
    if let Some(Picture { media_type, bytes, alt }) = picture {
        let sql = "INSERT INTO project_picture(user_id, project_id, card, media_type, picture, alt, digest)
                   VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
        connection.prepare_cached(sql)?.execute((user, id, card, media_type, bytes, alt, sha256(bytes)))?;
    }
    Ok(())
}

/// Copies the pictures of a project's cards to a branch, whose cards have the same ids. The cover stays with the project.
pub(crate) fn copy_card_pictures(connection: &Connection, user: &str, from: &str, to: &str) -> Result<(), Error> {
    let sql = "INSERT INTO project_picture(user_id, project_id, card, media_type, picture, alt, digest)
               SELECT user_id, ?3, card, media_type, picture, alt, digest
               FROM project_picture WHERE user_id = ?1 AND project_id = ?2 AND card <> ''";
    connection.prepare_cached(sql)?.execute((user, from, to))?;
    Ok(())
}

/// Adds the pictures of a branch to the cards of its project that have none. A card with a picture keeps it: which of two is
/// the newer one is not known.
pub(crate) fn add_card_pictures(connection: &Connection, user: &str, branch: &str, project: &str) -> Result<(), Error> {
    let sql = "INSERT INTO project_picture(user_id, project_id, card, media_type, picture, alt, digest)
               SELECT theirs.user_id, ?3, theirs.card, theirs.media_type, theirs.picture, theirs.alt, theirs.digest
               FROM project_picture AS theirs
               WHERE theirs.user_id = ?1 AND theirs.project_id = ?2 AND theirs.card <> ''
                 AND EXISTS (SELECT 1 FROM piece
                             WHERE piece.user_id = ?1 AND piece.project_id = ?3 AND piece.id = theirs.card)
                 AND NOT EXISTS (SELECT 1 FROM project_picture AS ours
                                 WHERE ours.user_id = ?1 AND ours.project_id = ?3 AND ours.card = theirs.card)";
    connection.prepare_cached(sql)?.execute((user, branch, project))?;
    Ok(())
}
