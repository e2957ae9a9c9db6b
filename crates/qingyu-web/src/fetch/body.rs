//! Reads a body, decompressed incrementally and never beyond its limit.

use std::io::{self, Write};

use flate2::write::{MultiGzDecoder, ZlibDecoder};
use reqwest::Response;
use reqwest::header::{CONTENT_ENCODING, HeaderMap};
use tokio::time::timeout;

use super::limits::{FetchLimits, failure};
use crate::Error;
use crate::error::shown;

/// Reads the body of `response`; a body over the limit is refused as soon as detected.
pub(super) async fn read(response: &mut Response, host: &str, limits: FetchLimits) -> Result<Vec<u8>, Error> {
    let mut body = BodyDecoder::new(response.headers(), host, limits.bytes)?;
    if response.content_length().is_some_and(|length| length > limits.bytes) {
        return Err(Error::TooLarge { limit: limits.bytes });
    }
    loop {
        let limit = limits.first_byte;
        let chunk = timeout(limit, response.chunk()).await.map_err(|_elapsed| Error::Timeout { limit })?;
        match chunk.map_err(|error| failure(host, error, limit))? {
            Some(chunk) => body.push(&chunk)?,
            None => return body.finish(),
        }
    }
}

/// A decompressor of received bytes.
enum BodyDecoder {
    Plain(CappedBytes),
    Gzip(MultiGzDecoder<CappedBytes>),
    Zlib(ZlibDecoder<CappedBytes>),
}

impl BodyDecoder {
    /// Accepts at most a single layer of compression: more layers only hide size.
    fn new(headers: &HeaderMap, host: &str, limit: u64) -> Result<Self, Error> {
        let sink = CappedBytes { bytes: Vec::new(), limit, is_over: false };
        let mut encodings = headers.get_all(CONTENT_ENCODING).iter();
        let encoding = encodings.next().map(|value| String::from_utf8_lossy(value.as_bytes()).trim().to_lowercase());
        match (encoding.as_deref(), encodings.next()) {
            (None | Some("" | "identity"), None) => Ok(Self::Plain(sink)),
            (Some("gzip" | "x-gzip"), None) => Ok(Self::Gzip(MultiGzDecoder::new(sink))),
            (Some("deflate"), None) => Ok(Self::Zlib(ZlibDecoder::new(sink))),
            (other, _) => {
                let message = format!("compressed as {:?}", shown(other.unwrap_or_default()));
                Err(Error::BadAnswer { name: host.to_owned(), message })
            }
        }
    }

    fn push(&mut self, chunk: &[u8]) -> Result<(), Error> {
        let written = match self {
            Self::Plain(sink) => sink.write_all(chunk),
            Self::Gzip(decoder) => decoder.write_all(chunk),
            Self::Zlib(decoder) => decoder.write_all(chunk),
        };
        written.map_err(|error| self.refusal(&error))
    }

    fn finish(mut self) -> Result<Vec<u8>, Error> {
        let ended = match &mut self {
            Self::Plain(_) => Ok(()),
            Self::Gzip(decoder) => decoder.try_finish(),
            Self::Zlib(decoder) => decoder.try_finish(),
        };
        ended.map_err(|error| self.refusal(&error))?;
        Ok(std::mem::take(&mut self.sink().bytes))
    }

    fn refusal(&mut self, error: &io::Error) -> Error {
        let sink = self.sink();
        match sink.is_over {
            true => Error::TooLarge { limit: sink.limit },
            false => Error::Garbled { why: format!("it cannot be decompressed: {}", shown(&error.to_string())) },
        }
    }

    fn sink(&mut self) -> &mut CappedBytes {
        match self {
            Self::Plain(sink) => sink,
            Self::Gzip(decoder) => decoder.get_mut(),
            Self::Zlib(decoder) => decoder.get_mut(),
        }
    }
}

/// A buffer with a size limit.
struct CappedBytes {
    bytes: Vec<u8>,
    limit: u64,
    is_over: bool,
}

impl Write for CappedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if (self.bytes.len() + bytes.len()) as u64 > self.limit {
            self.is_over = true;
            return Err(io::Error::other("over the limit"));
        }
        self.bytes.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
