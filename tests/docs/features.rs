//! The lists of verbs and cargo features in `features.md` are generated from the source of the program.
//!
//! `<!-- list: verbs -->`, `<!-- list: verbs of plugin -->` and `<!-- list: features -->` begin a list, and
//! `<!-- end -->` ends it. `UPDATE_EXPECT=1` renews them.

use std::collections::BTreeSet;
use std::process::Command;

use super::pages;
use crate::support::golden;
use crate::support::projects::root;

const BEGIN: &str = "<!-- list: ";

/// A cargo feature of the program.
struct Feature {
    name: String,
    /// Comment above the feature in `Cargo.toml`.
    text: String,
    /// Whether the feature `full` turns it on.
    is_in_full: bool,
}

/// Returns all cargo features of the program but `default`.
fn features() -> Vec<Feature> {
    let manifest = std::fs::read_to_string(root().join("framework/cli/Cargo.toml")).unwrap();
    let (_, after) = manifest.split_once("\n[features]\n").unwrap();
    let (section, _) = after.split_once("\n[").unwrap();
    let full = section.lines().find(|line| line.starts_with("full = ")).unwrap();
    let (mut features, mut text) = (Vec::new(), Vec::new());
    for line in section.lines() {
        if let Some(comment) = line.strip_prefix("# ") {
            text.push(comment);
        } else if let Some((name, _)) = line.split_once(" = ") {
            let is_in_full = full.contains(&format!("\"{name}\""));
            features.push(Feature { name: name.to_owned(), text: text.join(" "), is_in_full });
            text.clear();
        }
    }
    features.retain(|feature| feature.name != "default");
    features
}

fn table_of_features() -> String {
    let mut table = "| Feature | Adds | In `full` |\n|---|---|---|\n".to_owned();
    for Feature { name, text, is_in_full } in features() {
        assert!(!text.is_empty(), "the feature {name} has no comment");
        table += &format!("| `{name}` | {text} | {} |\n", if is_in_full { "yes" } else { "" });
    }
    table
}

/// Returns the verb of a variant: `ExportPage` is `export-page`.
fn kebab_case(variant: &str) -> String {
    let mut verb = String::new();
    for letter in variant.chars() {
        if letter.is_uppercase() && !verb.is_empty() {
            verb.push('-');
        }
        verb.push(letter.to_ascii_lowercase());
    }
    verb
}

/// Returns the documentation of a variant, and the texts of its other attributes.
fn documentation(variant: &syn::Variant) -> (String, Vec<String>) {
    let (mut text, mut others) = (Vec::new(), Vec::new());
    for attribute in &variant.attrs {
        match &attribute.meta {
            syn::Meta::NameValue(value) => {
                if let syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(line), .. }) = &value.value
                {
                    text.push(line.value().trim().to_owned());
                }
            }
            syn::Meta::List(list) => others.push(list.tokens.to_string().replace(' ', "")),
            syn::Meta::Path(_) => {}
        }
    }
    (text.join(" "), others)
}

/// A verb of the command line.
struct VerbOfProgram {
    name: String,
    /// Documentation of its variant.
    text: String,
    /// Cargo feature without which it only says what it needs.
    feature: String,
}

/// Returns the verbs that an enumeration of the program lists in its help.
fn verbs(file: &str, enumeration: &str) -> Vec<VerbOfProgram> {
    let path = root().join("framework/cli/src").join(file);
    let file = syn::parse_file(&std::fs::read_to_string(path).unwrap()).unwrap();
    let variants = file.items.iter().find_map(|item| match item {
        syn::Item::Enum(item) if item.ident == enumeration => Some(&item.variants),
        _ => None,
    });
    let verb = |variant: &syn::Variant| {
        let (text, others) = documentation(variant);
        if others.iter().any(|other| other.contains("hide=true")) {
            return None;
        }
        let feature = others.iter().find_map(|other| other.split("not(feature=\"").nth(1));
        let feature = feature.and_then(|rest| rest.split('"').next());
        let feature = feature.map_or(String::new(), |feature| format!("`{feature}`"));
        Some(VerbOfProgram { name: kebab_case(&variant.ident.to_string()), text, feature })
    };
    variants.unwrap().iter().filter_map(verb).collect()
}

fn table_of_verbs() -> String {
    let mut table = "| Verb | Description | Feature |\n|---|---|---|\n".to_owned();
    for VerbOfProgram { name, text, feature } in verbs("command_line.rs", "Verb") {
        table += &format!("| `{name}` | {text} | {feature} |\n");
    }
    table
}

fn table_of_plugin_verbs() -> String {
    let mut table = "| Verb | Description |\n|---|---|\n".to_owned();
    for VerbOfProgram { name, text, .. } in verbs("plugin.rs", "Question") {
        table += &format!("| `plugin {name}` | {text} |\n");
    }
    table
}

#[test]
fn lists_of_verbs_and_features_are_current() {
    let page = pages::book().into_iter().find(|page| page.name == "features.md").unwrap();
    let made = pages::renewed(&page.text, BEGIN, |words| match words {
        "features" => Ok(table_of_features()),
        "verbs" => Ok(table_of_verbs()),
        "verbs of plugin" => Ok(table_of_plugin_verbs()),
        other => Err(format!("unknown list `{other}`")),
    });
    assert_eq!(page.text.matches(BEGIN).count(), 3);
    golden::file(&page.path, &made.unwrap());
}

/// `simhost --version --verbose` names every feature, whether the program has it or not.
#[test]
fn the_version_names_every_feature() {
    let program = env!("CARGO_BIN_EXE_simhost");
    let output = Command::new(program).args(["--version", "--verbose"]).output().unwrap();
    let version = String::from_utf8(output.stdout).unwrap();
    let lists = version.lines().filter(|line| line.starts_with("features"));
    let names = lists.flat_map(|line| line.split_once(": ").unwrap().1.split(", "));
    let named: BTreeSet<&str> = names.filter(|name| *name != "none").collect();
    let features = features();
    let expected = features.iter().map(|feature| feature.name.as_str());
    assert_eq!(named, expected.filter(|name| *name != "full").collect::<BTreeSet<_>>());
}

#[test]
fn variants_are_verbs_in_kebab_case() {
    assert_eq!(kebab_case("ExportPage"), "export-page");
    assert_eq!(kebab_case("Ros2"), "ros2");
}
