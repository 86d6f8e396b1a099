//! Files named in a world: where they are, and reading them with errors at the position of the
//! name.

use std::path::{Path, PathBuf};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::options::MissingAssets;
use crate::sources::Span;
use crate::tree::Text;

/// Returns the path of a local file, relative to the file that names it.
pub(crate) fn local_path(context: &mut Context<'_>, text: &Text) -> Option<PathBuf> {
    let name = text.value()?;
    if name.is_empty() {
        context.report.error(text.span, "empty file name", "expected a path");
        return None;
    }
    path_of(context, text, name)
}

/// Returns the local path of a file with the name `name` in a text.
pub(crate) fn path_of(context: &mut Context<'_>, text: &Text, name: &str) -> Option<PathBuf> {
    let name = name.strip_prefix("file://").unwrap_or(name);
    let path = context.sources.resolve(text.span.file, name);
    if let Err(message) = context.assets.check_name(&path) {
        context.report.error(text.span, message, "");
        return None;
    }
    context.assets.record(&path);
    Some(path)
}

/// Returns the local path of a resource, which may have been downloaded. Reports a resource that is
/// not available.
pub(crate) fn resource(context: &mut Context<'_>, text: &Text) -> Option<PathBuf> {
    let (name, file) = (text.value()?, text.span.file);
    let directories = [file, 0].map(|file| context.sources.directory(file));
    match context.assets.locate(name, file, &directories) {
        Ok(path) => Some(path),
        Err(message) => {
            let help = "run with `--missing-assets placeholder` to continue without it";
            report_missing(context, text.span, message, Some(help));
            None
        }
    }
}

/// Returns the local path of an image whose size is within the limits.
pub(crate) fn image(context: &mut Context<'_>, text: &Text) -> Option<PathBuf> {
    let path = resource(context, text)?;
    match context.assets.check_image(&path) {
        Ok(()) => Some(path),
        Err(message) => {
            report_missing(context, text.span, message, None);
            None
        }
    }
}

fn report_missing(context: &mut Context<'_>, span: Span, message: String, help: Option<&str>) {
    let diagnostic = match context.assets.missing {
        MissingAssets::Error => Diagnostic::error(message).label("not available"),
        MissingAssets::Placeholder => Diagnostic::warning(message).label("omitted"),
    };
    // the advice is useful only where it has not been followed yet
    let help = help.filter(|_| context.assets.missing == MissingAssets::Error);
    let diagnostic = help.into_iter().fold(diagnostic, Diagnostic::help);
    context.report.push(diagnostic.at(span));
}

/// Reads a file. Reports an error at the position that names it.
pub(crate) fn read<T>(
    context: &mut Context<'_>,
    place: Span,
    path: &Path,
    read: impl FnOnce(&Path) -> Result<T, simhost_assets::AssetError>,
) -> Option<T> {
    let assets = &mut context.assets;
    let outcome =
        assets.charge(path).and_then(|()| read(path).map_err(|error| assets.explain(&error)));
    outcome.map_err(|message| context.report.error(place, message, "cannot be used")).ok()
}

/// Reads a text of at most `most` bytes. Reports an error at the position that names it.
pub(crate) fn read_text(
    context: &mut Context<'_>,
    place: Span,
    path: &Path,
    most: u64,
) -> Option<String> {
    if let Err(message) = context.assets.charge(path) {
        context.report.error(place, message, "cannot be used");
        return None;
    }
    let most = most.min(context.assets.limits.max_file_bytes);
    let text = simhost_files::read_text(path, most);
    if let Err(error) = &text {
        let problem = format!("{}: cannot be read: {error}", path.display());
        let help = "name a file relative to the world file";
        report_problem(context, place, path, problem, help);
    }
    text.ok()
}

/// Reports a problem of a file at the position that names it. Worlds of clients learn nothing about files.
pub(crate) fn report_problem(
    context: &mut Context<'_>,
    place: Span,
    path: &Path,
    problem: String,
    help: &str,
) {
    let error = match context.assets.is_confined() {
        true => Diagnostic::error(format!("cannot use `{}`", path.display())),
        false => Diagnostic::error(problem).help(help),
    };
    context.report.push(error.at(place).label("cannot be used"));
}

/// Reserves memory for a map or a mesh. Reports an error if there is too much of it.
pub(crate) fn reserve(context: &mut Context<'_>, bytes: usize, place: Span) -> bool {
    let reserved = context.assets.reserve(bytes);
    if let Err(message) = &reserved {
        let help = "use fewer or coarser maps and meshes";
        context.report.push(Diagnostic::error(message).at(place).help(help));
    }
    reserved.is_ok()
}

/// Reserves time for a rough terrain of rows and columns of samples. Reports an error if all of them together have too
/// many.
pub(crate) fn reserve_rough(context: &mut Context<'_>, size: [f64; 2], place: Span) -> bool {
    let reserved = context.assets.reserve_rough(size);
    if let Err(message) = &reserved {
        let help = "make the terrain smaller, or its <resolution> coarser";
        context.report.push(Diagnostic::error(message).at(place).help(help));
    }
    reserved.is_ok()
}
