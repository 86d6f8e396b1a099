//! Meshes of visuals.

use std::path::Path;
use std::rc::Rc;

use simhost_assets::{AssetError, mesh};
use simhost_scene::{Bounds, Mesh, MeshError};

use crate::context::Context;
use crate::diagnostics::Diagnostic;
use crate::files;
use crate::options::MissingAssets;
use crate::sources::Span;

/// Returns the mesh of a file, or `None` if it cannot be used, which has been reported. Each file
/// is read once.
pub(super) fn load(context: &mut Context<'_>, path: &Path, place: Span) -> Option<Rc<Mesh>> {
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
