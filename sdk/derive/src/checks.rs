//! Checks of declarations that run when the crate of a model is compiled.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use syn::Field;
use syn::spanned::Spanned;

use crate::attributes::Words;

/// Returns the checks of the declaration `desc` that run when the crate is compiled. Each of them
/// reports its error where its call is written, so the calls have the spans of range, default and
/// field.
pub fn checks(field: &Field, words: &Words) -> syn::Result<TokenStream> {
    let range = words.value("range")?.or(words.value("above")?).or(words.value("below")?);
    let in_words = range_in_words(words)?;
    let range = range.map(|range| {
        quote_spanned! { range.span() => ::simhost_sdk::checks::range(&desc, #in_words); }
    });
    let ty = &field.ty;
    let span = field.ident.span();
    let value = match words.value("default")? {
        Some(default) => {
            let written = source(default);
            quote_spanned! { default.span() =>
                ::simhost_sdk::checks::default(&desc, #written, #in_words);
            }
        }
        None => quote_spanned! { span =>
            if <#ty as ::simhost_sdk::ParamValue>::ZERO_IF_ABSENT {
                ::simhost_sdk::checks::implicit_zero(&desc, #in_words);
            }
        },
    };
    let group = quote_spanned! { span => ::simhost_sdk::lanes::no_group(&desc); };
    Ok(quote! { #range #value #group })
}

/// Returns an expression as authors write it, without the spaces between its tokens.
fn source(value: &impl ToTokens) -> String {
    let spaced = value.to_token_stream().to_string();
    let tight = [(" ..", ".."), ("..= ", "..="), (".. ", ".."), ("- ", "-"), (" ,", ",")];
    tight.iter().fold(spaced, |text, (from, to)| text.replace(from, to))
}

/// Returns the valid range of a parameter as it is written.
fn range_in_words(words: &Words) -> syn::Result<String> {
    let mut parts = Vec::new();
    for (option, meaning) in [("range", ""), ("above", "above "), ("below", "below ")] {
        if let Some(value) = words.value(option)? {
            parts.push(format!("{meaning}{}", source(value)));
        }
    }
    Ok(parts.join(", "))
}
