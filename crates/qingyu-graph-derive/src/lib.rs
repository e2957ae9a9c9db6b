//! The derive macro of qingyu-graph.
//!
//! `#[derive(State)]` turns a plain struct into a graph's state: every field is a channel with a reducer. It generates
//! the type of a partial update, with one setter per field, and the code that folds updates into the state.
//!
//! | attribute | a write | two writes in one superstep |
//! |---|---|---|
//! | none | replaces the value | refused |
//! | `#[channel(append)]` | extends a list | both, in declaration order of the nodes |
//! | `#[channel(merge)]` | extends a map | both, the later wins |
//! | `#[channel(reduce = path)]` | `path(old, new)` | both, in declaration order of the nodes |
//! | `#[channel(untracked)]` | as above, never stored; may stand beside another | as above |

mod channel;
mod expand;

use proc_macro::TokenStream;

/// Derives `State` and generates the update type. See the crate's page for the attributes.
#[proc_macro_derive(State, attributes(channel))]
pub fn derive_state(input: TokenStream) -> TokenStream {
    let input = syn::parse_macro_input!(input as syn::DeriveInput);
    expand::state(&input).unwrap_or_else(|error| error.to_compile_error()).into()
}
