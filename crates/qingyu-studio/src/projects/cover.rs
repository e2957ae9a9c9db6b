//! Covers of projects.

use qingyu_store::Cover;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::Error;
use crate::studio::Studio;

/// The maximum size of a cover picture: 2 MB.
const COVER_LIMIT: usize = 2_000_000;

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

impl From<Option<Cover>> for CoverPicture {
    fn from(cover: Option<Cover>) -> Self {
        let (media_type, picture) = cover.map(|cover| (cover.media_type, cover.picture)).unzip();
        Self { media_type, picture: picture.unwrap_or_default() }
    }
}

impl Studio {
    /// Returns the cover picture of a project.
    pub async fn cover(&self, project: &str) -> Result<CoverPicture, Error> {
        Ok(self.cover_of(project).await?.into())
    }

    /// Returns the cover as bytes.
    pub(crate) async fn cover_of(&self, project: &str) -> Result<Option<Cover>, Error> {
        let id = self.find_project(project).await?.id;
        self.projects_table().cover(&id).await.map_err(|error| self.place("").store(error))
    }

    /// Sets the cover picture of a project; an empty picture removes the cover.
    ///
    /// Returns [`Error::BadCover`] if the picture is not PNG, JPEG or WebP, or larger than 2 MB.
    pub async fn set_cover(&self, project: &str, picture: Vec<u8>) -> Result<CoverPicture, Error> {
        let id = self.find_project(project).await?.id;
        let bad = |reason: &str| Error::BadCover { reason: reason.into() };
        let cover = match picture {
            picture if picture.is_empty() => None,
            picture if picture.len() > COVER_LIMIT => return Err(bad("too_large")),
            picture => {
                let media_type = media_type(&picture).ok_or_else(|| bad("format"))?.to_owned();
                Some(Cover { media_type, picture })
            }
        };
        let set = self.projects_table().set_cover(&id, cover.clone()).await;
        set.map_err(|error| self.place("").store(error))?;
        Ok(cover.into())
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
