//! Valid names of new plugins and vendors.

/// Words reserved by Cargo, rustc or CMake, sorted.
const RESERVED: [&str; 66] = [
    "abstract",
    "all",
    "alloc",
    "as",
    "async",
    "await",
    "become",
    "box",
    "break",
    "build",
    "clean",
    "const",
    "continue",
    "core",
    "crate",
    "deps",
    "do",
    "dyn",
    "else",
    "enum",
    "examples",
    "extern",
    "false",
    "final",
    "fn",
    "for",
    "gen",
    "help",
    "if",
    "impl",
    "in",
    "incremental",
    "install",
    "let",
    "loop",
    "macro",
    "match",
    "mod",
    "move",
    "mut",
    "override",
    "package",
    "physics",
    "priv",
    "proc_macro",
    "pub",
    "ref",
    "return",
    "self",
    "simhost_sdk",
    "static",
    "std",
    "struct",
    "super",
    "test",
    "trait",
    "true",
    "try",
    "type",
    "typeof",
    "unsafe",
    "unsized",
    "use",
    "virtual",
    "where",
    "while",
];

/// Returns the class name of a plugin: its name with hyphens replaced by underscores.
pub fn class(name: &str) -> String {
    name.replace('-', "_")
}

/// Returns the name of the Rust type of a plugin: `burning_rubber` becomes `BurningRubber`.
pub fn type_name(name: &str) -> String {
    let words = name.split(['-', '_']).filter(|word| !word.is_empty());
    words.map(|word| word[..1].to_ascii_uppercase() + &word[1..]).collect()
}

/// Accepts a name that is valid for a crate, a class, a file and a type.
///
/// # Errors
/// Returns the rule that is broken and the nearest valid name.
pub fn plugin(name: &str) -> Result<String, String> {
    let known = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '_' || c == '-';
    let why = if !name.starts_with(|c: char| c.is_ascii_lowercase()) {
        "must start with a lower-case letter, a to z"
    } else if !name.chars().all(known) {
        "can only contain lower-case letters, digits, `_` and `-`"
    } else if name.len() > 64 {
        "can have at most 64 characters"
    } else if RESERVED.contains(&class(name).as_str()) {
        "cannot be a word that is reserved by Rust, Cargo or CMake"
    } else {
        return Ok(name.to_owned());
    };
    Err(format!("the name of a plugin {why}; try `{}`", nearest(name)))
}

/// Accepts a vendor, the part of a full class name before the slash.
///
/// # Errors
/// Returns the rule that is broken.
pub fn vendor(name: &str) -> Result<String, String> {
    let known = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    if name.is_empty() || !name.chars().all(known) {
        return Err("expected a word of letters, digits, `_`, `-` and `.`".into());
    }
    if name == "simhost" {
        return Err("`simhost` is the vendor of the built-in models; choose another name".into());
    }
    Ok(name.to_owned())
}

/// Returns the nearest valid name.
fn nearest(name: &str) -> String {
    let mut valid = String::new();
    for c in name.chars() {
        let c = c.to_ascii_lowercase();
        match c {
            'a'..='z' => valid.push(c),
            '0'..='9' | '-' | '_' if !valid.is_empty() => valid.push(c),
            _ if valid.is_empty() || valid.ends_with('_') => {}
            _ => valid.push('_'),
        }
    }
    valid.truncate(64);
    let valid = valid.trim_end_matches(['_', '-']).to_owned();
    match valid.as_str() {
        "" => "my_model".into(),
        word if RESERVED.contains(&class(word).as_str()) => format!("{word}_model"),
        _ => valid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_crates_are_accepted() {
        for name in ["tyre", "my-tyre", "tyre_2", "a"] {
            assert_eq!(plugin(name).as_deref(), Ok(name));
        }
        assert_eq!(class("my-tyre"), "my_tyre");
        assert_eq!(type_name("my-burning_rubber2"), "MyBurningRubber2");
    }

    #[test]
    fn invalid_names_are_answered_with_the_nearest_valid_one() {
        for (wrong, nearest) in [
            ("9Tyre", "tyre"),
            ("My Tyre!", "my_tyre"),
            ("match", "match_model"),
            ("../../etc", "etc"),
            ("räder", "r_der"),
            ("", "my_model"),
            ("simhost-sdk", "simhost-sdk_model"),
        ] {
            let text = plugin(wrong).unwrap_err();
            assert!(text.contains(&format!("try `{nearest}`")), "{wrong}: {text}");
            assert!(plugin(nearest).is_ok(), "{nearest}");
        }
    }

    #[test]
    fn reserved_words_are_in_order() {
        assert!(RESERVED.is_sorted());
    }

    #[test]
    fn a_vendor_is_a_word_and_not_simhost() {
        assert!(vendor("acme.org").is_ok());
        for wrong in ["", "a b", "a/b", "a\"", "simhost"] {
            assert!(vendor(wrong).is_err(), "{wrong}");
        }
    }
}
