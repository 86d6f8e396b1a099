//! Parses doc comments and the attributes `#[param(…)]`, `#[port(…)]` and `#[state(…)]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Lit, Meta, Token};

use crate::description::description;

/// The words of an attribute.
pub struct Words {
    words: Vec<Meta>,
}

impl Words {
    /// Parses `#[name(…)]` and rejects words that are not in `known`.
    pub fn read(attributes: &[Attribute], name: &str, known: &[&str]) -> syn::Result<Self> {
        let mut words = Vec::new();
        for attribute in attributes.iter().filter(|a| a.path().is_ident(name)) {
            let list =
                attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
            for word in list {
                if !known.iter().any(|k| word.path().is_ident(k)) {
                    let text = format!("unknown option; expected one of: {}", known.join(", "));
                    return Err(syn::Error::new_spanned(word.path(), text));
                }
                if words
                    .iter()
                    .any(|earlier: &Meta| earlier.path().get_ident() == word.path().get_ident())
                {
                    return Err(syn::Error::new_spanned(word.path(), "duplicate option"));
                }
                words.push(word);
            }
        }
        Ok(Self { words })
    }

    /// Returns whether a word without a value is present.
    pub fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| word.path().is_ident(name))
    }

    /// Returns the expression of `name = …`.
    pub fn value(&self, name: &str) -> syn::Result<Option<&Expr>> {
        match self.words.iter().find(|word| word.path().is_ident(name)) {
            None => Ok(None),
            Some(Meta::NameValue(pair)) => Ok(Some(&pair.value)),
            Some(other) => Err(syn::Error::new_spanned(other, format!("expected `{name} = …`"))),
        }
    }

    /// Returns the text of `name = "…"`.
    pub fn text(&self, name: &str) -> syn::Result<Option<String>> {
        self.value(name)?.map(text_of).transpose()
    }
}

fn text_of(value: &Expr) -> syn::Result<String> {
    if let Expr::Lit(lit) = value
        && let Lit::Str(text) = &lit.lit
    {
        return Ok(text.value());
    }
    Err(syn::Error::new_spanned(value, "expected a string literal"))
}

/// Returns the doc comment on one line, as users of the model read it.
pub fn doc(attributes: &[Attribute]) -> String {
    let comments: Vec<String> = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => text_of(&pair.value).ok(),
            _ => None,
        })
        .collect();
    description(&comments.join("\n"))
}

/// Returns the named fields of a struct.
pub fn fields(input: &DeriveInput) -> syn::Result<Vec<&Field>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => Ok(named.named.iter().collect()),
            Fields::Unit => Ok(Vec::new()),
            Fields::Unnamed(_) => Err(syn::Error::new_spanned(
                &input.ident,
                "expected named fields, which name parameters or ports",
            )),
        },
        _ => Err(syn::Error::new_spanned(&input.ident, "expected a struct")),
    }
}
