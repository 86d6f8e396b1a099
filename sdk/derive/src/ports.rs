//! The derive macros `Ports` and `State`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::{DeriveInput, Expr, Field, Ident};

use crate::attributes::{Words, doc, fields};

const PORT_WORDS: &[&str] = &[
    "unit",
    "default",
    "name",
    "command",
    "key",
    "key_unit",
    "key_scale",
    "optional",
    "publish",
    "required",
];

/// Words of `#[state(…)]` that name a kind, with the variant of `StateKind`.
const STATE_KINDS: [(&str, &str); 4] = [
    ("continuous", "Continuous"),
    ("discrete", "Discrete"),
    ("counter", "Counter"),
    ("angle", "Angle"),
];
const STATE_WORDS: &[&str] =
    &["unit", "initial", "initial_from", "memory", "continuous", "discrete", "counter", "angle"];

pub fn expand_ports(input: &DeriveInput) -> syn::Result<TokenStream> {
    let fields = fields(input)?;
    let descs = fields.iter().map(|field| port(field)).collect::<syn::Result<Vec<_>>>()?;
    let columns = port_columns(&input.ident, &fields);
    let name = &input.ident;
    Ok(quote! {
        impl ::simhost_sdk::Ports for #name {
            const PORTS: &'static [::simhost_sdk::abi::PortDesc] = &[#(#descs),*];
        }
        #columns
    })
}

fn port(field: &Field) -> syn::Result<TokenStream> {
    let words = Words::read(&field.attrs, "port", PORT_WORDS)?;
    let about = doc(&field.attrs);
    let ident = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let name = words.text("name")?.unwrap_or(ident);
    let Some(unit) = words.text("unit")? else {
        return Err(syn::Error::new_spanned(field, "missing #[port(unit = \"…\")]"));
    };
    let default = number(words.value("default")?, 0.0);
    let key = words.text("key")?.unwrap_or_default();
    let key_unit = words.text("key_unit")?.unwrap_or_else(|| unit.clone());
    let key_scale = number(words.value("key_scale")?, 1.0);
    let mut flags = Vec::new();
    if words.has("command") {
        flags.push(quote! { ::simhost_sdk::abi::port_flag::COMMAND });
    }
    if words.has("optional") || words.has("publish") {
        flags.push(quote! { ::simhost_sdk::abi::port_flag::OPTIONAL });
    }
    if words.has("required") {
        if words.has("default") || words.has("optional") || words.has("command") {
            let text =
                "a `required` input has no default: remove `default`, `optional` or `command`";
            return Err(syn::Error::new_spanned(field, text));
        }
        flags.push(quote! { ::simhost_sdk::abi::port_flag::REQUIRED });
    }
    let ty = &field.ty;
    Ok(quote! {
        ::simhost_sdk::abi::PortDesc {
            size: ::core::mem::size_of::<::simhost_sdk::abi::PortDesc>() as u32,
            scope: <#ty as ::simhost_sdk::PortValue>::SCOPE as u32,
            flags: 0 #(| #flags)*,
            reserved: 0,
            name: ::simhost_sdk::abi::Str::new(#name),
            unit: ::simhost_sdk::abi::Str::new(#unit),
            doc: ::simhost_sdk::abi::Str::new(#about),
            default: #default,
            key: ::simhost_sdk::abi::Str::new(#key),
            key_unit: ::simhost_sdk::abi::Str::new(#key_unit),
            key_scale: #key_scale,
        }
    })
}

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
                size: ::core::mem::size_of::<::simhost_sdk::abi::StateDesc>() as u32,
                scope: ::simhost_sdk::abi::Scope::Instance as u32,
                kind: ::simhost_sdk::abi::StateKind::#kind as u32,
                reserved: 0,
                name: ::simhost_sdk::abi::Str::new(#name),
                unit: ::simhost_sdk::abi::Str::new(#unit),
                doc: ::simhost_sdk::abi::Str::new(#about),
                initial: #initial,
                initial_key: ::simhost_sdk::abi::Str::new(#initial_key),
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
        unsafe fn attach(&mut self, memory: *mut ::core::ffi::c_void) {
            // SAFETY: promised by the caller.
            unsafe { self.#ident.lend(memory) };
        }
    }
}

/// Implements loading and storing a struct of ports, each of which has one value per lane or one per
/// wheel, depending on the type of its field.
fn port_columns(name: &Ident, fields: &[&Field]) -> TokenStream {
    let count = fields.len();
    let idents: Vec<_> = fields.iter().map(|field| &field.ident).collect();
    let types: Vec<_> = fields.iter().map(|field| &field.ty).collect();
    let indices: Vec<usize> = (0..count).collect();
    quote! {
        impl ::simhost_sdk::Columns for #name {
            const COUNT: usize = #count;
            const PER_WHEEL: u64 =
                0 #(| (<#types as ::simhost_sdk::PortValue>::IS_PER_WHEEL as u64) << #indices)*;
            const READINGS: u64 =
                0 #(| (<#types as ::simhost_sdk::PortValue>::IS_READING as u64) << #indices)*;
            #[inline(always)]
            fn load(get: impl Fn(usize) -> f64) -> Self {
                Self::load_with(
                    get,
                    |_| ::simhost_sdk::PerWheel::default(),
                    |_| ::simhost_sdk::Reading::default(),
                )
            }
            #[inline(always)]
            fn load_with(
                get: impl Fn(usize) -> f64,
                wheels: impl Fn(usize) -> ::simhost_sdk::PerWheel,
                readings: impl Fn(usize) -> ::simhost_sdk::Reading,
            ) -> Self {
                Self {
                    #(#idents:
                        ::simhost_sdk::PortValue::load(#indices, &get, &wheels, &readings),)*
                }
            }
            #[inline(always)]
            fn store(&self, mut put: impl FnMut(usize, f64)) {
                #(::simhost_sdk::PortValue::store(&self.#idents, #indices, &mut put);)*
            }
            #[inline(always)]
            fn store_wheels(&self, mut put: impl FnMut(usize, usize, f64)) {
                #(::simhost_sdk::PortValue::store_wheels(&self.#idents, #indices, &mut put);)*
            }
            fn visit_readings(&self, mut visit: impl FnMut(usize, &::simhost_sdk::Reading)) {
                #(if let Some(reading) = ::simhost_sdk::PortValue::reading(&self.#idents) {
                    visit(#indices, reading);
                })*
            }
        }
    }
}

fn number(value: Option<&Expr>, otherwise: f64) -> TokenStream {
    value.map_or(quote! { #otherwise }, |value| quote! { (#value) as f64 })
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
