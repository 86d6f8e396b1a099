//! Reading robots with the meshes of their packages.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use simhost_assets::{Limits, mesh};
use simhost_urdf::{Note, ReadError, Robot, VehicleDraft};

use super::ImportRobot;
use crate::process::{Code, Failure};
use crate::{run_reader, terminal};

/// Number of folders above the file that are searched for a package.
const LEVELS: usize = 6;

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
    let packages = Packages { file, out, given: &arguments.packages };
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
    let (vehicle, notes) = draft.to_xml(class, &packages.source(), &|uri| packages.relative(uri));
    Ok((vehicle, summary(&draft, class, arguments), notes))
}

fn world(text: &str, arguments: &ImportRobot, packages: &Packages<'_>) -> Result<Written, Failure> {
    if arguments.model.is_some() || arguments.name.is_some() {
        let text = "--model and --name belong to a vehicle file, and --out is a world";
        return Err(Failure::new(Code::Usage, text));
    }
    let refused = |error| refused(packages.file, &error);
    let scenery = simhost_urdf::read_world(text).map_err(refused)?;
    let (points, find) = (|uri: &str| packages.points(uri), |uri: &str| packages.relative(uri));
    let (world, notes) = scenery.to_xml(&packages.source(), &points, &find).map_err(refused)?;
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

/// Where meshes are.
struct Packages<'p> {
    /// File of the robot.
    file: &'p Path,
    /// Vehicle file or world.
    out: &'p Path,
    /// Names and folders of packages.
    given: &'p [(String, String)],
}

impl Packages<'_> {
    /// Returns the name of the file.
    fn source(&self) -> String {
        self.file.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Returns the path of a mesh, or says what to do.
    fn find(&self, uri: &str) -> Result<PathBuf, String> {
        let of_package =
            ["package://", "model://"].iter().find_map(|start| uri.strip_prefix(start));
        let path = match of_package {
            None => {
                let path = uri.strip_prefix("file://").unwrap_or(uri);
                self.folder().join(path)
            }
            Some(rest) => {
                let (name, path) = rest.split_once('/').unwrap_or((rest, ""));
                self.package(name).map(|folder| folder.join(path)).ok_or_else(|| {
                    format!("the mesh {uri} was not found: write --package {name}=DIR")
                })?
            }
        };
        if path.is_file() {
            Ok(path)
        } else {
            Err(format!("the mesh {uri} was not found: there is no file {}", path.display()))
        }
    }

    fn folder(&self) -> &Path {
        match self.file.parent() {
            Some(parent) if parent.as_os_str().is_empty() => Path::new("."),
            Some(parent) => parent,
            None => Path::new("."),
        }
    }

    /// Returns the folder of a package: as it was given, or a folder above the file, or one in such a folder.
    fn package(&self, name: &str) -> Option<PathBuf> {
        if let Some((_, folder)) = self.given.iter().find(|(given, _)| given == name) {
            return Some(PathBuf::from(folder));
        }
        let start = self.folder().canonicalize().ok()?;
        start.ancestors().take(LEVELS).find_map(|folder| {
            let is_it = folder.file_name().is_some_and(|one| one == name) || has_name(folder, name);
            if is_it {
                return Some(folder.to_owned());
            }
            Some(folder.join(name)).filter(|folder| folder.is_dir())
        })
    }

    /// Returns the path of a mesh from the folder of the vehicle file, if that is possible.
    fn relative(&self, uri: &str) -> Result<String, String> {
        let path = self.find(uri)?;
        let readable = mesh::MeshFormat::of(&path).is_some();
        if !readable {
            return Err(format!(
                "the mesh {uri} is not drawn: simhost reads .dae, .stl, .obj, .gltf, .glb and .fbx"
            ));
        }
        let base =
            self.out.parent().filter(|one| !one.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let paths = path.canonicalize().ok().zip(base.canonicalize().ok());
        let shown = match &paths {
            Some((path, base)) => path.strip_prefix(base).unwrap_or(path),
            None => &path,
        };
        Ok(shown.to_string_lossy().into_owned())
    }

    /// Reads the points of a mesh, m, with z up.
    fn points(&self, uri: &str) -> Result<Vec<[f64; 3]>, String> {
        let path = self.find(uri)?;
        let found = mesh::read(&path, &Limits::default()).map_err(|error| error.to_string())?;
        let has_y_up = mesh::MeshFormat::of(&path).is_some_and(mesh::MeshFormat::has_y_up);
        let upright = |[x, y, z]: [f64; 3]| if has_y_up { [x, -z, y] } else { [x, y, z] };
        Ok(found.vertices().iter().map(|point| upright(*point)).collect())
    }
}

/// Returns whether a folder has a `package.xml` or a `model.config` with a name.
fn has_name(folder: &Path, name: &str) -> bool {
    ["package.xml", "model.config"].iter().any(|file| {
        let text = std::fs::read_to_string(folder.join(file)).unwrap_or_default();
        text.contains(&format!("<name>{name}</name>"))
    })
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
