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
        let job = move |connection: &Connection| {
            let sql = "SELECT media_type, picture, alt FROM project_picture
                       WHERE user_id = ?1 AND project_id = ?2 AND card = ?3";
            let mut select = connection.prepare_cached(sql)?;
            let picture = select.query_row((&user, &id, &card), |row| {
                Ok(Picture { media_type: row.get(0)?, bytes: row.get(1)?, alt: row.get(2)? })
            });
            Ok(picture.optional()?)
        };
        self.database.read(job).await
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
            connection
                .prepare_cached("DELETE FROM project_picture WHERE user_id = ?1 AND project_id = ?2 AND card = ?3")?
                .execute((&user, &id, &card))?;
            if let Some(Picture { media_type, bytes, alt }) = &picture {
                let sql = "INSERT INTO project_picture(user_id, project_id, card, media_type, picture, alt, digest)
                           VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)";
                connection.prepare_cached(sql)?.execute((&user, &id, &card, media_type, bytes, alt, sha256(bytes)))?;
            }
            Ok(())
        };
        self.database.write(job).await
    }
}

/// Copies the pictures of a project's cards to a branch, whose cards have the same ids. The cover stays with the project.
pub(crate) fn copy_card_pictures(connection: &Connection, user: &str, from: &str, to: &str) -> Result<(), Error> {
    let sql = "INSERT INTO project_picture(user_id, project_id, card, media_type, picture, alt, digest)
               SELECT user_id, ?3, card, media_type, picture, alt, digest
               FROM project_picture WHERE user_id = ?1 AND project_id = ?2 AND card <> ''";
    connection.prepare_cached(sql)?.execute((user, from, to))?;
    Ok(())
}
