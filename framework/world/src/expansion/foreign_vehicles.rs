//! Vehicle files in formats of other programs, such as robots in URDF.
//!
//! A [`VehicleFormat`] writes the file as a class in the language of worlds. Its elements get the positions of the lines that
//! they come from, so that each message about them shows the file as it was written.

use std::fmt::Write as _;
use std::path::Path;

use simhost_model::{VehicleFormat, VehicleFormatError, VehicleRequest, vehicle_format};

use super::state::Expansion;
use crate::diagnostics::Diagnostic;
use crate::sources::Span;
use crate::tree::{Element, Origin};
use crate::xml;

/// Ends of the names of robots, for builds that cannot read them.
const ROBOTS: &[&str] = &[".urdf", ".sdf", ".xacro"];
/// Maximum number of reasons in the report about a file. Further ones are counted.
const MOST_REASONS: usize = 30;

/// How a file that is not in JSON is read.
#[derive(Clone, Copy)]
pub(super) enum Format {
    /// The program contains a reader.
    Linked(&'static dyn VehicleFormat),
    /// The file is a robot, and the program has no reader for robots.
    Missing,
}

/// Returns the format of a vehicle file; `None` for JSON.
pub(super) fn format_of(path: &Path) -> Option<Format> {
    if let Some(format) = vehicle_format(path) {
        return Some(Format::Linked(format));
    }
    let name = path.to_string_lossy().to_lowercase();
    ROBOTS.iter().any(|ending| name.ends_with(ending)).then_some(Format::Missing)
}

/// Parses the text of source `file` into the element of a vehicle class. The result is incomplete if an error was
/// reported.
pub(super) fn parse(
    expansion: &mut Expansion,
    path: &Path,
    file: u32,
    text: &str,
    format: Format,
) -> Option<Element> {
    let source = Lines { file, text, starts: line_starts(text) };
    if let Some((at, letter)) = text.char_indices().find(|(_, letter)| xml::is_refused(*letter)) {
        let (start, end) = (at as u32, (at + letter.len_utf8()) as u32);
        expansion.report.push(xml::character_error(letter).at(Span { file, start, end }));
        return None;
    }
    let Format::Linked(format) = format else {
        report_missing(expansion, path, source.span(1));
        return None;
    };
    let confinement = expansion.files.confinement.clone();
    let check = |path: &Path| confinement.as_ref().map_or(Ok(()), |bounds| bounds.check(path));
    let max_file_bytes = expansion.files.max_size;
    let request = VehicleRequest { file: path, text, check: &check, max_file_bytes };
    let found = match format.convert(&request) {
        Ok(found) => found,
        Err(VehicleFormatError { line, text, help }) => {
            let error = Diagnostic::error(text).at(source.span(line.unwrap_or(1)));
            let help = Some(help).filter(|help| !help.is_empty());
            expansion.report.push(help.into_iter().fold(error, Diagnostic::help));
            return None;
        }
    };
    let roots = xml::parse(&found.class, file, &mut expansion.budget, &mut expansion.report);
    let mut root = roots.into_iter().next()?;
    let written = Written { starts: line_starts(&found.class), lines: &found.lines };
    settle(&mut root, &|span| source.span(written.line(span)));
    report_notes(expansion, path, &source, &found.notes);
    Some(root)
}

fn report_missing(expansion: &mut Expansion, path: &Path, span: Span) {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let error = Diagnostic::error("robots in URDF and SDF are not supported by this build");
    let help = format!(
        "convert it with a build that has the feature `urdf`: simhost import {name} -o robot.vehicle.xml, and include \
         the result"
    );
    expansion.report.push(error.at(span).label("needs the feature `urdf`").help(help));
}

/// Reports what has no effect: one warning for the file, with each reason once and its lines.
fn report_notes(
    expansion: &mut Expansion,
    path: &Path,
    source: &Lines<'_>,
    notes: &[(u32, String)],
) {
    let Some((first, _)) = notes.first() else { return };
    let mut reasons: Vec<(&str, String)> = Vec::new();
    for (line, reason) in notes {
        match reasons.iter_mut().find(|(known, _)| known == reason) {
            Some((_, lines)) => drop(write!(lines, ", {line}")),
            None => reasons.push((reason, line.to_string())),
        }
    }
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let what = match notes.len() {
        1 => format!("1 part of `{name}` has no effect or was simplified"),
        many => format!("{many} parts of `{name}` have no effect or were simplified"),
    };
    let mut warning = Diagnostic::warning(what).at(source.span(*first)).label("the first of them");
    for (reason, lines) in reasons.iter().take(MOST_REASONS) {
        let word = if lines.contains(',') { "lines" } else { "line" };
        warning = warning.note(format!("{word} {lines}: {reason}"));
    }
    if let Some(more) = reasons.len().checked_sub(MOST_REASONS).filter(|more| *more > 0) {
        warning = warning.note(format!("{more} more reasons; `simhost import` lists all"));
    }
    expansion.report.push(warning);
}

/// A described file and the first byte of each of its lines.
struct Lines<'t> {
    file: u32,
    text: &'t str,
    starts: Vec<usize>,
}

impl Lines<'_> {
    /// Returns the position of a line, from 1, without the white space around it.
    fn span(&self, line: u32) -> Span {
        let number = (line.max(1) as usize - 1).min(self.starts.len() - 1);
        let start = self.starts[number];
        let end = self.starts.get(number + 1).copied().unwrap_or(self.text.len());
        let text = &self.text[start..end];
        let start = start + text.len() - text.trim_start().len();
        let end = start + text.trim().len();
        Span { file: self.file, start: start as u32, end: end.max(start) as u32 }
    }
}

/// A class that a format has written.
struct Written<'l> {
    /// First byte of each line.
    starts: Vec<usize>,
    /// Line of the described file for each line.
    lines: &'l [u32],
}

impl Written<'_> {
    /// Returns the line of the described file from which a part of the class comes.
    fn line(&self, span: Span) -> u32 {
        let number = self.starts.partition_point(|start| *start <= span.start as usize);
        self.lines.get(number.saturating_sub(1)).copied().unwrap_or(1)
    }
}

fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// Moves all positions of a tree into the described file. Its texts are final values, even with a `$`.
fn settle(element: &mut Element, place: &dyn Fn(Span) -> Span) {
    element.name_span = place(element.name_span);
    for attribute in &mut element.attributes {
        attribute.name_span = place(attribute.name_span);
    }
    let texts = element.attributes.iter_mut().map(|attribute| &mut attribute.text);
    for text in texts.chain(&mut element.text) {
        text.span = place(text.span);
        text.origin = Origin::Computed;
    }
    element.dynamic = false;
    element.children.iter_mut().for_each(|child| settle(child, place));
}
