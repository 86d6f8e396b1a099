//! `simhost plugin list`: lists all classes and plugin files.

use simhost_registry::{ListedClass, ListedFile, Listing, Searched};

use super::document::{Block, Table, table};
use crate::plugin::List;
use crate::process::{Code, Failure};
use crate::skipped::condense;
use crate::terminal::json;
use crate::{catalogue, terminal};

/// Largest width of the list in columns, so that it fits a terminal of the usual size.
const WIDTH: usize = 80;

/// Lists plugins.
pub fn list(arguments: &List) -> Result<Code, Failure> {
    let listing = Listing::of(&catalogue::search(&arguments.models, arguments.rescan)?);
    let text = if arguments.json {
        json(&listing)
    } else {
        let width = terminal::width().min(WIDTH);
        super::document::text(&blocks(&listing, arguments.models.verbose), width)
    };
    terminal::document(&text)?;
    Ok(Code::Done)
}

fn blocks(listing: &Listing, verbose: bool) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(1, "Searched in this order".into()),
        Block::Table(searched(&listing.searched)),
    ];
    // files that are not used follow with the reason, without their classes
    let is_usable = |class: &&ListedClass| ["loaded", "ambiguous"].contains(&class.state);
    let usable: Vec<&ListedClass> = listing.classes.iter().filter(is_usable).collect();
    for family in usable.chunk_by(|a, b| (&a.plugin, &a.file) == (&b.plugin, &b.file)) {
        blocks.extend(classes(family));
    }
    let (files, others): (Vec<_>, Vec<_>) =
        listing.files.iter().partition(|file| verbose || !file.other);
    blocks.extend(unused(&files, verbose));
    blocks.extend(remarks(&files));
    if !others.is_empty() {
        let suffix = simhost_registry::plugin_suffixes();
        blocks.push(Block::Paragraph(format!(
            "{} more files whose names do not end in {suffix} (-v lists them)",
            others.len()
        )));
    }
    blocks
}

/// Lists the files that are not used, each with the reason. Of many files with the same sort of
/// reason, the first ones are listed and the others are counted, unless `verbose` is set.
fn unused(files: &[&ListedFile], verbose: bool) -> Vec<Block> {
    let files = files.iter().filter(|file| file.why.is_some()).copied();
    let group = |file: &&ListedFile| (folder(file), file.group);
    let (listed, more) = condense(files, group, verbose);
    let mut blocks = Vec::new();
    if !listed.is_empty() {
        blocks.push(Block::Heading(1, "Not used".into()));
    }
    for file in listed {
        let why = file.why.clone().unwrap_or_default();
        blocks.push(Block::Item(format!("{} ({})", place(file), file.state), why));
    }
    if !more.is_empty() {
        blocks.push(Block::Paragraph(format!("{} (-v lists them)", more.join("; "))));
    }
    blocks
}

fn remarks(files: &[&ListedFile]) -> Vec<Block> {
    let remarks = files.iter().flat_map(|file| {
        file.remarks.iter().map(|remark| Block::Item(place(file), remark.clone()))
    });
    let mut blocks: Vec<Block> = remarks.collect();
    if !blocks.is_empty() {
        blocks.insert(0, Block::Heading(1, "Remarks".into()));
    }
    blocks
}

fn place(file: &ListedFile) -> String {
    match (&file.file, &file.plugin) {
        (Some(file), _) => file.clone(),
        (None, Some(plugin)) => format!("{plugin} (built in)"),
        (None, None) => "built in".to_owned(),
    }
}

/// Returns the folder of a file, empty for a built-in family.
fn folder(file: &ListedFile) -> String {
    let folder = file.file.as_deref().and_then(|file| std::path::Path::new(file).parent());
    folder.map_or_else(String::new, |folder| folder.display().to_string())
}

fn searched(places: &[Searched]) -> Table {
    let rows = places.iter().enumerate().map(|(number, place)| {
        let path = match &place.path {
            Some(path) if place.exists => path.clone(),
            Some(path) => format!("{path} (does not exist)"),
            None => "linked into simhost".to_owned(),
        };
        [(number + 1).to_string(), place.source.to_owned(), path]
    });
    let mut table = table(["", "SOURCE", "FOLDER"], rows);
    // sources that are not set are listed at their place in the order
    for (at, source) in ["--plugin-dir", "SIMHOST_PLUGIN_PATH"].into_iter().enumerate() {
        if !places.iter().any(|place| place.source == source) {
            let before = ["--plugin-dir", "SIMHOST_PLUGIN_PATH"][..at].to_vec();
            let place =
                table.rows.iter().take_while(|row| before.contains(&row[1].as_str())).count();
            table.rows.insert(place, vec!["-".into(), source.into(), "not given".into()]);
        }
    }
    table
}

/// Lists the classes of one plugin under its name and version.
fn classes(family: &[&ListedClass]) -> Vec<Block> {
    let Some(first) = family.first() else { return Vec::new() };
    let name = format!("{} {}", first.plugin, first.version);
    let rows = family.iter().map(|class| {
        let mut remarks = Vec::new();
        if class.state == "ambiguous" {
            remarks.push("ambiguous: write the full name");
        }
        if !class.has_effect {
            remarks.push("no readings yet");
        }
        // kinds take the same width in every table
        [format!("{:<10}", class.kind), class.full_name.clone(), remarks.join("; ")]
    });
    let rows = Block::Table(table(["", "", ""], rows));
    match &first.file {
        Some(file) => vec![
            Block::Heading(1, name),
            Block::Paragraph(format!("{file} ({})", first.source)),
            rows,
        ],
        None => vec![Block::Heading(1, format!("{name} ({})", first.source)), rows],
    }
}
