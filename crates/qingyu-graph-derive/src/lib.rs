//! The derive macro of qingyu-graph.
//!
//! `#[derive(State)]` turns a plain struct into a graph's state: every field is a channel with a reducer. It generates
//! the type of a partial update, with one setter per field, and the code that folds updates into the state.
//!
//! The attributes of a field say what a write does, whether it is stored, and who sees the field; they may stand beside
//! one another.
//!
//! | attribute | a write | two writes in one superstep |
//! |---|---|---|
//! | none | replaces the value | refused |
//! | `#[channel(append)]` | extends a list | both, in declaration order of the nodes |
//! | `#[channel(merge)]` | extends a map | both, the later wins |
//! | `#[channel(reduce = path)]` | `path(old, new)` | both, in declaration order of the nodes |
//! | `#[channel(untracked)]` | as above, never stored | as above |
//! | `#[channel(input)]` | as above; it stands in the input view | as above |
//! | `#[channel(output)]` | as above; it stands in the output view | as above |
//!
//! A state `Draft` with fields marked `input` has a struct `DraftInput` of just these fields: what a run is given. It
//! becomes a `DraftUpdate` that writes all of them. With fields marked `output` there is a `DraftOutput`, made from a
//! `Draft`: what the caller of a run sees. A field with neither mark is private to the nodes. Both views can be written
//! and read as JSON; in an input a missing field has the value that the state starts with (or nothing, if it has a
//! reducer), and an unknown field is refused.

mod channel;
mod expand;
mod view;

use proc_macro::TokenStream;

/// Derives `State` and generates the update type. See the crate's page for the attributes.
#[proc_macro_derive(State, attributes(channel))]
pub fn derive_state(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    expand::state(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
