//! The table of connection strings.

use std::time::Duration;

use super::super::bson::document;
use super::{Credentials, MongoSettings};

fn parse(url: &str) -> MongoSettings {
    MongoSettings::parse(url).unwrap_or_else(|error| panic!("{url}: {error}"))
}

#[test]
fn hosts() {
    for (url, expected) in [
        ("mongodb://h", "h:27017"),
        ("mongodb://h/", "h:27017"),
        ("mongodb://h?tls=true", "h:27017"),
        ("mongodb://H.Example:1/", "h.example:1"),
        ("mongodb://a:1,b,c:3/db?replicaSet=r", "a:1,b:27017,c:3"),
        ("mongodb://127.0.0.1:5,[::1]:7,[::1]/", "127.0.0.1:5,[::1]:7,[::1]:27017"),
        ("mongodb://u:p@a,b", "a:27017,b:27017"),
    ] {
        assert_eq!(parse(url).address(), expected, "{url}");
    }
}

#[test]
fn credentials_and_the_database_that_knows_them() {
    let check = |url: &str, user: &str, password: &str, source: &str| {
        let expected = Credentials { user: user.into(), password: password.into(), source: source.into() };
        assert!(parse(url).credentials == Some(expected), "{url}");
    };
    check("mongodb://u:p@h", "u", "p", "admin");
    check("mongodb://u:p@h/novel", "u", "p", "novel");
    check("mongodb://u:p@h/novel?authSource=users", "u", "p", "users");
    check("mongodb://u%40x:p%3A%2f%E9%9D%92@h/?authSource=%24external", "u@x", "p:/青", "$external");
    assert!(parse("mongodb://h/?authSource=users").credentials.is_none());
}

#[test]
fn options() {
    let settings = parse(
        "mongodb://a,b/?replicaSet=r&ssl=true&connectTimeoutMS=1&serverSelectionTimeoutMS=2&socketTimeoutMS=3&maxPoolSize=4\
         &maxIdleTimeMS=5&appName=a%20b&retryReads=false&retryWrites=false&w=majority&journal=true&wTimeoutMS=6\
         &readConcernLevel=majority&authMechanism=SCRAM-SHA-256&readPreference=primary&compressors=zstd&loadBalanced=false",
    );
    assert_eq!((settings.replica_set.as_deref(), settings.app_name.as_str()), (Some("r"), "a b"));
    let timeouts = [settings.connect_timeout, settings.selection_timeout, settings.command_timeout];
    assert_eq!(timeouts, [1, 2, 3].map(Duration::from_millis));
    assert_eq!((settings.pool_size, settings.max_idle), (4, Some(Duration::from_millis(5))));
    assert!(settings.has_tls && !settings.retries_reads && !settings.retries_writes && !settings.is_direct);
    assert_eq!(settings.write_concern, document! {"w": "majority", "j": true, "wtimeout": 6_i64});
    assert_eq!(settings.read_concern, document! {"level": "majority"});
    assert_eq!(parse("mongodb://h/?w=2").write_concern, document! {"w": 2});
    assert!(parse("mongodb://h/?directConnection=true").is_direct);
    let usual = parse("mongodb://h");
    assert!(usual.retries_reads && usual.retries_writes && !usual.has_tls && usual.write_concern.is_empty());
}

#[test]
fn what_is_refused_says_why_and_keeps_secrets() {
    for (url, expected) in [
        ("http://u:secret@h", "mongodb://host:port"),
        ("mongodb+srv://u:secret@h", "write the hosts out"),
        ("mongodb://", "host:port"),
        ("mongodb://a,,b", "host:port"),
        ("mongodb://h:0", "host:port"),
        ("mongodb://h:65536", "host:port"),
        ("mongodb://h:x", "host:port"),
        ("mongodb://[::1", "host:port"),
        ("mongodb://[::1]7", "host:port"),
        ("mongodb://%2Ftmp%2Fmongodb-27017.sock", "file system"),
        ("mongodb://user@h", "without a password"),
        ("mongodb://:secret@h", "empty"),
        ("mongodb://u:@h", "empty"),
        ("mongodb://u:sec:ret@h", "%3A"),
        ("mongodb://u:sec@ret@h", "%40"),
        ("mongodb://u:se%ret@h", "%25"),
        ("mongodb://u:se%ffret@h", "UTF-8"),
        ("mongodb://u:se%00ret@h", "zero byte"),
        ("mongodb://u:se/secret@h", "%2F"),
        ("mongodb://u:se?secret@h", "%3F"),
        ("mongodb://h/?tls", "no value"),
        ("mongodb://h/?tls=", "no value"),
        ("mongodb://h/?tls=yes", "neither true nor false"),
        ("mongodb://h/?tls=true&TLS=true", "twice"),
        ("mongodb://h/?tls=true&ssl=false", "write one of them"),
        ("mongodb://h/?tlsInsecure=true", "certificate"),
        ("mongodb://h/?tlsCAFile=x", "certificate"),
        ("mongodb://h/?connectTimeoutMS=0", "above 0"),
        ("mongodb://h/?connectTimeoutMS=-1", "above 0"),
        ("mongodb://h/?maxPoolSize=0", "above 0"),
        ("mongodb://h/?w=0", "w=majority"),
        ("mongodb://h/?readPreference=secondary", "primary"),
        ("mongodb://h/?authMechanism=MONGODB-X509", "SCRAM-SHA-256"),
        ("mongodb://h/?authMechanismProperties=a:b", "not known"),
        ("mongodb://h/?loadBalanced=true", "not supported"),
        ("mongodb://a,b/?directConnection=true", "one host"),
        ("mongodb://h/?nonsense=1", "nonsense is not known"),
        ("mongodb://h/?se%20cret=1", "letters and digits"),
    ] {
        let error = MongoSettings::parse(url).err().unwrap_or_else(|| panic!("{url} was read"));
        assert!(error.contains(expected) && !error.contains("secret"), "{url}: {error}");
    }
}
