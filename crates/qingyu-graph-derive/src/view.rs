//! Generates the views of a state: the input of a run, and the output for the caller.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::{DeriveInput, Ident};

use crate::channel::{ChannelField, Reducer};

/// Generates the struct of the input channels, which converts to an update; `None` if no channel is marked.
pub(crate) fn input(state: &DeriveInput, update: &Ident, channels: &[ChannelField<'_>]) -> Option<TokenStream> {
    let channels = marked(channels, |channel| channel.is_input)?;
    let ident = format_ident!("{}Input", state.ident);
    let doc = format!("What a run of [`{}`] is given; as an update it writes every one of its fields.", state.ident);
    let view = view(state, &ident, &doc, &quote! { default, deny_unknown_fields, }, &channels);
    let names = names(&channels);
    let state = &state.ident;
    // A channel with a reducer starts empty: otherwise the default of the state would be added to itself.
    let defaults = channels.iter().map(|ChannelField { name, reducer, .. }| match reducer {
        Reducer::Last => quote! { <#state as ::core::default::Default>::default().#name },
        Reducer::Append | Reducer::Merge | Reducer::Reduce(_) => quote! { ::core::default::Default::default() },
    });
    Some(quote! {
        #view

        impl ::core::default::Default for #ident {
            fn default() -> Self {
                Self { #(#names: #defaults,)* }
            }
        }

        impl ::core::convert::From<#ident> for #update {
            fn from(input: #ident) -> Self {
                #state::update()#(.#names(input.#names))*
            }
        }
    })
}

/// Generates the struct of the output channels, converted from the state; `None` if no channel is marked.
pub(crate) fn output(state: &DeriveInput, channels: &[ChannelField<'_>]) -> Option<TokenStream> {
    let channels = marked(channels, |channel| channel.is_output)?;
    let ident = format_ident!("{}Output", state.ident);
    let doc = format!("What the caller of a run of [`{}`] sees of it.", state.ident);
    let view = view(state, &ident, &doc, &TokenStream::new(), &channels);
    let names = names(&channels);
    let state = &state.ident;
    Some(quote! {
        #view

        impl ::core::convert::From<#state> for #ident {
            fn from(state: #state) -> Self {
                Self { #(#names: state.#names,)* }
            }
        }
    })
}

fn view(
    state: &DeriveInput,
    ident: &Ident,
    doc: &str,
    serde: &TokenStream,
    channels: &[&ChannelField<'_>],
) -> TokenStream {
    // The fields have the visibility of the struct.
    let vis = &state.vis;
    let fields = channels.iter().map(|ChannelField { name, kind, docs, .. }| {
        let standard = docs.is_empty().then(|| format!("The channel `{name}`.")).into_iter();
        quote! { #(#docs)* #(#[doc = #standard])* #vis #name: #kind }
    });
    quote! {
        #[doc = #doc]
        #[derive(
            Debug,
            Clone,
            ::qingyu_graph::__private::serde::Serialize,
            ::qingyu_graph::__private::serde::Deserialize,
        )]
        #[serde(#serde crate = "::qingyu_graph::__private::serde")]
        #vis struct #ident {
            #(#fields,)*
        }
    }
}

fn marked<'a, 'b>(
    channels: &'a [ChannelField<'b>],
    is_marked: impl Fn(&ChannelField<'_>) -> bool,
) -> Option<Vec<&'a ChannelField<'b>>> {
    let marked: Vec<_> = channels.iter().filter(|channel| is_marked(channel)).collect();
    (!marked.is_empty()).then_some(marked)
}

fn names<'a>(channels: &[&ChannelField<'a>]) -> Vec<&'a Ident> {
    channels.iter().map(|channel| channel.name).collect()
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    use crate::expand;

    fn code(input: &syn::DeriveInput) -> String {
        expand::state(input).expect("it expands").to_string().replace(' ', "")
    }

    #[test]
    fn a_state_without_marks_has_no_views() {
        let code = code(&parse_quote! { struct Draft { topic: String } });
        assert!(!code.contains("DraftInput") && !code.contains("DraftOutput"), "{code}");
    }

    #[test]
    fn a_view_has_the_marked_fields_and_the_visibility_of_the_state() {
        let code = code(&parse_quote! {
            pub(crate) struct Draft {
                /// The subject of the draft.
                #[channel(input)]
                topic: String,
                #[channel(append, input, output)]
                notes: Vec<u8>,
                secret: u8,
            }
        });
        let topic = "#[doc=r\"Thesubjectofthedraft.\"]pub(crate)topic:String,";
        let notes = "#[doc=\"Thechannel`notes`.\"]pub(crate)notes:Vec<u8>,";
        assert!(code.contains(&format!("pub(crate)structDraftInput{{{topic}{notes}}}")), "{code}");
        assert!(code.contains(&format!("pub(crate)structDraftOutput{{{notes}}}")), "{code}");
    }
}
