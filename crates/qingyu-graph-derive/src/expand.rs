//! The code generator.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ext::IdentExt;
use syn::{Data, DeriveInput, Error, Fields, Ident, Result, Visibility};

use crate::channel::{ChannelField, Reducer};
use crate::view;

pub(crate) fn state(input: &DeriveInput) -> Result<TokenStream> {
    let channels = channels(input)?;
    let update = format_ident!("{}Update", input.ident);
    let update_struct = update_struct(input, &update, &channels);
    let setters = channels.iter().map(|channel| setter(channel.setter_visibility(&input.vis), channel));
    let implementation = implementation(&input.ident, &update, &channels);
    let vis = &input.vis;
    let state = &input.ident;
    let input_view = view::input(input, &update, &channels);
    let output_view = view::output(input, &channels);
    Ok(quote! {
        #update_struct

        #input_view

        #output_view

        impl #update {
            #(#setters)*
        }

        impl ::qingyu_graph::Update for #update {
            type State = #state;
        }

        impl ::core::convert::From<#update> for ::qingyu_graph::Command<#state> {
            fn from(update: #update) -> Self {
                ::qingyu_graph::Command::update(update)
            }
        }

        impl #state {
            /// Returns an update without writes.
            #vis fn update() -> #update {
                ::core::default::Default::default()
            }
        }

        #implementation
    })
}

fn channels(input: &DeriveInput) -> Result<Vec<ChannelField<'_>>> {
    if !input.generics.params.is_empty() {
        return Err(Error::new_spanned(&input.generics, "a state cannot be generic"));
    }
    let Data::Struct(data) = &input.data else {
        return Err(Error::new_spanned(&input.ident, "a state is a struct with named fields"));
    };
    let Fields::Named(fields) = &data.fields else {
        return Err(Error::new_spanned(&input.ident, "a state is a struct with named fields"));
    };
    fields.named.iter().map(ChannelField::read).collect()
}

