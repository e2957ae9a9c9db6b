//! A producer without models.

use futures::future::BoxFuture;

use crate::ToolError;
use crate::content::{ContentOrder, ProducedContent, Producer};

/// A producer that refuses every order.
#[derive(Debug, Clone, Copy)]
pub struct NoProducer;

impl Producer for NoProducer {
    fn order<'a>(&'a self, _: &'a str, _: ContentOrder) -> BoxFuture<'a, Result<ProducedContent, ToolError>> {
        let message = "no model can be asked here".to_owned();
        Box::pin(async { Err(ToolError::Refused { message }) })
    }
}
