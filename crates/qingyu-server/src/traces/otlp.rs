//! The OTLP messages in JSON needed for traces of runs.
//!
//! <https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding>: ids are hexadecimal, integers of 64 bits are
//! decimal strings, enumerations are numbers.

use std::fmt::Display;

use qingyu_story::digest::hexadecimal;
use serde::{Serialize, Serializer};

/// The body of a request to `/v1/traces`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OtlpExportRequest<'a> {
    resource_spans: [ResourceSpans<'a>; 1],
}

impl<'a> OtlpExportRequest<'a> {
    pub(super) fn new(resource: &'a Resource, spans: &'a [OtlpSpan]) -> Self {
        let scope_spans = [ScopeSpans { scope: OtlpScope { name: "qingyu" }, spans }];
        Self { resource_spans: [ResourceSpans { resource, scope_spans }] }
    }
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct ResourceSpans<'a> {
    resource: &'a Resource,
    scope_spans: [ScopeSpans<'a>; 1],
}

#[derive(Debug, Serialize)]
struct ScopeSpans<'a> {
    scope: OtlpScope,
    spans: &'a [OtlpSpan],
}

#[derive(Debug, Serialize)]
struct OtlpScope {
    name: &'static str,
}

/// The process emitting the spans.
#[derive(Debug, Serialize)]
pub(super) struct Resource {
    pub(super) attributes: Vec<KeyValue>,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct OtlpSpan {
    pub(super) trace_id: Id<16>,
    pub(super) span_id: Id<8>,
    /// `None` for the root of a trace.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) parent_span_id: Option<Id<8>>,
    pub(super) name: String,
    pub(super) kind: SpanKind,
    #[serde(serialize_with = "decimal")]
    pub(super) start_time_unix_nano: u64,
    #[serde(serialize_with = "decimal")]
    pub(super) end_time_unix_nano: u64,
    pub(super) attributes: Vec<KeyValue>,
    /// `None` unless failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) status: Option<OtlpStatus>,
}

/// An id of `N` bytes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Id<const N: usize>(pub(super) [u8; N]);

impl<const N: usize> Serialize for Id<N> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&hexadecimal(&self.0))
    }
}

#[derive(Debug, Serialize)]
pub(super) struct SpanKind(u8);

impl SpanKind {
    pub(super) const INTERNAL: Self = Self(1);
    pub(super) const CLIENT: Self = Self(3);
}

#[derive(Debug, Serialize)]
pub(super) struct OtlpStatus {
    pub(super) message: String,
    pub(super) code: StatusCode,
}

#[derive(Debug, Serialize)]
pub(super) struct StatusCode(u8);

impl StatusCode {
    pub(super) const ERROR: Self = Self(2);
}

/// An attribute of a span or a resource.
#[derive(Debug, Serialize)]
pub(super) struct KeyValue {
    key: &'static str,
    value: AnyValue,
}

#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
enum AnyValue {
    StringValue(String),
    IntValue(#[serde(serialize_with = "decimal")] u64),
}

impl KeyValue {
    pub(super) fn string(key: &'static str, value: &str) -> Self {
        Self { key, value: AnyValue::StringValue(value.to_owned()) }
    }

    /// Returns an integer attribute; values beyond `i64::MAX`, the protocol's maximum, are clamped.
    pub(super) fn int(key: &'static str, value: u64) -> Self {
        Self { key, value: AnyValue::IntValue(value.min(i64::MAX as u64)) }
    }
}

fn decimal<S: Serializer>(number: &impl Display, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(number)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_request_is_encoded_as_the_protocol_says() {
        let resource = Resource { attributes: vec![KeyValue::string("service.name", "qingyu")] };
        let root = OtlpSpan {
            trace_id: Id([0xab; 16]),
            span_id: Id([0, 1, 2, 3, 4, 5, 6, 0xff]),
            parent_span_id: None,
            name: "run".into(),
            kind: SpanKind::INTERNAL,
            start_time_unix_nano: 1_700_000_000_000_000_001,
            end_time_unix_nano: 1_700_000_000_000_000_002,
            attributes: vec![KeyValue::int("qingyu.attempts", 2), KeyValue::int("most", u64::MAX)],
            status: None,
        };
        let child = OtlpSpan {
            trace_id: Id([0xab; 16]),
            span_id: Id([7; 8]),
            parent_span_id: Some(root.span_id),
            name: "chat".into(),
            kind: SpanKind::CLIENT,
            start_time_unix_nano: 0,
            end_time_unix_nano: 1,
            attributes: Vec::new(),
            status: Some(OtlpStatus { message: "limit".into(), code: StatusCode::ERROR }),
        };
        let encoded = serde_json::to_value(OtlpExportRequest::new(&resource, &[root, child])).unwrap();
        let trace = "abababababababababababababababab";
        let expected = json!({"resourceSpans": [{
            "resource": {"attributes": [{"key": "service.name", "value": {"stringValue": "qingyu"}}]},
            "scopeSpans": [{"scope": {"name": "qingyu"}, "spans": [
                {
                    "traceId": trace, "spanId": "00010203040506ff", "name": "run", "kind": 1,
                    "startTimeUnixNano": "1700000000000000001", "endTimeUnixNano": "1700000000000000002",
                    "attributes": [
                        {"key": "qingyu.attempts", "value": {"intValue": "2"}},
                        {"key": "most", "value": {"intValue": "9223372036854775807"}},
                    ],
                },
                {
                    "traceId": trace, "spanId": "0707070707070707", "parentSpanId": "00010203040506ff",
                    "name": "chat", "kind": 3, "startTimeUnixNano": "0", "endTimeUnixNano": "1", "attributes": [],
                    "status": {"message": "limit", "code": 2},
                },
            ]}],
        }]});
        assert_eq!(encoded, expected);
    }
}
