//! The derive macro of qingyu-graph.
//!
//! `#[derive(State)]` turns a plain struct into a graph's state: every field is a channel with a reducer. The macro
//! generates the type of a partial update, with one setter per field, and the code that folds updates into the state.
//!
//! A setter has the visibility of the state; the setters of a field restricted by `pub(crate)` or `pub(in …)` have that
//! of the field.
//!
//! The attributes of a field define the reducer, the storage, and the views that contain the field; attributes may be
//! combined.
//!
//! | attribute | a write | two writes in one superstep |
//! |---|---|---|
//! | none | replaces the value | refused |
//! | `#[channel(append)]` | extends a list | both, in declaration order of the nodes |
//! | `#[channel(merge)]` | extends a map | both, the later wins |
//! | `#[channel(reduce = path)]` | `path(old, new)` | both, in declaration order of the nodes |
//! | `#[channel(untracked)]` | as above, never stored | as above |
//! | `#[channel(input)]` | as above; in the input view | as above |
//! | `#[channel(output)]` | as above; in the output view | as above |
//!
//! For a state `Draft` with fields marked `input` the macro generates a struct `DraftInput` of just these fields: the
//! input of a run, which converts to a `DraftUpdate` that writes all of them. With fields marked `output` the macro
//! generates a `DraftOutput`, converted from a `Draft`: the result for the caller of a run. A field with neither mark
//! is private to the nodes. Both views can be serialized to JSON and deserialized; in an input a missing field has the
//! default of the state (or is empty, with a reducer), and an unknown field is refused.

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
