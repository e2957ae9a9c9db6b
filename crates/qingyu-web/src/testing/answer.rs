//! Answers of the server, including faulty answers.

use std::io::Write;
use std::time::Duration;

use flate2::Compression;
use flate2::write::GzEncoder;

/// An answer of a [`super::Server`].
#[derive(Debug, Clone)]
pub struct FakeAnswer {
    pub(super) status: u16,
    pub(super) headers: Vec<(String, String)>,
    pub(super) body: Vec<u8>,
    /// Repetitions of the body; `None` for endless.
    pub(super) times: Option<u64>,
    /// Delay before the head.
    pub(super) delay: Duration,
    /// Pause between chunks of the body.
    pub(super) pause: Duration,
    /// Override of the declared length, if false.
    pub(super) claimed: Option<u64>,
}

impl FakeAnswer {
    /// Returns `body` as `content_type`; an empty type is not declared.
    pub fn typed(content_type: &str, body: impl Into<Vec<u8>>) -> Self {
        let mut headers = Vec::new();
        if !content_type.is_empty() {
            headers.push(("Content-Type".to_owned(), content_type.to_owned()));
        }
        let (delay, pause) = (Duration::ZERO, Duration::ZERO);
        Self { status: 200, headers, body: body.into(), times: Some(1), delay, pause, claimed: None }
    }

    /// Returns a page with a title and a body.
    pub fn html(title: &str, body: &str) -> Self {
        let page = format!("<!doctype html><html><head><title>{title}</title></head><body>{body}</body></html>");
        Self::typed("text/html; charset=utf-8", page)
    }

    /// Returns plain text.
    pub fn text(text: &str) -> Self {
        Self::typed("text/plain; charset=utf-8", text)
    }

    /// Returns JSON.
    pub fn json(value: &serde_json::Value) -> Self {
        Self::typed("application/json", value.to_string())
    }

    /// Returns a status and a short page.
    pub fn status(status: u16) -> Self {
        Self { status, ..Self::html("status", "<p>There is nothing here.</p>") }
    }

    /// Returns a redirect.
    pub fn redirect(to: &str) -> Self {
        Self { status: 302, ..Self::status(302) }.with_header("Location", to)
    }

    /// Returns a PDF with `text`, in Latin letters.
    pub fn pdf(text: &str) -> Self {
        Self::typed("application/pdf", pdf(text))
    }

    /// Returns binary bytes, declared as a page.
    pub fn garbled() -> Self {
        let noise = (0_u32..4_000).map(|at| (at.wrapping_mul(2_654_435_761) >> 13) as u8).collect::<Vec<_>>();
        Self::typed("text/html; charset=utf-8", noise)
    }

    /// Returns a page of `bytes` bytes, with the true length in the head.
    pub fn huge(bytes: u64) -> Self {
        let times = bytes / 50_000;
        Self { times: Some(times), ..Self::typed("text/html", "<p>large</p>\n".repeat(3_847)[..50_000].to_owned()) }
    }

    /// Returns an endless page without a length.
    pub fn endless() -> Self {
        Self { times: None, ..Self::typed("text/html", "<p>and so on</p>".repeat(1_000)) }
    }

    /// Returns a compressed page of `bytes` bytes when decompressed.
    pub fn bomb(bytes: usize) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
        let zeros = vec![b'a'; 1 << 20];
        for _ in 0..bytes >> 20 {
            encoder.write_all(&zeros).expect("memory takes it");
        }
        let body = encoder.finish().expect("memory takes it");
        Self::typed("text/html", body).with_header("Content-Encoding", "gzip")
    }

    /// Returns the body bytes for modification.
    pub fn body(&mut self) -> &mut Vec<u8> {
        &mut self.body
    }

    /// Compresses the body.
    #[must_use]
    pub fn gzipped(mut self) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
        encoder.write_all(&self.body).expect("memory takes it");
        self.body = encoder.finish().expect("memory takes it");
        self.with_header("Content-Encoding", "gzip")
    }

    /// Adds a header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Delays the answer.
    #[must_use]
    pub fn after(mut self, delay: Duration) -> Self {
        self.delay = delay;
        self
    }

    /// Sends a hundred bytes at a time with a pause after each.
    #[must_use]
    pub fn dripping(mut self, pause: Duration) -> Self {
        self.pause = pause;
        self
    }

    /// Overrides the declared length.
    #[must_use]
    pub fn claiming(mut self, bytes: u64) -> Self {
        self.claimed = Some(bytes);
        self
    }
}

/// Returns the bytes of a PDF with a page per line of `text`, Latin letters only.
pub fn pdf(text: &str) -> Vec<u8> {
    let lines: Vec<&str> = text.lines().collect();
    let kids: String = (0..lines.len()).map(|at| format!("{} 0 R ", 4 + 2 * at)).collect();
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        format!("<< /Type /Pages /Kids [{kids}] /Count {} >>", lines.len()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_owned(),
    ];
    for (at, line) in lines.iter().enumerate() {
        let shown = line.replace('\\', "\\\\").replace('(', "\\(").replace(')', "\\)");
        let stream = format!("BT /F1 12 Tf 72 720 Td ({shown}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + 2 * at
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{stream}\nendstream", stream.len()));
    }
    let mut file = String::from("%PDF-1.4\n");
    let mut places = Vec::new();
    for (at, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", at + 1));
    }
    let table = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for place in places {
        file.push_str(&format!("{place:010} 00000 n \n"));
    }
    file.push_str(&format!("trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1));
    file.into_bytes()
}
