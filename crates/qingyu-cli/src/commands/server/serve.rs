//! The command `qingyu serve`.

use qingyu_server::{Server, traces};
use qingyu_studio::settings::assign;
use qingyu_studio::{Environment, Settings, Studio};
use serde_json::json;
use tokio_util::sync::CancellationToken;
use toml::Table;

use crate::args::ServeArgs;
use crate::error::{Error, Exit};
use crate::screen::Screen;
use crate::signals::Signals;

/// Returns the settings overridden by the arguments, in the shape of the settings file.
fn flags(arguments: &ServeArgs) -> Result<Table, Error> {
    let mut table = Table::new();
    let given = [
        ("server.host", arguments.host.map(|host| host.to_string())),
        ("server.port", arguments.port.map(|port| port.to_string())),
        ("server.public_url", arguments.public_url.clone()),
    ];
    for (key, value) in given {
        if let Some(value) = value {
            assign(&mut table, key, &value)?;
        }
    }
    Ok(table)
}

/// Serves until a signal; a second signal aborts the graceful shutdown.
pub(in crate::commands) async fn serve(
    environment: Environment,
    screen: &Screen,
    arguments: ServeArgs,
) -> Result<Exit, Error> {
    let studio = Studio::open(Settings::load(environment, flags(&arguments)?)?).await?;
    let opens = arguments.open;
    let mut signals = Signals::listen().map_err(Error::Signals)?;
    let traces = traces::TraceTarget::from_variables(|name| std::env::var(name).ok())
        .map_err(|error| qingyu_server::serve::Error::Traces { message: error.to_string() })?;
    let server = Server::bind(studio).await?.with_traces(traces);
    let url = server.url();
    screen.show(&json!({"url": url, "pid": std::process::id()}), |page| {
        page.line(&screen.texts().fill("serve-ready", &[("url", url.as_str().into())]));
        page.line(&screen.texts().get("serve-stop"));
    })?;
    // The listener already exists: the browser's connection waits until the server accepts.
    if opens && open::that_detached(&url).is_err() {
        screen.note(&format!("{}\n", screen.texts().get("serve-not-opened")));
    }
    let stop = CancellationToken::new();
    let mut running = tokio::spawn(server.run(stop.clone()));
    let ended = tokio::select! {
        ended = &mut running => ended,
        () = signals.next() => {
            screen.note(&format!("{}\n", screen.texts().get("serve-stopping")));
            stop.cancel();
            tokio::select! {
                ended = &mut running => ended,
                () = signals.next() => return Ok(Exit::Interrupted),
            }
        }
    };
    ended.map_err(|error| Error::Protocol(error.to_string()))??;
    Ok(Exit::Done)
}
