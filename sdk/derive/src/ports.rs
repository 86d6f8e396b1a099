//! The derive macros `Ports` and `RayPorts`.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Ident};

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
    "unknown",
    "flatten",
];

pub fn expand_ports(input: &DeriveInput) -> syn::Result<TokenStream> {
    let fields = fields(input)?;
    let items = fields.iter().map(|field| Item::new(field)).collect::<syn::Result<Vec<_>>>()?;
    let parts = items.iter().map(|item| &item.ports);
    let columns = port_columns(&input.ident, &items);
    let name = &input.ident;
    let ports = if items.iter().any(|item| item.is_flat) {
        quote! {
            &const {
                ::simhost_sdk::checks::joined_ports::<{ <#name as ::simhost_sdk::Columns>::COUNT }>(
                    &[#(#parts),*],
                )
            }
        }
    } else {
        let ports = items.iter().map(|item| &item.port);
        quote! { &[#(#ports),*] }
    };
    Ok(quote! {
        impl ::simhost_sdk::Ports for #name {
            const PORTS: &'static [::simhost_sdk::abi::PortDesc] = #ports;
        }
        #columns
    })
}

/// A field of a struct of ports: a port, or a struct of ports that are added to the others.
struct Item<'f> {
    field: &'f Field,
    is_flat: bool,
    /// Declaration of the port.
    port: TokenStream,
    /// Declarations, as a slice.
    ports: TokenStream,
}

impl<'f> Item<'f> {
    fn new(field: &'f Field) -> syn::Result<Self> {
        let is_flat = Words::read(&field.attrs, "port", PORT_WORDS)?.has("flatten");
        let ty = &field.ty;
        let (port, ports) = if is_flat {
            (TokenStream::new(), quote! { <#ty as ::simhost_sdk::Ports>::PORTS })
        } else {
            let port = port(field)?;
            (port.clone(), quote! { &[#port] })
        };
        Ok(Self { field, is_flat, port, ports })
    }

    /// Returns the number of ports.
    fn count(&self) -> TokenStream {
        let ty = &self.field.ty;
        if self.is_flat {
            quote! { <#ty as ::simhost_sdk::Columns>::COUNT }
        } else {
            quote! { 1 }
        }
    }
}

fn port(field: &Field) -> syn::Result<TokenStream> {
    let words = Words::read(&field.attrs, "port", PORT_WORDS)?;
    let ident = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let ty = &field.ty;
    let scope = quote! { <#ty as ::simhost_sdk::PortValue>::SCOPE };
    declaration(field, &field.attrs, &words, ident, &scope)
}

/// Returns the declaration of a port that `item` describes with its attributes.
fn declaration(
    item: &impl ToTokens,
    attributes: &[Attribute],
    words: &Words,
    ident: String,
    scope: &TokenStream,
) -> syn::Result<TokenStream> {
    let about = doc(attributes);
    let name = words.text("name")?.unwrap_or(ident);
    let Some(unit) = words.text("unit")? else {
        return Err(syn::Error::new_spanned(item, "missing #[port(unit = \"…\")]"));
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
            return Err(syn::Error::new_spanned(item, text));
        }
        flags.push(quote! { ::simhost_sdk::abi::port_flag::REQUIRED });
    }
    if words.has("unknown") {
        flags.push(quote! { ::simhost_sdk::abi::port_flag::UNKNOWN });
    }
    Ok(quote! {
        ::simhost_sdk::abi::PortDesc {
            size: ::core::mem::size_of::<::simhost_sdk::abi::PortDesc>() as u32,
            scope: #scope as u32,
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

/// Declares the variants of an enum as readings of one number per ray.
pub fn expand_ray_ports(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let expected = || syn::Error::new_spanned(name, "expected an enum of unit variants");
    let Data::Enum(data) = &input.data else { return Err(expected()) };
    let (mut ports, mut places, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let scope = quote! { ::simhost_sdk::abi::Scope::Ray };
    for (place, variant) in data.variants.iter().enumerate() {
        if !matches!(variant.fields, Fields::Unit) || variant.discriminant.is_some() {
            return Err(expected());
        }
        let words = Words::read(&variant.attrs, "port", &["unit", "name", "unknown"])?;
        let ident = snake_case(&variant.ident.to_string());
        ports.push(declaration(variant, &variant.attrs, &words, ident, &scope)?);
        let variant = &variant.ident;
        places.push(quote! { Self::#variant => #place });
        all.push(quote! { Self::#variant });
    }
    if places.is_empty() {
        return Err(syn::Error::new_spanned(name, "expected at least one variant"));
    }
    Ok(quote! {
        impl ::simhost_sdk::RayPorts for #name {
            const ALL: &'static [Self] = &[#(#all),*];
            const PORTS: &'static [::simhost_sdk::abi::PortDesc] = &[#(#ports),*];
            #[inline(always)]
            fn place(self) -> usize {
                match self { #(#places,)* }
            }
        }
    })
}

/// Converts the name of a variant to the name of a port, such as `LineOfSight` to `line_of_sight`.
fn snake_case(name: &str) -> String {
    let mut snake = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !snake.is_empty() {
            snake.push('_');
        }
        snake.extend(letter.to_lowercase());
    }
    snake
}

/// Implements loading and storing a struct of ports. A port has one value per lane or per wheel,
/// depending on the type of its field.
fn port_columns(name: &Ident, items: &[Item]) -> TokenStream {
    let mut first = quote! { 0 };
    let mut fields = PortFields::default();
    for item in items {
        fields.add(item, &first);
        let count = item.count();
        first = quote! { #first + #count };
    }
    let PortFields { per_wheel, readings, load, store, store_wheels, visit } = fields;
    quote! {
        impl ::simhost_sdk::Columns for #name {
            const COUNT: usize = #first;
            const PER_WHEEL: u64 = 0 #(| #per_wheel)*;
            const READINGS: u64 = 0 #(| #readings)*;
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
                Self { #(#load,)* }
            }
            #[inline(always)]
            fn store(&self, mut put: impl FnMut(usize, f64)) {
                #(#store;)*
            }
            #[inline(always)]
            fn store_wheels(&self, mut put: impl FnMut(usize, usize, f64)) {
                #(#store_wheels;)*
            }
            fn visit_readings(&self, mut visit: impl FnMut(usize, &::simhost_sdk::Reading)) {
                #(#visit)*
            }
        }
    }
}

/// The parts that each field of a struct of ports adds to the implementation of `Columns`.
#[derive(Default)]
struct PortFields {
    per_wheel: Vec<TokenStream>,
    readings: Vec<TokenStream>,
    load: Vec<TokenStream>,
    store: Vec<TokenStream>,
    store_wheels: Vec<TokenStream>,
    visit: Vec<TokenStream>,
}

impl PortFields {
    /// Adds a field whose first port has the number `first`.
    fn add(&mut self, item: &Item, first: &TokenStream) {
        let (ident, ty) = (&item.field.ident, &item.field.ty);
        if item.is_flat {
            let of = quote! { <#ty as ::simhost_sdk::Columns> };
            self.per_wheel.push(quote! { #of::PER_WHEEL << (#first) });
            self.readings.push(quote! { #of::READINGS << (#first) });
            self.load.push(quote! { #ident: #of::load_with(
                |k| get(#first + k),
                |k| wheels(#first + k),
                |k| readings(#first + k),
            ) });
            self.store.push(quote! { #of::store(&self.#ident, |k, value| put(#first + k, value)) });
            self.store_wheels.push(quote! {
                #of::store_wheels(&self.#ident, |k, wheel, value| put(#first + k, wheel, value))
            });
            self.visit.push(quote! {
                #of::visit_readings(&self.#ident, |k, reading| visit(#first + k, reading));
            });
            return;
        }
        let of = quote! { <#ty as ::simhost_sdk::PortValue> };
        self.per_wheel.push(quote! { (#of::IS_PER_WHEEL as u64) << (#first) });
        self.readings.push(quote! { (#of::IS_READING as u64) << (#first) });
        self.load.push(quote! { #ident: #of::load(#first, &get, &wheels, &readings) });
        self.store.push(quote! { #of::store(&self.#ident, #first, &mut put) });
        self.store_wheels.push(quote! { #of::store_wheels(&self.#ident, #first, &mut put) });
        self.visit.push(quote! {
            if let Some(reading) = #of::reading(&self.#ident) {
                visit(#first, reading);
            }
        });
    }
}

/// Returns a number, or `otherwise` if none is given.
pub fn number(value: Option<&Expr>, otherwise: f64) -> TokenStream {
    value.map_or(quote! { #otherwise }, |value| quote! { (#value) as f64 })
}
