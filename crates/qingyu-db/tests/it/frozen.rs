//! A server that keeps its connections open and answers nothing.

use std::time::Duration;

use qingyu_db::{Database, Error, Postgres, PostgresSettings};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;

/// What stands between the program and the server, and can hold back all answers.
struct Proxy {
    port: u16,
    is_frozen: watch::Sender<bool>,
}

impl Proxy {
    async fn before(server: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let (is_frozen, frozen) = watch::channel(false);
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                let (from_client, to_client) = client.into_split();
                let (from_server, to_server) = TcpStream::connect(server).await.unwrap().into_split();
                tokio::spawn(pass(from_client, to_server, watch::channel(false).1));
                tokio::spawn(pass(from_server, to_client, frozen.clone()));
            }
        });
        Self { port, is_frozen }
    }
}

async fn pass(
    mut from: tokio::net::tcp::OwnedReadHalf,
    mut to: tokio::net::tcp::OwnedWriteHalf,
    mut frozen: watch::Receiver<bool>,
) {
    let mut bytes = [0; 8192];
    while let Ok(read @ 1..) = from.read(&mut bytes).await {
        // The sender of the other direction is gone, and with it its freezing.
        let _ = frozen.wait_for(|frozen| !frozen).await;
        if to.write_all(&bytes[..read]).await.is_err() {
            break;
        }
    }
}

fn insert(connection: &qingyu_db::sql::Connection<'_>, text: &str) -> Result<usize, Error> {
    connection.prepare_cached("INSERT INTO frozen_note(text) VALUES (?1)")?.execute([text])
}

/// A PostgreSQL server behind a proxy, with the tables in `schema`; none on a machine without a server, unless that is CI.
async fn behind_proxy(schema: &str) -> Option<(Proxy, Postgres)> {
    const SERVER: &str = "127.0.0.1:5432";
    let is_there = TcpStream::connect(SERVER).await.is_ok();
    if !is_there && !std::env::var("CI").is_ok_and(|ci| ci == "true") {
        return None;
    }
    let proxy = Proxy::before(SERVER).await;
    let settings = PostgresSettings {
        schema: schema.into(),
        statement_timeout: Duration::from_millis(200),
        ..PostgresSettings::new(format!("postgresql://postgres@127.0.0.1:{}/test", proxy.port))
    };
    let postgres = Postgres::open(settings).await.unwrap();
    Some((proxy, postgres))
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frozen_server_is_waited_for_only_so_long() {
    let Some((proxy, postgres)) = behind_proxy("db_test_frozen").await else { return };
    let reset = "DROP SCHEMA IF EXISTS db_test_frozen CASCADE; CREATE SCHEMA db_test_frozen;
        CREATE TABLE frozen_note(text text NOT NULL)";
    postgres.client().await.unwrap().batch_execute(reset).await.unwrap();
    let database = Database::Postgres(postgres);
    database.write(|connection| insert(connection, "before")).await.unwrap();

    proxy.is_frozen.send_replace(true);
    let write = database.write(|connection| insert(connection, "meanwhile")).await;
    assert!(matches!(&write, Err(Error::Unreachable { reason, .. }) if reason.contains("did not answer")), "{write:?}");
    let read: Result<(), Error> = database.read(|connection| connection.prepare_cached("SELECT 1").map(|_| ())).await;
    assert!(matches!(read, Err(Error::Unreachable { .. })), "{read:?}");

    proxy.is_frozen.send_replace(false);
    database.write(|connection| insert(connection, "after")).await.unwrap();
    let count = database
        .read(|connection| -> Result<i64, Error> {
            let mut select = connection.prepare_cached("SELECT count(*) FROM frozen_note WHERE text <> ?1")?;
            select.query_row([""], |row| row.get(0))
        })
        .await;
    // What was asked meanwhile was never committed.
    assert_eq!(count.unwrap(), 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_commit_without_an_answer_says_that_its_outcome_is_not_known() {
    let Some((proxy, postgres)) = behind_proxy("db_test_frozen_commit").await else { return };
    let database = Database::Postgres(postgres);
    let freeze = proxy.is_frozen.clone();
    let written = database
        .write(move |_| {
            freeze.send_replace(true);
            Ok::<_, Error>(())
        })
        .await;
    assert!(matches!(&written, Err(Error::Unreachable { reason, .. }) if reason.contains("not known")), "{written:?}");
    proxy.is_frozen.send_replace(false);
}
