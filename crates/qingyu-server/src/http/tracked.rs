//! Bodies tracking how far they were read.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, ready};

use axum::body::{Body, Bytes};
use hyper::body::{Body as HttpBody, Frame, Incoming, SizeHint};

use super::connections::RequestInProgress;

/// The tracked body of a request.
pub(super) struct TrackedRequestBody {
    body: Incoming,
    is_whole: Arc<AtomicBool>,
}

/// A flag set when the body of a request was read to its end.
pub(super) struct BodyReadFlag(Arc<AtomicBool>);

impl TrackedRequestBody {
    pub(super) fn new(body: Incoming) -> (Self, BodyReadFlag) {
        let is_whole = Arc::new(AtomicBool::new(body.is_end_stream()));
        let was_read = BodyReadFlag(Arc::clone(&is_whole));
        (Self { body, is_whole }, was_read)
    }
}

impl BodyReadFlag {
    pub(super) fn is_whole(&self) -> bool {
        self.0.load(Ordering::Acquire)
    }
}

impl HttpBody for TrackedRequestBody {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let frame = ready!(Pin::new(&mut self.body).poll_frame(context));
        if frame.is_none() || self.body.is_end_stream() {
            self.is_whole.store(true, Ordering::Release);
        }
        Poll::Ready(frame)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A response body keeping its connection in use until dropped.
pub(super) struct TrackedResponseBody {
    body: Body,
    _in_use: RequestInProgress,
}

impl TrackedResponseBody {
    pub(super) fn new(body: Body, in_use: RequestInProgress) -> Self {
        Self { body, _in_use: in_use }
    }
}

impl HttpBody for TrackedResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
