//! `simhost plugin list`: lists all classes and plugin files.

use simhost_registry::{ListedClass, ListedFile, Listing, Searched};

use super::document::{Block, Table, table};
use super::json;
use crate::arguments::List;
use crate::exit::{Code, Failure};
use crate::{catalogue, terminal};

/// Lists plugins.
pub fn list(arguments: &List) -> Result<Code, Failure> {
    let listing = Listing::of(&catalogue::search(&arguments.models, arguments.rescan)?);
    let text = if arguments.json {
        json(&listing)
    } else {
        super::document::text(&blocks(&listing, arguments.models.verbose), terminal::width())
    };
    terminal::document(&text)?;
    Ok(Code::Done)
}

fn blocks(listing: &Listing, verbose: bool) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(1, "Searched in this order".into()),
        Block::Table(searched(&listing.searched)),
        Block::Heading(1, "Classes".into()),
        Block::Table(classes(&listing.classes)),
    ];
    let shown = |file: &&ListedFile| verbose || !file.other;
    let unused: Vec<_> = listing.files.iter().filter(shown).collect();
    if unused.iter().any(|file| file.why.is_some()) {
        blocks.push(Block::Heading(1, "Not used".into()));
        blocks.push(Block::Table(table(
            ["STATE", "FILE", "WHY"],
            unused
                .iter()
                .filter_map(|file| Some([file.state.to_owned(), place(file), file.why.clone()?])),
        )));
    }
    if unused.iter().any(|file| !file.remarks.is_empty()) {
        blocks.push(Block::Heading(1, "Remarks".into()));
        let remarks = unused
            .iter()
            .flat_map(|file| file.remarks.iter().map(|remark| [place(file), remark.clone()]));
        blocks.push(Block::Table(table(["FILE", "REMARK"], remarks)));
    }
    let others = listing.files.iter().filter(|file| file.other).count();
    if others > 0 && !verbose {
        let suffix = std::env::consts::DLL_SUFFIX;
        blocks.push(Block::Paragraph(format!(
            "{others} more files whose names do not end in {suffix} (-v lists them)"
        )));
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

fn classes(classes: &[ListedClass]) -> Table {
    table(
        ["CLASS", "FULL NAME", "KIND", "VERSION", "EPOCH", "STATE", "SOURCE", "FILE"],
        classes.iter().map(|class| {
            [
                class.class.to_owned(),
                class.full_name.clone(),
                class.kind.to_owned(),
                class.version.to_owned(),
                class.epoch.to_string(),
                class.state.to_owned(),
                class.source.to_owned(),
                class.file.clone().unwrap_or_else(|| "-".to_owned()),
            ]
        }),
    )
}
