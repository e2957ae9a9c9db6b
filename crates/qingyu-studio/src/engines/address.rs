//! Addresses of servers: with a password from the environment, and for display.

use std::fmt::Write as _;

/// The parts of `scheme://user@host:port/rest`.
struct AddressParts<'a> {
    scheme: &'a str,
    user: Option<&'a str>,
    host: &'a str,
    rest: &'a str,
}

fn parts(url: &str) -> Option<AddressParts<'_>> {
    let (scheme, after) = url.split_once("://")?;
    let end = after.find(['/', '?']).unwrap_or(after.len());
    let (authority, rest) = after.split_at(end);
    let (user, host) = authority.rsplit_once('@').map_or((None, authority), |(user, host)| (Some(user), host));
    Some(AddressParts { scheme, user, host, rest })
}

/// Returns host and port, for display.
pub(crate) fn host(url: &str) -> String {
    parts(url).map_or("?", |parts| parts.host).to_owned()
}

/// Returns the name of the database, the path of the address; `None` without a path.
pub(crate) fn database(url: &str) -> Option<&str> {
    let path = parts(url)?.rest.split('?').next()?.trim_matches('/');
    (!path.is_empty()).then_some(path)
}

/// Returns the address without the user, and the user.
pub(crate) fn without_user(url: &str) -> (String, Option<String>) {
    match parts(url) {
        Some(AddressParts { scheme, user, host, rest }) => {
            (format!("{scheme}://{host}{rest}"), user.map(str::to_owned))
        }
        None => (url.to_owned(), None),
    }
}

/// Returns the address with the password, percent-encoded.
pub(crate) fn with_password(url: &str, password: Option<&str>) -> String {
    match (parts(url), password) {
        (Some(AddressParts { scheme, user, host, rest }), Some(password)) => {
            format!("{scheme}://{}:{}@{host}{rest}", user.unwrap_or_default(), encoded(password))
        }
        _ => url.to_owned(),
    }
}

fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |mut encoded, byte| {
        if byte.is_ascii_alphanumeric() {
            encoded.push(char::from(byte));
        } else {
            let _ = write!(encoded, "%{byte:02X}");
        }
        encoded
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_inserted_and_never_shown() {
        let url = "postgresql://qingyu@db.example.com:5432/books?sslmode=off";
        assert_eq!(
            with_password(url, Some("a:b/@é")),
            "postgresql://qingyu:a%3Ab%2F%40%C3%A9@db.example.com:5432/books?sslmode=off"
        );
        assert_eq!((host(url), database(url)), ("db.example.com:5432".to_owned(), Some("books")));
        assert_eq!(with_password("redis://host", Some("x")), "redis://:x@host");
        assert_eq!(with_password("redis://host", None), "redis://host");
        assert_eq!(without_user("http://neo4j@host:7474"), ("http://host:7474".to_owned(), Some("neo4j".to_owned())));
        assert_eq!((host("nonsense").as_str(), database("mongodb://host")), ("?", None));
    }
}
