//! Errors as statuses, with machine-readable details.
//!
//! Each status has an `ErrorInfo`: the upper-case code as reason, `qingyu` as domain, the message's data as metadata. A
//! retryable error has a `RetryInfo`, an invalid field a `BadRequest`.

use std::collections::HashMap;
use std::time::Duration;

use qingyu_studio::{Error, ErrorKind, Studio};
use serde_json::Value;
use tonic::{Code, Request, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The domain of the reasons.
const DOMAIN: &str = "qingyu";
/// Maximum characters of a message, and of a metadata value: details are sent in a header, limited to 8 KiB by clients.
const MESSAGE: usize = 800;
const METADATA: usize = 160;

/// Returns the caller's studio, inserted by the layer in front.
pub(crate) fn studio<T>(request: &Request<T>) -> Result<Studio, Status> {
    request.extensions().get::<Studio>().cloned().ok_or_else(|| of(&Error::Unauthorized))
}

/// Converts an error to a status.
pub(crate) fn of(error: &Error) -> Status {
    let data = error.data();
    let text = |value: &Value| match value {
        Value::String(text) => short(text, METADATA),
        other => short(&other.to_string(), METADATA),
    };
    let metadata = data.iter().filter(|(_, value)| !value.is_null()).map(|(name, value)| (name.clone(), text(value)));
    let metadata: HashMap<_, _> = metadata.collect();
    let mut details = ErrorDetails::with_error_info(error.code().to_uppercase(), DOMAIN, metadata);
    if let Some(seconds) = data.get("retry_after").and_then(Value::as_u64) {
        details.set_retry_info(Some(Duration::from_secs(seconds)));
    }
    if let Error::BadRequest { path, message } | Error::BadMaterial { path, message } = error {
        details.add_bad_request_violation(path, short(message, METADATA));
    }
    Status::with_error_details(code(error.kind()), short(&error.to_string(), MESSAGE), details)
}

/// Returns the code of an error kind: caused by the caller, retryable, or internal.
fn code(kind: ErrorKind) -> Code {
    match kind {
        ErrorKind::Unauthenticated => Code::Unauthenticated,
        ErrorKind::Forbidden => Code::PermissionDenied,
        ErrorKind::NotFound => Code::NotFound,
        ErrorKind::Input | ErrorKind::TooLong => Code::InvalidArgument,
        ErrorKind::Conflict => Code::Aborted,
        ErrorKind::State | ErrorKind::Refused | ErrorKind::Setup | ErrorKind::Account => Code::FailedPrecondition,
        ErrorKind::Limit | ErrorKind::Budget | ErrorKind::DiskFull => Code::ResourceExhausted,
        ErrorKind::Provider | ErrorKind::Unavailable => Code::Unavailable,
        ErrorKind::Damaged => Code::DataLoss,
        ErrorKind::Step | ErrorKind::Storage | ErrorKind::Internal => Code::Internal,
    }
}

/// Truncates a text to a number of characters.
fn short(text: &str, most: usize) -> String {
    match text.char_indices().nth(most) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use qingyu_studio::{Noun, ProviderFailure};

    use super::*;

    #[test]
    fn every_kind_of_failure_has_its_status() {
        let given = || "p-1".to_owned();
        let run = || "r-1".to_owned();
        let busy =
            Error::Provider(ProviderFailure::Busy { model: "m".into(), message: "wait".into(), retry_after: Some(7) });
        for (error, code, reason) in [
            (Error::Unauthorized, Code::Unauthenticated, "UNAUTHORIZED"),
            (Error::Forbidden { needed: "write".into() }, Code::PermissionDenied, "FORBIDDEN"),
            (Error::unknown(Noun::Project, given()), Code::NotFound, "UNKNOWN_PROJECT"),
            (Error::ThreadBusy { run: run() }, Code::Aborted, "THREAD_BUSY"),
            (
                Error::NothingToResume { run: run(), project: "p-1".into() },
                Code::FailedPrecondition,
                "NOTHING_TO_RESUME",
            ),
            (Error::RequirementEmpty, Code::InvalidArgument, "REQUIREMENT_EMPTY"),
            (Error::Budget { message: "no".into(), overdraft: None }, Code::ResourceExhausted, "BUDGET"),
            (busy, Code::ResourceExhausted, "PROVIDER_BUSY"),
            (Error::Internal { message: "no".into() }, Code::Internal, "INTERNAL"),
        ] {
            let status = of(&error);
            let details = status.get_error_details();
            let info = details.error_info().unwrap();
            assert_eq!((status.code(), &*info.reason, &*info.domain), (code, reason, "qingyu"));
        }
    }

    #[test]
    fn details_say_which_field_is_wrong_and_when_to_come_again() {
        let busy =
            Error::Provider(ProviderFailure::Busy { model: "m".into(), message: "wait".into(), retry_after: Some(7) });
        let details = of(&busy).get_error_details();
        assert_eq!(details.retry_info().unwrap().retry_delay, Some(Duration::from_secs(7)));
        let bad = Error::BadRequest { path: "request.limit".into(), message: "too many".into() };
        let details = of(&bad).get_error_details();
        assert_eq!(details.bad_request().unwrap().field_violations[0].field, "request.limit");
        assert_eq!(details.error_info().unwrap().metadata["path"], "request.limit");
    }

    #[test]
    fn details_fit_into_a_header() {
        let matches = (0..4_000).map(|number| format!("r-{number}")).collect();
        let status = of(&Error::Ambiguous { given: "长".repeat(10_000), matches });
        assert!(status.details().len() < 4_096, "{}", status.details().len());
        assert!(status.message().chars().count() <= MESSAGE + 1);
    }
}
