//! `simhost fmu describe`: an FMU as a model.

use simhost_model::{Classes, CodePlace, FileRequest};
use simhost_registry::page::ModelPage;
use simhost_registry::{Catalogue, Options};

use super::DescribeFmu;
use crate::diagnostics::unusable_file;
use crate::plugin::doc::declarations;
use crate::plugin::document::{self, Block};
use crate::process::{Code, Failure};
use crate::terminal;

/// Describes an FMU as a model of a kind.
pub fn describe(arguments: &DescribeFmu) -> Result<Code, Failure> {
    let file = std::path::absolute(&arguments.file)
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    let kind = arguments.kind.kind();
    let catalogue = Catalogue::collect(Options::default())
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    let place = CodePlace::Separate;
    let request = FileRequest { kind, class: "fmu", file: &file, maps: &[], place };
    let model = catalogue.find_in_file(request).map_err(unusable_file)?;
    let page = ModelPage::of(kind, "fmu", model.model);
    let title = format!("{} {} from {}", page.kind, page.class, arguments.file.display());
    let mut blocks = vec![Block::Heading(1, title), Block::Paragraph(page.doc.to_owned())];
    blocks.extend(declarations(&page));
    blocks.push(Block::Heading(2, "State".into()));
    let state = match simhost_cosim::why_not_restorable(&file) {
        None => "Snapshots, forks and ensembles save it and restore it.".to_owned(),
        Some(reason) => format!("Snapshots, forks and ensembles are refused: {reason}."),
    };
    blocks.push(Block::Paragraph(state));
    let text = match arguments.markdown {
        true => document::markdown(&blocks),
        false => document::text(&blocks, terminal::width()),
    };
    terminal::document(&text)?;
    Ok(Code::Done)
}
