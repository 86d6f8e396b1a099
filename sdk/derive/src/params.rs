//! The derive macro `Params`.

use std::collections::HashSet;

use proc_macro2::{Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use syn::spanned::Spanned;
use syn::{DeriveInput, Expr, ExprRange, Field, Lit, RangeLimits};

use crate::attributes::{Words, doc, fields};
use crate::per_lane::PerLane;

const WORDS: &[&str] = &[
    "default", "range", "above", "below", "unit", "key", "alias", "scale", "required", "path",
    "skip", "per_lane", "flatten", "scaling",
];
/// Options of a struct.
const WORDS_OF_STRUCT: &[&str] = &["alias", "scaling"];

pub fn expand(input: &DeriveInput) -> syn::Result<TokenStream> {
    let name = &input.ident;
    let about = doc(&input.attrs);
    let common = Words::read(&input.attrs, "param", WORDS_OF_STRUCT)?;
    let mut list = List::default();
    let mut reads = Vec::new();
    let mut names = HashSet::new();
    let mut lanes = PerLane::default();
    for field in fields(input)? {
        let ident = &field.ident;
        let words = Words::read(&field.attrs, "param", WORDS)?;
        lanes.add(field, &words)?;
        if words.has("skip") {
            reads.push(quote! { #ident: ::core::default::Default::default() });
            continue;
        }
        let ty = &field.ty;
        let index = list.len();
        if words.has("flatten") {
            list.flatten(ty);
            reads.push(quote! {
                #ident: <#ty as ::simhost_sdk::Params>::read(
                    &values[#index..][..<#ty as ::simhost_sdk::Params>::PARAMS.len()],
                )
            });
            continue;
        }
        list.push(desc(field, &words)?, scaling(field, &words, &common)?);
        for (name, span) in names_of(field, &words)? {
            if !names.insert(name.clone()) {
                let text =
                    format!("duplicate parameter name `{name}`: keys and aliases are unique");
                return Err(syn::Error::new(span, text));
            }
        }
        reads.push(quote! {
            #ident: <#ty as ::simhost_sdk::ParamValue>::read(&values[#index])
        });
    }
    let per_lane = lanes.items();
    let (params, scalings) = (list.params(), list.scalings());
    let aliases = class_aliases(&common)?;
    Ok(quote! {
        impl ::simhost_sdk::Params for #name {
            const DOC: &'static str = #about;
            const PARAMS: &'static [::simhost_sdk::abi::ParamDesc] = #params;
            const SCALINGS: &'static [::simhost_sdk::abi::ParamScaling] = #scalings;
            #aliases
            #[allow(unused_variables)]
            fn read(values: &[::simhost_sdk::abi::Value]) -> Self {
                Self { #(#reads),* }
            }
            #per_lane
        }
        impl ::simhost_sdk::ParamValue for #name {
            const KIND: ::simhost_sdk::abi::ParamKind = ::simhost_sdk::abi::ParamKind::Group;
            const CHILDREN: &'static [::simhost_sdk::abi::ParamDesc] =
                <Self as ::simhost_sdk::Params>::PARAMS;
            const SCALINGS: &'static [::simhost_sdk::abi::ParamScaling] =
                <Self as ::simhost_sdk::Params>::SCALINGS;
            fn read(value: &::simhost_sdk::abi::Value) -> Self {
                // SAFETY: the host hands over the values of a group in the order of its parameters
                // and keeps them alive during the call.
                <Self as ::simhost_sdk::Params>::read(unsafe { value.items.as_slice() })
            }
        }
    })
}

/// The declarations of the fields of a struct, with the declarations of flattened structs between
/// them.
#[derive(Default)]
struct List {
    /// Declarations up to each flattened field, and its type.
    parts: Vec<(Own, syn::Type)>,
    /// Declarations after the last flattened field.
    own: Own,
}

/// Declarations of fields, and their exponents.
#[derive(Default)]
struct Own {
    descs: Vec<TokenStream>,
    scalings: Vec<TokenStream>,
}

impl List {
    fn push(&mut self, desc: TokenStream, scaling: TokenStream) {
        self.own.descs.push(desc);
        self.own.scalings.push(scaling);
    }

    fn flatten(&mut self, ty: &syn::Type) {
        self.parts.push((std::mem::take(&mut self.own), ty.clone()));
    }

    /// Returns the number of declarations as an expression.
    fn len(&self) -> TokenStream {
        let before = self.parts.iter().map(|(own, _)| own.descs.len()).sum::<usize>();
        let own = before + self.own.descs.len();
        let flat = self.parts.iter().map(|(_, ty)| ty);
        quote! { (#own #(+ <#flat as ::simhost_sdk::Params>::PARAMS.len())*) }
    }

    /// Returns the declarations as a static slice.
    fn params(&self) -> TokenStream {
        let joined = quote! { ::simhost_sdk::checks::joined };
        self.items(|own| &own.descs, &quote! { PARAMS }, &joined)
    }

    /// Returns the exponents as a static slice.
    fn scalings(&self) -> TokenStream {
        let joined = quote! { ::simhost_sdk::checks::joined_scalings };
        self.items(|own| &own.scalings, &quote! { SCALINGS }, &joined)
    }

    fn items(
        &self,
        of: impl Fn(&Own) -> &Vec<TokenStream>,
        constant: &TokenStream,
        joined: &TokenStream,
    ) -> TokenStream {
        let last = of(&self.own);
        if self.parts.is_empty() {
            return quote! { &[#(#last),*] };
        }
        let count = self.len();
        let parts = self.parts.iter().map(|(own, ty)| {
            let own = of(own);
            quote! { &[#(#own),*], <#ty as ::simhost_sdk::Params>::#constant }
        });
        quote! {
            const { &#joined::<{ #count }>(&[#(#parts,)* &[#(#last),*]]) }
        }
    }
}

/// Returns the constant with the further names of the class, from `#[param(alias = "…")]` on the struct.
fn class_aliases(common: &Words) -> syn::Result<TokenStream> {
    let alias = common.text("alias")?;
    Ok(alias.map_or_else(TokenStream::new, |alias| {
        quote! {
            const ALIASES: &'static [::simhost_sdk::abi::Str] =
                const { &[::simhost_sdk::abi::Str::new(#alias)] };
        }
    }))
}

/// Returns the exponents of a parameter; by default, the exponents of the struct.
fn scaling(field: &Field, words: &Words, common: &Words) -> syn::Result<TokenStream> {
    let ty = &field.ty;
    let given =
        words.value("scaling")?.map_or_else(|| common.value("scaling"), |own| Ok(Some(own)))?;
    let exponents = match given {
        None => quote! { &[] },
        Some(Expr::Array(items)) => quote! { const { &#items } },
        Some(Expr::Reference(items)) => quote! { const { #items } },
        Some(one) => quote! { const { &[#one] } },
    };
    Ok(quote! {
        ::simhost_sdk::abi::ParamScaling::new(
            #exponents,
            <#ty as ::simhost_sdk::ParamValue>::SCALINGS,
        )
    })
}

/// Returns key and alias of a parameter, and where they are written.
fn names_of(field: &Field, words: &Words) -> syn::Result<Vec<(String, Span)>> {
    let mut names = Vec::new();
    match (words.text("key")?, words.value("key")?, &field.ident) {
        (Some(key), Some(place), _) => names.push((key, place.span())),
        (_, _, Some(ident)) => names.push((ident.to_string(), ident.span())),
        _ => {}
    }
    if let (Some(alias), Some(place)) = (words.text("alias")?, words.value("alias")?) {
        names.push((alias, place.span()));
    }
    Ok(names)
}

fn desc(field: &Field, words: &Words) -> syn::Result<TokenStream> {
    let ty = &field.ty;
    let about = doc(&field.attrs);
    if about.is_empty() {
        let text = "missing doc comment: it is the description that users read";
        return Err(syn::Error::new_spanned(field, text));
    }
    let ident = field.ident.as_ref().map(ToString::to_string).unwrap_or_default();
    let key = words.text("key")?.unwrap_or(ident);
    let unit = words.text("unit")?.unwrap_or_else(|| "1".to_string());
    let alias = match words.text("alias")? {
        Some(alias) => quote! { const { &[::simhost_sdk::abi::Str::new(#alias)] } },
        None => quote! { &[] },
    };
    let scale = words.value("scale")?.map_or(quote! { 1.0 }, |scale| quote! { #scale });
    let (min, max, mut flags) = bounds(words)?;
    let default = match words.value("default")? {
        Some(value) => default(value),
        None => quote! { ::simhost_sdk::abi::Value::NONE },
    };
    if words.has("required") {
        if let Some(value) = words.value("default")? {
            let text = "a `required` parameter has no default: remove one of the two";
            return Err(syn::Error::new_spanned(value, text));
        }
        flags.push(quote! { ::simhost_sdk::abi::param_flag::REQUIRED });
    }
    if words.has("per_lane") {
        flags.push(quote! { ::simhost_sdk::abi::param_flag::PER_LANE });
    }
    let checks = checks(field, words)?;
    let kind = if words.has("path") {
        quote! { ::simhost_sdk::abi::ParamKind::Path }
    } else {
        quote! { <#ty as ::simhost_sdk::ParamValue>::KIND }
    };
    Ok(quote! { {
        let desc = ::simhost_sdk::abi::ParamDesc {
            size: ::core::mem::size_of::<::simhost_sdk::abi::ParamDesc>() as u32,
            kind: #kind as u32,
            flags: 0 #(| #flags)*,
            count: <#ty as ::simhost_sdk::ParamValue>::COUNT,
            key: ::simhost_sdk::abi::Str::new(#key),
            aliases: ::simhost_sdk::abi::Slice::new(#alias),
            doc: ::simhost_sdk::abi::Str::new(#about),
            unit: ::simhost_sdk::abi::Str::new(#unit),
            scale: #scale,
            min: #min,
            max: #max,
            default: #default,
            choices: ::simhost_sdk::abi::Slice::new(<#ty as ::simhost_sdk::ParamValue>::CHOICES),
            children: ::simhost_sdk::abi::Slice::new(<#ty as ::simhost_sdk::ParamValue>::CHILDREN),
        };
        #checks
        desc
    } })
}

/// Returns the smallest and largest value, and the flags that exclude them.
fn bounds(words: &Words) -> syn::Result<(TokenStream, TokenStream, Vec<TokenStream>)> {
    let mut min = quote! { f64::NEG_INFINITY };
    let mut max = quote! { f64::INFINITY };
    let mut flags = Vec::new();
    let below = quote! { ::simhost_sdk::abi::param_flag::BELOW_MAX };
    match words.value("range")? {
        None => {}
        Some(Expr::Range(ExprRange { start, end, limits, .. })) => {
            if let Some(start) = start {
                min = quote! { (#start) as f64 };
            }
            if let Some(end) = end {
                max = quote! { (#end) as f64 };
                if matches!(limits, RangeLimits::HalfOpen(_)) {
                    flags.push(below.clone());
                }
            }
        }
        Some(other) => {
            return Err(syn::Error::new_spanned(other, "expected a range, such as 0.0..=1.0"));
        }
    }
    if let Some(above) = words.value("above")? {
        min = quote! { (#above) as f64 };
        flags.push(quote! { ::simhost_sdk::abi::param_flag::ABOVE_MIN });
    }
    if let Some(end) = words.value("below")? {
        max = quote! { (#end) as f64 };
        flags.push(below);
    }
    Ok((min, max, flags))
}

fn default(value: &Expr) -> TokenStream {
    match value {
        Expr::Lit(lit) => match &lit.lit {
            Lit::Bool(flag) => quote! { ::simhost_sdk::abi::Value::boolean(#flag) },
            Lit::Str(text) => quote! {
                ::simhost_sdk::abi::Value::text(::simhost_sdk::abi::Str::new(#text))
            },
            number => quote! { ::simhost_sdk::abi::Value::number((#number) as f64) },
        },
        Expr::Array(array) => {
            let items = array.elems.iter().map(default);
            quote! {
                ::simhost_sdk::abi::Value::items(::simhost_sdk::abi::Slice::new(
                    const { &[#(#items),*] },
                ))
            }
        }
        number => quote! { ::simhost_sdk::abi::Value::number((#number) as f64) },
    }
}

/// Returns the checks of the declaration `desc` that run when the crate is compiled. Each of them
/// reports its error where its call is written, so the calls have the spans of range, default and
/// field.
fn checks(field: &Field, words: &Words) -> syn::Result<TokenStream> {
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
