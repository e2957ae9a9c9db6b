//! Books and content as downloads.

use axum::extract::rejection::QueryRejection;
use axum::extract::{Path, Query};
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use axum::{Extension, Router};
use qingyu_studio::formats::file_name;
use qingyu_studio::operations::{ExportBook, ExportContent, StudioOperation};
use qingyu_studio::{BookExportRequest, BookFile, ContentFile, ContentForm};
use serde::Deserialize;

use super::listen::Peer;
use super::{HttpCaller, HttpProblem, ServerState, audit};

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ContentQuery {
    /// `markdown`, `docx`, `html`, `json`, or a channel name.
    format: Option<String>,
    /// Only the field at a path, with its descendants.
    path: Option<String>,
    /// The index of the file, from 0, for formats with several files.
    file: usize,
    /// Whether content goes out that is not ready.
    draft: bool,
}

pub(super) fn routes() -> Router<ServerState> {
    Router::new().route("/projects/{project}/book", get(book)).route("/projects/{project}/content", get(content))
}

async fn book(
    caller: HttpCaller,
    Path(project): Path<String>,
    asked: Result<Query<BookExportRequest>, QueryRejection>,
    peer: Option<Extension<Peer>>,
) -> Result<Response, HttpProblem> {
    let Query(request) = asked?;
    let BookFile { exported, extension, bytes } =
        handed_out(&caller, ExportBook { project: project.clone(), request }, &project, peer).await?;
    Ok(attachment(&exported.title, &extension, bytes))
}

async fn content(
    caller: HttpCaller,
    Path(project): Path<String>,
    asked: Result<Query<ContentQuery>, QueryRejection>,
    peer: Option<Extension<Peer>>,
) -> Result<Response, HttpProblem> {
    let Query(asked) = asked?;
    let format = match asked.format.as_deref() {
        None | Some("markdown") => ContentForm::Markdown,
        Some("docx") => ContentForm::Docx,
        Some("html") => ContentForm::Html,
        Some("json") => ContentForm::Json,
        Some(channel) => ContentForm::Channel(channel.to_owned()),
    };
    let paths = asked.path.into_iter().collect();
    let asking = ExportContent { project: project.clone(), format, paths, draft: asked.draft };
    let files = handed_out(&caller, asking, &project, peer).await?.files;
    let count = files.len();
    let file = files.into_iter().nth(asked.file).ok_or_else(|| {
        let problem = HttpProblem::new(StatusCode::NOT_FOUND, "unknown_file", format!("there are {count} files"));
        problem.with("files", count)
    })?;
    let ContentFile { title, extension, bytes } = file;
    let mut response = attachment(&title, &extension, bytes);
    response.headers_mut().insert("x-files", count.into());
    Ok(response)
}

/// Runs an export and records the operation in the audit log.
async fn handed_out<O: StudioOperation>(
    caller: &HttpCaller,
    asked: O,
    project: &str,
    peer: Option<Extension<Peer>>,
) -> Result<O::Output, HttpProblem> {
    let done = caller.0.call(asked).await.map_err(HttpProblem::from);
    audit::record(&caller.0, O::NAME, project, &done, peer.map(|Extension(peer)| peer)).await;
    done
}

/// Returns a download never displayed inline: the content is the user's.
fn attachment(title: &str, extension: &str, bytes: Vec<u8>) -> Response {
    let kind = match extension {
        "md" => "text/markdown; charset=utf-8",
        "html" => "text/html; charset=utf-8",
        "json" => "application/json",
        "epub" => "application/epub+zip",
        "docx" => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        _ => "text/plain; charset=utf-8",
    };
    let name = format!("{}.{extension}", file_name(title));
    let escaped = percent_encoding::utf8_percent_encode(&name, percent_encoding::NON_ALPHANUMERIC);
    let mut response = bytes.into_response();
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    let disposition = HeaderValue::from_str(&format!("attachment; filename*=UTF-8''{escaped}"));
    headers.insert(header::CONTENT_DISPOSITION, disposition.expect("it is escaped"));
    response
}
