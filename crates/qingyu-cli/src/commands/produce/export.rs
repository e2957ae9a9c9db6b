//! `qingyu produce export`.

use std::path::PathBuf;

use qingyu_studio::formats::file_name;
use qingyu_studio::{ContentForm, Studio};
use serde_json::json;

use crate::args::{ContentFormat, ProduceExport};
use crate::error::{Error, Exit};
use crate::render::production as draw;
use crate::screen::Screen;

pub(super) async fn export(studio: &Studio, screen: &Screen, arguments: ProduceExport) -> Result<Exit, Error> {
    let ProduceExport { project, fields, format, channel, output, force } = arguments;
    let form = match format {
        ContentFormat::Markdown => ContentForm::Markdown,
        ContentFormat::Docx => ContentForm::Docx,
        ContentFormat::Json => ContentForm::Json,
        ContentFormat::Channel => ContentForm::Channel(channel.unwrap_or_default()),
    };
    let content = studio.content(&project, &form, &fields).await?;
    let files = content.files()?;
    let is_one = files.len() == 1;
    let mut paths = Vec::new();
    for file in &files {
        let usual = PathBuf::from(format!("{}.{}", file_name(&file.title), file.extension));
        let path = match &output {
            Some(output) if is_one => output.clone(),
            Some(folder) => folder.join(usual),
            None => usual,
        };
        if !force && path.exists() {
            return Err(Error::FileExists { path });
        }
        paths.push(path);
    }
    for (path, file) in paths.iter().zip(&files) {
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            std::fs::create_dir_all(folder).map_err(|error| unwritable(path, &error))?;
        }
        // A file that is half written is none.
        let draft = path.with_extension("part");
        std::fs::write(&draft, &file.bytes).map_err(|error| unwritable(path, &error))?;
        std::fs::rename(&draft, path).map_err(|error| unwritable(path, &error))?;
    }
    let document = json!({
        "files": paths,
        "missing": content.missing,
        "stale": content.stale,
        "too_long": content.too_long,
    });
    screen.show(&document, |page| draw::exported(page, &paths, &content)).map(|()| Exit::Done)
}

fn unwritable(path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::Unwritable { path: path.to_path_buf(), message: error.to_string() }
}
