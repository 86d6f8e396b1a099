//! Parses doc comments and the attributes `#[param(…)]`, `#[port(…)]` and `#[state(…)]`.

use syn::punctuated::Punctuated;
use syn::{Attribute, Data, DeriveInput, Expr, Field, Fields, Lit, Meta, Token};

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

/// Returns a doc comment on one line, up to its first heading or block of code. Users read it as plain
/// text, so that links are replaced by their texts.
fn description(comment: &str) -> String {
    let lines = comment.lines().map(str::trim);
    let lines = lines
        .take_while(|line| !line.starts_with("# ") && !line.starts_with("```"))
        .filter(|line| !is_link_definition(line));
    let words = lines.flat_map(str::split_whitespace).collect::<Vec<_>>();
    without_links(&words.join(" "))
}

/// Returns whether a line defines the target of links, such as ``[`Wheel`]: crate::Wheel``.
fn is_link_definition(line: &str) -> bool {
    line.starts_with('[') && line.contains("]: ")
}

/// Replaces the links of rustdoc by their texts: ``[`Wheel`]``, `[a wheel](crate::Wheel)` and
/// `[a wheel][Wheel]`. Other brackets, such as in intervals and indices, are kept.
fn without_links(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some(begin) = rest.find('[') {
        let (before, from) = rest.split_at(begin);
        plain.push_str(before);
        let Some((label, after)) = from[1..].split_once(']') else { return plain + from };
        let target = ['(', '['].into_iter().zip([')', ']']).find_map(|(open, close)| {
            after.strip_prefix(open)?.split_once(close).map(|(_, after)| after)
        });
        // an index, such as `wheel[i][j]`, is not a link
        let is_index = plain.ends_with(|c: char| c.is_alphanumeric() || c == ']');
        let is_code = label.len() > 2 && label.starts_with('`') && label.ends_with('`');
        match target {
            Some(after) if !label.is_empty() && !label.contains('[') && !is_index => {
                plain.push_str(label);
                rest = after;
            }
            _ if is_code => {
                plain.push_str(label);
                rest = after;
            }
            _ => {
                plain.push('[');
                rest = &from[1..];
            }
        }
    }
    plain + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_are_replaced_by_their_texts() {
        for (comment, text) in [
            (" The [`Wheel`] rolls.", "The `Wheel` rolls."),
            (" See [the wheel](crate::Wheel),\n and [`mu`][Self::mu].", "See the wheel, and `mu`."),
            (" Uses [`Wheel`].\n\n [`Wheel`]: crate::Wheel", "Uses `Wheel`."),
            (" From 0 to 1, [0, 1), of [`a`](b)", "From 0 to 1, [0, 1), of `a`"),
            (" Lane [3] of wheel[i][j] [m]", "Lane [3] of wheel[i][j] [m]"),
        ] {
            assert_eq!(description(comment), text);
        }
    }

    #[test]
    fn sections_for_programmers_are_left_out() {
        assert_eq!(description(" A tyre.\n Grips.\n\n # Panics\n Never."), "A tyre. Grips.");
        assert_eq!(description(" A tyre.\n ```\n let x = 1;\n ```"), "A tyre.");
    }
}
