//! A server on loopback whose replies a script decides.

use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::{digest, hmac, pbkdf2};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::super::super::bson::{Bson, BsonDocument, document};
use super::super::super::message::{self, HEADER};

/// A server's answer to a command.
pub(super) enum Action {
    Reply(BsonDocument),
    /// The bytes that are made for the id of the request; then the connection ends.
    Raw(Box<dyn FnOnce(i32) -> Vec<u8> + Send>),
    Close,
    /// Says nothing more, and keeps the connection open.
    Silence,
}

pub(super) fn primary(members: &[&str]) -> BsonDocument {
    hello(true, members)
}

pub(super) fn secondary(members: &[&str]) -> Action {
    Action::Reply(hello(false, members))
}

fn hello(is_primary: bool, members: &[&str]) -> BsonDocument {
    let members: Vec<Bson> = members.iter().map(|name| Bson::from(*name)).collect();
    document! {
        "ok": 1.0, "isWritablePrimary": is_primary, "secondary": !is_primary, "setName": "set", "hosts": members,
        "maxWireVersion": 21, "maxBsonObjectSize": 16_777_216, "maxMessageSizeBytes": 48_000_000,
        "localTime": Bson::DateTime(0), "topologyVersion": document! {"processId": Bson::ObjectId([1; 12]), "counter": 6_i64},
        "$clusterTime": document! {"clusterTime": Bson::Timestamp(1), "signature": document! {"hash": Bson::Binary(0, vec![0; 20])}},
    }
}

/// Decides what to do with a command, by its name and how many of that name came before.
type Script = Box<dyn FnMut(&BsonDocument, usize) -> Action + Send>;

pub(super) struct Server {
    host: String,
    shared: Arc<Mutex<Shared>>,
}

struct Shared {
    script: Script,
    commands: Vec<BsonDocument>,
    connections: usize,
}

impl Server {
    /// Starts a server with a script that goes by the name of a command and by how many of that name came before.
    pub(super) async fn start(mut script: impl FnMut(&str, usize) -> Action + Send + 'static) -> Self {
        Self::with_documents(move |command, count| script(name(command), count)).await
    }

    /// The same with a script that is given the whole command.
    pub(super) async fn with_documents(script: impl FnMut(&BsonDocument, usize) -> Action + Send + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let host = listener.local_addr().unwrap().to_string();
        let shared = Arc::new(Mutex::new(Shared { script: Box::new(script), commands: Vec::new(), connections: 0 }));
        let kept = shared.clone();
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                kept.lock().unwrap().connections += 1;
                tokio::spawn(serve(stream, kept.clone()));
            }
        });
        Self { host, shared }
    }

    pub(super) fn host(&self) -> String {
        self.host.clone()
    }

    pub(super) fn commands(&self) -> Vec<BsonDocument> {
        self.shared.lock().unwrap().commands.clone()
    }

    /// The names of the commands that came.
    pub(super) fn heard(&self) -> Vec<String> {
        self.commands().iter().map(|command| name(command).to_owned()).collect()
    }

    pub(super) fn connections(&self) -> usize {
        self.shared.lock().unwrap().connections
    }
}

fn name(command: &BsonDocument) -> &str {
    command.iter().next().map_or("", |(name, _)| name)
}

/// Serves a connection until the client closes it or sends what is no message, as a client of TLS does.
async fn serve(mut stream: TcpStream, shared: Arc<Mutex<Shared>>) {
    let mut header = [0; HEADER];
    while stream.read_exact(&mut header).await.is_ok() {
        let Ok(length) = message::content_length(header, None, 64 << 20) else { return };
        let mut content = vec![0; length];
        stream.read_exact(&mut content).await.unwrap();
        let command = message::decode(&content).unwrap();
        let action = {
            let mut shared = shared.lock().unwrap();
            let count = shared.commands.iter().filter(|known| name(known) == name(&command)).count();
            shared.commands.push(command.clone());
            (shared.script)(&command, count)
        };
        let id = message::id(header);
        match action {
            Action::Reply(reply) => {
                let mut bytes = message::encode(0, &reply).unwrap();
                bytes[8..12].copy_from_slice(&id.to_le_bytes());
                stream.write_all(&bytes).await.unwrap();
            }
            Action::Raw(bytes) => {
                stream.write_all(&bytes(id)).await.unwrap();
                return;
            }
            Action::Close => return,
            Action::Silence => std::future::pending().await,
        }
    }
}

/// The server's side of SCRAM-SHA-256, written after RFC 5802; one that is not honest does not know the password and
/// lets everybody in.
struct Login {
    password: &'static str,
    is_honest: bool,
    first: String,
    challenge: String,
}

/// Returns the script of a primary that knows one user; see [`Login`].
pub(super) fn login(password: &'static str, is_honest: bool) -> impl FnMut(&BsonDocument, usize) -> Action + Send {
    let mut login = Login { password, is_honest, first: String::new(), challenge: String::new() };
    move |command, _| login.reply(command)
}

impl Login {
    fn reply(&mut self, command: &BsonDocument) -> Action {
        let payload = match command.get("payload") {
            Some(Bson::Binary(_, payload)) => String::from_utf8(payload.clone()).unwrap(),
            _ => String::new(),
        };
        let reply = |done: bool, payload: String| {
            let payload = Bson::Binary(0, payload.into_bytes());
            Action::Reply(document! {"ok": 1, "conversationId": 7, "done": done, "payload": payload})
        };
        match name(command) {
            "hello" => Action::Reply(primary(&[])),
            "saslStart" => {
                self.first = payload.strip_prefix("n,,").unwrap().to_owned();
                let nonce = self.first.split_once(",r=").unwrap().1;
                self.challenge = format!("r={nonce}srv,s={},i=4096", STANDARD.encode("salt"));
                reply(false, self.challenge.clone())
            }
            "saslContinue" if payload.is_empty() => reply(true, String::new()),
            "saslContinue" => {
                assert_eq!(command.integer("conversationId"), Some(7));
                match self.last(&payload) {
                    Some(last) => reply(false, last),
                    None => Action::Reply(document! {"ok": 0, "code": 18, "errmsg": "Authentication failed."}),
                }
            }
            _ => Action::Reply(document! {"ok": 1}),
        }
    }

    /// The last message, if the proof in `payload` is right.
    fn last(&self, payload: &str) -> Option<String> {
        let sign = |key: &[u8], text: &[u8]| hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, key), text);
        let (without_proof, proof) = payload.split_once(",p=").unwrap();
        let mut salted = [0; 32];
        let password = if self.is_honest { self.password } else { "" };
        let iterations = NonZeroU32::new(4096).unwrap();
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, iterations, b"salt", password.as_bytes(), &mut salted);
        let message = format!("{},{},{without_proof}", self.first, self.challenge);
        let stored = digest::digest(&digest::SHA256, sign(&salted, b"Client Key").as_ref());
        let signature = sign(stored.as_ref(), message.as_bytes());
        let proof = STANDARD.decode(proof).unwrap();
        let key: Vec<u8> = proof.iter().zip(signature.as_ref()).map(|(proof, sign)| proof ^ sign).collect();
        let is_right = digest::digest(&digest::SHA256, &key).as_ref() == stored.as_ref();
        let last = sign(sign(&salted, b"Server Key").as_ref(), message.as_bytes());
        (is_right || !self.is_honest).then(|| format!("v={}", STANDARD.encode(last)))
    }
}
