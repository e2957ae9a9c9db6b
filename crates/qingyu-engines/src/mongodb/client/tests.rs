//! The client against servers that play a script.

mod server;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::sync::Notify;

use self::server::{Action, Server, primary, secondary};
use super::super::bson::{Bson, document};
use super::super::error::MongoError;
use super::super::settings::MongoSettings;
use super::{CommandEffect, CommandReply, CommandRequest, MongoClient};

fn client(address: &str, options: &str) -> MongoClient {
    MongoClient::new(MongoSettings::parse(&format!("mongodb://{address}/?{options}")).unwrap()).unwrap()
}

async fn run(client: &MongoClient, kind: CommandEffect) -> Result<CommandReply, MongoError> {
    client.run(&CommandRequest { database: "novel", command: document! {"ping": 1}, kind }).await
}

fn ok() -> Action {
    Action::Reply(document! {"ok": 1.0})
}

fn failure(code: i32) -> Action {
    Action::Reply(document! {"ok": 0.0, "code": code, "errmsg": "no"})
}

/// A primary that answers all commands but `hello` by `script`, which is told how many came before.
async fn scripted(mut script: impl FnMut(usize) -> Action + Send + 'static) -> Server {
    let mut count = 0;
    Server::start(move |name, _| {
        if name == "hello" {
            return Action::Reply(primary(&[]));
        }
        count += 1;
        script(count - 1)
    })
    .await
}

#[tokio::test]
async fn the_primary_is_found_among_the_listed_hosts() {
    let (first, second) = (Server::start(|_, _| secondary(&[])).await, scripted(|_| ok()).await);
    let client = client(&format!("{},127.0.0.1:1,{}", first.host(), second.host()), "");
    run(&client, CommandEffect::Write).await.unwrap();
    run(&client, CommandEffect::Write).await.unwrap();
    assert_eq!(first.heard(), ["hello"]);
    assert_eq!(second.heard(), ["hello", "ping", "ping"], "the connection is used again");
    assert_eq!(second.commands()[1], document! {"ping": 1, "$db": "novel"});
}

#[tokio::test]
async fn a_secondary_names_the_primary_unless_only_it_is_wanted() {
    let second = scripted(|_| ok()).await;
    let name = second.host();
    let first = Server::start(move |_, _| secondary(&[&name])).await;
    run(&client(&first.host(), ""), CommandEffect::Write).await.unwrap();
    assert_eq!(second.heard(), ["hello", "ping"]);
    let direct = client(&first.host(), "directConnection=true&serverSelectionTimeoutMS=100");
    let error = run(&direct, CommandEffect::Write).await.unwrap_err();
    assert!(matches!(error, MongoError::NoPrimary { .. }) && error.to_string().contains("not the primary"), "{error}");
}

#[tokio::test]
async fn a_write_follows_the_primary_after_a_failover() {
    let is_over = Arc::new(AtomicBool::new(false));
    let over = is_over.clone();
    let first = Server::start(move |name, _| match name {
        "hello" if over.load(Ordering::SeqCst) => secondary(&[]),
        "hello" => Action::Reply(primary(&[])),
        _ if over.load(Ordering::SeqCst) => failure(10107),
        _ => ok(),
    })
    .await;
    let over = is_over.clone();
    let second = Server::start(move |name, _| match name {
        "hello" if over.load(Ordering::SeqCst) => Action::Reply(primary(&[])),
        "hello" => secondary(&[]),
        _ => ok(),
    })
    .await;
    let client = client(&format!("{},{}", first.host(), second.host()), "");
    run(&client, CommandEffect::Write).await.unwrap();
    is_over.store(true, Ordering::SeqCst);
    run(&client, CommandEffect::Write).await.unwrap();
    assert_eq!(second.heard().last().map(String::as_str), Some("ping"));
}

#[tokio::test]
async fn members_that_the_primary_has_named_are_asked_when_it_is_gone() {
    let second = scripted(|_| ok()).await;
    let name = second.host();
    let first = Server::start(move |command, count| match (command, count) {
        ("hello", 0) => Action::Reply(primary(&[&name])),
        _ => Action::Close,
    })
    .await;
    let client = client(&first.host(), "");
    run(&client, CommandEffect::Read).await.unwrap();
    assert_eq!(second.heard(), ["hello", "ping"]);
}

#[tokio::test]
async fn only_what_may_be_done_twice_is_sent_again_after_a_cut() {
    for (kind, options, sent) in [
        (CommandEffect::Read, "", 2),
        (CommandEffect::IdempotentWrite, "", 2),
        (CommandEffect::Write, "", 1),
        (CommandEffect::Read, "retryReads=false", 1),
        (CommandEffect::IdempotentWrite, "retryWrites=false", 1),
    ] {
        let server = scripted(|count| if count == 0 { Action::Close } else { ok() }).await;
        let result = run(&client(&server.host(), options), kind).await;
        assert_eq!(server.heard().iter().filter(|name| *name == "ping").count(), sent, "{kind:?} {options}");
        assert_eq!(result.is_ok(), sent == 2, "{result:?}");
        assert!(result.err().is_none_or(|error| error.is_unreachable()));
    }
}

