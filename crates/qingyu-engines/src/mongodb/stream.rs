//! A byte stream to a server, with or without TLS.

use std::io;
use std::sync::Arc;

use rustls::ClientConfig;
use rustls::pki_types::ServerName;
use rustls_platform_verifier::BuilderVerifierExt;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use super::settings::ServerAddress;

/// A connected socket.
#[derive(Debug)]
pub(super) enum Stream {
    Plain(TcpStream),
    Tls(Box<TlsStream<TcpStream>>),
}

/// Returns the TLS connector: ring, as in the rest of the program, and the system's certificate authorities.
pub(super) fn tls() -> Result<TlsConnector, rustls::Error> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let config = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions()?;
    let config = config.with_platform_verifier()?.with_no_client_auth();
    Ok(TlsConnector::from(Arc::new(config)))
}

impl Stream {
    pub(super) async fn connect(host: &ServerAddress, tls: Option<&TlsConnector>) -> io::Result<Self> {
        let stream = TcpStream::connect((host.name.as_str(), host.port)).await?;
        stream.set_nodelay(true)?;
        let Some(tls) = tls else { return Ok(Self::Plain(stream)) };
        let name = ServerName::try_from(host.name.clone()).map_err(io::Error::other)?;
        Ok(Self::Tls(Box::new(tls.connect(name, stream).await?)))
    }

    pub(super) async fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        match self {
            Self::Plain(stream) => stream.write_all(bytes).await,
            Self::Tls(stream) => {
                stream.write_all(bytes).await?;
                stream.flush().await
            }
        }
    }

    /// Reads exactly `length` bytes, allocating the buffer only as bytes arrive.
    pub(super) async fn read(&mut self, length: usize) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        let limit = u64::try_from(length).unwrap_or(u64::MAX);
        match self {
            Self::Plain(stream) => stream.take(limit).read_to_end(&mut bytes).await?,
            Self::Tls(stream) => stream.take(limit).read_to_end(&mut bytes).await?,
        };
        if bytes.len() == length { Ok(bytes) } else { Err(io::ErrorKind::UnexpectedEof.into()) }
    }

    /// Returns whether no bytes and no end of stream have arrived from the server, as expected between requests.
    pub(super) fn is_quiet(&self) -> bool {
        let stream = match self {
            Self::Plain(stream) => stream,
            Self::Tls(stream) => stream.get_ref().0,
        };
        stream.try_read(&mut [0]).is_err_and(|error| error.kind() == io::ErrorKind::WouldBlock)
    }
}
