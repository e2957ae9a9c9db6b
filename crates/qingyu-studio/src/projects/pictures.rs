//! Pictures of projects: the cover, and the pictures of cards.

use qingyu_store::{CardPictureRow, Picture, PicturePlace};
use qingyu_story::{Names, PieceKind, Story};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::{Error, Noun};
use crate::studio::Studio;

/// The maximum size of a picture: 2 MB.
const PICTURE_LIMIT: usize = 2_000_000;
/// The maximum length of a description in characters.
const ALT_LIMIT: usize = 500;
/// The kinds of pieces whose cards can have a picture.
const PICTURED: [PieceKind; 4] = [PieceKind::Character, PieceKind::Location, PieceKind::Item, PieceKind::Organisation];

/// The cover picture of a project.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CoverPicture {
    /// The media type, such as `image/png`; `None` without a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The content in base64; empty without a picture.
    #[serde(default, with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub picture: Vec<u8>,
}

/// The picture of a card: of a character, a place, an item or an organisation.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CardPicture {
    /// The ID of the card.
    pub card: String,
    /// The name of the card.
    pub name: String,
    /// The media type, such as `image/png`; `None` without a picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub media_type: Option<String>,
    /// The description for readers who do not see the picture; may be empty.
    #[serde(default)]
    pub alt: String,
    /// The content in base64; empty without a picture.
    #[serde(default, with = "crate::encoded")]
    #[schemars(with = "String", extend("contentEncoding" = "base64"))]
    pub picture: Vec<u8>,
}

/// The picture of a card in a list, without its content.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct PictureRow {
    /// The ID of the card.
    pub card: String,
    /// The name of the card.
    pub name: String,
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The description for readers who do not see the picture; may be empty.
    pub alt: String,
    /// The SHA-256 of the content; another picture has another digest.
    pub digest: String,
}

impl From<Option<Picture>> for CoverPicture {
    fn from(cover: Option<Picture>) -> Self {
        let (media_type, picture) = cover.map(|cover| (cover.media_type, cover.bytes)).unzip();
        Self { media_type, picture: picture.unwrap_or_default() }
    }
}

impl Studio {
    /// Returns the cover picture of a project.
    pub async fn cover(&self, project: &str) -> Result<CoverPicture, Error> {
        Ok(self.cover_of(project).await?.into())
    }

    /// Returns the cover as bytes.
    pub(crate) async fn cover_of(&self, project: &str) -> Result<Option<Picture>, Error> {
        let id = self.find_project(project).await?.id;
        self.projects_table().picture(&id, PicturePlace::Cover).await.map_err(|error| self.place("").store(error))
    }

    /// Sets the cover picture of a project; an empty picture removes the cover.
    ///
    /// Returns [`Error::BadPicture`] if the picture is not PNG, JPEG or WebP, or larger than 2 MB.
    pub(crate) async fn set_cover(&self, project: &str, picture: Vec<u8>) -> Result<CoverPicture, Error> {
        let id = self.find_project(project).await?.id;
        let cover = match picture.is_empty() {
            true => None,
            false => Some(Picture { media_type: checked(&picture)?.to_owned(), bytes: picture, alt: String::new() }),
        };
        self.put_picture(&id, PicturePlace::Cover, cover.clone()).await?;
        Ok(cover.into())
    }

    /// Returns the pictures of a project's cards, without their content. Pictures of deleted cards are kept for undo and
    /// left out here.
    pub async fn pictures(&self, project: &str) -> Result<Vec<PictureRow>, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let rows = self.projects_table().card_pictures(&id).await.map_err(|error| self.place("").store(error))?;
        let names = Names::of(&kept.story);
        let row = |CardPictureRow { card, media_type, alt, digest }: CardPictureRow| {
            let name = names_of(&names, &card).next()?.1;
            Some(PictureRow { card, name, media_type, alt, digest })
        };
        Ok(rows.into_iter().filter_map(row).collect())
    }

    /// Returns the picture of a card, given by id or name.
    ///
    /// Returns [`Error::Unknown`] unless exactly one character, place, item or organisation is meant.
    pub(crate) async fn card_picture(&self, project: &str, card: &str) -> Result<CardPicture, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let (card, name) = pictured(&kept.story, card)?;
        let found = self.projects_table().picture(&id, PicturePlace::Card(&card)).await;
        let found = found.map_err(|error| self.place("").store(error))?;
        Ok(card_picture(card, name, found))
    }

    /// Sets the picture of a card, given by id or name, or its description, or both; what is `None` stays as it is.
    ///
    /// Returns [`Error::Unknown`] unless exactly one character, place, item or organisation is meant,
    /// [`Error::BadPicture`] if the picture is not PNG, JPEG or WebP, larger than 2 MB, or missing where a description is
    /// set, and [`Error::BadRequest`] for a description of more than one line or of more than 500 characters.
    async fn set_card_picture(
        &self,
        project: &str,
        card: &str,
        picture: Option<Vec<u8>>,
        alt: Option<&str>,
    ) -> Result<CardPicture, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let (card, name) = pictured(&kept.story, card)?;
        let alt = alt.map(str::trim);
        if alt.is_some_and(|alt| alt.chars().count() > ALT_LIMIT || alt.contains(char::is_control)) {
            let message = format!("a description is one line of at most {ALT_LIMIT} characters");
            return Err(Error::BadRequest { path: "alt".into(), message });
        }
        let content = match picture {
            Some(bytes) => Some((checked(&bytes)?.to_owned(), bytes)),
            None => None,
        };
        let set = self.projects_table().edit_card_picture(&id, &card, content, alt.map(str::to_owned)).await;
        match set.map_err(|error| self.place("").store(error))? {
            None => Err(Error::BadPicture { reason: "none".into() }),
            set => Ok(card_picture(card, name, set)),
        }
    }

    /// Removes the picture of a card, given by id or name, if there is one.
    ///
    /// Returns [`Error::Unknown`] unless exactly one character, place, item or organisation is meant.
    async fn remove_card_picture(&self, project: &str, card: &str) -> Result<CardPicture, Error> {
        let (id, kept) = self.kept_story(project).await?;
        let (card, name) = pictured(&kept.story, card)?;
        self.put_picture(&id, PicturePlace::Card(&card), None).await?;
        Ok(card_picture(card, name, None))
    }

    /// Sets or removes the picture of a card.
    ///
    /// Returns [`Error::BadRequest`] unless one of both is asked for.
    pub(crate) async fn change_card_picture(
        &self,
        project: &str,
        card: &str,
        picture: Option<Vec<u8>>,
        alt: Option<&str>,
        remove: bool,
    ) -> Result<CardPicture, Error> {
        let is_set = picture.is_some() || alt.is_some();
        if is_set == remove {
            let message = "give a picture, a description or both, or remove the picture".into();
            return Err(Error::BadRequest { path: "picture".into(), message });
        }
        match remove {
            true => self.remove_card_picture(project, card).await,
            false => self.set_card_picture(project, card, picture, alt).await,
        }
    }

    async fn put_picture(&self, id: &str, place: PicturePlace<'_>, picture: Option<Picture>) -> Result<(), Error> {
        let set = self.projects_table().set_picture(id, place, picture).await;
        set.map_err(|error| self.place("").store(error))
    }
}

