//! `simhost vehicle`: the data sheet of a vehicle.

mod charts;

use std::fmt::Write;
use std::path::{Path, PathBuf};

use clap::Args;
use quick_xml::escape::escape;
use quick_xml::events::Event;
use quick_xml::{Reader, XmlVersion};
use serde_json::{Map, Value, json};
use simhost::manoeuvres::USUAL_STEERING_RATIO;
use simhost::{DataSheet, SheetOptions, SheetRow, SuspensionCurve, TyreCurve, data_sheet};
use simhost_pictures::{SheetPage, SheetTable, sheet_page};
use simhost_world::{LoadOptions, Loaded, World, load_text};

use self::charts::charts;
use crate::arguments::Models;
use crate::process::{Code, Failure};
use crate::{catalogue, diagnostics, run_reader, terminal, world_file};

/// Arguments of `simhost vehicle`.
#[derive(Args, Clone, Debug)]
pub struct DescribeVehicle {
    /// File with a `<vehicle:class>`, or a world.
    pub file: PathBuf,

    /// Name of the vehicle, if the world has several.
    #[arg(long, value_name = "NAME")]
    pub vehicle: Option<String>,

    /// Name of the class, if the vehicle file declares several.
    #[arg(long, value_name = "NAME", conflicts_with = "vehicle")]
    pub class: Option<String>,

    /// Argument of the vehicle file, which it reads as `${NAME}` (repeatable).
    #[arg(long = "arg", value_name = "NAME=VALUE", value_parser = crate::arguments::argument)]
    pub arguments: Vec<(String, String)>,

    /// Speed at which tyres, and oscillations of cars with wheel travel, are measured and the yaw velocity gain is computed, km/h.
    #[arg(long, value_name = "KMH", default_value_t = 80.0, value_parser = crate::arguments::positive)]
    pub speed: f64,

    /// Angle of the steering wheel divided by the angle of the road wheels.
    #[arg(long, value_name = "RATIO", default_value_t = USUAL_STEERING_RATIO, value_parser = crate::arguments::positive)]
    pub steering_ratio: f64,

    /// Print the sheet as JSON, in SI units and degrees as in the table.
    #[arg(long)]
    pub json: bool,

    /// HTML page to write, with tyre curves, suspension curves and the handling diagram.
    #[arg(short, long, value_name = "FILE")]
    pub out: Option<PathBuf>,

    /// Replace an existing file.
    #[arg(long, requires = "out")]
    pub force: bool,

    #[command(flatten)]
    pub models: Models,
}

/// Prints the data sheet of a vehicle, and writes its page.
pub fn describe(arguments: &DescribeVehicle) -> Result<Code, Failure> {
    let out = arguments.out.as_deref();
    if let Some(out) = out {
        run_reader::extension(out, &["html", "htm"])?;
        run_reader::output(Some(out), out, "", arguments.force)?;
    }
    let loaded = load(arguments)?;
    let name = named(&loaded.world, arguments)?;
    let options =
        SheetOptions { speed: arguments.speed / 3.6, steering_ratio: arguments.steering_ratio };
    let sheet = data_sheet(&loaded.world, &name, options).map_err(diagnostics::session_failure)?;
    if arguments.json {
        terminal::document(&terminal::json(&in_json(&sheet)))?;
    } else {
        terminal::document(&table(&sheet))?;
    }
    if let Some(out) = out {
        run_reader::write(out, sheet_page(&page(&sheet)).as_bytes())?;
    }
    Ok(Code::Done)
}

/// Loads the world, or a world with a vehicle of the class of the file.
fn load(arguments: &DescribeVehicle) -> Result<Loaded, Failure> {
    let file = &arguments.file;
    let catalogue = catalogue::collect(&arguments.models)?;
    let options = LoadOptions::default();
    let loaded = if is_vehicle_file(file) {
        let class = class_of(file, arguments.class.as_deref())?;
        let include = include(file, &arguments.arguments);
        let class = escape(&class);
        let text = format!(
            "<mvsim_world version=\"1.0\">\n{include}\n<vehicle name=\"{class}\" class=\"{class}\">\
             <init_pose>0 0 0</init_pose></vehicle>\n</mvsim_world>\n"
        );
        let path = file.parent().unwrap_or(Path::new("")).join("vehicle.world.xml");
        load_text(&path, text.as_bytes(), &options, &catalogue)
    } else if arguments.class.is_some() || !arguments.arguments.is_empty() {
        let text = format!(
            "{} is not a vehicle file; expected a <vehicle:class>, whose arguments --class and --arg are",
            file.display()
        );
        return Err(Failure::new(Code::Usage, text));
    } else {
        world_file::load(file, &options, &catalogue)?
    };
    let loaded = loaded.map_err(|error| diagnostics::load_failure(&error))?;
    diagnostics::show(&loaded.warnings, &loaded.sources);
    Ok(loaded)
}

