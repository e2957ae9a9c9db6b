//! Cover pictures.

use qingyu_db::sql::{Connection, OptionalExtension};

use super::repository::Projects;
use super::row::to_write;
use crate::Error;

/// A cover picture.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Cover {
    /// The media type, such as `image/png`.
    pub media_type: String,
    /// The encoded bytes.
    pub picture: Vec<u8>,
}

impl Projects {
    /// Returns the cover picture of a project; `None` without a picture.
    pub async fn cover(&self, id: &str) -> Result<Option<Cover>, Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            let sql = "SELECT media_type, picture FROM project_cover WHERE user_id = ?1 AND project_id = ?2";
            let mut select = connection.prepare_cached(sql)?;
            let cover =
                select.query_row((&user, &id), |row| Ok(Cover { media_type: row.get(0)?, picture: row.get(1)? }));
            Ok(cover.optional()?)
        };
        self.database.read(job).await
    }

    /// Sets or removes the cover picture of a project.
    pub async fn set_cover(&self, id: &str, cover: Option<Cover>) -> Result<(), Error> {
        let (user, id) = (self.user.clone(), id.to_owned());
        let job = move |connection: &Connection| {
            to_write(connection, &user, &id)?;
            connection
                .prepare_cached("DELETE FROM project_cover WHERE user_id = ?1 AND project_id = ?2")?
                .execute((&user, &id))?;
            if let Some(Cover { media_type, picture }) = &cover {
                let sql = "INSERT INTO project_cover(user_id, project_id, media_type, picture) VALUES (?1, ?2, ?3, ?4)";
                connection.prepare_cached(sql)?.execute((&user, &id, media_type, picture))?;
            }
            Ok(())
        };
        self.database.write(job).await
    }
}
