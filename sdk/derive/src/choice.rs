//! The derive macro `Choice`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput};

use crate::attributes::Words;

pub fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let Data::Enum(data) = &input.data else {
        return Err(syn::Error::new_spanned(name, "expected an enum of unit variants"));
    };
    let mut keys = Vec::new();
    let mut variants = Vec::new();
    for variant in &data.variants {
        let words = Words::read(&variant.attrs, "param", &["key"])?;
        keys.push(words.text("key")?.unwrap_or_else(|| variant.ident.to_string()));
        variants.push(&variant.ident);
    }
    let Some(first) = variants.first() else {
        return Err(syn::Error::new_spanned(name, "expected at least one variant"));
    };
    Ok(quote! {
        impl ::simhost_sdk::ParamValue for #name {
            const KIND: ::simhost_sdk::abi::ParamKind = ::simhost_sdk::abi::ParamKind::Choice;
            const CHOICES: &'static [::simhost_sdk::abi::Str] =
                &[#(::simhost_sdk::abi::Str::new(#keys)),*];
            fn read(value: &::simhost_sdk::abi::Value) -> Self {
                // SAFETY: the host keeps the text alive during the call.
                match unsafe { value.text.as_str() } {
                    #(#keys => Self::#variants,)*
                    // the host has checked the text against CHOICES
                    _ => Self::#first,
                }
            }
        }
    })
}
