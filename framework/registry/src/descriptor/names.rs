//! The rules for names and versions.

use simhost_abi::{KEY_RULE, Kind, Model, Scope, Str, WORD_RULE, is_key, is_of_language, is_word};

use super::reading::Reader;

/// Reads and checks a part of a full class name.
pub(super) fn word(read: Reader<'_>, what: &str, text: Str) -> Result<&'static str, String> {
    let text = read.text(what, text)?;
    match is_word(text) {
        true => Ok(text),
        false => Err(format!("{what} is {}, {WORD_RULE}", quoted(text))),
    }
}

/// Reads and checks a name that a world file contains as an element or an attribute.
pub(super) fn key(read: Reader<'_>, what: &str, text: Str) -> Result<&'static str, String> {
    let text = read.text(what, text)?;
    if is_of_language(text) {
        return Err(format!(
            "{what} is '{text}', an element of the world language; expected another name"
        ));
    }
    match is_key(text) {
        true => Ok(text),
        false => Err(format!("{what} is {}, {KEY_RULE}", quoted(text))),
    }
}

/// Returns a name in quotes, with invisible characters escaped and a long one cut off.
fn quoted(text: &str) -> String {
    let count = text.chars().count();
    let shown: String = text.chars().take(40).flat_map(char::escape_debug).collect();
    match count > 40 {
        true => format!("'{shown}…' ({count} characters)"),
        false => format!("'{shown}'"),
    }
}

/// Reads and checks a version.
pub(super) fn version(read: Reader<'_>, what: &str, text: Str) -> Result<&'static str, String> {
    let text = read.text(what, text)?;
    match semver::Version::parse(text) {
        Ok(_) => Ok(text),
        Err(_) => Err(format!(
            "{what} is {}, expected three numbers such as 1.0.0 (semantic versioning)",
            quoted(text)
        )),
    }
}

/// Checks that the host reads none of the keys of a model, which have been checked, itself.
pub(super) fn check_keys(read: Reader<'_>, kind: Kind, model: &Model) -> Result<(), String> {
    let mut tags = Vec::new();
    for wheel in read.items("the list of wheels", model.wheels)? {
        tags.push(read.text("the tag of a wheel", wheel.tag)?);
    }
    let check = |what: &str, key: &str| match kind.host_keys().contains(&key) || tags.contains(&key)
    {
        true => Err(format!(
            "{what} '{key}': the host reads `{key}` of {} itself, expected another name",
            kind.with_article()
        )),
        false => Ok(()),
    };
    for param in read.items("the list of parameters", model.params)? {
        check("parameter", read.text("the name of a parameter", param.key)?)?;
        for alias in read.items("the aliases of a parameter", param.aliases)? {
            check("parameter", read.text("an alias of a parameter", *alias)?)?;
        }
    }
    for phase in read.items("the list of phases", model.phases)? {
        for input in read.items("the list of inputs", phase.inputs)? {
            if input.scope != Scope::Wheel as u32 {
                check("input with the key", read.text("the key of an input", input.key)?)?;
            }
        }
    }
    Ok(())
}
