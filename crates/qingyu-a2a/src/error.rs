//! Errors of the protocol: mappings from the studio's error kinds, to HTTP and to gRPC.

use std::collections::HashMap;

use a2a::{A2AError, TypedDetail, error_code, errordetails};
use qingyu_studio::{Error, ErrorKind};
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, StatusExt};

/// The domain of reasons not defined by the protocol.
const DOMAIN: &str = "qingyu";

/// The caller is not authorized. The protocol leaves the mapping to the binding: 403, `PERMISSION_DENIED`.
pub(crate) const FORBIDDEN: i32 = -32041;
/// A limit or budget is exhausted: 429, `RESOURCE_EXHAUSTED`.
pub(crate) const EXHAUSTED: i32 = -32042;
/// The caller is not authenticated: 401, `UNAUTHENTICATED`.
pub(crate) const UNAUTHENTICATED: i32 = -32040;

/// Returns the protocol's code for an error kind of the studio; a run is a task of the protocol.
fn code(kind: ErrorKind, own: &str) -> i32 {
    match kind {
        ErrorKind::NotFound if own == "unknown_run" => error_code::TASK_NOT_FOUND,
        ErrorKind::NotFound | ErrorKind::Input | ErrorKind::TooLong => error_code::INVALID_PARAMS,
        ErrorKind::Conflict | ErrorKind::State | ErrorKind::Refused => error_code::UNSUPPORTED_OPERATION,
        ErrorKind::Unauthenticated => UNAUTHENTICATED,
        ErrorKind::Forbidden => FORBIDDEN,
        ErrorKind::Limit | ErrorKind::Budget | ErrorKind::Unavailable => EXHAUSTED,
        ErrorKind::Setup
        | ErrorKind::Account
        | ErrorKind::Provider
        | ErrorKind::Step
        | ErrorKind::DiskFull
        | ErrorKind::Storage
        | ErrorKind::Damaged
        | ErrorKind::Internal => error_code::INTERNAL_ERROR,
    }
}

/// Returns whether a failure's message contains details of the machine, for logs only.
fn is_private(code: &str) -> bool {
    ErrorKind::of_code(code).is_of_the_machine() || matches!(code, "database_busy" | "bad_settings")
}

/// Returns the message of a failure shown to remote callers.
pub(crate) fn public_message(code: &str, message: &str) -> String {
    if is_private(code) { format!("the server failed ({code})") } else { message.to_owned() }
}

/// Converts an error of the studio, with the studio's code in the details.
pub(crate) fn of_studio(error: &Error) -> A2AError {
    let own = error.code();
    if is_private(own) {
        tracing::error!(%error, "a request failed");
    }
    let message = public_message(own, &error.to_string());
    let mut metadata = HashMap::from([("code".to_owned(), own.to_owned())]);
    if let Some(seconds) = error.data().get("retry_after").and_then(serde_json::Value::as_u64) {
        metadata.insert("retryAfter".to_owned(), seconds.to_string());
    }
    let code = code(error.kind(), own);
    let (reason, domain) = reason(code);
    let info = TypedDetail::error_info(reason, domain, Some(metadata));
    A2AError::new(code, message).with_details(vec![info])
}