#[tokio::test]
async fn a_second_failure_is_the_callers() {
    let server = scripted(|_| failure(189)).await;
    let error = run(&client(&server.host(), ""), CommandEffect::Read).await.unwrap_err();
    assert!(matches!(error, MongoError::Command { code: 189, .. }) && error.is_unreachable(), "{error}");
    assert_eq!(server.heard(), ["hello", "ping", "hello", "ping"]);
}

#[tokio::test]
async fn replies_that_are_errors_are_told_apart() {
    let duplicate = document! {"index": 0, "code": 11000, "errmsg": "there"};
    let replies = [
        document! {"ok": 0.0, "code": 13, "codeName": "Unauthorized", "errmsg": "not allowed"},
        document! {"ok": 1.0, "n": 0, "writeErrors": vec![Bson::from(duplicate)]},
        document! {"ok": 1.0, "n": 1, "writeConcernError": document! {"code": 10107, "errmsg": "slow"}},
        document! {},
    ];
    let server = scripted(move |count| Action::Reply(replies[count].clone())).await;
    let client = client(&server.host(), "");
    let error = run(&client, CommandEffect::Write).await.unwrap_err();
    assert!(error.to_string().contains("not allowed (code 13)") && !error.is_unreachable(), "{error}");
    assert!(run(&client, CommandEffect::Write).await.unwrap_err().is_duplicate_key());
    let error = run(&client, CommandEffect::Write).await.unwrap_err();
    assert!(matches!(error, MongoError::Unconfirmed { .. }) && !error.is_transient(), "{error}");
    assert!(matches!(run(&client, CommandEffect::Write).await.unwrap_err(), MongoError::Command { code: 0, .. }));
    assert_eq!(server.connections(), 1, "an error reply leaves the connection in step");
}

#[tokio::test]
async fn a_damaged_reply_ends_its_connection() {
    let reply = |id: i32| super::super::message::encode(id, &document! {"ok": 1}).unwrap();
    let damages: [fn(Vec<u8>) -> Vec<u8>; 5] = [
        |mut bytes| {
            // The document is shorter than its length says.
            bytes[21] += 1;
            bytes
        },
        |mut bytes| {
            bytes[0..4].copy_from_slice(&i32::MAX.to_le_bytes());
            bytes
        },
        |mut bytes| {
            bytes[8] += 1;
            bytes
        },
        |bytes| bytes[..20].to_vec(),
        |_| b"HTTP/1.1 400 Bad Request\r\n\r\n".to_vec(),
    ];
    for damage in damages {
        let server = scripted(move |count| match count {
            0 => Action::Raw(Box::new(move |id| {
                let mut bytes = reply(0);
                bytes[8..12].copy_from_slice(&id.to_le_bytes());
                damage(bytes)
            })),
            _ => ok(),
        })
        .await;
        let client = client(&server.host(), "");
        run(&client, CommandEffect::Write).await.unwrap_err();
        run(&client, CommandEffect::Write).await.unwrap();
        assert_eq!(server.connections(), 2);
    }
}

#[tokio::test]
async fn a_cancelled_command_ends_its_connection() {
    let heard = Arc::new(Notify::new());
    let notify = heard.clone();
    let server = scripted(move |count| match count {
        0 => {
            notify.notify_one();
            Action::Silence
        }
        _ => ok(),
    })
    .await;
    let client = client(&server.host(), "maxPoolSize=1");
    tokio::select! {
        result = run(&client, CommandEffect::Write) => panic!("{result:?}"),
        () = heard.notified() => {}
    }
    run(&client, CommandEffect::Write).await.unwrap();
    assert_eq!(server.connections(), 2);
}

#[tokio::test]
async fn a_command_has_a_timeout() {
    let server = scripted(|_| Action::Silence).await;
    let error = run(&client(&server.host(), "socketTimeoutMS=20"), CommandEffect::Write).await.unwrap_err();
    assert!(error.is_unreachable() && error.to_string().contains("no reply in 20 ms"), "{error}");
}

#[tokio::test]
async fn a_host_that_is_silent_costs_no_time() {
    let (first, second) = (Server::start(|_, _| Action::Silence).await, scripted(|_| ok()).await);
    run(&client(&format!("{},{}", first.host(), second.host()), ""), CommandEffect::Write).await.unwrap();
    let lonely = client(&first.host(), "connectTimeoutMS=10&serverSelectionTimeoutMS=50");
    let error = run(&lonely, CommandEffect::Write).await.unwrap_err();
    assert!(error.is_unreachable() && error.to_string().contains(&first.host()), "{error}");
}

#[tokio::test]
async fn an_election_is_waited_for_although_a_host_is_silent() {
    let silent = Server::start(|_, _| Action::Silence).await;
    let elected = Server::start(|name, count| match (name, count) {
        ("hello", 0 | 1) => secondary(&[]),
        ("hello", _) => Action::Reply(primary(&[])),
        _ => ok(),
    })
    .await;
    run(&client(&format!("{},{}", silent.host(), elected.host()), ""), CommandEffect::Write).await.unwrap();
    assert_eq!(elected.heard(), ["hello", "hello", "hello", "ping"]);
    assert_eq!(silent.heard(), ["hello"]);
}

