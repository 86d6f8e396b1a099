//! The `<visual>` element.

use std::path::PathBuf;

use simhost_assets::{AssetError, Limits, mesh};
use simhost_scene::{Mesh, Pose3};

use crate::files;
use crate::reader::{ElementReader, declare};
use crate::sources::Span;
use crate::vocabulary::field::{attribute, child};
use crate::vocabulary::{CULLED, Entry, Value, element, non_negative, number, positive};

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
pub(crate) const ENTRY: Entry = child(Value::Element(Visual::SECTION))
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
