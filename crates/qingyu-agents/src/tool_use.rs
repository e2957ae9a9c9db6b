//! The loop of an agent with tools: the model is called, its tool calls are executed, the results are appended, until
//! the model answers in text.
//!
//! Consecutive read-only calls of one answer run concurrently; writes run one after the other. Inside a run of the
//! engine every round and call is a stored step; elsewhere the loop's state is lost with its caller.
//!
//! A failed tool call is data for the model and never ends the loop. The output of foreign tools is untrusted: it is
//! enclosed in a fence it cannot close, and the system message says to ignore instructions inside the fence.
//!
//! `tool_loop` has the loop; `hands` above it runs it as stored steps of the engine.

mod hands;
mod tool_loop;

pub(crate) use hands::{AgentTools, LoopError, named, used};
pub(crate) use tool_loop::{Limits, read};
