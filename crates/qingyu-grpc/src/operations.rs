//! All operations, by name.

use std::sync::Arc;

use qingyu_studio::Error;
use qingyu_studio::operations::{self, OperationDescription};
use schemars::SchemaGenerator;
use serde_json::{Value, json};
use tonic::{Request, Response, Status};

use crate::proto::operation_service_server::OperationService;
use crate::proto::*;
use crate::{status, value};

/// The service calling operations by name.
#[derive(Debug, Clone)]
pub(crate) struct OperationsRpc {
    all: Arc<[OperationDescription]>,
}

impl OperationsRpc {
    pub(crate) fn new() -> Self {
        Self { all: operations::all().into() }
    }
}

/// Returns an operation with self-contained schemas, including the referenced definitions.
fn described(operation: &OperationDescription) -> Operation {
    let mut generator = SchemaGenerator::default();
    let arguments = (operation.input)(&mut generator);
    let arguments = with_definitions(arguments.to_value(), &mut generator);
    let mut generator = SchemaGenerator::default();
    let result = (operation.output)(&mut generator);
    let result = with_definitions(result.to_value(), &mut generator);
    Operation {
        name: operation.name.into(),
        about: operation.about.trim().into(),
        right: operation.right.name().into(),
        arguments: Some(value::document(&arguments)),
        result: Some(value::document(&result)),
    }
}

fn with_definitions(schema: Value, generator: &mut SchemaGenerator) -> Value {
    let mut whole = match schema {
        Value::Object(_) => schema,
        other => json!({"allOf": [other]}),
    };
    let definitions = generator.take_definitions(true);
    if !definitions.is_empty() {
        whole["$defs"] = Value::Object(definitions);
    }
    whole
}

#[tonic::async_trait]
impl OperationService for OperationsRpc {
    async fn list_operations(
        &self,
        request: Request<ListOperationsRequest>,
    ) -> Result<Response<ListOperationsResponse>, Status> {
        status::studio(&request)?;
        Ok(Response::new(ListOperationsResponse { operations: self.all.iter().map(described).collect() }))
    }

    async fn call_operation(
        &self,
        request: Request<CallOperationRequest>,
    ) -> Result<Response<CallOperationResponse>, Status> {
        let studio = status::studio(&request)?;
        let CallOperationRequest { name, arguments } = request.into_inner();
        let Some(operation) = self.all.iter().find(|operation| operation.name == name) else {
            let message = format!("there is no operation {name:?}");
            return Err(status::of(&Error::BadRequest { path: "name".into(), message }));
        };
        let arguments = value::object_from_wire(arguments.unwrap_or_default());
        let result = operation.call(studio, arguments).await.map_err(|error| status::of(&error))?;
        Ok(Response::new(CallOperationResponse { result: Some(value::to_wire(result)) }))
    }
}
