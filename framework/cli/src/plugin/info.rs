//! `simhost plugin info`: describes one plugin, or one class with its plugin.

use std::path::Path;

use simhost_registry::Catalogue;
use simhost_registry::page::{ModelPage, PluginPage};

use super::check;
use super::doc::declarations;
use super::document::{Block, table};
use crate::plugin::PluginSubject;
use crate::process::{Code, Failure};
use crate::terminal::json;
use crate::{catalogue, terminal};

/// Describes a plugin, or the class of one.
pub fn info(arguments: &PluginSubject) -> Result<Code, Failure> {
    let name = arguments.subject.to_string_lossy();
    let pages = if check::is_file(&arguments.subject) {
        vec![of_file(&arguments.subject)?]
    } else {
        let catalogue = catalogue::collect(&arguments.models)?;
        of_class(&catalogue, &name)?
    };
    let text = match (arguments.json, pages.as_slice()) {
        (true, [page]) => json(page),
        (true, pages) => json(&pages),
        (false, pages) => {
            let blocks: Vec<Block> = pages.iter().flat_map(blocks).collect();
            super::document::text(&blocks, terminal::width())
        }
    };
    terminal::document(&text)?;
    Ok(Code::Done)
}

fn of_file(file: &Path) -> Result<PluginPage, Failure> {
    let catalogue = catalogue::of_file(file, false)?;
    let library = catalogue.libraries().iter().find(|library| library.file.is_some());
    let page = library.and_then(PluginPage::of);
    page.ok_or_else(|| {
        let refusal = library.and_then(|library| library.refusal.as_ref());
        let why = refusal.map(ToString::to_string).unwrap_or_default();
        Failure::new(Code::BadInput, format!("{}: it {why}", file.display()))
    })
}

/// Describes each plugin that has a class of this name, with the models of the class alone.
fn of_class(catalogue: &Catalogue, name: &str) -> Result<Vec<PluginPage>, Failure> {
    let mut pages: Vec<(usize, PluginPage)> = Vec::new();
    for entry in check::classes(catalogue, name)? {
        let page = PluginPage::of(&catalogue.libraries()[entry.library]);
        let page = page.expect("a class comes from a library with a descriptor");
        let is_it =
            |model: &ModelPage| model.class == entry.class && model.kind == entry.kind.tag();
        let models = page.models.iter().filter(|model| is_it(model)).cloned();
        match pages.iter_mut().find(|(library, _)| *library == entry.library) {
            Some((_, known)) => known.models.extend(models),
            None => {
                let models = models.collect();
                pages.push((entry.library, PluginPage { models, ..page }));
            }
        }
    }
    Ok(pages.into_iter().map(|(_, page)| page).collect())
}

fn blocks(page: &PluginPage) -> Vec<Block> {
    let mut blocks = vec![
        Block::Heading(1, format!("{}/{} {}", page.vendor, page.name, page.version)),
        Block::Table(table([String::new(), String::new()], facts(page))),
    ];
    for model in &page.models {
        blocks.push(Block::Heading(1, format!("{} {}", model.kind, model.full_name)));
        blocks.push(Block::Paragraph(about(model)));
        blocks.extend(declarations(model));
    }
    blocks
}

fn facts(page: &PluginPage) -> Vec<[String; 2]> {
    let abi = &page.abi;
    let same = |equal: bool| if equal { "same as this host" } else { "NOT the same as this host" };
    let mut facts = vec![
        ("vendor", page.vendor.to_owned()),
        ("name", page.name.to_owned()),
        ("version", page.version.to_owned()),
        ("file", page.file.clone().unwrap_or_else(|| "built in".to_owned())),
        ("source", page.source.to_owned()),
        ("sha256", page.sha256.clone().unwrap_or_else(|| "-".to_owned())),
        ("ABI epoch", format!("{} ({})", abi.epoch, same(abi.epoch == abi.host_epoch))),
        ("fingerprint", format!("{} ({})", abi.fingerprint, same(abi.matches))),
        ("state", page.state.to_owned()),
    ];
    facts.extend(page.remarks.iter().map(|remark| ("remark", remark.clone())));
    facts.into_iter().map(|(what, value)| [what.to_owned(), value]).collect()
}

fn about(model: &ModelPage) -> String {
    let sideways = if model.holonomic { " It can move sideways." } else { "" };
    format!("{}{sideways}", model.doc)
}
