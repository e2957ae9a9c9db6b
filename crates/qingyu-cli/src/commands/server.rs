//! `qingyu serve` and `qingyu mcp`; both return an error in builds without the feature `server`.

#[cfg(feature = "server")]
mod mcp;
#[cfg(feature = "server")]
mod serve;

#[cfg(feature = "server")]
pub(super) use self::{mcp::mcp, serve::serve};

#[cfg(not(feature = "server"))]
pub(super) use self::refused::{mcp, serve};

/// The same commands in a build without the server; they return an error.
#[cfg(not(feature = "server"))]
mod refused {
    use qingyu_studio::{Environment, Studio};

    use crate::args::{McpArgs, ServeArgs};
    use crate::error::{Error, Exit};
    use crate::screen::Screen;

    pub(in crate::commands) async fn serve(_: Environment, _: &Screen, _: ServeArgs) -> Result<Exit, Error> {
        Err(Error::NotInBuild { what: "serve".to_owned() })
    }

    pub(in crate::commands) async fn mcp(_: &Studio, _: &Screen, _: McpArgs) -> Result<Exit, Error> {
        Err(Error::NotInBuild { what: "mcp".to_owned() })
    }
}