/// Returns the name of the vehicle: the requested one, or the only one.
fn named(world: &World, arguments: &DescribeVehicle) -> Result<String, Failure> {
    if let Some(name) = &arguments.vehicle {
        return Ok(name.clone());
    }
    let file = arguments.file.display();
    match &world.vehicles[..] {
        [only] => Ok(only.name.clone()),
        [] => Err(Failure::new(Code::BadInput, format!("{file} has no vehicle; expected one"))),
        several => {
            let names: Vec<&str> = several.iter().map(|one| one.name.as_str()).collect();
            let names = names.join(", ");
            let text = format!("{file} has several vehicles; name one with --vehicle: {names}");
            Err(Failure::new(Code::Usage, text))
        }
    }
}

/// Returns a number with four or more significant digits.
fn shown(number: f64) -> String {
    match number.abs() {
        // an error of rounding
        size if size < 1e-12 => "0".to_owned(),
        size if size >= 1000.0 => format!("{number:.0}"),
        size if size >= 1.0 => format!("{number:.3}"),
        _ => format!("{number:.4}"),
    }
}

/// Returns name, value and unit of a row; the reason in place of a missing value.
fn cells(row: &SheetRow) -> [String; 3] {
    let unit = if row.unit == "1" { "" } else { row.unit };
    match &row.value {
        Ok(value) => [row.name.clone(), shown(*value), unit.to_owned()],
        Err(reason) => [row.name.clone(), "–".to_owned(), reason.clone()],
    }
}

/// Returns the headings of the groups and their rows.
fn groups(sheet: &DataSheet) -> Vec<(&'static str, Vec<[String; 3]>)> {
    let mut groups: Vec<(&str, Vec<_>)> = Vec::new();
    for row in &sheet.rows {
        match groups.last_mut() {
            Some((group, rows)) if *group == row.group => rows.push(cells(row)),
            _ => groups.push((row.group, vec![cells(row)])),
        }
    }
    groups
}

fn table(sheet: &DataSheet) -> String {
    let speed = 3.6 * sheet.speed;
    let mut text = format!("# {} ({}) at {speed:.0} km/h\n", sheet.vehicle, sheet.class);
    for (group, rows) in groups(sheet) {
        let _ = write!(text, "\n{group}\n{}", terminal::table(&rows));
    }
    text
}

fn in_json(sheet: &DataSheet) -> Value {
    let value = |row: &SheetRow| match &row.value {
        Ok(value) => json!({ "value": value, "unit": row.unit }),
        Err(reason) => json!({ "value": null, "unit": row.unit, "reason": reason }),
    };
    let values: Map<String, Value> = sheet.rows.iter().map(|row| (row.key(), value(row))).collect();
    let curves = |curves: &[TyreCurve]| -> Vec<Value> {
        curves.iter().map(|one| json!({ "load": one.load, "points": one.points })).collect()
    };
    let tyres = sheet.tyres.iter().map(|tyre| {
        json!({
            "axle": tyre.axle,
            "class": tyre.class,
            "lateral": curves(&tyre.lateral),
            "longitudinal": curves(&tyre.longitudinal),
        })
    });
    let suspensions = sheet.suspensions.iter().map(|one| {
        let curve = |curve: &SuspensionCurve| {
            (curve.name.replace(' ', "_"), json!({ "unit": curve.unit, "points": curve.points }))
        };
        let curves: Map<String, Value> = one.curves.iter().map(curve).collect();
        json!({ "axle": one.axle, "class": one.class, "curves": curves })
    });
    json!({
        "vehicle": sheet.vehicle,
        "class": sheet.class,
        "speed": sheet.speed,
        "values": values,
        "tyres": tyres.collect::<Vec<_>>(),
        "suspensions": suspensions.collect::<Vec<_>>(),
        "handling": sheet.handling,
    })
}

fn page(sheet: &DataSheet) -> SheetPage {
    let tables = groups(sheet).into_iter().map(|(group, rows)| {
        let title = group.to_owned();
        SheetTable { title, rows }
    });
    let facts =
        [("Dynamics", sheet.class.clone()), ("Speed", format!("{:.0} km/h", 3.6 * sheet.speed))];
    let facts = facts.map(|(name, value)| (name.to_owned(), value)).to_vec();
    SheetPage {
        title: sheet.vehicle.clone(),
        facts,
        tables: tables.collect(),
        charts: charts(sheet),
    }
}

/// Returns the element that includes a file, with its arguments, in a world of the same folder.
pub(super) fn include(file: &Path, arguments: &[(String, String)]) -> String {
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    let arguments = arguments.iter().map(|(name, value)| format!(" {name}=\"{}\"", escape(value)));
    format!("<include file=\"{}\"{}/>", escape(name), arguments.collect::<String>())
}

/// Returns whether the root of a file is a vehicle class. A file that cannot be read is not.
fn is_vehicle_file(file: &Path) -> bool {
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
pub(super) fn class_of(file: &Path, given: Option<&str>) -> Result<String, Failure> {
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
