//! The derive macro `State`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Field, Ident};

use crate::attributes::{Words, doc, fields};
use crate::ports::number;

/// Words of `#[state(…)]` that name a kind, with the variant of `StateKind`.
const STATE_KINDS: [(&str, &str); 4] = [
    ("continuous", "Continuous"),
    ("discrete", "Discrete"),
    ("counter", "Counter"),
    ("angle", "Angle"),
];
const STATE_WORDS: &[&str] =
    &["unit", "initial", "initial_from", "memory", "continuous", "discrete", "counter", "angle"];

pub fn expand_state(input: &DeriveInput) -> syn::Result<TokenStream> {
    let (mut slots, mut descs, mut memory) = (Vec::new(), Vec::new(), None);
    for field in fields(input)? {
        let words = Words::read(&field.attrs, "state", STATE_WORDS)?;
        if words.has("memory") {
            if memory.replace(field).is_some() {
                let text = "expected at most one memory field: combine them in one struct";
                return Err(syn::Error::new_spanned(field, text));
            }
            continue;
        }
        slots.push(field);
        let name = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
        let kind = state_kind(field, &words)?;
        let natural = if kind == "Angle" { "rad" } else { "1" };
        let unit = words.text("unit")?.unwrap_or_else(|| natural.to_string());
        let kind = Ident::new(kind, proc_macro2::Span::call_site());
        let about = doc(&field.attrs);
        let initial = number(words.value("initial")?, 0.0);
        let initial_key = words.text("initial_from")?.unwrap_or_default();
        descs.push(quote! {
            ::simhost_sdk::abi::StateDesc {
                initial: #initial,
                initial_key: ::simhost_sdk::abi::Str::new(#initial_key),
                ..::simhost_sdk::abi::StateDesc::slot(#name, #unit, ::simhost_sdk::abi::StateKind::#kind, #about)
            }
        });
    }
    let name = &input.ident;
    let version = version(input)?;
    let kept = memory.map_or_else(|| quote! { type Memory = (); }, memory_of);
    let columns = columns(name, &slots, memory);
    Ok(quote! {
        impl ::simhost_sdk::State for #name {
            const STATES: &'static [::simhost_sdk::abi::StateDesc] = &[#(#descs),*];
            #version
            #kept
        }
        #columns
    })
}

/// Returns the kind of a state slot, which is continuous unless a word names another one.
fn state_kind(field: &Field, words: &Words) -> syn::Result<&'static str> {
    let mut given = STATE_KINDS.iter().filter(|(word, _)| words.has(word));
    let kind = given.next().map_or("Continuous", |(_, kind)| *kind);
    match given.next() {
        None => Ok(kind),
        Some(_) => Err(syn::Error::new_spanned(field, "expected at most one kind")),
    }
}

/// Parses `#[state(schema = 2, migrate = path)]` on the struct.
fn version(input: &DeriveInput) -> syn::Result<TokenStream> {
    let words = Words::read(&input.attrs, "state", &["schema", "migrate"])?;
    let schema = words.value("schema")?.map(|schema| quote! { const SCHEMA: u32 = #schema; });
    let migrate = words.value("migrate")?.map(|path| {
        quote! {
            const MIGRATES: bool = true;
            fn migrate(&mut self, schema: u32, old: &[(&str, f64)]) -> Result<(), String> {
                #path(self, schema, old)
            }
        }
    });
    Ok(quote! { #schema #migrate })
}

/// Implements the memory of a state for the field that holds it.
fn memory_of(field: &Field) -> TokenStream {
    let (ident, ty) = (&field.ident, &field.ty);
    quote! {
        type Memory = <#ty as ::simhost_sdk::Remembers>::Memory;
        unsafe fn attach(&mut self, memory: *mut ::core::ffi::c_void, is_shared: bool) {
            // SAFETY: promised by the caller.
            unsafe { self.#ident.lend(memory, is_shared) };
        }
    }
}

/// Implements loading and storing a struct of `f64` fields as one lane of columns.
fn columns(name: &Ident, fields: &[&Field], memory: Option<&Field>) -> TokenStream {
    let count = fields.len();
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let indices: Vec<usize> = (0..count).collect();
    let memory = memory.map(|field| {
        let ident = &field.ident;
        quote! { #ident: ::simhost_sdk::Remembered::absent(), }
    });
    quote! {
        impl ::simhost_sdk::Columns for #name {
            const COUNT: usize = #count;
            #[inline(always)]
            fn load(get: impl Fn(usize) -> f64) -> Self {
                Self { #(#idents: get(#indices),)* #memory }
            }
            #[inline(always)]
            fn store(&self, mut put: impl FnMut(usize, f64)) {
                #(put(#indices, self.#idents);)*
            }
        }
    }
}