/// Returns the HTTP status of an error.
pub(crate) fn http_status(error: &A2AError) -> http::StatusCode {
    match error.code {
        UNAUTHENTICATED => http::StatusCode::UNAUTHORIZED,
        FORBIDDEN => http::StatusCode::FORBIDDEN,
        EXHAUSTED => http::StatusCode::TOO_MANY_REQUESTS,
        _ => http::StatusCode::from_u16(error.http_status_code()).unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// Returns the gRPC status of an error, with details.
pub(crate) fn grpc_status(error: &A2AError) -> Status {
    let (reason, domain) = reason(error.code);
    let details = ErrorDetails::with_error_info(reason, domain, metadata(error));
    Status::with_error_details(grpc_code(error.code), &error.message, details)
}

/// Maps an error code of the protocol, or one of ours, to the code of a gRPC status; `Unknown` for any other.
/// <https://a2a-protocol.org/latest/specification/#54-error-code-mappings>
fn grpc_code(code: i32) -> Code {
    match code {
        UNAUTHENTICATED => Code::Unauthenticated,
        FORBIDDEN => Code::PermissionDenied,
        EXHAUSTED => Code::ResourceExhausted,
        error_code::TASK_NOT_FOUND => Code::NotFound,
        error_code::TASK_NOT_CANCELABLE
        | error_code::PUSH_NOTIFICATION_NOT_SUPPORTED
        | error_code::UNSUPPORTED_OPERATION
        | error_code::EXTENDED_CARD_NOT_CONFIGURED
        | error_code::EXTENSION_SUPPORT_REQUIRED
        | error_code::VERSION_NOT_SUPPORTED => Code::FailedPrecondition,
        error_code::CONTENT_TYPE_NOT_SUPPORTED
        | error_code::PARSE_ERROR
        | error_code::INVALID_REQUEST
        | error_code::INVALID_PARAMS => Code::InvalidArgument,
        error_code::METHOD_NOT_FOUND => Code::Unimplemented,
        error_code::INVALID_AGENT_RESPONSE | error_code::INTERNAL_ERROR => Code::Internal,
        _ => Code::Unknown,
    }
}

/// Returns the reason of an error, as named by every binding, and its domain.
pub(crate) fn reason(code: i32) -> (&'static str, &'static str) {
    match code {
        UNAUTHENTICATED => ("UNAUTHENTICATED", DOMAIN),
        FORBIDDEN => ("PERMISSION_DENIED", DOMAIN),
        EXHAUSTED => ("RESOURCE_EXHAUSTED", DOMAIN),
        code => (a2a::error_reason(code), errordetails::PROTOCOL_DOMAIN),
    }
}

/// Returns the metadata of an error.
pub(crate) fn metadata(error: &A2AError) -> HashMap<String, String> {
    let details = error.details.iter().flatten();
    let fields = details.filter_map(|detail| detail.value.get("metadata")?.as_object()).flatten();
    fields.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned()))).collect()
}

/// Returns the name of an error's gRPC status, used in HTTP bodies.
pub(crate) fn status_name(error: &A2AError) -> &'static str {
    match grpc_status(error).code() {
        Code::NotFound => "NOT_FOUND",
        Code::FailedPrecondition => "FAILED_PRECONDITION",
        Code::InvalidArgument => "INVALID_ARGUMENT",
        Code::Unimplemented => "UNIMPLEMENTED",
        Code::Unauthenticated => "UNAUTHENTICATED",
        Code::PermissionDenied => "PERMISSION_DENIED",
        Code::ResourceExhausted => "RESOURCE_EXHAUSTED",
        _ => "INTERNAL",
    }
}

/// Returns an error about a missing or invalid value in the request.
pub(crate) fn invalid(message: impl Into<String>) -> A2AError {
    A2AError::invalid_params(message)
}

#[cfg(test)]
mod tests {
    use qingyu_studio::Noun;

    use super::*;

    #[test]
    fn every_failure_has_its_place_in_each_binding() {
        let internal = Error::Internal { message: "/home/somebody".into() };
        let cases = [
            (Error::unknown(Noun::Run, "r"), error_code::TASK_NOT_FOUND, 404, Code::NotFound),
            (Error::ThreadBusy { run: "r".into() }, error_code::UNSUPPORTED_OPERATION, 400, Code::FailedPrecondition),
            (Error::Forbidden { needed: "write".into() }, FORBIDDEN, 403, Code::PermissionDenied),
            (Error::RequirementEmpty, error_code::INVALID_PARAMS, 400, Code::InvalidArgument),
            (internal, error_code::INTERNAL_ERROR, 500, Code::Internal),
        ];
        for (error, code, status, grpc) in cases {
            let told = of_studio(&error);
            assert_eq!((told.code, http_status(&told).as_u16(), grpc_status(&told).code()), (code, status, grpc));
            assert!(!told.message.contains("/home"), "{}", told.message);
            let info = &told.details.as_ref().unwrap()[0];
            assert_eq!(info.value["metadata"]["code"], error.code());
        }
    }

    #[test]
    fn every_code_of_the_protocol_has_its_grpc_code() {
        for (code, expected) in [
            (-32001, Code::NotFound),
            (-32002, Code::FailedPrecondition),
            (-32003, Code::FailedPrecondition),
            (-32004, Code::FailedPrecondition),
            (-32005, Code::InvalidArgument),
            (-32006, Code::Internal),
            (-32007, Code::FailedPrecondition),
            (-32008, Code::FailedPrecondition),
            (-32009, Code::FailedPrecondition),
            (-32040, Code::Unauthenticated),
            (-32041, Code::PermissionDenied),
            (-32042, Code::ResourceExhausted),
            (-32600, Code::InvalidArgument),
            (-32601, Code::Unimplemented),
            (-32602, Code::InvalidArgument),
            (-32603, Code::Internal),
            (-32700, Code::InvalidArgument),
            (-1, Code::Unknown),
        ] {
            assert_eq!(grpc_code(code), expected, "{code}");
        }
    }
}
