//! Reading robots with the meshes of their packages.

use std::fmt::Write;
use std::path::Path;

use simhost_assets::Limits;
use simhost_urdf::{Note, Packages, ReadError, Robot, RobotFile, VehicleDraft};

use super::ImportRobot;
use crate::process::{Code, Failure};
use crate::{run_reader, terminal};

pub fn write(arguments: &ImportRobot) -> Result<Code, Failure> {
    let (file, out) = (&arguments.file, &arguments.out);
    let name = out.file_name().unwrap_or_default().to_string_lossy();
    if !name.ends_with(".xml") {
        let text = format!(
            "{} is not a name of a vehicle file or a world; expected a name such as robot.vehicle.xml or \
             yard.world.xml",
            out.display()
        );
        return Err(Failure::new(Code::Usage, text));
    }
    run_reader::output(Some(out), out, "", arguments.force)?;
    let text = std::fs::read_to_string(file)
        .map_err(|error| Failure::new(Code::BadInput, format!("{}: {error}", file.display())))?;
    let base = out.parent().filter(|one| !one.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let packages = Packages {
        file,
        base,
        given: Some(&arguments.packages),
        check: &|_| Ok(()),
        limits: Limits::default(),
    };
    let (written, summary, notes) = match name.ends_with(".world.xml") {
        true => world(&text, arguments, &packages)?,
        false => vehicle(&text, arguments, &packages)?,
    };
    run_reader::write(out, written.as_bytes())?;
    terminal::result(&summary)?;
    terminal::remark(&report(&notes, file));
    Ok(Code::Done)
}

/// A file, what it has in a few words, and what had no effect.
type Written = (String, String, Vec<Note>);

/// Returns a failure with the place in the file.
fn refused(file: &Path, error: &ReadError) -> Failure {
    Failure::new(Code::BadInput, error.in_file(file.display()))
}

fn vehicle(
    text: &str,
    arguments: &ImportRobot,
    packages: &Packages<'_>,
) -> Result<Written, Failure> {
    let refused = |error| refused(packages.file, &error);
    let robots = simhost_urdf::read(text).map_err(refused)?;
    let robot = chosen(&robots, arguments)?;
    let draft = VehicleDraft::of(robot, &|uri| packages.points(uri)).map_err(refused)?;
    let class = arguments.name.as_deref().unwrap_or(&robot.name);
    let (name, path) = (source(packages.file), packages.file_path());
    let file = RobotFile { name: &name, path: (robots.len() == 1).then_some(path.as_str()) };
    let written = draft.to_xml(class, file, &|uri| packages.path(uri));
    Ok((written.text, summary(&draft, class, arguments), written.notes))
}

fn world(text: &str, arguments: &ImportRobot, packages: &Packages<'_>) -> Result<Written, Failure> {
    if arguments.model.is_some() || arguments.name.is_some() {
        let text = "--model and --name belong to a vehicle file, and --out is a world";
        return Err(Failure::new(Code::Usage, text));
    }
    let refused = |error| refused(packages.file, &error);
    let scenery = simhost_urdf::read_world(text).map_err(refused)?;
    let (points, find) = (|uri: &str| packages.points(uri), |uri: &str| packages.path(uri));
    let name = source(packages.file);
    let (world, notes) = scenery.to_xml(&name, &points, &find).map_err(refused)?;
    let (robots, props) = (scenery.robots.len(), scenery.props.len());
    let out = arguments.out.display();
    let summary = format!("  {robots} robots, {props} obstacles\nnext: simhost {out} --out out");
    Ok((world, summary, notes))
}

/// Returns the model with the requested name, or the only one.
fn chosen<'r>(robots: &'r [Robot], arguments: &ImportRobot) -> Result<&'r Robot, Failure> {
    let names = || robots.iter().map(|robot| robot.name.as_str()).collect::<Vec<_>>().join(", ");
    let file = arguments.file.display();
    match (&arguments.model, robots) {
        (None, [only]) => Ok(only),
        (None, _) => {
            let text = format!("{file} has several models; name one with --model: {}", names());
            Err(Failure::new(Code::Usage, text))
        }
        (Some(name), _) => robots.iter().find(|robot| robot.name == *name).ok_or_else(|| {
            Failure::new(
                Code::Usage,
                format!("{file} has no model '{name}'; expected one of: {}", names()),
            )
        }),
    }
}

/// Returns the name of a file.
fn source(file: &Path) -> String {
    file.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

fn summary(draft: &VehicleDraft<'_>, class: &str, arguments: &ImportRobot) -> String {
    let (total, out) = (draft.robot.total(), arguments.out.display());
    let mut text = String::new();
    let _ = writeln!(
        text,
        "  class '{class}': {}, {:.4} kg, {} wheels, {} sensors",
        draft.class,
        total.mass,
        draft.wheels.len(),
        draft.robot.sensors.len()
    );
    let _ = write!(
        text,
        "next: simhost vehicle {out}\n      <include file=\"{out}\"/> and <vehicle class=\"{class}\"> in a world"
    );
    text
}

/// Lists what had no effect: each reason once, with its lines.
fn report(notes: &[Note], file: &Path) -> String {
    let file = file.file_name().unwrap_or_default().to_string_lossy();
    let mut text = match notes.len() {
        0 => return format!("everything in {file} was read"),
        1 => "1 part has no effect or was simplified:".to_owned(),
        many => format!("{many} parts have no effect or were simplified:"),
    };
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for note in notes {
        let line = note.line.to_string();
        match reasons.iter_mut().find(|(reason, _)| *reason == note.text) {
            Some((_, lines)) => lines.push(line),
            None => reasons.push((&note.text, vec![line])),
        }
    }
    for (reason, lines) in reasons {
        let _ = write!(text, "\n  {file}:{}: {reason}", lines.join(","));
    }
    text
}
