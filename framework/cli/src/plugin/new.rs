//! `simhost plugin new`: writes a project for a model, with tests and a world.

pub mod name;
mod sdk;
mod templates;

use std::fs;
use std::path::{Path, PathBuf};

use simhost_registry::{Catalogue, Options};

use crate::arguments::{Language, New};
use crate::exit::{Code, Failure};
use crate::terminal;

use sdk::Sdk;

/// A file of a project: where it goes, and its text.
type File = (String, String);

/// Writes a project.
pub fn new(arguments: &New) -> Result<Code, Failure> {
    let folder = arguments.dir.clone().unwrap_or_default().join(&arguments.name);
    let sdk = Sdk::find(arguments.sdk.as_deref(), arguments.lang)?;
    let class = name::class(&arguments.name);
    let taken = is_built_in(arguments, &class)?;
    let files = templates::files(arguments, &sdk, taken)?;
    write(&folder, &files)?;
    if taken {
        terminal::warning(&ambiguous(arguments, &class));
    }
    terminal::document(&told(arguments, &folder, &files))?;
    Ok(Code::Done)
}

/// Whether a class of this kind and name is linked in.
fn is_built_in(arguments: &New, class: &str) -> Result<bool, Failure> {
    let built_in = Catalogue::collect(Options::default())
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    Ok(!built_in.named(arguments.kind.kind(), class).is_empty())
}

fn ambiguous(arguments: &New, class: &str) -> String {
    let (kind, vendor) = (arguments.kind.kind().tag(), &arguments.vendor);
    format!(
        "`{class}` is a built-in {kind} class too: where both are there, worlds have to write \
         `{vendor}/{class}` or `simhost/{class}`"
    )
}

/// Writes the files of a folder that must not be there yet.
fn write(folder: &Path, files: &[File]) -> Result<(), Failure> {
    if folder.symlink_metadata().is_ok() {
        let text = format!(
            "`{}` is there already: nothing is overwritten\nhelp: take another name, or another \
             folder with --dir",
            folder.display()
        );
        return Err(Failure::new(Code::Output, text));
    }
    for (place, text) in files {
        let path = folder.join(place);
        let parent = path.parent().map_or(Ok(()), fs::create_dir_all);
        parent.and_then(|()| fs::write(&path, text)).map_err(|error| {
            Failure::new(Code::Output, format!("cannot write `{}`: {error}", path.display()))
        })?;
    }
    Ok(())
}

/// What was written, and what to type next.
fn told(arguments: &New, folder: &Path, files: &[File]) -> String {
    let language = match arguments.lang {
        Language::Rust => "Rust",
        Language::C => "C",
    };
    let kind = arguments.kind.kind().tag();
    let mut text = format!("wrote a {kind} model in {language}:\n");
    for (place, _) in files {
        text += &format!("  {}\n", folder.join(place).display());
    }
    text += &format!("\nnext:\n  cd {}\n", folder.display());
    for command in templates::commands(arguments) {
        text += &format!("  {command}\n");
    }
    text
}

/// A path without `.` and `..`, or as it is where that cannot be told.
fn absolute(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
