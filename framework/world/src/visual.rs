//! Visuals: how a body looks, and the outline that follows from it.

use std::path::{Path, PathBuf};
use std::rc::Rc;

use simhost_assets::mesh::MeshFormat;
use simhost_assets::{AssetError, Limits, mesh};
use simhost_scene::{Bounds, Mesh, MeshError, Pose3, Section};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::options::MissingAssets;
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{CULLED, Entry, Value, element, non_negative, number, positive};

/// Returns the mesh of a file, or `None` if it cannot be used, which has been reported. Each file
/// is read once.
fn load_mesh(context: &mut Context<'_>, path: &Path, place: Span) -> Option<Rc<Mesh>> {
    if let Some(known) = context.assets.mesh(path) {
        return known;
    }
    let limits = context.assets.limits;
    let read = match context.assets.charge(path) {
        Ok(()) => mesh::read(path, &limits).map_err(Unusable::Content),
        Err(message) => Err(Unusable::Budget(message)),
    };
    let mesh = match read {
        Ok(mesh) => {
            let bytes = size_of_val(mesh.vertices()) + size_of_val(mesh.triangles());
            files::reserve(context, bytes, place).then(|| Rc::new(mesh))
        }
        Err(unusable) => replacement(context, path, place, &unusable).map(Rc::new),
    };
    context.assets.keep_mesh(path, mesh.clone());
    mesh
}

/// Reason why a mesh cannot be used.
enum Unusable {
    /// The files of the world are too large.
    Budget(String),
    Content(AssetError),
}

/// Reports a mesh that cannot be read. If placeholders are allowed and at least the vertices can be
/// read, returns their bounding box.
fn replacement(
    context: &mut Context<'_>,
    path: &Path,
    place: Span,
    unusable: &Unusable,
) -> Option<Mesh> {
    let bounds = match context.assets.missing {
        MissingAssets::Error => None,
        MissingAssets::Placeholder => mesh::read_bounds(path, &context.assets.limits),
    };
    // may remove the file
    let message = match unusable {
        Unusable::Budget(message) => message.clone(),
        Unusable::Content(error) => context.assets.explain(error),
    };
    if context.assets.missing == MissingAssets::Error {
        let error = Diagnostic::error(message)
            .at(place)
            .label("cannot be used")
            .help("run with `--missing-assets placeholder` to continue without it");
        context.report.push(error);
        return None;
    }
    let found = bounds.and_then(|bounds| Some((bounds, box_mesh(&bounds).ok()?)));
    let label = match &found {
        Some((Bounds { min, max }, _)) => {
            let size: [f64; 3] = std::array::from_fn(|axis| max[axis] - min[axis]);
            let [x, y, z] = size.map(|side| (side * 1e3).round() / 1e3);
            format!("using the bounding box of its vertices, {x} × {y} × {z}")
        }
        None => "omitted".to_owned(),
    };
    context.report.warning(place, message, &label);
    found.map(|(_, mesh)| mesh)
}

/// Returns the six sides of a box as a mesh.
fn box_mesh(Bounds { min, max }: &Bounds) -> Result<Mesh, MeshError> {
    let corner = |index: usize| {
        std::array::from_fn(|axis| if index & 1 << axis == 0 { min[axis] } else { max[axis] })
    };
    let faces: [[u32; 4]; 6] =
        [[0, 1, 3, 2], [4, 5, 7, 6], [0, 1, 5, 4], [2, 3, 7, 6], [0, 2, 6, 4], [1, 3, 7, 5]];
    let triangles = |[a, b, c, d]: [u32; 4]| [[a, b, c], [a, c, d]];
    Mesh::new((0..8).map(corner).collect(), faces.into_iter().flat_map(triangles).collect())
}

declare! {
    /// A 3D model for the appearance of a body. `<shape_from_visual>` derives the outline from it.
    section = element("visual") => find_model;

    /// A 3D model for the appearance of a body.
    #[derive(Clone, Debug, PartialEq)]
    pub struct Visual {
        /// Whether it is drawn.
        pub enabled: bool = attribute(Value::Bool).or("true");
        /// File of the model: .dae, .stl, .obj, .gltf, .glb or .fbx.
        pub model_uri: String = child(Value::Uri);
        /// Path of the model, or `None` if it is not available.
        pub model: Option<PathBuf> => |_| None;
        /// Position of the address of the model.
        pub span: Span => |reader| reader.element.name_span;
        /// Factor on all lengths.
        pub scale: f64 = child(positive("1")).named("model_scale").or("1");
        /// Pose of the model in the frame of the body.
        pub pose: Pose3 =
            child(number("m")).named("model_offset_x").doc("Offset of the model along x.").or("0"),
            child(number("m")).named("model_offset_y").doc("Offset of the model along y.").or("0"),
            child(number("m")).named("model_offset_z").doc("Offset of the model along z.").or("0"),
            child(number("deg")).named("model_yaw").doc("Rotation of the model about z.").or("0"),
            child(number("deg")).named("model_pitch").doc("Rotation of the model about y, applied before yaw.")
                .or("0"),
            child(number("deg")).named("model_roll")
                .doc("Rotation of the model about x, applied before pitch; 90 for models with y up, which are all .dae, .fbx, .gltf and .glb.")
                .or("0");
        /// Whether the file gives a pitch or a roll of the model.
        pub is_turned: bool =>
            |reader| reader.is_given("model_pitch") || reader.is_given("model_roll");
        /// Faces that are not drawn.
        pub cull_faces: String = child(CULLED).named("model_cull_faces").or("NONE");
        /// Replaces the colours of the model.
        pub color: Option<[u8; 4]> = child(Value::Color).named("model_color").or_else("the colours of the model");
        /// Edge length of the cubes that a transparent model is split into; 0 does not split it.
        pub split_size: f64 = child(non_negative("m")).named("model_split_size").or("0");
        /// Also draws the bounding box.
        pub show_bounding_box: bool = child(Value::Bool).or("false");
        /// Name that `linked_yaw` refers to.
        pub name: String = child(Value::Text).or("group");
    }
}

