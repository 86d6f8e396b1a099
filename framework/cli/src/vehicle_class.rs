//! Files with a `<vehicle:class>`, which `simhost manoeuvre` and `simhost vehicle` put into a world.

use std::path::Path;

use quick_xml::escape::escape;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};

use crate::exit::{Code, Failure};

/// Returns the element that includes a file, with its arguments, in a world of the same folder.
pub fn include(file: &Path, arguments: &[(String, String)]) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let arguments = arguments.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape(value)));
    format!("<include file=\"{}\"{}/>", escape(name), arguments.collect::<String>())
}

/// Returns whether the root of a file is a vehicle class. A file that cannot be read is not.
pub fn is_vehicle_file(file: &Path) -> bool {
    let text = simhost_files::read_text(file, simhost_files::MAX_BYTES).unwrap_or_default();
    let mut reader = Reader::from_str(&text);
    loop {
        match reader.read_event() {
            Ok(Event::Start(root) | Event::Empty(root)) => {
                return root.name().as_ref() == "vehicle:class";
            }
            Ok(Event::Eof) | Err(_) => return false,
            Ok(_) => {}
        }
    }
}

/// Returns the names of the vehicle classes that a file declares.
fn declared_classes(text: &str) -> Result<Vec<String>, quick_xml::Error> {
    let mut names = Vec::new();
    let mut reader = Reader::from_str(text);
    loop {
        match reader.read_event()? {
            Event::Start(element) | Event::Empty(element)
                if element.name().as_ref() == "vehicle:class" =>
            {
                if let Some(name) = element.try_get_attribute("name")? {
                    names.push(name.normalized_value(XmlVersion::Implicit1_0)?.into_owned());
                }
            }
            Event::Eof => return Ok(names),
            _ => {}
        }
    }
}

/// Returns the class of a vehicle file: the requested class, or the only one.
///
/// # Errors
/// Fails if the file cannot be read, declares no class, or declares several and none is requested.
pub fn class_of(file: &Path, given: Option<&str>) -> Result<String, Failure> {
    let text = simhost_files::read_text(file, simhost_files::MAX_BYTES).map_err(|error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", file.display()))
    })?;
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    // the reader of worlds reports what is wrong with the file, and where
    let Ok(classes) = declared_classes(&text) else { return Ok(String::new()) };
    match &classes[..] {
        [only] => Ok(only.clone()),
        [] => {
            let text =
                format!("{} declares no vehicle; expected a <vehicle:class>", file.display());
            Err(Failure::new(Code::BadInput, text))
        }
        _ => {
            let text = format!(
                "{} declares several vehicles; name one of them with --class: {}",
                file.display(),
                classes.join(", ")
            );
            Err(Failure::new(Code::Usage, text))
        }
    }
}
