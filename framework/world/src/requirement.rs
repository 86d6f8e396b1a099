//! Plugins that a world needs.

use semver::{Version, VersionReq};
use simhost_model::PluginName;

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::reader::{FromElement, declare};
use crate::tree::{Element, Text};
use crate::vocabulary::field::attribute;
use crate::vocabulary::{Value, element};

declare! {
    /// A plugin that the world needs, so that a missing or old one is named before its classes are.
    section = element("require");

    /// A plugin as given.
    #[derive(Clone)]
    struct Requirement {
        /// Name of the plugin: `vendor/name`, as `simhost plugin list` shows it.
        plugin: Text = attribute(Value::Text).required();
        /// Version that the world needs, such as `1.2`: this or a later one that is compatible by the rules of
        /// semantic versioning. A comparison, such as `>=1.2, <3`, is possible as well.
        version: Option<Text> = attribute(Value::Text).or_else("any version");
    }
}

/// Section of the element.
pub(crate) const SECTION: &crate::vocabulary::Section = Requirement::SECTION;

/// Checks that the catalogue has a plugin.
pub(crate) fn check(context: &mut Context<'_>, element: &Element) {
    let Some(Requirement { plugin, version }) = Requirement::read_element(context, element) else {
        return;
    };
    let needed = match version.as_ref().map(|version| VersionReq::parse(version.content.trim())) {
        None => VersionReq::STAR,
        Some(Ok(needed)) => needed,
        Some(Err(error)) => {
            let span = version.map_or(plugin.span, |version| version.span);
            let label = format!("{error}; expected a version such as `1.2`, or `>=1.2, <3`");
            return context.report.error(span, "invalid version of a plugin", &label);
        }
    };
    let wanted = plugin.content.trim();
    let known = context.catalogue.plugins();
    let found: Vec<&PluginName> = known.iter().filter(|known| known.name == wanted).collect();
    let fits = |known: &&&PluginName| {
        Version::parse(&known.version).is_ok_and(|version| needed.matches(&version))
            || needed == VersionReq::STAR
    };
    if found.iter().any(|known| fits(&known)) {
        return;
    }
    const HELP: &str = "install it with `simhost plugin install PACKAGE`, or name the folder that has it with \
                        --plugin-dir DIR";
    let (message, label) = match found.first() {
        Some(PluginName { version, source, .. }) => (
            format!("the plugin `{wanted}` has another version than the world needs"),
            format!("found {version} ({source}), expected {}", shown(&needed)),
        ),
        None => {
            let hint = context.report.hint(wanted, known.iter().map(|known| known.name.as_str()));
            let hint = if hint.is_empty() { "not among the plugins".to_owned() } else { hint };
            (format!("missing plugin `{wanted}`, which the world needs"), hint)
        }
    };
    context.report.push(Diagnostic::error(message).at(plugin.span).label(label).help(HELP));
}

/// Returns a requirement in words.
fn shown(needed: &VersionReq) -> String {
    let text = needed.to_string();
    match text.strip_prefix('^') {
        Some(version) => format!("{version} or a compatible later version"),
        None => text,
    }
}