#[tokio::test]
async fn servers_that_do_not_fit_are_named() {
    let server = scripted(|_| ok()).await;
    let other = client(&server.host(), "replicaSet=other&serverSelectionTimeoutMS=100");
    let error = run(&other, CommandEffect::Write).await.unwrap_err();
    assert!(error.is_unreachable() && error.to_string().contains("of the replica set set, not other"), "{error}");
    run(&client(&server.host(), "replicaSet=set"), CommandEffect::Write).await.unwrap();
    let old =
        Server::start(|_, _| Action::Reply(document! {"ok": 1, "isWritablePrimary": true, "maxWireVersion": 8})).await;
    let error = run(&client(&old.host(), ""), CommandEffect::Write).await.unwrap_err();
    assert!(matches!(error, MongoError::Unsuitable { .. }) && error.to_string().contains("4.4"), "{error}");
}

#[tokio::test]
async fn a_cursor_is_read_to_its_end() {
    let batch = |name: &str, id: i64, values: [i32; 2]| {
        let documents: Vec<Bson> = values.into_iter().map(|value| document! {"v": value}.into()).collect();
        let mut cursor = document! {"id": id, "ns": "novel.memory.x"};
        cursor.insert(name, documents);
        Action::Reply(document! {"ok": 1.0, "cursor": cursor})
    };
    let server = scripted(move |count| match count {
        0 => batch("firstBatch", 7, [1, 2]),
        1 => batch("nextBatch", 7, [3, 4]),
        _ => batch("nextBatch", 0, [5, 6]),
    })
    .await;
    let reply = run(&client(&server.host(), ""), CommandEffect::Read).await.unwrap();
    let values: Vec<_> = reply.documents.iter().map(|document| document.integer("v")).collect();
    assert_eq!(values, (1..=6).map(Some).collect::<Vec<_>>());
    assert_eq!(server.commands()[2], document! {"getMore": 7_i64, "collection": "memory.x", "$db": "novel"});
}

#[tokio::test]
async fn commands_share_the_connections_there_may_be() {
    let server = scripted(|_| ok()).await;
    let client = client(&server.host(), "maxPoolSize=2");
    let results = futures::future::join_all((0..20).map(|_| run(&client, CommandEffect::Write))).await;
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert!(server.connections() <= 2, "{}", server.connections());
}

#[tokio::test]
async fn a_command_larger_than_the_server_allows_is_not_sent() {
    let server = scripted(|_| ok()).await;
    let client = client(&server.host(), "");
    let command = document! {"insert": "x".repeat(17 * 1024 * 1024)};
    let error =
        client.run(&CommandRequest { database: "novel", command, kind: CommandEffect::Write }).await.unwrap_err();
    assert!(matches!(error, MongoError::TooLarge { .. }), "{error}");
    run(&client, CommandEffect::Write).await.unwrap();
    assert_eq!(server.heard(), ["hello", "ping"]);
}

#[tokio::test]
async fn a_login_proves_both_sides() {
    let server = Server::with_documents(server::login("pencil", true)).await;
    let url = |password: &str| format!("mongodb://user:{password}@{}/?authSource=users", server.host());
    let good = MongoClient::new(MongoSettings::parse(&url("pencil")).unwrap()).unwrap();
    run(&good, CommandEffect::Write).await.unwrap();
    assert_eq!(server.heard(), ["hello", "saslStart", "saslContinue", "saslContinue", "ping"]);
    assert_eq!(server.commands()[1].str("$db"), Some("users"));

    let bad = MongoClient::new(MongoSettings::parse(&url("secret")).unwrap()).unwrap();
    let error = run(&bad, CommandEffect::Read).await.unwrap_err();
    assert!(matches!(error, MongoError::Authentication { .. }) && !error.is_unreachable(), "{error}");
    assert!(error.to_string().contains("login of user failed") && !error.to_string().contains("secret"), "{error}");
    assert_eq!(server.heard().len(), 5 + 3, "a wrong password is tried once");

    let liar = Server::with_documents(server::login("pencil", false)).await;
    let url = format!("mongodb://user:pencil@{}", liar.host());
    let error =
        run(&MongoClient::new(MongoSettings::parse(&url).unwrap()).unwrap(), CommandEffect::Read).await.unwrap_err();
    assert!(
        matches!(error, MongoError::Authentication { .. }) && error.to_string().contains("did not prove"),
        "{error}"
    );
}

#[tokio::test]
async fn tls_that_is_not_there_is_said() {
    let server = Server::start(|_, _| Action::Close).await;
    let client = client(&server.host(), "tls=true&serverSelectionTimeoutMS=100");
    let error = run(&client, CommandEffect::Read).await.unwrap_err();
    assert!(error.is_unreachable() && error.to_string().contains(&server.host()), "{error}");
}