/// Returns the media type of a picture.
fn checked(bytes: &[u8]) -> Result<&'static str, Error> {
    let bad = |reason: &str| Error::BadPicture { reason: reason.into() };
    if bytes.len() > PICTURE_LIMIT {
        return Err(bad("too_large"));
    }
    match media_type(bytes) {
        Some(media_type) => Ok(media_type),
        None if is_svg(bytes) => Err(bad("svg")),
        None => Err(bad("format")),
    }
}

/// Detects the media type from the first bytes; returns `None` for an unsupported format.
fn media_type(picture: &[u8]) -> Option<&'static str> {
    match picture {
        [0x89, b'P', b'N', b'G', 0x0d, 0x0a, 0x1a, 0x0a, ..] => Some("image/png"),
        [0xff, 0xd8, 0xff, ..] => Some("image/jpeg"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', ..] => Some("image/webp"),
        _ => None,
    }
}

/// Returns whether the bytes are an SVG drawing, which may carry scripts and addresses of other pictures.
fn is_svg(picture: &[u8]) -> bool {
    const HEAD: usize = 2_000;
    let head = &picture[..picture.len().min(HEAD)];
    String::from_utf8_lossy(head).to_lowercase().contains("<svg")
}

/// Returns the ID and the name of the card meant by `given`.
fn pictured(story: &Story, given: &str) -> Result<(String, String), Error> {
    let names = Names::of(story);
    let mut found = names_of(&names, given);
    match (found.next(), found.next()) {
        (Some(card), None) => Ok(card),
        _ => Err(Error::unknown(Noun::Piece, given)),
    }
}

/// Returns the ID and the name of each card of a pictured kind with the name or ID `given`.
fn names_of<'n>(names: &'n Names, given: &'n str) -> impl Iterator<Item = (String, String)> + 'n {
    let found = PICTURED.into_iter().flat_map(move |kind| names.find(kind, given));
    found.map(|piece| (piece.id.clone(), piece.name.clone()))
}

fn card_picture(card: String, name: String, picture: Option<Picture>) -> CardPicture {
    let Some(Picture { media_type, bytes, alt }) = picture else {
        return CardPicture { card, name, media_type: None, alt: String::new(), picture: Vec::new() };
    };
    CardPicture { card, name, media_type: Some(media_type), alt, picture: bytes }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reason(bytes: &[u8]) -> String {
        match checked(bytes) {
            Err(Error::BadPicture { reason }) => reason,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_picture_is_known_by_its_bytes() {
        let png = b"\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR".to_vec();
        let jpeg = vec![0xff, 0xd8, 0xff, 0xe0];
        let webp = b"RIFF\x00\x00\x00\x00WEBPVP8 ".to_vec();
        let kind = |bytes: Vec<u8>| checked(&bytes).unwrap();
        assert_eq!([kind(png), kind(jpeg), kind(webp)], ["image/png", "image/jpeg", "image/webp"]);
    }

    #[test]
    fn a_bad_picture_says_why() {
        assert_eq!(reason(b"GIF89a"), "format");
        assert_eq!(reason(b""), "format", "an empty file");
        assert_eq!(reason(b"<?xml version=\"1.0\"?>\n<svg onload=\"alert(1)\"/>"), "svg");
        assert_eq!(reason(b"<SVG><script>alert(1)</script></SVG>"), "svg");
        assert_eq!(reason(&vec![0; PICTURE_LIMIT + 1]), "too_large");
    }
}
