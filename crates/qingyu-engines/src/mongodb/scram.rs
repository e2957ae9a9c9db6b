//! SCRAM-SHA-256 ([RFC 5802](https://www.rfc-editor.org/rfc/rfc5802), [RFC
//! 7677](https://www.rfc-editor.org/rfc/rfc7677)): client and server authenticate each other without sending the
//! password.

use std::num::NonZeroU32;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use ring::rand::{SecureRandom, SystemRandom};
use ring::{digest, hmac, pbkdf2};

/// Minimum number of iterations, as required by RFC 7677.
const MIN_ITERATIONS: u32 = 4096;
/// Maximum number of iterations, to bound CPU time; MongoDB's default is 15,000.
const MAX_ITERATIONS: u32 = 1_000_000;
const KEY_LENGTH: usize = digest::SHA256_OUTPUT_LEN;
/// The header of the first message in base64: no channel binding, no other identity.
const CHANNEL: &str = "biws";

/// Why the server failed to authenticate, or the password is unusable.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum ScramError {
    #[error("the password has characters that no password may have (RFC 4013)")]
    Password,
    #[error("there are no random numbers")]
    Random,
    #[error("the server's challenge cannot be used: {0}")]
    Challenge(&'static str),
    #[error("the server did not prove that it knows the password")]
    Unproved,
}

/// The client's state after its first message.
pub(super) struct ScramLogin {
    /// The password prepared by RFC 4013, so that equivalent spellings of a character are equal.
    password: String,
    nonce: String,
    /// The first message without its header.
    first: String,
}

/// The proof expected from the server.
pub(super) struct ServerSignature {
    key: hmac::Key,
    message: String,
}

impl ScramLogin {
    /// Begins with a random nonce.
    pub(super) fn new(user: &str, password: &str) -> Result<Self, ScramError> {
        let mut nonce = [0; 24];
        SystemRandom::new().fill(&mut nonce).map_err(|_| ScramError::Random)?;
        Self::with_nonce(user, password, STANDARD.encode(nonce))
    }

    fn with_nonce(user: &str, password: &str, nonce: String) -> Result<Self, ScramError> {
        let password = stringprep::saslprep(password).map_err(|_| ScramError::Password)?.into_owned();
        let user = user.replace('=', "=3D").replace(',', "=2C");
        Ok(Self { password, first: format!("n={user},r={nonce}"), nonce })
    }

    /// Returns the first message.
    pub(super) fn first(&self) -> String {
        format!("n,,{}", self.first)
    }

    /// Returns the second message, the response to the server's `challenge`, and the expected proof.
    pub(super) fn answer(self, challenge: &str) -> Result<(String, ServerSignature), ScramError> {
        let mut parts = challenge.split(',');
        let mut part = |name: &str| parts.next().and_then(|part| part.strip_prefix(name)?.strip_prefix('='));
        let nonce = part("r").ok_or(ScramError::Challenge("it has no nonce"))?;
        let salt = part("s").ok_or(ScramError::Challenge("it has no salt"))?;
        let iterations = part("i").ok_or(ScramError::Challenge("it has no iteration count"))?;
        if nonce.len() <= self.nonce.len() || !nonce.starts_with(&self.nonce) {
            return Err(ScramError::Challenge("its nonce does not extend ours"));
        }
        let salt = STANDARD.decode(salt).map_err(|_| ScramError::Challenge("its salt is not base64"))?;
        let is_allowed = |count: &NonZeroU32| (MIN_ITERATIONS..=MAX_ITERATIONS).contains(&count.get());
        let iterations = iterations.parse().ok().filter(is_allowed);
        let iterations = iterations.ok_or(ScramError::Challenge("its iteration count is not allowed"))?;

        let mut salted = [0; KEY_LENGTH];
        pbkdf2::derive(pbkdf2::PBKDF2_HMAC_SHA256, iterations, &salt, self.password.as_bytes(), &mut salted);
        let salted = hmac::Key::new(hmac::HMAC_SHA256, &salted);
        let client_key = hmac::sign(&salted, b"Client Key");
        let stored_key = digest::digest(&digest::SHA256, client_key.as_ref());
        let last = format!("c={CHANNEL},r={nonce}");
        let message = format!("{},{challenge},{last}", self.first);
        let signature = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, stored_key.as_ref()), message.as_bytes());
        let proof: Vec<u8> = client_key.as_ref().iter().zip(signature.as_ref()).map(|(key, sign)| key ^ sign).collect();
        let key = hmac::Key::new(hmac::HMAC_SHA256, hmac::sign(&salted, b"Server Key").as_ref());
        Ok((format!("{last},p={}", STANDARD.encode(proof)), ServerSignature { key, message }))
    }
}

