//! The reference in Markdown.

use std::fmt::Write;

use super::{Document, EntryPage};
use crate::history::{History, NAMES};

pub(super) fn page(document: &Document) -> String {
    let mut text = String::from(
        "# Elements and attributes\n\n\
         On this page you can look up every element and attribute of a world file, with its unit, range\n\
         and default, and every parameter of the built-in models. `simhost schema --markdown` generates\n\
         the page; do not edit it. The sign ∅ marks entries that are accepted but have no effect.\n",
    );
    for section in &document.sections {
        let title = section.tag.split(" class=").next().unwrap_or_default();
        let class =
            section.tag.split_once(' ').map_or(String::new(), |(_, class)| format!(" {class}"));
        let _ = write!(text, "\n## `<{title}{class}>`\n\n{}\n", wrapped(section.doc));
        if let Some(kind) = section.model {
            let _ =
                write!(text, "\nAlso contains the [parameters of its {kind} class](#models).\n");
        }
        table(&mut text, &section.entries, "");
    }
    text.push_str(
        "\n# Models\n\nA parameter can be written as a child element or as an attribute.\n",
    );
    for model in &document.models {
        let (kind, class, doc) = (model.kind, &model.class, wrapped(model.doc));
        let _ = write!(text, "\n## {kind} `{class}`\n\n{doc}\n");
        if !model.wheels.is_empty() {
            let _ = write!(text, "\nWheels: `<{}>`.\n", model.wheels.join(">`, `<"));
        }
        table(&mut text, &model.entries, "");
        for group in model.entries.iter().filter(|entry| !entry.parts.is_empty()) {
            let _ = write!(text, "\nIn `<{}>`:\n", group.name);
            table(&mut text, &group.parts, "");
        }
    }
    other_versions(&mut text);
    text
}

/// Breaks a paragraph into lines of at most 100 characters.
fn wrapped(text: &str) -> String {
    let (mut lines, mut width) = (String::new(), 0);
    for word in text.split_whitespace() {
        let length = word.chars().count();
        if width > 0 && width + 1 + length > 100 {
            lines.push('\n');
            width = 0;
        } else if width > 0 {
            lines.push(' ');
            width += 1;
        }
        lines.push_str(word);
        width += length;
    }
    lines
}

/// Adds the names that only other versions of MVSim read.
fn other_versions(text: &mut String) {
    text.push_str(
        "\n# Names of other versions\n\nThese names of other versions of MVSim have no effect, with a \
         warning.\n\n| Names | In | Versions | Remark |\n|---|---|---|---|\n",
    );
    for History { owners, names, versions, remark } in NAMES {
        let list = |names: &[&str], [before, after]: [&str; 2]| {
            let names = names.iter().map(|name| format!("`{before}{name}{after}`"));
            names.collect::<Vec<_>>().join(", ")
        };
        let (names, owners) = (list(names, ["", ""]), list(owners, ["<", ">"]));
        let _ = writeln!(text, "| {names} | {owners} | {versions} | {remark} |");
    }
}

fn table(text: &mut String, entries: &[EntryPage], prefix: &str) {
    if entries.is_empty() {
        return;
    }
    text.push_str("\n| Name | Value | Default | Meaning |\n|---|---|---|---|\n");
    for entry in entries {
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} |",
            prefix.to_owned() + &name(entry),
            cell(&value(entry)),
            cell(&default(entry)),
            cell(&meaning(entry))
        );
    }
}

fn name(entry: &EntryPage) -> String {
    let names = std::iter::once(&entry.name).chain(&entry.aliases);
    let written = names.map(|name| match entry.form {
        "attribute" => format!("`{name}=\"…\"`"),
        "tag" => format!("`<{name}>`"),
        _ => format!("`{name}`"),
    });
    written.collect::<Vec<_>>().join(", ")
}

fn value(entry: &EntryPage) -> String {
    let mut text = match entry.kind {
        "choice" => entry.values.join(", "),
        "row" | "text" if !entry.values.is_empty() => entry.values.join(" or "),
        "angle" => "number".to_owned(),
        "color" => "#RRGGBB or #RRGGBBAA".to_owned(),
        "tag" | "group" => String::new(),
        kind => kind.to_owned(),
    };
    if !matches!(entry.unit, "" | "1") {
        let _ = write!(text, ", {}", entry.unit);
    }
    if let Some(min) = entry.min {
        let _ = write!(text, ", {} {min}", if entry.above_min { ">" } else { "≥" });
    }
    if let Some(max) = entry.max {
        let _ = write!(text, ", {} {max}", if entry.below_max { "<" } else { "≤" });
    }
    text
}

fn default(entry: &EntryPage) -> String {
    match &entry.default {
        _ if entry.required => "required".to_owned(),
        Some(default) => default.clone(),
        None => String::new(),
    }
}

fn meaning(entry: &EntryPage) -> String {
    let repeats = if entry.repeats { " Can be repeated." } else { "" };
    let effect = entry.without_effect.map_or(String::new(), |reason| format!(" ∅: {reason}."));
    format!("{}{repeats}{effect}", entry.doc)
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|").replace('\n', " ")
}
