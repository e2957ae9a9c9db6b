//! The command `qingyu produce export`.

use std::path::{Path, PathBuf};

use qingyu_studio::ContentForm;
use qingyu_studio::formats::file_name;
use qingyu_studio::operations as op;
use serde_json::json;

use crate::args::{ContentFormat, ProduceExport};
use crate::commands::books::{STANDARD_OUTPUT, put_whole};
use crate::desk::Desk;
use crate::error::{Error, Exit};
use crate::render::production as draw;
use crate::screen::Screen;

pub(super) async fn export(desk: &Desk, screen: &Screen, arguments: ProduceExport) -> Result<Exit, Error> {
    let ProduceExport { project, fields, format, channel, output, force, draft } = arguments;
    let form = match format {
        ContentFormat::Markdown => ContentForm::Markdown,
        ContentFormat::Docx => ContentForm::Docx,
        ContentFormat::Html => ContentForm::Html,
        ContentFormat::Json => ContentForm::Json,
        ContentFormat::Channel => ContentForm::Channel(channel.unwrap_or_default()),
    };
    let content = desk.call(op::ExportContent { project, format: form, paths: fields, draft }).await?;
    let files = &content.files;
    let is_one = files.len() == 1;
    let to_output = output.as_deref().is_some_and(|path| path == Path::new(STANDARD_OUTPUT));
    let mut paths = Vec::new();
    for file in files {
        let usual = PathBuf::from(format!("{}.{}", file_name(&file.title), file.extension));
        let path = match &output {
            Some(output) if is_one => output.clone(),
            Some(folder) => folder.join(usual),
            None => usual,
        };
        if !to_output && !force && path.exists() {
            return Err(Error::FileExists { path });
        }
        paths.push(path);
    }
    for (path, file) in paths.iter().zip(files) {
        if to_output {
            screen.print_bytes(&file.bytes)?;
            continue;
        }
        if let Some(folder) = path.parent().filter(|folder| !folder.as_os_str().is_empty()) {
            let failed = |error: std::io::Error| Error::Unwritable { path: path.clone(), message: error.to_string() };
            std::fs::create_dir_all(folder).map_err(failed)?;
        }
        put_whole(path, force, &file.bytes)?;
    }
    if to_output {
        return Ok(Exit::Done);
    }
    let document = json!({
        "files": paths,
        "missing": content.missing,
        "stale": content.stale,
        "too_long": content.too_long,
        "problems": content.problems,
    });
    screen.show(&document, |page| draw::exported(page, &paths, &content)).map(|()| Exit::Done)
}