fn update_struct(input: &DeriveInput, update: &Ident, channels: &[ChannelField<'_>]) -> TokenStream {
    let vis = &input.vis;
    let doc = format!("A partial update of [`{}`]: what one node writes.", input.ident);
    let slots = channels.iter().map(|ChannelField { name, kind, tracked, .. }| {
        let stored = if *tracked {
            quote! { #[serde(default, skip_serializing_if = "Option::is_none")] }
        } else {
            quote! { #[serde(skip)] }
        };
        quote! { #stored #name: ::core::option::Option<::qingyu_graph::Write<#kind>> }
    });
    quote! {
        #[doc = #doc]
        #[derive(
            Debug,
            Clone,
            Default,
            ::qingyu_graph::__private::serde::Serialize,
            ::qingyu_graph::__private::serde::Deserialize,
        )]
        #[serde(crate = "::qingyu_graph::__private::serde")]
        #vis struct #update {
            #(#slots,)*
        }
    }
}

fn setter(vis: &Visibility, channel: &ChannelField<'_>) -> TokenStream {
    let ChannelField { name, kind, reducer, .. } = channel;
    let (doc, write) = match reducer {
        Reducer::Last => (
            format!("Replaces `{name}`."),
            quote! { self.#name = ::core::option::Option::Some(::qingyu_graph::Write::Set(value)); },
        ),
        Reducer::Append | Reducer::Merge => {
            (format!("Adds to `{name}`."), quote! { ::qingyu_graph::__private::add(&mut self.#name, value); })
        }
        Reducer::Reduce(_) => (
            format!("Contributes to `{name}`; a second call replaces the first."),
            quote! { self.#name = ::core::option::Option::Some(::qingyu_graph::Write::Add(value)); },
        ),
    };
    let setter = quote! {
        #[doc = #doc]
        #[must_use]
        #vis fn #name(mut self, value: #kind) -> Self {
            #write
            self
        }
    };
    if matches!(reducer, Reducer::Last) {
        return setter;
    }
    let overwrite = format_ident!("overwrite_{name}");
    let doc = format!("Replaces `{name}`, bypassing its reducer.");
    quote! {
        #setter
        #[doc = #doc]
        #[must_use]
        #vis fn #overwrite(mut self, value: #kind) -> Self {
            self.#name = ::core::option::Option::Some(::qingyu_graph::Write::Set(value));
            self
        }
    }
}

fn implementation(state: &Ident, update: &Ident, channels: &[ChannelField<'_>]) -> TokenStream {
    let table = channels.iter().map(table_row);
    let folds = channels.iter().map(fold);
    let tracked: Vec<_> = channels.iter().filter(|channel| channel.tracked).collect();
    let names: Vec<_> = tracked.iter().map(|channel| channel.name).collect();
    let keys: Vec<_> = names.iter().map(|name| name.unraw().to_string()).collect();
    quote! {
        impl ::qingyu_graph::State for #state {
            type Update = #update;

            const CHANNELS: &'static [::qingyu_graph::StateChannel] = &[#(#table),*];

            fn fold(
                &mut self,
                mut updates: ::std::vec::Vec<(::std::sync::Arc<str>, #update)>,
                mut delta: ::core::option::Option<&mut ::qingyu_graph::Delta>,
            ) -> ::core::result::Result<(), ::qingyu_graph::Error> {
                #(#folds)*
                ::core::result::Result::Ok(())
            }

            fn encode(&self) -> ::core::result::Result<::qingyu_graph::Values, ::qingyu_graph::Error> {
                let mut values = ::qingyu_graph::Values::new();
                #(::qingyu_graph::__private::encode(&mut values, #keys, &self.#names)?;)*
                ::core::result::Result::Ok(values)
            }

            fn decode(
                mut values: ::qingyu_graph::Values,
            ) -> ::core::result::Result<Self, ::qingyu_graph::Error> {
                let mut state = <Self as ::core::default::Default>::default();
                #(::qingyu_graph::__private::decode(&mut values, #keys, &mut state.#names)?;)*
                ::core::result::Result::Ok(state)
            }
        }
    }
}

fn table_row(channel: &ChannelField<'_>) -> TokenStream {
    let ChannelField { name, kind, reducer, tracked, .. } = channel;
    let name = name.unraw().to_string();
    let value = quote!(#kind).to_string().replace(' ', "");
    let reducer = match reducer {
        Reducer::Last => "last".to_owned(),
        Reducer::Append => "append".to_owned(),
        Reducer::Merge => "merge".to_owned(),
        Reducer::Reduce(path) => format!("reduce={}", quote!(#path).to_string().replace(' ', "")),
    };
    quote! { ::qingyu_graph::StateChannel { name: #name, value: #value, reducer: #reducer, tracked: #tracked } }
}

fn fold(channel: &ChannelField<'_>) -> TokenStream {
    let ChannelField { name, reducer, tracked, .. } = channel;
    let key = name.unraw().to_string();
    let writes = quote! { updates.iter_mut().map(|(writer, update)| (&*writer, update.#name.take())) };
    let delta = if *tracked {
        quote! { delta.as_deref_mut() }
    } else {
        quote! { ::core::option::Option::None }
    };
    match reducer {
        Reducer::Last => {
            quote! { ::qingyu_graph::__private::last(&mut self.#name, #key, #writes, #delta)?; }
        }
        Reducer::Append | Reducer::Merge => {
            quote! { ::qingyu_graph::__private::extend(&mut self.#name, #key, #writes, #delta)?; }
        }
        Reducer::Reduce(path) => {
            quote! { ::qingyu_graph::__private::reduce(&mut self.#name, #key, #path, #writes, #delta)?; }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use syn::parse_quote;

    fn error(input: &DeriveInput) -> String {
        state(input).expect_err("it must not expand").to_string()
    }

    #[test]
    fn what_is_not_a_plain_struct_is_refused() {
        assert_eq!(error(&parse_quote! { enum Draft { A } }), "a state is a struct with named fields");
        assert_eq!(error(&parse_quote! { struct Draft(String); }), "a state is a struct with named fields");
        assert_eq!(error(&parse_quote! { struct Draft<T> { text: T } }), "a state cannot be generic");
    }

    #[test]
    fn attributes_are_checked() {
        let unknown = "expected `append`, `merge`, `reduce = function`, `untracked`, `input` or `output`";
        assert_eq!(error(&parse_quote! { struct Draft { #[channel(sum)] words: u32 } }), unknown);
        let twice = "a channel has one reducer";
        assert_eq!(error(&parse_quote! { struct Draft { #[channel(append, merge)] notes: Vec<u32> } }), twice);
        assert!(state(&parse_quote! { struct Draft { #[channel(untracked, append)] notes: Vec<u32> } }).is_ok());
        assert!(state(&parse_quote! { struct Draft { #[channel(reduce)] words: u32 } }).is_err());
        assert!(state(&parse_quote! { struct Draft { #[channel(input = 1)] words: u32 } }).is_err());
    }

    #[test]
    fn a_mistake_is_shown_where_it_stands() {
        let input =
            syn::parse_str("struct Draft {\n    #[channel(input, ouput)]\n    words: u32,\n}").expect("it is Rust");
        let error = state(&input).expect_err("it must not expand");
        let (start, end) = (error.span().start(), error.span().end());
        assert_eq!((start.line, start.column, end.column), (2, 21, 26));
    }

    #[test]
    fn setters_have_the_visibility_of_the_state_or_of_a_restricted_field() {
        let code = state(&parse_quote! {
            pub struct Draft {
                pub topic: String,
                #[channel(append)]
                pub(crate) notes: Vec<u8>,
                words: u32,
            }
        });
        let code = code.expect("it expands").to_string().replace(' ', "");
        for setter in ["pubfntopic(", "pub(crate)fnnotes(", "pub(crate)fnoverwrite_notes(", "pubfnwords("] {
            assert!(code.contains(setter), "{setter} in {code}");
        }
    }

    #[test]
    fn a_raw_name_is_stored_without_its_prefix() {
        let code = state(&parse_quote! { struct Draft { r#type: String } }).expect("it expands").to_string();
        assert!(code.contains("name : \"type\""), "{code}");
    }
}
