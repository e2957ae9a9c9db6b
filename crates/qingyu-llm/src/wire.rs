//! The two protocols, and the HTTP under them.
//!
//! Deciding is apart from doing. Pure: [`sse`] cuts bytes into events, [`openai`] and [`anthropic`] build bodies and
//! read events, [`assemble`] collects an answer from its pieces, [`think`] parts thinking from text. Doing: [`http`]
//! sends and receives, [`client`] opens models.

mod anthropic;
mod assemble;
mod client;
mod embeddings;
mod http;
mod openai;
mod output;
mod report;
mod sse;
mod stream;
mod think;

pub use client::{Client, Limits};
