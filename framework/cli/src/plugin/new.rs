//! `simhost plugin new`: creates a project for a new model, with tests and a world.

mod sdk;
mod templates;

use std::fs;
use std::path::Path;

use sdk::Sdk;
use simhost_registry::{Catalogue, Options};

use crate::plugin::New;
use crate::process::{Code, Failure};
use crate::{plugin_name, terminal};

/// File of a project: its path relative to the project folder, and its text.
type File = (String, String);

/// Creates a project.
pub fn new(arguments: &New) -> Result<Code, Failure> {
    let folder = arguments.dir.clone().unwrap_or_default().join(&arguments.name);
    let sdk = Sdk::find(arguments.sdk.as_deref(), arguments.lang)?;
    let class = plugin_name::class(&arguments.name);
    let taken = is_built_in(arguments, &class)?;
    let files = templates::files(arguments, &sdk, taken)?;
    write(&folder, &files)?;
    if taken {
        terminal::warning(&ambiguous(arguments, &class));
    }
    terminal::document(&summary(arguments, &folder, &files))?;
    Ok(Code::Done)
}

/// Returns whether a built-in class has this kind and name.
fn is_built_in(arguments: &New, class: &str) -> Result<bool, Failure> {
    let built_in = Catalogue::collect(Options::default())
        .map_err(|error| Failure::new(Code::BadInput, error))?;
    Ok(!built_in.named(arguments.kind(), class).is_empty())
}

fn ambiguous(arguments: &New, class: &str) -> String {
    let (kind, vendor) = (arguments.kind().tag(), &arguments.vendor);
    format!(
        "`{class}` is also the name of a built-in {kind} class; where both are available, write \
         `{vendor}/{class}` or `simhost/{class}` in the world file"
    )
}

/// Writes the files into a folder that must not exist yet.
fn write(folder: &Path, files: &[File]) -> Result<(), Failure> {
    if folder.symlink_metadata().is_ok() {
        let text = format!(
            "`{}` already exists; no file was changed\nhelp: choose another name, or another folder \
             with --dir",
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

/// Lists the files written and the commands to run next.
fn summary(arguments: &New, folder: &Path, files: &[File]) -> String {
    let language = arguments.lang.title();
    let kind = arguments.kind().with_article();
    let mut text = format!("wrote {kind} model in {language}:\n");
    let is_copied = |place: &str| place.starts_with(sdk::COPY);
    for (place, _) in files.iter().filter(|(place, _)| !is_copied(place)) {
        text += &format!("  {}\n", folder.join(place).display());
    }
    if files.iter().any(|(place, _)| is_copied(place)) {
        let folder = folder.join(sdk::COPY);
        text +=
            &format!("  {} (the SDK of simhost {})\n", folder.display(), env!("CARGO_PKG_VERSION"));
    }
    text += &format!("\nnext:\n  cd {}\n", folder.display());
    for command in templates::commands(arguments) {
        text += &format!("  {command}\n");
    }
    if let Some(command) = templates::with_cmake(arguments.lang) {
        text += &format!("\nor build and check it with CMake:\n  {command}\n");
    }
    text
}