impl ServerSignature {
    /// Validates the server's last message, in constant time.
    pub(super) fn verify(&self, last: &str) -> Result<(), ScramError> {
        let proof = last.split(',').next().and_then(|part| part.strip_prefix("v=")).ok_or(ScramError::Unproved)?;
        let proof = STANDARD.decode(proof).map_err(|_| ScramError::Unproved)?;
        hmac::verify(&self.key, self.message.as_bytes(), &proof).map_err(|_| ScramError::Unproved)
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::{ScramError, ScramLogin};

    /// The exchange of RFC 7677, section 3.
    pub(in crate::mongodb) const NONCE: &str = "rOprNGfwEbeRWgbNEkqO";
    const CHALLENGE: &str = "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";
    const ANSWER: &str =
        "c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=";
    const LAST: &str = "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4=";

    fn login() -> ScramLogin {
        ScramLogin::with_nonce("user", "pencil", NONCE.to_owned()).unwrap()
    }

    #[test]
    fn the_exchange_of_the_rfc() {
        assert_eq!(login().first(), "n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        let (answer, expected) = login().answer(CHALLENGE).unwrap();
        assert_eq!(answer, ANSWER);
        assert_eq!(expected.verify(LAST), Ok(()));
    }

    #[test]
    fn another_proof_is_refused() {
        let (_, expected) = login().answer(CHALLENGE).unwrap();
        for last in ["", "v=", "v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G5=", "v=?", "e=other-error", &LAST[2..]] {
            assert_eq!(expected.verify(last), Err(ScramError::Unproved), "{last}");
        }
        let (_, other) = ScramLogin::with_nonce("user", "pen", NONCE.to_owned()).unwrap().answer(CHALLENGE).unwrap();
        assert_eq!(other.verify(LAST), Err(ScramError::Unproved));
    }

    #[test]
    fn a_bad_challenge_is_refused() {
        let salt = "s=W22ZaJ0SNY7soEsUEjb6gQ==";
        for challenge in [
            String::new(),
            format!("r={NONCE},{salt},i=4096"),
            format!("r=x{NONCE},{salt},i=4096"),
            format!("r={NONCE}x,s=?,i=4096"),
            format!("r={NONCE}x,{salt},i=4095"),
            format!("r={NONCE}x,{salt},i=1000001"),
            format!("r={NONCE}x,{salt},i=-1"),
            format!("r={NONCE}x,{salt}"),
            format!("m=ext,r={NONCE}x,{salt},i=4096"),
        ] {
            assert!(matches!(login().answer(&challenge), Err(ScramError::Challenge(_))), "{challenge}");
        }
    }

    #[test]
    fn names_are_escaped_and_passwords_prepared() {
        assert_eq!(ScramLogin::with_nonce("a=b,c", "x", "r".into()).unwrap().first(), "n,,n=a=3Db=2Cc,r=r");
        // A soft hyphen is removed, and a non-breaking space is a space.
        assert_eq!(ScramLogin::with_nonce("u", "pen\u{ad}cil\u{a0}", "r".into()).unwrap().password, "pencil ");
        assert!(matches!(ScramLogin::with_nonce("u", "a\u{7}", "r".into()), Err(ScramError::Password)));
        assert_ne!(ScramLogin::new("u", "p").unwrap().nonce, ScramLogin::new("u", "p").unwrap().nonce);
    }
}