/// The entry of bodies that can have visuals.
pub(crate) const APPEARANCE_ENTRY: Entry = child(Value::Element(Visual::SECTION))
    .named("visual")
    .doc("A 3D model for its appearance.")
    .repeats();

impl Visual {
    /// Reads the mesh of the model with its colours, in its own frame, to which scale and pose still apply. Returns `None`
    /// if the visual is not drawn or its model is not available.
    ///
    /// # Errors
    /// The model cannot be read.
    pub fn read_mesh(&self) -> Option<Result<Mesh, AssetError>> {
        let path = self.model.as_ref().filter(|_| self.enabled)?;
        Some(mesh::read_with_images(path, &Limits::default()))
    }
}

/// Looks up the model. A visual without a model shows nothing.
fn find_model(visual: Visual, reader: &mut ElementReader<'_, '_, '_>) -> Option<Visual> {
    if visual.model_uri.is_empty() {
        return None;
    }
    let text = reader.text_of("model_uri")?;
    Some(Visual { model: files::resource(reader.context, text), span: text.span, ..visual })
}

/// Outcome of deriving a shape from visuals.
pub(crate) enum Shape {
    Known(Section),
    /// None of the models is available, which has been reported as a warning.
    Missing,
    /// An error has been reported.
    Failed,
}

/// Derives the outline and heights of all visuals together, restricted to a range of heights in m.
/// `scale` replaces the scale of each visual. Reports an element without visuals, and visuals without an area.
pub(crate) fn shape_of(
    context: &mut Context<'_>,
    element: &Element,
    visuals: &[Visual],
    scale: Option<f64>,
    heights: [f64; 2],
) -> Shape {
    if visuals.is_empty() {
        let error = Diagnostic::error("`<shape_from_visual>` without a visual")
            .at(element.name_span)
            .help("write <visual> with a <model_uri>");
        context.report.push(error);
        return Shape::Failed;
    }
    let mut total: Option<Section> = None;
    let mut missing = false;
    for visual in visuals {
        let path = visual.model.as_ref();
        let Some(mesh) = path.and_then(|path| load_mesh(context, path, visual.span)) else {
            missing = true;
            continue;
        };
        let factor = scale.unwrap_or(visual.scale);
        let section = match mesh.transformed(factor, &visual.pose) {
            Ok(mesh) => {
                report_lying(context, visual, &mesh);
                mesh.section(heights[0], heights[1])
            }
            Err(error) => {
                let message = format!("`{}`: {error}", visual.model_uri);
                context.report.error(visual.span, message, "");
                return Shape::Failed;
            }
        };
        total = match (total, section) {
            (Some(total), Some(section)) => Some(total.union(&section)),
            (total, section) => section.or(total),
        };
    }
    match (total, missing, context.assets.missing) {
        (_, true, MissingAssets::Error) => Shape::Failed,
        (Some(section), ..) => Shape::Known(section),
        (None, true, _) => Shape::Missing,
        (None, false, _) => {
            let label = "nothing with an area lies between zmin and zmax";
            context.report.error(element.name_span, "the visuals have no outline", label);
            Shape::Failed
        }
    }
}

/// Height of a model with unknown axes, as a part of its least horizontal size, below which it seems to lie.
const FLAT: f64 = 1.0 / 3.0;

/// Warns of a model that seems to lie on its side: one with y up that nothing turns, or a flat one whose format does
/// not say which axis is up.
fn report_lying(context: &mut Context<'_>, visual: &Visual, mesh: &Mesh) {
    let Some(bounds) = mesh.bounds().filter(|_| !visual.is_turned) else { return };
    let format = visual.model.as_deref().and_then(MeshFormat::of);
    let [x, y, z]: [f64; 3] = std::array::from_fn(|axis| bounds.max[axis] - bounds.min[axis]);
    let reason = match format {
        Some(format) if format.has_y_up() => {
            "its y axis, which is up in files of this format, is level"
        }
        _ if z < FLAT * x.min(y) => "it is much longer and wider than high",
        _ => return,
    };
    let size = [x, y, z].map(|side| (side * 1e3).round() / 1e3);
    let warning = Diagnostic::warning(format!("`{}` may lie on its side: {reason}", visual.model_uri))
        .at(visual.span)
        .label(format!("{} × {} × {} m along x, y and z", size[0], size[1], size[2]))
        .help("write <model_roll>90</model_roll> if y is up in the model, or <model_roll>0</model_roll> if z is");
    context.report.push(warning);
}

/// Warns that a placeholder is used for a body whose model is not available.
pub(crate) fn report_placeholder(
    context: &mut Context<'_>,
    element: &Element,
    outline: &str,
    [low, high]: [f64; 2],
) {
    let message = format!("the shape of this <{}> is not available", element.name);
    let label = format!("using {outline} from {low} m to {high} m");
    context.report.warning(element.name_span, message, &label);
}
