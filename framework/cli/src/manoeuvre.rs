//! `simhost manoeuvre`: drives a car through a standard manoeuvre.

use std::path::Path;

use quick_xml::escape::escape;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use simhost::Error;
use simhost::manoeuvres::Manoeuvre;
use simhost_world::{LoadOptions, load_text};

use crate::arguments::DriveManoeuvre;
use crate::exit::{Code, Failure};
use crate::{catalogue, diagnostics, run_reader, terminal};

/// Drives the car of a vehicle file, and prints the metrics.
pub fn drive(arguments: &DriveManoeuvre) -> Result<Code, Failure> {
    let manoeuvre = named(&arguments.name)?;
    let file = &arguments.vehicle;
    let text = std::fs::read_to_string(file).map_err(|error| {
        Failure::new(Code::BadInput, format!("cannot read {}: {error}", file.display()))
    })?;
    let class = class_of(file, &text, arguments.class.as_deref())?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let include = format!("<include file=\"{}\"/>", escape(name));
    let content = manoeuvre.world(&include, &escape(&class));
    let catalogue = catalogue::collect(&arguments.models)?;
    let path = folder.join(format!("{}.world.xml", manoeuvre.name()));
    let loaded = load_text(&path, content.as_bytes(), &LoadOptions::default(), &catalogue)
        .map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    let speed = arguments.speed.map_or(manoeuvre.usual_speed(), |speed| speed / 3.6);
    let report = manoeuvre.run(&loaded.world, speed).map_err(|error| match error {
        Error::Manoeuvre { .. } => {
            let help = "help: choose another speed with --speed, or correct the vehicle";
            Failure::new(Code::BadInput, format!("{error}\n{help}"))
        }
        Error::Commands(error) => {
            let help = "help: write <controller class=\"pedals\"/> in the <dynamics> of the class";
            Failure::new(Code::BadInput, format!("{error}\n{help}"))
        }
        error => diagnostics::session_failure(error),
    })?;
    terminal::result(report.table().trim_end())?;
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder).map_err(|error| {
            Failure::new(Code::Output, format!("cannot create {}: {error}", folder.display()))
        })?;
        let file = |ending: &str| folder.join(format!("{}.{ending}", manoeuvre.name()));
        run_reader::write(&file("md"), report.table().as_bytes())?;
        run_reader::write(&file("csv"), report.csv().as_bytes())?;
    }
    let holds = report.metrics.iter().all(|metric| metric.holds != Some(false));
    Ok(if holds { Code::Done } else { Code::Negative })
}

fn named(name: &str) -> Result<Manoeuvre, Failure> {
    let mut all = Manoeuvre::ALL.into_iter();
    all.find(|one| one.name().eq_ignore_ascii_case(name)).ok_or_else(|| {
        let names = Manoeuvre::ALL.map(Manoeuvre::name).join(", ");
        Failure::new(Code::Usage, format!("unknown manoeuvre `{name}`; expected one of: {names}"))
    })
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

/// Returns the class of a vehicle file: the one that is asked for, or the only one.
fn class_of(file: &Path, text: &str, given: Option<&str>) -> Result<String, Failure> {
    if let Some(given) = given {
        return Ok(given.to_owned());
    }
    // the reader of worlds reports what is wrong with the file, and where
    let Ok(classes) = declared_classes(text) else { return Ok(String::new()) };
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
