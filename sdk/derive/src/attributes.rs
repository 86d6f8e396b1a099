//! Reads doc comments and the words of `#[param(…)]`, `#[port(…)]` and `#[state(…)]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Lit, Meta, Token};

/// The words of one attribute.
pub struct Words {
    words: Vec<Meta>,
}

impl Words {
    /// Reads `#[name(…)]` and refuses words that are not in `known`.
    pub fn read(attributes: &[Attribute], name: &str, known: &[&str]) -> syn::Result<Self> {
        let mut words = Vec::new();
        for attribute in attributes.iter().filter(|a| a.path().is_ident(name)) {
            let list =
                attribute.parse_args_with(Punctuated::<Meta, Token![,]>::parse_terminated)?;
            for word in list {
                if !known.iter().any(|k| word.path().is_ident(k)) {
                    let text = format!("unknown word; expected one of: {}", known.join(", "));
                    return Err(syn::Error::new_spanned(word.path(), text));
                }
                words.push(word);
            }
        }
        Ok(Self { words })
    }

    /// Whether a bare word is there.
    pub fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| word.path().is_ident(name))
    }

    /// The expression of `name = …`.
    pub fn value(&self, name: &str) -> syn::Result<Option<&Expr>> {
        match self.words.iter().find(|word| word.path().is_ident(name)) {
            None => Ok(None),
            Some(Meta::NameValue(pair)) => Ok(Some(&pair.value)),
            Some(other) => Err(syn::Error::new_spanned(other, format!("write `{name} = …`"))),
        }
    }

    /// The text of `name = "…"`.
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
    Err(syn::Error::new_spanned(value, "expected a text in quotes"))
}

/// The doc comment as one line a paragraph.
pub fn doc(attributes: &[Attribute]) -> String {
    let lines: Vec<String> = attributes
        .iter()
        .filter_map(|attribute| match &attribute.meta {
            Meta::NameValue(pair) if pair.path.is_ident("doc") => text_of(&pair.value).ok(),
            _ => None,
        })
        .map(|line| line.trim().to_string())
        .collect();
    lines.join(" ").trim().to_string()
}

/// The named fields of a struct.
pub fn fields(input: &DeriveInput) -> syn::Result<Vec<&Field>> {
    match &input.data {
        Data::Struct(data) => match &data.fields {
            Fields::Named(named) => Ok(named.named.iter().collect()),
            Fields::Unit => Ok(Vec::new()),
            Fields::Unnamed(_) => {
                Err(syn::Error::new_spanned(&input.ident, "fields need names: a name is a tag"))
            }
        },
        _ => Err(syn::Error::new_spanned(&input.ident, "expected a struct")),
    }
}
