//! The voice of a production: samples, forbidden words, glossary.

use std::path::Path;

use qingyu_story::production::Voice;

use crate::error::Error;
use crate::productions::saving::produced;
use crate::productions::templates::refused;
use crate::studio::Studio;

impl Studio {
    /// Returns the voice of a production; empty if none is set.
    pub async fn voice(&self, project: &str) -> Result<Voice, Error> {
        let (_, kept) = self.kept_story(project).await?;
        Ok(produced(&kept.story)?.voice.clone())
    }

    /// Sets the voice of a production: `given`, or the voice of a client from `voices/NAME.toml` in the data folder;
    /// without both, no voice. Every text made from now on is written and checked against it.
    ///
    /// Returns [`Error::Production`] if the project has no production, or if there is no such client.
    pub(crate) async fn put_voice(
        &self,
        project: &str,
        given: Option<Voice>,
        client: Option<&str>,
    ) -> Result<Voice, Error> {
        let voice = match (given, client) {
            (Some(voice), _) => voice,
            (None, Some(client)) => client_voice(&self.settings().home().join("voices"), client)?,
            (None, None) => Voice::default(),
        };
        self.change_fields(project, |story| {
            let none = refused(qingyu_production::Error::NoProduction);
            story.production.as_mut().ok_or(none)?.voice = voice.clone();
            Ok(voice.clone())
        })
        .await
    }
}

/// Returns the voice of a client, or [`qingyu_production::Error::UnknownVoice`] with the voices that exist.
fn client_voice(folder: &Path, client: &str) -> Result<Voice, Error> {
    let known: Vec<String> = std::fs::read_dir(folder)
        .into_iter()
        .flatten()
        .flatten()
        .filter_map(|entry| {
            let path = entry.path();
            let is_voice = path.extension().is_some_and(|extension| extension == "toml");
            path.file_stem().filter(|_| is_voice)?.to_str().map(str::to_owned)
        })
        .collect();
    // Only a name that is listed is opened: a path in place of a name reaches no other file.
    let Some(name) = known.iter().find(|name| *name == client.trim()) else {
        let mut known = known;
        known.sort();
        return Err(refused(qingyu_production::Error::UnknownVoice { name: client.to_owned(), known }));
    };
    let bad = |message: String| refused(qingyu_production::Error::BadVoice { name: name.clone(), message });
    let text = std::fs::read_to_string(folder.join(format!("{name}.toml"))).map_err(|error| bad(error.to_string()))?;
    let voice: Voice = toml::from_str(&text).map_err(|error| bad(error.to_string()))?;
    Ok(Voice { client: name.clone(), ..voice })
}
