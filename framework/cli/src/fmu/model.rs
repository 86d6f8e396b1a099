//! `simhost plugin fmu`: one model as an FMU.

use simhost_fmi::{ModelExport, export_model};
use simhost_registry::Entry;

use super::failure;
use crate::arguments::ModelFmu;
use crate::catalogue;
use crate::plugin::{check, doc};
use crate::process::{Code, Failure};

/// Writes a model as an FMU.
pub fn model_fmu(arguments: &ModelFmu) -> Result<Code, Failure> {
    let catalogue = catalogue::collect(&arguments.models)?;
    let entries = check::classes(&catalogue, &arguments.class)?;
    let entry = one(arguments, &entries)?;
    let Some(class) = arguments.variant.checked_sub(1).and_then(|one| entry.variants.get(one))
    else {
        let (name, found) = (&arguments.class, arguments.variant);
        let most = entry.variants.len();
        let text = format!("`{name}` has no variant {found}; expected 1 to {most}");
        return Err(Failure::new(Code::Usage, text));
    };
    let request = ModelExport {
        variant: arguments.variant - 1,
        parameters: arguments.param.clone(),
        folder: std::env::current_dir().unwrap_or_else(|_| ".".into()),
        wheels: arguments.wheels,
        step: arguments.step,
        documentation: doc::page(&catalogue, entry),
        library: arguments.target.library(),
    };
    let (name, files) = (arguments.target.name(), arguments.target.files());
    let summary = export_model(&name, class, &catalogue, &request, &files).map_err(failure)?;
    arguments.target.report(summary)
}

/// Returns the class of the kind that the arguments name.
fn one<'e>(arguments: &ModelFmu, entries: &[&'e Entry]) -> Result<&'e Entry, Failure> {
    let is_of = |entry: &&&Entry| arguments.kind.is_none_or(|kind| kind.kind() == entry.kind);
    let found: Vec<&&Entry> = entries.iter().filter(is_of).collect();
    let tags = |entries: &[&&Entry]| {
        let tags: Vec<_> = entries.iter().map(|entry| entry.kind.tag()).collect();
        tags.join(", ")
    };
    let name = &arguments.class;
    let text = match *found {
        [entry] => return Ok(entry),
        [] => {
            let all: Vec<&&Entry> = entries.iter().collect();
            format!("`{name}` is not a class of this kind; expected {}", tags(&all))
        }
        _ => format!("`{name}` is a class of several kinds: {}\nhelp: add --kind", tags(&found)),
    };
    Err(Failure::new(Code::Usage, text))
}
