//! Parses a field and its `#[channel(..)]` attributes.

use syn::{Attribute, Error, Field, Ident, Path, Result, Type, Visibility};

/// A field of the state.
pub(crate) struct ChannelField<'a> {
    pub(crate) name: &'a Ident,
    pub(crate) vis: &'a Visibility,
    pub(crate) kind: &'a Type,
    pub(crate) reducer: Reducer,
    pub(crate) tracked: bool,
    /// Whether the field is in the input view.
    pub(crate) is_input: bool,
    /// Whether the field is in the output view.
    pub(crate) is_output: bool,
    /// The doc comments of the field.
    pub(crate) docs: Vec<&'a Attribute>,
}

/// The reducer of several writes to one value.
pub(crate) enum Reducer {
    Last,
    Append,
    Merge,
    Reduce(Path),
}

impl<'a> ChannelField<'a> {
    pub(crate) fn read(field: &'a Field) -> Result<Self> {
        let name = field.ident.as_ref().ok_or_else(|| Error::new_spanned(field, "a state has named fields"))?;
        let mut channel = Self {
            name,
            vis: &field.vis,
            kind: &field.ty,
            reducer: Reducer::Last,
            tracked: true,
            is_input: false,
            is_output: false,
            docs: field.attrs.iter().filter(|attribute| attribute.path().is_ident("doc")).collect(),
        };
        for attribute in field.attrs.iter().filter(|attribute| attribute.path().is_ident("channel")) {
            attribute.parse_nested_meta(|meta| {
                let reducer = if meta.path.is_ident("untracked") {
                    channel.tracked = false;
                    return Ok(());
                } else if meta.path.is_ident("input") {
                    channel.is_input = true;
                    return Ok(());
                } else if meta.path.is_ident("output") {
                    channel.is_output = true;
                    return Ok(());
                } else if meta.path.is_ident("append") {
                    Reducer::Append
                } else if meta.path.is_ident("merge") {
                    Reducer::Merge
                } else if meta.path.is_ident("reduce") {
                    Reducer::Reduce(meta.value()?.parse()?)
                } else {
                    return Err(
                        meta.error("expected `append`, `merge`, `reduce = function`, `untracked`, `input` or `output`")
                    );
                };
                if !matches!(channel.reducer, Reducer::Last) {
                    return Err(meta.error("a channel has one reducer"));
                }
                channel.reducer = reducer;
                Ok(())
            })?;
        }
        Ok(channel)
    }

    /// Returns the visibility of the setters: that of a restricted field, such as `pub(crate)`, or else of the state.
    pub(crate) fn setter_visibility<'v>(&'v self, state: &'v Visibility) -> &'v Visibility {
        if matches!(self.vis, Visibility::Restricted(_)) { self.vis } else { state }
    }
}
