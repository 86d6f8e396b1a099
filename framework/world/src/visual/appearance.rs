//! The `<visual>` element.

use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, mesh};
use simhost_scene::{Mesh, Pose3};

use crate::context::Context;
use crate::files;

use crate::reader::ElementReader;
use crate::sources::Span;
use crate::tree::Element;
use crate::vocabulary::{
    CULLED, Entry, Section, Value, attribute, child, non_negative, number, positive, section,
};

/// A 3D model that shows how a body looks.
#[derive(Clone, Debug, PartialEq)]
pub struct Visual {
    /// Name, for `linked_yaw`.
    pub name: String,
    /// Path of the 3D model, or `None` if it is not available.
    pub model: Option<PathBuf>,
    /// Address of the 3D model as written in the file.
    pub model_uri: String,
    /// Position of that address.
    pub span: Span,
    /// Whether the model is drawn.
    pub enabled: bool,
    /// Factor on all lengths.
    pub scale: f64,
    /// Pose of the model in the frame of the body.
    pub pose: Pose3,
    /// Whether the file gives a pitch or a roll of the model.
    pub is_turned: bool,
    /// Red, green, blue and opacity, or `None` for the model's own colours.
    pub color: Option<[u8; 4]>,
    /// Faces that are not drawn: `NONE`, `BACK` or `FRONT`.
    pub cull_faces: String,
    /// Whether the bounding box is drawn.
    pub show_bounding_box: bool,
    /// Side in m of the cubes that transparent models are split into, 0 for none.
    pub split_size: f64,
}

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

pub(crate) static VISUAL: Section = section(
    "visual",
    "A 3D model that shows how a body looks. `<shape_from_visual>` derives the outline from it.",
    &[
        attribute("enabled", Value::Bool, "Whether it is drawn.").or("true"),
        child("model_uri", Value::Uri, "File of the model: .dae, .stl, .obj, .gltf, .glb or .fbx."),
        child("model_scale", positive("1"), "Factor on all lengths.").or("1"),
        child("model_offset_x", number("m"), "Offset of the model along x.").or("0"),
        child("model_offset_y", number("m"), "Offset of the model along y.").or("0"),
        child("model_offset_z", number("m"), "Offset of the model along z.").or("0"),
        child("model_yaw", number("deg"), "Rotation of the model about z.").or("0"),
        child("model_pitch", number("deg"), "Rotation of the model about y, applied before yaw.")
            .or("0"),
        child(
            "model_roll",
            number("deg"),
            "Rotation of the model about x, applied before pitch; 90 for models with y up, which are all .dae, .fbx, \
             .gltf and .glb.",
        )
        .or("0"),
        child("model_cull_faces", CULLED, "Faces that are not drawn.").or("NONE"),
        child("model_color", Value::Color, "Replaces the colours of the model.")
            .or_else("the colours of the model"),
        child(
            "model_split_size",
            non_negative("m"),
            "Side of the cubes that a transparent model is split into; 0 does not split it.",
        )
        .or("0"),
        child("show_bounding_box", Value::Bool, "Draws the bounding box as well.").or("false"),
        child("name", Value::Text, "Name that `linked_yaw` refers to.").or("group"),
    ],
);

/// The entry of bodies that can have visuals.
pub(crate) const ENTRY: Entry =
    child("visual", Value::Element(&VISUAL), "A 3D model that shows how it looks.").repeats();

/// Reads all `<visual>` elements that name a model.
pub(crate) fn read_visuals(context: &mut Context<'_>, elements: &[&Element]) -> Vec<Visual> {
    elements.iter().filter_map(|element| read(context, element)).collect()
}

/// Returns `None` if no model is named: there is nothing to show.
fn read(context: &mut Context<'_>, element: &Element) -> Option<Visual> {
    let mut reader = ElementReader::new(context, element, &VISUAL);
    let pose = Pose3 {
        x: reader.number("model_offset_x"),
        y: reader.number("model_offset_y"),
        z: reader.number("model_offset_z"),
        yaw: reader.number("model_yaw"),
        pitch: reader.number("model_pitch"),
        roll: reader.number("model_roll"),
    };
    let is_turned = reader.is_given("model_pitch") || reader.is_given("model_roll");
    let uri = reader.given_text("model_uri");
    let text = uri.as_ref().and_then(|_| reader.text_of("model_uri"));
    let visual = Visual {
        name: reader.text("name"),
        model: text.and_then(|text| files::resource(reader.context, text)),
        model_uri: uri.clone().unwrap_or_default(),
        span: text.map_or(element.name_span, |text| text.span),
        enabled: reader.flag("enabled"),
        scale: reader.number("model_scale"),
        pose,
        is_turned,
        color: reader.given_color("model_color"),
        cull_faces: reader.word("model_cull_faces").to_owned(),
        show_bounding_box: reader.flag("show_bounding_box"),
        split_size: reader.number("model_split_size"),
    };
    reader.finish();
    uri.map(|_| visual)
}
